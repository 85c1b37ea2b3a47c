//! What to say about a start that the library refuses: the option at fault, and what can be done.

use crate::error::Failure;
use crate::run::request::Request;
use eom_core::{ResidualKind, StartError};

/// The refusal of a run in the words of the command.
pub(crate) fn refusal(request: &Request, error: &StartError) -> Failure {
    let text = match error {
        StartError::Option { name, value, low, high } => {
            option(name, *value, *low, *high).unwrap_or_else(|| with_help(error))
        }
        StartError::NoEnd => {
            format!("{error}\n  give --until T or --impacts N, or [end] in a scenario file")
        }
        StartError::Inconsistent { residuals } => {
            let penetrates = residuals.iter().any(|residual| residual.kind == ResidualKind::Gap);
            format!("{error}\n  {}", if penetrates { apart(request) } else { consistent() })
        }
        _ => with_help(error),
    };
    Failure::Refused(text)
}

fn with_help(error: &StartError) -> String {
    match error.help() {
        Some(help) => format!("{error}\n  {help}"),
        None => error.to_string(),
    }
}

/// A number that is out of its range, by the option that gave it.
fn option(name: &str, value: f64, low: f64, high: f64) -> Option<String> {
    let option = match name {
        "step" => "--step",
        "relative tolerance" => "--rtol",
        "absolute tolerance" => "--atol",
        "sampling interval" => "--sample",
        _ => return None,
    };
    Some(format!("{option} {}", must(value, low, high)))
}

/// What a number out of its range must be.
pub(crate) fn must(value: f64, low: f64, high: f64) -> String {
    // Where every positive number is allowed, the bounds are those of the number format.
    let range = match (low, high) {
        (_, f64::MAX) if value > high => "be finite".to_owned(),
        (f64::MIN_POSITIVE, f64::MAX..) => "be positive".to_owned(),
        (_, f64::MAX..) => format!("be at least {low:?}"),
        _ => format!("lie between {low:?} and {high:?}"),
    };
    format!("must {range}; it is {value:?}")
}

fn apart(request: &Request) -> String {
    let set = &request.parameters_set;
    if set.is_empty() {
        return "set other initial values: a contact is penetrated".to_owned();
    }
    format!(
        "a contact is penetrated with {}: set other initial values or other parameters",
        set.join(" ")
    )
}

fn consistent() -> String {
    "set other initial values, or give --project-start to move the state to its constraints"
        .to_owned()
}
