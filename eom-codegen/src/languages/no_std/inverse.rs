//! Angles of sines, cosines and tangents, by FreeBSD's msun.

use super::*;

/// The angle whose sine is x.
pub(super) fn asin(x: f64) -> f64 {
    const HIGH: f64 = 1.57079632679489655800e+00;
    const LOW: f64 = 6.12323399573676603587e-17;
    let size = high_word(x) & 0x7fffffff;
    if size >= 0x3ff00000 {
        let low = x.to_bits() as u32;
        return if (size - 0x3ff00000 | low) == 0 { x * HIGH } else { f64::NAN };
    }
    if size < 0x3fe00000 {
        let as_it_is = (0x00100000..0x3e500000).contains(&size);
        return if as_it_is { x } else { x + x * arc_rest(x * x) };
    }
    let z = (1.0 - x.abs()) * 0.5;
    let s = sqrt(z);
    let r = arc_rest(z);
    let angle = if size >= 0x3fef3333 {
        HIGH - (2.0 * (s + s * r) - LOW)
    } else {
        let f = leading(s);
        let c = (z - f * f) / (s + f);
        0.5 * HIGH - (2.0 * s * r - (LOW - 2.0 * c) - (0.5 * HIGH - 2.0 * f))
    };
    if x.is_sign_negative() { -angle } else { angle }
}

/// (asin x - x)/x by z = x^2.
pub(super) fn arc_rest(z: f64) -> f64 {
    const P: [f64; 6] = [
        1.66666666666666657415e-01,
        -3.25565818622400915405e-01,
        2.01212532134862925881e-01,
        -4.00555345006794114027e-02,
        7.91534994289814532176e-04,
        3.47933107596021167570e-05,
    ];
    const Q: [f64; 5] = [
        1.0,
        -2.40339491173441421878e+00,
        2.02094576023350569471e+00,
        -6.88283971605453293030e-01,
        7.70381505559019352791e-02,
    ];
    z * polynomial(z, &P) / polynomial(z, &Q)
}

/// The angle whose cosine is x.
pub(super) fn acos(x: f64) -> f64 {
    const HIGH: f64 = 1.57079632679489655800e+00;
    const LOW: f64 = 6.12323399573676603587e-17;
    let size = high_word(x) & 0x7fffffff;
    if size >= 0x3ff00000 {
        return match x {
            1.0 => 0.0,
            -1.0 => 2.0 * HIGH,
            _ => f64::NAN,
        };
    }
    if size < 0x3fe00000 {
        return if size <= 0x3c600000 { HIGH } else { HIGH - (x - (LOW - x * arc_rest(x * x))) };
    }
    if x.is_sign_negative() {
        let z = (1.0 + x) * 0.5;
        let s = sqrt(z);
        return 2.0 * (HIGH - (s + (arc_rest(z) * s - LOW)));
    }
    let z = (1.0 - x) * 0.5;
    let s = sqrt(z);
    let f = leading(s);
    let c = (z - f * f) / (s + f);
    2.0 * (f + (arc_rest(z) * s + c))
}

/// The angle whose tangent is x.
pub(super) fn atan(x: f64) -> f64 {
    const HIGH: [f64; 4] = [
        4.63647609000806093515e-01,
        7.85398163397448278999e-01,
        9.82793723247329054082e-01,
        1.57079632679489655800e+00,
    ];
    const LOW: [f64; 4] = [
        2.26987774529616870924e-17,
        3.06161699786838301793e-17,
        1.39033110312309984516e-17,
        6.12323399573676603587e-17,
    ];
    const A: [f64; 11] = [
        3.33333333333329318027e-01,
        -1.99999999998764832476e-01,
        1.42857142725034663711e-01,
        -1.11111104054623557880e-01,
        9.09088713343650656196e-02,
        -7.69187620504482999495e-02,
        6.66107313738753120669e-02,
        -5.83357013379057348645e-02,
        4.97687799461593236017e-02,
        -3.65315727442169155270e-02,
        1.62858201153657823623e-02,
    ];
    let size = high_word(x) & 0x7fffffff;
    if x.is_nan() || size < 0x3e400000 {
        return x;
    }
    if size >= 0x44100000 {
        return if x < 0.0 { -HIGH[3] } else { HIGH[3] };
    }
    let a = x.abs();
    let (part, u) = match size {
        ..0x3fdc0000 => (None, x),
        ..0x3fe60000 => (Some(0), (2.0 * a - 1.0) / (2.0 + a)),
        ..0x3ff30000 => (Some(1), (a - 1.0) / (a + 1.0)),
        ..0x40038000 => (Some(2), (a - 1.5) / (1.0 + 1.5 * a)),
        _ => (Some(3), -1.0 / a),
    };
    let z = u * u;
    let w = z * z;
    let even = z * polynomial(w, &[A[0], A[2], A[4], A[6], A[8], A[10]]);
    let odd = w * polynomial(w, &[A[1], A[3], A[5], A[7], A[9]]);
    let Some(part) = part else { return u - u * (even + odd) };
    let angle = HIGH[part] - (u * (even + odd) - LOW[part] - u);
    if x < 0.0 { -angle } else { angle }
}

/// The angle of the point (x, y).
pub(super) fn atan2(y: f64, x: f64) -> f64 {
    use core::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    const PI_REST: f64 = 1.2246467991473531772E-16;
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    if x == 1.0 {
        return atan(y);
    }
    let back = x.is_sign_negative();
    let (width, height) = (high_word(x) & 0x7fffffff, high_word(y) & 0x7fffffff);
    let angle = if y == 0.0 {
        if back { PI } else { 0.0 }
    } else if x == 0.0 {
        FRAC_PI_2
    } else if x.is_infinite() {
        match (y.is_infinite(), back) {
            (true, false) => FRAC_PI_4,
            (true, true) => 3.0 * PI / 4.0,
            (false, false) => 0.0,
            (false, true) => PI,
        }
    } else if width + (64 << 20) < height || y.is_infinite() {
        FRAC_PI_2
    } else {
        let z = if back && height + (64 << 20) < width { 0.0 } else { atan((y / x).abs()) };
        if back { PI - (z - PI_REST) } else { z }
    };
    if y.is_sign_negative() { -angle } else { angle }
}
