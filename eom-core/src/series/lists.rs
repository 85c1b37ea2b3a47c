//! A series whose recurrence is code that was made at run time: it reads and writes lists, as few as can be, so
//! that no order waits for numbers to be moved.
//!
//! All orders are made by one call, on [`Rows`].

use super::orders::NUMBERS;
use super::sums::{FEW, GROUP};
use super::{LENGTH, Series, Sizes, last_asked};

/// Where yₖ stands in a point.
pub const STATE: usize = 4;
/// Where k, 1/k, tₖ and k + 1 stand.
pub const ORDER: [usize; STATE] = [0, 1, 2, 3];
/// Numbers of a column of what is observed.
pub const COLUMN: usize = LENGTH;

/// Where a recurrence reads and writes; each list begins as order 1 has it. In lanes each number is one in all of them.
#[derive(Debug)]
pub struct Rows<'a> {
    /// The last order that is asked for.
    pub last: usize,
    /// k, 1/k, tₖ, k + 1.
    pub numbers: &'a [f64],
    /// yₖ, a row an order.
    pub state: &'a mut [f64],
    /// What is handed on, a row an order.
    pub handed: &'a mut [f64],
    /// A column of [`COLUMN`] coefficients a value, from order 0 on.
    pub observed: &'a mut [f64],
    /// From order 0 on, where there are zeros: left factors, then right ones, of one motion [`Sizes::padded`] of each.
    pub factors: &'a mut [f64],
}

impl<'a> Rows<'a> {
    /// Rows of y, columns of what is observed and rows of factors, from where order 1 has them; what is handed on is made
    /// room for. How many numbers an order hands on, and half of its factors, are those in all lanes.
    pub(super) fn new(
        last: usize,
        numbers: &'a [f64],
        [state, observed, factors]: [&'a mut [f64]; 3],
        (work, [handed, half]): (&'a mut Vec<f64>, [usize; 2]),
    ) -> Self {
        // What stands there in place of order 0 has no products.
        factors[..2 * half].fill(0.0);
        work.clear();
        work.resize((last + 1) * handed, 0.0);
        Self { last, numbers, state, handed: work, observed, factors }
    }
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
        let lists = [&mut rows[y..], observed, factors];
        recurrence(Rows::new(
            last_asked(*order, sizes.observed),
            NUMBERS.as_flattened(),
            lists,
            (work, [sizes.handed, padded]),
        ));
    }
}
