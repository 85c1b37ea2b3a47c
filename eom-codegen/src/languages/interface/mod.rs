//! What a system computes, in no language: operations, each with its program, what it reads of a
//! state, and where its results go.

mod borne;

use super::forces;
use super::identifiers::labels;
use crate::pipeline::Derivation;
use eom_symbolic::function::{Description, Function, Spelling};
use eom_symbolic::mechanics::{Law, Named, Relation, Speed, Unknown};
use eom_symbolic::program::{Instruction, Kernel, Program};

pub(super) use eom_symbolic::program::Reads;
use eom_symbolic::{ExprId, Partial, SymbolKind, name};

/// A result of an operation: an array.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it is, with its entries.
    pub(crate) about: String,
    /// Its shape.
    pub(crate) shape: Vec<usize>,
}

impl Part {
    /// The number of its entries.
    pub(crate) fn size(&self) -> usize {
        self.shape.iter().product()
    }
}

/// Where the outputs of a program go.
#[derive(Debug, Clone)]
pub(super) enum Results {
    /// Into arrays, one after another.
    Parts(Vec<Part>),
    /// A symmetric matrix of this size, of which the outputs are the lower triangle by rows.
    Symmetric(Part),
    /// Accelerations and multipliers, from what the solve by loops needs.
    Solve(Vec<Part>),
    /// P₀ + P λ: values of λ's affine function, then its slopes by rows where there are any.
    Affine(Part),
    /// Whether all comparisons of two outputs each hold.
    Conditions(Vec<Relation>),
    /// Entries of the state, in place; all values are those from before.
    Assign(Vec<Unknown>),
    /// Velocities after an impact by assignment, the others as before: `v_after`.
    Velocities(Vec<usize>),
}

/// A function of generated code.
#[derive(Debug, Clone)]
pub(super) struct Operation<'d> {
    /// Its name: `mass_matrix`, `contact_rows` of a contact.
    pub(super) name: String,
    /// What it computes.
    pub(super) about: String,
    /// Its program.
    pub(super) program: &'d Program,
    /// What it reads.
    pub(super) reads: Reads,
    /// Where its outputs go.
    pub(super) results: Results,
    /// The names of the forces that it is given: λ and friction, which follow from what is closed and no state tells.
    pub(super) forces: Vec<String>,
}

impl Operation<'_> {
    /// What it computes, and of what it is given.
    pub(super) fn described(&self) -> String {
        if self.forces.is_empty() {
            return self.about.clone();
        }
        let names = self.forces.join(", ");
        format!("{}\nforces: {names}; of a contact that is open 0.", self.about)
    }
}

/// The impact map of a contact.
#[derive(Debug, Clone)]
pub(super) struct Impact {
    /// The key of the contact's name.
    pub(super) key: String,
    /// What its functions are called after.
    pub(super) label: String,
    /// The contact.
    pub(super) contact: usize,
    /// The law as declared.
    pub(super) written: String,
    /// The law.
    pub(super) law: Law,
    /// Rows of A that stay in force.
    pub(super) kept: Vec<usize>,
    /// The number of its own rows.
    pub(super) own: usize,
    /// Coordinates that exchange their values afterwards.
    pub(super) relabel: Vec<(usize, usize)>,
}

/// The sizes of a system.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    /// Entries of q.
    pub(super) n: usize,
    /// Speeds.
    pub(super) m: usize,
    /// Constraint rows.
    pub(super) k: usize,
    /// Inputs.
    pub(super) r: usize,
    /// Contacts.
    pub(super) c: usize,
}

/// The sizes.
pub(super) fn sizes(derivation: &Derivation) -> Sizes {
    let model = &derivation.model;
    Sizes {
        n: model.positions().len(),
        m: model.speeds.len(),
        k: model.rows.len(),
        r: model.inputs.len(),
        c: model.contacts.len(),
    }
}

