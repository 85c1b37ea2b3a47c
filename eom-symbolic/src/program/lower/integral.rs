//! Integrals: those with one variable and the same ends are evaluated together, a vector at a time.

use super::{Lowering, Scope};
use crate::node::{ExprId, SymbolId, SymbolKind, View};
use crate::number::Rational;
use crate::pool::ExprPool;
use crate::program::{Instruction, Integral, KinkForm, Value};
use eom_elementary::order;
use rustc_hash::{FxHashMap, FxHashSet};

/// A form whose zero, or whose least norm, is where an integrand is not smooth.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Form {
    /// w, affine in the variable and in those of the integrals within.
    components: Vec<Component>,
    /// The variables of the integrals within on which it depends.
    nested: Vec<SymbolId>,
}

/// c·b, or √|e| of a term that is no square.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Component {
    /// √c ∏ bⁿ.
    Product(Rational, Vec<(ExprId, ExprId)>),
    /// An expression as it stands.
    Whole(ExprId),
}

/// What integrals must share to be evaluated together.
type Group = (usize, SymbolId, ExprId, ExprId);

impl Component {
    /// c and ∏ bⁿ of √c ∏ bⁿ.
    fn product(self) -> Option<(Rational, Vec<(ExprId, ExprId)>)> {
        match self {
            Self::Product(c, factors) => Some((c, factors)),
            Self::Whole(_) => None,
        }
    }
}

impl Lowering<'_> {
    /// Lowers the integrals of expressions that are lowered later, so that those that belong
    /// together are evaluated together.
    pub(crate) fn prepare(&mut self, roots: &[ExprId]) {
        self.prepare_in(0, roots);
    }

    pub(super) fn prepare_in(&mut self, scope: usize, roots: &[ExprId]) {
        let own = self.integrals_of(scope, roots);
        let mut levels: FxHashMap<ExprId, usize> = FxHashMap::default();
        let mut groups: Vec<(Group, Vec<ExprId>)> = Vec::new();
        for id in own {
            let View::Integral { variable, lower, upper, .. } = self.pool.view(id) else {
                continue;
            };
            let mut below = FxHashSet::default();
            self.pool.for_children(id, |child| integrals_below(self.pool, child, &mut below));
            let level = 1 + below.iter().filter_map(|i| levels.get(i)).max().copied().unwrap_or(0);
            levels.insert(id, level);
            let group = (level, variable, lower, upper);
            match groups.iter_mut().find(|known| known.0 == group) {
                Some(known) => known.1.push(id),
                None => groups.push((group, vec![id])),
            }
        }
        order::sort_by_key(&mut groups, |((level, ..), _)| *level);
        for ((_, variable, lower, upper), ids) in groups {
            self.lower_integrals(scope, variable, (lower, upper), &ids);
        }
    }

    /// The integrals below the roots that belong to a scope and have no value yet, by id.
    fn integrals_of(&mut self, scope: usize, roots: &[ExprId]) -> Vec<ExprId> {
        let mut found = FxHashSet::default();
        for root in roots {
            integrals_below(self.pool, *root, &mut found);
        }
        let mut found: Vec<ExprId> = found.into_iter().collect();
        found.sort_unstable();
        let free = self.pool.symbols_in(roots);
        found.retain(|id| {
            let symbols = self.pool.symbols_in(&[*id]);
            let open =
                |s: &SymbolId| matches!(self.pool.symbol_info(*s).kind, SymbolKind::Bound(_));
            // With a variable of an integral around it, it belongs to the scope of that one.
            symbols.iter().filter(|s| open(s)).all(|s| free.contains(s))
                && self.depth(scope, *id) == scope
                && !self.scopes[scope].values.contains_key(id)
        });
        found
    }

    /// Integrals of one variable between the same ends.
    fn lower_integrals(
        &mut self,
        scope: usize,
        variable: SymbolId,
        (lower, upper): (ExprId, ExprId),
        ids: &[ExprId],
    ) {
        let (low, high) = (self.lower_in(scope, lower), self.lower_in(scope, upper));
        let bodies: Vec<ExprId> = ids.iter().map(|id| body_of(self.pool, *id)).collect();
        if let Some(values) = self.in_closed_form(scope, variable, (low, high), &bodies) {
            self.scopes[scope].values.extend(ids.iter().copied().zip(values));
            return;
        }
        let inner = scope + 1;
        self.open(vec![variable]);
        self.prepare_in(inner, &bodies);
        for body in &bodies {
            let value = self.lower_in(inner, *body);
            self.scopes[inner].builder.output(String::new(), value);
        }
        let (captured, integrand) = self.close("integrand");
        let forms = forms(self.pool, &bodies, variable);
        let kinks = forms.into_iter().map(|form| self.kink(inner, variable, &form)).collect();
        let integral = Integral {
            variable: self.pool.symbol_info(variable).name.clone(),
            lower: low,
            upper: high,
            nesting: scope,
            captured,
            integrand,
            kinks,
        };
        let Scope { builder, values, .. } = &mut self.scopes[scope];
        let block = builder.integral(integral);
        for (component, id) in ids.iter().enumerate() {
            let value = builder.push(Instruction::Integral(block, component as u32));
            values.insert(*id, value);
        }
    }

    /// The integrals where they stand within another and hold one root; `None` where they are left to points.
    fn in_closed_form(
        &mut self,
        scope: usize,
        variable: SymbolId,
        ends: (Value, Value),
        bodies: &[ExprId],
    ) -> Option<Vec<Value>> {
        if scope == 0 {
            return None;
        }
        let &[square] = &roots(self.pool, bodies, variable)[..] else { return None };
        let components = squares(self.pool, square)?;
        let components: Option<Vec<_>> = components.into_iter().map(Component::product).collect();
        let components = components?;
        // Where all of w vanishes at one s whatever else is, an integral may not exist: points find out.
        let moving = |factors: &[(ExprId, ExprId)]| -> Vec<(ExprId, ExprId)> {
            let moves = |f: &&(ExprId, ExprId)| self.pool.moves(f.0, variable);
            factors.iter().filter(moves).copied().collect()
        };
        let first = moving(&components.first()?.1);
        if components.iter().all(|(_, factors)| moving(factors) == first) {
            return None;
        }
        self.integrals_over_root(scope, variable, ends, (square, &components), bodies)
    }

    /// The components of a form as a program of the variable and of those within.
    fn kink(&mut self, inner: usize, variable: SymbolId, form: &Form) -> KinkForm {
        let variables = std::iter::once(variable).chain(form.nested.iter().copied());
        self.open(variables.collect());
        for component in &form.components {
            let value = match component {
                Component::Product(c, factors) => {
                    let value = self.lower_product(inner, &Rational::ONE, factors);
                    let builder = &mut self.scopes[inner].builder;
                    let root = builder.constant(c.to_f64().sqrt());
                    builder.mul(root, value)
                }
                Component::Whole(e) => self.lower_in(inner, *e),
            };
            self.scopes[inner].builder.output(String::new(), value);
        }
        let (captured, components) = self.close("kink");
        KinkForm { nested: form.nested.len(), captured, components }
    }

    fn open(&mut self, variables: Vec<SymbolId>) {
        self.scopes.push(Scope { variables, ..Scope::default() });
    }

    /// What the innermost scope captured, and its program.
    fn close(&mut self, name: &str) -> (Vec<Value>, crate::program::Program) {
        let scope = self.scopes.pop().unwrap_or_default();
        (scope.captured, scope.builder.finish(name))
    }
}

