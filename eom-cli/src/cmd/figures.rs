//! `eom figures`: draws the figures of the documents.

use crate::cli::FiguresArguments;
use crate::error::{Failure, Outcome};
use crate::figure;
use crate::names;
use crate::plot::{self, ImageFormat};
use crate::run::files::Target;
use models::figures::{FigureEntry, figures};
use std::fs;
use std::io::{self, Write as _};

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
        return say(&lines.join("\n\n"));
    }
    let folder = &arguments.out;
    fs::create_dir_all(folder).map_err(|error| {
        Failure::Refused(format!("--out: cannot make {}: {error}", folder.display()))
    })?;
    for entry in chosen {
        let svg = figure::svg(entry)
            .map_err(|reason| Failure::Refused(format!("{}: {reason}", entry.name)))?;
        let mut written = Vec::new();
        let formats = [(ImageFormat::Svg, "svg"), (ImageFormat::Png, "png")];
        let wanted = |format| arguments.format.is_none_or(|only| only == format);
        for (format, extension) in formats.into_iter().filter(|(format, _)| wanted(*format)) {
            let path = folder.join(format!("{}.{extension}", entry.name));
            let mut target = Target::open("--out", &path)?;
            target.replace(&plot::image(&svg, format).map_err(Failure::Refused)?)?;
            written.push(path.display().to_string());
        }
        say(&format!("{:<20}{}", entry.name, written.join(", ")))?;
    }
    Ok(Outcome::Done)
}

/// `penny-3 (bouncing-penny, Figure 3): The first 20 impacts …`.
fn listed(figure: &FigureEntry) -> String {
    let number = if figure.number.is_empty() { "" } else { ", " };
    format!("{} ({}{number}{})\n  {}", figure.name, figure.document, figure.number, figure.caption)
}

fn say(text: &str) -> Result<Outcome, Failure> {
    writeln!(io::stdout().lock(), "{text}")
        .map_err(|error| Failure::output("standard output", error))?;
    Ok(Outcome::Done)
}
