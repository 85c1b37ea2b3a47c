//! Contacts of a declaration: gaps, their laws of impact, the rows that are in force with them.

use super::declared::{Bound, Named, Row};
use crate::diff::Tangent;
use crate::node::{ExprId, SymbolKind};
use crate::pool::ExprPool;
use crate::subst::Substitution;

/// The law of an impact, in the form that all who make, print or write an impact map ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    /// v⁺ = v⁻ − M⁻¹Bᵀ(BM⁻¹Bᵀ)⁻¹ diag(1+eᵢ)(B v⁻ + b), with eᵢ on the rows of A, on ∇g, on the contact's own
    /// rows: expressions of parameters.
    Restitution([ExprId; 3]),
    /// Reflect on ∇g alone, then project on the constraints.
    Project,
    /// v⁺ as the contact assigns it.
    Assign,
}

impl Law {
    /// e = 1.
    pub const ELASTIC: Self = Self::of(ExprPool::ONE);
    /// e = 0.
    pub const PLASTIC: Self = Self::of(ExprPool::ZERO);

    /// One e for all rows.
    pub const fn of(e: ExprId) -> Self {
        Self::Restitution([e; 3])
    }

    /// eᵢ, where the law is told by them.
    pub fn restitutions(self) -> Option<[ExprId; 3]> {
        match self {
            Self::Restitution(e) => Some(e),
            Self::Project | Self::Assign => None,
        }
    }
}

/// The impact map of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImpactOf {
    /// A law that contacts may have.
    Law(Law),
    /// Reflect on ∇g alone.
    Reflect,
    /// The corner conditions with multipliers, solved as they stand.
    Corner,
}

/// What happens where several contacts are struck at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Impacts {
    /// All together.
    Joint,
    /// One after another.
    Sequential,
    /// All together, and what jams takes an impact without collision.
    Tangential,
}

/// What the e of an impact with friction is the ratio of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Restitution {
    /// Of rates.
    #[default]
    Newton,
    /// Of impulses.
    Poisson,
    /// e² of works.
    Stronge,
}

/// What a contact resists in proportion to its normal force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resisted {
    /// The velocity of one body along the other, by a force.
    Slip,
    /// The angular velocity of one body on the other along the surface, by a moment.
    Roll,
    /// That about the normal.
    Spin,
}

impl Resisted {
    /// Each of them, in the order in which the terms of a contact stand.
    pub const ALL: [Self; 3] = [Self::Slip, Self::Roll, Self::Spin];

    /// How many components of force a contact has room for.
    pub const PLACES: usize = 5;

    /// The most components.
    pub const fn components(self) -> usize {
        match self {
            Self::Slip | Self::Roll => 2,
            Self::Spin => 1,
        }
    }

    /// The place of its first component among the forces of a contact.
    pub const fn place(self) -> usize {
        match self {
            Self::Slip => 0,
            Self::Roll => 2,
            Self::Spin => 4,
        }
    }

    /// The word under which the velocity is declared.
    pub const fn motion(self) -> &'static str {
        match self {
            Self::Slip => "slip",
            Self::Roll => "roll",
            Self::Spin => "spin",
        }
    }

    /// The word under which the coefficient is declared and the force is read.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Slip => "friction",
            Self::Roll => "rolling",
            Self::Spin => "spinning",
        }
    }

    /// What a contact's term is called: by its name alone, or `rolling(floor)`.
    pub fn of(self, contact: &str) -> String {
        match self {
            Self::Slip => contact.to_owned(),
            Self::Roll | Self::Spin => format!("{}({contact})", self.word()),
        }
    }

    /// That of a word for the coefficient.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|resisted| resisted.word() == word)
    }
}

