//! What kinds of symbols occur in an expression, known without a walk.

use super::{ExprPool, FILTER_BITS};
use crate::node::{ExprId, SymbolId, SymbolKind};

/// Kinds of symbols, a bit each; parameters have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kinds(pub(super) u64);

impl Kinds {
    /// Time, coordinates, values of declared functions.
    pub(crate) const STATE: Self = Self(1);
    /// Variables of integrals.
    pub(crate) const BOUND: Self = Self(2);
    /// Speeds.
    pub(crate) const VELOCITY: Self = Self(4);
    /// All others.
    pub(crate) const OTHER: Self = Self(8);

    pub(super) fn of(kind: SymbolKind) -> Self {
        match kind {
            SymbolKind::Pi | SymbolKind::Parameter(_) | SymbolKind::Constant(_) => Self(0),
            SymbolKind::Time | SymbolKind::Coordinate(_) | SymbolKind::Jet(_) => Self::STATE,
            SymbolKind::Bound(_) | SymbolKind::Variable(_) => Self::BOUND,
            SymbolKind::Velocity(_) => Self::VELOCITY,
            _ => Self::OTHER,
        }
    }

    /// Whether one of others is among them.
    pub(crate) fn have(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl ExprPool {
    /// What kinds of symbols are below a node, the variables of integrals too.
    #[inline]
    pub(crate) fn kinds(&self, id: ExprId) -> Kinds {
        Kinds(self.mask(id) >> FILTER_BITS)
    }

    /// Whether a velocity occurs in an expression.
    pub fn holds_velocity(&self, id: ExprId) -> bool {
        self.kinds(id).have(Kinds::VELOCITY)
    }

    /// Whether parameters and numbers only occur.
    pub(crate) fn is_fixed(&self, id: ExprId) -> bool {
        let is_free = |s: SymbolId| !self.symbol_info(s).kind.is_fixed();
        match self.kinds(id) {
            Kinds(0) => true,
            // What varies along an integral alone is fixed outside of it.
            _ => self.has_integral(id) && !self.contains(id, is_free),
        }
    }
}
