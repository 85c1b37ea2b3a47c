//! The derivatives of a tape, by forward mode: at a state, or by all that it is given.

use crate::dual::Dual;
use crate::evaluate::Evaluator;
use crate::tape::Tape;

/// How many columns are made in one run.
const COLUMNS: usize = 4;

/// f and ∂f/∂y of a tape, y = (q, v), exact to rounding.
#[derive(Debug, Clone)]
pub struct Jacobian<'t>(Evaluator<'t, Dual<f64, COLUMNS>>);

impl<'t> Jacobian<'t> {
    /// For these values of the parameters and inputs u.
    pub fn new(tape: &'t Tape, parameters: &[f64], u: &[f64]) -> Self {
        Self(Evaluator::new(tape, parameters, u))
    }

    /// Sets the inputs u.
    pub fn set_inputs(&mut self, u: &[f64]) {
        self.0.set_inputs(u);
    }

    /// Writes f(t, y), and ∂fᵢ/∂yⱼ by rows i.
    pub fn evaluate(&mut self, t: f64, y: &[f64], values: &mut [f64], matrix: &mut [f64]) {
        let n = y.len();
        for first in (0..n).step_by(COLUMNS) {
            let unit = |row: usize| {
                std::array::from_fn(|column| if first + column == row { 1.0 } else { 0.0 })
            };
            let state = y.iter().enumerate().map(|(j, y)| Dual { value: *y, rates: unit(j) });
            self.0.run_from(Dual { value: t, rates: [0.0; COLUMNS] }, state);
            for (row, result) in matrix.chunks_exact_mut(n).zip(self.0.results()) {
                let columns = row[first..].iter_mut().zip(result.rates);
                columns.for_each(|(entry, rate)| *entry = rate);
            }
        }
        values.iter_mut().zip(self.0.results()).for_each(|(value, result)| *value = result.value);
    }

    /// Writes ∂f/∂t.
    pub fn by_time(&mut self, t: f64, y: &[f64], rates: &mut [f64]) {
        let mut direction = [0.0; COLUMNS];
        direction[0] = 1.0;
        let state = y.iter().map(|y| Dual { value: *y, rates: [0.0; COLUMNS] });
        self.0.run_from(Dual { value: t, rates: direction }, state);
        rates.iter_mut().zip(self.0.results()).for_each(|(rate, result)| *rate = result.rates[0]);
    }
}

/// The derivatives of a tape by all that it is given, x = (t, q, v, u, p), exact to rounding.
#[derive(Debug, Clone)]
pub struct Derivative<'t>(Evaluator<'t, Dual<f64, COLUMNS>>);

impl<'t> Derivative<'t> {
    /// Of this tape.
    pub fn new(tape: &'t Tape) -> Self {
        Self(Evaluator::new(tape, &[], &[]))
    }

    /// How many results there are.
    pub fn results(&self) -> usize {
        self.0.len()
    }

    /// Writes f(x), and for directions d, one after another, each as long as x, f′(x) d one after another.
    pub fn along(&mut self, x: &[f64], directions: &[f64], values: &mut [f64], rates: &mut [f64]) {
        let (n, results) = (x.len().max(1), self.results());
        let mut first = 0;
        loop {
            let rate = |row: usize, column: usize| {
                directions
                    .get((first + column) * n..(first + column + 1) * n)
                    .map_or(0.0, |d| d[row])
            };
            let given = x.iter().enumerate().map(|(row, x)| Dual {
                value: *x,
                rates: std::array::from_fn(|column| rate(row, column)),
            });
            self.0.run_all(given);
            let columns = rates.chunks_exact_mut(results.max(1)).skip(first).take(COLUMNS);
            for (column, rates) in columns.enumerate() {
                let found = self.0.results().map(|result| result.rates[column]);
                rates.iter_mut().zip(found).for_each(|(rate, found)| *rate = found);
            }
            first += COLUMNS;
            if first * n >= directions.len() {
                break;
            }
        }
        values.iter_mut().zip(self.0.results()).for_each(|(value, result)| *value = result.value);
    }
}
