//! The degree of an expression that is homogeneous in some of its symbols, read off its terms.

use crate::node::{ExprId, SymbolId, View};
use crate::pool::ExprPool;

impl ExprPool {
    /// n where e(s·x) = sⁿ e(x) for s > 0 and the symbols x, as its sums and products show it; `None`
    /// where they do not, which does not mean that there is none.
    pub(crate) fn degree(&self, expr: ExprId, symbols: &[SymbolId]) -> Option<i64> {
        let mask = symbols.iter().fold(0, |mask, symbol| mask | Self::symbol_mask(*symbol));
        // What is free of the symbols keeps 0.
        let mut degrees = vec![0_i64; expr.index() + 1];
        for id in self.postorder(&[expr], mask) {
            let degree = |e: ExprId| degrees[e.index()];
            let own = match self.view(id) {
                View::Number(_) | View::Undefined => 0,
                View::Symbol(symbol) => i64::from(symbols.contains(&symbol)),
                View::Sum(terms) => {
                    let mut of_terms = terms.iter().map(|(_, e)| degree(*e));
                    let first = of_terms.next()?;
                    if of_terms.any(|other| other != first) {
                        return None;
                    }
                    first
                }
                View::Product { factors, .. } => {
                    let mut sum = 0_i64;
                    for (base, exponent) in factors {
                        let power = match (degree(*base), self.as_number(*exponent)) {
                            (0, _) if degree(*exponent) == 0 => 0,
                            (base, Some(n)) => base.checked_mul(n.as_integer()?)?,
                            _ => return None,
                        };
                        sum = sum.checked_add(power)?;
                    }
                    sum
                }
                // A function of what is of degree 0 is.
                View::Call(_, arguments) if arguments.iter().all(|a| degree(*a) == 0) => 0,
                View::Call(..) | View::Integral { .. } => return None,
            };
            degrees[id.index()] = own;
        }
        Some(degrees[expr.index()])
    }
}
