//! Deciding claims: a claim follows where its residual vanishes, to rounding, at random states on
//! the constraints, for random parameters within their bounds. What is analytic and vanishes there vanishes everywhere;
//! where roots, signs, steps, inverse functions or what saturates stand in the claim or in the equations, it must vanish at
//! states far away, too, and under a condition at the other roots of this.

pub mod closed;
mod coincident;
pub mod jets;
pub mod on_motion;
pub mod sample;
pub mod sentence;

use self::coincident::coincident;
use self::jets::Jets;
use self::sample::{Conditions, Functions, Place, Sample, SampleError, Sampler, elsewhere};
use super::lagrange::equations::EquationsOfMotion;
use super::linear::dot;
use super::system::contact::ImpactOf;
use super::system::declared::RowKind;
use super::system::{Claim, Condition, Statement, SystemModel};
use crate::dense;
use crate::diff::Tangent;
use crate::eval::{Estimate, Sweep};
use crate::node::{ExprId, SymbolKind};
use crate::pool::ExprPool;
use crate::subst::Substitution;

/// On how many states a claim must hold, and their seed: those of one place are drawn once for all claims.
const STATES: usize = 12;
const SEED: u64 = 0x5EED_0001;

/// For each of them so many are tried: both sides of what holds roots of four numbers are defined at one of sixteen.
const TRIED: usize = 32;

/// A residual below this many units of rounding of its own terms is zero: the bounds of
/// [`Estimate`](crate::eval::Estimate) are good to a modest factor, and a linear solve amplifies.
const ROUNDING_UNITS: f64 = 2e4;

/// Where what a solve leaves in doubt is counted, rounding is a few units at most: a residual beyond so many of them at each
/// state is none, and one below is nothing at one.
const STEADY_UNITS: f64 = 30.0;

/// A state on which a residual is beyond the first, but by no more than this factor, may be one where the rows are nearly
/// dependent, so that a solve amplifies still more: so many of them are set aside before it counts.
const ILL_CONDITIONED: f64 = 100.0;
const SET_ASIDE: usize = STATES / 4;

/// On how many states at which a condition is met by another of its roots.
const ROOT_STATES: usize = 12;

/// On how many states far away, and what part of its terms a residual is there that another branch explains.
const FAR_STATES: usize = 12;

/// States on each part of a function that acts only there.
const FOCUSED_STATES: usize = 2;
const FAR_SEED: u64 = 0xFA_2B4E;
const BRANCH: f64 = 1e-9;

/// The same where integrals take part, which are known to the tolerance of their quadrature.
const BRANCH_OF_INTEGRALS: f64 = 1e-6;

/// States at which a condition is looked at that may hold by itself, to the first at which it does not: a sign may be
/// the same at most of them. And their seed.
const CONDITION_STATES: usize = 200;
const CONDITION_SEED: u64 = 0xC0_4D17;

/// The verdict on a statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// It holds at every state tried.
    Follows,
    /// It does not.
    Fails(Failure),
    /// No state could be drawn, or the two sides are not defined on any.
    Undecided(SampleError),
}

/// Where and by how much a statement fails.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// The component of an equation of vectors, or the coordinate of a motion.
    pub component: usize,
    /// The residual: left side minus right side; `None` for a motion.
    pub residual: Option<ExprId>,
    /// Its value at the state where it failed.
    pub value: f64,
    /// What rounding explains.
    pub rounding: f64,
    /// For a motion, what is violated.
    pub violated: Option<Violated>,
}

/// What a motion violates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Violated {
    /// A constraint row, by index.
    Row(usize),
    /// The equations of motion.
    Dynamics,
}

/// Why a condition of a claim cannot stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConditionFault {
    /// No state was found on which it holds beside the constraints and the conditions before it.
    Unsatisfied,
    /// It holds at all states that satisfy the constraints and the conditions before it.
    Idle,
}

