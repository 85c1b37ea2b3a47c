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
//! What is not inlined into a function of a machine's registers is compiled without them, and takes ten times as long: no
//! closure goes through `array::map` or an iterator here.
//!
//! For each order there is a row of left factors, then one of right ones. Were both 4096 bytes apart, a
//! machine would take the one that was just written for the one that it reads.

#[cfg(feature = "batch")]
use eom_elementary::Lane;
use eom_elementary::fused;
use pulp::Simd;

/// Registers of totals.
const TOTALS: usize = 6;

/// Sums that are taken together in lanes.
pub const GROUP: usize = 4;

/// The number of sums is filled up to a multiple of this: the lanes of the widest registers.
pub const PADDING: usize = 8;

/// Up to so many sums the newest coefficients are taken one by one, and all is done in registers of 256
/// bits: the double pendulum with 16 sums gains a fifth, 24 sums lose as much.
pub(super) const FEW: usize = 16;

/// Left and right factors of an order.
pub(super) type Factors<R, const N: usize> = [[R; N]; 2];

/// The sums of order k from the factors of the orders below it. `newest` are those of order k − 1.
#[inline(always)]
pub(super) fn sums<S: Simd, const N: usize>(
    simd: S,
    orders: &[Factors<f64, N>],
    newest: &Factors<f64, N>,
    sums: &mut [f64; N],
) {
    let mut others = [0.0; N];
    halves(simd, orders, [sums, &mut others]);
    if const { N > FEW } {
        return;
    }
    // Where k = 1 there are none, where k = 2 both products are one.
    let first = orders.get(1).unwrap_or(&[[0.0; N]; 2]);
    let left = if orders.len() > 2 { &first[0] } else { &[0.0; N] };
    for i in 0..N {
        let total = fused(left[i], newest[1][i], sums[i]);
        sums[i] = total + fused(newest[0][i], first[1][i], others[i]);
    }
}

/// N sums. Where they are few, both halves apart and without the newest.
#[inline(always)]
fn halves<S: Simd, const N: usize>(simd: S, orders: &[Factors<f64, N>], to: [&mut [f64; N]; 2]) {
    // N is known, so that one of these is left.
    match at_once(N / S::F64_LANES) {
        0 => {}
        1 => groups::<S, N, 1>(simd, orders, to),
        2 => groups::<S, N, 2>(simd, orders, to),
        3 => groups::<S, N, 3>(simd, orders, to),
        4 => groups::<S, N, 4>(simd, orders, to),
        5 => groups::<S, N, 5>(simd, orders, to),
        _ => groups::<S, N, TOTALS>(simd, orders, to),
    }
}

/// How many of so many registers are summed at once, at most [`TOTALS`]: as few loops as can be, each of as many. A loop
/// that ends waits for what comes behind it to be found, and one over few registers for its own sums.
const fn at_once(registers: usize) -> usize {
    match registers {
        0 => 0,
        _ => registers.div_ceil(registers.div_ceil(TOTALS)),
    }
}

/// T registers of them at a time; the last ones may be among those before.
#[inline(always)]
fn groups<S: Simd, const N: usize, const T: usize>(
    simd: S,
    orders: &[Factors<f64, N>],
    to: [&mut [f64; N]; 2],
) {
    let [totals, others] = to.map(|list| S::as_mut_simd_f64s(list).0);
    for first in (0..totals.len()).step_by(T) {
        let first = first.min(totals.len().saturating_sub(T));
        group::<S, N, T>(simd, orders, first, [totals, others]);
    }
}

/// T registers of them from `first` on.
#[inline(always)]
fn group<S: Simd, const N: usize, const T: usize>(
    simd: S,
    orders: &[Factors<f64, N>],
    first: usize,
    to: [&mut [S::f64s]; 2],
) {
    let read = registers::<S, N, T>(first);
    let [mut totals, others] = to.map(|to| to[first..].first_chunk_mut::<T>());
    if const { N <= FEW } {
        let [first, second] = parts(simd, orders, 2, read);
        if let (Some(totals), Some(others)) = (&mut totals, others) {
            (**totals, *others) = (first, second);
        }
    } else if let Some(totals) = &mut totals {
        **totals = sums_of_parts(simd, parts(simd, orders, 1, read));
    }
}

/// T registers of a row from `first` on. They are lent: a product takes them from where they are, and as many sums as
/// there are registers fit.
#[inline(always)]
fn registers<S: Simd, const N: usize, const T: usize>(
    first: usize,
) -> impl Fn(&[f64; N]) -> Option<&[S::f64s; T]> {
    move |row| S::as_simd_f64s(row).0.get(first..)?.first_chunk()
}

