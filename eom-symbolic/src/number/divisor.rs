//! Greatest common divisors of long integers, which all arithmetic of rational numbers waits for.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

/// The greatest common divisor of two integers that are not both 0. Denominators, which come second, are those of decimals:
/// of b = 2ⁱ5ʲr hardly more than a word is left in r, and
///
/// ```text
/// gcd(a, b) = 2^min(i, i′) 5^min(j, j′) gcd(a, r)        a = 2^i′ 5^j′ a′
/// ```
pub(super) fn greatest_divisor(a: &BigInt, b: &BigInt) -> BigInt {
    let (a, b) = (a.magnitude(), b.magnitude());
    if let (Some(a), Some(b)) = (a.to_u128(), b.to_u128()) {
        return divisor_of_words(a, b).into();
    }
    let (Some(twos), Some(others)) = (b.trailing_zeros(), a.trailing_zeros()) else {
        return (a + b).into();
    };
    let (fives, rest) = without_fives(b >> twos);
    let shared = if fives == 0 { 0 } else { fives.min(without_fives(a.clone()).0) };
    let divisor = divisor_by_remainders(a.clone(), rest) * BigUint::from(5_u32).pow(shared);
    (divisor << twos.min(others)).into()
}

/// 5²⁷, the largest power of 5 in a word.
const FIVES: u64 = 7_450_580_596_923_828_125;
const FIVES_POWER: u32 = 27;

/// j and r of n = 5ʲr; n is not 0.
fn without_fives(mut n: BigUint) -> (u32, BigUint) {
    let mut fives = 0;
    loop {
        let (quotient, remainder) = n.div_rem(&FIVES.into());
        let mut remainder = remainder.to_u64().unwrap_or(1);
        if remainder != 0 {
            let mut power = 1_u64;
            while remainder.is_multiple_of(5) {
                (remainder, power, fives) = (remainder / 5, power * 5, fives + 1);
            }
            return (fives, if power == 1 { n } else { n / power });
        }
        (n, fives) = (quotient, fives + FIVES_POWER);
    }
}

/// The greatest common divisor by Euclid's remainders, many at once (Lehmer; Knuth, 4.5.2, algorithm L), by words once they fit.
fn divisor_by_remainders(mut a: BigUint, mut b: BigUint) -> BigUint {
    loop {
        if b.is_one() {
            return b;
        }
        if let (Some(a), Some(b)) = (a.to_u128(), b.to_u128()) {
            return divisor_of_words(a, b).into();
        }
        if b.is_zero() {
            return a;
        }
        if a < b {
            (a, b) = (b, a);
        }
        let [[p, q], [r, s]] = remainders_at_once(&a, &b);
        let combined = |p: i64, q: i64| {
            let (one, other) = (&a * p.unsigned_abs(), &b * q.unsigned_abs());
            if p > 0 { one - other } else { other - one }
        };
        (a, b) = if q == 0 { (b.clone(), a % b) } else { (combined(p, q), combined(r, s)) };
    }
}

/// The steps a, b → b, a − k b that the leading 62 bits of a ≥ b tell, as a matrix; it is 1 where they tell none. The signs of
/// its rows alternate.
fn remainders_at_once(a: &BigUint, b: &BigUint) -> [[i64; 2]; 2] {
    let digits = a.iter_u64_digits().len();
    let leading = |n: &BigUint| {
        let mut of_a = n.iter_u64_digits().skip(digits - 2);
        let [low, high] = [of_a.next(), of_a.next()].map(|digit| u128::from(digit.unwrap_or(0)));
        high << 64 | low
    };
    let unused = leading(a).leading_zeros();
    let [mut x, mut y] = [a, b].map(|n| ((leading(n) << unused) >> 66) as i64);
    let [[mut p, mut q], [mut r, mut s]] = [[1, 0], [0, 1]];
    // Both bounds of what is cut off lead to the same k.
    while y + r != 0 && y + s != 0 {
        let k = (x + p) / (y + r);
        if k != (x + q) / (y + s) {
            break;
        }
        (p, r) = (r, p - k * r);
        (q, s) = (s, q - k * s);
        (x, y) = (y, x - k * y);
    }
    [[p, q], [r, s]]
}

/// The same by halves, without division.
fn divisor_of_words(mut a: u128, mut b: u128) -> u128 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    loop {
        b >>= b.trailing_zeros();
        if a > b {
            (a, b) = (b, a);
        }
        b -= a;
        if b == 0 {
            return a << twos;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the divisors that num-integer finds.
    #[test]
    fn divisors_of_long_numbers() {
        let power = |of: u32, n: u32| BigInt::from(of).pow(n);
        let parts = [
            BigInt::from(0),
            BigInt::from(1),
            power(2, 200),
            power(5, 26),
            power(5, 27),
            power(5, 81),
            power(10, 90),
            power(3, 120),
            power(7, 60) * 11,
            power(10, 60) + 3,
            power(2, 128) - 1,
            (power(3, 200) + 1) * (power(10, 41) + 7),
            (power(3, 200) - 2) * (power(10, 41) + 7),
        ];
        for a in parts.iter().flat_map(|a| parts.iter().map(move |b| a * b)) {
            for b in parts.iter().flat_map(|a| parts.iter().map(move |b| a * b)) {
                if !(a.is_zero() && b.is_zero()) {
                    assert_eq!(greatest_divisor(&-&a, &b), a.gcd(&b), "{a} {b}");
                }
            }
        }
    }

    #[test]
    fn divisors_of_two_words() {
        for (p, q, divisor) in
            [(0_u128, 6, 6), (48, 0, 48), (84, 36, 12), (1 << 127, 1 << 90, 1 << 90)]
        {
            assert_eq!(divisor_of_words(p, q), divisor);
        }
    }
}
