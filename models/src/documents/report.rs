//! The verdict of each equation, as rows.

use super::motion::Motion;
use super::printed::printed;
use super::{Document, Entry, Instance, Standing, claims_of, sentence_of};
use eom_analysis::{complaint, decide};
use eom_core::info::{ClaimInfo, ClaimKind, SystemInfo};
use std::fmt;

/// What is known of an equation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It follows from the declaration of a model.
    Follows,
    /// It follows where a symbol is taken for something else than the document says.
    Reading,
    /// The printed form does not follow; the corrected one does.
    Erratum,
    /// It fixes a name or a notation.
    Definition,
    /// It speaks of all systems of a kind; an instance exercises it.
    General,
    /// Nothing stands for it yet.
    Open,
}

impl Verdict {
    /// All verdicts, in the order in which they are counted.
    pub const ALL: [Self; 6] =
        [Self::Follows, Self::Reading, Self::Erratum, Self::Definition, Self::General, Self::Open];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Follows => "follows",
            Self::Reading => "follows with a reading",
            Self::Erratum => "erratum",
            Self::Definition => "definition",
            Self::General => "general",
            Self::Open => "open",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// An equation, or a part of one, with its verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its number in the document, such as `25a`.
    pub equation: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Where it is stated: `at floor under plastic`; empty without.
    pub place: String,
    /// The printed form in the language; empty where none was transcribed.
    pub printed: &'static str,
    /// The print in LaTeX, where the text has it.
    pub printed_tex: &'static str,
    /// What its symbols were taken for; of a verdict with a reading, what is not as the document says.
    pub reading: &'static str,
    /// The conditions under which it is stated; empty without.
    pub when: &'static str,
    /// For an erratum, the right form.
    pub corrected: &'static str,
    /// For an erratum, the right form in LaTeX, where the print is.
    pub corrected_tex: &'static str,
    /// For an erratum, by how much the printed form differs.
    pub difference: &'static str,
    /// A line of what it says; for an erratum, why it is one.
    pub reason: String,
    /// What decides or exercises it, such as `penny: eq25a`.
    pub by: String,
    /// The readings of an ambiguous text.
    pub note: &'static str,
}

/// The rows of a document: one for each claim of an equation, one for any other equation.
pub fn rows(document: &Document) -> Vec<Row> {
    document.entries.iter().flat_map(|entry| entry_rows(document, entry)).collect()
}

fn entry_rows(document: &Document, entry: &Entry) -> Vec<Row> {
    match entry.standing {
        Standing::Stated(by) => {
            let mut rows = Vec::new();
            for instance in by {
                match *instance {
                    Instance::Claims { system, names } => rows.extend(
                        names.iter().flat_map(|name| claim_rows(document, entry, system, name)),
                    ),
                    Instance::Test { .. } => rows.push(Row {
                        by: exercised(&[*instance]),
                        ..plain(document, entry, Verdict::Follows, "")
                    }),
                }
            }
            rows
        }
        Standing::Definition { says, by } => {
            vec![Row { by: exercised(by), ..plain(document, entry, Verdict::Definition, says) }]
        }
        Standing::Decided { verdict, says, corrected, by } => {
            let by = exercised(by);
            vec![Row { by, corrected_tex: corrected, ..plain(document, entry, verdict, says) }]
        }
        Standing::Moves { says, holds, corrected, instead } => {
            let (verdict, reason) = match decided(holds, instead) {
                Ok(verdict) => (verdict, says.to_owned()),
                Err(why) => (Verdict::Open, why),
            };
            let mut by: Vec<String> = Vec::new();
            for motion in holds.iter().chain(instead) {
                let run = format!("run {motion}");
                if !by.contains(&run) {
                    by.push(run);
                }
            }
            let row = plain(document, entry, verdict, &reason);
            vec![Row { by: by.join("; "), corrected_tex: corrected, ..row }]
        }
        Standing::General { says, by } => {
            vec![Row { by: exercised(by), ..plain(document, entry, Verdict::General, says) }]
        }
    }
}

/// The verdict of runs: the sentence holds of its motions, or what is said instead does.
fn decided(holds: &[Motion], instead: &[Motion]) -> Result<Verdict, String> {
    let all = |motions: &[Motion]| {
        motions.iter().try_fold(true, |all, motion| motion.holds().map(|holds| all && holds))
    };
    match (all(holds)?, instead.is_empty()) {
        (true, true) => Ok(Verdict::Follows),
        (true, false) => Err("what is called false holds".to_owned()),
        (false, true) => Err("it does not hold, and nothing is said instead".to_owned()),
        (false, false) if all(instead)? => Ok(Verdict::Erratum),
        (false, false) => Err("neither it nor what is said instead holds".to_owned()),
    }
}

fn plain(document: &Document, entry: &Entry, verdict: Verdict, says: &str) -> Row {
    Row {
        equation: entry.number.to_owned(),
        verdict,
        place: String::new(),
        printed: "",
        printed_tex: printed(document.key, entry.number).unwrap_or_default(),
        reading: "",
        corrected_tex: "",
        when: "",
        corrected: "",
        difference: "",
        reason: says.to_owned(),
        by: String::new(),
        note: entry.note,
    }
}

