//! The ball with Rosen's dissipation function in Euler angles: putting-green, section 4.2.
//!
//! The angles ψ, θ, φ are a space-two 3-1-3 rotation: by ψ about e₃, by θ about e₁, by φ about e₃.
//! The printed ω_x, ω_y, ω_z (26)–(28) are components along the axes of the ball, but enter (31)–(33) as
//! if they were along e₁, e₂, e₃. The equations (35)–(45) follow from what is printed. The error is of no
//! consequence for x, y, z and ω_x, ω_y, ω_z, since a ball has the same inertia about all axes: (43)–(45)
//! are those of the true components as well. Only the angles are not those of the ball.

eom_core::lagrangian! {
    /// A ball on a rough surface that it may leave, in Euler angles.
    pub system EulerBall {
        document "putting-green";

        coordinates {
            /// Centre along e₁, m.
            x,
            /// Centre along e₂, m.
            y,
            /// Centre along e₃, m.
            z,
            /// First turn, about e₃, rad.
            ψ,
            /// Second turn, about e₁, rad.
            θ,
            /// Third turn, about e₃, rad.
            φ,
        }
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

        // (26)–(28) as printed.
        let ω_x = φ̇*sin(θ)*sin(ψ) + θ̇*cos(ψ);
        let ω_y = φ̇*cos(ψ)*sin(θ) - θ̇*sin(ψ);
        let ω_z = φ̇*cos(θ) + ψ̇;
        kinetic   = m/2*(ẋ^2 + ẏ^2 + ż^2) + m*k^2/2*(ω_x^2 + ω_y^2 + ω_z^2);
        potential = m*g*z;

        let N = f_x^2 + f_y^2 + 1;
        let γ_x = ẋ - r/sqrt(N)*(ω_y + ω_z*f_y);
        let γ_y = ẏ + r/sqrt(N)*(ω_x + ω_z*f_x);
        let γ_z = ż + r/sqrt(N)*(ω_x*f_y - ω_y*f_x);

        /// The surface, (41). Friction acts in contact only.
        contact surface {
            gap         = z - f;
            impact      = plastic;
            dissipation = μ_x/2*γ_x^2 + μ_y/2*γ_y^2 + μ_z/2*γ_z^2;
        }

        /// A putt without spin, over the mound: it hops.
        scenario hop {
            y = 0.125;
            θ = pi/2;
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
            sphere [x, y, z], r, rotation rot_z(ψ)*rot_x(θ)*rot_z(φ);
        }

        /// The centre above the surface, m.
        output gap = z - f;

        /// The attitude: axes of the ball to e₁, e₂, e₃.
        let A = rot_z(φ)*rot_x(θ)*rot_z(ψ);

        /// (26)–(28) are components along the axes of the ball: those along e₁, e₂, e₃ are A ω.
        erratum eq25: vee(A_dot*transpose(A)) = [ω_x, ω_y, ω_z];
            corrected: vee(A_dot*transpose(A)) = A*[ω_x, ω_y, ω_z];
        /// Along the axes of the ball.
        claim eq26: vee(transpose(A)*A_dot)[1] = φ̇*sin(θ)*sin(ψ) + θ̇*cos(ψ);
        /// Along the axes of the ball.
        claim eq27: vee(transpose(A)*A_dot)[2] = φ̇*cos(ψ)*sin(θ) - θ̇*sin(ψ);
        /// Along the axes of the ball.
        claim eq28: vee(transpose(A)*A_dot)[3] = φ̇*cos(θ) + ψ̇;
        /// z is a coordinate of its own: V = mgz, from which (37) has its gm. With mgf the ball would
        /// be pulled along −∇f in flight.
        erratum eq29: lagrangian = m/2*(ẋ^2 + ẏ^2 + ż^2)
                + m*k^2/2*(θ̇^2 + φ̇^2 + ψ̇^2 + 2*φ̇*ψ̇*cos(θ)) - m*g*f;
            corrected: lagrangian = m/2*(ẋ^2 + ẏ^2 + ż^2)
                + m*k^2/2*(θ̇^2 + φ̇^2 + ψ̇^2 + 2*φ̇*ψ̇*cos(θ)) - m*g*z;
        /// v + ω × (−R n̂), the document's r being R.
        claim eq31: ẋ + cross([ω_x, ω_y, ω_z], -r/sqrt(N)*[-f_x, -f_y, 1])[1] = γ_x;
        claim eq32: ẏ + cross([ω_x, ω_y, ω_z], -r/sqrt(N)*[-f_x, -f_y, 1])[2] = γ_y;
        claim eq33: ż + cross([ω_x, ω_y, ω_z], -r/sqrt(N)*[-f_x, -f_y, 1])[3] = γ_z;

        /// λ_h is −λ(surface): the document multiplies f − z.
        claim eq35 closed surface: m*ẍ + μ_x*γ_x - (-λ(surface))*f_x = 0;
        /// λ_h is −λ(surface): the document multiplies f − z.
        claim eq36 closed surface: m*ÿ + μ_y*γ_y - (-λ(surface))*f_y = 0;
        /// λ_h is −λ(surface): the document multiplies f − z.
        claim eq37 closed surface: m*z̈ + μ_z*γ_z + g*m + (-λ(surface)) = 0;
        /// φ̇ cos θ stands for φ̈ cos θ.
        erratum eq38 closed surface: k^2*m*(ψ̈ + φ̇*cos(θ) - φ̇*θ̇*sin(θ))
                + r/sqrt(N)*(-μ_x*γ_x*f_y + μ_y*γ_y*f_x) = 0;
            corrected: k^2*m*(ψ̈ + φ̈*cos(θ) - φ̇*θ̇*sin(θ))
                + r/sqrt(N)*(-μ_x*γ_x*f_y + μ_y*γ_y*f_x) = 0;
        claim eq39 closed surface: k^2*m*(θ̈ + φ̇*ψ̇*sin(θ))
            + r/sqrt(N)*(μ_x*γ_x*sin(ψ) + μ_y*γ_y*cos(ψ))
            + r/sqrt(N)*(μ_z*γ_z*(cos(ψ)*f_y + sin(ψ)*f_x)) = 0;
        claim eq40 closed surface: k^2*m*(φ̈ + ψ̈*cos(θ) - θ̇*ψ̇*sin(θ))
            + r/sqrt(N)*(-μ_x*γ_x*(cos(ψ)*sin(θ) + cos(θ)*f_y))
            + r/sqrt(N)*(μ_y*γ_y*(sin(ψ)*sin(θ) + cos(θ)*f_x))
            + r/sqrt(N)*(μ_z*γ_z*sin(θ)*(sin(ψ)*f_y - cos(ψ)*f_x)) = 0;
        claim eq41 closed surface: z - f = 0;
        /// φ̇ sin θ stands for φ̈ sin θ.
        erratum eq42 closed surface: sin(θ)/sqrt(N)*(
                k^2*m*sqrt(N)*(-θ̇*ψ̇ + cos(θ)*θ̇*φ̇ + φ̇*sin(θ))
                + r*(-cos(ψ)*γ_x*μ_x + sin(ψ)*γ_y*μ_y)
                + r*(-cos(ψ)*f_x + sin(ψ)*f_y)*γ_z*μ_z) = 0;
            corrected: sin(θ)/sqrt(N)*(
                k^2*m*sqrt(N)*(-θ̇*ψ̇ + cos(θ)*θ̇*φ̇ + φ̈*sin(θ))
                + r*(-cos(ψ)*γ_x*μ_x + sin(ψ)*γ_y*μ_y)
                + r*(-cos(ψ)*f_x + sin(ψ)*f_y)*γ_z*μ_z) = 0;
        /// Holds though (26)–(28) are components along the axes of the ball.
        claim eq43 closed surface: -k^2*m*ω_y_dot + r/sqrt(N)*(γ_x*μ_x + f_x*γ_z*μ_z) = 0;
        claim eq44 closed surface: k^2*m*ω_x_dot + r/sqrt(N)*(γ_y*μ_y + f_y*γ_z*μ_z) = 0;
        claim eq45 closed surface: k^2*m*ω_z_dot + r/sqrt(N)*(-f_y*γ_x*μ_x + f_x*γ_y*μ_y) = 0;
    }
}
