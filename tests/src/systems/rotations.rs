//! Rotations and quasi-velocities.

eom_core::lagrangian! {
    /// A top with three moments of inertia, its point on the third axis fixed.
    pub system Top {
        rotation R { body: ω_1, ω_2, ω_3 }
        parameters {
            A = 1 where A > 0, B = 1.5 where B > 0, C = 0.5 where C > 0,
            m = 1 where m > 0, l = 0.4, g = 9.81, c = 0 where c >= 0,
        }
        let J = [[A, 0, 0], [0, B, 0], [0, 0, C]];
        let Ω = [ω_1, ω_2, ω_3];
        kinetic = dot(Ω, J*Ω)/2;
        potential = m*g*l*R[3][3];
        dissipation = c/2*dot(Ω, Ω);
        force ω_3 = c*ω_3;

        output height = l*R[3][3];
        output spin = dot(R*[A*ω_1, B*ω_2, C*ω_3], [0, 0, 1]);

        scenario nutation { R = rot_z(0.3)*rot_x(0.5); ω_1 = 0.2; ω_3 = 20; until t = 2; }

        claim euler_1: A*ω̇_1 = (B - C)*ω_2*ω_3 + m*g*l*R[3][2] - c*ω_1;
        claim euler_2: B*ω̇_2 = (C - A)*ω_3*ω_1 - m*g*l*R[3][1] - c*ω_2;
        claim euler_3: C*omega_3_dot = (A - B)*ω_1*ω_2;
        claim orthogonal: R*transpose(R) = identity;
        claim turning: vee(transpose(R)*R_dot) = Ω;
        claim loss: force(ω_1)*ω_1 = -c*ω_1^2;
    }
}

eom_core::lagrangian! {
    /// A ball that rolls on a turning table, its angular velocity along axes of space.
    pub system Turntable {
        coordinates { x, y }
        rotation R { space: ω_1, ω_2, ω_3 }
        parameters { m = 0.5 where m > 0, r = 0.1 where r > 0, Ω = 1.5, k = 2/5 where k > 0 }
        kinetic = m/2*(ẋ^2 + ẏ^2) + k*m*r^2/2*(ω_1^2 + ω_2^2 + ω_3^2);
        constraints {
            roll_x: ẋ - r*ω_2 = -Ω*y;
            roll_y: ẏ + r*ω_1 = Ω*x;
        }
        scenario circle { x = 1; ẏ = 0.3; solve ω_1, ω_2; until t = 10; }

        claim circle_x: ẍ = -k*Ω/(1 + k)*ẏ;
        claim circle_y: ÿ = k*Ω/(1 + k)*ẋ;
        claim spin: ω̇_3 = 0;
        claim turning: vee(R_dot*transpose(R)) = [ω_1, ω_2, ω_3];
    }
}

eom_core::lagrangian! {
    /// The same ball, its angular velocity along axes of the ball.
    pub system TurntableInBody {
        coordinates { x, y }
        rotation R { body: ω_1, ω_2, ω_3 }
        parameters { m = 0.5 where m > 0, r = 0.1 where r > 0, Ω = 1.5, k = 2/5 where k > 0 }
        let S = R*[ω_1, ω_2, ω_3];
        kinetic = m/2*(ẋ^2 + ẏ^2) + k*m*r^2/2*(ω_1^2 + ω_2^2 + ω_3^2);
        constraints {
            roll_x: ẋ - r*S[2] = -Ω*y;
            roll_y: ẏ + r*S[1] = Ω*x;
        }
        claim circle_x: ẍ = -k*Ω/(1 + k)*ẏ;
    }
}

eom_core::lagrangian! {
    /// The Chaplygin sleigh in the velocities along and across its blade.
    pub system QuasiSleigh {
        coordinates { x, y, theta }
        velocities { u = cos(theta)*x_dot + sin(theta)*y_dot, w = cos(theta)*y_dot - sin(theta)*x_dot }
        parameters { m = 1.5 where m > 0, J = 0.375 where J > 0, a = 0.25, d = 0 where d >= 0 }
        let X = x + a*cos(theta);
        let Y = y + a*sin(theta);
        kinetic = m/2*(X_dot^2 + Y_dot^2) + J/2*theta_dot^2;
        dissipation = d/2*u^2;
        constraints { blade: cos(theta)*dy - sin(theta)*dx; }
        scenario glide { theta_dot = 1; u = 2; solve w; until t = 5; }

        claim across: w = 0;
        claim along: m*u_dot = m*a*theta_dot^2 - d*u;
        claim turn: (J + m*a^2)*theta_ddot = -m*a*u*theta_dot;
        claim side: λ(blade) = m*(u*theta_dot + a*theta_ddot);
        claim projected: projector[w, w] = 1;
        claim rate: x_ddot = cos(theta)*u_dot - sin(theta)*u*theta_dot;
        claim resistance: force(x) = -d*u*cos(theta);
    }
}

eom_core::lagrangian! {
    /// A spinning ball that falls on a floor, and rolls on it from there.
    pub system SpinningBall {
        coordinates { x, y, z }
        rotation R { body: ω_1, ω_2, ω_3 }
        parameters { m = 0.5 where m > 0, r = 0.1 where r > 0, k = 2/5 where k > 0, g = 9.81 }
        let S = R*[ω_1, ω_2, ω_3];
        kinetic = m/2*(ẋ^2 + ẏ^2 + ż^2) + k*m*r^2/2*(ω_1^2 + ω_2^2 + ω_3^2);
        potential = m*g*z;
        contact floor {
            gap = z - r;
            impact = plastic;
            constraints { roll_x: ẋ - r*S[2] = 0; roll_y: ẏ + r*S[1] = 0; }
        }
        scenario drop { z = 0.6; ẋ = 1; ω_2 = -30; ω_1 = 12; ω_3 = 7; R = rot_x(0.4); until t = 1; }
        claim grip at floor: ẋ_plus = (ẋ + k*r*S[2])/(1 + k);
    }
}
