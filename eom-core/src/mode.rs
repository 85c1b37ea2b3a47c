//! The discrete part of a state: what is in force beside the declared constraints.

use crate::snapshot::words::value;

/// A mode of motion: the closed contacts whose rows are in force, and the terms of dry friction
/// that stick, each by index, in rising order.
///
/// A contact that touches without being needed, since its row depends on those in force, is not
/// among them: it carries no force.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Indices"))]
pub struct Mode {
    closed: Vec<usize>,
    sticking: Vec<usize>,
}

impl Mode {
    /// The mode with these contacts closed, in which all friction slides.
    pub fn new(closed: Vec<usize>) -> Self {
        Self { closed: sorted(closed), sticking: Vec::new() }
    }

    /// The same contacts with these terms of dry friction sticking.
    #[must_use]
    pub fn with_sticking(self, sticking: Vec<usize>) -> Self {
        Self { sticking: sorted(sticking), ..self }
    }

    /// The closed contacts.
    pub fn closed(&self) -> &[usize] {
        &self.closed
    }

    /// Whether a contact is closed.
    pub fn is_closed(&self, contact: usize) -> bool {
        self.closed.binary_search(&contact).is_ok()
    }

    /// The terms of dry friction that stick, by their index in `SystemInfo::frictions`.
    pub fn sticking(&self) -> &[usize] {
        &self.sticking
    }

    /// Whether a term of dry friction sticks.
    pub fn sticks(&self, friction: usize) -> bool {
        self.sticking.binary_search(&friction).is_ok()
    }

    /// Whether only the declared constraints are in force.
    pub fn is_free(&self) -> bool {
        self.closed.is_empty() && self.sticking.is_empty()
    }
}

/// A mode as it is deserialised: in any order.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Indices {
    closed: Vec<usize>,
    sticking: Vec<usize>,
}

#[cfg(feature = "serde")]
impl From<Indices> for Mode {
    fn from(Indices { closed, sticking }: Indices) -> Self {
        Self::new(closed).with_sticking(sticking)
    }
}

fn sorted(mut indices: Vec<usize>) -> Vec<usize> {
    indices.sort_unstable();
    indices.dedup();
    indices
}

value! {
    Mode { closed, sticking },
    |it, from| {
        let rises = |list: &[usize]| list.windows(2).all(|pair| pair[0] < pair[1]);
        from.check(rises(&it.closed) && rises(&it.sticking))?;
        from.contacts(&it.closed)?;
        from.frictions(&it.sticking)
    }
}
