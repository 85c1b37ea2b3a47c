//! Tapes of every system: what they bound against the compiled functions at states of the box, and their
//! derivatives against differences.

use eom_core::enclosure::{Dual, Evaluator, Interval, Jacobian, Tape};
use eom_core::system::Specialised;
use eom_core::{State, System};
use eom_interpreter::Interpreted;
use eom_tests::random;
use eom_tests::systems::{Fixture, every_system};
use fastrand::Rng;

/// Half widths of boxes.
const RADII: [f64; 4] = [0.0, 1e-9, 1e-3, 0.2];

type Function<'s> = Box<dyn Fn(f64, &[f64], &[f64]) -> Vec<f64> + 's>;

/// A tape with the function that it is of.
struct Case<'s> {
    name: String,
    tape: &'s Tape,
    function: Function<'s>,
}

/// The tapes of a system with inputs u.
fn cases<'s>(name: &str, system: &'s dyn System, u: &'s [f64]) -> Vec<Case<'s>> {
    let info = system.info();
    let programs = system.programs();
    let named = |what: &str| format!("{name} {what}");
    let mut cases: Vec<Case<'s>> = Vec::new();
    if let Some(tape) = programs.gaps {
        let function = Box::new(move |t: f64, q: &[f64], _: &[f64]| {
            let mut values = vec![0.0; info.contacts.len()];
            system.gaps(t, q, &mut values);
            values
        });
        cases.push(Case { name: named("gaps"), tape, function });
    }
    if let Some(tape) = programs.guards {
        let function = Box::new(move |t: f64, q: &[f64], v: &[f64]| {
            let mut values = vec![0.0; info.events.len()];
            system.guards(t, q, v, u, &mut values);
            values
        });
        cases.push(Case { name: named("guards"), tape, function });
    }
    if let Some(tape) = programs.rates {
        let function = Box::new(move |t: f64, q: &[f64], v: &[f64]| {
            let mut values = vec![0.0; info.positions()];
            system.rates(t, q, v, &mut values);
            values
        });
        cases.push(Case { name: named("rates"), tape, function });
    }
    if let Some(tape) = programs.accelerations {
        let function = Box::new(move |t: f64, q: &[f64], v: &[f64]| {
            let (mut values, mut λ) = (vec![0.0; info.speeds()], vec![0.0; info.rows.len()]);
            system.accelerations(t, q, v, u, &mut values, &mut λ);
            values
        });
        cases.push(Case { name: named("accelerations"), tape, function });
    }
    cases
}

fn parameters(system: &dyn System) -> Vec<f64> {
    let mut values = vec![0.0; system.info().parameters.len()];
    system.parameters(&mut values);
    values
}

/// Calls `check` with every tape of every system, at random parameters and a random state with inputs.
fn every_tape(states: usize, mut check: impl FnMut(&Case<'_>, &[f64], &State, &[f64], &mut Rng)) {
    for fixture in every_system() {
        let mut rng = Rng::with_seed(0xB0);
        for _ in 0..states {
            let system = random::system(&mut rng, &fixture);
            let (state, u) = state_and_inputs(&mut rng, &*system);
            for case in cases(fixture.name, &*system, &u) {
                check(&case, &parameters(&*system), &state, &u, &mut rng);
            }
        }
    }
}

fn state_and_inputs(rng: &mut Rng, system: &dyn System) -> (State, Vec<f64>) {
    let info = system.info();
    let state = random::state(rng, info);
    let u = info.inputs.iter().map(|_| random::between(rng, -2.0, 2.0)).collect();
    (state, u)
}

fn boxes(state: &State, radius: f64) -> (Interval, Vec<Interval>) {
    let around = |x: &f64| Interval::new(x - radius, x + radius);
    (around(&state.t), state.q.iter().chain(&state.v).map(around).collect())
}

fn number(rng: &mut Rng, of: Interval) -> f64 {
    match rng.u8(0..4) {
        0 => of.low(),
        1 => of.high(),
        _ => (of.low() + rng.f64() * of.width()).clamp(of.low(), of.high()),
    }
}

#[test]
fn every_tape_is_sound_and_the_interpreters() {
    for Fixture { name, info, build, .. } in every_system() {
        let compiled = build(&vec![Some(1.0); info.parameters.len()]);
        let Ok(compiled) = compiled else { continue };
        let read = Interpreted::new(info.source).unwrap();
        let (a, b) = (compiled.programs(), read.programs());
        let all = |p: eom_core::enclosure::Programs<'_>| {
            [p.gaps, p.guards, p.rates, p.accelerations, p.forces].map(Option::<&Tape>::cloned)
        };
        assert_eq!(all(a), all(b), "{name}");
        assert!(all(a).iter().flatten().all(Tape::is_sound), "{name}");
        let integrals = info.source.contains("integral");
        assert!(a.accelerations.is_some() || integrals, "{name} has no accelerations");
        assert!(a.gaps.is_some() || info.contacts.is_empty() || integrals, "{name} has no gaps");
        assert!(a.guards.is_some() || info.events.is_empty() || integrals, "{name} has no guards");
    }
}

