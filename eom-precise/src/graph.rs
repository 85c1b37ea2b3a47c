//! Expressions as a graph that many kinds of numbers could run: exact, each value once.
//!
//! Programs of a system round their constants to doubles, 1/3 and π too. So runs in higher precision take the
//! equations as they are derived, with rational numbers.
//!
//! ```text
//! number | π | given | Σ c a | a b | aʳ | f(a, b)
//! ```

use crate::refusal::Refusal;
use eom_symbolic::diff::Tangent;
use eom_symbolic::function::{Formula, Smooth, Term};
use eom_symbolic::mechanics::SystemModel;
use eom_symbolic::subst::Substitution;
use eom_symbolic::{ExprId, ExprPool, Function, Partial, Rational, SymbolKind, View};
use std::collections::HashMap;

/// A value, by its place.
pub(crate) type Node = usize;

/// Natural exponents up to this are multiplied out, so that they have a series at 0 too.
const MULTIPLIED_MAX: i64 = 64;

/// Larger exponents are refused: a power of so many digits would have no room.
const EXPONENT_MAX: f64 = 1e6;

/// How a value is computed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    Number(Rational),
    Pi,
    /// What is given: t, q, v, inputs, parameters, one after another.
    Given(usize),
    /// Σ c a.
    Sum(Vec<(Rational, Node)>),
    /// a b.
    Product(Node, Node),
    /// aʳ, r no natural number.
    Power(Node, Rational),
    /// f(a), f(a, b).
    Call(Function, Node, Option<Node>),
}

/// w ẋ = Σ ± u ȧ of a call x: what gives the coefficients of its series.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rule {
    pub(crate) weight: Option<Node>,
    /// Whether it is subtracted, u, a.
    pub(crate) terms: Vec<(bool, Node, Node)>,
}

/// The values of some expressions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    pub(crate) operations: Vec<Operation>,
    /// The rules of calls that move.
    pub(crate) rules: HashMap<Node, Rule>,
    /// Whether a value depends on t, q or v.
    pub(crate) moves: Vec<bool>,
    /// How many of what is given are t, q and v.
    pub(crate) state: usize,
    known: HashMap<Operation, Node>,
}

