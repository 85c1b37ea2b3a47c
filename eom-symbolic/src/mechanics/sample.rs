//! Random states on which claims are decided: parameters within their bounds, coordinates on the
//! holonomic constraints (and on the gap's zero at a contact), velocities on the constraints,
//! accelerations and multipliers from the equations of motion, velocities after an impact from
//! its law. Values in f64; the pseudo-random numbers are seeded, so verdicts repeat.

use super::equations::EquationsOfMotion;
use super::system::{Law, SystemModel};
use crate::dense::{self, Matrix};
use crate::eval::Estimate;
use crate::node::{ExprId, SymbolId, SymbolKind};
use crate::program::Program;
use rustc_hash::FxHashMap;

/// How often a draw is repeated before it is given up.
const ATTEMPTS_MAX: usize = 400;

/// Newton steps for coordinates on their constraints.
const NEWTON_STEPS_MAX: usize = 40;

/// A state with the values of every symbol a claim may hold.
#[derive(Debug, Clone, Default)]
pub struct Sample {
    values: FxHashMap<SymbolKind, f64>,
    /// For values that linear solves gave, the size of what was added up in them: that of the
    /// largest of their group.
    sizes: FxHashMap<SymbolKind, f64>,
}

/// Why no state could be drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SampleError {
    /// No parameter values satisfy the bounds.
    Bounds,
    /// No coordinates satisfy the holonomic constraints (and the gap), with the energies defined.
    Position,
    /// M is singular or rows of A (with ∇g at a contact) depend on each other wherever tried.
    Singular,
}

/// What is wrong with a system wherever one looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Degenerate {
    /// The mass matrix is singular.
    Mass,
    /// This row of A depends on those before it.
    Row(usize),
}

impl Sample {
    /// The value of a kind of symbol; NaN where the state has none.
    pub fn value(&self, kind: SymbolKind) -> f64 {
        match kind {
            SymbolKind::Pi => std::f64::consts::PI,
            _ => self.values.get(&kind).copied().unwrap_or(f64::NAN),
        }
    }

    /// Sets a value.
    pub fn set(&mut self, kind: SymbolKind, value: f64) {
        self.values.insert(kind, value);
    }

    /// Sets values that a linear solve gave: each carries the rounding of the largest, and that
    /// of terms of size `least` that may have cancelled in them.
    fn set_all(&mut self, kind: impl Fn(usize) -> SymbolKind, values: &[f64], least: f64) {
        let size = largest(values).max(least);
        for (index, value) in values.iter().enumerate() {
            self.set(kind(index), *value);
            self.sizes.insert(kind(index), size);
        }
    }

    fn get_all(&self, kind: impl Fn(usize) -> SymbolKind, n: usize) -> Vec<f64> {
        (0..n).map(|index| self.value(kind(index))).collect()
    }

    /// The value with its rounding: values given are exact, derived ones carry the error of the
    /// solves behind them.
    pub fn estimate(&self, kind: SymbolKind) -> Estimate {
        let value = self.value(kind);
        let size = self.sizes.get(&kind).copied().unwrap_or(value.abs());
        Estimate { value, size }
    }
}

/// The functions that every state needs, as programs: far faster than walking expressions.
#[derive(Debug)]
pub struct Functions {
    /// φ, then its rows.
    position: Program,
    /// A by rows, b, M by rows, h, F, γ.
    dynamics: Program,
    /// For each contact g, ∇g, ∂g/∂t.
    contacts: Vec<Program>,
    /// The contact's gap as an expression, for its rounding.
    gaps: Vec<ExprId>,
    holonomic: Vec<ExprId>,
    /// n and k.
    sizes: (usize, usize),
}

