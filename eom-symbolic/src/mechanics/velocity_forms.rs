//! Linear forms of the velocities whose squares L holds, as a chain of bodies has them: each is one
//! before it and a few terms more.
//!
//! ```text
//! L = L₀ + Σ ½ c_k w_k²        w_k = w_p(k) + Σ b_kj v_j + Σ e_kl w_l + β_k        c_k a constant
//! ```
//!
//! Where each w_k is a time derivative, d/dt(∂w_k/∂v) − ∂w_k/∂q = 0, its square adds
//! c_k ẇ_k ∂w_k/∂v to the equations of motion and nothing else. With L₀'s own M₀ and h₀, the equations
//! are then the conditions for the least of
//!
//! ```text
//! ½ v̇ᵀM₀v̇ + ½ Σ c_k ẇ_k² − (F − h₀)·v̇        ẇ_k = ẇ_p(k) + Σ b_kj v̇_j + Σ e_kl ẇ_l + r_k
//! r_k = Σ ḃ_kj v_j + Σ ė_kl w_l + β̇_k
//! ```
//!
//! (Gauss), which is as sparse as the chain, where M = M₀ + Σ c_k (∂w_k/∂v)ᵀ(∂w_k/∂v) is full. A planar
//! pendulum of n links has M₀ = 0 but for its first link, and the velocities of its masses as forms.
//!
//! The angular velocity of a body in space, in axes of its own, is no time derivative. Then h is that of L, as the
//! equations of motion have it, all r_k = 0, and ẇ_k is what v̇ gives to it:
//!
//! ```text
//! ½ v̇ᵀM₀v̇ + ½ Σ C_kl ẇ_k ẇ_l − (F − h)·v̇        C_kk = c_k, C_kl the products of inertia
//! ```
//!
//! h takes a sweep back over L and one forward over that, which are as long as the chain is, too.
//!
//! What forms share is read off their sums as they stand: terms are in the order of their first
//! construction, so that a form declared with another one begins with its terms. A prefix that several
//! forms share is a form too, with c = 0; so is a sum within a term, such as φ̇₁ + φ̇₂ in cos(φ₁ + φ₂)(φ̇₁ + φ̇₂).

use super::declared::{Bound, Relation};
use super::equations::EquationsOfMotion;
use super::lagrange::{bias, mass_matrix, slopes};
use super::system::SystemModel;
use crate::diff::Tangent;
use crate::node::{ExprId, SymbolKind, View};
use crate::pool::{ExprPool, Pair};
use eom_elementary::order;
use rustc_hash::FxHashMap;

/// A variable of the forms: speeds 0..n, then the forms in their order.
pub(crate) type Variable = usize;

/// Two forms k ≠ l, and C_kl.
pub(crate) type Coupling = (Variable, Variable, ExprId);

/// w = Σ coefficient·variable + β.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    /// Earlier variables with their coefficients.
    pub(crate) terms: Vec<(Variable, ExprId)>,
    /// r; 0 where h is that of L.
    pub(crate) rate: ExprId,
    /// c; 0 where it is shared only.
    pub(crate) inertia: ExprId,
}

impl Form {
    /// The form on which it goes on, if any, alone.
    fn on(parent: Option<Variable>, inertia: ExprId) -> Self {
        // First, so that what is added to it is added last: the chain waits for that.
        let terms = parent.map(|parent| (parent, ExprPool::ONE)).into_iter().collect();
        Self { terms, rate: ExprPool::ZERO, inertia }
    }

    /// Adds terms; `None` where a sum within them has no variable.
    fn extend(
        &mut self,
        model: &mut SystemModel,
        rates: &mut Rates,
        terms: &[Pair],
        inner: impl Fn(ExprId) -> Option<Variable>,
    ) -> Option<()> {
        let mut own = Vec::new();
        for &(c, term) in terms {
            let (variable, carried) = match carrier(&model.pool, term)? {
                Carrier::None => {
                    own.push((c, rates.of(&mut model.pool, term)));
                    continue;
                }
                Carrier::Speed(speed) => {
                    (speed, model.pool.symbol_expr(model.speeds[speed].velocity))
                }
                Carrier::Inner(sum) => (inner(sum)?, sum),
            };
            let coefficient = model.pool.div(term, carried);
            let rate = rates.of(&mut model.pool, coefficient);
            own.push((c, model.pool.mul(rate, carried)));
            self.add(&mut model.pool, variable, (c, coefficient));
        }
        self.rate = model.pool.sum(&own);
        Some(())
    }

