//! The static tables: `SystemInfo` as a constant.

use super::{Emission, field, quiet};
use crate::description::{Value, description};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

impl Emission<'_> {
    /// `Penny::INFO`.
    pub(crate) fn info_impl(&self) -> TokenStream {
        let (type_name, quiet, visibility) = (&self.name, quiet(), &self.visibility);
        let info = tokens(&description(self.derivation, &self.source, true));
        quote! {
            #quiet
            impl #type_name {
                /// The static description: names, rows, contacts, scenarios, claims, equations.
                #visibility const INFO: &'static ::eom_core::info::SystemInfo = &#info;
            }
        }
    }
}

fn tokens(value: &Value) -> TokenStream {
    match value {
        Value::Text(text) => quote!(#text),
        Value::Printed(text) => quote!(::eom_core::info::Text::written(#text)),
        Value::Number(number) => {
            let number = Literal::usize_unsuffixed(*number);
            quote!(#number)
        }
        Value::Truth(is_true) => quote!(#is_true),
        Value::Optional(None) => quote!(::core::option::Option::None),
        Value::Optional(Some(value)) => {
            let value = tokens(value);
            quote!(::core::option::Option::Some(#value))
        }
        Value::List(entries) => {
            let entries = entries.iter().map(tokens);
            quote!(&[#(#entries),*])
        }
        Value::Pair(entries) => {
            let entries = entries.iter().map(tokens);
            quote!((#(#entries),*))
        }
        Value::Variant { of, name, index } => {
            let (of, name) = (field(of), field(name));
            let index = index.map(|index| {
                let index = Literal::usize_unsuffixed(index);
                quote!((#index))
            });
            quote!(::eom_core::info::#of::#name #index)
        }
        Value::Record { of, fields } => {
            let of = field(of);
            let fields = fields.iter().map(|(name, value)| {
                let (name, value) = (field(name), tokens(value));
                quote!(#name: #value)
            });
            quote!(::eom_core::info::#of { #(#fields),* })
        }
    }
}
