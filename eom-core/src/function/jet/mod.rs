//! Truncated Taylor series in one to three variables: numbers that carry the partial derivatives
//! of what is computed with them.
//!
//! ```text
//! f(p + δ) = Σ_α c_α δ^α,  |α| ≤ d ≤ 4        ∂^α f(p) = α! c_α
//! (f g)_γ  = Σ_{α+β=γ} f_α g_β
//! h ∘ f    = Σ_k h⁽ᵏ⁾(f₀)/k! (f − f₀)ᵏ         by Horner: (f − f₀)^(d+1) is cut off
//! ```
//!
//! Exact to rounding: nothing is approximated by differences.

mod indices;
mod operators;
mod series;

pub use indices::{ARGUMENTS_MAX, Arguments, Indices, ORDER_MAX, Orders};

/// A truncated Taylor series in N variables, N from 1 to 3.
///
/// Arithmetic with other jets and with `f64` on either side, and the elementary functions. A
/// constant is `Jet::from(2.0)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Jet<const N: usize>
where
    Arguments<N>: Indices,
{
    /// d: coefficients of higher degree are 0 and not computed.
    order: u8,
    /// c_α by rising degree.
    coefficients: <Arguments<N> as Indices>::Coefficients,
}

impl<const N: usize> Jet<N>
where
    Arguments<N>: Indices,
{
    /// The variable of an index at a value, to be followed to an order of at most 4.
    pub fn variable(value: f64, index: usize, order: usize) -> Self {
        let mut jet = Self { order: order.min(ORDER_MAX) as u8, ..Self::from(value) };
        if order > 0 && index < N {
            // Degree 1 follows the constant, in the order of the variables.
            jet.coefficients.as_mut()[1 + index] = 1.0;
        }
        jet
    }

    /// The value, to compare with: a branch is smooth as long as the values stay on its side.
    pub fn value(&self) -> f64 {
        self.coefficients.as_ref()[0]
    }

    /// ∂^α f = α! c_α; NaN beyond order 4, 0 for a variable that is not there.
    pub fn partial(&self, orders: Orders) -> f64 {
        let total: usize = orders.iter().map(|order| usize::from(*order)).sum();
        if total > ORDER_MAX {
            return f64::NAN;
        }
        let indices = Arguments::<N>::INDICES;
        let at = indices.iter().position(|index| *index == orders);
        let factorial = |n: u8| (1..=n).map(f64::from).product::<f64>();
        at.map_or(0.0, |at| {
            self.coefficients.as_ref()[at] * orders.into_iter().map(factorial).product::<f64>()
        })
    }

    /// The number of coefficients up to the order.
    fn len(self) -> usize {
        Arguments::<N>::SIZES[usize::from(self.order)]
    }

    /// Each coefficient replaced.
    fn map(mut self, f: impl Fn(f64) -> f64) -> Self {
        let len = self.len();
        self.coefficients.as_mut()[..len].iter_mut().for_each(|c| *c = f(*c));
        self
    }

    /// The sum of two with weights ±1.
    fn plus(self, other: Self, sign: f64) -> Self {
        let mut sum = self;
        sum.order = self.order.max(other.order);
        let terms = other.coefficients.as_ref()[..other.len()].iter();
        for (sum, term) in sum.coefficients.as_mut().iter_mut().zip(terms) {
            *sum += sign * term;
        }
        sum
    }

    /// The product, cut off at the larger order: the smaller one is that of a constant.
    fn times(self, other: Self) -> Self {
        let mut product = Self::from(0.0);
        product.order = self.order.max(other.order);
        let count = Arguments::<N>::PRODUCT_COUNTS[usize::from(product.order)];
        let (a, b) = (self.coefficients.as_ref(), other.coefficients.as_ref());
        let c = product.coefficients.as_mut();
        for &[i, j, k] in &Arguments::<N>::PRODUCTS[..count] {
            c[usize::from(k)] += a[usize::from(i)] * b[usize::from(j)];
        }
        product
    }

    /// Σ hₖ (f − f₀)ᵏ for the Taylor coefficients h of a function at f₀.
    fn composed(self, h: [f64; ORDER_MAX + 1]) -> Self {
        let mut deviation = self;
        deviation.coefficients.as_mut()[0] = 0.0;
        let order = usize::from(self.order);
        let Some(below) = order.checked_sub(1) else { return Self::from(h[0]) };
        let mut sum = deviation.map(|c| c * h[order]);
        sum.coefficients.as_mut()[0] = h[below];
        for k in (0..below).rev() {
            sum = sum.times(deviation);
            sum.coefficients.as_mut()[0] = h[k];
        }
        sum
    }
}

impl<const N: usize> From<f64> for Jet<N>
where
    Arguments<N>: Indices,
{
    fn from(value: f64) -> Self {
        let mut coefficients = Arguments::<N>::ZERO;
        coefficients.as_mut()[0] = value;
        Self { order: 0, coefficients }
    }
}
