//! Samples and events as CSV.
//!
//! Names are ASCII; a velocity is `x_dot`, before an event `x_dot-`, after it `x_dot+`. Numbers
//! have as many digits as it takes to read the same value back.

use crate::names::speeds_ascii;
use eom_core::info::SystemInfo;
use eom_core::{Event, EventKind, Trajectory};

/// Samples: t, coordinates (a rotation's quaternion as `R_w`, `R_x`, `R_y`, `R_z`), velocities.
pub(crate) fn samples(info: &SystemInfo, trajectory: &Trajectory) -> Result<Vec<u8>, csv::Error> {
    let mut header = vec!["t".to_owned()];
    header.extend(coordinates(info));
    header.extend(velocities(info, ""));
    let rows = trajectory.samples.iter().map(|state| {
        let mut row = vec![digits(state.t)];
        row.extend(state.q.iter().chain(&state.v).copied().map(digits));
        row
    });
    write(header, rows)
}

/// Events: t, what happened, to which contacts or event, coordinates before, velocities before,
/// velocities after.
pub(crate) fn events(info: &SystemInfo, trajectory: &Trajectory) -> Result<Vec<u8>, csv::Error> {
    let mut header = vec!["t".to_owned(), "event".to_owned(), "contact".to_owned()];
    header.extend(coordinates(info));
    header.extend(velocities(info, "-"));
    header.extend(velocities(info, "+"));
    let rows = trajectory.events.iter().map(|event| {
        let mut row = vec![digits(event.t)];
        row.extend(what(info, event));
        let numbers = [&event.q_minus, &event.v_minus, &event.v_plus].into_iter().flatten();
        row.extend(numbers.copied().map(digits));
        row
    });
    write(header, rows)
}

fn coordinates(info: &SystemInfo) -> impl Iterator<Item = String> {
    (0..info.positions()).map(|index| info.position_ascii(index))
}

fn velocities(info: &SystemInfo, suffix: &str) -> impl Iterator<Item = String> {
    speeds_ascii(info).into_iter().map(move |name| name + suffix)
}

/// What happened, and the contacts or the event that it happened to.
fn what(info: &SystemInfo, event: &Event) -> [String; 2] {
    let of = |contact: usize| info.contacts[contact].ascii.to_owned();
    let (kind, names) = match event.kind {
        EventKind::Impact { .. } => {
            let struck: Vec<String> = event.struck().map(of).collect();
            ("impact", struck.join("+"))
        }
        EventKind::Closing { contact } => ("closing", of(contact)),
        EventKind::Opening { contact } => ("opening", of(contact)),
        EventKind::Accumulation { contact, .. } => ("accumulation", of(contact)),
        EventKind::Stick { friction } => ("stick", info.frictions[friction].name.to_owned()),
        EventKind::Slip { friction } => ("slip", info.frictions[friction].name.to_owned()),
        EventKind::Declared { event } => ("event", info.events[event].ascii.to_owned()),
    };
    [kind.to_owned(), names]
}

/// The shortest decimal that reads back as the same number.
fn digits(value: f64) -> String {
    format!("{value:?}")
}

fn write(
    header: Vec<String>,
    rows: impl Iterator<Item = Vec<String>>,
) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header)?;
    for row in rows {
        writer.write_record(row)?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}
