//! min ½‖y‖² − f·y + Σ c_k‖r_k‖ with r_k = G_k y + h_k.
//!
//! 1. *Smoothed*: ‖r‖ → η = √(‖r‖² + ε²), ε from 10⁻¹ to 10⁻¹⁴ of the scale of r. The reactions
//!    λ are unknowns of their own in the linearisation of λη = c r (Chan, Golub, Mulet, SIAM J. Sci.
//!    Comput. 20, 1999), so that Newton's method takes few steps at every ε:
//!
//! ```text
//! (1 + Σ Gᵀ B G) δy = f − y − Σ Gᵀ c r/η        B = (c − ½(λrᵀ + rλᵀ)/η)/η
//! λ⁺ = (c r + (c − λrᵀ/η) G δy)/η, shortened to ‖λ⁺‖ ≤ c
//! ```
//!
//! 2. *Split*: the terms with small r are taken to stick, beginning with all of them; Newton's
//!    method on the others within G_S y + h_S = 0; λ_S is the least change of the smoothed one that
//!    balances the forces. The split with the smallest residual is the answer.

use super::FrictionError;
use crate::linear::linalg::{dot, ldlt_factor, ldlt_solve};
use crate::linear::metric::RowSpace;
use eom_elementary as elementary;
use eom_elementary::order;

/// The last ε.
const SMOOTHING_LAST: f64 = 1e-14;

/// From one ε to the next.
const SMOOTHING_FACTOR: f64 = 0.1;

/// Steps of Newton's method at one ε, and on one split.
const STEPS_MAX: usize = 40;

/// A step below this part of ε, or of the unit at the last ε, is the last.
const STEP_TOLERANCE: f64 = 1e-2;

/// A decrease below this part of the slope shortens a step.
const ARMIJO: f64 = 1e-4;

/// Halvings of a step.
const HALVINGS_MAX: usize = 20;

/// Terms whose r is below this part of its scale may stick.
const SMALL_RATE: f64 = 1e-3;

/// On a split, Newton's steps are no longer than this part of the scale.
const POLISH_MAX: f64 = 1e-2;

/// A residual that needs no other split.
const SOLVED: f64 = 1e-13;

/// A residual that is no solution.
const UNSOLVED: f64 = 1e-6;

/// Forces below this part of what the terms hold are zero beside it: they are balanced to the rounding of that.
const FAINT: f64 = 1e-8;

/// A y shorter than this part of f may be zero.
const DOUBTFUL: f64 = 1e-5;

/// Dinkelbach's steps, and the gain below which they end.
const LOAD_STEPS_MAX: usize = 60;
const LOAD_TOLERANCE: f64 = 1e-15;

/// A load beyond this is infinite: some force is not held at all.
pub(super) const LOAD_MAX: f64 = 1e8;

/// A term c‖G y + h‖.
#[derive(Debug, Clone)]
pub(super) struct Term {
    coefficient: f64,
    /// G, r×d.
    rows: Vec<f64>,
    /// h.
    pub(super) shift: Vec<f64>,
    /// ‖G‖.
    size: f64,
}

impl Term {
    pub(super) fn new(coefficient: f64, rows: Vec<f64>, shift: Vec<f64>) -> Self {
        let size = norm(&rows);
        Self { coefficient, rows, shift, size }
    }

    /// r = G y + h.
    pub(super) fn rate(&self, y: &[f64]) -> Vec<f64> {
        let rows = (0..self.shift.len()).map(|i| self.row(i, y.len()));
        rows.zip(&self.shift).map(|(row, h)| dot(row, y) + h).collect()
    }

    fn row(&self, i: usize, d: usize) -> &[f64] {
        &self.rows[i * d..][..d]
    }

    /// sum += factor·Gᵀλ.
    fn add_force(&self, factor: f64, λ: &[f64], sum: &mut [f64]) {
        for (i, λ) in λ.iter().enumerate() {
            let row = self.row(i, sum.len());
            sum.iter_mut().zip(row).for_each(|(sum, g)| *sum += factor * λ * g);
        }
    }

    /// sum += Gᵀ B G.
    fn add_stiffness(&self, b: &[f64], d: usize, sum: &mut [f64]) {
        let r = self.shift.len();
        for i in 0..r {
            for j in 0..r {
                let (left, right) = (self.row(i, d), self.row(j, d));
                for (p, left) in left.iter().enumerate() {
                    for (q, right) in right.iter().enumerate() {
                        sum[p * d + q] += b[i * r + j] * left * right;
                    }
                }
            }
        }
    }

