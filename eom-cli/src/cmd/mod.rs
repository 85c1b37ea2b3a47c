//! The commands, one file each.

pub(crate) mod book;
pub(crate) mod derive;
pub(crate) mod documents;
pub(crate) mod figures;
pub(crate) mod models;
pub(crate) mod run;
