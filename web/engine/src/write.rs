//! What the page gives away to be kept: code of a declaration, and the page of a motion, as the command writes them.

use crate::asked::Asked;
use crate::findings;
use crate::{Declared, refused};
use eom_codegen::Language;
use eom_core::{ForceCheck, Options, Run, StartError, State, System as _, Trajectory, simulate};
use eom_interpreter::account::{Headed, Story, Watch, summary};
use eom_interpreter::film::{Subject, Words, html};
use eom_interpreter::request::{Refusal, build, request};
use std::ops::ControlFlow;
use wasm_bindgen::prelude::wasm_bindgen;

/// Steps between two looks at what has come.
const STEPS: usize = 16;

#[wasm_bindgen]
impl Declared {
    /// Code in a language, `rust`, `no-std`, `c` or `python`, as `eom generate FILE` writes it; the error is the list
    /// of mistakes.
    pub fn code(&self, language: &str, file: &str) -> Result<String, String> {
        let text = self.system.info().source;
        let language = match language {
            "c" => Language::C,
            "python" => Language::Python,
            "no-std" => Language::NoStd,
            _ => Language::Rust,
        };
        let again = format!("eom generate {file} --lang {}", language.options());
        match eom_codegen::generate(text, language, file, &again) {
            Ok((code, _)) => Ok(code),
            Err(found) => Err(findings::json(text, &found).to_string()),
        }
    }

    /// The page of a run, as `eom run FILE --html` writes it; what is asked for is as for `run`.
    pub fn html(&self, asked: &str, file: &str) -> Result<String, String> {
        self.try_html(asked, file).map_err(|refusal| refused(&refusal))
    }
}

impl Declared {
    fn try_html(&self, asked: &str, file: &str) -> Result<String, Refusal> {
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
        let sections = system.derivation().text.sections();
        let words = Words { title, account: &account, sections: &sections };
        let subject =
            Subject { system: &system, drawing, functions, inputs, start: start.t, time_unit: "" };
        let again = |sampling| -> Result<Trajectory, StartError> {
            let options = Options { ledger: true, sampling, ..made.options.clone() };
            simulate(&system, start, inputs, &options, &mut |_| ControlFlow::Continue(()))
        };
        html(subject, ended.end.t(), &words, again).map_err(Refusal::Start)
    }
}
