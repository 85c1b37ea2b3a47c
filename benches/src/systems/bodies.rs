//! The double pendulum, the rolling penny, a particle and a ball on surfaces, and the bouncing ball.

eom_core::lagrangian! {
    /// The double pendulum, unit masses and rods, in absolute angles.
    pub system DoublePendulum {
        coordinates { θ1, θ2 }
        parameters { g = 9.81 }
        let X1 = sin(θ1);
        let Y1 = -cos(θ1);
        let X2 = X1 + sin(θ2);
        let Y2 = Y1 - cos(θ2);
        kinetic = (Ẋ1^2 + Ẏ1^2 + Ẋ2^2 + Ẏ2^2)/2;
        potential = g*(Y1 + Y2);
    }
}

eom_core::lagrangian! {
    /// A disk that rolls on an elliptical table and bounces off its edge without loss.
    pub system Penny {
        coordinates { x, y, θ, φ }
        parameters {
            /// Mass, kg.
            m = 0.0025 where m > 0,
            /// Radius, m.
            R = 0.01 where R > 0,
            /// Moment of inertia about the axle, kg m².
            I = 1.25e-7 where I > 0,
            /// Moment of inertia about a diameter, kg m².
            J = 6.25e-8 where J > 0,
            /// Semi-axes of the table, m.
            a = 0.15 where a > 0,
            b = 0.20 where b > 0,
        }
        kinetic = m/2*(ẋ^2 + ẏ^2) + I/2*θ̇^2 + J/2*φ̇^2;
        constraints {
            roll_x: dx - R*cos(φ)*dθ;
            roll_y: dy - R*sin(φ)*dθ;
        }
        contact front {
            gap    = 1 - ((x + R*cos(φ))/a)^2 - ((y + R*sin(φ))/b)^2;
            impact = elastic;
        }
        contact back {
            gap    = 1 - ((x - R*cos(φ))/a)^2 - ((y - R*sin(φ))/b)^2;
            impact = elastic;
        }
    }
}

eom_core::lagrangian! {
    /// A particle that slides on z = f(x, y) without friction.
    pub system Particle {
        coordinates { x, y }
        parameters { m = 1 where m > 0, g = 9.81 }
        let f = 3/10*sin(x)*cos(2*y);
        kinetic   = m/2*(ẋ^2 + ẏ^2 + ḟ^2);
        potential = m*g*f;
    }
}

eom_core::lagrangian! {
    /// A ball that slides and rolls on z = f(x, y), with viscous friction where it touches, in the
    /// angles of a 3-1-3 rotation.
    pub system Ball {
        coordinates { x, y, z, ψ, θ, φ }
        parameters {
            /// Mass, kg.
            m = 0.0459 where m > 0,
            /// Radius, m.
            R = 0.02135 where R > 0,
            /// Friction, kg/s.
            μ = 0.02 where μ >= 0,
            /// Height of the waves, m.
            h = 0.05,
            /// Gravity, m/s².
            g = 9.81,
        }
        let f_x = h*cos(x)*sin(y);
        let f_y = h*sin(x)*cos(y);
        let ω_x = φ̇*sin(θ)*sin(ψ) + θ̇*cos(ψ);
        let ω_y = φ̇*cos(ψ)*sin(θ) - θ̇*sin(ψ);
        let ω_z = φ̇*cos(θ) + ψ̇;
        let s = R/sqrt(f_x^2 + f_y^2 + 1);
        let γ_x = ẋ - s*(ω_y + ω_z*f_y);
        let γ_y = ẏ + s*(ω_x + ω_z*f_x);
        let γ_z = ż + s*(ω_x*f_y - ω_y*f_x);
        kinetic = m/2*(ẋ^2 + ẏ^2 + ż^2)
            + m*(2/5*R^2)/2*(θ̇^2 + φ̇^2 + ψ̇^2 + 2*φ̇*ψ̇*cos(θ));
        potential   = m*g*z;
        dissipation = μ/2*(γ_x^2 + γ_y^2 + γ_z^2);
        constraints { surface: dz - f_x*dx - f_y*dy; }
        // z = f is kept by the velocities alone, as by the other tools.
        allow integrable_row(surface);
    }
}

eom_core::lagrangian! {
    /// A particle that falls and bounces.
    pub system BouncingBall {
        coordinates { y }
        parameters { g = 9.81, e = 0.9 where e >= 0 && e <= 1 }
        kinetic   = ẏ^2/2;
        potential = g*y;
        contact floor {
            gap    = y;
            impact = restitution(e);
        }
    }
}
