//! A chunk of states in packs of two registers.
#![allow(clippy::mut_mut, reason = "a column is cut from a list of what is left of it")]
#![expect(
    clippy::inline_always,
    reason = "lanes are instructions only within the function that has them"
)]

use super::{Array, Lanes, LengthError, States, check};
use eom_elementary::pulp::{Arch, Simd, WithSimd};
use eom_elementary::{Lane, Pair};
use std::mem::take;
use std::ops::Range;

/// States of a pack where registers are widest: two of eight lanes.
const PACK_MAX: usize = 16;

/// The columns of some states, and of their results.
pub(super) struct Chunk<'c, S: Lanes> {
    system: &'c S,
    t: &'c [f64],
    q: S::Positions<&'c [f64]>,
    v: S::Speeds<&'c [f64]>,
    u: S::Inputs<&'c [f64]>,
    a: S::Speeds<&'c mut [f64]>,
    λ: S::Rows<&'c mut [f64]>,
}

/// The columns of a list, each from the same place on.
fn columns<'c, A: Array<&'c [f64]>>(
    name: &'static str,
    numbers: &'c [f64],
    (states, first, count): (usize, usize, usize),
) -> Result<A, LengthError> {
    check(name, numbers.len(), A::LEN, states)?;
    Ok(A::from_fn(|i| &numbers[i * states + first..][..count]))
}

impl<'c, S: Lanes> Chunk<'c, S> {
    /// All states.
    pub(super) fn whole(
        system: &'c S,
        states: States<'c>,
        a: &'c mut [f64],
        λ: &'c mut [f64],
    ) -> Result<Self, LengthError> {
        let count = states.t.len();
        check("a", a.len(), S::Speeds::<f64>::LEN, count)?;
        check("λ", λ.len(), S::Rows::<f64>::LEN, count)?;
        // Of no states there are still as many columns, all empty.
        let (mut a, mut λ) = (a, λ);
        let mut next_a = || split_off(&mut a, count);
        let mut next_λ = || split_off(&mut λ, count);
        Self::some(system, states, 0, count, &mut next_a, &mut next_λ)
    }

    /// `count` states from the first on, with the columns of their results.
    pub(super) fn some(
        system: &'c S,
        states: States<'c>,
        first: usize,
        count: usize,
        a: &mut dyn FnMut() -> &'c mut [f64],
        λ: &mut dyn FnMut() -> &'c mut [f64],
    ) -> Result<Self, LengthError> {
        let part = (states.t.len(), first, count);
        Ok(Self {
            system,
            t: &states.t[first..][..count],
            q: columns("q", states.q, part)?,
            v: columns("v", states.v, part)?,
            u: columns("u", states.u, part)?,
            a: Array::from_fn(|_| a()),
            λ: Array::from_fn(|_| λ()),
        })
    }

    /// Writes the results.
    pub(super) fn evaluate(self) {
        let arch = Arch::new();
        let pack = 2 * arch.dispatch(Width);
        if self.t.len() < pack {
            self.padded(|chunk| arch.dispatch(chunk), pack);
        } else {
            arch.dispatch(self);
        }
    }

    /// Has fewer states than a pack evaluated, the last one repeated.
    fn padded(mut self, evaluate: impl FnOnce(Chunk<'_, S>), pack: usize) {
        let count = self.t.len();
        if count == 0 {
            return;
        }
        let full = |column: &[f64]| -> [f64; PACK_MAX] {
            std::array::from_fn(|j| column[j.min(column.len() - 1)])
        };
        let t = full(self.t);
        let q = S::Positions::from_fn(|i| full(self.q.as_ref()[i]));
        let v = S::Speeds::from_fn(|i| full(self.v.as_ref()[i]));
        let u = S::Inputs::from_fn(|i| full(self.u.as_ref()[i]));
        let mut a = S::Speeds::from_fn(|_| [0.0; PACK_MAX]);
        let mut λ = S::Rows::from_fn(|_| [0.0; PACK_MAX]);
        let (mut columns_a, mut columns_λ) = (a.as_mut().iter_mut(), λ.as_mut().iter_mut());
        evaluate(Chunk {
            system: self.system,
            t: &t[..pack],
            q: Array::from_fn(|i| &q.as_ref()[i][..pack]),
            v: Array::from_fn(|i| &v.as_ref()[i][..pack]),
            u: Array::from_fn(|i| &u.as_ref()[i][..pack]),
            a: Array::from_fn(|_| first_of(&mut columns_a, pack)),
            λ: Array::from_fn(|_| first_of(&mut columns_λ, pack)),
        });
        for (own, all) in self.a.as_mut().iter_mut().zip(a.as_ref()) {
            own.copy_from_slice(&all[..count]);
        }
        for (own, all) in self.λ.as_mut().iter_mut().zip(λ.as_ref()) {
            own.copy_from_slice(&all[..count]);
        }
    }
}

/// The first entries of the next list.
fn first_of<'c>(
    lists: &mut std::slice::IterMut<'c, [f64; PACK_MAX]>,
    count: usize,
) -> &'c mut [f64] {
    lists.next().map_or(&mut [], |list| &mut list[..count])
}

