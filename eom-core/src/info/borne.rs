//! What acts with multipliers and with forces of friction.

use super::SystemInfo;

impl SystemInfo {
    /// Whether forces act with the normal force of some contact, or with some friction.
    pub fn has_borne_forces(&self) -> bool {
        self.contacts.iter().any(|contact| contact.bears) || self.friction_bears()
    }

    /// Whether forces act with the force of some friction.
    pub fn friction_bears(&self) -> bool {
        self.frictions.iter().any(|friction| friction.bears)
    }

    /// Of how many contacts, then rows where forces hold a multiplier, then components of friction where they hold one of these,
    /// the forces that they bear are listed.
    pub fn bearers(&self) -> usize {
        if !self.has_borne_forces() {
            return 0;
        }
        let components: usize = self.frictions.iter().map(|friction| friction.components).sum();
        self.first_component() + components * usize::from(self.friction_bears())
    }

    /// Where the components of friction begin in that list.
    pub fn first_component(&self) -> usize {
        let rows = self.rows.len() * usize::from(self.rows.iter().any(|row| row.bears));
        self.contacts.len() + rows
    }
}
