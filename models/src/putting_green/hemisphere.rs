//! A particle that slides off a hemisphere: putting-green, section 4.1.

eom_core::lagrangian! {
    /// A particle on a frictionless hemisphere, and in flight after it has left it.
    pub system Hemisphere {
        document "putting-green";

        coordinates {
            /// Distance from the centre of the hemisphere, m.
            r,
            /// Angle from the vertical, rad.
            θ,
        }
        parameters {
            /// Mass, kg.
            m = 1 where m > 0,
            /// Gravity, m/s².
            g = 9.81 where g > 0,
            /// Radius of the hemisphere, m.
            R = 0.5 where R > 0,
            /// θ̇₀, the angular velocity at the top, rad/s.
            ω0 = 1.5 where ω0 >= 0,
        }
        let r_p = [r*sin(θ), r*cos(θ)];
        kinetic   = m/2*dot(r_p_dot, r_p_dot);
        potential = m*g*r*cos(θ);

        /// The hemisphere, (18).
        contact surface {
            gap    = r - R;
            impact = plastic;
        }

        /// From the top, until after it has left the surface.
        scenario from_the_top {
            r = R;
            θ̇ = ω0;
            until t = 0.5;
        }

        draw {
            circle [0, 0], R, color gray;
            trace [r*sin(θ), r*cos(θ)];
            arrow [r*sin(θ), r*cos(θ)], λ(surface)*[sin(θ), cos(θ)], color green;
            point [r*sin(θ), r*cos(θ)], color red;
        }

        output horizontal = r*sin(θ);
        output vertical = r*cos(θ);

        claim eq16: r_p_dot = [ṙ*sin(θ) + r*θ̇*cos(θ), ṙ*cos(θ) - r*θ̇*sin(θ)];
        claim eq17: lagrangian = m/2*(ṙ^2 + r^2*θ̇^2) - m*g*r*cos(θ);
        claim eq18a closed surface: r̈ = r*θ̇^2 - g*cos(θ) + λ(surface)/m;
        /// With r free the term −2ṙθ̇/r belongs here; the printed form holds while ṙ = 0.
        erratum eq18b: θ̈ = g/r*sin(θ);
            corrected: θ̈ = g/r*sin(θ) - 2*ṙ*θ̇/r;
        claim eq18b_contact closed surface: θ̈ = g/r*sin(θ);
        claim eq18c closed surface: r - R = 0;
        claim eq19 closed surface when λ(surface) = 0: θ̇^2 = g/R*cos(θ);
        /// The energy is that of the start.
        claim eq20 closed surface when energy = m/2*R^2*ω0^2 + m*g*R:
            θ̇^2 = ω0^2 + 2*g/R*(1 - cos(θ));
        /// θ̇₀ is squared: as printed the argument of cos⁻¹ has a unit.
        erratum eq21 closed surface when energy = m/2*R^2*ω0^2 + m*g*R, λ(surface) = 0:
            cos(θ) = 2/3 + R/(3*g)*ω0;
            corrected: cos(θ) = 2/3 + R/(3*g)*ω0^2;
    }
}
