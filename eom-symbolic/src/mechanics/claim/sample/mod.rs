//! Random states on which claims are decided: parameters within their bounds, coordinates on the
//! holonomic constraints (and on the gap's zero at a contact), velocities on the constraints,
//! accelerations and multipliers from the equations of motion, velocities after an impact from
//! its law. Values in f64; the pseudo-random numbers are seeded, so verdicts repeat.

mod conditions;
mod dynamics;
mod elsewhere;
mod focus;
mod impact;
pub(crate) mod points;
mod positions;

pub use conditions::Conditions;
pub use dynamics::Functions;
pub(crate) use dynamics::{ContactRows, Dynamics};
pub(crate) use elsewhere::elsewhere;
pub(crate) use focus::Focus;

use crate::dense::{self, Matrix};
use crate::eval::{Estimate, Sweep};
use crate::mechanics::system::SystemModel;
use crate::mechanics::system::contact::ImpactOf;
use crate::mechanics::system::declared::Bound;
use crate::node::{ExprId, SymbolId, SymbolKind};
use crate::program::Program;
use rustc_hash::FxHashMap;

/// How often a draw is repeated before it is given up.
const ATTEMPTS_MAX: usize = 400;

/// The same of a state far away: where there is none they are not missed.
const FAR_ATTEMPTS_MAX: usize = 6;

/// A state where other roots are looked for is up to so many times as far as one nearby.
const WIDE: f64 = 10.0;

/// Up to so many powers of ten a state far away is beyond one nearby, and parameters are drawn as after so many misses.
const FAR_DECADES: f64 = 3.0;
const FAR_PARAMETERS: usize = 60;

/// Newton steps for coordinates on their constraints.
const NEWTON_STEPS_MAX: usize = 40;

/// A place within so many units of rounding of those that were drawn is 0.
const LEFT_UNITS: f64 = 32.0;

/// A row that depends on others holds with them up to this part of its terms.
const HOLDS: f64 = 1e-9;

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
        let all: Vec<usize> = (0..values.len()).collect();
        self.set_part(kind, (&all, values), least);
    }

    /// The same of some of the values, which were solved for together.
    fn set_part(
        &mut self,
        kind: impl Fn(usize) -> SymbolKind,
        (part, values): (&[usize], &[f64]),
        least: f64,
    ) {
        let size = part.iter().fold(least, |m, index| m.max(values[*index].abs()));
        for &index in part {
            self.set(kind(index), values[index]);
            self.sizes.insert(kind(index), size);
        }
    }

    /// A value is known no better than terms of this size.
    fn widen(&mut self, kind: SymbolKind, size: f64) {
        let known = self.estimate(kind).size;
        self.sizes.insert(kind, known.max(size));
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

/// Where a statement is decided: the states that are drawn for it.
#[derive(Debug, Clone, Copy)]
pub struct Place<'c> {
    /// Whether the constraints hold; a motion is checked against them instead.
    pub on_constraints: bool,
    /// On this contact's surface, with velocities after the impact from this law.
    pub at: Option<(usize, ImpactOf)>,
    /// What holds besides.
    pub conditions: &'c Conditions,
}

/// A state without conditions as it was drawn.
#[derive(Debug, Clone)]
pub(crate) struct Drawn {
    /// How many values of declared functions there were, and the place.
    from: (usize, bool, Option<(usize, ImpactOf)>),
    sample: Sample,
    /// The state of the random numbers after it.
    after: u64,
}

/// The states that were drawn, by the state of the random numbers before them: the claims of a system
/// are decided at the same ones.
pub(crate) type AllDrawn = FxHashMap<u64, Vec<Drawn>>;

/// How far from 0 states are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// A few units at most.
    Near,
    /// Some ten units, where an equation that is solved may have other roots.
    Wide,
    /// On all scales.
    Far,
}

/// Draws states of a system.
#[derive(Debug)]
pub struct Sampler<'m> {
    model: &'m SystemModel,
    functions: &'m Functions,
    random: fastrand::Rng,
    /// The values of declared functions that occur.
    jets: Vec<SymbolKind>,
    reach: Reach,
    /// Where they are brought to.
    focuses: Vec<Focus>,
}

