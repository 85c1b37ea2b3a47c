//! What a declaration says and what came of it, for the page.

use crate::Interpreted;
use crate::json::{declared, sentences};
use crate::motion::numbers;
use crate::names::{Target, speeds, speeds_ascii, unit_of_speed};
use crate::object::object;
use eom_core::System as _;
use eom_core::info::ScenarioInfo;
use serde_json::Value;

/// The names of everything, what is claimed of whole motions, the scenarios with their starts.
pub(super) fn json(system: &Interpreted) -> Value {
    let info = system.info();
    let mut values = vec![0.0; info.parameters.len()];
    system.parameters(&mut values);
    let names = speeds(info).into_iter().zip(speeds_ascii(info)).enumerate();
    object!({
        "name": info.name,
        "doc": info.doc,
        "document": info.document,
        "declared": declared(info),
        "speeds": names.map(|(index, (name, ascii))| object!({ "name": name, "ascii": ascii, "unit": unit_of_speed(info, index) })).collect::<Value>(),
        "values": values,
        "numbers": numbers(info).into_iter().map(|(ascii, _, symbol)| object!({ "ascii": ascii, "name": symbol })).collect::<Value>(),
        "sentences": sentences(info),
        "scenarios": (0..info.scenarios.len()).map(|index| scenario(system, index)).collect::<Value>(),
    })
}

/// A scenario: where it starts, when it ends, which numbers are solved for.
fn scenario(system: &Interpreted, index: usize) -> Value {
    let info = system.info();
    let ScenarioInfo { name, doc, solve } = info.scenarios[index];
    let solved: Vec<String> =
        solve.iter().map(|unknown| Target::from(*unknown).ascii(info)).collect();
    match super::start(system, index) {
        Ok(request) => object!({
            "name": name,
            "doc": doc,
            "solved": solved,
            "t": request.start.t,
            "q": request.start.q,
            "v": request.start.v,
            "u": request.inputs,
            "until": request.options.until_time,
            "impacts": request.options.until_impacts,
        }),
        Err(refusal) => object!({
            "name": name, "doc": doc, "solved": solved,
            "refusal": super::told(&refusal),
        }),
    }
}
