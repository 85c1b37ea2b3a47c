//! The implementation of `eom_core::Lanes`: the dynamics over numbers of a generic type, so that many
//! states are evaluated side by side.

use super::functions::{Sizes, arguments};
use super::program::{Body, Sources, body_in_lanes};
use super::{Emission, local, quiet};
use eom_symbolic::SymbolKind;
use eom_symbolic::program::{Instruction, Program};
use proc_macro2::TokenStream;
use quote::quote;

/// Functions that are given at run time and integrals take one state at a time.
fn is_straight(program: &Program) -> bool {
    let one_by_one =
        |i: &Instruction| matches!(i, Instruction::Partial(..) | Instruction::Integral(..));
    !program.instructions.iter().any(one_by_one)
}

impl Emission<'_> {
    /// `impl Lanes for Penny`; `None` where the dynamics are not straight code.
    pub(crate) fn lanes_impl(&self) -> Option<TokenStream> {
        let programs = &self.derivation.programs;
        let program = &programs.dynamics;
        if !programs.dynamics_solved || !is_straight(program) {
            return None;
        }
        let (name, quiet) = (&self.name, quiet());
        let Sizes { n, m, k, r, .. } = self.sizes();
        let (t, q, v, u) = arguments();
        let real = local("R");
        let input = |symbol| {
            let number = self.input(symbol);
            match self.derivation.model.pool.symbol_info(symbol).kind {
                SymbolKind::Parameter(_) => quote!(#t.of(#number)),
                _ => number,
            }
        };
        let sources = Sources { input: &input, partials: &|_, _| TokenStream::new() };
        let Body { statements, outputs } = body_in_lanes(program, &sources, &t);
        let (accelerations, multipliers) = outputs.split_at(self.derivation.model.speeds.len());
        Some(quote! {
            #[automatically_derived]
            #quiet
            impl ::eom_core::Lanes for #name {
                type Positions<T> = [T; #n];
                type Speeds<T> = [T; #m];
                type Rows<T> = [T; #k];
                type Inputs<T> = [T; #r];

                #[inline(always)]
                fn dynamics_in_lanes<#real: ::eom_core::elementary::Real>(
                    &self,
                    #t: #real,
                    #q: &[#real; #n],
                    #v: &[#real; #m],
                    #u: &[#real; #r],
                ) -> ([#real; #m], [#real; #k]) {
                    #(#statements)*
                    ([#(#accelerations),*], [#(#multipliers),*])
                }
            }
        })
    }
}
