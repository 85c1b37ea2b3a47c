//! Hamilton's equations: momenta in place of velocities.
//!
//! ```text
//! p = ∂L/∂v = M v + a                     a = ∂L/∂v at v = 0, L quadratic in v
//! v = M⁻¹(p − a)                          H = ½ (p − a)·M⁻¹(p − a) − L at v = 0
//! q̇ = S v = S ∂H/∂p
//! ṗ_j = −X_j H + Σ c_ij^k v_i p_k + F_j + Σ A_rj λ_r
//! ```
//!
//! along the fields X_j = Σ S_ij ∂/∂q_i of the speeds with [X_i, X_j] = Σ c_ij^k X_k. Where v = q̇ the
//! fields commute and these are ṗ = −∂H/∂q + F + Aᵀλ; for a rotation they are Euler's equations, with
//! the angular momentum p.

use super::omitted::{Omitted, readable};
use crate::mechanics::lagrange::equations::EquationsOfMotion;
use crate::mechanics::linear::{dot, inverse, transposed};
use crate::mechanics::system::SystemModel;
use crate::node::{ExprId, SymbolId, SymbolKind};
use crate::pool::ExprPool;
use crate::simplify::Simplifier;
use crate::subst::Substitution;
use crate::{diff::Tangent, name};
use std::fmt;

/// The Hamiltonian, or the rate of a momentum, of more symbols and operations than this is not for
/// reading.
pub const HAMILTON_SIZE_MAX: usize = 2000;

/// Hamilton's equations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hamiltonian {
    /// p, one a speed.
    pub momenta: Vec<SymbolId>,
    /// ∂L/∂v in t, q, v.
    pub definitions: Vec<ExprId>,
    /// v in t, q, p.
    pub velocities: Vec<ExprId>,
    /// H in t, q, p.
    pub hamiltonian: ExprId,
    /// q̇ in t, q, p, nq.
    pub rates: Vec<ExprId>,
    /// ṗ in t, q, p, inputs and multipliers.
    pub momentum_rates: Vec<ExprId>,
    /// A v + b in t, q, p, one a row.
    pub constraints: Vec<ExprId>,
}

/// Why there are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoHamiltonian {
    /// The mass matrix depends on velocities.
    NotQuadratic,
    /// A closed form is left out.
    Omitted(Omitted),
}

impl fmt::Display for NoHamiltonian {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotQuadratic => write!(
                f,
                "the Lagrangian is not quadratic in the velocities, so that they are no closed form of \
                 the momenta"
            ),
            Self::Omitted(omitted) => omitted.fmt(f),
        }
    }
}

impl std::error::Error for NoHamiltonian {}

impl From<Omitted> for NoHamiltonian {
    fn from(omitted: Omitted) -> Self {
        Self::Omitted(omitted)
    }
}

/// Solves the momenta for the velocities and writes the equations in them.
pub fn hamiltonian(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    simplifier: &mut Simplifier,
) -> Result<Hamiltonian, NoHamiltonian> {
    let velocities = model.velocities();
    if !is_quadratic(&mut model.pool, equations, &velocities) {
        return Err(NoHamiltonian::NotQuadratic);
    }
    let momenta = momenta(model);
    let pool = &mut model.pool;
    let p: Vec<ExprId> = momenta.iter().map(|p| pool.symbol_expr(*p)).collect();
    let definitions: Vec<ExprId> =
        velocities.iter().map(|v| pool.partial(model.lagrangian, *v)).collect();
    let mut at_rest = Substitution::new(velocities.iter().map(|v| (*v, ExprPool::ZERO)));
    let beyond: Vec<ExprId> = definitions
        .iter()
        .zip(&p)
        .map(|(definition, p)| {
            let affine = at_rest.apply(pool, *definition);
            pool.sub(*p, affine)
        })
        .collect();
    let mass = equations.mass.entries(pool);
    let inverse = inverse(pool, &mass, simplifier)?;
    let solved: Vec<ExprId> = inverse.iter().map(|row| dot(pool, row, &beyond)).collect();
    let solved: Vec<ExprId> = solved.into_iter().map(|v| simplifier.collected(pool, v)).collect();
    let twice = dot(pool, &beyond, &solved);
    let half = pool.scale(ExprPool::HALF, twice);
    let rest = at_rest.apply(pool, model.lagrangian);
    let energy = pool.sub(half, rest);
    let energy = readable(pool, energy, simplifier, HAMILTON_SIZE_MAX)?;
    let mut in_momenta = Substitution::new(velocities.iter().copied().zip(solved.iter().copied()));
    let rates = model.rates();
    let rates = written(&mut in_momenta, model, &rates, simplifier)?;
    let constraints = residuals(model, equations);
    let constraints = written(&mut in_momenta, model, &constraints, simplifier)?;
    let momentum_rates = momentum_rates(model, equations, &p, (&solved, energy), &mut in_momenta);
    let momentum_rates = momentum_rates
        .into_iter()
        .map(|rate| readable(&mut model.pool, rate, simplifier, HAMILTON_SIZE_MAX))
        .collect::<Result<_, _>>()?;
    Ok(Hamiltonian {
        momenta,
        definitions,
        velocities: solved,
        hamiltonian: energy,
        rates,
        momentum_rates,
        constraints,
    })
}

