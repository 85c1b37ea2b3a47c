//! The laws of impact as written.

use super::{Assignment, Expr, Region};
use std::fmt::{self, Display, Formatter, Write};

/// A law of impact.
#[derive(Clone, Debug)]
pub struct Law {
    /// Which.
    pub kind: LawKind,
    /// Where it stands.
    pub region: Region,
}

/// The laws of impact.
#[derive(Clone, Debug)]
pub enum LawKind {
    /// e = 1.
    Elastic,
    /// e = 0.
    Plastic,
    /// `restitution(e)`, or `restitution(e, e_t)` with e on the gap, e_t on the contact's own rows.
    Restitution(Box<Expr>, Option<Box<Expr>>),
    /// Reflect on ∇g alone, then project on ker A.
    Project,
    /// `assign { ż = …; }`; for contacts only.
    Assign(Vec<Assignment>),
}

/// The impact map that a claim speaks of.
#[derive(Clone, Debug)]
pub enum Under {
    /// That of a law.
    Law(Law),
    /// Reflect on ∇g alone, as without constraints.
    Reflect,
    /// The Weierstrass–Erdmann corner conditions, solved; where it stands.
    Corner(Region),
}

impl LawKind {
    /// The expressions in it.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let (restitutions, assigned) = match self {
            Self::Restitution(normal, tangential) => {
                ([Some(&**normal), tangential.as_deref()], &[][..])
            }
            Self::Assign(assigned) => ([None, None], &assigned[..]),
            Self::Elastic | Self::Plastic | Self::Project => ([None, None], &[][..]),
        };
        let restitutions = restitutions.into_iter().flatten();
        restitutions.chain(assigned.iter().map(|assignment| &assignment.value))
    }
}

impl Display for Law {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            LawKind::Elastic => f.write_str("elastic"),
            LawKind::Plastic => f.write_str("plastic"),
            LawKind::Restitution(e, None) => write!(f, "restitution({e})"),
            LawKind::Restitution(e, Some(tangential)) => {
                write!(f, "restitution({e}, {tangential})")
            }
            LawKind::Project => f.write_str("project"),
            LawKind::Assign(assignments) => {
                f.write_str("assign { ")?;
                for assignment in assignments {
                    write!(f, "{assignment}; ")?;
                }
                f.write_char('}')
            }
        }
    }
}

impl Display for Under {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Law(law) => law.fmt(f),
            Self::Reflect => f.write_str("reflect"),
            Self::Corner(_) => f.write_str("corner"),
        }
    }
}