/// Decides a statement. The model is changed only by new expressions in its pool; `functions` are
/// those of the model, made once for all of its claims.
pub fn decide(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    functions: &Functions,
    statement: &Statement,
    (at, when): (Option<(usize, ImpactOf)>, &[Condition]),
) -> Verdict {
    let decided = match statement {
        Statement::Residuals(residuals) => {
            decide_equations(model, functions, residuals, (at, when))
        }
        Statement::Motion(motion) => {
            let conditions = Conditions::new(&mut model.pool, when);
            let place = place(statement, at, &conditions);
            decide_motion(model, equations, functions, motion, place)
        }
    };
    decided.unwrap_or_else(Verdict::Undecided)
}

/// Decides equations; where they fail, with the values of declared functions made one whose points coincide.
fn decide_equations(
    model: &mut SystemModel,
    functions: &Functions,
    residuals: &[ExprId],
    (at, when): (Option<(usize, ImpactOf)>, &[Condition]),
) -> Result<Verdict, SampleError> {
    let decide = |model: &mut SystemModel, residuals: &[ExprId], held: &[Condition]| {
        let conditions = &Conditions::new(&mut model.pool, held);
        let place = Place { on_constraints: true, at, conditions };
        decide_residuals(model, functions, residuals, place)
    };
    let vanish = |model: &mut SystemModel, residuals: &[ExprId], held: &[Condition]| {
        decide(model, residuals, held) == Ok(Verdict::Follows)
    };
    let first = decide(model, residuals, when);
    if !matches!(first, Ok(Verdict::Fails(_))) {
        return first;
    }
    let same = coincident(model, (residuals, when), &vanish);
    if same.is_empty() { first } else { decide(model, residuals, &[when, &same].concat()) }
}

/// The first condition of a claim that no state satisfies, or that none violates.
pub fn check_conditions(
    model: &mut SystemModel,
    functions: &Functions,
    claim: &Claim,
) -> Option<(usize, ConditionFault)> {
    for (index, condition) in claim.when.iter().enumerate() {
        let before = Conditions::new(&mut model.pool, &claim.when[..index]);
        let place_before = place(&claim.statement, claim.at, &before);
        if holds_anyway(model, functions, &condition.residuals, place_before) {
            return Some((index, ConditionFault::Idle));
        }
        let with = Conditions::new(&mut model.pool, &claim.when[..=index]);
        let mut sampler = Sampler::new(model, functions, CONDITION_SEED);
        let drawn = sampler.state(place(&claim.statement, claim.at, &with));
        if matches!(drawn, Err(SampleError::Position)) {
            return Some((index, ConditionFault::Unsatisfied));
        }
    }
    None
}

/// Whether slips of a claim are 0 wherever it is made: what is said to slide is held.
pub fn is_held(
    model: &SystemModel,
    functions: &Functions,
    slips: &[ExprId],
    claim: &Claim,
) -> bool {
    let none = Conditions::default();
    holds_anyway(model, functions, slips, place(&claim.statement, claim.at, &none))
}

fn place<'c>(
    statement: &Statement,
    at: Option<(usize, ImpactOf)>,
    conditions: &'c Conditions,
) -> Place<'c> {
    let on_constraints = matches!(statement, Statement::Residuals(_));
    Place { on_constraints, at, conditions }
}

/// Whether a condition holds at states where nothing asks for it.
fn holds_anyway(
    model: &SystemModel,
    functions: &Functions,
    residuals: &[ExprId],
    place: Place<'_>,
) -> bool {
    let mut sampler = Sampler::new(model, functions, CONDITION_SEED);
    (0..CONDITION_STATES).all(|_| {
        // Where no state is found the claim itself says so.
        let Ok(sample) = sampler.state(place) else { return false };
        sampler.evaluate_with_error(residuals, &sample).into_iter().all(vanishes)
    })
}

/// Whether a value is rounding.
fn vanishes(value: Estimate) -> bool {
    value.value.abs() <= rounding(value)
}

fn rounding(value: Estimate) -> f64 {
    units(ROUNDING_UNITS, value)
}

/// So many units of rounding of the terms of a value.
fn units(count: f64, value: Estimate) -> f64 {
    count * f64::EPSILON * value.size
}

