//! A chain of point masses by the tensions of its rods.
//!
//! Where two of the [forms](crate::mechanics::forms) are the velocity w_k ∈ ℝ² of a mass c_k at the end of a rod,
//!
//! ```text
//! ẇ_k = ẇ_p(k) + Σ B_ku u̇ + l_k a_k v̇_k + r_k
//! ```
//!
//! with a speed v_k of its own that has no inertia in L₀, l_k and |a_k| constant, and with speeds u that have an
//! inertia M_u, in L₀ and in forms of them alone, the multiplier of this definition is the force F_k of the rod on
//! the mass:
//!
//! ```text
//! c_k ẇ_k = F_k − Σ F_l over p(l) = k        l_k a_k·F_k = f_k        M_u u̇ = f_u − Σ B_kᵀF_k
//! ```
//!
//! Of F_k one number is unknown, the tension T_k:
//!
//! ```text
//! F_k = G_k + T_k m_k        m_k = (a_k2, −a_k1)        G_k = K_k + s_k a_k,  f_k/l_k = a_k·K_k + s_k |a_k|²
//! ```
//!
//! with a K_k of parameters alone, as the weight of all that hangs on the rod. Along m_k there is no v̇_k, so
//! that u̇ and T are found of
//!
//! ```text
//! M_u u̇ + Σ B_kᵀm_k T_k = f_u − Σ B_kᵀG_k
//! m_k·(Σ B_ku u̇ − ẇ_k + ẇ_p(k)) = −m_k·r_k
//! ```
//!
//! which is symmetric and quasi-definite: any order of elimination will do (Vanderbei, SIAM Journal on
//! Optimization 5, 1995). A rod is coupled with those that it meets alone. For the pendulum of n equal links the
//! second part is tridiagonal, −2 and cos(θ_k − θ_l), and on its right θ̇_k²: half of what elimination of the
//! bodies takes. Along a_k the same equation gives v̇_k. Masses and forces are those divided by the first mass,
//! which most often leaves numbers; where it does not, all have to be positive by the bounds of the parameters.
mod rods;

use super::velocity_forms::Forms;
use crate::node::{ExprId, View};
use crate::pool::{ExprPool, Pair};
use crate::rewrite::pythagoras;
use rods::{Chain, Rod, Vector, ZERO, difference, dot, over, terms_of};

/// The equations of the unknowns, u̇ and then T, and what these say of the accelerations.
#[derive(Debug)]
pub(crate) struct Tensions {
    /// The pool of the forms, with what was made here.
    pub(crate) pool: ExprPool,
    /// Their matrix, symmetric.
    pub(crate) matrix: Vec<Vec<ExprId>>,
    /// Their right sides.
    pub(crate) right: Vec<ExprId>,
    /// That of each speed.
    pub(crate) accelerations: Vec<Acceleration>,
}

/// own + Σ ± coefficient·unknown.
#[derive(Debug, Clone)]
pub(crate) struct Acceleration {
    pub(crate) own: ExprId,
    pub(crate) terms: Vec<Term>,
}

/// A multiple of an unknown; a sine that stands in the accelerations of two rods, with both signs, is one
/// coefficient.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Term {
    pub(crate) unknown: usize,
    pub(crate) coefficient: ExprId,
    pub(crate) is_negative: bool,
}

impl Tensions {
    /// Those of a chain with the forces F = `force`; `None` where a speed without inertia has no rod.
    pub(crate) fn of(forms: &Forms, force: &[ExprId]) -> Option<Self> {
        let mut chain = Chain::new(forms)?;
        let applied: Vec<ExprId> =
            force.iter().zip(&forms.bias).map(|(f, h)| chain.applied(*f, *h)).collect();
        chain.set_forces(&applied);
        let first = chain.heavy.len();
        let count = first + chain.rods.len();
        let mut matrix = vec![vec![ExprPool::ZERO; count]; count];
        for i in 0..count {
            for j in 0..=i {
                let entry = match (i.checked_sub(first), j.checked_sub(first)) {
                    (Some(k), Some(l)) => chain.of_rods(k, l),
                    (Some(k), None) => chain.of_rod_and_speed(k, j),
                    (None, _) => chain.of_speeds(forms, i, j),
                };
                (matrix[i][j], matrix[j][i]) = (entry, entry);
            }
        }
        let mut right = Vec::with_capacity(count);
        right.extend((0..first).map(|i| chain.right_of_speed(i, &applied)));
        right.extend((0..chain.rods.len()).map(|k| chain.right_of_rod(k)));
        let accelerations = chain.accelerations(forms.mass.len());
        Some(Self { pool: chain.pool, matrix, right, accelerations })
    }
}

