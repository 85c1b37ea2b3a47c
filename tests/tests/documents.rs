//! The report has no gap: every equation of the documents is listed once, in order, and what it
//! refers to exists.
//!
//! The numbers expected here were counted in the texts, not read from the tables.

use models::catalogue;
use models::documents::printed::strings;
use models::documents::report::{Verdict, rows};
use models::documents::{
    Document, Entry, Instance, Standing, claims_of, document, documents, sentence_of,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Equations of a kind: those of one prefix, from the first to the last number.
type Kind = (&'static str, std::ops::RangeInclusive<usize>);

/// How many equations of each kind a document has. The two collision papers number within
/// sections: (2.1)–(2.10) is `("2.", 1..=10)`.
const EXPECTED: [(&str, &[Kind]); 5] = [
    (
        "putting-green",
        &[
            ("", 1..=62),
            ("prose 2.", 1..=2),
            ("prose 3.", 1..=10),
            ("prose 4.", 1..=9),
            ("prose 5.", 1..=5),
        ],
    ),
    (
        "weak-solutions",
        &[
            ("1.", 1..=1),
            ("display 1.", 1..=2),
            ("2.", 1..=10),
            ("display 2.", 1..=5),
            ("Definition ", 1..=1),
            ("Lemma ", 1..=1),
            ("3.", 1..=2),
            ("display 3.", 1..=4),
            ("4.", 1..=3),
            ("display 4.", 1..=13),
            ("Hypothesis ", 1..=3),
            ("Theorem 4.", 1..=2),
            ("Theorem 5.", 1..=1),
            ("display 5.", 1..=8),
            ("6.", 1..=1),
            ("display 6.", 1..=2),
            ("prose 1.", 1..=2),
            ("prose 3.", 1..=3),
            ("prose 4.", 1..=7),
            ("prose 5.", 1..=4),
            ("prose 6.", 1..=2),
        ],
    ),
    (
        "nonholonomic-collisions",
        &[
            ("1.", 1..=2),
            ("display 1.", 1..=5),
            ("2.", 1..=9),
            ("display 2.", 1..=6),
            ("Definition ", 1..=1),
            ("Lemma ", 1..=1),
            ("3.", 1..=2),
            ("display 3.", 1..=5),
            ("4.", 1..=3),
            ("display 4.", 1..=11),
            ("Hypothesis ", 1..=3),
            ("Theorem 4.", 1..=2),
            ("5.", 1..=1),
            ("Theorem 5.", 1..=2),
            ("display 5.", 1..=11),
            ("6.", 1..=1),
            ("display 6.", 1..=2),
            ("prose 1.", 1..=1),
            ("prose 3.", 1..=3),
            ("prose 4.", 1..=7),
            ("prose 5.", 1..=9),
            ("prose 6.", 1..=2),
        ],
    ),
    (
        "bouncing-penny",
        &[
            ("", 1..=35),
            ("Theorem III.", 1..=1),
            ("Proposition IV.", 1..=2),
            ("prose 3.", 1..=4),
            ("prose 4.", 1..=5),
            ("prose 5.", 1..=2),
        ],
    ),
    (
        "rough-plane",
        &[
            ("display 1.", 1..=28),
            ("display 2.", 1..=17),
            ("display 3.", 1..=7),
            ("display 4.", 1..=27),
            ("display 5.", 1..=18),
            ("display 6.", 1..=13),
            ("prose 1.", 1..=21),
            ("prose 2.", 1..=16),
            ("prose 3.", 1..=5),
            ("prose 4.", 1..=10),
            ("prose 5.", 1..=4),
            ("prose 6.", 1..=2),
        ],
    ),
];

/// What stands beside the numbered equations.
const BESIDE: [(&str, &[&str]); 1] = [("bouncing-penny", &["Table I", "section VII"])];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").to_path_buf()
}

fn listed(document: &Document) -> Vec<&'static str> {
    document.entries.iter().map(|entry| entry.number).collect()
}

