//! Diagnosis of a declaration that parses, resolves and has equations: the table of what can be
//! said, how grave it is, and what a declaration allows.
//!
//! What is found is the business of [`eom_symbolic::mechanics::diagnosis`]; the words stand in
//! `words`.

mod allows;
mod components;
mod events;
mod lets;
mod messages;

pub(crate) use allows::check_allows;
pub(crate) use messages::linear_term;

use crate::ast::{self, Region};
use crate::diagnostic::{Diagnostic, Errors, Level};
use crate::resolve::Places;
use allows::Allowed;
use eom_symbolic::mechanics::diagnosis::{Finding, Subject, diagnose, solvable};
use eom_symbolic::mechanics::report::EquationsText;
use eom_symbolic::mechanics::sample::Functions;
use eom_symbolic::mechanics::{EquationsOfMotion, SystemModel};
use messages::Messages;

/// What a diagnosis is about; its name is the one by which a declaration allows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diagnosis {
    /// M is singular at every state.
    SingularMass,
    /// T takes negative values.
    NegativeMass,
    /// T has a part of degree 1 that does nothing.
    LinearKinetic,
    /// A row of A is a combination of others.
    DependentRow,
    /// A row contradicts others.
    ContradictoryRow,
    /// A row of `constraints` is integrable.
    IntegrableRow,
    /// Rows of `constraints` are integrable together.
    HolonomicTogether,
    /// A dissipation function creates energy.
    ActiveDissipation,
    /// A contact whose impact changes nothing.
    IdleContact,
    /// An own row of a contact that depends on the other rows of B.
    DependentContactRow,
    /// An event that resets the state and has no direction.
    UndirectedEvent,
    /// A component of a vector row that is 0 = 0.
    EmptyComponent,
    /// A parameter that nothing mentions.
    UnusedParameter,
    /// An input that nothing mentions.
    UnusedInput,
    /// A declared function that nothing mentions.
    UnusedFunction,
    /// A `let` that nothing mentions and that is printed nowhere.
    UnusedLet,
    /// A parameter that is mentioned and changes nothing.
    IdleParameter,
    /// Parts of the system that do not act on each other.
    Decoupled,
    /// An `allow` of something that is not there.
    UnusedAllow,
}

impl Diagnosis {
    /// All of them, the graver first.
    pub const ALL: [Self; 19] = [
        Self::SingularMass,
        Self::ContradictoryRow,
        Self::DependentRow,
        Self::NegativeMass,
        Self::LinearKinetic,
        Self::ActiveDissipation,
        Self::IdleContact,
        Self::IntegrableRow,
        Self::HolonomicTogether,
        Self::DependentContactRow,
        Self::UnusedParameter,
        Self::UnusedInput,
        Self::UnusedFunction,
        Self::UnusedLet,
        Self::IdleParameter,
        Self::UndirectedEvent,
        Self::UnusedAllow,
        Self::EmptyComponent,
        Self::Decoupled,
    ];

    /// Its name in `allow`.
    #[must_use]
    pub fn name(self) -> &'static str {
        // table
        match self {
            Self::SingularMass => "singular_mass",
            Self::NegativeMass => "negative_mass",
            Self::LinearKinetic => "linear_kinetic",
            Self::DependentRow => "dependent_row",
            Self::ContradictoryRow => "contradictory_row",
            Self::IntegrableRow => "integrable_row",
            Self::HolonomicTogether => "holonomic_together",
            Self::ActiveDissipation => "active_dissipation",
            Self::IdleContact => "idle_contact",
            Self::DependentContactRow => "dependent_contact_row",
            Self::UndirectedEvent => "undirected_event",
            Self::EmptyComponent => "empty_component",
            Self::UnusedParameter => "unused_parameter",
            Self::UnusedInput => "unused_input",
            Self::UnusedFunction => "unused_function",
            Self::UnusedLet => "unused_let",
            Self::IdleParameter => "idle_parameter",
            Self::Decoupled => "decoupled",
            Self::UnusedAllow => "unused_allow",
        }
    }

    /// The diagnosis of a name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|diagnosis| diagnosis.name() == name)
    }

    /// Whether a declaration can have it and still move: without M⁻¹ and (A M⁻¹ Aᵀ)⁻¹ it cannot.
    #[must_use]
    pub fn can_be_allowed(self) -> bool {
        !matches!(self, Self::SingularMass | Self::DependentRow | Self::ContradictoryRow)
    }
}

/// A finding in words.
struct Message {
    diagnosis: Diagnosis,
    level: Level,
    at: Region,
    text: String,
    help: Option<String>,
    /// The names that `allow` may give.
    subjects: Vec<String>,
}

impl Message {
    fn into_diagnostic(self) -> Diagnostic {
        Diagnostic {
            at: self.at,
            message: self.text,
            help: self.help,
            note: None,
            level: self.level,
            diagnosis: Some(self.diagnosis),
            hides: false,
        }
    }
}

/// A system whose equations determine nothing, wherever one looks: before claims are decided.
pub(crate) fn check_solvable(
    system: &ast::System,
    model: &mut SystemModel,
    (equations, functions): (&EquationsOfMotion, &Functions),
    (places, regular): (&Places, bool),
    errors: &mut Errors,
) {
    for finding in solvable(model, equations, functions, regular) {
        let mut said = Messages::new(system, places, model).say(model, &finding);
        said.level = Level::Error;
        errors.push(said.into_diagnostic());
    }
}

/// Everything else that is said of a declaration, errors first; what it allows is left out.
///
/// `model` and `equations` have a free symbol for each value of a declared function.
pub(crate) fn check_model(
    system: &ast::System,
    (model, equations): (&mut SystemModel, &EquationsOfMotion),
    subject: &Subject<'_>,
    (places, printed): (&Places, &EquationsText),
) -> Vec<Diagnostic> {
    let findings: Vec<Finding> = diagnose(model, equations, subject);
    let mut said: Vec<Message> = Vec::new();
    if !findings.is_empty() {
        let speaker = Messages::new(system, places, model);
        said.extend(findings.iter().map(|finding| speaker.say(model, finding)));
    }
    said.extend(lets::unused(system, printed));
    said.extend(events::undirected(system));
    said.extend(components::left_out(system, &model.empty_rows));
    let mut allowed = Allowed::new(system);
    said.retain(|said| !allowed.takes(said));
    said.extend(allowed.unused());
    said.sort_by_key(|said| said.level);
    said.into_iter().map(Message::into_diagnostic).collect()
}
