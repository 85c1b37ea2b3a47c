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
/// Halvings of half a step; of one on a logarithmic axis, which may bend wherever it is small, in runs of few samples.
const DEPTH: u32 = 7;
const DEPTH_LOG: u32 = 12;
const FINE_MAX: usize = 2000;
/// Halvings of a part in which a curve begins or ends: on a logarithmic axis it comes from far away.
const EDGE: u32 = 20;
/// A logarithmic axis goes so far below what samples have.
const BELOW: f64 = 1e-3;
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
    /// Which axes are logarithmic: what is not above 0 has no place there.
    pub(crate) log: [bool; 2],
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
        let observer = RefCell::new(Observer::new(system, inputs));
        Self { system, inputs, along, log: [false; 2], observer }
    }

    /// The same where these axes are logarithmic.
    pub(crate) fn logarithmic(self, log: [bool; 2]) -> Self {
        Self { log, ..self }
    }
}

impl View<'_> {
    /// The point of a state in a mode.
    pub(crate) fn point(&self, state: &State, mode: &Mode) -> Point {
        let [x, y] = &self.along;
        let mut observer = self.observer.borrow_mut();
        let mut at = observer.see(state, mode);
        placed([x, y].map(|along| along.value(&mut at)), self.log)
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
        placed([x, y].map(|along| along.before(event, (&mut observer, mode))), self.log)
    }

    /// The path through the samples; two samples of one time are the two sides of an event. An empty piece parts what has no
    /// numbers between.
    pub(crate) fn path(&self, trajectory: &Trajectory, bounds: &[[f64; 2]; 2]) -> Vec<Vec<Point>> {
        let scale = [0, 1].map(|i| {
            let [low, high] = bounds[i].map(|value| measured(value, self.log[i]));
            high - low
        });
        let is_fine = self.log != [false; 2] && trajectory.samples.len() < FINE_MAX;
        let depth = if is_fine { DEPTH_LOG } else { DEPTH };
        let least = bounds.map(|[low, _]| BELOW * low);
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
                let curve = Curve { at: &at, scale, log: self.log, least };
                curve.refine((0.0, start), middle, (depth, EDGE), &mut piece);
                curve.refine(middle, end, (depth, EDGE), &mut piece);
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

/// A point; without the numbers that have no place on a logarithmic axis.
pub(crate) fn placed(point: Point, log: [bool; 2]) -> Point {
    [0, 1].map(|i| if log[i] && point[i] <= 0.0 { f64::NAN } else { point[i] })
}

/// A value as far along its axis as it is drawn.
fn measured(value: f64, log: bool) -> f64 {
    if log { value.log10() } else { value }
}

/// Whether a point has numbers.
pub(crate) fn is_there(point: &Point) -> bool {
    point.iter().all(|x| x.is_finite())
}

/// What a curve is drawn of: its points, the lengths of the axes, and which of these are logarithmic.
struct Curve<'a> {
    at: &'a dyn Fn(f64) -> Point,
    scale: [f64; 2],
    log: [bool; 2],
    /// What is less has no place on a logarithmic axis that is seen.
    least: [f64; 2],
}

impl Curve<'_> {
    /// Appends points of it after `from` up to `to`, as many as it takes to look smooth: halves are halved `depth` times, those in
    /// which it begins or ends `edge` times.
    fn refine(
        &self,
        from: (f64, Point),
        to: (f64, Point),
        (depth, edge): (u32, u32),
        points: &mut Vec<Point>,
    ) {
        let τ = f64::midpoint(from.0, to.0);
        let middle = (self.at)(τ);
        let is_edge = is_there(&from.1) != is_there(&to.1);
        let left = match (depth, edge) {
            (_, 1..) if is_edge => Some((depth.saturating_sub(1), edge - 1)),
            // Between points that are not there a few may be.
            (1.., _) if !is_there(&from.1) => Some((depth.min(DEPTH) - 1, edge)),
            (1.., _) if self.leaves(&from.1, &middle, &to.1) => Some((depth - 1, edge)),
            _ => None,
        };
        let Some(left) = left else { return points.push(to.1) };
        self.refine(from, (τ, middle), left, points);
        self.refine((τ, middle), to, left, points);
    }

    /// Whether the middle of a part is seen to be beside its chord, or is not there.
    fn leaves(&self, from: &Point, middle: &Point, to: &Point) -> bool {
        (0..2).any(|i| {
            let seen = |at: f64| if self.log[i] && at < self.least[i] { self.least[i] } else { at };
            let [from, middle, to] =
                [from, middle, to].map(|at| measured(seen(at[i]), self.log[i]));
            let beside = (middle - f64::midpoint(from, to)).abs();
            beside.is_nan() || beside > FLATNESS * self.scale[i]
        })
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
        if is_flat([low, high]) { [low - half, high + half] } else { [low, high] }
    })
}

