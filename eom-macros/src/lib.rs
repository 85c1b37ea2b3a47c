//! The `lagrangian!` macro: a shim. Everything it does is in `eom-codegen`.

use proc_macro::TokenStream;

#[doc = include_str!("lagrangian.md")]
#[proc_macro]
pub fn lagrangian(input: TokenStream) -> TokenStream {
    eom_codegen::expand(input.into()).into()
}
