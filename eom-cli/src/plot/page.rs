//! A figure on a page: SVG.

use crate::plot::figure::{Figure, ImpactMark};
use crate::plot::frame::{Frame, LEFT, TOP};
use crate::plot::inset::{self, Inset};
use crate::plot::labels;
use models::scene::{Axis, Point};
use std::fmt::Write as _;
use svg::Document;
use svg::node::element::{
    Circle, ClipPath, Definitions, Group, Line, Path, Rectangle, TSpan, Text, Title,
};

/// Lengths of the page in units of 1/96 inch.
const RIGHT: f64 = 34.0;
/// Ticks, their labels, the axis label.
const BELOW: f64 = 58.0;
const LEGEND_ROW: f64 = 20.0;
/// Numbers of more impacts would cover each other.
const NUMBERED_LARGEST: usize = 40;

const INK: &str = "#1a1a1a";
const QUIET: &str = "#5a5a5a";
const FAINT: &str = "#b4b4b4";
const GRID: &str = "#ececec";
const PATH: &str = "#2b5c9e";
const MARK: &str = "#c8391f";
const EVENT: &str = "#7b3fa0";
const START: &str = "#1f7a3d";
const TABLE: &str = "#fbf9f4";

/// The SVG of a figure. The same figure gives the same bytes.
pub(crate) fn svg(figure: &Figure<'_>) -> String {
    let frame = Frame::new(figure);
    let inset = inset::of(figure, &frame);
    let magnified = |mark: &ImpactMark| inset.as_ref().is_some_and(|inset| inset.shows(mark));
    let entries = legend_entries(figure);
    let rows = entries.len().div_ceil(2);
    let width = (frame.right() + RIGHT).ceil();
    let height = (frame.bottom() + BELOW + LEGEND_ROW * rows as f64 + 8.0).ceil();
    let document = Document::new()
        .set("width", width)
        .set("height", height)
        .set("viewBox", (0, 0, width, height))
        .set("font-family", "'DejaVu Sans', Verdana, sans-serif")
        .add(Title::new(figure.title.clone()))
        .add(clip("frame", &frame))
        .add(Rectangle::new().set("width", width).set("height", height).set("fill", "white"))
        .add(heading(figure, width))
        .add(grid(&frame))
        .add(inside(figure, &frame, "frame", &|mark| !magnified(mark)))
        .add(inset.as_ref().map_or_else(Group::new, |inset| enlarged(figure, inset)))
        .add(axes(figure, &frame))
        .add(legend(&entries, &frame));
    format!("{document}\n")
}

/// Nothing of the motion is drawn beyond the frame.
fn clip(id: &str, frame: &Frame) -> Definitions {
    Definitions::new().add(ClipPath::new().set("id", id).add(frame_rectangle(frame)))
}

fn frame_rectangle(frame: &Frame) -> Rectangle {
    Rectangle::new()
        .set("x", round(frame.origin[0]))
        .set("y", round(frame.origin[1]))
        .set("width", round(frame.size[0]))
        .set("height", round(frame.size[1]))
}

fn heading(figure: &Figure<'_>, width: f64) -> Group {
    let middle = round((LEFT + width - RIGHT) / 2.0);
    Group::new()
        .add(words(&figure.title, [middle, 28.0], 15.0, "middle", INK).set("font-weight", "bold"))
        .add(words(&figure.subtitle, [middle, 49.0], 12.0, "middle", QUIET))
}

fn grid(frame: &Frame) -> Group {
    let mut group = Group::new().set("stroke", GRID).set("stroke-width", 1);
    for &value in &frame.ticks(0).values {
        let x = frame.x(value);
        group = group.add(line([x, TOP], [x, frame.bottom()]));
    }
    for &value in &frame.ticks(1).values {
        let y = frame.y(value);
        group = group.add(line([LEFT, y], [frame.right(), y]));
    }
    group
}

