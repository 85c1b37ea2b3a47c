//! The contacts that take part in an instant, and what the instant has done to them so far.

use super::contact::GapRate;

/// Contacts at one instant.
#[derive(Debug, Clone)]
pub(in crate::hybrid) struct ActiveContacts {
    /// Whether each contact is at g ≈ 0.
    pub(in crate::hybrid) at_zero: Vec<bool>,
    /// Contacts that were carried up to this instant.
    pub(in crate::hybrid) carried: Vec<usize>,
    /// ġ⁺/|ġ⁻| of its last impact at this instant.
    pub(in crate::hybrid) ratios: Vec<Option<f64>>,
    /// Contacts whose normal force has just fallen through zero, this one and those before it at this
    /// moment.
    pub(in crate::hybrid) opening: Vec<usize>,
    /// Contacts whose gaps close by less than can be told, since others have been closed.
    pub(in crate::hybrid) pushed: Vec<usize>,
    /// Terms of friction whose w has just come to zero.
    pub(in crate::hybrid) stopping: Vec<usize>,
    /// Terms of rows whose multiplier has just passed zero.
    pub(in crate::hybrid) turning: Vec<usize>,
    /// Terms of friction with w = 0, where some grow with forces.
    pub(in crate::hybrid) held: Option<Vec<usize>>,
    /// Terms of friction that begin to slide, each with its direction.
    pub(in crate::hybrid) breaking: Vec<(usize, Vec<f64>)>,
    /// How the directions of these turn.
    pub(in crate::hybrid) swinging: Vec<(usize, Vec<f64>)>,
    /// Terms of friction whose w is not zero, when the mode was last looked for.
    pub(in crate::hybrid) slipping: Vec<usize>,
    /// The direction of v in which friction that is an integral gives way.
    pub(in crate::hybrid) launch: Option<Vec<f64>>,
    /// Impacts so far.
    pub(in crate::hybrid) impacts: usize,
    /// There were so many impacts that the rest of them are plastic.
    pub(in crate::hybrid) collapses: bool,
    /// This is the start of the run.
    pub(in crate::hybrid) starts: bool,
    /// By how much more than rounding a gap rate may be off zero.
    pub(in crate::hybrid) tolerance: f64,
    /// Changes of the state before this instant.
    pub(in crate::hybrid) jumps: usize,
}

impl ActiveContacts {
    pub(in crate::hybrid) fn new(contacts: usize) -> Self {
        Self {
            at_zero: vec![false; contacts],
            carried: Vec::new(),
            ratios: vec![None; contacts],
            opening: Vec::new(),
            pushed: Vec::new(),
            stopping: Vec::new(),
            turning: Vec::new(),
            held: None,
            breaking: Vec::new(),
            swinging: Vec::new(),
            slipping: Vec::new(),
            launch: None,
            impacts: 0,
            collapses: false,
            starts: false,
            tolerance: 1.0,
            jumps: 0,
        }
    }

    /// By how much more than rounding a rate may be off zero.
    pub(in crate::hybrid) fn widening(&self) -> f64 {
        self.tolerance
    }

    /// The contacts at g ≈ 0.
    pub(in crate::hybrid) fn contacts(&self) -> impl Iterator<Item = usize> + use<> {
        let active: Vec<usize> = (0..self.at_zero.len()).filter(|&c| self.at_zero[c]).collect();
        active.into_iter()
    }

    /// A gap rate with the tolerance of this instant.
    pub(in crate::hybrid) fn widened(&self, gap: GapRate) -> GapRate {
        GapRate { tolerance: self.tolerance * gap.tolerance, ..gap }
    }

    /// Whether a contact that is closed now was so at the start: nothing happens to it.
    pub(super) fn starts_closed(&self, contact: usize) -> bool {
        self.starts && self.ratios[contact].is_none()
    }

    /// Jumps have left these terms of friction slipping: what has come to rest or gives way is not among them.
    pub(in crate::hybrid) fn jumped_to(&mut self, slipping: &[usize]) {
        self.stopping.retain(|term| !slipping.contains(term));
        self.breaking.retain(|(term, _)| !slipping.contains(term));
    }

    /// Takes an impact with ġ⁻ and ġ⁺.
    pub(in crate::hybrid) fn struck(&mut self, contact: usize, minus: f64, plus: f64) {
        self.ratios[contact] = Some(plus / minus.abs());
        self.impacts += 1;
    }
}
