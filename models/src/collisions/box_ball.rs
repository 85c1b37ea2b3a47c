//! A ball in a box with rough walls: each of the six walls stops the point that touches it
//! (nonholonomic-collisions 5.2, turned to each side).

eom_core::lagrangian! {
    /// A rough elastic ball in a rough box, without gravity by default.
    pub system BoxBall {
        document "nonholonomic-collisions";

        coordinates {
            /// Centre of the ball, m.
            x,
            /// Centre of the ball, m.
            y,
            /// Centre of the ball, m.
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
            g = 0,
            /// Half of the box's length, m.
            a = 1 where a > r,
            /// Half of the box's width, m.
            b = 0.8 where b > r,
            /// Half of the box's height, m.
            c = 0.6 where c > r,
        }
        kinetic   = m/2*(ẋ^2 + ẏ^2 + ż^2) + J/2*(ω_1^2 + ω_2^2 + ω_3^2);
        potential = m*g*z;

        contact left {
            gap = x + a - r; impact = elastic;
            constraints { stick_y: ẏ - r*ω_3 = 0; stick_z: ż + r*ω_2 = 0; }
        }
        contact right {
            gap = a - r - x; impact = elastic;
            constraints { stick_y: ẏ + r*ω_3 = 0; stick_z: ż - r*ω_2 = 0; }
        }
        contact front {
            gap = y + b - r; impact = elastic;
            constraints { stick_x: ẋ + r*ω_3 = 0; stick_z: ż - r*ω_1 = 0; }
        }
        contact back {
            gap = b - r - y; impact = elastic;
            constraints { stick_x: ẋ - r*ω_3 = 0; stick_z: ż + r*ω_1 = 0; }
        }
        contact floor {
            gap = z + c - r; impact = elastic;
            constraints { stick_x: ẋ - r*ω_2 = 0; stick_y: ẏ + r*ω_1 = 0; }
        }
        contact ceiling {
            gap = c - r - z; impact = elastic;
            constraints { stick_x: ẋ + r*ω_2 = 0; stick_y: ẏ - r*ω_1 = 0; }
        }

        /// Thrown at an angle, spinning.
        scenario throw {
            ẋ = 1; ẏ = 0.7; ż = 0.4; ω_1 = 3; ω_3 = 5;
            until impacts = 60;
        }

        draw {
            box [0, 0, 0], 2*a, 2*b, 2*c, color gray;
            trace [x, y, z];
            sphere [x, y, z], r, rotation R, color red;
        }

        claim energy_left at left: plus(energy) = energy;
        claim reflection_left at left: plus(velocity) = (identity - 2*projector)*velocity;
    }
}
