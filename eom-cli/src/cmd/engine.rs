//! `eom engine`: what `eom studio` starts for a page. It answers the questions on standard input, until there are no
//! more.

use crate::cli::EngineArguments;
use crate::engines::{received, send};
use crate::error::{Failure, Outcome};
use crate::shell::Stdout;
use eom_interpreter::page::Engine;
use std::sync::mpsc::channel;
use std::time::Instant;
use std::{io, process, thread};

/// Answers until standard input ends.
pub(crate) fn answer(arguments: &EngineArguments) -> Result<Outcome, Failure> {
    limit_memory(arguments.memory)?;
    let (sender, questions) = channel();
    thread::spawn(move || {
        while let Ok(Some(question)) = received(&mut io::stdin().lock()) {
            if sender.send(question).is_err() {
                break;
            }
        }
        // Who asks is gone, and does not want what is being made.
        process::exit(0);
    });
    let since = Instant::now();
    let mut engine = Engine::that_writes();
    for question in questions {
        let question = String::from_utf8_lossy(&question);
        let answer = engine.answer(&question, &|| 1e3 * since.elapsed().as_secs_f64());
        send(&mut Stdout, &answer)
            .map_err(|error| Failure::Refused(format!("nobody reads the answers: {error}")))?;
    }
    Ok(Outcome::Done)
}

/// No more memory than this is had; who asks for more ends.
#[cfg(unix)]
fn limit_memory(megabytes: u32) -> Result<(), Failure> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let bytes = Some(u64::from(megabytes) << 20);
    setrlimit(Resource::Data, Rlimit { current: bytes, maximum: bytes })
        .map_err(|error| Failure::Refused(format!("--memory: it cannot be limited: {error}")))
}

/// There is no such limit here.
#[cfg(not(unix))]
fn limit_memory(_: u32) -> Result<(), Failure> {
    Ok(())
}
