//! M, the mass matrix: entry by entry, or as what it makes of a vector.
//!
//! The momenta p = ∂L/∂v of a tree of bodies are as long as the tree is, and so is M v. The entries of M are n², in
//! space about a hundred operations each. Where they are so many that nobody would compile them, M v is kept: column
//! j of M is M eⱼ, which loops of the run time find.

use crate::diff::Tangent;
use crate::mechanics::linear::dot;
use crate::mechanics::system::SystemModel;
use crate::node::{ExprId, SymbolId, SymbolKind, View};
use crate::pool::ExprPool;
use crate::rewrite::pythagoras;
use std::borrow::Cow;

/// Of M with more derivatives than these in the sweep that makes its entries the product is kept.
const DERIVATIVES_MAX: usize = 10_000;

/// M of no more speeds has entries: it is factored by straight-line code.
const UNROLLED_MAX: usize = 18;

/// M, n×n, symmetric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mass {
    /// M_ij.
    Entries(Vec<Vec<ExprId>>),
    /// M v.
    Product {
        /// n expressions, linear in the velocities.
        product: Vec<ExprId>,
        /// v.
        velocities: Vec<SymbolId>,
    },
}

impl Mass {
    /// M = ∂p/∂v of the momenta p.
    pub(in crate::mechanics) fn of(model: &mut SystemModel, momenta: &[ExprId]) -> Self {
        let velocities = model.velocities();
        let pool = &mut model.pool;
        if velocities.len() > UNROLLED_MAX
            && pool.derivatives_below(momenta, &velocities) > DERIVATIVES_MAX
            && let Some(product) = product(pool, momenta, &velocities)
        {
            return Self::Product { product, velocities };
        }
        Self::Entries(entries(pool, momenta, &velocities))
    }

    /// n.
    pub fn size(&self) -> usize {
        self.given().len()
    }

    /// Whether entries are kept.
    pub const fn has_entries(&self) -> bool {
        matches!(self, Self::Entries(_))
    }

    /// The entries that are kept; none where the product is.
    pub fn kept(&self) -> &[Vec<ExprId>] {
        match self {
            Self::Entries(entries) => entries,
            Self::Product { .. } => &[],
        }
    }

    /// M_ij, which are made where the product is kept.
    pub fn entries(&self, pool: &mut ExprPool) -> Cow<'_, [Vec<ExprId>]> {
        match self {
            Self::Entries(entries) => Cow::Borrowed(entries),
            Self::Product { product, velocities } => Cow::Owned(entries(pool, product, velocities)),
        }
    }

    /// What tells M, row by row: its entries, or the product.
    pub fn given(&self) -> Vec<&[ExprId]> {
        match self {
            Self::Entries(entries) => entries.iter().map(Vec::as_slice).collect(),
            Self::Product { product, .. } => product.iter().map(std::slice::from_ref).collect(),
        }
    }

    /// Whether M depends on v, as that of a general Lagrangian may.
    pub(crate) fn depends_on_velocities(&self, pool: &ExprPool) -> bool {
        let is_velocity = |symbol| matches!(pool.symbol_info(symbol).kind, SymbolKind::Velocity(_));
        pool.symbols_in(&self.kept().concat()).into_iter().any(is_velocity)
    }

    /// The same, to be changed.
    pub(crate) fn given_mut(&mut self) -> Vec<&mut ExprId> {
        match self {
            Self::Entries(entries) => entries.iter_mut().flatten().collect(),
            Self::Product { product, .. } => product.iter_mut().collect(),
        }
    }

    /// M x.
    pub(crate) fn times(&self, pool: &mut ExprPool, x: &[ExprId]) -> Vec<ExprId> {
        match self {
            Self::Entries(entries) => entries.iter().map(|row| dot(pool, row, x)).collect(),
            Self::Product { product, velocities } => along(pool, product, velocities, x),
        }
    }
}

/// ∂pᵢ/∂vⱼ, which are symmetric.
pub(in crate::mechanics) fn entries(
    pool: &mut ExprPool,
    momenta: &[ExprId],
    velocities: &[SymbolId],
) -> Vec<Vec<ExprId>> {
    pool.symmetric_jacobian(momenta, velocities, pythagoras)
}

/// M v; `None` where the momenta do not show that they are affine in v.
fn product(
    pool: &mut ExprPool,
    momenta: &[ExprId],
    velocities: &[SymbolId],
) -> Option<Vec<ExprId>> {
    if are_linear(pool, momenta, velocities) {
        return Some(momenta.to_vec());
    }
    let v: Vec<ExprId> = velocities.iter().map(|symbol| pool.symbol_expr(*symbol)).collect();
    let product = along(pool, momenta, velocities, &v);
    are_linear(pool, &product, velocities).then_some(product)
}

/// Whether expressions are homogeneous polynomials of degree 1 in v, as each of their nodes shows it.
fn are_linear(pool: &ExprPool, expressions: &[ExprId], velocities: &[SymbolId]) -> bool {
    let mask = velocities.iter().fold(0, |mask, symbol| mask | ExprPool::symbol_mask(*symbol));
    // What is free of v keeps 0.
    let mut degrees = vec![0_i64; pool.len()];
    for id in pool.postorder(expressions, mask) {
        if pool.holds_velocity(id) {
            let Some(degree) = degree(pool, id, &degrees) else { return false };
            degrees[id.index()] = degree;
        }
    }
    expressions.iter().all(|e| *e == ExprPool::ZERO || degrees[e.index()] == 1)
}

/// The degree of a node, from those of its children.
fn degree(pool: &ExprPool, id: ExprId, degrees: &[i64]) -> Option<i64> {
    let of = |e: ExprId| degrees[e.index()];
    match pool.view(id) {
        View::Symbol(_) => Some(1),
        View::Sum(terms) => {
            let first = of(terms.first()?.1);
            terms.iter().all(|(_, term)| of(*term) == first).then_some(first)
        }
        View::Product { factors, .. } => {
            let mut sum = 0_i64;
            for &(base, exponent) in factors {
                if pool.holds_velocity(base) || pool.holds_velocity(exponent) {
                    let power = pool.as_number(exponent)?.as_integer()?;
                    sum = sum.checked_add(of(base).checked_mul(power)?)?;
                    if power < 0 {
                        return None;
                    }
                }
            }
            Some(sum)
        }
        View::Number(_) | View::Undefined | View::Call(..) | View::Integral { .. } => None,
    }
}

/// Σ ∂e/∂vⱼ xⱼ.
fn along(
    pool: &mut ExprPool,
    expressions: &[ExprId],
    velocities: &[SymbolId],
    x: &[ExprId],
) -> Vec<ExprId> {
    let mut direction = Tangent::new(velocities.iter().copied().zip(x.iter().copied()));
    expressions.iter().map(|e| direction.derivative(pool, *e)).collect()
}
