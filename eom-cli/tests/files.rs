//! Files as their users meet them: `eom new`, `check`, `derive`, `run`, `eval`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::eom;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An empty directory of its own for each test.
fn directory(test: &str) -> PathBuf {
    common::folder(&format!("files/{test}"))
}

/// What a call prints, both streams.
fn shown(directory: &Path, arguments: &str, code: i32) -> String {
    format!("$ eom {arguments}\n{}", eom(directory, arguments, code).concat())
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// A pendulum that hits a wall, with an erratum and a parameter that must be given.
const PENDULUM: &str = "/// A pendulum beside a wall.
system Pendulum {
    coordinates { x, y }
    parameters { m = 1 where m > 0, l = 1, g, e = 1/2 }
    inputs { F }
    kinetic = m/2*(ẋ^2 + ẏ^2);
    potential = m*g*y;
    force x = F;
    holonomic { rod: x^2 + y^2 = l^2; }
    contact wall { gap = x; impact = restitution(e); }
    event lowest { guard = ẏ; rising; }
    output height = y + l;
    scenario swing { x = l; y = 0; until impacts = 2; }
    claim rod_force: λ(rod)*2*x = m*ẍ - F;
    erratum fall: ÿ = -g; corrected: m*ÿ = 2*λ(rod)*y - m*g;
}
";

#[test]
fn a_new_file_is_right_and_runs_to_a_figure() {
    let here = directory("new");
    let said = [
        shown(&here, "new my-sleigh", 0),
        shown(&here, "check my-sleigh.eom", 0),
        shown(&here, "derive my-sleigh.eom", 0),
    ];
    snapshot("new", &said.join("\n"));
    let [run, _] = eom(&here, "run my-sleigh.eom --plot my-sleigh.svg --set e=1/2", 0);
    for text in ["my-sleigh.eom (A sleigh on a blade", "e = 0.5", "reached 5 impacts"] {
        assert!(run.contains(text), "misses `{text}` in\n{run}");
    }
    let figure = fs::read_to_string(here.join("my-sleigh.svg")).unwrap();
    assert!(figure.contains("<svg") && figure.contains("A sleigh on a blade"));
    let example = fs::read_to_string(here.join("my-sleigh.eom")).unwrap();
    assert!(example.contains("system MySleigh {"));

    let [_, refused] = eom(&here, "new my-sleigh", 2);
    assert_eq!(refused, "error: my-sleigh.eom is there already: choose another name\n");
    assert_eq!(fs::read_to_string(here.join("my-sleigh.eom")).unwrap(), example);
    let [_, refused] = eom(&here, "new 2sleighs", 2);
    assert!(refused.contains("`2sleighs` is no name for a system"), "{refused}");
}

/// The page of the book, as its reader follows it: its message, its system, its calls.
#[test]
fn the_page_of_the_book_can_be_followed() {
    let here = directory("page");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let page = fs::read_to_string(root.join("book/src/files.md")).unwrap();
    let blocks: Vec<&str> = page.split("```").skip(1).step_by(2).collect();
    let [message, warning, pendulum] = ["text\nerror", "text\nwarning", "text\n///"].map(|start| {
        let block = blocks.iter().find(|block| block.starts_with(start)).unwrap();
        block.strip_prefix("text\n").unwrap()
    });
    fs::write(here.join("pendulum.eom"), pendulum).unwrap();
    fs::write(
        here.join("state.json"),
        r#"{"q": {"x": 0.6, "y": -0.8}, "v": {"x": 0.4, "y": 0.3}}"#,
    )
    .unwrap();
    assert!(page.contains(&fs::read_to_string(here.join("state.json")).unwrap()));
    let mut called = 0;
    for line in blocks.iter().filter_map(|block| block.strip_prefix("sh\n")).flat_map(str::lines) {
        if let Some(arguments) = line.strip_prefix("eom ") {
            eom(&here, arguments.split(" > ").next().unwrap(), 0);
            called += 1;
        }
    }
    assert!(called > 8, "{called} calls");
    let figures = ["sleigh.svg", "slow.png", "pendulum.svg"];
    assert!(figures.iter().all(|figure| here.join(figure).exists()));

    let example = fs::read_to_string(here.join("sleigh.eom")).unwrap();
    fs::write(here.join("sleigh.eom"), example.replace("Ẏ^2)", "Z^2)")).unwrap();
    assert_eq!(eom(&here, "check sleigh.eom", 1)[1], message);
    let line = "        e = 0.8 where e >= 0 && e <= 1,\n";
    let spare = example.replace(line, &format!("{line}        k = 1,\n"));
    fs::write(here.join("sleigh.eom"), spare).unwrap();
    assert_eq!(eom(&here, "check sleigh.eom", 0)[1], warning);
}

/// Warnings are said by every command, notes by `check`; what is allowed is not said.
#[test]
fn warnings_and_notes_of_a_file() {
    let here = directory("warnings");
    let suspicious = "system Cart {
    coordinates { x, θ, z }
    parameters { m = 1, r = 0.1, spare = 2 }
    kinetic = m/2*(ẋ^2 + r^2*θ̇^2/2 + ż^2);
    constraints { roll: dx - r*dθ; }
    scenario start { ẋ = 1; solve θ̇; until t = 1; }
}
";
    let meant =
        suspicious.replace("scenario", "allow integrable_row, unused_parameter(spare);\n scenario");
    fs::write(here.join("cart.eom"), suspicious).unwrap();
    fs::write(here.join("meant.eom"), meant).unwrap();
    let calls = [
        ("check cart.eom", 0),
        ("check --deny warnings cart.eom", 1),
        ("check --deny warnings meant.eom", 0),
        ("run cart.eom", 0),
    ];
    let said = calls.map(|(arguments, code)| eom(&here, arguments, code)[1].clone());
    snapshot("warnings", &said.join("\n---\n"));
    assert!(eom(&here, "run meant.eom", 0)[1].is_empty());
}

