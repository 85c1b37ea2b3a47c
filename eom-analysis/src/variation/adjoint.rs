//! Gradients of an outcome by one sweep backwards, and sensitivities to parameters and inputs forwards.
//!
//! ```text
//! forwards     δẏ = ∂f/∂y δy + ∂f/∂p δp          at an event δy⁺ = S δy⁻ + S_p δp
//! backwards    λ̇ = −(∂f/∂y)ᵀ λ, μ̇ = −(∂f/∂p)ᵀ λ          at an event λ⁻ = Sᵀ λ⁺, μ⁻ = μ⁺ + S_pᵀ λ⁺
//! outcome      λ(T) = ∂φ/∂y: λ(t₀) is its derivative by the start, μ(t₀) by p
//! ```
//!
//! S is the saltation. While contacts are closed, dry friction acts, or forces may jump, an arc is carried forwards by all of δy and δp, and
//! transposed: λ⁻ = Φᵀ λ⁺, μ⁻ = μ⁺ + Φ_pᵀ λ⁺. Elsewhere the motion is followed from the steps of the run forwards, each on its own, so that what
//! dies out forwards does not grow. A parameter is changed alone: others whose defaults are computed from it stay.

use super::course::{Course, Instant, Place};
use super::extended::{Extended, Field, NO_ENERGY, described, write_unit_mass};
use super::{Transition, Variations, arc_options};
use crate::error::AnalysisError;
use crate::names::list;
use crate::tapes::Tapes;
use crate::tapes::reverse::Reverse;
use eom_core::info::SystemInfo;
use eom_core::system::{Contacts, Events, Friction, Specialised};
use eom_core::{Energy, Event, Options, Sampling, StartError, State, System, simulate};
use nalgebra::{DMatrix, DVector};
use std::sync::{Mutex, PoisonError};

/// The motion followed backwards over a step returns to where it began within this part of its size.
const RETURNS: f64 = 1e-7;

/// How an outcome changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Gradient {
    /// Where the motion ends.
    pub state: State,
    /// The events on the way.
    pub events: Vec<Event>,
    /// The friction that begins to slide at the start: derivatives by the start are of the side to which it does.
    pub one_sided: Vec<&'static str>,
    /// With the start, in the order of y = (q, v).
    pub by_start: DVector<f64>,
    /// With the inputs.
    pub by_inputs: DVector<f64>,
    /// With the parameters.
    pub by_parameters: DVector<f64>,
}

/// Refuses other than a weight for each entry of the state.
pub(crate) fn check_outcome(expected: usize, outcome: &DVector<f64>) -> Result<(), AnalysisError> {
    let (what, found) = ("the outcome", outcome.len());
    let right = found == expected;
    right.then_some(()).ok_or_else(|| StartError::Length { what, expected, found }.into())
}

/// The columns of derivatives by these names, or why there is none.
pub(crate) fn each(
    by: &[&str],
    of: impl Fn(&[&str]) -> Result<DMatrix<f64>, AnalysisError>,
) -> Result<Vec<Result<DVector<f64>, AnalysisError>>, AnalysisError> {
    let columns = |names: &[&str]| match of(names) {
        Ok(found) => Ok(Ok(found)),
        Err(stopped @ AnalysisError::Interrupted { .. }) => Err(stopped),
        Err(error) => Ok(Err(error)),
    };
    if let Ok(all) = columns(by)? {
        return Ok(all.column_iter().map(|column| Ok(column.into_owned())).collect());
    }
    let alone = |name: &&str| Ok(columns(&[*name])?.map(|one| one.column(0).into_owned()));
    by.iter().map(alone).collect()
}

