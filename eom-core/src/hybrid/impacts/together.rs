//! The impact of several contacts at a state, outside of a run: what an instant makes of those that touch
//! there.

use super::collision::Collision;
use super::sequence::{Order, Outcome, SEQUENCE_MAX, Sequencer, Touch, undecided_order};
use crate::error::TogetherError;
use crate::hybrid::IMPACTS_AT_ONCE_MAX;
use crate::hybrid::mode::admissible::NoSet;
use crate::impact::has_friction;
use crate::state::State;
use crate::system::System;
use crate::trajectory::event::Hit;

/// One of the impacts that follow each other at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct ImpactInTurn {
    /// The contacts that take an impulse, those that close first and others that bear it.
    pub hits: Vec<Hit>,
    /// v⁺, m.
    pub velocity: Vec<f64>,
    /// It is the limit of infinitely many.
    pub is_limit: bool,
}

/// The impact of these contacts at a state, by their laws, whatever their gaps: jointly, or one after another
/// where one of them is declared `sequential`, until none closes. Each v⁺ is that of all impacts up to it; there
/// are none where no gap closes.
///
/// # Errors
/// Where there is no metric, a contact has friction or a law for itself only, or the impacts have no outcome.
///
/// # Panics
/// Where a contact or the state is not one of the system.
pub fn impacts_together(
    system: &dyn System,
    contacts: &[usize],
    state: &State,
) -> Result<Vec<ImpactInTurn>, TogetherError> {
    let names = |contacts: Vec<usize>| -> Vec<&'static str> {
        contacts.into_iter().map(|contact| system.info().contacts[contact].name).collect()
    };
    let mut touches = Vec::with_capacity(contacts.len());
    for &contact in contacts {
        let name = system.info().contacts[contact].name;
        if has_friction(system, contact) {
            return Err(TogetherError::Friction { contact: name });
        }
        let touch = Touch::of(system, contact, system.law(contact));
        touches.push(touch.ok_or(TogetherError::Single { contact: name })?);
    }
    let mut collision = Collision::new(system);
    let v = &state.v;
    collision.load(system, state)?;
    let speed = collision.norm(v);
    let budget = (IMPACTS_AT_ONCE_MAX * touches.len()).min(SEQUENCE_MAX);
    let (collision, touches) = (&mut collision, touches.as_slice());
    let mut sequencer = Sequencer { collision, touches, speed, widening: 1.0, budget };
    let made = sequencer.run(v, Order::default());
    if let Some(contacts) = undecided_order(&mut sequencer, v, &made) {
        return Err(TogetherError::UndecidedOrder { contacts: names(contacts) });
    }
    match made.outcome {
        Outcome::Ends => {}
        Outcome::Endless(contacts) => {
            return Err(TogetherError::Endless { contacts: names(contacts) });
        }
        Outcome::Impossible(contacts, why) => {
            let too_many = why == NoSet::NotFound;
            return Err(TogetherError::Impossible { contacts: names(contacts), too_many });
        }
    }
    let blows = made.blows.into_iter().map(|blow| ImpactInTurn {
        hits: blow.hits,
        velocity: blow.velocity,
        is_limit: blow.accumulates.is_some(),
    });
    Ok(blows.collect())
}
