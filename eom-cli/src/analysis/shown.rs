//! Linear systems as text, JSON and tab-separated values.

use crate::analysis::{Rows, names_of_parts, parts, tabbed};
use crate::eval::state::speed_keys;
use eom_analysis::{
    AnalysisError, Crossing, CrossingKind, LinearAnswer, Mode, ModePart, ModePartKind, NEUTRAL,
    Turning, UNCLEAR,
};
use eom_core::State;
use eom_core::info::SystemInfo;
use eom_core::nalgebra::{Complex, DMatrix};
use serde_json::{Map, Value, json};
use std::f64::consts::TAU;
use std::fmt::Write as _;
use std::ops::Range;

/// Digits that text shows, and below which part of the largest of its list a number is shown as 0.
const DIGITS: usize = 12;
const NOTHING: f64 = 1e-12;

/// Entries of a state are shown as if the largest were no less than this: all of them may be rounding.
const LITTLE: f64 = 1e-3;

/// Numbers that are shown without a power of ten, and times.
const PLAIN: Range<f64> = 1e-5..1e15;
const PLAIN_TIMES: Range<f64> = 0.01..1e9;

/// Eigenvalues, with how many of them are unstable.
#[derive(Debug, Clone)]
pub(crate) struct Spectrum {
    pub(crate) values: Vec<Complex<f64>>,
    pub(crate) unstable: usize,
}

/// Eigenvalues over a swept value.
#[derive(Debug)]
pub(crate) struct Sweep {
    pub(crate) name: String,
    pub(crate) rows: Rows<Spectrum>,
    /// Or why they cannot be told.
    pub(crate) critical: Result<Vec<Crossing>, String>,
    /// Values between which the motion that is found is another one.
    pub(crate) others: Vec<[f64; 2]>,
}

/// A number with so many significant digits, 0 where it is nothing beside `scale`.
pub(crate) fn significant(value: f64, scale: f64) -> String {
    if value.abs() <= NOTHING * scale {
        return "0".to_owned();
    }
    rounded(value, DIGITS)
}

/// The same of a number that is known to a rounding: with the digits that are above it.
pub(crate) fn told(value: f64, scale: f64, rounding: f64) -> String {
    let (mut digits, mut above) = (0, rounding);
    while digits < DIGITS && value.abs() > above {
        (digits, above) = (digits + 1, 10.0 * above);
    }
    match digits {
        0 => "0".to_owned(),
        DIGITS => significant(value, scale),
        _ => rounded(value, digits),
    }
}

fn rounded(value: f64, digits: usize) -> String {
    let text = format!("{value:.*e}", digits - 1);
    let rounded: f64 = text.parse().unwrap_or(value);
    if PLAIN.contains(&rounded.abs()) { format!("{rounded}") } else { format!("{rounded:e}") }
}

fn largest(values: &[Complex<f64>]) -> f64 {
    values.iter().map(|value| value.norm_sqr().sqrt()).fold(0.0, f64::max)
}

/// `−0.32`, `−0.78 ± 4.46 i`; the second of a pair is left out.
fn shown(values: &[Complex<f64>]) -> Vec<String> {
    let scale = largest(values);
    let number = |value: f64| significant(value, scale);
    let upper = values.iter().filter(|value| value.im >= 0.0);
    upper
        .map(|value| match number(value.im).as_str() {
            "0" => number(value.re),
            im => format!("{} ± {im} i", number(value.re)),
        })
        .collect()
}

/// What a mode does: `halves in 2.1`, `period 1.4, halves in 0.17`. Up to a bound a number is none.
fn character(value: Complex<f64>, bound: f64) -> String {
    let (re, im) = (value.re, value.im);
    let rounded = |value: f64| {
        if PLAIN_TIMES.contains(&value) { format!("{value:.4}") } else { format!("{value:.4e}") }
    };
    let growth = if re.abs() <= bound {
        None
    } else if re < 0.0 {
        Some(format!("halves in {}", rounded(-f64::ln(2.0) / re)))
    } else {
        Some(format!("doubles in {}", rounded(f64::ln(2.0) / re)))
    };
    let period = (im > bound).then(|| format!("period {}", rounded(TAU / im)));
    let all: Vec<String> = period.into_iter().chain(growth).collect();
    if all.is_empty() { "neutral".to_owned() } else { all.join(", ") }
}

