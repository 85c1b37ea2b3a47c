//! What a declaration costs to compile: statements, the macro, rustc for a crate with it alone.

use crate::clock::shortest;
use crate::problem::Problem;
use crate::systems::BouncingBall;
use crate::work::digits;
use eom_codegen::{derive_source, expand, rust_source};
use eom_symbolic::program::{DYNAMICS_STATEMENTS_MAX, SolvedFor};
use proc_macro2::TokenStream;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is to be reached: the macro in ms, a crate in s, and that of the 12-link pendulum in s.
pub(crate) const MACRO_MAX: f64 = 50.0;
pub(crate) const CRATE_MAX: f64 = 5.0;
pub(crate) const CRATE_MAX_OF_12_LINKS: f64 = 20.0;

/// A declaration that is compiled.
struct Subject {
    name: String,
    source: String,
    /// Seconds that its crate may take.
    allowed: f64,
}

/// The declarations of the benchmarks, longer pendulums, the models of the catalogue.
fn subjects() -> Vec<Subject> {
    let subject = |name: &str, source: String, allowed: f64| Subject {
        name: name.to_owned(),
        source,
        allowed,
    };
    let problems = Problem::ALL.map(|problem| {
        let long = problem == Problem::Pendulum12;
        let allowed = if long { CRATE_MAX_OF_12_LINKS } else { CRATE_MAX };
        subject(problem.title(), problem.source().to_owned(), allowed)
    });
    let ball = subject("bouncing ball", BouncingBall::INFO.source.to_owned(), CRATE_MAX);
    let chains = [16, 24, 32].map(|n| {
        let name = format!("{n}-link pendulum");
        subject(&name, crate::pendulum(n), f64::INFINITY)
    });
    let models = models::catalogue::catalogue().iter();
    let models = models.map(|model| {
        subject(&format!("model {}", model.name), model.info.source.to_owned(), CRATE_MAX)
    });
    problems.into_iter().chain([ball]).chain(chains).chain(models).collect()
}

/// What one declaration costs.
struct Cost {
    statements: usize,
    solve: &'static str,
    macro_ms: f64,
    /// A crate with the macro, and one with the Rust that it writes, s.
    with_macro: f64,
    expanded: f64,
}

/// Measures every declaration; those whose name holds one of `only`, where there are some.
/// `said` hears of each.
pub fn table(
    only: &[String],
    repeats: usize,
    mut said: impl FnMut(&str),
) -> Result<String, String> {
    let compiler = Compiler::find(&target()?)?;
    let mut text = heading();
    for subject in subjects() {
        if !only.is_empty() && !only.iter().any(|o| subject.name.contains(o)) {
            continue;
        }
        said(&subject.name);
        let cost = cost(&subject, &compiler, repeats)?;
        let kept = cost.macro_ms < MACRO_MAX && cost.with_macro < subject.allowed;
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            subject.name,
            cost.statements,
            cost.solve,
            digits(cost.macro_ms),
            digits(cost.with_macro),
            digits(cost.expanded),
            if kept { "yes" } else { "no" },
        );
    }
    Ok(text)
}

fn heading() -> String {
    format!(
        "# Compile times\n\n{}\n\nA crate holds one declaration and a use of all functions of `System`, and is compiled by rustc at \
         `opt-level` 3, time of all its threads together, the shortest of some; `macro` is the expansion in a process that was \
         optimised, claims decided included. The macro of a crate runs as cargo builds macros: in a \
         release build without optimisation, unless `profile.release.build-override` says otherwise; \
         what it costs there is the difference of the two columns of crates.\n\nThe solve of the \
         accelerations is unrolled where it is estimated at {DYNAMICS_STATEMENTS_MAX} statements or less \
         (n³/3 + n² for the LDLᵀ of n speeds, as much for k constraints, (k + 2)n² + 2k²n for the \
         substitutions), and where no force holds a multiplier; a chain of bodies by the forms of its \
         velocities or the tensions of its rods, where that is cheaper or the others are not unrolled, and has no more statements; \
         else M, h, A are emitted and loops of `eom-core` solve.\n\n\
         To reach: macro below {MACRO_MAX} ms, crate below {CRATE_MAX} s, that of the 12-link pendulum below \
         {CRATE_MAX_OF_12_LINKS} s.\n\n\
         | declaration | statements | solve | macro, ms | crate, s | crate of the expanded code, s | \
         reached |\n| --- | ---: | --- | ---: | ---: | ---: | --- |\n",
        crate::report::machine_and_date(),
    )
}

