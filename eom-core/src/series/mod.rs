//! Power series of a motion: their coefficients, the step that they allow, and where a polynomial has
//! its first root.
//!
//! ```text
//! y(t₀ + τ) = Σ yₖ τᵏ,  y = (q, v)        yₖ₊₁ = (ẏ)ₖ/(k+1)
//! ```
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
mod step;
mod sums;

pub(crate) use bernstein::{Crossing, first_crossing};
use pulp::{Arch, Simd, WithSimd};
pub(crate) use step::{inverse_root, order_of, part_of_radius, value};
pub use sums::PADDING;
use sums::{sums, sums_of};

/// Rows are filled up to a multiple of this.
pub const ROW: usize = 4;

/// The lowest order.
pub const ORDER_MIN: usize = 4;
/// The highest order: more than the smallest tolerance asks for.
pub const ORDER_MAX: usize = 32;

/// 1/k.
const INVERSES: [f64; ORDER_MAX + 2] = inverses();

const fn inverses() -> [f64; ORDER_MAX + 2] {
    let mut inverses = [0.0; ORDER_MAX + 2];
    let mut k = 1;
    while k < inverses.len() {
        inverses[k] = 1.0 / k as f64;
        k += 1;
    }
    inverses
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

impl Sizes {
    /// Numbers of a row.
    fn width(self) -> usize {
        (self.state + self.observed).next_multiple_of(ROW)
    }
}

/// The coefficients of order 0 to [`Series::order`] of a motion, with the factors that they were made of.
#[derive(Debug, Clone, Default)]
pub struct Series {
    order: usize,
    state: usize,
    /// Numbers of a row, a multiple of [`ROW`].
    width: usize,
    /// yₖ, then the coefficients of what is observed, then zeros, a row an order.
    rows: Vec<f64>,
    /// Left and right factors of the sums, a row an order.
    left: Vec<f64>,
    right: Vec<f64>,
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

    /// The coefficients of τᵏ: of y, then of what is observed, then zeros.
    pub fn coefficients(&self, k: usize) -> &[f64] {
        &self.rows[k * self.width..][..self.width]
    }

    fn prepare(&mut self, sizes: Sizes, state: &[&[f64]]) {
        self.state = sizes.state;
        self.width = sizes.width();
        // One row more than orders: ẏ of the last order has a place.
        self.rows.resize((self.order + 2) * self.width, 0.0);
        self.left.resize((self.order + 1) * sizes.sums, 0.0);
        self.right.resize((self.order + 1) * sizes.sums, 0.0);
        let mut at = 0;
        for part in state {
            self.rows[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        }
    }

    /// Takes ẏ and what is observed of order k, and leaves yₖ₊₁.
    fn take(&mut self, k: usize, slopes: &[f64]) {
        let (state, width) = (self.state, self.width);
        let (row, next) = self.rows[k * width..].split_at_mut(width);
        row[state..slopes.len()].copy_from_slice(&slopes[state..]);
        let inverse = INVERSES[k + 1];
        for (next, slope) in next[..state].iter_mut().zip(slopes) {
            *next = slope * inverse;
        }
    }

    /// Makes the series from y₀ = `state`, from ẏ and what is observed there, and from the recurrence.
    ///
    /// Y, O, D, N are the numbers of the state, of that with what is observed, of what is handed on, and
    /// of sums; V = 2 + Y + D + N. `recurrence` is given k and (1/k, tₖ, yₖ, handed on, sums), and writes ẏ
    /// with what is observed, the left and the right factors of the sums, and what is handed on, all of
    /// order k.
    #[inline(always)]
    pub fn expand<
        const Y: usize,
        const O: usize,
        const D: usize,
        const N: usize,
        const V: usize,
    >(
        &mut self,
        state: [&[f64]; 2],
        start: [f64; O],
        recurrence: impl FnMut(
            f64,
            &[f64; V],
            &mut [f64; O],
            &mut [f64; N],
            &mut [f64; N],
            &mut [f64; D],
        ),
    ) {
        const { assert!(O.is_multiple_of(ROW) && N.is_multiple_of(PADDING)) };
        self.prepare(Sizes { state: Y, observed: O - Y, handed: D, sums: N }, &state);
        self.take(0, &start);
        let series = self;
        Arch::new().dispatch(Expansion::<'_, _, Y, O, D, N, V> { series, recurrence });
    }

    /// The same with sizes known at run time, in the same operations. `recurrence` is given k, the
    /// variables and where to write ẏ with what is observed, left and right factors, and what is handed
    /// on, one after another.
    pub fn expand_slices(
        &mut self,
        sizes: Sizes,
        state: [&[f64]; 2],
        start: &[f64],
        mut recurrence: impl FnMut(f64, &[f64], &mut [f64]),
    ) {
        let Sizes { state: y, observed, handed, sums: n } = sizes;
        self.prepare(sizes, &state);
        self.take(0, start);
        let mut work = std::mem::take(&mut self.work);
        work.clear();
        work.resize(2 + y + handed + n + y + observed + 2 * n + handed, 0.0);
        let (variables, outputs) = work.split_at_mut(2 + y + handed + n);
        for k in 1..=self.order {
            variables[0] = INVERSES[k];
            variables[1] = f64::from(u8::from(k == 1));
            variables[2..2 + y].copy_from_slice(&self.rows[k * self.width..][..y]);
            sums_of(&self.left, &self.right, k, &mut variables[2 + y + handed..]);
            recurrence(k as f64, variables, outputs);
            let (slopes, rest) = outputs.split_at(y + observed);
            let (left, rest) = rest.split_at(n);
            let (right, next) = rest.split_at(n);
            self.left[k * n..][..n].copy_from_slice(left);
            self.right[k * n..][..n].copy_from_slice(right);
            variables[2 + y..][..handed].copy_from_slice(next);
            self.take(k, slopes);
        }
        self.work = work;
    }
}

/// All orders from the first on, in the widest registers of the machine.
struct Expansion<
    's,
    F,
    const Y: usize,
    const O: usize,
    const D: usize,
    const N: usize,
    const V: usize,
> {
    series: &'s mut Series,
    recurrence: F,
}

impl<F, const Y: usize, const O: usize, const D: usize, const N: usize, const V: usize> WithSimd
    for Expansion<'_, F, Y, O, D, N, V>
where
    F: FnMut(f64, &[f64; V], &mut [f64; O], &mut [f64; N], &mut [f64; N], &mut [f64; D]),
{
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let Series { order, rows, left, right, .. } = self.series;
        let rows = rows.as_chunks_mut::<O>().0;
        let (left, right) = (left.as_chunks_mut::<N>().0, right.as_chunks_mut::<N>().0);
        let (mut variables, mut handed) = ([0.0; V], [0.0; D]);
        for k in 1..=*order {
            let (Some((lower, left)), Some((upper, right))) =
                (left.split_at_mut_checked(k), right.split_at_mut_checked(k))
            else {
                return;
            };
            let ([row, next, ..], [left, ..], [right, ..]) = (&mut rows[k..], left, right) else {
                return;
            };
            variables[0] = INVERSES[k];
            variables[1] = f64::from(u8::from(k == 1));
            variables[2..2 + Y].copy_from_slice(&row[..Y]);
            variables[2 + Y..2 + Y + D].copy_from_slice(&handed);
            sums::<S, N>(simd, lower, upper, &mut variables[2 + Y + D..]);
            let (mut slopes, mut lefts, mut rights) = ([0.0; O], [0.0; N], [0.0; N]);
            let all = (&mut slopes, &mut lefts, &mut rights, &mut handed);
            (self.recurrence)(k as f64, &variables, all.0, all.1, all.2, all.3);
            // In whole registers, as they are read again: single numbers would be waited for.
            for (to, from) in [(left, &lefts), (right, &rights)] {
                S::as_mut_simd_f64s(to).0.copy_from_slice(S::as_simd_f64s(from).0);
            }
            row[Y..].copy_from_slice(&slopes[Y..]);
            let inverse = INVERSES[k + 1];
            for i in 0..Y {
                next[i] = slopes[i] * inverse;
            }
        }
    }
}
