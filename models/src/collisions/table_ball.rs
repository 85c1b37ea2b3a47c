//! Garwin's ball: thrown to the floor it bounces from the underside of a table and comes back to
//! the hand (nonholonomic-collisions 1 and 5.2, which quote R. Garwin).

eom_core::lagrangian! {
    /// A rough elastic ball between the floor and the underside of a table.
    pub system TableBall {
        document "nonholonomic-collisions";

        coordinates {
            /// Centre of the ball, m; the table begins at x = 0.
            x,
            /// Centre of the ball, m.
            y,
            /// Height of the centre, m.
            z,
        }
        rotation R { space: ω_1, ω_2, ω_3 }
        parameters {
            /// Mass, kg.
            m = 0.05 where m > 0,
            /// Radius, m.
            r = 0.02 where r > 0,
            /// Moment of inertia about an axis through the centre, kg m²: homogeneous ball.
            J = 2/5*m*r^2 where J > 0,
            /// Gravity, m/s².
            g = 9.81,
            /// Height of the underside of the table, m.
            h = 0.75 where h > 0,
        }
        kinetic   = m/2*(ẋ^2 + ẏ^2 + ż^2) + J/2*(ω_1^2 + ω_2^2 + ω_3^2);
        potential = m*g*z;

        /// The floor.
        contact floor {
            gap    = z - r;
            impact = elastic;
            constraints {
                stick_x: ẋ - r*ω_2 = 0;
                stick_y: ẏ + r*ω_1 = 0;
            }
        }
        /// The underside of the table, over x > 0: the contact point is the ball's top.
        contact table {
            gap    = h - r - z;
            impact = elastic;
            when x > 0;
            constraints {
                stick_x: ẋ + r*ω_2 = 0;
                stick_y: ẏ - r*ω_1 = 0;
            }
        }
        /// From a hand above the table's edge, without spin, to the floor under the table.
        scenario garwin {
            x = -0.5; z = 1; ẋ = 3; ż = -5;
            until impacts = 3;
        }

        draw {
            ground z = 0;
            polygon [0, -1/2, h], [1, -1/2, h], [1, 1/2, h], [0, 1/2, h], color brown, label "table";
            trace [x, y, z];
            sphere [x, y, z], r, rotation R, color red;
        }

        /// Theorem 5.2 turned upside down: the contact point is S + (0, 0, r).
        claim table_turned at table: ẋ_plus = (m*r^2 - J)/(J + m*r^2)*ẋ_minus
            - 2*J*r/(J + m*r^2)*ω_2_minus;
        claim table_energy at table: plus(energy) = energy;
    }
}
