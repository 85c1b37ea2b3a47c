//! The films of the command: its runs on the page of `eom_interpreter::film`, and as pictures.

mod gif;
mod palette;
mod pen;
mod pictures;

pub(crate) use gif::{gif, gif_count};
pub(crate) use pictures::{Pace, pictures, pictures_count, prepare};

use crate::run::drive::execute_quietly;
use crate::run::request::Request;
use eom_codegen::diagnostic::Diagnostic;
use eom_core::{Options, Trajectory};
use eom_interpreter::drawing::Drawing;
use eom_interpreter::film::{self, Film, Length, Subject, Words};

/// The page of a run that has ended at a time; `summary` is what the command says of it.
pub(crate) fn html(request: &Request, end: f64, summary: &str) -> Result<String, String> {
    let sections = request.model.derived(|derived| (derived.text)().sections());
    let sections = sections
        .map_err(|mistakes| mistakes.first().map(Diagnostic::to_string).unwrap_or_default())?;
    let words = Words { title: &request.model.title, account: summary, sections: &sections };
    let drawing = drawing(request)?;
    film::html(subject(request, &drawing), end, &words, |sampling| {
        made(request, &film::filmed(&request.options, sampling))
    })
}

/// The least number of frames, so that a path is smooth where pictures are few.
const SMOOTH: usize = 1200;

/// A film of which every so many frames are pictures, with so many of these up to an end.
fn filmed<'r>(
    request: &'r Request,
    drawing: &'r Drawing,
    end: f64,
    pictures: usize,
) -> Result<(Film<'r>, usize), String> {
    let stride = SMOOTH.div_ceil(pictures);
    let length = Length::Frames(pictures * stride);
    let film = Film::new(subject(request, drawing), end, length, |sampling| {
        made(request, &Options { ledger: false, ..request.sampled(sampling) })
    })?;
    Ok((film, stride))
}

/// The drawing of a model.
fn drawing(request: &Request) -> Result<Drawing, String> {
    Drawing::new(request.model.info.source).map_err(|mistakes| {
        let texts: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        texts.join("\n")
    })
}

fn subject<'r>(request: &'r Request, drawing: &'r Drawing) -> Subject<'r> {
    let Request { model, system, functions, inputs, start, .. } = request;
    let time_unit = model.scene(&**system).time_unit;
    Subject { system: &**system, drawing, functions, inputs, start: start.t, time_unit }
}

fn made(request: &Request, options: &Options) -> Result<Trajectory, String> {
    execute_quietly(request, options).map_err(|error| error.to_string())
}
