//! The problem of one step: impulses in their cones, row by row.
//!
//! ```text
//! v = v_f + Σ N rᵢᵀ pᵢ                       N = M⁻¹ − M⁻¹Aᵀ(AM⁻¹Aᵀ)⁻¹AM⁻¹
//! pᵢ ← max(0, pᵢ − ρᵢ/Dᵢ)                    a normal row, ρᵢ = rᵢ v + offset, Dᵢ = rᵢ N rᵢᵀ
//! p ← p − D⁻¹ρ, or 0                         a tied row, where its normal impulse is positive, or not
//! p ← proj(p − ρ/D), ‖p‖ ≤ limit             friction, D a bound of the eigenvalues of J N Jᵀ
//! ```
//!
//! What slides is braked by μ, and what holds it at rest is μ_s: also where it comes to rest within the step, so that it would be
//! friction along the slip before that keeps it from turning back.
//!
//! One block after another, each with the velocity that those before have left (Gauss–Seidel; Jourdan, Alart, Jean 1998),
//! until a sweep changes ‖v‖ in the metric by no more than [`TOLERANCE`] of what the step is made of. Along a row of n bodies
//! that takes of the order of n² sweeps; after [`PLAIN`] of them normal rows go [`FARTHER`] times as far (Cryer 1971: projected
//! over-relaxation converges, too, and takes of the order of n), unless that leads away. Where rows are nearly one, as the friction
//! of both ends of a rod that falls flat, sweeps change their impulses by the same amount each time: they are followed in one go
//! to where one of them comes to its limit.

use crate::contact::rows::Rows;
use crate::linear::linalg::dot;
use std::ops::Range;

/// What a row may still change of the velocity when the problem is solved, as a part of the velocities of the step.
const TOLERANCE: f64 = 1e-13;

/// Sweeps over all rows.
pub(super) const SWEEPS_MAX: usize = 100_000;

/// Sweeps before normal rows go farther, how much farther, and how much more than the least a sweep may change then.
const PLAIN: usize = 100;
const FARTHER: f64 = 1.9;
const AWAY: f64 = 1e4;

/// Each so many sweeps it is looked whether they drift: that changes of the impulses differ by no more than this part of them.
const DRIFTS: usize = 50;
const STEADY: f64 = 1e-2;

/// A row of which less than this part, of its ‖r‖² in the metric, is left by the constraints depends on them.
const DEPENDENT: f64 = 1e-20;

/// What the impulse of a block obeys.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cone {
    /// p ≥ 0 ⊥ ρ ≥ 0, of a contact.
    Normal { contact: usize },
    /// ρ = 0 where the impulse of a normal row is positive, p = 0 elsewhere; an own row.
    Tied { own: usize, normal: usize },
    /// ‖p‖ ≤ c P, P the impulse of a normal row, c that of what slides or at rest; a term.
    Friction { term: usize, normal: usize, c: [f64; 2] },
    /// ‖p‖ ≤ limit; a term.
    Dry { term: usize, limit: f64 },
}

/// Rows that have one impulse together.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub(super) cone: Cone,
    /// Its rows.
    pub(super) rows: Range<usize>,
    /// D: no eigenvalue of its part of r N rᵀ is larger.
    bound: f64,
}

/// The rows of a step, with room for all there can be.
#[derive(Debug, Clone)]
pub(super) struct Problem {
    m: usize,
    /// r, m numbers each.
    rows: Vec<f64>,
    /// N rᵀ, m numbers each.
    responses: Vec<f64>,
    /// Where a row or its response has numbers that are not zero.
    supports: Vec<Range<usize>>,
    offsets: Vec<f64>,
    /// The slip of a row of friction before the step; 0 where that rests, and of other rows.
    slips: Vec<f64>,
    pub(super) impulses: Vec<f64>,
    pub(super) blocks: Vec<Block>,
    /// A N rᵀ before the constraints.
    residuals: Vec<f64>,
    /// The impulses of a block before they are changed.
    before: Vec<f64>,
    /// All before a sweep, and the changes of the last two that were looked at.
    earlier: Vec<f64>,
    drifts: [Vec<f64>; 2],
}

impl Problem {
    /// Room for so many rows on m speeds, with k constraints.
    pub(super) fn new(m: usize, k: usize, rows: usize) -> Self {
        Self {
            m,
            rows: Vec::with_capacity(rows * m),
            responses: Vec::with_capacity(rows * m),
            supports: Vec::with_capacity(rows),
            offsets: Vec::with_capacity(rows),
            slips: Vec::with_capacity(rows),
            impulses: Vec::with_capacity(rows),
            blocks: Vec::with_capacity(rows),
            residuals: vec![0.0; k],
            before: Vec::with_capacity(rows),
            earlier: Vec::with_capacity(rows),
            drifts: [Vec::with_capacity(rows), Vec::with_capacity(rows)],
        }
    }

