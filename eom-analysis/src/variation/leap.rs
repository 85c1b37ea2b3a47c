//! Where a mode changes: by which condition, and what that does to variations.
//!
//! ```text
//! opens          N = 0               a normal force falls through zero
//! opens          x = 0               the extent of its surface does: there it ends
//! sticks         w = 0               what slides comes to rest; so does what turns round there
//! slides         c_s N − ‖f‖ = 0     what sticks gives way at the edge of its cone
//! presses        λ = 0               a row with friction presses with the other sign
//! ```
//!
//! Where the forces of several that give way together are not determined, ẇ = 0 with c_s of what slides behind it is the condition.
//! The condition is one of the mode before. What it leads to may change more of the mode; where two conditions are met at
//! one time there is no derivative.

use super::Variations;
use super::course::{Course, Instant};
use super::held::{Along, Held};
use crate::error::AnalysisError;
use crate::mode::lines::{RowOf, bearing};
use crate::saltation::Saltation;
use crate::space::StateSpace;
use crate::tapes::friction::Terms;
use crate::tapes::{clear_rate, directions};
use eom_core::span::{basis, kernel};
use eom_core::system::Bearer;
use eom_core::{EventKind, Mode, State};
use nalgebra::{DMatrix, DVector};

/// A condition is met where it is below this part of what it is made of, or of what it changes by in as long as it is since
/// the start of time.
const MET: f64 = 1e-6;
const NOW: f64 = 1e-9;

/// Rates before and behind are the same to this part of them.
const SAME: f64 = 1e-9;

/// Variations leave what holds behind by no more than this part of them.
const LEAVING: f64 = 1e-6;

/// A condition that is met, with its derivatives by (t, q, v) and along the seeds.
struct Cause {
    what: String,
    by: DMatrix<f64>,
}

/// A condition that may have been met.
pub(crate) struct Candidate {
    pub(crate) what: String,
    pub(crate) value: f64,
    /// What the value is made of.
    pub(crate) size: f64,
    pub(crate) by: DMatrix<f64>,
}

