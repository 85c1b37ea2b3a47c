//! What is observed along a step by series: a polynomial in the part s of the step, with the sizes of its
//! terms.

use super::{ORDER_MAX, Series, inverse_root};
use pulp::{Arch, Simd, WithSimd};

/// Lanes of the sums over terms.
const LANES: usize = 4;

/// ORDER_MAX + 1 rounded up to whole lanes.
pub(super) const LENGTH: usize = (ORDER_MAX + 1).next_multiple_of(LANES);

/// The terms that tell most guards: the others are small, and bounded.
pub(super) const TERMS: usize = 8;

/// The last terms of a guard on a step. It says where a crossing is; how exactly, the motion does.
const LAST_TERMS: f64 = 1e-8;

/// The margin with which a step is made shorter for a guard.
const SHORTER: f64 = 0.9;

/// k.
const NUMBERS: [f64; LENGTH] = numbers();

const fn numbers() -> [f64; LENGTH] {
    let mut numbers = [0.0; LENGTH];
    let mut k = 0;
    while k < LENGTH {
        numbers[k] = k as f64;
        k += 1;
    }
    numbers
}

/// hᵏ.
pub(crate) type Powers = [f64; LENGTH];

/// The powers of a step: lanes of them at a time, which do not wait for one another.
pub(crate) fn powers(h: f64) -> Powers {
    let mut powers = [1.0; LENGTH];
    let (square, mut lanes) = (h * h, [1.0; LANES]);
    lanes[1..].copy_from_slice(&[h, square, square * h]);
    for powers in powers.as_chunks_mut::<LANES>().0 {
        *powers = lanes;
        lanes = lanes.map(|power| power * (square * square));
    }
    powers
}

/// A guard on a step: p(s) = Σ γₖ hᵏ sᵏ, σ = ±1 the side on which it starts. One that leaves zero is
/// p = s q: what is left of p(0) is rounding. Of others q = p.
#[derive(Debug, Clone)]
pub(crate) struct Observed {
    /// p(0).
    start: f64,
    pub(super) leaves: bool,
    /// Coefficients of q, filled up with zeros.
    q: [f64; LENGTH],
    /// Its degree.
    degree: usize,
    pub(super) sizes: Sizes,
}

/// Sizes of the terms of q.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sizes {
    /// max |qₖ|.
    pub(super) largest: f64,
    /// Σ |qₖ|.
    pub(super) sum: f64,
    /// Σ |qₖ| and Σ k|qₖ| over k ≥ [`TERMS`].
    pub(super) rest: f64,
    pub(super) rest_slope: f64,
    /// Σ qₖ.
    end: f64,
}

impl Observed {
    /// That of some coefficients.
    #[cfg(test)]
    pub(super) fn of(coefficients: &[f64], leaves: bool) -> Self {
        let (mut observed, mut p) = (Self::unknown(), [0.0; LENGTH]);
        p[..coefficients.len()].copy_from_slice(coefficients);
        observed.set(leaves, coefficients.len() - 1, &p, &powers(1.0));
        observed
    }

    /// One of which nothing is known.
    pub(crate) fn unknown() -> Self {
        let (q, sizes) = ([0.0; LENGTH], Sizes::default());
        Self { start: 0.0, leaves: false, q, degree: 0, sizes }
    }

    /// Takes the coefficients of p, times powers; zeros follow both.
    fn set(&mut self, leaves: bool, degree: usize, p: &[f64; LENGTH], powers: &Powers) {
        (self.leaves, self.degree, self.start) = (leaves, degree, 0.0);
        if leaves {
            self.degree = degree.saturating_sub(1);
            self.start = p[0];
        }
        Arch::new().dispatch(Terms { observed: self, p, powers });
    }

    /// The coefficients of q.
    pub(super) fn q(&self) -> &[f64] {
        &self.q[..=self.degree]
    }

    /// The sizes of its terms.
    #[inline(always)]
    fn measured(&self) -> Sizes {
        let mut largest = [0.0_f64; LANES];
        let [mut end, mut sum, mut rest, mut slope] = [[0.0; LANES]; 4];
        let chunks = (self.degree + 1).div_ceil(LANES);
        let terms = self.q.as_chunks::<LANES>().0.iter().zip(NUMBERS.as_chunks::<LANES>().0);
        for (chunk, (q, k)) in terms.enumerate().take(chunks) {
            for i in 0..LANES {
                let size = q[i].abs();
                largest[i] = if size > largest[i] { size } else { largest[i] };
                end[i] += q[i];
                sum[i] += size;
                if chunk >= TERMS / LANES {
                    rest[i] += size;
                    slope[i] += k[i] * size;
                }
            }
        }
        let total = |[a, b, c, d]: [f64; LANES]| (a + b) + (c + d);
        Sizes {
            largest: largest.into_iter().fold(0.0, f64::max),
            sum: total(sum),
            rest: total(rest),
            rest_slope: total(slope),
            end: total(end),
        }
    }

    /// p(1).
    pub(crate) fn end(&self) -> f64 {
        self.start + self.sizes.end
    }

    /// The part of the step on which p has small last terms: none where that is all of it.
    ///
    /// ```text
    /// |c_P₋₁| + |c_P| ≤ 10⁻⁸ max|cₖ|
    /// ```
    pub(crate) fn part_that_converges(&self) -> Option<f64> {
        let [.., before, last] = self.q() else { return None };
        let last = before.abs() + last.abs();
        let allowed = LAST_TERMS * self.sizes.largest;
        let order = (self.degree + usize::from(self.leaves)) as f64;
        (last > allowed).then(|| SHORTER * inverse_root(last / allowed, 1.0 / order))
    }
}

/// The terms of q and their sizes, compiled for the registers of the machine.
struct Terms<'o> {
    observed: &'o mut Observed,
    p: &'o [f64; LENGTH],
    powers: &'o Powers,
}

impl WithSimd for Terms<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { observed, p, powers } = self;
        // A term without a coefficient is none, though the power overflows.
        observed.q = std::array::from_fn(|k| if p[k] == 0.0 { 0.0 } else { p[k] * powers[k] });
        if observed.leaves {
            observed.q.copy_within(1.., 0);
            observed.q[LENGTH - 1] = 0.0;
        }
        observed.sizes = observed.measured();
    }
}

impl Series {
    /// Writes an observed value on a step with these powers.
    pub(crate) fn observe(&self, index: usize, powers: &Powers, leaves: bool, to: &mut Observed) {
        if let Some(p) = self.observed.as_chunks::<LENGTH>().0.get(index) {
            to.set(leaves, self.order, p, powers);
        }
    }

    /// The rate of an observed value, and half of its acceleration.
    pub(crate) fn rates(&self, index: usize) -> [f64; 2] {
        [1, 2].map(|k| self.observed(index)[k])
    }
}
