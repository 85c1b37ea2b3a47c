//! `eom eval`: the functions of a model at given states.

use crate::cli::{EvalArguments, EvalFormat};
use crate::error::{Failure, Outcome};
use crate::eval::answer::{Answer, at};
use crate::eval::state::{Given, read};
use crate::files::{self, Files, STATES_MAX};
use crate::model::Model;
use crate::names;
use crate::run::settings::Settings;
use crate::shell;
use eom_core::info::SystemInfo;
use serde_json::Value;
use std::fmt::Write as _;

/// The width of the labels.
const LABEL: usize = 22;

/// Evaluates the model at each state.
pub(crate) fn print(arguments: &EvalArguments) -> Result<Outcome, Failure> {
    let mut files = Files::default();
    files.reads_model(&arguments.model);
    files.reads("--state", &arguments.state);
    files.check(None)?;
    let model = Model::find(&arguments.model)?;
    let settings = Settings::parse(&arguments.sets, model.info).map_err(Failure::Refused)?;
    settings.only_parameters().map_err(Failure::Refused)?;
    let built = settings.build(&model);
    let (system, _) = built.map_err(|complaint| Failure::Refused(complaint.text()))?;
    let contacts = contacts(&arguments.impact, model.info);
    let contacts = contacts.map_err(|error| Failure::refused(format!("--impact: {error}")))?;
    let file = &arguments.state;
    let of_file = |error: String| Failure::Refused(format!("--state {}: {error}", file.display()));
    let content = files::text(file, STATES_MAX);
    let content = content.map_err(|error| of_file(format!("cannot read it: {error}")))?;
    let (states, is_list) = read(&content, model.info).map_err(of_file)?;
    let mut answers = Vec::with_capacity(states.len());
    for (index, given) in states.iter().enumerate() {
        let failed = |error: String| of_file(numbered(index, is_list, &error));
        answers.push(at(&*system, given, &contacts).map_err(failed)?);
    }
    let notes = notes(&answers, &arguments.impact, is_list);
    let shown = match arguments.format {
        EvalFormat::Json => json(answers, is_list),
        EvalFormat::Text => text(&states, &answers),
    };
    shell::print_line(shown.trim_end())?;
    for (note, _) in &notes {
        shell::tell(format_args!("warning: {note}"));
    }
    let undefined = notes.iter().any(|(_, undefined)| *undefined);
    Ok(if undefined { Outcome::Mistaken } else { Outcome::Done })
}

/// `state 2: …` in a list.
fn numbered(index: usize, is_list: bool, text: &str) -> String {
    if is_list { format!("state {}: {text}", index + 1) } else { text.to_owned() }
}

/// The contacts of these names, each once.
fn contacts(names: &[String], info: &SystemInfo) -> Result<Vec<usize>, String> {
    let mut contacts = Vec::with_capacity(names.len());
    for name in names {
        let contact = names::contact(name, info)?;
        if contacts.contains(&contact) {
            return Err(format!("`{name}` stands there twice"));
        }
        contacts.push(contact);
    }
    Ok(contacts)
}

/// What must be said beside the numbers, and whether numbers are missing.
fn notes(answers: &[Answer], contacts: &[String], is_list: bool) -> Vec<(String, bool)> {
    let mut notes = Vec::new();
    for (index, answer) in answers.iter().enumerate() {
        let is_of_forces = |what: &&&str| answer.holds_forces && **what == "outputs";
        if answer.undefined.iter().any(|what| is_of_forces(&what)) {
            let text = "not all numbers: outputs; a state does not say what is closed, and so which forces of contacts an \
                        output holds: `eom run` writes them along a motion";
            notes.push((numbered(index, is_list, text), true));
        }
        let others = answer.undefined.iter().filter(|what| !is_of_forces(what));
        let names = others.copied().collect::<Vec<_>>().join(", ");
        if !names.is_empty() {
            let why = "the mass matrix is singular, constraints depend on each other, or an \
                       expression has no value there";
            let text = format!("not all numbers: {names}; {why}");
            notes.push((numbered(index, is_list, &text), true));
        }
        if let Some(rate) = answer.leaving {
            let text = match contacts {
                [contact] => format!(
                    "the gap of `{contact}` changes at the rate {rate:e}, not below 0: \
                     no impact happens in this state"
                ),
                _ => format!(
                    "the gaps of `{}` change at rates of at least {rate:e}, not below 0: \
                     no impact happens in this state",
                    contacts.join("`, `")
                ),
            };
            notes.push((numbered(index, is_list, &text), false));
        }
    }
    notes
}

fn json(answers: Vec<Answer>, is_list: bool) -> String {
    let mut all: Vec<Value> =
        answers.into_iter().map(|answer| Value::Object(answer.values)).collect();
    let whole = match all.pop() {
        Some(last) if !is_list => last,
        last => {
            all.extend(last);
            Value::Array(all)
        }
    };
    // Names and numbers can always be written.
    serde_json::to_string_pretty(&whole).unwrap_or_default()
}

/// A line a function, one a row of a matrix.
fn text(states: &[Given], answers: &[Answer]) -> String {
    let mut text = String::new();
    for (index, (given, answer)) in states.iter().zip(answers).enumerate() {
        if states.len() > 1 {
            let gap = if index > 0 { "\n" } else { "" };
            // Writing to a string does not fail.
            let _ = writeln!(text, "{gap}state {}, t = {}", index + 1, given.state.t);
        }
        for (what, value) in &answer.values {
            for (row, line) in lines(value).into_iter().enumerate() {
                let label = if row == 0 { what.as_str() } else { "" };
                let _ = writeln!(text, "{label:LABEL$}{line}");
            }
        }
    }
    text
}

/// `x = 1, y = 2`; of a matrix a line a row, `x: x = 1, y = 0`; nothing for nothing.
fn lines(value: &Value) -> Vec<String> {
    let Value::Object(entries) = value else { return Vec::new() };
    if entries.is_empty() {
        return Vec::new();
    }
    let is_matrix = entries.values().any(Value::is_object);
    if is_matrix {
        let row = |(name, row): (&String, &Value)| format!("{name}: {}", lines(row).concat());
        return entries.iter().map(row).collect();
    }
    let entry = |(name, number): (&String, &Value)| match number {
        Value::Null => format!("{name} = not a number"),
        number => format!("{name} = {number}"),
    };
    vec![entries.iter().map(entry).collect::<Vec<_>>().join(", ")]
}
