//! A figure on a page: SVG.

use crate::plot::draw::{
    EVENT, Entry, FAINT, MARK, PATH, QUIET, RIGHT, SAMPLE, TABLE, axes, circle, clip, diamond,
    frame_rectangle, grid, headed, height, legend, line, marked, outline_style, page, path, round,
    start_style, straight, words,
};
use crate::plot::figure::{Figure, ImpactMark};
use crate::plot::frame::Frame;
use crate::plot::frame::inset;
use crate::plot::frame::inset::Inset;
use crate::plot::frame::labels;
use crate::plot::look::Look;
use crate::plot::view::{is_there, jumps};
use models::scene::Point;
use svg::node::element::{Group, Line, Path, Rectangle};

/// Numbers of more impacts would cover each other.
const NUMBERED_LARGEST: usize = 40;

/// The SVG of a figure. The same figure gives the same bytes.
pub(crate) fn svg(figure: &Figure<'_>, look: &Look) -> Result<String, String> {
    look.check(&figure.bounds)?;
    let frame = Frame::looked(&figure.bounds, figure.equal_aspect, look);
    let is_usual = *look == Look::default();
    let inset = if is_usual { inset::of(figure, &frame) } else { None };
    let magnified = |mark: &ImpactMark| inset.as_ref().is_some_and(|inset| inset.shows(mark));
    let entries = legend_entries(figure);
    let width = (frame.right() + RIGHT).ceil();
    let middle = (frame.origin[0] + width - RIGHT) / 2.0;
    let height = height(&frame, &entries);
    let document = page(&figure.title, width, height).add(clip("frame", &frame));
    let detail = look.told(&figure.subtitle, figure.corners.iter());
    let heading = (figure.title.as_str(), detail.as_str());
    let document = headed(document, heading, (middle, width, height), look)
        .add(grid(&frame))
        .add(inside(figure, &frame, "frame", &|mark| !magnified(mark)))
        .add(inset.as_ref().map_or_else(Group::new, |inset| enlarged(figure, inset)))
        .add(axes(figure.axes, &frame))
        .add(legend(&entries, &frame));
    Ok(look.coloured(format!("{document}\n")))
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
    for ends in jumps(&figure.path) {
        group = group.add(jump_style(path(frame, &ends, false)));
    }
    for piece in figure.path.iter().filter(|piece| !piece.is_empty()) {
        group = group.add(path_style(path(frame, piece, false)));
    }
    let touching: Vec<Point> = figure.impacts.iter().map(|mark| frame.page(mark.touch)).collect();
    group = marked(group, &touching, MARK, |i| impact(&figure.impacts[i], frame));
    if figure.impacts.len() <= NUMBERED_LARGEST {
        group = group.add(numbers(&figure.impacts, frame, numbered));
    }
    let events: Vec<Point> = figure.events.iter().map(|event| frame.page(*event)).collect();
    group = marked(group, &events, EVENT, |i| diamond(events[i], EVENT));
    if !is_there(&figure.start) {
        return group;
    }
    group.add(start_style(circle(frame.page(figure.start), 4.0)))
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
    let chosen = impacts.iter().filter(|mark| numbered(mark));
    let places: Vec<(usize, [Point; 2])> = chosen
        .map(|mark| (mark.number, [frame.page(mark.corner), frame.page(mark.touch)]))
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

fn legend_entries(figure: &Figure<'_>) -> Vec<Entry> {
    let mut entries = vec![
        Entry::new(|at| Group::new().add(path_style(straight(at))), figure.path_label),
        Entry::new(
            |[x, y]| Group::new().add(start_style(circle([x + SAMPLE / 2.0, y], 4.0))),
            "start",
        ),
    ];
    for outline in figure.outlines {
        let sample = |at| Group::new().add(outline_style(straight(at)));
        entries.push(Entry::new(sample, &outline.label));
    }
    if !figure.impacts.is_empty() {
        let with_body = figure.impacts.iter().any(|mark| mark.body.is_some());
        let numbered = figure.impacts.len() <= NUMBERED_LARGEST;
        let label = format!("{}{}", figure.mark_label, if numbered { ", numbered" } else { "" });
        entries.push(Entry::new(if with_body { body_sample } else { dot_sample }, &label));
    }
    if !figure.events.is_empty() {
        entries.push(Entry::new(event_sample, "event"));
    }
    entries
}

fn event_sample([x, y]: Point) -> Group {
    Group::new().add(diamond([x + SAMPLE / 2.0, y], EVENT))
}

fn dot_sample([x, y]: Point) -> Group {
    Group::new().add(circle([x + SAMPLE / 2.0, y], 2.6).set("fill", MARK))
}

fn body_sample([x, y]: Point) -> Group {
    let body = body_style(line([x, y], [x + SAMPLE, y]));
    Group::new().add(body).add(circle([x + SAMPLE, y], 2.6).set("fill", MARK))
}

fn path_style(path: Path) -> Path {
    path.set("stroke", PATH).set("stroke-width", 1.15)
}

/// A jump at an event: the path is not there, but the eye follows it.
fn jump_style(path: Path) -> Path {
    path.set("stroke", PATH).set("stroke-width", 0.8).set("stroke-opacity", 0.35)
}

fn body_style(line: Line) -> Line {
    line.set("stroke", MARK).set("stroke-width", 2).set("stroke-opacity", 0.55)
}
