//! The constraint manifold A v + b = 0, φ = 0: residuals and orthogonal projection. The rows of
//! closed contacts, ∇g·v + ∂g/∂t = 0 and g = 0, follow those of A, and their own rows those.
//!
//! ```text
//! δv = −G⁻¹Aᵀ(AG⁻¹Aᵀ)⁻¹(A v + b)
//! δq = −S G⁻¹Φᵀ(ΦG⁻¹Φᵀ)⁻¹ φ    repeated (Gauss–Newton); Φ the holonomic rows of A, q̇ = S v
//! ```
//!
//! Both are the smallest changes in the metric G = M of the kinetic energy. After a step h the
//! velocities have erred in proportion to how much they changed in it, so there
//!
//! ```text
//! δv = −W⁻¹Aᵀ(AW⁻¹Aᵀ)⁻¹(A v + b)      W⁻¹ = diag wᵢ²
//!
//! wᵢ = max(|h v̇ᵢ|, |Δvᵢ|, |h cᵢ|) + ε|vᵢ|      cᵢ = (Aᵀλ)ᵢ/Mᵢᵢ
//! ```
//!
//! which is the most likely correction where the errors of the velocities are independent with
//! these sizes (Gauss–Markov). A velocity that does not change is left alone: the energy of a
//! rolling penny, whose θ̇ and φ̇ are constant, does not take up the errors of ẋ and ẏ. Where it would be
//! far larger than the tolerance allows, its premise is wrong, and the smallest change is made.
//!
//! v̇ᵢ is the sum of what the forces do and of cᵢ, what the constraints do (M taken as diagonal; sizes are
//! all that counts), and rounded to a part of these, which may cancel: gravity and its reaction leave
//! next to nothing of z̈ on a floor that is nearly flat, and ż has the errors of g. Without cᵢ the row
//! dz − f_x dx − f_y dy would take them for errors of ẋ and ẏ, enlarged by 1/f_x.
//!
//! Rows that are not affine in v, by Chetaev's rule, have A = ∂φ/∂v and b = φ − A v at v, and these formulas are steps of
//! Newton's method, repeated.

mod certain;
mod names;
mod rank;

use crate::contact::ContactForces;
use crate::contact::contact_rows::ContactRows;
use crate::error::{NotPositiveDefinite, Residual, ResidualKind};
use crate::friction::slip_state::Terms;
use crate::linear::linalg::dot;
use crate::linear::metric::RowSpace;
use crate::snapshot::words::part;
use crate::system::System;
use crate::system::kinematics::{displacement_scales, normalise};
pub(crate) use rank::Rank;
use rank::RankWatch;

/// Steps of Gauss–Newton: from within a step's error two are enough, from a start far off the
/// method converges within these or not at all.
const NEWTON_STEPS_MAX: usize = 30;

/// Coordinates have converged when their last change is below this part of their scale,
const NEWTON_TOLERANCE: f64 = 1e-14;

/// or, after so many steps, when they changed for no more than the rounding of φ: of s = r φ with s = 10
/// and an x = 10⁻³ that moves with s, x changes by that of s.
const NEWTON_STEPS_MIN: usize = 3;

/// Changes that do not fall by half any more are rounding where they are below this part of the scale.
const STAGNANT: f64 = 1e-10;

/// The rounding of φ in units of ε Σ |∂φ/∂qⱼ| |qⱼ|.
const ROUNDINGS: f64 = 4.0;

/// Why a state could not be brought to its constraints.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Failure {
    /// There is no metric.
    Metric(NotPositiveDefinite),
    /// Gauss–Newton did not converge.
    Diverged,
}

impl From<NotPositiveDefinite> for Failure {
    fn from(error: NotPositiveDefinite) -> Self {
        Self::Metric(error)
    }
}

