//! The programs of a system: one for each function that generated code has.

use super::Program;
use super::dynamics::solve::{Kkt, Method, dot, solve};
use super::dynamics::{DYNAMICS_STATEMENTS_MAX, Dynamics, Passes, dynamics, mass_product};
use super::functions::{FunctionProgram, function_programs};
use super::lower::Lowering;
use super::passes::hoist::Prepared;
use super::series::{Motion, Series};
use crate::mechanics::{ContactEquations, DryFriction, EquationsOfMotion, SystemModel};
use crate::node::ExprId;
use crate::pool::ExprPool;

/// A series of more statements than this, order 0 and recurrence together, is not made: such systems
/// have none. rustc nests a scope for each.
pub const SERIES_STATEMENTS_MAX: usize = 3000;

/// The programs of a system. Inputs are symbols of the model's pool.
#[derive(Debug, Clone)]
pub struct SystemPrograms {
    /// Accelerations (m) and multipliers (k), or, where `dynamics_solved` is false, what the
    /// solve needs: the lower triangle of M by rows, A by rows, R by rows where it is not A,
    /// F₀ − h, γ.
    pub dynamics: Program,
    /// Whether `dynamics` holds the unrolled solve.
    pub dynamics_solved: bool,
    /// The operations of `dynamics` after each pass.
    pub passes: Passes,
    /// `dynamics` without dry friction; nothing where there is none.
    pub frictionless: Program,
    /// Both with what depends on parameters only computed before.
    pub prepared: Prepared,
    /// For the terms c‖w‖ of the dissipation function all c, all w, all J by rows, all γ.
    pub frictions: Program,
    /// D₁, −∂D₁/∂v.
    pub dry_friction: Program,
    /// q̇ = S v (nq); empty where q̇ = v.
    pub rates: Program,
    /// M, lower triangle by rows; empty where it has no entries, and where it depends on v.
    pub mass_matrix: Program,
    /// The same at v, where M depends on v, as that of a general Lagrangian may; else empty.
    pub mass_matrix_at: Program,
    /// M v, of which the columns of M are those at unit v; empty where M has entries.
    pub mass_product: Program,
    /// A by rows, then b; empty where they depend on v.
    pub constraint_rows: Program,
    /// The same at v, where a row is not affine in the velocities; else empty.
    pub constraint_rows_at: Program,
    /// φ.
    pub holonomic: Program,
    /// T, V, v·∂L/∂v − L.
    pub energy: Program,
    /// P₀ of every power, then, where forces hold multipliers, all Pⱼ by rows.
    pub powers: Program,
    /// g.
    pub gaps: Program,
    /// ∇g by rows, then ∂g/∂t.
    pub gap_rows: Program,
    /// −∂D/∂v of each contact by rows; without outputs where no contact has a dissipation.
    pub contact_forces: Program,
    /// ∂Q/∂λ of each contact by rows, and of what else forces hold; without outputs where no force acts with a normal force or a
    /// friction.
    pub borne_forces: Program,
    /// d/dt(∇g)·v + d/dt(∂g/∂t).
    pub gap_drift: Program,
    /// For each contact that struck alone keeps all of A, without rows of its own: ∇g, ∂g/∂t, then w
    /// with M w = ∇gᵀ + Aᵀλ and A w = 0, then ∇g·w. Its impact is v⁺ = v⁻ − (1 + e) ġ⁻ w/(∇g·w).
    pub strikes: Vec<Program>,
    /// For each contact its own rows, then their affine parts.
    pub contact_rows: Vec<Program>,
    /// For each contact γ of its own rows.
    pub contact_drifts: Vec<Program>,
    /// For each contact the two sides of each of its conditions.
    pub contact_conditions: Vec<Program>,
    /// The extents of all contacts, one after another.
    pub extents: Program,
    /// For each contact the velocities that its law assigns.
    pub contact_assignments: Vec<Program>,
    /// Guards.
    pub guards: Program,
    /// For each event the values its reset assigns.
    pub resets: Vec<Program>,
    /// Outputs.
    pub outputs: Program,
    /// v̇, λ, then ∂v̇/∂(q, v, u) and ∂λ/∂(q, v, u), each by rows; empty unless asked for, see
    /// [`SystemPrograms::with_derivatives`], as are those that follow.
    pub derivatives: Program,
    /// ∂v̇/∂p and ∂λ/∂p by rows; empty, as is the regressor, where the default of a declared function holds parameters.
    pub parameter_derivatives: Program,
    /// The gradient of μ·(v̇, λ) by (q, v, u), then its derivative by these along a direction.
    pub hessian_product: Program,
    /// M v̇ + h − F₀.
    pub inverse_dynamics: Program,
    /// Its derivatives by p, by rows.
    pub regressor: Program,
    /// C by rows, with C v the part of h that is quadratic in v and Ṁ − 2 C skew; empty where M depends on v, too.
    pub coriolis_matrix: Program,
    /// The series of the motion, along which gaps and guards are observed; none where the solve is
    /// left to loops, where a value has no series, or where it would be too long.
    pub series: Option<Series>,
    /// What these, and the scenarios, ask of the declared functions.
    pub functions: Vec<FunctionProgram>,
}

