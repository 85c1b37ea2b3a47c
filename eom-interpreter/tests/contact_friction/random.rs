//! Random bodies with frictional contacts against what no motion may do: gain energy, penetrate, pull, leave its cone.
//!
//! ```text
//! cargo test --release -p eom-interpreter --test contact_friction -- --ignored --nocapture very_many     the long one
//! EOM_FROM=7000 EOM_SYSTEMS=2000 EOM_THREADS=16 …                                                  others, by all cores
//! EOM_LAW=stronge …                                                                                 all by one law of impacts
//! ```

use super::drawn::drawn;
use super::system;
use eom_core::system::Contacts;
use eom_core::{End, EventKind, Options, Run, State, System};
use fastrand::Rng;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::panic::catch_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// What rounding and the tolerances of a run leave, as a part of the energies and forces.
const LEFT: f64 = 1e-8;

/// More than any of them takes: what takes more does not get on.
const STEPS_MAX: u64 = 100_000;

/// Up to four points of a body above a floor or beside a wall, with friction; every third body with much of it. Where it
/// `rolls` there is one, which may resist its turning as well.
fn body(rng: &mut Rng, rolls: bool) -> (String, usize) {
    // Where two hold the same turning, what presses on each is not determined.
    let contacts = if rolls { 1 } else { rng.usize(1..=4) };
    let rough = if rng.usize(0..3) == 0 { 2.5 } else { 0.6 };
    let mut source = String::from(
        "system Body { coordinates { x, y, θ } parameters { g = 9.81 }
         kinetic = (ẋ^2 + ẏ^2)/2 + 0.1*θ̇^2; potential = g*y;\n",
    );
    for i in 0..contacts {
        let (a, b) = (rng.f64() - 0.5, -0.2 - 0.5 * rng.f64());
        let (μ, e) = (rough * rng.f64(), if rng.bool() { 0.0 } else { 0.7 * rng.f64() });
        let μ_s = μ * (1.0 + 0.3 * f64::from(u8::from(rng.bool())));
        let (c, s) = (format!("({a}*cos(θ) - {b}*sin(θ))"), format!("({a}*sin(θ) + {b}*cos(θ))"));
        let (gap, slip) = if i > 0 && rng.usize(0..4) == 0 {
            (format!("1.5 - x - {c}"), format!("ẏ + {c}*θ̇"))
        } else {
            (format!("y + {s}"), format!("ẋ - {s}*θ̇"))
        };
        let turning = if rolls && rng.usize(0..3) > 0 {
            format!("roll = θ̇; rolling = {}; ", 0.2 * rng.f64())
        } else {
            String::new()
        };
        let _ = writeln!(
            source,
            "contact c{i} {{ gap = {gap}; slip = {slip}; friction({μ_s}, {μ}); {turning}impact = restitution({e}); }}"
        );
    }
    source.push_str("event beside { guard = x - 0.4; both; } }");
    (source, contacts)
}

