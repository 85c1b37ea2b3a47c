//! Printing: expressions in the syntax of the language, and in LaTeX, as a person writes them.
//!
//! The order of factors and terms is made from what symbols stand for and how they are declared,
//! never from the arena's ids; ties are broken by the text.

mod form;
mod latex;
mod names;
mod unicode;

use crate::node::ExprId;
use crate::pool::ExprPool;
use form::Form;

pub use names::Names;
pub(crate) use names::escaped;

/// An expression in the syntax of the language: `m*R*cos(φ)*θ̇^2`. It reads back as the same value.
pub fn unicode(pool: &ExprPool, expr: ExprId, names: &Names) -> String {
    unicode::text(&Form::new(pool, names, expr))
}

/// An expression in LaTeX, for math mode: `m R \cos(\varphi) \dot{\theta}^{2}`.
pub fn latex(pool: &ExprPool, expr: ExprId, names: &Names) -> String {
    latex::latex(&Form::new(pool, names, expr))
}
