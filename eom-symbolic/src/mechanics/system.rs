//! `SystemModel`: a declaration with every name resolved and every expression built. No spans: a
//! mistake found later is reported by index and placed by who holds the tokens.

use super::contact::{Contact, Law};
use super::kinematics::Kinematics;
use super::start::Start;
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
    fn for_expressions(&mut self, visit: &mut impl FnMut(&mut ExprId)) {
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
}

/// A declared output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Name and documentation.
    pub named: Named,
    /// Its value, of t, q, v, inputs.
    pub value: ExprId,
}

/// What a claim states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// Residuals that vanish at every state on the constraints (an equation of vectors has one a
    /// component); at a contact, for every velocity before the impact.
    Residuals(Vec<ExprId>),
    /// A motion t ↦ q(t) that satisfies constraints and equations of motion; one value a
    /// coordinate, in t and the motion's own constants.
    Motion(Vec<ExprId>),
}

/// An equation that holds where a claim is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// What vanishes, one residual a component.
    pub residuals: Vec<ExprId>,
    /// As written.
    pub text: String,
}

/// A claim, or an erratum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Name and documentation.
    pub named: Named,
    /// What is stated.
    pub statement: Statement,
    /// The contacts that are closed, in rising order: the claim is one of
    /// [`with_closed`](super::closed::with_closed).
    pub closed: Vec<usize>,
    /// The contact and the law under which velocities after the impact are taken.
    pub at: Option<(usize, Law)>,
    /// What holds besides the constraints.
    pub when: Vec<Condition>,
    /// As written.
    pub text: String,
    /// For an erratum, the corrected statement and its text: the claim itself must not follow.
    pub corrected: Option<(Statement, String)>,
    /// For an erratum, what the printed residual has beyond the corrected one, as text; written
    /// when the claim is decided.
    pub difference: String,
}

/// A declaration, resolved.
#[derive(Debug, Clone)]
pub struct SystemModel {
    /// The arena of all its expressions.
    pub pool: ExprPool,
    /// Name of the type and documentation.
    pub named: Named,
    /// The document that claims refer to.
    pub document: String,
    /// Time.
    pub time: SymbolId,
    /// Coordinates, the first entries of q.
    pub coordinates: Vec<Coordinate>,
    /// Speeds v.
    pub speeds: Vec<Speed>,
    /// Rotations: each has four entries of q and three of v, behind those of the coordinates.
    pub rotations: Vec<Rotation>,
    /// q̇ = S v; `None` where q̇ = v.
    pub kinematics: Option<Kinematics>,
    /// Parameters.
    pub parameters: Vec<Parameter>,
    /// Inputs.
    pub inputs: Vec<Input>,
    /// Declared functions.
    pub functions: Vec<SmoothFunction>,
    /// `let` names.
    pub lets: Vec<Let>,
    /// T(t,q,v); `None` where a general Lagrangian was declared.
    pub kinetic: Option<ExprId>,
    /// V(t,q); `None` where a general Lagrangian was declared.
    pub potential: Option<ExprId>,
    /// L = T − V, or the declared Lagrangian.
    pub lagrangian: ExprId,
    /// D(t,q,v), 0 without one.
    pub dissipation: ExprId,
    /// The norms that the declaration writes as `norm(w)`, each with its components.
    pub norms: Vec<Norm>,
    /// Applied generalized forces Q, one a speed.
    pub forces: Vec<ExprId>,
    /// The lines that Q and D are sums of.
    pub lines: Vec<Line>,
    /// Constraint rows: those on velocities first, then the holonomic ones.
    pub rows: Vec<Row>,
    /// Components of vector rows that are 0 = 0, by name (`roll[3]`): they are no rows.
    pub empty_rows: Vec<String>,
    /// The speeds in which the reduced equations are, where the declaration chooses them: their indices.
    pub free: Vec<usize>,
    /// Contacts.
    pub contacts: Vec<Contact>,
    /// Events.
    pub events: Vec<Event>,
    /// Scenarios.
    pub scenarios: Vec<Scenario>,
    /// Outputs.
    pub outputs: Vec<Output>,
    /// Claims and errata. They may hold symbols of every [`SymbolKind`](crate::SymbolKind).
    pub claims: Vec<Claim>,
}

