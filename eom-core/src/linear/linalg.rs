//! Dense kernels on small symmetric matrices: LDLᵀ, and the constrained solve of the equations of
//! motion. No pivoting, no allocation, no panic on numbers: a singular matrix is reported.
//!
//! Matrices are row-major. G = L D Lᵀ with unit lower L; a factored matrix holds L below its
//! diagonal and D on it.

/// Matrices with so many rows are looked at for zeros.
pub(crate) const MANY: usize = 24;

/// Factors the n×n matrix `g` in place; only its lower triangle is read.
///
/// ```text
/// uᵢⱼ = gᵢⱼ − Σₖ uᵢₖ lⱼₖ      lᵢⱼ = uᵢⱼ/dⱼ      dᵢ = gᵢᵢ − Σⱼ uᵢⱼ lᵢⱼ
/// ```
///
/// From 24 rows on what stands left of the first number of a row is left out: bodies that do not act on
/// each other have it so.
///
/// Returns the smallest |dᵢ| relative to the terms that it was summed from, in [0, 1]: near the
/// unit of rounding the matrix is singular. Not a number where an entry is not finite.
#[inline]
pub fn ldlt_factor(n: usize, g: &mut [f64]) -> f64 {
    let mut smallest: f64 = 1.0;
    for i in 0..n {
        let (done, rest) = g.split_at_mut(i * n);
        let row = &mut rest[..=i];
        let is_zero = |r: &f64| *r == 0.0;
        let first = if n < MANY { 0 } else { row[..i].iter().take_while(|r| is_zero(r)).count() };
        for j in first..i {
            let sum: f64 = (first..j).map(|k| row[k] * done[j * n + k]).sum();
            row[j] -= sum;
        }
        let mut terms = row[i].abs();
        for j in first..i {
            let l = row[j] / done[j * n + j];
            terms += (row[j] * l).abs();
            row[i] -= row[j] * l;
            row[j] = l;
        }
        let relative = row[i].abs() / terms;
        // f64::min would drop a NaN.
        smallest = if relative < smallest || relative.is_nan() { relative } else { smallest };
        if smallest.is_nan() {
            return smallest;
        }
    }
    smallest
}

/// Solves L x = b in place.
#[inline]
pub fn solve_lower(n: usize, factor: &[f64], x: &mut [f64]) {
    for i in 0..n {
        let sum: f64 = (0..i).map(|k| factor[i * n + k] * x[k]).sum();
        x[i] -= sum;
    }
}

/// Solves Lᵀ x = b in place.
#[inline]
pub fn solve_upper(n: usize, factor: &[f64], x: &mut [f64]) {
    for i in (0..n).rev() {
        for k in 0..i {
            x[k] -= factor[i * n + k] * x[i];
        }
    }
}

/// Solves L D Lᵀ x = b in place.
#[inline]
pub fn ldlt_solve(n: usize, factor: &[f64], x: &mut [f64]) {
    solve_lower(n, factor, x);
    for i in 0..n {
        x[i] /= factor[i * n + i];
    }
    solve_upper(n, factor, x);
}

/// Below this relative pivot an N×N matrix counts as singular.
fn singular(n: usize, relative_pivot: f64) -> bool {
    relative_pivot.is_nan() || relative_pivot <= 4.0 * n as f64 * f64::EPSILON
}

/// Factors the n×n matrix `g` and solves G x = b in place of b. Returns the relative pivot of
/// [`ldlt_factor`]; where G is singular x is not a number.
#[inline]
fn factor_solve(g: &mut [f64], x: &mut [f64]) -> f64 {
    let n = x.len();
    let pivot = ldlt_factor(n, g);
    if singular(n, pivot) {
        x.fill(f64::NAN);
    } else {
        ldlt_solve(n, g, x);
    }
    pivot
}

/// The same for a size known to the compiler.
pub fn ldlt_factor_solve<const N: usize>(g: &mut [[f64; N]; N], x: &mut [f64; N]) -> f64 {
    factor_solve(g.as_flattened_mut(), x)
}

