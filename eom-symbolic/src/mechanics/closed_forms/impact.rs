//! Closed forms of impacts, for display and claims.
//!
//! With S from [`reduce`](super::reduce), G = SᵀMS and n = ∇g S:
//!
//! ```text
//! K = S G⁻¹           w = K nᵀ            d = ∇g·w
//! P_A = I − K SᵀM     P = P_A + w (M w)ᵀ/d
//! v⁺ = v⁻ − (1+e)(ġ/d) w                      for v⁻ on the constraints
//! v⁺ = v⁻ − 2(ġ/d₀) w,  d₀ = ∇g M⁻¹ ∇gᵀ      the law `project`
//! v⁺ = v⁻ − 2(ġ/d₀) M⁻¹ ∇gᵀ                    the law `reflect`
//! ```
//!
//! P is the M-orthogonal projector on the rows of B = [A; ∇g]: P_A projects on those of A, and w
//! is ∇gᵀ raised by M⁻¹ and projected on ker A. `project` reflects on ∇g alone and projects on
//! ker A; since v⁻ is there already, only its jump is projected, to a multiple of w.

use super::omitted::{Omitted, check_entries};
use super::reduce::{Reduction, reduced_mass};
use crate::mechanics::lagrange::equations::{ContactEquations, EquationsOfMotion};
use crate::mechanics::linear::{dot, inverse, transposed};
use crate::mechanics::system::SystemModel;
use crate::mechanics::system::contact::{ImpactOf, Law};
use crate::node::ExprId;
use crate::pool::ExprPool;
use crate::simplify::Simplifier;

/// An entry of K or P_A may have this [`size`](crate::simplify::size).
const ENTRY_SIZE_MAX: usize = 800;

/// The metric part, one for all contacts of a system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metric {
    /// K = S G⁻¹, n×f.
    pub spread: Vec<Vec<ExprId>>,
    /// P_A, n×n.
    pub constrained: Vec<Vec<ExprId>>,
}

/// The closed forms of one contact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Impact {
    /// ∇g, n.
    pub gradient: Vec<ExprId>,
    /// ġ = ∇g·v + ∂g/∂t, on all velocities.
    pub gap_rate: ExprId,
    /// n = ∇g S, one entry a free coordinate.
    pub reduced_gradient: Vec<ExprId>,
    /// w, n: the direction of the jump.
    pub direction: Vec<ExprId>,
    /// d = ∇g·w = n G⁻¹ nᵀ.
    pub square: ExprId,
    /// M w, n.
    pub momentum: Vec<ExprId>,
}

/// K and P_A.
pub fn metric(
    pool: &mut ExprPool,
    equations: &EquationsOfMotion,
    reduction: &Reduction,
    simplifier: &mut Simplifier,
) -> Result<Metric, Omitted> {
    let mass = reduced_mass(pool, equations, reduction, simplifier);
    let inverse = inverse(pool, &mass, simplifier)?;
    let f = reduction.free.len();
    let n = reduction.map.len();
    let mut spread = vec![vec![ExprPool::ZERO; f]; n];
    for (row, s) in spread.iter_mut().zip(&reduction.map) {
        for (entry, column) in row.iter_mut().zip(transposed(&inverse, f)) {
            let product = dot(pool, s, &column);
            *entry = simplifier.simplify(pool, product);
        }
    }
    let mut constrained = vec![vec![ExprPool::ZERO; n]; n];
    let columns = transposed(&reduction.map, f);
    let whole = equations.mass.entries(pool);
    for j in 0..n {
        // Column j of SᵀM.
        let momenta: Vec<ExprId> = columns.iter().map(|s| dot(pool, s, &whole[j])).collect();
        for i in 0..n {
            let kept = dot(pool, &spread[i], &momenta);
            let unit = if i == j { ExprPool::ONE } else { ExprPool::ZERO };
            let entry = pool.sub(unit, kept);
            constrained[i][j] = simplifier.combined(pool, entry);
        }
    }
    check_entries(pool, spread.iter().chain(&constrained).flatten(), ENTRY_SIZE_MAX)?;
    Ok(Metric { spread, constrained })
}

