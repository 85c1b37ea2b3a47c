//! Bodies with dry friction.

eom_core::lagrangian! {
    /// A particle on an inclined plane with dry friction (rough-plane, section 1).
    pub system Puck {
        coordinates {
            /// Across the slope, m.
            x,
            /// Up the slope, m.
            w,
        }
        parameters {
            m = 1 where m > 0,
            g = 9.81,
            /// Friction.
            μ = 0.3 where μ >= 0,
            /// Inclination, rad.
            φ = 0,
        }
        kinetic = m/2*(ẋ^2 + ẇ^2);
        potential = m*g*w*sin(φ);
        dissipation = μ*m*g*cos(φ)*norm([ẋ, ẇ]);
    }
}

eom_core::lagrangian! {
    /// Two particles on a light rod on a rough plane (rough-plane, section 2).
    pub system Dumbbell {
        coordinates {
            /// Centre of mass, m.
            x,
            /// Centre of mass, m.
            y,
            /// Angle of the rod, rad.
            θ,
        }
        inputs {
            /// Torque on the rod, N m.
            τ,
        }
        parameters {
            m1 = 1 where m1 > 0,
            m2 = 2 where m2 > 0,
            /// Length of the rod, m.
            L = 1 where L > 0,
            g = 9.81,
            μ = 0.3 where μ >= 0,
        }
        let L1 = m2/(m1 + m2)*L;
        let L2 = m1/(m1 + m2)*L;
        kinetic = (m1 + m2)/2*(ẋ^2 + ẏ^2) + (m1*L1^2 + m2*L2^2)/2*θ̇^2;
        let r1 = [x + L1*cos(θ), y + L1*sin(θ)];
        let r2 = [x - L2*cos(θ), y - L2*sin(θ)];
        dissipation = μ*g*(m1*norm(ṙ1) + m2*norm(ṙ2));
        force θ = τ;
    }
}

eom_core::lagrangian! {
    /// A block on a moving belt, held by a spring, pulled by a force that grows.
    pub system BeltBlock {
        coordinates {
            /// Position, m.
            x,
        }
        parameters {
            m = 1 where m > 0,
            k = 1 where k >= 0,
            /// Friction force, N.
            c = 1 where c >= 0,
            /// Speed of the belt, m/s.
            u = 0,
            /// Growth of the pull, N/s.
            r = 0,
        }
        kinetic = m/2*ẋ^2;
        potential = k/2*x^2;
        dissipation = c*abs(ẋ - u);
        force x = r*t;
    }
}