impl Functions {
    /// Lowers the functions of a system.
    pub fn new(model: &SystemModel, equations: &EquationsOfMotion) -> Self {
        let program = |entries: Vec<ExprId>| {
            let entries = entries.into_iter().map(|e| (String::new(), e));
            Program::of_expressions(&model.pool, "functions", entries)
        };
        let first = equations.rows.len() - equations.holonomic.len();
        let mut position = equations.holonomic.clone();
        position.extend(equations.rows[first..].iter().flatten());
        let mut dynamics: Vec<ExprId> = equations.rows.concat();
        dynamics.extend(&equations.affine);
        dynamics.extend(equations.mass.iter().flatten());
        dynamics.extend(&equations.bias);
        dynamics.extend(&equations.force);
        dynamics.extend(&equations.drift);
        let contact = |c: &super::ContactEquations| {
            let mut entries = vec![c.gap];
            entries.extend(&c.gradient);
            entries.push(c.rate);
            program(entries)
        };
        Self {
            position: program(position),
            dynamics: program(dynamics),
            contacts: equations.contacts.iter().map(contact).collect(),
            gaps: equations.contacts.iter().map(|c| c.gap).collect(),
            holonomic: equations.holonomic.clone(),
            sizes: (model.dimension(), equations.rows.len()),
        }
    }
}

/// The values of [`Functions`] at a state.
struct Dynamics {
    rows: Matrix,
    affine: Vec<f64>,
    mass: Matrix,
    bias: Vec<f64>,
    force: Vec<f64>,
    drift: Vec<f64>,
}

/// Draws states of a system.
#[derive(Debug)]
pub struct Sampler<'m> {
    model: &'m SystemModel,
    functions: &'m Functions,
    random: fastrand::Rng,
}

impl<'m> Sampler<'m> {
    /// A sampler with a fixed seed.
    pub fn new(model: &'m SystemModel, functions: &'m Functions, seed: u64) -> Self {
        Self { model, functions, random: fastrand::Rng::with_seed(seed) }
    }

    fn run(&self, program: &Program, sample: &Sample) -> Vec<f64> {
        program.evaluate(|symbol| sample.value(self.kind(symbol)))
    }

    fn dynamics(&self, sample: &Sample) -> Dynamics {
        let (n, k) = self.functions.sizes;
        let values = self.run(&self.functions.dynamics, sample);
        let mut rest = values.as_slice();
        let mut take = |count: usize| {
            let (head, tail) = rest.split_at(count);
            rest = tail;
            head
        };
        let matrix = |entries: &[f64]| entries.chunks(n.max(1)).map(<[f64]>::to_vec).collect();
        Dynamics {
            rows: matrix(take(k * n)),
            affine: take(k).to_vec(),
            mass: matrix(take(n * n)),
            bias: take(n).to_vec(),
            force: take(n).to_vec(),
            drift: take(k).to_vec(),
        }
    }

    /// g, ∇g, ∂g/∂t of a contact.
    fn contact(&self, contact: usize, sample: &Sample) -> (f64, Vec<f64>, f64) {
        let values = self.run(&self.functions.contacts[contact], sample);
        let last = values.len() - 1;
        (values[0], values[1..last].to_vec(), values[last])
    }

    fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.random.f64()
    }

    /// A free state: parameters, time, inputs, coordinates and velocities, no constraint used.
    pub fn free(&mut self) -> Result<Sample, SampleError> {
        for attempt in 0..ATTEMPTS_MAX {
            let mut sample = Sample::default();
            if !self.place_parameters(&mut sample, attempt) {
                continue;
            }
            let time = self.uniform(-1.5, 1.5);
            sample.set(SymbolKind::Time, time);
            for index in 0..self.model.inputs.len() {
                let value = self.uniform(-2.0, 2.0);
                sample.set(SymbolKind::Input(index), value);
            }
            for index in 0..self.model.dimension() {
                let (q, v) = (self.uniform(-1.5, 1.5), self.uniform(-2.0, 2.0));
                let (dq, dt) = (self.uniform(-2.0, 2.0), self.uniform(-2.0, 2.0));
                sample.set(SymbolKind::Coordinate(index), q);
                sample.set(SymbolKind::Velocity(index), v);
                sample.set(SymbolKind::Differential(index), dq);
                sample.set(SymbolKind::TimeDifferential, dt);
            }
            return Ok(sample);
        }
        Err(SampleError::Bounds)
    }

    /// Draws the parameters one after another, each until its bounds hold; false where one has
    /// none, or where a bound looks ahead at a later parameter and fails.
    fn place_parameters(&mut self, sample: &mut Sample, attempt: usize) -> bool {
        let model = self.model;
        for (index, parameter) in model.parameters.iter().enumerate() {
            let drawn = (0..ATTEMPTS_MAX).any(|retry| {
                let value = self.magnitude(attempt + retry, !parameter.bounds.is_empty());
                sample.set(SymbolKind::Parameter(index), value);
                // A side that is not known yet compares as unknown and is checked at the end.
                parameter.bounds.iter().all(|bound| self.holds(bound, sample) != Some(false))
            });
            if !drawn {
                return false;
            }
        }
        let mut bounds = model.parameters.iter().flat_map(|p| &p.bounds);
        bounds.all(|bound| self.holds(bound, sample) == Some(true))
    }

    /// A magnitude around 1, wider the longer bounds were missed. Without a bound most draws are
    /// positive, as most parameters are; some are not, since a claim holds for all values.
    fn magnitude(&mut self, attempt: usize, bounded: bool) -> f64 {
        let decades = 0.4 + attempt as f64 / 60.0;
        let magnitude = 10.0_f64.powf(self.uniform(-decades, decades));
        let negative = self.random.f64() < if bounded { 0.5 } else { 0.2 };
        if negative { -magnitude } else { magnitude }
    }

    /// Whether a bound holds; `None` while one of its parameters has no value.
    fn holds(&self, bound: &super::Bound, sample: &Sample) -> Option<bool> {
        let sides = self.evaluate(&[bound.left, bound.right], sample);
        let known = sides.iter().all(|side| !side.is_nan());
        known.then(|| bound.relation.holds(sides[0], sides[1]))
    }

    /// A state on the constraints with accelerations and multipliers; with a contact on its
    /// surface, approaching, with the velocities after the impact.
    pub fn constrained(&mut self, at: Option<(usize, Law)>) -> Result<Sample, SampleError> {
        let mut error = SampleError::Position;
        for _ in 0..ATTEMPTS_MAX {
            let mut sample = self.free()?;
            if self.place_on_constraints(&mut sample, at).is_none() {
                continue;
            }
            error = SampleError::Singular;
            let done = self.place_velocity(&mut sample, at).and_then(|()| {
                let dynamics = self.dynamics(&sample);
                solve_dynamics(&dynamics, &mut sample)?;
                self.solve_impact(dynamics, &mut sample, at)
            });
            if done.is_some() && sample.values.values().all(|value| value.is_finite()) {
                return Ok(sample);
            }
        }
        Err(error)
    }

    /// Whether M is singular, or a row of A depends on those before it, at every state tried.
    pub fn degenerate(&mut self) -> Option<Degenerate> {
        const STATES: usize = 8;
        let mut found = None;
        for _ in 0..STATES {
            let mut sample = self.free().ok()?;
            if self.place_on_constraints(&mut sample, None).is_none() {
                continue;
            }
            let Dynamics { rows, mass, .. } = self.dynamics(&sample);
            if mass.iter().chain(&rows).flatten().any(|entry| !entry.is_finite()) {
                continue;
            }
            let here = match dense::inverse(&mass) {
                None => Some(Degenerate::Mass),
                Some(_) => dense::dependent_row(&rows).map(Degenerate::Row),
            };
            // One regular state is enough: elsewhere the run time says where it fails.
            found = Some(here?);
        }
        found
    }

    /// Values of expressions at a state.
    pub fn evaluate(&self, expressions: &[ExprId], sample: &Sample) -> Vec<f64> {
        self.model.pool.evaluate(expressions, |symbol| sample.value(self.kind(symbol)))
    }

    /// Values with their rounding at a state.
    pub fn evaluate_with_error(&self, expressions: &[ExprId], sample: &Sample) -> Vec<Estimate> {
        self.model
            .pool
            .evaluate_with_error(expressions, |symbol| sample.estimate(self.kind(symbol)))
    }

    fn kind(&self, symbol: SymbolId) -> SymbolKind {
        self.model.pool.symbol_info(symbol).kind
    }

    /// Newton on φ = 0 (and g = 0): q ← q − Jᵀ(J Jᵀ)⁻¹ φ.
    fn place_on_constraints(&self, sample: &mut Sample, at: Option<(usize, Law)>) -> Option<()> {
        let mut residuals = self.functions.holonomic.clone();
        residuals.extend(at.map(|(contact, _)| self.functions.gaps[contact]));
        let n = self.model.dimension();
        for _ in 0..NEWTON_STEPS_MAX {
            let values = self.evaluate_with_error(&residuals, sample);
            if values.iter().any(|v| !v.value.is_finite()) {
                return None;
            }
            if values.iter().all(|v| v.value.abs() <= 8.0 * f64::EPSILON * v.size.max(1e-3)) {
                return Some(());
            }
            let residual: Vec<f64> = values.iter().map(|v| v.value).collect();
            let step = dense::least_norm(&self.position_rows(sample, at), &residual, n)?;
            for (index, step) in step.iter().enumerate() {
                let q = sample.value(SymbolKind::Coordinate(index)) - step;
                sample.set(SymbolKind::Coordinate(index), q);
            }
        }
        None
    }

    /// ∂φ/∂q, and ∇g at a contact.
    fn position_rows(&self, sample: &Sample, at: Option<(usize, Law)>) -> Matrix {
        let n = self.model.dimension();
        let values = self.run(&self.functions.position, sample);
        let rows = &values[self.functions.holonomic.len()..];
        let mut rows: Matrix = rows.chunks(n.max(1)).map(<[f64]>::to_vec).collect();
        rows.extend(at.map(|(contact, _)| self.contact(contact, sample).1));
        rows
    }

    /// v ← v − Aᵀ(A Aᵀ)⁻¹(A v + b), approaching the contact.
    fn place_velocity(&self, sample: &mut Sample, at: Option<(usize, Law)>) -> Option<()> {
        let n = self.model.dimension();
        let Dynamics { rows, affine, .. } = self.dynamics(sample);
        let mut v = sample.get_all(SymbolKind::Velocity, n);
        let leaving =
            at.is_some_and(|(contact, _)| dense::dot(&self.contact(contact, sample).1, &v) > 0.0);
        if leaving {
            v = v.iter().map(|v| -v).collect();
        }
        if !rows.is_empty() {
            let residual: Vec<f64> =
                dense::times(&rows, &v).iter().zip(&affine).map(|(x, b)| x + b).collect();
            let step = dense::least_norm(&rows, &residual, n)?;
            v.iter_mut().zip(step).for_each(|(v, step)| *v -= step);
        }
        sample.set_all(SymbolKind::Velocity, &v, 0.0);
        Some(())
    }

    /// G⁻¹Bᵀ, B G⁻¹ Bᵀ, its inverse, P and v⁺.
    fn solve_impact(
        &self,
        dynamics: Dynamics,
        sample: &mut Sample,
        at: Option<(usize, Law)>,
    ) -> Option<()> {
        let n = self.model.dimension();
        let Dynamics { mut rows, mut affine, mass, .. } = dynamics;
        if let Some((contact, _)) = at {
            let (_, gradient, rate) = self.contact(contact, sample);
            rows.push(gradient);
            affine.push(rate);
        }
        if rows.is_empty() {
            return Some(());
        }
        let metric = Metric::new(&mass, &rows)?;
        metric.record(sample, n);
        if let Some((_, law)) = at {
            let v = sample.get_all(SymbolKind::Velocity, n);
            let impact = Impact { mass: &mass, rows: &rows, affine: &affine, metric: &metric };
            let (after, impulses) = impact.apply(self, sample, law, &v)?;
            sample.set_all(SymbolKind::VelocityAfter, &after, largest(&v));
            sample.set_all(SymbolKind::Impulse, &impulses, 0.0);
        }
        Some(())
    }
}

