//! The rows in force in a mode: constraints, what closed contacts hold, friction that sticks.

use crate::tapes::Read;
use crate::tapes::friction::Terms;
use eom_core::Mode;
use eom_core::info::SystemInfo;
use eom_core::system::Bearer;
use nalgebra::{DMatrix, DVector};

/// Of a row what is left beside those before it is rounding below this part of it.
pub(crate) const DEPENDENT: f64 = 1e-9;

/// What a row in force is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowOf {
    /// A declared constraint.
    Constraint(usize),
    /// The gap of a contact.
    Gap(usize),
    /// Own rows of a contact.
    Own(usize),
    /// A component of a term of friction that sticks.
    Stick(usize),
}

/// A row in force: its coefficients from a place of its tape on, then its affine part, or its value itself.
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) of: RowOf,
    pub(crate) tape: usize,
    pub(crate) first: usize,
    pub(crate) offset: usize,
    /// Whether forces hold its multiplier, of either sign.
    pub(crate) bears: bool,
}

/// The tapes of rows.
pub(crate) const CONSTRAINTS: usize = 0;
pub(crate) const CONTACTS: usize = 1;
pub(crate) const FRICTIONS: usize = 2;

impl Line {
    /// The rows in force, holonomic ones last.
    pub(crate) fn all(info: &SystemInfo, mode: &Mode, terms: &Terms) -> Vec<Self> {
        let m = info.speeds();
        let (k, h) = (info.rows.len(), info.holonomic_count());
        let constraint = |row: usize| Self {
            name: info.rows[row].name.to_owned(),
            of: RowOf::Constraint(row),
            tape: CONSTRAINTS,
            first: row * m,
            offset: k * m + row,
            bears: info.rows[row].bears,
        };
        let own = |contact: usize| info.contacts[contact].rows.len();
        let first = |contact: usize| (0..contact).map(|c| (m + 1) * (1 + own(c))).sum::<usize>();
        let mut lines: Vec<Self> = (0..k - h).map(constraint).collect();
        for &contact in mode.closed() {
            let start = first(contact) + m + 1;
            lines.extend(info.contacts[contact].rows.iter().enumerate().map(|(j, row)| Self {
                name: row.name.to_owned(),
                of: RowOf::Own(contact),
                tape: CONTACTS,
                first: start + j * m,
                offset: start + own(contact) * m + j,
                bears: false,
            }));
        }
        for &term in mode.sticking() {
            lines.extend(terms.components(term).map(|component| Self {
                name: terms.name(term),
                of: RowOf::Stick(term),
                tape: FRICTIONS,
                first: terms.row(component),
                offset: terms.w(component),
                bears: false,
            }));
        }
        lines.extend((k - h..k).map(constraint));
        lines.extend(mode.closed().iter().map(|&contact| Self {
            name: info.contacts[contact].name.to_owned(),
            of: RowOf::Gap(contact),
            tape: CONTACTS,
            first: first(contact),
            offset: first(contact) + m,
            bears: info.contacts[contact].bears,
        }));
        lines
    }
}

/// The rows with whose force a term grows, by their places among those in force; none where it does not grow.
pub(crate) fn bearing(lines: &[Line], terms: &Terms, term: usize) -> Vec<usize> {
    let bears = |of: RowOf| match (terms.bearer(term), of) {
        (Some(Bearer::Contact(contact)), RowOf::Gap(other)) => contact == other,
        (Some(Bearer::Row(row)), RowOf::Constraint(other)) => row == other,
        (Some(Bearer::Rows { first, count }), RowOf::Constraint(other)) => {
            (first..first + count).contains(&other)
        }
        _ => false,
    };
    (0..lines.len()).filter(|row| bears(lines[*row].of)).collect()
}

/// B, B v + b, ∂(B v + b)/∂q.
pub(crate) fn rows(
    lines: &[Line],
    tapes: &[Read; 3],
    v: &[f64],
    n: usize,
) -> (DMatrix<f64>, DVector<f64>, DMatrix<f64>) {
    let (count, m) = (lines.len(), v.len());
    let v = DVector::from_column_slice(v);
    let mut matrix = DMatrix::zeros(count, m);
    let (mut residual, mut by_position) = (DVector::zeros(count), DMatrix::zeros(count, n));
    for (row, line) in lines.iter().enumerate() {
        let Read { values, by } = &tapes[line.tape];
        let coefficients = values.rows(line.first, m);
        matrix.row_mut(row).copy_from(&coefficients.transpose());
        // The value of w is written; of others the affine part.
        let is_value = line.tape == FRICTIONS;
        residual[row] = values[line.offset];
        if !is_value {
            residual[row] += coefficients.dot(&v);
        }
        for j in 0..n {
            by_position[(row, j)] = by[(line.offset, j)];
            if !is_value {
                by_position[(row, j)] += by.column(j).rows(line.first, m).dot(&v);
            }
        }
    }
    (matrix, residual, by_position)
}

/// The rows that do not depend on those before: constraints first, then gaps, own rows, what sticks.
pub(crate) fn independent(lines: &[Line], matrix: &DMatrix<f64>) -> Vec<usize> {
    let rank = |of: RowOf| match of {
        RowOf::Constraint(_) => 0,
        RowOf::Gap(_) => 1,
        RowOf::Own(_) => 2,
        RowOf::Stick(_) => 3,
    };
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|row| rank(lines[*row].of));
    let (mut taken, mut directions): (Vec<usize>, Vec<DVector<f64>>) = (Vec::new(), Vec::new());
    for row in order {
        let line = matrix.row(row).transpose();
        let mut left = line.clone();
        // Twice is enough.
        for _ in 0..2 {
            for direction in &directions {
                let along = direction.dot(&left);
                left -= direction * along;
            }
        }
        if left.norm() > DEPENDENT * line.norm() {
            directions.push(left.normalize());
            taken.push(row);
        }
    }
    taken
}
