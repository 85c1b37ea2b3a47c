//! Power series of a motion: their coefficients, the step that they allow, and where a polynomial has
//! its first root.
//!
//! ```text
//! y(t₀ + τ) = Σ yₖ τᵏ,  y = (q, v)        yₖ₊₁ = (ẏ)ₖ/(k+1)
//! ```
//!
//! That is a division. The rounding of a factor 1/(k+1) would be the same in all steps: another motion, whose energy grows
//! with their number n, and not with √n.
//!
//! A system gives ẏ and what is observed along the motion (gaps, then guards of declared events) as
//! order 0, and a recurrence from the coefficients of order k of y to those of ẏ and of what is
//! observed. What the recurrence needs of lower orders are sums of products
//!
//! ```text
//! [a, b]ₖ = Σ aⱼ bₖ₋ⱼ,  0 < j < k
//! ```
//!
//! of factors that it left itself, one row an order: they are the same loop for all systems, here, over
//! arrays; the recurrence is straight-line code, the same for all orders. What it hands on to itself, it
//! reads again at the next order.
#![allow(clippy::inline_always, reason = "SIMD code has to be compiled within its dispatch")]

mod bernstein;
pub(crate) mod chebyshev;
#[cfg(feature = "batch")]
mod lanes;
mod lines;
mod lists;
mod low_degree;
mod observed;
mod orders;
mod remainder;
mod root;
mod step;
mod sums;

use crate::integrate::inverse_root::inverse_root;
pub(crate) use bernstein::{first_crossing, stays_above};
#[cfg(feature = "batch")]
pub use lanes::{LISTED, SeriesInLanes};
use lines::Lines;
pub use lists::{COLUMN, ORDER, Rows, STATE};
pub(crate) use observed::{Observed, Powers, powers};
use orders::{INVERSES, LENGTH};
pub use orders::{ORDER_MAX, ORDER_MIN};
use pulp::{Arch, Simd, WithSimd};
pub(crate) use root::Crossing;
pub(crate) use step::{Tail, order_of, part_of_radius, truncation_of};
use sums::{FEW, sums, sums_of};
pub use sums::{GROUP, PADDING};

/// Numbers that are seen to be zero at once.
const BLOCK: usize = 16;

/// Numbers of y that are summed together.
const ROW: usize = 4;

/// The last order that a recurrence is asked for: of order k it gives what is observed, and yₖ₊₁.
const fn last_asked(order: usize, observed: usize) -> usize {
    if observed == 0 { order - 1 } else { order }
}

/// Sizes of a series: numbers of the state, observed values, and sums with padding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// y.
    pub state: usize,
    /// What is observed.
    pub observed: usize,
    /// What an order hands on to the next.
    pub handed: usize,
    /// The sums; in compiled code filled up to a multiple of [`PADDING`].
    pub sums: usize,
}

/// The coefficients of order 0 to [`Series::order`] of a motion, with the factors that they were made of.
#[derive(Debug, Clone, Default)]
pub struct Series {
    order: usize,
    /// Numbers of y.
    state: usize,
    /// yₖ, a row an order; then room to read [`ROW`] numbers from any on.
    rows: Lines,
    /// The coefficients of each value that is observed, then zeros, [`LENGTH`] numbers a value.
    observed: Lines,
    /// Left and right factors of the sums, two rows an order.
    factors: Lines,
    /// Variables and outputs of a recurrence, where their number is known at run time.
    work: Vec<f64>,
}

impl Series {
    /// Room for series of an order, from [`ORDER_MIN`] to [`ORDER_MAX`].
    pub fn new(order: usize) -> Self {
        Self { order: order.clamp(ORDER_MIN, ORDER_MAX), ..Self::default() }
    }

    /// The order.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The coefficients of τᵏ of y.
    #[inline]
    pub fn coefficients(&self, k: usize) -> &[f64] {
        &self.rows[k * self.state..][..self.state]
    }

    /// The coefficients of an observed value, of τ⁰ to that of the order.
    pub fn observed(&self, index: usize) -> &[f64] {
        &self.observed[index * LENGTH..][..=self.order]
    }