fn verdict(is_stable: Option<bool>) -> &'static str {
    match is_stable {
        Some(false) => "unstable",
        Some(true) => "asymptotically stable",
        None => {
            "not decided by the linear system: eigenvalues on the imaginary axis, none to the right"
        }
    }
}

/// Of a multiple root how far it is known: the entry that is known least.
fn degenerate(uncertainty: &[f64], info: &SystemInfo) -> String {
    let mut least = (0, 0.0);
    for (place, known) in uncertainty.iter().enumerate() {
        if *known > least.1 {
            least = (place, *known);
        }
    }
    let positions = (0..info.positions()).map(|i| info.position_name(i));
    let inputs = info.inputs.iter().map(|input| input.name.to_owned());
    let names: Vec<String> = positions.chain(crate::names::speeds(info)).chain(inputs).collect();
    format!("a multiple root, {} known to {:.1e}", names[least.0], least.1)
}

/// The steady motion, the eigenvalues and the matrices.
pub(crate) fn text(
    answer: &LinearAnswer,
    modes: &[Mode],
    info: &SystemInfo,
) -> Result<String, AnalysisError> {
    let LinearAnswer { linear, .. } = answer;
    let is_stable = linear.is_stable()?;
    let mut text = String::new();
    // Writing to a string does not fail.
    if let Some((steps, residual)) = answer.found {
        let _ = writeln!(text, "steady       found after {steps} steps, residual {residual:.1e}");
        let _ = writeln!(text, "state        {}", state_text(&answer.state, &answer.inputs, info));
    }
    if let Some(uncertainty) = &answer.uncertainty {
        let _ = writeln!(text, "degenerate   {}", degenerate(uncertainty, info));
    }
    let names = |entries: &[eom_analysis::Entry]| {
        entries.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    for (index, part) in linear.mode.iter().enumerate() {
        let _ = writeln!(text, "{:<13}{}", if index == 0 { "mode" } else { "" }, held(part));
    }
    for (index, Turning { what, rate }) in linear.turns.iter().enumerate() {
        let label = if index == 0 { "turns with" } else { "" };
        let _ = writeln!(text, "{label:<13}{what} at {}", significant(*rate, rate.abs()));
    }
    let _ = writeln!(text, "free         {}", names(&linear.free));
    let mut values: Vec<Complex<f64>> = modes.iter().map(|mode| mode.value).collect();
    let scale = largest(&values);
    // What is not told from 0 is 0.
    let (roundings, known) = (linear.roundings(&values)?, linear.uncertainties(&values)?);
    for (value, rounding) in values.iter_mut().zip(roundings) {
        if value.norm_sqr().sqrt() <= rounding {
            *value = Complex::new(0.0, 0.0);
        }
    }
    // Where nothing is decided, what seems to grow is rounding.
    let grows = values.iter().map(|value| value.re).fold(0.0, f64::max);
    let bound = if is_stable.is_none() { grows.max(NEUTRAL * scale) } else { NEUTRAL * scale };
    let upper = values.iter().zip(known).filter(|(value, _)| value.im >= 0.0);
    let lines = shown(&values);
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    for (index, (line, (value, known))) in lines.iter().zip(upper).enumerate() {
        let label = if index == 0 { "eigenvalues" } else { "" };
        let gap = " ".repeat(width - line.chars().count());
        let _ = write!(text, "{label:<13}{line}{gap}   {}", character(*value, bound));
        let is_unclear = value.norm_sqr() > 0.0 && known > UNCLEAR * scale;
        let _ = if is_unclear { writeln!(text, ", known to {known:.0e}") } else { writeln!(text) };
    }
    let _ = writeln!(text, "stability    {}", verdict(is_stable));
    let free: Vec<&str> = linear.free.iter().map(|entry| entry.name.as_str()).collect();
    let inputs: Vec<&str> = info.inputs.iter().map(|input| input.name).collect();
    matrix(&mut text, "A", (&linear.a, &free, &free));
    matrix(&mut text, "B", (&linear.b, &free, &inputs));
    matrix(&mut text, "C", (&linear.c, &linear.outputs, &free));
    matrix(&mut text, "D", (&linear.d, &linear.outputs, &inputs));
    if let Some(found) = &answer.second_order {
        let ξ: Vec<&str> = found.coordinates.iter().map(|entry| entry.name.as_str()).collect();
        let _ = writeln!(text, "second order M ξ̈ + C ξ̇ + K ξ = F u of {}", ξ.join(", "));
        for (name, of) in [("M", &found.mass), ("C", &found.damping), ("K", &found.stiffness)] {
            matrix(&mut text, name, (of, &ξ, &ξ));
        }
        matrix(&mut text, "F", (&found.force, &ξ, &inputs));
    }
    for (name, why) in &linear.left_out {
        let _ = writeln!(text, "left out     {name}: {why}");
    }
    Ok(text)
}

/// `floor is closed with N = 9.81, as long as N > 0`.
fn held(ModePart { name, kind }: &ModePart) -> String {
    let number = |value: f64| significant(value, value.abs());
    match *kind {
        ModePartKind::Closed { force } => {
            format!("{name} is closed with N = {}, as long as N > 0", number(force))
        }
        ModePartKind::Sticks { load } => {
            format!(
                "the friction of {name} sticks with a load of {}, as long as it is < 1",
                number(load)
            )
        }
        ModePartKind::Slides { speed } => {
            format!("the friction of {name} slides at {}, as long as that is > 0", number(speed))
        }
    }
}

/// `x = 1, ẋ = 0, F = 2`.
pub(crate) fn state_text(state: &State, inputs: &[f64], info: &SystemInfo) -> String {
    let State { q, v, .. } = state;
    let positions: Vec<String> = (0..q.len()).map(|i| info.position_name(i)).collect();
    let inputs_named: Vec<String> = info.inputs.iter().map(|it| it.name.to_owned()).collect();
    let groups =
        [(positions, &q[..]), (crate::names::speeds(info), &v[..]), (inputs_named, inputs)];
    // Coordinates, speeds and inputs have units of their own.
    let told = groups.into_iter().flat_map(|(names, values)| {
        let scale = size(values.iter()).max(LITTLE);
        names
            .into_iter()
            .zip(values)
            .map(move |(name, value)| format!("{name} = {}", significant(*value, scale)))
    });
    told.collect::<Vec<_>>().join(", ")
}

/// A matrix with the names of its rows and columns; nothing where it has no entries. Rows and columns have units of their
/// own: an entry is nothing beside the largest of its row and its column.
pub(crate) fn matrix(
    text: &mut String,
    name: &str,
    (of, rows, columns): (&DMatrix<f64>, &[&str], &[&str]),
) {
    if of.is_empty() {
        return;
    }
    let cell = |i: usize, j: usize| {
        let (row, column) = (of.row(i), of.column(j));
        let size = size(row.iter()).min(size(column.iter()));
        // What has no value is no number.
        if of[(i, j)].is_nan() { "-".to_owned() } else { significant(of[(i, j)], size) }
    };
    let cells: Vec<Vec<String>> =
        (0..of.nrows()).map(|i| (0..of.ncols()).map(|j| cell(i, j)).collect()).collect();
    let length = |text: &str| text.chars().count();
    let width = |j: usize| {
        let column = cells.iter().map(|row| length(&row[j])).max().unwrap_or(0);
        column.max(length(columns[j]))
    };
    let label = rows.iter().map(|row| length(row)).max().unwrap_or(0);
    let pad = |text: &str, width: usize| {
        format!("{}{text}", " ".repeat(width.saturating_sub(length(text))))
    };
    let line = |first: &str, entries: &[&str]| {
        let entries: Vec<String> =
            entries.iter().enumerate().map(|(j, entry)| pad(entry, width(j))).collect();
        format!(
            "  {first}{}  {}",
            " ".repeat(label.saturating_sub(length(first))),
            entries.join("  ")
        )
    };
    let _ = writeln!(text, "{name}\n{}", line("", columns));
    for (row, cells) in rows.iter().zip(&cells) {
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        let _ = writeln!(text, "{}", line(row, &cells));
    }
}

/// The size of the largest of these that is a number.
fn size<'a>(of: impl Iterator<Item = &'a f64>) -> f64 {
    of.fold(0.0, |size: f64, x| size.max(x.abs()))
}

