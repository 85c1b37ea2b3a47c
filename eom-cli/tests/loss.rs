//! Nothing is lost: files that a command was not asked to write stay as they are, and what could not
//! be written is said.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A ball on a floor.
const BALL: &str = "/// A ball.
system Ball {
    coordinates { x }
    parameters { g = 9.81 }
    kinetic = ẋ^2/2;
    potential = g*x;
    contact floor { gap = x; impact = restitution(0.5); }
    scenario drop { x = 1; until t = 1; }
}
";

/// A folder of its own for each case, with the ball and files that are dear to their owner.
fn folder(case: &str) -> PathBuf {
    let name: String =
        case.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let name: String = name.chars().take(100).collect();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("loss").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(path.join("sub")).unwrap();
    fs::write(path.join("ball.eom"), BALL).unwrap();
    fs::write(path.join("dear.csv"), "dear\n").unwrap();
    path
}

/// Runs a line of a shell, in which `eom` is the command.
fn shell(here: &Path, line: &str) -> Output {
    let folder = Path::new(env!("CARGO_BIN_EXE_eom")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    Command::new("bash").args(["-c", line]).current_dir(here).env("PATH", path).output().unwrap()
}

/// Every file below a folder with its bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.is_file() {
            found.insert(path.clone(), fs::read(&path).unwrap());
        } else {
            found.insert(path, Vec::new());
        }
    }
    found
}

/// A line after some preparations: its exit code, texts on either stream. Unless the code is 0 all
/// files are as they were; there is no other file but `new` ones.
fn check(prepare: &str, line: &str, code: i32, texts: &[&str], new: &[&str]) {
    let here = folder(&format!("{prepare} {line}"));
    let prepared = shell(&here, prepare);
    assert!(prepared.status.success(), "{prepare}: {prepared:?}");
    let before = files(&here);
    let output = shell(&here, line);
    let said = [output.stdout, output.stderr].map(|b| String::from_utf8_lossy(&b).into_owned());
    let context = format!("$ {prepare}\n$ {line}\n{}{}", said[0], said[1]);
    assert_eq!(output.status.code(), Some(code), "{context}");
    for text in texts {
        assert!(said.iter().any(|s| s.contains(text)), "misses `{text}` in\n{context}");
    }
    assert!(!said[1].contains("panicked"), "{context}");
    let mut after = files(&here);
    for name in new {
        let bytes = after.remove(&here.join(name));
        assert!(bytes.is_some_and(|bytes| !bytes.is_empty()), "{name} is missing\n{context}");
    }
    let kept: Vec<_> =
        before.iter().filter(|(path, _)| !new.iter().any(|n| here.join(n) == **path)).collect();
    assert_eq!(after.iter().collect::<Vec<_>>(), kept, "{context}");
}

