//! Contacts and events: a ball by its contact and by a reset, a moving paddle, a counter.

eom_core::lagrangian! {
    /// A ball above a floor.
    pub system Ball {
        coordinates { x, y }
        parameters { m = 1 where m > 0, g = 9.81, e = 4/5 where e >= 0 && e <= 1 }
        kinetic = m/2*(ẋ^2 + ẏ^2);
        potential = m*g*y;
        contact floor { gap = y; impact = restitution(e); }
        scenario drop { x_dot = 1; y = 1; until impacts = 6; }
        claim newton at floor: ẏ_plus = -e*ẏ_minus;
        claim loss at floor: plus(energy) - energy = -(1 - e^2)*m/2*ẏ^2;
    }
}

eom_core::lagrangian! {
    /// The same ball, its bounce written as an event.
    pub system BallByReset {
        coordinates { x, y }
        parameters { m = 1 where m > 0, g = 9.81, e = 4/5 }
        kinetic = m/2*(ẋ^2 + ẏ^2);
        potential = m*g*y;
        event bounce { guard = y; falling; reset { ẏ = -e*ẏ; } }
        event apex { guard = ẏ; }
        scenario drop { x_dot = 1; y = 1; until t = 2; }
        scenario second { y = 1; until apex = 2; }
        scenario third { y = 1; until events = 3; }
    }
}

eom_core::lagrangian! {
    /// A ball above a paddle that moves up and down: the gap depends on time.
    pub system Paddle {
        coordinates { y }
        parameters { m = 1 where m > 0, g = 9.81, A = 0.1, ω = 5 }
        kinetic = m/2*ẏ^2;
        potential = m*g*y;
        contact paddle { gap = y - A*sin(ω*t); impact = elastic; }
        scenario drop { y = 1; until impacts = 10; }
        claim relative at paddle: ẏ_plus - A*ω*cos(ω*t) = -(ẏ_minus - A*ω*cos(ω*t));
    }
}

eom_core::lagrangian! {
    /// A point that steps back: resets of both a coordinate and a velocity take old values.
    pub system Stepper {
        coordinates { s, c }
        parameters { m = 1 where m > 0 }
        kinetic = m/2*(ṡ^2 + ċ^2);
        event turn {
            guard = s - 1;
            rising;
            reset { s = c; c = s; ṡ = 2*ċ; c_dot = ṡ; }
        }
        event cross { guard = s - c; both; }
        scenario go { s_dot = 1; c_dot = 1/4; until t = 5; }
    }
}
