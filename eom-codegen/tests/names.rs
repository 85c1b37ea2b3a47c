//! Names of values in generated code: a small change of a model changes few lines.

use eom_codegen::{Language, derive_source, generate};
use std::collections::BTreeSet;

/// A pendulum on a cart that a spring holds.
fn pendulum(spring: &str) -> String {
    format!(
        "system Pendulum {{
            coordinates {{ x, θ }}
            parameters {{ M = 1 where M > 0, m = 1 where m > 0, l = 1 where l > 0, g = 9.81 }}
            kinetic = M/2*ẋ^2 + m/2*(ẋ^2 + 2*l*ẋ*θ̇*cos(θ) + l^2*θ̇^2);
            potential = {spring} - m*g*l*cos(θ);
        }}"
    )
}

/// Lines of one text that the other has not, whichever are more.
fn changed(before: &str, after: &str) -> usize {
    let [a, b]: [BTreeSet<&str>; 2] = [before, after].map(|text| text.lines().collect());
    a.difference(&b).count().max(b.difference(&a).count())
}

#[test]
fn a_small_change_changes_few_lines() {
    let springs = ["5*x^2", "5*x^4"].map(pendulum);
    let [quadratic, quartic] = springs.each_ref();
    for language in [Language::C, Language::Python, Language::NoStd] {
        let code = |source| generate(source, language, "pendulum.eom", "eom").unwrap().0;
        let lines = changed(&code(quadratic), &code(quartic));
        assert!((1..15).contains(&lines), "{language:?}: {lines} lines");
    }
    let listings = |source| {
        let derivation = derive_source(source).unwrap();
        let programs = derivation.programs.all().into_iter();
        programs.map(|program| program.listing(&derivation.model.pool)).collect::<String>()
    };
    let lines = changed(&listings(quadratic), &listings(quartic));
    assert!((1..15).contains(&lines), "listings: {lines} lines");
}

/// Sums of sums that look alike to any depth but the last: each value has a number of its own.
#[test]
fn each_value_has_a_number_of_its_own() {
    let speeds: Vec<String> = (0..40).map(|i| format!("q{i}")).collect();
    let springs: Vec<String> =
        (0..40).map(|i| format!("k/2*(q{i} - q{})^2", (i + 1) % 40)).collect();
    let kinetic: Vec<String> = speeds.iter().map(|q| format!("m/2*{q}_dot^2")).collect();
    let source = format!(
        "system Ring {{ coordinates {{ {} }} parameters {{ m = 1 where m > 0, k = 1 }} kinetic = {}; potential = {}; }}",
        speeds.join(", "),
        kinetic.join(" + "),
        springs.join(" + ")
    );
    let derivation = derive_source(&source).unwrap();
    for program in derivation.programs.all() {
        let listing = program.listing(&derivation.model.pool);
        let names = listing.lines().filter_map(|line| line.trim_start().split_once(" = "));
        let names: Vec<&str> = names.map(|(name, _)| name).filter(|n| n.starts_with('w')).collect();
        let different: BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(names.len(), different.len(), "{listing}");
    }
}
