//! Sweeps in chunks, each a file of a folder, as the command's `eom sweep` has them.

use crate::fault::value_error;
use crate::sweep::{Of, Row, end_names};
use crate::system::System;
use eom_core::info::SystemInfo;
use eom_interpreter::names::Target;
use eom_sweep::table::{Cell, Column, Kind};
use eom_sweep::{Folder, Gathered, Sweep, SweepError, Table};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::io;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// What a folder is of: the identity in names and values, the numbers of runs and of runs a chunk, the path.
type Place = (Vec<(String, String)>, u64, u64, PathBuf);

fn fault(error: SweepError) -> PyErr {
    match error {
        SweepError::File { path, error } => {
            io::Error::new(error.kind(), format!("{}: {error}", path.display())).into()
        }
        other => value_error(other.to_string()),
    }
}

/// The folder of a sweep, made where there is none.
fn folder(of: &Of<'_, '_>, targets: &[Target], place: Place) -> PyResult<Folder> {
    let (identity, runs, size, path) = place;
    let info = of.system.get().info();
    let size = NonZeroU64::new(size).ok_or_else(|| value_error("size must be at least 1"))?;
    let columns = columns(info, targets, of.outcomes);
    let tables = vec![Table { name: "runs".to_owned(), columns }];
    let sweep = Sweep { title: info.name.to_owned(), identity, runs, size, tables };
    Folder::open(&path, sweep).map_err(fault)
}

/// The columns of the runs: those of the command's table, the outcomes behind the energies.
fn columns(info: &SystemInfo, targets: &[Target], outcomes: &[String]) -> Vec<Column> {
    let mut columns = vec![Column::new("run", Kind::Count, "the number of the run, from 0")];
    let swept = targets.iter().map(|target| target.ascii(info));
    columns.extend(swept.map(|name| Column::new(name, Kind::Number, "swept")));
    columns.push(Column::new("ended", Kind::Text, "complete, early or refused"));
    columns.push(Column::new("reason", Kind::Text, "how it ended"));
    let numbers = end_names(info, outcomes).into_iter();
    columns.extend(numbers.map(|name| Column::new(name, Kind::Number, "at the end").optional()));
    let counts = ["impacts", "events", "steps"];
    columns.extend(counts.map(|name| Column::new(name, Kind::Count, "how many").optional()));
    columns
}

/// The row of a run, behind its number and what was set.
fn cells(run: u64, set: &[f64], row: &Row) -> Vec<Cell> {
    let mut cells = vec![Cell::Count(run)];
    cells.extend(set.iter().copied().map(Cell::number));
    cells.extend([Cell::Text(row.ended.to_owned()), Cell::Text(row.reason.clone())]);
    cells.extend(row.numbers.iter().copied().map(Cell::number));
    let is_made = row.ended != "refused";
    let count = |count: i64| u64::try_from(count).map_or(Cell::Missing, Cell::Count);
    cells.extend(row.counts.map(|n| if is_made { count(n) } else { Cell::Missing }));
    cells
}

/// Opens the folder of a sweep.
#[pyfunction]
pub(crate) fn open_chunks(
    system: &Bound<'_, System>,
    values: &Bound<'_, PyDict>,
    asked: &Bound<'_, PyDict>,
    names: Vec<String>,
    outcomes: Vec<String>,
    place: Place,
) -> PyResult<()> {
    let of = Of { system, values, asked, names: &names, outcomes: &outcomes };
    folder(&of, &of.targets()?, place).map(drop)
}

/// Makes a chunk where it is not there; whether it was made. The rows are those of its runs.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "called in one place, by the package itself")]
pub(crate) fn make_chunk<'py>(
    system: &Bound<'py, System>,
    values: &Bound<'py, PyDict>,
    asked: &Bound<'py, PyDict>,
    names: Vec<String>,
    rows: &Bound<'py, PyAny>,
    outcomes: Vec<String>,
    jobs: usize,
    place: Place,
    chunk: u64,
) -> PyResult<bool> {
    let of = Of { system, values, asked, names: &names, outcomes: &outcomes };
    let folder = folder(&of, &of.targets()?, place)?;
    if folder.is_done(chunk).map_err(fault)? {
        return Ok(false);
    }
    let range = folder.sweep().range(chunk).map_err(fault)?;
    let made = of.make(rows, jobs, None)?;
    if let Some(stop) = made.stopped {
        return Err(stop);
    }
    if made.rows.len() as u64 != range.end - range.start {
        return Err(value_error("the rows are not those of the chunk"));
    }
    let width = names.len();
    let mut table = Vec::with_capacity(made.rows.len());
    for (i, (run, row)) in range.zip(&made.rows).enumerate() {
        let Some(row) = row else {
            return Err(PyKeyboardInterrupt::new_err("a run was stopped"));
        };
        table.push(cells(run, &made.numbers[i * width..(i + 1) * width], row));
    }
    let py = system.py();
    py.detach(|| folder.write(chunk, vec![table])).map_err(fault)?;
    Ok(true)
}

/// What a folder has: runs, chunks, tables, missing, broken, temporaries.
#[pyfunction]
pub(crate) fn gathered(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyTuple>> {
    let found = py.detach(|| Gathered::look(&path)).map_err(fault)?;
    let Gathered { runs, chunks, tables, missing, broken, temporaries, .. } = found;
    (runs, chunks, tables, missing, broken, temporaries).into_pyobject(py)
}

/// Writes a table of a folder as one file, whole or not at all.
#[pyfunction]
pub(crate) fn joined(py: Python<'_>, path: PathBuf, table: &str, to: PathBuf) -> PyResult<()> {
    py.detach(|| {
        let found = Gathered::look(&path).map_err(fault)?;
        if !found.tables.iter().any(|name| name == table) {
            let tables = found.tables.join(", ");
            return Err(value_error(format!("there is no table `{table}`; tables: {tables}")));
        }
        found.join_into(table, &to).map_err(fault)
    })
}
