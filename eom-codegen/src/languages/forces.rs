//! Forces that the declared outputs hold: λ and friction, which follow from what is closed. No state tells them, so who asks for
//! outputs gives them.

use crate::pipeline::Derivation;
use eom_symbolic::{ExprId, SymbolId};

/// Those, in the order in which they are given.
fn held(derivation: &Derivation) -> Vec<SymbolId> {
    let model = &derivation.model;
    let values: Vec<ExprId> = model.outputs.iter().map(|output| output.value).collect();
    let place = |symbol: SymbolId| model.force_place(model.pool.symbol_info(symbol).kind);
    let mut held: Vec<(usize, SymbolId)> = Vec::new();
    for symbol in model.pool.symbols_in(&values) {
        held.extend(place(symbol).map(|place| (place, symbol)));
    }
    held.sort_unstable();
    held.into_iter().map(|(_, symbol)| symbol).collect()
}

/// Their names.
pub(super) fn names(derivation: &Derivation) -> Vec<String> {
    let name = |symbol| derivation.model.pool.symbol_info(symbol).name.clone();
    held(derivation).into_iter().map(name).collect()
}

/// One of them, where a symbol is.
pub(super) fn force(derivation: &Derivation, symbol: SymbolId) -> Option<String> {
    let place = held(derivation).into_iter().position(|force| force == symbol)?;
    Some(format!("forces[{place}]"))
}
