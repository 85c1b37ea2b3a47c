//! A scenario file as a whole: its syntax, its tables.

use super::value::{Entry, Reader, entries};
use super::{Asked, Start};
use crate::complaint::Complaint;
use eom_core::info::SystemInfo;
use eom_symbolic::name::Name;
use std::collections::BTreeSet;
use toml::de::{DeTable, DeValue, Error};

/// The tables of a file.
const TABLES: [&str; 8] =
    ["state", "parameters", "functions", "inputs", "sweep", "end", "solver", "output"];

/// The most starts of a file.
const STARTS_MAX: usize = 100_000;

/// What a file asks for, or everything that is wrong with it.
pub(crate) fn read(text: &str, info: &'static SystemInfo) -> Result<Asked, Vec<Complaint>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err(errors.iter().map(|error| syntax(text, error)).collect());
    }
    let mut reader = Reader { info, complaints: Vec::new() };
    let mut asked = Asked::default();
    for entry in entries(table.get_ref()) {
        reader.section(entry, &mut asked);
    }
    if reader.complaints.is_empty() { Ok(asked) } else { Err(reader.complaints) }
}

impl Reader {
    fn section(&mut self, entry: Entry<'_>, asked: &mut Asked) {
        match entry.key {
            "state" => asked.starts = self.starts(entry),
            "parameters" => {
                let parameters = self.parameters(entry);
                asked.settings.extend(parameters);
            }
            "functions" => {
                let functions = self.functions(entry);
                asked.settings.extend(functions);
            }
            "inputs" => {
                let inputs = self.inputs(entry);
                asked.settings.extend(inputs);
            }
            "sweep" => asked.axes = self.axes(entry),
            "end" => asked.end = self.end(entry),
            "solver" => asked.solver = self.solver(entry),
            "output" => asked.output = self.output(entry),
            _ => self.unknown(entry, "", &TABLES),
        }
    }

    /// `[state]`, or `[[state]]` once a start.
    fn starts(&mut self, entry: Entry<'_>) -> Vec<Start> {
        match entry.value.get_ref() {
            DeValue::Array(items) if items.len() > STARTS_MAX => {
                let message = format!("{} starts are too many: at most {STARTS_MAX}", items.len());
                self.complaints.push(
                    Complaint::at(entry.at(), message).help("sweep initial values in [sweep]"),
                );
                Vec::new()
            }
            DeValue::Array(items) => {
                let entries = || items.iter().map(|value| entry.with(value));
                let starts: Vec<Start> = entries().map(|entry| self.start(entry)).collect();
                let mut names = BTreeSet::new();
                for (number, (start, entry)) in (1..).zip(starts.iter().zip(entries())) {
                    let name = start.name.clone().unwrap_or_else(|| number.to_string());
                    if let Some(name) = names.replace(name) {
                        let message = format!("another start is called `{name}`");
                        self.complaints.push(Complaint::at(entry.place(), message));
                    }
                }
                starts
            }
            _ => vec![self.start(entry)],
        }
    }
}

/// What the TOML is wrong about; letters that keys may have in quotes only are the likely one.
fn syntax(text: &str, error: &Error) -> Complaint {
    let at = error.span().unwrap_or(0..0);
    let rest = text.get(at.start..).unwrap_or_default();
    let is_end = rest.lines().next().unwrap_or_default().trim().is_empty();
    let said = error.message();
    let is_value = said.starts_with("string values");
    let said = if is_end && is_value { "a value is missing here" } else { said };
    let complaint = Complaint::at(at.clone(), said);
    let ends = |c: char| c.is_whitespace() || "=.,{}[]\"'#".contains(c);
    let before = text.get(..at.start).unwrap_or_default();
    let start =
        before.rfind(ends).map_or(0, |i| i + before[i..].chars().next().map_or(1, char::len_utf8));
    let word = &text[start..at.start + rest.find(ends).unwrap_or(rest.len())];
    if word.is_ascii() {
        return complaint;
    }
    let ascii = Name::parse(word).ascii();
    complaint.help(format!("write `{ascii}`, or \"{word}\" in quotes"))
}
