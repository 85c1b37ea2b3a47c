//! Machine code against the interpreter: every declaration of the repository, function by function, in series, whole
//! runs, ensembles; the same bits.

use eom_core::series::Series;
use eom_core::{
    Member, Method, Options, Progress, Sampling, State, System, ensemble, ensemble_here, simulate,
};
use eom_interpreter::request::{Request, Settings, request};
use eom_interpreter::{InLanes, Interpreted, Lists, Origin, Table, Wanted};
use fastrand::Rng;
use std::ops::{ControlFlow, Range};
use std::path::Path;

/// Declarations whose runs take long without generated code: they have integrals.
const LONG: [&str; 2] = ["flat-board", "flat-board-hack"];

fn files() -> Vec<(String, Interpreted)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
    let mut found = Vec::new();
    for folder in ["models/eom", "models/gallery"] {
        let entries = std::fs::read_dir(root.join(folder)).expect("a folder of declarations");
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            let is_declaration = path.extension().is_some_and(|extension| extension == "eom");
            let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            if is_declaration && !LONG.contains(&name) {
                let text = std::fs::read_to_string(&path).expect("a text");
                let read = Interpreted::new(&text).unwrap_or_else(|m| panic!("{name}: {m:?}"));
                found.push((name.to_owned(), read));
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(found.len() > 25, "the declarations");
    found
}

/// A start of a scenario, moved a little; none where the declaration has no scenario.
fn state(system: &Interpreted, rng: &mut Rng) -> Option<(State, Vec<f64>)> {
    let scenario = system.scenario(0)?;
    let mut moved = |x: f64| x + 0.3 * (rng.f64() - 0.5);
    let q = scenario.q.into_iter().map(&mut moved).collect();
    let v = scenario.v.into_iter().map(&mut moved).collect();
    let u = scenario.u.into_iter().map(&mut moved).collect();
    Some((State { t: moved(scenario.t), q, v }, u))
}

/// All that a system computes at a state.
fn all(system: &dyn System, state: &State, u: &[f64]) -> Vec<(&'static str, Vec<f64>)> {
    let State { t, q, v } = state;
    let (t, info) = (*t, system.info());
    let (n, m, k, c) = (info.positions(), info.speeds(), info.rows.len(), info.contacts.len());
    let mut found = Vec::new();
    let mut add = |name, sizes: &[usize], f: &dyn Fn(&mut [Vec<f64>])| {
        let mut parts: Vec<Vec<f64>> = sizes.iter().map(|size| vec![0.123; *size]).collect();
        f(&mut parts);
        found.push((name, parts.concat()));
    };
    let two = |parts: &mut [Vec<f64>], f: &dyn Fn(&mut [f64], &mut [f64])| {
        if let [a, b] = parts {
            f(a, b);
        }
    };
    add("rates", &[n], &|p| system.rates(t, q, v, &mut p[0]));
    add("accelerations", &[m, k], &|p| two(p, &|a, λ| system.accelerations(t, q, v, u, a, λ)));
    add("frictionless", &[m, k], &|p| two(p, &|a, λ| system.frictionless(t, q, v, u, a, λ)));
    add("mass_matrix", &[m * m], &|p| system.mass_matrix(t, q, &mut p[0]));
    add("rows", &[k * m, k], &|p| two(p, &|a, b| system.constraint_rows(t, q, a, b)));
    add("holonomic", &[info.holonomic_count()], &|p| system.holonomic(t, q, &mut p[0]));
    add("gaps", &[c], &|p| system.gaps(t, q, &mut p[0]));
    add("gap_rows", &[c * m, c], &|p| two(p, &|a, b| system.gap_rows(t, q, a, b)));
    add("borne_forces", &[info.bearers() * m], &|p| system.borne_forces(t, q, v, u, &mut p[0]));
    add("gap_drift", &[c], &|p| system.gap_drift(t, q, v, &mut p[0]));
    add("guards", &[info.events.len()], &|p| system.guards(t, q, v, u, &mut p[0]));
    add("outputs", &[info.outputs.len()], &|p| system.outputs(t, q, v, u, &mut p[0]));
    for contact in 0..c {
        add("impact", &[m, m], &|p| {
            two(p, &|a, b| {
                let _ = system.impact_direction(contact, t, q, a, b);
            });
        });
        add("assign", &[m], &|p| {
            p[0].copy_from_slice(v);
            system.assign(contact, t, q, &mut p[0]);
        });
    }
    for event in 0..info.events.len() {
        add("reset", &[n, m], &|p| {
            p[0].copy_from_slice(q);
            p[1].copy_from_slice(v);
            two(p, &|q, v| system.reset(event, t, q, v, u));
        });
    }
    let energy = system.energy(t, q, v);
    found.push(("energy", vec![energy.kinetic, energy.potential, energy.jacobi]));
    if system.has_series() {
        let mut series = Series::new(20);
        system.series(t, q, v, u, &mut series);
        found.push(("series", (0..=20).flat_map(|k| series.coefficients(k).to_vec()).collect()));
        let observed = (0..c + info.events.len()).flat_map(|i| series.observed(i).to_vec());
        found.push(("observed", observed.collect()));
    }
    found
}

fn same(a: &[f64], b: &[f64]) -> bool {
    let equal = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    a.len() == b.len() && a.iter().zip(b).all(equal)
}

#[test]
fn functions_have_the_bits_of_the_interpreter() {
    let (mut rng, mut coded) = (Rng::with_seed(0x30), 0);
    for (name, read) in files() {
        let interpreted = read.clone().interpreted();
        assert!(!interpreted.is_machine_code());
        coded += usize::from(read.is_machine_code());
        for _ in 0..10 {
            let Some((state, u)) = state(&read, &mut rng) else { break };
            let pairs = all(&interpreted, &state, &u).into_iter().zip(all(&read, &state, &u));
            for ((function, wanted), (_, found)) in pairs {
                assert!(same(&wanted, &found), "{name} {function}: {found:?}, not {wanted:?}");
            }
        }
    }
    let here = cfg!(all(target_arch = "x86_64", any(unix, windows)));
    assert!(coded > 0 || !here, "this machine has AVX2 and FMA, or the test shows nothing");
}

/// So many rows of numbers, one behind the other, as columns.
fn turned(numbers: &[f64], rows: usize) -> Vec<f64> {
    let width = numbers.len() / rows;
    (0..numbers.len()).map(|at| numbers[at % rows * width + at / rows]).collect()
}

/// Two rows that nobody writes, then v̇ and λ of each state between two columns of that kind.
fn wanted(read: &Interpreted, states: &[(State, Vec<f64>)]) -> Vec<f64> {
    let (m, k) = (read.info().speeds(), read.info().rows.len());
    let width = 2 + m + k;
    let mut wanted = vec![0.5; (2 + states.len()) * width];
    for ((State { t, q, v }, u), row) in states.iter().zip(wanted.chunks_exact_mut(width).skip(2)) {
        let (a, λ) = row[1..=m + k].split_at_mut(m);
        read.accelerations(*t, q, v, u, a, λ);
    }
    wanted
}

/// The dynamics over the lanes that are chosen, and over each number of them that this machine has.
fn over_all_lanes(read: &Interpreted) -> Vec<InLanes<'_>> {
    let chosen = read.dynamics_in_lanes().into_iter();
    chosen.chain([4, 8].into_iter().filter_map(|lanes| read.dynamics_in(lanes))).collect()
}

