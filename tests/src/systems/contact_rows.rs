//! Contacts with rows of their own: a rough disc, a ball against a rough wall, a compass walker.

eom_core::lagrangian! {
    /// A rough disc above a rough floor: ẋ − r θ̇ is the velocity of its lowest point.
    pub system RoughDisc {
        coordinates { x, z, θ }
        parameters {
            m = 0.3 where m > 0, J = 0.007 where J > 0, r = 0.2 where r > 0, g = 9.81,
            e = 1 where e >= 0 && e <= 1, e_t = 1 where e_t >= -1 && e_t <= 1,
        }
        kinetic = m/2*(ẋ^2 + ż^2) + J/2*θ̇^2;
        potential = m*g*z;
        contact floor {
            gap = z - r;
            impact = restitution(e, e_t);
            constraints { no_slip: ẋ = r*θ̇; }
        }
        scenario nonholonomic_pendulum {
            x = 1; z = 1; ẋ = -0.4; θ̇ = 0.4*r*m/J;
            until impacts = 4;
        }
        let K = J + m*r^2;
        claim about_contact at floor: m*r*ẋ_plus + J*θ̇_plus = m*r*ẋ + J*θ̇;
    }
}

eom_core::lagrangian! {
    /// A disc that rolls on the floor and meets a rough wall: of the wall's rows one depends on
    /// the others.
    pub system RollingToWall {
        coordinates { x, y, θ, ψ }
        parameters { m = 1 where m > 0, J = 0.4 where J > 0, r = 1 where r > 0 }
        kinetic = m/2*(ẋ^2 + ẏ^2) + J/2*(θ̇^2 + ψ̇^2) + J*ẏ^2/(2*r^2);
        constraints { roll: ẋ = r*θ̇; }
        contact wall {
            gap = x - r;
            impact = elastic;
            constraints { up: r*θ̇ = 0; along: ẏ = r*ψ̇; }
        }
        // The point of the fixture: a rolling row, as for discs that turn, and a row to be dropped.
        allow integrable_row(roll), dependent_contact_row(wall.up);
        let K = J + m*r^2;
        let H = J + m*r^2/2;
        claim thm5_1 at wall: [ẋ_plus, ẏ_plus, ψ̇_plus] = [-ẋ,
            m*r^2/(2*H)*ẏ + r*J/H*ψ̇, K/(r*H)*ẏ - m*r^2/(2*H)*ψ̇];
        claim dropped at wall: impulse(wall.up) = 0;
        scenario towards { x = 3; ẋ = -1; ψ̇ = 2; solve θ̇; until impacts = 1; }
    }
}

eom_core::lagrangian! {
    /// The compass walker: hip mass M, legs of length l with masses m at the distance b from the
    /// hip. Foot 1 stands; where foot 2 lands it takes over.
    pub system CompassWalker {
        coordinates { x, y, th1, th2 }
        parameters {
            M = 10 where M > 0, m = 5 where m > 0, l = 1 where l > 0, b = 0.5 where b > 0, g = 9.81,
            slope = 0.05,
        }
        let x_1 = x - b*sin(th1);
        let y_1 = y - b*cos(th1);
        let x_2 = x - b*sin(th2);
        let y_2 = y - b*cos(th2);
        let x_foot = x - l*sin(th1);
        let y_foot = y - l*cos(th1);
        let x_swing = x - l*sin(th2);
        let y_swing = y - l*cos(th2);
        kinetic = M/2*(ẋ^2 + ẏ^2) + m/2*(ẋ_1^2 + ẏ_1^2 + ẋ_2^2 + ẏ_2^2);
        potential = M*g*(y*cos(slope) - x*sin(slope))
            + m*g*((y_1 + y_2)*cos(slope) - (x_1 + x_2)*sin(slope));
        constraints { stand_x: ẋ_foot = 0; stand_y: ẏ_foot = 0; }
        contact step {
            gap = y_swing;
            impact = plastic;
            constraints { hold: ẋ_swing = 0; }
            when th1 > th2 + 0.1;
            releases stand_x, stand_y;
            relabel { th1 <-> th2; }
        }
        scenario walk {
            y = l*cos(0.25); th1 = -0.25; th2 = 0.3; th1_dot = 1.3; th2_dot = -1; solve ẋ, ẏ;
            until impacts = 1;
        }
    }
}

eom_core::lagrangian! {
    /// A point that lands on a surface and stays: only ż changes.
    pub system Landing {
        coordinates { x, z }
        parameters { m = 1 where m > 0, g = 9.81 }
        kinetic = m/2*(ẋ^2 + ż^2);
        potential = m*g*z;
        contact ground { gap = z - x^2/4; impact = assign { ż = x*ẋ/2; } }
        scenario fall { z = 1; ẋ = 1; until impacts = 1; }
    }
}
