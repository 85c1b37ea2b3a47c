//! Why a snapshot cannot be gone on with.

use super::words::Broken;
use crate::error::StartError;

/// Why a run cannot be restored from a snapshot.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RestoreError {
    /// The snapshot is of another format.
    #[error("the snapshot has the format {found}; this version of eom reads {expected}")]
    Version {
        /// That of the snapshot.
        found: u32,
        /// That which is read.
        expected: u32,
    },
    /// The words are not those that were saved.
    #[error("the snapshot is damaged: its words do not have the sum that they were saved with")]
    Damaged,
    /// The snapshot is of another system.
    #[error("the snapshot has the {what} `{snapshot}`, the system `{system}`")]
    System {
        /// In what they differ: name, coordinates, contacts, …
        what: &'static str,
        /// What the snapshot has.
        snapshot: String,
        /// What the system has.
        system: String,
    },
    /// The snapshot is of a system with the same names and other equations.
    #[error("the snapshot is of a `{system}` that has other equations")]
    Equations {
        /// The name of both.
        system: &'static str,
    },
    /// A parameter has another value.
    #[error("parameter `{name}` is {snapshot} in the snapshot, and {system} in the system")]
    Parameter {
        /// Its name.
        name: &'static str,
        /// Its value in the snapshot.
        snapshot: f64,
        /// Its value in the system.
        system: f64,
    },
    /// The words do not hold a run of this system: another version of eom wrote them, or the system has another
    /// form than its names say.
    #[error("the words of the snapshot do not hold {part} as this version of eom has it")]
    Words {
        /// The part of the run that was read.
        part: &'static str,
    },
    /// No run of the system can have these options, inputs or parameters.
    #[error(transparent)]
    Start(#[from] StartError),
}

impl From<Broken> for RestoreError {
    fn from(Broken(part): Broken) -> Self {
        Self::Words { part }
    }
}
