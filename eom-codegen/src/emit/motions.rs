//! Derivatives and inverse dynamics as methods on vectors and matrices, where a derivation has them.

use super::functions::{Sizes, arguments, with_fused_products};
use super::{Emission, local, quiet};
use crate::languages::{Motion, Part, motions};
use eom_symbolic::program::Reads;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

impl Emission<'_> {
    /// A method for each of these kernels that computes something.
    pub(crate) fn motion_functions(&self) -> Option<TokenStream> {
        let all = motions(self.derivation);
        let functions: Vec<TokenStream> =
            all.iter().filter_map(|motion| self.motion_function(motion)).collect();
        let (name, quiet) = (&self.name, quiet());
        (!functions.is_empty()).then(|| quote!(#quiet impl #name { #(#functions)* }))
    }

    fn motion_function(&self, motion: &Motion) -> Option<TokenStream> {
        let call = self.computed(motion.kernel)?;
        let program = motion.kernel.programs(&self.derivation.programs).first()?;
        let Sizes { n, m, r, .. } = self.sizes();
        let (t, q, v, u) = arguments();
        let visibility = &self.visibility;
        let reads = motion.kernel.reads();
        let name = Ident::new(motion.kernel.name(), Span::call_site());
        let vector = |size: &Literal| quote!(::eom_core::nalgebra::SVector<f64, #size>);
        let [of_q, of_v, of_u] = [&n, &m, &r].map(vector);
        let mut given = quote!(#t: f64, #q: &#of_q, #v: &#of_v);
        let mut arrays = quote! {
            let #q: &[f64; #n] = &#q.data.0[0];
            let #v: &[f64; #m] = &#v.data.0[0];
        };
        if reads >= Reads::All {
            given.extend(quote!(, #u: &#of_u));
            arrays.extend(quote!(let #u: &[f64; #r] = &#u.data.0[0];));
        }
        if reads == Reads::Motion {
            let a = local("a");
            given.extend(quote!(, #a: &#of_v));
            arrays.extend(quote!(let #a: &[f64; #m] = &#a.data.0[0];));
        }
        if reads == Reads::Direction {
            for (name, size) in self.weights_and_direction() {
                let vector = vector(&size);
                given.extend(quote!(, #name: &#vector));
                arrays.extend(quote!(let #name: &[f64; #size] = &#name.data.0[0];));
            }
        }
        let parts: Vec<&Part> = motion.parts.iter().filter(|part| part.size() > 0).collect();
        let (types, values) = (parts.iter().map(|part| matrix(part)), taken(&parts));
        let notes = parts.iter().map(|part| format!("{} ({})", part.name, part.about));
        let about =
            format!("{}\n\nReturns {}.", motion.about, notes.collect::<Vec<_>>().join(", "));
        let about = about.lines().map(|line| format!(" {line}"));
        let results = with_fused_products(program, &quote!(let all = #call; (#(#values),*)));
        Some(quote! {
            #(#[doc = #about])*
            #visibility fn #name(&self, #given) -> (#(#types),*) {
                #arrays
                #results
            }
        })
    }
}

/// The type of a result.
fn matrix(part: &Part) -> TokenStream {
    let sizes: Vec<Literal> =
        part.shape.iter().map(|size| Literal::usize_unsuffixed(*size)).collect();
    match &sizes[..] {
        [rows, columns] => quote!(::eom_core::nalgebra::SMatrix<f64, #rows, #columns>),
        sizes => quote!(::eom_core::nalgebra::SVector<f64, #(#sizes)*>),
    }
}

/// The results, which stand by rows one after another in `all`: each value by its place, so that it goes where it is
/// asked for.
fn taken(parts: &[&Part]) -> Vec<TokenStream> {
    let mut first = 0;
    let take = |part: &&Part| {
        let (columns, made) = (part.shape.get(1).copied().unwrap_or(1), matrix(part));
        let column = |column: usize| {
            let places = (first + column..first + part.size()).step_by(columns);
            let places = places.map(Literal::usize_unsuffixed);
            quote!([#(all[#places]),*])
        };
        let all: Vec<TokenStream> = (0..columns).map(column).collect();
        first += part.size();
        quote!(<#made>::from([#(#all),*]))
    };
    parts.iter().map(take).collect()
}
