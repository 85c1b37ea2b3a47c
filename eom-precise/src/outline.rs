//! What of a system a run in higher precision computes, as values of one graph.

use crate::graph::{Graph, Lowering, Node};
use crate::refusal::Refusal;
use eom_symbolic::mechanics::system::declared::{Direction, Relation, Unknown};
use eom_symbolic::mechanics::{EquationsOfMotion, Law, SystemModel};
use eom_symbolic::{ExprId, SymbolKind};

/// The law of a contact.
#[derive(Debug, Clone)]
pub(crate) enum ContactLaw {
    /// e on the rows of A, on ∇g, on the contact's own rows.
    Restitution([Node; 3]),
    /// Reflect on ∇g alone, then project on the constraints.
    Project,
    /// These velocities are assigned.
    Assign,
}

/// A contact.
#[derive(Debug, Clone)]
pub(crate) struct ContactOutline {
    pub(crate) gap: Node,
    pub(crate) gradient: Vec<Node>,
    pub(crate) rate: Node,
    /// Its own rows and their affine parts.
    pub(crate) rows: Vec<(Vec<Node>, Node)>,
    /// Rows of A that are left out.
    pub(crate) releases: Vec<usize>,
    pub(crate) law: ContactLaw,
    /// It fires where these hold.
    pub(crate) when: Vec<(Node, Relation, Node)>,
    pub(crate) assigned: Vec<(usize, Node)>,
    pub(crate) relabel: Vec<(usize, usize)>,
}

/// A declared event.
#[derive(Debug, Clone)]
pub(crate) struct EventOutline {
    pub(crate) guard: Node,
    pub(crate) direction: Direction,
    /// Places in (q, v) and what they are set to.
    pub(crate) resets: Vec<(usize, Node)>,
}

/// A start as it is declared.
#[derive(Debug, Clone)]
pub(crate) struct ScenarioOutline {
    pub(crate) time: Node,
    /// q, then v.
    pub(crate) state: Vec<Node>,
}

/// The values of a system.
#[derive(Debug, Clone)]
pub(crate) struct Outline {
    pub(crate) graph: Graph,
    /// nq, m, k.
    pub(crate) positions: usize,
    pub(crate) speeds: usize,
    /// q̇.
    pub(crate) rates: Vec<Node>,
    pub(crate) mass: Vec<Vec<Node>>,
    /// F − h.
    pub(crate) force: Vec<Node>,
    pub(crate) rows: Vec<Vec<Node>>,
    pub(crate) reactions: Vec<Vec<Node>>,
    pub(crate) affine: Vec<Node>,
    pub(crate) drift: Vec<Node>,
    pub(crate) holonomic: Vec<Node>,
    pub(crate) energy: Node,
    pub(crate) contacts: Vec<ContactOutline>,
    pub(crate) events: Vec<EventOutline>,
    /// The defaults of the parameters.
    pub(crate) defaults: Vec<Option<Node>>,
    pub(crate) scenarios: Vec<ScenarioOutline>,
    /// Where the quaternions of rotations stand in q.
    pub(crate) quaternions: Vec<usize>,
}

impl Outline {
    /// Of derived equations.
    pub(crate) fn new(model: &SystemModel, equations: &EquationsOfMotion) -> Result<Self, Refusal> {
        refuse_friction(model, equations)?;
        let mut model = model.clone();
        let mass = equations.mass.entries(&mut model.pool);
        let model = &model;
        let mut lowering = Lowering::new(model);
        let (positions, speeds) = (model.positions().len(), model.speeds.len());
        let rates = match &model.kinematics {
            Some(kinematics) => lowering.all(&kinematics.rates)?,
            None => (0..speeds).map(|index| lowering.given(1 + positions + index)).collect(),
        };
        let (force, bias) = (lowering.all(&equations.force)?, lowering.all(&equations.bias)?);
        let force = force.into_iter().zip(bias).map(|(f, h)| lowering.difference(f, h)).collect();
        let contacts = (0..model.contacts.len())
            .map(|index| contact(&mut lowering, model, equations, index))
            .collect::<Result<_, _>>()?;
        let events = events(&mut lowering, model)?;
        let defaults = model.parameters.iter().map(|parameter| parameter.default);
        let defaults: Vec<Option<ExprId>> = defaults.collect();
        Ok(Self {
            positions,
            speeds,
            rates,
            mass: lowering.matrix(&mass)?,
            force,
            rows: lowering.matrix(&equations.rows)?,
            reactions: lowering.matrix(&equations.reactions)?,
            affine: lowering.all(&equations.affine)?,
            drift: lowering.all(&equations.drift)?,
            holonomic: lowering.all(&equations.holonomic)?,
            energy: lowering.value(equations.jacobi)?,
            contacts,
            events,
            // What has no value of many digits is taken as it is given.
            defaults: defaults
                .into_iter()
                .map(|default| default.and_then(|value| lowering.value(value).ok()))
                .collect(),
            scenarios: scenarios(&mut lowering, model),
            quaternions: model.rotations.iter().map(|rotation| rotation.position).collect(),
            graph: lowering.graph,
        })
    }

    /// What the motion is made of, with all guards and the energy.
    pub(crate) fn of_motion(&self) -> Vec<Node> {
        let matrices = self.mass.iter().chain(&self.rows).chain(&self.reactions).flatten();
        let lists = [&self.rates, &self.force, &self.drift].into_iter().flatten();
        matrices.chain(lists).copied().chain(self.guards()).collect()
    }

