//! The engine of the page: text in, equations, claims and motions out, as JSON and arrays of numbers.
//!
//! ```text
//! text ──Declared::new──▶ Declared ──sheet──▶ names, equations as LaTeX, claims
//!              │              └──run──▶ Motion ──column──▶ numbers, ──tale──▶ end, events, ledger
//!              │                               └──film──▶ what draws it
//!              └▶ mistakes, each with its place in the editor
//! ```
//!
//! It runs in a worker of the browser: nothing here blocks the page, and a text that asks for too much time or
//! memory ends the worker, which the page starts again.
//!
//! *Invariant:* a run has the bits of the command.

mod asked;
mod findings;
mod motion;
mod sheet;
#[cfg(feature = "write")]
mod write;

use eom_core::System as _;
use eom_interpreter::Interpreted;
use eom_interpreter::drawing::Drawing;
use eom_interpreter::request::{Refusal, Settings, request};
use motion::Motion;
use serde_json::json;
use std::rc::Rc;
use wasm_bindgen::prelude::wasm_bindgen;

/// A declaration that is right, and what is said of it.
#[wasm_bindgen]
pub struct Declared {
    system: Interpreted,
    drawing: Option<Rc<Drawing>>,
    findings: String,
}

#[wasm_bindgen]
impl Declared {
    /// Reads a declaration, derives it and decides its claims; the error is the list of its mistakes as JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str) -> Result<Self, String> {
        match eom_codegen::diagnose_source(text) {
            Ok((derivation, found)) => {
                let findings = findings::json(text, &found).to_string();
                // What is right has a drawing, and if it had none it would still run.
                let drawing = Drawing::new(text).ok().map(Rc::new);
                Ok(Self { system: Interpreted::of(derivation, text), drawing, findings })
            }
            Err(found) => Err(findings::json(text, &found).to_string()),
        }
    }

    /// Its warnings and notes, as mistakes are told.
    pub fn findings(&self) -> String {
        self.findings.clone()
    }

    /// What it declares, the equations, the claims with their verdicts, where its scenarios start.
    pub fn sheet(&self) -> String {
        sheet::json(&self.system).to_string()
    }

    /// Makes a run; what is asked for is JSON, described in `asked`. The error is JSON, too: what is wrong, and
    /// one thing to do.
    pub fn run(&self, asked: &str) -> Result<Motion, String> {
        self.try_run(asked).map_err(|refusal| refused(&refusal))
    }

    fn try_run(&self, text: &str) -> Result<Motion, Refusal> {
        let asked = asked::Asked::new(text, self.system.info())?;
        let system = eom_interpreter::request::build(&self.system, &asked.settings.given)?;
        let request = request(&system, asked.scenario, &asked.settings, &asked.options, true)?;
        Motion::make((system, self.drawing.clone()), request, &asked)
    }
}

/// Why there is no run, as JSON.
pub(crate) fn refused(refusal: &Refusal) -> String {
    json!({ "message": refusal.text(), "help": refusal.help() }).to_string()
}

/// The start of a scenario with nothing set.
pub(crate) fn start(
    system: &Interpreted,
    scenario: usize,
) -> Result<eom_interpreter::request::Request, Refusal> {
    let settings = Settings::nothing(system.info());
    request(system, Some(scenario), &settings, &eom_core::Options::default(), false)
}
