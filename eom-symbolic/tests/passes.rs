//! The passes of programs: what they share, and what they leave as it is.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use eom_symbolic::program::Program;
use eom_symbolic::{ExprId, ExprPool, Function, SymbolId, SymbolKind};

/// Symbols to write products of: two parameters, three coordinates, two velocities.
struct Words {
    pool: ExprPool,
    symbols: Vec<SymbolId>,
}

impl Words {
    fn new() -> Self {
        let mut pool = ExprPool::new();
        let kinds = [
            ("m", SymbolKind::Parameter(0)),
            ("g", SymbolKind::Parameter(1)),
            ("x", SymbolKind::Coordinate(0)),
            ("y", SymbolKind::Coordinate(1)),
            ("z", SymbolKind::Coordinate(2)),
            ("u", SymbolKind::Velocity(0)),
            ("w", SymbolKind::Velocity(1)),
        ];
        let symbols = kinds.map(|(name, kind)| pool.symbol(kind, name)).to_vec();
        Self { pool, symbols }
    }

    /// A product by the letters of its factors; capitals are sines.
    fn product(&mut self, letters: &str) -> ExprId {
        let mut factors = Vec::new();
        for letter in letters.chars() {
            let small = letter.to_lowercase().to_string();
            let symbol = *self
                .symbols
                .iter()
                .find(|symbol| self.pool.symbol_info(**symbol).name == small)
                .unwrap();
            let plain = self.pool.symbol_expr(symbol);
            factors.push(if letter.is_uppercase() {
                self.pool.call(Function::Sin, &[plain])
            } else {
                plain
            });
        }
        self.pool.product_of(&factors)
    }
}

/// The multiplications of a list of products, and that their values are those of the expressions.
fn check(products: &[&str], multiplications: usize) {
    let mut words = Words::new();
    let expressions: Vec<ExprId> = products.iter().map(|p| words.product(p)).collect();
    let named = expressions.iter().map(|e| (String::new(), *e));
    let program = Program::of_expressions(&words.pool, "products", named);
    assert_eq!(program.op_counts().mul, multiplications, "{products:?}: {program:?}");
    let value = |symbol: SymbolId| {
        let index = words.symbols.iter().position(|other| *other == symbol).unwrap();
        0.7 + 0.31 * index as f64
    };
    let found = program.evaluate(value);
    for (found, wanted) in found.iter().zip(words.pool.evaluate(&expressions, value)) {
        assert!((found - wanted).abs() <= 1e-15 * wanted.abs(), "{products:?}: {found}, {wanted}");
    }
}

#[test]
fn pairs_of_factors_are_multiplied_once() {
    // table
    check(&["xy"], 1);
    check(&["xyz", "xyu", "xyw"], 4);
    check(&["gXY", "XXYY"], 3);
    check(&["XYZ", "XXYYZZ"], 3);
    check(&["mguw", "mgu"], 3);
    check(&["mX", "mgX"], 3);
    check(&["xxxx", "xx"], 2);
}
