//! The squares and products of forms that L is made of.

use super::form::{Coupling, Form, Rates};
use super::sums::Sums;
use super::tree::Tree;
use crate::mechanics::SystemModel;
use crate::node::{ExprId, View};
use crate::pool::{ExprPool, Pair};
use eom_elementary::order;

/// The terms of L: squares and products of forms, and the others.
#[derive(Debug, Default)]
pub(super) struct Squares {
    /// w, u and the factor of w u.
    pub(super) found: Vec<(ExprId, ExprId, ExprId)>,
    rest: Vec<ExprId>,
}

impl Squares {
    /// Those of L, of sums that are forms.
    pub(super) fn of(
        model: &mut SystemModel,
        is_form: &mut dyn FnMut(&mut SystemModel, ExprId) -> bool,
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
        is_form: &mut dyn FnMut(&mut SystemModel, ExprId) -> bool,
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
        is_form: &mut dyn FnMut(&mut SystemModel, ExprId) -> bool,
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
    pub(super) fn into_sums(
        mut self,
        model: &mut SystemModel,
    ) -> Option<(Vec<Form>, Vec<Coupling>)> {
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
    pub(super) fn into_forms(
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
