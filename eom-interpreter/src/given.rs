//! A function of a declaration that is given at run time as a formula.

use eom_codegen::diagnostic::Diagnostic;
use eom_codegen::formula_source;
use eom_core::function::Orders;
use eom_core::{Smooth, SmoothFunction};
use eom_symbolic::formula::Formula;

/// The interpreter of the partials of a formula.
#[derive(Debug)]
struct Given(Formula);

impl Smooth for Given {
    fn arity(&self) -> usize {
        self.0.arity()
    }

    fn partials(&self, point: &[f64], orders: &[Orders], values: &mut [f64]) {
        self.0.partials(point, orders, values);
    }
}

/// The function that a formula is of its arguments; parameters are numbers in it.
///
/// # Errors
/// What is wrong with the formula.
pub fn function(
    formula: &str,
    arguments: &[&str],
    parameters: &[(String, f64)],
) -> Result<SmoothFunction, Vec<Diagnostic>> {
    formula_source(formula, arguments, parameters).map(|known| SmoothFunction::new(Given(known)))
}
