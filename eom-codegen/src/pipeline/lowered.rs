//! The programs of the equations, within what run time can do.

use super::derivation::Derived;
use crate::ast;
use crate::diagnostic::Errors;
use crate::resolve::{Places, check_length};
use eom_symbolic::mechanics::SystemModel;
use eom_symbolic::program::SystemPrograms;

/// The highest order of a partial that run time gives: `eom_core::function::ORDER_MAX`.
const ORDER_MAX: usize = 4;

/// The programs of the equations.
pub(super) fn lowered(
    system: &ast::System,
    derived: &Derived,
    errors: &mut Errors,
) -> Option<SystemPrograms> {
    let Derived { model, equations, places } = derived;
    let programs = SystemPrograms::new(model, equations);
    if !check_length(&programs, &system.name, errors) {
        return None;
    }
    check_orders(model, &programs, places, errors);
    Some(programs)
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
fn check_orders(
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
