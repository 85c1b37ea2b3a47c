//! Euler's disk on a floor that resists its rolling, to its stop: the gallery's file.

use super::{G, check, complete, system};
use eom_core::{AbsoluteTolerance, End, EventKind, Options, Trajectory, run_scenario};

const DISK: &str = include_str!("../../../models/gallery/euler-disk.eom");

/// m = 1, a = 1.
fn roll(δ: f64, scenario: &str, until: f64, absolute: f64) -> Trajectory {
    let options = Options {
        until_time: Some(until),
        absolute_tolerance: AbsoluteTolerance::All(absolute),
        ..Options::default()
    };
    run_scenario(&system(DISK, &[1.0, 1.0, δ]), scenario, &options).expect("it starts")
}

/// c of α = c (t₀ − t)², by hand from the equations of a flat disk.
fn law(δ: f64) -> f64 {
    4.0 * G * δ * δ / (9.0 - 8.0 * δ * δ)
}

/// α, α̇, ω₂, ω₃ beside those of Newton's and Euler's equations in the frame of the level diameter, which know neither
/// coordinates of the plane nor a heading: 30 digits, by extrapolation (Gragg, Bulirsch, Stoer).
#[test]
fn a_disk_rolls_as_a_twin_without_headings() {
    let twin = [
        (
            0.5,
            [
                0.072_767_845_259_789_37,
                -0.077_550_319_108_547_97,
                1.593_234_858_104_540_1,
                -0.019_295_713_512_873_76,
            ],
        ),
        (
            1.0,
            [
                0.044_524_987_322_823_82,
                -0.005_459_479_356_643_902_5,
                1.338_658_800_411_24,
                -0.038_382_188_504_264_18,
            ],
        ),
        (
            2.0,
            [
                0.011_460_114_590_744_756,
                -0.005_206_852_538_801_203,
                0.678_772_425_551_849_9,
                -0.052_309_357_737_412_424,
            ],
        ),
        (
            2.5,
            [
                0.002_987_251_333_189_788_5,
                -0.006_518_906_779_484_751,
                0.354_393_627_164_062_5,
                -0.054_133_956_409_160_92,
            ],
        ),
    ];
    for (until, wanted) in twin {
        let made = roll(0.05, "spin", until, 1e-16);
        let last = complete(&made);
        let found = [last.q[3], last.v[3], last.v[4], last.v[5]];
        for (what, (found, wanted)) in ["α", "α̇", "ω₂", "ω₃"].iter().zip(found.iter().zip(wanted))
        {
            check(what, *found, wanted, 2e-12);
        }
    }
}

/// α goes from 10⁻⁸ to 10⁻²⁴ by the law: its exponent n = 2 from ln α̇ over ln α, which is 1 − 1/n, its factor from α̇²/α = 4c,
/// and the time from both. At 10⁻⁸ the law of a flat disk is exact to that part.
#[test]
fn a_disk_stops_with_the_exponent_of_its_resistance() {
    for δ in [0.1, 0.3] {
        let c = law(δ);
        let end = (1e-8 / c).sqrt() * (1.0 - 7e-9);
        let made = roll(δ, "law", end, 1e-40);
        complete(&made);
        let points: Vec<(f64, f64)> =
            made.samples.iter().map(|state| (state.q[3], -state.v[3])).collect();
        for (α, rate) in &points {
            check("4 c", rate * rate / α / (4.0 * c), 1.0, 3e-8);
        }
        let (first, last) = (points[0], points[points.len() - 1]);
        assert!(last.0 < 1e-23, "{last:?}");
        let slope = (first.1 / last.1).ln() / (first.0 / last.0).ln();
        check("n", 1.0 / (1.0 - slope), 2.0, 1e-8);
        let flat =
            made.events.iter().find(|event| matches!(event.kind, EventKind::Declared { .. }));
        let wanted = (1e-8 / c).sqrt() - (1e-24 / c).sqrt();
        check("flat", flat.expect("it comes to lie").t / wanted, 1.0, 1e-8);
    }
}

/// From any tilt: it ends at its singularity, typed and in few steps, with α twenty decades down and on the way to the law.
#[test]
fn a_disk_comes_to_lie_and_the_run_ends_there() {
    let δ = 0.2;
    let made = roll(δ, "spin", 100.0, 1e-16);
    assert!(matches!(made.end, End::StepUnderflow { .. } | End::NonFinite { .. }), "{}", made.end);
    assert!(made.stats.steps < 10_000, "{:?}", made.stats);
    let on_way = made.samples.iter().filter(|state| (1e-20..1e-12).contains(&state.q[3]));
    let rates: Vec<f64> = on_way.map(|state| state.v[3] * state.v[3] / state.q[3]).collect();
    let mean = rates.iter().sum::<f64>() / rates.len() as f64;
    check("4 c", mean / (4.0 * law(δ)), 1.0, 0.02);
}
