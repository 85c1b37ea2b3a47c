//! Impact maps: rows made orthonormal in the metric of the kinetic energy; the algorithms of `eom-core`.

use super::*;

/// The metric G of the kinetic energy of N speeds: with G = L D L^T the numbers z = D^1/2 L^T v have v.G v = z.z.
pub(super) struct Metric<const N: usize> {
    factor: [[f64; N]; N],
    diagonal: bool,
    roots: [f64; N],
}

/// That of a mass matrix; none where it is not positive definite.
pub(super) fn metric<const N: usize>(mut mass: [[f64; N]; N]) -> Option<Metric<N>> {
    let regular = !is_singular::<N>(factor(&mut mass));
    (regular && (0..N).all(|i| mass[i][i] > 0.0)).then(|| Metric {
        factor: mass,
        diagonal: (0..N).all(|i| mass[i][..i].iter().all(|l| *l == 0.0)),
        roots: core::array::from_fn(|i| sqrt(mass[i][i])),
    })
}

impl<const N: usize> Metric<N> {
    /// z = D^1/2 L^T v.
    fn whiten(&self, v: &[f64; N]) -> [f64; N] {
        core::array::from_fn(|i| {
            if self.diagonal {
                return self.roots[i] * v[i];
            }
            let above: f64 = (i + 1..N).map(|k| self.factor[k][i] * v[k]).sum();
            self.roots[i] * (v[i] + above)
        })
    }
    fn norm(&self, v: &[f64; N]) -> f64 {
        let z = self.whiten(v);
        sqrt(dot(&z, &z))
    }
    /// v after an impact; at rest where it is what rounding leaves of the velocity before, and no row moves by itself.
    fn at_rest(&self, offsets: &[f64], before: &[f64; N], v: [f64; N]) -> [f64; N] {
        let fixed = offsets.iter().all(|offset| *offset == 0.0);
        if fixed && self.norm(&v) <= 64.0 * f64::EPSILON * self.norm(before) { [0.0; N] } else { v }
    }
}

/// A velocity after an impact that is declared; not numbers where the metric is not positive definite.
pub(super) fn assigned<const N: usize>(
    mass: [[f64; N]; N],
    offsets: &[f64],
    before: &[f64; N],
    after: [f64; N],
) -> [f64; N] {
    metric(mass).map_or([f64::NAN; N], |metric| metric.at_rest(offsets, before, after))
}

/// C rows at most, made orthonormal in a metric: a row r acts on z as c = D^-1/2 L^-1 r^T.
pub(super) struct Space<const N: usize, const C: usize> {
    metric: Metric<N>,
    /// The rows taken, with their offsets; B = R c with R lower triangular.
    rows: [[f64; N]; C],
    offsets: [f64; C],
    triangle: [[f64; C]; C],
    /// Which rows were taken, and how many.
    kept: [usize; C],
    rank: usize,
}

