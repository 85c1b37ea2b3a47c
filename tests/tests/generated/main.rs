//! C, Python and Rust without `std` of `eom_codegen::generate` against the interpreter, at random states.
//!
//! One program a language takes all systems, so that their names cannot meet. It prints a line for each
//! function and state; the numbers must be those of the interpreter. Where the machine has no C
//! compiler, or no Python with NumPy, the tests say so and what remains are the snapshots.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod c;
mod derivatives;
mod no_std;
mod python;

use eom_codegen::{Language, generate, generate_with_derivatives};
use eom_core::impact::ImpactMap;
use eom_core::info::{FrictionKind, SystemInfo};
use eom_core::{Events, State, System};
use eom_interpreter::Interpreted;
use eom_tests::random;
use eom_tests::systems::{Fixture, every_system, nonlinear};
use eom_tests::values::{UNTOUCHED, all, coefficients, held};
use fastrand::Rng;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// States of each system, each with parameters of its own.
const STATES: usize = 5;

/// Systems whose double integrals take seconds a state in Python: one state.
const SLOW: [&str; 2] = ["flat-board", "board"];

/// A state with parameters and inputs, and what the interpreter has there.
struct Sample {
    state: State,
    inputs: Vec<f64>,
    parameters: Vec<f64>,
    wanted: Vec<(String, Vec<f64>)>,
}

/// A system with its samples.
struct Subject {
    info: &'static SystemInfo,
    /// Whether its derivatives are written, too.
    derivatives: bool,
    samples: Vec<Sample>,
}

impl Subject {
    /// The name of its functions and files: that of its type in small letters.
    fn prefix(&self) -> String {
        let mut name = String::new();
        for letter in self.info.name.chars() {
            if letter.is_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.extend(letter.to_lowercase());
        }
        name
    }

    fn code(&self, language: Language) -> String {
        let generate = if self.derivatives { generate_with_derivatives } else { generate };
        generate(self.info.source, language, "a test", "eom")
            .unwrap_or_else(|mistakes| panic!("{}: {mistakes:?}", self.info.name))
            .0
    }
}

fn parameters(system: &dyn System) -> Vec<f64> {
    let mut values = vec![0.0; system.info().parameters.len()];
    system.parameters(&mut values);
    values
}

/// v⁺ at each contact where there is one.
fn impacts(system: &dyn System, State { t, q, v }: &State) -> Vec<(String, Vec<f64>)> {
    let contacts = system.info().contacts.iter().enumerate();
    let after = contacts.filter_map(|(contact, info)| {
        let mut map = ImpactMap::new(system);
        // A gap whose gradient depends on the rows before it has no law; generated code leaves it out.
        map.load(system, contact, *t, q).ok()?;
        let mut after = v.clone();
        map.transform(system, system.law(contact), &mut after).ok()?;
        Some((format!("impact_{}", info.ascii), after))
    });
    after.collect()
}

/// Every system of another type name, with random states.
fn subjects(slow: usize) -> Vec<Subject> {
    subjects_at(|fixture, rng, _| random::state(rng, fixture.info), STATES, slow)
}

/// The same at states of one's own, so many of each system.
fn subjects_at(
    state: impl Fn(&Fixture, &mut Rng, usize) -> State,
    count: usize,
    slow: usize,
) -> Vec<Subject> {
    let mut names = Vec::new();
    let mut subjects = Vec::new();
    for fixture in every_system().into_iter().chain(nonlinear()) {
        if names.contains(&fixture.info.name) {
            continue;
        }
        names.push(fixture.info.name);
        let mut rng = Rng::with_seed(0xC0DE);
        let read = Interpreted::new(fixture.info.source).unwrap();
        let count = if SLOW.contains(&fixture.name) { slow } else { count };
        let samples = (0..count).map(|index| {
            let parameters = parameters(&*random::system(&mut rng, &fixture));
            let overrides: Vec<Option<f64>> = parameters.iter().copied().map(Some).collect();
            let system = read.with_parameters(&overrides).unwrap();
            let state = state(&fixture, &mut rng, index);
            let inputs = fixture.info.inputs.iter().map(|_| random::between(&mut rng, -2.0, 2.0));
            let inputs: Vec<f64> = inputs.collect();
            let mut wanted = all(&system, &state, &inputs);
            give_forces(&mut wanted, &system, &state, &inputs);
            wanted.extend(impacts(&system, &state));
            Sample { state, inputs, parameters, wanted }
        });
        let samples = samples.collect();
        subjects.push(Subject { info: fixture.info, derivatives: false, samples });
    }
    subjects
}

