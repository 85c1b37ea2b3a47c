//! The unrolled solution of M a − Aᵀλ = f, A a = −γ.
//!
//! ```text
//! M = L D Lᵀ        Y = L⁻¹Aᵀ,  z = L⁻¹f
//! S = Yᵀ D⁻¹ Y = A M⁻¹ Aᵀ        S λ = −γ − Yᵀ D⁻¹ z        a = L⁻ᵀ D⁻¹ (z + Y λ)
//! Yᵀ Y λ = −d γ − Yᵀ z           where Y has entries at one pivot d alone: a point, a ball on a surface
//! ```
//!
//! Entries known to be zero cost nothing; M is eliminated in the order of least degree, which
//! keeps them zero.

use crate::program::{Builder, Value};

/// The values of a linear system: M (lower triangle used), A, f, γ.
#[derive(Debug)]
pub(crate) struct Kkt<'a> {
    pub(crate) mass: &'a [Vec<Value>],
    pub(crate) rows: &'a [Vec<Value>],
    pub(crate) force: &'a [Value],
    pub(crate) drift: &'a [Value],
}

/// L (below the diagonal), D and 1/D of an LDLᵀ factorisation.
struct Factor {
    lower: Vec<Vec<Value>>,
    diagonal: Vec<Value>,
    inverse: Vec<Value>,
}

/// How two equations without rows are solved; more are solved by factors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// By LDLᵀ.
    Factors,
    /// a₀ = (m₁₁ f₀ − m₀₁ f₁)/d, a₁ = (m₀₀ f₁ − m₀₁ f₀)/d, d = m₀₀ m₁₁ − m₀₁².
    Cramer,
}

/// Accelerations and multipliers.
pub(crate) fn solve(b: &mut Builder, kkt: &Kkt<'_>, method: Method) -> (Vec<Value>, Vec<Value>) {
    if let (Method::Cramer, [top, bottom], []) = (method, kkt.mass, kkt.rows)
        && !b.is_zero(bottom[0])
    {
        return (
            cramer(b, [top[0], bottom[0], bottom[1]], [kkt.force[0], kkt.force[1]]),
            Vec::new(),
        );
    }
    let order = elimination_order(b, kkt.mass);
    let mass: Vec<Vec<Value>> =
        order.iter().map(|i| order.iter().map(|j| kkt.mass[*i][*j]).collect()).collect();
    let permuted = |row: &[Value]| -> Vec<Value> { order.iter().map(|i| row[*i]).collect() };
    let factor = factorise(b, &mass);
    let columns: Vec<Vec<Value>> =
        kkt.rows.iter().map(|row| forward(b, &factor, &permuted(row))).collect();
    let mut z = forward(b, &factor, &permuted(kkt.force));
    let multipliers = match common_pivot(b, &factor, &columns) {
        Some(pivot) => {
            let ones = vec![b.constant(1.0); z.len()];
            let rows = Rows { entries: &columns, weights: &ones };
            let drift: Vec<Value> = kkt.drift.iter().map(|drift| b.mul(*drift, pivot)).collect();
            constrain(b, &mut z, &columns, &rows, &drift)
        }
        None => {
            let rows = Rows { entries: &columns, weights: &factor.inverse };
            constrain(b, &mut z, &columns, &rows, kkt.drift)
        }
    };
    let z = scale(b, &factor.inverse, &z);
    let solution = backward(b, &factor, &z);
    let mut accelerations = solution.clone();
    for (position, index) in order.iter().enumerate() {
        accelerations[*index] = solution[position];
    }
    (accelerations, multipliers)
}

/// d, where the rows have entries at one pivot d alone: Yᵀ Y λ = −d γ − Yᵀ z needs no 1/d, whose
/// rounding would be the same at each state.
fn common_pivot(b: &Builder, factor: &Factor, columns: &[Vec<Value>]) -> Option<Value> {
    let entries = columns.iter().flat_map(|column| column.iter().zip(&factor.diagonal));
    let mut pivots = entries.filter(|(entry, _)| !b.is_zero(**entry)).map(|(_, pivot)| *pivot);
    let first = pivots.next()?;
    pivots.all(|pivot| pivot == first).then_some(first)
}

