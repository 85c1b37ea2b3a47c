//! Hostile input: whatever a text holds, the engine answers with a system or with mistakes, soon.
//!
//! `EOM_FUZZ_SECONDS=3600 EOM_FUZZ_SEED=1 cargo test -p eom-interpreter --test hostile -- --ignored
//! --nocapture` is the long form of the random test.

mod corpus;
#[path = "../../../tests/drawn.rs"]
mod drawn;
mod exercise;
mod extremes;
mod generate;
mod mutate;

use drawn::drawn;
use exercise::{Outcome, exercise};
use fastrand::Rng;
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{env, thread};

/// As little stack as a thread has that nobody gave more.
const STACK: usize = 2 << 20;

/// How long one text may take, in a debug build on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The text of a case: from the grammar, or a declaration of the repository with mistakes in it.
fn text_of(corpus: &[String], seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let rng = &mut rng;
    let generated = generate::declaration(rng);
    let (one, other) = (&corpus[rng.usize(..corpus.len())], &corpus[rng.usize(..corpus.len())]);
    match rng.u32(..4) {
        0 => generated,
        1 => mutate::mutated(rng, &generated, one),
        _ => mutate::mutated(rng, one, other),
    }
}

/// One text on a thread of its own: its outcome and time, or that there was none. A stack overflow ends
/// the process, and says the name of the thread.
fn answered(name: &str, text: &str) -> Result<(Outcome, Duration), &'static str> {
    let (done, answer) = mpsc::channel();
    let owned = text.to_owned();
    let begun = Instant::now();
    let thread = thread::Builder::new().name(name.to_owned()).stack_size(STACK);
    let work = thread.spawn(move || done.send(exercise(&owned))).expect("a thread");
    match answer.recv_timeout(PATIENCE) {
        Ok(outcome) => {
            let taken = begun.elapsed();
            drop(work.join());
            Ok((outcome, taken))
        }
        Err(mpsc::RecvTimeoutError::Timeout) => Err("takes too long"),
        Err(mpsc::RecvTimeoutError::Disconnected) => Err("panics"),
    }
}

#[derive(Default)]
struct Tally {
    cases: usize,
    accepted: usize,
    runs: usize,
    slowest: (Duration, u64),
    findings: Vec<String>,
}

impl Tally {
    /// Answers the case of a seed.
    fn take(&mut self, corpus: &[String], seed: u64) {
        self.cases += 1;
        let (outcome, taken) = match answered(&format!("case {seed}"), &text_of(corpus, seed)) {
            Ok(answer) => answer,
            Err(finding) => return self.findings.push(format!("case {seed} {finding}")),
        };
        if let Outcome::Accepted { runs } = outcome {
            self.accepted += 1;
            self.runs += runs;
        }
        self.slowest = self.slowest.max((taken, seed));
    }
}

#[test]
fn random_declarations_are_answered() {
    let corpus = corpus::declarations();
    let mut tally = Tally::default();
    for seed in drawn(400) {
        tally.take(&corpus, seed as u64);
    }
    assert!(tally.findings.is_empty(), "{:?}", tally.findings);
    // The generator reaches what it is for.
    assert!(tally.accepted >= tally.cases / 20, "{} of {} accepted", tally.accepted, tally.cases);
    assert!(tally.runs >= tally.cases / 10, "{} runs", tally.runs);
}

#[test]
#[ignore = "as long as EOM_FUZZ_SECONDS says"]
fn random_declarations_for_long() {
    let (seconds, first) = (number("EOM_FUZZ_SECONDS", 60), number("EOM_FUZZ_SEED", 1 << 32));
    let corpus = corpus::declarations();
    let begun = Instant::now();
    let mut tally = Tally::default();
    for seed in (first..).take_while(|_| begun.elapsed().as_secs() < seconds) {
        tally.take(&corpus, seed);
    }
    let Tally { cases, accepted, runs, slowest: (time, case), findings } = tally;
    println!(
        "{cases} texts from seed {first}: {accepted} accepted, {runs} runs, the slowest {time:.1?} \
         (case {case})"
    );
    assert!(findings.is_empty(), "{findings:?}");
}

/// `EOM_FUZZ_SEED=7 cargo test … one_case -- --ignored --nocapture` shows a finding again.
#[test]
#[ignore = "shows the case that EOM_FUZZ_SEED names"]
fn one_case() {
    let seed = number("EOM_FUZZ_SEED", 0);
    let text = text_of(&corpus::declarations(), seed);
    println!("{text}");
    println!("{:?}", answered(&format!("case {seed}"), &text));
}

/// A number from the environment.
fn number(name: &str, default: u64) -> u64 {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn extremes_are_answered() {
    answer_all(extremes::short());
}

#[test]
#[ignore = "half a minute; CONTRIBUTING says when to run it"]
fn long_extremes_are_answered() {
    answer_all(extremes::long());
}

/// Those that EOM_FUZZ_CASE names, or all.
fn answer_all(texts: Vec<(&'static str, String)>) {
    let only = env::var("EOM_FUZZ_CASE").unwrap_or_default();
    let mut findings = Vec::new();
    for (name, text) in texts.into_iter().filter(|(name, _)| name.contains(&only)) {
        match answered(name, &text) {
            Ok((outcome, taken)) => eprintln!("{name}: {outcome:?} in {taken:.2?}"),
            Err(finding) => findings.push(format!("{name} {finding}")),
        }
    }
    assert!(findings.is_empty(), "{findings:?}");
}
