//! What the page gives away to be kept: code of a declaration, and the page of a motion, as the command writes them.

use super::asked::Asked;
use super::{Declared, broken, refused};
use crate::account::{Headed, Story, Watch, summary};
use crate::film::{Subject, Words, filmed, html};
use crate::object::object;
use crate::request::{Refusal, build, request};
use eom_codegen::Language;
use eom_codegen::diagnostic::Diagnostic;
use eom_core::{ForceCheck, Options, Run, StartError, State, System as _, Trajectory, simulate};
use serde_json::{Map, Value};
use std::ops::ControlFlow;

/// Steps between two looks at what has come.
const STEPS: usize = 16;

/// The answer to a question `write`: its text, as `eom generate FILE` or `eom run FILE --html` writes it.
pub(super) fn written(question: &Map<String, Value>) -> Value {
    let word = |name: &str| question.get(name).and_then(Value::as_str).unwrap_or_default();
    let (text, file) = (word("text"), word("file"));
    let nothing = Map::new();
    let made = match word("format") {
        "html" => {
            let asked = question.get("asked").and_then(Value::as_object).unwrap_or(&nothing);
            let declared = Declared::new(text).map_err(|found| mistaken(&found));
            declared.and_then(|(declared, _)| {
                declared.html(asked, file).map_err(|refusal| refused(&refusal))
            })
        }
        language => code(text, language, file),
    };
    made.map_or_else(|refused| refused, |text| object!({ "kind": "write", "text": text }))
}

/// Code in a language, `rust`, `no-std`, `c` or `python`, as `eom generate FILE` writes it.
fn code(text: &str, language: &str, file: &str) -> Result<String, Value> {
    let language = match language {
        "rust" => Language::Rust,
        "no-std" => Language::NoStd,
        "c" => Language::C,
        "python" => Language::Python,
        _ => return Err(broken(&format!("nothing is written as `{language}`"))),
    };
    let again = format!("eom generate {file} --lang {}", language.options());
    let generated = eom_codegen::generate(text, language, file, &again);
    generated.map(|(code, _)| code).map_err(|found| mistaken(&found))
}

/// Nothing is written of a text with mistakes: the first of them.
fn mistaken(found: &[Diagnostic]) -> Value {
    let first = found.first().map_or_else(String::new, |mistake| mistake.message.clone());
    refused(&Refusal::Words(first, None))
}

impl Declared {
    /// The page of a run, as `eom run FILE --html` writes it.
    fn html(&self, asked: &Map<String, Value>, file: &str) -> Result<String, Refusal> {
        let asked = Asked::new(asked, self.system.info())?;
        let system = build(&self.system, &asked.settings.given)?;
        let drawing = self.drawing.as_deref();
        let drawing = drawing.ok_or_else(|| Refusal::Words("nothing is drawn".to_owned(), None))?;
        // What is kept is made with the care of the command.
        let careful = Options { forces: ForceCheck::Bounded, ..asked.options };
        let made = request(&system, asked.scenario, &asked.settings, &careful, true)?;
        let (start, inputs, functions) = (&made.start, &made.inputs, system.functions());
        let info = system.info();
        let title = match info.doc.lines().next() {
            Some(line) if !line.is_empty() => line.trim_end_matches('.'),
            _ => info.name,
        };
        let (mut watch, mut story) = (Watch::new(&system), Story::new(&system));
        let options = Options { ledger: false, least_gaps: true, ..made.options.clone() };
        let mut run = Run::with_inputs(&system, start, inputs, &options).map_err(Refusal::Start)?;
        while run.end().is_none() {
            for _ in 0..STEPS {
                if run.step().is_break() {
                    break;
                }
                let State { t, q, v } = run.state();
                watch.see(*t, q, v);
            }
            story.take(&run.take_samples(), &run.take_events());
        }
        let ended = run.finish();
        watch.take_gaps(&ended.least_gaps);
        story.take(&ended.samples, &ended.events);
        let scenario = asked.scenario.and_then(|index| info.scenarios.get(index));
        let headed = Headed {
            name: file,
            title,
            system: &system,
            scenario: scenario.map(|scenario| scenario.name),
            inputs,
            law: made.options.law,
        };
        let account = summary(&headed, &story, &ended, &watch);
        let sections = system.derivation().text().sections();
        let words = Words { title, account: &account, sections: &sections };
        let subject =
            Subject { system: &system, drawing, functions, inputs, start: start.t, time_unit: "" };
        let again = |sampling| -> Result<Trajectory, StartError> {
            let options = filmed(&made.options, sampling);
            simulate(&system, start, inputs, &options, &mut |_| ControlFlow::Continue(()))
        };
        html(subject, ended.end.t(), &words, again).map_err(Refusal::Start)
    }
}
