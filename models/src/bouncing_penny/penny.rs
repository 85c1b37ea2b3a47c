//! The vertical rolling disk on a table: bouncing-penny, sections V and VI.
//!
//! ```text
//!            φ ↗  heading of the disk, the direction in which it rolls
//!     ┌──────────────────────┐
//!     │      (x,y)●──▶ front │   the rim meets the edge at (x + R cos φ, y + R sin φ),
//!     │            back      │   or backwards at (x − R cos φ, y − R sin φ)
//!     └──────────────────────┘   edge: X²/a² + Y²/b² = 1
//! ```
//!
//! The document writes the edge as h = X²/a² + Y²/b² − 1 (35), positive outside; the gap here is
//! −h. The impact maps do not change with the sign of h.

eom_core::lagrangian! {
    /// The rolling penny on an elliptical table, bouncing off its edge.
    pub system Penny {
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
            /// Semi-axis of the table along x, m; 0.20 for the circular table (Table I).
            a = 0.15 where a > 0,
            /// Semi-axis of the table along y, m (Table I).
            b = 0.20 where b > 0,
        }
        kinetic = m/2*(ẋ^2 + ẏ^2) + I/2*θ̇^2 + J/2*φ̇^2;

        constraints {
            /// No slip along x.
            roll_x: dx - R*cos(φ)*dθ;
            /// No slip along y.
            roll_y: dy - R*sin(φ)*dθ;
        }

        /// The leading rim meets the edge, (27).
        contact front {
            gap    = 1 - ((x + R*cos(φ))/a)^2 - ((y + R*sin(φ))/b)^2;
            impact = elastic;
        }
        /// The trailing rim meets the edge, (34).
        contact back {
            gap    = 1 - ((x - R*cos(φ))/a)^2 - ((y - R*sin(φ))/b)^2;
            impact = elastic;
        }

        /// Figure 3: the first 20 elastic impacts on the elliptical table, section VI-A.
        scenario figure_3 {
            φ = pi/2;
            θ̇ = 10;
            φ̇ = 0.2;
            solve ẋ, ẏ;
            until impacts = 20;
        }

        draw {
            ground (x/a)^2 + (y/b)^2 = 1;
            trace [x, y];
            arrow [x, y], [ẋ, ẏ], color green;
            line [x - R*cos(φ), y - R*sin(φ)], [x + R*cos(φ), y + R*sin(φ)], color red;
        }

        // The gradient of h = X²/a² + Y²/b² − 1 at the rim that meets the edge.
        let h_x = 2*(x + R*cos(φ))/a^2;
        let h_y = 2*(y + R*sin(φ))/b^2;
        let k_x = 2*(x - R*cos(φ))/a^2;
        let k_y = 2*(y - R*sin(φ))/b^2;

        // The number C of the map before the projection, (29).
        let C_front = -2*(h_x*ẋ + h_y*ẏ + R*(h_y*cos(φ) - h_x*sin(φ))*φ̇)
            /(1/m*(h_x^2 + h_y^2) + 1/J*R^2*(h_y*cos(φ) - h_x*sin(φ))^2);
        /// C for the trailing rim: the arm is −R.
        let C_back = -2*(k_x*ẋ + k_y*ẏ - R*(k_y*cos(φ) - k_x*sin(φ))*φ̇)
            /(1/m*(k_x^2 + k_y^2) + 1/J*R^2*(k_y*cos(φ) - k_x*sin(φ))^2);
        let K = m^2*R^2/(I + m*R^2);

        // dh, ∇h = ♯dh, the vector fields (30) and the matrix (31), for the equations of section IV.
        let dh = [h_x, h_y, 0, R*(h_y*cos(φ) - h_x*sin(φ))];
        let gradient = [h_x/m, h_y/m, 0, R/J*(h_y*cos(φ) - h_x*sin(φ))];
        let forms = [[1, 0, -R*cos(φ), 0], [0, 1, -R*sin(φ), 0]];
        let fields = [[1/m, 0, -R/I*cos(φ), 0], [0, 1/m, -R/I*sin(φ), 0]];
        let a_lower = [
            [m - K*cos(φ)^2,     -K*sin(φ)*cos(φ)],
            [-K*sin(φ)*cos(φ),   m - K*sin(φ)^2]
        ];

        notation {
            r"\omega^{k}(\dot{q})" = forms*velocity;
            r"a^{k}_{j}(q)\dot{q}^{j}" = forms*velocity;
            given r"k=1,\ldots,m";
            /// The columns of a matrix whose span are the displacements: what holds of it holds of each.
            r"a_{j}^{k}(q)\delta q^{j}" = forms*(identity - projector);
            // r = (θ, φ), s = (x, y).
            r"\frac{\partial L}{\partial\dot{r}^{\alpha}}" = partial(lagrangian, [θ̇, φ̇]);
            r"\frac{\partial L}{\partial r^{\alpha}}" = partial(lagrangian, [θ, φ]);
            r"\frac{\partial L}{\partial\dot{s}^{a}}" = partial(lagrangian, [ẋ, ẏ]);
            r"\frac{\partial L}{\partial s^{a}}" = partial(lagrangian, [x, y]);
            r"A_{\alpha}^{a}" = [[-R*cos(φ), -R*sin(φ)], [0, 0]];
            given r"\alpha=1,\ldots,n-m";
            r"\dot{s}^{a}" = [ẋ, ẏ];
            r"A_{\alpha}^{a}\dot{r}^{\alpha}" = [-R*cos(φ)*θ̇, -R*sin(φ)*θ̇];
            given r"a=1,\ldots,m";
            r"\textbf{F}L^{+}" = [plus(mass*velocity)];
            r"\textbf{F}L^{-}" = [mass*velocity];
            /// The displacements along which the constraints and dh vanish.
            r"\delta q" = identity - projector;
            H = energy;
            /// The impact time is free.
            r"\delta t" = 1;
            p = mass*velocity;
            r"\Delta\textbf{F}L" = mass*(plus(velocity) - velocity);
            r"\lambda_{k}\omega^{k}" = transpose(forms)*[impulse(roll_x), impulse(roll_y)];
            /// dh = −∇gap.
            r"\alpha" = -impulse(front);
            r"dh" = dh;
            r"\Delta H" = plus(energy) - energy;
            r"\omega^{k}(\dot{q}^{+})" = forms*plus(velocity);
            r"\lambda_{k}\langle\omega^{k},\omega^{\ell}\rangle" = forms*transpose(fields)*[impulse(roll_x), impulse(roll_y)];
            r"\langle dh,\omega^{\ell}\rangle" = forms*gradient;
            given r"\forall\ell";
            r"\lambda_{k}\langle p^{-},\omega^{k}\rangle" = dot([impulse(roll_x), impulse(roll_y)], forms*velocity);
            r"\langle p^{-},dh\rangle" = dot(dh, velocity);
            r"\lambda_{i}\lambda_{j}\langle\omega^{i},\omega^{j}\rangle"
                = dot([impulse(roll_x), impulse(roll_y)], forms*transpose(fields)*[impulse(roll_x), impulse(roll_y)]);
            r"\lambda_{k}\alpha\langle\omega^{k},dh\rangle" = -impulse(front)*dot([impulse(roll_x), impulse(roll_y)], forms*gradient);
            r"\langle dh,dh\rangle" = dot(dh, gradient);
            r"a^{ij}" = gram;
            r"a_{ij}" = inverse(gram);
            r"\omega^{i}\left(W^{j}\right)" = forms*transpose(fields);
            r"\dot{q}" = velocity;
            r"dh(\dot{q})" = dot(dh, velocity);
            r"g(\nabla h,\nabla h)" = dot(dh, gradient);
            r"\nabla h" = gradient;
            r"a_{ij}\omega^{i}(\nabla h)W^{j}" = transpose(fields)*a_lower*forms*gradient;
            L = lagrangian;
            r"\omega^{1}" = roll_x;
            r"\omega^{2}" = roll_y;
            r"dx" = dx;
            r"dy" = dy;
            r"d\theta" = dθ;
            r"C" = -impulse(front);
            r"\frac{\partial h}{\partial x}" = h_x;
            r"\frac{\partial h}{\partial y}" = h_y;
            r"\frac{\partial}{\partial x}" = [1, 0, 0, 0];
            r"\frac{\partial}{\partial y}" = [0, 1, 0, 0];
            r"\frac{\partial}{\partial\theta}" = [0, 0, 1, 0];
            r"W^{1}" = sharp(roll_x);
            r"W^{2}" = sharp(roll_y);
            r"\pi_{\Delta}" = identity - projector;
            // (33) put together.
            r"\begin{bmatrix}A&B\\ C&D\end{bmatrix}" = [
                [m*R^2*cos(φ)^2,       m*R^2*sin(φ)*cos(φ), I*R*cos(φ), 0],
                [m*R^2*sin(φ)*cos(φ),  m*R^2*sin(φ)^2,      I*R*sin(φ), 0],
                [m*R*cos(φ),           m*R*sin(φ),          I,          0],
                [0,                    0,                   0,          I + m*R^2]
            ];
        }
        /// The maps as matrices: what holds of the identity holds of every q̇.
        notation maps {
            r"\pi_{\Delta}(\dot{q})" = identity - projector;
            r"\dot{q}" = identity;
            r"a_{ij}\omega^{i}(\dot{q})W^{j}" = transpose(fields)*inverse(gram)*forms;
        }
        /// The blocks of (I + mR²)π_Δ.
        notation blocks {
            A = (I + m*R^2)*[
                [(identity - projector)[x, x], (identity - projector)[x, y]],
                [(identity - projector)[y, x], (identity - projector)[y, y]]
            ];
            B = (I + m*R^2)*[
                [(identity - projector)[x, θ], (identity - projector)[x, φ]],
                [(identity - projector)[y, θ], (identity - projector)[y, φ]]
            ];
            C = (I + m*R^2)*[
                [(identity - projector)[θ, x], (identity - projector)[θ, y]],
                [(identity - projector)[φ, x], (identity - projector)[φ, y]]
            ];
            D = (I + m*R^2)*[
                [(identity - projector)[θ, θ], (identity - projector)[θ, φ]],
                [(identity - projector)[φ, θ], (identity - projector)[φ, φ]]
            ];
        }
        /// Velocities and momenta: ♭ is the matrix of the kinetic energy, ♯ has the numbers of (22).
        notation metric {
            r"\flat" = mass;
            r"\sharp" = [[1/m, 0, 0, 0], [0, 1/m, 0, 0], [0, 0, 1/I, 0], [0, 0, 0, 1/J]];
            r"TQ" = space(4);
            r"T^{*}Q" = space(4);
            v = velocity;
            r"g(v,\cdot)" = [m*ẋ, m*ẏ, I*θ̇, J*φ̇];
        }
        /// The displacements that (8) leaves, worked out by hand: rolling on, and turning.
        notation distribution {
            r"\Delta_{q}" = span([[R*cos(φ), 0], [R*sin(φ), 0], [1, 0], [0, 1]]);
            r"\bigcap_{k=1}^{m}\,\ker\omega^{k}_{q}" = kernel(forms);
        }
        /// r = (θ, φ), s = (x, y).
        notation split {
            r"\omega^{a}_{q}" = [roll_x, roll_y];
            r"ds^{a}" = [dx, dy];
            r"A_{\alpha}^{a}(r,s)dr^{\alpha}" = [-R*cos(φ)*dθ, -R*sin(φ)*dθ];
        }
        /// The action.
        notation action {
            /// Along δq, with fixed ends: by parts it is −∫ (d/dt ∂L/∂q̇ − ∂L/∂q) δq dt, which vanishes for all δq of (10)
            /// where the integrand does.
            reading r"\delta\int_{a}^{b}\,L(q(t),\dot{q}(t))\,dt"
                = [partial(lagrangian, [x, y, θ, φ]) - rate(partial(lagrangian, velocity))]*(identity - projector);
        }
        /// The kernels of (24), each by itself.
        notation kernels {
            r"\Delta" = span([[R*cos(φ), 0], [R*sin(φ), 0], [1, 0], [0, 1]]);
            r"\ker\omega^{1}\cap\ker\omega^{2}" = kernel([[1, 0, -R*cos(φ), 0], [0, 1, -R*sin(φ), 0]]);
        }
        notation plastic {
            q = [x, y, θ, φ];
            r"\pi_{\Delta}" = identity - transpose(fields)*a_lower*forms;
            r"P(q,\dot{q})" = velocity - 2*dot(dh, velocity)/dot(dh, gradient)*gradient;
        }
        /// The edge of the table.
        notation table {
            r"\tilde{S}" = zeros([X, Y], (X/a)^2 + (Y/b)^2 - 1);
        }
        /// h at the rim that meets the edge, where it is 0.
        notation edge {
            r"h(x,y)" = 0;
            reading x = x + R*cos(φ);
            reading y = y + R*sin(φ);
        }

        claim eq1 in metric: tex r"\begin{split}\flat:TQ\to T^{*}Q,&\quad v\mapsto g(v,\cdot),\\ \sharp:T^{*}Q\to TQ,&\quad\sharp=\flat^{-1}.\end{split}";
        claim eq7 in distribution: tex r"\Delta_{q}=\bigcap_{k=1}^{m}\,\ker\omega^{k}_{q}.";
        claim eq9 in action: tex r"\delta\int_{a}^{b}\,L(q(t),\dot{q}(t))\,dt=0,";
        claim eq11 in split: tex r"\omega^{a}_{q}=ds^{a}+A_{\alpha}^{a}(r,s)dr^{\alpha},\quad a=1,\ldots,m,";
        claim eq8: tex r"\omega^{k}(\dot{q})=a^{k}_{j}(q)\dot{q}^{j}=0,\quad k=1,\ldots,m.";
        claim eq10: tex r"a_{j}^{k}(q)\delta q^{j}=0,\quad k=1,\ldots,m,";
        claim eq12: tex r"\begin{split}\left(\frac{d}{dt}\frac{\partial L}{\partial\dot{r}^{\alpha}}-\frac{\partial L}{\partial r^{\alpha}}\right)&=A_{\alpha}^{a}\left(\frac{d}{dt}\frac{\partial L}{\partial\dot{s}^{a}}-\frac{\partial L}{\partial s^{a}}\right),\\ &\alpha=1,\ldots,n-m,\end{split}";
        claim eq13: tex r"\dot{s}^{a}=-A_{\alpha}^{a}\dot{r}^{\alpha},\quad a=1,\ldots,m.";

        claim eq22: tex r"L=\frac{1}{2}m\left(\dot{x}^{2}+\dot{y}^{2}\right)+\frac{1}{2}I\dot{\theta}^{2}+\frac{1}{2}J\dot{\varphi}^{2}.";
        claim eq23: tex r"\begin{split}\dot{x}&=R\dot{\theta}\cos\varphi,\\ \dot{y}&=R\dot{\theta}\sin\varphi.\end{split}";
        claim eq24: tex r"\begin{split}\omega^{1}&=dx-R\left(\cos\varphi\right)d\theta,\\ \omega^{2}&=dy-R\left(\sin\varphi\right)d\theta.\end{split}";
        claim eq25: tex r"\begin{split}J\ddot{\varphi}&=0,\\ \left(I+mR^{2}\right)\ddot{\theta}&=0,\\ \dot{x}&=R\dot{\theta}\cos\varphi,\\ \dot{y}&=R\dot{\theta}\sin\varphi.\end{split}";
        /// The motion between impacts, with ω = φ̇ and Ω = θ̇.
        claim eq26: motion(ω, Ω, x_0, y_0, θ_0, φ_0) tex r"\begin{split}\varphi&=\omega t+\varphi_{0},\\ \theta&=\Omega t+\theta_{0},\\ x&=\frac{\Omega}{\omega}R\sin\left(\omega t+\varphi_{0}\right)-\frac{\Omega}{\omega}R\sin\varphi_{0}+x_{0},\\ y&=-\frac{\Omega}{\omega}R\cos\left(\omega t+\varphi_{0}\right)+\frac{\Omega}{\omega}R\cos\varphi_{0}+y_{0}.\end{split}";
        claim eq27 in table at front: tex r"\begin{bmatrix}x+R\cos\varphi\\ y+R\sin\varphi\end{bmatrix}\in\tilde{S}.";
        claim eq34 in table at back: tex r"\begin{bmatrix}x-R\cos\varphi\\ y-R\sin\varphi\end{bmatrix}\in\tilde{S}.";
        claim eq18 in plastic at front under project: tex r"(q,\dot{q})\mapsto\left(q,\pi_{\Delta}\circ P(q,\dot{q})\right),";

        claim eq28 at front under reflect: tex r"\begin{split}\dot{x}^{+}&=\dot{x}^{-}+\frac{C}{m}\frac{\partial h}{\partial x},\\ \dot{y}^{+}&=\dot{y}^{-}+\frac{C}{m}\frac{\partial h}{\partial y},\\ \dot{\theta}^{+}&=\dot{\theta}^{-},\\ \dot{\varphi}^{+}&=\dot{\varphi}^{-}+\frac{C}{J}R\left(\cos\varphi\frac{\partial h}{\partial y}-\sin\varphi\frac{\partial h}{\partial x}\right).\end{split}";
        /// C is the multiplier of dh in (5): the impulse along −∇gap.
        claim eq29 at front under reflect: tex r"C=\frac{-2\left[h_{x}\dot{x}+h_{y}\dot{y}+R\left(h_{y}\cos\varphi-h_{x}\sin\varphi\right)\dot{\varphi}\right]}{\frac{1}{m}\left[h_{x}^{2}+h_{y}^{2}\right]+\frac{1}{J}R^{2}\left(h_{y}\cos\varphi-h_{x}\sin\varphi\right)^{2}},";
        /// "The same procedure" for the trailing rim, after (34).
        claim eq34_map at back under reflect: plus(velocity) = velocity
            + C_back*[k_x/m, k_y/m, 0, -R/J*(cos(φ)*k_y - sin(φ)*k_x)];

        claim eq30: tex r"\begin{split}W^{1}&=\frac{1}{m}\frac{\partial}{\partial x}-\frac{R}{I}\cos\varphi\frac{\partial}{\partial\theta},\\ W^{2}&=\frac{1}{m}\frac{\partial}{\partial y}-\frac{R}{I}\sin\varphi\frac{\partial}{\partial\theta},\end{split}";
        claim eq31: tex r"\begin{split}(a_{ij})&=\begin{bmatrix}m-K\cos^{2}\varphi&-K\sin\varphi\cos\varphi\\ -K\sin\varphi\cos\varphi&m-K\sin^{2}\varphi\end{bmatrix},\\ K&=\frac{m^{2}R^{2}}{I+mR^{2}}.\end{split}";
        claim eq32: tex r"(I+mR^{2})\cdot\pi_{\Delta}=\begin{bmatrix}A&B\\ C&D\end{bmatrix},";
        claim eq33 in blocks: tex r"\begin{split}A&=mR^{2}\begin{bmatrix}\cos^{2}\varphi&\sin\varphi\cos\varphi\\ \sin\varphi\cos\varphi&\sin^{2}\varphi\end{bmatrix},\\ B&=IR\begin{bmatrix}\cos\varphi&0\\ \sin\varphi&0\end{bmatrix},\quad C=mR\begin{bmatrix}\cos\varphi&\sin\varphi\\ 0&0\end{bmatrix},\\ D&=\begin{bmatrix}I&0\\ 0&I+mR^{2}\end{bmatrix}.\end{split}";
        claim eq35 in edge at front: tex r"h(x,y)=\frac{x^{2}}{a^{2}}+\frac{y^{2}}{b^{2}}-1.";

        claim eq14 at front: tex r"\begin{split}\left(\textbf{F}L^{+}-\textbf{F}L^{-}\right)\delta q&=0,\\ \left(H^{+}-H^{-}\right)\delta t&=0.\end{split}";
        /// With the impulses of the rows for multipliers.
        claim eq15 at front: tex r"\begin{split}\Delta\textbf{F}L&=\lambda_{k}\omega^{k}+\alpha\cdot dh,\\ \Delta H&=0,\\ \omega^{k}(\dot{q}^{+})&=0.\end{split}";
        /// The corner conditions (15), solved as (16) and (17) say, are v⁺ = (I − 2P) v⁻.
        claim eq15_projector at front under corner:
            plus(velocity) = (identity - 2*projector)*velocity;
        claim eq15_projector_back at back under corner:
            plus(velocity) = (identity - 2*projector)*velocity;
        claim eq16 at front: tex r"\lambda_{k}\langle\omega^{k},\omega^{\ell}\rangle+\alpha\langle dh,\omega^{\ell}\rangle=0,\quad\forall\ell,";
        claim eq17 at front: tex r"\begin{split}2\lambda_{k}\langle p^{-},\omega^{k}\rangle&+2\alpha\langle p^{-},dh\rangle+\lambda_{i}\lambda_{j}\langle\omega^{i},\omega^{j}\rangle\\ &+2\lambda_{k}\alpha\langle\omega^{k},dh\rangle+\alpha^{2}\langle dh,dh\rangle=0\end{split}";
        claim eq19: tex r"a^{ij}=\omega^{i}\left(W^{j}\right),\quad\left(a_{ij}\right)=\left(a^{ij}\right)^{-1}.";
        claim eq20 at front under project: tex r"\dot{q}\mapsto\dot{q}-2\frac{dh(\dot{q})}{g(\nabla h,\nabla h)}\left(\nabla h-a_{ij}\omega^{i}(\nabla h)W^{j}\right).";
        claim eq21 in maps: tex r"\pi_{\Delta}(\dot{q})=\dot{q}-a_{ij}\omega^{i}(\dot{q})W^{j},";
        /// "Essentially the e = 1 and e = 0 cases in equation (6)": e = 0 would stop the rim along dh, the plastic impact
        /// of (18) turns it back.
        erratum prose4_1 at front under project: dot(dh, plus(velocity)) = 0;
            corrected: dot(dh, plus(velocity)) = dot(dh, velocity)
                - 2*dot(dh, velocity)/dot(dh, gradient)*dot(dh, gradient - transpose(fields)*a_lower*forms*gradient);
        /// "In order to impose the constraints to the Lagrangian system, the constraining forces do no work."
        claim prose4_5: λ(roll_x)*(ẋ - R*cos(φ)*θ̇) + λ(roll_y)*(ẏ - R*sin(φ)*θ̇) = 0;
        /// In the proof of Proposition IV.1.
        claim prose4_4 at front: tex r"p^{+}=p^{-}+\lambda_{k}\omega^{k}+\alpha\cdot dh";
        claim prose5_2 in kernels: tex r"\Delta=\ker\omega^{1}\cap\ker\omega^{2}";
        /// "At impact the rotation … is unchanged", before the constraints are imposed.
        claim prose5_1 at front under reflect: θ̇_plus = θ̇_minus;
        /// "It is not generally true that P(q, q̇) ∈ Δ": what the constraints then are.
        claim prose4_2 at front under reflect: forms*plus(velocity)
            = -2*dot(dh, velocity)/((h_x^2 + h_y^2)/m + (R*(h_y*cos(φ) - h_x*sin(φ)))^2/J)*(forms*gradient);
        /// "… since the constraints are assumed to be satisfied before impact": π_Δ(q̇) = q̇.
        claim prose4_3: (identity - projector)*velocity = velocity;

        /// The projected map is (32) after (28).
        claim eq33_map at front under project: (I + m*R^2)*plus(velocity) = [
            [m*R^2*cos(φ)^2,       m*R^2*sin(φ)*cos(φ), I*R*cos(φ), 0],
            [m*R^2*sin(φ)*cos(φ),  m*R^2*sin(φ)^2,      I*R*sin(φ), 0],
            [m*R*cos(φ),           m*R*sin(φ),          I,          0],
            [0,                    0,                   0,          I + m*R^2]
        ]*[
            ẋ + C_front/m*h_x, ẏ + C_front/m*h_y, θ̇, φ̇ + C_front/J*R*(cos(φ)*h_y - sin(φ)*h_x)
        ];
    }
}
