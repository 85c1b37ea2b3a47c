//! What drives a system: whether it returns after a period, and whether there is none.
//!
//! ```text
//! |g(t + T, y) − g(t, y)| ≤ ε max |g(t, y)| over some t,  of all that reads the time, with its derivatives by y
//! ```

use crate::error::AnalysisError;
use crate::tapes::derivatives;
use crate::variation::Variations;
use eom_core::State;
use eom_core::enclosure::Tape;

/// The parts of a period at which what drives a system is compared with itself, and how far it may be off.
const PARTS: [f64; 3] = [0.0, 0.37, 0.71];
const ROUNDING: f64 = 1e-6;

/// What drives counts as no smaller than this, and than this part of the largest beside it.
const LEAST: f64 = 1e-3;
const OF_LARGEST: f64 = 1e-8;

/// How far from the orbit what drives is looked at, too.
const BESIDE: f64 = 0.137;

impl Variations<'_> {
    /// Refuses a period with which what depends on time does not return: a return after it is one to another system.
    pub(crate) fn check_drive(
        &self,
        state: &State,
        inputs: &[f64],
        period: f64,
    ) -> Result<(), AnalysisError> {
        let parts = PARTS.map(|part| state.t + part * period);
        let (n, m) = (state.q.len(), state.v.len());
        let beside = State {
            q: state.q.iter().map(|q| q + BESIDE * (1.0 + q.abs())).collect(),
            ..state.clone()
        };
        let given = self.programs.given(state, inputs).len();
        let is_given = |tape: &&Tape| tape.header() + tape.parameters == given;
        for tape in self.driven().filter(is_given) {
            // What is driven may be zero along the orbit: how it changes there is not.
            let at = |t: f64| {
                let of = |state: &State| {
                    let x = self.programs.given(&State { t, ..state.clone() }, inputs);
                    let (values, by) = derivatives(tape, &x, 1..1 + n + m);
                    values.iter().chain(&by).copied().collect::<Vec<_>>()
                };
                [of(state), of(&beside)].concat()
            };
            let all = parts.map(|t| [at(t), at(t + period)]);
            let entries = all.iter().flatten().flatten();
            let least = LEAST.min(OF_LARGEST * entries.fold(0.0, |size: f64, x| size.max(x.abs())));
            for i in 0..all[0][0].len() {
                // What passes zero is known to the rounding of what it is elsewhere.
                let entries = all.iter().flatten().map(|at| at[i].abs());
                let size = least + entries.fold(0.0, f64::max);
                if all.iter().any(|[now, then]| (now[i] - then[i]).abs() > ROUNDING * size) {
                    return Err(AnalysisError::NotDriven { period });
                }
            }
        }
        Ok(())
    }

    /// The programs that read the time.
    fn driven(&self) -> impl Iterator<Item = &Tape> {
        let programs = self.programs.system.programs();
        let all = [
            Some(self.programs.accelerations),
            self.programs.rates,
            self.programs.rows,
            programs.gaps,
            programs.guards.filter(|_| self.programs.info.events.iter().any(|event| event.resets)),
            programs.extents,
            programs.contact_rows,
            programs.contact_forces,
            programs.frictions,
            programs.resets,
        ];
        all.into_iter().flatten().filter(|tape| tape.reads(0))
    }

    /// Refuses a section of a system that depends on time: a return comes at another phase of it.
    pub(crate) fn check_autonomy(&self) -> Result<(), AnalysisError> {
        let is_driven = self.driven().next().is_some();
        let system = self.programs.info.name;
        if is_driven { Err(AnalysisError::Driven { system }) } else { Ok(()) }
    }
}
