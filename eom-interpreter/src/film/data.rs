//! What the page of a film plays, as JSON: numbers of all frames in 16 bits each, as parts of the range that they have.

use super::Film;
use super::between::Cut;
use super::window::{CurveAt, HeightsAt, Window};
use crate::account::event_words;
use crate::motion::Observer;
use crate::names::{speeds, unit, unit_of_speed};
use crate::object::object;
use eom_core::info::{NameInfo, SystemInfo};
use eom_elementary::{hypot, powi};
use serde_json::Value;

/// The most that a frame's number can be; one above it stands for no number.
const TOP: f64 = 65534.0;
const GAP: u16 = u16::MAX;

/// How long a film plays at its pace, from and to.
const SECONDS: [f64; 2] = [4.0, 30.0];

/// The longest arrow, as a part of the window.
const ARROW: f64 = 0.22;

/// A curve over time: its symbol, its unit, and its numbers frame by frame.
struct Curve {
    symbol: String,
    unit: String,
    values: Vec<f64>,
}

/// Curves in one frame.
struct Group {
    name: &'static str,
    unit: String,
    curves: Vec<Curve>,
}

/// What draws a film at any time: `scene.js` reads it.
pub fn drawn(film: &Film<'_>) -> Value {
    let (value, _) = scene(film, Vec::new());
    value
}

/// The data of the page of a film: what draws it, the curves beside, the events.
pub(super) fn data(film: &Film<'_>) -> Value {
    let (mut value, groups) = scene(film, groups(film));
    value["groups"] = Value::from(groups);
    value["events"] = Value::from(events(film));
    value["none"] = Value::from("No impacts, no events.");
    value["more"] = Value::from(more(film));
    value
}

/// The drawing with its numbers, and those of groups of curves in channels after them.
fn scene(film: &Film<'_>, groups: Vec<Group>) -> (Value, Vec<Value>) {
    let shapes = film.shapes();
    let window = Window::new(film, &shapes);
    let mut channels: Vec<Vec<f64>> = Vec::new();
    for index in 0..film.subject.drawing.count() {
        channels.push(shapes.iter().map(|numbers| numbers[index]).collect());
    }
    let drawn = film_shapes(film, &window, &shapes);
    let groups = groups.into_iter().map(|Group { name, unit, curves }| {
        let curves = curves.into_iter().map(|curve| {
            channels.push(curve.values);
            object!({ "symbol": curve.symbol, "channel": channels.len() - 1 })
        });
        let curves: Vec<Value> = curves.collect();
        object!({ "name": name, "unit": unit, "curves": curves })
    });
    let groups = groups.collect();
    let Cut { kept, off, rough, is_coarse, .. } = film.cut(&channels);
    let times = kept.iter().flat_map(|place| film.frames[*place].state.t.to_le_bytes());
    for channel in &mut channels {
        *channel = kept.iter().map(|place| channel[*place]).collect();
    }
    let ranges: Vec<[f64; 2]> = channels.iter().map(|values| range(values)).collect();
    let packed = channels.iter().zip(&ranges).flat_map(|(values, range)| packed(values, *range));
    let span = film.trajectory.end.t() - film.subject.start;
    let seconds = span.clamp(SECONDS[0], SECONDS[1]);
    let value = object!({
        "dimension": film.subject.drawing.dimension(),
        "box": window.ranges,
        "unit": film.subject.time_unit,
        "length": length(film.subject.system.info()),
        "pace": if span > 0.0 { span / seconds } else { 1.0 },
        "t": base64(&times.collect::<Vec<u8>>()),
        "ranges": ranges.as_slice(),
        "off": off,
        "rough": base64(&bits(&rough)),
        "coarse": is_coarse,
        "values": base64(&packed.collect::<Vec<u8>>()),
        "shapes": drawn,
    });
    (value, groups)
}

/// The unit of the first two coordinates, where both have one.
fn length(info: &SystemInfo) -> &'static str {
    let mut units = info.coordinates.iter().take(2).map(|item| unit(item.doc));
    match (units.next(), units.next()) {
        (Some(x), Some(y)) if x == y && x.ends_with('m') => x,
        _ => "",
    }
}

fn more(film: &Film<'_>) -> String {
    match film.trajectory.events.len() - film.events().len() {
        0 => String::new(),
        more => format!("and {more} more"),
    }
}

