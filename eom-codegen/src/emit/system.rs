//! The implementation of `eom_core::System`: slices in and out around the kernels.

use super::functions::{Sizes, arguments, dynamics_call};
use super::{Emission, field, local, quiet};
use eom_symbolic::mechanics::{Law, Restitution, Unknown};
use eom_symbolic::program::{Kernel, Program, Reads};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

impl Emission<'_> {
    /// `impl System for Penny`, and the other parts of a system.
    pub(crate) fn system_impl(&self) -> TokenStream {
        let info = quote! {
            #[inline]
            fn info(&self) -> &'static ::eom_core::info::SystemInfo {
                Self::INFO
            }
        };
        let dynamics = [
            info,
            self.parameters_method(),
            self.check_method(),
            self.rates_method(),
            self.accelerations_method(),
            self.pairing_method(),
            self.prepared_methods(),
            self.frictionless_method(),
            self.matrix_methods(),
            self.energy_method(),
            self.powers_method(),
            self.outputs_method(),
            self.scenario_method(),
            self.sentence_method().unwrap_or_default(),
        ];
        let contacts =
            [self.contact_methods(), self.contact_row_methods(), self.contact_state_methods()];
        let specialised =
            [self.series_methods(), self.programs_method(), self.impact_direction_method()];
        let parts = [
            self.part(&quote!(::eom_core::System), &dynamics),
            self.part(&quote!(::eom_core::Contacts), &contacts),
            self.part(&quote!(::eom_core::Events), &[self.event_methods()]),
            self.part(&quote!(::eom_core::Friction), &[self.friction_methods()]),
            self.part(&quote!(::eom_core::system::Specialised), &specialised),
        ];
        quote!(#(#parts)*)
    }

    /// The implementation of one part: its methods that are not the trait's own.
    fn part(&self, part: &TokenStream, methods: &[TokenStream]) -> TokenStream {
        let (name, quiet) = (&self.name, quiet());
        quote! {
            #[automatically_derived]
            #quiet
            impl #part for #name {
                #(#methods)*
            }
        }
    }

    /// `pairing_sign`, where forces hold multipliers.
    fn pairing_method(&self) -> TokenStream {
        if !self.derivation.equations.is_coupled() {
            return TokenStream::new();
        }
        let Sizes { m, k, .. } = self.sizes();
        let (all, arrays) = self.given(Reads::All);
        let dynamics = &self.derivation.programs.prepared.dynamics;
        let call = dynamics_call(dynamics, &self.own_constants());
        quote! {
            fn pairing_sign(&self, #all) -> ::core::option::Option<f64> {
                #arrays
                ::core::option::Option::Some(::eom_core::private::pairing_sign(&#call, #m, #k))
            }
        }
    }

    fn parameters_method(&self) -> TokenStream {
        let fields = self.derivation.model.parameters.iter().map(|p| {
            let field = field(&p.named.name);
            quote!(self.#field)
        });
        quote! {
            fn parameters(&self, values: &mut [f64]) {
                *::eom_core::private::array_mut("values", values) = [#(#fields),*];
            }
        }
    }

    /// q̇ = S(q) v; without rotations and quasi-velocities the trait has it.
    fn rates_method(&self) -> TokenStream {
        if self.derivation.model.kinematics.is_none() {
            return TokenStream::new();
        }
        let (state, arrays) = self.given(Reads::State);
        let rates = self.call(Kernel::Rates);
        quote! {
            #[inline]
            fn rates(&self, #state, rates: &mut [f64]) {
                #arrays
                *::eom_core::private::array_mut("rates", rates) = #rates;
            }
        }
    }

    fn accelerations_method(&self) -> TokenStream {
        let (t, q, v, u) = arguments();
        let (all, _) = self.given(Reads::All);
        let constants = self.own_constants();
        quote! {
            #[inline]
            fn accelerations(&self, #all, a: &mut [f64], λ: &mut [f64]) {
                ::eom_core::System::prepared_accelerations(self, #constants, #t, #q, #v, #u, a, λ);
            }
        }
    }

    /// The dynamics with what depends on the parameters only computed before, also where that is nothing:
    /// to hand over so many arguments once more would take a third of the time of a small system.
    fn prepared_methods(&self) -> TokenStream {
        let prepared = &self.derivation.programs.prepared;
        let Sizes { m, k, .. } = self.sizes();
        let ((all, arrays), c) = (self.given(Reads::All), local("c"));
        let (own, count) = (self.own_constants(), self.constants());
        let solve = self.solve(&prepared.dynamics, &quote!(#c));
        quote! {
            #[inline]
            fn prepared(&self) -> usize {
                #count
            }

            fn prepare(&self, #c: &mut [f64]) {
                #c.copy_from_slice(#own);
            }

            #[inline]
            fn prepared_accelerations(&self, #c: &[f64], #all, a: &mut [f64], λ: &mut [f64]) {
                #arrays
                let #c = ::eom_core::private::array::<_, #count>("c", #c);
                let a: &mut [f64; #m] = ::eom_core::private::array_mut("a", a);
                let λ: &mut [f64; #k] = ::eom_core::private::array_mut("λ", λ);
                #solve;
            }
        }
    }

    fn matrix_methods(&self) -> TokenStream {
        let Sizes { m, .. } = self.sizes();
        let (place, at) = self.given(Reads::Position);
        let mass = match self.mass_columns(&quote!(m)) {
            Some(columns) => quote!(#columns;),
            None => {
                let lower = self.computed(Kernel::MassMatrix);
                let unpacked = lower.map(|lower| unpacked(&lower, &m));
                unpacked.unwrap_or_else(|| quote!(m.fill(::core::primitive::f64::NAN);))
            }
        };
        let at_velocities = self.computed(Kernel::MassMatrixAt).map(|lower| {
            let (state, arrays) = self.given(Reads::State);
            let unpacked = unpacked(&lower, &m);
            quote! {
                fn mass_matrix_at(&self, #state, m: &mut [f64]) {
                    #arrays
                    #unpacked
                }
            }
        });
        let rows = self.rows_method();
        let holonomic = self.call(Kernel::Holonomic);
        quote! {
            fn mass_matrix(&self, #place, m: &mut [f64]) {
                #at
                #mass
            }

            #at_velocities

            #rows

            fn holonomic(&self, #place, φ: &mut [f64]) {
                #at
                *::eom_core::private::array_mut("φ", φ) = #holonomic;
            }
        }
    }

    /// A and b, those of v where a row is not affine in the velocities.
    fn rows_method(&self) -> TokenStream {
        let at_velocities = self.computed(Kernel::ConstraintRowsAt);
        let (name, reads, rows) = match at_velocities {
            Some(rows) => (quote!(constraint_rows_at), Reads::State, rows),
            None => (quote!(constraint_rows), Reads::Position, self.call(Kernel::ConstraintRows)),
        };
        let (given, arrays) = self.given(reads);
        quote! {
            fn #name(&self, #given, a: &mut [f64], b: &mut [f64]) {
                #arrays
                ::eom_core::private::distribute(&#rows, "a, b", a, b);
            }
        }
    }

    fn energy_method(&self) -> TokenStream {
        let (state, arrays) = self.given(Reads::State);
        let energy = self.call(Kernel::Energy);
        quote! {
            fn energy(&self, #state) -> ::eom_core::Energy {
                #arrays
                let [kinetic, potential, jacobi] = #energy;
                ::eom_core::Energy { kinetic, potential, jacobi }
            }
        }
    }

    /// Where no line does work, the trait's own does.
    fn powers_method(&self) -> TokenStream {
        let powers = self.computed(Kernel::Powers);
        let Some(powers) = powers else { return TokenStream::new() };
        let (all, arrays) = self.given(Reads::All);
        quote! {
            fn powers(&self, #all, λ: &[f64], powers: &mut [f64]) {
                #arrays
                ::eom_core::private::affine(&#powers, λ, powers);
            }
        }
    }

    fn contact_methods(&self) -> TokenStream {
        if self.derivation.model.contacts.is_empty() {
            // What acts with the friction of constraints.
            return self.forces_method(Kernel::BorneForces);
        }
        let (place, at) = self.given(Reads::Position);
        let (state, arrays) = self.given(Reads::State);
        let gaps = self.call(Kernel::Gaps);
        let rows = self.call(Kernel::GapRows);
        let [forces, borne] =
            [Kernel::ContactForces, Kernel::BorneForces].map(|kernel| self.forces_method(kernel));
        let drift = self.call(Kernel::GapDrift);
        let (laws, restitution) = (self.laws(), self.restitution_method());
        quote! {
            fn gaps(&self, #place, g: &mut [f64]) {
                #at
                *::eom_core::private::array_mut("g", g) = #gaps;
            }

            fn gap_rows(&self, #place, grad: &mut [f64], rate: &mut [f64]) {
                #at
                ::eom_core::private::distribute(&#rows, "grad, rate", grad, rate);
            }

            #forces

            #borne

            fn gap_drift(&self, #state, drift: &mut [f64]) {
                #arrays
                *::eom_core::private::array_mut("drift", drift) = #drift;
            }

            fn law(&self, contact: usize) -> ::eom_core::Law {
                match contact {
                    #(#laws)*
                    _ => ::eom_core::Law::Restitution(f64::NAN),
                }
            }

            #restitution
        }
    }

    /// What e is the ratio of, where that is other than of rates.
    fn restitution_method(&self) -> Option<TokenStream> {
        let contacts = self.derivation.model.contacts.iter().enumerate();
        let others: Vec<TokenStream> = contacts
            .filter_map(|(index, contact)| {
                let index = Literal::usize_unsuffixed(index);
                let of = match contact.restitution {
                    Restitution::Newton => return None,
                    Restitution::Poisson => quote!(Poisson),
                    Restitution::Stronge => quote!(Stronge),
                };
                Some(quote!(#index => ::eom_core::system::Restitution::#of,))
            })
            .collect();
        (!others.is_empty()).then(|| {
            quote! {
                fn restitution(&self, contact: usize) -> ::eom_core::system::Restitution {
                    match contact {
                        #(#others)*
                        _ => ::eom_core::system::Restitution::Newton,
                    }
                }
            }
        })
    }

    /// The forces of a kernel by contacts; where there are none, the trait's own does.
    fn forces_method(&self, kernel: Kernel) -> TokenStream {
        let Some(forces) = self.computed(kernel) else { return TokenStream::new() };
        let (given, arrays) = self.given(kernel.reads());
        let name = format_ident!("{}", kernel.name());
        quote! {
            fn #name(&self, #given, forces: &mut [f64]) {
                #arrays
                *::eom_core::private::array_mut("forces", forces) = #forces;
            }
        }
    }

    fn laws(&self) -> Vec<TokenStream> {
        let contacts = self.derivation.model.contacts.iter().enumerate();
        contacts
            .map(|(index, contact)| {
                let index = Literal::usize_unsuffixed(index);
                let law = match contact.law {
                    Law::ELASTIC => quote!(Elastic),
                    Law::PLASTIC => quote!(Plastic),
                    Law::Restitution([kept, e, tangential]) if kept == e && e == tangential => {
                        let e = self.of_self(e);
                        quote!(Restitution(#e))
                    }
                    Law::Restitution([_, normal, tangential]) => {
                        let (normal, tangential) = (self.of_self(normal), self.of_self(tangential));
                        quote!(Oblique { normal: #normal, tangential: #tangential })
                    }
                    Law::Project => quote!(Project),
                    Law::Assign => quote!(Assign),
                };
                quote!(#index => ::eom_core::Law::#law,)
            })
            .collect()
    }

    fn event_methods(&self) -> TokenStream {
        if self.derivation.model.events.is_empty() {
            return TokenStream::new();
        }
        let (t, q, v, u) = arguments();
        let (all, arrays) = self.given(Reads::All);
        let guards = self.call(Kernel::Guards);
        let resets = self.resets();
        let program = &self.derivation.programs.guards;
        let (unknown, with_forces) = self.with_forces(program, "guards", &guards);
        let holding = self.derivation.model.events.iter().enumerate();
        let pool = &self.derivation.model.pool;
        let holding = holding.filter(|(_, event)| pool.holds_forces(event.guard));
        let holding = holding.map(|(index, _)| Literal::usize_unsuffixed(index));
        let holds = with_forces.is_some().then(|| {
            quote! {
                fn guard_holds_forces(&self, event: usize) -> bool {
                    [#(#holding),*].contains(&event)
                }
            }
        });
        quote! {
            fn guards(&self, #all, guards: &mut [f64]) {
                #arrays
                #unknown
                *::eom_core::private::array_mut("guards", guards) = #guards;
            }

            #holds

            #with_forces

            fn reset(
                &self,
                event: usize,
                #t: f64,
                state_q: &mut [f64],
                state_v: &mut [f64],
                #u: &[f64],
            ) {
                let (#q, #v): (&[f64], &[f64]) = (state_q, state_v);
                #arrays
                match event {
                    #(#resets)*
                    _ => {}
                }
            }
        }
    }

    /// Where nothing is to be computed along a run, the trait's own does.
    fn outputs_method(&self) -> TokenStream {
        if self.derivation.model.outputs.is_empty() {
            return TokenStream::new();
        }
        let (all, arrays) = self.given(Reads::All);
        let outputs = self.call(Kernel::Outputs);
        let program = &self.derivation.programs.outputs;
        let (unknown, with_forces) = self.with_forces(program, "outputs", &outputs);
        let holds = with_forces.is_some().then(|| {
            quote! {
                fn outputs_hold_forces(&self) -> bool {
                    true
                }
            }
        });
        quote! {
            fn outputs(&self, #all, outputs: &mut [f64]) {
                #arrays
                #unknown
                *::eom_core::private::array_mut("outputs", outputs) = #outputs;
            }

            #holds

            #with_forces
        }
    }

    /// Of a program that holds forces: these as numbers that are none, and the method that is given them.
    fn with_forces(
        &self,
        program: &Program,
        name: &str,
        call: &TokenStream,
    ) -> (Option<TokenStream>, Option<TokenStream>) {
        if !self.reads_forces(program) {
            return (None, None);
        }
        let (all, arrays) = self.given(Reads::All);
        let (λ, count) = (local("λ"), self.forces_of_mode());
        let (method, to) = (local(&format!("{name}_with_forces")), local(name));
        let with_forces = quote! {
            fn #method(&self, #all, #λ: &[f64], #to: &mut [f64]) {
                #arrays
                let #λ = ::eom_core::private::array::<_, #count>("forces", #λ);
                *::eom_core::private::array_mut(#name, #to) = #call;
            }
        };
        (Some(quote!(let #λ = &[f64::NAN; #count];)), Some(with_forces))
    }

    /// One arm an event that resets; right sides are all taken before the first assignment.
    fn resets(&self) -> Vec<TokenStream> {
        let model = &self.derivation.model;
        let programs = self.derivation.programs.resets.iter();
        let events = model.events.iter().zip(programs).enumerate();
        events
            .filter(|(_, (event, _))| !event.resets.is_empty())
            .map(|(index, (event, program))| {
                let index = Literal::usize_unsuffixed(index);
                let values = self.reset_values(program);
                let assignments = event.resets.iter().enumerate().map(|(position, reset)| {
                    let position = Literal::usize_unsuffixed(position);
                    let (state, target) = match reset.target {
                        Unknown::Coordinate(target) => (quote!(state_q), target),
                        Unknown::Velocity(target) => (quote!(state_v), target),
                    };
                    let target = Literal::usize_unsuffixed(target);
                    quote!(#state[#target] = values[#position];)
                });
                quote!(#index => { let values = #values; #(#assignments)* })
            })
            .collect()
    }

    fn reset_values(&self, program: &Program) -> TokenStream {
        self.kernel_call(program, Kernel::Reset)
    }
}

/// Writes M, of its lower triangle.
fn unpacked(lower: &TokenStream, m: &impl ToTokens) -> TokenStream {
    quote!(::eom_core::private::unpack::<#m>(&#lower, "m", m);)
}