impl Graph {
    /// Which values some others need, those of their rules too.
    pub(crate) fn needed(&self, outputs: &[Node]) -> Vec<bool> {
        let mut needed = vec![false; self.operations.len()];
        let mut open = outputs.to_vec();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut needed[node], true) {
                continue;
            }
            match &self.operations[node] {
                Operation::Number(_) | Operation::Pi | Operation::Given(_) => {}
                Operation::Sum(terms) => open.extend(terms.iter().map(|(_, a)| *a)),
                Operation::Product(a, b) => open.extend([*a, *b]),
                Operation::Power(a, _) => open.push(*a),
                Operation::Call(_, a, b) => open.extend([*a].into_iter().chain(*b)),
            }
            if let Some(rule) = self.rules.get(&node) {
                open.extend(rule.weight.into_iter().chain(rule.terms.iter().map(|(_, u, _)| *u)));
            }
        }
        needed
    }

    fn add(&mut self, operation: Operation) -> Node {
        if let Some(node) = self.known.get(&operation) {
            return *node;
        }
        let moves = match &operation {
            Operation::Number(_) | Operation::Pi => false,
            Operation::Given(place) => *place < self.state,
            Operation::Sum(terms) => terms.iter().any(|(_, a)| self.moves[*a]),
            Operation::Product(a, b) => self.moves[*a] || self.moves[*b],
            Operation::Power(a, _) => self.moves[*a],
            Operation::Call(_, a, b) => self.moves[*a] || b.is_some_and(|b| self.moves[b]),
        };
        let node = self.operations.len();
        self.known.insert(operation.clone(), node);
        self.operations.push(operation);
        self.moves.push(moves);
        node
    }

    fn integer(&mut self, n: i64) -> Node {
        self.add(Operation::Number(Rational::integer(n)))
    }

    fn product(&mut self, a: Node, b: Node) -> Node {
        self.add(Operation::Product(a.min(b), a.max(b)))
    }

    /// aⁿ, n ≥ 1, by squares.
    fn natural(&mut self, a: Node, n: i64) -> Node {
        if n == 1 {
            return a;
        }
        let half = self.natural(a, n / 2);
        let square = self.product(half, half);
        if n % 2 == 0 { square } else { self.product(square, a) }
    }

    fn power(&mut self, a: Node, exponent: &Rational) -> Result<Node, Refusal> {
        match exponent.as_integer() {
            Some(n) if (1..=MULTIPLIED_MAX).contains(&n) => Ok(self.natural(a, n)),
            _ if exponent.to_f64().abs() > EXPONENT_MAX => Err(Refusal::Exponent),
            _ => Ok(self.add(Operation::Power(a, exponent.clone()))),
        }
    }

    /// A function of the language, with the rule of its series.
    fn call(&mut self, function: Function, a: Node, b: Option<Node>) -> Result<Node, Refusal> {
        let unknown = || Refusal::Function { name: function.name().to_owned() };
        let description = function.description().ok_or_else(unknown)?;
        if description.smooth != Smooth::Analytic || function == Function::Erf {
            return Err(unknown());
        }
        let operation = Operation::Call(function, a, b);
        if let Some(node) = self.known.get(&operation) {
            return Ok(*node);
        }
        let x = self.add(operation);
        if !self.moves[x] {
            return Ok(x);
        }
        let weight = description.rule.weight.as_ref();
        let weight = weight.map(|formula| self.formula(formula, (x, a, b))).transpose()?;
        let mut terms = Vec::new();
        for (term, argument) in description.rule.terms.iter().zip([Some(a), b]) {
            let (is_minus, formula) = match term {
                Term::Plus(formula) => (false, formula),
                Term::Minus(formula) => (true, formula),
            };
            let u = self.formula(formula, (x, a, b))?;
            terms.extend(argument.map(|argument| (is_minus, u, argument)));
        }
        self.rules.insert(x, Rule { weight, terms });
        Ok(x)
    }

    fn formula(
        &mut self,
        formula: &Formula,
        at: (Node, Node, Option<Node>),
    ) -> Result<Node, Refusal> {
        let (x, a, b) = at;
        let one = Rational::ONE;
        Ok(match formula {
            Formula::Value => x,
            Formula::First => a,
            Formula::Second => b.unwrap_or(a),
            Formula::Integer(n) => self.integer(*n),
            Formula::Pi => self.add(Operation::Pi),
            Formula::Of(function, inner) => {
                let inner = self.formula(inner, at)?;
                self.call(*function, inner, None)?
            }
            Formula::Sum(left, right) => {
                let (left, right) = (self.formula(left, at)?, self.formula(right, at)?);
                self.add(Operation::Sum(vec![(one.clone(), left), (one, right)]))
            }
            Formula::Difference(left, right) => {
                let (left, right) = (self.formula(left, at)?, self.formula(right, at)?);
                self.add(Operation::Sum(vec![(one, left), (Rational::MINUS_ONE, right)]))
            }
            Formula::Product(left, right) => {
                let (left, right) = (self.formula(left, at)?, self.formula(right, at)?);
                self.product(left, right)
            }
            Formula::Root(inner) => {
                let inner = self.formula(inner, at)?;
                self.add(Operation::Power(inner, half()))
            }
        })
    }
}

fn half() -> Rational {
    Rational::new(1, 2).unwrap_or(Rational::ONE)
}

/// Makes a graph of expressions of a model.
pub(crate) struct Lowering<'m> {
    model: &'m SystemModel,
    /// Calls of declared functions are written out in it.
    pool: ExprPool,
    values: HashMap<ExprId, Node>,
    pub(crate) graph: Graph,
}

impl<'m> Lowering<'m> {
    pub(crate) fn new(model: &'m SystemModel) -> Self {
        let state = 1 + model.positions().len() + model.speeds.len();
        let graph = Graph { state, ..Graph::default() };
        Self { model, pool: model.pool.clone(), values: HashMap::new(), graph }
    }

    /// What is given, by its place.
    pub(crate) fn given(&mut self, place: usize) -> Node {
        self.graph.add(Operation::Given(place))
    }

    /// Σ ± a.
    pub(crate) fn difference(&mut self, a: Node, b: Node) -> Node {
        self.graph.add(Operation::Sum(vec![(Rational::ONE, a), (Rational::MINUS_ONE, b)]))
    }

    pub(crate) fn all(&mut self, list: &[ExprId]) -> Result<Vec<Node>, Refusal> {
        list.iter().map(|expr| self.value(*expr)).collect()
    }

    pub(crate) fn matrix(&mut self, rows: &[Vec<ExprId>]) -> Result<Vec<Vec<Node>>, Refusal> {
        rows.iter().map(|row| self.all(row)).collect()
    }

    /// The value of an expression.
    pub(crate) fn value(&mut self, expr: ExprId) -> Result<Node, Refusal> {
        for id in self.pending(expr) {
            if !self.values.contains_key(&id) {
                let node = self.node(id)?;
                self.values.insert(id, node);
            }
        }
        Ok(self.values[&expr])
    }

