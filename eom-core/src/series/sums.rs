//! The sums [a, b]ₖ = Σ aⱼbₖ₋ⱼ over 0 < j < k, many at once.
//!
//! ```text
//! Σ = (a_{k/2} b_{k/2} (k even) + Σ aⱼbₖ₋ⱼ) + Σ aₖ₋ⱼbⱼ, j from ⌈k/2⌉ − 1 down to 1
//! ```
//!
//! The newest coefficients come last: they are not waited for by the others. Each product is fused with the
//! sum before it. Each sum is added up in this order whatever the others are and however wide the
//! machine's registers.
//!
//! A row that was just written number by number is not there to be read as a whole for a while. Where sums
//! are few, the newest coefficients are therefore taken from where they were made, one by one.
//!
//! For each order there is a row of left factors, then one of right ones. Were both 4096 bytes apart, a
//! machine would take the one that was just written for the one that it reads.

#[cfg(feature = "batch")]
use eom_elementary::Lane;
use pulp::Simd;

/// Registers of totals.
const TOTALS: usize = 6;

/// Sums that are taken together in lanes.
pub const GROUP: usize = 4;

/// The number of sums is filled up to a multiple of this: the lanes of the widest registers.
pub const PADDING: usize = 8;

/// Up to so many sums the newest coefficients are taken one by one: two registers of the widest. The
/// double pendulum with 16 gains an eighth, 24 lose as much, since they are no longer kept in registers.
const FEW: usize = 16;

/// The sums of order k, half the number of rows: of left factors of order j with right ones of k − j.
/// `newest` are the rows of order k − 1.
#[inline(always)]
pub(super) fn sums<S: Simd, const N: usize>(
    simd: S,
    rows: &[[f64; N]],
    newest: &[[f64; N]; 2],
    sums: &mut [f64],
) {
    if const { N <= FEW } {
        sums_with_newest(simd, rows, newest, sums);
    } else {
        sums_of_rows(simd, rows, sums);
    }
}

/// The same of whole rows.
#[inline(always)]
fn sums_of_rows<S: Simd, const N: usize>(simd: S, rows: &[[f64; N]], sums: &mut [f64]) {
    let (sums, rest) = S::as_mut_simd_f64s(sums);
    debug_assert!(rest.is_empty(), "sums fill whole registers");
    let mut first = 0;
    while first + TOTALS <= sums.len() {
        group::<S, N, TOTALS>(simd, rows, first, sums);
        first += TOTALS;
    }
    // N is known, so that one of these is left.
    match sums.len() - first {
        0 => {}
        1 => group::<S, N, 1>(simd, rows, first, sums),
        2 => group::<S, N, 2>(simd, rows, first, sums),
        3 => group::<S, N, 3>(simd, rows, first, sums),
        4 => group::<S, N, 4>(simd, rows, first, sums),
        _ => group::<S, N, 5>(simd, rows, first, sums),
    }
}

/// The same with the products j = 1 and k − 1 taken from `newest`.
#[inline(always)]
fn sums_with_newest<S: Simd, const N: usize>(
    simd: S,
    rows: &[[f64; N]],
    newest: &[[f64; N]; 2],
    sums: &mut [f64],
) {
    let (k, mut older) = (rows.len() / 2, [[0.0; N]; 2]);
    let [totals, others] = &mut older;
    let registers = S::as_mut_simd_f64s(totals).0.iter_mut().zip(S::as_mut_simd_f64s(others).0);
    for (register, (total, other)) in registers.enumerate() {
        let row = |side: usize, j: usize| -> [S::f64s; 1] {
            [S::as_simd_f64s(&rows[2 * j + side]).0[register]]
        };
        [[*total], [*other]] = parts(simd, k, 2, row);
    }
    let [_, _, first_left, first_right, ..] = rows else { return sums.fill(0.0) };
    for (i, sum) in sums.iter_mut().enumerate().take(N) {
        *sum = match k {
            2 => newest[0][i] * newest[1][i] + 0.0,
            _ => {
                let total = first_left[i].mul_add(newest[1][i], older[0][i]);
                total + newest[0][i].mul_add(first_right[i], older[1][i])
            }
        };
    }
}

/// A group of registers of sums from `first` on.
#[inline(always)]
fn group<S: Simd, const N: usize, const T: usize>(
    simd: S,
    rows: &[[f64; N]],
    first: usize,
    sums: &mut [S::f64s],
) {
    let totals = totals(
        simd,
        rows.len() / 2,
        #[inline(always)]
        |side, j| -> [S::f64s; T] {
            let row = S::as_simd_f64s(&rows[2 * j + side]).0;
            row[first..].first_chunk().copied().unwrap_or([simd.splat_f64s(0.0); T])
        },
    );
    if let Some(sums) = sums[first..].first_chunk_mut() {
        *sums = totals;
    }
}

/// The side of left factors, that of right ones.
const SIDES: [usize; 2] = [0, 1];

/// T registers of sums of order k, of those that `row` reads of one side of order j.
#[inline(always)]
fn totals<S: Simd, const T: usize>(
    simd: S,
    k: usize,
    row: impl Fn(usize, usize) -> [S::f64s; T],
) -> [S::f64s; T] {
    let [mut totals, others] = parts(simd, k, 1, row);
    for i in 0..T {
        totals[i] = simd.add_f64s(totals[i], others[i]);
    }
    totals
}

