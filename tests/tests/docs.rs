//! What the documents say exists: paths in backticks, commands and their options.

use eom_symbolic::mechanics::drawing::{COLORS, OPTIONS, PRIMITIVES};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").to_path_buf()
}

fn read(document: &str) -> String {
    std::fs::read_to_string(root().join(document))
        .unwrap_or_else(|error| panic!("{document}: {error}"))
}

/// The texts in single backticks, outside of code blocks.
fn code_spans(text: &str) -> Vec<String> {
    let outside: Vec<&str> = text.split("```").step_by(2).collect();
    outside.iter().flat_map(|part| part.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

/// Whether a text in backticks is meant as a path of the repository.
fn is_path(span: &str) -> bool {
    let plain = span.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c));
    let file = [".rs", ".md", ".toml", ".csv", ".json", ".py", ".eom"];
    plain && span.contains('/') && !span.starts_with('/') && !span.contains("://")
        || plain && file.iter().any(|end| span.ends_with(end))
}

/// A path stands from the root, or, where a crate or folder was named before it, below one.
fn exists(path: &str) -> bool {
    let root = root();
    if root.join(path).exists() {
        return true;
    }
    let members = std::fs::read_dir(&root).expect("the root").flatten().map(|entry| entry.path());
    members
        .filter(|member| member.is_dir())
        .any(|member| member.join(path).exists() || member.join("src").join(path).exists())
}

fn check_paths(document: &str) {
    let missing: Vec<String> = code_spans(&read(document))
        .into_iter()
        .filter(|span| is_path(span) && !exists(span))
        .collect();
    assert!(missing.is_empty(), "{document} names what is not there: {missing:?}");
}

#[test]
fn paths_in_readme() {
    check_paths("README.md");
}

/// The page of drawings has every shape and every option, as the one table has them.
#[test]
fn the_book_has_every_shape() {
    let page = read("book/src/drawings.md");
    let rows = PRIMITIVES.iter().map(|primitive| {
        format!("| `{}` | {} |", primitive.form(primitive.in_space), primitive.about)
    });
    let options = OPTIONS.iter().map(|(_, form)| format!("| `{form}` |"));
    for row in rows.chain(options) {
        assert!(page.contains(&row), "the book misses {row}");
    }
    for color in COLORS {
        assert!(page.contains(color), "the book misses {color}");
    }
}

/// The files that a document links to, by their paths from where it stands.
fn links(document: &str) -> Vec<String> {
    let text = read(document);
    let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let paths = links.map(|(link, _)| link.split('#').next().unwrap_or_default());
    let files = paths.filter(|path| !path.is_empty() && !path.contains([' ', ':']));
    files.map(str::to_owned).collect()
}

/// The documents in Markdown of a folder, by their names.
fn pages(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(folder)).expect("a folder").flatten();
    let paths = entries.map(|entry| entry.path());
    let pages = paths.filter(|path| path.extension().is_some_and(|end| end == "md"));
    let names = pages.filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Pictures and pages that the documents link to, from where they stand.
#[test]
fn links_lead_somewhere() {
    let book = pages("book/src").into_iter().map(|page| format!("book/src/{page}"));
    for document in book.chain(["README.md".to_owned()]) {
        let folder = root().join(&document).parent().expect("a folder").to_path_buf();
        for link in links(&document) {
            assert!(folder.join(&link).exists(), "{document} links to {link}");
        }
    }
}

/// The pages that the documentation of the package shares with the book link to one another alone.
#[test]
fn links_of_shared_pages() {
    let shared = pages("python/docs");
    for page in shared.iter().filter(|&page| page != "index.md") {
        for link in links(&format!("book/src/{page}")) {
            assert!(shared.contains(&link), "python/docs has no {link}, to which {page} links");
        }
    }
}

#[test]
fn paths_in_the_readme_of_the_benchmarks() {
    check_paths("benches/README.md");
}

#[test]
fn paths_in_architecture() {
    check_paths("ARCHITECTURE.md");
    check_paths("STYLE.md");
    check_paths("tests/README.md");
}

/// The arguments of each call of the command that a document shows, on a line of its own.
fn commands(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for line in text.lines() {
        let line = line.trim().trim_start_matches("$ ").split('#').next().unwrap_or_default();
        let call = line.trim().strip_prefix("cargo eom ");
        if let Some(arguments) = call {
            found.push(arguments.split_whitespace().map(str::to_owned).collect());
        }
    }
    found
}

/// When the newest source of a folder was written.
fn newest(folder: &Path) -> SystemTime {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let times = entries.map(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return newest(&path);
        }
        if path.extension().is_none_or(|extension| extension != "rs") {
            return SystemTime::UNIX_EPOCH;
        }
        entry.metadata().and_then(|data| data.modified()).unwrap_or(SystemTime::now())
    });
    times.max().unwrap_or(SystemTime::UNIX_EPOCH)
}

/// The command of this build: `cargo test --workspace` has built it beside the tests; a test of this
/// package alone builds it.
fn binary() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test.parent().and_then(Path::parent).expect("target/debug/deps");
    let binary = folder.join(format!("eom{}", std::env::consts::EXE_SUFFIX));
    let built = binary.metadata().and_then(|data| data.modified());
    if !built.is_ok_and(|built| built > newest(&root().join("eom-cli/src"))) {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let status = Command::new(cargo)
            .current_dir(root())
            .args(["build", "--quiet", "--package", "eom-cli", "--target-dir"])
            .arg(folder.parent().expect("the target folder"))
            .status();
        assert!(status.expect("cargo runs").success());
    }
    binary
}

/// The help of `eom` or of one of its commands.
fn help(command: Option<&str>) -> String {
    let output = Command::new(binary()).args(command).arg("--help").output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("help is UTF-8")
}

#[test]
fn commands_in_readme() {
    let all = help(None);
    let commands = commands(&read("README.md"));
    assert!(!commands.is_empty(), "README shows a command");
    for arguments in commands {
        let Some(name) = arguments.first().filter(|name| !name.starts_with('-')) else { continue };
        assert!(all.contains(&format!("  {name} ")), "eom {arguments:?}: no such command\n{all}");
        let own = help(Some(name));
        for option in arguments.iter().filter(|argument| argument.starts_with("--")) {
            let option = option.split('=').next().unwrap_or_default();
            assert!(own.contains(option), "eom {arguments:?}: no option {option}\n{own}");
        }
    }
}
