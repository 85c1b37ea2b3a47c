//! A run as a value: it is begun at a start, goes on when it is told to, and can be asked at any time.
//!
//! ```text
//! let mut run = Run::new(&system, &start, options)?;
//! while run.advance_to(run.t() + 0.001).is_continue() { … run.state() … }
//! let trajectory = run.finish();
//! ```
//!
//! # What a stop changes
//! [`Run::advance_to`] ends a step at the time it is given. Of the method nothing is begun anew there: the
//! slope at the end of the step is that of the next, the size that was proposed for the next step is
//! kept, guards keep their sides. So a run that stops at t₁ on its way to t₂ makes one step for two, and its
//! states differ from those of a run without the stop by what the tolerances allow. Arcs are half
//! open: what happens at t₁ happens before the stop, once. To see a run at many times without
//! stopping it there is what [`Sampling`](crate::Sampling) is for.

pub(crate) mod admission;
pub(crate) mod on_demand;
pub(crate) mod options;
pub(crate) mod progress;
pub(crate) mod runner;
pub(crate) mod scenario;
pub(crate) mod simulate;
pub(crate) mod start;

use crate::contact::ContactForces;
use crate::error::StartError;
use crate::forces::Forces;
use crate::hybrid::automaton::Automaton;
use crate::info::SystemInfo;
use crate::mode::Mode;
use crate::moreau::SteppingRefusal;
use crate::snapshot::words::{Part, Value};
use crate::snapshot::{RestoreError, Setup, Snapshot};
use crate::state::State;
use crate::system::System;
use crate::system::conserved::Conserved;
use crate::trajectory::end::End;
use crate::trajectory::event::Event;
use crate::trajectory::stats::Stats;
use crate::trajectory::{ModeSpan, Trajectory};
use admission::{admitted, explained, named};
use on_demand::OnDemand;
use options::{Options, within};
use progress::Progress;
use start::{check, check_inputs, check_since, check_state};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A rate of a conserved quantity is rounding below this part of what it is made of.
const STAYS: f64 = 1e-9;

/// A run under way.
///
/// It borrows its system and owns the rest. A clone is a run of its own, which goes on from where it was
/// made as the other does, to the bit.
#[derive(Clone)]
pub struct Run<'a> {
    /// Where it was admitted.
    start: State,
    /// Whether its first instant is over.
    begun: bool,
    end: Option<End>,
    /// Where it is, as it is reported.
    state: State,
    asked: Option<Box<Asked<'a>>>,
    pub(crate) automaton: Box<Automaton<'a>>,
}

/// The forces that were asked for, and what finds them: no part of the run, which goes on as if it had not been asked.
#[derive(Clone)]
struct Asked<'a> {
    contacts: OnDemand<'a, ContactForces>,
    forces: Forces,
}

impl<'a> Asked<'a> {
    fn new(system: &'a dyn System) -> Self {
        Self { contacts: ContactForces::on_demand(system), forces: Forces::new(system.info()) }
    }
}

impl<'a> Run<'a> {
    /// A run of a system without inputs from a start, at which what happens there has happened: contacts
    /// that are closed in it are closed.
    ///
    /// # Errors
    /// Those of [`simulate`](crate::simulate()), but that the options need not say when it ends.
    pub fn new(
        system: &'a dyn System,
        start: &State,
        options: &Options,
    ) -> Result<Self, StartError> {
        Self::with_inputs(system, start, &[], options)
    }

    /// A run with these inputs.
    ///
    /// # Errors
    /// Those of [`Run::new`].
    pub fn with_inputs(
        system: &'a dyn System,
        start: &State,
        inputs: &[f64],
        options: &Options,
    ) -> Result<Self, StartError> {
        check(system, start, inputs, options)?;
        let (start, room) = admitted(system, start, inputs, options, &mut None)?;
        let mut run = Self::at(start, room);
        run.begin();
        run.look();
        Ok(run)
    }

    /// A run at an admitted start, of which nothing has been done.
    pub(crate) fn at(start: State, mut automaton: Box<Automaton<'a>>) -> Self {
        automaton.rewind(&start);
        Self { state: State::default(), asked: None, start, begun: false, end: None, automaton }
    }

