//! The six systems of `data/sympy`, as their files declare them.

eom_core::lagrangian! {
    /// The rolling penny without its table.
    pub system RollingPenny {
        coordinates { x, y, theta, phi }
        parameters {
            R = 0.01 where R > 0,
            m = 0.0025 where m > 0,
            I = 1.25e-7 where I > 0,
            J = 6.25e-8 where J > 0,
        }
        kinetic = m/2*(x_dot^2 + y_dot^2) + I/2*theta_dot^2 + J/2*phi_dot^2;
        constraints {
            roll_x: dx - R*cos(phi)*dtheta;
            roll_y: dy - R*sin(phi)*dtheta;
        }
    }
}

eom_core::lagrangian! {
    /// Two unit rods with unit masses; angles from the downward vertical.
    pub system DoublePendulum {
        coordinates { q0, q1 }
        parameters { g = 9.81 }
        let X0 = sin(q0);
        let Y0 = -cos(q0);
        let X1 = X0 + sin(q1);
        let Y1 = Y0 - cos(q1);
        kinetic = (X0_dot^2 + Y0_dot^2 + X1_dot^2 + Y1_dot^2)/2;
        potential = g*(Y0 + Y1);
    }
}

eom_core::lagrangian! {
    /// A particle on the surface z = f(x, y).
    pub system Particle {
        coordinates { x, y }
        parameters { m = 1 where m > 0, g = 9.81 }
        let f = 0.3*sin(x)*cos(2*y);
        kinetic = m/2*(x_dot^2 + y_dot^2 + f_dot^2);
        potential = m*g*f;
    }
}

eom_core::lagrangian! {
    /// The Chaplygin sleigh: a blade at (x, y), the centre of mass a ahead of it.
    pub system Sleigh {
        coordinates { x, y, theta }
        parameters { m = 1.5 where m > 0, J = 0.375 where J > 0, a = 0.25 }
        let X = x + a*cos(theta);
        let Y = y + a*sin(theta);
        kinetic = m/2*(X_dot^2 + Y_dot^2) + J/2*theta_dot^2;
        constraints { blade: cos(theta)*dy - sin(theta)*dx; }
    }
}

eom_core::lagrangian! {
    /// A pendulum whose pivot moves up and down, with friction.
    pub system RheonomicPendulum {
        coordinates { theta }
        parameters {
            m = 0.75 where m > 0, l = 1.25 where l > 0, g = 9.81, A = 0.125, Omega = 3.5, c = 0.0625,
        }
        let X = l*sin(theta);
        let Y = A*cos(Omega*t) - l*cos(theta);
        kinetic = m/2*(X_dot^2 + Y_dot^2);
        potential = m*g*Y;
        dissipation = c/2*theta_dot^2;
    }
}

eom_core::lagrangian! {
    /// A knife edge on an inclined plane, x down the slope.
    pub system KnifeEdge {
        coordinates { x, y, phi }
        parameters { m = 0.5 where m > 0, J = 0.125 where J > 0, g = 9.81, alpha = 0.4375 }
        kinetic = m/2*(x_dot^2 + y_dot^2) + J/2*phi_dot^2;
        potential = -m*g*x*sin(alpha);
        constraints { edge: sin(phi)*dx - cos(phi)*dy; }
    }
}
