//! Systems with rows that are not affine in the velocities.

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
