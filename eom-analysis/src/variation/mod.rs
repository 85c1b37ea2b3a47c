//! Variations: how a hybrid motion changes with the state in which it starts.
//!
//! ```text
//! along an arc          δẏ = ∂f/∂y δy
//! at an event at t*     δt* = −(∂σ/∂y δy)/σ̇,  δy⁺ = ∂R/∂y δy + (Ṙ − f⁺) δt*      σ the gap or guard, Ṙ = ∂R/∂t + ∂R/∂y f⁻
//! ```
//!
//! The second line is the saltation of δy, at fixed times; R(t, y) is what the event does to the state. The motion
//! itself is a run, with all that its event engine proves; the variations are integrated beside a copy of each of its
//! arcs, of free motion by the program of its accelerations, else along its mode (`held`). Where no derivative exists, at a
//! graze, at infinitely many impacts, where two conditions are met at one time, the variation ends with the reason. Forces
//! that jump on the way change the acceleration alone (`jumps`). R is
//! exact: of impacts (`saltation`, with friction `rough`) as of resets; where only the mode changes it is none (`leap`).

pub(crate) mod adjoint;
pub(crate) mod apart;
pub(crate) mod begun;
pub(crate) mod course;
mod edge;
pub(crate) mod ended;
mod extended;
pub(crate) mod held;
mod instant;
pub(crate) mod jumps;
mod leap;
mod onset;
mod stop;

use crate::error::AnalysisError;
use crate::tapes::friction::Terms;
use crate::tapes::sides::Jumps;
use crate::tapes::{Tapes, relevant};
use course::{Course, Instant, Place};
use eom_core::{
    AbsoluteTolerance, Event, Method, Options, Run, Sampling, StartRule, State, System, simulate,
};
use extended::{Extended, Field};
use held::Held;
use nalgebra::DMatrix;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The tolerances of variations along an arc, whatever those of its run are.
const RELATIVE_TOLERANCE: f64 = 1e-13;
const ABSOLUTE_TOLERANCE: f64 = 1e-15;

/// Variations of a system's motions.
#[derive(Clone)]
pub struct Variations<'s> {
    pub(crate) programs: Tapes<'s>,
    /// The point terms of dry friction.
    pub(crate) terms: Terms,
    /// Places in y of the entries on which the motion with its impacts depends.
    pub(crate) relevant: Vec<usize>,
    /// How inputs and parameters change with each variation; empty where they do not.
    pub(crate) seeds: DMatrix<f64>,
    /// How the start moves with them.
    pub(crate) rule: StartRule,
    /// The jumps of forces, where there are some.
    pub(crate) jumps: Option<Arc<Jumps>>,
    /// Whether to go on, where somebody says so.
    goes_on: Option<GoesOn<'s>>,
}

/// Says whether to go on.
pub(crate) type GoesOn<'s> = &'s (dyn Fn() -> bool + Sync);

/// A motion to a time, and how its end changes with its start.
#[derive(Debug, Clone, PartialEq)]
pub struct Transition {
    /// Where the motion ends.
    pub state: State,
    /// ∂y(t)/∂y(t₀), rows and columns in the order of y = (q, v).
    pub matrix: DMatrix<f64>,
    /// The events on the way.
    pub events: Vec<Event>,
    /// The friction that begins to slide at the start: derivatives by the start are of the side to which it does.
    pub one_sided: Vec<&'static str>,
}

impl<'s> Variations<'s> {
    /// Those of a system.
    ///
    /// # Errors
    /// Where the system has no programs to differentiate, friction that is an integral, or a parameter that cannot be used.
    pub fn new(system: &'s dyn System) -> Result<Self, AnalysisError> {
        let terms = Terms::of(system)?;
        let programs = Tapes::of(system)?;
        let info = programs.info;
        let found = system.programs();
        // Guards of events that only record are sections, not causes.
        let guards = found.guards.filter(|_| info.events.iter().any(|event| event.resets));
        let frictions = found.frictions.filter(|_| !terms.is_empty());
        let asked = [
            Some(programs.accelerations),
            programs.rows,
            found.gaps,
            found.contact_rows,
            found.contact_forces,
            found.borne_forces,
            found.extents,
            frictions,
            guards,
        ];
        let relevant = relevant(&programs, &asked, found.resets);
        let (seeds, rule) = (DMatrix::zeros(0, 0), StartRule::default());
        let jumps = Jumps::of(&programs).map(Arc::new);
        Ok(Self { programs, terms, relevant, seeds, rule, jumps, goes_on: None })
    }

