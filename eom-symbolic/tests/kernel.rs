//! The algebra itself, on random expressions: the canonical form that `node` promises,
//! derivatives against each other and against differences, programs against expressions.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use eom_symbolic::diff::Tangent;
use eom_symbolic::eval::Estimate;
use eom_symbolic::program::{Instruction, Program};
use eom_symbolic::rewrite::pythagoras;
use eom_symbolic::subst::Substitution;
use eom_symbolic::{ExprId, ExprPool, Function, Rational, SymbolId, SymbolKind, View};

const SYMBOLS: usize = 4;
const EXPRESSIONS: usize = 300;

/// A pool with x₀…x₃ and a generator of expressions over them.
struct Generator {
    pool: ExprPool,
    symbols: Vec<SymbolId>,
    random: fastrand::Rng,
}

impl Generator {
    fn new(seed: u64) -> Self {
        let mut pool = ExprPool::new();
        let symbols = (0..SYMBOLS)
            .map(|i| pool.symbol(SymbolKind::Coordinate(i), &format!("x{i}")))
            .collect();
        Self { pool, symbols, random: fastrand::Rng::with_seed(seed) }
    }

    fn number(&mut self) -> ExprId {
        let value = Rational::new(self.random.i64(-6..=6), self.random.i64(1..=4)).unwrap();
        self.pool.number(&value)
    }

    fn expression(&mut self, depth: usize) -> ExprId {
        if depth == 0 {
            return match self.random.usize(0..4) {
                0 => self.number(),
                _ => {
                    let symbol = self.symbols[self.random.usize(0..SYMBOLS)];
                    self.pool.symbol_expr(symbol)
                }
            };
        }
        let a = self.expression(depth - 1);
        match self.random.usize(0..9) {
            0 | 1 => {
                let b = self.expression(depth - 1);
                self.pool.add(a, b)
            }
            2 => {
                let b = self.expression(depth - 1);
                self.pool.sub(a, b)
            }
            3 | 4 => {
                let b = self.expression(depth - 1);
                self.pool.mul(a, b)
            }
            5 => {
                let n = self.random.i64(-2..=3);
                self.pool.powi(a, n)
            }
            6 => {
                let square = self.pool.powi(a, 2);
                let positive = self.pool.add(ExprPool::ONE, square);
                self.pool.sqrt(positive)
            }
            _ => {
                let functions = [Function::Sin, Function::Cos, Function::Tanh, Function::Atan];
                let function = functions[self.random.usize(0..functions.len())];
                self.pool.call(function, &[a])
            }
        }
    }

    fn point(&mut self) -> Vec<f64> {
        (0..SYMBOLS).map(|_| 0.3 + self.random.f64()).collect()
    }
}

fn value(pool: &ExprPool, expr: ExprId, point: &[f64]) -> Estimate {
    pool.evaluate_with_error(&[expr], |s| Estimate::exact(point[s.index()]))[0]
}

/// Calls `check` for defined random expressions, with a point at which each is finite.
fn for_random(seed: u64, mut check: impl FnMut(&mut Generator, ExprId, &[f64])) {
    let mut random = Generator::new(seed);
    let mut checked = 0;
    for _ in 0..EXPRESSIONS {
        let depth = random.random.usize(1..5);
        let expr = random.expression(depth);
        let point = random.point();
        let estimate = value(&random.pool, expr, &point);
        if !random.pool.is_undefined(expr) && estimate.size.is_finite() && estimate.size < 1e6 {
            check(&mut random, expr, &point);
            checked += 1;
        }
    }
    assert!(checked > EXPRESSIONS / 2, "only {checked} expressions were defined");
}

fn assert_close(what: &str, a: Estimate, b: Estimate) {
    let scale = a.size.max(b.size).max(1e-300);
    if a.value.is_finite() && b.value.is_finite() && scale < 1e10 {
        let error = (a.value - b.value).abs() / scale;
        assert!(error < 1e-11, "{what}: {} and {} differ by {error:e}", a.value, b.value);
    }
}

