//! Friction that is proportional to a normal force: forces that hold multipliers.

eom_core::lagrangian! {
    /// A particle that slides on z = f(x, y) with dry friction (putting-green (9)–(12)).
    pub system Slider {
        document "Savransky: The Putting Green";
        coordinates { x, y, z }
        parameters { m = 1 where m > 0, g = 9.81, μ = 0.2 where μ >= 0 }
        function f(x, y) = 0.3*sin(x)*cos(2*y);
        kinetic = m/2*(ẋ^2 + ẏ^2 + ż^2);
        potential = m*g*z;
        holonomic { surface: z - f = 0; }
        // The normal force is λ(surface)*[-f_x, -f_y, 1].
        let C = sqrt(1 + f_x^2 + f_y^2)/sqrt(ẋ^2 + ẏ^2 + (f_x*ẋ + f_y*ẏ)^2);
        force x = -μ*ẋ*C*λ(surface);
        force y = -μ*ẏ*C*λ(surface);
        force z = -μ*(f_x*ẋ + f_y*ẏ)*C*λ(surface);
        claim eq9: λ(surface)
            = m*(g + f_xx*ẋ^2 + f_yy*ẏ^2 + 2*ẋ*ẏ*f_xy)/(1 + f_x^2 + f_y^2);
        claim eq12_x: ẍ = -f_x*λ(surface)/m - μ/m*ẋ*λ(surface)*C;
        claim eq12_z: z̈ = -g + λ(surface)/m - μ/m*(f_x*ẋ + f_y*ẏ)*λ(surface)*C;
        claim eq11: force(x) = -μ*ẋ*λ(surface)*C;
        claim power: force(x)*ẋ + force(y)*ẏ + force(z)*ż
            = -μ*λ(surface)*sqrt(1 + f_x^2 + f_y^2)*sqrt(ẋ^2 + ẏ^2 + ż^2);
        scenario pushed { x = 1/2; z = f(1/2, 0); ẋ = 1; ẏ = 1; solve ż; until t = 0.2; }
    }
}

eom_core::lagrangian! {
    /// A rod whose lower end slides to the right on a rough floor (Painlevé's example): the normal
    /// force is not that of a smooth floor.
    pub system SlidingRod {
        coordinates { x, y, θ }
        parameters {
            m = 1 where m > 0, l = 1 where l > 0, J = m*l^2/3 where J > 0, g = 9.81,
            /// Negative where the end slides to the left.
            μ = 1/2,
        }
        kinetic = m/2*(ẋ^2 + ẏ^2) + J/2*θ̇^2;
        potential = m*g*y;
        holonomic { floor: y - l*sin(θ) = 0; }
        force x = -μ*λ(floor);
        force θ = -μ*l*sin(θ)*λ(floor);
        claim normal: λ(floor)*(1/m + l^2*cos(θ)*(cos(θ) + μ*sin(θ))/J) = g - l*sin(θ)*θ̇^2;
        claim torque: J*θ̈ = -l*(cos(θ) + μ*sin(θ))*λ(floor);
        claim applied: force(θ) = l*sin(θ)*force(x);
        scenario falling { θ = 1; ẋ = 3; solve y, ẏ; until t = 0.2; }
    }
}

eom_core::lagrangian! {
    /// The same end as a contact: it may lift off, and is struck where it comes down.
    pub system PressedRod {
        coordinates { x, y, θ }
        parameters {
            m = 1 where m > 0, l = 1 where l > 0, J = m*l^2/3 where J > 0, g = 9.81,
            μ = 1/2, s = 1/10 where s > 0, e = 1/2 where e >= 0 && e <= 1,
        }
        inputs { u }
        kinetic = m/2*(ẋ^2 + ẏ^2) + J/2*θ̇^2;
        potential = m*g*y;
        let slip = ẋ + l*sin(θ)*θ̇;
        force x = -μ*λ(floor)*tanh(slip/s);
        force y = u;
        force θ = -μ*l*sin(θ)*λ(floor)*tanh(slip/s);
        contact floor { gap = y - l*sin(θ); impact = restitution(e); }
        let rubbed = μ*tanh(slip/s);
        claim normal closed floor:
            λ(floor)*(1/m + l^2*cos(θ)*(cos(θ) + rubbed*sin(θ))/J) = g - u/m - l*sin(θ)*θ̇^2;
        claim torque closed floor: J*θ̈ = -l*(cos(θ) + rubbed*sin(θ))*λ(floor);
        claim flight: m*ÿ = u - m*g;
        scenario dropped { θ = 1; y = sin(1) + 1/10; ẋ = 3; u = 0; until t = 0.4; }
    }
}

