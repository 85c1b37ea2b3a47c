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

        claim d2_13a: force(x) = -c1*(ẋ - L1*θ̇*sin(θ)) - c2*(ẋ + L2*θ̇*sin(θ));
        claim d2_13b: force(x) = -μ*g*μ_0*ẋ;
        claim d2_14: force(y) = -μ*g*μ_0*ẏ;
        claim d2_15a: force(θ) = -c1*L1*(-ẋ*sin(θ) + ẏ*cos(θ) + L1*θ̇)
            - c2*L2*(ẋ*sin(θ) - ẏ*cos(θ) + L2*θ̇);
        claim d2_15b: force(θ) = -μ*g*μ_2*θ̇;
        claim d2_16a: ẍ = -μ*g*ẋ;
        claim d2_16b: ÿ = -μ*g*ẏ;
        claim d2_16c: θ̈ = -μ*g*θ̇;
        claim d2_17: motion(x0, y0, θ0, u, v, ω) {
            x = x0 + u/(μ*g)*(1 - exp(-μ*g*t));
            y = y0 + v/(μ*g)*(1 - exp(-μ*g*t));
            θ = θ0 + ω/(μ*g)*(1 - exp(-μ*g*t));
        };
    }
}
