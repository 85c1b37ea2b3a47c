//! A run as it stands between two steps, to go on with later, elsewhere, or more than once.
//!
//! A [`Snapshot`] belongs to a system and is made of words (`words`): the options, where the run began, its inputs, and
//! what decides how it goes on. What each part of a run has in it stands beside that part.
//!
//! ```text
//! save      run → words
//! restore   a new run of the same system, inputs and options, into which the words are read
//! ```

mod error;
mod owner;
mod values;
pub(crate) mod words;

use crate::info::SystemInfo;
use crate::run::options::Options;
use crate::state::State;
use crate::system::System;
pub use error::RestoreError;
use owner::Owner;
use words::{Reader, Value, Writer, folded};

/// The format of the words: another one where they are written otherwise.
const VERSION: u32 = 12;

/// A run as it stands between two steps: [`Run::save`](crate::Run::save) takes it,
/// [`Run::restore`](crate::Run::restore) goes on with it.
///
/// It owns what it holds, and may outlive the system. Two of them are equal where the runs go on in the same way, to the
/// bit, and have left the same so far.
///
/// # To keep one
/// With the feature `serde` it can be serialised. Its numbers are words of 64 bits, floating-point numbers by
/// their bits, so that nothing is rounded in JSON: `serde_json` writes and reads such integers with all their
/// digits. A program that takes every number of a JSON file for a floating-point one, as JavaScript does,
/// loses some of them, and the snapshot is refused as damaged.
///
/// # What is checked
/// The format, the system by its names, its equations and the values of its parameters, and a sum over all words.
/// Functions that a system was given at run time have neither name nor value to compare: it is for the caller
/// to give the same. The sum finds what went wrong on the way; it is no seal against one who writes words of
/// his own.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Snapshot {
    version: u32,
    owner: Owner,
    /// The time, by its bits.
    t: u64,
    words: Vec<u64>,
    sum: u64,
}

/// What a run is made with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Setup {
    pub(crate) options: Options,
    pub(crate) inputs: Vec<f64>,
    /// The state from which ends are explained.
    pub(crate) start: State,
}

impl Snapshot {
    /// Of a run of a system at t, which writes itself.
    pub(crate) fn of(
        system: &dyn System,
        t: f64,
        (options, inputs, start): (&Options, &Vec<f64>, &State),
        write: impl FnOnce(&mut Writer),
    ) -> Self {
        Self::sealed(system, t, |to| {
            options.write(to);
            inputs.write(to);
            start.write(to);
            write(to);
        })
    }

    /// Words of a system, at t, with the sum over them.
    pub(crate) fn sealed(system: &dyn System, t: f64, write: impl FnOnce(&mut Writer)) -> Self {
        let mut to = Writer::default();
        write(&mut to);
        let (t, words) = (t.to_bits(), to.words);
        let mut made = Self { version: VERSION, owner: Owner::of(system), t, words, sum: 0 };
        made.sum = made.folded();
        made
    }

    /// The name of the system that it is of.
    pub fn system(&self) -> &str {
        self.owner.name()
    }

    /// The time at which it was taken.
    pub fn t(&self) -> f64 {
        f64::from_bits(self.t)
    }

    /// With what the run was made, and the words of the rest.
    pub(crate) fn open(&self, system: &dyn System) -> Result<(Setup, Reader<'_>), RestoreError> {
        let mut from = self.unsealed(system)?;
        let (options, inputs, start) = Value::read(&mut from)?;
        Ok((Setup { options, inputs, start }, from.counts()))
    }

    /// The words, where they are whole and of this system.
    pub(crate) fn unsealed(&self, system: &dyn System) -> Result<Reader<'_>, RestoreError> {
        if self.version != VERSION {
            return Err(RestoreError::Version { found: self.version, expected: VERSION });
        }
        if self.sum != self.folded() {
            return Err(RestoreError::Damaged);
        }
        self.owner.check(system)?;
        let info: &'static SystemInfo = system.info();
        Ok(Reader::new(&self.words, info))
    }

    /// The sum over all that it holds.
    fn folded(&self) -> u64 {
        let Self { version, owner, t, words, sum: _ } = self;
        let first = folded(&[u64::from(*version), *t, words.len() as u64], owner.folded());
        folded(words, first)
    }
}
