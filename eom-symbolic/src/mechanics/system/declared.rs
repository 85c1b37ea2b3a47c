//! What a declaration declares, item by item, with every name resolved and every expression built.

use crate::name;
use crate::node::{ExprId, Partial, SymbolId};
use crate::pool::ExprPool;

/// A declared name with its documentation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Named {
    /// As declared, NFC: `φ`.
    pub name: String,
    /// The one key of all its spellings: `phi`.
    pub key: String,
    /// The doc comment.
    pub doc: String,
}

/// A coordinate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coordinate {
    /// Name and documentation.
    pub named: Named,
    /// q
    pub position: SymbolId,
}

/// An entry of v: the velocity of a coordinate, a quasi-velocity, or a component of an angular
/// velocity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Speed {
    /// The name by which it is an index: that of its coordinate, `x`, or its own, `u`.
    pub named: Named,
    /// The dots of the velocity on that name: 1 for a coordinate, else 0.
    pub dots: u8,
    /// ẋ or u
    pub velocity: SymbolId,
    /// ẍ or u̇
    pub acceleration: SymbolId,
}

impl Speed {
    /// The velocity's name: `ẋ`, `u`.
    pub fn name(&self) -> String {
        name::dotted(&self.named.name, self.dots)
    }

    /// Its name in ASCII: `x_dot`, `u`.
    pub fn ascii(&self) -> String {
        name::ascii_dotted(&self.named.key, self.dots)
    }
}

/// The axes of the components of an angular velocity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// Fixed to the body.
    Body,
    /// Fixed in space.
    Space,
}

/// A rotation, body → space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rotation {
    /// Name and documentation.
    pub named: Named,
    /// The axes of its angular velocity.
    pub frame: Frame,
    /// The unit quaternion (w, x, y, z).
    pub quaternion: [SymbolId; 4],
    /// The index of w in q.
    pub position: usize,
    /// The index of its first speed.
    pub speed: usize,
}

/// A comparison of two expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// <
    Less,
    /// ≤
    LessEqual,
    /// >
    Greater,
    /// ≥
    GreaterEqual,
}

impl Relation {
    /// Whether `a` stands in this relation to `b`; false for NaN.
    pub fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Self::Less => a < b,
            Self::LessEqual => a <= b,
            Self::Greater => a > b,
            Self::GreaterEqual => a >= b,
        }
    }

    /// What is positive where `a` stands in this relation to `b`, and zero where they are equal.
    pub fn excess(self, pool: &mut ExprPool, a: ExprId, b: ExprId) -> ExprId {
        match self {
            Self::Less | Self::LessEqual => pool.sub(b, a),
            Self::Greater | Self::GreaterEqual => pool.sub(a, b),
        }
    }
}

/// A bound on parameters: `left relation right`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// Left side.
    pub left: ExprId,
    /// How the sides compare.
    pub relation: Relation,
    /// Right side.
    pub right: ExprId,
}

/// A parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Name and documentation.
    pub named: Named,
    /// Its symbol.
    pub symbol: SymbolId,
    /// The default, in earlier parameters.
    pub default: Option<ExprId>,
    /// The default as written, empty without one.
    pub default_text: String,
    /// Its bounds.
    pub bounds: Vec<Bound>,
    /// The bounds as written, joined by `, `.
    pub bound_text: String,
}

/// An input (control).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Name and documentation.
    pub named: Named,
    /// Its symbol.
    pub symbol: SymbolId,
}

/// A declared function: a smooth function of its arguments, unspecified in claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmoothFunction {
    /// Name and documentation.
    pub named: Named,
    /// The function itself; its arguments are in the pool's [`Signature`](crate::Signature).
    pub partial: Partial,
    /// What it is where no other is given at run time, in its arguments and parameters.
    pub default: Option<ExprId>,
    /// The default as written, empty without one.
    pub default_text: String,
}

/// A `let`: a name that the printer puts back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Let {
    /// Name and documentation.
    pub named: Named,
    /// Its value, other `let`s written out.
    pub value: ExprId,
}

