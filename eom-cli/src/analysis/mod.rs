//! What a motion means: linear systems, periodic orbits, Lyapunov exponents, and how they are written.

pub(crate) mod linear;
pub(crate) mod lyapunov;
pub(crate) mod orbit;
mod shown;

use crate::error::{Failure, Outcome};
use crate::shell;
use eom_core::nalgebra::Complex;

/// The words for swept values: a row a value, `-` and the reason where there is no answer.
struct Table {
    rows: Vec<(f64, Result<Vec<f64>, String>)>,
    /// What is swept, then the columns.
    columns: Vec<String>,
}

impl Table {
    /// Tab-separated values; a row without an answer has its first column only.
    fn tsv(&self) -> String {
        let mut lines = vec![self.columns.join("\t")];
        for (at, values) in &self.rows {
            let numbers = std::iter::once(at).chain(values.as_deref().unwrap_or_default());
            lines.push(numbers.map(ToString::to_string).collect::<Vec<_>>().join("\t"));
        }
        lines.join("\n")
    }

    /// Prints it, and tells what has no answer.
    fn print(&self) -> Result<Outcome, Failure> {
        let missing = self.rows.iter().filter_map(|(at, row)| Some((at, row.as_ref().err()?)));
        let missing: Vec<(&f64, &String)> = missing.collect();
        let name = &self.columns[0];
        if let (Some((at, reason)), true) = (missing.first(), missing.len() == self.rows.len()) {
            let message = format!("no value has an answer; {name} = {at}: {reason}");
            return Err(Failure::Refused(message));
        }
        shell::print_line(self.tsv())?;
        let Some((at, reason)) = missing.first() else { return Ok(Outcome::Done) };
        let count = missing.len();
        shell::tell(format_args!(
            "warning: {count} values have no answer; {name} = {at}: {reason}"
        ));
        Ok(Outcome::Mistaken)
    }
}

/// re and im of each.
fn parts(values: &[Complex<f64>]) -> impl Iterator<Item = f64> {
    values.iter().flat_map(|value| [value.re, value.im])
}
