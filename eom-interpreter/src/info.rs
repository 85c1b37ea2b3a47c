//! The static tables of a system that was read at run time: those that the macro writes.
//!
//! [`SystemInfo`] holds `&'static` data, so that everybody can keep it; what stands here is
//! therefore leaked, once for each declaration that is read.

use eom_codegen::{Derivation, equation_number};
use eom_core::info::{
    ClaimInfo, ClaimKind, ContactInfo, Direction, EventInfo, Frame, FrictionInfo, FunctionInfo,
    Impacts, KernelInfo, NameInfo, ParameterInfo, PowerInfo, PowerKind, RotationInfo, RowInfo,
    RowKind, ScenarioInfo, SystemInfo, Unknown,
};
use eom_symbolic::mechanics::{
    self, Claim, Contact, Event, Named, Parameter, Power, Row, Scenario, SmoothFunction,
    SystemModel,
};
use eom_symbolic::name;
use eom_symbolic::program::Program;

/// The tables of a derived system.
pub(crate) fn leaked(derivation: &Derivation, source: &str) -> &'static SystemInfo {
    let model = &derivation.model;
    Box::leak(Box::new(SystemInfo {
        name: text(&model.named.name),
        doc: text(&model.named.doc),
        document: text(&model.document),
        coordinates: names(model.coordinates.iter().map(|coordinate| &coordinate.named)),
        angles: Vec::leak(model.angles()),
        velocities: velocities(model),
        rotations: list(model.rotations.iter().map(rotation)),
        parameters: list(model.parameters.iter().map(parameter)),
        inputs: names(model.inputs.iter().map(|input| &input.named)),
        functions: list(model.functions.iter().map(|f| function(model, f))),
        rows: list(model.rows.iter().map(row)),
        empty_rows: list(model.empty_rows.iter().map(|row| text(row))),
        frictions: frictions(derivation),
        powers: list(derivation.equations.powers.iter().map(power)),
        contacts: list(model.contacts.iter().map(contact)),
        events: list(model.events.iter().map(event)),
        scenarios: list(model.scenarios.iter().map(scenario)),
        outputs: names(model.outputs.iter().map(|output| &output.named)),
        claims: list(model.claims.iter().map(|c| claim(c, &model.contacts))),
        kernels: list(derivation.programs.computing().map(kernel)),
        equations: text(&derivation.equations_text),
        source: text(source),
    }))
}

fn text(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn list<T>(items: impl Iterator<Item = T>) -> &'static [T] {
    Box::leak(items.collect())
}

fn names<'n>(items: impl Iterator<Item = &'n Named>) -> &'static [NameInfo] {
    list(items.map(|named| {
        let (name, ascii, doc) = head(named);
        NameInfo { name, ascii, doc }
    }))
}

/// Name, key, documentation.
fn head(named: &Named) -> (&'static str, &'static str, &'static str) {
    (text(&named.name), text(&named.key), text(&named.doc))
}

/// The speeds, where they are not all velocities of coordinates.
fn velocities(model: &SystemModel) -> &'static [NameInfo] {
    if model.kinematics.is_none() {
        return &[];
    }
    list(model.speeds.iter().map(|speed| NameInfo {
        name: text(&speed.name()),
        ascii: text(&speed.ascii()),
        doc: text(&speed.named.doc),
    }))
}

fn kernel(program: &Program) -> KernelInfo {
    let counts = program.op_counts();
    let (operations, counts) = (counts.total(), text(&counts.to_string()));
    KernelInfo { name: text(&program.name), operations, counts }
}

fn rotation(rotation: &mechanics::Rotation) -> RotationInfo {
    let (name, ascii, doc) = head(&rotation.named);
    let frame = match rotation.frame {
        mechanics::Frame::Body => Frame::Body,
        mechanics::Frame::Space => Frame::Space,
    };
    RotationInfo { name, ascii, doc, frame }
}

fn parameter(parameter: &Parameter) -> ParameterInfo {
    let (name, ascii, doc) = head(&parameter.named);
    let default = parameter.default.map(|_| text(&parameter.default_text));
    ParameterInfo { name, ascii, doc, default, bound: text(&parameter.bound_text) }
}

