//! Scenarios and sentences: their values as functions of the parameters, and the state in which a scenario starts.

use super::{Emission, quiet};
use eom_symbolic::mechanics::EventCount;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

impl Emission<'_> {
    /// `penny.start("roll")`, where there is a scenario.
    pub(crate) fn start_function(&self) -> Option<TokenStream> {
        let scenario = self.derivation.model.scenarios.first()?;
        let docs = format!(
            " The state in which a scenario starts, its unknowns solved from the constraints: \
             `start({:?})`.",
            scenario.named.name
        );
        let (name, quiet, visibility) = (&self.name, quiet(), &self.visibility);
        Some(quote! {
            #quiet
            impl #name {
                #[doc = #docs]
                #visibility fn start(
                    &self,
                    scenario: &str,
                ) -> ::core::result::Result<::eom_core::State, ::eom_core::ScenarioError> {
                    ::eom_core::start_scenario(self, scenario)
                }
            }
        })
    }

    /// `System::scenario`.
    pub(crate) fn scenario_method(&self) -> TokenStream {
        let scenarios = self.derivation.model.scenarios.iter().enumerate();
        let arms = scenarios.map(|(index, scenario)| {
            let index = Literal::usize_unsuffixed(index);
            let t = self.of_self(scenario.time);
            let list = |values: &[eom_symbolic::ExprId]| -> Vec<TokenStream> {
                values.iter().map(|value| self.of_self(*value)).collect()
            };
            let (q, v) = (list(&scenario.position), list(&scenario.velocity));
            let u = list(&scenario.inputs);
            let until_time = option(scenario.until_time.map(|t| self.of_self(t)));
            let until_impacts = option(scenario.until_impacts.map(|n| {
                let n = Literal::usize_unsuffixed(n);
                quote!(#n)
            }));
            let until_events = option(scenario.until_events.map(|EventCount { event, count }| {
                let event = option(event.map(|event| {
                    let event = Literal::usize_unsuffixed(event);
                    quote!(#event)
                }));
                let count = Literal::usize_unsuffixed(count);
                quote!(::eom_core::EventCount { event: #event, count: #count })
            }));
            quote! {
                #index => ::core::option::Option::Some(::eom_core::Scenario {
                    t: #t,
                    q: ::std::vec![#(#q),*],
                    v: ::std::vec![#(#v),*],
                    u: ::std::vec![#(#u),*],
                    until_time: #until_time,
                    until_impacts: #until_impacts,
                    until_events: #until_events,
                }),
            }
        });
        quote! {
            fn scenario(&self, index: usize) -> ::core::option::Option<::eom_core::Scenario> {
                match index {
                    #(#arms)*
                    _ => ::core::option::Option::None,
                }
            }
        }
    }
}

impl Emission<'_> {
    /// `System::sentence`, where something is said.
    pub(crate) fn sentence_method(&self) -> Option<TokenStream> {
        let sentences = &self.derivation.model.sentences;
        let of = |value: eom_symbolic::ExprId| self.of_self(value);
        let arms = sentences.iter().enumerate().map(|(index, said)| {
            let index = Literal::usize_unsuffixed(index);
            let settings = said.settings.iter().map(|(_, value)| of(*value));
            let numbers = said.numbers.iter().map(|number| of(*number));
            let (value, within) = (of(said.value), option(said.within.map(of)));
            quote! {
                #index => ::core::option::Option::Some(::eom_core::Sentence {
                    settings: ::std::vec![#(#settings),*],
                    numbers: ::std::vec![#(#numbers),*],
                    value: #value,
                    within: #within,
                }),
            }
        });
        (!sentences.is_empty()).then(|| {
            quote! {
                fn sentence(&self, index: usize) -> ::core::option::Option<::eom_core::Sentence> {
                    match index {
                        #(#arms)*
                        _ => ::core::option::Option::None,
                    }
                }
            }
        })
    }
}

fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}
