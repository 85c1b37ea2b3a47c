//! The mode after an instant: which of the touching contacts are closed from here on.
//!
//! A contact that separates, ġ > ε, leaves, unless its flight is below what can be told (`zeno`).
//! For the others, with ġ ≈ 0, the closed ones S are those that bear a force:
//!
//! ```text
//! g̈ᵢ = 0,  μᵢ ≥ 0    i ∈ S          g̈ⱼ ≥ 0    j ∉ S
//! ```
//!
//! the largest such set (`admissible`); the accelerations are those of every such set, since they
//! are the minimum of a convex function (Gauss's principle). Zero is told up to τ times the
//! magnitudes that a number is summed from, τ = 10³ relative tolerances, at least 10⁻¹¹. A contact
//! with μ within that of zero is closed, unless μ falls: then it opens at this instant. One whose
//! force has just fallen through zero opens; of several at one time only those do whose g̈ grows.

use super::active_contacts::ActiveContacts;
use super::admissible::{Complementarity, FEW, largest};
use crate::contact::ContactForces;
use crate::contact::rows::{Rows, Slack};
use crate::error::ImpactError;
use crate::hybrid::accumulation::flight::Flight;
use crate::hybrid::automaton::{Automaton, no_metric};
use crate::hybrid::event::Events;
use crate::hybrid::impacts::laws::Laws;
use crate::impact::{RATE_TOLERANCE, STOPPED};
use crate::linear::linalg::dot;
use crate::mode::Mode;
use crate::trajectory::end::End;
use crate::trajectory::event::EventKind;

/// The part of a step over which a force is differenced.
const DIFFERENCE: f64 = 1e-3;

/// τ in units of the relative tolerance, and its least value.
const TOLERANCES: f64 = 1e3;
const ZERO_MIN: f64 = 1e-11;

/// Units of rounding of a force.
const ROUNDINGS: f64 = 16.0;

/// What grows by this part of what grows beside it does not: the terms of forces may cancel where those of contacts end.
const SLIGHT: f64 = 1e-8;

/// Contacts whose flight cannot be told from none.
type Flights = Vec<(usize, Flight)>;

