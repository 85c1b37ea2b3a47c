//! Several particles on a rough level plane: rough-plane 3.
//!
//! The document gives each particle by its distance L_i from the centre of mass and the angle φ_i of
//! its arm in the body, with Σ m_i L_i cos φ_i = Σ m_i L_i sin φ_i = 0. Here the parameters are places
//! (a_i, b_i) in any axes of the body; the centre of mass is subtracted, so that the sums vanish by
//! themselves.

eom_core::lagrangian! {
    /// Four particles of a rigid body on a rough plane.
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
            /// Masses, kg.
            m[i in 1..=4] = i/4 where m[i] > 0,
            /// Places in the body, m.
            a[i in 1..=4] = i^2/20,
            /// Places in the body, m.
            b[i in 1..=4] = (i - 2)^3/20,
            /// Gravity, m/s².
            g = 9.81 where g > 0,
            /// Coefficient of friction.
            μ = 0.2 where μ > 0,
        }
        let M = sum(m[i], i in 1..=4);
        let p[i in 1..=4] = a[i] - sum(m[k]*a[k], k in 1..=4)/M;
        let q[i in 1..=4] = b[i] - sum(m[k]*b[k], k in 1..=4)/M;
        let L[i in 1..=4] = norm([p[i], q[i]]);
        let φ[i in 1..=4] = atan2(q[i], p[i]);
        let X[i in 1..=4] = x + L[i]*cos(θ + φ[i]);
        let Y[i in 1..=4] = y + L[i]*sin(θ + φ[i]);
        let μ_2 = sum(m[i]*L[i]^2, i in 1..=4);

        kinetic     = sum(m[i]/2*(Ẋ[i]^2 + Ẏ[i]^2), i in 1..=4);
        dissipation = sum(μ*g*m[i]*norm([Ẋ[i], Ẏ[i]]), i in 1..=4);

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

        claim d3_1a when θ̇ = 0: force(θ) = -sum(
            μ*g*m[i]*L[i]*(-ẋ*sin(θ + φ[i]) + ẏ*cos(θ + φ[i])), i in 1..=4)/sqrt(ẋ^2 + ẏ^2);
        claim d3_1b when θ̇ = 0: force(θ) = 0;
        claim d3_2a when θ̇ = 0: ẍ = -μ*g*ẋ/sqrt(ẋ^2 + ẏ^2);
        claim d3_2b when θ̇ = 0: ÿ = -μ*g*ẏ/sqrt(ẋ^2 + ẏ^2);
        claim d3_3a when ẋ = 0, ẏ = 0: force(x) = μ*g*θ̇/abs(θ̇)*sum(m[i]*sin(θ + φ[i]), i in 1..=4);
        claim d3_3b when ẋ = 0, ẏ = 0: force(y) = -μ*g*θ̇/abs(θ̇)*sum(m[i]*cos(θ + φ[i]), i in 1..=4);
        claim d3_3c when ẋ = 0, ẏ = 0: force(θ) = -μ*g*θ̇/abs(θ̇)*sum(m[i]*L[i], i in 1..=4);
        /// The balance that keeps the centre at rest does not depend on θ.
        claim d3_4 when sum(m[i]*cos(φ[i]), i in 1..=4) = 0, sum(m[i]*sin(φ[i]), i in 1..=4) = 0,
            ẋ = 0, ẏ = 0: [force(x), force(y)] = [0, 0];
        claim d3_5 when ẋ = 0, ẏ = 0: μ_2*θ̈ = -(μ*g*sum(m[i]*L[i], i in 1..=4))*θ̇/abs(θ̇);
    }
}