    /// The same of motions whose starts have another rule. Without one the numbers of a start are given, and move only with
    /// what holds there.
    #[must_use]
    pub fn begun(self, rule: StartRule) -> Self {
        Self { rule, ..self }
    }

    /// The same for somebody who may have enough of it: where `goes_on`, which is asked at each step, says no, the answer is
    /// [`AnalysisError::Interrupted`].
    #[must_use]
    pub fn watched(self, goes_on: &'s (dyn Fn() -> bool + Sync)) -> Self {
        Self { goes_on: Some(goes_on), ..self }
    }

    /// Whether to go on at a step.
    pub(crate) fn look(&self) -> ControlFlow<()> {
        if self.goes_on.is_none_or(|goes_on| goes_on()) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    /// The same as a result, at a time of the motion.
    pub(crate) fn check(&self, t: f64) -> Result<(), AnalysisError> {
        self.look().is_continue().then_some(()).ok_or(AnalysisError::Interrupted { t })
    }

    /// The same with changes of inputs and parameters.
    pub(crate) fn seeded(&self, seeds: DMatrix<f64>) -> Self {
        Self { seeds, ..self.clone() }
    }

    /// The motion from a start to a time t, and ∂y(t)/∂y(t₀). Directions that leave the constraints of the start, its closed
    /// contacts or what sticks are directions of no motion: of them nothing is said.
    ///
    /// # Errors
    /// Those of a run, the end of a run before t, and what has no derivative.
    pub fn transition(
        &self,
        start: &State,
        inputs: &[f64],
        options: &Options,
        t: f64,
    ) -> Result<Transition, AnalysisError> {
        let n = start.q.len() + start.v.len();
        self.carried((start, inputs, options), t, DMatrix::identity(n, n))
    }

    /// The same of the variations that are the columns of a matrix.
    pub(crate) fn carried(
        &self,
        (start, inputs, options): (&State, &[f64], &Options),
        t: f64,
        mut matrix: DMatrix<f64>,
    ) -> Result<Transition, AnalysisError> {
        let mut run = self.run(start, inputs, options)?;
        self.begin(&run, inputs, &mut matrix)?;
        let one_sided = self.one_sided(&self.place(&run), inputs);
        let first = run.event_count();
        if self.seeds.ncols() == 0 {
            self.advance(&mut run, inputs, t, &mut matrix)?;
        } else {
            let (seeds, start) = self.moved_start(&self.place(&run), inputs)?;
            matrix += start;
            self.seeded(seeds).advance(&mut run, inputs, t, &mut matrix)?;
        }
        if t > start.t {
            self.check_end(run.events_since(first), (start.t, &self.place(&run)), inputs)?;
        }
        Ok(Transition {
            state: run.state().clone(),
            matrix,
            events: run.events_since(first).to_vec(),
            one_sided,
        })
    }

    /// A run that can be followed from its start on.
    pub(crate) fn run(
        &self,
        start: &State,
        inputs: &[f64],
        options: &Options,
    ) -> Result<Run<'s>, AnalysisError> {
        if options.law.is_some() && !self.programs.info.contacts.is_empty() {
            let why = "a law of impacts is given in place of those that are declared".to_owned();
            return Err(AnalysisError::NotSmooth { why });
        }
        if options.method == Method::Moreau {
            let why = "time steps have no arcs to follow variations along".to_owned();
            return Err(AnalysisError::NotSmooth { why });
        }
        // Where the method is open it is that of the variations, whose states the run's then are.
        let open = options.method == Method::Automatic;
        let method = if open { Method::RungeKutta } else { options.method };
        let options = &Options { method, ..options.clone() };
        let run = Run::with_inputs(self.programs.system, start, inputs, options)?;
        if run.event_count() > 0 {
            let why = "a contact is struck at the start".to_owned();
            return Err(AnalysisError::NotSmooth { why });
        }
        Ok(run)
    }

    /// How a run goes on.
    pub(crate) fn course(&self, run: &Run<'_>) -> Course {
        Course::of(run, &self.terms)
    }