/// Accelerations and multipliers of N coordinates under K constraints:
///
/// ```text
/// M a − Aᵀλ = F      A a = γ
/// (A M⁻¹Aᵀ) λ = γ − A M⁻¹F      a = M⁻¹(F + Aᵀλ)
/// ```
///
/// `m` is factored in place. Where M or the Schur complement A M⁻¹Aᵀ is singular (dependent
/// constraints) all results are not a number.
pub fn solve_constrained<const N: usize, const K: usize>(
    m: &mut [[f64; N]; N],
    a: &[[f64; N]; K],
    force: &[f64; N],
    gamma: &[f64; K],
) -> ([f64; N], [f64; K]) {
    let (mut free, mut λ) = (*force, *gamma);
    let (mut response, mut schur) = ([[0.0; N]; K], [[0.0; K]; K]);
    let work = [response.as_flattened_mut(), schur.as_flattened_mut()];
    constrained(m.as_flattened_mut(), a.as_flattened(), &mut free, &mut λ, work);
    (free, λ)
}

/// The same for n = `free.len()` and k = `λ.len()` known at run time, in the same operations:
/// `free` holds F and becomes a, `λ` holds γ and becomes λ; `m` and `a` are row-major, `work` has
/// k·n + k² numbers.
///
/// # Panics
/// Where a slice is shorter.
pub fn solve_constrained_into(
    m: &mut [f64],
    a: &[f64],
    free: &mut [f64],
    λ: &mut [f64],
    work: &mut [f64],
) {
    let (response, rest) = work.split_at_mut(λ.len() * free.len());
    let schur = &mut rest[..λ.len() * λ.len()];
    constrained(m, a, free, λ, [response, schur]);
}

#[inline]
fn constrained(
    m: &mut [f64],
    a: &[f64],
    free: &mut [f64],
    λ: &mut [f64],
    [response, schur]: [&mut [f64]; 2],
) {
    let (n, k) = (free.len(), λ.len());
    if singular(n, factor_solve(m, free)) {
        λ.fill(f64::NAN);
        return;
    }
    response.copy_from_slice(&a[..k * n]);
    for i in 0..k {
        let row = &mut response[i * n..][..n];
        ldlt_solve(n, m, row);
        for j in 0..=i {
            schur[i * k + j] = dot(&a[j * n..][..n], row);
        }
        λ[i] -= dot(&a[i * n..][..n], free);
    }
    if singular(k, factor_solve(schur, λ)) {
        free.fill(f64::NAN);
        return;
    }
    respond(free, response, λ);
}

/// a = M⁻¹F + Σ λᵢ M⁻¹rᵢ.
#[inline]
fn respond(free: &mut [f64], response: &[f64], λ: &[f64]) {
    let n = free.len();
    for i in 0..λ.len() {
        for j in 0..n {
            free[j] += response[i * n + j] * λ[i];
        }
    }
}

/// Accelerations and multipliers where the multipliers act by other rows than those of the
/// constraints, as with friction that is proportional to a normal force:
///
/// ```text
/// M a − Rᵀλ = F      A a = γ
/// (A M⁻¹Rᵀ) λ = γ − A M⁻¹F      a = M⁻¹(F + Rᵀλ)
/// ```
///
/// A M⁻¹Rᵀ is not symmetric: it is eliminated with pivots. `m` is factored in place. Where it or
/// A M⁻¹Rᵀ is singular (Painlevé's paradox) all results are not a number.
pub fn solve_coupled<const N: usize, const K: usize>(
    m: &mut [[f64; N]; N],
    a: &[[f64; N]; K],
    r: &[[f64; N]; K],
    force: &[f64; N],
    gamma: &[f64; K],
) -> ([f64; N], [f64; K]) {
    let (mut free, mut λ) = (*force, *gamma);
    let (mut response, mut schur, mut terms) = (*r, [[0.0; K]; K], [0.0; K]);
    let work = [response.as_flattened_mut(), schur.as_flattened_mut(), &mut terms];
    coupled(m.as_flattened_mut(), a.as_flattened(), &mut free, &mut λ, work);
    (free, λ)
}

