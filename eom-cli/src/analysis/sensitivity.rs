//! How the end of a motion, or numbers of it, change with its start, its inputs and its parameters.

use crate::analysis::shown::{matrix, pretty, rows, significant, state_json, state_text};
use crate::analysis::tabbed;
use crate::cli::{AnalyseArguments, AnalyseFormat};
use crate::error::{Failure, Outcome};
use crate::eval::state::speed_keys;
use crate::names::{speeds, speeds_ascii};
use crate::numbers::Function;
use crate::run::plan::Plan;
use crate::run::request::Request;
use crate::shell;
use eom_analysis::Variations;
use eom_core::State;
use eom_core::info::SystemInfo;
use eom_core::nalgebra::{DMatrix, DVector};
use serde_json::json;
use std::fmt::Write as _;

/// An expression is a weighted sum where it is one at such places, to rounding.
const PLACES: [f64; 2] = [0.618_033_988_749_894_9, -1.324_717_957_244_746];
const ROUNDING: f64 = 1e-12;

/// Prints the derivatives of the state at the end.
pub(crate) fn print(plan: &Plan, arguments: &AnalyseArguments) -> Result<Outcome, Failure> {
    if !plan.axes.is_empty() {
        return Err(Failure::refused("--sweep is not of `sensitivity`"));
    }
    let request = plan.request(0).map_err(|complaint| Failure::Refused(complaint.text()))?;
    if !request.options.has_end() {
        return Err(Failure::refused("nothing ends the motion: give --until T"));
    }
    let found = match &arguments.of[..] {
        [] => Sensitivity::of_state(&request),
        of => Sensitivity::of_numbers(&request, of),
    };
    let found = found.map_err(Failure::Refused)?;
    let shown = match arguments.format {
        AnalyseFormat::Text => found.text(),
        AnalyseFormat::Json => found.json(),
        AnalyseFormat::Tsv => found.tsv(),
    };
    // The last cell of a row may be empty.
    shell::print_line(shown.trim_end_matches('\n'))?;
    Ok(Outcome::Done)
}

struct Sensitivity<'r> {
    request: &'r Request,
    info: &'static SystemInfo,
    state: State,
    /// How many events there were.
    events: usize,
    /// Whether an event ends the motion: then its time is the first of what changes.
    is_timed: bool,
    /// What begins to slide at the start.
    one_sided: Vec<&'static str>,
    /// Whether it is of numbers that were asked for.
    is_of: bool,
    /// What changes, and its values: the entries of the end, or numbers of it.
    changing: Vec<String>,
    values: Vec<f64>,
    by_start: DMatrix<f64>,
    /// Inputs, then parameters.
    names: Vec<&'static str>,
    by_names: DMatrix<f64>,
    /// Those of the names by which there is no derivative, whose columns hold no numbers, with the reason.
    without: Vec<(&'static str, String)>,
}

impl<'r> Sensitivity<'r> {
    /// That of all entries of the end, forwards.
    fn of_state(request: &'r Request) -> Result<Self, String> {
        let info = request.model.info;
        let Request { start, inputs, options, .. } = request;
        let names = others(info);
        let variations = begun(request)?;
        let ended = variations.transition_to_end(start, inputs, options);
        let ended = ended.map_err(|error| error.to_string())?;
        let (by_start, is_timed) = (ended.derivatives(), ended.later.is_some());
        let (by_names, without) = by_each(&variations, request, by_start.nrows(), &names)?;
        let end = ended.transition;
        let time = is_timed.then(|| ("t".to_owned(), end.state.t));
        let state = end.state.q.iter().chain(&end.state.v).copied();
        let (changing, values) =
            time.into_iter().chain(entries(info).into_iter().zip(state)).unzip();
        Ok(Self {
            request,
            info,
            values,
            state: end.state,
            events: end.events.len(),
            is_timed,
            one_sided: end.one_sided,
            is_of: false,
            changing,
            by_start,
            names,
            by_names,
            without,
        })
    }

