//! `eom figures`: draws the figures of the documents.

use crate::cli::FiguresArguments;
use crate::error::{Failure, Outcome};
use crate::figure;
use crate::files::{Files, Output};
use crate::names;
use crate::plot::{self, ImageFormat};
use crate::shell;
use models::figures::{FigureEntry, figures};
use std::fs;
use std::path::{Path, PathBuf};

/// Draws the figures that were asked for, or lists them.
pub(crate) fn draw(arguments: &FiguresArguments) -> Result<Outcome, Failure> {
    let chosen: Vec<&FigureEntry> = if arguments.names.is_empty() {
        figures().iter().collect()
    } else {
        let found = arguments.names.iter().map(|name| names::figure(name));
        found.collect::<Result<_, _>>().map_err(Failure::refused)?
    };
    if arguments.list {
        let lines: Vec<String> = chosen.iter().map(|figure| listed(figure)).collect();
        shell::print_line(lines.join("\n\n"))?;
        return Ok(Outcome::Done);
    }
    let folder = &arguments.out;
    let usual = vec![ImageFormat::Svg, ImageFormat::Png];
    let formats = arguments.format.map_or(usual, |only| vec![only]);
    let mut files = Files::default();
    for entry in &chosen {
        for &format in &formats {
            files.writes("--out", path(folder, entry, format));
        }
    }
    let permit = files.check(None)?;
    fs::create_dir_all(folder).map_err(|error| {
        Failure::Refused(format!("--out: cannot make {}: {error}", folder.display()))
    })?;
    for entry in chosen {
        let svg = figure::svg(entry)
            .map_err(|reason| Failure::Refused(format!("{}: {reason}", entry.name)))?;
        let mut written = Vec::new();
        for &format in &formats {
            let path = path(folder, entry, format);
            let output = Output::open(&permit, "--out", &path)?;
            output.replace(&plot::image(&svg, format, None).map_err(Failure::Refused)?)?;
            written.push(path.display().to_string());
        }
        shell::print_line(format_args!("{:<20}{}", entry.name, written.join(", ")))?;
    }
    Ok(Outcome::Done)
}

/// `penny-3 (bouncing-penny, Figure 3): The first 20 impacts …`.
fn listed(figure: &FigureEntry) -> String {
    let number = if figure.number.is_empty() { "" } else { ", " };
    format!("{} ({}{number}{})\n  {}", figure.name, figure.document, figure.number, figure.caption)
}

/// A file of a figure that is to be drawn.
fn path(folder: &Path, entry: &FigureEntry, format: ImageFormat) -> PathBuf {
    folder.join(format!("{}.{}", entry.name, format.extension()))
}