    /// Goes on to a time. Breaks where the run ends on the way or there; a run that has ended stays as it is.
    /// To a time that is not after the present one there is nothing to go. Without a bound, t = ∞, the
    /// run goes to its end.
    pub fn advance_to(&mut self, t: f64) -> ControlFlow<&End> {
        if t.is_nan() && self.end.is_none() {
            let what = "the time to advance to".to_owned();
            self.end = Some(End::NonFinite { t: self.t(), what });
        }
        self.automaton.set_target(Some(t).filter(|t| *t < f64::INFINITY));
        while self.end.is_none() && !self.automaton.is_at_target() {
            self.ended(Automaton::advance);
        }
        self.automaton.set_target(None);
        self.look();
        self.outcome()
    }

    /// Makes one step of the method, to its end or to the first event in it, with what happens
    /// there. Breaks where the run has ended.
    pub fn step(&mut self) -> ControlFlow<&End> {
        self.go_on();
        self.look();
        self.outcome()
    }

    /// [`Run::step`], which does not look where it has led.
    pub(crate) fn go_on(&mut self) {
        if self.end.is_none() {
            self.ended(Automaton::advance);
        }
    }

    /// The first instant, once.
    pub(crate) fn begin(&mut self) {
        if !std::mem::replace(&mut self.begun, true) {
            self.ended(Automaton::begin);
        }
    }

    /// Goes on until the series at where it is is asked for, or it has ended, or it is not to go on.
    #[cfg(feature = "batch")]
    pub(crate) fn go_on_to_series(&mut self, goes_on: &dyn Fn() -> bool) {
        self.begin();
        while self.end.is_none() && self.automaton.awaited().is_none() && goes_on() {
            self.ended(Automaton::conclude);
            if self.end.is_none() && self.automaton.awaited().is_none() {
                self.ended(Automaton::travel);
            }
        }
    }

