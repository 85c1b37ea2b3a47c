//! The fused product of sums and products alone has the bits of the machine's.

use eom_elementary::fused_by_parts;
use fastrand::Rng;

/// Triples of one kind; the first that differs is shown.
fn check(kind: &str, mut triple: impl FnMut(&mut Rng) -> [f64; 3]) {
    let mut rng = Rng::with_seed(29);
    for _ in 0..400_000 {
        let [a, b, c] = triple(&mut rng);
        let (expected, found) = (a.mul_add(b, c), fused_by_parts(a, b, c));
        let same = expected.to_bits() == found.to_bits() || expected.is_nan() && found.is_nan();
        assert!(same, "{kind}: {a:e}*{b:e} + {c:e} is {expected:e}, not {found:e}");
    }
}

/// A number of this binary exponent.
fn near(rng: &mut Rng, exponent: i32) -> f64 {
    (rng.f64() + 1.0) * f64::from(exponent).exp2() * if rng.bool() { 1.0 } else { -1.0 }
}

/// One with few digits, whose sums and products are often halfway between two numbers.
fn short(rng: &mut Rng) -> f64 {
    let digits = rng.i64(-(1 << 27)..1 << 27) as f64;
    digits * f64::from(rng.i32(-30..30)).exp2()
}

#[test]
fn any_bits() {
    check("any bits", |rng| [rng.u64(..), rng.u64(..), rng.u64(..)].map(f64::from_bits));
}

#[test]
fn products_and_addends_of_all_distances() {
    check("distances", |rng| {
        let (left, right, distance) = (rng.i32(-40..40), rng.i32(-40..40), rng.i32(-120..120));
        [near(rng, left), near(rng, right), near(rng, left + right + distance)]
    });
}

#[test]
fn sums_that_cancel() {
    check("cancelling", |rng| {
        let (a, b) = (near(rng, 3), near(rng, -5));
        let ulps = rng.i64(-3..4);
        [a, b, f64::from_bits((-(a * b)).to_bits().wrapping_add_signed(ulps))]
    });
}

#[test]
fn halves_of_the_last_digit() {
    check("few digits", |rng| [short(rng), short(rng), short(rng)]);
    check("a digit far below", |rng| {
        let far = f64::from(rng.i32(-110..-50)).exp2();
        [short(rng), short(rng), short(rng) * far]
    });
}

#[test]
fn the_edges_of_the_range() {
    check("edges", |rng| {
        let exponent = |rng: &mut Rng| rng.i32(-1074..1024);
        let (a, b) = (exponent(rng), exponent(rng));
        let c = (a + b + rng.i32(-60..60)).clamp(-1074, 1023);
        [near(rng, a), near(rng, b), near(rng, c)]
    });
}

#[test]
fn zeros_and_what_is_not_finite() {
    let numbers =
        [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 5e-324, f64::MAX];
    check("special", |rng| std::array::from_fn(|_| numbers[rng.usize(..numbers.len())]));
}
