//! Closed forms with the multipliers eliminated, for display and claims.
//!
//! Elimination on the rows A v + b = 0 splits the coordinates into dependent ones (the pivots)
//! and free ones f:
//!
//! ```text
//! v = S v_f + c        v̇ = S v̇_f + D(S) v_f + D(c)        A S = 0
//! Sᵀ(M v̇ + h) = SᵀF                                      the reduced equations
//! λ = A_D⁻ᵀ (M v̇ + h − F)_D                               D: the dependent coordinates
//! ```
//!
//! A row a v₁ + b v₂ + c = 0 that could only be divided by functions of the state, of which
//! a² + b² is constant, is divided by none: with v₁ = (a w − b u)/(a² + b²), v₂ = (b w + a u)/…
//! it gives w = −c, and u is a free velocity of no coordinate, along ker A. So the edge of a
//! skate, ẏ cos θ − ẋ sin θ = 0, reads ẋ = u cos θ, ẏ = u sin θ at every θ.
//!
//! Closed forms can be long: each has a limit, and beyond it an [`Omitted`] says why there is none.

mod tableau;

pub use super::omitted::Omitted;
use super::omitted::{BLOCK_MAX, ROWS_MAX, readable};
use crate::diff::Tangent;
use crate::mechanics::lagrange::equations::EquationsOfMotion;
use crate::mechanics::linear::{dot, general_inverse, inverse, transposed};
use crate::mechanics::system::SystemModel;
use crate::mechanics::system::declared::Row;
use crate::name;
use crate::node::{ExprId, SymbolId, SymbolKind, View};
use crate::number::Rational;
use crate::pool::ExprPool;
use crate::simplify::{self, Simplifier};
use crate::subst::Substitution;
use tableau::{Basis, Tableau};

/// A multiplier's closed form may have this size.
const MULTIPLIER_SIZE_MAX: usize = 600;

/// Points at which the rank of the rows is looked at, and what is 0 there.
const RANK_POINTS: u64 = 3;
const RANK_ZERO: f64 = 1e-9;

/// A free velocity: a speed, or one along ker A.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Free {
    /// The name of the speed, or that of the velocity itself.
    pub name: String,
    /// The speed's index; for a velocity along ker A, that of one of the two that it moves.
    pub coordinate: usize,
    /// Whether it is that speed.
    pub is_coordinate: bool,
    /// Its symbol.
    pub velocity: SymbolId,
    /// The symbol of its time derivative.
    pub acceleration: SymbolId,
    /// l, n: it is l·v.
    pub row: Vec<ExprId>,
}

/// The constraints solved for the dependent velocities; see the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reduction {
    /// What must not vanish for the closed forms to hold: the factors of det A_D.
    pub conditions: Vec<ExprId>,
    /// Rows that follow from the others.
    pub redundant: Vec<usize>,
    /// The free velocities, f.
    pub free: Vec<Free>,
    /// S, n×f.
    pub map: Vec<Vec<ExprId>>,
    /// c, n.
    pub offset: Vec<ExprId>,
    /// v, n, in the free velocities.
    pub velocity: Vec<ExprId>,
    /// v̇, n, in the free velocities and accelerations.
    pub acceleration: Vec<ExprId>,
    /// The directions of the dependent velocities, one row a pivot: columns D of the basis.
    dependent: Vec<Vec<ExprId>>,
    /// A_D⁻¹: one row a pivot, one column a row of A.
    inverse: Vec<Vec<ExprId>>,
}

impl Reduction {
    /// Whether a speed is one of the free velocities.
    pub fn is_free(&self, coordinate: usize) -> bool {
        self.free.iter().any(|free| free.is_coordinate && free.coordinate == coordinate)
    }
}

/// An equation left = right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Equation {
    /// Left side.
    pub left: ExprId,
    /// Right side.
    pub right: ExprId,
}

