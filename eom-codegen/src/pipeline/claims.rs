//! The third gate: claims are resolved and decided, and what is said of those that do not follow.

use super::derivation::{Derived, report_derivation};
use crate::ast::{self, Region};
use crate::closed::{ClosedSystem, derive_closed, free_of_functions};
use crate::diagnostic::Errors;
use crate::resolve::{ClaimPlace, Scope, check_size, resolve_claims};
use eom_symbolic::mechanics::claim::on_motion::on_motion;
use eom_symbolic::mechanics::claim::sample::{Functions, SampleError};
use eom_symbolic::mechanics::claim::{
    ConditionFault, Failure, Verdict, Violated, check_conditions, decide, is_held,
};
use eom_symbolic::mechanics::{
    Along, Claim, Contact, EquationsOfMotion, Resisted, Statement, SystemModel,
};
use eom_symbolic::print::{self, Names};
use eom_symbolic::{ExprId, ExprPool, simplify};

/// A residual of more signs is not shown: nobody reads it.
const SHOWN_MAX: usize = 1200;

/// The claims in the model, and what they are decided on.
#[derive(Debug)]
pub(super) struct Stated {
    /// The system with contacts closed, for each set of contacts that claims name.
    pub(super) closed: Vec<ClosedSystem>,
    /// Where the claims stand.
    pub(super) places: Vec<ClaimPlace>,
    /// The system with a free symbol for each value of a declared function, where there are some.
    pub(super) free: Option<(SystemModel, EquationsOfMotion)>,
}

/// Claims and errata, in the names of what was derived.
pub(super) fn stated(
    system: &ast::System,
    scope: Scope,
    derived: &mut Derived,
    errors: &mut Errors,
) -> Option<Stated> {
    let Derived { model, equations, places } = derived;
    let closed = derive_closed(system, &scope, model, equations);
    let closed = closed.map_err(|error| report_derivation(system, model, places, &error, errors));
    let mut closed = closed.ok()?;
    let places = resolve_claims(system, model, scope, equations, &mut closed, errors);
    if !check_size(&model.pool, &system.name, errors) {
        return None;
    }
    let free = free_of_functions(model, equations, &mut closed);
    Some(Stated { closed, places, free })
}

/// Claims must follow, errata must not, their corrections must. A claim with a mistake is left alone.
pub(super) fn decide_claims(
    model: &mut SystemModel,
    (equations, functions): (&EquationsOfMotion, &Functions),
    closed: &mut [ClosedSystem],
    places: &[ClaimPlace],
    errors: &mut Errors,
) {
    for (claim, place) in model.claims.clone().iter().zip(places) {
        if place.mistaken {
            errors.hide();
            continue;
        }
        let system = closed.iter_mut().find(|system| system.contacts == claim.closed);
        match system {
            None => decide_claim(model, (equations, functions), claim, place, errors),
            Some(system) => {
                let sliding = sliding(model, claim);
                system.with_functions(model, |model, equations, functions| {
                    let is_held = |(_, slip): &&(String, Vec<ExprId>)| {
                        !slip.is_empty() && is_held(model, functions, slip, claim)
                    };
                    match sliding.iter().find(is_held) {
                        Some((contact, _)) => report_held(contact, (claim, place), errors),
                        None => decide_claim(model, (equations, functions), claim, place, errors),
                    }
                });
            }
        }
    }
}

/// The contacts of a claim that slide, with their slips.
fn sliding(model: &SystemModel, claim: &Claim) -> Vec<(String, Vec<ExprId>)> {
    let slides = claim.closed.iter().filter(|closed| closed.along == Some(Along::Slides));
    let contacts = slides.map(|closed| &model.contacts[closed.contact]);
    let slip = |contact: &Contact| -> Vec<ExprId> {
        let frictions = contact.frictions.iter().filter(|f| f.resisted == Resisted::Slip);
        frictions.flat_map(|friction| friction.slip.iter().copied()).collect()
    };
    contacts.map(|contact| (contact.named.name.clone(), slip(contact))).collect()
}

