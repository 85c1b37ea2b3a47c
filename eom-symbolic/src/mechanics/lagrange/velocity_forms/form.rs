//! A form: what a sum of velocities is made of, term by term.

use crate::diff::Tangent;
use crate::mechanics::SystemModel;
use crate::node::{ExprId, SymbolKind, View};
use crate::pool::{ExprPool, Pair};

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
    pub(super) fn on(parent: Option<Variable>, inertia: ExprId) -> Self {
        // First, so that what is added to it is added last: the chain waits for that.
        let terms = parent.map(|parent| (parent, ExprPool::ONE)).into_iter().collect();
        Self { terms, rate: ExprPool::ZERO, inertia }
    }

    /// Adds terms; `None` where a sum within them has no variable.
    pub(super) fn extend(
        &mut self,
        model: &mut SystemModel,
        rates: &mut Rates,
        terms: &[Pair],
        inner: &dyn Fn(ExprId) -> Option<Variable>,
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
    pub(super) fn add(&mut self, pool: &mut ExprPool, variable: Variable, (c, coefficient): Pair) {
        match self.terms.iter_mut().find(|(known, _)| *known == variable) {
            Some((_, known)) => *known = pool.sum(&[(ExprPool::ONE, *known), (c, coefficient)]),
            None => self.terms.push((variable, pool.scale(c, coefficient))),
        }
    }
}

/// What gives the r of forms.
#[derive(Debug)]
pub(super) enum Rates {
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

/// What of a term is of degree 1 in the velocities.
#[derive(Debug, Clone, Copy)]
pub(super) enum Carrier {
    /// A speed.
    Speed(usize),
    /// A sum.
    Inner(ExprId),
    /// Nothing: the term is free of velocities.
    None,
}

/// `None` where a term is not read as a product of something free of velocities and a carrier.
pub(super) fn carrier(pool: &ExprPool, term: ExprId) -> Option<Carrier> {
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
