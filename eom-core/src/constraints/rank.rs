//! Whether the rows that are kept stay independent along a motion.
//!
//! In the metric of the kinetic energy, M taken as diagonal, zᵢ is the part of row i orthogonal to the rows
//! before it (Gram–Schmidt), ρᵢ = ‖zᵢ‖. The rank is lost where a zᵢ is zero. Near to that rounding ε of φ moves the
//! state by ε/ρᵢ, multipliers grow, and what a method computes is of neighbouring motions that turn away.
//! A step from rows z to rows z′ is
//!
//! ```text
//! kept       zᵢ·zᵢ′ > 0 and ρᵢ′ ≥ ρᵢ/8 for all i: no zᵢ has gone through zero
//! doubtful   otherwise: a shorter step tells
//! lost       ρᵢ falls, and δ (ρᵢ′/ρ̂ᵢ) < 10⁻⁷ with both below 10⁻²
//! ```
//!
//! δ = ρᵢ′ ‖Δq‖/(Λᵢ ‖zᵢ′ − zᵢ‖) is the way that is left to the place where zᵢ is zero, in units of the
//! scale Λᵢ of the coordinates on which zᵢ acts, ρ̂ᵢ the largest ρᵢ so far. Two numbers, since either alone is small where
//! nothing is lost: a row may have any factor, and a coordinate be large. At the end of a motion that
//! started far from such a place, the coordinates err by ε/ρ and so the velocities by ε/ρ² ≈ 10⁻⁹ at most.
//!
//! Rows change little in most steps, and then keep their rank. A row k before row i turns what is taken off of that
//! by ‖Δaₖ‖/ρₖ, so that all that is asked of those is, to first order,
//!
//! ```text
//! ‖Δaᵢ‖ + ‖aᵢ‖ max_{k<i} ‖Δaₖ‖/ρₖ ≤ ρᵢ/2
//! ```

use crate::linear::linalg::dot;
use crate::linear::metric::RowSpace;
use crate::snapshot::words::part;

/// Rows that have changed by less than this part of ρ are not looked at.
const NEAR: f64 = 0.5;

/// A step in which ρ falls to less than this part is doubtful.
const FALL: f64 = 1.0 / 8.0;

/// What is left of ρ and of the way, and their product, below which the rank is lost.
const SMALL: f64 = 1e-2;
const SMALL_PRODUCT: f64 = 1e-7;

/// A row depends on others where ρ is less than this part of its norm; else it is zero itself.
const DEPENDS: f64 = 0.1;

/// Others have part in a dependence with more than this share.
const SHARE: f64 = 1e-3;

/// What a step did to the rank of the rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Rank {
    Kept,
    /// This row may have passed a place where it depends on the others.
    Doubtful(usize),
    /// This row depends on the others just beyond.
    Lost(usize),
}

/// Rows at a time, their zᵢ and ρᵢ; ρᵢ = 0 where the row depends on those before.
#[derive(Debug, Clone, Default)]
struct Frame {
    t: f64,
    rows: Vec<f64>,
    rests: Vec<f64>,
    sizes: Vec<f64>,
}

/// The rows of the last state at which they were looked at, those within a step that is tried, and those
/// of the state reached last.
#[derive(Debug, Clone)]
pub(crate) struct RankWatch {
    n: usize,
    /// 1/√Mⱼⱼ, and √Mⱼⱼ times the scale of a displacement.
    units: Vec<f64>,
    scales: Vec<f64>,
    last: Frame,
    passed: Frame,
    tried: Frame,
    /// Whether `passed` is one of the present step.
    on_way: bool,
    /// Whether `tried` is that of the state reached last.
    fresh: bool,
    /// ρ̂ᵢ.
    largest: Vec<f64>,
    space: RowSpace,
}

impl RankWatch {
    /// For rows on n speeds, at most `rows` of them.
    pub(crate) fn new(n: usize, rows: usize) -> Self {
        let frame = || Frame {
            t: 0.0,
            rows: Vec::with_capacity(n * rows),
            rests: Vec::with_capacity(n * rows),
            sizes: Vec::with_capacity(rows),
        };
        Self {
            n,
            units: vec![1.0; n],
            scales: vec![1.0; n],
            last: frame(),
            passed: frame(),
            tried: frame(),
            on_way: false,
            fresh: false,
            largest: Vec::with_capacity(rows),
            space: RowSpace::new(n, rows),
        }
    }

    /// Nothing is left of the motion before.
    pub(crate) fn forget(&mut self) {
        self.largest.clear();
    }

    /// The motion begins with these rows, with the mass matrix and the scales of the displacements along
    /// the speeds there.
    pub(crate) fn begin(&mut self, t: f64, rows: &[f64], mass: &[f64], scales: &[f64]) {
        (self.fresh, self.on_way) = (false, false);
        // After a jump of the velocities the rows are where they were.
        if !self.largest.is_empty() && self.is_near(rows) {
            return;
        }
        for (j, scale) in scales.iter().enumerate() {
            let root = mass[j * self.n + j].sqrt();
            let is_mass = root.is_finite() && root > 0.0;
            self.units[j] = if is_mass { 1.0 / root } else { 1.0 };
            self.scales[j] = scale / self.units[j];
        }
        self.measure(t, rows);
        std::mem::swap(&mut self.last, &mut self.tried);
        self.largest.resize(self.last.sizes.len(), 0.0);
        self.keep_largest();
    }

