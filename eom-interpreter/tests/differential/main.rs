//! Random systems, each run by both methods, in one go and cut at random places: the same events, or an end that
//! says why.
//!
//! A system is drawn so that something narrower than a step lies on its path (`generate`). Its runs (`runs`) are
//! examined (`examine`): no gap is negative between events, energy is kept on arcs and not gained at impacts; events and
//! states of both methods and of all cuts agree, as far as collisions let them (`compare`). What became of
//! all systems is counted.
//!
//! ```text
//! cargo test --release -p eom-interpreter --test differential -- --ignored --nocapture          the long one
//! EOM_SYSTEMS=2000 EOM_FROM=7000 …                                                              some others
//! EOM_SEED=17 cargo test -p eom-interpreter --test differential one_case -- --ignored --nocapture
//! ```

mod compare;
mod examine;
mod generate;
mod runs;

use examine::examine;
use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::ops::Range;

/// The systems of the short form, and of the long one.
const SHORT: u64 = 150;
const LONG: u64 = 100_000;

fn number(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |value| value.parse().expect("a number"))
}

/// What became of these systems, counted, on two threads; and what is wrong.
fn counted(seeds: &Range<u64>) -> (String, Vec<String>) {
    let halves = [0, 1].map(|first| {
        let seeds = seeds.clone().skip(first).step_by(2);
        std::thread::spawn(move || seeds.map(one).collect::<Vec<_>>())
    });
    let (mut counts, mut wrong) = (BTreeMap::<String, usize>::new(), Vec::new());
    for found in halves.into_iter().flat_map(|half| half.join().expect("no panic")) {
        match found {
            Ok(outcomes) => outcomes.into_iter().for_each(|name| {
                *counts.entry(name).or_default() += 1;
            }),
            Err(what) => wrong.push(what),
        }
    }
    let mut text = format!("{} systems\n", seeds.end - seeds.start);
    for (outcome, count) in counts {
        let _ = writeln!(text, "{count:6} {outcome}");
    }
    let _ = writeln!(text, "{:6} disagreements", wrong.len());
    (text, wrong)
}

fn one(seed: u64) -> Result<Vec<String>, String> {
    let case = generate::case(seed);
    let found = examine(&case, seed);
    if env::var("EOM_LOG").is_ok() {
        eprintln!("system {seed}: {found:?}");
    }
    found.map_err(|what| format!("EOM_SEED={seed}: {what}\n{}\n", case.text))
}

#[test]
fn random_systems_agree() {
    let (counts, wrong) = counted(&(0..SHORT));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    insta::assert_snapshot!(counts);
}

#[test]
#[ignore = "hours; CONTRIBUTING says when to run it"]
fn very_many_random_systems_agree() {
    let from = number("EOM_FROM", 0);
    let seeds = from..from + number("EOM_SYSTEMS", LONG);
    let (counts, wrong) = counted(&seeds);
    eprintln!("{counts}");
    assert!(wrong.is_empty(), "{}\n{counts}", wrong.join("\n"));
}

#[test]
#[ignore = "shows a system, and its runs"]
fn one_case() {
    let seed = number("EOM_SEED", 0);
    let case = generate::case(seed);
    eprintln!("{}\n{:?}", case.text, case.features);
    eprintln!("{:?}", examine(&case, seed));
    examine::show(&case);
}
