//! Integrals as expressions: what the constructor does, derivatives, substitution, values.

use eom_symbolic::subst::Substitution;
use eom_symbolic::{ExprId, ExprPool, Function, Rational, SymbolId, SymbolKind};

struct Fixture {
    pool: ExprPool,
    x: ExprId,
    y: ExprId,
}

impl Fixture {
    fn new() -> Self {
        let mut pool = ExprPool::new();
        let mut coordinate = |i, name| {
            let symbol = pool.symbol(SymbolKind::Coordinate(i), name);
            pool.symbol_expr(symbol)
        };
        let (x, y) = (coordinate(0, "x"), coordinate(1, "y"));
        Self { pool, x, y }
    }

    fn symbol(&self, e: ExprId) -> SymbolId {
        self.pool.as_symbol(e).unwrap_or_else(|| panic!("{e:?} is a symbol"))
    }

    /// ∫ body(s) ds.
    fn integral(
        &mut self,
        name: &str,
        (lower, upper): (ExprId, ExprId),
        body: impl FnOnce(&mut Self, ExprId) -> ExprId,
    ) -> ExprId {
        let variable = self.pool.new_variable(name);
        let s = self.pool.symbol_expr(variable);
        let body = body(self, s);
        self.pool.integral(body, variable, lower, upper)
    }

    fn value(&self, e: ExprId, x: f64, y: f64) -> f64 {
        let value = |s: SymbolId| match self.pool.symbol_info(s).kind {
            SymbolKind::Coordinate(0) => x,
            SymbolKind::Coordinate(1) => y,
            kind => panic!("{kind:?} is free"),
        };
        self.pool.evaluate(&[e], value)[0]
    }

    /// Both are one number at a few points.
    fn check(&self, what: &str, found: ExprId, wanted: ExprId) {
        for (x, y) in [(0.7, 1.3), (1.9, -0.4), (-0.6, 0.8)] {
            let (found, wanted) = (self.value(found, x, y), self.value(wanted, x, y));
            let error = (found - wanted).abs();
            assert!(error < 1e-11 * (1.0 + wanted.abs()), "{what}: {found}, wanted {wanted}");
        }
    }

    fn exp(&mut self, factors: &[ExprId]) -> ExprId {
        let product = self.pool.product_of(factors);
        self.pool.call(Function::Exp, &[product])
    }
}

const ZERO: ExprId = ExprPool::ZERO;
const ONE: ExprId = ExprPool::ONE;

#[test]
fn equal_integrals_are_one_node() {
    let mut f = Fixture::new();
    let x = f.x;
    let ends = (ZERO, x);
    let first = f.integral("s", ends, |f, s| f.exp(&[s, s]));
    let second = f.integral("r", ends, |f, r| f.exp(&[r, r]));
    assert_eq!(first, second);
    // The outer variable of one is not the inner variable of the other.
    let nested = |f: &mut Fixture, a: &str, b: &str| {
        f.integral(a, ends, |f, s| f.integral(b, (ZERO, s), |f, r| f.exp(&[r, s, x])))
    };
    assert_eq!(nested(&mut f, "s", "r"), nested(&mut f, "p", "q"));
    assert_eq!(f.pool.symbols_in(&[first]), [f.symbol(x)]);
}

#[test]
fn what_is_closed_is_no_integral() {
    let mut f = Fixture::new();
    let (x, y) = (f.x, f.y);
    let mut closed = |what: &str, ends, body: &dyn Fn(&mut Fixture, ExprId) -> ExprId| {
        let integral = f.integral("s", ends, body);
        assert!(!f.pool.has_integral(integral), "{what}");
        integral
    };
    assert_eq!(closed("nothing", (x, x), &|f, s| f.exp(&[s])), ZERO);
    assert_eq!(closed("zero", (ZERO, x), &|_, _| ZERO), ZERO);
    let length = closed("constant", (y, x), &|_, _| ONE);
    let cube = closed("square of a sum", (ZERO, ONE), &|f, s| {
        let sum = f.pool.add(s, x);
        f.pool.powi(sum, 2)
    });
    let difference = f.pool.sub(x, y);
    assert_eq!(length, difference);
    // ∫₀¹ (s + x)² ds = x² + x + 1/3
    assert!((f.value(cube, 2.0, 0.0) - (4.0 + 2.0 + 1.0 / 3.0)).abs() < 1e-15);
}

