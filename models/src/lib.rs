//! Mechanical systems of the documents, and the catalogue that finds them by name.

pub mod catalogue;
pub mod documents;
pub mod figures;
pub mod scene;

pub mod bouncing_penny;

pub use bouncing_penny::{ControlledPenny, Penny, SlidingPenny};
pub use catalogue::{ModelEntry, catalogue};