/// No output is an input or another output, whatever it is called: nothing is written.
#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn an_output_that_is_another_file_is_refused() {
    let links = "ln -s ball.eom soft.eom; ln ball.eom hard.csv; ln -s $PWD/dear.csv link.csv; \
                 ln -s to-come.csv dangling.csv; ln -s sub folder";
    let scenario = |output: &str| format!("printf '[output]\\n{output}\\n' > s.toml; {links}");
    let (csv, plot) =
        (scenario("csv = \"s.toml\""), scenario("csv = \"a.svg\"\\nplot = \"./a.svg\""));
    let (table, model) = (scenario("table = \"r.csv\""), scenario("events = \"ball.eom\""));
    // preparations, line, texts
    let table: &[(&str, &str, &[&str])] = &[
        (
            "",
            "eom run ball.eom --csv ball.eom",
            &["--csv ball.eom would overwrite the model ball.eom"],
        ),
        ("", "eom run ball.eom --csv ./ball.eom", &["--csv ./ball.eom would overwrite the model"]),
        ("", "eom run ./ball.eom --jsonl sub/../ball.eom", &["--jsonl", "the model ./ball.eom"]),
        ("", "eom run ball.eom --parquet $PWD/ball.eom", &["--parquet", "the model ball.eom"]),
        ("", "cd sub; eom run ../ball.eom --events ../sub/../ball.eom", &["--events"]),
        ("", "eom run ball.eom --table ball.eom", &["--table ball.eom would overwrite the model"]),
        (
            links,
            "eom run ball.eom --csv soft.eom",
            &["--csv soft.eom would overwrite the model ball.eom"],
        ),
        (links, "eom run soft.eom --csv ball.eom", &["the model soft.eom"]),
        (
            links,
            "eom run ball.eom --events hard.csv",
            &["--events hard.csv would overwrite the model"],
        ),
        (
            links,
            "eom run ball.eom --csv dear.csv --events link.csv",
            &["--csv dear.csv and --events link.csv"],
        ),
        (
            links,
            "eom run ball.eom --csv to-come.csv --events dangling.csv",
            &["both write to one file"],
        ),
        (
            links,
            "eom run ball.eom --csv sub/new.csv --events folder/new.csv",
            &["both write to one file"],
        ),
        (
            links,
            "eom generate ball.eom --lang c --out hard.csv",
            &["--out hard.csv would overwrite"],
        ),
        (links, "eom generate soft.eom --lang python --out ./ball.eom", &["the model soft.eom"]),
        (
            "",
            "eom generate ball.eom --lang rust --out ball.eom",
            &["--out ball.eom would overwrite"],
        ),
        (
            "",
            "eom run ball.eom --csv a.csv --events ./a.csv",
            &["--csv a.csv and --events ./a.csv"],
        ),
        ("", "eom run ball.eom --csv no/../a.csv --events a.csv", &["--csv", "--events"]),
        (
            "",
            "eom run ball.eom --csv a.svg --plot sub/../a.svg",
            &["--csv a.svg and --plot sub/../a.svg"],
        ),
        (
            "",
            "eom run ball.eom --plot t:x --plot t:x=ball-t-x.svg",
            &["both write to ball-t-x.svg"],
        ),
        ("", "eom run ball.eom --csv - --events /dev/stdout", &["both write to standard output"]),
        (
            "",
            "eom run ball.eom --csv - --events -",
            &["--csv and --events both write to standard output"],
        ),
        ("", "eom run ball.eom --table r.csv --events r.csv.partial", &["the journal of --table"]),
        (
            "",
            "eom run ball.eom --csv - >> dear.csv --events dear.csv",
            &["standard output goes to --events dear.csv"],
        ),
        (
            "",
            "eom run ball.eom --csv dear.csv >> dear.csv",
            &["standard output goes to --csv dear.csv"],
        ),
        (
            "",
            "eom run ball.eom --csv dear.csv 2> err >> dear.csv; code=$?; cat err; rm err; exit $code",
            &["standard output"],
        ),
        (
            "",
            "eom generate ball.eom --lang c >> ball.eom",
            &["standard output goes to the model ball.eom"],
        ),
        ("", "eom derive ball.eom >> ball.eom", &["standard output goes to the model ball.eom"]),
        ("", "eom check ball.eom >> ball.eom", &["standard output goes to the model ball.eom"]),
        (
            "echo {} > s.json",
            "eom eval ball.eom --state s.json >> s.json",
            &["goes to --state s.json"],
        ),
        (
            &csv,
            "eom run ball.eom --scenario s.toml",
            &["`csv` s.toml would overwrite the scenario file"],
        ),
        (
            &model,
            "eom run ./ball.eom --scenario s.toml",
            &["`events` ball.eom would overwrite the model ./ball.eom"],
        ),
        (&plot, "eom run ball.eom --scenario s.toml", &["`csv` a.svg and `plot` ./a.svg"]),
        (&table, "eom run ball.eom --scenario s.toml --events r.csv", &["--events"]),
        (
            &table,
            "eom run ball.eom --scenario s.toml --csv sub/../s.toml",
            &["the scenario file s.toml"],
        ),
        (
            "",
            "eom run ball.eom --table sub/t.csv --csv ./sub/t.csv --sweep g=1,2",
            &["--csv", "--table"],
        ),
        (
            "ln -s ../dear.csv sub/penny-1.svg; ln dear.csv sub/penny-1.png",
            "eom figures penny-1 --out sub",
            &["both write to one file"],
        ),
        (
            "cp ball.eom ball-t-x.svg",
            "eom run ball.eom --plot t:x",
            &["ball-t-x.svg is there already, and is no figure of eom"],
        ),
        (
            "cp ball.eom ball-t-x.png",
            "eom run ball.eom --plot t:x --format png",
            &["ball-t-x.png is there already"],
        ),
    ];
    for (prepare, line, texts) in table {
        check(prepare, line, 2, texts, &[]);
    }
}

