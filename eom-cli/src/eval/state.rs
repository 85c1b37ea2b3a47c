//! States as JSON:
//!
//! ```text
//! {"t": 0, "q": {"x": 1}, "v": {"x": 2}, "inputs": {"u": 0}}      or a list of such
//! ```
//!
//! What is not named is 0; a rotation without its quaternion is not turned. A velocity is named as its
//! coordinate, `x`, or as itself, `ẋ`, `x_dot`, `u`.

use crate::names::{listed, no_such, speeds_ascii};
use eom_core::State;
use eom_core::info::SystemInfo;
use eom_symbolic::name::{Name, nearest};
use serde_json::{Map, Value};

/// A quaternion is off unit length by no more than this.
const UNIT_TOLERANCE: f64 = 1e-9;

/// A state with inputs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Given {
    pub(crate) state: State,
    pub(crate) inputs: Vec<f64>,
}

/// The states of a text, and whether they came as a list.
pub(crate) fn read(text: &str, info: &SystemInfo) -> Result<(Vec<Given>, bool), String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    match value {
        Value::Array(states) => {
            let one = |(index, state): (usize, &Value)| {
                given(state, info).map_err(|error| format!("state {}: {error}", index + 1))
            };
            Ok((states.iter().enumerate().map(one).collect::<Result<_, String>>()?, true))
        }
        state => Ok((vec![given(&state, info)?], false)),
    }
}

fn given(value: &Value, info: &SystemInfo) -> Result<Given, String> {
    let Value::Object(fields) = value else {
        return Err(format!("a state is an object {SHAPE}"));
    };
    if let Some(field) = fields.keys().find(|field| !FIELDS.contains(&field.as_str())) {
        let message = no_such("field", field, nearest(field, FIELDS));
        return Err(format!("{message}\n  a state is {SHAPE}"));
    }
    let t = fields.get("t").map_or(Ok(0.0), |t| number("t", t))?;
    let mut q = vec![0.0; info.positions()];
    let coordinates: Vec<Vec<Name>> =
        (0..q.len()).map(|i| vec![Name::parse(&info.position_ascii(i))]).collect();
    let shown: Vec<String> = (0..q.len()).map(|i| info.position_name(i)).collect();
    let set = fill(fields, "q", "coordinate", (&coordinates, &shown), &mut q)?;
    for (index, quaternion) in q[info.coordinates.len()..].chunks_exact_mut(4).enumerate() {
        let first = info.coordinates.len() + 4 * index;
        if !set[first..first + 4].contains(&true) {
            quaternion[0] = 1.0;
        }
        check_unit(info.rotations[index].name, quaternion)?;
    }
    let mut v = vec![0.0; info.speeds()];
    let speeds: Vec<Vec<Name>> = speeds_ascii(info)
        .iter()
        .map(|speed| {
            let name = Name::parse(speed);
            vec![Name { dots: 0, ..name.clone() }, name]
        })
        .collect();
    fill(fields, "v", "velocity", (&speeds, &speed_keys(info)), &mut v)?;
    let mut inputs = vec![0.0; info.inputs.len()];
    let names: Vec<Vec<Name>> =
        info.inputs.iter().map(|input| vec![Name::parse(input.ascii)]).collect();
    let shown: Vec<String> = info.inputs.iter().map(|input| input.name.to_owned()).collect();
    fill(fields, "inputs", "input", (&names, &shown), &mut inputs)?;
    Ok(Given { state: State { t, q, v }, inputs })
}

const FIELDS: [&str; 4] = ["t", "q", "v", "inputs"];

const SHAPE: &str =
    r#"{"t": number, "q": {name: number}, "v": {name: number}, "inputs": {name: number}}"#;

/// What the entries of v are called in states and answers: `x`, `u`.
pub(crate) fn speed_keys(info: &SystemInfo) -> Vec<String> {
    if info.is_plain() {
        return info.coordinates.iter().map(|item| item.name.to_owned()).collect();
    }
    info.velocities.iter().map(|item| Name::parse(item.name).display).collect()
}

/// Writes the numbers of a field to their places; which places were named.
fn fill(
    fields: &Map<String, Value>,
    field: &str,
    what: &str,
    (names, shown): (&[Vec<Name>], &[String]),
    values: &mut [f64],
) -> Result<Vec<bool>, String> {
    let mut set = vec![false; values.len()];
    let entries = match fields.get(field) {
        None => return Ok(set),
        Some(Value::Object(entries)) => entries,
        Some(_) => return Err(format!("`{field}` must be an object {{name: number}}")),
    };
    for (text, value) in entries {
        let name = Name::parse(text);
        let same = |known: &Name| known.ascii() == name.ascii();
        let Some(index) = names.iter().position(|known| known.iter().any(same)) else {
            let near = nearest(&name.key, shown.iter().map(String::as_str));
            let message = no_such(what, text, near);
            let known = if shown.is_empty() { "none".to_owned() } else { listed(text, shown) };
            return Err(format!("{message}\n  names in `{field}`: {known}"));
        };
        if set[index] {
            return Err(format!("`{}` stands twice in `{field}`", shown[index]));
        }
        set[index] = true;
        values[index] = number(text, value)?;
    }
    Ok(set)
}

fn number(name: &str, value: &Value) -> Result<f64, String> {
    value.as_f64().ok_or_else(|| format!("`{name}` must be a number; it is {value}"))
}

fn check_unit(name: &str, quaternion: &[f64]) -> Result<(), String> {
    let length = quaternion.iter().map(|r| r * r).sum::<f64>().sqrt();
    if (length - 1.0).abs() <= UNIT_TOLERANCE {
        return Ok(());
    }
    Err(format!(
        "the quaternion {name}_w, {name}_x, {name}_y, {name}_z has the length {length}: divide by it"
    ))
}
