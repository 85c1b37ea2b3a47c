//! The slopes of one instruction by its operands, by the rules of functions.

use crate::function::{Formula, Function, Term};
use crate::program::{Builder, Instruction, Value};

/// ∂z/∂x of the instruction that computes z for each of its operands x that moves; one that is read twice stands twice.
pub(in crate::program) fn slopes(
    b: &mut Builder,
    z: Value,
    moves: &dyn Fn(Value) -> bool,
) -> Vec<(Value, Value)> {
    use Instruction as I;
    let [one, minus_one] = [1.0, -1.0].map(|number| b.constant(number));
    let all = match b.instruction(z) {
        I::Neg(x) => vec![(x, minus_one)],
        I::Add(x, y) => vec![(x, one), (y, one)],
        I::Sub(x, y) => vec![(x, one), (y, minus_one)],
        I::Mul(x, y) => vec![(x, y), (y, x)],
        I::MulAdd(x, y, c) => vec![(x, y), (y, x), (c, one)],
        I::MulSub(x, y, c) => vec![(x, y), (y, x), (c, minus_one)],
        I::NegMulAdd(x, y, c) => vec![(x, b.neg(y)), (y, b.neg(x)), (c, one)],
        I::Div(x, y) => {
            let inverse = b.reciprocal(y);
            let slope = b.mul(z, inverse);
            vec![(x, inverse), (y, b.neg(slope))]
        }
        // 0/0 where the length is 0: its inverse has no slope there.
        I::InverseOrZero(x) => {
            let slope = b.div(z, x);
            vec![(x, b.neg(slope))]
        }
        I::Sqrt(x) => {
            let half = b.constant(0.5);
            vec![(x, b.div(half, z))]
        }
        I::Powi(x, n) => {
            let (factor, power) = (b.constant(f64::from(n)), b.push(I::Powi(x, n - 1)));
            vec![(x, b.mul(factor, power))]
        }
        I::Powf(x, y) => of_power(b, z, [x, y], moves),
        I::Call(function, x, y) => of_call(b, function, [z, x, y]),
        I::Partial(partial, point) => {
            let arguments = &point[..usize::from(partial.arity)];
            let raised = arguments.iter().enumerate();
            raised.map(|(i, x)| (*x, b.partial(partial.raised(i), arguments))).collect()
        }
        I::Input(_) | I::Constant(_) | I::Variable(_) | I::Captured(_) | I::Integral(..) => {
            Vec::new()
        }
    };
    all.into_iter().filter(|(x, _)| moves(*x)).collect()
}

/// y xʸ⁻¹, and ln x xʸ where the exponent moves.
fn of_power(
    b: &mut Builder,
    z: Value,
    [x, y]: [Value; 2],
    moves: &dyn Fn(Value) -> bool,
) -> Vec<(Value, Value)> {
    let one = b.constant(1.0);
    let less = b.sub(y, one);
    let power = b.push(Instruction::Powf(x, less));
    let mut slopes = vec![(x, b.mul(y, power))];
    if moves(y) {
        let ln = b.call(Function::Ln, x, None);
        slopes.push((y, b.mul(ln, z)));
    }
    slopes
}

/// ± u/w of the rule of a function.
fn of_call(b: &mut Builder, function: Function, call: [Value; 3]) -> Vec<(Value, Value)> {
    let Some(description) = function.description() else { return Vec::new() };
    let rule = &description.rule;
    let weight = rule.weight.as_ref().map(|weight| formula(b, weight, call));
    let terms = rule.terms.iter().zip([call[1], call[2]]);
    let slope = |(term, x): (&Term, Value)| {
        let (Term::Plus(u) | Term::Minus(u)) = term;
        let u = formula(b, u, call);
        let slope = weight.map_or(u, |weight| b.div(u, weight));
        (x, if matches!(term, Term::Minus(_)) { b.neg(slope) } else { slope })
    };
    terms.map(slope).collect()
}

