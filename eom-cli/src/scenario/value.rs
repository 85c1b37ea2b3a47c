//! The values of a scenario file: what each key wants, and what to say where it has something else.

use super::Named;
use crate::complaint::{Complaint, Origin};
use crate::names::no_such;
use crate::run::settings::Expression;
use eom_core::info::SystemInfo;
use eom_symbolic::name::nearest;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A key, its place, its value.
#[derive(Clone, Copy)]
pub(super) struct Entry<'t> {
    pub(super) key: &'t str,
    key_at: (usize, usize),
    pub(super) value: &'t Spanned<DeValue<'t>>,
}

impl<'t> Entry<'t> {
    /// The same key with an item of its list.
    pub(super) fn with(self, value: &'t Spanned<DeValue<'t>>) -> Self {
        Self { value, ..self }
    }

    /// The place of the key.
    pub(super) fn at(&self) -> Range<usize> {
        self.key_at.0..self.key_at.1
    }

    /// The place of the value.
    pub(super) fn place(&self) -> Range<usize> {
        self.value.span()
    }

    fn origin(&self) -> Origin {
        Origin::File(self.place())
    }
}

/// The entries of a table as they stand in the file.
pub(super) fn entries<'t>(table: &'t DeTable<'t>) -> Vec<Entry<'t>> {
    let mut entries: Vec<Entry<'t>> = table
        .iter()
        .map(|(key, value)| Entry {
            key: key.get_ref(),
            key_at: (key.span().start, key.span().end),
            value,
        })
        .collect();
    entries.sort_by_key(|entry| entry.key_at);
    entries
}

/// Collects what is wrong while values are read.
pub(super) struct Reader {
    pub(super) info: &'static SystemInfo,
    pub(super) complaints: Vec<Complaint>,
}

impl Reader {
    pub(super) fn complain(&mut self, at: Range<usize>, message: impl Into<String>) {
        self.complaints.push(Complaint::at(at, message));
    }

    /// A value of the wrong kind.
    fn wrong(&mut self, entry: Entry<'_>, wanted: &str) {
        let found = kind(entry.value.get_ref());
        self.complain(entry.place(), format!("`{}` must be {wanted}; it is {found}", entry.key));
    }

    /// A key that does not exist here.
    pub(super) fn unknown(&mut self, entry: Entry<'_>, of: &str, keys: &[&str]) {
        let near = nearest(entry.key, keys.iter().copied());
        let complaint = Complaint::at(entry.at(), no_such("key", entry.key, near));
        let known = if of.is_empty() { "tables" } else { of };
        self.complaints.push(complaint.help(format!("{known}: {}", keys.join(", "))));
    }

    /// A number, or an expression in quotes.
    pub(super) fn expression(&mut self, entry: Entry<'_>) -> Option<Expression> {
        let text = literal(entry.value.get_ref());
        if text.is_none() {
            self.wrong(entry, "a number, or an expression in quotes");
        }
        Some(Expression { text: text?, origin: entry.origin() })
    }

    /// A text in quotes.
    pub(super) fn text(&mut self, entry: Entry<'_>) -> Option<(String, Origin)> {
        let text = entry.value.get_ref().as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong(entry, "a text in quotes");
        }
        Some((text?, entry.origin()))
    }

    /// The name of a file.
    pub(super) fn file(&mut self, entry: Entry<'_>) -> Option<Named> {
        let (text, _) = self.text(entry)?;
        Some(Named { path: text.into(), at: Some(entry.place()) })
    }

    /// A text in quotes, or a list of them.
    pub(super) fn texts(&mut self, entry: Entry<'_>) -> Vec<(String, Origin)> {
        match entry.value.get_ref() {
            DeValue::Array(items) => {
                let items = items.iter().map(|value| entry.with(value));
                items.filter_map(|item| self.text(item)).collect()
            }
            _ => self.text(entry).into_iter().collect(),
        }
    }

    /// `true` or `false`.
    pub(super) fn flag(&mut self, entry: Entry<'_>) -> bool {
        let flag = entry.value.get_ref().as_bool();
        if flag.is_none() {
            self.wrong(entry, "true or false");
        }
        flag.unwrap_or(false)
    }

    /// A whole number from 1 on.
    pub(super) fn count(&mut self, entry: Entry<'_>) -> Option<u64> {
        let number = entry.value.get_ref().as_integer();
        let count = number.and_then(|n| u64::from_str_radix(n.as_str(), n.radix()).ok());
        let count = count.filter(|count| *count > 0);
        if count.is_none() {
            self.wrong(entry, "a whole number, at least 1");
        }
        count
    }

    /// A whole number from 0 on.
    pub(super) fn natural(&mut self, entry: Entry<'_>) -> Option<u64> {
        let number = entry.value.get_ref().as_integer();
        let number = number.and_then(|n| u64::from_str_radix(n.as_str(), n.radix()).ok());
        if number.is_none() {
            self.wrong(entry, "a whole number, at least 0");
        }
        number
    }

    /// The entries of a table.
    pub(super) fn table<'t>(&mut self, entry: Entry<'t>) -> Vec<Entry<'t>> {
        if let Some(table) = entry.value.get_ref().as_table() {
            return entries(table);
        }
        self.wrong(entry, "a table");
        Vec::new()
    }

    /// The items of a list.
    pub(super) fn list<'t>(&mut self, entry: Entry<'t>, of: &str) -> Vec<Entry<'t>> {
        if let Some(items) = entry.value.get_ref().as_array() {
            return items.iter().map(|value| entry.with(value)).collect();
        }
        self.wrong(entry, &format!("a list of {of}"));
        Vec::new()
    }
}

/// The expression of a value, where it is one.
fn literal(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.clone().into_owned()),
        DeValue::Float(number) => Some(number.as_str().trim_start_matches('+').to_owned()),
        DeValue::Integer(number) if number.radix() == 10 => {
            Some(number.as_str().trim_start_matches('+').to_owned())
        }
        DeValue::Integer(number) => {
            let whole = u64::from_str_radix(number.as_str(), number.radix()).ok();
            whole.map(|whole| whole.to_string())
        }
        _ => None,
    }
}

/// What a value is, in words, with what it says where that is short.
fn kind(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the text \"{text}\""),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(_) => "a date or time".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
