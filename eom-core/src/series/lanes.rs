//! Series of several motions side by side, one in each lane: the operations of one, in their order.

use super::lists::Rows;
use super::orders::{NUMBERS, ORDER_MAX};
use super::sums::sums_in_lanes;
use super::{Expand, INVERSES, LENGTH, Lines, Order, Series, Sizes, last_asked};
use eom_elementary::Lane;
use eom_elementary::pulp::Simd;

/// Lanes of a series whose recurrence is over lists.
pub const LISTED: usize = 4;

/// k, 1/k, tₖ, k + 1 of each order, from k = 1 on.
const NUMBERS_LISTED: [[[f64; LISTED]; 4]; ORDER_MAX] = listed();

const fn listed() -> [[[f64; LISTED]; 4]; ORDER_MAX] {
    let mut listed = [[[0.0; LISTED]; 4]; ORDER_MAX];
    let mut k = 0;
    while k < listed.len() {
        let [a, b, c, d] = NUMBERS[k];
        listed[k] = [[a; LISTED], [b; LISTED], [c; LISTED], [d; LISTED]];
        k += 1;
    }
    listed
}

/// The series of as many motions as there are lanes, all of one order; each number in all lanes.
#[derive(Debug, Default)]
pub struct SeriesInLanes {
    order: usize,
    state: usize,
    count: usize,
    lanes: usize,
    /// y, a row an order.
    rows: Lines,
    /// What is observed, [`LENGTH`] coefficients a value.
    observed: Lines,
    factors: Lines,
    /// What orders hand on, of recurrences over lists.
    work: Vec<f64>,
}

impl SeriesInLanes {
    /// Room for series of an order.
    pub(crate) fn new(order: usize) -> Self {
        Self { order, ..Self::default() }
    }

    /// What the orders are given to, in the lanes of a machine.
    #[inline(always)]
    pub(crate) fn on<S: Simd>(&mut self, simd: S) -> OnLanes<'_, S> {
        OnLanes { simd, series: self }
    }

    /// [`Series::expand_rows`] of [`LISTED`] motions, each number in all lanes: y₀, then ẏ with what is observed at
    /// order 0, and the recurrence.
    pub fn expand_rows(
        &mut self,
        sizes: Sizes,
        state: &[f64],
        start: &[f64],
        recurrence: impl FnOnce(Rows<'_>),
    ) {
        let y = sizes.state * LISTED;
        let order = self.order;
        (self.state, self.count, self.lanes) = (sizes.state, sizes.observed, LISTED);
        self.rows.resize((order + 2) * y);
        self.observed.resize(sizes.observed * LENGTH * LISTED);
        self.factors.resize(2 * (order + 1) * sizes.sums * LISTED);
        let (slopes, observed) = start.split_at(y);
        self.rows[..y].copy_from_slice(&state[..y]);
        self.rows[y..2 * y].copy_from_slice(slopes);
        let columns = self.observed.chunks_exact_mut(LENGTH * LISTED);
        for (column, observed) in columns.zip(observed.chunks_exact(LISTED)) {
            column[..LISTED].copy_from_slice(observed);
        }
        let Self { rows, observed, factors, work, .. } = self;
        let lists = [&mut rows[y..], observed, factors];
        let numbers = NUMBERS_LISTED.as_flattened().as_flattened();
        let all = [sizes.handed, sizes.sums].map(|count| count * LISTED);
        recurrence(Rows::new(last_asked(order, sizes.observed), numbers, lists, (work, all)));
    }

    /// Writes the series of one lane.
    pub(crate) fn write(&self, lane: usize, series: &mut Series) {
        match self.lanes {
            8 => self.write_of::<8>(lane, series),
            4 => self.write_of::<4>(lane, series),
            2 => self.write_of::<2>(lane, series),
            _ => self.write_of::<1>(lane, series),
        }
    }

    fn write_of<const L: usize>(&self, lane: usize, series: &mut Series) {
        series.order = self.order;
        series.resize(self.state, self.count, 0);
        take::<L>(lane, &self.rows[..(self.order + 1) * self.state * L], &mut series.rows);
        let columns = self.observed.chunks_exact(LENGTH * L);
        for (to, from) in series.observed.chunks_exact_mut(LENGTH).zip(columns) {
            take::<L>(lane, &from[..(self.order + 1) * L], to);
        }
    }

    /// Rows, what is observed, factors, in registers.
    #[inline(always)]
    fn room<S: Simd>(&mut self, [state, observed, sums]: [usize; 3]) -> [&mut [S::f64s]; 3] {
        let (order, lanes) = (self.order, S::F64_LANES);
        (self.state, self.count, self.lanes) = (state, observed, lanes);
        self.rows.resize((order + 2) * state * lanes);
        self.observed.resize(observed * LENGTH * lanes);
        self.factors.resize(2 * (order + 1) * sums * lanes);
        let Self { rows, observed, factors, .. } = self;
        [rows, observed, factors].map(|list| S::as_mut_simd_f64s(list).0)
    }
}

