//! The gallery holds its published numbers: each line of `models/gallery/numbers.tsv` is computed by the command.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::eom_with;
use eom_cli::numbers::evaluate;
use models::gallery::{GALLERY, Number, numbers};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// What the command writes of a number.
fn asked(number: &Number) -> String {
    let mut words = number.asked.split(' ');
    let command = words.next().unwrap();
    let form: &[&str] = match (command, number.at.split_once(':')) {
        ("analyse", _) => &["--format", "json"],
        (_, Some(("first" | "last", _))) => &["--quiet", "--jsonl", "-"],
        _ => &["--quiet", "--events", "-"],
    };
    let arguments: Vec<&str> =
        [command, number.model].into_iter().chain(words).chain(form.iter().copied()).collect();
    let [written, _] = eom_with(Path::new("."), &arguments, 0);
    written
}

/// A number at a JSON pointer, or the size of a complex one.
fn pointed(written: &Value, at: &str) -> Option<f64> {
    let Some(at) = at.strip_prefix("size ") else { return written.pointer(at)?.as_f64() };
    let part = |name: &str| written.pointer(&format!("{at}/{name}"))?.as_f64();
    Some(part("re")?.hypot(part("im")?))
}

/// The number where it stands: `/a/b + /c` of JSON, `last:theta` of samples, `2:t` of the second event.
fn found(written: &str, at: &str) -> Option<f64> {
    let lines: Vec<&str> = written.lines().collect();
    match at.split_once(':') {
        Some(("first", name)) => {
            pointed(&serde_json::from_str(lines.first()?).ok()?, &format!("/{name}"))
        }
        Some(("last", name)) => {
            pointed(&serde_json::from_str(lines.last()?).ok()?, &format!("/{name}"))
        }
        Some((row, name)) => {
            let column = lines.first()?.split(',').position(|column| column == name)?;
            lines.get(row.parse::<usize>().ok()?)?.split(',').nth(column)?.parse().ok()
        }
        None => {
            let written = serde_json::from_str(written).ok()?;
            at.split(" + ").map(|at| pointed(&written, at)).sum()
        }
    }
}

/// Whether a number is held; else what is wrong.
fn check(number: &Number, written: &str) -> Option<String> {
    let Number { model, what, at, value, within, .. } = *number;
    let value = evaluate(value, &[]).unwrap();
    let within: f64 = within.parse().unwrap();
    let found = found(written, at);
    let held = found.is_some_and(|found| (found - value).abs() <= within);
    (!held).then(|| format!("{model}, {what}: {found:?}, published {value} ± {within}"))
}

#[test]
fn published_numbers_are_held() {
    let mut known: BTreeMap<(&str, &str, bool), String> = BTreeMap::new();
    let wrong: Vec<String> = numbers()
        .filter_map(|number| {
            let samples = number.at.starts_with("first:") || number.at.starts_with("last:");
            let key = (number.model, number.asked, samples);
            let written = known.entry(key).or_insert_with(|| asked(&number));
            check(&number, written)
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What files say of their motions is decided by `eom check`, and is so.
#[test]
fn claims_of_motions_hold() {
    let mut count = 0;
    for system in GALLERY.iter().filter(|system| system.text.contains("    claim ")) {
        let is_said = |line: &&str| line.starts_with("    claim ") && line.contains(" of ");
        let said = system.text.lines().filter(is_said).count();
        if said > 0 {
            let [written, _] = eom_with(Path::new("."), &["check", system.name], 0);
            assert!(written.contains(&format!("of motions   {said}: ")), "{written}");
            count += said;
        }
    }
    assert!(count > 12, "{count}");
}

/// Every file is right, warns of nothing and is drawn; the title is a line.
#[test]
fn systems_are_declared_rightly() {
    for system in &GALLERY {
        let first = system.text.lines().next().unwrap_or_default();
        assert!(first.starts_with("/// ") && first.ends_with('.'), "{}: {first}", system.name);
        assert!(system.text.contains("\n    draw {\n"), "{} is not drawn", system.name);
        let found = eom_codegen::diagnose_source(system.text);
        let said = found.map_or_else(|found| found, |(_, said)| said);
        let said: Vec<String> = said
            .iter()
            .map(ToString::to_string)
            .filter(|said| !said.contains("on their own"))
            .collect();
        assert!(said.is_empty(), "{}: {}", system.name, said.join("\n"));
    }
}
