//! A graph over truncated power series, order after order (Griewank and Walther, Evaluating Derivatives, chapter 13).
//!
//! ```text
//! x = a b       xₖ = Σⱼ aⱼ bₖ₋ⱼ
//! x = aʳ        k a₀ xₖ = Σ_{j≥1} (r j − k + j) aⱼ xₖ₋ⱼ
//! w ẋ = Σ u ȧ   k w₀ xₖ = Σ Σ_{j≥1} j aⱼ uₖ₋ⱼ − Σ_{1≤j<k} j xⱼ wₖ₋ⱼ
//! ```

use crate::graph::{Graph, Node, Operation, Rule};
use crate::number::{Precision, Real};
use eom_symbolic::{Function, Rational};

/// An operation has no value at a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NoValue(pub(crate) String);

/// The coefficients of the values of a graph.
#[derive(Debug, Clone)]
pub(crate) struct Series<'g> {
    graph: &'g Graph,
    precision: Precision,
    /// Which values are computed.
    needed: Vec<bool>,
    /// 0, 1, 2, … up to the order.
    whole: Vec<Real>,
    /// The numbers of sums.
    factors: Vec<Vec<Real>>,
    /// xₖ of each value; of one that does not move x₀ alone.
    coefficients: Vec<Vec<Real>>,
}

impl<'g> Series<'g> {
    /// For some outputs.
    pub(crate) fn new(
        graph: &'g Graph,
        precision: Precision,
        (outputs, order): (&[Node], usize),
    ) -> Self {
        let factors = graph.operations.iter().map(|operation| match operation {
            Operation::Sum(terms) => terms.iter().map(|(c, _)| precision.rational(c)).collect(),
            _ => Vec::new(),
        });
        let count = graph.operations.len();
        Self {
            graph,
            precision,
            whole: (0..=order.max(1)).map(|n| precision.count(n)).collect(),
            needed: graph.needed(outputs),
            factors: factors.collect(),
            coefficients: vec![Vec::new(); count],
        }
    }

    /// Forgets what moves.
    pub(crate) fn restart(&mut self) {
        let all = self.coefficients.iter_mut().zip(&self.graph.moves);
        all.filter(|(_, moves)| **moves).for_each(|(list, _)| list.clear());
    }

    /// xₖ; none where it is 0 for sure.
    pub(crate) fn at(&self, node: Node, k: usize) -> Option<&Real> {
        self.coefficients[node].get(k)
    }

    /// xₖ as a number.
    pub(crate) fn coefficient(&self, node: Node, k: usize) -> Real {
        self.at(node, k).cloned().unwrap_or_else(|| self.precision.zero())
    }

    /// x₀ of some values.
    pub(crate) fn values(&self, nodes: &[Node]) -> Vec<Real> {
        nodes.iter().map(|node| self.coefficient(*node, 0)).collect()
    }

    /// All coefficients of a value.
    pub(crate) fn list(&self, node: Node) -> &[Real] {
        &self.coefficients[node]
    }

    /// Computes the coefficients of order k, those before being there; `given` has those of what is given.
    pub(crate) fn advance(&mut self, k: usize, given: &[Real]) -> Result<(), NoValue> {
        for node in 0..self.graph.operations.len() {
            if !self.needed[node] || (k > 0 && !self.graph.moves[node]) {
                continue;
            }
            if k == 0 && !self.coefficients[node].is_empty() {
                continue;
            }
            let value = if k == 0 { self.first(node, given)? } else { self.next(node, k, given) };
            self.coefficients[node].push(value);
        }
        Ok(())
    }

    /// x₀.
    fn first(&self, node: Node, given: &[Real]) -> Result<Real, NoValue> {
        let at = |node: Node| &self.coefficients[node][0];
        match &self.graph.operations[node] {
            Operation::Number(value) => Ok(self.precision.rational(value)),
            Operation::Pi => Ok(self.precision.pi()),
            Operation::Given(place) => Ok(given[*place].clone()),
            Operation::Sum(terms) => {
                let terms = terms.iter().zip(&self.factors[node]);
                let sum = |sum: Real, term: Real| &sum + &term;
                Ok(terms.map(|((_, a), c)| c * at(*a)).fold(self.precision.zero(), sum))
            }
            Operation::Product(a, b) => Ok(at(*a) * at(*b)),
            Operation::Power(a, exponent) => {
                power(at(*a), exponent).ok_or_else(|| no_value("a power or a quotient"))
            }
            Operation::Call(function, a, b) => {
                let value = match (function, b) {
                    (Function::Atan2, Some(b)) => at(*a).atan2(at(*b)),
                    _ => at(*a).call(function.name()),
                };
                value.ok_or_else(|| no_value(&format!("`{}`", function.name())))
            }
        }
        .and_then(|value| self.is_regular(node, value))
    }

    /// Refuses x₀ of what has no series there: a power at 0, a rule whose weight is 0.
    fn is_regular(&self, node: Node, value: Real) -> Result<Real, NoValue> {
        let base = match &self.graph.operations[node] {
            Operation::Power(a, _) if self.graph.moves[node] => *a,
            _ => return Ok(value),
        };
        if self.coefficients[base][0].is_zero() {
            return Err(no_value("a root at 0"));
        }
        Ok(value)
    }

