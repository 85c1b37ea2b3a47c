//! The penny with the controls of section VII: torques about the axle and about the vertical.

eom_core::lagrangian! {
    /// The rolling penny, steered by u₁ and driven by u₂.
    pub system ControlledPenny {
        document "bouncing-penny";

        coordinates {
            /// Contact point, m.
            x,
            /// Contact point, m.
            y,
            /// Rotation about the axle, rad.
            θ,
            /// Heading, rad.
            φ,
        }
        inputs {
            /// Torque about the vertical, N m.
            u1,
            /// Torque about the axle, N m.
            u2,
        }
        parameters {
            /// Radius of the disk, m (Table I).
            R = 0.01 where R > 0,
            /// Mass, kg (Table I).
            m = 0.0025 where m > 0,
            /// Moment of inertia about the axle, kg m²: thin homogeneous disk.
            I = m*R^2/2 where I > 0,
            /// Moment of inertia about a diameter, kg m²: thin homogeneous disk.
            J = m*R^2/4 where J > 0,
            /// Semi-axis of the table along x, m; 0.20 for the circular table (Table I).
            a = 0.15 where a > 0,
            /// Semi-axis of the table along y, m (Table I).
            b = 0.20 where b > 0,
        }
        kinetic = m/2*(ẋ^2 + ẏ^2) + I/2*θ̇^2 + J/2*φ̇^2;
        force φ = u1;
        force θ = u2;

        constraints {
            /// No slip along x.
            roll_x: dx - R*cos(φ)*dθ;
            /// No slip along y.
            roll_y: dy - R*sin(φ)*dθ;
        }

        /// The leading rim meets the edge, (27).
        contact front {
            gap    = 1 - ((x + R*cos(φ))/a)^2 - ((y + R*sin(φ))/b)^2;
            impact = elastic;
        }
        /// The trailing rim meets the edge, (34).
        contact back {
            gap    = 1 - ((x - R*cos(φ))/a)^2 - ((y - R*sin(φ))/b)^2;
            impact = elastic;
        }

        /// From rest with constant torques: a spiral whose curvature J⁻¹u₁/(R (I + mR²)⁻¹u₂) = 3/m
        /// leads to the edge, which throws the penny back, against its drive.
        scenario launch {
            u1 = 1.25e-9;
            u2 = 2.5e-7;
            until impacts = 4;
        }

        draw {
            ground (x/a)^2 + (y/b)^2 = 1;
            trace [x, y];
            arrow [x, y], [ẋ, ẏ], color green;
            line [x - R*cos(φ), y - R*sin(φ)], [x + R*cos(φ), y + R*sin(φ)], color red;
        }

        claim secVIIa: tex r"J\ddot{\varphi}=u_{1}";
        claim secVIIb: tex r"(I+mR^{2})\ddot{\theta}=u_{2}";
        /// What the controls do: the power is u₁ φ̇ + u₂ θ̇.
        claim power: force(φ)*φ̇ + force(θ)*θ̇ = u1*φ̇ + u2*θ̇;
    }
}