/// The same for n = `free.len()` and k = `λ.len()` known at run time, in the same operations:
/// `free` holds F and becomes a, `λ` holds γ and becomes λ; `m`, `a` and `r` are row-major, `work`
/// has k·n + k² + k numbers.
///
/// # Panics
/// Where a slice is shorter.
pub fn solve_coupled_into(
    m: &mut [f64],
    a: &[f64],
    r: &[f64],
    free: &mut [f64],
    λ: &mut [f64],
    work: &mut [f64],
) {
    let k = λ.len();
    let (response, rest) = work.split_at_mut(k * free.len());
    let (schur, rest) = rest.split_at_mut(k * k);
    response.copy_from_slice(&r[..k * free.len()]);
    coupled(m, a, free, λ, [response, schur, &mut rest[..k]]);
}

/// The sign of det A M⁻¹Rᵀ, not a number where M or that is singular. `m` is factored in place, `r`
/// becomes M⁻¹Rᵀ, by its columns; n and k are the columns and the rows of `a`.
pub(crate) fn pairing_sign(m: &mut [f64], a: &[f64], r: &mut [f64], (n, k): (usize, usize)) -> f64 {
    let (mut free, mut λ) = (vec![0.0; n], vec![0.0; k]);
    let (mut schur, mut terms) = (vec![0.0; k * k], vec![0.0; k]);
    coupled(m, a, &mut free, &mut λ, [r, &mut schur, &mut terms])
}

/// `response` holds R. Returns the sign of det A M⁻¹Rᵀ.
#[inline]
fn coupled(
    m: &mut [f64],
    a: &[f64],
    free: &mut [f64],
    λ: &mut [f64],
    [response, schur, terms]: [&mut [f64]; 3],
) -> f64 {
    let (n, k) = (free.len(), λ.len());
    if singular(n, factor_solve(m, free)) {
        λ.fill(f64::NAN);
        return f64::NAN;
    }
    for i in 0..k {
        ldlt_solve(n, m, &mut response[i * n..][..n]);
    }
    terms.fill(0.0);
    for i in 0..k {
        let row = &a[i * n..][..n];
        for j in 0..k {
            let other = &response[j * n..][..n];
            schur[i * k + j] = dot(row, other);
            let met: f64 = row.iter().zip(other).map(|(a, w)| (a * w).abs()).sum();
            terms[i] = terms[i].max(met);
        }
        λ[i] -= dot(row, free);
    }
    let Pivots { smallest, sign } = pivoted_solve(schur, terms, λ);
    if singular(k, smallest) {
        free.fill(f64::NAN);
        λ.fill(f64::NAN);
        return f64::NAN;
    }
    respond(free, response, λ);
    sign
}

/// What an elimination met.
pub(crate) struct Pivots {
    /// The smallest, relative to the size of the terms that its row was summed from.
    smallest: f64,
    /// The sign of the determinant.
    pub(crate) sign: f64,
}

/// Solves S x = b in place of b by elimination with the largest pivot of a column, each row
/// relative to the size of the terms that it was summed from (`sizes`). The pivots are left on the diagonal of S.
#[inline]
pub(crate) fn pivoted_solve(s: &mut [f64], sizes: &mut [f64], x: &mut [f64]) -> Pivots {
    let k = x.len();
    let (mut smallest, mut sign): (f64, f64) = (1.0, 1.0);
    for step in 0..k {
        let relative = |row: usize| s[row * k + step].abs() / sizes[row];
        let best = (step + 1..k)
            .fold(step, |best, row| if relative(row) > relative(best) { row } else { best });
        let pivot = relative(best);
        smallest = if pivot < smallest || pivot.is_nan() { pivot } else { smallest };
        sign *= s[best * k + step].signum() * if best == step { 1.0 } else { -1.0 };
        for column in 0..k {
            s.swap(step * k + column, best * k + column);
        }
        x.swap(step, best);
        sizes.swap(step, best);
        for row in step + 1..k {
            let factor = s[row * k + step] / s[step * k + step];
            for column in step..k {
                s[row * k + column] -= factor * s[step * k + column];
            }
            x[row] -= factor * x[step];
        }
    }
    for row in (0..k).rev() {
        let known: f64 = (row + 1..k).map(|column| s[row * k + column] * x[column]).sum();
        x[row] = (x[row] - known) / s[row * k + row];
    }
    Pivots { smallest, sign }
}