    /// Whether it can change anything.
    fn is_idle(&self) -> bool {
        self.coefficient == 0.0 || self.size == 0.0
    }
}

/// The problem in d coordinates.
#[derive(Debug, Clone)]
pub(super) struct Reduced {
    pub(super) force: Vec<f64>,
    pub(super) terms: Vec<Term>,
}

/// A solution.
#[derive(Debug, Clone)]
pub(super) struct Solved {
    pub(super) y: Vec<f64>,
    pub(super) reactions: Vec<Vec<f64>>,
    pub(super) sticks: Vec<bool>,
    pub(super) residual: f64,
    /// Whether what sticks and what slides is told apart without doubt.
    splits: bool,
}

impl Reduced {
    pub(super) fn check(&self) -> Result<(), FrictionError> {
        for (term, Term { coefficient, .. }) in self.terms.iter().enumerate() {
            if !coefficient.is_finite() || *coefficient < 0.0 {
                return Err(FrictionError::Coefficient { term, coefficient: *coefficient });
            }
        }
        let finite = |numbers: &[f64]| numbers.iter().all(|x| x.is_finite());
        let terms = self.terms.iter().all(|term| finite(&term.rows) && finite(&term.shift));
        if terms && finite(&self.force) { Ok(()) } else { Err(FrictionError::NotFinite) }
    }

    /// The largest size of y that f and the h ask for.
    fn scale(&self) -> f64 {
        let active = self.terms.iter().filter(|term| !term.is_idle());
        active.map(|term| norm(&term.shift) / term.size).fold(norm(&self.force), f64::max)
    }

    /// The solution. Where it hardly moves, and nothing but f would move it, the load θ and its
    /// direction w decide: y = w (f·w − Σ c‖G w‖)/‖w‖² for θ > 1, else 0.
    pub(super) fn solve(&self) -> Result<Solved, FrictionError> {
        let mut found = self.minimum()?;
        let doubtful = !found.splits && norm(&found.y) <= DOUBTFUL * norm(&self.force);
        if !doubtful || self.terms.iter().any(|term| norm(&term.shift) > 0.0) {
            return Ok(found);
        }
        let (ratio, w) = self.load()?;
        if ratio <= 1.0 {
            found.y.fill(0.0);
            found.sticks.fill(true);
        } else if ratio.is_finite() {
            let part = dot(&self.force, &w) * (1.0 - ratio.recip()) / dot(&w, &w);
            found.y = w.iter().map(|w| part * w).collect();
            for (term, sticks) in self.terms.iter().zip(&mut found.sticks) {
                *sticks = norm(&term.rate(&w)) <= DOUBTFUL * term.size * norm(&w);
            }
        }
        Ok(found)
    }

    fn minimum(&self) -> Result<Solved, FrictionError> {
        let scale = self.scale();
        let mut smoothed = self.start();
        let mut best = smoothed.clone();
        if scale > 0.0 {
            let mut ε = SMOOTHING_FACTOR;
            while ε >= 0.5 * SMOOTHING_LAST {
                self.smooth(ε, scale, &mut smoothed);
                ε *= SMOOTHING_FACTOR;
            }
            self.judge(scale, &mut smoothed);
            best = self.split(scale, &smoothed);
        }
        if best.residual.is_nan() || best.residual > UNSOLVED {
            return Err(FrictionError::Unsolved { residual: best.residual });
        }
        Ok(best)
    }

    /// y = 0, λ = 0: the solution where f and all h are zero.
    fn start(&self) -> Solved {
        Solved {
            y: vec![0.0; self.force.len()],
            reactions: self.terms.iter().map(|term| vec![0.0; term.shift.len()]).collect(),
            sticks: vec![true; self.terms.len()],
            residual: 0.0,
            splits: true,
        }
    }

