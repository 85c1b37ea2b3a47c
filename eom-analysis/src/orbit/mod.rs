//! Periodic orbits: fixed points of a return map, found by Newton's method, with their multipliers.
//!
//! ```text
//! P: the state when the section is met again ↦ DP          E (P(y) − y) = 0,  σ(y) = 0,  φ = 0,  A v + b = 0
//! multipliers: the eigenvalues of DP along the section and the constraints, on what returns
//! ```
//!
//! E takes the entries that have to return: those on which the motion depends, so that what rolls on may do so. An angle
//! returns where it has made whole turns.

mod closing;
pub(crate) mod diagram;
mod drive;
pub(crate) mod section;
pub(crate) mod sizes;

use crate::error::AnalysisError;
use crate::linear::eigen::{NEUTRAL, by_size, eigenvalues};
use crate::linear::scaled::mutual;
use crate::linear::stability::uncertainties;
use crate::names::{Entry, entries, list};
use crate::space::StateSpace;
use crate::variation::Variations;
use crate::variation::course::{Course, Instant};
use eom_core::span::{basis, kernel, least};
use eom_core::{End, Event, EventKind, Options, Run, State};
use nalgebra::{Complex, DMatrix, DVector};

/// Steps of Newton's method, how often one that leads nowhere is halved, and the relative step that ends it.
const STEPS_MAX: usize = 40;
const HALVINGS_MAX: usize = 12;
const CONVERGED: f64 = 1e-12;

/// A step is at most so many times the largest entry of the state and its return, and is made shorter where it leads so many
/// times further off than the nearest return so far: from a chaotic motion it may lead to where a run takes for ever.
const FURTHER: f64 = 10.0;

/// Steps onto the conditions of a start, and how far off them, beside the largest entry, is rounding.
const SETTLING_MAX: usize = 8;
const SETTLED: f64 = 1e-14;

/// An event this near to the start, in time and in state, is that of the section that the start is on.
const AT_START: f64 = 1e-12;

/// Relative distance at which an orbit counts as closed.
pub(crate) const CLOSED: f64 = 1e-9;

/// Toward rest at 0 this part of the guess is rounding.
const ROUNDING: f64 = 1e-15;

/// A search of so many steps, the last of which is still this part of the longest, has not arrived where a return is off by more
/// than so many times its rounding: far away, where nearly nothing moves, it is off by little.
const FEW: usize = 3;
const ARRIVED: f64 = 0.1;
const OFF: f64 = 100.0;

/// A return that takes longer than this is given up, unless the run itself is longer.
const LONGEST: f64 = 1e4;

/// Returns after less than this part of the longest time come ever sooner.
const SHORT: f64 = 1e-2;

/// The part of a return map that is rounding.
const RETURNED: f64 = 1e-13;

/// Multipliers that are on the circle several times over are so within this.
const SEVERAL: f64 = 1e-5;

/// What a return map is taken on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Section {
    /// Just after so many impacts of a contact.
    Impacts {
        /// Index of the contact.
        contact: usize,
        /// How many.
        count: usize,
    },
    /// After so many declared events.
    Events {
        /// Index of the event.
        event: usize,
        /// How many.
        count: usize,
    },
    /// After this time: for systems that are driven with that period.
    Period(f64),
}

/// A return to a section.
#[derive(Debug, Clone, PartialEq)]
pub struct Return {
    /// The state there.
    pub state: State,
    /// How it changes with the start, (nq + m)².
    pub matrix: DMatrix<f64>,
    /// The events on the way, that of the section included.
    pub events: Vec<Event>,
    /// What happens at the section, and how the motion comes to it; nothing of a period.
    pub(crate) arrival: Option<(Instant, Course)>,
    /// Whether all of it is free motion, without dry friction.
    pub(crate) is_plain: bool,
}

