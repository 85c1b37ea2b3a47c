//! The numbers of a motion by their names: coordinates, velocities, accelerations, multipliers, gaps, outputs,
//! energies; what happened at its events; its states in the order of time.

mod observer;

use crate::names::{element, listed, no_such, speeds, speeds_ascii};
use eom_core::info::{ContactInfo, FrictionKind, RowInfo, SystemInfo};
use eom_core::{Event, EventKind, Mode, State, System, Trajectory, total_energy};
use eom_symbolic::mechanics::Resisted;
use eom_symbolic::name::{Name, nearest};
pub use observer::{Observer, Sight};

/// A number of the motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// t.
    Time,
    /// The entry of q of this index.
    Coordinate(usize),
    /// The speed of this index.
    Velocity(usize),
    /// The rate of the speed of this index.
    Acceleration(usize),
    /// ∂L/∂v for the speed of this index.
    Momentum(usize),
    /// The declared output of this index.
    Output(usize),
    /// The multiplier of the constraint row of this index.
    Multiplier(usize),
    /// The normal force of the contact of this index, 0 while it is open.
    ContactForce(usize),
    /// A component, by its place, of the forces on the slip, roll and spin of the contact of this index, 0 while it is
    /// open.
    Friction(usize, usize),
    /// The gap of the contact of this index.
    Gap(usize),
    /// T.
    Kinetic,
    /// V.
    Potential,
    /// T + V.
    Energy,
    /// v·∂L/∂v − L.
    Jacobi,
}

impl Part {
    /// The value at a state in a mode; not a number where there is none, as of an acceleration at which
    /// contacts exclude one another.
    pub fn value(self, at: &mut Sight<'_>) -> f64 {
        let (system, state) = (at.system, at.state);
        let (State { t, q, v }, info) = (state, system.info());
        match self {
            Self::Time => *t,
            Self::Coordinate(index) => q[index],
            Self::Velocity(index) => v[index],
            Self::Acceleration(index) => at.forces().accelerations[index],
            Self::Momentum(index) => momentum(system, state, index),
            Self::Multiplier(index) => at.forces().multipliers[index],
            Self::ContactForce(index) => at.forces().contacts[index],
            Self::Friction(contact, component) => {
                at.forces().frictions[FrictionKind::PLACES * contact + component]
            }
            Self::Output(index) => {
                let mut outputs = vec![0.0; info.outputs.len()];
                at.outputs(&mut outputs);
                outputs[index]
            }
            Self::Gap(index) => {
                let mut gaps = vec![0.0; info.contacts.len()];
                system.gaps(*t, q, &mut gaps);
                gaps[index]
            }
            Self::Kinetic => system.energy(*t, q, v).kinetic,
            Self::Potential => system.energy(*t, q, v).potential,
            Self::Energy => total_energy(system, *t, q, v),
            Self::Jacobi => system.energy(*t, q, v).jacobi,
        }
    }
}

/// p = ∂L/∂v = M v + a for one speed. The sum v·∂L/∂v is w = v·M v + a·v, L quadratic in v, so that with the unit
/// vector e of the speed a = (w(e) − w(−e))/2.
fn momentum(system: &dyn System, State { t, q, v }: &State, index: usize) -> f64 {
    let n = v.len();
    let mut mass = vec![0.0; n * n];
    system.mass_matrix(*t, q, &mut mass);
    let w = |sign: f64| {
        let mut unit = vec![0.0; n];
        unit[index] = sign;
        let energy = system.energy(*t, q, &unit);
        energy.jacobi + energy.kinetic - energy.potential
    };
    let row = mass.chunks_exact(n).nth(index).unwrap_or_default();
    let of_speeds: f64 = row.iter().zip(v).map(|(m, v)| m * v).sum();
    of_speeds + (w(1.0) - w(-1.0)) / 2.0
}

/// v̇, λ and the normal forces of contacts.
pub(crate) struct Forces {
    pub(crate) accelerations: Vec<f64>,
    pub(crate) multipliers: Vec<f64>,
    pub(crate) contacts: Vec<f64>,
    /// Those of all contacts, then those of each constraint with friction.
    pub(crate) frictions: Vec<f64>,
}

