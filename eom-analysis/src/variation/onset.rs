//! Where what sticks in a plane begins to slide, with the direction that the forces give it.
//!
//! ```text
//! c_s N − ‖f‖ = 0 at t*               δt* = −δ(c_s N − ‖f‖)/(c_s N − ‖f‖)˙,   δy* = δy + f⁻ δt*
//! w = 0,  w ∥ ẇ behind it             the motion beside this one: from y* + δy* at t* + δt*, by itself
//! ```
//!
//! There the direction of the slip is that of its rate: it has no derivative by the state, but the motion has, since what
//! deviates across it dies out as it begins, δẇ⊥ = −(c N/‖w‖) δw⊥ + …. Implicit steps see only the slip at their ends: with
//! their variations they go through, and extrapolated from 1, 2, 3, … of them (Deuflhard's way) they have no error of low order. Behind
//! them, at a time t of the motion itself, δy(t) = δy − f(t) δt*.

use super::Variations;
use super::course::{Course, Instant, Onset, Place};
use super::held::{Along, Held};
use super::leap::{determines_edge, edge};
use crate::error::AnalysisError;
use crate::mode::lines::RowOf;
use crate::tapes::friction::Terms;
use crate::tapes::{clear_rate, directions};
use eom_core::{EventKind, State};
use nalgebra::{DMatrix, DVector};

/// How close to its edge what gives way is.
const EDGE: f64 = 1e-6;

/// The part of an arc that is made so at first, and how often it is halved.
const FIRST: f64 = 0.02;
const HALVINGS: usize = 24;

/// The most steps of which the part is made, and what of its result is error.
const ROWS: usize = 7;
const TOLERANCE: f64 = 1e-12;

/// Steps of Newton's method, and the last of them beside the implicit step.
const NEWTON_MAX: usize = 30;
const CONVERGED: f64 = 1e-11;

/// Slips of this part of what a step would give them tell a direction to begin with.
const NUDGE: f64 = 1e-6;

/// A state with its variations.
#[derive(Clone)]
struct Moved {
    y: DVector<f64>,
    by: DMatrix<f64>,
}

