//! What a system may touch: the gaps of its contacts, the rows that they put in force, the laws of
//! their impacts.

use crate::error::ImpactError;
use crate::snapshot::words::choice;
use eom_elementary::Digits;
use std::fmt::{self, Display, Formatter};

/// How an impact changes the velocity.
///
/// With B the independent rows of [A; ∇g; the contact's own rows], without those of A that the
/// contact releases, G = M and P = G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹B:
/// v⁺ = v⁻ − (1+e) G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹(B v⁻ + b_B).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Law {
    /// e = 1.
    Elastic,
    /// e = 0.
    Plastic,
    /// Any e ∈ [0, 1].
    Restitution(f64),
    /// Reflect on ∇g alone as if no constraint existed, then project G-orthogonally on A v + b = 0
    /// (bouncing-penny (18), (20)).
    Project,
    /// e on ∇g and another on the contact's own rows: diag(1+eᵢ) in place of 1+e, 1 on rows of A.
    Oblique {
        /// e ∈ [0, 1] on ∇g.
        normal: f64,
        /// e_t ∈ [−1, 1] on the contact's own rows.
        tangential: f64,
    },
    /// v⁺ as declared: [`Contacts::assign`].
    Assign,
}

impl Law {
    /// eᵢ on the rows of A, on ∇g and on the contact's own rows, of a law that is told by them; the others are
    /// laws of one contact.
    pub fn restitutions(self) -> Option<[f64; 3]> {
        match self {
            Self::Elastic => Some([1.0; 3]),
            Self::Plastic => Some([0.0; 3]),
            Self::Restitution(e) => Some([e; 3]),
            Self::Oblique { normal, tangential } => Some([0.0, normal, tangential]),
            Self::Project | Self::Assign => None,
        }
    }

    /// Refuses a restitution out of its range.
    pub fn check(self) -> Result<(), ImpactError> {
        let Some([_, normal, tangential]) = self.restitutions() else { return Ok(()) };
        for (e, low) in [(normal, 0.0), (tangential, -1.0)] {
            if !(low..=1.0).contains(&e) {
                return Err(ImpactError::Restitution { e, low });
            }
        }
        Ok(())
    }
}

/// As a declaration names it, with numbers.
impl Display for Law {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Elastic => f.write_str("elastic"),
            Self::Plastic => f.write_str("plastic"),
            Self::Restitution(e) => write!(f, "restitution {}", Digits(*e)),
            Self::Oblique { normal, tangential } => {
                write!(f, "restitution {}, {}", Digits(*normal), Digits(*tangential))
            }
            Self::Project => f.write_str("project"),
            Self::Assign => f.write_str("assign"),
        }
    }
}

/// What the e of an impact with friction is the ratio of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Restitution {
    /// Of rates, ġ⁺ = −e ġ⁻ (Newton).
    #[default]
    Newton,
    /// Of the normal impulses of restitution and compression (Poisson).
    Poisson,
    /// e² is that of the works of the normal force in restitution and compression (Stronge): energy never grows.
    Stronge,
}

/// The contacts of a system, c of them. One without contacts has `impl Contacts for … {}`; one with
/// contacts gives at least its gaps, their rows and their drift.
pub trait Contacts {
    /// Gaps g(t,q), c of them; a contact is open while its gap is positive.
    fn gaps(&self, _t: f64, _q: &[f64], g: &mut [f64]) {
        g.fill(f64::NAN);
    }

    /// ∇g(t,q), c×m (its derivatives along the speeds, ∂g/∂q S), and ∂g/∂t, c; the gap rate is ∇g·v + ∂g/∂t.
    fn gap_rows(&self, _t: f64, _q: &[f64], grad: &mut [f64], rate: &mut [f64]) {
        grad.fill(f64::NAN);
        rate.fill(f64::NAN);
    }

    /// d/dt(∇g)·v + d/dt(∂g/∂t), c; the gap acceleration is ∇g·v̇ + this.
    fn gap_drift(&self, _t: f64, _q: &[f64], _v: &[f64], γ: &mut [f64]) {
        γ.fill(f64::NAN);
    }

    /// The declared law of a contact, with the present parameters. A declared system gives an index past
    /// the last contact a restitution that is not a number, which no run accepts.
    fn law(&self, _contact: usize) -> Law {
        Law::Restitution(f64::NAN)
    }

    /// What the e of a contact with friction is the ratio of.
    fn restitution(&self, _contact: usize) -> Restitution {
        Restitution::Newton
    }

    /// The own rows of a contact: A_c(t,q), s×m, and b_c(t,q), s, with s the number of its rows in
    /// the info. They are in B at its impact, and A_c v + b_c = 0 holds while it is closed.
    fn contact_rows(&self, _contact: usize, _t: f64, _q: &[f64], a: &mut [f64], b: &mut [f64]) {
        a.fill(f64::NAN);
        b.fill(f64::NAN);
    }

    /// Ȧ_c v + ḃ_c of these rows, s.
    fn contact_drift(&self, _contact: usize, _t: f64, _q: &[f64], _v: &[f64], γ: &mut [f64]) {
        γ.fill(f64::NAN);
    }

    /// Whether a contact can fire at a state.
    fn armed(&self, _contact: usize, _t: f64, _q: &[f64], _v: &[f64], _u: &[f64]) -> bool {
        true
    }

    /// How far the surfaces of the contacts reach, the numbers of [`ContactInfo::extents`](crate::info::ContactInfo::extents)
    /// one after another: each is positive where its condition holds.
    fn extents(&self, _t: f64, _q: &[f64], _v: &[f64], _u: &[f64], extents: &mut [f64]) {
        extents.fill(f64::NAN);
    }

    /// (q⁺, v⁺) = R(q, v) in place: the names that a contact exchanges after its impact map.
    fn relabel(&self, _contact: usize, _q: &mut [f64], _v: &mut [f64]) {}

    /// v⁺ in place of v⁻ for [`Law::Assign`].
    fn assign(&self, _contact: usize, _t: f64, _q: &[f64], _v: &mut [f64]) {}

    /// −∂D/∂v of each contact's own dissipation, c×m: in force while the contact is closed.
    fn contact_forces(&self, _t: f64, _q: &[f64], _v: &[f64], forces: &mut [f64]) {
        forces.fill(0.0);
    }

    /// ∂Q/∂λ of the normal force λ of each contact, c×m, where its info says that it bears forces: λ times this acts while it
    /// is closed, and at its impact with the impulse. Then the same of the multipliers of rows, k×m, where a row bears forces; then
    /// ∂Q/∂f of the forces f on the components of w of all point terms of friction, Σr×m, where one of them bears forces.
    fn borne_forces(&self, _t: f64, _q: &[f64], _v: &[f64], _u: &[f64], forces: &mut [f64]) {
        forces.fill(f64::NAN);
    }
}

choice! { Law {
    0 => Elastic,
    1 => Plastic,
    2 => Restitution(e),
    3 => Project,
    4 => Oblique { normal, tangential },
    5 => Assign,
} }
