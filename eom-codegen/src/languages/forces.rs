//! Forces that the declared outputs and guards hold: λ and friction, which follow from what is closed. No state tells them, so who
//! asks for outputs or guards gives them, in one order for both.

use crate::pipeline::Derivation;
use eom_symbolic::program::Kernel;
use eom_symbolic::{ExprId, SymbolId};

/// Those of both, in the order in which they are given.
fn held(derivation: &Derivation) -> Vec<SymbolId> {
    let mut held: Vec<(usize, SymbolId)> = held_by(derivation, Kernel::Outputs);
    held.extend(held_by(derivation, Kernel::Guards));
    held.sort_unstable();
    held.dedup();
    held.into_iter().map(|(_, symbol)| symbol).collect()
}

/// Those of one of them, with their places among all forces of a motion.
fn held_by(derivation: &Derivation, kernel: Kernel) -> Vec<(usize, SymbolId)> {
    let model = &derivation.model;
    let values: Vec<ExprId> = match kernel {
        Kernel::Outputs => model.outputs.iter().map(|output| output.value).collect(),
        Kernel::Guards => model.events.iter().map(|event| event.guard).collect(),
        _ => Vec::new(),
    };
    let place = |symbol: SymbolId| model.force_place(model.pool.symbol_info(symbol).kind);
    let symbols = model.pool.symbols_in(&values).into_iter();
    symbols.filter_map(|symbol| Some((place(symbol)?, symbol))).collect()
}

/// Their names, where a kernel holds one.
pub(super) fn names(derivation: &Derivation, kernel: Kernel) -> Vec<String> {
    if held_by(derivation, kernel).is_empty() {
        return Vec::new();
    }
    let name = |symbol| derivation.model.pool.symbol_info(symbol).name.clone();
    held(derivation).into_iter().map(name).collect()
}

/// One of them, where a symbol is.
pub(super) fn force(derivation: &Derivation, symbol: SymbolId) -> Option<String> {
    let place = held(derivation).into_iter().position(|force| force == symbol)?;
    Some(format!("forces[{place}]"))
}
