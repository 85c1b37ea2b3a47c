//! Each function of the language: what its row says of it holds for its values.

use eom_symbolic::function::{Exact, Parity};
use eom_symbolic::{ExprId, ExprPool, Function, Rational, SymbolKind};

/// Arguments within the domain of every function, away from where one is not smooth.
const POINTS: [f64; 4] = [0.3, 0.45, 0.6, 0.85];
/// A second argument.
const SECOND: f64 = 0.7;
const STEP: f64 = 1e-4;

/// Every function at every point.
fn check(test: impl Fn(Function, f64)) {
    for f in Function::ALL {
        for x in POINTS {
            test(f, x);
        }
    }
}

/// An expression of the arguments of a call of a function.
fn at(f: Function, x: f64, of: impl Fn(&mut ExprPool, &[ExprId]) -> ExprId) -> f64 {
    let mut pool = ExprPool::new();
    let first = pool.symbol(SymbolKind::Coordinate(0), "x");
    let second = pool.symbol(SymbolKind::Coordinate(1), "y");
    let arguments = [first, second].map(|symbol| pool.symbol_expr(symbol));
    let expression = of(&mut pool, &arguments[..f.arity()]);
    let value = |symbol| match pool.symbol_info(symbol).kind {
        SymbolKind::Pi => std::f64::consts::PI,
        SymbolKind::Coordinate(0) => x,
        _ => SECOND,
    };
    pool.evaluate(&[expression], value)[0]
}

fn close(what: &str, f: Function, found: f64, expected: f64) {
    let fits = (found - expected).abs() < 1e-9 * (1.0 + expected.abs());
    assert!(fits, "{what} of {}: {found}, {expected}", f.name());
}

#[test]
fn derivatives_are_those_of_differences() {
    let slope = |f: &dyn Fn(f64) -> f64, x: f64| {
        (8.0 * (f(x + STEP) - f(x - STEP)) - (f(x + 2.0 * STEP) - f(x - 2.0 * STEP)))
            / (12.0 * STEP)
    };
    check(|f, x| {
        for which in 0..f.arity() {
            let found = at(f, x, |pool, arguments| pool.call_derivative(f, arguments, which));
            let expected = match which {
                0 => slope(&|x| f.evaluate(x, SECOND), x),
                _ => slope(&|y| f.evaluate(x, y), SECOND),
            };
            close("the derivative", f, found, expected);
        }
    });
}

#[test]
fn relations_hold() {
    check(|f, x| {
        let row = f.description().expect("a function of the language");
        let value = f.evaluate(x, SECOND);
        match row.parity {
            Parity::Even => assert_eq!(f.evaluate(-x, SECOND), value),
            Parity::Odd => assert_eq!(f.evaluate(-x, SECOND), -value),
            Parity::None => {}
        }
        if let Some(ahead) = row.quarters {
            let quarter = std::f64::consts::FRAC_PI_2;
            close("quarters", f, (x + ahead as f64 * quarter).sin(), value);
        }
        if row.is_periodic {
            close("the period", f, f.evaluate(x + std::f64::consts::TAU, SECOND), value);
        }
        if let Some((sign, primitive)) = row.primitive {
            let slope = at(primitive, x, |pool, a| pool.call_derivative(primitive, a, 0));
            close("the primitive", f, sign as f64 * slope, value);
        }
        if let Some((sign, other)) = row.square {
            let other = other.evaluate(x, SECOND);
            close("the square", f, sign as f64 * (1.0 - other * other), value * value);
        }
    });
}

/// What folds is what is computed.
#[test]
fn known_values_are_the_values() {
    for f in Function::ALL {
        let row = f.description().expect("a function of the language");
        for (arguments, value) in row.at {
            let number = |index: usize| arguments.get(index).map_or(0.0, |n| *n as f64);
            let found = f.evaluate(number(0), number(1));
            match value {
                Exact::Integer(n) => assert_eq!(found, *n as f64, "{} at {arguments:?}", f.name()),
                // atan2(0, 0) is 0 in f64, and nothing in mathematics.
                Exact::Undefined => assert!(found <= 0.0, "{} at {arguments:?}", f.name()),
            }
        }
        if let Some(of) = row.of_number {
            for (p, q) in [(-3, 2), (-1, 1), (0, 1), (1, 3), (1, 2), (1, 1), (5, 2)] {
                let x = Rational::new(p, q).expect("a number");
                close("a number", f, of(&x).to_f64(), f.evaluate(x.to_f64(), 0.0));
            }
        }
    }
}

#[test]
fn names_are_found() {
    for f in Function::ALL {
        assert_eq!(Function::from_name(f.name()), Some(f));
    }
}

/// Each step of a number has five times its digits: they are not written out.
#[test]
fn steps_of_steps_end() {
    let mut pool = ExprPool::new();
    let third = Rational::new(1, 3).expect("a number");
    let mut step = pool.number(&third);
    for _ in 0..40 {
        step = pool.call(Function::Smoothstep, &[step]);
    }
    let value = pool.evaluate(&[step], |_| f64::NAN)[0];
    assert!((0.0..1e-9).contains(&value), "{value}");
}