    /// Adds a multiple of a variable.
    fn add(&mut self, pool: &mut ExprPool, variable: Variable, (c, coefficient): Pair) {
        match self.terms.iter_mut().find(|(known, _)| *known == variable) {
            Some((_, known)) => *known = pool.sum(&[(ExprPool::ONE, *known), (c, coefficient)]),
            None => self.terms.push((variable, pool.scale(c, coefficient))),
        }
    }
}

/// What gives the r of forms.
#[derive(Debug)]
enum Rates {
    /// d/dt along the motion, v held.
    Along(Tangent),
    /// Nothing: h has all.
    None,
}

impl Rates {
    fn of(&mut self, pool: &mut ExprPool, expr: ExprId) -> ExprId {
        match self {
            Self::Along(direction) => direction.derivative(pool, expr),
            Self::None => ExprPool::ZERO,
        }
    }
}

/// The equations of motion by their forms; see the module. n speeds.
#[derive(Debug)]
pub(crate) struct Forms {
    /// The pool of the model, with what was made here.
    pub(crate) pool: ExprPool,
    /// M₀, n×n.
    pub(crate) mass: Vec<Vec<ExprId>>,
    /// h₀, n; h where some form is no time derivative.
    pub(crate) bias: Vec<ExprId>,
    /// The forms, by variables n, n + 1, …
    pub(crate) list: Vec<Form>,
    /// C_kl of two variables among them.
    pub(crate) couplings: Vec<Coupling>,
    /// Whether each c that is not 0 as it stands is positive for all parameters within their bounds.
    pub(crate) are_massive: bool,
}

impl Forms {
    /// By the forms that are time derivatives; `None` where none is made of another one.
    pub(crate) fn of_rates(model: &SystemModel) -> Option<Self> {
        if model.kinematics.is_some() || !model.pool.has_squares_of_sums(model.lagrangian) {
            return None;
        }
        let mut model = model.clone();
        let mut linear = Linear::default();
        let squares = Squares::of(&mut model, &mut |model, w| {
            linear.is_form(&model.pool, w) && is_rate(model, w)
        });
        let rates = Rates::Along(model.time_direction());
        let (list, couplings) = squares.into_forms(&mut model, rates)?;
        let (momenta, slopes) = slopes(&mut model);
        let bias = bias(&mut model, &momenta, slopes);
        Some(Self::new(model, list, couplings, &momenta, bias))
    }

    /// By all forms, where some are no time derivatives; `None` where all are, or none is made of another one.
    pub(crate) fn of_turning(model: &SystemModel, equations: &EquationsOfMotion) -> Option<Self> {
        if !model.pool.has_squares_of_sums(model.lagrangian) {
            return None;
        }
        let mut model = model.clone();
        let mut linear = Linear::default();
        let squares = Squares::of(&mut model, &mut |model, w| linear.is_form(&model.pool, w));
        let mut are_rates = model.kinematics.is_none();
        for (w, u, _) in &squares.found {
            are_rates = are_rates && is_rate(&mut model, *w) && is_rate(&mut model, *u);
        }
        if are_rates {
            return None;
        }
        let (list, couplings) = squares.into_sums(&mut model)?;
        let velocities = model.velocities();
        let momenta = model.pool.gradient(model.lagrangian, &velocities);
        Some(Self::new(model, list, couplings, &momenta, equations.bias.clone()))
    }

