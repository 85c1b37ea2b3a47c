//! The stages in order, each a function from what it needs to what it makes:
//!
//! ```text
//! resolve    syntax tree                → Resolved: model, places, scope
//! derived    Resolved                   → Derived: model, equations, places      printing ends here
//! lowered    Derived                    → programs
//! stated     Derived, scope             → Stated: claims, systems with contacts closed
//! judged     Derived, programs, Stated  → whether it moves; claims that do not follow
//! diagnosed  Derived, Stated            → errors, warnings, notes
//! ```
//!
//! Where a stage has nothing to give to the next one, after parsing and resolving or after the derivation, the
//! mistakes so far are reported, as such. What no equation depends on, events, scenarios, outputs, claims, does
//! not stop anything: its mistakes are told with those of the claims that do not follow and of the diagnosis
//! of the model. Past that nothing can fail.

mod checks;
mod claims;
mod derivation;
mod judged;
mod lowered;
mod print;

use crate::ast;
use crate::diagnosis::check_allows;
use crate::diagnostic::{Diagnostic, Errors};
use crate::resolve::{check_size, resolve, resolve_drawing};
use checks::{check_defaults, check_frictions};
use claims::stated;
use derivation::{Derived, derived};
use eom_symbolic::mechanics::report::{EquationsText, report};
use eom_symbolic::mechanics::{EquationsOfMotion, SystemModel};
use eom_symbolic::program::{NoDerivatives, SystemPrograms};
use judged::{diagnosed, judged};
use lowered::lowered;
use print::Print;

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
    print: Print,
}

impl Derivation {
    /// The equations as a person writes them, made when they are first asked for.
    pub fn text(&self) -> &EquationsText {
        self.print.text(&self.equations)
    }

    /// The same as one text.
    pub fn equations_text(&self) -> String {
        self.text().to_text()
    }

    /// By how much each misprint differs from what it should read, by the claims of the model; empty for what follows.
    /// Made when they are first asked for.
    pub fn differences(&self) -> &[String] {
        self.print.differences(&self.model)
    }

    /// The same with kernels of derivatives and inverse dynamics, those of
    /// [`SystemPrograms::with_derivatives`].
    ///
    /// # Errors
    /// A system that has none as straight-line code.
    pub fn with_derivatives(self) -> Result<Self, NoDerivatives> {
        let Self { mut model, programs, .. } = self;
        let programs = programs.with_derivatives(&mut model, &self.equations)?;
        Ok(Self { model, programs, ..self })
    }

    /// The listings of all programs that compute something, with their operation counts.
    pub fn listings(&self) -> String {
        let functions = self.programs.functions.iter().filter_map(|f| f.default.as_ref());
        let programs = self.programs.computing().chain(functions);
        let listings: Vec<String> = programs.map(|p| p.listing(&self.model.pool)).collect();
        listings.join("\n")
    }
}

/// The equations of a declaration, where nothing else is asked for: its claims are left out.
#[derive(Debug)]
pub struct Equations {
    /// The declaration, resolved.
    pub model: SystemModel,
    /// The derived functions.
    pub equations: EquationsOfMotion,
}

impl Equations {
    /// The equations as a person writes them.
    pub fn text(&self) -> EquationsText {
        report(&self.model, &self.equations)
    }
}

/// A derived system, and the warnings and notes of its diagnosis in this order.
pub(crate) type Diagnosed = (Derivation, Vec<Diagnostic>);

/// Derives a parsed system, or says everything that is wrong with it.
pub(crate) fn derive(
    system: &ast::System,
    mut errors: Errors,
) -> Result<Diagnosed, Vec<Diagnostic>> {
    if !errors.is_empty() {
        // What could not be read may hold more.
        errors.hide();
    }
    let Some(diagnosed) = all_stages(system, &mut errors) else {
        return Err(errors.into_diagnostics_so_far());
    };
    let mistakes = errors.into_diagnostics();
    if mistakes.is_empty() { Ok(diagnosed) } else { Err(mistakes) }
}

/// The stages up to the equations.
pub(crate) fn equations(
    system: &ast::System,
    mut errors: Errors,
) -> Result<Equations, Vec<Diagnostic>> {
    let found =
        resolve(system, &mut errors).and_then(|resolved| derived(system, resolved, &mut errors));
    let mistakes = errors.into_diagnostics();
    match found {
        Some((derived, _)) if mistakes.is_empty() => {
            Ok(Equations { model: derived.model, equations: derived.equations })
        }
        _ => Err(mistakes),
    }
}

/// All of them; none where one of them has nothing for the next.
fn all_stages(system: &ast::System, errors: &mut Errors) -> Option<Diagnosed> {
    check_allows(system, errors);
    let resolved = resolve(system, errors)?;
    let (mut derived, scope) = derived(system, resolved, errors)?;
    // Programs before claims: what claims add to the pool must not move a slot of theirs.
    let programs = lowered(system, &derived, errors)?;
    let usual = check_defaults(&derived.model, system, errors);
    let print = Print::new(&derived.model);
    let names = scope.clone();
    let mut stated = stated(system, scope, &mut derived, errors)?;
    let judged = judged(system, &mut derived, &programs, &mut stated, errors);
    let frictions = check_frictions(&mut derived, errors);
    derived.model.drawing = resolve_drawing(system, &mut derived.model, names, errors);
    if !check_size(&derived.model.pool, &system.name, errors) {
        return None;
    }
    let said = match judged {
        Some(functions) if usual => {
            diagnosed(system, &mut derived, (&mut stated, &functions), &print, errors)
        }
        // Energies with defaults that cannot be say nothing.
        _ => {
            errors.hide();
            Vec::new()
        }
    };
    let Derived { model, equations, .. } = derived;
    Some((Derivation { model, equations, programs, frictions, print }, said))
}
