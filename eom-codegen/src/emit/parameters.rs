//! The parameter struct and its constructors.

use super::partials::partials_call;
use super::program::{Sources, body};
use super::{Emission, field, local, quiet};
use eom_symbolic::mechanics::{Relation, SmoothFunction, SystemModel};
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
        let functions = self.derivation.model.functions.iter().map(|function| {
            let field = field(&function.named.name);
            let docs = function_docs(&self.derivation.model, function);
            let docs = docs.lines().map(|line| format!(" {line}"));
            quote!(#(#[doc = #docs])* #visibility #field: ::eom_core::SmoothFunction)
        });
        let fields = fields.chain(functions);
        let copy = self.derivation.model.functions.is_empty().then(|| quote!(Copy,));
        quote! {
            #(#[doc = #docs])*
            #attributes
            #[derive(Debug, Clone, #copy PartialEq)]
            #[allow(
                non_snake_case,
                unreachable_pub,
                reason = "the names of the declaration"
            )]
            #visibility struct #name { #(#fields),* }
        }
    }

    /// `Default` where every parameter has one, and `Declared::with_parameters`.
    pub(crate) fn constructors(&self) -> TokenStream {
        let default = self.default_impl();
        let with_parameters = self.with_parameters();
        let new = self.new_function();
        let (name, quiet) = (&self.name, quiet());
        quote! {
            #default

            #new

            #[automatically_derived]
            #quiet
            impl ::eom_core::Declared for #name {
                const INFO: &'static ::eom_core::info::SystemInfo = #name::INFO;

                #with_parameters
            }
        }
    }

    fn default_impl(&self) -> Option<TokenStream> {
        if !self.parameters_have_defaults() || self.required_functions().next().is_some() {
            return None;
        }
        let (name, quiet) = (&self.name, quiet());
        let values = self.default_values();
        let fields = self.field_values(|_| declared_function());
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

    fn parameters_have_defaults(&self) -> bool {
        self.derivation.model.parameters.iter().all(|parameter| parameter.default.is_some())
    }

    /// The functions without a default, with their positions.
    fn required_functions(&self) -> impl Iterator<Item = (usize, &SmoothFunction)> {
        let functions = self.derivation.model.functions.iter().enumerate();
        functions.filter(|(_, function)| function.default.is_none())
    }

    /// Every parameter's default in its local.
    fn default_values(&self) -> Vec<TokenStream> {
        let parameters = self.derivation.model.parameters.iter().enumerate();
        parameters
            .map(|(index, parameter)| {
                let local = parameter_local(index);
                let value = parameter.default.map(|default| self.of_parameters(default));
                quote!(let #local: f64 = #value;)
            })
            .collect()
    }

    /// `Green::new(f)` from the functions that have no default, the parameters at theirs.
    fn new_function(&self) -> Option<TokenStream> {
        self.required_functions().next()?;
        if !self.parameters_have_defaults() {
            return None;
        }
        let (name, quiet, visibility) = (&self.name, quiet(), &self.visibility);
        let arguments = self.required_functions().map(|(_, function)| {
            let field = field(&function.named.name);
            quote!(#field: ::eom_core::SmoothFunction)
        });
        let values = self.default_values();
        let functions = &self.derivation.model.functions;
        let fields = self.field_values(|index| match functions[index].default {
            None => {
                let field = field(&functions[index].named.name);
                quote!(#field)
            }
            Some(_) => declared_function(),
        });
        Some(quote! {
            #quiet
            impl #name {
                /// The system with these functions, all else at its default.
                #visibility fn new(#(#arguments),*) -> Self {
                    #(#values)*
                    Self { #fields }
                }
            }
        })
    }

    /// The fields: parameters from their locals, functions as `function` gives them.
    fn field_values(&self, function: impl Fn(usize) -> TokenStream) -> TokenStream {
        let functions = self.derivation.model.functions.iter().enumerate();
        let functions = functions.map(|(index, declared)| {
            let (field, value) = (field(&declared.named.name), function(index));
            quote!(#field: #value)
        });
        let fields = self.derivation.model.parameters.iter().enumerate().map(|(index, p)| {
            let (field, local) = (field(&p.named.name), parameter_local(index));
            quote!(#field: #local)
        });
        let fields = fields.chain(functions);
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
        let fields = self.field_values(|index| {
            let index = Literal::usize_unsuffixed(index);
            quote!(::core::clone::Clone::clone(&functions[#index]))
        });
        let build = quote! {
            let overrides = ::eom_core::private::array::<_, #count>("overrides", overrides);
            #(#values)*
            let system = Self { #fields };
            ::eom_core::System::check_parameters(&system)?;
            ::core::result::Result::Ok(system)
        };
        if model.functions.is_empty() {
            return quote! {
                fn with_parameters(
                    overrides: &[::core::option::Option<f64>],
                ) -> ::core::result::Result<Self, ::eom_core::ParameterError> {
                    #build
                }
            };
        }
        let function_count = Literal::usize_unsuffixed(model.functions.len());
        let declared = model.functions.iter().map(|_| declared_function());
        quote! {
            fn with_parameters(
                overrides: &[::core::option::Option<f64>],
            ) -> ::core::result::Result<Self, ::eom_core::ParameterError> {
                Self::with_functions(overrides, &[#(#declared),*])
            }

            fn with_functions(
                overrides: &[::core::option::Option<f64>],
                functions: &[::eom_core::SmoothFunction],
            ) -> ::core::result::Result<Self, ::eom_core::ParameterError> {
                let functions = ::eom_core::private::array::<_, #function_count>("functions", functions);
                #build
            }
        }
    }

    /// `System::check_parameters`: every value finite, every bound true, every function there.
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
        for function in &model.functions {
            let (name, field) = (&function.named.name, field(&function.named.name));
            let arity = Literal::usize_unsuffixed(usize::from(function.partial.arity));
            let has_default = function.default.is_some();
            checks.push(quote! {
                ::eom_core::private::function(#name, &self.#field, #arity, #has_default)?;
            });
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
        let input = |symbol: SymbolId| match pool.symbol_info(symbol).kind {
            SymbolKind::Parameter(index) => parameter(index),
            _ => quote!(f64::NAN),
        };
        let body = body(&program, &Sources { input: &input, partials: &partials_call });
        let (statements, value) = (body.statements, &body.outputs[0]);
        if statements.is_empty() { quote!(#value) } else { quote!({ #(#statements)* #value }) }
    }
}

fn parameter_local(index: usize) -> Ident {
    local(&format!("p{index}"))
}

fn declared_function() -> TokenStream {
    quote!(::eom_core::SmoothFunction::declared())
}

/// The doc comment of a function's field: the user's words, its arguments and default.
fn function_docs(model: &SystemModel, function: &SmoothFunction) -> String {
    let signature = model.pool.signature(function.partial);
    let arguments = signature.arguments.iter().map(|s| model.pool.symbol_info(*s).name.as_str());
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    let name = &function.named.name;
    let mut docs = function.named.doc.clone();
    if docs.is_empty() {
        docs = format!("Function `{name}`.");
    }
    docs = format!("{docs}\n\nA smooth function `{name}({arguments})`.");
    if !function.default_text.is_empty() {
        docs = format!("{docs}\n\nDefault: `{}`.", function.default_text);
    }
    docs
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
