//! What runs in higher precision do not do, said before they begin.

use std::fmt;

/// Why there is no run in higher precision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// A function has no series here, or no formula.
    Function {
        /// Its name.
        name: String,
    },
    /// An exponent is beyond a million.
    Exponent,
    /// There is an integral.
    Integral,
    /// An expression divides by zero.
    Undefined,
    /// A name stands for what only a mode tells: a force of a contact.
    Symbol {
        /// The name.
        name: String,
    },
    /// There is dry friction; of this contact, where it is one's.
    Friction {
        /// The contact.
        contact: Option<String>,
    },
    /// A contact exchanges names of a system whose speeds are no rates of coordinates.
    Relabels {
        /// The contact.
        contact: String,
    },
    /// A number of the start, or a parameter, is not finite.
    NotFinite {
        /// Its name.
        name: String,
    },
    /// The start cannot be brought to its constraints.
    Start {
        /// Why.
        reason: String,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no run in higher precision: ")?;
        match self {
            Self::Function { name } => write!(f, "`{name}` has no series of many digits"),
            Self::Exponent => write!(f, "an exponent is beyond a million"),
            Self::Integral => write!(f, "integrals are computed in double precision only"),
            Self::Undefined => write!(f, "an expression divides by zero"),
            Self::Symbol { name } => write!(f, "`{name}` is a force of a mode"),
            Self::Friction { contact: None } => {
                write!(f, "dry friction is followed in double precision only")
            }
            Self::Friction { contact: Some(contact) } => {
                write!(f, "the friction of `{contact}` is followed in double precision only")
            }
            Self::Relabels { contact } => {
                write!(f, "`{contact}` exchanges names beside quasi-velocities or rotations")
            }
            Self::NotFinite { name } => write!(f, "`{name}` is not finite"),
            Self::Start { reason } => write!(f, "the start {reason}"),
        }
    }
}

impl std::error::Error for Refusal {}
