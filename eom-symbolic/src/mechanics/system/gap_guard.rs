//! Which gap a guard is, but for a number.

use super::contact::Contact;
use super::declared::GapGuard;
use crate::node::{ExprId, View};
use crate::pool::ExprPool;

impl GapGuard {
    /// That of one of these contacts.
    pub fn of(pool: &mut ExprPool, guard: ExprId, contacts: &[Contact]) -> Option<Self> {
        let bare = without_factor(pool, guard);
        let mut gaps = contacts.iter().enumerate().filter(|(_, contact)| contact.when.is_empty());
        gaps.find(|(_, contact)| without_factor(pool, contact.gap) == bare).map(
            |(index, Contact { gap, .. })| Self {
                contact: index,
                rises: pool.leads_negative(guard) != pool.leads_negative(*gap),
            },
        )
    }
}

/// What is left of an expression without the number that it, or its first term, begins with.
fn without_factor(pool: &mut ExprPool, e: ExprId) -> ExprId {
    match pool.view(e) {
        View::Sum(terms) => {
            let first = terms[0].0;
            pool.div(e, first)
        }
        _ => pool.split_coefficient(e).1,
    }
}
