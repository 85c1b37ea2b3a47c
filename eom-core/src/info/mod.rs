//! What a declared system says of itself: the static tables that the macro writes.

mod borne;
pub(crate) mod described;
mod event;
pub(crate) mod indices;
mod lock;
mod text;

pub use event::{Direction, EventInfo, GapGuard};
pub use text::Text;

use described::{Described, FromDescribed, records, variants};

/// Components of a unit quaternion.
pub(crate) const QUATERNION: usize = 4;

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

/// A smooth function that is given at run time; see [`SmoothFunction`](crate::SmoothFunction).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FunctionInfo {
    /// As declared.
    pub name: &'static str,
    /// Greek letters spelled out.
    pub ascii: &'static str,
    /// The doc comment of the declaration; units stand here.
    pub doc: &'static str,
    /// The coordinates (or t) that it is declared of, in ASCII.
    pub arguments: &'static [&'static str],
    /// The default as an expression of the arguments and parameters, or `None` where a function
    /// must be given.
    pub default: Option<&'static str>,
}

/// What a constraint row restricts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// A row of A(t,q) v + b(t,q) = 0 declared on velocities.
    Velocity,
    /// The velocity form of a holonomic constraint φ(t,q) = 0: A = ∂φ/∂q, b = ∂φ/∂t.
    Holonomic,
    /// φ(t,q,v) = 0 on velocities, not affine in them, by Chetaev's rule: A = ∂φ/∂v and b = φ − A v at v.
    Chetaev,
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
    /// Whether forces act with its multiplier beside contacts, as with the normal force of one that bears.
    pub bears: bool,
}

/// A term of the dissipation function that is homogeneous of degree one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrictionInfo {
    /// As printed: `norm([ẋ, ẏ])`; of a contact its name, `rolling(floor)` or `spinning(floor)`; of a constraint row its name.
    pub name: &'static str,
    /// r, the number of components of w in c‖w‖; 0 for an integral of such terms.
    pub components: usize,
    /// What it is against.
    pub kind: FrictionKind,
    /// Whether w is a slip of which each component is multiplied with its own coefficient.
    pub weighted: bool,
    /// Whether forces act with its force.
    pub bears: bool,
    /// Whether what it holds by at rest may be another at other times and states: zero here, it need not be so elsewhere.
    pub varies: bool,
}

/// What dry friction is against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrictionKind {
    /// A velocity in the dissipation function.
    Dissipation,
    /// The velocity of bodies along each other at a contact.
    Slip,
    /// Their angular velocity on each other along its surface.
    Roll,
    /// That about its normal.
    Spin,
    /// The velocity along a constraint, in proportion to the size of its multiplier.
    Row,
}

impl FrictionKind {
    /// How many components of force a contact has room for.
    pub const PLACES: usize = 5;

    /// The place of the first component among the forces of a contact: two on its slip, two on its roll, one on its spin.
    pub const fn place(self) -> usize {
        match self {
            Self::Dissipation | Self::Slip | Self::Row => 0,
            Self::Roll => 2,
            Self::Spin => 4,
        }
    }
}

/// What a power is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PowerKind {
    /// A `force` without inputs.
    Force,
    /// A `force` that inputs drive.
    Input,
    /// A term of the dissipation, but for its point terms of dry friction.
    Dissipation,
    /// −∂L/∂t: the Lagrangian itself depends on time.
    Time,
}

/// A line of the declaration that changes the energy along a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PowerInfo {
    /// The coordinate or speed of a force, a term of the dissipation as written; empty for −∂L/∂t.
    pub name: &'static str,
    /// What it is.
    pub kind: PowerKind,
}

/// What happens where several contacts are struck at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Impacts {
    /// All together: Newton's law with complementarity.
    Joint,
    /// One after another, as if there were room between them, until none closes.
    Sequential,
    /// All together; where the friction of one that slides has no finite forces, it jams: an impact without collision.
    Tangential,
}

impl Impacts {
    /// As it is declared.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Joint => "joint",
            Self::Sequential => "sequential",
            Self::Tangential => "tangential",
        }
    }
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
    /// How it is struck together with others; joint where that is not declared.
    pub impacts: Option<Impacts>,
    /// Its own rows, s of them: in B at its impact, in force while it is closed.
    pub rows: &'static [NameInfo],
    /// The rows of A left out of B at its impact, by index.
    pub releases: &'static [usize],
    /// Its conditions as declared, `th1 > th2, u > 0`: it fires only where they hold; empty without.
    pub when: &'static str,
    /// How many of these conditions are of places: closed, it opens where one of them ceases to hold.
    pub extents: usize,
    /// The coordinates that exchange their values after its impact map, by index.
    pub relabels: &'static [(usize, usize)],
    /// Whether forces act with its normal force or friction, or with those of rows, which it changes.
    pub bears: bool,
}

