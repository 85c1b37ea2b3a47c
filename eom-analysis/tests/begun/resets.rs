//! Through resets that leave the constraints: the run brings the state back to them.

use super::check;

/// A row of velocities, one of positions, several rows; a reset of velocities, of the place too, along the rows or off them.
#[test]
fn resets_that_leave_the_constraints() {
    let cases = [
        (
            "/// On a row. \n system S { coordinates { x, z } parameters { p = 0.8, m = 2 }
            kinetic = ẋ^2/2 + m*ż^2/2; constraints { r: ż = cos(x)*ẋ; } allow integrable_row(r);
            event k { guard = x; rising; reset { ẋ = p*ẋ; } }
            scenario a { x = -1; ẋ = 1; solve ż; until t = 3; } }",
            3.0,
        ),
        (
            "/// On a rod. \n system R { coordinates { x, y } parameters { p = 0.8, l = 1, m = 1, s = 0.3 }
            kinetic = m*ẋ^2/2 + ẏ^2; potential = 9.81*y; holonomic { rod: x^2 + y^2 = l^2; }
            event k { guard = x - s; rising; reset { ẋ = p*ẋ; } }
            scenario a { x = -0.6; y = -0.8; solve y, ẏ; until t = 1; } }",
            1.0,
        ),
        (
            "/// A sleigh. \n system S { coordinates { x, y, f } parameters { m = 1, J = 0.4, a = 0.3, p = 0.7 }
            kinetic = m/2*((ẋ - a*sin(f)*ḟ)^2 + (ẏ + a*cos(f)*ḟ)^2) + J/2*ḟ^2;
            constraints { blade: sin(f)*dx - cos(f)*dy; }
            event k { guard = x - 0.5; rising; reset { ẋ = p*ẋ; ḟ = ḟ + 0.3; f = f + p/5; } }
            scenario a { f = 0.6; ẋ = 1.5; ḟ = 0.7; solve ẏ; until t = 1.2; } }",
            1.2,
        ),
        (
            "/// Off its rod. \n system R { coordinates { x, y } parameters { p = 1.1, l = 1, m = 1.5 }
            kinetic = m*ẋ^2/2 + ẏ^2/2; potential = 9.81*y; holonomic { rod: x^2 + y^2 = l^2; }
            event k { guard = x - 0.3; rising; reset { x = p*x + 0.1; y = y - 0.02; ẏ = ẏ/p; } }
            scenario a { x = -0.6; y = -0.8; solve y, ẏ; until t = 0.9; } }",
            0.9,
        ),
        (
            "/// Two bars on a wheel that is driven. \n system W { coordinates { x, y, w } parameters { p = 0.8, l = 1, ω = 2 }
            kinetic = (ẋ^2 + ẏ^2 + ẇ^2)/2 + ẋ*ẇ/4; potential = y;
            constraints { drive: ẇ = x*ẏ + ω*sin(t); } holonomic { rod: x^2 + y^2 = l^2 + sin(t)/10; }
            event k { guard = t - 0.5; rising; reset { ẋ = p*ẋ - 0.1; ẇ = p*y; } }
            scenario a { x = -0.6; y = -0.8; ẋ = 1; solve y, ẏ, ẇ; until t = 1.1; } }",
            1.1,
        ),
    ];
    for (source, t) in cases {
        check(source, t);
    }
}