impl<const N: usize, const C: usize> Space<N, C> {
    /// v = L^-T D^-1/2 z.
    fn unwhiten(&self, z: &[f64; N]) -> [f64; N] {
        let mut v = core::array::from_fn(|i| z[i] / self.metric.roots[i]);
        if !self.metric.diagonal {
            solve_upper(&self.metric.factor, &mut v);
        }
        v
    }
    /// Takes the row r.v + offset = 0; leaves it out where it depends on those before it.
    fn push(&mut self, which: usize, row: &[f64; N], mut offset: f64) {
        let mut z = *row;
        if !self.metric.diagonal {
            solve_lower(&self.metric.factor, &mut z);
        }
        z.iter_mut().zip(&self.metric.roots).for_each(|(z, root)| *z /= root);
        let norm = sqrt(dot(&z, &z));
        let mut parts = [0.0; C];
        for _ in 0..2 {
            for j in 0..self.rank {
                let part = dot(&z, &self.rows[j]);
                parts[j] += part;
                z.iter_mut().zip(&self.rows[j]).for_each(|(z, c)| *z -= part * c);
                offset -= part * self.offsets[j];
            }
        }
        let rest = sqrt(dot(&z, &z));
        if rest.is_finite() && rest > 1e-10 * norm {
            parts[self.rank] = rest;
            self.rows[self.rank] = z.map(|z| z / rest);
            self.offsets[self.rank] = offset / rest;
            self.triangle[self.rank] = parts;
            self.kept[self.rank] = which;
            self.rank += 1;
        }
    }
    /// v - factor G^-1 B^T (B G^-1 B^T)^-1 (B v + b), in place.
    fn apply(&self, factor: f64, v: &mut [f64; N]) {
        let (z, mut change) = (self.metric.whiten(v), [0.0; N]);
        for (c, offset) in self.rows.iter().zip(&self.offsets).take(self.rank) {
            let part = -factor * (dot(&z, c) + offset);
            change.iter_mut().zip(c).for_each(|(change, c)| *change += part * c);
        }
        let change = self.unwhiten(&change);
        v.iter_mut().zip(&change).for_each(|(v, change)| *v += change);
    }
    /// Takes away what is left of B v + b + e (B before + b) = 0 in the rows taken.
    fn refine(
        &self,
        rows: &[([f64; N], f64); C],
        e: impl Fn(usize) -> f64,
        before: &[f64; N],
        v: &mut [f64; N],
    ) {
        let (mut z, mut refined) = ([0.0; N], [0.0; C]);
        for j in 0..self.rank {
            let (row, offset) = &rows[self.kept[j]];
            let (rate, old) = (dot(row, v) + offset, dot(row, before) + offset);
            let residual = rate + e(self.kept[j]) * old;
            let parts = &self.triangle[j];
            let beta = (residual - dot(&parts[..j], &refined[..j])) / parts[j];
            z.iter_mut().zip(&self.rows[j]).for_each(|(z, c)| *z -= beta * c);
            refined[j] = beta;
        }
        let change = self.unwhiten(&z);
        v.iter_mut().zip(&change).for_each(|(v, change)| *v += change);
    }
}

/// The velocity after an impact; not numbers where the metric is not positive definite.
///
///     v - G^-1 B^T (B G^-1 B^T)^-1 diag(1 + e) (B v + b)
///
/// The rows with their offsets; the one at `gap` is the gradient. Of e the first is that of rows before it, the last
/// that of rows behind it. With `project` it reflects on the gradient alone, then projects on the others.
pub(super) fn impact<const N: usize, const C: usize>(
    mass: [[f64; N]; N],
    rows: [([f64; N], f64); C],
    gap: usize,
    e: [f64; 3],
    project: bool,
    before: &[f64; N],
) -> [f64; N] {
    let Some(metric) = metric(mass) else { return [f64::NAN; N] };
    let (rows_taken, offsets, triangle) = ([[0.0; N]; C], [0.0; C], [[0.0; C]; C]);
    let mut space = Space { metric, rows: rows_taken, offsets, triangle, kept: [0; C], rank: 0 };
    let mut v = *before;
    if project {
        space.push(gap, &rows[gap].0, rows[gap].1);
        space.apply(2.0, &mut v);
        space.rank = 0;
    }
    for (which, (row, offset)) in rows.iter().enumerate() {
        if !project || which != gap {
            space.push(which, row, *offset);
        }
    }
    let of_row = |row: usize| e[usize::from(row >= gap) + usize::from(row > gap)];
    if project {
        space.apply(1.0, &mut v);
    } else if e[0] == e[1] && e[1] == e[2] {
        space.apply(1.0 + e[0], &mut v);
    } else {
        space.refine(&rows, of_row, before, &mut v);
    }
    space.refine(&rows, of_row, before, &mut v);
    space.metric.at_rest(&rows.map(|row| row.1), before, v)
}
