//! The command as its users see it: what it prints, what it writes, how it exits.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An empty directory of its own for each test.
fn directory(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Runs `eom` in a directory; the arguments are separated by single spaces.
fn eom(directory: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eom"));
    command.current_dir(directory).args(arguments.split(' ')).output().unwrap()
}

/// Runs `eom` and checks its exit code and that its output holds all of some texts: standard
/// error where it failed, else standard output.
fn check(directory: &Path, arguments: &str, code: i32, texts: &[&str]) -> String {
    let output = eom(directory, arguments);
    let stdout = String::from_utf8(output.stdout).unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "eom {arguments}\n{stdout}{stderr}");
    let shown = if code == 2 { &stderr } else { &stdout };
    for text in texts {
        assert!(shown.contains(text), "eom {arguments}\nmisses `{text}` in\n{shown}");
    }
    shown.clone()
}

#[test]
fn the_right_requests_succeed() {
    let here = directory("succeed");
    let table: &[(&str, &[&str])] = &[
        ("models", &["penny", "4 coordinates, 2 constraints, 2 contacts", "figure_3"]),
        ("documents bouncing-penny", &["(25a)", "follows    J*φ̈ = 0", "[penny: eq25a]"]),
        ("figures --list", &["penny-5 (bouncing-penny, Figure 5)"]),
        ("documents --format markdown", &["# The Bouncing Penny", "| (25a) | follows |"]),
        ("run controlled-penny", &["reached 4 impacts"]),
        ("run sliding-penny", &["reached 20 impacts"]),
        ("derive penny", &["J*φ̈ = 0", "(I + m*R^2)*θ̈ = 0"]),
        (
            "derive penny --format latex",
            &["% needs amsmath\n", r"\ddot{\varphi}", r"\ddot{\theta}"],
        ),
        ("derive --help", &["--part <PART>", r"\usepackage{amsmath}"]),
        ("derive penny --format rust", &["for Penny", "fn accelerations"]),
        ("run penny --impacts 2", &["reached 2 impacts", "front 1, back 1", "law   elastic"]),
        ("run penny --scenario figure_3 --impacts 1", &["scenario     figure_3"]),
        (
            "run putted-ball --ledger",
            &["dissipation of contact surface", "impact surface, once", "closes: the tolerance"],
        ),
        ("run penny --until pi/4", &["reached t = 0.7853981633974483"]),
        ("run penny --until 1 --set t=0.5", &["start        t = 0.5", "reached t = 1"]),
        ("run penny --until 100 --impacts 1", &["reached 1 impact"]),
        ("run penny --impact project --impacts 1", &["law   project"]),
        ("run penny --impact restitution=1/2 --impacts 1", &["law   restitution 0.5"]),
        (
            "run penny --until 1 --set J=m*R^2 --set R=0.02",
            &["R = 0.02", "J = 1.0000000000000002e-6"],
        ),
        ("run penny --until 1 --set phi=0 --set x=R", &["φ = 0", " x = 0.01,"]),
        // With y_dot given, x_dot alone is taken from the constraints.
        ("run penny --until 1 --set ẏ=0.1", &["ẏ = 0.1", "ẋ = 6."]),
        ("run penny --until 1 --set x_dot=1 --project-start", &["reached t = 1"]),
        ("run --help", &["Examples:", "--set <NAME=EXPR>", "Exit codes:"]),
        ("--help", &["models", "derive", "run", "Exit codes:"]),
    ];
    for (arguments, texts) in table {
        check(&here, arguments, 0, texts);
    }
}

