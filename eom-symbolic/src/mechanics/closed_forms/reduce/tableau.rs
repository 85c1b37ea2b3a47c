//! Gauss–Jordan elimination on the rows A v + b = 0, v = T ν in a basis T that starts as I.

use crate::mechanics::closed_forms::omitted::{ENTRY_SIZE_MAX, Omitted, check_entries};
use crate::mechanics::lagrange::equations::EquationsOfMotion;
use crate::mechanics::linear::dot;
use crate::mechanics::system::SystemModel;
use crate::mechanics::system::start::Start;
use crate::node::{ExprId, SymbolId, SymbolKind};
use crate::pool::ExprPool;
use crate::simplify::{self, Simplifier};

/// An entry that a row was divided by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pivot {
    pub(super) row: usize,
    /// The column of the basis, whose velocity the row gives.
    pub(super) column: usize,
    pub(super) entry: ExprId,
}

/// A row during the elimination: Σ entries·ν + affine, and which combination of the declared rows
/// it is.
#[derive(Debug, Clone)]
pub(super) struct TableauRow {
    pub(super) entries: Vec<ExprId>,
    pub(super) affine: ExprId,
    pub(super) combination: Vec<ExprId>,
}

#[derive(Debug, Clone)]
pub(super) struct Tableau {
    pub(super) rows: Vec<TableauRow>,
    pub(super) basis: Basis,
    /// The columns that are free by choice.
    chosen: Vec<usize>,
    /// No column is chosen whose entry vanishes there.
    start: Start,
}

impl Tableau {
    pub(super) fn new(model: &SystemModel, equations: &EquationsOfMotion) -> Self {
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
        Self {
            rows: (0..count).map(row).collect(),
            basis: Basis::new(model.speeds.len()),
            chosen: model.free.clone(),
            start: model.start(),
        }
    }