/// Σ xᵢ yᵢ.
#[inline]
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in (−1, 1) from a fixed multiplicative sequence.
    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut x = seed;
        move || {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (x >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    /// G = Bᵀ B + 1/10.
    fn metric<const N: usize>(next: &mut impl FnMut() -> f64) -> [[f64; N]; N] {
        let b: [[f64; N]; N] = std::array::from_fn(|_| std::array::from_fn(|_| next()));
        std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let sum: f64 = (0..N).map(|k| b[k][i] * b[k][j]).sum();
                if i == j { sum + 0.1 } else { sum }
            })
        })
    }

    fn check<const N: usize, const K: usize>(seed: u64) {
        let mut next = numbers(seed);
        let m = metric::<N>(&mut next);
        let a: [[f64; N]; K] = std::array::from_fn(|_| std::array::from_fn(|_| next()));
        let force: [f64; N] = std::array::from_fn(|_| next());
        let gamma: [f64; K] = std::array::from_fn(|_| next());
        let (acceleration, λ) = solve_constrained(&mut m.clone(), &a, &force, &gamma);
        let lower = (0..N).flat_map(|i| m[i][..=i].to_vec());
        let drift = gamma.map(|γ| -γ);
        let packed: Vec<f64> =
            lower.chain(a.as_flattened().to_vec()).chain(force).chain(drift).collect();
        let (mut by_loops, mut pulls) = ([0.0; N], [0.0; K]);
        let mut work = vec![f64::NAN; crate::private::solve_work(N, K)];
        crate::private::solve_into(&packed, false, &mut by_loops, &mut pulls, &mut work);
        assert_eq!((by_loops, pulls), (acceleration, λ), "N={N} K={K}");
        let size = acceleration.iter().chain(&λ).fold(1.0_f64, |size, x| size.max(x.abs()));
        for i in 0..N {
            let pull: f64 = (0..K).map(|k| a[k][i] * λ[k]).sum();
            let residual = dot(&m[i], &acceleration) - pull - force[i];
            assert!(residual.abs() < 1e-12 * size, "N={N} K={K} row {i}: {residual:e}");
        }
        for k in 0..K {
            let residual = dot(&a[k], &acceleration) - gamma[k];
            assert!(residual.abs() < 1e-12 * size, "N={N} K={K} constraint {k}: {residual:e}");
        }
    }

    #[test]
    fn constrained_solve_leaves_no_residual() {
        for seed in 1..20 {
            check::<1, 0>(seed);
            check::<2, 1>(seed);
            check::<4, 2>(seed);
            check::<8, 3>(seed);
            check::<32, 5>(seed);
        }
    }

    #[test]
    fn singular_matrices_give_no_numbers() {
        let singular = [[1.0, 2.0], [2.0, 4.0]];
        let mut x = [1.0, 1.0];
        assert!(ldlt_factor_solve(&mut singular.clone(), &mut x) < 1e-15);
        assert!(x.iter().all(|x| x.is_nan()));

        let mut identity = [[1.0, 0.0], [0.0, 1.0]];
        let (a, λ) =
            solve_constrained(&mut identity, &[[1.0, 3.0], [0.1, 0.3]], &[1.0, 0.0], &[0.0, 0.0]);
        assert!(a.iter().chain(&λ).all(|x| x.is_nan()), "dependent rows: {a:?} {λ:?}");

        assert!(ldlt_factor_solve(&mut [[0.0]], &mut [1.0]).is_nan());
        assert!(ldlt_factor_solve(&mut [[f64::NAN]], &mut [1.0]).is_nan());
    }
}
