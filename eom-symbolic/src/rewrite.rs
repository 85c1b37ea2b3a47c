//! Rewrites that keep an expression's shape and lower its cost.

use crate::node::{ExprId, Function, View};
use crate::pool::{ExprPool, Pair};
use rustc_hash::FxHashMap;

/// c·x·sin²a + c·x·cos²a → c·x, in a sum, as often as it applies; deeper nodes are left alone.
pub fn pythagoras(pool: &mut ExprPool, expr: ExprId) -> ExprId {
    let mut expr = expr;
    while let View::Sum(terms) = pool.view(expr) {
        if !terms.iter().any(|(_, e)| has_square(pool, *e)) {
            break;
        }
        let terms = terms.to_vec();
        let Some(merged) = merge_one_pair(pool, &terms) else { break };
        expr = pool.sum(&merged);
    }
    expr
}

/// Finds all pairs of one pass; `None` where there is none.
fn merge_one_pair(
    pool: &mut ExprPool,
    terms: &[(ExprId, ExprId)],
) -> Option<Vec<(ExprId, ExprId)>> {
    // (angle, rest of the product, coefficient) → (position, function)
    let mut seen: FxHashMap<(ExprId, ExprId, ExprId), (usize, Function)> = FxHashMap::default();
    let mut merged = terms.to_vec();
    // A term takes part in one merge a pass: after it, the keys under which it was seen are stale.
    let mut used = vec![false; terms.len()];
    for (position, &(c, e)) in terms.iter().enumerate() {
        for (function, angle, rest) in squares_in(pool, e) {
            match seen.get(&(angle, rest, c)).copied() {
                Some((other, partner))
                    if partner != function && !used[other] && !used[position] =>
                {
                    merged[other] = (c, rest);
                    merged[position].0 = ExprPool::ZERO;
                    (used[other], used[position]) = (true, true);
                }
                _ => {
                    seen.insert((angle, rest, c), (position, function));
                }
            }
        }
    }
    used.contains(&true).then_some(merged)
}

/// Whether sin²a or cos²a divides a product.
fn has_square(pool: &ExprPool, e: ExprId) -> bool {
    let View::Product { factors, .. } = pool.view(e) else { return false };
    factors.iter().any(|factor| square_of(pool, *factor).is_some())
}

/// The function and its angle, where a factor is sinⁿa or cosⁿa, n ≥ 2.
fn square_of(pool: &ExprPool, (base, exponent): Pair) -> Option<(Function, ExprId)> {
    if exponent == ExprPool::ONE {
        return None;
    }
    let View::Call(function @ (Function::Sin | Function::Cos), &[angle]) = pool.view(base) else {
        return None;
    };
    let n = pool.as_number(exponent).and_then(crate::Rational::as_integer)?;
    (n >= 2).then_some((function, angle))
}

/// Each sin²a or cos²a that divides a product, with its angle and the cofactor.
fn squares_in(pool: &mut ExprPool, e: ExprId) -> Vec<(Function, ExprId, ExprId)> {
    let View::Product { coefficient, factors } = pool.view(e) else { return Vec::new() };
    let factors = factors.to_vec();
    let mut squares = Vec::new();
    for (which, &factor) in factors.iter().enumerate() {
        if let Some((function, angle)) = square_of(pool, factor) {
            let mut rest = factors.clone();
            rest[which].1 = pool.sub(factor.1, ExprPool::TWO);
            squares.push((function, angle, pool.product(coefficient, &rest)));
        }
    }
    squares
}