/// Workspace for the constraints of one system.
#[derive(Debug, Clone)]
pub(crate) struct Manifold {
    n: usize,
    k: usize,
    holonomic: usize,
    metric: Vec<f64>,
    /// A, then ∇g of the closed contacts, then their own rows, then J of the friction that sticks.
    a: Vec<f64>,
    b: Vec<f64>,
    /// φ, then g of the closed contacts.
    φ: Vec<f64>,
    closed: Vec<usize>,
    own: ContactRows,
    /// The own rows of the closed contacts.
    own_closed: Vec<usize>,
    /// Components of friction that stick: J v + b = 0.
    sticking: Vec<usize>,
    /// The multiplier of each row that is kept.
    μ: Vec<f64>,
    terms: Terms,
    gaps: Vec<f64>,
    gradients: Vec<f64>,
    gap_rates: Vec<f64>,
    zero: Vec<f64>,
    /// S δ.
    moved: Vec<f64>,
    space: RowSpace,
    rank: RankWatch,
    /// Whether the constraint rows are independent wherever they have values.
    independent: bool,
    /// Whether A and b depend on v.
    nonlinear: bool,
    /// δv of Newton's method.
    change: Vec<f64>,
    /// v = 0.
    rest: Vec<f64>,
    /// aᵢ/r of each entry of q: the magnitude that counts as zero.
    floors: Vec<f64>,
    /// The same, but 1 for an angle.
    scales: Vec<f64>,
}

impl Manifold {
    /// `floors` are the magnitudes below which a coordinate counts as zero.
    pub(crate) fn new(system: &dyn System, floors: &[f64]) -> Self {
        let info = system.info();
        let (n, k, holonomic) = (info.speeds(), info.rows.len(), info.holonomic_count());
        let contacts = info.contacts.len();
        let (own, terms) = (ContactRows::new(system), Terms::new(system));
        let rows = k + contacts + own.count() + terms.all_components();
        let mut scales = floors.to_vec();
        info.angles.iter().for_each(|&angle| scales[angle] = scales[angle].max(1.0));
        Self {
            n,
            k,
            holonomic,
            metric: vec![0.0; n * n],
            a: vec![0.0; rows * n],
            b: vec![0.0; rows],
            φ: vec![0.0; holonomic + contacts],
            closed: Vec::with_capacity(contacts),
            own_closed: Vec::with_capacity(own.count()),
            own,
            sticking: Vec::with_capacity(terms.all_components()),
            μ: Vec::with_capacity(rows),
            terms,
            gaps: vec![0.0; contacts],
            gradients: vec![0.0; contacts * n],
            gap_rates: vec![0.0; contacts],
            zero: vec![0.0; n],
            moved: vec![0.0; info.positions()],
            space: RowSpace::new(n, rows),
            rank: RankWatch::new(n, rows),
            independent: k > 0 && certain::independent_everywhere(system),
            nonlinear: info.has_nonlinear_rows(),
            change: vec![0.0; n],
            rest: vec![0.0; n],
            floors: floors.to_vec(),
            scales,
        }
    }

    /// Keeps g = 0 and ġ = 0 of these contacts as well, and their own rows.
    pub(crate) fn set_closed(&mut self, closed: &[usize]) {
        if self.closed != closed {
            self.rank.forget();
        }
        self.closed.clear();
        self.closed.extend_from_slice(closed);
        self.own_closed.clear();
        self.own_closed.extend(closed.iter().flat_map(|&contact| self.own.of(contact)));
    }

    /// Keeps w = 0 of these terms of dry friction as well.
    pub(crate) fn set_sticking(&mut self, sticking: &[usize]) {
        let Self { terms, sticking: components, .. } = self;
        let points = sticking.iter().filter(|term| **term < terms.count());
        components.clear();
        components.extend(points.flat_map(|term| terms.components(*term)));
        if !self.sticking.is_empty() {
            self.rank.forget();
        }
    }

    /// Whether there is nothing to keep.
    pub(crate) fn is_free(&self) -> bool {
        self.rows() == 0
    }

    /// Whether some constraints hold for the coordinates.
    pub(crate) fn has_holonomic(&self) -> bool {
        self.holonomic + self.closed.len() > 0
    }

    /// The rows that are kept: those of A, of the closed contacts, of the friction that sticks.
    fn rows(&self) -> usize {
        self.k + self.closed.len() + self.own_closed.len() + self.sticking.len()
    }

