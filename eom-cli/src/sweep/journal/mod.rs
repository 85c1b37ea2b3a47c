//! The journal of a sweep: every run that is done, as it comes, so that an interrupt, a full disk or
//! a lost machine costs the runs in progress only.
//!
//! It stands beside the table of the runs, as `runs.csv.partial`. Where there is no such file the
//! records are kept in memory.
//!
//! ```text
//! journal = head record*
//! head    = "eom journal 2 " line of what sweep it is of, as JSON
//! record  = line of a run, as JSON, its checksum seeded with the text of the head
//! ```
//!
//! [`mod@line`] says what a line is. A record fits one sweep only, so that a journal whose head is broken
//! still tells its own records from others. A broken record counts as not written: its run is made
//! anew, and the journal is written anew without it.

mod line;

use crate::error::Failure;
use crate::files::{Output, Permit, is_stdout};
use crate::output::writer::{json, quoted};
use crate::run::plan::Plan;
use crate::sweep::record::{self, Record, Wanted};
use eom_sweep::table::{Cell, Kind};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// Behind the name of the table.
const ENDING: &str = ".partial";
/// Before the head.
const MAGIC: &str = "eom journal 2 ";

/// The runs that are done.
pub(crate) struct Journal {
    place: Place,
    kinds: [Vec<Kind>; 3],
    /// How many records were broken when it was opened.
    broken: usize,
}

enum Place {
    /// In memory, by number.
    Memory(BTreeMap<usize, Record>),
    /// In a file.
    Kept(Kept),
}

/// A journal in a file.
struct Kept {
    path: PathBuf,
    file: File,
    /// The text of the head, which seeds the checksums.
    head: String,
    lines: Lines,
    /// Where the next line goes.
    end: u64,
}

/// Records by number: where each line begins, and its length.
type Lines = BTreeMap<usize, (u64, usize)>;

/// What messages call the journal of a sweep.
pub(crate) fn name(plan: &Plan) -> String {
    journal_path(plan).map_or("the journal".to_owned(), |path| path.display().to_string())
}

/// Where the journal stands; nowhere without a file for the table.
pub(crate) fn journal_path(plan: &Plan) -> Option<PathBuf> {
    let table = &plan.output.table.as_ref().filter(|table| !is_stdout(&table.path))?.path;
    // What is no file, such as /dev/null, has no place beside it.
    let is_file = fs::metadata(table).map_or(true, |data| data.is_file());
    is_file.then(|| {
        let mut path = table.clone().into_os_string();
        path.push(ENDING);
        path.into()
    })
}

impl Journal {
    /// Begins a journal, or goes on with the one that is there.
    pub(crate) fn open(
        permit: &Permit,
        plan: &Plan,
        wanted: Wanted,
        resume: bool,
    ) -> Result<Self, Failure> {
        let kinds = [
            record::summary(plan),
            record::samples(plan.model.info),
            record::events(plan.model.info),
        ];
        let kinds = kinds.map(|columns| columns[1..].iter().map(|column| column.kind).collect());
        let Some(path) = journal_path(plan) else {
            if resume {
                let message = "--resume needs --table FILE: beside it stands what is done";
                return Err(Failure::Refused(message.to_owned()));
            }
            return Ok(Self { place: Place::Memory(BTreeMap::new()), kinds, broken: 0 });
        };
        let identity = plan.identity(wanted.samples, wanted.events);
        let head = format!("{{{}}}", members(&identity));
        let cannot = |error: io::Error| {
            Failure::Refused(format!("--table: cannot write {}: {error}", path.display()))
        };
        let file = opened(&path).map_err(cannot)?;
        if file.metadata().map_err(cannot)?.len() == 0 {
            let mut kept = Kept { path, file, head, lines: Lines::new(), end: 0 };
            let first = kept.append(&(MAGIC.to_owned() + &line::line(b"", &kept.head)));
            first.map_err(|error| Failure::output(&name(plan), error))?;
            return Ok(Self { place: Place::Kept(kept), kinds, broken: 0 });
        }
        let found = Found::read(&file, &head).map_err(cannot)?;
        found.check(&identity, resume, (&path, plan.count)).map_err(Failure::Refused)?;
        let Found { lines, broken, end, .. } = found;
        let mut kept = Kept { path, file, head, lines, end };
        if broken > 0 {
            kept.write_anew(permit).map_err(|error| Failure::output(&name(plan), error))?;
        }
        // What stands behind the last whole line was being written when it broke off.
        kept.file.set_len(kept.end).map_err(|error| Failure::output(&name(plan), error))?;
        Ok(Self { place: Place::Kept(kept), kinds, broken })
    }

