//! The ball by Newton's way: putting-green, section 3.
//!
//! ```text
//! m a = F_N + F_f − m g e₃          F_N = λ N,  N = (−f_x, −f_y, 1),  λ from z = f
//! I ω̇ = −R n̂ × F_f                  F_f = −μ ‖F_N‖ v/‖v‖
//! ```
//!
//! The document lets friction oppose the velocity of the centre, not that of the point of contact:
//! a ball that starts to roll is braked and spun on. The event `rolls` records where its
//! point of contact comes to rest; real friction would end there.

eom_core::lagrangian! {
    /// A ball that slides on z = f(x, y), with dry friction against the velocity of its centre.
    pub system NewtonBall {
        document "putting-green";

        coordinates {
            /// Centre along e₁, m.
            x,
            /// Centre along e₂, m.
            y,
            /// Centre along e₃, m.
            z,
        }
        /// Attitude of the ball; angular velocity along e₁, e₂, e₃, rad/s.
        rotation Q { space: ω_x, ω_y, ω_z }
        parameters {
            /// Mass, kg.
            m = 0.0459 where m > 0,
            /// Radius, m.
            R = 0.02135 where R > 0,
            /// Gravity, m/s².
            g = 9.81 where g > 0,
            /// Coefficient of friction.
            μ = 0.2 where μ >= 0,
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

        let v_p = [ẋ, ẏ, ż];
        let ω = [ω_x, ω_y, ω_z];
        /// Moment of inertia of a homogeneous ball.
        let I = 2/5*m*R^2;
        kinetic   = m/2*dot(v_p, v_p) + I/2*dot(ω, ω);
        potential = m*g*z;

        holonomic { surface: z - f; }

        let N = [-f_x, -f_y, 1];
        let n = N/norm(N);
        /// Friction for λ = 1, and its moment.
        let rub = -μ*norm(N)*v_p/norm(v_p);
        let twist = cross(-R*n, rub);
        force x   = λ(surface)*rub[1];
        force y   = λ(surface)*rub[2];
        force z   = λ(surface)*rub[3];
        force ω_x = λ(surface)*twist[1];
        force ω_y = λ(surface)*twist[2];
        force ω_z = λ(surface)*twist[3];

        /// The point of contact comes to rest: v·(v + ω × (−R n̂)) falls through 0.
        event rolls { guard = dot(v_p, v_p + cross(ω, -R*n)); }

        /// A putt without spin, up the mound.
        scenario putt {
            y = 0.125;
            ẋ = 3;
            ẏ = -0.25;
            solve z, ż;
            until t = 0.75;
        }

        draw {
            surface f;
            trace [x, y, z];
            arrow [x, y, z], λ(surface)*[-f_x, -f_y, 1], color green;
            sphere [x, y, z], R, rotation Q;
        }

        /// The point of contact.
        let r_c = [x, y, z] - R*n;
        let pressure = m*(g + f_xx*ẋ^2 + f_yy*ẏ^2 + 2*ẋ*ẏ*f_xy)/(1 + f_x^2 + f_y^2);
        let C_f = pressure*sqrt(1 + f_x^2 + f_y^2)/sqrt(ẋ^2 + ẏ^2 + (f_x*ẋ + f_y*ẏ)^2);

        notation {
            r"\mathbf{e}_1" = [1, 0, 0];
            r"\mathbf{e}_2" = [0, 1, 0];
            r"\mathbf{e}_3" = [0, 0, 1];
            r"\hat{\mathbf{n}}" = n;
            r"F_{Nz}" = λ(surface);
            r"F_N" = λ(surface)*N;
            r"F_f" = [force(x), force(y), force(z)];
            r"\mathbf{a}_p" = [ẍ, ÿ, z̈];
            r"\mathbf{a}" = [ẍ, ÿ, z̈];
            r"\mathbf{v}_p" = v_p;
            r"\mathbf{r}_p" = [x, y, z];
            r"\mathbf{r}_{p/o}" = -R*n;
            r"e_3" = [0, 0, 1];
            r"\ddot{\mathbf{s}}" = [ẍ, ÿ];
            r"\hat{\mathbf{s}}" = [ẋ, ẏ]/norm([ẋ, ẏ]);
        }
        notation level {
            /// The magnitude: no component of it, nor a vector, is the number.
            reading r"\dot{\omega}" = norm([ω̇_x, ω̇_y, ω̇_z]);
        }
        notation unit {
            /// The unit normal, which the text writes with a hat.
            reading r"\mathbf{n}" = n;
        }

        claim eq7: tex r"\hat{\mathbf{n}} \triangleq \frac{N}{\|N\|} = \frac{(-\frac{\partial f}{\partial x}\mathbf{e}_1 + -\frac{\partial f}{\partial y}\mathbf{e}_2 + 1\mathbf{e}_3)}{\sqrt{1 + \left(\frac{\partial f}{\partial x} \right)^2 + \left(\frac{\partial f}{\partial y} \right)^2}} \quad (7)";
        /// The normal is the cross product of the two tangents.
        claim prose3_1: cross([1, 0, f_x], [0, 1, f_y]) = [-f_x, -f_y, 1];
        /// The centre is the point of contact and R n̂, n̂ being the normal of (7), of the centre's surface: it is that of the
        /// surface of the points of contact, too, which move across it.
        claim prose3_10: dot(r_c_dot, n) = 0;
        /// The moment of inertia of a homogeneous ball.
        claim prose3_2: tex r"I = \frac{2}{5}mR^2";
        claim prose3_3: tex r"m\mathbf{a} = F_N + F_f - mge_3";
        claim prose3_4: tex r"I\dot{\omega} = \mathbf{r}_{p/o} \times F_f";
        claim prose3_7 in unit: tex r"F_N = [(mge_3 + m\mathbf{a}_p) \cdot \hat{\mathbf{n}}]\mathbf{n}";
        /// Where the surface carries the ball.
        claim prose3_8 when sign(λ(surface)) = 1: tex r"F_f = -\mu\|F_N\| \cdot \frac{\mathbf{v}_p}{\|\mathbf{v}_p\|}";
        claim prose3_9 when f_x = 0, f_y = 0, f_xx = 0, f_xy = 0, f_yy = 0: tex r"\ddot{\mathbf{s}} = -\mu g \hat{\mathbf{s}}";
        claim eq8: tex r"\begin{aligned}\mathbf{a}_p &\triangleq \frac{d^2\mathbf{r}_p}{dt^2} = \ddot{x}\mathbf{e}_1 + \ddot{y}\mathbf{e}_2 + \ddot{z}\mathbf{e}_3 \\ \ddot{z} &= \frac{\partial f}{\partial x}\ddot{x} + \frac{\partial f}{\partial y}\ddot{y} + \frac{\partial^2 f}{\partial x^2}\dot{x}^2 + \frac{\partial^2 f}{\partial y^2}\dot{y}^2 + 2\dot{x}\dot{y}\frac{\partial^2 f}{\partial x\partial y}\end{aligned}\quad (8)";
        /// F_Nz is λ of z − f = 0. Friction is tangent to the surface and does not enter.
        claim eq9: tex r"F_{Nz} \triangleq \frac{m\left(g + \frac{\partial^2 f}{\partial x^2}\dot{x}^2 + \frac{\partial^2 f}{\partial y^2}\dot{y}^2 + 2\dot{x}\dot{y}\frac{\partial^2 f}{\partial x\partial y}\right)}{1 + \left(\frac{\partial f}{\partial x}\right)^2 + \left(\frac{\partial f}{\partial y}\right)^2}\quad (9)";
        claim eq10: tex r"F_N = -\frac{\partial f}{\partial x}F_{Nz}\mathbf{e}_1 - \frac{\partial f}{\partial y}F_{Nz}\mathbf{e}_2 + F_{Nz}\mathbf{e}_3\quad (10)";
        claim eq11: tex r"\begin{aligned}F_f &= \\ &-\mu\dot{x}C_f\mathbf{e}_1 - \mu\dot{y}C_f\mathbf{e}_2 - \mu C_f\left(\frac{\partial f}{\partial x}\dot{x} + \frac{\partial f}{\partial y}\dot{y}\right)\mathbf{e}_3 \\ C_f &\triangleq F_{Nz}\frac{\sqrt{1 + \left(\frac{\partial f}{\partial x}\right)^2 + \left(\frac{\partial f}{\partial y}\right)^2}}{\sqrt{\dot{x}^2 + \dot{y}^2 + \left(\frac{\partial f}{\partial x}\dot{x} + \frac{\partial f}{\partial y}\dot{y}\right)^2}}\end{aligned}\quad (11)";
        claim eq12: tex r"\begin{aligned}\ddot{x} &= -\frac{\partial f}{\partial x}\frac{F_{Nz}}{m} - \frac{\mu}{m}\dot{x}C_f \\ \ddot{y} &= -\frac{\partial f}{\partial y}\frac{F_{Nz}}{m} - \frac{\mu}{m}\dot{y}C_f \\ \ddot{z} &= -g + \frac{F_{Nz}}{m} - \frac{\mu}{m}\left(\frac{\partial f}{\partial x}\dot{x} + \frac{\partial f}{\partial y}\dot{y}\right)C_f\end{aligned}\quad (12)";
        /// ∂f²/∂y stands for (∂f/∂y)², and ∂f²/∂x for (∂f/∂x)²: as printed it is the derivative of a square.
        erratum eq13: tex r"\begin{aligned}\dot{\omega}_x &= -\frac{5\mu\left(\dot{x}\frac{\partial f}{\partial x}\frac{\partial f}{\partial y} + \dot{y}\left(1 + \frac{\partial f^2}{\partial y}\right)\right)F_{Nz}}{2mR\sqrt{\dot{x}^2 + \dot{y}^2 + \left(\dot{x}\frac{\partial f}{\partial x} + \dot{y}\frac{\partial f}{\partial y}\right)^2}} \\ \dot{\omega}_y &= \frac{5\mu\left(\dot{x}\left(1 + \frac{\partial f^2}{\partial x}\right) + \dot{y}\frac{\partial f}{\partial x}\frac{\partial f}{\partial y}\right)F_{Nz}}{2mR\sqrt{\dot{x}^2 + \dot{y}^2 + \left(\dot{x}\frac{\partial f}{\partial x} + \dot{y}\frac{\partial f}{\partial y}\right)^2}} \\ \dot{\omega}_z &= \frac{5\mu\left(-\dot{y}\frac{\partial f}{\partial x} + \dot{x}\frac{\partial f}{\partial y}\right)F_{Nz}}{2mR\sqrt{\dot{x}^2 + \dot{y}^2 + \left(\dot{x}\frac{\partial f}{\partial x} + \dot{y}\frac{\partial f}{\partial y}\right)^2}}\end{aligned}\quad (13)";
            corrected: tex r"\begin{aligned}\dot{\omega}_x &= -\frac{5\mu\left(\dot{x}\frac{\partial f}{\partial x}\frac{\partial f}{\partial y} + \dot{y}\left(1 + \left(\frac{\partial f}{\partial y}\right)^2\right)\right)F_{Nz}}{2mR\sqrt{\dot{x}^2 + \dot{y}^2 + \left(\dot{x}\frac{\partial f}{\partial x} + \dot{y}\frac{\partial f}{\partial y}\right)^2}} \\ \dot{\omega}_y &= \frac{5\mu\left(\dot{x}\left(1 + \left(\frac{\partial f}{\partial x}\right)^2\right) + \dot{y}\frac{\partial f}{\partial x}\frac{\partial f}{\partial y}\right)F_{Nz}}{2mR\sqrt{\dot{x}^2 + \dot{y}^2 + \left(\dot{x}\frac{\partial f}{\partial x} + \dot{y}\frac{\partial f}{\partial y}\right)^2}} \\ \dot{\omega}_z &= \frac{5\mu\left(-\dot{y}\frac{\partial f}{\partial x} + \dot{x}\frac{\partial f}{\partial y}\right)F_{Nz}}{2mR\sqrt{\dot{x}^2 + \dot{y}^2 + \left(\dot{x}\frac{\partial f}{\partial x} + \dot{y}\frac{\partial f}{\partial y}\right)^2}}\end{aligned}\quad (13)";
        claim eq14 in level when f_x = 0, f_y = 0, f_xx = 0, f_xy = 0, f_yy = 0: tex r"\begin{aligned}\ddot{x} &= -\frac{g\mu\dot{x}}{\sqrt{\dot{x}^2 + \dot{y}^2}} \\ \ddot{y} &= -\frac{g\mu\dot{y}}{\sqrt{\dot{x}^2 + \dot{y}^2}} \\ \ddot{z} &= 0 \\ \dot{\omega} &= \frac{5g\mu}{2R}\end{aligned}\tag{14}";
        claim eq14_vector when f_x = 0, f_y = 0, f_xx = 0, f_xy = 0, f_yy = 0:
            [ω̇_x, ω̇_y, ω̇_z] = 5*g*μ/(2*R)*[-ẏ, ẋ, 0]/sqrt(ẋ^2 + ẏ^2);
        /// "The force due to friction has a magnitude of −μ‖F_N‖ in the direction of the velocity": its magnitude is μ‖F_N‖,
        /// against it.
        erratum prose3_5: norm([force(x), force(y), force(z)]) = -μ*norm(λ(surface)*N);
            corrected: norm([force(x), force(y), force(z)]) = μ*norm(λ(surface)*N);
        /// "Only the friction force produces a moment about the centre": that of the normal force is 0.
        claim prose3_6: cross(-R*n, λ(surface)*N) = [0, 0, 0];
    }
}
