//! Periodic orbits and their multipliers; over a swept value each from the one before.

use crate::analysis::shown::{complex, pretty, state_json, state_text, told};
use crate::analysis::{Rows, names_of_parts, parts, tabbed, table};
use crate::cli::{AnalyseArguments, AnalyseFormat};
use crate::error::{Failure, Outcome};
use crate::eval::state::speed_keys;
use crate::names::{Guard, guard};
use crate::numbers::evaluate;
use crate::run::plan::Plan;
use crate::run::request::Request;
use crate::run::settings::parameters;
use crate::shell;
use eom_analysis::{Orbit, Section, UNCLEAR, Variations, latest_return};
use eom_core::info::SystemInfo;
use eom_core::{Counted, State, System};
use serde_json::json;
use std::fmt::Write as _;

/// Multipliers are known to this part of the largest, or of 1: variations are integrated to a tenth of it.
const ROUNDING: f64 = 1e-12;

/// Prints the periodic orbit near a start, or the multipliers over a swept value.
pub(crate) fn print(plan: &Plan, arguments: &AnalyseArguments) -> Result<Outcome, Failure> {
    let info = plan.model.info;
    let first = plan.request(0).map_err(|complaint| Failure::Refused(complaint.text()))?;
    section(arguments, &*first.system).map_err(Failure::Refused)?;
    let Some(axis) = plan.axes.first() else {
        let (orbit, inputs) = orbit(plan, &[], None, arguments).map_err(Failure::Refused)?;
        let shown = match arguments.format {
            AnalyseFormat::Text => text(&orbit, &inputs, info),
            AnalyseFormat::Json => json(&orbit, info),
            AnalyseFormat::Tsv => {
                tabbed(std::iter::once(orbit.period).chain(parts(&orbit.multipliers)))
            }
        };
        shell::print_line(shown.trim_end())?;
        return Ok(Outcome::Done);
    };
    let (mut rows, mut last, mut most): (Rows<Vec<f64>>, _, _) = (Vec::new(), None, 0);
    for at in &axis.values.all() {
        // From the one before; where that leads nowhere, from the start as it is given.
        let found = orbit(plan, &[*at], last.as_ref(), arguments)
            .or_else(|reason| orbit(plan, &[*at], None, arguments).map_err(|_| reason));
        let row = found.map(|(orbit, _)| {
            last = Some(orbit.state.clone());
            most = most.max(orbit.multipliers.len());
            let state = orbit.state.q.iter().chain(&orbit.state.v).copied();
            let stable = orbit.is_stable().map_or(f64::NAN, |stable| f64::from(u8::from(stable)));
            let first = [orbit.period, stable];
            first.into_iter().chain(state).chain(parts(&orbit.multipliers)).collect()
        });
        rows.push((*at, row));
    }
    let positions = (0..info.positions()).map(|i| info.position_ascii(i));
    let state = positions.chain(crate::names::speeds_ascii(info));
    let first = [axis.target.ascii(info), "period".to_owned(), "stable".to_owned()];
    let columns: Vec<String> = first.into_iter().chain(state).chain(names_of_parts(most)).collect();
    table(&columns, &rows)
}

/// What --section and --period say; a period may depend on the parameters.
pub(crate) fn section(
    arguments: &AnalyseArguments,
    system: &dyn System,
) -> Result<Section, String> {
    let info = system.info();
    let count = arguments.returns;
    if count == 0 {
        return Err("--returns 0: an orbit returns once at least".to_owned());
    }
    match (&arguments.section, &arguments.period) {
        (None, Some(text)) => {
            let period = evaluate(text, &parameters(system))
                .map_err(|mistake| format!("--period {text}: {mistake}"))?;
            if period > 0.0 {
                return Ok(Section::Period(period * count as f64));
            }
            Err(format!("--period {text}: a period is above 0"))
        }
        (Some(name), _) => {
            let found = guard(name, info).map_err(|said| format!("--section: {said}"))?;
            Ok(match found {
                Guard::Contact(contact) => Section::Impacts { contact, count },
                Guard::Event(event) => Section::Events { event, count },
            })
        }
        (None, None) => {
            Err("what returns does so to a section: give --section with a contact or an event, or \
                             --period with that of what drives it"
                .to_owned())
        }
    }
}

/// The orbit near a start with these swept values, or near a state.
fn orbit(
    plan: &Plan,
    values: &[f64],
    from: Option<&State>,
    arguments: &AnalyseArguments,
) -> Result<(Orbit, Vec<f64>), String> {
    let request = plan.request_at(0, values).map_err(|complaint| complaint.text())?;
    let Request { system, start, inputs, mut options, .. } = request;
    let section = section(arguments, &*system)?;
    let guess = from.unwrap_or(&start);
    options.until_impacts = None;
    options.until_events = None;
    options.until_time = Some(latest_return(guess.t, &options));
    let found = Variations::new(&*system)
        .and_then(|variations| variations.orbit(guess, &inputs, &options, section));
    Ok((found.map_err(|error| error.to_string())?, inputs))
}

fn text(orbit: &Orbit, inputs: &[f64], info: &SystemInfo) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(text, "period       {}", orbit.period);
    let steps = Counted(orbit.steps as u64, "step");
    let _ = writeln!(text, "found        after {steps}, residual {:.1e}", orbit.residual);
    let _ = writeln!(text, "state        {}", state_text(&orbit.state, inputs, info));
    let sizes = orbit.multipliers.iter().map(|value| value.norm_sqr().sqrt());
    let largest = sizes.fold(1.0, f64::max);
    let all = orbit.multipliers.iter().zip(&orbit.uncertainties);
    for (index, (value, known)) in all.filter(|(value, _)| value.im >= 0.0).enumerate() {
        let size = value.norm_sqr().sqrt();
        let is_unclear = *known > UNCLEAR * largest;
        let known = if is_unclear { *known } else { 0.0 };
        let rounding = orbit.rounding.max(ROUNDING * largest).max(known);
        let label = if index == 0 { "multipliers" } else { "" };
        let told = |number: f64| told(number, size, rounding);
        let shown = match told(value.im).as_str() {
            _ if size <= rounding => format!("0, within {rounding:.0e}"),
            "0" => told(value.re),
            im => format!("{} ± {im} i, of size {}", told(value.re), told(size)),
        };
        let _ = write!(text, "{label:<13}{shown}");
        let is_told = is_unclear && size > rounding;
        let _ = if is_told { writeln!(text, ", known to {known:.0e}") } else { writeln!(text) };
    }
    let verdict = match orbit.is_stable() {
        Some(true) => "stable",
        Some(false) => "not stable",
        None => "not decided by the multipliers: some on the unit circle, none outside",
    };
    let names: Vec<&str> = orbit.entries.iter().map(|entry| entry.name.as_str()).collect();
    let _ = writeln!(text, "stability    {verdict}");
    let _ = writeln!(text, "returns      {}", names.join(", "));
    text
}

fn json(orbit: &Orbit, info: &SystemInfo) -> String {
    let state = state_json(&orbit.state, speed_keys(info), info);
    let multipliers: Vec<_> = orbit.multipliers.iter().map(|value| complex(*value)).collect();
    pretty(&json!({
        "period": orbit.period,
        "state": state,
        "multipliers": multipliers,
        "uncertainties": orbit.uncertainties,
        "stable": orbit.is_stable(),
        "returns": orbit.entries.iter().map(|entry| entry.name.clone()).collect::<Vec<_>>(),
        "found": { "steps": orbit.steps, "residual": orbit.residual },
    }))
}
