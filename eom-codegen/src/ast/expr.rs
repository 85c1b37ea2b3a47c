//! Expressions as written. Sums and products are flat, so that the depth of a tree is the depth
//! of its brackets.

use super::{Ident, Region};

/// An expression and its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands, brackets included.
    pub region: Region,
}

/// The forms of an expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `1.25e-7`
    Number(Number),
    /// `θ̇`
    Name(Ident),
    /// `sin(x)`
    Call {
        /// The function.
        function: Ident,
        /// Its arguments.
        arguments: Vec<Expr>,
    },
    /// `projector[x, y]`
    Index {
        /// What is indexed.
        base: Box<Expr>,
        /// One index or two.
        indices: Vec<Expr>,
    },
    /// −a
    Neg(Box<Expr>),
    /// a − b + c, at least two terms.
    Sum(Vec<Term>),
    /// a*b/c, at least two factors; the first one multiplies.
    Product(Vec<Factor>),
    /// a^b
    Pow {
        /// The base.
        base: Box<Expr>,
        /// The exponent.
        exponent: Box<Expr>,
    },
    /// `[a, b]`; a matrix is an array of its rows.
    Array(Vec<Expr>),
}

/// A term of a sum.
#[derive(Clone, Debug)]
pub struct Term {
    /// Whether it is subtracted.
    pub minus: bool,
    /// The term without its sign.
    pub expr: Expr,
}

/// A factor of a product.
#[derive(Clone, Debug)]
pub struct Factor {
    /// Whether it divides.
    pub divides: bool,
    /// The factor.
    pub expr: Expr,
}

/// A decimal literal, exact: digits · 10^exponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// As written, without `_`.
    pub text: String,
    /// Its decimal digits, at least one.
    pub digits: String,
    /// The power of ten.
    pub exponent: i32,
}
