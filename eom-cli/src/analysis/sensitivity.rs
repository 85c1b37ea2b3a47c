//! How the end of a motion changes with its start, its inputs and its parameters.

use crate::analysis::shown::{matrix, pretty, rows, state_json, state_text};
use crate::analysis::tabbed;
use crate::cli::{AnalyseArguments, AnalyseFormat};
use crate::error::{Failure, Outcome};
use crate::eval::state::speed_keys;
use crate::names::speeds;
use crate::run::plan::Plan;
use crate::run::request::Request;
use crate::shell;
use eom_analysis::{Transition, Variations};
use eom_core::info::SystemInfo;
use eom_core::nalgebra::DMatrix;
use serde_json::json;
use std::fmt::Write as _;

/// Prints the derivatives of the state at a time.
pub(crate) fn print(plan: &Plan, arguments: &AnalyseArguments) -> Result<Outcome, Failure> {
    if !plan.axes.is_empty() {
        return Err(Failure::refused("--sweep is not of `sensitivity`"));
    }
    let request = plan.request(0).map_err(|complaint| Failure::Refused(complaint.text()))?;
    let found = Sensitivity::new(&request).map_err(Failure::Refused)?;
    let shown = match arguments.format {
        AnalyseFormat::Text => found.text(),
        AnalyseFormat::Json => found.json(),
        AnalyseFormat::Tsv => found.tsv(),
    };
    shell::print_line(shown.trim_end())?;
    Ok(Outcome::Done)
}

struct Sensitivity<'r> {
    request: &'r Request,
    info: &'static SystemInfo,
    end: Transition,
    /// Inputs, then parameters.
    names: Vec<&'static str>,
    by_names: DMatrix<f64>,
}

impl<'r> Sensitivity<'r> {
    fn new(request: &'r Request) -> Result<Self, String> {
        let info = request.model.info;
        let Request { system, start, inputs, options, .. } = request;
        let mut options = options.clone();
        let t = options.until_time.ok_or("the motion has no end in time: give --until T")?;
        options.until_impacts = None;
        options.until_events = None;
        let names = info.inputs.iter().map(|input| input.name);
        let names: Vec<&str> =
            names.chain(info.parameters.iter().map(|known| known.name)).collect();
        let variations = Variations::new(&**system).map_err(|error| error.to_string())?;
        let end = variations.transition(start, inputs, &options, t);
        let end = end.map_err(|error| error.to_string())?;
        let by_names = variations.sensitivities(start, inputs, &options, t, &names);
        let by_names = by_names.map_err(|error| error.to_string())?.matrix;
        Ok(Self { request, info, end, names, by_names })
    }

    /// The names of (q, v).
    fn entries(&self) -> Vec<String> {
        let positions = (0..self.info.positions()).map(|i| self.info.position_name(i));
        positions.chain(speeds(self.info)).collect()
    }

    fn text(&self) -> String {
        let entries = self.entries();
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        let state = state_text(&self.end.state, &self.request.inputs, self.info);
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = writeln!(text, "state        t = {}, {state}", self.end.state.t);
        let _ = writeln!(text, "events       {}", self.end.events.len());
        matrix(&mut text, "by the start", (&self.end.matrix, &entries, &entries));
        let what = "by inputs and parameters";
        matrix(&mut text, what, (&self.by_names, &entries, &self.names));
        text
    }

    fn json(&self) -> String {
        pretty(&json!({
            "state": state_json(&self.end.state, speed_keys(self.info), self.info),
            "events": self.end.events.len(),
            "entries": self.entries(),
            "by_start": rows(&self.end.matrix),
            "names": self.names,
            "by_names": rows(&self.by_names),
        }))
    }

    /// A row an entry of the end: its value, its derivatives.
    fn tsv(&self) -> String {
        let entries = self.entries();
        let columns = ["entry", "value"].map(str::to_owned).into_iter();
        let columns = columns.chain(entries.iter().map(|name| format!("d/d{name}")));
        let columns = columns.chain(self.names.iter().map(|name| format!("d/d{name}")));
        let mut lines = vec![columns.collect::<Vec<_>>().join("\t")];
        let values = self.end.state.q.iter().chain(&self.end.state.v);
        for (index, (name, value)) in entries.iter().zip(values).enumerate() {
            let by_start = self.end.matrix.row(index);
            let by_names = self.by_names.row(index);
            let numbers = by_start.iter().chain(by_names.iter()).copied();
            lines.push(format!("{name}\t{}", tabbed(std::iter::once(*value).chain(numbers))));
        }
        lines.join("\n")
    }
}
