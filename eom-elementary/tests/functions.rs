//! Each function of one number: its slope, bend and Taylor coefficients are those of its values by differences, and
//! over intervals they hold those at numbers.

use eom_elementary::{Elementary, Interval};

/// Numbers at which a function is smooth, and by how much they may be moved: not near 0, 1 and −1.
const POINTS: [f64; 6] = [-2.3, -0.7, -0.3, 0.4, 0.8, 1.9];
const STEP: f64 = 1e-3;

/// f′, f″/2 by differences of the eighth order.
fn differences(f: impl Fn(f64) -> f64, x: f64) -> [f64; 2] {
    let (mut slope, mut bend) = (0.0, -205.0 / 72.0 * f(x));
    let weights = [
        (4.0 / 5.0, 8.0 / 5.0),
        (-1.0 / 5.0, -1.0 / 5.0),
        (4.0 / 105.0, 8.0 / 315.0),
        (-1.0 / 280.0, -1.0 / 560.0),
    ];
    for (k, (odd, even)) in (1..).zip(weights) {
        let (right, left) = (f(x + f64::from(k) * STEP), f(x - f64::from(k) * STEP));
        slope += odd * (right - left);
        bend += even * (right + left);
    }
    [slope / STEP, bend / (2.0 * STEP * STEP)]
}

/// Every function at every point of its domain.
fn check(test: impl Fn(Elementary, f64)) {
    for f in Elementary::ALL {
        let inside = POINTS.iter().filter(|x| f.value(**x).is_finite());
        let tested = inside.map(|x| test(*f, *x)).count();
        assert!(tested > 2, "{f:?}");
    }
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + b.abs())
}

#[test]
fn slopes_are_those_of_differences() {
    check(|f, x| {
        let value = f.value(x);
        let slope = f.slope(x, value);
        let [expected, half_second] = differences(|x| f.value(x), x);
        assert!(close(slope, expected, 1e-10), "{f:?}′({x}) = {slope}, {expected}");
        let bend = f.bend(x, value, slope);
        assert!(close(bend, half_second, 1e-7), "½{f:?}″({x}) = {bend}, {half_second}");
    });
}

/// Each coefficient by the slope of the one before: (k + 1) hₖ₊₁ = hₖ′.
#[test]
fn taylor_coefficients_are_those_of_differences() {
    check(|f, x| {
        let taylor = f.taylor(x);
        assert_eq!(taylor[0], f.value(x), "{f:?}({x})");
        for k in 0..4 {
            let expected = differences(|x| f.taylor(x)[k], x)[0] / (k + 1) as f64;
            let found = taylor[k + 1];
            assert!(close(found, expected, 1e-9), "{f:?}, order {}: {found}, {expected}", k + 1);
        }
    });
}

#[test]
fn over_intervals_they_hold_those_at_numbers() {
    check(|f, x| {
        for radius in [0.0, 1e-3, 0.2, 5.0] {
            let range = Interval::new(x - radius, x + radius);
            let value = f.range(range);
            let slope = f.slope(range, value);
            let bend = f.bend(range, value, slope);
            for part in -8..=8 {
                let x = x + radius * f64::from(part) / 8.0;
                let at = f.value(x);
                if at.is_nan() {
                    continue;
                }
                let slope_at = f.slope(x, at);
                let bend_at = f.bend(x, at, slope_at);
                assert!(value.contains(at), "{f:?}({range}) = {value}, {at} at {x}");
                assert!(slope.contains(slope_at), "{f:?}′({range}) = {slope}, {slope_at} at {x}");
                assert!(bend.contains(bend_at), "½{f:?}″({range}) = {bend}, {bend_at} at {x}");
            }
        }
    });
}