/// What all forces are that outputs and guards hold.
const FORCE: f64 = 0.37;

/// How many of them generated outputs and guards take, by the text behind their number there.
fn forces_taken(code: &str, before: &str) -> usize {
    let number = code.split_once(before).map(|(_, rest)| rest);
    let digits = |rest: &str| rest.chars().take_while(char::is_ascii_digit).collect::<String>();
    number.and_then(|rest| digits(rest).parse().ok()).unwrap_or_default()
}

/// Outputs and guards that hold forces are those with [`FORCE`] for each.
fn give_forces(
    wanted: &mut [(String, Vec<f64>)],
    system: &Interpreted,
    State { t, q, v }: &State,
    inputs: &[f64],
) {
    let info = system.info();
    let of_rows = info.frictions.iter().filter(|friction| friction.kind == FrictionKind::Row);
    let components: usize = of_rows.map(|friction| friction.components).sum();
    let places = info.rows.len() + (1 + FrictionKind::PLACES) * info.contacts.len() + components;
    let forces = vec![FORCE; places];
    for (name, values) in wanted {
        match name.as_str() {
            "outputs" => system.outputs_with_forces(*t, q, v, inputs, &forces, values),
            "guards" => system.guards_with_forces(*t, q, v, inputs, &forces, values),
            _ => {}
        }
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generated").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs a program; its standard output.
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{error}");
    String::from_utf8(output.stdout).unwrap()
}

/// The numbers of each printed line `system state function: numbers`.
fn printed(text: &str) -> BTreeMap<String, Vec<f64>> {
    let lines = text.lines().map(|line| {
        let (name, numbers) = line.split_once(':').unwrap_or_else(|| panic!("{line}"));
        (name.to_owned(), numbers.split_whitespace().map(|x| x.parse().unwrap()).collect())
    });
    lines.collect()
}

/// What generated code leaves out since there is nothing to compute.
fn is_trivial(name: &str, wanted: &[f64], sample: &Sample) -> bool {
    let unchanged = [sample.state.q.clone(), sample.state.v.clone()].concat();
    match name {
        "rates" => wanted == sample.state.v,
        "frictionless" => {
            sample.wanted.iter().any(|(n, w)| n == "accelerations" && same(w, wanted))
        }
        "dry_friction" | "contact_forces" | "borne_forces" => wanted.iter().all(|x| *x == 0.0),
        "mass_matrix" | "constraint_rows" => wanted.iter().all(|x| x.is_nan()),
        "mass_matrix_at" => {
            sample.wanted.iter().any(|(n, w)| n == "mass_matrix" && same(w, wanted))
        }
        "constraint_rows_at" => {
            sample.wanted.iter().any(|(n, w)| n == "constraint_rows" && same(w, wanted))
        }
        "armed" => wanted == [1.0],
        _ if name.starts_with("after") || name.starts_with("reset") => wanted == unchanged,
        _ if name.starts_with("armed") => wanted == [1.0],
        _ => wanted.iter().all(|x| *x == UNTOUCHED),
    }
}

fn same(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b || (a.is_nan() && b.is_nan()))
}