impl SystemPrograms {
    /// Lowers the functions of a system.
    pub fn new(model: &SystemModel, equations: &EquationsOfMotion) -> Self {
        let unrolled = is_unrolled(model, equations);
        let Dynamics { program: plain, mut passes, solved: dynamics_solved } =
            dynamics("dynamics", model, equations, &equations.force, unrolled);
        let dynamics = plain.clone().fused(&model.pool);
        passes.fused = dynamics.op_counts();
        let frictionless = frictionless(model, equations, unrolled).fused(&model.pool);
        let mut programs = Self {
            prepared: Prepared::new(&dynamics, &frictionless, &model.pool),
            dynamics,
            dynamics_solved,
            passes,
            frictionless,
            frictions: frictions(model, equations),
            dry_friction: dry_friction(model, equations),
            rates: rates(model),
            mass_matrix: mass_matrix(model, equations, false),
            mass_matrix_at: mass_matrix(model, equations, true),
            mass_product: mass_product(model, equations),
            constraint_rows: constraint_rows(model, equations, false),
            constraint_rows_at: constraint_rows(model, equations, true),
            holonomic: named(model, "holonomic", "φ", equations.holonomic.iter().copied()),
            energy: outputs(
                model,
                "energy",
                [
                    ("kinetic".to_owned(), equations.kinetic),
                    ("potential".to_owned(), equations.potential),
                    ("jacobi".to_owned(), equations.jacobi),
                ],
            ),
            powers: powers(model, equations),
            gaps: outputs(
                model,
                "gaps",
                model.contacts.iter().map(|c| (c.named.name.clone(), c.gap)),
            ),
            gap_rows: gap_rows(model, equations),
            contact_forces: contact_forces(model, equations),
            borne_forces: borne_forces(model, equations),
            gap_drift: named(model, "gap_drift", "γ", equations.contacts.iter().map(|c| c.drift)),
            strikes: strikes(model, equations, unrolled),
            contact_rows: contact_rows(model, equations),
            contact_drifts: contact_drifts(model, equations),
            contact_conditions: contact_conditions(model),
            extents: named(
                model,
                "extents",
                "extent",
                model.contacts.iter().flat_map(|contact| contact.extents.iter().copied()),
            ),
            contact_assignments: contact_assignments(model),
            guards: outputs(
                model,
                "guards",
                model.events.iter().map(|e| (e.named.name.clone(), e.guard)),
            ),
            resets: resets(model),
            outputs: outputs(
                model,
                "outputs",
                model.outputs.iter().map(|o| (o.named.name.clone(), o.value)),
            ),
            derivatives: outputs(model, "derivatives", []),
            parameter_derivatives: outputs(model, "parameter_derivatives", []),
            hessian_product: outputs(model, "hessian_product", []),
            inverse_dynamics: outputs(model, "inverse_dynamics", []),
            regressor: outputs(model, "regressor", []),
            coriolis_matrix: outputs(model, "coriolis_matrix", []),
            series: None,
            functions: Vec::new(),
        };
        programs.series = programs.motion_series(model, &plain);
        programs.ask_functions(model);
        programs
    }

    /// What the programs ask of the declared functions.
    pub(super) fn ask_functions(&mut self, model: &SystemModel) {
        if model.pool.has_functions() {
            let initial = initial_values(model);
            self.functions = function_programs(model, self.all().into_iter().chain(&initial));
        }
    }

    /// The series of the motion. Rules of series are for one operation each: it is made of the dynamics
    /// before they are fused.
    fn motion_series(&self, model: &SystemModel, dynamics: &Program) -> Option<Series> {
        // A series has an operation at least for each of the dynamics.
        let may_be = dynamics.instructions.len() <= SERIES_STATEMENTS_MAX && self.dynamics_solved;
        let series = may_be.then(|| {
            Series::new(&Motion {
                pool: &model.pool,
                positions: model.positions().len(),
                speeds: model.speeds.len(),
                rates: &self.rates,
                dynamics,
                observed: &[&self.gaps, &self.guards],
            })
        });
        let series = series.flatten().map(|series| series.fused(&model.pool));
        series.filter(|series| {
            let Series { start, recurrence, .. } = series;
            start.instructions.len() + recurrence.instructions.len() <= SERIES_STATEMENTS_MAX
                && series.start.is_finite()
                && series.recurrence.is_finite()
        })
    }

