//! Declared systems read at run time: a declaration as text becomes an [`eom_core::System`] without
//! a compiler.
//!
//! ```text
//! text ──eom_codegen::derive_source──▶ Derivation ──tape──▶ Tape: operations over registers ──run──▶ f64
//! ```
//!
//! The macro writes the programs of a derivation as Rust; this crate runs the same programs,
//! operation by operation in the same order, so that every function has the same bits as that of
//! the generated type. A program is made into a flat list once; a call allocates nothing after the
//! first of its thread. On x86-64 the lists become machine code as a declaration is read; elsewhere, and where
//! [`Interpreted::interpreted`] asks for it, they are run one operation after another, to the same bits.
//!
//! [`drawing`] is what is looked at along a run, programs of their own.
//!
//! Those who take names from a user, the command, the Python package and the page in the browser, ask [`names`] what
//! they stand for, [`request`] for the start of a run with values of theirs, and [`motion`] for the numbers of a
//! motion; [`function`] makes a function of a formula. [`account`] tells of a run in words. With the feature `json` a
//! derived system says what it is, `film` makes one page of a motion that plays it, and `page` answers what the page in
//! the browser asks.
//!
//! ```
//! use eom_core::{Options, System, run_scenario};
//! use eom_interpreter::Interpreted;
//!
//! let spring = Interpreted::new(
//!     "system Spring {
//!          coordinates { x }
//!          parameters { m = 1 where m > 0, k = 4 }
//!          kinetic = m/2*ẋ^2;
//!          potential = k/2*x^2;
//!          scenario release { x = 1; until t = 3; }
//!      }",
//! )
//! .map_err(|mistakes| mistakes[0].to_string())?;
//! let heavy = spring.with_parameters(&[Some(4.0), None]).map_err(|e| e.to_string())?;
//! let run = run_scenario(&heavy, "release", &Options::default()).map_err(|e| e.to_string())?;
//! let end = run.samples.last().map(|state| state.q[0]);
//! assert!((end.unwrap_or_default() - 3.0_f64.cos()).abs() < 1e-12);
//! # Ok::<(), String>(())
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods, reason = "the same bits on every machine"))]

pub mod account;
mod batch;
mod code;
pub mod conserved;
pub mod drawing;
#[cfg(feature = "json")]
pub mod film;
mod given;
mod info;
#[cfg(feature = "json")]
pub mod json;
mod kernel;
pub mod motion;
pub mod names;
#[cfg(feature = "json")]
mod object;
#[cfg(feature = "json")]
pub mod page;
pub mod request;
mod run;
mod system;
mod tape;
mod tapes;

use eom_codegen::diagnostic::Diagnostic;
use eom_codegen::{Derivation, derive_source};
use eom_core::info::SystemInfo;
use eom_core::{Law, ParameterError, SmoothFunction, System, private};
use eom_symbolic::program::SystemTapes;
use run::Context;
use std::sync::Arc;
use tapes::Tapes;

pub use batch::{InLanes, Lists, Origin, Table, Wanted};
pub use given::function;
pub use kernel::At;

/// A declared system with values of its parameters. Clones, and those with other parameters,
/// share what was derived.
#[derive(Debug, Clone)]
pub struct Interpreted {
    source: Arc<Source>,
    parameters: Vec<f64>,
    /// A parameter that has neither a default nor a value.
    missing: Option<&'static str>,
    functions: Vec<SmoothFunction>,
    /// Whether all of these are those of the declaration.
    declared: bool,
    laws: Vec<Law>,
    /// Whether machine code is left aside.
    interprets: bool,
}

/// What a declaration was made into.
#[derive(Debug)]
struct Source {
    derivation: Derivation,
    info: &'static SystemInfo,
    tapes: Tapes,
    /// How many numbers t, q, v, u and the forces of a mode have.
    lengths: [usize; 5],
    /// What [`System::programs`] gives.
    enclosures: SystemTapes,
}

impl Interpreted {
    /// Reads a declaration, the text that stands inside `lagrangian! { … }`, derives it and decides
    /// its claims; or says everything that is wrong with it. Parameters and functions are at their
    /// defaults; those without one are what [`System::check_parameters`] asks for.
    ///
    /// The static tables, [`System::info`], are leaked: some kilobytes for each text that is read, and none when it is
    /// read again.
    pub fn new(source: &str) -> Result<Self, Vec<Diagnostic>> {
        Ok(Self::of(derive_source(source)?, source))
    }

