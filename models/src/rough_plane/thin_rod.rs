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

        claim d4_1: μ_0*ẍ = integral(-c*(ẋ - s*θ̇*sin(θ))
            /sqrt((ẋ - s*θ̇*sin(θ))^2 + (ẏ + s*θ̇*cos(θ))^2), s in -L2..L1);
        claim d4_2: μ_0*ÿ = integral(-c*(ẏ + s*θ̇*cos(θ))
            /sqrt((ẋ - s*θ̇*sin(θ))^2 + (ẏ + s*θ̇*cos(θ))^2), s in -L2..L1);
        claim d4_3: μ_2*θ̈ = integral(-c*s*(-ẋ*sin(θ) + ẏ*cos(θ) + s*θ̇)
            /sqrt((ẋ - s*θ̇*sin(θ))^2 + (ẏ + s*θ̇*cos(θ))^2), s in -L2..L1);
        claim d4_4: [μ_0, μ_1, μ_2] = [δ_0*(L1 + L2), 0, δ_0*(L1^3 + L2^3)/3];
        claim d4_5a when θ̇ = 0: force(θ) = μ*g/sqrt(ẋ^2 + ẏ^2)*(ẋ*sin(θ) - ẏ*cos(θ))*μ_1;
        claim d4_5b when θ̇ = 0: force(θ) = 0;
        claim d4_6a when θ̇ = 0: ẍ = -μ*g*ẋ/sqrt(ẋ^2 + ẏ^2);
        claim d4_6b when θ̇ = 0: ÿ = -μ*g*ẏ/sqrt(ẋ^2 + ẏ^2);
        claim d4_7 when ẋ = 0, ẏ = 0: force(x)
            = μ*g*θ̇*sin(θ)/abs(θ̇)*integral(δ_0*s/abs(s), s in -L2..L1);
        claim d4_8 when ẋ = 0, ẏ = 0: force(y)
            = -μ*g*θ̇*cos(θ)/abs(θ̇)*integral(δ_0*s/abs(s), s in -L2..L1);
        claim d4_9 when ẋ = 0, ẏ = 0: force(θ)
            = -μ*g*θ̇/abs(θ̇)*integral(δ_0*abs(s), s in -L2..L1);
        claim d4_10: integral(δ_0*s/abs(s), s in -L2..L1) = 0;
        claim d4_11: integral(δ_0*s/abs(s), s in -L2..L1) = δ_0*(L1 + (-L1));
        claim d4_12 when ẋ = 0, ẏ = 0: μ_2*θ̈
            = -(μ*g*integral(δ_0*abs(s), s in -L2..L1))*θ̇/abs(θ̇);
        claim d4_13a: (ẋ - L1*θ̇*sin(θ))^2 + (ẏ + L1*θ̇*cos(θ))^2
            = (ẋ^2 + ẏ^2) + 2*(-ẋ*sin(θ) + ẏ*cos(θ))*L1*θ̇ + (L1*θ̇)^2;
        claim d4_13b: (ẋ - L1*θ̇*sin(θ))^2 + (ẏ + L1*θ̇*cos(θ))^2
            = (ẋ*cos(θ) + ẏ*sin(θ))^2 + ((-ẋ*sin(θ) + ẏ*cos(θ)) + L1*θ̇)^2;
        claim d4_13c: (ẋ - L1*θ̇*sin(θ))^2 + (ẏ + L1*θ̇*cos(θ))^2 = λ_1^2 + (λ_2 + L1*θ̇)^2;
        claim d4_18: integral(1/sqrt(1 + s^2), s in 0..L1) = ln(L1 + sqrt(1 + L1^2));
        claim d4_19: integral(s/sqrt(1 + s^2), s in 0..L1) = sqrt(1 + L1^2) - 1;
        claim d4_20: integral(s^2/sqrt(1 + s^2), s in 0..L1)
            = L1/2*sqrt(1 + L1^2) - 1/2*ln(L1 + sqrt(1 + L1^2));
        claim d4_21a: I_0 = λ_1/(abs(λ_1)*θ̇)*J_0;
        claim d4_21b: I_1 = λ_1/(abs(λ_1)*θ̇^2)*(λ_1*J_1 - λ_2*J_0);
        claim d4_21c: I_2 = λ_1/(abs(λ_1)*θ̇^3)*(λ_1^2*J_2 - 2*λ_1*λ_2*J_1 + λ_2^2*J_0);
        claim d4_22a: force(x) = -c*(ẋ*I_0 - θ̇*sin(θ)*I_1);
        /// θ̇ sin θ is a misprint for θ̇ cos θ: the velocity of a point is ẏ + L θ̇ cos θ (4.2).
        erratum d4_22b: force(y) = -c*(ẏ*I_0 + θ̇*sin(θ)*I_1);
            corrected: force(y) = -c*(ẏ*I_0 + θ̇*cos(θ)*I_1);
        claim d4_22c: force(θ) = -c*((-ẋ*sin(θ) + ẏ*cos(θ))*I_1 + θ̇*I_2);
    }
}
