//! What a derived system says of itself, in no language: names, rows, contacts, scenarios, claims, equations. The
//! macro writes it as `SystemInfo`, the interpreter makes one of it, both field by field.

use crate::equation::equation_number;
use crate::pipeline::Derivation;
use eom_symbolic::ExprPool;
use eom_symbolic::mechanics::{
    Bearer, Claim, ClosedContact, Contact, Direction, EquationsOfMotion, Event, Frame, GapGuard,
    Impacts, Named, Parameter, Part, Power, PowerKind, Quantity, Relation, Resisted, Rotation, Row,
    RowKind, Scenario, Sentence, SmoothFunction, SystemModel, Unknown,
};
use eom_symbolic::name;
use eom_symbolic::program::Program;

/// A value of `eom_core::info`.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `&'static str`
    Text(String),
    /// `Text`: what is printed, now or when it is asked for.
    Printed(String),
    /// `usize`
    Number(usize),
    /// `bool`
    Truth(bool),
    /// `Option`
    Optional(Option<Box<Value>>),
    /// A slice.
    List(Vec<Value>),
    /// Two values.
    Pair(Box<[Value; 2]>),
    /// A variant of an enum, which may hold an index.
    Variant {
        /// The enum.
        of: &'static str,
        /// The variant.
        name: &'static str,
        /// What it holds.
        index: Option<usize>,
    },
    /// A struct.
    Record {
        /// Its name.
        of: &'static str,
        /// Its fields.
        fields: Vec<(&'static str, Value)>,
    },
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Value {
    fn from(is_true: bool) -> Self {
        Self::Truth(is_true)
    }
}

impl From<(usize, usize)> for Value {
    fn from((first, second): (usize, usize)) -> Self {
        Self::Pair(Box::new([first.into(), second.into()]))
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        Self::Optional(value.map(|value| Box::new(value.into())))
    }
}

impl<T: Into<Self>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        Self::List(entries.into_iter().map(Into::into).collect())
    }
}

impl Value {
    /// A record that begins with a name, that in ASCII and a documentation.
    fn of(named: &Named, rest: Self) -> Self {
        let head = [("name", &named.name), ("ascii", &named.key), ("doc", &named.doc)];
        match rest {
            Self::Record { of, fields } => {
                let head = head.into_iter().map(|(field, text)| (field, text.into()));
                Self::Record { of, fields: head.chain(fields).collect() }
            }
            other => other,
        }
    }
}

macro_rules! record {
    ($of:ident { $($field:ident: $value:expr),* $(,)? }) => {
        Value::Record {
            of: stringify!($of),
            fields: vec![$((stringify!($field), Value::from($value))),*],
        }
    };
}

macro_rules! variant {
    ($of:ident::$name:ident $(($index:expr))?) => {
        Value::Variant { of: stringify!($of), name: stringify!($name), index: None$(.or(Some($index)))? }
    };
}

fn list<T: Into<Value>>(entries: impl IntoIterator<Item = T>) -> Value {
    entries.into_iter().collect()
}

/// `SystemInfo` of a derived system; with nothing printed where that is done later.
pub fn description(derivation: &Derivation, source: &str, prints: bool) -> Value {
    let Derivation { model, equations, programs, .. } = derivation;
    record!(SystemInfo {
        name: &model.named.name,
        doc: &model.named.doc,
        document: &model.document,
        coordinates: names(model.coordinates.iter().map(|c| &c.named)),
        angles: list(model.angles()),
        velocities: velocities(model),
        rotations: list(model.rotations.iter().map(rotation)),
        parameters: list(model.parameters.iter().map(parameter)),
        inputs: names(model.inputs.iter().map(|input| &input.named)),
        functions: list(model.functions.iter().map(|f| function(model, f))),
        rows: list(
            model
                .rows
                .iter()
                .enumerate()
                .map(|(index, row)| self::row(row, bears(equations, index)))
        ),
        empty_rows: list(&model.empty_rows),
        has_lagrangian: model.kinetic.is_none(),
        frictions: frictions(derivation),
        powers: list(equations.powers.iter().map(power)),
        contacts: list(model.contacts.iter().map(contact)),
        events: list(model.events.iter().map(event)),
        scenarios: list(model.scenarios.iter().map(scenario)),
        outputs: names(model.outputs.iter().map(|output| &output.named)),
        sentences: list(model.sentences.iter().map(sentence)),
        claims: claims(derivation, prints),
        kernels: list(programs.computing().map(kernel)),
        equations: Value::Printed(if prints { derivation.equations_text() } else { String::new() }),
        source: source.to_owned(),
    })
}

