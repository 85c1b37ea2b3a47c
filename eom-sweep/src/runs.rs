//! The table of the runs: what its columns are called, and the row of a run, whoever made it.

use crate::table::{Cell, Column, Kind, distinct};

/// How a run of a sweep went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It reached what was asked of it.
    Complete,
    /// It ended before.
    Early,
    /// It did not start.
    Refused,
}

impl Ended {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Complete, Self::Early, Self::Refused];

    /// What the table calls it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Early => "early",
            Self::Refused => "refused",
        }
    }
}

/// What is counted in a run, at the end of its row.
pub const COUNTS: [&str; 3] = ["impacts", "events", "steps"];

/// The names of which the columns are made, all in ASCII.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// Whether the runs have starts with names.
    pub starts: bool,
    /// What is swept.
    pub swept: Vec<String>,
    /// The numbers of a state: t, coordinates, speeds.
    pub state: Vec<String>,
    /// What else is kept of the end.
    pub outcomes: Vec<String>,
}

impl Names {
    /// The columns: the number, what is set, how it ended, the state at the end, energies, outcomes, counts. What is swept
    /// or kept and is called like another column has `_` behind its name.
    #[must_use]
    pub fn columns(&self) -> Vec<Column> {
        let mut columns = vec![Column::new("run", Kind::Count, "number of the run, from 0")];
        if self.starts {
            columns.push(Column::new("state", Kind::Text, "the start"));
        }
        columns.extend(self.swept.iter().map(|name| Column::new(name, Kind::Number, "swept")));
        columns.push(Column::new("ended", Kind::Text, "complete, early or refused"));
        columns.push(Column::new("reason", Kind::Text, "how it ended"));
        let ends = self.ends().map(|(name, doc)| Column::new(name, Kind::Number, doc).optional());
        columns.extend(ends);
        let counts = COUNTS.map(|name| Column::new(name, Kind::Count, "how many").optional());
        columns.extend(counts);
        let (swept, counts) = (1 + usize::from(self.starts), columns.len() - COUNTS.len());
        let outcomes = counts - self.outcomes.len()..counts;
        let given = outcomes.chain(swept..swept + self.swept.len());
        distinct(&mut columns, given);
        columns
    }

    /// The numbers that are kept of the end, with what they are.
    pub fn ends(&self) -> impl Iterator<Item = (String, &'static str)> {
        let state = self.state.iter().map(|name| (format!("{name}_end"), "at the end"));
        let energies = [("energy", "T + V at the end"), ("energy_change", "since the start")];
        let energies = energies.map(|(name, doc)| (name.to_owned(), doc));
        state.chain(energies).chain(self.outcomes.iter().map(|name| (name.clone(), "at the end")))
    }
}

/// The row of a run behind its number and what is set in it; a number that there is not is missing, and of a run that
/// was refused all of them.
#[must_use]
pub fn cells(ended: Ended, reason: &str, ends: &[f64], counts: [u64; 3]) -> Vec<Cell> {
    let is_made = ended != Ended::Refused;
    let mut cells = vec![Cell::Text(ended.word().to_owned()), Cell::Text(reason.to_owned())];
    let number = |value: &f64| if is_made { Cell::number(*value) } else { Cell::Missing };
    cells.extend(ends.iter().map(number));
    cells.extend(counts.map(|count| if is_made { Cell::Count(count) } else { Cell::Missing }));
    cells
}
