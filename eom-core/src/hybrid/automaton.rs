//! The run of the automaton: arcs of the flow, cut where the first guard crosses.

use super::accumulation::Accumulation;
use super::event::{Cut, Events};
use super::impacts::laws::{Laws, TentativeImpact};
use super::mode::active_contacts::ActiveContacts;
use super::mode::contact::GapRate;
use super::moment::Moment;
use super::records::Records;
use crate::constraints::Manifold;
use crate::error::NotPositiveDefinite;
use crate::flow::{Flow, StepFailure};
use crate::friction::slip_state::SlipState;
use crate::mode::Mode;
use crate::moreau::{Stepping, Steps};
use crate::run::options::Options;
use crate::snapshot::words::{part, value};
use crate::state::State;
use crate::system::System;
use crate::trajectory::end::End;
use crate::trajectory::ledger::book::Book;
use crate::trajectory::stats::Stats;

/// A flight without impact is over after so many of its own time scales.
const TIME_SCALES: f64 = 1e6;

/// A run under way, and the room that it works in, for one run after another: most of the time of a short
/// run would else be spent on taking memory and giving it back.
#[derive(Clone)]
pub(crate) struct Automaton<'a> {
    pub(super) system: &'a dyn System,
    pub(super) inputs: Vec<f64>,
    pub(super) options: Options,
    pub(super) flow: Flow<'a>,
    pub(super) events: Events<'a>,
    pub(super) laws: Laws<'a>,
    /// The mode; within an instant still that before it.
    pub(super) mode: Mode,
    pub(super) slip: Sliding,
    pub(super) accumulation: Accumulation,
    /// The instants at this time.
    pub(super) moment: Moment,
    /// What the run leaves.
    pub(super) records: Records,
    pub(super) course: Course,
    /// Where it goes by time steps, their room and the twin of the run.
    pub(super) stepping: Steps<'a>,
}

/// How the friction that slides does so, and when it was last looked at.
#[derive(Debug, Clone, Default)]
pub(super) struct Sliding {
    pub(super) state: SlipState,
    pub(super) since: f64,
    /// The last start of a slip from which no launch was accurate, or far enough: it begins with steps.
    pub(super) by_steps: Option<f64>,
}

/// Where a run is on its way.
#[derive(Debug, Clone, Default)]
pub(super) struct Course {
    /// The time to which the run goes on at present, where it is not its end.
    target: Option<f64>,
    /// Since when nothing moves, and will not move any more.
    pub(super) rest: Option<f64>,
    /// An impact that the series of the flight after it has still to judge.
    pub(super) tentative: Option<TentativeImpact>,
    /// A step that has been made, and not been gone, since its samples are more than are taken at once.
    pending: Option<Made>,
}

/// A step that the flow has made.
#[derive(Debug, Clone, Copy)]
struct Made {
    h: f64,
    /// Where it is cut.
    cut: Option<Cut>,
    /// The time at which it ends exactly.
    landing: Option<f64>,
}

impl<'a> Automaton<'a> {
    /// Room for runs with inputs and options that have been checked; [`Automaton::rewind`] begins one.
    pub(crate) fn new(system: &'a dyn System, inputs: &[f64], options: &Options) -> Self {
        Self {
            system,
            inputs: inputs.to_vec(),
            options: options.clone(),
            flow: Flow::new(system, inputs, options),
            events: Events::new(system, inputs, options.relative_tolerance),
            laws: Laws::new(system),
            mode: Mode::default(),
            slip: Sliding::default(),
            accumulation: Accumulation::new(system.info().contacts.len()),
            moment: Moment::default(),
            records: Records::default(),
            course: Course::default(),
            stepping: Steps::new(system, options),
        }
    }

    /// The first instant of a run.
    pub(crate) fn begin(&mut self) -> Result<(), End> {
        let outcome = self.first_instant();
        self.close_instant(outcome)?;
        self.records.begin(&self.mode);
        Ok(())
    }

