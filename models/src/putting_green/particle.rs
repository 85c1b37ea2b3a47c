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

        claim eq2: r_p_dot = [ẋ, ẏ, f_x*ẋ + f_y*ẏ];
        claim eq3: lagrangian = m/2*(ẋ^2 + ẏ^2 + (ẋ*f_x + ẏ*f_y)^2) - m*g*f;
        /// z̈ has the cross term 2ẋẏ f_xy, as in (6) and (8).
        erratum eq4a: ẍ = -f_x*(ÿ*f_y + ẏ^2*f_yy + ẋ*ẏ*f_xy + ẋ^2*f_xx + g)/(1 + f_x^2);
            corrected: ẍ = -f_x*(ÿ*f_y + ẏ^2*f_yy + 2*ẋ*ẏ*f_xy + ẋ^2*f_xx + g)/(1 + f_x^2);
        /// The same, and ẋ f_x stands for ẍ f_x; neither change is enough alone.
        erratum eq4b: ÿ = -f_y*(ẋ*f_x + ẋ^2*f_xx + ẋ*ẏ*f_xy + ẏ^2*f_yy + g)/(1 + f_y^2);
            corrected: ÿ = -f_y*(ẍ*f_x + ẋ^2*f_xx + 2*ẋ*ẏ*f_xy + ẏ^2*f_yy + g)/(1 + f_y^2);
        /// The cross term again: (4) solved, with its 1 in place of 2.
        erratum eq5a: ẍ = -f_x*(ẏ^2*f_yy + ẋ*ẏ*f_xy + ẋ^2*f_xx + g)/(1 + f_x^2 + f_y^2);
            corrected: ẍ = -f_x*(ẏ^2*f_yy + 2*ẋ*ẏ*f_xy + ẋ^2*f_xx + g)/(1 + f_x^2 + f_y^2);
        /// As (5), first line.
        erratum eq5b: ÿ = -f_y*(ẋ^2*f_xx + ẋ*ẏ*f_xy + ẏ^2*f_yy + g)/(1 + f_x^2 + f_y^2);
            corrected: ÿ = -f_y*(ẋ^2*f_xx + 2*ẋ*ẏ*f_xy + ẏ^2*f_yy + g)/(1 + f_x^2 + f_y^2);
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

        /// ∂f/∂y² is read as (∂f/∂y)².
        claim eq6a: ẍ = (-μ*ẋ - g*m*f_x - m*ẋ^2*f_x*f_xx - 2*m*ẋ*ẏ*f_x*f_xy + μ*ẏ*f_x*f_y
            - μ*ẋ*f_y^2 - m*ẏ^2*f_x*f_yy)/(m*(1 + f_x^2 + f_y^2));
        claim eq6b: ÿ = (-μ*ẏ - g*m*f_y - m*ẋ^2*f_xx*f_y - 2*m*ẋ*ẏ*f_xy*f_y + μ*ẋ*f_x*f_y
            - μ*ẏ*f_x^2 - m*ẏ^2*f_y*f_yy)/(m*(1 + f_x^2 + f_y^2));
    }
}