/// A part of the figure, larger: a frame around it, its enlarged copy, lines between the two.
fn enlarged(figure: &Figure<'_>, inset: &Inset) -> Group {
    let Inset { region, frame, .. } = inset;
    let (at, side) = *region;
    let square = Rectangle::new()
        .set("x", round(at[0]))
        .set("y", round(at[1]))
        .set("width", round(side))
        .set("height", round(side));
    let mut lines =
        Group::new().set("stroke", QUIET).set("stroke-width", 0.8).set("fill", "none").add(square);
    for [from, to] in inset.connections() {
        lines = lines.add(line(from, to).set("stroke", FAINT));
    }
    let border = frame_rectangle(frame).set("fill", "none").set("stroke", QUIET);
    let factor = format!("× {:.1}", frame.size[0] / side);
    let below = [frame.right(), frame.bottom() + 11.0];
    Group::new()
        .add(clip("inset", frame))
        .add(lines)
        .add(frame_rectangle(frame).set("fill", "white"))
        .add(inside(figure, frame, "inset", &|mark| inset.shows(mark)))
        .add(border)
        .add(words(&factor, below, 10.0, "end", QUIET))
}

/// Outlines, path, start, events and impacts within a frame, some of the impacts with numbers.
fn inside(
    figure: &Figure<'_>,
    frame: &Frame,
    clip: &str,
    numbered: &dyn Fn(&ImpactMark) -> bool,
) -> Group {
    let mut group = Group::new().set("clip-path", format!("url(#{clip})"));
    for outline in figure.outlines {
        let fill = if outline.closed { TABLE } else { "none" };
        group = group
            .add(outline_style(path(frame, &outline.points, outline.closed)).set("fill", fill));
    }
    for piece in &figure.path {
        group = group.add(path_style(path(frame, piece, false)));
    }
    for mark in &figure.impacts {
        group = group.add(impact(mark, frame));
    }
    if figure.impacts.len() <= NUMBERED_LARGEST {
        group = group.add(numbers(&figure.impacts, frame, numbered));
    }
    for &event in &figure.events {
        group = group.add(event_style(diamond(frame.page(event))));
    }
    group.add(start_style(circle(frame.page(figure.start), 4.0)))
}

fn path(frame: &Frame, points: &[Point], closed: bool) -> Path {
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

fn impact(mark: &ImpactMark, frame: &Frame) -> Group {
    let mut group = Group::new();
    if let Some([from, to]) = mark.body {
        group = group.add(body_style(line(frame.page(from), frame.page(to))));
    }
    group.add(circle(frame.page(mark.touch), 2.6).set("fill", MARK))
}

/// Numbers of the impacts, outside of the touching points.
fn numbers(impacts: &[ImpactMark], frame: &Frame, numbered: &dyn Fn(&ImpactMark) -> bool) -> Group {
    let chosen = impacts.iter().enumerate().filter(|(_, mark)| numbered(mark));
    let places: Vec<(usize, [Point; 2])> = chosen
        .map(|(i, mark)| (i + 1, [frame.page(mark.corner), frame.page(mark.touch)]))
        .collect();
    let labels = labels::place(&places, frame.origin, [frame.right(), frame.bottom()]);
    labels.iter().fold(Group::new(), |group, label| {
        let baseline = [label.at[0], label.at[1] + 3.2];
        // A white rim keeps a number readable on a line.
        let number = words(&label.text, baseline, 9.0, "middle", MARK)
            .set("stroke", "white")
            .set("stroke-width", 2.5)
            .set("stroke-linejoin", "round")
            .set("paint-order", "stroke");
        group.add(number)
    })
}

fn axes(figure: &Figure<'_>, frame: &Frame) -> Group {
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
        marks = marks.add(line([LEFT - 5.0, y], [LEFT, y]));
        let label = up.label(value);
        group = group.add(words(&label, [LEFT - 9.0, y + 4.0], 11.5, "end", INK));
    }
    let middle = [LEFT + frame.size[0] / 2.0, TOP + frame.size[1] / 2.0];
    let across = axis_label(figure.axes[0], [middle[0], frame.bottom() + 42.0]);
    let up = axis_label(figure.axes[1], [20.0, middle[1]])
        .set("transform", format!("rotate(-90 20 {:.2})", middle[1]));
    group.add(marks).add(across).add(up)
}

/// The symbol in italics, its unit upright.
fn axis_label(axis: &Axis, at: Point) -> Text {
    let text = words("", at, 13.0, "middle", INK)
        .add(TSpan::new(axis.symbol.clone()).set("font-style", "italic"));
    if axis.unit.is_empty() { text } else { text.add(TSpan::new(format!("({})", axis.unit))) }
}

/// A sample of a style and what it stands for.
struct Entry {
    sample: fn(Point) -> Group,
    label: String,
}

