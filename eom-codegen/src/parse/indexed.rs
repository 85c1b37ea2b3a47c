//! Names with indices: `θ[1..=6]`, `x[i in 1..=6]`, `x[0]` stand for plain names, read here once.

use super::expression::{expression, index, range_from};
use super::tokens::{Parsed, Tokens, fault};
use crate::ast::{Assignment, Expr, ExprKind, Family, Ident, Indexed, RangeMistake};
use crate::diagnostic::{Errors, Problem};
use proc_macro2::Delimiter;

/// A name as it was read: plain, or the elements of an array.
pub(super) enum Names {
    Plain(Ident),
    Indexed { name: Ident, index: Option<Ident>, values: Vec<i64> },
}

impl Names {
    /// Each plain name, with the value of expressions at its index; refused where these are too many.
    pub(super) fn each(
        &self,
        tokens: &Tokens<'_>,
        values: &[&Expr],
    ) -> Parsed<Vec<(Ident, At<'_>)>> {
        match self {
            Self::Plain(name) => Ok(vec![(name.clone(), At(None))]),
            Self::Indexed { name, index, values: numbers } => {
                let size = values.iter().map(|value| value.size()).sum::<usize>() + 1;
                tokens.unroll(size.saturating_mul(numbers.len()), name.region)?;
                let at = |&k| (name.element(k), At(index.as_ref().zip(Some(k))));
                Ok(numbers.iter().map(at).collect())
            }
        }
    }

    /// Each plain name, with the value of the index.
    pub(super) fn elements(&self) -> Vec<(Ident, i64)> {
        match self {
            Self::Plain(name) => vec![(name.clone(), 0)],
            Self::Indexed { name, values, .. } => {
                values.iter().map(|&k| (name.element(k), k)).collect()
            }
        }
    }

    /// The name without its index, for messages.
    pub(super) fn called(&self) -> String {
        match self {
            Self::Plain(name) | Self::Indexed { name, .. } => name.text.clone(),
        }
    }

    /// Keeps the array that is declared.
    pub(super) fn declare(self, family: Family, into: &mut Vec<Indexed>) {
        if let Self::Indexed { name, index, values } = self {
            into.push(Indexed { name, index, values, family });
        }
    }
}

/// An index with its value, if there is one.
pub(super) struct At<'i>(Option<(&'i Ident, i64)>);

impl At<'_> {
    /// The expression at this value of the index.
    pub(super) fn of(&self, expr: &Expr) -> Expr {
        match self.0 {
            Some((index, value)) => expr.at_index(index, value),
            None => expr.clone(),
        }
    }
}

/// `indexed = name [ "[" ( expression | [ name "in" ] range ) "]" ]`
pub(super) fn names(tokens: &mut Tokens<'_>, what: &str) -> Parsed<Names> {
    let name = tokens.name(what)?;
    let Some((mut inside, region)) = tokens.eat_group(Delimiter::Bracket) else {
        return Ok(Names::Plain(name));
    };
    let index = index(&mut inside)?;
    let first = expression(&mut inside)?;
    if inside.is_sign("=") && matches!(first.kind, ExprKind::Name(_)) {
        let what = format!("`in` after the index `{}`", first.to_text());
        return Err(inside.expected(what));
    }
    let values = if index.is_none() && inside.at_end() {
        first.whole().map(|k| k..=k).ok_or(RangeMistake::NotWhole(first.region))
    } else {
        range_from(first, &mut inside)?.numbers()
    };
    if !inside.at_end() {
        return Err(inside.unexpected("`]`"));
    }
    let wrong = |problem: &Problem| fault(region, problem);
    let values: Vec<i64> = match values {
        Ok(values) if *values.start() < 0 => return Err(wrong(&Problem::NegativeIndex)),
        Ok(values) => values.collect(),
        Err(RangeMistake::NotWhole(at)) => return Err(fault(at, &Problem::NotWhole)),
        Err(RangeMistake::Empty) => return Err(wrong(&Problem::EmptyRange)),
        Err(RangeMistake::Long { limit }) => return Err(wrong(&Problem::LongRange { limit })),
    };
    Ok(Names::Indexed { name, index, values })
}

/// `name [ "[" expression "]" ]`: one plain name.
pub(super) fn element(tokens: &mut Tokens<'_>, what: &str) -> Parsed<Ident> {
    let start = tokens.here();
    let names = names(tokens, what)?;
    let region = start.to(tokens.behind());
    match &names.elements()[..] {
        [(name, _)] => Ok(Ident { region, ..name.clone() }),
        _ => Err(fault(region, &Problem::NotWhole)),
    }
}

/// `indexed "{" … "}"`: the block behind a name, read once for each value of its index.
pub(super) fn blocks(
    tokens: &mut Tokens<'_>,
    (what, article): (&str, &str),
    errors: &mut Errors,
    mut one: impl FnMut(Tokens<'_>, Ident, &mut Errors),
) -> Parsed<Names> {
    let mut start = *tokens;
    let names = names(tokens, &format!("{article} {what}"))?;
    let (inside, _) = tokens.braces(&format!("{what} `{}`", names.called()))?;
    let mut index = None;
    if let Names::Indexed { name, index: Some(_), values } = &names {
        inside.unroll(inside.size().saturating_mul(values.len()), name.region)?;
        start.skip();
        index = start.eat_group(Delimiter::Bracket).map(|(bracket, _)| bracket.cursor());
    }
    let before = errors.len();
    for (name, value) in names.elements() {
        one(inside.at_index(index, value), name, errors);
        if errors.len() > before {
            // Another time the same mistakes would be found.
            break;
        }
    }
    Ok(names)
}

/// `assignment = indexed "=" expression`, and what it is called; one of an index is as many as it
/// has values.
pub(super) fn assignment(tokens: &mut Tokens<'_>, what: &str) -> Parsed<(Vec<Assignment>, String)> {
    let targets = names(tokens, what)?;
    let called = format!("`{}`", targets.called());
    let start = *tokens;
    if let Some((inside, region)) = tokens.eat_group(Delimiter::Parenthesis) {
        let (name, at) = (targets.called(), inside.found_all());
        return Err(fault(start.behind().to(region), &Problem::ValueAt { name, at }));
    }
    tokens.sign("=", &called)?;
    let value = expression(tokens)?;
    let each = targets.each(tokens, &[&value])?.into_iter();
    Ok((each.map(|(target, at)| Assignment { target, value: at.of(&value) }).collect(), called))
}