/// Coulomb's friction of a contact with the normal force λ, or of a constraint row with the size of its multiplier, or the resistance against rolling or spinning, of the same law.
///
/// With a coefficient for each of two directions the cone is an ellipse, and the force that which dissipates most:
///
/// ```text
/// (f₁/μ₁)² + (f₂/μ₂)² ≤ λ²      fᵢ = −λ μᵢ²sᵢ/√(μ₁²s₁² + μ₂²s₂²)
/// ```
///
/// which is the round cone of μ = 1 for the slip μᵢsᵢ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContactFriction {
    /// What it is against.
    pub resisted: Resisted,
    /// s(t,q,v), affine in v: one velocity, or two.
    pub slip: Vec<ExprId>,
    /// μ_s(t,q) ≥ μ: |f| ≤ μ_s λ where it sticks.
    pub at_rest: ExprId,
    /// μ(t,q) ≥ 0: f = −μ λ s/|s| where it slides.
    pub sliding: ExprId,
    /// μᵢ(t,q) ≥ 0 of each direction, where they are stated; μ and μ_s are 1 then.
    pub weights: Vec<ExprId>,
    /// μ_s and μ as written.
    pub texts: [String; 2],
    /// ∂Q/∂fᵢ(t,q,v,u) of the force f on the slip, one list of forces on the speeds for each component: what `force` lines
    /// make of it; empty where none of them holds it.
    pub borne: Vec<Vec<ExprId>>,
}

impl ContactFriction {
    /// Every expression, to be visited or changed.
    pub(crate) fn expressions_mut(&mut self) -> impl Iterator<Item = &mut ExprId> {
        let Self { resisted: _, slip, at_rest, sliding, weights, texts: _, borne } = self;
        let borne = borne.iter_mut().flatten();
        slip.iter_mut().chain(weights).chain([at_rest, sliding]).chain(borne)
    }

    /// Every expression.
    pub(crate) fn expressions(&self) -> impl Iterator<Item = &ExprId> {
        let Self { resisted: _, slip, at_rest, sliding, weights, texts: _, borne } = self;
        slip.iter().chain(weights).chain([at_rest, sliding]).chain(borne.iter().flatten())
    }

    /// Takes out of forces Q, affine in the force on its slip, what acts with that: ∂Q/∂f of the components that these symbols
    /// are, Q then at f = 0.
    pub fn take_borne(
        &mut self,
        pool: &mut ExprPool,
        symbol: impl Fn(usize) -> SymbolKind,
        forces: &mut [ExprId],
    ) {
        let taken = (0..self.slip.len()).map(|i| take(pool, symbol(i), forces));
        let taken: Vec<Option<Vec<ExprId>>> = taken.collect();
        if taken.iter().any(Option::is_some) {
            let none = || vec![ExprPool::ZERO; forces.len()];
            self.borne = taken.into_iter().map(|slopes| slopes.unwrap_or_else(none)).collect();
        }
    }
}

/// The friction of a constraint row, in proportion to |λ| of its multiplier λ, which acts at all times; of a vector of rows
/// |λ| is the length of all their multipliers:
///
/// ```text
/// f = −μ |λ| s/‖s‖ where it slides      ‖f‖ ≤ μ_s |λ| where it sticks, s = 0
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowFriction {
    /// The name of the row, or of the vector of rows.
    pub name: String,
    /// The row's index, or that of the first of the vector.
    pub row: usize,
    /// How many rows there are, one behind the other.
    pub count: usize,
    /// Its slip, of one to three components, and its coefficients.
    pub friction: ContactFriction,
}

/// What a closed contact with friction does along its surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Along {
    /// Its slip is held.
    Sticks,
    /// Friction is that of its slip.
    Slides,
}

impl Along {
    /// As it is written in claims.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Sticks => "sticks",
            Self::Slides => "slides",
        }
    }
}

/// A contact that is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClosedContact {
    /// Its index.
    pub contact: usize,
    /// What it does along its surface, where it has friction.
    pub along: Option<Along>,
}