    /// Newton's method at one ε.
    fn smooth(&self, ε: f64, scale: f64, at: &mut Solved) {
        let d = at.y.len();
        let smallest = STEP_TOLERANCE * if ε > SMOOTHING_LAST { ε } else { f64::EPSILON };
        for _ in 0..STEPS_MAX {
            let (mut step, mut matrix) = (vec![0.0; d], identity(d));
            for (i, step) in step.iter_mut().enumerate() {
                *step = self.force[i] - at.y[i];
            }
            for (term, λ) in self.terms.iter().zip(&at.reactions) {
                if term.is_idle() {
                    continue;
                }
                let (r, η) = term.smoothed(&at.y, ε * scale);
                term.add_force(-term.coefficient / η, &r, &mut step);
                term.add_stiffness(&term.stiffness(λ, &r, η), d, &mut matrix);
            }
            let slope = step.clone();
            ldlt_factor(d, &mut matrix);
            ldlt_solve(d, &matrix, &mut step);
            let length = norm(&step);
            if !length.is_finite() {
                return;
            }
            for (term, λ) in self.terms.iter().zip(&mut at.reactions) {
                term.update(&at.y, &step, ε * scale, λ);
            }
            let part = self.shorten(&at.y, &step, dot(&slope, &step), ε * scale);
            at.y.iter_mut().zip(&step).for_each(|(y, step)| *y += part * step);
            if length <= smallest * scale {
                return;
            }
        }
    }

    /// The part of a step that decreases the smoothed function.
    fn shorten(&self, y: &[f64], step: &[f64], slope: f64, ε: f64) -> f64 {
        let value = |part: f64| {
            let y: Vec<f64> = y.iter().zip(step).map(|(y, step)| y + part * step).collect();
            let terms = self.terms.iter().filter(|term| !term.is_idle());
            let dissipation: f64 =
                terms.map(|term| term.coefficient * term.smoothed(&y, ε).1).sum();
            0.5 * dot(&y, &y) - dot(&self.force, &y) + dissipation
        };
        let start = value(0.0);
        let mut part = 1.0;
        for _ in 0..HALVINGS_MAX {
            if value(part) <= start - ARMIJO * part * slope + 8.0 * f64::EPSILON * start.abs() {
                break;
            }
            part *= 0.5;
        }
        part
    }

    /// Tries the splits, from all small r sticking to none; the best.
    fn split(&self, scale: f64, smoothed: &Solved) -> Solved {
        let mut order: Vec<(f64, usize)> = Vec::new();
        for (k, term) in self.terms.iter().enumerate().filter(|(_, term)| !term.is_idle()) {
            let rate = norm(&term.rate(&smoothed.y)) / (term.size * scale);
            if rate <= SMALL_RATE {
                order.push((rate, k));
            }
        }
        order::sort_by(&mut order, |a, b| a.0.total_cmp(&b.0));
        let mut best = smoothed.clone();
        for count in (0..=order.len()).rev() {
            let mut sticks = vec![false; self.terms.len()];
            order[..count].iter().for_each(|(_, k)| sticks[*k] = true);
            let Some(mut found) = self.polish(scale, smoothed, sticks) else { continue };
            self.judge_residual(scale, &mut found);
            // A smoothed one moves where all just holds, with a residual of the second order.
            let solved = found.residual <= SOLVED;
            found.splits = solved;
            if solved || found.residual < best.residual {
                best = found;
            }
            if solved {
                break;
            }
        }
        for (term, sticks) in self.terms.iter().zip(&mut best.sticks) {
            if term.is_idle() {
                *sticks = norm(&term.rate(&best.y)) <= SOLVED * scale * term.size;
            }
        }
        best
    }

    /// Newton's method on the sliding terms, within G_S y + h_S = 0, and λ.
    fn polish(&self, scale: f64, smoothed: &Solved, sticks: Vec<bool>) -> Option<Solved> {
        let d = smoothed.y.len();
        let mut space =
            RowSpace::new(d, d + self.terms.iter().map(|t| t.shift.len()).sum::<usize>());
        space.set_metric(&identity(d)).ok()?;
        let active = || self.terms.iter().zip(&sticks).filter(|(term, _)| !term.is_idle());
        for (term, _) in active().filter(|(_, sticks)| **sticks) {
            for (i, h) in term.shift.iter().enumerate() {
                let row: Vec<f64> = term.row(i, d).iter().map(|g| g / term.size).collect();
                space.push(&row, h / term.size);
            }
        }
        let held = space.rank();
        for unit in identity(d).chunks_exact(d.max(1)) {
            space.push(unit, 0.0);
        }
        let free: Vec<Vec<f64>> = (held..space.rank()).map(|i| space.vector(i).to_vec()).collect();
        let mut y = smoothed.y.clone();
        space.apply(held, 1.0, &mut y);
        space.apply(held, 1.0, &mut y);
        for _ in 0..STEPS_MAX {
            let (mut right, mut matrix) = (vec![0.0; d], identity(d));
            right.iter_mut().zip(self.force.iter().zip(&y)).for_each(|(r, (f, y))| *r = f - y);
            for (term, _) in active().filter(|(_, sticks)| !**sticks) {
                let (r, η) = term.smoothed(&y, 0.0);
                if η == 0.0 {
                    return None;
                }
                let λ: Vec<f64> = r.iter().map(|r| term.coefficient * r / η).collect();
                term.add_force(-1.0, &λ, &mut right);
                term.add_stiffness(&term.stiffness(&λ, &r, η), d, &mut matrix);
            }
            let step = within(&free, &matrix, &right);
            let length = norm(&step);
            if length.is_nan() || length > POLISH_MAX * scale {
                return None;
            }
            y.iter_mut().zip(&step).for_each(|(y, step)| *y += step);
            if length <= STEP_TOLERANCE * f64::EPSILON * scale || free.is_empty() {
                break;
            }
        }
        let reactions = self.reactions(&y, &smoothed.reactions, &sticks, &mut space, held);
        Some(Solved { y, reactions, sticks, residual: f64::INFINITY, splits: false })
    }

