//! The part of the plane or of space that a drawing is shown in, and the curves and heights within it.

use super::Film;
use super::thread::thinned;
use crate::drawing::Shape;
use crate::motion::Frame;
use eom_elementary::hypot;

/// A range along each axis.
pub type Range = [f64; 2];

/// Cells along a side: of curves, of heights.
const CELLS: usize = 120;
const HEIGHT_CELLS: usize = 28;

/// Curves are within this part of the window of what they are.
const FLAT: f64 = 2e-4;

/// Times at which a curve that moves is drawn.
const TIMES: usize = 60;

/// The window of a film: a range an axis.
#[derive(Debug, Clone)]
pub struct Window {
    /// The ranges, as many as there are axes.
    pub ranges: Vec<Range>,
}

/// A curve at a time.
#[derive(Debug, Clone)]
pub struct CurveAt {
    /// From then on.
    pub t: f64,
    /// Its lines.
    pub lines: Vec<Vec<[f64; 2]>>,
}

/// Heights at a time, row by row.
#[derive(Debug, Clone)]
pub struct HeightsAt {
    /// From then on.
    pub t: f64,
    /// The heights.
    pub heights: Vec<f64>,
}

impl Window {
    /// The window that holds all points of all frames, with the closed curves around them.
    pub fn new(film: &Film<'_>, shapes: &[Vec<f64>]) -> Self {
        let dimension = film.subject.drawing.dimension();
        let mut ranges = vec![[f64::INFINITY, f64::NEG_INFINITY]; dimension];
        for numbers in shapes {
            for (own, shape) in film.placed() {
                take_in(&mut ranges, shape, &numbers[own]);
            }
        }
        let mut window = Self { ranges };
        window.round_off();
        if dimension == 2 {
            window.take_in_curves(film);
        }
        window
    }

    /// The longest side.
    pub fn size(&self) -> f64 {
        self.ranges.iter().fold(0.0, |most: f64, [low, high]| most.max(high - low))
    }

    /// The first two ranges with a part of the size more on each side.
    pub fn around(&self, part: f64) -> [Range; 2] {
        let more = part * self.size();
        [0, 1].map(|axis| {
            let [low, high] = self.ranges.get(axis).copied().unwrap_or([-1.0, 1.0]);
            [low - more, high + more]
        })
    }

    /// What has no width gets one, what is narrow some.
    fn round_off(&mut self) {
        for range in &mut self.ranges {
            if range[0] > range[1] {
                *range = [0.0, 0.0];
            }
        }
        let size = self.size();
        let middle = |[low, high]: &Range| f64::midpoint(*low, *high);
        let far = self.ranges.iter().map(middle).fold(0.0, |most: f64, x| most.max(x.abs()));
        let half = if size > 1e-9 * far.max(1e-3) { 0.15 * size } else { far.max(1.0) };
        for range in &mut self.ranges {
            let middle = middle(range);
            *range = [range[0].min(middle - half), range[1].max(middle + half)];
        }
    }

    /// Closed curves are shown whole.
    fn take_in_curves(&mut self, film: &Film<'_>) {
        let Some(frame) = film.frames.first() else { return };
        let around = self.around(1.0);
        for shape in 0..film.subject.drawing.shapes().len() {
            let lines = film.subject.drawing.curve(shape, &film.at(frame), around, CELLS);
            for line in lines.iter().filter(|line| line.first() == line.last()) {
                for point in line {
                    widen(&mut self.ranges, point, 0.0);
                }
            }
        }
    }

    /// The curve of a shape: once, or at times where it moves.
    pub fn curves(&self, film: &Film<'_>, shape: usize) -> Vec<CurveAt> {
        let around = self.around(0.6);
        let flat = FLAT * self.size();
        let frames = film.times(shape, TIMES);
        let curve = |frame: &Frame| {
            let lines = film.subject.drawing.curve(shape, &film.at(frame), around, CELLS);
            let lines = lines.iter().map(|line| thinned(line, flat)).collect();
            CurveAt { t: frame.state.t, lines }
        };
        frames.into_iter().map(curve).collect()
    }

    /// The heights of a shape over the window, and the cells along a side.
    pub fn heights(&self, film: &Film<'_>, shape: usize) -> (Vec<HeightsAt>, usize) {
        let around = self.around(0.1);
        let frames = film.times(shape, TIMES / 4);
        let heights = |frame: &Frame| HeightsAt {
            t: frame.state.t,
            heights: film.subject.drawing.heights(shape, &film.at(frame), around, HEIGHT_CELLS),
        };
        (frames.into_iter().map(heights).collect(), HEIGHT_CELLS)
    }

    /// The range that heights are over.
    pub fn under_heights(&self) -> [Range; 2] {
        self.around(0.1)
    }
}

impl Film<'_> {
    /// The frames at which a curve is drawn: the first, or some where it moves.
    fn times(&self, shape: usize, count: usize) -> Vec<&Frame> {
        if !self.subject.drawing.field_moves(shape) {
            return self.frames.first().into_iter().collect();
        }
        let stride = self.frames.len().div_ceil(count).max(1);
        self.frames.iter().step_by(stride).collect()
    }
}

/// Widens ranges by the points of a shape with its size.
fn take_in(ranges: &mut [Range], shape: &Shape, numbers: &[f64]) {
    let dimension = ranges.len();
    let (points, rest) = numbers.split_at(dimension * shape.points);
    let sizes = &rest[..shape.sizes];
    let reach = match (shape.primitive.name, sizes) {
        ("circle" | "disk" | "sphere" | "axes", [radius]) => radius.abs(),
        ("ellipsoid", [a, b, c]) => a.abs().max(b.abs()).max(c.abs()),
        ("ellipse", [a, b, ..]) => a.abs().max(b.abs()),
        ("box", [a, b, c]) if dimension == 3 => hypot(hypot(*a, *b), *c) / 2.0,
        ("box", [a, b, ..]) => hypot(*a, *b) / 2.0,
        _ => 0.0,
    };
    // The vector of an arrow is no place.
    let places = if shape.primitive.name == "arrow" { 1 } else { shape.points };
    for point in points.chunks_exact(dimension).take(places) {
        widen(ranges, point, reach);
    }
}

fn widen(ranges: &mut [Range], point: &[f64], reach: f64) {
    if !point.iter().all(|x| (x.abs() + reach).is_finite()) {
        return;
    }
    for (range, x) in ranges.iter_mut().zip(point) {
        *range = [range[0].min(x - reach), range[1].max(x + reach)];
    }
}
