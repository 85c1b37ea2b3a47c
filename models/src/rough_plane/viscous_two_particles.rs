//! Two particles on a level plane with viscous friction F_i = −c_i V_i: rough-plane 2.

eom_core::lagrangian! {
    /// Two particles on a plane with viscous friction.
    pub system ViscousTwoParticles {
        document "rough-plane";

        coordinates {
            /// Centre of mass, m.
            x,
            /// Centre of mass, m.
            y,
            /// Direction of the rod, rad.
            θ,
        }
        parameters {
            /// Mass of the first particle, kg.
            m1 = 1 where m1 > 0,
            /// Mass of the second particle, kg.
            m2 = 2 where m2 > 0,
            /// Distance of the particles, m.
            L = 0.5 where L > 0,
            /// Gravity, m/s².
            g = 9.81 where g > 0,
            /// Coefficient of friction, s/m.
            μ = 0.2 where μ > 0,
        }
        let L1 = m2/(m1 + m2)*L;
        let L2 = m1/(m1 + m2)*L;
        let c1 = μ*g*m1;
        let c2 = μ*g*m2;
        let x1 = x + L1*cos(θ);
        let y1 = y + L1*sin(θ);
        let x2 = x - L2*cos(θ);
        let y2 = y - L2*sin(θ);
        let μ_0 = m1 + m2;
        let μ_2 = m1*L1^2 + m2*L2^2;

        kinetic     = m1/2*(ẋ1^2 + ẏ1^2) + m2/2*(ẋ2^2 + ẏ2^2);
        dissipation = c1/2*(ẋ1^2 + ẏ1^2) + c2/2*(ẋ2^2 + ẏ2^2);

        /// Thrown across the plane, turning.
        scenario throw {
            ẋ = 1; ẏ = 0.5; θ̇ = 6;
            until t = 3;
        }

        draw {
            trace [x1, y1];
            trace [x2, y2], color red;
            line [x1, y1], [x2, y2];
            disk [x1, y1], sqrt(m1)/20;
            disk [x2, y2], sqrt(m2)/20, color red;
        }

        notation first {
            r"c_i" = c1;
            r"\mathbf{V}_i" = [ẋ1, ẏ1];
            r"\mathbf{F}_i" = [-c1*ẋ1, -c1*ẏ1];
            r"c_i(\dot{x}_i, \dot{y}_i)" = c1*[ẋ1, ẏ1];
        }
        notation second {
            r"c_i" = c2;
            r"\mathbf{V}_i" = [ẋ2, ẏ2];
            r"\mathbf{F}_i" = [-c2*ẋ2, -c2*ẏ2];
            r"c_i(\dot{x}_i, \dot{y}_i)" = c2*[ẋ2, ẏ2];
        }
        notation {
            r"F_x" = force(x);
            r"F_y" = force(y);
            r"F_\theta" = force(θ);
            r"\mathbf{V}_1" = [ẋ1, ẏ1];
            r"\mathbf{V}_2" = [ẋ2, ẏ2];
            r"\mathbf{F}_1" = [-c1*ẋ1, -c1*ẏ1];
            r"\mathbf{F}_2" = [-c2*ẋ2, -c2*ẏ2];
            r"\mathbf{r}_1" = [x1, y1];
            r"\mathbf{r}_2" = [x2, y2];
            r"x(t)" = x;
            r"y(t)" = y;
            r"\theta(t)" = θ;
            r"\dot{x}_0" = u;
            r"\dot{y}_0" = v;
            r"\dot{\theta}_0" = ω;
        }

        claim d2_13: tex r"\begin{aligned} F_x &= \sum_{i=1}^2 \mathbf{F}_i \cdot \frac{\partial \mathbf{r}_i}{\partial x} \\ &= \sum_{i=1}^2 -c_i \mathbf{V}_i \cdot (1, 0) \\ &= -c_1(\dot{x} - L_1 \dot{\theta} \sin \theta) - c_2(\dot{x} + L_2 \dot{\theta} \sin \theta) \\ &= -\mu g m_1(\dot{x} - L_1 \dot{\theta} \sin \theta) - \mu g m_2(\dot{x} + L_2 \dot{\theta} \sin \theta) \\ &= -\mu g \mu_0 \dot{x} + \mu g(m_1 L_1 - m_2 L_2) \dot{\theta} \sin \theta \\ &= -\mu g \mu_0 \dot{x} \end{aligned}";
        claim d2_14: tex r"F_y = -\mu g \mu_0 \dot{y}";
        claim d2_15: tex r"\begin{aligned} F_\theta &= -c_1 L_1(-\dot{x} \sin \theta + \dot{y} \cos \theta + L_1 \dot{\theta}) - c_2 L_2(\dot{x} \sin \theta - \dot{y} \cos \theta + L_2 \dot{\theta}) \\ &= \mu g(m_1 L_1 - m_2 L_2) \dot{x} \sin \theta - \mu g(m_1 L_1 - m_2 L_2) \dot{y} \cos \theta - \mu g(m_1 L_1^2 + m_2 L_2^2) \dot{\theta} \\ &= -\mu g \mu_2 \dot{\theta} \end{aligned}";
        claim d2_16: tex r"\ddot{x} = -\mu g \dot{x}, \quad \ddot{y} = -\mu g \dot{y}, \quad \ddot{\theta} = -\mu g \dot{\theta}";
        claim d2_17: motion(x_0, y_0, θ_0, u, v, ω) tex r"\begin{aligned} x(t) &= x_0 + \frac{\dot{x}_0}{\mu g} (1 - \exp(-\mu g t)) \\ y(t) &= y_0 + \frac{\dot{y}_0}{\mu g} (1 - \exp(-\mu g t)) \\ \theta(t) &= \theta_0 + \frac{\dot{\theta}_0}{\mu g} (1 - \exp(-\mu g t)) \end{aligned}";
        /// Of the first particle.
        claim prose2_15 in first: tex r"\mathbf{F}_i = -c_i \mathbf{V}_i = -c_i(\dot{x}_i, \dot{y}_i)";
        /// Of the second.
        claim prose2_16 in second: tex r"\mathbf{F}_i = -c_i \mathbf{V}_i = -c_i(\dot{x}_i, \dot{y}_i)";
        claim prose2_6: tex r"\mu_0 \ddot{x} = F_x";
        claim prose2_7: tex r"\mu_0 \ddot{y} = F_y";
        claim prose2_8: tex r"\mu_2 \ddot{\theta} = F_\theta";
    }
}