fn function(model: &SystemModel, function: &SmoothFunction) -> FunctionInfo {
    let (name, ascii, doc) = head(&function.named);
    let arguments = model.pool.signature(function.partial).arguments.iter();
    let arguments = list(arguments.map(|a| text(&name::key(&model.pool.symbol_info(*a).name))));
    let default = function.default.map(|_| text(&function.default_text));
    FunctionInfo { name, ascii, doc, arguments, default }
}

fn row(row: &Row) -> RowInfo {
    let (name, ascii, doc) = head(&row.named);
    let kind = match row.kind {
        mechanics::RowKind::Velocity => RowKind::Velocity,
        mechanics::RowKind::Holonomic { .. } => RowKind::Holonomic,
    };
    RowInfo { name, ascii, doc, kind }
}

fn frictions(derivation: &Derivation) -> &'static [FrictionInfo] {
    let friction = &derivation.equations.friction;
    let components = friction.points.iter().map(|point| point.components.len());
    let components = components.chain(friction.spread.map(|_| 0));
    let entry =
        |(name, components): (&String, usize)| FrictionInfo { name: text(name), components };
    list(derivation.frictions.iter().zip(components).map(entry))
}

fn power(power: &Power) -> PowerInfo {
    let kind = match power.kind {
        mechanics::PowerKind::Force => PowerKind::Force,
        mechanics::PowerKind::Input => PowerKind::Input,
        mechanics::PowerKind::Dissipation => PowerKind::Dissipation,
        mechanics::PowerKind::Time => PowerKind::Time,
    };
    PowerInfo { name: text(&power.name), kind }
}

fn contact(contact: &Contact) -> ContactInfo {
    let (name, ascii, doc) = head(&contact.named);
    ContactInfo {
        name,
        ascii,
        doc,
        law: text(&contact.law_text),
        impacts: contact.impacts.map(|impacts| match impacts {
            mechanics::Impacts::Joint => Impacts::Joint,
            mechanics::Impacts::Sequential => Impacts::Sequential,
        }),
        rows: names(contact.rows.iter().map(|row| &row.named)),
        releases: list(contact.releases.iter().copied()),
        when: text(&contact.when_text),
        relabels: list(contact.relabel.iter().copied()),
    }
}

fn event(event: &Event) -> EventInfo {
    let (name, ascii, doc) = head(&event.named);
    let direction = match event.direction {
        mechanics::Direction::Falling => Direction::Falling,
        mechanics::Direction::Rising => Direction::Rising,
        mechanics::Direction::Both => Direction::Both,
    };
    EventInfo { name, ascii, doc, direction, resets: !event.resets.is_empty() }
}

fn scenario(scenario: &Scenario) -> ScenarioInfo {
    let (name, _, doc) = head(&scenario.named);
    let solve = list(scenario.solve.iter().map(|unknown| match *unknown {
        mechanics::Unknown::Coordinate(index) => Unknown::Coordinate(index),
        mechanics::Unknown::Velocity(index) => Unknown::Velocity(index),
    }));
    ScenarioInfo { name, doc, solve }
}

fn claim(claim: &Claim, contacts: &[Contact]) -> ClaimInfo {
    let (name, _, doc) = head(&claim.named);
    let closed: Vec<&str> =
        claim.closed.iter().map(|contact| contacts[*contact].named.name.as_str()).collect();
    let when: Vec<&str> = claim.when.iter().map(|condition| condition.text.as_str()).collect();
    let corrected = claim.corrected.as_ref().map(|(_, text)| text.as_str());
    ClaimInfo {
        name,
        equation: text(&equation_number(&claim.named.name)),
        doc,
        kind: if corrected.is_some() { ClaimKind::Erratum } else { ClaimKind::Claim },
        closed: text(&closed.join(", ")),
        when: text(&when.join(", ")),
        printed: text(&claim.text),
        corrected: text(corrected.unwrap_or_default()),
        difference: text(&claim.difference),
    }
}