impl Chain {
    /// F − h of a speed, over the unit of mass.
    fn applied(&mut self, force: ExprId, bias: ExprId) -> ExprId {
        let applied = self.pool.sub(force, bias);
        over(&mut self.pool, applied, self.unit)
    }

    /// K_k and s_k, and what the K give to ẇ_k.
    fn set_forces(&mut self, applied: &[ExprId]) {
        let Self { pool, rods, free, .. } = self;
        for rod in rods.iter_mut() {
            (rod.constant, rod.along) = of_applied(pool, rod, applied[rod.speed]);
        }
        for (k, rod) in rods.iter().enumerate() {
            let mut force = rod.constant;
            for next in rods.iter().filter(|next| next.before == Some(k)) {
                force = difference(pool, force, next.constant);
            }
            free.push(force.map(|entry| over(pool, entry, rod.inertia)));
        }
    }

    /// M_u.
    fn of_speeds(&mut self, forms: &Forms, i: usize, j: usize) -> ExprId {
        let Self { pool, carried, heavy, unit, .. } = self;
        let own = over(pool, forms.mass[heavy[i]][heavy[j]], *unit);
        let mut terms = vec![(ExprPool::ONE, own)];
        for form in carried.iter() {
            let product = pool.product_of(&[form.inertia, form.of(heavy[i]), form.of(heavy[j])]);
            terms.push((ExprPool::ONE, product));
        }
        let sum = pool.sum(&terms);
        pythagoras(pool, sum)
    }

    /// m_k·B_ku.
    fn of_rod_and_speed(&mut self, k: usize, i: usize) -> ExprId {
        let m = self.rods[k].across(&mut self.pool);
        dot(&mut self.pool, m, self.rods[k].on(self.heavy[i]))
    }

    /// What T_l does to m_k·(ẇ_p(k) − ẇ_k).
    fn of_rods(&mut self, k: usize, l: usize) -> ExprId {
        let [m, n] = [k, l].map(|rod| self.rods[rod].across(&mut self.pool));
        let apart = self.apart_by((m, k), (n, l));
        self.pool.neg(apart)
    }

    /// What a force y in rod l does to x·(ẇ_k − ẇ_p(k)): it acts on the mass at the end of the rod, its opposite
    /// on that before.
    fn apart_by(&mut self, (x, k): (Vector, usize), (y, l): (Vector, usize)) -> ExprId {
        let Self { pool, rods, .. } = self;
        let mut terms = Vec::new();
        for (end, sign) in [(Some(k), 1), (rods[k].before, -1)] {
            for (mass, other) in [(Some(l), 1), (rods[l].before, -1)] {
                if let Some(at) = end.filter(|_| end == mass) {
                    let part = dot(pool, x, y);
                    terms.push((pool.integer(sign * other), pool.div(part, rods[at].inertia)));
                }
            }
        }
        pool.sum(&terms)
    }

    /// x·(ẇ_k − ẇ_p(k) − r_k) without tensions.
    fn apart(&mut self, x: Vector, k: usize) -> ExprId {
        let Self { pool, rods, free, .. } = self;
        let before = rods[k].before.map_or(ZERO, |before| free[before]);
        let apart = difference(pool, free[k], before);
        let apart = difference(pool, apart, rods[k].r);
        let mut terms = vec![(ExprPool::ONE, dot(pool, x, apart))];
        for l in 0..self.rods.len() {
            let Rod { along, a, .. } = self.rods[l];
            if along != ExprPool::ZERO {
                let part = self.apart_by((x, k), (a, l));
                terms.push((ExprPool::ONE, self.pool.mul(along, part)));
            }
        }
        self.pool.sum(&terms)
    }

