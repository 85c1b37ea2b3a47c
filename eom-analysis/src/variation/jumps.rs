//! Forces that jump: what that does to variations along an arc.
//!
//! Where the argument σ of a sign passes zero, v̇ changes at once, and nothing else does:
//!
//! ```text
//! δt* = −(∂σ/∂y δy + ∂σ/∂p δp)/σ̇        δv⁺ = δv⁻ + (v̇⁻ − v̇⁺) δt*
//! ```
//!
//! Along an arc each sign is held on its side (`sides`), so that what is integrated is smooth, until its argument passes zero:
//! there the next arc begins. An event whose guard passes zero with σ is met on the sides of the arc before it, and left on those of
//! the arc behind it: the state itself is a rounding on either.

use super::extended::{Extended, Field};
use super::{Variations, arc_options};
use crate::error::AnalysisError;
use crate::saltation::{Passage, Saltation};
use crate::tapes::sides::{Jumps, OnSides};
use crate::tapes::{clear_rate, directions};
use eom_core::{Event, EventCount, EventKind, Options, State, simulate};
use nalgebra::{DMatrix, DVector};

/// Jumps that are so near in time, in units of 1 + |t|, come at one time.
const AT_ONE_TIME: f64 = 1e-11;

/// How far the changes of two such times may be apart.
const SAME: f64 = 1e-6;

/// All arguments at a state with their rates along (t, q, v), and how they change along the variations.
struct Arguments {
    values: DVector<f64>,
    rates: Vec<Option<f64>>,
    changes: DMatrix<f64>,
}