/// A norm ‖w‖ = √(Σ wᵢ²) of the declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Norm {
    /// The power (Σ wᵢ²)^(1/2).
    pub value: ExprId,
    /// w.
    pub components: Vec<ExprId>,
}

/// A line of the declaration that does work, for its part of the energy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The coordinate or speed of a `force`, a term of the dissipation as written.
    pub name: String,
    /// What it is.
    pub kind: LineKind,
}

/// What a [`Line`] is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineKind {
    /// A `force`: its part of Q at each speed that it drives.
    Force(Vec<(usize, ExprId)>),
    /// A term of D.
    Dissipation(ExprId),
}

/// What a constraint row was declared as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// A 1-form or an equation of velocities.
    Velocity,
    /// φ(t,q) = 0; the row is its differential.
    Holonomic {
        /// φ.
        residual: ExprId,
    },
    /// φ(t,q,v) = 0, not affine in v, by Chetaev's rule: A = ∂φ/∂v and b = φ − A v depend on v. Then
    /// φ̇ = A v̇ + D A·v + D b at frozen velocities, as for the others, and the reaction is Aᵀλ.
    Chetaev,
}

/// A constraint row A v + b = 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Name and documentation.
    pub named: Named,
    /// As declared.
    pub kind: RowKind,
    /// A, one entry a speed.
    pub coefficients: Vec<ExprId>,
    /// b.
    pub affine: ExprId,
    /// A v + b as it is declared, by velocities or differentials; of a holonomic row φ.
    pub declared: ExprId,
}

impl Row {
    pub(in crate::mechanics) fn for_expressions(&mut self, visit: &mut impl FnMut(&mut ExprId)) {
        let Self { kind, coefficients, affine, declared, named: _ } = self;
        coefficients.iter_mut().chain([affine, declared]).for_each(&mut *visit);
        if let RowKind::Holonomic { residual } = kind {
            visit(residual);
        }
    }
}

/// In which direction a guard fires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Through 0 from above.
    Falling,
    /// Through 0 from below.
    Rising,
    /// Either way.
    Both,
}

/// One assignment of a reset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reset {
    /// The coordinate or velocity that is set.
    pub target: Unknown,
    /// Its value, in those from before.
    pub value: ExprId,
}

/// A declared event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Name and documentation.
    pub named: Named,
    /// The guard, of t, q, v, inputs.
    pub guard: ExprId,
    /// When it fires.
    pub direction: Direction,
    /// What it sets; empty where it only records.
    pub resets: Vec<Reset>,
    /// The gap that the guard is, where it is one.
    pub gap: Option<GapGuard>,
}

/// A guard that is a number times the gap of a contact without conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GapGuard {
    /// The index of the contact.
    pub contact: usize,
    /// Whether the number is negative: the guard rises where the gap falls.
    pub rises: bool,
}

/// An entry of q or of v.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// A coordinate, by its index.
    Coordinate(usize),
    /// A speed, by its index.
    Velocity(usize),
}

/// An initial state and an end, as expressions of parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// Name and documentation.
    pub named: Named,
    /// Initial time.
    pub time: ExprId,
    /// Coordinates and quaternions, nq.
    pub position: Vec<ExprId>,
    /// Speeds, m.
    pub velocity: Vec<ExprId>,
    /// Constant inputs.
    pub inputs: Vec<ExprId>,
    /// What the constraints determine.
    pub solve: Vec<Unknown>,
    /// End time.
    pub until_time: Option<ExprId>,
    /// Number of impacts after which the run ends.
    pub until_impacts: Option<usize>,
    /// Number of events after which it ends.
    pub until_events: Option<EventCount>,
}

/// A number of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventCount {
    /// The declared event that is counted, by its index; without one impacts and all declared events are.
    pub event: Option<usize>,
    /// How many.
    pub count: usize,
}

/// A declared output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Name and documentation.
    pub named: Named,
    /// Its value, of t, q, v, inputs.
    pub value: ExprId,
}
