//! Printing: expressions in the syntax of the language, and in LaTeX, as a person writes them; LaTeX as MathML.
//!
//! The order of factors and terms is made from what symbols stand for and how they are declared,
//! never from the arena's ids; ties are broken by the text.

mod form;
mod latex;
mod mathml;
mod names;
mod tree;
mod unicode;

use crate::node::ExprId;
use crate::pool::ExprPool;
use crate::simplify;

pub use mathml::mathml;
pub use names::Names;
pub(crate) use names::{escaped, remark};
use tree::Form;

/// Larger expressions are not written out: text of this length helps nobody, and a tree can be
/// exponentially larger than its arena.
const SIZE_MAX: usize = 50_000;

/// An expression in the syntax of the language: `m*R*cos(φ)*θ̇^2`. It reads back as the same value.
/// One beyond 50,000 symbols and operations prints as a remark of its size.
pub fn unicode(pool: &ExprPool, expr: ExprId, names: &Names) -> String {
    match simplify::size(pool, expr) {
        size if size > SIZE_MAX => format!("({size} symbols and operations)"),
        _ => unicode::text(&Form::new(pool, names, expr)),
    }
}

/// An expression in both notations, [`unicode`] and [`latex`].
pub(crate) fn both(pool: &ExprPool, expr: ExprId, names: &Names) -> (String, String) {
    if simplify::size(pool, expr) > SIZE_MAX {
        return (unicode(pool, expr, names), latex(pool, expr, names));
    }
    let form = Form::new(pool, names, expr);
    (unicode::text(&form), latex::latex(&form))
}

/// An expression in LaTeX, for math mode: `m R \cos(\varphi) \dot{\theta}^{2}`; with the limit
/// of [`unicode`].
pub fn latex(pool: &ExprPool, expr: ExprId, names: &Names) -> String {
    match simplify::size(pool, expr) {
        size if size > SIZE_MAX => format!(r"\text{{({size} symbols and operations)}}"),
        _ => latex::latex(&Form::new(pool, names, expr)),
    }
}
