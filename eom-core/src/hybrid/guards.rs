//! Guards as one list, contacts first, then declared events: their values, names and sides.

use crate::info::Direction;
use crate::system::System;

/// The guards of a system with inputs, and on which side of zero each of them is.
pub(crate) struct Guards<'a> {
    system: &'a dyn System,
    inputs: &'a [f64],
    contacts: usize,
    /// +1, −1, or 0 where the guard was zero when the side was taken. Contacts are always +1.
    sides: Vec<f64>,
    /// Contacts that are at g ≈ 0 and separating: their value there is no evidence.
    leaving: Vec<bool>,
}

impl<'a> Guards<'a> {
    pub(crate) fn new(system: &'a dyn System, inputs: &'a [f64]) -> Self {
        let info = system.info();
        let contacts = info.contacts.len();
        Self {
            system,
            inputs,
            contacts,
            sides: vec![1.0; contacts + info.events.len()],
            leaving: vec![false; contacts],
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.sides.len()
    }

    /// The index of the contact, where the guard is one.
    pub(crate) fn contact(&self, guard: usize) -> Option<usize> {
        (guard < self.contacts).then_some(guard)
    }

    /// The index of the declared event, where the guard is one.
    pub(crate) fn event(&self, guard: usize) -> Option<usize> {
        guard.checked_sub(self.contacts)
    }

    pub(crate) fn name(&self, guard: usize) -> &'static str {
        let info = self.system.info();
        match self.event(guard) {
            Some(event) => info.events[event].name,
            None => info.contacts[guard].name,
        }
    }

    /// All values at (t, q, v): gaps, then guards.
    pub(crate) fn values(&self, t: f64, y: &[f64], values: &mut [f64]) {
        let (q, v) = y.split_at(y.len() / 2);
        let (gaps, events) = values.split_at_mut(self.contacts);
        self.system.gaps(t, q, gaps);
        self.system.guards(t, q, v, self.inputs, events);
    }

    pub(crate) fn side(&self, guard: usize) -> f64 {
        self.sides[guard]
    }

    pub(crate) fn is_leaving(&self, guard: usize) -> bool {
        self.leaving.get(guard).copied().unwrap_or(false)
    }

    /// Says whether a contact is at g ≈ 0 and separating.
    pub(crate) fn set_leaving(&mut self, contact: usize, leaving: bool) {
        self.leaving[contact] = leaving;
    }

    /// After a whole step without a crossing every contact is open.
    pub(crate) fn open_all(&mut self) {
        self.leaving.fill(false);
    }

    /// Whether going from `side` to a value fires the guard.
    pub(crate) fn fires(&self, guard: usize, side: f64, value: f64) -> bool {
        let falls = side > 0.0 && value <= 0.0;
        let rises = side < 0.0 && value >= 0.0;
        match self.event(guard).map(|event| self.system.info().events[event].direction) {
            None | Some(Direction::Falling) => falls,
            Some(Direction::Rising) => rises,
            Some(Direction::Both) => falls || rises,
        }
    }

    /// Carries the sides of the declared events on to these values; a zero keeps the side.
    pub(crate) fn follow(&mut self, values: &[f64]) {
        for (side, value) in self.sides.iter_mut().zip(values).skip(self.contacts) {
            if *value != 0.0 {
                *side = value.signum();
            }
        }
    }

    /// Takes the sides of the declared events anew, as after a jump.
    pub(crate) fn reset(&mut self, values: &[f64]) {
        for (side, value) in self.sides.iter_mut().zip(values).skip(self.contacts) {
            *side = if *value == 0.0 { 0.0 } else { value.signum() };
        }
    }

    /// The declared events that fire at these values, `located` among them where it is one, in
    /// their order. Carries all sides on: an event that fired is on its other side even where its
    /// value is still zero.
    pub(crate) fn cross(&mut self, located: usize, values: &[f64]) -> Vec<usize> {
        let fired: Vec<usize> = (self.contacts..self.count())
            .filter(|&g| g == located || self.fires(g, self.sides[g], values[g]))
            .collect();
        let sides: Vec<f64> = fired.iter().map(|&guard| -self.sides[guard]).collect();
        self.follow(values);
        for (&guard, side) in fired.iter().zip(sides) {
            self.sides[guard] = side;
        }
        fired.into_iter().map(|guard| guard - self.contacts).collect()
    }
}