/// A line a value, then the critical values.
pub(crate) fn sweep_text(sweep: &Sweep) -> String {
    let mut text = String::new();
    let width = sweep
        .rows
        .iter()
        .map(|(at, _)| at.to_string().len())
        .max()
        .unwrap_or(0)
        .max(sweep.name.chars().count());
    let gap = " ".repeat(width - sweep.name.chars().count());
    // Writing to a string does not fail.
    let _ = writeln!(text, "{gap}{}   unstable   eigenvalues", sweep.name);
    for (at, row) in &sweep.rows {
        let cells = match row {
            Ok(Spectrum { values, unstable }) => {
                format!("{unstable:>8}   {}", shown(values).join(",  "))
            }
            Err(reason) => format!("{:>8}   {reason}", "-"),
        };
        let _ = writeln!(text, "{at:>width$}   {cells}");
    }
    for [low, high] in &sweep.others {
        let name = &sweep.name;
        let _ = writeln!(
            text,
            "another    between {name} = {low} and {high} the motion that is found is another one; --along follows one"
        );
    }
    let critical = match &sweep.critical {
        Ok(critical) => critical,
        Err(reason) => {
            let _ = writeln!(text, "critical   not told: {reason}");
            return text;
        }
    };
    if critical.is_empty() && sweep.others.is_empty() {
        let all = sweep.rows.iter().all(|(_, row)| row.is_ok());
        let these = if all { "these" } else { "neighbours that have an answer" };
        let _ = writeln!(text, "no critical value between {these}");
    }
    for Crossing { at, kind, unstable: [below, above] } in critical {
        let what = match kind {
            CrossingKind::Real => "a real eigenvalue through 0".to_owned(),
            CrossingKind::Tangency { frequency: 0.0 } => {
                "a real eigenvalue touches 0 and turns back".to_owned()
            }
            CrossingKind::Tangency { frequency } => {
                format!(
                    "a pair touches ± {} i and turns back",
                    significant(*frequency, frequency.abs())
                )
            }
            CrossingKind::Oscillatory { frequency } => {
                format!("a pair ± {} i", significant(*frequency, frequency.abs()))
            }
            CrossingKind::Meeting { frequency } => {
                format!("two pairs meet at ± {} i", significant(*frequency, frequency.abs()))
            }
            CrossingKind::Doubling => "a multiplier through −1".to_owned(),
            CrossingKind::Several => "several at once, or not told apart".to_owned(),
        };
        let at = significant(*at, at.abs());
        let _ =
            writeln!(text, "critical   {} = {at}: {what}; unstable {below} → {above}", sweep.name);
    }
    text
}

