//! Tokens in, tokens out.

pub mod ast;
pub mod diagnostic;
pub mod parse;
mod resolve;
