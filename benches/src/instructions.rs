//! Instructions of single pieces of work, counted by callgrind: they repeat on a busy machine.
//!
//! A piece is done n times and 2n times in processes of their own; the difference over n is one
//! piece without what surrounds it.

use crate::pendulum;
use crate::problem::{Problem, state_of};
use crate::systems::{BouncingBall, Penny};
use eom_codegen::{derive_source, model_source};
use eom_core::{Method, Options, Progress, Sampling, State, System, simulate};
use eom_interpreter::Interpreted;
use eom_symbolic::mechanics::lagrange;
use std::fmt::Write as _;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;

/// A piece of work by name, and how often it is done.
struct Piece {
    name: String,
    times: u32,
    work: Box<dyn FnMut()>,
}

fn pieces() -> Vec<Piece> {
    let piece = |name: String, times: u32, work: Box<dyn FnMut()>| Piece { name, times, work };
    let mut pieces: Vec<Piece> = Problem::ALL
        .into_iter()
        .map(|p| piece(format!("evaluate {}", p.id()), 1000, evaluation(p.system(), p)))
        .collect();
    if let Ok(penny) = Interpreted::new(Problem::Penny.source()) {
        let work = evaluation(Box::new(penny), Problem::Penny);
        pieces.push(piece("evaluate penny, interpreted".to_owned(), 1000, work));
    }
    pieces.extend(
        [2, 6, 12, 32].map(|n| piece(format!("derive nlink{n}"), 2, derivation(pendulum(n)))),
    );
    pieces.extend(
        [Problem::Penny, Problem::Ball, Problem::Particle]
            .map(|p| piece(format!("derive {}", p.id()), 5, derivation(p.source().to_owned()))),
    );
    pieces.push(piece(
        "macro penny".to_owned(),
        2,
        Box::new(|| {
            drop(black_box(derive_source(Problem::Penny.source())));
        }),
    ));
    pieces.extend(Problem::SMOOTH.map(|p| piece(format!("run {}", p.id()), 1, smooth(p))));
    let by_stages = impacts(Options { until_impacts: Some(20), ..ends() });
    pieces.push(piece("run penny, 20 impacts".to_owned(), 5, by_stages));
    let by_series = impacts(Options {
        method: Method::Taylor,
        relative_tolerance: 1e-11,
        until_impacts: Some(1000),
        ..ends()
    });
    pieces.push(piece("run penny, 1000 impacts by series".to_owned(), 2, by_series));
    pieces.push(piece("run bouncing ball, 100 impacts".to_owned(), 5, bounces(Method::Taylor)));
    let name = "run bouncing ball, 100 impacts by Runge–Kutta";
    pieces.push(piece(name.to_owned(), 5, bounces(Method::RungeKutta)));
    pieces
}

/// Accelerations and multipliers.
fn evaluation(system: Box<dyn System>, problem: Problem) -> Box<dyn FnMut()> {
    let state = state_of(&*system, &problem.state());
    let (mut a, mut λ) = (vec![0.0; state.v.len()], vec![0.0; system.info().rows.len()]);
    Box::new(move || {
        system.accelerations(0.0, black_box(&state.q), &state.v, &[], &mut a, &mut λ);
        black_box(&a);
    })
}

/// From the text to M, h, F, A, γ.
fn derivation(source: String) -> Box<dyn FnMut()> {
    Box::new(move || {
        let model = model_source(black_box(&source));
        drop(model.map(|mut model| drop(black_box(lagrange::derive(&mut model)))));
    })
}

/// To the end of a problem at the default tolerance.
fn smooth(problem: Problem) -> Box<dyn FnMut()> {
    let options = Options { until_time: Some(problem.end()), ..ends() };
    let system = problem.system();
    let start = state_of(&*system, &problem.start());
    run(system, start, options)
}

fn impacts(options: Options) -> Box<dyn FnMut()> {
    let penny = Penny::default();
    let start = state_of(&penny, &Problem::Penny.start());
    run(Box::new(penny), start, options)
}

/// Towards the end of the bounces.
fn bounces(method: Method) -> Box<dyn FnMut()> {
    let options = Options { method, until_impacts: Some(100), ..ends() };
    run(Box::new(BouncingBall::default()), State::new(0.0, [1.0], [0.0]), options)
}

fn ends() -> Options {
    Options { sampling: Sampling::Ends, ..Options::default() }
}

fn run(system: Box<dyn System>, start: State, options: Options) -> Box<dyn FnMut()> {
    Box::new(move || {
        let go_on = &mut |_: &Progress<'_>| ControlFlow::Continue(());
        drop(black_box(simulate(&*system, &start, &[], &options, go_on)));
    })
}

/// Does one piece so many times; what the counted process runs.
pub fn repeat(name: &str, times: u32) -> Result<(), String> {
    let mut pieces = pieces();
    let piece = pieces.iter_mut().find(|piece| piece.name == name);
    let piece = piece.ok_or_else(|| format!("there is no piece {name}"))?;
    for _ in 0..times {
        (piece.work)();
    }
    Ok(())
}

/// The instructions of each piece whose name holds one of `only`. `said` hears of each.
pub fn count(only: &[String], mut said: impl FnMut(&str)) -> Result<Vec<(String, u64)>, String> {
    let mut counts = Vec::new();
    for Piece { name, times, .. } in pieces() {
        if !only.is_empty() && !only.iter().any(|o| name.contains(o)) {
            continue;
        }
        said(&name);
        let [once, twice] = [times, 2 * times].map(|times| instructions(&name, times));
        let difference = twice?.saturating_sub(once?);
        counts.push((name, difference / u64::from(times)));
    }
    Ok(counts)
}

/// The instructions of a process that repeats a piece.
fn instructions(name: &str, times: u32) -> Result<u64, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["repeat", name, &times.to_string()])
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said.lines().find_map(|line| line.split_once("Collected : "));
    let count = line.and_then(|(_, count)| count.trim().parse().ok());
    count.ok_or_else(|| format!("valgrind: {}", said.lines().last().unwrap_or_default()))
}

/// The counts as a table in Markdown.
pub fn table(counts: &[(String, u64)]) -> String {
    let mut text = format!(
        "# Instructions\n\n{}\n\nCounted by callgrind for one piece of work, without AVX-512, which it does \
         not know; `derive` is from the text to the equations, `macro` all that the macro does but \
         writing Rust, `run` at the default tolerances.\n\n| piece | instructions |\n| --- | ---: |\n",
        crate::report::machine_and_date(),
    );
    for (name, count) in counts {
        let _ = writeln!(text, "| {name} | {count} |");
    }
    text
}

/// The pieces that take more than `percent` more instructions than in a table written before.
pub fn worse(counts: &[(String, u64)], before: &Path, percent: f64) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(before).map_err(|error| error.to_string())?;
    let old = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("| {name} | ")))?;
        line.trim_end_matches(" |").parse::<f64>().ok()
    };
    let worse = counts.iter().filter_map(|(name, count)| {
        let more = 100.0 * (*count as f64 / old(name)? - 1.0);
        (more > percent).then(|| format!("{name}: {more:.1} % more instructions"))
    });
    Ok(worse.collect())
}