fn body_of(pool: &ExprPool, id: ExprId) -> ExprId {
    match pool.view(id) {
        View::Integral { body, .. } => body,
        _ => id,
    }
}

/// Adds the integrals in an expression, within others too.
fn integrals_below(pool: &ExprPool, expr: ExprId, found: &mut FxHashSet<ExprId>) {
    let mut stack = vec![expr];
    let mut seen = FxHashSet::default();
    while let Some(id) = stack.pop() {
        if pool.has_integral(id) && seen.insert(id) {
            if matches!(pool.view(id), View::Integral { .. }) {
                found.insert(id);
            }
            pool.for_children(id, |child| stack.push(child));
        }
    }
}

/// What is below a root that the variable moves.
fn roots(pool: &ExprPool, bodies: &[ExprId], variable: SymbolId) -> Vec<ExprId> {
    let mut roots = Vec::new();
    for id in pool.below(bodies) {
        let View::Product { factors, .. } = pool.view(id) else { continue };
        let halves = factors.iter().filter(|f| is_half(pool, f.1) && pool.moves(f.0, variable));
        roots.extend(halves.map(|f| f.0));
    }
    roots.sort_unstable();
    roots.dedup();
    roots
}

/// The forms in integrands near whose least norm these are not smooth: w of √(w·w), |w| and sign w.
fn forms(pool: &ExprPool, bodies: &[ExprId], variable: SymbolId) -> Vec<Form> {
    let mut forms: Vec<Form> = Vec::new();
    for id in pool.below(bodies) {
        let components = match pool.view(id) {
            View::Product { factors, .. } => factors
                .iter()
                .filter(|(_, exponent)| is_half(pool, *exponent))
                .map(|(base, _)| squares(pool, *base))
                .collect(),
            View::Call(function, &[argument]) if function.has_corner() => {
                vec![Some(vec![Component::Whole(argument)])]
            }
            _ => Vec::new(),
        };
        for components in components.into_iter().flatten() {
            let form = affine_form(pool, components, variable);
            forms.extend(form.filter(|form| !forms.contains(form)));
        }
    }
    forms
}