/// A formula of a call x = f(a, b), as a value.
pub(in crate::program) fn formula(b: &mut Builder, of: &Formula, call: [Value; 3]) -> Value {
    match of {
        Formula::Value => call[0],
        Formula::First => call[1],
        Formula::Second => call[2],
        Formula::Integer(n) => b.constant(*n as f64),
        Formula::Pi => b.constant(std::f64::consts::PI),
        Formula::Of(function, a) => {
            let a = formula(b, a, call);
            b.call(*function, a, None)
        }
        Formula::Root(a) => {
            let a = formula(b, a, call);
            b.sqrt(a)
        }
        Formula::Sum(x, y) | Formula::Difference(x, y) | Formula::Product(x, y) => {
            let (x, y) = (formula(b, x, call), formula(b, y, call));
            match of {
                Formula::Sum(..) => b.add(x, y),
                Formula::Difference(..) => b.sub(x, y),
                _ => b.mul(x, y),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slopes of an instruction at (x, y) by these, and those by differences.
    fn check(make: impl Fn(&mut Builder, Value, Value) -> Value, [x, y]: [f64; 2]) {
        let mut b = Builder::new();
        let [first, second] = [0, 1].map(|i| b.push(Instruction::Variable(i)));
        let z = make(&mut b, first, second);
        b.output("z", z);
        for (operand, slope) in slopes(&mut b, z, &|_| true) {
            b.output(if operand == first { "x" } else { "y" }, slope);
        }
        let program = b.finish("slopes");
        let at = |x: f64, y: f64| program.run(&|_| f64::NAN, &|_, _| f64::NAN, &[x, y], &[]);
        let h = 1.0 / 65536.0;
        for name in ["x", "y"] {
            let found = program.outputs.iter().zip(at(x, y)).filter(|(o, _)| o.name == name);
            let found: f64 = found.map(|(_, slope)| slope).sum();
            let moved = |h: f64| if name == "x" { at(x + h, y)[0] } else { at(x, y + h)[0] };
            let slope = (moved(h) - moved(-h)) / (2.0 * h);
            let size = 1.0 + slope.abs();
            assert!((found - slope).abs() < 1e-7 * size, "{program:?} by {name}: {found}, {slope}");
        }
    }

    #[test]
    fn slopes_are_those_of_differences() {
        // table
        check(Builder::mul, [0.3, 0.7]);
        check(Builder::sub, [0.3, 0.7]);
        check(Builder::div, [0.3, 0.7]);
        check(|b, x, y| b.push(Instruction::MulAdd(x, y, x)), [0.3, 0.7]);
        check(|b, x, y| b.push(Instruction::MulSub(x, x, y)), [0.3, 0.7]);
        check(|b, x, y| b.push(Instruction::NegMulAdd(x, y, y)), [0.3, 0.7]);
        check(|b, x, _| b.push(Instruction::InverseOrZero(x)), [0.3, 0.7]);
        check(|b, x, _| b.sqrt(x), [0.3, 0.7]);
        check(|b, x, _| b.push(Instruction::Powi(x, 70)), [0.9, 0.7]);
        check(|b, x, y| b.push(Instruction::Powf(x, y)), [0.3, 0.7]);
        for function in Function::ALL {
            let second = |y| (function.arity() == 2).then_some(y);
            check(|b, x, y| b.call(function, x, second(y)), [0.3, 0.7]);
        }
    }

    #[test]
    fn the_inverse_of_no_length_has_no_slope() {
        let mut b = Builder::new();
        let x = b.push(Instruction::Variable(0));
        let z = b.push(Instruction::InverseOrZero(x));
        let (_, slope) = slopes(&mut b, z, &|_| true)[0];
        b.output("slope", slope);
        let found = b.finish("slope").run(&|_| f64::NAN, &|_, _| f64::NAN, &[0.0], &[]);
        assert!(found[0].is_nan());
    }
}
