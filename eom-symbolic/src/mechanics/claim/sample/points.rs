//! Points at which expressions are compared: for print, where no constraint is used.
//!
//! Three are fixed, near 1. Where the equations have functions that are others elsewhere, that is not enough: |x| is x
//! there, and a ramp from 5 to 6 is 0. Then states are added as claims are decided at: nearby with all signs, far away, and
//! at which a function acts.

use super::{Functions, Sample, Sampler, elsewhere};
use crate::eval::{Estimate, Sweep};
use crate::mechanics::system::SystemModel;
use crate::node::{ExprId, SymbolId};
use crate::pool::ExprPool;
use crate::simplify;

/// The points that are fixed.
const FIXED: usize = 3;

/// States nearby, where there are others.
const NEARBY: usize = 6;

/// States of each other kind.
const ELSEWHERE: usize = 2;

const SEED: u64 = 0x9017;

/// Values that differ by less than so many roundings are equal.
const ROUNDINGS: f64 = 1e4;

/// The rounding of a value beyond this part of it tells nothing.
const BLURRED: f64 = 1e-6;

/// The points.
#[derive(Debug, Clone, Default)]
pub(crate) struct Points(Vec<Sample>);

impl Points {
    /// Those for expressions that are made of some.
    pub(crate) fn new(model: &SystemModel, roots: &[ExprId]) -> Self {
        // Integrals within integrals take too long to look for where they act.
        let nests = roots.iter().any(|root| model.pool.binders(*root) > 1);
        if nests || !model.pool.has_branches(roots) {
            return Self::default();
        }
        let functions = Functions::none(model);
        let mut near = Sampler::new(model, &functions, SEED);
        let mut others = elsewhere(model, &functions, roots, SEED);
        let nearby = (0..NEARBY).map(|_| near.free());
        let drawn = others.iter_mut().flat_map(|of| (0..ELSEWHERE).map(|_| of.free()));
        Self(nearby.chain(drawn.collect::<Vec<_>>()).flatten().collect())
    }

    /// The values of expressions at each of them; symbols beyond the model's have the values that `known` gives.
    pub(crate) fn values(
        &self,
        pool: &ExprPool,
        roots: &[ExprId],
        known: impl Fn(SymbolId, usize) -> Option<Estimate>,
    ) -> Vec<Vec<Estimate>> {
        let sweep = Sweep::new(pool, roots);
        let mut all = vec![Vec::with_capacity(FIXED + self.0.len()); roots.len()];
        for point in 0..FIXED + self.0.len() {
            let symbol = |symbol| match known(symbol, point) {
                Some(value) => value,
                None => self.symbol(pool, point, symbol),
            };
            let values = sweep.run(pool, &symbol, &|_, _| f64::NAN);
            all.iter_mut().zip(values).for_each(|(of_root, value)| of_root.push(value));
        }
        all
    }

    fn symbol(&self, pool: &ExprPool, point: usize, symbol: SymbolId) -> Estimate {
        let kind = pool.symbol_info(symbol).kind;
        let drawn = point.checked_sub(FIXED).and_then(|at| self.0.get(at));
        match drawn.map(|sample| sample.value(kind)).filter(|value| value.is_finite()) {
            Some(value) => Estimate::exact(value),
            None => simplify::at_point(pool, point as u64, symbol),
        }
    }

    /// Whether an expression vanishes at all points.
    pub(crate) fn vanishes(&self, pool: &ExprPool, e: ExprId) -> bool {
        e == ExprPool::ZERO || self.values(pool, &[e], |_, _| None).iter().all(|v| vanish(v))
    }
}

/// Whether values at the points are 0: at the fixed ones, and where else there are values.
pub(crate) fn vanish(values: &[Estimate]) -> bool {
    let differs = |v: &Estimate| v.value.abs() > ROUNDINGS * f64::EPSILON * v.size;
    let is_known = |v: &Estimate| !v.value.is_nan();
    values.iter().take(FIXED).all(is_known) && !values.iter().any(differs)
}

/// Whether values at the points tell anything.
pub(crate) fn are_clear(values: &[Estimate]) -> bool {
    let is_clear = |v: &Estimate| {
        v.value.is_finite() && ROUNDINGS * f64::EPSILON * v.size <= BLURRED * v.value.abs()
    };
    values.iter().take(FIXED).all(is_clear)
}

/// Whether values that are numbers are the same to their roundings, or with a sign −1 those of one the negatives of the other.
pub(crate) fn agree(a: &[Estimate], b: &[Estimate], sign: f64) -> bool {
    a.iter().zip(b).all(|(a, b)| {
        let differs = |bound: f64| (a.value - sign * b.value).abs() > bound;
        !differs(ROUNDINGS * f64::EPSILON * (a.size + b.size))
    })
}
