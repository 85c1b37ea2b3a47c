//! The tables of a scenario file, one function a table.

use super::value::{Entry, Reader};
use super::{Axis, Ending, Output, Solver, Start};
use crate::complaint::{Complaint, Origin};
use crate::names::{self, Target, listed, no_such, speeds};
use crate::run::settings::{Assignment, Expression};
use eom_core::EventCount;
use eom_core::info::Unknown;
use eom_symbolic::name::{Name, nearest};
use std::collections::BTreeSet;

const STATE: [&str; 6] = ["name", "from", "t", "q", "v", "solve"];
const END: [&str; 4] = ["time", "impacts", "events", "event"];
const SOLVER: [&str; 12] = [
    "method",
    "precision",
    "step",
    "forces",
    "rtol",
    "atol",
    "impact",
    "project_start",
    "start_tolerance",
    "step_max",
    "steps",
    "events",
];
const OUTPUT: [&str; 11] = [
    "csv", "jsonl", "parquet", "events", "table", "html", "gif", "plot", "sample", "ledger",
    "large",
];

/// How a name of one kind is found, and which names of it there are.
struct Kind<'k> {
    what: &'k str,
    find: &'k dyn Fn(&str) -> Option<Target>,
    known: Vec<String>,
}

impl Reader {
    /// The values of a table by their names, each of a kind and once.
    fn assignments(&mut self, entry: Entry<'_>, kind: &Kind<'_>) -> Vec<Assignment> {
        let mut found: Vec<Assignment> = Vec::new();
        for item in self.table(entry) {
            let Some(target) = (kind.find)(item.key) else {
                self.no_name(item, item.key, kind);
                continue;
            };
            if let Some(twin) = found.iter().find(|twin| twin.target == target) {
                let message = format!("`{}` is set already, as `{}`", item.key, twin.name);
                self.complain(item.at(), message);
                continue;
            }
            let name = item.key.to_owned();
            found.extend(self.expression(item).map(|value| Assignment { target, name, value }));
        }
        found
    }

    fn no_name(&mut self, entry: Entry<'_>, name: &str, kind: &Kind<'_>) {
        let near = nearest(&Name::parse(name).key, kind.known.iter().map(String::as_str));
        let complaint = Complaint::at(entry.at(), no_such(kind.what, name, near));
        let known =
            if kind.known.is_empty() { "none".to_owned() } else { listed(name, &kind.known) };
        self.complaints.push(complaint.help(format!("there are: {known}")));
    }

    pub(super) fn parameters(&mut self, entry: Entry<'_>) -> Vec<Assignment> {
        let info = self.info;
        let find = |text: &str| {
            Target::find(text, info).ok().filter(|t| matches!(t, Target::Parameter(_)))
        };
        let known = info.parameters.iter().map(|item| item.name.to_owned()).collect();
        self.assignments(entry, &Kind { what: "parameter", find: &find, known })
    }

    pub(super) fn functions(&mut self, entry: Entry<'_>) -> Vec<Assignment> {
        let info = self.info;
        let find =
            |text: &str| Target::find(text, info).ok().filter(|t| matches!(t, Target::Function(_)));
        let known = info.functions.iter().map(|item| item.name.to_owned()).collect();
        self.assignments(entry, &Kind { what: "function", find: &find, known })
    }

    pub(super) fn inputs(&mut self, entry: Entry<'_>) -> Vec<Assignment> {
        let info = self.info;
        let find =
            |text: &str| Target::find(text, info).ok().filter(|t| matches!(t, Target::Input(_)));
        let known = info.inputs.iter().map(|item| item.name.to_owned()).collect();
        self.assignments(entry, &Kind { what: "input", find: &find, known })
    }

    fn coordinates(&mut self, entry: Entry<'_>) -> Vec<Assignment> {
        let info = self.info;
        let find = |text: &str| Target::coordinate(text, info);
        let known = (0..info.positions()).map(|index| info.position_name(index)).collect();
        self.assignments(entry, &Kind { what: "coordinate", find: &find, known })
    }

