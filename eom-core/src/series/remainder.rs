//! What a polynomial of degree m in place of a power sᵏ leaves out on [0, 1] (`low_degree`).

use super::chebyshev::binomial;
use super::orders::LENGTH;

/// m.
pub(super) const DEGREE: usize = 7;

/// aₖⱼ.
pub(super) const fn chebyshev(k: usize, j: usize) -> f64 {
    if j > k {
        return 0.0;
    }
    let factor = if j == 0 { 1.0 } else { 2.0 };
    factor * binomial(2 * k, k - j) / binomial_sum(k)
}

/// 4ᵏ.
const fn binomial_sum(k: usize) -> f64 {
    (1_u64 << k) as f64 * (1_u64 << k) as f64
}

/// εₖ, or ε′ₖ.
pub(super) const fn left_out(of_slope: bool) -> [f64; LENGTH] {
    let (mut sums, mut k) = ([0.0; LENGTH], 0);
    while k < LENGTH {
        let mut j = DEGREE + 1;
        while j <= k {
            let size = if of_slope { (2 * j * j) as f64 } else { 1.0 };
            sums[k] += size * chebyshev(k, j);
            j += 1;
        }
        k += 1;
    }
    sums
}
