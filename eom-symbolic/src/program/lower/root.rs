//! Integrals ∫ (P + S/‖w‖) ds in closed form, w affine in s, P and S polynomials, S of degree 2 at most.
//!
//! ```text
//! s = m + L y, −½ ≤ y ≤ ½                w = c + y r,  w± = c ± r/2,  ρ± = ‖w±‖,  R = ρ₊ + ρ₋
//! x = r·r/R²,  1 − x = ‖ρ₊ w₋ + ρ₋ w₊‖²/(ρ₊ ρ₋ R²),  g = 2 c·r/R²
//! A(x) = atanh √x/√x = 1 + x B,  B(x) = 1/3 + x C,  C(x) = Σ xᵏ/(2k + 5)
//!
//! ∫ dy/‖w‖ = 2 A/R      ∫ y dy/‖w‖ = −g B/R      ∫ y² dy/‖w‖ = (1 − B + x B + g² (3 C − B))/(4 R)
//! ```
//!
//! The first is the potential of a segment; the others are what d(yᵏ‖w‖)/dy leaves of it. None of them cancels, for
//! r → 0 nor where w nearly vanishes within: there A grows as a logarithm. Where w vanishes throughout they are 0.

use super::{Lowering, Pair};
use crate::node::{ExprId, Function, SymbolId, View};
use crate::number::Rational;
use crate::program::{Builder, Instruction, Value};

/// Up to this x the series of C is summed, from there on C is found of A.
const SERIES_MAX: f64 = 0.25;

/// Terms of the series: ¼²⁷/59 is rounding.
const TERMS: i32 = 27;

/// Coefficients of S at most: as many as there are moments.
const OVER_MAX: usize = 3;

/// Coefficients of P at most.
const PLAIN_MAX: usize = 9;

/// Added to 1 − x, so that its logarithm is finite where w vanishes within; S is 0 there.
const LEAST: f64 = 1e-300;

/// A polynomial of y with these values as coefficients, the lowest first.
type Polynomial = Vec<Value>;

/// P + S/‖w‖.
#[derive(Debug, Default)]
struct Integrand {
    plain: Polynomial,
    over: Polynomial,
}

/// The root in the integrands.
struct Root {
    variable: SymbolId,
    /// ‖w‖² as an expression.
    square: ExprId,
    /// s as a polynomial of y: m, L.
    position: Polynomial,
    /// ‖w‖² as a polynomial of y: c·c, 2 c·r, r·r; empty as long as w is read.
    norm: Polynomial,
}