    /// The highest order of which some term, with these powers of τ, is above a part of its limit.
    pub(crate) fn degree_beyond(&self, powers: &Powers, part: f64, limits: &[f64]) -> usize {
        // Polynomials of time have no terms beyond their degree.
        let rows = &self.rows[..(self.order + 1) * self.state];
        let last = last_of(rows);
        for k in (1..=last / self.state.max(1)).rev() {
            let power = part.recip() * powers[k];
            let terms = self.rows[k * self.state..][..self.state].iter();
            if terms.zip(limits).any(|(c, limit)| (c * power).abs() > *limit) {
                return k;
            }
        }
        0
    }

    /// Room for a motion of these sizes.
    fn resize(&mut self, state: usize, observed: usize, sums: usize) {
        self.state = state;
        // One row more than orders: ẏ of the last order has a place where it is asked for.
        self.rows.resize((self.order + 2) * state + ROW);
        self.observed.resize(observed * LENGTH);
        self.factors.resize(2 * (self.order + 1) * sums);
    }

    /// Takes ẏ and what is observed of order k, and leaves yₖ₊₁.
    fn take(&mut self, k: usize, slopes: &[f64], observed: &[f64]) {
        let order = (k + 1) as f64;
        for (next, slope) in self.rows[(k + 1) * self.state..].iter_mut().zip(slopes) {
            *next = slope / order;
        }
        for (column, observed) in self.observed.chunks_exact_mut(LENGTH).zip(observed) {
            column[k] = *observed;
        }
    }

    /// [`Expand::expand`] with sizes known at run time, in the same operations. `recurrence` is given k, the
    /// variables and where to write ẏ with what is observed, left and right factors, and what is handed
    /// on, one after another.
    pub fn expand_slices(
        &mut self,
        sizes: Sizes,
        [q, v]: [&[f64]; 2],
        start: &[f64],
        mut recurrence: impl FnMut(f64, &[f64], &mut [f64]),
    ) {
        let Sizes { state: y, observed, handed, sums: n } = sizes;
        self.resize(y, observed, n);
        self.rows[..q.len()].copy_from_slice(q);
        self.rows[q.len()..y].copy_from_slice(v);
        self.take(0, &start[..y], &start[y..]);
        let mut work = std::mem::take(&mut self.work);
        work.clear();
        work.resize(2 + y + handed + n + y + observed + 2 * n + handed, 0.0);
        let (variables, outputs) = work.split_at_mut(2 + y + handed + n);
        for k in 1..=last_asked(self.order, observed) {
            variables[0] = INVERSES[k];
            variables[1] = f64::from(u8::from(k == 1));
            variables[2..2 + y].copy_from_slice(&self.rows[k * y..][..y]);
            sums_of(&self.factors, k, &mut variables[2 + y + handed..]);
            recurrence(k as f64, variables, outputs);
            let (slopes, rest) = outputs.split_at(y);
            let (observed, rest) = rest.split_at(observed);
            let (both, next) = rest.split_at(2 * n);
            self.factors[2 * k * n..][..2 * n].copy_from_slice(both);
            variables[2 + y..][..handed].copy_from_slice(next);
            self.take(k, slopes, observed);
        }
        self.work = work;
    }
}

/// What a recurrence makes of an order: Y numbers of ẏ, G that are observed, D that it hands on to the next
/// order, and both factors of N sums.
#[derive(Debug, Clone, Copy)]
pub struct Order<R, const Y: usize, const G: usize, const D: usize, const N: usize> {
    /// ẏ.
    pub slopes: [R; Y],
    /// What is observed.
    pub observed: [R; G],
    /// Left factors.
    pub left: [R; N],
    /// Right factors.
    pub right: [R; N],
    /// What is handed on.
    pub handed: [R; D],
}

/// What takes the orders of a series one after another: that of one motion, a `&mut` [`Series`], or of
/// several motions in lanes.
pub trait Expand<R> {
    /// Makes the series from y₀ = `state`, from ẏ and what is observed there, and from the recurrence,
    /// which is given k and V = 2 + Y + D + N variables: 1/k, tₖ, yₖ, what was handed on, the sums. N is a
    /// multiple of [`PADDING`]; of the sums the first P are some, P a multiple of [`GROUP`], the others 0.
    fn expand<
        F,
        const Y: usize,
        const G: usize,
        const D: usize,
        const N: usize,
        const P: usize,
        const V: usize,
    >(
        self,
        state: [R; Y],
        slopes: [R; Y],
        observed: [R; G],
        recurrence: F,
    ) where
        F: FnMut(R, &[R; V]) -> Order<R, Y, G, D, N>;
}

