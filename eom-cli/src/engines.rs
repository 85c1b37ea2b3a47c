//! Processes that answer the questions of pages, one for each page that is open.
//!
//! ```text
//! page ──POST──▶ studio ──question──▶ eom engine, a process ──answer──▶ studio ──▶ page
//! ```
//!
//! A process that takes longer than it may, or more memory, is ended, and so is one that is asked again before it has
//! answered. What is read there can freeze or stop nothing else.

use std::env;
use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The most processes at one time: the page that asked longest ago loses its own.
const MOST: usize = 4;

/// What an answer may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) seconds: u32,
    pub(crate) megabytes: u32,
}

/// The processes.
#[derive(Debug)]
pub(crate) struct Engines {
    limits: Limits,
    /// By the names of their pages; what was asked last stands last.
    held: Mutex<Vec<(String, Arc<Engine>)>>,
}

/// A process, and what is read of it.
#[derive(Debug)]
struct Engine {
    process: Mutex<Child>,
    questions: Mutex<ChildStdin>,
    answers: Mutex<Receiver<Vec<u8>>>,
    is_asked: AtomicBool,
}

impl Engines {
    /// None yet.
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, held: Mutex::default() }
    }

    /// The answer to a question of a page; or why there is none, and its process has ended.
    pub(crate) fn ask(&self, page: &str, question: &[u8]) -> Result<Vec<u8>, String> {
        let engine = self.idle(page).map_err(|error| format!("it does not start: {error}"))?;
        let answer = engine.ask(question, self.limits);
        if answer.is_ok() {
            engine.is_asked.store(false, Ordering::Release);
        } else {
            locked(&self.held).retain(|(_, other)| !Arc::ptr_eq(other, &engine));
            engine.end();
        }
        answer
    }

    /// Ends the process of a page.
    pub(crate) fn end(&self, page: &str) {
        locked(&self.held).retain(|(name, engine)| {
            let stays = name != page;
            if !stays {
                engine.end();
            }
            stays
        });
    }

    /// A process that has nothing to do, that of the page where it is such a one.
    fn idle(&self, page: &str) -> io::Result<Arc<Engine>> {
        let mut held = locked(&self.held);
        let found = held.iter().position(|(name, _)| name == page).map(|place| held.remove(place));
        let engine = match found {
            Some((_, engine)) if !engine.is_asked.load(Ordering::Acquire) => engine,
            other => {
                if let Some((_, asked)) = other {
                    asked.end();
                }
                Arc::new(Engine::start(self.limits)?)
            }
        };
        engine.is_asked.store(true, Ordering::Release);
        held.push((page.to_owned(), Arc::clone(&engine)));
        if held.len() > MOST {
            held.remove(0).1.end();
        }
        Ok(engine)
    }
}

impl Engine {
    fn start(limits: Limits) -> io::Result<Self> {
        let mut process = Command::new(env::current_exe()?)
            .args(["engine", "--memory", &limits.megabytes.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(questions), Some(mut output)) = (process.stdin.take(), process.stdout.take())
        else {
            return Err(io::Error::other("it has no pipes"));
        };
        let (sender, answers) = channel();
        // It ends with the process, whose output ends then.
        thread::spawn(move || {
            while let Ok(Some(answer)) = received(&mut output) {
                if sender.send(answer).is_err() {
                    break;
                }
            }
        });
        Ok(Self {
            process: Mutex::new(process),
            questions: Mutex::new(questions),
            answers: Mutex::new(answers),
            is_asked: AtomicBool::new(false),
        })
    }

    fn ask(&self, question: &[u8], limits: Limits) -> Result<Vec<u8>, String> {
        let broken = || "it broke off".to_owned();
        send(&mut *locked(&self.questions), question).map_err(|_| broken())?;
        let limit = Duration::from_secs(limits.seconds.into());
        locked(&self.answers).recv_timeout(limit).map_err(|error| match error {
            RecvTimeoutError::Timeout => format!("it took longer than {} s", limits.seconds),
            RecvTimeoutError::Disconnected => broken(),
        })
    }

    fn end(&self) {
        let mut process = locked(&self.process);
        // One that has ended by itself is only waited for.
        let _ = process.kill();
        let _ = process.wait();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.end();
    }
}

/// What a thread that panicked has left is whole: no lock is held over more than one change.
fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends a message: its length in 8 bytes, the lowest first, and itself.
pub(crate) fn send(to: &mut impl Write, message: &[u8]) -> io::Result<()> {
    to.write_all(&(message.len() as u64).to_le_bytes())?;
    to.write_all(message)?;
    to.flush()
}

/// A message; none where there are no more.
pub(crate) fn received(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 8];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let length = u64::from_le_bytes(length);
    let mut message = Vec::new();
    from.take(length).read_to_end(&mut message)?;
    if (message.len() as u64) < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(message))
}
