//! Conserved quantities along a run: what each is at the start, and its drift.
//!
//! ```text
//! drift = c(end) − c(start) − Σ (c⁺ − c⁻)          over impacts and events, at which it may change
//! ```

use crate::error::Failure;
use crate::run::drive::Come;
use crate::run::request::Request;
use eom_codegen::diagnostic::Diagnostic;
use eom_core::{Conserved, Event, Mode, State};
use eom_interpreter::conserved::Found;
use eom_interpreter::drawing::{Instant, Numbers};
use std::fmt::Write as _;
use std::sync::Arc;

/// The conserved quantities of a run, looked at as it goes.
pub(crate) struct Kept<'r> {
    request: &'r Request,
    names: Vec<String>,
    numbers: Numbers,
    first: Option<Vec<f64>>,
    last: Option<State>,
    jumps: Vec<f64>,
    before: Option<Event>,
}

impl<'r> Kept<'r> {
    /// Looks for the quantities of a model; they are proven as claims are.
    pub(crate) fn new(request: &'r Request) -> Result<Self, Failure> {
        let found = request.model.derived(|derived| {
            let found = Found::of(derived.model, derived.equations);
            (found.names().to_vec(), found.numbers())
        });
        let (names, numbers) = found.map_err(|errors| Failure::Refused(told(&errors)))?;
        let jumps = vec![0.0; names.len()];
        Ok(Self { request, names, numbers, first: None, last: None, jumps, before: None })
    }

    fn values(&self, state: &State) -> Vec<f64> {
        let Request { system, functions, inputs, .. } = self.request;
        let mode = Mode::default();
        let mut values = vec![f64::NAN; self.names.len()];
        let at = Instant { system: &**system, functions, inputs, state, mode: &mode };
        self.numbers.values(&at, &mut values);
        values
    }

    /// Takes note of what has come.
    pub(crate) fn take(&mut self, come: &Come) {
        if self.first.is_none() {
            self.first = come.samples.first().map(|state| self.values(state));
        }
        if let Some(last) = come.samples.last() {
            self.last = Some(last.clone());
        }
        for event in &come.events {
            // Contacts that close at one instant have an event each, and one jump together.
            let is_same = |before: &Event| before.t == event.t && before.sides() == event.sides();
            if self.before.as_ref().is_some_and(is_same) {
                continue;
            }
            let [minus, plus] = event.sides().map(|(q, v)| self.values(&State::new(event.t, q, v)));
            for (jump, (plus, minus)) in self.jumps.iter_mut().zip(plus.iter().zip(&minus)) {
                *jump += plus - minus;
            }
            self.before = Some(event.clone());
        }
    }

    /// A line a quantity.
    pub(crate) fn lines(&self) -> String {
        let mut text = String::new();
        let (Some(first), Some(last)) = (&self.first, &self.last) else { return text };
        let last = self.values(last);
        for (index, name) in self.names.iter().enumerate() {
            let (start, jump) = (first[index], self.jumps[index]);
            let drift = last[index] - start - jump;
            let label = if index == 0 { "conserved" } else { "" };
            let jumps = match &self.before {
                Some(_) => format!(", {jump:.1e} at impacts and events"),
                None => String::new(),
            };
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "{label:13}{name}: {start:.9e} at the start, {drift:.1e} along the motion{jumps}"
            );
        }
        if self.names.is_empty() {
            let _ =
                writeln!(text, "{:13}none of energy, momenta and their sums stays", "conserved");
        }
        if self.request.inputs.iter().any(|input| *input != 0.0) {
            let _ = writeln!(text, "{:13}with inputs at 0, which they are not", "");
        }
        text
    }
}

/// The quantities of these names, for a run to keep.
pub(crate) fn kept(request: &Request, asked: &[String]) -> Result<Arc<dyn Conserved>, Failure> {
    let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
    let tape = request.model.derivation(|derivation| {
        let found = Found::of(&derivation.model, &derivation.equations);
        found.kept(&derivation.programs, &asked, (&*request.system, &request.functions))
    });
    let tape = tape.map_err(|errors| Failure::Refused(told(&errors)))?;
    Ok(Arc::new(tape.map_err(Failure::Refused)?))
}

fn told(errors: &[Diagnostic]) -> String {
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    texts.join("\n")
}