fn events(film: &Film<'_>) -> Vec<Value> {
    let info = film.subject.system.info();
    film.events().iter().map(|e| object!({ "t": e.t, "what": event_words(info, e) })).collect()
}

/// The shapes with the places of their numbers.
fn film_shapes(film: &Film<'_>, window: &Window, shapes: &[Vec<f64>]) -> Vec<Value> {
    let dimension = film.subject.drawing.dimension();
    let mut drawn = Vec::new();
    for (index, (own, shape)) in film.placed().enumerate() {
        let mut value = object!({
            "kind": shape.primitive.name,
            "first": own.start,
            "points": shape.points,
            "sizes": shape.sizes,
            "spoke": shape.has_spoke,
            "rotation": shape.has_rotation,
            "scale": shape.has_scale,
            "label": shape.label.as_str(),
            "color": shape.color.as_str(),
            "text": shape.text.as_str(),
        });
        if shape.primitive.name == "arrow" {
            value["usual"] = Value::from(usual_scale(shapes, own.start, dimension, window.size()));
        }
        if shape.field.is_some() {
            add_field(&mut value, film, window, index);
        }
        drawn.push(value);
    }
    drawn
}

/// The length of an arrow for each unit of its vector, so that the longest is seen well; `first` is the place
/// of its numbers among those of a frame.
pub fn usual_scale(frames: &[Vec<f64>], first: usize, dimension: usize, size: f64) -> f64 {
    let length = |numbers: &Vec<f64>| {
        let vector = numbers.iter().skip(first + dimension).take(dimension);
        vector.fold(0.0, |sum: f64, part| hypot(sum, *part))
    };
    let longest = frames.iter().map(length).filter(|x| x.is_finite()).fold(0.0, f64::max);
    if longest > 0.0 { ARROW * size / longest } else { 1.0 }
}

/// The curve of a shape, or in space the heights.
fn add_field(value: &mut Value, film: &Film<'_>, window: &Window, index: usize) {
    let size = window.size();
    let rounded = |x: f64| round(x, size);
    if film.subject.drawing.dimension() == 2 {
        let curves = window.curves(film, index).into_iter().map(|CurveAt { t, lines }| {
            let flat = |line: Vec<[f64; 2]>| line.concat().into_iter().map(rounded).collect();
            let lines: Vec<Vec<f64>> = lines.into_iter().map(flat).collect();
            object!({ "t": t, "lines": lines })
        });
        value["curves"] = curves.collect();
        return;
    }
    let (heights, cells) = window.heights(film, index);
    let heights = heights.into_iter().map(|HeightsAt { t, heights }| {
        let heights: Vec<f64> = heights.into_iter().map(rounded).collect();
        object!({ "t": t, "z": heights })
    });
    value["heights"] = heights.collect();
    value["cells"] = Value::from(cells);
    value["over"] = Value::from(window.under_heights());
}

/// Five digits of a size are more than can be seen.
fn round(x: f64, size: f64) -> f64 {
    // The exponent as it is printed is exact on every machine.
    let printed = format!("{size:e}");
    let exponent = printed.rsplit_once('e').and_then(|(_, digits)| digits.parse::<i32>().ok());
    let unit = powi(10.0, (5 - exponent.unwrap_or_default()).clamp(-300, 300));
    if unit.is_finite() && unit > 0.0 { (x * unit).round() / unit } else { x }
}

