//! Several particles on a level plane with viscous friction: rough-plane 3.
//!
//! The document gives each particle by its distance L_i from the centre of mass and the angle φ_i of
//! its arm in the body, with Σ m_i L_i cos φ_i = Σ m_i L_i sin φ_i = 0. Here the parameters are places
//! (a_i, b_i) in any axes of the body; the centre of mass is subtracted, so that the sums vanish by
//! themselves.

eom_core::lagrangian! {
    /// Four particles of a rigid body with viscous friction.
    pub system ViscousParticles {
        document "rough-plane";

        coordinates {
            /// Centre of mass, m.
            x,
            /// Centre of mass, m.
            y,
            /// Orientation of the body, rad.
            θ,
        }
        parameters {
            /// Masses, kg.
            m[i in 1..=4] = i/4 where m[i] > 0,
            /// Places in the body, m.
            a[i in 1..=4] = i^2/20,
            /// Places in the body, m.
            b[i in 1..=4] = (i - 2)^3/20,
            /// Gravity, m/s².
            g = 9.81 where g > 0,
            /// Coefficient of friction, s/m.
            μ = 0.2 where μ > 0,
        }
        let M = sum(m[i], i in 1..=4);
        let p[i in 1..=4] = a[i] - sum(m[k]*a[k], k in 1..=4)/M;
        let q[i in 1..=4] = b[i] - sum(m[k]*b[k], k in 1..=4)/M;
        let L[i in 1..=4] = norm([p[i], q[i]]);
        let φ[i in 1..=4] = atan2(q[i], p[i]);
        let X[i in 1..=4] = x + L[i]*cos(θ + φ[i]);
        let Y[i in 1..=4] = y + L[i]*sin(θ + φ[i]);

        kinetic     = sum(m[i]/2*(Ẋ[i]^2 + Ẏ[i]^2), i in 1..=4);
        dissipation = sum(μ*g*m[i]/2*(Ẋ[i]^2 + Ẏ[i]^2), i in 1..=4);

        /// Thrown across the plane, turning.
        scenario throw {
            ẋ = 1; ẏ = 0.5; θ̇ = 6;
            until t = 3;
        }

        draw {
            trace [x, y];
            line[i in 1..=4] [x, y], [X[i], Y[i]];
            disk[i in 1..=4] [X[i], Y[i]], sqrt(m[i])/20, color red;
        }

        notation {
            r"x(t)" = x;
            r"y(t)" = y;
            r"\theta(t)" = θ;
            r"\dot{x}_0" = u;
            r"\dot{y}_0" = v;
            r"\dot{\theta}_0" = ω;
        }

        claim d3_6: tex r"\ddot{x} = -\mu g \dot{x}, \quad \ddot{y} = -\mu g \dot{y}, \quad \ddot{\theta} = -\mu g \dot{\theta}";
        claim d3_7: motion(x_0, y_0, θ_0, u, v, ω) tex r"\begin{aligned} x(t) &= x_0 + \frac{\dot{x}_0}{\mu g} (1 - \exp(-\mu g t)) \\ y(t) &= y_0 + \frac{\dot{y}_0}{\mu g} (1 - \exp(-\mu g t)) \\ \theta(t) &= \theta_0 + \frac{\dot{\theta}_0}{\mu g} (1 - \exp(-\mu g t)) \end{aligned}";
    }
}