/// The numbers of one of L lanes, four at a time.
fn take<const L: usize>(lane: usize, from: &[f64], to: &mut [f64]) {
    let from = from.as_chunks::<L>().0;
    let (fours, rest) = from.as_chunks::<4>();
    if lane >= L || to.len() < from.len() {
        return;
    }
    let (whole, last) = to.split_at_mut(4 * fours.len());
    for (to, from) in whole.as_chunks_mut::<4>().0.iter_mut().zip(fours) {
        *to = [from[0][lane], from[1][lane], from[2][lane], from[3][lane]];
    }
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = from[lane]);
}

/// Series in the lanes of a machine.
pub(crate) struct OnLanes<'s, S: Simd> {
    simd: S,
    series: &'s mut SeriesInLanes,
}

impl<S: Simd> Expand<Lane<S>> for OnLanes<'_, S> {
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
        state: [Lane<S>; Y],
        slopes: [Lane<S>; Y],
        observed: [Lane<S>; G],
        mut recurrence: F,
    ) where
        F: FnMut(Lane<S>, &[Lane<S>; V]) -> Order<Lane<S>, Y, G, D, N>,
    {
        let Self { simd, series } = self;
        let (number, zero) = (|x: f64| Lane::splat(simd, x), Lane::splat(simd, 0.0));
        let (order, [rows, columns, factors]) = (series.order, series.room::<S>([Y, G, P]));
        let (rows, columns) = (rows.as_chunks_mut::<Y>().0, columns.as_chunks_mut::<LENGTH>().0);
        let orders = factors.as_chunks_mut::<P>().0.as_chunks_mut::<2>().0;
        let [lowest, next, ..] = &mut *rows else { return };
        (*lowest, *next) = (state.map(Lane::register), slopes.map(Lane::register));
        let mut observe = |k: usize, observed: [Lane<S>; G]| {
            for (column, observed) in columns.iter_mut().zip(observed) {
                column[k] = observed.register();
            }
        };
        observe(0, observed);
        let (mut variables, mut handed) = ([zero; V], [zero; D]);
        for k in 1..=last_asked(order, G) {
            let Some((lower, [made_here, ..])) = orders.split_at_mut_checked(k) else { return };
            let [row, next, ..] = &mut rows[k..] else { return };
            variables[0] = number(INVERSES[k]);
            variables[1] = number(f64::from(u8::from(k == 1)));
            for i in 0..Y {
                variables[2 + i] = Lane::of_register(simd, row[i]);
            }
            variables[2 + Y..2 + Y + D].copy_from_slice(&handed);
            sums_in_lanes(simd, lower, &mut variables[2 + Y + D..]);
            let made = recurrence(number(k as f64), &variables);
            for i in 0..P {
                made_here[0][i] = made.left[i].register();
                made_here[1][i] = made.right[i].register();
            }
            observe(k, made.observed);
            let order = number((k + 1) as f64);
            *next = made.slopes.map(|slope| (slope / order).register());
            handed = made.handed;
        }
    }
}
