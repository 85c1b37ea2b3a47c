//! What acts with multipliers.

use super::SystemInfo;

impl SystemInfo {
    /// Whether forces act with the normal force of some contact.
    pub fn has_borne_forces(&self) -> bool {
        self.contacts.iter().any(|contact| contact.bears)
    }

    /// Of how many contacts, and then rows where forces hold a multiplier, the forces that they bear are listed.
    pub fn bearers(&self) -> usize {
        let rows = self.rows.len() * usize::from(self.rows.iter().any(|row| row.bears));
        if self.has_borne_forces() { self.contacts.len() + rows } else { 0 }
    }
}
