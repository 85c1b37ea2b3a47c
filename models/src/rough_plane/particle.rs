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
        /// Straight up a slope too gentle to slide down again: it stops and stays.
        scenario stays {
            ẇ = 2;
            until t = 2;
        }

        draw {
            trace [x, w];
            arrow [x, w], [ẋ, ẇ], color green;
            point [x, w];
        }

        let speed = norm([ẋ, ẇ]);
        // As seen from a state at time t of a motion on the level: |V₀| and V₀.
        let speed0 = speed + α*t;
        let u0 = speed0/speed*ẋ;
        let v0 = speed0/speed*ẇ;
        let t_stop = speed0/α;
        let x_0 = x - (t - α*t^2/(2*speed0))*u0;
        let w_0 = w - (t - α*t^2/(2*speed0))*v0;
        let x_stop = x + speed/(2*α)*ẋ;
        let x_stop_printed = x + speed/α*ẋ;
        let w_stop = w + speed/(2*α)*ẇ;
        // Straight along the slope: the start of the climb, its end, and the end as seen going down.
        let climb0 = ẇ + (α + g*sin(φ))*t;
        let t_top = t + ẇ/(α + g*sin(φ));
        let t_turned = t - ẇ/(α - g*sin(φ));

        claim d1_1a: m*ẍ + c*ẋ/sqrt(ẋ^2 + ẇ^2) = 0;
        claim d1_1b: m*ẅ + c*ẇ/sqrt(ẋ^2 + ẇ^2) + m*g*sin(φ) = 0;
        claim d1_2a: ẍ = -α*ẋ/sqrt(ẋ^2 + ẇ^2);
        claim d1_2b: ẅ = -α*ẇ/sqrt(ẋ^2 + ẇ^2) - β;
        claim d1_3 when φ = 0: [ẍ, ẅ] + α*[ẋ, ẇ]/norm([ẋ, ẇ]) = [0, 0];
        /// V(t) = (1 − αt/|V₀|)V₀: the V₀ that a state belongs to does not change.
        claim d1_4a when φ = 0: u0_dot = 0;
        claim d1_4b when φ = 0: v0_dot = 0;
        claim d1_5 when φ = 0: t_stop_dot = 0;
        claim d1_6a when φ = 0: x_0_dot = 0;
        claim d1_6b when φ = 0: w_0_dot = 0;
        /// A factor 2 is missing: (1.6) at t = |V₀|/α gives X₀ + |V₀|/(2α) V₀, which (1.8) then uses.
        erratum d1_7 when φ = 0: x_stop_printed_dot = 0; corrected: x_stop_dot = 0;
        claim d1_8: norm([x_stop - x, w_stop - w]) = speed^2/(2*α);

        claim d1_16 when ẋ = 0: ẅ + α*ẇ/abs(ẇ) + g*sin(φ) = 0;
        claim d1_17 when ẋ = 0, sign(ẇ) = 1: ẅ + α + g*sin(φ) = 0;
        claim d1_18 when ẋ = 0, sign(ẇ) = 1: climb0_dot = 0;
        claim d1_19 when ẋ = 0, sign(ẇ) = 1: t_top_dot = 0;
        claim d1_20 when ẋ = 0, sign(ẇ) = -1: ẅ - α + g*sin(φ) = 0;
        /// ẇ = (α − g sin φ)(t − t₀): the t₀ of a state does not change.
        claim d1_21 when ẋ = 0, sign(ẇ) = -1: t_turned_dot = 0;
        claim d1_22: c/m - g*sin(φ) = g*(μ*cos(φ) - sin(φ));
    }
}
