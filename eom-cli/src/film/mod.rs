//! A motion that is looked at: its states at even times and on both sides of every event, and what is drawn of each.
//!
//! ```text
//! Request, its end → Film: frames, numbers of each → one HTML file that plays them, or pictures
//! ```

mod data;
mod html;
mod pen;
mod pictures;
mod thread;
mod window;

pub(crate) use html::{escaped, html};
pub(crate) use pictures::pictures;

use crate::run::drive::execute_quietly;
use crate::run::request::Request;
use eom_core::{Event, Sampling, Trajectory};
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
enum Length {
    /// So many.
    Frames(usize),
    /// As many as play well, with no more numbers in all.
    Numbers(usize),
}

/// A motion with its frames.
pub(crate) struct Film<'r> {
    request: &'r Request,
    drawing: Drawing,
    /// The frames in the order of their times; two of one time are the sides of an event.
    frames: Vec<Frame>,
    /// The run, sampled at even times; with its ledger where the page tells that.
    trajectory: Trajectory,
    /// How many events are shown.
    shown: usize,
}

impl<'r> Film<'r> {
    /// Makes a run once more, with frames up to its end.
    fn new(request: &'r Request, end: f64, length: Length) -> Result<Self, String> {
        let drawing = drawing(request)?;
        let span = end - request.start.t;
        let info = request.model.info;
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
        let mut options = request.sampled(sampling);
        // The page tells the ledger, pictures do not.
        options.ledger = matches!(length, Length::Numbers(_));
        let trajectory = execute_quietly(request, &options).map_err(|error| error.to_string())?;
        let frames = frames(&trajectory, shown);
        Ok(Self { request, drawing, frames, trajectory, shown })
    }

    /// Where a frame is.
    fn at<'f>(&'f self, frame: &'f Frame) -> Instant<'f> {
        instant(self.request, frame)
    }

    /// The shapes, each with the places of its numbers among those of all.
    fn placed(&self) -> impl Iterator<Item = (Range<usize>, &Shape)> {
        let mut first = 0;
        self.drawing.shapes().iter().map(move |shape| {
            let own = first..first + shape.numbers.len();
            first = own.end;
            (own, shape)
        })
    }

    /// The numbers of all shapes, frame by frame.
    fn shapes(&self) -> Vec<Vec<f64>> {
        let numbers = |frame: &Frame| {
            let mut numbers = vec![f64::NAN; self.drawing.count()];
            self.drawing.numbers(&self.at(frame), &mut numbers);
            numbers
        };
        self.frames.iter().map(numbers).collect()
    }

    /// The events that are shown.
    fn events(&self) -> &[Event] {
        let events = &self.trajectory.events;
        &events[..events.len().min(self.shown)]
    }
}

/// The drawing of a model.
pub(crate) fn drawing(request: &Request) -> Result<Drawing, String> {
    Drawing::new(request.model.info.source).map_err(|mistakes| {
        let texts: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        texts.join("\n")
    })
}

fn instant<'f>(request: &'f Request, frame: &'f Frame) -> Instant<'f> {
    let Request { system, functions, inputs, .. } = request;
    Instant { system: &**system, functions, inputs, state: &frame.state, mode: &frame.mode }
}
