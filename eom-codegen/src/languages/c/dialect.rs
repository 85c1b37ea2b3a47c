//! Instructions in C, and integrands as functions.

use super::C;
use crate::languages::forces::force;
use crate::languages::interface::{Reads, sizes};
use crate::languages::statements::{Dialect, IntegralLines, Within, called, constant};
use eom_symbolic::function::Spelling;
use eom_symbolic::{Function, Partial, SymbolId, SymbolKind};
use std::cell::RefCell;

/// Where a body stands: what it calls t, q, v, u.
pub(super) struct Place<'c> {
    pub(super) c: &'c C<'c>,
    pub(super) reads: Reads,
    /// The arguments of a declared function, which stand in `q`.
    pub(super) arguments: Option<&'c [SymbolId]>,
    /// Functions that it needs above it, and how they are called.
    pub(super) above: RefCell<Vec<String>>,
    pub(super) name: String,
}

impl Dialect for Place<'_> {
    fn input(&self, symbol: SymbolId, depth: usize) -> String {
        let at = if depth > 0 { "frame->" } else { "" };
        if let Some(arguments) = self.arguments
            && let Some(index) = arguments.iter().position(|argument| *argument == symbol)
        {
            return format!("{at}q[{index}]");
        }
        match self.c.derivation.model.pool.symbol_info(symbol).kind {
            SymbolKind::Time => format!("{at}t"),
            SymbolKind::Coordinate(index) => format!("{at}q[{index}]"),
            SymbolKind::Velocity(index) => format!("{at}v[{index}]"),
            SymbolKind::Input(index) => format!("{at}u[{index}]"),
            SymbolKind::Acceleration(index) => format!("a[{index}]"),
            SymbolKind::Weight(index) => format!("weights[{index}]"),
            SymbolKind::Direction(index) => format!("direction[{index}]"),
            SymbolKind::Parameter(index) => format!("{at}p->{}", self.c.parameters[index]),
            _ => force(self.c.derivation, symbol).unwrap_or_else(|| "NAN".to_owned()),
        }
    }

    fn bind(&self, name: &str, right: &str) -> String {
        format!("const double {name} = {right};")
    }

    fn fused(&self, a: &str, b: &str, c: &str) -> String {
        format!("fma({a}, {b}, {c})")
    }

    fn inverse_or_zero(&self, a: &str) -> String {
        format!("{}_inverse_or_zero({a})", self.c.prefix)
    }

    fn sqrt(&self, a: &str) -> String {
        format!("sqrt({a})")
    }

    fn powi(&self, a: &str, n: i32) -> String {
        format!("{}_powi({a}, {n})", self.c.prefix)
    }

    fn powf(&self, a: &str, b: &str) -> String {
        format!("pow({a}, {b})")
    }

    fn sin_cos(&self, angle: &str, sine: Option<&str>, cosine: Option<&str>) -> Vec<String> {
        let prefix = &self.c.prefix;
        match (sine, cosine) {
            (Some(sine), Some(cosine)) => vec![
                format!("double {sine}, {cosine};"),
                format!("{prefix}_sin_cos({angle}, &{sine}, &{cosine});"),
            ],
            (Some(name), None) => vec![self.bind(name, &format!("{prefix}_sin({angle})"))],
            (None, Some(name)) => vec![self.bind(name, &format!("{prefix}_cos({angle})"))],
            (None, None) => Vec::new(),
        }
    }

    fn call(&self, function: Function, a: &str, b: &str) -> String {
        // Declared functions are lowered to an instruction of their own.
        function.description().map_or("NAN".to_owned(), |description| {
            let name = match description.c {
                Spelling::Named => description.name.to_owned(),
                Spelling::Library(name) => name.to_owned(),
                Spelling::Own(name, _) => self.c.own(name),
            };
            called(function, &name, a, b)
        })
    }

    fn partials(
        &self,
        partials: &[Partial],
        point: &[String],
        names: &[String],
        depth: usize,
    ) -> Vec<String> {
        let lists = &self.c.derivation.programs.functions;
        let Some(list) = lists.iter().position(|list| list.partials == partials) else {
            return names.iter().map(|name| self.bind(name, "NAN")).collect();
        };
        let (first, p) = (&names[0], if depth > 0 { "frame->p" } else { "p" });
        let mut lines = vec![
            format!("const double {first}_at[{}] = {{{}}};", point.len(), point.join(", ")),
            format!("double {first}_values[{}];", names.len()),
            format!("{}_partials_{list}({p}, {first}_at, {first}_values);", self.c.prefix),
        ];
        let values = names.iter().enumerate();
        lines.extend(values.map(|(i, name)| self.bind(name, &format!("{first}_values[{i}]"))));
        lines
    }

    fn variable(&self, index: u32, _depth: usize) -> String {
        if index == 0 { "s".to_owned() } else { format!("nested[{}]", index - 1) }
    }

    fn captured(&self, index: u32, _outer: &str) -> String {
        format!("frame->captured[{index}]")
    }

    fn integral(&self, integral: &IntegralLines<'_>) -> Vec<String> {
        let (name, count) = (&integral.name, integral.integral.integrand.outputs.len());
        let prefix = &self.c.prefix;
        let kinks = integral.kinks.len();
        let [low, high] = &integral.ends;
        let mut lines = Vec::new();
        let f = self.integrand(&integral.integrand, name, integral.depth, &mut lines);
        lines.push(format!("{prefix}_kink {name}_kinks[{}] = {{{{0.0, -1.0}}}};", kinks.max(1)));
        for (index, kink) in integral.kinks.iter().enumerate() {
            let frame = format!("{name}_kink{index}");
            let w = self.integrand(kink, &frame, integral.depth, &mut lines);
            let (components, nested) = (kink.body.outputs.len(), kink.nested);
            lines.push(format!(
                "{name}_kinks[{index}] = {prefix}_kink_of({low}, {high}, {components}, {nested}, {w}, &{frame}_frame);"
            ));
        }
        let tolerance = constant(integral.integral.tolerance());
        lines.push(format!("double {name}[{count}], {name}_numbers[{}];", 6 * count));
        lines.push(format!(
            "{prefix}_integrate({low}, {high}, {tolerance}, {kinks}, {name}_kinks, {f}, &{name}_frame, {count}, {name}, {name}_numbers);"
        ));
        lines
    }
}

