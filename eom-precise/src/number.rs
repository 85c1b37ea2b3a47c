//! Numbers of many digits: the only module that knows by which crate they are computed.
//!
//! A [`Real`] has the bits of its [`Precision`], some more than its digits ask for, and every operation is rounded to
//! nearest: the same numbers give the same bits everywhere. What has no value (a division by 0, the root or logarithm of
//! a negative number) is `None`.

use dashu_float::round::mode::HalfEven;
use dashu_float::{Context, FBig};
use eom_core::elementary;
use eom_symbolic::Rational;
use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};
use std::str::FromStr;

type Binary = FBig<HalfEven, 2>;
type Decimal = FBig<HalfEven, 10>;

/// Digits beyond those asked for, in which what steps and sums round is lost.
const GUARD: u32 = 12;

/// log₂ 10.
const BITS_A_DIGIT: f64 = std::f64::consts::LOG2_10;

/// How many decimal digits a run has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Precision {
    digits: u32,
}

impl Precision {
    /// The fewest digits: with fewer a run in double precision does as well.
    pub const MIN: u32 = 17;
    /// The most digits.
    pub const MAX: u32 = 200;

    /// So many digits, if that is between [`Precision::MIN`] and [`Precision::MAX`].
    pub fn new(digits: u32) -> Option<Self> {
        (Self::MIN..=Self::MAX).contains(&digits).then_some(Self { digits })
    }

    /// The digits.
    pub const fn digits(self) -> u32 {
        self.digits
    }

    /// Some digits more, by which a run is checked.
    #[must_use]
    pub const fn with_more(self, digits: u32) -> Self {
        Self { digits: self.digits + digits }
    }

    fn bits(self) -> usize {
        // log₂ 10 < 3.322.
        ((self.digits + GUARD) * 3322).div_ceil(1000) as usize
    }

    fn context(self) -> Context<HalfEven> {
        Context::new(self.bits())
    }

    /// log₂ of what a step may err, relative to the state.
    pub(crate) fn tolerance(self) -> f64 {
        -f64::from(self.digits + GUARD / 2) * BITS_A_DIGIT
    }

    /// The order of series that costs least: 1 + ½ ln 1/ε of the tolerance ε.
    pub(crate) const fn order(self) -> usize {
        // ½ ln 10 < 1.1513.
        1 + ((self.digits + GUARD / 2) * 11_513).div_ceil(10_000) as usize
    }

    /// 10^(less − d) of d digits, a number beside 1 of which so many digits fewer are trusted.
    pub(crate) fn part(self, less: u32) -> f64 {
        // As text it is the nearest double everywhere.
        format!("1e-{}", self.digits.saturating_sub(less)).parse().unwrap_or(0.0)
    }

    /// 0.
    pub fn zero(self) -> Real {
        self.integer(0)
    }

    /// A whole number.
    pub fn integer(self, n: i64) -> Real {
        Real(self.context().convert_int(n.into()).value())
    }

    /// A count.
    pub(crate) fn count(self, n: usize) -> Real {
        Real(self.context().convert_int(n.into()).value())
    }

    /// A double, exactly.
    pub fn double(self, x: f64) -> Option<Real> {
        let exact: Binary = Binary::try_from(x).ok().filter(|_| x.is_finite())?;
        Some(Real(exact.with_precision(self.bits()).value()))
    }

    /// The decimal number that a double is written as, the shortest one that it is nearest to: 0.2 is 1/5.
    pub fn written(self, x: f64) -> Option<Real> {
        self.decimal(&format!("{x:e}")).filter(|_| x.is_finite())
    }

    /// A decimal number such as `-1.5e-3`.
    pub fn decimal(self, text: &str) -> Option<Real> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let exponent: isize = exponent.parse().ok()?;
        let mantissa = Decimal::from_str(mantissa).ok()?;
        // Exact in decimal, then rounded once.
        let whole = mantissa.with_precision(0).value();
        let (significand, scale) = whole.into_repr().into_parts();
        let repr = dashu_float::Repr::new(significand, scale.checked_add(exponent)?);
        let context = Context::<HalfEven>::new(repr.digits().max(1));
        let value = Decimal::from_repr(repr, context);
        Some(Real(value.with_base_and_precision::<2>(self.bits()).value()))
    }

    /// A rational number.
    pub fn rational(self, value: &Rational) -> Real {
        if let Some(n) = value.as_integer() {
            return self.integer(n);
        }
        let (top, bottom) = value.parts();
        let part = |text: &str| self.decimal(text).unwrap_or_else(|| self.zero());
        part(&top).over(&part(&bottom)).unwrap_or_else(|| self.zero())
    }

    /// π.
    pub fn pi(self) -> Real {
        Real(self.context().pi::<2>(None).value())
    }
}