impl Variations<'_> {
    /// The motion to a time t, and ∂y(t)/∂p for parameters and inputs of these names: the columns.
    ///
    /// # Errors
    /// Those of [`Variations::transition`], a name that is not there, and a law of impact whose change is not known.
    pub fn sensitivities(
        &self,
        start: &State,
        inputs: &[f64],
        options: &Options,
        t: f64,
        by: &[&str],
    ) -> Result<Transition, AnalysisError> {
        let seeds = self.seeds_of(by)?;
        let n = start.q.len() + start.v.len();
        self.seeded(seeds).carried((start, inputs, options), t, DMatrix::zeros(n, by.len()))
    }

    /// A column for each of these parameters and inputs: a change of it alone.
    pub(crate) fn seeds_of(&self, by: &[&str]) -> Result<DMatrix<f64>, AnalysisError> {
        let info = self.programs.info;
        let all = info.inputs.iter().map(|input| (input.name, input.ascii));
        let all = all.chain(info.parameters.iter().map(|known| (known.name, known.ascii)));
        let all: Vec<(&str, &str)> = all.collect();
        let mut seeds = DMatrix::zeros(all.len(), by.len());
        for (column, name) in by.iter().enumerate() {
            let place = all.iter().position(|(known, ascii)| known == name || ascii == name);
            let place = place.ok_or_else(|| AnalysisError::NoSuchEntry {
                name: (*name).to_owned(),
                known: list(all.iter().map(|(known, _)| *known)),
            })?;
            seeds[(place, column)] = 1.0;
        }
        Ok(seeds)
    }

    /// ∂y(t)/∂p for each of these parameters and inputs, or why there is none: that of one does not depend on that of others.
    ///
    /// # Errors
    /// Where somebody has had enough of it.
    pub fn sensitivities_of_each(
        &self,
        start: &State,
        inputs: &[f64],
        options: &Options,
        t: f64,
        by: &[&str],
    ) -> Result<Vec<Result<DVector<f64>, AnalysisError>>, AnalysisError> {
        each(by, |names| Ok(self.sensitivities(start, inputs, options, t, names)?.matrix))
    }

    /// The gradient of an outcome φ(y(t)) by the start, the inputs and the parameters, from ∂φ/∂y at the end. Directions
    /// that leave the constraints of the start are directions of no motion.
    ///
    /// # Errors
    /// Those of [`Variations::sensitivities`] for all parameters.
    pub fn gradient(
        &self,
        start: &State,
        inputs: &[f64],
        options: &Options,
        t: f64,
        outcome: &DVector<f64>,
    ) -> Result<Gradient, AnalysisError> {
        let (n, r) = (start.q.len() + start.v.len(), self.programs.info.inputs.len());
        check_outcome(n, outcome)?;
        let seeds = r + self.programs.info.parameters.len();
        let mut run = self.run(start, inputs, options)?;
        let from = self.place(&run);
        let one_sided = self.one_sided(&from, inputs);
        let instants = self.follow(&mut run, t)?;
        let (all, pieces) = self.pieces(&instants, from, (inputs, t))?;
        let events: Vec<Event> = instants.into_iter().flat_map(|instant| instant.events).collect();
        if t > start.t {
            self.check_end(&events, (start.t, &self.place(&run)), inputs)?;
        }
        let mut back = Backwards { λ: outcome.clone(), μ: DVector::zeros(seeds) };
        let mut mapped = DVector::zeros(seeds);
        for piece in pieces.iter().rev() {
            match piece {
                Piece::Free { from, t } => self.back(from, *t, inputs, &mut back)?,
                Piece::Map(matrix) => {
                    mapped += matrix.columns(n, seeds).tr_mul(&back.λ);
                    back.λ = matrix.columns(0, n).tr_mul(&back.λ);
                }
            }
        }
        let Backwards { λ: by_start, μ } = back;
        let μ = mapped + all.columns(n, seeds).tr_mul(&μ);
        let (by_inputs, by_parameters) =
            (μ.rows(0, r).into_owned(), μ.rows(r, seeds - r).into_owned());
        let state = run.state().clone();
        Ok(Gradient { state, events, one_sided, by_start, by_inputs, by_parameters })
    }

    /// Whether motion along a course is followed backwards: it is free, and its forces do not jump.
    fn flies(&self, course: &Course) -> bool {
        self.jumps.is_none() && self.is_plain(course)
    }

    /// A motion to a time t in pieces: arcs of free motion, and what events and the motion between two of them make of
    /// variations. While contacts are closed that is one piece: within it not every δy is a direction of the motion. Before
    /// them how inputs and parameters change with δy and the parameters.
    fn pieces(
        &self,
        instants: &[Instant],
        mut at: Place,
        (inputs, t): (&[f64], f64),
    ) -> Result<(DMatrix<f64>, Vec<Piece>), AnalysisError> {
        let n = at.state.q.len() + at.state.v.len();
        let seeds = self.programs.info.inputs.len() + self.programs.info.parameters.len();
        let unit = |rows: usize, first: usize| {
            let entry = |i: usize, j: usize| f64::from(u8::from(j == i + first));
            DMatrix::from_fn(rows, n + seeds, entry)
        };
        let (seeds, start) = self.seeded(unit(seeds, n)).moved_start(&at, inputs)?;
        let (all, one) = (self.seeded(seeds), unit(n, 0));
        let (mut pieces, mut open) = (Vec::new(), None);
        let (mut first, mut jump) = (one.clone(), None);
        self.begin_at(&at, inputs, &mut first)?;
        first += start;
        if self.flies(&at.course) {
            pieces.push(Piece::Map(first));
        } else {
            open = Some(first);
        }
        let since = at.state.t;
        for instant in instants {
            jump = self.check_apart(jump, &instant.events, (since, &at.course, inputs))?;
            if self.flies(&at.course) && self.flies(&instant.course) {
                for event in &instant.events {
                    pieces.push(at.fly(event));
                    if let Some(saltation) = all.saltation(event, None, inputs)? {
                        let mut matrix = one.clone();
                        saltation.apply(&mut matrix);
                        pieces.push(Piece::Map(matrix));
                    }
                }
                at.course.clone_from(&instant.course);
                continue;
            }
            if self.flies(&at.course) {
                let from = std::mem::replace(&mut at.state, instant.before.clone());
                pieces.push(Piece::Free { from, t: instant.before.t });
            }
            let matrix = open.get_or_insert_with(|| one.clone());
            at = all.through(std::slice::from_ref(instant), (since, at), inputs, matrix)?;
            if self.flies(&at.course) {
                pieces.extend(open.take().map(Piece::Map));
            }
        }
        match open {
            None => pieces.push(Piece::Free { from: at.state, t }),
            Some(mut matrix) => {
                let _ = all.arc(&at, inputs, t, &mut matrix)?;
                pieces.push(Piece::Map(matrix));
            }
        }
        Ok((all.seeds, pieces))
    }

    /// Carries adjoints back from the end of an arc to its start.
    fn back(
        &self,
        from: &State,
        t: f64,
        inputs: &[f64],
        adjoints: &mut Backwards,
    ) -> Result<(), AnalysisError> {
        if t <= from.t {
            return Ok(());
        }
        let none = DMatrix::zeros(0, 0);
        let free = Extended::new(&self.programs, Field::free(&self.programs), 0, &none);
        let steps = Options { sampling: Sampling::Steps, ..arc_options(t) };
        let mut go_on = |_: &eom_core::Progress<'_>| self.look();
        let run = simulate(&free, from, inputs, &steps, &mut go_on)?;
        self.check(from.t)?;
        for pair in run.samples.windows(2).rev() {
            let [early, late] = pair else { continue };
            if late.t <= early.t {
                continue;
            }
            let reversed = Reversed::new(&self.programs, late.t, adjoints.μ.len());
            let v = late.v.iter().chain(adjoints.λ.iter()).chain(adjoints.μ.iter());
            let start = State::new(0.0, late.q.clone(), v.copied().collect::<Vec<_>>());
            let span = late.t - early.t;
            let found = simulate(&reversed, &start, inputs, &arc_options(span), &mut go_on)?;
            self.check(early.t)?;
            let end = found.end.to_string();
            let last = found.samples.last().filter(|state| state.t >= span);
            let last = last.ok_or(AnalysisError::Ended { end })?;
            check_return(early, last)?;
            let (m, n) = (late.v.len(), adjoints.λ.len());
            adjoints.λ.copy_from_slice(&last.v[m..m + n]);
            adjoints.μ.copy_from_slice(&last.v[m + n..]);
        }
        Ok(())
    }
}

