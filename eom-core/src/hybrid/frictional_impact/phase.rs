//! What an impact with friction begins with: the contacts that are struck, and the velocity and the impulses that come back to
//! them of a phase.

use crate::hybrid::mode::contact::GapRate;

/// A contact that may take an impulse.
#[derive(Debug, Clone, Copy)]
pub(in crate::hybrid) struct Struck {
    pub(in crate::hybrid) contact: usize,
    pub(in crate::hybrid) gap: GapRate,
    /// −e ġ⁻ by Newton's e.
    pub(in crate::hybrid) target: f64,
    /// e_t of its own rows.
    pub(in crate::hybrid) tangential: f64,
    /// Poisson's e: the part of the impulse of compression that comes back.
    pub(in crate::hybrid) returns: f64,
}

/// What a phase begins with, and what it leads to; one number a contact that is struck.
#[derive(Debug, Clone)]
pub(in crate::hybrid) struct Phase {
    /// v₀.
    pub(in crate::hybrid) start: Vec<f64>,
    /// Λ⁰.
    pub(super) returned: Vec<f64>,
    /// γ.
    pub(in crate::hybrid) targets: Vec<f64>,
    /// e_t of its own rows.
    pub(in crate::hybrid) tangential: Vec<f64>,
}

impl Struck {
    /// A contact that only bears: its gap does not close.
    pub(in crate::hybrid) fn bearing(contact: usize, gap: GapRate) -> Self {
        Self { contact, gap, target: 0.0, tangential: 0.0, returns: 0.0 }
    }

    /// Whether its gap closes.
    pub(in crate::hybrid) fn closes(&self) -> bool {
        self.gap.rate < -self.gap.tolerance
    }
}

impl Phase {
    /// The whole impact by Newton's law.
    pub(super) fn newtons(before: &[f64], struck: &[Struck]) -> Self {
        Self {
            start: before.to_vec(),
            returned: vec![0.0; struck.len()],
            targets: struck.iter().map(|struck| struck.target).collect(),
            tangential: struck.iter().map(|struck| struck.tangential).collect(),
        }
    }

    /// No rate of what is struck, from this velocity.
    pub(in crate::hybrid) fn at_rest(start: &[f64], struck: &[Struck]) -> Self {
        let none = vec![0.0; struck.len()];
        Self {
            start: start.to_vec(),
            returned: none.clone(),
            targets: none.clone(),
            tangential: none,
        }
    }

    /// Whether nothing comes back, and no gap has to open.
    pub(in crate::hybrid) fn is_over(&self) -> bool {
        let zero = |numbers: &[f64]| numbers.iter().all(|x| *x == 0.0);
        zero(&self.returned) && zero(&self.targets) && zero(&self.tangential)
    }
}