/// The table of `node`: what is never representable.
fn check_canonical(pool: &ExprPool, expr: ExprId) {
    match pool.view(expr) {
        View::Sum(terms) => {
            assert!(terms.len() >= 2);
            assert!(terms.windows(2).all(|w| w[0].1 < w[1].1), "terms are ordered and distinct");
            for (c, e) in terms {
                assert_ne!(*c, ExprPool::ZERO);
                assert!(pool.as_number(*c).is_some());
                assert!(!matches!(pool.view(*e), View::Sum(_) | View::Undefined));
                assert!(*e == ExprPool::ONE || pool.as_number(*e).is_none());
                if let View::Product { coefficient, .. } = pool.view(*e) {
                    assert_eq!(coefficient, ExprPool::ONE);
                }
            }
        }
        View::Product { coefficient, factors } => {
            assert_ne!(coefficient, ExprPool::ZERO);
            assert!(factors.windows(2).all(|w| w[0].0 < w[1].0), "bases are ordered and distinct");
            if let [(base, ExprPool::ONE)] = factors {
                assert_ne!(coefficient, ExprPool::ONE, "1·b¹ is b");
                assert!(!matches!(pool.view(*base), View::Sum(_)), "c·(a + b) is distributed");
            }
            for (base, exponent) in factors {
                assert_ne!(*exponent, ExprPool::ZERO);
                let whole = pool.as_number(*exponent).and_then(Rational::as_integer).is_some();
                assert!(!(whole && pool.as_number(*base).is_some()), "numbers are folded");
                assert!(!(whole && matches!(pool.view(*base), View::Product { .. })));
            }
        }
        View::Integral { variable, body, lower, upper } => {
            assert_ne!(lower, upper, "equal ends");
            assert!(pool.contains(body, |symbol| symbol == variable), "free of its variable");
            assert!(matches!(pool.symbol_info(variable).kind, SymbolKind::Bound(_)));
        }
        View::Call(..) | View::Number(_) | View::Symbol(_) => {}
        View::Undefined => panic!("undefined below another node"),
    }
    pool.for_children(expr, |child| {
        assert!(child < expr, "children stand before parents");
        check_canonical(pool, child);
    });
}

#[test]
fn constructors_keep_the_canonical_form() {
    for seed in [1, 11, 12] {
        for_random(seed, |random, expr, _| check_canonical(&random.pool, expr));
    }
}

#[test]
fn rebuilding_an_expression_gives_the_same_node() {
    for_random(2, |random, expr, _| {
        let mut identity = Substitution::new(random.symbols.clone().into_iter().map(|s| {
            let e = random.pool.symbol_expr(s);
            (s, e)
        }));
        let rebuilt = identity.apply(&mut random.pool, expr);
        let names = eom_symbolic::print::Names::default();
        let show = |e| eom_symbolic::print::unicode(&random.pool, e, &names);
        assert_eq!(rebuilt, expr, "{} from {}", show(rebuilt), show(expr));
    });
}

#[test]
fn substitution_and_evaluation_commute() {
    for_random(3, |random, expr, point| {
        let image = random.expression(1);
        let inner = value(&random.pool, image, point);
        let mut substitution = Substitution::new([(random.symbols[0], image)]);
        let substituted = substitution.apply(&mut random.pool, expr);
        let mut moved = point.to_vec();
        moved[0] = inner.value;
        let (a, b) = (value(&random.pool, substituted, point), value(&random.pool, expr, &moved));
        assert_close("substituted", a, b);
    });
}

#[test]
fn forward_and_reverse_derivatives_agree() {
    for_random(4, |random, expr, point| {
        let symbols = random.symbols.clone();
        let gradient = random.pool.gradient(expr, &symbols);
        for (symbol, reverse) in symbols.iter().zip(gradient) {
            let forward = Tangent::partial(*symbol).derivative(&mut random.pool, expr);
            let (a, b) = (value(&random.pool, forward, point), value(&random.pool, reverse, point));
            assert_close("∂", a, b);
        }
    });
}

#[test]
fn a_jacobian_has_the_partial_derivatives() {
    for_random(8, |random, expr, point| {
        let (a, symbols) = (random.expression(2), random.symbols.clone());
        let power = {
            let square = random.pool.powi(a, 2);
            let base = random.pool.add(ExprPool::TWO, square);
            random.pool.pow(base, expr)
        };
        let (x, y) = (random.pool.symbol_expr(symbols[0]), random.pool.symbol_expr(symbols[1]));
        let angle = random.pool.call(Function::Atan2, &[expr, y]);
        let variable = random.pool.new_variable("s");
        let along = random.pool.symbol_expr(variable);
        let body = random.pool.product_of(&[along, along, x, expr]);
        let body = random.pool.call(Function::Sin, &[body]);
        let integral = random.pool.integral(body, variable, a, y);
        let expressions = [expr, power, angle, integral, ExprPool::ONE];
        let jacobian = random.pool.jacobian(&expressions, &symbols);
        for (expr, row) in expressions.into_iter().zip(jacobian) {
            for (symbol, swept) in symbols.iter().zip(row) {
                let single = random.pool.partial(expr, *symbol);
                let (a, b) =
                    (value(&random.pool, swept, point), value(&random.pool, single, point));
                assert_close("∂", a, b);
            }
        }
    });
}

