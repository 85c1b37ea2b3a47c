//! Derivatives beside the function that they are of.

use super::Row;
use crate::contest::Role;
use crate::problem::Problem;
use crate::work::{Work, digits};
use std::fmt::Write as _;

/// How many times our function alone its values with all derivatives take, in Markdown; nothing without such rows.
pub fn derivatives(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        if let Work::Jacobian(problem) = row.work {
            text.extend(line(row, problem));
        }
    }
    if text.is_empty() {
        return text;
    }
    format!(
        "## Derivatives beside their functions\n\n\
         Ours: v̇ and λ alone, and with all of their derivatives by q and v.\n\n\
         | system | columns | function | with derivatives | times the function | at most |\n\
         | --- | ---: | ---: | ---: | ---: | ---: |\n{text}\n"
    )
}

fn line(row: &Row, problem: Problem) -> Option<String> {
    let unit = row.work.unit();
    let (_, ours) = row.best(Role::Ours, None)?;
    let function = row.function()?;
    let most = row.work.target().function.map_or("–".to_owned(), |most| most.to_string());
    let mut line = String::new();
    let _ = writeln!(
        line,
        "| {} | {} | {} | {} | {} | {most} |",
        problem.title(),
        problem.state().len(),
        unit.show(function),
        unit.show(ours.ns),
        digits(ours.ns / function),
    );
    Some(line)
}