impl Lowering<'_> {
    /// ∫ body ds from `low` to `high` of each body, where all are polynomials over the root of `square`, which is that
    /// of the squares of `components`; `None` elsewhere.
    pub(super) fn integrals_over_root(
        &mut self,
        scope: usize,
        variable: SymbolId,
        (low, high): (Value, Value),
        (square, components): (ExprId, &[(Rational, Vec<Pair>)]),
        bodies: &[ExprId],
    ) -> Option<Vec<Value>> {
        let b = &mut self.scopes[scope].builder;
        let half = b.constant(0.5);
        let (sum, length) = (b.add(low, high), b.sub(high, low));
        let middle = b.mul(half, sum);
        let position = vec![middle, length];
        let mut root = Root { variable, square, position, norm: Vec::new() };
        let mut forms = Vec::with_capacity(components.len());
        for (c, factors) in components {
            let form = self.product_in(scope, &root, &Rational::ONE, factors)?.plain;
            let b = &mut self.scopes[scope].builder;
            let scale = b.constant(c.to_f64().sqrt());
            let form: Polynomial = form.into_iter().map(|value| b.mul(scale, value)).collect();
            let [centre, slope] = linear(b, &form)?;
            forms.push([centre, slope]);
        }
        let b = &mut self.scopes[scope].builder;
        root.norm = norm(b, &forms);
        let integrands: Option<Vec<Integrand>> =
            bodies.iter().map(|body| self.integrand(scope, &root, *body)).collect();
        let integrands = integrands?;
        let b = &mut self.scopes[scope].builder;
        let moments = moments(b, &forms);
        let integral = |integrand: Integrand| {
            let sum = of_moments(b, &integrand, moments);
            b.mul(length, sum)
        };
        Some(integrands.into_iter().map(integral).collect())
    }

    /// An expression as P + S/‖w‖.
    fn integrand(&mut self, scope: usize, root: &Root, expr: ExprId) -> Option<Integrand> {
        if !self.pool.moves(expr, root.variable) {
            return Some(Integrand { plain: vec![self.lower_in(scope, expr)], over: Vec::new() });
        }
        match self.pool.view(expr) {
            View::Symbol(_) => Some(Integrand { plain: root.position.clone(), over: Vec::new() }),
            View::Sum(terms) => self.sum_in(scope, root, terms),
            View::Product { coefficient, factors } => {
                let coefficient = self.coefficient(coefficient);
                self.product_in(scope, root, &coefficient, factors)
            }
            _ => None,
        }
    }

    /// Σ cᵢ eᵢ: what is free of s is one term.
    fn sum_in(&mut self, scope: usize, root: &Root, terms: &[Pair]) -> Option<Integrand> {
        let (moving, free): (Vec<Pair>, Vec<Pair>) =
            terms.iter().partition(|(_, e)| self.pool.moves(*e, root.variable));
        let mut total = Integrand::default();
        if !free.is_empty() {
            total.plain.push(self.lower_sum(scope, &free));
        }
        for (c, e) in moving {
            let term = self.integrand(scope, root, e)?;
            let c = self.coefficient(c).to_f64();
            let b = &mut self.scopes[scope].builder;
            let c = b.constant(c);
            add_scaled(b, &mut total.plain, c, &term.plain);
            add_scaled(b, &mut total.over, c, &term.over);
        }
        (total.over.len() <= OVER_MAX).then_some(total)
    }

    /// c ∏ bᵉ: powers of ‖w‖², and polynomials.
    fn product_in(
        &mut self,
        scope: usize,
        root: &Root,
        coefficient: &Rational,
        factors: &[Pair],
    ) -> Option<Integrand> {
        let moves = |e: ExprId| self.pool.moves(e, root.variable);
        let (moving, free): (Vec<Pair>, Vec<Pair>) =
            factors.iter().partition(|f| moves(f.0) || moves(f.1));
        let mut product = Integrand {
            plain: vec![self.lower_product(scope, coefficient, &free)],
            over: Vec::new(),
        };
        for (base, exponent) in moving {
            let number = self.pool.as_number(exponent)?;
            let doubled = number.mul(&Rational::integer(2)).as_integer()?;
            let odd = doubled % 2 != 0;
            if odd && base != root.square {
                return None;
            }
            // ‖w‖ᵈ = (‖w‖²)⁽ᵈ⁺¹⁾ᐟ²/‖w‖ for odd d.
            let times = usize::try_from((doubled + 1).div_euclid(2)).ok()?;
            let factor = match base == root.square {
                true if root.norm.is_empty() => return None,
                true => Integrand { plain: root.norm.clone(), over: Vec::new() },
                false => self.integrand(scope, root, base)?,
            };
            let b = &mut self.scopes[scope].builder;
            if odd {
                product = over_root(product)?;
            }
            for _ in 0..times {
                product = times_integrand(b, &product, &factor)?;
            }
        }
        Some(product)
    }
}

/// S/‖w‖ of S; `None` of S/‖w‖.
fn over_root(integrand: Integrand) -> Option<Integrand> {
    integrand.over.is_empty().then(|| Integrand { plain: Vec::new(), over: integrand.plain })
}

/// The product, where it holds no 1/‖w‖².
fn times_integrand(b: &mut Builder, x: &Integrand, y: &Integrand) -> Option<Integrand> {
    if !x.over.is_empty() && !y.over.is_empty() {
        return None;
    }
    let plain = times(b, &x.plain, &y.plain);
    let mut over = times(b, &x.over, &y.plain);
    let other = times(b, &x.plain, &y.over);
    let one = b.constant(1.0);
    add_scaled(b, &mut over, one, &other);
    (over.len() <= OVER_MAX && plain.len() <= PLAIN_MAX).then_some(Integrand { plain, over })
}

