//! What the figures are drawn with: colours, lines, words, the frame with its axes, the legend.

use crate::plot::frame::Frame;
use crate::plot::look::Look;
use models::scene::{Axis, Point};
use std::fmt::Write as _;
use svg::node::element::{
    Circle, ClipPath, Definitions, Group, Line, Path, Rectangle, TSpan, Text, Title,
};
use svg::{Document, Node};

/// Lengths of the page in units of 1/96 inch.
pub(crate) const RIGHT: f64 = 34.0;
/// Ticks, their labels, the axis label.
const BELOW: f64 = 58.0;
const LEGEND_ROW: f64 = 20.0;
/// What a heading leaves free on both sides together.
const MARGIN: f64 = 16.0;
/// The size of letters of the title, at least where it goes on in another line, and of the line below; the distance of lines.
const TITLE: f64 = 15.0;
const SMALLEST: f64 = 11.0;
const SUBTITLE: f64 = 12.0;
const TITLE_LINE: f64 = 19.0;
/// The breadth of a letter as a part of its size, bold and plain.
const BROAD_BOLD: f64 = 0.66;
const BROAD: f64 = 0.58;
/// More marks are dots.
const MARKED_MAX: usize = 2000;
/// The radius of a dot of many, and how many are in a path: a picture has a limit of elements.
pub(crate) const DOT: f64 = 0.9;
const DOTS: usize = 1000;
/// The length of a sample in the legend.
pub(crate) const SAMPLE: f64 = 26.0;
/// Where its label begins, and the size of letters there, as it is and at least in two columns.
const LABEL: f64 = SAMPLE + 9.0;
const LETTERS: f64 = 11.5;
const LETTERS_LEAST: f64 = 9.0;

pub(crate) const INK: &str = "#1a1a1a";
pub(crate) const QUIET: &str = "#5a5a5a";
pub(crate) const FAINT: &str = "#b4b4b4";
pub(crate) const GRID: &str = "#ececec";
pub(crate) const PATH: &str = "#2b5c9e";
pub(crate) const MARK: &str = "#c8391f";
pub(crate) const EVENT: &str = "#7b3fa0";
pub(crate) const START: &str = "#1f7a3d";
pub(crate) const TABLE: &str = "#fbf9f4";

/// How every figure begins.
pub(crate) const HEAD: &str = "<svg font-family=\"&apos;DejaVu Sans&apos;, Verdana, sans-serif\"";

/// An empty white page.
pub(crate) fn page(title: &str, width: f64, height: f64) -> Document {
    Document::new()
        .set("width", width)
        .set("height", height)
        .set("viewBox", (0, 0, width, height))
        .set("font-family", "'DejaVu Sans', Verdana, sans-serif")
        .add(Title::new(title))
        .add(Rectangle::new().set("width", width).set("height", height).set("fill", "white"))
}

/// Nothing of the motion is drawn beyond the frame.
pub(crate) fn clip(id: &str, frame: &Frame) -> Definitions {
    Definitions::new().add(ClipPath::new().set("id", id).add(frame_rectangle(frame)))
}

/// The frame itself.
pub(crate) fn frame_rectangle(frame: &Frame) -> Rectangle {
    Rectangle::new()
        .set("x", round(frame.origin[0]))
        .set("y", round(frame.origin[1]))
        .set("width", round(frame.size[0]))
        .set("height", round(frame.size[1]))
}

/// The lines of the title and the line below them, within the width of the page.
pub(crate) fn heading(title: &[String], subtitle: &str, middle: f64, width: f64) -> Group {
    let room = room(middle, width);
    let sizes = title.iter().map(|line| fitting(line, TITLE, BROAD_BOLD, room));
    let large = sizes.fold(TITLE, f64::min);
    let small = fitting(subtitle, SUBTITLE, BROAD, room);
    let middle = round(middle);
    let mut group = Group::new();
    for (i, line) in title.iter().rev().enumerate() {
        let at = [middle, 28.0 - TITLE_LINE * i as f64];
        group = group.add(words(line, at, large, "middle", INK).set("font-weight", "bold"));
    }
    group.add(words(subtitle, [middle, 49.0], small, "middle", QUIET))
}