    /// That of numbers of the end, each by one sweep backwards.
    fn of_numbers(request: &'r Request, of: &[String]) -> Result<Self, String> {
        let info = request.model.info;
        let Request { start, inputs, options, .. } = request;
        let all: Result<Vec<DVector<f64>>, String> =
            of.iter().map(|text| weights(text, info)).collect();
        let all = all?;
        let Some(t) = request.options.end_in_time() else {
            return Ok(Self::of_state(request)?.weighted(of, &all));
        };
        let names = others(info);
        let variations = begun(request)?;
        let (count, width) = (entries(info).len(), names.len());
        let mut found = Self {
            request,
            info,
            state: start.clone(),
            events: 0,
            is_timed: false,
            one_sided: Vec::new(),
            is_of: true,
            changing: of.iter().map(|text| text.trim().to_owned()).collect(),
            values: Vec::new(),
            by_start: DMatrix::zeros(of.len(), count),
            names,
            by_names: DMatrix::zeros(of.len(), width),
            without: Vec::new(),
        };
        for (row, weights) in all.iter().enumerate() {
            let Ok(gradient) = variations.gradient(start, inputs, options, t, weights) else {
                return Ok(Self::of_state(request)?.weighted(of, &all));
            };
            let end = gradient.state.q.iter().chain(&gradient.state.v);
            found.values.push(weights.iter().zip(end).map(|(weight, entry)| weight * entry).sum());
            found.by_start.row_mut(row).copy_from(&gradient.by_start.transpose());
            let by_names = gradient.by_inputs.iter().chain(gradient.by_parameters.iter());
            found.by_names.row_mut(row).iter_mut().zip(by_names).for_each(|(to, by)| *to = *by);
            (found.state, found.events) = (gradient.state, gradient.events.len());
            found.one_sided = gradient.one_sided;
        }
        Ok(found)
    }

    /// That of sums of entries of the end.
    fn weighted(self, of: &[String], all: &[DVector<f64>]) -> Self {
        let (width, first) = (self.values.len(), usize::from(self.is_timed));
        let weights = DMatrix::from_fn(all.len(), width, |row, place| {
            place.checked_sub(first).map_or(0.0, |place| all[row][place])
        });
        let values = (&weights * DVector::from_column_slice(&self.values)).as_slice().to_vec();
        let changing = of.iter().map(|text| text.trim().to_owned()).collect();
        let (by_start, by_names) = (&weights * &self.by_start, &weights * &self.by_names);
        Self { is_of: true, changing, values, by_start, by_names, ..self }
    }

    /// What is said of the names by which there is no derivative, a line for each reason.
    fn text_without(&self) -> String {
        let mut lines: Vec<(&str, Vec<&str>)> = Vec::new();
        for (name, why) in &self.without {
            match lines.iter_mut().find(|(other, _)| other == why) {
                Some((_, names)) => names.push(name),
                None => lines.push((why, vec![name])),
            }
        }
        let line = |(why, names): &(&str, Vec<&str>)| {
            format!("none         by {}: {why}\n", names.join(", "))
        };
        lines.iter().map(line).collect()
    }

    fn text(&self) -> String {
        let entries = entries(self.info);
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        let changing: Vec<&str> = self.changing.iter().map(String::as_str).collect();
        let state = state_text(&self.state, &self.request.inputs, self.info);
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = writeln!(text, "state        t = {}, {state}", self.state.t);
        let _ = writeln!(text, "events       {}", self.events);
        if !self.one_sided.is_empty() {
            let names = self.one_sided.join(", ");
            let what = "begins to slide: by the start it is of the side to which it does";
            let _ = writeln!(text, "one side     {names} {what}");
        }
        text.push_str(&self.text_without());
        if self.is_of {
            for (index, (name, value)) in changing.iter().zip(&self.values).enumerate() {
                let label = if index == 0 { "of" } else { "" };
                let _ = writeln!(text, "{label:<13}{name} = {}", significant(*value, value.abs()));
            }
        }
        matrix(&mut text, "by the start", (&self.by_start, &changing, &entries));
        let what = "by inputs and parameters";
        matrix(&mut text, what, (&self.by_names, &changing, &self.names));
        text
    }

    fn json(&self) -> String {
        let first = usize::from(self.is_timed && !self.is_of);
        let state =
            |matrix: &DMatrix<f64>| rows(&matrix.rows(first, matrix.nrows() - first).into());
        let mut all = json!({
            "state": state_json(&self.state, speed_keys(self.info), self.info),
            "events": self.events,
            "one_sided": self.one_sided,
            "entries": entries(self.info),
            "by_start": state(&self.by_start),
            "names": self.names,
            "by_names": state(&self.by_names),
            "without": self.without.iter().map(|(name, why)| json!({ "name": name, "why": why })).collect::<Vec<_>>(),
        });
        if first == 1 {
            let time = |matrix: &DMatrix<f64>| rows(&matrix.rows(0, 1).into())[0].clone();
            all["time_by_start"] = time(&self.by_start);
            all["time_by_names"] = time(&self.by_names);
        }
        if self.is_of {
            all["of"] = json!(self.changing);
            all["values"] = json!(self.values);
        }
        pretty(&all)
    }

