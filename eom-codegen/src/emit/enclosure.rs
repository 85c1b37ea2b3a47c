//! Tapes of a system as static data.

use super::{Emission, field};
use crate::pipeline::Derivation;
use eom_symbolic::program::SystemTape;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

impl Emission<'_> {
    /// `programs`, where there is any tape.
    pub(crate) fn programs_method(&self) -> TokenStream {
        let Derivation { model, equations, programs, .. } = self.derivation;
        let tapes = programs.tapes(model, equations);
        let named = [
            (quote!(gaps), &tapes.gaps),
            (quote!(guards), &tapes.guards),
            (quote!(extents), &tapes.extents),
            (quote!(rates), &tapes.rates),
            (quote!(accelerations), &tapes.accelerations),
            (quote!(forces), &tapes.forces),
            (quote!(mass_matrix), &tapes.mass_matrix),
            (quote!(constraint_rows), &tapes.constraint_rows),
            (quote!(holonomic), &tapes.holonomic),
            (quote!(contact_rows), &tapes.contact_rows),
            (quote!(contact_forces), &tapes.contact_forces),
            (quote!(borne_forces), &tapes.borne_forces),
            (quote!(frictions), &tapes.frictions),
            (quote!(resets), &tapes.resets),
            (quote!(outputs), &tapes.outputs),
            (quote!(starts), &tapes.starts),
        ];
        let some = named.into_iter().filter_map(|(name, tape)| Some((name, tape.as_ref()?)));
        let fields: Vec<TokenStream> =
            some.map(|(name, tape)| self.tape_field(&name, tape)).collect();
        if fields.is_empty() {
            return TokenStream::new();
        }
        quote! {
            fn programs(&self) -> ::eom_core::enclosure::Programs<'_> {
                ::eom_core::enclosure::Programs {
                    #(#fields)*
                    ..::core::default::Default::default()
                }
            }
        }
    }

    /// A tape, as long as the functions in it are those of the declaration.
    fn tape_field(&self, name: &TokenStream, found: &SystemTape) -> TokenStream {
        let tape = tape(found);
        let functions = &self.derivation.model.functions;
        let declared = found.defaults.iter().map(|function| {
            let function = field(&functions[*function].named.name);
            quote!(::eom_core::SmoothFunction::given(&self.#function).is_none())
        });
        quote! {
            #name: {
                static TAPE: ::eom_core::enclosure::Tape = #tape;
                (true #(&& #declared)*).then_some(&TAPE)
            },
        }
    }
}

/// The tape as a constant expression.
fn tape(found: &SystemTape) -> TokenStream {
    let tape = &found.tape;
    let size = Literal::usize_unsuffixed;
    let [positions, speeds, inputs] =
        [tape.inputs.positions, tape.inputs.speeds, tape.inputs.inputs].map(size);
    let [parameters, fixed, registers] = [tape.parameters, tape.fixed, tape.registers].map(size);
    let constants = list(tape.constants.iter().map(|c| super::program::constant(*c)));
    let operations = list(tape.operations.iter().map(|code| Literal::u64_unsuffixed(*code)));
    let outputs = list(tape.outputs.iter().map(|output| Literal::u32_unsuffixed(*output)));
    let solve = match tape.solve {
        None => quote!(::core::option::Option::None),
        Some(solve) => {
            let (unknowns, rows, coupled) = (size(solve.unknowns), size(solve.rows), solve.coupled);
            quote! {
                ::core::option::Option::Some(::eom_core::enclosure::Solve {
                    unknowns: #unknowns, rows: #rows, coupled: #coupled,
                })
            }
        }
    };
    quote! {
        ::eom_core::enclosure::Tape {
            inputs: ::eom_core::enclosure::Inputs {
                positions: #positions, speeds: #speeds, inputs: #inputs,
            },
            parameters: #parameters,
            constants: #constants,
            fixed: #fixed,
            operations: #operations,
            registers: #registers,
            outputs: #outputs,
            solve: #solve,
        }
    }
}

fn list(items: impl Iterator<Item = impl quote::ToTokens>) -> TokenStream {
    quote!(::std::borrow::Cow::Borrowed(&[#(#items),*]))
}