/// [M −Aᵀ; A 0] (a, λ) = (F − h, −γ).
fn solve_dynamics(dynamics: &Dynamics, sample: &mut Sample) -> Option<()> {
    let Dynamics { rows, mass, bias, force, drift, .. } = dynamics;
    let (n, k) = (mass.len(), rows.len());
    let mut matrix = vec![vec![0.0; n + k]; n + k];
    for i in 0..n {
        matrix[i][..n].copy_from_slice(&mass[i]);
        for (j, row) in rows.iter().enumerate() {
            matrix[i][n + j] = -row[i];
            matrix[n + j][i] = row[i];
        }
    }
    let forces = force.iter().zip(bias).map(|(f, h)| f - h);
    let right: Vec<f64> = forces.chain(drift.iter().map(|γ| -γ)).collect();
    let solution = dense::solve(&matrix, &right)?;
    let (a, λ) = solution.split_at(n);
    // Rows of M a = f + Aᵀλ: the terms that meet in them, over the pivot.
    let terms = |i: usize| {
        let constraint: f64 = rows.iter().zip(λ).map(|(row, λ)| (row[i] * λ).abs()).sum();
        force[i].abs() + bias[i].abs() + constraint
    };
    let met = (0..n).map(terms).fold(0.0, f64::max);
    let inertia = (0..n).map(|i| mass[i][i].abs()).fold(0.0, f64::max);
    let arm = rows.iter().map(|row| largest(row)).fold(0.0, f64::max);
    sample.set_all(SymbolKind::Acceleration, a, met / inertia);
    sample.set_all(SymbolKind::Multiplier, λ, met / arm);
    Some(())
}

