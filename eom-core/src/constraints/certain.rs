//! Rows that are independent wherever they have values.
//!
//! A row has a speed of its own where its entry there is a number other than 0, whatever t, q and v are, and the entries of
//! all other rows there are 0. Rows are independent if each has one, once those before it are left aside: the columns of
//! these speeds are a triangle whose diagonal is constant,
//!
//! ```text
//! ẋ − r cos θ φ̇ = 0,  ẏ − r sin θ φ̇ = 0:      A = (I | ·)
//! ```

use crate::system::enclosure::{Evaluator, Register, Tape};
use crate::system::{System, parameters_of};

/// Whether the constraint rows of a system are known to be independent at all states.
pub(super) fn independent_everywhere(system: &dyn System) -> bool {
    let info = system.info();
    let (rows, speeds) = (info.rows.len(), info.speeds());
    let Some(tape) = system.programs().constraint_rows else { return false };
    if tape.solve.is_some() || tape.results() < rows * speeds || reads_inputs(tape) {
        return false;
    }
    let inputs = vec![0.0; tape.inputs.inputs];
    let evaluator = Evaluator::<f64>::new(tape, &parameters_of(system), &inputs);
    let entry = |row: usize, speed: usize| {
        let index = row * speeds + speed;
        is_fixed(tape, tape.outputs[index]).then(|| evaluator.result(index))
    };
    is_triangle(rows, speeds, entry)
}

/// Whether one row after another has a speed of its own, by the entries, of which the moving ones are none.
fn is_triangle(rows: usize, speeds: usize, entry: impl Fn(usize, usize) -> Option<f64>) -> bool {
    let mut left: Vec<usize> = (0..rows).collect();
    while let Some(index) = (0..speeds).find_map(|speed| own_row(&left, |row| entry(row, speed))) {
        left.swap_remove(index);
    }
    left.is_empty()
}

/// Of some rows the one to which a speed belongs, by their entries there.
fn own_row(rows: &[usize], entry: impl Fn(usize) -> Option<f64>) -> Option<usize> {
    let mut others = rows.iter().enumerate().filter(|(_, row)| entry(**row) != Some(0.0));
    let (index, row) = others.next()?;
    let is_own = entry(*row).is_some_and(f64::is_normal) && others.next().is_none();
    is_own.then_some(index)
}

/// Whether a register holds what parameters and constants make.
fn is_fixed(tape: &Tape, register: Register) -> bool {
    (tape.header()..tape.first_moving()).contains(&(register as usize))
}

fn reads_inputs(tape: &Tape) -> bool {
    (0..tape.inputs.inputs).any(|input| tape.reads(tape.inputs.state() + input))
}

#[cfg(test)]
mod tests {
    use super::is_triangle;

    /// Rows of entries, where `None` depends on the state.
    fn check(rows: &[&[Option<f64>]], are_certain: bool) {
        let speeds = rows.first().map_or(0, |row| row.len());
        let found = is_triangle(rows.len(), speeds, |row, speed| rows[row][speed]);
        assert_eq!(found, are_certain, "{rows:?}");
    }

    #[test]
    fn a_triangle_with_a_constant_diagonal_has_its_rank() {
        let (zero, one, moving) = (Some(0.0), Some(1.0), None);
        check(&[&[one, zero, moving], &[zero, one, moving]], true);
        check(&[&[one, moving, zero], &[moving, zero, one]], true);
        check(&[&[one, moving, moving], &[zero, one, moving]], true);
        check(&[&[moving, one], &[one, moving]], false);
        check(&[&[one, one], &[one, one]], false);
        check(&[&[moving, moving]], false);
        check(&[&[Some(f64::NAN), zero]], false);
    }
}
