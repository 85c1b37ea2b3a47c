//! Guards of a coordinate that is large beside what the motion makes of it, by both methods: its roundings are what a guard is
//! known to. Runs are stopped within some of them of each event.

use eom_core::{Event, GuardCheck, Method, Options, Progress, Run, State, Trajectory, simulate};
use eom_interpreter::Interpreted;
use std::f64::consts::PI;
use std::ops::ControlFlow;

const METHODS: [Method; 2] = [Method::RungeKutta, Method::Taylor];

/// A run that is stopped on its way, and one that ends there.
fn stopped(
    text: &str,
    (q, v): (f64, f64),
    method: Method,
    stop: f64,
    until: f64,
) -> [Trajectory; 2] {
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let start = State::new(0.0, [q], [v]);
    let options = Options { method, until_time: Some(until), ..Options::default() };
    let mut run = Run::new(&system, &start, &options).expect("a start");
    let _ = run.advance_to(stop);
    let _ = run.advance_to(until);
    let short = Options { until_time: Some(stop), ..options };
    let go_on = &mut |_: &Progress<'_>| ControlFlow::Continue(());
    let short = simulate(&system, &start, &[], &short, go_on).expect("a start");
    [run.finish(), short]
}

/// What is open touches only within some thousand roundings of where it is: a ball falls on a floor that is far from the origin.
#[test]
fn a_floor_far_away_is_fallen_on() {
    for (far, open) in [(1e3, 1e-8), (6.4e6, 1e-4), (1e9, 1.0), (1e12, 64.0)] {
        let text = format!(
            "system S {{ coordinates {{ y }} kinetic = ẏ^2/2; potential = 8*y;
             contact floor {{ gap = y - {far:?}; impact = plastic; }} }}"
        );
        // The difference as doubles have it.
        let height = (far + open) - far;
        let lands = (height / 4.0_f64).sqrt();
        for method in METHODS {
            let [whole, _] = stopped(&text, (far + open, 0.0), method, 0.9 * lands, 2.0 * lands);
            assert!(whole.end.is_complete(), "{method:?} {text}: {}", whole.end);
            let off = (whole.events[0].t / lands - 1.0).abs();
            assert!(off <= 4.0 * f64::EPSILON * far / height + 1e-12, "{method:?} {far}: {off:e}");
        }
    }
}

/// A wall far away, which a run meets so late or so early that its gap is zero to rounding: stopped there it has the impacts of
/// one that is not, since what leaves a wall is seen to leave it still.
#[test]
fn a_stop_at_a_wall_far_away_changes_nothing() {
    for x in [0.0, 3.0, 6.0, 8.0, 9.0].map(|power| 1.234_567_891_234_5 * 10_f64.powf(power)) {
        let wall = x + 1.0625;
        let first = (0.81 + 2.0 * (wall - x)).sqrt() - 0.9;
        for law in ["elastic", "restitution(0.5)", "plastic"] {
            let text = format!(
                "system S {{ coordinates {{ x }} kinetic = ẋ^2/2; potential = -x;
                 contact c {{ gap = {wall:?} - x; impact = {law}; }} }}"
            );
            for method in METHODS {
                let [whole, _] = stopped(&text, (x, 0.9), method, 2.99, 3.0);
                assert!(whole.end.is_complete(), "{method:?} {text}: {}", whole.end);
                let off = (whole.events[0].t - first).abs();
                assert!(off <= 1e-12 + 4.0 * f64::EPSILON * x, "{method:?} {text}: {off:e}");
                let met = whole.events.iter().map(|event| event.t);
                let units = met
                    .flat_map(|t| [f64::EPSILON * t, 0.3 * f64::EPSILON * x].map(|unit| (t, unit)));
                for (t, unit) in
                    units.flat_map(|unit| (-4..=4).map(move |k| (unit.0, f64::from(k) * unit.1)))
                {
                    let stop = (t + unit).clamp(0.01, 2.99);
                    for run in stopped(&text, (x, 0.9), method, stop, 3.0) {
                        assert!(
                            run.end.is_complete(),
                            "{method:?} {text} stopped at {stop:?}: {}",
                            run.end
                        );
                        let count = run.events.len();
                        let is_whole = run.end.t() == 3.0;
                        assert!(
                            count == whole.events.len() || !is_whole,
                            "{method:?} {text} {stop:?}: {count}"
                        );
                    }
                }
            }
        }
    }
}