/// A number of many digits.
#[derive(Debug, Clone, PartialEq, PartialOrd)]
pub struct Real(Binary);

impl Real {
    fn context(&self) -> Context<HalfEven> {
        self.0.context()
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.0.repr().significand().is_zero()
    }

    /// −1, 0 or 1.
    pub fn sign(&self) -> i8 {
        match self.0.partial_cmp(&Binary::ZERO) {
            Some(Ordering::Less) => -1,
            Some(Ordering::Greater) => 1,
            _ => 0,
        }
    }

    /// Its size.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.sign() < 0 { -self } else { self.clone() }
    }

    /// log₂ of its size, as a double; −∞ of 0.
    pub fn log2(&self) -> f64 {
        let repr = self.0.repr();
        if repr.significand().is_zero() {
            return f64::NEG_INFINITY;
        }
        // Of a significand of so many bits those of a double say enough.
        let digits = isize::try_from(repr.digits()).unwrap_or(isize::MAX);
        let scaled = Binary::from_repr(
            dashu_float::Repr::new(repr.significand().clone(), -digits),
            self.context(),
        );
        log2(scaled.to_f64().value().abs()) + (repr.exponent() + digits) as f64
    }

    /// The nearest double.
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64().value()
    }

    /// Its decimal digits, so many of them: `-1.5e-3`, with an exponent where there is one.
    pub fn to_digits(&self, digits: u32) -> String {
        if self.is_zero() {
            return "0".to_owned();
        }
        let decimal = self.0.clone().with_base_and_precision::<10>(digits as usize).value();
        let (significand, exponent) = decimal.into_repr().into_parts();
        let text = significand.to_string();
        let (sign, text) = text.strip_prefix('-').map_or(("", text.as_str()), |rest| ("-", rest));
        let (first, rest) = text.split_at(1);
        let place = exponent + isize::try_from(rest.len()).unwrap_or(isize::MAX);
        let rest = rest.trim_end_matches('0');
        let point = if rest.is_empty() { "" } else { "." };
        let power = if place == 0 { String::new() } else { format!("e{place}") };
        format!("{sign}{first}{point}{rest}{power}")
    }

    /// a/b.
    pub fn over(&self, other: &Self) -> Option<Self> {
        if other.is_zero() {
            return None;
        }
        let context = Context::max(self.context(), other.context());
        Some(Self(context.div(self.0.repr(), other.0.repr()).ok()?.value()))
    }

    /// √a.
    pub fn sqrt(&self) -> Option<Self> {
        Some(Self(self.context().sqrt(self.0.repr()).ok()?.value()))
    }

    /// The nth root.
    pub fn root(&self, n: u32) -> Option<Self> {
        Some(Self(self.context().nth_root(n as usize, self.0.repr()).ok()?.value()))
    }

    /// aⁿ.
    pub fn powi(&self, n: i64) -> Option<Self> {
        if self.is_zero() && n <= 0 {
            return None;
        }
        Some(Self(self.context().powi(self.0.repr(), n.into()).ok()?.value()))
    }

    /// aᵇ of a > 0.
    pub fn powf(&self, exponent: &Self) -> Option<Self> {
        if self.sign() <= 0 {
            return None;
        }
        Some(Self(self.context().powf(self.0.repr(), exponent.0.repr(), None).ok()?.value()))
    }

    /// eᵃ; none where it is beyond any number.
    pub fn exp(&self) -> Option<Self> {
        let within = self.to_f64().abs() < EXPONENT_MAX;
        let value = within.then(|| self.context().exp(self.0.repr(), None))?;
        Some(Self(value.ok()?.value()))
    }

    /// ln a.
    pub fn ln(&self) -> Option<Self> {
        if self.sign() <= 0 {
            return None;
        }
        Some(Self(self.context().ln(self.0.repr(), None).ok()?.value()))
    }

    /// A function of one number by its name in the language; none where it has no value, or is not known here.
    pub fn call(&self, name: &str) -> Option<Self> {
        let (context, repr) = (self.context(), self.0.repr());
        // table
        let value = match name {
            "exp" => return self.exp(),
            "ln" => return self.ln(),
            "tanh" if self.to_f64().abs() >= EXPONENT_MAX => return self.over(&self.abs()),
            "sinh" | "cosh" if self.to_f64().abs() >= EXPONENT_MAX => return None,
            "sin" => context.sin(repr, None),
            "cos" => context.cos(repr, None),
            "tan" => context.tan(repr, None),
            "asin" => context.asin(repr, None),
            "acos" => context.acos(repr, None),
            "atan" => context.atan(repr, None),
            "sinh" => context.sinh(repr, None),
            "cosh" => context.cosh(repr, None),
            "tanh" => context.tanh(repr, None),
            _ => return None,
        };
        Some(Self(value.ok()?.value())).filter(|value| value.0.repr().is_finite())
    }

    /// The angle of (x, a).
    pub fn atan2(&self, x: &Self) -> Option<Self> {
        let value = self.context().atan2(self.0.repr(), x.0.repr(), None);
        Some(Self(value.ok()?.value()))
    }
}

