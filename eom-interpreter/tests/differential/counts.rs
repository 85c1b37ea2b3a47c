//! What became of many systems: counts of ends, of events by kind, and of what was compared.

use std::collections::BTreeMap;
use std::fmt;

/// What became of one system.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// The ends of both methods, or why there are none.
    pub(crate) end: String,
    /// What else is to be said of how it was compared.
    pub(crate) remarks: Vec<&'static str>,
    /// The kinds of the events of the first method.
    pub(crate) events: Vec<&'static str>,
}

impl Outcome {
    pub(crate) fn without_runs(end: &str) -> Self {
        Self { end: end.to_owned(), ..Self::default() }
    }
}

/// The sums.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    systems: u64,
    disagreements: u64,
    ends: BTreeMap<String, u64>,
    remarks: BTreeMap<&'static str, u64>,
    events: BTreeMap<&'static str, u64>,
}

impl Counts {
    pub(crate) fn add(&mut self, outcome: &Outcome) {
        self.systems += 1;
        *self.ends.entry(outcome.end.clone()).or_default() += 1;
        for remark in &outcome.remarks {
            *self.remarks.entry(remark).or_default() += 1;
        }
        for event in &outcome.events {
            *self.events.entry(event).or_default() += 1;
        }
    }

    pub(crate) fn disagree(&mut self) {
        self.systems += 1;
        self.disagreements += 1;
    }

    pub(crate) fn systems(&self) -> u64 {
        self.systems
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} systems, {} disagreements", self.systems, self.disagreements)?;
        writeln!(f, "ends")?;
        for (name, count) in &self.ends {
            writeln!(f, "{count:9} {name}")?;
        }
        writeln!(f, "compared")?;
        for (name, count) in &self.remarks {
            writeln!(f, "{count:9} {name}")?;
        }
        writeln!(f, "events")?;
        for (name, count) in &self.events {
            writeln!(f, "{count:9} {name}")?;
        }
        Ok(())
    }
}