    fn velocities(&mut self, entry: Entry<'_>) -> Vec<Assignment> {
        let info = self.info;
        let find = |text: &str| Target::velocity(text, info);
        self.assignments(entry, &Kind { what: "velocity", find: &find, known: speeds(info) })
    }

    /// Of coordinates and velocities, by their names.
    fn entries(&mut self, entry: Entry<'_>) -> Vec<Assignment> {
        let info = self.info;
        let is_entry = |t: &Target| matches!(t, Target::Coordinate(_) | Target::Velocity(_));
        let find = |text: &str| Target::find(text, info).ok().filter(is_entry);
        let positions = (0..info.positions()).map(|index| info.position_name(index));
        let known = positions.chain(speeds(info)).collect();
        self.assignments(entry, &Kind { what: "coordinate or velocity", find: &find, known })
    }

    pub(super) fn start(&mut self, entry: Entry<'_>) -> Start {
        let mut start = Start { name: None, from: None, settings: Vec::new(), solve: None };
        let (mut q, mut v) = (Vec::new(), Vec::new());
        for item in self.table(entry) {
            match item.key {
                "name" => start.name = self.text(item).map(|(name, _)| name),
                "from" => start.from = self.scenario(item),
                "t" => {
                    let value = self.expression(item);
                    let assign =
                        |value| Assignment { target: Target::Time, name: "t".to_owned(), value };
                    start.settings.extend(value.map(assign));
                }
                "q" => q = self.coordinates(item),
                "v" => v = self.velocities(item),
                "solve" => start.solve = Some(self.unknowns(item)),
                _ => self.unknown(item, "a state has", &STATE),
            }
        }
        if start.from.is_none() {
            self.complete_rotations(&mut q, entry);
        }
        start.settings.extend(q);
        start.settings.extend(v);
        start
    }

    /// Of a quaternion that is given in part the rest is 0, as in `eom eval`.
    fn complete_rotations(&self, q: &mut Vec<Assignment>, entry: Entry<'_>) {
        let plain = self.info.coordinates.len();
        let given: BTreeSet<usize> = q
            .iter()
            .filter_map(|assignment| match assignment.target {
                Target::Coordinate(index) => Some(index),
                _ => None,
            })
            .collect();
        for first in (plain..self.info.positions()).step_by(4) {
            let places = first..first + 4;
            if places.clone().any(|index| given.contains(&index)) {
                let missing = places.filter(|index| !given.contains(index));
                q.extend(missing.map(|index| Assignment {
                    target: Target::Coordinate(index),
                    name: self.info.position_name(index),
                    value: Expression { text: "0".to_owned(), origin: Origin::File(entry.place()) },
                }));
            }
        }
    }

    /// A declared scenario by its name.
    fn scenario(&mut self, entry: Entry<'_>) -> Option<usize> {
        let (name, _) = self.text(entry)?;
        match names::scenario(&name, self.info) {
            Ok(index) => Some(index),
            Err(message) => {
                self.complaints.push(Complaint::lines(entry.place(), &message));
                None
            }
        }
    }

    fn unknowns(&mut self, entry: Entry<'_>) -> Vec<Unknown> {
        let info = self.info;
        let mut unknowns = Vec::new();
        for item in self.list(entry, "names") {
            let Some((name, _)) = self.text(item) else { continue };
            match Target::find(&name, info) {
                Ok(Target::Coordinate(index)) => unknowns.push(Unknown::Coordinate(index)),
                Ok(Target::Velocity(index)) => unknowns.push(Unknown::Velocity(index)),
                _ => {
                    let mut known: Vec<String> =
                        (0..info.positions()).map(|i| info.position_name(i)).collect();
                    known.extend(speeds(info));
                    let near = nearest(&Name::parse(&name).key, known.iter().map(String::as_str));
                    let message = no_such("coordinate or velocity", &name, near);
                    let complaint = Complaint::at(item.place(), message);
                    self.complaints
                        .push(complaint.help(format!("there are: {}", listed(&name, &known))));
                }
            }
        }
        unknowns
    }

