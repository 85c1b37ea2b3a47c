//! Generated code of hostile names compiles, runs, and has the right numbers.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Names that C, C++ or Python has another use for, or that become one another.
const NAMES: &[&str] = &[
    "np",
    "__class__",
    "__init__",
    "__dict__",
    "_x",
    "__x",
    "check",
    "lambda",
    "int",
    "double",
    "EOF",
    "_Complex",
    "_Bool",
    "__LINE__",
    "__FILE__",
    "NULL",
    "NAN",
    "INFINITY",
    "main",
    "errno",
    "stdin",
    "BUFSIZ",
    "EPERM",
    "M_PI",
    "M_E",
    "DBL_MAX",
    "HUGE_VAL",
    "assert",
    "class",
    "def",
    "del",
    "None",
    "True",
    "print",
    "len",
    "float",
    "range",
    "ValueError",
    "w0",
    "w1",
    "w2",
    "i0_0",
    "i0_1",
    "é",
    "u00e9",
    "α",
    "int_",
    "int__",
    "np_",
    "p",
    "q",
    "v",
    "t_0",
    "out",
    "batch",
    "unix",
    "linux",
    "restrict",
    "inline",
    "namespace",
    "goto",
    "delete",
    "operator",
    "and_eq",
    "nonlocal",
    "async_",
    "yield_",
    "unused",
    "partial",
    "context",
    "values",
];

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("names").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// A call that succeeds.
fn done(here: &Path, program: &str, arguments: &[&str]) -> String {
    let output = call(here, program, arguments);
    let said = [&output.stdout, &output.stderr].map(|b| String::from_utf8_lossy(b).into_owned());
    assert!(output.status.success(), "{program} {arguments:?}\n{}", said.concat());
    said[0].clone()
}

fn call(here: &Path, program: &str, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).current_dir(here).output().unwrap()
}

fn eom(here: &Path, arguments: &[&str]) -> String {
    done(here, env!("CARGO_BIN_EXE_eom"), arguments)
}

