//! How the states of a run become points and curves of a figure.

use crate::plot::along::Along;
use crate::plot::curve::Quintic;
use crate::plot::frame::MARGIN;
use eom_core::{Event, Mode, State, System, Trajectory};
use eom_interpreter::motion::Observer;
use models::scene::{Axis, Point};
use std::cell::RefCell;

/// A curve is refined until it leaves its chord by less than this part of the figure.
const FLATNESS: f64 = 5e-5;
/// Over a part of t like this a step is straight, and differences divided by it are rounding.
const SHORT: f64 = 1e-9;
/// A spread below this part of the size is what the tolerance of a run leaves.
const SPREAD_MIN: f64 = 1e-9;
/// At most 2⁸ pieces a step.
const DEPTH: u32 = 8;
/// A chord beyond this part of the range goes along a pole.
const CHORD: f64 = 0.35;

/// How states become points.
pub(crate) struct View<'s> {
    /// The system that moves.
    pub(crate) system: &'s dyn System,
    /// Its inputs.
    pub(crate) inputs: &'s [f64],
    /// What runs along the axes.
    pub(crate) along: [Along; 2],
    /// Looks at the states in their order: forces where an arc ends are its own.
    observer: RefCell<Observer<'s>>,
}

impl<'s> View<'s> {
    /// The view along the axes of a scene.
    pub(crate) fn of(axes: [&Axis; 2], system: &'s dyn System, inputs: &'s [f64]) -> Self {
        Self::new(axes.map(|axis| axis.quantity.into()), system, inputs)
    }

    /// The view along these.
    pub(crate) fn new(along: [Along; 2], system: &'s dyn System, inputs: &'s [f64]) -> Self {
        Self { system, inputs, along, observer: RefCell::new(Observer::new(system, inputs)) }
    }
}

impl View<'_> {
    /// The point of a state in a mode.
    pub(crate) fn point(&self, state: &State, mode: &Mode) -> Point {
        let [x, y] = &self.along;
        let mut observer = self.observer.borrow_mut();
        let mut at = observer.see(state, mode);
        [x, y].map(|along| along.value(&mut at))
    }

    /// The points of all samples, on both sides of a change of mode.
    pub(crate) fn corners(&self, trajectory: &Trajectory) -> Vec<Point> {
        let free = Mode::default();
        let mode = |index: usize| trajectory.mode_of_sample(index).unwrap_or(&free);
        let mut corners = Vec::with_capacity(trajectory.samples.len());
        for (index, state) in trajectory.samples.iter().enumerate() {
            let (before, here) = (mode(index.saturating_sub(1)), mode(index));
            if before != here {
                corners.push(self.point(state, before));
            }
            corners.push(self.point(state, here));
        }
        corners
    }

    /// The point before an event.
    pub(crate) fn before(&self, event: &Event, trajectory: &Trajectory) -> Point {
        let spans = &trajectory.modes;
        let index = spans.partition_point(|span| span.t < event.t).saturating_sub(1);
        let free = Mode::default();
        let mode = spans.get(index).map_or(&free, |span| &span.mode);
        // Which way a slip went that ends there its last sample tells.
        let earlier = trajectory.samples.partition_point(|sample| sample.t < event.t);
        earlier.checked_sub(1).map(|index| self.point(&trajectory.samples[index], mode));
        let [x, y] = &self.along;
        let mut observer = self.observer.borrow_mut();
        [x, y].map(|along| along.before(event, (&mut observer, mode)))
    }

    /// The path through the samples; two samples of one time are the two sides of an event. An empty piece parts what has no
    /// numbers between.
    pub(crate) fn path(&self, trajectory: &Trajectory, bounds: &[[f64; 2]; 2]) -> Vec<Vec<Point>> {
        let scale = bounds.map(|[low, high]| high - low);
        let mut pieces: Vec<Vec<Point>> = Vec::new();
        let mut piece: Vec<Point> = Vec::new();
        let free = Mode::default();
        for (index, pair) in trajectory.samples.windows(2).enumerate() {
            let [from, to] = pair else { continue };
            let mode = trajectory.mode_after_sample(index).unwrap_or(&free);
            let start = self.point(from, mode);
            if piece.last() != Some(&start) {
                pieces.push(std::mem::replace(&mut piece, vec![start]));
            }
            let h = to.t - from.t;
            if h > 0.0 && h <= SHORT * from.t.abs().max(to.t.abs()) {
                piece.push(self.point(to, mode));
            } else if h > 0.0 {
                let quintic = Quintic::new(self.system, self.inputs, mode, from, to);
                let at = |τ: f64| self.point(&quintic.state(τ), mode);
                // The first halving is always made: a curve that swings evenly crosses its chord there.
                let middle = (0.5, at(0.5));
                let end = (1.0, self.point(to, mode));
                refine(&at, scale, (0.0, start), middle, DEPTH - 1, &mut piece);
                refine(&at, scale, middle, end, DEPTH - 1, &mut piece);
            }
        }
        pieces.push(piece);
        pieces.iter().filter(|piece| piece.len() > 1).flat_map(|piece| numbered(piece)).collect()
    }
}

/// The parts of a piece that have numbers, an empty one between them: where there is no number there is no curve.
fn numbered(piece: &[Point]) -> Vec<Vec<Point>> {
    let parts = piece.split(|point| !is_there(point)).enumerate();
    let parts = parts.flat_map(|(i, part)| [(i > 0, &part[..0]), (part.len() > 1, part)]);
    parts.filter(|(is_told, _)| *is_told).map(|(_, part)| part.to_vec()).collect()
}

