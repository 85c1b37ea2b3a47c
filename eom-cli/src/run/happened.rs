//! What a line of the summary tells of an event, and of a number.

use eom_core::info::SystemInfo;
use eom_core::{Event, EventKind};
use eom_interpreter::words::event_words;

/// All digits; with an exponent where there would be many zeros.
pub(crate) fn shortest(value: f64) -> String {
    let magnitude = value.abs();
    if value != 0.0 && !(1e-4..1e9).contains(&magnitude) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

/// What happened, where it was no impact.
pub(crate) fn happened(info: &SystemInfo, event: &Event) -> Option<String> {
    let is_impact = matches!(event.kind, EventKind::Impact { .. });
    (!is_impact).then(|| format!("t = {}: {}", event.t, event_words(info, event)))
}
