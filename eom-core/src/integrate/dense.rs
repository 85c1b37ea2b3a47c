//! The dense output of a step: the state as a polynomial in s = (t − tₙ)/h.

use super::tableau::DENSE;
use crate::snapshot::words::part;

/// y(s) = y₀ + s (p₀ + (1−s) (p₁ + s (p₂ + (1−s) (p₃ + …)))), 0 ≤ s ≤ 1.
///
/// Hairer, Nørsett, Wanner I, section II.6. y(0) and the slopes at both ends are exact.
#[derive(Debug, Clone)]
pub(crate) struct Interpolant {
    start: Vec<f64>,
    powers: Vec<f64>,
}

impl Interpolant {
    /// For states of `dimension` numbers.
    pub(crate) fn new(dimension: usize) -> Self {
        Self { start: vec![0.0; dimension], powers: vec![0.0; DENSE * dimension] }
    }

    /// Sets y₀.
    pub(super) fn start(&mut self, y: &[f64]) {
        self.start.copy_from_slice(y);
    }

    /// The coefficients pᵢ.
    pub(super) fn power(&mut self, i: usize) -> &mut [f64] {
        let n = self.start.len();
        &mut self.powers[i * n..(i + 1) * n]
    }

    /// Writes y(s).
    pub(crate) fn state(&self, s: f64, y: &mut [f64]) {
        y.fill(0.0);
        for (i, power) in self.powers.chunks_exact(self.start.len()).enumerate().rev() {
            let factor = if i % 2 == 0 { s } else { 1.0 - s };
            for (y, p) in y.iter_mut().zip(power) {
                *y = (*y + p) * factor;
            }
        }
        for (y, start) in y.iter_mut().zip(&self.start) {
            *y += start;
        }
    }

    /// The degree of y(s).
    pub(crate) fn degree() -> usize {
        DENSE
    }

    /// Writes the coefficients of the powers of s, a row a power.
    pub(crate) fn coefficients(&self, rows: &mut [f64]) {
        let n = self.start.len();
        rows.fill(0.0);
        for (i, power) in self.powers.chunks_exact(n).enumerate().rev() {
            for (row, p) in rows.iter_mut().zip(power) {
                *row += p;
            }
            // Times s, or times 1 − s.
            for k in (0..=DENSE).rev() {
                for j in 0..n {
                    let (here, below) =
                        (rows[k * n + j], if k > 0 { rows[(k - 1) * n + j] } else { 0.0 });
                    rows[k * n + j] = if i % 2 == 0 { below } else { here - below };
                }
            }
        }
        for (row, start) in rows.iter_mut().zip(&self.start) {
            *row += start;
        }
    }
}

part! { Interpolant { parts: [start, powers], values: [], room: [] } }