/// Coordinates, velocities, outputs and energies over time, those of one unit together.
fn groups(film: &Film<'_>) -> Vec<Group> {
    let info = film.subject.system.info();
    let system = film.subject.system;
    let documented = |items: &[NameInfo], index: usize| {
        items.get(index).map_or(String::new(), |item| unit(item.doc).to_owned())
    };
    let of = |value: &dyn Fn(&super::Frame) -> f64| film.frames.iter().map(value).collect();
    let position = |i: usize| Curve {
        symbol: info.position_name(i),
        unit: documented(info.coordinates, i),
        values: of(&|frame| frame.state.q[i]),
    };
    let coordinates: Vec<Curve> = (0..info.coordinates.len()).map(position).collect();
    let orientations = (info.coordinates.len()..info.positions()).map(position).collect();
    let velocities = speeds(info).into_iter().enumerate().map(|(i, symbol)| Curve {
        symbol,
        unit: unit_of_speed(info, i),
        values: of(&|frame| frame.state.v[i]),
    });
    let velocities = velocities.collect();
    let mut observer = Observer::new(system, film.subject.inputs);
    let outputs: Vec<Vec<f64>> = film
        .frames
        .iter()
        .map(|frame| {
            let mut outputs = vec![f64::NAN; info.outputs.len()];
            observer.see(&frame.state, &frame.mode).outputs(&mut outputs);
            outputs
        })
        .collect();
    let outputs = info.outputs.iter().enumerate().map(|(i, item)| Curve {
        symbol: item.name.to_owned(),
        unit: documented(info.outputs, i),
        values: outputs.iter().map(|values| values[i]).collect(),
    });
    let energies: Vec<eom_core::Energy> = film
        .frames
        .iter()
        .map(|frame| system.energy(frame.state.t, &frame.state.q, &frame.state.v))
        .collect();
    let energy = |symbol: &str, value: &dyn Fn(&eom_core::Energy) -> f64| Curve {
        symbol: symbol.to_owned(),
        unit: String::new(),
        values: energies.iter().map(value).collect(),
    };
    let energies = vec![
        energy("T", &|energy| energy.kinetic),
        energy("V", &|energy| energy.potential),
        energy("T + V", &eom_core::Energy::total),
    ];
    let kinds = [
        ("Coordinates", coordinates),
        ("Velocities", velocities),
        ("Outputs", outputs.collect()),
        ("Energy", energies),
        ("Quaternions", orientations),
    ];
    let mut groups: Vec<Group> = Vec::new();
    for (name, curves) in kinds {
        let is_number = |curve: &Curve| curve.values.iter().any(|value| value.is_finite());
        for curve in curves.into_iter().filter(is_number) {
            let same = |group: &&mut Group| group.name == name && group.unit == curve.unit;
            match groups.iter_mut().find(same) {
                Some(group) => group.curves.push(curve),
                None => groups.push(Group { name, unit: curve.unit.clone(), curves: vec![curve] }),
            }
        }
    }
    groups
}

/// The least and the greatest of finite numbers.
fn range(values: &[f64]) -> [f64; 2] {
    let finite = values.iter().copied().filter(|value| value.is_finite());
    let range = finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
        [low.min(value), high.max(value)]
    });
    if range[0] > range[1] { [0.0, 0.0] } else { range }
}

/// Numbers as parts of a range, little end first.
fn packed(values: &[f64], [low, high]: [f64; 2]) -> Vec<u8> {
    // Halves, since the width of a range may be beyond f64.
    let width = high / 2.0 - low / 2.0;
    let code = |value: f64| match value {
        value if !value.is_finite() => GAP,
        _ if width == 0.0 => 0,
        value => {
            let code = (TOP * ((value / 2.0 - low / 2.0) / width)).round();
            u16::try_from(code as i64).unwrap_or(GAP)
        }
    };
    values.iter().flat_map(|value| code(*value).to_le_bytes()).collect()
}

/// Eight in a byte, the first the lowest.
fn bits(of: &[bool]) -> Vec<u8> {
    let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
    of.chunks(8).map(byte).collect()
}

/// Base 64 with its fill.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |k: usize| u32::from(group.get(k).copied().unwrap_or_default());
        let word = (byte(0) << 16) | (byte(1) << 8) | byte(2);
        for k in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * k)) as usize & 63];
            text.push(if k <= group.len() { letter as char } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{GAP, base64, packed, range, round};

    #[test]
    fn numbers_are_packed() {
        // RFC 4648
        let table =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (bytes, text) in table {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        let values = [1.0, f64::NAN, 3.0, 2.0];
        assert_eq!(range(&values), [1.0, 3.0]);
        let codes: Vec<u16> = packed(&values, range(&values))
            .chunks(2)
            .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
            .collect();
        assert_eq!(codes, [0, GAP, 65534, 32767]);
        assert_eq!(packed(&[f64::MAX, -f64::MAX], [-f64::MAX, f64::MAX]), [254, 255, 0, 0]);
        assert_eq!(range(&[f64::INFINITY]), [0.0, 0.0]);
        assert_eq!((round(1.23456, 30.0), round(9876.54, 2e4)), (1.2346, 9876.5));
    }
}