pub(crate) fn complex(value: Complex<f64>) -> Value {
    json!({ "re": value.re, "im": value.im })
}

pub(crate) fn rows(of: &DMatrix<f64>) -> Value {
    (0..of.nrows())
        .map(|i| of.row(i).iter().copied().collect::<Vec<f64>>())
        .collect::<Vec<_>>()
        .into()
}

/// What is in force beside the constraints, with the number of its condition.
fn part_json(ModePart { name, kind }: &ModePart) -> Value {
    match *kind {
        ModePartKind::Closed { force } => json!({ "closed": name, "force": force }),
        ModePartKind::Sticks { load } => json!({ "sticks": name, "load": load }),
        ModePartKind::Slides { speed } => json!({ "slides": name, "speed": speed }),
    }
}

/// A turn along which the motion is steady.
fn turning_json(Turning { what, rate }: &Turning) -> Value {
    json!({ "what": what, "rate": rate })
}

/// A steady motion and its linear system, with all digits.
pub(crate) fn json(answer: &LinearAnswer, modes: &[Mode], info: &SystemInfo) -> String {
    let LinearAnswer { state, inputs, found, uncertainty, linear, second_order } = answer;
    let names = |entries: &[eom_analysis::Entry]| -> Vec<String> {
        entries.iter().map(|entry| entry.name.clone()).collect()
    };
    let modes: Vec<Value> = modes
        .iter()
        .map(|mode| {
            let vector: Map<String, Value> = names(&linear.free)
                .into_iter()
                .zip(mode.vector.iter().map(|w| complex(*w)))
                .collect();
            json!({ "value": complex(mode.value), "vector": vector })
        })
        .collect();
    let u = named(info.inputs.iter().map(|input| input.name.to_owned()).collect(), inputs);
    let mut state = state_json(state, speed_keys(info), info);
    state.insert("inputs".to_owned(), u.into());
    let whole = json!({
        "state": state,
        "found": found.map(|(steps, residual)| json!({ "steps": steps, "residual": residual })),
        "uncertainty": uncertainty,
        "mode": linear.mode.iter().map(part_json).collect::<Vec<_>>(),
        "turns": linear.turns.iter().map(turning_json).collect::<Vec<_>>(),
        "free": names(&linear.free),
        "entries": names(&linear.entries),
        "outputs": linear.outputs,
        "left_out": linear.left_out.iter().map(|(name, why)| json!({ "name": name, "why": why })).collect::<Vec<_>>(),
        "a": rows(&linear.a),
        "b": rows(&linear.b),
        "c": rows(&linear.c),
        "d": rows(&linear.d),
        "embedding": rows(&linear.embedding),
        "second_order": second_order.as_ref().map(|found| json!({
            "coordinates": found.coordinates.iter().map(|entry| &entry.ascii).collect::<Vec<_>>(),
            "M": rows(&found.mass),
            "C": rows(&found.damping),
            "K": rows(&found.stiffness),
            "F": rows(&found.force),
        })),
        "modes": modes,
    });
    pretty(&whole)
}

