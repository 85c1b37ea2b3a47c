//! What the page in the browser asks and is answered: in its worker as WebAssembly, and of `eom studio` as machine code.
//!
//! ```text
//! { "id": 1, "kind": "read", "text": "system …" }            sheet and findings; no sheet where there are mistakes
//! { "id": 2, "kind": "run", "asked": { … }, "columns": [0] } a run of what was read last: tale, film, columns
//! { "id": 3, "kind": "columns", "columns": [1, 2] }          numbers of that run at all its states
//! { "id": 4, "kind": "equations" }                           equations and claims of what was read last
//! { "id": 5, "kind": "write", "format": "c", "text": "…",    what is kept: code in a language, the page of a run
//!   "file": "ball.eom", "asked": { … } }
//! ```
//!
//! An answer is an object of JSON, a line end, and the numbers of its columns one after another, as bytes the lowest first. Its `kind` is that of the question, or `refused`, with the reason, or `broken`, where the question
//! itself is none.
//!
//! *Invariants.* A run has the bits of the command. The clock is given by who asks: there is none in WebAssembly.

mod asked;
mod findings;
mod motion;
mod sheet;
mod write;

use crate::Interpreted;
use crate::drawing::Drawing;
use crate::json::{claims, sections};
use crate::object::object;
use crate::request::{Refusal, Request, Settings, build, request};
use asked::Asked;
use eom_codegen::diagnostic::Diagnostic;
use eom_core::{Options, System as _};
use motion::Motion;
use serde_json::{Map, Value};
use std::sync::Arc;

/// Milliseconds since any time that stays.
pub type Clock<'c> = &'c dyn Fn() -> f64;

/// What makes the answer to a question `write`.
type Writer = fn(&Map<String, Value>) -> Value;

/// A declaration that was right and its last motion, of which the page asks.
#[derive(Debug, Default)]
pub struct Engine {
    declared: Option<Declared>,
    motion: Option<Motion>,
    writer: Option<Writer>,
}

/// A declaration that is right.
#[derive(Debug)]
struct Declared {
    system: Interpreted,
    drawing: Option<Arc<Drawing>>,
}

/// What is answered: an object, and columns of numbers.
type Answer = (Value, Vec<Vec<f64>>);

impl Engine {
    /// Nothing declared; it answers `read`, `run`, `columns` and `equations`.
    pub fn new() -> Self {
        Self::default()
    }

    /// One that answers `write`, too: in WebAssembly what writes is as large as all else.
    pub fn that_writes() -> Self {
        Self { writer: Some(write::written), ..Self::default() }
    }

    /// The answer to a question, in the bytes that are described above.
    pub fn answer(&mut self, question: &str, clock: Clock<'_>) -> Vec<u8> {
        let read: Result<Map<String, Value>, _> = serde_json::from_str(question);
        let (mut head, columns) = match &read {
            Ok(question) => self.answer_of(question, clock),
            Err(error) => {
                let (line, column) = (error.line(), error.column());
                let said = format!("what is asked is no JSON: line {line}, column {column}");
                (broken(&said), Vec::new())
            }
        };
        head["id"] =
            read.ok().and_then(|mut question| question.remove("id")).unwrap_or(Value::from(0));
        bytes(&head, &columns)
    }

    fn answer_of(&mut self, question: &Map<String, Value>, clock: Clock<'_>) -> Answer {
        let columns = || -> Vec<usize> {
            let listed = question.get("columns").and_then(Value::as_array).into_iter().flatten();
            listed.filter_map(Value::as_u64).map(|index| index as usize).collect()
        };
        let kind = question.get("kind").and_then(Value::as_str).unwrap_or_default();
        match (kind, self.writer) {
            ("read", _) => {
                let text = question.get("text").and_then(Value::as_str).unwrap_or_default();
                (self.read(text), Vec::new())
            }
            ("run", _) => {
                let nothing = Map::new();
                let asked = question.get("asked").and_then(Value::as_object).unwrap_or(&nothing);
                self.run(asked, &columns(), clock)
            }
            ("columns", _) => self.columns(&columns()),
            ("equations", _) => (self.equations(), Vec::new()),
            ("write", Some(writer)) => (writer(question), Vec::new()),
            _ => (broken(&format!("nothing is known of the question `{kind}`")), Vec::new()),
        }
    }