/// And a smaller box has bounds within those of the larger.
#[test]
fn compiled_functions_stay_within_bounds() {
    every_tape(4, |case, parameters, state, u, rng| {
        let mut tape = Evaluator::<Interval>::new(case.tape, parameters, u);
        let mut before: Option<Vec<Interval>> = None;
        for radius in RADII.into_iter().rev() {
            let (t, y) = boxes(state, radius);
            tape.run(t, &[&y]);
            let bounds: Vec<Interval> = tape.results().collect();
            for (large, small) in before.iter().flatten().zip(&bounds) {
                let defined = large.is_total() && large.marks().has(small.marks());
                assert!(!defined || large.encloses(*small), "{}: {small} in {large}", case.name);
            }
            for _ in 0..20 {
                let at: Vec<f64> = y.iter().map(|y| number(rng, *y)).collect();
                let (q, v) = at.split_at(state.q.len());
                let values = (case.function)(number(rng, t), q, v);
                assert_eq!(values.len(), bounds.len(), "{}", case.name);
                for (value, bounds) in values.iter().zip(&bounds) {
                    let told = !bounds.is_total() || !bounds.is_bounded();
                    let fits = if value.is_finite() { bounds.contains(*value) } else { told };
                    assert!(fits, "{} r = {radius:e}: {value} in {bounds}", case.name);
                }
            }
            before = Some(bounds);
        }
    });
}

/// (f(y + h ẏ) − f(y))/h lies within the bounds of the rate, for all ẏ of a box and both ends in the box of states.
#[test]
fn differences_stay_within_bounds_of_the_rate() {
    every_tape(3, |case, parameters, state, u, rng| {
        let mut tape = Evaluator::<Dual<Interval, 1>>::new(case.tape, parameters, u);
        for radius in [1e-3, 0.1] {
            let (t, y) = boxes(state, radius);
            let slopes: Vec<Interval> = y
                .iter()
                .map(|_| {
                    let middle = random::between(rng, -2.0, 2.0);
                    Interval::new(middle - radius, middle + radius)
                })
                .collect();
            tape.run_along(t, &y, &slopes);
            for _ in 0..10 {
                let h = 0.2 * radius;
                let at: Vec<f64> =
                    y.iter().map(|y| y.middle() + (rng.f64() - 0.5) * radius).collect();
                let next: Vec<f64> =
                    at.iter().zip(&slopes).map(|(y, s)| y + h * number(rng, *s)).collect();
                let f = |t: f64, y: &[f64]| {
                    let (q, v) = y.split_at(state.q.len());
                    (case.function)(t, q, v)
                };
                let (first, second) = (f(t.middle(), &at), f(t.middle() + h, &next));
                for (index, (a, b)) in first.iter().zip(&second).enumerate() {
                    let bounds = tape.result(index);
                    let rate = bounds.rate();
                    let change = (b - a) / h;
                    let rounding = 1e-13 * (a.abs() + b.abs() + rate.mignitude()) / h;
                    let fits = rate.low() - rounding <= change && change <= rate.high() + rounding;
                    let told = !bounds.value.is_total() || !bounds.value.is_bounded();
                    assert!(
                        fits || (!change.is_finite() && told),
                        "{}: {change} in {rate}, of {}",
                        case.name,
                        bounds.value
                    );
                }
            }
        }
    });
}

