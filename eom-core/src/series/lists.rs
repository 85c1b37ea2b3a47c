//! A series whose recurrence is code that was made at run time: it reads and writes lists, as few as can be, so
//! that no order waits for numbers to be moved.
//!
//! ```text
//! point      k, 1/k, tₖ, 1/(k + 1), then yₖ, what was handed on, what is observed
//! made       the point of the next order: yₖ₊₁ where yₖ stands
//! sums       many [a, b]ₖ; few: the sums without their newest products, in two halves
//! first      of few: the factors of order 1, the left ones 0 while all products are one
//! newest     of few: the factors of the order before
//! factors    those of this order, N left ones, then N right ones, N the number of sums filled up by zeros
//! ```
//!
//! Few sums are [`Sizes::are_few`]: then
//!
//! ```text
//! [a, b]ₖ = (first_left·newest_right + sums₀) + (newest_left·first_right + sums₁)
//! ```
//!
//! of numbers that were written one by one, and are read so. In lanes no sums are few, and N is their number.

use super::sums::sums_of_rows;
use super::sums::{FEW, PADDING};
use super::{INVERSES, LENGTH, Series, Sizes, last_asked, narrow};
use pulp::{Arch, Simd, WithSimd};

/// Where yₖ stands in a point.
pub const STATE: usize = 4;
/// Where k, 1/k, tₖ and 1/(k + 1) stand.
pub const ORDER: [usize; STATE] = [0, 1, 2, 3];

/// What a recurrence is given of an order.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// k, 1/k, tₖ, 1/(k + 1), yₖ, what was handed on.
    pub point: &'a [f64],
    /// The sums; where they are few their two halves.
    pub sums: &'a [f64],
    /// Factors of order 1.
    pub first: &'a [f64],
    /// Factors of order k − 1.
    pub newest: &'a [f64],
}

impl Sizes {
    /// The number of sums, filled up.
    pub fn padded(&self) -> usize {
        self.sums.next_multiple_of(PADDING)
    }

    /// Whether the newest products of the sums are taken by the recurrence.
    pub fn are_few(&self) -> bool {
        self.padded() <= FEW
    }

    /// The numbers of a point.
    fn point(&self) -> usize {
        STATE + self.state + self.handed + self.observed
    }
}

impl Series {
    /// [`Series::expand_slices`] by a recurrence over lists, to the same bits.
    pub fn expand_lists(
        &mut self,
        sizes: Sizes,
        [q, v]: [&[f64]; 2],
        start: &[f64],
        recurrence: impl FnMut(Given<'_>, &mut [f64], &mut [f64]),
    ) {
        let Sizes { state: y, observed, .. } = sizes;
        self.resize(y, observed, sizes.padded());
        self.rows[..q.len()].copy_from_slice(q);
        self.rows[q.len()..y].copy_from_slice(v);
        self.take(0, &start[..y], &start[y..]);
        let Self { order, rows, observed, factors, work, .. } = self;
        let lists = [&mut **rows, &mut **observed, &mut **factors];
        let orders = Orders { order: *order, sizes, lanes: 1, lists, work, recurrence };
        if sizes.are_few() { narrow(orders) } else { Arch::new().dispatch(orders) }
    }
}

/// The orders from the first on, of one motion or of several in lanes: each number in all of them, side by side.
pub(super) struct Orders<'s, F> {
    pub(super) order: usize,
    pub(super) sizes: Sizes,
    pub(super) lanes: usize,
    /// yₖ, a row an order; what is observed, a column a value; factors.
    pub(super) lists: [&'s mut [f64]; 3],
    pub(super) work: &'s mut Vec<f64>,
    pub(super) recurrence: F,
}

impl<F: FnMut(Given<'_>, &mut [f64], &mut [f64])> WithSimd for Orders<'_, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { order, sizes, lanes, lists: [rows, columns, factors], work, mut recurrence } =
            self;
        let few = lanes == 1 && sizes.are_few();
        let (y, length) = (sizes.state * lanes, sizes.point() * lanes);
        let n = if lanes == 1 { sizes.padded() } else { sizes.sums * lanes };
        let (state, observed) = (STATE * lanes, (STATE + sizes.state + sizes.handed) * lanes);
        work.clear();
        work.resize(2 * length + 4 * n, 0.0);
        let (mut point, rest) = work.split_at_mut(length);
        let (mut made, rest) = rest.split_at_mut(length);
        let (sums, first) = rest.split_at_mut(2 * n);
        // What stands there in place of order 0 has no products.
        factors[..2 * n].fill(0.0);
        point[state..state + y].copy_from_slice(&rows[y..2 * y]);
        for k in 1..=last_asked(order, sizes.observed) {
            let numbers = [k as f64, INVERSES[k], f64::from(u8::from(k == 1)), INVERSES[k + 1]];
            for (to, number) in point.chunks_exact_mut(lanes).zip(numbers) {
                to.fill(number);
            }
            let (lower, here) = factors.split_at_mut(2 * n * k);
            sums_of_rows(simd, lower, (k, few), sums);
            let (newest, here) = (&lower[2 * n * (k - 1)..], &mut here[..2 * n]);
            recurrence(Given { point, sums, first, newest }, made, here);
            if few && k <= 2 {
                // Of order 2 both products are one: the right factors alone are there.
                let side = if k == 1 { n..2 * n } else { 0..n };
                first[side.clone()].copy_from_slice(&factors[2 * n..4 * n][side]);
            }
            rows[(k + 1) * y..][..y].copy_from_slice(&made[state..state + y]);
            let columns = columns.chunks_exact_mut(LENGTH * lanes);
            for (column, observed) in columns.zip(made[observed..].chunks_exact(lanes)) {
                column[k * lanes..][..lanes].copy_from_slice(observed);
            }
            std::mem::swap(&mut point, &mut made);
        }
    }
}