/// A periodic orbit.
#[derive(Debug, Clone, PartialEq)]
pub struct Orbit {
    /// Its state on the section.
    pub state: State,
    /// How long it takes.
    pub period: f64,
    /// The multipliers, the largest first; of those that are as large but for rounding that with the largest real part.
    pub multipliers: Vec<Complex<f64>>,
    /// How far rounding moves them, of a map that is even.
    pub rounding: f64,
    /// How far rounding moves each of them: of one that is there k times with one vector that is the kth root.
    pub uncertainties: Vec<f64>,
    /// The entries that return.
    pub entries: Vec<Entry>,
    /// The largest distance between the start and the return.
    pub residual: f64,
    /// The steps of Newton's method.
    pub steps: usize,
}

/// Multipliers, and how far rounding moves each of them.
type Multipliers = (Vec<Complex<f64>>, Vec<f64>);

/// The time at which a return from t is given up: that of the options, and at least so long after t.
pub fn latest_return(t: f64, options: &Options) -> f64 {
    options.until_time.unwrap_or(t).max(t + LONGEST)
}

impl Orbit {
    /// Whether small deviations die out: all multipliers are within the unit circle. Nothing where they do not decide it: on
    /// the circle to rounding, and none outside.
    pub fn is_stable(&self) -> Option<bool> {
        let beyond =
            || self.multipliers.iter().map(|multiplier| multiplier.norm_sqr().sqrt() - 1.0);
        // Those that are one several times over are told to a root of rounding only.
        let near = beyond().filter(|beyond| beyond.abs() <= SEVERAL).count();
        let rounding = if near > 1 { SEVERAL } else { NEUTRAL };
        if beyond().any(|beyond| beyond > rounding) {
            return Some(false);
        }
        beyond().all(|beyond| beyond < -rounding).then_some(true)
    }
}

