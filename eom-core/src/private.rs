//! What generated code calls: packing and unpacking around its kernels. Not an interface for
//! anyone else; it changes with the macro.

pub use crate::info::described::{Described, FromDescribed};

use crate::function::{Orders, Smooth, SmoothFunction};
use crate::linear::linalg;
use crate::linear::linalg::solve_constrained;
use crate::system::ImpactDirection;
use crate::system::ParameterError;

/// The value of a parameter: the override, else the default.
pub fn parameter(
    name: &'static str,
    given: Option<f64>,
    default: impl FnOnce() -> Option<f64>,
) -> Result<f64, ParameterError> {
    given.or_else(default).ok_or(ParameterError::Missing { name })
}

/// Refuses a value that is not a finite number.
pub fn finite(name: &'static str, value: f64) -> Result<(), ParameterError> {
    if value.is_finite() { Ok(()) } else { Err(ParameterError::NotFinite { name, value }) }
}

/// Refuses a value whose bound does not hold.
pub fn bound(
    name: &'static str,
    value: f64,
    holds: bool,
    bound: &'static str,
) -> Result<(), ParameterError> {
    if holds { Ok(()) } else { Err(ParameterError::Bound { name, value, bound }) }
}

/// Refuses a function that is missing, or has another number of arguments.
pub fn function(
    name: &'static str,
    function: &SmoothFunction,
    arity: usize,
    has_default: bool,
) -> Result<(), ParameterError> {
    match function.given() {
        None if has_default => Ok(()),
        None => Err(ParameterError::MissingFunction { name }),
        Some(given) if given.arity() == arity => Ok(()),
        Some(given) => {
            let found = given.arity();
            Err(ParameterError::FunctionArguments { name, expected: arity, found })
        }
    }
}

/// The partials of the given orders at a point.
#[inline]
pub fn partials<const K: usize>(given: &dyn Smooth, at: &[f64], orders: &[Orders; K]) -> [f64; K] {
    let mut values = [f64::NAN; K];
    if given.arity() == at.len() {
        given.partials(at, orders, &mut values);
    }
    values
}

/// The slice of an argument as an array.
///
/// # Panics
/// When the length differs: the lengths are those of `System::info`.
#[inline]
#[track_caller]
pub fn array<'a, T, const N: usize>(name: &'static str, slice: &'a [T]) -> &'a [T; N] {
    let Ok(array) = slice.try_into() else { wrong_length(name, N, slice.len()) };
    array
}

/// The slice of an argument as an array to write.
///
/// # Panics
/// When the length differs: the lengths are those of `System::info`.
#[inline]
#[track_caller]
pub fn array_mut<'a, T, const N: usize>(name: &'static str, slice: &'a mut [T]) -> &'a mut [T; N] {
    let found = slice.len();
    let Ok(array) = slice.try_into() else { wrong_length(name, N, found) };
    array
}

/// Sees that the slice of an argument has its length.
///
/// # Panics
/// When it has not.
#[inline]
#[track_caller]
pub fn check_length(name: &'static str, expected: usize, found: usize) {
    if expected != found {
        wrong_length(name, expected, found);
    }
}

/// Not in place: a message that borrows the length would have it written to memory first.
#[cold]
#[inline(never)]
#[track_caller]
fn wrong_length(name: &'static str, expected: usize, found: usize) -> ! {
    panic!("`{name}`: expected {expected} values, found {found}");
}

/// p₀ + P λ from p₀, n of them, and P by rows, n×k; P may be left out where it is 0.
pub fn affine(all: &[f64], λ: &[f64], values: &mut [f64]) {
    let (constant, slopes) = all.split_at(values.len());
    values.copy_from_slice(constant);
    if !slopes.is_empty() {
        for (value, row) in values.iter_mut().zip(slopes.chunks_exact(λ.len())) {
            *value += linalg::dot(row, λ);
        }
    }
}

/// The first N and the last K entries.
#[inline]
pub fn split<T: Copy + Default, const N: usize, const K: usize>(all: &[T]) -> ([T; N], [T; K]) {
    let (mut head, mut tail) = ([T::default(); N], [T::default(); K]);
    head.copy_from_slice(&all[..N]);
    tail.copy_from_slice(&all[N..N + K]);
    (head, tail)
}

/// The position of entry (i, j) of a symmetric matrix whose lower triangle is stored by rows.
#[inline]
pub const fn packed(i: usize, j: usize) -> usize {
    let (row, column) = if i < j { (j, i) } else { (i, j) };
    row * (row + 1) / 2 + column
}

/// Writes a symmetric N×N matrix from its lower triangle.
#[inline]
#[track_caller]
pub fn unpack<const N: usize>(lower: &[f64], name: &'static str, matrix: &mut [f64]) {
    check_length(name, N * N, matrix.len());
    for i in 0..N {
        for j in 0..N {
            matrix[i * N + j] = lower[packed(i, j)];
        }
    }
}

/// The same of n rows.
pub fn unpack_rows(lower: &[f64], n: usize, matrix: &mut [f64]) {
    for i in 0..n {
        let row = &lower[packed(i, 0)..][..=i];
        matrix[i * n..][..=i].copy_from_slice(row);
        for (j, entry) in row[..i].iter().enumerate() {
            matrix[j * n + i] = *entry;
        }
    }
}

