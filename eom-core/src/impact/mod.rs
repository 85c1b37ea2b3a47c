//! Impact laws: the velocity after a contact closes.
//!
//! At g = 0, ġ⁻ < 0, with C the contact's own rows, B the independent rows of [A; ∇g; C] without
//! those of A that the contact releases, b_B their affine parts, G = M(t,q):
//!
//! ```text
//! P = G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹B
//! v⁺ = v⁻ − G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹ diag(1+eᵢ)(B v⁻ + b_B)        eᵢ = e ∈ [0, 1]
//! ```
//!
//! or, for `oblique`, eᵢ = 0 on A, e on ∇g and e_t ∈ [−1, 1] on C: e_t = −1 leaves the slip as it
//! was. Rows are taken in this order; one that depends on those before it is left out, and its own
//! eᵢ has no effect.
//!
//! `project` reflects on ∇g alone, then projects on the constraints, those of the contact too: with
//! P_g and P_A as P, but of the rows ∇g and [A; C], v⁺ = (1 − P_A)(1 − 2 P_g) v⁻ and their affine
//! parts. `assign` takes v⁺ from the declaration; it must satisfy A v⁺ + b = 0.
//!
//! A velocity v⁺ with ‖v⁺‖ ≤ 64 ε ‖v⁻‖ is rounding, and becomes zero where the rows allow it.
//!
//! The impact of a contact with friction is no such map: a run makes it with all that touches.
//!
//! No law may leave the gap closing: ġ⁺ < 0 beyond rounding is an error. Nor may `oblique` add
//! energy, which it can where ∇g and C are not orthogonal in the metric.

#[doc(hidden)]
pub mod process;

use crate::error::ImpactError;
use crate::linear::linalg::dot;
use crate::linear::metric::RowSpace;
use crate::system::{Bearer, Law, System};
use std::cmp::Ordering;

pub use crate::hybrid::frictional_impact::two_phases::{compressed, struck_together};

/// A gap rate smaller than this part of ‖∇g‖‖v‖, the largest rate at that kinetic energy, is
/// zero to rounding.
pub const RATE_TOLERANCE: f64 = 1e-12;

/// A row of A that is violated by more than this part of ‖row‖‖v‖ is violated by the law.
const ROW_TOLERANCE: f64 = 1e-9;

/// An energy that grows by more than this part has grown.
const GAIN_TOLERANCE: f64 = 1e-12;

/// A velocity goes along with all that moves by itself where no rate is more than this part of what it is at v = 0.
pub(crate) const DRIVE_TOLERANCE: f64 = 1e-9;

/// A velocity of this many units of rounding of the one before the impact is zero.
pub(crate) const STOPPED: f64 = 64.0;

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

/// The impact map at one configuration: metric, rows A, ∇g and the contact's own. All memory is
/// taken by [`ImpactMap::new`], so that it can be used inside a simulator's loop.
#[derive(Debug, Clone)]
pub struct ImpactMap {
    rows: ImpactRows,
    metric: Vec<f64>,
    /// Which row each row offered to the space is.
    offered: Vec<usize>,
    dropped: Vec<usize>,
    space: RowSpace,
    before: Vec<f64>,
    t: f64,
    q: Vec<f64>,
}

/// The rows of A (k), then ∇g, then the contact's own, at one configuration.
#[derive(Debug, Clone)]
struct ImpactRows {
    n: usize,
    k: usize,
    a: Vec<f64>,
    b: Vec<f64>,
    gradients: Vec<f64>,
    rates: Vec<f64>,
    own: Vec<f64>,
    own_b: Vec<f64>,
    /// The number of own rows.
    count: usize,
    contact: usize,
    released: &'static [usize],
}

impl ImpactRows {
    fn load(&mut self, system: &dyn System, contact: usize, t: f64, q: &[f64]) {
        let info = &system.info().contacts[contact];
        (self.contact, self.count, self.released) = (contact, info.rows.len(), info.releases);
        system.constraint_rows(t, q, &mut self.a, &mut self.b);
        system.gap_rows(t, q, &mut self.gradients, &mut self.rates);
        let (own, own_b) = (&mut self.own[..self.count * self.n], &mut self.own_b[..self.count]);
        system.contact_rows(contact, t, q, own, own_b);
    }