impl Automaton<'_> {
    /// Enters the mode that follows, after an instant that has changed the state or not.
    pub(in crate::hybrid) fn select_mode(
        &mut self,
        active: &ActiveContacts,
        jumped: bool,
    ) -> Result<(), End> {
        let (mut active, mut jumped, mut turns) = (active.clone(), jumped, 0);
        loop {
            let moved = self.is_moving();
            match self.select_mode_once(&mut active, jumped) {
                Ok(true) => {}
                Ok(false) => break,
                Err(end) => {
                    self.impact_without_collision(end, &mut active)?;
                    jumped = true;
                    continue;
                }
            }
            // Closing contacts has taken away rates that cannot be told, and others close by as much.
            let mut pushed = Vec::new();
            for contact in active.contacts() {
                let gap = active.widened(self.gap_rate(contact)?);
                let known = self.mode.is_closed(contact) || active.pushed.contains(&contact);
                if gap.rate < -gap.tolerance && !known {
                    pushed.push(contact);
                }
            }
            if pushed.is_empty() && !self.has_turned(moved, &active.slipping, &mut turns)? {
                break;
            }
            active.pushed.extend(pushed);
            jumped = true;
        }
        self.rest();
        Ok(())
    }

    /// Enters the mode that follows. Whether this has changed velocities.
    fn select_mode_once(&mut self, active: &mut ActiveContacts, jumped: bool) -> Result<bool, End> {
        if self.has_friction() {
            let held = self.held(active)?;
            if self.has_contact_friction() || self.may_share(&held, active) {
                return self.select_mode_at_contacts(held, active, jumped);
            }
            return self.select_mode_with_friction(&held, active, jumped);
        }
        let (closed, flights) = self.closed_contacts(active)?;
        if closed.is_empty() && self.mode.is_free() {
            self.let_go(active);
            if self.events.guards.with_forces().next().is_some() {
                self.evaluate_guards()?;
            }
            return Ok(false);
        }
        self.enter(&Mode::new(closed), &flights, active, jumped)?;
        Ok(true)
    }

    /// S, and the flights of those of its contacts that would separate.
    pub(in crate::hybrid) fn closed_contacts(
        &mut self,
        active: &ActiveContacts,
    ) -> Result<(Vec<usize>, Flights), End> {
        let (mut resting, mut separating) = (Vec::new(), Vec::new());
        for contact in active.contacts() {
            let gap = self.rate_at_instant(contact, active)?;
            if active.opening.contains(&contact) {
                separating.push((contact, 0.0));
            } else if gap.rate <= gap.tolerance || active.pushed.contains(&contact) {
                resting.push(contact);
            } else {
                separating.push((contact, gap.rate));
            }
        }
        let mut flights = Vec::new();
        if resting.is_empty() && separating.is_empty() && active.held.is_none() {
            return Ok((resting, flights));
        }
        let mut closed = self.admissible(&mut resting, active)?;
        separating.retain(|(contact, _)| !resting.contains(contact));
        loop {
            // A contact that opens, with g̈ ≈ 0, may be driven back by those that close.
            let mut below = Vec::new();
            for &(contact, rate) in &separating {
                let (acceleration, size) = self.acceleration_with(contact, &closed);
                let falls = acceleration < -self.zero() * size;
                let flight = falls.then(|| self.unresolved_flight(contact, rate, -acceleration));
                below.extend(flight.flatten().map(|flight| (contact, flight)));
            }
            if below.is_empty() {
                return Ok((closed, flights));
            }
            separating.retain(|(contact, _)| below.iter().all(|flight| flight.0 != *contact));
            resting.extend(below.iter().map(|(contact, _)| contact));
            resting.sort_unstable();
            flights.extend(below);
            closed = self.admissible(&mut resting, active)?;
        }
    }

    /// S of the contacts with ġ ≈ 0. Those whose force is zero and falls are taken out of them, and of several that open
    /// those come back whose g̈ stays zero without the others.
    fn admissible(
        &mut self,
        resting: &mut Vec<usize>,
        active: &ActiveContacts,
    ) -> Result<Vec<usize>, End> {
        let (mut opening, mut stay) = (active.opening.clone(), Vec::new());
        loop {
            let set = self.admissible_of(resting, &stay, active)?;
            if let Some(falling) = self.falling(&set, &stay)? {
                resting.retain(|contact| *contact != falling);
                opening.push(falling);
                continue;
            }
            let left = resting.iter().filter(|c| self.mode.is_closed(**c) && !set.contains(c));
            let open: Vec<usize> = left.chain(&opening).copied().collect();
            let Some(staying) = self.staying(&open, &set, &stay)? else { return Ok(set) };
            opening.retain(|contact| *contact != staying);
            stay.push(staying);
            resting.retain(|contact| *contact != staying);
            resting.push(staying);
            resting.sort_unstable();
        }
    }

    /// S of the contacts with ġ ≈ 0, with those that stay.
    fn admissible_of(
        &mut self,
        resting: &[usize],
        stay: &[usize],
        active: &ActiveContacts,
    ) -> Result<Vec<usize>, End> {
        if resting.is_empty() && self.mode.is_free() && active.held.is_none() {
            // What was closed before, in a round before friction was known, is so no more.
            if !self.laws.forces.is_plain() {
                self.laws.forces.close(&[]);
            }
            return Ok(Vec::new());
        }
        self.load_forces(0.0, &[])?;
        let (zero, forces) = (self.zero(), &mut self.laws.forces);
        let rounding = RATE_TOLERANCE * forces.scale();
        let set = if let Some(held) = &active.held {
            Ok(self.with_friction(resting, held, active)?)
        } else if resting.len() > FEW {
            largest(resting, &mut Pressing { forces, stay, zero, rounding })
        } else {
            largest(resting, &mut Pressing { forces, stay, zero, rounding: 0.0 })
                .or_else(|_| largest(resting, &mut Pressing { forces, stay, zero, rounding }))
        };
        set.map_err(|why| self.impossible(resting.iter().copied(), why))
    }

    /// The first contact of the set, which is closed, whose force is zero and falls, but for those that stay.
    fn falling(&mut self, set: &[usize], stay: &[usize]) -> Result<Option<usize>, End> {
        let zero = self.zero();
        for &contact in set.iter().filter(|contact| !stay.contains(contact)) {
            let size =
                self.laws.forces.gap_acceleration(contact).1 * self.laws.forces.stiffness(contact);
            if self.laws.forces.forces()[contact] > zero * size {
                continue;
            }
            let change = self.change(set, |forces| forces.forces()[contact])?;
            if change < -ROUNDINGS * f64::EPSILON * size {
                return Ok(Some(contact));
            }
        }
        Ok(None)
    }

    /// The first of several contacts that open whose g̈, in the metric, is zero and does not grow beside that of another, with
    /// this set closed: what presses it has gone with what pressed the other, and its bodies move on side by side.
    fn staying(
        &mut self,
        open: &[usize],
        set: &[usize],
        stay: &[usize],
    ) -> Result<Option<usize>, End> {
        if open.len() < 2 {
            return Ok(None);
        }
        self.load_forces(0.0, &[])?;
        self.laws.forces.close_determined(set);
        let (zero, mut size, mut rates) = (self.zero(), 0.0_f64, Vec::with_capacity(open.len()));
        for &contact in open {
            let unit = self.laws.forces.stiffness(contact).sqrt();
            let (acceleration, magnitude) = self.laws.forces.gap_acceleration(contact);
            size = size.max(magnitude * unit);
            let growth = self.change(set, |forces| forces.gap_acceleration(contact).0)?;
            rates.push([acceleration.abs() * unit, growth * unit]);
        }
        let most = rates.iter().fold(0.0, |most: f64, [_, growth]| most.max(*growth));
        let least = f64::max(ROUNDINGS * f64::EPSILON * size, SLIGHT * most);
        let is_slight = |[acceleration, growth]: &[f64; 2]| {
            *acceleration <= least.max(zero * size) && *growth <= least
        };
        let mut slight = open.iter().zip(&rates).filter(|(_, rates)| is_slight(rates));
        let staying = slight.find(|(contact, _)| !stay.contains(contact));
        Ok(staying.filter(|_| most > least).map(|(contact, _)| *contact))
    }

    /// By how much a number of the forces changes along the motion over a part of a step to both sides, with this set, which
    /// is closed.
    fn change(
        &mut self,
        set: &[usize],
        number: impl Fn(&mut ContactForces) -> f64,
    ) -> Result<f64, End> {
        let ε = DIFFERENCE * self.flow.step_size();
        let slope = self.laws.forces.accelerations().to_vec();
        let mut number_at = |ε: f64| -> Result<f64, End> {
            self.load_forces(ε, &slope)?;
            self.laws.forces.close_determined(set);
            Ok(number(&mut self.laws.forces))
        };
        let change = number_at(ε)? - number_at(-ε)?;
        self.load_forces(0.0, &[])?;
        self.laws.forces.close_determined(set);
        Ok(change)
    }

    /// Evaluates the system for forces at the base point, or at ε times its slope from there: with
    /// these accelerations.
    pub(in crate::hybrid) fn load_forces(
        &mut self,
        ε: f64,
        accelerations: &[f64],
    ) -> Result<(), End> {
        let t = self.t();
        let Self { system, flow, laws, inputs, .. } = self;
        let (q, v) = flow.base.parts();
        if ε == 0.0 {
            let loaded = laws.forces.load(*system, (t, q, v, inputs.as_slice()));
            return loaded.map_err(|error| no_metric(t, error));
        }
        let (mut q, mut v) = (q.to_vec(), v.to_vec());
        let mut rates = vec![0.0; q.len()];
        system.rates(t, &q, &v, &mut rates);
        q.iter_mut().zip(rates).for_each(|(q, rate)| *q += ε * rate);
        v.iter_mut().zip(accelerations).for_each(|(v, a)| *v += ε * a);
        let point = (t + ε, q.as_slice(), v.as_slice(), inputs.as_slice());
        laws.forces.load(*system, point).map_err(|error| no_metric(t, error))
    }

    /// What of a sum counts as zero, as a part of its terms.
    pub(in crate::hybrid) fn zero(&self) -> f64 {
        (TOLERANCES * self.options.relative_tolerance).max(ZERO_MIN)
    }

    /// g̈ of an open contact with these contacts closed, and its magnitude. In the free mode it is
    /// that of the flow.
    fn acceleration_with(&mut self, contact: usize, closed: &[usize]) -> (f64, f64) {
        if closed.is_empty() && self.mode.is_free() && self.laws.forces.is_plain() {
            let acceleration = self.gap_acceleration(contact);
            return (acceleration, acceleration.abs());
        }
        self.laws.forces.gap_acceleration(contact)
    }

    /// Contacts that a run starts in hold their rows; after an impact the rest of a slip is taken
    /// away as by another, plastic one.
    fn check_slip(&mut self) -> Result<(), End> {
        let t = self.t();
        let slip = self.flow.slip(self.options.start_tolerance);
        let Some((contact, row, rate)) = slip.map_err(|error| no_metric(t, error))? else {
            return Ok(());
        };
        let info = &self.system.info().contacts[contact];
        let error = ImpactError::Slips { row: info.rows[row].name, rate };
        Err(End::ImpossibleImpact { t, contact: info.name, error })
    }

    /// Makes a mode that of the flow and of the guards, and records what opens and closes.
    pub(in crate::hybrid) fn enter(
        &mut self,
        mode: &Mode,
        flights: &[(usize, Flight)],
        active: &ActiveContacts,
        jumped: bool,
    ) -> Result<(), End> {
        let (t, before, old) = (self.t(), self.flow.base.state(), self.mode.clone());
        let closing: Vec<usize> =
            mode.closed().iter().copied().filter(|c| !old.is_closed(*c)).collect();
        self.swing(active);
        self.flow.set_mode(mode, &self.slip.state);
        self.events.guards.set_mode(mode, &self.slip.state);
        self.laws.forces.set_slip_state(mode.sticking(), &self.slip.state);
        self.mode.clone_from(mode);
        if active.starts && !jumped {
            self.check_slip()?;
        }
        if jumped || !closing.is_empty() {
            let v = self.landed(mode, (flights, active), &before)?;
            self.flow.jump(&before.q, &v).map_err(|stuck| stuck.end(t))?;
            self.stop()?;
            self.records.jumps += 1;
            self.begin_beside_what_sticks(mode, active)?;
        } else {
            self.restart()?;
            // What holds from here on had no slip to the last digit, and may have speeds that are rounding.
            if mode.sticking().iter().any(|term| !old.sticks(*term)) {
                self.stop()?;
            }
        }
        self.evaluate_guards()?;
        self.let_go(active);
        if jumped || *mode != old {
            let Events { guards, values, roundings, .. } = &mut self.events;
            guards.jump_with_mode(values, roundings);
        }
        for &contact in mode.closed() {
            self.events.values[contact] = self.events.guards.shift(
                contact,
                self.events.values[contact],
                self.events.roundings[contact],
            );
        }
        self.begin_frictions();
        self.carry(active)?;
        self.begin_extents();
        if *mode == old {
            return Ok(());
        }
        self.records.enter(t, mode);
        self.forget_opened();
        for &contact in old.closed().iter().filter(|c| !mode.is_closed(**c)) {
            self.record(EventKind::Opening { contact }, &before)?;
        }
        for &(contact, flight) in flights {
            if !active.collapses && !self.awaits_end(contact) {
                self.await_accumulation(contact, flight, closing.contains(&contact))?;
            }
        }
        for contact in closing {
            if !self.awaits_end(contact) && !active.starts_closed(contact) {
                self.record(EventKind::Closing { contact }, &before)?;
            }
        }
        if active.starts {
            return Ok(());
        }
        for friction in 0..self.system.info().frictions.len() {
            match (old.sticks(friction), mode.sticks(friction)) {
                (false, true) => self.record(EventKind::Stick { friction }, &before)?,
                // What opens has no friction that could slide.
                (true, false) if self.acts(friction, mode) => {
                    self.record(EventKind::Slip { friction }, &before)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Contacts that touch and are not closed leave from where they are: closing others may have moved them by rounding.
    fn let_go(&mut self, active: &ActiveContacts) {
        for contact in active.contacts().filter(|contact| !self.mode.is_closed(*contact)) {
            self.events.guards.leave(contact, self.events.values[contact]);
        }
        self.let_go_of_ended(active);
    }

    /// Where the rows in force allow v = 0, a velocity becomes zero that is rounding of those of this
    /// instant, and so does one to which they leave no direction.
    pub(in crate::hybrid) fn stop(&mut self) -> Result<(), End> {
        let state = self.flow.base.state();
        let rests = self.laws.forces.rests(self.system, state.t, &state.q);
        self.load_forces(0.0, &[])?;
        let fixed = rests && self.laws.forces.are_fixed(self.mode.closed());
        if !fixed || state.v.iter().all(|v| *v == 0.0) {
            return Ok(());
        }
        let small = STOPPED * f64::EPSILON * self.laws.probe.speed();
        let pinned = self.laws.forces.close(self.mode.closed()) && self.laws.forces.is_pinned();
        if !pinned && self.laws.forces.norm(&state.v) > small {
            return Ok(());
        }
        let rest = vec![0.0; state.v.len()];
        self.flow.jump(&state.q, &rest).map_err(|stuck| stuck.end(state.t))
    }

    /// g̈ = ∇g·v̇ + γ of an open contact along the flow from the base point.
    pub(in crate::hybrid) fn gap_acceleration(&mut self, contact: usize) -> f64 {
        let t = self.t();
        let Self { system, flow, laws: Laws { probe, .. }, .. } = self;
        let (q, v) = flow.base.parts();
        let slope = &flow.slope()[q.len()..];
        let (gradient, drift) = probe.drift(*system, contact, t, q, v);
        dot(gradient, slope) + drift
    }
}

/// The complementarity of accelerations and normal forces; zero is told up to this part of magnitudes. What is
/// zero but for the rounding of others, as of boxes side by side that are not pushed, has no magnitude of its
/// own: of many contacts, and where no set of a few is found, zero is also told up to ‖∇g‖ times the rounding
/// of ‖a₀‖.
struct Pressing<'f> {
    forces: &'f mut ContactForces,
    /// Contacts whose forces are rounding of terms that cancel.
    stay: &'f [usize],
    zero: f64,
    rounding: f64,
}

impl Pressing<'_> {
    /// What of g̈ is zero.
    fn zero_of(&mut self, contact: usize, size: f64) -> f64 {
        let rest = if self.rounding == 0.0 {
            0.0
        } else {
            self.rounding / self.forces.stiffness(contact).sqrt()
        };
        self.zero * size + rest
    }
}

impl Complementarity for Pressing<'_> {
    fn act(&mut self, set: &[usize]) -> bool {
        self.forces.close(set)
    }

    fn is_consistent(&mut self, contact: usize, set: &[usize]) -> bool {
        let (acceleration, size) = self.forces.gap_acceleration(contact);
        let zero = self.zero_of(contact, size);
        if set.contains(&contact) {
            let least = -zero * self.forces.stiffness(contact);
            self.stay.contains(&contact) || self.forces.forces()[contact] >= least
        } else {
            acceleration >= -zero
        }
    }

    fn slack(&mut self, contact: usize) -> Slack {
        let (value, size) = self.forces.gap_acceleration(contact);
        Slack { contact, value, tolerance: self.zero_of(contact, size) }
    }

    fn rows(&mut self) -> &mut Rows {
        self.forces.rows_of_none()
    }
}
