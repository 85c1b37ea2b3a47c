//! A model at given states: what is read, what is answered.

pub(crate) mod answer;
pub(crate) mod state;
