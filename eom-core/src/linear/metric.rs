//! Rows B(v) + b made orthonormal in the metric G of the kinetic energy: what impacts,
//! projections and start checks are computed with.
//!
//! With G = L D Lᵀ the numbers z = √D Lᵀ v have v·G v = z·z, and a row r acts on them as
//! c = √D⁻¹ L⁻¹ rᵀ, for r·v = c·z. Rows are made orthonormal one after the other, twice each
//! (Gram–Schmidt with reorthogonalisation: Giraud, Langou, Rozložník, van den Eshof 2005), their
//! affine parts with them:
//!
//! ```text
//! c ← c − Σ (c·ĉⱼ) ĉⱼ      β ← β − Σ (c·ĉⱼ) βⱼ      then both are divided by ‖c‖
//! ```
//!
//! Then G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹(B v + b) is Σ ĉ (ĉ·z + β) in these numbers. Nothing is inverted.
//!
//! What a velocity must satisfy is `B v = target`. The rounding of ĉ would leave a residual
//! r = B v − target of a few units, with a mean that is not zero; so it is computed from the rows
//! as they were given, and taken away (iterative refinement):
//!
//! ```text
//! δv = −G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹ r      with B = R ĉ, R lower triangular:  δz = −Σ ĉ β,  R β = r
//! ```
//!
//! A reflection then keeps the energy to rounding, without a drift over many of them.

use super::linalg::{MANY, dot, ldlt_factor, solve_lower, solve_upper};
use crate::error::NotPositiveDefinite;
use std::ops::Range;

/// A row whose part orthogonal to the rows before it is smaller than this part of its norm
/// depends on them.
const DEPENDENT: f64 = 1e-10;

/// A rate that a force, or an impulse, changes by less than this part of what it could does not feel it.
pub(crate) const UNFELT: f64 = 1e-12;

/// A metric and orthonormal rows. All memory is taken by [`RowSpace::new`].
#[derive(Debug, Clone)]
pub struct RowSpace {
    n: usize,
    /// L below the diagonal.
    factor: Vec<f64>,
    /// Whether L is the unit matrix.
    diagonal: bool,
    /// √D.
    roots: Vec<f64>,
    /// ĉ, n numbers each.
    rows: Vec<f64>,
    /// β.
    offsets: Vec<f64>,
    /// Where each ĉ has numbers that are not zero, from [`MANY`] speeds on: rows of different bodies have none in
    /// common.
    supports: Vec<Range<usize>>,
    /// R, its rows one after another: 1, 2, 3, … numbers.
    triangle: Vec<f64>,
    /// Which of the offered rows were taken.
    kept: Vec<usize>,
    /// R⁻¹ r of a refinement.
    refined: Vec<f64>,
    /// Rows offered so far.
    offered: usize,
    /// Which of the offered rows depend on those before.
    dropped: Vec<usize>,
    z: Vec<f64>,
    change: Vec<f64>,
}

impl RowSpace {
    /// Room for `rows` rows on n speeds.
    pub fn new(n: usize, rows: usize) -> Self {
        Self {
            n,
            factor: vec![0.0; n * n],
            diagonal: true,
            roots: vec![0.0; n],
            rows: Vec::with_capacity(n * rows),
            offsets: Vec::with_capacity(rows),
            supports: Vec::with_capacity(rows),
            triangle: Vec::with_capacity(rows * (rows + 1) / 2),
            kept: Vec::with_capacity(rows),
            refined: Vec::with_capacity(rows),
            offered: 0,
            dropped: Vec::with_capacity(rows),
            z: vec![0.0; n],
            change: vec![0.0; n],
        }
    }

    /// Takes the metric G, n×n, and forgets all rows.
    pub fn set_metric(&mut self, metric: &[f64]) -> Result<(), NotPositiveDefinite> {
        self.clear();
        self.factor.copy_from_slice(metric);
        let relative = ldlt_factor(self.n, &mut self.factor);
        self.diagonal =
            (0..self.n).all(|i| self.factor[i * self.n..][..i].iter().all(|l| *l == 0.0));
        let too_small = relative <= 4.0 * self.n as f64 * f64::EPSILON;
        let mut smallest = (0, f64::INFINITY);
        for i in 0..self.n {
            let pivot = self.factor[i * self.n + i];
            self.roots[i] = pivot.sqrt();
            if pivot.is_nan() || pivot <= 0.0 {
                return Err(NotPositiveDefinite { index: i, pivot });
            }
            let share = pivot / metric[i * self.n + i];
            if share < smallest.1 {
                smallest = (i, share);
            }
        }
        if too_small || !relative.is_finite() {
            let pivot = self.factor[smallest.0 * self.n + smallest.0];
            return Err(NotPositiveDefinite { index: smallest.0, pivot });
        }
        Ok(())
    }

