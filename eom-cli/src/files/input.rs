//! Inputs: texts that are read whole, within bounds of size and time.
//!
//! A regular file has its size. A pipe, a device and standard input have none: they are read up to
//! the largest size. What is named as a file is given up where nothing comes: it is read on a thread
//! of its own.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// The most bytes of a scenario file: its tree takes a hundred times as much.
pub(crate) const SCENARIO_MAX: u64 = 4 << 20;
/// The most bytes of a model or a Rust source.
pub(crate) const INPUT_MAX: u64 = 16 << 20;
/// The most bytes of a list of states.
pub(crate) const STATES_MAX: u64 = 256 << 20;
/// A pipe that nobody opens for writing is given up after so long.
const OPENING: Duration = Duration::from_secs(5);
/// And one through which nothing comes.
const SILENCE: Duration = Duration::from_secs(60);

/// The text of a file, without a byte-order mark; `-` is standard input.
pub(crate) fn text(path: &Path, most: u64) -> io::Result<String> {
    let bytes = bytes(path, most)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let read = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + String::from_utf8_lossy(read).matches('\n').count();
        invalid(format!("line {line} is not UTF-8: save the file as UTF-8"))
    })?;
    Ok(text.strip_prefix('\u{feff}').map_or_else(|| text.clone(), str::to_owned))
}

fn bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    if path.as_os_str() == "-" {
        return whole(io::stdin().lock(), most);
    }
    let data = fs::metadata(path)?;
    if data.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if data.is_file() {
        if data.len() > most {
            return Err(too_large(most));
        }
        return whole(File::open(path)?, most);
    }
    patiently(path.to_owned(), most)
}

/// All bytes of what may be larger than it said.
fn whole(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large(most)) } else { Ok(bytes) }
}

/// All bytes of what may never come.
fn patiently(path: PathBuf, most: u64) -> io::Result<Vec<u8>> {
    let (sender, receiver) = sync_channel(1);
    // Where nothing comes the thread waits on, and ends with the process.
    thread::spawn(move || send(&path, &sender));
    let next = |patience: Duration| match receiver.recv_timeout(patience) {
        Ok(part) => part,
        Err(RecvTimeoutError::Disconnected) => Ok(Vec::new()),
        Err(RecvTimeoutError::Timeout) => {
            let seconds = patience.as_secs();
            let said = format!("nothing was written into it for {seconds} seconds");
            Err(io::Error::new(ErrorKind::TimedOut, said))
        }
    };
    next(OPENING)?;
    let mut bytes = Vec::new();
    loop {
        let part = next(SILENCE)?;
        if part.is_empty() {
            return Ok(bytes);
        }
        bytes.extend(part);
        if bytes.len() as u64 > most {
            return Err(too_large(most));
        }
    }
}

/// Sends nothing once a file is open, then what is read, nothing at its end.
fn send(path: &Path, to: &SyncSender<io::Result<Vec<u8>>>) {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) => return drop(to.send(Err(error))),
    };
    let mut goes_on = to.send(Ok(Vec::new())).is_ok();
    while goes_on {
        let mut part = vec![0; 1 << 16];
        let read = file.read(&mut part).map(|length| {
            part.truncate(length);
            part
        });
        let is_last = read.as_ref().map_or(true, Vec::is_empty);
        goes_on = to.send(read).is_ok() && !is_last;
    }
}

fn too_large(most: u64) -> io::Error {
    invalid(format!("it is larger than {} MB, more than any such file has", most >> 20))
}

fn invalid(what: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}
