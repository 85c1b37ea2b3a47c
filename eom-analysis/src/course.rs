//! How a motion goes between two instants: its mode, and the signs of what slides.

use crate::friction::Terms;
use eom_core::{Mode, Run};

/// The signs of what slides, by the terms of friction.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Signs {
    /// That of the slip, of terms with one component.
    slips: Vec<Option<f64>>,
    /// That of the multiplier of the row that bears the term.
    presses: Vec<Option<f64>>,
}

impl Signs {
    pub(crate) fn slip(&self, term: usize) -> Option<f64> {
        self.slips.get(term).copied().flatten()
    }

    pub(crate) fn pressing(&self, term: usize) -> Option<f64> {
        self.presses.get(term).copied().flatten()
    }
}

/// A mode, and the signs with which it goes on: smooth as long as they stay.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Course {
    pub(crate) mode: Mode,
    pub(crate) signs: Signs,
}

impl Course {
    /// That on which a run is.
    pub(crate) fn of(run: &Run<'_>, terms: &Terms) -> Self {
        let mode = run.mode().clone();
        let slides: Vec<bool> =
            (0..terms.count()).map(|t| terms.acts(t, &mode) && !mode.sticks(t)).collect();
        let all = |sign: &dyn Fn(usize) -> Option<f64>| {
            slides
                .iter()
                .enumerate()
                .map(|(term, slides)| sign(term).filter(|_| *slides).map(f64::signum))
                .collect()
        };
        let signs = Signs {
            slips: all(&|term| run.slip_sign(term)),
            presses: all(&|term| run.pressing_sign(term)),
        };
        Self { mode, signs }
    }
}