    /// What an observer sees.
    pub(crate) fn progress(&mut self) -> Progress<'_> {
        let (t, stats) = (self.t(), self.stats());
        let (q, v) = self.automaton.parts();
        Progress { t, q, v, stats }
    }

    /// Ends here, where nothing else has ended it.
    pub(crate) fn interrupt(&mut self) {
        let t = self.t();
        self.end.get_or_insert(End::Interrupted { t });
    }

    /// Goes on to a time as [`Run::advance_to`] does, and shows the run after each step of the method, with
    /// the number of the first event in it. The observer may change the inputs or the state; where it breaks
    /// the run stops before the time, and can go on.
    pub fn advance_observed(
        &mut self,
        t: f64,
        mut observer: impl FnMut(&mut Self, usize) -> ControlFlow<()>,
    ) -> ControlFlow<&End> {
        while self.end.is_none() && self.state.t < t {
            let first = self.event_count();
            self.automaton.set_target(Some(t).filter(|t| *t < f64::INFINITY));
            self.go_on();
            self.automaton.set_target(None);
            if self.automaton.is_pending() {
                continue;
            }
            self.look();
            if observer(self, first).is_break() {
                return self.outcome();
            }
        }
        self.advance_to(t)
    }

    /// The inputs are these from the present instant on: a zero-order hold. The state stays, forces
    /// jump, and contacts that the new ones do not hold open.
    ///
    /// # Errors
    /// A wrong number of inputs, or one that is not finite: nothing has changed then.
    pub fn set_inputs(&mut self, inputs: &[f64]) -> Result<(), StartError> {
        check_inputs(self.automaton.system().info(), inputs)?;
        self.arrive();
        if self.end.is_none() {
            self.ended(|run| run.set_inputs(inputs));
            self.look();
        }
        Ok(())
    }

    /// The state is this one from the present instant on. It is checked as that of a start is, at whose
    /// instant happens what happens at a start; no event is recorded of contacts that it closes or opens.
    ///
    /// # Errors
    /// Those of a start, and a time that is not the present one: nothing has changed then.
    pub fn apply(&mut self, state: &State) -> Result<(), StartError> {
        let system = self.automaton.system();
        self.arrive();
        let t = self.t();
        within("time of the state", state.t, t, t)?;
        check_state(system.info(), state)?;
        let mut state = state.clone();
        let checked = self.automaton.check_state(&mut state);
        checked.map_err(|error| named(system, &state, error))?;
        if self.end.is_none() {
            self.start.clone_from(&state);
            self.ended(|run| run.set_state(&state));
            self.look();
        }
        Ok(())
    }

    /// Keeps quantities that stay along free motion: after each step the state is brought to their level, orthogonally in
    /// the metric of the kinetic energy, on the constraints. An impact, a reset, a contact that closes and other inputs begin
    /// another level; while contacts are closed or friction sticks nothing is kept. A [`Snapshot`] has the levels, not the
    /// quantities: after [`Run::restore`] they are given again.
    ///
    /// # Errors
    /// A quantity that is not a number here, or changes along the motion from here: nothing has changed then. One that
    /// changes elsewhere is not found so.
    ///
    /// ```
    /// # use eom_core::{Conserved, Options, Run, StartError, State, System};
    /// # eom_core::lagrangian! {
    /// #     /// A spring.
    /// #     pub system Spring { coordinates { x } kinetic = ẋ^2/2; potential = x^2/2; }
    /// # }
    /// /// The energy (ẋ² + x²)/2.
    /// struct Energy([String; 1]);
    ///
    /// impl Conserved for Energy {
    ///     fn names(&self) -> &[String] {
    ///         &self.0
    ///     }
    ///     fn evaluate(&self, _: f64, q: &[f64], v: &[f64], _: &[f64], c: &mut [f64], by: &mut [f64]) {
    ///         c[0] = (v[0] * v[0] + q[0] * q[0]) / 2.0;
    ///         by.copy_from_slice(&[q[0], v[0]]);
    ///     }
    /// }
    ///
    /// let options = Options { relative_tolerance: 1e-6, ..Options::default() };
    /// let spring = Spring::default();
    /// let mut run = Run::new(&spring, &State::new(0.0, [1.0], [0.0]), &options)?;
    /// run.conserve(std::sync::Arc::new(Energy(["energy".to_owned()])))?;
    /// let _ = run.advance_to(1e3);
    /// let State { q, v, .. } = run.state();
    /// assert!((v[0] * v[0] + q[0] * q[0] - 1.0).abs() < 1e-14);
    /// # Ok::<(), StartError>(())
    /// ```
    pub fn conserve(&mut self, kept: Arc<dyn Conserved>) -> Result<(), StartError> {
        self.arrive();
        if self.automaton.is_stepping() {
            return Err(StartError::Stepping { why: SteppingRefusal::Books });
        }
        let rates = self.automaton.flow().conserved_rates(&*kept);
        for (name, (rate, size)) in kept.names().iter().zip(rates) {
            if !rate.is_finite() {
                return Err(StartError::NotFinite { name: name.clone(), value: rate });
            }
            if rate.abs() > STAYS * size && self.mode().is_free() {
                return Err(StartError::NotConserved { name: name.clone(), rate });
            }
        }
        self.automaton.flow().conserve(Some(kept));
        Ok(())
    }

    /// What is kept.
    pub fn conserved(&mut self) -> Option<Arc<dyn Conserved>> {
        self.automaton.flow().conserved().cloned()
    }

    /// A step that has been made is gone.
    fn arrive(&mut self) {
        while self.automaton.is_pending() && self.end.is_none() {
            self.go_on();
        }
    }

    /// What acts at present.
    pub fn forces(&mut self) -> &Forces {
        self.arrive();
        let Self { automaton, asked, .. } = self;
        let asked = asked.get_or_insert_with(|| Box::new(Asked::new(automaton.system())));
        automaton.write_forces(&mut asked.contacts, &mut asked.forces);
        &asked.forces
    }

    /// Where it is.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The time.
    pub fn t(&self) -> f64 {
        self.automaton.t()
    }

    /// The inputs at present.
    pub fn inputs(&self) -> &[f64] {
        self.automaton.inputs()
    }

    /// The contacts that are closed, and the friction that sticks.
    pub fn mode(&self) -> &Mode {
        self.automaton.mode()
    }

    /// Which way a point term of dry friction with one component slides, 1 or −1: what it has to the end of the arc. None
    /// where it sticks, and of one in a plane, whose slip tells it.
    pub fn slip_sign(&self, friction: usize) -> Option<f64> {
        let info = self.automaton.system().info().frictions.get(friction)?;
        let slides = info.components == 1 && !self.mode().sticks(friction);
        self.automaton.slip_state().sign(friction).filter(|_| slides)
    }

    /// The sign of the multiplier with which a constraint row presses that bears a point term of dry friction: as
    /// [`Run::slip_sign`], to the end of the arc. None of other terms.
    pub fn pressing_sign(&self, friction: usize) -> Option<f64> {
        self.automaton.system().row_of_friction(friction)?;
        self.automaton.slip_state().presses.get(friction).copied()
    }

    /// The work done so far.
    pub fn stats(&self) -> Stats {
        self.automaton.stats()
    }

    /// Why it has ended.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// How many events there have been.
    pub fn event_count(&self) -> usize {
        self.automaton.records().event_count()
    }

    /// The events from number `first` on, counted from the start of the run; of those that have been taken
    /// none.
    pub fn events_since(&self, first: usize) -> &[Event] {
        self.automaton.records().events_since(first)
    }

    /// Takes the events since the last call, or the start: those of [`Run::finish`] are what is left.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.automaton.records_mut().take_events()
    }

    /// Takes the samples since the last call, or the start, but for the newest: the end of the run may
    /// take its place. Those of [`Run::finish`] are what is left.
    pub fn take_samples(&mut self) -> Vec<State> {
        self.automaton.records_mut().take_samples()
    }

    /// Takes the modes since the last call, or the start. Their samples are counted from the start of the
    /// run.
    pub fn take_modes(&mut self) -> Vec<ModeSpan> {
        self.automaton.records_mut().take_modes()
    }

    /// What the run leaves. One that has not ended is interrupted.
    pub fn finish(self) -> Trajectory {
        self.close().0
    }

    /// The run as it stands, to go on with later, elsewhere or more than once: what it has left so far, its
    /// samples and events that have not been taken, included.
    ///
    /// ```
    /// # use eom_core::info::{NameInfo, SystemInfo};
    /// # use eom_core::system::{Contacts, Events, Friction, Specialised};
    /// # use eom_core::{Energy, Options, Run, State, System};
    /// # static SPRING: SystemInfo = SystemInfo {
    /// #     name: "Spring",
    /// #     coordinates: &[NameInfo { name: "x", ascii: "x", doc: "" }],
    /// #     ..SystemInfo::EMPTY
    /// # };
    /// # struct Spring;
    /// # impl System for Spring {
    /// #     fn info(&self) -> &'static SystemInfo { &SPRING }
    /// #     fn accelerations(
    /// #         &self, _t: f64, q: &[f64], _v: &[f64], _u: &[f64], a: &mut [f64], _λ: &mut [f64],
    /// #     ) {
    /// #         a[0] = -q[0];
    /// #     }
    /// #     fn mass_matrix(&self, _t: f64, _q: &[f64], m: &mut [f64]) { m[0] = 1.0; }
    /// #     fn energy(&self, _t: f64, q: &[f64], v: &[f64]) -> Energy {
    /// #         let (kinetic, potential) = (v[0] * v[0] / 2.0, q[0] * q[0] / 2.0);
    /// #         Energy { kinetic, potential, jacobi: kinetic + potential }
    /// #     }
    /// # }
    /// # impl Contacts for Spring {}
    /// # impl Events for Spring {}
    /// # impl Friction for Spring {}
    /// # impl Specialised for Spring {}
    /// let mut run = Run::new(&Spring, &State::new(0.0, [1.0], [0.0]), &Options::default())?;
    /// let _ = run.advance_to(3.0);
    /// let saved = run.save();
    /// let _ = run.advance_to(8.0);
    ///
    /// // In another program, perhaps.
    /// let mut other = Run::restore(&Spring, &saved)?;
    /// assert_eq!(other.t(), 3.0);
    /// let _ = other.advance_to(8.0);
    /// assert_eq!(other.state(), run.state());
    /// assert_eq!(other.save(), run.save());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self) -> Snapshot {
        let Self { start, begun, end, state, asked: _, automaton } = self;
        let system = automaton.system();
        Snapshot::of(system, self.t(), (automaton.options(), automaton.inputs(), start), |to| {
            begun.write(to);
            end.write(to);
            state.write(to);
            automaton.save(to);
        })
    }

    /// A run that goes on, to the bit, as that one does of which the snapshot was taken. Its system may be
    /// another value, or have been made by another program; it has to have the same names, equations and parameters.
    ///
    /// # Errors
    /// A snapshot of another system or format, one that is damaged, and what no run can be made with.
    pub fn restore(system: &'a dyn System, snapshot: &Snapshot) -> Result<Self, RestoreError> {
        let (Setup { options, inputs, start }, mut from) = snapshot.open(system)?;
        check_since(system, &start, &inputs, &options, f64::NEG_INFINITY)?;
        let mut run = Self::at(start, Box::new(Automaton::new(system, &inputs, &options)));
        (run.begun, run.end, run.state) = Value::read(&mut from)?;
        run.automaton.restore(&mut from)?;
        from.end()?;
        Ok(run)
    }

    /// The run is, from here on, as it was when the snapshot was taken, of it or of another run of its system.
    ///
    /// # Errors
    /// Those of [`Run::restore`]: nothing has changed then.
    pub fn restore_to(&mut self, snapshot: &Snapshot) -> Result<(), RestoreError> {
        *self = Self::restore(self.automaton.system(), snapshot)?;
        Ok(())
    }

    /// The same, and the room it was made in.
    pub(crate) fn close(self) -> (Trajectory, Box<Automaton<'a>>) {
        let Self { end, automaton: mut run, .. } = self;
        let end = end.unwrap_or(End::Interrupted { t: run.t() });
        let (stats, rest, ledger) = (run.stats(), run.rests_since(), run.close_books());
        let (guards, forces) = (run.guard_check(), run.force_check());
        let (least_gaps, stepped) = (run.least_gaps(), run.stepped());
        let sampled = run.sampled();
        let (samples, events, modes) = run.finish();
        (
            Trajectory {
                samples,
                events,
                modes,
                end,
                guards,
                sampled,
                rest,
                stats,
                forces,
                stepped,
                ledger,
                least_gaps,
            },
            run,
        )
    }

    /// Does something, which may end the run.
    fn ended(&mut self, act: impl FnOnce(&mut Automaton<'a>) -> Result<(), End>) {
        if let Err(end) = act(&mut self.automaton) {
            self.end = Some(explained(&mut self.automaton, &self.start, end));
        }
    }

    fn outcome(&self) -> ControlFlow<&End> {
        self.end.as_ref().map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    /// Sees where it is.
    fn look(&mut self) {
        self.state.t = self.t();
        let (q, v) = self.automaton.parts();
        self.state.q.clear();
        self.state.q.extend_from_slice(q);
        self.state.v.clear();
        self.state.v.extend_from_slice(v);
    }
}

impl Forces {
    fn new(info: &SystemInfo) -> Self {
        let zeros = |count: usize| vec![0.0; count];
        Self {
            accelerations: zeros(info.speeds()),
            multipliers: zeros(info.rows.len()),
            contacts: zeros(info.contacts.len()),
            contact_rows: zeros(info.contacts.iter().map(|contact| contact.rows.len()).sum()),
            frictions: zeros(info.frictions.iter().map(|friction| friction.components).sum()),
        }
    }

    /// All are this number.
    pub(crate) fn fill(&mut self, number: f64) {
        let Self { accelerations, multipliers, contacts, contact_rows, frictions } = self;
        for list in [accelerations, multipliers, contacts, contact_rows, frictions] {
            list.fill(number);
        }
    }
}

impl fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { state, end, .. } = self;
        let mut run = f.debug_struct("Run");
        run.field("state", state).field("mode", self.mode()).field("end", end);
        run.finish_non_exhaustive()
    }
}
