//! Compensated addition: a value and the rounding error it carries.

use crate::snapshot::words::value;

/// An unevaluated sum high + low with |low| ≤ ulp(high)/2: the state of a long sum.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Compensated {
    /// The value.
    pub(crate) high: f64,
    /// What rounding took from it.
    pub(crate) low: f64,
}

impl Compensated {
    /// An exact value.
    pub(crate) fn new(high: f64) -> Self {
        Self { high, low: 0.0 }
    }

    /// The sum with `term`: s = high + (low + term), its rounding error kept.
    ///
    /// Knuth's two-sum (The Art of Computer Programming 2, 4.2.2, theorem B).
    pub(crate) fn plus(self, term: f64) -> Self {
        let term = self.low + term;
        let high = self.high + term;
        let part = high - self.high;
        let low = (self.high - (high - part)) + (term - part);
        Self { high, low }
    }

    /// What is missing to `end`.
    pub(crate) fn until(self, end: f64) -> f64 {
        (end - self.high) - self.low
    }
}

value! { Compensated { high, low } }

#[cfg(test)]
mod tests {
    use super::Compensated;

    /// Σ 0.1 over 10⁷ terms: plain addition is off by 1.6e-4, this is exact to rounding of 0.1.
    #[test]
    fn a_long_sum_keeps_its_digits() {
        let mut sum = Compensated::new(0.0);
        for _ in 0..10_000_000 {
            sum = sum.plus(0.1);
        }
        assert!((sum.high - 1e6).abs() < 1e-9, "{}", sum.high);
    }
}
