//! Inverse and rank of a matrix, in claims: by minors, det of the rows i and the columns of a set by the first row.

use crate::resolve::expression::Resolver;
use crate::resolve::expression::context::ExprContext;
use crate::resolve::expression::value::{MISTAKEN, Value};
use crate::resolve::mistake::Mistake;
use eom_symbolic::simplify::is_zero;
use eom_symbolic::{ExprId, ExprPool, SymbolId, SymbolKind};
use rustc_hash::FxHashMap;

/// The largest matrix whose minors are formed: there are 2ⁿ sets of columns.
const SIZE_MAX: usize = 8;

/// The minors of the last rows of a matrix by their columns, a bit each.
struct Minors<'m> {
    rows: &'m [Vec<ExprId>],
    known: FxHashMap<(usize, u32), ExprId>,
}

impl Minors<'_> {
    /// det of the rows from `first` on and as many columns.
    fn det(&mut self, first: usize, columns: u32, pool: &mut ExprPool) -> ExprId {
        let Some(row) = self.rows.get(first) else { return ExprPool::ONE };
        if let Some(known) = self.known.get(&(first, columns)) {
            return *known;
        }
        let mut terms = Vec::new();
        let mut sign = ExprPool::ONE;
        for (column, entry) in row.iter().enumerate().filter(|(j, _)| columns & (1 << j) != 0) {
            if *entry != ExprPool::ZERO {
                let minor = self.det(first + 1, columns & !(1 << column), pool);
                terms.push((sign, pool.mul(*entry, minor)));
            }
            sign = if sign == ExprPool::ONE { ExprPool::MINUS_ONE } else { ExprPool::ONE };
        }
        let det = pool.sum(&terms);
        self.known.insert((first, columns), det);
        det
    }
}

/// det of a square matrix.
fn det(rows: &[Vec<ExprId>], pool: &mut ExprPool) -> ExprId {
    let columns = (1_u32 << rows.len()) - 1;
    Minors { rows, known: FxHashMap::default() }.det(0, columns, pool)
}

/// The matrix without a row and a column.
fn without(rows: &[Vec<ExprId>], row: usize, column: usize) -> Vec<Vec<ExprId>> {
    let kept = rows.iter().enumerate().filter(|(i, _)| *i != row);
    let entries = |row: &Vec<ExprId>| {
        let kept = row.iter().enumerate().filter(|(j, _)| *j != column);
        kept.map(|(_, entry)| *entry).collect()
    };
    kept.map(|(_, row)| entries(row)).collect()
}

/// Whether M⁻¹ is printed of a matrix.
pub(in crate::resolve) fn inverts(base: &Value, exponent: &Value, context: ExprContext) -> bool {
    context == ExprContext::Claim
        && matches!(base, Value::Matrix(_))
        && exponent.as_scalar() == Some(ExprPool::MINUS_ONE)
}

impl Resolver<'_> {
    /// M⁻¹ = adj M/det M.
    pub(in crate::resolve) fn inverted(&mut self, matrix: &Value) -> Result<Value, Mistake> {
        if matrix.is_mistaken() {
            return Ok(MISTAKEN);
        }
        let square = |rows: &&Vec<Vec<ExprId>>| {
            rows.len() <= SIZE_MAX && rows.iter().all(|row| row.len() == rows.len())
        };
        let rows = match matrix {
            Value::Matrix(rows) => Some(rows),
            _ => None,
        };
        let Some(rows) = rows.filter(square) else {
            return Err(Mistake::Shape {
                expected: "a square matrix of at most 8 rows",
                found: matrix.shape(),
            });
        };
        let whole = det(rows, &mut self.pool);
        if whole == ExprPool::ZERO {
            return Err(Mistake::Undefined);
        }
        let n = rows.len();
        let mut entry = |i: usize, j: usize| {
            let minor = det(&without(rows, j, i), &mut self.pool);
            let minor = if (i + j).is_multiple_of(2) { minor } else { self.pool.neg(minor) };
            self.pool.div(minor, whole)
        };
        Ok(Value::Matrix((0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()))
    }

    /// The rank of a matrix: the most rows that are independent at almost all states.
    pub(in crate::resolve) fn rank(&mut self, matrix: &Value) -> Result<Value, Mistake> {
        let rows = match matrix {
            _ if matrix.is_mistaken() => return Ok(MISTAKEN),
            Value::Scalar(_) => vec![vec![matrix.as_scalar().unwrap_or(ExprPool::UNDEFINED)]],
            Value::Vector(entries) => entries.iter().map(|entry| vec![*entry]).collect(),
            Value::Row(entries) => vec![entries.clone()],
            Value::Matrix(rows) => rows.clone(),
        };
        let other = |found: String| Mistake::Shape {
            expected: "a matrix of at most 8 rows, in coordinates, velocities and parameters",
            found,
        };
        let derived = |symbol: &SymbolId| {
            !matches!(
                self.pool.symbol_info(*symbol).kind,
                SymbolKind::Pi
                    | SymbolKind::Parameter(_)
                    | SymbolKind::Constant(_)
                    | SymbolKind::Time
                    | SymbolKind::Coordinate(_)
                    | SymbolKind::Velocity(_)
            )
        };
        // Whether what the engine derives depends on other such numbers is not seen in its symbols.
        let entries = rows.concat();
        if self.pool.symbols_in(&entries).iter().any(derived) {
            return Err(other("entries that are derived".to_owned()));
        }
        if rows.len() > SIZE_MAX {
            return Err(other(matrix.shape()));
        }
        // Rows are kept that are independent of those before: det of Gram's matrix is not 0.
        let mut kept: Vec<Vec<ExprId>> = Vec::new();
        for row in rows {
            kept.push(row);
            let mut product = |a: &Vec<ExprId>, b: &Vec<ExprId>| {
                crate::resolve::expression::value::dot(a, b, &mut self.pool)
            };
            let gram: Vec<Vec<ExprId>> =
                kept.iter().map(|a| kept.iter().map(|b| product(a, b)).collect()).collect();
            let gram = det(&gram, &mut self.pool);
            match is_zero(&mut self.pool, gram) {
                Some(true) => drop(kept.pop()),
                Some(false) => {}
                None => return Err(other(matrix.shape())),
            }
        }
        let rank = i64::try_from(kept.len()).unwrap_or_default();
        Ok(Value::Scalar(self.pool.integer(rank)))
    }
}
