//! The second gate: equations of motion, or what is said where there are none.

use crate::ast::{self, LinearTerm, Region};
use crate::diagnosis::{Terms, linear_term};
use crate::diagnostic::Errors;
use crate::resolve::{Places, Resolved, Scope, check_size};
use eom_symbolic::ExprPool;
use eom_symbolic::mechanics::{
    Bearer, DeriveError, EquationsOfMotion, KinkError, Resisted, Row, Speed, SystemModel, lagrange,
};
use eom_symbolic::print::{self, Names};

/// A declaration with its equations of motion.
#[derive(Debug)]
pub(super) struct Derived {
    /// The declaration, resolved.
    pub(super) model: SystemModel,
    /// What was derived.
    pub(super) equations: EquationsOfMotion,
    /// Where things stand.
    pub(super) places: Places,
}

/// The equations of a declaration, and its names.
pub(super) fn derived(
    system: &ast::System,
    resolved: Resolved,
    errors: &mut Errors,
) -> Option<(Derived, Scope)> {
    let Resolved { mut model, places, scope } = resolved;
    let derived = lagrange::derive(&mut model);
    if !check_size(&model.pool, &system.name, errors) {
        return None;
    }
    let Ok(equations) = derived else {
        for error in lagrange::mistakes(&mut model) {
            report_derivation(system, &mut model, &places, &error, errors);
        }
        return None;
    };
    Some((Derived { model, equations, places }, scope))
}

/// What is said of a declaration without equations of motion.
pub(super) fn report_derivation(
    system: &ast::System,
    model: &mut SystemModel,
    places: &Places,
    error: &DeriveError,
    errors: &mut Errors,
) {
    // table
    let (at, message, help) = match error {
        DeriveError::KineticNotQuadratic => {
            (places.energy, error.to_string(), Some(quadratic_help(system).to_owned()))
        }
        DeriveError::NoInertia { speed } => no_inertia(system, model, places, *speed),
        DeriveError::MultiplierWithFriction => (
            places.dissipation,
            "dry friction of `dissipation` or of rows cannot stand beside a force with a multiplier".to_owned(),
            Some("write all of the friction in `force`, or none of it there".to_owned()),
        ),
        DeriveError::UndefinedEnergy => (places.energy, error.to_string(), None),
        DeriveError::ContactsNeedKinetic => (places.system, error.to_string(), None),
        DeriveError::Kink { term, error } => {
            let names = Names::new(model);
            let text = print::unicode(&model.pool, *term, &names);
            (places.dissipation, format!("`{text}` {error}"), Some(kink_help(*error).to_owned()))
        }
        DeriveError::ContactKink { contact } => (
            places.contact_dissipations[*contact],
            "the dissipation of a contact must be smooth".to_owned(),
            Some("state dry friction in the `dissipation` of the system".to_owned()),
        ),
        DeriveError::UndefinedRow { row } => {
            (places.rows[*row], "this divides by zero".to_owned(), None)
        }
        DeriveError::UndefinedContactRow { contact, row } => {
            (places.contact_rows[*contact][*row], "this divides by zero".to_owned(), None)
        }
        DeriveError::IntegralWithBearer { bearer } => (
            places.slip(model, *bearer, Resisted::Slip),
            format!(
                "friction of a {} cannot stand beside friction over a body, an integral",
                match bearer {
                    Bearer::Contact(_) => "contact",
                    Bearer::Row(_) | Bearer::Rows { .. } => "constraint",
                }
            ),
            Some("take a sum of points for the integral".to_owned()),
        ),
        DeriveError::UndefinedSlip { bearer, resisted } => {
            (places.slip(model, *bearer, *resisted), "this divides by zero".to_owned(), None)
        }
        DeriveError::SlipNotAffine { bearer, resisted } => (
            places.slip(model, *bearer, *resisted),
            format!("a {} is linear in the velocities", resisted.motion()),
            Some(format!(
                "write {}, not a power or norm of it",
                match resisted {
                    Resisted::Slip => "the velocity of one body along the other",
                    Resisted::Roll | Resisted::Spin =>
                        "the angular velocity of one body on the other",
                }
            )),
        ),
        DeriveError::ChetaevWithContacts { row } => (
            places.rows[*row],
            "a row that is not affine in the velocities cannot stand beside contacts: Chetaev's rule says nothing of \
             velocities that jump"
                .to_owned(),
            Some("write the row with velocities of degree one, or the contact as a force".to_owned()),
        ),
        DeriveError::ChetaevWithFriction { row } => (
            places.rows[*row],
            "a row that is not affine in the velocities cannot stand beside dry friction: what sticks is told by rows \
             that do not depend on the velocities"
                .to_owned(),
            Some("write the row with velocities of degree one, or friction that is smooth".to_owned()),
        ),
        DeriveError::UndefinedGap { contact } => {
            (places.gaps[*contact], "this divides by zero".to_owned(), None)
        }
    };
    errors.error(at, message, help);
}

/// What to do with a kinetic energy that is not quadratic in the velocities.
fn quadratic_help(system: &ast::System) -> &'static str {
    let holds_norm =
        system.kinetic.as_ref().is_some_and(|energy| energy.value.to_text().contains("norm("));
    if holds_norm {
        "square what is a speed, `norm(v)^2`; a general energy is stated with `lagrangian = …;`"
    } else {
        "state a general energy with `lagrangian = …;`"
    }
}

/// A speed whose row of M is 0: it is not in the energy, or not squared.
fn no_inertia(
    system: &ast::System,
    model: &SystemModel,
    places: &Places,
    speed: usize,
) -> (Region, String, Option<String>) {
    let what = match &model.speeds[speed] {
        Speed { named, dots: 0, .. } => format!("`{}`", named.name),
        Speed { named, .. } => format!("coordinate `{}`", named.name),
    };
    if let Some(LinearTerm { at, text, speed }) = linear_term(system, model, &[speed], Terms::All) {
        return (
            at,
            format!(
                "{what} has no inertia: the kinetic energy holds `{text}`, and no square of `{speed}`"
            ),
            Some(format!("write `{speed}^2` for `{speed}`")),
        );
    }
    // What constraints tie to it would give it inertia; accelerations are solved with M alone.
    let is_tied = |row: &Row| row.coefficients.get(speed).is_some_and(|a| *a != ExprPool::ZERO);
    let help = match model.rows.iter().find(|row| is_tied(row)) {
        Some(row) => format!(
            "give it a mass, or leave the row `{}` out and write what it ties to it as `let`s",
            row.named.name
        ),
        None => "give it a mass, or write it as a `let` of the other coordinates".to_owned(),
    };
    let whose = if model.speeds[speed].dots == 0 { "it" } else { "its velocity" };
    (
        places.speeds[speed],
        format!("{what} has no inertia: {whose} is not in the kinetic energy"),
        Some(help),
    )
}

pub(super) fn kink_help(error: KinkError) -> &'static str {
    // table
    match error {
        KinkError::Form => {
            "dry friction is c*norm(w) or c*abs(w): c free of velocities, w linear in them"
        }
        KinkError::Coefficient => {
            "let the coefficient depend on t, coordinates and parameters only"
        }
        KinkError::Affine => "write the norm of a vector that is linear in the velocities",
        KinkError::Negative => "dissipation takes energy away: change the sign",
    }
}
