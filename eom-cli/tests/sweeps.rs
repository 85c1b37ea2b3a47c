//! Sweeps in chunks as their users meet them: on one machine, by a script of Slurm, interrupted, gathered.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::eom;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A pendulum beside a wall.
const MODEL: &str = "system Pendulum {
    coordinates { θ }
    parameters { m = 1 where m > 0, l = 1, g = 9.81, e = 1/2 where e >= 0 && e <= 1 }
    kinetic = m/2*l^2*θ̇^2;
    potential = -m*g*l*cos(θ);
    contact wall { gap = 2 - θ; impact = restitution(e); }
    scenario swing { θ = 1; θ̇ = 4; until t = 1; }
}
";

const SWEEP: &str = "[sweep]\ne = { from = 0, to = 1, count = 7 }\ntheta = [0, 0.5, 1, 3]\n";

/// An empty folder of its own for each test, with the model and the sweep.
fn folder(test: &str) -> PathBuf {
    let path = common::folder(&format!("sweeps/{test}"));
    fs::write(path.join("p.eom"), MODEL).unwrap();
    fs::write(path.join("s.toml"), SWEEP).unwrap();
    path
}

/// What no chunk could be of is refused before there is a folder.
#[test]
fn samples_of_no_chunk_are_refused() {
    let at = folder("samples");
    let table = [
        ("--sample 0", "--sample: it must be positive; it is 0.0"),
        ("--sample=-1", "--sample: it must be positive; it is -1.0"),
        // 28 runs of a second, or 7: 3 numbers of 32 bytes 10⁹ or 10⁷ times a second.
        ("--sample 1e-9", "--sample: 2.8e10 samples of 3 numbers are about 2688 GB"),
        ("--sample 1e-7 --size 7", "--sample: 7.0e7 samples of 3 numbers are about 7 GB"),
    ];
    for (options, said) in table {
        let [_, error] = eom(&at, &format!("sweep p.eom s.toml --out out {options}"), 2);
        assert!(error.contains(said), "{options}: {error}");
        assert!(!at.join("out").exists(), "{options}");
    }
}

/// The names and bytes of the chunks of a table.
fn chunks(folder: &Path, table: &str) -> Vec<(PathBuf, Vec<u8>)> {
    // A sweep that was killed early has left nothing.
    let entries = fs::read_dir(folder.join(table)).into_iter().flatten();
    let entries = entries.map(|entry| entry.unwrap().path());
    let mut found: Vec<_> =
        entries.map(|file| (file.file_name().unwrap().into(), fs::read(&file).unwrap())).collect();
    found.sort();
    found
}

#[test]
fn chunks_have_the_rows_of_one_run() {
    let at = folder("rows");
    eom(&at, "sweep p.eom s.toml --out one --size 28", 0);
    eom(&at, "sweep p.eom s.toml --out many --size 5 --jobs 2", 0);
    for (name, table) in [("one", "one.parquet"), ("many", "many.parquet")] {
        let [said, _] = eom(&at, &format!("gather {name} --table {table}"), 0);
        assert!(said.starts_with("28 runs in ") && said.contains("all there"), "{said}");
    }
    eom(&at, "run p.eom --scenario s.toml --table table.parquet", 1);
    let rows = |file: &str| {
        use parquet::file::reader::{FileReader as _, SerializedFileReader};
        let reader = SerializedFileReader::new(fs::File::open(at.join(file)).unwrap()).unwrap();
        let rows = reader.get_row_iter(None).unwrap();
        rows.map(|row| row.unwrap().to_string()).collect::<Vec<_>>()
    };
    let expected = rows("table.parquet");
    assert_eq!((rows("one.parquet"), rows("many.parquet")), (expected.clone(), expected.clone()));
    // Starts behind the wall are refused; the others do what was asked.
    let of = |word: &str| expected.iter().filter(|row| row.contains(word)).count();
    assert_eq!((of("\"complete\""), of("\"refused\"")), (21, 7), "{expected:?}");
}

#[test]
fn values_of_many_zeros_are_told_by_their_power_of_ten() {
    let at = folder("zeros");
    let [told, _] = eom(&at, "run p.eom --sweep e=1e-300,0.5", 0);
    assert!(told.contains(" 0  e = 1e-300: ") && told.contains(" 1  e = 0.5: "), "{told}");
    let [told, _] = eom(&at, "run p.eom --set e=1e-300", 0);
    assert!(told.contains("restitution 1e-300\n"), "{told}");
}

/// Runs are made together, as many as a thread takes at once, whether they differ in their starts or in parameters; each
/// has the bytes that it has alone.
#[test]
fn runs_that_are_made_together_have_the_bytes_of_one() {
    for (folder, slow, fast) in [("starts", E, THETA), ("parameters", THETA, E)] {
        made_together(folder, &format!("[sweep]\n{slow}{fast}"));
    }
}

const E: &str = "e = [0, 0.5]\n";
const THETA: &str = "theta = { from = 0, to = 1.9, count = 60 }\n";

