//! A film: a run of a subject, seen at even times and on both sides of its events.

use eom_core::{Event, Options, Sampling, SmoothFunction, StartError, State, System, Trajectory};
use eom_interpreter::drawing::{Drawing, Instant, Shape};
use eom_interpreter::motion::{Frame, frames};
use std::ops::Range;

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

/// What is filmed: a run of a system.
#[derive(Clone, Copy)]
pub struct Subject<'s> {
    /// The system with its parameters.
    pub system: &'s dyn System,
    /// Functions in place of those of the declaration.
    pub functions: &'s [SmoothFunction],
    /// The start.
    pub start: &'s State,
    /// The inputs.
    pub inputs: &'s [f64],
    /// The options, without the sampling.
    pub options: &'s Options,
    /// The unit of time, where there is one.
    pub time_unit: &'s str,
}

impl std::fmt::Debug for Subject<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Subject")
            .field("system", &self.system.info().name)
            .field("start", &self.start)
            .field("inputs", &self.inputs)
            .finish_non_exhaustive()
    }
}

/// Makes the run of a subject with other options of what is kept.
pub type Make<'m> = &'m dyn Fn(&Options) -> Result<Trajectory, StartError>;

/// A motion with its frames.
#[derive(Debug)]
pub struct Film<'s> {
    pub(crate) subject: Subject<'s>,
    /// What is drawn.
    pub drawing: Drawing,
    /// The frames in the order of their times; two of one time are the sides of an event.
    pub frames: Vec<Frame>,
    /// The run, sampled at even times; with its ledger where the page tells that.
    pub trajectory: Trajectory,
    /// How many events are shown.
    shown: usize,
}

impl<'s> Film<'s> {
    /// Makes a run once more, with frames up to its end.
    ///
    /// # Errors
    /// The words of what is wrong with the drawing or the start.
    pub fn new(
        subject: Subject<'s>,
        end: f64,
        length: Length,
        make: Make<'_>,
    ) -> Result<Self, String> {
        let drawing = drawing(subject.system)?;
        let span = end - subject.start.t;
        let info = subject.system.info();
        let numbers = info.positions() + info.speeds() + info.outputs.len() + 3 + drawing.count();
        let (count, shown) = match length {
            Length::Frames(count) => (count as f64, EVENTS_MAX),
            Length::Numbers(most) => {
                // A fifth is left to the events, each of which has two sides.
                let usual = (RATE * span).clamp(FRAMES[0], FRAMES[1]);
                let frames = usual.min((most * 4 / 5 / numbers).max(60) as f64);
                (frames, EVENTS_MAX.min(most / 10 / numbers))
            }
        };
        let sampling = if span > 0.0 { Sampling::Every(span / count) } else { Sampling::Ends };
        let mut options = Options { sampling, ..subject.options.clone() };
        // The page tells the ledger, pictures do not.
        options.ledger = matches!(length, Length::Numbers(_));
        let trajectory = make(&options).map_err(|error| error.to_string())?;
        let frames = frames(&trajectory, shown);
        Ok(Self { subject, drawing, frames, trajectory, shown })
    }

    /// Where a frame is.
    pub fn at<'f>(&'f self, frame: &'f Frame) -> Instant<'f> {
        let Subject { system, functions, inputs, .. } = self.subject;
        Instant { system, functions, inputs, state: &frame.state, mode: &frame.mode }
    }

    /// The shapes, each with the places of its numbers among those of all.
    pub fn placed(&self) -> impl Iterator<Item = (Range<usize>, &Shape)> {
        let mut first = 0;
        self.drawing.shapes().iter().map(move |shape| {
            let own = first..first + shape.numbers.len();
            first = own.end;
            (own, shape)
        })
    }

    /// The numbers of all shapes, frame by frame.
    pub fn shapes(&self) -> Vec<Vec<f64>> {
        let numbers = |frame: &Frame| {
            let mut numbers = vec![f64::NAN; self.drawing.count()];
            self.drawing.numbers(&self.at(frame), &mut numbers);
            numbers
        };
        self.frames.iter().map(numbers).collect()
    }

    /// The events that are shown.
    pub(crate) fn events(&self) -> &[Event] {
        let events = &self.trajectory.events;
        &events[..events.len().min(self.shown)]
    }
}

/// The drawing of a system: that of its declaration, else a usual one.
///
/// # Errors
/// What is wrong with the declaration, in words.
pub fn drawing(system: &dyn System) -> Result<Drawing, String> {
    Drawing::new(system.info().source).map_err(|mistakes| {
        let texts: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        texts.join("\n")
    })
}
