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
        let u_3 = [0, -sin(φ), cos(φ)];
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

        let V = M*g*p[3];

        notation {
            r"\mathbf{p}" = p;
            r"\mathbf{u}_1" = u_1;
            r"\mathbf{u}_2" = u_2;
            r"\mathbf{u}_3" = u_3;
            /// Any point of the box.
            r"\alpha" = a;
            r"\beta" = b;
            r"\gamma" = μ;
            r"\mathbf{r}" = p + a*u_1 + b*u_2 + μ*u_3;
            r"\mathbf{v}" = p_dot + a*u_1_dot + b*u_2_dot;
            r"\int_R dR" = α in -a..a, β in -b..b;
            r"\int_{\mathcal{V}} d\mathcal{V}" = α in -a..a, β in -b..b, γ in -h..h;
            r"\mathbf{k}" = [0, 0, 1];
            r"\mathbf{F}_{\text{grav}}" = [0, 0, -M*g];
            /// The document leaves c open; μ times the normal force over the face.
            c = c;
            /// The mass of the box, as in the sections before; the declaration has m for the mass per volume.
            reading m = M;
        }
        notation gravity {
            r"F_x" = -partial(V, x);
            r"F_w" = -partial(V, w);
            r"F_\theta" = -partial(V, θ);
            r"\mathbf{r}" = p + α*u_1 + β*u_2 + γ*u_3;
        }
        /// At one point of the face.
        notation point {
            r"\mathbf{v}(\alpha, \beta, -h)" = p_dot + a*u_1_dot + b*u_2_dot;
            r"\mathbf{F}_{\text{fric}}" = -c*(p_dot + a*u_1_dot + b*u_2_dot)/norm(p_dot + a*u_1_dot + b*u_2_dot);
        }
        notation face {
            r"F_x" = force(x);
            r"F_w" = force(w);
            r"F_\theta" = force(θ);
            r"\mathbf{r}" = p + α*u_1 + β*u_2 - h*u_3;
            r"\mathbf{F}_{\text{fric}}" = -c*(p_dot + α*u_1_dot + β*u_2_dot)/norm(p_dot + α*u_1_dot + β*u_2_dot);
        }

        claim d6_1: tex r"\mathbf{p} = (x, w \cos \phi - h \sin \phi, w \sin \phi + h \cos \phi)";
        claim d6_2: tex r"\mathbf{r} = \mathbf{p} + \alpha \mathbf{u}_1 + \beta \mathbf{u}_2 + \gamma \mathbf{u}_3";
        claim d6_3: tex r"\mathbf{u}_1 = (\cos \theta, -\sin \theta \cos \phi, -\sin \theta \sin \phi), \quad \mathbf{u}_2 = (\sin \theta, \cos \theta \cos \phi, \cos \theta \sin \phi), \quad \mathbf{u}_3 = (0, -\sin \phi, \cos \phi)";
        claim d6_4: tex r"\frac{\partial \mathbf{u}_1}{\partial \theta} = (-\sin \theta, -\cos \theta \cos \phi, -\cos \theta \sin \phi), \quad \frac{\partial \mathbf{u}_2}{\partial \theta} = (\cos \theta, -\sin \theta \cos \phi, -\sin \theta \sin \phi)";
        claim d6_5: tex r"\frac{\partial \mathbf{r}}{\partial x} = (1, 0, 0), \quad \frac{\partial \mathbf{r}}{\partial w} = (0, \cos \phi, \sin \phi),";
        claim d6_6: tex r"\frac{\partial \mathbf{r}}{\partial \theta} = \alpha \frac{\partial \mathbf{u}_1}{\partial \theta} + \beta \frac{\partial \mathbf{u}_2}{\partial \theta} = (-\alpha \sin \theta + \beta \cos \theta, -\cos \phi(\alpha \cos \theta + \beta \sin \theta), -\sin \phi(\alpha \cos \theta + \beta \sin \theta))";
        claim d6_7: tex r"\begin{aligned} \mathbf{v} &= \dot{\mathbf{r}} = \dot{\mathbf{p}} + \alpha \dot{\mathbf{u}}_1 + \beta \dot{\mathbf{u}}_2 = \dot{\mathbf{p}} + \dot{\theta} \left(\alpha \frac{\partial \mathbf{u}_1}{\partial \theta} + \beta \frac{\partial \mathbf{u}_2}{\partial \theta} \right) \\ &= (\dot{x} + \dot{\theta}(-\alpha \sin \theta + \beta \cos \theta), \cos \phi(\dot{w} - \dot{\theta}(\alpha \cos \theta + \beta \sin \theta)), \sin \phi(\dot{w} - \dot{\theta}(\alpha \cos \theta + \beta \sin \theta))) \end{aligned}";
        /// The force on the centre of mass is integrated over the volume, which makes it 8abh times as large: what is
        /// integrated is the force on a unit of volume, m/(8abh).
        erratum d6_8 in gravity: tex r"\begin{aligned} F_x &= \int_{\mathcal{V}} \mathbf{F}_{\text{grav}} \cdot \frac{\partial \mathbf{r}}{\partial x} d\mathcal{V} = \int_{\mathcal{V}} -mg\mathbf{k} \cdot (1, 0, 0) d\mathcal{V} = 0 \\ F_w &= \int_{\mathcal{V}} \mathbf{F}_{\text{grav}} \cdot \frac{\partial \mathbf{r}}{\partial w} d\mathcal{V} = \int_{\mathcal{V}} -mg\mathbf{k} \cdot (0, \cos \phi, \sin \phi) d\mathcal{V} = -(mg \sin \phi)(8abh) \\ F_\theta &= \int_{\mathcal{V}} \mathbf{F}_{\text{grav}} \cdot \frac{\partial \mathbf{r}}{\partial \theta} d\mathcal{V} = \int_{\mathcal{V}} -mg\mathbf{k} \cdot \left(\alpha \frac{\partial \mathbf{u}_1}{\partial \theta} + \beta \frac{\partial \mathbf{u}_2}{\partial \theta} \right) d\mathcal{V} = mg \sin \phi \int_{\mathcal{V}} (\alpha \cos \theta + \beta \sin \theta) d\mathcal{V} = 0 \end{aligned}";
            corrected: tex r"\begin{aligned} F_x &= \int_{\mathcal{V}} \mathbf{F}_{\text{grav}} \cdot \frac{\partial \mathbf{r}}{\partial x} d\mathcal{V} = \int_{\mathcal{V}} -mg\mathbf{k} \cdot (1, 0, 0) d\mathcal{V} = 0 \\ 8abh F_w &= \int_{\mathcal{V}} \mathbf{F}_{\text{grav}} \cdot \frac{\partial \mathbf{r}}{\partial w} d\mathcal{V} = \int_{\mathcal{V}} -mg\mathbf{k} \cdot (0, \cos \phi, \sin \phi) d\mathcal{V} = -(mg \sin \phi)(8abh) \\ F_\theta &= \int_{\mathcal{V}} \mathbf{F}_{\text{grav}} \cdot \frac{\partial \mathbf{r}}{\partial \theta} d\mathcal{V} = \int_{\mathcal{V}} -mg\mathbf{k} \cdot \left(\alpha \frac{\partial \mathbf{u}_1}{\partial \theta} + \beta \frac{\partial \mathbf{u}_2}{\partial \theta} \right) d\mathcal{V} = mg \sin \phi \int_{\mathcal{V}} (\alpha \cos \theta + \beta \sin \theta) d\mathcal{V} = 0 \end{aligned}";
        claim prose6_2 in gravity: tex r"\mathbf{F}_{\text{grav}} = -mg\mathbf{k} = -mg(0, 0, 1)";
        claim d6_9 in point: tex r"\mathbf{F}_{\text{fric}} = -c \frac{\mathbf{v}(\alpha, \beta, -h)}{|\mathbf{v}(\alpha, \beta, -h)|}";
        /// The sign of the ẇ term is a misprint: v·∂r/∂θ has −ẇ(α cos θ + β sin θ), by the ∂r/∂θ of (6.6).
        erratum d6_10 in face: tex r"\begin{aligned} F_x &= \int_R \mathbf{F}_{\text{fric}} \cdot \frac{\partial \mathbf{r}}{\partial x} dR \\ &= \int_R \frac{-c(\dot{x} + \dot{\theta}(-\alpha \sin \theta + \beta \cos \theta))}{\sqrt{(\dot{x} + \dot{\theta}(-\alpha \sin \theta + \beta \cos \theta))^2 + (\dot{w} - \dot{\theta}(\alpha \cos \theta + \beta \sin \theta))^2}} dR \\ F_w &= \int_R \mathbf{F}_{\text{fric}} \cdot \frac{\partial \mathbf{r}}{\partial w} dR \\ &= \int_R \frac{-c(\dot{w} - \dot{\theta}(\alpha \cos \theta + \beta \sin \theta))}{\sqrt{(\dot{x} + \dot{\theta}(-\alpha \sin \theta + \beta \cos \theta))^2 + (\dot{w} - \dot{\theta}(\alpha \cos \theta + \beta \sin \theta))^2}} dR \\ F_\theta &= \int_R \mathbf{F}_{\text{fric}} \cdot \frac{\partial \mathbf{r}}{\partial \theta} dR \\ &= \int_R \frac{-c(\dot{x}(-\alpha \sin \theta + \beta \cos \theta) + \dot{w}(\alpha \cos \theta + \beta \sin \theta) + \dot{\theta}(\alpha^2 + \beta^2))}{\sqrt{(\dot{x} + \dot{\theta}(-\alpha \sin \theta + \beta \cos \theta))^2 + (\dot{w} - \dot{\theta}(\alpha \cos \theta + \beta \sin \theta))^2}} dR \end{aligned}";
            corrected: tex r"\begin{aligned} F_x &= \int_R \mathbf{F}_{\text{fric}} \cdot \frac{\partial \mathbf{r}}{\partial x} dR \\ &= \int_R \frac{-c(\dot{x} + \dot{\theta}(-\alpha \sin \theta + \beta \cos \theta))}{\sqrt{(\dot{x} + \dot{\theta}(-\alpha \sin \theta + \beta \cos \theta))^2 + (\dot{w} - \dot{\theta}(\alpha \cos \theta + \beta \sin \theta))^2}} dR \\ F_w &= \int_R \mathbf{F}_{\text{fric}} \cdot \frac{\partial \mathbf{r}}{\partial w} dR \\ &= \int_R \frac{-c(\dot{w} - \dot{\theta}(\alpha \cos \theta + \beta \sin \theta))}{\sqrt{(\dot{x} + \dot{\theta}(-\alpha \sin \theta + \beta \cos \theta))^2 + (\dot{w} - \dot{\theta}(\alpha \cos \theta + \beta \sin \theta))^2}} dR \\ F_\theta &= \int_R \mathbf{F}_{\text{fric}} \cdot \frac{\partial \mathbf{r}}{\partial \theta} dR \\ &= \int_R \frac{-c(\dot{x}(-\alpha \sin \theta + \beta \cos \theta) - \dot{w}(\alpha \cos \theta + \beta \sin \theta) + \dot{\theta}(\alpha^2 + \beta^2))}{\sqrt{(\dot{x} + \dot{\theta}(-\alpha \sin \theta + \beta \cos \theta))^2 + (\dot{w} - \dot{\theta}(\alpha \cos \theta + \beta \sin \theta))^2}} dR \end{aligned}";
        /// "These generalized forces are exactly those for a flat board": the box turns the other way, so that they are those
        /// of the board where θ and θ̇ change their signs.
        erratum prose6_1: force(x) = integral(integral(-c*(ẋ - θ̇*(α*sin(θ) + β*cos(θ)))/norm([
            ẋ - θ̇*(α*sin(θ) + β*cos(θ)), ẇ + θ̇*(α*cos(θ) - β*sin(θ))]), α in -a..a), β in -b..b);
            corrected: force(x) = integral(integral(-c*(ẋ - θ̇*(α*sin(θ) - β*cos(θ)))/norm([
                ẋ - θ̇*(α*sin(θ) - β*cos(θ)), ẇ - θ̇*(α*cos(θ) + β*sin(θ))]), α in -a..a), β in -b..b);
    }
}
