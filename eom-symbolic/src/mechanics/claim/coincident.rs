//! Values of declared functions at points that coincide where a claim is made: f(√x²) is f(|x|), and with x = 0, f(x) is f(0).
//!
//! [`Jets`](super::jets::Jets) makes a symbol of each way in which a point is written. Two of one function and one order are one
//! number where the claim is made if the differences of their points follow there, as a claim does.

use crate::mechanics::system::{Condition, SystemModel};
use crate::node::{ExprId, Function, SymbolId, SymbolKind, View};

/// More pairs of points than a claim has.
const PAIRS_MAX: usize = 256;

/// A value of a declared function: its symbol, the function with the orders, the point.
struct Value {
    symbol: SymbolId,
    function: Function,
    point: Vec<ExprId>,
}

/// Equations between the values of functions that are one number where a claim is made under conditions. `vanish` says
/// whether differences do there, under more conditions.
pub(super) fn coincident(
    model: &mut SystemModel,
    (residuals, when): (&[ExprId], &[Condition]),
    vanish: &impl Fn(&mut SystemModel, &[ExprId], &[Condition]) -> bool,
) -> Vec<Condition> {
    let values = values(model);
    let alike =
        |one: &Value| values.iter().filter(|value| value.function == one.function).count() > 1;
    if !values.iter().any(alike) {
        return Vec::new();
    }
    let held = when.iter().flat_map(|condition| &condition.residuals);
    let mut asked: Vec<ExprId> = residuals.iter().chain(held).copied().collect();
    // The point of a value may hold another value, which stands before it.
    for value in values.iter().rev() {
        if model.pool.symbols_in(&asked).contains(&value.symbol) {
            asked.extend(&value.point);
        }
    }
    let asked = model.pool.symbols_in(&asked);
    let mut pairs: Vec<(&Value, &Value)> = Vec::new();
    for (index, one) in values.iter().enumerate() {
        let others = values[..index].iter().filter(|other| other.function == one.function);
        pairs.extend(others.map(|other| (other, one)));
    }
    let others = |pair: &(&Value, &Value)| {
        [pair.0, pair.1].iter().filter(|value| !asked.contains(&value.symbol)).count()
    };
    pairs.retain(|pair| others(pair) < 2);
    pairs.sort_by_key(others);
    pairs.truncate(PAIRS_MAX);
    let mut all = when.to_vec();
    loop {
        let before = pairs.len();
        pairs.retain(|(one, other)| {
            let points = one.point.iter().zip(&other.point);
            let apart: Vec<ExprId> = points.map(|(a, b)| model.pool.sub(*a, *b)).collect();
            let is_one = vanish(model, &apart, &all);
            if is_one {
                let [a, b] = [one, other].map(|value| model.pool.symbol_expr(value.symbol));
                let residuals = vec![model.pool.sub(a, b)];
                all.push(Condition { residuals, text: String::new() });
            }
            !is_one
        });
        if pairs.len() == before {
            return all.split_off(when.len());
        }
    }
}

/// The values that there are.
fn values(model: &SystemModel) -> Vec<Value> {
    let kinds = model.pool.symbols().iter().map(|symbol| symbol.kind).enumerate();
    let value = |(symbol, kind): (usize, SymbolKind)| {
        let SymbolKind::Jet(call) = kind else { return None };
        let View::Call(function, point) = model.pool.view(ExprId(call as u32)) else { return None };
        Some(Value { symbol: SymbolId(symbol as u32), function, point: point.to_vec() })
    };
    kinds.filter_map(value).collect()
}
