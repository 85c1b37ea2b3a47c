//! A tape whose kinks are taken on a side: sign u is s and |u| is s u, with s = ±1 given behind the parameters.
//!
//! What it gives is smooth across the kink, and the two sides are told apart there.

use crate::operation::{Operation, Register};
use crate::tape::Tape;
use eom_elementary::Elementary;

/// A tape with sides, and the numbers u whose sides they are, which are given the same.
#[derive(Debug, Clone)]
pub struct Sides {
    /// The tape.
    pub tape: Tape,
    /// All u.
    pub arguments: Tape,
}

impl Tape {
    /// The same with a side of each u of which one of these functions, `Sign` and `Abs`, is taken along a motion; none where
    /// there is no such u.
    #[must_use]
    pub fn with_sides(&self, of: &[Elementary]) -> Option<Sides> {
        let operations: Vec<Operation> =
            self.operations.iter().map(|c| Operation::of(*c)).collect();
        let argument = |operation: &Operation| match *operation {
            Operation::Call(f, u) if of.contains(&f) => Some(u),
            _ => None,
        };
        let mut arguments: Vec<Register> = Vec::new();
        for u in operations.iter().skip(self.fixed).filter_map(argument) {
            if !arguments.contains(&u) {
                arguments.push(u);
            }
        }
        let (first, count) =
            ((self.header() + self.parameters) as Register, arguments.len() as Register);
        if count == 0 {
            return None;
        }
        let moved = |register: Register| if register < first { register } else { register + count };
        let side = |operation: &Operation| {
            let u = argument(operation)?;
            Some(first + arguments.iter().position(|known| *known == u)? as Register)
        };
        let held = operations.iter().map(|operation| {
            let held = match (side(operation), operation) {
                (Some(s), Operation::Call(Elementary::Abs, u)) => Operation::Mul(moved(*u), s),
                // s = 1/s.
                (Some(s), _) => Operation::InverseOrZero(s),
                (None, other) => other.with(moved),
            };
            held.code()
        });
        let tape = Self {
            parameters: self.parameters + arguments.len(),
            operations: held.collect(),
            registers: self.registers + arguments.len(),
            outputs: self.outputs.iter().map(|output| moved(*output)).collect(),
            ..self.clone()
        };
        let outputs = arguments.iter().map(|u| moved(*u)).collect();
        let arguments = Self { outputs, solve: None, ..tape.clone() };
        Some(Sides { tape, arguments })
    }
}

#[cfg(test)]
mod tests {
    use crate::jacobian::Derivative;
    use crate::operation::Operation;
    use crate::tape::{Inputs, Tape};
    use eom_elementary::Elementary;

    /// p sign x + 3 |x| on both sides, wherever x is.
    #[test]
    fn kinks_are_taken_on_a_side() {
        let operations = vec![
            Operation::Call(Elementary::Sign, 1),
            Operation::Mul(4, 2),
            Operation::Call(Elementary::Abs, 1),
            Operation::Mul(6, 3),
            Operation::Add(5, 7),
        ];
        let tape = Tape {
            inputs: Inputs { positions: 1, speeds: 0, inputs: 0 },
            parameters: 1,
            constants: vec![3.0].into(),
            fixed: 0,
            operations: operations.into_iter().map(Operation::code).collect(),
            registers: 9,
            outputs: vec![8].into(),
            solve: None,
        };
        let check = |of: &[Elementary], x: f64, s: f64, expected: [f64; 2]| {
            let sides = tape.with_sides(of).expect("it has kinks");
            assert!(sides.tape.is_sound() && sides.arguments.is_sound());
            let given = [0.0, x, 5.0, s];
            let (mut values, mut rates) = ([0.0], [0.0]);
            Derivative::new(&sides.tape).along(
                &given,
                &[0.0, 1.0, 0.0, 0.0],
                &mut values,
                &mut rates,
            );
            assert_eq!([values[0], rates[0]], expected, "{x} {s}");
            Derivative::new(&sides.arguments).along(&given, &[], &mut values, &mut []);
            assert_eq!(values, [x]);
        };
        let both = [Elementary::Sign, Elementary::Abs];
        check(&both, 2.0, 1.0, [11.0, 3.0]);
        check(&both, 2.0, -1.0, [-11.0, -3.0]);
        check(&both, 0.0, -1.0, [-5.0, -3.0]);
        check(&[Elementary::Sign], 2.0, -1.0, [1.0, 3.0]);
        assert!(
            Tape {
                operations: vec![Operation::Neg(1).code()].into(),
                outputs: vec![4].into(),
                registers: 5,
                ..tape.clone()
            }
            .with_sides(&both)
            .is_none()
        );
    }
}
