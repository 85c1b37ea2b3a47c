//! The frame of a figure: the part of the page that the axes enclose.

pub(super) mod inset;
pub(super) mod labels;
pub(super) mod ticks;

use crate::plot::look::Look;
use models::scene::Point;
use ticks::{Ticks, round_step};

/// Lengths of the page in units of 1/96 inch.
const BOX_LARGEST: f64 = 540.0;
const BOX_SMALLEST: f64 = 300.0;
/// Space for the labels of the vertical axis.
pub(crate) const LEFT: f64 = 74.0;
/// The breadth of a digit of the numbers, and what a number may take in that space, with an exponent and without.
pub(crate) const LETTER: f64 = 7.3;
const USUAL: [f64; 2] = [52.5, 43.0];
/// Space for the heading.
pub(crate) const TOP: f64 = 66.0;
const ORIGIN: Point = [LEFT, TOP];
/// The space above a frame without a heading.
const UNTITLED: f64 = 22.0;
/// Free space inside of the frame, as a part of the range.
pub(crate) const MARGIN: f64 = 0.06;

/// The frame of a figure and the map from its axes to the page.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    /// Lowest and highest value shown along each axis.
    pub(crate) range: [[f64; 2]; 2],
    /// Its upper left corner on the page.
    pub(crate) origin: Point,
    /// Its width and height.
    pub(crate) size: [f64; 2],
    /// The distance of two ticks along each axis.
    pub(crate) steps: [f64; 2],
    /// Which axes are logarithmic: then their range is one of decimal logarithms.
    pub(crate) log: [bool; 2],
    /// What broad numbers at the vertical axis take beyond the usual space.
    pub(crate) room: f64,
}

impl Frame {
    /// The frame that holds a box of points, with some space around it.
    pub(crate) fn new(bounds: &[[f64; 2]; 2], equal_aspect: bool) -> Self {
        let lengths = bounds.map(|[low, high]| high - low);
        let range = [0, 1].map(|i| {
            let pad = MARGIN * if equal_aspect { lengths[0].max(lengths[1]) } else { lengths[i] };
            [bounds[i][0] - pad, bounds[i][1] + pad]
        });
        let [width, height] = range.map(|[low, high]| high - low);
        if equal_aspect {
            return Self::equal(range, width, height);
        }
        let steps = [round_step(width, 6.0), round_step(height, 5.0)];
        let size = [BOX_LARGEST, 0.7 * BOX_LARGEST];
        Self { range, origin: ORIGIN, size, steps, log: [false; 2], room: 0.0 }
    }

    /// The frame as it is wished for.
    pub(crate) fn looked(bounds: &[[f64; 2]; 2], equal_aspect: bool, look: &Look) -> Self {
        let is_usual = look.size.is_none() && look.log == [false; 2];
        if is_usual && (equal_aspect || look.ranges == [None; 2]) {
            let given = [0, 1].map(|i| look.ranges[i].unwrap_or(bounds[i]));
            return Self::new(&given, equal_aspect).titled(look);
        }
        let padded = |i: usize| {
            let [low, high] = logarithms(bounds[i], look.log[i]);
            let pad = MARGIN * (high - low);
            look.ranges[i].map_or([low - pad, high + pad], |range| logarithms(range, look.log[i]))
        };
        Self::of([0, 1].map(padded), look)
    }

    /// The frame of just these ranges.
    pub(crate) fn tight(bounds: &[[f64; 2]; 2], look: &Look) -> Self {
        let given = |i: usize| logarithms(look.ranges[i].unwrap_or(bounds[i]), look.log[i]);
        Self::of([0, 1].map(given), look)
    }

    fn of(range: [[f64; 2]; 2], look: &Look) -> Self {
        let size = look.size.unwrap_or([BOX_LARGEST, 0.7 * BOX_LARGEST]);
        let steps = [0, 1].map(|i| {
            let [low, high] = range[i];
            round_step(high - low, (size[i] / 90.0).clamp(2.0, 12.0))
        });
        Self { range, origin: ORIGIN, size, steps, log: look.log, room: 0.0 }.titled(look)
    }

    /// Without a title it stands higher, beside broad numbers farther from the edge.
    fn titled(self, look: &Look) -> Self {
        let top = if look.titled("title").is_some() { TOP } else { UNTITLED };
        let room = self.beyond();
        Self { origin: [self.origin[0] + room, top], room, ..self }
    }

    /// Whether the numbers at the vertical axis have exponents.
    pub(crate) fn is_broad(&self) -> bool {
        let ticks = self.ticks(1);
        ticks.values.iter().any(|value| ticks.label(*value).contains('e'))
    }

    /// How far they reach beyond the usual space.
    fn beyond(&self) -> f64 {
        let ticks = self.ticks(1);
        let breadths = ticks.values.iter().map(|value| breadth(&ticks.label(*value)));
        let usual = if self.is_broad() { USUAL[0] } else { USUAL[1] };
        (breadths.fold(0.0, f64::max) - usual).max(0.0).ceil()
    }

