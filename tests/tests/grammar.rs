//! The grammar of the colours has the words of the language: those of its EBNF, and its functions.

use eom_symbolic::Function;
use std::collections::BTreeSet;

fn read(path: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
    std::fs::read_to_string(root.join(path)).expect("it is in the repository")
}

/// The words in quotes of the grammar that the parser's documentation has.
fn of_the_ebnf() -> BTreeSet<String> {
    let source = read("eom-codegen/src/parse/mod.rs");
    let grammar = source.split("```").nth(1).expect("the grammar stands in the documentation");
    let quoted = grammar.split('"').skip(1).step_by(2);
    let words =
        quoted.filter(|text| text.len() > 1 && text.chars().all(|c| c.is_ascii_lowercase()));
    words.map(str::to_owned).collect()
}

/// The alternatives of a pattern of the TextMate grammar.
fn of_the_colours(name: &str) -> BTreeSet<String> {
    let grammar: serde_json::Value =
        serde_json::from_str(&read("editors/eom.tmLanguage.json")).expect("the grammar is JSON");
    let patterns = grammar["patterns"].as_array().expect("a list of patterns");
    let pattern =
        patterns.iter().find(|pattern| pattern["name"] == name).expect("the pattern is there");
    let text = pattern["match"].as_str().expect("a regular expression");
    // The second group: the first one looks behind.
    let words = text.split('(').nth(2).and_then(|group| group.split(')').next());
    words.expect("a group").split('|').map(str::to_owned).collect()
}

fn check(what: &str, found: &BTreeSet<String>, expected: &BTreeSet<String>) {
    assert!(expected.len() > 10, "{what}: the words were found");
    let missing: Vec<_> = expected.difference(found).collect();
    let idle: Vec<_> = found.difference(expected).collect();
    assert!(
        missing.is_empty() && idle.is_empty(),
        "{what}: without a colour {missing:?}, no words {idle:?}"
    );
}

#[test]
fn words_have_colours() {
    let mut expected = of_the_ebnf();
    // They are functions, and `t` is a name like others.
    for word in ["sum", "integral"] {
        assert!(expected.remove(word));
    }
    let [items, others] = ["keyword.control.item.eom", "keyword.other.eom"].map(of_the_colours);
    assert!(items.is_disjoint(&others));
    check("words", &items.union(&others).cloned().collect(), &expected);
}

#[test]
fn functions_have_colours() {
    let mut expected: BTreeSet<String> =
        Function::ALL.iter().map(|function| function.name().to_owned()).collect();
    let of_vectors = [
        "sqrt",
        "dot",
        "cross",
        "norm",
        "transpose",
        "vee",
        "rot_x",
        "rot_y",
        "rot_z",
        "sum",
        "integral",
    ];
    expected.extend(of_vectors.map(str::to_owned));
    check("functions", &of_the_colours("support.function.eom"), &expected);
}
