//! What crosses between few samples, against closed forms.

mod common;

use common::interpreted;
use eom_analysis::{CrossingKind, StateSpace, critical_values};
use eom_core::State;
use eom_core::nalgebra::DMatrix;

/// What is found: the kind, where, how far off it may be, and the unstable ones on both sides.
type Expected = (CrossingKind, f64, f64, [usize; 2]);

/// So many values from one to another.
fn even([from, to]: [f64; 2], count: usize) -> Vec<f64> {
    (0..count).map(|i| from + (to - from) * i as f64 / (count - 1) as f64).collect()
}

fn check(samples: &[f64], family: impl Fn(f64) -> DMatrix<f64>, expected: &[Expected]) {
    let found = critical_values(samples, |p| Ok(family(p))).expect("a family without ends");
    assert_eq!(found.len(), expected.len(), "{samples:?}: {found:?}");
    for (found, (kind, at, off, unstable)) in found.iter().zip(expected) {
        let is_same = std::mem::discriminant(&found.kind) == std::mem::discriminant(kind);
        assert!(is_same && (found.at - at).abs() <= *off, "{samples:?}: {found:?} {at}");
        assert_eq!(found.unstable, *unstable, "{samples:?}: {found:?}");
    }
}

const PAIR: CrossingKind = CrossingKind::Oscillatory { frequency: 0.0 };
const MEETING: CrossingKind = CrossingKind::Meeting { frequency: 0.0 };

/// q̈ + (0.3 − 0.11 V) q̇ + (1 − 0.1 V²) q = 0: a pair from V = 30/11 on, of which, real by then, one is gone from V = √10 on. The
/// number of unstable ones changes by one all in all, and falls where the real one crosses.
#[test]
fn a_pair_and_a_real_one_in_one_interval() {
    let section = |v: f64| {
        DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -(1.0 - 0.1 * v * v), -(0.3 - 0.11 * v)])
    };
    let expected =
        [(PAIR, 30.0 / 11.0, 1e-12, [0, 2]), (CrossingKind::Real, 10.0_f64.sqrt(), 1e-12, [2, 1])];
    for count in [2, 3, 5, 6, 20, 51] {
        check(&even([1.0, 6.0], count), section, &expected);
    }
}

/// ẍ − 1.5 ẏ − x = 0, ÿ + 1.5 ẋ + p y = 0: it flutters below p = −(1.5 − 1)² = −1/4, and diverges from p = 0 on, the other
/// way round. Between them all are on the axis, at a sample as beside it.
#[test]
fn a_window_between_two_samples() {
    let turning = |p: f64| {
        let mut a = DMatrix::zeros(4, 4);
        a.view_mut((0, 2), (2, 2)).fill_with_identity();
        (a[(2, 0)], a[(2, 3)], a[(3, 1)], a[(3, 2)]) = (1.0, 1.5, -p, -1.5);
        a
    };
    let expected = [(MEETING, -0.25, 1e-11, [2, 0]), (CrossingKind::Real, 0.0, 1e-12, [0, 1])];
    for count in [3, 4, 5, 9, 21] {
        check(&even([-1.1, 0.9], count), turning, &expected);
    }
}

/// λ² + c λ + kᵢ (p − 0.3) = 0 of three, or two, at once; without loss the pairs ± λ do so together.
#[test]
fn several_at_one_value() {
    let stiffnesses = [1.0, 2.0, 3.0, 5.0];
    for (count, c) in [2, 3, 4].into_iter().flat_map(|n| [0.0, 0.5].map(|c| (n, c))) {
        let family = |p: f64| {
            let mut a = DMatrix::zeros(2 * count, 2 * count);
            a.view_mut((0, count), (count, count)).fill_with_identity();
            for (i, k) in stiffnesses[..count].iter().enumerate() {
                a[(count + i, i)] = -k * (p - 0.3);
                a[(count + i, count + i)] = -c;
            }
            a
        };
        for samples in [3, 5, 6, 60] {
            let expected = [(CrossingKind::Several, 0.3, 1e-12, [count, 0])];
            check(&even([-1.0, 1.0], samples), family, &expected);
        }
    }
}