/// What is no loss is no refusal.
#[test]
fn files_that_differ_are_written() {
    // preparations, line, texts, files
    let table: &[(&str, &str, &[&str], &[&str])] = &[
        (
            "",
            "eom run ball.eom --csv a.csv --events sub/a.csv",
            &["reached t = 1"],
            &["a.csv", "sub/a.csv"],
        ),
        (
            "",
            "eom run ball.eom --csv a.csv --events A.csv",
            &["reached t = 1"],
            &["a.csv", "A.csv"],
        ),
        ("", "eom run ball.eom --csv /dev/null --events /dev/null", &["reached t = 1"], &[]),
        (
            "",
            "eom run ball.eom --csv /dev/stdout > dear.csv; grep -c ^t,x,x_dot dear.csv",
            &["1\n"],
            &["dear.csv"],
        ),
        (
            "",
            "eom run ball.eom --csv - > dear.csv; grep -c ^t,x,x_dot dear.csv",
            &["1\n"],
            &["dear.csv"],
        ),
        ("", "eom run ball.eom --csv a.csv > log 2>&1", &[], &["a.csv", "log"]),
        (
            "",
            "eom run ball.eom --csv >(cat) --events >(cat) | sort; sleep 0.3",
            &["t,x,x_dot"],
            &[],
        ),
        ("mkfifo p", "cat p & eom run ball.eom --csv p; wait", &["t,x,x_dot", "reached"], &[]),
        (
            "ln -s dear.csv link.csv",
            "eom run ball.eom --csv link.csv; test -L link.csv",
            &[],
            &["dear.csv", "link.csv"],
        ),
        (
            "ln -s to-come.csv link.csv",
            "eom run ball.eom --csv link.csv; test -L link.csv",
            &[],
            &["to-come.csv", "link.csv"],
        ),
        (
            "chmod 640 dear.csv",
            "eom run ball.eom --csv dear.csv; stat -c %a dear.csv",
            &["640"],
            &["dear.csv"],
        ),
        (
            "eom run ball.eom --plot t:x",
            "eom run ball.eom --plot t:x",
            &["ball-t-x.svg"],
            &["ball-t-x.svg"],
        ),
        (
            "eom run ball.eom --plot t:x --format png",
            "eom run ball.eom --plot t:x --format png",
            &[],
            &["ball-t-x.png"],
        ),
        ("", "eom generate ball.eom --lang c --out ball.h", &["wrote ball.h"], &["ball.h"]),
        ("", "eom generate ball.eom --lang c --out - | grep -c Generated", &["1\n"], &[]),
        ("", "eom check <(cat ball.eom)", &["is right"], &[]),
        ("", "eom check ball.eom >> dear.csv", &[], &["dear.csv"]),
        ("", "cat ball.eom | eom check /dev/stdin", &["is right"], &[]),
    ];
    for (prepare, line, texts, new) in table {
        check(prepare, line, 0, texts, new);
    }
}

/// What cannot be written is said, by the exit code, too; what was there before stays.
#[test]
fn output_that_cannot_be_written_is_said() {
    let full = &["No space left"][..];
    let closed = &["cannot write standard output"][..];
    // line, texts, files
    let mut table: Vec<(String, &[&str], &[&str])> = vec![
        ("eom run ball.eom --csv - >&-".into(), closed, &[]),
        ("eom run ball.eom --csv dear.csv >&-".into(), closed, &["dear.csv"]),
        ("eom run ball.eom --csv - --events e.csv >&-".into(), closed, &["e.csv"]),
        ("eom run ball.eom --csv - > /dev/full".into(), full, &[]),
        (
            "eom run ball.eom --events /dev/full --csv - | head -1; exit ${PIPESTATUS[0]}".into(),
            full,
            &[],
        ),
        ("eom run ball.eom --csv /dev/full --events e.csv".into(), full, &["e.csv"]),
        ("eom run ball.eom --plot /dev/full.svg".into(), &["cannot write"], &[]),
        ("eom generate ball.eom --lang c --out no/ball.h".into(), &["cannot write no/ball.h"], &[]),
        ("eom generate ball.eom --lang c --out sub".into(), &["cannot write sub"], &[]),
        ("eom run ball.eom --sweep g=1,2 --table /dev/full".into(), full, &[]),
        (
            "ln -s /dev/full a.svg; eom analyse ball.eom bifurcation --section floor --of x_dot+ \
             --sweep g=9,10 --last 1 --plot a.svg; code=$?; rm a.svg; exit $code"
                .into(),
            &["No space left", "repeats after"],
            &[],
        ),
    ];
    table.retain(|(line, ..)| !line.contains("full.svg"));
    for call in [
        "run ball.eom",
        "check ball.eom",
        "derive ball.eom",
        "derive ball.eom --format json",
        "generate ball.eom --lang c",
        "generate ball.eom --lang rust",
        "models",
        "documents",
        "documents --format tsv",
        "completions bash",
        "figures --list",
        "--help",
        "run --help",
        "--version",
        "eval ball.eom --state <(echo {})",
        "run ball.eom --sweep g=1,2",
        "run ball.eom --ledger",
    ] {
        table.push((format!("eom {call} >&-"), closed, &[]));
        table.push((format!("eom {call} > /dev/full"), full, &[]));
    }
    for (line, texts, new) in &table {
        check("", line, 1, texts, new);
    }
}