/// Runs one by a law of impacts; how it ended.
fn check(seed: u64, rolls: bool, law: &str) -> String {
    let mut rng = Rng::with_seed(seed);
    let (source, contacts) = body(&mut rng, rolls);
    let source = source.replace("restitution", law);
    let system = system(&source, &[]);
    let θ = 6.0 * rng.f64() - 3.0;
    let (q, v) = ([0.0, 1.5, θ], [6.0 * rng.f64() - 3.0, 0.0, 10.0 * rng.f64() - 5.0]);
    let options = Options { until_time: Some(3.0), steps_max: STEPS_MAX, ..Options::default() };
    let mut run =
        Run::new(&system, &State::new(0.0, q, v), &options).expect("it starts in the air");
    let energy = |state: &State| {
        let energy = system.energy(state.t, &state.q, &state.v);
        energy.kinetic + energy.potential
    };
    let (mut last, scale) = (energy(run.state()), 1.0 + energy(run.state()).abs());
    let (mut gaps, mut ahead, mut paid) = (vec![0.0; contacts], None, Vec::new());
    while run.step().is_continue() {
        let state = run.state().clone();
        let now = energy(&state);
        if now <= last + LEFT * scale {
            paid.extend(ahead.take());
            last = now;
        } else {
            assert!(ahead.is_none(), "{seed}: {last} to {now} at {}\n{source}", state.t);
            ahead = Some(state.t);
        }
        system.gaps(state.t, &state.q, &mut gaps);
        assert!(gaps.iter().all(|gap| *gap > -LEFT), "{seed}: {gaps:?} at {}", state.t);
        check_forces(&mut run, &system, seed);
    }
    assert!(
        ahead.into_iter().chain(paid).all(|since| accumulates(&run, since)),
        "{seed}\n{source}"
    );
    let end = run.end().expect("it has ended");
    let name = match end {
        End::ReachedTime { .. } => "reached",
        End::FrictionParadox { .. } => "paradox",
        End::ImpossibleImpact { .. } => "adds energy",
        End::UnresolvedEvent { .. } => "unresolved",
        End::UndecidedMode { .. } => "undecided",
        End::UndeterminedForces { .. } => "undetermined",
        other => panic!("{seed}: {other}\n{source}"),
    };
    name.to_owned()
}

/// Whether flights were left out at a time, of contacts that take turns. Friction takes its energy at their impacts, and evenly
/// from a contact that is closed instead: right after one of the impacts that motion is behind this one, which has the
/// energy of their limit at their limit.
fn accumulates(run: &Run<'_>, since: f64) -> bool {
    run.events_since(0).iter().any(|event| match event.kind {
        EventKind::Accumulation { duration, .. } => (event.t - duration - since).abs() < 1e-12,
        _ => false,
    })
}

/// Normal forces press, friction lies in its cone.
fn check_forces(run: &mut Run<'_>, system: &dyn System, seed: u64) {
    let (t, state) = (run.t(), run.state().clone());
    let (terms, m) = (system.info().frictions.len(), state.v.len());
    let (mut c, mut w) = (vec![0.0; 2 * terms], vec![0.0; terms]);
    let (mut rows, mut drift) = (vec![0.0; terms * m], vec![0.0; terms]);
    system.frictions(t, &state.q, &state.v, &mut c, &mut w, &mut rows, &mut drift);
    let forces = run.forces();
    for term in 0..terms {
        let contact = system.contact_of_friction(term).expect("all are of contacts");
        let (normal, f) = (forces.contacts[contact], forces.frictions[term]);
        let scale = 10.0 + normal.abs();
        assert!(normal >= -LEFT * scale, "{seed}: pulls with {normal} at {t}");
        let limit = c[terms + term] * normal;
        assert!(f.abs() <= limit + LEFT * scale, "{seed}: {f} beyond {limit} at {t}");
        assert!(f * w[term] <= LEFT * scale, "{seed}: {f} along {} at {t}", w[term]);
    }
}

/// How often each end comes, and how many there are.
fn ends(
    seeds: impl Iterator<Item = usize>,
    rolls: bool,
    law: &str,
) -> (BTreeMap<String, usize>, usize) {
    let mut ends = BTreeMap::<String, usize>::new();
    for seed in seeds {
        *ends.entry(check(seed as u64, rolls, law)).or_default() += 1;
    }
    let cases = ends.values().sum();
    (ends, cases)
}

#[test]
fn random_bodies_keep_the_laws() {
    let (ends, cases) = ends(drawn(400), false, "restitution");
    // Of 3000 seeds 2970 come to their end, 10 to a paradox, 20 to a touch that cannot be told from a crossing.
    assert!(ends.get("reached").is_some_and(|reached| reached * 40 >= cases * 39), "{ends:?}");
}

/// Bodies that are struck at several points, too.
#[test]
fn random_bodies_keep_the_laws_by_poissons_e() {
    let (ends, cases) = ends(drawn(400), false, "poisson");
    assert!(ends.get("reached").is_some_and(|reached| reached * 40 >= cases * 38), "{ends:?}");
}

