//! Forms that begin alike: what they share is read off their sums as they stand.

use super::form::{Carrier, Form, Rates, Variable, carrier};
use crate::mechanics::SystemModel;
use crate::node::{ExprId, View};
use crate::pool::{ExprPool, Pair};
use rustc_hash::FxHashMap;

/// The forms by their terms: a node is the sum of the terms on the way to it.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    known: FxHashMap<(Option<usize>, Pair), usize>,
    /// The nodes of sums within terms.
    inner: FxHashMap<ExprId, usize>,
}

#[derive(Debug)]
pub(super) struct Node {
    before: Option<usize>,
    term: Pair,
    /// How many nodes follow it.
    followers: usize,
    /// Whether it is a whole sum.
    whole: bool,
    pub(super) inertia: ExprId,
}

impl Tree {
    /// The node of a sum.
    pub(super) fn insert(&mut self, pool: &ExprPool, sum: ExprId) -> Option<usize> {
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
    pub(super) fn into_forms(
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
            form.extend(model, &mut rates, &own, &inner)?;
            forms.push(form);
        }
        let is_chained = |form: &Form| form.terms.iter().any(|(variable, _)| *variable >= n);
        forms.iter().any(is_chained).then_some((variables, forms))
    }
}
