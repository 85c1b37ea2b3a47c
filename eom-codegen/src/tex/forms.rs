//! Pieces of expressions that are read from formulas, and walks over formulas.

use super::names::{Names, name};
use crate::ast::{Expr, ExprKind, Factor, Ident, Number, Region, Term};
use eom_symbolic::name::Name;
use eom_symbolic::tex::{Node, NodeKind, Symbol};

/// The words of a notation that make spaces and sets, with how many arguments each has.
const WORDS: [(&str, usize); 4] = [("span", 1), ("kernel", 1), ("space", 1), ("zeros", 2)];

/// Whether an expression makes a space or a set, and is no number.
pub(super) fn is_set(value: &Expr) -> bool {
    matches!(&value.kind, ExprKind::Call { function, arguments }
        if WORDS.contains(&(function.text.as_str(), arguments.len())))
}

/// Visits every symbol of a formula.
pub(super) fn for_symbols(node: &Node, visit: &mut impl FnMut(&Symbol)) {
    if let NodeKind::Symbol(symbol) | NodeKind::Applied(symbol, _) = &node.kind {
        visit(symbol);
    }
    for part in parts(node) {
        for_symbols(part, visit);
    }
}

/// Whether something holds of a formula or of one within.
pub(super) fn any(node: &Node, holds: &impl Fn(&Node) -> bool) -> bool {
    holds(node) || parts(node).into_iter().any(|part| any(part, holds))
}

/// What a formula is made of.
pub(super) fn parts(node: &Node) -> Vec<&Node> {
    match &node.kind {
        NodeKind::Number(_) | NodeKind::Symbol(_) | NodeKind::Phrase(_) | NodeKind::Leaders => {
            Vec::new()
        }
        NodeKind::Applied(_, list)
        | NodeKind::Call(_, list)
        | NodeKind::Vector(list)
        | NodeKind::Bracket(list)
        | NodeKind::DirectSum(list)
        | NodeKind::Meet(list)
        | NodeKind::Argument { factors: list, .. } => list.iter().collect(),
        NodeKind::Sum(terms) | NodeKind::Product(terms) => {
            terms.iter().map(|(_, node)| node).collect()
        }
        NodeKind::Neg(of)
        | NodeKind::Root(of)
        | NodeKind::Bars(of)
        | NodeKind::Rate(of, _)
        | NodeKind::Transposed(of)
        | NodeKind::Kernel(of)
        | NodeKind::OneSided { of, .. }
        | NodeKind::Region { of, .. } => vec![of],
        NodeKind::Dot(left, right)
        | NodeKind::Cross(left, right)
        | NodeKind::Arrow(left, right)
        | NodeKind::Power(left, right) => {
            vec![left, right]
        }
        NodeKind::Matrix(rows) => rows.iter().flatten().collect(),
        NodeKind::Cases(branches) => branches.iter().map(|(node, _)| node).collect(),
        NodeKind::Partial(of, by) => std::iter::once(&**of).chain(by).collect(),
        NodeKind::Integral { of, ends, .. }
        | NodeKind::Total { of, ends, .. }
        | NodeKind::Between(of, ends) => {
            vec![of, &ends.0, &ends.1]
        }
    }
}

/// A component of a value: arrays within are taken apart, since a motion is stated by coordinates.
pub(super) fn component(value: &Expr, index: usize) -> Expr {
    let at = |expr: &Expr| component(expr, index);
    let kind = match &value.kind {
        ExprKind::Array(entries) => {
            return index.checked_sub(1).and_then(|i| entries.get(i)).unwrap_or(value).clone();
        }
        ExprKind::Neg(of) => ExprKind::Neg(Box::new(at(of))),
        ExprKind::Sum(terms) => ExprKind::Sum(
            terms.iter().map(|term| Term { minus: term.minus, expr: at(&term.expr) }).collect(),
        ),
        ExprKind::Product(factors) => ExprKind::Product(
            factors
                .iter()
                .map(|factor| Factor { divides: factor.divides, expr: at(&factor.expr) })
                .collect(),
        ),
        other => other.clone(),
    };
    Expr { kind, region: value.region }
}

/// A value with time derivatives: dots on a declared name, else the function.
pub(super) fn rated(names: &Names<'_>, value: Expr, dots: u8, region: Region) -> Expr {
    if dots == 0 {
        return value;
    }
    if let ExprKind::Name(ident) = &value.kind {
        let plain = ident.name();
        if plain.side == eom_symbolic::name::Side::None && names.declares(&plain) {
            let dotted = Name { dots: plain.dots.saturating_add(dots), ..plain };
            return name(&dotted.unicode(), region);
        }
    }
    (0..dots).fold(value, |value, _| called("rate", vec![value], region))
}

pub(super) fn called(function: &str, arguments: Vec<Expr>, region: Region) -> Expr {
    let function = Ident { text: function.to_owned(), region };
    Expr { kind: ExprKind::Call { function, arguments }, region }
}

pub(super) fn product(factors: Vec<Expr>, region: Region) -> Expr {
    let factors = factors.into_iter().map(|expr| Factor { divides: false, expr }).collect();
    Expr { kind: ExprKind::Product(factors), region }
}

pub(super) fn transposed(matrix: Expr) -> Expr {
    let region = matrix.region;
    called("transpose", vec![matrix], region)
}

pub(super) fn inverse_of(matrix: Expr) -> Expr {
    let region = matrix.region;
    called("inverse", vec![matrix], region)
}

/// A decimal number, exact.
pub(super) fn number(text: &str) -> ExprKind {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let all = format!("{whole}{fraction}");
    let digits = all.trim_start_matches('0');
    let exponent = i32::try_from(fraction.len()).map_or(0, |length| -length);
    let (digits, exponent) = if digits.is_empty() { ("0", 0) } else { (digits, exponent) };
    ExprKind::Number(Number { text: text.to_owned(), digits: digits.to_owned(), exponent })
}