impl Variations<'_> {
    /// What a change of mode, at which the state stays, does to variations that come along a course.
    pub(crate) fn change(
        &self,
        instant: &Instant,
        course: &Course,
        inputs: &[f64],
    ) -> Result<Option<Saltation>, AnalysisError> {
        let before = self.slopes(course, &instant.before, inputs)?;
        if *course == instant.course {
            return Ok(None);
        }
        let mut causes = self.causes(instant, course, inputs, &before)?;
        let behind = self.slopes(&instant.course, &instant.after, inputs)?;
        let turn = &before - &behind;
        let Some(cause) = causes.pop() else {
            let same = turn.norm() <= SAME * (before.norm() + behind.norm());
            let event =
                instant.events.iter().find(|e| !matches!(e.kind, EventKind::Declared { .. }));
            return match event {
                Some(event) => Err(self.no_cause(event)),
                None if same => Ok(None),
                None => Err(not(instant, "the friction turns")),
            };
        };
        let count = 1 + before.len();
        let row = cause.by.columns(0, count).into_owned();
        let Some(rate) = clear_rate(&row, &before) else {
            return Err(not(instant, &format!("{}, and goes back at once", cause.what)));
        };
        let delay = row.columns(1, before.len()) * (-1.0 / rate);
        for other in causes {
            if !self.is_alike((&cause, rate), (&other, &before), instant, course, inputs)? {
                let why = format!("{}, and {} at one time", other.what, cause.what);
                return Err(not(instant, &why));
            }
        }
        let identity = DMatrix::<f64>::identity(before.len(), before.len());
        let later = cause.by.columns(count, cause.by.ncols() - count) * (-1.0 / rate);
        let found = Saltation {
            fixed: &identity + &turn * &delay,
            at_event: identity + &before * delay,
            more: turn * &later,
            later,
        };
        self.check_landing(instant, course, &found, inputs)?;
        Ok(Some(found))
    }

    /// Whether two conditions are met at one time beside the motion, too: slips of one body.
    fn is_alike(
        &self,
        (cause, rate): (&Cause, f64),
        (other, slopes): (&Cause, &DVector<f64>),
        instant: &Instant,
        course: &Course,
        inputs: &[f64],
    ) -> Result<bool, AnalysisError> {
        let count = slopes.len();
        let row = other.by.columns(0, 1 + count).into_owned();
        let Some(also) = clear_rate(&row, slopes) else { return Ok(false) };
        let tangent = self.tangent(&course.mode, &instant.before, inputs)?;
        let (one, two) = (&cause.by / rate, &other.by / also);
        let apart = &one - &two;
        let along = (apart.columns(1, count) * &tangent).amax();
        let later = apart.columns(1 + count, apart.ncols() - 1 - count).amax();
        let size = one.columns(1, one.ncols() - 1).amax();
        Ok(along.max(later) <= SAME * size)
    }

    /// The conditions of a course that are met.
    fn causes(
        &self,
        instant: &Instant,
        course: &Course,
        inputs: &[f64],
        slopes: &DVector<f64>,
    ) -> Result<Vec<Cause>, AnalysisError> {
        let x = self.programs.given(&instant.before, inputs);
        let (n, m) = (instant.before.q.len(), instant.before.v.len());
        let places = 1 + n + m;
        let directions = directions(x.len(), places, &self.seeds);
        let mut held = self.held(course)?;
        let found = held.along(&x, &directions)?;
        let t = instant.before.t.abs();
        let change = |by: &DMatrix<f64>| {
            let terms = by.columns(1, n + m).transpose().component_mul(slopes);
            by[0].abs() + terms.abs().sum()
        };
        let is_met = |c: &Candidate| c.value <= (MET * c.size).max(NOW * t * change(&c.by));
        let mut candidates = Vec::new();
        for event in &instant.events {
            if let EventKind::Opening { contact } = event.kind {
                let mut ends = self.extents(contact, instant, inputs)?;
                ends.retain(is_met);
                if !ends.is_empty() {
                    candidates.append(&mut ends);
                    continue;
                }
            }
            candidates.extend(self.candidate(&event.kind, &held, &found, instant)?);
            if let EventKind::Slip { friction } = event.kind
                && !determines_edge(&held, friction, &found)
            {
                let mut there = self.held(&instant.course)?;
                there.rests = true;
                let there = there.along(&x, &directions)?;
                candidates.push(onset(&held.terms, friction, &there));
            }
        }
        candidates.extend(turns(&held, &instant.course, &found));
        let met = candidates.into_iter().filter(is_met);
        Ok(met.map(|Candidate { what, by, .. }| Cause { what, by }).collect())
    }

    /// How far the surface of a contact reaches at an instant, one condition an extent.
    fn extents(
        &self,
        contact: usize,
        instant: &Instant,
        inputs: &[f64],
    ) -> Result<Vec<Candidate>, AnalysisError> {
        let (of, state) = (&self.programs, &instant.before);
        let (info, count) = (&of.info.contacts[contact], of.info.contacts[contact].extents);
        if count == 0 {
            return Ok(Vec::new());
        }
        let first: usize = of.info.contacts[..contact].iter().map(|info| info.extents).sum();
        let tape = (of.system.programs().extents, "extents");
        let (values, by_state) = of.along(tape, state, inputs)?;
        let by_seeds = of.with_seeds(tape, state, (inputs, &self.seeds))?;
        let y =
            DVector::from_iterator(by_state.ncols() - 1, state.q.iter().chain(&state.v).copied());
        let one = |place: usize| {
            let (row, seeds) = (by_state.rows(place, 1), by_seeds.rows(place, 1));
            let columns = row.column_iter().chain(seeds.column_iter());
            let by = DMatrix::from_iterator(1, row.ncols() + seeds.ncols(), columns.map(|c| c[0]));
            let terms = row.columns(1, y.len()).transpose().component_mul(&y);
            let what = format!("the surface of `{}` ends", info.name);
            Candidate { what, value: values[place].abs(), size: terms.abs().sum(), by }
        };
        Ok((first..first + count).map(one).collect())
    }

    /// The condition that may have led to an event.
    fn candidate(
        &self,
        kind: &EventKind,
        held: &Held<'_>,
        found: &Along,
        instant: &Instant,
    ) -> Result<Option<Candidate>, AnalysisError> {
        let (info, terms) = (self.programs.info, &held.terms);
        let λ = &found.solved.multipliers;
        let undetermined = |name: &str| {
            let why = format!("the forces of {name} are not determined");
            Err(not(instant, &why))
        };
        match *kind {
            EventKind::Opening { contact } => {
                let Some(row) = held.row(RowOf::Gap(contact)) else { return Ok(None) };
                let name = info.contacts[contact].name;
                if !found.determines(row) {
                    return undetermined(name);
                }
                let what = format!("the contact `{name}` opens");
                let (value, by) = (λ.values[row].abs(), λ.by.rows(row, 1).into_owned());
                let size = λ.values.amax() + found.solved.size;
                Ok(Some(Candidate { what, value, size, by }))
            }
            EventKind::Slip { friction } if held.course.mode.sticks(friction) => {
                let what = format!("{} begins to slide", terms.name(friction));
                if terms.components(friction).len() > 1 {
                    return Err(not(instant, &format!("{what} in a plane")));
                }
                if !determines_edge(held, friction, found) {
                    return Ok(None);
                }
                Ok(edge(held, friction, found).map(|(value, size, by)| Candidate {
                    what,
                    value,
                    size,
                    by,
                }))
            }
            EventKind::Stick { friction } if terms.acts(friction, &held.course.mode) => {
                let what = format!("{} sticks", terms.name(friction));
                if terms.components(friction).len() > 1 {
                    return Err(not(instant, &format!("{what} in a plane")));
                }
                Ok(Some(slip(terms, friction, found, what)))
            }
            _ => Ok(None),
        }
    }

    /// Refuses variations along what holds before an instant that leave what holds behind it: what is beside the motion
    /// goes another way.
    pub(crate) fn check_landing(
        &self,
        instant: &Instant,
        course: &Course,
        found: &Saltation,
        inputs: &[f64],
    ) -> Result<(), AnalysisError> {
        let before = self.space(course.mode.clone());
        let here = before.held(&instant.before, inputs)?;
        let directions = before.displacement(&here) * kernel(&before.conditions(&here));
        let behind = self.space(instant.course.mode.clone());
        let there = behind.held(&instant.after, inputs)?;
        let moved = &found.fixed * directions;
        let map = behind.displacement(&there);
        let back = (map.tr_mul(&map)).try_inverse().map(|inverse| inverse * map.transpose());
        let Some(back) = back else { return Ok(()) };
        let conditions = behind.conditions(&there);
        let leaving = &conditions * back * &moved;
        if leaving.amax() <= LEAVING * conditions.amax().max(1.0) * moved.amax().max(1.0) {
            return Ok(());
        }
        Err(not(instant, "motions beside this one take another course"))
    }

    /// The directions in which a state can be moved in a mode, an orthonormal basis of δy.
    pub(crate) fn tangent(
        &self,
        mode: &Mode,
        state: &State,
        inputs: &[f64],
    ) -> Result<DMatrix<f64>, AnalysisError> {
        let space = self.space(mode.clone());
        let held = space.held(state, inputs)?;
        Ok(basis(&(space.displacement(&held) * kernel(&space.conditions(&held)))))
    }

    /// All states, with what holds in a mode.
    pub(crate) fn space(&self, mode: Mode) -> StateSpace<'_> {
        StateSpace::all(self.programs, mode)
    }
}

