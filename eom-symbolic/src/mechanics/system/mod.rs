//! `SystemModel`: a declaration with every name resolved and every expression built. No spans: a
//! mistake found later is reported by index and placed by who holds the tokens.

pub(super) mod angles;
pub(super) mod contact;
pub mod declared;
mod gap_guard;
pub mod kinematics;
pub(super) mod start;

use self::contact::{ClosedContact, Contact, ContactFriction, ImpactOf, Resisted, RowFriction};
use self::declared::{
    Coordinate, Event, Input, Let, Line, Named, Norm, Output, Parameter, Rotation, Row, RowKind,
    Scenario, SmoothFunction, Speed,
};
use self::kinematics::Kinematics;
use self::start::Start;
use super::claim::sentence::Sentence;
use super::drawing::Drawing;
use crate::node::{ExprId, SymbolId, SymbolKind};
use crate::pool::ExprPool;

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

/// The print from which a claim was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Print {
    /// The display, in LaTeX.
    pub whole: String,
    /// The part of it that the claim is.
    pub printed: String,
    /// What that should read, of an erratum.
    pub corrected: String,
    /// What its symbols were taken for.
    pub notation: Vec<String>,
    /// Those of them that are not what the document says.
    pub readings: Vec<String>,
}

/// A claim, or an erratum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Name and documentation.
    pub named: Named,
    /// What is stated.
    pub statement: Statement,
    /// The contacts that are closed, in rising order: the claim is one of
    /// [`with_closed`](super::claim::closed::with_closed).
    pub closed: Vec<ClosedContact>,
    /// The contact and the law under which velocities after the impact are taken.
    pub at: Option<(usize, ImpactOf)>,
    /// What holds besides the constraints.
    pub when: Vec<Condition>,
    /// As written.
    pub text: String,
    /// For an erratum, the corrected statement and its text: the claim itself must not follow.
    pub corrected: Option<(Statement, String)>,
    /// Whether both sides are the same by declaration, so that it says what a name stands for.
    pub defines: bool,
    /// The place as written: ` at floor under plastic`.
    pub place: String,
    /// The print from which it was read.
    pub print: Option<Print>,
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
    /// The friction of rows, in the order in which it is declared.
    pub row_frictions: Vec<RowFriction>,
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
    /// What claims say of whole motions.
    pub sentences: Vec<Sentence>,
    /// Outputs.
    pub outputs: Vec<Output>,
    /// What is drawn; resolved last, `None` before.
    pub drawing: Option<Drawing>,
    /// Claims and errata. They may hold symbols of every [`SymbolKind`].
    pub claims: Vec<Claim>,
}

impl SystemModel {
    /// The values of the parameters that have a default; it may use earlier ones.
    pub fn defaults(&self) -> Vec<Option<f64>> {
        let mut values: Vec<Option<f64>> = Vec::new();
        for parameter in &self.parameters {
            let value = parameter
                .default
                .map(|e| self.pool.evaluate(&[e], |symbol| self.default_of(symbol, &values))[0]);
            values.push(value);
        }
        values
    }

    /// The value of a constant or of a parameter among these; of all else there is none.
    pub fn default_of(&self, symbol: SymbolId, values: &[Option<f64>]) -> f64 {
        match self.pool.symbol_info(symbol).kind {
            SymbolKind::Pi => std::f64::consts::PI,
            SymbolKind::Parameter(index) => {
                values.get(index).copied().flatten().unwrap_or(f64::NAN)
            }
            _ => f64::NAN,
        }
    }

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
            row_frictions,
            empty_rows: _,
            free: _,
            contacts,
            events: _,
            scenarios: _,
            sentences: _,
            outputs: _,
            drawing: _,
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
        for RowFriction { friction, name: _, row: _, count: _ } in row_frictions {
            friction.expressions_mut().for_each(&mut *visit);
        }
        for Contact {
            gap,
            dissipation,
            borne,
            frictions,
            restitution: _,
            rows,
            assigned,
            named: _,
            law: _,
            law_text: _,
            impacts: _,
            when: _,
            when_text: _,
            extents: _,
            releases: _,
            relabel: _,
        } in contacts
        {
            let assigned = assigned.iter_mut().map(|(_, value)| value);
            [gap, dissipation].into_iter().chain(borne).chain(assigned).for_each(&mut *visit);
            let frictions = frictions.iter_mut().flat_map(ContactFriction::expressions_mut);
            frictions.for_each(&mut *visit);
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

    /// The first row that is not affine in the velocities.
    pub fn chetaev_row(&self) -> Option<usize> {
        self.rows.iter().position(|row| row.kind == RowKind::Chetaev)
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

    /// Where a force stands among those of a mode: λ of the rows, the normal forces of the contacts, of each of them
    /// the components of friction, rolling and spinning resistance, and those of the friction of the rows that have it.
    pub fn force_place(&self, kind: SymbolKind) -> Option<usize> {
        let (rows, contacts) = (self.rows.len(), self.contacts.len());
        match kind {
            SymbolKind::Multiplier(row) => Some(row),
            SymbolKind::ContactForce(contact) => Some(rows + contact),
            SymbolKind::ContactFriction(contact, i) => {
                Some(rows + contacts + Resisted::PLACES * contact + i)
            }
            SymbolKind::RowFriction(row, i) => {
                let place = self.row_frictions.iter().position(|friction| friction.row == row)?;
                let before = components(&self.row_frictions[..place]);
                Some(rows + (1 + Resisted::PLACES) * contacts + before + i)
            }
            _ => None,
        }
    }

    /// The name of the vector of rows with friction whose first is this one; that of the row itself where there is none.
    pub fn name_of_rough(&self, row: usize) -> &str {
        let found = self.row_frictions.iter().find(|friction| friction.row == row);
        found.map_or(&self.rows[row].named.name, |friction| &friction.name)
    }

    /// How many forces a mode has.
    pub fn forces_of_mode(&self) -> usize {
        let of_contacts = (1 + Resisted::PLACES) * self.contacts.len();
        self.rows.len() + of_contacts + components(&self.row_frictions)
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

/// The components of all these.
fn components(frictions: &[RowFriction]) -> usize {
    frictions.iter().map(|row| row.friction.slip.len()).sum()
}
