//! A series whose recurrence is code that was made at run time: it reads and writes lists, as few as can be, so
//! that no order waits for numbers to be moved.
//!
//! Of one motion all orders are made by one call, on [`Rows`]. Of several in lanes each order is one:
//!
//! ```text
//! point      k, 1/k, tₖ, 1/(k + 1), then yₖ, what was handed on, what is observed
//! made       the point of the next order: yₖ₊₁ where yₖ stands
//! sums       many [a, b]ₖ
//! factors    those of this order, N left ones, then N right ones, N the number of sums
//! ```

use super::orders::NUMBERS;
use super::sums::sums_of_rows;
use super::sums::{FEW, GROUP};
use super::{INVERSES, LENGTH, Series, Sizes, last_asked};
use pulp::{Simd, WithSimd};

/// Where yₖ stands in a point.
pub const STATE: usize = 4;
/// Where k, 1/k, tₖ and 1/(k + 1) stand.
pub const ORDER: [usize; STATE] = [0, 1, 2, 3];
/// Numbers of a column of what is observed.
pub const COLUMN: usize = LENGTH;

/// What a recurrence is given of an order.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// k, 1/k, tₖ, 1/(k + 1), yₖ, what was handed on.
    pub point: &'a [f64],
    /// The sums.
    pub sums: &'a [f64],
}

/// Where a recurrence of one motion reads and writes; each list begins as order 1 has it.
#[derive(Debug)]
pub struct Rows<'a> {
    /// The last order that is asked for.
    pub last: usize,
    /// k, 1/k, tₖ, 1/(k + 1).
    pub numbers: &'a [f64],
    /// yₖ, a row an order.
    pub state: &'a mut [f64],
    /// What is handed on, a row an order.
    pub handed: &'a mut [f64],
    /// A column of [`COLUMN`] coefficients a value, from order 0 on.
    pub observed: &'a mut [f64],
    /// From order 0 on, where there are zeros: left factors, then right ones, [`Sizes::padded`] of each.
    pub factors: &'a mut [f64],
}

impl Sizes {
    /// The number of sums, filled up.
    pub fn padded(&self) -> usize {
        self.sums.next_multiple_of(GROUP)
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
    /// [`Series::expand_slices`] by a recurrence that makes all orders, to the same bits.
    pub fn expand_rows(
        &mut self,
        sizes: Sizes,
        [q, v]: [&[f64]; 2],
        start: &[f64],
        recurrence: impl FnOnce(Rows<'_>),
    ) {
        let (y, padded) = (sizes.state, sizes.padded());
        self.resize(y, sizes.observed, padded);
        self.rows[..q.len()].copy_from_slice(q);
        self.rows[q.len()..y].copy_from_slice(v);
        self.take(0, &start[..y], &start[y..]);
        let Self { order, rows, observed, factors, work, .. } = self;
        let last = last_asked(*order, sizes.observed);
        // What stands there in place of order 0 has no products.
        factors[..2 * padded].fill(0.0);
        work.clear();
        work.resize((last + 1) * sizes.handed, 0.0);
        recurrence(Rows {
            last,
            numbers: NUMBERS.as_flattened(),
            state: &mut rows[y..],
            handed: work,
            observed,
            factors,
        });
    }
}

/// The orders from the first on, of several motions in lanes: each number in all of them, side by side.
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
        let (y, length, n) = (sizes.state * lanes, sizes.point() * lanes, sizes.sums * lanes);
        let (state, observed) = (STATE * lanes, (STATE + sizes.state + sizes.handed) * lanes);
        work.clear();
        work.resize(2 * length + n, 0.0);
        let (mut point, rest) = work.split_at_mut(length);
        let (mut made, sums) = rest.split_at_mut(length);
        // What stands there in place of order 0 has no products.
        factors[..2 * n].fill(0.0);
        point[state..state + y].copy_from_slice(&rows[y..2 * y]);
        for k in 1..=last_asked(order, sizes.observed) {
            let numbers = [k as f64, INVERSES[k], f64::from(u8::from(k == 1)), INVERSES[k + 1]];
            for (to, number) in point.chunks_exact_mut(lanes).zip(numbers) {
                to.fill(number);
            }
            let (lower, here) = factors.split_at_mut(2 * n * k);
            sums_of_rows(simd, lower, k, sums);
            recurrence(Given { point, sums }, made, &mut here[..2 * n]);
            rows[(k + 1) * y..][..y].copy_from_slice(&made[state..state + y]);
            let columns = columns.chunks_exact_mut(LENGTH * lanes);
            for (column, observed) in columns.zip(made[observed..].chunks_exact(lanes)) {
                column[k * lanes..][..lanes].copy_from_slice(observed);
            }
            std::mem::swap(&mut point, &mut made);
        }
    }
}
