//! What rustc shows of mistakes, one rule a file, and declarations in hostile surroundings.
//!
//! A case is one call of rustc, beside the `eom_core` that this test is linked with: nothing is compiled again for it.
//! `INSTA_UPDATE=always cargo test -p eom-ui-tests` accepts changed messages; read them first.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::thread;

/// Where cases stand, and from where messages name them.
const CASES: &str = env!("CARGO_MANIFEST_DIR");

/// Rust sources of a folder, from where the cases stand.
fn sources(folder: &str) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(Path::new(CASES).join(folder)).expect("a folder").flatten();
    let names = entries.map(|entry| Path::new(folder).join(entry.file_name()));
    names.filter(|name| name.extension().is_some_and(|end| end == "rs"))
}

/// What a program says, without the count of its mistakes and without lines of the library, which move.
fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let told = text.lines().filter(|line| {
        !line.starts_with("error: aborting due to")
            && !line.starts_with("For more information about this error")
    });
    let lines = told.map(|line| match line.split_once(".rs:") {
        Some((file, _)) if line.contains("--> eom-core/") => format!("{file}.rs"),
        _ => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n").trim_end().to_owned() + "\n"
}

/// What a case is compiled beside.
struct Compiler {
    /// What cargo has built.
    built: PathBuf,
    library: PathBuf,
    /// Where programs of the cases go.
    room: PathBuf,
}

impl Compiler {
    /// With the library of this build: of those that there are the newest that is not newer than this test.
    fn new() -> Self {
        let written = |path: &PathBuf| path.metadata().and_then(|data| data.modified()).ok();
        let this = env::current_exe().expect("a test has a path");
        let built = this.parent().expect("target/debug/deps").to_path_buf();
        let paths = fs::read_dir(&built).expect("a folder").flatten().map(|entry| entry.path());
        let libraries = paths.filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_library = name.starts_with("libeom_core-") && name.ends_with(".rlib");
            is_library && written(path) <= written(&this)
        });
        let library = libraries.max_by_key(written).expect("cargo has built eom_core");
        let room = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui");
        fs::create_dir_all(&room).expect("a folder of this test");
        Self { built, library, room }
    }

    fn compile(&self, case: &Path, outputs: &str) -> Output {
        let mut call = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        call.current_dir(CASES).arg(case).args(["--edition=2024", "--color=never", outputs]);
        call.arg("-L").arg(&self.built).arg("--out-dir").arg(&self.room);
        call.arg("--extern").arg(format!("eom_core={}", self.library.display()));
        call.output().expect("rustc runs")
    }

    /// Why a case that must not compile is not refused as its file says.
    fn refuses(&self, case: &Path) -> Result<(), String> {
        let output = self.compile(case, "--emit=metadata");
        if output.status.success() {
            return Err("it compiles".to_owned());
        }
        let (said, file) = (said(&output), Path::new(CASES).join(case.with_extension("stderr")));
        if env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
            return fs::write(file, said).map_err(|error| error.to_string());
        }
        let known = fs::read_to_string(file).unwrap_or_default();
        if said == known { Ok(()) } else { Err(format!("rustc says\n{said}and not\n{known}")) }
    }

    /// Why a case that must compile and run does not.
    fn accepts(&self, case: &Path) -> Result<(), String> {
        let output = self.compile(case, "--emit=link");
        if !output.status.success() {
            return Err(said(&output));
        }
        let program = self.room.join(case.file_stem().unwrap_or_default());
        let program = program.with_extension(env::consts::EXE_EXTENSION);
        let ran = Command::new(program).output().expect("it runs");
        if ran.status.success() { Ok(()) } else { Err(said(&ran)) }
    }
}

#[test]
fn mistakes_are_shown_where_they_stand() {
    type Check = fn(&Compiler, &Path) -> Result<(), String>;
    let compiler = Compiler::new();
    let refused = sources("err").map(|case| (case, Compiler::refuses as Check));
    let accepted = sources("ok").map(|case| (case, Compiler::accepts as Check));
    let cases: Vec<_> = refused.chain(accepted).collect();
    let (left, wrong) = (Mutex::new(cases.iter()), Mutex::new(Vec::new()));
    let next = || left.lock().ok()?.next();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, Into::into) {
            scope.spawn(|| {
                while let Some((case, check)) = next() {
                    if let Err(why) = check(&compiler, case) {
                        wrong.lock().expect("a list").push(format!("{}: {why}", case.display()));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("a list");
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
