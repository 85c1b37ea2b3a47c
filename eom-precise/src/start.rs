//! Where a run in higher precision begins.
//!
//! A number is what the declaration says where its value in doubles is the one that is given, else the decimal number
//! that the given double is written as: `a = 0.2` is 1/5, `φ = pi/2` of a scenario is π/2 to the last digit. Then the
//! state is moved to the constraints, which doubles satisfy to 10⁻¹⁶ only.

use crate::instant::Instant;
use crate::motion::Exact;
use crate::number::{Precision, Real};
use crate::outline::Outline;
use crate::refusal::Refusal;
use crate::series::{NoValue, Series};
use crate::solve::dot;

/// A double of a declaration may have been rounded so many times on its way.
const ROUNDINGS: f64 = 8.0;

/// Steps of Newton's method towards the constraints.
const STEPS_MAX: usize = 12;

/// What is given in doubles.
#[derive(Debug, Clone, Copy)]
pub struct Given<'g> {
    /// Time.
    pub t: f64,
    /// Coordinates.
    pub q: &'g [f64],
    /// Speeds.
    pub v: &'g [f64],
    /// Inputs.
    pub inputs: &'g [f64],
    /// Parameters.
    pub parameters: &'g [f64],
    /// The declared scenario that the start is of.
    pub scenario: Option<usize>,
}

/// The start, and inputs and parameters one after another.
pub(crate) fn begin(
    outline: &Outline,
    precision: Precision,
    given: Given<'_>,
) -> Result<(Exact, Vec<Real>), Refusal> {
    let fixed = fixed(outline, precision, given)?;
    let scenario = given.scenario.and_then(|index| outline.scenarios.get(index));
    let declared = |nodes: &[usize]| -> Vec<Option<Real>> {
        let state = vec![precision.zero(); outline.graph.state];
        let all: Vec<Real> = state.into_iter().chain(fixed.iter().cloned()).collect();
        nodes.iter().map(|node| value(outline, precision, *node, &all)).collect()
    };
    let times = scenario.map_or_else(|| vec![None], |scenario| declared(&[scenario.time]));
    let t = chosen(precision, given.t, times[0].as_ref(), "t")?;
    let doubles = given.q.iter().chain(given.v);
    let state = scenario.map_or_else(Vec::new, |scenario| declared(&scenario.state));
    let mut y = Vec::new();
    for (index, double) in doubles.enumerate() {
        let declared = state.get(index).and_then(Option::as_ref);
        y.push(chosen(precision, *double, declared, &format!("entry {index} of the start"))?);
    }
    let at = to_constraints(outline, precision, Exact { t, y }, &fixed);
    let at = at.map_err(|why| Refusal::Start { reason: format!("has no value of {}", why.0) })?;
    Ok((at, fixed))
}

/// A quaternion of unit length.
fn to_unit(precision: Precision, quaternion: &mut [Real]) {
    let length = dot(precision, quaternion, quaternion).sqrt();
    for entry in quaternion {
        let divided = length.as_ref().and_then(|length| entry.over(length));
        *entry = divided.unwrap_or_else(|| entry.clone());
    }
}

/// Inputs, then parameters, whose defaults hold those before them.
fn fixed(outline: &Outline, precision: Precision, given: Given<'_>) -> Result<Vec<Real>, Refusal> {
    let mut fixed = Vec::new();
    for input in given.inputs {
        fixed.push(chosen(precision, *input, None, "an input")?);
    }
    for (index, double) in given.parameters.iter().enumerate() {
        let mut all = vec![precision.zero(); outline.graph.state];
        all.extend(fixed.iter().cloned());
        all.resize(
            outline.graph.state + given.inputs.len() + given.parameters.len(),
            precision.zero(),
        );
        let default = outline.defaults.get(index).copied().flatten();
        let default = default.and_then(|node| value(outline, precision, node, &all));
        fixed.push(chosen(precision, *double, default.as_ref(), &format!("parameter {index}"))?);
    }
    Ok(fixed)
}

/// A value that depends on parameters alone.
fn value(outline: &Outline, precision: Precision, node: usize, given: &[Real]) -> Option<Real> {
    let mut series = Series::new(&outline.graph, precision, (&[node], 0));
    series.advance(0, given).ok()?;
    series.at(node, 0).cloned()
}

/// What is declared, if that is the double that is given.
fn chosen(
    precision: Precision,
    double: f64,
    declared: Option<&Real>,
    name: &str,
) -> Result<Real, Refusal> {
    let same = declared.filter(|declared| {
        let value = declared.to_f64();
        (value - double).abs() <= ROUNDINGS * f64::EPSILON * value.abs()
    });
    let number = same.cloned().or_else(|| precision.written(double));
    number.ok_or_else(|| Refusal::NotFinite { name: name.to_owned() })
}

/// The state on its constraints: quaternions of unit length, then q, then v.
pub(crate) fn to_constraints(
    outline: &Outline,
    precision: Precision,
    mut at: Exact,
    fixed: &[Real],
) -> Result<Exact, NoValue> {
    let places = outline.quaternions.iter();
    places.for_each(|place| to_unit(precision, &mut at.y[*place..*place + 4]));
    let mut instant = Instant::new(outline, precision);
    for holonomic in [true, false] {
        if outline.rows.is_empty() || holonomic && outline.holonomic.is_empty() {
            continue;
        }
        for _ in 0..STEPS_MAX {
            instant.load(&at, fixed)?;
            let y = instant.corrected(holonomic)?;
            let moved = at.y.iter().zip(&y).map(|(old, new)| (new - old).log2());
            let moved = moved.fold(f64::NEG_INFINITY, f64::max);
            at.y = y;
            if moved <= precision.tolerance() {
                break;
            }
        }
    }
    Ok(at)
}
