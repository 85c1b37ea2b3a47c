//! The kinetic energy as a form of degree two in velocities u of points and bodies, as it is declared:
//!
//! ```text
//! T = Σ c u_k u_l         c fixed, u_k = Σ a_ki v_i + …
//! M_ij = Σ c (a_ki a_lj + a_li a_kj)
//! h_i = Σ c (a_ki r_l + a_li r_k + w_ki u_l + w_li u_k) + ∂V/∂q_i
//! r_k = D u_k,  w_ki = D a_ki − ∂u_k/∂q_i             D: the time derivative at frozen v
//! ```
//!
//! For people to read: M and h of many bodies are long where they are written out.

use crate::mechanics::system::SystemModel;
use crate::node::{ExprId, View};
use crate::number::Rational;
use crate::pool::{ExprPool, Pair};

/// c u_k u_l.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::mechanics) struct Term {
    pub(in crate::mechanics) inertia: ExprId,
    pub(in crate::mechanics) forms: [usize; 2],
}

/// T and V of a declaration, and what T is made of.
#[derive(Debug, Clone, Default)]
pub(in crate::mechanics) struct Quadratic {
    pub(in crate::mechanics) terms: Vec<Term>,
    /// u.
    pub(in crate::mechanics) forms: Vec<ExprId>,
    /// a, one row a form.
    pub(in crate::mechanics) slopes: Vec<Vec<ExprId>>,
    /// r.
    pub(in crate::mechanics) rates: Vec<ExprId>,
    /// w, one row a form.
    pub(in crate::mechanics) turns: Vec<Vec<ExprId>>,
    /// ∂V/∂q.
    pub(in crate::mechanics) potential: Vec<ExprId>,
}

impl Quadratic {
    /// The forms of a declared kinetic energy; `None` where it is no such sum, or where velocities have names of
    /// their own.
    pub(in crate::mechanics) fn of(model: &mut SystemModel) -> Option<Self> {
        let kinetic = model.kinetic.filter(|_| model.kinematics.is_none())?;
        let mut found = Self::default();
        found.collect(&mut model.pool, ExprPool::ONE, kinetic)?;
        let (velocities, positions) = (model.velocities(), model.positions());
        let mut time = model.time_direction();
        for &form in &found.forms {
            let slopes = model.pool.gradient(form, &velocities);
            if slopes.iter().any(|slope| model.pool.holds_velocity(*slope)) {
                return None;
            }
            let along = model.pool.gradient(form, &positions);
            let turns = slopes.iter().zip(along).map(|(slope, along)| {
                let rate = time.derivative(&mut model.pool, *slope);
                model.pool.sub(rate, along)
            });
            found.turns.push(turns.collect());
            found.slopes.push(slopes);
            found.rates.push(time.derivative(&mut model.pool, form));
        }
        let potential = model.potential.unwrap_or(ExprPool::ZERO);
        found.potential = model.pool.gradient(potential, &positions);
        Some(found)
    }

    /// All expressions in the order of the fields, form by form, by those that `next` gives, so many at a time.
    pub(in crate::mechanics) fn rewritten(
        mut self,
        next: &mut dyn FnMut(usize) -> Vec<ExprId>,
    ) -> Self {
        let n = self.potential.len();
        for k in 0..self.forms.len() {
            let own = next(1);
            self.forms.splice(k..=k, own);
            self.slopes[k] = next(n);
            let rate = next(1);
            self.rates.splice(k..=k, rate);
            self.turns[k] = next(n);
        }
        self.potential = next(n);
        self
    }

    /// M and h, terms of equal inertia together.
    pub(in crate::mechanics) fn mass_and_bias(
        &self,
        model: &mut SystemModel,
    ) -> (Vec<Vec<ExprId>>, Vec<ExprId>) {
        let n = self.potential.len();
        let pool = &mut model.pool;
        let mut mass = vec![vec![ExprPool::ZERO; n]; n];
        let mut bias = Vec::with_capacity(n);
        for i in 0..n {
            for j in 0..n {
                mass[i][j] = self.sum(pool, |pool, k, l| {
                    let (a, b) = (&self.slopes[k], &self.slopes[l]);
                    vec![pool.mul(a[i], b[j])]
                });
            }
            let own = self.sum(pool, |pool, k, l| {
                let pushed = pool.mul(self.slopes[k][i], self.rates[l]);
                vec![pushed, pool.mul(self.turns[k][i], self.forms[l])]
            });
            bias.push(pool.add(own, self.potential[i]));
        }
        (mass, bias)
    }

