//! The implementation of `eom_core::Lanes`: the dynamics over numbers of a generic type, so that many
//! states are evaluated side by side.

use super::functions::{Sizes, arguments};
use super::program::{Body, Sources, body_in_lanes};
use super::{Emission, local, quiet};
use eom_symbolic::program::{Instruction, Program};
use eom_symbolic::{SymbolId, SymbolKind};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// Functions that are given at run time and integrals take one state at a time.
pub(super) fn is_straight(program: &Program) -> bool {
    let one_by_one =
        |i: &Instruction| matches!(i, Instruction::Partial(..) | Instruction::Integral(..));
    !program.instructions.iter().any(one_by_one)
}

impl Emission<'_> {
    /// The expression of a symbol in lanes, where q, v and u are asked for by index.
    pub(super) fn lane_input(&self, symbol: SymbolId) -> TokenStream {
        let (t, q, v, u) = arguments();
        let at = |list: &Ident, index: usize| {
            let index = Literal::usize_unsuffixed(index);
            quote!(#list(#index))
        };
        match self.derivation.model.pool.symbol_info(symbol).kind {
            SymbolKind::Coordinate(index) => at(&q, index),
            SymbolKind::Velocity(index) => at(&v, index),
            SymbolKind::Input(index) => at(&u, index),
            SymbolKind::Time => quote!(#t),
            _ => {
                let number = self.input(symbol);
                quote!(#t.of(#number))
            }
        }
    }

    /// `impl Lanes for Penny`; `None` where the dynamics are not straight code.
    pub(crate) fn lanes_impl(&self) -> Option<TokenStream> {
        let programs = &self.derivation.programs;
        let program = &programs.prepared.dynamics;
        if !programs.dynamics_solved || !is_straight(&programs.dynamics) {
            return None;
        }
        let (name, quiet) = (&self.name, quiet());
        let Sizes { n, m, k, r, .. } = self.sizes();
        let (t, q, v, u) = arguments();
        let (real, c) = (local("R"), local("c"));
        let (count, constants) = (self.constants(), self.own_constants());
        let input = |symbol| self.lane_input(symbol);
        let sources = Sources { input: &input, partials: &|_, _| TokenStream::new() };
        let Body { statements, outputs } = body_in_lanes(program, &sources, &t, &c);
        let (accelerations, multipliers) = outputs.split_at(self.derivation.model.speeds.len());
        Some(quote! {
            #[automatically_derived]
            #quiet
            impl ::eom_core::Lanes for #name {
                type Positions<T> = [T; #n];
                type Speeds<T> = [T; #m];
                type Rows<T> = [T; #k];
                type Inputs<T> = [T; #r];
                type Constants = [f64; #count];

                #[inline]
                fn constants(&self) -> [f64; #count] {
                    *#constants
                }

                #[inline(always)]
                fn dynamics_in_lanes<#real: ::eom_core::elementary::Real>(
                    &self,
                    #c: &[f64; #count],
                    #t: #real,
                    #q: impl ::core::ops::Fn(usize) -> #real,
                    #v: impl ::core::ops::Fn(usize) -> #real,
                    #u: impl ::core::ops::Fn(usize) -> #real,
                ) -> ([#real; #m], [#real; #k]) {
                    #(#statements)*
                    ([#(#accelerations),*], [#(#multipliers),*])
                }
            }
        })
    }
}
