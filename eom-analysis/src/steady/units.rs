//! The units in which a steady motion is looked for: lengths over which its linear system changes, and those in which the rates
//! of that are as large as each other.
//!
//! ```text
//! |A(q + ℓᵢ eᵢ) − 2 A + A(q − ℓᵢ eᵢ)| ≈ |A|/2, or over one side, or |A(q ± ℓᵢ eᵢ) − A| where that is by far less      of a speed the largest with which q̇ = S v goes by no more than ℓ
//! y = D y′,  D⁻¹ A D even         rᵢ in units of sᵢ = max(Σ |Aᵢⱼ| dⱼ, min(‖D⁻¹ A D‖ dᵢ, 1)),  moves in units of d
//! ```
//!
//! In a unit of length L coordinates are 1/L of what they are, in a unit of time T accelerations 1/T², velocities 1/T: what is
//! rounding among the ones is not among the others. At a fold A itself is 0 and changes at once; how it bends tells a length. Where lengths are near 1 and A is even as it stands, all units are 1.

use crate::linear::scaled::{power_of_two, scaled};
use crate::space::{Local, StateSpace};
use eom_core::State;
use nalgebra::{DMatrix, DVector};

/// Places at which A is asked for, and how far each is from the one before, in lengths.
const PLACES: usize = 4;
const REACH: f64 = 0.17;

/// Lengths are looked for in steps of this factor, so many of them; one that is near 1 is 1.
const FACTOR: f64 = 4.0;
const FACTORS: i32 = 30;

/// Lengths in a row over which nothing is so where it is so over none below.
const CHANCES: i32 = 3;
const NEAR: std::ops::RangeInclusive<f64> = 0.25..=4.0;

/// The part of a row of A that it bends by, and the part of all of A below which a row is none.
const BENT: f64 = 0.5;
const NONE: f64 = 0.03;

/// Where A is asked for on both sides, in lengths.
const BESIDE: [f64; 4] = [1.0, 0.5, -0.5, -1.0];
const ENDS: [f64; 2] = [1.0, -1.0];

/// A that becomes another one over less than this part of the length over which it bends is measured by the former: so steep a
/// line is one of a force that is a parabola. Where it becomes another one at once A is rounding, as at a fold.
const MUCH: f64 = 1.0 / 64.0;
const FOLD: f64 = 1e-4;
const ROUNDED: f64 = 1e-12;

/// The part of A that is rounding.
const ROUNDING: f64 = 1e-9;

/// Units.
pub(crate) struct Units {
    /// s, of the relevant rates.
    pub(crate) rates: Vec<f64>,
    /// d of all entries of y.
    pub(crate) entries: Vec<f64>,
}

