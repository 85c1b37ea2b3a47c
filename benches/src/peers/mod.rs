//! Other tools and hand-written code: processes that measure themselves, one line a measurement.
//! `peers/python/peer.py` describes what is said on their pipes.

mod process;
mod setup;

use crate::contest::{Contestant, Measured, Role};
use crate::work::Work;
use process::Process;
use serde_json::Value;
pub use setup::{Place, install};
use std::cell::RefCell;
use std::rc::Rc;

/// The peers that are ready, and what is missing.
#[derive(Debug, Default)]
pub struct Peers {
    ready: Vec<(Entry, Rc<RefCell<Process>>)>,
    /// Tools and their versions.
    pub versions: Vec<(String, String)>,
    /// What could not be installed, compiled or prepared, and why.
    pub missing: Vec<String>,
}

/// A contestant of a process.
#[derive(Debug, Clone)]
struct Entry {
    row: String,
    name: String,
    role: Role,
    tolerance: Option<f64>,
    index: usize,
}

impl Peers {
    /// Starts everything that takes part in these rows and waits until it is ready.
    pub fn start(place: &Place, works: &[Work], quick: bool) -> Self {
        let mut peers = Self::default();
        let (started, missing) = setup::start(place, works, quick);
        peers.missing = missing;
        for (name, process) in started {
            match process {
                Ok(process) => peers.enter(&name, process),
                Err(why) => peers.missing.push(format!("{name}: {why}")),
            }
        }
        peers.versions.sort();
        peers.versions.dedup();
        peers
    }

    /// Reads the first line of a process.
    fn enter(&mut self, name: &str, mut process: Process) {
        let said = match process.read() {
            Ok(said) => said,
            Err(why) => return self.missing.push(format!("{name}: {why}")),
        };
        let list = |key: &str| said[key].as_array().cloned().unwrap_or_default();
        for failed in list("failed") {
            let [row, name, why] = ["row", "name", "why"].map(|key| text(&failed[key]));
            self.missing.push(format!("{name} at {row}: {why}"));
        }
        for (tool, version) in said["versions"].as_object().into_iter().flatten() {
            self.versions.push((tool.clone(), text(version)));
        }
        let process = Rc::new(RefCell::new(process));
        for (index, said) in list("contestants").iter().enumerate() {
            let role = match said["role"].as_str() {
                Some("limit") => Role::Limit,
                Some("aside") => Role::Aside,
                _ => Role::Peer,
            };
            let (row, name) = (text(&said["row"]), text(&said["name"]));
            let tolerance = said["tolerance"].as_f64();
            self.ready.push((Entry { row, name, role, tolerance, index }, Rc::clone(&process)));
        }
    }

    /// Those that take part in a row.
    pub fn contestants(&self, work: Work) -> Vec<Contestant<'static>> {
        let id = work.id();
        let here = self.ready.iter().filter(|(entry, _)| entry.row == id);
        here.map(|(entry, process)| contestant(entry, Rc::clone(process))).collect()
    }
}

fn contestant(entry: &Entry, process: Rc<RefCell<Process>>) -> Contestant<'static> {
    let index = entry.index;
    Contestant {
        name: entry.name.clone(),
        role: entry.role,
        tolerance: entry.tolerance,
        measure: Box::new(move || measured(&process.borrow_mut().ask(index)?)),
    }
}

/// What a process says of one measurement.
fn measured(said: &Value) -> Result<Measured, String> {
    let Some(ns) = said["ns"].as_f64() else {
        return Err(said["failed"].as_str().unwrap_or("it gives no time").to_owned());
    };
    let list = |key: &str| crate::reference::numbers(&said[key]);
    Ok(Measured {
        ns,
        outputs: list("outputs"),
        state: list("state"),
        times: list("times"),
        steps: said["steps"].as_u64(),
    })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
