//! A double pendulum with friction in both pins strikes a wall with friction: one combination of signs fits, others are refuted by
//! what they move, whether or not their forces can be told.

use super::check;
use eom_core::{EventKind, Options, run_scenario};
use eom_interpreter::Interpreted;

/// Half lengths, masses and moments of both rods, r and μ of both pins, d and μ of the wall X = −d.
struct Case {
    half: [f64; 2],
    mass: [f64; 2],
    moment: [f64; 2],
    arm: [f64; 2],
    pins: [f64; 2],
    wall: [f64; 2],
    /// a, b, ȧ, and when it is over.
    start: [f64; 4],
}

fn text(case: &Case) -> String {
    let Case { half: [k, l], mass: [m, n], moment: [i, j], arm, pins, wall, start } = case;
    let [a, b, turn, until] = *start;
    let [(sa, ca), (sb, cb)] = [a.sin_cos(), b.sin_cos()];
    format!(
        "system S {{ coordinates {{ x, y, a, X, Y, b }}
         kinetic = {m}/2*(ẋ^2 + ẏ^2) + {i:?}/2*ȧ^2 + {n}/2*(Ẋ^2 + Ẏ^2) + {j:?}/2*ḃ^2;
         potential = 9.81*({m}*y + {n}*Y);
         holonomic {{
             p: [x - {k}*sin(a), y + {k}*cos(a)] = [0, 0];
             q: [X - {l}*sin(b) - x - {k}*sin(a), Y + {l}*cos(b) - y + {k}*cos(a)] = [0, 0];
         }}
         row p {{ slip = {}*ȧ; friction = {}; }}
         row q {{ slip = {}*(ḃ - ȧ); friction = {}; }}
         contact w {{ gap = X + {l}*sin(b) + {}; slip = Ẏ + {l}*sin(b)*ḃ; friction = {}; impact = plastic; }}
         scenario s {{
             a = {a}; b = {b}; x = {:?}; y = {:?}; X = {:?}; Y = {:?};
             ȧ = {turn}; ẋ = {:?}; ẏ = {:?}; Ẋ = {:?}; Ẏ = {:?}; until t = {until};
         }} }}",
        arm[0],
        pins[0],
        arm[1],
        pins[1],
        wall[0],
        wall[1],
        k * sa,
        -k * ca,
        2.0 * k * sa + l * sb,
        -2.0 * k * ca - l * cb,
        k * ca * turn,
        k * sa * turn,
        2.0 * k * ca * turn,
        2.0 * k * sa * turn,
    )
}

/// With q and p the impulses in the pins, of what the bodies do:
///
/// ```text
/// q = M ΔV − (Λ, φ)    φ = −μΛ s⁺/|s⁺|    J Δḃ = Λ l cos b + φ l sin b − l (q_x cos b + q_y sin b) − μ₂ r₂ |q| σ₂
/// p = m Δv + q                            i Δȧ = −k (p + q)·(cos a, sin a) + μ₂ r₂ |q| σ₂ − μ₁ r₁ |p| σ₁
/// ```
fn check_impact(case: &Case) {
    let text = text(case);
    let system = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"));
    let run = run_scenario(&system, "s", &Options::default()).expect("it starts");
    assert!(run.end.is_complete(), "{}\n{text}", run.end);
    let struck = |kind: &EventKind| matches!(kind, EventKind::Impact { .. });
    let event = run.events.iter().find(|event| struck(&event.kind)).expect("an impact");
    let [(q, before), (_, after)] = event.sides();
    let Case { half: [k, l], mass: [m, n], moment: [i, j], arm, pins, wall, .. } = case;
    let [(sa, ca), (sb, cb)] = [q[2].sin_cos(), q[5].sin_cos()];
    let change: Vec<f64> = after.iter().zip(before).map(|(after, before)| after - before).collect();
    let slip = after[4] + l * sb * after[5];
    check("the wall", after[3] + l * cb * after[5], 0.0, 1e-10);
    let [σ, τ] = [after[2].signum(), (after[5] - after[2]).signum()];
    // Λ from the turn of the second rod, by bisection: what is left of it grows with Λ.
    let left = |Λ: f64| {
        let φ = -wall[1] * Λ * slip.signum();
        let [qx, qy] = [n * change[3] - Λ, n * change[4] - φ];
        let [px, py] = [m * change[0] + qx, m * change[1] + qy];
        let rub = [pins[0] * arm[0] * px.hypot(py) * σ, pins[1] * arm[1] * qx.hypot(qy) * τ];
        let of_second = Λ * l * cb + φ * l * sb - l * (qx * cb + qy * sb) - rub[1];
        let of_first = -k * ((px + qx) * ca + (py + qy) * sa) + rub[1] - rub[0];
        [of_second - j * change[5], of_first - i * change[2]]
    };
    let [mut low, mut high] = [0.0, 100.0];
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if left(middle)[0] > 0.0 { high = middle } else { low = middle }
    }
    assert!(low > 0.0 && high < 100.0, "{low}\n{text}");
    let [second, first] = left(low);
    check("the second rod", second, 0.0, 1e-10);
    check("the first rod", first, 0.0, 1e-10);
}

#[test]
fn a_double_pendulum_with_friction_in_its_pins_strikes_a_wall() {
    let cases = [
        Case {
            half: [0.489, 0.437],
            mass: [0.585, 0.402],
            moment: [0.0466, 0.0256],
            arm: [0.075, 0.129],
            pins: [0.426, 0.381],
            wall: [0.582, 0.418],
            start: [1.276, 0.715, -0.768, 1.0],
        },
        Case {
            half: [0.4055, 0.3855],
            mass: [1.693, 1.431],
            moment: [0.0928, 0.0709],
            arm: [0.104, 0.19],
            pins: [0.383, 0.465],
            wall: [0.381, 0.066],
            start: [0.295, 0.77, 0.0, 1.2],
        },
        Case {
            half: [0.363, 0.34],
            mass: [1.886, 0.859],
            moment: [0.0828, 0.0331],
            arm: [0.112, 0.133],
            pins: [0.279, 0.314],
            wall: [0.185, 0.152],
            start: [0.762, 1.325, 0.807, 0.9],
        },
    ];
    cases.iter().for_each(check_impact);
}
