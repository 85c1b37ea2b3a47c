//! What changes the energy h(t,q,v) = v·∂L/∂v − L along a motion, line by line of the declaration.
//!
//! With M v̇ + h_b = F + Aᵀλ, the equations of motion in the speeds v,
//!
//! ```text
//! dh/dt = v·(M v̇ + h_b) − ∂L/∂t = F·v + λ·A v − ∂L/∂t
//! ```
//!
//! since Hamel's terms do no work, Σ c_ij^k v_i v_j p_k = 0, and S, q̇ = S v, is free of t. On the
//! constraints A v = −b. The powers here are those of F = Σ forces − Σ ∂D_d/∂v, one a line, and
//! −∂L/∂t; those of λ, of contacts and of the point terms of dry friction are sums of what the
//! run time knows.

use crate::diff::Tangent;
use crate::mechanics::friction;
use crate::mechanics::system::SystemModel;
use crate::mechanics::system::contact::Resisted;
use crate::mechanics::system::declared::LineKind;
use crate::node::{ExprId, SymbolKind};
use crate::pool::ExprPool;
use crate::subst::Substitution;

/// What a power is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PowerKind {
    /// A `force` line without inputs.
    Force,
    /// A `force` line with inputs.
    Input,
    /// A smooth term of the dissipation.
    Dissipation,
    /// −∂L/∂t.
    Time,
}

/// A power P = P₀ + Σ Pⱼ λⱼ, λⱼ the forces of a mode that `force` lines hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Power {
    /// The name of the line; empty for −∂L/∂t.
    pub name: String,
    /// What it is of.
    pub kind: PowerKind,
    /// P₀.
    pub value: ExprId,
    /// Pⱼ, k of them, then those of the c normal forces, and where some line holds a force of friction, those of all of these in
    /// the order of [`SystemModel::force_place`]; empty where no force holds one.
    pub reactions: Vec<ExprId>,
}

/// The powers of a model's lines that are not 0, and −∂L/∂t where L depends on time.
pub fn powers(model: &mut SystemModel) -> Vec<Power> {
    let mut powers = Vec::new();
    let velocities = model.velocities();
    for line in model.lines.clone() {
        let (kind, value) = match &line.kind {
            LineKind::Force(parts) => {
                let v = |speed: usize| velocities[speed];
                let terms: Vec<_> = parts.iter().map(|&(speed, part)| (v(speed), part)).collect();
                (kind_of_force(&model.pool, parts), along(&mut model.pool, &terms))
            }
            LineKind::Dissipation(term) => {
                let Some(smooth) = friction::smooth_part(model, *term) else { continue };
                (PowerKind::Dissipation, dissipated(model, smooth))
            }
        };
        if value != ExprPool::ZERO {
            powers.push((line.name, kind, value));
        }
    }
    let slope = model.pool.gradient(model.lagrangian, &[model.time])[0];
    if slope != ExprPool::ZERO {
        powers.push((String::new(), PowerKind::Time, model.pool.neg(slope)));
    }
    let bears = |contact: usize| !model.contacts[contact].borne.is_empty();
    let rows = (0..model.rows.len()).map(|row| model.pool.find_symbol(SymbolKind::Multiplier(row)));
    let normal = |contact| model.pool.find_symbol(SymbolKind::ContactForce(contact));
    let normal =
        (0..model.contacts.len()).map(|contact| normal(contact).filter(|_| bears(contact)));
    let mut multipliers: Vec<_> = rows.chain(normal).collect();
    multipliers.extend(frictions(model));
    powers.into_iter().map(|power| without_multipliers(model, &multipliers, power)).collect()
}

/// The symbols of the forces of friction by their places, where some line holds one of them.
fn frictions(model: &SystemModel) -> Vec<Option<crate::SymbolId>> {
    let mut kinds = Vec::new();
    for contact in 0..model.contacts.len() {
        kinds.extend((0..Resisted::PLACES).map(|i| SymbolKind::ContactFriction(contact, i)));
    }
    for of in &model.row_frictions {
        kinds.extend((0..of.friction.slip.len()).map(|i| SymbolKind::RowFriction(of.row, i)));
    }
    let of_contacts = model.contacts.iter().flat_map(|contact| &contact.frictions);
    let mut all = of_contacts.chain(model.row_frictions.iter().map(|of| &of.friction));
    if all.all(|friction| friction.borne.is_empty()) {
        return Vec::new();
    }
    kinds.into_iter().map(|kind| model.pool.find_symbol(kind)).collect()
}

/// Σ vⱼ Fⱼ.
fn along(pool: &mut ExprPool, parts: &[(crate::SymbolId, ExprId)]) -> ExprId {
    let mut terms = Vec::with_capacity(parts.len());
    for (velocity, part) in parts {
        let v = pool.symbol_expr(*velocity);
        terms.push((ExprPool::ONE, pool.mul(*part, v)));
    }
    pool.sum(&terms)
}

fn kind_of_force(pool: &ExprPool, parts: &[(usize, ExprId)]) -> PowerKind {
    let input = |symbol| matches!(pool.symbol_info(symbol).kind, SymbolKind::Input(_));
    let driven = parts.iter().any(|(_, part)| pool.contains(*part, input));
    if driven { PowerKind::Input } else { PowerKind::Force }
}

/// −∂D/∂v·v, one forward sweep along v.
fn dissipated(model: &mut SystemModel, dissipation: ExprId) -> ExprId {
    let velocities = model.velocities();
    let pool = &mut model.pool;
    let seeds: Vec<_> = velocities.into_iter().map(|v| (v, pool.symbol_expr(v))).collect();
    let slope = Tangent::new(seeds).derivative(pool, dissipation);
    pool.neg(slope)
}

/// P₀ = P at λ = 0 and Pⱼ = ∂P/∂λⱼ; the symbols of λ are there where a force holds one.
fn without_multipliers(
    model: &mut SystemModel,
    multipliers: &[Option<crate::SymbolId>],
    (name, kind, value): (String, PowerKind, ExprId),
) -> Power {
    let symbols = || multipliers.iter().flatten().copied();
    if symbols().next().is_none() {
        return Power { name, kind, value, reactions: Vec::new() };
    }
    let pool = &mut model.pool;
    let slope = |symbol: &Option<crate::SymbolId>| match symbol {
        Some(symbol) => Tangent::partial(*symbol).derivative(pool, value),
        None => ExprPool::ZERO,
    };
    let reactions = multipliers.iter().map(slope).collect();
    let mut at_zero = Substitution::new(symbols().map(|symbol| (symbol, ExprPool::ZERO)));
    Power { name, kind, value: at_zero.apply(pool, value), reactions }
}