/// All zeros of sin kx, far away too, each once: with a reset of the velocity, and stopped beside one of them.
#[test]
fn zeros_of_a_sine_far_away_are_counted_once() {
    let far =
        [0.0, 3.0, 4.0, 6.0, 9.0, 10.0].map(|power| 5.080_927_847_429_411 * 10_f64.powf(power));
    for (x, k) in far.into_iter().flat_map(|x| [1.0, 37.0, 1000.0].map(|k| (x, k))) {
        for reset in ["", "reset { ẋ = 0.7*ẋ + 0.31; }"] {
            let text = format!(
                "system S {{ coordinates {{ x }} kinetic = ẋ^2/2;
                 event e {{ guard = sin({k:?}*x); falling; {reset} }} }}"
            );
            // The velocity that the reset leaves as it is. sin kx falls where kx/π is odd.
            let v = 0.31 / 0.3;
            let turns = |x: f64| ((k * x / PI - 1.0) / 2.0).floor();
            let wanted = turns(x + 0.5 * v) - turns(x);
            for method in METHODS {
                let [whole, _] = stopped(&text, (x, v), method, 0.49, 0.5);
                let [first, second] =
                    [0, 1].map(|i| whole.events.get(i).map_or(0.2, |event| event.t));
                for stop in [first, second]
                    .into_iter()
                    .flat_map(|t| (-2..=2).map(move |k| t + f64::from(k) * f64::EPSILON * x))
                {
                    let [run, short] = stopped(&text, (x, v), method, stop, 0.5);
                    assert!(
                        run.end.is_complete() && short.end.is_complete(),
                        "{text}: {} {}",
                        run.end,
                        short.end
                    );
                    assert_eq!(
                        run.events.len() as f64,
                        wanted,
                        "{method:?} {text} {x:?} stopped at {stop:?}"
                    );
                }
            }
        }
    }
}

/// A band as narrow as some thousand roundings is entered once and left once, and where less can be told the trajectory does not
/// say that there is none. In a bracket a part of a step is, the guard passes zero again beside it.
#[test]
fn a_narrow_band_is_met_once() {
    for (x, widths) in [0.0, 3.0, 6.0, 9.0, 12.0].into_iter().flat_map(|power| {
        let x = 1.234_567_891_234_5 * 10_f64.powf(power);
        [1e2, 1e4, 1e5, 1e7].map(|widths| (x, widths))
    }) {
        let (centre, w) = (x + 1.0625, widths * f64::EPSILON * x);
        let guards = [
            format!("exp(-((x - {centre:?})/{w:?})^2) - 0.5"),
            format!("abs(x - {centre:?}) - {w:?}"),
            format!("(x - {centre:?})^2 - {:?}", w * w),
        ];
        for (guard, direction) in guards
            .iter()
            .filter(|_| w < 0.1)
            .flat_map(|guard| ["falling", "rising"].map(|d| (guard, d)))
        {
            let text = format!(
                "system S {{ coordinates {{ x }} kinetic = ẋ^2/2; event e {{ guard = {guard}; {direction}; }} }}"
            );
            for method in METHODS {
                let [_, run] = stopped(&text, (x, 0.9), method, 3.0, 3.0);
                let is_denied = run.end.is_complete() && run.guards == GuardCheck::Proven;
                let count = run.events.len();
                assert!(count == 1 || !is_denied, "{method:?} {text}: {count}, {}", run.end);
                let near = |event: &&Event| {
                    (event.t - 1.0625 / 0.9).abs() < 2.0 * w + 64.0 * f64::EPSILON * x
                };
                assert!(
                    run.events.iter().all(|event| near(&event)),
                    "{method:?} {text}: {:?}",
                    run.events
                );
            }
        }
    }
}