#[test]
fn no_equation_is_missing() {
    assert_eq!(documents().len(), EXPECTED.len());
    for (key, kinds) in EXPECTED {
        let document = document(key).expect(key);
        let listed = listed(document);
        let mut expected: BTreeSet<String> = kinds
            .iter()
            .flat_map(|(prefix, numbers)| numbers.clone().map(move |k| format!("{prefix}{k}")))
            .collect();
        let beside = BESIDE.iter().filter(|(name, _)| *name == key);
        expected.extend(beside.flat_map(|(_, names)| *names).map(|name| (*name).to_owned()));
        let found: BTreeSet<String> = listed.iter().map(|number| (*number).to_owned()).collect();
        assert_eq!(found, expected, "{key}");
        assert_eq!(found.len(), listed.len(), "{key}: each equation stands once");
    }
}

/// Plain numbers rise within a document.
#[test]
fn equations_stand_in_their_order() {
    for document in documents() {
        let key = |number: &str| -> Option<Vec<usize>> {
            number.split('.').map(|part| part.parse().ok()).collect()
        };
        let numbers: Vec<Vec<usize>> = listed(document).into_iter().filter_map(key).collect();
        assert!(numbers.is_sorted(), "{}", document.key);
    }
}

#[test]
fn every_reference_leads_to_something() {
    for document in documents() {
        for entry in document.entries {
            let at = format!("{} {}", document.key, entry.number);
            if let Standing::Moves { holds, .. } = entry.standing {
                assert!(!holds.is_empty(), "{at}: a motion");
                continue;
            }
            assert!(!entry.instances().is_empty(), "{at}: an instance");
            for instance in entry.instances() {
                match *instance {
                    Instance::Claims { system, names } => {
                        assert!(!names.is_empty(), "{at}");
                        for name in names {
                            let is_claim = claims_of(system, name).next().is_some();
                            let found = is_claim || sentence_of(system, name).is_some();
                            assert!(found, "{at}: {} {name}", system.name);
                        }
                        let known = catalogue().iter().any(|m| m.info.name == system.name);
                        assert!(known, "{at}: {} is not in the catalogue", system.name);
                    }
                    Instance::Test { file, name } => {
                        let text = std::fs::read_to_string(root().join(file))
                            .unwrap_or_else(|error| panic!("{at}: {file}: {error}"));
                        assert!(text.contains(&format!("#[test]\nfn {name}()")), "{at}: {name}");
                    }
                }
            }
        }
    }
}

/// A claim that carries a number stands for an equation of its document.
#[test]
fn every_numbered_claim_is_listed() {
    for model in catalogue() {
        let document = document(model.info.document).expect(model.info.document);
        for claim in model.info.claims.iter().filter(|claim| !claim.equation.is_empty()) {
            let listed =
                document.entries.iter().flat_map(Entry::instances).any(
                    |instance| match *instance {
                        Instance::Claims { system, names } => {
                            let mut rows = names.iter().flat_map(|name| claims_of(system, name));
                            system.name == model.info.name && rows.any(|row| row.name == claim.name)
                        }
                        Instance::Test { .. } => false,
                    },
                );
            assert!(listed, "{}: {} is in no table", model.name, claim.name);
        }
    }
}

/// A claim stands for the equation whose number it carries: `eq25a` for 25, and for others beside.
#[test]
fn a_stated_equation_has_a_claim_of_its_number() {
    for document in documents() {
        for entry in document.entries {
            let Standing::Stated(by) = entry.standing else { continue };
            let own = by.iter().any(|instance| match *instance {
                Instance::Claims { system, names } => {
                    let mut claims = names.iter().flat_map(|name| claims_of(system, name));
                    system.document != document.key
                        || claims.any(|claim| is_part(claim.equation, entry.number))
                }
                Instance::Test { .. } => true,
            });
            assert!(own, "{} {}", document.key, entry.number);
        }
    }
}

/// `25a` and `25` are parts of `25`.
fn is_part(equation: &str, number: &str) -> bool {
    equation
        .strip_prefix(number)
        .is_some_and(|rest| rest.len() < 3 && rest.chars().all(|c| c.is_ascii_lowercase()))
}