impl Sweep {
    /// All of it, with all digits.
    pub(crate) fn json(&self) -> String {
        let row = |(at, row): &(f64, Result<Spectrum, String>)| match row {
            Ok(Spectrum { values, unstable }) => {
                let values: Vec<Value> = values.iter().map(|value| complex(*value)).collect();
                json!({ "at": at, "eigenvalues": values, "unstable": unstable })
            }
            Err(reason) => json!({ "at": at, "eigenvalues": null, "reason": reason }),
        };
        let crossing = |Crossing { at, kind, unstable }: &Crossing| {
            let (kind, frequency) = match kind {
                CrossingKind::Real => ("real", None),
                CrossingKind::Oscillatory { frequency } => ("oscillatory", Some(*frequency)),
                CrossingKind::Meeting { frequency } => ("meeting", Some(*frequency)),
                CrossingKind::Doubling => ("doubling", None),
                CrossingKind::Tangency { frequency } => ("tangency", Some(*frequency)),
                CrossingKind::Several => ("several", None),
            };
            json!({ "at": at, "kind": kind, "frequency": frequency, "unstable": unstable })
        };
        pretty(&json!({
            "sweep": self.name,
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
            "critical": self.critical.as_ref().ok().map(|all| all.iter().map(crossing).collect::<Vec<_>>()),
            "others": self.others,
        }))
    }

    /// What is swept, then re and im of each eigenvalue; a row without has none.
    pub(crate) fn tsv(&self) -> String {
        let count =
            self.rows.iter().filter_map(|(_, row)| Some(row.as_ref().ok()?.values.len())).max();
        let names = std::iter::once(self.name.clone()).chain(names_of_parts(count.unwrap_or(0)));
        let mut lines = vec![names.collect::<Vec<_>>().join("\t")];
        for (at, row) in &self.rows {
            let values = row.as_ref().map(|found| &found.values[..]).unwrap_or_default();
            lines.push(tabbed(std::iter::once(*at).chain(parts(values))));
        }
        lines.join("\n")
    }
}

/// The columns of eigenvalues, and their numbers.
pub(crate) fn eigenvalues_tsv(modes: &[Mode]) -> String {
    let values: Vec<Complex<f64>> = modes.iter().map(|mode| mode.value).collect();
    let names: Vec<String> = names_of_parts(values.len()).collect();
    format!("{}\n{}", names.join("\t"), tabbed(parts(&values)))
}

/// A state by names, of which the speeds are given.
pub(crate) fn state_json(
    state: &State,
    speeds: Vec<String>,
    info: &SystemInfo,
) -> Map<String, Value> {
    let positions = (0..state.q.len()).map(|i| info.position_name(i)).collect();
    let (q, v) = (named(positions, &state.q), named(speeds, &state.v));
    let entries = [("t", json!(state.t)), ("q", q.into()), ("v", v.into())];
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn named(names: Vec<String>, values: &[f64]) -> Map<String, Value> {
    names.into_iter().zip(values.iter().map(|value| Value::from(*value))).collect()
}

/// Names and numbers can always be written.
pub(crate) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