impl Units {
    /// The least of the entries.
    pub(crate) fn shortest(&self) -> f64 {
        self.entries.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

impl StateSpace<'_> {
    /// The units about a state of free motion; none where all are 1. A is the largest of that at the state and at places beside
    /// it: at one alone an entry may be rounding.
    pub(crate) fn units(&self, state: &State, inputs: &[f64]) -> Option<Units> {
        if !self.has_accelerations() {
            return None;
        }
        let (lengths, reach) = self.lengths(state, inputs)?;
        let mut a = DMatrix::zeros(self.relevant.len(), self.relevant.len());
        for place in 0..PLACES {
            let mut beside = state.clone();
            for (i, q) in beside.q.iter_mut().enumerate() {
                let sign = if (place + i) % 2 == 0 { 1.0 } else { -1.0 };
                *q += sign * REACH * place as f64 * reach[i];
            }
            self.normalise(&mut beside);
            let Ok(local) = self.local(&beside, inputs) else { continue };
            a.zip_apply(&self.relevant_of(&local), |largest: &mut f64, entry: f64| {
                *largest = largest.max(entry.abs());
            });
        }
        let own = |place: &usize| lengths[*place];
        let own: Vec<f64> = self.relevant.iter().map(own).collect();
        let (even, mut factors) = scaled(&in_units(&a, &own));
        if factors.iter().chain(&own).all(|factor| *factor == 1.0) {
            return None;
        }
        let n = self.programs.info.positions();
        let of_positions = factors.iter().zip(&self.relevant).filter(|(_, place)| **place < n);
        let largest = of_positions.map(|(factor, _)| *factor).fold(0.0, f64::max);
        let scale = if largest > 0.0 { largest } else { 1.0 };
        factors.iter_mut().zip(&own).for_each(|(factor, own)| *factor *= own / scale);
        let mut entries = lengths;
        for (factor, place) in factors.iter().zip(&self.relevant) {
            if *place >= n {
                entries[*place] = *factor;
            }
        }
        let size = |row: usize| -> f64 {
            a.row(row).iter().zip(&factors).map(|(entry, factor)| entry.abs() * factor).sum()
        };
        // A rate on which nothing acts but rounding is measured by the fastest motion, by 1 where that is faster.
        let fastest = even.norm();
        let unit = |row: usize| size(row).max((fastest * factors[row]).min(1.0));
        Some(Units { rates: (0..a.nrows()).map(unit).collect(), entries })
    }

    /// ∂ẋ/∂x.
    fn relevant_of(&self, local: &Local) -> DMatrix<f64> {
        local.by_state.select_rows(&self.relevant).select_columns(&self.relevant)
    }

    /// D of A at one place, in the time of its fastest motion: what is rounding in that is 0, for of rounding nothing is even.
    fn even_factors(&self, a: &DMatrix<f64>) -> Vec<f64> {
        let n = self.programs.info.positions();
        let is_speed = |i: usize| self.relevant[i] >= n;
        let largest = |by_speeds: bool| {
            let places = (0..a.nrows()).flat_map(|i| (0..a.ncols()).map(move |j| (i, j)));
            let kept = places.filter(|(i, j)| is_speed(*i) && is_speed(*j) == by_speeds);
            kept.map(|place| a[place].abs()).fold(0.0, f64::max)
        };
        let fastest = largest(false).sqrt().max(largest(true));
        let own = |i| if is_speed(i) && fastest > 0.0 { fastest } else { 1.0 };
        let own: Vec<f64> = (0..a.nrows()).map(own).collect();
        let mut whole = in_units(a, &own);
        let least = ROUNDING * whole.norm();
        whole.iter_mut().filter(|entry| entry.abs() <= least).for_each(|entry| *entry = 0.0);
        let (_, factors) = scaled(&whole);
        own.iter().zip(factors).map(|(own, factor)| own * factor).collect()
    }

    /// ℓ of the coordinates, 1 where there is none, and of the speeds, and how far on A may be asked for: where no ℓ is told, as
    /// far as the state is. None where there is no linear system at the state.
    fn lengths(&self, state: &State, inputs: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
        let here = self.local(state, inputs).ok()?;
        let (n, a) = (self.programs.info.coordinates.len(), self.relevant_of(&here));
        let factors = self.even_factors(&a);
        let even = in_units(&a, &factors);
        // Along one coordinate, or along some, each second one in the other direction.
        let beside = |along: &[usize], turn: f64, by: f64| {
            let mut beside = state.clone();
            for (place, i) in along.iter().enumerate() {
                beside.q[*i] += if place % 2 == 1 { turn * by } else { by };
            }
            let there = self.local(&beside, inputs).map(|local| self.relevant_of(&local));
            there.ok().map(|there| in_units(&there, &factors))
        };
        let mut lengths = vec![1.0; state.q.len() + state.v.len()];
        let mut reach = vec![1.0; state.q.len()];
        let bent_along = |along: &[usize], turn: f64| {
            length(|by| {
                let beside: Option<Vec<_>> =
                    BESIDE.iter().map(|part| beside(along, turn, part * by)).collect();
                beside.is_none_or(|beside| bends(&even, &beside))
            })
        };
        let mut untold = Vec::new();
        for i in self.relevant.iter().copied().filter(|place| *place < n) {
            let changes = |by: f64| {
                let beside: Option<Vec<_>> =
                    ENDS.iter().map(|part| beside(&[i], 1.0, part * by)).collect();
                beside.is_none_or(|beside| beside.iter().any(|beside| changes(&even, beside)))
            };
            let bent = bent_along(&[i], 1.0);
            let told = bent.map_or(ROUNDED..f64::INFINITY, |bent| FOLD * bent..MUCH * bent);
            let is_less = |changed: &f64| told.contains(changed);
            match length(changes).filter(is_less).or(bent) {
                Some(found) if NEAR.contains(&found) => {}
                Some(found) => (lengths[i], reach[i]) = (found, found),
                None => {
                    reach[i] = state.q[i].abs().min(1.0);
                    untold.push(i);
                }
            }
        }
        // x³y³ bends along neither.
        if untold.len() > 1 {
            let found = [1.0, -1.0].into_iter().filter_map(|turn| bent_along(&untold, turn));
            let least = found.fold(f64::INFINITY, f64::min);
            for i in untold.into_iter().filter(|_| least.is_finite() && !NEAR.contains(&least)) {
                (lengths[i], reach[i]) = (least, least);
            }
        }
        for (j, column) in here.frame.column_iter().enumerate() {
            let fastest = column.iter().zip(&lengths).map(|(s, length)| s.abs() / length);
            let fastest = fastest.fold(0.0, f64::max);
            if fastest > 0.0 && lengths.iter().take(n).any(|length| *length != 1.0) {
                lengths[state.q.len() + j] = power_of_two(1.0 / fastest);
            }
        }
        Some((lengths, reach))
    }
}

/// The least length over which something is so, of those that are powers; none where there is none. Of what swings it may by chance
/// not be so over a length of many periods, and is over a shorter one.
fn length(is_so: impl Fn(f64) -> bool) -> Option<f64> {
    let (mut least, mut power) = (0, 0);
    while power > -FACTORS && least - power < CHANCES {
        power -= 1;
        least = if is_so(FACTOR.powi(power)) { power } else { least };
    }
    while (0..FACTORS).contains(&least) && !is_so(FACTOR.powi(least + 1)) {
        least += 1;
    }
    (least.abs() < FACTORS).then(|| FACTOR.powi(least))
}

/// Whether a row is no straight line over both sides, or over one of them, in a matrix that is even: what is odd over both
/// bends over each.
fn bends(here: &DMatrix<f64>, beside: &[DMatrix<f64>]) -> bool {
    let least = NONE * here.norm();
    let is_bent = |[one, middle, other]: [&DMatrix<f64>; 3], row: usize, part: f64| {
        let [one, middle, other] = [one, middle, other].map(|a| a.row(row));
        let size = one.norm().max(middle.norm()).max(other.norm());
        let bent = (one + other - middle * 2.0).norm();
        size > least && (!bent.is_finite() || bent > part * size)
    };
    let [above, near_above, near_below, below] = beside else { return true };
    // Half the way bends by a quarter.
    (0..here.nrows()).any(|row| {
        is_bent([above, here, below], row, BENT)
            || is_bent([here, near_above, above], row, BENT / 4.0)
            || is_bent([here, near_below, below], row, BENT / 4.0)
    })
}

/// Whether a row that is there becomes another one.
fn changes(here: &DMatrix<f64>, beside: &DMatrix<f64>) -> bool {
    let least = NONE * here.norm();
    (0..here.nrows()).any(|row| {
        let (size, change) = (here.row(row).norm(), (beside.row(row) - here.row(row)).norm());
        size > least && (!change.is_finite() || change > BENT * size)
    })
}

/// D⁻¹ A D.
fn in_units(a: &DMatrix<f64>, units: &[f64]) -> DMatrix<f64> {
    DMatrix::from_fn(a.nrows(), a.ncols(), |i, j| a[(i, j)] * (units[j] / units[i]))
}

/// Moves δy in units of the entries, each of length 1, and their lengths before: a derivative by them is scaled along. Columns
/// behind those of moves are in units of what they do.
pub(crate) fn even_moves(
    units: &[f64],
    moves: &mut DMatrix<f64>,
    derivative: &mut DMatrix<f64>,
) -> Vec<f64> {
    for (mut row, unit) in moves.row_iter_mut().zip(units) {
        row /= *unit;
    }
    let count = moves.ncols();
    let lengths: Vec<f64> = (0..derivative.ncols())
        .map(|j| if j < count { moves.column(j).norm() } else { derivative.column(j).norm() })
        .map(|length| if length > 0.0 { length } else { 1.0 })
        .collect();
    for (j, length) in lengths.iter().enumerate() {
        derivative.column_mut(j).unscale_mut(*length);
        if j < count {
            moves.column_mut(j).unscale_mut(*length);
        }
    }
    lengths
}

impl StateSpace<'_> {
    /// What is missed of a steady motion in units, and rows of its derivative: rates, then conditions, each by how much a move of
    /// a unit changes it.
    pub(crate) fn rows_in_units(
        &self,
        units: &Units,
        local: &Local,
        (residual, matrix): (&mut DVector<f64>, Option<&mut DMatrix<f64>>),
    ) {
        let sizes = units.rates.iter().copied().chain(self.condition_sizes(units, local));
        let sizes: Vec<f64> = sizes.collect();
        residual.iter_mut().zip(&sizes).for_each(|(r, size)| *r /= size);
        for (mut row, size) in matrix.into_iter().flat_map(DMatrix::row_iter_mut).zip(&sizes) {
            row /= *size;
        }
    }

    /// How much a move of a unit changes the conditions; 1 of what none changes.
    pub(crate) fn condition_sizes(&self, units: &Units, local: &Local) -> Vec<f64> {
        let mut conditions = self.conditions(local);
        let mut moves = self.displacement(local);
        even_moves(&units.entries, &mut moves, &mut conditions);
        let norms = conditions.row_iter().map(|row| row.norm());
        norms.map(|norm| if norm > 0.0 { norm } else { 1.0 }).collect()
    }
}