fn report_held(contact: &str, (claim, place): (&Claim, &ClaimPlace), errors: &mut Errors) {
    errors.error(
        place.statement,
        format!(
            "claim `{}`: `{contact}` slides nowhere: the constraints hold its slip",
            claim.named.name
        ),
        Some(format!("write `closed {contact} sticks`")),
    );
}

fn decide_claim(
    model: &mut SystemModel,
    (equations, functions): (&EquationsOfMotion, &Functions),
    claim: &Claim,
    place: &ClaimPlace,
    errors: &mut Errors,
) {
    if let Some((index, fault)) = check_conditions(model, functions, claim) {
        report_condition(claim, (index, place.conditions[index]), fault, errors);
        return;
    }
    let name = &claim.named.name;
    let at = (claim.at, claim.when.as_slice());
    let verdict = decide(model, equations, functions, &claim.statement, at);
    match (&claim.corrected, verdict) {
        (None, Verdict::Follows) if needless(model, equations, functions, claim) => {
            errors.error(
                place.conditions.iter().copied().reduce(Region::to).unwrap_or(place.statement),
                format!("claim `{name}` follows without its conditions"),
                Some("remove `when …`".to_owned()),
            );
        }
        (None, Verdict::Follows) | (Some(_), Verdict::Fails(_)) => {}
        (Some(_), Verdict::Follows) => errors.error(
            place.statement,
            format!("erratum `{name}`: the printed form follows, it is not a misprint"),
            Some("state it as a `claim`".to_owned()),
        ),
        (corrected, verdict) => {
            let what = if corrected.is_none() { "claim" } else { "erratum" };
            let what = (format!("{what} `{name}`"), place.statement);
            report_verdict((model, equations), claim, &claim.statement, verdict, what, errors);
        }
    }
    if let (Some((corrected, _)), Some(region)) = (&claim.corrected, place.corrected) {
        let verdict = decide(model, equations, functions, corrected, at);
        let what = format!("the corrected form of erratum `{name}`");
        report_verdict((model, equations), claim, corrected, verdict, (what, region), errors);
    }
}

/// Whether a claim that follows under conditions follows without them.
fn needless(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    functions: &Functions,
    claim: &Claim,
) -> bool {
    // The conditions of a display are those of all its rows.
    claim.print.is_none()
        && !claim.when.is_empty()
        && decide(model, equations, functions, &claim.statement, (claim.at, &[]))
            == Verdict::Follows
}

fn report_condition(
    claim: &Claim,
    (index, region): (usize, Region),
    fault: ConditionFault,
    errors: &mut Errors,
) {
    let name = &claim.named.name;
    let condition = &claim.when[index].text;
    let others =
        if index == 0 { "the constraints" } else { "the constraints and the conditions before it" };
    // table
    let (message, help) = match fault {
        ConditionFault::Unsatisfied => (
            format!(
                "`{name}` is checked nowhere: no state was found with `{condition}` on {others}"
            ),
            "state conditions that can hold; of two roots of an equation, state one",
        ),
        ConditionFault::Idle => (
            format!("`{condition}` has no effect: it holds at all states on {others}"),
            "remove the condition",
        ),
    };
    errors.error(region, message, Some(help.to_owned()));
}

/// What is said of a statement that does not follow.
fn report_verdict(
    (model, equations): (&mut SystemModel, &EquationsOfMotion),
    claim: &Claim,
    statement: &Statement,
    verdict: Verdict,
    (what, region): (String, Region),
    errors: &mut Errors,
) {
    match verdict {
        Verdict::Follows => {}
        Verdict::Fails(failure) => {
            let (message, help) = failure_words((model, equations), claim, statement, &failure);
            errors.error(region, format!("{what} {message}"), Some(help));
        }
        Verdict::Undecided(error) => {
            let name = &claim.named.name;
            let message = format!("`{name}` cannot be decided: {}", undecided(&error));
            errors.error(region, message, None);
        }
    }
}

