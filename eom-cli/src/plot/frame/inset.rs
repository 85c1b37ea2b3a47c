//! The inset of a figure: most impacts lie close together, and are shown once more, larger.

use super::Frame;
use crate::plot::figure::{Figure, ImpactMark};
use models::scene::Point;
use std::iter::successors;

/// An inset is made where most impacts lie within this part of the frame.
const SMALL: f64 = 1.0 / 6.0;
/// The part of the impacts that counts as most: numerator and denominator.
const MOST: [usize; 2] = [3, 5];
/// Fewer impacts are no crowd.
const IMPACTS_MIN: usize = 4;
/// Space around the impacts, as a part of their extent, for their numbers.
const AROUND: f64 = 0.3;
/// The least side of what is magnified, as a part of the frame.
const REGION_MIN: f64 = 0.02;
/// Sides of an inset as parts of the frame, the preferred one first.
const SIDES: [f64; 4] = [0.44, 0.38, 0.32, 0.26];
/// Places that are tried along each axis.
const PLACES: u8 = 13;
/// What is magnified by less is not worth its place.
const MAGNIFIED_MIN: f64 = 2.0;
/// The least distance of an inset from the frame and from what it must not cover.
const CLEAR: f64 = 12.0;
/// A line is known by points of this distance.
const SPACING: f64 = 4.0;

/// A square of the page, by its upper left corner and its side.
type Square = (Point, f64);

/// A magnified part of a figure.
pub(crate) struct Inset {
    /// What is magnified.
    pub(crate) region: Square,
    /// Where it is shown.
    pub(crate) frame: Frame,
}

impl Inset {
    /// Whether an impact touches within the inset.
    pub(crate) fn shows(&self, mark: &ImpactMark) -> bool {
        (0..2).all(|i| {
            let [low, high] = self.frame.range[i];
            (low..=high).contains(&mark.touch[i])
        })
    }

    /// The lines from corners of the region to those of its copy that have both on one side.
    pub(crate) fn connections(&self) -> Vec<[Point; 2]> {
        let from = corners(self.region);
        let to = corners((self.frame.origin, self.frame.size[0]));
        let is_outer = |[a, b]: &[Point; 2]| {
            let side = |c: &Point| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            let sides = || from.iter().chain(&to).map(side);
            // Rounding of the corners of the line itself is on no side.
            sides().all(|side| side > -1e-6) || sides().all(|side| side < 1e-6)
        };
        from.into_iter().zip(to).map(|(a, b)| [a, b]).filter(is_outer).collect()
    }
}

/// The inset of a figure; `None` where the impacts are spread, or where there is no room.
pub(crate) fn of(figure: &Figure<'_>, frame: &Frame) -> Option<Inset> {
    let region = crowd(figure, frame)?;
    let place = place(figure, frame, region)?;
    if place.1 < MAGNIFIED_MIN * region.1 {
        return None;
    }
    Some(Inset { region, frame: frame.magnified(region, place) })
}

/// The square around most impacts, where it is small.
fn crowd(figure: &Figure<'_>, frame: &Frame) -> Option<Square> {
    if figure.impacts.len() < IMPACTS_MIN {
        return None;
    }
    let touches: Vec<Point> = figure.impacts.iter().map(|mark| frame.page(mark.touch)).collect();
    let middle = [0, 1].map(|i| {
        let mut values: Vec<f64> = touches.iter().map(|touch| touch[i]).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    });
    let mut order: Vec<usize> = (0..touches.len()).collect();
    order.sort_by(|&a, &b| distance(touches[a], middle).total_cmp(&distance(touches[b], middle)));
    let least = (MOST[0] * touches.len()).div_ceil(MOST[1]);
    let mut bounds = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    for (count, &index) in order.iter().enumerate() {
        let mark = &figure.impacts[index];
        let mut wider = bounds;
        for point in [mark.touch, mark.corner].map(|point| frame.page(point)) {
            wider = [0, 1].map(|i| [wider[i][0].min(point[i]), wider[i][1].max(point[i])]);
        }
        if (0..2).any(|i| wider[i][1] - wider[i][0] > SMALL * frame.size[i]) {
            if count < least {
                return None;
            }
            break;
        }
        bounds = wider;
    }
    let extent = (bounds[0][1] - bounds[0][0]).max(bounds[1][1] - bounds[1][0]);
    let side = (extent * (1.0 + 2.0 * AROUND)).max(REGION_MIN * frame.size[0].max(frame.size[1]));
    Some((bounds.map(|[low, high]| f64::midpoint(low, high) - side / 2.0), side))
}

/// The place furthest from all that is drawn; where there is none, it may cover outlines.
fn place(figure: &Figure<'_>, frame: &Frame, region: Square) -> Option<Square> {
    let motion = motion(figure, frame, region);
    let mut all = motion.clone();
    for outline in figure.outlines {
        all.extend(along(frame, &outline.points));
    }
    [all, motion].iter().find_map(|taken| {
        SIDES.iter().find_map(|part| widest(frame, part * frame.size[0].min(frame.size[1]), taken))
    })
}

/// The points of the page that an inset must not cover.
fn motion(figure: &Figure<'_>, frame: &Frame, region: Square) -> Vec<Point> {
    let mut points: Vec<Point> = corners(region).into();
    points.push(frame.page(figure.start));
    points.extend(figure.events.iter().map(|event| frame.page(*event)));
    for mark in &figure.impacts {
        points.push(frame.page(mark.touch));
        if let Some(body) = &mark.body {
            points.extend(along(frame, body));
        }
    }
    for piece in &figure.path {
        points.extend(along(frame, piece));
    }
    points
}

/// Points on the page along a line.
fn along(frame: &Frame, line: &[Point]) -> Vec<Point> {
    let mut points = Vec::new();
    for pair in line.windows(2) {
        let [from, to] = [frame.page(pair[0]), frame.page(pair[1])];
        let length = distance(from, to);
        let ways = successors(Some(0.0), |way| Some(way + SPACING));
        points.extend(ways.take_while(|way| *way < length).map(|way| {
            let τ = way / length;
            [0, 1].map(|i| from[i] + τ * (to[i] - from[i]))
        }));
        points.push(to);
    }
    points
}

/// The place of a square of a side that is furthest from all points that are taken.
fn widest(frame: &Frame, side: f64, taken: &[Point]) -> Option<Square> {
    let mut best: Option<(f64, Point)> = None;
    for row in 0..PLACES {
        for column in 0..PLACES {
            let parts = [column, row].map(|k| f64::from(k) / f64::from(PLACES - 1));
            let at = [0, 1]
                .map(|i| frame.origin[i] + CLEAR + parts[i] * (frame.size[i] - side - 2.0 * CLEAR));
            let clearance = taken.iter().map(|point| gap(*point, (at, side)));
            let clearance = clearance.fold(f64::INFINITY, f64::min);
            if clearance >= CLEAR && best.is_none_or(|(largest, _)| clearance > largest) {
                best = Some((clearance, at));
            }
        }
    }
    best.map(|(_, at)| (at, side))
}

/// The distance of a point from a square, 0 within it.
fn gap(point: Point, (at, side): Square) -> f64 {
    let [x, y] = [0, 1].map(|i| (at[i] - point[i]).max(point[i] - at[i] - side).max(0.0));
    x.hypot(y)
}

fn corners((at, side): Square) -> [Point; 4] {
    let [x, y] = at;
    [[x, y], [x + side, y], [x, y + side], [x + side, y + side]]
}

fn distance(from: Point, to: Point) -> f64 {
    (to[0] - from[0]).hypot(to[1] - from[1])
}
