//! Exact algebra and analytical mechanics.
pub mod build;
mod dense;
pub mod diff;
pub mod eval;
pub mod function;
pub mod mechanics;
pub mod name;
pub mod node;
pub mod number;
pub mod pool;
pub mod print;
pub mod program;
pub mod rewrite;
pub mod simplify;
pub mod subst;

pub use node::{ExprId, Function, SymbolId, SymbolKind, View};
pub use number::Rational;
pub use pool::{ExprPool, Symbol};
