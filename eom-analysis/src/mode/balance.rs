//! The balance of forces in a mode: accelerations and multipliers, with their derivatives along directions.
//!
//! ```text
//! M a = F + Bᵀλ + Σ Dᵢ Nᵢ          B a = −γ          γ = d(B v + b)/dt − B a
//!
//! M δa − (B + D)ᵀ δλ = δF − δM a + δ(B + D)ᵀ λ
//! B δa               = −δB a − δγ
//! ```
//!
//! F is all that acts beside the rows and the friction that they bear, D = −c Jᵀu beside the row that bears what slides along u.
//! Where a declared force holds the force f of a friction, D = −c (J + (∂Q/∂f)ᵀ)ᵀu there, and ∂Q/∂f beside the rows of what sticks.

use super::lengths::{Length, lengthen};
use super::lines::{DEPENDENT, Line, RowOf, bearing, independent};
use crate::error::AnalysisError;
use crate::tapes::friction::Terms;
use crate::tapes::{Read, symmetric};
use crate::variation::course::Signs;
use eom_core::info::SystemInfo;
use eom_core::system::Bearer;
use nalgebra::{DMatrix, DVector};

/// So many constraints slide with friction at most.
const PRESSING_MAX: usize = 10;

/// What a balance is made of.
pub(crate) struct Parts<'a> {
    pub(crate) lines: &'a [Line],
    /// Of constraints, contacts, friction.
    pub(crate) tapes: &'a [Read; 3],
    /// M, its lower triangle.
    pub(crate) mass: &'a Read,
    /// F.
    pub(crate) force: Read,
    /// γ by rows.
    pub(crate) drift: Read,
    /// B.
    pub(crate) rows: &'a DMatrix<f64>,
    /// D beside the rows that bear what slides.
    pub(crate) pushes: Vec<Option<Read>>,
    /// What slides on the length of several multipliers.
    pub(crate) lengths: Vec<Length>,
}

/// What a balance gives.
#[derive(Debug, Clone)]
pub(crate) struct Solved {
    /// a and δa.
    pub(crate) accelerations: Read,
    /// λ and δλ of all rows, 0 of those that depend on others.
    pub(crate) multipliers: Read,
    /// Whether a row depends on others, so that forces are not determined.
    pub(crate) redundant: bool,
    /// ‖F‖.
    pub(crate) size: f64,
}

/// ∂Q/∂λ and ∂Q/∂f, of those of all contacts, rows and frictions, beside the rows of those that bear forces.
pub(crate) fn borne(
    lines: &[Line],
    all: Option<&Read>,
    (info, terms): (&SystemInfo, &Terms),
) -> Vec<Option<Read>> {
    let m = info.speeds();
    let of = |line: &Line| {
        let place = match line.of {
            RowOf::Gap(contact) => info.contacts[contact].bears.then_some(contact),
            RowOf::Constraint(row) => info.rows[row].bears.then_some(info.contacts.len() + row),
            RowOf::Stick(term) => terms.beside(term, terms.component(line.first)),
            RowOf::Own(_) => None,
        };
        place.zip(all).map(|(place, all)| Read {
            values: all.values.rows(place * m, m).into_owned(),
            by: all.by.rows(place * m, m).into_owned(),
        })
    };
    lines.iter().map(of).collect()
}

