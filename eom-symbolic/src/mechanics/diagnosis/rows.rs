//! Rows of A that are combinations of those before them; components of vector rows that are 0 = 0.

use super::{Finding, ZERO, as_fraction, free, placed, states, without_functions};
use crate::dense::{self, Matrix};
use crate::eval::Estimate;
use crate::mechanics::claim::sample::{Functions, Sample, Sampler};
use crate::mechanics::system::SystemModel;
use crate::mechanics::system::declared::{Row, RowKind};
use crate::node::ExprId;

/// Residuals φ above this share of their terms contradict those of other rows.
const CONTRADICTION: f64 = 1e-6;

/// Which of the components of vector rows are 0 = 0 wherever parameters are within their bounds: those
/// of A and of contacts, and `bare` ones, which hold nothing that moves. They are no rows; by their names,
/// `roll[3]` and `foot.roll[3]`. The normal form does not know every identity, and no bounds.
pub fn vanishing(model: &mut SystemModel, bare: &[(String, ExprId)]) -> Vec<String> {
    let mut components: Vec<(String, Vec<ExprId>)> = components(model);
    components.extend(bare.iter().map(|(name, e)| (name.clone(), vec![*e])));
    if components.is_empty() {
        return Vec::new();
    }
    for (_, values) in &mut components {
        without_functions(model, values);
    }
    let functions = Functions::none(model);
    let sampler = Sampler::new(model, &functions, 0x0E0E);
    let all: Vec<ExprId> = components.iter().flat_map(|(_, values)| values).copied().collect();
    let samples = states((model, &functions), &all, 0x0E0E, free);
    let is_zero = |values: &[ExprId], sample: &Sample| {
        let values = sampler.evaluate_with_error(values, sample);
        values.iter().all(|value| value.value.abs() <= ZERO * value.size)
    };
    let vanishes = |values: &[ExprId]| {
        !samples.is_empty() && samples.iter().all(|sample| is_zero(values, sample))
    };
    components.retain(|(_, values)| vanishes(values));
    components.into_iter().map(|(name, _)| name).collect()
}

/// The components among the rows, each with all that is 0 where it is 0 = 0.
fn components(model: &SystemModel) -> Vec<(String, Vec<ExprId>)> {
    let rows = model.rows.iter().map(|row| (row.named.name.clone(), row));
    let of_contacts = model.contacts.iter().flat_map(|contact| {
        let name = |row: &Row| format!("{}.{}", contact.named.name, row.named.name);
        contact.rows.iter().map(move |row| (name(row), row))
    });
    let components = rows.chain(of_contacts).filter(|(name, _)| name.ends_with(']'));
    let values = |row: &Row| {
        let mut values = row.coefficients.clone();
        values.push(row.affine);
        if let RowKind::Holonomic { residual } = row.kind {
            values.push(residual);
        }
        values
    };
    components.map(|(name, row)| (name, values(row))).collect()
}

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
    let is_holonomic = |row: &usize| matches!(model.rows[*row].kind, RowKind::Holonomic { .. });
    let (holonomic, velocity): (Vec<usize>, Vec<usize>) =
        (0..model.rows.len()).partition(is_holonomic);
    let order = [holonomic, velocity].concat();
    let sampler = Sampler::new(model, functions, 0x0D0C);
    let mut found: Option<Vec<usize>> = None;
    let mut looks: Vec<Look> = Vec::new();
    for sample in states((model, functions), &functions.holonomic, 0x0D0C, placed) {
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
    // Off φ = 0, where states are, b of rows by Chetaev's rule does not tell.
    let is_affine = model.chetaev_row().is_none();
    for look in looks {
        let basis: Matrix = others.iter().map(|other| look.rows[*other].clone()).collect();
        let c = projection(&basis, &look.rows[row])?;
        let terms: Vec<f64> = others.iter().zip(&c).map(|(o, c)| c * look.affine[*o]).collect();
        let affine = look.affine[row];
        let size = terms.iter().fold(affine.abs(), |m, term| m.max(term.abs()));
        let agrees = (affine - terms.iter().sum::<f64>()).abs() <= ZERO * size;
        consistent &= agrees || !is_affine;
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
