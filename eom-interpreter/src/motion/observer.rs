//! Looks at the states of a motion in their order. Where a slip comes to rest a state alone does not tell from which side: the
//! states before it do, and forces there are the limits of the arc that ends.

use super::{Forces, rough_rows};
use eom_core::contact::Reactions;
use eom_core::info::FrictionKind;
use eom_core::{Mode, State, System};

/// Who looks at the states of one motion.
pub struct Observer<'s> {
    system: &'s dyn System,
    inputs: &'s [f64],
    reactions: Reactions,
}

impl<'s> Observer<'s> {
    /// Of a system with these inputs.
    pub fn new(system: &'s dyn System, inputs: &'s [f64]) -> Self {
        Self { system, inputs, reactions: Reactions::new(system) }
    }

    /// Looks at the next state, in its mode.
    pub fn see<'o>(&'o mut self, state: &'o State, mode: &'o Mode) -> Sight<'o> {
        let Self { system, inputs, reactions } = self;
        Sight { system: *system, inputs, state, mode, reactions, is_solved: false }
    }
}

impl std::fmt::Debug for Observer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Observer").field("system", &self.system.info().name).finish_non_exhaustive()
    }
}

/// A state of a motion, whose forces are solved once, where something reads them.
pub struct Sight<'o> {
    /// The system.
    pub system: &'o dyn System,
    /// The inputs.
    pub inputs: &'o [f64],
    /// The state.
    pub state: &'o State,
    /// Its mode.
    pub mode: &'o Mode,
    reactions: &'o mut Reactions,
    is_solved: bool,
}

impl Sight<'_> {
    /// All forces, as [`Reactions`] lists them.
    fn all(&mut self) -> &[f64] {
        let Self { system, inputs, state, mode, reactions, is_solved } = self;
        if !std::mem::replace(is_solved, true) {
            reactions.at(*system, inputs, state, mode);
        }
        reactions.all()
    }

    /// The forces in the mode; not numbers where there are none.
    pub(crate) fn forces(&mut self) -> Forces {
        let (info, State { t, q, v }) = (self.system.info(), self.state);
        let (rows, contacts) = (info.rows.len(), info.contacts.len());
        let mut accelerations = vec![f64::NAN; v.len()];
        if self.mode.is_free() && rough_rows(info).next().is_none() {
            let mut multipliers = vec![f64::NAN; rows];
            self.system.accelerations(*t, q, v, self.inputs, &mut accelerations, &mut multipliers);
            let (contacts, frictions) =
                (vec![0.0; contacts], vec![0.0; FrictionKind::PLACES * contacts]);
            return Forces { accelerations, multipliers, contacts, frictions };
        }
        let (multipliers, others) = self.all().split_at(rows);
        let (normal, frictions) = others.split_at(contacts);
        let (multipliers, contacts, frictions) =
            (multipliers.to_vec(), normal.to_vec(), frictions.to_vec());
        if let Some(found) = self.reactions.accelerations() {
            accelerations.copy_from_slice(found);
        }
        Forces { accelerations, multipliers, contacts, frictions }
    }

    /// The declared outputs.
    pub fn outputs(&mut self, outputs: &mut [f64]) {
        let (system, inputs, State { t, q, v }) = (self.system, self.inputs, self.state);
        if system.outputs_hold_forces() {
            system.outputs_with_forces(*t, q, v, inputs, self.all(), outputs);
        } else {
            system.outputs(*t, q, v, inputs, outputs);
        }
    }
}

impl std::fmt::Debug for Sight<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sight")
            .field("state", &self.state)
            .field("mode", &self.mode)
            .finish_non_exhaustive()
    }
}
