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

        notation {
            r"\mathbf{e}_1" = [1, 0];
            r"\mathbf{e}_2" = [0, 1];
            r"\mathbf{r}_p" = r_p;
            r"\mathbf{v}_p" = r_p_dot;
            L = lagrangian;
            r"\lambda" = λ(surface);
            r"\dot{\theta}^*" = θ̇;
            r"\dot{\theta}(t^*)" = θ̇;
            r"\dot{\theta}(t)" = θ̇;
            r"\dot{\theta}_0" = ω0;
            r"\theta^*" = θ;
        }

        claim eq15: tex r"\mathbf{r}_p = r \sin \theta \mathbf{e}_1 + r \cos \theta \mathbf{e}_2 \tag{15}";
        claim eq16: tex r"\mathbf{v}_p = (\dot{r} \sin \theta + r \dot{\theta} \cos \theta) \mathbf{e}_1 + (\dot{r} \cos \theta - r \dot{\theta} \sin \theta) \mathbf{e}_2 \tag{16}";
        claim eq17: tex r"L = \frac{m}{2} (\dot{r}^2 + r^2 \dot{\theta}^2) - mgr \cos \theta \quad (17)";
        claim prose4_1 closed surface: tex r"\ddot{r} = \dot{r} = 0";
        /// Solved for the multiplier.
        claim prose4_2 closed surface: tex r"\lambda = m(\ddot{r} - r\dot{\theta}^2 + g \cos \theta)";
        claim eq18 closed surface: tex r"\begin{aligned} \ddot{r} &= r \dot{\theta}^2 - g \cos \theta + \frac{\lambda}{m} \\ \ddot{\theta} &= \frac{g}{r} \sin \theta \\ r - R &\geq 0 \end{aligned} \quad (18)";
        /// With r free, as the text has it, the term −2ṙθ̇/r belongs to the second line of (18).
        erratum eq18_flight: tex r"\ddot{\theta} = \frac{g}{r} \sin \theta";
            corrected: tex r"\ddot{\theta} = \frac{g}{r} \sin \theta - \frac{2 \dot{r} \dot{\theta}}{r}";
        claim eq19 closed surface when λ(surface) = 0, sign(θ̇) = 1: tex r"\dot{\theta}^* \triangleq \dot{\theta}(t^*) = \sqrt{\frac{g}{R} \cos \theta^*} \quad (19)";
        /// The energy is that of the start.
        claim eq20 closed surface when energy = m/2*R^2*ω0^2 + m*g*R, sign(θ̇) = 1: tex r"\dot{\theta}(t) = \sqrt{\dot{\theta}_0^2 + \frac{2g}{R}(1 - \cos \theta)} \quad (20)";
        /// θ̇₀ is squared: as printed the argument of cos⁻¹ has a unit.
        erratum eq21 closed surface when energy = m/2*R^2*ω0^2 + m*g*R, λ(surface) = 0, sign(θ*(pi - θ)) = 1: tex r"\theta^* = \cos^{-1} \left(\frac{2}{3} + \frac{R}{3g} \dot{\theta}_0 \right) \quad (21)";
            corrected: tex r"\theta^* = \cos^{-1} \left(\frac{2}{3} + \frac{R}{3g} \dot{\theta}_0^2 \right) \quad (21)";
    }
}
