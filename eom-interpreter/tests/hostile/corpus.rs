//! The declarations of the repository, as texts.

use std::fs;
use std::path::{Path, PathBuf};

/// Every declaration: those in macros and those in files, in the order of their paths.
pub(crate) fn declarations() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut paths = Vec::new();
    for folder in ["models/src", "tests/src/systems", "eom-codegen/tests/fixtures"] {
        collect(&root.join(folder), &mut paths);
    }
    paths.sort();
    let texts = paths.iter().filter_map(|path| fs::read_to_string(path).ok().map(|t| (path, t)));
    let declarations: Vec<String> = texts
        .flat_map(|(path, text)| match path.extension() {
            Some(kind) if kind == "eom" => vec![text],
            _ => in_macros(&text),
        })
        .collect();
    assert!(declarations.len() > 40, "the repository has many declarations");
    declarations
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, into);
        } else if path.extension().is_some_and(|kind| kind == "rs" || kind == "eom") {
            into.push(path);
        }
    }
}

/// What stands inside of each `lagrangian! { … }`.
fn in_macros(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (_, rest) in
        text.match_indices("lagrangian! {").map(|(at, mark)| text.split_at(at + mark.len()))
    {
        let mut depth = 1;
        let end = rest.find(|c| {
            depth += match c {
                '{' => 1,
                '}' => -1,
                _ => 0,
            };
            depth == 0
        });
        found.extend(end.map(|end| rest[..end].to_owned()));
    }
    found
}