#[test]
fn what_a_file_declares_is_told() {
    let here = directory("check");
    fs::write(here.join("pendulum.eom"), PENDULUM).unwrap();
    // As some editors save it.
    fs::write(here.join("marked.eom"), format!("\u{feff}{PENDULUM}")).unwrap();
    snapshot("check", &shown(&here, "check pendulum.eom marked.eom", 0));
}

/// All mistakes at once, each with its line and a mark; no colours where nobody looks.
#[test]
fn mistakes_of_a_file_stand_under_their_lines() {
    let here = directory("mistakes");
    let table = [
        ("names.eom", PENDULUM.replace("m*g*y", "m*G*y").replace("gap = x;", "gap = xx + z;")),
        ("claim.eom", PENDULUM.replace("corrected: m*ÿ = 2*λ(rod)*y", "corrected: m*ÿ = λ(rod)*y")),
        ("twice.eom", PENDULUM.replace("inputs { F }", "inputs { F, θ, theta }")),
        ("letters.eom", PENDULUM.replace("potential = m*g*y;", "potential = m*g*y²;")),
        ("open.eom", PENDULUM.replace("rod: x^2 + y^2 = l^2; }", "rod: (x^2 + y^2 = l^2; }")),
        ("empty.eom", String::new()),
    ];
    let mut said = Vec::new();
    for (name, text) in &table {
        fs::write(here.join(name), text).unwrap();
        said.push(shown(&here, &format!("check {name}"), 1));
    }
    said.push(shown(&here, "run names.eom", 2));
    assert!(said.iter().all(|text| !text.contains('\u{1b}')), "no colours");
    snapshot("mistakes", &said.join("\n"));
    // A right file beside a wrong one is told, too.
    fs::write(here.join("pendulum.eom"), PENDULUM).unwrap();
    let [told, complaints] = eom(&here, "check names.eom pendulum.eom", 1);
    assert!(told.contains("pendulum.eom is right") && complaints.contains("names.eom has"));
}

