//! Two particles joined by a massless rod on a rough level plane: rough-plane 2.
//!
//! ```text
//!   (2)─────────●──────(1)      r₁ = (x, y) + L₁(cos θ, sin θ),  r₂ = (x, y) − L₂(cos θ, sin θ)
//!        L₂   (x,y)  L₁          m₁ L₁ = m₂ L₂: the centre of mass
//! ```

eom_core::lagrangian! {
    /// Two particles on a rough plane with dry friction.
    pub system TwoParticles {
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
            /// Coefficient of friction.
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
        dissipation = c1*norm([ẋ1, ẏ1]) + c2*norm([ẋ2, ẏ2]);

        /// Thrown across the plane, turning.
        scenario throw {
            ẋ = 1; ẏ = 0.5; θ̇ = 6;
            until t = 3;
        }
        /// The centre at rest: the heavier particle drags it along, (2.11).
        scenario spin {
            θ̇ = 6;
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
            r"m_i" = m1;
        }
        notation second {
            r"c_i" = c2;
            r"m_i" = m2;
        }
        notation {
            r"F_x" = force(x);
            r"F_y" = force(y);
            r"F_x(\dot{x}, \dot{y}, \theta, \dot{\theta})" = force(x);
            r"F_y(\dot{x}, \dot{y}, \theta, \dot{\theta})" = force(y);
            r"F_\theta(\dot{x}, \dot{y}, \theta, \dot{\theta})" = force(θ);
            r"F_\theta(\dot{x}, \dot{y}, \theta, 0)" = force(θ);
            r"F_x(0, 0, \theta, \dot{\theta})" = force(x);
            r"F_y(0, 0, \theta, \dot{\theta})" = force(y);
            r"F_\theta(0, 0, \theta, \dot{\theta})" = force(θ);
        }

        claim prose2_14a in first: tex r"c_i = \mu g m_i";
        claim prose2_14b in second: tex r"c_i = \mu g m_i";
        claim d2_1: tex r"\mu_0 \ddot{x} = F_x(\dot{x}, \dot{y}, \theta, \dot{\theta}) = -\frac{c_1(\dot{x} - L_1 \dot{\theta} \sin \theta)}{\sqrt{(\dot{x} - L_1 \dot{\theta} \sin \theta)^2 + (\dot{y} + L_1 \dot{\theta} \cos \theta)^2}} - \frac{c_2(\dot{x} + L_2 \dot{\theta} \sin \theta)}{\sqrt{(\dot{x} + L_2 \dot{\theta} \sin \theta)^2 + (\dot{y} - L_2 \dot{\theta} \cos \theta)^2}}";
        claim d2_2: tex r"\mu_0 \ddot{y} = F_y(\dot{x}, \dot{y}, \theta, \dot{\theta}) = -\frac{c_1(\dot{y} + L_1 \dot{\theta} \cos \theta)}{\sqrt{(\dot{x} - L_1 \dot{\theta} \sin \theta)^2 + (\dot{y} + L_1 \dot{\theta} \cos \theta)^2}} - \frac{c_2(\dot{y} - L_2 \dot{\theta} \cos \theta)}{\sqrt{(\dot{x} + L_2 \dot{\theta} \sin \theta)^2 + (\dot{y} - L_2 \dot{\theta} \cos \theta)^2}}";
        /// μ₀ is a misprint for μ₂, which the text below uses.
        erratum d2_3: tex r"\mu_0 \ddot{\theta} = F_\theta(\dot{x}, \dot{y}, \theta, \dot{\theta}) = -\frac{c_1 L_1 (-\dot{x} \sin \theta + \dot{y} \cos \theta + L_1 \dot{\theta})}{\sqrt{(\dot{x} - L_1 \dot{\theta} \sin \theta)^2 + (\dot{y} + L_1 \dot{\theta} \cos \theta)^2}} - \frac{c_2 L_2 (\dot{x} \sin \theta - \dot{y} \cos \theta + L_2 \dot{\theta})}{\sqrt{(\dot{x} + L_2 \dot{\theta} \sin \theta)^2 + (\dot{y} - L_2 \dot{\theta} \cos \theta)^2}}";
            corrected: tex r"\mu_2 \ddot{\theta} = F_\theta(\dot{x}, \dot{y}, \theta, \dot{\theta}) = -\frac{c_1 L_1 (-\dot{x} \sin \theta + \dot{y} \cos \theta + L_1 \dot{\theta})}{\sqrt{(\dot{x} - L_1 \dot{\theta} \sin \theta)^2 + (\dot{y} + L_1 \dot{\theta} \cos \theta)^2}} - \frac{c_2 L_2 (\dot{x} \sin \theta - \dot{y} \cos \theta + L_2 \dot{\theta})}{\sqrt{(\dot{x} + L_2 \dot{\theta} \sin \theta)^2 + (\dot{y} - L_2 \dot{\theta} \cos \theta)^2}}";
        claim d2_4: tex r"\begin{aligned}(0,0) &= m_1(x_1 - x, y_1 - y) + m_2(x_2 - x, y_2 - y) \\ &= m_1(L_1 \cos \theta, L_1 \sin \theta) - m_2(L_2 \cos \theta, L_2 \sin \theta) \\ &= (m_1 L_1 - m_2 L_2)(\cos \theta, \sin \theta)\end{aligned}";
        claim d2_5: tex r"m_1 L_1 - m_2 L_2 = 0";
        claim d2_6: tex r"L_1 = \frac{m_2}{m_1 + m_2} L, \quad L_2 = \frac{m_1}{m_1 + m_2} L";
        claim d2_7 when θ̇ = 0: tex r"\begin{aligned}F_\theta(\dot{x}, \dot{y}, \theta, 0) &= -\frac{c_1 L_1 (-\dot{x} \sin \theta + \dot{y} \cos \theta)}{\sqrt{\dot{x}^2 + \dot{y}^2}} - \frac{c_2 L_2 (\dot{x} \sin \theta - \dot{y} \cos \theta)}{\sqrt{\dot{x}^2 + \dot{y}^2}} \\ &= \frac{\mu g (m_1 L_1 - m_2 L_2) (\dot{x} \sin \theta - \dot{y} \cos \theta)}{\sqrt{\dot{x}^2 + \dot{y}^2}} \\ &= 0\end{aligned}";
        /// The sign between the two terms of each numerator is a misprint: both forces oppose the motion. The right
        /// sides hold.
        erratum d2_8 when θ̇ = 0: tex r"F_x = -\frac{c_1 \dot{x} - c_2 \dot{x}}{\sqrt{\dot{x}^2 + \dot{y}^2}} = -\frac{\mu g \mu_0 \dot{x}}{\sqrt{\dot{x}^2 + \dot{y}^2}}, \quad F_y = -\frac{c_1 \dot{y} - c_2 \dot{y}}{\sqrt{\dot{x}^2 + \dot{y}^2}} = -\frac{\mu g \mu_0 \dot{y}}{\sqrt{\dot{x}^2 + \dot{y}^2}}";
            corrected: tex r"F_x = -\frac{c_1 \dot{x} + c_2 \dot{x}}{\sqrt{\dot{x}^2 + \dot{y}^2}} = -\frac{\mu g \mu_0 \dot{x}}{\sqrt{\dot{x}^2 + \dot{y}^2}}, \quad F_y = -\frac{c_1 \dot{y} + c_2 \dot{y}}{\sqrt{\dot{x}^2 + \dot{y}^2}} = -\frac{\mu g \mu_0 \dot{y}}{\sqrt{\dot{x}^2 + \dot{y}^2}}";
        claim d2_9 when θ̇ = 0: tex r"\ddot{x} = -\frac{\mu g \dot{x}}{\sqrt{\dot{x}^2 + \dot{y}^2}}, \quad \ddot{y} = -\frac{\mu g \dot{y}}{\sqrt{\dot{x}^2 + \dot{y}^2}}";
        claim d2_10 when ẋ = 0, ẏ = 0: tex r"\begin{aligned}F_x(0, 0, \theta, \dot{\theta}) &= \frac{\mu g (m_1 - m_2) \dot{\theta} \sin \theta}{|\dot{\theta}|} \\ F_y(0, 0, \theta, \dot{\theta}) &= \frac{-\mu g (m_1 - m_2) \dot{\theta} \cos \theta}{|\dot{\theta}|} \\ F_\theta(0, 0, \theta, \dot{\theta}) &= \frac{-\mu g (m_1 L_1 + m_2 L_2) \dot{\theta}}{|\dot{\theta}|}\end{aligned}";
        claim d2_11 when ẋ = 0, ẏ = 0: tex r"(F_x, F_y) = \frac{\mu g (m_1 - m_2) \dot{\theta}}{|\dot{\theta}|} (\sin \theta, -\cos \theta)";
        claim d2_12 when ẋ = 0, ẏ = 0, m1 = m2: tex r"\mu_2 \ddot{\theta} = -2\mu g m_1 L_1 \frac{\dot{\theta}}{|\dot{\theta}|}";
        claim prose2_1: tex r"L = |(x_2 - x_1, y_2 - y_1)|";
        claim prose2_2 when m1 = m2: tex r"L_1 = L_2";
        claim prose2_3: tex r"\mu_2 \ddot{\theta} = F_\theta(\dot{x}, \dot{y}, \theta, \dot{\theta})";
        /// The force is perpendicular to the line between the masses.
        claim prose2_4 when ẋ = 0, ẏ = 0: dot([force(x), force(y)], [cos(θ), sin(θ)]) = 0;
        /// With equal masses the force on the centre is zero.
        claim prose2_5 when ẋ = 0, ẏ = 0, m1 = m2: [force(x), force(y)] = [0, 0];
    }
}
