//! The own rows of contacts, A_c v + b_c = 0 while contact c is closed, those of all contacts one
//! after another.

use crate::system::System;
use std::ops::Range;

/// The rows of one system at a configuration. All memory is taken by [`ContactRows::new`].
#[derive(Debug, Clone)]
pub(crate) struct ContactRows {
    m: usize,
    /// Where the rows of each contact begin, and their number.
    starts: Vec<usize>,
    a: Vec<f64>,
    b: Vec<f64>,
}

impl ContactRows {
    pub(crate) fn new(system: &dyn System) -> Self {
        let info = system.info();
        let (m, mut starts) = (info.speeds(), vec![0]);
        for contact in info.contacts {
            starts.push(starts[starts.len() - 1] + contact.rows.len());
        }
        let count = starts[starts.len() - 1];
        Self { m, starts, a: vec![0.0; count * m], b: vec![0.0; count] }
    }

    /// The number of rows of all contacts.
    pub(crate) fn count(&self) -> usize {
        self.b.len()
    }

    /// The rows of a contact.
    pub(crate) fn of(&self, contact: usize) -> Range<usize> {
        self.starts[contact]..self.starts[contact + 1]
    }

    /// The contact of a row.
    pub(crate) fn contact(&self, row: usize) -> usize {
        self.starts.partition_point(|start| *start <= row) - 1
    }

    /// Evaluates A_c and b_c of every contact that has rows.
    pub(crate) fn load(&mut self, system: &dyn System, t: f64, q: &[f64]) {
        for contact in 0..self.starts.len() - 1 {
            let rows = self.of(contact);
            if !rows.is_empty() {
                let a = &mut self.a[rows.start * self.m..rows.end * self.m];
                system.contact_rows(contact, t, q, a, &mut self.b[rows]);
            }
        }
    }

    /// Evaluates γ = Ȧ_c v + ḃ_c of all rows.
    pub(crate) fn drifts(
        &self,
        system: &dyn System,
        (t, q, v): (f64, &[f64], &[f64]),
        drifts: &mut [f64],
    ) {
        for contact in 0..self.starts.len() - 1 {
            let rows = self.of(contact);
            if !rows.is_empty() {
                system.contact_drift(contact, t, q, v, &mut drifts[rows]);
            }
        }
    }

    /// A row and its affine part.
    pub(crate) fn row(&self, row: usize) -> (&[f64], f64) {
        (&self.a[row * self.m..][..self.m], self.b[row])
    }
}