#[test]
fn files_that_cannot_be_used_are_refused() {
    let here = directory("refused");
    fs::write(here.join("pendulum.eom"), PENDULUM).unwrap();
    fs::write(here.join("latin.eom"), b"system A {\n\xe9").unwrap();
    fs::write(here.join("loop.py"), "print(1)\n").unwrap();
    let table: &[(&str, &[&str])] = &[
        ("run pendulm.eom", &["cannot read pendulm.eom", "did you mean `pendulum.eom`?"]),
        ("run pendulum", &["no model `pendulum`", "there is a file `pendulum.eom`"]),
        ("run loop.py", &["`loop.py` is no .eom file", "ends in .eom"]),
        ("derive ./zzz.eom", &["cannot read ./zzz.eom", "`eom new NAME` writes an example"]),
        ("check latin.eom", &["latin.eom: line 2 is not UTF-8"]),
        ("run pendulum.eom", &["parameter `g` has no default", "with --set NAME=EXPR"]),
        ("run pendulum.eom --set g=9.81 --set h=1", &["there is no name `h`", "inputs: F"]),
        ("derive pendulum.eom --part equations --format program", &["--part needs"]),
        ("eval pendulum.eom --state none.json --set g=1", &["--state none.json: cannot read it"]),
        ("eval pendulum.eom --state none.json --set g=1 --set x=1", &["write it in the state"]),
        ("eval pendulum.eom --state no --set g=1 --impact wal", &["did you mean `wall`?"]),
        ("eval rough-particle --state no --impact wall", &["has no contacts"]),
        ("eval pendulum.eom --state no --set g=1 --impact wall,wall", &["stands there twice"]),
    ];
    for (arguments, texts) in table {
        let [_, complaint] = eom(&here, arguments, 2);
        for text in *texts {
            assert!(complaint.contains(text), "eom {arguments}\nmisses `{text}` in\n{complaint}");
        }
    }
}

/// The same bytes from a file as from the compiled model.
#[test]
fn a_model_runs_from_a_file_as_it_does_compiled() {
    let here = directory("same");
    for model in ["penny", "table-ball"] {
        let entry = models::catalogue().iter().find(|entry| entry.name == model).unwrap();
        fs::write(here.join(format!("{model}.eom")), entry.info.source).unwrap();
        for rest in ["--csv -", "--events -"] {
            let [compiled, _] = eom(&here, &format!("run {model} {rest}"), 0);
            let [read, _] = eom(&here, &format!("run {model}.eom {rest}"), 0);
            assert!(compiled == read, "{model} {rest}");
        }
        let [compiled, read] = [model.to_owned(), format!("./{model}.eom")]
            .map(|m| eom(&here, &format!("derive {m}"), 0));
        assert_eq!(compiled, read);
    }
}

fn json(directory: &Path, arguments: &str) -> Value {
    serde_json::from_str(&eom(directory, arguments, 0)[0]).unwrap()
}

