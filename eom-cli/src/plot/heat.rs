//! A number over two others: a field of squares, with the scale of its colours beside it.

use super::frame::ticks::{Ticks, round_step};
use crate::plot::draw::{
    INK, RIGHT, axes, clip, frame_rectangle, headed, height, page, round, words,
};
use crate::plot::frame::{Frame, LETTER};
use crate::plot::look::Look;
use crate::plot::view::is_flat;
use models::scene::Axis;
use svg::node::element::{Group, Rectangle};

/// A field: a value for each pair, row by row of the second; not a number where there is none.
pub(crate) struct Field {
    /// The axes, and what the values are.
    pub(crate) axes: [Axis; 3],
    /// The places along the axes, rising.
    pub(crate) places: [Vec<f64>; 2],
    /// The values.
    pub(crate) values: Vec<f64>,
}

/// The colours of the least, the middle ones and the greatest: viridis, which prints grey and is told apart by
/// all eyes.
const COLORS: [[f64; 3]; 9] = [
    [68.0, 1.0, 84.0],
    [71.0, 44.0, 122.0],
    [59.0, 81.0, 139.0],
    [44.0, 113.0, 142.0],
    [33.0, 144.0, 141.0],
    [39.0, 173.0, 129.0],
    [92.0, 200.0, 99.0],
    [170.0, 220.0, 50.0],
    [253.0, 231.0, 37.0],
];

/// The width of the scale, its distance, the room of its numbers.
const SCALE: f64 = 16.0;
const APART: f64 = 20.0;
const NUMBERS: f64 = 66.0;
/// Squares reach below their neighbours by so much: else there are lines between them.
const OVER: f64 = 0.4;
/// Steps of the scale.
const STEPS: usize = 64;

/// The SVG of a field.
pub(crate) fn svg(
    (title, detail): (&str, &str),
    field: &Field,
    look: &Look,
) -> Result<String, String> {
    let [across, up] = &field.places;
    // Around places that are not above 0 there is no square on a logarithmic axis.
    look.check(&[0, 1].map(|i| ends(&field.places[i])))?;
    let edges = [edges(across, look.log[0])?, edges(up, look.log[1])?];
    let bounds = [0, 1].map(|i| ends(&edges[i]));
    let [low, high] = range(&field.values)?;
    let frame = Frame::tight(&bounds, look);
    let part = |value: f64| if high > low { (value - low) / (high - low) } else { 0.5 };
    let squares = Group::new().set("clip-path", "url(#frame)");
    let mut squares = squares.set("shape-rendering", "crispEdges");
    for (index, value) in field.values.iter().enumerate() {
        let (i, j) = (index % across.len(), index / across.len());
        if value.is_finite() && j < up.len() {
            let [left, top] = frame.page([edges[0][i], edges[1][j + 1]]);
            let [right, bottom] = frame.page([edges[0][i + 1], edges[1][j]]);
            squares = squares.add(rectangle([left, top], [right, bottom], &color(part(*value))));
        }
    }
    let width = (frame.right() + APART + SCALE + NUMBERS + RIGHT / 2.0).ceil();
    let middle = frame.origin[0] + frame.size[0] / 2.0;
    let [x, y, z] = &field.axes;
    let height = height(&frame, &[]);
    let document = page(title, width, height).add(clip("frame", &frame));
    let document = headed(document, (title, detail), (middle, width, height), look)
        .add(squares)
        .add(axes([x, y], &frame))
        .add(scale([low, high], z, &frame));
    Ok(look.coloured(format!("{document}\n")))
}

/// The first and the last of a list that rises.
fn ends(list: &[f64]) -> [f64; 2] {
    [list.first(), list.last()].map(|end| end.copied().unwrap_or_default())
}

/// The ends of squares around places: halfway to the neighbours, as far as they are seen along the axis.
fn edges(places: &[f64], log: bool) -> Result<Vec<f64>, String> {
    if log {
        let places: Vec<f64> = places.iter().map(|place| place.log10()).collect();
        let edges = edges(&places, false)?;
        return Ok(edges.iter().map(|edge| 10_f64.powf(*edge)).collect());
    }
    let rising = places.windows(2).all(|pair| pair[0] < pair[1]);
    let (Some(first), Some(last), true) = (places.first(), places.last(), rising) else {
        return Err("a heat map needs values that rise along both axes".to_owned());
    };
    let half = |a: usize, b: usize| match (places.get(a), places.get(b)) {
        (Some(a), Some(b)) => (b - a) / 2.0,
        _ => 0.5,
    };
    let count = places.len();
    let mut edges = vec![first - half(0, 1)];
    edges.extend(places.windows(2).map(|pair| f64::midpoint(pair[0], pair[1])));
    edges.push(last + half(count.saturating_sub(2), count - 1).max(f64::MIN_POSITIVE));
    if count == 1 {
        edges = vec![first - 0.5, first + 0.5];
    }
    Ok(edges)
}

fn range(values: &[f64]) -> Result<[f64; 2], String> {
    let finite = values.iter().copied().filter(|value| value.is_finite());
    let range = finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
        [low.min(value), high.max(value)]
    });
    match range {
        [low, high] if low > high => Err("there is nothing to draw".to_owned()),
        // The rounding of one value.
        [low, _] if is_flat(range) => Ok([low; 2]),
        range => Ok(range),
    }
}