impl ContactInfo {
    /// Whether it fires under conditions only.
    pub const fn is_conditional(&self) -> bool {
        !self.when.is_empty()
    }
}

/// An unknown that a scenario takes from the constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// A coordinate, by its index.
    Coordinate(usize),
    /// A speed, by its index.
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

/// What a sentence speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// An eigenvalue of the linear system along a steady motion, the largest real part first.
    Eigenvalues,
    /// A value of a name at which eigenvalues cross the imaginary axis, in rising order.
    Critical,
    /// The frequency of what crosses there.
    Frequency,
    /// A multiplier of a periodic orbit, the largest first.
    Multipliers,
    /// How long the orbit takes.
    Period,
    /// A Lyapunov exponent, the largest first.
    Lyapunov,
    /// When the motion comes to rest for good, in a run of a span.
    Stops,
    /// A coordinate or a velocity at a time.
    Value,
    /// How far the state is from its start after a span, angles but for whole turns.
    Returns,
    /// Whether there is such a motion over a span: 1, or 0 where the rows or the forces have no solution.
    Possible,
}

/// What is taken of a complex number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// All of it: it is real.
    Whole,
    /// Its real part.
    Real,
    /// Its imaginary part.
    Imaginary,
    /// Its absolute value.
    Size,
}

/// How a quantity compares with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// <
    Less,
    /// ≤
    LessEqual,
    /// >
    Greater,
    /// ≥
    GreaterEqual,
    /// =, as far as it is printed.
    Equal,
}

/// What a claim says of a whole motion, `claim weave of straight: critical(ẋ, 0.5, 10)[1] = 4.29;`. No equation decides
/// it: who runs motions does, with the numbers of [`System::sentence`](crate::System::sentence).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SentenceInfo {
    /// Its name.
    pub name: &'static str,
    /// The number in the document; empty where the name carries none.
    pub equation: &'static str,
    /// The doc comment of the declaration.
    pub doc: &'static str,
    /// The scenario from which the motion starts, by its index.
    pub scenario: usize,
    /// Parameters, inputs and entries of the state that are other than there, in ASCII.
    pub settings: &'static [&'static str],
    /// What it speaks of.
    pub quantity: Quantity,
    /// What is varied, or the contact or event of a section, in ASCII; empty without.
    pub subject: &'static str,
    /// Which of several, from 0.
    pub index: usize,
    /// What of it.
    pub part: Part,
    /// How it compares.
    pub comparison: Comparison,
    /// As written: `of straight: critical(ẋ, 0.5, 10)[1] = 4.29`.
    pub printed: &'static str,
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
    /// The number in the document, such as `25a`, `2.10` or `Theorem 5.1`; empty where the name
    /// carries none.
    pub equation: &'static str,
    /// The doc comment of the declaration.
    pub doc: &'static str,
    /// Claim or erratum.
    pub kind: ClaimKind,
    /// The contacts that are closed where it is stated: `floor, wall`; empty without.
    pub closed: &'static str,
    /// The conditions under which it is stated, as written: `f_x = 0, f_y = 0`; empty without.
    pub when: &'static str,
    /// The equation as written in the declaration.
    pub printed: &'static str,
    /// For an erratum the corrected equation, else empty.
    pub corrected: &'static str,
    /// For an erratum, left − right of the printed equation minus left − right of the corrected
    /// one, in simplest form; for an equation of vectors by component. Else empty.
    pub difference: Text,
    /// Whether it only says what a declared name stands for: it could not fail.
    pub defines: bool,
    /// Where it is stated, without its conditions: `at floor under plastic`; empty without.
    pub place: &'static str,
    /// The display in LaTeX as it was given; empty where the equation was written in the language.
    pub tex: &'static str,
    /// The part of it that this claim is.
    pub printed_tex: &'static str,
    /// For an erratum, what that part should read.
    pub corrected_tex: &'static str,
    /// What the symbols in it were taken for, by the notation of the declaration.
    pub notation: &'static str,
    /// Those of them that are not what the document says.
    pub reading: &'static str,
}

