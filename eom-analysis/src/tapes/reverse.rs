//! Reverse mode over a tape: wᵀ ∂f/∂x in one sweep, whatever the number of x.
//!
//! ```text
//! x̄ₐ += ȳ ∂y/∂xₐ          operation by operation, backwards
//! K z = r                  Kᵀ w = z̄,  r̄ = w,  K̄ = −w zᵀ          of the linear solve at the end, where there is one
//! ```

use super::packed;
use eom_core::enclosure::{Dual, Number, Operation, Register, Solve, Tape};
use nalgebra::{DMatrix, DVector};

/// A tape with room for its values and their adjoints.
pub(crate) struct Reverse<'t> {
    tape: &'t Tape,
    values: Vec<f64>,
    adjoints: Vec<f64>,
    /// The first result of each operation.
    places: Vec<usize>,
}

/// The solution of the linear system at the end of a tape.
struct Solved {
    matrix: DMatrix<f64>,
    solution: DVector<f64>,
}

impl<'t> Reverse<'t> {
    pub(crate) fn new(tape: &'t Tape) -> Self {
        let mut at = tape.first();
        let place = |code: &u64| {
            let place = at;
            at += Operation::of(*code).results();
            place
        };
        let places = tape.operations.iter().map(place).collect();
        let values = vec![0.0; tape.registers];
        Self { tape, values, adjoints: vec![0.0; tape.registers], places }
    }

    /// wᵀ ∂f/∂x at x = (t, q, v, u, p); none where the linear system has no solution.
    pub(crate) fn pull(&mut self, x: &[f64], weights: &[f64]) -> Option<&[f64]> {
        self.run(x);
        self.adjoints.fill(0.0);
        match self.tape.solve {
            None => {
                for (place, weight) in self.tape.outputs.iter().zip(weights) {
                    self.adjoints[*place as usize] += weight;
                }
            }
            Some(solve) => self.pull_solve(solve, weights)?,
        }
        for (code, place) in self.tape.operations.iter().zip(&self.places).rev() {
            let operation = Operation::of(*code);
            let first = self.adjoints[*place];
            let second = if operation.results() > 1 { self.adjoints[place + 1] } else { 0.0 };
            if first == 0.0 && second == 0.0 {
                continue;
            }
            let (a, b) = operation.operands();
            let b = b.filter(|b| *b != a);
            let unit = |register: Register, other: Option<Register>| {
                f64::from(u8::from(other == Some(register)))
            };
            let (one, two) = applied(operation, |register| Dual {
                value: self.values[register as usize],
                rates: [unit(register, Some(a)), unit(register, b)],
            });
            let two = two.map_or([0.0; 2], |two| two.rates);
            self.adjoints[a as usize] += first * one.rates[0] + second * two[0];
            if let Some(b) = b {
                self.adjoints[b as usize] += first * one.rates[1] + second * two[1];
            }
        }
        self.adjoints.get(..self.tape.header() + self.tape.parameters)
    }

    /// All values.
    fn run(&mut self, x: &[f64]) {
        let constants = &self.tape.constants;
        let first = self.tape.first() - constants.len();
        self.values[..first].iter_mut().zip(x).for_each(|(value, x)| *value = *x);
        self.values[first..].iter_mut().zip(constants.iter()).for_each(|(value, c)| *value = *c);
        for (code, place) in self.tape.operations.iter().zip(&self.places) {
            let (one, two) =
                applied(Operation::of(*code), |register| self.values[register as usize]);
            self.values[*place] = one;
            if let Some(two) = two {
                self.values[place + 1] = two;
            }
        }
    }

    /// The adjoints of the entries of M a − Rᵀλ = f, A a = −γ.
    fn pull_solve(&mut self, solve: Solve, weights: &[f64]) -> Option<()> {
        let Solve { unknowns: n, rows: k, coupled } = solve;
        let Solved { matrix, solution } = self.solved(solve)?;
        let right = DVector::from_fn(n + k, |i, _| {
            weights.get(i).filter(|_| i < n).copied().unwrap_or(0.0)
        });
        let w = matrix.transpose().lu().solve(&right)?;
        let by = |i: usize, j: usize| -w[i] * solution[j];
        let mut entries = Vec::with_capacity(self.tape.outputs.len());
        for i in 0..n {
            entries.extend((0..i).map(|j| by(i, j) + by(j, i)));
            entries.push(by(i, i));
        }
        let of_rows = |row: usize, j: usize| by(n + row, j);
        let of_reactions = |row: usize, j: usize| -by(j, n + row);
        let lines = |of: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
            (0..k)
                .flat_map(|row| (0..n).map(move |j| (row, j)))
                .map(|(row, j)| of(row, j))
                .collect()
        };
        if coupled {
            entries.extend(lines(&of_rows));
            entries.extend(lines(&of_reactions));
        } else {
            entries.extend(lines(&|row, j| of_rows(row, j) + of_reactions(row, j)));
        }
        entries.extend(w.iter().take(n));
        entries.extend(w.iter().skip(n).map(|w| -w));
        for (place, adjoint) in self.tape.outputs.iter().zip(entries) {
            self.adjoints[*place as usize] += adjoint;
        }
        Some(())
    }

    /// M, −Rᵀ; A, 0 and (a, λ).
    fn solved(&self, solve: Solve) -> Option<Solved> {
        let Solve { unknowns: n, rows: k, coupled } = solve;
        let entry = |index: usize| self.values[self.tape.outputs[index] as usize];
        let (rows, m) = (n * (n + 1) / 2, n + k);
        let reactions = if coupled { rows + k * n } else { rows };
        let (force, drift) = (reactions + k * n, reactions + k * n + n);
        let matrix = DMatrix::from_fn(m, m, |i, j| match (i < n, j < n) {
            (true, true) => entry(packed(i, j)),
            (true, false) => -entry(reactions + (j - n) * n + i),
            (false, true) => entry(rows + (i - n) * n + j),
            (false, false) => 0.0,
        });
        let right = |i: usize, _| if i < n { entry(force + i) } else { -entry(drift + i - n) };
        let solution = matrix.clone().lu().solve(&DVector::from_fn(m, right))?;
        Some(Solved { matrix, solution })
    }
}

/// What an operation computes; of sine and cosine both.
fn applied<N: Number>(operation: Operation, of: impl Fn(Register) -> N) -> (N, Option<N>) {
    match operation {
        Operation::SinCos(a) => {
            let (sine, cosine) = of(a).sin_cos();
            (sine, Some(cosine))
        }
        _ => (operation.last(of), None),
    }
}
