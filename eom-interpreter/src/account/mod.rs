//! What is told of a run in words: what its events were, the ledger of its energy, the summary of all of it.
//!
//! A run is watched as it goes: [`Watch`] sees its steps, [`Story`] what comes of it; [`summary`] is made of both.

mod balance;
mod event;
mod ledger;
mod story;
mod summary;
mod together;

pub use balance::Watch;
pub use event::{event_words, happened, shortest};
pub use ledger::ledger;
pub use story::Story;
pub use summary::{Headed, law, summary};
