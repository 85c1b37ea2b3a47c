//! A thin rod on a rough level plane: rough-plane 4, the friction as an integral along the rod.
//!
//! ```text
//!   r(L) = (x, y) + L (cos θ, sin θ),  L ∈ [−L₂, L₁]      D = c ∫ |ṙ(L)| dL,  c = μ g δ₀
//! ```
//!
//! With constant density μ₁ = 0 means L₂ = L₁.

eom_core::lagrangian! {
    /// A homogeneous thin rod on a rough plane.
    pub system ThinRod {
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
            /// Half of the length, m.
            L1 = 0.5 where L1 > 0,
            /// Mass per length, kg/m.
            δ_0 = 1 where δ_0 > 0,
            /// Gravity, m/s².
            g = 9.81 where g > 0,
            /// Coefficient of friction.
            μ = 0.2 where μ > 0,
        }
        let L2 = L1;
        let c = μ*g*δ_0;
        let μ_0 = integral(δ_0, s in -L2..L1);
        let μ_1 = integral(δ_0*s, s in -L2..L1);
        let μ_2 = integral(δ_0*s^2, s in -L2..L1);

        kinetic     = μ_0/2*(ẋ^2 + ẏ^2) + μ_2/2*θ̇^2;
        dissipation = c*integral(norm([ẋ - s*θ̇*sin(θ), ẏ + s*θ̇*cos(θ)]), s in -L2..L1);

        /// Thrown across the plane, turning.
        scenario throw {
            ẋ = 1; ẏ = 0.5; θ̇ = 6;
            until t = 2;
        }

        draw {
            trace [x, y];
            line [x - L2*cos(θ), y - L2*sin(θ)], [x + L1*cos(θ), y + L1*sin(θ)];
            point [x, y], color red;
        }

        let λ_1 = ẋ*cos(θ) + ẏ*sin(θ);
        let λ_2 = -ẋ*sin(θ) + ẏ*cos(θ);
        let z_0 = (λ_2 - L2*θ̇)/λ_1;
        let z_1 = (λ_2 + L1*θ̇)/λ_1;
        let J_0 = ln(z_1 + sqrt(1 + z_1^2)) - ln(z_0 + sqrt(1 + z_0^2));
        let J_1 = sqrt(1 + z_1^2) - sqrt(1 + z_0^2);
        let J_2 = z_1/2*sqrt(1 + z_1^2) - 1/2*ln(z_1 + sqrt(1 + z_1^2))
            - z_0/2*sqrt(1 + z_0^2) + 1/2*ln(z_0 + sqrt(1 + z_0^2));
        let I_0 = integral(1/sqrt(λ_1^2 + (λ_2 + s*θ̇)^2), s in -L2..L1);
        let I_1 = integral(s/sqrt(λ_1^2 + (λ_2 + s*θ̇)^2), s in -L2..L1);
        let I_2 = integral(s^2/sqrt(λ_1^2 + (λ_2 + s*θ̇)^2), s in -L2..L1);

        notation {
            /// Any place along the rod, where it is not the variable of an integral.
            L = t;
            r"F_x" = force(x);
            r"F_y" = force(y);
            r"F_\theta" = force(θ);
            r"F_x(\dot{x}, \dot{y}, \theta, \dot{\theta})" = force(x);
            r"F_y(\dot{x}, \dot{y}, \theta, \dot{\theta})" = force(y);
            r"F_\theta(\dot{x}, \dot{y}, \theta, \dot{\theta})" = force(θ);
            r"F_\theta(\dot{x}, \dot{y}, \theta, 0)" = force(θ);
            r"F_x(0, 0, \theta, \dot{\theta})" = force(x);
            r"F_y(0, 0, \theta, \dot{\theta})" = force(y);
            r"F_\theta(0, 0, \theta, \dot{\theta})" = force(θ);
        }

        /// L is any number, by which z is differentiated.
        notation change {
            L = g;
            z = (λ_2 + g*θ̇)/λ_1;
            r"dz" = partial((λ_2 + g*θ̇)/λ_1, g);
            r"dL" = partial(g, g);
        }

        claim d4_1: tex r"\mu_0 \ddot{x} = F_x(\dot{x}, \dot{y}, \theta, \dot{\theta}) = \int_{-L_2}^{L_1} \frac{-c(\dot{x} - L\dot{\theta} \sin \theta)}{\sqrt{(\dot{x} - L\dot{\theta} \sin \theta)^2 + (\dot{y} + L\dot{\theta} \cos \theta)^2}} dL";
        claim d4_2: tex r"\mu_0 \ddot{y} = F_y(\dot{x}, \dot{y}, \theta, \dot{\theta}) = \int_{-L_2}^{L_1} \frac{-c(\dot{y} + L\dot{\theta} \cos \theta)}{\sqrt{(\dot{x} - L\dot{\theta} \sin \theta)^2 + (\dot{y} + L\dot{\theta} \cos \theta)^2}} dL";
        claim d4_3: tex r"\mu_2 \ddot{\theta} = F_\theta(\dot{x}, \dot{y}, \theta, \dot{\theta}) = \int_{-L_2}^{L_1} \frac{-cL(-\dot{x} \sin \theta + \dot{y} \cos \theta + L\dot{\theta})}{\sqrt{(\dot{x} - L\dot{\theta} \sin \theta)^2 + (\dot{y} + L\dot{\theta} \cos \theta)^2}} dL";
        claim d4_4: tex r"\mu_0 = \int_{-L_2}^{L_1} \delta_0 dL, \quad \mu_1 = \int_{-L_2}^{L_1} \delta_0 L dL = 0, \quad \mu_2 = \int_{-L_2}^{L_1} \delta_0 L^2 dL";
        claim d4_5 when θ̇ = 0: tex r"\begin{aligned} F_\theta(\dot{x}, \dot{y}, \theta, 0) &= \int_{-L_2}^{L_1} \frac{-cL(-\dot{x} \sin \theta + \dot{y} \cos \theta)}{\sqrt{\dot{x}^2 + \dot{y}^2}} dL \\ &= \frac{\mu g}{\sqrt{\dot{x}^2 + \dot{y}^2}} (\dot{x} \sin \theta - \dot{y} \cos \theta) \int_{-L_2}^{L_1} \delta_0 L dL \\ &= 0 \end{aligned}";
        claim d4_6 when θ̇ = 0: tex r"\ddot{x} = -\frac{\mu g \dot{x}}{\sqrt{\dot{x}^2 + \dot{y}^2}}, \quad \ddot{y} = -\frac{\mu g \dot{y}}{\sqrt{\dot{x}^2 + \dot{y}^2}}";
        claim d4_7 when ẋ = 0, ẏ = 0: tex r"F_x(0, 0, \theta, \dot{\theta}) = \mu g \frac{\dot{\theta} \sin \theta}{|\dot{\theta}|} \int_{-L_2}^{L_1} \delta_0 \frac{L}{|L|} dL";
        claim d4_8 when ẋ = 0, ẏ = 0: tex r"F_y(0, 0, \theta, \dot{\theta}) = -\mu g \frac{\dot{\theta} \cos \theta}{|\dot{\theta}|} \int_{-L_2}^{L_1} \delta_0 \frac{L}{|L|} dL";
        claim d4_9 when ẋ = 0, ẏ = 0: tex r"F_\theta(0, 0, \theta, \dot{\theta}) = -\mu g \frac{\dot{\theta}}{|\dot{\theta}|} \int_{-L_2}^{L_1} \delta_0 |L| dL";
        claim d4_10: tex r"\int_{-L_2}^{L_1} \delta_0 \frac{L}{|L|} dL = 0";
        claim d4_11: tex r"\begin{aligned} \int_{-L_2}^{L_1} \delta_0 \frac{L}{|L|} dL &= \delta_0 \int_{-L_1}^{L_1} \frac{L}{|L|} dL \\ &= \delta_0 \left(\int_0^{L_1} 1 dL + \int_{-L_1}^0 -1 dL \right) \\ &= \delta_0 (L_1 + (-L_1)) \\ &= 0 \end{aligned}";
        claim d4_12 when ẋ = 0, ẏ = 0: tex r"\mu_2 \ddot{\theta} = - \left(\mu g \int_{-L_2}^{L_1} \delta_0 |L| dL \right) \frac{\dot{\theta}}{|\dot{\theta}|}";
        claim d4_13: tex r"\begin{aligned} (\dot{x} - L\dot{\theta} \sin \theta)^2 + (\dot{y} + L\dot{\theta} \cos \theta)^2 &= (\dot{x}^2 + \dot{y}^2) + 2(-\dot{x} \sin \theta + \dot{y} \cos \theta) L \dot{\theta} + (L \dot{\theta})^2 \\ &= (\dot{x} \cos \theta + \dot{y} \sin \theta)^2 + [(-\dot{x} \sin \theta + \dot{y} \cos \theta) + L \dot{\theta}]^2 \\ &= \lambda_1^2 + (\lambda_2 + L \dot{\theta})^2 \end{aligned}";
        claim d4_14: tex r"I_0 = \int_{-L_2}^{L_1} \frac{1}{\sqrt{\lambda_1^2 + (\lambda_2 + L\dot{\theta})^2}} dL";
        claim d4_15: tex r"I_1 = \int_{-L_2}^{L_1} \frac{L}{\sqrt{\lambda_1^2 + (\lambda_2 + L\dot{\theta})^2}} dL";
        claim d4_16: tex r"I_2 = \int_{-L_2}^{L_1} \frac{L^2}{\sqrt{\lambda_1^2 + (\lambda_2 + L\dot{\theta})^2}} dL";
        claim d4_17 in change: tex r"\begin{aligned} \lambda_1 z &= \lambda_2 + L\dot{\theta} \\ \lambda_1 dz &= \dot{\theta} dL \\ \lambda_1 z_0 &= \lambda_2 - L_2 \dot{\theta} \\ \lambda_1 z_1 &= \lambda_2 + L_1 \dot{\theta} \end{aligned}";
        claim d4_18: tex r"\begin{aligned} J_0 &= \int_{z_0}^{z_1} \frac{1}{\sqrt{1+z^2}} dz \\ &= [\ln(z + \sqrt{1+z^2})]_{z_0}^{z_1} \\ &= \ln(z_1 + \sqrt{1+z_1^2}) - \ln(z_0 + \sqrt{1+z_0^2}) \end{aligned}";
        claim d4_19: tex r"\begin{aligned} J_1 &= \int_{z_0}^{z_1} \frac{z}{\sqrt{1+z^2}} dz \\ &= [\sqrt{1+z^2}]_{z_0}^{z_1} \\ &= \sqrt{1+z_1^2} - \sqrt{1+z_0^2} \end{aligned}";
        claim d4_20: tex r"\begin{aligned} J_2 &= \int_{z_0}^{z_1} \frac{z^2}{\sqrt{1+z^2}} dz \\ &= [(z/2)\sqrt{1+z^2} - (1/2)\ln(z + \sqrt{1+z^2})]_{z_0}^{z_1} \\ &= (z_1/2)\sqrt{1+z_1^2} - (1/2)\ln(z_1 + \sqrt{1+z_1^2}) - (z_0/2)\sqrt{1+z_0^2} + (1/2)\ln(z_0 + \sqrt{1+z_0^2}) \end{aligned}";
        claim d4_21: tex r"\begin{aligned} I_0 &= [\lambda_1 / (|\lambda_1| \dot{\theta})] J_0 \\ I_1 &= [\lambda_1 / (|\lambda_1| \dot{\theta}^2)] [\lambda_1 J_1 - \lambda_2 J_0] \\ I_2 &= [\lambda_1 / (|\lambda_1| \dot{\theta}^3)] [\lambda_1^2 J_2 - 2\lambda_1 \lambda_2 J_1 + \lambda_2^2 J_0] \end{aligned}";
        /// θ̇ sin θ is a misprint for θ̇ cos θ: the velocity of a point is ẏ + L θ̇ cos θ (4.2).
        erratum d4_22: tex r"\begin{aligned} F_x &= -c[\dot{x}I_0 - (\dot{\theta} \sin \theta)I_1] \\ F_y &= -c[\dot{y}I_0 + (\dot{\theta} \sin \theta)I_1] \\ F_\theta &= -c[(-\dot{x} \sin \theta + \dot{y} \cos \theta)I_1 + \dot{\theta}I_2] \end{aligned}";
            corrected: tex r"\begin{aligned} F_x &= -c[\dot{x}I_0 - (\dot{\theta} \sin \theta)I_1] \\ F_y &= -c[\dot{y}I_0 + (\dot{\theta} \cos \theta)I_1] \\ F_\theta &= -c[(-\dot{x} \sin \theta + \dot{y} \cos \theta)I_1 + \dot{\theta}I_2] \end{aligned}";
        claim prose4_1: tex r"c = \mu g \delta_0";
        claim prose4_3: tex r"\lambda_1 = \dot{x} \cos \theta + \dot{y} \sin \theta = (\dot{x}, \dot{y}) \cdot (\cos \theta, \sin \theta)";
        claim prose4_4: tex r"\lambda_2 = -\dot{x} \sin \theta + \dot{y} \cos \theta = (\dot{x}, \dot{y}) \cdot (-\sin \theta, \cos \theta)";
        /// "Degenerate cases that occur, namely when λ₁ = 0 or λ₂ = 0 or θ̇ = 0": with λ₂ = 0 the integrals are those above.
        claim nothing_degenerates when λ_2 = 0: [I_0, I_1, I_2]
            = [λ_1/(abs(λ_1)*θ̇)*J_0, λ_1/(abs(λ_1)*θ̇^2)*λ_1*J_1, λ_1/(abs(λ_1)*θ̇^3)*λ_1^2*J_2];
    }
}