    /// Takes the diagonal metric Gᵢᵢ = 1/wᵢ² and forgets all rows; every wᵢ is positive.
    pub(crate) fn set_weights(&mut self, weights: &[f64]) {
        self.clear();
        self.diagonal = true;
        for (root, weight) in self.roots.iter_mut().zip(weights) {
            *root = 1.0 / weight;
        }
    }

    /// Forgets the rows, keeps the metric.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.offsets.clear();
        self.supports.clear();
        self.triangle.clear();
        self.kept.clear();
        self.dropped.clear();
        self.offered = 0;
    }

    /// The number of independent rows.
    pub fn rank(&self) -> usize {
        self.offsets.len()
    }

    /// The rows that depend on those before them, by the order in which they were offered.
    pub fn dropped(&self) -> &[usize] {
        &self.dropped
    }

    /// Adds the row r·v + offset = 0. False where it depends on the rows before it and is left
    /// out; a row of zeros does, and so does one that is not finite.
    pub fn push(&mut self, row: &[f64], offset: f64) -> bool {
        self.dual(row);
        let mut reach = if self.n < MANY { 0..self.n } else { support(&self.z) };
        let whole = norm(&self.z[reach.clone()]);
        let (mut offset, start) = (offset, self.triangle.len());
        self.triangle.resize(start + self.rank(), 0.0);
        for _ in 0..2 {
            let rows = self.rows.chunks_exact(self.n).zip(&self.offsets).zip(&self.supports);
            for (((c, β), with), entry) in rows.zip(&mut self.triangle[start..]) {
                if with.end <= reach.start || reach.end <= with.start {
                    continue;
                }
                reach = reach.start.min(with.start)..reach.end.max(with.end);
                let (z, c) = (&mut self.z[reach.clone()], &c[reach.clone()]);
                let part = dot(z, c);
                *entry += part;
                for (z, c) in z.iter_mut().zip(c) {
                    *z -= part * c;
                }
                offset -= part * β;
            }
        }
        let rest = norm(&self.z[reach.clone()]);
        let independent = rest.is_finite() && rest > DEPENDENT * whole;
        if independent {
            self.rows.extend(self.z.iter().map(|z| z / rest));
            self.offsets.push(offset / rest);
            self.supports.push(reach);
            self.triangle.push(rest);
            self.kept.push(self.offered);
        } else {
            self.triangle.truncate(start);
            self.dropped.push(self.offered);
        }
        self.offered += 1;
        independent
    }

    /// Offers a row that is left out.
    pub(crate) fn leave_out(&mut self) {
        self.dropped.push(self.offered);
        self.offered += 1;
    }

    /// Rows offered so far.
    pub(crate) fn offered(&self) -> usize {
        self.offered
    }

    /// Forgets the rows after the first `rank` independent ones, of which so many were `offered`.
    pub(crate) fn forget(&mut self, rank: usize, offered: usize) {
        self.rows.truncate(rank * self.n);
        self.offsets.truncate(rank);
        self.supports.truncate(rank);
        self.triangle.truncate(rank * (rank + 1) / 2);
        self.kept.truncate(rank);
        self.dropped.retain(|dropped| *dropped < offered);
        self.offered = offered;
    }

    /// c with r = Σ cⱼ bⱼ over the independent rows bⱼ, for a row r that depends on them:
    ///
    /// ```text
    /// r = p ĉ, p = r G⁻¹ĉᵀ, and B = R ĉ:      Rᵀ c = p
    /// ```
    pub(crate) fn parts(&mut self, row: &[f64]) -> &[f64] {
        self.dual(row);
        self.refined.clear();
        self.refined.extend(self.rows.chunks_exact(self.n).map(|c| dot(&self.z, c)));
        for i in (0..self.refined.len()).rev() {
            let parts = &self.triangle[i * (i + 1) / 2..][..=i];
            let c = self.refined[i] / parts[i];
            self.refined[i] = c;
            for (p, part) in self.refined.iter_mut().zip(&parts[..i]) {
                *p -= part * c;
            }
        }
        &self.refined
    }

    /// Of the row taken last: the norm of its part orthogonal to the rows before it, and ĉ.
    pub(crate) fn newest(&self) -> Option<(f64, &[f64])> {
        Some((*self.triangle.last()?, self.rows.chunks_exact(self.n).next_back()?))
    }

    /// ‖r‖ = √(r G⁻¹ rᵀ).
    pub fn row_norm(&mut self, row: &[f64]) -> f64 {
        self.dual(row);
        norm(&self.z)
    }

    /// G⁻¹ rᵀ, n numbers.
    pub fn raise(&mut self, row: &[f64]) -> &[f64] {
        self.dual(row);
        self.unwhiten();
        &self.z
    }

    /// ‖v‖ = √(v·G v).
    pub fn norm(&mut self, v: &[f64]) -> f64 {
        self.whiten(v);
        norm(&self.z)
    }

    /// v − factor·G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹(B v + b) with B the first `count` independent rows, in place:
    /// factor 1 projects on B v + b = 0, factor 2 reflects.
    pub fn apply(&mut self, count: usize, factor: f64, v: &mut [f64]) {
        self.correction(count, factor, v);
        for (v, z) in v.iter_mut().zip(&self.z) {
            *v += z;
        }
    }

    /// The change −factor·G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹(B v + b) itself, n numbers.
    pub fn correction(&mut self, count: usize, factor: f64, v: &[f64]) -> &[f64] {
        self.whiten(v);
        let rows = self.rows.chunks_exact(self.n).zip(&self.offsets).take(count);
        self.change.fill(0.0);
        for (c, β) in rows {
            let part = -factor * (dot(&self.z, c) + β);
            for (change, c) in self.change.iter_mut().zip(c) {
                *change += part * c;
            }
        }
        self.z.copy_from_slice(&self.change);
        self.unwhiten();
        &self.z
    }

    /// −G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹ r with B the first `count` independent rows, and `residual(i)` the number
    /// that belongs to the row offered as the i-th.
    pub fn counter(&mut self, count: usize, mut residual: impl FnMut(usize) -> f64) -> &[f64] {
        self.refined.clear();
        self.z.fill(0.0);
        let mut start = 0;
        for (row, c) in self.rows.chunks_exact(self.n).take(count).enumerate() {
            let parts = &self.triangle[start..=start + row];
            let β = (residual(self.kept[row]) - dot(&parts[..row], &self.refined)) / parts[row];
            for (z, c) in self.z.iter_mut().zip(c) {
                *z -= β * c;
            }
            self.refined.push(β);
            start += row + 1;
        }
        self.unwhiten();
        &self.z
    }

    /// The change that the last of these functions computed.
    pub(crate) fn last_change(&self) -> &[f64] {
        &self.z
    }

    /// [`RowSpace::counter`] of one row in the diagonal metric Gᵢᵢ = 1/wᵢ², which it needs no orthonormal
    /// row for: −W rᵀ residual/(r W rᵀ), W = diag wᵢ².
    pub(crate) fn counter_of_one(&mut self, row: &[f64], weights: &[f64], residual: f64) -> &[f64] {
        let mut square = 0.0;
        for ((z, r), w) in self.z.iter_mut().zip(row).zip(weights) {
            *z = r * w * w;
            square += r * *z;
        }
        let factor = if square.is_normal() { -residual / square } else { 0.0 };
        for z in &mut self.z {
            *z *= factor;
        }
        &self.z
    }

    /// The vector of the orthonormal row of this index: the x with x·G x = 1 and r·x = 0 for the
    /// rows before it.
    pub(crate) fn vector(&mut self, index: usize) -> &[f64] {
        self.z.copy_from_slice(&self.rows[index * self.n..][..self.n]);
        self.unwhiten();
        &self.z
    }

    /// The μ of the last [`RowSpace::counter`], whose change is δv = G⁻¹Bᵀμ: one number for each row
    /// offered, 0 for those that were dropped.
    ///
    /// ```text
    /// G δv = Bᵀμ and δz = −Σ ĉ β, B = R ĉ:      Rᵀμ = −β
    /// ```
    pub fn multipliers(&mut self, multipliers: &mut [f64]) {
        multipliers.fill(0.0);
        let count = self.refined.len();
        for i in (0..count).rev() {
            let start = i * (i + 1) / 2;
            let parts = &self.triangle[start..=start + i];
            let μ = -self.refined[i] / parts[i];
            for (β, part) in self.refined.iter_mut().zip(&parts[..i]) {
                *β += part * μ;
            }
            multipliers[self.kept[i]] = μ;
        }
    }

    /// Writes P = G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹B, n×n.
    pub fn projector(&mut self, p: &mut [f64]) {
        let n = self.n;
        p.fill(0.0);
        for r in 0..self.rank() {
            // P = Σ (W⁻¹ĉ)(ĉᵀW) with z = W v: column from ĉ, row by acting on unit vectors.
            self.z.copy_from_slice(&self.rows[r * n..(r + 1) * n]);
            self.unwhiten();
            for j in 0..n {
                let entry = self.row_entry(r, j);
                for i in 0..n {
                    p[i * n + j] += self.z[i] * entry;
                }
            }
        }
    }

    /// (ĉᵣᵀ W)ⱼ = Σᵢ ĉᵢ √dᵢ lⱼᵢ.
    fn row_entry(&self, r: usize, j: usize) -> f64 {
        let n = self.n;
        let c = &self.rows[r * n..(r + 1) * n];
        if self.diagonal {
            return c[j] * self.roots[j];
        }
        let below: f64 = (0..j).map(|i| c[i] * self.roots[i] * self.factor[j * n + i]).sum();
        below + c[j] * self.roots[j]
    }

    /// z = √D⁻¹ L⁻¹ rᵀ.
    fn dual(&mut self, row: &[f64]) {
        self.z.copy_from_slice(row);
        if !self.diagonal {
            solve_lower(self.n, &self.factor, &mut self.z);
        }
        for (z, root) in self.z.iter_mut().zip(&self.roots) {
            *z /= root;
        }
    }

    /// z = √D Lᵀ v.
    fn whiten(&mut self, v: &[f64]) {
        if self.diagonal {
            for ((z, root), v) in self.z.iter_mut().zip(&self.roots).zip(v) {
                *z = root * v;
            }
            return;
        }
        for i in 0..self.n {
            let above: f64 = (i + 1..self.n).map(|k| self.factor[k * self.n + i] * v[k]).sum();
            self.z[i] = self.roots[i] * (v[i] + above);
        }
    }

    /// v = L⁻ᵀ √D⁻¹ z, in place of z.
    fn unwhiten(&mut self) {
        for (z, root) in self.z.iter_mut().zip(&self.roots) {
            *z /= root;
        }
        if !self.diagonal {
            solve_upper(self.n, &self.factor, &mut self.z);
        }
    }
}

