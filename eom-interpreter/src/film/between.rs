//! What is shown between the samples of a motion: polynomials through the nearest of them, and how far these are off.
//!
//! A run is made at even times and, within each interval between two of them, at one that is at no even part of it. What
//! turns once an interval looks at rest at even times alone: those within tell.

use std::ops::Range;
use std::sync::Arc;

/// Samples that a polynomial passes; `scene.js` has as many.
const POINTS: usize = 6;

/// A part of the range of a number: as 16 bits have it, and as it can be seen.
const FINE: f64 = 3e-5;
const SEEN: f64 = 2e-3;

/// What changes by less than this part of what there is changes by rounding.
const ROUNDING: f64 = 1e-9;

/// A sample has this distance from the sides of an event, in intervals: polynomials through nearer ones are steep.
const APART: f64 = 0.25;

/// Which samples are kept, and how far off it is between them.
#[derive(Debug, Default)]
pub(crate) struct Cut {
    /// The places of those that are kept.
    pub(crate) kept: Vec<usize>,
    /// How far off each number is at most, where it is not rough.
    pub(crate) off: Vec<f64>,
    /// Whether something is off by more than [`FINE`] behind each of them.
    pub(crate) rough: Vec<bool>,
    /// Whether what is between them is another motion: those that are kept are at uneven times then.
    pub(crate) is_coarse: bool,
    /// Whether more of a number than corners is off.
    pub(crate) is_rough: bool,
}

/// Even times, so many intervals, and one within each.
pub(crate) fn times(from: f64, to: f64, count: usize) -> Arc<[f64]> {
    let even = |k: usize| {
        if k == count { to } else { from + (to - from) * (k as f64 / count as f64) }
    };
    let within = |k: usize| {
        // Multiples of the golden section come near to no fraction.
        let part = ((k + 1) as f64 * 0.618_033_988_749_895).fract();
        even(k) + part * (even(k + 1) - even(k))
    };
    (0..count).flat_map(|k| [even(k), within(k)]).chain([to]).collect()
}

impl Cut {
    /// Of samples at some times, those asked for and both sides of events, every `most`-th even one, or as many more as the
    /// numbers, each at all samples, need.
    pub(crate) fn new(at: &[f64], asked: &[f64], numbers: &[Vec<f64>], most: usize) -> Self {
        let places = places(at, asked);
        let widths = widths(numbers);
        let mut stride = most;
        loop {
            let kept = kept(at, &places, stride, asked);
            let mut cut = Self { kept, off: vec![0.0; numbers.len()], ..Self::default() };
            let is_seen = cut.compare(at, numbers, &widths);
            if stride > 1 && cut.is_rough {
                stride /= 2;
                continue;
            }
            if is_seen {
                let is_within = |place: &usize| places[*place].is_none_or(|k| k % 2 == 1);
                let kept = (0..at.len()).filter(is_within).collect();
                return Self { kept, is_coarse: true, is_rough: true, ..Self::default() };
            }
            return cut;
        }
    }

    /// Compares what lies between the samples that are kept with the others; whether that is seen of one of
    /// them everywhere.
    fn compare(&mut self, at: &[f64], numbers: &[Vec<f64>], widths: &[f64]) -> bool {
        let kept: Vec<f64> = self.kept.iter().map(|place| at[*place]).collect();
        let mut worst = vec![0.0_f64; kept.len()];
        let mut errors = vec![0.0; numbers.len()];
        let (mut rough, mut seen) = (vec![0; numbers.len()], vec![0; numbers.len()]);
        let mut next = 0;
        for (place, t) in at.iter().enumerate() {
            if self.kept.get(next) == Some(&place) {
                next += 1;
                continue;
            }
            let (nodes, weights) = between(&kept, next - 1, *t);
            let mut here = 0.0_f64;
            for (index, values) in numbers.iter().enumerate() {
                let terms = self.kept[nodes.clone()].iter().zip(weights);
                let shown: f64 = terms.map(|(node, weight)| weight * values[*node]).sum();
                errors[index] = (shown - values[place]).abs();
                // Where there is no number, none is off.
                let part = errors[index] / widths[index];
                here = here.max(part);
                rough[index] += usize::from(part > FINE);
                seen[index] += usize::from(part > SEEN);
            }
            worst[next - 1] = worst[next - 1].max(here);
            if here <= FINE {
                self.off.iter_mut().zip(&errors).for_each(|(off, error)| *off = off.max(*error));
            }
        }
        self.rough = worst.iter().map(|worst| *worst > FINE).collect();
        let compared = at.len() - kept.len();
        self.is_rough = rough.iter().any(|count| 50 * count > compared);
        seen.iter().any(|count| 4 * count > compared)
    }
}

/// The place of each sample among the times asked for; those of events have none, nor the ends.
fn places(at: &[f64], asked: &[f64]) -> Vec<Option<usize>> {
    let place = |i: usize| {
        let t = at[i];
        let is_side = i == 0 || i + 1 == at.len() || at[i - 1] == t || at[i + 1] == t;
        if is_side { None } else { asked.binary_search_by(|x| x.total_cmp(&t)).ok() }
    };
    (0..at.len()).map(place).collect()
}