fn made_together(name: &str, sweep: &str) {
    let at = folder(name);
    fs::write(at.join("w.toml"), sweep).unwrap();
    let tables = |jobs: &str| {
        let asked =
            format!("run p.eom --scenario w.toml --table {jobs}.csv --events {jobs}-events.csv");
        eom(&at, &format!("{asked} --csv {jobs}-samples.csv --sample 0.1 --jobs {jobs}"), 0);
        ["", "-events", "-samples"]
            .map(|of| fs::read_to_string(at.join(format!("{jobs}{of}.csv"))).unwrap())
    };
    // More threads than there are runs, and than any machine can have.
    let (together, alone) = (tables("1"), tables("99999999"));
    assert_eq!(together[0].lines().count(), 121);
    assert!(together[1].lines().count() > 40, "{}", together[1]);
    assert_eq!(together, alone);
    // As one run has them.
    eom(&at, "run p.eom --set e=0.5 --set theta=1.9 --until 1 --csv one.csv --sample 0.1", 0);
    let one = fs::read_to_string(at.join("one.csv")).unwrap();
    let last: Vec<&str> = together[2].lines().filter_map(|row| row.strip_prefix("119,")).collect();
    assert_eq!(last, one.lines().skip(1).collect::<Vec<_>>());
}

#[test]
fn a_script_of_slurm_makes_all_chunks() {
    let at = folder("slurm");
    let asked = "sweep p.eom s.toml --size 3 --set g=9.8 --events --sample 0.1";
    eom(&at, &format!("{asked} --out one"), 0);
    eom(&at, &format!("{asked} --out many --tasks 4 --slurm array.sh"), 0);
    let script = fs::read_to_string(at.join("array.sh")).unwrap();
    assert!(script.contains("#SBATCH --array=0-3\n"), "{script}");
    let bin = Path::new(env!("CARGO_BIN_EXE_eom")).parent().unwrap().to_path_buf();
    let paths = env::split_paths(&env::var_os("PATH").unwrap()).collect::<Vec<_>>();
    let path = env::join_paths([vec![bin], paths].concat()).unwrap();
    // In an order that no scheduler promises, one of them twice.
    for task in ["2", "0", "3", "2", "1"] {
        let mut command = Command::new("sh");
        command.arg("array.sh").current_dir(&at).env("PATH", &path);
        assert!(command.env("SLURM_ARRAY_TASK_ID", task).output().unwrap().status.success());
    }
    for table in ["runs", "events", "samples"] {
        let [one, many] = ["one", "many"].map(|name| chunks(&at.join(name), table));
        assert_eq!(one.len(), 10);
        assert!(one == many, "{table}");
    }
}

/// Killed at any time, a chunk is there whole or not at all, and what goes on gives the same bytes.
#[cfg(unix)]
#[test]
fn a_killed_sweep_goes_on() {
    let at = folder("killed");
    let sweep = "sweep p.eom --sweep e=0:1:200 --sweep θ=0:1:10 --size 40 --jobs 1";
    eom(&at, &format!("{sweep} --out one"), 0);
    let mut alive = 0;
    for turn in 0..6_u64 {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eom"));
        let arguments = format!("{sweep} --out many");
        command.current_dir(&at).args(arguments.split(' ')).args(["--quiet"]);
        let mut child = command.spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(15 + 7 * turn));
        alive += usize::from(child.try_wait().unwrap().is_none());
        // One that has ended cannot be killed.
        let _ = child.kill();
        child.wait().unwrap();
        for (name, bytes) in chunks(&at.join("many"), "runs") {
            if name.extension().is_some_and(|ending| ending == "parquet") {
                let whole = fs::read(at.join("one/runs").join(&name)).unwrap();
                assert!(bytes == whole, "{}", name.display());
            }
        }
    }
    assert!(alive > 0, "nothing was killed");
    eom(&at, &format!("{sweep} --out many"), 0);
    eom(&at, "gather many", 0);
    let whole = |name: &str| {
        let all = chunks(&at.join(name), "runs");
        all.into_iter()
            .filter(|(name, _)| name.extension().unwrap() == "parquet")
            .collect::<Vec<_>>()
    };
    assert!(whole("one") == whole("many"));
}

#[test]
fn refusals_say_what_to_do() {
    let at = folder("refusals");
    eom(&at, "sweep p.eom s.toml --out s --size 10 --chunks 1", 0);
    let [said, _] = eom(&at, "gather s", 1);
    assert_eq!(said, "28 runs in 3 chunks, 2 missing: --chunks 0,2\n");
    let twice = "[[state]]\nname = \"a\"\n[[state]]\nname = \"b\"\n[[state]]\nname = \"a\"\n";
    fs::write(at.join("twice.toml"), twice).unwrap();
    let cases = [
        ("sweep p.eom twice.toml --out t", "another start is called `a`\n --> twice.toml:5:1\n"),
        ("gather s --table all.csv", "name it FILE.parquet"),
        ("gather .", "is no folder of a sweep"),
        ("sweep p.eom s.toml --out s --size 10 --set m=2", "its parameters and initial values"),
        ("sweep p.eom s.toml --out s --size 9", "its runs a chunk is `10`, not `9`"),
        ("sweep p.eom s.toml --out s --size 10 --chunks 3", "there is no chunk 3: the sweep has 3"),
        ("sweep p.eom s.toml --out s --chunks 2..2", "is neither a number from 0 nor a range"),
        ("sweep p.eom s.toml --out s --jobs 0", "--jobs must be at least 1"),
        ("sweep p.eom s.toml --out s --slurm s.toml", "s.toml"),
    ];
    for (arguments, part) in cases {
        let [_, said] = eom(&at, arguments, 2);
        assert!(said.contains(part), "eom {arguments}: {said}");
    }
    assert_eq!(fs::read_to_string(at.join("s.toml")).unwrap(), SWEEP);
}

