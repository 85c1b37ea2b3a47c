//! The stages in order: tokens → syntax tree → model → equations → claims decided → programs.
//!
//! Three gates: after parsing and resolving, after the derivation, after the claims. At each,
//! every mistake found so far is reported; past the last nothing can fail.

use crate::ast::{self, Region};
use crate::closed::{ClosedSystem, derive_closed, free_of_functions};
use crate::diagnostic::{Diagnostic, Errors};
use crate::difference::write_differences;
use crate::resolve::{ClaimPlace, Places, resolve, resolve_claims};
use eom_symbolic::mechanics::claim::{
    ConditionFault, Failure, Verdict, Violated, check_conditions, decide,
};
use eom_symbolic::mechanics::report::{EquationsText, report};
use eom_symbolic::mechanics::sample::{Degenerate, Functions, SampleError, Sampler};
use eom_symbolic::mechanics::{
    Claim, DeriveError, EquationsOfMotion, KinkError, Speed, Statement, SystemModel, lagrange,
};
use eom_symbolic::print::{self, Names};
use eom_symbolic::program::SystemPrograms;
use eom_symbolic::{ExprPool, SymbolKind, simplify};

/// The highest order of a partial that run time gives: `eom_core::function::ORDER_MAX`.
const ORDER_MAX: usize = 4;

/// A derived system: what is emitted, printed and locked in snapshots.
#[derive(Debug)]
pub struct Derivation {
    /// The declaration, resolved, with its claims.
    pub model: SystemModel,
    /// The derived functions.
    pub equations: EquationsOfMotion,
    /// Their programs.
    pub programs: SystemPrograms,
    /// The terms of dry friction as printed: `norm([ẋ, ẏ])`.
    pub frictions: Vec<String>,
    /// The equations as a person writes them.
    pub text: EquationsText,
    /// The same as one text.
    pub equations_text: String,
}

impl Derivation {
    /// The listings of all programs that compute something, with their operation counts.
    pub fn listings(&self) -> String {
        let programs = self.programs.all().into_iter().filter(|p| !p.outputs.is_empty());
        let functions = self.programs.functions.iter().filter_map(|f| f.default.as_ref());
        let programs = programs.chain(functions);
        let listings: Vec<String> = programs.map(|p| p.listing(&self.model.pool)).collect();
        listings.join("\n")
    }
}

/// Derives a parsed system, or says everything that is wrong with it.
pub(crate) fn derive(
    system: &ast::System,
    mut errors: Errors,
) -> Result<Derivation, Vec<Diagnostic>> {
    let resolved = resolve(system, &mut errors);
    let Some(resolved) = resolved.filter(|_| errors.is_empty()) else {
        return Err(errors.into_diagnostics());
    };
    let (mut model, places, scope) = (resolved.model, resolved.places, resolved.scope);
    let equations = match lagrange::derive(&mut model) {
        Ok(equations) => equations,
        Err(error) => {
            report_derivation(&mut model, &places, &error, &mut errors);
            return Err(errors.into_diagnostics());
        }
    };
    // Programs before claims: what claims add to the pool must not move a slot of theirs.
    let programs = SystemPrograms::new(&model, &equations);
    check_numbers(&model, &programs, &places, &mut errors);
    check_orders(&model, &programs, &places, &mut errors);
    check_defaults(&model, system, &mut errors);
    let text = report(&model, &equations);
    let mut closed = match derive_closed(system, &scope, &mut model, &equations) {
        Ok(closed) => closed,
        Err(error) => {
            report_derivation(&mut model, &places, &error, &mut errors);
            return Err(errors.into_diagnostics());
        }
    };
    let claim_places =
        resolve_claims(system, &mut model, scope, &equations, &mut closed, &mut errors);
    let mut free = free_of_functions(&model, &equations, &mut closed);
    let (decided, derived) = match &mut free {
        Some((model, equations)) => (model, &*equations),
        None => (&mut model, &equations),
    };
    let functions = Functions::new(decided, derived);
    check_rank(decided, &functions, &places, &mut errors);
    if errors.is_empty() {
        let whole = (derived, &functions);
        decide_claims(decided, whole, &mut closed, &claim_places, &mut errors);
    }
    let frictions = check_frictions(&mut model, &equations, &places, &mut errors);
    let diagnostics = errors.into_diagnostics();
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    write_differences(&mut model);
    let equations_text = text.to_text();
    Ok(Derivation { model, equations, programs, frictions, text, equations_text })
}