    /// λ = c r/‖r‖ of what slides; of what sticks the smoothed ones and the least change that
    /// balances f − y − Σ Gᵀλ = 0.
    fn reactions(
        &self,
        y: &[f64],
        smoothed: &[Vec<f64>],
        sticks: &[bool],
        space: &mut RowSpace,
        held: usize,
    ) -> Vec<Vec<f64>> {
        let mut reactions = smoothed.to_vec();
        for ((term, sticks), λ) in self.terms.iter().zip(sticks).zip(&mut reactions) {
            if !sticks {
                let (r, η) = term.smoothed(y, 0.0);
                let factor = if η > 0.0 { term.coefficient / η } else { 0.0 };
                *λ = r.iter().map(|r| factor * r).collect();
            }
        }
        let d = y.len();
        let held: Vec<Vec<f64>> = (0..held).map(|i| space.vector(i).to_vec()).collect();
        // Σ GᵀG/‖G‖² of what sticks: G t/‖G‖² changes λ least where it makes the force Σ GᵀG t/‖G‖².
        let mut matrix = vec![0.0; d * d];
        let stuck = |k: usize| sticks[k] && !self.terms[k].is_idle();
        for term in (0..self.terms.len()).filter(|k| stuck(*k)).map(|k| &self.terms[k]) {
            let unit: Vec<f64> = identity(term.shift.len());
            let scaled: Vec<f64> = unit.iter().map(|b| b / term.size.powi(2)).collect();
            term.add_stiffness(&scaled, d, &mut matrix);
        }
        for _ in 0..2 {
            let missing = self.imbalance(y, &reactions);
            let t = within(&held, &matrix, &missing);
            for k in (0..self.terms.len()).filter(|k| stuck(*k)) {
                let term = &self.terms[k];
                for (i, λ) in reactions[k].iter_mut().enumerate() {
                    *λ += dot(term.row(i, d), &t) / term.size.powi(2);
                }
            }
        }
        reactions
    }

    /// f − y − Σ Gᵀλ.
    fn imbalance(&self, y: &[f64], reactions: &[Vec<f64>]) -> Vec<f64> {
        let mut rest: Vec<f64> = self.force.iter().zip(y).map(|(f, y)| f - y).collect();
        for (term, λ) in self.terms.iter().zip(reactions) {
            term.add_force(-1.0, λ, &mut rest);
        }
        rest
    }

    /// The residual of the smoothed solution with λ = c r/η, and which of its terms stick.
    fn judge(&self, scale: f64, at: &mut Solved) {
        for (k, term) in self.terms.iter().enumerate() {
            let (r, η) = term.smoothed(&at.y, SMOOTHING_LAST * scale);
            let factor = if η > 0.0 { term.coefficient / η } else { 0.0 };
            at.reactions[k] = r.iter().map(|r| factor * r).collect();
            at.sticks[k] = norm(&r) <= SMALL_RATE.sqrt() * η;
        }
        at.splits = false;
        self.judge_residual(scale, at);
    }

    /// The largest of imbalance, ‖λ‖ − c and c‖r‖ − λ·r, relative to forces.
    fn judge_residual(&self, scale: f64, at: &mut Solved) {
        let strengths = self.terms.iter().map(|term| term.coefficient * term.size);
        let scale = scale.max(FAINT * strengths.fold(0.0, f64::max));
        let mut residual = norm(&self.imbalance(&at.y, &at.reactions)) / scale;
        for (term, λ) in self.terms.iter().zip(&at.reactions) {
            let r = term.rate(&at.y);
            let excess = (norm(λ) - term.coefficient) * term.size / scale;
            let work = (term.coefficient * norm(&r) - dot(λ, &r)) / (scale * scale);
            residual = residual.max(excess).max(work.abs());
        }
        at.residual = residual;
    }

