//! Where runs are at their last returns to a section: `eom analyse bifurcation`, of numbers of the motion by name.

use crate::drive::Looks;
use crate::fault::{guarded, unknown_name, value_error};
use crate::number::Number;
use crate::request::{Asked, is_number, settings};
use crate::system::System;
use eom_analysis::{Section, Visit, repeats_after};
use eom_core::{Options, Progress, State, Trajectory, simulate};
use eom_interpreter::Interpreted;
use eom_interpreter::motion::Observer;
use eom_interpreter::names::{Guard, Target, guard};
use eom_interpreter::request::{Refusal, Request, Settings, build, request};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::ControlFlow;

/// Of a value after how many returns they repeat, the numbers of each, why there are none, whether the run goes on from the one
/// before.
type Row = (Option<usize>, Vec<Vec<f64>>, Option<String>, bool);

/// A run from which another goes on, sampled for its section.
type Before = (Trajectory, Section);

/// What is asked of each value.
struct Question<'a> {
    system: &'a Interpreted,
    settings: &'a Settings,
    from: Option<usize>,
    options: &'a Options,
    target: Target,
    /// Numbers, each before what happens at a return or after it.
    of: &'a [(Number, bool)],
    last: usize,
    carries: bool,
}

/// The runs of the values in their order, each from the one before where that is asked. The section is a contact or event by its
/// name, or a period for each value; of these so many are a return.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "called in one place, by the package itself")]
pub(crate) fn bifurcation(
    py: Python<'_>,
    system: &Bound<'_, System>,
    values: &Bound<'_, PyDict>,
    asked: &Bound<'_, PyDict>,
    swept: (String, Vec<f64>),
    section: (Option<String>, Vec<f64>, usize),
    of: Vec<String>,
    how: (usize, bool),
) -> PyResult<Vec<Row>> {
    let (last, carries) = how;
    let (own, asked) = (system.get(), Asked::new(asked)?);
    let info = own.info();
    let (inner, settings) = settings(py, own, values, &asked)?;
    let (name, swept) = swept;
    let target = Target::find(&name, info).map_err(|said| unknown_name(py, said))?;
    is_number(&name, target)?;
    let read = |text: &String| {
        let (plain, after) = match (text.strip_suffix('+'), text.strip_suffix('-')) {
            (Some(plain), _) => (plain, true),
            (_, Some(plain)) => (plain, false),
            _ => (text.as_str(), false),
        };
        Number::read(py, plain, info).map(|number| (number, after))
    };
    let of: Vec<(Number, bool)> = of.iter().map(read).collect::<PyResult<_>>()?;
    let (section, periods, count) = section;
    let sections: Vec<Section> = match section {
        Some(name) => {
            let found = guard(&name, info).map_err(|said| unknown_name(py, said))?;
            let section = match found {
                Guard::Contact(contact) => Section::Impacts { contact, count },
                Guard::Event(event) => Section::Events { event, count },
            };
            vec![section; swept.len()]
        }
        None => periods.iter().map(|period| Section::Period(period * count as f64)).collect(),
    };
    let (options, from) = (asked.options(py, info)?, asked.scenario(py, info)?);
    // A scenario has an end.
    if !options.has_end() && from.is_none() {
        return Err(value_error("nothing ends the runs: give until=<time>"));
    }
    let (system, settings, options, of) = (&inner, &settings, &options, &of[..]);
    let question = Question { system, settings, from, options, target, of, last, carries };
    py.detach(|| guarded(|| question.rows(&swept, &sections)))?
}

impl Question<'_> {
    fn rows(&self, swept: &[f64], sections: &[Section]) -> PyResult<Vec<Row>> {
        let mut looks = (Looks::new(), None);
        let (mut rows, mut before) = (Vec::with_capacity(swept.len()), None);
        for (value, section) in swept.iter().zip(sections) {
            let made = self.run(*value, *section, before.take(), &mut looks);
            if let Some(stop) = looks.1 {
                return Err(stop);
            }
            let mut goes_on = false;
            let row =
                made.map_err(|refusal| refusal.text()).and_then(|(returns, made, follows)| {
                    goes_on = follows;
                    before = self.carries.then_some((made, *section));
                    returns
                });
            rows.push(match row {
                Ok(returns) => (repeats_after(&returns), returns, None, goes_on),
                Err(reason) => (None, Vec::new(), Some(reason), goes_on),
            });
        }
        Ok(rows)
    }

    /// The returns of a run, or why there are none where it ended early; whether it goes on from the one before.
    #[expect(clippy::type_complexity, reason = "a run and what is told of it")]
    fn run(
        &self,
        value: f64,
        section: Section,
        before: Option<Before>,
        (looks, stop): &mut (Looks, Option<PyErr>),
    ) -> Result<(Result<Vec<Vec<f64>>, String>, Trajectory, bool), Refusal> {
        let mut settings = self.settings.clone();
        let is_parameter = settings.set(self.target, value);
        let built = is_parameter.then(|| build(self.system, &settings.given)).transpose()?;
        let system = built.as_ref().unwrap_or(self.system);
        let Request { start: given, inputs, options, .. } =
            request(system, self.from, &settings, self.options, true)?;
        let options = Options { sampling: section.sampling(self.carries), ..options };
        let long = options.until_time.map(|end| end - given.t);
        let mut observer = |_: &Progress<'_>| {
            if stop.is_none() {
                *stop = looks.look();
            }
            if stop.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut run = |start: &State| {
            let until_time = long.map(|long| start.t + long);
            let options = Options { until_time, ..options.clone() };
            simulate(system, start, &inputs, &options, &mut observer)
        };
        // The section of the one before may have another period.
        let followed =
            before.and_then(|(made, section)| section.carried(&made, |state| run(&state).ok()));
        let goes_on = followed.is_some();
        let made = followed.map_or_else(|| run(&given), Ok).map_err(Refusal::Start)?;
        let numbers = |visit: &Visit<'_>| {
            let value = |(number, after): &(Number, bool)| {
                let side = &visit.sides[usize::from(*after)];
                let mut observer = Observer::new(system, &inputs);
                number.value(system, &mut observer.see(&side.state, &side.mode))
            };
            self.of.iter().map(value).collect()
        };
        let returns = if made.end.is_complete() {
            Ok(section.visits(&made, self.last).iter().map(numbers).collect())
        } else {
            Err(made.end.to_string())
        };
        Ok((returns, made, goes_on))
    }
}