    pub(super) fn end(&mut self, entry: Entry<'_>) -> Ending {
        let mut end = Ending::default();
        let (mut count, mut event) = (None, None);
        for item in self.table(entry) {
            match item.key {
                "time" => end.time = self.expression(item),
                "impacts" => {
                    let impacts = self.count(item);
                    end.impacts = impacts.map(|n| (n as usize, Origin::File(item.place())));
                }
                "events" => count = self.count(item).map(|n| n as usize),
                "event" => event = self.event(item),
                _ => self.unknown(item, "a run ends by", &END),
            }
        }
        if count.is_some() || event.is_some() {
            end.events = Some(EventCount { event, count: count.unwrap_or(1) });
        }
        let never = self.info.events.is_empty() && self.info.contacts.is_empty();
        if count.is_some() && never {
            self.complain(
                entry.at(),
                format!("{} has neither contacts nor events", self.info.name),
            );
        }
        end
    }

    /// A declared event by its name.
    fn event(&mut self, entry: Entry<'_>) -> Option<usize> {
        let (name, _) = self.text(entry)?;
        match names::event(&name, self.info) {
            Ok(index) => Some(index),
            Err(message) => {
                self.complaints.push(Complaint::lines(entry.place(), &message));
                None
            }
        }
    }

    pub(super) fn solver(&mut self, entry: Entry<'_>) -> Solver {
        let mut solver = Solver::default();
        for item in self.table(entry) {
            match item.key {
                "precision" => {
                    let count = self.count(item);
                    solver.precision = count.map(|n| (n, Origin::File(item.at())));
                }
                "step" => solver.step = self.expression(item),
                "rtol" => solver.rtol = self.expression(item),
                "atol" if item.value.get_ref().as_table().is_some() => {
                    solver.atols = self.entries(item);
                }
                "atol" => solver.atol = self.expression(item),
                "start_tolerance" => solver.start_tolerance = self.expression(item),
                "step_max" => solver.step_max = self.expression(item),
                "steps" => solver.steps = self.count(item),
                "events" => solver.events = self.count(item).map(|n| n as usize),
                "method" => {
                    let method = self.text(item);
                    solver.method = method.map(|(text, origin)| Expression { text, origin });
                }
                "forces" => {
                    let how = self.text(item);
                    solver.forces = how.map(|(text, origin)| Expression { text, origin });
                }
                "impact" => {
                    let law = self.text(item);
                    solver.impact = law.map(|(text, origin)| Expression { text, origin });
                }
                "project_start" => solver.project_start = self.flag(item),
                _ => self.unknown(item, "the solver has", &SOLVER),
            }
        }
        solver
    }

    pub(super) fn output(&mut self, entry: Entry<'_>) -> Output {
        let mut output = Output::default();
        for item in self.table(entry) {
            match item.key {
                "csv" => output.csv = self.file(item),
                "jsonl" => output.jsonl = self.file(item),
                "parquet" => output.parquet = self.file(item),
                "events" => output.events = self.file(item),
                "table" => output.table = self.file(item),
                "html" => output.html = self.file(item),
                "gif" => output.gif = self.file(item),
                "plot" => output.plots = self.texts(item),
                "sample" => output.sample = self.expression(item),
                "ledger" => output.ledger = self.flag(item),
                "large" => output.large = self.flag(item),
                _ => self.unknown(item, "output has", &OUTPUT),
            }
        }
        output
    }

    pub(super) fn axes(&mut self, entry: Entry<'_>) -> Vec<Axis> {
        let mut axes: Vec<Axis> = Vec::new();
        for item in self.table(entry) {
            let target = match Target::find(item.key, self.info) {
                Ok(target) => target,
                Err(message) => {
                    self.complaints.push(Complaint::lines(item.at(), &message));
                    continue;
                }
            };
            if axes.iter().any(|axis| axis.target == target) {
                self.complain(item.at(), format!("`{}` is swept already", item.key));
                continue;
            }
            let values = self.axis_values(item, &target.ascii(self.info));
            match values.map(|values| Axis::new(target, item.key, values)) {
                Some(Ok(axis)) => axes.push(axis),
                Some(Err(message)) => self.complain(item.at(), message),
                None => {}
            }
        }
        axes
    }
}
