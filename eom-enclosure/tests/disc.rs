//! Discs hold what functions make of the complex numbers in them.

use eom_elementary::Elementary;
use eom_enclosure::{Disc, Number};
use std::f64::consts::TAU;

/// Points of the circle around c are within the disc of the result: values by the power series in double-double
/// would be better, but the bounds are far wider than rounding.
fn encloses(of: impl Fn(Disc) -> Disc, f: impl Fn(Complex) -> Complex, c: f64, r: f64) {
    let bound = of(Disc::around(c, r));
    if bound.radius.is_infinite() {
        return;
    }
    for i in 0..64 {
        let angle = TAU * f64::from(i) / 64.0;
        let z = Complex(c + r * angle.cos(), r * angle.sin());
        let Complex(x, y) = f(z);
        let distance = (x - bound.centre).hypot(y);
        assert!(distance <= bound.radius * (1.0 + 1e-9) + 1e-14, "{c} ± {r}: {distance} {bound:?}");
    }
}

#[derive(Clone, Copy)]
struct Complex(f64, f64);

impl Complex {
    fn times(self, b: Self) -> Self {
        Self(self.0 * b.0 - self.1 * b.1, self.0 * b.1 + self.1 * b.0)
    }
    fn over(self, b: Self) -> Self {
        let square = b.0 * b.0 + b.1 * b.1;
        let Self(x, y) = self.times(Self(b.0, -b.1));
        Self(x / square, y / square)
    }
    fn exp(self) -> Self {
        Self(self.0.exp() * self.1.cos(), self.0.exp() * self.1.sin())
    }
    fn ln(self) -> Self {
        Self(self.0.hypot(self.1).ln(), self.1.atan2(self.0))
    }
    fn scaled(self, by: f64) -> Self {
        Self(self.0 * by, self.1 * by)
    }
    fn plus(self, b: Self) -> Self {
        Self(self.0 + b.0, self.1 + b.1)
    }
    fn sinh(self) -> Self {
        self.exp().plus(self.scaled(-1.0).exp().scaled(-1.0)).scaled(0.5)
    }
    fn cosh(self) -> Self {
        self.exp().plus(self.scaled(-1.0).exp()).scaled(0.5)
    }
    /// i z
    fn turned(self) -> Self {
        Self(-self.1, self.0)
    }
    fn sin(self) -> Self {
        self.turned().sinh().turned().scaled(-1.0)
    }
    fn cos(self) -> Self {
        self.turned().cosh()
    }
    fn sqrt(self) -> Self {
        self.ln().scaled(0.5).exp()
    }
}

const ONE: Complex = Complex(1.0, 0.0);

fn check(of: fn(Disc) -> Disc, f: fn(Complex) -> Complex) {
    for c in [-3.0, -0.7, -0.1, 0.0, 0.2, 0.5, 0.9, 2.0, 5.0] {
        for r in [0.0, 1e-9, 0.01, 0.1, 0.3, 0.6, 1.6, 3.0] {
            encloses(of, f, c, r);
        }
    }
}

fn call(f: Elementary) -> impl Fn(Disc) -> Disc {
    move |z| z.call(f)
}

#[test]
fn discs_hold_what_is_computed_on_them() {
    check(|z| z * z, |z| z.times(z));
    check(Number::square, |z| z.times(z));
    check(|z| z + z * Disc::of(2.0), |z| z.scaled(3.0));
    check(|z| Disc::of(1.0) / z, |z| ONE.over(z));
    check(|z| z / (z + Disc::of(4.0)), |z| z.over(z.plus(Complex(4.0, 0.0))));
    check(Number::sqrt, Complex::sqrt);
    check(|z| z.powi(3), |z| z.times(z).times(z));
    check(|z| z.powi(-2), |z| ONE.over(z.times(z)));
    check(|z| z.powf(Disc::of(1.5)), |z| z.ln().scaled(1.5).exp());
    check(|z| Disc::of(2.0).powf(z), |z| z.scaled(2.0_f64.ln()).exp());
    check(|z| z.sin_cos().0, Complex::sin);
    check(|z| z.sin_cos().1, Complex::cos);
    check(
        |z| z.atan2(Disc::of(1.0)),
        |z| {
            let (plus, minus) = (ONE.plus(z.turned()), ONE.plus(z.turned().scaled(-1.0)));
            plus.ln().plus(minus.ln().scaled(-1.0)).turned().scaled(-0.5)
        },
    );
}

