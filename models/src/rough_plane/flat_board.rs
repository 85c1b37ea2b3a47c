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

        claim d5_1: μ_0*ẍ = integral(integral(-c*(ẋ - θ̇*(α*sin(θ) + β*cos(θ)))
            /sqrt((ẋ - θ̇*(α*sin(θ) + β*cos(θ)))^2 + (ẏ + θ̇*(α*cos(θ) - β*sin(θ)))^2),
            α in -α_0..α_0), β in -β_0..β_0);
        claim d5_2: μ_0*ÿ = integral(integral(-c*(ẏ + θ̇*(α*cos(θ) - β*sin(θ)))
            /sqrt((ẋ - θ̇*(α*sin(θ) + β*cos(θ)))^2 + (ẏ + θ̇*(α*cos(θ) - β*sin(θ)))^2),
            α in -α_0..α_0), β in -β_0..β_0);
        /// μ₀ is a misprint for μ₂, which the text below uses.
        erratum d5_3: μ_0*θ̈ = integral(integral(
            -c*(-ẋ*(α*sin(θ) + β*cos(θ)) + ẏ*(α*cos(θ) - β*sin(θ)) + θ̇*(α^2 + β^2))
            /sqrt((ẋ - θ̇*(α*sin(θ) + β*cos(θ)))^2 + (ẏ + θ̇*(α*cos(θ) - β*sin(θ)))^2),
            α in -α_0..α_0), β in -β_0..β_0);
            corrected: μ_2*θ̈ = integral(integral(
            -c*(-ẋ*(α*sin(θ) + β*cos(θ)) + ẏ*(α*cos(θ) - β*sin(θ)) + θ̇*(α^2 + β^2))
            /sqrt((ẋ - θ̇*(α*sin(θ) + β*cos(θ)))^2 + (ẏ + θ̇*(α*cos(θ) - β*sin(θ)))^2),
            α in -α_0..α_0), β in -β_0..β_0);
        claim d5_4: μ_0 = 4*δ_0*α_0*β_0;
        claim d5_5: integral(integral(δ_0*α, α in -α_0..α_0), β in -β_0..β_0) = 0;
        claim d5_6: integral(integral(δ_0*β, α in -α_0..α_0), β in -β_0..β_0) = 0;
        claim d5_7: μ_2 = 4/3*δ_0*α_0*β_0*(α_0^2 + β_0^2);
        claim d5_8 when θ̇ = 0: force(θ) = 0;
        claim d5_9a when θ̇ = 0: ẍ = -μ*g*ẋ/sqrt(ẋ^2 + ẏ^2);
        claim d5_9b when θ̇ = 0: ÿ = -μ*g*ẏ/sqrt(ẋ^2 + ẏ^2);
        /// The integrals of α/√(α² + β²) and β/√(α² + β²) over the board vanish.
        claim d5_10 when ẋ = 0, ẏ = 0: force(x) = 0;
        /// As for x; the printed bracket should have −sin θ, which does not matter where both vanish.
        claim d5_11 when ẋ = 0, ẏ = 0: force(y) = 0;
        claim d5_12 when ẋ = 0, ẏ = 0: force(θ) = -μ*g*θ̇/abs(θ̇)
            *integral(integral(δ_0*sqrt(α^2 + β^2), α in -α_0..α_0), β in -β_0..β_0);
        claim d5_13 when ẋ = 0, ẏ = 0: μ_2*θ̈ = -(μ*g
            *integral(integral(δ_0*sqrt(α^2 + β^2), α in -α_0..α_0), β in -β_0..β_0))*θ̇/abs(θ̇);
        /// The factors of the logarithms are 1/3, not 1/2: ln((d+b)/(d−b)) = 2 ln((d+b)/a), and the
        /// integral is (4/3)abd + (2/3)(a³ ln((d+b)/a) + b³ ln((d+a)/b)).
        erratum d5_17: integral(integral(sqrt(α^2 + β^2), α in -α_0..α_0), β in -β_0..β_0)
            = 4/3*α_0*β_0*sqrt(α_0^2 + β_0^2)
            + α_0^3/2*ln((sqrt(α_0^2 + β_0^2) + β_0)/(sqrt(α_0^2 + β_0^2) - β_0))
            + β_0^3/2*ln((sqrt(α_0^2 + β_0^2) + α_0)/(sqrt(α_0^2 + β_0^2) - α_0));
            corrected: integral(integral(sqrt(α^2 + β^2), α in -α_0..α_0), β in -β_0..β_0)
            = 4/3*α_0*β_0*sqrt(α_0^2 + β_0^2)
            + α_0^3/3*ln((sqrt(α_0^2 + β_0^2) + β_0)/(sqrt(α_0^2 + β_0^2) - β_0))
            + β_0^3/3*ln((sqrt(α_0^2 + β_0^2) + α_0)/(sqrt(α_0^2 + β_0^2) - α_0));
        claim d5_18: integral(integral(α^2 + β^2, α in -α_0..α_0), β in -β_0..β_0)
            = 4/3*α_0*β_0*(α_0^2 + β_0^2);
    }
}