/// The first entries of a list, which keeps the others.
pub(super) fn split_off<'c>(list: &mut &'c mut [f64], count: usize) -> &'c mut [f64] {
    let (first, rest) = take(list).split_at_mut(count);
    *list = rest;
    first
}

/// How many lanes the registers of the machine have.
pub(crate) struct Width;

impl WithSimd for Width {
    type Output = usize;

    #[inline(always)]
    fn with_simd<D: Simd>(self, _: D) -> usize {
        D::F64_LANES
    }
}

impl<S: Lanes> WithSimd for Chunk<'_, S> {
    type Output = ();

    /// Evaluates a pack of states or more. Where they are no whole number of packs the last pack begins
    /// within the one before it: to write the same results again costs less than to fill it up.
    #[inline(always)]
    fn with_simd<D: Simd>(mut self, simd: D) {
        let (c, count, pack) = (self.system.constants(), self.t.len(), 2 * D::F64_LANES);
        let rest = if count.is_multiple_of(pack) { 0 } else { pack };
        for (first, states) in [(0, count - count % pack), (count - rest, rest)] {
            self.packs(simd, &c, first, states);
        }
    }
}

impl<S: Lanes> Chunk<'_, S> {
    /// Evaluates the packs of so many states from the first on.
    #[inline(always)]
    fn packs<D: Simd>(&mut self, simd: D, c: &S::Constants, first: usize, states: usize) {
        let Self { system, t, q, v, u, a, λ } = self;
        let part = first..first + states;
        let t = part_of::<D>(t, &part);
        let q = S::Positions::from_fn(|i| part_of::<D>(q.as_ref()[i], &part));
        let v = S::Speeds::from_fn(|i| part_of::<D>(v.as_ref()[i], &part));
        let u = S::Inputs::from_fn(|i| part_of::<D>(u.as_ref()[i], &part));
        let (mut all_a, mut all_λ) = (a.as_mut().iter_mut(), λ.as_mut().iter_mut());
        let mut a = S::Speeds::from_fn(|_| part_of_next::<D>(&mut all_a, &part));
        let mut λ = S::Rows::from_fn(|_| part_of_next::<D>(&mut all_λ, &part));
        let mut at = 0;
        while at + 2 <= t.len() {
            let (accelerations, multipliers) = system.dynamics_in_lanes(
                c,
                read(simd, t, at),
                #[inline(always)]
                |i| read(simd, q.as_ref()[i], at),
                #[inline(always)]
                |i| read(simd, v.as_ref()[i], at),
                #[inline(always)]
                |i| read(simd, u.as_ref()[i], at),
            );
            for (column, pair) in a.as_mut().iter_mut().zip(accelerations.as_ref()) {
                write(*pair, column, at);
            }
            for (column, pair) in λ.as_mut().iter_mut().zip(multipliers.as_ref()) {
                write(*pair, column, at);
            }
            at += 2;
        }
    }
}

/// The registers of a part, a whole number of them: that all columns have so many spares the loop its
/// bounds checks.
#[inline(always)]
fn part_of<'c, D: Simd>(column: &'c [f64], part: &Range<usize>) -> &'c [D::f64s] {
    &D::as_simd_f64s(&column[part.clone()]).0[..part.len() / D::F64_LANES]
}

/// Of the next column.
#[inline(always)]
fn part_of_next<'c, D: Simd>(
    columns: &mut std::slice::IterMut<'c, &mut [f64]>,
    part: &Range<usize>,
) -> &'c mut [D::f64s] {
    columns.next().map_or(&mut [], |column| {
        &mut D::as_mut_simd_f64s(&mut column[part.clone()]).0[..part.len() / D::F64_LANES]
    })
}

#[inline(always)]
fn read<D: Simd>(simd: D, column: &[D::f64s], at: usize) -> Pair<Lane<D>> {
    Pair(Lane::of_register(simd, column[at]), Lane::of_register(simd, column[at + 1]))
}

#[inline(always)]
fn write<D: Simd>(pair: Pair<Lane<D>>, column: &mut [D::f64s], at: usize) {
    column[at] = pair.0.register();
    column[at + 1] = pair.1.register();
}
