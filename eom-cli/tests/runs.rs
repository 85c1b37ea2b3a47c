//! Runs as their users meet them: scenario files, sweeps, formats, figures.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::eom;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// An empty directory of its own for each test.
fn directory(test: &str) -> PathBuf {
    let path = common::folder(&format!("runs/{test}"));
    fs::write(path.join("pendulum.eom"), PENDULUM).unwrap();
    path
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn read(directory: &Path, file: &str) -> String {
    fs::read_to_string(directory.join(file)).unwrap()
}

/// A pendulum that hits a wall.
const PENDULUM: &str = "/// A pendulum beside a wall.
system Pendulum {
    coordinates {
        /// Angle from below, rad.
        θ
    }
    parameters { m = 1 where m > 0, l = 1, g = 9.81, e = 1/2 where e >= 0 && e <= 1 }
    inputs { F }
    function f(θ) = 0;
    kinetic = m/2*l^2*θ̇^2;
    potential = -m*g*l*cos(θ) + f;
    force θ = F;
    contact wall { gap = 2 - θ; impact = restitution(e); }
    event lowest { guard = θ; both; }
    /// Height above the lowest point, m.
    output height = l*(1 - cos(θ));
    scenario swing { θ = 1; until t = 3; }
    scenario whirl { θ̇ = 8; until impacts = 2; }
}
";

const FULL: &str = r#"# all of it
[state]
from = "whirl"
t = 0.5
q = { theta = "pi/6" }
v = { "θ" = 7 }

[parameters]
l = 2
"e" = "l/4"
m = 4

[functions]
f = "theta^2/10"

[inputs]
F = 0.25

[end]
time = 30
events = 3

[solver]
rtol = 1e-12
impact = "restitution=1/4"
steps = 1_000_000
step_max = "1/8"

[output]
csv = "samples.csv"
events = "events.jsonl"
plot = ["t:energy", "theta:theta_dot=phase.svg"]
sample = 0.1
"#;

#[test]
fn a_scenario_file_says_what_options_say() {
    let here = directory("scenario");
    fs::write(here.join("s.toml"), FULL).unwrap();
    let [said, _] = eom(&here, "run pendulum.eom --scenario s.toml", 0);
    for text in [
        "scenario     whirl",
        "m = 4, l = 2, g = 9.81, e = 0.5",
        "inputs       F = 0.25",
        "impact law   restitution 0.25",
        "start        t = 0.5, θ = 0.523598775598298",
        "end          reached 3 events at t = ",
        "figure       pendulum-t-energy.svg",
    ] {
        assert!(said.contains(text), "misses `{text}` in\n{said}");
    }
    let first = read(&here, "samples.csv").lines().take(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(first[0], "t,theta,theta_dot,height");
    assert!(first[1].starts_with("0.5,0.5235987755982988,7.0,"), "{}", first[1]);
    assert!(read(&here, "events.jsonl").contains(r#""event":"event","contact":"lowest""#));
    assert!(read(&here, "phase.svg").contains("<svg"));
    // The same by options, but for what has none.
    fs::write(here.join("end.toml"), "[state]\nfrom = 'whirl'\n[solver]\nstep_max = 0.125\n")
        .unwrap();
    let options = "--set t=0.5 --set theta=pi/6 --set theta_dot=7 --set m=4 --set l=2 --set e=l/4 \
        --set f=theta^2/10 --set F=0.25 --rtol 1e-12 --impact restitution=1/4 \
        --until 30 --until-event events=3 --sample 0.1 --csv - --scenario end.toml";
    let [samples, _] = eom(&here, &format!("run pendulum.eom {options}"), 0);
    assert_eq!(samples, read(&here, "samples.csv"));
    // What the command line says stands above the file.
    let above = "run pendulum.eom --scenario s.toml --set l=1 --set theta=0.1 --until 0.7 --csv -";
    let [samples, summary] = eom(&here, above, 0);
    assert!(samples.lines().nth(1).unwrap().starts_with("0.5,0.1,7.0"), "{samples}");
    assert!(
        summary.contains("m = 4, l = 1, g = 9.81, e = 0.25") && summary.contains("reached t = 0.7"),
        "{summary}"
    );
}

/// Every mistake at its place, in one go.
#[test]
fn mistakes_of_a_scenario_file_stand_under_their_lines() {
    let here = directory("mistakes");
    let table = [
        (
            "names.toml",
            r#"[state]
from = "swings"
q = { thetta = 1, theta = 2, "θ" = 3 }
v = { x_dot = 1 }
solve = ["phi"]

[parameters]
mm = 1
l = true
F = 3

[ends]
time = 1

[end]
impacts = 0
event = "lowst"
event_s = 2

[solver]
rtoll = 1e-9
project_start = "yes"

[output]
csv = 3
plots = "x.svg"

[sweep]
e = { from = 0, to = 1, steps = 5 }
a = [1]
f = [1]
m = []
l = 1
"#,
        ),
        (
            "values.toml",
            "[state]\nq = { theta = \"1/0\" }\nv = { theta = \"2*\" }\n[parameters]\nl = nan\nm = \"k\"\n[functions]\nf = \"x^2\"\n[end]\ntime = 1\n",
        ),
        (
            "later.toml",
            "[state]\nq = { theta = \"1/0\" }\nv = { theta = \"2*\" }\n[end]\ntime = 1\n",
        ),
        ("syntax.toml", "[state]\nq = { θ = 1 }\n[parameters\nm = 1\n[end]\ntime = \n"),
        ("bound.toml", "[parameters]\ne = 2\n"),
        ("end.toml", "[state]\nt = 5\n[end]\ntime = 1\n"),
        ("solver.toml", "[solver]\nrtol = 1e-30\n"),
        ("law.toml", "[solver]\nimpact = \"elastc\"\n"),
        ("plot.toml", "[output]\nplot = \"t:energie\"\n"),
        ("none.toml", "[state]\nq = { theta = 1 }\n"),
    ];
    let mut said = Vec::new();
    for (name, text) in table {
        fs::write(here.join(name), text).unwrap();
        let [_, stderr] = eom(&here, &format!("run pendulum.eom --scenario {name}"), 2);
        said.push(format!("$ eom run pendulum.eom --scenario {name}\n{stderr}"));
    }
    assert!(said.iter().all(|text| !text.contains('\u{1b}')), "no colours");
    snapshot("scenario_mistakes", &said.join("\n"));
    let [_, coloured] = eom(&here, "run pendulum.eom --scenario bound.toml --color always", 2);
    assert!(coloured.contains('\u{1b}'));
}

#[test]
fn arguments_that_make_no_runs_are_refused() {
    let here = directory("refused");
    let table: &[(&str, &[&str])] = &[
        ("--scenario none.toml", &["--scenario: cannot read none.toml"]),
        ("--sweep e", &["--sweep e: write e=FROM:TO:COUNT or e=V1,V2,…"]),
        ("--sweep e=0:1", &["write e=FROM:TO:COUNT"]),
        ("--sweep e=0..1", &["--sweep e=0..1: write e=FROM:TO:COUNT"]),
        ("--sweep e=0:1:0", &["`0` is not a number of values, 1 or more"]),
        ("--sweep e=0:1:99999999999", &["more than 10000000 runs are too many"]),
        ("--sweep e=0:1:9999 --sweep l=1:2:9999", &["more than 10000000 runs are too many"]),
        ("--sweep e=0,a", &["there is no `a` here, only pi"]),
        ("--sweep ee=0,1", &["did you mean `e`?"]),
        ("--sweep f=0,1", &["`f` is a function"]),
        ("--sweep e=0,1 --sweep e=1,2", &["`e` is swept already"]),
        ("--sweep e=0,1 --set e=1", &["`e` is set by --set, too"]),
        ("--sweep e=0,1 --jobs 0", &["--jobs must be at least 1"]),
        ("--sweep e=0:1:20 --plot a.svg", &["20 runs are too many for a figure"]),
        ("--sweep e=0,1 --ledger", &["--ledger is of one run"]),
        ("--sweep e=0,1 --resume", &["--resume needs --table FILE"]),
        ("--resume", &["--resume goes on with a sweep"]),
        ("--csv a.csv --jsonl a.csv", &["--csv and --jsonl both write to a.csv"]),
        ("--parquet no/a.parquet", &["--parquet: cannot write no/a.parquet"]),
        ("--sample 1", &["--sample needs samples to write"]),
        ("--plot t:energi", &["did you mean `energy`?", "θ̇, θ̈, momentum(θ), height, gap(wall)"]),
        ("--plot t:2*m", &["`2*m` does not change along a run"]),
        ("--plot t:theta*k", &["there is no `k` here"]),
        ("--plot t:energy=a.jpg", &["ends in .svg, .png or .pdf", "axes are written x,y"]),
        ("--plot t:energy --plot t:energy", &["both write to pendulum-t-energy.svg"]),
    ];
    for (arguments, texts) in table {
        let [_, said] = eom(&here, &format!("run pendulum.eom {arguments}"), 2);
        for text in *texts {
            assert!(said.contains(text), "{arguments}\nmisses `{text}` in\n{said}");
        }
    }
    assert_eq!(fs::read_dir(&here).unwrap().count(), 1, "nothing was run, nothing is left");
}

/// The numbers of all formats are those of CSV, to the last bit.
/// The tolerance of each entry is the one for all where they are the same, and is looked at where they are not; a file
/// says it as a table.
#[test]
fn tolerances_of_entries() {
    let here = directory("tolerances");
    let of = "[state]\nfrom = \"swing\"\n[end]\ntime = 3\n[solver]\natol = { theta = 1e-3, \"θ̇\" = 1e-3 }\n";
    fs::write(here.join("own.toml"), of).unwrap();
    let samples = |options: &str| {
        let call = "run pendulum.eom --until 3 --rtol 1e-13 --method runge-kutta --csv a.csv";
        eom(&here, format!("{call} {options}").trim(), 0);
        read(&here, "a.csv")
    };
    let all = samples("--atol 1e-3");
    assert_eq!(samples("--atol theta=1e-3 --atol θ̇=1e-3"), all);
    assert_eq!(samples("--atol 1e-3 --atol theta=1e-3"), all);
    assert_eq!(samples("--scenario own.toml"), all);
    assert_eq!(samples("--scenario own.toml --atol 1e-16"), samples(""));
    let one = samples("--atol theta=1e-3");
    assert!(one != all && one != samples(""));
}

#[test]
fn formats_hold_the_same_numbers() {
    let here = directory("formats");
    let call = "run pendulum.eom --scenario whirl --csv a.csv --jsonl a.jsonl --parquet a.parquet";
    eom(&here, &format!("{call} --events e.parquet"), 0);
    eom(&here, "run pendulum.eom --scenario whirl --events e.csv", 0);
    let csv = read(&here, "a.csv");
    let mut lines = csv.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let numbers = |line: &str| line.split(',').map(|n| n.parse().unwrap()).collect::<Vec<f64>>();
    let rows: Vec<Vec<f64>> = lines.map(numbers).collect();
    assert!(rows.len() > 20);
    let json: Vec<serde_json::Value> =
        read(&here, "a.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json.len(), rows.len());
    for (row, object) in rows.iter().zip(&json) {
        let found: Vec<f64> = names.iter().map(|name| object[name].as_f64().unwrap()).collect();
        assert_eq!(row, &found);
    }
    let reader = SerializedFileReader::new(File::open(here.join("a.parquet")).unwrap()).unwrap();
    let columns: Vec<Vec<f64>> = reader
        .get_row_iter(None)
        .unwrap()
        .map(|row| {
            let row = row.unwrap();
            row.get_column_iter().map(|(_, field)| field.to_string().parse().unwrap()).collect()
        })
        .collect();
    assert_eq!(columns, rows);
    let file = reader.metadata().file_metadata();
    assert_eq!(usize::try_from(file.num_rows()), Ok(rows.len()));
    let pairs = file.key_value_metadata().unwrap();
    let doc = |key: &str| pairs.iter().find(|pair| pair.key == key).unwrap().value.clone();
    assert_eq!(doc("theta").as_deref(), Some("Angle from below, rad."));
    let events = SerializedFileReader::new(File::open(here.join("e.parquet")).unwrap()).unwrap();
    let first = events.get_row_iter(None).unwrap().next().unwrap().unwrap().to_string();
    let line = read(&here, "e.csv").lines().nth(1).unwrap().to_owned();
    assert!(first.contains("event: \"impact\", contact: \"wall\""), "{first}");
    assert!(
        line.split(',').nth(1) == Some("impact") && first.contains(line.split(',').next().unwrap())
    );
}

const SWEEP: &str = "[[state]]\nname = \"slow\"\nv = { theta = 7 }\n[[state]]\nq = { theta = 1 }\n\
v = { theta = 8 }\n[sweep]\ne = [0.25, \"1/2\", 3]\nl = { from = 1, to = 2, count = 3 }\n\
[end]\nimpacts = 2\ntime = 20\n";

/// All combinations, the last name first; runs that end early or are refused stop no others.
#[test]
fn a_sweep_tells_every_run() {
    let here = directory("sweep");
    fs::write(here.join("s.toml"), SWEEP).unwrap();
    let [said, _] = eom(
        &here,
        "run pendulum.eom --scenario s.toml --table runs.csv --events events.csv --jobs 2",
        1,
    );
    assert!(said.contains("runs         18: 12 complete, 6 refused"), "{said}");
    let table = read(&here, "runs.csv");
    assert_eq!(
        table.lines().next().unwrap(),
        "run,state,e,l,ended,reason,t_end,theta_end,theta_dot_end,energy,energy_change,impacts,events,steps"
    );
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let rows: Vec<Vec<String>> =
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    assert_eq!(rows.len(), 18);
    let starts = ["slow", "2"];
    for (run, row) in rows.iter().enumerate() {
        let (e, l) = (["0.25", "0.5", "3.0"][run / 3 % 3], ["1.0", "1.5", "2.0"][run % 3]);
        assert_eq!(row[..4], [&run.to_string(), starts[run / 9], e, l], "{row:?}");
        let refused = e == "3.0";
        assert_eq!(row[4], if refused { "refused" } else { "complete" }, "{row:?}");
        assert_eq!(row[6].is_empty(), refused, "{row:?}");
        assert_eq!(row[5].contains("violates its bound"), refused, "{row:?}");
    }
    // Each run is the one that the same options make.
    let alone = "run pendulum.eom --set theta=1 --set theta_dot=8 --set e=1/2 --set l=1.5 --until 20 --impacts 2 --events -";
    let [alone, _] = eom(&here, alone, 0);
    let events = read(&here, "events.csv");
    let of_run = |run: &str| {
        let start = format!("{run},");
        let lines = events.lines().filter_map(|line| line.strip_prefix(&start));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(of_run("13"), alone.lines().skip(1).collect::<Vec<_>>());
    assert!(!here.join("runs.csv.partial").exists());
    // In words, without a table; --set takes an axis of the file away.
    let [said, _] = eom(&here, "run pendulum.eom --scenario s.toml --set e=1/2 --jobs 1", 0);
    assert!(said.contains("     3  2, l = 1: reached 2 impacts at t = "), "{said}");
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let here = directory("threads");
    for jobs in ["1", "2", "5"] {
        let outputs = format!(
            "--table r{jobs}.parquet --csv s{jobs}.csv --events e{jobs}.jsonl --jobs {jobs}"
        );
        eom(
            &here,
            &format!("run pendulum.eom --scenario whirl --until 3 --sweep e=0.1:0.9:9 {outputs}"),
            0,
        );
    }
    for (name, end) in [("r", "parquet"), ("s", "csv"), ("e", "jsonl")] {
        let [one, two, five] =
            ["1", "2", "5"].map(|jobs| fs::read(here.join(format!("{name}{jobs}.{end}"))).unwrap());
        assert!(one == two && one == five && one.len() > 500, "{name}");
    }
}

/// Figures along axes of one's own, by what they show.
#[test]
fn figures_have_the_axes_that_are_asked_for() {
    let here = directory("axes");
    let table: &[(&str, &str, &[&str])] = &[
        ("x,y", "penny-x-y.svg", &["elliptical table", "(m)", "edge of the table"]),
        ("t:energy", "penny-t-energy.svg", &["energy against t", "(s)", "impact, numbered"]),
        ("phi:phi_dot", "penny-phi-phi_dot.svg", &["φ̇ against φ"]),
        ("t:λ(roll_x)", "penny-t-lambda_roll_x.svg", &["λ(roll_x) against t"]),
        ("t:gap(front)=gap.svg", "gap.svg", &["gap(front) against t"]),
        ("t:phi_ddot=acceleration.svg", "acceleration.svg", &["φ̈ against t"]),
        ("t:sqrt(x^2 + y^2)/a=r.svg", "r.svg", &["sqrt(x^2 + y^2)/a against t"]),
    ];
    for (spec, file, texts) in table {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eom"));
        let output = command.current_dir(&here).args(["run", "penny", "--plot", spec]).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{spec}: {}", String::from_utf8_lossy(&output.stderr));
        let svg = read(&here, file);
        for text in *texts {
            assert!(svg.contains(text), "{spec}: misses {text} in {svg}");
        }
    }
    let call =
        "run pendulum.eom --plot t:energy --plot theta:theta_dot --plot scene.svg --format png";
    let [said, _] = eom(&here, call, 0);
    assert!(said.contains("figure       pendulum-t-energy.png"), "{said}");
    assert!(fs::read(here.join("pendulum-theta-theta_dot.png")).unwrap().starts_with(b"\x89PNG"));
    // Between an event and the end of a step that it cuts there is next to nothing: no spike.
    eom(&here, "run pendulum.eom --until 6 --plot theta:theta_dot=ring.svg", 0);
    let ring = read(&here, "ring.svg");
    let data = ring.split(" d=\"M").skip(1).filter_map(|path| Some(path.split_once('"')?.0));
    let number = |text: &str| text.parse::<f64>().unwrap();
    let points: Vec<[f64; 2]> = data
        .filter(|data| data.matches('L').count() > 50)
        .flat_map(|data| data.split('L').filter_map(|point| point.split_once(',')))
        .map(|(x, y)| [number(x), number(y)])
        .collect();
    let [x, y] = [0, 1].map(|i| {
        let values = || points.iter().map(|point| point[i]);
        [values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)]
    });
    for point in &points {
        let part = |value: f64, [low, high]: [f64; 2]| (2.0 * value - low - high) / (high - low);
        let radius = part(point[0], x).hypot(part(point[1], y));
        assert!((0.9..1.1).contains(&radius), "{point:?} is off the ring by {radius}");
    }
    // The runs of a sweep in one frame, each with its own parameters.
    let call = "run pendulum.eom --sweep l=1,2 --plot t:height/l --plot theta:theta_dot=phase.svg";
    let [said, _] = eom(&here, call, 0);
    assert!(said.contains("figure       pendulum-t-height_l.svg"), "{said}");
    let svg = read(&here, "pendulum-t-height_l.svg");
    for text in ["2 runs", "l = 1", "l = 2", "end of the run", "height/l"] {
        assert!(svg.contains(text), "misses {text} in {svg}");
    }
    let scene = read(&here, "scene.svg");
    assert!(scene.contains("A pendulum beside a wall") && scene.contains("(rad)"), "{scene}");
}

/// The page of the book, as its reader follows it: its files, its message, its calls.
#[test]
fn the_page_of_the_book_can_be_followed() {
    let here = directory("page");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let page = fs::read_to_string(root.join("book/src/sweeps.md")).unwrap();
    let blocks: Vec<&str> = page.split("```").skip(1).step_by(2).collect();
    let files: Vec<&str> = blocks.iter().filter_map(|block| block.strip_prefix("toml\n")).collect();
    let [fast, sweep, random, starts] = files[..] else { panic!("{files:?}") };
    let named = [
        ("fast.toml", fast),
        ("sweep.toml", sweep),
        ("random.toml", random),
        ("starts.toml", starts),
    ];
    for (name, text) in named {
        fs::write(here.join(name), text).unwrap();
    }
    let calls = blocks.iter().filter_map(|block| block.strip_prefix("sh\n")).flat_map(str::lines);
    let calls: Vec<String> = calls
        .filter_map(|line| line.strip_prefix("eom "))
        .map(|call| call.replace('"', ""))
        .collect();
    assert!(calls.len() > 7, "{calls:?}");
    for call in &calls {
        eom(&here, call, 0);
    }
    for file in ["sleigh-x-y.svg", "sleigh-t-energy.png", "distance.svg", "impacts.parquet"] {
        assert!(here.join(file).exists(), "{file}");
    }
    let by_options = read(&here, "runs.csv");
    eom(&here, "run sleigh.eom --scenario sweep.toml --table again.csv", 0);
    assert_eq!(read(&here, "again.csv"), by_options);

    let message = blocks.iter().find_map(|block| block.strip_prefix("text\n")).unwrap();
    fs::write(here.join("fast.toml"), fast.replace("\ne = ", "\nee = ")).unwrap();
    assert_eq!(eom(&here, "run sleigh.eom --scenario fast.toml", 2)[1], message);
}

#[test]
fn shells_are_served() {
    let here = directory("shells");
    let table = [
        ("bash", "complete -F _eom"),
        ("zsh", "#compdef eom"),
        ("fish", "complete -c eom"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion:arg-completer[eom]"),
    ];
    for (shell, text) in table {
        let [script, _] = eom(&here, &format!("completions {shell}"), 0);
        assert!(script.contains(text) && script.contains("scenario"), "{shell}");
    }
    assert_eq!(eom(&here, "run penny --quiet", 0), ["", ""]);
    assert_eq!(eom(&here, "run penny -q --events -", 0)[1], "");
    let idle = "system S { coordinates { x } parameters { idle = 1 } kinetic = ẋ^2/2; }";
    fs::write(here.join("idle.eom"), idle).unwrap();
    assert!(eom(&here, "run idle.eom --until 1", 0)[1].contains("unused_parameter"));
    assert_eq!(eom(&here, "run idle.eom --until 1 --quiet", 0), ["", ""]);
    let [coloured, plain] = ["always", "never"]
        .map(|when| eom(&here, &format!("run --color {when} --help"), 0)[0].clone());
    assert!(coloured.contains('\u{1b}') && !plain.contains('\u{1b}'));
}