#[test]
fn what_is_free_of_the_variable_is_outside() {
    let mut f = Fixture::new();
    let (x, y) = (f.x, f.y);
    let plain = f.integral("s", (ZERO, ONE), |f, s| f.exp(&[s, s]));
    let scaled = f.integral("s", (ZERO, ONE), |f, s| {
        let e = f.exp(&[s, s]);
        f.pool.product_of(&[x, y, e])
    });
    let wanted = f.pool.product_of(&[x, y, plain]);
    assert_eq!(scaled, wanted);
    // A factor of every term of a sum, and the polynomial among the terms.
    let sum = f.integral("s", (ZERO, ONE), |f, s| {
        let (e, g) = (f.exp(&[s, s]), f.exp(&[s, x]));
        let (a, b) = (f.pool.mul(x, e), f.pool.mul(x, g));
        let minus = f.pool.neg(a);
        let square = f.pool.mul(s, s);
        f.pool.sum_of(&[minus, b, square])
    });
    let bare = f.integral("s", (ZERO, ONE), |f, s| {
        let (e, g) = (f.exp(&[s, s]), f.exp(&[s, x]));
        f.pool.sub(g, e)
    });
    let third = f.integral("s", (ZERO, ONE), |f, s| f.pool.mul(s, s));
    let product = f.pool.mul(x, bare);
    let wanted = f.pool.add(product, third);
    assert_eq!(sum, wanted);
}

#[test]
fn derivatives_go_under_the_sign_and_to_the_ends() {
    let mut f = Fixture::new();
    let (x, y) = (f.x, f.y);
    let square = f.pool.mul(x, x);
    // ∂/∂x ∫ₓ^{x²} exp(s x y) ds = ∫ s y exp(s x y) ds + 2x exp(x³ y) − exp(x² y)
    let integral = f.integral("s", (x, square), |f, s| f.exp(&[s, x, y]));
    let under = f.integral("s", (x, square), |f, s| {
        let e = f.exp(&[s, x, y]);
        f.pool.product_of(&[s, y, e])
    });
    let (high, low) = (f.exp(&[x, x, x, y]), f.exp(&[x, x, y]));
    let high = f.pool.product_of(&[ExprPool::TWO, x, high]);
    let ends = f.pool.sub(high, low);
    let wanted = f.pool.add(under, ends);
    let symbols = [f.symbol(x), f.symbol(y)];
    let forward = f.pool.partial(integral, symbols[0]);
    f.check("forward", forward, wanted);
    let gradient = f.pool.gradient(integral, &symbols);
    f.check("reverse", gradient[0], wanted);
    let along_y = f.pool.partial(integral, symbols[1]);
    f.check("the other one", gradient[1], along_y);
    // Inside of another: d/dx ∫₀¹ ∫₀ˢ exp(r x) dr ds.
    let nested =
        f.integral("s", (ZERO, ONE), |f, s| f.integral("r", (ZERO, s), |f, r| f.exp(&[r, x])));
    let slope = f.integral("s", (ZERO, ONE), |f, s| {
        f.integral("r", (ZERO, s), |f, r| {
            let e = f.exp(&[r, x]);
            f.pool.mul(r, e)
        })
    });
    let forward = f.pool.partial(nested, symbols[0]);
    assert_eq!(forward, slope);
}

#[test]
fn substitution_captures_nothing() {
    let mut f = Fixture::new();
    let (x, y) = (f.x, f.y);
    // x := ∫₀^y exp(−s²) ds within ∫₀¹ ∫₀ˢ exp(r s x) dr ds.
    let image = f.integral("s", (ZERO, y), |f, s| {
        let square = f.pool.mul(s, s);
        let minus = f.pool.neg(square);
        f.pool.call(Function::Exp, &[minus])
    });
    let nested =
        f.integral("s", (ZERO, ONE), |f, s| f.integral("r", (ZERO, s), |f, r| f.exp(&[r, s, x])));
    let symbol = f.symbol(x);
    let replaced = Substitution::new([(symbol, image)]).apply(&mut f.pool, nested);
    for y in [0.3, 1.0, 2.5] {
        let wanted = f.value(nested, f.value(image, 0.0, y), 0.0);
        let found = f.value(replaced, f64::NAN, y);
        assert!((found - wanted).abs() < 1e-11, "{found}, wanted {wanted}");
    }
}

#[test]
fn values_have_sizes_that_cover_their_tolerance() {
    let mut f = Fixture::new();
    // ∫₋₁¹ sinh s ds = 0, a difference of two halves of size cosh 1 − 1.
    let odd = f.integral("s", (ExprPool::MINUS_ONE, ONE), |f, s| f.pool.call(Function::Sinh, &[s]));
    let estimate = f.pool.evaluate_with_error(&[odd], |_| panic!("no symbols"))[0];
    assert!(estimate.value.abs() < 1e-14);
    assert!(estimate.size > 1.0 && estimate.size < 10.0, "{estimate:?}");
}

/// ∫₀¹ ∫₀¹ f(r, s) dr ds by points alone.
fn by_points(f: &dyn Fn(f64, f64) -> f64) -> f64 {
    let over = |f: &mut dyn FnMut(f64) -> f64| {
        eom_quadrature::integrate(0.0, 1.0, 1e-13, &[], |s, value| value[0] = f(s))
    };
    let [value] = over(&mut |s| over(&mut |r| f(r, s))[0]);
    value
}

/// Σ c e.
fn linear(f: &mut Fixture, terms: &[(i64, ExprId)]) -> ExprId {
    let terms: Vec<(ExprId, ExprId)> =
        terms.iter().map(|(c, e)| (f.pool.number(&Rational::integer(*c)), *e)).collect();
    f.pool.sum(&terms)
}