/// Whether a range is one value, to what the tolerance of a run leaves.
pub(crate) fn is_flat([low, high]: [f64; 2]) -> bool {
    high - low <= SPREAD_MIN * low.abs().max(high.abs())
}

/// The pieces of paths.
pub(crate) type Pieces = Vec<Vec<Point>>;

/// Paths in the box that holds them, `samples` those and all else that is drawn: a path may leave the frame of its samples
/// between them.
pub(crate) fn boxed<'p>(
    samples: impl Iterator<Item = &'p Point>,
    log: [bool; 2],
    paths: impl Fn(&Bounds) -> Vec<Pieces>,
) -> Result<(Bounds, Vec<Pieces>), String> {
    let held = held(samples)?;
    let of_samples = widened(held);
    let rough = paths(&of_samples);
    let bounds = widened([0, 1].map(|i| grown(held[i], of_samples[i], (i, log[i]), &rough)));
    let paths = if bounds == of_samples { rough } else { paths(&bounds) };
    Ok((bounds, paths))
}

/// The range of samples along an axis, grown by the paths between them where they leave its frame and are seen to turn back:
/// at a pole they are cut.
fn grown(held: [f64; 2], shown: [f64; 2], (i, log): (usize, bool), paths: &[Pieces]) -> [f64; 2] {
    let pieces = || paths.iter().flatten();
    let finite = pieces().flatten().map(|point| point[i]).filter(|x| x.is_finite());
    let least = if log { BELOW * held[0] } else { f64::NEG_INFINITY };
    let ends = finite.fold(held, |[low, high], x| [low.min(x.max(least)), high.max(x)]);
    let along = |x: f64| measured(x, log);
    let ([low, high], shown) = (ends.map(along), shown.map(along));
    let leaves = (shown[0] - low).max(high - shown[1]) > MARGIN * (shown[1] - shown[0]);
    let is_short =
        |pair: &[Point]| (along(pair[1][i]) - along(pair[0][i])).abs() <= CHORD * (high - low);
    let turns = || pieces().all(|piece| piece.windows(2).all(is_short));
    if leaves && turns() { ends } else { held }
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
            boxed(samples.iter(), [false; 2], |_| vec![vec![curve.clone()]]).unwrap().0[1]
        };
        let found = held(|t| f64::sin(10.0 * t));
        assert!(found[0] < -0.99 && found[1] > 0.99, "{found:?}");
        assert!(held(f64::ln)[0] < -3.4);
        assert_eq!(held(|t| 1.0 / t), [0.0, 0.5]);
        assert_eq!(held(|t| 0.52 * f64::sin(t)), [0.0, 0.5]);
    }

    #[test]
    fn curves_on_logarithmic_axes_are_as_fine_as_they_are_seen() {
        // y = 0.001 + x from x = 0: in logarithms it is no line, and at 0 it is not there along x
        for log in [[false, true], [true, false], [true, true]] {
            let at = |x: f64| placed([x, 0.001 + x], log);
            let scale = [1.0, 1.0].map(|_: f64| 4.0);
            let mut points = vec![at(0.0)];
            let curve = Curve { at: &at, scale, log, least: [1e-8; 2] };
            curve.refine((0.0, at(0.0)), (1.0, at(1.0)), (DEPTH_LOG, EDGE), &mut points);
            let there: Vec<Point> = points.into_iter().filter(is_there).collect();
            assert!(there[0][0] < 1e-6, "{log:?}");
            for pair in there.windows(2) {
                let [from, to] =
                    [pair[0], pair[1]].map(|at| [0, 1].map(|i| measured(at[i], log[i])));
                for k in 1..8 {
                    let s = f64::from(k) / 8.0;
                    let [x, y] = [0, 1].map(|i| from[i] + s * (to[i] - from[i]));
                    let x = if log[0] { 10_f64.powf(x) } else { x };
                    let beside = (measured(0.001 + x, log[1]) - y).abs();
                    assert!(beside < 4.0 * 4e-3, "{log:?} {x}: {beside}");
                }
            }
            assert!(there.len() < 2000);
        }
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
