//! What a name in words of the user stands for in a system, in Unicode or ASCII, and what to say where it
//! stands for nothing.

use eom_core::Given;
use eom_core::info::{SystemInfo, Unknown};
use eom_symbolic::name::elsewhere::derivatives;
use eom_symbolic::name::{Name, Side, ascii_dotted, dotted, nearest};

/// What a run can be given by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The initial time.
    Time,
    /// The parameter of this index.
    Parameter(usize),
    /// The function of this index.
    Function(usize),
    /// The input of this index.
    Input(usize),
    /// The initial value of the entry of q of this index.
    Coordinate(usize),
    /// The initial value of the speed of this index.
    Velocity(usize),
}

impl From<Unknown> for Target {
    /// What is no longer an unknown once it is given.
    fn from(unknown: Unknown) -> Self {
        match unknown {
            Unknown::Coordinate(index) => Self::Coordinate(index),
            Unknown::Velocity(index) => Self::Velocity(index),
        }
    }
}

impl Target {
    /// The number of a start that it is.
    pub fn given(self) -> Option<Given> {
        match self {
            Self::Time => Some(Given::Time),
            Self::Parameter(_) | Self::Function(_) => None,
            Self::Input(index) => Some(Given::Input(index)),
            Self::Coordinate(index) => Some(Given::Position(index)),
            Self::Velocity(index) => Some(Given::Velocity(index)),
        }
    }
}

impl Target {
    /// What a name stands for in a system, in Unicode or ASCII.
    pub fn find(text: &str, info: &SystemInfo) -> Result<Self, String> {
        let name = Name::parse(&element(text.trim()));
        let find = |mut keys: Box<dyn Iterator<Item = &str>>| keys.position(|key| key == name.key);
        let coordinate = (0..info.positions()).position(|i| info.position_ascii(i) == name.key);
        let speed =
            speeds_ascii(info).iter().position(|speed| Name::parse(speed).ascii() == name.ascii());
        let target = match name.dots {
            _ if name.side != Side::None => None,
            0 if name.key == "t" => Some(Self::Time),
            0 => find(Box::new(info.parameters.iter().map(|item| item.ascii)))
                .map(Self::Parameter)
                .or(find(Box::new(info.functions.iter().map(|item| item.ascii)))
                    .map(Self::Function))
                .or(coordinate.map(Self::Coordinate))
                .or(find(Box::new(info.inputs.iter().map(|item| item.ascii))).map(Self::Input)),
            _ => None,
        };
        target.or(speed.map(Self::Velocity)).ok_or_else(|| unknown_target(text, &name, info))
    }
}

impl Target {
    /// Its name in ASCII, as columns have it.
    pub fn ascii(self, info: &SystemInfo) -> String {
        match self {
            Self::Time => "t".to_owned(),
            Self::Parameter(index) => info.parameters[index].ascii.to_owned(),
            Self::Function(index) => info.functions[index].ascii.to_owned(),
            Self::Input(index) => info.inputs[index].ascii.to_owned(),
            Self::Coordinate(index) => info.position_ascii(index),
            Self::Velocity(index) => speeds_ascii(info)[index].clone(),
        }
    }

    /// Its name as declared.
    pub fn name(self, info: &SystemInfo) -> String {
        match self {
            Self::Time => "t".to_owned(),
            Self::Parameter(index) => info.parameters[index].name.to_owned(),
            Self::Function(index) => info.functions[index].name.to_owned(),
            Self::Input(index) => info.inputs[index].name.to_owned(),
            Self::Coordinate(index) => info.position_name(index),
            Self::Velocity(index) => speeds(info)[index].clone(),
        }
    }

    /// An entry of q by its name.
    pub fn coordinate(text: &str, info: &SystemInfo) -> Option<Self> {
        let name = Name::parse(&element(text.trim()));
        let mut positions = 0..info.positions();
        let found = positions.find(|i| name.dots == 0 && info.position_ascii(*i) == name.key);
        found.map(Self::Coordinate)
    }

    /// A speed by its name, or by that of its coordinate where q̇ = v.
    pub fn velocity(text: &str, info: &SystemInfo) -> Option<Self> {
        let name = Name::parse(&element(text.trim()));
        let same = |speed: &String| {
            let speed = Name::parse(speed);
            speed.ascii() == name.ascii() || Name { dots: 0, ..speed }.ascii() == name.ascii()
        };
        speeds_ascii(info).iter().position(same).map(Self::Velocity)
    }
}

