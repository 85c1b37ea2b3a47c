//! The linear system along a steady motion, at one state or over a swept value.

use crate::analysis::shown::{Spectrum, Sweep, eigenvalues_tsv, json, sweep_text, text};
use crate::analysis::{Rows, told};
use crate::cli::{AnalyseArguments, AnalyseFormat, Analysis};
use crate::error::{Failure, Outcome};
use crate::names::{Target, spelled};
use crate::run::plan::Plan;
use crate::run::request::Request;
use crate::shell;
use eom_analysis::{
    AnalysisError, Crossing, LinearAnswer, LinearQuestion, Linearisation, SteadyOptions,
    critical_values,
};
use eom_core::info::SystemInfo;
use eom_core::nalgebra::DMatrix;

/// Prints the linear system of a model, or its eigenvalues over a swept value.
pub(crate) fn print(plan: &Plan, arguments: &AnalyseArguments) -> Result<Outcome, Failure> {
    if plan.axes.is_empty() { one(plan, arguments) } else { swept(plan, arguments) }
}

/// The linear system at one state.
fn one(plan: &Plan, arguments: &AnalyseArguments) -> Result<Outcome, Failure> {
    let answer = answer(plan, &[], arguments).map_err(Failure::Refused)?;
    let modes = answer.linear.modes().map_err(Failure::refused)?;
    let shown = match arguments.format {
        AnalyseFormat::Text => text(&answer, &modes, plan.model.info).map_err(Failure::refused)?,
        AnalyseFormat::Json => json(&answer, &modes, plan.model.info),
        AnalyseFormat::Tsv => eigenvalues_tsv(&modes),
    };
    shell::print_line(shown.trim_end())?;
    Ok(Outcome::Done)
}

/// The eigenvalues over a swept value, and the critical values.
fn swept(plan: &Plan, arguments: &AnalyseArguments) -> Result<Outcome, Failure> {
    let axis = &plan.axes[0];
    let mut values = axis.values.all();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let of = |at: f64| Ok(answer(plan, &[at], arguments)?.linear);
    let systems: Rows<Linearisation> = values.into_iter().map(|at| (at, of(at))).collect();
    let of_system = |linear: &Linearisation| {
        let values = linear.eigenvalues().map_err(|error| error.to_string())?;
        let unstable = linear.unstable().map_err(|error| error.to_string())?;
        Ok(Spectrum { values, unstable })
    };
    let row =
        |found: &Result<Linearisation, String>| of_system(found.as_ref().map_err(String::clone)?);
    let rows: Rows<Spectrum> = systems.iter().map(|(at, found)| (*at, row(found))).collect();
    let matrices: Rows<DMatrix<f64>> =
        systems.into_iter().map(|(at, found)| (at, found.map(|linear| linear.a))).collect();
    let of = |at: f64| Ok(of(at)?.a);
    let name = axis.target.name(plan.model.info);
    told(&name, &rows, || {
        let critical = critical(&matrices, of).map_err(Failure::Refused)?;
        let sweep = Sweep { name: name.clone(), rows: rows.clone(), critical };
        let shown = match arguments.format {
            AnalyseFormat::Text => sweep_text(&sweep),
            AnalyseFormat::Json => sweep.json(),
            AnalyseFormat::Tsv => sweep.tsv(),
        };
        shell::print_line(shown.trim_end())
    })
}

/// The critical values between neighbours that have an answer.
fn critical(
    matrices: &Rows<DMatrix<f64>>,
    of: impl Fn(f64) -> Result<DMatrix<f64>, String>,
) -> Result<Vec<Crossing>, String> {
    let mut found = Vec::new();
    for part in matrices.split(|(_, found)| found.is_err()) {
        let samples: Vec<f64> = part.iter().map(|(at, _)| *at).collect();
        let mut why = None;
        let family = |at: f64| {
            let known = part.iter().find(|(sample, _)| *sample == at);
            known.map_or_else(|| of(at), |(_, known)| known.clone()).map_err(|reason| {
                why = Some(format!("at {at}: {reason}"));
                AnalysisError::NoEigenvalues
            })
        };
        match critical_values(&samples, family) {
            Ok(crossings) => found.extend(crossings),
            Err(error) => return Err(why.unwrap_or_else(|| error.to_string())),
        }
    }
    Ok(found)
}

/// The steady motion and the linear system with these swept values.
fn answer(
    plan: &Plan,
    values: &[f64],
    arguments: &AnalyseArguments,
) -> Result<LinearAnswer, String> {
    let request = plan.request_at(0, values).map_err(|complaint| complaint.text())?;
    let Request { system, start, inputs, .. } = request;
    let info = plan.model.info;
    let [keep, trim, free] =
        [&arguments.keep, &arguments.trim, &arguments.free].map(|names| spelled(names, info));
    let held = held(plan, arguments);
    let looks = arguments.find || arguments.what == Analysis::Equilibria;
    let options = SteadyOptions { hold: borrowed(&held), free_inputs: borrowed(&trim) };
    let asked = LinearQuestion {
        find: looks.then_some(options),
        free: borrowed(&free),
        keep: borrowed(&keep),
    };
    asked.ask(&*system, start, inputs).map_err(|error| match error {
        AnalysisError::NotSteady { .. } if !arguments.find => {
            format!("{error}\n  --find looks for one near this state")
        }
        AnalysisError::LeftOut { ref name } => format!("{error}, with --keep {name}"),
        _ => error.to_string(),
    })
}

/// What stays while a steady motion is found: what is asked for, and an entry of the state that is swept.
fn held(plan: &Plan, arguments: &AnalyseArguments) -> Vec<String> {
    let info: &SystemInfo = plan.model.info;
    let is_state = |target: &Target| matches!(target, Target::Coordinate(_) | Target::Velocity(_));
    let swept = plan.axes.iter().map(|axis| axis.target).filter(is_state);
    let hold = spelled(&arguments.hold, info).into_iter();
    hold.chain(swept.map(|target| target.ascii(info))).collect()
}

fn borrowed(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}