#[test]
fn derivatives_agree_with_central_differences() {
    for_random(5, |random, expr, point| {
        let symbol = random.symbols[0];
        let slope = random.pool.partial(expr, symbol);
        let slope = value(&random.pool, slope, point);
        let step = 1e-5;
        let at = |shift: f64| {
            let mut moved = point.to_vec();
            moved[0] += shift;
            value(&random.pool, expr, &moved).value
        };
        // Richardson: the h² term cancels.
        let difference = |h: f64| (at(h) - at(-h)) / (2.0 * h);
        let estimate = (4.0 * difference(step) - difference(2.0 * step)) / 3.0;
        let scale = slope.size.max(at(0.0).abs()).max(1.0);
        let error = (estimate - slope.value).abs() / scale;
        assert!(
            error.is_nan() || error <= 1e-5 || slope.size > 1e4,
            "{estimate} and {} differ",
            slope.value
        );
    });
}

#[test]
fn programs_compute_what_expressions_say() {
    for_random(6, |random, expr, point| {
        let entries = [("f".to_owned(), expr)];
        let program = Program::of_expressions(&random.pool, "test", entries);
        let computed = program.evaluate(|s| point[s.index()])[0];
        let expected = value(&random.pool, expr, point);
        assert_close("program", Estimate { value: computed, ..expected }, expected);
        for (index, instruction) in program.instructions.iter().enumerate() {
            instruction.for_operands(|operand| assert!(operand.index() < index));
            let twice = program.instructions[..index].contains(instruction);
            assert!(!twice, "{instruction:?} stands twice");
        }
        let mut used = vec![false; program.instructions.len()];
        used[program.outputs[0].value.index()] = true;
        for instruction in &program.instructions {
            instruction.for_operands(|operand| used[operand.index()] = true);
        }
        assert!(used.iter().all(|used| *used), "every value is used");
    });
}

#[test]
fn the_pythagorean_rewrite_keeps_values_and_finds_its_pairs() {
    for_random(7, |random, expr, point| {
        let rewritten = pythagoras(&mut random.pool, expr);
        let (a, b) = (value(&random.pool, rewritten, point), value(&random.pool, expr, point));
        assert_close("pythagoras", a, b);
    });
    let mut random = Generator::new(0);
    let [x, y] = [0, 1].map(|i| {
        let symbol = random.symbols[i];
        random.pool.symbol_expr(symbol)
    });
    let pool = &mut random.pool;
    let (s, c) = (pool.call(Function::Sin, &[x]), pool.call(Function::Cos, &[x]));
    let (ss, cc) = (pool.powi(s, 2), pool.powi(c, 2));
    let (first, second) = (pool.mul(y, ss), pool.mul(y, cc));
    let sum = pool.add(first, second);
    assert_eq!(pythagoras(pool, sum), y, "y sin² + y cos² = y");
    let unequal = pool.sum(&[(ExprPool::TWO, first), (ExprPool::ONE, second)]);
    assert_eq!(pythagoras(pool, unequal), unequal, "2 sin² + cos² stays");
}

#[test]
fn special_values_fold() {
    let mut pool = ExprPool::new();
    let x = pool.symbol(SymbolKind::Coordinate(0), "x");
    let x = pool.symbol_expr(x);
    let pi = pool.symbol(SymbolKind::Pi, "pi");
    let pi = pool.symbol_expr(pi);
    let half_turn = pool.scale(ExprPool::HALF, pi);
    let minus_x = pool.neg(x);
    let undefined = pool.div(x, ExprPool::ZERO);
    let four = pool.integer(4);
    let cases = [
        ("cos(π/2)", pool.call(Function::Cos, &[half_turn]), ExprPool::ZERO),
        ("sin(π/2)", pool.call(Function::Sin, &[half_turn]), ExprPool::ONE),
        ("cos(-x)", pool.call(Function::Cos, &[minus_x]), pool.call(Function::Cos, &[x])),
        ("x/0", undefined, ExprPool::UNDEFINED),
        ("0·(x/0)", pool.mul(ExprPool::ZERO, undefined), ExprPool::UNDEFINED),
        ("sqrt(4)", pool.sqrt(four), ExprPool::TWO),
        ("x − x", pool.sub(x, x), ExprPool::ZERO),
        ("x/x", pool.div(x, x), ExprPool::ONE),
    ];
    for (text, found, expected) in cases {
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn a_divisor_that_is_shared_is_inverted_once() {
    let mut pool = ExprPool::new();
    let [x, y, z] = [0, 1, 2].map(|i| {
        let symbol = pool.symbol(SymbolKind::Coordinate(i), &format!("x{i}"));
        pool.symbol_expr(symbol)
    });
    let (a, b) = (pool.div(x, z), pool.div(y, z));
    let entries = [("a".to_owned(), a), ("b".to_owned(), b)];
    let program = Program::of_expressions(&pool, "quotients", entries);
    let divisions =
        program.instructions.iter().filter(|i| matches!(i, Instruction::Div(..))).count();
    assert_eq!(divisions, 1, "{}", program.listing(&pool));
    assert_eq!(program.evaluate(|s| [3.0, 5.0, 2.0][s.index()]), [1.5, 2.5]);
}
