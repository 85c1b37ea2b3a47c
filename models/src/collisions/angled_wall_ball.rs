//! The ball of `wall_ball.rs` in the coordinates of the documents, Euler's angles: nonholonomic-collisions 1, 2, 5.1.
//!
//! ```text
//! R = R_z(ψ) R_x(θ) R_z(φ)      at the collision φ = ψ = 0, θ = π/2:  ω = (θ̇, −φ̇, ψ̇)
//! ```
//!
//! The weak form of section 2 is of coordinates and their velocities, so that it is stated here. Angles are singular at
//! θ = 0: runs take `wall_ball.rs`.

eom_core::lagrangian! {
    /// A ball that rolls on the floor and bounces off a rough wall, in Euler's angles.
    pub system AngledWallBall {
        document "nonholonomic-collisions";

        coordinates {
            /// Centre of the ball, m.
            x_S,
            /// Centre of the ball, m.
            y_S,
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
        }
        let ω_1 = θ̇*cos(ψ) + φ̇*sin(ψ)*sin(θ);
        let ω_2 = θ̇*sin(ψ) - φ̇*cos(ψ)*sin(θ);
        let ω_3 = ψ̇ + φ̇*cos(θ);
        kinetic = m/2*(ẋ_S^2 + ẏ_S^2) + J/2*(ω_1^2 + ω_2^2 + ω_3^2);

        constraints {
            /// (1.1) along x.
            roll_x: ẋ_S - r*ω_2 = 0;
            /// (1.1) along y.
            roll_y: ẏ_S + r*ω_1 = 0;
        }
        /// The wall x_S = r; its point G has zero velocity, (1.2).
        contact wall {
            gap    = x_S - r;
            impact = elastic;
            constraints { stick_y: ẏ_S - r*ω_3 = 0; }
        }

        /// The ball rolls to the wall at an angle, spinning about the vertical.
        scenario meet {
            x_S = 1; θ = pi/2; ẋ_S = -1; ẏ_S = 0.5; ψ̇ = 20;
            solve φ̇, θ̇;
            until t = 1.5;
        }

        draw {
            ground z = 0;
            trace [x_S, y_S, r];
            sphere [x_S, y_S, r], r, color red;
        }

        notation {
            L = lagrangian;
            /// The coordinates whose rates are the velocities (v₁, v₂, ω₁, ω₂, ω₃) of section 5.1.
            x = [x_S, y_S, θ, -φ, ψ];
            v = [ẋ_S, ẏ_S, θ̇, -φ̇, ψ̇];
            r"v_1" = ẋ_S;
            r"v_2" = ẏ_S;
            r"\bar{\omega}" = [ω_1, ω_2, ω_3];
            r"\bar{e}_x" = [1, 0, 0];
            r"\bar{e}_y" = [0, 1, 0];
            r"\bar{e}_z" = [0, 0, 1];
            /// Matrices whose columns span ker A and ker B: what holds of them holds of every ψ.
            r"\psi(t)" = identity - projector;
            r"\psi(\tau)" = identity - projector;
            r"\frac{\partial L}{\partial x}(x(t), \dot{x}(t))" = [partial(lagrangian, [x_S, y_S, φ, θ, ψ])];
            r"\frac{\partial L}{\partial \dot{x}}(x(t), \dot{x}(t))" = [partial(lagrangian, velocity)];
            r"\frac{\partial L}{\partial \dot{x}}(x(\tau), v^+)" = [plus(partial(lagrangian, velocity))];
            r"\frac{\partial L}{\partial \dot{x}}(x(\tau), v^-)" = [partial(lagrangian, velocity)];
            given r"t \in [t_1, t_2]";
            r"\dot{x}(t)" = velocity;
            r"\dot{x}^+(t)" = plus(velocity);
            r"\dot{x}^-(t)" = velocity;
            r"A(x(t))" = [mass*sharp(roll_x), mass*sharp(roll_y)];
            r"A(x^\pm(t))" = [mass*sharp(roll_x), mass*sharp(roll_y)];
            r"A(x(\tau))" = [mass*sharp(roll_x), mass*sharp(roll_y)];
            r"B(x(\tau))" = [mass*sharp(wall), mass*sharp(wall.stick_y), mass*sharp(roll_x), mass*sharp(roll_y)];
            r"\dot{x}(\tau)" = velocity;
        }
        /// The chart of the whole: five coordinates.
        notation chart {
            reading m = 5;
            M = space(5);
            r"x_1" = x_S;
            r"x_2" = y_S;
            r"x_3" = θ;
            r"x_4" = -φ;
            r"x_5" = ψ;
            r"x(t)" = [x_S, y_S, θ, -φ, ψ];
            r"(x_1, \dots, x_m)^T(t)" = [x_S, y_S, θ, -φ, ψ];
            given r"x_i(t) \in C^2[t_1, t_2]";
            /// Matrices whose columns span ker A, which is where ψ is.
            r"(\psi_1, \dots, \psi_m)^T(t)" = identity - projector;
            given r"\psi_k \in \mathcal{D}(\mathbb{R})";
            given r"\text{supp } \psi_k &\subset (t_1, t_2)";
        }
        /// A motion with a collision: before it, behind it, and the limits there.
        notation motion {
            r"x(t)" = [x_S, y_S, θ, -φ, ψ];
            r"x^-(t)" = [x_S, y_S, θ, -φ, ψ];
            r"x^+(t)" = [x_S, y_S, θ, -φ, ψ];
            r"x^+(\tau)" = [x_S, y_S, θ, -φ, ψ];
            r"\dot{x}^+(\tau)" = plus(velocity);
            /// It vanishes for every ψ where what ψ is multiplied by vanishes along ker A, and for no other motion.
            reading r"\int_{t_1}^\tau \left(\frac{\partial L}{\partial x}(x(t), \dot{x}(t)) - \frac{d}{dt} \frac{\partial L}{\partial \dot{x}}(x(t), \dot{x}(t)) \right) \psi(t) dt"
                = [partial(lagrangian, [x_S, y_S, φ, θ, ψ]) - rate(partial(lagrangian, velocity))]*(identity - projector);
            /// It vanishes for every ψ where what ψ is multiplied by vanishes along ker A, and for no other motion.
            reading r"\int_\tau^{t_2} \left(\frac{\partial L}{\partial x}(x(t), \dot{x}(t)) - \frac{d}{dt} \frac{\partial L}{\partial \dot{x}}(x(t), \dot{x}(t)) \right) \psi(t) dt"
                = [partial(lagrangian, [x_S, y_S, φ, θ, ψ]) - rate(partial(lagrangian, velocity))]*(identity - projector);
        }
        notation collision {
            /// v = ẋ, in the order of the declaration.
            v = velocity;
            r"\dot{x}^+(\tau)" = plus(velocity);
            r"\dot{x}^-(\tau)" = velocity;
        }

        /// Its rates at the collision are (v₁, v₂, ω₂, ω₁, ω₃): θ and −φ stand in the wrong order, as v, A, B, G and P of
        /// section 5.1 show.
        erratum d1_1: tex r"x = (x_S, y_S, -\varphi, \theta, \psi)^T.";
            corrected: tex r"x = (x_S, y_S, \theta, -\varphi, \psi)^T.";
        claim d1_2 in chart: tex r"x = (x_1, \dots, x_m)^T \in M";
        claim d2_1 in chart: tex r"x(t) = (x_1, \dots, x_m)^T(t) \in M, \quad x_i(t) \in C^2[t_1, t_2]";
        claim eq2_1 in chart: tex r"\begin{aligned} \psi(t) &= (\psi_1, \dots, \psi_m)^T(t), \quad \psi_k \in \mathcal{D}(\mathbb{R}), \\ \text{supp } \psi_k &\subset (t_1, t_2), \quad \psi(t) \in \ker A(x(t)) \end{aligned} \quad (2.1)";
        claim d2_2a in motion: cases 1 tex r"x(t) = \begin{cases} x^-(t), & t \in [t_1, \tau], \\ x^+(t), & t \in (\tau, t_2] \end{cases}";
        claim d2_2b in motion: cases 2 tex r"x(t) = \begin{cases} x^-(t), & t \in [t_1, \tau], \\ x^+(t), & t \in (\tau, t_2] \end{cases}";
        claim d2_3 in motion at wall: tex r"x^+(\tau) = \lim_{t \rightarrow \tau+} x^+(t), \quad \dot{x}^+(\tau) = \lim_{t \rightarrow \tau+} \dot{x}^+(t).";
        claim eq2_7 in motion: tex r"\int_{t_1}^\tau \left(\frac{\partial L}{\partial x}(x(t), \dot{x}(t)) - \frac{d}{dt} \frac{\partial L}{\partial \dot{x}}(x(t), \dot{x}(t)) \right) \psi(t) dt = 0, \quad (2.7)";
        claim eq2_8 in motion: tex r"\int_\tau^{t_2} \left(\frac{\partial L}{\partial x}(x(t), \dot{x}(t)) - \frac{d}{dt} \frac{\partial L}{\partial \dot{x}}(x(t), \dot{x}(t)) \right) \psi(t) dt = 0, \quad (2.8)";
        claim eq2_2: tex r"\left(\frac{\partial L}{\partial x}(x(t), \dot{x}(t)) - \frac{d}{dt} \frac{\partial L}{\partial \dot{x}}(x(t), \dot{x}(t)) \right) \psi(t) = 0, \quad t \in [t_1, t_2] \quad (2.2)";
        claim eq2_3: tex r"\dot{x}(t) \in \ker A(x(t)). \quad (2.3)";
        claim eq2_5 at wall: tex r"\psi(\tau) \in \ker B(x(\tau)). \quad (2.5)";
        claim d2_4 at wall: tex r"\dot{x}^\pm(t) \in \ker A(x^\pm(t)).";
        /// Where the velocity does not jump.
        claim eq2_6 at wall when ẋ_S_minus = 0, ẏ_S_minus = r*ψ̇_minus + r*φ̇_minus*cos(θ): tex r"\dot{x}(\tau) \in \ker B(x(\tau)). \quad (2.6)";
        claim d2_5 in collision at wall: tex r"v^\pm = \dot{x}^\pm(\tau) \in \ker A(x(\tau)).";
        claim eq2_9 at wall: tex r"\left(\frac{\partial L}{\partial \dot{x}}(x(\tau), v^+) - \frac{\partial L}{\partial \dot{x}}(x(\tau), v^-) \right) \psi(\tau) = 0. \quad (2.9)";
        /// With θ and −φ in their order.
        claim d5_2 at wall when φ = 0, ψ = 0, θ = pi/2: tex r"v^\pm = (v_1^\pm, v_2^\pm, \omega_1^\pm, \omega_2^\pm, \omega_3^\pm)^T.";
        claim prose5_6 when φ = 0, ψ = 0, θ = pi/2: tex r"\bar{\omega} = \dot{\theta} \bar{e}_x + \dot{\psi} \bar{e}_z - \dot{\varphi} \bar{e}_y";
    }
}
