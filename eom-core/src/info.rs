//! What a declared system says of itself: the static tables that the macro writes.

/// A coordinate, input or output: its name as declared, in ASCII, and its documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameInfo {
    /// As declared, NFC: `φ`.
    pub name: &'static str,
    /// Greek letters spelled out: `phi`.
    pub ascii: &'static str,
    /// The doc comment of the declaration; units stand here.
    pub doc: &'static str,
}

/// A parameter: its name, how its default is written, and its bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParameterInfo {
    /// As declared.
    pub name: &'static str,
    /// Greek letters spelled out.
    pub ascii: &'static str,
    /// The doc comment of the declaration; units stand here.
    pub doc: &'static str,
    /// The default as an expression of earlier parameters, or `None` where a value must be given.
    pub default: Option<&'static str>,
    /// The bound, such as `R > 0`, empty without one.
    pub bound: &'static str,
}

/// What a constraint row restricts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// A row of A(t,q) v + b(t,q) = 0 declared on velocities.
    Velocity,
    /// The velocity form of a holonomic constraint φ(t,q) = 0: A = ∂φ/∂q, b = ∂φ/∂t.
    Holonomic,
}

/// A constraint row. Rows on velocities come first, then the holonomic ones, each in the order
/// of declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowInfo {
    /// Its name, by which its multiplier is addressed.
    pub name: &'static str,
    /// Greek letters spelled out.
    pub ascii: &'static str,
    /// The doc comment of the declaration.
    pub doc: &'static str,
    /// Velocity row or holonomic.
    pub kind: RowKind,
}

/// A contact: gap ≥ 0 and the law of its impact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContactInfo {
    /// Its name.
    pub name: &'static str,
    /// Greek letters spelled out.
    pub ascii: &'static str,
    /// The doc comment of the declaration.
    pub doc: &'static str,
    /// The law as declared, such as `restitution(e)`.
    pub law: &'static str,
}

/// In which direction a guard fires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From positive to non-positive.
    Falling,
    /// From negative to non-negative.
    Rising,
    /// Either way.
    Both,
}

/// A declared event: a guard and, where it has one, a reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventInfo {
    /// Its name.
    pub name: &'static str,
    /// Greek letters spelled out.
    pub ascii: &'static str,
    /// The doc comment of the declaration.
    pub doc: &'static str,
    /// When the guard fires.
    pub direction: Direction,
    /// Whether the state changes; otherwise the event is only recorded.
    pub resets: bool,
}

/// An unknown that a scenario takes from the constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// A coordinate, by its index.
    Coordinate(usize),
    /// The velocity of the coordinate of this index.
    Velocity(usize),
}

/// A named initial state with the end of its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScenarioInfo {
    /// Its name.
    pub name: &'static str,
    /// The doc comment of the declaration.
    pub doc: &'static str,
    /// What is solved from the constraints, in the order given.
    pub solve: &'static [Unknown],
}

/// Whether an equation of a document follows or is a misprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimKind {
    /// It follows from the declaration.
    Claim,
    /// The printed form does not follow; the corrected one does.
    Erratum,
}

/// An equation of a document, decided when the model was compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimInfo {
    /// Its name, such as `eq25a`.
    pub name: &'static str,
    /// The number in the document, such as `25a`; empty where the name carries none.
    pub equation: &'static str,
    /// The doc comment of the declaration.
    pub doc: &'static str,
    /// Claim or erratum.
    pub kind: ClaimKind,
    /// The equation as written in the declaration.
    pub printed: &'static str,
    /// For an erratum the corrected equation, else empty.
    pub corrected: &'static str,
}

/// The static description of a declared system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SystemInfo {
    /// The name of the type: `Penny`.
    pub name: &'static str,
    /// The doc comment of the declaration.
    pub doc: &'static str,
    /// The document that the claims refer to, empty without one.
    pub document: &'static str,
    /// Coordinates q, n of them.
    pub coordinates: &'static [NameInfo],
    /// Parameters, in the order of declaration.
    pub parameters: &'static [ParameterInfo],
    /// Inputs u (controls).
    pub inputs: &'static [NameInfo],
    /// Rows of A, k of them; see [`RowInfo`] for their order.
    pub rows: &'static [RowInfo],
    /// Contacts.
    pub contacts: &'static [ContactInfo],
    /// Declared events.
    pub events: &'static [EventInfo],
    /// Scenarios; the first is the default of a run.
    pub scenarios: &'static [ScenarioInfo],
    /// Declared outputs.
    pub outputs: &'static [NameInfo],
    /// Claims and errata.
    pub claims: &'static [ClaimInfo],
    /// The derived equations, as text.
    pub equations: &'static str,
    /// The declaration, as tokens that can be parsed again.
    pub source: &'static str,
}

impl SystemInfo {
    /// n, the number of coordinates.
    pub const fn dimension(&self) -> usize {
        self.coordinates.len()
    }

    /// The number of holonomic rows; they are the last rows of A.
    pub fn holonomic_count(&self) -> usize {
        self.rows.iter().filter(|row| row.kind == RowKind::Holonomic).count()
    }
}