#[test]
fn a_request_that_cannot_be_carried_out_says_why() {
    let here = directory("refused");
    let table: &[(&str, &[&str])] = &[
        ("run pemny", &["no model `pemny`", "did you mean `penny`?", "models: "]),
        (
            "documents bouncing-peny",
            &["did you mean `bouncing-penny`?", "documents: putting-green"],
        ),
        ("derive zzz", &["no model `zzz`", "models: "]),
        ("run penny --scenario figure3", &["did you mean `figure_3`?"]),
        ("run penny --set thata=1", &["did you mean `θ`?", "parameters: R, m, I, J, a, b"]),
        ("run penny --set phy_dot=1", &["did you mean `φ̇`?", "velocities: ẋ, ẏ, θ̇, φ̇"]),
        ("run penny --set x_ddot=1", &["no name `x_ddot`", "coordinates: x, y, θ, φ"]),
        ("run penny --set x", &["--set x: write x=EXPR"]),
        ("run penny --set φ̇", &["--set φ̇: write φ̇=EXPR"]),
        ("run penny --set phi=1 --set φ=2", &["already set by --set phi=1"]),
        ("run penny --set a=abc", &["`abc` is not a number"]),
        ("run penny --set a=1/0", &["a must be a finite number, but `1/0` is inf"]),
        ("run penny --set m=nan", &["--set m=nan: m must be a finite number"]),
        ("run penny --until inf", &["--until: `inf` is not a finite number"]),
        ("run penny --set R=b", &["there is no `b` here"]),
        ("run penny --set R=-1", &["parameter `R` = -1 violates its bound"]),
        ("run penny --impact bouncy", &["no impact law `bouncy`", "restitution=E"]),
        ("run penny --impact elastc", &["did you mean `elastic`?"]),
        ("run penny --impact restitution=2", &["restitution 2 is not between 0 and 1"]),
        ("run penny --impact restitution", &["write restitution=E"]),
        ("run penny --until -1", &["--until must be after the start, t = 0; it is -1"]),
        ("run penny --until 1 --set t=2", &["--until must be after the start, t = 2; it is 1"]),
        ("run penny --impacts 0", &["--impacts must be at least 1"]),
        ("run penny --until 1 --sample 0 --csv -", &["--sample must be positive; it is 0"]),
        ("run penny --sample 1", &["--csv <FILE>"]),
        ("run penny --rtol -1", &["--rtol must lie between 2e-15 and 0.1; it is -1.0"]),
        ("run penny --rtol 1e-30", &["--rtol must lie between 2e-15 and 0.1; it is 1e-30"]),
        ("run penny --atol 0", &["--atol must be positive; it is 0"]),
        ("run penny --until 1 --set x_dot=1 --set y_dot=0", &["roll_x", "--project-start"]),
        ("run penny --set x=1", &["gap", "front", "penetrated"]),
        ("run penny --set R=1", &["penetrated with --set R=1", "or other parameters"]),
        ("derive penny --format rust --part contacts", &["--part needs --format text"]),
        ("run penny --csv nowhere/a.csv", &["--csv: cannot write nowhere/a.csv"]),
        ("run penny --csv .", &["--csv: cannot write ."]),
        ("run penny --plot a.jpg", &["ends in .svg or .png"]),
        ("run penny --plot -", &["ends in .svg or .png"]),
        ("run penny --csv a.csv --events a.csv", &["--csv and --events both write to a.csv"]),
        ("dance", &["unrecognized subcommand"]),
    ];
    for (arguments, texts) in table {
        check(&here, arguments, 2, texts);
    }
    assert_eq!(fs::read_dir(&here).unwrap().count(), 0, "nothing was run, nothing is left");
}

#[test]
fn the_parts_of_the_equations_make_the_whole() {
    let here = directory("parts");
    let whole = check(&here, "derive penny", 0, &[]);
    let motion = check(&here, "derive penny --part equations", 0, &["Equations of motion"]);
    let contacts = check(&here, "derive penny --part contacts", 0, &["Contact front"]);
    assert_eq!(whole, format!("{motion}\n{contacts}"));
}

#[test]
fn a_refused_start_leaves_older_results_alone() {
    let here = directory("older");
    fs::write(here.join("old.csv"), "kept").unwrap();
    check(&here, "run penny --set x=1 --csv old.csv --events new.csv", 2, &["penetrated"]);
    assert_eq!(fs::read_to_string(here.join("old.csv")).unwrap(), "kept");
    assert!(!here.join("new.csv").exists());
}

#[test]
fn a_run_that_ends_early_exits_with_one_and_keeps_what_it_has() {
    let here = directory("early");
    // A penny at rest on a level table never reaches the edge.
    let arguments = "run penny --set theta_dot=0 --set phi_dot=0 --impacts 1 --csv s.csv";
    check(&here, arguments, 1, &["end          stopped at t = ", "impacts      0"]);
    assert!(fs::read_to_string(here.join("s.csv")).unwrap().lines().count() > 1);
}

