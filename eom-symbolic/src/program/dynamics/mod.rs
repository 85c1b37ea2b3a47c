//! The program of the dynamics: v̇ and λ of M v̇ + h = F + Aᵀλ, A v̇ + γ = 0.
//!
//! What is always right is the factored solve of the derived functions as they stand. For small
//! systems others compete with it: rows that give a velocity eliminated (`eliminate`), forces
//! collected and written in the angles that are there (`angles`), two equations by Cramer's rule.
//! The cheapest (`cost`) is taken that computes the same as accurately (`accuracy`), each with its
//! products shared (`products`), and then what its sums share is added once (`sums`). Chains of bodies
//! have two that are as long as they are (`articulated`, `tensions`); they are taken where the factors would be
//! left to loops, too.

mod articulated;
mod eliminate;
pub(super) mod solve;
pub(super) mod tensions;

use super::passes::accuracy::{Equations, is_as_good, solves};
use super::passes::angles::split_angles;

use self::eliminate::{Algebra, Eliminated, Linear};
use self::solve::{Kkt, Method, solve};
use super::lower::Lowering;

use super::{Builder, OpCounts, Program, Value};
use crate::mechanics::lagrange::velocity_forms::Forms;
use crate::mechanics::{EquationsOfMotion, Mass, SystemModel};
use crate::node::ExprId;
use crate::simplify;
use eom_elementary::order;

/// Above this estimate of its statements the linear solve is not unrolled but left to loops of
/// the run time: straight-line code costs rustc about a second per thousand statements.
pub const DYNAMICS_STATEMENTS_MAX: usize = 3000;

/// Systems with more speeds and rows have the factored solve only.
const UNKNOWNS_MAX: usize = 8;

/// Systems whose derived functions have more symbols and operations, too.
const SIZE_MAX: usize = 1500;

/// What each pass leaves of the dynamics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Passes {
    /// The derived functions lowered as they stand, and the factored solve.
    pub lowered: OpCounts,
    /// The same with products shared.
    pub shared: OpCounts,
    /// The form that is taken.
    pub taken: OpCounts,
    /// The same with sums fused with products.
    pub fused: OpCounts,
    /// What that form solves.
    pub solved_for: SolvedFor,
}

/// The unknowns of which the accelerations are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SolvedFor {
    /// v̇ and λ of M v̇ + h = F + Aᵀλ, A v̇ + γ = 0.
    #[default]
    Accelerations,
    /// Those and the accelerations of the bodies of a chain, by the forms of its velocities.
    Bodies,
    /// The tensions of the rods of a chain.
    Tensions,
}

/// v̇ and λ, or what loops of the run time find them of.
#[derive(Debug)]
pub(super) struct Dynamics {
    pub(super) program: Program,
    pub(super) passes: Passes,
    /// Whether the program has v̇ and λ.
    pub(super) solved: bool,
}

/// v̇ and λ with the forces F = `force`; the solve by factors is left to loops unless `unrolled`.
pub(super) fn dynamics(
    name: &str,
    model: &SystemModel,
    equations: &EquationsOfMotion,
    force: &[ExprId],
    unrolled: bool,
) -> Dynamics {
    if !equations.mass.has_entries() {
        return long(name, model, equations, force);
    }
    let pool = &model.pool;
    let lowered = factored(name, model, equations, force, unrolled);
    let mut passes = Passes { lowered: lowered.op_counts(), ..Passes::default() };
    let factored = lowered.with_shared_products(pool);
    passes.shared = factored.op_counts();
    let (mut best, mut least) = (None, factored.cost(pool).total());
    if unrolled && equations.friction.guarded.is_empty() && factored.integrals.is_empty() {
        for candidate in candidates(name, model, equations, force) {
            let candidate = candidate.with_shared_products(pool);
            let cost = candidate.cost(pool).total();
            if cost < least && is_as_good(&candidate, &factored, pool) {
                (best, least) = (Some(candidate), cost);
            }
        }
    }
    // With and without dry friction the same is solved. What is left to loops else has no cost to compare.
    if unrolled || !equations.friction.has_constant_points() {
        let limit = DYNAMICS_STATEMENTS_MAX.max(factored.instructions.len());
        let cost = |chain: &Program| chain.cost(pool).total();
        let mut chains = by_forms(name, model, equations, force);
        chains.retain(|(_, chain)| {
            chain.instructions.len() <= limit && (!unrolled || cost(chain) < least)
        });
        order::sort_by_key(&mut chains, |(_, chain)| cost(chain));
        if !chains.is_empty() {
            let entries = self::factored(name, model, equations, force, false);
            let speeds = model.speeds.len();
            let system = Equations { speeds, product: None, entries };
            let solves = |chain: &Program| solves(chain, &system, pool);
            if let Some((unknowns, chain)) = chains.into_iter().find(|(_, chain)| solves(chain)) {
                passes.solved_for = unknowns;
                best = Some(chain);
            }
        }
    }
    let solved = unrolled || best.is_some();
    let program = best.unwrap_or(factored).with_shared_sums(pool);
    passes.taken = program.op_counts();
    Dynamics { program, passes, solved }
}

