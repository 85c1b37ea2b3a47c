//! The first root of a polynomial on [0, 1], told by one of degree 7.
//!
//! A power of s is a sum of Chebyshev polynomials Tⱼ* (s) = Tⱼ(2s − 1), with positive factors that soon
//! are small; what is left out of it is bounded by their sum, since |Tⱼ*| ≤ 1 and |Tⱼ*′| ≤ 2j²:
//!
//! ```text
//! sᵏ = Σ aₖⱼ Tⱼ*(s), j ≤ k        aₖⱼ = (2 − δⱼ₀) C(2k, k − j)/4ᵏ
//! q = Σ qₖ sᵏ = f + r, f = Σₖ qₖ Σ aₖⱼ Tⱼ* over j ≤ m = 7
//! |r| ≤ R = Σ |qₖ| εₖ, εₖ = Σ aₖⱼ          |r′| ≤ R′ = Σ |qₖ| ε′ₖ, ε′ₖ = Σ 2j² aₖⱼ, over j > m
//! ```
//!
//! f is put in Bernstein form, f = Σ bⱼ C(m, j) sʲ(1 − s)ᵐ⁻ʲ, and says of q on [0, 1]
//!
//! ```text
//! all bⱼ > R                                          no root
//! b₀ > R, b_m < −R, m (bⱼ − bⱼ₊₁) > R′                one: q falls
//! ```
//!
//! and else of the halves of the interval, the first one first.

use super::chebyshev::{binomial, in_bernstein};
use super::observed::{Observed, Shown};
use super::orders::LENGTH;
use super::remainder::{DEGREE, chebyshev};
use super::root::{Bracket, Crossing, RootOf};
use pulp::{Simd, WithSimd};

/// Bernstein coefficients.
type Form = [f64; DEGREE + 1];

/// Halvings: what takes more is near a graze.
const HALVINGS: usize = 6;

/// The width of a piece that is not halved.
const SHORTEST: f64 = 1.0 / (1_u64 << HALVINGS) as f64;

/// The f of each sᵏ.
static FORMS: [Form; LENGTH] = forms();

const fn forms() -> [Form; LENGTH] {
    let (mut forms, mut i) = ([[0.0; DEGREE + 1]; LENGTH], 0);
    while i <= DEGREE {
        let mut j = 0;
        while j <= DEGREE {
            let (part, mut k) = (in_bernstein(DEGREE, i, j), 0);
            while k < LENGTH {
                forms[k][j] += chebyshev(k, i) * part;
                k += 1;
            }
            j += 1;
        }
        i += 1;
    }
    forms
}

/// What each coefficient gives to those of the first half: C(j, k)/2ʲ for j ≥ k (de Casteljau).
const FIRST_HALF: [Form; DEGREE + 1] = halving(false);

/// And of the second: the same from the other end.
const SECOND_HALF: [Form; DEGREE + 1] = halving(true);

const fn halving(from_the_end: bool) -> [Form; DEGREE + 1] {
    let (mut matrix, mut k) = ([[0.0; DEGREE + 1]; DEGREE + 1], 0);
    while k <= DEGREE {
        let mut j = k;
        while j <= DEGREE {
            let part = binomial(j, k) / (1_u64 << j) as f64;
            if from_the_end {
                matrix[DEGREE - k][DEGREE - j] = part;
            } else {
                matrix[k][j] = part;
            }
            j += 1;
        }
        k += 1;
    }
    matrix
}

/// Σ xₖ mₖ, in chains that do not wait for one another.
#[inline(always)]
fn combination<S: Simd>(simd: S, x: &[f64], rows: &[Form]) -> Form {
    let mut form = [0.0; DEGREE + 1];
    let (to, rows) = (S::as_mut_simd_f64s(&mut form).0, S::as_simd_f64s(rows.as_flattened()).0);
    let registers = to.len();
    for (part, to) in to.iter_mut().enumerate() {
        let mut chains = [simd.splat_f64s(0.0); 4];
        for (x, rows) in x.as_chunks::<4>().0.iter().zip(rows.chunks_exact(4 * registers)) {
            for i in 0..4 {
                let term = simd.mul_f64s(simd.splat_f64s(x[i]), rows[i * registers + part]);
                chains[i] = simd.add_f64s(chains[i], term);
            }
        }
        let [a, b, c, d] = chains;
        *to = simd.add_f64s(simd.add_f64s(a, b), simd.add_f64s(c, d));
    }
    form
}