    /// With p = ∂L₀/∂v, L₀ being what `model` has left.
    fn new(
        mut model: SystemModel,
        list: Vec<Form>,
        couplings: Vec<Coupling>,
        momenta: &[ExprId],
        bias: Vec<ExprId>,
    ) -> Self {
        let mut inertias = list.iter().map(|form| form.inertia);
        let are_massive = inertias.all(|c| c == ExprPool::ZERO || is_positive(&model, c));
        let mass = mass_matrix(&mut model, momenta);
        Self { pool: model.pool, mass, bias, list, couplings, are_massive }
    }
}

impl ExprPool {
    /// Whether the square of a sum stands in an expression.
    fn has_squares_of_sums(&self, expr: ExprId) -> bool {
        let is_square = |&(base, exponent): &Pair| {
            exponent == Self::TWO && matches!(self.view(base), View::Sum(_))
        };
        self.below(&[expr]).into_iter().any(|id| match self.view(id) {
            View::Product { factors, .. } => factors.iter().any(is_square),
            _ => false,
        })
    }
}

/// Whether an expression is positive for all parameters within their bounds, as it and they show.
fn is_positive(model: &SystemModel, expr: ExprId) -> bool {
    let is_positive = |expr: ExprId| is_positive(model, expr);
    match model.pool.view(expr) {
        View::Number(number) => !number.is_negative() && !number.is_zero(),
        View::Symbol(symbol) => {
            let parameter = model.parameters.iter().find(|parameter| parameter.symbol == symbol);
            let mut bounds = parameter.iter().flat_map(|parameter| &parameter.bounds);
            bounds.any(|Bound { left, relation, right }| match relation {
                Relation::Greater => *left == expr && *right == ExprPool::ZERO,
                Relation::Less => *left == ExprPool::ZERO && *right == expr,
                Relation::GreaterEqual => *left == expr && is_positive(*right),
                Relation::LessEqual => is_positive(*left) && *right == expr,
            })
        }
        View::Sum(terms) => terms.iter().all(|(c, term)| is_positive(*c) && is_positive(*term)),
        View::Product { coefficient, factors } => {
            is_positive(coefficient) && factors.iter().all(|(base, _)| is_positive(*base))
        }
        View::Call(..) | View::Integral { .. } | View::Undefined => false,
    }
}

/// The terms of L: squares and products of forms, and the others.
#[derive(Debug, Default)]
struct Squares {
    /// w, u and the factor of w u.
    found: Vec<(ExprId, ExprId, ExprId)>,
    rest: Vec<ExprId>,
}

impl Squares {
    /// Those of L, of sums that are forms.
    fn of(
        model: &mut SystemModel,
        is_form: &mut impl FnMut(&mut SystemModel, ExprId) -> bool,
    ) -> Self {
        let mut squares = Self::default();
        let lagrangian = model.lagrangian;
        squares.collect(model, ExprPool::ONE, lagrangian, is_form);
        squares
    }

    /// Takes factor·expr apart; the factor is fixed.
    fn collect(
        &mut self,
        model: &mut SystemModel,
        factor: ExprId,
        expr: ExprId,
        is_form: &mut impl FnMut(&mut SystemModel, ExprId) -> bool,
    ) {
        match model.pool.view(expr) {
            _ if !model.pool.holds_velocity(expr) => self.keep(model, factor, expr),
            View::Sum(terms) => {
                let terms = terms.to_vec();
                for (c, term) in terms {
                    let factor = model.pool.scale(c, factor);
                    self.collect(model, factor, term, is_form);
                }
            }
            View::Product { coefficient, factors } => {
                let is_fixed = |(base, exponent): &Pair| {
                    model.pool.is_fixed(*base) && model.pool.is_fixed(*exponent)
                };
                let (fixed, moving): (Vec<Pair>, Vec<Pair>) =
                    factors.iter().partition(|f| is_fixed(f));
                let own = model.pool.product(coefficient, &fixed);
                let own = model.pool.mul(factor, own);
                match moving[..] {
                    [(sum, ExprPool::ONE)] => self.collect(model, own, sum, is_form),
                    [(w, ExprPool::TWO)] if is_form(model, w) => self.found.push((w, w, own)),
                    [(w, ExprPool::ONE), (u, ExprPool::ONE)] => {
                        self.collect_product(model, own, [w, u], is_form);
                    }
                    _ => self.keep(model, factor, expr),
                }
            }
            _ => self.keep(model, factor, expr),
        }
    }