/// log₂ of a double, the same everywhere; −∞ of 0.
pub(crate) fn log2(x: f64) -> f64 {
    if x == 0.0 { f64::NEG_INFINITY } else { elementary::ln(x) / std::f64::consts::LN_2 }
}

/// 2^x, the same everywhere.
pub(crate) fn exp2(x: f64) -> f64 {
    elementary::powf(2.0, x)
}

/// Larger exponents are beyond what any motion needs.
const EXPONENT_MAX: f64 = 1e6;

impl Add for &Real {
    type Output = Real;
    fn add(self, other: Self) -> Real {
        Real(&self.0 + &other.0)
    }
}

impl Sub for &Real {
    type Output = Real;
    fn sub(self, other: Self) -> Real {
        Real(&self.0 - &other.0)
    }
}

impl Mul for &Real {
    type Output = Real;
    fn mul(self, other: Self) -> Real {
        Real(&self.0 * &other.0)
    }
}

impl Neg for &Real {
    type Output = Real;
    fn neg(self) -> Real {
        Real(-&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forty() -> Precision {
        Precision::new(40).unwrap()
    }

    /// Digits of π, e, √2 and ln 2 as published.
    #[test]
    fn constants_have_their_digits() {
        let precision = forty();
        let one = precision.integer(1);
        let two = precision.integer(2);
        let table = [
            (precision.pi(), "3.141592653589793238462643383279502884197"),
            (one.exp().unwrap(), "2.718281828459045235360287471352662497757"),
            (two.sqrt().unwrap(), "1.41421356237309504880168872420969807857"),
            (two.ln().unwrap(), "6.931471805599453094172321214581765680755e-1"),
            (one.call("atan").unwrap(), "7.853981633974483096156608458198757210493e-1"),
        ];
        for (value, digits) in table {
            assert_eq!(value.to_digits(40), digits);
        }
    }

    #[test]
    fn numbers_are_read_and_written() {
        let precision = forty();
        let third = precision.rational(&Rational::new(-1, 3).unwrap());
        assert_eq!(third.to_digits(20), "-3.3333333333333333333e-1");
        assert_eq!(
            precision.written(0.2).unwrap(),
            precision.rational(&Rational::new(1, 5).unwrap())
        );
        assert_eq!(precision.written(-1.5e-7).unwrap().to_digits(40), "-1.5e-7");
        assert_eq!(precision.written(120.0).unwrap(), precision.integer(120));
        assert_eq!(precision.double(0.1).unwrap().to_digits(24), "1.00000000000000005551115e-1");
        assert_eq!(precision.integer(0).to_digits(40), "0");
        assert!((precision.integer(1000).log2() - 1000_f64.log2()).abs() < 1e-12);
        assert!(precision.double(f64::NAN).is_none() && precision.written(f64::INFINITY).is_none());
    }

    #[test]
    fn what_has_no_value_is_none() {
        let precision = forty();
        let (zero, minus) = (precision.zero(), precision.integer(-1));
        assert!(minus.over(&zero).is_none() && zero.over(&zero).is_none());
        assert!(minus.sqrt().is_none() && minus.ln().is_none() && zero.ln().is_none());
        assert!(precision.integer(2).call("asin").is_none());
        assert!(precision.integer(1_000_000_000).exp().is_none());
        assert!(precision.integer(1).call("erf").is_none());
        let [far, behind] = [1_000_000_000, -1_000_000_000].map(|n| precision.integer(n));
        assert!(far.call("cosh").is_none());
        assert_eq!(far.call("tanh"), Some(precision.integer(1)));
        assert_eq!(behind.call("tanh"), Some(precision.integer(-1)));
    }
}