/// The rows B in the kinetic metric.
struct Metric {
    /// G⁻¹ of each row.
    sharp: Matrix,
    gram: Matrix,
    gram_inverse: Matrix,
    projector: Matrix,
}

impl Metric {
    fn new(mass: &[Vec<f64>], rows: &[Vec<f64>]) -> Option<Self> {
        let n = mass.len();
        let sharp: Matrix =
            rows.iter().map(|row| dense::solve(mass, row)).collect::<Option<_>>()?;
        let gram: Matrix =
            rows.iter().map(|a| sharp.iter().map(|w| dense::dot(a, w)).collect()).collect();
        let gram_inverse = dense::inverse(&gram)?;
        let weights: Matrix = (0..n)
            .map(|j| {
                let column: Vec<f64> = rows.iter().map(|row| row[j]).collect();
                dense::times(&gram_inverse, &column)
            })
            .collect();
        let projector = (0..n)
            .map(|i| {
                let entries = weights.iter();
                entries
                    .map(|weight| sharp.iter().zip(weight).map(|(w, c)| w[i] * c).sum())
                    .collect()
            })
            .collect();
        Some(Self { sharp, gram, gram_inverse, projector })
    }

    fn record(&self, sample: &mut Sample, n: usize) {
        let whole = |m: &Matrix| m.iter().map(|row| largest(row)).fold(0.0, f64::max);
        let (gram, inverse) = (whole(&self.gram), whole(&self.gram_inverse));
        let projector = whole(&self.projector);
        for (a, row) in self.sharp.iter().enumerate() {
            sample.set_all(|i| SymbolKind::Sharp(a, i), row, 0.0);
            sample.set_all(|b| SymbolKind::Gram(a, b), &self.gram[a], gram);
            sample.set_all(|b| SymbolKind::GramInverse(a, b), &self.gram_inverse[a], inverse);
        }
        for i in 0..n {
            sample.set_all(|j| SymbolKind::Projector(i, j), &self.projector[i], projector);
        }
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// An impact with the contact's row last in B.
struct Impact<'a> {
    mass: &'a [Vec<f64>],
    rows: &'a [Vec<f64>],
    affine: &'a [f64],
    metric: &'a Metric,
}

impl Impact<'_> {
    /// (v⁺, impulses with M(v⁺ − v⁻) = BᵀΛ).
    fn apply(
        &self,
        sampler: &Sampler<'_>,
        sample: &Sample,
        law: Law,
        v: &[f64],
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let all = 0..self.rows.len();
        let gap = self.rows.len() - 1;
        match law {
            Law::Elastic => self.remove(all, 2.0, v),
            Law::Plastic => self.remove(all, 1.0, v),
            Law::Restitution(e) => {
                let e = sampler.evaluate(&[e], sample)[0];
                self.remove(all, 1.0 + e, v)
            }
            Law::Reflect => self.remove(gap..gap + 1, 2.0, v),
            Law::Project => {
                let (reflected, first) = self.remove(gap..gap + 1, 2.0, v)?;
                let (after, second) = self.remove(0..gap, 1.0, &reflected)?;
                Some((after, first.iter().zip(second).map(|(a, b)| a + b).collect()))
            }
            Law::Corner => self.corner(v),
        }
    }

