//! Simplification keeps values, and the zero test knows the identities it promises.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use eom_symbolic::print::{self, Names};
use eom_symbolic::simplify::{self, collect, simplify};
use eom_symbolic::{ExprId, ExprPool, Function};
use support::Declaration;

fn names() -> Declaration {
    Declaration::new(&["x", "y", "z"], &["m", "l", "g", "a", "b"])
}

fn check_simplified(rows: &[(&str, &str)]) {
    for (written, expected) in rows {
        let mut declaration = names();
        let e = declaration.parse(written);
        let simple = simplify(&mut declaration.model.pool, e);
        let text = print::unicode(&declaration.model.pool, simple, &Names::default());
        assert_eq!(text, *expected, "{written}");
    }
}

#[test]
fn sums_are_collected() {
    check_simplified(&[
        ("sin(x)^2 + cos(x)^2", "1"),
        ("m*l^2*sin(x)^2 + m*l^2*cos(x)^2 + a", "a + m*l^2"),
        ("1 - cos(x)^2", "sin(x)^2"),
        ("1 - sin(x)^2", "cos(x)^2"),
        ("a*cos(x)^2 + b*sin(x)^2", "a*cos(x)^2 + b*sin(x)^2"),
        ("(x + y)^2 - x^2 - 2*x*y", "y^2"),
        ("m*ẋ + a*ẋ - b*ẋ", "(m + a - b)*ẋ"),
        ("m*g*sin(x) + a*g*sin(x)", "(m + a)*g*sin(x)"),
        ("(m^2 - a^2)/(m + a)", "m - a"),
        ("m/(m + a) + a/(m + a)", "1"),
        ("cosh(x)^2 - sinh(x)^2", "1"),
        ("sin(x)*cos(y) - cos(x)*sin(y)", "sin(x - y)"),
        ("cos(x)*cos(y) + sin(x)*sin(y)", "cos(x - y)"),
        ("sqrt(m + a)*sqrt(m + a)", "m + a"),
        ("x/sqrt(m + a)", "x/sqrt(m + a)"),
        ("sin(x*(1 + a) - a*x)", "sin(x)"),
        ("(a*x + a*y)/(x + y)", "a"),
        ("0.5*m*ẋ^2 + 0.25*m*ẏ^2", "m*(2*ẋ^2 + ẏ^2)/4"),
    ]);
}

#[test]
fn zero_is_proved_and_nonzero_seen() {
    let table = [
        ("sin(x)^2 + cos(x)^2 - 1", Some(true)),
        ("sin(2*x) - 2*sin(x)*cos(x)", Some(true)),
        ("cos(3*x) - 4*cos(x)^3 + 3*cos(x)", Some(true)),
        ("sin(x + y) - sin(x)*cos(y) - cos(x)*sin(y)", Some(true)),
        ("tan(x)*cos(x) - sin(x)", Some(true)),
        ("1 + tan(x)^2 - 1/cos(x)^2", Some(true)),
        ("cos(x - y)*cos(x + y) - cos(x)^2 + sin(y)^2", Some(true)),
        ("1/sin(x) - sin(x)/(1 - cos(x)^2)", Some(true)),
        ("sqrt(a + b) - (a + b)/sqrt(a + b)", Some(true)),
        ("1/(m + a) - 1/(m - a) + 2*a/(m^2 - a^2)", Some(true)),
        ("(x^2 - y^2)/(x - y) - x - y", Some(true)),
        ("sin(x)^4 - cos(x)^4 - sin(x)^2 + cos(x)^2", Some(true)),
        ("sin(x + π) + sin(x)", Some(true)),
        ("sin(x)^2 + cos(y)^2 - 1", Some(false)),
        ("x - y", Some(false)),
        ("x - x/3*3.000001", Some(false)),
        // True, and beyond what the normal form knows.
        ("exp(x + y) - exp(x)*exp(y)", None),
        ("sin(2*atan(x)) - 2*x/(1 + x^2)", None),
    ];
    for (written, expected) in table {
        let mut declaration = names();
        declaration.model.pool.symbol(eom_symbolic::SymbolKind::Pi, "π");
        let e = declaration.parse(written);
        assert_eq!(simplify::is_zero(&mut declaration.model.pool, e), expected, "{written}");
    }
}

#[test]
fn linear_coefficients_are_collected() {
    let mut declaration = names();
    let e = declaration.parse("m*l*ẍ + a*(ẍ - b*ÿ) + m*g*sin(x)");
    let accelerations: Vec<_> =
        declaration.model.speeds.iter().map(|speed| speed.acceleration).collect();
    let pool = &mut declaration.model.pool;
    let (coefficients, rest) = collect(pool, e, &accelerations).unwrap();
    let text = |e: &ExprId| print::unicode(&declaration.model.pool, *e, &Names::default());
    let texts: Vec<String> = coefficients.iter().chain([&rest]).map(text).collect();
    assert_eq!(texts, ["a + m*l", "-a*b", "0", "m*g*sin(x)"]);
    let square = declaration.parse("ẍ^2");
    assert_eq!(collect(&mut declaration.model.pool, square, &accelerations), None);
}

/// A seeded source of expressions.
struct Source {
    state: u64,
}

impl Source {
    fn below(&mut self, n: u64) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.state >> 33) % n
    }

    fn expression(&mut self, declaration: &mut Declaration, depth: u64) -> ExprId {
        if depth == 0 || self.below(6) == 0 {
            let leaves = ["x", "y", "m", "l", "a", "ẋ", "ẏ", "2", "1/3"];
            return declaration.parse(leaves[self.below(leaves.len() as u64) as usize]);
        }
        let choice = self.below(9);
        let a = self.expression(declaration, depth - 1);
        if choice >= 7 {
            let function = if choice == 7 { Function::Sin } else { Function::Cos };
            return declaration.model.pool.call(function, &[a]);
        }
        let b = if choice < 5 { self.expression(declaration, depth - 1) } else { ExprPool::ONE };
        let pool = &mut declaration.model.pool;
        match choice {
            0 | 1 => pool.add(a, b),
            2 => pool.sub(a, b),
            3 => pool.mul(a, b),
            4 => {
                let square = pool.powi(b, 2);
                let positive = pool.add(square, ExprPool::ONE);
                pool.div(a, positive)
            }
            5 => pool.powi(a, 2),
            _ => {
                let square = pool.powi(a, 2);
                let positive = pool.add(square, ExprPool::TWO);
                pool.sqrt(positive)
            }
        }
    }
}

#[test]
fn simplified_and_printed_expressions_keep_their_values() {
    for seed in 0..400 {
        let mut source = Source { state: seed };
        let mut declaration = names();
        let e = source.expression(&mut declaration, 5);
        let simple = simplify(&mut declaration.model.pool, e);
        let text = print::unicode(&declaration.model.pool, simple, &Names::default());
        let read = declaration.parse(&text);
        let pool = &declaration.model.pool;
        assert!(simplify::size(pool, simple) <= simplify::size(pool, e));
        for point in 0..4_u32 {
            let at =
                |s: eom_symbolic::SymbolId| 0.4 + 0.37 * f64::from(point) + 0.11 * s.index() as f64;
            let values = pool.evaluate(&[e, simple, read], at);
            for value in &values[1..] {
                let error = (values[0] - value).abs();
                assert!(error <= 1e-8 * (1.0 + values[0].abs()), "seed {seed}: {text} {values:?}");
            }
        }
        let again = simplify(&mut declaration.model.pool, simple);
        let pool = &declaration.model.pool;
        assert!(simplify::size(pool, again) <= simplify::size(pool, simple));
    }
}