    /// Takes factor·w·u apart: where one is made of velocities and fixed factors alone, as a row of J ω is, term by
    /// term.
    fn collect_product(
        &mut self,
        model: &mut SystemModel,
        factor: ExprId,
        [w, u]: [ExprId; 2],
        is_form: &mut impl FnMut(&mut SystemModel, ExprId) -> bool,
    ) {
        for (one, other) in [(w, u), (u, w)] {
            if let Some(terms) = fixed_terms(&model.pool, one) {
                for (c, term) in terms {
                    let factor = model.pool.scale(c, factor);
                    let product = model.pool.mul(term, other);
                    self.collect(model, factor, product, is_form);
                }
                return;
            }
        }
        if is_form(model, w) && is_form(model, u) {
            self.found.push((w, u, factor));
        } else {
            let product = model.pool.mul(w, u);
            self.keep(model, factor, product);
        }
    }

    fn keep(&mut self, model: &mut SystemModel, factor: ExprId, expr: ExprId) {
        self.rest.push(model.pool.mul(factor, expr));
    }

    /// The same by [`Sums`], without rates.
    fn into_sums(mut self, model: &mut SystemModel) -> Option<(Vec<Form>, Vec<Coupling>)> {
        let mut sums = Sums::default();
        // What was made first is part of what was made later.
        order::sort_by_key(&mut self.found, |(w, u, _)| *w.max(u));
        let mut couplings = Vec::new();
        for (w, u, factor) in self.found {
            let [one, other] = [sums.variable(model, w)?, sums.variable(model, u)?];
            if one == other {
                let inertia = model.pool.scale(ExprPool::TWO, factor);
                let form = &mut sums.list[one - model.speeds.len()];
                form.inertia = model.pool.add(form.inertia, inertia);
            } else {
                couplings.push((one, other, factor));
            }
        }
        model.lagrangian = model.pool.sum_of(&self.rest);
        Some((sums.list, couplings))
    }

    /// The forms with c and C, which leave L₀ to the model; `None` where none is made of another one.
    fn into_forms(
        self,
        model: &mut SystemModel,
        rates: Rates,
    ) -> Option<(Vec<Form>, Vec<Coupling>)> {
        let mut tree = Tree::default();
        let mut coupled = Vec::new();
        for (w, u, factor) in self.found {
            let [one, other] = [tree.insert(&model.pool, w)?, tree.insert(&model.pool, u)?];
            if one == other {
                let inertia = model.pool.scale(ExprPool::TWO, factor);
                tree.nodes[one].inertia = model.pool.add(tree.nodes[one].inertia, inertia);
            } else {
                coupled.push((one, other, factor));
            }
        }
        let (variables, list) = tree.into_forms(model, rates)?;
        let variable = |(one, other, c)| Some((variables[one]?, variables[other]?, c));
        let couplings = coupled.into_iter().map(variable).collect::<Option<Vec<Coupling>>>()?;
        model.lagrangian = model.pool.sum_of(&self.rest);
        Some((list, couplings))
    }
}

/// The terms of a sum of fixed multiples of velocities and sums that hold some.
fn fixed_terms(pool: &ExprPool, sum: ExprId) -> Option<Vec<Pair>> {
    let View::Sum(terms) = pool.view(sum) else { return None };
    let is_fixed = |(_, term): &Pair| match pool.view(*term) {
        View::Symbol(_) | View::Sum(_) => pool.holds_velocity(*term),
        View::Product { factors, .. } => {
            let moving = factors.iter().filter(|(base, _)| !pool.is_fixed(*base));
            let mut moving = moving.map(|(base, power)| (pool.view(*base), *power));
            matches!(moving.next(), Some((View::Symbol(_) | View::Sum(_), ExprPool::ONE)))
                && moving.next().is_none()
        }
        _ => false,
    };
    terms.iter().all(is_fixed).then(|| terms.to_vec())
}

/// The sums that are linear in the velocities term by term, or are not; each is looked at once.
#[derive(Debug, Default)]
struct Linear(FxHashMap<ExprId, bool>);