    /// Whether the rows that are kept cannot lose their rank.
    pub(crate) fn is_certain(&self) -> bool {
        self.independent && self.rows() == self.k
    }

    /// The motion goes on from (t, q, v) with the rows that are kept.
    pub(crate) fn begin(&mut self, system: &dyn System, t: f64, q: &[f64], v: &[f64]) {
        if self.is_free() {
            return;
        }
        if self.is_certain() {
            self.rank.start();
            return;
        }
        self.load_rows(system, t, q, v);
        system.mass_matrix_at(t, q, v, &mut self.metric);
        let rows = self.rows() * self.n;
        let Self { rank, a, metric, moved, scales, .. } = self;
        if system.info().is_plain() {
            moved.iter_mut().zip(q).zip(&*scales).for_each(|((s, q), floor)| *s = q.abs() + floor);
            rank.begin(t, &a[..rows], metric, moved);
        } else {
            rank.begin(t, &a[..rows], metric, &displacement_scales(system, t, q, scales));
        }
    }

    /// What a step to the rows that are loaded, with the velocity v there, did to their rank.
    pub(crate) fn look_at_rank(&mut self, t: f64, v: &[f64]) -> Rank {
        let rows = self.rows() * self.n;
        self.rank.look(t, &self.a[..rows], v)
    }

    /// The rank along a step, which begins, goes on and is taken.
    pub(crate) fn rank(&mut self) -> &mut RankWatch {
        &mut self.rank
    }

    /// Whether |A v + b| ≤ `part` (Σ|aⱼvⱼ| + |b|) for every row loaded: what rounding leaves of A v, or
    /// no more than so much of it.
    pub(crate) fn holds(&self, v: &[f64], part: f64) -> bool {
        self.holds_within(v, |_| 0.0, part)
    }

    /// The same where terms of velocities of these sizes are larger.
    pub(crate) fn holds_within(&self, v: &[f64], sizes: impl Fn(usize) -> f64, part: f64) -> bool {
        let rows = self.a.chunks_exact(self.n).zip(&self.b).take(self.rows());
        rows.into_iter().all(|(a, b)| {
            let (mut sum, mut size) = (*b, b.abs());
            for (j, (a, v)) in a.iter().zip(v).enumerate() {
                sum += a * v;
                size += a.abs() * v.abs().max(sizes(j));
            }
            sum.abs() <= part * size
        })
    }

    /// Evaluates the rows at (t, q, v).
    pub(crate) fn load_rows(&mut self, system: &dyn System, t: f64, q: &[f64], v: &[f64]) {
        let Self { n, k, a, b, closed, gradients, gap_rates, own, own_closed, .. } = self;
        system.constraint_rows_at(t, q, v, &mut a[..*k * *n], &mut b[..*k]);
        if !closed.is_empty() {
            system.gap_rows(t, q, gradients, gap_rates);
        }
        for (i, &contact) in closed.iter().enumerate() {
            a[(*k + i) * *n..][..*n].copy_from_slice(&gradients[contact * *n..][..*n]);
            b[*k + i] = gap_rates[contact];
        }
        let first = *k + closed.len();
        if !own_closed.is_empty() {
            own.load(system, t, q);
        }
        for (i, &row) in (first..).zip(own_closed.iter()) {
            let (row, offset) = own.row(row);
            a[i * *n..][..*n].copy_from_slice(row);
            b[i] = offset;
        }
        let first = first + own_closed.len();
        let Self { n, a, b, sticking, terms, zero, .. } = self;
        if !sticking.is_empty() {
            // w = b where v = 0.
            terms.load(system, t, q, zero);
        }
        for (i, &component) in (first..).zip(sticking.iter()) {
            a[i * *n..][..*n].copy_from_slice(terms.row(component).0);
            b[i] = terms.offset(component);
        }
    }

    /// Evaluates φ and the gaps of the closed contacts.
    fn load_residuals(&mut self, system: &dyn System, t: f64, q: &[f64]) {
        let Self { holonomic, φ, closed, gaps, .. } = self;
        system.holonomic(t, q, &mut φ[..*holonomic]);
        if !closed.is_empty() {
            system.gaps(t, q, gaps);
            for (φ, &contact) in φ[*holonomic..].iter_mut().zip(closed.iter()) {
                *φ = gaps[contact];
            }
        }
    }