fn has(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

/// ẍ = 1/Σ of all names, whose values are 1, 2, …; every other is the default of the one before it
/// and 1. A contact of such a name, too: the velocity after its impact is −1/2.
fn declaration(contacts: &[&str]) -> String {
    let mut parameters = String::new();
    for (index, name) in NAMES.iter().enumerate() {
        let default = match index % 2 {
            1 => format!("{} + sin({0} - {index})/2 + 1", NAMES[index - 1]),
            _ => (index + 1).to_string(),
        };
        let _ = write!(parameters, "{name} = {default} where {name} > 0, ");
    }
    let mut text = format!(
        "system Hostile {{\n coordinates {{ x }}\n parameters {{ {parameters} }}\n kinetic = ({})*ẋ^2/2;\n \
         potential = -x;\n",
        NAMES.join(" + ")
    );
    for name in contacts {
        let _ = writeln!(text, " contact {name} {{ gap = x; impact = assign {{ ẋ = -ẋ/2; }} }}");
    }
    text + "}\n"
}

#[test]
fn hostile_names_are_renamed() {
    let here = folder("names");
    let contacts = ["int", "class", "é", "u00e9", "__LINE__", "np"];
    fs::write(here.join("hostile.eom"), declaration(&contacts)).unwrap();
    let sum: f64 = (1..=NAMES.len()).map(|i| i as f64).sum();
    let wanted = format!("{:?} {:?}", 1.0 / sum, vec![-0.5; contacts.len()]);
    let labels = ["int", "class", "u00e9", "u00e9_", "n__LINE__", "np"];
    let compilers = [("cc", "c99", "c"), ("c++", "c++11", "cpp")];
    for (compiler, standard, extension) in compilers {
        if !has(compiler, &["--version"]) {
            continue;
        }
        eom(&here, &["generate", "hostile.eom", "--lang", "c", "--out", "hostile.h"]);
        let code = fs::read_to_string(here.join("hostile.h")).unwrap();
        for text in ["`__LINE__` is called n__LINE__ here.", "`int` is called int_ here."] {
            assert!(code.contains(text), "misses {text}");
        }
        let afters: Vec<String> = labels
            .iter()
            .map(|label| {
                format!(
                    "hostile_impact_{label}(&p, 0, q, v, v + 1); \
                     printf(\", %.17g\" + 2*!n++, v[1]);"
                )
            })
            .collect();
        let afters = afters.concat();
        let main = format!(
            "#include <errno.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <limits.h>\n\
             #include <signal.h>\n#include \"hostile.h\"\nint main(void) {{ int n = 0; double q[1] = {{0}}, v[2] = {{1, 0}}, a[1]; \
             hostile_parameters p = hostile_defaults(); if (hostile_check(&p)) return 3; \
             hostile_accelerations(&p, 0, q, v, a); printf(\"%.17g [\", a[0]); {afters} \
             printf(\"]\\n\"); return 0; }}\n"
        );
        let file = format!("main.{extension}");
        fs::write(here.join(&file), main).unwrap();
        let standard = format!("-std={standard}");
        done(
            &here,
            compiler,
            &[&standard, "-Wall", "-ffp-contract=off", &file, "-o", "main", "-lm"],
        );
        let found = done(&here, here.join("main").to_str().unwrap(), &[]);
        let rounded = |text: &str| -> Vec<f64> {
            let numbers = text.split(|c| " ,[]\n".contains(c)).filter(|s| !s.is_empty());
            numbers.map(|number| number.parse().unwrap()).collect()
        };
        assert_eq!(rounded(&found), rounded(&wanted), "{compiler}");
    }
    if has("python3", &["-c", "import numpy"]) {
        eom(&here, &["generate", "hostile.eom", "--lang", "python", "--out", "hostile.py"]);
        let script = format!(
            "import hostile as h; p = h.Parameters(); p.check(); \
             import numpy; print(float(numpy.ravel(h.accelerations(p, 0.0, [0.0], [1.0]))[0]), \
             [float(getattr(h, 'impact_' + n)(p, 0.0, [0.0], [1.0])[0]) for n in {labels:?}])"
        );
        let found = done(&here, "python3", &["-W", "error", "-c", &script]);
        assert_eq!(found.trim(), wanted);
    }
}

/// A name of a file stands in comments of one line, whatever it holds.
#[test]
fn hostile_names_of_files_stay_in_comments() {
    let here = folder("files");
    let model = "system A { coordinates { x } kinetic = ẋ^2/2; }\n";
    let names = [
        "a\nimport sys; sys.exit(7)\n.eom",
        "a\rint broken;\r.eom",
        "a\"\"\" + [][0] + \"\"\".eom",
        "a\\.eom",
        "coding: no-such-encoding.eom",
        "a\u{202e}b\u{2028}c.eom",
        "a'$(touch broken)`touch broken`.eom",
    ];
    for (index, name) in names.iter().enumerate() {
        fs::write(here.join(name), model).unwrap();
        let file = format!("./{name}");
        let out = |extension: &str| format!("g{index}.{extension}");
        for (language, extension) in [("c", "h"), ("python", "py"), ("rust", "rs")] {
            eom(&here, &["generate", &file, "--lang", language, "--out", &out(extension)]);
            let code = fs::read_to_string(here.join(out(extension))).unwrap();
            let head: Vec<&str> = code.lines().take(3).collect();
            let begins = ["/*", "#", "//"].iter().any(|c| head[1].starts_with(c));
            assert!(begins && head[2].is_empty(), "{name:?}: {head:?}");
            assert!(!code.contains(|c: char| c.is_control() && c != '\n'), "{name:?}");
        }
        if has("cc", &["--version"]) {
            fs::write(
                here.join("m.c"),
                format!("#include \"g{index}.h\"\nint main(void) {{ return 0; }}\n"),
            )
            .unwrap();
            done(&here, "cc", &["-std=c99", "-Wall", "-Werror", "m.c", "-o", "m", "-lm"]);
        }
        if has("python3", &["-c", "import numpy"]) {
            done(&here, "python3", &["-c", &format!("import g{index}")]);
        }
    }
    assert!(!here.join("broken").exists());
}
