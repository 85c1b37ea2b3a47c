//! A particle on the surface z = f(x, y): putting-green, section 2.

eom_core::lagrangian! {
    /// A particle that slides on z = f(x, y) without friction.
    pub system SurfaceParticle {
        document "putting-green";

        coordinates {
            /// Along e₁, m.
            x,
            /// Along e₂, m.
            y,
        }
        parameters {
            /// Mass, kg.
            m = 0.0459 where m > 0,
            /// Gravity, m/s².
            g = 9.81,
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

        let r_p = [x, y, f];
        kinetic   = m/2*dot(r_p_dot, r_p_dot);
        potential = m*g*f;

        /// Past the mound, which bends the path.
        scenario past_the_mound {
            y = 0.4;
            ẋ = 1.2;
            until t = 3;
        }

        draw {
            surface f;
            trace [x, y, f];
            point [x, y, f], color red;
        }

        output z = f;

        notation {
            r"\mathbf{e}_1" = [1, 0, 0];
            r"\mathbf{e}_2" = [0, 1, 0];
            r"\mathbf{e}_3" = [0, 0, 1];
            r"\mathbf{r}_p" = r_p;
            r"\mathbf{v}_p" = r_p_dot;
            z = f;
            L = lagrangian;
        }

        claim eq1: tex r"\mathbf{r}_p = x\mathbf{e}_1 + y\mathbf{e}_2 + z\mathbf{e}_3 \quad (1)";
        claim eq2: tex r"\mathbf{v}_p = \frac{dx}{dt} \mathbf{e}_1 + \frac{dy}{dt} \mathbf{e}_2 + \left(\frac{\partial f}{\partial x} \frac{dx}{dt} + \frac{\partial f}{\partial y} \frac{dy}{dt} \right) \mathbf{e}_3 \quad (2)";
        claim eq3: tex r"L = \frac{m}{2} \left(\dot{x}^2 + \dot{y}^2 + \left(\dot{x} \frac{\partial f}{\partial x} + \dot{y} \frac{\partial f}{\partial y} \right)^2 \right) - mgf \quad (3)";
        /// The cross term of z̈ is 2ẋẏ f_xy, as in (6) and (8); in the second line ẋ f_x stands for ẍ f_x as well.
        erratum eq4: tex r"\begin{aligned} \ddot{x} &= \frac{-\frac{\partial f}{\partial x} \left(\ddot{y} \frac{\partial f}{\partial y} + \dot{y}^2 \frac{\partial^2 f}{\partial y^2} + \dot{x} \dot{y} \frac{\partial^2 f}{\partial x \partial y} + \dot{x}^2 \frac{\partial^2 f}{\partial x^2} + g \right)}{1 + \left(\frac{\partial f}{\partial x} \right)^2} \\ \ddot{y} &= \frac{-\frac{\partial f}{\partial y} \left(\dot{x} \frac{\partial f}{\partial x} + \dot{x}^2 \frac{\partial^2 f}{\partial x^2} + \dot{x} \dot{y} \frac{\partial^2 f}{\partial x \partial y} + \dot{y}^2 \frac{\partial^2 f}{\partial y^2} + g \right)}{1 + \left(\frac{\partial f}{\partial y} \right)^2} \end{aligned} \quad (4)";
            corrected: tex r"\begin{aligned} \ddot{x} &= \frac{-\frac{\partial f}{\partial x} \left(\ddot{y} \frac{\partial f}{\partial y} + \dot{y}^2 \frac{\partial^2 f}{\partial y^2} + 2 \dot{x} \dot{y} \frac{\partial^2 f}{\partial x \partial y} + \dot{x}^2 \frac{\partial^2 f}{\partial x^2} + g \right)}{1 + \left(\frac{\partial f}{\partial x} \right)^2} \\ \ddot{y} &= \frac{-\frac{\partial f}{\partial y} \left(\ddot{x} \frac{\partial f}{\partial x} + \dot{x}^2 \frac{\partial^2 f}{\partial x^2} + 2 \dot{x} \dot{y} \frac{\partial^2 f}{\partial x \partial y} + \dot{y}^2 \frac{\partial^2 f}{\partial y^2} + g \right)}{1 + \left(\frac{\partial f}{\partial y} \right)^2} \end{aligned} \quad (4)";
        /// The cross term again: (4) solved, with its 1 in place of 2.
        erratum eq5: tex r"\begin{aligned} \ddot{x} &= \frac{-\frac{\partial f}{\partial x} \left(\dot{y}^2 \frac{\partial^2 f}{\partial y^2} + \dot{x} \dot{y} \frac{\partial^2 f}{\partial x \partial y} + \dot{x}^2 \frac{\partial^2 f}{\partial x^2} + g \right)}{1 + \left(\frac{\partial f}{\partial x} \right)^2 + \left(\frac{\partial f}{\partial y} \right)^2} \\ \ddot{y} &= \frac{-\frac{\partial f}{\partial y} \left(\dot{x}^2 \frac{\partial^2 f}{\partial x^2} + \dot{x} \dot{y} \frac{\partial^2 f}{\partial x \partial y} + \dot{y}^2 \frac{\partial^2 f}{\partial y^2} + g \right)}{1 + \left(\frac{\partial f}{\partial x} \right)^2 + \left(\frac{\partial f}{\partial y} \right)^2} \end{aligned} \quad (5)";
            corrected: tex r"\begin{aligned} \ddot{x} &= \frac{-\frac{\partial f}{\partial x} \left(\dot{y}^2 \frac{\partial^2 f}{\partial y^2} + 2 \dot{x} \dot{y} \frac{\partial^2 f}{\partial x \partial y} + \dot{x}^2 \frac{\partial^2 f}{\partial x^2} + g \right)}{1 + \left(\frac{\partial f}{\partial x} \right)^2 + \left(\frac{\partial f}{\partial y} \right)^2} \\ \ddot{y} &= \frac{-\frac{\partial f}{\partial y} \left(\dot{x}^2 \frac{\partial^2 f}{\partial x^2} + 2 \dot{x} \dot{y} \frac{\partial^2 f}{\partial x \partial y} + \dot{y}^2 \frac{\partial^2 f}{\partial y^2} + g \right)}{1 + \left(\frac{\partial f}{\partial x} \right)^2 + \left(\frac{\partial f}{\partial y} \right)^2} \end{aligned} \quad (5)";
        /// "The system is completely symmetric between the two coordinates": one factor stands before both gradients, and is
        /// itself where x and y are exchanged.
        claim prose2_1: [ẍ, ÿ] = -(g + f_xx*ẋ^2 + 2*f_xy*ẋ*ẏ + f_yy*ẏ^2)/(1 + f_x^2 + f_y^2)*[f_x, f_y];
    }
}

eom_core::lagrangian! {
    /// A particle on z = f(x, y) with viscous damping along x and y.
    pub system DampedParticle {
        document "putting-green";

        coordinates {
            /// Along e₁, m.
            x,
            /// Along e₂, m.
            y,
        }
        parameters {
            /// Mass, kg.
            m = 0.0459 where m > 0,
            /// Gravity, m/s².
            g = 9.81,
            /// Damping of ẋ and of ẏ, kg/s.
            μ = 0.02 where μ >= 0,
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

        let r_p = [x, y, f];
        kinetic   = m/2*dot(r_p_dot, r_p_dot);
        potential = m*g*f;
        force x = -μ*ẋ;
        force y = -μ*ẏ;

        /// Past the mound, slower and slower.
        scenario past_the_mound {
            y = 0.4;
            ẋ = 1.8;
            until t = 3;
        }

        draw {
            surface f;
            trace [x, y, f];
            point [x, y, f], color red;
        }

        output z = f;

        claim eq6: tex r"\begin{aligned}\ddot{x} &= \frac{\left(-\mu\dot{x} - gm\frac{\partial f}{\partial x} - m\dot{x}^2\frac{\partial f}{\partial x}\frac{\partial^2 f}{\partial x^2} - 2m\dot{x}\dot{y}\frac{\partial f}{\partial x}\frac{\partial^2 f}{\partial x\partial y} + \mu\dot{y}\frac{\partial f}{\partial x}\frac{\partial f}{\partial y} - \mu\dot{x}\frac{\partial f}{\partial y}^2 - m\dot{y}^2\frac{\partial f}{\partial x}\frac{\partial^2 f}{\partial y^2}\right)}{m\left(1 + \left(\frac{\partial f}{\partial x}\right)^2 + \left(\frac{\partial f}{\partial y}\right)^2\right)} \\ \ddot{y} &= \frac{\left(-\mu\dot{y} - gm\frac{\partial f}{\partial y} - m\dot{x}^2\frac{\partial^2 f}{\partial x^2}\frac{\partial f}{\partial y} - 2m\dot{x}\dot{y}\frac{\partial^2 f}{\partial x\partial y}\frac{\partial f}{\partial y} + \mu\dot{x}\frac{\partial f}{\partial x}\frac{\partial f}{\partial y} - \mu\dot{y}\frac{\partial f}{\partial x}^2 - m\dot{y}^2\frac{\partial f}{\partial y}\frac{\partial^2 f}{\partial y^2}\right)}{m\left(1 + \left(\frac{\partial f}{\partial x}\right)^2 + \left(\frac{\partial f}{\partial y}\right)^2\right)}\end{aligned}\quad (6)";
        /// "A high degree of symmetry between the equations": what damps each coordinate reacts on both by one factor.
        claim prose2_2: [m*ẍ + μ*ẋ, m*ÿ + μ*ẏ]
            = (μ*(f_x*ẋ + f_y*ẏ) - m*(g + f_xx*ẋ^2 + 2*f_xy*ẋ*ẏ + f_yy*ẏ^2))/(1 + f_x^2 + f_y^2)*[f_x, f_y];
    }
}