    /// Those of [`Self::all`] that compute something.
    pub fn computing(&self) -> impl Iterator<Item = &Program> {
        self.all().into_iter().filter(|program| !program.outputs.is_empty())
    }
}

/// The programs of scenarios, one a value, as generated code has them.
fn initial_values(model: &SystemModel) -> Vec<Program> {
    let values = |s: &crate::mechanics::Scenario| {
        let lists = [&s.position[..], &s.velocity, &s.inputs].concat();
        lists.into_iter().chain([s.time]).chain(s.until_time)
    };
    let value = |e| Program::of_expressions(&model.pool, "value", [(String::new(), e)]);
    model.scenarios.iter().flat_map(values).map(value).collect()
}

/// Whether the solve is straight-line code. Without symmetry the elimination needs pivots, which that cannot choose.
pub(super) fn is_unrolled(model: &SystemModel, equations: &EquationsOfMotion) -> bool {
    let statements = solve_statements(model.speeds.len(), model.rows.len());
    statements <= DYNAMICS_STATEMENTS_MAX && !equations.is_coupled() && equations.mass.has_entries()
}

/// An upper estimate of the statements of the unrolled solve, for dense M and A.
fn solve_statements(n: usize, k: usize) -> usize {
    let factor = |n: usize| n * n * n / 3 + n * n;
    factor(n) + factor(k) + (k + 2) * n * n + k * k * n * 2
}

fn frictionless(model: &SystemModel, equations: &EquationsOfMotion, unrolled: bool) -> Program {
    let name = "frictionless";
    if !equations.friction.has_constant_points() {
        return outputs(model, name, []);
    }
    dynamics(name, model, equations, &equations.friction.frictionless, unrolled).program
}

fn frictions(model: &SystemModel, equations: &EquationsOfMotion) -> Program {
    let points = &equations.friction.points;
    let coefficients: Vec<ExprId> = points.iter().map(|p| p.coefficient).collect();
    let components: Vec<ExprId> = points.iter().flat_map(|p| p.components.clone()).collect();
    let rows: Vec<Vec<ExprId>> = points.iter().flat_map(|p| p.rows.clone()).collect();
    let drift: Vec<ExprId> = points.iter().flat_map(|p| p.drift.clone()).collect();
    let at_rest = equations.friction.borne().map(|(_, borne)| borne.at_rest);
    let at_rest: Vec<ExprId> = at_rest.collect();
    let mut entries = indexed("c", &coefficients);
    entries.extend(indexed("c_s", &at_rest));
    let weights: Vec<ExprId> = points.iter().flat_map(|p| p.weights.clone()).collect();
    entries.extend(indexed("c_i", &weights));
    entries.extend(indexed("w", &components));
    entries.extend(matrix_entries("J", &rows));
    entries.extend(indexed("γ", &drift));
    outputs(model, "frictions", entries)
}

fn dry_friction(model: &SystemModel, equations: &EquationsOfMotion) -> Program {
    let friction = &equations.friction;
    let mut entries: Vec<(String, ExprId)> =
        friction.value.iter().map(|value| ("D₁".to_owned(), *value)).collect();
    entries.extend(indexed("-∂D₁/∂v", &friction.force));
    let lowering = Lowering::guarding(&model.pool, &friction.guarded);
    lowering.program("dry_friction", entries)
}

fn rates(model: &SystemModel) -> Program {
    let rates = model.kinematics.iter().flat_map(|kinematics| kinematics.rates.iter().copied());
    let name = |symbol| crate::name::dotted(&model.pool.symbol_info(symbol).name, 1);
    outputs(model, "rates", model.positions().into_iter().map(name).zip(rates))
}

/// M as a function of (t, q), or at v: that of the two that it is.
fn mass_matrix(model: &SystemModel, equations: &EquationsOfMotion, at: bool) -> Program {
    let name = if at { "mass_matrix_at" } else { "mass_matrix" };
    if at != equations.mass.depends_on_velocities(&model.pool) {
        return outputs(model, name, []);
    }
    let mut entries = Vec::new();
    for (i, row) in equations.mass.kept().iter().enumerate() {
        for (j, entry) in row[..=i].iter().enumerate() {
            entries.push((format!("M[{i},{j}]"), *entry));
        }
    }
    outputs(model, name, entries)
}

