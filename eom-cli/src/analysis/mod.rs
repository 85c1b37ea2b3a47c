//! What a motion means: linear systems, periodic orbits, their branches, Lyapunov exponents, and how they are written.

pub(crate) mod along;
pub(crate) mod bifurcation;
pub(crate) mod linear;
pub(crate) mod lyapunov;
pub(crate) mod orbit;
pub(crate) mod sensitivity;
pub(crate) mod sentences;
mod shown;

use crate::error::{Failure, Outcome};
use crate::shell;
use eom_core::nalgebra::Complex;

/// What there is at each value of a sweep, or why there is nothing.
type Rows<T> = Vec<(f64, Result<T, String>)>;

/// Shows what there is of a sweep, and tells what has no answer; where nothing has, nothing is shown.
fn told<T>(
    name: &str,
    rows: &Rows<T>,
    show: impl FnOnce() -> Result<(), Failure>,
) -> Result<Outcome, Failure> {
    let missing = rows.iter().filter_map(|(at, row)| Some((at, row.as_ref().err()?)));
    let count = missing.clone().count();
    let first = missing.clone().next().map(|(at, reason)| format!("{name} = {at}: {reason}"));
    match first {
        Some(first) if count == rows.len() => {
            return Err(Failure::Refused(format!("no value has an answer; {first}")));
        }
        _ => show()?,
    }
    let Some(first) = first else { return Ok(Outcome::Done) };
    shell::tell(format_args!("warning: {count} values have no answer; {first}"));
    Ok(Outcome::Mistaken)
}

/// Prints a table of a sweep whose first column is its value; a row without an answer has nothing else.
fn table(columns: &[String], rows: &Rows<Vec<f64>>) -> Result<Outcome, Failure> {
    told(&columns[0], rows, || {
        let numbers = |(at, row): &(f64, Result<Vec<f64>, String>)| {
            let values = row.as_deref().unwrap_or_default();
            tabbed(std::iter::once(*at).chain(values.iter().copied()))
        };
        let lines = std::iter::once(columns.join("\t")).chain(rows.iter().map(numbers));
        shell::print_line(lines.collect::<Vec<_>>().join("\n"))
    })
}

/// A line of tab-separated numbers, with all their digits.
fn tabbed(numbers: impl Iterator<Item = f64>) -> String {
    let cell = |number: f64| if number.is_nan() { String::new() } else { number.to_string() };
    numbers.map(cell).collect::<Vec<_>>().join("\t")
}

/// The columns of re and im of so many.
fn names_of_parts(count: usize) -> impl Iterator<Item = String> {
    (1..=count).flat_map(|i| [format!("re_{i}"), format!("im_{i}")])
}

/// re and im of each.
fn parts(values: &[Complex<f64>]) -> impl Iterator<Item = f64> {
    values.iter().flat_map(|value| [value.re, value.im])
}