fn decide_residuals(
    model: &SystemModel,
    functions: &Functions,
    residuals: &[ExprId],
    place: Place<'_>,
) -> Result<Verdict, SampleError> {
    let mut sampler = Sampler::new(model, functions, SEED);
    let sweep = Sweep::new(&model.pool, residuals);
    let mut set_aside = 0;
    let mut seen: Vec<(Sample, Vec<Estimate>)> = Vec::new();
    for _ in 0..TRIED * STATES {
        let sample = sampler.state(place)?;
        let values = sampler.sweep(&sweep, &sample);
        if values.iter().any(|v| !v.value.is_finite()) {
            continue;
        }
        let excess = |v: &Estimate| if vanishes(*v) { 0.0 } else { v.value.abs() / rounding(*v) };
        let largest = values.iter().map(excess).fold(0.0, f64::max);
        if largest > 1.0 && largest <= ILL_CONDITIONED && set_aside < SET_ASIDE {
            set_aside += 1;
            continue;
        }
        if values.iter().any(|value| !vanishes(*value)) {
            let doubtful = sampler.sweep(&sweep, &sampler.in_doubt(&sample));
            let mut pairs = values.iter().zip(&doubtful);
            if let Some(component) = pairs.position(|(v, w)| !vanishes(*v) && is_beyond(*w)) {
                return Ok(fails(residuals, component, values[component], ROUNDING_UNITS));
            }
            if doubtful.iter().any(|value| !value.size.is_finite()) {
                continue;
            }
        }
        seen.push((sample, values));
        if seen.len() == STATES {
            let failed = fails_everywhere((&sampler, place), (residuals, &sweep), &seen)
                .or_else(|| fails_far_away(model, functions, (residuals, &sweep), place));
            return Ok(failed.unwrap_or(Verdict::Follows));
        }
    }
    Err(SampleError::Position)
}

/// Whether a residual is more than rounding.
fn is_beyond(value: Estimate) -> bool {
    value.value.abs() > units(STEADY_UNITS, value)
}

/// The failure of what is small beside its terms, and more than rounding at each state. What meets a condition, integrals and
/// velocities after an impact are known to less.
fn fails_everywhere(
    (sampler, place): (&Sampler<'_>, Place<'_>),
    (residuals, sweep): (&[ExprId], &Sweep),
    seen: &[(Sample, Vec<Estimate>)],
) -> Option<Verdict> {
    let is_known = place.conditions.is_empty() && place.at.is_none();
    if !is_known || have_integrals(sampler.model(), sampler.functions(), residuals) {
        return None;
    }
    let beyond_at_all =
        |component: &usize| seen.iter().all(|(_, values)| is_beyond(values[*component]));
    let mut steady: Vec<usize> = (0..residuals.len()).filter(beyond_at_all).collect();
    for (sample, _) in seen {
        if !steady.is_empty() {
            let in_doubt = sampler.sweep(sweep, &sampler.in_doubt(sample));
            steady.retain(|component| is_beyond(in_doubt[*component]));
        }
    }
    let component = *steady.first()?;
    let (_, values) = seen.last()?;
    Some(fails(residuals, component, values[component], STEADY_UNITS))
}

fn fails(residuals: &[ExprId], component: usize, value: Estimate, explained: f64) -> Verdict {
    Verdict::Fails(Failure {
        component,
        residual: Some(residuals[component]),
        value: value.value,
        rounding: units(explained, value),
        violated: None,
    })
}

fn have_integrals(model: &SystemModel, functions: &Functions, residuals: &[ExprId]) -> bool {
    functions.have_integrals || residuals.iter().any(|residual| model.pool.has_integral(*residual))
}

