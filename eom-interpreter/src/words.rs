//! What is told of a motion: what an event was, and in which units numbers are.

use eom_core::info::{FrictionInfo, SystemInfo};
use eom_core::{Event, EventKind};
use eom_symbolic::name::Name;

/// `norm([ẋ, ẏ])`; an integral is the friction of a whole body.
fn friction_of(info: &SystemInfo, friction: usize) -> &'static str {
    match info.frictions[friction] {
        FrictionInfo { components: 0, .. } => "the body on its integral of friction",
        FrictionInfo { name, .. } => name,
    }
}

/// What an event was.
pub fn event_words(info: &SystemInfo, event: &Event) -> String {
    match &event.kind {
        EventKind::Impact { .. } => {
            let struck: Vec<&str> =
                event.struck().map(|contact| info.contacts[contact].name).collect();
            format!("impact of {}", struck.join(", "))
        }
        EventKind::Closing { contact } => format!("{} closes", info.contacts[*contact].name),
        EventKind::Opening { contact } => format!("{} opens", info.contacts[*contact].name),
        EventKind::Accumulation { contact, others, ratio, .. } if others.is_empty() => {
            let name = info.contacts[*contact].name;
            format!("impacts of {name} accumulate, each {ratio:.3} of the last; it closes")
        }
        EventKind::Accumulation { contact, others, ratio, .. } => {
            let all = [contact].into_iter().chain(others);
            let names: Vec<&str> = all.map(|contact| info.contacts[*contact].name).collect();
            let names = names.join(", ");
            format!("impacts of {names} in turn accumulate, a period {ratio:.3} of the last")
        }
        EventKind::Stick { friction } => format!("{} holds", friction_of(info, *friction)),
        EventKind::Slip { friction } => format!("{} slides", friction_of(info, *friction)),
        EventKind::Declared { event } => info.events[*event].name.to_owned(),
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
    use super::unit;

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
}