/// M a = Q + Aᵀλ of the pendulum, by hand.
#[test]
fn values_at_states_are_those_of_the_formulas() {
    let here = directory("eval");
    fs::write(here.join("pendulum.eom"), PENDULUM).unwrap();
    let (x, y, u, w, force) = (0.6, -0.8, 0.4, 0.3, 0.25);
    let state = format!(
        r#"{{"t": 0, "q": {{"x": {x}, "y": {y}}}, "v": {{"x": {u}, "ẏ": {w}}}, "inputs": {{"F": {force}}}}}"#
    );
    fs::write(here.join("one.json"), &state).unwrap();
    fs::write(here.join("many.json"), format!("[{state}, {{\"q\": {{\"x\": 1}}}}, {state}]"))
        .unwrap();
    let call = "eval pendulum.eom --set g=9.81 --set m=2 --format json --state";
    let one = json(&here, &format!("{call} one.json --impact wall"));
    // A = (2x, 2y), γ = 2(ẋ² + ẏ²), λ = −(γ + A·F/m)/(A·A/m)
    let (m, g) = (2.0, 9.81);
    let (a, applied) = ([2.0 * x, 2.0 * y], [force, -m * g]);
    let push = (a[0] * applied[0] + a[1] * applied[1]) / m + 2.0 * (u * u + w * w);
    let λ = -push / ((a[0] * a[0] + a[1] * a[1]) / m);
    // B = [A; 1 0] is regular: P = 1, v⁺ = −e v⁻ with e = 1/2.
    let table = [
        ("/accelerations/x", (applied[0] + a[0] * λ) / m),
        ("/accelerations/y", (applied[1] + a[1] * λ) / m),
        ("/multipliers/rod", λ),
        ("/energy/kinetic", m / 2.0 * (u * u + w * w)),
        ("/energy/potential", m * g * y),
        ("/energy/total", m / 2.0 * (u * u + w * w) + m * g * y),
        ("/mass_matrix/x/x", m),
        ("/mass_matrix/x/y", 0.0),
        ("/constraint_residuals/rod", a[0] * u + a[1] * w),
        ("/holonomic_residuals/rod", x * x + y * y - 1.0),
        ("/gaps/wall", x),
        ("/outputs/height", y + 1.0),
        ("/projector/x/x", 1.0),
        ("/projector/y/x", 0.0),
        ("/velocity_after/x", -0.5 * u),
        ("/velocity_after/y", -0.5 * w),
    ];
    for (at, wanted) in table {
        let found = one.pointer(at).and_then(Value::as_f64);
        let found = found.unwrap_or_else(|| panic!("{at} of {one}"));
        assert!((found - wanted).abs() < 1e-14 * wanted.abs().max(1.0), "{at}: {found}, {wanted}");
    }
    let many = json(&here, &format!("{call} many.json"));
    let states = many.as_array().unwrap();
    assert_eq!(states.len(), 3);
    assert_eq!(states[0], states[2]);
    assert_eq!(states[0].get("accelerations"), one.get("accelerations"));
    let said = shown(&here, "eval pendulum.eom --set g=1 --impact wall --state one.json", 0);
    snapshot("eval", &said);
}

/// The impact of several contacts: of three equal elastic balls that touch, the first with velocity 1,
/// v⁺ = (−1, 2, 2)/3 with impulses 4/3 and 2/3 by the joint law, and (0, 0, 1) with 1 and 1 by the
/// sequential one; where no gap closes nothing happens.
#[test]
fn impacts_of_several_contacts_have_their_impulses() {
    let here = directory("together");
    for (law, after, impulses) in [
        ("joint", [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0], [4.0 / 3.0, 2.0 / 3.0]),
        ("sequential", [0.0, 0.0, 1.0], [1.0, 1.0]),
    ] {
        let text = format!(
            "system Balls {{ coordinates {{ a, b, c }} kinetic = (ȧ^2 + ḃ^2 + ċ^2)/2;
             contact ab {{ gap = b - a - 1; impact = elastic; }}
             contact bc {{ gap = c - b - 1; impact = elastic; }} impacts = {law};
             contact side {{ gap = a + 9; impact = assign {{ ȧ = -ȧ; }} }}
             scenario s {{ b = 1; c = 2; ȧ = 1; until t = 1; }} }}"
        );
        fs::write(here.join("balls.eom"), text).unwrap();
        fs::write(here.join("hit.json"), r#"{"q": {"b": 1, "c": 2}, "v": {"a": 1}}"#).unwrap();
        fs::write(here.join("apart.json"), r#"{"q": {"b": 1, "c": 2}, "v": {"c": 1}}"#).unwrap();
        let call = "eval balls.eom --format json --impact ab,bc --state";
        let hit = json(&here, &format!("{call} hit.json"));
        let number = |at: &str| hit.pointer(at).and_then(Value::as_f64).unwrap();
        for (name, wanted) in ["a", "b", "c"].iter().zip(after) {
            let found = number(&format!("/velocity_after/{name}"));
            assert!((found - wanted).abs() < 1e-15, "{law} {name}: {found}, {wanted}");
        }
        for (name, wanted) in ["ab", "bc"].iter().zip(impulses) {
            let found = number(&format!("/impulses/{name}"));
            assert!((found - wanted).abs() < 1e-15, "{law} {name}: {found}, {wanted}");
        }
        assert_eq!(number("/velocity_before/a"), 1.0);
        assert_eq!(number("/gap_rates_before/ab"), -1.0);
        let rows = hit.pointer("/impulses_in_turn").and_then(Value::as_object);
        assert_eq!(rows.map_or(1, serde_json::Map::len), if law == "joint" { 1 } else { 2 });
        let [_, said] = eom(&here, &format!("{call} apart.json"), 0);
        assert!(said.contains("no impact happens in this state"), "{said}");
        let [_, said] = eom(&here, "eval balls.eom --state hit.json --impact ab,side", 2);
        assert!(said.contains("`side` is for an impact of this contact alone"), "{said}");
        let shown = eom(&here, "eval balls.eom --state hit.json --impact ab,bc", 0);
        assert!(shown[0].contains("impulses              ab = "), "{}", shown[0]);
    }
}