/// The second gate: a declaration without equations of motion.
fn report_derivation(
    model: &mut SystemModel,
    places: &Places,
    error: &DeriveError,
    errors: &mut Errors,
) {
    // table
    let (at, message, help) = match error {
        DeriveError::KineticNotQuadratic => (
            places.energy,
            error.to_string(),
            Some("state a general energy with `lagrangian = …;`".to_owned()),
        ),
        DeriveError::NoInertia { speed } => (
            places.speeds[*speed],
            match &model.speeds[*speed] {
                Speed { named, dots: 0, .. } => {
                    format!("`{}` has no inertia: it is not in the kinetic energy", named.name)
                }
                Speed { named, .. } => format!(
                    "coordinate `{}` has no inertia: its velocity is not in the kinetic energy",
                    named.name
                ),
            },
            Some("give it a mass, or write it as a `let` of the other coordinates".to_owned()),
        ),
        DeriveError::MultiplierWithFriction => (
            places.dissipation,
            "dry friction cannot stand beside a force with a multiplier".to_owned(),
            Some("write all of the friction in `force`, or all in `dissipation`".to_owned()),
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
        DeriveError::UndefinedGap { contact } => {
            (places.gaps[*contact], "this divides by zero".to_owned(), None)
        }
    };
    errors.error(at, message, help);
}

fn kink_help(error: KinkError) -> &'static str {
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

/// The name of all dry friction that is spread over a body.
const SPREAD: &str = "integral";

/// Dry friction with the default parameters takes energy away.
fn check_frictions(
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
fn check_numbers(
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

/// Defaults must be numbers and satisfy the bounds.
fn check_defaults(model: &SystemModel, system: &ast::System, errors: &mut Errors) {
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

/// A system whose equations determine nothing, wherever one looks.
fn check_rank(model: &SystemModel, functions: &Functions, places: &Places, errors: &mut Errors) {
    match Sampler::new(model, functions, 0x0004_A11C).degenerate() {
        None => {}
        Some(Degenerate::Mass) => errors.error(
            places.energy,
            "the mass matrix is singular at every state: some velocity has no kinetic energy",
            Some("give each coordinate an inertia, or use fewer coordinates".to_owned()),
        ),
        Some(Degenerate::Row(row)) => errors.error(
            places.rows[row],
            format!(
                "constraint `{}` depends on those before it: its multiplier is not determined",
                model.rows[row].named.name
            ),
            Some("remove it".to_owned()),
        ),
    }
}

/// The third gate: claims must follow, errata must not, their corrections must.
fn decide_claims(
    model: &mut SystemModel,
    (equations, functions): (&EquationsOfMotion, &Functions),
    closed: &mut [ClosedSystem],
    places: &[ClaimPlace],
    errors: &mut Errors,
) {
    for (claim, place) in model.claims.clone().iter().zip(places) {
        let system = closed.iter_mut().find(|system| system.contacts == claim.closed);
        match system {
            None => decide_claim(model, (equations, functions), claim, place, errors),
            Some(system) => system.with_functions(model, |model, equations, functions| {
                decide_claim(model, (equations, functions), claim, place, errors);
            }),
        }
    }
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
            report_verdict(model, claim, &claim.statement, verdict, what, errors);
        }
    }
    if let (Some((corrected, _)), Some(region)) = (&claim.corrected, place.corrected) {
        let verdict = decide(model, equations, functions, corrected, at);
        let what = format!("the corrected form of erratum `{name}`");
        report_verdict(model, claim, corrected, verdict, (what, region), errors);
    }
}

/// Whether a claim that follows under conditions follows without them.
fn needless(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    functions: &Functions,
    claim: &Claim,
) -> bool {
    !claim.when.is_empty()
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
    model: &mut SystemModel,
    claim: &Claim,
    statement: &Statement,
    verdict: Verdict,
    (what, region): (String, Region),
    errors: &mut Errors,
) {
    match verdict {
        Verdict::Follows => {}
        Verdict::Fails(failure) => {
            let (message, help) = failure_words(model, claim, statement, &failure);
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
            let decimals = 3 - size.log10().floor() as i32;
            format!("{value:.*}", usize::try_from(decimals).unwrap_or(0))
        }
        _ => format!("{value:.3e}"),
    }
}

/// What a failure says, and the residual in simplest form.
fn failure_words(
    model: &mut SystemModel,
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
            let simple = simplify::simplify(&mut model.pool, residual);
            let names = Names::new(model);
            let names = if claim.at.is_some() { names.at_impact() } else { names };
            let text = print::unicode(&model.pool, simple, &names);
            let entries = match statement {
                Statement::Residuals(residuals) => residuals.len(),
                Statement::Motion(_) => 1,
            };
            let component = if entries > 1 {
                format!(" in component {} of {entries}", failure.component + 1)
            } else {
                String::new()
            };
            (format!("does not follow{component}"), format!("left − right = {text}; {size}"))
        }
    }
}
