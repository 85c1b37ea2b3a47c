//! Where fused products are one instruction.
//!
//! a b + c rounded once is an operation of IEEE 754: its bits are the same everywhere. x86 machines since
//! 2013 have an instruction for it, which a program built for all of them may only use after it has
//! asked; without it the C library computes the same number, some ten times slower. WebAssembly has no such
//! instruction at all: there sums and products whose rounding errors are numbers give the same bits.

/// Where a split product and all sums of it are exact: factors, product and addend below, the product above.
const LARGEST: f64 = f64::from_bits((1023 + 960) << 52);
const LEAST: f64 = f64::from_bits((1023 - 900) << 52);

/// a b + c rounded once, of sums and products alone, by Boldo and Melquiond (2008): with a b = p + e exactly,
///
/// ```text
/// t + t' = c + e,   v + v' = p + t,   fused = v + (t' + v' rounded to odd)
/// ```
///
/// The odd last digit keeps that something was rounded off, so that the last sum rounds as the exact one.
/// Outside of the range in which the errors are numbers it is the C library's.
#[inline(always)]
#[must_use]
pub fn fused_by_parts(a: f64, b: f64, c: f64) -> f64 {
    let p = a * b;
    let range = LEAST..LARGEST;
    if !(range.contains(&p.abs()) && c.abs() < LARGEST && a.abs() < LARGEST && b.abs() < LARGEST) {
        return beyond(a, b, c);
    }
    let (t, t_low) = exact_sum(c, product_error(a, b, p));
    let (v, v_low) = exact_sum(p, t);
    v + odd_sum(t_low, v_low)
}

/// What is out of the range: nothing is lost where a factor is 0.
#[inline]
fn beyond(a: f64, b: f64, c: f64) -> f64 {
    if a == 0.0 || b == 0.0 { a * b + c } else { a.mul_add(b, c) }
}

/// a b − p for p = a b rounded, by Dekker: halves of 26 bits have exact products.
#[inline(always)]
fn product_error(a: f64, b: f64, p: f64) -> f64 {
    let [(a, a_low), (b, b_low)] = [halves(a), halves(b)];
    a_low * b_low - (((p - a * b) - a_low * b) - a * b_low)
}

/// The leading 26 bits, and the rest.
#[inline(always)]
fn halves(x: f64) -> (f64, f64) {
    let far = 134_217_729.0 * x;
    let high = far - (far - x);
    (high, x - high)
}

/// x + y rounded, and its error.
#[inline(always)]
fn exact_sum(x: f64, y: f64) -> (f64, f64) {
    let sum = x + y;
    let y_part = sum - x;
    (sum, (x - (sum - y_part)) + (y - y_part))
}

/// x + y, rounded to the neighbour whose last digit is odd where it is between two.
#[inline(always)]
fn odd_sum(x: f64, y: f64) -> f64 {
    let (sum, error) = exact_sum(x, y);
    let bits = sum.to_bits();
    if error == 0.0 || bits & 1 == 1 {
        return sum;
    }
    // One away from 0 where the error points there, else one towards it.
    let is_outwards = (error > 0.0) == (sum > 0.0);
    f64::from_bits(if is_outwards { bits + 1 } else { bits - 1 })
}

/// `work`, compiled for machines that have fused products and run so where this is one of them.
///
/// What `work` calls has to be inlined into it.
#[inline(always)]
pub fn with_fused_products<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(all(feature = "lanes", target_arch = "x86_64", not(target_feature = "fma")))]
    return machine::with_fused_products(work);
    #[cfg(not(all(feature = "lanes", target_arch = "x86_64", not(target_feature = "fma"))))]
    work()
}

/// A machine that has to be asked.
#[cfg(all(feature = "lanes", target_arch = "x86_64", not(target_feature = "fma")))]
mod machine {
    use pulp::x86::V3;
    use std::sync::OnceLock;

    /// What was found when it was first asked.
    static FOUND: OnceLock<Option<V3>> = OnceLock::new();

    #[inline(always)]
    pub(super) fn with_fused_products<T>(work: impl FnOnce() -> T) -> T {
        match FOUND.get() {
            Some(Some(machine)) => machine.vectorize(Work(work)),
            _ => first_or_without(work),
        }
    }

    /// The first time, which leaves what it finds to those that follow, and without fused products: to
    /// the same bits. Out of the way: where it stood, its calls would have every caller save registers.
    /// Not `inline(never)`, by which rustc would compile a unit for it, with copies of all it uses.
    #[cold]
    #[inline]
    fn first_or_without<T>(work: impl FnOnce() -> T) -> T {
        FOUND.get_or_init(V3::try_new);
        work()
    }

    struct Work<F>(F);

    impl<T, F: FnOnce() -> T> pulp::NullaryFnOnce for Work<F> {
        type Output = T;

        #[inline(always)]
        fn call(self) -> T {
            (self.0)()
        }
    }
}