    /// Σ c (e_kl + e_lk), with the terms of an inertia in one bracket.
    fn sum(
        &self,
        pool: &mut ExprPool,
        mut entries: impl FnMut(&mut ExprPool, usize, usize) -> Vec<ExprId>,
    ) -> ExprId {
        let mut groups: Vec<(ExprId, Vec<ExprId>)> = Vec::new();
        for Term { inertia, forms: [k, l] } in &self.terms {
            let mut found = entries(pool, *k, *l);
            let inertia = if k == l {
                pool.scale(ExprPool::TWO, *inertia)
            } else {
                found.extend(entries(pool, *l, *k));
                *inertia
            };
            match groups.iter_mut().find(|group| group.0 == inertia) {
                Some((_, terms)) => terms.extend(found),
                None => groups.push((inertia, found)),
            }
        }
        let mut products = Vec::with_capacity(groups.len());
        for (inertia, terms) in groups {
            let bracket = pool.sum_of(&terms);
            products.push(pool.mul(inertia, bracket));
        }
        pool.sum_of(&products)
    }

    /// Takes factor·expr apart; the factor is fixed.
    fn collect(&mut self, pool: &mut ExprPool, factor: ExprId, expr: ExprId) -> Option<()> {
        match pool.view(expr) {
            View::Sum(terms) => {
                let terms = terms.to_vec();
                terms.into_iter().try_for_each(|(c, term)| {
                    let factor = pool.scale(c, factor);
                    self.collect(pool, factor, term)
                })
            }
            View::Product { coefficient, factors } => {
                let factors = factors.to_vec();
                let is_moving = |(base, _): &&Pair| pool.holds_velocity(*base);
                let moving: Vec<Pair> = factors.iter().filter(is_moving).copied().collect();
                let still: Vec<Pair> =
                    factors.iter().filter(|factor| !moving.contains(factor)).copied().collect();
                let (fixed, turning): (Vec<Pair>, Vec<Pair>) = still
                    .iter()
                    .partition(|(base, exponent)| pool.is_fixed(*base) && pool.is_fixed(*exponent));
                let own = pool.product(coefficient, &fixed);
                let inertia = pool.mul(factor, own);
                let forms = match moving[..] {
                    [(sum, ExprPool::ONE)] if turning.is_empty() => {
                        return self.collect(pool, inertia, sum);
                    }
                    [(form, ExprPool::TWO)] => {
                        let root = root(pool, &turning)?;
                        let form = pool.mul(root, form);
                        [form, form]
                    }
                    [(first, ExprPool::ONE), (second, ExprPool::ONE)] => {
                        let turning = pool.product(ExprPool::ONE, &turning);
                        [pool.mul(turning, first), second]
                    }
                    _ => return None,
                };
                let forms = forms.map(|form| self.place(form));
                self.terms.push(Term { inertia, forms });
                Some(())
            }
            _ => None,
        }
    }

    fn place(&mut self, form: ExprId) -> usize {
        self.forms.iter().position(|known| *known == form).unwrap_or_else(|| {
            self.forms.push(form);
            self.forms.len() - 1
        })
    }
}

/// The root of a product of even powers.
fn root(pool: &mut ExprPool, factors: &[Pair]) -> Option<ExprId> {
    let mut root = ExprPool::ONE;
    for &(base, exponent) in factors {
        let exponent = pool.as_number(exponent).and_then(Rational::as_integer)?;
        let half = (exponent % 2 == 0).then(|| pool.powi(base, exponent / 2))?;
        root = pool.mul(root, half);
    }
    Some(root)
}
