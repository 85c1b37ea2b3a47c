//! What runs along an axis: a number of the motion by its name, or an expression of such.

use crate::numbers::{Function, Known, Mistake, names_in};
use eom_core::info::{NameInfo, SystemInfo};
use eom_core::{Event, EventKind, Mode, SmoothFunction, State, System};
use eom_interpreter::drawing::Numbers;
use eom_interpreter::motion::{Observer, Part, Sight, called, numbers, unknown};
use eom_interpreter::names::{unit, unit_of_speed};
use eom_symbolic::name::Name;
use models::scene::{Axis, Quantity, Scene};
use std::sync::Arc;

/// What runs along an axis.
#[derive(Clone)]
pub(crate) enum Along {
    /// A number of the motion.
    Part(Part),
    /// A function of such numbers, by their names.
    Function(Box<Function>, Vec<(String, Along)>),
    /// The impulse of a contact, which only impacts have.
    Impulse(usize),
    /// A number in the names of the declaration, `let`s among them, with the functions that are set.
    Written(Arc<Numbers>, Vec<SmoothFunction>),
}

impl From<Quantity> for Along {
    fn from(quantity: Quantity) -> Self {
        Self::Part(match quantity {
            Quantity::Time => Part::Time,
            Quantity::Coordinate(index) => Part::Coordinate(index),
            Quantity::Velocity(index) => Part::Velocity(index),
            Quantity::Output(index) => Part::Output(index),
        })
    }
}

/// An axis as it was asked for.
pub(crate) struct Asked {
    /// What runs along it.
    pub(crate) along: Along,
    /// Its symbol and unit.
    pub(crate) axis: Axis,
    /// What names of files call it.
    pub(crate) word: String,
}

impl Along {
    /// Reads a name or an expression; parameters have their present values.
    pub(crate) fn parse(
        text: &str,
        scene: &Scene,
        system: &dyn System,
        functions: &[SmoothFunction],
    ) -> Result<Asked, String> {
        let info = system.info();
        let text = text.trim();
        let plain = called(text);
        let known = numbers(info);
        let key = Name::parse(&plain).ascii();
        if let Some((_, part, symbol)) = known.iter().find(|(name, ..)| *name == key) {
            let axis = axis(*part, symbol, scene, info);
            return Ok(Asked { along: Self::Part(*part), axis, word: word(&key) });
        }
        if let Some(contact) = impulse(&key, info) {
            let symbol = format!("impulse({})", info.contacts[contact].name);
            let axis = Axis { quantity: Quantity::Time, symbol, unit: String::new() };
            return Ok(Asked { along: Self::Impulse(contact), axis, word: word(&key) });
        }
        let along = Self::expression((text, &plain), &known, system, functions)?;
        let axis = Axis { quantity: Quantity::Time, symbol: text.to_owned(), unit: String::new() };
        let is_written = matches!(along, Self::Written(..));
        Ok(Asked { along, axis, word: word(if is_written { &key } else { &plain }) })
    }

    /// An expression of numbers of the motion and of the declaration.
    fn expression(
        (text, plain): (&str, &str),
        known: &[(String, Part, String)],
        system: &dyn System,
        functions: &[SmoothFunction],
    ) -> Result<Self, String> {
        let info = system.info();
        let written = |text: &str| {
            let numbers = Numbers::new(info.source, &[text]).ok()?;
            Some(Self::Written(Arc::new(numbers), functions.to_vec()))
        };
        let mut parts: Vec<(String, Self)> =
            known.iter().map(|(name, part, _)| (name.clone(), Self::Part(*part))).collect();
        let fixed = crate::run::settings::parameters(system);
        let read = |parts: &[(String, Self)]| {
            let names: Vec<String> = parts.iter().map(|(name, _)| name.clone()).collect();
            Function::new(plain, &names, &fixed)
        };
        let function = match read(&parts) {
            Ok(function) => function,
            Err(_) => {
                // What is no number of the motion may be one of the declaration: a `let`, its rate; or some of it may.
                if let Some(along) = written(text) {
                    return Ok(along);
                }
                for name in names_in(plain) {
                    if parts.iter().all(|(known, _)| *known != name) {
                        parts.extend(written(&name).map(|along| (name, along)));
                    }
                }
                read(&parts).map_err(|mistake| match mistake {
                    Mistake::Unreadable { .. } if is_name(plain) => {
                        unknown(text, known) + ", `let`s, and expressions of them"
                    }
                    other => other.to_string(),
                })?
            }
        };
        parts.retain(|(name, _)| function.names().contains(name));
        if parts.is_empty() {
            return Err(format!("`{text}` does not change along a run"));
        }
        Ok(Self::Function(Box::new(function), parts))
    }

    /// The value before an event, of an impulse in it.
    pub(crate) fn before(
        &self,
        event: &Event,
        (observer, mode): (&mut Observer<'_>, &Mode),
    ) -> f64 {
        match (self, &event.kind) {
            (Self::Impulse(contact), EventKind::Impact { contact: first, impulse, others, .. }) => {
                let of_others = others.iter().map(|hit| (hit.contact, hit.impulse));
                let mut all = [(*first, *impulse)].into_iter().chain(of_others);
                all.find(|(own, _)| own == contact).map_or(0.0, |(_, impulse)| impulse)
            }
            _ => {
                let state = State::new(event.t, event.q_minus(), event.v_minus());
                self.value(&mut observer.see(&state, mode))
            }
        }
    }

    /// The value at a state in a mode; not a number where only events have one.
    pub(crate) fn value(&self, at: &mut Sight<'_>) -> f64 {
        match self {
            Self::Part(part) => part.value(at),
            Self::Function(function, parts) => {
                let point: Vec<(String, f64)> =
                    parts.iter().map(|(name, part)| (name.clone(), part.value(at))).collect();
                let point: &Known = &point;
                function.at(point)
            }
            Self::Impulse(_) => f64::NAN,
            Self::Written(numbers, functions) => {
                let mut value = [f64::NAN];
                numbers.along(at, functions, &mut value);
                value[0]
            }
        }
    }
}

/// The contact whose impulse is called so.
fn impulse(key: &str, info: &SystemInfo) -> Option<usize> {
    let contact = key.strip_prefix("impulse_")?;
    info.contacts.iter().position(|known| known.ascii == contact)
}

/// The axis of it: as the scene has it, else named as declared with the unit that its
/// documentation ends with.
fn axis(part: Part, symbol: &str, scene: &Scene, info: &SystemInfo) -> Axis {
    let quantity = match part {
        Part::Coordinate(index) => Quantity::Coordinate(index),
        Part::Velocity(index) => Quantity::Velocity(index),
        Part::Output(index) => Quantity::Output(index),
        _ => Quantity::Time,
    };
    let of_scene = [&scene.x, &scene.y].into_iter().find(|axis| axis.quantity == quantity);
    let documented = |items: &[NameInfo], index: usize| {
        items.get(index).map_or(String::new(), |item| unit(item.doc).to_owned())
    };
    let unit = match part {
        Part::Time => scene.time_unit.to_owned(),
        Part::Coordinate(index) => {
            of_scene.map_or_else(|| documented(info.coordinates, index), |axis| axis.unit.clone())
        }
        Part::Velocity(index) => unit_of_speed(info, index),
        Part::Output(index) => documented(info.outputs, index),
        _ => String::new(),
    };
    Axis { quantity, symbol: symbol.to_owned(), unit }
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_' || ('\u{300}'..='\u{36F}').contains(&c))
}

/// The part of a file's name that stands for an axis.
pub(crate) fn word(ascii: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
    ascii.chars().map(plain).collect()
}
