//! The nested rules of Gauss (7 points), Kronrod (15) and Patterson (31) on [−1, 1].
#![expect(clippy::unreadable_literal, reason = "digits as the computation printed them")]

/// The weights of the point 0 in the three rules.
pub const CENTRE: Weights = [0.4179591836734694, 0.20948214108472782, 0.10474321356480584];

/// Weights of one point in the rules of 7, 15 and 31 points.
pub type Weights = [f64; 3];

/// ±x and their weights: those of the 7-point rule, what 15 points add, what 31 add.
///
/// Computed with 80 digits: the points that a rule adds are the roots of the polynomial E of the
/// lowest degree for which ∫ P E xʲ dx = 0 for all j below that degree, P having the roots of the
/// rule before (Patterson 1968, *The optimum addition of points to quadrature formulae*).
pub const PAIRS: [(f64, Weights); 15] = [
    (0.4058451513773972, [0.3818300505051189, 0.19035057806478542, 0.09517802993183068]),
    (0.7415311855993945, [0.27970539148927664, 0.14065325971552592, 0.07033204641040065]),
    (0.9491079123427585, [0.1294849661688697, 0.06309209262997856, 0.03157770621704586]),
    (0.20778495500789848, [0.0, 0.20443294007529889, 0.10221418000570275]),
    (0.5860872354676911, [0.0, 0.1690047266392679, 0.08449876530124302]),
    (0.8648644233597691, [0.0, 0.10479001032225019, 0.05238437082098269]),
    (0.9914553711208126, [0.0, 0.022935322010529224, 0.011319468444683435]),
    (0.10452827381078071, [0.0, 0.0, 0.10409995547269736]),
    (0.3085792479105878, [0.0, 0.0, 0.09919685766743291]),
    (0.498636786552832, [0.0, 0.0, 0.0902618021465586]),
    (0.6673480981043002, [0.0, 0.0, 0.07787534711524599]),
    (0.8076889391724376, [0.0, 0.0, 0.061821985645449856]),
    (0.9122048827832628, [0.0, 0.0, 0.042193500584546594]),
    (0.9753835882088934, [0.0, 0.0, 0.021039446258726797]),
    (0.9986871096784667, [0.0, 0.0, 0.003634931195049884]),
];

/// How many of [`PAIRS`] the 15-point rule uses.
pub const PAIRS_OF_15: usize = 7;

/// ∫ₐᵇ f ds over 15 points, for the size of an integral where its value is not asked.
pub fn coarse(a: f64, b: f64, mut f: impl FnMut(f64) -> f64) -> f64 {
    let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
    let mut sum = CENTRE[1] * f(middle);
    for (x, weights) in &PAIRS[..PAIRS_OF_15] {
        sum += weights[1] * (f(middle - half * x) + f(middle + half * x));
    }
    half * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Σ w xᵏ = 2/(k+1) for even k up to the degree of each rule.
    #[test]
    fn each_rule_integrates_the_polynomials_of_its_degree() {
        for (rule, degree) in [(0, 13), (1, 22), (2, 46)] {
            for k in (0..=degree).step_by(2) {
                let centre = if k == 0 { CENTRE[rule] } else { 0.0 };
                let pairs = PAIRS.iter().map(|(x, w)| 2.0 * w[rule] * x.powi(k));
                let sum = centre + pairs.sum::<f64>();
                assert!((sum - 2.0 / f64::from(k + 1)).abs() < 1e-15, "rule {rule}, x^{k}");
            }
        }
    }
}