/// The largest difference, relative to the largest number of the function, or to 1, the size of what
/// it was computed from.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let size = b.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    let differences = a.iter().zip(b).map(|(a, b)| match (a.is_nan(), b.is_nan()) {
        (true, true) => 0.0,
        (false, false) if a == b => 0.0,
        (false, false) => (a - b).abs() / size,
        _ => f64::INFINITY,
    });
    differences.fold(if a.len() == b.len() { 0.0 } else { f64::INFINITY }, f64::max)
}

/// Elementary functions of another source differ by 2 ulp; at numbers of size 1, results are off by as
/// much times how they amplify it.
const ELSEWHERE: f64 = 16.0 * f64::EPSILON;

/// [`ELSEWHERE`] for generated code that calls functions whose bits are those of the platform, else 0.
fn of_the_platform(code: &str) -> f64 {
    const C: &str = "tan asin acos atan atan2 sinh cosh tanh asinh hypot exp erf log pow";
    const NUMPY: &str = "arcsin arccos arctan arctan2 arcsinh power _erf";
    let called = |name: &str| {
        let mut places = code.match_indices(name);
        let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
        places.any(|(at, name)| {
            !code[..at].ends_with(part_of_word) && code[at + name.len()..].starts_with('(')
        })
    };
    let mut names = C.split(' ').chain(NUMPY.split(' '));
    if names.any(called) { ELSEWHERE } else { 0.0 }
}

/// Gives `compare` each result that was printed, with its key, its sample and what is wanted; their number.
fn results(
    language: &str,
    subject: &Subject,
    found: &BTreeMap<String, Vec<f64>>,
    mut compare: impl FnMut(&str, &Sample, &[f64], &[f64]),
) -> usize {
    let mut compared = 0;
    for (index, sample) in subject.samples.iter().enumerate() {
        for (name, wanted) in &sample.wanted {
            let key = format!("{} {index} {name}", subject.prefix());
            let Some(values) = found.get(&key) else {
                assert!(
                    is_trivial(name, wanted, sample),
                    "{language}: nothing for {key}: {wanted:?}"
                );
                continue;
            };
            compare(&key, sample, values, wanted);
            compared += 1;
        }
    }
    compared
}

/// Compares all that was printed bit by bit; numbers that are none are all alike.
fn check_bits(language: &str, subjects: &[Subject], found: &BTreeMap<String, Vec<f64>>) {
    let same = |a: &f64, b: &f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    let mut compared = 0;
    for subject in subjects {
        compared += results(language, subject, found, |key, sample, values, wanted| {
            assert!(
                values.len() == wanted.len() && values.iter().zip(wanted).all(|(a, b)| same(a, b)),
                "{language}: {key} at {:?}\n{values:?}, wanted\n{wanted:?}",
                sample.state
            );
        });
    }
    eprintln!("{language}: {compared} results to the bit");
    assert!(compared > 10 * subjects.len(), "{compared}");
}

/// Compares all that was printed; the tolerance depends on the code, 0 asks for the same numbers.
fn check(
    language: &str,
    subjects: &[Subject],
    found: &BTreeMap<String, Vec<f64>>,
    tolerance: impl Fn(&str) -> f64,
) {
    let written = if language == "C" { Language::C } else { Language::Python };
    let (mut compared, mut exact) = (0, 0);
    let mut worst = (0.0, String::new());
    for subject in subjects {
        let tolerance = tolerance(&subject.code(written));
        exact += usize::from(tolerance == 0.0);
        compared += results(language, subject, found, |key, _, values, wanted| {
            let error = difference(values, wanted);
            if error > worst.0 {
                worst = (error, key.to_owned());
            }
            assert!(
                error <= tolerance,
                "{language}: {key} by {error:e}\n{values:?}, wanted {wanted:?}"
            );
        });
    }
    eprintln!(
        "{language}: {compared} results, {exact} systems to the bit, the worst by {:e} ({})",
        worst.0, worst.1
    );
    assert!(compared > 10 * subjects.len(), "{compared}");
}

