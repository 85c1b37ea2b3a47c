//! What generated Rust without `std` calls, against the functions whose bits it has.

use eom_symbolic::Function;

#[expect(
    unused_imports,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    reason = "the style of generated code, and that of msun"
)]
mod math;

/// Numbers at which functions change what they do.
const EDGES: [f64; 27] = [
    0.0,
    f64::MIN_POSITIVE,
    5e-324,
    1e-310,
    1e-30,
    1e-9,
    0.25,
    0.346_573_590_279_972_64,
    0.5,
    0.84375,
    std::f64::consts::FRAC_PI_4,
    0.975,
    1.0,
    1.25,
    std::f64::consts::FRAC_PI_2,
    2.0,
    3.0,
    6.0,
    22.0,
    709.782_712_893_384,
    745.133_219_101_941_1,
    1_647_099.0,
    1_647_099.1,
    2_147_483_648.0,
    1e22,
    f64::MAX,
    f64::INFINITY,
];

/// Numbers of every size, of usual sizes, near the edges, and the edges.
fn numbers() -> impl FnMut() -> f64 {
    let mut state = 0x5EED_u64;
    let mut bits = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) ^ state
    };
    move || {
        let (kind, x) = (bits() % 4, bits());
        let sign = if x & 1 == 0 { 1.0 } else { -1.0 };
        let edge = EDGES[(x >> 8) as usize % EDGES.len()];
        sign * match kind {
            0 => f64::from_bits(x >> 1),
            1 => (x >> 12) as f64 / (1_u64 << 48) as f64,
            2 => f64::from_bits(
                edge.to_bits().wrapping_add(bits() % 16).wrapping_sub(8) & !(1 << 63),
            ),
            _ => edge,
        }
    }
}

const COUNT: usize = 100_000;

#[track_caller]
fn same(found: f64, wanted: f64, what: impl FnOnce() -> String) {
    let same = found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan();
    assert!(same, "{}: {found:e}, wanted {wanted:e}", what());
}

fn check(name: &str, wanted: impl Fn(f64, f64) -> f64) {
    let mut number = numbers();
    for _ in 0..COUNT {
        let (x, y) = (number(), number());
        let found = math::call(name, x, y).unwrap_or_else(|| panic!("{name} has no text"));
        same(found, wanted(x, y), || format!("{name}({x:?}, {y:?})"));
    }
}

#[test]
fn every_function_of_the_language_has_its_bits() {
    for function in Function::ALL {
        check(function.name(), |x, y| function.evaluate(x, y));
    }
    check("powf", eom_elementary::powf);
    check("hypot", eom_elementary::hypot);
    check("asinh", |x, _| eom_elementary::asinh(x));
}

#[test]
fn roots_and_products_are_rounded_once() {
    check("sqrt", |x, _| x.sqrt());
    let mut number = numbers();
    for _ in 0..10 * COUNT {
        let (a, b, c) = (number(), number(), number());
        same(math::product(a, b, c), a.mul_add(b, c), || format!("{a:?}*{b:?} + {c:?}"));
        // Where the sum cancels, and where it is subnormal.
        let near = -(a * b) * (1.0 + f64::EPSILON * (c.abs() % 3.0));
        same(math::product(a, b, near), a.mul_add(b, near), || format!("{a:?}*{b:?} + {near:?}"));
        let small = a * f64::from_bits(1 << 55);
        same(math::product(small, b % 2.0, c % 1e-300), small.mul_add(b % 2.0, c % 1e-300), || {
            format!("{small:?}*{:?} + {:?}", b % 2.0, c % 1e-300)
        });
    }
    for n in [0, 1, -1, 2, 7, -12, i32::MAX, i32::MIN] {
        let a = number();
        same(math::power(a, n), eom_elementary::powi(a, n), || format!("{a:?}^{n}"));
    }
}