impl Place<'_> {
    /// Writes an integrand as a function above, its frame here; the name of the function.
    fn integrand(
        &self,
        within: &Within,
        name: &str,
        depth: usize,
        lines: &mut Vec<String>,
    ) -> String {
        let prefix = &self.c.prefix;
        let values =
            if within.captured.is_empty() { "0.0".to_owned() } else { within.captured.join(", ") };
        lines.push(format!(
            "const double {name}_captured[{}] = {{{values}}};",
            within.captured.len().max(1)
        ));
        let frame = if depth > 0 {
            "frame->p, frame->t, frame->q, frame->v, frame->u".to_owned()
        } else if self.arguments.is_some() {
            "p, 0.0, q, NULL, NULL".to_owned()
        } else {
            let v = if self.reads >= Reads::State { "v" } else { "NULL" };
            let inputs = self.reads >= Reads::All && sizes(self.c.derivation).r > 0;
            format!("p, t, q, {v}, {}", if inputs { "u" } else { "NULL" })
        };
        lines.push(format!("const {prefix}_frame {name}_frame = {{{frame}, {name}_captured}};"));
        let mut above = self.above.borrow_mut();
        let function = format!("{prefix}_{}_{}", self.name, above.len());
        let mut text: Vec<String> = vec![
            format!(
                "static inline void {function}(const void *data, double s, const double *nested, double *out)\n{{"
            ),
            format!("    const {prefix}_frame *frame = (const {prefix}_frame *)data;"),
            "    (void)frame;\n    (void)s;\n    (void)nested;".to_owned(),
        ];
        text.extend(within.body.lines.iter().map(|line| format!("    {line}")));
        let outputs = within.body.outputs.iter().enumerate();
        text.extend(outputs.map(|(i, output)| format!("    out[{i}] = {output};")));
        text.push("}".to_owned());
        above.push(text.join("\n"));
        function
    }
}
