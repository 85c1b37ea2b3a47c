//! Dry friction: the methods that only systems with it have.

use super::Emission;
use super::functions::Sizes;
use eom_symbolic::mechanics::Bearer;
use eom_symbolic::program::{Kernel, Reads};
use proc_macro2::TokenStream;
use quote::quote;

impl Emission<'_> {
    /// `frictions` and `dry_friction`; nothing without dry friction.
    pub(crate) fn friction_methods(&self) -> TokenStream {
        let friction = &self.derivation.equations.friction;
        let points = (!friction.points.is_empty()).then(|| self.point_methods());
        let whole = friction.is_some().then(|| self.dry_friction_method());
        quote!(#points #whole)
    }

    /// `frictionless`, where friction at points is to be left out.
    pub(crate) fn frictionless_method(&self) -> TokenStream {
        if !self.derivation.equations.friction.has_constant_points() {
            return TokenStream::new();
        }
        let Sizes { m, k, .. } = self.sizes();
        let (all, arrays) = self.given(Reads::All);
        let solve = self.solve(&self.derivation.programs.frictionless, &self.own_constants());
        quote! {
            fn frictionless(&self, #all, a: &mut [f64], λ: &mut [f64]) {
                #arrays
                let a: &mut [f64; #m] = ::eom_core::private::array_mut("a", a);
                let λ: &mut [f64; #k] = ::eom_core::private::array_mut("λ", λ);
                #solve;
            }
        }
    }

    fn point_methods(&self) -> TokenStream {
        let (state, arrays) = self.given(Reads::State);
        let frictions = self.call(Kernel::Frictions);
        let contacts = self.bearer_methods();
        quote! {
            fn frictions(
                &self,
                #state,
                c: &mut [f64],
                w: &mut [f64],
                rows: &mut [f64],
                drift: &mut [f64],
            ) {
                #arrays
                ::eom_core::private::scatter(&#frictions, "c, w, rows, drift", [c, w, rows, drift]);
            }
            #contacts
        }
    }

    /// `contact_of_friction`, `row_of_friction` and `rows_of_friction`, where some friction is that of a contact, a row or
    /// a vector of rows.
    fn bearer_methods(&self) -> TokenStream {
        let bearers = self.derivation.equations.friction.points.iter().enumerate();
        let bearers = bearers.filter_map(|(term, point)| Some((term, point.borne?.bearer)));
        let (mut contacts, mut rows, mut vectors) = (Vec::new(), Vec::new(), Vec::new());
        for (term, bearer) in bearers {
            match bearer {
                Bearer::Contact(contact) => contacts.push(quote!(#term => #contact,)),
                Bearer::Row(row) => rows.push(quote!(#term => #row,)),
                Bearer::Rows { first, count } => {
                    let end = first + count;
                    vectors.push(quote!(#term => #first..#end,));
                }
            }
        }
        let index = quote!(usize);
        let of_contacts = method(&quote!(contact_of_friction), &index, &contacts);
        let of_rows = method(&quote!(row_of_friction), &index, &rows);
        let range = quote!(::core::ops::Range<usize>);
        let of_vectors = method(&quote!(rows_of_friction), &range, &vectors);
        quote!(#of_contacts #of_rows #of_vectors)
    }

    fn dry_friction_method(&self) -> TokenStream {
        let (state, arrays) = self.given(Reads::State);
        let whole = self.call(Kernel::DryFriction);
        quote! {
            fn dry_friction(&self, #state, force: &mut [f64]) -> f64 {
                #arrays
                let all = #whole;
                force.copy_from_slice(&all[1..]);
                all[0]
            }
        }
    }
}

/// What bears each term, where one of them has a bearer of the kind.
fn method(name: &TokenStream, what: &TokenStream, arms: &[TokenStream]) -> Option<TokenStream> {
    let method = quote! {
        fn #name(&self, term: usize) -> ::core::option::Option<#what> {
            ::core::option::Option::Some(match term {
                #(#arms)*
                _ => return ::core::option::Option::None,
            })
        }
    };
    (!arms.is_empty()).then_some(method)
}