#[test]
fn every_erratum_has_a_reason_and_a_difference() {
    for document in documents() {
        for row in rows(document).iter().filter(|row| row.verdict == Verdict::Erratum) {
            let at = format!("{} {}", document.key, row.equation);
            assert!(!row.reason.is_empty(), "{at}: why");
            if row.printed.is_empty() {
                // Runs refute it; the correction may be in words.
                assert!(!row.corrected_tex.is_empty() && !row.by.is_empty(), "{at}");
                continue;
            }
            for text in [row.printed, row.corrected, row.difference] {
                assert!(!text.is_empty(), "{at}");
            }
            assert_ne!(row.difference, "0", "{at}: the forms differ");
        }
    }
}

/// No equation is left open: each has a verdict.
#[test]
fn every_equation_has_a_verdict() {
    for document in documents() {
        for row in rows(document) {
            assert_ne!(row.verdict, Verdict::Open, "{} {}", document.key, row.equation);
        }
    }
}

fn plain(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Displays whose text is LaTeX but which no claim quotes: no state decides them.
const UNQUOTED: [(&str, &[&str]); 3] = [
    (
        "rough-plane",
        &[
            // Limits of whole motions: runs decide them.
            "display 1.27",
            "display 1.28",
        ],
    ),
    // An integral over a motion with its collisions: runs decide it.
    ("nonholonomic-collisions", &["2.4"]),
    // A limit in parameters: runs decide it.
    ("putting-green", &["46"]),
];

/// What a claim quotes is what is printed, character by character but for white space; and what is printed is quoted.
#[test]
fn claims_quote_the_print() {
    let mut quoted = 0;
    for document in documents() {
        let models = || catalogue().iter().filter(|model| model.info.document == document.key);
        let unquoted = UNQUOTED.iter().find(|(key, _)| *key == document.key);
        let unquoted = unquoted.map_or(&[][..], |(_, numbers)| *numbers);
        for (number, string) in strings(document.key) {
            let claims: Vec<_> = models()
                .flat_map(|model| model.info.claims)
                .filter(|claim| is_part(claim.equation, number) && !claim.tex.is_empty())
                .filter(|claim| !claim.name.ends_with("_flight"))
                .collect();
            for claim in &claims {
                let at = format!("{} {number}: {}", document.key, claim.name);
                assert_eq!(plain(claim.tex), plain(string), "{at}");
                quoted += 1;
            }
            let expected = !unquoted.contains(&number);
            assert_eq!(!claims.is_empty(), expected, "{} {number}", document.key);
        }
    }
    assert!(quoted > 250, "{quoted} rows quote the print");
}

/// A claim in LaTeX that carries a number, of an equation or of a sentence, quotes a string of the list.
#[test]
fn nothing_is_quoted_that_is_not_printed() {
    for model in catalogue() {
        let texts: Vec<String> =
            strings(model.info.document).map(|(_, string)| plain(string)).collect();
        let numbered = |claim: &&eom_core::info::ClaimInfo| {
            !claim.tex.is_empty() && !claim.equation.is_empty()
        };
        for claim in model.info.claims.iter().filter(numbered) {
            let text = plain(claim.tex);
            // A line of a display that aligns others has its `&`.
            let known =
                texts.iter().any(|known| known.replace('&', "").contains(&text.replace('&', "")));
            assert!(known, "{}: {}: {}", model.name, claim.name, claim.tex);
        }
    }
}

/// How many rows of each document have each verdict, and how many stand for sentences of its text.
#[test]
fn the_verdicts_are_these() {
    let mut prose = 0;
    let counted: Vec<String> = documents()
        .iter()
        .map(|document| {
            let rows = rows(document);
            prose += rows.iter().filter(|row| row.equation.starts_with("prose")).count();
            format!("{}: {}", document.key, models::documents::report::counts(&rows))
        })
        .collect();
    assert!(prose >= 40, "{prose} rows of prose");
    insta::assert_snapshot!("verdicts", counted.join("\n"));
}
