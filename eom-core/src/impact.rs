//! Impact laws: the velocity after a contact closes.
//!
//! At g = 0, ġ⁻ < 0, with B the independent rows of [A; ∇g], b_B = [b; ∂g/∂t], G = M(t,q):
//!
//! ```text
//! P = G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹B
//! v⁺ = v⁻ − (1+e) G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹(B v⁻ + b_B)        e ∈ [0, 1]
//! ```
//!
//! `project` reflects on ∇g alone, then projects on the constraints: with P_g and P_A as P, but
//! of the rows ∇g and A, v⁺ = (1 − P_A)(1 − 2 P_g) v⁻ and their affine parts.
//!
//! A velocity v⁺ with ‖v⁺‖ ≤ 64 ε ‖v⁻‖ is rounding, and becomes zero where the rows allow it.
//!
//! No law may leave the gap closing: ġ⁺ < 0 beyond rounding is an error.

use crate::error::ImpactError;
use crate::linalg::dot;
use crate::metric::RowSpace;
use crate::system::{Law, System};

/// A gap rate smaller than this part of ‖∇g‖‖v‖, the largest rate at that kinetic energy, is
/// zero to rounding.
pub const RATE_TOLERANCE: f64 = 1e-12;

/// A velocity of this many units of rounding of the one before the impact is zero.
const STOPPED: f64 = 64.0;

/// The gap rates of an impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GapRates {
    /// ġ⁻.
    pub minus: f64,
    /// ġ⁺.
    pub plus: f64,
    /// Magnitudes below this are zero to rounding.
    pub tolerance: f64,
}

impl Law {
    /// 1 + e, or `None` for the law that has no e.
    fn factor(self) -> Result<Option<f64>, ImpactError> {
        match self {
            Self::Elastic => Ok(Some(2.0)),
            Self::Plastic => Ok(Some(1.0)),
            Self::Restitution(e) if (0.0..=1.0).contains(&e) => Ok(Some(1.0 + e)),
            Self::Restitution(e) => Err(ImpactError::Restitution { e }),
            Self::Project => Ok(None),
        }
    }

    /// Refuses a restitution outside of [0, 1].
    pub fn check(self) -> Result<(), ImpactError> {
        self.factor().map(|_| ())
    }
}

/// The impact map at one configuration: metric, rows A and ∇g. All memory is taken by
/// [`ImpactMap::new`], so that it can be used inside a simulator's loop.
#[derive(Debug, Clone)]
pub struct ImpactMap {
    n: usize,
    k: usize,
    metric: Vec<f64>,
    a: Vec<f64>,
    b: Vec<f64>,
    gradients: Vec<f64>,
    rates: Vec<f64>,
    contact: usize,
    space: RowSpace,
    before: Vec<f64>,
}

impl ImpactMap {
    /// Room for a system's n speeds, k rows and its contacts.
    pub fn new(system: &dyn System) -> Self {
        let info = system.info();
        let (n, k, contacts) = (info.speeds(), info.rows.len(), info.contacts.len());
        Self {
            n,
            k,
            metric: vec![0.0; n * n],
            a: vec![0.0; k * n],
            b: vec![0.0; k],
            gradients: vec![0.0; contacts * n],
            rates: vec![0.0; contacts],
            contact: 0,
            space: RowSpace::new(n, k + 1),
            before: vec![0.0; n],
        }
    }

    /// Evaluates the system at (t, q) and makes the rows of B orthonormal.
    ///
    /// # Panics
    /// Where the system is another than that given to [`ImpactMap::new`], or has no such contact.
    pub fn load(
        &mut self,
        system: &dyn System,
        contact: usize,
        t: f64,
        q: &[f64],
    ) -> Result<(), ImpactError> {
        system.mass_matrix(t, q, &mut self.metric);
        system.constraint_rows(t, q, &mut self.a, &mut self.b);
        system.gap_rows(t, q, &mut self.gradients, &mut self.rates);
        self.contact = contact;
        self.space.set_metric(&self.metric)?;
        self.push_all();
        if self.space.dropped().last() == Some(&self.k) {
            return Err(ImpactError::Dependent);
        }
        Ok(())
    }