/// Every number of a motion: its name in ASCII, what it is, its symbol.
pub fn numbers(info: &SystemInfo) -> Vec<(String, Part, String)> {
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
    // The p that is found is affine in v, as it is where M does not depend on v.
    let momenta = if info.has_mass_at_velocities() { 0 } else { info.speeds() };
    let of_speeds = speeds_ascii(info).into_iter().zip(speeds(info)).take(momenta);
    for (index, (ascii, symbol)) in of_speeds.enumerate() {
        // That of the rate of a coordinate is called after the coordinate.
        let [ascii, symbol] = [ascii, symbol].map(|name| {
            let mut name = Name::parse(&name);
            name.dots = name.dots.saturating_sub(1);
            name
        });
        let symbol = format!("momentum({})", symbol.unicode());
        names.push((format!("momentum_{}", ascii.ascii()), Part::Momentum(index), symbol));
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
        let name = format!("lambda_{}", contact.ascii);
        // A row of the same name is meant.
        if names.iter().all(|(known, ..)| *known != name) {
            names.push((name, Part::ContactForce(index), format!("λ({})", contact.name)));
        }
        for (name, symbol, component) in frictions(info, contact) {
            if names.iter().all(|(known, ..)| *known != name) {
                names.push((name, Part::Friction(index, component), symbol));
            }
        }
    }
    let mut place = 0;
    for (row, components) in rough_rows(info) {
        let (ascii, whole) = (Name::parse(whole(row.ascii)).ascii(), whole(row.name));
        for (suffix, index) in suffixes(components) {
            let name = format!("friction_{ascii}{suffix}");
            // A contact of the same name is meant.
            if names.iter().all(|(known, ..)| *known != name) {
                let symbol = format!("friction({whole}){index}");
                names.push((name, Part::Friction(info.contacts.len(), place), symbol));
            }
            place += 1;
        }
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

/// The constraints with friction, in the order of their forces, and how many components it has; of a vector of them the first.
pub(crate) fn rough_rows(info: &SystemInfo) -> impl Iterator<Item = (&RowInfo, usize)> {
    let terms = info.frictions.iter().filter(|term| term.kind == FrictionKind::Row);
    terms.filter_map(|term| {
        let row = info.rows.iter().find(|row| whole(row.name) == term.name)?;
        Some((row, term.components))
    })
}

/// `_1` and `[1]` of each of several components; nothing of one.
fn suffixes(components: usize) -> impl Iterator<Item = (String, String)> {
    (1..=components).map(move |i| match components {
        1 => (String::new(), String::new()),
        _ => (format!("_{i}"), format!("[{i}]")),
    })
}

/// The name of the vector that a row is a component of: `pin` of `pin[2]`.
fn whole(row: &str) -> &str {
    row.split('[').next().unwrap_or(row)
}

/// The components of the friction of a contact, `friction_floor`, or `friction_cloth_1` and `friction_cloth_2`, with those
/// of its other resistances, `rolling_floor`.
fn frictions(info: &SystemInfo, contact: &ContactInfo) -> Vec<(String, String, usize)> {
    let (ascii, name) = (contact.ascii, contact.name);
    let mut all = Vec::new();
    for resisted in Resisted::ALL {
        let called = resisted.of(name);
        let of_contact = info.frictions.iter().filter(|term| term.kind != FrictionKind::Row);
        let term = of_contact.into_iter().find(|friction| friction.name == called);
        let (word, components) = (resisted.word(), term.map_or(0, |term| term.components));
        for (place, (suffix, index)) in (resisted.place()..).zip(suffixes(components)) {
            all.push((format!("{word}_{ascii}{suffix}"), format!("{word}({name}){index}"), place));
        }
    }
    all
}

/// `λ(roll)` and `gap(wall)` as the names that they have in expressions.
pub fn called(text: &str) -> String {
    let mut plain = text.to_owned();
    // An element of an array has a name of its own, `gap(c[2])`; a row of a vector keeps its brackets, `λ(pin[2])`.
    let calls = [
        ("λ(", "lambda_", false),
        ("lambda(", "lambda_", false),
        ("gap(", "gap_", true),
        ("friction(", "friction_", false),
        ("rolling(", "rolling_", false),
        ("spinning(", "spinning_", false),
        ("momentum(", "momentum_", true),
        ("impulse(", "impulse_", true),
    ];
    for (call, name, of_elements) in calls {
        while let Some(at) = plain.find(call) {
            let Some(length) = plain[at..].find(')') else { break };
            let inner = plain[at + call.len()..at + length].trim();
            let inner = if of_elements { element(inner) } else { inner.to_owned() };
            plain.replace_range(at..=at + length, &format!("{name}{inner}"));
        }
    }
    plain
}

/// What is said of a name that no number of the motion has.
pub fn unknown(text: &str, known: &[(String, Part, String)]) -> String {
    let near = nearest(&Name::parse(text).ascii(), known.iter().map(|(name, ..)| name.as_str()));
    let symbols: Vec<&str> = known.iter().map(|(.., symbol)| symbol.as_str()).collect();
    let message = no_such("number of the motion", text, near);
    format!("{message}\n  numbers: {}", listed(text, &symbols))
}

/// What happened at an event: its kind, the names of what it happened to, impulses by contact.
pub type Happening = (&'static str, Vec<&'static str>, Vec<(&'static str, f64)>);

/// An event in names.
pub fn happening(info: &SystemInfo, event: &Event) -> Happening {
    let contact = |index: usize| info.contacts[index].name;
    match &event.kind {
        EventKind::Impact { contact: first, impulse, others, .. } => {
            let all = others.iter().map(|hit| (contact(hit.contact), hit.impulse));
            let impulses = [(contact(*first), *impulse)].into_iter().chain(all).collect();
            ("impact", event.struck().map(contact).collect(), impulses)
        }
        EventKind::Closing { contact: closed } => ("closing", vec![contact(*closed)], Vec::new()),
        EventKind::Opening { contact: open } => ("opening", vec![contact(*open)], Vec::new()),
        EventKind::Accumulation { contact: first, others, .. } => {
            let names = [*first].iter().chain(others).map(|c| contact(*c)).collect();
            ("accumulation", names, Vec::new())
        }
        EventKind::Stick { friction } => {
            ("stick", vec![info.frictions[*friction].name], Vec::new())
        }
        EventKind::Slip { friction } => ("slip", vec![info.frictions[*friction].name], Vec::new()),
        EventKind::Declared { event } => ("event", vec![info.events[*event].name], Vec::new()),
    }
}

/// A state of a motion with its mode.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The state.
    pub state: State,
    /// The mode.
    pub mode: Mode,
}

/// The samples of a motion, and both sides of each of the first `shown` events in their place.
pub fn frames(trajectory: &Trajectory, shown: usize) -> Vec<Frame> {
    let Trajectory { samples, events, modes, .. } = trajectory;
    let free = Mode::default();
    // The mode before a time, or that which begins there.
    let mode = |count: usize| {
        let index = count.checked_sub(1).or((!modes.is_empty()).then_some(0));
        index.and_then(|index| modes.get(index)).map_or(&free, |span| &span.mode).clone()
    };
    let before = |t: f64| mode(modes.partition_point(|span| span.t < t));
    let after = |t: f64| mode(modes.partition_point(|span| span.t <= t));
    let mut frames = Vec::with_capacity(samples.len() + 2 * events.len().min(shown));
    let mut events = events.iter().take(shown).peekable();
    for (index, sample) in samples.iter().enumerate() {
        let mut is_event = false;
        while let Some(event) = events.next_if(|event| event.t <= sample.t) {
            is_event = event.t == sample.t;
            let [minus, plus] =
                event.sides().map(|(q, v)| State::new(event.t, q.to_vec(), v.to_vec()));
            frames.push(Frame { state: minus, mode: before(event.t) });
            frames.push(Frame { state: plus, mode: after(event.t) });
        }
        // A sample at the time of an event is the state before it, which is there; the last is that after all.
        if !is_event || index + 1 == samples.len() {
            let mode = trajectory.mode_of_sample(index).unwrap_or(&free).clone();
            frames.push(Frame { state: sample.clone(), mode });
        }
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::called;

    #[test]
    fn calls_are_names() {
        let table = [
            ("λ(roll_x)", "lambda_roll_x"),
            ("2*lambda(rod) + gap(wall)", "2*lambda_rod + gap_wall"),
            ("momentum(θ) - impulse(floor)", "momentum_θ - impulse_floor"),
            ("gap(c[2]) + momentum(θ[1])", "gap_c2 + momentum_θ1"),
            ("2*λ(pin[2])", "2*lambda_pin[2]"),
            ("sin(x)", "sin(x)"),
        ];
        for (text, expected) in table {
            assert_eq!(called(text), expected);
        }
    }
}
