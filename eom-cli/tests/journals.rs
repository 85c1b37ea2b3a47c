//! Journals of sweeps, broken in every way: the tables after `--resume` are those of a sweep that was
//! never interrupted, or the journal is refused.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A ball that is let fall from several heights.
const BALL: &str = "system Ball {
    coordinates { x }
    kinetic = ẋ^2/2;
    potential = 9.81*x;
    contact floor { gap = x; impact = restitution(0.5); }
    scenario drop { x = 1; until impacts = 1; }
}
";

const SWEEP: &str = "run ball.eom --sweep x=1,2,3 --table t.csv --events e.csv";

/// The files of the sweep.
const TABLES: [&str; 2] = ["t.csv", "e.csv"];

/// An empty folder with the ball.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("journals").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join("ball.eom"), BALL).unwrap();
    path
}

/// Runs `eom`: its exit code, and what it says.
fn eom(here: &Path, arguments: &str) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eom"));
    let output = command.current_dir(here).args(arguments.split(' ')).output().unwrap();
    let said = [output.stdout, output.stderr].map(|b| String::from_utf8_lossy(&b).into_owned());
    (output.status.code().unwrap(), said.concat())
}

/// The tables of an undisturbed sweep, and its journal: kept, since a folder stands where one of the
/// tables goes when it is written.
fn whole(test: &str) -> (Vec<Vec<u8>>, Vec<u8>) {
    let here = folder(&format!("{test}-whole"));
    assert_eq!(eom(&here, SWEEP).0, 0);
    let tables = TABLES.map(|name| fs::read(here.join(name)).unwrap()).to_vec();
    let here = folder(&format!("{test}-journal"));
    // The table cannot be written, so that the journal stays.
    let (code, said) = eom(&here, &SWEEP.replace("e.csv", "/dev/full"));
    assert_eq!(code, 1, "{said}");
    (tables, fs::read(here.join("t.csv.partial")).unwrap())
}

/// Goes on with a journal: the tables are those of the whole sweep. What is said.
fn resumes(here: &Path, journal: &[u8], tables: &[Vec<u8>], context: &str) -> String {
    fs::write(here.join("t.csv.partial"), journal).unwrap();
    let (code, said) = eom(here, &format!("{SWEEP} --resume"));
    assert_eq!(code, 0, "{context}: {said}");
    for (name, table) in TABLES.iter().zip(tables) {
        assert!(fs::read(here.join(name)).unwrap() == *table, "{context}: {name}\n{said}");
        fs::remove_file(here.join(name)).unwrap();
    }
    assert!(!here.join("t.csv.partial").exists(), "{context}");
    said
}

/// A bit at every byte, in turn each of the eight; a digit more; a cut at every byte.
#[test]
fn whatever_is_broken_the_tables_are_right() {
    let (tables, journal) = whole("broken");
    let here = folder("broken");
    let said = resumes(&here, &journal, &tables, "as it is");
    assert!(said.contains("3 were done before") && !said.contains("broken"), "{said}");
    let head = journal.iter().position(|byte| *byte == b'\n').unwrap();
    let digits: Vec<usize> =
        (head..journal.len()).filter(|i| journal[*i].is_ascii_digit()).collect();
    let mut random = 1_u64;
    let mut draw = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % below
    };
    // The long head is drawn from; of the records every byte is tried, in turn with each bit.
    let places = (0..60).map(|_| draw(head)).chain(head..journal.len()).collect::<Vec<_>>();
    for at in places.into_iter().step_by(3) {
        let mut broken = journal.clone();
        broken[at] ^= 1 << (at % 8);
        let said = resumes(&here, &broken, &tables, &format!("bit {} of byte {at}", at % 8));
        // The end of a line is no part of its record; without the last one it counts as cut.
        let is_end = journal[at] == b'\n';
        assert!(is_end || said.contains("1 record was broken"), "byte {at}: {said}");
        let done = if at > head && !is_end || at + 1 == journal.len() { 2 } else { 3 };
        assert!(said.contains(&format!("{done} were done")), "byte {at}: {said}");
    }
    for _ in 0..20 {
        let (mut broken, at) = (journal.clone(), digits[draw(digits.len())]);
        broken[at] = b'0' + (broken[at] - b'0' + 1) % 10;
        resumes(&here, &broken, &tables, &format!("digit {at}"));
    }
    for _ in 0..20 {
        let length = head + 1 + draw(journal.len() - head - 1);
        let said = resumes(&here, &journal[..length], &tables, &format!("cut at {length}"));
        assert!(!said.contains("broken"), "cut at {length}: {said}");
    }
}

