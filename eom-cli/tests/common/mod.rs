//! The command as its tests call it: in an empty folder, with the exit code that is expected.
#![allow(dead_code, reason = "each test file uses some of these")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An empty folder of its own for each test: `films/frames`.
pub(crate) fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Runs `eom` with arguments between spaces; see [`eom_with`].
pub(crate) fn eom(folder: &Path, arguments: &str, code: i32) -> [String; 2] {
    eom_with(folder, &arguments.split(' ').collect::<Vec<_>>(), code)
}

/// Runs `eom` and checks its exit code; standard output and standard error.
pub(crate) fn eom_with(folder: &Path, arguments: &[&str], code: i32) -> [String; 2] {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eom"));
    let output = command.current_dir(folder).args(arguments).output().unwrap();
    let texts = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    let call = arguments.join(" ");
    assert_eq!(output.status.code(), Some(code), "eom {call}\n{}{}", texts[0], texts[1]);
    texts
}

/// Runs `eom analyse` and checks its exit code; what it writes to both streams.
pub(crate) fn analyse(folder: &Path, arguments: &str, code: i32) -> String {
    eom(folder, &format!("analyse {arguments}"), code).concat()
}
