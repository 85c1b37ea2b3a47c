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
use eom_core::State;
use eom_core::info::SystemInfo;
use eom_core::nalgebra::{DMatrix, DVector};

/// Motions are one where they differ by less than this part, and of one family where ‖A δz‖ is this part of ‖A‖ ‖δz‖.
const SAME: f64 = 1e-4;
const NEARLY: f64 = 1e-2;

/// Prints the linear system of a model, or its eigenvalues over a swept value.
pub(crate) fn print(plan: &Plan, arguments: &AnalyseArguments) -> Result<Outcome, Failure> {
    if plan.axes.is_empty() { one(plan, arguments) } else { swept(plan, arguments) }
}

/// The linear system at one state.
fn one(plan: &Plan, arguments: &AnalyseArguments) -> Result<Outcome, Failure> {
    let answer = answer(plan, &[], None, arguments).map_err(Failure::Refused)?;
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
    let of = |at: f64, from: Option<&State>| answer(plan, &[at], from, arguments);
    let answers: Rows<LinearAnswer> = values.into_iter().map(|at| (at, of(at, None))).collect();
    let of_system = |linear: &Linearisation| {
        let values = linear.eigenvalues().map_err(|error| error.to_string())?;
        let unstable = linear.unstable().map_err(|error| error.to_string())?;
        Ok(Spectrum { values, unstable })
    };
    let row = |found: &Result<LinearAnswer, String>| {
        of_system(&found.as_ref().map_err(String::clone)?.linear)
    };
    let rows: Rows<Spectrum> = answers.iter().map(|(at, found)| (*at, row(found))).collect();
    let name = axis.target.name(plan.model.info);
    told(&name, &rows, || {
        let parts = parts(&answers, &of);
        let critical = critical(&parts, &of);
        let untold = critical.as_ref().err().cloned();
        let between = |pair: &[&[(f64, &LinearAnswer)]]| {
            let [(low, ..), (high, ..)] = [pair[0].last()?, pair[1].first()?];
            answers
                .iter()
                .all(|(at, row)| !(*low..=*high).contains(at) || row.is_ok())
                .then_some([*low, *high])
        };
        let all: Vec<&[(f64, &LinearAnswer)]> = parts.iter().map(Vec::as_slice).collect();
        let others = all.windows(2).filter_map(between).collect();
        let sweep = Sweep { name: name.clone(), rows: rows.clone(), critical, others };
        let shown = match arguments.format {
            AnalyseFormat::Text => sweep_text(&sweep),
            AnalyseFormat::Json => sweep.json(),
            AnalyseFormat::Tsv => sweep.tsv(),
        };
        shell::print_line(shown.trim_end())?;
        // What is known stays.
        untold.map_or(Ok(()), |reason| Err(Failure::Refused(reason)))
    })
}

/// Neighbours with an answer that follow from each other: each is found from the other's state, too.
fn parts<'a>(
    answers: &'a Rows<LinearAnswer>,
    of: &impl Fn(f64, Option<&State>) -> Result<LinearAnswer, String>,
) -> Vec<Vec<(f64, &'a LinearAnswer)>> {
    let mut parts: Vec<Vec<(f64, &LinearAnswer)>> = Vec::new();
    let mut is_open = false;
    for (at, found) in answers {
        let Ok(found) = found else {
            is_open = false;
            continue;
        };
        let follows = |part: &Vec<(f64, &LinearAnswer)>| {
            part.last().is_some_and(|(before, known)| {
                let leads = |at: f64, from: &LinearAnswer, to: &LinearAnswer| {
                    from.found.is_none()
                        || of(at, Some(&from.state)).is_ok_and(|found| same(&found, to))
                };
                leads(*at, known, found) && leads(*before, found, known)
            })
        };
        match parts.last_mut().filter(|part| is_open && follows(part)) {
            Some(part) => part.push((*at, found)),
            None => parts.push(vec![(*at, found)]),
        }
        is_open = true;
    }
    parts
}

/// Whether two answers are of one motion, or of motions of a family: what they differ by is steady beside either.
fn same(one: &LinearAnswer, other: &LinearAnswer) -> bool {
    let (a, names) = (&one.linear.a, &one.linear.free);
    if other.linear.free != *names {
        return false;
    }
    let y = |answer: &LinearAnswer, place: usize| {
        let State { q, v, .. } = &answer.state;
        if place < q.len() { q[place] } else { v[place - q.len()] }
    };
    let entries =
        |answer| DVector::from_iterator(names.len(), names.iter().map(|e| y(answer, e.place)));
    let (from, to) = (entries(one), entries(other));
    let apart = &to - &from;
    let (size, moved) = (1.0 + from.norm().max(to.norm()), apart.norm());
    let stays = |a: &DMatrix<f64>| (a * &apart).norm() <= NEARLY * a.norm() * moved;
    moved <= SAME * size || stays(a) && stays(&other.linear.a)
}

/// The critical values within the parts, each motion looked for from the nearest that is known.
fn critical(
    parts: &[Vec<(f64, &LinearAnswer)>],
    of: &impl Fn(f64, Option<&State>) -> Result<LinearAnswer, String>,
) -> Result<Vec<Crossing>, String> {
    let mut found = Vec::new();
    for part in parts {
        let samples: Vec<f64> = part.iter().map(|(at, _)| *at).collect();
        let mut why = None;
        let family = |at: f64| {
            if let Some((_, known)) = part.iter().find(|(sample, _)| *sample == at) {
                return Ok(known.linear.a.clone());
            }
            let distance = |one: &&(f64, &LinearAnswer)| (one.0 - at).abs();
            let near = part.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
            let from = near.filter(|(_, near)| near.found.is_some()).map(|(_, near)| &near.state);
            of(at, from).map(|found| found.linear.a).map_err(|reason| {
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

/// The steady motion and the linear system with these swept values, looked for from the start or from another state.
fn answer(
    plan: &Plan,
    values: &[f64],
    from: Option<&State>,
    arguments: &AnalyseArguments,
) -> Result<LinearAnswer, String> {
    let request = plan.request_at(0, values).map_err(|complaint| complaint.text())?;
    let Request { system, mut start, inputs, .. } = request;
    let info = plan.model.info;
    if let Some(from) = from {
        let given = std::mem::replace(&mut start, from.clone());
        for axis in &plan.axes {
            match axis.target {
                Target::Coordinate(i) => start.q[i] = given.q[i],
                Target::Velocity(i) => start.v[i] = given.v[i],
                Target::Time => start.t = given.t,
                Target::Parameter(_) | Target::Function(_) | Target::Input(_) => {}
            }
        }
    }
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
