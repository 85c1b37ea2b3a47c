//! Runs with closed contacts, friction that sticks and inputs that change: the same however they are cut, saved, copied or
//! given their own state.
#![allow(mixed_script_confusables, confusable_idents, reason = "the names of the declarations")]

use eom_core::{EventKind, Mode, Options, Run, State};
use eom_interpreter::Interpreted;

/// Each under inputs u and n, which may move it, lift it and let it fall.
const SYSTEMS: &[(&str, &[f64], &[f64])] = &[
    (
        "system Box {
            coordinates { x, y } inputs { u, n }
            kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*(y*cos(0.2) + x*sin(0.2));
            force x = u; force y = n;
            contact floor { gap = y; slip = ẋ; friction(0.5, 0.3); impact = restitution(0.3); }
        }",
        &[0.0, 0.3],
        &[1.0, 0.0],
    ),
    (
        "system Stack {
            coordinates { x, y, X, Y } inputs { u, n }
            kinetic = (ẋ^2 + ẏ^2)/2 + (Ẋ^2 + Ẏ^2)/4; potential = 9.81*(y + Y/2);
            force x = u; force Y = n;
            contact floor { gap = y; slip = ẋ; friction(0.4, 0.3); impact = plastic; }
            contact top { gap = Y - y - 1; slip = Ẋ - ẋ; friction(0.5, 0.2); impact = plastic; }
        }",
        &[0.0, 0.0, 0.0, 1.0],
        &[0.0; 4],
    ),
    (
        "system Disc {
            coordinates { x, y, θ } inputs { u, n }
            kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/4; potential = 9.81*y;
            force θ = u; force x = n/5;
            contact floor {
                gap = y - 1; slip = ẋ + θ̇; friction = 0.4; roll = θ̇; rolling(0.05, 0.03); impact = plastic;
            }
        }",
        &[0.0, 1.0, 0.0],
        &[1.0, 0.0, 0.0],
    ),
    (
        "system Sled {
            coordinates { x, z, y } inputs { u, n }
            kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = 9.81*y;
            force x = u; force z = n/3;
            contact floor { gap = y; slip = [ẋ, ż]; friction([0.5, 0.2]); impact = plastic; }
        }",
        &[0.0; 3],
        &[1.0, 0.7, 0.0],
    ),
    (
        "system Top {
            coordinates { x, z, y, φ } inputs { u, n }
            kinetic = (ẋ^2 + ẏ^2 + ż^2)/2 + φ̇^2/5; potential = 9.81*y;
            force x = u; force φ = n/3;
            contact floor {
                gap = y; slip = [ẋ, ż]; friction = 0.3; spin = φ̇; spinning = 0.1; impact = plastic;
            }
        }",
        &[0.0; 4],
        &[1.0, 0.7, 0.0, 3.0],
    ),
    (
        "system Pin {
            coordinates { x, y, θ } inputs { u, n }
            kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/20; potential = 9.81*y;
            force θ = u; force x = n/5;
            holonomic { pin: [x - sin(θ), y + cos(θ)] = [0, 0]; }
            row pin { slip = θ̇; friction(0.4, 0.2); }
        }",
        &[0.0, -1.0, 0.0],
        &[0.0; 3],
    ),
];

const INTERVALS: usize = 20;
const CASES: usize = 6;

/// Numbers of a fixed sequence in (0, 1).
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// What is done within each interval, beside going to its end.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cut {
    Nothing,
    Times,
    Saved,
    OwnState,
    SameInputs,
}

/// Where a run has come to: its state and mode, and its events by time and name.
type Outcome = (State, Mode, Vec<(f64, String)>);

/// What of an event has no numbers that depend on rounding.
fn name(kind: &EventKind) -> String {
    match kind {
        EventKind::Impact { contact, .. } => format!("impact {contact}"),
        EventKind::Accumulation { contact, .. } => format!("accumulation {contact}"),
        kind => format!("{kind:?}"),
    }
}

fn go(
    system: &Interpreted,
    (q, v): (&[f64], &[f64]),
    inputs: &[[f64; 2]],
    cut: Cut,
    draw: &mut Draw,
) -> Outcome {
    let options = Options { until_time: Some(0.1 * INTERVALS as f64), ..Options::default() };
    let start = State::new(0.0, q, v);
    let run = Run::with_inputs(system, &start, &inputs[0], &options);
    let mut run = run.expect("the start is possible");
    for (i, u) in inputs.iter().enumerate() {
        let (begin, end) = (0.1 * i as f64, 0.1 * (i + 1) as f64);
        run.set_inputs(u).expect("two numbers");
        match cut {
            Cut::Nothing => {}
            Cut::Times => {
                let mut times = [(); 3].map(|()| begin + 0.1 * draw.next());
                times.sort_by(f64::total_cmp);
                for t in times {
                    let _ = run.advance_to(t);
                }
            }
            Cut::Saved => {
                let _ = run.advance_to(begin + 0.05);
                let restored = Run::restore(system, &run.save()).expect("it is the same system");
                let (mut other, mut copy) = (restored, run.clone());
                for run in [&mut run, &mut other, &mut copy] {
                    let _ = run.advance_to(end);
                }
                for other in [&mut other, &mut copy] {
                    assert_eq!((run.state(), run.mode()), (other.state(), other.mode()));
                    assert_eq!(format!("{:?}", run.forces()), format!("{:?}", other.forces()));
                }
                run = other;
            }
            Cut::OwnState => {
                let state = run.state().clone();
                run.apply(&state).expect("it is there");
            }
            Cut::SameInputs => {
                let _ = run.advance_to(begin + 0.03);
                run.set_inputs(u).expect("two numbers");
            }
        }
        let _ = run.advance_to(end);
        assert!(run.end().is_none_or(eom_core::End::is_complete), "{:?}", run.end());
    }
    let events = run.events_since(0).iter().map(|event| (event.t, name(&event.kind)));
    let events = events.collect();
    (run.state().clone(), run.mode().clone(), events)
}

#[test]
fn runs_are_the_same_however_they_are_cut() {
    let mut draw = Draw(5);
    let mut changes = 0;
    for (source, q, v) in SYSTEMS {
        let system = Interpreted::new(source).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"));
        for case in 0..CASES {
            let most = [3.0, 8.0, 20.0][case % 3];
            let inputs: Vec<[f64; 2]> = (0..INTERVALS)
                .map(|_| [(); 2].map(|()| most * (2.0 * draw.next() - 1.0)))
                .collect();
            let (whole, mode, events) = go(&system, (q, v), &inputs, Cut::Nothing, &mut draw);
            changes += events.len();
            for cut in [Cut::Times, Cut::Saved, Cut::OwnState, Cut::SameInputs] {
                let (state, other, found) = go(&system, (q, v), &inputs, cut, &mut draw);
                let what = format!("{cut:?} {case} {source}");
                let pairs = whole.q.iter().zip(&state.q).chain(whole.v.iter().zip(&state.v));
                for (a, b) in pairs {
                    assert!((a - b).abs() < 1e-9, "{what}: {whole:?} {state:?}");
                }
                assert_eq!(mode, other, "{what}");
                // A state that is given is a start of its own: what is closed there closes.
                if cut != Cut::OwnState {
                    assert_eq!(events.len(), found.len(), "{what}");
                    for (a, b) in events.iter().zip(&found) {
                        assert!(a.1 == b.1 && (a.0 - b.0).abs() < 1e-9, "{what}: {a:?} {b:?}");
                    }
                }
            }
        }
    }
    assert!(changes > 200, "{changes}");
}
