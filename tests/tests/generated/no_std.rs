//! A program of Rust that calls every function of every file without `std`, and what a microcontroller needs.

use super::{
    FORCE, STATES, Subject, accelerations, check_bits, defined, folder, forces_taken, list,
    multipliers, output, printed, subjects_at, weights_and_direction,
};
use eom_codegen::{Language, generate};
use eom_core::State;
use eom_tests::random;
use eom_tests::systems::Fixture;
use fastrand::Rng;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// A microcontroller with numbers of 64 bits in software.
const TARGET: &str = "thumbv7em-none-eabihf";

/// As many states again have numbers of every size.
const WILD: usize = 3;

/// What makes numbers of results.
const PRINT: &str = "trait Numbers {
    fn numbers(&self, all: &mut Vec<f64>);
}
impl Numbers for f64 {
    fn numbers(&self, all: &mut Vec<f64>) {
        all.push(*self);
    }
}
impl Numbers for bool {
    fn numbers(&self, all: &mut Vec<f64>) {
        all.push(f64::from(u8::from(*self)));
    }
}
impl<T: Numbers, const N: usize> Numbers for [T; N] {
    fn numbers(&self, all: &mut Vec<f64>) {
        self.iter().for_each(|entry| entry.numbers(all));
    }
}
impl<A: Numbers, B: Numbers> Numbers for (A, B) {
    fn numbers(&self, all: &mut Vec<f64>) {
        self.0.numbers(all);
        self.1.numbers(all);
    }
}
impl<A: Numbers, B: Numbers, C: Numbers, D: Numbers> Numbers for (A, B, C, D) {
    fn numbers(&self, all: &mut Vec<f64>) {
        ((&self.0, &self.1), (&self.2, &self.3)).numbers(all);
    }
}
impl<A: Numbers, B: Numbers, C: Numbers> Numbers for (A, B, C) {
    fn numbers(&self, all: &mut Vec<f64>) {
        ((&self.0, &self.1), &self.2).numbers(all);
    }
}
impl<A: Numbers, B: Numbers, C: Numbers, D: Numbers, E: Numbers, F: Numbers> Numbers for (A, B, C, D, E, F) {
    fn numbers(&self, all: &mut Vec<f64>) {
        ((&self.0, &self.1, &self.2), (&self.3, &self.4, &self.5)).numbers(all);
    }
}
impl<A: Numbers, B: Numbers, C: Numbers, D: Numbers, E: Numbers, F: Numbers, G: Numbers, H: Numbers> Numbers
    for (A, B, C, D, E, F, G, H)
{
    fn numbers(&self, all: &mut Vec<f64>) {
        ((&self.0, &self.1, &self.2, &self.3), (&self.4, &self.5, &self.6, &self.7)).numbers(all);
    }
}
impl<T: Numbers> Numbers for &T {
    fn numbers(&self, all: &mut Vec<f64>) {
        (**self).numbers(all);
    }
}
fn print(name: &str, results: impl Numbers) {
    let mut all = Vec::new();
    results.numbers(&mut all);
    let all: Vec<String> = all.iter().map(|x| format!(\"{x:?}\")).collect();
    println!(\"{name}: {}\", all.join(\" \"));
}
";

/// Zeros of both signs, subnormal numbers, angles far beyond those of a motion.
fn wild(fixture: &Fixture, rng: &mut Rng, index: usize) -> State {
    const NUMBERS: [f64; 12] =
        [0.0, -0.0, 5e-324, -1e-310, 1e-160, -0.75, 1.5, 22.0, -1_647_099.5, 3.7e7, -1e22, 4.5e300];
    let mut state = random::state(rng, fixture.info);
    // An integral over functions of such numbers ends where panels do.
    if index >= STATES && !fixture.info.source.contains("integral") {
        state.q.iter_mut().chain(&mut state.v).for_each(|x| *x = NUMBERS[rng.usize(..12)]);
    }
    state
}

fn calls(subject: &Subject, code: &str, main: &mut String) {
    let (prefix, info) = (subject.prefix(), subject.info);
    let functions = defined(code, "pub fn ");
    let fields =
        code.lines().filter_map(|line| line.strip_prefix("    pub ")?.strip_suffix(": f64,"));
    let fields: Vec<&str> = fields.collect();
    writeln!(main, "fn run_{prefix}() {{\n    use {prefix} as m;").unwrap();
    for (index, sample) in subject.samples.iter().enumerate() {
        let State { t, q, v } = &sample.state;
        writeln!(main, "    let mut p = m::Parameters::default();").unwrap();
        for (field, value) in fields.iter().zip(&sample.parameters) {
            writeln!(main, "    p.{field} = {value:?};").unwrap();
        }
        let (λ, a) = (multipliers(info), accelerations(v.len()));
        let forces = vec![FORCE; forces_taken(code, "forces: &[f64; ")];
        let arrays = [("q", q), ("v", v), ("u", &sample.inputs), ("lambda", &λ), ("a", &a)];
        let [weights, direction] = weights_and_direction(info);
        let others = [("weights", &weights), ("direction", &direction), ("forces", &forces)];
        let arrays = arrays.into_iter().chain(others);
        for (name, numbers) in arrays {
            writeln!(main, "    let {name}: &[f64; {}] = &[{}];", numbers.len(), list(numbers))
                .unwrap();
        }
        writeln!(main, "    let (p, t) = (&p, {t:?});\n    p.check().unwrap();").unwrap();
        for function in &functions {
            let start = format!("pub fn {function}(");
            let head = code.lines().find_map(|line| line.strip_prefix(&start)).unwrap();
            let given = head.split(") -> ").next().unwrap().split(", ");
            let given: Vec<&str> = given.map(|part| part.split(':').next().unwrap()).collect();
            let call = format!("m::{function}({})", given.join(", "));
            // `all` has the force of dry friction before its value.
            let value = if function == "dry_friction" {
                format!("{{ let (value, force) = {call}; (force, value) }}")
            } else {
                call
            };
            writeln!(main, "    print(\"{prefix} {index} {function}\", {value});").unwrap();
        }
        for contact in info.contacts {
            let key = contact.ascii;
            let has = |what: &str| functions.contains(&format!("{what}_{key}"));
            if has("relabel") || has("assign") {
                let (q, v) = if has("relabel") {
                    (format!("&m::relabel_{key}(q, v).0"), format!("&m::relabel_{key}(q, v).1"))
                } else {
                    ("q".to_owned(), "v".to_owned())
                };
                let v = if has("assign") { format!("m::assign_{key}(p, t, q, {v})") } else { v };
                writeln!(main, "    print(\"{prefix} {index} after_{key}\", ({q}, {v}));").unwrap();
            }
        }
    }
    main.push_str("}\n");
}

fn rustc(here: &Path) -> Command {
    let mut command = Command::new(env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned()));
    command.current_dir(here).args(["--edition", "2024", "-D", "warnings"]);
    command
}

/// What a program of all files prints; their modules are declared in the second text.
pub(super) fn computed(here: &Path, subjects: &[Subject]) -> (BTreeMap<String, Vec<f64>>, String) {
    let (mut modules, mut main) = (String::new(), PRINT.to_owned());
    for subject in subjects {
        let (prefix, code) = (subject.prefix(), subject.code(Language::NoStd));
        fs::write(here.join(format!("{prefix}.rs")), &code).unwrap();
        writeln!(modules, "pub mod {prefix};").unwrap();
        calls(subject, &code, &mut main);
    }
    main.push_str("fn main() {\n");
    for subject in subjects {
        writeln!(main, "    run_{}();", subject.prefix()).unwrap();
    }
    main.push_str("}\n");
    let main = format!("#![allow(clippy::all, unused_variables, unused_mut)]\n{modules}{main}");
    fs::write(here.join("main.rs"), main).unwrap();
    output(rustc(here).arg("main.rs"));
    (printed(&output(&mut Command::new(here.join("main")))), modules)
}

/// The same bits, that of every elementary function among them; and the same files for a machine without `std`.
#[test]
fn no_std_has_the_bits_of_the_interpreter() {
    let (here, subjects) = (folder("no_std"), subjects_at(wild, STATES + WILD, 1));
    let (found, modules) = computed(&here, &subjects);
    check_bits("Rust without std", &subjects, &found);

    let installed =
        Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    let has_core = installed.is_ok_and(|output| {
        let folder = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        output.status.success() && Path::new(&folder).is_dir()
    });
    if !has_core {
        assert!(env::var_os("CI").is_none(), "CI has the target {TARGET}");
        println!("skipped: rustc has no target {TARGET}: `rustup target add {TARGET}`");
        return;
    }
    fs::write(here.join("lib.rs"), format!("#![no_std]\n{modules}")).unwrap();
    let library = ["--crate-type", "lib", "--target", TARGET];
    output(rustc(&here).args(library).args(["--emit", "metadata", "lib.rs"]));
    // Each file is a crate by itself, too: all functions, contacts, an integral.
    for file in ["coupled.rs", "penny.rs", "thin_rod.rs"] {
        output(rustc(&here).args(library).args(["-C", "opt-level=s", file]));
    }
}

/// A function of one's own in place of that of the declaration.
#[test]
fn functions_can_be_closures() {
    let here = folder("no_std_own");
    let code = generate(super::OWN, Language::NoStd, "a test", "eom").unwrap().0;
    fs::write(here.join("bowl.rs"), code).unwrap();
    let main = "mod bowl;
fn main() {
    let scale = 0.5;
    let half = |[x, y]: [f64; 2], orders: [u8; 2]| {
        let in_x = [x * x, 2.0 * x, 2.0, 0.0][usize::from(orders[0])];
        scale * in_x * [y, 1.0, 0.0, 0.0][usize::from(orders[1])]
    };
    let p = bowl::Parameters { f: Some(&half), ..Default::default() };
    assert_eq!(bowl::Parameters { m: f64::NAN, ..p }.check(), Err(\"m\"));
    let [a, b] = bowl::accelerations(&p, 0.0, &[0.3, 0.4], &[0.5, -0.6]);
    println!(\"{a} {b}\");
}
";
    fs::write(here.join("main.rs"), main).unwrap();
    output(rustc(&here).args(["-A", "dead_code", "main.rs"]));
    let found = output(&mut Command::new(here.join("main")));
    let found: Vec<f64> = found.split_whitespace().map(|x| x.parse().unwrap()).collect();
    let wanted = super::own_accelerations();
    assert!(super::difference(&found, &wanted) < 8.0 * f64::EPSILON, "{found:?}, {wanted:?}");
}
