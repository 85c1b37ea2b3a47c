//! A program of C that calls every function of every header.

use super::{
    FORCE, STATES, Subject, accelerations, check, defined, folder, list, multipliers,
    of_the_platform, output, parts, printed, subjects, weights_and_direction,
};
use eom_codegen::Language;
use eom_core::State;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;
use std::{env, fs};

const PRINT: &str = "#include <stdio.h>\n\
    static void print(int n, const double *x)\n{\n    for (int i = 0; i < n; i++) {\n        \
    printf(\" %.17g\", x[i]);\n    }\n}\n";

/// The parameters of a function, by their names.
fn signature(code: &str, function: &str) -> Vec<String> {
    let at = code.find(&format!(" {function}(")).unwrap();
    let inside = &code[at + function.len() + 2..];
    let inside = &inside[..inside.find(')').unwrap()];
    let name = |part: &str| part.rsplit([' ', '*']).next().unwrap().to_owned();
    inside.split(',').map(name).collect()
}

/// The members of the parameters that are numbers.
fn members(code: &str) -> Vec<String> {
    let end = code.find("_parameters;").unwrap();
    let start = code[..end].rfind("typedef struct {").unwrap();
    let lines = code[start..end].lines().filter_map(|line| line.strip_prefix("    double "));
    lines.map(|line| line.trim_end_matches(';').to_owned()).filter(|m| m != "unused").collect()
}

fn statements(subject: &Subject, code: &str, main: &mut String) {
    let (prefix, info) = (subject.prefix(), subject.info);
    let m = info.speeds();
    let functions = defined(code, &format!("static inline void {prefix}_"));
    let conditions = defined(code, &format!("static inline int {prefix}_armed_"));
    for (index, sample) in subject.samples.iter().enumerate() {
        let State { t, q, v } = &sample.state;
        writeln!(main, "    {{\n    {prefix}_parameters p = {prefix}_defaults();").unwrap();
        for (member, value) in members(code).iter().zip(&sample.parameters) {
            writeln!(main, "    p.{member} = {value:?};").unwrap();
        }
        let (λ, a) = (multipliers(info), accelerations(m));
        let arrays = [("q", q), ("v", v), ("u", &sample.inputs), ("lambda", &λ), ("a", &a)];
        let [weights, direction] = weights_and_direction(info);
        let arrays = arrays.into_iter().chain([("weights", &weights), ("direction", &direction)]);
        for (name, numbers) in arrays {
            let (size, numbers) = (numbers.len().max(1), list(numbers));
            let numbers = if numbers.is_empty() { "0.0".to_owned() } else { numbers };
            writeln!(main, "    const double {name}[{size}] = {{{numbers}}};").unwrap();
        }
        let forces = vec![FORCE; 32];
        writeln!(main, "    const double forces[] = {{{}}};\n    (void)forces;", list(&forces))
            .unwrap();
        writeln!(
            main,
            "    const double t = {t:?};\n    (void)t; (void)u; (void)v; (void)lambda; (void)a; (void)weights; (void)direction;"
        )
        .unwrap();
        writeln!(main, "    if ({prefix}_check(&p) != 0) {{ return 1; }}").unwrap();
        for function in &functions {
            let call = format!("{prefix}_{function}");
            let given = signature(code, &call);
            let label = format!("    printf(\"{prefix} {index} ");
            if let Some(key) = function.strip_prefix("reset_") {
                writeln!(main, "    {{ double q1[{}], v1[{m}];", q.len()).unwrap();
                writeln!(main, "    for (int i = 0; i < {}; i++) {{ q1[i] = q[i]; }}", q.len())
                    .unwrap();
                writeln!(main, "    for (int i = 0; i < {m}; i++) {{ v1[i] = v[i]; }}").unwrap();
                let u = if info.inputs.is_empty() { "" } else { ", u" };
                writeln!(main, "    {call}(&p, t, q1, v1{u});").unwrap();
                writeln!(
                    main,
                    "{label}reset_{key}:\"); print({}, q1); print({m}, v1); printf(\"\\n\"); }}",
                    q.len()
                )
                .unwrap();
                continue;
            }
            let dry = function == "dry_friction";
            let Some(sizes) = (if dry { Some(vec![1, m]) } else { parts(info, function) }) else {
                continue;
            };
            let sizes: Vec<usize> = sizes.into_iter().filter(|size| *size > 0).collect();
            let first = given.len() - sizes.len();
            let mut arguments: Vec<String> = given[..first]
                .iter()
                .map(|a| if a == "p" { "&p".to_owned() } else { a.clone() })
                .collect();
            main.push_str("    {");
            for (part, size) in sizes.iter().enumerate() {
                write!(main, " double o{part}[{size}];").unwrap();
                arguments.push(format!("o{part}"));
            }
            writeln!(main, " {call}({});", arguments.join(", ")).unwrap();
            write!(main, "{label}{function}:\");").unwrap();
            // `all` has the force of dry friction before its value.
            let order: Vec<usize> = if dry { vec![1, 0] } else { (0..sizes.len()).collect() };
            for part in order {
                write!(main, " print({}, o{part});", sizes[part]).unwrap();
            }
            main.push_str(" printf(\"\\n\"); }\n");
        }
        for key in &conditions {
            let u = if info.inputs.is_empty() { "" } else { ", u" };
            writeln!(main, "    printf(\"{prefix} {index} armed_{key}: %d\\n\", {prefix}_armed_{key}(&p, t, q, v{u}));").unwrap();
        }
        for contact in info.contacts {
            after(contact.ascii, subject, index, &functions, main);
        }
        main.push_str("    }\n");
    }
}

