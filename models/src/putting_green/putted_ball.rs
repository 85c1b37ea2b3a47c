//! The ball of the simulation: putting-green, section 5.
//!
//! In contact it obeys (57)–(62). Where the reaction falls to 0 it leaves the surface, flies without
//! friction, and comes back: the document then sets ż to 0, which on a slope leaves the surface again or
//! enters it; here the landing is plastic, which takes away the velocity across the surface.

eom_core::lagrangian! {
    /// A ball on a rough surface that it may leave, in angular velocities.
    pub system PuttedBall {
        document "putting-green";

        coordinates {
            /// Centre along e₁, m.
            x,
            /// Centre along e₂, m.
            y,
            /// Centre along e₃, m.
            z,
        }
        /// Attitude of the ball; angular velocity along e₁, e₂, e₃, rad/s.
        rotation Q { space: ω_x, ω_y, ω_z }
        parameters {
            /// Mass, kg.
            m = 0.0459 where m > 0,
            /// Radius, m.
            r = 0.02135 where r > 0,
            /// Radius of gyration, m: a homogeneous ball.
            k = sqrt(2/5)*r where k > 0,
            /// Gravity, m/s².
            g = 9.81,
            /// Friction along e₁, kg/s.
            μ_x = 0.05 where μ_x >= 0,
            /// Friction along e₂, kg/s.
            μ_y = μ_x where μ_y >= 0,
            /// Friction along e₃, kg/s.
            μ_z = μ_x where μ_z >= 0,
            /// Slope of the green along y.
            s = 0.02,
            /// Height of its mound, m.
            h = 0.15,
            /// Where the mound is, m along x.
            a = 1.5,
            /// Width of the mound, m: there it has fallen to h/e.
            w = 0.6 where w > 0,
        }
        /// The height of the surface, m. The claims hold for every smooth f.
        function f(x, y) = s*y + h*exp(-((x - a)^2 + y^2)/w^2);

        kinetic   = m/2*(ẋ^2 + ẏ^2 + ż^2) + m*k^2/2*(ω_x^2 + ω_y^2 + ω_z^2);
        potential = m*g*z;

        let N = f_x^2 + f_y^2 + 1;
        let γ_x = ẋ - r/sqrt(N)*(ω_y + ω_z*f_y);
        let γ_y = ẏ + r/sqrt(N)*(ω_x + ω_z*f_x);
        let γ_z = ż + r/sqrt(N)*(ω_x*f_y - ω_y*f_x);

        /// The surface. Friction acts in contact only.
        contact surface {
            gap         = z - f;
            impact      = plastic;
            dissipation = μ_x/2*γ_x^2 + μ_y/2*γ_y^2 + μ_z/2*γ_z^2;
        }

        /// A putt without spin, over the mound: it hops.
        scenario hop {
            y = 0.125;
            ẋ = 5;
            ẏ = -0.25;
            z = f(0, 0.125);
            ż = 5*f_x(0, 0.125) - 0.25*f_y(0, 0.125);
            until t = 1.5;
        }

        draw {
            surface f;
            trace [x, y, z];
            arrow [x, y, z], λ(surface)*[-f_x, -f_y, 1], color green;
            sphere [x, y, z], r, rotation Q;
        }

        /// The centre above the surface, m.
        output gap = z - f;

        notation {
            r"K_f" = dissipation;
            /// The document multiplies f − z.
            r"\lambda_h" = -λ(surface);
        }

        /// Rosen's function with one coefficient.
        notation rosen {
            r"K_f(t)" = dissipation;
            r"\mu" = μ_x;
            r"v_s(t)" = [γ_x, γ_y, γ_z];
            /// Of (34): pivoting is left out there.
            reading r"\nu" = 0;
            r"\omega_p(t)" = (ω_z - ω_x*f_x - ω_y*f_y)/sqrt(N);
        }

        claim eq22 in rosen closed surface when μ_y = μ_x, μ_z = μ_x: tex r"K_f(t) \triangleq \frac{1}{2} (\mu v_s(t)^2 + \nu \omega_p(t)^2) \quad (22)";
        claim eq34 closed surface: tex r"K_f = \frac{\mu_x}{2}\gamma_x^2 + \frac{\mu_y}{2}\gamma_y^2 + \frac{\mu_z}{2}\gamma_z^2 \quad (34)";
        claim eq57 closed surface: tex r"\ddot{x} = -\frac{\mu_x}{m} \gamma_x + \frac{\lambda_h}{m} \frac{\partial f}{\partial x} \quad (57)";
        claim eq58 closed surface: tex r"\ddot{y} = -\frac{\mu_y}{m} \gamma_y + \frac{\lambda_h}{m} \frac{\partial f}{\partial y} \quad (58)";
        claim eq59 closed surface: tex r"\ddot{z} = -\frac{\mu_z}{m} \gamma_z - g - \frac{\lambda_h}{m} \quad (59)";
        claim eq60 closed surface: tex r"\dot{\omega}_y = \frac{r}{k^2 m \sqrt{N}} \left(\gamma_x \mu_x + \frac{\partial f}{\partial x} \gamma_z \mu_z \right) \quad (60)";
        claim eq61 closed surface: tex r"\dot{\omega}_x = -\frac{r}{k^2 m \sqrt{N}} \left(\gamma_y \mu_y + \frac{\partial f}{\partial y} \gamma_z \mu_z \right) \quad (61)";
        claim eq62 closed surface: tex r"\dot{\omega}_z = -\frac{r}{k^2 m \sqrt{N}} \left(-\frac{\partial f}{\partial y} \gamma_x \mu_x + \frac{\partial f}{\partial x} \gamma_y \mu_y \right) \quad (62)";
        /// In flight.
        claim flight: [ẍ, ÿ, z̈, ω̇_x, ω̇_y, ω̇_z] = [0, 0, -g, 0, 0, 0];
        /// Of the rows γ_x = γ_y = γ_z = 0 and z = f of rolling, one depends on the others.
        claim dependent: γ_z = f_x*γ_x + f_y*γ_y + ż - f_x*ẋ - f_y*ẏ;
    }
}
