//! Installing, compiling and starting the peers. Nothing here is needed by the workspace; what is
//! not to be had is named and left out.

use super::process::Process;
use crate::problem::{Problem, penny_of_ensemble};
use crate::reference::runs;
use crate::work::Work;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders of the peers.
#[derive(Debug, Clone)]
pub struct Place {
    /// Their sources, in the repository.
    sources: PathBuf,
    /// What is made of them, in the target folder.
    built: PathBuf,
}

/// Packages of Python that take part.
const PACKAGES: [&str; 7] = ["numpy", "heyoka", "casadi", "symengine", "numba", "mpmath", "mujoco"];

/// Each unit of C and C++ with the options of its own.
const UNITS: [(&str, &[&str]); 7] = [
    ("evaluate.cpp", &[]),
    ("batch.cpp", &["-ffast-math", "-mprefer-vector-width=512"]),
    ("lanes.cpp", &["-funroll-loops", "-mprefer-vector-width=512"]),
    ("runs.cpp", &[]),
    ("taylor.cpp", &[]),
    ("penny.cpp", &[]),
    ("limit.cpp", &[]),
];
const OPTIONS: [&str; 5] = ["-O3", "-march=native", "-std=c++17", "-fno-math-errno", "-DFASTSC"];

impl Place {
    /// Beside the target folder of this program.
    pub fn new(target: &Path) -> Result<Self, String> {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers");
        let built = target.join("peers");
        std::fs::create_dir_all(built.join("work")).map_err(|error| error.to_string())?;
        Ok(Self { sources, built })
    }

    fn python(&self) -> PathBuf {
        self.built.join("venv/bin/python")
    }
}

/// Runs a program; its last words, where it fails.
fn done(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    Err(format!("{name}: {last}"))
}

/// Installs and compiles what is not there yet; returns what could not be.
pub fn install(place: &Place) -> Vec<String> {
    let steps =
        [("hand-written", limit(place)), ("ode_solvers", rust(place)), ("Python", python(place))];
    let failed =
        steps.into_iter().filter_map(|(name, step)| step.err().map(|why| format!("{name}: {why}")));
    failed.collect()
}

/// Whether a file is there and newer than all of a folder.
fn is_newer(file: &Path, folder: &Path) -> bool {
    let changed = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    let Some(made) = changed(file) else { return false };
    let mut sources = std::fs::read_dir(folder).into_iter().flatten().flatten();
    sources.all(|entry| changed(&entry.path()).is_some_and(|source| source < made))
}

/// The hand-written side, by g++.
fn limit(place: &Place) -> Result<(), String> {
    let (sources, limit) = (place.sources.join("c"), place.built.join("limit"));
    if is_newer(&limit, &sources) {
        return Ok(());
    }
    let object = |unit: &str| place.built.join("work").join(unit).with_extension("o");
    let compile = |compiler: &str, unit: &str, options: &[&str]| {
        let mut command = Command::new(compiler);
        command.args(options).arg("-c").arg(sources.join(unit)).arg("-o").arg(object(unit));
        done(&mut command).map_err(|why| format!("no C++ compiler, or not this one: {why}"))
    };
    compile("gcc", "harness.c", &["-O2"])?;
    std::thread::scope(|scope| {
        let units = UNITS.map(|(unit, own)| {
            scope.spawn(move || compile("g++", unit, &[&OPTIONS[..], own].concat()))
        });
        units.into_iter().try_for_each(|unit| match unit.join() {
            Ok(compiled) => compiled.map(|_| ()),
            Err(_) => Err("a thread fell".to_owned()),
        })
    })?;
    let objects = UNITS.map(|(unit, _)| object(unit));
    let mut link = Command::new("g++");
    link.arg("-o").arg(limit).args(objects).arg(object("harness.c"));
    done(link.args(["-lm", "-pthread"])).map(|_| ())
}

/// The Rust peer: a package of its own, so that the workspace does not depend on it.
fn rust(place: &Place) -> Result<(), String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut build = Command::new(cargo);
    build
        .args(["build", "--release", "--quiet", "--manifest-path"])
        .arg(place.sources.join("rust/Cargo.toml"))
        .env("CARGO_TARGET_DIR", place.built.join("rust"))
        .env("RUSTFLAGS", "-C target-cpu=native");
    done(&mut build).map(|_| ())
}

