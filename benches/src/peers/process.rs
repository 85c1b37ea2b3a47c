//! A process that is asked and answers in lines of JSON.

use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Nobody needs longer for one answer: the longest is the preparation of the 6-link pendulum by
/// heyoka, a minute on a busy machine.
const PATIENCE: Duration = Duration::from_secs(240);

/// A running peer.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Process {
    /// Starts a program; what it complains about goes to a file.
    pub(super) fn start(command: &mut Command, log: &Path) -> Result<Self, String> {
        let log = std::fs::File::create(log).map_err(|error| error.to_string())?;
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .map_err(|error| error.to_string())?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("it has no pipes".to_owned());
        };
        let (send, lines) = channel();
        // A thread of its own, so that an answer that does not come can be given up.
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, input, lines })
    }

    /// The next line.
    pub(super) fn read(&mut self) -> Result<Value, String> {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).map_err(|error| match error {
                RecvTimeoutError::Timeout => format!("no answer in {} s", PATIENCE.as_secs()),
                RecvTimeoutError::Disconnected => "it ended; see its log".to_owned(),
            })?;
            // Libraries print, too.
            if line.starts_with('{') {
                return serde_json::from_str(&line).map_err(|error| format!("{error}: {line}"));
            }
        }
    }

    /// One measurement of a contestant.
    pub(super) fn ask(&mut self, index: usize) -> Result<Value, String> {
        writeln!(self.input, "{index}").map_err(|error| error.to_string())?;
        self.read()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both may fail where it has ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
