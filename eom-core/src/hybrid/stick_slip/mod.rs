//! Dry friction in the automaton: which terms c‖w‖ stick, which slide, and in which direction.
//!
//! The method is event-driven: the terms that stick are part of the mode, their rows J a + γ = 0 and
//! w = 0 in force, so that at rest nothing creeps and nothing chatters. It is meant for few terms: a
//! body on N points passes through at most as many modes as points come to rest or give way.
//!
//! **Stopping.** For one component the guard is σw, and its root is that of any guard. A plane w
//! comes to zero without a sign, all of its motion at once, while ‖w‖ falls at a rate that stays
//! away from zero; its direction may turn faster and faster. The time that is left,
//!
//! ```text
//! τ = ‖w‖/(−d‖w‖/dt)        d‖w‖/dt = w·(J a + γ)/‖w‖
//! ```
//!
//! bounds the steps by τ/2, or τ/4, so that τ halves with each, until it is 10⁻¹² of the time: this is the
//! instant. Terms whose w ends within 10 τ end with it. The same with ‖v‖ in the metric where
//! friction is an integral: only the body as a whole can come to rest under it.
//!
//! **At an instant** Z is the set of terms with w = 0: those that stop, those that stick, others by
//! chance. v is projected on w_Z = 0; then a = argmin of the convex problem of Z with the closed
//! contacts as rows (`friction`) tells which of Z stick, J a + γ = 0, and the directions in which the
//! others leave. Contacts and friction are solved in turns until neither changes.
//!
//! **Giving way.** What sticks gives way where ‖λ‖ rises through c. Its friction does not jump: it
//! slides with u = λ/c, and so does the motion, J a + γ = 0 there. Where the λ of several terms are
//! not determined by their rows, the load θ is the guard, and the w of its maximum tells which of
//! them slide, and whither; so it is for an integral. The first step in which a plane w, or v, leaves
//! zero is made by collocation (`integrate::radau`).

pub(super) mod onset;
mod stops;
mod swinging;
mod vanishing;

use super::accumulation::flight::Flight;
use super::automaton::{Automaton, no_metric};
use super::event::{Events, Side};
use super::mode::active_contacts::ActiveContacts;
use crate::friction::slip_state::{Slide, SlipState, Terms, norm, unit};
use crate::friction::{FrictionError, Onset, load_of};
use crate::mode::Mode;
use crate::trajectory::end::End;

/// Contacts and friction are solved in turns this often.
const ROUNDS_MAX: usize = 8;

/// Where w of a load is below this part of the largest, the term does not slide.
const PIVOT: f64 = 1e-6;

/// Shorter and shorter first steps.
const LAUNCHES_MAX: usize = 10;

/// Units of rounding of a launch.
pub(super) const ROUNDINGS: f64 = 64.0;

/// The w of what comes to rest or gives way is known to so many roundings: to its root.
pub(super) const ROOT: f64 = 1e4;

/// Coming to rest changes v by no more than this part of the speeds: by what w is rounded.
const FAR: f64 = 1e-10;

/// Roots that are not told apart leave a guard within so many ρ of zero.
const NOT_TOLD: f64 = 64.0;

/// The contacts that are closed, their flights, and the terms of friction that stick.
pub(super) type Settled = (Vec<usize>, Vec<(usize, Flight)>, Vec<usize>);

/// How friction began to slide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Launched {
    /// With no step of its own.
    No,
    /// As far as a step leads.
    Whole,
    /// As far as to a stop or a sample.
    ToStop,
}

