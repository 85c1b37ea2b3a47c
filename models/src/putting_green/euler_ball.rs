//! The ball with Rosen's dissipation function in Euler angles: putting-green, section 4.2.
//!
//! The angles ψ, θ, φ are a space-two 3-1-3 rotation: by ψ about e₃, by θ about e₁, by φ about e₃.
//! The printed ω_x, ω_y, ω_z (26)–(28) are components along the axes of the ball, but enter (31)–(33) as
//! if they were along e₁, e₂, e₃. The equations (35)–(45) follow from what is printed. The error is of no
//! consequence for x, y, z and ω_x, ω_y, ω_z, since a ball has the same inertia about all axes: (43)–(45)
//! are those of the true components as well. Only the angles are not those of the ball.

eom_core::lagrangian! {
    /// A ball on a rough surface that it may leave, in Euler angles.
    pub system EulerBall {
        document "putting-green";

        coordinates {
            /// Centre along e₁, m.
            x,
            /// Centre along e₂, m.
            y,
            /// Centre along e₃, m.
            z,
            /// First turn, about e₃, rad.
            ψ,
            /// Second turn, about e₁, rad.
            θ,
            /// Third turn, about e₃, rad.
            φ,
        }
        parameters {
            /// Mass, kg.
            m = 0.0459 where m > 0,
            /// Radius, m.
            r = 0.02135 where r > 0,
            /// Radius of gyration, m: a homogeneous ball.
            k = sqrt(2/5)*r where k > 0,
            /// Gravity, m/s².
            g = 9.81,
            /// Friction along e₁, kg/s.
            μ_x = 0.05 where μ_x >= 0,
            /// Friction along e₂, kg/s.
            μ_y = μ_x where μ_y >= 0,
            /// Friction along e₃, kg/s.
            μ_z = μ_x where μ_z >= 0,
            /// Slope of the green along y.
            s = 0.02,
            /// Height of its mound, m.
            h = 0.15,
            /// Where the mound is, m along x.
            a = 1.5,
            /// Width of the mound, m: there it has fallen to h/e.
            w = 0.6 where w > 0,
        }
        /// The height of the surface, m. The claims hold for every smooth f.
        function f(x, y) = s*y + h*exp(-((x - a)^2 + y^2)/w^2);

        // (26)–(28) as printed.
        let ω_x = φ̇*sin(θ)*sin(ψ) + θ̇*cos(ψ);
        let ω_y = φ̇*cos(ψ)*sin(θ) - θ̇*sin(ψ);
        let ω_z = φ̇*cos(θ) + ψ̇;
        kinetic   = m/2*(ẋ^2 + ẏ^2 + ż^2) + m*k^2/2*(ω_x^2 + ω_y^2 + ω_z^2);
        potential = m*g*z;

        let N = f_x^2 + f_y^2 + 1;
        let γ_x = ẋ - r/sqrt(N)*(ω_y + ω_z*f_y);
        let γ_y = ẏ + r/sqrt(N)*(ω_x + ω_z*f_x);
        let γ_z = ż + r/sqrt(N)*(ω_x*f_y - ω_y*f_x);

        /// The surface, (41). Friction acts in contact only.
        contact surface {
            gap         = z - f;
            impact      = plastic;
            dissipation = μ_x/2*γ_x^2 + μ_y/2*γ_y^2 + μ_z/2*γ_z^2;
        }

        /// A putt without spin, over the mound: it hops.
        scenario hop {
            y = 0.125;
            θ = pi/2;
            ẋ = 5;
            ẏ = -0.25;
            z = f(0, 0.125);
            ż = 5*f_x(0, 0.125) - 0.25*f_y(0, 0.125);
            until t = 1.5;
        }

        draw {
            surface f;
            trace [x, y, z];
            arrow [x, y, z], λ(surface)*[-f_x, -f_y, 1], color green;
            sphere [x, y, z], r, rotation rot_z(ψ)*rot_x(θ)*rot_z(φ);
        }

        /// The centre above the surface, m.
        output gap = z - f;

        /// The attitude: axes of the ball to e₁, e₂, e₃.
        let A = rot_z(φ)*rot_x(θ)*rot_z(ψ);

        notation {
            r"\mathbf{e}_1" = [1, 0, 0];
            r"\mathbf{e}_2" = [0, 1, 0];
            r"\mathbf{e}_3" = [0, 0, 1];
            r"\bar{\omega}" = vee(A_dot*transpose(A));
            L = lagrangian;
            r"\mathbf{v}_P" = [ẋ, ẏ, ż];
            r"\lambda_h" = -λ(surface);
        }
        /// (23) of one coordinate: θ, on which no force of constraint acts.
        notation one {
            r"q_i" = θ;
            r"K_f" = dissipation;
            r"Q_i" = 0;
        }
        notation slip {
            r"\mathbf{v}_s" = [γ_x, γ_y, γ_z];
            r"\omega" = [ω_x, ω_y, ω_z];
            R = r;
            r"\hat{\mathbf{n}}" = [-f_x, -f_y, 1]/sqrt(N);
        }
        notation body {
            /// Along the axes of the ball, not along e₁, e₂, e₃ as (25) has it.
            reading r"\omega_x" = vee(transpose(A)*A_dot)[1];
            /// Along the axes of the ball.
            reading r"\omega_y" = vee(transpose(A)*A_dot)[2];
            /// Along the axes of the ball.
            reading r"\omega_z" = vee(transpose(A)*A_dot)[3];
        }

        claim eq23 in one closed surface: tex r"\frac{d}{dt} \left(\frac{\partial L}{\partial \dot{q}_i} \right) - \frac{\partial L}{\partial q_i} + \frac{\partial K_f}{\partial \dot{q}_i} = Q_i \quad (23)";
        claim eq24: tex r"\mathbf{v}_P = \dot{x}\mathbf{e}_1 + \dot{y}\mathbf{e}_2 + \dot{z}\mathbf{e}_3 \quad (24)";
        /// (26)–(28) are components along the axes of the ball: those along e₁, e₂, e₃ are A ω.
        erratum eq25: tex r"\bar{\omega} = \omega_x\mathbf{e}_1 + \omega_y\mathbf{e}_2 + \omega_z\mathbf{e}_3 \quad (25)";
            corrected: tex r"\bar{\omega} = \omega_x A\mathbf{e}_1 + \omega_y A\mathbf{e}_2 + \omega_z A\mathbf{e}_3 \quad (25)";
        claim eq26 in body: tex r"\omega_x = \dot{\phi} \sin \theta \sin \psi + \dot{\theta} \cos \psi \quad (26)";
        claim eq27 in body: tex r"\omega_y = \dot{\phi} \cos \psi \sin \theta - \dot{\theta} \sin \psi \quad (27)";
        claim eq28 in body: tex r"\omega_z = \dot{\phi} \cos \theta + \dot{\psi} \quad (28)";
        /// z is a coordinate of its own: V = mgz, from which (37) has its gm. With mgf the ball would
        /// be pulled along −∇f in flight.
        erratum eq29: tex r"L = \frac{m}{2}(\dot{x}^2 + \dot{y}^2 + \dot{z}^2) + \frac{mk^2}{2}(\dot{\theta}^2 + \dot{\phi}^2 + \dot{\psi}^2 + 2\dot{\phi}\dot{\psi}\cos\theta) - mgf \quad (29)";
            corrected: tex r"L = \frac{m}{2}(\dot{x}^2 + \dot{y}^2 + \dot{z}^2) + \frac{mk^2}{2}(\dot{\theta}^2 + \dot{\phi}^2 + \dot{\psi}^2 + 2\dot{\phi}\dot{\psi}\cos\theta) - mgz \quad (29)";
        claim eq30: tex r"N \triangleq \left(\frac{\partial f}{\partial x}\right)^2 + \left(\frac{\partial f}{\partial y}\right)^2 + 1 \quad (30)";
        claim eq31: tex r"\gamma_x \triangleq \dot{x} - \frac{r}{\sqrt{N}}\left(\omega_y + \omega_z\frac{\partial f}{\partial y}\right) \quad (31)";
        claim eq32: tex r"\gamma_y \triangleq \dot{y} + \frac{r}{\sqrt{N}}\left(\omega_x + \omega_z\frac{\partial f}{\partial x}\right) \quad (32)";
        claim eq33: tex r"\gamma_z \triangleq \dot{z} + \frac{r}{\sqrt{N}}\left(\omega_x\frac{\partial f}{\partial y} - \omega_y\frac{\partial f}{\partial x}\right) \quad (33)";
        /// The slip is v + ω × (−R n̂), the document's r being R.
        claim prose4_3 in slip: tex r"\mathbf{v}_s = \mathbf{v}_P + \omega \times (-R\hat{\mathbf{n}})";
        /// The kinetic energy is m v²/2 + m k² ω²/2, along whichever axes.
        claim prose4_4: kinetic = m/2*dot([ẋ, ẏ, ż], [ẋ, ẏ, ż])
            + m*k^2/2*dot(vee(A_dot*transpose(A)), vee(A_dot*transpose(A)));
        /// (37) solved for λ_h.
        claim prose4_5 closed surface: tex r"\lambda_h = -(m\ddot{z} + \mu_z \gamma_z + gm)";

        claim eq35 closed surface: tex r"m\ddot{x} + \mu_x\gamma_x - \lambda_h\frac{\partial f}{\partial x} = 0 \quad (35)";
        claim eq36 closed surface: tex r"m\ddot{y} + \mu_y\gamma_y - \lambda_h\frac{\partial f}{\partial y} = 0 \quad (36)";
        claim eq37 closed surface: tex r"m\ddot{z} + \mu_z\gamma_z + gm + \lambda_h = 0 \quad (37)";
        /// φ̇ cos θ stands for φ̈ cos θ.
        erratum eq38 closed surface: tex r"k^2m\left(\ddot{\psi} + \dot{\phi}\cos\theta - \dot{\phi}\dot{\theta}\sin\theta\right) + \frac{r}{\sqrt{N}}\left(-\mu_x\gamma_x\frac{\partial f}{\partial y} + \mu_y\gamma_y\frac{\partial f}{\partial x}\right) = 0";
            corrected: tex r"k^2m\left(\ddot{\psi} + \ddot{\phi}\cos\theta - \dot{\phi}\dot{\theta}\sin\theta\right) + \frac{r}{\sqrt{N}}\left(-\mu_x\gamma_x\frac{\partial f}{\partial y} + \mu_y\gamma_y\frac{\partial f}{\partial x}\right) = 0";
        claim eq39 closed surface: tex r"k^2m\left(\ddot{\theta} + \dot{\phi}\dot{\psi}\sin\theta\right) + \frac{r}{\sqrt{N}}\left(\mu_x\gamma_x\sin\psi + \mu_y\gamma_y\cos\psi\right) + \frac{r}{\sqrt{N}}\left(\mu_z\gamma_z\left(\cos\psi\frac{\partial f}{\partial y} + \sin\psi\frac{\partial f}{\partial x}\right)\right) = 0";
        claim eq40 closed surface: tex r"k^2m\left(\ddot{\phi} + \ddot{\psi}\cos\theta - \dot{\theta}\dot{\psi}\sin\theta\right) + \frac{r}{\sqrt{N}}\left(-\mu_x\gamma_x\left(\cos\psi\sin\theta + \cos\theta\frac{\partial f}{\partial y}\right)\right) + \frac{r}{\sqrt{N}}\left(\mu_y\gamma_y\left(\sin\psi\sin\theta + \cos\theta\frac{\partial f}{\partial x}\right)\right) + \frac{r}{\sqrt{N}}\left(\mu_z\gamma_z\sin\theta\left(\sin\psi\frac{\partial f}{\partial y} - \cos\psi\frac{\partial f}{\partial x}\right)\right) = 0";
        claim eq41 closed surface: tex r"z - f(x, y) \geq 0 \quad (41)";
        /// φ̇ sin θ stands for φ̈ sin θ.
        erratum eq42 closed surface: tex r"\frac{\sin\theta}{\sqrt{N}}[k^2m\sqrt{N}\left(-\dot{\theta}\dot{\psi} + \cos\theta\dot{\theta}\dot{\phi} + \dot{\phi}\sin\theta\right) + r\left(-\cos\psi\gamma_x\mu_x + \sin\psi\gamma_y\mu_y\right) + r\left(-\cos\psi\frac{\partial f}{\partial x} + \sin\psi\frac{\partial f}{\partial y}\right)\gamma_z\mu_z] = 0 \quad (42)";
            corrected: tex r"\frac{\sin\theta}{\sqrt{N}}[k^2m\sqrt{N}\left(-\dot{\theta}\dot{\psi} + \cos\theta\dot{\theta}\dot{\phi} + \ddot{\phi}\sin\theta\right) + r\left(-\cos\psi\gamma_x\mu_x + \sin\psi\gamma_y\mu_y\right) + r\left(-\cos\psi\frac{\partial f}{\partial x} + \sin\psi\frac{\partial f}{\partial y}\right)\gamma_z\mu_z] = 0 \quad (42)";
        /// Holds though (26)–(28) are components along the axes of the ball.
        claim eq43 closed surface: tex r"-k^2m\dot{\omega}_y + \frac{r}{\sqrt{N}}\left(\gamma_x\mu_x + \frac{\partial f}{\partial x}\gamma_z\mu_z\right) = 0 \quad (43)";
        claim eq44 closed surface: tex r"k^2 m \dot{\omega}_x + \frac{r}{\sqrt{N}} \left(\gamma_y \mu_y + \frac{\partial f}{\partial y} \gamma_z \mu_z \right) = 0 \quad (44)";
        claim eq45 closed surface: tex r"k^2 m \dot{\omega}_z + \frac{r}{\sqrt{N}} \left(-\frac{\partial f}{\partial y} \gamma_x \mu_x + \frac{\partial f}{\partial x} \gamma_y \mu_y \right) = 0 \quad (45)";
        /// "The Lagrange multiplier λ_h has the physical interpretation of the magnitude of the normal force": its force is
        /// λ_h (f_x, f_y, −1), √N times as large on a slope. Squares, since λ_h itself is negative.
        erratum prose4_6 closed surface: λ(surface)^2 = dot(λ(surface)*[f_x, f_y, -1], λ(surface)*[f_x, f_y, -1]);
            corrected: λ(surface)^2*N = dot(λ(surface)*[f_x, f_y, -1], λ(surface)*[f_x, f_y, -1]);
        /// "… representing the magnitude of the normal force in the e₃ direction".
        claim prose4_7 closed surface: abs(λ(surface)) = abs((λ(surface)*[-f_x, -f_y, 1])[3]);
        /// "The other velocities do not change throughout the flight": those of the angles do, the angular velocity along
        /// e₁, e₂, e₃ does not.
        erratum prose5_1: [ẍ, ÿ, θ̈] = [0, 0, 0];
            corrected: [ẍ, ÿ, θ̈] = [0, 0, -φ̇*ψ̇*sin(θ)];
        /// In flight, friction ends with the contact.
        claim prose5_4: tex r"\ddot{z} = -g";
        /// "ż and z̈, which would both be set to zero" where the ball lands and goes on along the surface: on a slope the
        /// surface does not allow it.
        erratum prose5_2 closed surface: ż = 0; corrected: ż = f_x*ẋ + f_y*ẏ;
    }
}