impl Variations<'_> {
    /// The first return from a start to a section. The options say when to give up: `until_time`, `steps_max`.
    ///
    /// # Errors
    /// A run that ends before, and what has no derivative.
    pub fn first_return(
        &self,
        start: &State,
        inputs: &[f64],
        options: &Options,
        section: Section,
    ) -> Result<Return, AnalysisError> {
        let size = start.q.len() + start.v.len();
        self.returned((start, inputs, options), section, DMatrix::identity(size, size))
    }

    /// The same with the variations that are the columns of a matrix.
    pub(crate) fn returned(
        &self,
        (start, inputs, options): (&State, &[f64], &Options),
        section: Section,
        mut matrix: DMatrix<f64>,
    ) -> Result<Return, AnalysisError> {
        self.check_section(section)?;
        // A period says how long it lasts.
        let is_longer = |t: f64| matches!(section, Section::Period(period) if t < start.t + period);
        let until_time = options.until_time.filter(|t| !is_longer(*t));
        let mut run = self.run(start, inputs, &Options { until_time, ..options.clone() })?;
        self.begin(&run, inputs, &mut matrix)?;
        if let Section::Period(period) = section {
            let first = run.event_count();
            self.advance(&mut run, inputs, start.t + period, &mut matrix)?;
            let events = run.events_since(first).to_vec();
            let (state, is_plain) = (run.state().clone(), true);
            let mut found = Return { state, matrix, events, arrival: None, is_plain };
            self.keep_signs(start, &mut found);
            return Ok(found);
        }
        let from = self.place(&run);
        let (mut instants, mut met) = (Vec::<Instant>::new(), 0);
        let (mut seen, mut course) = (run.event_count(), from.course.clone());
        while met < section.count() {
            let ended = run.step().is_break();
            if let Some(mut instant) = self.instant(&run, seen, &course) {
                let is_met = |event: &Event| section.is_met(event) && !is_at(event, &from.state);
                met += instant.meet(section.count() - met, is_met);
                course.clone_from(&instant.course);
                instants.push(instant);
            }
            seen = run.event_count();
            self.check(run.t())?;
            if ended && met < section.count() {
                return Err(self.no_return(&run, start, section));
            }
        }
        let Some(last) = instants.pop() else {
            return Err(AnalysisError::Ended { end: "no event".to_owned() });
        };
        let events = instants.iter().chain([&last]).flat_map(Instant::up_to_section);
        let events = events.cloned().collect();
        let course = instants.last().map_or(&from.course, |instant| &instant.course).clone();
        let mut courses = instants.iter().map(|instant| &instant.course);
        let is_plain = self.is_plain(&from.course) && courses.all(|course| self.is_plain(course));
        let since = from.state.t;
        let mut at = self.through(&instants, (since, from), inputs, &mut matrix)?;
        self.check_apart(None, last.up_to_section(), (since, &course, inputs))?;
        let (earlier, last) = self.split(last, &course);
        if let Some(earlier) = earlier {
            at = self.through(&[earlier], (since, at), inputs, &mut matrix)?;
        }
        let (_, coming) = self.arc_on_sides(&at, inputs, last.before.t, &mut matrix)?;
        let last = Instant { coming, ..last };
        let onto = self.onto_section((&last, &course), inputs)?;
        let (state, matrix) = (last.after.clone(), onto * matrix);
        let mut found = Return { state, matrix, events, arrival: Some((last, course)), is_plain };
        self.keep_signs(start, &mut found);
        Ok(found)
    }

    /// The periodic orbit near a guess: a state on the section just after its event, or one that comes to it.
    ///
    /// # Errors
    /// Those of [`Variations::first_return`], and where Newton's method does not converge.
    pub fn orbit(
        &self,
        guess: &State,
        inputs: &[f64],
        options: &Options,
        section: Section,
    ) -> Result<Orbit, AnalysisError> {
        if !matches!(section, Section::Period(_)) {
            self.check_autonomy()?;
        }
        let found = self.orbit_from(guess, inputs, options, section);
        if let (Section::Period(period), Ok(orbit)) = (section, &found) {
            self.check_drive(&orbit.state, inputs, period)?;
        }
        if found.is_ok() || matches!(section, Section::Period(_)) {
            return found;
        }
        // What sticks or rests at the guess holds it back, and of a family it is no member; where it comes to the section it
        // may be.
        let Ok(arrival) = self.first_return(guess, inputs, options, section) else { return found };
        match self.orbit_from(&arrival.state, inputs, options, section) {
            Err(still @ AnalysisError::NotClosed { .. }) => Err(still),
            // What the guess itself lacks says less than where the search came to.
            Err(strayed @ AnalysisError::Strayed { .. })
                if matches!(found, Err(AnalysisError::NotSmooth { .. })) =>
            {
                Err(strayed)
            }
            other => other.or(found),
        }
    }

    /// The same by Newton's method from a guess.
    fn orbit_from(
        &self,
        guess: &State,
        inputs: &[f64],
        options: &Options,
        section: Section,
    ) -> Result<Orbit, AnalysisError> {
        self.check_section(section)?;
        let space = self.space_of(guess, inputs);
        let all = &space.entries;
        let mut state = guess.clone();
        let mut last: Option<(State, DVector<f64>, usize)> = None;
        let mut nearest = f64::INFINITY;
        let (mut lengths, mut first, mut options) = ([0.0_f64; 2], 0.0_f64, options.clone());
        for steps in 0..STEPS_MAX {
            let tried = self.settled(&space, &mut state, inputs, section).and_then(|around| {
                let found = self.first_return(&state, inputs, &options, section)?;
                Ok((around, found))
            });
            let off =
                tried.as_ref().map_or(f64::INFINITY, |(_, found)| self.apart(&state, found).amax());
            let is_interrupted = matches!(tried, Err(AnalysisError::Interrupted { .. }));
            let (around, found) = match (tried, &mut last) {
                // A step to where no return begins, as behind a contact, is made shorter.
                (_, Some((from, step, halvings)))
                    if *halvings < HALVINGS_MAX && off > FURTHER * nearest && !is_interrupted =>
                {
                    *step *= 0.5;
                    *halvings += 1;
                    state.clone_from(from);
                    space.displace(&mut state, step);
                    continue;
                }
                (Err(error), Some(_)) if !is_interrupted => {
                    return Err(AnalysisError::Strayed { steps, why: error.to_string() });
                }
                (tried, _) => tried?,
            };
            nearest = nearest.min(off);
            let (residual, matrix) = self.closure(&state, &found, &around);
            let closed = residual.rows(0, self.relevant.len()).into_owned();
            let sizes = self.sizes(&state, &found, &closed);
            // What is small returns nearer than the first tolerance tells.
            if sizes.refine(&mut options) && last.is_none() {
                continue;
            }
            let step = sizes.step(&state, (residual, matrix), &around)?;
            let period = found.state.t - state.t;
            first = first.max(period);
            let floor = ROUNDING * sizes.largest(guess);
            if step.length <= (CONVERGED * step.size).max(floor)
                && sizes.part(&closed)
                    <= CLOSED.max(floor).max((step.rounding / OFF).min(10.0 * CLOSED))
            {
                let [longest, last] = lengths;
                if steps >= FEW && last > ARRIVED * longest && step.off > OFF * step.rounding {
                    let residuals = format!("steps of {last:.1e} that become no shorter");
                    return Err(AnalysisError::NotFound { steps, residuals });
                }
                if !matches!(section, Section::Period(_)) {
                    let off: Vec<_> =
                        self.relevant.iter().copied().zip(closed.iter().copied()).collect();
                    self.check_closing((&state, inputs, &options), period, &off)?;
                }
                let units = sizes.of_entries();
                let of = (&around, &found, &units[..]);
                let ((multipliers, uncertainties), rounding) =
                    self.multipliers(&space, of, inputs, section)?;
                return Ok(Orbit {
                    period,
                    multipliers,
                    rounding,
                    uncertainties,
                    entries: self.relevant.iter().map(|place| all[*place].clone()).collect(),
                    residual: closed.amax(),
                    steps,
                    state,
                });
            }
            let size = sizes.largest(&state).max(sizes.largest(&found.state));
            let part = (FURTHER * size / step.length).min(1.0);
            let length = part * step.length;
            lengths = [lengths[0].max(length), length];
            let step = step.by * part;
            last = Some((state.clone(), step.clone(), 0));
            space.displace(&mut state, &step);
        }
        // The last step may lead to where no return begins: then the state before it tells.
        let found = match (self.first_return(&state, inputs, &options, section), last) {
            (Err(error), Some((before, ..)))
                if !matches!(error, AnalysisError::Interrupted { .. }) =>
            {
                state = before;
                self.first_return(&state, inputs, &options, section)?
            }
            (found, _) => found?,
        };
        let left = self.difference(&state, &found);
        let period = found.state.t - state.t;
        if period < SHORT * first {
            let off: Vec<_> = self.relevant.iter().copied().zip(left.iter().copied()).collect();
            self.check_closing((&state, inputs, &options), period, &off)?;
        }
        let left = self.relevant.iter().zip(left.iter()).map(|(i, off)| (&all[*i].name, off));
        let residuals =
            left.map(|(name, off)| format!("{name}: {off:.3e}")).collect::<Vec<_>>().join(", ");
        Err(AnalysisError::NotFound { steps: STEPS_MAX, residuals })
    }

    /// The residual of an orbit with its conditions, and its derivative by (ξ, η).
    pub(crate) fn closure(
        &self,
        state: &State,
        found: &Return,
        around: &Around,
    ) -> (DVector<f64>, DMatrix<f64>) {
        let size = state.q.len() + state.v.len();
        let difference = self.difference(state, found);
        let turn = (&found.matrix - DMatrix::identity(size, size)).select_rows(&self.relevant);
        let (count, more) = (difference.len(), around.values.len());
        let mut residual = DVector::zeros(count + more);
        residual.rows_mut(0, count).copy_from(&difference);
        residual.rows_mut(count, more).copy_from(&around.values);
        let mut matrix = DMatrix::zeros(count + more, around.map.ncols());
        matrix.rows_mut(0, count).copy_from(&(turn * &around.map));
        matrix.rows_mut(count, more).copy_from(&around.conditions);
        (residual, matrix)
    }

    /// Moves a state onto its conditions, the shortest way: a run starts on its constraints, and a step of Newton's
    /// method for a return leaves them by its square.
    pub(crate) fn settled(
        &self,
        space: &StateSpace<'_>,
        state: &mut State,
        inputs: &[f64],
        section: Section,
    ) -> Result<Around, AnalysisError> {
        for _ in 0..SETTLING_MAX {
            let around = self.around(space, state, inputs, section)?;
            let scale = state.q.iter().chain(&state.v).fold(0.0_f64, |size, x| size.max(x.abs()));
            if around.values.is_empty() || around.values.amax() <= SETTLED * scale {
                return Ok(around);
            }
            let Some(step) = least(&around.conditions, &-&around.values) else { return Ok(around) };
            space.displace(state, &(&around.map * step));
        }
        self.around(space, state, inputs, section)
    }

    /// The conditions at a state.
    pub(crate) fn around(
        &self,
        space: &StateSpace<'_>,
        state: &State,
        inputs: &[f64],
        section: Section,
    ) -> Result<Around, AnalysisError> {
        // Of the motion nothing: a force may jump there, or what rests begin to slide.
        let local = space.held(state, inputs)?;
        let (map, constraints) = (space.displacement(&local), space.conditions(&local));
        let met = self.section(state, inputs, section)?;
        let values = met.iter().map(|(value, _)| value);
        let values = values.chain(local.holonomic.iter()).chain(local.residual.iter());
        let values: Vec<f64> = values.copied().collect();
        let mut conditions = DMatrix::zeros(values.len(), map.ncols());
        let first = usize::from(met.is_some());
        if let Some((_, row)) = &met {
            conditions.rows_mut(0, 1).copy_from(&(row * &map));
        }
        conditions.rows_mut(first, constraints.nrows()).copy_from(&constraints);
        Ok(Around { values: DVector::from_vec(values), conditions, map })
    }

    /// Why a run that has ended did not come to a section.
    fn no_return(&self, run: &Run<'_>, start: &State, section: Section) -> AnalysisError {
        let name = match section {
            Section::Impacts { contact, .. } => self.programs.info.contacts[contact].name,
            Section::Events { event, .. } => self.programs.info.events[event].name,
            Section::Period(_) => "",
        };
        let Some(End::ReachedTime { t }) = run.end() else {
            let end = run.end().map_or_else(String::new, ToString::to_string);
            return AnalysisError::Ended { end };
        };
        let values = start.q.iter().chain(&start.v);
        let entries = entries(self.programs.info);
        let told =
            entries.iter().zip(values).map(|(entry, value)| format!("{} = {value}", entry.name));
        let told: Vec<String> = told.collect();
        let rests = run.state().v.iter().all(|v| *v == 0.0);
        AnalysisError::NoReturn {
            from: list(told.iter().map(String::as_str)),
            section: name.to_owned(),
            t: *t,
            why: if rests {
                "it rests".to_owned()
            } else {
                format!("it is waited for as long as the scenario lasts, at least {LONGEST}")
            },
        }
    }

    /// Where the event of the section leads to: its image of the directions before it. Names that were exchanged and
    /// resets lead away from σ = 0.
    fn image(
        &self,
        space: &StateSpace<'_>,
        found: &Return,
        inputs: &[f64],
        section: Section,
    ) -> Result<DMatrix<f64>, AnalysisError> {
        let Some((instant, course)) = &found.arrival else {
            return Err(AnalysisError::Ended { end: "no event".to_owned() });
        };
        let coming = self.space(course.mode.clone());
        let space = if self.is_plain(course) { space } else { &coming };
        let around = self.around(space, &instant.before, inputs, section)?;
        let mut image = self.onto_section((instant, course), inputs)? * around.directions();
        self.turn_signs((&found.state, &instant.after), &mut image);
        Ok(image)
    }

    /// The derivative of the return map along the section and the constraints, where rows hold in units of the entries that
    /// return; its eigenvalues are the multipliers, but for those of directions that are lost.
    pub(crate) fn turn(
        &self,
        space: &StateSpace<'_>,
        (around, found, units): (&Around, &Return, &[f64]),
        inputs: &[f64],
        section: Section,
    ) -> Result<DMatrix<f64>, AnalysisError> {
        let is_free = found.is_plain && self.programs.info.rows.is_empty();
        let directions = match section {
            Section::Period(_) => around.directions(),
            _ if is_free => self.image(space, found, inputs, section)?,
            // Directions that are lost on the way, or lead off the constraints, are none.
            _ => &found.matrix * self.image(space, found, inputs, section)?,
        };
        let mut directions = directions.select_rows(&self.relevant);
        let mut turn = found.matrix.select_rows(&self.relevant).select_columns(&self.relevant);
        let units = if is_free { mutual(&turn) } else { units.to_vec() };
        for (i, unit) in units.iter().enumerate() {
            turn.row_mut(i).unscale_mut(*unit);
            turn.column_mut(i).scale_mut(*unit);
        }
        directions.row_iter_mut().zip(&units).for_each(|(mut row, unit)| row /= *unit);
        let directions = basis(&directions);
        Ok(directions.transpose() * turn * &directions)
    }

    /// The multipliers of a return, and how far rounding moves those of a map that is even.
    fn multipliers(
        &self,
        space: &StateSpace<'_>,
        (around, found, units): (&Around, &Return, &[f64]),
        inputs: &[f64],
        section: Section,
    ) -> Result<(Multipliers, f64), AnalysisError> {
        let turn = self.turn(space, (around, found, units), inputs, section)?;
        let rounding = RETURNED * turn.norm();
        let doubt = DMatrix::from_element(turn.nrows(), turn.ncols(), rounding);
        let mut all = eigenvalues(&turn)?;
        by_size(&mut all);
        let mut uncertainties = uncertainties((&turn, &doubt), &all)?;
        let lost = self.lost(space, (found, units, turn.ncols()), inputs, section)?;
        all.resize(all.len() + lost, Complex::new(0.0, 0.0));
        uncertainties.resize(all.len(), rounding);
        Ok(((all, uncertainties), rounding))
    }

    /// How many directions along the section are lost where contacts close and friction sticks on the way to the next
    /// return, where so many are left.
    fn lost(
        &self,
        space: &StateSpace<'_>,
        (found, units, left): (&Return, &[f64], usize),
        inputs: &[f64],
        section: Section,
    ) -> Result<usize, AnalysisError> {
        if found.is_plain || found.arrival.is_none() {
            return Ok(0);
        }
        let mut image = self.image(space, found, inputs, section)?.select_rows(&self.relevant);
        image.row_iter_mut().zip(units).for_each(|(mut row, unit)| row /= *unit);
        Ok(basis(&image).ncols().saturating_sub(left))
    }
}

/// Whether an event is that of the section at a start, which is on it but for rounding.
fn is_at(event: &Event, start: &State) -> bool {
    let [(q, v), _] = event.sides();
    let size = start.q.iter().chain(&start.v).fold(0.0_f64, |size, x| size.max(x.abs()));
    let pairs = q.iter().zip(&start.q).chain(v.iter().zip(&start.v));
    let off = pairs.map(|(x, from)| (x - from).abs()).fold(0.0, f64::max);
    matches!(event.kind, EventKind::Declared { .. })
        && event.t - start.t <= AT_START * (1.0 + start.t.abs())
        && off <= AT_START * size
}

/// What holds at a start beside the return: σ, φ and A v + b.
pub(crate) struct Around {
    pub(crate) values: DVector<f64>,
    /// Their derivatives by (ξ, η).
    conditions: DMatrix<f64>,
    /// δy of (ξ, η).
    pub(crate) map: DMatrix<f64>,
}

impl Around {
    /// δy along the conditions.
    fn directions(&self) -> DMatrix<f64> {
        &self.map * kernel(&self.conditions)
    }
}