impl Linear {
    fn is_form(&mut self, pool: &ExprPool, sum: ExprId) -> bool {
        pool.holds_velocity(sum) && self.is_linear(pool, sum)
    }

    fn is_linear(&mut self, pool: &ExprPool, sum: ExprId) -> bool {
        if let Some(known) = self.0.get(&sum) {
            return *known;
        }
        let View::Sum(terms) = pool.view(sum) else { return false };
        let is_linear = terms.iter().all(|(_, term)| match carrier(pool, *term) {
            Some(Carrier::Inner(inner)) => self.is_linear(pool, inner),
            Some(Carrier::Speed(_) | Carrier::None) => true,
            None => false,
        });
        self.0.insert(sum, is_linear);
        is_linear
    }
}

/// d/dt(∂w/∂v) − ∂w/∂q = 0, as the expressions show it.
fn is_rate(model: &mut SystemModel, w: ExprId) -> bool {
    let (positions, velocities) = (model.positions(), model.velocities());
    let slopes = model.pool.gradient(w, &positions);
    let entries = model.pool.gradient(w, &velocities);
    let mut direction = model.time_direction();
    let pool = &mut model.pool;
    entries.iter().zip(slopes).all(|(entry, slope)| direction.derivative(pool, *entry) == slope)
}

/// What of a term is of degree 1 in the velocities.
#[derive(Debug, Clone, Copy)]
enum Carrier {
    /// A speed.
    Speed(usize),
    /// A sum.
    Inner(ExprId),
    /// Nothing: the term is free of velocities.
    None,
}

/// `None` where a term is not read as a product of something free of velocities and a carrier.
fn carrier(pool: &ExprPool, term: ExprId) -> Option<Carrier> {
    let of_base = |base: ExprId| match pool.view(base) {
        View::Symbol(symbol) => match pool.symbol_info(symbol).kind {
            SymbolKind::Velocity(speed) => Some(Carrier::Speed(speed)),
            _ => None,
        },
        View::Sum(_) => Some(Carrier::Inner(base)),
        _ => None,
    };
    if !pool.holds_velocity(term) {
        return Some(Carrier::None);
    }
    let View::Product { factors, .. } = pool.view(term) else { return of_base(term) };
    let mut moving = factors
        .iter()
        .filter(|(base, power)| pool.holds_velocity(*base) || pool.holds_velocity(*power));
    match (moving.next(), moving.next()) {
        (Some(&(base, ExprPool::ONE)), None) => of_base(base),
        _ => None,
    }
}

/// The forms by their terms: a node is the sum of the terms on the way to it.
#[derive(Debug, Default)]
struct Tree {
    nodes: Vec<Node>,
    known: FxHashMap<(Option<usize>, Pair), usize>,
    /// The nodes of sums within terms.
    inner: FxHashMap<ExprId, usize>,
}

#[derive(Debug)]
struct Node {
    before: Option<usize>,
    term: Pair,
    /// How many nodes follow it.
    followers: usize,
    /// Whether it is a whole sum.
    whole: bool,
    inertia: ExprId,
}

impl Tree {
    /// The node of a sum.
    fn insert(&mut self, pool: &ExprPool, sum: ExprId) -> Option<usize> {
        let View::Sum(terms) = pool.view(sum) else { return None };
        let mut at = None;
        for term in terms {
            if let Some(Carrier::Inner(inner)) = carrier(pool, term.1)
                && !self.inner.contains_key(&inner)
            {
                let node = self.insert(pool, inner)?;
                self.inner.insert(inner, node);
            }
            at = Some(self.follow(at, *term));
        }
        self.nodes[at?].whole = true;
        at
    }

