//! What stands between two members, as equations of the language.
//!
//! ```text
//! a < b              sign(b − a) = 1
//! a ∈ [b, c]         b ≤ a, a ≤ c
//! a ↦ b              a after the impact = b
//! a = const          rate(a) = 0
//! ```
//!
//! Of spaces and sets `spaces.rs` tells what they say.

use super::fault::{Fault, Read};
use super::forms;
use super::reader::Reader;
use crate::ast::{Equation, Expr, ExprKind, Term};
use eom_symbolic::tex::{Node, NodeKind, Relation};

/// The right side of a sum that is conserved, in each of its spellings.
const CONSTANT: &str = r"\mathrm{const}";

/// The equations that a link states.
pub(super) fn equations(
    left: &Node,
    relation: Relation,
    right: &Node,
    reader: &mut Reader<'_>,
) -> Read<Vec<Equation>> {
    match relation {
        Relation::In => member(left, right, reader),
        Relation::NotIn => reader.not_in(left, right),
        Relation::Within => reader.within(left, right),
        Relation::Orthogonal => reader.orthogonal(left, right),
        Relation::Takes => reader.takes(left, right),
        Relation::Maps => {
            let (lhs, rhs) = (reader.expr(left)?, reader.expr(right)?);
            let region = lhs.region;
            Ok(vec![Equation { lhs: forms::called("plus", vec![lhs], region), rhs }])
        }
        Relation::Equal => match reader.equal_spaces(left, right)? {
            Some(equations) => Ok(equations),
            None => Ok(vec![equal(reader.expr(left)?, right, reader)?]),
        },
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

/// a = b; a is conserved where b is `\mathrm{const}`, and no notation says what that is.
fn equal(lhs: Expr, right: &Node, reader: &mut Reader<'_>) -> Read<Equation> {
    match reader.expr(right) {
        Err(_) if matches!(&right.kind, NodeKind::Symbol(symbol) if symbol.letter == CONSTANT) => {
            let region = lhs.region;
            let lhs = forms::called("rate", vec![lhs], region);
            Ok(Equation { lhs, rhs: Expr::whole_number(0, region) })
        }
        rhs => Ok(Equation { lhs, rhs: rhs? }),
    }
}

/// v ↦ a under f: f v = a.
pub(super) fn mapped(
    map: &Node,
    left: &Node,
    right: &Node,
    reader: &mut Reader<'_>,
) -> Read<Vec<Equation>> {
    let (map, value) = (reader.expr(map)?, reader.expr(left)?);
    let region = value.region;
    Ok(vec![Equation { lhs: forms::product(vec![map, value], region), rhs: reader.expr(right)? }])
}

/// a ∈ S for an interval, a subspace or a set.
fn member(left: &Node, right: &Node, reader: &mut Reader<'_>) -> Read<Vec<Equation>> {
    let relation = match &right.kind {
        NodeKind::Bracket(_) => Relation::LessEqual,
        NodeKind::Vector(_) => Relation::Less,
        _ => return reader.in_space(left, right),
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

pub(super) fn unknown_set(node: &Node) -> Fault {
    let what = "it is no set that the notation explains";
    let help = "explain it by `kernel(…)`, `span(…)`, `space(n)` or `zeros([x, y], …)`; where it says what a letter ranges \
        over, write `notation { given r\"…\"; }`";
    Fault::unexplained(node.at.clone(), what, help)
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
        Relation::NotIn => r"\notin",
        Relation::Within => r"\subseteq",
        Relation::Orthogonal => r"\perp",
        Relation::Takes => ":",
        Relation::Maps => r"\mapsto",
    }
}

/// A relation as an equation: a < b is sign(b − a) = 1, a ≤ b is |b − a| = b − a.
fn related(lhs: Expr, relation: Relation, rhs: Expr) -> Equation {
    let (small, large) = match relation {
        Relation::Less | Relation::LessEqual => (lhs, rhs),
        Relation::Greater | Relation::GreaterEqual => (rhs, lhs),
        _ => return Equation { lhs, rhs },
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
