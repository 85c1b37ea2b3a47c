//! How the derivative of a tape along a motion changes with the motion.
//!
//! ```text
//! ḟ = f′(x) ẋ          δḟ = f″(x)(ẋ, δx) + f′(x) δẋ
//! ```
//!
//! A number with derivatives along directions, whose entries are numbers with a derivative along the motion.

use crate::dual::Dual;
use crate::evaluate::Evaluator;
use crate::tape::Tape;
use eom_elementary::{Base, Number};

/// How many columns are made in one run.
const COLUMNS: usize = 4;

/// The directions of x, one after another, and how ẋ changes along each.
#[derive(Debug, Clone, Copy)]
pub struct Directions<'a> {
    /// δx of each.
    pub of_point: &'a [f64],
    /// δẋ of each.
    pub of_motion: &'a [f64],
}

/// The derivatives of a tape along a motion, and along directions from it, exact to rounding.
#[derive(Debug, Clone)]
pub struct SecondDerivative<'t>(Evaluator<'t, Dual<Dual<f64, 1>, COLUMNS>>);

impl<'t> SecondDerivative<'t> {
    /// Of this tape.
    pub fn new(tape: &'t Tape) -> Self {
        Self(Evaluator::new(tape, &[], &[]))
    }

    /// How many results there are.
    pub fn results(&self) -> usize {
        self.0.len()
    }

    /// Writes ḟ at x = (t, q, v, u, p) with the motion ẋ, and δḟ of the directions one after another.
    pub fn along(
        &mut self,
        (x, motion): (&[f64], &[f64]),
        directions: Directions<'_>,
        rates: &mut [f64],
        changes: &mut [f64],
    ) {
        let (n, results) = (x.len().max(1), self.results());
        let mut first = 0;
        loop {
            let part = |list: &[f64], row: usize, column: usize| {
                list.get((first + column) * n + row).copied().unwrap_or(0.0)
            };
            let given = x.iter().zip(motion).enumerate().map(|(row, (x, rate))| Dual {
                value: Dual { value: *x, rates: [*rate] },
                rates: std::array::from_fn(|column| Dual {
                    value: part(directions.of_point, row, column),
                    rates: [part(directions.of_motion, row, column)],
                }),
            });
            self.0.run_all(given);
            let columns = changes.chunks_exact_mut(results.max(1)).skip(first).take(COLUMNS);
            for (column, changes) in columns.enumerate() {
                let found = self.0.results().map(|result| result.rates[column].rates[0]);
                changes.iter_mut().zip(found).for_each(|(change, found)| *change = found);
            }
            first += COLUMNS;
            if first * n >= directions.of_point.len() {
                break;
            }
        }
        rates.iter_mut().zip(self.0.results()).for_each(|(rate, f)| *rate = f.value.rates[0]);
    }
}

impl Base for Dual<f64, 1> {
    fn abs_slope(self) -> Self {
        Self::of(self.value.abs_slope())
    }

    fn sign_slope(self) -> Self {
        Self::of(0.0)
    }

    fn is_zero(self) -> bool {
        self.value == 0.0 && self.rates[0] == 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::Operation;
    use crate::tape::Inputs;
    use eom_elementary::Elementary;

    /// f = sin(q) √v + qᵛ, and by hand ḟ and δḟ.
    #[test]
    fn the_change_of_a_rate_in_closed_form() {
        let operations = [
            Operation::SinCos(1),
            Operation::Sqrt(2),
            Operation::Mul(3, 5),
            Operation::Powf(1, 2),
            Operation::Add(6, 7),
            Operation::Call(Elementary::Exp, 8),
        ];
        let tape = Tape {
            inputs: Inputs { positions: 1, speeds: 1, inputs: 0 },
            parameters: 0,
            constants: vec![].into(),
            fixed: 0,
            operations: operations.iter().map(|operation| operation.code()).collect(),
            registers: 10,
            outputs: vec![9].into(),
            solve: None,
        };
        let f = |q: f64, v: f64| (q.sin() * v.sqrt() + q.powf(v)).exp();
        // ḟ = e^g ġ, with ġ by hand.
        let rate = |q: f64, v: f64, a: f64, b: f64| {
            let by_q = q.cos() * v.sqrt() + v * q.powf(v - 1.0);
            let by_v = q.sin() / (2.0 * v.sqrt()) + q.powf(v) * q.ln();
            f(q, v) * (by_q * a + by_v * b)
        };
        let (q, v, a, b) = (0.7, 1.3, 0.4, -0.9);
        let (dq, dv, da, db) = (0.3, -0.2, 0.5, 0.1);
        let mut derivative = SecondDerivative::new(&tape);
        let (mut rates, mut changes) = ([0.0], [0.0; 5]);
        let points = [[0.0, dq, dv]; 5].concat();
        let motions = [[0.0, da, db]; 5].concat();
        let directions = Directions { of_point: &points, of_motion: &motions };
        derivative.along((&[0.0, q, v], &[1.0, a, b]), directions, &mut rates, &mut changes);
        assert!((rates[0] - rate(q, v, a, b)).abs() < 1e-14);
        let moved = |h: f64| rate(q + h * dq, v + h * dv, a + h * da, b + h * db);
        let central = |h: f64| (moved(h) - moved(-h)) / (2.0 * h);
        let expected = (4.0 * central(1e-3) - central(2e-3)) / 3.0;
        assert!(changes.iter().all(|change| (change - expected).abs() < 1e-10), "{changes:?}");
    }
}
