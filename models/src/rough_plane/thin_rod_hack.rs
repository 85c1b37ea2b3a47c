//! The decoupled friction of a thin rod, "one physics hack": rough-plane 4.
//!
//! Each of translation and turning is braked as if the other were not there; the exact friction
//! couples them (`thin_rod.rs`).

eom_core::lagrangian! {
    /// A thin rod with decoupled friction.
    pub system ThinRodHack {
        document "rough-plane";

        coordinates {
            /// Centre of mass, m.
            x,
            /// Centre of mass, m.
            y,
            /// Direction of the rod, rad.
            θ,
        }
        parameters {
            /// One end's distance from the centre, m.
            L1 = 0.5 where L1 > 0,
            /// The other end's distance, m.
            L2 = L1 where L2 > 0,
            /// Mass per length, kg/m.
            δ_0 = 1 where δ_0 > 0,
            /// Gravity, m/s².
            g = 9.81 where g > 0,
            /// Coefficient of friction.
            μ = 0.2 where μ > 0,
        }
        let μ_0 = δ_0*(L1 + L2);
        let μ_2 = δ_0*(L1^3 + L2^3)/3;
        let K = 3*μ*g/2*(L1^2 + L2^2)/(L1^3 + L2^3);

        kinetic     = μ_0/2*(ẋ^2 + ẏ^2) + μ_2/2*θ̇^2;
        dissipation = μ*g*μ_0*norm([ẋ, ẏ]) + K*μ_2*abs(θ̇);

        /// As the exact rod.
        scenario throw {
            ẋ = 1; ẏ = 0.5; θ̇ = 6;
            until t = 2;
        }

        draw {
            trace [x, y];
            line [x - L2*cos(θ), y - L2*sin(θ)], [x + L1*cos(θ), y + L1*sin(θ)];
            point [x, y], color red;
        }

        // What a state says of the start of its motion: v₀, p₀, θ̇₀, θ₀; each is constant along it.
        let speed = norm([ẋ, ẏ]);
        let speed0 = speed + μ*g*t;
        let u0 = speed0/speed*ẋ;
        let v0 = speed0/speed*ẏ;
        let x_start = x - t*(ẋ + u0)/2;
        let y_start = y - t*(ẏ + v0)/2;
        let spin0 = abs(θ̇) + K*t;
        let Ω_0 = spin0*θ̇/abs(θ̇);
        let turn0 = θ - t*(θ̇ + Ω_0)/2;

        notation {
            r"\mathbf{v}(t)" = [ẋ, ẏ];
            r"\mathbf{v}_0" = [u0, v0];
            r"\mathbf{p}(t)" = [x, y];
            r"\mathbf{p}_0" = [x_start, y_start];
            r"\dot{\theta}(t)" = θ̇;
            r"\dot{\theta}_0" = Ω_0;
            r"\theta(t)" = θ;
            r"\theta_0" = turn0;
            /// As the text prints it, with its minus sign.
            reading K = -(3*μ*g/2)*(L1^2 + L2^2)/(L1^3 + L2^3);
        }

        claim start: [u0_dot, v0_dot] = [0, 0];
        claim origin: [x_start_dot, y_start_dot] = [0, 0];
        claim spin: [Ω_0_dot, turn0_dot] = [0, 0];

        claim d4_23: tex r"\begin{aligned} \ddot{x} &= -\frac{\mu g \dot{x}}{\sqrt{\dot{x}^2 + \dot{y}^2}} \\ \ddot{y} &= -\frac{\mu g \dot{y}}{\sqrt{\dot{x}^2 + \dot{y}^2}} \\ \ddot{\theta} &= \left(\frac{\int_{-L_2}^{L_1} -\mu g \delta_0 |L| dL}{\int_{-L_2}^{L_1} \delta_0 L^2 dL} \right) \frac{\dot{\theta}}{|\dot{\theta}|} = \left(\frac{-\mu g (L_1^2 + L_2^2)/2}{(L_1^3 + L_2^3)/3} \right) \frac{\dot{\theta}}{|\dot{\theta}|} \end{aligned}";
        claim d4_24 when sign(t) = 1: tex r"\mathbf{v}(t) = \left(1 - \frac{\mu g t}{|\mathbf{v}_0|} \right) \mathbf{v}_0";
        /// t² is a misprint for t: the integral of (4.24) is t(1 − (μgt/2)/|v₀|)v₀, and as printed the dimensions differ.
        erratum d4_25 when sign(t) = 1: tex r"\mathbf{p}(t) = \mathbf{p}_0 + t \left(1 - \frac{\mu g t^2/2}{|\mathbf{v}_0|} \right) \mathbf{v}_0";
            corrected: tex r"\mathbf{p}(t) = \mathbf{p}_0 + t \left(1 - \frac{\mu g t/2}{|\mathbf{v}_0|} \right) \mathbf{v}_0";
        /// The K of the text, −(3μg/2)(L₁² + L₂²)/(L₁³ + L₂³), is negative: with its minus sign the spin would grow.
        erratum d4_26 when sign(t) = 1: tex r"\dot{\theta}(t) = \left(1 - \frac{K t}{|\dot{\theta}_0|} \right) \dot{\theta}_0";
            corrected: tex r"\dot{\theta}(t) = \left(1 + \frac{K t}{|\dot{\theta}_0|} \right) \dot{\theta}_0";
        /// t² is a misprint for t, as in (4.25), and K has the wrong sign, as in (4.26).
        erratum d4_27 when sign(t) = 1: tex r"\theta(t) = \theta_0 + t \left(1 - \frac{K t^2/2}{|\dot{\theta}_0|} \right) \dot{\theta}_0";
            corrected: tex r"\theta(t) = \theta_0 + t \left(1 + \frac{K t/2}{|\dot{\theta}_0|} \right) \dot{\theta}_0";
        /// The centre of mass of a constant density lies in the middle.
        claim prose4_2 when integral(δ_0*s, s in -L2..L1) = 0: tex r"L_2 = L_1";
    }
}
