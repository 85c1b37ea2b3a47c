//! Exact rational numbers: machine words while they fit, big integers when they do not.

mod divisor;

use divisor::greatest_divisor;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Pow, Signed, ToPrimitive};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A rational number in lowest terms with a positive denominator.
///
/// Canonical: `Big` holds only what does not fit `Small`, so equality of values is equality of
/// representations.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rational(Repr);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Repr {
    Small { numerator: i64, denominator: i64 },
    Big(Box<BigRational>),
}

impl Hash for Repr {
    /// Of both parts as they stand, which are in lowest terms: a ratio that may not be is hashed by its continued
    /// fraction, a division of long numbers for each of its terms.
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Small { numerator, denominator } => (numerator, denominator).hash(state),
            Self::Big(value) => (value.numer(), value.denom()).hash(state),
        }
    }
}

/// Largest size, in bits, of an integer power that is folded into a number.
const POWER_BITS_MAX: u64 = 4096;

/// Largest decimal exponent a literal may have; f64 ends near 308.
const LITERAL_EXPONENT_MAX: i64 = 330;

/// Most digits a literal may have.
const LITERAL_DIGITS_MAX: usize = 1000;

impl Rational {
    /// 0.
    pub const ZERO: Self = Self::integer(0);
    /// 1.
    pub const ONE: Self = Self::integer(1);
    /// −1.
    pub const MINUS_ONE: Self = Self::integer(-1);

    /// An integer.
    pub const fn integer(n: i64) -> Self {
        Self(Repr::Small { numerator: n, denominator: 1 })
    }

    /// `numerator/denominator` in lowest terms, or `None` for a zero denominator.
    pub fn new(numerator: i64, denominator: i64) -> Option<Self> {
        (denominator != 0).then(|| Self::from_wide(i128::from(numerator), i128::from(denominator)))
    }