/// A and b as functions of (t, q), or at v: those of the two that the rows are.
fn constraint_rows(model: &SystemModel, equations: &EquationsOfMotion, at: bool) -> Program {
    let name = if at { "constraint_rows_at" } else { "constraint_rows" };
    if at != model.chetaev_row().is_some() {
        return outputs(model, name, []);
    }
    let mut entries = matrix_entries("A", &equations.rows);
    entries.extend(indexed("b", &equations.affine));
    outputs(model, name, entries)
}

fn powers(model: &SystemModel, equations: &EquationsOfMotion) -> Program {
    let powers = &equations.powers;
    let values: Vec<ExprId> = powers.iter().map(|power| power.value).collect();
    let reactions: Vec<Vec<ExprId>> = powers.iter().map(|power| power.reactions.clone()).collect();
    let mut entries = indexed("P", &values);
    entries.extend(matrix_entries("∂P/∂λ", &reactions));
    outputs(model, "powers", entries)
}

fn gap_rows(model: &SystemModel, equations: &EquationsOfMotion) -> Program {
    let gradients: Vec<Vec<ExprId>> =
        equations.contacts.iter().map(|contact| contact.gradient.clone()).collect();
    let rates: Vec<ExprId> = equations.contacts.iter().map(|contact| contact.rate).collect();
    let mut entries = matrix_entries("∇g", &gradients);
    entries.extend(indexed("∂g/∂t", &rates));
    outputs(model, "gap_rows", entries)
}

fn contact_forces(model: &SystemModel, equations: &EquationsOfMotion) -> Program {
    let forces = equations.contacts.iter().map(|contact| &contact.force[..]);
    outputs(model, "contact_forces", matrix_entries("F", &of_each(model, forces)))
}

/// Of the contacts, then of the rows where one of these bears forces beside contacts, then of the components of friction where a
/// force holds one of them.
fn borne_forces(model: &SystemModel, equations: &EquationsOfMotion) -> Program {
    let contacts = model.contacts.iter().map(|contact| &contact.borne[..]);
    let forces = contacts.chain(equations.borne.iter().map(|force| &force[..]));
    let with_λ = forces.clone().count();
    let beside = forces_beside(&equations.friction);
    let all = of_each(model, forces.chain(beside.iter().map(|force| &force[..])));
    let (of_λ, of_friction) = all.split_at(with_λ.min(all.len()));
    let mut entries = matrix_entries("∂Q/∂λ", of_λ);
    entries.extend(matrix_entries("∂Q/∂f", of_friction));
    outputs(model, "borne_forces", entries)
}

/// What acts beside a force on each component of the friction, where something does.
fn forces_beside(friction: &DryFriction) -> Vec<Vec<ExprId>> {
    if friction.points.iter().all(|point| point.beside.is_empty()) {
        return Vec::new();
    }
    let components = friction.points.iter().flat_map(|point| {
        let beside = |i: usize| point.beside.get(i).cloned().unwrap_or_default();
        (0..point.components.len()).map(beside)
    });
    components.collect()
}

/// A force of each contact, of one without any zero; nothing where no contact has one.
fn of_each<'e>(
    model: &SystemModel,
    forces: impl Iterator<Item = &'e [ExprId]> + Clone,
) -> Vec<Vec<ExprId>> {
    let none = vec![ExprPool::ZERO; model.speeds.len()];
    if forces.clone().flatten().all(|entry| *entry == ExprPool::ZERO) {
        return Vec::new();
    }
    forces.map(|force| if force.is_empty() { none.clone() } else { force.to_vec() }).collect()
}

/// What the impact of each contact alone takes: ∇g, ∂g/∂t, w, ∇g·w.
fn strikes(model: &SystemModel, equations: &EquationsOfMotion, solved: bool) -> Vec<Program> {
    let contacts = model.contacts.iter().zip(&equations.contacts);
    contacts
        .map(|(contact, struck)| {
            let name = format!("strike_{}", contact.named.name);
            let alone = struck.rows.is_empty() && contact.releases.is_empty();
            if !(solved && alone && contact.relabel.is_empty()) {
                return outputs(model, &name, []);
            }
            strike(&name, model, equations, struck)
        })
        .collect()
}

