//! Figures of points: where motions are at events, and what became of the runs of a sweep.

use crate::names::{self, Guard};
use crate::plot::curves::style;
use crate::plot::draw::{DOT, Entry, SAMPLE, circle, dots, framed};
use crate::plot::frame::Frame;
use crate::plot::look::Look;
use crate::plot::view::{bounds, is_there, placed};
use eom_core::info::SystemInfo;
use eom_core::{Event, EventKind};
use models::scene::{Axis, Point};
use svg::node::element::Group;

/// Points of one kind.
pub(crate) struct Series {
    /// What the legend calls them.
    pub(crate) label: String,
    /// The points.
    pub(crate) points: Vec<Point>,
}

/// At which events points are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At {
    /// All impacts.
    Impacts,
    /// Those of a contact.
    Contact(usize),
    /// A declared event.
    Event(usize),
}

impl At {
    /// `impacts`, a contact or a declared event by its name.
    pub(crate) fn parse(text: &str, info: &SystemInfo) -> Result<Self, String> {
        if text == "impacts" {
            return Ok(Self::Impacts);
        }
        let found = names::guard(text, info).map(|found| match found {
            Guard::Contact(contact) => Self::Contact(contact),
            Guard::Event(event) => Self::Event(event),
        });
        found.map_err(|_| {
            let contacts = info.contacts.iter().map(|contact| contact.name);
            let known = contacts.chain(info.events.iter().map(|event| event.name));
            let known: Vec<&str> = ["impacts"].into_iter().chain(known).collect();
            format!("there is no contact or event `{text}`\n  events: {}", known.join(", "))
        })
    }

    /// Whether an event is one of them.
    pub(crate) fn is(self, event: &Event) -> bool {
        match (self, &event.kind) {
            (Self::Impacts, EventKind::Impact { .. }) => true,
            (Self::Contact(contact), EventKind::Impact { .. }) => {
                event.struck().any(|struck| struck == contact)
            }
            (Self::Event(wanted), EventKind::Declared { event }) => wanted == *event,
            _ => false,
        }
    }
}

/// More points are smaller, and no elements of their own.
const MANY: usize = 400;

/// The SVG of points.
pub(crate) fn svg(
    words: (&str, &str),
    named: [&Axis; 2],
    equal_aspect: bool,
    series: &[Series],
    look: &Look,
) -> Result<String, String> {
    let all: Vec<Point> =
        series.iter().flat_map(|series| &series.points).map(|at| placed(*at, look.log)).collect();
    let count = all.len();
    if count == 0 {
        return Err("there is nothing to draw".to_owned());
    }
    let bounds = bounds(all.iter())?;
    look.check(&bounds)?;
    let frame = Frame::looked(&bounds, equal_aspect, look);
    let mut inside = Group::new().set("clip-path", "url(#frame)");
    for (i, series) in series.iter().enumerate() {
        let points = series.points.iter().map(|point| placed(*point, look.log));
        let at: Vec<Point> = points.filter(is_there).map(|point| frame.page(point)).collect();
        inside = inside.add(if count > MANY {
            dots(&at, DOT, style(i).0)
        } else {
            at.iter()
                .fold(Group::new().set("fill", style(i).0), |group, at| group.add(circle(*at, 2.2)))
        });
    }
    let entries: Vec<Entry> = series
        .iter()
        .enumerate()
        .filter(|(_, series)| !series.label.is_empty())
        .map(|(i, series)| {
            let dot = move |[x, y]: Point| {
                Group::new().add(circle([x + SAMPLE / 2.0, y], 2.6).set("fill", style(i).0))
            };
            Entry::new(dot, &series.label)
        })
        .collect();
    let detail = look.told(words.1, all.iter());
    Ok(framed((words.0, &detail), named, (&frame, inside), &entries, look))
}