/// Writes a symmetric matrix, of which `product` writes the product with a vector; `unit` has an entry for each column.
#[inline]
#[track_caller]
pub fn columns(
    unit: &mut [f64],
    name: &'static str,
    matrix: &mut [f64],
    mut product: impl FnMut(&[f64], &mut [f64]),
) {
    let n = unit.len();
    check_length(name, n * n, matrix.len());
    unit.fill(0.0);
    for j in 0..n {
        unit[j] = 1.0;
        product(unit, &mut matrix[j * n..][..n]);
        unit[j] = 0.0;
    }
    // What rounding makes of the two triangles may differ.
    for j in 0..n {
        for i in j + 1..n {
            matrix[i * n + j] = matrix[j * n + i];
        }
    }
}

/// Writes the entries one after another: first `a`, then `b`.
#[inline]
#[track_caller]
pub fn distribute(all: &[f64], names: &'static str, a: &mut [f64], b: &mut [f64]) {
    check_length(names, all.len(), a.len() + b.len());
    let (head, tail) = all.split_at(a.len());
    a.copy_from_slice(head);
    b.copy_from_slice(tail);
}

/// Writes the entries one after another into the parts.
#[inline]
#[track_caller]
pub fn scatter<const N: usize>(all: &[f64], names: &'static str, parts: [&mut [f64]; N]) {
    check_length(names, all.len(), parts.iter().map(|part| part.len()).sum());
    let mut rest = all;
    for part in parts {
        let (head, tail) = rest.split_at(part.len());
        part.copy_from_slice(head);
        rest = tail;
    }
}

/// Solves M a − Rᵀλ = f, A a = −γ from what a kernel packs: the lower triangle of M by rows, A by
/// rows, R by rows, f, γ.
#[inline]
pub fn solve_coupled<const N: usize, const K: usize>(all: &[f64]) -> ([f64; N], [f64; K]) {
    let (lower, rest) = all.split_at(N * (N + 1) / 2);
    let mut m = [[0.0; N]; N];
    unpack::<N>(lower, "m", m.as_flattened_mut());
    let (mut a, mut r) = ([[0.0; N]; K], [[0.0; N]; K]);
    let (rows, rest) = rest.split_at(N * K);
    a.as_flattened_mut().copy_from_slice(rows);
    let (reactions, rest) = rest.split_at(N * K);
    r.as_flattened_mut().copy_from_slice(reactions);
    let (force, drift) = split::<f64, N, K>(rest);
    linalg::solve_coupled(&mut m, &a, &r, &force, &drift.map(|γ| -γ))
}

/// The sign of det A M⁻¹Rᵀ from what [`solve_coupled`] is given, for n speeds and k rows.
pub fn pairing_sign(all: &[f64], n: usize, k: usize) -> f64 {
    let (lower, rest) = all.split_at(n * (n + 1) / 2);
    let mut m: Vec<f64> = (0..n * n).map(|entry| lower[packed(entry / n, entry % n)]).collect();
    let (rows, rest) = rest.split_at(k * n);
    linalg::pairing_sign(&mut m, rows, &mut rest[..k * n].to_vec(), (n, k))
}

/// Solves M a − Aᵀλ = f, A a = −γ from what a kernel packs: the lower triangle of M by rows, A by
/// rows, f, γ.
#[inline]
pub fn solve_packed<const N: usize, const K: usize>(all: &[f64]) -> ([f64; N], [f64; K]) {
    let (lower, rest) = all.split_at(N * (N + 1) / 2);
    let mut m = [[0.0; N]; N];
    unpack::<N>(lower, "m", m.as_flattened_mut());
    let (rows, rest) = rest.split_at(N * K);
    let mut a = [[0.0; N]; K];
    a.as_flattened_mut().copy_from_slice(rows);
    let (force, drift) = split::<f64, N, K>(rest);
    solve_constrained(&mut m, &a, &force, &drift.map(|γ| -γ))
}

/// Takes apart ∇g, ∂g/∂t, w, ∇g·w.
#[inline]
pub fn impact_direction(
    all: &[f64],
    gradient: &mut [f64],
    direction: &mut [f64],
) -> ImpactDirection {
    let (first, rest) = all.split_at(gradient.len());
    let (rate, rest) = rest.split_first().unwrap_or((&f64::NAN, rest));
    let (second, gain) = rest.split_at(direction.len());
    gradient.copy_from_slice(first);
    direction.copy_from_slice(second);
    ImpactDirection { rate: *rate, gain: gain.first().copied().unwrap_or(f64::NAN) }
}

/// Numbers that [`solve_into`] works with, for n speeds and k rows.
pub const fn solve_work(n: usize, k: usize) -> usize {
    n * n + k * n + k * k + k
}

/// What [`solve_packed`] and, with `coupled`, [`solve_coupled`] compute, for n = `a.len()` and
/// k = `λ.len()` known at run time, in the same operations. `work` has [`solve_work`] numbers.
pub fn solve_into(all: &[f64], coupled: bool, a: &mut [f64], λ: &mut [f64], work: &mut [f64]) {
    let (n, k) = (a.len(), λ.len());
    let (m, work) = work.split_at_mut(n * n);
    let (lower, rest) = all.split_at(n * (n + 1) / 2);
    // Nothing above the diagonal is read.
    for i in 0..n {
        m[i * n..][..=i].copy_from_slice(&lower[packed(i, 0)..][..=i]);
    }
    let (rows, rest) = rest.split_at(k * n);
    let (reactions, rest) = rest.split_at(if coupled { k * n } else { 0 });
    let (force, drift) = rest.split_at(n);
    a.copy_from_slice(force);
    λ.iter_mut().zip(drift).for_each(|(λ, γ)| *λ = -γ);
    if coupled {
        linalg::solve_coupled_into(m, rows, reactions, a, λ, work);
    } else {
        linalg::solve_constrained_into(m, rows, a, λ, work);
    }
}
