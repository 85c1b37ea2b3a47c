//! The five documents, equation by equation: which claim of which model decides each of them.
//!
//! A table lists every equation of a document in its order. An entry that names claims has the
//! verdict of the macro, read from [`ClaimInfo`]; a definition or a general statement has a line
//! of what it says and the instance that exercises it. Numbers are those of the document, in the
//! form that the names of claims carry (`eq2_10` is 2.10, `thm5_1` Theorem 5.1, `d5_6` display
//! 5.6: an equation without a number, counted within its section).

mod bouncing_penny;
pub mod motion;
mod nonholonomic_collisions;
pub mod printed;
mod putting_green;
pub mod report;
mod rough_plane;
mod weak_solutions;

use eom_core::info::{ClaimInfo, SystemInfo};

/// A document.
#[derive(Debug, Clone, Copy)]
pub struct Document {
    /// The name that models give in `document "…";` and commands on their line.
    pub key: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Who wrote it.
    pub authors: &'static str,
    /// What it is about, and how its equations are numbered here; Markdown.
    pub about: &'static str,
    /// Its equations in their order.
    pub entries: &'static [Entry],
}

/// An equation of a document.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Its number, such as `25`, `2.10`, `Theorem 5.1`, `display 5.6`.
    pub number: &'static str,
    /// How it stands.
    pub standing: Standing,
    /// Where the text is ambiguous, the readings tried; else empty.
    pub note: &'static str,
}

/// How an equation stands to the models.
#[derive(Debug, Clone, Copy)]
pub enum Standing {
    /// It is stated as claims and errata, each decided when its model was compiled.
    Stated(&'static [Instance]),
    /// It fixes a name or a notation.
    Definition {
        /// What it says, in a line.
        says: &'static str,
        /// What uses it.
        by: &'static [Instance],
    },
    /// Runs decide it, in a test that fails where the verdict is another.
    Decided {
        /// The verdict.
        verdict: report::Verdict,
        /// What was found, in a line.
        says: &'static str,
        /// What is right, where the print is not; LaTeX or words.
        corrected: &'static str,
        /// The tests.
        by: &'static [Instance],
    },
    /// It speaks of whole motions: runs decide it, and the verdict is theirs.
    Moves {
        /// What it says, in a line.
        says: &'static str,
        /// What it says of each motion.
        holds: &'static [motion::Motion],
        /// What is right, where the print is not; LaTeX or words, else empty.
        corrected: &'static str,
        /// What holds instead.
        instead: &'static [motion::Motion],
    },
    /// It speaks of all systems of a kind.
    General {
        /// What it says, in a line.
        says: &'static str,
        /// What exercises it.
        by: &'static [Instance],
    },
}

/// What stands for an equation.
#[derive(Debug, Clone, Copy)]
pub enum Instance {
    /// Claims of a model.
    Claims {
        /// The model.
        system: &'static SystemInfo,
        /// The names of the claims.
        names: &'static [&'static str],
    },
    /// A test: its file, from the root of the repository, and its function.
    Test {
        /// The file.
        file: &'static str,
        /// The function.
        name: &'static str,
    },
}

impl Entry {
    /// What stands for the equation.
    pub fn instances(&self) -> &'static [Instance] {
        match self.standing {
            Standing::Stated(by)
            | Standing::Definition { by, .. }
            | Standing::Decided { by, .. }
            | Standing::General { by, .. } => by,
            Standing::Moves { .. } => &[],
        }
    }

    /// The same entry, with the readings of an ambiguous text.
    const fn noted(self, note: &'static str) -> Self {
        Self { note, ..self }
    }
}

/// The claims of a system that a name stands for: that of the name, or the rows of its display, `d2_7a`, `d2_7b`.
pub fn claims_of(
    system: &'static SystemInfo,
    name: &'static str,
) -> impl Iterator<Item = &'static ClaimInfo> {
    system.claims.iter().filter(move |claim| is_row(claim, name))
}

fn is_row(claim: &ClaimInfo, name: &str) -> bool {
    let letters = |rest: &str| rest.len() < 3 && rest.bytes().all(|c| c.is_ascii_lowercase());
    claim.name == name
        || (!claim.tex.is_empty() && claim.name.strip_prefix(name).is_some_and(letters))
}

/// The claim of whole motions of a system by its name, by its index: runs decide it.
pub fn sentence_of(system: &SystemInfo, name: &str) -> Option<usize> {
    system.sentences.iter().position(|said| said.name == name)
}

/// A claim of a system by its name.
pub fn claim(system: &'static SystemInfo, name: &str) -> Option<&'static ClaimInfo> {
    system.claims.iter().find(|claim| claim.name == name)
}

/// An equation stated as claims.
const fn stated(number: &'static str, by: &'static [Instance]) -> Entry {
    Entry { number, standing: Standing::Stated(by), note: "" }
}

/// A statement that runs bear out.
const fn borne_out(number: &'static str, says: &'static str, by: &'static [Instance]) -> Entry {
    let verdict = report::Verdict::Follows;
    Entry { number, standing: Standing::Decided { verdict, says, corrected: "", by }, note: "" }
}

/// A statement that runs refute: why, and what is right.
const fn refuted(
    number: &'static str,
    says: &'static str,
    corrected: &'static str,
    by: &'static [Instance],
) -> Entry {
    let verdict = report::Verdict::Erratum;
    Entry { number, standing: Standing::Decided { verdict, says, corrected, by }, note: "" }
}

/// A sentence of whole motions that is true: what it says of them.
const fn moves(
    number: &'static str,
    says: &'static str,
    holds: &'static [motion::Motion],
) -> Entry {
    Entry {
        number,
        standing: Standing::Moves { says, holds, corrected: "", instead: &[] },
        note: "",
    }
}

/// A sentence of whole motions that is false: what it says of them, what is right, and what holds instead.
const fn moves_not(
    number: &'static str,
    says: &'static str,
    holds: &'static [motion::Motion],
    (corrected, instead): (&'static str, &'static [motion::Motion]),
) -> Entry {
    Entry { number, standing: Standing::Moves { says, holds, corrected, instead }, note: "" }
}

/// A definition, and what uses it.
const fn definition(number: &'static str, says: &'static str, by: &'static [Instance]) -> Entry {
    Entry { number, standing: Standing::Definition { says, by }, note: "" }
}

/// A general statement, and what exercises it.
const fn general(number: &'static str, says: &'static str, by: &'static [Instance]) -> Entry {
    Entry { number, standing: Standing::General { says, by }, note: "" }
}

/// Claims of a model.
const fn of(system: &'static SystemInfo, names: &'static [&'static str]) -> Instance {
    Instance::Claims { system, names }
}

/// A test.
const fn test(file: &'static str, name: &'static str) -> Instance {
    Instance::Test { file, name }
}

static DOCUMENTS: [Document; 5] = [
    putting_green::DOCUMENT,
    weak_solutions::DOCUMENT,
    nonholonomic_collisions::DOCUMENT,
    bouncing_penny::DOCUMENT,
    rough_plane::DOCUMENT,
];

/// The documents, in the order in which they are reported.
pub fn documents() -> &'static [Document] {
    &DOCUMENTS
}

/// A document by its key.
pub fn document(key: &str) -> Option<&'static Document> {
    documents().iter().find(|document| document.key == key)
}