    /// Evaluates G and the rows at (t, q, v); none is taken yet.
    fn load(
        &mut self,
        system: &dyn System,
        t: f64,
        q: &[f64],
        v: &[f64],
    ) -> Result<(), NotPositiveDefinite> {
        system.mass_matrix_at(t, q, v, &mut self.metric);
        self.load_rows(system, t, q, v);
        self.space.set_metric(&self.metric)
    }

    /// δv at (t, q, v).
    pub(crate) fn velocity_change(
        &mut self,
        system: &dyn System,
        t: f64,
        q: &[f64],
        v: &[f64],
    ) -> Result<&[f64], Failure> {
        if self.nonlinear {
            return self.newton_change(system, (t, q, v));
        }
        self.load(system, t, q, v)?;
        Ok(self.counter(v))
    }

    /// The same for rows that do not depend on v, as those of φ.
    fn load_at_rest(
        &mut self,
        system: &dyn System,
        t: f64,
        q: &[f64],
    ) -> Result<(), NotPositiveDefinite> {
        let rest = std::mem::take(&mut self.rest);
        let loaded = self.load(system, t, q, &rest);
        self.rest = rest;
        loaded
    }

    /// δv by Newton's method, for rows that are not affine in v.
    fn newton_change(
        &mut self,
        system: &dyn System,
        (t, q, v): (f64, &[f64], &[f64]),
    ) -> Result<&[f64], Failure> {
        let (mut at, mut before) = (v.to_vec(), f64::INFINITY);
        for _ in 0..NEWTON_STEPS_MAX {
            self.load(system, t, q, &at)?;
            self.counter(&at);
            let (mut moved, mut size) = (0.0, 0.0);
            let masses = self.metric.iter().step_by(self.n + 1);
            for (mass, (at, change)) in masses.zip(at.iter_mut().zip(self.space.last_change())) {
                *at += change;
                moved += mass * change * change;
                size += mass * *at * *at;
            }
            let relative = (moved / (size + f64::MIN_POSITIVE)).sqrt();
            if !relative.is_finite() {
                return Err(Failure::Diverged);
            }
            let is_stagnant = relative <= STAGNANT && relative >= 0.5 * before;
            if relative <= NEWTON_TOLERANCE || is_stagnant {
                let changes = self.change.iter_mut().zip(at.iter().zip(v));
                changes.for_each(|(change, (at, v))| *change = at - v);
                return Ok(&self.change);
            }
            before = relative;
        }
        Err(Failure::Diverged)
    }

    /// Whether A and b depend on v.
    pub(crate) fn is_nonlinear(&self) -> bool {
        self.nonlinear
    }

    /// Takes the multipliers of the rows that are kept: λ of the constraints, and what else is in force.
    pub(crate) fn set_multipliers(&mut self, λ: &[f64], forces: Option<&ContactForces>) {
        let Self { μ, closed, own_closed, sticking, .. } = self;
        μ.clear();
        μ.extend_from_slice(λ);
        if let Some(forces) = forces {
            μ.extend(closed.iter().map(|contact| forces.forces()[*contact]));
            μ.extend(own_closed.iter().map(|row| forces.row_forces()[*row]));
            μ.extend(sticking.iter().map(|component| -forces.reactions()[*component]));
        }
    }