    /// A square of the page that holds a box of points with one scale for both axes.
    pub(crate) fn square(bounds: &[[f64; 2]; 2], origin: Point, side: f64) -> Self {
        let longest = bounds.iter().fold(0.0_f64, |m, [low, high]| m.max(high - low));
        let half = (0.5 + MARGIN) * longest;
        let range = bounds.map(|[low, high]| {
            let middle = f64::midpoint(low, high);
            [middle - half, middle + half]
        });
        let steps = [round_step(2.0 * half, 4.0); 2];
        Self { range, origin, size: [side; 2], steps, log: [false; 2], room: 0.0 }
    }

    /// One scale for both axes: the longer side is as long as it may be, the shorter one as long
    /// as it must be to hold the words, with free space where the motion needs less.
    fn equal(mut range: [[f64; 2]; 2], width: f64, height: f64) -> Self {
        let scale = BOX_LARGEST / width.max(height);
        let size = [width, height].map(|length| (length * scale).max(BOX_SMALLEST));
        for i in 0..2 {
            let middle = f64::midpoint(range[i][0], range[i][1]);
            let half = size[i] / scale / 2.0;
            range[i] = [middle - half, middle + half];
        }
        let step = round_step(width.max(height), 7.0);
        Self { range, origin: ORIGIN, size, steps: [step; 2], log: [false; 2], room: 0.0 }
    }

    /// The ticks along an axis.
    pub(crate) fn ticks(&self, axis: usize) -> Ticks {
        let [low, high] = self.range[axis];
        if self.log[axis] {
            Ticks::decades(low, high)
        } else {
            Ticks::new(low, high, self.steps[axis])
        }
    }

    /// The abscissa of a value on the page.
    pub(crate) fn x(&self, value: f64) -> f64 {
        let [low, high] = self.range[0];
        let value = if self.log[0] { value.log10() } else { value };
        self.origin[0] + (value - low) / (high - low) * self.size[0]
    }

    /// The ordinate of a value on the page.
    pub(crate) fn y(&self, value: f64) -> f64 {
        let [low, high] = self.range[1];
        let value = if self.log[1] { value.log10() } else { value };
        self.origin[1] + (high - value) / (high - low) * self.size[1]
    }

    /// A point on the page.
    pub(crate) fn page(&self, point: Point) -> Point {
        [self.x(point[0]), self.y(point[1])]
    }

    /// Its right side.
    pub(crate) fn right(&self) -> f64 {
        self.origin[0] + self.size[0]
    }

    /// Its lower side.
    pub(crate) fn bottom(&self) -> f64 {
        self.origin[1] + self.size[1]
    }

    /// A square of the page, by its upper left corner and its side, shown larger elsewhere.
    pub(crate) fn magnified(&self, from: (Point, f64), to: (Point, f64)) -> Self {
        let part = |i: usize, at: f64| (at - self.origin[i]) / self.size[i];
        let range = [0, 1].map(|i| {
            let [low, high] = self.range[i];
            let ends = [from.0[i], from.0[i] + from.1].map(|at| part(i, at) * (high - low));
            // The ordinate of the page runs downwards.
            if i == 0 { ends.map(|end| low + end) } else { [high - ends[1], high - ends[0]] }
        });
        Self { range, origin: to.0, size: [to.1; 2], steps: self.steps, log: self.log, room: 0.0 }
    }
}

/// The breadth of a number on the page: a sign is broader than a digit, a point half as broad.
fn breadth(number: &str) -> f64 {
    let parts = number.chars().map(|letter| match letter {
        '−' => 1.32,
        '.' => 0.5,
        _ => 1.0,
    });
    LETTER * parts.sum::<f64>()
}

/// The ends of a range, or their decimal logarithms.
fn logarithms(range: [f64; 2], log: bool) -> [f64; 2] {
    if log { range.map(f64::log10) } else { range }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A digit of 11.5 px is 0.636 times as broad in DejaVu Sans, a sign 0.838 times, a point 0.32 times.
    #[test]
    fn broad_numbers_stay_on_the_page_and_beside_the_name() {
        for (low, high) in [
            (0.1, 0.1 + 1e-6),
            (299_792_458.0, 299_792_459.0),
            (-0.2, 0.2),
            (-5e-6, 2e-5),
            (-100_004.0, -100_000.0),
            (0.0, 1.7e104),
        ] {
            let frame = Frame::looked(&[[0.0, 1.0], [low, high]], false, &Look::default());
            let ticks = frame.ticks(1);
            let broad = |label: String| -> f64 {
                let of = |letter| match letter {
                    '−' => 0.838,
                    '.' => 0.32,
                    _ => 0.636,
                };
                11.5 * label.chars().map(of).sum::<f64>()
            };
            let longest = ticks.values.iter().map(|v| broad(ticks.label(*v))).fold(0.0, f64::max);
            let left = frame.origin[0] - 9.0 - longest;
            let name = frame.origin[0] - frame.room - if frame.is_broad() { 63.0 } else { 54.0 };
            assert!(name > 10.9 && left >= name + 1.0, "{low} … {high}: {left} {name}");
        }
    }
}
