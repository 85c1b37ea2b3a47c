//! The decoupled friction of a box on an inclined plane: rough-plane 6.

eom_core::lagrangian! {
    /// A box on an inclined plane with decoupled friction.
    pub system SolidBoxHack {
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
            /// Mass, kg.
            m = 0.24 where m > 0,
            /// Gravity, m/s².
            g = 9.81 where g > 0,
            /// Inclination of the plane, rad.
            φ = 0.3 where φ >= 0 && φ < 1.5,
            /// Coefficient of friction: the document's μ times the cosine of φ where it is that of Coulomb.
            μ = 0.4*cos(φ) where μ > 0,
        }
        let d = sqrt(a^2 + b^2);
        let arm = (4/3*a*b*d + a^3/3*ln((d + b)/(d - b)) + b^3/3*ln((d + a)/(d - a)))/(4*a*b);
        let inertia = (a^2 + b^2)/3;

        kinetic     = m/2*(ẋ^2 + ẇ^2) + m*inertia/2*θ̇^2;
        potential   = m*g*w*sin(φ);
        dissipation = μ*m*g*norm([ẋ, ẇ]) + μ*m*g*arm*abs(θ̇);

        /// As the exact box.
        scenario throw {
            ẋ = 0.5; ẇ = 2; θ̇ = 5;
            until t = 2;
        }

        draw {
            trace [x, w];
            box [x, w], 2*a, 2*b, -θ;
        }

        notation {
            /// The coefficient of Coulomb, as in section 1; the declaration's μ is that times cos φ.
            reading r"\mu" = μ/cos(φ);
        }

        /// Friction is μ times the normal force m g cos φ, as in section 1: a factor cos φ is missing.
        erratum d6_11: tex r"\ddot{x} = -\frac{\mu g \dot{x}}{\sqrt{\dot{x}^2 + \dot{w}^2}}";
            corrected: tex r"\ddot{x} = -\frac{\mu g \cos \phi \dot{x}}{\sqrt{\dot{x}^2 + \dot{w}^2}}";
        /// Friction is μ times the normal force m g cos φ, as in section 1: a factor cos φ is missing.
        erratum d6_12: tex r"\ddot{w} = -\frac{\mu g \dot{w}}{\sqrt{\dot{x}^2 + \dot{w}^2}} - g \sin \phi";
            corrected: tex r"\ddot{w} = -\frac{\mu g \cos \phi \dot{w}}{\sqrt{\dot{x}^2 + \dot{w}^2}} - g \sin \phi";
        /// Friction is μ times the normal force m g cos φ, as in section 1: a factor cos φ is missing.
        erratum d6_13: tex r"\ddot{\theta} = -\mu g \left(\frac{\int_{-b}^b \int_{-a}^a \sqrt{\alpha^2 + \beta^2} d\alpha d\beta}{\int_{-b}^b \int_{-a}^a (\alpha^2 + \beta^2) d\alpha d\beta} \right) \frac{\dot{\theta}}{|\dot{\theta}|}";
            corrected: tex r"\ddot{\theta} = -\mu g \cos \phi \left(\frac{\int_{-b}^b \int_{-a}^a \sqrt{\alpha^2 + \beta^2} d\alpha d\beta}{\int_{-b}^b \int_{-a}^a (\alpha^2 + \beta^2) d\alpha d\beta} \right) \frac{\dot{\theta}}{|\dot{\theta}|}";
    }
}
