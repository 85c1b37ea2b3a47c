//! Impacts with a slip in a plane near a jam, where the slip after them turns far with the direction of their friction.

use eom_core::{EventKind, Options, run_scenario};
use eom_interpreter::Interpreted;

/// An impact with the normal z and the slip (ẋ, ẏ): M (v⁺ − v⁻) = (Λ, −μΛ s⁺/|s⁺|), ż⁺ = 0, and Λ ≥ 0 where what slides is told by it.
fn check_impact(m: [[f64; 3]; 3], μ: f64, [z, x, y]: [f64; 3]) {
    let names = ["ż", "ẋ", "ẏ"];
    let terms =
        (0..9).map(|k| format!("({:?})*{}*{}", m[k / 3][k % 3], names[k / 3], names[k % 3]));
    let terms: Vec<String> = terms.collect();
    let text = format!(
        "system S {{ coordinates {{ z, x, y }} kinetic = ({})/2; potential = 0;
         contact f {{ gap = z; slip = [ẋ, ẏ]; friction = {μ}; impact = plastic; }}
         scenario s {{ z = 1; ż = {z:?}; ẋ = {x:?}; ẏ = {y:?}; until t = {:?}; }} }}",
        terms.join(" + "),
        -1.5 / z
    );
    let system = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let run = run_scenario(&system, "s", &Options::default()).expect("it starts");
    assert!(run.end.is_complete(), "{}\n{text}", run.end);
    let struck = |kind: &EventKind| matches!(kind, EventKind::Impact { .. });
    let event = run.events.iter().find(|event| struck(&event.kind)).expect("an impact");
    let [(_, before), (_, after)] = event.sides();
    let momentum =
        |row: &[f64; 3]| -> f64 { (0..3).map(|k| row[k] * (after[k] - before[k])).sum() };
    let [normal, φ, ψ] = [&m[0], &m[1], &m[2]].map(momentum);
    let slip = after[1].hypot(after[2]);
    let error = (φ + μ * normal * after[1] / slip).hypot(ψ + μ * normal * after[2] / slip);
    assert!(normal > 0.0 && slip > 0.0, "{normal} {after:?}");
    assert!(error < 1e-9 * normal && after[0].abs() < 1e-9, "{error:e} of {normal}: {after:?}");
}

#[test]
fn an_impact_near_a_jam_slides_on() {
    check_impact(
        [
            [13.038191535757592, 0.27893327502383714, 8.573303887156667],
            [0.27893327502383714, 0.3766870166462134, -0.9737702272835156],
            [8.573303887156667, -0.9737702272835156, 10.493655146168567],
        ],
        0.8,
        [-0.6201743372549411, -0.3288239040579627, -0.7921467553588982],
    );
    check_impact(
        [
            [6.606800529249819, 8.07241542629672, -1.0493064019693272],
            [8.07241542629672, 10.467781024311403, -1.1819502265525281],
            [-1.0493064019693272, -1.1819502265525281, 0.3596367187177206],
        ],
        1.2,
        [-1.3448691100903303, 0.006195754894585312, 0.4105741097361655],
    );
}
