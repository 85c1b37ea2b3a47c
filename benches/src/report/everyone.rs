//! The table of all contestants with all figures.

use super::{Row, scientific};
use crate::contest::Role;
use std::fmt::Write as _;

/// Everyone at each row, in Markdown.
pub fn everyone(rows: &[Row]) -> String {
    let mut text = String::from(
        "| work | who | tolerance | time | error | energy | constraint | steps |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for row in rows {
        let (work, unit) = (row.work.title(), row.work.unit());
        for entry in &row.entries {
            let name = match entry.role {
                Role::Aside => format!("{} (not compared)", entry.name),
                _ => entry.name.clone(),
            };
            let tolerance = scientific(entry.tolerance);
            let cells = match &entry.figure {
                Err(why) => format!("{why} | – | – | – | –"),
                Ok(figure) => {
                    let [error, energy, constraint] =
                        [figure.error, figure.energy, figure.constraint].map(scientific);
                    let steps = figure.steps.map_or("–".to_owned(), |steps| steps.to_string());
                    let time = unit.show(figure.ns);
                    format!("{time} | {error} | {energy} | {constraint} | {steps}")
                }
            };
            let _ = writeln!(text, "| {work} | {name} | {tolerance} | {cells} |");
        }
    }
    text
}
