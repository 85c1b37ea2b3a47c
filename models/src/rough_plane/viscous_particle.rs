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
        // On the level: the time at which the speed is ε, and the place.
        let t_ε = t + 1/α*ln(speed/ε);
        let x_ε = x + (1 - ε/speed)/α*ẋ;
        let w_ε = w + (1 - ε/speed)/α*ẇ;
        let x_ε_printed = x + (1 - ε/speed)*ẋ;
        // The time at which a motion straight up the slope turns.
        let t_turn = t + 1/α*ln(1 + α*ẇ/(g*sin(φ)));

        claim d1_9 when φ = 0: [ẍ, ẅ] + α*[ẋ, ẇ] = [0, 0];
        claim d1_10 when φ = 0: motion(x0, w0, u0, v0) {
            x = x0 + (1 - exp(-α*t))/α*u0;
            w = w0 + (1 - exp(-α*t))/α*v0;
        };
        claim d1_13 when φ = 0: motion(x0, w0, u0, v0) {
            x = x0 + (1 - exp(-α*t))/α*u0;
            w = w0 + (1 - exp(-α*t))/α*v0;
        };
        claim d1_12 when φ = 0: t_ε_dot = 0;
        /// The division by α is lost in the second form: (1 − exp(−α t))/α is (1 − ε/|V₀|)/α.
        erratum d1_14 when φ = 0: x_ε_printed_dot = 0; corrected: x_ε_dot = 0;
        claim d1_15: (x_ε - x)^2 + (w_ε - w)^2 = ((speed - ε)/α)^2;
        claim d1_24: ẅ + α*ẇ = -g*sin(φ);
        /// ẇ(t) of the display, integrated once.
        claim d1_25: motion(x0, w0, v0) {
            x = x0;
            w = w0 + (α*v0 + g*sin(φ))*(1 - exp(-α*t))/α^2 - g*sin(φ)/α*t;
        };
        claim d1_26: t_turn_dot = 0;
        /// The steady state: ẅ = 0 at ẇ = −g sin φ/α.
        claim d1_27 when ẇ = -g*sin(φ)/α: ẅ = 0;
    }
}