    /// How many records were broken when it was opened.
    pub(crate) fn broken(&self) -> usize {
        self.broken
    }

    /// The number of runs that are done.
    pub(crate) fn done(&self) -> usize {
        match &self.place {
            Place::Memory(records) => records.len(),
            Place::Kept(Kept { lines, .. }) => lines.len(),
        }
    }

    /// The runs that are not done.
    pub(crate) fn missing(&self, count: usize) -> Vec<usize> {
        let is_done = |run: &usize| match &self.place {
            Place::Memory(records) => records.contains_key(run),
            Place::Kept(Kept { lines, .. }) => lines.contains_key(run),
        };
        (0..count).filter(|run| !is_done(run)).collect()
    }

    /// Keeps a record.
    pub(crate) fn keep(&mut self, record: Record) -> io::Result<()> {
        match &mut self.place {
            Place::Memory(records) => {
                records.insert(record.run, record);
                Ok(())
            }
            Place::Kept(kept) => {
                let line = line::line(kept.head.as_bytes(), &text(&record));
                let at = kept.append(&line)?;
                kept.lines.insert(record.run, (at, line.len()));
                Ok(())
            }
        }
    }

    /// The records in the order of their numbers.
    pub(crate) fn records(&mut self) -> impl Iterator<Item = io::Result<Record>> {
        let Self { place, kinds, .. } = self;
        let runs: Vec<usize> = match place {
            Place::Memory(records) => records.keys().copied().collect(),
            Place::Kept(Kept { lines, .. }) => lines.keys().copied().collect(),
        };
        runs.into_iter().map(move |run| match place {
            Place::Memory(records) => {
                records.get(&run).cloned().ok_or_else(|| broken("a run is gone"))
            }
            Place::Kept(kept) => {
                let bytes = kept.line(run)?;
                let text = line::text(kept.head.as_bytes(), &bytes);
                parse(text.ok_or_else(|| broken("a record is broken"))?, kinds)
            }
        })
    }

    /// Takes away the file: everything is in the tables.
    pub(crate) fn remove(self) {
        if let Place::Kept(Kept { path, file, .. }) = self.place {
            drop(file);
            // It is of no more use, and the tables are written.
            let _ = fs::remove_file(path);
        }
    }
}

fn opened(path: &Path) -> io::Result<File> {
    if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        return Err(io::Error::other("it is no file"));
    }
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

impl Kept {
    /// Writes a line to the end; where it begins. A line that breaks off is taken away.
    fn append(&mut self, line: &str) -> io::Result<u64> {
        let at = self.end;
        self.file.seek(SeekFrom::Start(at))?;
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            // The first error is the one to tell.
            let _ = self.file.set_len(at);
            return Err(error);
        }
        self.end += line.len() as u64;
        Ok(at)
    }

    /// The bytes of the line of a run.
    fn line(&mut self, run: usize) -> io::Result<Vec<u8>> {
        let (at, length) = self.lines.get(&run).copied().unwrap_or_default();
        let mut bytes = vec![0; length];
        self.file.seek(SeekFrom::Start(at))?;
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// Writes what is right into a new file in the place of the old one.
    fn write_anew(&mut self, permit: &Permit) -> io::Result<()> {
        let mut output = Output::of(permit, &self.path)?;
        let first = MAGIC.to_owned() + &line::line(b"", &self.head);
        output.write_all(first.as_bytes())?;
        let (mut lines, mut end) = (Lines::new(), first.len() as u64);
        for run in self.lines.keys().copied().collect::<Vec<_>>() {
            let bytes = self.line(run)?;
            let text = line::text(self.head.as_bytes(), &bytes).unwrap_or_default();
            let line = line::line(self.head.as_bytes(), &String::from_utf8_lossy(text));
            output.write_all(line.as_bytes())?;
            lines.insert(run, (end, line.len()));
            end += line.len() as u64;
        }
        output.finish()?;
        self.file = opened(&self.path)?;
        (self.lines, self.end) = (lines, end);
        Ok(())
    }
}