    /// The constraints in free motion, to look at a start.
    pub(crate) fn manifold(&mut self) -> &mut Manifold {
        let manifold = self.flow.manifold();
        manifold.set_closed(&[]);
        manifold.set_sticking(&[]);
        manifold
    }

    /// A run begins at a start that has been admitted; nothing is left of the one before.
    pub(crate) fn rewind(&mut self, start: &State) {
        self.flow.rewind(start);
        self.events.rewind();
        self.laws.rewind();
        self.mode = Mode::default();
        self.accumulation.rewind();
        self.slip = Sliding { state: SlipState::default(), since: start.t, by_steps: None };
        self.course = Course::default();
        self.records = Records::open(start, &self.options);
        if let Some(stepping) = self.stepping.get_mut() {
            stepping.rewind();
        }
        let Self { system, flow, options, records, events, inputs, .. } = self;
        records.book = options.ledger.then(|| Book::open(*system, &flow.base, options));
        events.keep_least(options.least_gaps, *system, inputs);
    }

    /// The time to which the run is to go on, before it ends.
    pub(crate) fn set_target(&mut self, t: Option<f64>) {
        self.course.target = t;
    }

    /// Whether it has come there, and nothing is left to happen there.
    pub(crate) fn is_at_target(&self) -> bool {
        let Some(target) = self.course.target else { return false };
        let due = |time: f64| time <= target && self.flow.base.t.until(time) <= 0.0;
        let ends = self.options.until_time.is_some_and(due);
        let accumulates =
            self.accumulation.accumulating.first().is_some_and(|series| due(series.limit));
        self.flow.base.t.until(target) <= 0.0 && !ends && !accumulates
    }

    /// The time beyond which it does not go: that of its end, or that of its target.
    pub(super) fn until(&self) -> Option<f64> {
        let Self { options, course, .. } = self;
        [options.until_time, course.target].into_iter().flatten().reduce(f64::min)
    }

    /// Whether only an impact would end the run, and none has come in a time that is long in units of the
    /// motion's own, or in which the time of one could not be told any more: t is so large that its
    /// rounding exceeds the first step.
    fn waits_in_vain(&self) -> bool {
        let rounding = f64::EPSILON * (self.t() - self.records.start);
        self.until().is_none()
            && (self.records.waited > TIME_SCALES || rounding > self.flow.first_step())
    }

    /// The time of the base point.
    pub(crate) fn t(&self) -> f64 {
        self.flow.t()
    }

    /// Since when nothing moves, and will not move any more.
    pub(crate) fn rests_since(&self) -> Option<f64> {
        self.course.rest
    }

    /// (q, v) of the base point, as it is reported.
    pub(crate) fn parts(&mut self) -> (&[f64], &[f64]) {
        self.flow.reported_parts()
    }

