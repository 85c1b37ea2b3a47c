//! Chains of bodies, whose equations are solved by the forms of their velocities.

eom_core::lagrangian! {
    /// Five rods on a cart that is pushed, in the angles of their joints, which are damped: the angular
    /// velocity of each rod is that of the one before it and a joint's more. A wheel at the first joint has a
    /// speed that is no rate of a coordinate.
    pub system RodsOnCart {
        coordinates { x, α[1..=5] }
        parameters {
            M = 2 where M > 0, m = 1.3 where m > 0, l = 0.7 where l > 0, I = 0.05 where I >= 0,
            c = 0.1 where c >= 0, g = 9.81,
        }
        inputs { push }
        let θ[i in 1..=5] = sum(α[k], k in 1..=i);
        let X[i in 1..=5] = x + sum(l*sin(θ[k]), k in 1..=i) - l/2*sin(θ[i]);
        let Y[i in 1..=5] = - sum(l*cos(θ[k]), k in 1..=i) + l/2*cos(θ[i]);
        kinetic = M/2*(ẋ^2 + (ẋ + sin(x)*α̇[1])^2)
            + sum(m/2*(Ẋ[i]^2 + Ẏ[i]^2) + I/2*θ̇[i]^2, i in 1..=5);
        potential = m*g*sum(Y[i], i in 1..=5);
        dissipation = c/2*sum(α̇[i]^2, i in 1..=5);
        force x = push;
        scenario swing { α[1] = 1; until t = 2; }
    }
}

eom_core::lagrangian! {
    /// A tree on a trunk that is shaken: a mass on a telescope, then a branch of four masses and one
    /// of three.
    pub system Tree {
        coordinates { r, φ, α[1..=4], β[1..=3] }
        parameters { m = 1 where m > 0, κ = 30, A = 0.1, Ω = 3, g = 9.81 }
        let X = A*sin(Ω*t) + r*sin(φ);
        let Y = r*cos(φ);
        let U[i in 1..=4] = X + sum(sin(α[k]), k in 1..=i);
        let V[i in 1..=4] = Y + sum(cos(α[k]), k in 1..=i);
        let P[i in 1..=3] = X + sum(sin(β[k])/2, k in 1..=i);
        let Q[i in 1..=3] = Y + sum(cos(β[k])/2, k in 1..=i);
        kinetic = m/2*(Ẋ^2 + Ẏ^2 + sum(U̇[i]^2 + V̇[i]^2, i in 1..=4)
            + sum(Ṗ[i]^2 + Q̇[i]^2, i in 1..=3));
        potential = κ/2*(r - 1)^2 + κ*(φ^2 + sum(α[i]^2, i in 1..=4) + sum(β[i]^2, i in 1..=3))
            + m*g*(Y + sum(V[i], i in 1..=4) + sum(Q[i], i in 1..=3));
        scenario sway { r = 1; φ = 0.1; until t = 2; }
    }
}

eom_core::lagrangian! {
    /// Eight links of which the last slides on a bar and turns against the first: a chain that is closed.
    pub system ClosedChain {
        coordinates { θ[1..=8] }
        parameters { m = 1 where m > 0, g = 9.81 }
        let X[i in 1..=8] = sum(sin(θ[k]), k in 1..=i);
        let Y[i in 1..=8] = - sum(cos(θ[k]), k in 1..=i);
        kinetic = m/2*sum(Ẋ[i]^2 + Ẏ[i]^2, i in 1..=8);
        potential = m*g*sum(Y[i], i in 1..=8);
        holonomic {
            bar: X[8] = 1;
            gear: θ[1] + θ[8] = 0;
        }
    }
}

eom_core::lagrangian! {
    /// Six links on a hinge that is rusty.
    pub system RustyChain {
        coordinates { θ[1..=6] }
        parameters { m = 1 where m > 0, c = 3 where c >= 0, g = 9.81 }
        let X[i in 1..=6] = sum(sin(θ[k]), k in 1..=i);
        let Y[i in 1..=6] = - sum(cos(θ[k]), k in 1..=i);
        kinetic = m/2*sum(Ẋ[i]^2 + Ẏ[i]^2, i in 1..=6);
        potential = m*g*sum(Y[i], i in 1..=6);
        dissipation = c*abs(θ̇[1]);
        scenario fall { θ[6] = 1; until t = 2; }
    }
}

eom_core::lagrangian! {
    /// Twenty-four links: more than are solved by factors without loops.
    pub system Rope {
        coordinates { θ[1..=24] }
        parameters { m = 1 where m > 0, g = 9.81 }
        let X[i in 1..=24] = sum(sin(θ[k]), k in 1..=i);
        let Y[i in 1..=24] = - sum(cos(θ[k]), k in 1..=i);
        kinetic = m/2*sum(Ẋ[i]^2 + Ẏ[i]^2, i in 1..=24);
        potential = m*g*sum(Y[i], i in 1..=24);
        scenario fall { θ[1] = 1; until t = 2; }
    }
}

eom_core::lagrangian! {
    /// A mobile on a slide that is pushed: a rod, at its end two of other lengths with other masses, one of
    /// which has two more at its end. One joint is damped, one has a spring, one is driven.
    pub system Mobile {
        coordinates { x, θ[1..=5] }
        parameters {
            M = 2 where M > 0, m[i in 1..=3] = 1 where m[i] > 0, l[i in 1..=3] = 0.5 where l[i] > 0,
            c = 0.1 where c >= 0, κ = 3, g = 9.81,
        }
        inputs { push, torque }
        let X = x + l[1]*sin(θ[1]);
        let Y = -l[1]*cos(θ[1]);
        let U = X + l[2]*sin(θ[2]);
        let V = Y - l[2]*cos(θ[2]);
        let P1 = X + 0.4*sin(θ[3]);
        let Q1 = Y - 0.4*cos(θ[3]);
        let P2 = U + l[3]*sin(θ[4]);
        let Q2 = V - l[3]*cos(θ[4]);
        let P3 = U + 0.3*sin(θ[5]);
        let Q3 = V - 0.3*cos(θ[5]);
        kinetic = M/2*ẋ^2 + m[1]/2*(Ẋ^2 + Ẏ^2) + m[2]/2*(U̇^2 + V̇^2)
            + m[3]*(Ṗ1^2 + Q̇1^2) + m[3]/2*(Ṗ2^2 + Q̇2^2) + m[3]/3*(Ṗ3^2 + Q̇3^2);
        potential = g*(m[1]*Y + m[2]*V + 2*m[3]*Q1 + m[3]*Q2 + 2/3*m[3]*Q3)
            + κ/2*(θ[5] - θ[2])^2;
        dissipation = c/2*(θ̇[2] - θ̇[1])^2;
        force x = push;
        force θ[4] = torque;
        scenario swing { θ[1] = 1; θ[4] = -0.5; until t = 2; }
    }
}