/// A piece of a motion.
enum Piece {
    /// Free motion from a state to a time.
    Free {
        /// Where it begins.
        from: State,
        /// When it ends.
        t: f64,
    },
    /// δy⁺ by δy⁻, then by changes of inputs and parameters.
    Map(DMatrix<f64>),
}

impl Place {
    /// The free motion from here to an event, behind which it goes on.
    fn fly(&mut self, event: &Event) -> Piece {
        let [_, (q, v)] = event.sides();
        let from = std::mem::replace(&mut self.state, State::new(event.t, q, v));
        Piece::Free { from, t: event.t }
    }
}

/// λ and μ.
struct Backwards {
    λ: DVector<f64>,
    μ: DVector<f64>,
}

/// Refuses a step back that does not lead to where the step began.
fn check_return(early: &State, last: &State) -> Result<(), AnalysisError> {
    let pairs = early.q.iter().zip(&last.q).chain(early.v.iter().zip(&last.v));
    let (off, size) = pairs.fold((0.0_f64, 1.0_f64), |(off, size), (a, b)| {
        (off.max((a - b).abs()), size.max(a.abs()))
    });
    if off <= RETURNS * size {
        return Ok(());
    }
    let why = format!("from t = {} on the motion cannot be followed backwards", early.t);
    Err(AnalysisError::NotSmooth { why })
}

