//! The `lagrangian!` macro: a shim. Everything it does is in `eom-codegen`.

use proc_macro::TokenStream;

/// Declares a mechanical system and derives its equations of motion when it is compiled.
#[proc_macro]
pub fn lagrangian(input: TokenStream) -> TokenStream {
    eom_codegen::expand(input.into()).into()
}