/// The same of a system so large that M has no entries: by forms, or where they give none by loops, of entries that
/// are made after all.
fn long(
    name: &str,
    model: &SystemModel,
    equations: &EquationsOfMotion,
    force: &[ExprId],
) -> Dynamics {
    let pool = &model.pool;
    let entries = factored(name, model, equations, force, false);
    let product = mass_product(model, equations);
    let mut lowered = entries.op_counts();
    lowered += product.op_counts();
    let system = Equations { speeds: model.speeds.len(), product: Some(product), entries };
    let by_loops = equations.friction.has_constant_points();
    let mut chains = if by_loops { Vec::new() } else { by_forms(name, model, equations, force) };
    order::sort_by_key(&mut chains, |(_, chain)| chain.cost(pool).total());
    let found = chains.into_iter().find(|(_, chain)| solves(chain, &system, pool));
    let Some((solved_for, chain)) = found else {
        let (mut model, mut equations) = (model.clone(), equations.clone());
        equations.mass = Mass::Entries(equations.mass.entries(&mut model.pool).into_owned());
        return dynamics(name, &model, &equations, force, false);
    };
    let program = chain.with_shared_sums(pool);
    let passes = Passes {
        lowered,
        shared: lowered,
        taken: program.op_counts(),
        solved_for,
        ..Passes::default()
    };
    Dynamics { program, passes, solved: true }
}

/// M v, where M has no entries.
pub(super) fn mass_product(model: &SystemModel, equations: &EquationsOfMotion) -> Program {
    let given = if equations.mass.has_entries() { Vec::new() } else { equations.mass.given() };
    let entries = given.concat().into_iter().enumerate();
    let entries = entries.map(|(i, entry)| (format!("(M v)[{i}]"), entry));
    Program::of_expressions(&model.pool, "mass_product", entries)
}

/// The solutions by forms, where the velocities have some: by elimination of bodies, by tensions of rods.
fn by_forms(
    name: &str,
    model: &SystemModel,
    equations: &EquationsOfMotion,
    force: &[ExprId],
) -> Vec<(SolvedFor, Program)> {
    if equations.is_coupled() {
        return Vec::new();
    }
    let program = |b: Builder, accelerations: &[Value], multipliers: &[Value]| {
        let program = named(b, name, model, accelerations, multipliers);
        program.with_shared_products(&model.pool)
    };
    let bodies = |forms: &Forms| {
        let (b, v, λ) = articulated::lower(equations, force, forms)?;
        Some((SolvedFor::Bodies, program(b, &v, &λ)))
    };
    let rates = Forms::of_rates(model, equations);
    let rods = rates.as_ref().and_then(|forms| tensions::lower(equations, force, forms));
    let rods = rods.map(|(b, v)| (SolvedFor::Tensions, program(b, &v, &[])));
    let may_turn = rates.as_ref().is_none_or(|forms| forms.leaves_some);
    let turning = may_turn.then(|| Forms::of_turning(model, equations)).flatten();
    rates
        .as_ref()
        .and_then(bodies)
        .into_iter()
        .chain(rods)
        .chain(turning.as_ref().and_then(bodies))
        .collect()
}

/// The programs that compete with the factored one.
fn candidates(
    name: &str,
    model: &SystemModel,
    equations: &EquationsOfMotion,
    force: &[ExprId],
) -> Vec<Program> {
    let (n, k) = (equations.mass.size(), equations.rows.len());
    let mass = equations.mass.kept();
    let entries = mass.iter().chain(&equations.rows).flatten();
    let entries = entries.chain(force).chain(&equations.bias).chain(&equations.drift);
    let size = entries.map(|e| simplify::size(&model.pool, *e)).fold(0, usize::saturating_add);
    if n + k > UNKNOWNS_MAX || size > SIZE_MAX {
        return Vec::new();
    }
    let mut algebra = Algebra::new(&model.pool);
    let mut difference = |(f, h): (&ExprId, &ExprId)| algebra.pool.sub(*f, *h);
    let plain = Linear {
        mass: mass.to_vec(),
        rows: equations.rows.clone(),
        force: force.iter().zip(&equations.bias).map(&mut difference).collect(),
        drift: equations.drift.clone(),
    };
    let collected = collected(&mut algebra, &plain);
    let mut programs = Vec::new();
    for system in [&plain, &collected] {
        for method in [Method::Factors, Method::Cramer] {
            programs.push(direct(name, model, &algebra, system, method));
        }
        if let Some(eliminated) = Eliminated::new(&mut algebra, system) {
            let (b, accelerations, multipliers) = eliminated.lower(&algebra.pool, system);
            programs.push(named(b, name, model, &accelerations, &multipliers));
        }
    }
    programs
}