    /// The system of a derivation and the text that it was made from.
    pub fn of(derivation: Derivation, source: &str) -> Self {
        let info = info::shared(&derivation, source);
        let tapes = Tapes::new(&derivation);
        let enclosures = derivation.programs.tapes(&derivation.model, &derivation.equations);
        let forces = derivation.model.forces_of_mode();
        let lengths = [1, info.positions(), info.speeds(), info.inputs.len(), forces];
        let source = Arc::new(Source { derivation, info, tapes, lengths, enclosures });
        let overrides = vec![None; info.parameters.len()];
        let functions = info.functions.iter().map(|_| SmoothFunction::declared()).collect();
        Self::unchecked(source, &overrides, functions)
    }

    /// The same system by the interpreter alone, without machine code: the same bits, a few times slower.
    #[must_use]
    pub fn interpreted(mut self) -> Self {
        self.interprets = true;
        self
    }

    /// Whether its functions are machine code, but those that have integrals or functions given at run time in them: so
    /// it is on x86-64 with AVX2 and FMA.
    pub fn is_machine_code(&self) -> bool {
        eom_machine::IS_POSSIBLE && !self.interprets && self.source.tapes.machine.is_some()
    }

    /// What was derived.
    pub fn derivation(&self) -> &Derivation {
        &self.source.derivation
    }

    /// The functions that it runs with; one of the declaration says so.
    pub fn functions(&self) -> &[SmoothFunction] {
        &self.functions
    }

    /// The system with other parameters, the functions those of the declaration; see
    /// [`Interpreted::with_functions`].
    pub fn with_parameters(&self, overrides: &[Option<f64>]) -> Result<Self, ParameterError> {
        let functions: Vec<SmoothFunction> =
            self.source.info.functions.iter().map(|_| SmoothFunction::declared()).collect();
        self.with_functions(overrides, &functions)
    }

    /// The system with other parameters and functions, as `eom_core::Declared` builds generated
    /// types: a parameter without an override takes its default, computed from the values of those
    /// before it. An entry that is missing at the end is as none.
    pub fn with_functions(
        &self,
        overrides: &[Option<f64>],
        functions: &[SmoothFunction],
    ) -> Result<Self, ParameterError> {
        let system = self.with_some(overrides, functions);
        system.check_parameters()?;
        Ok(system)
    }

    /// The same where values may still be missing: [`System::check_parameters`] says which.
    #[must_use]
    pub fn with_some(&self, overrides: &[Option<f64>], functions: &[SmoothFunction]) -> Self {
        let declared = self.source.info.functions.len();
        let mut functions = functions.to_vec();
        functions.resize(declared, SmoothFunction::declared());
        let system = Self::unchecked(Arc::clone(&self.source), overrides, functions);
        Self { interprets: self.interprets, ..system }
    }

    fn unchecked(
        source: Arc<Source>,
        overrides: &[Option<f64>],
        functions: Vec<SmoothFunction>,
    ) -> Self {
        let info = source.info;
        let mut parameters = vec![f64::NAN; info.parameters.len()];
        let mut missing = None;
        for (index, default) in source.tapes.defaults.iter().enumerate() {
            let given = overrides.get(index).copied().flatten();
            let context = source.context(&parameters, &functions);
            let default = || default.as_ref().map(|value| value.get(&context));
            match private::parameter(info.parameters[index].name, given, default) {
                Ok(value) => parameters[index] = value,
                Err(_) => missing = missing.or(Some(info.parameters[index].name)),
            }
        }
        let context = source.context(&parameters, &functions);
        let laws = source.tapes.laws.iter().map(|law| law.get(&context)).collect();
        let declared = functions.iter().all(|function| function.given().is_none());
        Self { source, parameters, missing, functions, declared, laws, interprets: false }
    }
}

impl Source {
    /// What expressions of parameters read.
    fn context<'a>(
        &'a self,
        parameters: &'a [f64],
        functions: &'a [SmoothFunction],
    ) -> Context<'a> {
        let lists = &self.tapes.lists;
        Context { parameters, functions, lists, declared: false, machine: None }
    }
}