/// A virtual environment with the packages, made once.
fn python(place: &Place) -> Result<(), String> {
    let imports = PACKAGES.map(|package| format!("import {package}")).join("; ");
    let mut check = Command::new(place.python());
    if done(check.args(["-c", &imports])).is_ok() {
        return Ok(());
    }
    done(Command::new("python3").args(["-m", "venv"]).arg(place.built.join("venv")))?;
    // One after the other: what cannot be installed is missed by its own contestants only.
    let install = |package: &&str| {
        let mut pip = Command::new(place.python());
        done(pip.args(["-m", "pip", "install", "--quiet", package])).err()
    };
    let failed: Vec<String> = PACKAGES.iter().filter_map(install).collect();
    if failed.is_empty() { Ok(()) } else { Err(failed.join("; ")) }
}

/// A process by its name, where it could be started.
type Started = (String, Result<Process, String>);

/// Starts the processes that the rows need. They get ready side by side.
pub(super) fn start(place: &Place, works: &[Work], quick: bool) -> (Vec<Started>, Vec<String>) {
    let missing = install(place);
    let mut started = Vec::new();
    let mut launch = |name: &str, rows: &[String], command: &mut Command| {
        if rows.is_empty() {
            return;
        }
        let log = place.built.join(format!("{}.log", name.replace('/', "-")));
        started.push((name.to_owned(), Process::start(command.args(rows), &log)));
    };
    let rows = |kinds: &[&str]| -> Vec<String> {
        let ids = works.iter().map(|work| work.id());
        ids.filter(|id| kinds.iter().any(|kind| id.starts_with(kind))).collect()
    };
    let limit = place.built.join("limit");
    let starts = place.built.join("starts");
    if limit.exists() && std::fs::write(&starts, numbers()).is_ok() {
        let argument = format!("--starts={}", starts.display());
        launch("limit", &rows(&[""]), Command::new(limit).arg(argument));
    }
    let program = place.built.join("rust/release/eom-peers");
    if program.exists() {
        launch("rust", &rows(&["precision"]), Command::new(program).arg(&starts));
    }
    if !place.python().exists() {
        return (started, missing);
    }
    // Each smooth problem and each Jacobian on its own: heyoka compiles the longest of them for a minute.
    let jacobians = Problem::ALL.map(|problem| {
        let id = Work::Jacobian(problem).id();
        (id.clone(), "jacobian.py", rows(&[&id]))
    });
    let smooth = Problem::SMOOTH.map(|problem| {
        let ids = [Work::Precision(problem), Work::Setup(problem)].map(Work::id);
        (ids[0].clone(), "integrate.py", rows(&[&ids[0], &ids[1]]))
    });
    let scripts = [
        ("derive".to_owned(), "derive.py", rows(&["derive"])),
        ("evaluate".to_owned(), "evaluate.py", rows(&["latency", "batch"])),
        ("taylor".to_owned(), "integrate.py", rows(&["taylor"])),
        ("events".to_owned(), "events.py", rows(&["impacts", "bounces"])),
        ("ensemble".to_owned(), "ensemble.py", rows(&["ensemble"])),
        ("contacts".to_owned(), "contacts.py", rows(&["hops", "stack"])),
    ];
    for (name, script, rows) in scripts.into_iter().chain(smooth).chain(jacobians) {
        let mut command = Command::new(place.python());
        command.arg("-B").arg(place.sources.join("python").join(script));
        command.arg(format!("--work={}", place.built.join("work").display()));
        launch(&name, &rows, command.args(quick.then_some("--quick")));
    }
    (started, missing)
}

/// The states and ends of the problems, for those who do not read Python.
fn numbers() -> String {
    let mut text = String::new();
    let mut line = |name: &str, kind: &str, list: &[f64]| {
        let list: Vec<String> = list.iter().map(|value| format!("{value:e}")).collect();
        let _ = writeln!(text, "{name} {kind} {}", list.join(" "));
    };
    for problem in Problem::ALL {
        line(problem.id(), "state", &problem.state());
        line(problem.id(), "start", &problem.start());
        line(problem.id(), "end", &[problem.end()]);
    }
    for problem in Problem::SMOOTH {
        line(problem.id(), "starts", &runs(problem).starts.concat());
    }
    let pennies: Vec<f64> = (0..10_000).flat_map(penny_of_ensemble).collect();
    line("penny", "ensemble", &pennies);
    text
}