/// The samples at every so many even times, and those without a place; none of the first near one of the second.
fn kept(at: &[f64], places: &[Option<usize>], stride: usize, asked: &[f64]) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    let span = asked.last().zip(asked.first()).map_or(0.0, |(last, first)| last - first);
    let apart = APART * span * (2 * stride) as f64 / asked.len() as f64;
    for (i, place) in places.iter().enumerate() {
        let before = kept.last().map(|last| (places[*last], at[i] - at[*last]));
        match (place, before) {
            (Some(k), _) if k % (2 * stride) != 0 => continue,
            (Some(_), Some((None, distance))) if distance < apart => continue,
            (None, Some((Some(_), distance))) if distance < apart => drop(kept.pop()),
            _ => {}
        }
        kept.push(i);
    }
    kept
}

/// The samples of the polynomial behind one at a time, the nearest of its arc, which the sides of events end; the weights
/// of their values.
fn between(at: &[f64], behind: usize, t: f64) -> (Range<usize>, [f64; POINTS]) {
    let goes_on = |i: usize| i + 1 < at.len() && at[i] < at[i + 1];
    let (mut first, mut last) = (behind, behind + usize::from(goes_on(behind)));
    while last - first + 1 < POINTS {
        let (down, up) = (first > 0 && goes_on(first - 1), goes_on(last));
        if down && !(up && at[last + 1] - t < t - at[first - 1]) {
            first -= 1;
        } else if up {
            last += 1;
        } else {
            break;
        }
    }
    let mut weights = [0.0; POINTS];
    for j in first..=last {
        let others = (first..=last).filter(|k| *k != j);
        weights[j - first] = others.map(|k| (t - at[k]) / (at[j] - at[k])).product();
    }
    (first..last + 1, weights)
}

/// The width of the range of each number, more than rounding of the largest.
fn widths(numbers: &[Vec<f64>]) -> Vec<f64> {
    let range = |values: &Vec<f64>| {
        let finite = values.iter().filter(|value| value.is_finite());
        finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
            [low.min(*value), high.max(*value)]
        })
    };
    let ranges: Vec<[f64; 2]> = numbers.iter().map(range).collect();
    let size = |[low, high]: &[f64; 2]| if low <= high { high.abs().max(low.abs()) } else { 0.0 };
    let least = ROUNDING * ranges.iter().map(size).fold(0.0, f64::max).min(1.0);
    let width = |range: &[f64; 2]| (range[1] - range[0]).max(ROUNDING * size(range)).max(least);
    ranges.iter().map(|range| width(range).max(f64::MIN_POSITIVE)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Cut, FINE, times};

    /// The cut of cos ωt on [0, 1] with so many even intervals.
    fn cut(turns: f64, count: usize, most: usize) -> (Cut, Vec<f64>) {
        let at = times(0.0, 1.0, count);
        let value = |t: &f64| (2.0 * std::f64::consts::PI * turns * t).cos();
        let cut = Cut::new(&at, &at, &[at.iter().map(value).collect()], most);
        let kept = cut.kept.iter().map(|place| at[*place]).collect();
        (cut, kept)
    }

    #[test]
    fn as_many_are_kept_as_are_needed() {
        // The polynomial of six points at a distance h is off by 225/46080 (ωh)⁶ at most: ωh = 0.43 for FINE.
        for (turns, intervals) in [(1.0, 64), (5.0, 128), (20.0, 512), (60.0, 1024), (150.0, 1024)]
        {
            let (cut, kept) = cut(turns, 1024, 16);
            assert_eq!(kept.len(), intervals + 1, "{turns} turns");
            assert!(!cut.is_coarse);
            let is_fine = intervals < 1024 || turns < 65.0;
            assert_eq!(cut.rough.iter().any(|rough| *rough), !is_fine, "{turns} turns");
            assert!(cut.off[0] <= 2.0 * FINE);
        }
    }

    #[test]
    fn what_turns_with_the_samples_is_told() {
        // At even times these are at rest, or turn once.
        for turns in [512.0, 1024.0, 1025.0, 4097.0] {
            let (cut, kept) = cut(turns, 1024, 4);
            assert!(cut.is_coarse, "{turns} turns");
            assert_eq!(kept.len(), 1024 + 2);
        }
    }

    #[test]
    fn an_event_parts_polynomials() {
        // |sin 3t|, whose sides at the root π/3 are there.
        let asked = times(0.0, 2.0, 256);
        let root = std::f64::consts::FRAC_PI_3;
        let mut at = asked.to_vec();
        at.extend([root; 2]);
        at.sort_by(f64::total_cmp);
        let values: Vec<f64> = at.iter().map(|t| (3.0 * t).sin().abs()).collect();
        let with = Cut::new(&at, &asked, std::slice::from_ref(&values), 4);
        assert!(!with.rough.contains(&true) && with.kept.len() < 70, "{}", with.kept.len());
        let near = with.kept.windows(2).map(|pair| at[pair[1]] - at[pair[0]]).filter(|h| *h > 0.0);
        assert!(near.fold(f64::INFINITY, f64::min) > 0.2 * 2.0 / 64.0);
        // Without them the corner is rough, and nothing else.
        let values: Vec<f64> = asked.iter().map(|t| (3.0 * t).sin().abs()).collect();
        let without = Cut::new(&asked, &asked, &[values], 1);
        let rough = without.rough.iter().filter(|rough| **rough).count();
        assert!((1..=6).contains(&rough), "{rough}");
    }
}
