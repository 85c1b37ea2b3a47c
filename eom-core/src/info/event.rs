//! What is known of a declared event.

/// In which direction a guard fires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From positive to non-positive.
    Falling,
    /// From negative to non-negative.
    Rising,
    /// Either way.
    Both,
}

/// A declared event: a guard and, where it has one, a reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventInfo {
    /// Its name.
    pub name: &'static str,
    /// Greek letters spelled out.
    pub ascii: &'static str,
    /// The doc comment of the declaration.
    pub doc: &'static str,
    /// When the guard fires.
    pub direction: Direction,
    /// Whether the state changes; otherwise the event is only recorded.
    pub resets: bool,
    /// The gap that the guard is, where it is one: what happens is that its contact is struck.
    pub gap: Option<GapGuard>,
}

/// A guard that is a number times the gap of a contact without conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GapGuard {
    /// The index of the contact.
    pub contact: usize,
    /// Whether the number is negative: the guard rises where the gap falls.
    pub rises: bool,
}