/// The names of the entries of q, v, u and of what results have one entry of, in ASCII.
pub(super) fn names(derivation: &Derivation) -> [(&'static str, Vec<String>); 7] {
    fn keys<'n>(names: impl Iterator<Item = &'n Named>) -> Vec<String> {
        names.map(|named| named.key.clone()).collect()
    }
    let model = &derivation.model;
    let positions = model.positions().into_iter().map(|symbol| model.pool.symbol_info(symbol));
    [
        ("POSITIONS", positions.map(|symbol| name::key(&symbol.name)).collect()),
        ("SPEEDS", model.speeds.iter().map(Speed::ascii).collect()),
        ("INPUTS", keys(model.inputs.iter().map(|input| &input.named))),
        ("ROWS", keys(model.rows.iter().map(|row| &row.named))),
        ("CONTACTS", keys(model.contacts.iter().map(|contact| &contact.named))),
        ("EVENTS", keys(model.events.iter().map(|event| &event.named))),
        ("OUTPUTS", keys(model.outputs.iter().map(|output| &output.named))),
    ]
}

/// The arguments of a declared function.
pub(super) fn arguments_of(derivation: &Derivation, partial: Partial) -> Vec<String> {
    let pool = &derivation.model.pool;
    let arguments = pool.signature(partial).arguments.iter();
    arguments.map(|argument| name::key(&pool.symbol_info(*argument).name)).collect()
}

/// `m: Mass, kg (default 1, m > 0)`.
pub(super) fn documented(name: &str, doc: &str, default: &str, bound: &str) -> String {
    let default = match default {
        "" => "no default".to_owned(),
        text => format!("default {text}"),
    };
    let about: Vec<&str> =
        [default.as_str(), bound].into_iter().filter(|s| !s.is_empty()).collect();
    let doc = doc.lines().next().unwrap_or_default().trim_end_matches('.');
    let space = if doc.is_empty() { "" } else { " " };
    format!("{name}: {doc}{space}({})", about.join(", "))
}

/// As both languages write it.
pub(super) fn relation(relation: Relation) -> &'static str {
    match relation {
        Relation::Less => "<",
        Relation::LessEqual => "<=",
        Relation::Greater => ">",
        Relation::GreaterEqual => ">=",
    }
}

/// The program of expressions of the parameters.
pub(super) fn of_parameters(derivation: &Derivation, values: &[ExprId]) -> Program {
    let entries = values.iter().map(|value| (String::new(), *value));
    Program::of_expressions(&derivation.model.pool, "values", entries)
}

/// Whether a program, or an integrand in it, takes integrals.
pub(super) fn has_integrals(program: &Program) -> bool {
    !program.integrals.is_empty()
}

/// The texts of functions that a language writes itself, as far as parts of a file call them.
pub(super) fn own_functions(
    parts: &[String],
    spelling: impl Fn(&Description) -> Spelling,
    own: impl Fn(&str) -> String,
) -> Vec<String> {
    let texts =
        Function::ALL.into_iter().filter_map(|function| match spelling(function.description()?) {
            Spelling::Own(name, text) if !text.is_empty() => Some((own(name) + "(", own(text))),
            _ => None,
        });
    let called = texts.filter(|(call, _)| parts.iter().any(|part| part.contains(call)));
    called.map(|(_, text)| text).collect()
}

/// Whether an instruction stands in a program, in its integrands too.
pub(super) fn uses(program: &Program, which: &dyn Fn(&Instruction) -> bool) -> bool {
    let within = program.integrals.iter().flat_map(|integral| {
        integral.kinks.iter().map(|kink| &kink.components).chain([&integral.integrand])
    });
    program.instructions.iter().any(which) || within.into_iter().any(|program| uses(program, which))
}

/// Whether a program reads a symbol of some kind.
pub(super) fn reads(
    derivation: &Derivation,
    program: &Program,
    which: impl Fn(SymbolKind) -> bool,
) -> bool {
    let pool = &derivation.model.pool;
    uses(program, &|instruction| match instruction {
        Instruction::Input(symbol) => which(pool.symbol_info(*symbol).kind),
        _ => false,
    })
}

