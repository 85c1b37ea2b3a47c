//! Sine and cosine together.
//!
//! ```text
//! x = k π/2 + r − e,  k = round(x 2/π),  |r| ≤ π/4 (1 + 2⁻³⁰),  |k| ≤ 2²⁰
//! π/2 = P₁ + P₂ + P₃,  P₁ of 53 bits, P₂ of 33: k P₂ is exact
//! r − e = ((x − k P₁) − k P₂) − k P₃,  r rounded, e the rest
//! sin(r − e) = r − (e − r³ S(r²)),  cos r = 1 − (r²/2 − r⁴ C(r²))
//! S, C: the polynomials of FreeBSD msun (k_sin.c, k_cos.c)
//! (sin x, cos x) = (sin r, cos r) turned by k quarters
//! ```
//!
//! For k ≠ 0, x and k P₁ are multiples of 2⁻⁵³ and their difference is below 1: as a fused product it
//! is exact, and e is the rounding error of the second difference with k P₃, which matters at the
//! doubles next to multiples of π/2. The cosine does without e: it changes by tan r times as much.
//! In this order −0 stays −0.
//!
//! There is one branch, to the slow path, where |x| > 2²⁰ π/2. Without it the code is straight, and the
//! same for lanes. Each product that a sum takes is fused with it.

use crate::real::Real;

/// 2²⁰ π/2, rounded down.
pub const LARGEST: f64 = 1_647_099.0;
/// 1.5·2⁵²: adding it rounds to an integer, which then stands in the low bits.
pub const ROUNDING: f64 = 6_755_399_441_055_744.0;
/// 2/π.
pub const QUARTERS: f64 = f64::from_bits(0x3FE4_5F30_6DC9_C883);
/// The first part of π/2.
pub const P1: f64 = f64::from_bits(0x3FF9_21FB_5444_2D18);
/// The second.
pub const P2: f64 = f64::from_bits(0x3C91_A626_3310_0000);
/// The third.
pub const P3: f64 = f64::from_bits(0x3A71_701B_839A_2520);

/// (sin r − r)/r³ by powers of r².
pub const SINE: [f64; 6] = [
    f64::from_bits(0xBFC5_5555_5555_5549),
    f64::from_bits(0x3F81_1111_1110_F8A6),
    f64::from_bits(0xBF2A_01A0_19C1_61D5),
    f64::from_bits(0x3EC7_1DE3_57B1_FE7D),
    f64::from_bits(0xBE5A_E5E6_8A2B_9CEB),
    f64::from_bits(0x3DE5_D93A_5ACF_D57C),
];
/// (cos r − 1 + r²/2)/r⁴ by powers of r².
pub const COSINE: [f64; 6] = [
    f64::from_bits(0x3FA5_5555_5555_554C),
    f64::from_bits(0xBF56_C16C_16C1_5177),
    f64::from_bits(0x3EFA_01A0_19CB_1590),
    f64::from_bits(0xBE92_7E4F_809C_52AD),
    f64::from_bits(0x3E21_EE9E_BDB4_B1C4),
    f64::from_bits(0xBDA8_FAE9_BE88_38D4),
];

/// The sine and the cosine; NaN for infinite x.
#[inline(always)]
pub(crate) fn sin_cos<R: Real>(x: R) -> (R, R) {
    if x.beyond(LARGEST) {
        // Of −x, a value of its own: lanes are handed over in memory, where x would be from the start.
        let (sine, cosine) = (-x).far_sin_cos();
        return (-sine, cosine);
    }
    let turned = x.fused(x.of(QUARTERS), x.of(ROUNDING));
    let k = turned - x.of(ROUNDING);
    let exact = (-k).fused(x.of(P1), x);
    let r = (-k).fused(x.of(P2), exact);
    let e = k.fused(x.of(P3), k.fused(x.of(P2), r - exact));
    let z = r * r;
    let w = z * z;
    let sine = r - (-(z * r)).fused(even(SINE, z, w), e);
    let cosine = x.of(1.0) - (-w).fused(even(COSINE, z, w), z * x.of(0.5));
    turned.turn(sine, cosine)
}

/// c₁ + c₂ z + c₃ z² + … for w = z².
#[inline(always)]
fn even<R: Real>(c: [f64; 6], z: R, w: R) -> R {
    let pair = |i: usize| z.fused(z.of(c[i + 1]), z.of(c[i]));
    w.fused(w.fused(pair(4), pair(2)), pair(0))
}

/// (s, c) turned by k quarters, k in the low bits: selects and signs, no branch.
#[inline(always)]
pub(crate) fn turn(k: u64, s: f64, c: f64) -> (f64, f64) {
    let odd = k & 1 == 1;
    let (sine, cosine) = if odd { (c, s) } else { (s, c) };
    let sign = |quarters: u64| (quarters & 2) << 62;
    (
        f64::from_bits(sine.to_bits() ^ sign(k)),
        f64::from_bits(cosine.to_bits() ^ sign(k.wrapping_add(1))),
    )
}
