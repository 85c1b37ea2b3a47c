//! A solid box that slides on an inclined rough plane: rough-plane 6.
//!
//! ```text
//!   p = (x, w cos φ − h sin φ, w sin φ + h cos φ),  r = p + α u₁ + β u₂ + γ u₃
//!   the face γ = −h, |α| ≤ a, |β| ≤ b lies on the plane;  D = c ∬ |ṙ| dα dβ
//! ```
//!
//! The document leaves c open; here c = μ g cos φ · (mass per area of the face), so that c times the
//! area is μ times the normal force.

eom_core::lagrangian! {
    /// A homogeneous box on an inclined rough plane.
    pub system SolidBox {
        document "rough-plane";

        coordinates {
            /// Across the slope, m.
            x,
            /// Up the slope, m.
            w,
            /// Orientation on the plane, rad.
            θ,
        }
        parameters {
            /// Half of the length, m.
            a = 0.5 where a > 0,
            /// Half of the width, m.
            b = 0.3 where b > 0,
            /// Half of the height, m.
            h = 0.2 where h > 0,
            /// Mass per volume, kg/m³ (the document's m of section 6).
            m = 1 where m > 0,
            /// Gravity, m/s².
            g = 9.81 where g > 0,
            /// Inclination of the plane, rad.
            φ = 0.3 where φ >= 0 && φ < 1.5,
            /// Coefficient of friction.
            μ = 0.4 where μ > 0,
        }
        let c = μ*g*cos(φ)*2*h*m;
        let p = [x, w*cos(φ) - h*sin(φ), w*sin(φ) + h*cos(φ)];
        let u_1 = [cos(θ), -sin(θ)*cos(φ), -sin(θ)*sin(φ)];
        let u_2 = [sin(θ), cos(θ)*cos(φ), cos(θ)*sin(φ)];
        let M = 8*a*b*h*m;

        kinetic   = M/2*dot(p_dot, p_dot) + 8*a*b*h*m*(a^2 + b^2)/6*θ̇^2;
        potential = M*g*p[3];
        dissipation = c*integral(integral(norm([
            ẋ + θ̇*(-α*sin(θ) + β*cos(θ)),
            ẇ - θ̇*(α*cos(θ) + β*sin(θ))
        ]), α in -a..a), β in -b..b);

        /// Thrown up the slope, turning.
        scenario throw {
            ẋ = 0.5; ẇ = 2; θ̇ = 5;
            until t = 2;
        }

        draw {
            ground z = sin(φ)/cos(φ)*y;
            trace p;
            box p, 2*a, 2*b, 2*h, rotation transpose([u_1, u_2, [0, -sin(φ), cos(φ)]]);
        }

        // The point (α, β, γ) = (a, b, 0).
        let r = p + a*u_1 + b*u_2;
        let r_x = r[1];
        let r_y = r[2];
        let r_z = r[3];
        let V = M*g*p[3];
        claim d6_4a: u_1_dot = θ̇*[-sin(θ), -cos(θ)*cos(φ), -cos(θ)*sin(φ)];
        claim d6_4b: u_2_dot = θ̇*[cos(θ), -sin(θ)*cos(φ), -sin(θ)*sin(φ)];
        /// ∂r/∂x, ∂r/∂w (6.5) and ∂r/∂θ (6.6), as differentials.
        claim d6_6a: dr_x = dx + (-a*sin(θ) + b*cos(θ))*dθ;
        claim d6_6b: dr_y = cos(φ)*dw - cos(φ)*(a*cos(θ) + b*sin(θ))*dθ;
        claim d6_6c: dr_z = sin(φ)*dw - sin(φ)*(a*cos(θ) + b*sin(θ))*dθ;
        /// The velocity of the point.
        claim d6_7: r_dot = [
            ẋ + θ̇*(-a*sin(θ) + b*cos(θ)),
            cos(φ)*(ẇ - θ̇*(a*cos(θ) + b*sin(θ))),
            sin(φ)*(ẇ - θ̇*(a*cos(θ) + b*sin(θ)))
        ];
        /// F_x = F_θ = 0, F_w = −(m g sin φ)(8abh): the differential of the potential.
        claim d6_8: dV = (m*g*sin(φ))*(8*a*b*h)*dw;
        claim d6_10a: force(x) = integral(integral(-c*(ẋ + θ̇*(-α*sin(θ) + β*cos(θ)))
            /sqrt((ẋ + θ̇*(-α*sin(θ) + β*cos(θ)))^2 + (ẇ - θ̇*(α*cos(θ) + β*sin(θ)))^2),
            α in -a..a), β in -b..b);
        claim d6_10b: force(w) = integral(integral(-c*(ẇ - θ̇*(α*cos(θ) + β*sin(θ)))
            /sqrt((ẋ + θ̇*(-α*sin(θ) + β*cos(θ)))^2 + (ẇ - θ̇*(α*cos(θ) + β*sin(θ)))^2),
            α in -a..a), β in -b..b);
        /// The sign of the ẇ term is a misprint: v·∂r/∂θ has −ẇ(α cos θ + β sin θ), by the ∂r/∂θ of (6.6).
        erratum d6_10c: force(θ) = integral(integral(
            -c*(ẋ*(-α*sin(θ) + β*cos(θ)) + ẇ*(α*cos(θ) + β*sin(θ)) + θ̇*(α^2 + β^2))
            /sqrt((ẋ + θ̇*(-α*sin(θ) + β*cos(θ)))^2 + (ẇ - θ̇*(α*cos(θ) + β*sin(θ)))^2),
            α in -a..a), β in -b..b);
            corrected: force(θ) = integral(integral(
            -c*(ẋ*(-α*sin(θ) + β*cos(θ)) - ẇ*(α*cos(θ) + β*sin(θ)) + θ̇*(α^2 + β^2))
            /sqrt((ẋ + θ̇*(-α*sin(θ) + β*cos(θ)))^2 + (ẇ - θ̇*(α*cos(θ) + β*sin(θ)))^2),
            α in -a..a), β in -b..b);
    }
}
