//! Several runs as curves in one frame.

use crate::plot::along::Along;
use crate::plot::draw::{
    EVENT, Entry, INK, MARK, PATH, SAMPLE, START, circle, diamond, framed, marked, outline_style,
    path, start_style, straight,
};
use crate::plot::figure::events;
use crate::plot::frame::Frame;
use crate::plot::look::Look;
use crate::plot::view::{View, boxed, is_there, jumps};
use crate::run::request::Request;
use eom_core::Trajectory;
use models::scene::{Axis, Outline, Point, Quantity};
use svg::node::element::{Circle, Group, Path};

/// A run that was sampled at every step, and what it is called.
pub(crate) struct CurveOfRun<'a> {
    /// What the legend calls it.
    pub(crate) label: String,
    /// The run.
    pub(crate) request: &'a Request,
    /// The axes.
    pub(crate) axes: [Axis; 2],
    /// What runs along them, for this run's system.
    pub(crate) along: [Along; 2],
    /// Its states.
    pub(crate) trajectory: &'a Trajectory,
    /// Whether its impacts and declared events are marked.
    pub(crate) marked: bool,
}

/// Colours and dashes, by the place in the legend.
const STYLES: [(&str, &str); 5] =
    [(PATH, ""), (MARK, "7 3"), (START, "2.5 2.5"), (EVENT, "9 3 2 3"), (INK, "1 2")];

/// Refuses a curve that has no number anywhere, by its name: it would be in the legend alone.
fn has_numbers(axes: &[Axis; 2], corners: &[Point]) -> Result<(), String> {
    if corners.iter().any(is_there) {
        return Ok(());
    }
    let has_none = |i: &usize| corners.iter().all(|corner| !corner[*i].is_finite());
    let name = &axes[(0..2).find(has_none).unwrap_or(1)].symbol;
    Err(format!("`{name}` is nowhere a number: draw what has values"))
}

/// The SVG of some runs; the same runs give the same bytes.
pub(crate) fn svg(
    words: (&str, &str),
    (equal_aspect, outlines): (bool, &[Outline]),
    curves: &[CurveOfRun<'_>],
    look: &Look,
) -> Result<String, String> {
    let first = curves.first().ok_or("there is nothing to draw")?;
    let views: Vec<View<'_>> =
        curves.iter().map(|curve| view(curve).logarithmic(look.log)).collect();
    let corners: Vec<Vec<Point>> =
        curves.iter().zip(&views).map(|(curve, view)| view.corners(curve.trajectory)).collect();
    for (curve, corners) in curves.iter().zip(&corners) {
        has_numbers(&curve.axes, corners)?;
    }
    let still = outlines.iter().flat_map(|outline| &outline.points);
    let (bounds, paths) = boxed(corners.iter().flatten().chain(still), look.log, |bounds| {
        curves.iter().zip(&views).map(|(curve, view)| view.path(curve.trajectory, bounds)).collect()
    })?;
    look.check(&bounds)?;
    let frame = Frame::looked(&bounds, equal_aspect, look);
    let mut inside = Group::new().set("clip-path", "url(#frame)");
    for outline in outlines {
        let edge = path(&frame, &outline.points, outline.closed);
        inside = inside.add(outline_style(edge).set("fill", "none"));
    }
    for (i, pieces) in paths.iter().enumerate() {
        for ends in jumps(pieces) {
            inside = inside.add(jump(path(&frame, &ends, false), i));
        }
        for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
            inside = inside.add(styled(path(&frame, piece, false), i));
        }
    }
    for (i, (curve, view)) in curves.iter().zip(&views).enumerate() {
        let impacts = curve.trajectory.impacts().filter(|_| curve.marked);
        let impacts = impacts.map(|(_, event)| view.before(event, curve.trajectory));
        let impacts = impacts.filter(is_there).map(|at| frame.page(at));
        let impacts: Vec<Point> = impacts.collect();
        inside = marked(inside, &impacts, style(i).0, |k| impact(impacts[k], style(i).0));
        let events = marked_events(curve, view).into_iter().map(|at| frame.page(at));
        let events: Vec<Point> = events.collect();
        inside = marked(inside, &events, style(i).0, |k| diamond(events[k], style(i).0));
    }
    for (i, corners) in corners.iter().enumerate() {
        if let Some(&end) = corners.last().filter(|end| is_there(end)) {
            inside = inside.add(circle(frame.page(end), 3.0).set("fill", style(i).0));
        }
        if let Some(&start) = corners.first().filter(|start| is_there(start)) {
            inside = inside.add(start_style(circle(frame.page(start), 4.0)));
        }
    }
    let named = [&first.axes[0], &common(curves.iter().map(|curve| &curve.axes[1]))];
    let detail = look.told(words.1, corners.iter().flatten());
    Ok(framed((words.0, &detail), named, (&frame, inside), &entries(curves, outlines), look))
}