fn names<'n>(items: impl Iterator<Item = &'n Named>) -> Value {
    list(items.map(|named| Value::of(named, record!(NameInfo {}))))
}

/// The speeds, where they are not all velocities of coordinates.
fn velocities(model: &SystemModel) -> Value {
    let speeds = model.speeds.iter().filter(|_| model.kinematics.is_some());
    list(speeds.map(|speed| {
        record!(NameInfo { name: speed.name(), ascii: speed.ascii(), doc: &speed.named.doc })
    }))
}

fn rotation(rotation: &Rotation) -> Value {
    let frame = match rotation.frame {
        Frame::Body => variant!(Frame::Body),
        Frame::Space => variant!(Frame::Space),
    };
    Value::of(&rotation.named, record!(RotationInfo { frame: frame }))
}

fn parameter(parameter: &Parameter) -> Value {
    let default = parameter.default.map(|_| &parameter.default_text);
    let rest = record!(ParameterInfo { default: default, bound: &parameter.bound_text });
    Value::of(&parameter.named, rest)
}

fn function(model: &SystemModel, function: &SmoothFunction) -> Value {
    let arguments = model.pool.signature(function.partial).arguments.iter();
    let arguments = arguments.map(|a| name::key(&model.pool.symbol_info(*a).name));
    let default = function.default.map(|_| &function.default_text);
    let rest = record!(FunctionInfo { arguments: list(arguments), default: default });
    Value::of(&function.named, rest)
}

/// Whether forces act with the multiplier of a row beside contacts.
fn bears(equations: &EquationsOfMotion, row: usize) -> bool {
    equations.borne.get(row).is_some_and(|force| force.iter().any(|entry| *entry != ExprPool::ZERO))
}

fn row(row: &Row, bears: bool) -> Value {
    let kind = match row.kind {
        RowKind::Velocity => variant!(RowKind::Velocity),
        RowKind::Holonomic { .. } => variant!(RowKind::Holonomic),
        RowKind::Chetaev => variant!(RowKind::Chetaev),
    };
    Value::of(&row.named, record!(RowInfo { kind: kind, bears: bears }))
}

fn frictions(derivation: &Derivation) -> Value {
    let friction = &derivation.equations.friction;
    let points = friction.points.iter().map(|point| {
        let (weighted, bears) = (!point.weights.is_empty(), !point.beside.is_empty());
        let varies = point.varies(&derivation.model.pool);
        (point.components.len(), point.borne, [weighted, bears, varies])
    });
    let all = points.chain(friction.spread.map(|_| (0, None, [false; 3])));
    let entries = derivation.frictions.iter().zip(all);
    list(entries.map(|(name, (components, borne, [weighted, bears, varies]))| {
        let kind = match borne.map(|borne| (borne.bearer, borne.resisted)) {
            None => variant!(FrictionKind::Dissipation),
            Some((Bearer::Row(_) | Bearer::Rows { .. }, _)) => variant!(FrictionKind::Row),
            Some((_, Resisted::Slip)) => variant!(FrictionKind::Slip),
            Some((_, Resisted::Roll)) => variant!(FrictionKind::Roll),
            Some((_, Resisted::Spin)) => variant!(FrictionKind::Spin),
        };
        record!(FrictionInfo {
            name: name,
            components: components,
            kind: kind,
            weighted: weighted,
            bears: bears,
            varies: varies
        })
    }))
}

fn power(power: &Power) -> Value {
    let kind = match power.kind {
        PowerKind::Force => variant!(PowerKind::Force),
        PowerKind::Input => variant!(PowerKind::Input),
        PowerKind::Dissipation => variant!(PowerKind::Dissipation),
        PowerKind::Time => variant!(PowerKind::Time),
    };
    record!(PowerInfo { name: &power.name, kind: kind })
}

fn contact(contact: &Contact) -> Value {
    let impacts = contact.impacts.map(|impacts| match impacts {
        Impacts::Joint => variant!(Impacts::Joint),
        Impacts::Sequential => variant!(Impacts::Sequential),
        Impacts::Tangential => variant!(Impacts::Tangential),
    });
    let rest = record!(ContactInfo {
        law: &contact.law_text,
        impacts: impacts,
        rows: names(contact.rows.iter().map(|row| &row.named)),
        releases: list(contact.releases.iter().copied()),
        when: &contact.when_text,
        extents: contact.extents.len(),
        relabels: list(contact.relabel.iter().copied()),
        bears: !contact.borne.is_empty(),
    });
    Value::of(&contact.named, rest)
}

