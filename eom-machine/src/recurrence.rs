//! The recurrence of a power series: a kernel that is run once an order, with the sums of products that it reads.
//!
//! ```text
//! list       holds                                           for order k it begins at
//! numbers    k, 1/k, tₖ, k + 1                               row k
//! state      yₖ, a row an order                              row k; written to row k + 1
//! handed     what an order hands on to the next              row k; written to row k + 1
//! observed   what is observed, a column a value              place k
//! factors    N left ones, then N right ones, a row an order  row k − 1; written to row k
//! captured   what does not change                            its begin
//! ```
//!
//! The sums are those of the products of factors, N of them a multiple of four. In lanes each number is four, one a lane;
//! then N is any number, and no sums are few. The sums are
//!
//! ```text
//! [a, b]ₖ = Σ aⱼbₖ₋ⱼ, 0 < j < k
//!         = (a_{k/2} b_{k/2} (k even) + Σ aⱼbₖ₋ⱼ) + Σ aₖ₋ⱼbⱼ, j from ⌈k/2⌉ − 1 down to 1
//! ```
//!
//! A row that was just written number by number is not there to be read as a whole for a while. Where sums are few
//! they are therefore made in two halves without their newest products, j = 1, and the kernel has those from the numbers
//! themselves.

use crate::kernel::{FOUR, Kernel, Operation, PLACES_MAX, READS, WRITES};

/// The recurrence of a power series. Its kernel reads
///
/// ```text
/// list 0     4 numbers, yₖ, what was handed on
/// list 1     what is captured
/// list 2     N sums; few ones in two halves of N, without their newest products
/// list 3     of few sums: N left and N right factors of order 1, the left ones 0 up to order 2, the right ones up to 1
/// list 4     of few sums: the factors of order k − 1
/// ```
///
/// and writes yₖ₊₁, what is handed on and what is observed to list 0, where the point of the next order has them, and
/// the factors to list 1.
#[derive(Debug, Clone)]
pub struct Recurrence {
    /// The kernel.
    pub kernel: Kernel,
    /// Its sizes.
    pub sizes: Sizes,
}

/// Sizes of a recurrence.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// Numbers of y.
    pub state: usize,
    /// Numbers that are handed on.
    pub handed: usize,
    /// Values that are observed.
    pub observed: usize,
    /// Numbers of a column of what is observed.
    pub column: usize,
    /// N.
    pub sums: usize,
    /// Whether they are few.
    pub few: bool,
}

/// The lists of a recurrence, each from where it begins for order 1.
#[derive(Debug)]
pub struct Lists<'a> {
    /// Four numbers an order.
    pub numbers: &'a [f64],
    /// What does not change.
    pub captured: &'a [f64],
    /// y₁, then room for one row more than there are orders to be made.
    pub state: &'a mut [f64],
    /// What order 0 hands on to order 1, then the same room.
    pub handed: &'a mut [f64],
    /// Columns from order 0 on.
    pub observed: &'a mut [f64],
    /// A row of zeros in place of order 0, then a row an order.
    pub factors: &'a mut [f64],
    /// Room.
    pub room: &'a mut [f64],
}

/// Numbers of a row of [`Lists::numbers`].
pub(crate) const NUMBERS: usize = 4;

impl Recurrence {
    /// Whether the kernel reads and writes within its lists, and the sums over so many lanes stand in whole registers.
    pub(crate) fn is_sound(&self, lanes: usize) -> bool {
        let Sizes { state, handed, observed, column, sums, few } = self.sizes;
        let sizes = [state, handed, observed.saturating_mul(column), sums];
        let point = NUMBERS + state + handed;
        let of_few = if few { 2 * sums } else { 0 };
        let reads: [usize; READS] =
            [point, PLACES_MAX, if few { 2 * sums } else { sums }, of_few, of_few];
        let writes: [usize; WRITES] = [point + observed, 2 * sums];
        let reads_within = |operation: &Operation| match *operation {
            Operation::Read(list, at) => is_within(list, at, &reads),
            _ => true,
        };
        sizes.iter().all(|size| *size < PLACES_MAX / 8)
            && (sums * lanes).is_multiple_of(FOUR)
            && (lanes == 1 || !few)
            && self.kernel.is_sound()
            && self.kernel.operations.iter().all(reads_within)
            && self.kernel.outputs.iter().all(|(_, list, at)| {
                is_within(*list, *at, &writes) && (*list == 1 || *at as usize >= NUMBERS)
            })
    }
}

fn is_within(list: u8, at: u32, lengths: &[usize]) -> bool {
    lengths.get(usize::from(list)).is_some_and(|length| (at as usize) < *length)
}
