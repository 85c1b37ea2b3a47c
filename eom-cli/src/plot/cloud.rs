//! Many runs at a few times: a panel each.

use crate::plot::draw::{
    Entry, GRID, INK, MARK, PATH, RIGHT, SAMPLE, TABLE, axes, circle, clip, grid, heading, height,
    legend, outline_style, page, path, straight, words,
};
use crate::plot::frame::{Frame, LEFT, TOP};
use crate::plot::view::bounds;
use models::scene::{Axis, Outline, Point};
use svg::node::element::{Circle, Group};

/// The runs at one time.
pub(crate) struct Panel {
    /// Its name, such as `t = 5 s`.
    pub(crate) name: String,
    /// Where the runs are.
    pub(crate) points: Vec<Point>,
    /// Where the run in the middle is.
    pub(crate) middle: Point,
}

/// The side of a panel.
const SIDE: f64 = 300.0;
/// From a panel to the next, across and down.
const APART: [f64; 2] = [SIDE + 84.0, SIDE + 84.0];
/// The name of a panel stands above it.
const ABOVE: f64 = 16.0;

/// The SVG of panels, two in a row.
pub(crate) fn svg(
    title: &str,
    detail: &str,
    named: [&Axis; 2],
    outlines: &[Outline],
    panels: &[Panel],
) -> Result<String, String> {
    let edge = outlines.iter().flat_map(|outline| &outline.points);
    let all = panels.iter().flat_map(|panel| panel.points.iter().chain([&panel.middle]));
    let bounds = bounds(edge.chain(all))?;
    let columns = panels.len().clamp(1, 2);
    let rows = panels.len().div_ceil(columns);
    let across = APART[0] * (columns - 1) as f64 + SIDE;
    let width = (LEFT + across + RIGHT).ceil();
    let bottom = TOP + ABOVE + APART[1] * (rows - 1) as f64 + SIDE;
    let entries = entries(outlines);
    let below =
        Frame { size: [across, SIDE], ..Frame::square(&bounds, [LEFT, bottom - SIDE], SIDE) };
    let height = height(&below, &entries);
    let lines = [title.to_owned()];
    let mut document =
        page(title, width, height).add(heading(&lines, detail, LEFT + across / 2.0, width));
    for (i, panel) in panels.iter().enumerate() {
        let at = [i % columns, i / columns];
        let origin = [LEFT + APART[0] * at[0] as f64, TOP + ABOVE + APART[1] * at[1] as f64];
        let frame = Frame::square(&bounds, origin, SIDE);
        let id = format!("panel{i}");
        document = document
            .add(clip(&id, &frame))
            .add(grid(&frame))
            .add(inside(&frame, &id, outlines, panel))
            .add(axes(named, &frame))
            .add(words(&panel.name, [origin[0] + 8.0, origin[1] - 6.0], 12.0, "start", INK));
    }
    Ok(format!("{}\n", document.add(legend(&entries, &below))))
}

fn inside(frame: &Frame, clip: &str, outlines: &[Outline], panel: &Panel) -> Group {
    let mut group = Group::new().set("clip-path", format!("url(#{clip})"));
    for outline in outlines {
        let fill = if outline.closed { TABLE } else { "none" };
        let edge = path(frame, &outline.points, outline.closed);
        group = group.add(outline_style(edge).set("fill", fill));
    }
    for &point in &panel.points {
        group = group.add(run_style(circle(frame.page(point), 2.2)));
    }
    group.add(middle_style(circle(frame.page(panel.middle), 4.2)))
}

fn run_style(circle: Circle) -> Circle {
    circle.set("fill", PATH).set("fill-opacity", 0.55).set("stroke", GRID).set("stroke-width", 0.3)
}

fn middle_style(circle: Circle) -> Circle {
    circle.set("fill", "none").set("stroke", MARK).set("stroke-width", 1.8)
}

fn entries(outlines: &[Outline]) -> Vec<Entry> {
    let middle = |[x, y]: Point| [x + SAMPLE / 2.0, y];
    let mut entries = vec![
        Entry::new(move |at| Group::new().add(run_style(circle(middle(at), 2.2))), "a run"),
        Entry::new(
            move |at| Group::new().add(middle_style(circle(middle(at), 4.2))),
            "the run in the middle",
        ),
    ];
    for outline in outlines {
        let sample = |at| Group::new().add(outline_style(straight(at)));
        entries.push(Entry::new(sample, &outline.label));
    }
    entries
}