    pub(super) fn clear(&mut self) {
        let Self { rows, responses, supports, offsets, slips, impulses, blocks, .. } = self;
        rows.clear();
        responses.clear();
        supports.clear();
        offsets.clear();
        slips.clear();
        impulses.clear();
        blocks.clear();
    }

    /// Takes a row r with ρ = r v + offset, and the impulse to begin with; [`Problem::respond`] has to follow.
    pub(super) fn offer(&mut self, row: &[f64], offset: f64, impulse: f64) {
        self.rows.extend_from_slice(row);
        self.offsets.push(offset);
        self.slips.push(0.0);
        self.impulses.push(impulse);
    }

    /// The row offered last is of friction that slips so before the step.
    pub(super) fn slips_before(&mut self, slip: f64) {
        if let Some(last) = self.slips.last_mut() {
            *last = slip;
        }
    }

    /// N rᵀ of the rows offered since, which are one block. `space` has the constraints taken, and no other row.
    pub(super) fn respond(&mut self, space: &mut Rows, cone: Cone) {
        let rows = self.supports.len()..self.offsets.len();
        let mut is_free = false;
        for row in rows.clone() {
            let r = &self.rows[row * self.m..][..self.m];
            let alone = dot(r, space.acceleration(r));
            self.responses.extend_from_slice(space.acceleration(r));
            if !self.residuals.is_empty() {
                let response = &mut self.responses[row * self.m..][..self.m];
                space.constrain(response, &mut self.residuals);
            }
            is_free |= self.mobility(row, row) > DEPENDENT * alone;
            self.supports.push(self.support(row));
        }
        // Where the constraints leave a block nothing to move, its impulses would be those of rounding.
        let sum =
            |row: usize| -> f64 { rows.clone().map(|other| self.mobility(row, other).abs()).sum() };
        let largest = rows.clone().map(sum).fold(0.0, f64::max);
        let bound = if is_free { largest } else { 0.0 };
        self.blocks.push(Block { cone, rows, bound });
    }

    /// rᵢ N rⱼᵀ.
    fn mobility(&self, i: usize, j: usize) -> f64 {
        dot(&self.rows[i * self.m..][..self.m], &self.responses[j * self.m..][..self.m])
    }

    fn support(&self, row: usize) -> Range<usize> {
        let at = row * self.m..(row + 1) * self.m;
        let entries = self.rows[at.clone()].iter().zip(&self.responses[at]);
        let is_there = |(r, x): (&f64, &f64)| *r != 0.0 || *x != 0.0;
        let (first, last) =
            (entries.clone().position(is_there), entries.clone().rposition(is_there));
        first.unwrap_or(0)..last.map_or(0, |last| last + 1)
    }

    /// ρ of a row.
    pub(super) fn residual(&self, row: usize, v: &[f64]) -> f64 {
        let at = self.supports[row].clone();
        dot(&self.rows[row * self.m..][..self.m][at.clone()], &v[at]) + self.offsets[row]
    }

    /// Adds N rᵀ p.
    fn add(&self, row: usize, p: f64, v: &mut [f64]) {
        let at = self.supports[row].clone();
        let response = &self.responses[row * self.m..][..self.m][at.clone()];
        v[at].iter_mut().zip(response).for_each(|(v, x)| *v += p * x);
    }

    /// From v_f to the velocity after the step. None where it does not come to rest within [`SWEEPS_MAX`]. `speed` is the
    /// size of what the step is made of, in the metric.
    pub(super) fn solve(&mut self, v: &mut [f64], speed: f64) -> Option<()> {
        for row in 0..self.impulses.len() {
            self.add(row, self.impulses[row], v);
        }
        let (mut least, mut leads_away) = (f64::INFINITY, false);
        for sweep in 0..SWEEPS_MAX {
            let (mut moved, mut largest) = (0.0, speed);
            let reach = if sweep < PLAIN || leads_away { 1.0 } else { FARTHER };
            let looks = sweep >= PLAIN && sweep % DRIFTS + 2 >= DRIFTS;
            if looks {
                self.earlier.clone_from(&self.impulses);
            }
            for block in 0..self.blocks.len() {
                moved = self.relax(block, reach, v).max(moved);
                let Block { rows, bound, .. } = &self.blocks[block];
                let first = self.impulses[rows.start];
                largest = largest.max(first.abs() * bound.sqrt());
            }
            if moved <= TOLERANCE * largest {
                return Some(());
            }
            if looks {
                self.see_drift();
            }
            if looks && sweep % DRIFTS + 1 == DRIFTS {
                self.follow_drift(v);
            }
            least = least.min(moved);
            leads_away |= reach > 1.0 && moved > AWAY * least;
        }
        None
    }

    /// Takes what the last sweep has changed.
    fn see_drift(&mut self) {
        let Self { earlier, impulses, drifts, .. } = self;
        drifts.swap(0, 1);
        drifts[1].clear();
        drifts[1].extend(impulses.iter().zip(earlier).map(|(p, before)| p - *before));
    }

