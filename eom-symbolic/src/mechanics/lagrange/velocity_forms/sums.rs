//! Forms in which others lie, wherever they stand.

use super::form::{Carrier, Form, Rates, Variable, carrier};
use crate::mechanics::SystemModel;
use crate::node::{ExprId, View};
use crate::pool::{ExprPool, Pair};
use rustc_hash::FxHashMap;

/// The forms of sums in which others lie as multiples: the sum c·(a + b) + d stands as c·a + c·b + d.
#[derive(Debug, Default)]
pub(super) struct Sums {
    pub(super) list: Vec<Form>,
    known: FxHashMap<ExprId, Variable>,
    /// The last term of each sum, and the sum: the younger the term is, the fewer hold it.
    last: Vec<(ExprId, ExprId)>,
}

impl Sums {
    /// The variable of a sum; `None` where a term has no form.
    pub(super) fn variable(&mut self, model: &mut SystemModel, sum: ExprId) -> Option<Variable> {
        if let Some(known) = self.known.get(&sum) {
            return Some(*known);
        }
        let View::Sum(terms) = model.pool.view(sum) else { return None };
        let mut rest = terms.to_vec();
        let last = rest.last()?.1;
        let mut form = Form::on(None, ExprPool::ZERO);
        for (_, term) in rest.clone().into_iter().rev() {
            // The longest first.
            for (_, other) in self.last.iter().rev().filter(|(last, _)| *last == term) {
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
        form.extend(model, &mut Rates::None, &rest, &inner)?;
        let variable = model.speeds.len() + self.list.len();
        self.list.push(form);
        self.known.insert(sum, variable);
        self.last.push((last, sum));
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
