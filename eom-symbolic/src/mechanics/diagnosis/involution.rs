//! The largest integrable system within a system of 1-forms: what vanishes on all brackets of the
//! fields that it annihilates.
//!
//! With pivot columns p and free columns c of (A b), ker I has the fields V_c = X_c − Σ (A_p⁻¹A_c)_p X_p
//! and the closure under brackets is that of the Lie flag
//!
//! ```text
//! D_0 = span V,  D_(i+1) = D_i + [V, D_i],  [U, V]^k = U(V^k) − V(U^k) + Σ U^i V^j c_ij^k
//! I^∞ = {f : Σ f_a ω^a = 0 on D_∞}
//! ```
//!
//! at a generic state. The fields are expressions, so that they can be differentiated again.

use super::{Subject, without_functions};
use crate::dense::{self, Matrix};
use crate::diff::Tangent;
use crate::mechanics::claim::sample::{Functions, Sample, Sampler};
use crate::mechanics::system::SystemModel;
use crate::node::{ExprId, SymbolId};
use crate::pool::ExprPool;

/// Nodes that may be made before the question is given up.
const NODES_MAX: usize = 60_000;

/// Entries below this are rounding of brackets.
const ENTRY: f64 = 1e-8;

/// A field by its components along X_0, …, X_m.
type Field = Vec<ExprId>;

/// I^∞ at a state, as combinations of the rows, of which so many are in it: `None` where it would cost too much.
pub(super) fn terminal(
    model: &mut SystemModel,
    subject: &Subject<'_>,
    (sample, integrable): (&Sample, usize),
) -> Option<Matrix> {
    let declared = subject.declared;
    let forms: Vec<Field> = declared
        .rows
        .iter()
        .map(|row| row.coefficients.iter().copied().chain([row.affine]).collect())
        .collect();
    let mut numbers = Numbers::new(subject.functions, sample);
    let values = numbers.all(model, &forms);
    let start = model.pool.len();
    let generators = kernel(model, &forms, &values)?;
    let mut space = numbers.all(model, &generators);
    // What vanishes on all of D_∞ is in I^∞: there is no larger one.
    let largest = forms.first()?.len() - integrable;
    let (mut newest, mut is_first) = (generators.clone(), true);
    while !newest.is_empty() && space.len() < largest {
        let mut found = Vec::new();
        for (i, v) in generators.iter().enumerate() {
            // [v, v] = 0, and [v, d] = −[d, v].
            for d in newest.iter().skip(if is_first { i + 1 } else { 0 }) {
                if model.pool.len() > start + NODES_MAX {
                    return None;
                }
                let bracket = bracket(model, declared, v, d);
                if space.len() < largest && takes(&mut space, &numbers.of(model, &bracket)) {
                    found.push(bracket);
                }
            }
        }
        (newest, is_first) = (found, false);
    }
    // ω^a on the fields of the closure, by rows.
    let on = |form: &Vec<f64>| -> Vec<f64> {
        let value = |field: &Vec<f64>| {
            let terms = form.iter().zip(field).map(|(x, y)| x * y);
            let size: f64 = terms.clone().map(f64::abs).sum();
            let value: f64 = terms.sum();
            if value.abs() <= ENTRY * size { 0.0 } else { value }
        };
        space.iter().map(value).collect()
    };
    let on: Matrix = values.iter().map(on).collect();
    Some(dense::left_null_space(&on, space.len()))
}

/// The values of fields and forms at a state: a bracket has most of its parts from those before it, which are evaluated
/// once.
struct Numbers<'s> {
    functions: &'s Functions,
    sample: &'s Sample,
    /// The state, with values of declared functions that it lacks.
    state: Sample,
    /// How many symbols there were when those were drawn.
    symbols: usize,
    known: Vec<Option<f64>>,
}

impl<'s> Numbers<'s> {
    fn new(functions: &'s Functions, sample: &'s Sample) -> Self {
        Self { functions, sample, state: Sample::default(), symbols: 0, known: Vec::new() }
    }

    fn all(&mut self, model: &mut SystemModel, fields: &[Field]) -> Matrix {
        fields.iter().map(|field| self.of(model, field)).collect()
    }