/// The index of the last number that is not zero, or 0. Blocks of zeros, which motions that are polynomials of time
/// end with, are passed at once.
fn last_of(numbers: &[f64]) -> usize {
    let (_, blocks) = numbers.as_rchunks::<BLOCK>();
    let is_zero =
        |block: &&[f64; BLOCK]| block.iter().fold(0, |bits, c| bits | c.to_bits() << 1) == 0;
    let zeros = BLOCK * blocks.iter().rev().take_while(is_zero).count();
    numbers[..numbers.len() - zeros].iter().rposition(|c| *c != 0.0).unwrap_or(0)
}

impl Expand<f64> for &mut Series {
    #[inline(always)]
    fn expand<
        F,
        const Y: usize,
        const G: usize,
        const D: usize,
        const N: usize,
        const P: usize,
        const V: usize,
    >(
        self,
        state: [f64; Y],
        slopes: [f64; Y],
        observed: [f64; G],
        recurrence: F,
    ) where
        F: FnMut(f64, &[f64; V]) -> Order<f64, Y, G, D, N>,
    {
        const { assert!(N.is_multiple_of(PADDING)) };
        self.resize(Y, G, N);
        self.rows[..Y].copy_from_slice(&state);
        self.take(0, &slopes, &observed);
        let orders = Orders::<'_, _, Y, G, D, N, V> { series: self, recurrence };
        if const { N <= FEW } { narrow(orders) } else { Arch::new().dispatch(orders) }
    }
}

/// In registers of 256 bits where the machine has them, also where it has wider ones: while those are in
/// use, what is done number by number has fewer units to be done in, and of few sums most is.
#[inline(always)]
fn narrow<W: WithSimd>(work: W) -> W::Output {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        match pulp::x86::V3::try_new() {
            Some(simd) => Simd::vectorize(simd, work),
            None => pulp::Scalar::new().vectorize(work),
        }
    }
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    Arch::new().dispatch(work)
}

/// All orders from the first on, in the widest registers of the machine.
struct Orders<'s, F, const Y: usize, const G: usize, const D: usize, const N: usize, const V: usize>
{
    series: &'s mut Series,
    recurrence: F,
}

impl<F, const Y: usize, const G: usize, const D: usize, const N: usize, const V: usize> WithSimd
    for Orders<'_, F, Y, G, D, N, V>
where
    F: FnMut(f64, &[f64; V]) -> Order<f64, Y, G, D, N>,
{
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let Series { order, rows, observed, factors, .. } = self.series;
        let (rows, columns) = (rows.as_chunks_mut::<Y>().0, observed.as_chunks_mut::<LENGTH>().0);
        let orders = factors.as_chunks_mut::<N>().0.as_chunks_mut::<2>().0;
        let Some(([_, first], next)) = rows.split_first_chunk_mut() else { return };
        let (mut row, mut handed, mut newest) = (*first, [0.0; D], [[0.0; N]; 2]);
        // k as a number: converted each time it would wait for the row, whose register it is put in.
        let (mut variables, mut number) = ([0.0; V], 1.0);
        let steps = next.iter_mut().zip(&INVERSES[1..]);
        let steps = steps.take(last_asked(*order, G));
        for (k, (next, inverse)) in (1..).zip(steps) {
            let Some((lower, [made_here, ..])) = orders.split_at_mut_checked(k) else { return };
            variables[0] = *inverse;
            variables[1] = f64::from(u8::from(k == 1));
            variables[2..2 + Y].copy_from_slice(&row);
            variables[2 + Y..2 + Y + D].copy_from_slice(&handed);
            if let Some(to) = variables[2 + Y + D..].first_chunk_mut() {
                sums::<S, N>(simd, lower, &newest, to);
            }
            let made = (self.recurrence)(number, &variables);
            number += 1.0;
            // In whole registers, as they are read again: single numbers would be waited for.
            for (to, from) in made_here.iter_mut().zip([&made.left, &made.right]) {
                S::as_mut_simd_f64s(to).0.copy_from_slice(S::as_simd_f64s(from).0);
            }
            for (column, observed) in columns.iter_mut().zip(made.observed) {
                column[k] = observed;
            }
            row = made.slopes.map(|slope| slope / number);
            *next = row;
            (handed, newest) = (made.handed, [made.left, made.right]);
        }
    }
}