    /// δv at (t, q, v) with its rows loaded, after a step h in which the velocities have changed by
    /// `sizes`, or would have at its start; these become w. Where they would change by more than the
    /// part `allowed` (M taken as diagonal), errors are not what w says, and δv is the smallest in the metric of the energy.
    pub(crate) fn likely_change(
        &mut self,
        system: &dyn System,
        (t, q, v): (f64, &[f64], &[f64]),
        h: f64,
        sizes: &mut [f64],
        allowed: f64,
    ) -> Result<&[f64], Failure> {
        system.mass_matrix_at(t, q, v, &mut self.metric);
        let Self { n, a, μ, metric, .. } = self;
        let rows = a.chunks_exact(*n);
        for (i, (w, v)) in sizes.iter_mut().zip(v).enumerate() {
            let force: f64 = rows.clone().zip(&*μ).map(|(row, μ)| row[i] * μ).sum();
            let mass = metric[i * *n + i];
            if mass > 0.0 {
                *w = w.max((h * force / mass).abs());
            }
            *w += f64::EPSILON * v.abs() + f64::MIN_POSITIVE;
        }
        if self.rows() == 1 {
            let row = &self.a[..self.n];
            self.space.counter_of_one(row, sizes, dot(row, v) + self.b[0]);
        } else {
            self.space.set_weights(sizes);
            self.counter(v);
        }
        let (mut moved, mut largest) = (0.0, 0.0);
        let masses = self.metric.iter().step_by(self.n + 1);
        let changes = self.space.last_change().iter().zip(&*sizes).zip(v);
        for (mass, ((change, w), v)) in masses.zip(changes) {
            let (w, v) = (*w, v.abs());
            let size = if w > v { w } else { v };
            moved += mass * change * change;
            largest += mass * (size * size);
        }
        let is_likely = moved <= allowed * allowed * largest;
        if !is_likely {
            self.space.set_metric(&self.metric)?;
            self.counter(v);
        }
        Ok(self.space.last_change())
    }

    /// −G⁻¹Aᵀ(AG⁻¹Aᵀ)⁻¹(A v + b) of the rows loaded, in the metric that has been set.
    fn counter(&mut self, v: &[f64]) -> &[f64] {
        for row in 0..self.rows() {
            self.space.push(&self.a[row * self.n..][..self.n], 0.0);
        }
        let (n, a, b) = (self.n, &self.a, &self.b);
        self.space.counter(self.space.rank(), |row| dot(&a[row * n..][..n], v) + b[row])
    }

    /// Moves q to φ(t, q) = 0, and to g = 0 of the closed contacts. Fails where the first step is
    /// longer than `allowed` parts of the coordinates' scales.
    pub(crate) fn project_coordinates(
        &mut self,
        system: &dyn System,
        t: f64,
        q: &mut [f64],
        allowed: f64,
    ) -> Result<(), Failure> {
        let mut before = f64::INFINITY;
        for steps in 1..=NEWTON_STEPS_MAX {
            self.load_at_rest(system, t, q)?;
            self.load_residuals(system, t, q);
            let first = self.k - self.holonomic;
            let last = self.k + self.closed.len();
            for (i, φ) in self.φ[..last - first].iter().enumerate() {
                self.space.push(&self.a[(first + i) * self.n..][..self.n], *φ);
            }
            let change = self.space.correction(self.space.rank(), 1.0, &self.zero);
            system.rates(t, q, change, &mut self.moved);
            let mut scales = self.moved.iter().zip(&*q).zip(&self.scales);
            let is_far = |((change, q), scale): ((&f64, &f64), &f64)| {
                change.abs() > allowed * (q.abs() + scale)
            };
            if steps == 1 && scales.any(is_far) {
                return Err(Failure::Diverged);
            }
            let mut largest: f64 = 0.0;
            for ((q, change), floor) in q.iter_mut().zip(&self.moved).zip(&self.floors) {
                let relative = change.abs() / (q.abs() + floor);
                if !relative.is_finite() {
                    return Err(Failure::Diverged);
                }
                largest = largest.max(relative);
                *q += change;
            }
            normalise(system.info(), q);
            let is_stagnant = largest <= STAGNANT && largest >= 0.5 * before;
            let is_rounding =
                || steps >= NEWTON_STEPS_MIN && (is_stagnant || self.is_rounding(system, t, q));
            if largest <= NEWTON_TOLERANCE || is_rounding() {
                return Ok(());
            }
            before = largest;
        }
        Err(Failure::Diverged)
    }

