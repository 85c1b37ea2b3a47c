//! Declared functions in claims: a claim holds for every smooth f, so at a state the values of f
//! and of its partials, its *jet* there, are free numbers.
//!
//! ```text
//! f(x, y), f_x(x, y), f(x + a, y), …        →        one symbol each
//! ```
//!
//! Two calls are one number where function, orders and arguments (in simplest form) agree; equal
//! mixed partials are one call already. Whoever decides claims then has symbols only, some of which
//! [`SymbolKind::Jet`] marks: they are drawn at random, and conditions may set them. Where a claim fails
//! that holds two points which are written differently, f(x) and f(a) where x = a is a
//! constraint, `coincident.rs` asks whether they are one.

use crate::mechanics::lagrange::equations::EquationsOfMotion;
use crate::mechanics::system::SystemModel;
use crate::node::{ExprId, Function, SymbolKind, View};
use crate::pool::ExprPool;
use crate::print::{self, Names};
use crate::simplify::Simplifier;
use rustc_hash::FxHashMap;

/// Replaces the calls of declared functions in expressions of one pool, and remembers.
#[derive(Debug, Default)]
pub struct Jets {
    known: FxHashMap<ExprId, ExprId>,
    simplifier: Simplifier,
}

impl Jets {
    /// The expression with each call of a declared function replaced by its symbol.
    pub fn apply(&mut self, pool: &mut ExprPool, expr: ExprId) -> ExprId {
        if !pool.has_functions() {
            return expr;
        }
        for id in pool.below(&[expr]) {
            if !self.known.contains_key(&id) {
                let image = self.image(pool, id);
                self.known.insert(id, image);
            }
        }
        self.known[&expr]
    }

    /// Replaces the functions in a system, for whoever decides its claims. The pool is apart. The
    /// claims' motions keep theirs, since they are yet to be differentiated.
    pub fn free(
        &mut self,
        pool: &mut ExprPool,
        model: &mut SystemModel,
        equations: &mut EquationsOfMotion,
    ) {
        model.for_expressions(&mut |e| *e = self.apply(pool, *e));
        equations.for_expressions(&mut |e| *e = self.apply(pool, *e));
    }

    fn image(&mut self, pool: &mut ExprPool, id: ExprId) -> ExprId {
        let call = pool.rebuilt(id, |child| self.known[&child]);
        let View::Call(function @ Function::Declared(_), arguments) = pool.view(call) else {
            return call;
        };
        let arguments = arguments.to_vec();
        let simple: Vec<ExprId> =
            arguments.iter().map(|a| self.simplifier.simplify(pool, *a)).collect();
        let call = pool.call(function, &simple);
        // The names of a `let` are not put back here: the call is named as it stands.
        let name = print::unicode(pool, call, &Names::default());
        let symbol = pool.symbol(SymbolKind::Jet(call.index()), &name);
        pool.symbol_expr(symbol)
    }
}