/// What stands for an element of an array: `theta[1]` is `theta1`, `theta_dot[1]` is `theta1_dot`.
pub(crate) fn element(text: &str) -> String {
    let entry = text.strip_suffix(']').and_then(|text| text.split_once('['));
    let Some((base, index)) = entry else { return text.to_owned() };
    let mut name = Name::parse(base.trim());
    name.display.push_str(index.trim());
    name.unicode()
}

fn unknown_target(text: &str, name: &Name, info: &SystemInfo) -> String {
    if let Some(size) = eom_codegen::parse::size_source(info.source, &name.display) {
        return format!(
            "`{text}` sizes arrays: it is {size} as declared, and is changed there only"
        );
    }
    let coordinates: Vec<&str> = info.coordinates.iter().map(|item| item.name).collect();
    let velocities = speeds(info);
    let parameters: Vec<&str> = info.parameters.iter().map(|item| item.name).collect();
    let inputs: Vec<&str> = info.inputs.iter().map(|item| item.name).collect();
    let functions: Vec<&str> = info.functions.iter().map(|item| item.name).collect();
    let plain = [&parameters[..], &functions, &coordinates, &inputs, &["t"]].concat();
    let derivative = derivatives(&name.key).find_map(|(base, dots)| {
        let of = info.coordinates.iter().find(|item| item.ascii == base)?;
        (dots == 1 && name.dots == 0).then(|| dotted(of.name, 1))
    });
    let derivative = derivative.or_else(|| {
        // `theta_dott`
        let (base, mark) = name.key.rsplit_once('_').filter(|_| name.dots == 0)?;
        let of = info.coordinates.iter().find(|item| item.ascii == base)?;
        nearest(mark, ["dot"]).map(|_| dotted(of.name, 1))
    });
    let suggestion = derivative.or_else(|| match name.dots {
        0 => nearest(&name.key, plain.iter().copied()).map(str::to_owned),
        1 => nearest(&name.key, coordinates.iter().copied()).map(|base| dotted(base, 1)),
        _ => None,
    });
    let mut lines = vec![no_such("name", text, suggestion.as_deref())];
    let known = [
        ("parameters", listed(text, &parameters)),
        ("functions", listed(text, &functions)),
        ("coordinates", listed(text, &coordinates)),
        ("velocities", listed(text, &velocities)),
        ("inputs", listed(text, &inputs)),
        ("time", "t".to_owned()),
    ];
    let known = known.iter().filter(|(_, names)| !names.is_empty());
    lines.extend(known.map(|(what, names)| format!("  {what}: {names}")));
    lines.join("\n")
}

/// The names of the speeds: `ẋ`, `u`, `ω_1`.
pub fn speeds(info: &SystemInfo) -> Vec<String> {
    if info.is_plain() {
        return info.coordinates.iter().map(|item| dotted(item.name, 1)).collect();
    }
    info.velocities.iter().map(|item| item.name.to_owned()).collect()
}

/// The names of the speeds in ASCII: `x_dot`, `u`, `omega_1`.
pub fn speeds_ascii(info: &SystemInfo) -> Vec<String> {
    if info.is_plain() {
        return info.coordinates.iter().map(|item| ascii_dotted(item.ascii, 1)).collect();
    }
    info.velocities.iter().map(|item| item.ascii.to_owned()).collect()
}

/// The index of a contact.
pub fn contact(name: &str, info: &SystemInfo) -> Result<usize, String> {
    let names = || info.contacts.iter().map(|contact| contact.name);
    let key = Name::parse(name).key;
    info.contacts.iter().position(|contact| contact.ascii == key).ok_or_else(|| {
        if info.contacts.is_empty() {
            return format!("{} has no contacts", info.name);
        }
        let known = listed(name, &names().collect::<Vec<_>>());
        format!("{}\n  contacts: {known}", no_such("contact", name, nearest(name, names())))
    })
}

/// The index of a scenario.
pub fn scenario(name: &str, info: &SystemInfo) -> Result<usize, String> {
    let names = || info.scenarios.iter().map(|scenario| scenario.name);
    let key = Name::parse(name);
    names().position(|known| Name::parse(known) == key).ok_or_else(|| {
        if info.scenarios.is_empty() {
            return format!("{} has no scenarios", info.name);
        }
        let known = listed(name, &names().collect::<Vec<_>>());
        format!("{}\n  scenarios: {known}", no_such("scenario", name, nearest(name, names())))
    })
}

