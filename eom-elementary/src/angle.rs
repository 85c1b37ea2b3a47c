//! Sine and cosine together.
//!
//! ```text
//! x = k π/2 + r,  k = round(x 2/π),  |r| ≤ π/4 (1 + 2⁻³⁰)
//! π/2 = P₁ + P₂ + P₃,  P₁ and P₂ of 33 bits: k P₁ and k P₂ are exact for |k| < 2²⁰
//! r = x − k P₁ − k P₂ − k P₃ = high + low,  to 2⁻⁹⁹
//! sin r, cos r: the polynomials of degree 13 and 14 of FreeBSD msun (k_sin.c, k_cos.c), with low
//! (sin x, cos x) = (sin r, cos r) turned by k quarters
//! ```
//!
//! There is one branch, to the slow path: where |x| > 2²⁰ π/2, and where so much of x cancels
//! (|r| < 2⁻²⁴) that low has no bits to spare. Without it the code is straight, so that a loop over
//! lanes vectorises; nothing uses fused products, so the bits are those of IEEE 754 everywhere.

/// 2²⁰ π/2, rounded down.
const LARGEST: f64 = 1_647_099.0;
/// 2⁻²⁴.
const CANCELLED: f64 = 1.0 / 16_777_216.0;
/// 1.5·2⁵²: adding it rounds to an integer, which then stands in the low bits.
const ROUNDING: f64 = 6_755_399_441_055_744.0;
/// 2/π.
const QUARTERS: f64 = f64::from_bits(0x3FE4_5F30_6DC9_C883);
/// The first 33 bits of π/2.
const P1: f64 = f64::from_bits(0x3FF9_21FB_5440_0000);
/// The next 33 bits.
const P2: f64 = f64::from_bits(0x3DD0_B461_1A60_0000);
/// π/2 − P₁ − P₂.
const P3: f64 = f64::from_bits(0x3BA3_198A_2E03_7073);

/// The sine.
#[inline]
#[must_use]
pub fn sin(x: f64) -> f64 {
    sin_cos(x).0
}

/// The cosine.
#[inline]
#[must_use]
pub fn cos(x: f64) -> f64 {
    sin_cos(x).1
}

/// The sine and the cosine; NaN for infinite x.
#[inline]
#[must_use]
pub fn sin_cos(x: f64) -> (f64, f64) {
    let turned = x * QUARTERS + ROUNDING;
    let k = turned - ROUNDING;
    let (high, low) = reduced(x, k);
    // Also for NaN, of which no comparison holds.
    let precise = x.abs() <= LARGEST && (k == 0.0 || high.abs() >= CANCELLED);
    if !precise {
        return slow(x);
    }
    turn(turned.to_bits(), sine(high, low), cosine(high, low))
}

/// x − k π/2 as a sum of two.
#[inline]
fn reduced(x: f64, k: f64) -> (f64, f64) {
    let first = x - k * P1;
    let second = k * P2;
    let r = first - second;
    let rest = k * P3 - ((first - r) - second);
    let high = r - rest;
    (high, (r - high) - rest)
}

/// sin(high + low): Σ Sᵢ high²ⁱ⁺¹ + low (1 − high²/2).
#[inline]
fn sine(high: f64, low: f64) -> f64 {
    const S1: f64 = f64::from_bits(0xBFC5_5555_5555_5549);
    const S2: f64 = f64::from_bits(0x3F81_1111_1110_F8A6);
    const S3: f64 = f64::from_bits(0xBF2A_01A0_19C1_61D5);
    const S4: f64 = f64::from_bits(0x3EC7_1DE3_57B1_FE7D);
    const S5: f64 = f64::from_bits(0xBE5A_E5E6_8A2B_9CEB);
    const S6: f64 = f64::from_bits(0x3DE5_D93A_5ACF_D57C);
    let z = high * high;
    let w = z * z;
    let r = S2 + z * (S3 + z * S4) + z * w * (S5 + z * S6);
    let v = z * high;
    high - ((z * (0.5 * low - v * r) - low) - v * S1)
}

/// cos(high + low): 1 − high²/2 + Σ Cᵢ high²ⁱ⁺² − high low, the rounding of 1 − high²/2 made good.
#[inline]
fn cosine(high: f64, low: f64) -> f64 {
    const C1: f64 = f64::from_bits(0x3FA5_5555_5555_554C);
    const C2: f64 = f64::from_bits(0xBF56_C16C_16C1_5177);
    const C3: f64 = f64::from_bits(0x3EFA_01A0_19CB_1590);
    const C4: f64 = f64::from_bits(0xBE92_7E4F_809C_52AD);
    const C5: f64 = f64::from_bits(0x3E21_EE9E_BDB4_B1C4);
    const C6: f64 = f64::from_bits(0xBDA8_FAE9_BE88_38D4);
    let z = high * high;
    let w = z * z;
    let r = z * (C1 + z * (C2 + z * C3)) + w * w * (C4 + z * (C5 + z * C6));
    let half = 0.5 * z;
    let w = 1.0 - half;
    w + (((1.0 - w) - half) + (z * r - high * low))
}

/// (s, c) turned by k quarters, k in the low bits: selects and signs, no branch.
#[inline]
fn turn(k: u64, s: f64, c: f64) -> (f64, f64) {
    let odd = k & 1 == 1;
    let (sine, cosine) = if odd { (c, s) } else { (s, c) };
    let sign = |quarters: u64| (quarters & 2) << 62;
    (
        f64::from_bits(sine.to_bits() ^ sign(k)),
        f64::from_bits(cosine.to_bits() ^ sign(k.wrapping_add(1))),
    )
}

/// Large arguments by Payne and Hanek, and those next to a multiple of π/2.
#[cold]
#[inline(never)]
fn slow(x: f64) -> (f64, f64) {
    libm::sincos(x)
}
