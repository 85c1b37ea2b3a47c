//! Room for the runs of one system, one after another: most of the time of a short run would else be
//! spent on taking memory and giving it back.

use super::arc::Arc;
use super::bounce::Bounce;
use super::collision::Collision;
use super::contact::Probe;
use super::guards::Guards;
use crate::constraints::Manifold;
use crate::contact::ContactForces;
use crate::flow::Flow;
use crate::grip::Grip;
use crate::impact::ImpactMap;
use crate::on_demand::OnDemand;
use crate::options::Options;
use crate::state::State;
use crate::system::System;

/// What a run works in. A run leaves nothing in it that the next one reads.
pub(crate) struct Workspace<'a> {
    pub(super) system: &'a dyn System,
    pub(super) inputs: &'a [f64],
    pub(super) options: &'a Options,
    pub(super) flow: Flow<'a>,
    pub(super) guards: Guards<'a>,
    pub(super) arc: Arc,
    pub(super) probe: OnDemand<'a, Probe>,
    pub(super) map: OnDemand<'a, ImpactMap>,
    pub(super) collision: OnDemand<'a, Collision>,
    pub(super) bounce: Bounce,
    pub(super) forces: OnDemand<'a, ContactForces>,
    pub(super) values: Vec<f64>,
    pub(super) roundings: Vec<f64>,
}

impl<'a> Workspace<'a> {
    /// Room for runs with inputs and options that have been checked.
    pub(crate) fn new(system: &'a dyn System, inputs: &'a [f64], options: &'a Options) -> Self {
        let (info, guards) = (system.info(), Guards::new(system, inputs));
        let count = guards.count();
        Self {
            system,
            inputs,
            options,
            flow: Flow::new(system, inputs, options),
            guards,
            arc: Arc::new(info.positions() + info.speeds(), count),
            probe: OnDemand::new(system, Probe::new),
            map: OnDemand::new(system, ImpactMap::new),
            collision: OnDemand::new(system, Collision::new),
            bounce: Bounce::new(info.speeds()),
            forces: ContactForces::on_demand(system),
            values: vec![0.0; count],
            roundings: vec![0.0; count],
        }
    }

    /// The constraints in free motion, to look at a start.
    pub(crate) fn manifold(&mut self) -> &mut Manifold {
        let manifold = self.flow.manifold();
        manifold.set_closed(&[]);
        manifold.set_sticking(&[]);
        manifold
    }

    /// A run begins at a state.
    pub(super) fn rewind(&mut self, start: &State) {
        self.flow.rewind(start);
        self.guards.rewind();
        self.arc.rewind();
        if let Some(probe) = self.probe.made_mut() {
            probe.begin();
        }
        self.forces.hold(&[], &Grip::default());
        self.values.fill(0.0);
        self.roundings.fill(0.0);
    }
}
