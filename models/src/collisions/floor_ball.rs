//! A rough ball thrown on a rough floor: nonholonomic-collisions 5.2 and 6, weak-solutions 5 and 6.
//!
//! ```text
//!        z                 v_C = v_S + ω × SC,  SC = (0, 0, −r)
//!        │   (S)           rough: v_C = 0 while the ball touches the floor, free before and after
//!   ─────┴────C──── x
//! ```
//!
//! The documents take Euler angles with φ = ψ = 0, θ = π/2 at the collision, so that the velocities
//! are (v₁, v₂, v₃, ω₁, ω₂, ω₃). Here these are the velocities themselves: the orientation is a
//! rotation, ω its components in space.

eom_core::lagrangian! {
    /// A ball that bounces on a rough floor.
    pub system FloorBall {
        document "nonholonomic-collisions";

        coordinates {
            /// Centre of the ball, m.
            x,
            /// Centre of the ball, m.
            y,
            /// Height of the centre, m.
            z,
        }
        rotation R { space: ω_1, ω_2, ω_3 }
        parameters {
            /// Mass, kg.
            m = 1 where m > 0,
            /// Radius, m.
            r = 0.1 where r > 0,
            /// Moment of inertia about an axis through the centre, kg m²: homogeneous ball.
            J = 2/5*m*r^2 where J > 0,
            /// Gravity, m/s².
            g = 9.81,
            /// Restitution μ of (6.1): 1 superelastic, 0 plastic.
            μ = 1 where μ >= 0 && μ <= 1,
        }
        kinetic   = m/2*(ẋ^2 + ẏ^2 + ż^2) + J/2*(ω_1^2 + ω_2^2 + ω_3^2);
        potential = m*g*z;

        /// The floor z = 0; its point C has zero velocity, (1.1).
        contact floor {
            gap    = z - r;
            impact = restitution(μ);
            constraints {
                stick_x: ẋ - r*ω_2 = 0;
                stick_y: ẏ + r*ω_1 = 0;
            }
        }

        /// The nonholonomic pendulum, 5.2.1: the ball goes back along its own parabola.
        scenario pendulum {
            z = 1; ẋ = -1; ω_2 = r*m/J;
            until impacts = 12;
        }
        /// Thrown without spin: bounces to and fro in turn.
        scenario throw {
            z = 1; ẋ = 1; ẏ = 0.2;
            until impacts = 8;
        }

        draw {
            ground z = 0;
            trace [x, y, z];
            sphere [x, y, z], r, rotation R, color red;
        }

        notation {
            r"v_1" = ẋ;
            r"v_2" = ẏ;
            r"v_3" = ż;
            r"J'" = J + r^2*m;
            r"[\cdot, \cdot]" = cross;
            r"\bar{v}_S" = [ẋ, ẏ, ż];
            r"\bar{\omega}" = [ω_1, ω_2, ω_3];
            r"\overline{CS}" = [0, 0, r];
            v = velocity;
            r"v_{\perp}" = projector*velocity;
            r"v_{\parallel}" = (identity - projector)*velocity;
            P = projector;
            I = identity;
            r"R(x(\tau))" = identity - 2*projector;
            r"T(x(\tau), v^+, v^+)" = plus(kinetic);
            r"T(x(\tau), v^-, v^-)" = kinetic;
            T = kinetic;
            G = mass;
            // The rows of the declaration: the floor itself and what its point does not do.
            B = [mass*sharp(floor.stick_x), mass*sharp(floor.stick_y), mass*sharp(floor)];
            A = 0;
            r"T(x, \dot{x}, \dot{x})" = kinetic;
            r"V(x)" = potential;
            L = lagrangian;
            r"T(x, \xi, \eta)" = kinetic;
            /// ξ = η = v: the form of the kinetic energy.
            r"\xi^T G(x)\eta" = dot(velocity, mass*velocity);
            given r"\xi = (\xi_1, \dots, \xi_m)^T";
            given r"\eta = (\eta_1, \dots, \eta_m)^T";
            /// A matrix whose columns span ker B: what holds of it holds of every u.
            u = identity - projector;
            r"B(x(\tau))" = [mass*sharp(floor.stick_x), mass*sharp(floor.stick_y), mass*sharp(floor)];
            r"T(x(\tau), v^+ - v^-, u)" = 1/2*transpose(identity - projector)*mass*(plus(velocity) - velocity);
            given r"R(x(\tau)) : \ker A(x(\tau)) \rightarrow \ker A(x(\tau))";
            Q = -identity;
            given r"Q = R(x(\tau)) \big|_{F(x(\tau))}: F(x(\tau)) \rightarrow F(x(\tau))";
            r"\bar{e}_x" = [1, 0, 0];
            r"\bar{e}_y" = [0, 1, 0];
            r"\bar{e}_z" = [0, 0, 1];
        }
        /// The spaces of Lemma 1 and of 4: W has the columns of G⁻¹Bᵀ.
        notation spaces {
            reading L = space(6);
            W = span(transpose([sharp(floor.stick_x), sharp(floor.stick_y), sharp(floor)]));
            r"W(x(\tau))" = span(transpose([sharp(floor.stick_x), sharp(floor.stick_y), sharp(floor)]));
            r"T_{x(\tau)}M" = space(6);
            /// The metric of the kinetic energy.
            r"\perp" = mass;
        }
        /// On ker B alone.
        notation restricted {
            r"R(x(\tau)) \big|_{\ker B(x(\tau))}" = (identity - 2*projector)*(identity - projector);
            /// The identity of ker B, as a matrix on all velocities.
            reading I = identity - projector;
        }
        notation rest {
            /// Of a ball that stays on the floor.
            reading r"\bar{v}_C" = plus([ẋ, ẏ, ż]) + cross(plus([ω_1, ω_2, ω_3]), [0, 0, -r]);
            /// After a plastic impact, of a ball that stays.
            reading r"\bar{v}_S" = [ẋ_plus, ẏ_plus, ż_plus];
            r"\bar{\omega}" = [ω_1_plus, ω_2_plus, ω_3_plus];
            r"\overline{SC}" = [0, 0, -r];
        }
        /// Formulas of the text, each as a whole.
        notation text {
            r"\tilde{J}" = J + r^2*m/2;
            r"\text{diag}(m, m, m, J, J, J)" = [
                [m, 0, 0, 0, 0, 0],
                [0, m, 0, 0, 0, 0],
                [0, 0, m, 0, 0, 0],
                [0, 0, 0, J, 0, 0],
                [0, 0, 0, 0, J, 0],
                [0, 0, 0, 0, 0, J]
            ];
            r"(R(x(\tau)))^2" = (identity - 2*projector)*(identity - 2*projector);
            r"B(x - Px)" = [mass*sharp(floor.stick_x), mass*sharp(floor.stick_y), mass*sharp(floor)]
                *(velocity - projector*velocity);
        }
        /// The throw of the pendulum: v and u are its speeds.
        notation pendulum {
            reading v = -ẋ;
            reading u = -ż;
        }

        claim d5_5 at floor: tex r"\bar{v}_S^\pm = (v_1^\pm, v_2^\pm, v_3^\pm), \quad \bar{\omega}^\pm = (\omega_1^\pm, \omega_2^\pm, \omega_3^\pm).";
        /// (1.1) of *On weak solutions*, v_C = v_S + ω × SC = 0: of a ball that stays on the floor.
        claim rough in rest at floor under plastic: tex r"\bar{v}_C = \bar{v}_S + [\bar{\omega}, \overline{SC}] = 0";
        claim prose5_1: tex r"J' = J + r^2m";
        claim prose5_7 in text: tex r"\tilde{J} = J + r^2m/2";
        /// "After the ball meets the floor it then jumps aside. The point of contact has the zero velocity (1.1)": the map of
        /// Theorem 5.2 turns its velocity round; (1.1) holds of a ball that stays.
        erratum prose5_8 at floor under elastic:
            [ẋ_plus, ẏ_plus, ż_plus] + cross([ω_1_plus, ω_2_plus, ω_3_plus], [0, 0, -r]) = [0, 0, 0];
            corrected: [ẋ_plus, ẏ_plus, ż_plus] + cross([ω_1_plus, ω_2_plus, ω_3_plus], [0, 0, -r])
                = cross([ω_1_minus, ω_2_minus, ω_3_minus], [0, 0, r]) - [ẋ_minus, ẏ_minus, ż_minus];
        claim thm5_2 at floor under elastic: tex r"\begin{aligned} v_1^+ &= \frac{mr^2 - J}{J'} v_1^- + \frac{2Jr}{J'} \omega_2^-, \\ v_2^+ &= \frac{mr^2 - J}{J'} v_2^- - \frac{2Jr}{J'} \omega_1^-, \\ v_3^+ &= -v_3^-, \\ \omega_1^+ &= -\frac{2rm}{J'} v_2^- + \frac{J - mr^2}{J'} \omega_1^-, \\ \omega_2^+ &= \frac{2rm}{J'} v_1^- + \frac{J - mr^2}{J'} \omega_2^-, \\ \omega_3^+ &= \omega_3^-. \end{aligned}";

        /// The rows of the declaration are those of the print; before and after nothing is constrained.
        claim d5_8 at floor: tex r"B = \begin{pmatrix} 1 & 0 & 0 & 0 & -r & 0 \\ 0 & 1 & 0 & r & 0 & 0 \\ 0 & 0 & 1 & 0 & 0 & 0 \end{pmatrix}, \quad A = 0.";
        /// The kinetic energy of 5.2 gives G = diag(m, m, m, J, J, J).
        claim prose5_2: tex r"T = \frac{1}{2}m\bar{v}_S^2 + \frac{1}{2}J\bar{\omega}^2";
        claim prose5_3 in text: tex r"G = \text{diag}(m, m, m, J, J, J)";

        /// "The angular momentum about the point of contact C is conserved."
        claim d5_6 at floor: tex r"m[\overline{CS}, \bar{v}_S^+] + J\bar{\omega}^+ = m[\overline{CS}, \bar{v}_S^-] + J\bar{\omega}^-.";

        /// Entry (3,3) of the printed P is 1 inside the factor 1/J', a misprint for J': as printed P
        /// is no projector (P e₃ = e₃/J').
        erratum d5_9 at floor: tex r"P = \frac{1}{J'} \begin{pmatrix} J & 0 & 0 & 0 & -Jr & 0 \\ 0 & J & 0 & Jr & 0 & 0 \\ 0 & 0 & 1 & 0 & 0 & 0 \\ 0 & rm & 0 & r^2m & 0 & 0 \\ -rm & 0 & 0 & 0 & r^2m & 0 \\ 0 & 0 & 0 & 0 & 0 & 0 \end{pmatrix}.";
            corrected: tex r"P = \frac{1}{J'} \begin{pmatrix} J & 0 & 0 & 0 & -Jr & 0 \\ 0 & J & 0 & Jr & 0 & 0 \\ 0 & 0 & J' & 0 & 0 & 0 \\ 0 & rm & 0 & r^2m & 0 & 0 \\ -rm & 0 & 0 & 0 & r^2m & 0 \\ 0 & 0 & 0 & 0 & 0 & 0 \end{pmatrix}.";

        /// Elastic collisions keep the energy.
        claim hyp2 at floor under elastic: tex r"T(x(\tau), v^+, v^+) = T(x(\tau), v^-, v^-).";
        /// The map is its own inverse.
        claim hyp3 at floor under elastic: tex r"v^- = R(x(\tau))v^+.";
        /// Lemma 1: P projects, orthogonally in the kinetic metric, along ker B.
        claim lem1a at floor: projector*projector = projector;
        claim lem1b at floor: mass*projector = transpose(mass*projector);
        claim lem1c at floor: [mass*sharp(floor.stick_x), mass*sharp(floor.stick_y), mass*sharp(floor)]*projector
            = [mass*sharp(floor.stick_x), mass*sharp(floor.stick_y), mass*sharp(floor)];
        claim d3_2 in spaces at floor: tex r"L = \ker B \oplus W, \quad W \perp \ker B";
        claim d4_3 in spaces at floor: tex r"T_{x(\tau)}M = \ker B(x(\tau)) \oplus W(x(\tau)),";
        claim d4_4 in spaces at floor: tex r"P : T_{x(\tau)}M \rightarrow W(x(\tau))";
        claim eq3_1 at floor: tex r"P = G^{-1}B^T(BG^{-1}B^T)^{-1}B. \quad (3.1)";
        claim d4_1: tex r"L = T(x, \dot{x}, \dot{x}) - V(x).";
        claim d4_2: tex r"T(x, \xi, \eta) = \frac{1}{2}\xi^T G(x)\eta, \quad \xi = (\xi_1, \dots, \xi_m)^T, \quad \eta = (\eta_1, \dots, \eta_m)^T";
        /// (2.9), reduced: v⁺ − v⁻ is orthogonal to ker B in the kinetic metric.
        claim eq4_1 at floor: tex r"T(x(\tau), v^+ - v^-, u) = 0, \quad u \in \ker B(x(\tau)). \quad (4.1)";
        claim hyp1 at floor under elastic: tex r"v^+ = R(x(\tau))v^-, \quad R(x(\tau)) : \ker A(x(\tau)) \rightarrow \ker A(x(\tau)).";
        claim d4_5 at floor: tex r"v^\pm = v_\perp^\pm + v_\parallel^\pm.";
        /// What is along ker B does not jump.
        claim d4_9 at floor: tex r"v_{\parallel}^+ = v_{\parallel}^-";
        claim d4_10 in restricted at floor: tex r"R(x(\tau)) \big|_{\ker B(x(\tau))} = I.";
        /// Q = −I on what is across ker B.
        claim eq4_3 at floor under elastic: tex r"v^+ = Qv_{\perp}^- + v_{\parallel}^-, \quad Q = R(x(\tau)) \big|_{F(x(\tau))}: F(x(\tau)) \rightarrow F(x(\tau)). \quad (4.3)";
        claim eq4_2 at floor under elastic: tex r"v^+ = (I - 2P)v^-. \quad (4.2)";

        claim eq6_1 at floor: tex r"v^+ = -\mu v_{\perp}^- + v_{\parallel}^-, \quad (6.1)";
        claim d6_1 at floor: tex r"v^+ = (I - (1 + \mu)P)v^-.";
        claim d6_2 at floor: tex r"\begin{aligned} v_1^+ &= \frac{mr^2 - \mu J}{J'}v_1^- + \frac{Jr(1 + \mu)}{J'}\omega_2^-, \\ v_2^+ &= \frac{mr^2 - \mu J}{J'}v_2^- - \frac{Jr(1 + \mu)}{J'}\omega_1^-, \\ v_3^+ &= -\mu v_3^-, \\ \omega_1^+ &= -\frac{rm(1 + \mu)}{J'}v_2^- + \frac{J - \mu mr^2}{J'}\omega_1^-, \\ \omega_2^+ &= \frac{rm(1 + \mu)}{J'}v_1^- + \frac{J - \mu mr^2}{J'}\omega_2^-, \\ \omega_3^+ &= \omega_3^-. \end{aligned}";

        /// "Throw the ball to the floor so that", with v > 0.
        claim d5_10 in pendulum at floor
            when ẏ_minus = 0, ω_1_minus = 0, ω_3_minus = 0, ω_2_minus = -r*m/J*ẋ_minus, sign(ẋ_minus) = -1: tex r"\bar{v}_S^- = -v\bar{e}_x - u\bar{e}_z, \quad \bar{\omega}^- = \frac{rmv}{J}\bar{e}_y, \quad u, v > 0.";
        /// 5.2.1: with v_S = −v e_x − u e_z and ω = (r m v/J) e_y all velocities are reversed.
        claim d5_11 at floor under elastic
            when ẏ_minus = 0, ω_1_minus = 0, ω_3_minus = 0, ω_2_minus = -r*m/J*ẋ_minus: tex r"\bar{v}_S^+ = -\bar{v}_S^-, \quad \bar{\omega}^+ = -\bar{\omega}^-.";
        /// The pendulum comes back after two impacts, on its own parabola: twice up and down from the floor at the speed at
        /// which it falls there from z = 1.
        claim returns of pendulum with z = r, ż = sqrt(2*g*(1 - r)): period(floor, 2) = 4*sqrt(2*(1 - r)/g);
        /// What λ is found from.
        claim prose3_2 in text at floor: tex r"B(x - Px) = 0";
        /// "The third Hypothesis implies …"
        claim prose4_1 in text at floor: tex r"(R(x(\tau)))^2 = I";
        claim prose4_2 at floor under elastic: tex r"v^+ = -v_{\perp}^- + v_{\parallel}^-";
        /// R is an isometric operator, |v⁺| = |v⁻|.
        claim prose4_3 at floor: transpose(identity - 2*projector)*mass*(identity - 2*projector) = mass;
        claim prose4_7 at floor: tex r"(I - P)v = v_\parallel \in \ker B(x(\tau))";
        /// "However the ball can rotate about the vertical axis at the contact point": no row holds ω₃.
        claim spins at floor: [mass*sharp(floor.stick_x), mass*sharp(floor.stick_y), mass*sharp(floor)]*[0, 0, 0, 0, 0, 1]
            = [0, 0, 0];
        /// "For super elastic one μ = 1": the energy is kept.
        claim prose6_2 at floor under elastic: plus(energy) = energy;
    }
}