/// √(z·z).
fn norm(z: &[f64]) -> f64 {
    dot(z, z).sqrt()
}

/// Where a vector has numbers that are not zero.
fn support(z: &[f64]) -> Range<usize> {
    let first = z.iter().position(|z| *z != 0.0).unwrap_or(z.len());
    first..z.iter().rposition(|z| *z != 0.0).map_or(first, |last| last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs x, y with G = [[2, 1/2], [1/2, 1]], a row x = 0 each, and one row across: y of the first is y of the last.
    /// By hand: x → 0 takes y to y + x/2, then the two y go to their mean.
    #[test]
    fn pairs_are_projected_each_by_itself() {
        for pairs in [3, 20] {
            let n = 2 * pairs;
            let mut metric = vec![0.0; n * n];
            for i in (0..n).step_by(2) {
                metric[i * n + i] = 2.0;
                metric[(i + 1) * n + i + 1] = 1.0;
                metric[i * n + i + 1] = 0.5;
                metric[(i + 1) * n + i] = 0.5;
            }
            let mut space = RowSpace::new(n, pairs + 1);
            space.set_metric(&metric).expect("it is positive");
            let rows: Vec<Vec<f64>> = (0..=pairs)
                .map(|row| {
                    let mut entries = vec![0.0; n];
                    if row < pairs {
                        entries[2 * row] = 1.0;
                    } else {
                        (entries[1], entries[n - 1]) = (1.0, -1.0);
                    }
                    entries
                })
                .collect();
            assert!(rows.iter().all(|row| space.push(row, 0.0)), "they are independent");
            let mut v: Vec<f64> = (0..n).map(|i| 1.0 + i as f64).collect();
            let mut wanted: Vec<f64> =
                v.chunks_exact(2).flat_map(|pair| [0.0, pair[1] + 0.5 * pair[0]]).collect();
            let mean = 0.5 * (wanted[1] + wanted[n - 1]);
            (wanted[1], wanted[n - 1]) = (mean, mean);
            space.apply(pairs + 1, 1.0, &mut v);
            for (v, wanted) in v.iter().zip(&wanted) {
                assert!((v - wanted).abs() < 1e-13 * n as f64, "{v}, not {wanted}");
            }
            assert!(!space.push(&rows[1], 0.0), "it depends on itself");
        }
    }
}
