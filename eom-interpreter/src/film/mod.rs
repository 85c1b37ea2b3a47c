//! A motion that is looked at: its states at times and on both sides of every event, and what is drawn of each.
//!
//! ```text
//! Subject, how long → Sampling, by which the caller makes the run → Film: frames, numbers of each
//!                                         → data that `scene.js` draws → one HTML file that plays them
//! ```
//!
//! *Invariant:* no file is read or written, and no run is made here: who films decides how one is interrupted.

pub(crate) mod between;
mod data;
mod html;
mod thread;
mod window;

pub use data::{drawn, usual_scale};
pub use html::{Words, escaped, html};
pub use window::{CurveAt, HeightsAt, Range, Window};

use crate::drawing::{Drawing, Instant, Shape};
use crate::motion::{Frame, Observer, frames};
use between::Cut;
use eom_core::{Event, Method, Options, Sampling, SmoothFunction, System, Trajectory};
use std::borrow::Cow;
use std::ops;
use std::sync::Arc;

/// Frames for each unit of time while a film plays as the motion goes.
const RATE: f64 = 60.0;

/// A shorter motion has more frames, a longer one is played faster.
const FRAMES: [f64; 2] = [240.0, 1200.0];

/// So many times as many frames a motion has at most that turns fast.
const MORE: usize = 16;

/// The most events that are shown from both sides.
const EVENTS_MAX: usize = 400;

/// How many frames a film has.
#[derive(Debug, Clone, Copy)]
pub enum Length {
    /// So many.
    Frames(usize),
    /// As many as play well and follow the motion, with no more numbers in all.
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
    /// The times of frames of which those that are needed are played, and of how many even ones one is; empty where all
    /// are played.
    asked: (Arc<[f64]>, usize),
    /// The run.
    pub trajectory: Cow<'s, Trajectory>,
    /// How many events are shown.
    shown: usize,
}

/// The options of the run that a page of a film is made of: with a ledger, which time stepping does not keep.
#[must_use]
pub fn filmed(options: &Options, sampling: Sampling) -> Options {
    Options { ledger: options.method != Method::Moreau, sampling, ..options.clone() }
}

impl Length {
    /// How many frames there are at least between two times, how many times as many at most, and how many events are shown
    /// from both sides.
    fn counts(self, subject: &Subject<'_>, span: f64) -> (usize, usize, usize) {
        let info = subject.system.info();
        let drawn = subject.drawing.count();
        let numbers = info.positions() + info.speeds() + info.outputs.len() + 3 + drawn;
        match self {
            Self::Frames(count) => (count, 1, EVENTS_MAX),
            Self::Numbers(most) => {
                // A fifth is left to the events, each of which has two sides.
                let room = (most * 4 / 5 / numbers).max(60);
                let usual = (RATE * span).clamp(FRAMES[0], FRAMES[1]).ceil() as i64;
                let usual = usize::try_from(usual).map_or(room, |usual| usual.min(room));
                let more = 1 << (room / usual).min(MORE).ilog2();
                (usual, more, EVENTS_MAX.min(most / 10 / numbers))
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
        let (count, more, shown) = length.counts(&subject, span);
        let mut asked = (Arc::default(), more);
        let sampling = match length {
            _ if span <= 0.0 => Sampling::Ends,
            Length::Frames(_) => Sampling::Every(span / count as f64),
            Length::Numbers(_) => {
                asked.0 = between::times(subject.start, end, count * more);
                Sampling::At(Arc::clone(&asked.0))
            }
        };
        let trajectory = run(sampling)?;
        let frames = Cow::Owned(frames(&trajectory, shown));
        Ok(Self { subject, frames, asked, trajectory: Cow::Owned(trajectory), shown })
    }

    /// A film of frames that are there, in the order of their times, all events among them.
    pub fn of(subject: Subject<'s>, frames: &'s [Frame], trajectory: &'s Trajectory) -> Self {
        let (frames, trajectory) = (Cow::Borrowed(frames), Cow::Borrowed(trajectory));
        Self { subject, frames, asked: (Arc::default(), 1), trajectory, shown: usize::MAX }
    }

    /// Which frames are played, by numbers of each.
    fn cut(&self, numbers: &[Vec<f64>]) -> Cut {
        let (asked, more) = &self.asked;
        if asked.is_empty() {
            let kept = (0..self.frames.len()).collect();
            return Cut { kept, off: vec![0.0; numbers.len()], ..Cut::default() };
        }
        let at: Vec<f64> = self.frames.iter().map(|frame| frame.state.t).collect();
        Cut::new(&at, asked, numbers, *more)
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
