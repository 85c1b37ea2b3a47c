//! What the impact laws of a run work with: gap rates, the map of one contact, the collision of several, the
//! forces of closed contacts. Each is made when it is asked for first.

use super::collision::Collision;
use super::contact::Probe;
use crate::contact::ContactForces;
use crate::impact::ImpactMap;
use crate::on_demand::OnDemand;
use crate::slip_state::SlipState;
use crate::snapshot::words::{part, value};
use crate::state::State;
use crate::system::System;

/// The laws of a system, evaluated at the base point of its flow.
#[derive(Clone)]
pub(super) struct Laws<'a> {
    pub(super) probe: OnDemand<'a, Probe>,
    pub(super) map: OnDemand<'a, ImpactMap>,
    pub(super) collision: OnDemand<'a, Collision>,
    pub(super) room: ImpactRoom,
    /// Forces at the base point; the flow and the guards have their own.
    pub(super) forces: OnDemand<'a, ContactForces>,
}

impl<'a> Laws<'a> {
    pub(super) fn new(system: &'a dyn System) -> Self {
        Self {
            probe: OnDemand::new(system, Probe::new),
            map: OnDemand::new(system, ImpactMap::new),
            collision: OnDemand::new(system, Collision::new),
            room: ImpactRoom::new(system.info().speeds()),
            forces: ContactForces::on_demand(system),
        }
    }

    /// A run begins; nothing is left of the one before.
    pub(super) fn rewind(&mut self) {
        if let Some(probe) = self.probe.made_mut() {
            probe.begin();
        }
        self.forces.set_slip_state(&[], &SlipState::default());
    }
}

/// ∇g and w, and room for the state before an impact.
#[derive(Debug, Clone)]
pub(super) struct ImpactRoom {
    pub(super) gradient: Vec<f64>,
    pub(super) direction: Vec<f64>,
    pub(super) before: State,
}

impl ImpactRoom {
    pub(super) fn new(speeds: usize) -> Self {
        let zeros = vec![0.0; speeds];
        Self { gradient: zeros.clone(), direction: zeros, before: State::default() }
    }
}

/// An impact that has been made, and not been judged yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct TentativeImpact {
    pub(super) contact: usize,
    pub(super) rates: Rates,
}

impl TentativeImpact {
    /// The guard that crossed: that of the contact.
    pub(super) fn guard(&self) -> usize {
        self.contact
    }
}

/// Gap rates before and after, and ∇g·w.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rates {
    pub(super) minus: f64,
    pub(super) plus: f64,
    pub(super) gain: f64,
}

// Maps and collisions are loaded before each use.
part! { Laws<'_> { parts: [probe, room, forces], values: [], room: [map, collision] } }

part! {
    ImpactRoom { parts: [], values: [before], room: [gradient, direction] },
    |it, from| {
        let State { q, v, .. } = &it.before;
        if q.is_empty() && v.is_empty() { Ok(()) } else { from.sizes(q, v) }
    }
}

value! {
    TentativeImpact { contact, rates },
    |it, from| from.contacts(&[it.contact])
}

value! { Rates { minus, plus, gain } }
