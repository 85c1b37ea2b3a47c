//! Parameters that size arrays: `parameters { N = 4 } coordinates { x[i in 1..=N] }`.
//!
//! They are numbers of the declaration, found before it is read: whole numbers without a bound that stand in a range of
//! an array. Wherever one is written, its number is read, and it is no parameter that a run can change.

use super::tokens::{Size, normal};
use crate::ast::{Explained, Expr, Ident, Notation, NotationKey, System};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The sizes of a declaration.
pub(super) fn sizes(declaration: &TokenStream) -> Vec<Size> {
    let (mut given, mut ranged) = (Vec::new(), Vec::new());
    look(declaration, &mut given, &mut ranged);
    given.retain(|size: &Size| ranged.contains(&size.name));
    given
}

/// The number of a size is said once: it is no parameter, and a paper's symbol for it means the number.
pub(super) fn settle(system: &mut System, sizes: &[Size]) {
    let is_size = |ident: &Ident| sizes.iter().find(|size| size.name == ident.text);
    let explained = |system: &System, name: &str| {
        system.notation.iter().any(|entry| entry.within.is_none() && entry.key.text() == name)
    };
    let declared: Vec<(Ident, i64)> = system
        .parameters
        .iter()
        .filter_map(|parameter| Some((parameter.name.clone(), is_size(&parameter.name)?.value)))
        .collect();
    system.parameters.retain(|parameter| is_size(&parameter.name).is_none());
    for (name, value) in declared {
        if system.printed.is_empty() || explained(system, &name.text) {
            continue;
        }
        let value = Explained::Value(Expr::whole_number(value, name.region));
        let (docs, key) = (Vec::new(), NotationKey::Name(name));
        system.notation.push(Notation { within: None, docs, reading: false, key, value });
    }
}

/// Looks for whole numbers among the parameters, and for names in ranges.
fn look(tokens: &TokenStream, given: &mut Vec<Size>, ranged: &mut Vec<String>) {
    let mut before: Option<TokenTree> = None;
    // Brackets within brackets, without recursion of the parser: their depth has been looked at.
    for token in tokens.clone() {
        if let TokenTree::Group(group) = &token {
            match group.delimiter() {
                Delimiter::Brace if is_parameters(before.as_ref()) => numbers(group, given),
                Delimiter::Bracket => names(group, ranged),
                _ => {}
            }
            look(&group.stream(), given, ranged);
        }
        before = Some(token);
    }
}

/// Whether what stands before a bracket is the word.
fn is_parameters(word: Option<&TokenTree>) -> bool {
    matches!(word, Some(TokenTree::Ident(ident)) if *ident == "parameters")
}

/// `N = 4` between commas.
fn numbers(group: &Group, given: &mut Vec<Size>) {
    for entry in entries(group) {
        let [.., TokenTree::Ident(name), TokenTree::Punct(sign), TokenTree::Literal(number)] =
            entry.as_slice()
        else {
            continue;
        };
        if let ('=', Ok(value)) = (sign.as_char(), number.to_string().parse()) {
            given.push(Size { name: normal(name), value });
        }
    }
}

/// The names of the ranges between commas.
fn names(group: &Group, ranged: &mut Vec<String>) {
    let is_dot = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(dot)) if dot.as_char() == '.');
    for entry in entries(group) {
        let is_range =
            (1..entry.len()).any(|at| is_dot(entry.get(at - 1)) && is_dot(entry.get(at)));
        // The index of `i in 1..=N` is none.
        let is_in = matches!(entry.get(1), Some(TokenTree::Ident(word)) if *word == "in");
        let ends = entry.iter().skip(if is_in { 2 } else { 0 });
        let idents = ends.filter_map(|token| match token {
            TokenTree::Ident(ident) => Some(normal(ident)),
            _ => None,
        });
        ranged.extend(idents.filter(|_| is_range));
    }
}

/// What stands between commas.
fn entries(group: &Group) -> Vec<Vec<TokenTree>> {
    let mut found = vec![Vec::new()];
    for token in group.stream() {
        match (&token, found.last_mut()) {
            (TokenTree::Punct(comma), _) if comma.as_char() == ',' => found.push(Vec::new()),
            (_, Some(last)) => last.push(token),
            _ => {}
        }
    }
    found
}
