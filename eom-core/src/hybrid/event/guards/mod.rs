//! Guards as one list, contacts first, then declared events, extents, friction: their values, names, sides, and
//! what of a value is rounding.
//!
//! The guard of an open contact is its gap g, that of a closed one its normal force
//!
//! ```text
//! μ + κ        κ = 0, or |μ| + 4ρ > 0 where at the closing |μ| is within ρ of zero
//! ```
//!
//! and 1 where it is *carried*: open, at g = 0, with a row that depends on those in force (`carry`). A guard is shifted
//! so that it is on its side when the contact closes, and a contact that carries no force
//! opens when it would have to pull by more than rounding. That of a term c‖w‖ of dry friction is
//!
//! ```text
//! σ w                slides, one component; σ the sign of w at the start of the arc
//! c² − ‖λ‖² + κ      sticks; smooth where c passes zero, and what is held has to give way there, however shortly
//! 1 − θ + κ          the first that sticks, where their λ are not determined, or an integral
//! ```
//!
//! with the load θ of the terms that stick (`friction`). Of a contact's friction c is μ_s times the normal force, and where the
//! forces of what sticks are not determined the first that sticks has how deep they lie in the cones, a force
//! (`contact::at_contacts`). It is 1 where the contact is open. A constraint row with friction has another,
//!
//! ```text
//! σλ + κ             slides, λ its multiplier and σ the sign with which it presses
//! ```
//!
//! shifted as the force of a closed contact is, and 1 while it sticks. That of an extent is how far the surface of its contact
//! reaches beyond the state while the contact is closed or carried (`extents`), and 1 while it is open. That of an event
//! whose guard is the gap of a contact is 1 always: it happens where the contact is struck (`struck`).

mod differences;
mod extents;
mod friction;
mod held;
mod rounding;
mod struck;

use super::scan::Side;
use crate::contact::ContactForces;
use crate::error::NotPositiveDefinite;
use crate::flow::Point;
use crate::friction::slip_state::SlipState;
use crate::info::Direction;
use crate::mode::Mode;
use crate::run::on_demand::OnDemand;
use crate::snapshot::words::part;
use crate::system::System;
use crate::trajectory::watched::Watched;
use differences::Differences;
pub(super) use held::Held;
pub(super) use rounding::underflows;

/// Units of rounding of a normal force, in the magnitudes that it is summed from.
const FORCE_ROUNDINGS: f64 = 4.0;

/// κ in units of ρ.
const FORCE_SHIFT: f64 = 4.0;

/// The least κ: where nothing accelerates, ρ is zero too, and a force of zero is not one that falls.
const LEAST_SHIFT: f64 = f64::MIN_POSITIVE / f64::EPSILON;

/// A declared event that fired is at zero within so many ρ.
pub(super) const CLEAR: f64 = 8.0;

/// On which sides of zero a guard fires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::hybrid) struct Rule(Direction);

impl Rule {
    /// Whether going from a side to a value fires.
    pub(in crate::hybrid) fn fires(self, side: f64, value: f64) -> bool {
        let falls = side > 0.0 && value <= 0.0;
        let rises = side < 0.0 && value >= 0.0;
        match self.0 {
            Direction::Falling => falls,
            Direction::Rising => rises,
            Direction::Both => falls || rises,
        }
    }
}

/// The guards of a system with inputs, and on which side of zero each of them is.
#[derive(Clone)]
pub(crate) struct Guards<'a> {
    system: &'a dyn System,
    inputs: Vec<f64>,
    /// r, by which tolerances are told from rounding.
    relative_tolerance: f64,
    contacts: usize,
    mode: Mode,
    /// Which of all modes of the run it is, with its shifts.
    number: u64,
    forces: OnDemand<'a, ContactForces>,
    /// κ of each contact.
    shifts: Vec<f64>,
    events: usize,
    /// The contact of each extent.
    extents: Vec<usize>,
    /// Whether the guard of each event holds forces, and those of the last values.
    hold_forces: Vec<bool>,
    reactions: Vec<f64>,
    slip_state: SlipState,
    /// κ of each term of friction.
    friction_shifts: Vec<f64>,
    /// κ of each row with friction.
    row_shifts: Vec<f64>,
    sides: Vec<Side>,
    /// Contacts that touch with a row that depends on those of the closed ones.
    carried: Vec<bool>,
    /// The size of each guard when it began to leave zero.
    floors: Vec<f64>,
    gradients: Vec<f64>,
    rates: Vec<f64>,
    room: Differences,
}