/// Why there is no derivative at an instant.
fn not(instant: &Instant, why: &str) -> AnalysisError {
    AnalysisError::NotSmooth { why: format!("at t = {}, {why}", instant.before.t) }
}

/// Slips that turn round without coming to rest, and rows that press with the other sign.
fn turns(held: &Held<'_>, behind: &Course, found: &Along) -> Vec<Candidate> {
    let terms = &held.terms;
    let turned = |a: Option<f64>, b: Option<f64>| a.zip(b).is_some_and(|(a, b)| a != b);
    let mut turns = Vec::new();
    for term in 0..terms.count() {
        let (before, after) = (&held.course.signs, &behind.signs);
        if turned(before.slip(term), after.slip(term)) {
            let what = format!("{} turns", terms.name(term));
            turns.push(slip(terms, term, found, what));
        }
        let row = match terms.bearer(term) {
            Some(Bearer::Row(row)) => held.row(RowOf::Constraint(row)),
            _ => None,
        };
        if let Some(row) = row.filter(|_| turned(before.pressing(term), after.pressing(term))) {
            let λ = &found.solved.multipliers;
            let what = format!("the row of {} presses with the other sign", terms.name(term));
            let by = λ.by.rows(row, 1).into_owned();
            turns.push(Candidate { what, value: 0.0, size: 1.0, by });
        }
    }
    turns
}

