//! Kernels: one straight-line function on arrays for each program; and the functions on vectors
//! that users call from their own simulators.

use self::Compiled::{AsBuilt, Given, InPlace};
use super::partials::partials_call;
use super::program::{Sources, body, straight_body};
use super::{Emission, local, quiet};
use crate::languages::motions;
use eom_symbolic::program::{Kernel, Program, Reads};
use eom_symbolic::{SymbolId, SymbolKind};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// Dynamics of so many operations at most stand where they are asked for: a call would hand its results
/// over in memory.
const INLINED_MAX: usize = 200;

/// For which machines a kernel is compiled.
#[derive(Clone, Copy)]
enum Compiled<'c> {
    /// For that of the build.
    AsBuilt,
    /// For those with fused products, too, given the constants of this array.
    Given(&'c Ident),
    /// The same without constants, where it is asked for: in one place.
    InPlace,
}

fn stands_in_place(program: &Program) -> bool {
    program.op_counts().total() <= INLINED_MAX
}

/// What the kernel of a program of the dynamics gives, with constants.
pub(crate) fn dynamics_call(program: &Program, constants: &TokenStream) -> TokenStream {
    let (name, (t, q, v, u)) = (kernel_name(program), arguments());
    quote!(self.#name(#constants, #t, #q, #v, #u))
}

/// The sizes of a system as literals.
pub(crate) struct Sizes {
    /// Entries of q: coordinates and quaternions.
    pub(crate) n: Literal,
    /// Speeds.
    pub(crate) m: Literal,
    /// Constraint rows.
    pub(crate) k: Literal,
    /// Inputs.
    pub(crate) r: Literal,
    /// Contacts.
    pub(crate) c: Literal,
}

impl Emission<'_> {
    /// The sizes.
    pub(crate) fn sizes(&self) -> Sizes {
        let model = &self.derivation.model;
        let literal = Literal::usize_unsuffixed;
        Sizes {
            n: literal(model.positions().len()),
            m: literal(model.speeds.len()),
            k: literal(model.rows.len()),
            r: literal(model.inputs.len()),
            c: literal(model.contacts.len()),
        }
    }

    /// The kernels.
    pub(crate) fn kernels(&self) -> TokenStream {
        let (name, quiet) = (&self.name, quiet());
        let programs = &self.derivation.programs;
        let prepared = self.prepared_kernels();
        let motions: Vec<Kernel> = motions(self.derivation).iter().map(|one| one.kernel).collect();
        let others = Kernel::ALL.iter().flat_map(|kernel| {
            let compiled = if motions.contains(kernel) { InPlace } else { AsBuilt };
            kernel.programs(programs).iter().map(move |p| self.kernel(p, compiled))
        });
        quote! {
            #quiet
            impl #name {
                #prepared
                #(#others)*
            }
        }
    }

    /// The number of constants that the dynamics captures.
    pub(crate) fn constants(&self) -> Literal {
        Literal::usize_unsuffixed(self.derivation.programs.prepared.constants.outputs.len())
    }

    /// What depends on parameters only, then the kernels of the dynamics, which are given it.
    fn prepared_kernels(&self) -> TokenStream {
        let prepared = &self.derivation.programs.prepared;
        let sources = Sources { input: &|symbol| self.input(symbol), partials: &partials_call };
        let body = body(&prepared.constants, &sources);
        let (statements, outputs) = (body.statements, body.outputs);
        let name = kernel_name(&prepared.constants);
        let count = self.constants();
        let c = local("c");
        let kernels =
            [&prepared.dynamics, &prepared.frictionless].map(|p| self.kernel(p, Given(&c)));
        quote! {
            /// What depends on the parameters only.
            #[doc(hidden)]
            #[inline]
            fn #name(&self) -> [f64; #count] {
                #(#statements)*
                [#(#outputs),*]
            }
            #(#kernels)*
        }
    }

    /// One kernel; those that a program leaves empty are not written.
    fn kernel(&self, program: &Program, compiled: Compiled<'_>) -> Option<TokenStream> {
        if program.outputs.is_empty() {
            return None;
        }
        let name = kernel_name(program);
        let Sizes { n, m, r, .. } = self.sizes();
        let count = Literal::usize_unsuffixed(program.outputs.len());
        let (t, q, v, u) = arguments();
        let sources = Sources { input: &|symbol| self.input(symbol), partials: &partials_call };
        let (body, constants) = match compiled {
            AsBuilt => (body(program, &sources), None),
            Given(c) => (straight_body(program, &sources, Some(c)), Some(c)),
            InPlace => (straight_body(program, &sources, None), None),
        };
        let (statements, outputs) = (body.statements, body.outputs);
        let counts = format!(" {}", program.op_counts());
        let given = constants.map(|c| {
            let count = self.constants();
            quote!(#c: &[f64; #count],)
        });
        let forces = self.reads_forces(program).then(|| {
            let (λ, count) = (local("λ"), self.forces_of_mode());
            quote!(#λ: &[f64; #count],)
        });
        let accelerations = program.reads_accelerations(&self.derivation.model.pool).then(|| {
            let a = local("a");
            quote!(#a: &[f64; #m],)
        });
        let direction = program.reads_direction(&self.derivation.model.pool).then(|| {
            let [(weights, every), (direction, entries)] = self.weights_and_direction();
            quote!(#weights: &[f64; #every], #direction: &[f64; #entries],)
        });
        let body = quote!(#(#statements)* [#(#outputs),*]);
        let (inline, body) = match compiled {
            Given(_) if !stands_in_place(program) => {
                (quote!(#[inline]), with_fused_products(program, &body))
            }
            Given(_) | InPlace => (quote!(#[inline(always)]), body),
            AsBuilt => (quote!(#[inline]), body),
        };
        Some(quote! {
            #[doc(hidden)]
            #[doc = #counts]
            #inline
            fn #name(
                &self,
                #given
                #t: f64,
                #q: &[f64; #n],
                #v: &[f64; #m],
                #u: &[f64; #r],
                #forces
                #accelerations
                #direction
            ) -> [f64; #count] {
                #body
            }
        })
    }

    /// Where a symbol's value stands in a kernel.
    pub(crate) fn input(&self, symbol: SymbolId) -> TokenStream {
        let (t, q, v, u) = arguments();
        let at = |array: &Ident, index: usize| {
            let index = Literal::usize_unsuffixed(index);
            quote!(#array[#index])
        };
        match self.derivation.model.pool.symbol_info(symbol).kind {
            SymbolKind::Time => quote!(#t),
            SymbolKind::Coordinate(index) => at(&q, index),
            SymbolKind::Velocity(index) => at(&v, index),
            SymbolKind::Input(index) => at(&u, index),
            SymbolKind::Acceleration(index) => at(&local("a"), index),
            SymbolKind::Weight(index) => at(&local("weights"), index),
            SymbolKind::Direction(index) => at(&local("direction"), index),
            SymbolKind::Parameter(index) => self.own_parameter(index),
            kind if kind.is_force() => match self.derivation.model.force_place(kind) {
                Some(place) => at(&local("λ"), place),
                None => quote!(f64::NAN),
            },
            _ => quote!(f64::NAN),
        }
    }

    /// Whether a kernel is given the forces of a mode.
    pub(crate) fn reads_forces(&self, program: &Program) -> bool {
        program.reads_forces(&self.derivation.model.pool)
    }

    /// How many these are.
    pub(crate) fn forces_of_mode(&self) -> Literal {
        Literal::usize_unsuffixed(self.derivation.model.forces_of_mode())
    }

    /// The result of a kernel that has one program, `[]` where it computes nothing; arrays stand in locals.
    pub(crate) fn call(&self, kernel: Kernel) -> TokenStream {
        self.computed(kernel).unwrap_or_else(|| quote!([]))
    }

    /// The same, where it computes something.
    pub(crate) fn computed(&self, kernel: Kernel) -> Option<TokenStream> {
        let programs = kernel.programs(&self.derivation.programs);
        programs.first().and_then(|program| self.of_program(program, kernel))
    }

    /// That of one of its programs, `[]` for an empty one.
    pub(crate) fn kernel_call(&self, program: &Program, kernel: Kernel) -> TokenStream {
        self.of_program(program, kernel).unwrap_or_else(|| quote!([]))
    }

    /// The same, where it computes something.
    pub(crate) fn of_program(&self, program: &Program, kernel: Kernel) -> Option<TokenStream> {
        if program.outputs.is_empty() {
            return None;
        }
        let name = kernel_name(program);
        let Sizes { m, r, .. } = self.sizes();
        let (t, q, v, u) = arguments();
        Some(match kernel.reads() {
            Reads::Position => quote!(self.#name(#t, #q, &[0.0; #m], &[0.0; #r])),
            Reads::State => quote!(self.#name(#t, #q, #v, &[0.0; #r])),
            Reads::All if self.reads_forces(program) => {
                let λ = local("λ");
                quote!(self.#name(#t, #q, #v, #u, #λ))
            }
            Reads::Motion if program.reads_accelerations(&self.derivation.model.pool) => {
                let a = local("a");
                quote!(self.#name(#t, #q, #v, #u, #a))
            }
            Reads::Direction if program.reads_direction(&self.derivation.model.pool) => {
                let [(weights, _), (direction, _)] = self.weights_and_direction();
                quote!(self.#name(#t, #q, #v, #u, #weights, #direction))
            }
            Reads::All | Reads::Motion | Reads::Direction => quote!(self.#name(#t, #q, #v, #u)),
        })
    }

    /// The weights of v̇ and λ and a direction of q, v, u, each with its size.
    pub(crate) fn weights_and_direction(&self) -> [(Ident, Literal); 2] {
        let model = &self.derivation.model;
        let entries = model.positions().len() + model.speeds.len() + model.inputs.len();
        let lists = [("weights", model.speeds.len() + model.rows.len()), ("direction", entries)];
        lists.map(|(name, size)| (local(name), Literal::usize_unsuffixed(size)))
    }

    /// The arguments of a method that is given so much of a state, and their arrays in locals.
    pub(crate) fn given(&self, inputs: Reads) -> (TokenStream, TokenStream) {
        let Sizes { n, m, r, .. } = self.sizes();
        let (t, q, v, u) = arguments();
        let mut given = quote!(#t: f64, #q: &[f64]);
        let mut arrays = quote!(let #q = ::eom_core::private::array::<_, #n>("q", #q););
        if inputs != Reads::Position {
            given.extend(quote!(, #v: &[f64]));
            arrays.extend(quote!(let #v = ::eom_core::private::array::<_, #m>("v", #v);));
        }
        if inputs == Reads::All {
            given.extend(quote!(, #u: &[f64]));
            arrays.extend(quote!(let #u = ::eom_core::private::array::<_, #r>("u", #u);));
        }
        (given, arrays)
    }

    /// The functions that users call.
    pub(crate) fn vector_functions(&self) -> TokenStream {
        let functions =
            [self.dynamics_function(), self.matrix_functions(), self.contact_functions()];
        let (name, quiet) = (&self.name, quiet());
        quote! {
            #quiet
            impl #name {
                #(#functions)*
            }
        }
    }

    fn dynamics_function(&self) -> TokenStream {
        let Sizes { n, m, k, r, .. } = self.sizes();
        let (t, q, v, u) = arguments();
        let visibility = &self.visibility;
        let constants = self.own_constants();
        quote! {
            /// Accelerations v̇ and multipliers λ: M v̇ + h = Q − ∂D/∂v + Aᵀλ, A v̇ + Ȧ v + ḃ = 0.
            ///
            /// Allocates nothing. A singular mass matrix, or dependent constraints, show as
            /// non-finite results.
            #[inline]
            #visibility fn dynamics(
                &self,
                #t: f64,
                #q: &::eom_core::nalgebra::SVector<f64, #n>,
                #v: &::eom_core::nalgebra::SVector<f64, #m>,
                #u: &::eom_core::nalgebra::SVector<f64, #r>,
            ) -> (
                ::eom_core::nalgebra::SVector<f64, #m>,
                ::eom_core::nalgebra::SVector<f64, #k>,
            ) {
                let (mut a, mut λ): ([f64; #m], [f64; #k]) = ([0.0; #m], [0.0; #k]);
                ::eom_core::System::prepared_accelerations(
                    self,
                    #constants,
                    #t,
                    #q.as_slice(),
                    #v.as_slice(),
                    #u.as_slice(),
                    &mut a,
                    &mut λ,
                );
                (::core::convert::Into::into(a), ::core::convert::Into::into(λ))
            }
        }
    }

    /// The constants of the present parameters.
    pub(crate) fn own_constants(&self) -> TokenStream {
        let name = kernel_name(&self.derivation.programs.prepared.constants);
        quote!(&self.#name())
    }

    /// Writes v̇ and λ to the arrays that `a` and `λ` borrow, by a program of the dynamics, from arrays in
    /// locals and constants: by the unrolled solve or by loops.
    pub(crate) fn solve(&self, program: &Program, constants: &TokenStream) -> TokenStream {
        let Sizes { m, k, .. } = self.sizes();
        let (call, programs) = (dynamics_call(program, constants), &self.derivation.programs);
        let by = match (programs.dynamics_solved, self.derivation.equations.is_coupled()) {
            (true, _) => quote!(split::<_, #m, #k>),
            (false, true) => quote!(solve_coupled::<#m, #k>),
            (false, false) => quote!(solve_packed::<#m, #k>),
        };
        let solve = quote!((*a, *λ) = ::eom_core::private::#by(&#call));
        if stands_in_place(program) { with_fused_products(program, &solve) } else { solve }
    }

    /// M, of its lower triangle or of its columns.
    fn mass(&self) -> TokenStream {
        if let Some(columns) = self.mass_columns(&quote!(mass.as_mut_slice())) {
            return quote! {
                let mut mass = ::eom_core::nalgebra::SMatrix::zeros();
                #columns;
                mass
            };
        }
        let at_velocities = self.computed(Kernel::MassMatrixAt);
        let lower = at_velocities.unwrap_or_else(|| self.call(Kernel::MassMatrix));
        quote! {
            let lower = #lower;
            ::eom_core::nalgebra::SMatrix::from_fn(|i, j| {
                lower[::eom_core::private::packed(i, j)]
            })
        }
    }

    /// Writes M to a slice, column by column, where it has no entries.
    pub(crate) fn mass_columns(&self, slice: &TokenStream) -> Option<TokenStream> {
        let (m, (_, _, v, _)) = (self.sizes().m, arguments());
        let product = self.computed(Kernel::MassProduct)?;
        Some(quote! {
            ::eom_core::private::columns(&mut [0.0; #m], "m", #slice, |#v, column| {
                let #v = ::eom_core::private::array::<_, #m>("v", #v);
                column.copy_from_slice(&#product);
            })
        })
    }

    fn matrix_functions(&self) -> TokenStream {
        let Sizes { n, m, k, .. } = self.sizes();
        let (t, q, v, _) = arguments();
        let visibility = &self.visibility;
        let mass = self.mass();
        let at_velocities = self.computed(Kernel::ConstraintRowsAt);
        // What is a function of v, too, is given it.
        let at = |kernel: Kernel| {
            let is_given = self.computed(kernel).is_some();
            let given = quote!(#v: &::eom_core::nalgebra::SVector<f64, #m>,);
            let array = quote!(let #v: &[f64; #m] = &#v.data.0[0];);
            let parts = [given, array, quote!(, #v)];
            parts.map(|part| if is_given { part } else { TokenStream::new() })
        };
        let [given, array, state] = at(Kernel::ConstraintRowsAt);
        let [given_mass, array_mass, _] = at(Kernel::MassMatrixAt);
        let rows = at_velocities.unwrap_or_else(|| self.call(Kernel::ConstraintRows));
        quote! {
            /// The mass matrix M(t, q).
            #[inline]
            #visibility fn mass(
                &self,
                #t: f64,
                #q: &::eom_core::nalgebra::SVector<f64, #n>,
                #given_mass
            ) -> ::eom_core::nalgebra::SMatrix<f64, #m, #m> {
                let #q: &[f64; #n] = &#q.data.0[0];
                #array_mass
                #mass
            }

            /// The constraints A(t, q) v + b(t, q) = 0: A and b.
            #[inline]
            #visibility fn constraints(
                &self,
                #t: f64,
                #q: &::eom_core::nalgebra::SVector<f64, #n>,
                #given
            ) -> (
                ::eom_core::nalgebra::SMatrix<f64, #k, #m>,
                ::eom_core::nalgebra::SVector<f64, #k>,
            ) {
                let #q: &[f64; #n] = &#q.data.0[0];
                #array
                let rows: [f64; #k * (#m + 1)] = #rows;
                (
                    ::eom_core::nalgebra::SMatrix::from_row_slice(&rows[..#k * #m]),
                    ::eom_core::nalgebra::SVector::from_row_slice(&rows[#k * #m..]),
                )
            }

            /// A v + b: what the velocities miss the constraints by.
            #[inline]
            #visibility fn constraint_residuals(
                &self,
                #t: f64,
                #q: &::eom_core::nalgebra::SVector<f64, #n>,
                #v: &::eom_core::nalgebra::SVector<f64, #m>,
            ) -> ::eom_core::nalgebra::SVector<f64, #k> {
                let (a, b) = self.constraints(#t, #q #state);
                a * #v + b
            }
        }
    }

    fn contact_functions(&self) -> TokenStream {
        let derivation = self.derivation;
        if derivation.model.contacts.is_empty() {
            return TokenStream::new();
        }
        let Sizes { n, m, c, .. } = self.sizes();
        let (t, q, _, _) = arguments();
        let visibility = &self.visibility;
        let gaps = self.call(Kernel::Gaps);
        let rows = self.call(Kernel::GapRows);
        quote! {
            /// The gaps g(t, q); a contact is open while its gap is positive.
            #[inline]
            #visibility fn gap_values(
                &self,
                #t: f64,
                #q: &::eom_core::nalgebra::SVector<f64, #n>,
            ) -> ::eom_core::nalgebra::SVector<f64, #c> {
                let #q: &[f64; #n] = &#q.data.0[0];
                ::core::convert::Into::into(#gaps)
            }

            /// ∇g and ∂g/∂t: the gaps change at the rate ∇g·v + ∂g/∂t.
            #[inline]
            #visibility fn gap_gradients(
                &self,
                #t: f64,
                #q: &::eom_core::nalgebra::SVector<f64, #n>,
            ) -> (
                ::eom_core::nalgebra::SMatrix<f64, #c, #m>,
                ::eom_core::nalgebra::SVector<f64, #c>,
            ) {
                let #q: &[f64; #n] = &#q.data.0[0];
                let rows = #rows;
                (
                    ::eom_core::nalgebra::SMatrix::from_row_slice(&rows[..#c * #m]),
                    ::eom_core::nalgebra::SVector::from_row_slice(&rows[#c * #m..]),
                )
            }
        }
    }
}

/// What a program of the dynamics computes, also compiled for machines with fused products and run so on
/// them, where it has any. What it reads moves there in registers: borrowed, it would stand in memory.
pub(crate) fn with_fused_products(program: &Program, block: &TokenStream) -> TokenStream {
    let counts = program.op_counts();
    if counts.sin_cos + counts.fused == 0 {
        return block.clone();
    }
    quote! {
        ::eom_core::elementary::with_fused_products(
            #[inline(always)]
            move || { #block },
        )
    }
}

/// `t`, `q`, `v`, `u` as the generated functions name them.
pub(crate) fn arguments() -> (Ident, Ident, Ident, Ident) {
    (local("t"), local("q"), local("v"), local("u"))
}

/// The kernel of a program.
pub(crate) fn kernel_name(program: &Program) -> Ident {
    local(&format!("eom_kernel_{}", program.name))
}
