//! Rolling and gliding bodies, a particle in a magnetic field, springs.

eom_core::lagrangian! {
    /// A coin that rolls on a plane and leans: five coordinates, two constraints.
    ///
    /// The axle is n = (−sin φ cos θ, cos φ cos θ, sin θ), with θ = 0 for the upright coin; the contact point is
    /// the centre less R along the steepest line of the coin's face.
    pub system Coin {
        coordinates {
            /// Contact point, m.
            x,
            /// Contact point, m.
            y,
            /// Lean, rad; 0 is upright.
            θ,
            /// Heading, rad.
            φ,
            /// Spin about the axle, rad.
            ψ,
        }
        parameters {
            m = 1 where m > 0,
            R = 1 where R > 0,
            /// Moment of inertia about a diameter.
            A = m*R^2/4 where A > 0,
            /// Moment of inertia about the axle.
            C = m*R^2/2 where C > 0,
            g = 9.81,
        }
        // The centre of the coin above its contact point.
        let X = x + R*sin(θ)*sin(φ);
        let Y = y - R*sin(θ)*cos(φ);
        let Z = R*cos(θ);
        kinetic = m/2*(Ẋ^2 + Ẏ^2 + Ż^2) + A/2*(θ̇^2 + φ̇^2*cos(θ)^2) + C/2*(ψ̇ + φ̇*sin(θ))^2;
        potential = m*g*Z;
        constraints {
            roll_x: dx - R*cos(φ)*dψ;
            roll_y: dy - R*sin(φ)*dψ;
        }
        scenario leaning { θ = 3/10; ψ̇ = 4; φ̇ = 1; solve ẋ, ẏ; until t = 4; }
        claim upright: potential = m*g*R*cos(θ);
    }
}

eom_core::lagrangian! {
    /// The snakeboard with opposed wheels, driven by the torques of its rotor and its axles.
    pub system Snakeboard {
        coordinates { x, y, θ, ψ, φ }
        inputs {
            /// Torque of the rotor, N m.
            u1,
            /// Torque that turns the axles, N m.
            u2,
        }
        parameters {
            m = 6 where m > 0, l = 0.2 where l > 0, J = 0.016 where J > 0, J_w = 0.0013 where J_w > 0, J_b = 0.02 where J_b > 0,
        }
        kinetic = m/2*(ẋ^2 + ẏ^2) + J_b/2*θ̇^2 + J/2*(θ̇ + ψ̇)^2 + J_w*(θ̇^2 + φ̇^2);
        force ψ = u1;
        force φ = u2;
        constraints {
            back: -sin(θ + φ)*dx + cos(θ + φ)*dy - l*cos(φ)*dθ;
            front: -sin(θ - φ)*dx + cos(θ - φ)*dy + l*cos(φ)*dθ;
        }
        scenario push { φ = 1/2; θ̇ = 1; ψ̇ = 2; solve ẋ, ẏ; u1 = 1/10; u2 = 1/1000; until t = 2; }
        output power = u1*ψ̇ + u2*φ̇;
    }
}

eom_core::lagrangian! {
    /// A charge in a magnetic field along z, by a Lagrangian that is no T − V.
    pub system Cyclotron {
        coordinates { x, y }
        parameters { m = 1 where m > 0, B = 2 }
        lagrangian = m/2*(ẋ^2 + ẏ^2) + B/2*(x*ẏ - y*ẋ);
        scenario circle { x_dot = 1; until t = 5; }
        claim lorentz_x: m*ẍ = B*ẏ;
        claim lorentz_y: m*ÿ = -B*ẋ;
    }
}