fn part(name: &'static str, about: impl Into<String>, shape: &[usize]) -> Part {
    Part { name, about: about.into(), shape: shape.to_vec() }
}

/// The operations that compute something.
pub(super) fn operations(derivation: &Derivation) -> Vec<Operation<'_>> {
    let mut operations = dynamics(derivation);
    operations.extend(of_state(derivation));
    operations.extend(of_contacts(derivation));
    operations.extend(of_events(derivation));
    operations.extend(of_motions(derivation));
    operations.retain(|operation| !operation.program.outputs.is_empty());
    operations
}

/// v̇ and λ.
fn dynamics(derivation: &Derivation) -> Vec<Operation<'_>> {
    let Sizes { m, k, .. } = sizes(derivation);
    let programs = &derivation.programs;
    let parts = || {
        vec![
            part("a", "accelerations, in the order of v", &[m]),
            part("lambda", "multipliers, in the order of the rows", &[k]),
        ]
    };
    let solve = |name: &str, about: &str, program| Operation {
        name: name.to_owned(),
        about: about.to_owned(),
        program,
        reads: Reads::All,
        results: if programs.dynamics_solved {
            Results::Parts(parts())
        } else {
            Results::Solve(parts())
        },
        forces: Vec::new(),
    };
    let mut about =
        "Accelerations and multipliers: M v' + h = Q - dD/dv + A^T lambda, A v' + A' v + b' = 0.\n\
                     Not numbers where M is singular or rows are dependent."
            .to_owned();
    if !derivation.model.row_frictions.is_empty() {
        about +=
            "\nThe friction of constraints is not in them: its coefficients are in `frictions`.";
    }
    let mut operations = vec![solve("accelerations", &about, &programs.dynamics)];
    if derivation.equations.friction.has_constant_points() {
        let about = "The same without the point terms of dry friction, those of `frictions`.";
        operations.push(solve("frictionless", about, &programs.frictionless));
    }
    operations
}

/// The rows as a function of the state asks for them, up to where results may follow: with v where they depend on it.
pub(super) fn rows_asked(derivation: &Derivation) -> &'static str {
    match derivation.model.chetaev_row() {
        Some(_) => "constraint_rows_at(p, t, q, v",
        None => "constraint_rows(p, t, q",
    }
}

/// What is said of the mass matrix where it is found column by column.
pub(super) const MASS_BY_COLUMNS: &str = "The mass matrix M(t, q), symmetric, column by column.";

/// Whether it is.
pub(super) fn has_mass_by_columns(derivation: &Derivation) -> bool {
    !derivation.programs.mass_product.outputs.is_empty()
}

/// The operation of a kernel, or that for a contact or event: its index and what it is called after.
fn operation<'d>(
    derivation: &'d Derivation,
    kernel: Kernel,
    of: Option<(usize, &str)>,
    about: &str,
    results: Results,
) -> Option<Operation<'d>> {
    let (index, name) = match of {
        None => (0, kernel.name().to_owned()),
        Some((index, label)) => (index, format!("{}_{label}", kernel.name())),
    };
    let program = kernel.programs(&derivation.programs).get(index)?;
    let forces = forces::names(derivation, kernel);
    let (reads, about) = (kernel.reads(), about.to_owned());
    Some(Operation { name, about, program, reads, results, forces })
}

