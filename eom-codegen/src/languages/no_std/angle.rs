//! Sine, cosine and tangent. The first two by the straight code of `eom-elementary`, beyond 2^20 pi/2 and for the
//! tangent by FreeBSD's msun.

use super::*;

/// sin x and cos x: x = k pi/2 + r - e, and pi/2 in three parts.
pub(super) fn sin_cos(x: f64) -> (f64, f64) {
    const ROUNDING: f64 = 6755399441055744.0;
    const P1: f64 = f64::from_bits(0x3FF921FB54442D18);
    const P2: f64 = f64::from_bits(0x3C91A62633100000);
    const P3: f64 = f64::from_bits(0x3A71701B839A2520);
    const SINE: [f64; 6] = [
        f64::from_bits(0xBFC5555555555549),
        f64::from_bits(0x3F8111111110F8A6),
        f64::from_bits(0xBF2A01A019C161D5),
        f64::from_bits(0x3EC71DE357B1FE7D),
        f64::from_bits(0xBE5AE5E68A2B9CEB),
        f64::from_bits(0x3DE5D93A5ACFD57C),
    ];
    const COSINE: [f64; 6] = [
        f64::from_bits(0x3FA555555555554C),
        f64::from_bits(0xBF56C16C16C15177),
        f64::from_bits(0x3EFA01A019CB1590),
        f64::from_bits(0xBE927E4F809C52AD),
        f64::from_bits(0x3E21EE9EBDB4B1C4),
        f64::from_bits(0xBDA8FAE9BE8838D4),
    ];
    if x.abs() > 1647099.0 {
        return far_sin_cos(x);
    }
    let turned = fused(x, f64::from_bits(0x3FE45F306DC9C883), ROUNDING);
    let k = turned - ROUNDING;
    let exact = fused(-k, P1, x);
    let r = fused(-k, P2, exact);
    let e = fused(k, P3, fused(k, P2, r - exact));
    let z = r * r;
    let w = z * z;
    let even = |c: [f64; 6]| {
        let pair = |i: usize| fused(z, c[i + 1], c[i]);
        fused(w, fused(w, pair(4), pair(2)), pair(0))
    };
    let sine = r - fused(-(z * r), even(SINE), e);
    let cosine = 1.0 - fused(-w, even(COSINE), z * 0.5);
    quarters(turned.to_bits(), sine, cosine)
}

/// (s, c) turned by k quarters.
pub(super) fn quarters(k: u64, s: f64, c: f64) -> (f64, f64) {
    match k & 3 {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    }
}

pub(super) fn sin(x: f64) -> f64 {
    sin_cos(x).0
}

pub(super) fn cos(x: f64) -> f64 {
    sin_cos(x).1
}

/// Where x is large, or no number; of -x, as the straight code has it.
pub(super) fn far_sin_cos(x: f64) -> (f64, f64) {
    const SINE: [f64; 5] = [
        8.33333333332248946124e-03,
        -1.98412698298579493134e-04,
        2.75573137070700676789e-06,
        -2.50507602534068634195e-08,
        1.58969099521155010221e-10,
    ];
    const COSINE: [f64; 6] = [
        4.16666666666666019037e-02,
        -1.38888888888741095749e-03,
        2.48015872894767294178e-05,
        -2.75573143513906633035e-07,
        2.08757232129817482790e-09,
        -1.13596475577881948265e-11,
    ];
    if !x.is_finite() {
        return (f64::NAN, f64::NAN);
    }
    let (n, x, y) = remainder(-x);
    let z = x * x;
    let (w, v) = (z * z, z * x);
    let r = SINE[0] + z * (SINE[1] + z * SINE[2]) + z * w * (SINE[3] + z * SINE[4]);
    let sine = x - ((z * (0.5 * y - v * r) - y) - v * -1.66666666666666324348e-01);
    let r = z * polynomial(z, &COSINE[..3]) + w * w * polynomial(z, &COSINE[3..]);
    let half = 0.5 * z;
    let w = 1.0 - half;
    let (sine, cosine) = quarters(n as u64, sine, w + (((1.0 - w) - half) + (z * r - x * y)));
    (-sine, cosine)
}

/// The quarter k of x, and x - k pi/2 as a sum of two numbers.
pub(super) fn remainder(x: f64) -> (i32, f64, f64) {
    const P1: f64 = 1.57079632673412561417e+00;
    const P1_REST: f64 = 6.07710050650619224932e-11;
    let high = high_word(x) & 0x7fffffff;
    if high >= 0x413921fb {
        return large_remainder(x);
    }
    let near = match high {
        ..=0x4002d97c => 1.0,
        ..=0x400f6a7a => 2.0,
        ..=0x4015fdbc => 3.0,
        ..=0x401c463b => 4.0,
        _ => return medium_remainder(x, high),
    };
    // Near a multiple the digits cancel.
    if high & 0xfffff == 0x921fb && high <= 0x400f6a7a || high == 0x4012d97c || high == 0x401921fb {
        return medium_remainder(x, high);
    }
    let n = if x.is_sign_negative() { -near } else { near };
    let z = x - n * P1;
    let y = z - n * P1_REST;
    (n as i32, y, (z - y) - n * P1_REST)
}