/// A reader that leaves is no failure, and a stream of errors that cannot be written no panic.
#[test]
fn a_closed_pipe_ends_quietly() {
    let calls = [
        ("run -q ball.eom --csv - --sample 1e-4", 0),
        ("run -q ball.eom --jsonl - --sample 1e-4", 0),
        ("models", 0),
        ("documents --format tsv", 0),
        ("completions bash", 0),
        ("run --help", 0),
        ("generate penny --lang rust", 0),
        ("check none.eom", 2),
    ];
    for (call, code) in calls {
        check(
            "",
            &format!("eom {call} 2> /dev/full | true; exit ${{PIPESTATUS[0]}}"),
            code,
            &[],
            &[],
        );
        check(
            "",
            &format!("eom {call} 2>&- | head -1 > /dev/null; exit ${{PIPESTATUS[0]}}"),
            code,
            &[],
            &[],
        );
    }
}

/// What cannot be a model is refused, soon and without filling the memory.
#[test]
fn inputs_are_bounded() {
    let table: &[(&str, &str, &[&str])] = &[
        ("ln -s /dev/zero z.eom", "eom check z.eom", &["cannot read z.eom", "larger than 16 MB"]),
        ("ln -s /dev/urandom z.eom", "eom run z.eom", &["larger than 16 MB"]),
        ("truncate -s 17M z.eom", "eom run z.eom", &["larger than 16 MB"]),
        ("mkdir d.eom", "eom check d.eom", &["cannot read d.eom", "directory"]),
        ("mkfifo p.eom", "eom check p.eom", &["cannot read p.eom", "nothing was written into it"]),
        ("printf 'system A {\\n\\xe9' > l.eom", "eom check l.eom", &["line 2 is not UTF-8"]),
        ("ln -s /dev/zero z.toml", "eom run ball.eom --scenario z.toml", &["larger than 4 MB"]),
        ("mkdir d.toml", "eom run ball.eom --scenario d.toml", &["cannot read d.toml"]),
        (
            "printf '\\n\\n\\xff' > l.toml",
            "eom run ball.eom --scenario l.toml",
            &["line 3 is not UTF-8"],
        ),
        ("mkfifo p.toml", "eom run ball.eom --scenario p.toml", &["nothing was written into it"]),
        ("", "eom eval ball.eom --state /dev/zero", &["larger than 256 MB"]),
        ("", "eom eval ball.eom --state sub", &["cannot read it"]),
        (
            "",
            "eom generate ball.eom --lang c --out /dev/zero --check; test $? = 1 && exit 2",
            &["is stale"],
        ),
    ];
    for (prepare, line, texts) in table {
        // 1 GB of addresses is more than a command needs that reads a model.
        let bounded = format!("ulimit -v 1500000; {line}");
        check(prepare, &bounded, 2, texts, &[]);
    }
}

