//! `eom gather`: whether all chunks of a sweep are there, and one file of them.

use crate::cli::{GatherArguments, GatherFormat};
use crate::error::{Failure, Outcome};
use crate::files::{Files, Output};
use crate::shell;
use crate::sweep::chunks::failure;
use eom_core::Counted;
use eom_sweep::{Gathered, listed};
use std::fmt::Write as _;
use std::path::Path;

/// Looks through the folder, and writes the table that is asked for.
pub(crate) fn gather(arguments: &GatherArguments) -> Result<Outcome, Failure> {
    if let Some(path) = &arguments.table {
        let ending = path.extension().is_some_and(|ending| ending == "parquet");
        if !ending {
            let message = "--table: the joined file is Parquet: name it FILE.parquet";
            return Err(Failure::Refused(message.to_owned()));
        }
    }
    let found = Gathered::look(&arguments.folder).map_err(failure)?;
    let text = match arguments.format {
        GatherFormat::Text => text(&found),
        GatherFormat::Json => json(&found),
    };
    match &arguments.table {
        Some(path) if found.missing.is_empty() => join(&found, &arguments.of, path)?,
        _ => {}
    }
    shell::print(&text)?;
    Ok(if found.missing.is_empty() { Outcome::Done } else { Outcome::Mistaken })
}

/// Writes a table as one file.
fn join(found: &Gathered, table: &str, path: &Path) -> Result<(), Failure> {
    let mut files = Files::default();
    for chunk in found.files(table).map_err(failure)? {
        files.reads("a chunk", chunk);
    }
    files.writes("--table", path);
    let permit = files.check(None)?;
    found.check_place(path).map_err(failure)?;
    let mut output = Output::open(&permit, "--table", path)?;
    found.join(table, &mut output).map_err(failure)?;
    output.finish().map_err(|error| Failure::output(&path.display().to_string(), error))
}

fn text(found: &Gathered) -> String {
    let Gathered { path, runs, chunks, tables, missing, broken, temporaries } = found;
    let path = path.display();
    // Writing to a string does not fail.
    let [runs, chunks] = [(runs, "run"), (chunks, "chunk")].map(|(n, word)| Counted(*n, word));
    let mut text = format!("{runs} in {chunks}");
    let _ = match missing.len() {
        0 => writeln!(text, ", all there"),
        count => writeln!(text, ", {count} missing: --chunks {}", listed(missing)),
    };
    for file in broken {
        let _ = writeln!(text, "  broken: {}; it is made anew", file.display());
    }
    if !temporaries.is_empty() {
        let files = Counted(temporaries.len() as u64, "file");
        let _ =
            writeln!(text, "  not whole: {files} *.tmp, being written or left by what was killed");
    }
    if missing.is_empty() {
        for table in tables {
            let _ = writeln!(text, "  {table}: {path}/{table}/*.parquet");
        }
    }
    text
}

fn json(found: &Gathered) -> String {
    let Gathered { path, runs, chunks, tables, missing, broken, temporaries } = found;
    let value = serde_json::json!({
        "folder": path, "runs": runs, "chunks": chunks, "tables": tables, "missing": missing,
        "broken": broken, "temporaries": temporaries,
    });
    format!("{value}\n")
}
