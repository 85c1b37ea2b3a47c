//! Values of expressions: scalars, vectors and matrices, unrolled into scalars as they meet.

use crate::resolve::mistake::Mistake;
use eom_symbolic::eval::Estimate;
use eom_symbolic::{ExprId, ExprPool, SymbolKind, Vetted};
use std::cell::Cell;

/// A scalar, a column, a column transposed, or a matrix by its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shaped<T> {
    Scalar(T),
    Vector(Vec<T>),
    Row(Vec<T>),
    Matrix(Vec<Vec<T>>),
}

/// The value of an expression.
pub(crate) type Value = Shaped<ExprId>;

/// What stands for a value after a mistake was reported: it passes everywhere.
pub(crate) const MISTAKEN: Value = Value::Scalar(ExprPool::UNDEFINED);

impl<T: Clone> Shaped<T> {
    /// The scalar, if it is one.
    pub(crate) fn as_scalar(&self) -> Option<T> {
        match self {
            Self::Scalar(e) => Some(e.clone()),
            _ => None,
        }
    }

    /// The shape in words.
    pub(crate) fn shape(&self) -> String {
        match self {
            Self::Scalar(_) => "a number".to_owned(),
            Self::Vector(entries) => format!("a vector of {}", entries.len()),
            Self::Row(entries) => format!("a transposed vector of {}", entries.len()),
            Self::Matrix(rows) => {
                format!("a {}×{} matrix", rows.len(), rows.first().map_or(0, Vec::len))
            }
        }
    }

    /// The scalars, row by row.
    pub(crate) fn entries(&self) -> Vec<T> {
        match self {
            Self::Scalar(e) => vec![e.clone()],
            Self::Vector(entries) | Self::Row(entries) => entries.clone(),
            Self::Matrix(rows) => rows.concat(),
        }
    }

    /// The value with each scalar replaced, row by row.
    pub(crate) fn map<U>(&self, mut f: impl FnMut(T) -> U) -> Shaped<U> {
        let mut list = |entries: &[T]| entries.iter().map(|e| f(e.clone())).collect();
        match self {
            Self::Scalar(e) => Shaped::Scalar(f(e.clone())),
            Self::Vector(entries) => Shaped::Vector(list(entries)),
            Self::Row(entries) => Shaped::Row(list(entries)),
            Self::Matrix(rows) => Shaped::Matrix(rows.iter().map(|row| list(row)).collect()),
        }
    }

    /// The places of the entries as they are indexed, row by row: nothing, `[2]` or `[2,1]`.
    pub(crate) fn places(&self) -> Vec<String> {
        match self {
            Self::Scalar(_) => vec![String::new()],
            Self::Vector(entries) | Self::Row(entries) => {
                (1..=entries.len()).map(|i| format!("[{i}]")).collect()
            }
            Self::Matrix(rows) => {
                let columns = |i, row: &Vec<T>| (1..=row.len()).map(move |j| format!("[{i},{j}]"));
                let rows = rows.iter().zip(1..).flat_map(|(row, i)| columns(i, row));
                rows.collect()
            }
        }
    }
}

impl Value {
    /// Whether a mistake has already been reported for this value.
    pub(crate) fn is_mistaken(&self) -> bool {
        *self == MISTAKEN
    }

    /// left ± right.
    pub(crate) fn plus(
        &self,
        other: &Self,
        minus: bool,
        pool: &mut ExprPool,
    ) -> Result<Self, Mistake> {
        if self.is_mistaken() || other.is_mistaken() {
            return Ok(MISTAKEN);
        }
        let sign = if minus { ExprPool::MINUS_ONE } else { ExprPool::ONE };
        let mut add = |a: ExprId, b: ExprId| pool.sum(&[(ExprPool::ONE, a), (sign, b)]);
        match (self, other) {
            (Self::Scalar(a), Self::Scalar(b)) => Ok(Self::Scalar(add(*a, *b))),
            (Self::Vector(a), Self::Vector(b)) if a.len() == b.len() => {
                Ok(Self::Vector(a.iter().zip(b).map(|(a, b)| add(*a, *b)).collect()))
            }
            (Self::Row(a), Self::Row(b)) if a.len() == b.len() => {
                Ok(Self::Row(a.iter().zip(b).map(|(a, b)| add(*a, *b)).collect()))
            }
            (Self::Matrix(a), Self::Matrix(b)) if self.shape() == other.shape() => {
                let row = |(a, b): (&Vec<ExprId>, &Vec<ExprId>)| {
                    a.iter().zip(b).map(|(a, b)| add(*a, *b)).collect()
                };
                Ok(Self::Matrix(a.iter().zip(b).map(row).collect()))
            }
            _ => Err(shapes(if minus { "a difference" } else { "a sum" }, self, other)),
        }
    }

