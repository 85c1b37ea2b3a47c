//! Contacts whose impact changes nothing, and own rows that depend on those before them in B.

use super::{Finding, STATES};
use crate::dense::{self, Matrix};
use crate::mechanics::claim::sample::{ContactRows, Functions, Sample, Sampler, elsewhere};
use crate::mechanics::system::SystemModel;

/// ∇g below this share of what it is elsewhere vanishes with g: Newton converges to a double root
/// by halves.
const VANISHED: f64 = 1e-5;

const SEED: u64 = 0xC047;

/// A combination takes a row where its factor is larger.
const FACTOR: f64 = 1e-7;

/// The findings of all contacts.
pub(super) fn ineffective(model: &SystemModel, functions: &Functions) -> Vec<Finding> {
    let contacts = 0..model.contacts.len();
    contacts.flat_map(|contact| of_contact(model, functions, contact)).collect()
}

/// A contact at a state: the rows of A that its B keeps, and its own.
struct Look {
    kept: Matrix,
    own: ContactRows,
    /// The largest entry of ∇g at a state off the surface.
    usual: f64,
}

fn of_contact(model: &SystemModel, functions: &Functions, contact: usize) -> Vec<Finding> {
    let kept: Vec<usize> = model.contacts[contact]
        .rows_of_b(model.rows.len())
        .into_iter()
        .filter(|row| *row < model.rows.len())
        .collect();
    let mut near = Sampler::new(model, functions, SEED);
    let mut looks: Vec<Look> =
        (0..STATES).filter_map(|_| look(&mut near, contact, &kept)).collect();
    let mut others = elsewhere(model, functions, &functions.gaps[contact..=contact], SEED);
    looks.extend(others.iter_mut().filter_map(|sampler| look(sampler, contact, &kept)));
    if looks.is_empty() {
        return Vec::new();
    }
    let largest = |row: &[f64]| row.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    if looks.iter().all(|look| largest(&look.own.gradient) <= VANISHED * look.usual) {
        return vec![Finding::IdleContact { contact, on: Vec::new() }];
    }
    let before = |look: &Look, own: usize| -> Matrix {
        let rows = look.kept.iter().chain([&look.own.gradient]);
        rows.chain(&look.own.rows[..own]).cloned().collect()
    };
    if let Some(on) = combination(&looks, |look| (look.kept.clone(), look.own.gradient.clone())) {
        return vec![Finding::IdleContact { contact, on: on.iter().map(|i| kept[*i]).collect() }];
    }
    let mut findings = Vec::new();
    for row in 0..model.contacts[contact].rows.len() {
        let split = |look: &Look| (before(look, row), look.own.rows[row].clone());
        if let Some(on) = combination(&looks, split) {
            let gap = on.contains(&kept.len());
            let on = on.iter().filter_map(|i| kept.get(*i).copied()).collect();
            findings.push(Finding::DependentContactRow { contact, row, on, gap });
        }
    }
    findings
}

/// The surface where it is found, else what the constraints leave.
fn look(sampler: &mut Sampler<'_>, contact: usize, kept: &[usize]) -> Option<Look> {
    let free = sampler.free().ok()?;
    let usual = sampler.contact(contact, &free).gradient;
    let usual = usual.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let sample: Sample =
        sampler.positioned(Some(contact)).or_else(|| sampler.positioned(None)).unwrap_or(free);
    let rows = sampler.rows(&sample).0;
    let own = sampler.contact(contact, &sample);
    let finite =
        rows.iter().chain(&own.rows).chain([&own.gradient]).flatten().all(|x| x.is_finite());
    finite.then(|| Look { kept: kept.iter().map(|row| rows[*row].clone()).collect(), own, usual })
}

/// The rows that the last one is a combination of, where it is one at every look.
fn combination(looks: &[Look], split: impl Fn(&Look) -> (Matrix, Vec<f64>)) -> Option<Vec<usize>> {
    let mut used: Vec<usize> = Vec::new();
    for look in looks {
        let (mut rows, last) = split(look);
        let taken = dense::independent_rows(&rows);
        rows.push(last.clone());
        if dense::independent_rows(&rows).contains(&(rows.len() - 1)) {
            return None;
        }
        let basis: Matrix = taken.iter().map(|row| rows[*row].clone()).collect();
        let gram: Matrix =
            basis.iter().map(|a| basis.iter().map(|b| dense::dot(a, b)).collect()).collect();
        let factors = dense::solve(&gram, &dense::times(&basis, &last))?;
        let takes = taken.iter().zip(factors).filter(|(_, c)| c.abs() > FACTOR);
        used.extend(takes.map(|(row, _)| *row));
    }
    used.sort_unstable();
    used.dedup();
    Some(used)
}
