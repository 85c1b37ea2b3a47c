//! The penny without its constraints: what sections II and III say of systems that have none.
//!
//! The disk keeps upright and slides without friction, so that rolling and sliding have nothing to
//! do with each other; the edge changes ẋ, ẏ and, by its arm, φ̇, but never θ̇. This is the first
//! half of the document's plastic impact.

eom_core::lagrangian! {
    /// An upright disk that slides on an elliptical table and bounces off its edge.
    pub system SlidingPenny {
        document "bouncing-penny";

        coordinates {
            /// Contact point, m.
            x,
            /// Contact point, m.
            y,
            /// Rotation about the axle, rad.
            θ,
            /// Heading, rad.
            φ,
        }
        parameters {
            /// Radius of the disk, m (Table I).
            R = 0.01 where R > 0,
            /// Mass, kg (Table I).
            m = 0.0025 where m > 0,
            /// Moment of inertia about the axle, kg m²: thin homogeneous disk.
            I = m*R^2/2 where I > 0,
            /// Moment of inertia about a diameter, kg m²: thin homogeneous disk.
            J = m*R^2/4 where J > 0,
            /// Semi-axis of the table along x, m.
            a = 0.15 where a > 0,
            /// Semi-axis of the table along y, m (Table I).
            b = 0.20 where b > 0,
            /// Coefficient of restitution.
            e = 1 where e >= 0 && e <= 1,
        }
        kinetic = m/2*(ẋ^2 + ẏ^2) + I/2*θ̇^2 + J/2*φ̇^2;

        /// The leading rim meets the edge, (27).
        contact front {
            gap    = 1 - ((x + R*cos(φ))/a)^2 - ((y + R*sin(φ))/b)^2;
            impact = restitution(e);
        }
        /// The trailing rim meets the edge, (34).
        contact back {
            gap    = 1 - ((x - R*cos(φ))/a)^2 - ((y - R*sin(φ))/b)^2;
            impact = restitution(e);
        }

        /// The start of the figures, section VI-A, without rolling.
        scenario slide {
            φ = pi/2;
            ẏ = 0.1;
            θ̇ = 10;
            φ̇ = 0.2;
            until impacts = 20;
        }

        draw {
            ground (x/a)^2 + (y/b)^2 = 1;
            trace [x, y];
            arrow [x, y], [ẋ, ẏ], color green;
            line [x - R*cos(φ), y - R*sin(φ)], [x + R*cos(φ), y + R*sin(φ)], color red;
        }

        // dh and ∇h = ♯dh of h = X²/a² + Y²/b² − 1 at the leading rim.
        let h_x = 2*(x + R*cos(φ))/a^2;
        let h_y = 2*(y + R*sin(φ))/b^2;
        let h_φ = R*(h_y*cos(φ) - h_x*sin(φ));
        let differential = [h_x, h_y, 0, h_φ];
        let gradient = [h_x/m, h_y/m, 0, h_φ/J];
        let g_hh = (h_x^2 + h_y^2)/m + h_φ^2/J;

        // The forms of sections II and III: dh is of the rim's edge, α its multiplier.
        notation {
            r"\frac{\partial L}{\partial\dot{q}^{i}}" = partial(lagrangian, velocity);
            r"\frac{\partial L}{\partial q^{i}}" = partial(lagrangian, [x, y, θ, φ]);
            r"\textbf{F}L^{+}" = plus(mass*velocity);
            r"\textbf{F}L^{-}" = mass*velocity;
            /// dh = −∇gap.
            r"\alpha" = -impulse(front);
            r"dh" = differential;
            L = lagrangian;
            r"\langle\textbf{F}L^{+},\dot{q}^{+}\rangle" = plus(dot(mass*velocity, velocity));
            r"\langle\textbf{F}L^{-},\dot{q}^{-}\rangle" = dot(mass*velocity, velocity);
            p = mass*velocity;
            H = energy;
            r"P(q,\dot{q})" = plus(velocity);
            r"\dot{q}" = velocity;
            r"dh(\dot{q})" = dot(differential, velocity);
            r"dh(\dot{q}^{-})" = dot(differential, velocity);
            r"g(\nabla h,\nabla h)" = g_hh;
            r"\nabla h" = gradient;
            r"dh^{\sharp}" = mass^-1*differential;
            r"\textbf{F}L(\dot{q})" = partial(lagrangian, velocity);
            r"\dot{q}^{\flat}" = mass*velocity;
        }

        claim eq2: tex r"\frac{d}{dt}\frac{\partial L}{\partial\dot{q}^{i}}-\frac{\partial L}{\partial q^{i}}=0.";
        claim eq3 at front under elastic: tex r"\begin{split}\textbf{F}L^{+}-\textbf{F}L^{-}&=\alpha\cdot dh,\\ L^{+}-\langle\textbf{F}L^{+},\dot{q}^{+}\rangle&=L^{-}-\langle\textbf{F}L^{-},\dot{q}^{-}\rangle,\end{split}";
        claim eq4 at front under elastic: tex r"\begin{split}p^{+}&=p^{-}+\alpha\cdot dh,\\ H^{+}&=H^{-}.\end{split}";
        claim eq5 at front under elastic: tex r"P(q,\dot{q})=\dot{q}-2\frac{dh(\dot{q})}{g(\nabla h,\nabla h)}\nabla h.";
        claim eq6 at front: tex r"\dot{q}^{+}=\dot{q}^{-}-(1+e)\frac{dh(\dot{q}^{-})}{g(\nabla h,\nabla h)}\nabla h.";
        claim prose3_3: tex r"\nabla h=dh^{\sharp}";
        claim prose3_4: tex r"p=\textbf{F}L(\dot{q})=\dot{q}^{\flat}";
        /// e = 1 in (6) is the elastic impact.
        claim prose3_1 at front under elastic: plus(velocity) = velocity - (1 + 1)*dot(differential, velocity)/g_hh*gradient;
        /// e = 0 in (6) is the orthogonal projection on ker dh.
        claim prose3_2 at front under plastic: dot(differential, plus(velocity)) = 0;
    }
}