    /// A row and its affine part.
    fn row(&self, row: usize) -> (&[f64], f64) {
        let (rows, offsets, index) = match row.checked_sub(self.k) {
            None => (&self.a, &self.b, row),
            Some(0) => (&self.gradients, &self.rates, self.contact),
            Some(own) => (&self.own, &self.own_b, own - 1),
        };
        (&rows[index * self.n..][..self.n], offsets[index])
    }

    /// r·v + b of a row.
    fn rate(&self, row: usize, v: &[f64]) -> f64 {
        let (row, offset) = self.row(row);
        dot(row, v) + offset
    }

    /// The rows of A that stay in force at the impact.
    fn kept(&self) -> impl Iterator<Item = usize> + use<> {
        let released = self.released;
        (0..self.k).filter(move |row| !released.contains(row))
    }

    fn gap(&self) -> usize {
        self.k
    }

    fn own(&self) -> std::ops::Range<usize> {
        self.k + 1..self.k + 1 + self.count
    }
}

/// Whether friction takes part in the impact of a contact: its own, or that of a constraint row, or a force that acts with its
/// normal force.
pub fn has_friction(system: &dyn System, contact: usize) -> bool {
    let info = system.info();
    let terms = info.frictions.len();
    info.contacts[contact].bears
        || (0..terms).any(|term| {
            matches!(Bearer::of(system, term), Some(Bearer::Row(_) | Bearer::Rows { .. }))
                || system.contact_of_friction(term) == Some(contact)
        })
}

