//! The decoupled friction of a flat board, "the physics hack": rough-plane 5.

eom_core::lagrangian! {
    /// A flat board with decoupled friction.
    pub system FlatBoardHack {
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
        let d = sqrt(α_0^2 + β_0^2);
        let arm = 4/3*α_0*β_0*d + α_0^3/3*ln((d + β_0)/(d - β_0)) + β_0^3/3*ln((d + α_0)/(d - α_0));
        let inertia = 4/3*α_0*β_0*(α_0^2 + β_0^2);
        let μ_0 = 4*δ_0*α_0*β_0;
        let μ_2 = δ_0*inertia;

        kinetic     = μ_0/2*(ẋ^2 + ẏ^2) + μ_2/2*θ̇^2;
        dissipation = μ*g*μ_0*norm([ẋ, ẏ]) + μ*g*δ_0*arm*abs(θ̇);

        /// As the exact board.
        scenario throw {
            ẋ = 1; ẏ = 0.5; θ̇ = 6;
            until t = 2;
        }

        draw {
            trace [x, y];
            box [x, y], 2*α_0, 2*β_0, θ;
        }

        claim d5_14: tex r"\ddot{x} = - \frac{\mu g \dot{x}}{\sqrt{\dot{x}^2 + \dot{y}^2}}";
        claim d5_15: tex r"\ddot{y} = - \frac{\mu g \dot{y}}{\sqrt{\dot{x}^2 + \dot{y}^2}}";
        claim d5_16: tex r"\ddot{\theta} = -\mu g \left(\frac{\int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} \sqrt{\alpha^2 + \beta^2} d\alpha d\beta}{\int_{-\beta_0}^{\beta_0} \int_{-\alpha_0}^{\alpha_0} (\alpha^2 + \beta^2) d\alpha d\beta} \right) \frac{\dot{\theta}}{|\dot{\theta}|}";
    }
}
