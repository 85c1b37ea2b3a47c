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
//! of numbers that were written one by one, and are read so.

use super::sums::sums_of_rows;
use super::{INVERSES, Series, Sizes, last_asked, narrow};
use crate::series::sums::{FEW, PADDING};
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
        let mut work = std::mem::take(&mut self.work);
        work.clear();
        work.resize(2 * sizes.point() + 4 * sizes.padded(), 0.0);
        let orders = Orders { series: self, sizes, work: &mut work, recurrence };
        if sizes.are_few() { narrow(orders) } else { Arch::new().dispatch(orders) }
        self.work = work;
    }
}

struct Orders<'s, F> {
    series: &'s mut Series,
    sizes: Sizes,
    work: &'s mut [f64],
    recurrence: F,
}

impl<F: FnMut(Given<'_>, &mut [f64], &mut [f64])> WithSimd for Orders<'_, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { series, sizes, work, mut recurrence } = self;
        let (y, n, few) = (sizes.state, sizes.padded(), sizes.are_few());
        let (mut point, rest) = work.split_at_mut(sizes.point());
        let (mut made, rest) = rest.split_at_mut(sizes.point());
        let (sums, first) = rest.split_at_mut(2 * n);
        // What stands there in place of order 0 has no products.
        series.factors[..2 * n].fill(0.0);
        point[STATE..STATE + y].copy_from_slice(&series.rows[y..2 * y]);
        for k in 1..=last_asked(series.order, sizes.observed) {
            let numbers = [k as f64, INVERSES[k], f64::from(u8::from(k == 1)), INVERSES[k + 1]];
            point[..STATE].copy_from_slice(&numbers);
            let (lower, here) = series.factors.split_at_mut(2 * n * k);
            sums_of_rows(simd, lower, k, sums);
            let (newest, factors) = (&lower[2 * n * (k - 1)..], &mut here[..2 * n]);
            recurrence(Given { point, sums, first, newest }, made, factors);
            if few && k <= 2 {
                // Of order 2 both products are one, and the right factors alone are there.
                let side = if k == 1 { n..2 * n } else { 0..n };
                first[side.clone()].copy_from_slice(&series.factors[2 * n..4 * n][side]);
            }
            series.rows[(k + 1) * y..][..y].copy_from_slice(&made[STATE..STATE + y]);
            let observed = &made[STATE + y + sizes.handed..];
            for (column, observed) in
                series.observed.chunks_exact_mut(super::LENGTH).zip(observed)
            {
                column[k] = *observed;
            }
            std::mem::swap(&mut point, &mut made);
        }
    }
}
