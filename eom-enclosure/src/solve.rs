//! The linear solve of a system that is too large to be unrolled.
//!
//! ```text
//! M a − Rᵀλ = f,  A a = −γ           M = L D Lᵀ,  n speeds, k rows; R = A where forces hold no multipliers
//! X = M⁻¹Rᵀ,  x = M⁻¹f               (A X) λ = −γ − A x,  a = x + X λ
//! ```
//!
//! A divisor that may be 0 makes the result unbounded, with the mark of a pole: no box is said to be regular that
//! is not.

use eom_elementary::Number;

/// The shape of a system of equations whose entries a tape gives: the lower triangle of M by rows, A by rows, R by
/// rows where `coupled`, f, γ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solve {
    /// n.
    pub unknowns: usize,
    /// k.
    pub rows: usize,
    /// Whether R is not A.
    pub coupled: bool,
}

impl Solve {
    /// Writes a. `work` keeps its room, and the multipliers.
    pub fn run<N: Number>(self, entries: &[N], a: &mut [N], work: &mut Vec<N>) {
        let Self { unknowns: n, rows: k, coupled } = self;
        let (lower, rest) = entries.split_at(n * (n + 1) / 2);
        let (rows, rest) = rest.split_at(k * n);
        let (reactions, rest) = if coupled { rest.split_at(k * n) } else { (rows, rest) };
        let (force, drift) = rest.split_at(n);
        work.clear();
        work.extend_from_slice(lower);
        work.extend_from_slice(reactions);
        work.resize(lower.len() + k * n + k * (k + 1), N::of(0.0));
        let (factors, rest) = work.split_at_mut(lower.len());
        let (columns, schur) = rest.split_at_mut(k * n);
        factor(factors, n);
        a.copy_from_slice(force);
        substitute(factors, a);
        columns.chunks_exact_mut(n.max(1)).for_each(|column| substitute(factors, column));
        for (i, row) in rows.chunks_exact(n.max(1)).enumerate() {
            let line = &mut schur[i * (k + 1)..(i + 1) * (k + 1)];
            for (entry, column) in line.iter_mut().zip(columns.chunks_exact(n.max(1))) {
                *entry = dot(row, column);
            }
            line[k] = -drift[i] - dot(row, a);
        }
        eliminate(schur, k);
        for (i, column) in columns.chunks_exact(n.max(1)).enumerate() {
            let multiplier = schur[i * (k + 1) + k];
            for (a, entry) in a.iter_mut().zip(column) {
                *a = *a + *entry * multiplier;
            }
        }
    }

    /// λ of the last run, of which `work` is.
    pub fn multipliers<N: Number>(self, work: &[N]) -> impl Iterator<Item = N> {
        let Self { unknowns: n, rows: k, .. } = self;
        let lines = &work[n * (n + 1) / 2 + k * n..];
        (0..k).map(move |row| lines[row * (k + 1) + k])
    }
}

const fn packed(i: usize, j: usize) -> usize {
    i * (i + 1) / 2 + j
}

fn dot<N: Number>(a: &[N], b: &[N]) -> N {
    a.iter().zip(b).fold(N::of(0.0), |sum, (a, b)| sum + *a * *b)
}

/// L below the diagonal and D on it, in place of the lower triangle.
fn factor<N: Number>(m: &mut [N], n: usize) {
    for j in 0..n {
        for k in 0..j {
            let (l, d) = (m[packed(j, k)], m[packed(k, k)]);
            m[packed(j, j)] = m[packed(j, j)] - l.square() * d;
        }
        let d = m[packed(j, j)];
        for i in j + 1..n {
            let mut entry = m[packed(i, j)];
            for k in 0..j {
                entry = entry - m[packed(i, k)] * m[packed(j, k)] * m[packed(k, k)];
            }
            m[packed(i, j)] = entry / d;
        }
    }
}

/// x = (L D Lᵀ)⁻¹ x.
fn substitute<N: Number>(factors: &[N], x: &mut [N]) {
    let n = x.len();
    for i in 0..n {
        for j in 0..i {
            x[i] = x[i] - factors[packed(i, j)] * x[j];
        }
    }
    for i in 0..n {
        x[i] = x[i] / factors[packed(i, i)];
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            x[i] = x[i] - factors[packed(j, i)] * x[j];
        }
    }
}

/// Solves S λ = r in k lines of S and r, r by λ: Gauss and Jordan, the pivot of a column the largest left.
fn eliminate<N: Number>(lines: &mut [N], k: usize) {
    let width = k + 1;
    for column in 0..k {
        let size = |line: usize| lines[line * width + column].size();
        let largest = |a: usize, b: usize| if size(b) > size(a) { b } else { a };
        let pivot = (column..k).reduce(largest).unwrap_or(column);
        for entry in 0..width {
            lines.swap(column * width + entry, pivot * width + entry);
        }
        let divisor = lines[column * width + column];
        for entry in column..width {
            lines[column * width + entry] = lines[column * width + entry] / divisor;
        }
        for line in (0..k).filter(|line| *line != column) {
            let factor = lines[line * width + column];
            for entry in column..width {
                let change = factor * lines[column * width + entry];
                lines[line * width + entry] = lines[line * width + entry] - change;
            }
        }
    }
}