    /// Whether all φ, and g of the closed contacts, that are loaded are no more than rounding leaves.
    fn is_rounding(&self, system: &dyn System, t: f64, q: &[f64]) -> bool {
        let scales = displacement_scales(system, t, q, &self.floors);
        let first = self.k - self.holonomic;
        let rows = self.a[first * self.n..].chunks_exact(self.n);
        let mut values = self.φ[..self.holonomic + self.closed.len()].iter().zip(rows);
        values.all(|(φ, row)| φ.abs() <= ROUNDINGS * f64::EPSILON * scale_of(row, &scales))
    }

    /// The first own row of a closed contact that a state violates by more than `tolerance` of
    /// its scale: the contact, the row among its own, A_c v + b_c.
    pub(crate) fn slip(
        &mut self,
        system: &dyn System,
        (t, q, v): (f64, &[f64], &[f64]),
        tolerance: f64,
    ) -> Result<Option<(usize, usize, f64)>, NotPositiveDefinite> {
        self.load(system, t, q, v)?;
        let speed = self.space.norm(v);
        for &contact in &self.closed {
            for (index, row) in self.own.of(contact).enumerate() {
                let (a, b) = self.own.row(row);
                let rate = dot(a, v) + b;
                if rate.abs() > tolerance * (self.space.row_norm(a) * speed + b.abs()) {
                    return Ok(Some((contact, index, rate)));
                }
            }
        }
        Ok(None)
    }

    /// Every constraint that the state violates by more than `tolerance` of its scale: for a row
    /// ‖row‖‖v‖ + |b|, for φ the sum of |∂φ/∂qⱼ| times the scale of qⱼ.
    pub(crate) fn violations(
        &mut self,
        system: &dyn System,
        t: f64,
        q: &[f64],
        v: &[f64],
        tolerance: f64,
    ) -> Result<Vec<Residual>, NotPositiveDefinite> {
        self.load(system, t, q, v)?;
        self.load_residuals(system, t, q);
        let speed = self.space.norm(v);
        let scales = displacement_scales(system, t, q, &self.floors);
        let first = self.k - self.holonomic;
        let mut found = Vec::new();
        for (i, row) in system.info().rows.iter().enumerate() {
            let a = &self.a[i * self.n..][..self.n];
            if i >= first {
                let value = self.φ[i - first];
                let scale = scale_of(a, &scales);
                let kind = ResidualKind::Holonomic;
                found.push(Residual { name: row.name, kind, value, tolerance: tolerance * scale });
            }
            let value = dot(a, v) + self.b[i];
            let scale = self.space.row_norm(a) * speed + self.b[i].abs();
            let kind = ResidualKind::Velocity;
            found.push(Residual { name: row.name, kind, value, tolerance: tolerance * scale });
        }
        found.retain(|residual| !within(residual));
        Ok(found)
    }
}

impl Manifold {
    /// The first constraint row that depends on those before it, at the state that was looked at last.
    pub(crate) fn first_dependent_row(&mut self) -> Option<usize> {
        (0..self.k).find(|row| !self.space.push(&self.a[row * self.n..][..self.n], 0.0))
    }
}

/// Σ |∂ⱼ| sⱼ: the scale of a function of the coordinates with this gradient along the speeds, and
/// displacements of these scales (`displacement_scales`).
pub(crate) fn scale_of(gradient: &[f64], scales: &[f64]) -> f64 {
    gradient.iter().zip(scales).map(|(gradient, scale)| gradient.abs() * scale).sum()
}

/// False also for a residual that is not a number.
fn within(residual: &Residual) -> bool {
    residual.value.abs() <= residual.tolerance
}

part! {
    Manifold {
        parts: [rank],
        values: [closed, own_closed, sticking],
        room: [
            n, k, holonomic, metric, a, b, φ, own, μ, terms, gaps, gradients, gap_rates, zero,
            moved, space, nonlinear, independent, change, rest, floors, scales,
        ],
    },
    |it, from| {
        from.contacts(&it.closed)?;
        from.check(it.own_closed.iter().all(|row| *row < it.own.count()))?;
        from.check(it.sticking.iter().all(|component| *component < it.terms.all_components()))?;
        from.check(it.rows() <= it.b.len())
    }
}