    /// Reads a declaration, derives it and decides its claims; one that is wrong leaves the last one as it was.
    fn read(&mut self, text: &str) -> Value {
        let (sheet, found) = match Declared::new(text) {
            Ok((declared, found)) => {
                let sheet = sheet::json(&declared.system);
                self.motion = None;
                self.declared = Some(declared);
                (sheet, found)
            }
            Err(found) => (Value::Null, found),
        };
        object!({ "kind": "read", "sheet": sheet, "findings": findings::json(text, &found) })
    }

    fn run(&mut self, asked: &Map<String, Value>, columns: &[usize], clock: Clock<'_>) -> Answer {
        // Who held one before has been ended since.
        let Some(declared) = &self.declared else {
            return (broken("there is no declaration"), Vec::new());
        };
        let motion = match declared.motion(asked, clock) {
            Ok(motion) => self.motion.insert(motion),
            Err(refusal) => return (refused(&refusal), Vec::new()),
        };
        let (mut head, numbers) = listed("run", motion, columns);
        head["tale"] = motion.tale();
        head["film"] = motion.film();
        (head, numbers)
    }

    /// The equations and claims as they are printed: nobody waits for them to see the motion.
    fn equations(&self) -> Value {
        // Who held one before has been ended since.
        let Some(declared) = &self.declared else { return broken("there is no declaration") };
        let derivation = declared.system.derivation();
        let differences = derivation.differences();
        let difference = |index: usize| differences.get(index).map_or("", String::as_str);
        object!({
            "kind": "equations",
            "sections": sections(&derivation.text().sections()),
            "claims": claims(declared.system.info(), difference),
        })
    }

    fn columns(&self, columns: &[usize]) -> Answer {
        match &self.motion {
            Some(motion) => listed("columns", motion, columns),
            None => (
                object!({ "kind": "columns", "length": 0, "columns": Value::Array(Vec::new()) }),
                Vec::new(),
            ),
        }
    }
}

impl Declared {
    /// Reads a declaration, with what is said of it; or what is wrong with it.
    fn new(text: &str) -> Result<(Self, Vec<Diagnostic>), Vec<Diagnostic>> {
        let (derivation, found) = eom_codegen::diagnose_source(text)?;
        // What is right has a drawing, and if it had none it would still run.
        let drawing = Drawing::new(text).ok().map(Arc::new);
        Ok((Self { system: Interpreted::of(derivation, text), drawing }, found))
    }

    fn motion(&self, asked: &Map<String, Value>, clock: Clock<'_>) -> Result<Motion, Refusal> {
        let asked = Asked::new(asked, self.system.info())?;
        let system = build(&self.system, &asked.settings.given)?;
        let request = request(&system, asked.scenario, &asked.settings, &asked.options, true)?;
        Motion::make((system, self.drawing.clone()), request, &asked, clock)
    }
}

/// Columns of a motion; of those that there are not, none.
fn listed(kind: &str, motion: &Motion, columns: &[usize]) -> Answer {
    let found = columns.iter().filter_map(|index| Some((*index, motion.column(*index)?)));
    let (places, numbers): (Vec<usize>, Vec<Vec<f64>>) = found.unzip();
    (object!({ "kind": kind, "length": motion.length(), "columns": places }), numbers)
}

/// Why there is no run.
fn refused(refusal: &Refusal) -> Value {
    object!({ "kind": "refused", "refusal": told(refusal) })
}

/// What a refusal says, and what to do.
fn told(refusal: &Refusal) -> Value {
    object!({ "message": refusal.text(), "help": refusal.help() })
}

fn broken(message: &str) -> Value {
    object!({ "kind": "broken", "message": message })
}

/// The object, a line end, the numbers.
fn bytes(head: &Value, columns: &[Vec<f64>]) -> Vec<u8> {
    let mut bytes = head.to_string().into_bytes();
    bytes.push(b'\n');
    bytes.reserve_exact(columns.iter().map(|column| 8 * column.len()).sum());
    for number in columns.iter().flatten() {
        bytes.extend(number.to_le_bytes());
    }
    bytes
}

/// The start of a scenario with nothing set.
fn start(system: &Interpreted, scenario: usize) -> Result<Request, Refusal> {
    let settings = Settings::nothing(system.info());
    request(system, Some(scenario), &settings, &Options::default(), false)
}
