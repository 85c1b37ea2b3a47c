//! Rows of A that are combinations of those before them.

use super::{Finding, STATES, ZERO, as_fraction, states};
use crate::dense::{self, Matrix};
use crate::eval::Estimate;
use crate::mechanics::sample::{Functions, Sample, Sampler};
use crate::mechanics::system::{RowKind, SystemModel};

/// Residuals φ above this share of their terms contradict those of other rows.
const CONTRADICTION: f64 = 1e-6;

/// A and b at a state.
struct Look {
    sample: Sample,
    rows: Matrix,
    affine: Vec<f64>,
}

/// The rows that depend on others at every state, with what they depend on: holonomic ones are
/// taken first.
pub(super) fn dependent(model: &SystemModel, functions: &Functions) -> Vec<Finding> {
    if model.rows.is_empty() {
        return Vec::new();
    }
    let (velocity, holonomic): (Vec<usize>, Vec<usize>) =
        (0..model.rows.len()).partition(|row| model.rows[*row].kind == RowKind::Velocity);
    let order = [holonomic, velocity].concat();
    let mut sampler = Sampler::new(model, functions, 0x0D0C);
    let mut found: Option<Vec<usize>> = None;
    let mut looks: Vec<Look> = Vec::new();
    for sample in states(&mut sampler, STATES) {
        let Some(look) = look(model, &sampler, sample) else { continue };
        let ordered: Matrix = order.iter().map(|row| look.rows[*row].clone()).collect();
        let taken: Vec<usize> =
            dense::independent_rows(&ordered).into_iter().map(|place| order[place]).collect();
        let all = found.take().unwrap_or_else(|| order.clone());
        let dependent: Vec<usize> = all.into_iter().filter(|row| !taken.contains(row)).collect();
        if dependent.is_empty() {
            return Vec::new();
        }
        found = Some(dependent);
        looks.push(look);
    }
    let dependent = found.unwrap_or_default();
    let finding = |row: &usize| {
        let before = order.iter().take_while(|other| *other != row);
        let others = before.copied().filter(|other| !dependent.contains(other)).collect();
        combination(model, &sampler, &looks, (*row, others))
    };
    dependent.iter().filter_map(finding).collect()
}

/// The values, rounding made 0; `None` where they are not all defined.
fn look(model: &SystemModel, sampler: &Sampler<'_>, sample: Sample) -> Option<Look> {
    let n = model.speeds.len();
    let entries: Vec<_> = model.rows.iter().flat_map(|row| &row.coefficients).copied().collect();
    let values = sampler.evaluate_with_error(&entries, &sample);
    if values.iter().any(|entry| !entry.value.is_finite()) {
        return None;
    }
    let clean = |e: &Estimate| if e.value.abs() <= ZERO * e.size { 0.0 } else { e.value };
    let rows = values.chunks(n.max(1)).map(|row| row.iter().map(clean).collect()).collect();
    let affine: Vec<_> = model.rows.iter().map(|row| row.affine).collect();
    let affine = sampler.evaluate_with_error(&affine, &sample).iter().map(clean).collect();
    Some(Look { sample, rows, affine })
}

/// row = Σ c_j row_j over independent others, by least squares at each state.
fn combination(
    model: &SystemModel,
    sampler: &Sampler<'_>,
    looks: &[Look],
    (row, others): (usize, Vec<usize>),
) -> Option<Finding> {
    let (mut factors, mut consistent) = (vec![Vec::new(); others.len()], true);
    for look in looks {
        let basis: Matrix = others.iter().map(|other| look.rows[*other].clone()).collect();
        let c = projection(&basis, &look.rows[row])?;
        let terms: Vec<f64> = others.iter().zip(&c).map(|(o, c)| c * look.affine[*o]).collect();
        let affine = look.affine[row];
        let size = terms.iter().fold(affine.abs(), |m, term| m.max(term.abs()));
        consistent &= (affine - terms.iter().sum::<f64>()).abs() <= ZERO * size;
        factors.iter_mut().zip(c).for_each(|(all, c)| all.push(c));
    }
    if consistent && let Some(φ) = holonomic_index(model, row) {
        let mut sample = looks.first()?.sample.clone();
        consistent = sampler.settled(&mut sample)[φ].abs() <= CONTRADICTION;
    }
    let on = others.iter().zip(&factors).filter(|(_, c)| c.iter().any(|c| c.abs() > ZERO));
    let on = on.map(|(other, c)| (*other, as_fraction(c))).collect();
    Some(Finding::DependentRow { row, on, consistent })
}

/// c with Σ c_j basis_j = row, of independent rows.
fn projection(basis: &[Vec<f64>], row: &[f64]) -> Option<Vec<f64>> {
    let gram: Matrix =
        basis.iter().map(|a| basis.iter().map(|b| dense::dot(a, b)).collect()).collect();
    dense::solve(&gram, &dense::times(basis, row))
}

/// The place of a holonomic row among these.
fn holonomic_index(model: &SystemModel, row: usize) -> Option<usize> {
    let is_holonomic = |row: usize| matches!(model.rows[row].kind, RowKind::Holonomic { .. });
    is_holonomic(row).then(|| (0..row).filter(|other| is_holonomic(*other)).count())
}
