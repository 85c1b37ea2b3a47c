//! Sine and cosine together.
//!
//! ```text
//! x = k π/2 + r,  k = round(x 2/π),  |r| ≤ π/4 (1 + 2⁻³⁰),  |k| ≤ 2²⁰
//! π/2 = P₁ + P₂ + P₃ + P₄,  P₁ of 33 bits, P₂ of 20, P₃ of 33: k P₁, k P₂, k P₃ are exact
//! r + e = ((x − k P₁) − k P₂) − k P₃ − k P₄,  r rounded, e what is left
//! sin(r + e), cos r: the polynomials of degree 13 and 14 of FreeBSD msun (k_sin.c, k_cos.c)
//! (sin x, cos x) = (sin r, cos r) turned by k quarters
//! ```
//!
//! For k ≠ 0, x and k (P₁ + P₂) are multiples of 2⁻⁵³ and their difference is below 1: the first two
//! differences are exact, and e is the rounding error of the third less k P₄, which matters at the
//! doubles next to multiples of π/2. The cosine does without e: it changes by tan r times as much.
//!
//! There is one branch, to the slow path, where |x| > 2²⁰ π/2. Without it the code is straight, and the
//! same for lanes; nothing uses fused products, so the bits are those of IEEE 754 everywhere.

use crate::real::Real;

/// 2²⁰ π/2, rounded down.
const LARGEST: f64 = 1_647_099.0;
/// 1.5·2⁵²: adding it rounds to an integer, which then stands in the low bits.
const ROUNDING: f64 = 6_755_399_441_055_744.0;
/// 2/π.
const QUARTERS: f64 = f64::from_bits(0x3FE4_5F30_6DC9_C883);
const P1: f64 = f64::from_bits(0x3FF9_21FB_5440_0000);
const P2: f64 = f64::from_bits(0x3DD0_B460_0000_0000);
const P3: f64 = f64::from_bits(0x3C91_A626_3310_0000);
const P4: f64 = f64::from_bits(0x3A71_701B_839A_2520);

/// The sine and the cosine; NaN for infinite x.
#[inline(always)]
pub(crate) fn sin_cos<R: Real>(x: R) -> (R, R) {
    if x.beyond(LARGEST) {
        return x.far_sin_cos();
    }
    let turned = x * x.of(QUARTERS) + x.of(ROUNDING);
    let k = turned - x.of(ROUNDING);
    let (exact, third) = ((x - k * x.of(P1)) - k * x.of(P2), k * x.of(P3));
    let r = exact - third;
    let e = ((exact - r) - third) - k * x.of(P4);
    let z = r * r;
    turned.turn(sine(r, e, z), cosine(z))
}

/// sin(r + e): r + e + r³ (S₁ + z (S₂ + z S₃ + …)), z = r²; r³ S₁ is added apart, so that −0 stays −0.
#[inline(always)]
fn sine<R: Real>(r: R, e: R, z: R) -> R {
    let s1 = r.of(f64::from_bits(0xBFC5_5555_5555_5549));
    let s2 = r.of(f64::from_bits(0x3F81_1111_1110_F8A6));
    let s3 = r.of(f64::from_bits(0xBF2A_01A0_19C1_61D5));
    let s4 = r.of(f64::from_bits(0x3EC7_1DE3_57B1_FE7D));
    let s5 = r.of(f64::from_bits(0xBE5A_E5E6_8A2B_9CEB));
    let s6 = r.of(f64::from_bits(0x3DE5_D93A_5ACF_D57C));
    let w = z * z;
    let rest = s2 + z * (s3 + z * s4) + z * w * (s5 + z * s6);
    let cube = z * r;
    r - ((z * -(cube * rest) - cube * s1) - e)
}

/// cos r: 1 − z/2 + z² (C₁ + z (C₂ + …)), z = r², the rounding of 1 − z/2 made good.
#[inline(always)]
fn cosine<R: Real>(z: R) -> R {
    let c1 = z.of(f64::from_bits(0x3FA5_5555_5555_554C));
    let c2 = z.of(f64::from_bits(0xBF56_C16C_16C1_5177));
    let c3 = z.of(f64::from_bits(0x3EFA_01A0_19CB_1590));
    let c4 = z.of(f64::from_bits(0xBE92_7E4F_809C_52AD));
    let c5 = z.of(f64::from_bits(0x3E21_EE9E_BDB4_B1C4));
    let c6 = z.of(f64::from_bits(0xBDA8_FAE9_BE88_38D4));
    let (one, half, w) = (z.of(1.0), z * z.of(0.5), z * z);
    let rest = z * (c1 + z * (c2 + z * c3)) + w * w * (c4 + z * (c5 + z * c6));
    let head = one - half;
    head + (((one - head) - half) + z * rest)
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