/// The equations with multipliers, M v̇ + h = F + Aᵀλ, one a speed.
pub fn equations_with_multipliers(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    simplifier: &mut Simplifier,
) -> Vec<Equation> {
    let accelerations = accelerations(model);
    let multipliers: Vec<ExprId> =
        (0..model.rows.len()).map(|row| multiplier(model, row)).collect();
    let inertias = equations.mass.times(&mut model.pool, &accelerations);
    (0..model.speeds.len())
        .map(|i| {
            let (pool, inertia) = (&mut model.pool, inertias[i]);
            let left = pool.add(inertia, equations.bias[i]);
            let column: Vec<ExprId> = equations.reactions.iter().map(|row| row[i]).collect();
            let reaction = dot(pool, &column, &multipliers);
            let right = pool.add(equations.force[i], reaction);
            Equation {
                left: simplifier.collected(pool, left),
                right: simplifier.collected(pool, right),
            }
        })
        .collect()
}

/// The symbol of a row's multiplier.
fn multiplier(model: &mut SystemModel, row: usize) -> ExprId {
    let name = format!("λ({})", model.rows[row].named.name);
    let symbol = model.pool.symbol(SymbolKind::Multiplier(row), &name);
    model.pool.symbol_expr(symbol)
}

/// The symbols of v̇.
fn accelerations(model: &mut SystemModel) -> Vec<ExprId> {
    let SystemModel { speeds, pool, .. } = model;
    speeds.iter().map(|speed| pool.symbol_expr(speed.acceleration)).collect()
}

/// Solves the constraints for the dependent velocities.
pub fn reduce(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    simplifier: &mut Simplifier,
) -> Result<Reduction, Omitted> {
    if let Some(row) = model.chetaev_row() {
        return Err(Omitted::Nonlinear { row });
    }
    let count = equations.rows.len();
    if count > ROWS_MAX {
        return Err(Omitted::Rows { count });
    }
    let mut tableau = Tableau::new(model, equations);
    let pivots = tableau.eliminate(&mut model.pool, simplifier)?;
    let redundant = tableau.redundant(&mut model.pool, &pivots)?;
    let factors = pivots.iter().map(|p| p.entry).chain(tableau.basis.squares());
    let conditions = conditions(&mut model.pool, simplifier, &factors.collect::<Vec<_>>());
    let columns: Vec<usize> =
        (0..model.speeds.len()).filter(|i| pivots.iter().all(|p| p.column != *i)).collect();
    let free = free_velocities(model, &tableau.basis, &columns);
    let pool = &mut model.pool;
    let offset = tableau.motion_of(pool, simplifier, &pivots, None);
    let mut map = vec![Vec::with_capacity(columns.len()); offset.len()];
    for column in columns {
        let direction = tableau.motion_of(pool, simplifier, &pivots, Some(column));
        map.iter_mut().zip(direction).for_each(|(row, entry)| row.push(entry));
    }
    let dependent = pivots.iter().map(|p| tableau.basis.column(p.column)).collect();
    let inverse = pivots.iter().map(|p| tableau.rows[p.row].combination.clone()).collect();
    let (velocity, acceleration) = motion(model, simplifier, &free, &map, &offset);
    Ok(Reduction {
        conditions,
        redundant,
        free,
        map,
        offset,
        velocity,
        acceleration,
        dependent,
        inverse,
    })
}

/// A speed beside the free ones that the rows do not determine at any state; `None` where they determine all, or
/// where that is not seen.
pub fn undetermined(pool: &ExprPool, rows: &[Row], free: &[usize]) -> Option<usize> {
    let n = rows.first()?.coefficients.len();
    let entries: Vec<ExprId> = rows.iter().flat_map(|row| row.coefficients.clone()).collect();
    if pool.has_branches(&entries) {
        return None;
    }
    let mut left = None;
    for point in 0..RANK_POINTS {
        let symbol = |symbol| simplify::at_point(pool, point, symbol).value;
        let values = pool.evaluate(&entries, symbol);
        let mut open: Vec<Vec<f64>> = values.chunks(n).map(<[f64]>::to_vec).collect();
        let mut columns: Vec<usize> = (0..n).filter(|c| !free.contains(c)).collect();
        while let Some((r, c)) = largest(&open, &columns) {
            let pivot = open.swap_remove(r);
            columns.retain(|column| *column != c);
            for row in &mut open {
                let factor = row[c] / pivot[c];
                row.iter_mut().zip(&pivot).for_each(|(entry, by)| *entry -= factor * by);
            }
        }
        left = Some(*columns.first()?);
    }
    left
}

