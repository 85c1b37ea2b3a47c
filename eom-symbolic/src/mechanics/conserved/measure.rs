//! An invariant measure, asked of the divergence of the flow of (q, η), η the free velocities.
//!
//! ```text
//! q̇ = S η + c,  G η̇ = r(q, η),  G = SᵀMS          div = Σ ∂q̇ᵢ/∂qᵢ + Σ (G⁻¹)ₐᵦ ∂rᵦ/∂ηₐ
//! |G|^α dq dη stays where |G| div + α D|G| = 0        α = 1 without rows: Liouville's; α = 1/2 of Chaplygin's systems
//! ```
//!
//! Where neither S, G nor r depend on q, a density that the symmetry keeps is one of η: none is there where the flow of η
//! has a steady point whose divergence is not 0, as of the sleigh that runs straight on.

use super::Apart;
use crate::dense;
use crate::diff::Tangent;
use crate::mechanics::claim::sample::{Conditions, Functions, Place, Sample, Sampler};
use crate::mechanics::closed_forms::reduce::{Reduction, reduce, reduced_mass, residuals};
use crate::mechanics::lagrange::equations::EquationsOfMotion;
use crate::mechanics::linear::{cofactor, determinant, dot, transposed};
use crate::mechanics::system::SystemModel;
use crate::node::{ExprId, SymbolId, SymbolKind};
use crate::pool::ExprPool;
use crate::simplify::Simplifier;
use crate::subst::Substitution;

/// More free velocities are not looked at: |G| is written out.
const FREE_MAX: usize = 4;

/// The powers that are tried, over 2.
const HALVES: [i64; 3] = [0, 1, 2];

/// Starts and steps of the search for a steady point, and its seed.
const STARTS: usize = 8;
const STEPS: usize = 60;
const SEED: u64 = 0x3EA5;

/// Beside 1, a steady point's rates are below this, its divergence above.
const STEADY: f64 = 1e-10;
const CLEAR: f64 = 1e-6;

/// The damping of a step, beside the size of its matrix.
const DAMPING: f64 = 1e-12;

/// What is known of an invariant measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Measure {
    /// density dq dη stays.
    Kept {
        /// The free velocities η.
        free: Vec<SymbolId>,
        /// The density.
        density: ExprId,
    },
    /// None that the symmetries keep: a steady motion attracts or repels volume.
    Nowhere,
    /// Nothing is known.
    Unknown(String),
}

/// Looks for an invariant measure.
pub fn measure(model: &mut SystemModel, equations: &EquationsOfMotion) -> Measure {
    if let Some(why) = beside_the_flow(model, equations) {
        return Measure::Unknown(why);
    }
    let mut simplifier = Simplifier::default();
    let reduction = match reduce(model, equations, &mut simplifier) {
        Ok(reduction) => reduction,
        Err(why) => return Measure::Unknown(format!("of the free velocities: {why}")),
    };
    if reduction.free.len() > FREE_MAX {
        return Measure::Unknown(format!(
            "{} free velocities, |G| is written out of at most {FREE_MAX}",
            reduction.free.len()
        ));
    }
    let mut flow = Flow::new(model, equations, &reduction, &mut simplifier);
    let mut apart = Apart::new(equations);
    for half in HALVES {
        let pool = &mut model.pool;
        let (over, under) = (pool.integer(half), pool.integer(2));
        let power = pool.div(over, under);
        let drift = pool.mul(power, flow.determinant_rate);
        let residual = pool.add(flow.divergence, drift);
        let residual = flow.in_speeds(model, residual);
        if apart.vanishes(model, residual) {
            let density = model.pool.pow(flow.determinant, power);
            let density = simplifier.simplify(&mut model.pool, density);
            return Measure::Kept { free: flow.free, density };
        }
    }
    flow.simplify(model, &mut simplifier);
    let why = if flow.depends_on_places(model) {
        "and the flow of the free velocities depends on place or time"
    } else {
        match flow.attracts(model, equations) {
            Some(true) => return Measure::Nowhere,
            Some(false) => "and the steady motions that were found keep volume",
            None => "and no steady motion was found",
        }
    };
    Measure::Unknown(format!("no power of |G| is a density, {why}"))
}