    /// v⁺ in place of v⁻. On an error v is left as it was.
    pub fn apply(&mut self, law: Law, v: &mut [f64]) -> Result<GapRates, ImpactError> {
        let factor = law.factor()?;
        self.before.copy_from_slice(v);
        let scale = self.space.norm(v);
        let minus = self.gap_rate(v);
        match factor {
            Some(factor) => {
                self.space.apply(self.space.rank(), factor, v);
                self.refine(self.space.rank(), factor - 1.0, v);
            }
            None => self.reflect_then_project(v),
        }
        if self.is_stopped(scale, v) {
            v.fill(0.0);
        }
        let plus = self.gap_rate(v);
        let gradient = &self.gradients[self.contact * self.n..][..self.n];
        let tolerance = RATE_TOLERANCE
            * (self.space.row_norm(gradient) * scale + self.rates[self.contact].abs());
        let error = if !v.iter().chain([&plus, &tolerance]).all(|x| x.is_finite()) {
            Some(ImpactError::NotFinite)
        } else if plus < -tolerance {
            Some(ImpactError::LeavesGapClosing { rate: plus })
        } else {
            None
        };
        match error {
            Some(error) => {
                v.copy_from_slice(&self.before);
                Err(error)
            }
            None => Ok(GapRates { minus, plus, tolerance }),
        }
    }

    /// Whether v is what rounding leaves of a velocity of kinetic norm `before`, where v = 0
    /// satisfies all rows.
    fn is_stopped(&mut self, before: f64, v: &[f64]) -> bool {
        let fixed = self.rates[self.contact] == 0.0 && self.b.iter().all(|b| *b == 0.0);
        fixed && self.space.norm(v) <= STOPPED * f64::EPSILON * before
    }

    /// ġ = ∇g·v + ∂g/∂t of the loaded contact.
    pub fn gap_rate(&self, v: &[f64]) -> f64 {
        let gradient = &self.gradients[self.contact * self.n..][..self.n];
        dot(gradient, v) + self.rates[self.contact]
    }

    /// Writes P of [A; ∇g], n×n.
    pub fn projector(&mut self, p: &mut [f64]) {
        self.space.projector(p);
    }

    /// Constraint rows that depend on the others and are not in B.
    pub fn dropped(&self) -> &[usize] {
        self.space.dropped()
    }

    /// The rows of A, then ∇g.
    fn push_all(&mut self) {
        for row in 0..self.k {
            self.space.push(&self.a[row * self.n..][..self.n], self.b[row]);
        }
        self.push_gap();
    }

    fn push_gap(&mut self) {
        let gradient = &self.gradients[self.contact * self.n..][..self.n];
        self.space.push(gradient, self.rates[self.contact]);
    }

    /// v ← (1 − 2 P_g) v, then v ← (1 − P_A) v.
    fn reflect_then_project(&mut self, v: &mut [f64]) {
        self.space.clear();
        self.push_gap();
        self.space.apply(1, 2.0, v);
        self.space.clear();
        self.push_all();
        self.space.apply(self.space.rank() - 1, 1.0, v);
        self.refine(self.space.rank() - 1, 0.0, v);
    }

    /// Takes away what rounding left of B v⁺ + b + e (B v⁻ + b) = 0 in the first `count` rows.
    fn refine(&mut self, count: usize, e: f64, v: &mut [f64]) {
        let Self { n, k, a, b, gradients, rates, contact, space, before, .. } = self;
        let change = space.counter(count, |row| {
            let (row, offset) = if row < *k {
                (&a[row * *n..][..*n], b[row])
            } else {
                (&gradients[*contact * *n..][..*n], rates[*contact])
            };
            dot(row, v) + offset + e * (dot(row, before) + offset)
        });
        for (v, change) in v.iter_mut().zip(change) {
            *v += change;
        }
    }
}