/// The axes along which the components of an angular velocity are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// Fixed to the body.
    Body,
    /// Fixed in space.
    Space,
}

/// A rotation R, body → space: in q a unit quaternion (w, x, y, z), in v three components of the
/// angular velocity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RotationInfo {
    /// Its name.
    pub name: &'static str,
    /// Greek letters spelled out.
    pub ascii: &'static str,
    /// The doc comment of the declaration.
    pub doc: &'static str,
    /// The axes of the angular velocity.
    pub frame: Frame,
}

/// A function of generated code, and what one evaluation of it costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelInfo {
    /// Its name: `dynamics`, `mass_matrix`.
    pub name: &'static str,
    /// The number of its operations.
    pub operations: usize,
    /// The same by kind: `9 operations (3 add, 4 mul, 1 div, 1 sincos)`.
    pub counts: &'static str,
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
    /// Coordinates, n of them: the first entries of q.
    pub coordinates: &'static [NameInfo],
    /// The coordinates, by their indices in rising order, that the system knows as angles alone: every
    /// function of a run has the same value at φ + 2π, and no event sets φ. Runs turn them back by whole
    /// turns while they compute, so that sin φ keeps its digits; what they report goes on.
    pub angles: &'static [usize],
    /// The speeds v, m of them, such as `ẋ`, `u`, `ω_1`; empty where q̇ = v.
    pub velocities: &'static [NameInfo],
    /// Rotations; each adds four entries to q and three to v, after those of the coordinates.
    pub rotations: &'static [RotationInfo],
    /// Parameters, in the order of declaration.
    pub parameters: &'static [ParameterInfo],
    /// Inputs u (controls).
    pub inputs: &'static [NameInfo],
    /// Functions that are given at run time.
    pub functions: &'static [FunctionInfo],
    /// Rows of A, k of them; see [`RowInfo`] for their order.
    pub rows: &'static [RowInfo],
    /// Components of vector rows that are 0 = 0, such as `roll[3]`: they are no rows of A.
    pub empty_rows: &'static [&'static str],
    /// Whether the energy is stated as one Lagrangian, not as T and V; see [`total_energy`](crate::total_energy).
    pub has_lagrangian: bool,
    /// Terms of dry friction: points first, then integrals.
    pub frictions: &'static [FrictionInfo],
    /// The lines that do work; see [`System::powers`](crate::System::powers).
    pub powers: &'static [PowerInfo],
    /// Contacts.
    pub contacts: &'static [ContactInfo],
    /// Declared events.
    pub events: &'static [EventInfo],
    /// Scenarios; the first is the default of a run.
    pub scenarios: &'static [ScenarioInfo],
    /// Declared outputs.
    pub outputs: &'static [NameInfo],
    /// What claims say of whole motions.
    pub sentences: &'static [SentenceInfo],
    /// Claims and errata.
    pub claims: &'static [ClaimInfo],
    /// The kernels that compute something, with their operations.
    pub kernels: &'static [KernelInfo],
    /// The derived equations, as text.
    pub equations: Text,
    /// The declaration, as tokens that can be parsed again.
    pub source: &'static str,
}

records! {
    NameInfo { name, ascii, doc }
    ParameterInfo { name, ascii, doc, default, bound }
    FunctionInfo { name, ascii, doc, arguments, default }
    RowInfo { name, ascii, doc, kind, bears }
    FrictionInfo { name, components, kind, weighted, bears, varies }
    PowerInfo { name, kind }
    ContactInfo { name, ascii, doc, law, impacts, rows, releases, when, extents, relabels, bears }
    EventInfo { name, ascii, doc, direction, resets, gap }
    GapGuard { contact, rises }
    ScenarioInfo { name, doc, solve }
    ClaimInfo {
        name, equation, doc, kind, closed, when, printed, corrected, difference, defines, place, tex, printed_tex,
        corrected_tex, notation, reading,
    }
    SentenceInfo {
        name, equation, doc, scenario, settings, quantity, subject, index, part, comparison, printed,
    }
    RotationInfo { name, ascii, doc, frame }
    KernelInfo { name, operations, counts }
    SystemInfo {
        name, doc, document, coordinates, angles, velocities, rotations, parameters, inputs, functions, rows,
        empty_rows, has_lagrangian, frictions, powers, contacts, events, scenarios, outputs, sentences, claims, kernels, equations,
        source,
    }
}