    fn of(&mut self, model: &mut SystemModel, field: &Field) -> Vec<f64> {
        let mut entries = field.clone();
        without_functions(model, &mut entries);
        let symbols = model.pool.symbols().len();
        if symbols > self.symbols {
            // Those that there were are drawn as before: the new ones are the last.
            let drawn = Sampler::new(model, self.functions, 0xB7AC).free();
            self.state = drawn.unwrap_or_default();
            self.state.overwrite(self.sample);
            self.symbols = symbols;
        }
        let symbol = |symbol| self.state.value(model.pool.symbol_info(symbol).kind);
        model.pool.evaluate_more(&entries, &mut self.known, symbol)
    }
}

/// The fields of the kernel, by elimination with pivots that are largest at the state.
fn kernel(model: &mut SystemModel, forms: &[Field], values: &Matrix) -> Option<Vec<Field>> {
    let (mut a, mut x) = (forms.to_vec(), values.clone());
    let width = a.first()?.len();
    let mut pivots = Vec::new();
    for row in 0..a.len() {
        let column = (0..width).max_by(|i, j| x[row][*i].abs().total_cmp(&x[row][*j].abs()))?;
        if x[row][column].abs() <= ENTRY {
            return None;
        }
        pivots.push(column);
        let (pivot, p) = (a[row][column], x[row][column]);
        for j in 0..width {
            a[row][j] = model.pool.div(a[row][j], pivot);
            x[row][j] /= p;
        }
        for i in (0..a.len()).filter(|i| *i != row) {
            let (factor, f) = (a[i][column], x[i][column]);
            for j in 0..width {
                let term = model.pool.mul(factor, a[row][j]);
                a[i][j] = if j == column { ExprPool::ZERO } else { model.pool.sub(a[i][j], term) };
                x[i][j] = if j == column { 0.0 } else { x[i][j] - f * x[row][j] };
            }
        }
    }
    let mut fields = Vec::new();
    for free in (0..width).filter(|column| !pivots.contains(column)) {
        let mut field = vec![ExprPool::ZERO; width];
        field[free] = ExprPool::ONE;
        for (row, pivot) in a.iter().zip(&pivots) {
            field[*pivot] = model.pool.neg(row[free]);
        }
        fields.push(field);
    }
    Some(fields)
}

/// [u, v].
fn bracket(model: &mut SystemModel, declared: &SystemModel, u: &Field, v: &Field) -> Field {
    let (mut along_u, mut along_v) = (direction(model, u), direction(model, v));
    let pool = &mut model.pool;
    let mut result = Vec::with_capacity(u.len());
    for k in 0..u.len() {
        let (first, second) = (along_u.derivative(pool, v[k]), along_v.derivative(pool, u[k]));
        let mut terms = vec![(ExprPool::ONE, first), (ExprPool::MINUS_ONE, second)];
        let kinematics = declared.kinematics.as_ref();
        let brackets = kinematics.map_or(&[][..], |kinematics| &kinematics.brackets);
        for bracket in brackets.iter().filter(|bracket| bracket.k == k) {
            terms.push((
                ExprPool::ONE,
                pool.product_of(&[bracket.value, u[bracket.i], v[bracket.j]]),
            ));
        }
        result.push(pool.sum(&terms));
    }
    result
}

/// The derivative along a field: q̇ = S u, ṫ = u_m.
fn direction(model: &mut SystemModel, field: &Field) -> Tangent {
    let (speeds, time) = field.split_at(field.len() - 1);
    let pool = &mut model.pool;
    let rates: Vec<ExprId> = match &model.kinematics {
        None => speeds.to_vec(),
        Some(kinematics) => {
            let dot = |row: &Vec<ExprId>| crate::mechanics::linear::dot(pool, row, speeds);
            kinematics.map.iter().map(dot).collect()
        }
    };
    let moving: Vec<SymbolId> = model.positions();
    Tangent::new(moving.into_iter().zip(rates).chain([(model.time, time[0])]))
}

/// Takes a field into a span where it is not in it yet.
fn takes(span: &mut Matrix, value: &[f64]) -> bool {
    let usual = value.iter().all(|x| x.is_finite()) && value.iter().any(|x| x.abs() > ENTRY);
    if !usual {
        return false;
    }
    span.push(value.to_vec());
    let larger = dense::independent_rows(span).len() == span.len();
    if !larger {
        span.pop();
    }
    larger
}
