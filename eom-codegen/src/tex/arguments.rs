//! Brackets behind a symbol: the arguments of a function, or a factor.

use super::fault::{Fault, Read};
use super::forms::{for_symbols, product, rated};
use super::reader::Reader;
use crate::ast::{Expr, ExprKind, Region};
use crate::diagnostic::Problem;
use eom_symbolic::tex::{Key, MistakeKind, Node, NodeKind, Symbol};
use std::ops::Range;

impl Reader<'_> {
    /// A symbol with brackets behind it: what the notation or the declaration makes of it, or a product, by its two factors.
    pub(super) fn applied(
        &mut self,
        symbol: &Symbol,
        arguments: &[Node],
        node: &Node,
    ) -> Read<(Option<Expr>, Expr)> {
        let symbol = self.sided(&self.indexed(symbol));
        let spelled = Node::arguments(arguments, self.text);
        if let Some(value) = self.meant(&Key::Applied(symbol.clone(), spelled.clone())) {
            return Ok((None, value.clone()));
        }
        let region = self.region(node);
        let undotted = Key::Applied(symbol.undotted(), spelled.clone());
        if symbol.dots > 0
            && let Some(value) = self.meant(&undotted)
        {
            return Ok((None, rated(self.names, value.clone(), symbol.dots, region)));
        }
        let left = self.symbol(&symbol, node)?;
        if let ExprKind::Name(function) = &left.kind
            && (self.names.is_function(&function.text) || self.names.partial(&symbol).is_some())
        {
            let function = function.text.clone();
            let kind = self.call(&function, arguments, region)?;
            return Ok((None, Expr { kind, region }));
        }
        let varies = symbol.letter != "t" && !self.names.is_constant(&left);
        if varies && spelled == "t" {
            return Ok((None, left));
        }
        if is_moment(&spelled)
            || varies && arguments.iter().any(|one| is_place(one) || holds_t(one))
        {
            let problem = Problem::Arguments { printed: self.printed(node) };
            return Err(Fault { at: node.at.clone(), problem });
        }
        let right = match arguments {
            [one] => self.expr(one)?,
            several => Expr { kind: self.array(several)?, region },
        };
        Ok((Some(left), right))
    }

    /// The argument of a function without brackets, a product of constants and what they stand before.
    pub(super) fn argument(
        &mut self,
        function: &str,
        factors: &[Node],
        more: bool,
        node: &Node,
    ) -> Read<ExprKind> {
        let values = factors.iter().map(|factor| self.expr(factor)).collect::<Read<Vec<_>>>()?;
        let is_t = |node: &Node| matches!(&node.kind, NodeKind::Symbol(s) if s.letter == "t");
        let before_t = factors.last().is_some_and(is_t);
        let is_factor = |(value, node): (&Expr, &Node)| {
            self.names.is_constant(value) || before_t && is_frequency(node)
        };
        let mut are_factors: Vec<bool> = values.iter().zip(factors).map(is_factor).collect();
        let ends = !more || are_factors.last() == Some(&false);
        are_factors.pop();
        if ends && are_factors.iter().all(|is_factor| *is_factor) {
            return Ok(product(values, self.region(node)).kind);
        }
        let kind = MistakeKind::Argument(function.to_owned());
        let problem = Problem::Tex { kind, found: self.printed(node) };
        Err(Fault { at: node.at.clone(), problem })
    }

    /// `f(x)^2` of a function is the square of its value, `m(x + w)^2` a product with a square.
    pub(super) fn power(&mut self, base: &Node, exponent: &Node, region: Region) -> Read<ExprKind> {
        let (factor, base) = match &base.kind {
            NodeKind::Applied(symbol, arguments) => self.applied(symbol, arguments, base)?,
            _ => (None, self.expr(base)?),
        };
        let exponent = Box::new(self.expr(exponent)?);
        let power = ExprKind::Pow { base: Box::new(base), exponent };
        Ok(match factor {
            None => power,
            Some(factor) => product(vec![factor, Expr { kind: power, region }], region).kind,
        })
    }

    /// `f^2(x)`, `\frac{\partial f}{\partial x}(x)` of a declared function: the brackets are no factor.
    pub(super) fn check_arguments(&self, factors: &[(bool, Node)]) -> Read<()> {
        let text = |at: Range<usize>| self.text.get(at).unwrap_or_default();
        for pair in factors.windows(2) {
            let [(_, left), (_, right)] = pair else { continue };
            let of_function = match &left.kind {
                NodeKind::Power(of, _) | NodeKind::Rate(of, _) | NodeKind::Partial(of, _) => {
                    self.is_function(of)
                }
                _ => false,
            };
            if of_function && text(right.at.clone()).starts_with('(') && is_place(right) {
                let at = left.at.start..right.at.end;
                let problem = Problem::Arguments { printed: text(at.clone()).to_owned() };
                return Err(Fault { at, problem });
            }
        }
        Ok(())
    }

    /// Whether a symbol is a declared function.
    fn is_function(&self, node: &Node) -> bool {
        let NodeKind::Symbol(symbol) = &node.kind else { return false };
        let declared = self.names.declared_name(symbol, None).ok().flatten();
        self.entry(&Key::Symbol(symbol.clone())).is_none()
            && declared.is_some_and(|name| self.names.is_function(&name))
    }
}

/// Whether brackets hold a moment.
fn is_moment(spelled: &str) -> bool {
    matches!(spelled, "t" | "0" | "∞" | "τ") || spelled.contains("max")
}

/// Whether the time is in a formula: `x(t - 1)` is no product.
fn holds_t(node: &Node) -> bool {
    let mut found = false;
    for_symbols(node, &mut |symbol| found |= symbol.letter == "t");
    found
}

/// ω and Ω before t: with it, they are an angle.
fn is_frequency(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Symbol(s) if s.dots == 0 && matches!(s.letter.as_str(), "ω" | "Ω"))
}

/// Whether brackets hold a place, `(x, 2)`, and no formula.
fn is_place(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Symbol(_) | NodeKind::Number(_) => true,
        NodeKind::Vector(entries) => entries.iter().all(is_place),
        _ => false,
    }
}
