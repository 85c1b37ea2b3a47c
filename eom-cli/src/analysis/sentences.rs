//! What claims say of whole motions, decided.

use crate::model::Model;
use eom_analysis::{AnalysisError, Verdict, decide};
use eom_core::SmoothFunction;
use eom_core::info::SentenceInfo;

/// A sentence with what was found of it, or why nothing was.
pub(crate) type Decided = (&'static SentenceInfo, Result<Verdict, AnalysisError>);

/// The sentences of a model, decided one after another.
pub(crate) fn decided(model: &Model) -> Vec<Decided> {
    let info = model.info;
    let functions: Vec<SmoothFunction> =
        info.functions.iter().map(|_| SmoothFunction::declared()).collect();
    let build = |overrides: &[Option<f64>]| model.build(overrides, &functions);
    let verdict = |index| decide(info, index, &build);
    info.sentences.iter().enumerate().map(|(index, said)| (said, verdict(index))).collect()
}

/// What is said of one that is not so, or cannot be decided: `claim `weave` does not hold: …`.
pub(crate) fn complaint((said, verdict): &Decided) -> Option<String> {
    let why = eom_analysis::complaint(said, verdict)?;
    let SentenceInfo { name, printed, .. } = said;
    Some(format!("error: claim `{name}` {why}\n  {name} {printed}"))
}