    /// What makes its steps.
    pub(crate) fn flow(&mut self) -> &mut Flow<'a> {
        &mut self.flow
    }

    /// The system.
    pub(crate) fn system(&self) -> &'a dyn System {
        self.system
    }

    /// What it was made with.
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// The inputs at present.
    pub(crate) fn inputs(&self) -> &Vec<f64> {
        &self.inputs
    }

    /// The mode.
    pub(crate) fn mode(&self) -> &Mode {
        &self.mode
    }

    /// How the friction that slides does so.
    pub(crate) fn slip_state(&self) -> &SlipState {
        &self.slip.state
    }

    /// What the run leaves.
    pub(crate) fn records(&self) -> &Records {
        &self.records
    }

    /// The same, to take from it.
    pub(crate) fn records_mut(&mut self) -> &mut Records {
        &mut self.records
    }

    /// The work done so far.
    pub(crate) fn stats(&self) -> Stats {
        let Self { flow, .. } = self;
        let by_steps = self.stepping.get().map_or(0, Stepping::evaluations);
        let (evaluations, expansions) = (flow.evaluations() + by_steps, flow.expansions());
        let work = flow.work();
        Stats {
            evaluations,
            expansions,
            newton_iterations: work.iterations,
            jacobians: work.jacobians,
            factorizations: work.factorizations,
            rejected: flow.rejected(),
            root_iterations: self.events.root_iterations,
            ..self.records.stats
        }
    }

    /// One step of the flow, to its end or to the first crossing in it, and the instant there.
    pub(crate) fn advance(&mut self) -> Result<(), End> {
        self.travel()?;
        self.conclude()
    }

    /// Whether a step has been made and not been gone.
    pub(crate) fn is_pending(&self) -> bool {
        self.course.pending.is_some()
    }

    /// Of [`Automaton::advance`] what comes before an impact by series is judged, or all.
    pub(crate) fn travel(&mut self) -> Result<(), End> {
        let outcome = self.make_way();
        self.close_instant(outcome)
    }

    /// The same, up to whether the run ends with this instant.
    fn make_way(&mut self) -> Result<(), End> {
        if self.is_stepping() {
            return self.step_in_time();
        }
        if let Some(made) = self.course.pending.take() {
            return self.go(made);
        }
        let t = self.t();
        if self.course.rest.is_some() {
            return self.stay();
        }
        let limit = self.accumulation.accumulating.first().map(|series| series.limit);
        let end = self.until().filter(|end| limit.is_none_or(|limit| *end < limit));
        let stop = end.or(limit);
        let remaining = stop.map(|stop| self.flow.base.t.until(stop));
        if remaining.is_some_and(|remaining| remaining <= 0.0) {
            return if end.is_some() { self.reach_end() } else { self.accumulate() };
        }
        if self.waits_in_vain() {
            return Err(End::NoImpact { t, impacts: self.records.stats.impacts });
        }
        if self.records.stats.steps >= self.options.steps_max {
            return Err(End::StepBudget { t, steps: self.records.stats.steps });
        }
        let (before_stop, stopping) = self.approach()?;
        if !stopping.is_empty() {
            return self.pass_instant(None, stopping);
        }
        let longest = remaining.unwrap_or(f64::INFINITY).min(self.options.step_size_max);
        let longest = longest.min(before_stop);
        if let Some(stop) = stop.filter(|_| remaining.is_some_and(|h| self.flow.is_faint(h))) {
            return self.drift(stop);
        }
        if self.begins_to_slide(longest)? {
            return Ok(());
        }
        let proposed = self.flow.step_size();
        let (h, cut) = match self.events.step(&mut self.flow, longest) {
            Ok(made) => made,
            Err(end) => {
                let is_near = |h| h <= longest && h <= self.flow.shortest_step();
                if let Some(stop) = stop.filter(|_| remaining.is_some_and(is_near)) {
                    return self.drift(stop);
                }
                let end = self.jammed(end);
                return self.pass(|it| it.jam(end));
            }
        };
        let size = proposed.max(self.flow.step_size());
        self.records.waited += if size > 0.0 { (h / size).min(1.0) } else { 1.0 };
        self.records.stats.steps += 1;
        self.go(Made { h, cut, landing: stop.filter(|_| remaining == Some(h)) })
    }

    /// Goes to a time that cannot be told from the present one, as the slope leads: no method makes such a step.
    fn drift(&mut self, to: f64) -> Result<(), End> {
        self.flow.drift(to);
        self.records.stats.steps += 1;
        self.restart()?;
        self.evaluate_guards()
    }

    /// Goes a step that has been made, to its end or to the crossing in it.
    fn go(&mut self, made: Made) -> Result<(), End> {
        let (t, Made { h, cut, landing }) = (self.t(), made);
        if !self.sample_between(h, cut.map_or(h, |cut| cut.τ))? {
            self.course.pending = Some(made);
            return Ok(());
        }
        let Some(cut) = cut else {
            if let Some(landing) = landing {
                self.flow.land(landing);
            }
            self.enter_step(h, h);
            self.flow.advance();
            self.keep_sample();
            let ends = landing.is_some() && landing == self.options.until_time;
            return if ends { self.pass_end(h).map(|_| ()) } else { Ok(()) };
        };
        if cut.τ > 0.0 {
            self.enter_step(h, cut.τ);
            if self.flow.knows_guards() && cut.touch.is_none() {
                self.flow.cut_short();
                self.keep_sample();
                return self.pass_series_instant(cut.guard);
            }
            self.flow.cut().map_err(|stuck| stuck.end(t))?;
            self.keep_sample();
        }
        // Where λ of a row touches zero either sign will do: the friction there is zero.
        let is_row = self.events.guards.row(cut.guard).is_some();
        if let Some((value, rounding)) = cut.touch.filter(|_| !is_row) {
            if let Some(stopping) = self.falls_back(cut.guard)? {
                return self.pass_instant(None, vec![stopping]);
            }
            if self.slides_on(cut.guard)? || self.bears_on(cut) {
                self.events.guards.leave(cut.guard, value);
                self.restart()?;
                self.evaluate_guards()?;
                self.shift_what_is_zero(cut.guard);
                return Ok(());
            }
            if self.is_carried_on(cut.guard)? {
                return Ok(());
            }
            if self.touches_nothing(cut.guard, value) {
                self.restart()?;
                return self.evaluate_guards();
            }
            let of_step = (h, rounding);
            if !self.closes_clearly(cut.guard, of_step)?
                && !self.goes_through(cut.guard, of_step)?
            {
                return Err(self.unresolved(cut.guard, value, rounding));
            }
        }
        if self.flow.knows_guards() {
            return self.restart_at(cut.guard);
        }
        self.pass_instant(Some(cut.guard), Vec::new())
    }

    /// The run ends, but for what an instant at its end leaves to happen there.
    fn reach_end(&mut self) -> Result<(), End> {
        let happens = self.is_of_moment() && self.pass_end(0.0)?;
        if happens { Ok(()) } else { Err(End::ReachedTime { t: self.t() }) }
    }

    /// What cannot be told from the end of the run in time happens there, one after another: no step is left in which it would be
    /// seen. Whether there is something.
    fn pass_end(&mut self, h: f64) -> Result<bool, End> {
        let Some(guard) = self.reached_at_end(h)? else { return Ok(false) };
        self.restart()?;
        self.pass_instant(Some(guard), Vec::new())?;
        Ok(true)
    }

    /// Whether a guard is the force of a closed contact, which stays closed where that touches zero: opened, it would close
    /// again before its gap is more than rounding. One that has not left zero since it touched it presses with nothing.
    fn bears_on(&self, Cut { τ, guard, .. }: Cut) -> bool {
        let guards = &self.events.guards;
        guards.force(guard).is_some() && (τ > 0.0 || !guards.side(guard).leaving)
    }

    /// Other forces that are zero here to their rounding are shifted as at the start of a mode: all feet of what is
    /// weightless for an instant touch zero at once.
    fn shift_what_is_zero(&mut self, touching: usize) {
        let Events { guards, values, roundings, .. } = &mut self.events;
        for &contact in self.mode.closed().iter().filter(|contact| **contact != touching) {
            if values[contact] <= roundings[contact] {
                values[contact] = guards.shift_again(contact, values[contact], roundings[contact]);
            }
        }
    }

    /// The base point is a new start of the flow.
    pub(super) fn restart(&mut self) -> Result<(), End> {
        let t = self.t();
        self.flow.restart().map_err(|stuck| stuck.end(t))
    }

    /// A guard that touches zero here to its rounding; where it has just been turned back it has not left.
    fn unresolved(&self, guard: usize, value: f64, rounding: f64) -> End {
        let (t, guards) = (self.t(), &self.events.guards);
        match guards.event(guard) {
            Some(event) if self.events.is_turned(event) => self.accumulates(event),
            _ => End::UnresolvedEvent { t, guard: guards.name(guard), value, rounding },
        }
    }

    /// An instant at the end of a cut step by series.
    fn pass_series_instant(&mut self, guard: usize) -> Result<(), End> {
        self.course.tentative =
            self.events.guards.gap(guard).and_then(|contact| self.simple_impact(contact));
        if self.course.tentative.is_some() { Ok(()) } else { self.restart_at(guard) }
    }

    /// The flow, where what comes next asks for the series at the base point.
    #[cfg(feature = "batch")]
    pub(crate) fn awaited(&mut self) -> Option<&mut Flow<'a>> {
        self.flow.needs_series().then_some(&mut self.flow)
    }

    /// Of [`Automaton::advance`] what asks for the series of the flight after an impact.
    pub(crate) fn conclude(&mut self) -> Result<(), End> {
        let Some(tentative) = self.course.tentative.take() else { return Ok(()) };
        let guard = tentative.guard();
        let taken = self.accept_flight(tentative);
        if !matches!(taken, Ok(false)) {
            self.keep_sample();
            return self.close_instant(taken.map(|_| ()));
        }
        let outcome = self.restart_at(guard);
        self.close_instant(outcome)
    }

    /// The instant of a guard where a step by series ended, with what steps of the other kind leave.
    fn restart_at(&mut self, guard: usize) -> Result<(), End> {
        self.events.measure_crossing(&mut self.flow, guard);
        self.restart()?;
        self.pass_instant(Some(guard), Vec::new())
    }

    /// The instant of a guard, or of friction that comes to rest.
    fn pass_instant(&mut self, located: Option<usize>, stopping: Vec<usize>) -> Result<(), End> {
        self.events.arrive(located.is_some());
        let passed = self.pass(|it| it.instant(located, stopping));
        self.events.arrive(false);
        passed
    }

    /// An instant; where it jumps, the state after it is kept beside the one before.
    fn pass(&mut self, instant: impl FnOnce(&mut Self) -> Result<(), End>) -> Result<(), End> {
        let jumps = self.records.jumps;
        let outcome = instant(self);
        if self.records.jumps != jumps {
            self.keep_sample();
        }
        outcome
    }

    /// Evaluates all guards at the base point, and their rounding.
    pub(super) fn evaluate_guards(&mut self) -> Result<(), End> {
        self.read_guards(true)
    }

    /// The same within an instant, whose mode is still to be chosen.
    pub(super) fn evaluate_within(&mut self) -> Result<(), End> {
        self.read_guards(false)
    }

    fn read_guards(&mut self, is_chosen: bool) -> Result<(), End> {
        let t = self.t();
        let without = self.events.evaluate(&self.flow, is_chosen);
        without.map_or(Ok(()), |guard| Err(self.events.guards.has_no_value(guard, t)))
    }

    /// ġ of a contact at the base point.
    pub(super) fn gap_rate(&mut self, contact: usize) -> Result<GapRate, End> {
        let t = self.t();
        let rate = self.laws.probe.rate(self.system, contact, t, &self.flow.base.y);
        rate.map_err(|error| no_metric(t, error))
    }

    /// The same at an instant. That of a contact which has been closed or carried up to now is what rounding leaves of zero:
    /// that may be all that is left of v, and large beside it.
    pub(super) fn rate_at_instant(
        &mut self,
        contact: usize,
        active: &ActiveContacts,
    ) -> Result<GapRate, End> {
        let gap = active.widened(self.gap_rate(contact)?);
        let was_held = self.mode.is_closed(contact) || active.carried.contains(&contact);
        let is_held = was_held && self.records.jumps == active.jumps;
        Ok(if is_held {
            GapRate { tolerance: gap.tolerance.max(gap.rate.abs()), ..gap }
        } else {
            gap
        })
    }
}

pub(super) fn no_metric(t: f64, error: NotPositiveDefinite) -> End {
    StepFailure::NonFinite { what: error.to_string() }.end(t)
}

value! { Made { h, cut, landing } }

value! { Sliding { state, since, by_steps } }

value! { Course { target, rest, tentative, pending } }

part! {
    Automaton<'_> {
        parts: [flow, events, laws, accumulation, records, stepping],
        values: [mode, slip, moment, course],
        room: [system, inputs, options],
    },
    |it, from| from.check(it.moment.is_of(it.records.jumps))
}