/// The failure of what follows nearby on another branch, at another root of a condition, or where a function acts.
fn fails_far_away(
    model: &SystemModel,
    functions: &Functions,
    (residuals, sweep): (&[ExprId], &Sweep),
    place: Place<'_>,
) -> Option<Verdict> {
    let wide = || (ROOT_STATES, Sampler::wide(model, functions, FAR_SEED));
    let mut samplers: Vec<_> = place.conditions.have_roots().then(wide).into_iter().collect();
    let others = elsewhere(model, functions, residuals, FAR_SEED).into_iter().enumerate();
    samplers.extend(others.map(|(k, of)| (if k == 0 { FAR_STATES } else { FOCUSED_STATES }, of)));
    let is_integral = have_integrals(model, functions, residuals);
    let branch = if is_integral { BRANCH_OF_INTEGRALS } else { BRANCH };
    let failure = |sampler: &mut Sampler<'_>| {
        let sample = sampler.state(place).ok()?;
        let values = sampler.sweep(sweep, &sample);
        let is_off = |value: &Estimate| value.value.abs() > branch * value.size;
        let is_defined = values.iter().all(|value| value.value.is_finite());
        let component = values.iter().position(is_off).filter(|_| is_defined)?;
        Some(fails(residuals, component, values[component], ROUNDING_UNITS))
    };
    samplers.iter_mut().find_map(|(count, sampler)| (0..*count).find_map(|_| failure(sampler)))
}

/// q(t), v(t), v̇(t) of a stated motion.
struct Motion {
    position: Vec<ExprId>,
    velocity: Vec<ExprId>,
    acceleration: Vec<ExprId>,
}

/// A motion satisfies A v + b = 0, φ = 0, and leaves no force outside the range of Rᵀ:
/// M v̇ + h − F₀ = Rᵀλ for some λ.
fn decide_motion(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    functions: &Functions,
    motion: &[ExprId],
    place: Place<'_>,
) -> Result<Verdict, SampleError> {
    let motion = differentiate(model, motion);
    let residuals = along_motion(model, equations, &motion);
    let mut sampler = Sampler::new(model, functions, 0x0113);
    let constants: Vec<SymbolKind> = model
        .pool
        .symbols()
        .iter()
        .map(|symbol| symbol.kind)
        .filter(|kind| matches!(kind, SymbolKind::Constant(_)))
        .collect();
    let mut defined = 0;
    for attempt in 0..4 * STATES {
        let mut sample = sampler.state(place)?;
        for (index, kind) in constants.iter().enumerate() {
            // Irrational multiples spread the constants over (−2, 2) without repeating.
            let turn = (attempt as f64 * 7.0 + index as f64 + 1.0) * 0.618_033_988_749_894_9;
            sample.set(*kind, 4.0 * turn.fract() - 2.0);
        }
        match motion_failure(model, equations, &sampler, &residuals, &sample) {
            MotionCheck::Undefined => {}
            MotionCheck::Fails(failure) => return Ok(Verdict::Fails(failure)),
            MotionCheck::Holds => defined += 1,
        }
        if defined == STATES {
            return Ok(Verdict::Follows);
        }
    }
    Err(SampleError::Position)
}

fn differentiate(model: &mut SystemModel, motion: &[ExprId]) -> Motion {
    let mut time = Tangent::partial(model.time);
    let positions = model.positions();
    let pool = &mut model.pool;
    let mut velocity: Vec<ExprId> = motion.iter().map(|q| time.derivative(pool, *q)).collect();
    if let Some(kinematics) = &model.kinematics {
        // v = W(q) q̇ along the motion.
        let mut along = Substitution::new(positions.into_iter().zip(motion.iter().copied()));
        let form = |row: &Vec<ExprId>| -> ExprId {
            let row: Vec<ExprId> = row.iter().map(|e| along.apply(pool, *e)).collect();
            dot(pool, &row, &velocity)
        };
        velocity = kinematics.forms.iter().map(form).collect();
    }
    let acceleration = velocity.iter().map(|v| time.derivative(pool, *v)).collect();
    Motion { position: motion.to_vec(), velocity, acceleration }
}

/// The constraint residuals, then M v̇ + h − F₀ and the rows of R, all along the motion.
struct AlongMotion {
    constraints: Vec<ExprId>,
    dynamics: Vec<ExprId>,
    reactions: Vec<Vec<ExprId>>,
}

