//! A function whose level sets an integrable row keeps, where it is easily found: for the words of
//! a message.
//!
//! With an integrating factor 1, 1/a_i or 1/(a_i a_j) the form Σ a_i ds_i is tried as exact: f is
//! built up symbol by symbol, f ← f + ∫ (a_i − ∂f/∂s_i) ds_i, from terms that are powers, sines,
//! cosines and exponentials of forms linear in s_i.

use crate::diff::Tangent;
use crate::mechanics::linear::dot;
use crate::mechanics::system::SystemModel;
use crate::node::{ExprId, Function, SymbolId, View};
use crate::number::Rational;
use crate::pool::ExprPool;
use crate::simplify::{self, Simplifier};

/// The most components of a form that is tried with factors.
const FACTORS_MAX: usize = 6;

/// The function of a row.
pub(super) fn function(
    model: &mut SystemModel,
    declared: &SystemModel,
    row: usize,
) -> Option<ExprId> {
    let form = on_coordinates(model, declared, row)?;
    let mut simplifier = Simplifier::default();
    let pool = &mut model.pool;
    let parts: Vec<(SymbolId, ExprId)> = form
        .into_iter()
        .map(|(symbol, entry)| (symbol, simplifier.simplify(pool, entry)))
        .collect();
    let held: Vec<ExprId> =
        parts.iter().map(|(_, entry)| *entry).filter(|entry| *entry != ExprPool::ZERO).collect();
    let mut factors = vec![ExprPool::ONE];
    if held.len() <= FACTORS_MAX {
        let inverses: Vec<ExprId> =
            held.iter().map(|entry| pool.div(ExprPool::ONE, *entry)).collect();
        factors.extend(&inverses);
        for (i, a) in inverses.iter().enumerate() {
            for b in &inverses[i + 1..] {
                factors.push(pool.mul(*a, *b));
            }
        }
    }
    factors.into_iter().find_map(|factor| {
        let scaled = parts.iter().map(|&(symbol, entry)| {
            let entry = pool.mul(entry, factor);
            (symbol, simplifier.simplify(pool, entry))
        });
        let scaled: Vec<(SymbolId, ExprId)> = scaled.collect();
        exact(pool, &scaled, &mut simplifier)
    })
}

/// Σ A_j θ^j + b dt as Σ a_i dq_i + b dt; `None` for rotations.
fn on_coordinates(
    model: &mut SystemModel,
    declared: &SystemModel,
    row: usize,
) -> Option<Vec<(SymbolId, ExprId)>> {
    let row = &declared.rows[row];
    let n = declared.coordinates.len();
    if row.coefficients[n..].iter().any(|entry| *entry != ExprPool::ZERO) {
        return None;
    }
    let entries = match &declared.kinematics {
        None => row.coefficients.clone(),
        Some(kinematics) => {
            let column =
                |i: usize| -> Vec<ExprId> { kinematics.forms.iter().map(|form| form[i]).collect() };
            let pool = &mut model.pool;
            (0..n).map(|i| dot(pool, &row.coefficients[..n], &column(i))).collect()
        }
    };
    let positions = declared.coordinates.iter().map(|c| c.position);
    Some(positions.zip(entries).chain([(declared.time, row.affine)]).collect())
}

/// f with df = Σ a_i ds_i; what has no part in the form has none in f.
fn exact(
    pool: &mut ExprPool,
    form: &[(SymbolId, ExprId)],
    simplifier: &mut Simplifier,
) -> Option<ExprId> {
    let mut f = ExprPool::ZERO;
    for (symbol, entry) in form.iter().filter(|(_, entry)| *entry != ExprPool::ZERO) {
        let known = Tangent::partial(*symbol).derivative(pool, f);
        let rest = pool.sub(*entry, known);
        let rest = simplifier.simplify(pool, rest);
        let part = antiderivative(pool, rest, *symbol)?;
        f = pool.add(f, part);
    }
    for (symbol, entry) in form {
        let slope = Tangent::partial(*symbol).derivative(pool, f);
        let difference = pool.sub(slope, *entry);
        if simplify::is_zero(pool, difference) != Some(true) {
            return None;
        }
    }
    Some(simplifier.simplify(pool, f))
}

/// ∫ e ds, term by term.
fn antiderivative(pool: &mut ExprPool, e: ExprId, s: SymbolId) -> Option<ExprId> {
    let terms = match pool.view(e) {
        View::Sum(terms) => terms.to_vec(),
        _ => vec![(ExprPool::ONE, e)],
    };
    let mut parts = Vec::new();
    for (c, term) in terms {
        parts.push((c, of_term(pool, term, s)?));
    }
    Some(pool.sum(&parts))
}

/// ∫ of a product with at most one factor in which s occurs.
fn of_term(pool: &mut ExprPool, term: ExprId, s: SymbolId) -> Option<ExprId> {
    let (coefficient, factors) = match pool.view(term) {
        View::Product { coefficient, factors } => (coefficient, factors.to_vec()),
        _ => (ExprPool::ONE, vec![(term, ExprPool::ONE)]),
    };
    let (moving, free): (Vec<_>, Vec<_>) = factors
        .into_iter()
        .partition(|(base, exponent)| depends(pool, *base, s) || depends(pool, *exponent, s));
    let free = pool.product(coefficient, &free);
    let part = match moving[..] {
        [] => pool.symbol_expr(s),
        [(base, exponent)] => of_factor(pool, (base, exponent), s)?,
        _ => return None,
    };
    Some(pool.mul(free, part))
}

/// ∫ uⁿ ds = uⁿ⁺¹/((n + 1)u′), and of the functions with a known one, u linear in s.
fn of_factor(
    pool: &mut ExprPool,
    (base, exponent): (ExprId, ExprId),
    s: SymbolId,
) -> Option<ExprId> {
    if let (View::Call(function, &[u]), ExprPool::ONE) = (pool.view(base), exponent) {
        let slope = linear_slope(pool, u, s)?;
        let (sign, primitive) = function.description()?.primitive?;
        let primitive = pool.call(primitive, &[u]);
        let sign = pool.integer(sign);
        let primitive = pool.mul(sign, primitive);
        return Some(pool.div(primitive, slope));
    }
    let slope = linear_slope(pool, base, s)?;
    let n = pool.as_number(exponent)?.clone();
    if n == Rational::new(-1, 1)? {
        let ln = pool.call(Function::Ln, &[base]);
        return Some(pool.div(ln, slope));
    }
    let next = n.add(&Rational::ONE);
    let next = pool.number(&next);
    let power = pool.pow(base, next);
    let divisor = pool.mul(next, slope);
    Some(pool.div(power, divisor))
}

/// ∂u/∂s where it is free of s.
fn linear_slope(pool: &mut ExprPool, u: ExprId, s: SymbolId) -> Option<ExprId> {
    let slope = Tangent::partial(s).derivative(pool, u);
    (!depends(pool, slope, s)).then_some(slope)
}

fn depends(pool: &ExprPool, e: ExprId, s: SymbolId) -> bool {
    pool.contains(e, |symbol| symbol == s)
}