    /// A row for each that changes: its value, its derivatives.
    fn tsv(&self) -> String {
        let first = if self.is_of { "of" } else { "entry" };
        let columns = [first, "value"].map(str::to_owned).into_iter();
        let columns =
            columns.chain(entries(self.info).into_iter().map(|name| format!("d/d{name}")));
        let columns = columns.chain(self.names.iter().map(|name| format!("d/d{name}")));
        let mut lines = vec![columns.collect::<Vec<_>>().join("\t")];
        for (index, (name, value)) in self.changing.iter().zip(&self.values).enumerate() {
            let by_start = self.by_start.row(index);
            let by_names = self.by_names.row(index);
            let numbers = by_start.iter().chain(by_names.iter()).copied();
            lines.push(format!("{name}\t{}", tabbed(std::iter::once(*value).chain(numbers))));
        }
        lines.join("\n")
    }
}

/// Variations of motions that are begun as the request is.
fn begun(request: &Request) -> Result<Variations<'_>, String> {
    let variations = Variations::new(&*request.system).map_err(|error| error.to_string())?;
    let rule = request.rule().map_err(|complaint| complaint.text())?;
    Ok(variations.begun(rule))
}

/// Derivatives, and the names by which there is none, with the reason.
type ByEach = (DMatrix<f64>, Vec<(&'static str, String)>);

/// The derivatives by each of these names: columns without numbers where there is none, with the reason.
fn by_each(
    variations: &Variations<'_>,
    Request { start, inputs, options, .. }: &Request,
    width: usize,
    names: &[&'static str],
) -> Result<ByEach, String> {
    let found = variations.sensitivities_to_end_of_each(start, inputs, options, names);
    let found = found.map_err(|error| error.to_string())?;
    let mut matrix = DMatrix::from_element(width, names.len(), f64::NAN);
    let mut without = Vec::new();
    for (place, (name, column)) in names.iter().zip(found).enumerate() {
        match column {
            Ok(column) => matrix.set_column(place, &column),
            Err(why) => without.push((*name, why.to_string())),
        }
    }
    Ok((matrix, without))
}

/// The names of (q, v).
fn entries(info: &SystemInfo) -> Vec<String> {
    (0..info.positions()).map(|i| info.position_name(i)).chain(speeds(info)).collect()
}

/// What a motion depends on beside its start: inputs, then parameters.
fn others(info: &SystemInfo) -> Vec<&'static str> {
    let names = info.inputs.iter().map(|input| input.name);
    names.chain(info.parameters.iter().map(|known| known.name)).collect()
}

/// The weights w of Σ wᵢ yᵢ as it is written: `x`, `2*x - y_dot`.
fn weights(text: &str, info: &SystemInfo) -> Result<DVector<f64>, String> {
    let names: Vec<String> =
        (0..info.positions()).map(|i| info.position_ascii(i)).chain(speeds_ascii(info)).collect();
    let wrong = |why: &dyn std::fmt::Display| format!("--of {text}: {why}");
    let function = Function::new(text, &names, &[]).map_err(|mistake| wrong(&mistake))?;
    let at = |value: &dyn Fn(usize) -> f64| {
        let point: Vec<(String, f64)> =
            names.iter().enumerate().map(|(i, name)| (name.clone(), value(i))).collect();
        function.at(&point)
    };
    let unit = |place: usize| at(&|i| f64::from(u8::from(i == place)));
    let weights = DVector::from_iterator(names.len(), (0..names.len()).map(unit));
    let is_sum = PLACES.iter().all(|place| {
        let value = |i: usize| place * (1.0 + i as f64 * PLACES[0]);
        let terms = weights.iter().enumerate().map(|(i, weight)| weight * value(i));
        let size: f64 = terms.clone().map(f64::abs).sum();
        (at(&value) - terms.sum::<f64>()).abs() <= ROUNDING * size
    });
    let words =
        "write a coordinate, a speed, or a sum of such with numbers before them: 2*x - y_dot";
    if is_sum && weights.amax() > 0.0 { Ok(weights) } else { Err(wrong(&words)) }
}