/// Matrices, rows, energies.
fn of_state(derivation: &Derivation) -> Vec<Operation<'_>> {
    let Sizes { n, m, k, .. } = sizes(derivation);
    let (model, equations) = (&derivation.model, &derivation.equations);
    let kernel = |kernel, about: &str, results| operation(derivation, kernel, None, about, results);
    let one = |part| Results::Parts(vec![part]);
    let mass = || Results::Symmetric(part("mass", "rows and columns in the order of v", &[m, m]));
    let holonomic = equations.holonomic.len();
    let points = &equations.friction.points;
    let statics = equations.friction.borne().count();
    let weights: usize = points.iter().map(|point| point.weights.len()).sum();
    let (f, w) = (
        points.len() + statics + weights,
        points.iter().map(|p| p.components.len()).sum::<usize>(),
    );
    let dry = if equations.friction.is_some() { m } else { 0 };
    let powers = equations.powers.len();
    let rates = if model.kinematics.is_none() { 0 } else { n };
    let all = [
        kernel(
            Kernel::Rates,
            "Rates of q: q' = S(q) v.",
            one(part("rates", "in the order of q", &[rates])),
        ),
        kernel(Kernel::MassMatrix, "The mass matrix M(t, q), symmetric.", mass()),
        kernel(Kernel::MassMatrixAt, "The mass matrix M(t, q, v), symmetric.", mass()),
        kernel(
            Kernel::MassProduct,
            "The mass matrix times v.",
            one(part("product", "in the order of v", &[m])),
        ),
        kernel(
            Kernel::ConstraintRows,
            "The constraints A(t, q) v + b(t, q) = 0.",
            Results::Parts(vec![part("rows", "A, by rows", &[k, m]), part("offsets", "b", &[k])]),
        ),
        kernel(
            Kernel::ConstraintRowsAt,
            "The constraints at v: A v + b = 0, A of a row that is not affine in v its derivative by v.",
            Results::Parts(vec![part("rows", "A, by rows", &[k, m]), part("offsets", "b", &[k])]),
        ),
        kernel(
            Kernel::Holonomic,
            "What the holonomic constraints are missed by.",
            one(part("residuals", "in the order of the holonomic rows", &[holonomic])),
        ),
        kernel(
            Kernel::Energy,
            "Energies: kinetic T, potential V, and v dL/dv - L.",
            one(part("energies", "kinetic, potential, jacobi", &[3])),
        ),
        kernel(
            Kernel::Powers,
            if equations.powers.iter().any(|power| power.reactions.len() > k + model.contacts.len())
            {
                "Powers of the forces and smooth dissipations of the declaration, then -dL/dt; lambda are the multipliers,\n\
                 then the normal forces of the contacts, then five forces of friction of each, then those of the constraints."
            } else if equations.powers.iter().any(|power| power.reactions.len() > k) {
                "Powers of the forces and smooth dissipations of the declaration, then -dL/dt; lambda are the multipliers,\n\
                 then the normal forces of the contacts."
            } else {
                "Powers of the forces and smooth dissipations of the declaration, then -dL/dt."
            },
            Results::Affine(part("powers", "in the order of the declaration", &[powers])),
        ),
        kernel(
            Kernel::Frictions,
            "The point terms c |w| of dry friction, w = J v + b.",
            Results::Parts(vec![
                part("coefficients", about_coefficients(statics, weights), &[f]),
                part("slips", "w, the components of all terms", &[w]),
                part("slip_rows", "J, by rows", &[w, m]),
                part("slip_drifts", "dJ/dt v + db/dt", &[w]),
            ]),
        ),
        kernel(
            Kernel::DryFriction,
            "The part of the dissipation function that is homogeneous of degree one, at the velocity v.",
            Results::Parts(vec![
                part("value", "its value", &[dry.min(1)]),
                part("force", "minus its derivatives by v; 0 at rest", &[dry]),
            ]),
        ),
    ];
    all.into_iter().flatten().collect()
}

/// What the coefficients of friction are.
fn about_coefficients(statics: usize, weights: usize) -> &'static str {
    match (statics, weights) {
        (0, _) => "c, one a term",
        (_, 0) => {
            "c, one a term, that of a contact times its normal force, that of a row times |lambda|; then those of both where they stick"
        }
        _ => {
            "c, one a term, that of a contact times its normal force, that of a row times |lambda|; then those of both where they stick; \
             then the factors that slips of two coefficients are multiplied with"
        }
    }
}

