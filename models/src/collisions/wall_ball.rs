//! A ball that rolls on the floor and meets a rough wall: nonholonomic-collisions 1 and 5.1.
//!
//! ```text
//!    wall x = 0        G = S + (−r, 0, 0)     v_G = v_S + ω × SG = (v₁, v₂ − r ω₃, r ω₂)
//!      │ G(S)          C = S + (0, 0, −r)     v_C = v_S + ω × SC = (v₁ − r ω₂, v₂ + r ω₁, 0)
//!      └───C─── floor
//! ```
//!
//! At the wall B has five rows, [v_C = 0; ẋ = 0; v_G = 0 along the wall], of which four are
//! independent: ẋ = 0 and r ω₂ = 0 make the first of v_C.

eom_core::lagrangian! {
    /// A ball that rolls on the floor and bounces off a rough wall.
    pub system WallBall {
        document "nonholonomic-collisions";

        coordinates {
            /// Distance of the centre from the wall, m.
            x,
            /// Place along the wall, m.
            y,
        }
        rotation R { space: ω_1, ω_2, ω_3 }
        parameters {
            /// Mass, kg.
            m = 1 where m > 0,
            /// Radius, m.
            r = 0.1 where r > 0,
            /// Moment of inertia about an axis through the centre, kg m²: homogeneous ball.
            J = 2/5*m*r^2 where J > 0,
        }
        kinetic = m/2*(ẋ^2 + ẏ^2) + J/2*(ω_1^2 + ω_2^2 + ω_3^2);

        constraints {
            /// (1.1) along x.
            roll_x: ẋ - r*ω_2 = 0;
            /// (1.1) along y.
            roll_y: ẏ + r*ω_1 = 0;
        }
        /// The wall x = 0; its point G has zero velocity, (1.2).
        contact wall {
            gap    = x - r;
            impact = elastic;
            constraints {
                stick_y: ẏ - r*ω_3 = 0;
                stick_z: r*ω_2 = 0;
            }
        }
        // v_G = 0 as the document writes it; on the floor its part along z says what ẋ = 0 says.
        allow dependent_contact_row(wall.stick_z);

        /// The ball rolls to the wall at an angle, spinning about the vertical.
        scenario meet {
            x = 1; ẋ = -1; ẏ = 0.5; ω_3 = 20;
            solve ω_1, ω_2;
            until t = 3;
        }

        draw {
            ground z = 0;
            polygon [0, -1, 0], [0, 3, 0], [0, 3, 1/2], [0, -1, 1/2], color brown, label "wall";
            trace [x, y, r];
            sphere [x, y, r], r, rotation R, color red;
        }

        let J1 = J + r^2*m;
        let Jt = J + r^2*m/2;
        let A = [[1, 0, 0, -r, 0], [0, 1, r, 0, 0]];
        let B = [[1, 0, 0, 0, 0], [0, 1, 0, 0, -r], [0, 0, 0, 1, 0], [0, 1, r, 0, 0]];

        claim eq1_1a: ẋ - r*ω_2 = 0;
        claim eq1_1b: ẏ + r*ω_1 = 0;
        /// The point that meets the wall does not move: after a plastic impact nothing else is left.
        claim eq1_2a at wall under plastic: ẋ_plus = 0;
        claim eq1_2b at wall under plastic: ẏ_plus - r*ω_3_plus = 0;
        claim eq1_2c at wall under plastic: r*ω_2_plus = 0;
        claim eq5_1a: ẋ = ω_2*r;
        claim eq5_1b: ẏ = -ω_1*r;

        claim thm5_1a at wall: ẋ_plus = -ẋ_minus;
        claim thm5_1b at wall: ẏ_plus = r^2*m/(2*Jt)*ẏ_minus + r*J/Jt*ω_3_minus;
        claim thm5_1c at wall: ω_3_plus = J1/(r*Jt)*ẏ_minus - r^2*m/(2*Jt)*ω_3_minus;

        claim d5_1a: mass = [
            [m, 0, 0, 0, 0],
            [0, m, 0, 0, 0],
            [0, 0, J, 0, 0],
            [0, 0, 0, J, 0],
            [0, 0, 0, 0, J]
        ];
        /// The printed B, whose rows span those of the declaration.
        claim d5_1b at wall: B*projector = B;
        claim d5_1c at wall: A*projector = A;
        /// Entries (1,1) and (4,4) of the printed P are 1 inside the factor 1/(2J̃), a misprint for
        /// 2J̃: as printed P is no projector.
        erratum d5_2 at wall: projector = 1/(2*Jt)*[
            [1, 0,    0,   0, 0],
            [0, 2*J,  J*r, 0, -J*r],
            [0, r*m,  J1,  0, J],
            [0, 0,    0,   1, 0],
            [0, -r*m, J,   0, J1]
        ]; corrected: projector = 1/(2*Jt)*[
            [2*Jt, 0,    0,   0,    0],
            [0,    2*J,  J*r, 0,    -J*r],
            [0,    r*m,  J1,  0,    J],
            [0,    0,    0,   2*Jt, 0],
            [0,    -r*m, J,   0,    J1]
        ];
        /// (3.2), AP = A, with A of the rolling.
        claim eq3_2 at wall: A*projector = A;
        claim reflection_wall at wall: plus(velocity) = (identity - 2*projector)*velocity;
        claim energy_wall at wall: plus(energy) = energy;
    }
}
