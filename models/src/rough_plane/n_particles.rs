//! Several particles on a rough level plane: rough-plane 3.
//!
//! The document gives each particle by its distance L_i from the centre of mass and the angle φ_i of
//! its arm in the body, with Σ m_i L_i cos φ_i = Σ m_i L_i sin φ_i = 0. Here the parameters are places
//! (a_i, b_i) in any axes of the body; the centre of mass is subtracted, so that the sums vanish by
//! themselves.

eom_core::lagrangian! {
    /// Particles of a rigid body on a rough plane.
    pub system RoughParticles {
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
            /// How many particles: it sizes the arrays.
            N = 4,
            /// Masses, kg.
            m[i in 1..=N] = i/4 where m[i] > 0,
            /// Places in the body, m.
            a[i in 1..=N] = i^2/20,
            /// Places in the body, m.
            b[i in 1..=N] = (i - 2)^3/20,
            /// Gravity, m/s².
            g = 9.81 where g > 0,
            /// Coefficient of friction.
            μ = 0.2 where μ > 0,
        }
        let M = sum(m[i], i in 1..=N);
        let p[i in 1..=N] = a[i] - sum(m[k]*a[k], k in 1..=N)/M;
        let q[i in 1..=N] = b[i] - sum(m[k]*b[k], k in 1..=N)/M;
        let L[i in 1..=N] = norm([p[i], q[i]]);
        let φ[i in 1..=N] = atan2(q[i], p[i]);
        let X[i in 1..=N] = x + L[i]*cos(θ + φ[i]);
        let Y[i in 1..=N] = y + L[i]*sin(θ + φ[i]);
        let c[i in 1..=N] = μ*g*m[i];
        let μ_2 = sum(m[i]*L[i]^2, i in 1..=N);

        kinetic     = sum(m[i]/2*(Ẋ[i]^2 + Ẏ[i]^2), i in 1..=N);
        dissipation = sum(μ*g*m[i]*norm([Ẋ[i], Ẏ[i]]), i in 1..=N);

        /// Thrown across the plane, turning.
        scenario throw {
            ẋ = 1; ẏ = 0.5; θ̇ = 6;
            until t = 3;
        }

        draw {
            trace [x, y];
            line[i in 1..=N] [x, y], [X[i], Y[i]];
            disk[i in 1..=N] [X[i], Y[i]], sqrt(m[i])/20, color red;
        }

        notation {
            p = N;
            r"F_\theta(\dot{x}, \dot{y}, \theta, 0)" = force(θ);
            r"F_x(0, 0, \theta, \dot{\theta})" = force(x);
            r"F_y(0, 0, \theta, \dot{\theta})" = force(y);
            r"F_\theta(0, 0, \theta, \dot{\theta})" = force(θ);
            r"F_\theta" = force(θ);
        }

        claim d3_1 when θ̇ = 0: tex r"\begin{aligned} F_\theta(\dot{x}, \dot{y}, \theta, 0) &= -\sum_{i=1}^p \frac{c_i L_i (-\dot{x} \sin(\theta + \phi_i) + \dot{y} \cos(\theta + \phi_i))}{\sqrt{\dot{x}^2 + \dot{y}^2}} \\ &= \frac{\mu g}{\sqrt{\dot{x}^2 + \dot{y}^2}} (\dot{x} \sum_{i=1}^p m_i L_i \sin(\theta + \phi_i) - \dot{y} \sum_{i=1}^p m_i L_i \cos(\theta + \phi_i)) \\ &= 0 \end{aligned}";
        claim d3_2 when θ̇ = 0: tex r"\ddot{x} = -\frac{\mu g \dot{x}}{\sqrt{\dot{x}^2 + \dot{y}^2}}, \quad \ddot{y} = -\frac{\mu g \dot{y}}{\sqrt{\dot{x}^2 + \dot{y}^2}}";
        claim d3_3 when ẋ = 0, ẏ = 0: tex r"\begin{aligned} F_x(0, 0, \theta, \dot{\theta}) &= \mu g \frac{\dot{\theta}}{|\dot{\theta}|} \sum_{i=1}^p m_i \sin(\theta + \phi_i) \\ F_y(0, 0, \theta, \dot{\theta}) &= -\mu g \frac{\dot{\theta}}{|\dot{\theta}|} \sum_{i=1}^p m_i \cos(\theta + \phi_i) \\ F_\theta(0, 0, \theta, \dot{\theta}) &= -\mu g \frac{\dot{\theta}}{|\dot{\theta}|} \sum_{i=1}^p m_i L_i \end{aligned}";
        /// The balance that keeps the centre at rest does not depend on θ.
        claim d3_4 when sum(m[i]*sin(θ + φ[i]), i in 1..=N) = 0, sum(m[i]*cos(θ + φ[i]), i in 1..=N) = 0: tex r"\sum_{i=1}^p m_i \cos \phi_i = 0, \quad \sum_{i=1}^p m_i \sin \phi_i = 0.";
        claim balance when sum(m[i]*cos(φ[i]), i in 1..=N) = 0, sum(m[i]*sin(φ[i]), i in 1..=N) = 0,
            ẋ = 0, ẏ = 0: [force(x), force(y)] = [0, 0];
        claim d3_5 when ẋ = 0, ẏ = 0: tex r"\mu_2 \ddot{\theta} = - \left(\mu g \sum_{i=1}^p m_i L_i \right) \frac{\dot{\theta}}{|\dot{\theta}|}";
        claim prose3_1: tex r"\mu_2 \ddot{\theta} = F_\theta";
        claim prose3_2 when sum(m[i]*cos(φ[i]), i in 1..=N) = 0, sum(m[i]*sin(φ[i]), i in 1..=N) = 0: tex r"\sum_{i=1}^p m_i \sin(\theta + \phi_i) = 0";
        claim prose3_3 when sum(m[i]*cos(φ[i]), i in 1..=N) = 0, sum(m[i]*sin(φ[i]), i in 1..=N) = 0: tex r"\sum_{i=1}^p m_i \cos(\theta + \phi_i) = 0";
    }
}
