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
//! Closed forms can be long: each has a limit, and beyond it an [`Omitted`] says why there is none.

use super::equations::EquationsOfMotion;
use super::linear::{BLOCK_MAX, dot, inverse, transposed};
use super::system::SystemModel;
use crate::node::{ExprId, SymbolId, SymbolKind};
use crate::pool::ExprPool;
use crate::simplify::{self, Simplifier};
use crate::subst::Substitution;
use std::fmt;

/// More rows than this are not eliminated symbolically.
const ROWS_MAX: usize = 8;

/// An entry of an eliminated row may have this [`size`](simplify::size).
const ENTRY_SIZE_MAX: usize = 400;

/// A multiplier's closed form may have this size.
const MULTIPLIER_SIZE_MAX: usize = 600;

/// Why a closed form is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Omitted {
    /// More rows than are eliminated symbolically.
    Rows {
        /// Their number.
        count: usize,
    },
    /// The form grew beyond its limit.
    Size {
        /// What it reached.
        size: usize,
        /// The limit.
        limit: usize,
    },
    /// A matrix couples more coordinates than are inverted symbolically.
    Coupled {
        /// How many.
        count: usize,
    },
    /// A row says that a number other than 0 is 0.
    Contradiction {
        /// The row's index.
        row: usize,
    },
    /// A matrix is singular everywhere.
    Singular,
}

impl fmt::Display for Omitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows { count } => {
                write!(f, "{count} rows, at most {ROWS_MAX} are eliminated in closed form")
            }
            Self::Size { size, limit } => {
                write!(f, "the closed form has {size} symbols and operations, the limit is {limit}")
            }
            Self::Coupled { count } => write!(
                f,
                "{count} velocities are coupled, at most {BLOCK_MAX} are solved for in closed form"
            ),
            Self::Contradiction { row } => write!(f, "constraint {row} contradicts the others"),
            Self::Singular => write!(f, "the matrix of the free velocities is singular"),
        }
    }
}

impl std::error::Error for Omitted {}

/// A row solved for the velocity of a coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pivot {
    /// The row.
    pub row: usize,
    /// The coordinate whose velocity it gives.
    pub coordinate: usize,
    /// What was divided by: the closed forms hold where it is not 0.
    pub entry: ExprId,
}

/// The constraints solved for the dependent velocities; see the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reduction {
    /// The pivots in the order of elimination.
    pub pivots: Vec<Pivot>,
    /// Rows that follow from the others.
    pub redundant: Vec<usize>,
    /// The free coordinates.
    pub free: Vec<usize>,
    /// S, n×f.
    pub map: Vec<Vec<ExprId>>,
    /// c, n.
    pub offset: Vec<ExprId>,
    /// v, n, in the free velocities.
    pub velocity: Vec<ExprId>,
    /// v̇, n, in the free velocities and accelerations.
    pub acceleration: Vec<ExprId>,
    /// A_D⁻¹: one row a pivot, one column a row of A.
    inverse: Vec<Vec<ExprId>>,
}

/// An equation left = right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Equation {
    /// Left side.
    pub left: ExprId,
    /// Right side.
    pub right: ExprId,
}

