//! Checks on numbers: defaults, literals, the sign of friction, the orders of partials.

use super::derivation::kink_help;
use crate::ast;
use crate::diagnostic::Errors;
use crate::resolve::Places;
use eom_symbolic::SymbolKind;
use eom_symbolic::mechanics::{EquationsOfMotion, KinkError, SystemModel};
use eom_symbolic::print::{self, Names};
use eom_symbolic::program::SystemPrograms;

/// The highest order of a partial that run time gives: `eom_core::function::ORDER_MAX`.
const ORDER_MAX: usize = 4;

/// The name of all dry friction that is spread over a body.
const SPREAD: &str = "integral";

/// Dry friction with the default parameters takes energy away.
pub(super) fn check_frictions(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    places: &Places,
    errors: &mut Errors,
) -> Vec<String> {
    if !equations.friction.is_some() {
        return Vec::new();
    }
    let names = Names::new(model);
    let mut values: Vec<Option<f64>> = Vec::new();
    for parameter in &model.parameters {
        let default = parameter.default;
        values
            .push(default.map(|e| model.pool.evaluate(&[e], |s| default_of(model, &values, s))[0]));
    }
    let mut texts = Vec::new();
    for point in &equations.friction.points {
        let components = point.components.iter().map(|w| print::unicode(&model.pool, *w, &names));
        let components: Vec<String> = components.collect();
        let text = match &components[..] {
            [component] => format!("abs({component})"),
            _ => format!("norm([{}])", components.join(", ")),
        };
        let c = model.pool.evaluate(&[point.coefficient], |s| default_of(model, &values, s))[0];
        if c < 0.0 {
            errors.error(
                places.dissipation,
                format!("`{text}` {}: {c} with the defaults", KinkError::Negative),
                Some(kink_help(KinkError::Negative).to_owned()),
            );
        }
        texts.push(text);
    }
    texts.extend(equations.friction.spread.map(|_| SPREAD.to_owned()));
    texts
}

/// Exact numbers may leave the range of f64 when programs are made of them.
pub(super) fn check_numbers(
    model: &SystemModel,
    programs: &SystemPrograms,
    places: &Places,
    errors: &mut Errors,
) {
    if let Some(program) = programs.all().into_iter().find(|program| !program.is_finite()) {
        errors.error(
            places.system,
            format!(
                "the {} of `{}` holds a number outside the range of f64",
                program.name.replace('_', " "),
                model.named.name
            ),
            Some("choose other units".to_owned()),
        );
    }
}

/// Run time has partials up to an order.
pub(super) fn check_orders(
    model: &SystemModel,
    programs: &SystemPrograms,
    places: &Places,
    errors: &mut Errors,
) {
    for (index, declared) in model.functions.iter().enumerate() {
        let lists = programs.functions.iter().filter(|list| list.function == index);
        let highest = lists.flat_map(|list| &list.partials).max_by_key(|partial| partial.total());
        if let Some(partial) = highest.filter(|partial| partial.total() > ORDER_MAX) {
            let name = &declared.named.name;
            let partial = model.pool.partial_name(*partial);
            errors.error(
                places.functions[index],
                format!(
                    "the equations need `{partial}`; at run time `{name}` has partials of order \
                     {ORDER_MAX} at most"
                ),
                Some(format!("use lower derivatives of `{name}` in the declaration")),
            );
        }
    }
}

/// Defaults must be numbers and satisfy the bounds.
pub(super) fn check_defaults(model: &SystemModel, system: &ast::System, errors: &mut Errors) {
    let mut values: Vec<Option<f64>> = Vec::new();
    for parameter in &model.parameters {
        let value = parameter
            .default
            .map(|default| model.pool.evaluate(&[default], |s| default_of(model, &values, s))[0]);
        values.push(value);
    }
    for (index, parameter) in model.parameters.iter().enumerate() {
        let Some(value) = values[index] else { continue };
        let declared = &system.parameters[index];
        let at = declared.name.region;
        if !value.is_finite() {
            let name = &parameter.named.name;
            errors.error(at, format!("the default of `{name}` is not a finite number"), None);
        }
        for (bound, written) in parameter.bounds.iter().zip(&declared.bounds) {
            let sides =
                model.pool.evaluate(&[bound.left, bound.right], |s| default_of(model, &values, s));
            let known = sides.iter().all(|side| side.is_finite());
            if known && !bound.relation.holds(sides[0], sides[1]) {
                let name = &parameter.named.name;
                errors.error(
                    at,
                    format!("the default `{name}` = {value} violates its bound {written}"),
                    Some("change the default or the bound".to_owned()),
                );
            }
        }
    }
}

fn default_of(model: &SystemModel, values: &[Option<f64>], symbol: eom_symbolic::SymbolId) -> f64 {
    match model.pool.symbol_info(symbol).kind {
        SymbolKind::Pi => std::f64::consts::PI,
        SymbolKind::Parameter(index) => values.get(index).copied().flatten().unwrap_or(f64::NAN),
        _ => f64::NAN,
    }
}
