//! Random systems, each run by both methods, in one go and cut at random places: the same events, or an end that
//! says why.
//!
//! A system is drawn so that something narrower than a step lies on its path (`generate`). Its runs (`runs`) are
//! examined (`examine`): each keeps what it has to (`invariants`); events and states of the methods and of all cuts
//! agree, as far as collisions and rounding let them (`compare`). What became of all systems is counted (`counts`).
//!
//! ```text
//! cargo test --release -p eom-interpreter --test differential -- --ignored --nocapture very_many   the long one
//! EOM_FROM=7000 EOM_SYSTEMS=2000 …                                                               some others
//! EOM_THREADS=1 …                                                                                on one core
//! EOM_LOG=1 …                                                           a line a system, with its milliseconds
//! EOM_SEED=17 cargo test -p eom-interpreter --test differential one_case -- --ignored --nocapture
//! ```
//!
//! What disagrees is printed when it is found, with its seed; the counts so far after every 5000 systems.

mod case;
mod compare;
mod counts;
mod examine;
mod generate;
mod invariants;
mod opening;
mod runs;

use compare::{Scale, allowed, same_events};
use counts::{Counts, Outcome};
use eom_core::End;
use examine::examine;
use runs::{Seen, Told};
use std::env;
use std::ops::Range;
use std::panic::catch_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// The systems of the short form, and of the long one.
const SHORT: u64 = 150;
const LONG: u64 = 100_000;

/// The counts so far are printed after so many systems.
const REPORT: u64 = 5000;

fn number(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |value| value.parse().expect("a number"))
}

/// What became of these systems; and what is wrong, in the order of the seeds.
fn counted(seeds: Range<u64>, is_long: bool) -> (Counts, Vec<String>) {
    let next = AtomicU64::new(seeds.start);
    let all = Mutex::new((Counts::default(), Vec::new()));
    let work = || loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= seeds.end {
            return;
        }
        let found = one(seed);
        let mut all = all.lock().expect("no panic");
        match found {
            Ok(outcome) => all.0.add(&outcome),
            Err(what) => {
                if is_long {
                    eprintln!("{what}");
                }
                all.0.disagree();
                all.1.push((seed, what));
            }
        }
        if is_long && all.0.systems().is_multiple_of(REPORT) {
            eprintln!("{}", all.0);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..number("EOM_THREADS", 2) {
            scope.spawn(work);
        }
    });
    let (counts, mut wrong) = all.into_inner().expect("no panic");
    wrong.sort_unstable();
    (counts, wrong.into_iter().map(|(_, what)| what).collect())
}

/// One system; a panic is a disagreement.
fn one(seed: u64) -> Result<Outcome, String> {
    let begun = Instant::now();
    let found = catch_unwind(|| {
        let case = generate::case(seed);
        examine(&case, seed).map_err(|what| format!("{what}\n{}", case.text))
    });
    let found = found.unwrap_or_else(|_| Err("it panics".to_owned()));
    if env::var("EOM_LOG").is_ok() {
        eprintln!("system {seed}: {:.1} ms {found:?}", 1e3 * begun.elapsed().as_secs_f64());
    }
    found.map_err(|what| format!("EOM_SEED={seed}: {what}\n"))
}

#[test]
fn random_systems_agree() {
    let (counts, wrong) = counted(0..SHORT, false);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    insta::assert_snapshot!(counts);
}

/// Two runs with one impact each, 10⁻⁵ apart where 10⁻¹⁰ is allowed; and where one follows a series by two impacts less.
#[test]
fn what_is_left_out_of_two_runs_is_the_end_of_a_series() {
    let run = |times: &[f64]| {
        let seen = |t: &f64| Seen {
            t: *t,
            what: "impact [0]".to_owned(),
            told: 0.0,
            part: 0.0,
            is_slight: false,
        };
        let end = End::ReachedTime { t: 2.0 };
        Told { events: times.iter().map(seen).collect(), end, samples: Vec::new() }
    };
    let scale = Scale { begin: 0.0, end: 2.0 };
    let first = 1.0 + 1e-5;
    for (one, other, agree) in [
        (&[1.0][..], &[1.0][..], true),
        (&[1.0], &[first], false),
        (&[1.0, first], &[1.0, first + 1e-6], false),
        (&[1.0, first, first + 1e-6, first + 2e-6], &[1.0, first], true),
        (&[1.0], &[], false),
    ] {
        let run = [run(one), run(other)];
        let off = allowed(&run[0], &run[0], &scale);
        let found = same_events(&run[0], &run[1], scale.end, &off, &scale);
        assert_eq!(found.is_ok(), agree, "{one:?} and {other:?}: {found:?}");
    }
}

#[test]
#[ignore = "most of an hour; CONTRIBUTING says when to run it"]
fn very_many_random_systems_agree() {
    let from = number("EOM_FROM", 0);
    let (counts, wrong) = counted(from..from + number("EOM_SYSTEMS", LONG), true);
    eprintln!("{counts}");
    assert!(wrong.is_empty(), "{} disagreements", wrong.len());
}

#[test]
#[ignore = "shows a system, and its runs"]
fn one_case() {
    let seed = number("EOM_SEED", 0);
    let case = generate::case(seed);
    eprintln!("{}\n{:?}", case.text, case.features);
    eprintln!("{:?}", examine(&case, seed));
    examine::show(&case, seed);
}