/// The place of the entry of largest magnitude, unless all are rounding.
fn largest(rows: &[Vec<f64>], columns: &[usize]) -> Option<(usize, usize)> {
    let places = (0..rows.len()).flat_map(|r| columns.iter().map(move |c| (r, *c)));
    let size = |place: &(usize, usize)| rows[place.0][place.1].abs();
    let place = places.max_by(|a, b| size(a).total_cmp(&size(b)))?;
    // NaN is larger than all: nothing is known where a function has no value.
    (size(&place) > RANK_ZERO || size(&place).is_nan()).then_some(place)
}

/// The factors of a product of pivots without their exponents; numbers and what stands below the
/// fraction bar left out.
fn conditions(pool: &mut ExprPool, simplifier: &mut Simplifier, pivots: &[ExprId]) -> Vec<ExprId> {
    let product = pool.product_of(pivots);
    let product = simplifier.simplify(pool, product);
    match pool.view(product) {
        View::Number(_) => Vec::new(),
        View::Product { factors, .. } => {
            let above = |e: ExprId| !pool.as_number(e).is_some_and(Rational::is_negative);
            factors.iter().filter(|f| above(f.1)).map(|f| f.0).collect()
        }
        _ => vec![product],
    }
}

/// The free velocities of some columns of the basis.
fn free_velocities(model: &mut SystemModel, basis: &Basis, columns: &[usize]) -> Vec<Free> {
    let mut names = Vec::new();
    let mut free = Vec::with_capacity(columns.len());
    for &column in columns {
        let row = basis.row(column);
        let speed = &model.speeds[column];
        free.push(if basis.is_coordinate(column) {
            Free {
                name: speed.named.name.clone(),
                coordinate: column,
                is_coordinate: true,
                velocity: speed.velocity,
                acceleration: speed.acceleration,
                row,
            }
        } else {
            let name = unused_name(model, &names);
            // Velocities beyond the speeds.
            let index = model.speeds.len() + names.len();
            names.push(name.clone());
            Free {
                coordinate: column,
                is_coordinate: false,
                velocity: model.pool.symbol(SymbolKind::Velocity(index), &name),
                acceleration: model
                    .pool
                    .symbol(SymbolKind::Acceleration(index), &name::dotted(&name, 1)),
                name,
                row,
            }
        });
    }
    free
}

/// u, or u_1, u_2, … where the declaration has a u.
fn unused_name(model: &SystemModel, others: &[String]) -> String {
    let others = others.iter().map(|name| name::key(name));
    let taken: Vec<String> = model.keys().into_iter().chain(others).collect();
    let mut names = std::iter::once("u".to_owned()).chain((1..).map(|i| format!("u_{i}")));
    names.find(|name| !taken.contains(&name::key(name))).unwrap_or_default()
}

