//! `EquationsOfMotion`: the derived functions, the type every consumer reads.

use super::mass::Mass;
use super::power::Power;
use crate::mechanics::friction::{Bearer, DryFriction, KinkError};
use crate::mechanics::system::SystemModel;
use crate::mechanics::system::contact::Resisted;
use crate::node::{ExprId, SymbolKind};
use crate::pool::ExprPool;
use std::fmt;

/// The functions of the equations of motion
///
/// ```text
/// M v̇ + h = F + Aᵀλ        M = ∂²L/∂v²,  h = (∂²L/∂v∂q) q̇ + ∂²L/∂v∂t − ∂L/∂q where q̇ = v
///         = F₀ + Rᵀλ       F₀ = F at λ = 0, R = A + ∂F/∂λ
/// A v̇ + γ = 0              γ = Ȧ v + ḃ,  F = Q − ∂D/∂v
/// ```
///
/// all as expressions of t, q, v, inputs and parameters. n speeds, k rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EquationsOfMotion {
    /// M, n×n, symmetric.
    pub mass: Mass,
    /// h, n.
    pub bias: Vec<ExprId>,
    /// F₀, n: F without its multipliers.
    pub force: Vec<ExprId>,
    /// A, k×n.
    pub rows: Vec<Vec<ExprId>>,
    /// A + ∂F/∂λ, k×n: what each multiplier does. It is A unless forces hold multipliers.
    pub reactions: Vec<Vec<ExprId>>,
    /// ∂F/∂λ, k×n, beside contacts: what they add to a multiplier acts by it; empty without contacts and where forces hold none.
    pub borne: Vec<Vec<ExprId>>,
    /// b, k.
    pub affine: Vec<ExprId>,
    /// γ, k.
    pub drift: Vec<ExprId>,
    /// φ of the holonomic rows.
    pub holonomic: Vec<ExprId>,
    /// T.
    pub kinetic: ExprId,
    /// V.
    pub potential: ExprId,
    /// v·∂L/∂v − L.
    pub jacobi: ExprId,
    /// Each contact's row.
    pub contacts: Vec<ContactEquations>,
    /// The part of the dissipation function that is homogeneous of degree one.
    pub friction: DryFriction,
    /// The powers of the lines of the declaration, and −∂L/∂t.
    pub powers: Vec<Power>,
}

impl EquationsOfMotion {
    /// Whether forces hold multipliers, so that A M⁻¹ Rᵀ is not symmetric.
    pub fn is_coupled(&self) -> bool {
        self.reactions != self.rows
    }

    /// The entries of M or those of M v, h, F₀, A, R, b, γ.
    pub(crate) fn functions(&self) -> impl Iterator<Item = ExprId> {
        let rows = self.rows.iter().chain(&self.reactions);
        let columns = [&self.bias, &self.force, &self.affine, &self.drift];
        let others = rows.chain(columns).map(Vec::as_slice);
        self.mass.given().into_iter().chain(others).flatten().copied()
    }

    /// E = T + V; h of a general Lagrangian, where T and V are no parts of an energy.
    pub fn energy(&self, model: &mut SystemModel) -> ExprId {
        let (kinetic, potential) = (self.kinetic, self.potential);
        if model.kinetic.is_some() { model.pool.add(kinetic, potential) } else { self.jacobi }
    }

    /// F with its multipliers: F₀ + (R − A)ᵀλ.
    pub fn whole_force(&self, pool: &mut ExprPool) -> Vec<ExprId> {
        if !self.is_coupled() {
            return self.force.clone();
        }
        let mut whole = self.force.clone();
        for (j, (reaction, row)) in self.reactions.iter().zip(&self.rows).enumerate() {
            // A multiplier without a symbol stands in no force.
            let Some(symbol) = pool.find_symbol(SymbolKind::Multiplier(j)) else { continue };
            let multiplier = pool.symbol_expr(symbol);
            for (force, (r, a)) in whole.iter_mut().zip(reaction.iter().zip(row)) {
                let own = pool.sub(*r, *a);
                let term = pool.mul(own, multiplier);
                *force = pool.add(*force, term);
            }
        }
        whole
    }

    /// Visits every expression that a claim is decided with. A new field is listed here, or declared functions in it have no
    /// value where claims are decided.
    pub(crate) fn for_expressions(&mut self, visit: &mut impl FnMut(&mut ExprId)) {
        // Without `..`, so that a field cannot be forgotten.
        let Self {
            mass,
            bias,
            force,
            rows,
            reactions,
            borne,
            affine,
            drift,
            holonomic,
            kinetic,
            potential,
            jacobi,
            friction,
            contacts,
            powers: _,
        } = self;
        mass.given_mut().into_iter().for_each(&mut *visit);
        rows.iter_mut().chain(reactions).chain(borne).flatten().for_each(&mut *visit);
        bias.iter_mut().chain(force).chain(affine).for_each(&mut *visit);
        drift.iter_mut().chain(holonomic).for_each(&mut *visit);
        [kinetic, potential, jacobi].into_iter().for_each(&mut *visit);
        friction.for_expressions(visit);
        for ContactEquations { gap, gradient, rate, force, drift, rows } in contacts {
            [gap, rate, drift].into_iter().chain(gradient).chain(force).for_each(&mut *visit);
            for ContactRow { coefficients, affine, drift } in rows {
                coefficients.iter_mut().chain([affine, drift]).for_each(&mut *visit);
            }
        }
    }
}

