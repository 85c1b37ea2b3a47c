//! The guards of friction, one a term, then one more for each constraint row with friction: their values, their sides
//! and what of a value is rounding.

use super::{Guards, Side, shift_of};
use crate::friction::slip_state::norm;
use crate::friction::{FrictionError, load_of};
use crate::trajectory::end::End;
use std::ops::Range;

/// What solving for a load leaves.
const LOAD_ROUNDING: f64 = 1e-12;

/// What slips does so by more than so many errors of the velocities, and so many units of rounding.
const SLIP_ERRORS: f64 = 64.0;
const SLIP_ROUNDINGS: f64 = 1e4;

impl Guards<'_> {
    /// Places the guard of a term of friction, with this value and ρ, on its side: what slides may
    /// just have started, what sticks is shifted as a contact is. Returns the guard.
    pub(in crate::hybrid) fn begin_friction(
        &mut self,
        friction: usize,
        value: f64,
        rounding: f64,
    ) -> f64 {
        let guard = self.of_friction(friction);
        let sticks = self.mode.sticks(friction);
        // A slip that is zero is known to what its row leaves of all velocities.
        let of_slip = rounding.max(self.slip_state.rounding(friction));
        let leaving = !sticks && value <= of_slip;
        self.sides[guard] = Side { sign: 1.0, leaving };
        // What projections leave of a slip that begins may be more than its own rounding.
        self.floors[guard] = if leaving { value.abs() } else { 0.0 };
        if sticks && value <= rounding {
            self.number += 1;
            self.friction_shifts[friction] = shift_of(value, rounding);
        }
        value + self.friction_shifts[friction]
    }

    /// Places the guard σλ of a row with friction, with this value and ρ, on its side: shifted as a contact is. Returns
    /// the guard.
    pub(in crate::hybrid) fn begin_row(&mut self, guard: usize, value: f64, rounding: f64) -> f64 {
        self.sides[guard] = Side { sign: 1.0, leaving: false };
        let row = guard - self.of_rows().start;
        if value <= rounding {
            self.number += 1;
            self.row_shifts[row] = shift_of(value, rounding);
        }
        value + self.row_shifts[row]
    }

    /// The term of friction whose guard it is.
    pub(in crate::hybrid) fn friction(&self, guard: usize) -> Option<usize> {
        let friction = guard.checked_sub(self.of_friction(0));
        friction.filter(|friction| *friction < self.friction_shifts.len())
    }

    /// The term of friction that slides, whose slip the guard is.
    pub(in crate::hybrid) fn sliding(&self, guard: usize) -> Option<usize> {
        let term = self.friction(guard).filter(|term| *term < self.forces.terms.count());
        term.filter(|term| !self.mode.sticks(*term))
    }

    /// Whether it is the slip of friction that slides.
    pub(in crate::hybrid) fn slips(&self, guard: usize) -> bool {
        let slides = self.sliding(guard).filter(|_| !self.is_idle(guard));
        slides.is_some_and(|term| self.slip_state.sign(term).is_some())
    }

    /// Whether some term of friction sticks.
    pub(in crate::hybrid::event) fn is_sticking(&self) -> bool {
        self.mode.sticking().first().is_some_and(|first| *first < self.forces.terms.count())
    }

    /// A term that sticks with w ≠ 0 at (t, y), where yⱼ has an error of `sizes`ⱼ: its rows depend on others, and those move it.
    pub(in crate::hybrid) fn slipping(
        &mut self,
        t: f64,
        y: &[f64],
        sizes: &[f64],
    ) -> Option<usize> {
        let Self { system, mode, forces, .. } = self;
        let (q, v) = y.split_at(system.info().positions());
        let sizes = &sizes[q.len()..];
        forces.terms.load(*system, t, q, v);
        let points = forces.terms.count();
        let mut held = mode.sticking().iter().copied().filter(|term| *term < points);
        let speed = forces.norm(v);
        held.find(|&term| {
            let w = norm(forces.terms.w(term));
            let error = |component: usize| {
                let row = forces.terms.row(component).0.iter().zip(sizes);
                row.map(|(j, size)| (j * size).abs()).sum::<f64>()
            };
            let error = forces.terms.components(term).map(error).fold(0.0, f64::max);
            w > SLIP_ERRORS * error && w > SLIP_ROUNDINGS * forces.slip_rounding(term, v, speed)
        })
    }

    /// Whether it is the cone of what sticks, which goes on to where that touches its limit: a cone that shrinks to a point
    /// and opens again on what nothing pulls.
    pub(in crate::hybrid) fn holds(&self, guard: usize) -> bool {
        self.friction(guard).is_some_and(|friction| self.mode.sticks(friction))
    }

    /// The guards of the rows with friction.
    pub(in crate::hybrid) fn of_rows(&self) -> Range<usize> {
        self.count() - self.row_shifts.len()..self.count()
    }

    /// The term of the row whose multiplier the guard is.
    pub(in crate::hybrid) fn row(&self, guard: usize) -> Option<usize> {
        let row = guard.checked_sub(self.of_rows().start)?;
        self.forces.terms.of_signs().nth(row)
    }

    /// Whether it is friction or the extent of an open contact, the multiplier of a row that sticks, or a gap a second time,
    /// whose guard stays 1.
    pub(in crate::hybrid) fn is_idle(&self, guard: usize) -> bool {
        // Most guards are gaps and forces of contacts.
        if guard < self.contacts {
            return false;
        }
        if self.is_struck(guard) {
            return true;
        }
        if self.extent(guard).is_some_and(|contact| !self.is_held(contact)) {
            return true;
        }
        if self.row(guard).is_some_and(|term| self.mode.sticks(term)) {
            return true;
        }
        self.friction(guard).is_some_and(|friction| {
            let terms = &self.forces.terms;
            friction < terms.count() && !terms.acts(friction, self.mode.closed())
        })
    }

    /// The guard of a term of friction.
    pub(in crate::hybrid) fn of_friction(&self, friction: usize) -> usize {
        self.contacts + self.events + self.extents.len() + friction
    }

    /// Whether forces act beside those of free motion.
    pub(super) fn is_pressed(&self) -> bool {
        !self.mode.is_free() || self.forces.made().is_some_and(|forces| forces.terms.has_rows())
    }

    /// The guards σλ of the rows with friction; the forces are those of this state.
    pub(super) fn row_values(&self, values: &mut [f64]) {
        let terms = self.forces.terms.of_signs();
        for ((value, shift), term) in values.iter_mut().zip(&self.row_shifts).zip(terms) {
            let slides = !self.mode.sticks(term);
            *value = if slides { self.forces.pressing(term) + shift } else { 1.0 };
        }
    }

    /// The guards of friction; the forces are those of this state unless the mode is free.
    pub(super) fn friction_values(&mut self, (t, q, v): (f64, &[f64], &[f64]), values: &mut [f64]) {
        let is_free = !self.is_pressed();
        let Self { system, mode, slip_state, forces, friction_shifts, .. } = self;
        if is_free {
            forces.terms.load(*system, t, q, v);
        }
        let points = forces.terms.count();
        for (friction, value) in values.iter_mut().enumerate() {
            *value = 1.0;
            if friction >= points || !forces.terms.acts(friction, mode.closed()) {
                continue;
            }
            if forces.terms.is_negative(friction) {
                *value = f64::NAN;
                continue;
            }
            if mode.sticks(friction) && forces.goes_by_cones() {
                *value = forces.determined(friction).guard;
            } else if mode.sticks(friction) {
                let λ = norm(&forces.reactions()[forces.terms.components(friction)]);
                let c = forces.terms.coefficient(friction);
                *value = (c - λ) * (c + λ);
            } else if let ([w], Some(σ)) = (forces.terms.w(friction), slip_state.sign(friction)) {
                *value = σ * w;
            }
        }
        let whole = mode.sticking().last().is_some_and(|last| *last >= points);
        let by_load = forces.is_redundant() && !forces.goes_by_cones();
        if whole || by_load && !mode.sticking().is_empty() {
            let load = if whole {
                let (metric, force, rows) = forces.whole(mode.closed());
                load_of(metric, &force, &rows, |w, f| system.dry_friction(t, q, w, f))
            } else {
                forces.load_ratio(mode.closed())
            };
            for &friction in mode.sticking() {
                values[friction] = 1.0;
            }
            values[mode.sticking()[0]] = load.map_or(f64::NAN, |load| 1.0 - load.ratio);
        }
        if let (Some((margin, _)), Some(&first)) = (forces.margin(), mode.sticking().first()) {
            mode.sticking().iter().for_each(|friction| values[*friction] = 1.0);
            values[first] = margin;
        }
        for &friction in mode.sticking() {
            values[friction] += friction_shifts[friction];
        }
    }

    /// The end where a guard had no value at the last values: of a negative coefficient, or not finite.
    pub(in crate::hybrid) fn has_no_value(&self, guard: usize, t: f64) -> End {
        let terms = &self.forces.terms;
        let term = self.friction(guard).filter(|term| *term < terms.count());
        if let Some(term) = term.filter(|term| terms.is_negative(*term)) {
            let coefficient = terms.coefficient(term);
            let error = FrictionError::Coefficient { term, coefficient };
            return End::impossible_friction(t, self.system.info(), error);
        }
        End::NonFinite { t, what: format!("the guard of {}", self.name(guard)) }
    }

    /// The rounding of the guard of friction that sticks, at the state of the last values.
    pub(super) fn friction_rounding(&mut self, friction: usize) -> f64 {
        if !self.mode.sticks(friction) {
            return 0.0;
        }
        let forces = &mut self.forces;
        if forces.goes_by_cones() {
            let margin = forces.margin().map(|(_, rounding)| rounding);
            return margin.unwrap_or_else(|| forces.determined(friction).rounding);
        }
        if friction >= forces.terms.count() || forces.is_redundant() {
            return LOAD_ROUNDING;
        }
        2.0 * forces.reaction_rounding(friction) * forces.terms.coefficient(friction)
    }
}
