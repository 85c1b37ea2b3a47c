//! The systems of the tests.

/// A bead on a straight wire that rises at φ, with unit mass.
pub(super) const WIRE: &str = "system Wire {
    coordinates { x, y }
    parameters { φ = 0.3, μ = 0.2 where μ >= 0, μ_s = 0.2 where μ_s >= 0 }
    kinetic = (ẋ^2 + ẏ^2)/2;
    potential = 9.81*y;
    holonomic { wire: cos(φ)*y - sin(φ)*x = 0; }
    row wire { slip = cos(φ)*ẋ + sin(φ)*ẏ; friction(μ_s, μ); }
    output N = λ(wire);
    output f = friction(wire);
}";

/// The same, pulled along by a force that grows.
pub(super) const PULLED: &str = "system Pulled {
    coordinates { x, y }
    parameters { φ = 0, μ = 0.2, μ_s = 0.2, k = 1 }
    kinetic = (ẋ^2 + ẏ^2)/2;
    potential = 9.81*y;
    force x = k*t;
    holonomic { wire: cos(φ)*y - sin(φ)*x = 0; }
    row wire { slip = cos(φ)*ẋ + sin(φ)*ẏ; friction(μ_s, μ); }
}";

/// A bead on a straight wire, without any load.
pub(super) const UNLOADED: &str = "system Unloaded {
    coordinates { x, y }
    parameters { μ = 0.2 }
    kinetic = (ẋ^2 + ẏ^2)/2;
    holonomic { wire: y = 0; }
    row wire { slip = ẋ; friction = μ; }
}";

/// The same under a load across that swings.
pub(super) const SWINGING: &str = "system Swinging {
    coordinates { x, y }
    parameters { μ = 0.2 }
    kinetic = (ẋ^2 + ẏ^2)/2;
    force y = cos(t);
    holonomic { wire: y = 0; }
    row wire { slip = ẋ; friction = μ; }
}";

/// A bead on a horizontal circular wire.
pub(super) const CIRCLE: &str = "system Circle {
    coordinates { x, y }
    parameters { r = 1 where r > 0, μ = 0.2 where μ >= 0 }
    kinetic = (ẋ^2 + ẏ^2)/2;
    holonomic { wire: sqrt(x^2 + y^2) = r; }
    row wire { slip = (x*ẏ - y*ẋ)/r; friction = μ; }
}";

/// The same in polar coordinates.
pub(super) const POLAR: &str = "system Polar {
    coordinates { ρ, θ }
    parameters { r = 1 where r > 0, μ = 0.2 where μ >= 0 }
    kinetic = (ρ̇^2 + ρ^2*θ̇^2)/2;
    holonomic { wire: ρ = r; }
    row wire { slip = ρ*θ̇; friction = μ; }
}";

/// A bead on a vertical hoop, θ from its lowest point.
pub(super) const HOOP: &str = "system Hoop {
    coordinates { ρ, θ }
    parameters { r = 1 where r > 0, μ = 0.2 where μ >= 0, g = 9.81 }
    kinetic = (ρ̇^2 + ρ^2*θ̇^2)/2;
    potential = -g*ρ*cos(θ);
    holonomic { hoop: ρ = r; }
    row hoop { slip = ρ*θ̇; friction = μ; }
    event turned { guard = λ(hoop); both; }
}";

/// A block in a guide, pushed obliquely at α.
pub(super) const GUIDE: &str = "system Guide {
    coordinates { x, y }
    parameters { α = 0.5, μ = 0.2, F = 1 }
    kinetic = (ẋ^2 + ẏ^2)/2;
    force x = F*cos(α);
    force y = -F*sin(α);
    holonomic { guide: y = 0; }
    row guide { slip = ẋ; friction = μ; }
}";

/// A sleeve on a post, held at two places ±l, pushed along at a distance h: the arm of a clamp.
pub(super) const CLAMP: &str = "system Clamp {
    coordinates { x, y, θ }
    parameters { h = 1, μ = 0.2, l = 0.1, F = 1 }
    kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/6;
    force x = F;
    force θ = -F*h;
    holonomic { upper: y + l*sin(θ) = 0; lower: y - l*sin(θ) = 0; }
    row upper { slip = ẋ; friction = μ; }
    row lower { slip = ẋ; friction = μ; }
    output N = λ(upper);
    output f = friction(upper) + friction(lower);
}";

/// A uniform rod whose lower end is held in a straight guide: Painlevé's, from both sides.
pub(super) const ROD: &str = "system Rod {
    coordinates { x, y, θ }
    parameters { μ = 0.2, g = 9.81 }
    kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/6;
    potential = g*y;
    holonomic { guide: y - sin(θ) = 0; }
    row guide { slip = ẋ + sin(θ)*θ̇; friction = μ; }
}";

/// A slide in a guide, struck on its face, which is inclined, by a ball.
pub(super) const STRUCK: &str = "system Struck {
    coordinates { x, y, X, Y }
    parameters { β = 0.6, μ = 0.2, e = 0.5, m = 2 }
    kinetic = (ẋ^2 + ẏ^2)/2 + m/2*(Ẋ^2 + Ẏ^2);
    holonomic { guide: y = 0; }
    row guide { slip = ẋ; friction = μ; }
    contact face { gap = sin(β)*(Y - y) - cos(β)*(X - x); impact = restitution(e); }
}";

/// A bead on an inclined wire that is written as y = h(x): λ is not the force across.
pub(super) const GRAPH: &str = "system Graph {
    coordinates { x, y }
    parameters { h = 0.7, μ = 0.2 }
    kinetic = (ẋ^2 + ẏ^2)/2;
    potential = 9.81*y;
    holonomic { wire: y = h*x; }
    row wire { slip = ẋ + h*ẏ; friction = μ; }
}";

/// A pendulum on a pin of radius r.
pub(super) const PIN: &str = "system Pendulum {
    coordinates { x, y, θ }
    parameters { μ = 0.3, r = 0.1 }
    kinetic = (ẋ^2 + ẏ^2)/2 + 0.1*θ̇^2/2;
    potential = 9.81*y;
    holonomic { pin: [x - sin(θ), y + cos(θ)] = [0, 0]; }
    row pin { slip = r*θ̇; friction = μ; }
}";