fn is_half(pool: &ExprPool, exponent: ExprId) -> bool {
    pool.as_number(exponent).is_some_and(|n| {
        n.as_integer().is_none() && n.mul(&Rational::integer(2)).as_integer().is_some()
    })
}

/// w with w·w the expression: each term a positive number times even powers, or free of velocities'
/// signs altogether: then its root.
fn squares(pool: &ExprPool, expr: ExprId) -> Option<Vec<Component>> {
    let square = |c: &Rational, e: ExprId| -> Option<Component> {
        if c.is_negative() {
            return None;
        }
        if e == ExprPool::ONE {
            return Some(Component::Product(c.clone(), Vec::new()));
        }
        let View::Product { coefficient, factors } = pool.view(e) else { return None };
        let c = c.mul(pool.as_number(coefficient)?);
        let halved = factors.iter().map(|&(base, exponent)| {
            let n = pool.as_number(exponent)?.as_integer()?;
            (n % 2 == 0).then(|| (base, Rational::integer(n / 2)))
        });
        let halved = halved.collect::<Option<Vec<_>>>()?;
        // An exponent that is not in the pool stands in no node: only squares are looked at.
        let once = halved.iter().all(|(_, n)| n.is_one());
        let factors = halved.into_iter().map(|(base, _)| (base, ExprPool::ONE)).collect();
        (once && !c.is_negative()).then_some(Component::Product(c, factors))
    };
    match pool.view(expr) {
        View::Sum(terms) => terms.iter().map(|&(c, e)| square(pool.as_number(c)?, e)).collect(),
        _ => square(&Rational::ONE, expr).map(|component| vec![component]),
    }
}

/// The form, if it is affine in the variable and in those of the integrals within.
fn affine_form(pool: &ExprPool, components: Vec<Component>, variable: SymbolId) -> Option<Form> {
    let expressions: Vec<ExprId> = components.iter().flat_map(expressions_of).collect();
    let symbols = pool.symbols_in(&expressions);
    if !symbols.contains(&variable) {
        return None;
    }
    let index = |s: SymbolId| match pool.symbol_info(s).kind {
        SymbolKind::Bound(k) => Some(k),
        _ => None,
    };
    let own = index(variable)?;
    // Variables of integrals around this one stand still.
    let nested: Vec<SymbolId> =
        symbols.into_iter().filter(|s| index(*s).is_some_and(|k| k < own)).collect();
    let moving: Vec<SymbolId> = nested.iter().copied().chain([variable]).collect();
    let affine = |component: &Component| match component {
        Component::Whole(e) => degree(pool, *e, &moving).is_some_and(|d| d <= 1),
        Component::Product(_, factors) => {
            let degrees = factors.iter().map(|f| degree(pool, f.0, &moving));
            degrees.sum::<Option<usize>>().is_some_and(|d| d <= 1)
        }
    };
    components.iter().all(affine).then_some(Form { components, nested })
}

fn expressions_of(component: &Component) -> Vec<ExprId> {
    match component {
        Component::Whole(e) => vec![*e],
        Component::Product(_, factors) => factors.iter().map(|f| f.0).collect(),
    }
}

/// 0 for what is free of the variables, 1 for what is affine in them as it is written.
fn degree(pool: &ExprPool, expr: ExprId, variables: &[SymbolId]) -> Option<usize> {
    if !pool.contains(expr, |s| variables.contains(&s)) {
        return Some(0);
    }
    match pool.view(expr) {
        View::Symbol(_) => Some(1),
        View::Sum(terms) => terms
            .iter()
            .map(|(_, e)| degree(pool, *e, variables))
            .try_fold(0, |most, degree| degree.filter(|d| *d <= 1).map(|degree| most.max(degree))),
        View::Product { factors, .. } => {
            let degrees = factors.iter().map(|&(base, exponent)| {
                let plain = exponent == ExprPool::ONE || degree(pool, base, variables) == Some(0);
                let free = degree(pool, exponent, variables) == Some(0);
                (plain && free).then(|| degree(pool, base, variables)).flatten()
            });
            degrees.sum::<Option<usize>>().filter(|degree| *degree <= 1)
        }
        _ => None,
    }
}