    /// f_u − Σ B_kᵀG_k, less what the rates of the forms that are carried take.
    fn right_of_speed(&mut self, i: usize, applied: &[ExprId]) -> ExprId {
        let Self { pool, rods, carried, heavy, .. } = self;
        let mut terms = vec![(ExprPool::ONE, applied[heavy[i]])];
        for rod in rods.iter() {
            let on = rod.on(heavy[i]);
            let along = dot(pool, on, rod.a);
            terms.push((ExprPool::MINUS_ONE, dot(pool, on, rod.constant)));
            terms.push((ExprPool::MINUS_ONE, pool.mul(rod.along, along)));
        }
        for form in carried.iter() {
            let product = pool.product_of(&[form.inertia, form.of(heavy[i]), form.rate]);
            terms.push((ExprPool::MINUS_ONE, product));
        }
        pool.sum(&terms)
    }

    fn right_of_rod(&mut self, k: usize) -> ExprId {
        let m = self.rods[k].across(&mut self.pool);
        self.apart(m, k)
    }

    /// Those of n speeds.
    fn accelerations(&mut self, n: usize) -> Vec<Acceleration> {
        let none = Acceleration { own: ExprPool::ZERO, terms: Vec::new() };
        let mut accelerations = vec![none; n];
        for (i, speed) in self.heavy.iter().enumerate() {
            let own = Term { unknown: i, coefficient: ExprPool::ONE, is_negative: false };
            accelerations[*speed].terms.push(own);
        }
        for k in 0..self.rods.len() {
            accelerations[self.rods[k].speed] = self.along(k);
        }
        accelerations
    }

    /// l_k |a_k|² v̇_k = a_k·(ẇ_k − ẇ_p(k) − Σ B_ku u̇ − r_k)
    fn along(&mut self, k: usize) -> Acceleration {
        let Rod { a, square, length, .. } = self.rods[k];
        let square = self.pool.mul(length, square);
        let own = self.apart(a, k);
        let mut terms = Vec::new();
        let mut add = |pool: &mut ExprPool, unknown: usize, part: ExprId, is_negative: bool| {
            if part != ExprPool::ZERO {
                terms.push(Term { unknown, coefficient: pool.div(part, square), is_negative });
            }
        };
        for (i, speed) in self.heavy.iter().enumerate() {
            let part = dot(&mut self.pool, a, self.rods[k].on(*speed));
            add(&mut self.pool, i, part, true);
        }
        for l in 0..self.rods.len() {
            // a_k·m_l = −a_l·m_k
            let (from, to) = (k.min(l), k.max(l));
            let m = self.rods[to].across(&mut self.pool);
            let part = self.apart_by((self.rods[from].a, from), (m, to));
            add(&mut self.pool, self.heavy.len() + l, part, l < k);
        }
        Acceleration { own: self.pool.div(own, square), terms }
    }
}

/// Appends the terms of c·e, sums of parameters within them multiplied out: m g of one mass then meets its like.
fn expand(pool: &mut ExprPool, (c, e): Pair, terms: &mut Vec<Pair>) {
    let sum = match pool.view(e) {
        View::Sum(_) => Some(e),
        View::Product { factors, .. } => factors.iter().find_map(|&(base, power)| {
            let is_sum = matches!(pool.view(base), View::Sum(_));
            (is_sum && power == ExprPool::ONE && pool.is_fixed(base)).then_some(base)
        }),
        _ => None,
    };
    let Some(sum) = sum else { return terms.push((c, e)) };
    let rest = pool.div(e, sum);
    for (inner, term) in terms_of(pool, sum) {
        let (factor, term) = (pool.scale(inner, c), pool.mul(rest, term));
        expand(pool, (factor, term), terms);
    }
}

/// K and s of a rod with the applied force f of its speed: terms that are those of a but for parameters are K's.
fn of_applied(pool: &mut ExprPool, rod: &Rod, applied: ExprId) -> (Vector, ExprId) {
    let (mut constant, mut rest, mut terms) = ([Vec::new(), Vec::new()], Vec::new(), Vec::new());
    expand(pool, (ExprPool::ONE, applied), &mut terms);
    for (c, term) in terms {
        let term = pool.div(term, rod.length);
        let parts = rod.a.map(|a| pool.div(term, a));
        let is_constant = |part: &ExprId| !pool.is_undefined(*part) && pool.is_fixed(*part);
        match parts.iter().position(is_constant) {
            Some(component) => constant[component].push((c, parts[component])),
            None => rest.push((c, term)),
        }
    }
    let rest = pool.sum(&rest);
    (constant.map(|terms| pool.sum(&terms)), pool.div(rest, rod.square))
}