/// The rows of a claim; one that its model lacks leaves the equation open.
fn claim_rows(
    document: &Document,
    entry: &Entry,
    system: &'static SystemInfo,
    name: &'static str,
) -> Vec<Row> {
    let rows: Vec<Row> =
        claims_of(system, name).map(|claim| claim_row(document, entry, system, claim)).collect();
    if let Some(row) = sentence_of(system, name)
        .filter(|_| rows.is_empty())
        .and_then(|index| sentence_row(document, entry, system, index))
    {
        return vec![row];
    }
    if rows.is_empty() {
        let by = format!("{}: {name}", model_name(system));
        let open = plain(document, entry, Verdict::Open, "the model has no such claim");
        return vec![Row { by, ..open }];
    }
    rows
}

fn claim_row(
    document: &Document,
    entry: &Entry,
    system: &'static SystemInfo,
    claim: &'static ClaimInfo,
) -> Row {
    let verdict = match claim.kind {
        ClaimKind::Erratum => Verdict::Erratum,
        ClaimKind::Claim if claim.defines => Verdict::Definition,
        ClaimKind::Claim if !claim.reading.is_empty() => Verdict::Reading,
        ClaimKind::Claim => Verdict::Follows,
    };
    let own = system.document == document.key;
    Row {
        equation: part(document, entry, system, claim),
        verdict,
        place: claim.place.to_owned(),
        printed: claim.printed,
        // The print of another document is not this one's.
        printed_tex: if own { claim.printed_tex } else { "" },
        reading: if claim.reading.is_empty() { claim.notation } else { claim.reading },
        when: claim.when,
        corrected: claim.corrected,
        corrected_tex: if own { claim.corrected_tex } else { "" },
        difference: claim.difference.as_str(),
        reason: claim.doc.split_whitespace().collect::<Vec<_>>().join(" "),
        by: format!("{}: {}", model_name(system), claim.name),
        note: entry.note,
    }
}

/// The row of a claim of whole motions, decided by runs; one that they do not bear out leaves the equation open, with
/// the words of `eom check`.
fn sentence_row(
    document: &Document,
    entry: &Entry,
    system: &'static SystemInfo,
    index: usize,
) -> Option<Row> {
    let model = crate::catalogue().iter().find(|model| model.info.name == system.name)?;
    let said = system.sentences.get(index)?;
    let why = complaint(said, &decide(system, index, &|given| (model.build)(given)));
    let verdict = if why.is_none() { Verdict::Follows } else { Verdict::Open };
    let reason = why.unwrap_or_else(|| said.doc.split_whitespace().collect::<Vec<_>>().join(" "));
    Some(Row {
        printed: said.printed,
        printed_tex: "",
        by: format!("{}: {}", model.name, said.name),
        ..plain(document, entry, verdict, &reason)
    })
}

/// The number of the part that a claim states: `25a` of 25. A claim that is named after another
/// document's equation stands for the whole.
fn part(document: &Document, entry: &Entry, system: &SystemInfo, claim: &ClaimInfo) -> String {
    let own = system.document == document.key;
    match claim.equation.strip_prefix(entry.number) {
        Some(letter) if own && (1..3).contains(&letter.len()) => claim.equation.to_owned(),
        _ => entry.number.to_owned(),
    }
}

/// The name by which commands call a model; its type's name, where the catalogue lacks it.
pub fn model_name(system: &SystemInfo) -> &'static str {
    let known = crate::catalogue().iter().find(|model| model.info.name == system.name);
    known.map_or(system.name, |model| model.name)
}

/// `penny: eq25a, eq25b; tests/tests/penny.rs: between_impacts_…`.
fn exercised(by: &[Instance]) -> String {
    let texts: Vec<String> = by
        .iter()
        .map(|instance| match *instance {
            Instance::Claims { system, names } => {
                format!("{}: {}", model_name(system), names.join(", "))
            }
            Instance::Test { file, name } => format!("{file}: {name}"),
        })
        .collect();
    texts.join("; ")
}

/// How many rows have each verdict: `41 follow, 2 errata, 12 definitions`.
pub fn counts(rows: &[Row]) -> String {
    let texts: Vec<String> = Verdict::ALL
        .iter()
        .filter_map(|&verdict| {
            let count = rows.iter().filter(|row| row.verdict == verdict).count();
            (count > 0).then(|| format!("{count} {}", counted(verdict, count)))
        })
        .collect();
    texts.join(", ")
}

fn counted(verdict: Verdict, count: usize) -> &'static str {
    match (verdict, count) {
        (Verdict::Follows, 1) => "follows",
        (Verdict::Follows, _) => "follow",
        (Verdict::Reading, 1) => "follows with a reading",
        (Verdict::Reading, _) => "follow with a reading",
        (Verdict::Erratum, 1) => "erratum",
        (Verdict::Erratum, _) => "errata",
        (Verdict::Definition, 1) => "definition",
        (Verdict::Definition, _) => "definitions",
        (Verdict::General, _) => "general",
        (Verdict::Open, _) => "open",
    }
}
