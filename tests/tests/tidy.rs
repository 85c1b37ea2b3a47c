//! Rules of the source that no lint checks.

use std::path::{Path, PathBuf};

/// Longer files hold more than one thing.
const LINES_MAX: usize = 600;

const CRATES: [&str; 17] = [
    "eom-elementary",
    "eom-machine",
    "eom-symbolic",
    "eom-codegen",
    "eom-macros",
    "eom-core",
    "eom-interpreter",
    "eom-analysis",
    "eom-sweep",
    "eom-precise",
    "models",
    "eom-cli",
    "python",
    "web/bind",
    "web/engine",
    "tests",
    "benches",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").to_path_buf()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The Rust files below a folder of each crate, with their text, in the order of their paths.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for name in CRATES {
        collect(&root().join(name).join(folder), &mut files);
    }
    files.sort();
    files
        .iter()
        .map(|path| {
            let text = std::fs::read_to_string(path).expect("sources are UTF-8");
            let shown = path.strip_prefix(root()).unwrap_or(path).display().to_string();
            (shown, text)
        })
        .collect()
}

/// All files that break a rule, in one message.
fn check(rule: &str, files: &[(String, String)], breaks: impl Fn(&str) -> Option<String>) {
    assert!(files.len() > 10, "the sources were found");
    let offenders: Vec<String> = files
        .iter()
        .filter_map(|(path, text)| breaks(text).map(|why| format!("{path}: {why}")))
        .collect();
    assert!(offenders.is_empty(), "{rule}:\n{}", offenders.join("\n"));
}

#[test]
fn every_module_says_what_it_owns() {
    check("a module begins with `//!`", &sources("src"), |text| {
        let first = text.lines().next().unwrap_or_default();
        (!first.starts_with("//!")).then(|| first.to_owned())
    });
}

#[test]
fn files_are_short() {
    check("a file holds one thing", &sources("src"), |text| {
        let lines = text.lines().count();
        (lines > LINES_MAX).then(|| format!("{lines} lines"))
    });
}

#[test]
fn nothing_is_left_to_do() {
    // Written apart, so that this file does not find itself.
    let words = [["TO", "DO"], ["FIX", "ME"], ["XX", "X"], ["todo", "!("], ["unimpl", "emented!("]];
    let words = words.map(|parts| parts.concat());
    let all = [sources("src"), sources("tests"), sources("examples"), sources("benches")].concat();
    check("work is finished or in an issue", &all, |text| {
        words.iter().find(|word| text.contains(word.as_str())).cloned()
    });
}

/// STYLE.md has one word for each thing: these were others.
#[test]
fn one_word_for_each_thing() {
    let retired = [
        "Grip",
        "Touching",
        "Bounced",
        "Stuck",
        "Said",
        "Speaker",
        "own_rows",
        "kick_back",
        "OwnRows",
        "ByFew",
    ];
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let code = |text: &str| -> String {
        let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        lines.collect::<Vec<_>>().join("\n")
    };
    let files: Vec<_> =
        sources("src").into_iter().filter(|(path, _)| !path.starts_with("tests")).collect();
    check("names are those of STYLE.md", &files, |text| {
        let code = code(text);
        let mut names = code.split(|c| !is_part(c));
        names.find(|name| retired.contains(name)).map(str::to_owned)
    });
}

/// The names of the crates that a manifest lists as dependencies, those of tests left out.
fn dependencies(name: &str) -> Vec<String> {
    let manifest = std::fs::read_to_string(root().join(name).join("Cargo.toml"))
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut inside = false;
    let mut found = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line == "[dependencies]" || line.starts_with("[build-dependencies");
        } else if inside && !line.is_empty() && !line.starts_with('#') {
            let end = line.find(['.', '=', ' ']).unwrap_or(line.len());
            found.push(line[..end].to_owned());
        }
    }
    found
}

/// What calls code that was just written has no safe form; nothing else has a reason.
#[test]
fn unsafe_code_stands_in_one_file() {
    let word = ["unsafe", "{"].join(" ");
    let of_function = ["unsafe", "fn"].join(" ");
    let found: Vec<String> = sources("src")
        .into_iter()
        .filter(|(_, text)| {
            let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
            code.into_iter().any(|line| line.contains(&word) || line.contains(&of_function))
        })
        .map(|(path, _)| path)
        .collect();
    assert_eq!(found, ["eom-machine/src/memory.rs"]);
}

/// models → eom-analysis → eom-core → eom-macros → eom-codegen → eom-symbolic, and none of it backwards.
#[test]
fn dependencies_point_one_way() {
    let ours = [
        "eom-elementary",
        "eom-quadrature",
        "eom-enclosure",
        "eom-machine",
        "eom-symbolic",
        "eom-codegen",
        "eom-macros",
        "eom-core",
        "eom-interpreter",
        "eom-analysis",
        "eom-sweep",
        "eom-precise",
        "models",
        "eom-cli",
    ];
    let allowed: [(&str, &[&str]); 14] = [
        ("eom-elementary", &[]),
        ("eom-quadrature", &["eom-elementary"]),
        ("eom-enclosure", &["eom-elementary"]),
        ("eom-machine", &["eom-elementary"]),
        ("eom-symbolic", &["eom-elementary", "eom-quadrature", "eom-enclosure"]),
        ("eom-codegen", &["eom-symbolic", "eom-quadrature", "eom-elementary"]),
        ("eom-macros", &["eom-codegen"]),
        ("eom-core", &["eom-macros", "eom-elementary", "eom-quadrature", "eom-enclosure"]),
        (
            "eom-interpreter",
            &[
                "eom-symbolic",
                "eom-codegen",
                "eom-core",
                "eom-elementary",
                "eom-machine",
                "eom-quadrature",
            ],
        ),
        ("models", &["eom-core", "eom-analysis"]),
        ("eom-analysis", &["eom-core"]),
        ("eom-sweep", &[]),
        ("eom-precise", &["eom-symbolic", "eom-core"]),
        (
            "eom-cli",
            &[
                "eom-symbolic",
                "eom-codegen",
                "eom-core",
                "eom-interpreter",
                "eom-analysis",
                "eom-sweep",
                "eom-precise",
                "models",
            ],
        ),
    ];
    for (name, allowed) in allowed {
        let found: Vec<String> = dependencies(name)
            .into_iter()
            .filter(|d| ours.contains(&d.as_str()) || d.starts_with("eom-"))
            .collect();
        let others: Vec<_> = found.iter().filter(|d| !allowed.contains(&d.as_str())).collect();
        assert!(others.is_empty(), "{name} depends on {others:?}");
    }
}

#[test]
fn the_algebra_knows_no_tokens() {
    let found = dependencies("eom-symbolic");
    for unwanted in ["syn", "quote", "proc-macro2", "prettyplease"] {
        assert!(!found.iter().any(|d| d == unwanted), "eom-symbolic depends on {unwanted}");
    }
}

#[test]
fn the_runtime_knows_no_algebra() {
    let runtime: Vec<_> =
        sources("src").into_iter().filter(|(path, _)| path.starts_with("eom-core")).collect();
    check("eom-core runs without the algebra", &runtime, |text| {
        let names = ["eom_symbolic", "eom_codegen"];
        names.iter().find(|name| text.contains(*name)).map(|name| format!("names {name}"))
    });
}