/// The row of a contact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContactEquations {
    /// g(t,q).
    pub gap: ExprId,
    /// ∇g, n: its derivatives along the speeds.
    pub gradient: Vec<ExprId>,
    /// ∂g/∂t.
    pub rate: ExprId,
    /// −∂D/∂v of the contact's own dissipation, n: in force while it is closed.
    pub force: Vec<ExprId>,
    /// d/dt(∇g)·v + d/dt(∂g/∂t), with which g̈ = ∇g·v̇ + drift.
    pub drift: ExprId,
    /// Its own rows.
    pub rows: Vec<ContactRow>,
}

/// A contact's own row: A v + b = 0 while it is closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContactRow {
    /// A, n.
    pub coefficients: Vec<ExprId>,
    /// b.
    pub affine: ExprId,
    /// γ = Ȧ v + ḃ.
    pub drift: ExprId,
}

/// Why a declaration has no equations of motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeriveError {
    /// `kinetic` is not quadratic in the velocities.
    KineticNotQuadratic,
    /// This speed does not occur in the energy: its row of M is zero.
    NoInertia {
        /// Its index.
        speed: usize,
    },
    /// The dissipation of a contact is not smooth.
    ContactKink {
        /// The contact's index.
        contact: usize,
    },
    /// With a general Lagrangian, impacts have no kinetic metric.
    ContactsNeedKinetic,
    /// The kinetic or potential energy, Lagrangian or dissipation divides by zero.
    UndefinedEnergy,
    /// A kink of the dissipation function is no dry friction.
    Kink {
        /// The term of the dissipation function.
        term: ExprId,
        /// What is wrong with it.
        error: KinkError,
    },
    /// Forces hold multipliers beside dry friction, which run time cannot combine.
    MultiplierWithFriction,
    /// Friction that is an integral beside that of a contact or a constraint row.
    IntegralWithBearer {
        /// Which it is.
        bearer: Bearer,
    },
    /// A constraint row divides by zero.
    UndefinedRow {
        /// The row's index.
        row: usize,
    },
    /// A contact's own row divides by zero.
    UndefinedContactRow {
        /// The contact's index.
        contact: usize,
        /// The row's index among its own.
        row: usize,
    },
    /// A contact's gap divides by zero.
    UndefinedGap {
        /// The contact's index.
        contact: usize,
    },
    /// A row that is not affine in the velocities stands beside contacts: an impact would have to satisfy it after a
    /// jump of the velocities, for which Chetaev's rule says nothing.
    ChetaevWithContacts {
        /// The row's index.
        row: usize,
    },
    /// Such a row stands beside dry friction.
    ChetaevWithFriction {
        /// The row's index.
        row: usize,
    },
    /// The friction of a contact or a constraint row divides by zero.
    UndefinedSlip {
        /// Which it is.
        bearer: Bearer,
        /// What it resists.
        resisted: Resisted,
    },
    /// What a contact or a constraint row resists is not linear in the velocities.
    SlipNotAffine {
        /// Which it is.
        bearer: Bearer,
        /// What it resists.
        resisted: Resisted,
    },
}

impl fmt::Display for DeriveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::KineticNotQuadratic => {
                write!(f, "the kinetic energy is not quadratic in the velocities")
            }
            Self::NoInertia { speed } => {
                write!(f, "speed {speed} has no inertia: its row of the mass matrix is 0")
            }
            Self::ContactKink { contact } => {
                write!(f, "the dissipation of contact {contact} is not smooth")
            }
            Self::ContactsNeedKinetic => {
                write!(f, "contacts need `kinetic` and `potential`: impacts use the kinetic metric")
            }
            Self::UndefinedEnergy => write!(f, "the energy divides by zero"),
            Self::Kink { error, .. } => write!(f, "a term of the dissipation {error}"),
            Self::MultiplierWithFriction => {
                write!(f, "a force holds a multiplier beside dry friction")
            }
            Self::IntegralWithBearer { bearer } => {
                write!(f, "friction over a body stands beside that of {bearer}")
            }
            Self::UndefinedRow { row } => write!(f, "constraint {row} divides by zero"),
            Self::UndefinedContactRow { contact, row } => {
                write!(f, "row {row} of contact {contact} divides by zero")
            }
            Self::ChetaevWithContacts { row } => {
                write!(
                    f,
                    "constraint {row} is not affine in the velocities and stands beside contacts"
                )
            }
            Self::ChetaevWithFriction { row } => {
                write!(
                    f,
                    "constraint {row} is not affine in the velocities and stands beside dry friction"
                )
            }
            Self::UndefinedGap { contact } => write!(f, "gap {contact} divides by zero"),
            Self::UndefinedSlip { bearer, resisted } => {
                write!(f, "the {} of {bearer} divides by zero", resisted.word())
            }
            Self::SlipNotAffine { bearer, resisted } => {
                let motion = resisted.motion();
                write!(f, "the {motion} of {bearer} is not linear in the velocities")
            }
        }
    }
}

impl std::error::Error for DeriveError {}
