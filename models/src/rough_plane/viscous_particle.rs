//! One particle on an inclined plane with viscous friction F = −c V: rough-plane 1.

eom_core::lagrangian! {
    /// A particle on a plane with viscous friction.
    pub system ViscousParticle {
        document "rough-plane";

        coordinates {
            /// Across the slope, m.
            x,
            /// Up the slope, m.
            w,
        }
        parameters {
            /// Mass, kg.
            m = 1 where m > 0,
            /// Gravity, m/s².
            g = 9.81 where g > 0,
            /// Inclination of the plane, rad.
            φ = 0.3 where φ >= 0 && φ < 1.5,
            /// Coefficient of friction.
            μ = 0.2 where μ > 0,
            /// The speed below which the particle counts as stopped, m/s.
            ε = 0.1 where ε > 0,
        }
        let c = μ*m*g*cos(φ);
        let α = c/m;

        kinetic     = m/2*(ẋ^2 + ẇ^2);
        potential   = m*g*w*sin(φ);
        dissipation = c/2*(ẋ^2 + ẇ^2);

        /// The figure of section 1, as for dry friction.
        scenario path {
            ẋ = 1; ẇ = 2;
            until t = 2;
        }

        draw {
            trace [x, w];
            arrow [x, w], [ẋ, ẇ], color green;
            point [x, w];
        }
        /// The speed has fallen to ε, (1.11).
        event stopped { guard = speed - ε; }

        let speed = norm([ẋ, ẇ]);
        // As seen from a state at time t of a motion on the level: V₀, X₀, and when and where the speed is ε.
        let u0 = exp(α*t)*ẋ;
        let v0 = exp(α*t)*ẇ;
        let x_start = x + (ẋ - u0)/α;
        let w_start = w + (ẇ - v0)/α;
        let t_ε = t + 1/α*ln(speed/ε);
        let x_ε = x + (1 - ε/speed)/α*ẋ;
        let w_ε = w + (1 - ε/speed)/α*ẇ;
        // Straight along the slope: its start, and when it turns.
        let climb0 = ((α*ẇ + g*sin(φ))*exp(α*t) - g*sin(φ))/α;
        let t_turn = t + 1/α*ln(1 + α*ẇ/(g*sin(φ)));

        notation {
            r"\mathbf{V}" = [ẋ, ẇ];
            r"\mathbf{V}(t)" = [ẋ, ẇ];
            r"\mathbf{V}_0" = [u0, v0];
            r"\mathbf{X}(t)" = [x, w];
            r"\mathbf{X}_0" = [x_start, w_start];
            r"t_{\max}" = t_ε;
            r"\mathbf{V}(t_{\max})" = [ε/speed*ẋ, ε/speed*ẇ];
            r"\mathbf{X}(t_{\max})" = [x_ε, w_ε];
            r"\dot{w}(t)" = ẇ;
            r"\dot{w}_0" = climb0;
            r"t_0" = t_turn;
        }

        claim start when φ = 0: [u0_dot, v0_dot] = [0, 0];
        claim origin when φ = 0: [x_start_dot, w_start_dot] = [0, 0];
        claim rest when φ = 0: [x_ε_dot, w_ε_dot] = [0, 0];
        claim duration when φ = 0: t_ε_dot = 0;
        claim climb: climb0_dot = 0;
        claim turn: t_turn_dot = 0;
        claim path when φ = 0: motion(x0, w0, u, v) {
            x = x0 + (1 - exp(-α*t))/α*u;
            w = w0 + (1 - exp(-α*t))/α*v;
        };

        claim d1_9 when φ = 0: tex r"\frac{d\mathbf{V}}{dt} + \alpha \mathbf{V} = 0";
        claim d1_10 when φ = 0: tex r"\mathbf{V}(t) = \mathbf{V}_0 \exp(-\alpha t)";
        claim d1_11 when φ = 0: tex r"\varepsilon = |\mathbf{V}(t_{\max})| = \exp(-\alpha t_{\max}) |\mathbf{V}_0|";
        claim d1_12 when φ = 0: tex r"t_{\max} = \frac{1}{\alpha} \ln \left(\frac{|\mathbf{V}_0|}{\varepsilon} \right) = \frac{m}{c} \ln \left(\frac{|\mathbf{V}_0|}{\varepsilon} \right)";
        claim d1_13 when φ = 0: tex r"\mathbf{X}(t) = \mathbf{X}_0 + \left(\frac{1 - \exp(-\alpha t)}{\alpha} \right) \mathbf{V}_0";
        /// The division by α is lost in the second form: (1 − exp(−α t))/α is (1 − ε/|V₀|)/α.
        erratum d1_14 when φ = 0: tex r"\mathbf{X}(t_{\max}) = \mathbf{X}_0 + \left(\frac{1 - \exp(-\alpha t_{\max})}{\alpha} \right) \mathbf{V}_0 = \mathbf{X}_0 + \left(1 - \frac{\varepsilon}{|\mathbf{V}_0|} \right) \mathbf{V}_0";
            corrected: tex r"\mathbf{X}(t_{\max}) = \mathbf{X}_0 + \left(\frac{1 - \exp(-\alpha t_{\max})}{\alpha} \right) \mathbf{V}_0 = \mathbf{X}_0 + \frac{1}{\alpha} \left(1 - \frac{\varepsilon}{|\mathbf{V}_0|} \right) \mathbf{V}_0";
        /// Of a motion that starts faster than ε.
        claim d1_15 when φ = 0, sign(norm([u0, v0]) - ε) = 1: tex r"|\mathbf{X}(t_{\max}) - \mathbf{X}_0| = \frac{|\mathbf{V}_0| - \varepsilon}{\alpha}";
        claim d1_24: tex r"\ddot{w} + \alpha \dot{w} = -g \sin \phi";
        claim d1_25: tex r"\dot{w}(t) = \frac{1}{\alpha} ((\alpha \dot{w}_0 + g \sin \phi) \exp(-\alpha t) - g \sin \phi)";
        claim d1_26: tex r"t_0 = \frac{1}{\alpha} \ln \left(1 + \frac{\alpha \dot{w}_0}{g \sin \phi} \right)";
    }
}
