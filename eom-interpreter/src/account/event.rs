//! What a line of the summary tells of an event, and of a number.

use eom_core::info::{FrictionInfo, SystemInfo};
use eom_core::{Event, EventKind};
use eom_elementary::Digits;

/// All digits; with an exponent where there would be many zeros.
pub fn shortest(value: f64) -> String {
    let magnitude = value.abs();
    if value != 0.0 && !(1e-4..1e9).contains(&magnitude) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

/// `norm([ẋ, ẏ])`; an integral is the friction of a whole body.
fn friction_of(info: &SystemInfo, friction: usize) -> &'static str {
    match info.frictions[friction] {
        FrictionInfo { components: 0, .. } => "the body on its integral of friction",
        FrictionInfo { name, .. } => name,
    }
}

/// What happened, where it was no impact, or one without collision.
pub fn happened(info: &SystemInfo, event: &Event) -> Option<String> {
    let collides = matches!(event.kind, EventKind::Impact { rate_minus, .. } if rate_minus != 0.0);
    (!collides).then(|| format!("t = {}: {}", Digits(event.t), event_words(info, event)))
}

/// What an event was.
pub fn event_words(info: &SystemInfo, event: &Event) -> String {
    match &event.kind {
        EventKind::Impact { .. } => {
            let struck: Vec<&str> =
                event.struck().map(|contact| info.contacts[contact].name).collect();
            let jams = matches!(event.kind, EventKind::Impact { rate_minus: 0.0, .. });
            format!(
                "impact of {}{}",
                struck.join(", "),
                if jams { " without collision" } else { "" }
            )
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