fn event(event: &Event) -> Value {
    let direction = match event.direction {
        Direction::Falling => variant!(Direction::Falling),
        Direction::Rising => variant!(Direction::Rising),
        Direction::Both => variant!(Direction::Both),
    };
    let rest = record!(EventInfo {
        direction: direction,
        resets: !event.resets.is_empty(),
        gap: event.gap.map(gap_guard),
    });
    Value::of(&event.named, rest)
}

fn gap_guard(GapGuard { contact, rises }: GapGuard) -> Value {
    record!(GapGuard { contact: contact, rises: rises })
}

fn scenario(scenario: &Scenario) -> Value {
    let solve = scenario.solve.iter().map(|unknown| match *unknown {
        Unknown::Coordinate(index) => variant!(Unknown::Coordinate(index)),
        Unknown::Velocity(index) => variant!(Unknown::Velocity(index)),
    });
    let Named { name, doc, .. } = &scenario.named;
    record!(ScenarioInfo { name: name, doc: doc, solve: list(solve) })
}

fn sentence(sentence: &Sentence) -> Value {
    let quantity = match sentence.quantity {
        Quantity::Eigenvalues => variant!(Quantity::Eigenvalues),
        Quantity::Critical => variant!(Quantity::Critical),
        Quantity::Frequency => variant!(Quantity::Frequency),
        Quantity::Multipliers => variant!(Quantity::Multipliers),
        Quantity::Period => variant!(Quantity::Period),
        Quantity::Lyapunov => variant!(Quantity::Lyapunov),
        Quantity::Stops => variant!(Quantity::Stops),
        Quantity::Value => variant!(Quantity::Value),
        Quantity::Returns => variant!(Quantity::Returns),
        Quantity::Possible => variant!(Quantity::Possible),
    };
    let part = match sentence.part {
        Part::Whole => variant!(Part::Whole),
        Part::Real => variant!(Part::Real),
        Part::Imaginary => variant!(Part::Imaginary),
        Part::Size => variant!(Part::Size),
    };
    let comparison = match sentence.relation {
        None => variant!(Comparison::Equal),
        Some(Relation::Less) => variant!(Comparison::Less),
        Some(Relation::LessEqual) => variant!(Comparison::LessEqual),
        Some(Relation::Greater) => variant!(Comparison::Greater),
        Some(Relation::GreaterEqual) => variant!(Comparison::GreaterEqual),
    };
    record!(SentenceInfo {
        name: &sentence.named.name,
        equation: equation_number(&sentence.named.name),
        doc: &sentence.named.doc,
        scenario: sentence.scenario,
        settings: list(sentence.settings.iter().map(|(name, _)| name)),
        quantity: quantity,
        subject: &sentence.subject,
        index: sentence.index,
        part: part,
        comparison: comparison,
        printed: &sentence.text,
    })
}

fn claims(derivation: &Derivation, prints: bool) -> Value {
    let model = &derivation.model;
    let differences = if prints { derivation.differences() } else { &[] };
    list(model.claims.iter().enumerate().map(|(index, stated)| {
        claim(stated, differences.get(index).cloned().unwrap_or_default(), &model.contacts)
    }))
}

fn claim(claim: &Claim, difference: String, contacts: &[Contact]) -> Value {
    let touching = |touching: &ClosedContact| {
        let name = &contacts[touching.contact].named.name;
        touching.along.map_or_else(|| name.clone(), |along| format!("{name} {}", along.word()))
    };
    let closed: Vec<String> = claim.closed.iter().map(touching).collect();
    let when: Vec<&str> = claim.when.iter().map(|condition| condition.text.as_str()).collect();
    let (kind, corrected) = match &claim.corrected {
        Some((_, text)) => (variant!(ClaimKind::Erratum), text.clone()),
        None => (variant!(ClaimKind::Claim), String::new()),
    };
    let print = claim.print.clone().unwrap_or_default();
    record!(ClaimInfo {
        name: &claim.named.name,
        equation: equation_number(&claim.named.name),
        doc: &claim.named.doc,
        kind: kind,
        closed: closed.join(", "),
        when: when.join(", "),
        printed: &claim.text,
        corrected: corrected,
        difference: Value::Printed(difference),
        defines: claim.defines,
        place: &claim.place,
        tex: print.whole,
        printed_tex: print.printed,
        corrected_tex: print.corrected,
        notation: print.notation.join("; "),
        reading: print.readings.join("; "),
    })
}

fn kernel(program: &Program) -> Value {
    let counts = program.op_counts();
    let (operations, counts) = (counts.total(), counts.to_string());
    record!(KernelInfo { name: &program.name, operations: operations, counts: counts })
}