/// The index of a declared event.
pub fn event(name: &str, info: &SystemInfo) -> Result<usize, String> {
    let names = || info.events.iter().map(|event| event.name);
    let key = Name::parse(name).key;
    info.events.iter().position(|event| event.ascii == key).ok_or_else(|| {
        if info.events.is_empty() {
            return format!("{} has no events", info.name);
        }
        let known = listed(name, &names().collect::<Vec<_>>());
        format!("{}\n  events: {known}", no_such("event", name, nearest(name, names())))
    })
}

/// Names in the spelling that every entry has, `theta_dot` for `θ_dot`; one that stands for nothing stays.
pub fn spelled(names: &[String], info: &SystemInfo) -> Vec<String> {
    let spell = |name: &String| Target::find(name, info).map(|target| target.ascii(info));
    names.iter().map(|name| spell(name).unwrap_or_else(|_| name.clone())).collect()
}

/// A guard that the declaration names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// The gap of the contact of this index.
    Contact(usize),
    /// The declared event of this index.
    Event(usize),
}

/// A contact or an event by its name.
pub fn guard(name: &str, info: &SystemInfo) -> Result<Guard, String> {
    let found = contact(name, info).map(Guard::Contact);
    found.or_else(|_| event(name, info).map(Guard::Event)).map_err(|_| {
        let contacts = info.contacts.iter().map(|item| item.name);
        let known: Vec<&str> = contacts.chain(info.events.iter().map(|item| item.name)).collect();
        let what = "contact or event";
        let message = no_such(what, name, nearest(name, known.iter().copied()));
        if known.is_empty() {
            return format!("{message}\n  {} has none", info.name);
        }
        format!("{message}\n  there are: {}", listed(name, &known))
    })
}

/// Names that there are, beside one that there is not: of more than a reader goes through the nearest, or else the first.
pub fn listed<S: AsRef<str>>(name: &str, known: &[S]) -> String {
    let mut left: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
    if left.len() <= SystemInfo::LISTED_MAX {
        return left.join(", ");
    }
    let mut shown = Vec::new();
    while shown.len() < SystemInfo::LISTED_FEW
        && let Some(near) = nearest(name, left.iter().copied())
    {
        shown.push(near);
        left.retain(|other| *other != near);
    }
    if shown.is_empty() {
        shown.extend(left.drain(..SystemInfo::LISTED_FEW));
    }
    format!("{}, and {} others", shown.join(", "), left.len())
}

/// `no NAME …`, with the nearest name that there is.
pub fn no_such(what: &str, text: &str, suggestion: Option<&str>) -> String {
    match suggestion {
        Some(near) => format!("there is no {what} `{text}`; did you mean `{near}`?"),
        None => format!("there is no {what} `{text}`"),
    }
}

/// The unit of a speed: of the rate of a coordinate that of the coordinate over s, of another its own.
pub fn unit_of_speed(info: &SystemInfo, index: usize) -> String {
    let items = if info.is_plain() { info.coordinates } else { info.velocities };
    let Some(item) = items.get(index) else { return String::new() };
    let is_rate = info.is_plain() || Name::parse(item.name).dots > 0;
    match unit(item.doc) {
        "" => String::new(),
        unit if is_rate => format!("{unit}/s"),
        unit => unit.to_owned(),
    }
}

/// The unit at the end of a doc comment: `Mass, kg.` has kg.
pub fn unit(doc: &str) -> &str {
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
    use super::{SystemInfo, element, listed, unit};

    #[test]
    fn of_many_names_the_nearest_are_listed() {
        let many: Vec<String> = (0..3000).map(|i| format!("start{i}")).collect();
        let near = listed("strat7", &many);
        assert!(near.starts_with("start7, "), "{near}");
        assert!(near.ends_with(", and 2988 others"), "{near}");
        assert_eq!(near.matches("start").count(), SystemInfo::LISTED_FEW);
        assert!(listed("throw", &many).starts_with("start0, start1, "));
        assert_eq!(listed("throw", &["a", "b"]), "a, b");
    }

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
    fn an_element_of_an_array_is_a_plain_name() {
        // table
        let cases = [
            ("theta[1]", "theta1"),
            ("theta_dot[12]", "theta12_dot"),
            ("θ̇[2]", "θ̇2"),
            ("x [ 3 ]", "x3"),
            ("x", "x"),
            ("[1]", "1"),
        ];
        for (written, expected) in cases {
            assert_eq!(element(written), expected, "{written}");
        }
    }
}