/// By pi/2 in parts, as many as cancellation asks for.
pub(super) fn medium_remainder(x: f64, high: u32) -> (i32, f64, f64) {
    const ROUNDING: f64 = 6755399441055744.0;
    const PARTS: [[f64; 2]; 3] = [
        [1.57079632673412561417e+00, 6.07710050650619224932e-11],
        [6.07710050630396597660e-11, 2.02226624879595063154e-21],
        [2.02226624871116645580e-21, 8.47842766036889956997e-32],
    ];
    let k = x * 6.36619772367581382433e-01 + ROUNDING - ROUNDING;
    let mut r = x - k * PARTS[0][0];
    let mut w = k * PARTS[0][1];
    for (part, cancelled) in PARTS[1..].iter().zip([16, 49]) {
        let exponent = high_word(r - w) >> 20 & 0x7ff;
        if (high >> 20) as i32 - exponent as i32 <= cancelled {
            break;
        }
        let before = r;
        w = k * part[0];
        r = before - w;
        w = k * part[1] - ((before - r) - w);
    }
    let y = r - w;
    (k as i32, y, (r - y) - w)
}

/// By 2/pi to as many digits as x has: Payne and Hanek.
pub(super) fn large_remainder(x: f64) -> (i32, f64, f64) {
    let two_24 = f64::from_bits(0x4170 << 48);
    let exponent = (high_word(x) >> 20 & 0x7ff) as i32 - (1023 + 23);
    let mut z = f64::from_bits(x.to_bits() & 0x000f_ffff_ffff_ffff | (1023 + 23) << 52);
    let mut parts = [0.0; 3];
    for part in &mut parts[..2] {
        *part = z as i32 as f64;
        z = (z - *part) * two_24;
    }
    parts[2] = z;
    let count = parts.iter().rposition(|part| *part != 0.0).map_or(1, |last| last + 1);
    let (n, y, rest) = payne_hanek(&parts[..count], exponent);
    if x.is_sign_negative() { (-n, -y, -rest) } else { (n, y, rest) }
}

/// The quarter of parts of 24 bits each, the first of this exponent, and the rest as a sum of two numbers.
pub(super) fn payne_hanek(x: &[f64], exponent: i32) -> (i32, f64, f64) {
    /// 2/pi by 24 bits.
    #[rustfmt::skip]
    const TWO_BY_PI: [i32; 66] = [
        0xA2F983, 0x6E4E44, 0x1529FC, 0x2757D1, 0xF534DD, 0xC0DB62, 0x95993C, 0x439041, 0xFE5163,
        0xABDEBB, 0xC561B7, 0x246E3A, 0x424DD2, 0xE00649, 0x2EEA09, 0xD1921C, 0xFE1DEB, 0x1CB129,
        0xA73EE8, 0x8235F5, 0x2EBB44, 0x84E99C, 0x7026B4, 0x5F7E41, 0x3991D6, 0x398353, 0x39F49C,
        0x845F8B, 0xBDF928, 0x3B1FF8, 0x97FFDE, 0x05980F, 0xEF2F11, 0x8B5A0A, 0x6D1F6D, 0x367ECF,
        0x27CB09, 0xB74F46, 0x3F669E, 0x5FEA2D, 0x7527BA, 0xC7EBE5, 0xF17B3D, 0x0739F7, 0x8A5292,
        0xEA6BFB, 0x5FB11F, 0x8D5D08, 0x560330, 0x46FC7B, 0x6BABF0, 0xCFBC20, 0x9AF436, 0x1DA9E3,
        0x91615E, 0xE61B08, 0x659985, 0x5F14A0, 0x68408D, 0xFFD880, 0x4D7327, 0x310606, 0x1556CA,
        0x73A8C9, 0x60E27B, 0xC08C6B,
    ];
    const HALF_PI: [f64; 5] = [
        1.57079625129699707031e+00,
        7.54978941586159635335e-08,
        5.39030252995776476554e-15,
        3.28200341580791294123e-22,
        1.27065575308067607349e-29,
    ];
    let (up, down) = (f64::from_bits(0x4170 << 48), f64::from_bits(0x3e70 << 48));
    let first = (exponent - 3).max(0) / 24;
    let mut q0 = exponent - 24 * (first + 1);
    let product = |i: usize| {
        x.iter().enumerate().fold(0.0, |sum, (j, x)| {
            let at = first + i as i32 - j as i32;
            sum + x * if at < 0 { 0.0 } else { f64::from(TWO_BY_PI[at as usize]) }
        })
    };
    let mut q: [f64; 20] = core::array::from_fn(|i| if i <= 4 { product(i) } else { 0.0 });
    let mut iq = [0_i32; 20];
    let mut jz = 4;
    let (mut n, mut half, mut z);
    loop {
        // The products as integers of 24 bits, the last first.
        z = q[jz];
        for (i, j) in (1..=jz).rev().enumerate() {
            let carried = f64::from((down * z) as i32);
            iq[i] = (z - up * carried) as i32;
            z = q[j - 1] + carried;
        }
        z = scaled(z, q0);
        z -= 8.0 * ((z * 0.125) as i64 as f64);
        n = z as i32;
        z -= f64::from(n);
        half = 0;
        if q0 > 0 {
            let i = iq[jz - 1] >> (24 - q0);
            n += i;
            iq[jz - 1] -= i << (24 - q0);
            half = iq[jz - 1] >> (23 - q0);
        } else if q0 == 0 {
            half = iq[jz - 1] >> 23;
        } else if z >= 0.5 {
            half = 2;
        }
        if half > 0 {
            // 1 - q in place of q.
            n += 1;
            let mut carry = false;
            for part in &mut iq[..jz] {
                if carry {
                    *part = 0xffffff - *part;
                } else if *part != 0 {
                    carry = true;
                    *part = 0x1000000 - *part;
                }
            }
            match q0 {
                1 => iq[jz - 1] &= 0x7fffff,
                2 => iq[jz - 1] &= 0x3fffff,
                _ => {}
            }
            if half == 2 {
                z = 1.0 - z;
                if carry {
                    z -= scaled(1.0, q0);
                }
            }
        }
        if z != 0.0 || iq[4..jz].iter().any(|part| *part != 0) {
            break;
        }
        // All that is left has cancelled: more digits.
        let more = 1 + iq[..4].iter().rev().take_while(|part| **part == 0).count();
        for i in jz + 1..=jz + more {
            q[i] = product(i);
        }
        jz += more;
    }
    if z == 0.0 {
        jz -= 1;
        q0 -= 24;
        while iq[jz] == 0 {
            jz -= 1;
            q0 -= 24;
        }
    } else {
        z = scaled(z, -q0);
        if z >= up {
            let carried = f64::from((down * z) as i32);
            iq[jz] = (z - up * carried) as i32;
            jz += 1;
            q0 += 24;
            iq[jz] = carried as i32;
        } else {
            iq[jz] = z as i32;
        }
    }
    let mut unit = scaled(1.0, q0);
    for i in (0..=jz).rev() {
        q[i] = unit * f64::from(iq[i]);
        unit *= down;
    }
    let part = |i: usize| HALF_PI.iter().zip(&q[i..=jz]).fold(0.0, |sum, (a, b)| sum + a * b);
    let parts: [f64; 20] = core::array::from_fn(|i| if i <= jz { part(jz - i) } else { 0.0 });
    let sum = parts[..=jz].iter().rev().fold(0.0, |sum, part| sum + part);
    let rest = parts[1..=jz].iter().fold(parts[0] - sum, |sum, part| sum + part);
    if half == 0 { (n & 7, sum, rest) } else { (n & 7, -sum, -rest) }
}