/// w of a term of one component, which is at its root.
fn slip(terms: &Terms, term: usize, found: &Along, what: String) -> Candidate {
    let place = terms.w(terms.components(term).start);
    let by = found.friction.by.rows(place, 1).into_owned();
    Candidate { what, value: 0.0, size: 1.0, by }
}

/// Whether the force of a term that sticks, and that which it grows with, are determined.
pub(crate) fn determines_edge(held: &Held<'_>, term: usize, found: &Along) -> bool {
    let rows = bearing(&held.lines, &held.terms, term);
    let rows = rows.into_iter().chain(held.rows(RowOf::Stick(term)));
    rows.into_iter().all(|row| found.determines(row))
}

/// dw/dt = 0 of a term that gives way with others, whose forces are not determined: all of them have as much as they can.
fn onset(terms: &Terms, term: usize, there: &Along) -> Candidate {
    let what = format!("{} begins to slide", terms.name(term));
    let by = there.slip_rates(terms, terms.components(term).start);
    Candidate { what, value: 0.0, size: 1.0, by }
}

/// c_s N − ‖f‖ of a term that sticks, f of all its components, what it is made of, and its derivatives.
pub(crate) fn edge(
    held: &Held<'_>,
    term: usize,
    found: &Along,
) -> Option<(f64, f64, DMatrix<f64>)> {
    let (terms, λ) = (&held.terms, &found.solved.multipliers);
    let of_row = |row: usize| (λ.values[row], λ.by.rows(row, 1).into_owned());
    let count = λ.by.ncols();
    let length = |rows: Vec<usize>| {
        let parts: Vec<(f64, DMatrix<f64>)> = rows.into_iter().map(of_row).collect();
        let size = parts.iter().map(|(f, _)| f * f).sum::<f64>().sqrt();
        let sum = |by: DMatrix<f64>, (f, f_by): &(f64, DMatrix<f64>)| by + f_by * (f / size);
        (size > 0.0).then(|| (size, parts.iter().fold(DMatrix::zeros(1, count), sum)))
    };
    let rows = bearing(&held.lines, terms, term);
    let (bearing, bearing_by) = match terms.bearer(term) {
        None => (1.0, DMatrix::zeros(1, count)),
        Some(_) => length(rows)?,
    };
    let (size, f_by) = length(held.rows(RowOf::Stick(term)))?;
    let place = terms.at_rest(term);
    let (c, c_by) = (found.friction.values[place], found.friction.by.rows(place, 1));
    let by = c_by * bearing + bearing_by * c - f_by;
    Some((c * bearing - size, c * bearing, by))
}
