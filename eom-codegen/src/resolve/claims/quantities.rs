//! Quantities: what was derived, under the names by which claims speak of it.
//!
//! Beside the names of the declaration a claim knows
//!
//! | written | is |
//! | --- | --- |
//! | `lagrangian`, `kinetic`, `potential`, `dissipation`, `energy`, `jacobi` | the declared and derived energies |
//! | `velocity` | the vector of velocities |
//! | `mass`, `identity` | M, and the identity of its size |
//! | `dx`, `dt`, and the name of a constraint | 1-forms |
//! | `λ(row)` | the multiplier of a constraint |
//! | `friction(contact)`, `rolling(contact)`, `spinning(contact)` | what acts on a slip, a roll, a spin while the contact is closed |
//! | `force(x)` | the generalized force Q − ∂D/∂v on a coordinate |
//! | `sharp(row)` | the vector G⁻¹Bᵀ of a row |
//! | `gram`, `inverse(gram)` | B G⁻¹ Bᵀ and its inverse; without a contact B = A |
//! | `projector` | P = G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹B |
//! | `ẋ_plus`, `plus(e)`, `ẋ_minus`, `minus(e)` | velocities and values after and before the impact |
//! | `impulse(row)` | the impulse of a row at the impact: M (v⁺ − v⁻) = Bᵀ·impulse |
//!
//! A row of a contact is addressed by the contact's name; `λ(contact)` where it is closed.

use eom_symbolic::ExprId;
use eom_symbolic::mechanics::{Contact, EquationsOfMotion, Mass, SystemModel};

/// What claims may speak of.
#[derive(Debug, Clone)]
pub(crate) struct Quantities {
    /// The contacts that are closed: their rows follow those of the declaration.
    pub(in crate::resolve) closed: Vec<usize>,
    /// Their friction: contact, place among its forces, force.
    pub(in crate::resolve) frictions: Vec<(usize, usize, ExprId)>,
    /// The contact of the claim.
    pub(in crate::resolve) at: Option<usize>,
    /// Whether the claim names a contact, known or not.
    pub(in crate::resolve) at_impact: bool,
    /// A, and b beside each row.
    pub(in crate::resolve) rows: Vec<(Vec<ExprId>, ExprId)>,
    /// The rows of B by their places: those of A, the gap, the contact's own.
    pub(in crate::resolve) in_b: Vec<usize>,
    pub(in crate::resolve) contacts: Vec<Contact>,
    pub(in crate::resolve) row_names: Vec<String>,
    pub(in crate::resolve) coordinates: Vec<String>,
    /// The names of the speeds as indices, `x`, `u`.
    pub(in crate::resolve) speeds: Vec<String>,
    /// W: speeds from the rates of coordinates; empty where they are these.
    pub(in crate::resolve) forms: Vec<Vec<ExprId>>,
    pub(in crate::resolve) scalars: Vec<(&'static str, ExprId)>,
    pub(in crate::resolve) mass: Mass,
    pub(in crate::resolve) force: Vec<ExprId>,
}

impl Quantities {
    pub(in crate::resolve) fn new(model: &mut SystemModel, equations: &EquationsOfMotion) -> Self {
        let energy = equations.energy(model);
        Self {
            closed: Vec::new(),
            frictions: Vec::new(),
            at: None,
            at_impact: false,
            rows: equations.rows.iter().cloned().zip(equations.affine.iter().copied()).collect(),
            in_b: (0..equations.rows.len()).collect(),
            contacts: model.contacts.clone(),
            row_names: model.rows.iter().map(|row| row.named.name.clone()).collect(),
            coordinates: model.coordinates.iter().map(|c| c.named.name.clone()).collect(),
            speeds: model.speeds.iter().map(|s| s.named.name.clone()).collect(),
            forms: model.kinematics.as_ref().map(|k| k.forms.clone()).unwrap_or_default(),
            scalars: vec![
                ("lagrangian", model.lagrangian),
                ("kinetic", equations.kinetic),
                ("potential", equations.potential),
                ("dissipation", model.dissipation),
                ("energy", energy),
                ("jacobi", equations.jacobi),
            ],
            mass: equations.mass.clone(),
            force: equations.whole_force(&mut model.pool),
        }
    }

    /// Takes the contact of a claim.
    pub(super) fn enter(&mut self, contact: Option<usize>, at_impact: bool) {
        let k = self.rows.len();
        let rows = contact.and_then(|c| self.contacts.get(c)).map(|c| c.rows_of_b(k));
        self.in_b = rows.unwrap_or_else(|| (0..k).collect());
        (self.at, self.at_impact) = (contact, at_impact);
    }

    /// The rows of the gaps of the closed contacts; the own rows of each follow its gap.
    pub(super) fn closed_places(&self) -> Vec<usize> {
        let own = |contact: &usize| self.contacts.get(*contact).map_or(0, |c| c.rows.len());
        let all: usize = self.closed.iter().map(|contact| 1 + own(contact)).sum();
        let mut next = self.rows.len() - all;
        let places = self.closed.iter().map(|contact| {
            let place = next;
            next += 1 + own(contact);
            place
        });
        places.collect()
    }

    /// The place among all rows of the gap of a contact that is closed, or that of the claim.
    pub(in crate::resolve) fn gap_place(&self, contact: usize) -> Option<usize> {
        if self.at == Some(contact) {
            return Some(self.rows.len());
        }
        let closed = self.closed.iter().position(|closed| *closed == contact)?;
        self.closed_places().get(closed).copied()
    }

    /// The contact of the claim.
    pub(in crate::resolve) fn contact(&self) -> Option<&Contact> {
        self.contacts.get(self.at?)
    }

    /// Its name.
    pub(in crate::resolve) fn contact_name(&self) -> String {
        self.contact().map(|contact| contact.named.name.clone()).unwrap_or_default()
    }

    /// The coordinate whose value takes the place of this one after the impact.
    pub(in crate::resolve) fn relabelled(&self, coordinate: usize) -> usize {
        self.contact().map_or(coordinate, |contact| contact.relabelled(coordinate))
    }

    /// Coefficients and affine part of a row of A, or of an own row of the contact, by its place.
    pub(in crate::resolve) fn row(&self, place: usize) -> Option<(&[ExprId], ExprId)> {
        if let Some((coefficients, affine)) = self.rows.get(place) {
            return Some((coefficients, *affine));
        }
        let row = self.contact()?.rows.get(place.checked_sub(self.rows.len() + 1)?)?;
        Some((&row.coefficients, row.affine))
    }

    /// What a row is called: as declared, with the contact before its own.
    pub(super) fn row_name(&self, place: usize) -> Option<String> {
        let k = self.rows.len();
        match place.checked_sub(k) {
            None => self.row_names.get(place).cloned(),
            Some(0) => Some(self.contact_name()),
            Some(own) => {
                let contact = self.contact()?;
                Some(format!("{}.{}", contact.named.name, contact.rows.get(own - 1)?.named.name))
            }
        }
    }
}