/// (v, v̇) in the free velocities and accelerations.
fn motion(
    model: &mut SystemModel,
    simplifier: &mut Simplifier,
    free: &[Free],
    map: &[Vec<ExprId>],
    offset: &[ExprId],
) -> (Vec<ExprId>, Vec<ExprId>) {
    let pool = &mut model.pool;
    let free_velocities: Vec<ExprId> = free.iter().map(|f| pool.symbol_expr(f.velocity)).collect();
    let free_rates: Vec<ExprId> = free.iter().map(|f| pool.symbol_expr(f.acceleration)).collect();
    let velocity: Vec<ExprId> = map
        .iter()
        .zip(offset)
        .map(|(row, c)| {
            let moved = dot(&mut model.pool, row, &free_velocities);
            model.pool.add(moved, *c)
        })
        .collect();
    let images: Vec<_> = model.velocities().into_iter().zip(velocity.iter().copied()).collect();
    let mut on_constraints = Substitution::new(images);
    let mut seeds = model.time_seeds();
    seeds.extend(free.iter().map(|f| f.velocity).zip(free_rates));
    let mut time = Tangent::new(seeds);
    let acceleration = velocity
        .iter()
        .map(|v| {
            let rate = time.derivative(&mut model.pool, *v);
            let rate = on_constraints.apply(&mut model.pool, rate);
            simplifier.collected(&mut model.pool, rate)
        })
        .collect();
    (velocity, acceleration)
}

/// The reduced equations Sᵀ(M v̇ + h) = SᵀF, one a free coordinate, on the constraints.
pub fn reduced_equations(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    reduction: &Reduction,
    simplifier: &mut Simplifier,
) -> Vec<Equation> {
    let side = model.pool.symbol(SymbolKind::Input(usize::MAX), "right");
    let marker = model.pool.symbol_expr(side);
    let residuals = residuals(model, equations, reduction, marker);
    (0..reduction.free.len())
        .map(|column| {
            let combination: Vec<ExprId> = reduction.map.iter().map(|row| row[column]).collect();
            let residual = dot(&mut model.pool, &combination, &residuals);
            let (left, right) = simplifier.equation(&mut model.pool, residual, side);
            Equation { left, right }
        })
        .collect()
}

/// M v̇ + h − marker·F on the constraints.
pub(in crate::mechanics) fn residuals(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    reduction: &Reduction,
    marker: ExprId,
) -> Vec<ExprId> {
    let images: Vec<_> =
        model.velocities().into_iter().zip(reduction.velocity.iter().copied()).collect();
    let mut on_constraints = Substitution::new(images);
    let pool = &mut model.pool;
    let forces = equations.whole_force(pool);
    let mass = equations.mass.entries(pool);
    (0..equations.bias.len())
        .map(|i| {
            let mass: Vec<ExprId> =
                mass[i].iter().map(|m| on_constraints.apply(pool, *m)).collect();
            let inertia = dot(pool, &mass, &reduction.acceleration);
            let bias = on_constraints.apply(pool, equations.bias[i]);
            let force = on_constraints.apply(pool, forces[i]);
            let force = pool.mul(force, marker);
            let left = pool.add(inertia, bias);
            pool.sub(left, force)
        })
        .collect()
}

/// G = SᵀMS, the mass matrix of the free velocities.
pub fn reduced_mass(
    pool: &mut ExprPool,
    equations: &EquationsOfMotion,
    reduction: &Reduction,
    simplifier: &mut Simplifier,
) -> Vec<Vec<ExprId>> {
    let columns = transposed(&reduction.map, reduction.free.len());
    let mut mass = vec![vec![ExprPool::ZERO; columns.len()]; columns.len()];
    for (j, right) in columns.iter().enumerate() {
        let moved = equations.mass.times(pool, right);
        for (i, left) in columns.iter().enumerate().take(j + 1) {
            let entry = dot(pool, left, &moved);
            let entry = simplifier.simplify(pool, entry);
            mass[i][j] = entry;
            mass[j][i] = entry;
        }
    }
    mass
}

