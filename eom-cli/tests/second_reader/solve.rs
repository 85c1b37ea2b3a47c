//! States on which conditions hold that no assignment satisfies: `λ(surface) = 0`,
//! `energy = m/2*R^2*ω0^2 + m*g*R`, `f_xx = 0`.
//!
//! Newton's method on all that must hold, in all numbers that are free: coordinates, speeds,
//! parameters, inputs and the coefficients of functions, each in units of its own size. Of all
//! steps the shortest is taken. The derivatives are central differences, taken anew where a step does not
//! leave a tenth of the residuals.

use super::draft::{Draft, Slot};
use super::linear::{Matrix, dot, shortest};
use super::moment::Moment;
use super::rows::{rates, rows_in_force, velocity_rows};
use super::strings::Component;
use super::subject::{Drawn, Stop, Subject, or_redraw};
use super::translate::Reader;

/// Newton's steps, at the most.
const STEPS: usize = 20;

/// The part of its derivative that a residual may keep: a change of all numbers by this part.
const LEFT: f64 = 1e-12;

/// The most by which a parameter may grow or shrink: equations that it multiplies hold where it vanishes.
const FACTOR: f64 = 10.0;

/// The step of the differences, in units of each number.
const DIFFERENCE: f64 = 1e-5;

/// What must be zero at a state: φ, gaps, |quaternion|² − 1, rows on velocities, conditions.
fn residuals(subject: &Subject<'_>, draft: &Draft) -> Drawn<Vec<f64>> {
    let system = draft.build(subject)?;
    let (_, mut all) = rows_in_force(&*system, subject, draft.t, &draft.q);
    let rotations = draft.q[subject.model.info.coordinates.len()..].chunks(4);
    all.extend(rotations.map(|rotation| dot(rotation, rotation) - 1.0));
    all.extend(rates(&velocity_rows(&*system, subject, draft.t, &draft.q), &draft.v));
    let moment = Moment::of(subject, draft.clone())?;
    let mut reader = Reader::new(subject.declared, &moment);
    for strings in subject.conditions(&mut reader)? {
        all.push(reader.read(&strings.value)?);
    }
    Ok(all)
}

/// Whether the conditions hold as drawn, to rounding.
pub(super) fn hold(subject: &Subject<'_>, moment: &Moment) -> Result<bool, String> {
    let mut reader = Reader::new(subject.declared, moment);
    for strings in subject.conditions(&mut reader)? {
        let Component { value, size } = reader.evaluate(&strings)?;
        if value.abs() > LEFT * size {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Moves a draft to where all holds.
pub(super) fn solve(subject: &Subject<'_>, draft: &mut Draft) -> Drawn<()> {
    draft.pin();
    let free: Vec<(Slot, f64)> = draft.free().into_iter().map(|s| (s, unit(draft, s))).collect();
    let start: Vec<f64> = draft.parameters.iter().map(|value| value.abs()).collect();
    let mut rows = Matrix::new();
    let mut before = 0.0;
    for _ in 0..STEPS {
        let found = residuals(subject, draft)?;
        if rows.is_empty() || distance(&found, &rows) > before / 10.0 {
            rows = jacobian(subject, draft, &free, found.len())?;
        }
        before = distance(&found, &rows);
        if before <= LEFT {
            return Ok(());
        }
        let step = or_redraw(shortest(&rows, &found, free.len()))?;
        // Far from a solution a step is no longer than the numbers.
        let length = dot(&step, &step).sqrt();
        for ((slot, unit), step) in free.iter().zip(step) {
            *draft.at(*slot) -= step / length.max(1.0) * unit;
        }
        let mut pairs = draft.parameters.iter().zip(&start);
        let is_far = |change: f64| !(FACTOR.recip()..FACTOR).contains(&change);
        if pairs.any(|(value, start)| *start > 0.0 && is_far(value.abs() / start)) {
            return Err(Stop::Redraw);
        }
    }
    Err(Stop::Redraw)
}

/// The largest residual in units of its derivative, which may be none at all.
fn distance(residuals: &[f64], rows: &Matrix) -> f64 {
    let part = |(r, row): (&f64, &Vec<f64>)| match dot(row, row).sqrt() {
        0.0 if *r == 0.0 => 0.0,
        length => r.abs() / length,
    };
    residuals.iter().zip(rows).map(part).fold(0.0, f64::max)
}

fn unit(draft: &mut Draft, slot: Slot) -> f64 {
    let value = draft.at(slot).abs();
    match slot {
        // Rather the state than the parameters.
        Slot::Parameter(_) if value > 0.0 => value / 4.0,
        _ => value.max(0.1),
    }
}

fn jacobian(
    subject: &Subject<'_>,
    draft: &Draft,
    free: &[(Slot, f64)],
    count: usize,
) -> Drawn<Matrix> {
    let mut rows = vec![vec![0.0; free.len()]; count];
    for (j, (slot, unit)) in free.iter().enumerate() {
        let beside = |sign: f64| {
            let mut moved = draft.clone();
            *moved.at(*slot) += sign * DIFFERENCE * unit;
            residuals(subject, &moved)
        };
        let (ahead, behind) = (beside(1.0)?, beside(-1.0)?);
        for (row, (ahead, behind)) in rows.iter_mut().zip(ahead.iter().zip(behind)) {
            row[j] = (ahead - behind) / (2.0 * DIFFERENCE);
        }
    }
    Ok(rows)
}
