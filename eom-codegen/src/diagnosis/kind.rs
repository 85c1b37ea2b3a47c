//! The table of what can be said of a model, by the names with which a declaration allows it.

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
    /// A dissipation function that holds no velocity.
    IdleDissipation,
    /// A force that jumps with the sign of a velocity.
    SteppedForce,
    /// A contact whose impact changes nothing.
    IdleContact,
    /// An own row of a contact that depends on the other rows of B.
    DependentContactRow,
    /// An event that resets the state and has no direction.
    UndirectedEvent,
    /// A scenario that no run can begin with, or that nothing ends.
    ImpossibleScenario,
    /// A row that is not affine in the velocities, by Chetaev's rule.
    Chetaev,
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
    pub const ALL: [Self; 23] = [
        Self::SingularMass,
        Self::ContradictoryRow,
        Self::DependentRow,
        Self::NegativeMass,
        Self::LinearKinetic,
        Self::ActiveDissipation,
        Self::IdleDissipation,
        Self::SteppedForce,
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
        Self::ImpossibleScenario,
        Self::Chetaev,
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
            Self::IdleDissipation => "idle_dissipation",
            Self::SteppedForce => "stepped_force",
            Self::IdleContact => "idle_contact",
            Self::DependentContactRow => "dependent_contact_row",
            Self::UndirectedEvent => "undirected_event",
            Self::ImpossibleScenario => "impossible_scenario",
            Self::Chetaev => "chetaev",
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
