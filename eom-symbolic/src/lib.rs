//! Exact algebra and analytical mechanics: from a Lagrangian to equations of motion, to
//! straight-line programs.
//!
//! ```text
//! SystemModel ──derive──▶ EquationsOfMotion ──lower──▶ SystemPrograms ──▶ interpreter, emitted code
//!                              │ simplify, print
//!                              ▼
//!                         text and LaTeX that a person would write
//! ```
//!
//! Expressions live in an [`ExprPool`]: each distinct one is a node with an [`ExprId`], children
//! before parents, so that equality is equality of ids and every pass is a sweep. What the
//! constructors rewrite by themselves is listed in [`build`]; [`simplify`] does what people want
//! to read and is never applied to generated code. This is not a general computer algebra system:
//! [`simplify::is_zero`] says what its zero test cannot decide.
//!
//! ```
//! use eom_symbolic::{ExprPool, Function, SymbolKind};
//!
//! let mut pool = ExprPool::new();
//! let θ = pool.symbol(SymbolKind::Coordinate(0), "θ");
//! let angle = pool.symbol_expr(θ);
//! let sin = pool.call(Function::Sin, &[angle]);
//! let square = pool.powi(sin, 2);
//! let slope = pool.partial(square, θ);
//! let cos = pool.call(Function::Cos, &[angle]);
//! let expected = pool.product_of(&[ExprPool::TWO, sin, cos]);
//! assert_eq!(slope, expected); // equal expressions are one node
//! ```
//!
//! No tokens, no I/O, no clock: the same input gives the same ids.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, reason = "the same bits on every machine"))]

pub mod build;
mod call;
mod degree;
mod dense;
pub mod diff;
pub mod eval;
pub mod formula;
pub mod function;
pub mod gradient;
mod graph;
pub mod integral;
pub mod jacobian;
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
pub mod tex;
mod turns;

pub use graph::Vetted;
pub use node::{ExprId, Function, Partial, SymbolId, SymbolKind, View};
pub use number::Rational;
pub use pool::{Exceeded, ExprPool, Signature, Symbol};