    /// Reads a decimal literal, `12`, `0.25`, `1.25e-7`, exactly; underscores are allowed.
    /// `None` where it is not a literal or its exponent is outside what f64 can hold.
    pub fn from_decimal(text: &str) -> Option<Self> {
        let text: String = text.chars().filter(|c| *c != '_').collect();
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (text.as_str(), 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        if digits.is_empty()
            || digits.len() > LITERAL_DIGITS_MAX
            || !digits.bytes().all(|b| b.is_ascii_digit())
        {
            return None;
        }
        let exponent = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
        if exponent.abs() > LITERAL_EXPONENT_MAX + i64::try_from(fraction.len()).ok()? {
            return None;
        }
        let scale = BigInt::from(10).pow(exponent.unsigned_abs());
        let digits: BigInt = digits.parse().ok()?;
        Some(Self::from_big(if exponent < 0 {
            BigRational::new(digits, scale)
        } else {
            BigRational::from(digits * scale)
        }))
    }

    /// numerator/denominator in lowest terms; the denominator is not 0.
    fn from_wide(numerator: i128, denominator: i128) -> Self {
        // Words while they fit: division of 128 bits is many times slower.
        if let (Ok(n), Ok(d)) = (i64::try_from(numerator), i64::try_from(denominator))
            && n != i64::MIN
            && d > 0
        {
            let divisor = n.gcd(&d);
            return Self(Repr::Small { numerator: n / divisor, denominator: d / divisor });
        }
        let divisor = numerator.gcd(&denominator);
        let sign = if denominator < 0 { -1 } else { 1 };
        Self::lowest_wide(sign * (numerator / divisor), sign * denominator / divisor)
    }

    /// numerator/denominator, which are in lowest terms; the denominator is positive.
    fn lowest_wide(numerator: i128, denominator: i128) -> Self {
        match (i64::try_from(numerator), i64::try_from(denominator)) {
            (Ok(numerator), Ok(denominator)) => Self(Repr::Small { numerator, denominator }),
            _ => {
                let value = BigRational::new_raw(numerator.into(), denominator.into());
                Self(Repr::Big(Box::new(value)))
            }
        }
    }

    /// a/b + c/d of fractions in lowest terms. Of words, and nothing common is left but with that of b and d (Knuth,
    /// The art of computer programming, 4.5.1).
    fn add_words([a, b]: [i64; 2], [c, d]: [i64; 2]) -> Self {
        let common = b.gcd(&d);
        let (own, others) = (i128::from(b / common), i128::from(d / common));
        // |a d|, |c b| < 2^126: the sum fits.
        let sum = i128::from(a) * others + i128::from(c) * own;
        let common = i128::from(((sum % i128::from(common)) as i64).gcd(&common));
        Self::lowest_wide(sum / common, own * (i128::from(d) / common))
    }

    /// a/b · c/d of fractions in lowest terms: nothing is common but across.
    fn multiply_words([a, b]: [i64; 2], [c, d]: [i64; 2]) -> Self {
        let divisor = |n: i64, d: i64| n.unsigned_abs().gcd(&d.unsigned_abs());
        let (one, other) = (i128::from(divisor(a, d)), i128::from(divisor(c, b)));
        let (a, b, c, d) = (i128::from(a), i128::from(b), i128::from(c), i128::from(d));
        Self::lowest_wide((a / one) * (c / other), (b / other) * (d / one))
    }

    /// numerator/denominator in lowest terms; the denominator is positive.
    fn lowest(numerator: BigInt, denominator: BigInt) -> Self {
        let common = greatest_divisor(&numerator, &denominator);
        Self::from_big(BigRational::new_raw(numerator / &common, denominator / common))
    }

    fn from_big(value: BigRational) -> Self {
        match (value.numer().to_i64(), value.denom().to_i64()) {
            (Some(numerator), Some(denominator)) => Self(Repr::Small { numerator, denominator }),
            _ => Self(Repr::Big(Box::new(value))),
        }
    }

    fn to_big(&self) -> BigRational {
        match &self.0 {
            // In lowest terms already.
            Repr::Small { numerator, denominator } => {
                BigRational::new_raw((*numerator).into(), (*denominator).into())
            }
            Repr::Big(value) => (**value).clone(),
        }
    }

    /// The operation on two integers, where its result fits: most numbers of a derivation.
    fn whole_with(&self, other: &Self, operation: fn(i64, i64) -> Option<i64>) -> Option<Self> {
        operation(self.as_integer()?, other.as_integer()?).map(Self::integer)
    }

    /// self + other.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        if let Some(sum) = self.whole_with(other, i64::checked_add) {
            return sum;
        }
        match (&self.0, &other.0) {
            (
                Repr::Small { numerator: a, denominator: b },
                Repr::Small { numerator: c, denominator: d },
            ) => Self::add_words([*a, *b], [*c, *d]),
            _ => {
                let (left, right) = (self.to_big(), other.to_big());
                let ((a, b), (c, d)) = (left.into_raw(), right.into_raw());
                if b == d {
                    return Self::lowest(a + c, b);
                }
                let common = greatest_divisor(&b, &d);
                let (own, others) = (&b / &common, d / common);
                Self::lowest(a * &others + c * own, b * others)
            }
        }
    }

    /// self · other.
    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        if let Some(product) = self.whole_with(other, i64::checked_mul) {
            return product;
        }
        match (&self.0, &other.0) {
            (
                Repr::Small { numerator: a, denominator: b },
                Repr::Small { numerator: c, denominator: d },
            ) => Self::multiply_words([*a, *b], [*c, *d]),
            _ => {
                let (left, right) = (self.to_big(), other.to_big());
                let ((a, b), (c, d)) = (left.into_raw(), right.into_raw());
                // In lowest terms, so that there is nothing common but across.
                let (one, other) = (greatest_divisor(&a, &d), greatest_divisor(&c, &b));
                let (numerator, denominator) = ((a / &one) * (c / &other), (b / other) * (d / one));
                Self::from_big(BigRational::new_raw(numerator, denominator))
            }
        }
    }

    /// −self.
    #[must_use]
    pub fn neg(&self) -> Self {
        match &self.0 {
            Repr::Small { numerator, denominator } if *numerator != i64::MIN => {
                Self(Repr::Small { numerator: -numerator, denominator: *denominator })
            }
            _ => Self::from_big(-self.to_big()),
        }
    }

    /// |self|.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// 1/self, or `None` for 0.
    pub fn recip(&self) -> Option<Self> {
        (!self.is_zero()).then(|| match &self.0 {
            Repr::Small { numerator, denominator } => {
                Self::from_wide(i128::from(*denominator), i128::from(*numerator))
            }
            Repr::Big(value) => Self::from_big(value.recip()),
        })
    }

    /// selfⁿ; `None` for 0 to a negative power and for results of more than a few thousand bits.
    pub fn pow(&self, n: i64) -> Option<Self> {
        if n < 0 {
            return self.recip()?.pow(n.checked_neg()?);
        }
        if self.is_zero() {
            return Some(if n == 0 { Self::ONE } else { Self::ZERO });
        }
        if *self == Self::ONE || *self == Self::MINUS_ONE {
            return Some(if n % 2 == 0 { Self::ONE } else { self.clone() });
        }
        if let (Repr::Small { numerator, denominator }, Ok(n)) = (&self.0, u32::try_from(n))
            && let Some(numerator) = numerator.checked_pow(n)
            && let Some(denominator) = denominator.checked_pow(n)
        {
            return Some(Self(Repr::Small { numerator, denominator }));
        }
        let value = self.to_big();
        let bits = value.numer().bits().max(value.denom().bits());
        if bits.checked_mul(n.unsigned_abs())? > POWER_BITS_MAX {
            return None;
        }
        Some(Self::from_big(Pow::pow(&value, i32::try_from(n).ok()?)))
    }

    /// The exact root self^(1/n) where it is rational and self ≥ 0.
    pub fn root(&self, n: u32) -> Option<Self> {
        if self.is_negative() || n == 0 {
            return None;
        }
        let value = self.to_big();
        let (numerator, denominator) = (value.numer().nth_root(n), value.denom().nth_root(n));
        let root = BigRational::new(numerator, denominator);
        (Pow::pow(&root, i32::try_from(n).ok()?) == value).then(|| Self::from_big(root))
    }

    /// gcd(numerators)/lcm(denominators), positive: the content of a pair of coefficients.
    #[must_use]
    pub fn content(&self, other: &Self) -> Self {
        if let (Some(a), Some(b)) = (self.as_integer(), other.as_integer()) {
            // |−2⁶³| does not fit a signed word.
            let divisor = a.unsigned_abs().gcd(&b.unsigned_abs());
            return i64::try_from(divisor)
                .map_or_else(|_| Self::from_wide(divisor.into(), 1), Self::integer);
        }
        let (a, b) = (self.to_big(), other.to_big());
        Self::from_big(BigRational::new(a.numer().gcd(b.numer()), a.denom().lcm(b.denom())))
    }

    /// The bits of its numerator or denominator, whichever is longer; 64 for what fits into words.
    pub(crate) fn bits(&self) -> u64 {
        match &self.0 {
            Repr::Small { .. } => 64,
            Repr::Big(value) => value.numer().bits().max(value.denom().bits()),
        }
    }

    /// Whether the value is 0.
    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// Whether the value is 1.
    pub fn is_one(&self) -> bool {
        *self == Self::ONE
    }

    /// Whether the value is below 0.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small { numerator, .. } => *numerator < 0,
            Repr::Big(value) => value.is_negative(),
        }
    }

    /// The value where it is an integer of 64 bits.
    pub fn as_integer(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small { numerator, denominator: 1 } => Some(*numerator),
            _ => None,
        }
    }

    /// Numerator and denominator as decimal integers.
    pub fn parts(&self) -> (String, String) {
        let value = self.to_big();
        (value.numer().to_string(), value.denom().to_string())
    }

    /// The same as they are printed: with a power of ten where a long integer ends in zeros, `2.5e200`.
    pub fn printed_parts(&self) -> (String, String) {
        let (above, below) = self.parts();
        (without_zeros(above), without_zeros(below))
    }

    /// The denominator where it fits a `u32`.
    pub fn small_denominator(&self) -> Option<u32> {
        match &self.0 {
            Repr::Small { denominator, .. } => u32::try_from(*denominator).ok(),
            Repr::Big(_) => None,
        }
    }

    /// The nearest f64; infinite beyond its range.
    pub fn to_f64(&self) -> f64 {
        /// Integers up to here are exact in f64, so that one division rounds once.
        const EXACT: i64 = 1 << 53;
        match &self.0 {
            Repr::Small { numerator, denominator }
                if numerator.abs() <= EXACT && *denominator <= EXACT =>
            {
                *numerator as f64 / *denominator as f64
            }
            _ => self.to_big().to_f64().unwrap_or(f64::NAN),
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (
                Repr::Small { numerator: a, denominator: b },
                Repr::Small { numerator: c, denominator: d },
            ) => (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b))),
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_big();
        if value.denom().is_one() {
            write!(f, "{}", value.numer())
        } else {
            write!(f, "{}/{}", value.numer(), value.denom())
        }
    }
}