/// Both halves of T registers of sums of order k, over from ≤ j ≤ k − from.
#[inline(always)]
fn parts<S: Simd, const T: usize>(
    simd: S,
    k: usize,
    from: usize,
    row: impl Fn(usize, usize) -> [S::f64s; T],
) -> [[S::f64s; T]; 2] {
    let [left, right] = SIDES;
    let (mut totals, mut others) = ([simd.splat_f64s(0.0); T], [simd.splat_f64s(0.0); T]);
    if k.is_multiple_of(2) && k / 2 >= from {
        let (left, right) = (row(left, k / 2), row(right, k / 2));
        for i in 0..T {
            totals[i] = simd.mul_f64s(left[i], right[i]);
        }
    }
    for j in (from..k.div_ceil(2)).rev() {
        let (low, high) = (row(left, j), row(right, k - j));
        let (last, first) = (row(left, k - j), row(right, j));
        for i in 0..T {
            totals[i] = simd.mul_add_f64s(low[i], high[i], totals[i]);
            others[i] = simd.mul_add_f64s(last[i], first[i], others[i]);
        }
    }
    [totals, others]
}

/// The same in lanes, each number of a row in all of them.
#[cfg(feature = "batch")]
#[inline(always)]
pub(super) fn sums_in_lanes<S: Simd, const P: usize>(
    simd: S,
    rows: &[[S::f64s; P]],
    sums: &mut [Lane<S>],
) {
    const { assert!(P.is_multiple_of(GROUP)) };
    for first in (0..P).step_by(GROUP) {
        let totals = totals(
            simd,
            rows.len() / 2,
            #[inline(always)]
            |side, j| -> [S::f64s; GROUP] {
                let row = rows[2 * j + side][first..].first_chunk();
                row.copied().unwrap_or([simd.splat_f64s(0.0); GROUP])
            },
        );
        for (sum, total) in sums[first..].iter_mut().zip(totals) {
            *sum = Lane::of_register(simd, total);
        }
    }
}

/// The same for a number of sums that is known at run time, that of `sums`.
pub(super) fn sums_of(rows: &[f64], k: usize, sums: &mut [f64]) {
    eom_elementary::with_fused_products(
        #[inline(always)]
        || sums_one_by_one(rows, k, sums),
    );
}

#[inline(always)]
fn sums_one_by_one(rows: &[f64], k: usize, sums: &mut [f64]) {
    let (n, [left, right]) = (sums.len(), SIDES);
    let row = |side: usize, j: usize, i: usize| rows[(2 * j + side) * n + i];
    for (i, sum) in sums.iter_mut().enumerate() {
        let middle = k.is_multiple_of(2).then(|| row(left, k / 2, i) * row(right, k / 2, i));
        let (mut total, mut other) = (middle.unwrap_or(0.0), 0.0);
        for j in (1..k.div_ceil(2)).rev() {
            total = row(left, j, i).mul_add(row(right, k - j, i), total);
            other = row(left, k - j, i).mul_add(row(right, j, i), other);
        }
        *sum = total + other;
    }
}

#[cfg(test)]
mod tests {
    use super::{sums, sums_of};
    use pulp::{Arch, Scalar, Simd, WithSimd};

    struct Sums<'a, const N: usize>(&'a [[f64; N]]);

    impl<const N: usize> WithSimd for Sums<'_, N> {
        type Output = [f64; N];

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> [f64; N] {
            let mut out = [0.0; N];
            let [.., left, right] = self.0 else { return out };
            sums::<S, N>(simd, self.0, &[*left, *right], &mut out);
            out
        }
    }

    /// Wide, narrow and of any number: the same bits, and what the formula says.
    fn check<const N: usize>(k: usize) {
        let row = |seed: usize| {
            std::array::from_fn(|i| (((seed * 31 + i * 17) % 97) as f64 - 48.0) / 7.0)
        };
        let rows: Vec<[f64; N]> = (0..k).flat_map(|j| [row(j), row(j + 50)]).collect();
        let mut general = [0.0; N];
        sums_of(rows.as_flattened(), k, &mut general);
        let wide = Arch::new().dispatch(Sums(&rows));
        let narrow = Sums(&rows).with_simd(Scalar::new());
        for i in 0..N {
            let expected: f64 = (1..k).map(|j| rows[2 * j][i] * rows[2 * (k - j) + 1][i]).sum();
            assert_eq!(wide[i].to_bits(), general[i].to_bits(), "sum {i} of {N}, order {k}");
            assert_eq!(narrow[i].to_bits(), general[i].to_bits(), "sum {i} of {N}, order {k}");
            assert!((wide[i] - expected).abs() <= 1e-12 * (1.0 + expected.abs()));
        }
    }

    #[test]
    fn sums_of_any_number_are_those_of_the_formula() {
        for k in [1, 2, 3, 12, 20] {
            check::<8>(k);
            check::<16>(k);
            check::<32>(k);
            check::<72>(k);
        }
    }
}