/// The lesser of two numbers.
#[inline(always)]
fn less(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The least of all.
#[inline(always)]
fn least_of([a, b, c, d, e, f, g, h]: Form) -> f64 {
    less(less(less(a, b), less(c, d)), less(less(e, f), less(g, h)))
}

/// A part of the interval.
#[derive(Clone, Copy)]
struct Piece {
    b: Form,
    low: f64,
    width: f64,
}

impl Piece {
    #[inline(always)]
    fn halves<S: Simd>(&self, simd: S) -> [Self; 2] {
        let width = 0.5 * self.width;
        [
            Self { b: combination(simd, &self.b, &FIRST_HALF), low: self.low, width },
            Self { b: combination(simd, &self.b, &SECOND_HALF), low: self.low + width, width },
        ]
    }

    /// Where the polygon of coefficients that fall is zero.
    #[inline(always)]
    fn zero_of_polygon(&self) -> f64 {
        let after = self.b.iter().filter(|b| **b > 0.0).count().clamp(1, DEGREE);
        let (before, behind) = (self.b[after - 1], self.b[after]);
        let part = ((after - 1) as f64 + before / (before - behind)) / DEGREE as f64;
        self.low + self.width * part
    }
}

/// The first root of σ q, which is positive at 0, where it is not after `last`; with `margin`, below which
/// nothing has a sign.
pub(super) struct ByLowDegree<'o> {
    pub(super) guard: &'o mut Observed,
    pub(super) σ: f64,
    pub(super) last: f64,
    pub(super) margin: f64,
}

impl WithSimd for ByLowDegree<'_> {
    type Output = Crossing;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Crossing {
        let Self { guard, σ, last, margin } = self;
        let sums = guard.sum();
        if !sums.sum.is_finite() {
            return Crossing::Unclear;
        }
        let first = σ * guard.terms()[0];
        let above = first - (sums.sum - first.abs());
        if above > margin {
            guard.set_shown(Shown { above, until: 1.0, fall: 0.0, end: 1.0 });
            return Crossing::None;
        }
        let mut b = combination(simd, guard.terms(), &FORMS);
        for b in &mut b {
            *b *= σ;
        }
        let least = margin + sums.rest;
        let slope = sums.rest_slope / DEGREE as f64;
        let mut piece = Piece { b, low: 0.0, width: 1.0 };
        let (mut waiting, mut count) = ([piece; HALVINGS], 0);
        let mut above = f64::INFINITY;
        loop {
            let b = &piece.b;
            let falls = std::array::from_fn(
                #[inline(always)]
                |j| b[j] - b.get(j + 1).unwrap_or(&f64::NEG_INFINITY),
            );
            let (lowest, slowest) = (least_of(*b), least_of(falls));
            if lowest > least {
                let end = piece.low + piece.width;
                above = less(above, lowest - sums.rest);
                if count == 0 || end > last {
                    guard.set_shown(Shown { above, until: end, fall: 0.0, end });
                    return Crossing::None;
                }
                count -= 1;
                piece = waiting[count];
            } else if slowest > slope * piece.width && b[0] > least && b[DEGREE] < -least {
                let Piece { low, width, .. } = piece;
                let (high, fall) = (low + width, DEGREE as f64 * (slowest / width - slope));
                let bracket = Bracket { low, high, guess: piece.zero_of_polygon() };
                guard.set_shown(Shown { above, until: low, fall, end: high });
                return RootOf { guard, σ, last, bracket }.with_simd(simd);
            } else if piece.width < 1.5 * SHORTEST {
                return Crossing::Unclear;
            } else {
                [piece, waiting[count]] = piece.halves(simd);
                count += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::remainder::left_out;
    use super::{DEGREE, FIRST_HALF, FORMS, Form, SECOND_HALF};

    /// f and f′ at s (de Casteljau).
    fn at(form: &Form, s: f64) -> [f64; 2] {
        let (mut b, mut slope) = (form.to_vec(), 0.0);
        while b.len() > 1 {
            slope = DEGREE as f64 * (b[1] - b[0]);
            b = b.windows(2).map(|pair| pair[0] + s * (pair[1] - pair[0])).collect();
        }
        [b[0], slope]
    }

    #[test]
    fn what_few_terms_leave_out_is_bounded() {
        let bounds = [left_out(false), left_out(true)];
        for (k, form) in FORMS.iter().enumerate() {
            let mut largest = [0.0_f64; 2];
            for i in 0..=1000 {
                let s = f64::from(i) / 1000.0;
                let power = |n: usize| (0..n).fold(1.0, |power, _| power * s);
                let exact = [power(k), k as f64 * power(k.saturating_sub(1))];
                for (largest, (found, exact)) in
                    largest.iter_mut().zip(at(form, s).into_iter().zip(exact))
                {
                    *largest = largest.max((found - exact).abs());
                }
            }
            for (largest, bound) in largest.into_iter().zip(bounds.each_ref().map(|of| of[k])) {
                assert!(largest <= bound + 1e-12, "s^{k}: {largest:e} > {bound:e}");
                assert!(bound <= 1e-12 || largest > 0.1 * bound, "s^{k}: {bound:e} is not sharp");
            }
        }
    }

    #[test]
    fn halves_are_the_same_polynomial() {
        for form in &FORMS {
            for (half, low) in [(&FIRST_HALF, 0.0), (&SECOND_HALF, 0.5)] {
                let mut b = [0.0; DEGREE + 1];
                for (x, row) in form.iter().zip(half) {
                    b.iter_mut().zip(row).for_each(|(b, entry)| *b += x * entry);
                }
                for s in [0.0, 0.3, 1.0] {
                    let (found, exact) = (at(&b, s)[0], at(form, low + 0.5 * s)[0]);
                    assert!((found - exact).abs() < 1e-13, "{found} {exact}");
                }
            }
        }
    }
}
