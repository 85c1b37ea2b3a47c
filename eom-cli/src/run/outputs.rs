//! The outputs of a run or sweep: tables and figures, declared together, opened together, and what
//! became of them.

use crate::cli::RunArguments;
use crate::complaint::{Complaint, Origin, refused};
use crate::error::Failure;
use crate::files::{Files, Output, Permit};
use crate::output::writer::{Format, Writer};
use crate::plot::{self, Drawn, ImageFormat, Look, Spec, image_format};
use crate::run::plan::Plan;
use crate::run::request::Request;
use crate::run::size;
use crate::scenario::{self, Named};
use crate::shell;
use crate::sweep::{TableFigure, journal_path};
use eom_sweep::table::{Cell, Column};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// All outputs, open.
pub(crate) struct Outputs {
    /// The tables.
    pub(crate) sheets: Sheets,
    /// The figures.
    pub(crate) pictures: Vec<Picture>,
    /// The page of the motion.
    pub(crate) page: Option<Output>,
    /// The GIF of the motion.
    pub(crate) gif: Option<Output>,
    /// For the journal of a sweep.
    pub(crate) permit: Permit,
}

impl Outputs {
    /// Whether one of them goes to standard output.
    pub(crate) fn use_stdout(&self) -> bool {
        let mut films = self.page.iter().chain(&self.gif);
        self.sheets.use_stdout || films.any(Output::is_stdout)
    }

    /// Opens all files, so that a run is not lost to a name that cannot be written. Before, all
    /// inputs and outputs are checked together. The figures show `request`, where there is one.
    pub(crate) fn open(
        plan: &Plan,
        arguments: &RunArguments,
        request: Option<&Request>,
    ) -> Result<Self, Failure> {
        let mut files = Files::default();
        files.reads_model(&arguments.model);
        plan.source.iter().for_each(|source| files.reads("the scenario file", &source.path));
        let films = [("--html", &plan.output.html), ("--gif", &plan.output.gif)];
        let of_films = films.into_iter().map(|(option, named)| (option, named.as_ref()));
        for (option, named) in tables(&plan.output).into_iter().chain(of_films) {
            if let Some(named) = named {
                let what = named.what(option);
                files.writes_kind(&what, &named.path, named.at.clone(), endings(option));
            }
        }
        if let Some(journal) = journal_path(plan).filter(|_| plan.is_sweep()) {
            files.writes("the journal of --table", &journal);
        }
        let sketches = match request {
            Some(request) => sketches(plan, request, arguments)?,
            None => Vec::new(),
        };
        for Sketch { spec, path, .. } in &sketches {
            let (what, at) = match &spec.origin {
                Origin::Argument(text) => (text.clone(), None),
                Origin::File(at) => ("`plot`".to_owned(), Some(at.clone())),
            };
            files.writes_at(&what, path, at);
        }
        let permit = files.check(plan.source.as_ref())?;
        size::check(plan)?;
        let sheets = Sheets::open(&permit, &plan.output)?;
        let pictures = sketches.into_iter().map(|sketch| sketch.open(plan, &permit));
        let pictures = pictures.collect::<Result<_, _>>()?;
        let [page, gif] = films.map(|(option, named)| {
            let named = named.as_ref();
            named.map(|named| Output::open(&permit, option, &named.path)).transpose()
        });
        Ok(Self { sheets, pictures, page: page?, gif: gif?, permit })
    }
}

/// How the names of the files of an option end.
fn endings(option: &str) -> &'static [&'static str] {
    // table
    match option {
        "--csv" => &["csv"],
        "--jsonl" => &["jsonl", "ndjson", "json"],
        "--parquet" => &["parquet", "pq"],
        "--html" => &["html", "htm"],
        "--gif" => &["gif"],
        _ => &["csv", "jsonl", "ndjson", "json", "parquet", "pq"],
    }
}