/// The vertical axis of all curves: the symbols that they have, with their unit where it is one.
pub(crate) fn common<'a>(all: impl IntoIterator<Item = &'a Axis>) -> Axis {
    let mut axes: Vec<&Axis> = Vec::new();
    for axis in all {
        if axes.iter().all(|other| other.symbol != axis.symbol) {
            axes.push(axis);
        }
    }
    let symbols: Vec<&str> = axes.iter().map(|axis| axis.symbol.as_str()).collect();
    let unit = axes.first().map_or("", |axis| axis.unit.as_str());
    let is_one = axes.iter().all(|axis| axis.unit == unit);
    let unit = if is_one { unit.to_owned() } else { String::new() };
    let quantity = axes.first().map_or(Quantity::Time, |axis| axis.quantity);
    Axis { quantity, symbol: symbols.join(", "), unit }
}

fn view<'a>(curve: &'a CurveOfRun<'_>) -> View<'a> {
    let CurveOfRun { request, along, .. } = curve;
    View::new(along.clone(), &*request.system, &request.inputs)
}

/// The colour and the dashes of a curve by its place.
pub(crate) fn style(index: usize) -> (&'static str, &'static str) {
    let count = STYLES.len();
    let (colour, _) = STYLES[index % count];
    // Where colours come again, dashes are others.
    let (_, dashes) = STYLES[(index + index / count) % count];
    (colour, dashes)
}

fn styled(path: Path, index: usize) -> Path {
    let (colour, dashes) = style(index);
    let path = path.set("stroke", colour).set("stroke-width", 1.5);
    if dashes.is_empty() { path } else { path.set("stroke-dasharray", dashes) }
}

/// A jump at an event: the path is not there, but the eye follows it.
fn jump(path: Path, index: usize) -> Path {
    let (colour, _) = style(index);
    path.set("stroke", colour).set("stroke-width", 0.8).set("stroke-opacity", 0.35)
}

fn impact(at: Point, colour: &str) -> Circle {
    circle(at, 2.2).set("fill", colour)
}

/// Where the declared events of a curve are.
fn marked_events(curve: &CurveOfRun<'_>, view: &View<'_>) -> Vec<Point> {
    if curve.marked { events(view, curve.trajectory) } else { Vec::new() }
}

fn entries(curves: &[CurveOfRun<'_>], outlines: &[Outline]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = curves
        .iter()
        .enumerate()
        .map(|(i, curve)| {
            Entry::new(move |at| Group::new().add(styled(straight(at), i)), &curve.label)
        })
        .collect();
    let start = |[x, y]: Point| Group::new().add(start_style(circle([x + SAMPLE / 2.0, y], 4.0)));
    let end = |[x, y]: Point| Group::new().add(circle([x + SAMPLE / 2.0, y], 3.0).set("fill", INK));
    for outline in outlines {
        let sample = |at| Group::new().add(outline_style(straight(at)));
        entries.push(Entry::new(sample, &outline.label));
    }
    if curves.iter().any(|curve| curve.marked && curve.trajectory.impacts().next().is_some()) {
        let dot = |[x, y]: Point| Group::new().add(impact([x + SAMPLE / 2.0, y], INK));
        entries.push(Entry::new(dot, "impact"));
    }
    if curves.iter().any(|curve| !marked_events(curve, &view(curve)).is_empty()) {
        let sample = |[x, y]: Point| Group::new().add(diamond([x + SAMPLE / 2.0, y], INK));
        entries.push(Entry::new(sample, "event"));
    }
    entries.extend([Entry::new(start, "start"), Entry::new(end, "end of the run")]);
    entries
}