/// The memory of a run does not grow with its length: a million samples within 200 MB of addresses.
/// What asks for very much says so before.
#[test]
fn samples_go_to_the_file_as_they_come() {
    let bounded = "ulimit -v 200000; eom run ball.eom --until 2 --sample 2e-6 -q";
    for format in ["csv", "jsonl", "parquet"] {
        let name = format!("s.{format}");
        check("", &format!("{bounded} --{format} {name}"), 0, &[], &[&name]);
    }
    let rows = "--csv - | wc -l; exit ${PIPESTATUS[0]}";
    check("", &format!("{bounded} {rows}"), 0, &["1000002\n"], &[]);
    // Who leaves ends the run: it would last for years.
    let left = "eom run ball.eom --sample 1e-9 --until 1e9 --large --csv - | head -1";
    check("", left, 0, &["t,x,x_dot\n"], &[]);
    let scenario =
        "printf '[output]\nsample = 1e-9\ncsv = \"s.csv\"\n[end]\ntime = 100\n' > s.toml";
    let table: &[(&str, &str, &[&str])] = &[
        (
            "",
            "--sample 1e-9 --until 100 --csv s.csv",
            &["--sample: 1.0e11 samples", "6000 GB", "--large"],
        ),
        ("", "--sample 1e-9 --until 100 --parquet s.pq", &["2400 GB"]),
        ("", "--sample 1e-300 --csv s.csv", &["0e300 samples", "6e292 GB"]),
        ("", "--sample 1e-7 --sweep g=1:2:10 --csv s.csv", &["1.0e8 samples of 3 numbers"]),
        (scenario, "--scenario s.toml", &["1.0e11 samples", "s.toml:2:10"]),
    ];
    for (prepare, arguments, texts) in table {
        check(prepare, &format!("eom run ball.eom {arguments}"), 2, texts, &[]);
    }
    check("", "eom run ball.eom --sample 1e-9 --until 1e-6 --csv s.csv", 0, &[], &["s.csv"]);
}

/// A model of very many mistakes is read as fast as one that is right: 25 are shown.
#[test]
fn very_many_mistakes_are_told_soon() {
    let head = "system A {\n coordinates { x }\n kinetic = ẋ^2/2;\n";
    let some =
        |count: usize, item: &dyn Fn(usize) -> String| -> String { (0..count).map(item).collect() };
    let many = |item: &dyn Fn(usize) -> String| some(20_000, item);
    let long = "q".repeat(90);
    let texts = [
        many(&|i| format!(" potential = q{i};\n")),
        many(&|i| format!(" foo{i} = x;\n")),
        many(&|i| format!(" let a{i} = x + * 2;\n")),
        format!(" scenario s {{ {} until t = 1; }}\n", many(&|i| format!("y{i} = 1; "))),
        format!(" potential = {} x;\n", many(&|i| format!("q{i} + "))),
        some(4900, &|i| format!(" let {long}a{i} = {long}b{i};\n")),
        some(4900, &|i| format!(" let a{i} = x;\n"))
            + &format!(" allow unused_let({});\n", many(&|i| format!("b{i}, "))),
        some(4900, &|i| format!(" output a{i} = x;\n")) + " potential = q;\n",
        format!(" potential = {}x{};\n", "(".repeat(9000), ")".repeat(9000)),
        format!("{} potential = q;\n", "\n".repeat(1_000_000)),
    ];
    for (index, text) in texts.iter().enumerate() {
        let here = folder(&format!("mistakes {index}"));
        fs::write(here.join("a.eom"), format!("{head}{text}}}\n")).unwrap();
        let begun = std::time::Instant::now();
        let output = shell(&here, "eom check a.eom");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{index}");
        assert!(said.contains("a.eom has ") && said.len() < 30_000, "{index}: {}", said.len());
        // Half a second, on a machine that does nothing else.
        assert!(begun.elapsed().as_secs() < 20, "{index}: {:?}", begun.elapsed());
    }
}

/// What is no text is refused, wherever it stands.
#[test]
fn arguments_that_are_no_text_are_refused() {
    let named = "cp ball.eom $(printf 'b\\377.eom')";
    for line in ["eom check $(printf 'b\\377.eom')", "eom run ball.eom --set $(printf 'y\\377=1')"]
    {
        check(named, line, 2, &["UTF-8"], &[]);
    }
}

/// What batch systems send is an interrupt as Ctrl-C is: what was computed is kept, and nothing else is left.
#[test]
fn a_termination_keeps_what_was_computed() {
    for signal in ["INT", "TERM", "HUP"] {
        let run = "eom run ball.eom --until 1e9 --sample 1e-3 --large -q --csv s.csv";
        // A shell has its jobs ignore interrupts, unless they are jobs of their own.
        let line = format!("set -m; {run} & sleep 1; kill -{signal} $!; wait $!");
        check("", &line, 130, &["s.csv"], &["s.csv"]);
    }
}
