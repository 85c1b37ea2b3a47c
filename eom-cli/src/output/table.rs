//! A table: columns of one kind each, rows of cells.

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A number in double precision.
    Number,
    /// A whole number from 0 on.
    Count,
    /// A text.
    Text,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    /// Its name, in ASCII.
    pub(crate) name: String,
    /// What it holds.
    pub(crate) kind: Kind,
    /// What the declaration says of it, with its unit.
    pub(crate) doc: String,
    /// Whether cells may be missing.
    pub(crate) optional: bool,
}

impl Column {
    /// A column that has a value in every row.
    pub(crate) fn new(name: impl Into<String>, kind: Kind, doc: &str) -> Self {
        Self { name: name.into(), kind, doc: doc.to_owned(), optional: false }
    }

    /// The same, with cells that may be missing.
    pub(crate) fn optional(self) -> Self {
        Self { optional: true, ..self }
    }
}

/// A value in a table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    /// A finite number.
    Number(f64),
    /// A whole number.
    Count(u64),
    /// A text.
    Text(String),
    /// Nothing: what has no value there.
    Missing,
}

impl Cell {
    /// A number; one that is infinite or not a number has no value.
    pub(crate) fn number(value: f64) -> Self {
        if value.is_finite() { Self::Number(value) } else { Self::Missing }
    }

    /// A count.
    pub(crate) fn count(value: usize) -> Self {
        Self::Count(value as u64)
    }
}
