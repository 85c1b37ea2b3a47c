//! What an expression node is, and the canonical form that every node obeys.
//!
//! | node | is never |
//! | --- | --- |
//! | `Number` | anything but a rational in lowest terms |
//! | `Sum` | nested; of fewer than two terms; with a zero coefficient; with two terms of one expression; with a number other than 1 as the expression of a term (the constant term is `c·1`); with a product whose coefficient is not 1 as the expression of a term |
//! | `Product` | nested (where powers may be distributed); with a zero coefficient; empty; the single factor `b¹` with coefficient 1; a number times a lone sum (the number is distributed); with two factors of one base; with a numeric base to an integer power; with a sum to an integer power whose leading coefficient is negative, whose coefficients are integers with a common divisor, or all of one magnitude other than 1, unless it stands alone |
//! | `Integral` | between equal ends; of a polynomial of its variable; of a product with a factor that is free of it; of a sum whose terms share such a factor, or hold a polynomial |
//! | `Call` | of a function at an argument where it folds to a number; of an even or odd function at an argument whose leading coefficient is negative |
//! | `Undefined` | below another node: it swallows what contains it |
//!
//! Terms and factors are in the order of their ids, which is the order of first construction:
//! the same input builds the same ids.

pub use crate::function::{Function, Partial};

/// Names an expression in its [`ExprPool`](crate::ExprPool): equal ids are equal expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub(crate) u32);

/// Names a symbol in its [`ExprPool`](crate::ExprPool).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub(crate) u32);

impl ExprId {
    /// The position in the pool; children stand before parents.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl SymbolId {
    /// The position in the pool's symbol table.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node as it is read: borrowed from the pool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum View<'p> {
    /// A rational number.
    Number(&'p crate::Rational),
    /// A symbol.
    Symbol(SymbolId),
    /// Σ coefficient·expression, as pairs; both are ids, the coefficient that of a number.
    Sum(&'p [(ExprId, ExprId)]),
    /// coefficient·∏ base^exponent, as pairs of base and exponent.
    Product {
        /// The id of the numeric coefficient.
        coefficient: ExprId,
        /// Bases and exponents.
        factors: &'p [(ExprId, ExprId)],
    },
    /// A function at its arguments.
    Call(Function, &'p [ExprId]),
    /// ∫ body d(variable); see [`integral`](crate::integral).
    Integral {
        /// The variable, a [`SymbolKind::Bound`].
        variable: SymbolId,
        /// What is integrated.
        body: ExprId,
        /// The lower end.
        lower: ExprId,
        /// The upper end.
        upper: ExprId,
    },
    /// The value of an operation outside its domain, such as 1/0.
    Undefined,
}

/// What a symbol stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymbolKind {
    /// π
    Pi,
    /// A parameter, by its index.
    Parameter(usize),
    /// A constant that only a claim knows, by its index.
    Constant(usize),
    /// An input, by its index.
    Input(usize),
    /// Time t.
    Time,
    /// An entry of q, by its index: a coordinate, or a component of a rotation's quaternion.
    Coordinate(usize),
    /// The rate of a coordinate, in the definitions of quasi-velocities.
    Rate(usize),
    /// An entry of v, a speed; at an impact that before it.
    Velocity(usize),
    /// A speed after an impact.
    VelocityAfter(usize),
    /// The time derivative of a speed.
    Acceleration(usize),
    /// The weight of an acceleration or, behind these, of a multiplier.
    Weight(usize),
    /// The rate of an entry of q, of v behind these, of u behind both, along a direction.
    Direction(usize),
    /// The multiplier of a constraint row, by the row's index.
    Multiplier(usize),
    /// The normal force of a contact, 0 while it is open, by its index: it is looked at along a run.
    ContactForce(usize),
    /// The force of friction of contact `.0` at place `.1`: two on its slip, two moments on its roll, one on its spin;
    /// looked at likewise.
    ContactFriction(usize, usize),
    /// Component `.1` of the force of friction on the slip of a constraint row, by the row's index; looked at likewise.
    RowFriction(usize, usize),
    /// The impulse on row `.0` of B at an impact.
    Impulse(usize),
    /// Entry (row, column) of the projector P.
    Projector(usize, usize),
    /// Entry of B G⁻¹ Bᵀ.
    Gram(usize, usize),
    /// Entry of (B G⁻¹ Bᵀ)⁻¹.
    GramInverse(usize, usize),
    /// Component `.1` of G⁻¹Bᵀ of row `.0`: the vector of a 1-form.
    Sharp(usize, usize),
    /// The 1-form of a speed: dq of a coordinate.
    Differential(usize),
    /// dt, in a 1-form.
    TimeDifferential,
    /// The variable of an integral, by how many integrals are nested within it.
    Bound(usize),
    /// A variable of integration as it was declared, before its integral is made.
    Variable(usize),
    /// The value of a declared function, or of a partial of it, at a point: the call of this
    /// [`ExprId::index`]. Claims hold it free; see [`jets`](crate::mechanics::claim::jets).
    Jet(usize),
}

impl SymbolKind {
    /// Whether it is the same at all states of a system.
    pub(crate) const fn is_fixed(self) -> bool {
        matches!(self, Self::Pi | Self::Parameter(_) | Self::Constant(_))
    }

    /// Whether it is a force that follows from a state and its mode.
    pub const fn is_force(self) -> bool {
        matches!(
            self,
            Self::Multiplier(_)
                | Self::ContactForce(_)
                | Self::ContactFriction(..)
                | Self::RowFriction(..)
        )
    }
}
