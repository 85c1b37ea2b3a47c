//! Chunks of states on threads.

use super::packs::{Chunk, split_off};
use super::{Array, Lanes, LengthError, States, check};
use rayon::prelude::{IntoParallelIterator, ParallelIterator};

/// States of a chunk: microseconds of work, far more than it costs to hand over.
const CHUNK: usize = 1024;

/// What a thread takes: the place of the first state and the columns of the results.
struct Part<'c> {
    first: usize,
    a: Vec<&'c mut [f64]>,
    λ: Vec<&'c mut [f64]>,
}

/// Writes the results of all states.
pub(super) fn evaluate<S: Lanes + Sync>(
    system: &S,
    states: States<'_>,
    a: &mut [f64],
    λ: &mut [f64],
) -> Result<(), LengthError> {
    let count = states.t.len();
    check("a", a.len(), S::Speeds::<f64>::LEN, count)?;
    check("λ", λ.len(), S::Rows::<f64>::LEN, count)?;
    let (mut a, mut λ) = (a, λ);
    let mut columns_a: Vec<_> =
        (0..S::Speeds::<f64>::LEN).map(|_| split_off(&mut a, count)).collect();
    let mut columns_λ: Vec<_> =
        (0..S::Rows::<f64>::LEN).map(|_| split_off(&mut λ, count)).collect();
    let parts = (0..count).step_by(CHUNK).map(|first| {
        let here = CHUNK.min(count - first);
        let part = |columns: &mut [_]| columns.iter_mut().map(|c| split_off(c, here)).collect();
        Part { first, a: part(&mut columns_a), λ: part(&mut columns_λ) }
    });
    let parts: Vec<Part<'_>> = parts.collect();
    parts.into_par_iter().try_for_each(|Part { first, a, λ }| {
        let here = CHUNK.min(count - first);
        let (mut a, mut λ) = (a.into_iter(), λ.into_iter());
        let mut next_a = || a.next().unwrap_or_default();
        let mut next_λ = || λ.next().unwrap_or_default();
        let chunk = Chunk::some(system, states, first, here, &mut next_a, &mut next_λ)?;
        chunk.evaluate();
        Ok(())
    })
}