/// The longest integer that is printed with all of its zeros.
const PRINTED_DIGITS_MAX: usize = 17;

/// A literal of the same value; what has more digits than zeros stays.
fn without_zeros(integer: String) -> String {
    let (sign, digits) = integer.split_at(usize::from(integer.starts_with('-')));
    let leading = digits.trim_end_matches('0');
    if digits.len() <= PRINTED_DIGITS_MAX || leading.len() > PRINTED_DIGITS_MAX {
        return integer;
    }
    let (first, rest) = leading.split_at(leading.len().min(1));
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{first}{point}{rest}e{}", digits.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(n: i64, d: i64) -> Rational {
        Rational::new(n, d).unwrap()
    }

    #[test]
    fn many_zeros_are_printed_as_a_power() {
        for (text, above, below) in [
            ("1e16", "10000000000000000", "1"),
            ("1e17", "1e17", "1"),
            ("2.5e-20", "1", "4e19"),
            ("12.5e200", "1.25e201", "1"),
            ("123456789012345678000", "123456789012345678000", "1"),
        ] {
            let number = Rational::from_decimal(text).unwrap();
            assert_eq!(number.printed_parts(), (above.to_owned(), below.to_owned()));
            assert_eq!(number.neg().printed_parts().0, format!("-{above}"));
            let [above, below] = [above, below].map(|part| Rational::from_decimal(part).unwrap());
            assert_eq!(above.mul(&below.recip().unwrap()), number, "{text}");
        }
    }

    #[test]
    fn literals_are_exact() {
        for (text, expected) in [
            ("0.1", ratio(1, 10)),
            ("1.25e-7", ratio(1, 8_000_000)),
            ("12", ratio(12, 1)),
            ("1_000.5", ratio(2001, 2)),
            ("2e3", ratio(2000, 1)),
        ] {
            assert_eq!(Rational::from_decimal(text), Some(expected), "{text}");
        }
        for text in ["", "e5", "1e999999", "1.2.3", "x"] {
            assert_eq!(Rational::from_decimal(text), None, "{text}");
        }
        let planck = Rational::from_decimal("6.62607015e-34").unwrap();
        assert_eq!(planck.to_f64(), 6.626_070_15e-34);
    }

    #[test]
    fn arithmetic_passes_through_big_numbers_and_back() {
        let big = Rational::integer(i64::MAX).mul(&Rational::integer(i64::MAX));
        assert_eq!(big.mul(&big.recip().unwrap()), Rational::ONE);
        assert_eq!(big.add(&big.neg()), Rational::ZERO);
        assert_eq!(Rational::integer(i64::MIN).neg().neg(), Rational::integer(i64::MIN));
    }

    #[test]
    fn what_is_long_is_in_lowest_terms() {
        let long = |digits: &str| Rational::from_decimal(digits).unwrap();
        let (a, b) = (
            long("0.123456789012345678901234567890123456789012"),
            long("7.700000000000000000000000000077"),
        );
        let (x, y) = (a.to_big(), b.to_big());
        assert_eq!(a.mul(&b), Rational::from_big(&x * &y));
        assert_eq!(a.add(&b), Rational::from_big(&x + &y));
        assert_eq!(a.add(&a.neg()), Rational::ZERO);
        assert_eq!(a.mul(&b).mul(&b.recip().unwrap()).mul(&a.recip().unwrap()), Rational::ONE);
    }

    /// Sums and products of words, against fractions of big integers.
    #[test]
    fn what_fits_words_is_in_lowest_terms() {
        let words = [0, 1, -1, 6, -10, 1 << 32, 999_999_999_989, i64::MAX, -i64::MAX, i64::MIN];
        let under = [1, 2, 6, 15, 1 << 31, 1 << 62, 999_999_999_989, i64::MAX];
        let all = words.iter().flat_map(|n| under.iter().map(|d| ratio(*n, *d)));
        let all: Vec<Rational> = all.collect();
        for a in &all {
            for b in &all {
                let (x, y) = (a.to_big(), b.to_big());
                assert_eq!(a.mul(b), Rational::from_big(&x * &y), "{a} * {b}");
                assert_eq!(a.add(b), Rational::from_big(x + y), "{a} + {b}");
            }
        }
    }

    #[test]
    fn powers_and_roots() {
        assert_eq!(ratio(2, 3).pow(-2), Some(ratio(9, 4)));
        assert_eq!(Rational::ZERO.pow(-1), None);
        assert_eq!(Rational::ZERO.pow(0), Some(Rational::ONE));
        assert_eq!(Rational::ZERO.pow(7), Some(Rational::ZERO));
        assert_eq!(Rational::MINUS_ONE.pow(1_000_001), Some(Rational::MINUS_ONE));
        assert_eq!(Rational::MINUS_ONE.pow(1_000_000), Some(Rational::ONE));
        assert_eq!(Rational::integer(10).pow(1_000_000), None);
        assert_eq!(ratio(9, 4).root(2), Some(ratio(3, 2)));
        assert_eq!(ratio(2, 1).root(2), None);
    }
}
