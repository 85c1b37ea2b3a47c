//! The ball of `floor_ball.rs` in the coordinates of the documents, Euler's angles: nonholonomic-collisions 2.1, 5.2.
//!
//! Outside of the floor nothing is constrained, and the Lagrange equations are of these coordinates. Angles are singular
//! at θ = 0: runs take `floor_ball.rs`.

eom_core::lagrangian! {
    /// A ball that bounces on a rough floor, in Euler's angles.
    pub system AngledFloorBall {
        document "nonholonomic-collisions";

        coordinates {
            /// Centre of the ball, m.
            x_S,
            /// Centre of the ball, m.
            y_S,
            /// Height of the centre, m.
            z_S,
            /// Turn about the ball's own axis, rad.
            φ,
            /// Angle between that axis and the vertical, rad.
            θ,
            /// Turn about the vertical, rad.
            ψ,
        }
        parameters {
            /// Mass, kg.
            m = 1 where m > 0,
            /// Radius, m.
            r = 0.1 where r > 0,
            /// Moment of inertia about an axis through the centre, kg m²: homogeneous ball.
            J = 2/5*m*r^2 where J > 0,
            /// Gravity, m/s².
            g = 9.81,
        }
        let ω_1 = θ̇*cos(ψ) + φ̇*sin(ψ)*sin(θ);
        let ω_2 = θ̇*sin(ψ) - φ̇*cos(ψ)*sin(θ);
        let ω_3 = ψ̇ + φ̇*cos(θ);
        kinetic = m/2*(ẋ_S^2 + ẏ_S^2 + ż_S^2) + J/2*(ω_1^2 + ω_2^2 + ω_3^2);
        potential = m*g*z_S;

        /// The floor z_S = r; its point C has zero velocity, (1.1).
        contact floor {
            gap    = z_S - r;
            impact = elastic;
            constraints {
                stick_x: ẋ_S - r*ω_2 = 0;
                stick_y: ẏ_S + r*ω_1 = 0;
            }
        }

        /// Thrown with a spin about the vertical.
        scenario throw {
            z_S = 1; θ = pi/2; ẋ_S = 1; ẏ_S = 0.2; ψ̇ = 3;
            until impacts = 1; until t = 1;
        }

        draw {
            ground z = 0;
            trace [x_S, y_S, z_S];
            sphere [x_S, y_S, z_S], r, color red;
        }

        notation {
            /// The coordinates whose rates are the velocities (v₁, v₂, v₃, ω₁, ω₂, ω₃) of section 5.2.
            x = [x_S, y_S, z_S, θ, -φ, ψ];
            v = [ẋ_S, ẏ_S, ż_S, θ̇, -φ̇, ψ̇];
            r"v_1" = ẋ_S;
            r"v_2" = ẏ_S;
            r"v_3" = ż_S;
            r"\frac{\partial L}{\partial x}(x^\pm(t), \dot{x}^\pm(t))" = partial(lagrangian, [x_S, y_S, z_S, φ, θ, ψ]);
            r"\frac{\partial L}{\partial \dot{x}}(x^\pm(t), \dot{x}^\pm(t))" = partial(lagrangian, velocity);
        }

        /// A solution by its start: here any state is one.
        notation start {
            r"x(t_1, \hat{x}, \hat{v})" = [x_S, y_S, z_S, θ, -φ, ψ];
            r"\dot{x}(t_1, \hat{x}, \hat{v})" = [ẋ_S, ẏ_S, ż_S, θ̇, -φ̇, ψ̇];
            r"\hat{x}" = [x_S, y_S, z_S, θ, -φ, ψ];
            r"\hat{v}" = [ẋ_S, ẏ_S, ż_S, θ̇, -φ̇, ψ̇];
        }
        /// The floor N, and its tangent space.
        notation floor {
            r"\dot{x}(t, \hat{x}', \hat{v}')" = velocity;
            r"x(\tau', \hat{x}', \hat{v}')" = [x_S, y_S, z_S, θ, -φ, ψ];
            N = zeros([X, Y, Z, Θ, Φ, Ψ], Z - r);
            r"T_{x(\tau', \hat{x}', \hat{v}')}N" = kernel([[0, 0, 1, 0, 0, 0]]);
            r"\tau" = t;
            r"\tau(\hat{x}, \hat{v})" = t;
            r"\tau(\hat{x}', \hat{v}')" = t;
            r"\tau'" = t;
        }

        /// The system is holonomic outside of the floor.
        claim d2_6: tex r"\frac{\partial L}{\partial x}(x^\pm(t), \dot{x}^\pm(t)) - \frac{d}{dt} \frac{\partial L}{\partial \dot{x}}(x^\pm(t), \dot{x}^\pm(t)) = 0.";
        claim d4_6 in start: tex r"x(t_1, \hat{x}, \hat{v}) = \hat{x}, \quad \dot{x}(t_1, \hat{x}, \hat{v}) = \hat{v}";
        /// The ball comes to the floor across it.
        claim d4_7 in floor at floor: tex r"\lim_{t \rightarrow \tau'^-} \dot{x}(t, \hat{x}', \hat{v}') \notin T_{x(\tau', \hat{x}', \hat{v}')}N, \quad x(\tau', \hat{x}', \hat{v}') \in N.";
        claim d4_8 in floor at floor: tex r"\tau = \tau(\hat{x}, \hat{v}), \quad \tau(\hat{x}', \hat{v}') = \tau'";
        claim d5_7 at floor when φ = 0, ψ = 0, θ = pi/2: tex r"v^\pm = (v_1^\pm, v_2^\pm, v_3^\pm, \omega_1^\pm, \omega_2^\pm, \omega_3^\pm)^T.";
        /// The coordinates of *On weak solutions*, of which the text has glyphs only: their rates at the collision are the
        /// velocities but for the order of the second and the third angle, ω₁ = θ̇ and ω₂ = −φ̇.
        erratum weak_coordinates when φ = 0, ψ = 0, θ = pi/2:
            rate([x_S, y_S, z_S, -φ, θ, ψ]) = [ẋ_S, ẏ_S, ż_S, ω_1, ω_2, ω_3];
            corrected: rate([x_S, y_S, z_S, θ, -φ, ψ]) = [ẋ_S, ẏ_S, ż_S, ω_1, ω_2, ω_3];
        /// "(−φ, θ, ψ)" apart, the text's ω = θ̇ e_x + ψ̇ e_z − φ̇ e_y.
        claim weak_spin when φ = 0, ψ = 0, θ = pi/2: [ω_1, ω_2, ω_3] = [θ̇, -φ̇, ψ̇];
    }
}
