//! What remains of a declaration with a mistake: the type with its fields and functions, bodies
//! left out, so that the mistake is all that rustc reports.

use super::functions::Sizes;
use super::indices::{constants, spellings};
use super::{field, quiet};
use crate::ast;
use eom_symbolic::name::{ascii_dotted, dotted, key};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// The items of a declaration that is not right; they compile beside a compile error only.
pub(crate) fn skeleton(system: &ast::System, name: &Ident) -> TokenStream {
    let visibility = &system.visibility;
    let fields = fields(system);
    let smooth = smooth_fields(system);
    let copy = smooth.is_empty().then(|| quote!(Copy,));
    let new = new_function(system);
    let (functions, methods, parts) = (functions(system), methods(), parts(name));
    let quiet = quiet();
    let type_name = name.to_string();
    let indices = indices(system, name);
    quote! {
        #[derive(Debug, Clone, #copy PartialEq, Default)]
        #quiet
        #visibility struct #name {
            #(#visibility #fields: ::core::primitive::f64,)*
            #(#visibility #smooth: ::eom_core::SmoothFunction,)*
        }

        #quiet
        impl #name {
            #visibility const INFO: &'static ::eom_core::info::SystemInfo =
                &::eom_core::info::SystemInfo {
                    name: #type_name,
                    ..::eom_core::info::SystemInfo::EMPTY
                };
            #functions
            #new
        }

        #[automatically_derived]
        #quiet
        impl ::eom_core::System for #name { #methods }
        #parts

        const _: () = { #indices };

        #[automatically_derived]
        #quiet
        impl ::eom_core::Declared for #name {
            const INFO: &'static ::eom_core::info::SystemInfo = #name::INFO;
            fn with_parameters(
                _: &[::core::option::Option<::core::primitive::f64>],
            ) -> ::core::result::Result<Self, ::eom_core::ParameterError> {
                ::core::unreachable!()
            }
        }
    }
}

/// The parameters, one of a name each.
fn fields(system: &ast::System) -> Vec<Ident> {
    let mut names: Vec<&str> = Vec::new();
    for parameter in &system.parameters {
        if !names.contains(&parameter.name.text.as_str()) {
            names.push(&parameter.name.text);
        }
    }
    names.into_iter().map(field).collect()
}

/// The declared functions, one of a name each.
fn smooth_fields(system: &ast::System) -> Vec<Ident> {
    let mut names: Vec<&str> = Vec::new();
    for function in &system.functions {
        let taken = system.parameters.iter().any(|p| p.name.text == function.name.text);
        if !taken && !names.contains(&function.name.text.as_str()) {
            names.push(&function.name.text);
        }
    }
    names.into_iter().map(field).collect()
}

