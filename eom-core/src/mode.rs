//! The discrete part of a state: what is in force beside the declared constraints.

/// A mode of motion: the closed contacts whose rows are in force, by index, in rising order.
///
/// A contact that touches without being needed, since its row depends on those in force, is not
/// among them: it carries no force.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct Mode {
    closed: Vec<usize>,
}

impl Mode {
    /// The mode with these contacts closed.
    pub fn new(mut closed: Vec<usize>) -> Self {
        closed.sort_unstable();
        closed.dedup();
        Self { closed }
    }

    /// The closed contacts.
    pub fn closed(&self) -> &[usize] {
        &self.closed
    }

    /// Whether a contact is closed.
    pub fn is_closed(&self, contact: usize) -> bool {
        self.closed.binary_search(&contact).is_ok()
    }

    /// Whether only the declared constraints are in force.
    pub fn is_free(&self) -> bool {
        self.closed.is_empty()
    }
}