variants! {
    RowKind { Velocity, Holonomic or Chetaev }
    PowerKind { Force, Input, Dissipation or Time }
    FrictionKind { Slip, Roll, Spin, Row or Dissipation }
    Impacts { Joint, Sequential or Tangential }
    Direction { Falling, Rising or Both }
    ClaimKind { Claim or Erratum }
    Quantity {
        Eigenvalues, Critical, Frequency, Multipliers, Period, Lyapunov, Stops, Value, Returns or Possible
    }
    Part { Whole, Real, Imaginary or Size }
    Comparison { Less, LessEqual, Greater, GreaterEqual or Equal }
    Frame { Body or Space }
}

impl FromDescribed for Unknown {
    const EMPTY: Self = Self::Coordinate(0);

    fn made(from: impl Described) -> Self {
        let index = from.number();
        if from.text() == "Coordinate" { Self::Coordinate(index) } else { Self::Velocity(index) }
    }
}

impl NameInfo {
    /// One that is ASCII already, without a documentation.
    pub const fn new(name: &'static str) -> Self {
        Self { name, ascii: name, doc: "" }
    }
}

impl ContactInfo {
    /// A contact with this law and nothing besides; the name is ASCII.
    pub const fn new(name: &'static str, law: &'static str) -> Self {
        Self { name, ascii: name, law, ..<Self as FromDescribed>::EMPTY }
    }
}

impl SystemInfo {
    /// A system of which nothing is said: `SystemInfo { name: "Ball", …, ..SystemInfo::EMPTY }` is a
    /// hand-written one.
    pub const EMPTY: Self = <Self as FromDescribed>::EMPTY;

    /// Of more names than this a message lists the few below.
    #[doc(hidden)]
    pub const LISTED_MAX: usize = 60;
    #[doc(hidden)]
    pub const LISTED_FEW: usize = 12;

    /// nq, the length of q: coordinates, then four components of each rotation.
    pub const fn positions(&self) -> usize {
        self.coordinates.len() + QUATERNION * self.rotations.len()
    }

    /// m, the length of v.
    pub const fn speeds(&self) -> usize {
        if self.velocities.is_empty() { self.coordinates.len() } else { self.velocities.len() }
    }

    /// Whether q̇ = v.
    pub const fn is_plain(&self) -> bool {
        self.velocities.is_empty()
    }

    /// The name of an entry of q: `x`, `R_w`.
    pub fn position_name(&self, index: usize) -> String {
        self.position(index, |coordinate| coordinate.name, |rotation| rotation.name)
    }

    /// The ASCII name of an entry of q.
    pub fn position_ascii(&self, index: usize) -> String {
        self.position(index, |coordinate| coordinate.ascii, |rotation| rotation.ascii)
    }

    fn position(
        &self,
        index: usize,
        coordinate: fn(&NameInfo) -> &'static str,
        rotation: fn(&RotationInfo) -> &'static str,
    ) -> String {
        if let Some(found) = self.coordinates.get(index) {
            return coordinate(found).to_owned();
        }
        let component = index - self.coordinates.len();
        let name = self.rotations.get(component / QUATERNION).map_or("", rotation);
        format!("{name}_{}", ["w", "x", "y", "z"][component % QUATERNION])
    }

    /// What messages call an entry of v: `u`, or `velocity of x` where q̇ = v.
    pub fn speed_name(&self, index: usize) -> String {
        match (self.velocities.get(index), self.coordinates.get(index)) {
            (Some(speed), _) => speed.name.to_owned(),
            (None, Some(coordinate)) => format!("velocity of {}", coordinate.name),
            (None, None) => String::new(),
        }
    }

    /// The number of holonomic rows; they are the last rows of A.
    pub fn holonomic_count(&self) -> usize {
        self.rows.iter().filter(|row| row.kind == RowKind::Holonomic).count()
    }

    /// Whether M depends on the velocities, as that of a general Lagrangian may.
    pub fn has_mass_at_velocities(&self) -> bool {
        self.kernels.iter().any(|kernel| kernel.name == "mass_matrix_at")
    }

    /// Whether a row is not affine in the velocities, so that A and b depend on them.
    pub fn has_nonlinear_rows(&self) -> bool {
        self.rows.iter().any(|row| row.kind == RowKind::Chetaev)
    }
}
