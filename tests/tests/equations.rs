//! What was derived, locked: equations in text and LaTeX, program listings with their op counts, for
//! every model of the catalogue and every system of these tests.
//!
//! A change of a model or of the algebra shows as a diff here. After reading it,
//! `INSTA_UPDATE=always cargo test -p eom-tests --test equations` accepts it.

use eom_codegen::{Derivation, derive_source};
use eom_tests::systems::{Fixture, every_system};

fn derive(fixture: &Fixture) -> Derivation {
    derive_source(fixture.info.source)
        .unwrap_or_else(|mistakes| panic!("{}: {mistakes:?}", fixture.name))
}

/// One snapshot a system; large systems are there for their programs to run, not to be read.
fn check(kind: &str, show: impl Fn(&Derivation) -> String) {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.bind(|| {
        for fixture in every_system().iter().filter(|f| f.info.speeds() <= READ_MAX) {
            insta::assert_snapshot!(format!("{}.{kind}", fixture.name), show(&derive(fixture)));
        }
    });
}

/// Nobody reads the listings of more coordinates.
const READ_MAX: usize = 8;

#[test]
fn text() {
    check("text", Derivation::equations_text);
}

#[test]
fn latex() {
    check("latex", |derivation| derivation.text().to_latex());
}

#[test]
fn programs() {
    check("programs", Derivation::listings);
}

/// What the compiled type says of itself is what its source derives to.
#[test]
fn the_compiled_equations_are_those_of_the_source() {
    for fixture in every_system() {
        assert_eq!(
            derive(&fixture).equations_text(),
            fixture.info.equations.as_str(),
            "{}",
            fixture.name
        );
    }
}
