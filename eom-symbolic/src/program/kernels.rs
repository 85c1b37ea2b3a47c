//! The kernels of a system beside its dynamics: a row each, which all that runs them or writes them reads.

use super::Program;
use super::system::SystemPrograms;

/// Which of t, q, v, u a kernel is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reads {
    /// t, q.
    Position,
    /// t, q, v.
    State,
    /// t, q, v, u.
    All,
    /// t, q, v, u, v̇.
    Motion,
    /// t, q, v, u, a weight for each of v̇ and λ, a direction of q, v, u.
    Direction,
}

macro_rules! kernels {
    ($($(#[$about:meta])* $kernel:ident $name:literal $reads:ident |$programs:ident| $of:expr;)*) => {
        /// A kernel: what one function of a system computes, or one for each contact or event.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Kernel {
            $($(#[$about])* $kernel,)*
        }

        impl Kernel {
            /// All of them, in the order of generated code.
            pub const ALL: &'static [Self] = &[$(Self::$kernel),*];

            /// What generated code calls it; with the name of a contact or event where it has one for each.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kernel => $name,)*
                }
            }

            /// What it is given.
            pub const fn reads(self) -> Reads {
                match self {
                    $(Self::$kernel => Reads::$reads,)*
                }
            }

            /// Its programs: one, or one for each contact or event.
            pub fn programs(self, programs: &SystemPrograms) -> &[Program] {
                match self {
                    $(Self::$kernel => {
                        let $programs = programs;
                        $of
                    })*
                }
            }
        }
    };
}

kernels! {
    /// The point terms of dry friction.
    Frictions "frictions" State |all| one(&all.frictions);
    /// The part of the dissipation that is homogeneous of degree one.
    DryFriction "dry_friction" State |all| one(&all.dry_friction);
    /// q̇.
    Rates "rates" State |all| one(&all.rates);
    /// M.
    MassMatrix "mass_matrix" Position |all| one(&all.mass_matrix);
    /// M at v, where it depends on it.
    MassMatrixAt "mass_matrix_at" State |all| one(&all.mass_matrix_at);
    /// M v, where M has no entries.
    MassProduct "mass_product" State |all| one(&all.mass_product);
    /// A and b.
    ConstraintRows "constraint_rows" Position |all| one(&all.constraint_rows);
    /// A and b at v, where a row is not affine in the velocities.
    ConstraintRowsAt "constraint_rows_at" State |all| one(&all.constraint_rows_at);
    /// What the holonomic constraints are missed by.
    Holonomic "holonomic" Position |all| one(&all.holonomic);
    /// Energies.
    Energy "energy" State |all| one(&all.energy);
    /// Powers.
    Powers "powers" All |all| one(&all.powers);
    /// Gaps.
    Gaps "gaps" Position |all| one(&all.gaps);
    /// Their gradients and rates.
    GapRows "gap_rows" Position |all| one(&all.gap_rows);
    /// Forces of the dissipation of contacts.
    ContactForces "contact_forces" State |all| one(&all.contact_forces);
    /// Forces that act with the normal forces of contacts.
    BorneForces "borne_forces" All |all| one(&all.borne_forces);
    /// What the gaps accelerate by at v̇ = 0.
    GapDrift "gap_drift" State |all| one(&all.gap_drift);
    /// Of each contact the direction of an impact.
    Strikes "strike" Position |all| &all.strikes;
    /// Of each contact its own rows.
    ContactRows "contact_rows" Position |all| &all.contact_rows;
    /// Of each contact their γ.
    ContactDrift "contact_drift" State |all| &all.contact_drifts;
    /// Of each contact its conditions.
    Armed "armed" All |all| &all.contact_conditions;
    /// The extents of all contacts.
    Extents "extents" All |all| one(&all.extents);
    /// Of each contact the velocities that it assigns.
    Assign "assign" State |all| &all.contact_assignments;
    /// Guards of events.
    Guards "guards" All |all| one(&all.guards);
    /// Of each event the state after it.
    Reset "reset" All |all| &all.resets;
    /// Outputs.
    Outputs "outputs" All |all| one(&all.outputs);
    /// v̇ and λ with their derivatives by q, v, u.
    Derivatives "derivatives" All |all| one(&all.derivatives);
    /// Derivatives of v̇ and λ by the parameters.
    ParameterDerivatives "parameter_derivatives" All |all| one(&all.parameter_derivatives);
    /// The gradient of weighted v̇ and λ, and their Hessian along a direction.
    HessianProduct "hessian_product" Direction |all| one(&all.hessian_product);
    /// The forces that a motion needs.
    InverseDynamics "inverse_dynamics" Motion |all| one(&all.inverse_dynamics);
    /// Their derivatives by the parameters.
    Regressor "regressor" Motion |all| one(&all.regressor);
    /// C.
    CoriolisMatrix "coriolis_matrix" State |all| one(&all.coriolis_matrix);
}

const fn one(program: &Program) -> &[Program] {
    std::slice::from_ref(program)
}

impl SystemPrograms {
    /// All of them but the series, in the order of generated code.
    pub fn all(&self) -> Vec<&Program> {
        let kernels = Kernel::ALL.iter().flat_map(|kernel| kernel.programs(self));
        [&self.dynamics, &self.frictionless].into_iter().chain(kernels).collect()
    }
}
