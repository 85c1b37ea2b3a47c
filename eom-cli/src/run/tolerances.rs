//! Absolute tolerances: one for all, and others for entries of the state by their names.

use crate::complaint::Complaint;
use crate::names::Target;
use crate::numbers::Known;
use crate::run::settings::{Assignment, Expression};
use crate::scenario::Solver;
use eom_core::info::SystemInfo;
use eom_core::{AbsoluteTolerance, Options};

/// Reads `1e-12` and `x=1e-9` texts: one for all at most, and one a name.
pub(crate) fn parse(
    texts: &[String],
    info: &SystemInfo,
) -> Result<(Option<Expression>, Vec<Assignment>), String> {
    let (mut all, mut own) = (None, Vec::<Assignment>::new());
    for text in texts {
        let Some((name, expression)) = text.split_once('=') else {
            if all.is_some() {
                return Err(format!("--atol {text}: one for all is given already"));
            }
            all = Some(Expression::argument("--atol", text));
            continue;
        };
        let wrong = |what: String| format!("--atol {text}: {what}");
        let target = Target::find(name, info).map_err(wrong)?;
        if place(target, info).is_none() {
            return Err(wrong(format!("`{}` is no coordinate and no velocity", name.trim())));
        }
        if own.iter().any(|other| other.target == target) {
            return Err(wrong("it is given already".to_owned()));
        }
        let value = Expression::argument(&format!("--atol {text}"), expression);
        own.push(Assignment { target, name: name.trim().to_owned(), value });
    }
    Ok((all, own))
}

/// The tolerances of a run; nothing where none is given.
pub(crate) fn absolute(
    solver: &Solver,
    known: &Known,
    info: &SystemInfo,
) -> Result<Option<AbsoluteTolerance>, Complaint> {
    let all = solver.atol.as_ref().map(|atol| atol.value(known)).transpose()?;
    let all = all.map(AbsoluteTolerance::All);
    if solver.atols.is_empty() {
        return Ok(all);
    }
    let rest = match all.unwrap_or(Options::default().absolute_tolerance) {
        AbsoluteTolerance::All(rest) => rest,
        AbsoluteTolerance::Each(_) => f64::NAN,
    };
    let mut each = vec![rest; info.positions() + info.speeds()];
    for Assignment { target, value, .. } in &solver.atols {
        let Some(place) = place(*target, info) else { continue };
        let number = value.value(known)?;
        if number.is_nan() || number < f64::MIN_POSITIVE {
            return Err(value.origin.complain(format!("it must be positive; it is {number:?}")));
        }
        each[place] = number;
    }
    Ok(Some(AbsoluteTolerance::Each(each)))
}

/// Where an entry of the state stands among (q, v).
fn place(target: Target, info: &SystemInfo) -> Option<usize> {
    match target {
        Target::Coordinate(index) => Some(index),
        Target::Velocity(index) => Some(info.positions() + index),
        _ => None,
    }
}
