//! Systems whose rows are not affine in the velocities, and whose Lagrangians are not quadratic in them.

eom_core::lagrangian! {
    /// A point on a turning disk that is led by a thread, its speed a function of place and time: a row by Chetaev's rule
    /// beside one that is affine.
    pub system Led {
        coordinates { x, y, θ }
        parameters { m = 2 where m > 0, J = 1/2 where J > 0, g = 9.81, v = 3, ω = 1/3, κ = 1/5 }
        inputs { τ }
        kinetic = m/2*(ẋ^2 + ẏ^2) + J/2*θ̇^2;
        potential = m*g*y;
        force θ = τ;
        constraints {
            speed: ẋ^2 + ẏ^2 = v^2*(1 + κ*x)^2 + sin(ω*t)*ẋ;
            gear: θ̇ = x*ẏ - y*ẋ;
        }
        allow chetaev(speed);
        output reaction = λ(speed);
        event level { guard = ẏ; both; }
        event slack { guard = λ(speed) - λ(gear)/2; both; }
        scenario thrown { x = 0.1; ẋ = 1; solve ẋ, θ̇; until t = 1; }
    }
}

eom_core::lagrangian! {
    /// A guided body whose inertia grows with its velocity and with its spin: M(t, q, v) beside a row that moves, dry
    /// friction, inputs, a guard and an output that hold the force of the row.
    pub system Growing {
        coordinates { x, y, θ }
        parameters { a = 1/3 where a > 0, b = 1/5 where b > 0, c = 2 where c > 0, k = 2, d = 1/10 where d > 0 }
        inputs { u, τ }
        lagrangian = c^2*sqrt(1 + (ẋ^2 + ẏ^2)/c^2) + θ̇^2/2 + a*(ẋ^2 + cos(θ)*ẋ*ẏ + ẏ^2)^2/4
            + b*(θ̇ + ẋ)^4*(2 + cos(x))/12 + b*sin(t)*x*θ̇ - k*(x^2 + y^2)/2 - cos(θ);
        dissipation = d/2*ẏ^2 + d*norm([θ̇ - 1/3]);
        force x = u; force θ = τ*cos(θ);
        constraints { guide: sin(θ)*ẋ - cos(θ)*ẏ = b*cos(t); }
        event turns { guard = ẋ - ẏ + λ(guide); both; }
        output lead = λ(guide)*ẋ;
        scenario go { x = 1/2; θ = 0.3; θ̇ = 1; ẋ = 0.2; solve ẏ; u = 0.1; until t = 2; }
    }
}

eom_core::lagrangian! {
    /// A charge in the plane across a magnetic field, at speeds near that of light.
    pub system Charge {
        coordinates { x, y }
        parameters { m = 3/2 where m > 0, c = 4 where c > 0, B = 2/5 }
        lagrangian = -m*c^2*sqrt(1 - (ẋ^2 + ẏ^2)/c^2) + B/2*(x*ẏ - y*ẋ);
        scenario circle { ẋ = 3; ẏ = 1; until t = 100; }
    }
}
