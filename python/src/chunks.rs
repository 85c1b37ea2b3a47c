//! Sweeps in chunks, each a file of a folder, as the command's `eom sweep` has them.

use crate::arrow::stream_of;
use crate::fault::value_error;
use crate::sweep::{Of, Row, names};
use crate::system::System;
use eom_interpreter::names::Target;
use eom_sweep::table::Cell;
use eom_sweep::{Folder, Gathered, Sweep, SweepError, Table};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};
use std::io;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// What a folder is of: the identity in names and values, the numbers of runs and of runs a chunk, the path.
type Place = (Vec<(String, String)>, u64, u64, PathBuf);

fn fault(error: SweepError) -> PyErr {
    match error {
        SweepError::File { path, error } | SweepError::Unread { path, error } => {
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
    let columns = names(info, targets, of.outcomes).columns();
    let tables = vec![Table { name: "runs".to_owned(), columns }];
    let sweep = Sweep { title: info.name.to_owned(), identity, runs, size, tables };
    Folder::open(&path, sweep).map_err(fault)
}

/// The row of a run, behind its number and what was set.
fn cells(run: u64, set: &[f64], row: &Row) -> Vec<Cell> {
    let set = set.iter().copied().map(Cell::number);
    let row = eom_sweep::runs::cells(row.ended, &row.reason, &row.numbers, row.counts);
    [Cell::Count(run)].into_iter().chain(set).chain(row).collect()
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
    folder(&of, &of.targets()?, place)?.clear().map_err(fault)
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
        found.join_into(table, &to).map_err(fault)
    })
}

/// The files of a table of a folder, in the order of their runs.
#[pyfunction]
pub(crate) fn table_files(py: Python<'_>, path: PathBuf, table: &str) -> PyResult<Vec<PathBuf>> {
    py.detach(|| Gathered::look(&path).and_then(|found| found.files(table)).map_err(fault))
}

/// A capsule of a table of a folder for whatever reads Arrow, in the order of the runs.
#[pyfunction]
pub(crate) fn table_stream<'py>(
    py: Python<'py>,
    path: PathBuf,
    table: &str,
) -> PyResult<Bound<'py, PyCapsule>> {
    let groups = py.detach(|| Gathered::look(&path)?.groups(table)).map_err(fault)?;
    stream_of(py, groups)
}