    /// What has no value yet below an expression, children before parents.
    fn pending(&self, expr: ExprId) -> Vec<ExprId> {
        let (mut open, mut found) = (vec![expr], std::collections::BTreeSet::new());
        while let Some(id) = open.pop() {
            if self.values.contains_key(&id) || !found.insert(id) {
                continue;
            }
            match self.pool.view(id) {
                View::Sum(terms) => open.extend(terms.iter().map(|(_, a)| *a)),
                View::Product { factors, .. } => {
                    for &(base, exponent) in factors {
                        open.push(base);
                        if self.pool.as_number(exponent).is_none() {
                            open.push(exponent);
                        }
                    }
                }
                View::Call(_, arguments) => open.extend(arguments),
                _ => {}
            }
        }
        found.into_iter().collect()
    }

    fn node(&mut self, id: ExprId) -> Result<Node, Refusal> {
        let number = |pool: &ExprPool, id| pool.as_number(id).cloned().unwrap_or(Rational::ZERO);
        match self.pool.view(id) {
            View::Number(value) => {
                let value = value.clone();
                Ok(self.graph.add(Operation::Number(value)))
            }
            View::Undefined => Err(Refusal::Undefined),
            View::Integral { .. } => Err(Refusal::Integral),
            View::Symbol(symbol) => {
                let kind = self.pool.symbol_info(symbol).kind;
                if kind == SymbolKind::Pi {
                    return Ok(self.graph.add(Operation::Pi));
                }
                let place = place(self.model, kind).ok_or_else(|| Refusal::Symbol {
                    name: self.pool.symbol_info(symbol).name.clone(),
                })?;
                Ok(self.given(place))
            }
            View::Sum(terms) => {
                let terms = terms.iter().map(|(c, a)| (number(&self.pool, *c), self.values[a]));
                let terms = terms.collect();
                Ok(self.graph.add(Operation::Sum(terms)))
            }
            View::Product { coefficient, factors } => {
                let coefficient = number(&self.pool, coefficient);
                let factors = factors.to_vec();
                self.factors(coefficient, &factors)
            }
            View::Call(Function::Declared(partial), arguments) => {
                let arguments = arguments.to_vec();
                self.declared(partial, &arguments)
            }
            View::Call(function, arguments) => {
                let at: Vec<Node> = arguments.iter().map(|a| self.values[a]).collect();
                self.graph.call(function, at[0], at.get(1).copied())
            }
        }
    }

    /// c ∏ bᵉ.
    fn factors(&mut self, c: Rational, factors: &[(ExprId, ExprId)]) -> Result<Node, Refusal> {
        let mut product: Option<Node> = None;
        for (base, exponent) in factors {
            let base = self.values[base];
            let factor = match self.pool.as_number(*exponent).cloned() {
                Some(number) => self.graph.power(base, &number)?,
                None => {
                    // bᵉ = exp(e ln b).
                    let exponent = self.values[exponent];
                    let logarithm = self.graph.call(Function::Ln, base, None)?;
                    let whole = self.graph.product(exponent, logarithm);
                    self.graph.call(Function::Exp, whole, None)?
                }
            };
            product = Some(match product {
                Some(product) => self.graph.product(product, factor),
                None => factor,
            });
        }
        Ok(match product {
            Some(product) if c.is_one() => product,
            Some(product) => self.graph.add(Operation::Sum(vec![(c, product)])),
            None => self.graph.add(Operation::Number(c)),
        })
    }

    /// A partial of a declared function at a point: that of its default.
    fn declared(&mut self, partial: Partial, point: &[ExprId]) -> Result<Node, Refusal> {
        let index = usize::from(partial.function);
        let found = self.model.functions.iter().find(|f| usize::from(f.partial.function) == index);
        let formals = self.pool.signature(partial).arguments.clone();
        let missing = || Refusal::Function { name: self.pool.partial_name(partial) };
        let mut value = found.and_then(|f| f.default).ok_or_else(missing)?;
        for (symbol, order) in formals.iter().zip(partial.orders) {
            for _ in 0..order {
                value = Tangent::partial(*symbol).derivative(&mut self.pool, value);
            }
        }
        let images: Vec<_> = formals.into_iter().zip(point.iter().copied()).collect();
        let value = Substitution::new(images).apply(&mut self.pool, value);
        self.value(value)
    }
}

/// Where a symbol stands in what is given.
fn place(model: &SystemModel, kind: SymbolKind) -> Option<usize> {
    let positions = model.positions().len();
    let state = 1 + positions + model.speeds.len();
    match kind {
        SymbolKind::Time => Some(0),
        SymbolKind::Coordinate(index) => Some(1 + index),
        SymbolKind::Velocity(index) => Some(1 + positions + index),
        SymbolKind::Input(index) => Some(state + index),
        SymbolKind::Parameter(index) => Some(state + model.inputs.len() + index),
        _ => None,
    }
}
