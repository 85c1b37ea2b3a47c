//! What can be said of a declaration that has equations: which of them cannot be solved, which are
//! not what they were declared as, and what in it changes nothing.
//!
//! Every question is a claim, and decided as claims are: at random states, for random parameters
//! within their bounds, an identity holds where it holds to rounding on all of them, and a rank is
//! the largest that was met. Expressions are made for the words only, under a budget.
//!
//! | question | criterion |
//! | --- | --- |
//! | inertia | M singular at all states; T < 0 with the default parameters |
//! | squares | T₁ + T₀ is a total derivative, and min T < 0 |
//! | rows | a row of A is a combination of others; so is b, and φ, or they contradict |
//! | 1-forms | ω ∧ dω = 0, and the derived flag of all rows |
//! | dissipation | −v·(∂D/∂v(v) − ∂D/∂v(0)) > 0 for some v |
//! | contacts | ∇g = 0 on g = 0, or ∇g in the span of A; own rows in that of A and ∇g |
//! | forces | a term c sign(w) of velocities, c ≠ 0 at rest |
//! | what is idle | no function that a run reads depends on it |
//! | parts | the graph of what the equations couple is not connected |

mod contact;
mod coupling;
mod dissipation;
mod ineffective;
mod inertia;
mod involution;
mod linear_kinetic;
mod one_forms;
mod potential;
mod rows;
mod stepped;

pub use rows::vanishing;

use super::claim::jets::Jets;
use super::claim::sample::{Functions, Sample, Sampler, elsewhere};
use super::lagrange::equations::EquationsOfMotion;
use super::system::SystemModel;
use crate::node::{ExprId, SymbolKind};
use crate::number::Rational;

/// On how many states an identity must hold.
const STATES: usize = 4;

/// What is below this share of the terms that were added up in it counts as zero.
const ZERO: f64 = 1e-9;

/// A finding. Rows, speeds, contacts and parameters are named by their indices.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    /// M is singular at every state.
    SingularMass {
        /// A direction without kinetic energy: speeds and their components, where these are short.
        direction: Vec<(usize, Option<ExprId>)>,
    },
    /// T takes negative values with the default parameters.
    NegativeMass {
        /// A direction in which it does.
        direction: Vec<(usize, f64)>,
        /// Whether at every state tried.
        everywhere: bool,
    },
    /// T has a part of degree 1 in the velocities that does nothing, and no square that it belongs to.
    LinearKinetic {
        /// The speeds in it.
        speeds: Vec<usize>,
    },
    /// A row of A is a combination of others at every state.
    DependentRow {
        /// The row.
        row: usize,
        /// The others with their factors, where these are the same number everywhere.
        on: Vec<(usize, Option<Rational>)>,
        /// Whether it follows from them; else no motion satisfies all.
        consistent: bool,
    },
    /// A 1-form ω with ω ∧ dω = 0.
    IntegrableRow {
        /// The row.
        row: usize,
        /// A function whose level sets it keeps, where one was found.
        function: Option<ExprId>,
    },
    /// Rows that are holonomic only together.
    HolonomicTogether {
        /// The rows.
        rows: Vec<usize>,
        /// Integrable ones that it takes besides.
        with: Vec<usize>,
        /// How many functions of the coordinates they keep.
        count: usize,
    },
    /// A dissipation function that can create energy.
    ActiveDissipation {
        /// The contact whose it is; the system's for `None`.
        contact: Option<usize>,
        /// Velocities at which it does.
        direction: Vec<(usize, f64)>,
        /// For which states.
        active: Active,
    },
    /// A dissipation function that holds no velocity: it is no force.
    IdleDissipation {
        /// The contact whose it is; the system's for `None`.
        contact: Option<usize>,
    },
    /// A force jumps with the sign of a velocity.
    SteppedForce {
        /// Its place among the forces.
        force: usize,
        /// That of which it takes the sign.
        of: ExprId,
    },
    /// An impact at this contact changes no velocity.
    IdleContact {
        /// The contact.
        contact: usize,
        /// The rows that ∇g is a combination of; none where it vanishes with g.
        on: Vec<usize>,
    },
    /// An own row of a contact depends on the rows of B before it.
    DependentContactRow {
        /// The contact.
        contact: usize,
        /// Its row.
        row: usize,
        /// The rows of A it depends on.
        on: Vec<usize>,
        /// Whether on the contact's gap too.
        gap: bool,
    },
    /// Nothing mentions it.
    Unused(Item),
    /// A parameter that is mentioned and changes nothing, or only the value of the energy.
    IdleParameter {
        /// The parameter.
        parameter: usize,
        /// Whether the energy depends on it.
        energy: bool,
    },
    /// Sets of speeds that move on their own.
    Decoupled {
        /// The sets, in the order of their first speeds.
        parts: Vec<Vec<usize>>,
    },
}

