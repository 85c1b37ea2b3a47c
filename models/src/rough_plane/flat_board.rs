//! A flat board on a rough level plane: rough-plane 5, the friction as a double integral.
//!
//! ```text
//!   r(α, β) = (x, y) + α (cos θ, sin θ) + β (−sin θ, cos θ),  |α| ≤ α₀, |β| ≤ β₀
//!   D = c ∬ |ṙ| dα dβ,  c = μ g δ₀
//! ```

eom_core::lagrangian! {
    /// A homogeneous rectangular board on a rough plane.
    pub system FlatBoard {
        document "rough-plane";

        coordinates {
            /// Centre of mass, m.
            x,
            /// Centre of mass, m.
            y,
            /// Orientation, rad.
            θ,
        }
        parameters {
            /// Half of the length, m.
            α_0 = 0.5 where α_0 > 0,
            /// Half of the width, m.
            β_0 = 0.3 where β_0 > 0,
            /// Mass per area, kg/m².
            δ_0 = 1 where δ_0 > 0,
            /// Gravity, m/s².
            g = 9.81 where g > 0,
            /// Coefficient of friction.
            μ = 0.2 where μ > 0,
        }
        let c = μ*g*δ_0;
        let μ_0 = integral(integral(δ_0, α in -α_0..α_0), β in -β_0..β_0);
        let μ_2 = integral(integral(δ_0*(α^2 + β^2), α in -α_0..α_0), β in -β_0..β_0);

        kinetic     = μ_0/2*(ẋ^2 + ẏ^2) + μ_2/2*θ̇^2;
        dissipation = c*integral(integral(norm([
            ẋ - θ̇*(α*sin(θ) + β*cos(θ)),
            ẏ + θ̇*(α*cos(θ) - β*sin(θ))
        ]), α in -α_0..α_0), β in -β_0..β_0);

        /// Thrown across the plane, turning.
        scenario throw {
            ẋ = 1; ẏ = 0.5; θ̇ = 6;
            until t = 2;
        }

        draw {
            trace [x, y];
            box [x, y], 2*α_0, 2*β_0, θ;
        }

        notation {
            r"F_x(\dot{x}, \dot{y}, \theta, \dot{\theta})" = force(x);
            r"F_y(\dot{x}, \dot{y}, \theta, \dot{\theta})" = force(y);
            r"F_\theta(\dot{x}, \dot{y}, \theta, \dot{\theta})" = force(θ);
            r"F_\theta(\dot{x}, \dot{y}, \theta, 0)" = force(θ);
            r"F_x(0, 0, \theta, \dot{\theta})" = force(x);
            r"F_y(0, 0, \theta, \dot{\theta})" = force(y);
            r"F_\theta(0, 0, \theta, \dot{\theta})" = force(θ);
            r"F_\theta" = force(θ);
        }

        claim d5_1: tex r"\mu_0 \ddot{x} = F_x(\dot{x}, \dot{y}, \theta, \dot{\theta}) = \int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} \frac{-c(\dot{x} - \dot{\theta}(\alpha \sin \theta + \beta \cos \theta))}{\sqrt{(\dot{x} - \dot{\theta}(\alpha \sin \theta + \beta \cos \theta))^2 + (\dot{y} + \dot{\theta}(\alpha \cos \theta - \beta \sin \theta))^2}} d\alpha d\beta";
        claim d5_2: tex r"\mu_0 \ddot{y} = F_y(\dot{x}, \dot{y}, \theta, \dot{\theta}) = \int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} \frac{-c(\dot{y} + \dot{\theta}(\alpha \cos \theta - \beta \sin \theta))}{\sqrt{(\dot{x} - \dot{\theta}(\alpha \sin \theta + \beta \cos \theta))^2 + (\dot{y} + \dot{\theta}(\alpha \cos \theta - \beta \sin \theta))^2}} d\alpha d\beta";
        /// μ₀ is a misprint for μ₂, which the text below uses.
        erratum d5_3: tex r"\mu_0 \ddot{\theta} = F_\theta(\dot{x}, \dot{y}, \theta, \dot{\theta}) = \int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} \frac{-c(-\dot{x}(\alpha \sin \theta + \beta \cos \theta) + \dot{y}(\alpha \cos \theta - \beta \sin \theta) + \dot{\theta}(\alpha^2 + \beta^2))}{\sqrt{(\dot{x} - \dot{\theta}(\alpha \sin \theta + \beta \cos \theta))^2 + (\dot{y} + \dot{\theta}(\alpha \cos \theta - \beta \sin \theta))^2}} d\alpha d\beta";
            corrected: tex r"\mu_2 \ddot{\theta} = F_\theta(\dot{x}, \dot{y}, \theta, \dot{\theta}) = \int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} \frac{-c(-\dot{x}(\alpha \sin \theta + \beta \cos \theta) + \dot{y}(\alpha \cos \theta - \beta \sin \theta) + \dot{\theta}(\alpha^2 + \beta^2))}{\sqrt{(\dot{x} - \dot{\theta}(\alpha \sin \theta + \beta \cos \theta))^2 + (\dot{y} + \dot{\theta}(\alpha \cos \theta - \beta \sin \theta))^2}} d\alpha d\beta";
        claim d5_4: tex r"\mu_0 = \int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} \delta_0 d\alpha d\beta";
        claim d5_5: tex r"\int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} \delta_0 \alpha d\alpha d\beta = 0";
        claim d5_6: tex r"\int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} \delta_0 \beta d\alpha d\beta = 0";
        claim d5_7: tex r"\mu_2 = \int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} \delta_0 (\alpha^2 + \beta^2) d\alpha d\beta";
        claim d5_8 when θ̇ = 0: tex r"\begin{aligned} F_\theta(\dot{x}, \dot{y}, \theta, 0) &= \int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} \frac{-c(-\dot{x}(\alpha \sin \theta + \beta \cos \theta) + \dot{y}(\alpha \cos \theta - \beta \sin \theta))}{\sqrt{\dot{x}^2 + \dot{y}^2}} d\alpha d\beta \\ &= \frac{\mu g}{\sqrt{\dot{x}^2 + \dot{y}^2}} \left[(\dot{x} \sin \theta - \dot{y} \cos \theta) \int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} \delta_0 \alpha d\alpha d\beta + (\dot{x} \cos \theta + \dot{y} \sin \theta) \int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} \delta_0 \beta d\alpha d\beta \right] \\ &= 0 \end{aligned}";
        claim d5_9 when θ̇ = 0: tex r"\ddot{x} = -\frac{\mu g \dot{x}}{\sqrt{\dot{x}^2 + \dot{y}^2}}, \quad \ddot{y} = -\frac{\mu g \dot{y}}{\sqrt{\dot{x}^2 + \dot{y}^2}}";
        /// At the centre of the board the integrands are 0/0, and bounded beside it.
        claim d5_10 when ẋ = 0, ẏ = 0: tex r"F_x(0, 0, \theta, \dot{\theta}) = \mu g \frac{\dot{\theta}}{|\dot{\theta}|} \left[\sin \theta \int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} \frac{\delta_0 \alpha}{\sqrt{\alpha^2 + \beta^2}} d\alpha d\beta + \cos \theta \int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} \frac{\delta_0 \beta}{\sqrt{\alpha^2 + \beta^2}} d\alpha d\beta \right] = 0";
        claim d5_11 when ẋ = 0, ẏ = 0: tex r"F_y(0, 0, \theta, \dot{\theta}) = \mu g \frac{\dot{\theta}}{|\dot{\theta}|} \left[\cos \theta \int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} \frac{\delta_0 \alpha}{\sqrt{\alpha^2 + \beta^2}} d\alpha d\beta - \sin \theta \int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} \frac{\delta_0 \beta}{\sqrt{\alpha^2 + \beta^2}} d\alpha d\beta \right] = 0";
        claim d5_12 when ẋ = 0, ẏ = 0: tex r"F_\theta(0, 0, \theta, \dot{\theta}) = -\mu g \frac{\dot{\theta}}{|\dot{\theta}|} \int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} \delta_0 \sqrt{\alpha^2 + \beta^2} d\alpha d\beta";
        claim d5_13 when ẋ = 0, ẏ = 0: tex r"\mu_2 \ddot{\theta} = - \left(\mu g \int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} \delta_0 \sqrt{\alpha^2 + \beta^2} d\alpha d\beta \right) \frac{\dot{\theta}}{|\dot{\theta}|}";
        /// The factors of the logarithms are 1/3, not 1/2: ln((d+b)/(d−b)) = 2 ln((d+b)/a), and the integral is
        /// (4/3)abd + (2/3)(a³ ln((d+b)/a) + b³ ln((d+a)/b)).
        erratum d5_17: tex r"\int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} \sqrt{\alpha^2 + \beta^2} d\alpha d\beta = \frac{4}{3} \alpha_0 \beta_0 \sqrt{\alpha_0^2 + \beta_0^2} + \frac{\alpha_0^3}{2} \ln \left(\frac{\sqrt{\alpha_0^2 + \beta_0^2} + \beta_0}{\sqrt{\alpha_0^2 + \beta_0^2} - \beta_0} \right) + \frac{\beta_0^3}{2} \ln \left(\frac{\sqrt{\alpha_0^2 + \beta_0^2} + \alpha_0}{\sqrt{\alpha_0^2 + \beta_0^2} - \alpha_0} \right)";
            corrected: tex r"\int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} \sqrt{\alpha^2 + \beta^2} d\alpha d\beta = \frac{4}{3} \alpha_0 \beta_0 \sqrt{\alpha_0^2 + \beta_0^2} + \frac{\alpha_0^3}{3} \ln \left(\frac{\sqrt{\alpha_0^2 + \beta_0^2} + \beta_0}{\sqrt{\alpha_0^2 + \beta_0^2} - \beta_0} \right) + \frac{\beta_0^3}{3} \ln \left(\frac{\sqrt{\alpha_0^2 + \beta_0^2} + \alpha_0}{\sqrt{\alpha_0^2 + \beta_0^2} - \alpha_0} \right)";
        claim d5_18: tex r"\int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} (\alpha^2 + \beta^2) d\alpha d\beta = \frac{4}{3} \alpha_0 \beta_0 (\alpha_0^2 + \beta_0^2)";
        claim prose5_1: tex r"c = \mu g \delta_0";
        claim prose5_2: tex r"\mu_2 \ddot{\theta} = F_\theta";
    }
}