/// What is in the motion and in none of the equations: forces of dry friction, which jump where what slides comes to rest, so
/// that a volume ends on a surface.
fn beside_the_flow(model: &SystemModel, equations: &EquationsOfMotion) -> Option<String> {
    if let Some(friction) = model.row_frictions.first() {
        let row = &friction.name;
        return Some(format!("the friction of {row} is in no equation"));
    }
    let is_dry = equations.friction.is_some();
    is_dry.then(|| "dry friction brings to rest what slides".to_owned())
}

/// The flow of (q, η).
struct Flow {
    free: Vec<SymbolId>,
    /// Each as l·v.
    rows: Vec<ExprId>,
    /// |G| and its rate.
    determinant: ExprId,
    determinant_rate: ExprId,
    /// |G| div.
    divergence: ExprId,
    /// r.
    right: Vec<ExprId>,
    /// ∂rₐ/∂ηᵦ.
    slopes: Vec<Vec<ExprId>>,
}

impl Flow {
    fn new(
        model: &mut SystemModel,
        equations: &EquationsOfMotion,
        reduction: &Reduction,
        simplifier: &mut Simplifier,
    ) -> Self {
        let free: Vec<SymbolId> = reduction.free.iter().map(|free| free.velocity).collect();
        let residuals = residuals(model, equations, reduction, ExprPool::ONE);
        let rates = model.rates();
        let (velocities, positions) = (model.velocities(), model.positions());
        let mass = reduced_mass(&mut model.pool, equations, reduction, simplifier);
        let pool = &mut model.pool;
        let images = reduction.free.iter().map(|free| (free.acceleration, ExprPool::ZERO));
        let mut at_rest = Substitution::new(images.collect::<Vec<_>>());
        let columns = transposed(&reduction.map, free.len());
        let right: Vec<ExprId> = columns
            .iter()
            .map(|column| {
                let whole = dot(pool, column, &residuals);
                let left = at_rest.apply(pool, whole);
                pool.neg(left)
            })
            .collect();
        let images = velocities.iter().copied().zip(reduction.velocity.iter().copied());
        let mut on_constraints = Substitution::new(images.collect::<Vec<_>>());
        let rates: Vec<ExprId> =
            rates.into_iter().map(|rate| on_constraints.apply(pool, rate)).collect();
        let determinant = determinant(pool, &mass);
        let slopes = pool.jacobian(&right, &free);
        let mut terms = Vec::new();
        for a in 0..mass.len() {
            for b in 0..mass.len() {
                let entry = cofactor(pool, &mass, a, b);
                terms.push(pool.mul(entry, slopes[b][a]));
            }
        }
        for (rate, place) in rates.iter().zip(&positions) {
            let slope = pool.gradient(*rate, &[*place])[0];
            terms.push(pool.mul(determinant, slope));
        }
        let divergence = pool.sum_of(&terms);
        let moving =
            [(model.time, ExprPool::ONE)].into_iter().chain(positions.into_iter().zip(rates));
        let determinant_rate = Tangent::new(moving).derivative(pool, determinant);
        let v: Vec<ExprId> = velocities.into_iter().map(|v| pool.symbol_expr(v)).collect();
        let rows = reduction.free.iter().map(|free| dot(pool, &free.row, &v)).collect();
        Self { free, rows, determinant, determinant_rate, divergence, right, slopes }
    }

    /// An expression with the speeds in place of η: states that are drawn have these.
    fn in_speeds(&self, model: &mut SystemModel, value: ExprId) -> ExprId {
        let images = self.free.iter().copied().zip(self.rows.iter().copied());
        Substitution::new(images.collect::<Vec<_>>()).apply(&mut model.pool, value)
    }

    /// What is read for places, so that cos² + sin² is none.
    fn simplify(&mut self, model: &mut SystemModel, simplifier: &mut Simplifier) {
        let read = self.right.iter_mut().chain([&mut self.determinant, &mut self.divergence]);
        for value in read {
            *value = simplifier.simplify(&mut model.pool, *value);
        }
    }