/// Whether M is free of velocities.
fn is_quadratic(
    pool: &mut ExprPool,
    equations: &EquationsOfMotion,
    velocities: &[SymbolId],
) -> bool {
    let mass = equations.mass.entries(pool);
    let mut free = true;
    for velocity in velocities {
        let mut along = Tangent::partial(*velocity);
        for entry in mass.iter().flatten() {
            free &= along.derivative(pool, *entry) == ExprPool::ZERO;
        }
    }
    free
}

/// The symbols p_x, p_θ, …, or P_x where the declaration has a p_x.
fn momenta(model: &mut SystemModel) -> Vec<SymbolId> {
    let taken: Vec<String> =
        model.pool.symbols().iter().map(|symbol| name::key(&symbol.name)).collect();
    let names: Vec<String> = model.speeds.iter().map(|speed| speed.named.name.clone()).collect();
    let free = |letter: &str| {
        names.iter().all(|name| !taken.contains(&name::key(&format!("{letter}_{name}"))))
    };
    let letters = ["p", "P", "momentum"];
    let letter = letters.into_iter().find(|letter| free(letter)).unwrap_or("p_");
    // Velocities beyond the speeds and those of a reduction.
    let first = 2 * names.len();
    let names = names.iter().enumerate();
    names
        .map(|(j, name)| {
            model.pool.symbol(SymbolKind::Velocity(first + j), &format!("{letter}_{name}"))
        })
        .collect()
}

/// A v + b.
fn residuals(model: &mut SystemModel, equations: &EquationsOfMotion) -> Vec<ExprId> {
    let velocities = model.velocities();
    let pool = &mut model.pool;
    let v: Vec<ExprId> = velocities.into_iter().map(|v| pool.symbol_expr(v)).collect();
    let rows = equations.rows.iter().zip(&equations.affine);
    rows.map(|(row, affine)| {
        let moved = dot(pool, row, &v);
        pool.add(moved, *affine)
    })
    .collect()
}

/// Expressions written in momenta.
fn written(
    in_momenta: &mut Substitution,
    model: &mut SystemModel,
    values: &[ExprId],
    simplifier: &mut Simplifier,
) -> Result<Vec<ExprId>, Omitted> {
    let pool = &mut model.pool;
    let values = values.iter().map(|value| {
        let value = in_momenta.apply(pool, *value);
        readable(pool, value, simplifier, HAMILTON_SIZE_MAX)
    });
    values.collect()
}

/// −X_j H + Σ c_ij^k v_i p_k + F_j + Σ R_rj λ_r.
fn momentum_rates(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    p: &[ExprId],
    (velocities, energy): (&[ExprId], ExprId),
    in_momenta: &mut Substitution,
) -> Vec<ExprId> {
    let positions = model.positions();
    let slopes: Vec<ExprId> = positions.iter().map(|q| model.pool.partial(energy, *q)).collect();
    let slopes = model.along_speeds(slopes);
    let brackets = model.kinematics.as_ref().map(|k| k.brackets.clone()).unwrap_or_default();
    let multipliers: Vec<ExprId> = (0..model.rows.len())
        .map(|row| {
            let name = format!("λ({})", model.rows[row].named.name);
            let symbol = model.pool.symbol(SymbolKind::Multiplier(row), &name);
            model.pool.symbol_expr(symbol)
        })
        .collect();
    let columns = transposed(&equations.reactions, p.len());
    let pool = &mut model.pool;
    (0..p.len())
        .map(|j| {
            let force = in_momenta.apply(pool, equations.force[j]);
            let mut terms = vec![(ExprPool::MINUS_ONE, slopes[j]), (ExprPool::ONE, force)];
            for bracket in brackets.iter().filter(|bracket| bracket.j == j) {
                let (v, p) = (velocities[bracket.i], p[bracket.k]);
                terms.push((ExprPool::ONE, pool.product_of(&[bracket.value, v, p])));
            }
            let column: Vec<ExprId> =
                columns[j].iter().map(|entry| in_momenta.apply(pool, *entry)).collect();
            terms.push((ExprPool::ONE, dot(pool, &column, &multipliers)));
            pool.sum(&terms)
        })
        .collect()
}
