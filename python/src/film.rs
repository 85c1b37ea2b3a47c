//! A run as a page that plays it.

use crate::drive::{Looks, begin, observed};
use crate::fault::{guarded, value_error};
use crate::trajectory::Trajectory;
use eom_core::{Options, Progress};
use eom_interpreter::drawing::Drawing;
use eom_interpreter::film::{Subject, Words, filmed, html};
use eom_interpreter::request::Request;
use pyo3::prelude::*;
use std::cell::RefCell;
use std::ops::ControlFlow;

#[pymethods]
impl Trajectory {
    /// One page of HTML that plays the run without a network; the words are told in it.
    fn _page(&self, py: Python<'_>, summary: &str) -> PyResult<String> {
        let (system, Request { start, inputs, options, .. }) = (&self.inner, &self.request);
        let begin = |options: &Options| begin(system, &self.request, options, &self.kept);
        let (end, cut) = (self.made.end.t(), self.cut());
        let sections = guarded(|| system.derivation().text().sections())?;
        let words = Words { title: self.info().name, account: summary, sections: &sections };
        let drawing = Drawing::new(self.info().source).map_err(|mistakes| {
            let texts: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
            value_error(texts.join("\n"))
        })?;
        let (functions, time_unit) = (system.functions(), "");
        let subject =
            Subject { system, drawing: &drawing, functions, inputs, start: start.t, time_unit };
        let made = py.detach(|| {
            guarded(|| {
                let (looks, stop) = (RefCell::new(Looks::new()), RefCell::new(None));
                let see = |progress: &Progress<'_>| {
                    let asked = looks.borrow_mut().look();
                    if asked.is_none() && progress.t < cut {
                        return ControlFlow::Continue(());
                    }
                    *stop.borrow_mut() = asked;
                    ControlFlow::Break(())
                };
                let page = html(subject, end, &words, |sampling| {
                    let run =
                        begin(&filmed(options, sampling)).map_err(|error| error.to_string())?;
                    Ok::<_, String>(observed(run, see))
                });
                stop.into_inner().map_or(Ok(page), Err)
            })
        });
        made??.map_err(value_error)
    }
}