/// Every entry as a sum of terms, then with the angles that are there anyway.
fn collected(algebra: &mut Algebra, system: &Linear) -> Linear {
    let (n, k) = (system.mass.len(), system.rows.len());
    let mut entries: Vec<ExprId> = system.mass.concat();
    entries.extend(system.rows.concat());
    entries.extend(system.force.iter().map(|e| algebra.collected(*e)));
    entries.extend(system.drift.iter().map(|e| algebra.collected(*e)));
    let mut entries = split_angles(&mut algebra.pool, &entries).into_iter();
    let mut take = |count: usize| entries.by_ref().take(count).collect::<Vec<_>>();
    Linear {
        mass: (0..n).map(|_| take(n)).collect(),
        rows: (0..k).map(|_| take(n)).collect(),
        force: take(n),
        drift: take(k),
    }
}

/// The system lowered and solved.
fn direct(
    name: &str,
    model: &SystemModel,
    algebra: &Algebra,
    system: &Linear,
    method: Method,
) -> Program {
    let mut lowering = Lowering::new(&algebra.pool);
    let (mass, rows) = (lowering.matrix(&system.mass), lowering.matrix(&system.rows));
    let (force, drift) = (lowering.list(&system.force), lowering.list(&system.drift));
    let mut b = lowering.into_builder();
    let kkt = Kkt { mass: &mass, rows: &rows, force: &force, drift: &drift };
    let (accelerations, multipliers) = solve(&mut b, &kkt, method);
    named(b, name, model, &accelerations, &multipliers)
}

/// The program with v̇ and λ as its outputs.
fn named(
    mut b: Builder,
    name: &str,
    model: &SystemModel,
    accelerations: &[Value],
    multipliers: &[Value],
) -> Program {
    for (speed, value) in model.speeds.iter().zip(accelerations) {
        b.output(model.pool.symbol_info(speed.acceleration).name.clone(), *value);
    }
    for (row, value) in model.rows.iter().zip(multipliers) {
        b.output(format!("λ({})", row.named.name), *value);
    }
    b.finish(name)
}

/// The derived functions as they stand, solved by factors; or what loops of the run time solve.
fn factored(
    name: &str,
    model: &SystemModel,
    equations: &EquationsOfMotion,
    force: &[ExprId],
    solved: bool,
) -> Program {
    let mut lowering = Lowering::guarding(&model.pool, &equations.friction.guarded);
    lowering.prepare(&entries_of(equations));
    let mass = lowering.matrix(equations.mass.kept());
    let constraint = lowering.matrix(&equations.rows);
    let reactions = equations.is_coupled().then(|| lowering.matrix(&equations.reactions));
    let force = lowering.differences(force, &equations.bias);
    let drift = lowering.list(&equations.drift);
    let mut b = lowering.into_builder();
    if solved {
        let kkt = Kkt { mass: &mass, rows: &constraint, force: &force, drift: &drift };
        let (accelerations, multipliers) = solve(&mut b, &kkt, Method::Factors);
        return named(b, name, model, &accelerations, &multipliers);
    }
    for (i, row) in mass.iter().enumerate() {
        for (j, value) in row[..=i].iter().enumerate() {
            b.output(format!("M[{i},{j}]"), *value);
        }
    }
    for (name, matrix) in [("A", Some(&constraint)), ("R", reactions.as_ref())] {
        for (i, row) in matrix.into_iter().flatten().enumerate() {
            for (j, value) in row.iter().enumerate() {
                b.output(format!("{name}[{i},{j}]"), *value);
            }
        }
    }
    force.iter().enumerate().for_each(|(i, value)| b.output(format!("f[{i}]"), *value));
    drift.iter().enumerate().for_each(|(i, value)| b.output(format!("γ[{i}]"), *value));
    b.finish(name)
}

/// What the dynamics is made of.
fn entries_of(equations: &EquationsOfMotion) -> Vec<ExprId> {
    let EquationsOfMotion { mass, rows, force, bias, drift, .. } = equations;
    let matrices = mass.kept().iter().chain(rows).flatten();
    matrices.chain(force).chain(bias).chain(drift).copied().collect()
}