/// The length of a sample in the legend.
const SAMPLE: f64 = 26.0;

fn legend_entries(figure: &Figure<'_>) -> Vec<Entry> {
    let entry = |sample: fn(Point) -> Group, label: &str| Entry { sample, label: label.to_owned() };
    let mut entries = vec![
        entry(|[x, y]| Group::new().add(path_style(straight([x, y]))), figure.path_label),
        entry(|[x, y]| Group::new().add(start_style(circle([x + SAMPLE / 2.0, y], 4.0))), "start"),
    ];
    for outline in figure.outlines {
        entries.push(entry(|at| Group::new().add(outline_style(straight(at))), &outline.label));
    }
    if !figure.impacts.is_empty() {
        let with_body = figure.impacts.iter().any(|mark| mark.body.is_some());
        let numbered = figure.impacts.len() <= NUMBERED_LARGEST;
        let label = format!("{}{}", figure.mark_label, if numbered { ", numbered" } else { "" });
        entries.push(entry(if with_body { body_sample } else { dot_sample }, &label));
    }
    if !figure.events.is_empty() {
        entries.push(entry(event_sample, "event"));
    }
    entries
}

fn event_sample([x, y]: Point) -> Group {
    Group::new().add(event_style(diamond([x + SAMPLE / 2.0, y])))
}

fn straight([x, y]: Point) -> Path {
    Path::new().set("d", format!("M{x:.2},{y:.2}L{:.2},{y:.2}", x + SAMPLE))
}

fn dot_sample([x, y]: Point) -> Group {
    Group::new().add(circle([x + SAMPLE / 2.0, y], 2.6).set("fill", MARK))
}

fn body_sample([x, y]: Point) -> Group {
    let body = body_style(line([x, y], [x + SAMPLE, y]));
    Group::new().add(body).add(circle([x + SAMPLE, y], 2.6).set("fill", MARK))
}

/// Two columns below the axis.
fn legend(entries: &[Entry], frame: &Frame) -> Group {
    let mut group = Group::new();
    for (i, entry) in entries.iter().enumerate() {
        let x = LEFT + (i % 2) as f64 * frame.size[0] / 2.0 + 4.0;
        let y = frame.bottom() + BELOW + LEGEND_ROW * (i / 2) as f64 + 6.0;
        group = group.add((entry.sample)([x, y])).add(words(
            &entry.label,
            [x + SAMPLE + 9.0, y + 4.0],
            11.5,
            "start",
            INK,
        ));
    }
    group
}

fn outline_style(path: Path) -> Path {
    path.set("stroke", INK).set("stroke-width", 2.2)
}

fn path_style(path: Path) -> Path {
    path.set("stroke", PATH).set("stroke-width", 1.15)
}

fn body_style(line: Line) -> Line {
    line.set("stroke", MARK).set("stroke-width", 2).set("stroke-opacity", 0.55)
}

fn start_style(circle: Circle) -> Circle {
    circle.set("fill", "white").set("stroke", START).set("stroke-width", 2)
}

fn event_style(path: Path) -> Path {
    path.set("fill", "white").set("stroke", EVENT).set("stroke-width", 1.5)
}

/// A square that stands on a corner.
fn diamond([x, y]: Point) -> Path {
    const HALF: f64 = 4.5;
    let [left, right, above, below] = [x - HALF, x + HALF, y - HALF, y + HALF];
    let data = format!("M{left:.2},{y:.2}L{x:.2},{above:.2}L{right:.2},{y:.2}L{x:.2},{below:.2}Z");
    Path::new().set("d", data)
}

fn circle([x, y]: Point, radius: f64) -> Circle {
    Circle::new().set("cx", round(x)).set("cy", round(y)).set("r", radius)
}

fn line(from: Point, to: Point) -> Line {
    Line::new()
        .set("x1", round(from[0]))
        .set("y1", round(from[1]))
        .set("x2", round(to[0]))
        .set("y2", round(to[1]))
}

fn words(text: &str, at: Point, size: f64, anchor: &str, colour: &str) -> Text {
    Text::new(text)
        .set("x", round(at[0]))
        .set("y", round(at[1]))
        .set("font-size", size)
        .set("text-anchor", anchor)
        .set("fill", colour)
}

/// Hundredths of a page unit are enough.
fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