/// The ends of pieces between which a path jumps.
pub(crate) fn jumps(pieces: &[Vec<Point>]) -> impl Iterator<Item = [Point; 2]> {
    pieces.windows(2).filter_map(|pair| Some([*pair[0].last()?, *pair[1].first()?]))
}

/// Whether a point has numbers.
pub(crate) fn is_there(point: &Point) -> bool {
    point.iter().all(|x| x.is_finite())
}

/// Appends points of a curve after `from` up to `to`, as many as it takes to look smooth.
fn refine(
    at: &dyn Fn(f64) -> Point,
    scale: [f64; 2],
    from: (f64, Point),
    to: (f64, Point),
    depth: u32,
    points: &mut Vec<Point>,
) {
    let τ = f64::midpoint(from.0, to.0);
    let middle = at(τ);
    let is_cut = !is_there(&from.1) || !is_there(&to.1);
    let leaves = (0..2).any(|i| {
        let chord = f64::midpoint(from.1[i], to.1[i]);
        (middle[i] - chord).abs() > FLATNESS * scale[i]
    });
    if depth > 0 && (leaves || is_cut) {
        refine(at, scale, from, (τ, middle), depth - 1, points);
        refine(at, scale, (τ, middle), to, depth - 1, points);
    } else {
        points.push(to.1);
    }
}

/// Lowest and highest value along each axis.
pub(crate) type Bounds = [[f64; 2]; 2];

/// The box of all points; a box without width gets one.
pub(crate) fn bounds<'p>(points: impl Iterator<Item = &'p Point>) -> Result<Bounds, String> {
    Ok(widened(held(points)?))
}

/// The box that just holds all points.
fn held<'p>(points: impl Iterator<Item = &'p Point>) -> Result<Bounds, String> {
    let mut bounds = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    for point in points.filter(|point| is_there(point)) {
        for i in 0..2 {
            bounds[i] = [bounds[i][0].min(point[i]), bounds[i][1].max(point[i])];
        }
    }
    if bounds[0][0] > bounds[0][1] {
        return Err("no point of the figure is finite".to_owned());
    }
    Ok(bounds)
}

/// What does not change is shown against its own size.
fn widened(bounds: Bounds) -> Bounds {
    bounds.map(|[low, high]| {
        let size = low.abs().max(high.abs());
        let half = if size > 0.0 { size / 2.0 } else { 0.5 };
        if high - low > SPREAD_MIN * size { [low, high] } else { [low - half, high + half] }
    })
}

/// The pieces of paths.
pub(crate) type Pieces = Vec<Vec<Point>>;

/// Paths in the box that holds them, `samples` those and all else that is drawn: a path may leave the frame of its samples
/// between them.
pub(crate) fn boxed<'p>(
    samples: impl Iterator<Item = &'p Point>,
    paths: impl Fn(&Bounds) -> Vec<Pieces>,
) -> Result<(Bounds, Vec<Pieces>), String> {
    let held = held(samples)?;
    let of_samples = widened(held);
    let rough = paths(&of_samples);
    let bounds = widened([0, 1].map(|i| grown(held[i], of_samples[i], i, &rough)));
    let paths = if bounds == of_samples { rough } else { paths(&bounds) };
    Ok((bounds, paths))
}

/// The range of samples along an axis, grown by the paths between them where they leave its frame and are seen to turn back:
/// at a pole they are cut.
fn grown(held: [f64; 2], shown: [f64; 2], i: usize, paths: &[Pieces]) -> [f64; 2] {
    let pieces = || paths.iter().flatten();
    let finite = pieces().flatten().map(|point| point[i]).filter(|x| x.is_finite());
    let [low, high] = finite.fold(held, |[low, high], x| [low.min(x), high.max(x)]);
    let leaves = (shown[0] - low).max(high - shown[1]) > MARGIN * (shown[1] - shown[0]);
    let is_short = |pair: &[Point]| (pair[1][i] - pair[0][i]).abs() <= CHORD * (high - low);
    let turns = || pieces().all(|piece| piece.windows(2).all(is_short));
    if leaves && turns() { [low, high] } else { held }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_hold_what_is_between_samples_but_poles() {
        let held = |f: fn(f64) -> f64| {
            let curve: Vec<Point> =
                (1..=60).map(|k| f64::from(k) / 30.0).map(|t| [t, f(t)]).collect();
            let samples = [[0.0, 0.0], [2.0, 0.5]];
            boxed(samples.iter(), |_| vec![vec![curve.clone()]]).unwrap().0[1]
        };
        let found = held(|t| f64::sin(10.0 * t));
        assert!(found[0] < -0.99 && found[1] > 0.99, "{found:?}");
        assert!(held(f64::ln)[0] < -3.4);
        assert_eq!(held(|t| 1.0 / t), [0.0, 0.5]);
        assert_eq!(held(|t| 0.52 * f64::sin(t)), [0.0, 0.5]);
    }

    #[test]
    fn boxes_have_the_size_of_what_they_hold() {
        // table
        let cases = [
            ([0.0, 2e-14], [0.0, 2e-14]),
            ([-1e-300, 1e-300], [-1e-300, 1e-300]),
            ([0.0, 0.0], [-0.5, 0.5]),
            ([4e-20, 4e-20], [2e-20, 6e-20]),
            // The energy of a run to a tolerance.
            ([2.0, 2.0 + 1e-12], [1.0, 3.0 + 1e-12]),
            ([1.0, 1.0 + 1e-8], [1.0, 1.0 + 1e-8]),
        ];
        for (ends, expected) in cases {
            let points = ends.map(|x| [x, 0.0]);
            let [found, _] = bounds(points.iter()).unwrap();
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{ends:?}: {found:?}");
            }
        }
    }
}