/// Gaps, rows and laws of contacts.
fn of_contacts(derivation: &Derivation) -> Vec<Operation<'_>> {
    let Sizes { m, c, .. } = sizes(derivation);
    let (model, programs) = (&derivation.model, &derivation.programs);
    let kernel = |kernel, about: &str, results| operation(derivation, kernel, None, about, results);
    let forces = if programs.contact_forces.outputs.is_empty() { 0 } else { c };
    let one = |part| Results::Parts(vec![part]);
    let mut operations = vec![
        kernel(
            Kernel::Gaps,
            "The gaps: a contact is open while its gap is positive.",
            one(part("gaps", "in the order of the contacts", &[c])),
        ),
        kernel(
            Kernel::GapRows,
            "Gradients of the gaps: they change at the rate gradients v + rates.",
            Results::Parts(vec![
                part("gradients", "one row a contact, in the order of v", &[c, m]),
                part("rates", "their partial derivatives by t", &[c]),
            ]),
        ),
        kernel(
            Kernel::GapDrift,
            "The gaps accelerate at gradients v' + drifts.",
            one(part("drifts", "in the order of the contacts", &[c])),
        ),
        kernel(
            Kernel::ContactForces,
            "Forces of the dissipation of each contact, in force while it is closed.",
            one(part("forces", "one row a contact, in the order of v", &[forces, m])),
        ),
        borne::of_borne(derivation),
    ];
    let (contacts, _) = labels(derivation);
    for (index, contact) in model.contacts.iter().enumerate() {
        let (of, own) = (Some((index, contacts[index].as_str())), contact.rows.len());
        let kernel =
            |kernel, about: &str, results| operation(derivation, kernel, of, about, results);
        operations.extend([
            kernel(
                Kernel::ContactRows,
                "Its own rows A v + b = 0, in force while it is closed.",
                Results::Parts(vec![
                    part("rows", "A, by rows", &[own, m]),
                    part("offsets", "b", &[own]),
                ]),
            ),
            kernel(
                Kernel::ContactDrift,
                "A' v + b' of its own rows.",
                one(part("drifts", "in their order", &[own])),
            ),
            kernel(
                Kernel::Armed,
                &format!("Whether it can fire: {}.", contact.when_text),
                Results::Conditions(contact.when.iter().map(|bound| bound.relation).collect()),
            ),
            kernel(
                Kernel::Assign,
                "Velocities after its impact, as declared.",
                Results::Velocities(contact.assigned.iter().map(|(target, _)| *target).collect()),
            ),
        ]);
    }
    operations.into_iter().flatten().collect()
}

/// Guards, resets, outputs.
fn of_events(derivation: &Derivation) -> Vec<Operation<'_>> {
    let model = &derivation.model;
    let list = |name, about: &str, size| Results::Parts(vec![part(name, about, &[size])]);
    let guards = list("guards", "in the order of the events", model.events.len());
    let outputs = list("outputs", "in the order of their declaration", model.outputs.len());
    let (_, events) = labels(derivation);
    let resets = model.events.iter().zip(&events).enumerate().map(|(index, (event, label))| {
        let targets = Results::Assign(event.resets.iter().map(|reset| reset.target).collect());
        let about = "The state after the event, in place of that before.";
        operation(derivation, Kernel::Reset, Some((index, label.as_str())), about, targets)
    });
    let guards = operation(derivation, Kernel::Guards, None, "The guards of the events.", guards);
    let outputs = operation(derivation, Kernel::Outputs, None, "The declared outputs.", outputs);
    [guards].into_iter().chain(resets).chain([outputs]).flatten().collect()
}

