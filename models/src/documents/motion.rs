//! What sentences say of whole motions, decided by runs: it stops, it stays at rest, a value at a time.
//!
//! A sentence is a list of motions, each with what it says of it. It holds where all of them do; one that is refuted has
//! beside it the motions that hold instead. Numbers are formulas of the parameters, worked out by hand from the
//! declaration, not by the run.

use crate::scene::parameter;
use crate::{ModelEntry, catalogue};
use eom_core::info::{NameInfo, SystemInfo};
use eom_core::{Options, State, System, Trajectory, simulate};
use std::ops::ControlFlow;

/// A number of a sentence: a formula of the parameters, which are given by their names in ASCII.
pub type Formula = fn(&dyn Fn(&str) -> f64) -> f64;

/// A motion, and what is said of it.
#[derive(Debug, Clone, Copy)]
pub struct Motion {
    /// The model.
    pub system: &'static SystemInfo,
    /// Parameters that are not as declared, in ASCII.
    pub with: &'static [(&'static str, f64)],
    /// Coordinates and velocities of the start that are not 0, in ASCII.
    pub start: &'static [(&'static str, f64)],
    /// When it ends.
    pub until: Formula,
    /// What is said of it.
    pub says: Says,
}

/// What is said of a motion.
#[derive(Debug, Clone, Copy)]
pub enum Says {
    /// Its last event is at a time, and from there on it is at rest.
    Stops(Formula),
    /// It is at rest at the end, where it began.
    Stays,
    /// It is not at rest at the end.
    Moves,
    /// A coordinate or a velocity, in ASCII, has a value at the end.
    Is(&'static str, Formula),
}

/// Parts of a value by which a run may miss it.
const WITHIN: f64 = 1e-6;

impl std::fmt::Display for Motion {
    /// `rough-particle --set phi=0.1, w_dot = 2`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.entry().map_or(self.system.name, |entry| entry.name))?;
        for (name, value) in self.with {
            write!(f, " --set {name}={value}")?;
        }
        self.start.iter().try_for_each(|(name, value)| write!(f, ", {name} = {value}"))
    }
}

impl Motion {
    /// Whether the run does what is said; the mistake where it cannot be made.
    ///
    /// # Errors
    /// Where the model is not in the catalogue, a name is unknown, or the run is not admitted or ends early.
    pub fn holds(&self) -> Result<bool, String> {
        let system = self.build()?;
        let value = |name: &str| parameter(&*system, name).unwrap_or(f64::NAN);
        let start = self.start_of(&*system)?;
        let until = (self.until)(&value);
        let trajectory = run(&*system, &start, until)?;
        let end = trajectory.last().ok_or("the run has no state")?;
        let rests = |state: &State| state.v.iter().all(|v| *v == 0.0);
        let near =
            |found: f64, wanted: f64| (found - wanted).abs() <= WITHIN * wanted.abs().max(1e-3);
        Ok(match self.says {
            Says::Stops(at) => {
                rests(end)
                    && trajectory.events.last().is_some_and(|event| near(event.t, at(&value)))
            }
            Says::Stays => rests(end) && end.q == start.q,
            Says::Moves => !rests(end),
            Says::Is(name, wanted) => near(self.value(name, end)?, wanted(&value)),
        })
    }

    fn entry(&self) -> Option<&'static ModelEntry> {
        catalogue().iter().find(|model| model.info.name == self.system.name)
    }

    fn build(&self) -> Result<Box<dyn System>, String> {
        let model = self.entry().ok_or_else(|| format!("no model `{}`", self.system.name))?;
        let parameters = self.system.parameters;
        let known = |name: &str| parameters.iter().any(|parameter| parameter.ascii == name);
        if let Some((name, _)) = self.with.iter().find(|(name, _)| !known(name)) {
            return Err(format!("no parameter `{name}`"));
        }
        let value =
            |ascii: &str| self.with.iter().find(|(name, _)| *name == ascii).map(|(_, v)| *v);
        let overrides: Vec<_> = parameters.iter().map(|p| value(p.ascii)).collect();
        (model.build)(&overrides).map_err(|error| error.to_string())
    }

    fn start_of(&self, system: &dyn System) -> Result<State, String> {
        let info = system.info();
        let mut state = State::new(0.0, vec![0.0; info.positions()], vec![0.0; info.speeds()]);
        // What is not turned is the quaternion 1.
        let quaternions = state.q.iter_mut().skip(info.coordinates.len());
        quaternions.step_by(4).for_each(|w| *w = 1.0);
        for (name, value) in self.start {
            let slot = match self.place(name)? {
                Place::Coordinate(index) => state.q.get_mut(index),
                Place::Velocity(index) => state.v.get_mut(index),
            };
            if let Some(slot) = slot {
                *slot = *value;
            }
        }
        Ok(state)
    }

    fn value(&self, name: &str, state: &State) -> Result<f64, String> {
        let value = match self.place(name)? {
            Place::Coordinate(index) => state.q.get(index),
            Place::Velocity(index) => state.v.get(index),
        };
        value.copied().ok_or_else(|| format!("no `{name}` in the state"))
    }

    fn place(&self, name: &str) -> Result<Place, String> {
        let of = |names: &[NameInfo], name: &str| names.iter().position(|n| n.ascii == name);
        // Where q̇ = v the velocities are named after the coordinates: `x_dot`.
        let plain = || name.strip_suffix("_dot").filter(|_| self.system.is_plain());
        let rate = || plain().and_then(|name| of(self.system.coordinates, name));
        let velocity = || of(self.system.velocities, name).or_else(rate).map(Place::Velocity);
        let place = of(self.system.coordinates, name).map(Place::Coordinate).or_else(velocity);
        place.ok_or_else(|| format!("no coordinate or velocity `{name}`"))
    }
}

/// Where a name stands in a state.
enum Place {
    Coordinate(usize),
    Velocity(usize),
}

fn run(system: &dyn System, start: &State, until: f64) -> Result<Trajectory, String> {
    let options = Options { until_time: Some(until), ..Options::default() };
    let mut observer = |_: &eom_core::Progress<'_>| ControlFlow::Continue(());
    let trajectory =
        simulate(system, start, &[], &options, &mut observer).map_err(|error| error.to_string())?;
    if trajectory.end.is_complete() {
        return Ok(trajectory);
    }
    Err(format!("the run ends early: {}", trajectory.end))
}