impl<'a> Guards<'a> {
    pub(crate) fn new(system: &'a dyn System, inputs: &[f64], relative_tolerance: f64) -> Self {
        let info = system.info();
        let (n, contacts) = (info.speeds(), info.contacts.len());
        let forces = ContactForces::on_demand(system);
        let rows = forces.made().map_or(0, |forces| forces.terms.of_signs().count());
        let extents = extents::contacts_of(info);
        let count = contacts + info.events.len() + extents.len() + info.frictions.len() + rows;
        Self {
            system,
            inputs: inputs.to_vec(),
            relative_tolerance,
            contacts,
            mode: Mode::default(),
            number: 0,
            forces,
            shifts: vec![0.0; contacts],
            carried: vec![false; contacts],
            floors: vec![0.0; count],
            events: info.events.len(),
            extents,
            hold_forces: (0..info.events.len()).map(|e| system.guard_holds_forces(e)).collect(),
            reactions: Vec::new(),
            slip_state: SlipState::default(),
            friction_shifts: vec![0.0; info.frictions.len()],
            row_shifts: vec![0.0; rows],
            sides: vec![Side { sign: 1.0, leaving: false }; count],
            gradients: vec![0.0; contacts * n],
            rates: vec![0.0; contacts],
            room: Differences::new(info.positions() + n, count),
        }
    }

    /// A run begins in free motion; nothing is left of the one before.
    pub(in crate::hybrid) fn rewind(&mut self) {
        self.sides.fill(Side { sign: 1.0, leaving: false });
        self.floors.fill(0.0);
        self.set_mode(&Mode::default(), &SlipState::default());
    }

    /// The inputs are these from here on.
    pub(in crate::hybrid) fn set_inputs(&mut self, inputs: &[f64]) {
        self.inputs.copy_from_slice(inputs);
    }

    pub(crate) fn count(&self) -> usize {
        self.sides.len()
    }

    /// The contact whose gap the guard is.
    pub(in crate::hybrid) fn gap(&self, guard: usize) -> Option<usize> {
        let open = |contact| !self.mode.is_closed(contact) && !self.carried[contact];
        (guard < self.contacts && open(guard)).then_some(guard)
    }

    /// The guard, or, of a closed contact, as many behind all guards: its force is told apart from its gap.
    pub(super) fn kind(&self, guard: usize) -> usize {
        self.force(guard).map_or(guard, |contact| self.count() + contact)
    }

    /// What a kind is of.
    pub(in crate::hybrid) fn watched(&self, kind: usize) -> Watched {
        let of_others = || {
            let row = self.row(kind).map(Watched::Row);
            let friction = self.friction(kind).map(Watched::Friction);
            friction.or(row).unwrap_or(Watched::Gap(kind))
        };
        match (kind.checked_sub(self.count()), self.event(kind), self.extent(kind)) {
            (Some(contact), ..) => Watched::Force(contact),
            (None, Some(event), _) => Watched::Event(event),
            (None, None, Some(contact)) => Watched::Extent(contact),
            (None, None, None) => of_others(),
        }
    }

    /// The contact whose normal force the guard is.
    pub(in crate::hybrid) fn force(&self, guard: usize) -> Option<usize> {
        (guard < self.contacts && self.mode.is_closed(guard)).then_some(guard)
    }