    /// Whether r, its slopes or |G| depend on t or q.
    fn depends_on_places(&self, model: &SystemModel) -> bool {
        let all = [&self.right[..], &[self.determinant, self.divergence]].concat();
        let is_place = |symbol: &SymbolId| {
            let kind = model.pool.symbol_info(*symbol).kind;
            !matches!(kind, SymbolKind::Velocity(_) | SymbolKind::Parameter(_) | SymbolKind::Pi)
        };
        model.pool.symbols_in(&all).iter().any(is_place)
    }

    /// Whether a steady η has a divergence; none where no steady one is found.
    fn attracts(&self, model: &mut SystemModel, equations: &EquationsOfMotion) -> Option<bool> {
        let functions = Functions::new(model, equations);
        let conditions = Conditions::default();
        let place = Place { on_constraints: true, at: None, conditions: &conditions };
        let mut sampler = Sampler::new(model, &functions, SEED);
        let mut found = None;
        for _ in 0..STARTS {
            let mut sample = sampler.state(place).ok()?;
            let eta = sampler.evaluate(&self.rows, &sample);
            for (symbol, value) in self.free.iter().zip(eta) {
                sample.set(model.pool.symbol_info(*symbol).kind, value);
            }
            if !self.settle(model, &sampler, &mut sample) {
                continue;
            }
            let values = sampler.evaluate(&[self.divergence, self.determinant], &sample);
            let is_clear = (values[0] / values[1]).abs() > CLEAR;
            found = Some(found.unwrap_or(false) || is_clear);
        }
        found
    }

    /// Turns η, its length kept, to where r = 0, by the method of Gauss and Newton; false where it does not get there. r is
    /// homogeneous where nothing drives: Newton's method alone would go to rest.
    fn settle(&self, model: &SystemModel, sampler: &Sampler<'_>, sample: &mut Sample) -> bool {
        let kinds: Vec<SymbolKind> =
            self.free.iter().map(|symbol| model.pool.symbol_info(*symbol).kind).collect();
        for _ in 0..STEPS {
            let eta: Vec<f64> = kinds.iter().map(|kind| sample.value(*kind)).collect();
            let right = sampler.evaluate(&self.right, sample);
            let size = dense::dot(&eta, &eta).sqrt();
            if size < CLEAR || !right.iter().all(|r| r.is_finite()) {
                return false;
            }
            if right.iter().all(|r| r.abs() <= STEADY * size * size) {
                return true;
            }
            let rows: Vec<Vec<f64>> =
                self.slopes.iter().map(|row| sampler.evaluate(row, sample)).collect();
            let Some(step) = step(&rows, &right, &eta) else { return false };
            for ((kind, x), step) in kinds.iter().zip(eta).zip(step) {
                sample.set(*kind, x - step);
            }
        }
        false
    }
}

/// δ ⟂ η that makes ‖J δ − r‖ least: (JᵀJ + σ ηηᵀ) δ = Jᵀr with J across η, damped a little.
fn step(rows: &[Vec<f64>], right: &[f64], eta: &[f64]) -> Option<Vec<f64>> {
    let n = eta.len();
    let length = dense::dot(eta, eta);
    let across = |row: &Vec<f64>| -> Vec<f64> {
        let along = dense::dot(row, eta) / length;
        row.iter().zip(eta).map(|(a, b)| a - along * b).collect()
    };
    let rows: Vec<Vec<f64>> = rows.iter().map(across).collect();
    let scale = rows.iter().flatten().map(|x| x * x).sum::<f64>().max(f64::MIN_POSITIVE);
    let entry = |i: usize, j: usize| {
        let inner: f64 = rows.iter().map(|row| row[i] * row[j]).sum();
        inner + scale * (eta[i] * eta[j] / length + DAMPING * f64::from(u8::from(i == j)))
    };
    let gram: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
    dense::solve(&gram, &dense::transposed_times(&rows, right, n))
}
