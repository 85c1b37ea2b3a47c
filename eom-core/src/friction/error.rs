//! Why the convex problem of dry friction has no answer.

use crate::error::NotPositiveDefinite;
use crate::snapshot::words::choice;

/// The problem has no solution, or none was found.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum FrictionError {
    /// There is no metric.
    #[error(transparent)]
    Metric(#[from] NotPositiveDefinite),
    /// A coefficient is negative or not a number.
    #[error("friction term {term} has the coefficient {coefficient}")]
    Coefficient {
        /// The term's index.
        term: usize,
        /// c.
        coefficient: f64,
    },
    /// What sticks is held by less than what slides, and could do neither.
    #[error(
        "friction term {term} holds by the coefficient {at_rest}, less than {sliding} where it slides"
    )]
    AtRest {
        /// The term's index.
        term: usize,
        /// c_s.
        at_rest: f64,
        /// c.
        sliding: f64,
    },
    /// A number of the problem is infinite or not a number.
    #[error("the friction problem is not finite")]
    NotFinite,
    /// The iteration ended before the conditions held.
    #[error("the friction problem was solved to {residual:e} only")]
    Unsolved {
        /// The largest violation of the conditions, relative to the forces.
        residual: f64,
    },
}

impl FrictionError {
    /// The term that it is about, where it is about one.
    pub const fn term(&self) -> Option<usize> {
        match self {
            Self::Coefficient { term, .. } | Self::AtRest { term, .. } => Some(*term),
            Self::Metric(_) | Self::NotFinite | Self::Unsolved { .. } => None,
        }
    }
}

choice! { FrictionError {
    0 => Metric(error),
    1 => Coefficient { term, coefficient },
    2 => NotFinite,
    3 => Unsolved { residual },
    4 => AtRest { term, at_rest, sliding },
} }
