//! The laws of impact as written.

use super::{Assignment, Expr, Region};
use eom_symbolic::mechanics::Restitution;
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
    /// `poisson(e)`, or `stronge(e)`: e of impulses, or of works, at a contact with friction.
    Process(Restitution, Box<Expr>),
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
            Self::Process(_, e) => ([Some(&**e), None], &[][..]),
            Self::Assign(assigned) => ([None, None], &assigned[..]),
            Self::Elastic | Self::Plastic | Self::Project => ([None, None], &[][..]),
        };
        let restitutions = restitutions.into_iter().flatten();
        restitutions.chain(assigned.iter().map(|assignment| &assignment.value))
    }
}

/// How a law is called by what its e is the ratio of.
pub(crate) fn word_of(restitution: Restitution) -> &'static str {
    match restitution {
        Restitution::Newton => "restitution",
        Restitution::Poisson => "poisson",
        Restitution::Stronge => "stronge",
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
            LawKind::Process(restitution, e) => write!(f, "{}({e})", word_of(*restitution)),
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