/// (q, v) with names exchanged and velocities assigned, as [`all`] has them.
fn after(key: &str, subject: &Subject, index: usize, functions: &[String], main: &mut String) {
    let (prefix, info) = (subject.prefix(), subject.info);
    let (n, m) = (info.positions(), info.speeds());
    let has = |what: &str| functions.contains(&format!("{what}_{key}"));
    if !has("relabel") && !has("assign") {
        return;
    }
    writeln!(main, "    {{ double q1[{n}], v1[{m}], v2[{m}];").unwrap();
    writeln!(main, "    for (int i = 0; i < {n}; i++) {{ q1[i] = q[i]; }}").unwrap();
    writeln!(main, "    for (int i = 0; i < {m}; i++) {{ v2[i] = v1[i] = v[i]; }}").unwrap();
    if has("relabel") {
        writeln!(main, "    {prefix}_relabel_{key}(q1, v1);").unwrap();
    }
    if has("assign") {
        writeln!(main, "    {prefix}_assign_{key}(&p, t, q, v1, v2);").unwrap();
    } else {
        writeln!(main, "    for (int i = 0; i < {m}; i++) {{ v2[i] = v1[i]; }}").unwrap();
    }
    writeln!(main, "    printf(\"{prefix} {index} after_{key}:\"); print({n}, q1); print({m}, v2); printf(\"\\n\"); }}").unwrap();
}

/// What a program of all headers prints; none where there is no compiler.
pub(super) fn computed(
    folder_name: &str,
    subjects: &[Subject],
) -> Option<BTreeMap<String, Vec<f64>>> {
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    if Command::new(&compiler).arg("--version").output().is_err() {
        eprintln!("skipped: there is no C compiler `{compiler}`");
        return None;
    }
    let here = folder(folder_name);
    let (mut includes, mut functions, mut calls) = (PRINT.to_owned(), String::new(), String::new());
    for subject in subjects {
        let (prefix, code) = (subject.prefix(), subject.code(Language::C));
        fs::write(here.join(format!("{prefix}.h")), &code).unwrap();
        writeln!(includes, "#include \"{prefix}.h\"").unwrap();
        writeln!(functions, "static int run_{prefix}(void)\n{{").unwrap();
        statements(subject, &code, &mut functions);
        functions.push_str("    return 0;\n}\n");
        writeln!(calls, "    if (run_{prefix}()) {{ return 1; }}").unwrap();
    }
    let main = format!("{includes}{functions}int main(void)\n{{\n{calls}    return 0;\n}}\n");
    fs::write(here.join("main.c"), main).unwrap();
    let flags = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-ffp-contract=off"];
    let files = ["main.c", "-o", "main", "-lm"];
    output(Command::new(&compiler).current_dir(&here).args(flags).args(files));
    Some(printed(&output(&mut Command::new(here.join("main")))))
}

/// The same operations, the same sine and cosine: the same numbers; where a system has other elementary
/// functions, which are those of the C library, within [`ELSEWHERE`].
#[test]
fn c_has_the_numbers_of_the_interpreter() {
    let subjects = subjects(STATES);
    if let Some(found) = computed("c", &subjects) {
        check("C", &subjects, &found, of_the_platform);
    }
}