    /// Whether motion along a course is that of the program of accelerations: without contacts and dry friction.
    pub(crate) fn is_plain(&self, course: &Course) -> bool {
        course.mode.is_free() && self.terms.acting(&course.mode).next().is_none()
    }

    /// A course with its programs.
    pub(crate) fn held(&self, course: &Course) -> Result<Held<'s>, AnalysisError> {
        Held::new(&self.programs, &self.terms, course)
    }

    /// Brings variations at the start of a run to what holds there beside the constraints: what leaves closed contacts, and
    /// moves what sticks, is no direction of the motion.
    pub(crate) fn begin(
        &self,
        run: &Run<'s>,
        inputs: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<(), AnalysisError> {
        self.begin_at(&self.place(run), inputs, matrix)
    }

    /// The same where a run begins at a place.
    pub(crate) fn begin_at(
        &self,
        here: &Place,
        inputs: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<(), AnalysisError> {
        if !self.is_plain(&here.course) && matrix.ncols() > 0 {
            let tangent = self.tangent(&here.course.mode, &here.state, inputs)?;
            let kept = &tangent * tangent.tr_mul(matrix);
            if (&kept - &*matrix).amax() > 0.0 {
                self.check_weightless(here, inputs)?;
            }
            *matrix = kept;
        }
        Ok(())
    }

    /// Where a run is.
    pub(crate) fn place(&self, run: &Run<'_>) -> Place {
        Place::new(run.state().clone(), self.course(run))
    }

    /// Takes a run to a time; what happens on the way.
    pub(crate) fn follow(&self, run: &mut Run<'s>, t: f64) -> Result<Vec<Instant>, AnalysisError> {
        let instants = self.observed(run, t)?;
        match run.end() {
            Some(end) if run.t() < t => Err(AnalysisError::Ended { end: end.to_string() }),
            _ => Ok(instants),
        }
    }

    /// The same to what ends it, where that comes first.
    pub(crate) fn observed(
        &self,
        run: &mut Run<'s>,
        t: f64,
    ) -> Result<Vec<Instant>, AnalysisError> {
        let (mut instants, mut seen, mut last) = (Vec::new(), run.event_count(), self.course(run));
        let _ = run.advance_observed(t, |run, _| {
            if let Some(instant) = self.instant(run, seen, &last) {
                last.clone_from(&instant.course);
                instants.push(instant);
            }
            seen = run.event_count();
            self.look()
        });
        self.check(run.t())?;
        Ok(instants)
    }

    /// Carries variations, the columns of `matrix`, from where a run is to a time. What happens on the way.
    pub(crate) fn advance(
        &self,
        run: &mut Run<'s>,
        inputs: &[f64],
        t: f64,
        matrix: &mut DMatrix<f64>,
    ) -> Result<Vec<Instant>, AnalysisError> {
        let from = self.place(run);
        let instants = self.follow(run, t)?;
        let last = self.through(&instants, (from.state.t, from), inputs, matrix)?;
        let _ = self.arc(&last, inputs, t, matrix)?;
        Ok(instants)
    }

    /// Carries variations through instants, of a motion since its start, from a place; where the last of them leads.
    pub(crate) fn through(
        &self,
        instants: &[Instant],
        (since, from): (f64, Place),
        inputs: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<Place, AnalysisError> {
        self.through_after(None, instants, (since, from), inputs, matrix).map(|(place, _)| place)
    }

    /// The same behind a jump; and the last jump then.
    pub(crate) fn through_after<'i>(
        &self,
        mut jump: Option<&'i Event>,
        instants: &'i [Instant],
        (since, from): (f64, Place),
        inputs: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<(Place, Option<&'i Event>), AnalysisError> {
        let mut at = from;
        for instant in instants {
            jump = self.check_apart(jump, &instant.events, (since, &at.course, inputs))?;
            let course = instant.course.clone();
            if self.is_plain(&at.course) && self.is_plain(&course) {
                for event in &instant.events {
                    let (_, sides) = self.arc_on_sides(&at, inputs, event.t, matrix)?;
                    if let Some(saltation) = self.saltation(event, sides.as_deref(), inputs)? {
                        saltation.apply(matrix);
                    }
                    let [_, (q, v)] = event.sides();
                    at.state = State::new(event.t, q, v);
                }
                at.course = course;
                continue;
            }
            if let Some(term) = self.stops_in_plane(&at, instant) {
                self.stop(&at, (instant, term), inputs, matrix)?;
                at = Place::new(instant.after.clone(), course);
                continue;
            }
            if let Some(term) = self.starts_in_plane(&at.course, instant) {
                self.arc(&at, inputs, instant.before.t, matrix)?;
                let onset = self.onset((instant, term), &at.course, inputs, matrix)?;
                at = Place { onset: Some(onset), ..Place::new(instant.after.clone(), course) };
                continue;
            }
            let saltation = self.leap(instant, &at.course, inputs)?;
            self.arc(&at, inputs, instant.before.t, matrix)?;
            if let Some(saltation) = saltation {
                saltation.apply(matrix);
            }
            at = Place::new(instant.after.clone(), course);
        }
        Ok((at, jump))
    }

    /// Carries variations along a smooth arc to a time; where its copy comes to.
    pub(crate) fn arc(
        &self,
        from: &Place,
        inputs: &[f64],
        t: f64,
        matrix: &mut DMatrix<f64>,
    ) -> Result<State, AnalysisError> {
        self.arc_on_sides(from, inputs, t, matrix).map(|(state, _)| state)
    }

    /// The same with the sides of the jumps of forces on which it ends, in free motion with such.
    pub(crate) fn arc_on_sides(
        &self,
        from: &Place,
        inputs: &[f64],
        t: f64,
        matrix: &mut DMatrix<f64>,
    ) -> Result<(State, Option<Vec<f64>>), AnalysisError> {
        if t <= from.state.t || matrix.ncols() == 0 {
            return match from.onset {
                Some(_) if matrix.ncols() > 0 => Err(AnalysisError::NotSmooth {
                    why: format!("at t = {t}, a slip in a plane is just about to begin"),
                }),
                _ if matrix.ncols() > 0 && self.is_plain(&from.course) => {
                    Ok((from.state.clone(), self.leaving(&from.state, inputs)?))
                }
                _ => Ok((from.state.clone(), None)),
            };
        }
        let course = &from.course;
        let mut held = if self.is_plain(course) { None } else { Some(self.held(course)?) };
        if let Some(held) = held.as_mut().filter(|_| from.onset.is_none()) {
            self.check_edges(from, held, inputs, matrix)?;
        }
        let from = match &from.onset {
            Some(onset) => &self.slide_off(from, onset, (inputs, t), matrix)?,
            None => &from.state,
        };
        if let (None, Some(jumps)) = (&held, &self.jumps) {
            let (state, sides) = self.arc_with_jumps(jumps, (from, t), inputs, matrix)?;
            return Ok((state, Some(sides)));
        }
        let field = held.map_or_else(|| Field::free(&self.programs), Field::held);
        let extended = Extended::new(&self.programs, field, matrix.ncols(), &self.seeds);
        let turning = self.slips_in_a_plane(course);
        let ends = turning.is_empty() && self.jumps.is_none();
        let sampling = if ends { Sampling::Ends } else { Sampling::Steps };
        let options = Options { sampling, ..arc_options(t) };
        let start = Extended::state(from, matrix);
        let found = simulate(&extended, &start, inputs, &options, &mut |_| self.look())?;
        self.check(found.end.t())?;
        let end = found.end.to_string();
        let Some(last) = found.samples.last().filter(|state| state.t >= t) else {
            return Err(extended.refused().unwrap_or(AnalysisError::Ended { end }));
        };
        self.check_turns(&turning, &found.samples, inputs)?;
        self.check_jumps(&found.samples, inputs)?;
        extended.read(last, matrix);
        let (q, v) = (&last.q[..from.q.len()], &last.v[..from.v.len()]);
        Ok((State::new(last.t, q, v), None))
    }
}

/// How arcs are integrated, up to a time.
pub(crate) fn arc_options(t: f64) -> Options {
    Options {
        method: Method::RungeKutta,
        relative_tolerance: RELATIVE_TOLERANCE,
        absolute_tolerance: AbsoluteTolerance::All(ABSOLUTE_TOLERANCE),
        sampling: Sampling::Ends,
        until_time: Some(t),
        ..Options::default()
    }
}

impl std::fmt::Debug for Variations<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Variations")
            .field("system", &self.programs.info.name)
            .finish_non_exhaustive()
    }
}
