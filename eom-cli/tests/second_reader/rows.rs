//! Rows and matrices of the compiled functions, and those that are in force where a claim is stated.

use super::linear::{Matrix, dot};
use super::subject::Subject;
use eom_core::System;

/// M.
pub(super) fn mass(system: &dyn System, t: f64, q: &[f64]) -> Matrix {
    let m = system.info().speeds();
    let mut entries = vec![0.0; m * m];
    system.mass_matrix(t, q, &mut entries);
    entries.chunks(m).map(<[f64]>::to_vec).collect()
}

/// A and b.
pub(super) fn constraints(system: &dyn System, t: f64, q: &[f64]) -> (Matrix, Vec<f64>) {
    let (m, k) = (system.info().speeds(), system.info().rows.len());
    let (mut a, mut b) = (vec![0.0; k * m], vec![0.0; k]);
    system.constraint_rows(t, q, &mut a, &mut b);
    (a.chunks(m).map(<[f64]>::to_vec).collect(), b)
}

/// ∇g and ∂g/∂t of a contact.
pub(super) fn gap(system: &dyn System, contact: usize, t: f64, q: &[f64]) -> (Vec<f64>, f64) {
    let (m, c) = (system.info().speeds(), system.info().contacts.len());
    let (mut gradients, mut rates) = (vec![0.0; c * m], vec![0.0; c]);
    system.gap_rows(t, q, &mut gradients, &mut rates);
    (gradients[contact * m..][..m].to_vec(), rates[contact])
}

/// The own rows of a contact.
pub(super) fn own(system: &dyn System, contact: usize, t: f64, q: &[f64]) -> (Matrix, Vec<f64>) {
    let (m, s) = (system.info().speeds(), system.info().contacts[contact].rows.len());
    let (mut a, mut b) = (vec![0.0; s * m], vec![0.0; s]);
    system.contact_rows(contact, t, q, &mut a, &mut b);
    (a.chunks(m).map(<[f64]>::to_vec).collect(), b)
}

/// The residuals of φ and of the gaps of contacts, with their rows.
pub(super) fn rows_in_force(
    system: &dyn System,
    subject: &Subject<'_>,
    t: f64,
    q: &[f64],
) -> (Matrix, Vec<f64>) {
    let info = system.info();
    let (rows, _) = constraints(system, t, q);
    let mut rows = rows[info.rows.len() - info.holonomic_count()..].to_vec();
    let mut residuals = vec![0.0; rows.len()];
    system.holonomic(t, q, &mut residuals);
    let mut gaps = vec![0.0; info.contacts.len()];
    system.gaps(t, q, &mut gaps);
    for &contact in subject.closed.iter().chain(&subject.contact) {
        rows.push(gap(system, contact, t, q).0);
        residuals.push(gaps[contact]);
    }
    (rows, residuals)
}

/// The rows that the velocity satisfies: those of A, and ∇g and the own rows of closed contacts.
pub(super) fn velocity_rows(
    system: &dyn System,
    subject: &Subject<'_>,
    t: f64,
    q: &[f64],
) -> (Matrix, Vec<f64>) {
    let (mut rows, mut offsets) = constraints(system, t, q);
    for &contact in &subject.closed {
        let ((gradient, rate), (own, own_offsets)) =
            (gap(system, contact, t, q), own(system, contact, t, q));
        rows.push(gradient);
        offsets.push(rate);
        rows.extend(own);
        offsets.extend(own_offsets);
    }
    (rows, offsets)
}

/// A v + b of such rows.
pub(super) fn rates((rows, offsets): &(Matrix, Vec<f64>), v: &[f64]) -> Vec<f64> {
    rows.iter().zip(offsets).map(|(row, b)| dot(row, v) + b).collect()
}

/// B of a claim with the names of its rows: the rows of A that the contact does not release, ∇g,
/// the own rows of the contact; without a contact those of A.
pub(super) fn named_rows(
    system: &dyn System,
    contact: Option<usize>,
    t: f64,
    q: &[f64],
) -> (Vec<String>, Matrix) {
    let info = system.info();
    let released = contact.map_or(&[][..], |contact| info.contacts[contact].releases);
    let (mut names, mut rows) = (Vec::new(), Matrix::new());
    for (i, row) in constraints(system, t, q).0.into_iter().enumerate() {
        if !released.contains(&i) {
            names.push(info.rows[i].ascii.to_owned());
            rows.push(row);
        }
    }
    if let Some(contact) = contact {
        let about = &info.contacts[contact];
        names.push(about.ascii.to_owned());
        rows.push(gap(system, contact, t, q).0);
        names.extend(about.rows.iter().map(|row| format!("{}.{}", about.ascii, row.ascii)));
        rows.extend(own(system, contact, t, q).0);
    }
    (names, rows)
}
