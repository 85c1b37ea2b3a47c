//! Changes that last: what an impact or a reset changes that does not fall with the rates of a series.
//!
//! Behind infinitely many impacts there is a state only where each changes less than the one before, as ġ does. By an
//! impulse Λ along ∇g alone ‖v⁺ − v⁻‖² = Λ (ġ⁺ − ġ⁻). A change lasts where, with C = [`BEYOND`],
//!
//! ```text
//! ‖v⁺ − v⁻‖² > C² |Λ (ġ⁺ − ġ⁻)|      by a law that does not tell it by restitutions below 1
//! (q⁺, v⁺) ≠ (q⁻, v⁻)                by new names, or by a reset in each of the last two flights, to the tolerance
//! ```
//!
//! Then what the run would end up with depends on how many impacts can be told apart, and it ends there.

use crate::hybrid::accumulation::Lasting;
use crate::hybrid::accumulation::flight::RATIO_MARGIN;
use crate::hybrid::automaton::Automaton;
use crate::state::State;
use crate::system::Law;
use crate::trajectory::end::End;

/// How many times what falls a change is that does not.
const BEYOND: f64 = 1e3;

/// A reset changes something where it does so by this part of the scale of the tolerance.
const SEEN: f64 = 1e-4;

/// The flight before the last one, in units of the last, at most.
const BEFORE: f64 = 16.0;

impl Automaton<'_> {
    /// Takes what the loaded impact map has made of v⁻, with ġ⁺ − ġ⁻ and Λ.
    pub(super) fn changed_by_impact(
        &mut self,
        (contact, law): (usize, Law),
        (before, v): (&[f64], &[f64]),
        (gain, impulse): (f64, f64),
    ) {
        let has_rows = !self.system.info().contacts[contact].rows.is_empty();
        let falls = match law.restitutions() {
            Some([_, _, tangential]) => !has_rows || tangential <= 1.0 - RATIO_MARGIN,
            None => false,
        };
        if !falls && self.laws.map.change(before, v) > BEYOND * (impulse * gain).abs().sqrt() {
            self.accumulation.lasting.impact = self.t();
        }
    }

    /// Takes new names of the velocities v and the base point's coordinates.
    pub(super) fn changed_by_names(&mut self, v: &[f64], (q_plus, v_plus): (&[f64], &[f64])) {
        if self.flow.base.parts().0 != q_plus || v != v_plus {
            self.accumulation.lasting.impact = self.t();
        }
    }

    /// Takes what a reset has made of a state.
    pub(in crate::hybrid) fn changed_by_reset(&mut self, before: &State, (q, v): (&[f64], &[f64])) {
        let relative = self.options.relative_tolerance;
        let floors = self.options.absolute(self.system.info());
        let pairs = before.q.iter().zip(q).chain(before.v.iter().zip(v)).zip(floors);
        let mut seen = pairs.map(|((minus, plus), floor)| {
            (plus - minus).abs() > SEEN * (minus.abs().max(plus.abs()) + floor / relative)
        });
        if seen.any(|seen| seen) {
            let [last, _] = self.accumulation.lasting.resets;
            self.accumulation.lasting.resets = [self.t(), last];
        }
    }

    /// Where a contact has been struck at this instant after such a flight, and the flights that follow are left out: whether
    /// there is no state behind them.
    pub(in crate::hybrid) fn check_limit(&self, contact: usize, flight: f64) -> Result<(), End> {
        let (t, Lasting { impact, resets }) = (self.t(), &self.accumulation.lasting);
        let [last, before] = *resets;
        if *impact == t || last >= t - flight && before >= t - BEFORE * flight && before < last {
            let contact = self.system.info().contacts[contact].name;
            return Err(End::NoLimit { t, contact });
        }
        Ok(())
    }
}