/// The closed forms of a contact.
pub fn impact(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    contact: &ContactEquations,
    reduction: &Reduction,
    metric: &Metric,
    simplifier: &mut Simplifier,
) -> Impact {
    let velocities = model.velocities();
    let pool = &mut model.pool;
    let gradient: Vec<ExprId> =
        contact.gradient.iter().map(|g| simplifier.simplify(pool, *g)).collect();
    let mut gap_rate = contact.rate;
    for (g, v) in gradient.iter().zip(velocities) {
        let v = pool.symbol_expr(v);
        let term = pool.mul(*g, v);
        gap_rate = pool.add(gap_rate, term);
    }
    let columns = transposed(&reduction.map, reduction.free.len());
    let reduced_gradient: Vec<ExprId> = columns
        .iter()
        .map(|s| {
            let entry = dot(pool, &gradient, s);
            simplifier.simplify(pool, entry)
        })
        .collect();
    let direction = jump(pool, metric, &reduced_gradient, simplifier);
    let free: Vec<ExprId> = reduction.free.iter().map(|f| dot(pool, &f.row, &direction)).collect();
    let square = dot(pool, &reduced_gradient, &free);
    let momentum = equations.mass.times(pool, &direction);
    Impact { gradient, gap_rate, reduced_gradient, direction, square, momentum }
}

/// w = K nᵀ.
pub fn jump(
    pool: &mut ExprPool,
    metric: &Metric,
    reduced_gradient: &[ExprId],
    simplifier: &mut Simplifier,
) -> Vec<ExprId> {
    metric
        .spread
        .iter()
        .map(|row| {
            let entry = dot(pool, row, reduced_gradient);
            simplifier.simplify(pool, entry)
        })
        .collect()
}

impl Impact {
    /// P[i, j] = P_A[i, j] + wᵢ (M w)ⱼ/d.
    pub fn projector_entry(
        &self,
        pool: &mut ExprPool,
        metric: &Metric,
        i: usize,
        j: usize,
    ) -> ExprId {
        let product = pool.mul(self.direction[i], self.momentum[j]);
        let part = pool.div(product, self.square);
        pool.add(metric.constrained[i][j], part)
    }

    /// v⁺ of every coordinate, for v⁻ on the constraints.
    pub fn velocity_after(
        &self,
        model: &mut SystemModel,
        equations: &EquationsOfMotion,
        law: ImpactOf,
        simplifier: &mut Simplifier,
    ) -> Result<Vec<ExprId>, Omitted> {
        let (square, direction) = match law {
            ImpactOf::Law(Law::Project) => {
                (self.free_square(model, equations, simplifier)?, self.direction.clone())
            }
            ImpactOf::Reflect => (
                self.free_square(model, equations, simplifier)?,
                self.raised(&mut model.pool, equations, simplifier)?,
            ),
            _ => (self.square, self.direction.clone()),
        };
        let factor = jump_factor(&mut model.pool, law);
        let velocities = model.velocities();
        let pool = &mut model.pool;
        let ratio = pool.div(self.gap_rate, square);
        Ok(velocities
            .into_iter()
            .zip(&direction)
            .map(|(v, w)| {
                let before = pool.symbol_expr(v);
                let jump = pool.product_of(&[factor, ratio, *w]);
                pool.sub(before, jump)
            })
            .collect())
    }

    /// d₀ = ∇g M⁻¹ ∇gᵀ.
    pub fn free_square(
        &self,
        model: &mut SystemModel,
        equations: &EquationsOfMotion,
        simplifier: &mut Simplifier,
    ) -> Result<ExprId, Omitted> {
        let raised = self.raised(&mut model.pool, equations, simplifier)?;
        let square = dot(&mut model.pool, &self.gradient, &raised);
        Ok(simplifier.simplify(&mut model.pool, square))
    }

    /// M⁻¹∇gᵀ.
    fn raised(
        &self,
        pool: &mut ExprPool,
        equations: &EquationsOfMotion,
        simplifier: &mut Simplifier,
    ) -> Result<Vec<ExprId>, Omitted> {
        let mass = equations.mass.entries(pool);
        let inverse = inverse(pool, &mass, simplifier)?;
        Ok(inverse.iter().map(|row| dot(pool, row, &self.gradient)).collect())
    }
}

/// 1 + e on ∇g; maps that are told by no e reflect.
pub fn jump_factor(pool: &mut ExprPool, law: ImpactOf) -> ExprId {
    match law {
        ImpactOf::Law(Law::Restitution([_, e, _])) => pool.add(ExprPool::ONE, e),
        _ => ExprPool::TWO,
    }
}
