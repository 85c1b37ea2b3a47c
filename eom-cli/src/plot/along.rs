//! What runs along an axis: a number of the motion by its name, or an expression of such.

use crate::names::{no_such, speeds, speeds_ascii};
use crate::numbers::{Function, Known, Mistake};
use eom_core::contact::ContactForces;
use eom_core::info::{NameInfo, SystemInfo};
use eom_core::{Mode, State, System};
use eom_symbolic::name::{Name, nearest};
use models::scene::{Axis, Quantity, Scene};

/// A number of the motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Time,
    Coordinate(usize),
    Velocity(usize),
    Acceleration(usize),
    Output(usize),
    Multiplier(usize),
    Gap(usize),
    Kinetic,
    Potential,
    Energy,
    Jacobi,
}

/// What runs along an axis.
#[derive(Clone)]
pub(crate) struct Along {
    parts: Vec<(String, Part)>,
    /// How the parts go together; `None` where there is one, as it is.
    function: Option<Function>,
}

impl From<Quantity> for Along {
    fn from(quantity: Quantity) -> Self {
        Self::one(match quantity {
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
    fn one(part: Part) -> Self {
        Self { parts: vec![(String::new(), part)], function: None }
    }

    /// Reads a name or an expression; parameters have their present values.
    pub(crate) fn parse(text: &str, scene: &Scene, system: &dyn System) -> Result<Asked, String> {
        let info = system.info();
        let text = text.trim();
        let plain = called(text);
        let known = names(info);
        let key = Name::parse(&plain).ascii();
        if let Some((_, part, symbol)) = known.iter().find(|(name, ..)| *name == key) {
            let axis = part.axis(symbol, scene, info);
            return Ok(Asked { along: Self::one(*part), axis, word: word(&key) });
        }
        let ascii: Vec<String> = known.iter().map(|(name, ..)| name.clone()).collect();
        let fixed = crate::run::settings::parameters(system);
        let function = Function::new(&plain, &ascii, &fixed).map_err(|mistake| match mistake {
            Mistake::Unreadable { .. } if is_name(&plain) => unknown(text, &known),
            other => other.to_string(),
        })?;
        let of = |name: &String| {
            let found = known.iter().find(|(known, ..)| known == name);
            found.map(|(_, part, _)| (name.clone(), *part))
        };
        let parts: Vec<(String, Part)> = function.names().iter().filter_map(of).collect();
        if parts.is_empty() {
            return Err(format!("`{text}` does not change along a run"));
        }
        let axis = Axis { quantity: Quantity::Time, symbol: text.to_owned(), unit: String::new() };
        Ok(Asked { along: Self { parts, function: Some(function) }, axis, word: word(&plain) })
    }

    /// The value at a state in a mode.
    pub(crate) fn value(
        &self,
        system: &dyn System,
        inputs: &[f64],
        state: &State,
        mode: &Mode,
    ) -> f64 {
        let value = |part: &Part| part.value(system, inputs, state, mode);
        match (&self.function, self.parts.first()) {
            (None, Some((_, part))) => value(part),
            (None, None) => f64::NAN,
            (Some(function), _) => {
                let point: Vec<(String, f64)> =
                    self.parts.iter().map(|(name, part)| (name.clone(), value(part))).collect();
                let point: &Known = &point;
                function.at(point)
            }
        }
    }
}

impl Part {
    fn value(self, system: &dyn System, inputs: &[f64], state: &State, mode: &Mode) -> f64 {
        let State { t, q, v } = state;
        let info = system.info();
        match self {
            Self::Time => *t,
            Self::Coordinate(index) => q[index],
            Self::Velocity(index) => v[index],
            Self::Acceleration(index) => forces(system, inputs, state, mode).0[index],
            Self::Multiplier(index) => forces(system, inputs, state, mode).1[index],
            Self::Output(index) => {
                let mut outputs = vec![0.0; info.outputs.len()];
                system.outputs(*t, q, v, inputs, &mut outputs);
                outputs[index]
            }
            Self::Gap(index) => {
                let mut gaps = vec![0.0; info.contacts.len()];
                system.gaps(*t, q, &mut gaps);
                gaps[index]
            }
            Self::Kinetic => system.energy(*t, q, v).kinetic,
            Self::Potential => system.energy(*t, q, v).potential,
            Self::Energy => system.energy(*t, q, v).total(),
            Self::Jacobi => system.energy(*t, q, v).jacobi,
        }
    }

    /// The axis of it: as the scene has it, else named as declared with the unit that its
    /// documentation ends with.
    fn axis(self, symbol: &str, scene: &Scene, info: &SystemInfo) -> Axis {
        let quantity = match self {
            Self::Coordinate(index) => Quantity::Coordinate(index),
            Self::Velocity(index) => Quantity::Velocity(index),
            Self::Output(index) => Quantity::Output(index),
            _ => Quantity::Time,
        };
        let of_scene = [&scene.x, &scene.y].into_iter().find(|axis| axis.quantity == quantity);
        let documented = |items: &[NameInfo], index: usize| {
            items.get(index).map_or(String::new(), |item| unit(item.doc).to_owned())
        };
        let unit = match self {
            Self::Time => scene.time_unit.to_owned(),
            Self::Coordinate(index) => of_scene
                .map_or_else(|| documented(info.coordinates, index), |axis| axis.unit.clone()),
            Self::Velocity(index) => documented(info.velocities, index),
            Self::Output(index) => documented(info.outputs, index),
            _ => String::new(),
        };
        Axis { quantity, symbol: symbol.to_owned(), unit }
    }
}

/// v̇ and λ in a mode; not numbers where there are none.
fn forces(system: &dyn System, inputs: &[f64], state: &State, mode: &Mode) -> (Vec<f64>, Vec<f64>) {
    let State { t, q, v } = state;
    let (mut a, mut λ) = (vec![f64::NAN; v.len()], vec![f64::NAN; system.info().rows.len()]);
    if mode.is_free() {
        system.accelerations(*t, q, v, inputs, &mut a, &mut λ);
        return (a, λ);
    }
    let mut forces = ContactForces::new(system);
    if forces.solve(system, mode, (*t, q, v, inputs)).is_ok() {
        a.copy_from_slice(forces.accelerations());
        λ.copy_from_slice(forces.multipliers());
    }
    (a, λ)
}

/// Every number of a motion: its name in ASCII, what it is, its symbol.
fn names(info: &SystemInfo) -> Vec<(String, Part, String)> {
    let mut names = vec![("t".to_owned(), Part::Time, "t".to_owned())];
    for index in 0..info.positions() {
        names.push((
            info.position_ascii(index),
            Part::Coordinate(index),
            info.position_name(index),
        ));
    }
    for (index, (ascii, symbol)) in speeds_ascii(info).into_iter().zip(speeds(info)).enumerate() {
        let mut rate = Name::parse(&ascii);
        rate.dots += 1;
        let mut shown = Name::parse(&symbol);
        shown.dots += 1;
        names.push((ascii, Part::Velocity(index), symbol));
        names.push((rate.ascii(), Part::Acceleration(index), shown.unicode()));
    }
    for (index, item) in info.outputs.iter().enumerate() {
        names.push((item.ascii.to_owned(), Part::Output(index), item.name.to_owned()));
    }
    for (index, row) in info.rows.iter().enumerate() {
        let name = Name::parse(row.ascii).ascii();
        names.push((format!("lambda_{name}"), Part::Multiplier(index), format!("λ({})", row.name)));
    }
    for (index, contact) in info.contacts.iter().enumerate() {
        let symbol = format!("gap({})", contact.name);
        names.push((format!("gap_{}", contact.ascii), Part::Gap(index), symbol));
    }
    let energies = [
        ("energy", Part::Energy),
        ("kinetic", Part::Kinetic),
        ("potential", Part::Potential),
        ("jacobi", Part::Jacobi),
    ];
    // What is declared under such a name is meant.
    for (name, part) in energies {
        if names.iter().all(|(known, ..)| known != name) {
            names.push((name.to_owned(), part, name.to_owned()));
        }
    }
    names
}

/// `λ(roll)` and `gap(wall)` as the names that they have in expressions.
fn called(text: &str) -> String {
    let mut plain = text.to_owned();
    for (call, name) in [("λ(", "lambda_"), ("lambda(", "lambda_"), ("gap(", "gap_")] {
        while let Some(at) = plain.find(call) {
            let Some(length) = plain[at..].find(')') else { break };
            let inner = plain[at + call.len()..at + length].trim().to_owned();
            plain.replace_range(at..=at + length, &format!("{name}{inner}"));
        }
    }
    plain
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_' || ('\u{300}'..='\u{36F}').contains(&c))
}

fn unknown(text: &str, known: &[(String, Part, String)]) -> String {
    let near = nearest(&Name::parse(text).ascii(), known.iter().map(|(name, ..)| name.as_str()));
    let symbols: Vec<&str> = known.iter().map(|(.., symbol)| symbol.as_str()).collect();
    let message = no_such("number of the motion", text, near);
    format!("{message}\n  numbers: {}, and expressions of them", symbols.join(", "))
}

/// The part of a file's name that stands for an axis.
fn word(ascii: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
    ascii.chars().map(plain).collect()
}

/// The unit at the end of a doc comment: `Mass, kg.` has kg.
pub(crate) fn unit(doc: &str) -> &str {
    const UNITS: [&str; 20] = [
        "m", "mm", "cm", "km", "s", "ms", "min", "h", "kg", "g", "N", "J", "W", "Hz", "rad", "deg",
        "°", "1", "V", "A",
    ];
    let line = doc.lines().next().unwrap_or_default().trim().trim_end_matches('.');
    let Some((_, last)) = line.rsplit_once(", ") else { return "" };
    let is_unit = |word: &str| {
        let base = word.trim_end_matches(|c: char| "²³⁴⁻¹^-234".contains(c) && word.len() > 1);
        UNITS.contains(&base)
    };
    let mut words = last.split([' ', '/', '·', '*']).filter(|word| !word.is_empty());
    if words.clone().count() > 0 && words.all(is_unit) { last } else { "" }
}

#[cfg(test)]
mod tests {
    use super::{called, unit};

    #[test]
    fn units_stand_behind_the_last_comma() {
        let table = [
            ("Mass, kg.", "kg"),
            ("Moment of inertia about the centre of mass, kg m².", "kg m²"),
            ("Speed, m/s\nmore", "m/s"),
            ("From the blade, where it touches.", ""),
            ("Restitution.", ""),
            ("", ""),
        ];
        for (doc, expected) in table {
            assert_eq!(unit(doc), expected, "{doc}");
        }
    }

    #[test]
    fn calls_are_names() {
        let table = [
            ("λ(roll_x)", "lambda_roll_x"),
            ("2*lambda(rod) + gap(wall)", "2*lambda_rod + gap_wall"),
            ("sin(x)", "sin(x)"),
        ];
        for (text, expected) in table {
            assert_eq!(called(text), expected);
        }
    }
}
