//! The forms of the equations of motion against the functions of the system, at random states on the
//! constraints. The forms are symbolic; the functions are those of the interpreter, whose programs solve
//! by factors.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use eom_codegen::derive_source;
use eom_core::metric::RowSpace;
use eom_core::{SmoothFunction, State, System};
use eom_interpreter::Interpreted;
use eom_symbolic::mechanics::closed_forms::explicit::explicit;
use eom_symbolic::mechanics::closed_forms::hamilton::hamiltonian;
use eom_symbolic::mechanics::closed_forms::reduce::{
    equations_with_multipliers, reduce, reduced_equations,
};
use eom_symbolic::mechanics::report::{Form, form, to_latex, to_markdown, to_text};
use eom_symbolic::mechanics::{EquationsOfMotion, SystemModel};
use eom_symbolic::program::Program;
use eom_symbolic::simplify::Simplifier;
use eom_symbolic::{ExprId, Partial, SymbolId, SymbolKind};
use eom_tests::random;
use eom_tests::systems::every_system;
use fastrand::Rng;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const STATES: usize = 4;

/// Relative to the largest term; the states are drawn so that matrices are far from singular, some of
/// the closed forms divide by small numbers nevertheless.
const TOLERANCE: f64 = 1e-9;

/// A state on the constraints with all that the functions say of it.
struct Sample {
    state: State,
    inputs: Vec<f64>,
    parameters: Vec<f64>,
    accelerations: Vec<f64>,
    multipliers: Vec<f64>,
    rates: Vec<f64>,
    jacobi: f64,
    /// Values of further symbols.
    more: BTreeMap<SymbolId, f64>,
}

/// A system, its equations, and what stands for its declared functions.
struct Subject {
    model: SystemModel,
    equations: EquationsOfMotion,
    functions: Vec<SmoothFunction>,
}

fn smooth(arity: usize) -> SmoothFunction {
    match arity {
        1 => SmoothFunction::of(|[x]| 0.3 * (2.0 * x).sin()),
        2 => SmoothFunction::of(|[x, y]| 0.1 * (3.0 * x).sin() * y.cos()),
        _ => SmoothFunction::of(|[x, y, z]| x.sin() * y.cos() + z * z),
    }
}

impl Subject {
    fn values(&self, roots: &[ExprId], sample: &Sample) -> Vec<f64> {
        let entries = roots.iter().map(|root| (String::new(), *root));
        let program = Program::of_expressions(&self.model.pool, "values", entries);
        let symbol = |symbol| self.value(symbol, sample);
        let partial = |partial: Partial, point: &[f64]| {
            let mut value = [0.0];
            let given = self.functions[usize::from(partial.function)].given().unwrap();
            given.partials(point, &[partial.orders], &mut value);
            value[0]
        };
        program.evaluate_with(symbol, partial)
    }

    fn value(&self, symbol: SymbolId, sample: &Sample) -> f64 {
        if let Some(value) = sample.more.get(&symbol) {
            return *value;
        }
        match self.model.pool.symbol_info(symbol).kind {
            SymbolKind::Pi => std::f64::consts::PI,
            SymbolKind::Time => sample.state.t,
            SymbolKind::Coordinate(i) => sample.state.q[i],
            SymbolKind::Velocity(i) => sample.state.v[i],
            SymbolKind::Acceleration(i) => sample.accelerations[i],
            SymbolKind::Multiplier(i) => sample.multipliers[i],
            SymbolKind::Input(i) => sample.inputs[i],
            SymbolKind::Parameter(i) => sample.parameters[i],
            kind => panic!("no value for {kind:?}"),
        }
    }
}

/// v moved onto A v + b = 0.
fn on_constraints(system: &dyn System, state: &mut State) {
    let (m, k) = (system.info().speeds(), system.info().rows.len());
    let (mut a, mut b) = (vec![0.0; k * m], vec![0.0; k]);
    system.constraint_rows(state.t, &state.q, &mut a, &mut b);
    let mut space = RowSpace::new(m, k);
    let identity: Vec<f64> = (0..m * m).map(|i| f64::from(u8::from(i % (m + 1) == 0))).collect();
    space.set_metric(&identity).unwrap();
    for (row, offset) in a.chunks_exact(m).zip(&b) {
        space.push(row, *offset);
    }
    for _ in 0..2 {
        space.apply(space.rank(), 1.0, &mut state.v);
    }
}

