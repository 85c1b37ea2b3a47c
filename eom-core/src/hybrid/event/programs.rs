//! The programs of all guards, over intervals or over jets: the gaps of contacts, the guards of events, the extents.

use super::guards::Guards;
use crate::system::enclosure::{Evaluator, Number};
use crate::system::{System, parameters_of};

/// Those of a system, each where it has one.
#[derive(Debug, Clone)]
pub(super) struct GuardPrograms<'a, N> {
    gaps: Option<Evaluator<'a, N>>,
    events: Option<Evaluator<'a, N>>,
    extents: Option<Evaluator<'a, N>>,
    contacts: usize,
    declared: usize,
}

impl<'a, N: Number> GuardPrograms<'a, N> {
    /// With the parameters of the system.
    pub(super) fn new(system: &'a dyn System, inputs: &[f64]) -> Self {
        let (programs, parameters) = (system.programs(), parameters_of(system));
        let [gaps, events, extents] = [programs.gaps, programs.guards, programs.extents]
            .map(|tape| tape.map(|tape| Evaluator::new(tape, &parameters, inputs)));
        let info = system.info();
        Self { gaps, events, extents, contacts: info.contacts.len(), declared: info.events.len() }
    }

    fn all(&self) -> impl Iterator<Item = &Evaluator<'a, N>> {
        [&self.gaps, &self.events, &self.extents].into_iter().flatten()
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut Evaluator<'a, N>> {
        [&mut self.gaps, &mut self.events, &mut self.extents].into_iter().flatten()
    }

    /// Inputs from here on.
    pub(super) fn set_inputs(&mut self, inputs: &[f64]) {
        self.all_mut().for_each(|evaluator| evaluator.set_inputs(inputs));
    }

    /// Whether one of them reads t, register 0, or the number of y in a register.
    pub(super) fn reads(&self, register: usize) -> bool {
        self.all().any(|evaluator| evaluator.tape().reads(register))
    }

    /// The numbers of y that they read.
    pub(super) fn columns(&self, dimension: usize) -> Vec<usize> {
        (0..dimension).filter(|column| self.reads(1 + column)).collect()
    }

    /// Evaluates all of them.
    pub(super) fn run(&mut self, t: N, y: &[N]) {
        self.all_mut().for_each(|evaluator| evaluator.run(t, &[y]));
    }

    /// Whether a guard can be bounded in the present mode: it has a program, and is neither the force of a closed
    /// contact nor friction.
    pub(super) fn bounds(&self, guards: &Guards<'_>, guard: usize) -> bool {
        guards.gap(guard).is_some() && self.gaps.is_some()
            || guards.event(guard).is_some() && self.events.is_some() && !guards.is_idle(guard)
            || guards.reaches(guard) && self.extents.is_some()
    }

    /// A guard as it was evaluated last; none without a program, as friction's.
    pub(super) fn result(&self, guard: usize) -> Option<N> {
        let (program, index) = match guard.checked_sub(self.contacts) {
            None => (&self.gaps, guard),
            Some(event) if event < self.declared => (&self.events, event),
            Some(other) => (&self.extents, other - self.declared),
        };
        let program = program.as_ref()?;
        (index < program.len()).then(|| program.result(index))
    }

    /// All that were evaluated last.
    pub(super) fn results(&self) -> impl Iterator<Item = N> {
        self.all().flat_map(Evaluator::results)
    }
}