impl Automaton<'_> {
    /// Whether there is friction, or what acts with normal forces as friction does.
    pub(super) fn has_friction(&self) -> bool {
        let info = self.system.info();
        !info.frictions.is_empty() || info.has_borne_forces()
    }

    /// Whether a guard is the slip of what slides on where that touches zero: what would hold it is at its limit there, c is
    /// as large at rest, and so it would give way at once.
    pub(super) fn slides_on(&mut self, guard: usize) -> Result<bool, End> {
        let Some(term) = self.events.guards.sliding(guard) else { return Ok(false) };
        self.load_forces(0.0, &[])?;
        let terms = &self.laws.forces.terms;
        Ok(terms.at_rest(term) == terms.coefficient(term))
    }

    /// The term whose slip a guard is, where that has not left zero since it began and falls: it stops there, in less time
    /// than can be told, and would touch zero without end.
    pub(super) fn falls_back(&mut self, guard: usize) -> Result<Option<usize>, End> {
        let Some(term) = self.events.guards.sliding(guard) else { return Ok(None) };
        let Some(σ) = self.slip.state.sign(term) else { return Ok(None) };
        if !self.events.guards.side(guard).leaving {
            return Ok(None);
        }
        self.load_forces(0.0, &[])?;
        let a = &self.flow.slope()[self.flow.base.parts().0.len()..];
        let rate = self.laws.forces.terms.rate(term, a);
        let rounding = self.laws.forces.terms.rounding(term, a, &rate);
        Ok((σ * rate[0] < -rounding).then_some(term))
    }

    /// Whether some friction is an integral.
    pub(super) fn has_integral(&self) -> bool {
        self.system.info().frictions.len() > self.laws.forces.terms.count()
    }

    /// The guard of a term has fallen through zero: what slid stops, what stuck gives way.
    pub(super) fn give_way(
        &mut self,
        friction: usize,
        active: &mut ActiveContacts,
    ) -> Result<(), End> {
        if !self.mode.sticks(friction) {
            active.stopping.push(friction);
            return self.stop_beside(friction, active);
        }
        let closed = self.mode.closed().to_vec();
        self.laws.forces.set_slip_state(self.mode.sticking(), &self.slip.state);
        self.load_forces(0.0, &[])?;
        self.laws.forces.close(&closed);
        if let Some(u) = self.slip_of_what_sticks(friction) {
            active.breaking.push((friction, u));
            return Ok(());
        }
        if friction >= self.laws.forces.terms.count() {
            active.launch = Some(self.load_of_all(&closed)?);
            return Ok(());
        }
        if self.bears_nothing(friction) {
            active.breaking = self.leaves_later(friction, &closed)?;
            return Ok(());
        }
        if self.laws.forces.goes_by_cones() {
            active.breaking = self.leaving_cones(&closed, friction);
            return self.see_turning(&closed, active);
        }
        if !self.laws.forces.is_redundant() {
            active.breaking.push((friction, self.held_direction(friction)));
            return self.see_turning(&closed, active);
        }
        let load = self.laws.forces.load_ratio(&closed);
        let w = load.map_err(|error| self.impossible_friction(error))?.direction;
        let slips = |term: &usize| {
            let linear: Vec<f64> = self
                .laws
                .forces
                .terms
                .rows(*term)
                .chunks_exact(w.len())
                .map(|row| crate::linear::linalg::dot(row, &w))
                .collect();
            (*term, linear)
        };
        let slips: Vec<(usize, Vec<f64>)> = self.mode.sticking().iter().map(slips).collect();
        let largest = slips.iter().map(|(_, slip)| norm(slip)).fold(0.0, f64::max);
        active.breaking = slips
            .into_iter()
            .filter(|(_, slip)| norm(slip) > PIVOT * largest)
            .map(|(term, slip)| (term, unit(&slip)))
            .collect();
        Ok(())
    }

    /// The direction in which a term slips that sticks: its rows depend on others, which move it.
    fn slip_of_what_sticks(&mut self, friction: usize) -> Option<Vec<f64>> {
        let Events { guards, arc, .. } = &mut self.events;
        let slipping = guards.slipping(self.flow.t(), &self.flow.base.y, arc.uncertainties());
        (slipping == Some(friction)).then(|| unit(self.laws.forces.terms.w(friction)))
    }

    /// A slip without friction is brought to no rest as its guard falls through zero, and what slides with it, as a rough
    /// foot does beside a smooth one, may not have come to its own root: it stops where that cannot be told from this one.
    fn stop_beside(&mut self, friction: usize, active: &mut ActiveContacts) -> Result<(), End> {
        self.load_forces(0.0, &[])?;
        if self.laws.forces.terms.holds_by_some(friction) {
            return Ok(());
        }
        let Events { guards, values, roundings, .. } = &self.events;
        let others = (0..self.laws.forces.terms.count()).filter(|other| *other != friction);
        active.stopping.extend(others.filter(|other| {
            let guard = guards.of_friction(*other);
            guards.slips(guard) && values[guard] <= NOT_TOLD * roundings[guard]
        }));
        Ok(())
    }

    /// The direction in which friction that is an integral gives way at rest.
    fn load_of_all(&mut self, closed: &[usize]) -> Result<Vec<f64>, End> {
        let (t, system) = (self.t(), self.system);
        let q = self.flow.base.parts().0.to_vec();
        let (metric, force, rows) = self.laws.forces.whole(closed);
        let load = load_of(metric, &force, &rows, |w, f| system.dry_friction(t, &q, w, f));
        Ok(load.map_err(|error| self.impossible_friction(error))?.direction)
    }

    pub(super) fn impossible_friction(&self, error: FrictionError) -> End {
        match error {
            FrictionError::Metric(error) => no_metric(self.t(), error),
            error => End::impossible_friction(self.t(), self.system.info(), error),
        }
    }

    /// Enters the mode that follows an instant of a system with dry friction. Whether contacts are
    /// closed in it.
    pub(super) fn select_mode_with_friction(
        &mut self,
        held: &[usize],
        active: &ActiveContacts,
        jumped: bool,
    ) -> Result<bool, End> {
        let (halted, held) = self.halt_all(held.to_vec(), active)?;
        let jumped = halted || jumped;
        let (closed, flights, sticking) = self.resolve(active, &held)?;
        self.slip.since = self.t();
        let mode = Mode::new(closed).with_sticking(sticking);
        self.enter(&mode, &flights, active, jumped)?;
        Ok(!mode.closed().is_empty())
    }

    /// Z, the terms with w = 0, and all of them where an integral comes to rest. Of contacts those that touch. What came to
    /// rest or gave way before a jump does so only if that has left it there.
    pub(super) fn held(&mut self, active: &mut ActiveContacts) -> Result<Vec<usize>, End> {
        self.laws.forces.set_slip_state(&[], &SlipState::default());
        self.load_forces(0.0, &[])?;
        if active.launch.is_some() {
            return Ok(Vec::new());
        }
        self.pass_vanishing_rows(active)?;
        let v = self.flow.base.parts().1.to_vec();
        let speed = self.laws.forces.norm(&v).max(self.laws.probe.speed());
        let jumped = self.records.jumps != active.jumps;
        let widening = if active.starts { active.widening() } else { 1.0 };
        // |w| in units of its rounding.
        let mut sizes = Vec::new();
        for term in 0..self.laws.forces.terms.count() {
            sizes.push(self.laws.forces.slip_size(term, &v, speed) / widening);
        }
        active.slipping = (0..sizes.len()).filter(|term| sizes[*term] > ROOT).collect();
        if jumped {
            let slipping = active.slipping.clone();
            active.jumped_to(&slipping);
        }
        let terms = &self.laws.forces.terms;
        let holds = |term: &usize| {
            let stands = self.mode.sticks(*term) && !jumped || active.stopping.contains(term);
            let is_still = stands || sizes[*term].is_nan() || sizes[*term] <= 1.0;
            is_still && may_hold(terms, *term, active)
        };
        let mut held: Vec<usize> = (0..sizes.len()).filter(holds).collect();
        let points = self.laws.forces.terms.count();
        let rests = self.has_integral() && active.stopping.contains(&points);
        held.extend(rests.then_some(points));
        Ok(held)
    }

    /// Brings v to w = 0 of these terms, and finds those that have come to it with them, where nothing else is left to move;
    /// true where v was not there.
    pub(super) fn halt_all(
        &mut self,
        mut held: Vec<usize>,
        active: &ActiveContacts,
    ) -> Result<(bool, Vec<usize>), End> {
        if !self.halt(&held, active)? {
            return Ok((false, held));
        }
        self.load_forces(0.0, &[])?;
        let v = self.flow.base.parts().1.to_vec();
        let terms = &self.laws.forces.terms;
        let rests = |term: &usize| {
            let w = terms.w(*term);
            norm(w) <= terms.rounding(*term, &v, w) && may_hold(terms, *term, active)
        };
        let with_them: Vec<usize> =
            (0..terms.count()).filter(|term| !held.contains(term)).filter(rests).collect();
        held.extend(with_them);
        held.sort_unstable();
        Ok((true, held))
    }

    /// Brings v to w = 0 of these terms, but of those which nothing holds; true where it was not. The row of a contact may be all
    /// but that of another, and tells with it of something else that it stands still: one that separates says nothing then.
    fn halt(&mut self, held: &[usize], active: &ActiveContacts) -> Result<bool, End> {
        // Behind the terms is what comes to rest without one: all does.
        if held.last().is_some_and(|last| *last >= self.laws.forces.terms.count()) {
            return self.halt_by(held, active);
        }
        let (before, separating) = (self.flow.base.state(), self.separating(active)?);
        let contact = |term: usize| self.laws.forces.terms.contact(term);
        let parts = |term: &usize| contact(*term).is_some_and(|c| separating.contains(&c));
        let others: Vec<usize> = held.iter().copied().filter(|term| !parts(term)).collect();
        let halted = self.halt_by(held, active)?;
        if !halted || others.len() == held.len() {
            return Ok(halted);
        }
        let change: Vec<f64> =
            self.flow.base.parts().1.iter().zip(&before.v).map(|(v, w)| v - w).collect();
        let speed = self.laws.forces.norm(&before.v).max(self.laws.probe.speed());
        if self.laws.forces.norm(&change) <= FAR * speed {
            return Ok(true);
        }
        self.records.jumps -= 1;
        let mode = Mode::new(self.kept(active));
        self.flow.set_mode(&mode, &SlipState::default());
        self.flow.jump(&before.q, &before.v).map_err(|stuck| stuck.end(before.t))?;
        self.halt_by(&others, active)
    }

    /// The contacts that stay closed beside what comes to rest: that keeps what presses on it, and its slip is zero as its own is.
    fn kept(&self, active: &ActiveContacts) -> Vec<usize> {
        let keeps = self.records.jumps == active.jumps;
        if keeps { self.mode.closed().to_vec() } else { Vec::new() }
    }

    /// The same by the rows of these terms.
    fn halt_by(&mut self, held: &[usize], active: &ActiveContacts) -> Result<bool, End> {
        let points = self.laws.forces.terms.count();
        let is_held = |term: &usize| *term >= points || !self.laws.forces.is_undone(*term);
        let held: Vec<usize> = held.iter().copied().filter(is_held).collect();
        let held = &held[..];
        let (t, state) = (self.t(), self.flow.base.state());
        let closed = self.kept(active);
        let rest = vec![0.0; state.v.len()];
        let target = if held.last().is_some_and(|last| *last >= points) {
            rest
        } else {
            let jumped = self.records.jumps != active.jumps;
            let moves = |term: &&usize| !self.mode.sticks(**term) || jumped;
            let moved = held.iter().filter(moves);
            if moved.map(|term| norm(self.laws.forces.terms.w(*term))).all(|speed| speed == 0.0) {
                return Ok(false);
            }
            self.laws.forces.set_slip_state(held, &SlipState::default());
            self.load_forces(0.0, &[])?;
            self.laws.forces.close(&closed);
            let stops =
                self.laws.forces.is_pinned() && self.laws.forces.rests(self.system, t, &state.q);
            if stops { rest } else { state.v.clone() }
        };
        let mode = Mode::new(closed).with_sticking(held.to_vec());
        self.flow.set_mode(&mode, &SlipState::default());
        self.flow.jump(&state.q, &target).map_err(|stuck| stuck.end(t))?;
        self.records.jumps += 1;
        Ok(true)
    }

    /// The touching contacts whose gaps open.
    fn separating(&mut self, active: &ActiveContacts) -> Result<Vec<usize>, End> {
        let mut separating = Vec::new();
        for contact in active.contacts() {
            let gap = self.rate_at_instant(contact, active)?;
            separating.extend((gap.rate > gap.tolerance).then_some(contact));
        }
        Ok(separating)
    }

    /// Contacts and friction in turns.
    fn resolve(&mut self, active: &ActiveContacts, held: &[usize]) -> Result<Settled, End> {
        let mut sticking = held.to_vec();
        let mut before: Option<Vec<usize>> = None;
        self.laws.forces.set_slip_state(held, &SlipState::default());
        self.load_forces(0.0, &[])?;
        let slides = self.slides(active, held, None);
        self.slip.state = SlipState { slides, ..SlipState::default() };
        for _ in 0..ROUNDS_MAX {
            self.laws.forces.set_slip_state(&sticking, &self.slip.state);
            let (closed, flights) = self.closed_contacts(active)?;
            if before.as_ref() == Some(&closed) {
                return Ok((closed, flights, sticking));
            }
            self.laws.forces.set_slip_state(held, &self.slip.state);
            self.load_forces(0.0, &[])?;
            sticking = self.friction(active, held, &closed)?;
            before = Some(closed);
        }
        let carried = self.carried(active, held)?;
        carried.ok_or(End::ImpossibleFriction { t: self.t(), friction: None, error: None })
    }

    /// How each term slides: as it gives way, with the rate of the onset, or as it did.
    pub(super) fn slides(
        &self,
        active: &ActiveContacts,
        held: &[usize],
        onset: Option<&Onset>,
    ) -> Vec<Option<Slide>> {
        let terms = &self.laws.forces.terms;
        let v = self.flow.base.parts().1;
        let direction = |term: usize| -> Option<Vec<f64>> {
            if let Some((_, direction)) = active.breaking.iter().find(|b| b.0 == term) {
                return Some(direction.clone());
            }
            let w = terms.w(term);
            match (held.iter().position(|held| *held == term), onset) {
                (Some(index), Some(onset)) if !onset.sticks[index] => {
                    Some(unit(&onset.rates[index]))
                }
                (None, _) if w.len() == 1 && w[0] != 0.0 => Some(vec![w[0].signum()]),
                _ => None,
            }
        };
        let slide = |term: usize| -> Option<Slide> {
            let direction = direction(term)?;
            let floor = terms.rounding(term, v, terms.w(term));
            let begins = active.breaking.iter().any(|(breaking, _)| *breaking == term);
            let floor = if begins { floor.max(norm(terms.w(term))) } else { floor };
            let growth = terms.rounding(term, self.laws.forces.free(), terms.drift(term));
            Some(Slide { direction, turning: Vec::new(), since: self.t(), floor, growth })
        };
        (0..terms.count()).map(slide).collect()
    }

    /// Whether friction in a plane, or that is an integral, begins to slide at the base point.
    fn starts_sliding(&self) -> bool {
        if !self.has_friction() {
            return false;
        }
        let (t, v) = (self.t(), self.flow.base.parts().1);
        let terms = &self.laws.forces.terms;
        let acts = |term: &usize| terms.acts(*term, self.mode.closed());
        let plane = (0..terms.count()).filter(|term| terms.w(*term).len() > 1).filter(acts);
        let mut begins = plane.filter(|term| {
            let known = self.slip.state.slides.get(*term).is_some_and(Option::is_some);
            known && self.slip.state.is_leaving(*term, t, norm(terms.w(*term)))
        });
        begins.next().is_some() || self.slip.state.starts_sliding(t, v)
    }

    /// Whether friction in a plane began to slide so short a time ago that its direction is hardly told by its slip, as where a stop
    /// has cut its first step short.
    fn has_just_begun(&self) -> bool {
        let t = self.t();
        let slides = self.slip.state.slides.iter().flatten();
        let mut planes = slides.filter(|slide| slide.direction.len() > 1);
        planes.any(|slide| (t - slide.since) <= ROUNDINGS * f64::EPSILON * t.abs())
    }

    /// Whether friction began to slide with a step of its own. Where no such step is accurate, since its direction turns
    /// far faster than it slides, or none that leads away from rounding, implicit steps begin it.
    pub(super) fn begins_to_slide(&mut self, longest: f64) -> Result<bool, End> {
        let since = Some(self.slip.since);
        if self.slip.by_steps == since || !(self.starts_sliding() || self.has_just_begun()) {
            return Ok(false);
        }
        let launched = self.launch(longest)?;
        self.load_forces(0.0, &[])?;
        // One that a stop or a sample has cut short goes on behind that.
        if launched != Launched::ToStop && (launched == Launched::No || self.starts_sliding()) {
            self.slip.by_steps = since;
            self.flow.insist();
        }
        Ok(launched != Launched::No)
    }

    /// The step with which friction begins to slide, where there is one that is accurate and in which no guard comes near zero.
    fn launch(&mut self, longest: f64) -> Result<Launched, End> {
        let t = self.t();
        let to_end = self.until().map_or(f64::INFINITY, |end| self.flow.base.t.until(end));
        let mut longest = longest;
        for _ in 0..LAUNCHES_MAX {
            let Some(h) = self.flow.launch(longest).map_err(|stuck| stuck.end(t))? else {
                return Ok(Launched::No);
            };
            if !self.is_clear_of_guards() {
                longest = 0.25 * h;
                continue;
            }
            let is_cut = match self.sample_launch(h)? {
                None => h == to_end,
                Some(shorter) => {
                    longest = shorter;
                    continue;
                }
            };
            self.records.stats.steps += 1;
            self.enter_step(h, h);
            self.flow.cut().map_err(|stuck| stuck.end(t))?;
            self.evaluate_guards()?;
            self.keep_sample();
            return Ok(if is_cut { Launched::ToStop } else { Launched::Whole });
        }
        Ok(Launched::No)
    }

    /// Whether no guard has come near zero at the end of the last trial, by its values at both ends.
    fn is_clear_of_guards(&mut self) -> bool {
        let mut there = vec![0.0; self.events.guards.count()];
        self.events.guards.values(self.flow.next.t.high, &self.flow.next.y, &mut there);
        (0..there.len()).all(|guard| {
            let Side { sign, leaving } = self.events.guards.side(guard);
            let (here, there) = (sign * self.events.values[guard], sign * there[guard]);
            // A gap that is left at zero, as that of a surface which ends before it, stays there to rounding.
            let left = self.events.guards.floor(guard) + self.events.roundings[guard];
            sign == 0.0 || if leaving { there >= -left } else { there > 0.5 * here && there > 0.0 }
        })
    }

    /// Places the guards of friction on their sides, in a mode just entered.
    pub(super) fn begin_frictions(&mut self) {
        for friction in 0..self.system.info().frictions.len() {
            let guard = self.events.guards.of_friction(friction);
            let (value, rounding) = (self.events.values[guard], self.events.roundings[guard]);
            self.events.values[guard] =
                self.events.guards.begin_friction(friction, value, rounding);
        }
        for guard in self.events.guards.of_rows() {
            let (value, rounding) = (self.events.values[guard], self.events.roundings[guard]);
            self.events.values[guard] = self.events.guards.begin_row(guard, value, rounding);
        }
    }
}

/// Whether a term may hold: its contact touches, it does not give way, and it has friction, or may come to have some.
fn may_hold(terms: &Terms, term: usize, active: &ActiveContacts) -> bool {
    let touches = terms.contact(term).is_none_or(|contact| active.at_zero[contact]);
    let breaks = active.breaking.iter().any(|(breaking, _)| *breaking == term);
    touches && !breaks && terms.may_hold(term)
}
