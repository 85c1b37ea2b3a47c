//! `eom check`: whether files are right, what they say of motions included, and what they declare.

use crate::analysis::sentences::{complaint, decided};
use crate::cli::{CheckArguments, Deny};
use crate::error::{Failure, Outcome};
use crate::files::Files;
use crate::model::Model;
use crate::shell;
use eom_core::info::{ClaimKind, ParameterInfo, SystemInfo};
use std::fmt::Write as _;

/// The width of the labels.
const LABEL: usize = 13;

/// Reads the files: a summary of each that is right, with its warnings and notes; all mistakes of
/// the others.
pub(crate) fn check(arguments: &CheckArguments) -> Result<Outcome, Failure> {
    let mut files = Files::default();
    arguments.files.iter().for_each(|file| files.reads_model(file));
    files.check(None)?;
    let mut outcome = Outcome::Done;
    for (index, file) in arguments.files.iter().enumerate() {
        let model = match Model::find_silently(file) {
            Ok(model) => model,
            Err(Failure::Mistakes(text)) => {
                shell::tell(text);
                outcome = Outcome::Mistaken;
                continue;
            }
            Err(other) => return Err(other),
        };
        if let Some(said) = &model.said.all {
            shell::tell(said);
        }
        if arguments.deny == Some(Deny::Warnings) && model.said.warnings.is_some() {
            outcome = Outcome::Mistaken;
        }
        let wrong: Vec<String> = decided(&model).iter().filter_map(complaint).collect();
        if !wrong.is_empty() {
            shell::tell(wrong.join("\n"));
            outcome = Outcome::Mistaken;
            continue;
        }
        let gap = if index > 0 { "\n" } else { "" };
        shell::print(format_args!("{gap}{}", summary(&model)))?;
    }
    Ok(outcome)
}

/// What a file declares, a line a kind.
fn summary(model: &Model) -> String {
    let info = model.info;
    let mut text = String::new();
    let mut line = |label: &str, count: Option<usize>, items: &str| {
        let count = count.map_or(String::new(), |count| format!("{count}: "));
        if !items.is_empty() {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{label:LABEL$}{count}{items}");
        }
    };
    let mut verdict = format!("{} is right", model.name);
    if !model.said.counts.is_empty() {
        verdict = format!("{verdict}, with {}", model.said.counts.join(" and "));
    }
    line("file", None, &verdict);
    line("system", None, &format!("{} ({})", info.name, model.title));
    let lists: [(&str, Vec<String>); 10] = [
        ("coordinates", info.coordinates.iter().map(|item| item.name.to_owned()).collect()),
        ("rotations", info.rotations.iter().map(|item| item.name.to_owned()).collect()),
        ("velocities", info.velocities.iter().map(|item| item.name.to_owned()).collect()),
        ("parameters", info.parameters.iter().map(parameter).collect()),
        ("inputs", info.inputs.iter().map(|item| item.name.to_owned()).collect()),
        ("functions", info.functions.iter().map(|item| item.name.to_owned()).collect()),
        ("constraints", info.rows.iter().map(|item| item.name.to_owned()).collect()),
        ("contacts", info.contacts.iter().map(|c| format!("{} ({})", c.name, c.law)).collect()),
        ("events", info.events.iter().map(|item| item.name.to_owned()).collect()),
        ("scenarios", info.scenarios.iter().map(|item| item.name.to_owned()).collect()),
    ];
    for (label, items) in lists {
        line(label, Some(items.len()), &items.join(", "));
    }
    let follow = claims(info, ClaimKind::Claim);
    line("claims", Some(follow.len()), &follow.join(", "));
    let said: Vec<&str> = info.sentences.iter().map(|said| said.name).collect();
    line("of motions", Some(said.len()), &said.join(", "));
    let errata = claims(info, ClaimKind::Erratum);
    line("errata", Some(errata.len()), &errata.join(", "));
    text
}

/// `I = m*R^2/2`, or what must be given.
fn parameter(parameter: &ParameterInfo) -> String {
    match parameter.default {
        Some(default) => format!("{} = {default}", parameter.name),
        None => format!("{} (no default)", parameter.name),
    }
}

fn claims(info: &SystemInfo, kind: ClaimKind) -> Vec<&'static str> {
    info.claims.iter().filter(|claim| claim.kind == kind).map(|claim| claim.name).collect()
}
