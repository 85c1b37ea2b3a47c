//! Bodies with friction where they touch: a box that hops along a floor, a stack of boxes on an incline.

use std::fmt::Write;

eom_core::lagrangian! {
    /// A homogeneous box, 2b wide and 2h high, that falls flat on a floor and hops along until friction has stopped it.
    pub system HoppingBox {
        coordinates { x, y, θ }
        parameters {
            b = 0.5 where b > 0,
            h = 0.25 where h > 0,
            /// Friction.
            μ = 0.3 where μ >= 0,
            /// Restitution.
            e = 0.5 where e >= 0 && e <= 1,
            g = 9.81,
        }
        kinetic   = (ẋ^2 + ẏ^2)/2 + (b^2 + h^2)/6*θ̇^2;
        potential = g*y;
        contact left {
            gap = y - b*sin(θ) - h*cos(θ); slip = ẋ + (b*sin(θ) + h*cos(θ))*θ̇;
            friction = μ; impact = restitution(e);
        }
        contact right {
            gap = y + b*sin(θ) - h*cos(θ); slip = ẋ + (h*cos(θ) - b*sin(θ))*θ̇;
            friction = μ; impact = restitution(e);
        }
    }
}

/// Boxes 2 wide and 1 high, one upon another on an incline of angle φ: each of two lower corners is a contact.
pub fn stack(boxes: usize, μ: f64, φ: f64) -> String {
    let mut text = format!(
        "system Stack {{\n    coordinates {{ x[1..={boxes}], y[1..={boxes}], θ[1..={boxes}] }}\n    \
         parameters {{ φ = {φ}, μ = {μ}, g = 9.81 }}\n    \
         kinetic = sum(ẋ[i]^2/2 + ẏ[i]^2/2 + 5/24*θ̇[i]^2, i in 1..={boxes});\n    \
         potential = g*sum(y[i]*cos(φ) - x[i]*sin(φ), i in 1..={boxes});\n"
    );
    for i in 1..=boxes {
        for (side, s) in [("l", "-1"), ("r", "1")] {
            let (gap, slip) = corner(i, s);
            let _ = writeln!(
                text,
                "    contact {side}{i} {{ gap = {gap}; slip = {slip}; friction = μ; impact = plastic; }}"
            );
        }
    }
    text + "}"
}

/// Gap and slip of a lower corner of a box, on the floor or on the box below.
fn corner(i: usize, side: &str) -> (String, String) {
    let across = format!("({side}*cos(θ{i}) + sin(θ{i})/2)");
    let up = format!("({side}*sin(θ{i}) - cos(θ{i})/2)");
    let (vx, vy) = (format!("(ẋ{i} - θ̇{i}*{up})"), format!("(ẏ{i} + θ̇{i}*{across})"));
    if i == 1 {
        return (format!("y1 + {up}"), vx);
    }
    let j = i - 1;
    let (dx, dy) = (format!("(x{i} + {across} - x{j})"), format!("(y{i} + {up} - y{j})"));
    (
        format!("{dy}*cos(θ{j}) - {dx}*sin(θ{j}) - 1/2"),
        format!("({vx} - ẋ{j} + θ̇{j}*{dy})*cos(θ{j}) + ({vy} - ẏ{j} - θ̇{j}*{dx})*sin(θ{j})"),
    )
}
