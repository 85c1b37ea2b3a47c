//! A table: columns of one kind each, rows of cells.

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number in double precision.
    Number,
    /// A whole number from 0 on.
    Count,
    /// A text.
    Text,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name, in ASCII.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// What the declaration says of it, with its unit.
    pub doc: String,
    /// Whether cells may be missing.
    pub optional: bool,
}

impl Column {
    /// A column that has a value in every row.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: Kind, doc: &str) -> Self {
        Self { name: name.into(), kind, doc: doc.to_owned(), optional: false }
    }

    /// The same, with cells that may be missing.
    #[must_use]
    pub fn optional(self) -> Self {
        Self { optional: true, ..self }
    }
}

/// Columns of which no two have one name: those at these places, which a user names, have `_` behind theirs where another
/// one is called so.
pub fn distinct(columns: &mut [Column], given: impl IntoIterator<Item = usize>) {
    for place in given {
        let is_taken = |name: &str| {
            columns.iter().enumerate().any(|(other, column)| other != place && column.name == name)
        };
        let mut name = columns[place].name.clone();
        while is_taken(&name) {
            name.push('_');
        }
        columns[place].name = name;
    }
}

/// A value in a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// A finite number.
    Number(f64),
    /// A number with digits of its own, which texts have, and the finite number nearest to it, which columns have.
    Digits(f64, String),
    /// A whole number.
    Count(u64),
    /// A text.
    Text(String),
    /// Nothing: what has no value there.
    Missing,
}

impl Cell {
    /// A number; one that is infinite or not a number has no value.
    #[must_use]
    pub fn number(value: f64) -> Self {
        if value.is_finite() { Self::Number(value) } else { Self::Missing }
    }

    /// A count.
    #[must_use]
    pub fn count(value: usize) -> Self {
        Self::Count(value as u64)
    }
}
