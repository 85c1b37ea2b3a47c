//! What is filmed of a run of the command: the page, which is that of `eom-film`, and pictures of the same frames.

mod pen;
mod pictures;

pub(crate) use pictures::pictures;

use crate::run::drive::execute_quietly;
use crate::run::request::Request;
use eom_codegen::diagnostic::Diagnostic;
use eom_core::{Options, StartError, Trajectory};
use eom_film::{Page, Subject};

/// The page of a run that has ended at a time; `summary` is what the command says of it.
pub(crate) fn html(request: &Request, end: f64, summary: &str) -> Result<String, String> {
    let sections = request.model.derived(|derived| derived.text.clone().sections());
    let sections = sections
        .map_err(|mistakes| mistakes.first().map(Diagnostic::to_string).unwrap_or_default())?;
    let page = Page { title: &request.model.title, summary, sections: &sections };
    eom_film::html(subject(request), end, &page, &|options| make(request, options))
}

fn subject(request: &Request) -> Subject<'_> {
    let Request { model, system, functions, start, inputs, options, .. } = request;
    let time_unit = model.scene(&**system).time_unit;
    Subject { system: &**system, functions, start, inputs, options, time_unit }
}

fn make(request: &Request, options: &Options) -> Result<Trajectory, StartError> {
    execute_quietly(request, options)
}
