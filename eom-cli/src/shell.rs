//! What the command owes the shell around it: colours on a terminal only, quiet where that is asked
//! for, output that is written or said to be lost, and an end at an interrupt that keeps what was
//! computed.

use crate::error::Failure;
use crate::files::remove_temporaries;
use clap::ColorChoice;
use std::fmt;
use std::io::{self, ErrorKind, IsTerminal as _, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, process};

/// The exit code after an interrupt: 128 + SIGINT, as shells have it.
pub(crate) const INTERRUPTED: u8 = 130;

static MANNER: OnceLock<Manner> = OnceLock::new();

/// How to speak.
#[derive(Debug, Clone, Copy)]
struct Manner {
    colour: ColorChoice,
    quiet: bool,
}

/// Keeps what the arguments say about colours and quiet; the first call counts.
pub(crate) fn speak(colour: ColorChoice, quiet: bool) {
    // A second call would come from a second command in one process: there is none.
    let _ = MANNER.set(Manner { colour, quiet });
}

fn manner() -> Manner {
    MANNER.get().copied().unwrap_or(Manner { colour: ColorChoice::Auto, quiet: false })
}

/// Whether summaries, notes and progress are left out.
pub(crate) fn is_quiet() -> bool {
    manner().quiet
}

/// Whether messages on standard error have colours: on a terminal, unless
/// [`NO_COLOR`](https://no-color.org) is set.
pub(crate) fn colours_errors() -> bool {
    match manner().colour {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
        }
    }
}

/// Whether standard error shows a progress bar.
pub(crate) fn shows_progress() -> bool {
    !is_quiet() && io::stderr().is_terminal()
}

/// Whether standard output was closed when the process began.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Before `main` the standard library opens /dev/null in place of a closed stream, so that what is
/// printed would be lost without a word.
#[cfg(unix)]
#[ctor::ctor]
fn look_at_stdout() {
    let is_closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err();
    CLOSED.store(is_closed, Ordering::Relaxed);
}

/// Standard output, which may have been closed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stdout;

impl Stdout {
    fn open() -> io::Result<()> {
        if CLOSED.load(Ordering::Relaxed) { Err(io::Error::other("it is closed")) } else { Ok(()) }
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Self::open()?;
        io::stdout().lock().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Self::open()?;
        io::stdout().lock().flush()
    }
}

/// Text as one word of a POSIX shell.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Prints to standard output, all of it at once. Where the reader has left, as `head` does, nobody
/// misses it.
pub(crate) fn print(text: impl fmt::Display) -> Result<(), Failure> {
    let written = write!(Stdout, "{text}").and_then(|()| Stdout.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::output("standard output", error))
        }
        _ => Ok(()),
    }
}

/// The same, with the end of the line.
pub(crate) fn print_line(text: impl fmt::Display) -> Result<(), Failure> {
    print(format_args!("{text}\n"))
}

/// The summary of a run goes to standard output, unless a table does.
pub(crate) fn print_summary(table_on_stdout: bool, text: &str) -> Result<(), Failure> {
    if is_quiet() {
        return Ok(());
    }
    if table_on_stdout {
        let written = io::stderr().lock().write_all(text.as_bytes());
        return written.map_err(|error| Failure::output("standard error", error));
    }
    print(text)
}

/// Prints help, or the version, with the colours that were asked for.
pub(crate) fn print_help(help: &clap::Error) -> Result<(), Failure> {
    let printed = Stdout::open().and_then(|()| help.print()).and_then(|()| Stdout.flush());
    match printed {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::output("standard output", error))
        }
        _ => Ok(()),
    }
}

/// Says something on standard error. Where it cannot be said the exit code speaks.
pub(crate) fn tell(text: impl fmt::Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

static INTERRUPT: AtomicBool = AtomicBool::new(false);

/// From now on an interrupt (Ctrl-C, and what batch systems send) is taken note of; a second one
/// ends the process.
pub(crate) fn watch_interrupts() {
    let watched = ctrlc::set_handler(|| {
        if INTERRUPT.swap(true, Ordering::SeqCst) {
            remove_temporaries();
            process::exit(i32::from(INTERRUPTED));
        }
    });
    if watched.is_err() && !is_quiet() {
        tell("warning: an interrupt will not keep what was computed: it cannot be watched for");
    }
}

/// Whether there was an interrupt.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPT.load(Ordering::SeqCst)
}