/// The same by works: energy never grows, so that no impact is refused.
#[test]
fn random_bodies_keep_the_laws_by_stronges_e() {
    let (ends, cases) = ends(drawn(400), false, "stronge");
    assert!(ends.get("reached").is_some_and(|reached| reached * 40 >= cases * 39), "{ends:?}");
    assert!(!ends.contains_key("adds energy"), "{ends:?}");
}

/// What closes slowly beside what is wedged has still to be stopped.
#[test]
fn slow_contacts_are_struck_by_works() {
    assert_eq!(check(1559, false, "stronge"), "reached");
}

#[test]
fn random_bodies_that_resist_rolling_keep_the_laws() {
    let (ends, cases) = ends(drawn(200), true, "restitution");
    assert!(ends.get("reached").is_some_and(|reached| reached * 10 >= cases * 9), "{ends:?}");
}

#[test]
fn what_takes_turns_pays_for_the_flights_that_are_left_out() {
    assert_eq!(check_of(58851), "reached");
}

/// What slides comes to rest at an instant at which another contact closes, whose flights are too low to be told: what this
/// does to the slip stands, and friction is along the slip that follows. They all were pushed along their slips once.
#[test]
fn a_slip_that_stops_as_another_contact_lands_is_not_stopped_twice() {
    for seed in [3572, 23271, 27933, 33796, 56035, 62076, 62720, 63309, 70380] {
        assert_eq!(check_of(seed), "reached", "{seed}");
    }
}

/// What an impact brings to rest, from a slip that is none, is at rest; what slides by rounding stops within no time.
#[test]
fn a_slip_of_rounding_stops() {
    assert_eq!(check_of(203_563), "reached");
}

#[test]
fn impacts_are_among_them() {
    let mut rng = Rng::with_seed(1);
    let (source, _) = body(&mut rng, false);
    let system = system(&source, &[]);
    let trajectory = super::run(&system, &[0.0, 1.5, 0.3], &[1.0, 0.0, 2.0], 3.0);
    assert!(trajectory.events.iter().any(|e| matches!(e.kind, EventKind::Impact { .. })));
}

/// The bodies of the long form.
const LONG: u64 = 100_000;

/// The law of a body of the long form.
fn law_of(seed: u64) -> &'static str {
    match seed % 16 {
        3 | 7 | 11 | 15 => "poisson",
        5 => "stronge",
        _ => "restitution",
    }
}

/// A body of the long form.
fn check_of(seed: u64) -> String {
    check(seed, seed % 4 == 2, law_of(seed))
}

/// The same by the law that is asked for.
fn check_by(seed: u64) -> (String, String) {
    let law = std::env::var("EOM_LAW").unwrap_or_else(|_| law_of(seed).to_owned());
    let rolls = seed % 4 == 2 && law == "restitution";
    let found = catch_unwind(|| check(seed, rolls, &law));
    (law, found.unwrap_or("wrong".to_owned()))
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().expect("a number"))
}

#[test]
#[ignore = "minutes of all cores; CONTRIBUTING says when to run it"]
fn very_many_bodies_keep_the_laws() {
    let from = number("EOM_FROM", 0);
    let (next, end) = (AtomicU64::new(from), from + number("EOM_SYSTEMS", LONG));
    let ends = Mutex::new(BTreeMap::<String, usize>::new());
    let work = || loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= end {
            return;
        }
        let (law, found) = check_by(seed);
        let name = format!("{law} {found}");
        *ends.lock().expect("no panic").entry(name).or_default() += 1;
    };
    std::thread::scope(|scope| {
        for _ in 0..number("EOM_THREADS", 2) {
            scope.spawn(work);
        }
    });
    let ends = ends.into_inner().expect("no panic");
    eprintln!("{ends:?}");
    assert!(!ends.keys().any(|name| name.ends_with("wrong")));
}