impl Variations<'_> {
    /// The term that begins to slide in a plane at an instant, where only that changes the mode.
    pub(crate) fn starts_in_plane(&self, course: &Course, instant: &Instant) -> Option<usize> {
        let terms = &self.terms;
        let mut changes = instant.events.iter().filter(|event| match event.kind {
            EventKind::Declared { event } => self.programs.info.events[event].resets,
            _ => true,
        });
        let (first, others) = (changes.next()?, changes.next());
        match first.kind {
            EventKind::Slip { friction }
                if others.is_none()
                    && terms.components(friction).len() > 1
                    && course.mode.sticks(friction) =>
            {
                Some(friction)
            }
            _ => None,
        }
    }

    /// Brings variations to where a term begins to slide, each to the time at which it does so beside the motion.
    pub(crate) fn onset(
        &self,
        (instant, term): (&Instant, usize),
        course: &Course,
        inputs: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<Onset, AnalysisError> {
        let before = self.slopes(course, &instant.before, inputs)?;
        let count = before.len();
        let x = self.programs.given(&instant.before, inputs);
        let mut held = self.held(course)?;
        let found = held.along(&x, &directions(x.len(), 1 + count, &self.seeds))?;
        let by = edge_in_plane(&held, term, &found);
        let (by, force) = by.ok_or_else(|| not(instant, &held.terms, term))?;
        let rate = clear_rate(&by.columns(0, 1 + count).into_owned(), &before);
        let rate = rate.ok_or_else(|| not(instant, &held.terms, term))?;
        let mut late = by.columns(1, count) * &*matrix;
        if by.ncols() > 1 + count {
            late += by.columns(1 + count, matrix.ncols());
        }
        late /= -rate;
        *matrix += before * &late;
        Ok(Onset { term, toward: -force.normalize(), late })
    }

    /// Carries variations from where a slip begins over the first part of an arc to a time; where the motion is then.
    pub(crate) fn slide_off(
        &self,
        from: &Place,
        onset: &Onset,
        (inputs, t): (&[f64], f64),
        matrix: &mut DMatrix<f64>,
    ) -> Result<State, AnalysisError> {
        let Place { state, course, .. } = from;
        let mut held = self.held(course)?;
        let mut long = FIRST * (t - state.t);
        for _ in 0..HALVINGS {
            if let Some(found) =
                self.extrapolated(&mut held, (state, onset), (inputs, long), matrix)?
            {
                let n = state.q.len();
                let t = state.t + long;
                let end = State::new(t, &found.y.as_slice()[..n], &found.y.as_slice()[n..]);
                let field = held.field(&end, inputs)?;
                *matrix = found.by - field * &onset.late;
                return Ok(end);
            }
            long /= 2.0;
        }
        let (name, t) = (held.terms.name(onset.term), state.t);
        let why =
            format!("at t = {t}, {name} begins to slide in a plane, in no direction that is told");
        Err(AnalysisError::NotSmooth { why })
    }

    /// What implicit steps over a time lead to, extrapolated; none where that is not told.
    fn extrapolated(
        &self,
        held: &mut Held<'_>,
        (state, onset): (&State, &Onset),
        (inputs, long): (&[f64], f64),
        matrix: &DMatrix<f64>,
    ) -> Result<Option<Moved>, AnalysisError> {
        let y = DVector::from_iterator(
            state.q.len() + state.v.len(),
            state.q.iter().chain(&state.v).copied(),
        );
        let start = Moved { y, by: matrix.clone() };
        let mut last: Vec<Moved> = Vec::new();
        for row in 1..=ROWS {
            let h = long / row as f64;
            let mut at = start.clone();
            for step in 1..=row {
                let t = state.t + h * step as f64;
                let begins = (step == 1).then_some(&onset.toward);
                let Some(next) = self.step(held, (onset, begins), (&at, t, h), inputs)? else {
                    return Ok(None);
                };
                at = next;
            }
            let mut all = vec![at];
            for (k, before) in last.iter().enumerate() {
                let ratio = row as f64 / (row - 1 - k) as f64 - 1.0;
                let here = &all[k];
                let y = &here.y + (&here.y - &before.y) / ratio;
                let by = &here.by + (&here.by - &before.by) / ratio;
                all.push(Moved { y, by });
            }
            if let [.., one, two] = &all[..] {
                let off = |a: f64, size: f64| a <= TOLERANCE * size;
                let moves = two.by.amax().max(matrix.amax());
                if off((&two.y - &one.y).amax(), two.y.amax())
                    && off((&two.by - &one.by).amax(), moves)
                {
                    return Ok(all.pop());
                }
            }
            last = all;
        }
        Ok(None)
    }

    /// An implicit step to a time, with its variations; the first begins in the direction that is given.
    fn step(
        &self,
        held: &mut Held<'_>,
        (onset, begins): (&Onset, Option<&DVector<f64>>),
        (from, t, h): (&Moved, f64, f64),
        inputs: &[f64],
    ) -> Result<Option<Moved>, AnalysisError> {
        let (n, count) = (self.programs.info.positions(), from.y.len());
        let given = |y: &DVector<f64>| {
            let state = State::new(t, &y.as_slice()[..n], &y.as_slice()[n..]);
            self.programs.given(&state, inputs)
        };
        let mut y = from.y.clone();
        if let Some(toward) = begins {
            y = self.nudged(held, (onset.term, toward), (&y, h), &given)?;
        }
        let by = |x: &[f64]| directions(x.len(), 1 + count, &self.seeds);
        let mut step = f64::INFINITY;
        for _ in 0..NEWTON_MAX {
            let x = given(&y);
            let found = held.along(&x, &by(&x))?;
            let slopes = stacked(&found);
            let implicit = DMatrix::identity(count, count) - slopes.columns(1, count) * h;
            let factors = implicit.lu();
            let off = &from.y + found.field() * h - &y;
            let Some(change) = factors.solve(&off) else { return Ok(None) };
            let size = change.amax();
            let moved = (&y - &from.y).amax();
            let is_done = size <= CONVERGED * moved && size >= step / 2.0 || size == 0.0;
            if is_done {
                let mut right = &from.by + slopes.column(0) * (&onset.late * h);
                if slopes.ncols() > 1 + count {
                    right += slopes.columns(1 + count, right.ncols()) * h;
                }
                return Ok(factors.solve(&right).map(|by| Moved { y, by }));
            }
            if !size.is_finite() {
                return Ok(None);
            }
            y += change;
            step = size;
        }
        Ok(None)
    }

    /// A guess of the end of the first step: what the forces give to a slip that has their direction.
    fn nudged(
        &self,
        held: &mut Held<'_>,
        (term, toward): (usize, &DVector<f64>),
        (y, h): (&DVector<f64>, f64),
        given: &impl Fn(&DVector<f64>) -> Vec<f64>,
    ) -> Result<DVector<f64>, AnalysisError> {
        let (n, m) = (self.programs.info.positions(), self.programs.info.speeds());
        let components = held.terms.components(term);
        let frictions = held.frictions(&given(y));
        let row = |i: usize, j: usize| frictions[held.terms.row(components.start + i) + j];
        let rows = DMatrix::from_fn(components.len(), m, row);
        let Some(inverse) = (&rows * rows.transpose()).try_inverse() else { return Ok(y.clone()) };
        let speeds = |slip: &DVector<f64>| rows.tr_mul(&(&inverse * slip));
        let add = |y: &DVector<f64>, slip: &DVector<f64>| {
            let mut moved = y.clone();
            let mut of_speeds = moved.rows_mut(n, m);
            of_speeds += speeds(slip);
            moved
        };
        let x = given(&add(y, &(toward * (NUDGE * y.rows(n, m).amax().max(h)))));
        let guess = y + held.along(&x, &DMatrix::zeros(x.len(), 0))?.field() * h;
        // Where friction at rest is no stronger the slip grows from zero with its rate, and turns at once to the load.
        let frictions = held.frictions(&given(&guess));
        let slip = components.clone().map(|component| frictions[held.terms.w(component)]);
        let slip = DVector::from_iterator(components.len(), slip);
        let along = toward * toward.dot(&slip).abs();
        Ok(add(&guess, &(along - slip)))
    }
}

