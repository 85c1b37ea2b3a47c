//! Solves with small symmetric matrices G = L D L^T; the algorithms of `eom-core`.

use super::*;

/// The sum of x[i] y[i].
pub(super) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// G = L D L^T in place, only the lower triangle is read: L below the diagonal, D on it. Returns the smallest pivot
/// relative to the terms that it was summed from: near the unit of rounding G is singular; not a number where an
/// entry is not finite.
pub(super) fn factor<const N: usize>(g: &mut [[f64; N]; N]) -> f64 {
    let mut smallest = 1.0;
    for i in 0..N {
        for j in 0..i {
            let sum = dot(&g[i][..j], &g[j][..j]);
            g[i][j] -= sum;
        }
        let mut terms = g[i][i].abs();
        for j in 0..i {
            let l = g[i][j] / g[j][j];
            terms += (g[i][j] * l).abs();
            g[i][i] -= g[i][j] * l;
            g[i][j] = l;
        }
        let relative = g[i][i].abs() / terms;
        if relative < smallest || relative.is_nan() {
            smallest = relative;
        }
        if smallest.is_nan() {
            break;
        }
    }
    smallest
}

/// L x = b in place.
pub(super) fn solve_lower<const N: usize>(factor: &[[f64; N]; N], x: &mut [f64; N]) {
    for i in 0..N {
        let sum = dot(&factor[i][..i], &x[..i]);
        x[i] -= sum;
    }
}

/// L^T x = b in place.
pub(super) fn solve_upper<const N: usize>(factor: &[[f64; N]; N], x: &mut [f64; N]) {
    for i in (0..N).rev() {
        for k in 0..i {
            x[k] -= factor[i][k] * x[i];
        }
    }
}

/// L D L^T x = b in place.
pub(super) fn solve_with<const N: usize>(factor: &[[f64; N]; N], x: &mut [f64; N]) {
    solve_lower(factor, x);
    for i in 0..N {
        x[i] /= factor[i][i];
    }
    solve_upper(factor, x);
}

/// Whether a matrix of N rows with this relative pivot is singular.
pub(super) fn is_singular<const N: usize>(pivot: f64) -> bool {
    pivot.is_nan() || pivot <= 4.0 * N as f64 * f64::EPSILON
}

/// G x = b in place of b; false, and no numbers, where G is singular.
pub(super) fn factor_solve<const N: usize>(g: &mut [[f64; N]; N], x: &mut [f64; N]) -> bool {
    if is_singular::<N>(factor(g)) {
        *x = [f64::NAN; N];
        return false;
    }
    solve_with(g, x);
    true
}

/// Accelerations and multipliers, from M, A, F and -gamma:
///
///     M a - A^T lambda = F      A a = gamma
///     (A M^-1 A^T) lambda = gamma - A M^-1 F      a = M^-1 (F + A^T lambda)
pub(super) fn solve<const N: usize, const K: usize>(
    mut m: [[f64; N]; N],
    a: [[f64; N]; K],
    force: [f64; N],
    drift: [f64; K],
) -> ([f64; N], [f64; K]) {
    let (mut free, mut lambda) = (force, drift.map(|drift| -drift));
    if !factor_solve(&mut m, &mut free) {
        return (free, [f64::NAN; K]);
    }
    let (mut response, mut schur) = (a, [[0.0; K]; K]);
    for i in 0..K {
        solve_with(&m, &mut response[i]);
        for j in 0..=i {
            schur[i][j] = dot(&a[j], &response[i]);
        }
        lambda[i] -= dot(&a[i], &free);
    }
    if !factor_solve(&mut schur, &mut lambda) {
        return ([f64::NAN; N], lambda);
    }
    respond(&mut free, &response, &lambda);
    (free, lambda)
}

/// a = M^-1 F + the responses to the multipliers.
pub(super) fn respond<const N: usize, const K: usize>(
    free: &mut [f64; N],
    response: &[[f64; N]; K],
    lambda: &[f64; K],
) {
    for (row, lambda) in response.iter().zip(lambda) {
        for (a, r) in free.iter_mut().zip(row) {
            *a += r * lambda;
        }
    }
}

/// The same where the multipliers act by rows R of their own, as with friction that is proportional to a normal force:
///
///     M a - R^T lambda = F      A a = gamma
pub(super) fn solve_coupled<const N: usize, const K: usize>(
    mut m: [[f64; N]; N],
    a: [[f64; N]; K],
    r: [[f64; N]; K],
    force: [f64; N],
    drift: [f64; K],
) -> ([f64; N], [f64; K]) {
    let (mut free, mut lambda) = (force, drift.map(|drift| -drift));
    if !factor_solve(&mut m, &mut free) {
        return (free, [f64::NAN; K]);
    }
    let (mut response, mut schur, mut sizes) = (r, [[0.0; K]; K], [0.0_f64; K]);
    for row in &mut response {
        solve_with(&m, row);
    }
    for i in 0..K {
        for j in 0..K {
            schur[i][j] = dot(&a[i], &response[j]);
            let met = a[i].iter().zip(&response[j]).map(|(a, w)| (a * w).abs()).sum();
            sizes[i] = sizes[i].max(met);
        }
        lambda[i] -= dot(&a[i], &free);
    }
    if is_singular::<K>(pivoted(&mut schur, &mut sizes, &mut lambda)) {
        return ([f64::NAN; N], [f64::NAN; K]);
    }
    respond(&mut free, &response, &lambda);
    (free, lambda)
}

/// S x = b in place of b by elimination; the pivot is the largest of its column, each row relative to the size of the
/// terms that it was summed from.
pub(super) fn pivoted<const K: usize>(
    s: &mut [[f64; K]; K],
    sizes: &mut [f64; K],
    x: &mut [f64; K],
) -> f64 {
    let mut smallest = 1.0;
    for step in 0..K {
        let relative = |row: usize| s[row][step].abs() / sizes[row];
        let best = (step + 1..K)
            .fold(step, |best, row| if relative(row) > relative(best) { row } else { best });
        let pivot = relative(best);
        if pivot < smallest || pivot.is_nan() {
            smallest = pivot;
        }
        s.swap(step, best);
        x.swap(step, best);
        sizes.swap(step, best);
        for row in step + 1..K {
            let factor = s[row][step] / s[step][step];
            for column in step..K {
                s[row][column] -= factor * s[step][column];
            }
            x[row] -= factor * x[step];
        }
    }
    for row in (0..K).rev() {
        let known = dot(&s[row][row + 1..], &x[row + 1..]);
        x[row] = (x[row] - known) / s[row][row];
    }
    smallest
}
