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

        let F_Nz = m*(g + f_xx*ẋ^2 + f_yy*ẏ^2 + 2*ẋ*ẏ*f_xy)/(1 + f_x^2 + f_y^2);
        let C_f = F_Nz*sqrt(1 + f_x^2 + f_y^2)/sqrt(ẋ^2 + ẏ^2 + (f_x*ẋ + f_y*ẏ)^2);
        let S = 2*m*R*sqrt(ẋ^2 + ẏ^2 + (ẋ*f_x + ẏ*f_y)^2);

        /// The unit vector along the cross product of the two tangents.
        claim eq7: cross([1, 0, f_x], [0, 1, f_y])/norm(cross([1, 0, f_x], [0, 1, f_y]))
            = [-f_x, -f_y, 1]/sqrt(1 + f_x^2 + f_y^2);
        claim eq8: z̈ = f_x*ẍ + f_y*ÿ + f_xx*ẋ^2 + f_yy*ẏ^2 + 2*ẋ*ẏ*f_xy;
        /// F_Nz is λ of z − f = 0. Friction is tangent to the surface and does not enter.
        claim eq9: λ(surface) = m*(g + f_xx*ẋ^2 + f_yy*ẏ^2 + 2*ẋ*ẏ*f_xy)/(1 + f_x^2 + f_y^2);
        claim eq10: λ(surface)*N = [-f_x*F_Nz, -f_y*F_Nz, F_Nz];
        claim eq11: [force(x), force(y), force(z)]
            = [-μ*ẋ*C_f, -μ*ẏ*C_f, -μ*C_f*(f_x*ẋ + f_y*ẏ)];
        claim eq12a: ẍ = -f_x*F_Nz/m - μ/m*ẋ*C_f;
        claim eq12b: ÿ = -f_y*F_Nz/m - μ/m*ẏ*C_f;
        claim eq12c: z̈ = -g + F_Nz/m - μ/m*(f_x*ẋ + f_y*ẏ)*C_f;
        /// ∂f²/∂y is read as (∂f/∂y)².
        claim eq13a: ω̇_x = -5*μ*(ẋ*f_x*f_y + ẏ*(1 + f_y^2))*F_Nz/S;
        /// ∂f²/∂x is read as (∂f/∂x)².
        claim eq13b: ω̇_y = 5*μ*(ẋ*(1 + f_x^2) + ẏ*f_x*f_y)*F_Nz/S;
        claim eq13c: ω̇_z = 5*μ*(-ẏ*f_x + ẋ*f_y)*F_Nz/S;

        claim eq14a when f_x = 0, f_y = 0, f_xx = 0, f_xy = 0, f_yy = 0:
            ẍ = -g*μ*ẋ/sqrt(ẋ^2 + ẏ^2);
        claim eq14b when f_x = 0, f_y = 0, f_xx = 0, f_xy = 0, f_yy = 0:
            ÿ = -g*μ*ẏ/sqrt(ẋ^2 + ẏ^2);
        claim eq14c when f_x = 0, f_y = 0, f_xx = 0, f_xy = 0, f_yy = 0: z̈ = 0;
        /// The number is the magnitude of ω̇; as a vector it is 5gμ/(2R) (−ẏ, ẋ, 0)/‖v‖.
        claim eq14d when f_x = 0, f_y = 0, f_xx = 0, f_xy = 0, f_yy = 0:
            norm([ω̇_x, ω̇_y, ω̇_z]) = 5*g*μ/(2*R);
        claim eq14_vector when f_x = 0, f_y = 0, f_xx = 0, f_xy = 0, f_yy = 0:
            [ω̇_x, ω̇_y, ω̇_z] = 5*g*μ/(2*R)*[-ẏ, ẋ, 0]/sqrt(ẋ^2 + ẏ^2);
    }
}