#[test]
fn functions_grow_no_more_than_their_rows_say() {
    let check = |f: Elementary, g: fn(Complex) -> Complex| {
        for c in [-3.0, -0.7, -0.1, 0.0, 0.2, 0.5, 0.9, 2.0, 5.0] {
            for r in [0.0, 1e-9, 0.01, 0.09, 0.3, 0.6, 1.6, 3.0] {
                encloses(call(f), g, c, r);
            }
        }
    };
    let angle = |z: Complex| {
        let (plus, minus) = (ONE.plus(z.turned()), ONE.plus(z.turned().scaled(-1.0)));
        plus.ln().plus(minus.ln().scaled(-1.0)).turned().scaled(-0.5)
    };
    check(Elementary::Exp, Complex::exp);
    check(Elementary::Ln, Complex::ln);
    check(Elementary::Sinh, Complex::sinh);
    check(Elementary::Cosh, Complex::cosh);
    check(Elementary::Tanh, |z| z.sinh().over(z.cosh()));
    check(Elementary::Tan, |z| z.sin().over(z.cos()));
    check(Elementary::Atan, angle);
    // asin z = −i ln(iz + √(1 − z²))
    let asin = |z: Complex| {
        let root = ONE.plus(z.times(z).scaled(-1.0)).sqrt();
        z.turned().plus(root).ln().turned().scaled(-1.0)
    };
    check(Elementary::Asin, asin);
    check(Elementary::Abs, |z| if z.0 < 0.0 { z.scaled(-1.0) } else { z });
    check(Elementary::Sign, |z| Complex(Elementary::Sign.value(z.0), 0.0));
    check(Elementary::Ramp, |z| {
        if z.0 <= 0.0 {
            Complex(0.0, 0.0)
        } else if z.0 >= 1.0 {
            ONE
        } else {
            z
        }
    });
    check(Elementary::Smoothstep, |z| match z.0 {
        ..=0.0 => Complex(0.0, 0.0),
        1.0.. => ONE,
        _ => {
            let cubic = z.times(z.scaled(6.0).plus(Complex(-15.0, 0.0)));
            z.times(z).times(z).times(cubic.plus(Complex(10.0, 0.0)))
        }
    });
}

#[test]
fn what_is_not_regular_has_no_bound() {
    let unbounded = |z: Disc| assert!(z.radius.is_infinite(), "{z:?}");
    unbounded(Disc::of(1.0) / Disc::around(0.5, 0.5));
    unbounded(Disc::around(0.1, 0.2).sqrt());
    unbounded(Disc::around(0.1, 0.2).call(Elementary::Abs));
    unbounded(Disc::around(0.1, 0.2).call(Elementary::Ln));
    unbounded(Disc::around(1.5, 0.2).call(Elementary::Tan));
    unbounded(Disc::around(0.9, 0.2).call(Elementary::Asin));
    unbounded(Disc::around(0.0, 0.1).atan2(Disc::of(-1.0)));
    unbounded(Disc::around(f64::NAN, f64::NAN));
    // e^(−10⁶) is 0, and is large 10⁶ away.
    unbounded(Disc::around(-1e6, 2e6).call(Elementary::Exp));
    unbounded((-Disc::around(1e3, 2e3).square()).call(Elementary::Exp));
    unbounded(Disc::of(0.0) * (Disc::of(1.0) / Disc::around(0.0, 1.0)));
}
