//! Instructions in Python, and integrands as functions.

use super::{Python, indented, list_of};
use crate::languages::forces::force;
use crate::languages::statements::{Dialect, IntegralLines, Within, called, constant};
use eom_symbolic::function::Spelling;
use eom_symbolic::{Function, Partial, SymbolId, SymbolKind};

/// Where a body stands.
pub(super) struct Place<'p> {
    pub(super) python: &'p Python<'p>,
    /// What parameters are attributes of.
    pub(super) owner: &'p str,
    /// The arguments of a declared function, which stand in `at`.
    pub(super) arguments: Option<&'p [SymbolId]>,
}

impl Dialect for Place<'_> {
    fn input(&self, symbol: SymbolId, _depth: usize) -> String {
        let arguments = self.arguments.unwrap_or_default();
        if let Some(index) = arguments.iter().position(|argument| *argument == symbol) {
            return format!("at[{index}]");
        }
        match self.python.derivation.model.pool.symbol_info(symbol).kind {
            SymbolKind::Time => "t".to_owned(),
            SymbolKind::Coordinate(index) => format!("q[{index}]"),
            SymbolKind::Velocity(index) => format!("v[{index}]"),
            SymbolKind::Input(index) => format!("u[{index}]"),
            SymbolKind::Acceleration(index) => format!("a[{index}]"),
            SymbolKind::Weight(index) => format!("weights[{index}]"),
            SymbolKind::Direction(index) => format!("direction[{index}]"),
            SymbolKind::Parameter(index) => {
                format!("{}.{}", self.owner, self.python.parameters[index])
            }
            _ => force(self.python.derivation, symbol).unwrap_or_else(|| "np.nan".to_owned()),
        }
    }

    fn bind(&self, name: &str, right: &str) -> String {
        format!("{name} = {right}")
    }

    /// NumPy has no fused product: the last bits are others.
    fn fused(&self, a: &str, b: &str, c: &str) -> String {
        format!("{a} * {b} + {c}")
    }

    fn inverse_or_zero(&self, a: &str) -> String {
        format!("_inverse_or_zero({a})")
    }

    fn sqrt(&self, a: &str) -> String {
        format!("np.sqrt({a})")
    }

    fn powi(&self, a: &str, n: i32) -> String {
        format!("_powi({a}, {n})")
    }

    fn powf(&self, a: &str, b: &str) -> String {
        format!("np.power({a}, {b})")
    }

    fn call(&self, function: Function, a: &str, b: &str) -> String {
        // Declared functions are lowered to an instruction of their own.
        function.description().map_or("np.nan".to_owned(), |description| {
            let name = match description.python {
                Spelling::Named => format!("np.{}", description.name),
                Spelling::Library(name) => format!("np.{name}"),
                Spelling::Own(name, _) => name.to_owned(),
            };
            called(function, &name, a, b)
        })
    }

    fn partials(
        &self,
        partials: &[Partial],
        point: &[String],
        names: &[String],
        _depth: usize,
    ) -> Vec<String> {
        let lists = &self.python.derivation.programs.functions;
        let Some(list) = lists.iter().position(|list| list.partials == partials) else {
            return names.iter().map(|name| self.bind(name, "np.nan")).collect();
        };
        let point = point.join(", ");
        vec![format!("[{}] = _partials_{list}({}, {point})", names.join(", "), self.owner)]
    }

    fn variable(&self, index: u32, depth: usize) -> String {
        if index == 0 { format!("s{depth}") } else { format!("n{depth}[{}]", index - 1) }
    }

    fn captured(&self, _index: u32, outer: &str) -> String {
        outer.to_owned()
    }

    fn integral(&self, integral: &IntegralLines<'_>) -> Vec<String> {
        let IntegralLines { name, ends: [low, high], integrand, depth, .. } = integral;
        let depth = depth + 1;
        let mut lines = vec![within(&format!("{name}_f"), integrand, depth)];
        let mut kinks = Vec::new();
        for (index, kink) in integral.kinks.iter().enumerate() {
            let w = format!("{name}_w{index}");
            lines.push(within(&w, kink, depth));
            let (components, nested) = (kink.body.outputs.len(), kink.nested);
            kinks.push(format!("_kink({low}, {high}, {components}, {nested}, {w})"));
        }
        let count = integral.integral.integrand.outputs.len();
        let (tolerance, kinks) = (constant(integral.integral.tolerance()), list_of(&kinks));
        lines.push(format!(
            "{name} = _integrate({low}, {high}, {tolerance}, {kinks}, {name}_f, {count})"
        ));
        lines
    }
}

/// An integrand as a function.
fn within(name: &str, within: &Within, depth: usize) -> String {
    let mut lines = vec![format!("def {name}(s{depth}, *n{depth}):")];
    lines.extend(within.body.lines.iter().map(|line| indented(line, 4)));
    lines.push(format!("    return {}", list_of(&within.body.outputs)));
    lines.join("\n")
}
