//! Intervals hold what the functions give on them, and no more than they should.

use eom_elementary::{self as elementary, Interval, Marks};
use std::f64::consts::{FRAC_PI_2, PI};

type OfOne = (&'static str, fn(Interval) -> Interval, fn(f64) -> f64);
type OfTwo = (&'static str, fn(Interval, Interval) -> Interval, fn(f64, f64) -> f64);

const UNARY: [OfOne; 27] = [
    ("-", |x| -x, |x| -x),
    ("square", Interval::square, |x| x * x),
    ("inverse_or_zero", Interval::inverse_or_zero, elementary::inverse_or_zero),
    ("sqrt", Interval::sqrt, elementary::sqrt),
    ("sin", |x| x.sin_cos().0, elementary::sin),
    ("cos", |x| x.sin_cos().1, elementary::cos),
    ("tan", Interval::tan, elementary::tan),
    ("asin", Interval::asin, elementary::asin),
    ("acos", Interval::acos, elementary::acos),
    ("atan", Interval::atan, elementary::atan),
    ("sinh", Interval::sinh, elementary::sinh),
    ("cosh", Interval::cosh, elementary::cosh),
    ("tanh", Interval::tanh, elementary::tanh),
    ("exp", Interval::exp, elementary::exp),
    ("ln", Interval::ln, elementary::ln),
    ("erf", Interval::erf, elementary::erf),
    ("ramp", Interval::ramp, elementary::ramp),
    ("smoothstep", Interval::smoothstep, elementary::smoothstep),
    ("abs", Interval::abs, elementary::abs),
    ("sign", Interval::sign, elementary::sign),
    ("x^0", |x| x.powi(0), |x| elementary::powi(x, 0)),
    ("x^3", |x| x.powi(3), |x| elementary::powi(x, 3)),
    ("x^12", |x| x.powi(12), |x| elementary::powi(x, 12)),
    ("x^-3", |x| x.powi(-3), |x| elementary::powi(x, -3)),
    ("x^-4", |x| x.powi(-4), |x| elementary::powi(x, -4)),
    ("x**2.0", |x| x.powf(Interval::point(2.0)), |x| elementary::powf(x, 2.0)),
    ("x**-1.5", |x| x.powf(Interval::point(-1.5)), |x| elementary::powf(x, -1.5)),
];

const BINARY: [OfTwo; 6] = [
    ("+", |x, y| x + y, |x, y| x + y),
    ("-", |x, y| x - y, |x, y| x - y),
    ("*", |x, y| x * y, |x, y| x * y),
    ("/", |x, y| x / y, |x, y| x / y),
    ("**", Interval::powf, elementary::powf),
    ("atan2", Interval::atan2, elementary::atan2),
];

/// Ends that are simple, random, near quarters of a turn, tiny, huge, infinite.
fn end(random: &mut fastrand::Rng) -> f64 {
    let sign = if random.bool() { 1.0 } else { -1.0 };
    let size = match random.u8(0..8) {
        0 => f64::from(random.u8(0..4)),
        1 => FRAC_PI_2 * f64::from(random.u8(0..8)) + 1e-9 * (random.f64() - 0.5),
        2 => 10.0_f64.powi(random.i32(-320..308)),
        3 => [f64::MAX, f64::from_bits(1), f64::MIN_POSITIVE, 1e9][random.usize(0..4)],
        4 => 1.0 + 1e-8 * random.f64(),
        _ => 4.0 * random.f64(),
    };
    sign * size
}

fn interval(random: &mut fastrand::Rng) -> Interval {
    let a = end(random);
    match random.u8(0..8) {
        0 => Interval::point(a),
        1 => Interval::new(a, a + a.abs() * 1e-12),
        2 => Interval::new(a, f64::INFINITY),
        _ => Interval::new(a, end(random)),
    }
}

/// A number of an interval, an end now and then.
fn number(random: &mut fastrand::Rng, of: Interval) -> f64 {
    let (low, high) = (of.low().max(f64::MIN), of.high().min(f64::MAX));
    match random.u8(0..6) {
        0 => low,
        1 => high,
        2 => low.next_up().min(high),
        _ => {
            let s = random.f64();
            (low * (1.0 - s) + high * s).clamp(low, high)
        }
    }
}

/// A value lies in the range, or the range says that it need not be one.
fn check(what: &str, range: Interval, value: f64) {
    let fits = if value.is_finite() {
        range.contains(value)
    } else if value.is_nan() {
        range.marks().has(Marks::OUTSIDE) || range.marks().has(Marks::POLE) || !range.is_bounded()
    } else {
        range.low() == value || range.high() == value || range.marks().has(Marks::POLE)
    };
    assert!(fits, "{what}: {value:e} is not in {range}");
    assert!(range.low() <= range.high(), "{what}: {range}");
}

#[test]
fn values_are_in_their_ranges() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..15_000 {
        let (x, y) = (interval(&mut random), interval(&mut random));
        for _ in 0..4 {
            let (a, b) = (number(&mut random, x), number(&mut random, y));
            for (name, range, value) in UNARY {
                check(&format!("{name} {x} at {a:e}"), range(x), value(a));
            }
            for (name, range, value) in BINARY {
                check(&format!("{x} {name} {y} at {a:e}, {b:e}"), range(x, y), value(a, b));
            }
        }
    }
}

/// Where nothing is defined, outside of a domain and over 0 alone, there is no range to compare.
#[test]
fn a_part_has_a_part_of_the_range() {
    let mut random = fastrand::Rng::with_seed(2);
    let encloses = |all: Interval, some: Interval| {
        // Where numbers underflow libm is not monotone to the last of them.
        let all = all + Interval::new(-1e-320, 1e-320);
        let nowhere = !some.is_total() && some.encloses(Interval::WHOLE);
        all.encloses(some) || some.marks().has(Marks::OUTSIDE) || nowhere
    };
    // All of a part may lie outside of a domain, where the whole does not.
    let told = |all: Interval| all.marks() | Marks::NOWHERE;
    let part = |random: &mut fastrand::Rng, of: Interval| {
        Interval::new(number(random, of), number(random, of))
    };
    for _ in 0..15_000 {
        let (x, y) = (interval(&mut random), interval(&mut random));
        let (small, little) = (part(&mut random, x), part(&mut random, y));
        for (name, range, _) in UNARY {
            let (all, some) = (range(x), range(small));
            assert!(encloses(all, some), "{name}: {small} in {x}, {some} in {all}");
            assert!(told(all).has(some.marks()), "{name}: {small} in {x}, {some} in {all}");
        }
        for (name, range, _) in BINARY {
            let (all, some) = (range(x, y), range(small, little));
            assert!(encloses(all, some), "{name}: {small}, {little} in {x}, {y}: {some} in {all}");
            assert!(told(all).has(some.marks()), "{small} {name} {little}: {some} in {all}");
        }
    }
}

/// Ranges are as wide as the function asks for, and a few roundings.
#[test]
fn ranges_are_sharp() {
    let check = |found: Interval, low: f64, high: f64| {
        let close = |a: f64, b: f64| a == b || (a - b).abs() <= 4e-15 * b.abs();
        let sharp = close(found.low(), low) && close(found.high(), high);
        assert!(sharp && found.marks() == Marks::NONE, "{found} for [{low:e}, {high:e}]");
    };
    let of = Interval::new;
    check(of(1.0, 2.0) + of(-3.0, 4.0), -2.0, 6.0);
    check(of(1.0, 2.0) - of(-3.0, 4.0), -3.0, 5.0);
    check(of(-1.0, 2.0) * of(-3.0, 4.0), -6.0, 8.0);
    check(of(0.0, 2.0) * of(0.0, 4.0), 0.0, 8.0);
    check(of(-2.0, -1.0) * of(0.0, 4.0), -8.0, 0.0);
    check(of(1.0, 2.0) / of(-4.0, -2.0), -1.0, -0.25);
    check(of(-1.0, 2.0).square(), 0.0, 4.0);
    check(of(-3.0, -2.0).square(), 4.0, 9.0);
    check(Interval::ZERO.square() + Interval::ZERO, 0.0, 0.0);
    check((Interval::ZERO.square() + Interval::ZERO.square()).sqrt(), 0.0, 0.0);
    check(of(-2.0, 3.0).powi(4), 0.0, 81.0);
    check(of(-2.0, 3.0).powi(3), -8.0, 27.0);
    check(of(0.0, 9.0).powf(Interval::point(0.5)), 0.0, 3.0);
    check(of(-2.0, 3.0).abs(), 0.0, 3.0);
    check(of(2.0, 3.0).sign(), 1.0, 1.0);
    check(of(0.0, 1.0).sin_cos().0, 0.0, 1.0_f64.sin());
    check(of(0.5, 3.0).sin_cos().0, 3.0_f64.sin(), 1.0);
    check(of(-3.0, -0.5).sin_cos().0, -1.0, -(3.0_f64.sin()));
    check(of(1.0, 1.5).sin_cos().1, 1.5_f64.cos(), 1.0_f64.cos());
    check(of(-1.0, 0.5).sin_cos().1, 1.0_f64.cos(), 1.0);
    check(of(3.0, 3.5).sin_cos().1, -1.0, 3.5_f64.cos());
    check(of(1.0, 5.0).sin_cos().0, -1.0, 1.0);
    check(of(0.1, 3.9).sin_cos().0, 3.9_f64.sin(), 1.0);
    check(of(0.0, 7.0).sin_cos().1, -1.0, 1.0);
    let turns = 1e9 * 2.0 * PI;
    check(of(turns, turns + 1.0).sin_cos().0, turns.sin(), (turns + 1.0).sin());
    check(of(-1.0, 1.0).tan(), -(1.0_f64.tan()), 1.0_f64.tan());
    check(of(2.0, 4.0).tan(), 2.0_f64.tan(), 4.0_f64.tan());
    check(of(-1.0, 1.0).asin(), -FRAC_PI_2, FRAC_PI_2);
    check(of(-1.0, 1.0).acos(), 0.0, PI);
    check(of(-1.0, 2.0).cosh(), 1.0, 2.0_f64.cosh());
    check(of(-1.0, 2.0).exp(), (-1.0_f64).exp(), 2.0_f64.exp());
    check(of(1.0, 2.0).ln(), 0.0, 2.0_f64.ln());
    // Abramowitz and Stegun, table 7.1.
    check(of(-0.5, 1.0).erf(), -0.520_499_877_813_046_5, 0.842_700_792_949_714_9);
    check(of(-8.0, 30.0).erf(), -1.0, 1.0);
    check(of(-1.0, 0.25).ramp(), 0.0, 0.25);
    check(of(0.25, 0.5).smoothstep(), 53.0 / 512.0, 0.5);
    check(of(-1.0, 2.0).smoothstep(), 0.0, 1.0);
    check(of(-1.0, 1.0).atan2(of(1.0, 2.0)), -PI / 4.0, PI / 4.0);
    check(of(1.0, 2.0).atan2(of(-1.0, 1.0)), (1.0_f64).atan2(1.0), 1.0_f64.atan2(-1.0));
}

/// What may happen beside values between two bounds is told.
#[test]
fn marks() {
    let of = Interval::new;
    let check = |found: Interval, low: f64, high: f64, marks: Marks| {
        let close = |a: f64, b: f64| a == b || (a - b).abs() <= 4e-15 * b.abs();
        let same = close(found.low(), low) && close(found.high(), high);
        assert!(same && found.marks() == marks, "{found} for [{low:e}, {high:e}], {marks:?}");
    };
    let pole = Marks::POLE;
    let (jump, outside) = (Marks::JUMP, Marks::OUTSIDE);
    let nowhere = outside | Marks::NOWHERE;
    check(of(1.0, 2.0) / of(-1.0, 1.0), f64::NEG_INFINITY, f64::INFINITY, pole);
    check(of(1.0, 2.0) / of(0.0, 2.0), 0.5, f64::INFINITY, pole);
    check(of(1.0, 2.0) / of(-2.0, 0.0), f64::NEG_INFINITY, -0.5, pole);
    check(of(-2.0, -1.0) / of(0.0, 2.0), f64::NEG_INFINITY, -0.5, pole);
    check(of(1.0, 2.0) / Interval::ZERO, f64::NEG_INFINITY, f64::INFINITY, pole);
    check((of(1.0, 2.0) / of(-1.0, 1.0)).atan(), -FRAC_PI_2, FRAC_PI_2, pole);
    check(of(-2.0, 4.0).sqrt(), 0.0, 2.0, outside);
    check(of(-2.0, -1.0).sqrt(), f64::NEG_INFINITY, f64::INFINITY, nowhere);
    check(of(-1.0, 1.0).ln(), f64::NEG_INFINITY, 0.0, pole | outside);
    check(of(0.0, 1.0).ln(), f64::NEG_INFINITY, 0.0, pole);
    check(of(0.5, 2.0).asin(), 0.5_f64.asin(), FRAC_PI_2, outside);
    check(of(2.0, 3.0).acos(), f64::NEG_INFINITY, f64::INFINITY, nowhere);
    check(of(1.0, 2.0).tan(), f64::NEG_INFINITY, f64::INFINITY, pole);
    check(of(1.0, 5.0).tan(), f64::NEG_INFINITY, f64::INFINITY, pole);
    check(of(-1.0, 2.0).sign(), -1.0, 1.0, jump);
    check(of(-0.5, 2.0).inverse_or_zero(), f64::NEG_INFINITY, f64::INFINITY, pole | jump);
    check(Interval::ZERO.inverse_or_zero(), 0.0, 0.0, Marks::NONE);
    check(of(-1.0, 2.0).powi(-2), 0.25, f64::INFINITY, pole);
    check(of(-1.0, 4.0).powf(Interval::point(0.5)), 0.0, 2.0, outside);
    check(of(0.0, 2.0).powf(Interval::point(-1.0)), 0.5, f64::INFINITY, pole);
    check(of(-1.0, 1.0).atan2(of(-2.0, -1.0)), -PI, PI, jump);
    check(of(f64::NAN, 1.0), f64::NEG_INFINITY, f64::INFINITY, outside);
}

#[test]
fn sets() {
    let of = Interval::new;
    assert_eq!(of(2.0, 1.0), of(1.0, 2.0));
    assert_eq!(of(1.0, 2.0).hull(of(4.0, 5.0)), of(1.0, 5.0));
    assert_eq!(of(1.0, 3.0).intersection(of(2.0, 5.0)), Some(of(2.0, 3.0)));
    assert_eq!(of(1.0, 2.0).intersection(of(3.0, 4.0)), None);
    assert_eq!(of(1.0, 3.0).halves(), (of(1.0, 2.0), of(2.0, 3.0)));
    assert_eq!(of(-3.0, 1.0).magnitude(), 3.0);
    assert_eq!(of(-3.0, -1.0).mignitude(), 1.0);
    assert_eq!(of(-3.0, 1.0).mignitude(), 0.0);
    assert_eq!(Interval::WHOLE.middle(), 0.0);
    assert_eq!(of(1e308, 1.7e308).middle(), 1.35e308);
    assert!(!Interval::WHOLE.is_bounded() && of(f64::MIN, f64::MAX).width() == f64::INFINITY);
    assert!(Interval::around(1.0, 0.5).encloses(of(0.5, 1.5)));
}
