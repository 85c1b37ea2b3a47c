//! Whether nothing moves any more, and what the run does then.
//!
//! ```text
//! v = 0      |v̇ᵢ(t,q,0)| ≤ 2ε Σⱼ |∂v̇ᵢ/∂qⱼ||qⱼ| + 8ε ‖a₀‖/√Mᵢᵢ      v̇, g, γ at t′ as at t
//! ```
//!
//! with v̇ those of the present mode and a₀ those without contact forces, ‖·‖ in the metric M. An
//! impact leaves an exact zero where v⁺ is rounding of v⁻. The derivatives are differences. Whether v̇, g, rows of constraints
//! and contacts, slips and coefficients of friction depend on t is bounded over all times, where the system has its programs as data; else it is asked at
//! the times t′ = t + √2·2ʲ, j = −20..20: what starts to move once after longer than that is not foreseen.

use crate::hybrid::automaton::Automaton;
use crate::hybrid::impacts::laws::Laws;
use crate::hybrid::recording::SAMPLES_AT_ONCE;
use crate::state::State;
use crate::system::enclosure::{Evaluator, Interval};
use crate::system::parameters_of;
use crate::trajectory::end::End;

/// The part by which a coordinate is moved.
const MOVED: f64 = 1e-7;

/// Units of rounding of an acceleration in contact.
const ROUNDINGS: f64 = 8.0;

/// Powers of two between the times that are asked for.
const DOUBLINGS: i32 = 20;

impl Automaton<'_> {
    /// Sees whether the base point will stay where it is.
    pub(in crate::hybrid) fn rest(&mut self) {
        let rests = self.accumulation.accumulating.is_empty() && self.is_at_rest();
        self.course.rest = rests.then(|| self.course.rest.unwrap_or(self.t()));
    }

    /// Stays where it is: to the end, or to where the run goes on at present. If only a number of impacts
    /// would end the run, it ends.
    pub(in crate::hybrid) fn stay(&mut self) -> Result<(), End> {
        let Some(end) = self.until() else { return Err(End::AtRest { t: self.t() }) };
        let state = self.flow.base.state();
        if self.options.sampling.is_timed() {
            for _ in 0..SAMPLES_AT_ONCE {
                let Some(t) = self.next_sample().filter(|t| *t <= end) else { break };
                self.take_sample(State { t, ..state.clone() });
            }
            if self.next_sample().is_some_and(|t| t <= end) {
                return Ok(());
            }
        }
        if let Some(book) = &mut self.records.book {
            book.stay(self.system, &self.flow.base, end);
        }
        self.flow.stay(end);
        self.keep_sample();
        if self.options.until_time == Some(end) { Err(End::ReachedTime { t: end }) } else { Ok(()) }
    }

    fn is_at_rest(&mut self) -> bool {
        let (_, v) = self.flow.base.parts();
        v.iter().all(|v| *v == 0.0) && self.is_balanced() && self.is_steady()
    }

    /// Whether the accelerations are zero to rounding.
    fn is_balanced(&mut self) -> bool {
        let (t, y) = (self.t(), self.flow.base.y.clone());
        let n = self.system.info().positions();
        let mut moved = y.clone();
        let here = self.accelerations(t, &y);
        let is_plain = self.mode.is_free() && self.laws.forces.is_plain();
        let sizes = if is_plain { vec![0.0; here.len()] } else { self.laws.forces.sizes() };
        let mut roundings: Vec<f64> =
            sizes.iter().map(|size| ROUNDINGS * f64::EPSILON * size).collect();
        for j in 0..n {
            moved[j] += MOVED * y[j];
            for ((rounding, there), here) in
                roundings.iter_mut().zip(self.accelerations(t, &moved)).zip(&here)
            {
                *rounding += 2.0 * f64::EPSILON * (there - here).abs() / MOVED;
            }
            moved[j] = y[j];
        }
        here.iter().zip(roundings).all(|(here, rounding)| here.abs() <= rounding)
    }

    /// Whether accelerations and guards are the same at later times.
    fn is_steady(&mut self) -> bool {
        let (t, y) = (self.t(), self.flow.base.y.clone());
        if self.events.proof.depends_on_time(&y) || self.depends_on_time(&y) {
            return false;
        }
        let here = self.all_at(t, &y);
        (-DOUBLINGS..=DOUBLINGS)
            .all(|j| self.all_at(t + 2.0_f64.sqrt() * 2.0_f64.powi(j), &y) == here)
    }

    /// Whether something that acts or holds, at a state that does not move, is not shown to be the same at all times.
    fn depends_on_time(&self, y: &[f64]) -> bool {
        let programs = self.system.programs();
        let parameters = parameters_of(self.system);
        let state: Vec<Interval> = y.iter().map(|y| Interval::new(*y, *y)).collect();
        let still = vec![Interval::ZERO; y.len()];
        let all = [
            programs.accelerations,
            programs.constraint_rows,
            programs.contact_rows,
            programs.frictions,
            programs.contact_forces,
            programs.borne_forces,
        ];
        all.into_iter().flatten().any(|tape| {
            if !tape.reads(0) {
                return false;
            }
            let mut values = Evaluator::new(tape, &parameters, &self.inputs);
            values.run_along(Interval::WHOLE, &state, &still);
            values.results().any(|value| !value.rates[0].is_zero())
        })
    }

    fn all_at(&mut self, t: f64, y: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut values = vec![0.0; self.events.guards.count()];
        self.events.guards.values(t, y, &mut values);
        (self.accelerations(t, y), values)
    }

    /// v̇ in the present mode; not a number where there is no metric.
    fn accelerations(&mut self, t: f64, y: &[f64]) -> Vec<f64> {
        let Self { system, inputs, mode, laws: Laws { forces, .. }, .. } = self;
        let (q, v) = y.split_at(system.info().positions());
        if mode.is_free() && forces.is_plain() {
            let mut λ = vec![0.0; system.info().rows.len()];
            let mut a = vec![0.0; v.len()];
            system.accelerations(t, q, v, inputs, &mut a, &mut λ);
            return a;
        }
        match forces.solve(*system, mode, (t, q, v, inputs)) {
            Ok(()) => forces.accelerations().to_vec(),
            Err(_) => vec![f64::NAN; v.len()],
        }
    }
}
