//! Analytical mechanics: from a resolved declaration to its equations of motion.

mod angles;
pub mod claim;
pub mod closed;
mod coincident;
pub mod conserved;
mod contact;
pub mod declared;
pub mod diagnosis;
pub mod drawing;
pub mod equations;
pub mod explicit;
pub mod friction;
mod gap_guard;
pub mod hamilton;
pub mod impact;
pub mod jets;
pub mod kinematics;
pub mod lagrange;
pub(crate) mod linear;
pub mod mass;
pub mod measure;
mod omitted;
pub mod on_motion;
pub mod power;
mod quadratic;
pub mod reduce;
pub mod report;
pub mod reversal;
pub mod sample;
pub mod sentence;
mod start;
pub mod system;
pub(crate) mod tensions;
pub(crate) mod velocity_forms;

pub use contact::{
    Along, ClosedContact, Contact, ContactFriction, ImpactOf, Impacts, Law, Resisted, Restitution,
    RowFriction, take_borne,
};
pub use declared::{
    Bound, Coordinate, Direction, Event, EventCount, Frame, GapGuard, Input, Let, Line, LineKind,
    Named, Norm, Output, Parameter, Relation, Reset, Rotation, Row, RowKind, Scenario,
    SmoothFunction, Speed, Unknown,
};
pub use equations::{ContactEquations, ContactRow, DeriveError, EquationsOfMotion};
pub use friction::{Bearer, Borne, DryFriction, KinkError, PointFriction};
pub use kinematics::Kinematics;
pub use mass::Mass;
pub use power::{Power, PowerKind};
pub use sentence::{Part, Quantity, Sentence};
pub use system::{Claim, Condition, Print, Statement, SystemModel};
