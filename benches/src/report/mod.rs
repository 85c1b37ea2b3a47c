//! What is said of the standings: a table of ratios, a table of everyone, figures.

mod derivatives;
mod everyone;
mod plot;
mod precision;
mod ratios;
mod surroundings;

use crate::contest::{Role, Standing};
use crate::judge::{Figure, figures};
use crate::ours::FUNCTION;
use crate::work::Work;
pub use derivatives::derivatives;
pub use everyone::everyone;
pub use plot::plots;
pub use ratios::ratios;
pub use surroundings::{machine_and_date, surroundings};

/// A row with its standings, judged.
#[derive(Debug, Clone)]
pub struct Row {
    /// What was done.
    pub work: Work,
    /// Everyone that took part.
    pub entries: Vec<Entry>,
}

/// One contestant of a row.
#[derive(Debug, Clone)]
pub struct Entry {
    /// What tables call it, its tolerance left out.
    pub name: String,
    /// Whose it is.
    pub role: Role,
    /// The tolerance of an integrator.
    pub tolerance: Option<f64>,
    /// Its figures, or why there are none.
    pub figure: Result<Figure, String>,
}

impl Row {
    /// Judges the standings of a row.
    pub fn new(work: Work, standings: &[Standing]) -> Self {
        let judged = figures(work, standings).into_iter().zip(standings);
        let entries = judged.map(|(figure, standing)| Entry {
            name: standing.name.clone(),
            role: standing.role,
            tolerance: standing.tolerance,
            figure,
        });
        Self { work, entries: entries.collect() }
    }

    /// The fastest in a role that is right, or the one of a tool, by the begin of its name.
    fn best(&self, role: Role, tool: Option<&str>) -> Option<(&Entry, Figure)> {
        let named = |entry: &&Entry| tool.is_none_or(|tool| entry.name.starts_with(tool));
        let in_role = self.entries.iter().filter(|entry| entry.role == role).filter(named);
        let right = in_role.filter_map(|entry| {
            let figure = *entry.figure.as_ref().ok()?;
            self.is_right(&figure).then_some((entry, figure))
        });
        right.min_by(|(_, a), (_, b)| a.ns.total_cmp(&b.ns))
    }

    /// The time of the function alone, beside that of its derivatives, ns.
    fn function(&self) -> Option<f64> {
        self.best(Role::Aside, Some(FUNCTION)).map(|(_, figure)| figure.ns)
    }

    /// Whether the error is one with which a time counts.
    fn is_right(&self, figure: &Figure) -> bool {
        match (self.work.error_max(), figure.error) {
            (Some(largest), Some(error)) => error <= largest,
            (Some(_), None) => false,
            (None, _) => true,
        }
    }
}

/// A number that may be missing, with an exponent.
fn scientific(value: Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        Some(0.0) => "0".to_owned(),
        Some(value) => format!("{value:.0e}"),
    }
}
