//! Every operation on lanes has the bits that it has on `f64`, for every number of lanes.

#![expect(
    clippy::inline_always,
    reason = "lanes are instructions only within the function that has them"
)]

use eom_elementary::pulp::{Arch, Scalar, Scalar128b, Scalar256b, Scalar512b, Simd, WithSimd};
use eom_elementary::{self as elementary, Lane, Pair, Real};

/// Random numbers of every size, and those at the edges.
fn numbers() -> Vec<f64> {
    let mut random = fastrand::Rng::with_seed(7);
    let mut numbers = vec![
        0.0,
        -0.0,
        1.0,
        -1.0,
        5e-324,
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        1_647_099.0,
        1_647_099.5,
        -1e300,
        std::f64::consts::PI,
        std::f64::consts::FRAC_PI_2,
    ];
    for _ in 0..400 {
        let scale = 10_f64.powi(random.i32(-20..=20));
        numbers.push((random.f64() - 0.5) * 8.0);
        numbers.push((random.f64() - 0.5) * scale);
        numbers.push(
            (f64::from(random.i32(-99_999..=99_999)) * std::f64::consts::FRAC_PI_2).next_up(),
        );
    }
    numbers
}

/// The results of every operation, of `x` with `y`.
#[inline(always)]
fn all<R: Real>(x: R, y: R) -> [R; 29] {
    let (s, c) = elementary::sin_cos(x);
    [
        x + y,
        x - y,
        x * y,
        x / y,
        -x,
        x.of(0.1),
        s,
        c,
        elementary::sin(y),
        elementary::cos(y),
        elementary::tan(x),
        elementary::asin(x),
        elementary::acos(x),
        elementary::atan(x),
        elementary::sinh(x),
        elementary::cosh(x),
        elementary::tanh(x),
        elementary::asinh(x),
        elementary::exp(x),
        elementary::ln(x),
        elementary::atan2(x, y),
        elementary::hypot(x, y),
        elementary::powf(x, y),
        elementary::powi(x, -5),
        elementary::sqrt(x),
        elementary::abs(x),
        elementary::sign(x),
        elementary::inverse_or_zero(x),
        elementary::fused(x, y, x),
    ]
}

struct Check<'x>(&'x [f64]);

impl WithSimd for Check<'_> {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> usize {
        let count = Lane::<S>::COUNT;
        // Windows that overlap, so that each lane meets each kind of number, and its neighbours vary.
        for start in 0..self.0.len() - count {
            // Also fewer numbers than lanes.
            let here = &self.0[start..start + 1 + start % count];
            let lanes = all(
                Lane::read(simd, here),
                Lane::read(simd, &self.0[self.0.len() - here.len() - start..]),
            );
            for (which, lane) in lanes.into_iter().enumerate() {
                let mut found = vec![0.5; here.len()];
                lane.write(&mut found);
                for (j, found) in found.into_iter().enumerate() {
                    let (x, y) = (here[j], self.0[self.0.len() - here.len() - start + j]);
                    let wanted = all(x, y)[which];
                    let same =
                        found.to_bits() == wanted.to_bits() || (found.is_nan() && wanted.is_nan());
                    assert!(
                        same,
                        "{which} of {x:e}, {y:e} in {count} lanes: {found:e}, {wanted:e}"
                    );
                }
            }
        }
        count
    }
}

#[test]
fn pairs_have_the_bits_of_one_number() {
    let numbers = numbers();
    for (x, y) in numbers.windows(2).zip(numbers.windows(2).rev()) {
        let pairs = all(Pair(x[0], x[1]), Pair(y[0], y[1]));
        let wanted = [all(x[0], y[0]), all(x[1], y[1])];
        for (which, Pair(first, second)) in pairs.into_iter().enumerate() {
            for (found, wanted) in [(first, wanted[0][which]), (second, wanted[1][which])] {
                let same = found.to_bits() == wanted.to_bits();
                assert!(same || (found.is_nan() && wanted.is_nan()), "{which} of {x:?}, {y:?}");
            }
        }
    }
}

#[test]
fn lanes_have_the_bits_of_one_number() {
    let numbers = numbers();
    assert_eq!(Check(&numbers).with_simd(Scalar), 1);
    assert_eq!(Check(&numbers).with_simd(Scalar128b), 2);
    assert_eq!(Check(&numbers).with_simd(Scalar256b), 4);
    assert_eq!(Check(&numbers).with_simd(Scalar512b), 8);
    Arch::new().dispatch(Check(&numbers));
}

/// Half a register, and two as one, where the machine has AVX2.
#[cfg(target_arch = "x86_64")]
#[test]
fn two_registers_have_the_bits_of_one_number() {
    use eom_elementary::pulp::x86::{V3, V3_128b, V3_512b};
    let Some(simd) = V3::try_new() else { return };
    let numbers = numbers();
    assert_eq!(simd.vectorize(|| Check(&numbers).with_simd(V3_128b(simd))), 2);
    assert_eq!(simd.vectorize(|| Check(&numbers).with_simd(V3_512b(simd))), 8);
}

/// By the machine's instruction and by the C library: rounded once, (1 + ε)(1 − ε) − 1 is −ε².
#[test]
fn fused_products_have_the_same_bits_with_and_without_their_instruction() {
    let (ε, numbers) = (2_f64.powi(-30), numbers());
    let by_instruction = |a, b, c| elementary::with_fused_products(|| elementary::fused(a, b, c));
    for fused in [elementary::fused::<f64>, by_instruction] {
        assert_eq!(fused(1.0 + ε, 1.0 - ε, -1.0), -ε * ε);
    }
    for x in numbers {
        let (asked, straight) = (elementary::sin_cos(x), elementary::straight::sin_cos(x));
        let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
        assert!(same(asked.0, straight.0) && same(asked.1, straight.1), "{x:e}");
        assert!(same(asked.0, elementary::straight::sin(x)), "{x:e}");
        assert!(same(asked.1, elementary::straight::cos(x)), "{x:e}");
    }
}