impl Parts<'_> {
    /// Adds D₀ to the forces, and D of the closed contacts and of the constraints to the pushes beside their rows: with
    /// the strength of what slides, or with that of what rests.
    pub(crate) fn add_friction(
        &mut self,
        (terms, found, borne): (&Terms, &Read, Option<&Read>),
        sliding: &[usize],
        (signs, rests): (&Signs, bool),
    ) -> Result<(), AnalysisError> {
        for &term in sliding {
            let strength = if rests { terms.at_rest(term) } else { term };
            let pushed = push(terms, (term, strength), (found, borne), signs.slip(term))?;
            let Some(mut push) = pushed else { continue };
            let rows = bearing(self.lines, terms, term);
            if terms.bearer(term).is_none() {
                self.force.add(&push);
                continue;
            }
            if let Some(Bearer::Rows { .. }) = terms.bearer(term) {
                self.lengths.push(Length { rows, push, name: terms.name(term) });
                continue;
            }
            if signs.pressing(term) == Some(-1.0) {
                push.turn();
            }
            let Some(to) = rows.first().and_then(|row| self.pushes.get_mut(*row)) else { continue };
            match to {
                None => *to = Some(push),
                Some(sum) => sum.add(&push),
            }
        }
        Ok(())
    }

    /// a and λ, with their derivatives. Where the signs with which rows press are not told, those with which all is right.
    pub(crate) fn solve(mut self, told: bool) -> Result<Solved, AnalysisError> {
        let (taken, m) = (independent(self.lines, self.rows), self.rows.ncols());
        let redundant = taken.len() < self.lines.len();
        if redundant && (self.pushes.iter().any(Option::is_some) || !self.lengths.is_empty()) {
            let why = "the forces of contacts that slide are not determined".to_owned();
            return Err(AnalysisError::NotSmooth { why });
        }
        let (here, turned) = (symmetric(m, |place| self.mass.values[place]), -&self.drift.values);
        let right = (&self.force.values, &turned);
        let of = (self.lines, self.tapes, &taken[..]);
        press_all(of, (&here, self.rows), right, (&self.lengths, &mut self.pushes), told)?;
        let Self { lines, tapes, mass, force, drift, rows, pushes, .. } = &self;
        let system = Balance { lines, tapes, pushes, taken: &taken, m };
        let factors = system.matrix(&here, rows).lu();
        let solved =
            factors.solve(&system.right(&force.values, &turned)).ok_or_else(undetermined)?;
        let a = solved.rows(0, m).into_owned();
        let λ = system.spread(solved.rows(m, taken.len()).as_slice());
        let count = force.by.ncols();
        let (mut a_by, mut λ_by) = (DMatrix::zeros(m, count), DMatrix::zeros(lines.len(), count));
        for j in 0..count {
            let mut upper = force.by.column(j) - symmetric(m, |place| mass.by[(place, j)]) * &a;
            let mut lower = -drift.by.column(j);
            system.add_changes(j, (&a, &λ), &mut upper, &mut lower);
            let change = factors.solve(&system.right(&upper, &lower)).ok_or_else(undetermined)?;
            a_by.set_column(j, &change.rows(0, m));
            let of_rows = system.spread(change.rows(m, taken.len()).as_slice());
            λ_by.column_mut(j).copy_from_slice(&of_rows);
        }
        let accelerations = Read { values: a, by: a_by };
        let multipliers = Read { values: DVector::from_vec(λ), by: λ_by };
        Ok(Solved { accelerations, multipliers, redundant, size: self.force.values.norm() })
    }
}

