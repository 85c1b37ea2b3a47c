//! Checks on numbers: defaults, the sign of friction.

use super::derivation::{Derived, kink_help};
use crate::ast::{self, Region};
use crate::diagnostic::Errors;
use crate::resolve::mistake::Mistake;
use eom_elementary::Digits;
use eom_symbolic::mechanics::{Bearer, KinkError, SystemModel};
use eom_symbolic::print::{self, Names};

/// The name of all dry friction that is spread over a body.
const SPREAD: &str = "integral";

/// Dry friction with the default parameters takes energy away.
pub(super) fn check_frictions(derived: &mut Derived, errors: &mut Errors) -> Vec<String> {
    let Derived { model, equations, places } = derived;
    if !equations.friction.is_some() && equations.friction.points.is_empty() {
        return Vec::new();
    }
    let names = Names::new(model);
    let values = model.defaults();
    let mut texts = Vec::new();
    for point in &equations.friction.points {
        let components = point.components.iter().map(|w| print::unicode(&model.pool, *w, &names));
        let components: Vec<String> = components.collect();
        if let Some(borne) = point.borne {
            let of: Vec<_> = [borne.at_rest, point.coefficient]
                .into_iter()
                .chain(point.weights.clone())
                .collect();
            let μ = model.pool.evaluate(&of, |s| model.default_of(s, &values));
            let place = places.slip(model, borne.bearer, borne.resisted);
            check_coefficients((μ[0], μ[1]), place, errors);
            μ[2..].iter().for_each(|μ| check_coefficients((*μ, *μ), place, errors));
            let name = match borne.bearer {
                Bearer::Contact(contact) => &model.contacts[contact].named.name,
                Bearer::Row(row) | Bearer::Rows { first: row, .. } => model.name_of_rough(row),
            };
            texts.push(borne.resisted.of(name));
            continue;
        }
        let text = match &components[..] {
            [component] => format!("abs({component})"),
            _ => format!("norm([{}])", components.join(", ")),
        };
        let c = model.pool.evaluate(&[point.coefficient], |s| model.default_of(s, &values))[0];
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

/// 0 ≤ μ ≤ μ_s with the default parameters.
fn check_coefficients((at_rest, sliding): (f64, f64), at: Region, errors: &mut Errors) {
    if sliding < 0.0 {
        Mistake::NegativeFriction { value: format!("{sliding} with the defaults") }
            .report(errors, at);
    } else if at_rest < sliding {
        Mistake::FrictionOrder.report(errors, at);
    }
}

/// Defaults must be numbers and satisfy the bounds.
pub(super) fn check_defaults(
    model: &SystemModel,
    system: &ast::System,
    errors: &mut Errors,
) -> bool {
    let found = errors.len();
    let values = model.defaults();
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
                model.pool.evaluate(&[bound.left, bound.right], |s| model.default_of(s, &values));
            let known = sides.iter().all(|side| side.is_finite());
            if known && !bound.relation.holds(sides[0], sides[1]) {
                let name = &parameter.named.name;
                errors.error(
                    at,
                    format!(
                        "the default `{name}` = {} violates its bound {written}",
                        Digits(value)
                    ),
                    Some("change the default or the bound".to_owned()),
                );
            }
        }
    }
    errors.len() == found
}
