//! The rows of constraints and of closed contacts at one configuration, in the metric of the
//! kinetic energy: what accelerations in contact and impulses of several contacts are solved with.
//!
//! With B = [A; C], C the rows ∇g of a set of contacts, then their own rows, and a residual r that
//! belongs to B,
//!
//! ```text
//! δ = −M⁻¹Bᵀ(BM⁻¹Bᵀ)⁻¹ r = M⁻¹Bᵀμ
//! ```
//!
//! is the smallest change with B δ = −r, and μ its multipliers.

mod active_set;

pub(crate) use active_set::{ActiveSet, Slack};

use super::contact_rows::ContactRows;
use crate::error::NotPositiveDefinite;
use crate::linear::linalg::dot;
use crate::linear::metric::RowSpace;
use crate::system::System;

/// Which row a residual is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Row {
    /// A constraint, by its index.
    Constraint(usize),
    /// The gap of a contact, by the contact's index.
    Gap(usize),
    /// An own row of a contact, by its place among those of all contacts.
    Own(usize),
}

/// Metric and rows of one system. All memory is taken by [`Rows::new`].
#[derive(Debug, Clone)]
pub(crate) struct Rows {
    m: usize,
    k: usize,
    metric: Vec<f64>,
    a: Vec<f64>,
    b: Vec<f64>,
    gradients: Vec<f64>,
    rates: Vec<f64>,
    own: ContactRows,
    space: RowSpace,
    closed: Vec<usize>,
    /// The own rows of the closed contacts.
    own_closed: Vec<usize>,
    /// What else is in force: rows of friction terms that stick.
    others: usize,
    multipliers: Vec<f64>,
    force: Vec<f64>,
}

impl Rows {
    /// Room for a system's m speeds, k constraints and its contacts.
    pub(crate) fn new(system: &dyn System) -> Self {
        let info = system.info();
        let (m, k, contacts) = (info.speeds(), info.rows.len(), info.contacts.len());
        let own = ContactRows::new(system);
        let all = k + contacts + own.count();
        Self {
            m,
            k,
            metric: vec![0.0; m * m],
            a: vec![0.0; k * m],
            b: vec![0.0; k],
            gradients: vec![0.0; contacts * m],
            rates: vec![0.0; contacts],
            space: RowSpace::new(m, all),
            closed: Vec::with_capacity(contacts),
            own_closed: Vec::with_capacity(own.count()),
            others: 0,
            multipliers: vec![0.0; all],
            force: vec![0.0; m],
            own,
        }
    }

    /// Evaluates M, A, b, ∇g, ∂g/∂t at a state.
    pub(crate) fn load(
        &mut self,
        system: &dyn System,
        (t, q, v): (f64, &[f64], &[f64]),
    ) -> Result<(), NotPositiveDefinite> {
        system.mass_matrix_at(t, q, v, &mut self.metric);
        system.constraint_rows(t, q, &mut self.a, &mut self.b);
        system.gap_rows(t, q, &mut self.gradients, &mut self.rates);
        self.own.load(system, t, q);
        self.space.set_metric(&self.metric)
    }

    /// Takes B = [A; ∇g of these contacts; their own rows]. False where the ∇g of one of them
    /// depends on the others.
    pub(crate) fn close(&mut self, contacts: &[usize]) -> bool {
        self.space.clear();
        self.closed.clear();
        self.own_closed.clear();
        self.others = 0;
        for row in 0..self.k {
            self.space.push(&self.a[row * self.m..][..self.m], 0.0);
        }
        let mut independent = true;
        for &contact in contacts {
            self.closed.push(contact);
            independent &= self.space.push(&self.gradients[contact * self.m..][..self.m], 0.0);
        }
        for row in contacts.iter().flat_map(|&contact| self.own.of(contact)) {
            self.own_closed.push(row);
            self.space.push(self.own.row(row).0, 0.0);
        }
        independent
    }

    /// Takes one more row into B. False where it depends on the others.
    pub(crate) fn push(&mut self, row: &[f64]) -> bool {
        self.others += 1;
        self.space.push(row, 0.0)
    }

    /// Leaves out one more row, as one that depends on the others.
    pub(crate) fn leave_out(&mut self) {
        self.others += 1;
        self.space.leave_out();
    }

    /// Takes ∇g of a contact into B. False where it depends on the others.
    pub(crate) fn push_gap(&mut self, contact: usize) -> bool {
        self.others += 1;
        self.space.push(&self.gradients[contact * self.m..][..self.m], 0.0)
    }

    /// Whether ∇g of a contact depends on the rows of B.
    pub(crate) fn depends(&mut self, contact: usize) -> bool {
        let (offered, rank) = (self.space.offered(), self.space.rank());
        let independent = self.space.push(&self.gradients[contact * self.m..][..self.m], 0.0);
        self.space.forget(rank, offered);
        !independent
    }

    /// δ for residuals given in the order of the rows: A, contacts, own rows, others.
    pub(crate) fn change_of(&mut self, residuals: &[f64]) -> &[f64] {
        self.space.counter(self.space.rank(), |row| residuals[row])
    }

