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
        let zeros = Zeros { are_left_out: entries.iter().all(|entry| entry.is_plain()) };
        zeros.factor(factors, n);
        a.copy_from_slice(force);
        zeros.substitute(factors, a);
        columns.chunks_exact_mut(n.max(1)).for_each(|column| zeros.substitute(factors, column));
        for (i, row) in rows.chunks_exact(n.max(1)).enumerate() {
            let line = &mut schur[i * (k + 1)..(i + 1) * (k + 1)];
            for (j, of_row) in row.iter().enumerate().filter(|(_, of_row)| zeros.stay(**of_row)) {
                for (entry, column) in line.iter_mut().zip(columns.chunks_exact(n.max(1))) {
                    zeros.add(entry, column[j], *of_row);
                }
                line[k] = line[k] + *of_row * a[j];
            }
            line[k] = -drift[i] - line[k];
        }
        zeros.eliminate(schur, k);
        for (i, column) in columns.chunks_exact(n.max(1)).enumerate() {
            let multiplier = schur[i * (k + 1) + k];
            a.iter_mut().zip(column).for_each(|(a, entry)| zeros.add(a, *entry, multiplier));
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

/// What is zero, and acts on nothing: bodies that do not touch each other are many small problems in one. Where all entries are
/// numbers without marks products with it are left out.
#[derive(Clone, Copy)]
struct Zeros {
    are_left_out: bool,
}

impl Zeros {
    fn stay<N: Number>(self, x: N) -> bool {
        !(self.are_left_out && x.is_nothing())
    }

    /// x + a b.
    fn add<N: Number>(self, x: &mut N, a: N, b: N) {
        if self.stay(a) {
            *x = *x + a * b;
        }
    }

    /// x − a b.
    fn take<N: Number>(self, x: &mut N, a: N, b: N) {
        if self.stay(a) {
            *x = *x - a * b;
        }
    }

    /// x/d.
    fn divide<N: Number>(self, x: &mut N, d: N) {
        if self.stay(*x) || d.size() == 0.0 {
            *x = *x / d;
        }
    }

    /// L below the diagonal and D on it, in place of the lower triangle.
    fn factor<N: Number>(self, m: &mut [N], n: usize) {
        for j in 0..n {
            for k in 0..j {
                let (l, d) = (m[packed(j, k)], m[packed(k, k)]);
                if !self.stay(l) {
                    continue;
                }
                m[packed(j, j)] = m[packed(j, j)] - l.square() * d;
                for i in j + 1..n {
                    let of_row = m[packed(i, k)];
                    if self.stay(of_row) {
                        m[packed(i, j)] = m[packed(i, j)] - of_row * l * d;
                    }
                }
            }
            let d = m[packed(j, j)];
            (j + 1..n).for_each(|i| self.divide(&mut m[packed(i, j)], d));
        }
    }

    /// x = (L D Lᵀ)⁻¹ x.
    fn substitute<N: Number>(self, factors: &[N], x: &mut [N]) {
        let n = x.len();
        for j in 0..n {
            let of_column = x[j];
            if self.stay(of_column) {
                (j + 1..n).for_each(|i| self.take(&mut x[i], factors[packed(i, j)], of_column));
            }
        }
        (0..n).for_each(|i| self.divide(&mut x[i], factors[packed(i, i)]));
        // What is not zero stands in first..end.
        let end = (0..n).rev().find(|i| self.stay(x[*i])).map_or(0, |last| last + 1);
        let mut first = end;
        for i in (0..end).rev() {
            for j in first.max(i + 1)..end {
                let of_row = x[j];
                self.take(&mut x[i], factors[packed(j, i)], of_row);
            }
            first = if self.stay(x[i]) { i } else { first };
        }
    }

    /// Solves S λ = r in k lines of S and r, r by λ: Gauss and Jordan, the pivot of a column the largest left.
    fn eliminate<N: Number>(self, lines: &mut [N], k: usize) {
        let width = k + 1;
        for column in 0..k {
            let size = |line: usize| lines[line * width + column].size();
            let largest = |a: usize, b: usize| if size(b) > size(a) { b } else { a };
            let pivot = (column..k).reduce(largest).unwrap_or(column);
            if pivot != column {
                for entry in 0..width {
                    lines.swap(column * width + entry, pivot * width + entry);
                }
            }
            let divisor = lines[column * width + column];
            for entry in column..width {
                self.divide(&mut lines[column * width + entry], divisor);
            }
            for line in (0..k).filter(|line| *line != column) {
                let factor = lines[line * width + column];
                if !self.stay(factor) {
                    continue;
                }
                for entry in column..width {
                    let of_pivot = lines[column * width + entry];
                    self.take(&mut lines[line * width + entry], of_pivot, factor);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Solve;
    use crate::Dual;
    use eom_elementary::{Interval, Number};

    type Bound = Dual<Interval, 1>;

    /// A body of two speeds with a row: the lower triangle of M, A, R, f, γ.
    fn body(index: usize) -> ([f64; 3], [f64; 2], [f64; 2], [f64; 2], f64) {
        let x = 0.3 + index as f64;
        ([2.0 + x, x.sin(), 3.0], [1.0, x.cos()], [1.0 - 0.1 * x, 0.7], [x, -1.0 / x], 0.2 * x)
    }

    fn bounds(numbers: &[f64]) -> Vec<Bound> {
        let bound = |x: &f64| match *x {
            0.0 => Bound::of(0.0),
            x => Bound::moving(Interval::new(x, x + 1e-3), Interval::new(-0.5, 0.5)),
        };
        numbers.iter().map(bound).collect()
    }

    /// Their problem, where the speeds stand as `place` has them, with a and λ.
    fn solved(bodies: &[usize], place: impl Fn(usize, usize) -> usize) -> (Vec<Bound>, Vec<Bound>) {
        let (k, n) = (bodies.len(), 2 * bodies.len());
        let mut mass = vec![0.0; n * (n + 1) / 2];
        let [mut rows, mut reactions] = [vec![0.0; k * n], vec![0.0; k * n]];
        let [mut force, mut drift] = [vec![0.0; n], vec![0.0; k]];
        for (row, &index) in bodies.iter().enumerate() {
            let (m, a, r, f, γ) = body(index);
            let [first, second] = [0, 1].map(|speed| place(row, speed));
            for ((i, j), entry) in
                [(first, first), (second, first), (second, second)].into_iter().zip(m)
            {
                mass[super::packed(i.max(j), i.min(j))] = entry;
            }
            for (speed, at) in [first, second].into_iter().enumerate() {
                (rows[row * n + at], reactions[row * n + at]) = (a[speed], r[speed]);
                force[at] = f[speed];
            }
            drift[row] = γ;
        }
        let entries = bounds(&[mass, rows, reactions, force, drift].concat());
        let (mut a, mut work) = (vec![Bound::of(0.0); n], Vec::new());
        let solve = Solve { unknowns: n, rows: k, coupled: true };
        solve.run(&entries, &mut a, &mut work);
        (a, solve.multipliers(&work).collect())
    }

    /// Of bodies that do not touch each other each has the bounds that it has alone, to the bit, whichever way their speeds are
    /// numbered.
    #[test]
    fn blocks_are_solved_as_if_each_were_alone() {
        let bodies = [0, 1, 2, 3, 4];
        let places: [fn(usize, usize) -> usize; 2] =
            [|row, speed| 2 * row + speed, |row, speed| row + 5 * speed];
        for place in places {
            let (a, λ) = solved(&bodies, place);
            for (row, &index) in bodies.iter().enumerate() {
                let (alone, force) = solved(&[index], |_, speed| speed);
                assert_eq!([a[place(row, 0)], a[place(row, 1)]], alone[..], "{index}");
                assert_eq!(λ[row], force[0], "{index}");
            }
        }
    }

    /// a and λ of one body by Cramer's rule, at the corners of its bounds.
    #[test]
    fn bounds_hold_the_solution() {
        for index in 0..5 {
            let ([m, c, n], [a, b], [r, s], [f, g], γ) = body(index);
            // [m c −r; c n −s; a b 0] (ẍ, ÿ, λ) = (f, g, −γ)
            let det = |c: [[f64; 3]; 3]| {
                let minor = |i: usize, j: usize| c[1][i] * c[2][j] - c[1][j] * c[2][i];
                c[0][0] * minor(1, 2) - c[0][1] * minor(0, 2) + c[0][2] * minor(0, 1)
            };
            let columns = [[m, c, a], [c, n, b], [-r, -s, 0.0]];
            let exact = [0, 1, 2].map(|unknown| {
                let mut replaced = columns;
                replaced[unknown] = [f, g, -γ];
                det(replaced) / det(columns)
            });
            let (found, force) = solved(&[index], |_, speed| speed);
            for (bound, exact) in found.iter().chain(&force).zip(exact) {
                assert!(
                    bound.value.contains(exact) && bound.value.width() < 0.2 * (1.0 + exact.abs()),
                    "{bound:?} {exact}"
                );
            }
        }
    }
}
