//! A run of a model: from the arguments to what is written about it.

pub(crate) mod conserved;
pub(crate) mod drive;
pub(crate) mod outputs;
pub(crate) mod plan;
pub(crate) mod precise;
pub(crate) mod progress;
pub(crate) mod refusal;
pub(crate) mod request;
pub(crate) mod settings;
pub(crate) mod size;
pub(crate) mod tables;
pub(crate) mod thin;
pub(crate) mod tolerances;
