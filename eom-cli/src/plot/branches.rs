//! Bifurcation diagrams: branches over a value, what is stable drawn through, what is not dashed.

use crate::plot::draw::{
    EVENT, Entry, INK, MARK, PATH, SAMPLE, START, circle, framed, path, straight,
};
use crate::plot::frame::Frame;
use crate::plot::look::Look;
use crate::plot::view::bounds;
use models::scene::{Axis, Point};
use svg::node::element::{Circle, Group, Path};

/// A piece of a branch.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Piece {
    /// Its points.
    pub(crate) points: Vec<Point>,
    /// Whether it is stable.
    pub(crate) is_stable: bool,
}

/// A point at which something happens.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Happening {
    /// Where.
    pub(crate) at: Point,
    /// What the legend calls it.
    pub(crate) label: String,
}

/// Dashes of what is not stable.
const DASHES: &str = "6 4";

/// Colours of what happens, by the place in the legend; where they come again the marks are hollow.
const COLOURS: [&str; 4] = [INK, EVENT, START, MARK];

/// The SVG of branches; the same branches give the same bytes.
pub(crate) fn svg(
    words: (&str, &str),
    named: [&Axis; 2],
    pieces: &[Piece],
    happenings: &[Happening],
    look: &Look,
) -> Result<String, String> {
    let points = pieces.iter().flat_map(|piece| &piece.points);
    let all = points.chain(happenings.iter().map(|happening| &happening.at));
    if all.clone().count() == 0 {
        return Err("there is nothing to draw".to_owned());
    }
    let bounds = bounds(all)?;
    look.check(&bounds)?;
    let frame = Frame::looked(&bounds, false, look);
    let mut inside = Group::new().set("clip-path", "url(#frame)");
    for piece in pieces {
        inside = inside.add(styled(path(&frame, &piece.points, false), piece.is_stable));
    }
    let mut labels: Vec<&str> = Vec::new();
    for Happening { at, label } in happenings {
        let place = labels.iter().position(|known| known == label).unwrap_or(labels.len());
        if place == labels.len() {
            labels.push(label);
        }
        inside = inside.add(marked(circle(frame.page(*at), 3.6), place));
    }
    Ok(framed(words, named, (&frame, inside), &entries(pieces, &labels), look))
}

fn styled(path: Path, is_stable: bool) -> Path {
    let path = path.set("stroke", if is_stable { PATH } else { MARK }).set("stroke-width", 1.6);
    if is_stable { path } else { path.set("stroke-dasharray", DASHES) }
}

fn marked(circle: Circle, place: usize) -> Circle {
    let colour = COLOURS[place % COLOURS.len()];
    let fill = if place < COLOURS.len() { colour } else { "white" };
    circle.set("fill", fill).set("stroke", colour).set("stroke-width", 1.2)
}

fn entries(pieces: &[Piece], labels: &[&str]) -> Vec<Entry> {
    let drawn = [(true, "stable"), (false, "not stable")]
        .into_iter()
        .filter(|(is_stable, _)| pieces.iter().any(|piece| piece.is_stable == *is_stable));
    let lines = drawn.map(|(is_stable, label)| {
        Entry::new(move |at| Group::new().add(styled(straight(at), is_stable)), label)
    });
    let marks = labels.iter().enumerate().map(|(place, label)| {
        let dot = move |[x, y]: Point| {
            Group::new().add(marked(circle([x + SAMPLE / 2.0, y], 3.6), place))
        };
        Entry::new(dot, label)
    });
    lines.chain(marks).collect()
}