fn times(b: &mut Builder, x: &[Value], y: &[Value]) -> Polynomial {
    if x.is_empty() || y.is_empty() {
        return Vec::new();
    }
    let mut product = vec![b.constant(0.0); x.len() + y.len() - 1];
    for (i, x) in x.iter().enumerate() {
        for (j, y) in y.iter().enumerate() {
            let term = b.mul(*x, *y);
            product[i + j] = b.add(product[i + j], term);
        }
    }
    product
}

/// Adds c times a polynomial.
fn add_scaled(b: &mut Builder, to: &mut Polynomial, c: Value, polynomial: &[Value]) {
    let zero = b.constant(0.0);
    to.resize(to.len().max(polynomial.len()), zero);
    for (sum, value) in to.iter_mut().zip(polynomial) {
        let term = b.mul(c, *value);
        *sum = b.add(*sum, term);
    }
}

/// c and r of c + y r.
fn linear(b: &mut Builder, polynomial: &[Value]) -> Option<[Value; 2]> {
    match *polynomial {
        [c] => Some([c, b.constant(0.0)]),
        [c, r] => Some([c, r]),
        _ => None,
    }
}

/// c·c, 2 c·r, r·r.
fn norm(b: &mut Builder, forms: &[[Value; 2]]) -> Polynomial {
    let (centres, slopes) = split(forms);
    let across = dot(b, &centres, &slopes);
    vec![dot(b, &centres, &centres), b.add(across, across), dot(b, &slopes, &slopes)]
}

fn split(forms: &[[Value; 2]]) -> (Vec<Value>, Vec<Value>) {
    forms.iter().map(|[c, r]| (*c, *r)).unzip()
}

fn dot(b: &mut Builder, x: &[Value], y: &[Value]) -> Value {
    let zero = b.constant(0.0);
    x.iter().zip(y).fold(zero, |sum, (x, y)| {
        let product = b.mul(*x, *y);
        b.add(sum, product)
    })
}

/// ∫ yᵏ dy/‖w‖ for k = 0, 1, 2.
fn moments(b: &mut Builder, forms: &[[Value; 2]]) -> [Value; OVER_MAX] {
    let (left, right) = ends(b, forms);
    let (ρl, ρr) = (length(b, &left), length(b, &right));
    let sum = b.add(ρl, ρr);
    let inverse = b.push(Instruction::InverseOrZero(sum));
    // All in units of R, so that no square of a square is taken of what is small.
    let scaled: Vec<[Value; 2]> =
        forms.iter().map(|form| form.map(|value| b.mul(inverse, value))).collect();
    let (centres, slopes) = split(&scaled);
    let x = dot(b, &slopes, &slopes);
    let g = dot(b, &centres, &slopes);
    let g = b.add(g, g);
    let (left, right) = ends(b, &scaled);
    let [ρl, ρr] = [ρl, ρr].map(|ρ| b.mul(inverse, ρ));
    let rest = beside(b, (&left, ρl), (&right, ρr));
    let [a, bb, c] = potential(b, x, rest);
    let double = b.add(inverse, inverse);
    let slope = b.mul(g, inverse);
    let slope = b.neg(slope);
    let second = second(b, [x, g], [bb, c]);
    [b.mul(double, a), b.mul(slope, bb), b.mul(second, inverse)]
}

/// w₋ and w₊.
fn ends(b: &mut Builder, forms: &[[Value; 2]]) -> (Vec<Value>, Vec<Value>) {
    let half = b.constant(0.5);
    let of = |[centre, slope]: &[Value; 2]| {
        let h = b.mul(half, *slope);
        (b.sub(*centre, h), b.add(*centre, h))
    };
    forms.iter().map(of).unzip()
}

fn length(b: &mut Builder, w: &[Value]) -> Value {
    let square = dot(b, w, w);
    b.sqrt(square)
}

