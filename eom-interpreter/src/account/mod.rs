//! What is told of a run in words: what its events were, and the ledger of its energy.

mod event;
mod ledger;

pub use event::{event_words, happened, shortest};
pub use ledger::ledger;
