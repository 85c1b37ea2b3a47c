//! A rough ball thrown on a rough floor: nonholonomic-collisions 5.2 and 6, weak-solutions 5 and 6.
//!
//! ```text
//!        z                 v_C = v_S + ω × SC,  SC = (0, 0, −r)
//!        │   (S)           rough: v_C = 0 while the ball touches the floor, free before and after
//!   ─────┴────C──── x
//! ```
//!
//! The documents take Euler angles with φ = ψ = 0, θ = π/2 at the collision, so that the velocities
//! are (v₁, v₂, v₃, ω₁, ω₂, ω₃). Here these are the velocities themselves: the orientation is a
//! rotation, ω its components in space.

eom_core::lagrangian! {
    /// A ball that bounces on a rough floor.
    pub system FloorBall {
        document "nonholonomic-collisions";

        coordinates {
            /// Centre of the ball, m.
            x,
            /// Centre of the ball, m.
            y,
            /// Height of the centre, m.
            z,
        }
        rotation R { space: ω_1, ω_2, ω_3 }
        parameters {
            /// Mass, kg.
            m = 1 where m > 0,
            /// Radius, m.
            r = 0.1 where r > 0,
            /// Moment of inertia about an axis through the centre, kg m²: homogeneous ball.
            J = 2/5*m*r^2 where J > 0,
            /// Gravity, m/s².
            g = 9.81,
            /// Restitution μ of (6.1): 1 superelastic, 0 plastic.
            μ = 1 where μ >= 0 && μ <= 1,
        }
        kinetic   = m/2*(ẋ^2 + ẏ^2 + ż^2) + J/2*(ω_1^2 + ω_2^2 + ω_3^2);
        potential = m*g*z;

        /// The floor z = 0; its point C has zero velocity, (1.1).
        contact floor {
            gap    = z - r;
            impact = restitution(μ);
            constraints {
                stick_x: ẋ - r*ω_2 = 0;
                stick_y: ẏ + r*ω_1 = 0;
            }
        }

        /// The nonholonomic pendulum, 5.2.1: the ball goes back along its own parabola.
        scenario pendulum {
            z = 1; ẋ = -1; ω_2 = r*m/J;
            until impacts = 12;
        }
        /// Thrown without spin: bounces to and fro in turn.
        scenario throw {
            z = 1; ẋ = 1; ẏ = 0.2;
            until impacts = 8;
        }

        draw {
            ground z = 0;
            trace [x, y, z];
            sphere [x, y, z], r, rotation R, color red;
        }

        let J1 = J + r^2*m;
        // ∇g first, then the rows of the contact.
        let B = [
            [0, 0, 1, 0, 0,  0],
            [1, 0, 0, 0, -r, 0],
            [0, 1, 0, r, 0,  0]
        ];

        claim thm5_2a at floor under elastic: ẋ_plus = (m*r^2 - J)/J1*ẋ_minus + 2*J*r/J1*ω_2_minus;
        claim thm5_2b at floor under elastic: ẏ_plus = (m*r^2 - J)/J1*ẏ_minus - 2*J*r/J1*ω_1_minus;
        claim thm5_2c at floor under elastic: ż_plus = -ż_minus;
        claim thm5_2d at floor under elastic: ω_1_plus = -2*r*m/J1*ẏ_minus + (J - m*r^2)/J1*ω_1_minus;
        claim thm5_2e at floor under elastic: ω_2_plus = 2*r*m/J1*ẋ_minus + (J - m*r^2)/J1*ω_2_minus;
        claim thm5_2f at floor under elastic: ω_3_plus = ω_3_minus;

        claim d5_4a: mass = [
            [m, 0, 0, 0, 0, 0],
            [0, m, 0, 0, 0, 0],
            [0, 0, m, 0, 0, 0],
            [0, 0, 0, J, 0, 0],
            [0, 0, 0, 0, J, 0],
            [0, 0, 0, 0, 0, J]
        ];
        /// The rows of B, as the vectors G⁻¹Bᵀ.
        claim d5_4b at floor: sharp(floor.stick_x) = [1/m, 0, 0, 0, -r/J, 0];
        claim d5_4c at floor: sharp(floor.stick_y) = [0, 1/m, 0, r/J, 0, 0];
        claim d5_4d at floor: sharp(floor) = [0, 0, 1/m, 0, 0, 0];

        /// "The angular momentum about the point of contact C is conserved."
        claim d5_3 at floor:
            m*cross([0, 0, r], [ẋ_plus, ẏ_plus, ż_plus]) + J*[ω_1_plus, ω_2_plus, ω_3_plus]
            = m*cross([0, 0, r], [ẋ_minus, ẏ_minus, ż_minus]) + J*[ω_1_minus, ω_2_minus, ω_3_minus];

        /// Entry (3,3) of the printed P is 1 inside the factor 1/J', a misprint for J': as printed P
        /// is no projector (P e₃ = e₃/J').
        erratum d5_5 at floor: projector = 1/J1*[
            [J,     0,   0, 0,     -J*r,  0],
            [0,     J,   0, J*r,   0,     0],
            [0,     0,   1, 0,     0,     0],
            [0,     r*m, 0, r^2*m, 0,     0],
            [-r*m,  0,   0, 0,     r^2*m, 0],
            [0,     0,   0, 0,     0,     0]
        ]; corrected: projector = 1/J1*[
            [J,     0,   0,  0,     -J*r,  0],
            [0,     J,   0,  J*r,   0,     0],
            [0,     0,   J1, 0,     0,     0],
            [0,     r*m, 0,  r^2*m, 0,     0],
            [-r*m,  0,   0,  0,     r^2*m, 0],
            [0,     0,   0,  0,     0,     0]
        ];

        /// Hypothesis 2: elastic collisions keep the energy.
        claim hyp2 at floor under elastic: plus(energy) = energy;
        /// Hypothesis 3: R² = I for R = I − 2P.
        claim hyp3 at floor: (identity - 2*projector)*(identity - 2*projector) = identity;
        /// Lemma 1: P projects, orthogonally in the kinetic metric, along ker B.
        claim lem1a at floor: projector*projector = projector;
        claim lem1b at floor: mass*projector = transpose(mass*projector);
        claim lem1c at floor: B*projector = B;
        claim eq3_1 at floor: mass*projector = transpose(B)*inverse(gram)*B;
        /// (2.9), reduced to (4.1): v⁺ − v⁻ is orthogonal to ker B, that is G(v⁺ − v⁻) is in the
        /// span of the rows of B.
        claim eq4_1 at floor: mass*(plus(velocity) - velocity)
            = impulse(floor.stick_x)*[1, 0, 0, 0, -r, 0] + impulse(floor.stick_y)*[0, 1, 0, r, 0, 0]
            + impulse(floor)*[0, 0, 1, 0, 0, 0];
        claim eq4_2 at floor under elastic: plus(velocity) = (identity - 2*projector)*velocity;

        claim eq6_1 at floor:
            plus(velocity) = -μ*projector*velocity + (identity - projector)*velocity;
        claim d6_1 at floor: plus(velocity) = (identity - (1 + μ)*projector)*velocity;
        claim d6_2a at floor: ẋ_plus = (m*r^2 - μ*J)/J1*ẋ_minus + J*r*(1 + μ)/J1*ω_2_minus;
        claim d6_2b at floor: ẏ_plus = (m*r^2 - μ*J)/J1*ẏ_minus - J*r*(1 + μ)/J1*ω_1_minus;
        claim d6_2c at floor: ż_plus = -μ*ż_minus;
        claim d6_2d at floor: ω_1_plus = -r*m*(1 + μ)/J1*ẏ_minus + (J - μ*m*r^2)/J1*ω_1_minus;
        claim d6_2e at floor: ω_2_plus = r*m*(1 + μ)/J1*ẋ_minus + (J - μ*m*r^2)/J1*ω_2_minus;
        claim d6_2f at floor: ω_3_plus = ω_3_minus;

        /// 5.2.1: with v_S = −v e_x − u e_z and ω = (r m v/J) e_y all velocities are reversed.
        claim d5_7a at floor under elastic
            when ẏ_minus = 0, ω_1_minus = 0, ω_3_minus = 0, ω_2_minus = -r*m/J*ẋ_minus:
            [ẋ_plus, ẏ_plus, ż_plus] = -[ẋ_minus, ẏ_minus, ż_minus];
        claim d5_7b at floor under elastic
            when ẏ_minus = 0, ω_1_minus = 0, ω_3_minus = 0, ω_2_minus = -r*m/J*ẋ_minus:
            [ω_1_plus, ω_2_plus, ω_3_plus] = -[ω_1_minus, ω_2_minus, ω_3_minus];
    }
}