impl Variations<'_> {
    /// Carries variations along an arc of free motion whose forces jump; where its copy comes to, and on which sides.
    pub(crate) fn arc_with_jumps(
        &self,
        jumps: &Jumps,
        (from, t): (&State, f64),
        inputs: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<(State, Vec<f64>), AnalysisError> {
        let mut from = from.clone();
        let mut sides = self.first_sides(jumps, &from, inputs)?;
        loop {
            let field = Field::OnSides(Box::new(jumps.on(&sides)));
            let extended = Extended::new(&self.programs, field, matrix.ncols(), &self.seeds);
            let until_events = Some(EventCount { event: None, count: 1 });
            let options = Options { until_events, ..arc_options(t) };
            let start = Extended::state(&from, matrix);
            let found = simulate(&extended, &start, inputs, &options, &mut |_| self.look())?;
            self.check(found.end.t())?;
            let Some(last) = found.samples.last().filter(|_| found.end.is_complete()) else {
                return Err(AnalysisError::Ended { end: found.end.to_string() });
            };
            extended.read(last, matrix);
            let (q, v) = (&last.q[..from.q.len()], &last.v[..from.v.len()]);
            from = State::new(last.t, q, v);
            match found.events.last() {
                Some(Event { kind: EventKind::Declared { event }, .. }) => {
                    self.jump_of_forces((jumps, *event, &mut sides), &from, inputs, matrix)?;
                }
                _ => return Ok((from, sides)),
            }
        }
    }

    /// ẏ in free motion at a state on sides, where forces jump.
    pub(crate) fn slopes_on(
        &self,
        at: &State,
        inputs: &[f64],
        sides: Option<&[f64]>,
    ) -> Result<DVector<f64>, AnalysisError> {
        let mut slopes = self.programs.slopes(at.t, (&at.q, &at.v), inputs)?;
        if let (Some(jumps), Some(sides)) = (&self.jumps, sides) {
            let accelerations = self.accelerations_on(&mut jumps.on(sides), at, inputs);
            slopes.rows_mut(at.q.len(), at.v.len()).copy_from(&accelerations);
        }
        Ok(slopes)
    }

    /// The sides with which free motion leaves a state, where forces jump.
    pub(crate) fn leaving(
        &self,
        at: &State,
        inputs: &[f64],
    ) -> Result<Option<Vec<f64>>, AnalysisError> {
        self.jumps.as_ref().map(|jumps| self.first_sides(jumps, at, inputs)).transpose()
    }

    /// What an event that only records does to variations where a force jumps at it: the motion comes on sides, and goes on on
    /// others.
    pub(crate) fn jump_at_event(
        &self,
        (jumps, coming): (&Jumps, &[f64]),
        at: &State,
        inputs: &[f64],
    ) -> Result<Option<Saltation>, AnalysisError> {
        let leaving = self.first_sides(jumps, at, inputs)?;
        let is_passed = |i: &usize| coming[*i] * leaving[*i] < 0.0;
        let Some(passed) = (0..coming.len()).find(is_passed) else { return Ok(None) };
        let (n, seeds) = (at.q.len() + at.v.len(), self.seeds.ncols());
        let before = self.slopes_on(at, inputs, Some(coming))?;
        let behind = self.slopes_on(at, inputs, Some(&leaving))?;
        let (_, by) = self.arguments_along(&mut jumps.on(coming), at, inputs);
        let row = by.view((passed, 0), (1, 1 + n)).into_owned();
        let rate = clear_rate(&row, &before).ok_or_else(|| turns_back(at.t))?;
        let mut by_all = DMatrix::zeros(n, 1 + n);
        by_all.columns_mut(1, n).fill_with_identity();
        let guard = [row, by.view((passed, 1 + n), (1, seeds)).into_owned()];
        let map = [by_all, DMatrix::zeros(n, seeds)];
        let order: Vec<usize> = (0..n).collect();
        Ok(Passage { map, guard, rate }.saltation([&before, &behind], &order))
    }

    /// The side of each argument at the start of an arc: that to which the motion takes it where it is zero.
    fn first_sides(
        &self,
        jumps: &Jumps,
        from: &State,
        inputs: &[f64],
    ) -> Result<Vec<f64>, AnalysisError> {
        let mut sides = vec![1.0; jumps.count()];
        let none = DMatrix::zeros(from.q.len() + from.v.len(), 0);
        let found = self.arguments(&mut jumps.on(&sides), from, inputs, &none)?;
        for (i, σ) in found.values.iter().enumerate() {
            sides[i] = if *σ < 0.0 { -1.0 } else { 1.0 };
        }
        let near = |σ: f64, rate: f64| σ.abs() <= AT_ONE_TIME * (1.0 + from.t.abs()) * rate.abs();
        for i in 0..sides.len() {
            let [plus, minus] = [1.0, -1.0].map(|side| {
                let mut sides = sides.clone();
                sides[i] = side;
                self.arguments(&mut jumps.on(&sides), from, inputs, &none)
            });
            let (plus, minus) = (plus?, minus?);
            let σ = plus.values[i];
            sides[i] = match (plus.rates[i], minus.rates[i]) {
                (Some(a), Some(b)) if near(σ, a) && a * b > 0.0 => a.signum(),
                (Some(a), Some(b)) if near(σ, a) && a < 0.0 && b > 0.0 => {
                    return Err(stays(from.t));
                }
                (None, None) if σ == 0.0 => 0.0,
                _ => sides[i],
            };
        }
        Ok(sides)
    }

    /// Takes variations over a jump.
    fn jump_of_forces(
        &self,
        (jumps, event, sides): (&Jumps, usize, &mut Vec<f64>),
        at: &State,
        inputs: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<(), AnalysisError> {
        let t = at.t;
        let before = self.arguments(&mut jumps.on(sides), at, inputs, matrix)?;
        let rate = |i: usize| before.rates[i].unwrap_or(0.0);
        let near = |i: usize| {
            let σ = before.values[i];
            σ * sides[i] < 0.0 || σ.abs() <= AT_ONE_TIME * (1.0 + t.abs()) * rate(i).abs()
        };
        let passing: Vec<usize> =
            (0..sides.len()).filter(|i| *i == event || sides[*i] != 0.0 && near(*i)).collect();
        let mut moved: Option<DVector<f64>> = None;
        for &i in &passing {
            let Some(rate) = before.rates[i] else {
                return Err(turns_back(t));
            };
            let own = before.changes.row(i).transpose() / -rate;
            let first = moved.get_or_insert_with(|| own.clone());
            if (&own - &*first).amax() > SAME * (1.0 + first.amax()) {
                let why =
                    format!("at t = {t}, forces jump by two conditions that are met at one time");
                return Err(AnalysisError::NotSmooth { why });
            }
        }
        let old = self.accelerations_on(&mut jumps.on(sides), at, inputs);
        for &i in &passing {
            sides[i] = -sides[i];
        }
        let mut behind = jumps.on(sides);
        let new = self.accelerations_on(&mut behind, at, inputs);
        let after = self.arguments(&mut behind, at, inputs, matrix)?;
        if after.rates[event].is_none_or(|after| after * rate(event) <= 0.0) {
            return Err(stays(t));
        }
        let (n, change) = (at.q.len(), old - new);
        if let Some(moved) = moved {
            let mut velocities = matrix.rows_mut(n, at.v.len());
            velocities += change * moved.transpose();
        }
        Ok(())
    }

    /// Refuses an arc in contact, or with friction, along which a force jumps: what that does to forces of contacts is not told.
    pub(crate) fn check_jumps(
        &self,
        samples: &[State],
        inputs: &[f64],
    ) -> Result<(), AnalysisError> {
        let Some(jumps) = &self.jumps else { return Ok(()) };
        let (n, m) = (self.programs.info.positions(), self.programs.info.speeds());
        let mut last: Vec<f64> = Vec::new();
        for State { t, q, v } in samples {
            let state = State::new(*t, &q[..n], &v[..m]);
            let σ = jumps.arguments_of_forces(&self.programs.given(&state, inputs));
            if σ.iter().zip(&last).any(|(σ, last)| σ * last < 0.0) {
                let why =
                    format!("by t = {t}, a force jumps while a contact is closed or friction acts");
                return Err(AnalysisError::NotSmooth { why });
            }
            last.resize(σ.len(), 0.0);
            last.iter_mut().zip(&σ).filter(|(_, σ)| **σ != 0.0).for_each(|(last, σ)| *last = *σ);
        }
        Ok(())
    }

    /// v̇ on given sides.
    fn accelerations_on(&self, on: &mut OnSides<'_>, at: &State, inputs: &[f64]) -> DVector<f64> {
        let x = self.programs.given(at, inputs);
        let mut values = DVector::zeros(at.v.len());
        on.accelerations((&x, &[]), (values.as_mut_slice(), &mut []));
        values
    }

    fn arguments(
        &self,
        on: &mut OnSides<'_>,
        at: &State,
        inputs: &[f64],
        matrix: &DMatrix<f64>,
    ) -> Result<Arguments, AnalysisError> {
        let (n, m, count) = (at.q.len(), at.v.len(), on.count());
        let mut slopes = DVector::zeros(n + m);
        let (rates, _) = slopes.as_mut_slice().split_at_mut(n);
        self.programs.system.rates(at.t, &at.q, &at.v, rates);
        slopes.rows_mut(n, m).copy_from(&self.accelerations_on(on, at, inputs));
        if slopes.iter().any(|slope| !slope.is_finite()) {
            return Err(AnalysisError::NotFinite { what: format!("a rate at t = {}", at.t) });
        }
        let (values, by) = self.arguments_along(on, at, inputs);
        let rates = (0..count).map(|i| {
            let row = by.view((i, 0), (1, 1 + n + m)).into_owned();
            clear_rate(&row, &slopes)
        });
        let mut changes = by.columns(1, n + m) * matrix;
        if self.seeds.ncols() == matrix.ncols() {
            changes += by.columns(1 + n + m, self.seeds.ncols());
        }
        Ok(Arguments { values, rates: rates.collect(), changes })
    }

    /// What the sides are of, and its derivatives by (t, q, v) and the seeds.
    fn arguments_along(
        &self,
        on: &mut OnSides<'_>,
        at: &State,
        inputs: &[f64],
    ) -> (DVector<f64>, DMatrix<f64>) {
        let x = self.programs.given(at, inputs);
        let along = directions(x.len(), 1 + at.q.len() + at.v.len(), &self.seeds);
        let mut values = DVector::zeros(on.count());
        let mut by = DMatrix::zeros(on.count(), along.ncols());
        let into = (values.as_mut_slice(), by.as_mut_slice());
        on.arguments((&x, along.as_slice()), into);
        (values, by)
    }
}

fn turns_back(t: f64) -> AnalysisError {
    let why = format!("at t = {t}, a force comes to its jump and turns back");
    AnalysisError::NotSmooth { why }
}

fn stays(t: f64) -> AnalysisError {
    let why = format!("at t = {t}, forces on both sides of a jump push towards it");
    AnalysisError::NotSmooth { why }
}