    /// A step begins from the state that was accepted last.
    pub(crate) fn start(&mut self) {
        (self.fresh, self.on_way) = (false, false);
    }

    /// The step goes on from the state looked at last.
    pub(crate) fn pass(&mut self) {
        if std::mem::take(&mut self.fresh) {
            std::mem::swap(&mut self.passed, &mut self.tried);
            self.on_way = true;
        }
    }

    /// What became of the rank on the way to a state with these rows and the velocity v. Rows without a value
    /// say nothing of it.
    pub(crate) fn look(&mut self, t: f64, rows: &[f64], v: &[f64]) -> Rank {
        self.fresh = false;
        if self.is_near(rows) || rows.iter().any(|entry| !entry.is_finite()) {
            return Rank::Kept;
        }
        self.measure(t, rows);
        self.fresh = true;
        let Self { n, units, scales, last, passed, tried, on_way, largest, .. } = self;
        let last = if *on_way { passed } else { last };
        let span = (t - last.t).abs();
        let moved =
            v.iter().zip(&*units).fold(0.0_f64, |m, (v, unit)| m.max(v.abs() * span / unit));
        let frames = last.rests.chunks_exact(*n).zip(tried.rests.chunks_exact(*n));
        let sizes = last.sizes.iter().zip(&tried.sizes).zip(largest.iter());
        for (i, ((z, now), ((before, size), largest))) in frames.zip(sizes).enumerate() {
            if *before == 0.0 {
                continue;
            }
            let keeps = dot(z, now) > 0.0 && *size >= FALL * before;
            if !keeps {
                return Rank::Doubtful(i);
            }
            let change = z.iter().zip(now).map(|(a, b)| (b - a) * (b - a)).sum::<f64>().sqrt();
            let parts = now.iter().zip(&*scales).map(|(z, scale)| z.abs() * scale);
            let way = size * moved / (change * parts.fold(0.0, f64::max) / size);
            let left = size / largest;
            if size < before && way < SMALL && left < SMALL && way * left < SMALL_PRODUCT {
                return Rank::Lost(i);
            }
        }
        Rank::Kept
    }

    /// The state looked at last is where the motion goes on.
    pub(crate) fn accept(&mut self) {
        let (fresh, on_way) = (std::mem::take(&mut self.fresh), std::mem::take(&mut self.on_way));
        let newest = if fresh { &mut self.tried } else { &mut self.passed };
        if !fresh && !on_way {
            return;
        }
        std::mem::swap(&mut self.last, newest);
        self.keep_largest();
    }

    fn keep_largest(&mut self) {
        for (largest, size) in self.largest.iter_mut().zip(&self.last.sizes) {
            *largest = largest.max(*size);
        }
    }

    /// Row i of the state looked at last, and before it those with which it has a part in common
    /// where it depends on them.
    pub(crate) fn dependence(&self, i: usize) -> Vec<usize> {
        let Self { n, units, tried, .. } = self;
        let entries = tried.rows[i * n..][..*n].iter().zip(units);
        let row: Vec<f64> = entries.map(|(a, s)| a * s).collect();
        let norm = dot(&row, &row).sqrt();
        let is_zero = tried.sizes[i] >= DEPENDS * norm;
        let part = |k: usize| dot(&row, &tried.rests[k * n..][..*n]).abs() / tried.sizes[k];
        let others = (0..i).filter(|k| !is_zero && part(*k) > SHARE * norm);
        others.chain(std::iter::once(i)).collect()
    }

    /// Whether no zᵢ has changed by more than a part of its ρ.
    fn is_near(&self, rows: &[f64]) -> bool {
        let Self { n, units, last, passed, on_way, .. } = self;
        let last = if *on_way { passed } else { last };
        if last.rows.len() != rows.len() {
            return false;
        }
        let mut turned = 0.0_f64;
        let pairs = rows.chunks_exact(*n).zip(last.rows.chunks_exact(*n));
        pairs.zip(&last.sizes).all(|((now, before), size)| {
            if *size == 0.0 {
                return true;
            }
            let terms = now.iter().zip(before).zip(units);
            let change = terms.map(|((a, b), s)| ((a - b) * s).powi(2)).sum::<f64>().sqrt();
            let norm =
                || before.iter().zip(units).map(|(b, s)| (b * s).powi(2)).sum::<f64>().sqrt();
            let off = if turned > 0.0 { norm() * turned } else { 0.0 };
            turned = turned.max(change / size);
            change + off <= NEAR * size
        })
    }

    /// The zᵢ of rows.
    fn measure(&mut self, t: f64, rows: &[f64]) {
        let Self { n, units, tried, space, .. } = self;
        tried.t = t;
        tried.rows.clear();
        tried.rows.extend_from_slice(rows);
        tried.rests.clear();
        tried.sizes.clear();
        space.set_weights(units);
        for row in rows.chunks_exact(*n) {
            let independent = space.push(row, 0.0);
            let (size, direction) = space.newest().filter(|_| independent).unwrap_or((0.0, row));
            tried.sizes.push(size);
            tried.rests.extend(direction.iter().map(|c| size * c));
        }
    }
}

part! { RankWatch {
    parts: [units, scales, last, passed, tried],
    values: [on_way, fresh, largest],
    room: [n, space],
} }

part! {
    Frame { parts: [], values: [t, rows, rests, sizes], room: [] },
    |it, from| from.check(it.rows.len() == it.rests.len())
}
