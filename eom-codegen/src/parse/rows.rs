//! Rows of constraints and bounds of parameters.

use super::block::{docs, items};
use super::expression::{expression, right_side};
use super::indexed::names;
use super::tokens::{Parsed, Tokens, fault};
use crate::ast::{Bound, Expr, ExprKind, Family, Indexed, Relation, Row};
use crate::diagnostic::{Errors, Problem};
use proc_macro2::Delimiter;

/// `bound = expression ( "<" | "<=" | ">" | ">=" ) expression`
pub(super) fn bound(tokens: &mut Tokens<'_>) -> Parsed<Bound> {
    let lhs = expression(tokens)?;
    let Some(relation) = relation(tokens) else {
        return Err(if tokens.is_word("in") {
            tokens.unexpected("a bound")
        } else {
            tokens.expected("`<`, `<=`, `>` or `>=` in a bound")
        });
    };
    let rhs = expression(tokens)?;
    let here = tokens.here();
    if relation_follows(*tokens) {
        return Err(fault(here, &Problem::ComparisonChain));
    }
    Ok(Bound { lhs, relation, rhs })
}

fn relation_follows(mut tokens: Tokens<'_>) -> bool {
    relation(&mut tokens).is_some()
}

/// The sign of a comparison, if one stands here.
pub(super) fn relation(tokens: &mut Tokens<'_>) -> Option<Relation> {
    [
        ("<=", Relation::LessEqual),
        (">=", Relation::GreaterEqual),
        ("<", Relation::Less),
        (">", Relation::Greater),
    ]
    .into_iter()
    .find_map(|(sign, relation)| tokens.eat_sign(sign).map(|_| relation))
}

/// `"{" { { doc } indexed ":" row ";" } "}"`
pub(super) fn rows(
    tokens: &mut Tokens<'_>,
    word: &str,
    (into, indexed): (&mut Vec<Row>, &mut Vec<Indexed>),
    errors: &mut Errors,
) -> Parsed<()> {
    let (mut inside, _) = tokens.braces(&format!("`{word}`"))?;
    items(&mut inside, errors, starts_row, |tokens, errors| {
        let docs = docs(tokens, errors)?;
        refuse_friction(tokens)?;
        refuse_nameless(tokens)?;
        let names = names(tokens, "a row and `:`")?;
        tokens.sign(":", &format!("the name of the row `{}`", names.called()))?;
        let (lhs, rhs) = row(tokens)?;
        tokens.semicolon(&format!("row `{}`", names.called()), starts_row, errors)?;
        let written: Vec<&Expr> = rhs.iter().chain([&lhs]).collect();
        for (name, at) in names.each(tokens, &written)? {
            let rhs = rhs.as_ref().map(|rhs| at.of(rhs));
            into.push(Row { docs: docs.clone(), name, lhs: at.of(&lhs), rhs });
        }
        names.declare(Family::Rows, indexed);
        Ok(())
    });
    Ok(())
}

/// `friction rod = μ;` says nothing of what slips.
fn refuse_friction(tokens: &Tokens<'_>) -> Parsed<()> {
    let mut next = *tokens;
    if next.eat_word("friction").is_some()
        && let Some(row) = next.word()
    {
        return Err(fault(tokens.here(), &Problem::FrictionAmongRows { row }));
    }
    Ok(())
}

/// The longest row that a message repeats.
const SHOWN_MAX: usize = 60;

/// `ẋ*sin(θ) - ẏ*cos(θ) = 0;` is an equation without the name of its row.
fn refuse_nameless(tokens: &Tokens<'_>) -> Parsed<()> {
    let mut next = *tokens;
    if starts_row(tokens) {
        return Ok(());
    }
    let Ok((lhs, rhs)) = row(&mut next) else { return Ok(()) };
    let is_word = rhs.is_none() && matches!(lhs.kind, ExprKind::Name(_));
    if is_word || !(next.is_sign(";") || next.at_end()) {
        return Ok(());
    }
    let sides: Vec<String> =
        [Some(&lhs), rhs.as_ref()].into_iter().flatten().map(Expr::to_text).collect();
    let text = sides.join(" = ");
    let row = if text.chars().count() > SHOWN_MAX { "…".to_owned() } else { text };
    Err(fault(tokens.here().to(next.behind()), &Problem::NoRowName { row }))
}

/// `row = expression [ "=" expression ]`
fn row(tokens: &mut Tokens<'_>) -> Parsed<(Expr, Option<Expr>)> {
    let lhs = expression(tokens)?;
    let rhs = if tokens.is_sign("=") { Some(right_side(tokens)?) } else { None };
    Ok((lhs, rhs))
}

fn starts_row(tokens: &Tokens<'_>) -> bool {
    let mut next = *tokens;
    if tokens.is_sign("#") {
        return true;
    }
    let named = next.mention().is_some();
    next.eat_group(Delimiter::Bracket);
    named && next.is_sign(":")
}