/// A system backwards from a time, with the adjoints of its motion: speeds are (v, λ, μ).
struct Reversed<'v, 's> {
    of: &'v Tapes<'s>,
    info: &'static SystemInfo,
    end: f64,
    parameters: Vec<f64>,
    work: Mutex<Work<'s>>,
}

struct Work<'s> {
    accelerations: Reverse<'s>,
    rates: Option<Reverse<'s>>,
}

impl<'v, 's> Reversed<'v, 's> {
    fn new(of: &'v Tapes<'s>, end: f64, seeds: usize) -> Self {
        let (n, m) = (of.info.positions(), of.info.speeds());
        let work = Work {
            accelerations: Reverse::new(of.accelerations),
            rates: of.rates.map(Reverse::new),
        };
        let info = described(of.info, (n, 2 * m + n + seeds), 0);
        Self { of, info, end, parameters: of.parameters(), work: Mutex::new(work) }
    }
}

impl System for Reversed<'_, '_> {
    fn info(&self) -> &'static SystemInfo {
        self.info
    }

    fn accelerations(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        u: &[f64],
        a: &mut [f64],
        _λ: &mut [f64],
    ) {
        let (n, m) = (self.of.info.positions(), self.of.info.speeds());
        let (v, adjoints) = v.split_at(m);
        let (of_q, of_v) = adjoints.split_at(n);
        let x = [&[self.end - t][..], q, v, u, &self.parameters].concat();
        let mut none = vec![0.0; self.of.info.rows.len()];
        let (back, adjoint) = a.split_at_mut(m);
        self.of.system.accelerations(self.end - t, q, v, u, back, &mut none);
        for slope in back.iter_mut() {
            *slope = -*slope;
        }
        let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        let Work { accelerations, rates } = &mut *work;
        let Some(pulled) = accelerations.pull(&x, &of_v[..m]) else {
            return adjoint.fill(f64::NAN);
        };
        adjoint.copy_from_slice(&pulled[1..]);
        match rates {
            None => adjoint[n..n + m].iter_mut().zip(of_q).for_each(|(to, λ)| *to += λ),
            Some(rates) => {
                let Some(pulled) = rates.pull(&x, of_q) else { return adjoint.fill(f64::NAN) };
                adjoint.iter_mut().zip(&pulled[1..]).for_each(|(to, more)| *to += more);
            }
        }
    }

    fn rates(&self, t: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
        self.of.system.rates(self.end - t, q, &v[..self.of.info.speeds()], rates);
        for rate in rates.iter_mut() {
            *rate = -*rate;
        }
    }

    fn mass_matrix(&self, _t: f64, _q: &[f64], m: &mut [f64]) {
        write_unit_mass(m, self.info.speeds());
    }

    fn energy(&self, _t: f64, _q: &[f64], _v: &[f64]) -> Energy {
        NO_ENERGY
    }
}

impl Contacts for Reversed<'_, '_> {}
impl Events for Reversed<'_, '_> {}
impl Friction for Reversed<'_, '_> {}
impl Specialised for Reversed<'_, '_> {}
