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

        /// In contact.
        claim eq34 closed surface: dissipation
            = μ_x/2*γ_x^2 + μ_y/2*γ_y^2 + μ_z/2*γ_z^2;
        /// λ_h is −λ(surface): the document multiplies f − z.
        claim eq57 closed surface: ẍ = -μ_x/m*γ_x + (-λ(surface))/m*f_x;
        /// λ_h is −λ(surface): the document multiplies f − z.
        claim eq58 closed surface: ÿ = -μ_y/m*γ_y + (-λ(surface))/m*f_y;
        /// λ_h is −λ(surface): the document multiplies f − z.
        claim eq59 closed surface: z̈ = -μ_z/m*γ_z - g - (-λ(surface))/m;
        claim eq60 closed surface: ω̇_y = r/(k^2*m*sqrt(N))*(γ_x*μ_x + f_x*γ_z*μ_z);
        claim eq61 closed surface: ω̇_x = -r/(k^2*m*sqrt(N))*(γ_y*μ_y + f_y*γ_z*μ_z);
        claim eq62 closed surface: ω̇_z = -r/(k^2*m*sqrt(N))*(-f_y*γ_x*μ_x + f_x*γ_y*μ_y);
        /// In flight.
        claim flight: [ẍ, ÿ, z̈, ω̇_x, ω̇_y, ω̇_z] = [0, 0, -g, 0, 0, 0];
        /// Of the rows γ_x = γ_y = γ_z = 0 and z = f of rolling, one depends on the others.
        claim dependent: γ_z = f_x*γ_x + f_y*γ_y + ż - f_x*ẋ - f_y*ẏ;
    }
}
