//! Where a branch turns back, and whether another one goes through there.
//!
//! ```text
//! D = det(∂r/∂w; tᵀ) = 0         another branch goes through
//! sign D = sign(t_μ det ∂r/∂y)   of both the sign changes at a fold, of one of them at a branching
//! ```
//!
//! A real eigenvalue that crosses tells of det ∂r/∂y. Where t_μ changes its sign and none crosses, a branching stands on the arm
//! that turns there: that of a pitchfork, walked from outside.

use super::SpecialKind;
use super::branches::{Found, Spectrum, Traced};
use super::walk::{Walk, slope};
use crate::critical::root;
use crate::error::AnalysisError;

/// A slope below this is rounding: along a family μ stays as it is.
const LEVEL: f64 = 1e-7;

/// That of a station that stands on a fold, which is solved to the root of rounding.
const STANDS: f64 = 1e-5;

/// The slope on either side of a crossing is taken this part of a step away.
const BESIDE: f64 = 1e-3;

/// A length, and t_μ there.
type End = (f64, f64);

impl Traced {
    /// What a real crossing is: a fold, at its own length, or a branching.
    pub(super) fn real<P: Spectrum>(
        &self,
        walk: &Walk<'_, P>,
        at: f64,
    ) -> Result<(f64, SpecialKind), AnalysisError> {
        let is_station = |s: f64| self.stations.iter().find(|station| station.s == s);
        if is_station(at).is_some_and(|station| slope(station).abs() <= STANDS) {
            return Ok((at, SpecialKind::Fold));
        }
        let next = self.stations.partition_point(|station| station.s <= at);
        let last = self.stations.len() - 1;
        let [low, high] = [next.saturating_sub(1), next.min(last)].map(|i| self.stations[i].s);
        let aside = BESIDE * (high - low);
        let mut ends = [(0.0, 0.0); 2];
        for (end, s) in ends.iter_mut().zip([(at - aside).max(low), (at + aside).min(high)]) {
            *end = (s, slope(&walk.at(&self.stations, s)?));
        }
        if ends[0].1 * ends[1].1 < 0.0 {
            return Ok((self.turn(walk, ends)?, SpecialKind::Fold));
        }
        Ok((at, SpecialKind::Branching))
    }

    /// Adds what the turns of the branch tell beside the real crossings.
    pub(super) fn add_turns<P: Spectrum>(
        &self,
        walk: &Walk<'_, P>,
        found: &mut Vec<Found>,
    ) -> Result<(), AnalysisError> {
        for ends in self.turns() {
            let [low, high] = ends.map(|(s, _)| s);
            let within = |one: &Found| (low..=high).contains(&one.s);
            let is = |one: &Found, kind: &SpecialKind| within(one) && one.kind == *kind;
            let folds = found.iter().filter(|one| is(one, &SpecialKind::Fold)).count();
            let is_told = found.iter().any(|one| is(one, &SpecialKind::Several));
            if folds % 2 == 1 || is_told {
                continue;
            }
            let s = self.turn(walk, ends)?;
            let crossing = found.iter_mut().find(|one| is(one, &SpecialKind::Branching));
            if let Some(one) = crossing {
                *one = Found { s, kind: SpecialKind::Fold, ..*one };
                continue;
            }
            found.retain(|one| !is(one, &SpecialKind::Tangency { frequency: 0.0 }));
            let before = self.stations.partition_point(|one| one.s <= low).saturating_sub(1);
            let after = self.stations.partition_point(|one| one.s < high);
            let unstable = [self.unstable::<P>(before)?, self.unstable::<P>(after)?];
            let is_even = unstable[0].abs_diff(unstable[1]) % 2 == 0;
            let kind = if is_even { SpecialKind::Branching } else { SpecialKind::Fold };
            found.push(Found { s, kind, unstable });
        }
        Ok(())
    }

    /// Between which stations t_μ changes its sign.
    fn turns(&self) -> Vec<[End; 2]> {
        let ends = self.stations.iter().map(|station| (station.s, slope(station)));
        let steep: Vec<End> = ends.filter(|(_, slope)| slope.abs() > LEVEL).collect();
        let turns = steep.windows(2).filter(|pair| pair[0].1 * pair[1].1 < 0.0);
        turns.map(|pair| [pair[0], pair[1]]).collect()
    }

    /// Where t_μ = 0.
    fn turn<P: Spectrum>(&self, walk: &Walk<'_, P>, ends: [End; 2]) -> Result<f64, AnalysisError> {
        root(ends, |s| Ok(slope(&walk.at(&self.stations, s)?)))
    }
}
