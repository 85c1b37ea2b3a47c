//! Random values of a swept name: a function of the seed, the name and a number, with the same bits on every machine.
//!
//! ```text
//! s  = mix(seed ⊕ h)           h the FNV-1a hash of the name in ASCII: names of one seed have numbers of their own
//! xₖ = mix(s + (k + 1) γ)      SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), k = 0, 1, …
//! uₖ = (⌊xₖ/2¹²⌋ + 1/2)/2⁵²    in (0, 1)
//! uniform [a, b]: a + (b − a) uₖ          normal [μ, σ]: μ + σ √(−2 ln u₂ₖ) cos(2π u₂ₖ₊₁)
//! ```
//!
//! No value depends on another: a chunk of a sweep has those of its runs, whoever makes it.

use eom_core::elementary::{cos, ln, sqrt};
use std::f64::consts::TAU;

/// γ, 2⁶⁴ over the golden ratio, odd.
const STRIDE: u64 = 0x9E37_79B9_7F4A_7C15;

/// A distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Distribution {
    /// Between two bounds.
    Uniform { from: f64, to: f64 },
    /// With a mean and a deviation.
    Normal { mean: f64, deviation: f64 },
}

/// A stream of random values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Draw {
    distribution: Distribution,
    /// s.
    stream: u64,
}

impl Draw {
    /// That of a seed for a name in ASCII.
    pub(super) fn new(distribution: Distribution, seed: u64, name: &str) -> Self {
        Self { distribution, stream: mix(seed ^ hash(name)) }
    }

    /// Its value of a number.
    pub(super) fn value(&self, number: u64) -> f64 {
        let pair = number.wrapping_mul(2);
        match self.distribution {
            Distribution::Uniform { from, to } => from + (to - from) * self.unit(number),
            Distribution::Normal { mean, deviation } => {
                let radius = sqrt(-2.0 * ln(self.unit(pair)));
                mean + deviation * radius * cos(TAU * self.unit(pair.wrapping_add(1)))
            }
        }
    }

    /// uₖ.
    fn unit(&self, number: u64) -> f64 {
        let bits = word(self.stream, number) >> 12;
        (bits as f64 + 0.5) / (1_u64 << 52) as f64
    }
}

/// xₖ of s.
fn word(stream: u64, number: u64) -> u64 {
    mix(stream.wrapping_add(number.wrapping_add(1).wrapping_mul(STRIDE)))
}

fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    text.bytes().fold(0xCBF2_9CE4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::{Distribution, Draw, hash, word};

    #[test]
    fn the_generator_is_the_published_one() {
        // The first words of SplitMix64 from the seed 1234567, as Java and C have them.
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        for (number, expected) in (0..).zip(expected) {
            assert_eq!(word(1_234_567, number), expected);
        }
        // FNV-1a of the reference's tests.
        assert_eq!((hash(""), hash("a")), (0xCBF2_9CE4_8422_2325, 0xAF63_DC4C_8601_EC8C));
    }

    #[test]
    fn values_have_their_distribution() {
        // mean, variance, and the share below the first bound
        let uniform = Distribution::Uniform { from: 2.0, to: 5.0 };
        let normal = Distribution::Normal { mean: -1.0, deviation: 0.5 };
        let table = [(uniform, 3.5, 0.75, 3.0, 1.0 / 3.0), (normal, -1.0, 0.25, -1.5, 0.158_655)];
        for (distribution, mean, variance, bound, share) in table {
            let draw = Draw::new(distribution, 7, "e");
            let values: Vec<f64> = (0..100_000).map(|k| draw.value(k)).collect();
            let average = |of: &dyn Fn(f64) -> f64| {
                values.iter().map(|x| of(*x)).sum::<f64>() / values.len() as f64
            };
            assert!((average(&|x| x) - mean).abs() < 0.01, "{distribution:?}");
            assert!((average(&|x| (x - mean).powi(2)) - variance).abs() < 0.01);
            assert!((average(&|x| f64::from(u8::from(x < bound))) - share).abs() < 0.005);
        }
    }

    #[test]
    fn names_and_seeds_have_values_of_their_own() {
        let uniform = Distribution::Uniform { from: 0.0, to: 1.0 };
        let draw = |seed, name| Draw::new(uniform, seed, name);
        assert_ne!(draw(1, "a").value(0), draw(1, "b").value(0));
        assert_ne!(draw(1, "a").value(0), draw(2, "a").value(0));
        assert_eq!(draw(1, "a").value(5), draw(1, "a").value(5));
        assert!((0..10_000).all(|k| (0.0..1.0).contains(&draw(3, "a").value(k))));
    }
}