    /// xₖ, k > 0, of what moves.
    fn next(&self, node: Node, k: usize, given: &[Real]) -> Real {
        match &self.graph.operations[node] {
            Operation::Given(place) => given[*place].clone(),
            Operation::Sum(terms) => {
                let mut sum = self.precision.zero();
                for ((_, a), c) in terms.iter().zip(&self.factors[node]) {
                    if let Some(a) = self.at(*a, k) {
                        sum = &sum + &(c * a);
                    }
                }
                sum
            }
            Operation::Product(a, b) => self.product(*a, *b, k),
            Operation::Power(a, exponent) => self.power(node, *a, exponent, k),
            Operation::Call(..) => match self.graph.rules.get(&node) {
                Some(rule) => self.by_rule(node, rule, k),
                None => self.precision.zero(),
            },
            Operation::Number(_) | Operation::Pi => self.precision.zero(),
        }
    }

    /// Σⱼ aⱼ bₖ₋ⱼ.
    fn product(&self, a: Node, b: Node, k: usize) -> Real {
        let (a, b) = (&self.coefficients[a], &self.coefficients[b]);
        let mut sum = self.precision.zero();
        for (j, a) in a.iter().enumerate().take(k + 1) {
            if let Some(b) = b.get(k - j).filter(|b| !b.is_zero())
                && !a.is_zero()
            {
                sum = &sum + &(a * b);
            }
        }
        sum
    }

    /// k a₀ xₖ = Σ_{j≥1} (r j − k + j) aⱼ xₖ₋ⱼ.
    fn power(&self, x: Node, a: Node, exponent: &Rational, k: usize) -> Real {
        let (x, a) = (&self.coefficients[x], &self.coefficients[a]);
        let r = self.precision.rational(exponent);
        let mut sum = self.precision.zero();
        for (j, a) in a.iter().enumerate().take(k + 1).skip(1) {
            if let Some(x) = x.get(k - j).filter(|_| !a.is_zero()) {
                let factor = &(&(&r + &self.whole[1]) * &self.whole[j]) - &self.whole[k];
                sum = &sum + &(&factor * &(a * x));
            }
        }
        let divisor = &self.whole[k] * &a[0];
        // a₀ is not 0: that was refused.
        sum.over(&divisor).unwrap_or_else(|| self.precision.zero())
    }

    /// k w₀ xₖ = Σ ± Σ_{j≥1} j aⱼ uₖ₋ⱼ − Σ_{1≤j<k} j xⱼ wₖ₋ⱼ.
    fn by_rule(&self, node: Node, rule: &Rule, k: usize) -> Real {
        let mut sum = self.precision.zero();
        for (is_minus, u, a) in &rule.terms {
            let part = self.weighted(&self.coefficients[*a], *u, k, k);
            sum = if *is_minus { &sum - &part } else { &sum + &part };
        }
        let mut divisor = self.whole[k].clone();
        if let Some(weight) = rule.weight {
            sum = &sum - &self.weighted(&self.coefficients[node], weight, k, k - 1);
            divisor = &divisor * &self.coefficients[weight][0];
        }
        sum.over(&divisor).unwrap_or_else(|| self.precision.zero())
    }

    /// Σ_{1≤j≤last} j aⱼ uₖ₋ⱼ.
    fn weighted(&self, a: &[Real], u: Node, k: usize, last: usize) -> Real {
        let mut sum = self.precision.zero();
        for (j, a) in a.iter().enumerate().take(last + 1).skip(1) {
            if let Some(u) = self.at(u, k - j).filter(|u| !u.is_zero() && !a.is_zero()) {
                sum = &sum + &(&self.whole[j] * &(a * u));
            }
        }
        sum
    }

    /// How large the terms are that each value is a sum of, those that are given being as large as `scales` says: what
    /// its rounding is a part of.
    pub(crate) fn sizes(&self, scales: &[f64]) -> Vec<f64> {
        let mut sizes: Vec<f64> = Vec::with_capacity(self.coefficients.len());
        for (node, operation) in self.graph.operations.iter().enumerate() {
            let Some(value) = self.coefficients[node].first().map(|value| value.to_f64().abs())
            else {
                sizes.push(0.0);
                continue;
            };
            sizes.push(match operation {
                Operation::Number(_) | Operation::Pi => value,
                Operation::Given(place) => scales.get(*place).map_or(value, |s| s.max(value)),
                Operation::Sum(terms) => {
                    terms.iter().map(|(c, a)| c.to_f64().abs() * sizes[*a]).sum()
                }
                Operation::Product(a, b) => sizes[*a] * sizes[*b],
                Operation::Power(a, exponent) => {
                    let base = self.coefficients[*a][0].to_f64().abs();
                    value * (1.0 + exponent.to_f64().abs() * sizes[*a] / base)
                }
                Operation::Call(_, a, b) => value + sizes[*a] + b.map_or(0.0, |b| sizes[b]),
            });
        }
        sizes
    }
}

fn no_value(what: &str) -> NoValue {
    NoValue(what.to_owned())
}

/// aʳ.
fn power(a: &Real, exponent: &Rational) -> Option<Real> {
    if let Some(n) = exponent.as_integer() {
        return a.powi(n);
    }
    let (top, bottom) = exponent.parts();
    let (top, bottom): (i64, u32) = (top.parse().ok()?, bottom.parse().ok()?);
    if a.sign() < 0 {
        return None;
    }
    let root = if bottom == 2 { a.sqrt()? } else { a.root(bottom)? };
    if top == 1 { Some(root) } else { root.powi(top) }
}