/// −c Jᵀu of a term that slides, and what acts with it, with its derivatives, c by its place; u is the sign of its slip where that is told, else w/‖w‖. None where
/// its strength is 0.
pub(crate) fn push(
    terms: &Terms,
    (term, strength): (usize, usize),
    (found, borne): (&Read, Option<&Read>),
    sign: Option<f64>,
) -> Result<Option<Read>, AnalysisError> {
    let m = terms.speeds();
    let c = found.values[strength];
    if c == 0.0 && found.by.row(strength).iter().all(|slope| *slope == 0.0) {
        return Ok(None);
    }
    let speed = terms.speed(term, found.values.as_slice());
    if speed == 0.0 && sign.is_none() {
        let why = format!("{} begins to slide", terms.name(term));
        return Err(AnalysisError::NotSmooth { why });
    }
    let (mut values, mut by) = (DVector::zeros(m), DMatrix::zeros(m, found.by.ncols()));
    let of_slip = |component: usize| found.values[terms.w(component)] / speed;
    let directions: Vec<f64> = match sign {
        Some(sign) => vec![sign],
        None => terms.components(term).map(of_slip).collect(),
    };
    let of = |component: usize| terms.answering((term, component), (found, borne));
    let answering: Vec<Read> = terms.components(term).map(of).collect();
    for (row, u) in answering.iter().zip(&directions) {
        values -= &row.values * (c * u);
    }
    for j in 0..by.ncols() {
        let slope = |place: usize| found.by[(place, j)];
        let turned = terms.components(term).map(|component| slope(terms.w(component)));
        let along: f64 = turned.clone().zip(&directions).map(|(w, u)| w * u).sum();
        for ((row, u), w) in answering.iter().zip(&directions).zip(turned) {
            let (row, change) = (&row.values, row.by.column(j));
            let turn = if sign.is_some() { 0.0 } else { (w - u * along) / speed };
            let sum = row * (slope(strength) * u + c * turn) + change * (c * u);
            let mut column = by.column_mut(j);
            column -= sum;
        }
    }
    Ok(Some(Read { values, by }))
}

fn undetermined() -> AnalysisError {
    let why = "the accelerations are not determined in this mode".to_owned();
    AnalysisError::NotSmooth { why }
}

/// Brings the pushes of constraints to what these press with: on lengths, and, where they are not told, with the signs of λ.
pub(crate) fn press_all(
    (lines, tapes, taken): (&[Line], &[Read; 3], &[usize]),
    of: (&DMatrix<f64>, &DMatrix<f64>),
    right: (&DVector<f64>, &DVector<f64>),
    (lengths, pushes): (&[Length], &mut [Option<Read>]),
    told: bool,
) -> Result<(), AnalysisError> {
    let is_constraint =
        |row: &usize| matches!(lines[*row].of, RowOf::Constraint(_)) && !lines[*row].bears;
    let pushed = (0..lines.len()).filter(is_constraint).filter(|row| pushes[*row].is_some());
    let pushed: Vec<usize> = pushed.collect();
    if !told {
        press((lines, tapes, taken), of, right, (&pushed, pushes))?;
    }
    lengthen(lengths, pushes, |pushes| {
        if !told {
            press((lines, tapes, taken), of, right, (&pushed, pushes))?;
        }
        let system = Balance { lines, tapes, pushes, taken, m: of.0.nrows() };
        let solved = system.matrix(of.0, of.1).lu().solve(&system.right(right.0, right.1));
        Ok(system.spread(&solved.ok_or_else(undetermined)?.as_slice()[of.0.nrows()..]))
    })
}

/// Turns the pushes of constraints that press with λ < 0, so that friction grows with |λ|.
fn press(
    (lines, tapes, taken): (&[Line], &[Read; 3], &[usize]),
    (mass, rows): (&DMatrix<f64>, &DMatrix<f64>),
    (upper, lower): (&DVector<f64>, &DVector<f64>),
    (pushed, pushes): (&[usize], &mut [Option<Read>]),
) -> Result<(), AnalysisError> {
    let why = |what: &str| AnalysisError::NotSmooth { why: what.to_owned() };
    if pushed.len() > PRESSING_MAX {
        return Err(why("more constraints slide with friction than their signs can be tried of"));
    }
    let mut right: Vec<(u32, DVector<f64>)> = Vec::new();
    for signs in 0..1_u32 << pushed.len() {
        // Those that change from the signs before.
        let before = if signs == 0 { 0 } else { signs - 1 };
        turn(pushed, signs ^ before, pushes);
        let system = Balance { lines, tapes, pushes, taken, m: mass.nrows() };
        let solved = system.matrix(mass, rows).lu().solve(&system.right(upper, lower));
        let Some(solved) = solved else { continue };
        let λ = system.spread(&solved.as_slice()[mass.nrows()..]);
        let least = -DEPENDENT * λ.iter().fold(0.0, |size: f64, λ| size.max(λ.abs()));
        let σ = |bit: usize| if signs >> bit & 1 == 1 { -1.0 } else { 1.0 };
        if pushed.iter().enumerate().all(|(bit, row)| σ(bit) * λ[*row] >= least) {
            right.push((signs, solved.rows(0, mass.nrows()).into_owned()));
        }
    }
    let Some((signs, a)) = right.first() else {
        return Err(why("Coulomb's law has no solution there, with any signs of the constraints"));
    };
    let far = |other: &DVector<f64>| (other - a).norm() > DEPENDENT * (other.norm() + a.norm());
    if right.iter().any(|(_, other)| far(other)) {
        return Err(why("Coulomb's law has several solutions there"));
    }
    let last = (1_u32 << pushed.len()) - 1;
    turn(pushed, signs ^ last, pushes);
    Ok(())
}

