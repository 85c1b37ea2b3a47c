//! Polynomials through samples of a guard: their Chebyshev tail says how well they follow it,
//! their Bernstein coefficients bound them.
//!
//! Samples lie at sᵢ = (1 − cos(πi/d))/2, i = 0..d. With x = 2s − 1
//!
//! ```text
//! p(s) = Σₖ cₖ Tₖ(x) = Σⱼ bⱼ Bⱼᵈ(s)          min bⱼ ≤ p(s) ≤ max bⱼ
//! cₖ = (2/d) Σ″ yᵢ Tₖ(xᵢ)                     first and last term halved; so are c₀ and c_d
//! ```
//!
//! (Trefethen, Approximation Theory and Approximation Practice, 2013, chapter 3; Farouki, The
//! Bernstein polynomial basis, 2012, section 3.4.)

use crate::linear::linalg::dot;
use crate::series::chebyshev::in_bernstein;
use eom_elementary as elementary;
use std::f64::consts::PI;

/// Halvings that place an extremum: its value is then exact to rounding, since it is flat.
const EXTREMUM_STEPS: usize = 40;

/// The tables for N samples, degree N − 1.
#[derive(Debug)]
pub(in crate::hybrid) struct Basis<const N: usize> {
    pub(in crate::hybrid) points: [f64; N],
    /// Row k gives cₖ from the samples.
    chebyshev: [[f64; N]; N],
    /// Row j gives bⱼ from the samples.
    bernstein: [[f64; N]; N],
    /// maxⱼ Σᵢ |∂bⱼ/∂yᵢ|: what noise of the samples becomes in the coefficients.
    pub(in crate::hybrid) amplification: f64,
}

/// The polynomial through some samples.
#[derive(Debug, Clone, Copy)]
pub(in crate::hybrid) struct Fit<const N: usize> {
    pub(in crate::hybrid) coefficients: [f64; N],
    /// |c_(d−1)| + |c_d|: an estimate of how far the guard may be from the polynomial.
    pub(in crate::hybrid) tail: f64,
}

impl<const N: usize> Basis<N> {
    pub(in crate::hybrid) fn new() -> Self {
        let degree = N - 1;
        let points =
            std::array::from_fn(|i| 0.5 - 0.5 * elementary::cos(PI * i as f64 / degree as f64));
        let chebyshev: [[f64; N]; N] = std::array::from_fn(|k| {
            std::array::from_fn(|i| {
                let halved = |index: usize| if index.is_multiple_of(degree) { 0.5 } else { 1.0 };
                let angle = PI * (k * (degree - i)) as f64 / degree as f64;
                2.0 / degree as f64 * halved(i) * halved(k) * elementary::cos(angle)
            })
        });
        let bernstein: [[f64; N]; N] = std::array::from_fn(|j| {
            std::array::from_fn(|i| {
                (0..N).map(|k| in_bernstein(degree, k, j) * chebyshev[k][i]).sum()
            })
        });
        let mut basis = Self { points, chebyshev, bernstein, amplification: 0.0 };
        basis.amplification = basis
            .bernstein
            .iter()
            .map(|row| row.iter().map(|entry| entry.abs()).sum())
            .fold(0.0, f64::max);
        basis
    }

    pub(in crate::hybrid) fn fit(&self, samples: &[f64; N]) -> Fit<N> {
        let coefficients = std::array::from_fn(|j| dot(&self.bernstein[j], samples));
        let tail = self.chebyshev[N - 2..].iter().map(|row| dot(row, samples).abs()).sum();
        Fit { coefficients, tail }
    }
}

impl<const N: usize> Fit<N> {
    /// Whether the polynomial stays on this side of zero, farther than `margin`.
    pub(in crate::hybrid) fn clears(&self, side: f64, margin: f64) -> bool {
        self.coefficients.iter().all(|b| side * b > margin)
    }

    /// p′(s)/d: Σ (bⱼ₊₁ − bⱼ) Bⱼᵈ⁻¹(s), by de Casteljau.
    fn slope(&self, s: f64) -> f64 {
        let mut differences = self.coefficients;
        for j in 0..N - 1 {
            differences[j] = differences[j + 1] - differences[j];
        }
        for left in (1..N - 1).rev() {
            for j in 0..left {
                differences[j] += s * (differences[j + 1] - differences[j]);
            }
        }
        differences[0]
    }

    /// The extremum of a polynomial whose slope changes sign once in (0, 1), to which it rises or
    /// falls.
    pub(in crate::hybrid) fn extremum(&self, rises: bool) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..EXTREMUM_STEPS {
            let middle = 0.5 * (low + high);
            if (self.slope(middle) > 0.0) == rises {
                low = middle;
            } else {
                high = middle;
            }
        }
        0.5 * (low + high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::chebyshev::binomial;

    /// s³ = B₃³ + ¼B₃⁴…: the coefficients of s³ at degree d are C(j,3)/C(d,3).
    #[test]
    fn bernstein_coefficients_are_those_of_the_polynomial() {
        let basis = Basis::<9>::new();
        let fit = basis.fit(&basis.points.map(|s| 1.0 - 2.0 * s.powi(3)));
        for (j, b) in fit.coefficients.iter().enumerate() {
            let exact = if j < 3 { 1.0 } else { 1.0 - binomial(j, 3) / 28.0 };
            assert!((b - exact).abs() < 1e-13, "{j}: {b} for {exact}");
        }
        assert!(fit.tail < 1e-15, "{}", fit.tail);
        assert!(basis.amplification < 200.0, "{}", basis.amplification);
    }

    #[test]
    fn the_tail_is_of_the_size_of_the_error() {
        let basis = Basis::<5>::new();
        for frequency in [0.5, 1.0, 2.0, 4.0] {
            let f = |s: f64| (frequency * s).cos();
            let fit = basis.fit(&basis.points.map(f));
            let exact = |s: f64| -frequency * (frequency * s).sin() / 4.0;
            assert!((fit.slope(0.3) - exact(0.3)).abs() < 8.0 * fit.tail, "{frequency}");
            assert!(fit.tail < 0.02 * frequency.powi(3), "{frequency}: {}", fit.tail);
        }
    }

    #[test]
    fn an_extremum_is_found() {
        let basis = Basis::<9>::new();
        let fit = basis.fit(&basis.points.map(|s| (s - 0.4).powi(2) + 1e-6));
        let s = fit.extremum(false);
        assert!((s - 0.4).abs() < 1e-12, "{s}");
    }
}
