//! A root of a polynomial in an interval where it falls through zero once: Halley's method, kept within the
//! bracket. Its third order saves half of Newton's steps, and each waits for little more.

use super::observed::Observed;
use super::orders::{LANES, LENGTH};
use eom_elementary::fused;
use pulp::{Simd, WithSimd};

/// A root is found where a step is this part of it: what is left then is of its third power, and made
/// exact on the guard itself.
const CLOSE: f64 = 3e-6;

/// Steps.
const ITERATIONS_MAX: usize = 60;

/// What a guard does on a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Crossing {
    /// It keeps its sign on (0, 1], or until the last s that was asked for.
    None,
    /// It changes its sign for the first time at s; its slope there.
    At { s: f64, slope: f64 },
    /// It comes too near to zero to say.
    Unclear,
}

/// An interval in which σ q falls through zero, once, and about where.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bracket {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) guess: f64,
}

/// The crossing in a bracket, where it is not after `last`.
pub(super) struct RootOf<'o> {
    pub(super) guard: &'o Observed,
    pub(super) σ: f64,
    pub(super) last: f64,
    pub(super) bracket: Bracket,
}

impl WithSimd for RootOf<'_> {
    type Output = Crossing;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Crossing {
        let Self { guard, σ, last, bracket: Bracket { mut low, mut high, guess: mut s } } = self;
        if last < high {
            let [value, ..] = derivatives(guard.terms(), guard.degree(), last);
            if last <= low || σ * value > 0.0 {
                return Crossing::None;
            }
            (high, s) = (last, s.min(last));
        }
        // p = sᵃ q has the slope sᵃ q′ where q = 0.
        let crossing = |s: f64, slope: f64| {
            let slope = (0..guard.zeros).fold(slope, |slope, _| s * slope);
            Crossing::At { s, slope }
        };
        for _ in 0..ITERATIONS_MAX {
            let [value, slope, bend] = derivatives(guard.terms(), guard.degree(), s);
            if σ * value > 0.0 {
                low = s;
            } else {
                high = s;
            }
            let halley = s - value * slope / (slope * slope - value * bend);
            let inside = halley > low && halley < high;
            // s is an end of the bracket now, and stays where it is where only rounding is left.
            let close = halley == s || inside && (halley - s).abs() <= CLOSE * s;
            if value == 0.0 || close {
                return crossing(if close { halley } else { s }, slope);
            }
            if high - low <= f64::EPSILON * high {
                return crossing(s, slope);
            }
            s = if inside { halley } else { 0.5 * (low + high) };
        }
        Crossing::Unclear
    }
}

/// q, q′ and q″/2, by sums that do not wait for one another.
///
/// ```text
/// q = S(A), Aᵢ = Σ q₄ⱼ₊ᵢ uʲ, u = s⁴, i < 4        B = dA/du, C = ½ dB/du
/// S(X) = Σ sⁱ Xᵢ, S′(X) = Σ i sⁱ⁻¹ Xᵢ
/// q′ = S′(A) + 4s³ S(B)        q″/2 = A₂ + 3s A₃ + 4s³ S′(B) + 6s² S(B) + 16s⁶ S(C)
/// ```
#[inline(always)]
fn derivatives(q: &[f64; LENGTH], degree: usize, s: f64) -> [f64; 3] {
    let [mut a, mut b, mut c] = [[0.0_f64; LANES]; 3];
    let square = s * s;
    let (cube, u) = (square * s, square * square);
    for q in q.as_chunks::<LANES>().0[..=degree / LANES].iter().rev() {
        for i in 0..LANES {
            c[i] = fused(c[i], u, b[i]);
            b[i] = fused(b[i], u, a[i]);
            a[i] = fused(a[i], u, q[i]);
        }
    }
    let sum = |[a, b, c, d]: [f64; LANES]| fused(s, b, a) + square * fused(s, d, c);
    let slope = |x: [f64; LANES]| fused(2.0 * s, x[2], x[1]) + 3.0 * square * x[3];
    let sum_b = sum(b);
    let bend = fused(3.0 * s, a[3], a[2]) + 6.0 * square * sum_b;
    let bend_of_u = slope(b) + 4.0 * cube * sum(c);
    let change = fused(4.0 * cube, sum_b, slope(a));
    [sum(a), change, fused(4.0 * cube, bend_of_u, bend)]
}