/// The parts of a function's results, in the order of [`all`]; `None` for those written in place.
fn parts(info: &SystemInfo, function: &str) -> Option<Vec<usize>> {
    let (n, m, k, c) = (info.positions(), info.speeds(), info.rows.len(), info.contacts.len());
    let components: Vec<usize> = info.frictions.iter().map(|f| f.components).collect();
    let (f, r) = (coefficients(info), components.iter().sum::<usize>());
    let (p, u) = (info.parameters.len(), info.inputs.len());
    let own = |what: &str| {
        let name = function.strip_prefix(what)?;
        info.contacts.iter().find(|contact| contact.ascii == name).map(|contact| contact.rows.len())
    };
    let fixed = match function {
        "rates" => vec![n],
        "accelerations" | "frictionless" => vec![m, k],
        "frictions" => vec![f, r, r * m, r],
        "mass_matrix" | "mass_matrix_at" | "coriolis_matrix" => vec![m * m],
        "constraint_rows" | "constraint_rows_at" => vec![k * m, k],
        "holonomic" => vec![info.holonomic_count()],
        "energy" => vec![3],
        "powers" => vec![info.powers.len()],
        "gaps" | "gap_drift" => vec![c],
        "gap_rows" => vec![c * m, c],
        "contact_forces" => vec![c * m],
        "borne_forces" => vec![info.bearers() * m],
        "guards" => vec![info.events.len()],
        "outputs" => vec![info.outputs.len()],
        "derivatives" => vec![m, k, m * n, m * m, m * u, k * n, k * m, k * u],
        "parameter_derivatives" => vec![m * p, k * p],
        "hessian_product" => vec![n + m + u, n + m + u],
        "inverse_dynamics" => vec![m],
        "regressor" => vec![m * p],
        _ if function.starts_with("impact_") => vec![m],
        _ => match (own("contact_rows_"), own("contact_drift_")) {
            (Some(s), _) => vec![s * m, s],
            (_, Some(s)) => vec![s],
            _ => return None,
        },
    };
    Some(fixed)
}

/// The functions that a header or module defines.
fn defined(code: &str, before: &str) -> Vec<String> {
    let lines = code.lines().filter_map(|line| line.strip_prefix(before));
    lines.filter_map(|line| Some(line.split_once('(')?.0.to_owned())).collect()
}

fn list(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|x| format!("{x:?}")).collect();
    numbers.join(", ")
}

/// Weights and a direction of those that read them.
fn weights_and_direction(info: &SystemInfo) -> [Vec<f64>; 2] {
    let (m, k) = (info.speeds(), info.rows.len());
    let weights = (0..m + k).map(|i| 0.7 - 0.3 * i as f64);
    let direction = (0..info.positions() + m + info.inputs.len()).map(|i| 0.25 * i as f64 - 0.6);
    [weights.collect(), direction.collect()]
}

/// v̇ of those that read it.
fn accelerations(m: usize) -> Vec<f64> {
    (0..m).map(|speed| 0.9 - 0.4 * speed as f64).collect()
}

/// λ of [`all`]: of the rows, then of the contacts, then friction where forces hold some.
fn multipliers(info: &SystemInfo) -> Vec<f64> {
    (0..held(info)).map(|row| 0.3 - 0.7 * row as f64).collect()
}

/// A function of one's own may stand in place of that of the declaration: x²y/2 for the surface.
const OWN: &str = "system Bowl {
    coordinates { x, y }
    parameters { m = 1, g = 9.81 }
    function f(x, y) = x^2 + y^2;
    kinetic = m/2*(ẋ^2 + ẏ^2 + ḟ^2);
    potential = m*g*f;
}";

/// Where x = 0.3, y = 0.4, ẋ = 0.5, ẏ = −0.6.
fn own_accelerations() -> [f64; 2] {
    let own = Interpreted::new(&OWN.replace("= x^2 + y^2;", "= x^2*y/2;")).unwrap();
    let mut wanted = [0.0; 2];
    own.accelerations(0.0, &[0.3, 0.4], &[0.5, -0.6], &[], &mut wanted, &mut []);
    wanted
}