/// How c_s N − ‖f‖ changes, and f; none where it is not at its edge or not determined.
fn edge_in_plane(
    held: &Held<'_>,
    term: usize,
    found: &Along,
) -> Option<(DMatrix<f64>, DVector<f64>)> {
    edge(held, term, found)
        .filter(|(value, size, _)| *value <= EDGE * size)
        .filter(|_| determines_edge(held, term, found))
        .map(|(_, _, by)| {
            let rows = held.rows(RowOf::Stick(term));
            let λ = &found.solved.multipliers.values;
            (by, DVector::from_iterator(rows.len(), rows.iter().map(|row| λ[*row])))
        })
}

/// How ẏ changes, rates above accelerations.
fn stacked(found: &Along) -> DMatrix<f64> {
    let (rates, a) = (&found.rates.by, &found.solved.accelerations.by);
    let mut all = DMatrix::zeros(rates.nrows() + a.nrows(), rates.ncols());
    all.rows_mut(0, rates.nrows()).copy_from(rates);
    all.rows_mut(rates.nrows(), a.nrows()).copy_from(a);
    all
}

fn not(instant: &Instant, terms: &Terms, term: usize) -> AnalysisError {
    let (t, name) = (instant.before.t, terms.name(term));
    let why = format!("at t = {t}, {name} begins to slide in a plane, at no edge that is told");
    AnalysisError::NotSmooth { why }
}
