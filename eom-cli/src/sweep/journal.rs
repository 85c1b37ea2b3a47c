//! The journal of a sweep: every run that is done, as it comes, so that an interrupt, a full disk or
//! a lost machine costs the runs in progress only.
//!
//! It stands beside the table of the runs, as `runs.csv.partial`: a line of JSON that says what sweep
//! it is of, then one a run. Where there is no such file the records are kept in memory.

use crate::error::Failure;
use crate::output::table::{Cell, Kind};
use crate::output::writer::{json, quoted};
use crate::run::plan::Plan;
use crate::sweep::record::{self, Record, Wanted};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// Behind the name of the table.
const ENDING: &str = ".partial";

/// The runs that are done.
pub(crate) struct Journal {
    place: Place,
    kinds: [Vec<Kind>; 3],
}

enum Place {
    /// In memory, by number.
    Memory(BTreeMap<usize, Record>),
    /// In a file: for each number the bytes of its line.
    File { path: PathBuf, file: File, lines: BTreeMap<usize, (u64, usize)>, end: u64 },
}

/// What messages call the journal of a sweep.
pub(crate) fn name(plan: &Plan) -> String {
    path(plan).map_or("the journal".to_owned(), |path| path.display().to_string())
}

/// Where the journal stands; nowhere without a file for the table.
fn path(plan: &Plan) -> Option<PathBuf> {
    let table = plan.output.table.as_deref().filter(|table| *table != "-")?;
    // What is no file, such as /dev/null, has no place beside it.
    let is_file = fs::metadata(table).map_or(true, |data| data.is_file());
    is_file.then(|| PathBuf::from(format!("{table}{ENDING}")))
}

impl Journal {
    /// Begins a journal, or goes on with the one that is there.
    pub(crate) fn open(plan: &Plan, wanted: Wanted, resume: bool) -> Result<Self, Failure> {
        let kinds = [
            record::summary(plan),
            record::samples(plan.model.info),
            record::events(plan.model.info),
        ];
        let kinds = kinds.map(|columns| columns[1..].iter().map(|column| column.kind).collect());
        let Some(path) = path(plan) else {
            if resume {
                let message = "--resume needs --table FILE: beside it stands what is done";
                return Err(Failure::Refused(message.to_owned()));
            }
            return Ok(Self { place: Place::Memory(BTreeMap::new()), kinds });
        };
        let head = plan.identity(wanted.samples, wanted.events);
        let mut options = OpenOptions::new();
        let opened = options.read(true).write(true).create(true).truncate(false).open(&path);
        let cannot = |error: io::Error| {
            Failure::Refused(format!("--table: cannot write {}: {error}", path.display()))
        };
        let file = opened.map_err(cannot)?;
        let mut lines = BTreeMap::new();
        let mut end = 0;
        let is_new = file.metadata().map_err(cannot)?.len() == 0;
        if !is_new {
            let (found, done, length) = read(&file).map_err(cannot)?;
            if !resume {
                return Err(Failure::Refused(there_already(&path, done.len(), plan.count)));
            }
            if let Some(reason) = differs(&found, &head) {
                return Err(Failure::Refused(format!(
                    "--resume: {} is of another sweep: {reason}\n  \
                     remove it to begin anew, or run what it is of",
                    path.display()
                )));
            }
            (lines, end) = (done, length);
        }
        // What stands behind the last whole line was being written when it broke off.
        file.set_len(end).map_err(cannot)?;
        let mut journal = Self { place: Place::File { path, file, lines, end }, kinds };
        if is_new {
            let line = format!("{{{}}}\n", members(&head));
            journal.append(&line).map_err(|error| Failure::output(&name(plan), error))?;
        }
        Ok(journal)
    }

    /// The number of runs that are done.
    pub(crate) fn done(&self) -> usize {
        match &self.place {
            Place::Memory(records) => records.len(),
            Place::File { lines, .. } => lines.len(),
        }
    }

    /// The runs that are not done.
    pub(crate) fn missing(&self, count: usize) -> Vec<usize> {
        let is_done = |run: &usize| match &self.place {
            Place::Memory(records) => records.contains_key(run),
            Place::File { lines, .. } => lines.contains_key(run),
        };
        (0..count).filter(|run| !is_done(run)).collect()
    }

    /// Keeps a record.
    pub(crate) fn keep(&mut self, record: Record) -> io::Result<()> {
        if let Place::Memory(records) = &mut self.place {
            records.insert(record.run, record);
            return Ok(());
        }
        let line = line(&record);
        let at = self.append(&line)?;
        if let Place::File { lines, .. } = &mut self.place {
            lines.insert(record.run, (at, line.len()));
        }
        Ok(())
    }

    /// Writes a line to the end; where it begins. A line that breaks off is taken away.
    fn append(&mut self, line: &str) -> io::Result<u64> {
        let Place::File { file, end, .. } = &mut self.place else { return Ok(0) };
        let at = *end;
        file.seek(SeekFrom::Start(at))?;
        if let Err(error) = file.write_all(line.as_bytes()) {
            // The first error is the one to tell.
            let _ = file.set_len(at);
            return Err(error);
        }
        *end += line.len() as u64;
        Ok(at)
    }

    /// The records in the order of their numbers.
    pub(crate) fn records(&mut self) -> impl Iterator<Item = io::Result<Record>> {
        let Self { place, kinds } = self;
        let runs: Vec<usize> = match place {
            Place::Memory(records) => records.keys().copied().collect(),
            Place::File { lines, .. } => lines.keys().copied().collect(),
        };
        runs.into_iter().map(move |run| match place {
            Place::Memory(records) => {
                records.get(&run).cloned().ok_or_else(|| broken("a run is gone"))
            }
            Place::File { file, lines, .. } => {
                let (at, length) = lines.get(&run).copied().unwrap_or_default();
                let mut bytes = vec![0; length];
                file.seek(SeekFrom::Start(at))?;
                file.read_exact(&mut bytes)?;
                parse(&bytes, kinds)
            }
        })
    }