    /// Where the last two sweeps have changed the impulses alike, goes on so until a block comes to its limit, or as long as that
    /// lasts.
    fn follow_drift(&mut self, v: &mut [f64]) {
        let [before, now] = &self.drifts;
        let change = now.iter().zip(before).map(|(now, before)| (now - before).powi(2));
        let (size, change) = (dot(now, now).sqrt(), change.sum::<f64>().sqrt());
        if size == 0.0 || change > STEADY * size {
            return;
        }
        let lasts = size / change.max(f64::EPSILON * size);
        let sweeps = self.blocks.iter().map(|block| self.room(block)).fold(lasts, f64::min);
        for row in 0..self.impulses.len() {
            let change = sweeps * self.drifts[1][row];
            self.impulses[row] += change;
            self.add(row, change, v);
        }
    }

    /// In how many sweeps a block comes to its limit: p + n δ to 0, or ‖p + n δ‖ to the limit, which changes as well.
    fn room(&self, block: &Block) -> f64 {
        let (p, δ) = (&self.impulses[block.rows.clone()], &self.drifts[1][block.rows.clone()]);
        let (limit, growth) = match block.cone {
            Cone::Normal { .. } => return if δ[0] < 0.0 { -p[0] / δ[0] } else { f64::INFINITY },
            Cone::Tied { .. } => return f64::INFINITY,
            Cone::Friction { normal, c, .. } => {
                let c = self.coefficient(&block.rows, c);
                (c * self.impulses[normal], c * self.drifts[1][normal])
            }
            Cone::Dry { limit, .. } => (limit, 0.0),
        };
        // (limit + n growth)² − ‖p + n δ‖² = inside − 2 b n − a n²
        let (a, b) = (dot(δ, δ) - growth * growth, dot(p, δ) - limit * growth);
        let inside = limit * limit - dot(p, p);
        let root = b + (b * b + a * inside).sqrt();
        let is_inside = inside > INSIDE * limit * limit;
        if is_inside && root > 0.0 { inside / root } else { f64::INFINITY }
    }

    /// One block. Returns what it changes of ‖v‖, at most.
    fn relax(&mut self, block: usize, reach: f64, v: &mut [f64]) -> f64 {
        let Block { cone, rows, bound } = self.blocks[block].clone();
        if bound <= 0.0 {
            return 0.0;
        }
        self.before.clear();
        self.before.extend_from_slice(&self.impulses[rows.clone()]);
        let reach = if matches!(cone, Cone::Normal { .. }) { reach } else { 1.0 };
        for row in rows.clone() {
            self.impulses[row] -= reach * self.residual(row, v) / bound;
        }
        self.project(cone, rows.clone());
        let mut square = 0.0;
        for (i, row) in rows.enumerate() {
            let change = self.impulses[row] - self.before[i];
            if change != 0.0 {
                self.add(row, change, v);
                square += change * change;
            }
        }
        (square * bound).sqrt()
    }

    /// Impulses to their cone.
    fn project(&mut self, cone: Cone, rows: Range<usize>) {
        let limit = match cone {
            Cone::Normal { .. } => {
                self.impulses[rows].iter_mut().for_each(|p| *p = p.max(0.0));
                return;
            }
            Cone::Tied { normal, .. } if self.impulses[normal] > 0.0 => return,
            Cone::Tied { .. } => 0.0,
            Cone::Friction { normal, c, .. } => self.coefficient(&rows, c) * self.impulses[normal],
            Cone::Dry { limit, .. } => limit,
        };
        let p = &mut self.impulses[rows];
        let size = dot(p, p).sqrt();
        if size > limit {
            for p in p {
                *p *= limit / size;
            }
        }
    }

    /// The coefficient by which friction acts: that at rest where its impulse is along the slip before, or that rests.
    fn coefficient(&self, rows: &Range<usize>, [sliding, at_rest]: [f64; 2]) -> f64 {
        let (slip, p) = (&self.slips[rows.clone()], &self.impulses[rows.clone()]);
        let holds = slip.iter().all(|w| *w == 0.0) || dot(slip, p) > 0.0;
        if holds { at_rest } else { sliding }
    }

    /// Whether friction is within its cone: it sticks.
    pub(super) fn sticks(&self, block: &Block) -> bool {
        let limit = match block.cone {
            Cone::Friction { normal, c, .. } => {
                self.coefficient(&block.rows, c) * self.impulses[normal]
            }
            Cone::Dry { limit, .. } => limit,
            Cone::Normal { .. } | Cone::Tied { .. } => return false,
        };
        let p = &self.impulses[block.rows.clone()];
        limit > 0.0 && dot(p, p).sqrt() < limit * (1.0 - INSIDE)
    }
}

/// Friction sticks where its impulse is this part below its limit.
const INSIDE: f64 = 1e-12;
