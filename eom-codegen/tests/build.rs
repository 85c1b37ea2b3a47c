//! `compile` for build scripts: what it writes, when, and what it says.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use eom_codegen::{Build, BuildError, Language, generate};
use std::fs;
use std::path::{Path, PathBuf};

const SPRING: &str = "system Spring {
    coordinates { x }
    parameters { m = 1, k = 4 }
    kinetic = m/2*ẋ^2;
    potential = k/2*x^2;
}
";

fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("build").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn files_become_rust_of_their_names() {
    let here = folder("right");
    let files = ["spring.eom", "other/rod.eom"].map(|name| file(&here, name, SPRING));
    let build = Build::new().file(&files[0]).file(&files[1]).out_dir(here.join("out"));
    build.compile().unwrap();
    let spring = here.join("out/spring.rs");
    let code = fs::read_to_string(&spring).unwrap();
    let origin = files[0].display().to_string();
    assert_eq!(code, generate(SPRING, Language::Rust, &origin, "a build script").unwrap().0);
    assert!(code.contains("pub struct Spring {"), "a file needs no `pub`: {code}");
    assert!(here.join("out/rod.rs").exists());

    // What is there is not written again, so that nothing is compiled again.
    let written = fs::metadata(&spring).unwrap().modified().unwrap();
    build.compile().unwrap();
    assert_eq!(fs::metadata(&spring).unwrap().modified().unwrap(), written);
    fs::write(&files[0], SPRING.replace("k = 4", "k = 5")).unwrap();
    build.compile().unwrap();
    assert_ne!(fs::read_to_string(&spring).unwrap(), code);
}

/// All mistakes of all files, each with its line and a mark.
#[test]
fn mistakes_fail_the_build_with_their_lines() {
    let here = folder("wrong");
    let wrong = file(&here, "wrong.eom", &SPRING.replace("k/2*x^2", "k/2*z^2 + w"));
    let open = file(&here, "open.eom", "system Open { coordinates { x }");
    let right = file(&here, "right.eom", SPRING);
    let error = Build::new().file(&wrong).file(&open).file(right).out_dir(&here).compile();
    let error = error.unwrap_err();
    assert!(matches!(error, BuildError::Mistakes(_)));
    // As `main` of a build script shows it.
    let shown = format!("{error:?}");
    for text in [
        "`z` is not declared".to_owned(),
        "`w` is not declared".to_owned(),
        format!("--> {}:5:21", wrong.display()),
        "    potential = k/2*z^2 + w;".to_owned(),
        format!("{} has 2 mistakes", wrong.display()),
        format!("{} has one mistake", open.display()),
    ] {
        assert!(shown.contains(&text), "misses `{text}` in\n{shown}");
    }
    assert!(here.join("right.rs").exists() && !here.join("wrong.rs").exists());
}

#[test]
fn requests_that_cannot_be_met_are_refused() {
    let here = folder("refused");
    let (a, b) = (file(&here, "a/x.eom", SPRING), file(&here, "b/x.eom", SPRING));
    let missing = here.join("missing.eom");
    let occupied = file(&here, "occupied", "");
    let table = [
        (Build::new().file(&a).file(&b).out_dir(&here), "would be compiled to one file"),
        (Build::new().file(&missing).out_dir(&here), "missing.eom: "),
        (Build::new().file(&a).out_dir(occupied.join("below")), "cannot write "),
    ];
    for (build, text) in table {
        let error = build.compile().unwrap_err().to_string();
        assert!(error.contains(text), "misses `{text}` in {error}");
    }
}