/// Widths of bounds, and of those of rates, fall as the box does: bounds by the rate are of second order.
#[test]
fn bounds_are_of_first_order() {
    let mut seen = 0;
    every_tape(2, |case, parameters, state, u, _| {
        let mut tape = Evaluator::<Dual<Interval, 1>>::new(case.tape, parameters, u);
        let mut widths = |radius: f64| {
            let (t, y) = boxes(state, radius);
            let slopes: Vec<Interval> =
                y.iter().map(|_| Interval::new(1.0 - radius, 1.0 + radius)).collect();
            tape.run_along(t, &y, &slopes);
            let all: Vec<[f64; 2]> =
                tape.results().map(|f| [f.value.width(), f.rate().width()]).collect();
            all
        };
        let (wide, narrow) = (widths(1e-5), widths(1e-6));
        for (wide, narrow) in wide.iter().flatten().zip(narrow.iter().flatten()) {
            // A state near a kink or a pole is not in the limit yet.
            if wide.is_finite() && *wide < 1e-2 && *wide > 1e-7 {
                seen += 1;
                let ratio = wide / narrow;
                assert!((9.0..12.0).contains(&ratio), "{}: {wide:e}, {narrow:e}", case.name);
            }
        }
    });
    assert!(seen > 500, "{seen} bounds were looked at");
}

/// Six points: an error of h⁶.
#[test]
fn jacobians_are_those_of_differences() {
    const H: f64 = 1e-2;
    let weights = [(1.0, 3.0 / 4.0), (2.0, -3.0 / 20.0), (3.0, 1.0 / 60.0)];
    let mut seen = 0;
    every_tape(2, |case, parameters, state, u, _| {
        let y: Vec<f64> = state.q.iter().chain(&state.v).copied().collect();
        let f = |y: &[f64]| {
            let (q, v) = y.split_at(state.q.len());
            (case.function)(state.t, q, v)
        };
        let value = f(&y);
        let (mut found, mut matrix) = (vec![0.0; value.len()], vec![0.0; value.len() * y.len()]);
        let mut jacobian = Jacobian::new(case.tape, parameters, u);
        jacobian.evaluate(state.t, &y, &mut found, &mut matrix);
        for (value, found) in value.iter().zip(&found) {
            let close = (value - found).abs() <= 1e-9 * (1.0 + value.abs());
            assert!(close || !value.is_finite(), "{}: {found}, compiled {value}", case.name);
        }
        let differences = |h: f64| -> Vec<Vec<f64>> {
            (0..y.len())
                .map(|j| {
                    let mut column = vec![0.0; value.len()];
                    for (step, weight) in weights {
                        let [ahead, behind] = [1.0, -1.0].map(|sign| {
                            let mut y = y.clone();
                            y[j] += sign * step * h;
                            f(&y)
                        });
                        for ((c, a), b) in column.iter_mut().zip(ahead).zip(behind) {
                            *c += weight * (a - b) / h;
                        }
                    }
                    column
                })
                .collect()
        };
        let (coarse, fine) = (differences(H), differences(H / 4.0));
        for j in 0..y.len() {
            for i in 0..value.len() {
                let (entry, coarse, fine) = (matrix[i * y.len() + j], coarse[j][i], fine[j][i]);
                // Where differences do not agree among themselves they tell nothing: near kinks and poles.
                let scale = 1.0 + fine.abs() + value[i].abs();
                if (coarse - fine).abs() < 1e-7 * scale {
                    seen += 1;
                    let close = (entry - fine).abs() <= 1e-6 * scale;
                    assert!(close, "{} ∂{i}/∂{j}: {entry}, by differences {fine}", case.name);
                }
            }
        }
    });
    assert!(seen > 2000, "{seen} entries were looked at");
}