/// `new`, where a function has no default.
fn new_function(system: &ast::System) -> Option<TokenStream> {
    let visibility = &system.visibility;
    let required = system.functions.iter().filter(|function| function.default.is_none());
    let arguments: Vec<TokenStream> =
        required.map(|_| quote!(_: ::eom_core::SmoothFunction)).collect();
    let new = quote!(#visibility fn new(#(#arguments),*) -> Self { ::core::unreachable!() });
    (!arguments.is_empty()).then_some(new)
}

/// Sizes, and places by name, as far as names alone tell them.
fn indices(system: &ast::System, name: &Ident) -> TokenStream {
    let both = |name: &ast::Ident| spellings(&name.text);
    let q = system.coordinates.iter().map(|coordinate| both(&coordinate.name));
    let components = system.rotations.iter().flat_map(|rotation| {
        ["w", "x", "y", "z"].map(|letter| spellings(&format!("{}_{letter}", rotation.name.text)))
    });
    let own = system.velocities.iter().map(|velocity| both(&velocity.name));
    let velocities = system.coordinates.iter().map(|coordinate| {
        let name = &coordinate.name.text;
        vec![dotted(name, 1), ascii_dotted(&key(name), 1)]
    });
    let names = [
        q.chain(components).collect(),
        velocities.chain(own).collect(),
        system.inputs.iter().map(|input| both(&input.name)).collect(),
        system.constraints.iter().chain(&system.holonomic).map(|row| both(&row.name)).collect(),
        system.contacts.iter().map(|contact| both(&contact.name)).collect(),
        system.events.iter().map(|event| both(&event.name)).collect(),
        system.outputs.iter().map(|output| both(&output.name)).collect(),
    ];
    constants(name, &system.visibility, &sizes(system), names)
}

/// The sizes, as far as the names tell them.
fn sizes(system: &ast::System) -> Sizes {
    let literal = Literal::usize_unsuffixed;
    Sizes {
        n: literal(system.coordinates.len() + 4 * system.rotations.len()),
        m: literal(system.coordinates.len() + 3 * system.rotations.len()),
        k: literal(system.constraints.len() + system.holonomic.len()),
        r: literal(system.inputs.len()),
        c: literal(system.contacts.len()),
    }
}

/// The functions on vectors.
fn functions(system: &ast::System) -> TokenStream {
    let visibility = &system.visibility;
    let Sizes { n, m, k, r, c } = sizes(system);
    let vector =
        |size: &Literal| quote!(::eom_core::nalgebra::SVector<::core::primitive::f64, #size>);
    let matrix = |rows: &Literal, columns: &Literal| quote!(::eom_core::nalgebra::SMatrix<::core::primitive::f64, #rows, #columns>);
    let (q, v, u) = (vector(&n), vector(&m), vector(&r));
    let (rows, gaps) = (vector(&k), vector(&c));
    let (mass, a, gradients) = (matrix(&m, &m), matrix(&k, &m), matrix(&c, &m));
    let t = quote!(::core::primitive::f64);
    quote! {
        #visibility fn dynamics(&self, _: #t, _: &#q, _: &#v, _: &#u) -> (#v, #rows) {
            ::core::unreachable!()
        }
        #visibility fn start(
            &self,
            _: &::core::primitive::str,
        ) -> ::core::result::Result<::eom_core::State, ::eom_core::ScenarioError> {
            ::core::unreachable!()
        }
        #visibility fn mass(&self, _: #t, _: &#q) -> #mass { ::core::unreachable!() }
        #visibility fn constraints(&self, _: #t, _: &#q) -> (#a, #rows) { ::core::unreachable!() }
        #visibility fn constraint_residuals(&self, _: #t, _: &#q, _: &#v) -> #rows {
            ::core::unreachable!()
        }
        #visibility fn gap_values(&self, _: #t, _: &#q) -> #gaps { ::core::unreachable!() }
        #visibility fn gap_gradients(&self, _: #t, _: &#q) -> (#gradients, #gaps) {
            ::core::unreachable!()
        }
    }
}

/// The methods that `eom_core::System` requires.
fn methods() -> TokenStream {
    let f64 = quote!(::core::primitive::f64);
    let (s, m) = (quote!(&[#f64]), quote!(&mut [#f64]));
    quote! {
        fn info(&self) -> &'static ::eom_core::info::SystemInfo { Self::INFO }
        fn accelerations(&self, _: #f64, _: #s, _: #s, _: #s, _: #m, _: #m) {
            ::core::unreachable!()
        }
        fn mass_matrix(&self, _: #f64, _: #s, _: #m) { ::core::unreachable!() }
        fn energy(&self, _: #f64, _: #s, _: #s) -> ::eom_core::Energy { ::core::unreachable!() }
    }
}

/// The other parts of a system: none of their methods is required.
fn parts(name: &Ident) -> TokenStream {
    let quiet = quiet();
    let parts = [
        quote!(::eom_core::Contacts),
        quote!(::eom_core::Events),
        quote!(::eom_core::Friction),
        quote!(::eom_core::system::Specialised),
    ];
    quote!(#(#[automatically_derived] #quiet impl #parts for #name {})*)
}