eom_core::lagrangian! {
    /// Two masses of one line on springs, every spelling in ASCII and every function in use.
    pub system Coupled {
        coordinates { x1, x2 }
        parameters { m1 = 1 where m1 > 0, m2 = m1 where m2 > 0 && m2 < 10, k = 3, e = 1/10 }
        inputs { f }
        kinetic = m1/2*x1_dot^2 + m2/2*x2_dot^2*(1 + e*tanh(x2)^2);
        potential = k/2*x1^2 + k/2*(x2 - x1)^2 + e*exp(-x1^2) + e*cosh(x2) + e*atan(x1) + e*ln(1 + x2^2)
            + e*sqrt(1 + x1^2) + e*(2 + x1^2)^(3/4);
        dissipation = e/2*(x1_dot - x2_dot)^2;
        force x1 = f*cos(3*t) - e*abs(x1)*x1_dot;
        scenario pluck { x1 = 1; f = 1/2; until t = 3; }
        output stretch = x2 - x1;
        output both = sinh(x1)*asin(x2/10) + acos(x1/10) + tan(x2/2) + atan2(x1, 2 + x2^2) + sign(x1) + erf(x1);
        output between = smoothstep(x1, -m1, m1)*ramp(x2 + 1/2);
    }
}

eom_core::lagrangian! {
    /// A disk that rolls on a plane, by its rotation matrix: the text-book equations are claims.
    pub system RollingDisk {
        coordinates {
            /// Centre, m.
            x,
            /// Centre, m.
            y,
            /// Angle of the axle with the vertical, rad; pi/2 is upright.
            θ,
            /// Heading, rad.
            φ,
            /// Spin, rad.
            ψ,
        }
        parameters {
            m = 1 where m > 0,
            R = 1 where R > 0,
            /// Moment of inertia about a diameter.
            A = m*R^2/4 where A > 0,
            /// Moment of inertia about the axle.
            C = m*R^2/2 where C > 0,
            g = 9.81,
        }
        // Axes that follow the disk but do not spin with it, and the body's own → space.
        let N = rot_z(φ)*rot_x(θ);
        let S = N*rot_z(ψ);
        // The angular velocity, in the body's axes and in space.
        let Ω = vee(transpose(S)*S_dot);
        let ω = vee(S_dot*transpose(S));
        let X = [x, y, R*sin(θ)];
        let r = -R*[N[1][2], N[2][2], N[3][2]];
        kinetic = m/2*norm(X_dot)^2 + A/2*(Ω[1]^2 + Ω[2]^2) + C/2*Ω[3]^2;
        potential = m*g*X[3];
        // The point of contact is at rest; its third component is 0 = 0.
        constraints { roll: X_dot + cross(ω, r) = [0, 0, 0]; }
        scenario lean { θ = 1.2; φ̇ = 1; ψ̇ = 3; solve ẋ, ẏ; until t = 4; }

        claim body: Ω = [φ̇*sin(θ)*sin(ψ) + θ̇*cos(ψ), φ̇*sin(θ)*cos(ψ) - θ̇*sin(ψ), ψ̇ + φ̇*cos(θ)];
        claim space: ω = S*Ω;
        claim spinning: S_dot*[1, 2, 3] = cross(ω, S*[1, 2, 3]);
        claim turns: rot_x(θ)*rot_y(φ) = transpose(rot_y(-φ)*rot_x(-θ));
        claim energies: kinetic = m/2*(ẋ^2 + ẏ^2 + R^2*cos(θ)^2*θ̇^2)
            + A/2*(θ̇^2 + φ̇^2*sin(θ)^2) + C/2*(ψ̇ + φ̇*cos(θ))^2;
        claim reactions: m*[ẍ, ÿ, 0] = λ(roll);
        claim one_reaction: m*ÿ = λ(roll[2]);
        claim forms: roll = [
            dx + R*cos(φ)*(dψ + cos(θ)*dφ) - R*sin(θ)*sin(φ)*dθ,
            dy + R*sin(φ)*(dψ + cos(θ)*dφ) + R*sin(θ)*cos(φ)*dθ,
            0
        ];
        // MacMillan 1936: the rolling disk, reduced.
        claim leaning: (A + m*R^2)*θ̈ + (C - A + m*R^2)*sin(θ)*cos(θ)*φ̇^2
            + (C + m*R^2)*sin(θ)*φ̇*ψ̇ + m*g*R*cos(θ) = 0;
        claim spin: (C + m*R^2)*(ψ̈ + φ̈*cos(θ)) = (C + 2*m*R^2)*sin(θ)*θ̇*φ̇;
    }
}