/// λ of every row as a function of the state on the constraints; 0 for a redundant row.
pub fn multipliers(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    reduction: &Reduction,
    simplifier: &mut Simplifier,
) -> Result<Vec<ExprId>, Omitted> {
    if equations.is_coupled() {
        return coupled_multipliers(model, equations, reduction, simplifier);
    }
    let residuals = residuals(model, equations, reduction, ExprPool::ONE);
    let accelerations = free_accelerations(model, equations, reduction, &residuals, simplifier)?;
    let images: Vec<_> =
        reduction.free.iter().map(|free| free.acceleration).zip(accelerations).collect();
    let mut solved = Substitution::new(images);
    let reactions: Vec<ExprId> = reduction
        .dependent
        .iter()
        .map(|direction| {
            let reaction = dot(&mut model.pool, direction, &residuals);
            solved.apply(&mut model.pool, reaction)
        })
        .collect();
    let columns = transposed(&reduction.inverse, equations.rows.len());
    let mut multipliers = Vec::with_capacity(columns.len());
    for column in columns {
        let multiplier = dot(&mut model.pool, &column, &reactions);
        multipliers.push(readable(&mut model.pool, multiplier, simplifier, MULTIPLIER_SIZE_MAX)?);
    }
    Ok(multipliers)
}

/// λ where forces hold multipliers, F = F₀ + (R − A)ᵀλ: from A v̇ + γ = 0,
///
/// ```text
/// λ = −(A M⁻¹ Rᵀ)⁻¹ (γ + A M⁻¹ (F₀ − h))
/// ```
fn coupled_multipliers(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    reduction: &Reduction,
    simplifier: &mut Simplifier,
) -> Result<Vec<ExprId>, Omitted> {
    let count = equations.rows.len();
    if count > BLOCK_MAX {
        return Err(Omitted::Coupled { count });
    }
    let pool = &mut model.pool;
    let mass = equations.mass.entries(pool);
    let mass = inverse(pool, &mass, simplifier)?;
    let pushes: Vec<ExprId> =
        equations.force.iter().zip(&equations.bias).map(|(f, h)| pool.sub(*f, *h)).collect();
    let (mut gram, mut right) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for (row, drift) in equations.rows.iter().zip(&equations.drift) {
        let raised: Vec<ExprId> = mass.iter().map(|m| dot(pool, m, row)).collect();
        let entries: Vec<ExprId> =
            equations.reactions.iter().map(|reaction| dot(pool, &raised, reaction)).collect();
        gram.push(entries.into_iter().map(|e| simplifier.simplify(pool, e)).collect::<Vec<_>>());
        let pushed = dot(pool, &raised, &pushes);
        let closing = pool.add(*drift, pushed);
        right.push(pool.neg(closing));
    }
    let gram = general_inverse(pool, &gram, simplifier).ok_or(Omitted::Singular)?;
    let velocities = model.velocities().into_iter().zip(reduction.velocity.iter().copied());
    let mut on_constraints = Substitution::new(velocities);
    let mut multipliers = Vec::with_capacity(count);
    for row in &gram {
        let value = dot(&mut model.pool, row, &right);
        let value = on_constraints.apply(&mut model.pool, value);
        multipliers.push(readable(&mut model.pool, value, simplifier, MULTIPLIER_SIZE_MAX)?);
    }
    Ok(multipliers)
}

/// v̇_f = −G⁻¹ Sᵀ(M v̇ + h − F)|_{v̇_f = 0}.
pub(in crate::mechanics) fn free_accelerations(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    reduction: &Reduction,
    residuals: &[ExprId],
    simplifier: &mut Simplifier,
) -> Result<Vec<ExprId>, Omitted> {
    let mass = reduced_mass(&mut model.pool, equations, reduction, simplifier);
    let inverse = inverse(&mut model.pool, &mass, simplifier)?;
    let zeros: Vec<_> =
        reduction.free.iter().map(|free| (free.acceleration, ExprPool::ZERO)).collect();
    let mut at_rest = Substitution::new(zeros);
    let pool = &mut model.pool;
    let mut bias = Vec::with_capacity(reduction.free.len());
    for column in transposed(&reduction.map, reduction.free.len()) {
        let residual = dot(pool, &column, residuals);
        let residual = at_rest.apply(pool, residual);
        bias.push(simplifier.simplify(pool, residual));
    }
    Ok(inverse
        .iter()
        .map(|row| {
            let acceleration = dot(pool, row, &bias);
            let acceleration = pool.neg(acceleration);
            simplifier.simplify(pool, acceleration)
        })
        .collect())
}
