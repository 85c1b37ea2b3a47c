//! A run as a page that plays it.

use crate::drive::Looks;
use crate::fault::{guarded, value_error};
use crate::trajectory::Trajectory;
use eom_core::{Options, Progress, simulate};
use eom_film::{Page, Subject, html};
use eom_interpreter::request::Request;
use pyo3::prelude::*;
use std::cell::RefCell;
use std::ops::ControlFlow;

#[pymethods]
impl Trajectory {
    /// One page of HTML that plays the run without a network; the words are told in it.
    fn _page(&self, py: Python<'_>, summary: &str) -> PyResult<String> {
        let (system, Request { start, inputs, options }) = (&self.inner, &self.request);
        let (end, cut) = (self.made.end.t(), self.cut());
        let sections = system.derivation().text.clone().sections();
        let page = Page { title: self.info().name, summary, sections: &sections };
        let functions = system.functions();
        let subject = Subject { system, functions, start, inputs, options, time_unit: "" };
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
                let make =
                    |options: &Options| simulate(system, start, inputs, options, &mut |p| see(p));
                let page = html(subject, end, &page, &make);
                stop.into_inner().map_or(Ok(page), Err)
            })
        });
        made??.map_err(value_error)
    }
}