/// For which states a dissipation function creates energy.
#[derive(Debug, Clone, PartialEq)]
pub enum Active {
    /// All that were tried.
    Everywhere,
    /// Some, with the default parameters.
    Somewhere {
        /// The coordinates at one.
        position: Vec<(usize, f64)>,
    },
    /// Some values of parameters that their bounds allow.
    Within {
        /// Such values.
        parameters: Vec<(usize, f64)>,
    },
}

/// A declared name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// A parameter.
    Parameter(usize),
    /// An input.
    Input(usize),
    /// A declared function.
    Function(usize),
}

/// A declaration as it is looked at.
#[derive(Debug)]
pub struct Subject<'m> {
    /// The declaration.
    pub declared: &'m SystemModel,
    /// Its equations.
    pub equations: &'m EquationsOfMotion,
    /// The functions that states are drawn with.
    pub functions: &'m Functions,
}

/// What makes the equations unsolvable at every state: for before the claims, which could not be
/// decided then. `model` has a free symbol for each value of a declared function; `regular` says
/// whether the pivots of M, taken in its order, are not literally 0.
pub fn solvable(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    functions: &Functions,
    regular: bool,
) -> Vec<Finding> {
    let mut singular = inertia::singular(model, equations, functions);
    if singular.is_none() && !regular {
        singular = inertia::negative(model, equations, functions);
    }
    let dependent = rows::dependent(model, functions);
    singular.into_iter().chain(dependent).collect()
}

/// All other findings. `model` and `equations` have a free symbol for each value of a declared
/// function, `subject` has the functions themselves; all expressions are in the pool of `model`.
pub fn diagnose(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    subject: &Subject<'_>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(inertia::negative(model, equations, subject.functions));
    findings.extend(linear_kinetic::linear(model, subject));
    findings.extend(one_forms::holonomic(model, subject));
    findings.extend(dissipation::active(model, equations, subject.functions));
    findings.extend(dissipation::idle(model));
    findings.extend(stepped::stepped(model));
    findings.extend(contact::ineffective(model, subject.functions));
    findings.extend(ineffective::ineffective(model, subject));
    findings.extend(coupling::parts(subject.declared, subject.equations));
    findings
}

/// Some states nearby, and one of each kind elsewhere, where functions of the equations or of some expressions are others than
/// nearby.
fn states(
    (model, functions): (&SystemModel, &Functions),
    roots: &[ExprId],
    seed: u64,
    mut draw: impl FnMut(&mut Sampler<'_>) -> Option<Sample>,
) -> Vec<Sample> {
    let mut near = Sampler::new(model, functions, seed);
    let mut drawn: Vec<Sample> = (0..STATES).filter_map(|_| draw(&mut near)).collect();
    let mut others = elsewhere(model, functions, roots, seed);
    drawn.extend(others.iter_mut().filter_map(draw));
    drawn
}

/// A free state.
fn free(sampler: &mut Sampler<'_>) -> Option<Sample> {
    sampler.free().ok()
}

/// One with φ = 0, or a free one where none was found.
fn placed(sampler: &mut Sampler<'_>) -> Option<Sample> {
    sampler.positioned(None).or_else(|| free(sampler))
}

/// The number that values are, to rounding, where it is a fraction that a person would write.
fn as_fraction(values: &[f64]) -> Option<Rational> {
    const DENOMINATOR_MAX: i64 = 12;
    let first = *values.first()?;
    let same = values.iter().all(|value| (value - first).abs() <= ZERO * first.abs().max(1.0));
    let fits = |d: &i64| {
        let multiple = first * *d as f64;
        (multiple - multiple.round()).abs() <= 1e-8 && multiple.abs() < 1e6
    };
    let d = (1..=DENOMINATOR_MAX).find(fits).filter(|_| same)?;
    Rational::new((first * d as f64).round() as i64, d)
}

/// Whether values of declared functions occur: their signs and sizes are not known.
fn holds_functions(model: &SystemModel, expressions: &[ExprId]) -> bool {
    let symbols = model.pool.symbols_in(expressions);
    symbols.iter().any(|s| matches!(model.pool.symbol_info(*s).kind, SymbolKind::Jet(_)))
}

/// The expressions with a free symbol for each value of a declared function.
fn without_functions(model: &mut SystemModel, expressions: &mut [ExprId]) {
    let mut jets = Jets::default();
    for e in expressions {
        *e = jets.apply(&mut model.pool, *e);
    }
}
