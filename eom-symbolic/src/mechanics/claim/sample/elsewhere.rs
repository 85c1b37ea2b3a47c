//! Samplers of states that are not nearby: far away, and where functions act.

use super::focus::{Focus, focuses};
use super::{Functions, Sampler};
use crate::mechanics::system::SystemModel;
use crate::node::ExprId;

/// Samplers of states far away, then of those at which a function of the equations, or of some expressions, acts; none where all
/// of them are as they are nearby.
pub(crate) fn elsewhere<'m>(
    model: &'m SystemModel,
    functions: &'m Functions,
    roots: &[ExprId],
    seed: u64,
) -> Vec<Sampler<'m>> {
    if !functions.have_branches && !model.pool.has_branches(roots) {
        return Vec::new();
    }
    let own = focuses(&model.pool, roots);
    let own = own.into_iter().filter(|focus| !functions.focuses.contains(focus));
    let all: Vec<Focus> = functions.focuses.iter().copied().chain(own).collect();
    let focused = |focuses: Vec<Focus>| Sampler { focuses, ..Sampler::new(model, functions, seed) };
    let mut samplers = vec![Sampler::far(model, functions, seed)];
    samplers.extend(all.iter().map(|focus| focused(vec![*focus])));
    // A product of two acts where both do.
    let others = |focus: &&Focus| focus.argument != all[0].argument;
    if all.iter().any(|focus| others(&focus)) {
        samplers.push(focused(all));
    }
    samplers
}
