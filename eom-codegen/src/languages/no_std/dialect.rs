//! Instructions in Rust, and integrands as closures.

use crate::languages::forces::force;
use crate::languages::statements::{Dialect, IntegralLines, Within, called, constant};
use crate::pipeline::Derivation;
use eom_quadrature::{COMPONENTS_MAX, NESTED_MAX};
use eom_symbolic::{Function, Partial, SymbolId, SymbolKind};

/// Where a body stands.
pub(super) struct Place<'n> {
    pub(super) derivation: &'n Derivation,
    /// Fields of the parameters.
    pub(super) parameters: &'n [String],
    /// What parameters are fields of.
    pub(super) owner: &'n str,
    /// The arguments of a declared function, which stand in `at`.
    pub(super) arguments: Option<&'n [SymbolId]>,
}

impl Dialect for Place<'_> {
    fn input(&self, symbol: SymbolId, _depth: usize) -> String {
        let arguments = self.arguments.unwrap_or_default();
        if let Some(index) = arguments.iter().position(|argument| *argument == symbol) {
            return format!("at[{index}]");
        }
        match self.derivation.model.pool.symbol_info(symbol).kind {
            SymbolKind::Time => "t".to_owned(),
            SymbolKind::Coordinate(index) => format!("q[{index}]"),
            SymbolKind::Velocity(index) => format!("v[{index}]"),
            SymbolKind::Input(index) => format!("u[{index}]"),
            SymbolKind::Acceleration(index) => format!("a[{index}]"),
            SymbolKind::Weight(index) => format!("weights[{index}]"),
            SymbolKind::Direction(index) => format!("direction[{index}]"),
            SymbolKind::Parameter(index) => {
                format!("{}.{}", self.owner, self.parameters[index])
            }
            _ => force(self.derivation, symbol).unwrap_or_else(|| "f64::NAN".to_owned()),
        }
    }

    fn bind(&self, name: &str, right: &str) -> String {
        format!("let {name}: f64 = {right};")
    }

    fn fused(&self, a: &str, b: &str, c: &str) -> String {
        format!("math::fused({a}, {b}, {c})")
    }

    fn inverse_or_zero(&self, a: &str) -> String {
        format!("if {a} == 0.0 {{ 0.0 }} else {{ 1.0 / {a} }}")
    }

    fn sqrt(&self, a: &str) -> String {
        format!("math::sqrt({a})")
    }

    fn powi(&self, a: &str, n: i32) -> String {
        format!("math::powi({a}, {n})")
    }

    fn powf(&self, a: &str, b: &str) -> String {
        format!("math::powf({a}, {b})")
    }

    fn sin_cos(&self, angle: &str, sine: Option<&str>, cosine: Option<&str>) -> Vec<String> {
        match (sine, cosine) {
            (Some(sine), Some(cosine)) => {
                vec![format!("let ({sine}, {cosine}): (f64, f64) = math::sin_cos({angle});")]
            }
            (Some(name), None) => vec![self.bind(name, &format!("math::sin({angle})"))],
            (None, Some(name)) => vec![self.bind(name, &format!("math::cos({angle})"))],
            (None, None) => Vec::new(),
        }
    }

    fn call(&self, function: Function, a: &str, b: &str) -> String {
        // Declared functions are lowered to an instruction of their own.
        match function.name() {
            "" => "f64::NAN".to_owned(),
            name => called(function, &format!("math::{name}"), a, b),
        }
    }

    fn partials(
        &self,
        partials: &[Partial],
        point: &[String],
        names: &[String],
        _depth: usize,
    ) -> Vec<String> {
        let lists = &self.derivation.programs.functions;
        let Some(list) = lists.iter().position(|list| list.partials == partials) else {
            return names.iter().map(|name| self.bind(name, "f64::NAN")).collect();
        };
        let (names, point) = (names.join(", "), point.join(", "));
        vec![format!("let [{names}] = partials_{list}({}, [{point}]);", self.owner)]
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
        let mut lines =
            vec![format!("let ({name}_low, {name}_high): (f64, f64) = ({low}, {high});")];
        let mut kinks = Vec::new();
        for (index, kink) in integral.kinks.iter().enumerate() {
            if kink.body.outputs.len() > COMPONENTS_MAX || kink.nested > NESTED_MAX {
                continue;
            }
            let w = format!("{name}_w{index}");
            let variables = format!("s{depth}: f64, n{depth}: [f64; {}]", kink.nested);
            lines.push(closure(&w, &variables, kink));
            kinks.push(format!("math::kink({name}_low, {name}_high, {w})"));
        }
        let count = integral.integral.integrand.outputs.len();
        let tolerance = constant(integral.integral.tolerance());
        lines.push(closure(&format!("{name}_f"), &format!("s{depth}: f64"), integrand));
        lines.push(format!(
            "let {name}: [f64; {count}] = math::integrate({name}_low, {name}_high, {tolerance}, &[{}], {name}_f);",
            kinks.join(", ")
        ));
        lines
    }
}

/// An integrand, or a form of its variable, as a closure.
fn closure(name: &str, variables: &str, within: &Within) -> String {
    let mut lines = vec![format!("let {name} = |{variables}| {{")];
    let body = within.body.lines.iter().flat_map(|line| line.split('\n'));
    lines.extend(body.map(|line| format!("    {line}")));
    lines.push(format!("    [{}]\n}};", within.body.outputs.join(", ")));
    lines.join("\n")
}