    /// θ = max f·y/Σ c‖G y‖ and its y, all h zero: Dinkelbach's method. With the coefficients θₙc,
    /// θₙ < θ, the solution yₙ is not zero, and θₙ₊₁ is its quotient.
    pub(super) fn load(&self) -> Result<(f64, Vec<f64>), FrictionError> {
        let dissipation = |y: &[f64]| -> f64 {
            self.terms.iter().map(|term| term.coefficient * norm(&term.rate(y))).sum()
        };
        let mut best = (0.0, vec![0.0; self.force.len()]);
        let mut trial = self.force.clone();
        let scale = norm(&self.force);
        for _ in 0..LOAD_STEPS_MAX {
            let (work, loss) = (dot(&self.force, &trial), dissipation(&trial));
            if norm(&trial) <= f64::EPSILON * scale {
                break;
            }
            if work >= LOAD_MAX * loss {
                return Ok((f64::INFINITY, trial));
            }
            let ratio = work / loss;
            if ratio.is_nan() || ratio <= best.0 * (1.0 + LOAD_TOLERANCE) {
                break;
            }
            best = (ratio, trial);
            let mut weighted = self.clone();
            weighted.terms.iter_mut().for_each(|term| term.coefficient *= ratio);
            trial = weighted.minimum()?.y;
        }
        Ok(best)
    }
}

impl Term {
    /// r and η = √(‖r‖² + (ε‖G‖)²).
    fn smoothed(&self, y: &[f64], ε: f64) -> (Vec<f64>, f64) {
        let r = self.rate(y);
        let η = elementary::hypot(norm(&r), ε * self.size);
        (r, η)
    }

    /// B = (c − ½(λrᵀ + rλᵀ)/η)/η, r×r.
    fn stiffness(&self, λ: &[f64], r: &[f64], η: f64) -> Vec<f64> {
        let count = r.len();
        let mut b = vec![0.0; count * count];
        for i in 0..count {
            for j in 0..count {
                let unit = if i == j { self.coefficient } else { 0.0 };
                b[i * count + j] = (unit - 0.5 * (λ[i] * r[j] + r[i] * λ[j]) / η) / η;
            }
        }
        b
    }

    /// λ⁺ = (c r + (c − λrᵀ/η) G δy)/η, shortened to c.
    fn update(&self, y: &[f64], step: &[f64], ε: f64, λ: &mut [f64]) {
        if self.is_idle() {
            return;
        }
        let (r, η) = self.smoothed(y, ε);
        let moved: Vec<f64> = (0..r.len()).map(|i| dot(self.row(i, step.len()), step)).collect();
        let along = dot(&r, &moved) / η;
        for i in 0..r.len() {
            λ[i] = (self.coefficient * (r[i] + moved[i]) - λ[i] * along) / η;
        }
        let length = norm(λ);
        if length > self.coefficient {
            for λ in λ.iter_mut() {
                *λ *= self.coefficient / length;
            }
        }
    }
}

/// The solution x = Σ tᵢ bᵢ of (matrix·x − right)·bᵢ = 0 for the vectors b.
fn within(basis: &[Vec<f64>], matrix: &[f64], right: &[f64]) -> Vec<f64> {
    let (d, count) = (right.len(), basis.len());
    let images: Vec<Vec<f64>> = basis
        .iter()
        .map(|b| matrix.chunks_exact(d.max(1)).map(|row| dot(row, b)).collect())
        .collect();
    let mut small = vec![0.0; count * count];
    let mut t = vec![0.0; count];
    for i in 0..count {
        for j in 0..count {
            small[i * count + j] = dot(&basis[i], &images[j]);
        }
        t[i] = dot(&basis[i], right);
    }
    ldlt_factor(count, &mut small);
    ldlt_solve(count, &small, &mut t);
    let mut x = vec![0.0; d];
    for (b, t) in basis.iter().zip(&t) {
        x.iter_mut().zip(b).for_each(|(x, b)| *x += t * b);
    }
    x
}

fn identity(n: usize) -> Vec<f64> {
    let mut unit = vec![0.0; n * n];
    (0..n).for_each(|i| unit[i * n + i] = 1.0);
    unit
}

/// ‖x‖.
pub(super) fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}
