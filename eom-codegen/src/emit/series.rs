//! The series of a motion: order 0 as straight-line code, then the recurrence, which the core calls
//! once an order.

use super::functions::arguments;
use super::partials::partials_call;
use super::program::{Sources, series_bodies};
use super::{Emission, local};
use eom_symbolic::program::Series;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// Rows and sums are filled up to multiples of these, those of `eom_core::series`, which does not compile
/// with others.
const ROW: usize = 4;
const PADDING: usize = 8;

impl Emission<'_> {
    /// `has_series` and `series`; the trait has those of systems without.
    pub(crate) fn series_methods(&self) -> TokenStream {
        let Some(series) = &self.derivation.programs.series else { return TokenStream::new() };
        let (t, q, v, u) = arguments();
        let arrays = self.state_arrays();
        let expansion = self.expansion(series);
        quote! {
            #[inline]
            fn has_series(&self) -> bool {
                true
            }

            fn series(
                &self,
                #t: f64,
                #q: &[f64],
                #v: &[f64],
                #u: &[f64],
                series: &mut ::eom_core::series::Series,
            ) {
                #arrays
                #expansion
            }
        }
    }

    /// The statements of order 0 and the call with the recurrence.
    fn expansion(&self, series: &Series) -> TokenStream {
        let sources = Sources { input: &|symbol| self.input(symbol), partials: &partials_call };
        let (start, recurrence) = series_bodies(series, &sources);
        let (_, q, v, _) = arguments();
        let (slopes, factors) = recurrence.outputs.split_at(series.state + series.observed);
        let (left, rest) = factors.split_at(series.sums);
        let (right, handed) = rest.split_at(series.sums);
        let (outputs, slopes) = padded(slopes, ROW);
        let (sums, left) = padded(left, PADDING);
        let (_, right) = padded(right, PADDING);
        let (_, first) = padded(&start.outputs, ROW);
        let variables = Literal::usize_unsuffixed(2 + series.state + series.handed + sums);
        let [state, count, outputs, sums] =
            [series.state, series.handed, outputs, sums].map(Literal::usize_unsuffixed);
        let (order, list) = (local("s1"), local("n1"));
        let (values, statements) = (&start.statements, &recurrence.statements);
        quote! {
            #(#values)*
            series.expand::<#state, #outputs, #count, #sums, #variables>(
                [#q, #v],
                #first,
                #[inline(always)]
                |#order, #list, slopes, left, right, handed| {
                    #(#statements)*
                    *slopes = #slopes;
                    *left = #left;
                    *right = #right;
                    *handed = [#(#handed),*];
                },
            );
        }
    }
}

/// Values as an array that is filled up with zeros to a multiple of a number, and its length.
fn padded(values: &[TokenStream], to: usize) -> (usize, TokenStream) {
    let length = values.len().max(1).next_multiple_of(to);
    let zeros = vec![quote!(0.0); length - values.len()];
    (length, quote!([#(#values,)* #(#zeros),*]))
}
