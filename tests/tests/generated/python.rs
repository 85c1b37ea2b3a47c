//! A script of Python that calls every function of every module.

use super::{Subject, check, defined, folder, list, multipliers, output, printed, subjects};
use eom_codegen::Language;
use eom_core::State;
use std::fmt::Write as _;
use std::process::Command;
use std::{env, fs};

/// `np` with the elementary functions of the machine's C library in place of NumPy's own.
const SCRIPT: &str = include_str!("compare.py");

fn script(subjects: &[Subject], codes: &[String], exact: bool) -> String {
    let mut script = SCRIPT.to_owned();
    for (subject, code) in subjects.iter().zip(codes) {
        let class = &code[code.find("class Parameters").unwrap()..];
        let head = class.lines().find(|line| line.contains("def __init__")).unwrap_or_default();
        let names: Vec<&str> = head
            .split(", ")
            .skip(2)
            .map(|part| part.trim_end_matches("):").trim_end_matches("=None"))
            .collect();
        let functions = defined(code, "def ");
        let functions: Vec<&String> = functions.iter().filter(|f| !f.starts_with('_')).collect();
        let samples = subject.samples.iter().map(|sample| {
            let given = names.iter().zip(&sample.parameters);
            let given: Vec<String> = given.map(|(name, x)| format!("{name:?}: {x:?}")).collect();
            let State { t, q, v } = &sample.state;
            format!(
                "({{{}}}, {t:?}, [{}], [{}], [{}], [{}])",
                given.join(", "),
                list(q),
                list(v),
                list(&sample.inputs),
                list(&multipliers(subject.info))
            )
        });
        let samples: Vec<String> = samples.collect();
        let exact = if exact { "True" } else { "False" };
        writeln!(
            script,
            "run({:?}, {functions:?}, [{}], {exact}, {})",
            subject.prefix(),
            samples.join(",\n    "),
            forces_taken(code)
        )
        .unwrap();
    }
    script
}

/// NumPy has no fused products: each rounds once more.
const UNFUSED: f64 = 1e-13;

/// How many forces outputs and guards take, whose names stand in a list.
fn forces_taken(code: &str) -> usize {
    let names = code.split_once("_entries(\"forces\", forces, [").map(|(_, rest)| rest);
    let list = names.and_then(|rest| rest.split_once(']')).map(|(list, _)| list);
    list.map_or(0, |list| list.split(", ").count())
}

/// With the sine and cosine of the generated Rust, and NumPy's own, within [`UNFUSED`].
#[test]
fn python_has_the_numbers_of_the_interpreter() {
    compare("python", &subjects(1), UNFUSED);
}

/// The same for some systems; `rounding` where fused products or elementary functions are others.
pub(super) fn compare(folder_name: &str, subjects: &[Subject], rounding: f64) {
    let python = env::var("EOM_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let numpy = Command::new(&python).args(["-c", "import numpy"]).output();
    if !numpy.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: there is no `{python}` with NumPy");
        return;
    }
    let here = folder(folder_name);
    let codes: Vec<String> = subjects.iter().map(|s| s.code(Language::Python)).collect();
    for (subject, code) in subjects.iter().zip(&codes) {
        fs::write(here.join(format!("{}.py", subject.prefix())), code).unwrap();
    }
    for exact in [true, false] {
        let name = if exact { "exact.py" } else { "numpy_own.py" };
        fs::write(here.join(name), script(subjects, &codes, exact)).unwrap();
        let found = printed(&output(Command::new(&python).current_dir(&here).arg(name)));
        check(name, subjects, &found, |_| rounding);
    }
}