/// 1 − x in units of R: ‖ρ₊ w₋ + ρ₋ w₊‖²/(ρ₊ ρ₋).
fn beside(
    b: &mut Builder, (left, ρl): (&[Value], Value), (right, ρr): (&[Value], Value)
) -> Value {
    let sum = |(l, r): (&Value, &Value)| {
        let (l, r) = (b.mul(ρr, *l), b.mul(ρl, *r));
        b.add(l, r)
    };
    let sums: Vec<Value> = left.iter().zip(right).map(sum).collect();
    let square = dot(b, &sums, &sums);
    let product = b.mul(ρl, ρr);
    let inverse = b.push(Instruction::InverseOrZero(product));
    b.mul(square, inverse)
}

/// (1 − B + x B + g² (3 C − B))/4.
fn second(b: &mut Builder, [x, g]: [Value; 2], [bb, c]: [Value; 2]) -> Value {
    let (quarter, one, three) = (b.constant(0.25), b.constant(1.0), b.constant(3.0));
    let three = b.mul(three, c);
    let factor = b.sub(three, bb);
    let e = b.mul(g, g);
    let turned = b.mul(e, factor);
    let product = b.mul(x, bb);
    let straight = b.sub(one, bb);
    let straight = b.add(straight, product);
    let sum = b.add(straight, turned);
    b.mul(quarter, sum)
}

/// A, B and C of x, given 1 − x to its own rounding.
///
/// ```text
/// C(x) = C(min(x, ¼)) + C(max(x, ¼)) − C(¼)
/// ```
fn potential(b: &mut Builder, x: Value, rest: Value) -> [Value; 3] {
    let (at, half) = (b.constant(SERIES_MAX), b.constant(0.5));
    let above = b.sub(x, at);
    let distance = b.call(Function::Abs, above, None);
    // What x is above ¼, or below: of both one is exactly 0.
    let (excess, lack) = (b.add(distance, above), b.sub(distance, above));
    let (excess, lack) = (b.mul(half, excess), b.mul(half, lack));
    let low = b.sub(x, excess);
    let mut series = b.constant(term(TERMS));
    for k in (0..TERMS).rev() {
        let next = b.constant(term(k));
        let product = b.mul(series, low);
        series = b.add(product, next);
    }
    let high = b.add(x, lack);
    let rest = b.sub(rest, lack);
    // Below 0 only where w vanishes throughout, and A with nothing.
    let rest = b.call(Function::Abs, rest, None);
    let least = b.constant(LEAST);
    let rest = b.add(rest, least);
    let root = b.sqrt(high);
    let (one, third) = (b.constant(1.0), b.constant(1.0 / 3.0));
    let ratio = b.add(one, root);
    let ratio = b.mul(ratio, ratio);
    let ratio = b.div(ratio, rest);
    let log = b.call(Function::Ln, ratio, None);
    let log = b.mul(half, log);
    let a = b.div(log, root);
    let a = b.sub(a, one);
    let bb = b.div(a, high);
    let bb = b.sub(bb, third);
    let closed = b.div(bb, high);
    let between = b.constant((0..=TERMS).rev().fold(0.0, |sum, k| sum * SERIES_MAX + term(k)));
    let closed = b.sub(closed, between);
    let c = b.add(series, closed);
    let product = b.mul(x, c);
    let bb = b.add(third, product);
    let product = b.mul(x, bb);
    [b.add(one, product), bb, c]
}

/// 1/(2k + 5).
fn term(k: i32) -> f64 {
    f64::from(2 * k + 5).recip()
}

/// ∫ (P + S/‖w‖) dy, of P by ∫ yᵏ dy = 2⁻ᵏ/(k + 1) for even k.
fn of_moments(b: &mut Builder, integrand: &Integrand, moments: [Value; OVER_MAX]) -> Value {
    let mut sum = b.constant(0.0);
    for (coefficient, moment) in integrand.over.iter().zip(moments) {
        let term = b.mul(*coefficient, moment);
        sum = b.add(sum, term);
    }
    for (k, coefficient) in (0_i32..).zip(&integrand.plain).step_by(2) {
        let moment = b.constant(0.5_f64.powi(k) / f64::from(k + 1));
        let term = b.mul(moment, *coefficient);
        sum = b.add(sum, term);
    }
    sum
}
