//! Random polynomials in the place of the declared functions.
//!
//! The compiled functions get them written once, over jets, and take their partials from there. The
//! text gets each partial as a string of its own, of coefficients that are differentiated here:
//! neither side knows what the other did.
//!
//! ```text
//! f(x) = Σ_α c_α x^α,  |α| ≤ 4        ∂^β f(x) = Σ_α c_α α!/(α − β)! x^(α − β)
//! ```

use super::strings::{Strings, number, power, product, sum};
use eom_core::SmoothFunction;
use eom_core::function::{ARGUMENTS_MAX, Orders};
use eom_core::jet::{Arguments, Indices, Jet};
use fastrand::Rng;

/// The degree: no partial that the equations have vanishes identically.
const DEGREE: u8 = 4;

/// A polynomial of as many arguments as the function has.
#[derive(Clone)]
pub(super) struct Polynomial {
    arity: usize,
    exponents: Vec<Orders>,
    pub(super) coefficients: Vec<f64>,
}

impl Polynomial {
    /// Coefficients between −1/2 and 1/2.
    pub(super) fn draw(arity: usize, random: &mut Rng) -> Self {
        let mut exponents = Vec::new();
        let base = usize::from(DEGREE) + 1;
        for code in 0..base.pow(arity as u32) {
            let mut orders = [0; ARGUMENTS_MAX];
            let mut rest = code;
            for order in &mut orders[..arity] {
                (*order, rest) = ((rest % base) as u8, rest / base);
            }
            if orders.iter().sum::<u8>() <= DEGREE {
                exponents.push(orders);
            }
        }
        let coefficients = exponents.iter().map(|_| random.f64() - 0.5).collect();
        Self { arity, exponents, coefficients }
    }

    /// The function, as the compiled system takes it.
    pub(super) fn smooth(&self) -> SmoothFunction {
        let f = self.clone();
        match self.arity {
            1 => SmoothFunction::of(move |x: [Jet<1>; 1]| f.jet(x)),
            2 => SmoothFunction::of(move |x: [Jet<2>; 2]| f.jet(x)),
            _ => SmoothFunction::of(move |x: [Jet<3>; 3]| f.jet(x)),
        }
    }

    fn jet<const N: usize>(&self, x: [Jet<N>; N]) -> Jet<N>
    where
        Arguments<N>: Indices,
    {
        let mut total = Jet::from(0.0);
        for (exponents, c) in self.exponents.iter().zip(&self.coefficients) {
            let mut term = Jet::from(*c);
            for (x, exponent) in x.iter().zip(exponents) {
                (0..*exponent).for_each(|_| term *= *x);
            }
            total += term;
        }
        total
    }

    /// A partial at a point, as a string.
    pub(super) fn partial(&self, orders: Orders, point: &[Strings]) -> Strings {
        let mut terms = Vec::new();
        for (exponents, c) in self.exponents.iter().zip(&self.coefficients) {
            if exponents.iter().zip(orders).any(|(exponent, order)| *exponent < order) {
                continue;
            }
            let falling = exponents.iter().zip(orders).flat_map(|(n, k)| (n - k + 1)..=*n);
            let mut term = number(c * falling.map(f64::from).product::<f64>());
            for ((x, n), k) in point.iter().zip(exponents).zip(orders) {
                if *n > k {
                    term = product(&term, &power(x, &number(f64::from(n - k)), true));
                }
            }
            terms.push((false, term));
        }
        sum(&terms)
    }
}

/// The orders that the end of a name says: `xxy` of `x, y` is [2, 1, 0].
pub(super) fn orders(suffix: &str, arguments: &[&str]) -> Option<Orders> {
    if suffix.is_empty() {
        return Some([0; ARGUMENTS_MAX]);
    }
    arguments.iter().enumerate().find_map(|(i, argument)| {
        let mut found = orders(suffix.strip_prefix(argument)?, arguments)?;
        found[i] += 1;
        Some(found)
    })
}
