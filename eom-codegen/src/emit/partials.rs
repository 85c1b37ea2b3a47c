//! Declared functions: one method for each list of partials that the programs take at a point, by
//! the function that was given or by the default of the declaration.

use super::program::{Sources, body};
use super::{Emission, field, local, quiet};
use eom_symbolic::mechanics::SmoothFunction;
use eom_symbolic::program::FunctionProgram;
use eom_symbolic::{Partial, SymbolId, SymbolKind};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

impl Emission<'_> {
    /// The methods; nothing without functions.
    pub(crate) fn partial_methods(&self) -> Option<TokenStream> {
        let lists = &self.derivation.programs.functions;
        if lists.is_empty() {
            return None;
        }
        let (name, quiet) = (&self.name, quiet());
        let methods = lists.iter().map(|list| self.partial_method(list));
        Some(quote! {
            #quiet
            impl #name {
                #(#methods)*
            }
        })
    }

    fn partial_method(&self, list: &FunctionProgram) -> TokenStream {
        let declared = &self.derivation.model.functions[list.function];
        let (method, field) = (partials_name(&list.partials), field(&declared.named.name));
        let arity = Literal::usize_unsuffixed(usize::from(declared.partial.arity));
        let count = Literal::usize_unsuffixed(list.partials.len());
        let orders = list.partials.iter().map(|partial| {
            let orders = partial.orders.map(Literal::u8_unsuffixed);
            quote!([#(#orders),*])
        });
        let point = local("point");
        let default = match &list.default {
            None => quote!([f64::NAN; #count]),
            Some(program) => {
                let body = body(
                    program,
                    &Sources {
                        input: &|symbol| self.of_point(symbol, declared, &point),
                        partials: &|_, _| quote!([]),
                    },
                );
                let (statements, outputs) = (body.statements, body.outputs);
                quote!({ #(#statements)* [#(#outputs),*] })
            }
        };
        quote! {
            #[doc(hidden)]
            #[inline]
            fn #method(&self, #point: [f64; #arity]) -> [f64; #count] {
                match ::eom_core::SmoothFunction::given(&self.#field) {
                    ::core::option::Option::Some(given) => {
                        ::eom_core::private::partials(given, &#point, &[#(#orders),*])
                    }
                    ::core::option::Option::None => #default,
                }
            }
        }
    }

    /// Where a symbol's value stands in a default: an argument or a parameter.
    fn of_point(&self, symbol: SymbolId, declared: &SmoothFunction, point: &Ident) -> TokenStream {
        let pool = &self.derivation.model.pool;
        let arguments = &pool.signature(declared.partial).arguments;
        if let Some(at) = arguments.iter().position(|argument| *argument == symbol) {
            let at = Literal::usize_unsuffixed(at);
            return quote!(#point[#at]);
        }
        match pool.symbol_info(symbol).kind {
            SymbolKind::Parameter(index) => self.own_parameter(index),
            _ => quote!(f64::NAN),
        }
    }
}

/// The call of a list of partials at a point, on `self`.
pub(crate) fn partials_call(partials: &[Partial], point: &[TokenStream]) -> TokenStream {
    let method = partials_name(partials);
    quote!(self.#method([#(#point),*]))
}

/// The method of a list: `eom_partials_0_100_010`.
fn partials_name(partials: &[Partial]) -> Ident {
    let mut name = format!("eom_partials_{}", partials.first().map_or(0, |p| p.function));
    for partial in partials {
        let [a, b, c] = partial.orders;
        name = format!("{name}_{a}{b}{c}");
    }
    local(&name)
}
