//! The exponential function, the logarithm, powers, and what is made of them, by FreeBSD's msun and by musl.

use super::*;

/// e^x.
pub(super) fn exp(x: f64) -> f64 {
    const LN2: [f64; 2] = [6.93147180369123816490e-01, 1.90821492927058770002e-10];
    const P: [f64; 5] = [
        1.66666666666666019037e-01,
        -2.77777777770155933842e-03,
        6.61375632143793436117e-05,
        -1.65339022054652515390e-06,
        4.13813679705723846039e-08,
    ];
    if x.is_nan() {
        return x;
    }
    if x > 709.782712893383973096 {
        return f64::INFINITY;
    }
    if x < -745.13321910194110842 {
        return 0.0;
    }
    let size = high_word(x) & 0x7fffffff;
    if size <= 0x3e300000 {
        return 1.0 + x;
    }
    let sign = if x < 0.0 { -1.0 } else { 1.0 };
    let k = match size {
        ..=0x3fd62e42 => 0,
        ..0x3ff0a2b2 => sign as i32,
        _ => (1.44269504088896338700e+00 * x + 0.5 * sign) as i32,
    };
    let (high, low) = if k == 0 { (x, 0.0) } else { (x - k as f64 * LN2[0], k as f64 * LN2[1]) };
    let x = high - low;
    let z = x * x;
    let c = x - z * polynomial(z, &P);
    let y = 1.0 + (x * c / (2.0 - c) - low + high);
    if k == 0 { y } else { scaled(y, k) }
}

/// e^x - 1.
pub(super) fn exp_m1(x: f64) -> f64 {
    const LN2: [f64; 2] = [6.93147180369123816490e-01, 1.90821492927058770002e-10];
    const Q: [f64; 6] = [
        1.0,
        -3.33333333333331316428e-02,
        1.58730158725481460165e-03,
        -7.93650757867487942473e-05,
        4.00821782732936239552e-06,
        -2.01099218183624371326e-07,
    ];
    let size = high_word(x) & 0x7fffffff;
    if x.is_nan() || size < 0x3c900000 {
        return x;
    }
    if size >= 0x4043687A && x < 0.0 {
        return -1.0;
    }
    if x > 7.09782712893383973096e+02 {
        return f64::INFINITY;
    }
    let sign = if x < 0.0 { -1.0 } else { 1.0 };
    let k = match size {
        ..=0x3fd62e42 => 0,
        ..0x3ff0a2b2 => sign as i32,
        _ => (1.44269504088896338700e+00 * x + 0.5 * sign) as i32,
    };
    let (high, low) = (x - k as f64 * LN2[0], k as f64 * LN2[1]);
    let (x, c) = if k == 0 { (x, 0.0) } else { (high - low, (high - (high - low)) - low) };
    let half = 0.5 * x;
    let z = x * half;
    let r = polynomial(z, &Q);
    let t = 3.0 - r * half;
    let e = z * ((r - t) / (6.0 - x * t));
    if k == 0 {
        return x - (x * e - z);
    }
    let e = x * (e - c) - c - z;
    let power = f64::from_bits(((1023 + k.min(1023)) as u64) << 52);
    match k {
        -1 => 0.5 * (x - e) - 0.5,
        1 if x < -0.25 => -2.0 * (e - (x + 0.5)),
        1 => 1.0 + 2.0 * (x - e),
        1024 => (x - e + 1.0) * 2.0 * power - 1.0,
        k if !(0..=56).contains(&k) => (x - e + 1.0) * power - 1.0,
        _ => {
            let inverse = f64::from_bits(((1023 - k) as u64) << 52);
            let rest = if k < 20 { x - e + (1.0 - inverse) } else { x - (e + inverse) + 1.0 };
            rest * power
        }
    }
}

/// The natural logarithm.
pub(super) fn ln(x: f64) -> f64 {
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x.is_nan() || x == f64::INFINITY {
        return x;
    }
    if x < 0.0 {
        return f64::NAN;
    }
    if x == 1.0 {
        return 0.0;
    }
    let small = high_word(x) < 0x00100000;
    let (k, f) = near_one(if small { x * f64::from_bits(0x4350 << 48) } else { x });
    ln_of(if small { k - 54 } else { k }, f, 0.0)
}

/// x = 2^k (1 + f) with 1 + f between the square roots of 1/2 and 2.
pub(super) fn near_one(x: f64) -> (i32, f64) {
    let high = high_word(x) + (0x3ff00000 - 0x3fe6a09e);
    ((high >> 20) as i32 - 1023, with_high_word(x, (high & 0x000fffff) + 0x3fe6a09e) - 1.0)
}

