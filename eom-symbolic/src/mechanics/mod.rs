//! Analytical mechanics: from a resolved declaration to its equations of motion.
//!
//! ```text
//! system/        a declaration with every name resolved
//! lagrange/      the derivation: M, h, F, A, b, γ, ∇g
//! friction/      dry friction, split off the dissipation function
//! claim/         claims, decided at random states
//! closed_forms/  multipliers eliminated, accelerations, momenta, impacts
//! conserved/     what stays along every motion; a measure; motions backwards
//! diagnosis/     what is said of a model that has equations
//! report/        all equations as text and LaTeX
//! ```

pub mod claim;
pub mod closed_forms;
pub mod conserved;
pub mod diagnosis;
pub mod drawing;
pub mod friction;
pub mod lagrange;
pub(crate) mod linear;
pub mod report;
pub mod system;

pub use claim::sentence::{Part, Quantity, Sentence};
pub use friction::{Bearer, Borne, DryFriction, KinkError, PointFriction};
pub use lagrange::equations::{ContactEquations, ContactRow, DeriveError, EquationsOfMotion};
pub use lagrange::mass::Mass;
pub use lagrange::power::{Power, PowerKind};
pub use system::contact::{
    Along, ClosedContact, Contact, ContactFriction, ImpactOf, Impacts, Law, Resisted, Restitution,
    RowFriction, take_borne,
};
pub use system::declared::{
    Bound, Coordinate, Direction, Event, EventCount, Frame, GapGuard, Input, Let, Line, LineKind,
    Named, Norm, Output, Parameter, Relation, Reset, Rotation, Row, RowKind, Scenario,
    SmoothFunction, Speed, Unknown,
};
pub use system::kinematics::Kinematics;
pub use system::{Claim, Condition, Print, Statement, SystemModel};
