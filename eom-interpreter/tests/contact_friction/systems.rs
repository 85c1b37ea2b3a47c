//! Declarations whose contacts have friction.

/// A block on an incline.
pub(crate) const BLOCK: &str = "system Block {
    coordinates { x, y }
    parameters { φ = 0.3, μ = 0.4 where μ >= 0, g = 9.81 }
    kinetic = (ẋ^2 + ẏ^2)/2;
    potential = g*(y*cos(φ) - x*sin(φ));
    contact floor { gap = y; slip = ẋ; friction = μ; impact = plastic; }
}";

/// A homogeneous ball in a vertical plane, on an incline.
pub(crate) const BALL: &str = "system Ball {
    coordinates { x, y, θ }
    parameters { φ = 0, μ = 0.2 where μ >= 0, e = 0.5 where e >= 0, r = 0.1, g = 9.81 }
    kinetic = (ẋ^2 + ẏ^2)/2 + r^2/5*θ̇^2;
    potential = g*(y*cos(φ) - x*sin(φ));
    contact floor { gap = y - r; slip = ẋ + r*θ̇; friction = μ; impact = restitution(e); }
}";

/// A billiard ball.
pub(crate) const CUE: &str = "system Cue {
    coordinates { x, y, z }
    rotation R { space: ω_1, ω_2, ω_3 }
    parameters { μ = 0.2 where μ >= 0, φ = 0, r = 0.5, g = 9.81, e = 0.6 }
    kinetic = (ẋ^2 + ẏ^2 + ż^2)/2 + r^2/5*(ω_1^2 + ω_2^2 + ω_3^2);
    potential = g*(z*cos(φ) - x*sin(φ));
    contact cloth {
        gap = z - r; slip = [ẋ - r*ω_2, ẏ + r*ω_1]; friction = μ; impact = restitution(e);
    }
}";

/// A uniform ladder 2 long between a floor and a wall.
pub(crate) const LADDER: &str = "system Ladder {
    coordinates { x, y, θ }
    parameters { μ = 0.5 where μ >= 0, ν = 0.3 where ν >= 0, g = 9.81 }
    kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/6;
    potential = g*y;
    contact floor { gap = y - sin(θ); slip = ẋ - sin(θ)*θ̇; friction = μ; impact = plastic; }
    contact wall { gap = x - cos(θ); slip = ẏ + cos(θ)*θ̇; friction = ν; impact = plastic; }
}";

/// A box 2b wide and 2h high that is pulled at its centre by a force that grows.
pub(crate) const CRATE: &str = "system Crate {
    coordinates { x, y, θ }
    parameters { b = 0.5, h = 1, μ = 0.4 where μ >= 0, g = 9.81 }
    kinetic = (ẋ^2 + ẏ^2)/2 + (b^2 + h^2)/6*θ̇^2;
    potential = g*y;
    force x = t;
    contact left {
        gap = y - b*sin(θ) - h*cos(θ); slip = ẋ + (b*sin(θ) + h*cos(θ))*θ̇;
        friction = μ; impact = plastic;
    }
    contact right {
        gap = y + b*sin(θ) - h*cos(θ); slip = ẋ + (h*cos(θ) - b*sin(θ))*θ̇;
        friction = μ; impact = plastic;
    }
}";

/// A wheel driven by a torque that grows.
pub(crate) const WHEEL: &str = "system Wheel {
    coordinates { x, y, θ }
    parameters { μ = 0.5 where μ >= 0, r = 0.3, k = 0.7, g = 9.81 }
    kinetic = (ẋ^2 + ẏ^2)/2 + r^2/4*θ̇^2;
    potential = g*y;
    force θ = -k*t;
    contact road { gap = y - r; slip = ẋ + r*θ̇; friction = μ; impact = plastic; }
}";

/// A block on a belt, held by a spring.
pub(crate) const BELT: &str = "system Belt {
    coordinates { x, y }
    parameters { k = 10, u = 0.5, μ = 0.2 where μ >= 0, μ_s = 0.4 where μ_s >= μ, g = 9.81 }
    kinetic = (ẋ^2 + ẏ^2)/2;
    potential = g*y + k/2*x^2;
    contact belt { gap = y; slip = ẋ - u; friction(μ_s, μ); impact = plastic; }
}";

/// A uniform rod 2 long whose lower end slides on a floor.
pub(crate) const ROD: &str = "system Rod {
    coordinates { x, y, θ }
    parameters { μ = 1.2 where μ >= 0, e = 0 where e >= 0, g = 9.81 }
    kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/6;
    potential = g*y;
    contact tip { gap = y - sin(θ); slip = ẋ + sin(θ)*θ̇; friction = μ; impact = restitution(e); }
}";

/// A table on three legs that is pulled at the height of its centre.
pub(crate) const TABLE: &str = "system Table {
    coordinates { x, y, z }
    rotation R { space: ω_1, ω_2, ω_3 }
    parameters { a = 0.5, h = 0.4, μ = 0.3 where μ >= 0, μ_s = 0.4 where μ_s >= μ, g = 9.81 }
    kinetic = (ẋ^2 + ẏ^2 + ż^2)/2 + (ω_1^2 + ω_2^2 + ω_3^2)/10;
    potential = g*z;
    force x = t;
    force y = 0.3*t;
    let p = R*[a, 0, -h];
    let q = R*[-a, a, -h];
    let r = R*[-a, -a, -h];
    let vp = [ẋ, ẏ, ż] + cross([ω_1, ω_2, ω_3], p);
    let vq = [ẋ, ẏ, ż] + cross([ω_1, ω_2, ω_3], q);
    let vr = [ẋ, ẏ, ż] + cross([ω_1, ω_2, ω_3], r);
    contact front { gap = z + p[3]; slip = [vp[1], vp[2]]; friction(μ_s, μ); impact = plastic; }
    contact left { gap = z + q[3]; slip = [vq[1], vq[2]]; friction(μ_s, μ); impact = plastic; }
    contact right { gap = z + r[3]; slip = [vr[1], vr[2]]; friction(μ_s, μ); impact = plastic; }
}";

