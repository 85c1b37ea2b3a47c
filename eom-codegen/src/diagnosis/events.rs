//! Events that change the state and do not say in which direction.

use super::kind::Diagnosis;
use super::message::Message;
use crate::ast;
use crate::diagnostic::Level;

/// Events with a `reset` that fire one way since nothing is said: a wall that is passed from behind.
pub(super) fn undirected(system: &ast::System) -> Vec<Message> {
    let silent = |event: &&ast::Event| event.direction.is_none() && !event.reset.is_empty();
    system.events.iter().filter(silent).map(message).collect()
}

fn message(event: &ast::Event) -> Message {
    let name = &event.name.text;
    Message {
        diagnosis: Diagnosis::UndirectedEvent,
        level: Level::Warning,
        at: event.name.region,
        text: format!(
            "event `{name}` fires where its guard falls through 0 only, and resets the state"
        ),
        help: Some(format!(
            "write `falling;`, `rising;` or `both;`, or `allow undirected_event({name});`"
        )),
        subjects: vec![name.clone()],
    }
}
