//! Round numbers along an axis.

/// The ticks of an axis.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ticks {
    /// Their distance.
    pub(crate) step: f64,
    /// Their values.
    pub(crate) values: Vec<f64>,
    decimals: usize,
    /// Whether the values are powers of ten and parts between them.
    log: bool,
}

/// Below this distance numbers are written with an exponent.
const SMALL: f64 = 1e-4;

/// The distance of about `count` ticks over a range: 1, 2 or 5 times a power of ten.
pub(crate) fn round_step(range: f64, count: f64) -> f64 {
    let raw = range / count;
    let power = 10_f64.powf(raw.log10().floor());
    let factor = match raw / power {
        mantissa if mantissa < 1.5 => 1.0,
        mantissa if mantissa < 3.5 => 2.0,
        mantissa if mantissa < 7.5 => 5.0,
        _ => 10.0,
    };
    factor * power
}

impl Ticks {
    /// The multiples of a step from `low` to `high`.
    pub(crate) fn new(low: f64, high: f64, step: f64) -> Self {
        let first = (low / step).ceil();
        let all = (0..).map(|i: i32| (first + f64::from(i)) * step);
        let values = all.take_while(|value| *value <= high + 1e-9 * step).collect();
        // 1e-9 steps: 0.1 has log10 just at −1, and must not get a second decimal.
        let exponent = (step.log10() + 1e-9).floor() as i32;
        let decimals = usize::try_from(-exponent).unwrap_or(0).min(12);
        Self { step, values, decimals, log: false }
    }

    /// One value, with four digits.
    pub(crate) fn of(value: f64) -> Self {
        let power = if value == 0.0 { 0 } else { (value.abs().log10() + 1e-9).floor() as i32 - 3 };
        Self {
            values: vec![value],
            ..Self::new(0.0, 0.0, 10_f64.powi(power).max(f64::MIN_POSITIVE))
        }
    }

    /// Powers of ten between two decimal logarithms; with 2 and 5 times them where there are few, and where these are too few
    /// to tell a scale, round numbers.
    pub(crate) fn decades(low: f64, high: f64) -> Self {
        let stride = ((high - low) / 8.0).ceil().max(1.0);
        let factors: &[f64] = if high - low < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let first = (low / stride).floor() * stride;
        let powers = (0..).map(|k: i32| first + f64::from(k) * stride).take_while(|p| *p <= high);
        let values = powers.flat_map(|p| factors.iter().map(move |factor| factor * 10_f64.powf(p)));
        let within = |value: &f64| (low - 1e-9..=high + 1e-9).contains(&value.log10());
        let values: Vec<f64> = values.filter(within).collect();
        if values.len() < 3 {
            let [low, high] = [low, high].map(|power| 10_f64.powf(power));
            return Self::new(low, high, round_step(high - low, 5.0));
        }
        Self { step: 1.0, values, decimals: 0, log: true }
    }

    /// A tick's value as text, with a proper minus.
    pub(crate) fn label(&self, value: f64) -> String {
        if self.log {
            let text = format!("{:e}", format!("{value:.2e}").parse::<f64>().unwrap_or(value));
            let is_plain = (1e-3..1e5).contains(&value);
            let plain = text.parse::<f64>().unwrap_or(value).to_string();
            return if is_plain { plain } else { text.replace('-', "−") };
        }
        let decimals = self.decimals;
        let rounded = if value.abs() < self.step / 2.0 { 0.0 } else { value };
        let with_exponent = || {
            let magnitude = |value: f64| (value.abs().log10() + 1e-9).floor() as i32;
            let digits = magnitude(rounded) - magnitude(self.step);
            let digits = usize::try_from(digits).unwrap_or(0);
            format!("{rounded:.digits$e}")
        };
        if rounded.abs() >= 1e6 {
            // What is no digit of the step is rounding.
            let value = with_exponent().parse::<f64>().unwrap_or(rounded);
            return format!("{value:e}").replace('-', "−");
        }
        if self.step < SMALL && rounded != 0.0 {
            return with_exponent().replace('-', "−");
        }
        if self.step < SMALL {
            return "0".to_owned();
        }
        format!("{rounded:.decimals$}").replace('-', "−")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_are_powers_of_ten() {
        let table: [(f64, f64, &[&str]); 5] = [
            // From 2.1 to 5.4 only 5 would be left, from 3.24 to 3.89 nothing.
            (0.322_219, 0.732_394, &["2.5", "3.0", "3.5", "4.0", "4.5", "5.0"]),
            (0.510_545, 0.590, &["3.3", "3.4", "3.5", "3.6", "3.7", "3.8"]),
            (-4.2, 1.1, &["1e−4", "0.001", "0.01", "0.1", "1", "10"]),
            (0.2, 1.4, &["2", "5", "10", "20"]),
            (-20.0, 20.0, &["1e−20", "1e−15", "1e−10", "1e−5", "1", "1e5", "1e10", "1e15", "1e20"]),
        ];
        for (low, high, labels) in table {
            let ticks = Ticks::decades(low, high);
            let found: Vec<String> = ticks.values.iter().map(|v| ticks.label(*v)).collect();
            assert_eq!(found, labels, "{low} … {high}");
        }
    }

    #[test]
    fn one_value_has_four_digits() {
        let table = [
            (0.0, "0"),
            (0.5, "0.5000"),
            (-3.25, "−3.250"),
            (123_456.0, "123456"),
            (2e-6, "2.000e−6"),
        ];
        for (value, label) in table {
            let ticks = Ticks::of(value);
            assert_eq!((ticks.label(value).as_str(), &ticks.values[..]), (label, &[value][..]));
        }
    }

    #[test]
    fn ticks_are_round_and_inside() {
        let table: [(f64, f64, &[&str]); 6] = [
            (-0.21, 0.21, &["−0.2", "−0.1", "0.0", "0.1", "0.2"]),
            (0.0, 10.0, &["0", "2", "4", "6", "8", "10"]),
            (0.003, 0.0071, &["0.003", "0.004", "0.005", "0.006", "0.007"]),
            (-5e-6, 1.5e-5, &["−5e−6", "0", "5e−6", "1.0e−5", "1.5e−5"]),
            (2e7, 6e7, &["2e7", "3e7", "4e7", "5e7", "6e7"]),
            (0.0, 2e104, &["0", "5e103", "1e104", "1.5e104", "2e104"]),
        ];
        for (low, high, labels) in table {
            let ticks = Ticks::new(low, high, round_step(high - low, 5.0));
            let found: Vec<String> = ticks.values.iter().map(|v| ticks.label(*v)).collect();
            assert_eq!(found, labels, "{low} … {high}");
        }
    }
}
