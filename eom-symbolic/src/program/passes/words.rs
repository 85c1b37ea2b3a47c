//! For tests of passes: programs of sums that are written in words.

use crate::node::SymbolKind;
use crate::pool::ExprPool;
use crate::program::Instruction;
use crate::program::{Builder, Program, Value};

/// Sums of products of the velocities a, b, c, d and the parameters m, g: `ab+c`, `c-ab`, `-a-m`.
pub(in crate::program) fn sums(words: &[&str]) -> (ExprPool, Program) {
    let mut pool = ExprPool::new();
    let velocity = |i: usize| SymbolKind::Velocity(i);
    let letters = "abcd".chars().enumerate().map(|(i, c)| (c, velocity(i)));
    let letters = letters.chain("mg".chars().map(|c| (c, SymbolKind::Parameter(0))));
    let symbols: Vec<_> = letters.map(|(c, kind)| (c, pool.symbol(kind, &c.to_string()))).collect();
    let mut builder = Builder::new();
    for sum in words {
        let mut total = builder.constant(0.0);
        // Each term begins with its sign.
        for term in sum.replace('-', "+-").split('+').filter(|term| !term.is_empty()) {
            let of = |builder: &mut Builder, letter: char| {
                let found = symbols.iter().find(|(c, _)| *c == letter).unwrap();
                builder.push(Instruction::Input(found.1))
            };
            let factors = term.trim_start_matches('-').chars();
            let factors: Vec<Value> = factors.map(|c| of(&mut builder, c)).collect();
            let product = factors.into_iter().reduce(|a, b| builder.mul(a, b)).unwrap();
            total = if term.starts_with('-') {
                builder.sub(total, product)
            } else {
                builder.add(total, product)
            };
        }
        builder.output(*sum, total);
    }
    (pool, builder.finish("sums"))
}

/// That two programs of such sums have the same values, but for the last bits.
pub(in crate::program) fn compare(pool: &ExprPool, one: &Program, other: &Program) {
    let value = |symbol| match pool.symbol_info(symbol).name.as_str() {
        "a" => 0.1,
        "b" => -0.7,
        "c" => 3.0,
        "d" => 0.25,
        _ => 0.3,
    };
    for (one, other) in one.evaluate(value).into_iter().zip(other.evaluate(value)) {
        assert!((one - other).abs() <= 4.0 * f64::EPSILON, "{one} {other}");
    }
}
