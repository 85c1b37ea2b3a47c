//! Powers, by FreeBSD's msun.

use super::*;

/// x^y.
pub(super) fn powf(x: f64, y: f64) -> f64 {
    if y == 0.0 || x == 1.0 {
        return 1.0;
    }
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let (size, height) = (x.abs(), y.abs());
    let whole = height >= 9007199254740992.0 || height as i64 as f64 == height;
    let odd = whole && height < 9007199254740992.0 && height as i64 & 1 == 1;
    if y.is_infinite() {
        let grows = (size > 1.0) == (y > 0.0);
        return if size == 1.0 { 1.0 } else { if grows { f64::INFINITY } else { 0.0 } };
    }
    if height == 1.0 {
        return if y > 0.0 { x } else { 1.0 / x };
    }
    if y == 2.0 {
        return x * x;
    }
    if y == 0.5 && !x.is_sign_negative() {
        return sqrt(x);
    }
    let negative = x.is_sign_negative();
    let sign = if negative && odd { -1.0 } else { 1.0 };
    if size == 0.0 || size == 1.0 || size.is_infinite() {
        let power = if y < 0.0 { 1.0 / size } else { size };
        return if negative && size == 1.0 && !whole { f64::NAN } else { sign * power };
    }
    if negative && !whole {
        return f64::NAN;
    }
    let high = high_word(size);
    if high_word(height) > 0x41e00000 && (high < 0x3fefffff || high > 0x3ff00000) {
        let grows = (size > 1.0) == (y > 0.0);
        return sign * if grows { f64::INFINITY } else { 0.0 };
    }
    let near = high_word(height) > 0x43f00000;
    if near {
        let grows = (high >= 0x3ff00000) == (y > 0.0);
        return if grows { f64::INFINITY } else { 0.0 };
    }
    let (t1, t2) = if high_word(height) > 0x41e00000 { near_log2(size) } else { log2_of(size) };
    let y1 = leading(y);
    sign * exp2_of(y1 * t1, (y - y1) * t1 + y * t2)
}

/// log2 x as a sum of two numbers, for |1 - x| < 2^-20.
pub(super) fn near_log2(x: f64) -> (f64, f64) {
    let t = x - 1.0;
    let w = (t * t) * (0.5 - t * (0.3333333333333333333333 - t * 0.25));
    let u = 1.44269502162933349609e+00 * t;
    let v = t * 1.92596299112661746887e-08 - w * 1.44269504088896338700e+00;
    let first = leading(u + v);
    (first, v - (first - u))
}

/// log2 x as a sum of two numbers.
pub(super) fn log2_of(x: f64) -> (f64, f64) {
    const L: [f64; 6] = [
        5.99999999999994648725e-01,
        4.28571428578550184252e-01,
        3.33333329818377432918e-01,
        2.72728123808534006489e-01,
        2.30660745775561754067e-01,
        2.06975017800338417784e-01,
    ];
    /// 2/(3 ln 2), and as a sum of two numbers.
    const SCALE: [f64; 3] =
        [9.61796693925975554329e-01, 9.61796700954437255859e-01, -7.02846165095275826516e-09];
    let small = high_word(x) < 0x00100000;
    let x = if small { x * 9007199254740992.0 } else { x };
    let high = high_word(x);
    let fraction = high & 0x000fffff;
    // x = 2^n (1 + f), near 1, 3/2 or 2.
    let (three_halves, next) = (fraction > 0x3988E && fraction < 0xBB67A, fraction >= 0xBB67A);
    let n = (high >> 20) as i32 - 1023 - if small { 53 } else { 0 } + i32::from(next);
    let first = fraction | if next { 0x3fe00000 } else { 0x3ff00000 };
    let (base, [base_log, base_rest]) = if three_halves {
        (1.5, [5.84962487220764160156e-01, 1.35003920212974897128e-08])
    } else {
        (1.0, [0.0, 0.0])
    };
    let x = with_high_word(x, first);
    let u = x - base;
    let v = 1.0 / (x + base);
    let s = u * v;
    let s_high = leading(s);
    let place = (first >> 1 | 0x20000000) + 0x00080000 + (u32::from(three_halves) << 18);
    let t_high = with_high_word(0.0, place);
    let t_low = x - (t_high - base);
    let s_low = v * ((u - s_high * t_high) - s_high * t_low);
    let z = s * s;
    let r = z * z * polynomial(z, &L) + s_low * (s_high + s);
    let z = s_high * s_high;
    let t_high = leading(3.0 + z + r);
    let t_low = r - ((t_high - 3.0) - z);
    let u = s_high * t_high;
    let v = s_low * t_high + t_low * s;
    let p_high = leading(u + v);
    let p_low = v - (p_high - u);
    let z_high = SCALE[1] * p_high;
    let z_low = SCALE[2] * p_high + p_low * SCALE[0] + base_rest;
    let n = n as f64;
    let first = leading(((z_high + z_low) + base_log) + n);
    (first, z_low - (((first - n) - base_log) - z_high))
}

/// 2^(high + low).
pub(super) fn exp2_of(high: f64, low: f64) -> f64 {
    const P: [f64; 5] = [
        1.66666666666666019037e-01,
        -2.77777777770155933842e-03,
        6.61375632143793436117e-05,
        -1.65339022054652515390e-06,
        4.13813679705723846039e-08,
    ];
    /// ln 2, and as a sum of two numbers.
    const LN2: [f64; 3] =
        [6.93147180559945286227e-01, 6.93147182464599609375e-01, -1.90465429995776804525e-09];
    let z = low + high;
    if z > 1024.0 || z == 1024.0 && low + 8.0085662595372944372e-017 > z - high {
        return f64::INFINITY;
    }
    if z < -1075.0 || z == -1075.0 && low <= z - high {
        return 0.0;
    }
    let word = high_word(z) as i32;
    let size = word & 0x7fffffff;
    let (mut n, mut rest) = (0, high);
    if size > 0x3fe00000 {
        let half = word + (0x00100000 >> ((size >> 20) - 1023 + 1));
        let exponent = ((half & 0x7fffffff) >> 20) - 1023;
        rest -= with_high_word(0.0, (half & !(0x000fffff >> exponent)) as u32);
        n = (half & 0x000fffff | 0x00100000) >> (20 - exponent);
        if word < 0 {
            n = -n;
        }
    }
    let t = leading(low + rest);
    let u = t * LN2[1];
    let v = (low - (t - rest)) * LN2[0] + t * LN2[2];
    let z = u + v;
    let w = v - (z - u);
    let t = z * z;
    let t = z - t * polynomial(t, &P);
    let r = (z * t) / (t - 2.0) - (w + z * w);
    let z = 1.0 - (r - z);
    let word = high_word(z) as i32 + (n << 20);
    if word >> 20 <= 0 { scaled(z, n) } else { with_high_word(z, word as u32) }
}
