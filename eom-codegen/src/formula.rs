//! Formulas of the command line: an expression of the language in arguments and parameters.

use crate::diagnostic::{Diagnostic, Errors};
use crate::parse::parse_expression;
use crate::resolve::resolve_formula;
use eom_symbolic::formula::Formula;

/// Reads a function given as text, such as `0.1*sin(x)*cos(y)`, of the named arguments and of
/// parameters with their values; names in Unicode or ASCII.
pub fn formula_source(
    text: &str,
    arguments: &[&str],
    parameters: &[(String, f64)],
) -> Result<Formula, Vec<Diagnostic>> {
    let mut errors = Errors::new();
    let formula = parse_expression(text, &mut errors)
        .and_then(|expr| resolve_formula(&expr, arguments, parameters, &mut errors));
    let mistakes = errors.into_diagnostics();
    match formula {
        Some(formula) if mistakes.is_empty() => Ok(formula),
        _ => Err(mistakes),
    }
}
