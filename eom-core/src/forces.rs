//! The forces that act at a state of a run.

/// What acts on a system at an instant, and what comes of it.
///
/// ```text
/// M v̇ + h = F + Aᵀλ + Cᵀμ + Jᵀρ
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Forces {
    /// v̇, m.
    pub accelerations: Vec<f64>,
    /// λ of the constraint rows, k.
    pub multipliers: Vec<f64>,
    /// μ of each contact per unit gap, 0 where it is open, c.
    pub contacts: Vec<f64>,
    /// The forces of the contacts' own rows, 0 where they are open, those of all contacts one after
    /// another.
    pub contact_rows: Vec<f64>,
    /// ρ of each component of each term c‖w‖ of dry friction, one term after another: the reaction where it
    /// sticks, −c w/‖w‖ where it slides. Terms that are integrals have no components. Where w is a slip of which each
    /// component has a coefficient of its own the forces are those on the slip.
    pub frictions: Vec<f64>,
}
