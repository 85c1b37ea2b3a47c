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

        // What a state says of the start of its motion: v₀, p₀, θ̇₀, θ₀.
        let speed = norm([ẋ, ẏ]);
        let speed0 = speed + μ*g*t;
        let u0 = speed0/speed*ẋ;
        let p0 = x - t*(1 - μ*g*t/2/speed0)*u0;
        let p0_printed = x - t*(1 - μ*g*t^2/2/speed0)*u0;
        let spin0 = abs(θ̇) + K*t;
        let Ω0 = spin0*θ̇/abs(θ̇);
        let θ0 = θ - t*(1 - K*t/2/spin0)*Ω0;
        let θ0_printed = θ - t*(1 - K*t^2/2/spin0)*Ω0;

        claim d4_23a: ẍ = -μ*g*ẋ/sqrt(ẋ^2 + ẏ^2);
        claim d4_23b: ÿ = -μ*g*ẏ/sqrt(ẋ^2 + ẏ^2);
        claim d4_23c: θ̈ = -μ*g*(L1^2 + L2^2)/2/((L1^3 + L2^3)/3)*θ̇/abs(θ̇);
        claim d4_23d: θ̈ = integral(-μ*g*δ_0*abs(s), s in -L2..L1)/integral(δ_0*s^2, s in -L2..L1)
            *θ̇/abs(θ̇);
        /// v(t) = (1 − μgt/|v₀|)v₀: the v₀ of a state does not change.
        claim d4_24: u0_dot = 0;
        /// t² is a misprint for t: the integral of (4.24) is t(1 − (μgt/2)/|v₀|)v₀, and as printed the
        /// dimensions differ.
        erratum d4_25: p0_printed_dot = 0; corrected: p0_dot = 0;
        /// K is positive; the minus sign of the text's K = −(3μg/2)(L₁² + L₂²)/(L₁³ + L₂³) would make
        /// the spin grow.
        claim d4_26: Ω0_dot = 0;
        /// t² is a misprint for t, as in (4.25).
        erratum d4_27: θ0_printed_dot = 0; corrected: θ0_dot = 0;
    }
}
