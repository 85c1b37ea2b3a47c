//! Parameters that size arrays: `parameters { N = 4 } coordinates { x[i in 1..=N] }`.
//!
//! They are numbers of the declaration, found before it is read: whole numbers without a bound that stand in a range of
//! an array. Wherever one is written, its number is read, and it is no parameter that a run can change.

use super::tokens::{Size, normal};
use crate::ast::{Explained, Expr, Ident, Notation, NotationKey, System};
use proc_macro2::TokenTree;

/// Whole numbers among the parameters, and names in ranges.
#[derive(Default)]
pub(super) struct Found {
    given: Vec<Size>,
    ranged: Vec<String>,
}

impl Found {
    /// The sizes of a declaration.
    pub(super) fn sizes(mut self) -> Vec<Size> {
        self.given.retain(|size| self.ranged.contains(&size.name));
        self.given
    }

    /// `N = 4`, what stands between commas among the parameters.
    pub(super) fn parameter(&mut self, entry: &[TokenTree]) {
        let [.., TokenTree::Ident(name), TokenTree::Punct(sign), TokenTree::Literal(number)] =
            entry
        else {
            return;
        };
        if let ('=', Ok(value)) = (sign.as_char(), number.to_string().parse()) {
            self.given.push(Size { name: normal(name), value });
        }
    }

    /// The names of a range, what stands between commas in brackets.
    pub(super) fn range(&mut self, entry: &[TokenTree]) {
        let is_dot =
            |token: &TokenTree| matches!(token, TokenTree::Punct(dot) if dot.as_char() == '.');
        if !entry.windows(2).any(|pair| pair.iter().all(is_dot)) {
            return;
        }
        // The index of `i in 1..=N` is none.
        let is_in = matches!(entry.get(1), Some(TokenTree::Ident(word)) if *word == "in");
        let ends = entry.iter().skip(if is_in { 2 } else { 0 });
        self.ranged.extend(ends.filter_map(|token| match token {
            TokenTree::Ident(ident) => Some(normal(ident)),
            _ => None,
        }));
    }
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
