//! Lyapunov exponents of a motion, and over a swept value.

use crate::analysis::shown::pretty;
use crate::analysis::{Rows, tabbed, table};
use crate::cli::{AnalyseArguments, AnalyseFormat};
use crate::error::{Failure, Outcome};
use crate::numbers::evaluate;
use crate::run::plan::Plan;
use crate::run::request::Request;
use crate::shell;
use crate::sweep::{jobs, pool};
use eom_analysis::{Exponent, Exponents, LyapunovOptions, Variations};
use serde_json::json;
use std::fmt::Write as _;

/// Exponents are told with six decimals from this size on.
const SHOWN: f64 = 1e-3;

/// Prints the exponents of the motion from a start.
pub(crate) fn print(plan: &Plan, arguments: &AnalyseArguments) -> Result<Outcome, Failure> {
    let asked = asked(arguments).map_err(Failure::Refused)?;
    let Some(axis) = plan.axes.first() else {
        let found = exponents(plan, &[], asked).map_err(Failure::Refused)?;
        let shown = match arguments.format {
            AnalyseFormat::Text => text(&found, asked),
            AnalyseFormat::Json => json(&found, asked),
            AnalyseFormat::Tsv => tabbed(found.all.iter().flat_map(|one| [one.value, one.error])),
        };
        shell::print_line(shown.trim_end())?;
        return Ok(Outcome::Done);
    };
    let values = axis.values.all();
    let jobs = jobs(arguments.jobs)?;
    shell::watch_interrupts();
    let row = |run: usize| {
        let found = exponents(plan, &[values[run]], asked);
        found.map(|found| found.all.iter().flat_map(|one| [one.value, one.error]).collect())
    };
    let made = pool::collected(jobs, ("values", values.len()), |runs, (goes_on, keep)| {
        let make = |run: &usize| {
            let row = row(*run);
            // What an interrupt has cut is not told.
            goes_on() && keep((*run, row))
        };
        runs.iter().all(make)
    });
    let made = made.map_err(|error| Failure::output("the exponents", error))?;
    let is_whole = made.len() == values.len();
    if made.is_empty() {
        return Ok(Outcome::Interrupted);
    }
    let rows: Rows<Vec<f64>> = made.into_iter().map(|(run, row)| (values[run], row)).collect();
    let most = rows.iter().filter_map(|(_, row)| Some(row.as_ref().ok()?.len() / 2)).max();
    let columns =
        (1..=most.unwrap_or(0)).flat_map(|i| [format!("lambda_{i}"), format!("error_{i}")]);
    let first = std::iter::once(axis.target.ascii(plan.model.info));
    let outcome = table(&first.chain(columns).collect::<Vec<_>>(), &rows)?;
    Ok(if is_whole { outcome } else { Outcome::Interrupted })
}

fn asked(arguments: &AnalyseArguments) -> Result<LyapunovOptions, String> {
    let text = &arguments.span;
    let span = evaluate(text, &[]).map_err(|mistake| format!("--span {text}: {mistake}"))?;
    if span <= 0.0 {
        return Err(format!("--span {text}: a span is above 0"));
    }
    if arguments.spans == 0 || arguments.exponents == Some(0) {
        return Err("one span and one exponent are the least".to_owned());
    }
    Ok(LyapunovOptions {
        count: arguments.exponents.unwrap_or(usize::MAX),
        span,
        spans: arguments.spans,
        transient: arguments.transient,
    })
}

fn exponents(plan: &Plan, values: &[f64], asked: LyapunovOptions) -> Result<Exponents, String> {
    let request = plan.request_at(0, values).map_err(|complaint| complaint.text())?;
    let Request { system, start, inputs, mut options, .. } = request;
    options.until_impacts = None;
    options.until_events = None;
    options.until_time = None;
    let goes_on = || !shell::is_interrupted();
    let variations = Variations::new(&*system).map_err(|error| error.to_string())?;
    let variations = variations.watched(&goes_on);
    variations.exponents(&start, &inputs, &options, asked).map_err(|error| error.to_string())
}

fn text(found: &Exponents, asked: LyapunovOptions) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = match found.rest {
        Some(t) => writeln!(text, "of           the rest, to which the run has come at t = {t}"),
        None => {
            let [time, before] = [asked.spans, asked.transient].map(|n| asked.span * n as f64);
            writeln!(text, "over         a time of {time}, after {before}")
        }
    };
    let finite = found.all.iter().map(|one| one.value.abs().max(one.error));
    let largest = finite.filter(|size| size.is_finite()).fold(0.0, f64::max);
    // As many decimals as show the smaller ones beside the largest.
    let shown = |value: f64| match largest {
        0.0 | SHOWN.. => format!("{value:.6}"),
        _ => format!("{value:.4e}"),
    };
    for (index, Exponent { value, error }) in found.all.iter().enumerate() {
        let label = if index == 0 { "exponents" } else { "" };
        let _ = if *value == f64::NEG_INFINITY {
            writeln!(text, "{label:<13}−∞   a direction that is lost")
        } else {
            writeln!(text, "{label:<13}{} ± {}", shown(*value), shown(*error))
        };
    }
    let sum: f64 = found.all.iter().map(|one| one.value).sum();
    if sum > f64::NEG_INFINITY {
        let _ = writeln!(text, "sum          {}", shown(sum));
    }
    text
}

fn json(found: &Exponents, asked: LyapunovOptions) -> String {
    let all: Vec<_> =
        found.all.iter().map(|one| json!({ "value": one.value, "error": one.error })).collect();
    pretty(
        &json!({ "span": asked.span, "spans": asked.spans, "transient": asked.transient, "rest": found.rest, "exponents": all }),
    )
}