/// Two equations.
fn cramer(b: &mut Builder, [m00, m01, m11]: [Value; 3], [f0, f1]: [Value; 2]) -> Vec<Value> {
    let (product, square) = (b.mul(m00, m11), b.mul(m01, m01));
    let determinant = b.sub(product, square);
    let inverse = b.reciprocal(determinant);
    let mut solved = |own: Value, right: Value, other: Value| {
        let (own, coupled) = (b.mul(own, right), b.mul(m01, other));
        let numerator = b.sub(own, coupled);
        b.mul(numerator, inverse)
    };
    vec![solved(m11, f0, f1), solved(m00, f1, f0)]
}

/// Rᵢₖ = wₖ rᵢₖ.
pub(in crate::program) struct Rows<'r> {
    pub(in crate::program) entries: &'r [Vec<Value>],
    pub(in crate::program) weights: &'r [Value],
}

/// λ of the constraints R x = −γ, and x ← x + Y λ:  (R Y) λ = −γ − R x,  R Y symmetric. `columns` are those of Y.
pub(super) fn constrain(
    b: &mut Builder,
    x: &mut [Value],
    columns: &[Vec<Value>],
    rows: &Rows<'_>,
    drift: &[Value],
) -> Vec<Value> {
    let times = |b: &mut Builder, row: &[Value], x: &[Value]| weighted(b, rows.weights, row, x);
    let each = rows.entries.iter();
    let schur: Vec<Vec<Value>> = each
        .clone()
        .enumerate()
        .map(|(i, row)| columns[..=i].iter().map(|column| times(b, row, column)).collect())
        .collect();
    let right: Vec<Value> = each
        .zip(drift)
        .map(|(row, drift)| {
            let moving = times(b, row, x);
            let sum = b.add(moving, *drift);
            b.neg(sum)
        })
        .collect();
    let factor = factorise(b, &schur);
    let half = forward(b, &factor, &right);
    let half = scale(b, &factor.inverse, &half);
    let multipliers = backward(b, &factor, &half);
    for (column, multiplier) in columns.iter().zip(&multipliers) {
        for (entry, y) in x.iter_mut().zip(column) {
            let term = b.mul(*y, *multiplier);
            *entry = b.add(*entry, term);
        }
    }
    multipliers
}

/// LDLᵀ of a symmetric matrix given by its lower triangle:
/// uᵢⱼ = mᵢⱼ − Σ_{k<j} uᵢₖ lⱼₖ,  lᵢⱼ = uᵢⱼ/dⱼ,  dᵢ = uᵢᵢ.
fn factorise(b: &mut Builder, matrix: &[Vec<Value>]) -> Factor {
    let n = matrix.len();
    let mut lower: Vec<Vec<Value>> = Vec::with_capacity(n);
    let mut diagonal: Vec<Value> = Vec::with_capacity(n);
    let mut inverse: Vec<Value> = Vec::with_capacity(n);
    for i in 0..n {
        let mut unscaled: Vec<Value> = Vec::with_capacity(i);
        let mut row: Vec<Value> = Vec::with_capacity(i);
        for j in 0..i {
            let sum = subtract_dot(b, matrix[i][j], &unscaled, &lower[j]);
            unscaled.push(sum);
            row.push(b.mul(sum, inverse[j]));
        }
        let pivot = subtract_dot(b, matrix[i][i], &unscaled, &row);
        diagonal.push(pivot);
        inverse.push(b.reciprocal(pivot));
        lower.push(row);
    }
    Factor { lower, diagonal, inverse }
}

/// L x = right.
fn forward(b: &mut Builder, factor: &Factor, right: &[Value]) -> Vec<Value> {
    let mut x: Vec<Value> = Vec::with_capacity(right.len());
    for (row, value) in factor.lower.iter().zip(right) {
        let entry = subtract_dot(b, *value, row, &x);
        x.push(entry);
    }
    x
}