fn sample(rng: &mut Rng, system: &dyn System, parameters: Vec<f64>) -> Sample {
    let info = system.info();
    let mut state = random::state(rng, info);
    on_constraints(system, &mut state);
    let inputs: Vec<f64> = info.inputs.iter().map(|_| random::between(rng, -2.0, 2.0)).collect();
    let (mut accelerations, mut multipliers) =
        (vec![0.0; info.speeds()], vec![0.0; info.rows.len()]);
    let State { t, q, v } = &state;
    system.accelerations(*t, q, v, &inputs, &mut accelerations, &mut multipliers);
    let mut rates = vec![0.0; info.positions()];
    system.rates(*t, q, v, &mut rates);
    let jacobi = system.energy(*t, q, v).jacobi;
    let more = BTreeMap::new();
    Sample { state, inputs, parameters, accelerations, multipliers, rates, jacobi, more }
}

fn check(name: &str, what: &str, found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len(), "{name} {what}");
    let size = wanted.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    for (found, wanted) in found.iter().zip(wanted) {
        let error = (found - wanted).abs();
        assert!(error <= TOLERANCE * size, "{name} {what}: {found}, the functions have {wanted}");
    }
}

/// Both sides of equations at a sample.
fn check_sides(name: &str, what: &str, subject: &Subject, sides: &[(ExprId, ExprId)], at: &Sample) {
    let (left, right): (Vec<ExprId>, Vec<ExprId>) = sides.iter().copied().unzip();
    check(name, what, &subject.values(&left, at), &subject.values(&right, at));
}

/// The velocities and accelerations of a reduction that are no speeds.
fn with_free(subject: &mut Subject, samples: &mut [Sample], simplifier: &mut Simplifier) -> bool {
    let Ok(reduction) = reduce(&mut subject.model, &subject.equations, simplifier) else {
        return false;
    };
    for free in reduction.free.iter().filter(|free| !free.is_coordinate) {
        let model = &mut subject.model;
        let velocities = model.velocities().into_iter().zip(&free.row);
        let terms: Vec<ExprId> = velocities
            .map(|(v, entry)| {
                let v = model.pool.symbol_expr(v);
                model.pool.mul(*entry, v)
            })
            .collect();
        let velocity = model.pool.sum_of(&terms);
        let rate = model.time_direction_with_accelerations().derivative(&mut model.pool, velocity);
        for sample in samples.iter_mut() {
            let values = subject.values(&[velocity, rate], sample);
            sample.more.extend([(free.velocity, values[0]), (free.acceleration, values[1])]);
        }
    }
    true
}

/// Every form of a system; which it has.
fn forms(name: &str, subject: &mut Subject, samples: &mut [Sample]) -> [bool; 3] {
    let mut simplifier = Simplifier::default();
    let equations = subject.equations.clone();
    let with = equations_with_multipliers(&mut subject.model, &equations, &mut simplifier);
    let with: Vec<_> = with.into_iter().map(|e| (e.left, e.right)).collect();
    for at in samples.iter() {
        check_sides(name, "with multipliers", subject, &with, at);
    }
    let is_reduced = with_free(subject, samples, &mut simplifier);
    let mut is_explicit = false;
    if is_reduced {
        let model = &mut subject.model;
        let reduction = reduce(model, &equations, &mut simplifier).unwrap();
        let reduced = reduced_equations(model, &equations, &reduction, &mut simplifier);
        let mut sides: Vec<_> = reduced.into_iter().map(|e| (e.left, e.right)).collect();
        for (speed, value) in model.velocities().into_iter().zip(&reduction.velocity) {
            sides.push((model.pool.symbol_expr(speed), *value));
        }
        let solved = explicit(model, &equations, &reduction, &mut simplifier);
        for at in samples.iter() {
            check_sides(name, "reduced", subject, &sides, at);
            if let Ok(solved) = &solved {
                let found = subject.values(&solved.accelerations, at);
                check(name, "accelerations", &found, &at.accelerations);
                let unique = reduction.redundant.is_empty();
                let found = subject.values(&solved.multipliers, at);
                let wanted = if unique { at.multipliers.clone() } else { found.clone() };
                check(name, "multipliers", &found, &wanted);
            }
        }
        is_explicit = solved.is_ok();
    }
    [is_reduced, is_explicit, momenta(name, subject, samples, &mut simplifier)]
}