    /// Guards of closed contacts are their forces from here on, not shifted.
    pub(in crate::hybrid) fn set_mode(&mut self, mode: &Mode, slip_state: &SlipState) {
        self.mode.clone_from(mode);
        self.number += 1;
        self.slip_state.clone_from(slip_state);
        self.forces.set_slip_state(mode.sticking(), slip_state);
        self.forces.forget_rows();
        self.shifts.fill(0.0);
        self.carried.fill(false);
        self.friction_shifts.fill(0.0);
        self.row_shifts.fill(0.0);
        for &contact in mode.closed() {
            self.sides[contact] = Side { sign: 1.0, leaving: false };
        }
    }

    /// The gap of this contact stays what it is as long as the mode does: its row depends on those in force.
    pub(in crate::hybrid) fn carry(&mut self, contact: usize) {
        self.carried[contact] = true;
        self.sides[contact] = Side { sign: 1.0, leaving: false };
    }

    /// It goes on to do so.
    pub(super) fn carry_on(&mut self, contact: usize) {
        self.carried[contact] = true;
    }

    /// It does so no longer.
    pub(in crate::hybrid) fn drop(&mut self, contact: usize) {
        self.carried[contact] = false;
    }

    /// Those of these contacts whose rows depend on those in force, at a configuration.
    pub(in crate::hybrid) fn dependent(
        &mut self,
        contacts: &[usize],
        t: f64,
        (q, v): (&[f64], &[f64]),
    ) -> Result<Vec<usize>, NotPositiveDefinite> {
        if contacts.is_empty() {
            return Ok(Vec::new());
        }
        self.forces.dependent(self.system, (t, q, v), contacts, &self.mode)
    }