/// The equations with multipliers, M v̇ + h = F + Aᵀλ, one a coordinate.
pub fn equations_with_multipliers(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    simplifier: &mut Simplifier,
) -> Vec<Equation> {
    let accelerations = symbols(model, |c| c.acceleration);
    let multipliers: Vec<ExprId> =
        (0..model.rows.len()).map(|row| multiplier(model, row)).collect();
    (0..model.dimension())
        .map(|i| {
            let pool = &mut model.pool;
            let inertia = dot(pool, &equations.mass[i], &accelerations);
            let left = pool.add(inertia, equations.bias[i]);
            let column: Vec<ExprId> = equations.rows.iter().map(|row| row[i]).collect();
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

/// The expressions of one symbol of each coordinate.
fn symbols(model: &mut SystemModel, of: impl Fn(&super::Coordinate) -> SymbolId) -> Vec<ExprId> {
    let symbols: Vec<SymbolId> = model.coordinates.iter().map(of).collect();
    symbols.into_iter().map(|s| model.pool.symbol_expr(s)).collect()
}

/// Solves the constraints for the dependent velocities.
pub fn reduce(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    simplifier: &mut Simplifier,
) -> Result<Reduction, Omitted> {
    let count = equations.rows.len();
    if count > ROWS_MAX {
        return Err(Omitted::Rows { count });
    }
    let mut tableau = Tableau::new(equations);
    let pivots = tableau.eliminate(&mut model.pool, simplifier)?;
    let redundant = tableau.redundant(&mut model.pool, &pivots)?;
    let n = model.dimension();
    let free: Vec<usize> = (0..n).filter(|i| pivots.iter().all(|p| p.coordinate != *i)).collect();
    let mut map = vec![vec![ExprPool::ZERO; free.len()]; n];
    let mut offset = vec![ExprPool::ZERO; n];
    for (column, &i) in free.iter().enumerate() {
        map[i][column] = ExprPool::ONE;
    }
    for pivot in &pivots {
        let row = &tableau.rows[pivot.row];
        for (column, &i) in free.iter().enumerate() {
            map[pivot.coordinate][column] = model.pool.neg(row.entries[i]);
        }
        offset[pivot.coordinate] = model.pool.neg(row.affine);
    }
    let inverse = pivots.iter().map(|p| tableau.rows[p.row].combination.clone()).collect();
    let (velocity, acceleration) = motion(model, simplifier, &free, &map, &offset);
    Ok(Reduction { pivots, redundant, free, map, offset, velocity, acceleration, inverse })
}

/// (v, v̇) in the free velocities and accelerations.
fn motion(
    model: &mut SystemModel,
    simplifier: &mut Simplifier,
    free: &[usize],
    map: &[Vec<ExprId>],
    offset: &[ExprId],
) -> (Vec<ExprId>, Vec<ExprId>) {
    let all = symbols(model, |c| c.velocity);
    let free_velocities: Vec<ExprId> = free.iter().map(|i| all[*i]).collect();
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
    let mut time = model.time_direction_with_accelerations();
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

/// A row during the elimination: Σ entries·v + affine, and which combination of the declared rows
/// it is.
#[derive(Debug, Clone)]
struct TableauRow {
    entries: Vec<ExprId>,
    affine: ExprId,
    combination: Vec<ExprId>,
}

#[derive(Debug, Clone)]
struct Tableau {
    rows: Vec<TableauRow>,
}

impl Tableau {
    fn new(equations: &EquationsOfMotion) -> Self {
        let count = equations.rows.len();
        let unit = |row: usize| {
            let mut unit = vec![ExprPool::ZERO; count];
            unit[row] = ExprPool::ONE;
            unit
        };
        let row = |at: usize| TableauRow {
            entries: equations.rows[at].clone(),
            affine: equations.affine[at],
            combination: unit(at),
        };
        Self { rows: (0..count).map(row).collect() }
    }

    /// Gauss–Jordan elimination.
    fn eliminate(
        &mut self,
        pool: &mut ExprPool,
        simplifier: &mut Simplifier,
    ) -> Result<Vec<Pivot>, Omitted> {
        for row in &mut self.rows {
            row.map(|e| simplifier.simplify(pool, e));
        }
        let mut pivots: Vec<Pivot> = Vec::new();
        while let Some(pivot) = self.next_pivot(pool, &pivots) {
            let inverse = pool.powi(pivot.entry, -1);
            self.rows[pivot.row].map(|e| {
                let scaled = pool.mul(e, inverse);
                simplifier.simplify(pool, scaled)
            });
            let by = self.rows[pivot.row].clone();
            for (at, row) in self.rows.iter_mut().enumerate() {
                let factor = row.entries[pivot.coordinate];
                if at != pivot.row && factor != ExprPool::ZERO {
                    row.subtract(pool, simplifier, factor, &by);
                }
            }
            self.check_size(pool)?;
            pivots.push(pivot);
        }
        Ok(pivots)
    }

    fn check_size(&self, pool: &ExprPool) -> Result<(), Omitted> {
        let entries = self.rows.iter().flat_map(|row| &row.entries);
        let size = entries.map(|e| simplify::size(pool, *e)).max().unwrap_or(0);
        if size > ENTRY_SIZE_MAX {
            return Err(Omitted::Size { size, limit: ENTRY_SIZE_MAX });
        }
        Ok(())
    }

    /// The simplest entry that is not 0: a number before one of parameters before others, in the
    /// order of rows and coordinates.
    fn next_pivot(&mut self, pool: &mut ExprPool, done: &[Pivot]) -> Option<Pivot> {
        loop {
            let (_, row, coordinate) = self.candidates(pool, done).into_iter().min()?;
            let entry = self.rows[row].entries[coordinate];
            if simplify::is_zero(pool, entry) != Some(true) {
                return Some(Pivot { row, coordinate, entry });
            }
            self.rows[row].entries[coordinate] = ExprPool::ZERO;
        }
    }

    fn candidates(&self, pool: &ExprPool, done: &[Pivot]) -> Vec<(u8, usize, usize)> {
        let mut candidates = Vec::new();
        for (row, declared) in self.rows.iter().enumerate() {
            if done.iter().any(|p| p.row == row) {
                continue;
            }
            for (coordinate, &entry) in declared.entries.iter().enumerate() {
                if entry != ExprPool::ZERO {
                    candidates.push((difficulty(pool, entry), row, coordinate));
                }
            }
        }
        candidates
    }

    fn redundant(&self, pool: &mut ExprPool, pivots: &[Pivot]) -> Result<Vec<usize>, Omitted> {
        let mut redundant = Vec::new();
        for (row, left) in self.rows.iter().enumerate() {
            if pivots.iter().any(|p| p.row == row) {
                continue;
            }
            if simplify::is_zero(pool, left.affine) == Some(false) {
                return Err(Omitted::Contradiction { row });
            }
            redundant.push(row);
        }
        Ok(redundant)
    }
}

impl TableauRow {
    fn map(&mut self, mut f: impl FnMut(ExprId) -> ExprId) {
        let entries = self.entries.iter_mut().chain(&mut self.combination);
        for entry in entries.chain([&mut self.affine]) {
            *entry = f(*entry);
        }
    }

    /// self − factor·by.
    fn subtract(
        &mut self,
        pool: &mut ExprPool,
        simplifier: &mut Simplifier,
        factor: ExprId,
        by: &Self,
    ) {
        let mut others = by.entries.iter().chain(&by.combination).chain([&by.affine]).copied();
        self.map(|e| {
            let product = pool.mul(factor, others.next().unwrap_or(ExprPool::ZERO));
            let difference = pool.sub(e, product);
            simplifier.simplify(pool, difference)
        });
    }
}

/// 0 for a number, 1 for an expression of parameters, 2 for others.
fn difficulty(pool: &ExprPool, entry: ExprId) -> u8 {
    if pool.as_number(entry).is_some() {
        return 0;
    }
    let constant =
        |s: SymbolId| matches!(pool.symbol_info(s).kind, SymbolKind::Parameter(_) | SymbolKind::Pi);
    if pool.contains(entry, |s| !constant(s)) { 2 } else { 1 }
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
fn residuals(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    reduction: &Reduction,
    marker: ExprId,
) -> Vec<ExprId> {
    let images: Vec<_> =
        model.velocities().into_iter().zip(reduction.velocity.iter().copied()).collect();
    let mut on_constraints = Substitution::new(images);
    let pool = &mut model.pool;
    (0..equations.bias.len())
        .map(|i| {
            let mass: Vec<ExprId> =
                equations.mass[i].iter().map(|m| on_constraints.apply(pool, *m)).collect();
            let inertia = dot(pool, &mass, &reduction.acceleration);
            let bias = on_constraints.apply(pool, equations.bias[i]);
            let force = on_constraints.apply(pool, equations.force[i]);
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
        let moved: Vec<ExprId> = equations.mass.iter().map(|row| dot(pool, row, right)).collect();
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
    let residuals = residuals(model, equations, reduction, ExprPool::ONE);
    let accelerations = free_accelerations(model, equations, reduction, &residuals, simplifier)?;
    let images: Vec<_> = reduction
        .free
        .iter()
        .map(|i| model.coordinates[*i].acceleration)
        .zip(accelerations)
        .collect();
    let mut solved = Substitution::new(images);
    let reactions: Vec<ExprId> = reduction
        .pivots
        .iter()
        .map(|p| solved.apply(&mut model.pool, residuals[p.coordinate]))
        .collect();
    let columns = transposed(&reduction.inverse, equations.rows.len());
    let mut multipliers = Vec::with_capacity(columns.len());
    for column in columns {
        let multiplier = dot(&mut model.pool, &column, &reactions);
        let multiplier = simplifier.collected(&mut model.pool, multiplier);
        let size = simplify::size(&model.pool, multiplier);
        if size > MULTIPLIER_SIZE_MAX {
            return Err(Omitted::Size { size, limit: MULTIPLIER_SIZE_MAX });
        }
        multipliers.push(multiplier);
    }
    Ok(multipliers)
}

/// v̇_f = −G⁻¹ Sᵀ(M v̇ + h − F)|_{v̇_f = 0}.
fn free_accelerations(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    reduction: &Reduction,
    residuals: &[ExprId],
    simplifier: &mut Simplifier,
) -> Result<Vec<ExprId>, Omitted> {
    let mass = reduced_mass(&mut model.pool, equations, reduction, simplifier);
    let inverse = inverse(&mut model.pool, &mass, simplifier)?;
    let zeros: Vec<_> =
        model.coordinates.iter().map(|c| (c.acceleration, ExprPool::ZERO)).collect();
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
