//! The passes of programs: what they share, and what they leave as it is.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use eom_symbolic::program::{Instruction, Program};
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

    /// That the values of a program are those of the expressions.
    fn compare(&self, program: &Program, expressions: &[ExprId], within: f64) {
        let value = |symbol: SymbolId| {
            let index = self.symbols.iter().position(|other| *other == symbol).unwrap();
            0.7 + 0.31 * index as f64
        };
        let found = program.evaluate(value);
        for (found, wanted) in found.iter().zip(self.pool.evaluate(expressions, value)) {
            assert!(
                (found - wanted).abs() <= within * wanted.abs(),
                "{program:?}: {found}, {wanted}"
            );
        }
    }
}

/// The multiplications of a list of products, and that their values are those of the expressions.
fn check(products: &[&str], multiplications: usize) {
    let mut words = Words::new();
    let expressions: Vec<ExprId> = products.iter().map(|p| words.product(p)).collect();
    let named = expressions.iter().map(|e| (String::new(), *e));
    let program = Program::of_expressions(&words.pool, "products", named);
    assert_eq!(program.op_counts().mul, multiplications, "{products:?}: {program:?}");
    words.compare(&program, &expressions, 1e-15);
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

/// The divisions by what is no parameter in functions of m, x, y, and that their values are those of the
/// expressions.
fn check_divisions(
    write: impl Fn(&mut ExprPool, [ExprId; 3]) -> Vec<ExprId>,
    divisions: usize,
    operations: usize,
) {
    let mut words = Words::new();
    let [m, x, y] = [0, 2, 3].map(|i| words.pool.symbol_expr(words.symbols[i]));
    let expressions = write(&mut words.pool, [m, x, y]);
    let named = expressions.iter().map(|e| (String::new(), *e));
    let program = Program::of_expressions(&words.pool, "divisors", named);
    let mut moves: Vec<bool> = Vec::new();
    for instruction in &program.instructions {
        let mut any = matches!(instruction, Instruction::Input(s) if *s != words.symbols[0]);
        instruction.for_operands(|value| any |= moves[value.index()]);
        moves.push(any);
    }
    let divides = |i: &&Instruction| matches!(i, Instruction::Div(_, d) if moves[d.index()]);
    assert_eq!(program.instructions.iter().filter(divides).count(), divisions, "{program:?}");
    assert_eq!(program.op_counts().total(), operations, "{program:?}");
    words.compare(&program, &expressions, 4e-15);
}

/// 1 + x² + y², m (1 + x² + y²).
fn lengths(pool: &mut ExprPool, [m, x, y]: [ExprId; 3]) -> [ExprId; 2] {
    let [xx, yy] = [x, y].map(|e| pool.mul(e, e));
    let plain = pool.sum_of(&[ExprPool::ONE, xx, yy]);
    let terms = [m, pool.mul(m, xx), pool.mul(m, yy)];
    [plain, pool.sum_of(&terms)]
}

/// m (1 − cos² x).
fn sine(pool: &mut ExprPool, m: ExprId, x: ExprId) -> ExprId {
    let cos = pool.call(Function::Cos, &[x]);
    let square = pool.mul(cos, cos);
    let moved = pool.mul(m, square);
    pool.sub(m, moved)
}

#[test]
fn what_is_left_of_one_by_a_cosine_is_the_square_of_the_sine() {
    let with_sine = |pool: &mut ExprPool, [m, x, y]: [ExprId; 3]| {
        let d = sine(pool, m, x);
        vec![pool.div(y, d), pool.call(Function::Sin, &[x])]
    };
    check_divisions(with_sine, 1, 6);
    // Without a sine that is there, none is taken.
    let without = |pool: &mut ExprPool, [m, x, y]: [ExprId; 3]| {
        let d = sine(pool, m, x);
        vec![pool.div(y, d)]
    };
    check_divisions(without, 1, 5);
}

#[test]
fn divisors_are_inverted_once() {
    // A factor of parameters does not make another divisor.
    check_divisions(
        |pool, [m, x, y]| lengths(pool, [m, x, y]).map(|d| pool.div(x, d)).to_vec(),
        1,
        8,
    );
    // A root that is inverted inverts what is under it.
    check_divisions(
        |pool, [m, x, y]| {
            let [plain, scaled] = lengths(pool, [m, x, y]);
            let root = pool.sqrt(plain);
            vec![pool.div(x, root), pool.div(y, scaled)]
        },
        1,
        10,
    );
    // What is divided by alone stays.
    check_divisions(
        |pool, [m, x, y]| {
            let [_, scaled] = lengths(pool, [m, x, y]);
            vec![pool.div(x, scaled)]
        },
        1,
        7,
    );
}