/// The room of a heading around its middle.
fn room(middle: f64, width: f64) -> f64 {
    2.0 * middle.min(width - middle) - MARGIN
}

/// The size of letters, this one or the largest with which a text has room.
fn fitting(text: &str, size: f64, broad: f64, room: f64) -> f64 {
    round(size.min(room / (broad * text.chars().count().max(1) as f64)))
}

/// A title in lines that have room in small letters, as few and as even as they can be.
#[expect(clippy::cast_sign_loss, reason = "no room is 0")]
fn folded(title: &str, room: f64) -> Vec<String> {
    let letters = (room / (BROAD_BOLD * SMALLEST)).max(0.0) as usize;
    let count = title.chars().count();
    if count <= letters {
        return vec![title.to_owned()];
    }
    let broad = lines(title, letters);
    let mut even = (count / broad.len().max(1)..letters).map(|letters| lines(title, letters));
    even.find(|even| even.len() <= broad.len()).unwrap_or(broad)
}

/// The words of a text in lines of so many letters, or of a longer word.
fn lines(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The page with its heading, where the look has one; a title that is too long for a line makes the page higher.
pub(crate) fn headed(
    document: Document,
    (title, subtitle): (&str, &str),
    (middle, width, height): (f64, f64, f64),
    look: &Look,
) -> Document {
    let Some(title) = look.titled(title) else { return document };
    let title = folded(title, room(middle, width));
    let heading = heading(&title, subtitle, middle, width);
    if title.len() < 2 {
        return document.add(heading);
    }
    let more = TITLE_LINE * (title.len() - 1) as f64;
    let strip = Rectangle::new().set("y", -more).set("width", width).set("height", more);
    document
        .set("height", height + more)
        .set("viewBox", (0, -more, width, height + more))
        .add(strip.set("fill", "white"))
        .add(heading)
}

/// The SVG of what lies inside of a frame, with the grid behind it, axes around it, a legend below.
pub(crate) fn framed(
    (title, detail): (&str, &str),
    named: [&Axis; 2],
    (frame, inside): (&Frame, Group),
    entries: &[Entry],
    look: &Look,
) -> String {
    let width = (frame.right() + RIGHT).ceil();
    let middle = frame.origin[0] + frame.size[0] / 2.0;
    let height = height(frame, entries);
    let document = page(title, width, height).add(clip("frame", frame));
    let document = headed(document, (title, detail), (middle, width, height), look)
        .add(grid(frame))
        .add(inside)
        .add(axes(named, frame))
        .add(legend(entries, frame));
    look.coloured(format!("{document}\n"))
}

/// Lines at the ticks.
pub(crate) fn grid(frame: &Frame) -> Group {
    let [left, top] = frame.origin;
    let mut group = Group::new().set("stroke", GRID).set("stroke-width", 1);
    for &value in &frame.ticks(0).values {
        let x = frame.x(value);
        group = group.add(line([x, top], [x, frame.bottom()]));
    }
    for &value in &frame.ticks(1).values {
        let y = frame.y(value);
        group = group.add(line([left, y], [frame.right(), y]));
    }
    group
}

/// The frame, its ticks with their numbers, the names of the axes.
pub(crate) fn axes(named: [&Axis; 2], frame: &Frame) -> Group {
    let [left, top] = frame.origin;
    let mut group = Group::new()
        .add(frame_rectangle(frame).set("fill", "none").set("stroke", INK).set("stroke-width", 1));
    let mut marks = Group::new().set("stroke", INK).set("stroke-width", 1);
    let [across, up] = [0, 1].map(|axis| frame.ticks(axis));
    for &value in &across.values {
        let (x, y) = (frame.x(value), frame.bottom());
        marks = marks.add(line([x, y], [x, y + 5.0]));
        let label = across.label(value);
        group = group.add(words(&label, [x, y + 19.0], 11.5, "middle", INK));
    }
    for &value in &up.values {
        let y = frame.y(value);
        marks = marks.add(line([left - 5.0, y], [left, y]));
        let label = up.label(value);
        group = group.add(words(&label, [left - 9.0, y + 4.0], 11.5, "end", INK));
    }
    let middle = [left + frame.size[0] / 2.0, top + frame.size[1] / 2.0];
    // Numbers with an exponent are broader.
    let aside = left - frame.room - if frame.is_broad() { 63.0 } else { 54.0 };
    let across =
        axis_label(named[0], [middle[0], frame.bottom() + 42.0], frame.size[0] + 2.0 * RIGHT);
    let room = frame.size[1] + 2.0 * top.min(BELOW) - MARGIN;
    let up = axis_label(named[1], [aside, middle[1]], room)
        .set("transform", format!("rotate(-90 {aside:.0} {:.2})", middle[1]));
    group.add(marks).add(across).add(up)
}

/// The symbol in italics, its unit upright.
fn axis_label(axis: &Axis, at: Point, room: f64) -> Text {
    let unit = if axis.unit.is_empty() { String::new() } else { format!("({})", axis.unit) };
    let size = fitting(&format!("{} {unit}", axis.symbol), 13.0, BROAD, room);
    let text = words("", at, size, "middle", INK)
        .add(TSpan::new(axis.symbol.clone()).set("font-style", "italic"));
    if unit.is_empty() { text } else { text.add(TSpan::new(unit)) }
}

/// A sample of a style and what it stands for.
pub(crate) struct Entry {
    sample: Box<dyn Fn(Point) -> Group>,
    label: String,
}

impl Entry {
    /// An entry; the sample is drawn from its left end.
    pub(crate) fn new(sample: impl Fn(Point) -> Group + 'static, label: &str) -> Self {
        Self { sample: Box::new(sample), label: label.to_owned() }
    }
}

/// Columns below the axis: two, or one where a label has no room in them.
fn columns(entries: &[Entry], frame: &Frame) -> usize {
    // The last one has no other beside it.
    let beside = entries.iter().step_by(2).take(entries.len() / 2);
    let room = frame.size[0] / 2.0 - LABEL;
    let is_small = |entry: &Entry| fitting(&entry.label, LETTERS, BROAD, room) < LETTERS_LEAST;
    if beside.into_iter().any(is_small) { 1 } else { 2 }
}

/// Samples and what they stand for.
pub(crate) fn legend(entries: &[Entry], frame: &Frame) -> Group {
    let columns = columns(entries, frame);
    let mut group = Group::new();
    for (i, entry) in entries.iter().enumerate() {
        let (column, row) = (i % columns, i / columns);
        let x = frame.origin[0] + column as f64 * frame.size[0] / 2.0 + 4.0;
        let y = frame.bottom() + BELOW + LEGEND_ROW * row as f64 + 6.0;
        // Up to the next one, or to the edge of the page.
        let has_next = column + 1 < columns && i + 1 < entries.len();
        let end = if has_next { x + frame.size[0] / 2.0 } else { frame.right() + RIGHT };
        let size = fitting(&entry.label, LETTERS, BROAD, end - x - LABEL);
        let label = words(&entry.label, [x + LABEL, y + 4.0], size, "start", INK);
        group = group.add((entry.sample)([x, y])).add(label);
    }
    group
}

/// The height of a page that ends below a legend.
pub(crate) fn height(frame: &Frame, entries: &[Entry]) -> f64 {
    let rows = entries.len().div_ceil(columns(entries, frame));
    (frame.bottom() + BELOW + LEGEND_ROW * rows as f64 + 8.0).ceil()
}

/// A line through points, in the units of the axes.
pub(crate) fn path(frame: &Frame, points: &[Point], closed: bool) -> Path {
    let mut data = String::new();
    for (i, &point) in points.iter().enumerate() {
        let [x, y] = frame.page(point);
        // Writing to a string does not fail.
        let _ = write!(data, "{}{x:.2},{y:.2}", if i == 0 { 'M' } else { 'L' });
    }
    if closed {
        data.push('Z');
    }
    Path::new().set("d", data).set("fill", "none").set("stroke-linejoin", "round")
}

/// A line of the legend.
pub(crate) fn straight([x, y]: Point) -> Path {
    Path::new().set("d", format!("M{x:.2},{y:.2}L{:.2},{y:.2}", x + SAMPLE)).set("fill", "none")
}

pub(crate) fn circle([x, y]: Point, radius: f64) -> Circle {
    Circle::new().set("cx", round(x)).set("cy", round(y)).set("r", radius)
}

/// A group with a mark at each of these points of the page, or with dots where they are many.
pub(crate) fn marked<T: Into<Box<dyn Node>>>(
    group: Group,
    at: &[Point],
    colour: &str,
    mark: impl Fn(usize) -> T,
) -> Group {
    if at.len() > MARKED_MAX {
        return group.add(dots(at, DOT, colour));
    }
    (0..at.len()).fold(group, |group, i| group.add(mark(i)))
}

/// Dots of one radius, many in a path: as ends of lines of no length, which are round.
pub(crate) fn dots(at: &[Point], radius: f64, colour: &str) -> Group {
    let mut group = Group::new()
        .set("fill", "none")
        .set("stroke", colour)
        .set("stroke-width", 2.0 * radius)
        .set("stroke-linecap", "round");
    for some in at.chunks(DOTS) {
        let mut data = String::new();
        for [x, y] in some {
            // Writing to a string does not fail.
            let _ = write!(data, "M{},{}h0", round(*x), round(*y));
        }
        group = group.add(Path::new().set("d", data));
    }
    group
}

pub(crate) fn line(from: Point, to: Point) -> Line {
    Line::new()
        .set("x1", round(from[0]))
        .set("y1", round(from[1]))
        .set("x2", round(to[0]))
        .set("y2", round(to[1]))
}

pub(crate) fn words(text: &str, at: Point, size: f64, anchor: &str, colour: &str) -> Text {
    Text::new(text)
        .set("x", round(at[0]))
        .set("y", round(at[1]))
        .set("font-size", size)
        .set("text-anchor", anchor)
        .set("fill", colour)
}

/// The edge of what does not move.
pub(crate) fn outline_style(path: Path) -> Path {
    path.set("stroke", INK).set("stroke-width", 2.2)
}

/// Where a motion starts.
pub(crate) fn start_style(circle: Circle) -> Circle {
    circle.set("fill", "white").set("stroke", START).set("stroke-width", 2)
}

/// A declared event: a square that stands on a corner.
pub(crate) fn diamond([x, y]: Point, colour: &str) -> Path {
    const HALF: f64 = 4.5;
    let [left, right, above, below] = [x - HALF, x + HALF, y - HALF, y + HALF];
    let data = format!("M{left:.2},{y:.2}L{x:.2},{above:.2}L{right:.2},{y:.2}L{x:.2},{below:.2}Z");
    let edge = Path::new().set("d", data).set("fill", "white");
    edge.set("stroke", colour).set("stroke-width", 1.5)
}

/// Hundredths of a page unit are enough.
pub(crate) fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::format::png::Renderer;

    #[test]
    fn a_long_title_goes_on_in_lines_of_letters_that_are_read() {
        // table
        let cases = [
            ("Ball", 540.0, 1),
            ("of the motion of a ball and its floor", 180.0, 2),
            ("", 300.0, 1),
        ];
        for (title, room, count) in cases {
            let lines = folded(title, room);
            assert_eq!((lines.len(), lines.join(" ").as_str()), (count, title), "{lines:?}");
            assert!(lines.iter().all(|line| fitting(line, TITLE, BROAD_BOLD, room) >= SMALLEST));
        }
        // A word that is longer than a line is one.
        assert_eq!(folded("of_a_word_that_is_longer here", 100.0).len(), 2);
    }

    #[test]
    fn dots_are_round_and_where_they_are_put() {
        let at = [[5.0, 5.0], [20.0, 10.0]];
        let svg = page("", 30.0, 20.0).add(dots(&at, 3.0, "#000000")).to_string();
        let pixels = Renderer::new().pixels(&svg, 1.0).unwrap();
        let is_black = |x: u32, y: u32| pixels.pixel(x, y).is_some_and(|pixel| pixel.red() < 128);
        for (y, x) in (0..20).flat_map(|y| (0..30).map(move |x| (y, x))) {
            let [across, up] = [x, y].map(|k| f64::from(k) + 0.5);
            let far = at.map(|[x, y]| (across - x).hypot(up - y)).into_iter().fold(99.0, f64::min);
            // The edge goes through a pixel.
            if (far - 3.0).abs() > 0.8 {
                assert_eq!(is_black(x, y), far < 3.0, "{x}, {y}");
            }
        }
    }
}