/// Lᵀ x = right.
fn backward(b: &mut Builder, factor: &Factor, right: &[Value]) -> Vec<Value> {
    let mut x = right.to_vec();
    for i in (0..x.len()).rev() {
        for j in i + 1..x.len() {
            let term = b.mul(factor.lower[j][i], x[j]);
            x[i] = b.sub(x[i], term);
        }
    }
    x
}

fn scale(b: &mut Builder, diagonal: &[Value], x: &[Value]) -> Vec<Value> {
    diagonal.iter().zip(x).map(|(d, x)| b.mul(*x, *d)).collect()
}

/// Σ xᵢyᵢ.
pub(in crate::program) fn dot(b: &mut Builder, x: &[Value], y: &[Value]) -> Value {
    let mut sum = b.constant(0.0);
    for (x, y) in x.iter().zip(y) {
        let term = b.mul(*x, *y);
        sum = b.add(sum, term);
    }
    sum
}

/// Σ wₖ xₖ yₖ. Terms of one weight are added before they take it, so that Σ n²/m is (Σ n²)/m.
fn weighted(b: &mut Builder, weights: &[Value], x: &[Value], y: &[Value]) -> Value {
    let mut groups: Vec<(Value, Vec<Value>, Vec<Value>)> = Vec::new();
    for (weight, (x, y)) in weights.iter().zip(x.iter().zip(y)) {
        if b.is_zero(*x) || b.is_zero(*y) {
            continue;
        }
        match groups.iter_mut().find(|group| group.0 == *weight) {
            Some((_, left, right)) => {
                left.push(*x);
                right.push(*y);
            }
            None => groups.push((*weight, vec![*x], vec![*y])),
        }
    }
    let mut sum = b.constant(0.0);
    for (weight, x, y) in groups {
        let term = match (x.as_slice(), y.as_slice()) {
            // A scaled entry is shared by all sums that have it.
            ([x], [y]) => {
                let scaled = b.mul(*x, weight);
                b.mul(scaled, *y)
            }
            (x, y) => {
                let terms = dot(b, x, y);
                b.mul(terms, weight)
            }
        };
        sum = b.add(sum, term);
    }
    sum
}

/// start − Σ xₖ yₖ over the shorter of the two.
fn subtract_dot(b: &mut Builder, start: Value, x: &[Value], y: &[Value]) -> Value {
    let mut sum = start;
    for (x, y) in x.iter().zip(y) {
        let term = b.mul(*x, *y);
        sum = b.sub(sum, term);
    }
    sum
}

/// The order of least degree on the zero pattern of M: at each step the row with the fewest
/// remaining neighbours, among equals one that waits for the fewest others, the first declared: a chain
/// from both ends.
fn elimination_order(b: &Builder, mass: &[Vec<Value>]) -> Vec<usize> {
    let n = mass.len();
    let mut linked: Vec<Vec<bool>> = (0..n)
        .map(|i| (0..n).map(|j| i != j && !b.is_zero(mass[i.max(j)][i.min(j)])).collect())
        .collect();
    let mut left: Vec<usize> = (0..n).collect();
    let mut order = Vec::with_capacity(n);
    // How many are eliminated one after the other before each.
    let mut waits = vec![0; n];
    while !left.is_empty() {
        let degree = |i: usize| left.iter().filter(|j| linked[i][**j]).count();
        let key = |i: &usize| (degree(*i), waits[*i], *i);
        let Some(next) = left.iter().copied().min_by_key(key) else { break };
        left.retain(|i| *i != next);
        order.push(next);
        for &i in left.iter().filter(|i| linked[next][**i]) {
            waits[i] = waits[i].max(waits[next] + 1);
        }
        for &i in &left {
            for &j in &left {
                // Eliminating a row links its neighbours with each other.
                linked[i][j] |= i != j && linked[next][i] && linked[next][j];
            }
        }
    }
    order
}
