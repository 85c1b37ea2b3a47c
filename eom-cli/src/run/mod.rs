//! A run of a model: from the arguments to what is written about it.

pub(crate) mod balance;
pub(crate) mod drive;
pub(crate) mod happened;
pub(crate) mod outputs;
pub(crate) mod plan;
pub(crate) mod progress;
pub(crate) mod refusal;
pub(crate) mod request;
pub(crate) mod settings;
pub(crate) mod size;
pub(crate) mod story;
pub(crate) mod summary;
pub(crate) mod tables;
pub(crate) mod thin;
pub(crate) mod together;
