//! What a contact may have beside gap and law: rows of its own, conditions, relabelling, assigned
//! velocities. Methods that no contact of a system needs are not written.

use super::Emission;
use super::functions::{Sizes, arguments};
use eom_symbolic::mechanics::{Bound, Contact, Relation};
use eom_symbolic::program::{Kernel, Reads};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

impl Emission<'_> {
    /// `contact_rows` and `contact_drift`.
    pub(crate) fn contact_row_methods(&self) -> TokenStream {
        let (place, at) = self.given(Reads::Position);
        let (state, arrays) = self.given(Reads::State);
        let rows = self.arms(
            Kernel::ContactRows,
            |kernel| quote!(::eom_core::private::distribute(&#kernel, "a, b", a, b)),
        );
        let drifts = self.arms(
            Kernel::ContactDrift,
            |kernel| quote!(*::eom_core::private::array_mut("γ", γ) = #kernel),
        );
        if rows.is_empty() {
            return TokenStream::new();
        }
        quote! {
            fn contact_rows(&self, contact: usize, #place, a: &mut [f64], b: &mut [f64]) {
                #at
                match contact {
                    #(#rows)*
                    _ => {}
                }
            }

            fn contact_drift(&self, contact: usize, #state, γ: &mut [f64]) {
                #arrays
                match contact {
                    #(#drifts)*
                    _ => {}
                }
            }
        }
    }

    /// `impact_direction`, where some contact has one.
    pub(crate) fn impact_direction_method(&self) -> TokenStream {
        let (place, at) = self.given(Reads::Position);
        let arms = self.arms(Kernel::Strikes, |kernel| {
            quote! {
                return ::core::option::Option::Some(::eom_core::private::impact_direction(
                    &#kernel, gradient, direction,
                ))
            }
        });
        if arms.is_empty() {
            return TokenStream::new();
        }
        quote! {
            fn impact_direction(
                &self,
                contact: usize,
                #place,
                gradient: &mut [f64],
                direction: &mut [f64],
            ) -> ::core::option::Option<::eom_core::system::ImpactDirection> {
                #at
                match contact {
                    #(#arms)*
                    _ => ::core::option::Option::None,
                }
            }
        }
    }

    /// One arm a program that computes something.
    fn arms(&self, kernel: Kernel, call: impl Fn(&TokenStream) -> TokenStream) -> Vec<TokenStream> {
        let programs = kernel.programs(&self.derivation.programs).iter();
        let kernels = programs.map(|program| self.of_program(program, kernel)).enumerate();
        kernels
            .filter_map(|(index, kernel)| {
                let (index, call) = (Literal::usize_unsuffixed(index), call(&kernel?));
                Some(quote!(#index => #call,))
            })
            .collect()
    }

    /// `armed`, `extents`, `relabel` and `assign`.
    pub(crate) fn contact_state_methods(&self) -> TokenStream {
        let (armed, extents) = (self.armed_method(), self.extents_method());
        [armed, extents, self.relabel_method(), self.assign_method()].into_iter().collect()
    }

    fn extents_method(&self) -> TokenStream {
        if self.derivation.programs.extents.outputs.is_empty() {
            return TokenStream::new();
        }
        let (all, arrays) = self.given(Reads::All);
        let extents = self.call(Kernel::Extents);
        quote! {
            fn extents(&self, #all, extents: &mut [f64]) {
                #arrays
                *::eom_core::private::array_mut("extents", extents) = #extents;
            }
        }
    }

    fn armed_method(&self) -> TokenStream {
        let contacts = &self.derivation.model.contacts;
        if contacts.iter().all(|contact| contact.when.is_empty()) {
            return TokenStream::new();
        }
        let (all, arrays) = self.given(Reads::All);
        let programs = self.derivation.programs.contact_conditions.iter();
        let arms = contacts.iter().zip(programs).enumerate();
        let arms = arms.filter(|(_, (contact, _))| !contact.when.is_empty());
        let arms = arms.map(|(index, (contact, program))| {
            let index = Literal::usize_unsuffixed(index);
            let kernel = self.kernel_call(program, Kernel::Armed);
            let comparisons = contact.when.iter().enumerate().map(comparison);
            quote!(#index => { let sides = #kernel; #(#comparisons)&&* })
        });
        quote! {
            fn armed(&self, contact: usize, #all) -> bool {
                #arrays
                match contact {
                    #(#arms)*
                    _ => true,
                }
            }
        }
    }

    fn relabel_method(&self) -> TokenStream {
        let contacts = self.derivation.model.contacts.iter().enumerate();
        let arms: Vec<TokenStream> =
            contacts.filter(|(_, contact)| !contact.relabel.is_empty()).map(exchange).collect();
        if arms.is_empty() {
            return TokenStream::new();
        }
        quote! {
            fn relabel(&self, contact: usize, q: &mut [f64], v: &mut [f64]) {
                match contact {
                    #(#arms)*
                    _ => {}
                }
            }
        }
    }

    fn assign_method(&self) -> TokenStream {
        let Sizes { m, .. } = self.sizes();
        let (_, _, v, _) = arguments();
        let (place, at) = self.given(Reads::Position);
        let programs = &self.derivation.programs.contact_assignments;
        let contacts = &self.derivation.model.contacts;
        let arms = contacts.iter().zip(programs).enumerate();
        let arms = arms.filter(|(_, (contact, _))| !contact.assigned.is_empty());
        let arms: Vec<TokenStream> = arms
            .map(|(index, (contact, program))| {
                let index = Literal::usize_unsuffixed(index);
                let kernel = self.kernel_call(program, Kernel::Assign);
                let assignments = contact.assigned.iter().enumerate().map(|(i, (target, _))| {
                    let (i, target) = (Literal::usize_unsuffixed(i), *target);
                    let target = Literal::usize_unsuffixed(target);
                    quote!(state_v[#target] = values[#i];)
                });
                quote!(#index => { let values = #kernel; #(#assignments)* })
            })
            .collect();
        if arms.is_empty() {
            return TokenStream::new();
        }
        quote! {
            fn assign(&self, contact: usize, #place, state_v: &mut [f64]) {
                #at
                let #v: [f64; #m] = *::eom_core::private::array::<_, #m>("v", state_v);
                let #v = &#v;
                match contact {
                    #(#arms)*
                    _ => {}
                }
            }
        }
    }
}

/// `sides[0] < sides[1]`.
fn comparison((index, bound): (usize, &Bound)) -> TokenStream {
    let left = Literal::usize_unsuffixed(2 * index);
    let right = Literal::usize_unsuffixed(2 * index + 1);
    let relation = match bound.relation {
        Relation::Less => quote!(<),
        Relation::LessEqual => quote!(<=),
        Relation::Greater => quote!(>),
        Relation::GreaterEqual => quote!(>=),
    };
    quote!((sides[#left] #relation sides[#right]))
}

/// `0 => { q.swap(1, 2); v.swap(1, 2); }`
fn exchange((index, contact): (usize, &Contact)) -> TokenStream {
    let index = Literal::usize_unsuffixed(index);
    let swaps = contact.relabel.iter().flat_map(|&(a, b)| {
        let (a, b) = (Literal::usize_unsuffixed(a), Literal::usize_unsuffixed(b));
        ["q", "v"].map(|state| {
            let state = format_ident!("{state}");
            quote!(#state.swap(#a, #b);)
        })
    });
    quote!(#index => { #(#swaps)* })
}
