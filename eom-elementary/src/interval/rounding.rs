//! Outward rounding: by steps from a number to its neighbours.

/// Below a sum or a root that was rounded to nearest. What is 0 is exact: a sum of two numbers that is less than
/// 2⁻¹⁰²² has no rounding error.
#[inline(always)]
pub(super) fn below(x: f64) -> f64 {
    let bits = x.to_bits();
    let next = if x > 0.0 { bits.wrapping_sub(1) } else { bits.wrapping_add(1) };
    if x == 0.0 || x == f64::NEG_INFINITY { x } else { f64::from_bits(next) }
}

/// Above such a number.
#[inline(always)]
pub(super) fn above(x: f64) -> f64 {
    -below(-x)
}

/// The number n steps below, through 0 to the negative ones.
#[inline(always)]
pub(super) fn steps_below(x: f64, n: i64) -> f64 {
    let stepped = from_place(place(x) - n);
    if x == f64::NEG_INFINITY || stepped.is_nan() { f64::NEG_INFINITY } else { stepped }
}

/// The place of a number among all of them: rises by one from each to the next, −0 before 0.
#[inline(always)]
fn place(x: f64) -> i64 {
    let bits = x.to_bits().cast_signed();
    // Of negative ones, all bits but the sign.
    bits ^ ((bits >> 63) & i64::MAX)
}

#[inline(always)]
fn from_place(place: i64) -> f64 {
    f64::from_bits((place ^ ((place >> 63) & i64::MAX)).cast_unsigned())
}

/// The smaller, one instruction; neither is NaN.
#[inline(always)]
pub(super) fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The larger.
#[inline(always)]
pub(super) fn greatest(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::{above, below, steps_below};

    const TINY: f64 = f64::from_bits(1);

    #[test]
    fn neighbours() {
        let check = |x: f64, low: f64, high: f64| {
            assert_eq!((below(x), above(x)), (low, high), "{x:e}");
        };
        check(1.0, 1.0 - f64::EPSILON / 2.0, 1.0 + f64::EPSILON);
        check(-1.0, -1.0 - f64::EPSILON, -1.0 + f64::EPSILON / 2.0);
        check(0.0, 0.0, 0.0);
        check(-0.0, 0.0, 0.0);
        check(TINY, 0.0, 2.0 * TINY);
        check(f64::INFINITY, f64::MAX, f64::INFINITY);
        check(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::MIN);
        check(f64::MAX, f64::MAX.next_down(), f64::INFINITY);
    }

    #[test]
    fn several_steps() {
        assert_eq!(steps_below(1.0, 2), 1.0 - f64::EPSILON);
        assert_eq!(steps_below(-1.0, 2), -1.0 - 2.0 * f64::EPSILON);
        assert_eq!(steps_below(TINY, 3), -TINY);
        assert_eq!(steps_below(f64::NEG_INFINITY, 2), f64::NEG_INFINITY);
        assert_eq!(steps_below(f64::MIN, 3), f64::NEG_INFINITY);
        assert_eq!(steps_below(f64::INFINITY, 1), f64::MAX);
    }
}
