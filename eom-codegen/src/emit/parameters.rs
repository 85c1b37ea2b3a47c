//! The parameter struct and its constructors.

use super::program::body;
use super::{Emission, field, local, quiet};
use eom_symbolic::mechanics::Relation;
use eom_symbolic::program::Program;
use eom_symbolic::{ExprId, SymbolId, SymbolKind};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

impl Emission<'_> {
    /// `pub struct Penny { pub R: f64, … }`.
    pub(crate) fn parameter_struct(&self) -> TokenStream {
        let (name, visibility, attributes) = (&self.name, &self.visibility, &self.attributes);
        let docs = self.type_docs();
        let fields = self.derivation.model.parameters.iter().map(|parameter| {
            let field = field(&parameter.named.name);
            let docs = parameter_docs(parameter);
            let docs = docs.lines().map(|line| format!(" {line}"));
            quote!(#(#[doc = #docs])* #visibility #field: ::core::primitive::f64)
        });
        quote! {
            #(#[doc = #docs])*
            #attributes
            #[derive(Debug, Clone, Copy, PartialEq)]
            #[allow(
                non_snake_case,
                confusable_idents,
                mixed_script_confusables,
                uncommon_codepoints,
                reason = "the names of the declaration"
            )]
            #visibility struct #name { #(#fields),* }
        }
    }

    /// `Default` where every parameter has one, and `Declared::with_parameters`.
    pub(crate) fn constructors(&self) -> TokenStream {
        let default = self.default_impl();
        let with_parameters = self.with_parameters();
        let (name, quiet) = (&self.name, quiet());
        quote! {
            #default

            #[automatically_derived]
            #quiet
            impl ::eom_core::Declared for #name {
                const INFO: &'static ::eom_core::info::SystemInfo = #name::INFO;

                #with_parameters
            }
        }
    }

    fn default_impl(&self) -> Option<TokenStream> {
        let model = &self.derivation.model;
        if model.parameters.iter().any(|parameter| parameter.default.is_none()) {
            return None;
        }
        let (name, quiet) = (&self.name, quiet());
        let values = model.parameters.iter().enumerate().map(|(index, parameter)| {
            let local = parameter_local(index);
            let value = parameter.default.map(|default| self.of_parameters(default));
            quote!(let #local = #value;)
        });
        let fields = self.field_values();
        Some(quote! {
            #[automatically_derived]
            #quiet
            impl ::core::default::Default for #name {
                fn default() -> Self {
                    #(#values)*
                    Self { #fields }
                }
            }
        })
    }

    fn field_values(&self) -> TokenStream {
        let fields = self.derivation.model.parameters.iter().enumerate().map(|(index, p)| {
            let (field, local) = (field(&p.named.name), parameter_local(index));
            quote!(#field: #local)
        });
        quote!(#(#fields),*)
    }

    fn with_parameters(&self) -> TokenStream {
        let model = &self.derivation.model;
        let count = Literal::usize_unsuffixed(model.parameters.len());
        let values = model.parameters.iter().enumerate().map(|(index, parameter)| {
            let (local, position) = (parameter_local(index), Literal::usize_unsuffixed(index));
            let name = &parameter.named.name;
            let default = match parameter.default {
                Some(default) => {
                    let value = self.of_parameters(default);
                    quote!(::core::option::Option::Some(#value))
                }
                None => quote!(::core::option::Option::None),
            };
            quote! {
                let #local = ::eom_core::private::parameter(
                    #name, overrides[#position], || #default
                )?;
            }
        });
        let fields = self.field_values();
        quote! {
            fn with_parameters(
                overrides: &[::core::option::Option<f64>],
            ) -> ::core::result::Result<Self, ::eom_core::ParameterError> {
                let overrides = ::eom_core::private::array::<_, #count>(overrides);
                #(#values)*
                let system = Self { #fields };
                ::eom_core::System::check_parameters(&system)?;
                ::core::result::Result::Ok(system)
            }
        }
    }

    /// `System::check_parameters`: every value finite, every bound true.
    pub(crate) fn check_method(&self) -> TokenStream {
        let model = &self.derivation.model;
        let mut checks = Vec::new();
        for (index, parameter) in model.parameters.iter().enumerate() {
            let name = &parameter.named.name;
            let value = self.own_parameter(index);
            checks.push(quote!(::eom_core::private::finite(#name, #value)?;));
            let text = &parameter.bound_text;
            for bound in &parameter.bounds {
                let (left, right) = (self.of_self(bound.left), self.of_self(bound.right));
                let relation = match bound.relation {
                    Relation::Less => quote!(<),
                    Relation::LessEqual => quote!(<=),
                    Relation::Greater => quote!(>),
                    Relation::GreaterEqual => quote!(>=),
                };
                checks.push(quote! {
                    ::eom_core::private::bound(#name, #value, (#left) #relation (#right), #text)?;
                });
            }
        }
        quote! {
            fn check_parameters(
                &self,
            ) -> ::core::result::Result<(), ::eom_core::ParameterError> {
                #(#checks)*
                ::core::result::Result::Ok(())
            }
        }
    }

    /// An expression of parameters that stand in locals, as a block.
    fn of_parameters(&self, expr: ExprId) -> TokenStream {
        self.block(expr, |index| {
            let local = parameter_local(index);
            quote!(#local)
        })
    }

    /// An expression of the parameters of `self`, as a block.
    pub(crate) fn of_self(&self, expr: ExprId) -> TokenStream {
        self.block(expr, |index| self.own_parameter(index))
    }

    /// `self.R`.
    pub(crate) fn own_parameter(&self, index: usize) -> TokenStream {
        let field = field(&self.derivation.model.parameters[index].named.name);
        quote!(self.#field)
    }

    fn block(&self, expr: ExprId, parameter: impl Fn(usize) -> TokenStream) -> TokenStream {
        let pool = &self.derivation.model.pool;
        let program = Program::of_expressions(pool, "value", [(String::new(), expr)]);
        let body = body(&program, |symbol: SymbolId| match pool.symbol_info(symbol).kind {
            SymbolKind::Parameter(index) => parameter(index),
            _ => quote!(f64::NAN),
        });
        let (statements, value) = (body.statements, &body.outputs[0]);
        if statements.is_empty() { quote!(#value) } else { quote!({ #(#statements)* #value }) }
    }
}

fn parameter_local(index: usize) -> Ident {
    local(&format!("p{index}"))
}

/// The doc comment of a field: the user's words, then default and bounds.
fn parameter_docs(parameter: &eom_symbolic::mechanics::Parameter) -> String {
    let mut docs = parameter.named.doc.clone();
    if docs.is_empty() {
        docs = format!("Parameter `{}`.", parameter.named.name);
    }
    if !parameter.default_text.is_empty() {
        docs = format!("{docs}\n\nDefault: `{}`.", parameter.default_text);
    }
    if !parameter.bound_text.is_empty() {
        docs = format!("{docs}\n\nBound: `{}`.", parameter.bound_text);
    }
    docs
}