impl ImpactMap {
    /// Room for a system's m speeds, k rows and its contacts.
    pub fn new(system: &dyn System) -> Self {
        let info = system.info();
        let (n, k, contacts) = (info.speeds(), info.rows.len(), info.contacts.len());
        let own = info.contacts.iter().map(|contact| contact.rows.len()).max().unwrap_or(0);
        let all = k + 1 + own;
        Self {
            rows: ImpactRows {
                n,
                k,
                a: vec![0.0; k * n],
                b: vec![0.0; k],
                gradients: vec![0.0; contacts * n],
                rates: vec![0.0; contacts],
                own: vec![0.0; own * n],
                own_b: vec![0.0; own],
                count: 0,
                contact: 0,
                released: &[],
            },
            metric: vec![0.0; n * n],
            offered: Vec::with_capacity(all),
            dropped: Vec::with_capacity(all),
            space: RowSpace::new(n, all),
            before: vec![0.0; n],
            t: 0.0,
            q: vec![0.0; info.positions()],
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
        if has_friction(system, contact) {
            return Err(ImpactError::Friction);
        }
        self.t = t;
        self.q.copy_from_slice(q);
        system.mass_matrix(t, q, &mut self.metric);
        self.rows.load(system, contact, t, q);
        self.space.set_metric(&self.metric)?;
        self.take_all();
        self.dropped.clear();
        self.dropped.extend(self.space.dropped().iter().map(|&row| self.offered[row]));
        if self.dropped.contains(&self.rows.gap()) {
            return Err(ImpactError::Dependent);
        }
        Ok(())
    }

    /// v⁺ in place of v⁻. On an error v is left as it was.
    pub fn apply(
        &mut self,
        system: &dyn System,
        law: Law,
        v: &mut [f64],
    ) -> Result<GapRates, ImpactError> {
        let scale = self.space.norm(v);
        let rates = self.transform(system, law, v)?;
        let result = self.check(law, scale, rates, v);
        if result.is_err() {
            v.copy_from_slice(&self.before);
        }
        result
    }

    /// The same at any velocity, one that leaves the contact too, and whatever v⁺ is like.
    pub fn transform(
        &mut self,
        system: &dyn System,
        law: Law,
        v: &mut [f64],
    ) -> Result<GapRates, ImpactError> {
        law.check()?;
        let (scale, minus) = (self.space.norm(v), self.gap_rate(v));
        self.map(system, law, scale, v);
        let tolerance = RATE_TOLERANCE * self.rate_scale(self.rows.gap(), scale);
        Ok(GapRates { minus, plus: self.gap_rate(v), tolerance })
    }

    fn map(&mut self, system: &dyn System, law: Law, scale: f64, v: &mut [f64]) {
        self.before.copy_from_slice(v);
        match law.restitutions() {
            Some(e) => self.restitute(e, v),
            None if law == Law::Assign => system.assign(self.rows.contact, self.t, &self.q, v),
            None => self.reflect_then_project(v),
        }
        if self.is_stopped(scale, v) {
            v.fill(0.0);
        }
    }

    /// What a law must leave: numbers, a gap that does not close, constraints satisfied, no more
    /// energy.
    fn check(
        &mut self,
        law: Law,
        scale: f64,
        rates: GapRates,
        v: &[f64],
    ) -> Result<GapRates, ImpactError> {
        let GapRates { plus, tolerance, .. } = rates;
        if !v.iter().chain([&plus, &tolerance]).all(|x| x.is_finite()) {
            return Err(ImpactError::NotFinite);
        }
        if plus < -tolerance {
            return Err(ImpactError::LeavesGapClosing { rate: plus });
        }
        if law == Law::Assign {
            let speed = scale.max(self.space.norm(v));
            for row in 0..self.rows.k {
                let residual = self.rows.rate(row, v);
                if residual.abs() > ROW_TOLERANCE * self.rate_scale(row, speed) {
                    return Err(ImpactError::LeavesConstraint { row, residual });
                }
            }
        }
        let uneven = law.restitutions().is_some_and(|[_, normal, tangential]| normal != tangential);
        match self.gain(v).filter(|_| uneven) {
            Some(factor) => Err(ImpactError::AddsEnergy { factor }),
            None => Ok(rates),
        }
    }

    /// T(v⁺ − w)/T(v⁻ − w) where that is more than 1, B w + b = 0: what walls that move give is no gain.
    fn gain(&mut self, v: &[f64]) -> Option<f64> {
        let along = self.along()?;
        gain_beside(&along, [&self.before, v], &mut |v| self.space.norm(v))
    }

    /// w: 0 where nothing moves by itself. None where rows move against each other.
    fn along(&mut self) -> Option<Vec<f64>> {
        let mut along = vec![0.0; self.before.len()];
        if self.is_fixed() {
            return Some(along);
        }
        let before = std::mem::replace(&mut self.before, along.clone());
        self.restitute([0.0; 3], &mut along);
        self.before = before;
        let rows =
            self.offered.iter().map(|row| (self.rows.rate(*row, &along), self.rows.row(*row).1));
        let (left, largest) = rows.fold((0.0, 0.0), |(left, largest): (f64, f64), (rate, b)| {
            (left.max(rate.abs()), largest.max(b.abs()))
        });
        (left <= DRIVE_TOLERANCE * largest).then_some(along)
    }

    /// ‖r‖‖v‖ + |b| of a row, the largest rate at a kinetic norm of v.
    fn rate_scale(&mut self, row: usize, norm: f64) -> f64 {
        let (row, offset) = self.rows.row(row);
        self.space.row_norm(row) * norm + offset.abs()
    }

    /// Whether no row of B moves by itself.
    fn is_fixed(&self) -> bool {
        self.offered.iter().all(|row| self.rows.row(*row).1 == 0.0)
    }

    /// Whether v is what rounding leaves of a velocity of kinetic norm `before`, where v = 0
    /// satisfies all rows.
    fn is_stopped(&mut self, before: f64, v: &[f64]) -> bool {
        self.is_fixed() && self.space.norm(v) <= STOPPED * f64::EPSILON * before
    }

    /// The impulse Λ along ∇g of an impact from v⁻ to v⁺: that of M (v⁺ − v⁻) = Bᵀ(…, Λ, …), or of what
    /// of it is of this form.
    pub fn impulse(&mut self, minus: &[f64], plus: &[f64]) -> f64 {
        let Self { rows, offered, space, .. } = self;
        let change: Vec<f64> = plus.iter().zip(minus).map(|(plus, minus)| plus - minus).collect();
        space.counter(space.rank(), |index| -dot(rows.row(offered[index]).0, &change));
        let mut impulses = vec![0.0; offered.len()];
        space.multipliers(&mut impulses);
        let gap = offered.iter().position(|row| *row == rows.gap());
        gap.map_or(0.0, |index| impulses[index])
    }

    /// ‖v⁺ − v⁻‖ in the metric of the kinetic energy.
    pub(crate) fn change(&mut self, minus: &[f64], plus: &[f64]) -> f64 {
        let change: Vec<f64> = plus.iter().zip(minus).map(|(plus, minus)| plus - minus).collect();
        self.space.norm(&change)
    }

    /// ġ = ∇g·v + ∂g/∂t of the loaded contact.
    pub fn gap_rate(&self, v: &[f64]) -> f64 {
        self.rows.rate(self.rows.gap(), v)
    }

    /// Writes P of B, m×m.
    pub fn projector(&mut self, p: &mut [f64]) {
        self.space.projector(p);
    }

    /// Rows that depend on those before them and are not in B: i < k is a row of A, k + 1 + j the
    /// contact's own row j.
    pub fn dropped(&self) -> &[usize] {
        &self.dropped
    }

    /// Makes rows orthonormal, in this order.
    fn take(&mut self, rows: impl Iterator<Item = usize>) {
        self.space.clear();
        self.offered.clear();
        for row in rows {
            let (r, offset) = self.rows.row(row);
            self.space.push(r, offset);
            self.offered.push(row);
        }
    }

    fn take_all(&mut self) {
        let (kept, gap, own) = (self.rows.kept(), self.rows.gap(), self.rows.own());
        self.take(kept.chain([gap]).chain(own));
    }

    /// v⁺ = v⁻ − G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹ diag(1+eᵢ)(B v⁻ + b).
    fn restitute(&mut self, e: [f64; 3], v: &mut [f64]) {
        let [kept, normal, tangential] = e;
        if kept == normal && normal == tangential {
            self.space.apply(self.space.rank(), 1.0 + kept, v);
        } else {
            self.refine(e, v);
        }
        self.refine(e, v);
    }

    /// v ← (1 − 2 P_g) v, then v ← (1 − P_A) v.
    fn reflect_then_project(&mut self, v: &mut [f64]) {
        let (kept, gap, own) = (self.rows.kept(), self.rows.gap(), self.rows.own());
        self.take([gap].into_iter());
        self.space.apply(1, 2.0, v);
        self.take(kept.chain(own));
        self.space.apply(self.space.rank(), 1.0, v);
        self.refine([0.0; 3], v);
        self.take_all();
    }

    /// Takes away what is left of Bᵢ v⁺ + bᵢ + eᵢ (Bᵢ v⁻ + bᵢ) = 0 in the rows taken.
    fn refine(&mut self, [kept, normal, tangential]: [f64; 3], v: &mut [f64]) {
        let Self { rows, offered, space, before, .. } = self;
        let change = space.counter(space.rank(), |index| {
            let row = offered[index];
            let e = match row.cmp(&rows.gap()) {
                Ordering::Less => kept,
                Ordering::Equal => normal,
                Ordering::Greater => tangential,
            };
            rows.rate(row, v) + e * rows.rate(row, before)
        });
        for (v, change) in v.iter_mut().zip(change) {
            *v += change;
        }
    }
}

/// T(v⁺ − w)/T(v⁻ − w) where that is more than 1, by the kinetic norm: w goes along with all that moves by itself.
pub(crate) fn gain_beside(
    along: &[f64],
    velocities: [&[f64]; 2],
    norm: &mut dyn FnMut(&[f64]) -> f64,
) -> Option<f64> {
    let beside = |v: &[f64]| -> Vec<f64> { v.iter().zip(along).map(|(v, w)| v - w).collect() };
    let [before, after] = velocities.map(|v| norm(&beside(v)));
    let gains = after > before + GAIN_TOLERANCE * (before + norm(along));
    gains.then(|| (after / before).powi(2))
}
