//! How rows turn along a motion.
//!
//! ```text
//! γ = Ḃ v + ḃ,  Ḃ = ∂B/∂t + ∂B/∂q q̇          δγ = δḂ v + Ḃ δv + δḃ
//! ```
//!
//! Exact along any direction: along a steady turn q̇ is not zero, and δḂ v counts.

use super::lines::{CONSTRAINTS, CONTACTS, FRICTIONS, Line};
use crate::tapes::friction::Terms;
use crate::tapes::{Read, Tapes};
use eom_core::enclosure::{Directions, SecondDerivative, Tape};
use nalgebra::{DMatrix, DVector};

/// What makes γ of rows.
pub(crate) struct Drift<'s> {
    /// How the rows of constraints and of contacts turn.
    turning: [Option<SecondDerivative<'s>>; 2],
    speeds: usize,
}

impl<'s> Drift<'s> {
    /// That of these rows.
    pub(crate) fn new(of: &Tapes<'s>, lines: &[Line]) -> Self {
        let reads = |kind: usize| lines.iter().any(|line| line.tape == kind);
        let turns =
            |kind, tape: Option<&'s Tape>| tape.filter(|_| reads(kind)).map(SecondDerivative::new);
        let contacts = of.system.programs().contact_rows;
        let turning = [turns(CONSTRAINTS, of.rows), turns(CONTACTS, contacts)];
        Self { turning, speeds: of.info.speeds() }
    }

    /// γ by rows at x = (t, q, v, …), and how it changes along directions of x, with q̇ and the tape of friction.
    pub(crate) fn along(
        &mut self,
        (x, directions): (&[f64], &DMatrix<f64>),
        (lines, terms, rates, friction): (&[Line], &Terms, &Read, &Read),
    ) -> Read {
        let (n, m, count) = (rates.values.len(), self.speeds, directions.ncols());
        let mut motion = vec![0.0; x.len()];
        motion[0] = 1.0;
        motion[1..=n].copy_from_slice(rates.values.as_slice());
        let mut changes = DMatrix::zeros(x.len(), count);
        changes.rows_mut(1, n).copy_from(&rates.by);
        let directions_of =
            Directions { of_point: directions.as_slice(), of_motion: changes.as_slice() };
        let turning = self.turning.each_mut().map(|tape| match tape {
            None => Read::none(count),
            Some(tape) => {
                let results = tape.results();
                let (mut rates, mut by) = (vec![0.0; results], vec![0.0; results * count]);
                tape.along((x, &motion), directions_of, &mut rates, &mut by);
                Read { values: DVector::from_vec(rates), by: DMatrix::from_vec(results, count, by) }
            }
        });
        let v = DVector::from_column_slice(&x[1 + n..1 + n + m]);
        let mut drift =
            Read { values: DVector::zeros(lines.len()), by: DMatrix::zeros(lines.len(), count) };
        for (row, line) in lines.iter().enumerate() {
            if line.tape == FRICTIONS {
                let place = terms.drift(line.first);
                drift.values[row] = friction.values[place];
                drift.by.row_mut(row).copy_from(&friction.by.row(place));
                continue;
            }
            let Read { values, by } = &turning[line.tape];
            let rate = values.rows(line.first, m);
            drift.values[row] = rate.dot(&v) + values[line.offset];
            for j in 0..count {
                let change = by.column(j);
                let moved = directions.column(j);
                drift.by[(row, j)] = change.rows(line.first, m).dot(&v)
                    + rate.dot(&moved.rows(1 + n, m))
                    + change[line.offset];
            }
        }
        drift
    }
}
