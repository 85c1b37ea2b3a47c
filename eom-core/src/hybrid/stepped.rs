//! A run by time stepping: pairs of steps beside one step of the twin, up to its end, a target or a declared event.
//!
//! ```text
//! H ← 2h, or what is missing to the end or the target
//! H ← the time of the first event in it, by steps that look ahead and linear interpolation
//! twin: one step H;  run: two steps H/2;  their difference is the estimate
//! the event: its reset, of both
//! ```

use super::automaton::Automaton;
use super::instant::SIMULTANEOUS_TIMES;
use crate::mode::Mode;
use crate::moreau::Stepping;
use crate::state::State;
use crate::system::kinematics::normalise;
use crate::trajectory::end::End;
use crate::trajectory::event::{Event, EventKind};

/// What is left to a stop is one pair of steps where it is longer than one by no more than this part.
const LONGER: f64 = 1e-9;

/// An event that is due after so long.
#[derive(Debug, Clone, Copy)]
struct Due {
    after: f64,
    event: usize,
}

impl Automaton<'_> {
    /// Whether it goes by time steps.
    pub(crate) fn is_stepping(&self) -> bool {
        self.stepping.get().is_some()
    }

    /// Does something with the steps of the run.
    fn with_steps<T: Default>(
        &mut self,
        act: impl FnOnce(&mut Self, &mut Stepping<'_>) -> Result<T, End>,
    ) -> Result<T, End> {
        let Some(mut stepping) = self.stepping.take() else { return Ok(T::default()) };
        let outcome = act(self, &mut stepping);
        self.stepping.put(stepping);
        outcome
    }

    /// The run is at its start, or at a state that it was given.
    pub(super) fn begin_stepping(&mut self) -> Result<(), End> {
        self.restart()?;
        let t = self.t();
        self.with_steps(|run, stepping| {
            let (q, v) = run.flow.reported_parts();
            stepping.place(t, q, v);
            run.evaluate_events(stepping)?;
            let Stepping { sides, guards: [guards, _], .. } = stepping;
            sides.iter_mut().zip(guards).for_each(|(side, guard)| *side = sign(*guard));
            Ok(())
        })
    }

    /// A pair of steps, to the first declared event in it.
    pub(super) fn step_in_time(&mut self) -> Result<(), End> {
        let (t, stop) = (self.t(), self.until());
        let remaining = stop.map_or(f64::INFINITY, |stop| self.flow.base.t.until(stop));
        if remaining <= 0.0 {
            if stop == self.options.until_time {
                self.with_steps(|run, stepping| run.strike_at_end(stepping, stop))?;
            }
            return Err(End::ReachedTime { t });
        }
        if self.records.stats.steps >= self.options.steps_max {
            return Err(End::StepBudget { t, steps: self.records.stats.steps });
        }
        self.with_steps(|run, stepping| {
            let pair = 2.0 * stepping.size();
            let whole = if remaining <= pair * (1.0 + LONGER) { remaining } else { pair };
            let due = run.first_due(stepping, whole)?;
            let span = due.map_or(whole, |due| due.after);
            if span > run.flow.shortest_step() {
                run.make_pair(stepping, span, stop.filter(|_| span == remaining))?;
            }
            due.map_or(Ok(()), |due| run.fire(stepping, due.event))
        })
    }

    /// A gap that closes at a time that steps do not tell from the end of the run is struck there: no step is left in which it would
    /// be.
    fn strike_at_end(&mut self, stepping: &mut Stepping<'_>, end: Option<f64>) -> Result<(), End> {
        let (t, contacts) = (self.t(), self.system.info().contacts.len());
        let δ = (LONGER * stepping.size()).max(SIMULTANEOUS_TIMES * f64::EPSILON * t.abs());
        let mut gaps = vec![0.0; contacts];
        self.laws.probe.begin();
        self.system.gaps(t, self.flow.base.parts().0, &mut gaps);
        for contact in 0..contacts {
            if self.mode.is_closed(contact) {
                continue;
            }
            let gap = self.gap_rate(contact)?;
            if gap.rate < -gap.tolerance && gaps[contact] <= -gap.rate * δ {
                // A contact is struck a quarter of the pair ahead.
                return self.make_pair(stepping, 4.0 * δ, end);
            }
        }
        Ok(())
    }

    /// The twin goes on by H, the run by H/2 and again.
    fn make_pair(
        &mut self,
        stepping: &mut Stepping<'_>,
        span: f64,
        landing: Option<f64>,
    ) -> Result<(), End> {
        let t = self.t();
        stepping.step_twin((t, span), &self.inputs).map_err(|fault| fault.end(t))?;
        let twin = &mut stepping.coarse;
        self.flow.settle(span, &mut twin.q, &mut twin.v).map_err(|stuck| stuck.end(t))?;
        self.half(stepping, 0.5 * span, None)?;
        self.half(stepping, 0.5 * span, landing)?;
        let (q, v) = self.flow.reported_parts();
        stepping.compare(q, v);
        self.take_sides_of(stepping)
    }

    /// A step of the run.
    fn half(
        &mut self,
        stepping: &mut Stepping<'_>,
        τ: f64,
        landing: Option<f64>,
    ) -> Result<(), End> {
        let t = self.t();
        let (q, v) = self.flow.base.parts();
        stepping.fine.q.copy_from_slice(q);
        stepping.fine.v.copy_from_slice(v);
        stepping.step((t, τ), &self.inputs).map_err(|fault| fault.end(t))?;
        let run = &mut stepping.fine;
        self.flow.settle(τ, &mut run.q, &mut run.v).map_err(|stuck| stuck.end(t))?;
        self.records.stats.steps += 1;
        self.enter_mode(stepping);
        self.sample_straight(τ);
        let struck = self.struck(stepping, t + 0.5 * τ);
        if let Some(landing) = landing {
            self.flow.land(landing);
        }
        self.flow.cut_short();
        stepping.see_gaps(self.t());
        self.keep_sample();
        let outcome = struck.map_or(Ok(()), |event| self.keep_event(event));
        self.close_instant(outcome)
    }

    /// The impacts of the step just made, as one event at its middle.
    fn struck(&mut self, stepping: &Stepping<'_>, t: f64) -> Option<Event> {
        let (middle, hits, after) = stepping.struck();
        let (first, others) = hits.split_first()?;
        self.records.stats.impacts += hits.len();
        self.records.waited = 0.0;
        let kind = EventKind::Impact {
            contact: first.contact,
            rate_minus: first.rate_minus,
            rate_plus: first.rate_plus,
            impulse: first.impulse,
            dropped: Vec::new(),
            others: others.to_vec(),
        };
        let before = State::new(t, middle, self.flow.base.parts().1);
        let mut event = Event::new(kind, &before, (middle, after));
        event.positions_mut().into_iter().for_each(|q| self.flow.report(q));
        Some(event)
    }

    /// The mode is that of the step just made.
    fn enter_mode(&mut self, stepping: &Stepping<'_>) {
        let [closed, sticking] = stepping.mode();
        let is_same = closed.eq(self.mode.closed().iter().copied())
            && sticking.eq(self.mode.sticking().iter().copied());
        if !is_same {
            let [closed, sticking] = stepping.mode();
            self.mode = Mode::new(closed.collect()).with_sticking(sticking.collect());
            self.records.enter(self.t(), &self.mode);
        }
    }

    /// Keeps the samples at times that were asked for on the straight way to the end of a step τ.
    fn sample_straight(&mut self, τ: f64) {
        while let Some(wanted) = self.next_sample() {
            let s = self.flow.base.t.until(wanted) / τ;
            if s > 1.0 {
                return;
            }
            let between = |(from, to): (&f64, &f64)| from + s * (to - from);
            let ends = [self.flow.base.parts(), self.flow.next.parts()];
            let mut q: Vec<f64> = ends[0].0.iter().zip(ends[1].0).map(between).collect();
            let v: Vec<f64> = ends[0].1.iter().zip(ends[1].1).map(between).collect();
            normalise(self.system.info(), &mut q);
            self.take_sample(State::new(wanted, q, v));
        }
    }

    /// The guards of the declared events at the base point.
    fn evaluate_events(&mut self, stepping: &mut Stepping<'_>) -> Result<(), End> {
        let (t, (q, v)) = (self.t(), self.flow.base.parts());
        let [guards, _] = &mut stepping.guards;
        if !guards.is_empty() {
            self.system.guards(t, q, v, &self.inputs, guards);
        }
        self.are_numbers(guards)
    }

    fn are_numbers(&self, guards: &[f64]) -> Result<(), End> {
        match guards.iter().position(|guard| guard.is_nan()) {
            None => Ok(()),
            Some(event) => {
                let name = self.system.info().events[event].name;
                Err(End::NonFinite { t: self.t(), what: format!("the guard of {name}") })
            }
        }
    }

    /// Whether a guard of this value is where an event fires that was on this side.
    fn fires(&self, event: usize, side: f64, guard: f64) -> bool {
        let guards = &self.events.guards;
        guards.rule(guards.of_event(event)).fires(side, guard)
    }

    /// The first declared event in a pair of steps.
    fn first_due(&mut self, stepping: &mut Stepping<'_>, whole: f64) -> Result<Option<Due>, End> {
        if stepping.sides.is_empty() {
            return Ok(None);
        }
        self.evaluate_events(stepping)?;
        let late = |event: &usize| {
            stepping.fired != Some(*event)
                && self.fires(*event, stepping.sides[*event], stepping.guards[0][*event])
        };
        if let Some(event) = (0..stepping.sides.len()).find(late) {
            return Ok(Some(Due { after: 0.0, event }));
        }
        let (t, τ) = (self.t(), 0.5 * whole);
        let (q, v) = self.flow.base.parts();
        stepping.look_from(q, v);
        for half in [0.0, 1.0] {
            let from = t + half * τ;
            stepping.look((from, τ), &self.inputs).map_err(|fault| fault.end(t))?;
            let mut guards = std::mem::take(&mut stepping.guards[1]);
            let (q, v) = stepping.ahead();
            self.system.guards(from + τ, q, v, &self.inputs, &mut guards);
            stepping.guards[1] = guards;
            self.are_numbers(&stepping.guards[1])?;
            if let Some((s, event)) = self.first_crossing(stepping) {
                return Ok(Some(Due { after: (half + s) * τ, event }));
            }
            stepping.guards.swap(0, 1);
        }
        Ok(None)
    }

    /// The first event between two values of the guards, at the part s of the way.
    fn first_crossing(&self, stepping: &Stepping<'_>) -> Option<(f64, usize)> {
        let [before, after] = &stepping.guards;
        let crossing = |event: usize| {
            let (from, to) = (before[event], after[event]);
            let crosses = self.fires(event, stepping.sides[event], to);
            crosses.then(|| ((from / (from - to)).clamp(0.0, 1.0), event))
        };
        (0..before.len()).filter_map(crossing).min_by(|one, other| one.0.total_cmp(&other.0))
    }

    /// The sides of the guards after a pair of steps. Those that fire there are on the side from which they come.
    fn take_sides_of(&mut self, stepping: &mut Stepping<'_>) -> Result<(), End> {
        stepping.fired = None;
        self.evaluate_events(stepping)?;
        for event in 0..stepping.sides.len() {
            let (side, guard) = (stepping.sides[event], stepping.guards[0][event]);
            if guard != 0.0 && !self.fires(event, side, guard) {
                stepping.sides[event] = sign(guard);
            }
        }
        Ok(())
    }

    /// A declared event.
    fn fire(&mut self, stepping: &mut Stepping<'_>, event: usize) -> Result<(), End> {
        let (t, before) = (self.t(), self.flow.base.state());
        stepping.sides[event] = -stepping.sides[event];
        stepping.fired = Some(event);
        self.records.stats.events += 1;
        if self.system.info().events[event].resets {
            self.reset_both(stepping, event, &before)?;
            self.keep_sample();
        }
        self.evaluate_events(stepping)
            .map_err(|_| End::NonFinite { t, what: "a guard after a reset".to_owned() })?;
        self.record(EventKind::Declared { event }, &before)
    }

    /// The reset of an event, of the run and its twin; guards that it changes have their sides anew.
    fn reset_both(
        &mut self,
        stepping: &mut Stepping<'_>,
        event: usize,
        before: &State,
    ) -> Result<(), End> {
        let (t, State { mut q, mut v, .. }) = (before.t, before.clone());
        self.evaluate_events(stepping)?;
        stepping.guards.swap(0, 1);
        self.system.reset(event, t, &mut q, &mut v, &self.inputs);
        self.flow.jump(&q, &v).map_err(|stuck| stuck.end(t))?;
        self.records.jumps += 1;
        self.check_energy()?;
        let twin = &mut stepping.coarse;
        self.system.reset(event, t, &mut twin.q, &mut twin.v, &self.inputs);
        self.flow.settle(0.0, &mut twin.q, &mut twin.v).map_err(|stuck| stuck.end(t))?;
        self.evaluate_events(stepping)?;
        let Stepping { sides, guards: [after, before], .. } = stepping;
        for (side, (after, before)) in sides.iter_mut().zip(after.iter().zip(before)) {
            if after != before {
                *side = sign(*after);
            }
        }
        Ok(())
    }
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}