/// A disc with moment of inertia k r² in a vertical plane, on an incline that resists its rolling.
pub(crate) const DISC: &str = "system Disc {
    coordinates { x, y, θ }
    parameters {
        φ = 0, μ = 0.5 where μ >= 0, δ = 0.01 where δ >= 0, δ_s = 0.01, k = 0.5, r = 0.2, g = 9.81
    }
    kinetic = (ẋ^2 + ẏ^2)/2 + k*r^2/2*θ̇^2;
    potential = g*(y*cos(φ) - x*sin(φ));
    contact floor {
        gap = y - r; slip = ẋ + r*θ̇; friction = μ; roll = θ̇; rolling(δ_s, δ); impact = plastic;
    }
}";

/// A ball on a cloth that resists its rolling and its spinning.
pub(crate) const RESISTED: &str = "system Resisted {
    coordinates { x, y, z }
    rotation R { space: ω_1, ω_2, ω_3 }
    parameters { φ = 0, μ = 0.5 where μ >= 0, δ = 0.02, ε = 0.01, r = 0.5, g = 9.81 }
    kinetic = (ẋ^2 + ẏ^2 + ż^2)/2 + r^2/5*(ω_1^2 + ω_2^2 + ω_3^2);
    potential = g*(z*cos(φ) - x*sin(φ));
    contact cloth {
        gap = z - r; slip = [ẋ - r*ω_2, ẏ + r*ω_1]; friction = μ;
        roll = [ω_1, ω_2]; rolling = δ; spin = ω_3; spinning = ε; impact = plastic;
    }
}";

/// A sled on an incline that falls in the direction α, with another coefficient across its runners than along them.
pub(crate) const SLED: &str = "system Sled {
    coordinates { x, y, z }
    parameters { φ = 0, α = 0, a = 0.3 where a >= 0, b = 0.4 where b >= 0, g = 9.81 }
    kinetic = (ẋ^2 + ẏ^2 + ż^2)/2;
    potential = g*(z*cos(φ) - (x*cos(α) + y*sin(α))*sin(φ));
    contact snow { gap = z; slip = [ẋ, ẏ]; friction([a, b]); impact = plastic; }
    output along = friction(snow)[1];
    output across = friction(snow)[2];
}";

/// A tippe top: a ball of radius R whose centre of mass lies a below its middle, three moments of inertia alike. The point
/// that touches is a e₃ − R k from the centre of mass.
pub(crate) const TIPPE_TOP: &str = "system TippeTop { coordinates { x, y, z, φ, θ, ψ }
     parameters { m = 0.02, R = 0.02, a = 0.005, A = 3.2e-6, μ = 0.3, g = 9.81 }
     let ω_3 = ψ̇ + φ̇*cos(θ);
     kinetic = m/2*(ẋ^2 + ẏ^2 + ż^2) + A/2*(θ̇^2 + φ̇^2*sin(θ)^2 + ω_3^2); potential = m*g*z;
     contact table { gap = z - R + a*cos(θ);
        slip = [ẋ + θ̇*sin(φ)*(a*cos(θ) - R) + (a*φ̇ + R*ψ̇)*sin(θ)*cos(φ),
                ẏ - θ̇*cos(φ)*(a*cos(θ) - R) + (a*φ̇ + R*ψ̇)*sin(θ)*sin(φ)];
        friction = μ; impact = plastic; } }";

/// The woodpecker toy: a sleeve M on a pole, and a bird S on a spring (Glocker and Pfeiffer; its beak strikes the pole).
pub(crate) const WOODPECKER: &str = "system Woodpecker { coordinates { y, M, S }
     parameters { m_M = 3e-4, J_M = 5e-9, m_S = 4.5e-3, J_S = 7e-7, c = 5.6e-3, g = 9.81, l_M = 0.010, l_G = 0.015,
        l_S = 0.0201, h_M = 0.0058, h_S = 0.02, r_O = 0.0025, r_M = 0.0031, μ = 0.3 }
     kinetic = m_M/2*ẏ^2 + J_M/2*Ṁ^2 + m_S/2*(ẏ + l_M*Ṁ + l_G*Ṡ)^2 + J_S/2*Ṡ^2;
     potential = (m_M + m_S)*g*y + m_S*g*(l_M*M + l_G*S) + c/2*(M - S)^2;
     contact beak { gap = l_M + l_G - l_S - r_O - h_S*S; slip = ẏ + l_M*Ṁ + (l_G - l_S)*Ṡ; friction = μ;
        impact = restitution(0.5); }
     contact lower { gap = r_M - r_O + h_M*M; slip = ẏ + r_M*Ṁ; friction = μ; impact = plastic; }
     contact upper { gap = r_M - r_O - h_M*M; slip = ẏ + r_M*Ṁ; friction = μ; impact = plastic; } }";