#[test]
fn many_states_have_the_bits_of_each() {
    let (mut rng, mut coded) = (Rng::with_seed(0x28), 0);
    for (name, read) in files() {
        let mut over = over_all_lanes(&read);
        if over.is_empty() {
            continue;
        }
        let made: Option<Vec<_>> = (0..37).map(|_| state(&read, &mut rng)).collect();
        let Some(states) = made else { continue };
        let (n, m, k) = (read.info().positions(), read.info().speeds(), read.info().rows.len());
        let lines = states.iter().map(|(at, u)| [&[at.t], &at.q[..], &at.v, u].concat());
        let numbers = lines.collect::<Vec<_>>().concat();
        let across = turned(&numbers, 37);
        let (by_rows, by_columns) = ((numbers.len() / 37, 1), (1, 37));
        for (numbers, (step, between)) in [(&numbers, by_rows), (&across, by_columns)] {
            let list = |place| Lists { numbers, first: place * between, step, between };
            let lists = [list(0), list(1), list(1 + n), list(1 + n + m)];
            let evaluate =
                |dynamics: &mut InLanes<'_>, some: Range<usize>, table: &mut Table<'_>| {
                    for (place, count) in [(0, m), (m, k)] {
                        let from = Origin::Results(place);
                        let wanted = [Wanted { from, count, column: 1 + place }];
                        dynamics.evaluate(some.clone(), lists, &wanted, (table, 2));
                    }
                };
            for some in [0..37, 0..32, 0..16, 3..4, 20..37, 5..5] {
                let wanted = wanted(&read, &states[some.clone()]);
                let height = some.len() + 2;
                for dynamics in &mut over {
                    let mut rows = vec![0.5; wanted.len()];
                    evaluate(dynamics, some.clone(), &mut Table::Rows(&mut rows, 2 + m + k));
                    assert!(same(&wanted, &rows), "{name} {some:?}: {rows:?}, not {wanted:?}");
                    let mut columns = vec![0.5; wanted.len()];
                    let mut table = Table::Columns(columns.chunks_exact_mut(height).collect());
                    evaluate(dynamics, some.clone(), &mut table);
                    assert!(same(&turned(&wanted, height), &columns), "{name} {some:?}, columns");
                }
            }
            if let Some(mut rates) = read.rates_in_lanes().filter(|_| !read.info().is_plain()) {
                let mut out = vec![0.0; 37 * n];
                let wanted = [Wanted { from: Origin::Results(0), count: n, column: 0 }];
                rates.evaluate(0..37, lists, &wanted, (&mut Table::Rows(&mut out, n), 0));
                for ((State { t, q, v }, _), found) in states.iter().zip(out.chunks_exact(n)) {
                    let mut wanted = vec![0.0; n];
                    read.rates(*t, q, v, &mut wanted);
                    assert!(same(&wanted, found), "{name}: q̇ {found:?}, not {wanted:?}");
                }
            }
        }
        coded += 1;
    }
    let here = cfg!(all(target_arch = "x86_64", any(unix, windows)));
    assert!(
        coded > 15 || !here,
        "{coded}: this machine has AVX2 and FMA, or the test shows nothing"
    );
}