    /// left·right.
    pub(crate) fn times(&self, other: &Self, pool: &mut ExprPool) -> Result<Self, Mistake> {
        if self.is_mistaken() || other.is_mistaken() {
            return Ok(MISTAKEN);
        }
        match (self, other) {
            (Self::Scalar(a), _) => Ok(other.map(|b| pool.mul(*a, b))),
            (_, Self::Scalar(b)) => Ok(self.map(|a| pool.mul(a, *b))),
            (Self::Matrix(m), Self::Vector(x)) if m.iter().all(|row| row.len() == x.len()) => {
                Ok(Self::Vector(m.iter().map(|row| dot(row, x, pool)).collect()))
            }
            (Self::Row(x), Self::Vector(y)) if x.len() == y.len() => {
                Ok(Self::Scalar(dot(x, y, pool)))
            }
            (Self::Row(x), Self::Matrix(m)) if x.len() == m.len() => {
                Ok(Self::Row(transpose(m).iter().map(|column| dot(x, column, pool)).collect()))
            }
            (Self::Vector(x), Self::Row(y)) => {
                let row = |x: &ExprId| y.iter().map(|y| pool.mul(*x, *y)).collect();
                Ok(Self::Matrix(x.iter().map(row).collect()))
            }
            (Self::Matrix(a), Self::Matrix(b)) if a.iter().all(|row| row.len() == b.len()) => {
                let columns = transpose(b);
                let row = |row: &Vec<ExprId>, pool: &mut ExprPool| {
                    columns.iter().map(|column| dot(row, column, pool)).collect()
                };
                Ok(Self::Matrix(a.iter().map(|r| row(r, pool)).collect()))
            }
            _ => Err(shapes("a product", self, other)),
        }
    }

    /// left/right for a scalar right.
    pub(crate) fn over(&self, other: &Self, pool: &mut ExprPool) -> Result<Self, Mistake> {
        if self.is_mistaken() || other.is_mistaken() {
            return Ok(MISTAKEN);
        }
        match other {
            Self::Scalar(ExprPool::ZERO) => Err(Mistake::Undefined),
            Self::Scalar(b) => Ok(self.map(|a| pool.div(a, *b))),
            _ => Err(shapes("a quotient", self, other)),
        }
    }

    /// What a function or a power comes to; what is mistaken has been reported.
    pub(crate) fn of_operation(
        result: ExprId,
        mistaken: bool,
        pool: &ExprPool,
    ) -> Result<Self, Mistake> {
        let is_told = mistaken || pool.exceeded().is_some();
        if !is_told && is_undefined(result, pool) {
            return Err(Mistake::Undefined);
        }
        Ok(Self::Scalar(result))
    }

    /// left^right of scalars.
    pub(crate) fn power(&self, other: &Self, pool: &mut ExprPool) -> Result<Self, Mistake> {
        match (self, other) {
            (Self::Scalar(a), Self::Scalar(b)) => {
                let power = pool.pow(*a, *b);
                Self::of_operation(power, self.is_mistaken() || other.is_mistaken(), pool)
            }
            _ => Err(shapes("a power", self, other)),
        }
    }
}

/// Whether a number of the declaration, π among them, is none: ln(−1). What a declared function comes to is not known.
fn is_undefined(e: ExprId, pool: &ExprPool) -> bool {
    let is_pi = |symbol| pool.symbol_info(symbol).kind == SymbolKind::Pi;
    if e == ExprPool::UNDEFINED || !pool.all_symbols(&[e], &mut Vetted::default(), is_pi) {
        return e == ExprPool::UNDEFINED;
    }
    let is_known = Cell::new(true);
    let pi = |_| Estimate::exact(std::f64::consts::PI);
    let unknown = |_, _: &[f64]| {
        is_known.set(false);
        f64::NAN
    };
    let value = pool.evaluate_with(&[e], pi, unknown)[0].value;
    is_known.get() && value.is_nan()
}

/// Σ xᵢ yᵢ.
pub(crate) fn dot(x: &[ExprId], y: &[ExprId], pool: &mut ExprPool) -> ExprId {
    let terms: Vec<_> = x.iter().zip(y).map(|(x, y)| (ExprPool::ONE, pool.mul(*x, *y))).collect();
    pool.sum(&terms)
}

/// Columns as rows.
pub(crate) fn transpose(rows: &[Vec<ExprId>]) -> Vec<Vec<ExprId>> {
    let width = rows.first().map_or(0, Vec::len);
    (0..width).map(|j| rows.iter().map(|row| row[j]).collect()).collect()
}

fn shapes(operation: &'static str, left: &Value, right: &Value) -> Mistake {
    Mistake::Shapes { operation, left: left.shape(), right: right.shape() }
}