eom_core::lagrangian! {
    /// A slide that is driven by what it presses its rail with, and stopped by a wall that leans.
    pub system LeaningWall {
        coordinates { x, y }
        parameters {
            m = 1 where m > 0, c = 2/5, b = 7/10, g = 9.81, e = 1/2 where e >= 0 && e <= 1,
        }
        inputs { u }
        kinetic = m/2*(ẋ^2 + ẏ^2);
        potential = m*g*y;
        holonomic { rail: y = 0; }
        force x = c*λ(rail);
        force y = -u;
        contact wall { gap = -x - b*y; impact = restitution(e); }
        claim normal closed wall: λ(wall)*(1 - b*c) = c*(m*g + u);
        claim pressed closed wall: λ(rail) = m*g + u + b*λ(wall);
        claim flight: m*ẍ = c*(m*g + u);
        scenario struck { x = -1/2; ẋ = 5; u = 0; until t = 0.3; }
    }
}

eom_core::lagrangian! {
    /// A block whose brake has a servo: what rubs on the floor pushes it back once more, and a piston beside it.
    pub system Servo {
        coordinates { x, y, z }
        parameters {
            m = 1 where m > 0, k = 3/5, h = 7/10, μ = 2/5 where μ >= 0, F = 1/2, g = 9.81,
            e = 1/2 where e >= 0 && e <= 1,
        }
        inputs { u }
        kinetic = m/2*(ẋ^2 + ẏ^2 + ż^2);
        potential = m*g*y - F*x;
        force x = k*friction(floor);
        force y = -u;
        force z = h*friction(floor);
        contact floor { gap = y; slip = ẋ; friction(2*μ, μ); impact = restitution(e); }
        claim held closed floor sticks: friction(floor) = -F/(1 + k);
        claim pushed closed floor sticks: m*z̈ = -h*F/(1 + k);
        claim slows closed floor slides: m*ẍ = F - (1 + k)*μ*(m*g + u)*sign(ẋ);
        claim drives closed floor slides: m*z̈ = -h*μ*(m*g + u)*sign(ẋ);
        claim flight: m*ẍ = F;
        scenario braked { y = 1/10; ẋ = 3; u = 0; until t = 1; }
    }
}

eom_core::lagrangian! {
    /// A ladder that slides down between a rough wall and a rough floor: two multipliers in forces.
    pub system Ladder {
        coordinates { x, y, θ }
        parameters {
            m = 1 where m > 0, l = 1 where l > 0, J = m*l^2/3 where J > 0, g = 9.81,
            μ = 1/5 where μ >= 0, k = 1/10 where k >= 0,
        }
        kinetic = m/2*(ẋ^2 + ẏ^2) + J/2*θ̇^2;
        potential = m*g*y;
        holonomic {
            wall: x - l*cos(θ) = 0;
            floor: y - l*sin(θ) = 0;
        }
        force x = -μ*λ(floor);
        force y = k*λ(wall);
        force θ = l*(μ*sin(θ)*λ(floor) + k*cos(θ)*λ(wall));
        claim horizontal: m*ẍ = λ(wall) - μ*λ(floor);
        claim vertical: m*ÿ = λ(floor) + k*λ(wall) - m*g;
    }
}