/// All digits come in and go out, the same from a compiled model and from its file, in Unicode and in
/// ASCII.
#[test]
fn values_have_all_their_digits() {
    let here = directory("digits");
    for (model, q, v) in [
        ("penny", ["x", "y", "θ", "phi"].as_slice(), ["x_dot", "ẏ", "theta", "φ̇"].as_slice()),
        ("floor-ball", &[], &[]),
    ] {
        let entry = models::catalogue().iter().find(|entry| entry.name == model).unwrap();
        fs::write(here.join(format!("{model}.eom")), entry.info.source).unwrap();
        let number = |i: usize| 0.1 + (i as f64).sqrt() / 7.0;
        let object = |names: &[&str], first: usize| {
            let entries = names.iter().enumerate();
            let entries: Vec<String> =
                entries.map(|(i, name)| format!("\"{name}\": {:?}", number(first + i))).collect();
            format!("{{{}}}", entries.join(", "))
        };
        let state = format!(r#"{{"q": {}, "v": {}}}"#, object(q, 1), object(v, 9));
        fs::write(here.join("s.json"), state).unwrap();
        let call =
            |model: &str| eom(&here, &format!("eval {model} --state s.json --format json"), 0);
        let compiled = call(model);
        assert_eq!(compiled, call(&format!("{model}.eom")), "{model}");
        let answer: Value = serde_json::from_str(&compiled[0]).unwrap();
        let mut wanted = vec![0.0; entry.info.positions()];
        (0..q.len()).for_each(|i| wanted[i] = number(1 + i));
        for quaternion in wanted[entry.info.coordinates.len()..].chunks_exact_mut(4) {
            quaternion[0] = 1.0;
        }
        let mut gaps = vec![0.0; entry.info.contacts.len()];
        let system = (entry.build)(&vec![None; entry.info.parameters.len()]).unwrap();
        system.gaps(0.0, &wanted, &mut gaps);
        for (contact, gap) in entry.info.contacts.iter().zip(gaps) {
            assert_eq!(answer["gaps"][contact.name].as_f64(), Some(gap), "{model}");
        }
    }
}

#[test]
fn states_that_cannot_be_read_are_refused() {
    let here = directory("states");
    fs::write(here.join("pendulum.eom"), PENDULUM).unwrap();
    let table: &[(&str, &[&str])] = &[
        ("{", &["not JSON", "line 1"]),
        ("1", &["a state is an object {\"t\": number"]),
        (r#"{"p": 1}"#, &["there is no field `p`"]),
        (r#"{"q": 1}"#, &["`q` must be an object {name: number}"]),
        (r#"{"q": {"x": "a"}}"#, &["`x` must be a number; it is \"a\""]),
        (r#"{"q": {"z": 1}}"#, &["there is no coordinate `z`", "names in `q`: x, y"]),
        (r#"{"v": {"x": 1, "x_dot": 2}}"#, &["`x` stands twice in `v`"]),
        (r#"{"v": {"x_ddot": 2}}"#, &["there is no velocity `x_ddot`"]),
        (
            r#"[{}, {"inputs": {"G": 1}}]"#,
            &["state 2: there is no input `G`", "names in `inputs`: F"],
        ),
        (r#"{"q": {"x": 1e999}}"#, &["not JSON", "out of range"]),
    ];
    for (state, texts) in table {
        fs::write(here.join("s.json"), state).unwrap();
        let [_, complaint] = eom(&here, "eval pendulum.eom --set g=1 --state s.json", 2);
        assert!(complaint.starts_with("error: --state s.json: "), "{complaint}");
        for text in *texts {
            assert!(complaint.contains(text), "{state}\nmisses `{text}` in\n{complaint}");
        }
    }
    // A rotation must be one.
    fs::write(here.join("s.json"), r#"{"q": {"R_w": 1, "R_x": 1}}"#).unwrap();
    let [_, complaint] = eom(&here, "eval table-ball --state s.json", 2);
    assert!(complaint.contains("has the length 1.414213562373095"), "{complaint}");
}

/// Where nothing is determined the answer says so: no number, a reason, and an exit code.
#[test]
fn what_has_no_value_is_null_with_a_reason() {
    let here = directory("undefined");
    fs::write(here.join("pendulum.eom"), PENDULUM).unwrap();
    fs::write(here.join("s.json"), "[{}]").unwrap();
    let call = "eval pendulum.eom --set g=1 --state s.json --format json";
    let [answer, reason] = eom(&here, call, 1);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer[0]["accelerations"]["x"], Value::Null);
    assert_eq!(answer[0]["mass_matrix"]["x"]["x"], Value::from(1.0));
    assert!(
        reason
            .starts_with("warning: state 1: not all numbers: accelerations, multipliers; the mass"),
        "{reason}"
    );
}

/// The forms and formats of the equations, of a system with a constraint and a contact.
#[test]
fn equations_have_forms_and_formats() {
    let here = directory("forms");
    fs::write(here.join("pendulum.eom"), PENDULUM).unwrap();
    let calls = [
        "derive pendulum.eom --form multipliers",
        "derive pendulum.eom --form reduced",
        "derive pendulum.eom --form explicit",
        "derive pendulum.eom --form hamiltonian",
        "derive pendulum.eom --part contacts --format markdown",
        "derive pendulum.eom --form reduced --format json",
    ];
    let said: Vec<String> = calls.iter().map(|call| shown(&here, call, 0)).collect();
    snapshot("forms", &said.join("\n"));
    let all: Value = json(&here, "derive pendulum.eom --format json");
    assert_eq!(all["functions"]["mass_matrix"][1][1]["text"], "m");
    assert_eq!(all["functions"]["gap_gradients"][0][0]["text"], "1");
    assert_eq!(all["declared"]["parameters"][0]["bound"], "m > 0");
    assert_eq!(all["claims"][1]["verdict"], "erratum");
    let titles = all["sections"].as_array().unwrap().iter().map(|section| &section["title"]);
    assert!(titles.into_iter().any(|title| title == "Contact wall: restitution(e)"));
    let table: &[(&str, &[&str])] = &[
        (
            "derive rough-particles --form hamiltonian",
            &["rough-particles: no Hamiltonian form: ", "--form reduced"],
        ),
        ("derive penny --form reduced --part contacts", &["cannot be used with"]),
        ("derive penny --form reduced --format program", &["--form needs --format"]),
    ];
    for (arguments, texts) in table {
        let [_, complaint] = eom(&here, arguments, 2);
        for text in *texts {
            assert!(complaint.contains(text), "eom {arguments}\nmisses `{text}` in\n{complaint}");
        }
    }
}

/// Code that is kept in a repository: written, found current, found stale.
#[test]
fn generated_files_are_written_and_checked() {
    let here = directory("generate");
    fs::write(here.join("pendulum.eom"), PENDULUM).unwrap();
    for (lang, file, text) in [
        ("c", "pendulum.h", "static inline void pendulum_accelerations("),
        ("python", "pendulum.py", "def accelerations(p, t, q, v, u=()):"),
        ("rust", "pendulum.rs", "pub struct Pendulum {"),
        ("rust --no-std", "bare.rs", "pub fn accelerations(p: &Parameters, t: f64, q: &[f64; 2],"),
    ] {
        let call = format!("generate pendulum.eom --lang {lang} --out {file}");
        let missing = eom(&here, &format!("{call} --check"), 1);
        assert_eq!(missing[1], format!("{file} is not there: run `eom {call}`\n"));
        assert_eq!(eom(&here, &call, 0)[0], format!("wrote {file}\n"));
        let current = format!("{file} is up to date\n");
        assert_eq!(eom(&here, &format!("{call} --check"), 0)[0], current);
        assert_eq!(eom(&here, &call, 0)[0], current);
        let code = fs::read_to_string(here.join(file)).unwrap();
        assert!(code.contains(text), "{code}");
        let head = format!("`eom generate pendulum.eom --lang {lang}` writes it again.");
        assert!(code.lines().take(2).any(|line| line.contains(&head)), "{code}");
        // The same bytes on standard output, and from another folder.
        let path = here.join("pendulum.eom").display().to_string();
        let [printed, _] = eom(&here, &format!("generate {path} --lang {lang}"), 0);
        assert!(printed == code, "{lang}");
        fs::write(here.join(file), code.replace("9.81", "9.8") + "\n").unwrap();
        let stale = eom(&here, &format!("{call} --check"), 1);
        assert_eq!(stale[1], format!("{file} is stale: run `eom {call}`\n"));
    }
    let left = fs::read_dir(&here).unwrap().count();
    assert_eq!(left, 5, "nothing else is left behind");
    let table: &[(&str, &[&str])] = &[
        ("generate pendulum.eom", &["--lang <LANG>"]),
        ("generate pendulum.eom --lang fortran", &["invalid value 'fortran'"]),
        ("generate pendulum.eom --lang c --check", &["--out <FILE>"]),
        ("generate pendulum.eom --lang c --no-std", &["`--no-std` is of `--lang rust`"]),
        ("generate pendulm.eom --lang c", &["did you mean `pendulum.eom`?"]),
    ];
    for (arguments, texts) in table {
        let [_, complaint] = eom(&here, arguments, 2);
        for text in *texts {
            assert!(complaint.contains(text), "eom {arguments}\nmisses `{text}` in\n{complaint}");
        }
    }
    let [_, lost] = eom(&here, "generate pendulum.eom --lang c --out no/pendulum.h", 1);
    assert!(lost.starts_with("error: cannot write no/pendulum.h: "), "{lost}");
    fs::write(here.join("wrong.eom"), PENDULUM.replace("m*g*y", "m*G*y")).unwrap();
    let [_, mistakes] = eom(&here, "generate wrong.eom --lang c", 2);
    assert!(
        mistakes.contains("`G` is not declared") && mistakes.contains("wrong.eom:7:"),
        "{mistakes}"
    );
}

/// The blocks of a page of the book in a language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("book/src").join(page)).unwrap();
    let blocks = page.split("```").skip(1).step_by(2);
    blocks
        .filter_map(|block| Some(block.strip_prefix(language)?.strip_prefix('\n')?.to_owned()))
        .collect()
}

/// The page on generated code, as its reader follows it; its C and Python where the machine has them.
#[test]
fn the_page_on_generated_code_can_be_followed() {
    let here = directory("generated-page");
    let pendulum = blocks("files.md", "text").into_iter().find(|block| block.starts_with("///"));
    fs::write(here.join("pendulum.eom"), pendulum.unwrap()).unwrap();
    for line in blocks("generated.md", "sh").iter().flat_map(|block| block.lines()) {
        eom(&here, line.strip_prefix("eom ").unwrap(), 0);
    }
    let [c, python] = ["c", "python"].map(|language| blocks("generated.md", language).remove(0));
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).current_dir(&here).args(arguments).output();
        output.ok().filter(|output| output.status.success())
    };
    fs::write(here.join("main.c"), c).unwrap();
    if run("cc", &["--version"]).is_some() {
        let flags = ["-std=c99", "-Wall", "-Werror", "main.c", "-o", "main", "-lm"];
        assert!(run("cc", &flags).is_some(), "the C of the page compiles");
        let printed = run(here.join("main").to_str().unwrap(), &[]).unwrap().stdout;
        let printed = String::from_utf8(printed).unwrap();
        let numbers: Vec<f64> = printed.split_whitespace().map(|x| x.parse().unwrap()).collect();
        fs::write(
            here.join("state.json"),
            r#"{"q": {"x": 0.6, "y": -0.8}, "v": {"x": 0.4, "y": 0.3}}"#,
        )
        .unwrap();
        let answer =
            json(&here, "eval pendulum.eom --state state.json --impact wall --format json");
        for (number, at) in numbers.iter().zip(["/accelerations/x", "/velocity_after/x"]) {
            let wanted = answer.pointer(at).and_then(Value::as_f64).unwrap();
            assert!((number - wanted).abs() < 1e-15, "{at}: {number}, {wanted}");
        }
    }
    if run("python3", &["-c", "import numpy"]).is_some() {
        assert!(run("python3", &["-c", &python]).is_some(), "the Python of the page runs");
    }
}

/// What the README shows is what comes of its declaration: equations, and what is said of a wrong claim.
#[test]
fn the_readme_shows_what_comes_out() {
    let here = directory("readme");
    let page = |language| blocks("../../README.md", language);
    let rust = page("rust").remove(0);
    let (_, declared) = rust.split_once("lagrangian! {\n").unwrap();
    let (declared, _) = declared.split_once("\n}\n\nfn main").unwrap();
    let text: Vec<&str> = declared.lines().map(|line| &line[4..]).collect();
    let text = text.join("\n") + "\n";
    fs::write(here.join("sleigh.eom"), &text).unwrap();
    fs::write(here.join("wrong.eom"), text.replace("(I + m*c^2)*θ̈", "I*θ̈")).unwrap();
    let shown = page("text");
    let [derived, _] = eom(&here, "derive sleigh.eom", 0);
    assert!(derived.contains(&shown[0]), "{derived}");
    let [_, said] = eom(&here, "check wrong.eom", 1);
    assert_eq!(said.trim(), shown[1].trim());
}

#[test]
fn files_are_laid_out() {
    let here = directory("fmt");
    let (path, soup) = (
        here.join("ball.eom"),
        "system Ball{coordinates{y}// height\nkinetic=ẏ^2/2;potential=9.81 *y;}",
    );
    fs::write(&path, soup).unwrap();
    let [_, said] = eom(&here, "fmt --check ball.eom", 1);
    assert!(said.contains("ball.eom is not laid out"), "{said}");
    assert_eq!(fs::read_to_string(&path).unwrap(), soup);
    eom(&here, "fmt ball.eom", 0);
    let expected = "system Ball {\n    coordinates { y } // height\n    kinetic = ẏ^2/2;\n    potential = 9.81*y;\n}\n";
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    eom(&here, "fmt --check ball.eom", 0);
    // The example of `eom new` is laid out.
    eom(&here, "new sleigh", 0);
    eom(&here, "fmt --check sleigh.eom", 0);
    // What has mistakes is told and stays.
    fs::write(&path, "system Ball { coordinates y }").unwrap();
    let [_, said] = eom(&here, "fmt ball.eom", 1);
    assert!(said.contains("ball.eom:1:"), "{said}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "system Ball { coordinates y }");
    let [_, said] = eom(&here, "fmt missing.eom", 2);
    assert!(said.contains("cannot read missing.eom"), "{said}");
}
