//! Crossings that only what rounding makes of them tells apart: several at one value.
//!
//! Where pairs leave the axis to both sides on both sides of a value, their real parts go through 0 there together, and right beside
//! it they decide nothing yet: the count falls as the value is neared and rises behind it.

use super::{Crossing, CrossingKind, NARROW, ONE_PLACE, Sample, Samples, Search};
use crate::error::AnalysisError;

/// Values that differ by this part of the range are one.
const SAME: f64 = 1e-12;

/// How far apart the ends are at which what is not told apart is told, as a multiple of the interval that is not halved.
const ENDS: f64 = 8.0;

impl Search {
    /// Makes one of such crossings that follow each other, at the value at which most eigenvalues are on the boundary.
    pub(crate) fn at_one_place(
        &mut self,
        known: &[Sample],
        sample: &mut Samples<'_>,
    ) -> Result<(), AnalysisError> {
        self.found.sort_by(|a, b| a.at.total_cmp(&b.at));
        let all = std::mem::take(&mut self.found);
        let mut rest = &all[..];
        while !rest.is_empty() {
            let count = self.together_from(rest);
            let (group, others) = rest.split_at(count);
            match group {
                [first, .., last] => {
                    let unstable = [first.unstable[0], last.unstable[1]];
                    let at = self.place([first.at, last.at], known, sample)?;
                    self.found.push(Crossing { at, kind: CrossingKind::Several, unstable });
                }
                [one] if self.untold.contains(&one.at) => {
                    let at = self.place([one.at; 2], known, sample)?;
                    self.found.push(Crossing { at, ..*one });
                }
                _ => self.found.extend(group),
            }
            rest = others;
        }
        Ok(())
    }

    /// How many of these, from the first on, are at one value.
    fn together_from(&self, all: &[Crossing]) -> usize {
        let is_near = |pair: &[Crossing]| {
            let several = pair.iter().any(|one| one.kind == CrossingKind::Several);
            let part = if several { ENDS * ONE_PLACE } else { SAME };
            pair[1].at - pair[0].at <= part * self.range
        };
        let count = 1 + all.windows(2).take_while(|pair| is_near(pair)).count();
        let rises = |one: &Crossing| one.unstable[1] > one.unstable[0];
        let mut falls = all[..count].iter().skip_while(|one| rises(one));
        let is_hole = falls.next().is_some() && falls.any(rises);
        if is_hole { count } else { 1 }
    }

    /// Where that is: a sample on which more are on the boundary, or where a pair crosses it between values that are farther off.
    fn place(
        &self,
        [first, last]: [f64; 2],
        known: &[Sample],
        sample: &mut Samples<'_>,
    ) -> Result<f64, AnalysisError> {
        let middle = first + 0.5 * (last - first);
        let (near, far) = (ENDS * ONE_PLACE * self.range, NARROW * self.range);
        let bound = |at: Option<&Sample>| at.map_or(middle, |sample| sample.at);
        let [least, most] = [bound(known.first()), bound(known.last())];
        let ends = [sample((first - far).max(least))?, sample((last + far).min(most))?];
        let has_more = |one: &&Sample| ends.iter().all(|end| self.boundary.has_more(one, end));
        let mut close = known.iter().filter(|one| (one.at - middle).abs() <= near);
        if let Some(one) = close.find(has_more) {
            return Ok(one.at);
        }
        let places = self.crossing_pairs([&ends[0], &ends[1]], sample)?;
        let places: Vec<f64> =
            places.into_iter().filter(|at| (at - middle).abs() <= near).collect();
        let count = places.len();
        Ok(if count > 0 { places.iter().sum::<f64>() / count as f64 } else { middle })
    }
}