/// The tangent.
pub(super) fn tan(x: f64) -> f64 {
    let high = high_word(x) & 0x7fffffff;
    if high < 0x3e400000 {
        x
    } else if high <= 0x3fe921fb {
        near_tan(x, 0.0, false)
    } else if high >= 0x7ff00000 {
        x - x
    } else {
        let (n, x, y) = remainder(x);
        near_tan(x, y, n & 1 == 1)
    }
}

/// tan(x + y), or -1/tan(x + y), where |x| < pi/4.
pub(super) fn near_tan(mut x: f64, mut y: f64, inverse: bool) -> f64 {
    const T: [f64; 13] = [
        3.33333333333334091986e-01,
        1.33333333333201242699e-01,
        5.39682539762260521377e-02,
        2.18694882948595424599e-02,
        8.86323982359930005737e-03,
        3.59207910759131235356e-03,
        1.45620945432529025516e-03,
        5.88041240820264096874e-04,
        2.46463134818469906812e-04,
        7.81794442939557092300e-05,
        7.14072491382608190305e-05,
        -1.85586374855275456654e-05,
        2.59073051863633712884e-05,
    ];
    let negative = x.is_sign_negative();
    let big = high_word(x) & 0x7fffffff >= 0x3FE59428;
    if big {
        if negative {
            (x, y) = (-x, -y);
        }
        x = (7.85398163397448278999e-01 - x) + (3.06161699786838301793e-17 - y);
        y = 0.0;
    }
    let z = x * x;
    let w = z * z;
    let r = polynomial(w, &[T[1], T[3], T[5], T[7], T[9], T[11]]);
    let v = z * polynomial(w, &[T[2], T[4], T[6], T[8], T[10], T[12]]);
    let s = z * x;
    let r = y + z * (s * (r + v) + y) + s * T[0];
    let w = x + r;
    if big {
        let s = if inverse { -1.0 } else { 1.0 };
        let v = s - 2.0 * (x + (r - w * w / (w + s)));
        return if negative { -v } else { v };
    }
    if !inverse {
        return w;
    }
    let first = leading(w);
    let v = r - (first - x);
    let a = -1.0 / w;
    let first_of_a = leading(a);
    first_of_a + a * (1.0 + first_of_a * first + first_of_a * v)
}
