//! Runs and sweeps that are interrupted, and disks that are full: what was computed is kept.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(unix)]

mod common;

use common::eom;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An empty directory of its own for each test.
fn directory(test: &str) -> PathBuf {
    common::folder(&format!("interrupts/{test}"))
}

fn read(directory: &Path, file: &str) -> String {
    fs::read_to_string(directory.join(file)).unwrap()
}

/// A sweep that is killed goes on where it stopped, and ends with the bytes of one that was not.
#[test]
fn an_interrupted_sweep_goes_on() {
    let here = directory("resume");
    let sweep = "run penny --sweep phi_dot=0.2:0.4:24 --impacts 1500 --jobs 2";
    let [whole, part] = ["whole", "part"].map(|name| {
        format!("{sweep} --table {name}.csv --events {name}-events.csv --csv {name}-samples.csv --sample 5")
    });
    eom(&here, &whole, 0);
    let partial = here.join("part.csv.partial");
    let child = spawn(&here, &part);
    wait_for(|| fs::read_to_string(&partial).is_ok_and(|text| text.lines().count() > 3));
    let output = interrupt(child);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("part.csv.partial keeps them: go on with --resume"), "{said}");
    let done = read(&here, "part.csv").lines().count() - 1;
    assert!((3..24).contains(&done), "{done}\n{said}");
    let of_whole: Vec<String> = read(&here, "whole.csv").lines().map(str::to_owned).collect();
    assert!(read(&here, "part.csv").lines().all(|line| of_whole.iter().any(|other| other == line)));

    let [_, said] = eom(&here, &part, 2);
    assert!(
        said.contains(&format!("holds {done} of 24 runs")) && said.contains("--resume"),
        "{said}"
    );
    let table = [
        ("--sweep phi_dot=0.2:0.4:24 --impacts 1501", "its end is ` Some(1500) None`"),
        ("--sweep phi_dot=0.2:0.5:24 --impacts 1500", "its sweep differs"),
        (
            "--sweep phi_dot=0.2:0.4:24 --impacts 1500 --set a=0.2",
            "its parameters and initial values",
        ),
    ];
    for (other, reason) in table {
        let files = "--table part.csv --events part-events.csv --csv part-samples.csv --sample 5";
        let [_, said] = eom(&here, &format!("run penny {other} {files} --resume"), 2);
        assert!(said.contains("is of another sweep") && said.contains(reason), "{said}");
    }
    // A line that broke off counts as not written.
    let mut journal = fs::read(&partial).unwrap();
    journal.truncate(journal.len() - 7);
    fs::write(&partial, journal).unwrap();
    let [said, _] = eom(&here, &format!("{part} --resume"), 0);
    assert!(said.contains(&format!("{} were done before", done - 1)), "{said}");
    for file in [".csv", "-events.csv", "-samples.csv"] {
        assert!(
            read(&here, &format!("whole{file}")) == read(&here, &format!("part{file}")),
            "{file}"
        );
    }
    assert!(!partial.exists());
}

/// One run: the samples up to the interrupt are written, and the summary says when it was.
#[test]
fn an_interrupted_run_keeps_its_samples() {
    let here = directory("interrupt");
    let child = spawn(&here, "run penny --impacts 900000 --csv s.csv --sample 1 --plot t:energy");
    // Its file is written beside its place.
    let is_begun = |name: &str| name.starts_with(".s.csv.eom-");
    wait_for(|| names(&here).iter().any(|name| is_begun(name)));
    std::thread::sleep(std::time::Duration::from_millis(700));
    let output = interrupt(child);
    let [said, notes] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!(output.status.code(), Some(130), "{said}{notes}");
    assert!(said.contains("end          interrupted at t = "), "{said}");
    let samples = read(&here, "s.csv");
    let last = samples.lines().last().unwrap().split(',').next().unwrap();
    assert!(said.contains(&format!("interrupted at t = {last}")), "{said}");
    assert!(notes.contains("note: kept in s.csv ("), "{notes}");
    assert_eq!(names(&here), ["penny-t-energy.svg", "s.csv"]);
}

/// The names in a folder, in their order.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn spawn(directory: &Path, arguments: &str) -> std::process::Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eom"));
    let command = command.current_dir(directory).args(arguments.split(' '));
    let piped = std::process::Stdio::piped;
    command.stdout(piped()).stderr(piped()).spawn().unwrap()
}

fn wait_for(is_there: impl Fn() -> bool) {
    for _ in 0..6000 {
        if is_there() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("what was waited for did not come");
}

fn interrupt(child: std::process::Child) -> std::process::Output {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    child.wait_with_output().unwrap()
}

/// A full disk costs what goes there, and nothing else.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_costs_only_what_goes_there() {
    let here = directory("full");
    for format in ["csv", "jsonl", "parquet"] {
        let call =
            format!("run penny --{format} /dev/full --events {format}.csv --plot {format}.svg");
        let [said, complaint] = eom(&here, &call, 1);
        assert!(said.contains("reached 20 impacts"), "{said}");
        assert!(complaint.contains("error: cannot write /dev/full: No space left"), "{complaint}");
        assert!(complaint.contains(&format!("kept in {format}.csv (20 events)")), "{complaint}");
        assert_eq!(read(&here, &format!("{format}.csv")).lines().count(), 21);
        assert!(here.join(format!("{format}.svg")).exists());
    }
    let [_, complaint] = eom(&here, "run penny --sweep a=0.2,0.3 --table /dev/full --csv s.csv", 1);
    assert!(complaint.contains("cannot write /dev/full"), "{complaint}");
    assert!(complaint.contains("kept in s.csv"), "{complaint}");
}