    /// The gaps, then the guards of events.
    pub(crate) fn guards(&self) -> Vec<Node> {
        let gaps = self.contacts.iter().map(|contact| contact.gap);
        gaps.chain(self.events.iter().map(|event| event.guard)).collect()
    }

    /// What is needed at instants and at the start.
    pub(crate) fn of_instants(&self) -> Vec<Node> {
        let mut all: Vec<Node> = self.mass.iter().chain(&self.rows).flatten().copied().collect();
        all.extend(self.affine.iter().chain(&self.holonomic).chain(&self.rates));
        all.extend(self.guards());
        all.push(self.energy);
        for contact in &self.contacts {
            all.extend(contact.gradient.iter().chain([&contact.rate]));
            all.extend(contact.rows.iter().flat_map(|(row, affine)| row.iter().chain([affine])));
            all.extend(contact.when.iter().flat_map(|(left, _, right)| [*left, *right]));
            all.extend(contact.assigned.iter().map(|(_, value)| *value));
            if let ContactLaw::Restitution(e) = contact.law {
                all.extend(e);
            }
        }
        all.extend(self.events.iter().flat_map(|event| event.resets.iter().map(|reset| reset.1)));
        all
    }
}

fn refuse_friction(model: &SystemModel, equations: &EquationsOfMotion) -> Result<(), Refusal> {
    let rubs = model.contacts.iter().find(|contact| !contact.frictions.is_empty());
    if let Some(contact) = rubs {
        return Err(Refusal::Friction { contact: Some(contact.named.name.clone()) });
    }
    let friction = &equations.friction;
    if friction.is_some() || !friction.points.is_empty() || !model.row_frictions.is_empty() {
        return Err(Refusal::Friction { contact: None });
    }
    if let Some(contact) = model.contacts.iter().find(|contact| !contact.borne.is_empty()) {
        return Err(Refusal::Symbol { name: held(model, &contact.named.name) });
    }
    let relabels = model.contacts.iter().find(|contact| !contact.relabel.is_empty());
    match relabels.filter(|_| model.kinematics.is_some()) {
        Some(contact) => Err(Refusal::Relabels { contact: contact.named.name.clone() }),
        None => Ok(()),
    }
}

/// What forces hold: the multiplier of a row, or the normal force of this contact.
fn held(model: &SystemModel, contact: &str) -> String {
    let row =
        (0..model.rows.len()).find_map(|row| model.pool.find_symbol(SymbolKind::Multiplier(row)));
    row.map_or_else(|| format!("λ({contact})"), |λ| model.pool.symbol_info(λ).name.clone())
}

fn contact(
    lowering: &mut Lowering<'_>,
    model: &SystemModel,
    equations: &EquationsOfMotion,
    index: usize,
) -> Result<ContactOutline, Refusal> {
    let (declared, derived) = (&model.contacts[index], &equations.contacts[index]);
    let mut rows = Vec::new();
    for row in &derived.rows {
        rows.push((lowering.all(&row.coefficients)?, lowering.value(row.affine)?));
    }
    let law = match declared.law {
        Law::Restitution(e) => {
            let e = lowering.all(&e)?;
            ContactLaw::Restitution([e[0], e[1], e[2]])
        }
        Law::Project => ContactLaw::Project,
        Law::Assign => ContactLaw::Assign,
    };
    let mut when = Vec::new();
    for bound in &declared.when {
        when.push((lowering.value(bound.left)?, bound.relation, lowering.value(bound.right)?));
    }
    let mut assigned = Vec::new();
    for (speed, value) in &declared.assigned {
        assigned.push((*speed, lowering.value(*value)?));
    }
    Ok(ContactOutline {
        gap: lowering.value(derived.gap)?,
        gradient: lowering.all(&derived.gradient)?,
        rate: lowering.value(derived.rate)?,
        rows,
        releases: declared.releases.clone(),
        law,
        when,
        assigned,
        relabel: declared.relabel.clone(),
    })
}

fn events(lowering: &mut Lowering<'_>, model: &SystemModel) -> Result<Vec<EventOutline>, Refusal> {
    let positions = model.positions().len();
    let mut events = Vec::new();
    for event in &model.events {
        let mut resets = Vec::new();
        for reset in &event.resets {
            let place = match reset.target {
                Unknown::Coordinate(index) => index,
                Unknown::Velocity(index) => positions + index,
            };
            resets.push((place, lowering.value(reset.value)?));
        }
        let guard = lowering.value(event.guard)?;
        events.push(EventOutline { guard, direction: event.direction, resets });
    }
    Ok(events)
}

/// The starts; one that has no values of many digits is left out with those behind it.
fn scenarios(lowering: &mut Lowering<'_>, model: &SystemModel) -> Vec<ScenarioOutline> {
    let read = |lowering: &mut Lowering<'_>, index: usize| {
        let scenario = &model.scenarios[index];
        let state: Vec<ExprId> =
            scenario.position.iter().chain(&scenario.velocity).copied().collect();
        let time = lowering.value(scenario.time)?;
        Ok(ScenarioOutline { time, state: lowering.all(&state)? })
    };
    let all = (0..model.scenarios.len()).map(|index| read(lowering, index));
    all.map_while(|read: Result<_, Refusal>| read.ok()).collect()
}
