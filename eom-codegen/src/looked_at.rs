//! What is looked at along a run: the drawing of a declaration, and numbers written in its names. The declaration is
//! resolved and nothing is derived.

use crate::ast;
use crate::diagnostic::{Diagnostic, Errors};
use crate::parse::{parse_expression, parse_text};
use crate::resolve::{Resolved, check_size, resolve, resolve_drawing, resolve_numbers};
use eom_symbolic::ExprId;
use eom_symbolic::mechanics::SystemModel;

/// The model of a declaration with its drawing, a usual one where it declares none.
pub fn drawing_source(source: &str) -> Result<SystemModel, Vec<Diagnostic>> {
    let (system, Resolved { mut model, scope, .. }) = resolved(source)?;
    let mut errors = Errors::new();
    model.drawing = resolve_drawing(&system, &mut model, scope, &mut errors);
    check_size(&model.pool, &system.name, &mut errors);
    let mistakes = errors.into_diagnostics();
    if mistakes.is_empty() { Ok(model) } else { Err(mistakes) }
}

/// The model of a declaration with numbers in its names, `let`s among them: `X_dot + lambda(floor)`.
pub fn numbers_source(
    source: &str,
    texts: &[&str],
) -> Result<(SystemModel, Vec<ExprId>), Vec<Diagnostic>> {
    let (system, Resolved { mut model, scope, .. }) = resolved(source)?;
    let mut errors = Errors::new();
    let expressions: Vec<ast::Expr> =
        texts.iter().filter_map(|text| parse_expression(text, &mut errors)).collect();
    let numbers = resolve_numbers(&system, &mut model, scope, &expressions, &mut errors);
    check_size(&model.pool, &system.name, &mut errors);
    let mistakes = errors.into_diagnostics();
    if mistakes.is_empty() { Ok((model, numbers)) } else { Err(mistakes) }
}

/// A declaration with its names.
fn resolved(source: &str) -> Result<(ast::System, Resolved), Vec<Diagnostic>> {
    let (system, mut errors) = parse_text(source);
    let found =
        system.and_then(|system| resolve(&system, &mut errors).map(|found| (system, found)));
    match (found, errors.is_empty()) {
        (Some(found), true) => {
            // There are none to be read.
            errors.into_diagnostics();
            Ok(found)
        }
        _ => Err(errors.into_diagnostics_so_far()),
    }
}