/// The tables by their options; those of samples come first.
pub(crate) fn tables(output: &scenario::Output) -> [(&'static str, Option<&Named>); 5] {
    [
        ("--csv", output.csv.as_ref()),
        ("--jsonl", output.jsonl.as_ref()),
        ("--parquet", output.parquet.as_ref()),
        ("--events", output.events.as_ref()),
        ("--table", output.table.as_ref()),
    ]
}

/// A table that is to be written, with its file open.
pub(crate) struct Sheet {
    output: Output,
    format: Format,
}

impl Sheet {
    fn open(permit: &Permit, option: &str, path: &Path) -> Result<Self, Failure> {
        let format = match option {
            "--csv" => Format::Csv,
            "--jsonl" => Format::JsonLines,
            "--parquet" => Format::Parquet,
            _ => Format::of(path),
        };
        Ok(Self { output: Output::open(permit, option, path)?, format })
    }

    /// Begins the table.
    pub(crate) fn begin(self, title: &str, columns: &[Column]) -> Stream {
        let name = self.output.name().to_owned();
        let writer = Writer::new(self.format, title, columns, self.output);
        Stream { name, writer, count: 0 }
    }

    /// Writes all of it, and takes note of that; `what` are its rows.
    pub(crate) fn write(
        self,
        (title, what): (&str, &str),
        columns: &[Column],
        rows: impl Iterator<Item = io::Result<Vec<Cell>>>,
        fate: &mut Fate,
    ) {
        let mut stream = self.begin(title, columns);
        for row in rows {
            stream.row(row);
        }
        stream.finish(what, fate);
    }
}

/// A table whose rows are written as they come.
pub(crate) struct Stream {
    name: String,
    /// What writes; what stopped it once something did.
    writer: io::Result<Writer<Output>>,
    count: usize,
}

impl Stream {
    /// Writes a row.
    pub(crate) fn row(&mut self, row: io::Result<Vec<Cell>>) {
        let Ok(writer) = &mut self.writer else { return };
        match row.and_then(|row| writer.row(row)) {
            Ok(()) => self.count += 1,
            Err(error) => self.writer = Err(error),
        }
    }

    /// Whether nobody reads it any more.
    pub(crate) fn is_left(&self) -> bool {
        self.writer.as_ref().is_err_and(|error| error.kind() == ErrorKind::BrokenPipe)
    }

    /// Writes the end, and takes note of all; `what` are its rows.
    pub(crate) fn finish(self, what: &str, fate: &mut Fate) {
        let written = self.writer.and_then(|writer| writer.finish(Output::finish));
        fate.note(&self.name, what, written.map(|()| self.count));
    }
}

/// The tables of a run or sweep.
pub(crate) struct Sheets {
    /// Samples, in each format that is asked for.
    pub(crate) samples: Vec<Sheet>,
    /// Impacts and events.
    pub(crate) events: Option<Sheet>,
    /// A row a run.
    pub(crate) table: Option<Sheet>,
    /// Whether one of them goes to standard output.
    pub(crate) use_stdout: bool,
}

impl Sheets {
    fn open(permit: &Permit, output: &scenario::Output) -> Result<Self, Failure> {
        let open = |(option, named): (&'static str, Option<&Named>)| {
            named.map(|named| Sheet::open(permit, option, &named.path)).transpose()
        };
        let [csv, jsonl, parquet, events, table] = tables(output);
        let samples = [open(csv)?, open(jsonl)?, open(parquet)?].into_iter().flatten();
        let samples: Vec<Sheet> = samples.collect();
        let (events, table) = (open(events)?, open(table)?);
        let mut all = samples.iter().chain(&events).chain(&table);
        let use_stdout = all.any(|sheet| sheet.output.is_stdout());
        Ok(Self { samples, events, table, use_stdout })
    }
}

/// What was written and what was lost.
#[derive(Debug, Default)]
pub(crate) struct Fate {
    written: Vec<String>,
    lost: Vec<Failure>,
}

impl Fate {
    /// Takes note of a table; `what` are its rows.
    pub(crate) fn note(&mut self, name: &str, what: &str, written: io::Result<usize>) {
        match written {
            Ok(count) => self.written.push(format!("{name} ({count} {what})")),
            // The reader of a pipe has what it wanted, as `head` has.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
            Err(error) => self.lost.push(Failure::output(name, error)),
        }
    }

    /// What was made; of what could not be the reason is told at the end, and all else is written.
    pub(crate) fn made<T>(&mut self, name: &str, made: Result<T, String>) -> Option<T> {
        made.map_err(|reason| self.lose(Failure::output(name, io::Error::other(reason)))).ok()
    }

    /// Takes note of what was lost.
    pub(crate) fn lose(&mut self, failure: Failure) {
        self.lost.push(failure);
    }

    /// Says what is kept where not everything is, and gives the first loss.
    pub(crate) fn tell(mut self, interrupted: bool) -> Result<(), Failure> {
        if (interrupted || !self.lost.is_empty()) && !self.written.is_empty() {
            shell::tell(format_args!("note: kept in {}", self.written.join(", ")));
        }
        if self.lost.is_empty() {
            return Ok(());
        }
        let first = self.lost.remove(0);
        for other in self.lost {
            shell::tell(format_args!("error: {other}"));
        }
        Err(first)
    }
}

/// A figure that is to be drawn.
struct Sketch {
    spec: Spec,
    drawn: Option<Drawn>,
    table: Option<TableFigure>,
    look: Look,
    path: PathBuf,
    format: ImageFormat,
}

impl Sketch {
    /// Opens its file. One that the user did not name is replaced only where it is a figure of this
    /// command.
    fn open(self, plan: &Plan, permit: &Permit) -> Result<Picture, Failure> {
        let Self { spec, drawn, table, look, path, format } = self;
        if !spec.is_named() && path.exists() && !plot::is_own(&path, format) {
            let shown = path.display();
            let message = format!("{shown} is there already, and is no figure of eom");
            let complaint = spec.origin.complain(message);
            let complaint = complaint.help("name another file: AXES=FILE");
            return Err(refused(plan.source.as_ref(), &[complaint]));
        }
        let output = Output::open(permit, "--plot", &path)?;
        Ok(Picture { spec, drawn, table, look, output, format })
    }
}

/// A figure that is to be drawn, with its file open.
pub(crate) struct Picture {
    /// What is asked for.
    pub(crate) spec: Spec,
    /// What that is for the first run, where it shows a motion.
    pub(crate) drawn: Option<Drawn>,
    /// What it shows of the tables of a sweep.
    pub(crate) table: Option<TableFigure>,
    /// How it looks.
    pub(crate) look: Look,
    output: Output,
    format: ImageFormat,
}

impl Picture {
    /// Whether it has a point for each event of many runs.
    pub(crate) fn is_at_events(&self) -> bool {
        self.table.as_ref().is_some_and(|table| table.at.is_some())
    }

    /// Writes the picture of an SVG; the line that says where, if the user did not.
    pub(crate) fn write(self, svg: Result<String, String>, fate: &mut Fate) -> String {
        let image = svg.and_then(|svg| plot::image(&svg, self.format, self.look.dpi));
        let name = self.output.name().to_owned();
        let Some(image) = fate.made(&name, image) else { return String::new() };
        match self.output.replace(&image) {
            Ok(()) if !self.spec.is_named() => return format!("{:13}{name}\n", "figure"),
            Ok(()) => {}
            Err(failure) => fate.lose(failure),
        }
        String::new()
    }
}

/// The figures that are asked for.
fn sketches(
    plan: &Plan,
    request: &Request,
    arguments: &RunArguments,
) -> Result<Vec<Sketch>, Failure> {
    let refuse = |complaint: Complaint| refused(plan.source.as_ref(), &[complaint]);
    let (mut sketches, mut counts_points) = (Vec::new(), false);
    let look = arguments.look().map_err(refuse)?;
    let format = arguments.format;
    for (text, origin) in &plan.output.plots {
        let spec = Spec::parse(text, origin).map_err(refuse)?;
        let axes = spec.axes();
        let table = axes.map(|axes| TableFigure::new(plan, axes)).transpose();
        let table = table.map_err(|reason| refuse(origin.complain(reason)))?.flatten();
        let drawn = match &table {
            Some(_) => None,
            None => Some(spec.drawn(request).map_err(refuse)?),
        };
        let words = match (&drawn, &table) {
            (Some(drawn), _) => drawn.words.clone(),
            (None, table) => table.as_ref().map(TableFigure::words),
        };
        let path = spec.path(&request.model.name, words.as_ref(), format);
        let format = image_format(&path).unwrap_or(format);
        let has_points = drawn.as_ref().is_some_and(|drawn| drawn.at.is_some())
            || table.as_ref().is_some_and(|table| table.at.is_some());
        counts_points |= has_points;
        let look = look.clone();
        sketches.push(Sketch { spec, drawn, table, look, path, format });
    }
    if look.last.is_some() && !counts_points {
        let message = "--last is of figures with a point at each event: --plot X:Y@EVENT";
        return Err(Failure::refused(message));
    }
    Ok(sketches)
}