impl SystemModel {
    /// Visits every expression that a claim is decided with: all but motions, and what only a run
    /// needs (defaults, events, scenarios, outputs). A new field is listed here, or declared
    /// functions in it have no value where claims are decided.
    pub(crate) fn for_expressions(&mut self, visit: &mut impl FnMut(&mut ExprId)) {
        // Without `..`, so that a field cannot be forgotten.
        let Self {
            pool: _,
            named: _,
            document: _,
            time: _,
            coordinates: _,
            speeds: _,
            rotations: _,
            kinematics,
            parameters: _,
            inputs: _,
            functions: _,
            lets,
            kinetic,
            potential,
            lagrangian,
            dissipation,
            norms,
            forces,
            lines: _,
            rows,
            empty_rows: _,
            free: _,
            contacts,
            events: _,
            scenarios: _,
            outputs: _,
            claims,
        } = self;
        [lagrangian, dissipation].into_iter().chain(kinetic).chain(potential).for_each(&mut *visit);
        if let Some(kinematics) = kinematics {
            kinematics.for_expressions(visit);
        }
        lets.iter_mut().map(|declared| &mut declared.value).for_each(&mut *visit);
        forces.iter_mut().for_each(&mut *visit);
        for row in rows.iter_mut() {
            row.for_expressions(visit);
        }
        for Contact {
            gap,
            dissipation,
            rows,
            assigned,
            named: _,
            law: _,
            law_text: _,
            impacts: _,
            when: _,
            when_text: _,
            releases: _,
            relabel: _,
        } in contacts
        {
            let assigned = assigned.iter_mut().map(|(_, value)| value);
            [gap, dissipation].into_iter().chain(assigned).for_each(&mut *visit);
            for row in rows.iter_mut() {
                row.for_expressions(visit);
            }
        }
        for Norm { value, components } in norms {
            components.iter_mut().chain([value]).for_each(&mut *visit);
        }
        for Claim { statement, when, corrected, .. } in claims {
            for Condition { residuals, text: _ } in when {
                residuals.iter_mut().for_each(&mut *visit);
            }
            let corrected = corrected.as_mut().map(|(statement, _)| statement);
            for statement in [statement].into_iter().chain(corrected) {
                if let Statement::Residuals(residuals) = statement {
                    residuals.iter_mut().for_each(&mut *visit);
                }
            }
        }
    }

    /// The start of the first scenario, or all zeros where there is none.
    pub(super) fn start(&self) -> Start {
        let mut start = Start::default();
        for parameter in &self.parameters {
            if let Some(default) = parameter.default {
                let value = start.value(&self.pool, default);
                start.insert(parameter.symbol, value);
            }
        }
        let scenario = self.scenarios.first();
        let time = scenario.map_or(0.0, |scenario| start.value(&self.pool, scenario.time));
        start.insert(self.time, time);
        let places = [self.positions(), self.velocities()];
        let given = scenario.map(|scenario| [&scenario.position, &scenario.velocity]);
        for (at, symbols) in places.iter().enumerate() {
            for (i, symbol) in symbols.iter().enumerate() {
                let value = given.and_then(|given| given[at].get(i).copied());
                let value = value.map_or(0.0, |value| start.value(&self.pool, value));
                start.insert(*symbol, value);
            }
        }
        if scenario.is_none() {
            self.rotations.iter().for_each(|rotation| start.insert(rotation.quaternion[0], 1.0));
        }
        start
    }

    /// The keys of all names of the declaration.
    pub fn keys(&self) -> Vec<String> {
        let declared = self.coordinates.iter().map(|c| &c.named);
        let declared = declared
            .chain(self.speeds.iter().map(|s| &s.named))
            .chain(self.rotations.iter().map(|r| &r.named))
            .chain(self.parameters.iter().map(|p| &p.named))
            .chain(self.inputs.iter().map(|i| &i.named))
            .chain(self.lets.iter().map(|l| &l.named))
            .chain(self.functions.iter().map(|f| &f.named))
            .chain(self.rows.iter().map(|r| &r.named))
            .chain(self.contacts.iter().map(|c| &c.named))
            .chain(self.events.iter().map(|e| &e.named))
            .chain(self.scenarios.iter().map(|s| &s.named))
            .chain(self.outputs.iter().map(|o| &o.named));
        declared.map(|named| named.key.clone()).collect()
    }

    /// The symbols of q, nq of them: coordinates, then the quaternions.
    pub fn positions(&self) -> Vec<SymbolId> {
        let quaternions = self.rotations.iter().flat_map(|r| r.quaternion);
        self.coordinates.iter().map(|c| c.position).chain(quaternions).collect()
    }

    /// The symbols of v, m of them.
    pub fn velocities(&self) -> Vec<SymbolId> {
        self.speeds.iter().map(|speed| speed.velocity).collect()
    }

    /// q̇ = S v, nq.
    pub fn rates(&mut self) -> Vec<ExprId> {
        match &self.kinematics {
            Some(kinematics) => kinematics.rates.clone(),
            None => self.velocities().into_iter().map(|v| self.pool.symbol_expr(v)).collect(),
        }
    }

    /// ṫ = 1, q̇ = S v.
    pub fn time_seeds(&mut self) -> Vec<(SymbolId, ExprId)> {
        let rates = self.rates();
        let moving = self.positions().into_iter().zip(rates);
        [(self.time, ExprPool::ONE)].into_iter().chain(moving).collect()
    }

    /// The direction of total time derivatives of functions of (t, q).
    pub fn time_direction(&mut self) -> crate::diff::Tangent {
        crate::diff::Tangent::new(self.time_seeds())
    }

    /// The direction of total time derivatives of functions of (t, q, v), accelerations as
    /// symbols.
    pub fn time_direction_with_accelerations(&mut self) -> crate::diff::Tangent {
        let mut seeds = self.time_seeds();
        for speed in &self.speeds {
            seeds.push((speed.velocity, self.pool.symbol_expr(speed.acceleration)));
        }
        crate::diff::Tangent::new(seeds)
    }

    /// Derivatives along q as derivatives along the speeds: X_j = Σ S_ij ∂_i.
    pub fn along_speeds(&mut self, slopes: Vec<ExprId>) -> Vec<ExprId> {
        match &self.kinematics {
            Some(kinematics) => kinematics.contract(&mut self.pool, &slopes),
            None => slopes,
        }
    }
}
