//! The report has no gap: every equation of the documents is listed once, in order, and what it
//! refers to exists.
//!
//! The numbers expected here were counted in the texts, not read from the tables.

use models::catalogue;
use models::documents::report::{Verdict, rows};
use models::documents::{Document, Entry, Instance, Standing, claim, document, documents};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Equations of a kind: those of one prefix, from the first to the last number.
type Kind = (&'static str, std::ops::RangeInclusive<usize>);

/// How many equations of each kind a document has. The two collision papers number within
/// sections: (2.1)–(2.10) is `("2.", 1..=10)`.
const EXPECTED: [(&str, &[Kind]); 5] = [
    ("putting-green", &[("", 1..=62)]),
    (
        "weak-solutions",
        &[
            ("1.", 1..=1),
            ("2.", 1..=10),
            ("Definition ", 1..=1),
            ("Lemma ", 1..=1),
            ("3.", 1..=2),
            ("4.", 1..=3),
            ("Hypothesis ", 1..=3),
            ("Theorem 4.", 1..=2),
            ("Theorem 5.", 1..=1),
            ("display 5.", 1..=5),
            ("6.", 1..=1),
            ("display 6.", 1..=2),
        ],
    ),
    (
        "nonholonomic-collisions",
        &[
            ("1.", 1..=2),
            ("2.", 1..=9),
            ("display 2.", 1..=1),
            ("Definition ", 1..=1),
            ("Lemma ", 1..=1),
            ("3.", 1..=2),
            ("4.", 1..=3),
            ("Hypothesis ", 1..=3),
            ("Theorem 4.", 1..=2),
            ("5.", 1..=1),
            ("Theorem 5.", 1..=2),
            ("display 5.", 1..=7),
            ("6.", 1..=1),
            ("display 6.", 1..=2),
        ],
    ),
    ("bouncing-penny", &[("", 1..=35), ("Theorem III.", 1..=1), ("Proposition IV.", 1..=2)]),
    (
        "rough-plane",
        &[
            ("display 1.", 1..=28),
            ("display 2.", 1..=17),
            ("display 3.", 1..=7),
            ("display 4.", 1..=27),
            ("display 5.", 1..=18),
            ("display 6.", 1..=13),
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
            assert!(!entry.instances().is_empty(), "{at}: an instance");
            for instance in entry.instances() {
                match *instance {
                    Instance::Claims { system, names } => {
                        assert!(!names.is_empty(), "{at}");
                        for name in names {
                            assert!(claim(system, name).is_some(), "{at}: {} {name}", system.name);
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
                            system.name == model.info.name && names.contains(&claim.name)
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
                    let mut claims = names.iter().filter_map(|name| claim(system, name));
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
    equation.strip_prefix(number).is_some_and(|rest| {
        rest.is_empty() || rest.len() == 1 && rest.chars().all(|c| c.is_ascii_lowercase())
    })
}

#[test]
fn every_erratum_has_a_reason_and_a_difference() {
    for document in documents() {
        for row in rows(document).iter().filter(|row| row.verdict == Verdict::Erratum) {
            let at = format!("{} {}", document.key, row.equation);
            assert!(!row.reason.is_empty(), "{at}: why");
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