fn undecided(error: &SampleError) -> &'static str {
    match error {
        SampleError::Bounds => "no parameters within the bounds were found",
        SampleError::Position => {
            "no state was found that satisfies the constraints and on which both sides are defined"
        }
        SampleError::Singular => {
            "at every state tried the mass matrix is singular or the constraints depend on each other"
        }
    }
}

/// Four digits, without an exponent where a person would not write one.
fn short(value: f64) -> String {
    match value.abs() {
        size if (1e-3..1e4).contains(&size) => {
            let decimals = 3 - eom_elementary::log10(size).floor() as i32;
            format!("{value:.*}", usize::try_from(decimals).unwrap_or(0))
        }
        _ => format!("{value:.3e}"),
    }
}

/// What the residual of a claim is: of `a < b`, which is decided as an equation, that of this one.
fn sides(claim: &Claim) -> String {
    match &claim.print {
        Some(print) if !print.printed.contains('=') => {
            format!("of `{}`, as which it is read, left − right", claim.text)
        }
        _ => "left − right".to_owned(),
    }
}

/// What a failure says, and the residual in simplest form.
fn failure_words(
    (model, equations): (&mut SystemModel, &EquationsOfMotion),
    claim: &Claim,
    statement: &Statement,
    failure: &Failure,
) -> (String, String) {
    let size = format!(
        "it is {} at a random state, where rounding explains {:.0e}",
        short(failure.value),
        failure.rounding
    );
    match (failure.residual, failure.violated) {
        (_, Some(Violated::Row(row))) => (
            format!("does not satisfy the constraint `{}`", model.rows[row].named.name),
            format!("A q̇ + b does not vanish along it: {size}"),
        ),
        (_, Some(Violated::Dynamics)) => {
            let coordinate = &model.speeds[failure.component].named.name;
            (
                "does not satisfy the equations of motion".to_owned(),
                format!("the force that no constraint provides, along `{coordinate}`: {size}"),
            )
        }
        (residual, None) => {
            let residual = residual.unwrap_or(ExprPool::ZERO);
            let text = residual_words((model, equations), claim, residual);
            let entries = match statement {
                Statement::Residuals(residuals) => residuals.len(),
                Statement::Motion(_) => 1,
            };
            let component = if entries > 1 {
                format!(" in component {} of {entries}", failure.component + 1)
            } else {
                String::new()
            };
            (format!("does not follow{component}"), format!("{}{text}; {size}", sides(claim)))
        }
    }
}

/// A residual in simplest form, and what the equations of motion make of it, where a reader can read them.
fn residual_words(
    (model, equations): (&mut SystemModel, &EquationsOfMotion),
    claim: &Claim,
    residual: ExprId,
) -> String {
    let simple = simplify::simplify(&mut model.pool, residual);
    let reduced = match claim.at {
        None => on_motion(model, equations, simple),
        Some(_) => None,
    };
    let names = Names::new(model);
    let names = if claim.at.is_some() { names.at_impact() } else { names };
    let shown = |e: ExprId| {
        let text = print::unicode(&model.pool, e, &names);
        (text.chars().count() <= SHOWN_MAX).then_some(text)
    };
    let whole = match shown(simple) {
        Some(text) => format!(" = {text}"),
        None => " is too long to be shown".to_owned(),
    };
    match reduced {
        // It is not 0 at the state: the forces of rows that depend on each other are no sum of others.
        Some(ExprPool::ZERO) => format!(
            "{whole}, which the equations of motion do not determine: rows depend on each other"
        ),
        Some(reduced) => match shown(reduced) {
            Some(reduced) => format!("{whole}, by the equations of motion {reduced}"),
            None => whole,
        },
        None => whole,
    }
}