/// ‖w‖ to a power of n/2.
fn norm(f: &mut Fixture, w: &[ExprId], n: i64) -> ExprId {
    let squares: Vec<(ExprId, ExprId)> = w.iter().map(|w| (ONE, f.pool.powi(*w, 2))).collect();
    let square = f.pool.sum(&squares);
    let half = f.pool.number(&Rational::new(n, 2).expect("a number"));
    f.pool.pow(square, half)
}

/// Within another integral polynomials over a root are integrated in closed form: as points have it.
#[test]
fn polynomials_over_a_root_within_another_integral() {
    type Expression = fn(&mut Fixture, ExprId, ExprId) -> ExprId;
    type Number = fn(f64, f64, f64, f64) -> f64;
    let cases: [(&str, Expression, Number); 4] = [
        (
            "a root",
            |f, r, s| {
                let (x, y) = (f.x, f.y);
                let w = [linear(f, &[(1, x), (1, r)]), linear(f, &[(1, y), (1, s), (2, ONE)])];
                norm(f, &w, 1)
            },
            |x, y, r, s| (x + r).hypot(y + s + 2.0),
        ),
        (
            "three components and a polynomial",
            |f, r, s| {
                let (x, y) = (f.x, f.y);
                let w = [linear(f, &[(1, x), (2, r)]), linear(f, &[(1, y), (-1, r), (1, s)])];
                let two = linear(f, &[(2, ONE)]);
                let over = norm(f, &[w[0], w[1], two], -1);
                let (square, product) = (f.pool.powi(r, 2), f.pool.mul(y, r));
                let above = linear(f, &[(1, square), (1, product), (3, ONE)]);
                let (quotient, cube) = (f.pool.mul(above, over), f.pool.powi(r, 3));
                let plain = f.pool.mul(cube, s);
                linear(f, &[(1, quotient), (1, plain)])
            },
            |x, y, r, s| {
                let square = (x + 2.0 * r).powi(2) + (y - r + s).powi(2) + 4.0;
                (r * r + y * r + 3.0) / square.sqrt() + r.powi(3) * s
            },
        ),
        (
            "a form that hardly moves",
            |f, r, s| {
                let (x, y) = (f.x, f.y);
                let w = [linear(f, &[(1_000_000_000, x), (1, r)]), linear(f, &[(1, y), (3, s)])];
                let square = f.pool.powi(r, 2);
                let (above, over) = (linear(f, &[(1, ONE), (1, square)]), norm(f, &w, -1));
                f.pool.mul(above, over)
            },
            |x, y, r, s| (1.0 + r * r) / (1e9 * x + r).hypot(y + 3.0 * s),
        ),
        (
            "a form that moves fast",
            |f, r, s| {
                let (x, y) = (f.x, f.y);
                let w = [
                    linear(f, &[(1, x), (1000, r), (100, ONE)]),
                    linear(f, &[(1, y), (1, s), (2, ONE)]),
                ];
                let (above, over) = (linear(f, &[(1, x), (-1000, r)]), norm(f, &w, -1));
                f.pool.mul(above, over)
            },
            |x, y, r, s| (x - 1e3 * r) / (x + 1e3 * r + 100.0).hypot(y + s + 2.0),
        ),
    ];
    for (what, expression, number) in cases {
        for (x, y) in [(0.7, 1.3), (1.9, -0.4), (-0.6, 0.8)] {
            let mut f = Fixture::new();
            let ends = (ZERO, ONE);
            let integral =
                f.integral("s", ends, |f, s| f.integral("r", ends, |f, r| expression(f, r, s)));
            let (found, wanted) = (f.value(integral, x, y), by_points(&|r, s| number(x, y, r, s)));
            let error = (found - wanted).abs();
            assert!(
                error < 1e-12 * (1.0 + wanted.abs()),
                "{what} at {x}, {y}: {found}, wanted {wanted}"
            );
        }
    }
}

/// Where w vanishes at one s whatever else is, 1/‖w‖ has no integral, and (s − ½)²/‖w‖ has one.
#[test]
fn what_has_no_integral_is_no_number() {
    let mut f = Fixture::new();
    let ends = (ZERO, ONE);
    let mut of = |power: i64| {
        f.integral("s", ends, |f, s| {
            f.integral("r", ends, |f, r| {
                let half = linear(f, &[(2, r), (-1, ONE)]);
                let along = linear(f, &[(1, f.x), (1, s)]);
                let w = [f.pool.mul(along, half), f.pool.mul(f.y, half)];
                let (above, over) = (f.pool.powi(half, power), norm(f, &w, -1));
                f.pool.mul(above, over)
            })
        })
    };
    let (divergent, convergent) = (of(0), of(2));
    assert!(f.value(divergent, 0.7, 1.3).is_nan());
    // ∫₀¹ ds/√((x + s)² + y²) · ½
    let wanted = ((1.7_f64 / 1.3).asinh() - (0.7_f64 / 1.3).asinh()) * 0.5;
    assert!((f.value(convergent, 0.7, 1.3) - wanted).abs() < 1e-12);
}