    /// Gauss–Jordan elimination.
    pub(super) fn eliminate(
        &mut self,
        pool: &mut ExprPool,
        simplifier: &mut Simplifier,
    ) -> Result<Vec<Pivot>, Omitted> {
        for row in &mut self.rows {
            row.map(|e| simplifier.simplify(pool, e));
        }
        let mut pivots: Vec<Pivot> = Vec::new();
        while let Some(pivot) = self.next_pivot(pool, simplifier, &pivots) {
            let inverse = pool.powi(pivot.entry, -1);
            self.rows[pivot.row].map(|e| {
                let scaled = pool.mul(e, inverse);
                simplifier.simplify(pool, scaled)
            });
            let by = self.rows[pivot.row].clone();
            for (at, row) in self.rows.iter_mut().enumerate() {
                let factor = row.entries[pivot.column];
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
        check_entries(pool, self.rows.iter().flat_map(|row| &row.entries), ENTRY_SIZE_MAX)
    }

    /// The simplest entry that is not 0: a number before one of parameters before others, those that vanish
    /// at the start last; in the order of rows and columns.
    fn next_pivot(
        &mut self,
        pool: &mut ExprPool,
        simplifier: &mut Simplifier,
        done: &[Pivot],
    ) -> Option<Pivot> {
        loop {
            let (difficulty, row, column) = self.candidates(pool, done).into_iter().min()?;
            if difficulty >= OF_STATE
                && self.chosen.is_empty()
                && let Some(turned) = self.turned_pivot(pool, simplifier, done)
            {
                return Some(turned);
            }
            let entry = self.rows[row].entries[column];
            if simplify::is_zero(pool, entry) != Some(true) {
                return Some(Pivot { row, column, entry });
            }
            self.rows[row].entries[column] = ExprPool::ZERO;
        }
    }

    /// Turns the basis in the plane of the two entries of a row, where a² + b² is constant: then
    /// the row has the one entry 1.
    fn turned_pivot(
        &mut self,
        pool: &mut ExprPool,
        simplifier: &mut Simplifier,
        done: &[Pivot],
    ) -> Option<Pivot> {
        for row in 0..self.rows.len() {
            if done.iter().any(|p| p.row == row) {
                continue;
            }
            let entries = self.rows[row].entries.iter().copied().enumerate();
            let nonzero: Vec<(usize, ExprId)> =
                entries.filter(|(_, entry)| *entry != ExprPool::ZERO).collect();
            let &[(i, a), (j, b)] = &nonzero[..] else { continue };
            let square = dot(pool, &[a, b], &[a, b]);
            let square = simplifier.simplify(pool, square);
            if square == ExprPool::ZERO || difficulty(pool, square) == OF_STATE {
                continue;
            }
            let turn = Turn::new(pool, [i, j], [a, b], square);
            for other in &mut self.rows {
                turn.apply(pool, simplifier, &mut other.entries);
            }
            self.rows[row].entries[i] = ExprPool::ONE;
            self.rows[row].entries[j] = ExprPool::ZERO;
            self.basis.turn(pool, simplifier, &turn);
            return Some(Pivot { row, column: i, entry: ExprPool::ONE });
        }
        None
    }

    fn candidates(&self, pool: &ExprPool, done: &[Pivot]) -> Vec<(u8, usize, usize)> {
        let mut candidates = Vec::new();
        for (row, declared) in self.rows.iter().enumerate() {
            if done.iter().any(|p| p.row == row) {
                continue;
            }
            for (column, &entry) in declared.entries.iter().enumerate() {
                if entry != ExprPool::ZERO && !self.chosen.contains(&column) {
                    let difficulty = difficulty(pool, entry);
                    let vanishes = difficulty == OF_STATE && self.start.vanishes(pool, entry);
                    candidates.push((difficulty + u8::from(vanishes), row, column));
                }
            }
        }
        candidates
    }

    /// The velocities v of one free ν = 1, the others 0, without the affine parts; or of ν = 0,
    /// with them: a column of S, or c.
    pub(super) fn motion_of(
        &self,
        pool: &mut ExprPool,
        simplifier: &mut Simplifier,
        pivots: &[Pivot],
        free: Option<usize>,
    ) -> Vec<ExprId> {
        let mut velocities = vec![ExprPool::ZERO; self.basis.dimension()];
        if let Some(free) = free {
            velocities[free] = ExprPool::ONE;
        }
        for pivot in pivots {
            let row = &self.rows[pivot.row];
            velocities[pivot.column] = pool.neg(free.map_or(row.affine, |free| row.entries[free]));
        }
        self.basis.applied(pool, simplifier, velocities)
    }

    pub(super) fn redundant(
        &self,
        pool: &mut ExprPool,
        pivots: &[Pivot],
    ) -> Result<Vec<usize>, Omitted> {
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

/// The difficulty of an entry that depends on the state.
const OF_STATE: u8 = 2;

/// 0 for a number, 1 for an expression of parameters, 2 for others.
fn difficulty(pool: &ExprPool, entry: ExprId) -> u8 {
    if pool.as_number(entry).is_some() {
        return 0;
    }
    let constant =
        |s: SymbolId| matches!(pool.symbol_info(s).kind, SymbolKind::Parameter(_) | SymbolKind::Pi);
    if pool.contains(entry, |s| !constant(s)) { OF_STATE } else { 1 }
}

/// A change of two velocities, (v₁, v₂) = (a w − b u, b w + a u)/(a² + b²) up to the sign of u.
#[derive(Debug, Clone)]
struct Turn {
    columns: [usize; 2],
    /// The directions of w and u in (v₁, v₂): (a, b)/(a² + b²) and ∓(b, −a).
    directions: [[ExprId; 2]; 2],
    /// w and u of (v₁, v₂): (a, b) and ∓(b, −a)/(a² + b²).
    rows: [[ExprId; 2]; 2],
    square: ExprId,
}

impl Turn {
    /// The sign of u is the one that gives its first entry no minus.
    fn new(pool: &mut ExprPool, columns: [usize; 2], [a, b]: [ExprId; 2], square: ExprId) -> Self {
        let (minus_a, minus_b) = (pool.neg(a), pool.neg(b));
        let along = if pool.leads_negative(minus_b) { [b, minus_a] } else { [minus_b, a] };
        let across = [a, b].map(|e| pool.div(e, square));
        let along_row = along.map(|e| pool.div(e, square));
        Self { columns, directions: [across, along], rows: [[a, b], along_row], square }
    }

    /// The entries of a row over (v₁, v₂) → over (w, u).
    fn apply(&self, pool: &mut ExprPool, simplifier: &mut Simplifier, entries: &mut [ExprId]) {
        let old = self.columns.map(|column| entries[column]);
        for (column, direction) in self.columns.iter().zip(&self.directions) {
            let entry = dot(pool, &old, direction);
            entries[*column] = simplifier.simplify(pool, entry);
        }
    }
}

/// T with its inverse, n×n.
#[derive(Debug, Clone)]
pub(super) struct Basis {
    vectors: Vec<Vec<ExprId>>,
    inverse: Vec<Vec<ExprId>>,
    /// Which velocities ν are no longer those of coordinates.
    turned: Vec<bool>,
    squares: Vec<ExprId>,
}

impl Basis {
    fn new(n: usize) -> Self {
        let mut unit = vec![vec![ExprPool::ZERO; n]; n];
        for (i, row) in unit.iter_mut().enumerate() {
            row[i] = ExprPool::ONE;
        }
        Self { vectors: unit.clone(), inverse: unit, turned: vec![false; n], squares: Vec::new() }
    }

    fn turn(&mut self, pool: &mut ExprPool, simplifier: &mut Simplifier, turn: &Turn) {
        for row in &mut self.vectors {
            turn.apply(pool, simplifier, row);
        }
        let old = turn.columns.map(|i| self.inverse[i].clone());
        for (column, row) in turn.columns.iter().zip(&turn.rows) {
            for (at, entry) in self.inverse[*column].iter_mut().enumerate() {
                let value = dot(pool, row, &[old[0][at], old[1][at]]);
                *entry = simplifier.simplify(pool, value);
            }
            self.turned[*column] = true;
        }
        self.squares.push(turn.square);
    }

    fn dimension(&self) -> usize {
        self.vectors.len()
    }

    /// T ν.
    fn applied(
        &self,
        pool: &mut ExprPool,
        simplifier: &mut Simplifier,
        velocities: Vec<ExprId>,
    ) -> Vec<ExprId> {
        if self.squares.is_empty() {
            return velocities;
        }
        let entry = |row: &Vec<ExprId>| {
            let entry = dot(pool, row, &velocities);
            simplifier.simplify(pool, entry)
        };
        self.vectors.iter().map(entry).collect()
    }

    /// A direction of ν in v.
    pub(super) fn column(&self, column: usize) -> Vec<ExprId> {
        self.vectors.iter().map(|row| row[column]).collect()
    }

    /// The row of T⁻¹ that gives a velocity ν.
    pub(super) fn row(&self, column: usize) -> Vec<ExprId> {
        self.inverse[column].clone()
    }

    pub(super) fn is_coordinate(&self, column: usize) -> bool {
        !self.turned[column]
    }

    /// a² + b² of every turn.
    pub(super) fn squares(&self) -> impl Iterator<Item = ExprId> {
        self.squares.iter().copied()
    }
}