    /// Takes away what the constraints do not let a velocity be, where no other rows are in force: N M x for x. There is
    /// room for k residuals.
    pub(crate) fn constrain(&mut self, velocity: &mut [f64], residuals: &mut [f64]) {
        for (row, residual) in residuals.iter_mut().enumerate() {
            *residual = dot(self.constraint(row).0, velocity);
        }
        let change = self.change_of(residuals);
        velocity.iter_mut().zip(change).for_each(|(v, change)| *v += change);
    }

    /// μ of the last change, in the order of the rows.
    pub(crate) fn all_multipliers(&mut self) -> &[f64] {
        let count = self.k + self.closed.len() + self.own_closed.len() + self.others;
        if self.multipliers.len() < count {
            self.multipliers.resize(count, 0.0);
        }
        self.space.multipliers(&mut self.multipliers[..count]);
        &self.multipliers[..count]
    }

    /// M x.
    pub(crate) fn momentum(&mut self, x: &[f64]) -> &[f64] {
        let rows = self.metric.chunks_exact(self.m.max(1));
        self.force.iter_mut().zip(rows).for_each(|(f, row)| *f = dot(row, x));
        &self.force
    }

    /// M, m×m.
    pub(crate) fn metric(&self) -> &[f64] {
        &self.metric
    }

    /// The same of a row of A.
    pub(crate) fn constraint_mobility(&mut self, row: usize) -> f64 {
        let Self { space, a, m, .. } = self;
        space.row_norm(&a[row * *m..][..*m]).powi(2)
    }

    /// ‖r‖² of a row in the metric.
    pub(crate) fn row_mobility(&mut self, row: &[f64]) -> f64 {
        self.space.row_norm(row).powi(2)
    }

    /// δ for the residual of each row of B.
    pub(crate) fn change(&mut self, mut residual: impl FnMut(Row) -> f64) -> &[f64] {
        let Self { k, space, closed, own_closed, .. } = self;
        space.counter(space.rank(), |row| {
            residual(match row.checked_sub(*k) {
                None => Row::Constraint(row),
                Some(index) if index < closed.len() => Row::Gap(closed[index]),
                Some(index) => Row::Own(own_closed[index - closed.len()]),
            })
        })
    }

    /// μ of the last change: first those of A, then those of the contacts in their order.
    pub(crate) fn multipliers(&mut self) -> (&[f64], &[f64]) {
        let gaps = self.k + self.closed.len();
        self.space.multipliers(&mut self.multipliers[..gaps + self.own_closed.len()]);
        self.multipliers[..gaps].split_at(self.k)
    }

    /// Those of the own rows in force, each with its place among those of all contacts, after
    /// [`Rows::multipliers`].
    pub(crate) fn own_multipliers(&self) -> impl Iterator<Item = (usize, f64)> {
        let first = self.k + self.closed.len();
        self.own_closed.iter().copied().zip(self.multipliers[first..].iter().copied())
    }

    /// The own rows of all contacts.
    pub(crate) fn own(&self) -> &ContactRows {
        &self.own
    }

    /// A_c v + b_c of an own row.
    pub(crate) fn own_rate(&self, row: usize, v: &[f64]) -> f64 {
        let (row, offset) = self.own.row(row);
        dot(row, v) + offset
    }

    /// The number of independent rows of B.
    pub(crate) fn rank(&self) -> usize {
        self.space.rank()
    }

    /// The number of constraints.
    pub(crate) fn constraints(&self) -> usize {
        self.k
    }

    /// A row of A and its b.
    pub(crate) fn constraint(&self, row: usize) -> (&[f64], f64) {
        (&self.a[row * self.m..][..self.m], self.b[row])
    }

    /// ∇g and ∂g/∂t of a contact.
    pub(crate) fn gap(&self, contact: usize) -> (&[f64], f64) {
        (&self.gradients[contact * self.m..][..self.m], self.rates[contact])
    }

    /// ġ of a contact.
    pub(crate) fn gap_rate(&self, contact: usize, v: &[f64]) -> f64 {
        let (gradient, rate) = self.gap(contact);
        dot(gradient, v) + rate
    }

    /// ‖∇g‖² in the metric, the constraints left aside.
    pub(crate) fn mobility(&mut self, contact: usize) -> f64 {
        self.space.row_norm(&self.gradients[contact * self.m..][..self.m]).powi(2)
    }

    /// M⁻¹ F of a force.
    pub(crate) fn acceleration(&mut self, force: &[f64]) -> &[f64] {
        self.space.raise(force)
    }

    /// ‖v‖ in the metric.
    pub(crate) fn norm(&mut self, v: &[f64]) -> f64 {
        self.space.norm(v)
    }

    /// Whether neither A nor the rows of these contacts move by themselves: b = 0, ∂g/∂t = 0.
    pub(crate) fn are_fixed(&self, contacts: &[usize]) -> bool {
        let fixed = |contact: usize| {
            let mut own = self.own.of(contact);
            self.rates[contact] == 0.0 && own.all(|row| self.own.row(row).1 == 0.0)
        };
        self.b.iter().all(|b| *b == 0.0) && contacts.iter().all(|&contact| fixed(contact))
    }
}
