//! What a registry asks of the crates that go there: each says what it is and brings its licences along; all
//! others say that they stay.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").to_path_buf()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The folders of the workspace's packages.
fn members() -> Vec<String> {
    let manifest = read(&root().join("Cargo.toml"));
    let (_, rest) = manifest.split_once("\nmembers = [").expect("members");
    let (list, _) = rest.split_once(']').expect("the end of the list");
    list.split(',').map(|name| name.trim().trim_matches('"').to_owned()).collect()
}

/// What a published package lacks.
fn lacks(member: &str, manifest: &str) -> Vec<String> {
    let line = |key: &str| manifest.lines().any(|line| line.starts_with(key));
    let name = format!("documentation = \"https://docs.rs/{member}\"");
    let keys = [
        "description = ",
        "license.workspace",
        "keywords.workspace",
        "categories.workspace",
        "rust-version.workspace",
        "readme = \"README.md\"",
        "[package.metadata.docs.rs]",
        &name,
    ];
    let missing = keys.into_iter().filter(|key| !line(key)).map(str::to_owned);
    let files = ["README.md", "LICENSE-APACHE", "LICENSE-MIT"];
    let absent = files.into_iter().filter(|file| {
        let here = fs::read(root().join(member).join(file)).unwrap_or_default();
        here.is_empty()
            || file.starts_with("LICENSE") && here != read(&root().join(file)).as_bytes()
    });
    missing.chain(absent.map(str::to_owned)).collect()
}

#[test]
fn packages_say_what_they_are_or_that_they_stay() {
    let (mut published, mut staying) = (Vec::new(), Vec::new());
    for member in members() {
        let manifest = read(&root().join(&member).join("Cargo.toml"));
        if manifest.lines().any(|line| line == "publish = false") {
            staying.push(member);
            continue;
        }
        let missing = lacks(&member, &manifest);
        assert!(missing.is_empty(), "{member} has no {missing:?}");
        published.push((member, manifest));
    }
    assert_eq!((published.len(), staying.len()), (10, 8));
    // What goes to a registry cannot depend on what stays.
    let names = ["eom-cli", "eom-sweep", "models", "eom-tests", "eom-benches"];
    for (member, manifest) in &published {
        let (dependencies, _) = manifest
            .split_once("\n[dependencies]")
            .map(|(_, rest)| rest.split_once("\n[dev-dependencies]").unwrap_or((rest, "")))
            .expect("dependencies");
        let stays = |name: &&str| dependencies.lines().any(|line| line.starts_with(*name));
        assert!(!names.iter().any(stays), "{member}");
    }
}
