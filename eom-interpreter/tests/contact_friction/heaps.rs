//! Heaps of discs that fall into a groove: they come to rest, or to the end of the time, without gaining energy and without sinking
//! into each other.

use eom_core::{Contacts, Options, Run, System};
use eom_interpreter::Interpreted;
use fastrand::Rng;
use std::fmt::Write;

const RADIUS: f64 = 0.2;
const SLOPE: f64 = 0.7;

/// A number from here to there, with three digits.
fn drawn(rng: &mut Rng, from: f64, to: f64) -> f64 {
    ((from + (to - from) * rng.f64()) * 1000.0).round() / 1000.0
}

/// Discs over the groove |x| tan φ, with friction and restitution as drawn.
fn heap(seed: u64, discs: usize) -> String {
    let mut rng = Rng::with_seed(seed);
    let e = drawn(&mut rng, 0.0, 0.6);
    let law = ["poisson", "restitution"][rng.usize(..2)];
    let mut friction = move || {
        let μ = drawn(&mut rng, 0.05, 0.9);
        let held = drawn(&mut rng, 1.0, 1.4) * μ;
        format!("friction({held:?}, {μ:?}); impact = {law}({e});")
    };
    let mut text = String::from("system Heap { coordinates { ");
    let list = |of: &str| {
        (0..discs).map(|i| of.replace('#', &i.to_string())).collect::<Vec<_>>().join(", ")
    };
    let sum = |of: &str| list(of).replace(", ", " + ");
    let _ = write!(text, "{} }} ", list("x#, y#, h#"));
    let _ = write!(text, "kinetic = {}; ", sum("(ẋ#^2 + ẏ#^2)/2 + 0.02/2*ḣ#^2"));
    let _ = write!(text, "potential = 9.81*({}); ", sum("y#"));
    let (c, s) = (SLOPE.cos(), SLOPE.sin());
    for i in 0..discs {
        for (side, σ) in [("a", 1.0), ("b", -1.0)] {
            let n = σ * s;
            let _ = write!(
                text,
                "contact {side}{i} {{ gap = {c:?}*y{i} + ({n:?})*x{i} - {RADIUS};
                   slip = {c:?}*ẋ{i} - ({n:?})*ẏ{i} + {RADIUS}*ḣ{i}; {} }} ",
                friction()
            );
        }
        for j in i + 1..discs {
            let (x, y) = (format!("(x{j} - x{i})"), format!("(y{j} - y{i})"));
            let d = format!("sqrt({x}^2 + {y}^2)");
            let _ = write!(
                text,
                "contact d{i}{j} {{ gap = {d} - 2*{RADIUS};
                   slip = ({x}*(ẏ{j} - ẏ{i}) - {y}*(ẋ{j} - ẋ{i}))/{d} - {RADIUS}*(ḣ{j} + ḣ{i}); {} }} ",
                friction()
            );
        }
    }
    text + "}"
}

/// The discs begin one above the other.
fn start(seed: u64, discs: usize) -> eom_core::State {
    let mut rng = Rng::with_seed(seed ^ 0xD15C);
    let (mut q, mut v) = (Vec::new(), Vec::new());
    for i in 0_u8..u8::try_from(discs).expect("a few") {
        let height = 0.55 + 0.6 * f64::from(i);
        q.extend([drawn(&mut rng, -0.25, 0.25), height, 0.0]);
        v.extend([drawn(&mut rng, -1.0, 1.0), 0.0, drawn(&mut rng, -8.0, 8.0)]);
    }
    eom_core::State::new(0.0, q, v)
}

fn check(seed: u64, discs: usize) {
    let text = heap(seed, discs);
    let system = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let options = Options { until_time: Some(2.0), ..Options::default() };
    let mut run = Run::new(&system, &start(seed, discs), &options).expect("a start");
    let mut gaps = vec![0.0; system.info().contacts.len()];
    let mut before = f64::INFINITY;
    for part in 1..=40 {
        let _ = run.advance_to(0.05 * f64::from(part));
        let has_stopped = run.end().filter(|end| !end.is_complete());
        assert!(has_stopped.is_none(), "seed {seed}: {has_stopped:?}\n{text}");
        let state = run.state().clone();
        let energy = system.energy(state.t, &state.q, &state.v).total();
        assert!(energy <= before + 1e-9, "seed {seed}: {energy} after {before}");
        before = energy;
        system.gaps(state.t, &state.q, &mut gaps);
        let least = gaps.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(least >= -1e-12, "seed {seed}: {least}");
    }
}

#[test]
fn heaps_of_discs_come_to_rest() {
    for seed in 0..3 {
        check(seed, 2);
    }
    for seed in 0..2 {
        check(seed, 3);
    }
}