/// Several broken records, records twice, foreign records, a hole of zeros.
#[test]
fn records_that_are_not_of_the_sweep_are_made_anew() {
    let (tables, journal) = whole("records");
    let here = folder("records");
    let lines: Vec<&[u8]> = journal.split_inclusive(|byte| *byte == b'\n').collect();
    let other = {
        let there = folder("other");
        let call = SWEEP.replace("x=1,2,3", "x=1,2,4").replace("e.csv", "/dev/full");
        assert_eq!(eom(&there, &call).0, 1);
        fs::read(there.join("t.csv.partial")).unwrap()
    };
    let foreign: Vec<&[u8]> = other.split_inclusive(|byte| *byte == b'\n').collect();
    let mut broken: Vec<Vec<u8>> = lines.iter().map(|line| line.to_vec()).collect();
    for line in &mut broken {
        let middle = line.len() / 2;
        line[middle] ^= 1;
    }
    let zeros = vec![0; 4096];
    // lines, what is said
    let table: [(Vec<&[u8]>, &str); 7] = [
        (vec![lines[0], &broken[1], &broken[2], lines[3]], "2 records were broken"),
        (vec![lines[0], &broken[1], &broken[2], &broken[3]], "3 records were broken"),
        (vec![lines[0], lines[3], lines[1], lines[1]], "2 were done before"),
        (vec![lines[0], lines[1], foreign[2], foreign[3]], "2 records were broken"),
        (vec![lines[0], lines[1], &zeros], "1 were done before"),
        (vec![lines[0], lines[1], &zeros, lines[2]], "1 record was broken"),
        (vec![lines[0]], "runs         3: 3 complete"),
    ];
    for (lines, text) in table {
        let said = resumes(&here, &lines.concat(), &tables, text);
        assert!(said.contains(text), "{text}\n{said}");
    }
}

/// What cannot be gone on with is refused, and stays as it is.
#[test]
fn journals_of_other_kinds_are_refused() {
    let (_, journal) = whole("refused");
    let old = "{\"version of eom\":\"0.1.0\",\"model\":\"…\"}\n{\"run\":0,\"summary\":[]}\n";
    let mut headless = journal.clone();
    headless[3] ^= 1;
    let end = headless.iter().position(|byte| *byte == b'\n').unwrap();
    headless.truncate(end + 1);
    let text = String::from_utf8(journal.clone()).unwrap();
    // journal, another call, what is said
    let table: [(&[u8], &str, &str); 6] = [
        (old.as_bytes(), "--resume", "kept no checksums"),
        (old.as_bytes(), "", "remove it to begin anew"),
        (b"my own notes\n", "--resume", "is no journal of this sweep"),
        (&headless, "--resume", "is no journal of this sweep"),
        (
            text.as_bytes(),
            "--resume --set ẋ=1",
            "is of another sweep: its parameters and initial values",
        ),
        (text.as_bytes(), "", "holds 3 of 3 runs"),
    ];
    for (journal, more, text) in table {
        let here = folder("refused");
        fs::write(here.join("t.csv.partial"), journal).unwrap();
        let (code, said) = eom(&here, format!("{SWEEP} {more}").trim_end());
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(text), "misses `{text}` in\n{said}");
        assert!(fs::read(here.join("t.csv.partial")).unwrap() == journal, "{text}");
        assert!(!here.join("t.csv").exists(), "{text}");
    }
}
