//! A ball that rolls on the floor and meets a rough wall: nonholonomic-collisions 1 and 5.1.
//!
//! ```text
//!    wall x = 0        G = S + (−r, 0, 0)     v_G = v_S + ω × SG = (v₁, v₂ − r ω₃, r ω₂)
//!      │ G(S)          C = S + (0, 0, −r)     v_C = v_S + ω × SC = (v₁ − r ω₂, v₂ + r ω₁, 0)
//!      └───C─── floor
//! ```
//!
//! At the wall B has five rows, [v_C = 0; ẋ = 0; v_G = 0 along the wall], of which four are
//! independent: ẋ = 0 and r ω₂ = 0 make the first of v_C.

eom_core::lagrangian! {
    /// A ball that rolls on the floor and bounces off a rough wall.
    pub system WallBall {
        document "nonholonomic-collisions";

        coordinates {
            /// Distance of the centre from the wall, m.
            x,
            /// Place along the wall, m.
            y,
        }
        rotation R { space: ω_1, ω_2, ω_3 }
        parameters {
            /// Mass, kg.
            m = 1 where m > 0,
            /// Radius, m.
            r = 0.1 where r > 0,
            /// Moment of inertia about an axis through the centre, kg m²: homogeneous ball.
            J = 2/5*m*r^2 where J > 0,
        }
        kinetic = m/2*(ẋ^2 + ẏ^2) + J/2*(ω_1^2 + ω_2^2 + ω_3^2);

        constraints {
            /// (1.1) along x.
            roll_x: ẋ - r*ω_2 = 0;
            /// (1.1) along y.
            roll_y: ẏ + r*ω_1 = 0;
        }
        /// The wall x = 0; its point G has zero velocity, (1.2).
        contact wall {
            gap    = x - r;
            impact = elastic;
            constraints {
                stick_y: ẏ - r*ω_3 = 0;
                stick_z: r*ω_2 = 0;
            }
        }
        // v_G = 0 as the document writes it; on the floor its part along z says what ẋ = 0 says.
        allow dependent_contact_row(wall.stick_z);

        /// The ball rolls to the wall at an angle, spinning about the vertical.
        scenario meet {
            x = 1; ẋ = -1; ẏ = 0.5; ω_3 = 20;
            solve ω_1, ω_2;
            until t = 3;
        }

        draw {
            ground z = 0;
            polygon [0, -1, 0], [0, 3, 0], [0, 3, 1/2], [0, -1, 1/2], color brown, label "wall";
            trace [x, y, r];
            sphere [x, y, r], r, rotation R, color red;
        }

        let v_C = [ẋ - r*ω_2, ẏ + r*ω_1, 0];
        let v_G = [ẋ, ẏ - r*ω_3, r*ω_2];
        notation {
            r"v_1" = ẋ;
            r"v_2" = ẏ;
            r"J'" = J + r^2*m;
            /// The text introduces J̃ and prints J̄.
            reading r"\bar{J}" = J + r^2*m/2;
            r"[\cdot, \cdot]" = cross;
            r"\bar{v}_C" = v_C;
            r"\bar{v}_S" = [ẋ, ẏ, 0];
            r"\bar{\omega}" = [ω_1, ω_2, ω_3];
            r"\overline{SC}" = [0, 0, -r];
            r"\overline{SG}" = [-r, 0, 0];
            P = projector;
            T = kinetic;
            G = mass;
            r"\bar{e}_x" = [1, 0, 0];
            r"\bar{e}_y" = [0, 1, 0];
            r"\bar{e}_z" = [0, 0, 1];
            // The rows of the declaration; the third of B is r ω₂ = 0 without its factor.
            A = [mass*sharp(roll_x), mass*sharp(roll_y)];
            r"A(x)" = [mass*sharp(roll_x), mass*sharp(roll_y)];
            B = [mass*sharp(wall), mass*sharp(wall.stick_y), mass*sharp(wall.stick_z)/r, mass*sharp(roll_y)];
            r"B(x)" = [mass*sharp(wall), mass*sharp(wall.stick_y), mass*sharp(wall.stick_z)/r, mass*sharp(roll_y)];
            /// f(ξ) = (Px)ᵀGξ at x = v, a row.
            f = [mass*projector*velocity];
        }
        /// The numbers of the general construction for this ball: dim M = 5, two rows of rolling, four at the wall; A and B
        /// are those of 5.1, which are the rows of the declaration.
        notation dimensions {
            /// dim M, not the mass.
            reading m = 5;
            l = 3;
            s = 1;
            r"A(x)" = [[1, 0, 0, -r, 0], [0, 1, r, 0, 0]];
            r"B(x)" = [[1, 0, 0, 0, 0], [0, 1, 0, 0, -r], [0, 0, 0, 1, 0], [0, 1, r, 0, 0]];
            B = [[1, 0, 0, 0, 0], [0, 1, 0, 0, -r], [0, 0, 0, 1, 0], [0, 1, r, 0, 0]];
            A = [[1, 0, 0, -r, 0], [0, 1, r, 0, 0]];
            r"T_x M" = space(5);
            L = space(5);
            /// As many as A has rows.
            k = 2;
            /// A Bᵀ(B Bᵀ)⁻¹, with which A = γB.
            r"\gamma" = [[1, 0, 0, -r, 0], [0, 1, r, 0, 0]]
                *transpose([[1, 0, 0, 0, 0], [0, 1, 0, 0, -r], [0, 0, 0, 1, 0], [0, 1, r, 0, 0]])
                *inverse([[1, 0, 0, 0, 0], [0, 1, 0, 0, -r], [0, 0, 0, 1, 0], [0, 1, r, 0, 0]]
                    *transpose([[1, 0, 0, 0, 0], [0, 1, 0, 0, -r], [0, 0, 0, 1, 0], [0, 1, r, 0, 0]]));
            /// What is orthogonal to ker B, the columns of G⁻¹Bᵀ.
            r"W(x(\tau))" = span([
                [1/m, 0, 0, 0], [0, 1/m, 0, 1/m], [0, 0, 0, r/J], [0, 0, 1/J, 0], [0, -r/J, 0, 0]
            ]);
            r"A(x(\tau))" = [[1, 0, 0, -r, 0], [0, 1, r, 0, 0]];
            r"B(x(\tau))" = [[1, 0, 0, 0, 0], [0, 1, 0, 0, -r], [0, 0, 0, 1, 0], [0, 1, r, 0, 0]];
            /// Worked out by hand: with v_C = 0, and orthogonal to (0, r, −1, 0, 1), along which the ball rolls on at the wall.
            r"F(x(\tau))" = span([[r, 0], [0, r*J], [0, -J], [1, 0], [0, -(J + r^2*m)]]);
            given r"x \in M";
            given r"x \in N";
        }
        /// Formulas of the text, each as a whole.
        notation text {
            r"\text{diag}(m, m, J, J, J)" = [
                [m, 0, 0, 0, 0],
                [0, m, 0, 0, 0],
                [0, 0, J, 0, 0],
                [0, 0, 0, J, 0],
                [0, 0, 0, 0, J]
            ];
            /// The columns of the factor span ker A.
            r"P(\ker A)" = span(projector*[[r, 0, 0], [0, r, 0], [0, -1, 0], [1, 0, 0], [0, 0, 1]]);
        }
        notation wall {
            /// Of a ball that stays at the wall: after an elastic impact G moves.
            reading r"\bar{v}_G" = plus(v_G);
            /// After a plastic impact, of a ball that stays.
            reading r"\bar{v}_S" = [ẋ_plus, ẏ_plus, 0];
            r"\bar{\omega}" = [ω_1_plus, ω_2_plus, ω_3_plus];
        }

        claim eq1_1: tex r"\bar{v}_C = \bar{v}_S + [\bar{\omega}, \overline{SC}] = 0, \quad (1.1)";
        /// The point that meets the wall does not move: after a plastic impact nothing else is left.
        claim eq1_2 in wall at wall under plastic: tex r"\bar{v}_G = \bar{v}_S + [\bar{\omega}, \overline{SG}] = 0, \quad (1.2)";
        claim eq5_1 at wall: tex r"v_1^{\pm} = \omega_2^{\pm}r, \quad v_2^{\pm} = -\omega_1^{\pm}r. \quad (5.1)";

        claim d5_1 at wall: tex r"\bar{v}_S^{\pm} = v_1^{\pm}\bar{e}_x + v_2^{\pm}\bar{e}_y, \quad \bar{\omega}^{\pm} = \omega_1^{\pm}\bar{e}_x + \omega_2^{\pm}\bar{e}_y + \omega_3^{\pm}\bar{e}_z.";
        claim thm5_1 at wall: tex r"\begin{aligned} v_1^+ &= -v_1^-, \\ v_2^+ &= \frac{r^2 m}{2\bar{J}} v_2^- + \frac{rJ}{\bar{J}} \omega_3^-, \\ \omega_3^+ &= \frac{J'}{r\bar{J}} v_2^- - \frac{r^2 m}{2\bar{J}} \omega_3^-. \end{aligned}";

        claim prose5_4: tex r"T = \frac{1}{2} m \bar{v}_S^2 + \frac{1}{2} J \bar{\omega}^2";
        claim prose5_5 in text: tex r"G = \text{diag}(m, m, J, J, J)";
        /// The printed matrices are those of the rows of the declaration.
        claim d5_3 at wall: tex r"A = \begin{pmatrix} 1 & 0 & 0 & -r & 0 \\ 0 & 1 & r & 0 & 0 \end{pmatrix}, \quad B = \begin{pmatrix} 1 & 0 & 0 & 0 & 0 \\ 0 & 1 & 0 & 0 & -r \\ 0 & 0 & 0 & 1 & 0 \\ 0 & 1 & r & 0 & 0 \end{pmatrix}.";
        claim d1_3 in dimensions: tex r"A(x) : T_x M \rightarrow \mathbb{R}^{m-l}, \quad \dim \operatorname{im} A(x) = m - l, \quad x \in M";
        /// B, not A: the rank of A is m − l.
        erratum d1_4 in dimensions: tex r"B(x) : T_x M \rightarrow \mathbb{R}^{m-s}, \quad \dim \operatorname{im} A(x) = m - s, \quad x \in N.";
            corrected: tex r"B(x) : T_x M \rightarrow \mathbb{R}^{m-s}, \quad \dim \operatorname{im} B(x) = m - s, \quad x \in N.";
        claim d3_3 in dimensions: tex r"A : L \rightarrow \mathbb{R}^k";
        claim d3_5 in dimensions: tex r"\gamma : \mathbb{R}^{m-s} \rightarrow \mathbb{R}^k";
        claim d4_11 in dimensions at wall: tex r"F(x(\tau)) = W(x(\tau)) \cap \ker A(x(\tau))";
        claim prose4_4 in dimensions at wall: tex r"\ker A(x(\tau)) = F(x(\tau)) \oplus \ker B(x(\tau))";
        /// "R F = F": R turns each of the two that span F round.
        claim prose4_5 at wall: (identity - 2*projector)*[[r, 0], [0, r*J], [0, -J], [1, 0], [0, -(J + r^2*m)]]
            = -[[r, 0], [0, r*J], [0, -J], [1, 0], [0, -(J + r^2*m)]];
        /// "Therefore the velocity of any point of the ball is completely defined by quantities v₁, v₂, ω₃": by (5.1).
        claim prose5_9: [ω_1, ω_2] = [-ẏ/r, ẋ/r];
        claim d1_5 at wall: tex r"\ker B(x) \subseteq \ker A(x)";
        claim d3_1 in dimensions: tex r"B : L \rightarrow \mathbb{R}^{m-s}, \quad \text{rang } B = m - s.";
        claim d3_4 at wall: tex r"\ker B \subseteq \ker f.";
        /// Entries (1,1) and (4,4) of the printed P are 1 inside the factor 1/(2J̃), a misprint for
        /// 2J̃: as printed P is no projector.
        erratum d5_4 at wall: tex r"P = \frac{1}{2\bar{J}} \begin{pmatrix} 1 & 0 & 0 & 0 & 0 \\ 0 & 2J & Jr & 0 & -Jr \\ 0 & rm & J' & 0 & J \\ 0 & 0 & 0 & 1 & 0 \\ 0 & -rm & J & 0 & J' \end{pmatrix}.";
            corrected: tex r"P = \frac{1}{2\bar{J}} \begin{pmatrix} 2\bar{J} & 0 & 0 & 0 & 0 \\ 0 & 2J & Jr & 0 & -Jr \\ 0 & rm & J' & 0 & J \\ 0 & 0 & 0 & 2\bar{J} & 0 \\ 0 & -rm & J & 0 & J' \end{pmatrix}.";
        /// (3.2), AP = A, with A of the rolling.
        claim eq3_2 at wall: tex r"AP = A. \quad (3.2)";
        claim reflection_wall at wall: plus(velocity) = (identity - 2*projector)*velocity;
        claim energy_wall at wall: plus(energy) = energy;
        claim prose3_1 in text at wall: tex r"P(\ker A) \subseteq \ker A";
        claim prose3_3 in dimensions: tex r"A = \gamma B";
    }
}