/// Σ of both halves.
#[inline(always)]
fn sums_of_parts<S: Simd, const T: usize>(
    simd: S,
    [totals, others]: [[S::f64s; T]; 2],
) -> [S::f64s; T] {
    std::array::from_fn(|i| simd.add_f64s(totals[i], others[i]))
}

/// Both halves of T registers of sums of order k, the number of orders, over from ≤ j ≤ k − from.
#[inline(always)]
fn parts<S: Simd, R, const T: usize>(
    simd: S,
    orders: &[[R; 2]],
    from: usize,
    read: impl Fn(&R) -> Option<&[S::f64s; T]>,
) -> [[S::f64s; T]; 2] {
    let (mut totals, mut others) = ([simd.splat_f64s(0.0); T], [simd.splat_f64s(0.0); T]);
    // The lower ones of those orders, that in the middle, the higher ones.
    let orders = orders.get(from..orders.len() + 1 - from).unwrap_or_default();
    let (low, mut high) = orders.split_at(orders.len() / 2);
    if !orders.len().is_multiple_of(2)
        && let [[left, right], rest @ ..] = high
    {
        if let (Some(left), Some(right)) = (read(left), read(right)) {
            for i in 0..T {
                totals[i] = simd.mul_f64s(left[i], right[i]);
            }
        }
        high = rest;
    }
    for (low, high) in low.iter().rev().zip(high) {
        let low = [read(&low[0]), read(&low[1])];
        let high = [read(&high[0]), read(&high[1])];
        let ([Some(l0), Some(l1)], [Some(h0), Some(h1)]) = (low, high) else { break };
        let (low, high) = ([l0, l1], [h0, h1]);
        for i in 0..T {
            totals[i] = simd.mul_add_f64s(low[0][i], high[1][i], totals[i]);
            others[i] = simd.mul_add_f64s(high[0][i], low[1][i], others[i]);
        }
    }
    [totals, others]
}

/// The same in lanes, each number of a row in all of them.
#[cfg(feature = "batch")]
#[inline(always)]
pub(super) fn sums_in_lanes<S: Simd, const P: usize>(
    simd: S,
    orders: &[Factors<S::f64s, P>],
    sums: &mut [Lane<S>],
) {
    const { assert!(P.is_multiple_of(GROUP)) };
    for first in (0..P).step_by(GROUP) {
        let halves = parts(simd, orders, 1, |row: &[S::f64s; P]| row[first..].first_chunk());
        let made: [_; GROUP] = sums_of_parts(simd, halves);
        for (sum, made) in sums[first..].iter_mut().zip(made) {
            *sum = Lane::of_register(simd, made);
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
    let (n, left, right) = (sums.len(), 0, 1);
    let row = |side: usize, j: usize, i: usize| rows[(2 * j + side) * n + i];
    for (i, sum) in sums.iter_mut().enumerate() {
        let middle = k.is_multiple_of(2).then(|| row(left, k / 2, i) * row(right, k / 2, i));
        let (mut total, mut other) = (middle.unwrap_or(0.0), 0.0);
        for j in (1..k.div_ceil(2)).rev() {
            total = fused(row(left, j, i), row(right, k - j, i), total);
            other = fused(row(left, k - j, i), row(right, j, i), other);
        }
        *sum = total + other;
    }
}

#[cfg(test)]
mod tests {
    use super::{sums, sums_of};
    use pulp::{Arch, Scalar, Simd, WithSimd};

    struct Sums<'a, const N: usize>(&'a [[[f64; N]; 2]]);

    impl<const N: usize> WithSimd for Sums<'_, N> {
        type Output = [f64; N];

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> [f64; N] {
            let mut out = [0.0; N];
            let [.., newest] = self.0 else { return out };
            sums::<S, N>(simd, self.0, newest, &mut out);
            out
        }
    }

    /// Wide, narrow and of any number: the same bits, and what the formula says.
    fn check<const N: usize>(k: usize) {
        let row = |seed: usize| {
            std::array::from_fn(|i| (((seed * 31 + i * 17) % 97) as f64 - 48.0) / 7.0)
        };
        let rows: Vec<[[f64; N]; 2]> = (0..k).map(|j| [row(j), row(j + 50)]).collect();
        let mut general = [0.0; N];
        sums_of(rows.as_flattened().as_flattened(), k, &mut general);
        let wide = Arch::new().dispatch(Sums(&rows));
        let narrow = Sums(&rows).with_simd(Scalar::new());
        for i in 0..N {
            let expected: f64 = (1..k).map(|j| rows[j][0][i] * rows[k - j][1][i]).sum();
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