/// The impact maps.
pub(super) fn impacts(derivation: &Derivation) -> Vec<Impact> {
    let model = &derivation.model;
    let (labels, _) = labels(derivation);
    let contacts = model.contacts.iter().enumerate().zip(labels);
    // The impact of a contact with friction is no map of one contact: it is the run's.
    contacts
        .filter(|((_, contact), _)| contact.frictions.is_empty() && contact.borne.is_empty())
        .map(|((index, contact), label)| Impact {
            key: contact.named.key.clone(),
            label,
            contact: index,
            written: contact.whole_law(),
            law: contact.law,
            kept: (0..model.rows.len()).filter(|row| !contact.releases.contains(row)).collect(),
            own: contact.rows.len(),
            relabel: contact.relabel.clone(),
        })
        .collect()
}

/// One of these kernels.
#[derive(Debug)]
pub(crate) struct Motion {
    /// Its row of the table.
    pub(crate) kernel: Kernel,
    /// What it computes.
    pub(crate) about: &'static str,
    /// Its results, one after another.
    pub(crate) parts: Vec<Part>,
}

/// All of them.
pub(crate) fn motions(derivation: &Derivation) -> Vec<Motion> {
    let Sizes { n, m, k, r, .. } = sizes(derivation);
    let p = derivation.model.parameters.len();
    let (of_a, of_λ) = ("one row an acceleration", "one row a multiplier");
    let by = |name, rows: (&str, usize), columns: (&str, usize)| {
        let about = format!("{}, columns in the order of {}", rows.0, columns.0);
        part(name, about, &[rows.1, columns.1])
    };
    let (a, λ) = ((of_a, m), (of_λ, k));
    let (q, v, u, p) = (("q", n), ("v", m), ("u", r), ("the parameters", p));
    vec![
        Motion {
            kernel: Kernel::Derivatives,
            about: "Accelerations and multipliers with their derivatives by q, v and u, each entry of q by itself.\n\
                    Not numbers where the accelerations are none, nor where dry friction is at rest.",
            parts: vec![
                part("a", "accelerations, in the order of v", &[m]),
                part("lambda", "multipliers, in the order of the rows", &[k]),
                by("a_by_q", a, q),
                by("a_by_v", a, v),
                by("a_by_u", a, u),
                by("lambda_by_q", λ, q),
                by("lambda_by_v", λ, v),
                by("lambda_by_u", λ, u),
            ],
        },
        Motion {
            kernel: Kernel::ParameterDerivatives,
            about: "Derivatives of the accelerations and multipliers by the parameters, each by itself: a default is\n\
                    no function of others here.",
            parts: vec![by("a_by_p", a, p), by("lambda_by_p", λ, p)],
        },
        Motion {
            kernel: Kernel::HessianProduct,
            about: "The gradient by (q, v, u) of the sum of the accelerations and multipliers, each times its weight, and\n\
                    the Hessian of this sum times a direction: weights in the order of v, then of the rows, the direction\n\
                    in that of q, v and u.",
            parts: vec![
                part("gradient", "in the order of q, v and u", &[n + m + r]),
                part("product", "the Hessian times the direction", &[n + m + r]),
            ],
        },
        Motion {
            kernel: Kernel::InverseDynamics,
            about: "The forces that must be added for the accelerations a: M a + h - (Q - dD/dv). Those of the\n\
                    constraints, A^T lambda, are among them.",
            parts: vec![part("forces", "in the order of v", &[m])],
        },
        Motion {
            kernel: Kernel::Regressor,
            about: "Derivatives of `inverse_dynamics` by the parameters: where it is linear in them, the regressor Y\n\
                    of Y p.",
            parts: vec![by("regressor", ("one row a force", m), p)],
        },
        Motion {
            kernel: Kernel::CoriolisMatrix,
            about: "C of the forces that are quadratic in v: C v is that part of h, and dM/dt - 2 C is skew.",
            parts: vec![part("coriolis", "by rows, in the order of v", &[m, m])],
        },
    ]
}

/// The operations.
fn of_motions(derivation: &Derivation) -> Vec<Operation<'_>> {
    let all = motions(derivation).into_iter();
    let one = |Motion { kernel, about, parts }| {
        operation(derivation, kernel, None, about, Results::Parts(parts))
    };
    all.filter_map(one).collect()
}