    /// The contacts that are carried.
    pub(in crate::hybrid) fn carried(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.contacts).filter(|contact| self.carried[*contact])
    }

    /// Whether the guard is that of a contact that is carried.
    pub(in crate::hybrid) fn is_carried(&self, guard: usize) -> bool {
        guard < self.contacts && self.carried[guard]
    }

    /// Shifts the force of a contact that has just closed, with this value and ρ. Returns the guard.
    pub(in crate::hybrid) fn shift(&mut self, contact: usize, force: f64, rounding: f64) -> f64 {
        if force <= rounding {
            self.number += 1;
            self.shifts[contact] = shift_of(force, rounding);
        }
        force + self.shifts[contact]
    }

    /// Shifts the force of a closed contact that is zero within its mode, with this value and ρ. Returns the guard.
    pub(in crate::hybrid) fn shift_again(
        &mut self,
        contact: usize,
        value: f64,
        rounding: f64,
    ) -> f64 {
        let force = value - self.shifts[contact];
        self.shift(contact, force, rounding)
    }

    /// The index of the declared event, where the guard is one.
    pub(crate) fn event(&self, guard: usize) -> Option<usize> {
        guard.checked_sub(self.contacts).filter(|event| *event < self.events)
    }

    /// The guard of a declared event.
    pub(in crate::hybrid) fn of_event(&self, event: usize) -> usize {
        self.contacts + event
    }

    pub(crate) fn name(&self, guard: usize) -> &'static str {
        let info = self.system.info();
        match (self.event(guard), self.friction(guard).or_else(|| self.row(guard))) {
            (Some(event), _) => info.events[event].name,
            (None, Some(friction)) => info.frictions[friction].name,
            (None, None) => info.contacts[self.extent(guard).unwrap_or(guard)].name,
        }
    }

    /// All values at (t, q, v): gaps or forces, then guards.
    pub(crate) fn values(&mut self, t: f64, y: &[f64], values: &mut [f64]) {
        let (q, v) = y.split_at(self.system.info().positions());
        let (gaps, others) = values.split_at_mut(self.contacts);
        let (events, others) = others.split_at_mut(self.events);
        let (extents, others) = others.split_at_mut(self.extents.len());
        let (frictions, rows) = others.split_at_mut(self.friction_shifts.len());
        if !gaps.is_empty() {
            self.system.gaps(t, q, gaps);
        }
        if self.is_pressed() {
            let solved = self.forces.solve(self.system, &self.mode, (t, q, v, &self.inputs));
            self.forces.determine(self.mode.closed());
            for &contact in self.mode.closed() {
                let force = self.forces.forces()[contact] + self.shifts[contact];
                let known = self.forces.is_determined(self.mode.closed(), contact);
                let force = if known { force } else { 1.0 };
                gaps[contact] = if solved.is_ok() { force } else { f64::NAN };
            }
        }
        for (gap, _) in gaps.iter_mut().zip(&self.carried).filter(|(_, carried)| **carried) {
            *gap = 1.0;
        }
        if self.hold_forces.contains(&true) {
            let solved = self.forces.solve(self.system, &self.mode, (t, q, v, &self.inputs));
            self.forces.determine(self.mode.closed());
            self.forces.write_all(solved, &mut self.reactions);
            let (inputs, forces) = (&self.inputs, &self.reactions);
            self.system.guards_with_forces(t, q, v, inputs, forces, events);
        } else if !events.is_empty() {
            self.system.guards(t, q, v, &self.inputs, events);
        }
        self.of_struck().for_each(|event| events[event] = 1.0);
        if !extents.is_empty() {
            self.extent_values((t, q, v), extents);
        }
        if !frictions.is_empty() {
            self.friction_values((t, q, v), frictions);
        }
        if !rows.is_empty() {
            self.row_values(rows);
        }
    }

    /// One guard, where those of its kind are written to: a gap needs no forces.
    pub(super) fn value(&mut self, guard: usize, t: f64, y: &[f64], values: &mut [f64]) -> f64 {
        if self.gap(guard).is_some() {
            let q = &y[..self.system.info().positions()];
            self.system.gaps(t, q, &mut values[..self.contacts]);
        } else {
            self.values(t, y, values);
        }
        values[guard]
    }

    /// The rounding of the force of a closed contact at the state of the last values: a few units
    /// of the magnitudes of C a₀ + γ.
    fn force_rounding(&mut self, contact: usize) -> f64 {
        let (_, size) = self.forces.gap_acceleration(contact);
        FORCE_ROUNDINGS * f64::EPSILON * size * self.forces.stiffness(contact)
    }

    /// ġ of a contact at a point: ∇g v + ∂g/∂t.
    pub(super) fn gap_rate(&mut self, contact: usize, at: &Point) -> f64 {
        let (q, v) = at.parts();
        self.system.gap_rows(at.t.high, q, &mut self.gradients, &mut self.rates);
        let gradient = self.gradients[contact * v.len()..].iter().zip(v);
        self.rates[contact] + gradient.map(|(g, v)| g * v).sum::<f64>()
    }

    pub(in crate::hybrid) fn side(&self, guard: usize) -> Side {
        self.sides[guard]
    }

    pub(in crate::hybrid) fn set_side(&mut self, guard: usize, side: Side) {
        self.sides[guard] = side;
    }

    /// When the guard fires.
    pub(in crate::hybrid) fn rule(&self, guard: usize) -> Rule {
        let events = self.system.info().events;
        Rule(self.event(guard).map_or(Direction::Falling, |event| events[event].direction))
    }

    /// The declared events that fire at these values, `located` among them where it is one, in
    /// their order. Carries all sides on, with ρ of each guard: an event that fired leaves for its
    /// other side, whatever its value within some ±ρ, of which the next step may see more.
    pub(in crate::hybrid) fn cross(
        &mut self,
        located: Option<usize>,
        values: &[f64],
        roundings: &[f64],
    ) -> Vec<usize> {
        let mut fired = Vec::new();
        for guard in self.contacts..self.contacts + self.events {
            let Side { sign, leaving } = self.sides[guard];
            let clear = values[guard].abs() > roundings[guard];
            // What is smaller than all numbers is on its side.
            let is_told = !underflows(values[guard]) || !underflows(roundings[guard]);
            let fires = self.rule(guard).fires(sign, values[guard]) && !leaving && is_told;
            self.sides[guard] = if located == Some(guard) || fires {
                fired.push(guard - self.contacts);
                self.floors[guard] = CLEAR * roundings[guard];
                Side { sign: -sign, leaving: values[guard].abs() <= CLEAR * roundings[guard] }
            } else if clear {
                Side { sign: values[guard].signum(), leaving: false }
            } else {
                Side { sign, leaving }
            };
        }
        fired
    }

    /// Takes the sides of the declared events anew, as after a jump.
    pub(in crate::hybrid) fn reset(&mut self, values: &[f64], roundings: &[f64]) {
        for guard in self.contacts..self.contacts + self.events {
            self.begin_event(guard, values[guard], roundings[guard]);
        }
    }

    /// Takes the sides of the declared events anew that have jumped to these values.
    pub(in crate::hybrid) fn jump(&mut self, before: &[f64], values: &[f64], roundings: &[f64]) {
        for guard in self.contacts..self.contacts + self.events {
            if values[guard] != before[guard] {
                self.begin_event(guard, values[guard], roundings[guard]);
            }
        }
    }

    /// Takes the sides of those anew whose guards hold forces, which have jumped with the mode.
    pub(in crate::hybrid) fn jump_with_mode(&mut self, values: &[f64], roundings: &[f64]) {
        for guard in self.with_forces().collect::<Vec<_>>() {
            self.begin_event(guard, values[guard], roundings[guard]);
        }
    }

    /// The guards of events that hold forces, which a mode has.
    pub(in crate::hybrid) fn with_forces(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.events).filter(|event| self.hold_forces[*event]).map(|event| self.of_event(event))
    }

    /// Takes the side of a declared event anew.
    fn begin_event(&mut self, guard: usize, value: f64, rounding: f64) {
        let sign = if value.abs() > rounding { value.signum() } else { 0.0 };
        self.sides[guard] = Side { sign, leaving: false };
    }

    /// An open contact that cannot fire: its gap is, or goes, to this side of zero, and it leaves
    /// g ≈ 0 where it is there.
    pub(in crate::hybrid) fn pass(&mut self, contact: usize, gap: f64, sign: f64, leaving: bool) {
        self.sides[contact] = Side { sign, leaving };
        self.floors[contact] = gap.abs();
    }

    /// A contact that leaves zero, with this gap.
    pub(in crate::hybrid) fn leave(&mut self, contact: usize, gap: f64) {
        self.set_leaving(contact, true);
        self.floors[contact] = gap.abs();
    }

    /// How far behind zero a guard that leaves it may be seen, beside its rounding: as far as it was
    /// when it began to leave.
    pub(in crate::hybrid) fn floor(&self, guard: usize) -> f64 {
        self.floors[guard]
    }

    /// A guard that leaves zero for this side, from this value.
    pub(super) fn leave_for(&mut self, guard: usize, sign: f64, value: f64) {
        self.sides[guard] = Side { sign, leaving: true };
        self.floors[guard] = value.abs();
    }

    /// A contact that leaves g ≈ 0, or one that is open.
    pub(in crate::hybrid) fn set_leaving(&mut self, contact: usize, leaving: bool) {
        self.sides[contact] = Side { sign: 1.0, leaving };
    }
}

/// By how much a guard is shifted that begins at or below zero, with this value and ρ.
fn shift_of(value: f64, rounding: f64) -> f64 {
    value.abs() + (FORCE_SHIFT * rounding).max(LEAST_SHIFT)
}

part! { Guards<'_> {
    parts: [forces, shifts, friction_shifts, row_shifts, sides, carried, floors],
    values: [mode, slip_state, number],
    room: [system, inputs, relative_tolerance, contacts, events, extents, hold_forces, reactions, gradients, rates, room],
} }