    /// Takes away the file: everything is in the tables.
    pub(crate) fn remove(self) {
        if let Place::File { path, file, .. } = self.place {
            drop(file);
            // It is of no more use, and the tables are written.
            let _ = fs::remove_file(path);
        }
    }
}

fn there_already(path: &Path, done: usize, count: usize) -> String {
    format!(
        "{} holds {done} of {count} runs of an interrupted sweep\n  \
         give --resume to go on with it, or remove it to begin anew",
        path.display()
    )
}

/// What a journal is of, in names and values.
type Identity = Vec<(&'static str, String)>;

fn members(head: &Identity) -> String {
    let members = head.iter().map(|(key, value)| format!("{}:{}", quoted(key), quoted(value)));
    members.collect::<Vec<_>>().join(",")
}

/// What of the identity is another.
fn differs(found: &Value, head: &Identity) -> Option<String> {
    head.iter().find_map(|(key, value)| match found.get(*key).and_then(Value::as_str) {
        Some(was) if was == value => None,
        Some(was) if value.len() + was.len() < 200 && !was.contains('\n') => {
            Some(format!("its {key} is `{was}`, not `{value}`"))
        }
        _ => Some(format!("its {key} differs")),
    })
}

/// Records by number: where each line begins, and its length.
type Lines = BTreeMap<usize, (u64, usize)>;

/// The head of a journal, its records, and where the last whole line ends.
fn read(file: &File) -> io::Result<(Value, Lines, u64)> {
    let mut reader = BufReader::new(file);
    let (mut head, mut lines, mut end) = (Value::Null, BTreeMap::new(), 0);
    loop {
        let mut line = Vec::new();
        let length = reader.read_until(b'\n', &mut line)?;
        if length == 0 || line.last() != Some(&b'\n') {
            break;
        }
        if end == 0 {
            head = serde_json::from_slice(&line)?;
        } else {
            let run = number_of(&line).ok_or_else(|| broken("a line has no number"))?;
            lines.insert(run, (end, length));
        }
        end += length as u64;
    }
    Ok((head, lines, end))
}

/// The number at the beginning of a line.
fn number_of(line: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(line.strip_prefix(b"{\"run\":")?).ok()?;
    text.split_once(',')?.0.parse().ok()
}

/// `{"run":3,"summary":[…],"samples":[[…],…],"events":[[…],…]}`
fn line(record: &Record) -> String {
    let row =
        |cells: &Vec<Cell>| format!("[{}]", cells.iter().map(json).collect::<Vec<_>>().join(","));
    let rows =
        |rows: &Vec<Vec<Cell>>| format!("[{}]", rows.iter().map(row).collect::<Vec<_>>().join(","));
    let Record { run, summary, samples, events } = record;
    format!(
        "{{\"run\":{run},\"summary\":{},\"samples\":{},\"events\":{}}}\n",
        row(summary),
        rows(samples),
        rows(events)
    )
}

fn parse(bytes: &[u8], [summary, samples, events]: &[Vec<Kind>; 3]) -> io::Result<Record> {
    let value: Value = serde_json::from_slice(bytes)?;
    let number = value.get("run").and_then(Value::as_u64);
    let record = || {
        Some(Record {
            run: usize::try_from(number?).ok()?,
            summary: row(value.get("summary")?, summary)?,
            samples: rows(value.get("samples")?, samples)?,
            events: rows(value.get("events")?, events)?,
        })
    };
    record().ok_or_else(|| broken("a line is no record"))
}

fn rows(value: &Value, kinds: &[Kind]) -> Option<Vec<Vec<Cell>>> {
    value.as_array()?.iter().map(|value| row(value, kinds)).collect()
}

fn row(value: &Value, kinds: &[Kind]) -> Option<Vec<Cell>> {
    let cells = value.as_array()?;
    if cells.len() != kinds.len() {
        return None;
    }
    let cell = |(value, kind): (&Value, &Kind)| match (value, kind) {
        (Value::Null, _) => Some(Cell::Missing),
        (value, Kind::Number) => value.as_f64().map(Cell::Number),
        (value, Kind::Count) => value.as_u64().map(Cell::Count),
        (value, Kind::Text) => value.as_str().map(|text| Cell::Text(text.to_owned())),
    };
    cells.iter().zip(kinds).map(cell).collect()
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_were_written() {
        let record = Record {
            run: 12,
            summary: vec![Cell::Text("a \"b\"\n".into()), Cell::Number(0.1 + 0.2), Cell::Missing],
            samples: vec![
                vec![Cell::Number(-1e-300), Cell::Number(-0.0)],
                vec![Cell::Number(5.0), Cell::Missing],
            ],
            events: vec![vec![Cell::Text("impact".into()), Cell::Count(u64::MAX)]],
        };
        let text = line(&record);
        let kinds = [
            vec![Kind::Text, Kind::Number, Kind::Number],
            vec![Kind::Number; 2],
            vec![Kind::Text, Kind::Count],
        ];
        let again = parse(text.as_bytes(), &kinds).unwrap();
        assert_eq!(line(&again), text);
        assert_eq!(again, record);
        assert_eq!(number_of(text.as_bytes()), Some(12));
        assert!(
            parse(b"{\"run\":12,\"summary\":[1],\"samples\":[],\"events\":[]}", &kinds).is_err()
        );
    }
}