/// States of the next test: more than one call of the code takes.
const MANY: usize = 700;

/// λ, v and v̇ of many states that stand in columns, at one time and with inputs that are one for all; whether they are finite.
fn multipliers_and_rates(
    (read, dynamics): (&Interpreted, &mut InLanes<'_>),
    (t, y, u): (f64, &[f64], &[f64]),
) -> (Vec<f64>, bool) {
    let (n, m, k) = (read.info().positions(), read.info().speeds(), read.info().rows.len());
    let (t, one) = ([t], |numbers| Lists { numbers, first: 0, step: 0, between: 1 });
    let list = |i| Lists { numbers: y, first: i * MANY, step: 1, between: MANY };
    let lists = [one(&t), list(0), list(n), one(u)];
    let wanted = [(Origin::Results(m), k), (Origin::Speeds, m), (Origin::Results(0), m)];
    let columns = [0, k, k + m];
    let wanted: Vec<Wanted> = wanted
        .iter()
        .zip(columns)
        .map(|(&(from, count), column)| Wanted { from, count, column })
        .collect();
    let mut out = vec![0.5; MANY * (k + 2 * m)];
    let mut table = Table::Columns(out.chunks_exact_mut(MANY).collect());
    let are_finite = dynamics.evaluate(0..MANY, lists, &wanted, (&mut table, 0));
    (out, are_finite)
}

#[test]
fn very_many_states_have_the_bits_of_each() {
    let mut rng = Rng::with_seed(0x29);
    for (name, read) in files().into_iter().filter(|(name, _)| RUNS.contains(&name.as_str())) {
        let made: Option<Vec<_>> = (0..MANY).map(|_| state(&read, &mut rng)).collect();
        let Some(states) = made else { continue };
        let (m, k) = (read.info().speeds(), read.info().rows.len());
        let (t, u) = (states[0].0.t, &states[0].1);
        let row = |(State { q, v, .. }, _): &(State, Vec<f64>)| {
            let (mut a, mut λ) = (vec![0.0; m], vec![0.0; k]);
            read.accelerations(t, q, v, u, &mut a, &mut λ);
            [λ, v.clone(), a].concat()
        };
        let wanted = turned(&states.iter().map(row).collect::<Vec<_>>().concat(), MANY);
        let lines = states.iter().map(|(at, _)| [&at.q[..], &at.v].concat());
        let y = turned(&lines.collect::<Vec<_>>().concat(), MANY);
        for mut dynamics in over_all_lanes(&read) {
            let (found, are_finite) = multipliers_and_rates((&read, &mut dynamics), (t, &y, u));
            assert!(are_finite && same(&wanted, &found), "{name}");
            for bad in [3, 300, y.len() - 1] {
                let mut y = y.clone();
                y[bad] = f64::INFINITY;
                let (_, are_finite) = multipliers_and_rates((&read, &mut dynamics), (t, &y, u));
                assert!(!are_finite, "{name}: number {bad}");
            }
        }
    }
}

/// Impacts, rows, friction, events, series with few sums and with many.
const RUNS: [&str; 5] =
    ["penny", "surface-particle", "rolling-ball", "two-particles", "newton-ball"];

#[test]
fn runs_and_ensembles_have_the_bits_of_the_interpreter() {
    let mut checked = 0;
    for (name, read) in files().into_iter().filter(|(name, _)| RUNS.contains(&name.as_str())) {
        let interpreted = read.clone().interpreted();
        let Some(scenario) = read.scenario(0) else { continue };
        for method in [Method::RungeKutta, Method::Taylor] {
            let options = Options {
                method,
                until_time: Some(scenario.until_time.unwrap_or(1.0).min(0.2)),
                until_impacts: Some(5),
                sampling: Sampling::Ends,
                ..Options::default()
            };
            let start = |i: usize| State {
                t: scenario.t + 1e-3 * i as f64,
                q: scenario.q.clone(),
                v: scenario.v.clone(),
            };
            let starts: Vec<State> = (0..7).map(start).collect();
            let [wanted, found] =
                [&interpreted, &read].map(|s| ensemble(s, &starts, &scenario.u, &options));
            assert_eq!(format!("{wanted:?}"), format!("{found:?}"), "{name} by {method:?}");
            checked += wanted.iter().filter(|run| run.is_ok()).count();
        }
    }
    assert!(checked > 20, "{checked} runs");
}

/// Systems of a declaration with parameters around those that it has, and what is asked of each: to other times, and
/// some with coarser tolerances, so that their series have another order.
fn with_other_parameters(read: &Interpreted, rng: &mut Rng) -> Vec<(Interpreted, Request)> {
    let info = read.info();
    let mut values = vec![0.0; info.parameters.len()];
    read.parameters(&mut values);
    let mut found = Vec::new();
    for i in 0..11 {
        let mut moved = |value: &f64| rng.bool().then(|| value * (1.0 + 0.1 * (rng.f64() - 0.5)));
        let overrides: Vec<Option<f64>> = values.iter().map(&mut moved).collect();
        let Ok(system) = read.with_parameters(&overrides) else { continue };
        let tolerance = if i % 4 == 3 { 1e-6 } else { 1e-10 };
        let asked = Options { relative_tolerance: tolerance, ..Options::default() };
        let nothing = Settings::nothing(info);
        let Ok(mut run) = request(&system, Some(0), &nothing, &asked, false) else { continue };
        run.options.until_time = Some(run.start.t + 0.2 + 1e-3 * rng.f64());
        run.options.until_impacts = Some(5);
        found.push((system, run));
    }
    found
}

#[test]
fn runs_with_other_parameters_have_the_bits_of_each_alone() {
    let (mut rng, mut checked) = (Rng::with_seed(0x30), 0);
    for (name, read) in files() {
        let mut runs = with_other_parameters(&read, &mut rng);
        let alone = |(system, run): &(Interpreted, Request)| {
            let system = system.clone().interpreted();
            let go_on = &mut |_: &Progress<'_>| ControlFlow::Continue(());
            format!("{:?}", simulate(&system, &run.start, &run.inputs, &run.options, go_on))
        };
        let mut wanted: Vec<String> = runs.iter().map(alone).collect();
        // On more threads a thread has fewer of them, and others beside one another.
        for some in [runs.len().max(1), 3, 1] {
            runs.reverse();
            wanted.reverse();
            let members = runs.iter().map(|(system, run)| Member {
                system,
                start: &run.start,
                inputs: &run.inputs,
                options: &run.options,
            });
            let members: Vec<Member<'_>> = members.collect();
            let together =
                |members| ensemble_here(members, &|| true, |i, run| (i, format!("{run:?}")));
            for (members, wanted) in members.chunks(some).zip(wanted.chunks(some)) {
                let found = together(members);
                assert_eq!(found.len(), wanted.len(), "{name}");
                for ((i, found), (j, wanted)) in found.iter().zip(wanted.iter().enumerate()) {
                    assert!(*i == j && found == wanted, "{name} {j} of {some}: {found}\n{wanted}");
                }
            }
        }
        checked += wanted.iter().filter(|run| run.starts_with("Ok")).count();
    }
    assert!(checked > 200, "{checked} runs");
}

/// A point on a surface whose height is a declared function, taken at two places, under a force that is one.
const SURFACE: &str = "system Surface {
    coordinates { x, y }
    parameters { m = 1.3, g = 9.81, h = 0.4, w = 0.9 }
    function f(x, y) = 0.1*x*y + h*exp(-(x - 0.3*y)^2/w^2) + sin(w*y);
    function pull(t) = 1 + t^2*exp(-t);
    kinetic = m/2*(ẋ^2 + ẏ^2 + ḟ^2);
    potential = m*g*f;
    force x = pull;
    contact wall { gap = 2 + f(x, -y) - x; impact = restitution(0.7); }
    output height = f;
    scenario roll { x = 0.2; y = -0.4; ẋ = 0.5; ẏ = 0.3; until t = 2; }
}";