/// The colour of a part from 0 to 1.
fn color(part: f64) -> String {
    let at = part.clamp(0.0, 1.0) * (COLORS.len() - 1) as f64;
    let index = usize::try_from(at as i64).unwrap_or(0).min(COLORS.len() - 2);
    let s = at - index as f64;
    let channel = |k: usize| {
        let [a, b] = [COLORS[index][k], COLORS[index + 1][k]];
        u8::try_from((a + s * (b - a)).round() as i64).unwrap_or(u8::MAX)
    };
    format!("#{:02x}{:02x}{:02x}", channel(0), channel(1), channel(2))
}

fn rectangle([left, top]: [f64; 2], [right, bottom]: [f64; 2], color: &str) -> Rectangle {
    Rectangle::new()
        .set("x", round(left))
        .set("y", round(top))
        .set("width", round(right - left + OVER))
        .set("height", round(bottom - top + OVER))
        .set("fill", color)
}

/// The colours beside the frame, with their numbers and what they stand for.
fn scale([low, high]: [f64; 2], axis: &Axis, frame: &Frame) -> Group {
    let left = frame.right() + APART;
    let [top, bottom] = [frame.origin[1], frame.bottom()];
    let mut group = Group::new();
    let y = |part: f64| bottom - part * (bottom - top);
    for k in 0..STEPS {
        let [from, to] = [k, k + 1].map(|k| k as f64 / STEPS as f64);
        let color = color(f64::midpoint(from, to));
        group = group.add(rectangle([left, y(to)], [left + SCALE, y(from)], &color));
    }
    let border = Frame { origin: [left, top], size: [SCALE, bottom - top], ..frame.clone() };
    group = group.add(frame_rectangle(&border).set("fill", "none").set("stroke", INK));
    let span = high - low;
    let ticks =
        if span > 0.0 { Ticks::new(low, high, round_step(span, 5.0)) } else { Ticks::of(low) };
    for &value in &ticks.values {
        let at = if span > 0.0 { (value - low) / span } else { 0.5 };
        group = group.add(words(
            &ticks.label(value),
            [left + SCALE + 6.0, y(at) + 4.0],
            11.0,
            "start",
            INK,
        ));
    }
    let unit = if axis.unit.is_empty() { String::new() } else { format!(" ({})", axis.unit) };
    let name = format!("{}{unit}", axis.symbol);
    // A long name ends where the page does.
    let room = SCALE + NUMBERS;
    let is_long = name.chars().count() as f64 * LETTER > room;
    let (at, anchor) = if is_long { (left + room, "end") } else { (left, "start") };
    group.add(words(&name, [at, top - 8.0], 12.0, anchor, INK))
}

#[cfg(test)]
mod tests {
    use super::{Field, color, edges, range, svg};
    use crate::plot::format::png::Renderer;
    use crate::plot::look::Look;
    use models::scene::{Axis, Quantity};

    /// The colours of a row of pixels of a map of 1 to 6 over decades and whole numbers, from the left.
    fn row(look: &Look) -> Vec<[u8; 3]> {
        let axes = [(); 3].map(|()| Axis {
            quantity: Quantity::Time,
            symbol: "a".to_owned(),
            unit: String::new(),
        });
        let places = [vec![0.01, 0.1, 1.0], vec![1.0, 2.0]];
        let field = Field { axes, places, values: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0] };
        let drawn = Renderer::new().pixels(&svg(("", ""), &field, look).unwrap(), 1.0).unwrap();
        // Above the lower edge of the frame, between the ticks.
        let y = drawn.height() - 82;
        let pixels = (0..drawn.width()).filter_map(|x| drawn.pixel(x, y));
        pixels.map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect()
    }

    #[test]
    fn squares_are_as_broad_as_their_axis_says_and_end_at_the_frame() {
        let looks = |log: bool, ranges| Look { log: [log, false], ranges, ..Look::default() };
        let breadth = |row: &[[u8; 3]], part: f64| {
            let wanted = color(part);
            let hex = |[r, g, b]: &[u8; 3]| format!("#{r:02x}{g:02x}{b:02x}");
            row.iter().filter(|pixel| hex(pixel) == wanted).count()
        };
        let decades = row(&looks(true, [None; 2]));
        let broad = [0.0, 0.2, 0.4].map(|part| breadth(&decades, part));
        assert!(broad[0] > 100 && broad.iter().all(|b| b.abs_diff(broad[0]) <= 2), "{broad:?}");
        let cut = row(&looks(false, [Some([0.3, 0.4]), Some([0.9, 1.1])]));
        let right = breadth(&cut, 0.2);
        assert!((538..=540).contains(&right) && cut[2] == [255; 3], "{right}, {:?}", cut[2]);
    }

    #[test]
    fn squares_lie_around_their_places() {
        assert_eq!(edges(&[1.0, 2.0, 4.0], false), Ok(vec![0.5, 1.5, 3.0, 5.0]));
        assert_eq!(edges(&[3.0], false), Ok(vec![2.5, 3.5]));
        // On a logarithmic axis halfway is the geometric mean.
        assert_eq!(edges(&[0.1, 10.0, 1e5], true), Ok(vec![0.01, 1.0, 1e3, 1e7]));
        // What differs by rounding is one value, whose number stands beside the colours.
        assert_eq!(range(&[0.3, 0.1 + 0.2, f64::NAN]), Ok([0.3, 0.3]));
        assert_eq!(range(&[1.0, 2.0]), Ok([1.0, 2.0]));
        assert!(edges(&[2.0, 1.0], false).is_err() && edges(&[], false).is_err());
        assert_eq!([color(0.0), color(1.0), color(-3.0)], ["#440154", "#fde725", "#440154"]);
    }
}
