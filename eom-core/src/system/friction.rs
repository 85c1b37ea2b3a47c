//! Dry friction: the part of the dissipation function that is homogeneous of degree one.

use super::System;
use std::ops::Range;

/// What bears the force that a term of friction grows with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bearer {
    /// A contact, by its index: its normal force.
    Contact(usize),
    /// A constraint row, by its index: the size of its multiplier.
    Row(usize),
    /// Constraint rows one behind the other: the length of their multipliers.
    Rows {
        /// The index of the first.
        first: usize,
        /// How many.
        count: usize,
    },
}

impl Bearer {
    /// That of a point term of a system; none of one with a strength of its own.
    pub fn of(system: &dyn System, term: usize) -> Option<Self> {
        let contact = system.contact_of_friction(term).map(Self::Contact);
        let rows =
            |Range { start: first, end }: Range<usize>| Self::Rows { first, count: end - first };
        contact
            .or_else(|| system.row_of_friction(term).map(Self::Row))
            .or_else(|| system.rows_of_friction(term).map(rows))
    }
}

/// The dry friction of a system, f point terms and integrals. One without has `impl Friction for … {}`.
pub trait Friction {
    /// The point terms c‖w‖ of dry friction, w = J v + b ∈ ℝʳ, f terms with r₁ + … components:
    /// c (f, one more for each term of a contact or a row, then the factors of the components of w that are weighted), w (Σr), J (Σr×m) and γ = dJ/dt v + db/dt (Σr). Their force is −Σ c Jᵀw/‖w‖, where
    /// 0/0 is 0 in [`System::accelerations`](crate::System::accelerations).
    #[expect(clippy::too_many_arguments, reason = "a state, and the four lists that it writes")]
    fn frictions(
        &self,
        _t: f64,
        _q: &[f64],
        _v: &[f64],
        c: &mut [f64],
        w: &mut [f64],
        rows: &mut [f64],
        drift: &mut [f64],
    ) {
        for list in [c, w, rows, drift] {
            list.fill(f64::NAN);
        }
    }

    /// The contact with whose normal force λ the strength of a point term grows: it is then c λ where it slides, and
    /// c_s λ is the most with which it sticks, c_s the coefficients behind those of all terms, in their order. Such
    /// a term acts while its contact is closed, and at its impacts; it is in no dissipation function.
    fn contact_of_friction(&self, _term: usize) -> Option<usize> {
        None
    }

    /// The constraint row with the size |λ| of whose multiplier the strength of a point term grows, as
    /// that of a contact with its normal force. It acts at all times, and at impacts with the row's impulse.
    fn row_of_friction(&self, _term: usize) -> Option<usize> {
        None
    }

    /// The constraint rows, one behind the other, with the length |λ| of whose multipliers the strength of a point term
    /// grows: as [`Friction::row_of_friction`].
    fn rows_of_friction(&self, _term: usize) -> Option<Range<usize>> {
        None
    }

    /// The part D₁ of the dissipation function that is homogeneous of degree one, at any velocity
    /// w, not that of the state: Σ c‖J w‖. Writes its force −∂D₁/∂w, m, which is 0 at w = 0.
    fn dry_friction(&self, _t: f64, _q: &[f64], _w: &[f64], force: &mut [f64]) -> f64 {
        force.fill(0.0);
        0.0
    }
}
