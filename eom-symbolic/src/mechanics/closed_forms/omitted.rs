//! Why a closed form is left out: limits of what is eliminated, inverted and printed.

use crate::node::ExprId;
use crate::pool::ExprPool;
use crate::simplify::{self, Simplifier};
use std::fmt;

/// More rows than this are not eliminated symbolically.
pub(super) const ROWS_MAX: usize = 8;

/// An entry of an eliminated row may have this [`size`](crate::simplify::size).
pub(super) const ENTRY_SIZE_MAX: usize = 400;

/// The largest coupled block of a matrix that is inverted symbolically.
pub(in crate::mechanics) const BLOCK_MAX: usize = 3;

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
    /// Forces hold the multipliers.
    Forces,
    /// A row says that a number other than 0 is 0.
    Contradiction {
        /// The row's index.
        row: usize,
    },
    /// A row is not affine in the velocities.
    Nonlinear {
        /// The row's index.
        row: usize,
    },
    /// A matrix is singular everywhere.
    Singular,
}

impl Omitted {
    /// Refuses what is larger than a limit.
    pub(in crate::mechanics) const fn unless(size: usize, limit: usize) -> Result<(), Self> {
        if size > limit { Err(Self::Size { size, limit }) } else { Ok(()) }
    }

    /// Whether shorter words could say it.
    pub(in crate::mechanics) const fn is_of_size(self) -> bool {
        matches!(self, Self::Rows { .. } | Self::Size { .. } | Self::Coupled { .. })
    }
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
            Self::Forces => write!(f, "the forces hold multipliers"),
            Self::Contradiction { row } => write!(f, "constraint {row} contradicts the others"),
            Self::Nonlinear { row } => {
                write!(
                    f,
                    "constraint {row} is not affine in the velocities: none is eliminated by it"
                )
            }
            Self::Singular => write!(f, "the matrix of the free velocities is singular"),
        }
    }
}

impl std::error::Error for Omitted {}

/// An expression as a person writes it, unless that is larger than a limit.
pub(super) fn readable(
    pool: &mut ExprPool,
    value: ExprId,
    simplifier: &mut Simplifier,
    limit: usize,
) -> Result<ExprId, Omitted> {
    let value = simplifier.collected(pool, value);
    Omitted::unless(simplify::size(pool, value), limit)?;
    Ok(value)
}

/// Refuses entries of which one is larger than a limit.
pub(super) fn check_entries<'e>(
    pool: &ExprPool,
    entries: impl IntoIterator<Item = &'e ExprId>,
    limit: usize,
) -> Result<(), Omitted> {
    let sizes = entries.into_iter().map(|entry| simplify::size(pool, *entry));
    Omitted::unless(sizes.max().unwrap_or(0), limit)
}