/// Hamilton's equations: ṗ is the time derivative of ∂L/∂v with the accelerations of the functions.
fn momenta(
    name: &str,
    subject: &mut Subject,
    samples: &mut [Sample],
    simplifier: &mut Simplifier,
) -> bool {
    let (model, equations) = (&mut subject.model, &subject.equations);
    let Ok(found) = hamiltonian(model, equations, simplifier) else { return false };
    let mut along = model.time_direction_with_accelerations();
    let rates: Vec<ExprId> =
        found.definitions.iter().map(|p| along.derivative(&mut model.pool, *p)).collect();
    for at in samples {
        let momenta = subject.values(&found.definitions, at);
        at.more.extend(found.momenta.iter().copied().zip(momenta));
        check(name, "v of p", &subject.values(&found.velocities, at), &at.state.v);
        check(name, "q' of p", &subject.values(&found.rates, at), &at.rates);
        let (pushed, wanted) =
            (subject.values(&found.momentum_rates, at), subject.values(&rates, at));
        check(name, "p'", &pushed, &wanted);
        check(name, "H", &subject.values(&[found.hamiltonian], at), &[at.jacobi]);
        let zeros = vec![0.0; found.constraints.len()];
        check(name, "constraints", &subject.values(&found.constraints, at), &zeros);
    }
    true
}

/// Which system has which form, and that those it has are right.
#[test]
fn forms_agree_with_the_functions() {
    let mut table = String::from("reduced explicit Hamiltonian\n");
    for fixture in every_system() {
        let mut rng = Rng::with_seed(0xF0);
        let read = Interpreted::new(fixture.info.source).unwrap();
        let functions: Vec<SmoothFunction> =
            fixture.info.functions.iter().map(|f| smooth(f.arguments.len())).collect();
        let mut samples: Vec<Sample> = (0..STATES)
            .map(|_| {
                let mut parameters = vec![0.0; fixture.info.parameters.len()];
                random::system(&mut rng, &fixture).parameters(&mut parameters);
                let given: Vec<Option<f64>> = parameters.iter().copied().map(Some).collect();
                let system = read.with_functions(&given, &functions).unwrap();
                sample(&mut rng, &system, parameters)
            })
            // A state at which rows depend on each other has no multipliers to compare with.
            .filter(|sample| {
                sample.accelerations.iter().chain(&sample.multipliers).all(|x| x.is_finite())
            })
            .collect();
        assert!(!samples.is_empty(), "{}: no state has accelerations", fixture.name);
        let derivation = derive_source(fixture.info.source).unwrap();
        let (model, equations) = (derivation.model, derivation.equations);
        let mut subject = Subject { model, equations, functions };
        let has = forms(fixture.name, &mut subject, &mut samples);
        let has = has.map(|has| if has { "yes" } else { "-" });
        writeln!(table, "{:<8}{:<9}{:<12}{}", has[0], has[1], has[2], fixture.name).unwrap();
    }
    snapshot("table", &table);
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// A spherical pendulum, whose momenta everyone knows.
const SPHERICAL: &str = "system Spherical {
    coordinates { θ, φ }
    parameters { m = 1 where m > 0, l = 1 where l > 0, g = 9.81, c = 0.1 }
    kinetic = m/2*l^2*(θ̇^2 + sin(θ)^2*φ̇^2);
    potential = -m*g*l*cos(θ);
    dissipation = c/2*θ̇^2;
}";

#[test]
fn forms_read_as_in_books() {
    let model = |name: &str| {
        models::catalogue().iter().find(|model| model.name == name).unwrap().info.source
    };
    let top = every_system();
    let top = top.iter().find(|fixture| fixture.name == "top").unwrap().info.source;
    let systems = [
        ("penny", model("penny")),
        ("wall-ball", model("wall-ball")),
        ("spherical", SPHERICAL),
        ("top", top),
    ];
    let forms = [Form::Multipliers, Form::Reduced, Form::Explicit, Form::Hamiltonian];
    for (name, source) in systems {
        let derivation = derive_source(source).unwrap();
        let mut text = String::new();
        for asked in forms {
            match form(&derivation.model, &derivation.equations, asked) {
                Ok(sections) => writeln!(text, "== {asked:?}\n{}", to_text(&sections)).unwrap(),
                Err(reason) => writeln!(text, "== {asked:?}: none, {reason}\n").unwrap(),
            }
        }
        snapshot(name, &text);
    }
    let derivation = derive_source(SPHERICAL).unwrap();
    let sections = form(&derivation.model, &derivation.equations, Form::Hamiltonian).unwrap();
    snapshot("spherical.latex", &to_latex(&sections));
    snapshot("spherical.markdown", &to_markdown(&sections));
}