/// Turns the pushes of some of these rows.
fn turn(rows: &[usize], which: u32, pushes: &mut [Option<Read>]) {
    for (bit, row) in rows.iter().enumerate() {
        if let (1, Some(push)) = (which >> bit & 1, &mut pushes[*row]) {
            push.turn();
        }
    }
}

/// The linear system of accelerations and multipliers.
pub(crate) struct Balance<'a> {
    pub(crate) lines: &'a [Line],
    pub(crate) tapes: &'a [Read; 3],
    pub(crate) pushes: &'a [Option<Read>],
    pub(crate) taken: &'a [usize],
    pub(crate) m: usize,
}

impl Balance<'_> {
    /// M, −(B + D)ᵀ; B, 0.
    pub(crate) fn matrix(&self, mass: &DMatrix<f64>, rows: &DMatrix<f64>) -> DMatrix<f64> {
        let (m, count) = (self.m, self.taken.len());
        let mut matrix = DMatrix::zeros(m + count, m + count);
        matrix.view_mut((0, 0), (m, m)).copy_from(mass);
        for (place, &row) in self.taken.iter().enumerate() {
            let line = &self.lines[row];
            let mut force = self.tapes[line.tape].values.rows(line.first, m).into_owned();
            if let Some(push) = &self.pushes[row] {
                force += &push.values;
            }
            matrix.view_mut((0, m + place), (m, 1)).copy_from(&-force);
            matrix.view_mut((m + place, 0), (1, m)).copy_from(&rows.row(row));
        }
        matrix
    }

    /// The right side of an upper part, and of a lower one by all rows.
    pub(crate) fn right(&self, upper: &DVector<f64>, lower: &DVector<f64>) -> DVector<f64> {
        let lower = self.taken.iter().map(|row| lower[*row]);
        let all: Vec<f64> = upper.iter().copied().chain(lower).collect();
        DVector::from_vec(all)
    }

    /// λ of all rows, 0 of those that depend on others.
    pub(crate) fn spread(&self, multipliers: &[f64]) -> Vec<f64> {
        let mut all = vec![0.0; self.lines.len()];
        self.taken.iter().zip(multipliers).for_each(|(row, λ)| all[*row] = *λ);
        all
    }

    /// Adds δ(B + D)ᵀ λ to an upper part, and takes δB a from a lower one.
    pub(crate) fn add_changes(
        &self,
        j: usize,
        (a, λ): (&DVector<f64>, &[f64]),
        upper: &mut DVector<f64>,
        lower: &mut DVector<f64>,
    ) {
        for (row, line) in self.lines.iter().enumerate() {
            let change = self.tapes[line.tape].by.column(j);
            let change = change.rows(line.first, self.m);
            *upper += change * λ[row];
            lower[row] -= change.dot(a);
            if let Some(push) = &self.pushes[row] {
                *upper += push.by.column(j) * λ[row];
            }
        }
    }
}