    fn follow(&mut self, before: Option<usize>, term: Pair) -> usize {
        if let Some(known) = self.known.get(&(before, term)) {
            return *known;
        }
        if let Some(before) = before {
            self.nodes[before].followers += 1;
        }
        let node = Node { before, term, followers: 0, whole: false, inertia: ExprPool::ZERO };
        self.nodes.push(node);
        self.known.insert((before, term), self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// The terms of a node behind the last one before it that is a variable, and this variable.
    fn since(&self, node: &Node, variables: &[Option<Variable>]) -> (Vec<Pair>, Option<Variable>) {
        let (mut own, mut before) = (vec![node.term], node.before);
        while let Some(other) = before.filter(|other| variables[*other].is_none()) {
            own.push(self.nodes[other].term);
            before = self.nodes[other].before;
        }
        own.reverse();
        (own, before.and_then(|before| variables[before]))
    }

    /// The nodes that are whole sums, or shared, as forms, and the variable of each node; `None` where none is
    /// made of another one.
    fn into_forms(
        self,
        model: &mut SystemModel,
        mut rates: Rates,
    ) -> Option<(Vec<Option<Variable>>, Vec<Form>)> {
        let n = model.speeds.len();
        let mut variables: Vec<Option<Variable>> = Vec::with_capacity(self.nodes.len());
        let mut forms: Vec<Form> = Vec::new();
        for node in &self.nodes {
            let kept = node.whole || node.followers > 1;
            variables.push(kept.then_some(n + forms.len()));
            if !kept {
                continue;
            }
            let (own, parent) = self.since(node, &variables);
            let inner = |sum: ExprId| self.inner.get(&sum).and_then(|node| variables[*node]);
            let mut form = Form::on(parent, node.inertia);
            form.extend(model, &mut rates, &own, inner)?;
            forms.push(form);
        }
        let is_chained = |form: &Form| form.terms.iter().any(|(variable, _)| *variable >= n);
        forms.iter().any(is_chained).then_some((variables, forms))
    }
}

/// The forms of sums in which others lie as multiples: the sum c·(a + b) + d stands as c·a + c·b + d.
#[derive(Debug, Default)]
struct Sums {
    list: Vec<Form>,
    known: FxHashMap<ExprId, Variable>,
    /// Sums by their last term: the younger it is, the fewer hold it.
    by_last: FxHashMap<ExprId, Vec<ExprId>>,
}

impl Sums {
    /// The variable of a sum; `None` where a term has no form.
    fn variable(&mut self, model: &mut SystemModel, sum: ExprId) -> Option<Variable> {
        if let Some(known) = self.known.get(&sum) {
            return Some(*known);
        }
        let View::Sum(terms) = model.pool.view(sum) else { return None };
        let mut rest = terms.to_vec();
        let last = rest.last()?.1;
        let mut form = Form::on(None, ExprPool::ZERO);
        for (_, term) in rest.clone().into_iter().rev() {
            for other in self.by_last.get(&term).into_iter().flatten() {
                if let Some(multiple) = take_out(&mut model.pool, &mut rest, *other) {
                    form.add(&mut model.pool, self.known[other], (ExprPool::ONE, multiple));
                }
            }
        }
        for (_, term) in &rest {
            if let Carrier::Inner(inner) = carrier(&model.pool, *term)? {
                self.variable(model, inner)?;
            }
        }
        let inner = |sum: ExprId| self.known.get(&sum).copied();
        form.extend(model, &mut Rates::None, &rest, inner)?;
        let variable = model.speeds.len() + self.list.len();
        self.list.push(form);
        self.known.insert(sum, variable);
        // The longest first.
        self.by_last.entry(last).or_default().insert(0, sum);
        Some(variable)
    }
}

/// Takes a multiple of a sum out of some terms, where they hold one: the number by which it is multiplied.
fn take_out(pool: &mut ExprPool, terms: &mut Vec<Pair>, sum: ExprId) -> Option<ExprId> {
    let View::Sum(wanted) = pool.view(sum) else { return None };
    let wanted = wanted.to_vec();
    let mut multiple = None;
    for (c, term) in &wanted {
        let (own, _) = terms.iter().find(|(_, other)| other == term)?;
        let ratio = pool.div(*own, *c);
        if *multiple.get_or_insert(ratio) != ratio {
            return None;
        }
    }
    terms.retain(|(_, term)| wanted.iter().all(|(_, other)| other != term));
    multiple
}
