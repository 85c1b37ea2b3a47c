//! Long runs by series at the default tolerance: what a step errs adds up as its rounding does, with the root of the number of
//! steps, and not in one direction.

use eom_core::{Method, Options, Sampling, State, System, simulate};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

/// From a start to a time: where it is then, and how far its energy may be from that of the start, relative.
struct Case<'a> {
    text: &'a str,
    start: (&'a [f64], &'a [f64]),
    until: f64,
    there: &'a [f64],
    within: f64,
    energy: f64,
}

fn check(case: &Case<'_>) {
    let Case { text, start: (q, v), until, .. } = *case;
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let options = Options {
        method: Method::Taylor,
        until_time: Some(until),
        sampling: Sampling::Ends,
        ..Options::default()
    };
    let start = State::new(0.0, q, v);
    let run = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
    let run = run.expect("a start");
    assert!(run.end.is_complete(), "{}", run.end);
    let last = run.last().expect("a state");
    for (found, there) in last.q.iter().zip(case.there) {
        let error = (found - there).abs();
        assert!(error < case.within, "{found} for {there}: {error:e}");
    }
    let energy = |t: f64, q: &[f64], v: &[f64]| system.energy(t, q, v).total();
    let drift = (energy(last.t, &last.q, &last.v) / energy(0.0, q, v) - 1.0).abs();
    assert!(drift < case.energy, "the energy is off by {drift:e}");
}

/// u − e sin(u) = n t with x = a (cos(u) − e), in 40 digits. At a truncation of the tolerance itself the phase is off by 5e-9.
#[test]
fn an_ellipse_of_kepler() {
    check(&Case {
        text: "system Kepler { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = -1/sqrt(x^2 + y^2); }",
        start: (&[0.5, 0.0], &[0.0, 1.732_050_8]),
        until: 1e4,
        there: &[-1.478_483_913_834_3, -0.178_680_848_223_384],
        within: 3e-10,
        energy: 1e-13,
    });
}

/// An event that is watched takes nothing from the motion.
#[test]
fn an_ellipse_whose_apses_are_told() {
    check(&Case {
        text: "system Kepler { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = -1/sqrt(x^2 + y^2);
            event far { guard = x*ẋ + y*ẏ; falling; } }",
        start: (&[0.5, 0.0], &[0.0, 1.732_050_8]),
        until: 1e4,
        there: &[-1.478_483_913_834_3, -0.178_680_848_223_384],
        within: 3e-10,
        energy: 5e-14,
    });
}

/// sin(θ/2) = k cd(ω t | k²) with k = sin(1), in 40 digits.
#[test]
fn a_pendulum() {
    check(&Case {
        text: "system Pendulum { coordinates { θ } kinetic = θ̇^2/2; potential = -9.81*cos(θ); }",
        start: (&[2.0], &[0.0]),
        until: 1e4,
        there: &[1.536_249_192_920_363_8],
        within: 2e-10,
        energy: 4e-14,
    });
}

/// Its motion is chaotic, its energy is not. With a rounded factor 1/(k + 1) in place of a division it is off by 5e-13.
#[test]
fn the_potential_of_hénon_and_heiles() {
    check(&Case {
        text: "system HénonHeiles { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2;
            potential = (x^2 + y^2)/2 + x^2*y - y^3/3; }",
        start: (&[0.1, 0.2], &[0.3, 0.1]),
        until: 1e5,
        there: &[],
        within: 0.0,
        energy: 1.5e-13,
    });
}