/// A contact: gap ≥ 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact {
    /// Name and documentation.
    pub named: Named,
    /// g(t,q).
    pub gap: ExprId,
    /// The law.
    pub law: Law,
    /// The law as written.
    pub law_text: String,
    /// How it is struck together with others, where that is declared.
    pub impacts: Option<Impacts>,
    /// D(t,q,v), in force while the contact is closed; 0 without one.
    pub dissipation: ExprId,
    /// ∂Q/∂λ(t,q,v,u) of its normal force λ, one a speed: what `force` lines make of λ(contact), in force while it is closed
    /// and at its impact; empty where none of them holds it. Zeros where one holds the multiplier of a row, which it changes, or
    /// the force of a friction.
    pub borne: Vec<ExprId>,
    /// Its friction and other resistances, in force while it is closed and at its impact; one of a kind, in the order of
    /// [`Resisted::ALL`].
    pub frictions: Vec<ContactFriction>,
    /// What e is the ratio of at its impacts.
    pub restitution: Restitution,
    /// Its own rows: in B at its impact, in force while it is closed.
    pub rows: Vec<Row>,
    /// It fires only where all of these hold: comparisons of t, q, v, inputs.
    pub when: Vec<Bound>,
    /// The conditions as written.
    pub when_text: String,
    /// How far its surface reaches: for each condition of places, which holds no velocity, what is positive where it holds.
    pub extents: Vec<ExprId>,
    /// Rows of A that are left out of B at its impact.
    pub releases: Vec<usize>,
    /// Coordinates that exchange their values after the impact map; their velocities follow.
    pub relabel: Vec<(usize, usize)>,
    /// For [`Law::Assign`] velocities after the impact, of t, q, v; others stay.
    pub assigned: Vec<(usize, ExprId)>,
}

/// Takes out of forces Q, affine in the normal force λ of this contact, what acts with it: ∂Q/∂λ, Q then at λ = 0. Empty where
/// no force holds it.
pub fn take_borne(pool: &mut ExprPool, contact: usize, forces: &mut [ExprId]) -> Vec<ExprId> {
    take(pool, SymbolKind::ContactForce(contact), forces).unwrap_or_default()
}

/// Takes a force out of others that are affine in it: their slopes by it. None where none of them holds it.
fn take(pool: &mut ExprPool, kind: SymbolKind, forces: &mut [ExprId]) -> Option<Vec<ExprId>> {
    let taken = pool.find_symbol(kind)?;
    let mut along = Tangent::partial(taken);
    let slopes: Vec<ExprId> = forces.iter().map(|force| along.derivative(pool, *force)).collect();
    if slopes.iter().all(|slope| *slope == ExprPool::ZERO) {
        return None;
    }
    let mut without = Substitution::new([(taken, ExprPool::ZERO)]);
    for force in forces {
        *force = without.apply(pool, *force);
    }
    Some(slopes)
}

impl Contact {
    /// The extents that these conditions are.
    pub fn extents_of(pool: &mut ExprPool, when: &[Bound]) -> Vec<ExprId> {
        let mut extents = Vec::new();
        for &Bound { left, relation, right, .. } in when {
            let extent = relation.excess(pool, left, right);
            let sides = [left, right];
            if sides.iter().all(|side| !pool.holds_velocity(*side)) && !pool.is_fixed(extent) {
                extents.push(extent);
            }
        }
        extents
    }

    /// The law as written, with how it is struck together with others where that is declared.
    pub fn whole_law(&self) -> String {
        let Self { law_text, impacts, .. } = self;
        match impacts {
            None => law_text.clone(),
            Some(Impacts::Joint) => format!("{law_text}, joint"),
            Some(Impacts::Sequential) => format!("{law_text}, sequential"),
            Some(Impacts::Tangential) => format!("{law_text}, tangential"),
        }
    }

    /// The coordinate whose value is put in the place of this one.
    pub fn relabelled(&self, coordinate: usize) -> usize {
        let other = |&(a, b): &(usize, usize)| match coordinate {
            c if c == a => Some(b),
            c if c == b => Some(a),
            _ => None,
        };
        self.relabel.iter().find_map(other).unwrap_or(coordinate)
    }

    /// The rows of B with k constraints: those of A by their indices, k for ∇g, then k + 1 + j for
    /// the own row j.
    pub fn rows_of_b(&self, k: usize) -> Vec<usize> {
        let kept = (0..k).filter(|row| !self.releases.contains(row));
        kept.chain(k..=k + self.rows.len()).collect()
    }
}