/// Code has declared functions written out in it. One that is given in their place is the one that is run, in all that
/// reads it, and the declared ones are again when it is taken back.
#[test]
fn declared_functions_are_code_until_others_are_given() {
    let read = Interpreted::new(SURFACE).expect("it is right");
    let given = [
        eom_core::SmoothFunction::of(|[x, y]| x * y * 0.2 + (x * 0.5).sin()),
        eom_core::SmoothFunction::declared(),
    ];
    let other = read.with_functions(&[], &given).expect("it is right");
    let again = other.with_parameters(&[]).expect("it is right");
    let coded = cfg!(all(target_arch = "x86_64", any(unix, windows)));
    assert_eq!(read.dynamics_in_lanes().is_some(), coded);
    assert!(other.dynamics_in_lanes().is_none());
    let mut rng = Rng::with_seed(0x1a);
    for _ in 0..20 {
        let (at, u) = state(&read, &mut rng).expect("a scenario");
        let numbers = |system: &Interpreted| all(system, &at, &u);
        for (system, is_other) in [(&read, false), (&other, true), (&again, false)] {
            let wanted = numbers(&system.clone().interpreted());
            for ((name, wanted), (_, found)) in wanted.iter().zip(numbers(system)) {
                assert!(same(wanted, &found), "{name}: {found:?}, not {wanted:?}");
            }
            let declared = numbers(&read);
            let differs = wanted.iter().zip(&declared).any(|(a, b)| !same(&a.1, &b.1));
            assert_eq!(differs, is_other);
        }
    }
}
