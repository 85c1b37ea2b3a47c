//! What stands between two members, as equations of the language.
//!
//! ```text
//! a < b              sign(b − a) = 1
//! a ∈ [b, c]         b ≤ a, a ≤ c
//! a ∈ ker B          B a = 0
//! a ↦ b              a after the impact = b
//! ker B ⊆ ker A      A = A Bᵀ(B Bᵀ)⁻¹B: the rows of A are sums of those of B
//! ```

use super::fault::{Fault, Read};
use super::forms;
use super::reader::Reader;
use crate::ast::{Equation, Expr, ExprKind, Factor, Region, Term};
use eom_symbolic::tex::{Node, NodeKind, Relation};

/// The equations that a link states.
pub(super) fn equations(
    left: &Node,
    relation: Relation,
    right: &Node,
    reader: &mut Reader<'_>,
) -> Read<Vec<Equation>> {
    match relation {
        Relation::In => member(left, right, reader),
        Relation::Within => within(left, right, reader),
        Relation::Maps => {
            let (lhs, rhs) = (reader.expr(left)?, reader.expr(right)?);
            let region = lhs.region;
            Ok(vec![Equation { lhs: forms::called("plus", vec![lhs], region), rhs }])
        }
        Relation::Near => {
            let NodeKind::Number(digits) = &right.kind else {
                let what = "what is nearly so has a number on its right side";
                let help = "write `\\approx 0.98` with the digits that are known";
                return Err(Fault::unexplained(right.at.clone(), what, help));
            };
            Ok(vec![near(reader.expr(left)?, reader.expr(right)?, digits)])
        }
        _ => Ok(vec![related(reader.expr(left)?, relation, reader.expr(right)?)]),
    }
}

/// a ∈ S for a kernel or an interval.
fn member(left: &Node, right: &Node, reader: &mut Reader<'_>) -> Read<Vec<Equation>> {
    let relation = match &right.kind {
        NodeKind::Kernel(of) => {
            let (matrix, value) = (reader.expr(of)?, reader.expr(left)?);
            let rhs = Expr::whole_number(0, value.region);
            let lhs = product(vec![matrix, value], rhs.region);
            return Ok(vec![Equation { lhs, rhs }]);
        }
        NodeKind::Bracket(_) => Relation::LessEqual,
        NodeKind::Vector(_) => Relation::Less,
        _ => return Err(unknown_set(right)),
    };
    let (NodeKind::Bracket(ends) | NodeKind::Vector(ends)) = &right.kind else {
        return Err(unknown_set(right));
    };
    let [first, last] = ends.as_slice() else { return Err(unknown_set(right)) };
    let value = reader.expr(left)?;
    Ok(vec![
        related(reader.expr(first)?, relation, value.clone()),
        related(value, relation, reader.expr(last)?),
    ])
}

/// ker B ⊆ ker A.
fn within(left: &Node, right: &Node, reader: &mut Reader<'_>) -> Read<Vec<Equation>> {
    let (NodeKind::Kernel(b), NodeKind::Kernel(a)) = (&left.kind, &right.kind) else {
        return Err(unknown_set(right));
    };
    let (a, b) = (reader.expr(a)?, reader.expr(b)?);
    let region = a.region;
    let turned = forms::called("transpose", vec![b.clone()], region);
    let gram = product(vec![b.clone(), turned.clone()], region);
    let inverse = forms::called("inverse", vec![gram], region);
    Ok(vec![Equation { lhs: a.clone(), rhs: product(vec![a, turned, inverse, b], region) }])
}

fn unknown_set(node: &Node) -> Fault {
    let what = "of sets, kernels and intervals are decided";
    let help = "where it says what a letter ranges over, write `notation { given r\"…\"; }`";
    Fault::unexplained(node.at.clone(), what, help)
}

fn product(factors: Vec<Expr>, region: Region) -> Expr {
    let factors = factors.into_iter().map(|expr| Factor { divides: false, expr }).collect();
    Expr { kind: ExprKind::Product(factors), region }
}

/// The sign of a relation in LaTeX.
pub(super) fn sign(relation: Relation) -> &'static str {
    match relation {
        Relation::Equal => "=",
        Relation::Less => "<",
        Relation::LessEqual => r"\leq",
        Relation::Greater => ">",
        Relation::GreaterEqual => r"\geq",
        Relation::Near => r"\approx",
        Relation::In => r"\in",
        Relation::Within => r"\subseteq",
        Relation::Maps => r"\mapsto",
    }
}

/// A relation as an equation: a < b is sign(b − a) = 1, a ≤ b is |b − a| = b − a.
fn related(lhs: Expr, relation: Relation, rhs: Expr) -> Equation {
    let (small, large) = match relation {
        Relation::Equal | Relation::Near | Relation::In | Relation::Within | Relation::Maps => {
            return Equation { lhs, rhs };
        }
        Relation::Less | Relation::LessEqual => (lhs, rhs),
        Relation::Greater | Relation::GreaterEqual => (rhs, lhs),
    };
    let region = small.region.to(large.region);
    let terms = vec![Term { minus: false, expr: large }, Term { minus: true, expr: small }];
    let difference = Expr { kind: ExprKind::Sum(terms), region };
    let strict = matches!(relation, Relation::Less | Relation::Greater);
    let function = if strict { "sign" } else { "abs" };
    let lhs = forms::called(function, vec![difference.clone()], region);
    Equation { lhs, rhs: if strict { Expr::whole_number(1, region) } else { difference } }
}

/// a ≈ 0.98: |a − 0.98| ≤ 0.005, half a unit of the last digit.
fn near(lhs: Expr, rhs: Expr, digits: &str) -> Equation {
    let region = lhs.region.to(rhs.region);
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let unit = format!("0.{}5", "0".repeat(decimals));
    let half = Expr { kind: forms::number(&unit), region };
    let terms = vec![Term { minus: false, expr: lhs }, Term { minus: true, expr: rhs }];
    let difference = Expr { kind: ExprKind::Sum(terms), region };
    let size = forms::called("abs", vec![difference], region);
    related(size, Relation::LessEqual, half)
}
