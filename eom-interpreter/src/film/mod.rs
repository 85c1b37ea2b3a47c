//! A motion that is looked at: its states at even times and on both sides of every event, and what is drawn of each.
//!
//! ```text
//! Subject, how long → Sampling, by which the caller makes the run → Film: frames, numbers of each
//!                                         → data that `scene.js` draws → one HTML file that plays them
//! ```
//!
//! *Invariant:* no file is read or written, and no run is made here: who films decides how one is interrupted.

mod data;
mod html;
mod thread;
mod window;

pub use data::{drawn, usual_scale};
pub use html::{Words, escaped, html};
pub use window::{CurveAt, HeightsAt, Range, Window};

use crate::drawing::{Drawing, Instant, Shape};
use crate::motion::{Frame, Observer, frames};
use eom_core::{Event, Sampling, SmoothFunction, System, Trajectory};
use std::borrow::Cow;
use std::ops;

/// Frames for each unit of time while a film plays as the motion goes.
const RATE: f64 = 60.0;

/// A shorter motion has more frames, a longer one is played faster.
const FRAMES: [f64; 2] = [240.0, 1200.0];

/// The most events that are shown from both sides.
const EVENTS_MAX: usize = 400;

/// How many frames a film has.
#[derive(Debug, Clone, Copy)]
pub enum Length {
    /// So many.
    Frames(usize),
    /// As many as play well, with no more numbers in all.
    Numbers(usize),
}

/// What is filmed.
#[derive(Clone, Copy)]
pub struct Subject<'s> {
    /// The system with its parameters.
    pub system: &'s dyn System,
    /// Its drawing.
    pub drawing: &'s Drawing,
    /// Functions in place of those of the declaration; those missing at the end are declared ones.
    pub functions: &'s [SmoothFunction],
    /// The inputs.
    pub inputs: &'s [f64],
    /// When the motion begins.
    pub start: f64,
    /// The unit of time, such as `s`; empty where none is known.
    pub time_unit: &'s str,
}

/// A motion with its frames.
pub struct Film<'s> {
    /// What is filmed.
    pub subject: Subject<'s>,
    /// The frames in the order of their times; two of one time are the sides of an event.
    pub frames: Cow<'s, [Frame]>,
    /// The run.
    pub trajectory: Cow<'s, Trajectory>,
    /// How many events are shown.
    shown: usize,
}

impl Length {
    /// How many frames there are between two times, and events that are shown from both sides.
    fn counts(self, subject: &Subject<'_>, span: f64) -> (f64, usize) {
        let info = subject.system.info();
        let drawn = subject.drawing.count();
        let numbers = info.positions() + info.speeds() + info.outputs.len() + 3 + drawn;
        match self {
            Self::Frames(count) => (count as f64, EVENTS_MAX),
            Self::Numbers(most) => {
                // A fifth is left to the events, each of which has two sides.
                let usual = (RATE * span).clamp(FRAMES[0], FRAMES[1]);
                let frames = usual.min((most * 4 / 5 / numbers).max(60) as f64);
                (frames, EVENTS_MAX.min(most / 10 / numbers))
            }
        }
    }
}

impl<'s> Film<'s> {
    /// A film up to an end, of the run that `run` makes with the sampling it is given.
    ///
    /// # Errors
    /// Those of `run`.
    pub fn new<E>(
        subject: Subject<'s>,
        end: f64,
        length: Length,
        run: impl FnOnce(Sampling) -> Result<Trajectory, E>,
    ) -> Result<Self, E> {
        let span = end - subject.start;
        let (count, shown) = length.counts(&subject, span);
        let sampling = if span > 0.0 { Sampling::Every(span / count) } else { Sampling::Ends };
        let trajectory = run(sampling)?;
        let frames = Cow::Owned(frames(&trajectory, shown));
        Ok(Self { subject, frames, trajectory: Cow::Owned(trajectory), shown })
    }

    /// A film of frames that are there, in the order of their times, all events among them.
    pub fn of(subject: Subject<'s>, frames: &'s [Frame], trajectory: &'s Trajectory) -> Self {
        let (frames, trajectory) = (Cow::Borrowed(frames), Cow::Borrowed(trajectory));
        Self { subject, frames, trajectory, shown: usize::MAX }
    }

    /// Where a frame is.
    pub fn at<'f>(&'f self, frame: &'f Frame) -> Instant<'f> {
        let Subject { system, functions, inputs, .. } = self.subject;
        Instant { system, functions, inputs, state: &frame.state, mode: &frame.mode }
    }

    /// The shapes, each with the places of its numbers among those of all.
    pub fn placed(&self) -> impl Iterator<Item = (ops::Range<usize>, &'s Shape)> + use<'s> {
        let mut first = 0;
        self.subject.drawing.shapes().iter().map(move |shape| {
            let own = first..first + shape.numbers.len();
            first = own.end;
            (own, shape)
        })
    }

    /// The numbers of all shapes, frame by frame.
    pub fn shapes(&self) -> Vec<Vec<f64>> {
        let Subject { system, drawing, functions, inputs, .. } = self.subject;
        let mut observer = Observer::new(system, inputs);
        let numbers = |Frame { state, mode }: &Frame| {
            let mut numbers = vec![f64::NAN; drawing.count()];
            drawing.along(&mut observer.see(state, mode), functions, &mut numbers);
            numbers
        };
        self.frames.iter().map(numbers).collect()
    }

    /// The events that are shown.
    pub fn events(&self) -> &[Event] {
        let events = &self.trajectory.events;
        &events[..events.len().min(self.shown)]
    }
}

impl std::fmt::Debug for Subject<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Subject")
            .field("system", &self.system.info().name)
            .field("inputs", &self.inputs)
            .field("start", &self.start)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Film<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Film")
            .field("subject", &self.subject)
            .field("frames", &self.frames.len())
            .field("shown", &self.shown)
            .finish_non_exhaustive()
    }
}
