//! Pendulums: with an angle, in the plane on a rod, on a pivot that moves as told.

eom_core::lagrangian! {
    /// A pendulum with viscous friction.
    pub system Pendulum {
        coordinates {
            /// Angle from the downward vertical, rad.
            θ,
        }
        parameters {
            /// Mass, kg.
            m = 1 where m > 0,
            /// Length, m.
            l = 1 where l > 0,
            /// Gravity, m/s².
            g = 9.81,
            /// Friction, N m s.
            c = 0,
        }
        kinetic = m/2*l^2*θ̇^2;
        potential = -m*g*l*cos(θ);
        dissipation = c/2*θ̇^2;
        /// From the horizontal at rest.
        scenario horizontal { θ = pi/2; until t = 3; }
        /// Power of the friction, W.
        output power = -c*θ̇^2;
        claim motion_equation: m*l^2*θ̈ = -m*g*l*sin(θ) - c*θ̇;
        claim friction: force(θ) = -c*θ̇;
    }
}

eom_core::lagrangian! {
    /// The same pendulum without friction, in the plane: y upwards, on a rod of length l.
    pub system RodPendulum {
        coordinates { x, y }
        parameters { m = 1 where m > 0, l = 1 where l > 0, g = 9.81 }
        kinetic = m/2*(ẋ^2 + ẏ^2);
        potential = m*g*y;
        holonomic { rod: x^2 + y^2 = l^2; }
        /// From the horizontal at rest.
        scenario horizontal { x = l; until t = 3; }
        /// The rod pulls the mass with the force −2 l λ.
        claim tension: 2*l^2*λ(rod) = m*g*y - m*(ẋ^2 + ẏ^2);
    }
}

eom_core::lagrangian! {
    /// A pendulum whose pivot is driven along the horizontal by a row that depends on time.
    pub system ShakenPendulum {
        coordinates { s, θ }
        parameters { m = 1 where m > 0, M = 2 where M > 0, l = 1 where l > 0, g = 9.81, A = 0.1, ω = 3 }
        let X = s + l*sin(θ);
        let Y = -l*cos(θ);
        kinetic = m/2*(Ẋ^2 + Ẏ^2) + M/2*ṡ^2;
        potential = m*g*Y;
        constraints { drive: ṡ = A*ω*cos(ω*t); }
        // The fixture of a row with t in it.
        allow integrable_row(drive);
        scenario rest { θ = 1/2; solve ṡ; until t = 3; }
        claim drive_force: λ(drive) = (M + m)*s_ddot + m*l*(cos(θ)*θ̈ - sin(θ)*θ̇^2);
    }
}
