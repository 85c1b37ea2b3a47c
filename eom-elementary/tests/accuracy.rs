//! Errors in ulp: against 107 bits by mpmath, and of sine and cosine against sums of doubles.

use eom_elementary as elementary;

/// The distance of neighbours at a value.
fn ulp(value: f64) -> f64 {
    let value = value.abs().max(f64::MIN_POSITIVE);
    f64::from_bits(value.to_bits() + 1) - value
}

/// |found − (high + low)| in ulp of the value.
fn error(found: f64, high: f64, low: f64) -> f64 {
    ((found - high) - low).abs() / ulp(high)
}

type OfTwo = fn(f64, f64) -> f64;

/// The functions with the largest error that the crate states, in ulp.
const FUNCTIONS: [(&str, OfTwo, f64); 20] = [
    ("sin", |x, _| elementary::sin(x), 1.4),
    ("cos", |x, _| elementary::cos(x), 1.4),
    ("tan", |x, _| elementary::tan(x), 1.5),
    ("asin", |x, _| elementary::asin(x), 1.5),
    ("acos", |x, _| elementary::acos(x), 1.5),
    ("atan", |x, _| elementary::atan(x), 1.5),
    ("atan2", elementary::atan2, 1.5),
    ("sinh", |x, _| elementary::sinh(x), 1.5),
    ("cosh", |x, _| elementary::cosh(x), 1.5),
    ("tanh", |x, _| elementary::tanh(x), 1.5),
    ("exp", |x, _| elementary::exp(x), 1.5),
    ("ln", |x, _| elementary::ln(x), 1.5),
    ("asinh", |x, _| elementary::asinh(x), 2.0),
    ("hypot", elementary::hypot, 1.5),
    ("log2", |x, _| elementary::log2(x), 1.5),
    ("log10", |x, _| elementary::log10(x), 1.5),
    ("exp2", |x, _| elementary::exp2(x), 1.5),
    ("powf", elementary::powf, 1.5),
    ("erf", |x, _| elementary::erf(x), 1.5),
    ("smoothstep", |x, _| elementary::smoothstep(x), 4.0),
];

#[test]
fn functions_are_as_accurate_as_stated() {
    let mut lines = [0; FUNCTIONS.len()];
    for line in include_str!("data/elementary.tsv").lines() {
        let mut fields = line.split('\t');
        let name = fields.next().expect("a name");
        let numbers: Vec<f64> = fields.map(|field| field.parse().expect("a number")).collect();
        let [x, y, high, low] = numbers[..] else { panic!("four numbers in {line}") };
        let place = FUNCTIONS.iter().position(|f| f.0 == name).expect("a function of the table");
        let (_, function, stated) = FUNCTIONS[place];
        let error = error(function(x, y), high, low);
        assert!(error <= stated, "{name}({x}, {y}): {error} ulp");
        lines[place] += 1;
    }
    assert!(lines.iter().all(|count| *count > 100), "{lines:?}");
}

/// a + b and its rounding error.
fn sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// (a + a') (b + b') in two doubles.
fn product(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let p = a.0 * b.0;
    let e = a.0.mul_add(b.0, -p) + a.0 * b.1 + a.1 * b.0;
    sum(p, e)
}

/// The sine and cosine of |x| ≤ 8 in two doubles each: the series of x/2¹⁰, doubled ten times.
fn doubled(x: f64) -> [(f64, f64); 2] {
    const DOUBLINGS: i32 = 10;
    let r = (x * 0.5_f64.powi(DOUBLINGS), 0.0);
    let square = product(r, r);
    // s = sin r, and versine = 1 − cos r, which stays small and so keeps its digits.
    let (mut s, mut versine) = ((0.0, 0.0), (0.0, 0.0));
    for n in (1..=12).rev() {
        let divided = |value: (f64, f64), by: f64| {
            let quotient = value.0 / by;
            sum(quotient, (-quotient).mul_add(by, value.0) / by + value.1 / by)
        };
        let of_sine = divided(square, f64::from(2 * n * (2 * n + 1)));
        let of_versine = divided(square, f64::from((2 * n + 1) * (2 * n + 2)));
        let within = |value: (f64, f64)| {
            let (high, low) = sum(1.0, -value.0);
            sum(high, low - value.1)
        };
        s = product(of_sine, within(s));
        versine = product(of_versine, within(versine));
    }
    let one_minus = |value: (f64, f64)| {
        let (high, low) = sum(1.0, -value.0);
        sum(high, low - value.1)
    };
    let mut sine = product(r, one_minus(s));
    let half = (square.0 / 2.0, square.1 / 2.0);
    let mut versine = product(half, one_minus(versine));
    for _ in 0..DOUBLINGS {
        // sin 2a = 2 sin a cos a, 1 − cos 2a = 2 sin² a.
        let twice = |value: (f64, f64)| (2.0 * value.0, 2.0 * value.1);
        let cosine = one_minus(versine);
        versine = twice(product(sine, sine));
        sine = twice(product(sine, cosine));
    }
    [sine, one_minus(versine)]
}

#[test]
fn sine_and_cosine_are_as_accurate_as_stated() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut largest = [0.0_f64; 2];
    for _ in 0..200_000 {
        let x = 16.0 * random.f64() - 8.0;
        let (s, c) = elementary::sin_cos(x);
        let oracle = doubled(x);
        for (k, found) in [s, c].into_iter().enumerate() {
            let (high, low) = oracle[k];
            // The oracle is exact to 2⁻⁹⁵, so relative to values down to 2⁻³⁰ to 2⁻⁶⁵.
            if high.abs() > 1e-9 {
                largest[k] = largest[k].max(error(found, high, low));
            }
        }
    }
    assert!(largest.iter().all(|error| *error < 1.4), "{largest:?} ulp");
}

#[test]
fn special_values() {
    let check = |x: f64, sine: f64, cosine: f64| {
        let (s, c) = elementary::sin_cos(x);
        assert_eq!((s.to_bits(), c.to_bits()), (sine.to_bits(), cosine.to_bits()), "{x}");
    };
    check(0.0, 0.0, 1.0);
    check(-0.0, -0.0, 1.0);
    check(f64::MIN_POSITIVE, f64::MIN_POSITIVE, 1.0);
    check(5e-324, 5e-324, 1.0);
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let (s, c) = elementary::sin_cos(x);
        assert!(s.is_nan() && c.is_nan(), "{x}");
    }
}

/// Each product of a power adds 2⁻⁵³, up to an ulp; `powf` is right to 1.5.
#[test]
fn powers_are_as_accurate_as_stated() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..10_000 {
        let (a, n) = (4.0 * random.f64() - 2.0, random.i32(-60..=60));
        let (found, expected) = (elementary::powi(a, n), elementary::powf(a, f64::from(n)));
        let stated = f64::from(n.abs()) + 1.0;
        assert!(error(found, expected, 0.0) <= stated + 1.5, "{a}^{n}: {found}, {expected}");
    }
}

/// The slow path and the fast one meet without a step at the largest fast argument.
#[test]
fn sine_and_cosine_are_odd_and_even() {
    let mut random = fastrand::Rng::with_seed(4);
    for _ in 0..10_000 {
        let x = 4e6 * (random.f64() - 0.5);
        let ((s, c), (minus_s, minus_c)) = (elementary::sin_cos(x), elementary::sin_cos(-x));
        assert_eq!((s, c), (-minus_s, minus_c), "{x}");
    }
}
