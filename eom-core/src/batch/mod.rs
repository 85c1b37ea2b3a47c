//! Many states of one system at once.
//!
//! States are stored component by component: of `count` states, qᵢ of state j stands at
//! `q[i * count + j]`, so that the same component of neighbouring states fills the lanes of a register.
//!
//! ```text
//! States ──columns──▶ chunks, one a thread ──packs of 2 registers──▶ Lanes::dynamics_in_lanes ──▶ a, λ
//!                                            the last one begins within the one before, or is padded
//! ```
//!
//! A state's results have the bits of [`System::accelerations`], wherever it stands in a batch, however
//! many lanes the machine has and threads are used: lanes do not meet.

/// The page of the book, whose example is a test.
#[cfg(all(doctest, feature = "batch", feature = "macros"))]
#[doc = include_str!("../../../book/src/batch.md")]
struct Page;

#[cfg(feature = "batch")]
mod packs;
#[cfg(feature = "batch")]
mod threads;

use crate::system::System;
use eom_elementary::Real;
#[cfg(feature = "batch")]
pub(crate) use packs::Width;

/// A system whose dynamics are straight code that runs over lanes of states.
///
/// `lagrangian!` implements it, except for systems with functions that are given at run time, with
/// integrals, with multipliers in their forces, or so large that a loop solves them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be evaluated in lanes",
    note = "its dynamics have functions given at run time, integrals, or a solve in loops: use `batch::one_by_one`"
)]
pub trait Lanes: System {
    /// An entry for each of q.
    type Positions<T>: Array<T>;
    /// An entry for each speed.
    type Speeds<T>: Array<T>;
    /// An entry for each constraint row.
    type Rows<T>: Array<T>;
    /// An entry for each input.
    type Inputs<T>: Array<T>;
    /// What depends on the parameters only.
    type Constants;

    /// Computes it, once a batch.
    fn constants(&self) -> Self::Constants;

    /// v̇ and λ: in each lane what [`System::accelerations`] computes. Entries are asked for by index:
    /// arrays of registers would be copied.
    fn dynamics_in_lanes<R: Real>(
        &self,
        c: &Self::Constants,
        t: R,
        q: impl Fn(usize) -> R,
        v: impl Fn(usize) -> R,
        u: impl Fn(usize) -> R,
    ) -> (Self::Speeds<R>, Self::Rows<R>);
}

/// `[T; N]`.
pub trait Array<T>: AsRef<[T]> + AsMut<[T]> {
    /// N.
    const LEN: usize;

    /// The array of f(0), f(1), ….
    fn from_fn(f: impl FnMut(usize) -> T) -> Self;
}

impl<T, const N: usize> Array<T> for [T; N] {
    const LEN: usize = N;

    #[inline]
    fn from_fn(f: impl FnMut(usize) -> T) -> Self {
        std::array::from_fn(f)
    }
}

/// Many states, component by component; their number is that of the times.
#[derive(Debug, Clone, Copy)]
pub struct States<'s> {
    /// The time of each state.
    pub t: &'s [f64],
    /// q, all states of the first entry before those of the second.
    pub q: &'s [f64],
    /// v in the same way.
    pub v: &'s [f64],
    /// The inputs in the same way.
    pub u: &'s [f64],
}

/// A list has another length than the number of states times that of its components.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{name} has {found} numbers, but {components} for each of {states} states are {}", components * states)]
pub struct LengthError {
    /// `q`, `v`, `u`, `a` or `λ`.
    pub name: &'static str,
    /// The length that was found.
    pub found: usize,
    /// How many numbers a state has.
    pub components: usize,
    /// How many states there are: as many as times.
    pub states: usize,
}

/// Refuses a list of another length.
fn check(
    name: &'static str,
    found: usize,
    components: usize,
    states: usize,
) -> Result<(), LengthError> {
    if found == components * states {
        Ok(())
    } else {
        Err(LengthError { name, found, components, states })
    }
}

/// v̇ and λ of each state, in lanes, on this thread. Allocates nothing.
///
/// `a` and `λ` are stored as v is. Where a mass matrix is singular, or constraints depend on one another,
/// the results of that state are not finite; the others are what they would be alone.
///
/// # Errors
/// [`LengthError`] for a list of a wrong length; nothing is written then.
#[cfg(feature = "batch")]
pub fn accelerations<S: Lanes>(
    system: &S,
    states: States<'_>,
    a: &mut [f64],
    λ: &mut [f64],
) -> Result<(), LengthError> {
    packs::Chunk::whole(system, states, a, λ).map(packs::Chunk::evaluate)
}

/// [`accelerations`] on the threads of rayon's pool, with the same bits for any number of them.
///
/// # Errors
/// [`LengthError`] for a list of a wrong length; nothing is written then.
#[cfg(feature = "batch")]
pub fn accelerations_in_threads<S: Lanes + Sync>(
    system: &S,
    states: States<'_>,
    a: &mut [f64],
    λ: &mut [f64],
) -> Result<(), LengthError> {
    threads::evaluate(system, states, a, λ)
}

/// v̇ and λ of each state by [`System::accelerations`], one state after another: for any system.
///
/// # Errors
/// [`LengthError`] for a list of a wrong length; nothing is written then.
pub fn one_by_one(
    system: &dyn System,
    states: States<'_>,
    a: &mut [f64],
    λ: &mut [f64],
) -> Result<(), LengthError> {
    let (info, count) = (system.info(), states.t.len());
    let (n, m) = (info.positions(), info.speeds());
    let (k, r) = (info.rows.len(), info.inputs.len());
    check("q", states.q.len(), n, count)?;
    check("v", states.v.len(), m, count)?;
    check("u", states.u.len(), r, count)?;
    check("a", a.len(), m, count)?;
    check("λ", λ.len(), k, count)?;
    let mut one = vec![0.0; n + 2 * m + r + k];
    let (q, rest) = one.split_at_mut(n);
    let (v, rest) = rest.split_at_mut(m);
    let (u, rest) = rest.split_at_mut(r);
    let (own_a, own_λ) = rest.split_at_mut(m);
    for (j, t) in states.t.iter().enumerate() {
        for (one, all) in [(&mut *q, states.q), (&mut *v, states.v), (&mut *u, states.u)] {
            one.iter_mut().enumerate().for_each(|(i, x)| *x = all[i * count + j]);
        }
        system.accelerations(*t, q, v, u, own_a, own_λ);
        own_a.iter().enumerate().for_each(|(i, x)| a[i * count + j] = *x);
        own_λ.iter().enumerate().for_each(|(i, x)| λ[i * count + j] = *x);
    }
    Ok(())
}
