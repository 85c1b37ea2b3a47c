//! The commands, one file each.

pub(crate) mod analyse;
pub(crate) mod book;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod derive;
pub(crate) mod documents;
pub(crate) mod engine;
pub(crate) mod eval;
pub(crate) mod figures;
pub(crate) mod fmt;
pub(crate) mod gather;
pub(crate) mod generate;
pub(crate) mod models;
pub(crate) mod new;
pub(crate) mod run;
pub(crate) mod studio;
pub(crate) mod sweep;
