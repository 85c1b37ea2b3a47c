//! What the command owes the shell around it: colours on a terminal only, quiet where that is asked
//! for, and an end at an interrupt that keeps what was computed.

use clap::ColorChoice;
use std::io::{self, IsTerminal as _};
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

static INTERRUPT: AtomicBool = AtomicBool::new(false);

/// From now on an interrupt (Ctrl-C, and what batch systems send) is taken note of; a second one
/// ends the process.
pub(crate) fn watch_interrupts() {
    let watched = ctrlc::set_handler(|| {
        if INTERRUPT.swap(true, Ordering::SeqCst) {
            process::exit(i32::from(INTERRUPTED));
        }
    });
    if watched.is_err() && !is_quiet() {
        eprintln!(
            "warning: an interrupt will not keep what was computed: it cannot be watched for"
        );
    }
}

/// Whether there was an interrupt.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPT.load(Ordering::SeqCst)
}