fn strike(
    name: &str,
    model: &SystemModel,
    equations: &EquationsOfMotion,
    struck: &ContactEquations,
) -> Program {
    let (mass, rows) = (equations.mass.kept(), &equations.rows);
    let mut lowering = Lowering::new(&model.pool);
    let entries = mass.iter().chain(rows).flatten().chain(&struck.gradient);
    lowering.prepare(&entries.copied().collect::<Vec<_>>());
    let (mass, rows) = (lowering.matrix(mass), lowering.matrix(rows));
    let gradient = lowering.list(&struck.gradient);
    let rate = lowering.lower(struck.rate);
    let mut b = lowering.into_builder();
    let drift = vec![b.constant(0.0); rows.len()];
    let kkt = Kkt { mass: &mass, rows: &rows, force: &gradient, drift: &drift };
    let (direction, _) = solve(&mut b, &kkt, Method::Factors);
    let gain = dot(&mut b, &gradient, &direction);
    gradient.iter().enumerate().for_each(|(i, value)| b.output(format!("∇g[{i}]"), *value));
    b.output("∂g/∂t", rate);
    direction.iter().enumerate().for_each(|(i, value)| b.output(format!("w[{i}]"), *value));
    b.output("∇g·w", gain);
    b.finish(name)
}

/// The own rows of each contact, by rows, then their affine parts.
fn contact_rows(model: &SystemModel, equations: &EquationsOfMotion) -> Vec<Program> {
    of_contacts(model, "rows", |contact| {
        let own = &equations.contacts[contact].rows;
        let rows: Vec<Vec<ExprId>> = own.iter().map(|row| row.coefficients.clone()).collect();
        let affine: Vec<ExprId> = own.iter().map(|row| row.affine).collect();
        let mut entries = matrix_entries("A", &rows);
        entries.extend(indexed("b", &affine));
        entries
    })
}

/// γ of the own rows of each contact.
fn contact_drifts(model: &SystemModel, equations: &EquationsOfMotion) -> Vec<Program> {
    of_contacts(model, "drift", |contact| {
        let own = &equations.contacts[contact].rows;
        indexed("γ", &own.iter().map(|row| row.drift).collect::<Vec<_>>())
    })
}

/// Both sides of the conditions of each contact.
fn contact_conditions(model: &SystemModel) -> Vec<Program> {
    of_contacts(model, "when", |contact| {
        let conditions = model.contacts[contact].when.iter();
        indexed("side", &conditions.flat_map(|bound| [bound.left, bound.right]).collect::<Vec<_>>())
    })
}

/// The velocities that the law of each contact assigns.
fn contact_assignments(model: &SystemModel) -> Vec<Program> {
    of_contacts(model, "assign", |contact| {
        let assigned = model.contacts[contact].assigned.iter();
        indexed("assign", &assigned.map(|(_, value)| *value).collect::<Vec<_>>())
    })
}

/// One program a contact, empty for most.
fn of_contacts(
    model: &SystemModel,
    what: &str,
    entries: impl Fn(usize) -> Vec<(String, ExprId)>,
) -> Vec<Program> {
    let contacts = model.contacts.iter().enumerate();
    contacts
        .map(|(index, contact)| {
            outputs(model, &format!("{what}_{}", contact.named.name), entries(index))
        })
        .collect()
}

fn resets(model: &SystemModel) -> Vec<Program> {
    let program = |event: &crate::mechanics::Event| {
        let entries = event.resets.iter().enumerate();
        let entries = entries.map(|(i, reset)| (format!("reset[{i}]"), reset.value));
        outputs(model, &format!("reset_{}", event.named.name), entries)
    };
    model.events.iter().map(program).collect()
}

fn matrix_entries(name: &str, matrix: &[Vec<ExprId>]) -> Vec<(String, ExprId)> {
    let mut entries = Vec::new();
    for (i, row) in matrix.iter().enumerate() {
        entries.extend(row.iter().enumerate().map(|(j, e)| (format!("{name}[{i},{j}]"), *e)));
    }
    entries
}

fn indexed(name: &str, entries: &[ExprId]) -> Vec<(String, ExprId)> {
    entries.iter().enumerate().map(|(i, e)| (format!("{name}[{i}]"), *e)).collect()
}

fn named(
    model: &SystemModel,
    program: &str,
    name: &str,
    entries: impl Iterator<Item = ExprId>,
) -> Program {
    let entries: Vec<ExprId> = entries.collect();
    outputs(model, program, indexed(name, &entries))
}

fn outputs(
    model: &SystemModel,
    name: &str,
    entries: impl IntoIterator<Item = (String, ExprId)>,
) -> Program {
    Program::of_expressions(&model.pool, name, entries)
}
