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

        claim d2_1: μ_0*ẍ = -c1*(ẋ - L1*θ̇*sin(θ))/sqrt((ẋ - L1*θ̇*sin(θ))^2 + (ẏ + L1*θ̇*cos(θ))^2)
            - c2*(ẋ + L2*θ̇*sin(θ))/sqrt((ẋ + L2*θ̇*sin(θ))^2 + (ẏ - L2*θ̇*cos(θ))^2);
        claim d2_2: μ_0*ÿ = -c1*(ẏ + L1*θ̇*cos(θ))/sqrt((ẋ - L1*θ̇*sin(θ))^2 + (ẏ + L1*θ̇*cos(θ))^2)
            - c2*(ẏ - L2*θ̇*cos(θ))/sqrt((ẋ + L2*θ̇*sin(θ))^2 + (ẏ - L2*θ̇*cos(θ))^2);
        claim d2_3: μ_2*θ̈
            = -c1*L1*(-ẋ*sin(θ) + ẏ*cos(θ) + L1*θ̇)/sqrt((ẋ - L1*θ̇*sin(θ))^2 + (ẏ + L1*θ̇*cos(θ))^2)
            - c2*L2*(ẋ*sin(θ) - ẏ*cos(θ) + L2*θ̇)/sqrt((ẋ + L2*θ̇*sin(θ))^2 + (ẏ - L2*θ̇*cos(θ))^2);
        claim d2_4: m1*[x1 - x, y1 - y] + m2*[x2 - x, y2 - y] = [0, 0];
        claim d2_5: m1*L1 - m2*L2 = 0;
        /// L is the distance of the particles.
        claim d2_6: norm([x2 - x1, y2 - y1]) = L;
        claim d2_7 when θ̇ = 0: force(θ) = 0;
        /// The sign between the two terms of each numerator is a misprint: both forces oppose the
        /// motion. The right sides hold.
        erratum d2_8a when θ̇ = 0: force(x) = -(c1*ẋ - c2*ẋ)/sqrt(ẋ^2 + ẏ^2);
            corrected: force(x) = -μ*g*μ_0*ẋ/sqrt(ẋ^2 + ẏ^2);
        /// As for x.
        erratum d2_8b when θ̇ = 0: force(y) = -(c1*ẏ - c2*ẏ)/sqrt(ẋ^2 + ẏ^2);
            corrected: force(y) = -μ*g*μ_0*ẏ/sqrt(ẋ^2 + ẏ^2);
        claim d2_9a when θ̇ = 0: ẍ = -μ*g*ẋ/sqrt(ẋ^2 + ẏ^2);
        claim d2_9b when θ̇ = 0: ÿ = -μ*g*ẏ/sqrt(ẋ^2 + ẏ^2);
        claim d2_10a when ẋ = 0, ẏ = 0: force(x) = μ*g*(m1 - m2)*θ̇*sin(θ)/abs(θ̇);
        claim d2_10b when ẋ = 0, ẏ = 0: force(y) = -μ*g*(m1 - m2)*θ̇*cos(θ)/abs(θ̇);
        claim d2_10c when ẋ = 0, ẏ = 0: force(θ) = -μ*g*(m1*L1 + m2*L2)*θ̇/abs(θ̇);
        claim d2_11 when ẋ = 0, ẏ = 0:
            [force(x), force(y)] = μ*g*(m1 - m2)*θ̇/abs(θ̇)*[sin(θ), -cos(θ)];
        claim d2_12 when ẋ = 0, ẏ = 0, m1 = m2: μ_2*θ̈ = -2*μ*g*m1*L1*θ̇/abs(θ̇);
    }
}