/// A circular orbit in the coordinates of its point, for forces r⁻ⁿ: ± √(n − 3) beside two zeros, of where it is on its circle
/// and how large that is, in one block. It loses its stability at n = 3, and nothing else happens.
#[test]
fn circular_orbits_by_their_points() {
    let system = interpreted(
        "system C { coordinates { x, y } parameters { n = 1.5 }
        kinetic = (ẋ^2 + ẏ^2)/2; potential = (x^2 + y^2)^((1 - n)/2)/(1 - n); }",
    );
    let family = |n: f64| {
        let system = system.with_parameters(&[Some(n)]).expect("a system for each n");
        let space = StateSpace::new(&system).expect("a system with programs");
        let state = State::new(0.0, [1.0, 0.0], [0.0, 1.0]);
        space.linearise(&state, &[]).expect("a steady turn").a
    };
    let expected = [(CrossingKind::Real, 3.0, 1e-9, [0, 1])];
    for (range, count) in [([1.5, 4.4], 7), ([1.5, 4.5], 7), ([1.6, 4.3], 20)] {
        check(&even(range, count), family, &expected);
    }
    check(&even([1.2, 2.8], 20), family, &[]);
}

/// The same for −exp(−r/a)/r, of radius 1: from a = (√5 − 1)/2 on, 1/a² = 1 + 1/a.
#[test]
fn circular_orbits_of_a_short_range() {
    let system = interpreted(
        "system Y { coordinates { x, y } parameters { a = 3 } let r = sqrt(x^2 + y^2);
        kinetic = (ẋ^2 + ẏ^2)/2; potential = -exp(-r/a)/r; }",
    );
    let family = |a: f64| {
        let system = system.with_parameters(&[Some(a)]).expect("a system for each a");
        let space = StateSpace::new(&system).expect("a system with programs");
        let speed = ((-1.0 / a).exp() * (1.0 + 1.0 / a)).sqrt();
        let state = State::new(0.0, [1.0, 0.0], [0.0, speed]);
        space.linearise(&state, &[]).expect("a steady turn").a
    };
    check(&even([0.65, 1.5], 10), family, &[]);
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    for count in [5, 7] {
        let expected = [(CrossingKind::Real, golden, 1e-9, [1, 0])];
        check(&even([0.5, 0.8], count), family, &expected);
    }
}

/// λ³ + 1.5 λ² + 4 λ + k of a loop with an integrator: λ = 0 at k = 0, where the values begin, and a pair at k = 6 before the next.
#[test]
fn values_that_begin_on_a_critical_one() {
    let a_loop =
        |k: f64| DMatrix::from_row_slice(3, 3, &[0.0, 1.0, 0.0, 0.0, 0.0, 1.0, -k, -4.0, -1.5]);
    let real = CrossingKind::Real;
    check(&even([0.0, 100.0], 6), a_loop, &[(real, 0.0, 0.0, [0, 0]), (PAIR, 6.0, 1e-10, [0, 2])]);
    let back = |k: f64| a_loop(100.0 - k);
    let expected = [(PAIR, 94.0, 1e-10, [2, 0]), (real, 100.0, 0.0, [0, 0])];
    check(&even([0.0, 100.0], 6), back, &expected);
}

/// λ = aᵢ (p − p₀) ± i ωᵢ: three pairs cross at one value, one of them the other way, in any unit of time.
#[test]
fn pairs_that_cross_both_ways_at_one_value() {
    for (at, unit, samples) in [(0.0, 1.0, 21), (0.0, 1e-9, 21), (0.013, 1.0, 21), (0.3, 1e6, 7)] {
        let family = |p: f64| {
            let mut a = DMatrix::zeros(6, 6);
            for (i, (rate, ω)) in [(0.4, 1.0), (-0.7, 1.7), (0.2, 2.9)].into_iter().enumerate() {
                let (re, im) = (unit * rate * (p - at), unit * ω);
                for (j, k, entry) in [(0, 0, re), (0, 1, im), (1, 0, -im), (1, 1, re)] {
                    a[(2 * i + j, 2 * i + k)] = entry;
                }
            }
            a
        };
        let expected = [(CrossingKind::Several, at, 1e-9, [2, 4])];
        check(&even([-2.0, 2.0], samples), family, &expected);
    }
}

/// λ = −κ (p − p₀)² ± i ω touches the axis with its frequency, however slow it is.
#[test]
fn what_touches_has_its_frequency() {
    for unit in [1e-9, 1.0, 1e9] {
        let family = |p: f64| {
            let re = -0.3 * unit * (p - 0.1) * (p - 0.1);
            DMatrix::from_row_slice(2, 2, &[re, unit, -unit, re])
        };
        let found = critical_values(&even([-1.0, 1.0], 9), |p| Ok(family(p))).expect("a family");
        let [touch] = found[..] else { panic!("{unit:e}: {found:?}") };
        let CrossingKind::Tangency { frequency } = touch.kind else { panic!("{touch:?}") };
        assert!((frequency / unit - 1.0).abs() < 1e-9, "{unit:e}: {touch:?}");
    }
}