    /// v − factor·G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹(B v + b) for the rows of a range.
    fn remove(
        &self,
        range: std::ops::Range<usize>,
        factor: f64,
        v: &[f64],
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let mut impulses = vec![0.0; self.rows.len()];
        if range.is_empty() {
            return Some((v.to_vec(), impulses));
        }
        let gram: Matrix =
            range.clone().map(|a| self.metric.gram[a][range.clone()].to_vec()).collect();
        let rates: Vec<f64> =
            range.clone().map(|a| dense::dot(&self.rows[a], v) + self.affine[a]).collect();
        let mut after = v.to_vec();
        for (a, rate) in range.zip(dense::solve(&gram, &rates)?) {
            impulses[a] = -factor * rate;
            for (v, w) in after.iter_mut().zip(&self.metric.sharp[a]) {
                *v += impulses[a] * w;
            }
        }
        Some((after, impulses))
    }

    /// The corner conditions (bouncing-penny (15)) as they stand, by (16) and (17): with
    /// ⟨a,b⟩ the metric on forms and p = M v⁻, λ is linear in α and α ≠ 0 solves
    ///
    /// ```text
    /// λ_k⟨ω^k,ω^l⟩ + α⟨dh,ω^l⟩ = 0
    /// 2λ_k⟨p,ω^k⟩ + 2α⟨p,dh⟩ + λ_iλ_j⟨ω^i,ω^j⟩ + 2λ_kα⟨ω^k,dh⟩ + α²⟨dh,dh⟩ = 0
    /// ```
    fn corner(&self, v: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
        let gap = self.rows.len() - 1;
        let gram = &self.metric.gram;
        let constraint: Matrix = gram[..gap].iter().map(|row| row[..gap].to_vec()).collect();
        let coupling: Vec<f64> = gram[..gap].iter().map(|row| -row[gap]).collect();
        let mut ratio = if gap == 0 { Vec::new() } else { dense::solve(&constraint, &coupling)? };
        ratio.push(1.0);
        let p = dense::times(self.mass, v);
        let linear: f64 =
            self.metric.sharp.iter().zip(&ratio).map(|(w, c)| 2.0 * c * dense::dot(&p, w)).sum();
        let quadratic = dense::dot(&ratio, &dense::times(gram, &ratio));
        let α = -linear / quadratic;
        let impulses: Vec<f64> = ratio.iter().map(|c| α * c).collect();
        let mut after = v.to_vec();
        for (impulse, w) in impulses.iter().zip(&self.metric.sharp) {
            after.iter_mut().zip(w).for_each(|(v, w)| *v += impulse * w);
        }
        Some((after, impulses))
    }
}