/// What stands in a file that is there.
struct Found {
    head: Head,
    lines: Lines,
    /// How many lines are broken, the head among them.
    broken: usize,
    end: u64,
}

enum Head {
    Right(Value),
    Broken,
    /// Of a journal without checksums.
    Old,
}

impl Found {
    /// Reads a journal of the sweep that a head tells of.
    fn read(file: &File, head: &str) -> io::Result<Self> {
        let mut reader = BufReader::new(file);
        let mut first = Vec::new();
        // A head that is much longer than the one that is looked for is none.
        let most = 1_000_000 + 2 * head.len() as u64;
        (&mut reader).take(most).read_until(b'\n', &mut first)?;
        let right = first.strip_prefix(MAGIC.as_bytes()).and_then(|rest| line::text(b"", rest));
        let is_old = || first.starts_with(b"{\"version of eom\"");
        let found = match right.and_then(|text| serde_json::from_slice(text).ok()) {
            Some(value) => Head::Right(value),
            None if is_old() => Head::Old,
            None => Head::Broken,
        };
        let mut lines = Lines::new();
        let see = |text: &[u8], at: (u64, usize)| {
            lines.extend(number_of(text).map(|run| (run, at)));
        };
        let start = first.len() as u64;
        let mut broken = usize::from(matches!(found, Head::Broken));
        // A head whose end is broken stands in one line with the first record.
        let whole = (MAGIC.len() + line::line(b"", head).len()) as u64;
        let read = if matches!(found, Head::Broken) && start != whole || start > whole {
            let mut file = file;
            file.seek(SeekFrom::Start(whole.min(file.metadata()?.len())))?;
            line::read(BufReader::new(file), whole, head.as_bytes(), see)?
        } else {
            line::read(reader, start, head.as_bytes(), see)?
        };
        broken += read.broken;
        Ok(Self { head: found, lines, broken, end: read.end })
    }

    /// Refuses what cannot be gone on with.
    fn check(
        &self,
        identity: &Identity,
        resume: bool,
        (path, count): (&Path, usize),
    ) -> Result<(), String> {
        let shown = path.display();
        match &self.head {
            Head::Old => {
                return Err(format!(
                    "{shown} was written by an eom that kept no checksums: nobody knows whether it \
                     is right\n  remove it to begin anew"
                ));
            }
            Head::Broken if self.lines.is_empty() => {
                return Err(format!(
                    "{shown} is no journal of this sweep, or all of it is broken\n  \
                     remove it to begin anew"
                ));
            }
            _ if !resume => return Err(there_already(path, self.lines.len(), count)),
            Head::Right(head) => {
                if let Some(reason) = differs(head, identity) {
                    return Err(format!(
                        "--resume: {shown} is of another sweep: {reason}\n  \
                         remove it to begin anew, or run what it is of"
                    ));
                }
            }
            Head::Broken => {}
        }
        Ok(())
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

/// The number at the beginning of a line.
fn number_of(line: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(line.strip_prefix(b"{\"run\":")?).ok()?;
    text.split_once(',')?.0.parse().ok()
}

/// `{"run":3,"summary":[…],"samples":[[…],…],"events":[[…],…]}`
fn text(record: &Record) -> String {
    let row =
        |cells: &Vec<Cell>| format!("[{}]", cells.iter().map(json).collect::<Vec<_>>().join(","));
    let rows =
        |rows: &Vec<Vec<Cell>>| format!("[{}]", rows.iter().map(row).collect::<Vec<_>>().join(","));
    let Record { run, summary, samples, events } = record;
    format!(
        "{{\"run\":{run},\"summary\":{},\"samples\":{},\"events\":{}}}",
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
        let text = text(&record);
        let kinds = [
            vec![Kind::Text, Kind::Number, Kind::Number],
            vec![Kind::Number; 2],
            vec![Kind::Text, Kind::Count],
        ];
        let again = parse(text.as_bytes(), &kinds).unwrap();
        assert_eq!(super::text(&again), text);
        assert_eq!(again, record);
        assert_eq!(number_of(text.as_bytes()), Some(12));
        assert!(
            parse(b"{\"run\":12,\"summary\":[1],\"samples\":[],\"events\":[]}", &kinds).is_err()
        );
    }
}
