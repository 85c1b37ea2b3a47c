//! cos(a − b) and its like, where sin and cos of a and b are there.
//!
//! ```text
//! cos(a ± b) = cos a cos b ∓ sin a sin b        sin(a ± b) = sin a cos b ± cos a sin b
//! ```

use crate::node::{ExprId, Function, View};
use crate::number::Rational;
use crate::pool::ExprPool;
use rustc_hash::{FxHashMap, FxHashSet};

/// The roots with the sines and cosines of a ± b written in those of a and b, where both angles
/// stand in a sine or cosine of their own anywhere below the roots.
pub(in crate::program) fn split_angles(pool: &mut ExprPool, roots: &[ExprId]) -> Vec<ExprId> {
    let below = pool.below(roots);
    let angle_of = |id: &ExprId| match pool.view(*id) {
        View::Call(Function::Sin | Function::Cos, &[angle]) => Some(angle),
        _ => None,
    };
    let angles: FxHashSet<ExprId> = below.iter().filter_map(angle_of).collect();
    let mut images: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    for &id in &below {
        let View::Call(function @ (Function::Sin | Function::Cos), &[angle]) = pool.view(id) else {
            continue;
        };
        let Some((a, b, minus)) = parts(pool, angle) else { continue };
        if angles.contains(&a) && angles.contains(&b) {
            let image = expanded(pool, function, a, b, minus);
            images.insert(id, image);
        }
    }
    if images.is_empty() {
        return roots.to_vec();
    }
    let mut done: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    for id in below {
        let image = images.get(&id).copied();
        let image = image.unwrap_or_else(|| pool.rebuilt(id, |child| done[&child]));
        done.insert(id, image);
    }
    roots.iter().map(|root| done[root]).collect()
}

/// a, b and whether it is a − b; the sum may stand as −(a − b) only inside a sine that is odd.
fn parts(pool: &ExprPool, angle: ExprId) -> Option<(ExprId, ExprId, bool)> {
    let View::Sum(&[(c, a), (d, b)]) = pool.view(angle) else { return None };
    let (c, d) = (pool.as_number(c)?, pool.as_number(d)?);
    let one = |n: &Rational| n.abs().is_one();
    match (c.is_negative(), d.is_negative()) {
        _ if !one(c) || !one(d) || a == ExprPool::ONE || b == ExprPool::ONE => None,
        (false, minus) => Some((a, b, minus)),
        (true, false) => Some((b, a, true)),
        (true, true) => None,
    }
}

fn expanded(pool: &mut ExprPool, f: Function, a: ExprId, b: ExprId, minus: bool) -> ExprId {
    let mut at = |function, angle| pool.call(function, &[angle]);
    let (sin_a, cos_a) = (at(Function::Sin, a), at(Function::Cos, a));
    let (sin_b, cos_b) = (at(Function::Sin, b), at(Function::Cos, b));
    let (first, second, minus) = match f {
        Function::Cos => ([cos_a, cos_b], [sin_a, sin_b], !minus),
        _ => ([sin_a, cos_b], [cos_a, sin_b], minus),
    };
    let (first, second) = (pool.product_of(&first), pool.product_of(&second));
    if minus { pool.sub(first, second) } else { pool.add(first, second) }
}