/// ln(2^k (1 + f)), with a correction c.
pub(super) fn ln_of(k: i32, f: f64, c: f64) -> f64 {
    const LN2: [f64; 2] = [6.93147180369123816490e-01, 1.90821492927058770002e-10];
    const L: [f64; 7] = [
        6.666666666666735130e-01,
        3.999999999940941908e-01,
        2.857142874366239149e-01,
        2.222219843214978396e-01,
        1.818357216161805012e-01,
        1.531383769920937332e-01,
        1.479819860511658591e-01,
    ];
    let square = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = w * polynomial(w, &[L[1], L[3], L[5]]);
    let odd = z * polynomial(w, &[L[0], L[2], L[4], L[6]]);
    let k = k as f64;
    s * (square + (odd + even)) + (k * LN2[1] + c) - square + f + k * LN2[0]
}

/// ln(1 + x), for a finite x >= 0.
pub(super) fn ln_1p(x: f64) -> f64 {
    let high = high_word(x);
    if high < 0x3ca00000 {
        return x;
    }
    if high < 0x3fda827a {
        return ln_of(0, x, 0.0);
    }
    let sum = 1.0 + x;
    let (k, f) = near_one(sum);
    let c = match k {
        ..2 => (x - (sum - 1.0)) / sum,
        ..54 => (1.0 - (sum - x)) / sum,
        _ => 0.0,
    };
    ln_of(k, f, c)
}

/// The hyperbolic sine.
pub(super) fn sinh(x: f64) -> f64 {
    let half = if x.is_sign_negative() { -0.5 } else { 0.5 };
    let size = x.abs();
    let high = high_word(size);
    if high >= 0x40862e42 {
        return 2.0 * half * half_exp(size);
    }
    if high < 0x3ff00000 - (26 << 20) {
        return x;
    }
    let t = exp_m1(size);
    if high < 0x3ff00000 {
        return half * (2.0 * t - t * t / (t + 1.0));
    }
    half * (t + t / (t + 1.0))
}

/// The hyperbolic cosine.
pub(super) fn cosh(x: f64) -> f64 {
    let size = x.abs();
    let high = high_word(size);
    if high < 0x3ff00000 - (26 << 20) {
        return 1.0;
    }
    if high < 0x3fe62e42 {
        let t = exp_m1(size);
        return 1.0 + t * t / (2.0 * (1.0 + t));
    }
    if high < 0x40862e42 {
        let t = exp(size);
        return 0.5 * (t + 1.0 / t);
    }
    half_exp(size)
}

/// e^x/2, where e^x may be too large.
pub(super) fn half_exp(x: f64) -> f64 {
    let scale = f64::from_bits((1023 + 2043 / 2) << 52);
    exp(x - f64::from_bits(0x40962066151add8b)) * scale * scale
}

/// The hyperbolic tangent.
pub(super) fn tanh(x: f64) -> f64 {
    let size = x.abs();
    let high = high_word(size);
    let t = if high > 0x40340000 {
        1.0 - 0.0 / size
    } else if high > 0x3fe193ea {
        1.0 - 2.0 / (exp_m1(2.0 * size) + 2.0)
    } else if high > 0x3fd058ae {
        let t = exp_m1(2.0 * size);
        t / (t + 2.0)
    } else if high >= 0x00100000 {
        let t = exp_m1(-2.0 * size);
        -t / (t + 2.0)
    } else {
        size
    };
    if x.is_sign_negative() { -t } else { t }
}

/// The number whose hyperbolic sine is x.
pub(super) fn asinh(x: f64) -> f64 {
    let size = x.abs();
    let exponent = high_word(size) >> 20;
    let value = if exponent >= 1023 + 26 {
        ln(size) + 0.693147180559945309417232121458176568
    } else if exponent >= 1023 + 1 {
        ln(2.0 * size + 1.0 / (sqrt(size * size + 1.0) + size))
    } else if exponent >= 1023 - 26 {
        ln_1p(size + size * size / (sqrt(size * size + 1.0) + 1.0))
    } else {
        size
    };
    if x.is_sign_negative() { -value } else { value }
}

/// The square root of x^2 + y^2.
pub(super) fn hypot(x: f64, y: f64) -> f64 {
    let (x, y) = (x.abs(), y.abs());
    let (x, y) = if x.to_bits() < y.to_bits() { (y, x) } else { (x, y) };
    let (larger, smaller) = (high_word(x) >> 20, high_word(y) >> 20);
    if smaller == 0x7ff {
        return y;
    }
    if larger == 0x7ff || y == 0.0 {
        return x;
    }
    if larger - smaller > 64 {
        return x + y;
    }
    let (up, down) = (f64::from_bits(0x6bb0 << 48), f64::from_bits(0x1430 << 48));
    let (scale, back) = match (larger, smaller) {
        (1534.., _) => (down, up),
        (_, ..573) => (up, down),
        _ => (1.0, 1.0),
    };
    let ((x, x_rest), (y, y_rest)) = (square(x * scale), square(y * scale));
    back * sqrt(y_rest + x_rest + y + x)
}

/// x^2 as a sum of two numbers.
pub(super) fn square(x: f64) -> (f64, f64) {
    let split = x * 134217729.0;
    let high = x - split + split;
    let low = x - high;
    let sum = x * x;
    (sum, high * high - sum + 2.0 * high * low + low * low)
}