impl<'m> Sampler<'m> {
    /// A sampler with a fixed seed.
    pub fn new(model: &'m SystemModel, functions: &'m Functions, seed: u64) -> Self {
        let kinds = model.pool.symbols().iter().map(|symbol| symbol.kind);
        let jets = kinds.filter(|kind| matches!(kind, SymbolKind::Jet(_))).collect();
        Self {
            model,
            functions,
            random: fastrand::Rng::with_seed(seed),
            jets,
            reach: Reach::Near,
            focuses: Vec::new(),
        }
    }

    /// The same with states far from 0, on all scales.
    pub(crate) fn far(model: &'m SystemModel, functions: &'m Functions, seed: u64) -> Self {
        Self { reach: Reach::Far, ..Self::new(model, functions, seed) }
    }

    /// The same with states on a wider range, from which conditions are met at roots that are not the nearest to 0.
    pub(crate) fn wide(model: &'m SystemModel, functions: &'m Functions, seed: u64) -> Self {
        Self { reach: Reach::Wide, ..Self::new(model, functions, seed) }
    }

    /// The system.
    pub(crate) fn model(&self) -> &'m SystemModel {
        self.model
    }

    /// Its functions.
    pub(crate) fn functions(&self) -> &'m Functions {
        self.functions
    }

    /// The outputs of a program at a state.
    pub(crate) fn run(&self, program: &Program, sample: &Sample) -> Vec<f64> {
        program.evaluate(|symbol| sample.value(self.kind(symbol)))
    }

    fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.random.f64()
    }

    /// A number between −size and size; of another state beyond.
    fn around(&mut self, size: f64) -> f64 {
        let near = self.uniform(-size, size);
        match self.reach {
            Reach::Near => near,
            Reach::Wide => near * WIDE,
            Reach::Far => near * eom_elementary::powf(10.0, self.uniform(0.0, FAR_DECADES)),
        }
    }

    /// A free state: parameters, time, inputs, coordinates, velocities and values of declared
    /// functions, no constraint used.
    pub fn free(&mut self) -> Result<Sample, SampleError> {
        let first = if self.reach == Reach::Far { FAR_PARAMETERS } else { 0 };
        for attempt in 0..ATTEMPTS_MAX {
            let mut sample = Sample::default();
            if !self.place_parameters(&mut sample, first + attempt) {
                continue;
            }
            let time = self.around(1.5);
            sample.set(SymbolKind::Time, time);
            for index in 0..self.model.inputs.len() {
                let value = self.around(2.0);
                sample.set(SymbolKind::Input(index), value);
            }
            let (positions, speeds) = (self.model.positions().len(), self.model.speeds.len());
            for index in 0..positions.max(speeds) {
                let (q, v) = (self.around(1.5), self.around(2.0));
                let (dq, dt) = (self.around(2.0), self.around(2.0));
                sample.set(SymbolKind::Coordinate(index), q);
                sample.set(SymbolKind::Velocity(index), v);
                sample.set(SymbolKind::Differential(index), dq);
                sample.set(SymbolKind::TimeDifferential, dt);
            }
            for index in 0..self.jets.len() {
                let value = self.uniform(-2.0, 2.0);
                sample.set(self.jets[index], value);
            }
            self.move_to_focuses(&mut sample);
            self.normalise(&mut sample);
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
        self.within_bounds(sample)
    }

    /// Whether every bound holds.
    fn within_bounds(&self, sample: &Sample) -> bool {
        let mut bounds = self.model.parameters.iter().flat_map(|p| &p.bounds);
        bounds.all(|bound| self.holds(bound, sample) == Some(true))
    }

    /// A magnitude around 1, wider the longer bounds were missed. Without a bound most draws are
    /// positive, as most parameters are; some are not, since a claim holds for all values.
    fn magnitude(&mut self, attempt: usize, bounded: bool) -> f64 {
        let decades = 0.4 + attempt as f64 / 60.0;
        let magnitude = eom_elementary::powf(10.0, self.uniform(-decades, decades));
        let negative = self.random.f64() < if bounded { 0.5 } else { 0.2 };
        if negative { -magnitude } else { magnitude }
    }

    /// Whether a bound holds; `None` while one of its parameters has no value.
    fn holds(&self, bound: &Bound, sample: &Sample) -> Option<bool> {
        let sides = self.evaluate(&[bound.left, bound.right], sample);
        let known = sides.iter().all(|side| !side.is_nan());
        known.then(|| bound.relation.holds(sides[0], sides[1]))
    }

    /// A state of a place, with accelerations and multipliers; with a contact on its surface,
    /// approaching, with the velocities after the impact.
    pub fn state(&mut self, place: Place<'_>) -> Result<Sample, SampleError> {
        if !place.conditions.is_empty() || !self.focuses.is_empty() {
            return self.draw(place);
        }
        let functions = self.functions;
        let before = self.random.get_seed();
        let from = (self.jets.len(), place.on_constraints, place.at);
        let all = functions.drawn.borrow();
        let known = all.get(&before).and_then(|drawn| drawn.iter().find(|d| d.from == from));
        if let Some(Drawn { sample, after, .. }) = known {
            self.random.seed(*after);
            return Ok(sample.clone());
        }
        drop(all);
        let sample = self.draw(place)?;
        let drawn = Drawn { from, sample: sample.clone(), after: self.random.get_seed() };
        functions.drawn.borrow_mut().entry(before).or_default().push(drawn);
        Ok(sample)
    }

    fn draw(&mut self, place: Place<'_>) -> Result<Sample, SampleError> {
        let mut error = SampleError::Position;
        let is_near = self.reach == Reach::Near;
        let attempts = match (is_near, place.conditions.is_empty()) {
            (false, _) => FAR_ATTEMPTS_MAX,
            (true, true) => ATTEMPTS_MAX,
            (true, false) => conditions::ATTEMPTS_MAX,
        };
        for attempt in 0..attempts {
            let mut sample = self.free()?;
            let placed = if place.conditions.is_empty() {
                self.place_on_constraints(&mut sample, place)
            } else {
                self.conform(&mut sample, place, !is_near || 2 * attempt < attempts)
            };
            if placed.is_none() {
                continue;
            }
            error = SampleError::Singular;
            let done = self.finish(&mut sample, place);
            if done.is_some() && sample.values.values().all(|value| value.is_finite()) {
                return Ok(sample);
            }
        }
        Err(error)
    }

    /// Velocities on the constraints, then what follows from the state.
    fn finish(&self, sample: &mut Sample, place: Place<'_>) -> Option<()> {
        if !place.on_constraints {
            return Some(());
        }
        let n = self.model.speeds.len();
        let drawn = largest(&sample.get_all(SymbolKind::Velocity, n));
        if place.conditions.is_empty() {
            self.turn_towards(sample, place.at);
            self.place_velocity(sample)?;
        }
        let placed = sample.get_all(SymbolKind::Velocity, n);
        // What a condition leaves in doubt stays so; of velocities that the rows hold, rounding of those drawn is left.
        let sizes = (0..n).filter_map(|index| sample.sizes.get(&SymbolKind::Velocity(index)));
        let doubt = sizes.fold(0.0_f64, |most, size| most.max(*size));
        let held = if largest(&placed) <= HOLDS * drawn { drawn } else { 0.0 };
        sample.set_all(SymbolKind::Velocity, &placed, doubt.max(held));
        self.complete(sample, self.dynamics(sample), place)
    }

    /// Accelerations, multipliers, the metric of the rows B, velocities after an impact.
    fn complete(&self, sample: &mut Sample, dynamics: Dynamics, place: Place<'_>) -> Option<()> {
        // Conditions are met by masses that go to 0, too, where all is singular.
        dynamics.solve(self, sample, place.conditions.is_empty())?;
        self.solve_impact(dynamics, sample, place.at)
    }

    /// The state with what its solve leaves in doubt.
    pub(crate) fn in_doubt(&self, sample: &Sample) -> Sample {
        let mut sample = sample.clone();
        self.dynamics(&sample).widen(&mut sample);
        sample
    }

    /// Values of expressions at a state.
    pub fn evaluate(&self, expressions: &[ExprId], sample: &Sample) -> Vec<f64> {
        self.model.pool.evaluate(expressions, |symbol| sample.value(self.kind(symbol)))
    }

    /// The values of a sweep with their rounding at a state.
    pub(crate) fn sweep(&self, sweep: &Sweep, sample: &Sample) -> Vec<Estimate> {
        let symbol = |symbol| sample.estimate(self.kind(symbol));
        sweep.run(&self.model.pool, &symbol, &|_, _| f64::NAN)
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

    /// φ, and g at a contact.
    fn position_residuals(&self, at: Option<(usize, ImpactOf)>) -> Vec<ExprId> {
        let mut residuals = self.functions.holonomic.clone();
        residuals.extend(at.map(|(contact, _)| self.functions.gaps[contact]));
        residuals
    }

    /// Newton on φ = 0 (and g = 0): q ← q − Jᵀ(J Jᵀ)⁻¹ φ, the values of declared functions being
    /// unknowns beside q.
    fn place_on_constraints(&self, sample: &mut Sample, place: Place<'_>) -> Option<()> {
        if !place.on_constraints {
            return Some(());
        }
        let residuals = self.position_residuals(place.at);
        let unknowns = &self.functions.unknowns;
        let drawn: Vec<f64> = unknowns.iter().map(|unknown| sample.value(*unknown)).collect();
        for _ in 0..NEWTON_STEPS_MAX {
            let mut values = self.evaluate_with_error(&residuals, sample);
            values.extend(self.lengths(sample));
            if values.iter().any(|v| !v.value.is_finite()) {
                return None;
            }
            if values.iter().all(|v| v.value.abs() <= 8.0 * f64::EPSILON * v.size.max(1e-3)) {
                self.leave_rounding(sample, largest(&drawn));
                return Some(());
            }
            let residual: Vec<f64> = values.iter().map(|v| v.value).collect();
            let mut rows = self.position_rows(sample, place.at);
            rows.extend(self.length_rows(sample));
            // Closed contacts may hold one another's places: a table has four legs.
            let step = dense::least_norm(&rows, &residual, unknowns.len()).unwrap_or_else(|| {
                dense::least_norm_of_independent(&rows, &residual, unknowns.len())
            });
            for (unknown, step) in unknowns.iter().zip(step) {
                sample.set(*unknown, sample.value(*unknown) - step);
            }
            self.normalise(sample);
        }
        None
    }

    /// Of places that the rows hold at 0, rounding of those drawn is left.
    fn leave_rounding(&self, sample: &mut Sample, drawn: f64) {
        for unknown in &self.functions.unknowns {
            let value = sample.value(*unknown);
            if value != 0.0 && value.abs() <= LEFT_UNITS * f64::EPSILON * drawn {
                sample.widen(*unknown, drawn);
            }
        }
    }

    /// |r|² − 1 of each quaternion.
    fn lengths(&self, sample: &Sample) -> Vec<Estimate> {
        let kind = |first: usize, c: usize| SymbolKind::Coordinate(first + c);
        let excess = |first: usize| {
            let square: f64 = (0..4).map(|c| sample.value(kind(first, c)).powi(2)).sum();
            Estimate { value: square - 1.0, size: square + 1.0 }
        };
        self.model.rotations.iter().map(|rotation| excess(rotation.position)).collect()
    }

    /// The derivatives of these lengths with respect to the unknowns.
    fn length_rows(&self, sample: &Sample) -> Matrix {
        let unknowns = &self.functions.unknowns;
        let row = |first: usize| {
            let mut row = vec![0.0; unknowns.len()];
            for (entry, unknown) in row[first..].iter_mut().zip(&unknowns[first..]).take(4) {
                *entry = 2.0 * sample.value(*unknown);
            }
            row
        };
        self.model.rotations.iter().map(|rotation| row(rotation.position)).collect()
    }

    /// Makes the quaternions unit ones.
    fn normalise(&self, sample: &mut Sample) {
        for rotation in &self.model.rotations {
            let kind = |c: usize| SymbolKind::Coordinate(rotation.position + c);
            let r: Vec<f64> = (0..4).map(|c| sample.value(kind(c))).collect();
            let length = dense::dot(&r, &r).sqrt();
            for (c, r) in r.iter().enumerate() {
                sample.set(kind(c), r / length);
            }
        }
    }

    /// The derivatives of φ, and of g at a contact, with respect to the unknowns.
    fn position_rows(&self, sample: &Sample, at: Option<(usize, ImpactOf)>) -> Matrix {
        let width = self.functions.unknowns.len();
        let values = self.run(&self.functions.position, sample);
        let mut rows: Matrix = values.chunks(width.max(1)).map(<[f64]>::to_vec).collect();
        rows.extend(at.map(|(contact, _)| self.run(&self.functions.surfaces[contact], sample)));
        rows
    }

    /// Reverses a velocity that leaves the contact.
    fn turn_towards(&self, sample: &mut Sample, at: Option<(usize, ImpactOf)>) {
        let n = self.model.speeds.len();
        let v = sample.get_all(SymbolKind::Velocity, n);
        let leaving = at.is_some_and(|(contact, _)| {
            dense::dot(&self.contact(contact, sample).gradient, &v) > 0.0
        });
        if leaving {
            v.iter().enumerate().for_each(|(i, v)| sample.set(SymbolKind::Velocity(i), -v));
        }
    }

    /// v on A v + b = 0; by Newton's method where a row is not affine in v.
    fn place_velocity(&self, sample: &mut Sample) -> Option<()> {
        if self.model.chetaev_row().is_none() {
            return self.move_velocity(sample);
        }
        for _ in 0..NEWTON_STEPS_MAX {
            let (rows, affine) = self.rows(sample);
            let v = sample.get_all(SymbolKind::Velocity, self.model.speeds.len());
            let holds = rows.iter().zip(&affine).all(|(row, b)| {
                let terms = row.iter().zip(&v).map(|(a, v)| (a * v).abs());
                let size = terms.fold(b.abs(), |sum, term| sum + term);
                (dense::dot(row, &v) + b).abs() <= 8.0 * f64::EPSILON * size
            });
            if holds {
                return Some(());
            }
            self.move_velocity(sample)?;
        }
        None
    }

    /// v ← v − Aᵀ(A Aᵀ)⁻¹(A v + b) of the rows that do not depend on those before them; none where the others do not hold then.
    fn move_velocity(&self, sample: &mut Sample) -> Option<()> {
        let n = self.model.speeds.len();
        let (all, offsets) = self.rows(sample);
        if all.is_empty() {
            return Some(());
        }
        let taken = dense::independent_rows(&all);
        let rows: Matrix = taken.iter().map(|row| all[*row].clone()).collect();
        let affine: Vec<f64> = taken.iter().map(|row| offsets[*row]).collect();
        let v = sample.get_all(SymbolKind::Velocity, n);
        let residual: Vec<f64> =
            dense::times(&rows, &v).iter().zip(&affine).map(|(x, b)| x + b).collect();
        let step = dense::least_norm(&rows, &residual, n)?;
        for (i, (v, step)) in v.iter().zip(step).enumerate() {
            sample.set(SymbolKind::Velocity(i), v - step);
        }
        let v = sample.get_all(SymbolKind::Velocity, n);
        let others = (0..all.len()).filter(|row| !taken.contains(row));
        let mut sums = others.map(|row| {
            let terms = all[row].iter().zip(&v).map(|(a, v)| a * v);
            terms.fold((offsets[row], offsets[row].abs()), |(sum, size), x| {
                (sum + x, size + x.abs())
            })
        });
        let is_chetaev = self.model.chetaev_row().is_some();
        (is_chetaev || sums.all(|(sum, size)| sum.abs() <= HOLDS * size)).then_some(())
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, x| m.max(x.abs()))
}