#[test]
fn unicode_and_ascii_names_give_the_same_bytes() {
    let here = directory("spelling");
    let spellings = [
        "--set φ=pi/3 --set θ̇=9 --set φ̇=-0.3",
        "--set phi=π/3 --set theta_dot=9 --set phi_dot=-0.3",
    ];
    let runs = spellings
        .map(|sets| check(&here, &format!("run penny --impacts 3 --csv - {sets}"), 0, &["t,x,y"]));
    assert_eq!(runs[0], runs[1]);
    assert!(runs[0].lines().count() > 10);
}

#[test]
fn samples_have_all_digits_and_the_interval_asked_for() {
    let here = directory("samples");
    let text = check(&here, "run penny --until 1 --sample 0.3 --csv -", 0, &[]);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("t,x,y,theta,phi,x_dot,y_dot,theta_dot,phi_dot"));
    let rows: Vec<Vec<f64>> =
        lines.map(|line| line.split(',').map(|number| number.parse().unwrap()).collect()).collect();
    let times: Vec<f64> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(times, [0.0, 0.3, 0.6, 0.3 * 3.0, 1.0]);
    for row in rows {
        // The exact arc (26): φ = ωt + φ₀, x = (Ω/ω) R (sin φ − sin φ₀), y = −(Ω/ω) R (cos φ − cos φ₀).
        let φ = 0.2 * row[0] + std::f64::consts::FRAC_PI_2;
        let exact = [0.5 * (φ.sin() - 1.0), -0.5 * φ.cos(), 10.0 * row[0], φ];
        for (found, exact) in row[1..5].iter().zip(exact) {
            assert!((found - exact).abs() < 1e-14, "{found} {exact}");
        }
    }
}

#[test]
fn events_have_both_sides_of_the_velocity() {
    let here = directory("events");
    let text = check(&here, "run penny --events -", 0, &[]);
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some(
            "t,event,contact,x,y,theta,phi,x_dot-,y_dot-,theta_dot-,phi_dot-,\
             x_dot+,y_dot+,theta_dot+,phi_dot+"
        )
    );
    assert_eq!(lines.clone().count(), 20);
    let first: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(first[1..3], ["impact", "front"]);
    // tests/data/penny/elliptic_elastic.csv, computed with 60 digits.
    let exact =
        [(0, 1.883_406_920_197_812_6), (3, -0.035_054_768_939_295_73), (14, 4.289_847_485_722_432)];
    for (column, exact) in exact {
        let found: f64 = first[column].parse().unwrap();
        assert!((found - exact).abs() < 1e-12, "{column}: {found} {exact}");
    }
}

#[test]
fn figures_are_the_same_bytes_on_every_run() {
    let here = directory("figures");
    for (extension, opening) in [("svg", &b"<svg "[..]), ("png", b"\x89PNG")] {
        let figure = |name: &str| {
            let file = format!("{name}.{extension}");
            check(&here, &format!("run penny --plot {file}"), 0, &["20"]);
            fs::read(here.join(file)).unwrap()
        };
        let (once, again) = (figure("once"), figure("again"));
        assert!(once == again, "{extension}");
        assert!(once.starts_with(opening), "{extension}");
    }
    let svg = fs::read_to_string(here.join("once.svg")).unwrap();
    for text in ["elliptical table", "impact law: elastic; 20 impacts in 23.77 s", "\n20\n"] {
        assert!(svg.contains(text), "{text}");
    }
}

#[test]
fn a_crowd_of_impacts_has_an_inset() {
    let here = directory("inset");
    for (arguments, has_inset) in [("--set a=0.2 --impact project --impacts 8", true), ("", false)]
    {
        let arguments = format!("run penny --plot a.svg {arguments}");
        check(&here, arguments.trim_end(), 0, &["reached"]);
        let svg = fs::read_to_string(here.join("a.svg")).unwrap();
        assert_eq!(svg.contains("url(#inset)"), has_inset, "{arguments}");
    }
}

