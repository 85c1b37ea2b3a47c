//! The penny without its constraints: what sections II and III say of systems that have none.
//!
//! The disk keeps upright and slides without friction, so that rolling and sliding have nothing to
//! do with each other; the edge changes ẋ, ẏ and, by its arm, φ̇, but never θ̇. This is the first
//! half of the document's plastic impact.

eom_core::lagrangian! {
    /// An upright disk that slides on an elliptical table and bounces off its edge.
    pub system SlidingPenny {
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
        parameters {
            /// Radius of the disk, m (Table I).
            R = 0.01 where R > 0,
            /// Mass, kg (Table I).
            m = 0.0025 where m > 0,
            /// Moment of inertia about the axle, kg m²: thin homogeneous disk.
            I = m*R^2/2 where I > 0,
            /// Moment of inertia about a diameter, kg m²: thin homogeneous disk.
            J = m*R^2/4 where J > 0,
            /// Semi-axis of the table along x, m.
            a = 0.15 where a > 0,
            /// Semi-axis of the table along y, m (Table I).
            b = 0.20 where b > 0,
            /// Coefficient of restitution.
            e = 1 where e >= 0 && e <= 1,
        }
        kinetic = m/2*(ẋ^2 + ẏ^2) + I/2*θ̇^2 + J/2*φ̇^2;

        /// The leading rim meets the edge, (27).
        contact front {
            gap    = 1 - ((x + R*cos(φ))/a)^2 - ((y + R*sin(φ))/b)^2;
            impact = restitution(e);
        }
        /// The trailing rim meets the edge, (34).
        contact back {
            gap    = 1 - ((x - R*cos(φ))/a)^2 - ((y - R*sin(φ))/b)^2;
            impact = restitution(e);
        }

        /// The start of the figures, section VI-A, without rolling.
        scenario slide {
            φ = pi/2;
            ẏ = 0.1;
            θ̇ = 10;
            φ̇ = 0.2;
            until impacts = 20;
        }

        draw {
            ground (x/a)^2 + (y/b)^2 = 1;
            trace [x, y];
            arrow [x, y], [ẋ, ẏ], color green;
            line [x - R*cos(φ), y - R*sin(φ)], [x + R*cos(φ), y + R*sin(φ)], color red;
        }

        // dh and ∇h = ♯dh of h = X²/a² + Y²/b² − 1 at the leading rim.
        let h_x = 2*(x + R*cos(φ))/a^2;
        let h_y = 2*(y + R*sin(φ))/b^2;
        let h_φ = R*(h_y*cos(φ) - h_x*sin(φ));
        let differential = [h_x, h_y, 0, h_φ];
        let gradient = [h_x/m, h_y/m, 0, h_φ/J];
        let g_hh = (h_x^2 + h_y^2)/m + h_φ^2/J;

        claim eq2a: m*ẍ = 0;
        claim eq2b: m*ÿ = 0;
        claim eq2c: I*θ̈ = 0;
        claim eq2d: J*φ̈ = 0;
        /// α is minus the impulse along ∇gap = −∇h.
        claim eq3a at front under elastic:
            mass*plus(velocity) - mass*velocity = -impulse(front)*differential;
        claim eq3b at front under elastic: plus(lagrangian)
            - (m*ẋ_plus^2 + m*ẏ_plus^2 + I*θ̇_plus^2 + J*φ̇_plus^2)
            = lagrangian - (m*ẋ^2 + m*ẏ^2 + I*θ̇^2 + J*φ̇^2);
        claim eq4a at front under elastic:
            mass*plus(velocity) = mass*velocity - impulse(front)*differential;
        claim eq4b at front under elastic: plus(energy) = energy;
        claim eq5 at front under elastic: plus(velocity)
            = velocity - 2*dot(differential, velocity)/g_hh*gradient;
        claim eq6 at front: plus(velocity)
            = velocity - (1 + e)*dot(differential, velocity)/g_hh*gradient;
    }
}
