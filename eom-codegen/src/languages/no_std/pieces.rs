//! What generated code calls, in pieces: items of Rust of which a file takes those that it uses.

use eom_quadrature::{
    CENTRE, COMPONENTS_MAX, DEPTH_MAX, KINKS_MAX, PAIRS, PAIRS_OF_15, PANELS_MAX,
};
use std::collections::BTreeSet;

/// Each an item after the other, with an empty line between them and none within.
const TEXTS: [&str; 9] = [
    include_str!("arithmetic.rs"),
    include_str!("angle.rs"),
    include_str!("inverse.rs"),
    include_str!("exponential.rs"),
    include_str!("power.rs"),
    include_str!("error.rs"),
    include_str!("linear.rs"),
    include_str!("impact.rs"),
    include_str!("quadrature.rs"),
];

/// Some of the functions are others' work.
const NOTICE: &str = "    // Functions by FreeBSD's msun: Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
    // Developed at SunPro, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and
    // distribute this software is freely granted, provided that this notice is preserved.

";

/// The module of what a text calls as `math::…`, and of what that calls; nothing where it calls nothing.
pub(super) fn module(text: &str) -> Option<String> {
    let items: Vec<String> = TEXTS
        .iter()
        .flat_map(|text| text.split("\n\n"))
        .map(str::to_owned)
        .chain(limits())
        .collect();
    let named: Vec<(&str, &String)> =
        items.iter().filter_map(|item| Some((name(item)?, item))).collect();
    let mut called: BTreeSet<&str> = text.split("math::").skip(1).filter_map(first_word).collect();
    let mut open: Vec<&str> = called.iter().copied().collect();
    while let Some(next) = open.pop() {
        let texts = named.iter().filter(|(name, _)| *name == next);
        for word in texts.flat_map(|(_, text)| used(text)) {
            if named.iter().any(|(name, _)| *name == word) && called.insert(word) {
                open.push(word);
            }
        }
    }
    let taken: Vec<String> = named
        .into_iter()
        .filter(|(name, _)| called.contains(name))
        .map(|(_, item)| indented(item.trim_end()))
        .collect();
    (!taken.is_empty()).then(|| {
        format!(
            "/// What the functions above call, with the bits that it has in the crate `eom-core`.\n\
             mod math {{\n{NOTICE}{}\n}}",
            taken.join("\n\n")
        )
    })
}

/// The limits and the rule of the quadrature.
fn limits() -> Vec<String> {
    let size = |name: &str, value: usize| format!("const {name}: usize = {value};");
    let pairs: Vec<String> = PAIRS.iter().map(|pair| format!("    {pair:?},")).collect();
    vec![
        size("COMPONENTS_MAX", COMPONENTS_MAX),
        size("KINKS_MAX", KINKS_MAX),
        size("PANELS_MAX", PANELS_MAX),
        size("DEPTH_MAX", DEPTH_MAX),
        size("PAIRS_OF_15", PAIRS_OF_15),
        format!(
            "/// Weights of the point 0 in the rules of 7, 15 and 31 points.\nconst CENTRE: [f64; 3] = {CENTRE:?};"
        ),
        format!(
            "/// Points and their weights.\nconst PAIRS: [(f64, [f64; 3]); {}] = [\n{}\n];",
            PAIRS.len(),
            pairs.join("\n")
        ),
    ]
}

/// The name that an item defines, or adds to.
fn name(item: &str) -> Option<&str> {
    let line = item.lines().find(|line| !line.starts_with("//") && !line.starts_with("#["))?;
    let line = line.strip_prefix("pub(super) ").unwrap_or(line);
    if line.starts_with("impl<") {
        let (_, of) = line.strip_suffix(" {")?.rsplit_once("> ")?;
        return first_word(of);
    }
    let (kind, rest) = line.split_once(' ')?;
    ["fn", "const", "struct"].contains(&kind).then(|| first_word(rest)).flatten()
}

fn first_word(text: &str) -> Option<&str> {
    words(text).next()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// The functions that a text calls, and its words with capitals; no methods, no comments.
fn used(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut all = Vec::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
        let mut rest = line;
        while let Some(start) = rest.find(is_part) {
            let is_method = rest[..start].ends_with('.');
            let word = &rest[start..];
            let (word, behind) = word.split_at(word.find(|c| !is_part(c)).unwrap_or(word.len()));
            let is_called = !is_method && behind.starts_with(['(', ':']);
            if is_called || word.starts_with(|c: char| c.is_ascii_uppercase()) {
                all.push(word);
            }
            rest = behind;
        }
    }
    all
}

fn indented(item: &str) -> String {
    let line = |line: &str| if line.is_empty() { String::new() } else { format!("    {line}") };
    item.lines().map(line).collect::<Vec<_>>().join("\n")
}
