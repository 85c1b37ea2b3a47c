//! What the rows that are kept are called: by the constraint, the contact or the friction that each belongs to.

use super::Manifold;
use crate::system::System;

impl Manifold {
    /// The names of the rows on which one of those looked at depends, its own the last.
    pub(crate) fn dependence(&self, system: &dyn System, row: usize) -> Vec<&'static str> {
        self.rank.dependence(row).into_iter().map(|row| self.name(system, row)).collect()
    }

    /// What the name of a row that is kept is.
    fn name(&self, system: &dyn System, row: usize) -> &'static str {
        let info = system.info();
        let contacts = row.checked_sub(self.k);
        let own = contacts.and_then(|index| index.checked_sub(self.closed.len()));
        let sticking = own.and_then(|index| index.checked_sub(self.own_closed.len()));
        match (contacts, own, sticking) {
            (None, ..) => info.rows[row].name,
            (Some(index), None, _) => info.contacts[self.closed[index]].name,
            (_, Some(index), None) => info.contacts[self.own.contact(self.own_closed[index])].name,
            (.., Some(index)) => {
                let terms = info.frictions.iter().filter(|friction| friction.components > 0);
                let term = self.terms.term(self.sticking[index]);
                terms.into_iter().nth(term).map_or("friction", |friction| friction.name)
            }
        }
    }
}