fn cost(subject: &Subject, compiler: &Compiler, repeats: usize) -> Result<Cost, String> {
    let Subject { name, source, .. } = subject;
    let wrong = |what: &dyn std::fmt::Debug| format!("{name}: {what:?}");
    let derivation = derive_source(source).map_err(|mistakes| wrong(&mistakes))?;
    let rust = rust_source(source).map_err(|mistakes| wrong(&mistakes))?;
    let ns = expansion(source)?;
    let mut best = [f64::INFINITY; 2];
    let used = used(&derivation.model.named.name);
    let (declared, rust) = (declared(source) + &used, rust + &used);
    for _ in 0..repeats {
        for (text, best) in [&declared, &rust].into_iter().zip(&mut best) {
            *best = best.min(compiler.seconds(text).map_err(|why| format!("{name}: {why}"))?);
        }
    }
    Ok(Cost {
        statements: rust.lines().filter(|line| line.trim_start().starts_with("let ")).count(),
        solve: match (derivation.programs.dynamics_solved, derivation.programs.passes.solved_for) {
            (true, SolvedFor::Bodies) => "by forms",
            (true, SolvedFor::Tensions) => "by tensions",
            (true, SolvedFor::Accelerations) => "unrolled",
            (false, _) => "loops",
        },
        macro_ms: ns * 1e-6,
        with_macro: best[0],
        expanded: best[1],
    })
}

/// rustc and the compiled `eom-core` of this build.
struct Compiler {
    rustc: String,
    core: PathBuf,
    folder: PathBuf,
}

impl Compiler {
    /// Asks cargo for what this program was linked with; all of it is there already.
    fn find(target: &Path) -> Result<Self, String> {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let build = ["build", "--release", "-p", "eom-benches", "--message-format=json", "--quiet"];
        let output = Command::new(cargo)
            .args(build)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("CARGO_TARGET_DIR", target)
            .output()
            .map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout);
        let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let files = messages
            .filter(|message| message["target"]["name"] == "eom_core")
            .flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default());
        let core = files
            .filter_map(|file| file.as_str().map(PathBuf::from))
            .find(|file| file.extension().is_some_and(|extension| extension == "rlib"))
            .ok_or("cargo does not say where eom-core is")?;
        let folder = target.join("compile");
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
        Ok(Self { rustc, core, folder })
    }

    /// The time of one crate with this text: that of all threads of rustc and the linker, as the shell
    /// counts it, so that other work on the machine is not counted.
    fn seconds(&self, text: &str) -> Result<f64, String> {
        let source = self.folder.join("subject.rs");
        std::fs::write(&source, text).map_err(|error| error.to_string())?;
        let mut command = Command::new("sh");
        command
            .args(["-c", r#""$@" && times"#, "sh", &self.rustc])
            .args(["--crate-type", "lib", "--crate-name", "subject", "--edition", "2024"])
            .args(["-C", "opt-level=3", "--emit=link,metadata", "--cap-lints", "allow"])
            .arg("-L")
            .arg(format!("dependency={}", self.dependencies().display()))
            .arg("--extern")
            .arg(format!("eom_core={}", self.core.display()))
            .arg("--out-dir")
            .arg(&self.folder)
            .arg(&source);
        let output = command.output().map_err(|error| error.to_string())?;
        if output.status.success() {
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            return of_children(&said).ok_or_else(|| format!("the shell counts no times: {said}"));
        }
        Err(String::from_utf8_lossy(&output.stderr).lines().take(4).collect::<Vec<_>>().join(" "))
    }

    /// The folder of the compiled dependencies.
    fn dependencies(&self) -> &Path {
        self.core.parent().unwrap_or(&self.folder)
    }
}

/// The sum of the times of children, the second line of `times`: `0m1.23s 0m0.45s`.
fn of_children(said: &str) -> Option<f64> {
    let words = said.lines().nth(1)?.split_whitespace();
    let seconds = words.map(|word| {
        let (minutes, seconds) = word.trim_end_matches('s').split_once('m')?;
        Some(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
    });
    seconds.sum()
}

/// The target folder of this build.
pub fn target() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder = program.parent().and_then(Path::parent).ok_or("no target folder")?;
    Ok(folder.to_path_buf())
}

/// The macro on a declaration given as text, claims decided included, ns.
pub(crate) fn expansion(source: &str) -> Result<f64, String> {
    let tokens: TokenStream = source.parse().map_err(|error| format!("{error}"))?;
    Ok(shortest(0.1, || expand(tokens.clone())).0)
}

/// rustc on a crate with one declaration, its macro included, ns.
pub(crate) fn crate_with(source: &str) -> Result<f64, String> {
    let derivation = derive_source(source).map_err(|mistakes| format!("{mistakes:?}"))?;
    let text = declared(source) + &used(&derivation.model.named.name);
    let seconds = Compiler::find(&target()?)?.seconds(&text)?;
    Ok(seconds * 1e9)
}

/// A use of a system: rustc leaves what may be inlined, and what is private, to those who call it.
fn used(name: &str) -> String {
    format!("\npub fn used(system: {name}) -> Box<dyn eom_core::System> {{ Box::new(system) }}\n")
}

/// A crate with one declaration.
fn declared(source: &str) -> String {
    format!("eom_core::lagrangian! {{ {source} }}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn times_of_children_are_summed() {
        let said = "0m0.001s 0m0.002s\n1m2.250s 0m0.500s\n";
        assert_eq!(super::of_children(said), Some(62.75));
    }
}
