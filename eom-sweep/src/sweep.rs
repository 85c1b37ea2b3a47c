//! What a sweep is: which runs it has, what they depend on, and which chunk has which.

use crate::error::SweepError;
use crate::table::{Column, Kind};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use std::num::NonZeroU64;
use std::ops::Range;
use std::path::Path;

/// What `sweep.json` begins with, and what changes with the form of the folder.
const FORMAT: &str = "eom sweep 1";

/// A table that each chunk has a file of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The name of its folder: `runs`, `events`, `samples`.
    pub name: String,
    /// Its columns.
    pub columns: Vec<Column>,
}

/// A numbered set of runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    /// The name of the model.
    pub title: String,
    /// All that the runs depend on, in names and values: the version, the text of the model, what is set and swept.
    pub identity: Vec<(String, String)>,
    /// How many runs there are, N.
    pub runs: u64,
    /// How many a chunk has, S.
    pub size: NonZeroU64,
    /// The tables of a chunk; the first has a row for each run.
    pub tables: Vec<Table>,
}

impl Sweep {
    /// How many chunks there are.
    #[must_use]
    pub fn chunks(&self) -> u64 {
        self.runs.div_ceil(self.size.get())
    }

    /// The numbers of the runs of a chunk.
    ///
    /// # Errors
    /// There is no such chunk.
    pub fn range(&self, chunk: u64) -> Result<Range<u64>, SweepError> {
        let chunks = self.chunks();
        if chunk >= chunks {
            return Err(SweepError::NoSuchChunk { chunk, chunks });
        }
        // At most N, for the chunk is not behind the last.
        let first = chunk * self.size.get();
        Ok(first..first.saturating_add(self.size.get()).min(self.runs))
    }

    /// SHA-256 of all of it, in hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut digest = Sha256::new();
        let mut feed = |text: &str| {
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text);
        };
        for text in [FORMAT, &self.title, &self.runs.to_string(), &self.size.to_string()] {
            feed(text);
        }
        for (key, value) in &self.identity {
            feed(key);
            feed(value);
        }
        for Table { name, columns } in &self.tables {
            feed(name);
            for Column { name, kind, optional, .. } in columns {
                feed(name);
                feed(word(*kind));
                feed(if *optional { "optional" } else { "" });
            }
        }
        format!("{:x}", digest.finalize())
    }

    /// The text of `sweep.json`.
    pub(crate) fn json(&self) -> String {
        let text = |value: &str| Value::from(value);
        let of = self.identity.iter().map(|(key, value)| (key.clone(), text(value)));
        let tables: Vec<Value> = self.tables.iter().map(|table| text(&table.name)).collect();
        let members = [
            ("format", text(FORMAT)),
            ("digest", text(&self.digest())),
            ("model", text(&self.title)),
            ("runs", self.runs.into()),
            ("runs a chunk", self.size.get().into()),
            ("tables", tables.into()),
            ("of", Value::Object(of.collect())),
        ];
        let all: Map<String, Value> =
            members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        format!("{:#}\n", Value::Object(all))
    }
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Number => "number",
        Kind::Count => "count",
        Kind::Text => "text",
    }
}

/// What `sweep.json` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) digest: String,
    pub(crate) runs: u64,
    pub(crate) size: NonZeroU64,
    pub(crate) tables: Vec<String>,
    of: Map<String, Value>,
}

impl Head {
    /// Reads it.
    pub(crate) fn read(folder: &Path, text: &str) -> Result<Self, SweepError> {
        let no = |reason: &str| SweepError::NoSweep { path: folder.into(), reason: reason.into() };
        let value: Value =
            serde_json::from_str(text).map_err(|error| no(&format!("sweep.json: {error}")))?;
        let member = |key: &str| value.get(key);
        let string = |key: &str| member(key).and_then(Value::as_str);
        if string("format") != Some(FORMAT) {
            return Err(no(&format!("sweep.json does not say \"format\": \"{FORMAT}\"")));
        }
        let tables = member("tables").and_then(Value::as_array).map(|names| {
            names.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
        });
        let read = || {
            Some(Self {
                digest: string("digest")?.to_owned(),
                runs: member("runs")?.as_u64()?,
                size: NonZeroU64::new(member("runs a chunk")?.as_u64()?)?,
                // A name that leads out of the folder is none.
                tables: tables.filter(|names| names.iter().all(|name| is_plain(name)))?,
                of: member("of")?.as_object()?.clone(),
            })
        };
        let head =
            read().ok_or_else(|| no("sweep.json lacks a member, or has one that is broken"))?;
        if head.tables.is_empty() { Err(no("sweep.json names no table")) } else { Ok(head) }
    }

    /// What of a sweep is another.
    pub(crate) fn differs(&self, sweep: &Sweep) -> Option<String> {
        if self.digest == sweep.digest() {
            return None;
        }
        let pair =
            |what: &str, was: &str, is: &str| match (was.len() + is.len(), was.contains('\n')) {
                (..200, false) => format!("its {what} is `{was}`, not `{is}`"),
                _ => format!("its {what} differs"),
            };
        let mut texts = sweep.identity.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        let other = texts.find_map(|(key, value)| match self.of.get(key).and_then(Value::as_str) {
            Some(was) if was == value => None,
            was => Some(pair(key, was.unwrap_or_default(), value)),
        });
        let numbers = [
            ("number of runs", self.runs, sweep.runs),
            ("runs a chunk", self.size.get(), sweep.size.get()),
        ];
        let number = numbers.into_iter().find(|(_, was, is)| was != is);
        other
            .or_else(|| number.map(|(what, was, is)| pair(what, &was.to_string(), &is.to_string())))
            .or_else(|| Some("its tables have other columns".to_owned()))
    }

    /// How many chunks there are.
    pub(crate) fn chunks(&self) -> u64 {
        self.runs.div_ceil(self.size.get())
    }

    /// How many runs a chunk has.
    pub(crate) fn count(&self, chunk: u64) -> u64 {
        let first = chunk.saturating_mul(self.size.get());
        self.runs.saturating_sub(first).min(self.size.get())
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_')
}

/// Numbers in growing order as ranges, as `--chunks` reads them: `0, 3..5, 9`, where 3..5 has 3 and 4.
#[must_use]
pub fn listed(numbers: &[u64]) -> String {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some(last) if last.end == number => last.end += 1,
            _ => ranges.push(number..number.saturating_add(1)),
        }
    }
    let shown = |Range { start, end }: &Range<u64>| match end - start {
        1 => start.to_string(),
        _ => format!("{start}..{end}"),
    };
    ranges.iter().map(shown).collect::<Vec<_>>().join(",")
}
