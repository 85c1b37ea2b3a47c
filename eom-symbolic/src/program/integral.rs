//! Integrals of a program: a vector-valued integrand between two values.

use super::{Program, Value};
use crate::node::{Partial, SymbolId};
use eom_quadrature::{Kink, SCRATCH_ROWS, TOLERANCE, integrate_into};

/// Integrals of one variable between the same ends, evaluated together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Integral {
    /// The name of the variable.
    pub variable: String,
    /// The lower end.
    pub lower: Value,
    /// The upper end.
    pub upper: Value,
    /// How many integrals stand around it: within another one it is ten times as sharp.
    pub nesting: usize,
    /// Values of the program around it that the integrand reads.
    pub captured: Vec<Value>,
    /// The integrand, one output a component.
    pub integrand: Program,
    /// Where it may not be smooth.
    pub kinks: Vec<KinkForm>,
}

/// A form w, affine in the variable: the integrand is not smooth near the least ‖w‖.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KinkForm {
    /// On how many variables of integrals within it depends, too.
    pub nested: usize,
    /// Values of the program around the integral that it reads.
    pub captured: Vec<Value>,
    /// w, one output a component; variable 0 is that of the integral.
    pub components: Program,
}

/// What symbols and partials of declared functions are worth.
pub(super) type Symbols<'s> = &'s dyn Fn(SymbolId) -> f64;
/// See [`Symbols`].
pub(super) type Partials<'s> = &'s dyn Fn(Partial, &[f64]) -> f64;

impl Integral {
    /// The relative tolerance: a tenth of that of the integral around it.
    pub fn tolerance(&self) -> f64 {
        (0..self.nesting).fold(TOLERANCE, |tolerance, _| 0.1 * tolerance)
    }

    /// Calls `visit` with each value of the program around it that it reads.
    pub fn for_operands(&self, mut visit: impl FnMut(Value)) {
        [self.lower, self.upper].into_iter().for_each(&mut visit);
        let kinks = self.kinks.iter().flat_map(|kink| &kink.captured);
        self.captured.iter().chain(kinks).for_each(|value| visit(*value));
    }

    /// The same on other values.
    pub(super) fn map(mut self, mut f: impl FnMut(Value) -> Value) -> Self {
        self.lower = f(self.lower);
        self.upper = f(self.upper);
        let kinks = self.kinks.iter_mut().flat_map(|kink| &mut kink.captured);
        self.captured.iter_mut().chain(kinks).for_each(|value| *value = f(*value));
        self
    }

    /// Its components, from the values of the program around it.
    pub(super) fn evaluate(
        &self,
        symbol: Symbols<'_>,
        partial: Partials<'_>,
        values: &[f64],
    ) -> Vec<f64> {
        let at = |value: &Value| values[value.index()];
        let (lower, upper) = (at(&self.lower), at(&self.upper));
        let mut room = Vec::new();
        let kinks: Vec<Option<Kink>> = self
            .kinks
            .iter()
            .map(|kink| {
                let captured: Vec<f64> = kink.captured.iter().map(at).collect();
                let form = |s: f64, nested: &[f64], out: &mut [f64]| {
                    let variables = [&[s], nested].concat();
                    let given = (&variables[..], &captured[..]);
                    kink.components.run_in(&mut room, symbol, partial, given, out);
                };
                Kink::of(lower, upper, kink.components.outputs.len(), kink.nested, form)
            })
            .collect();
        let captured: Vec<f64> = self.captured.iter().map(at).collect();
        let count = self.integrand.outputs.len();
        let (mut result, mut scratch) = (vec![0.0; count], vec![0.0; SCRATCH_ROWS * count]);
        let integrand = |s: f64, out: &mut [f64]| {
            self.integrand.run_in(&mut room, symbol, partial, (&[s], &captured), out);
        };
        let tolerance = self.tolerance();
        integrate_into(lower, upper, tolerance, &kinks, integrand, &mut result, &mut scratch);
        result
    }
}
