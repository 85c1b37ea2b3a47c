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
            [13.038_191_535_757_592, 0.278_933_275_023_837_14, 8.573_303_887_156_667],
            [0.278_933_275_023_837_14, 0.376_687_016_646_213_4, -0.973_770_227_283_515_6],
            [8.573_303_887_156_667, -0.973_770_227_283_515_6, 10.493_655_146_168_567],
        ],
        0.8,
        [-0.620_174_337_254_941_1, -0.328_823_904_057_962_7, -0.792_146_755_358_898_2],
    );
    check_impact(
        [
            [6.606_800_529_249_819, 8.072_415_426_296_72, -1.049_306_401_969_327_2],
            [8.072_415_426_296_72, 10.467_781_024_311_403, -1.181_950_226_552_528_1],
            [-1.049_306_401_969_327_2, -1.181_950_226_552_528_1, 0.359_636_718_717_720_6],
        ],
        1.2,
        [-1.344_869_110_090_330_3, 0.006_195_754_894_585_312, 0.410_574_109_736_165_5],
    );
}
