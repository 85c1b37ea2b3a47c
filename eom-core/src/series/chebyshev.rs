//! Chebyshev polynomials on [0, 1], Tₖ*(s) = Tₖ(2s − 1), as sums of Bernstein's.
//!
//! ```text
//! Tₖ* = Σⱼ bₖⱼ Bⱼᵈ, k ≤ d        bₖⱼ = Σᵢ (−1)ᵏ⁻ⁱ C(2k, 2i) C(d − k, j − i) / C(d, j)
//! ```
//!
//! (Farouki, The Bernstein polynomial basis, 2012, section 7.)

/// C(n, k), exact below 2⁵³: every product on the way is one.
pub(crate) const fn binomial(n: usize, k: usize) -> f64 {
    let (mut product, mut i) = (1.0, 0);
    while i < k {
        product = product * (n - i) as f64 / (i + 1) as f64;
        i += 1;
    }
    product
}

/// bₖⱼ at degree d.
pub(crate) const fn in_bernstein(d: usize, k: usize, j: usize) -> f64 {
    let (mut sum, mut i) = (0.0, (j + k).saturating_sub(d));
    while i <= k && i <= j {
        let sign = if (k - i).is_multiple_of(2) { 1.0 } else { -1.0 };
        sum += sign * binomial(2 * k, 2 * i) * binomial(d - k, j - i);
        i += 1;
    }
    sum / binomial(d, j)
}

#[cfg(test)]
mod tests {
    use super::{binomial, in_bernstein};

    /// cos(kφ) at s = (1 + cos φ)/2.
    #[test]
    fn chebyshev_polynomials_are_cosines() {
        for d in [1, 4, 7, 12] {
            for (k, φ) in (0..=d).flat_map(|k| [0.0_f64, 0.7, 2.0, 3.1].map(|φ| (k, φ))) {
                let s = 0.5 * (1.0 + φ.cos());
                let power = |x: f64, n: usize| (0..n).map(|_| x).product::<f64>();
                let basis = |j| binomial(d, j) * power(s, j) * power(1.0 - s, d - j);
                let sum: f64 = (0..=d).map(|j| in_bernstein(d, k, j) * basis(j)).sum();
                let exact = (k as f64 * φ).cos();
                assert!((sum - exact).abs() < 1e-12, "{d} {k} {φ}: {sum} for {exact}");
            }
        }
    }
}