#[test]
fn functions_can_be_given() {
    let wanted = own_accelerations();
    let close = |printed: &str| {
        let found: Vec<f64> = printed.split_whitespace().map(|x| x.parse().unwrap()).collect();
        assert!(difference(&found, &wanted) < 8.0 * f64::EPSILON, "{found:?}, {wanted:?}");
    };
    let here = folder("own");
    fs::write(here.join("bowl.h"), generate(OWN, Language::C, "a test", "eom").unwrap().0).unwrap();
    fs::write(here.join("bowl.py"), generate(OWN, Language::Python, "a test", "eom").unwrap().0)
        .unwrap();
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    if Command::new(&compiler).arg("--version").output().is_ok() {
        let main = r#"#include "bowl.h"
#include <stdio.h>
static double half(const void *scale, const double *at, const int *orders)
{
    const double s = *(const double *)scale, x = at[0], y = at[1];
    const double in_x[] = {x * x, 2 * x, 2, 0}, in_y[] = {y, 1, 0, 0};
    return s * in_x[orders[0]] * in_y[orders[1]];
}
int main(void)
{
    const double scale = 0.5, q[2] = {0.3, 0.4}, v[2] = {0.5, -0.6};
    double a[2];
    bowl_parameters p = bowl_defaults();
    p.f.partial = half;
    p.f.context = &scale;
    bowl_accelerations(&p, 0.0, q, v, a);
    printf("%.17g %.17g\n", a[0], a[1]);
    return 0;
}
"#;
        fs::write(here.join("main.c"), main).unwrap();
        let flags =
            ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "main.c", "-o", "main", "-lm"];
        output(Command::new(&compiler).current_dir(&here).args(flags));
        close(&output(&mut Command::new(here.join("main"))));
    }
    let python = env::var("EOM_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let numpy = Command::new(&python).args(["-c", "import numpy"]).output();
    if numpy.is_ok_and(|output| output.status.success()) {
        let script = "import bowl
def half(orders, x, y):
    return 0.5 * (x * x, 2 * x, 2, 0)[orders[0]] * (y, 1, 0, 0)[orders[1]]
a, _ = bowl.accelerations(bowl.Parameters(f=half), 0.0, [0.3, 0.4], [0.5, -0.6])
print(*map(float, a))
try:
    bowl.accelerations(bowl.Parameters(), 0.0, [0.3], [0.5, -0.6])
except ValueError as error:
    assert str(error) == 'q has 2 entries (x, y); found 1', error
";
        close(&output(Command::new(&python).current_dir(&here).args(["-c", script])));
    }
}

/// The text of a system with contacts, of one with a function, of one with an integral, and names that
/// are reserved words.
#[test]
fn generated_code_is_that_of_the_snapshots() {
    let words = "/// A \"word\" of each language */.
        system Double_θ {
            coordinates { register, λ }
            parameters { double = 1 where double > 0, lambda1 = 2*double }
            inputs { None }
            kinetic = double/2*register_dot^2 + lambda1/2*λ̇^2;
            force λ = None - register^3;
        }";
    let model = |name: &str| {
        models::catalogue().iter().find(|model| model.name == name).unwrap().info.source
    };
    let cases = [
        ("penny", model("penny")),
        ("surface-particle", model("surface-particle")),
        ("thin-rod", model("thin-rod")),
        ("words", words),
    ];
    for (name, source) in cases {
        for language in [Language::C, Language::Python, Language::NoStd] {
            // What is called stands in the file: one with contacts shows enough of it.
            if language == Language::NoStd && ["surface-particle", "thin-rod"].contains(&name) {
                continue;
            }
            let code = generate(source, language, "model.eom", "eom generate model.eom").unwrap().0;
            let mut settings = insta::Settings::clone_current();
            settings.set_omit_expression(true);
            let name = format!("{name}.{}", language.extension());
            settings.bind(|| insta::assert_snapshot!(name, code));
        }
    }
}