/// Lists, ranges and random values in any order; the values were computed by a script from the words of the book.
#[test]
fn random_values_are_those_of_their_seed() {
    const EXPECTED: [f64; 3] =
        [0.201_511_079_973_589_2, 0.292_037_876_796_825_7, 0.307_644_218_868_347_5];
    const SPEEDS: [f64; 6] = [
        4.627_931_412_529_027,
        3.783_174_293_130_481,
        4.918_222_391_685_474,
        4.327_593_574_180_82,
        4.362_671_076_941_631_5,
        3.696_182_692_897_114_7,
    ];
    let at = folder("random");
    let sweep = "[sweep]\ntheta_dot = { normal = [4, 0.5], seed = 8 }\nm = [1, 2]\n\
                 e = { seed = 7, count = 3, uniform = [0.2, \"9/10\"] }\n";
    fs::write(at.join("r.toml"), sweep).unwrap();
    eom(&at, "run p.eom --scenario r.toml --table table.csv", 0);
    let table = fs::read_to_string(at.join("table.csv")).unwrap();
    let mut lines = table.lines();
    assert!(lines.next().unwrap().starts_with("run,theta_dot,m,e,ended,reason,"));
    for (run, line) in lines.enumerate() {
        let numbers: Vec<f64> = line.split(',').take(4).map(|x| x.parse().unwrap()).collect();
        let expected = [run as f64, SPEEDS[run], [1.0, 2.0][run / 3], EXPECTED[run % 3]];
        for (found, expected) in numbers.iter().zip(expected) {
            // The last digit is that of the logarithm and the cosine.
            assert!((found - expected).abs() <= 1e-15 * expected, "{line}");
        }
    }
    // A chunk has the values of its runs, whatever was made before it.
    eom(&at, "sweep p.eom r.toml --out one --size 6", 0);
    eom(&at, "sweep p.eom r.toml --out two --size 4 --chunks 1", 0);
    eom(&at, "sweep p.eom r.toml --out two --size 4 --jobs 2", 0);
    for name in ["one", "two"] {
        eom(&at, &format!("gather {name} --table {name}.parquet"), 0);
    }
    let rows = |file: &str| {
        use parquet::file::reader::{FileReader as _, SerializedFileReader};
        let reader = SerializedFileReader::new(fs::File::open(at.join(file)).unwrap()).unwrap();
        let rows = reader.get_row_iter(None).unwrap();
        rows.map(|row| row.unwrap().to_string()).collect::<Vec<_>>()
    };
    assert_eq!((rows("one.parquet").len(), rows("one.parquet")), (6, rows("two.parquet")));
    // Another seed is another sweep.
    fs::write(at.join("r.toml"), sweep.replace("seed = 8", "seed = 9")).unwrap();
    let [_, said] = eom(&at, "sweep p.eom r.toml --out one --size 6", 2);
    assert!(said.contains("is of another sweep: its sweep"), "{said}");
}

#[test]
fn random_values_that_cannot_be_are_told() {
    let at = folder("random-refusals");
    let cases = [
        ("{ uniform = [0, 1] }", "`e` needs a seed, and uniform = [a, b] with a <= b"),
        ("{ seed = 1 }", "`e` needs a seed, and uniform = [a, b] with a <= b"),
        ("{ uniform = [1, 0], seed = 1 }", "with a <= b"),
        ("{ uniform = [1], seed = 1 }", "with a <= b"),
        ("{ normal = [0, -1], seed = 1 }", "normal = [mean, deviation]"),
        ("{ uniform = [0, 1], normal = [0, 1], seed = 1 }", "needs a seed, and"),
        ("{ uniform = [0, 1], seed = -1 }", "`seed` must be a whole number, at least 0"),
        ("{ uniform = [0, 1], seed = 1, count = 0 }", "`count` must be a whole number, at least 1"),
        (
            "{ uniform = [0, 1], seed = 1, from = 1 }",
            "random values have: uniform, normal, seed, count",
        ),
        ("{ uniform = [0, \"x\"], seed = 1 }", "x"),
        ("7", "{ uniform = [a, b], seed = s }"),
    ];
    for (value, part) in cases {
        fs::write(at.join("r.toml"), format!("[sweep]\ne = {value}\n")).unwrap();
        let [_, said] = eom(&at, "sweep p.eom r.toml --out s", 2);
        assert!(said.contains(part), "{value}: {said}");
    }
}
