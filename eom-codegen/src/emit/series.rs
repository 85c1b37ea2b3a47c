//! The series of a motion: order 0 as straight-line code, then the recurrence, which the core calls
//! once an order.

use super::functions::{arguments, with_fused_products};
use super::lanes::is_straight;
use super::partials::partials_call;
use super::program::{Sources, series_bodies};
use super::{Emission, local, quiet};
use eom_symbolic::program::Reads;
use eom_symbolic::program::Series;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// Sums are filled up to multiples of these, those of `eom_core::series`, which does not compile with
/// others.
const PADDING: usize = 8;
const GROUP: usize = 4;

impl Emission<'_> {
    /// `has_series` and `series`; the trait has those of systems without.
    pub(crate) fn series_methods(&self) -> TokenStream {
        let Some(series) = &self.derivation.programs.series else { return TokenStream::new() };
        let (t, q, v, u) = arguments();
        let (state, arrays) = self.given(Reads::All);
        let expansion = if is_straight(&series.start) {
            quote! {
                ::eom_core::LaneSeries::lane_series(
                    self, #t, |i| #q[i], |i| #v[i], |i| #u[i], series,
                )
            }
        } else {
            self.expansion(series, None)
        };
        let expansion = with_fused_products(&series.start, &expansion);
        quote! {
            #[inline]
            fn has_series(&self) -> bool {
                true
            }

            fn series(&self, #state, series: &mut ::eom_core::series::Series) {
                #arrays
                #expansion
            }
        }
    }

    /// `impl LaneSeries for Penny`; `None` where there are no series, or not in straight code.
    pub(crate) fn lane_series_impl(&self) -> Option<TokenStream> {
        let series = self.derivation.programs.series.as_ref()?;
        if !is_straight(&series.start) {
            return None;
        }
        let (name, quiet, real) = (&self.name, quiet(), local("R"));
        let (t, q, v, u) = arguments();
        let expansion = self.expansion(series, Some(&real));
        Some(quote! {
            #[automatically_derived]
            #quiet
            impl ::eom_core::LaneSeries for #name {
                #[inline(always)]
                fn lane_series<#real: ::eom_core::elementary::Real>(
                    &self,
                    #t: #real,
                    #q: impl ::core::ops::Fn(usize) -> #real,
                    #v: impl ::core::ops::Fn(usize) -> #real,
                    #u: impl ::core::ops::Fn(usize) -> #real,
                    series: impl ::eom_core::series::Expand<#real>,
                ) {
                    #expansion
                }
            }
        })
    }

    /// The statements of order 0 and the call with the recurrence; over numbers of a generic type where
    /// one is given, which the time has.
    fn expansion(&self, series: &Series, real: Option<&Ident>) -> TokenStream {
        let (t, q, v, _) = arguments();
        let like = real.map(|_| &t);
        let input = |symbol| match real {
            Some(_) => self.lane_input(symbol),
            None => self.input(symbol),
        };
        let sources = Sources { input: &input, partials: &partials_call };
        let (start, recurrence) = series_bodies(series, &sources, like);
        let (first_slopes, first_observed) = start.outputs.split_at(series.state);
        let (slopes, rest) = recurrence.outputs.split_at(series.state);
        let (observed, rest) = rest.split_at(series.observed);
        let (left, rest) = rest.split_at(series.sums);
        let (right, handed) = rest.split_at(series.sums);
        let zero = like.map_or(quote!(0.0), |like| quote!(#like.of(0.0)));
        let (left, right) = (padded(left, &zero), padded(right, &zero));
        let sizes = sizes(series).map(Literal::usize_unsuffixed);
        let (order, list) = (local("s1"), local("n1"));
        let (values, statements) = (&start.statements, &recurrence.statements);
        let number = real.map_or(quote!(f64), |real| quote!(#real));
        let speeds = self.derivation.model.speeds.len();
        let point = point([(&q, series.state - speeds), (&v, speeds)], real.is_some());
        quote! {
            #(#values)*
            ::eom_core::series::Expand::<#number>::expand::<_, #(#sizes),*>(
                series,
                #point,
                [#(#first_slopes),*],
                [#(#first_observed),*],
                #[inline(always)]
                move |#order, #list| {
                    #(#statements)*
                    ::eom_core::series::Order {
                        slopes: [#(#slopes),*],
                        observed: [#(#observed),*],
                        left: #left,
                        right: #right,
                        handed: [#(#handed),*],
                    }
                },
            );
        }
    }
}

/// The sizes that `eom_core::series::Expand` asks for: Y, G, D, N, P, V.
fn sizes(series: &Series) -> [usize; 6] {
    let Series { state, observed, handed, sums, .. } = *series;
    let padded = |to: usize| sums.max(1).next_multiple_of(to);
    [state, observed, handed, padded(PADDING), padded(GROUP), 2 + state + handed + padded(PADDING)]
}

/// The entries of two lists as an array, of slices or of functions of the index.
fn point(lists: [(&Ident, usize); 2], asked: bool) -> TokenStream {
    let entries = lists.into_iter().flat_map(|(list, length)| {
        (0..length)
            .map(Literal::usize_unsuffixed)
            .map(move |index| if asked { quote!(#list(#index)) } else { quote!(#list[#index]) })
    });
    quote!([#(#entries),*])
}

/// Factors as an array that is filled up with zeros.
fn padded(values: &[TokenStream], zero: &TokenStream) -> TokenStream {
    let length = values.len().max(1).next_multiple_of(PADDING);
    let zeros = vec![zero; length - values.len()];
    quote!([#(#values,)* #(#zeros),*])
}
