//! What claims say of whole motions, decided.

use crate::model::Model;
use eom_analysis::{Verdict, decide};
use eom_core::SmoothFunction;
use eom_core::info::{Comparison, SentenceInfo};

/// A sentence with what was found of it, or why nothing was.
pub(crate) type Decided = (&'static SentenceInfo, Result<Verdict, String>);

/// The sentences of a model, decided one after another.
pub(crate) fn decided(model: &Model) -> Vec<Decided> {
    let info = model.info;
    let functions: Vec<SmoothFunction> =
        info.functions.iter().map(|_| SmoothFunction::declared()).collect();
    let build = |overrides: &[Option<f64>]| model.build(overrides, &functions);
    let verdict = |index| decide(info, index, &build).map_err(|error| error.to_string());
    info.sentences.iter().enumerate().map(|(index, said)| (said, verdict(index))).collect()
}

/// What is said of one that is not so, or cannot be decided: `claim `weave` does not hold: …`.
pub(crate) fn complaint((said, verdict): &Decided) -> Option<String> {
    let SentenceInfo { name, printed, comparison, .. } = said;
    let why = match verdict {
        Ok(verdict) if verdict.holds => return None,
        Ok(Verdict { found, error, claimed, within, .. }) => {
            let found = match error {
                0.0 => format!("it is {found}"),
                _ => format!("it is {found:.6} ± {error:.6}"),
            };
            match comparison {
                Comparison::Equal => {
                    format!("does not hold: {found}, claimed {claimed} within {within:e}")
                }
                _ => format!("does not hold: {found}, compared with {claimed}"),
            }
        }
        Err(reason) => format!("cannot be decided: {reason}"),
    };
    Some(format!("error: claim `{name}` {why}\n  {name} {printed}"))
}
