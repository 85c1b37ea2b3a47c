//! Where a reset leaves the constraints the run brings the state back to them, in the metric of the kinetic energy; its
//! variations go with it.
//!
//! ```text
//! q ← q + S ξ,  M ξ = Φᵀμ,  Φ ξ = −φ    until φ = 0        then v⁺ = v + η,  M η = Aᵀμ,  A η = −(A v + b)
//! M δξ − Bᵀδμ = δBᵀμ − δM ξ,  B δξ = −δc − δB ξ            each of these steps, B ξ = −c
//! ```
//!
//! Φ are the holonomic rows of A. Closed contacts and what sticks are let go before a reset: they choose themselves again behind
//! it.

use crate::mode::lines::{Line, RowOf, independent};
use crate::tapes::friction::Terms;
use crate::tapes::{Read, Tapes, symmetric};
use crate::variation::begun::{changes, read};
use eom_core::Mode;
use nalgebra::{DMatrix, DVector};

/// Steps of Gauss and Newton, the last of which moves q by no more than this part of 1 + |q|.
const STEPS_MAX: usize = 30;
const STAYS: f64 = 1e-11;

/// What rows leave beside them, of what they were moved by, is rounding below this part.
const LEFT: f64 = 1e-9;

/// A state x = (t, q, v, u, p) with its changes along directions.
pub(crate) struct Moving {
    pub(crate) x: Vec<f64>,
    pub(crate) by: DMatrix<f64>,
}

/// A step on x to where rows hold, and its changes.
struct Step {
    ξ: DVector<f64>,
    by: DMatrix<f64>,
}

/// Brings a state to the constraints of its system; none where that has no derivative.
pub(crate) fn bring(of: &Tapes<'_>, moving: &mut Moving) -> Option<()> {
    if of.info.rows.is_empty() {
        return Some(());
    }
    let lines = Line::all(of.info, &Mode::default(), &Terms::of(of.system).ok()?);
    bring_positions(of, &lines, moving)?;
    let (n, m) = (of.info.positions(), of.info.speeds());
    let left = |moving: &Moving| {
        let tapes = [of.rows, None, None].map(|tape| read(tape, &moving.x, &moving.by));
        let v = DVector::from_column_slice(&moving.x[1 + n..1 + n + m]);
        let values = &tapes[0].values;
        let rate = |line: &Line| values.rows(line.first, m).dot(&v) + values[line.offset];
        let by = changes(&lines, &tapes, (&moving.x, &moving.by), (1 + n, m));
        (Read { values: DVector::from_iterator(lines.len(), lines.iter().map(rate)), by }, tapes)
    };
    let (rates, [rows, ..]) = left(moving);
    let Step { ξ, by } = step(of, &lines, moving, &rows, &rates)?;
    moving.x[1 + n..1 + n + m].iter_mut().zip(&ξ).for_each(|(v, ξ)| *v += ξ);
    let mut speeds = moving.by.rows_mut(1 + n, m);
    speeds += by;
    // Rows that depend on others hold with them, or part.
    let (rates, [rows, ..]) = left(moving);
    let holds = |row: usize| {
        let size = rows.values.rows(lines[row].first, m).norm();
        moving
            .by
            .column_iter()
            .enumerate()
            .all(|(j, moved)| rates.by[(row, j)].abs() <= LEFT * size * (1.0 + moved.norm()))
    };
    (0..lines.len()).all(holds).then_some(())
}

/// The same of q.
fn bring_positions(of: &Tapes<'_>, lines: &[Line], moving: &mut Moving) -> Option<()> {
    let (n, m, k) = (of.info.positions(), of.info.speeds(), of.info.rows.len());
    let first = k - of.info.holonomic_count();
    let is_held = |line: &&Line| matches!(line.of, RowOf::Constraint(row) if row >= first);
    let count = lines.iter().filter(is_held).count();
    if count == 0 {
        return Some(());
    }
    let held = &lines[lines.len() - count..];
    let φ = of.system.programs().holonomic?;
    for _ in 0..STEPS_MAX {
        let rows = read(of.rows, &moving.x, &moving.by);
        let values = read(Some(φ), &moving.x, &moving.by);
        let Step { ξ, by } = step(of, held, moving, &rows, &values)?;
        let mut along = moving.by.clone();
        along.rows_mut(1 + n, m).copy_from(&by);
        let mut x = moving.x.clone();
        x[1 + n..1 + n + m].copy_from_slice(ξ.as_slice());
        // q̇ = S v at v = ξ.
        let moved = match of.rates {
            Some(rates) => read(Some(rates), &x, &along),
            None => Read { values: ξ, by },
        };
        let q = &mut moving.x[1..=n];
        let size = q.iter().fold(1.0, |size: f64, q| size.max(q.abs()));
        q.iter_mut().zip(&moved.values).for_each(|(q, moved)| *q += moved);
        let mut places = moving.by.rows_mut(1, n);
        places += moved.by;
        let stays = |moved: &f64| moved.abs() <= STAYS * size;
        if moved.values.iter().all(stays) {
            return Some(());
        }
        // What turns is of unit length again, which is no part of these equations.
        if !moved.values.iter().skip(of.info.coordinates.len()).all(stays) {
            return None;
        }
    }
    None
}

/// M ξ = Bᵀμ, B ξ = −c of the rows that do not depend on others.
fn step(of: &Tapes<'_>, lines: &[Line], moving: &Moving, rows: &Read, c: &Read) -> Option<Step> {
    let (m, mass) = (of.info.speeds(), of.system.programs().mass_matrix?);
    let mass = read(Some(mass), &moving.x, &moving.by);
    let all = DMatrix::from_fn(lines.len(), m, |row, j| rows.values[lines[row].first + j]);
    let taken = independent(lines, &all);
    let (b, count) = (all.select_rows(&taken), taken.len());
    let mut matrix = DMatrix::zeros(m + count, m + count);
    matrix.view_mut((0, 0), (m, m)).copy_from(&symmetric(m, |place| mass.values[place]));
    matrix.view_mut((0, m), (m, count)).copy_from(&-b.transpose());
    matrix.view_mut((m, 0), (count, m)).copy_from(&b);
    let factors = matrix.lu();
    let mut right = DVector::zeros(m + count);
    taken.iter().enumerate().for_each(|(i, row)| right[m + i] = -c.values[*row]);
    let solved = factors.solve(&right)?;
    let (ξ, μ) = (solved.rows(0, m).into_owned(), solved.rows(m, count));
    let mut by = DMatrix::zeros(m + count, moving.by.ncols());
    for (j, mut column) in by.column_iter_mut().enumerate() {
        let changed =
            DMatrix::from_fn(count, m, |i, j_of| rows.by[(lines[taken[i]].first + j_of, j)]);
        let upper = changed.tr_mul(&μ) - symmetric(m, |place| mass.by[(place, j)]) * &ξ;
        column.rows_mut(0, m).copy_from(&upper);
        let lower = changed * &ξ;
        let lower = taken.iter().zip(lower.iter()).map(|(row, of_b)| -c.by[(*row, j)] - of_b);
        column.rows_mut(m, count).iter_mut().zip(lower).for_each(|(to, lower)| *to = lower);
    }
    if !factors.solve_mut(&mut by) {
        return None;
    }
    let is_finite = by.iter().chain(&ξ).all(|entry| entry.is_finite());
    is_finite.then(|| Step { ξ, by: by.rows(0, m).into_owned() })
}
