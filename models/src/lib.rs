//! Mechanical systems of the documents, and the catalogue that finds them by name.

pub mod catalogue;
pub mod scene;

pub mod bouncing_penny;

pub use bouncing_penny::Penny;
pub use catalogue::{ModelEntry, catalogue};
