//! Smooth functions that are given at run time, with their partial derivatives.
//!
//! A declaration may hold `function f(x, y);`: the equations then need f_x, f_xy, … at a point, and
//! the generated type has a field `f: SmoothFunction` that gives them. Write f once, over [`Jet`]s,
//!
//! ```
//! use eom_core::SmoothFunction;
//!
//! let f = SmoothFunction::of(|[x, y]| 0.1 * (3.0 * x).sin() * y.cos());
//! let mut values = [0.0; 2];
//! f.given().unwrap().partials(&[0.5, 0.0], &[[1, 0, 0], [0, 2, 0]], &mut values);
//! assert!((values[0] - 0.3 * 1.5_f64.cos()).abs() < 1e-16); // f_x
//! assert!((values[1] + 0.1 * 1.5_f64.sin()).abs() < 1e-16); // f_yy
//! ```
//!
//! or implement [`Smooth`] with partials of your own, of a spline for instance.

pub mod jet;

pub use jet::{ARGUMENTS_MAX, ORDER_MAX, Orders};
use jet::{Arguments, Indices, Jet};
use std::fmt;
use std::sync::Arc;

/// A smooth function of one to three arguments with its partial derivatives up to order 4.
pub trait Smooth: Send + Sync {
    /// The number of arguments.
    fn arity(&self) -> usize;

    /// Writes the partials of the given orders at a point, one value each.
    ///
    /// `point` has as many entries as there are arguments. The equations ask for all that they need
    /// at a point in one call, always for the same list. Outside the domain the values are NaN: a
    /// run then ends with that reason.
    fn partials(&self, point: &[f64], orders: &[Orders], values: &mut [f64]);
}

/// The function of a field that was declared `function f(x, y)`: the one of the declaration, or
/// another. Clones share it.
#[derive(Clone, Default)]
pub struct SmoothFunction(Option<Arc<dyn Smooth>>);

impl SmoothFunction {
    /// The default of the declaration, which reads the present parameters; where the declaration
    /// has none, [`check_parameters`](crate::System::check_parameters) says that it is missing.
    pub const fn declared() -> Self {
        Self(None)
    }

    /// A function written once, over truncated Taylor series: all partials follow from it.
    pub fn of<const N: usize>(f: impl Fn([Jet<N>; N]) -> Jet<N> + Send + Sync + 'static) -> Self
    where
        Arguments<N>: Indices,
    {
        Self::new(Closure::<_, N>(f))
    }

    /// A function with partials of its own.
    pub fn new(f: impl Smooth + 'static) -> Self {
        Self(Some(Arc::new(f)))
    }

    /// The function, where it is another than that of the declaration.
    pub fn given(&self) -> Option<&dyn Smooth> {
        self.0.as_deref()
    }
}

impl fmt::Debug for SmoothFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            None => write!(f, "SmoothFunction::declared()"),
            Some(given) => write!(f, "SmoothFunction({} arguments)", given.arity()),
        }
    }
}

/// Equal are two of the declaration's, and clones of one.
impl PartialEq for SmoothFunction {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

struct Closure<F, const N: usize>(F);

impl<F, const N: usize> Smooth for Closure<F, N>
where
    F: Fn([Jet<N>; N]) -> Jet<N> + Send + Sync,
    Arguments<N>: Indices,
{
    fn arity(&self) -> usize {
        N
    }

    fn partials(&self, point: &[f64], orders: &[Orders], values: &mut [f64]) {
        let Ok(point) = <&[f64; N]>::try_from(point) else {
            values.fill(f64::NAN);
            return;
        };
        let total = |orders: &Orders| orders.iter().map(|order| usize::from(*order)).sum();
        let order = orders.iter().map(total).max().unwrap_or(0).min(ORDER_MAX);
        let jet = self.0(std::array::from_fn(|i| Jet::variable(point[i], i, order)));
        for (value, orders) in values.iter_mut().zip(orders) {
            *value = jet.partial(*orders);
        }
    }
}
