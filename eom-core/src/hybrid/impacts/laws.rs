//! What the impact laws of a run work with: gap rates, the map of one contact, the collision of several, the
//! forces of closed contacts. Each is made when it is asked for first.

use super::collision::Collision;
use crate::contact::ContactForces;
use crate::friction::slip_state::SlipState;
use crate::hybrid::mode::contact::Probe;
use crate::impact::ImpactMap;
use crate::run::on_demand::OnDemand;
use crate::snapshot::words::{part, value};
use crate::state::State;
use crate::system::System;

/// The laws of a system, evaluated at the base point of its flow.
#[derive(Clone)]
pub(in crate::hybrid) struct Laws<'a> {
    pub(in crate::hybrid) probe: OnDemand<'a, Probe>,
    pub(in crate::hybrid) map: OnDemand<'a, ImpactMap>,
    pub(in crate::hybrid) collision: OnDemand<'a, Collision>,
    pub(in crate::hybrid) room: ImpactRoom,
    /// Forces at the base point; the flow and the guards have their own.
    pub(in crate::hybrid) forces: OnDemand<'a, ContactForces>,
}

impl<'a> Laws<'a> {
    pub(in crate::hybrid) fn new(system: &'a dyn System) -> Self {
        Self {
            probe: OnDemand::new(system, Probe::new),
            map: OnDemand::new(system, ImpactMap::new),
            collision: OnDemand::new(system, Collision::new),
            room: ImpactRoom::new(system.info().speeds()),
            forces: ContactForces::on_demand(system),
        }
    }

    /// A run begins; nothing is left of the one before.
    pub(in crate::hybrid) fn rewind(&mut self) {
        if let Some(probe) = self.probe.made_mut() {
            probe.begin();
        }
        self.forces.set_slip_state(&[], &SlipState::default());
    }
}

/// ∇g and w, and room for the state before an impact.
#[derive(Debug, Clone)]
pub(in crate::hybrid) struct ImpactRoom {
    pub(in crate::hybrid) gradient: Vec<f64>,
    pub(in crate::hybrid) direction: Vec<f64>,
    pub(in crate::hybrid) before: State,
}

impl ImpactRoom {
    pub(in crate::hybrid) fn new(speeds: usize) -> Self {
        let zeros = vec![0.0; speeds];
        Self { gradient: zeros.clone(), direction: zeros, before: State::default() }
    }
}

/// An impact that has been made, and not been judged yet.
#[derive(Debug, Clone, Copy)]
pub(in crate::hybrid) struct TentativeImpact {
    pub(in crate::hybrid) contact: usize,
    pub(in crate::hybrid) rates: Rates,
}

impl TentativeImpact {
    /// The guard that crossed: that of the contact.
    pub(in crate::hybrid) fn guard(&self) -> usize {
        self.contact
    }
}

/// Gap rates before and after, and ∇g·w.
#[derive(Debug, Clone, Copy)]
pub(in crate::hybrid) struct Rates {
    pub(in crate::hybrid) minus: f64,
    pub(in crate::hybrid) plus: f64,
    pub(in crate::hybrid) gain: f64,
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
