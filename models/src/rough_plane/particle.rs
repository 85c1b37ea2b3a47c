//! One particle on a rough plane, level or inclined: rough-plane 1, dry friction.
//!
//! ```text
//!   w ↗ up the slope      F = −c V/|V|,  c = μ m g cos φ;  at rest held iff m g sin φ ≤ c
//!     ● → x across
//!   φ inclination
//! ```
//!
//! The displays of motions that stop are claimed as constants of motion: what V(t) says of a start is
//! said of every state, for instance that the place where it will stop does not change.

eom_core::lagrangian! {
    /// A particle on a rough plane with dry friction.
    pub system RoughParticle {
        document "rough-plane";

        coordinates {
            /// Across the slope, m.
            x,
            /// Up the slope, m.
            w,
        }
        parameters {
            /// Mass, kg.
            m = 1 where m > 0,
            /// Gravity, m/s².
            g = 9.81 where g > 0,
            /// Inclination of the plane, rad.
            φ = 0.3 where φ >= 0 && φ < 1.5,
            /// Coefficient of friction.
            μ = 0.2 where μ > 0,
        }
        let c = μ*m*g*cos(φ);
        let α = c/m;
        let β = g*sin(φ);

        kinetic     = m/2*(ẋ^2 + ẇ^2);
        potential   = m*g*w*sin(φ);
        dissipation = c*norm([ẋ, ẇ]);

        /// The figure of section 1: thrown up the slope at an angle.
        scenario path {
            ẋ = 1; ẇ = 2;
            until t = 2;
        }
        /// Straight up a slope too steep to rest on, μ < tan φ: it stops and slides down again. With φ = 0.1 it stays.
        scenario climb {
            ẇ = 2;
            until t = 2;
        }

        draw {
            trace [x, w];
            arrow [x, w], [ẋ, ẇ], color green;
            point [x, w];
        }

        let speed = norm([ẋ, ẇ]);
        // As seen from a state at time t of a motion on the level: V₀, X₀, when and where it stops. Each is
        // constant along the motion, and what it says at t = 0.
        let speed0 = speed + α*t;
        let u0 = speed0/speed*ẋ;
        let v0 = speed0/speed*ẇ;
        let x_start = x - t*(ẋ + u0)/2;
        let w_start = w - t*(ẇ + v0)/2;
        let t_stop = t + speed/α;
        let x_stop = x + speed/(2*α)*ẋ;
        let w_stop = w + speed/(2*α)*ẇ;
        // Straight along the slope: the start of the climb, and when it turns.
        let climb0 = ẇ + (α + g*sin(φ))*t;
        let t_turn = t + ẇ/(α*sign(ẇ) + g*sin(φ));

        notation {
            r"\mathbf{V}" = [ẋ, ẇ];
            r"\mathbf{V}(t)" = [ẋ, ẇ];
            r"\mathbf{V}_0" = [u0, v0];
            r"\mathbf{X}(t)" = [x, w];
            r"\mathbf{X}_0" = [x_start, w_start];
            r"t_{\max}" = t_stop;
            r"\mathbf{X}(t_{\max})" = [x_stop, w_stop];
            u = ẋ;
            v = ẇ;
            r"\dot{w}(t)" = ẇ;
            r"\dot{w}_0" = climb0;
            r"t_0" = t_turn;
        }

        claim start when φ = 0: [u0_dot, v0_dot] = [0, 0];
        claim origin when φ = 0: [x_start_dot, w_start_dot] = [0, 0];
        claim rest when φ = 0: [x_stop_dot, w_stop_dot] = [0, 0];
        claim duration when φ = 0: t_stop_dot = 0;
        claim climb when ẋ = 0, sign(ẇ) = 1: climb0_dot = 0;
        claim turn when ẋ = 0: t_turn_dot = 0;

        claim d1_1: tex r"m\ddot{x} + \frac{c\dot{x}}{\sqrt{\dot{x}^2 + \dot{w}^2}} = 0, \quad m\ddot{w} + \frac{c\dot{w}}{\sqrt{\dot{x}^2 + \dot{w}^2}} + mg \sin \phi = 0";
        /// The first branches; the second are those of a particle at rest.
        claim d1_2: cases 1 tex r"\begin{aligned} \dot{x} &= u \\ \dot{u} &= \begin{cases} -\alpha \frac{\dot{x}}{\sqrt{\dot{x}^2 + \dot{w}^2}}, & \dot{x}^2 + \dot{w}^2 \neq 0 \\ 0, & \dot{x}^2 + \dot{w}^2 = 0 \end{cases} \\ \dot{w} &= v \\ \dot{v} &= \begin{cases} -\alpha \frac{\dot{w}}{\sqrt{\dot{x}^2 + \dot{w}^2}} - \beta, & \dot{x}^2 + \dot{w}^2 \neq 0 \\ 0, & \dot{x}^2 + \dot{w}^2 = 0 \end{cases} \end{aligned}";
        claim d1_3 when φ = 0: tex r"\frac{d\mathbf{V}}{dt} + \alpha \frac{\mathbf{V}}{|\mathbf{V}|} = \mathbf{0}";
        claim d1_4 when φ = 0, sign(t) = 1: tex r"\mathbf{V}(t) = \mathbf{V}_0 - \alpha t \frac{\mathbf{V}_0}{|\mathbf{V}_0|} = \left(1 - \frac{\alpha t}{|\mathbf{V}_0|}\right) \mathbf{V}_0";
        claim d1_5 when φ = 0, sign(t) = 1: tex r"t_{\max} = \frac{|\mathbf{V}_0|}{\alpha} = \frac{m|\mathbf{V}_0|}{c}";
        claim d1_6 when φ = 0, sign(t) = 1: tex r"\mathbf{X}(t) = \mathbf{X}_0 + \left(t - \frac{\alpha t^2}{2|\mathbf{V}_0|}\right) \mathbf{V}_0";
        /// A factor 2 is missing: (1.6) at t = |V₀|/α gives X₀ + |V₀|/(2α) V₀, which (1.8) then uses.
        erratum d1_7 when φ = 0, sign(t) = 1: tex r"\mathbf{X}(t_{\max}) = \mathbf{X}_0 + \frac{|\mathbf{V}_0|}{\alpha} \mathbf{V}_0";
            corrected: tex r"\mathbf{X}(t_{\max}) = \mathbf{X}_0 + \frac{|\mathbf{V}_0|}{2\alpha} \mathbf{V}_0";
        claim d1_8 when φ = 0, sign(t) = 1: tex r"|\mathbf{X}(t_{\max}) - \mathbf{X}_0| = \frac{|\mathbf{V}_0|^2}{2\alpha}";
        claim d1_16 when ẋ = 0: tex r"\ddot{w} + \alpha \frac{\dot{w}}{|\dot{w}|} + g \sin \phi = 0";
        claim d1_17 when ẋ = 0, sign(ẇ) = 1: tex r"\ddot{w} + \alpha + g \sin \phi = 0";
        claim d1_18 when ẋ = 0, sign(ẇ) = 1: tex r"\dot{w}(t) = \dot{w}_0 - (\alpha + g \sin \phi)t";
        claim d1_19 when ẋ = 0, sign(ẇ) = 1: tex r"t_0 = \frac{\dot{w}_0}{\alpha + g \sin \phi}";
        claim d1_20 when ẋ = 0, sign(ẇ) = -1: tex r"\ddot{w} - \alpha + g \sin \phi = 0";
        claim d1_21 when ẋ = 0, sign(ẇ) = -1: tex r"\dot{w}(t) = (\alpha - g \sin \phi)(t - t_0)";
        /// Where the particle goes down again, which asks for μ < tan φ.
        claim d1_22 when sign(tan(φ) - μ) = 1: tex r"c/m - g \sin \phi = g(\mu \cos \phi - \sin \phi) < 0";
        /// Where c/m − g sin φ < 0.
        claim d1_23 when sign(c/m - g*sin(φ)) = -1: tex r"\mu < \tan \phi";
        claim prose1_1: tex r"c = \mu mg \cos \phi > 0";
        claim prose1_2: tex r"\alpha = c/m";
        claim prose1_3: tex r"\beta = g \sin \phi";
        claim prose1_4: tex r"\mathbf{V} = (\dot{x}, \dot{w})";
        claim prose1_5 when ẋ = 0, sign(ẇ) = 1: tex r"\dot{w}/|\dot{w}| = 1";
        claim prose1_6 when ẋ = 0, sign(ẇ) = -1: tex r"\dot{w}/|\dot{w}| = -1";
        claim prose1_7 when sign(tan(φ) - μ) = 1: tex r"c/m - g \sin \phi = \alpha - g \sin \phi < 0";
        /// But what if c is large enough: where μ > tan φ.
        claim prose1_8 when sign(μ - tan(φ)) = 1: tex r"c/m - g \sin \phi > 0";
    }
}
