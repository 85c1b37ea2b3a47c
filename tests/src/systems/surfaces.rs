//! Functions that are given at run time: particles and a probe on surfaces of any shape.

eom_core::lagrangian! {
    /// A particle on the surface z = f(x, y) (putting-green (3)).
    pub system Surface {
        document "Savransky: The Putting Green";
        coordinates { x, y }
        parameters { m = 1 where m > 0, g = 9.81 }
        /// Height of the surface.
        function f(x, y) = 0.3*sin(x)*cos(2*y);
        kinetic = m/2*(ẋ^2 + ẏ^2 + ḟ^2);
        potential = m*g*f;
        claim total_derivative: ḟ = f_x*ẋ + f_y*ẏ;
        claim height: f̈ = f_x*ẍ + f_y*ÿ + f_xx*ẋ^2 + f_yy*ẏ^2 + 2*ẋ*ẏ*f_yx;
        claim along_x: ẍ*(1 + f_x^2 + f_y^2)
            = -f_x*(ẏ^2*f_yy + 2*ẋ*ẏ*f_xy + ẋ^2*f_xx + g);
        /// The printed form lacks the factor 2.
        erratum eq5: ẍ = -f_x*(ẏ^2*f_yy + ẋ*ẏ*f_xy + ẋ^2*f_xx + g)/(1 + f_x^2 + f_y^2);
        corrected: ẍ = -f_x*(ẏ^2*f_yy + 2*ẋ*ẏ*f_xy + ẋ^2*f_xx + g)/(1 + f_x^2 + f_y^2);
        scenario thrown { x = 1/10; y = 1/5; ẋ = 1; ẏ = -1; until t = 5; }
    }
}

eom_core::lagrangian! {
    /// A particle with viscous friction on a surface that the user must give (putting-green (6)).
    pub system Green {
        document "Savransky: The Putting Green";
        coordinates { x, y }
        parameters { m = 1 where m > 0, g = 9.81, μ = 0 where μ >= 0 }
        /// Height of the surface.
        function f(x, y);
        kinetic = m/2*(ẋ^2 + ẏ^2 + ḟ^2);
        potential = m*g*f;
        // The force −μẋ acts in the plane of the coordinates.
        dissipation = μ/2*(ẋ^2 + ẏ^2);
        claim eq6_x: m*(1 + f_x^2 + f_y^2)*ẍ
            = -μ*ẋ - g*m*f_x - m*ẋ^2*f_x*f_xx - 2*m*ẋ*ẏ*f_x*f_xy + μ*ẏ*f_x*f_y - μ*ẋ*f_y^2
              - m*ẏ^2*f_x*f_yy;
        claim eq6_y: m*(1 + f_x^2 + f_y^2)*ÿ
            = -μ*ẏ - g*m*f_y - m*ẋ^2*f_xx*f_y - 2*m*ẋ*ẏ*f_xy*f_y + μ*ẋ*f_x*f_y - μ*ẏ*f_x^2
              - m*ẏ^2*f_y*f_yy;
        /// Where the green is level the particle slows down as on a plane.
        claim level when f_x = 0, f_y = 0: m*[ẍ, ÿ] = -μ*[ẋ, ẏ];
    }
}

eom_core::lagrangian! {
    /// A rod that hangs from a slider, driven along x and free along z, and touches a ground of any shape with its tip:
    /// functions at a point, of t, in scenarios and outputs, with defaults of parameters.
    pub system Probe {
        coordinates { z, θ }
        parameters {
            m = 1 where m > 0, M = 1/2 where M > 0, l = 1 where l > 0,
            g = 9.81, a = 1/10, k = 3, b = 1/5,
        }
        /// Height of the ground under z.
        function h(z) = a*cos(k*z);
        /// The slider.
        function w(t) = b*sin(2*t);
        let X = w + l*sin(θ);
        let Z = z - l*cos(θ);
        kinetic = m/2*(Ẋ^2 + Ż^2) + M/2*ż^2;
        potential = m*g*Z + M*g*z;
        contact tip { gap = Z - h(X); impact = elastic; }
        claim slide: M*z̈ + m*(z̈ + l*θ̈*sin(θ) + l*θ̇^2*cos(θ)) = -(m + M)*g;
        claim swing: ẅ*cos(θ) + l*θ̈ + z̈*sin(θ) = -g*sin(θ);
        claim touching at tip: (Ż_plus - h_z(X)*plus(Ẋ)) = -(Ż - h_z(X)*Ẋ);
        output slope = h_z(X);
        output speed = ẇ;
        event level { guard = h_z(X) - h_zz(z)*θ̇/100; both; }
        scenario dropped { z = h(l) + 2*l; θ = 1; θ̇ = 1; until t = 2; }
    }
}