fn along_motion(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    motion: &Motion,
) -> AlongMotion {
    let places = model.positions().into_iter().zip(motion.position.iter().copied());
    let velocities = model.velocities().into_iter().zip(motion.velocity.iter().copied());
    let mut along = Substitution::new(places.chain(velocities));
    let pool = &mut model.pool;
    let mut on_motion = |rows: &[Vec<ExprId>]| -> Vec<Vec<ExprId>> {
        rows.iter().map(|row| row.iter().map(|e| along.apply(pool, *e)).collect()).collect()
    };
    let (rows, mut reactions) = (on_motion(&equations.rows), on_motion(&equations.reactions));
    let mut constraints = Vec::new();
    for (row, affine) in rows.iter().zip(&equations.affine) {
        let mut terms = vec![(ExprPool::ONE, along.apply(pool, *affine))];
        for (entry, v) in row.iter().zip(&motion.velocity) {
            terms.push((ExprPool::ONE, pool.mul(*entry, *v)));
        }
        constraints.push(pool.sum(&terms));
    }
    for residual in &equations.holonomic {
        constraints.push(along.apply(pool, *residual));
    }
    let mut dynamics = Vec::new();
    let mass = equations.mass.entries(pool);
    for (i, row) in mass.iter().enumerate() {
        let mut terms = vec![
            (ExprPool::ONE, along.apply(pool, equations.bias[i])),
            (ExprPool::MINUS_ONE, along.apply(pool, equations.force[i])),
        ];
        for (entry, a) in row.iter().zip(&motion.acceleration) {
            let entry = along.apply(pool, *entry);
            terms.push((ExprPool::ONE, pool.mul(entry, *a)));
        }
        dynamics.push(pool.sum(&terms));
    }
    // Only now: the motion may hold declared functions of t, which were differentiated with it.
    let mut jets = Jets::default();
    for e in constraints.iter_mut().chain(&mut dynamics).chain(reactions.iter_mut().flatten()) {
        *e = jets.apply(pool, *e);
    }
    AlongMotion { constraints, dynamics, reactions }
}

enum MotionCheck {
    Undefined,
    Holds,
    Fails(Failure),
}

fn motion_failure(
    model: &SystemModel,
    equations: &EquationsOfMotion,
    sampler: &Sampler<'_>,
    along: &AlongMotion,
    sample: &Sample,
) -> MotionCheck {
    let fails = |component, value, rounding, violated| {
        MotionCheck::Fails(Failure {
            component,
            residual: None,
            value,
            rounding,
            violated: Some(violated),
        })
    };
    let constraints = sampler.evaluate_with_error(&along.constraints, sample);
    let dynamics = sampler.evaluate_with_error(&along.dynamics, sample);
    if constraints.iter().chain(&dynamics).any(|v| !v.value.is_finite()) {
        return MotionCheck::Undefined;
    }
    for (index, value) in constraints.iter().enumerate() {
        if !vanishes(*value) {
            // After the k rows come the residuals φ of the holonomic ones.
            let row = match index.checked_sub(equations.rows.len()) {
                None => index,
                Some(residual) => holonomic_row(model, residual),
            };
            return fails(row, value.value, rounding(*value), Violated::Row(row));
        }
    }
    let rows: Vec<Vec<f64>> =
        along.reactions.iter().map(|row| sampler.evaluate(row, sample)).collect();
    let mut force: Vec<f64> = dynamics.iter().map(|v| v.value).collect();
    if !rows.is_empty() {
        let along_rows = dense::times(&rows, &force);
        let Some(part) = dense::least_norm(&rows, &along_rows, model.speeds.len()) else {
            return MotionCheck::Undefined;
        };
        force.iter_mut().zip(part).for_each(|(f, part)| *f -= part);
    }
    let size = dynamics.iter().fold(0.0_f64, |m, v| m.max(v.size));
    let rounding = rounding(Estimate { value: 0.0, size });
    for (index, value) in force.iter().enumerate() {
        if value.abs() > rounding {
            return fails(index, *value, rounding, Violated::Dynamics);
        }
    }
    MotionCheck::Holds
}

/// The row of a holonomic residual.
fn holonomic_row(model: &SystemModel, residual: usize) -> usize {
    let rows = model.rows.iter().enumerate();
    let mut holonomic = rows.filter(|(_, row)| matches!(row.kind, RowKind::Holonomic { .. }));
    holonomic.nth(residual).map_or(0, |(row, _)| row)
}
