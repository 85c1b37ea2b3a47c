//! To which system a snapshot belongs: its names, its equations, and the values of its parameters.

use super::error::RestoreError;
use super::words::{Value, Writer, folded, layout};
use crate::info::SystemInfo;
use crate::system::{System, parameters_of};

/// Lists of names, each with what it is of.
const LISTS: [&str; 10] = [
    "coordinates",
    "speeds",
    "rotations",
    "parameters",
    "inputs",
    "functions",
    "constraints",
    "contacts",
    "events",
    "terms of friction",
];

/// A system as a snapshot knows it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Owner {
    name: String,
    /// In the order of [`LISTS`].
    names: Vec<Vec<String>>,
    /// A word for its equations as they are printed, with the laws and conditions of its contacts.
    equations: u64,
    /// The values of the parameters, by their bits.
    parameters: Vec<u64>,
}

impl Owner {
    pub(super) fn of(system: &dyn System) -> Self {
        let info = system.info();
        let owned = |list: Vec<&str>| list.into_iter().map(str::to_owned).collect();
        Self {
            name: info.name.to_owned(),
            names: names(info).into_iter().map(owned).collect(),
            equations: equations(info),
            parameters: parameters_of(system).into_iter().map(f64::to_bits).collect(),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Refuses a system that is another one.
    pub(super) fn check(&self, system: &dyn System) -> Result<(), RestoreError> {
        let (info, other) = (system.info(), Self::of(system));
        let differs = |what: &'static str, snapshot: &str, system: &str| {
            let (snapshot, system) = (snapshot.to_owned(), system.to_owned());
            Err(RestoreError::System { what, snapshot, system })
        };
        if self.name != other.name {
            return differs("name", &self.name, &other.name);
        }
        for (i, what) in LISTS.into_iter().enumerate() {
            let [own, others] = [self, &other].map(|owner| owner.names.get(i));
            if own != others {
                let [own, others] = [own, others]
                    .map(|names| names.map_or(String::new(), |names| names.join(", ")));
                return differs(what, &own, &others);
            }
        }
        if self.equations != other.equations {
            return Err(RestoreError::Equations { system: info.name });
        }
        let values = self.parameters.iter().zip(&other.parameters).zip(info.parameters);
        for ((own, others), parameter) in values {
            if own != others {
                let [snapshot, system] = [own, others].map(|bits| f64::from_bits(*bits));
                return Err(RestoreError::Parameter { name: parameter.name, snapshot, system });
            }
        }
        Ok(())
    }

    /// A word for all of it.
    pub(super) fn folded(&self) -> u64 {
        let Self { name, names, equations, parameters } = self;
        let mut to = Writer::default();
        name.write(&mut to);
        names.write(&mut to);
        equations.write(&mut to);
        parameters.write(&mut to);
        folded(&to.words, 0)
    }
}

fn equations(info: &SystemInfo) -> u64 {
    let laws = info.contacts.iter().flat_map(|contact| [contact.law, contact.when]);
    let words: Vec<u64> = [info.equations.as_str()].into_iter().chain(laws).map(layout).collect();
    folded(&words, 0)
}

/// The names of a system, in the order of [`LISTS`].
fn names(info: &SystemInfo) -> [Vec<&'static str>; LISTS.len()] {
    [
        info.coordinates.iter().map(|coordinate| coordinate.name).collect(),
        info.velocities.iter().map(|speed| speed.name).collect(),
        info.rotations.iter().map(|rotation| rotation.name).collect(),
        info.parameters.iter().map(|parameter| parameter.name).collect(),
        info.inputs.iter().map(|input| input.name).collect(),
        info.functions.iter().map(|function| function.name).collect(),
        info.rows.iter().map(|row| row.name).collect(),
        info.contacts.iter().map(|contact| contact.name).collect(),
        info.events.iter().map(|event| event.name).collect(),
        info.frictions.iter().map(|friction| friction.name).collect(),
    ]
}
