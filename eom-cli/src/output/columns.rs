//! What samples and events have in their rows.
//!
//! Names are ASCII; a velocity is `x_dot`, before an event `x_dot-`, after it `x_dot+`. What is declared and is called like
//! a column of the table has `_` behind its name.

use crate::names::speeds_ascii;
use eom_core::info::SystemInfo;
use eom_core::{Event, EventKind, State};
use eom_interpreter::motion::Sight;
use eom_sweep::table::{Cell, Column, Kind, distinct};

/// The number of a run, where a table holds several.
fn run() -> Column {
    Column::new("run", Kind::Count, "number of the run, from 0")
}

/// Samples: t, coordinates (a rotation's quaternion as `R_w`, `R_x`, `R_y`, `R_z`), velocities,
/// declared outputs.
pub(crate) fn samples(info: &SystemInfo) -> Vec<Column> {
    let mut columns = vec![Column::new("t", Kind::Number, "time")];
    columns.extend(coordinates(info));
    columns.extend(velocities(info, ""));
    let outputs = info.outputs.iter();
    columns.extend(outputs.map(|item| Column::new(item.ascii, Kind::Number, item.doc).optional()));
    told_apart(columns, 1)
}

/// Columns behind so many of the table's own, with names of their own.
fn told_apart(mut columns: Vec<Column>, own: usize) -> Vec<Column> {
    let declared = own..columns.len();
    distinct(&mut columns, declared);
    columns
}

/// The columns of a table of several runs.
pub(crate) fn of_runs(columns: Vec<Column>) -> Vec<Column> {
    told_apart([vec![run()], columns].concat(), 1)
}

/// The row of a state of a motion.
pub(crate) fn sample(mut sight: Sight<'_>) -> Vec<Cell> {
    let State { t, q, v } = sight.state;
    let mut outputs = vec![0.0; sight.system.info().outputs.len()];
    if !outputs.is_empty() {
        sight.outputs(&mut outputs);
    }
    let numbers = [*t].into_iter().chain(q.iter().copied()).chain(v.iter().copied());
    numbers.chain(outputs).map(Cell::number).collect()
}

/// Events: t, what happened, to which contacts or event, coordinates before, velocities before,
/// velocities after.
pub(crate) fn events(info: &SystemInfo) -> Vec<Column> {
    let mut columns = vec![
        Column::new("t", Kind::Number, "time"),
        Column::new("event", Kind::Text, "what happened"),
        Column::new("contact", Kind::Text, "the contacts, event or term of friction"),
    ];
    columns.extend(coordinates(info));
    columns.extend(velocities(info, "-"));
    columns.extend(velocities(info, "+"));
    columns.push(Column::new(
        "impulses",
        Kind::Text,
        "of each contact that took one, along its gap",
    ));
    told_apart(columns, 3)
}

/// The row of an event.
pub(crate) fn event(info: &SystemInfo, event: &Event) -> Vec<Cell> {
    let mut row = vec![Cell::number(event.t)];
    row.extend(what(info, event).map(Cell::Text));
    let numbers = [event.q_minus(), event.v_minus(), event.v_plus()].into_iter().flatten();
    row.extend(numbers.copied().map(Cell::number));
    row.push(Cell::Text(impulses(info, event)));
    row
}

/// Gives the first numbers of a row, from left to right, digits of their own.
pub(crate) fn give_digits(row: &mut [Cell], texts: Option<&Vec<String>>) {
    let numbers = row.iter_mut().filter(|cell| matches!(cell, Cell::Number(_)));
    for (cell, text) in numbers.zip(texts.into_iter().flatten()) {
        if let Cell::Number(value) = cell {
            *cell = Cell::Digits(*value, text.clone());
        }
    }
}

/// `floor 1.2;wall 0.3`: the contacts that took impulses, those that were struck and those that only bore
/// one; empty where nothing was struck.
fn impulses(info: &SystemInfo, event: &Event) -> String {
    let EventKind::Impact { contact, impulse, others, .. } = &event.kind else {
        return String::new();
    };
    let others = others.iter().map(|hit| (hit.contact, hit.impulse));
    let all = [(*contact, *impulse)].into_iter().chain(others);
    let texts: Vec<String> = all
        .map(|(contact, impulse)| format!("{} {impulse}", info.contacts[contact].ascii))
        .collect();
    texts.join(";")
}

/// The entries of q.
pub(crate) fn coordinates(info: &SystemInfo) -> impl Iterator<Item = Column> {
    (0..info.positions()).map(|index| {
        let doc = info.coordinates.get(index).map_or("", |item| item.doc);
        Column::new(info.position_ascii(index), Kind::Number, doc)
    })
}

/// The speeds, with something behind their names.
pub(crate) fn velocities(info: &SystemInfo, suffix: &str) -> impl Iterator<Item = Column> {
    speeds_ascii(info).into_iter().enumerate().map(move |(index, name)| {
        let doc = info.velocities.get(index).map_or("", |item| item.doc);
        Column::new(name + suffix, Kind::Number, doc)
    })
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
        EventKind::Accumulation { contact, ref others, .. } => {
            let all: Vec<String> = [contact].iter().chain(others).map(|c| of(*c)).collect();
            ("accumulation", all.join("+"))
        }
        EventKind::Stick { friction } => ("stick", info.frictions[friction].name.to_owned()),
        EventKind::Slip { friction } => ("slip", info.frictions[friction].name.to_owned()),
        EventKind::Declared { event } => ("event", info.events[event].ascii.to_owned()),
    };
    [kind.to_owned(), names]
}
