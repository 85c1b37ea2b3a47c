//! The derivatives of a tape at a state, by forward mode.

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