#[test]
fn the_figure_does_not_depend_on_the_samples_that_are_written() {
    let here = directory("sampling");
    check(&here, "run penny --plot steps.svg", 0, &[]);
    check(&here, "run penny --plot every.svg --csv every.csv --sample 1", 0, &[]);
    let [steps, every] = ["steps.svg", "every.svg"].map(|name| fs::read(here.join(name)).unwrap());
    assert!(steps == every);
}

/// The whole report, locked: a change of a verdict, of a printed form, of a difference is a diff.
/// After reading it, `INSTA_UPDATE=always cargo test -p eom-cli --test cli` accepts it.
#[test]
fn the_report_on_the_documents() {
    let here = directory("documents");
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.bind(|| {
        insta::assert_snapshot!("documents.text", check(&here, "documents", 0, &[]));
        insta::assert_snapshot!("documents.tsv", check(&here, "documents --format tsv", 0, &[]));
    });
}

#[test]
fn the_report_has_the_columns_it_states() {
    let here = directory("columns");
    let text = check(&here, "documents --format tsv", 0, &[]);
    let columns: Vec<usize> = text.lines().map(|line| line.split('\t').count()).collect();
    assert!(columns.iter().all(|count| *count == 6));
    let head = "document\tequation\tverdict\tprinted\tcorrected\tdifference";
    assert_eq!(text.lines().next(), Some(head));
}

/// What an SVG shows, coarsely: its words, and for each curve the number of its points with the
/// first and the last in whole units of the page.
fn gist(svg: &str) -> String {
    let mut lines = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or((part, ""));
        if (tag.starts_with("text") || tag.starts_with("tspan")) && !text.trim().is_empty() {
            lines.push(format!("  {}", text.trim()));
        }
        if let Some((_, data)) = tag.split_once(" d=\"") {
            let data = data.split('"').next().unwrap_or_default().trim_end_matches('Z');
            let points: Vec<&str> = data.split(['M', 'L']).filter(|p| !p.is_empty()).collect();
            let whole = |point: &str| -> Vec<f64> {
                point.split(',').map(|number| number.parse::<f64>().unwrap().round()).collect()
            };
            let [from, to] = [points[0], points[points.len() - 1]].map(whole);
            lines.push(format!("  {} points from {from:?} to {to:?}", points.len()));
        }
    }
    lines.join("\n")
}

/// The figures of the documents, locked by what they show.
#[test]
fn the_figures_of_the_documents() {
    let here = directory("document_figures");
    check(&here, "figures --out . --format svg", 0, &["penny-1", "penny-5.svg"]);
    let mut names: Vec<PathBuf> =
        fs::read_dir(&here).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    let gists: Vec<String> = names
        .iter()
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            format!("{name}\n{}", gist(&fs::read_to_string(path).unwrap()))
        })
        .collect();
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("figures", gists.join("\n\n")));
    check(&here, "figures penny-5 --out again", 0, &["penny-5.png"]);
    let [once, again] =
        ["penny-5.svg", "again/penny-5.svg"].map(|f| fs::read(here.join(f)).unwrap());
    assert!(once == again, "the same bytes on every run");
}

/// The pages of the book and the models say the same; `cargo eom book` makes them do so.
#[test]
fn the_book_is_as_the_models_have_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    check(root, "book --check", 0, &["pages and figures are as the models have them"]);
}

/// The files of the models and their Rust sources say the same; `cargo eom models --out models/eom`
/// makes them do so.
#[test]
fn the_files_are_as_the_models_have_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    check(root, "models --out models/eom --check", 0, &["files are as the models have them"]);

    let here = directory("models");
    let sources = root.join("models/src").display().to_string();
    let call = format!("models --models {sources} --out files");
    check(&here, &call, 0, &["written:\n  files/surface-particle.eom\n"]);
    check(&here, &call, 0, &["files are as the models have them"]);
    let penny = here.join("files/penny.eom");
    let text = fs::read_to_string(&penny).unwrap();
    fs::write(&penny, text.replace("0.0025", "0.0026")).unwrap();
    let complaint = check(&here, &format!("{call} --check"), 2, &["run `eom models --out files`"]);
    assert!(complaint.ends_with("\n  files/penny.eom\n"), "{complaint}");
    let written = fs::read_dir(here.join("files")).unwrap().count();
    assert_eq!(written, models::catalogue().len(), "nothing else is left behind");
}
