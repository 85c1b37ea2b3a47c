//! Integrals against closed forms and against mpmath, and how many evaluations they take.

use eom_quadrature::{Kink, SCRATCH_ROWS, TOLERANCE, integrate, integrate_into};

/// The rows of a table of references, its header left out.
fn rows(table: &str) -> Vec<Vec<&str>> {
    table.lines().skip(1).map(|line| line.split(',').collect()).collect()
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("{text} is a number"))
}

/// The integral of a scalar and the number of evaluations.
fn counted(a: f64, b: f64, f: impl Fn(f64) -> f64) -> (f64, usize) {
    let (mut result, mut scratch) = ([0.0], [0.0; SCRATCH_ROWS]);
    let write = |s: f64, out: &mut [f64]| out[0] = f(s);
    let count = integrate_into(a, b, TOLERANCE, &[], write, &mut result, &mut scratch);
    (result[0], count)
}

/// The friction of a thin rod, down to a rod that turns about a point of its own.
#[test]
fn roots_of_affine_forms() {
    let mut most = 0;
    for row in rows(include_str!("../../tests/data/quadrature/roots.csv")) {
        let x: Vec<f64> = row.iter().map(|text| number(text)).collect();
        let (l1, l2, ω, a, b) = (x[0], x[1], x[2], x[3], x[4]);
        let form = |s: f64, _: &[f64], w: &mut [f64]| (w[0], w[1]) = (l1, l2 + s * ω);
        let kink = Kink::of(a, b, 2, 0, form);
        let mut evaluations = 0;
        let found: [f64; 4] = integrate(a, b, TOLERANCE, &[kink], |s, f| {
            evaluations += 1;
            let y = l2 + s * ω;
            let norm = (l1 * l1 + y * y).sqrt();
            let inverse = if norm == 0.0 { 0.0 } else { 1.0 / norm };
            (f[0], f[1], f[2], f[3]) = (l1 * inverse, y * inverse, s * y * inverse, norm);
        });
        most = most.max(evaluations);
        for (component, (found, expected)) in found.iter().zip(&x[5..]).enumerate() {
            let scale = b - a;
            let error = (found - expected).abs() / scale;
            assert!(error < 2e-13, "{row:?}, component {component}: {found}, {evaluations} points");
        }
    }
    assert!(most <= 400, "{most} evaluations");
}

/// A function by its name, and the evaluations allowed.
type Case = (&'static str, fn(f64) -> f64, usize);

#[test]
fn functions_without_a_known_kink() {
    let functions: [Case; 8] = [
        ("exp", f64::exp, 31),
        ("runge", |s| 1.0 / (1.0 + 25.0 * s * s), 250),
        ("wave", |s| (40.0 * s).cos() * (-s).exp(), 1300),
        ("log", f64::ln, 2500),
        ("root", f64::sqrt, 1300),
        ("step", |s| (200.0 * (s - 1.0 / 3.0)).tanh(), 900),
        ("backwards", |s| s * s.sin(), 62),
        ("kink", |s| (s - 1.0 / 3.0).abs(), 2000),
    ];
    for row in rows(include_str!("../../tests/data/quadrature/smooth.csv")) {
        let (name, f, allowed) =
            functions.iter().find(|f| f.0 == row[0]).expect("the function of a row");
        let (a, b, expected) = (number(row[1]), number(row[2]), number(row[3]));
        let (found, evaluations) = counted(a, b, f);
        let error = (found - expected).abs();
        println!("{name}: error {error:.1e}, {evaluations} evaluations");
        assert!(error < 1e-12 * (1.0 + expected.abs()), "{name}: {found}");
        assert!(evaluations <= *allowed, "{name}: {evaluations}");
    }
}

/// What has no value is NaN, soon.
#[test]
fn what_does_not_exist_is_nan() {
    let functions: [fn(f64) -> f64; 4] = [
        |s| 1.0 / s,
        |_| f64::NAN,
        |s| (s - 0.5).ln(),
        |s| if s == 0.5 { f64::INFINITY } else { 1.0 },
    ];
    for (index, f) in functions.iter().enumerate() {
        let (found, evaluations) = counted(0.0, 1.0, f);
        assert!(found.is_nan(), "{index}: {found}");
        assert!(evaluations < 100_000, "{index}: {evaluations}");
    }
    assert!(counted(0.0, f64::INFINITY, |s| (-s).exp()).0.is_nan());
    assert!(counted(f64::NAN, 1.0, |_| 1.0).0.is_nan());
    assert_eq!(counted(1.0, 1.0, |_| f64::NAN), (0.0, 0));
}

/// Turned round, the integral changes its sign and nothing else.
#[test]
fn ends_in_either_order() {
    let f = |s: f64| (s * s).sin();
    let (forwards, backwards) = (counted(-1.0, 2.0, f), counted(2.0, -1.0, f));
    assert_eq!(forwards.0.to_bits(), (-backwards.0).to_bits());
}
