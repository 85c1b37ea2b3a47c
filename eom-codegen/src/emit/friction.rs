//! Dry friction: the methods and the table that only systems with it have.

use super::Emission;
use super::functions::{Sizes, arguments};
use eom_symbolic::program::Kernel;
use proc_macro2::{Literal, TokenStream};
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
        if self.derivation.equations.friction.points.is_empty() {
            return TokenStream::new();
        }
        let Sizes { m, k, .. } = self.sizes();
        let (t, q, v, u) = arguments();
        let solve = self.solve(&self.derivation.programs.frictionless, &self.own_constants());
        let arrays = self.state_arrays();
        quote! {
            fn frictionless(
                &self,
                #t: f64,
                #q: &[f64],
                #v: &[f64],
                #u: &[f64],
                a: &mut [f64],
                λ: &mut [f64],
            ) {
                #arrays
                let a: &mut [f64; #m] = ::eom_core::private::array_mut("a", a);
                let λ: &mut [f64; #k] = ::eom_core::private::array_mut("λ", λ);
                #solve;
            }
        }
    }

    fn point_methods(&self) -> TokenStream {
        let Sizes { n, m, .. } = self.sizes();
        let (t, q, v, _) = arguments();
        let frictions = self.call(Kernel::Frictions);
        quote! {
            fn frictions(
                &self,
                #t: f64,
                #q: &[f64],
                #v: &[f64],
                c: &mut [f64],
                w: &mut [f64],
                rows: &mut [f64],
                drift: &mut [f64],
            ) {
                let #q = ::eom_core::private::array::<_, #n>("q", #q);
                let #v = ::eom_core::private::array::<_, #m>("v", #v);
                ::eom_core::private::scatter(&#frictions, "c, w, rows, drift", [c, w, rows, drift]);
            }
        }
    }

    fn dry_friction_method(&self) -> TokenStream {
        let Sizes { n, m, .. } = self.sizes();
        let (t, q, v, _) = arguments();
        let whole = self.call(Kernel::DryFriction);
        quote! {
            fn dry_friction(&self, #t: f64, #q: &[f64], #v: &[f64], force: &mut [f64]) -> f64 {
                let #q = ::eom_core::private::array::<_, #n>("q", #q);
                let #v = ::eom_core::private::array::<_, #m>("v", #v);
                let all = #whole;
                force.copy_from_slice(&all[1..]);
                all[0]
            }
        }
    }

    /// The entries of `INFO.frictions`.
    pub(crate) fn friction_table(&self) -> Vec<TokenStream> {
        let friction = &self.derivation.equations.friction;
        let components = friction.points.iter().map(|point| point.components.len());
        let components = components.chain(friction.spread.map(|_| 0));
        let names = self.derivation.frictions.iter().zip(components);
        names
            .map(|(name, components)| {
                let components = Literal::usize_unsuffixed(components);
                quote! {
                    ::eom_core::info::FrictionInfo { name: #name, components: #components }
                }
            })
            .collect()
    }
}
