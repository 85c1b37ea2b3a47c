//! The orders of a series, and room for their coefficients.

/// The lowest order.
pub const ORDER_MIN: usize = 4;
/// The highest order: more than the smallest tolerance asks for.
pub const ORDER_MAX: usize = 32;

/// 1/k.
pub(super) const INVERSES: [f64; ORDER_MAX + 2] = inverses();

const fn inverses() -> [f64; ORDER_MAX + 2] {
    let mut inverses = [0.0; ORDER_MAX + 2];
    let mut k = 1;
    while k < inverses.len() {
        inverses[k] = 1.0 / k as f64;
        k += 1;
    }
    inverses
}

/// k, 1/k, tₖ, k + 1, from k = 1 on.
pub(super) const NUMBERS: [[f64; 4]; ORDER_MAX] = numbers();

const fn numbers() -> [[f64; 4]; ORDER_MAX] {
    let mut numbers = [[0.0; 4]; ORDER_MAX];
    let mut k = 1;
    while k <= numbers.len() {
        numbers[k - 1] = [k as f64, INVERSES[k], if k == 1 { 1.0 } else { 0.0 }, (k + 1) as f64];
        k += 1;
    }
    numbers
}

/// Lanes of the sums over terms.
pub(super) const LANES: usize = 4;

/// ORDER_MAX + 1 rounded up to whole lanes.
pub(super) const LENGTH: usize = (ORDER_MAX + 1).next_multiple_of(LANES);
