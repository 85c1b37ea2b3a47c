//! How a motion goes between two instants, by its mode and the signs of what slides; where it is, and what happens at an
//! instant.

use crate::tapes::friction::Terms;
use eom_core::{Event, Mode, Run, State};
use nalgebra::{DMatrix, DVector};

/// The signs of what slides, by the terms of friction.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Signs {
    /// That of the slip, of terms with one component.
    slips: Vec<Option<f64>>,
    /// That of the multiplier of the row that bears the term.
    presses: Vec<Option<f64>>,
}

impl Signs {
    pub(crate) fn new(slips: Vec<Option<f64>>, presses: Vec<Option<f64>>) -> Self {
        Self { slips, presses }
    }

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

    /// The same where a term of one component that sticks slides, with a positive slip.
    pub(crate) fn sliding(&self, term: usize) -> Self {
        let (mode, mut signs) = (&self.mode, self.signs.clone());
        let others = mode.sticking().iter().copied().filter(|other| *other != term).collect();
        let slips = signs.slips.len().max(term + 1);
        signs.slips.resize(slips, None);
        signs.slips[term] = Some(1.0);
        Self { mode: Mode::new(mode.closed().to_vec()).with_sticking(others), signs }
    }
}

/// A slip in a plane that begins where a motion is (`onset`).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Onset {
    pub(crate) term: usize,
    /// The direction of the load on it.
    pub(crate) toward: DVector<f64>,
    /// δt* of the variations.
    pub(crate) late: DMatrix<f64>,
}

/// Where a motion is, and how it goes on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    pub(crate) state: State,
    pub(crate) course: Course,
    /// What begins to slide in a plane there.
    pub(crate) onset: Option<Onset>,
}

impl Place {
    /// Where nothing begins to slide in a plane.
    pub(crate) fn new(state: State, course: Course) -> Self {
        Self { state, course, onset: None }
    }
}

/// What happens at one time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Instant {
    pub(crate) before: State,
    pub(crate) after: State,
    pub(crate) events: Vec<Event>,
    /// The place of the event of a section among them.
    pub(crate) met: Option<usize>,
    /// How the motion goes on.
    pub(crate) course: Course,
    /// The sides on which it came, where forces jump, of one that is a section.
    pub(crate) coming: Option<Vec<f64>>,
}

impl Instant {
    /// Finds the event with which so many are met, which is that of the section; how many are.
    pub(crate) fn meet(&mut self, count: usize, is_met: impl Fn(&Event) -> bool) -> usize {
        let mut met = 0;
        for (place, event) in self.events.iter().enumerate() {
            met += usize::from(is_met(event));
            if met == count {
                self.met = Some(place);
                break;
            }
        }
        met
    }

    /// The events up to that of the section, that included.
    pub(crate) fn up_to_section(&self) -> &[Event] {
        &self.events[..self.met.map_or(self.events.len(), |place| place + 1)]
    }
}
