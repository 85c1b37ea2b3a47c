//! Generated Rust against the interpreter of its program, bit for bit, and against the expressions
//! the program was made from, through a dense solve of another kind.

mod dense;

use dense::{check_dynamics, check_pairing, check_strikes};
use eom_codegen::{Derivation, derive_source};
use eom_core::{State, System};
use eom_symbolic::eval::Estimate;
use eom_symbolic::mechanics::PointFriction;
use eom_symbolic::program::{Passes, Program, SolvedFor};
use eom_symbolic::{ExprId, ExprPool, Partial, SymbolId, SymbolKind};
use eom_tests::random;
use eom_tests::systems::{Fixture, every_system};
use eom_tests::values::{coefficients, held};
use fastrand::Rng;

const STATES: usize = 50;

/// Forward error of the solve in units of the largest term, for a condition number up to about 10⁴.
const SOLVE_TOLERANCE: f64 = 1e-11;

/// A function evaluated in another order of its terms: rounding times the number of its terms.
const EVALUATION_TOLERANCE: f64 = 1e-13;

/// What the evaluation of expressions leaves of a double integral that is nearly singular.
const SPREAD_TOLERANCE: f64 = 1e-8;

/// A system with the derivation of its own source.
struct Case {
    fixture: Fixture,
    derivation: Derivation,
    system: Box<dyn System>,
    parameters: Vec<f64>,
}

/// A state with inputs.
struct Point {
    state: State,
    inputs: Vec<f64>,
}

impl Case {
    fn new(fixture: Fixture) -> Self {
        let derivation = derive_source(fixture.info.source)
            .unwrap_or_else(|mistakes| panic!("{}: {mistakes:?}", fixture.name));
        let system = random::system(&mut Rng::with_seed(1), &fixture);
        Self { fixture, derivation, system, parameters: Vec::new() }
    }

    fn draw(&mut self, rng: &mut Rng) -> Point {
        self.system = random::system(rng, &self.fixture);
        self.parameters = vec![0.0; self.fixture.info.parameters.len()];
        self.system.parameters(&mut self.parameters);
        let inputs = self.fixture.info.inputs.iter().map(|_| random::between(rng, -2.0, 2.0));
        let inputs = inputs.collect();
        Point { state: random::state(rng, self.fixture.info), inputs }
    }

    /// The value of a symbol of the model at a point.
    fn symbol(&self, point: &Point, symbol: SymbolId) -> f64 {
        match self.derivation.model.pool.symbol_info(symbol).kind {
            SymbolKind::Pi => std::f64::consts::PI,
            SymbolKind::Time => point.state.t,
            SymbolKind::Coordinate(i) => point.state.q[i],
            SymbolKind::Velocity(i) => point.state.v[i],
            SymbolKind::Input(i) => point.inputs[i],
            SymbolKind::Parameter(i) => self.parameters[i],
            kind => panic!("{}: a function reads {kind:?}", self.fixture.name),
        }
    }

    fn interpret(&self, program: &Program, point: &Point) -> Vec<f64> {
        // Partials that a program takes together are computed together: its own list.
        let own = program.partial_lists();
        let partial = |partial, at: &[f64]| {
            let list = own.iter().find(|list| list.contains(&partial));
            self.partial(point, list, partial, at)
        };
        program.evaluate_with(|symbol| self.symbol(point, symbol), partial)
    }

    fn expressions(&self, expressions: &[ExprId], point: &Point) -> Vec<f64> {
        self.estimates(expressions, point).iter().map(|estimate| estimate.value).collect()
    }

    fn estimates(&self, expressions: &[ExprId], point: &Point) -> Vec<Estimate> {
        let symbol = |symbol| Estimate::exact(self.symbol(point, symbol));
        let partial = |partial, at: &[f64]| self.partial(point, None, partial, at);
        self.derivation.model.pool.evaluate_with(expressions, symbol, partial)
    }

    /// A partial of a declared function: that of its default, in the list given or in any.
    fn partial(
        &self,
        point: &Point,
        own: Option<&Vec<Partial>>,
        partial: Partial,
        at: &[f64],
    ) -> f64 {
        let mut lists = self.derivation.programs.functions.iter();
        let list = lists
            .find(|list| own.map_or(list.partials.contains(&partial), |own| list.partials == *own))
            .expect("it is listed");
        let index = list.partials.iter().position(|p| *p == partial).expect("it is in the list");
        let arguments = &self.derivation.model.pool.signature(partial).arguments;
        let symbol = |symbol| match arguments.iter().position(|argument| *argument == symbol) {
            Some(which) => at[which],
            None => self.symbol(point, symbol),
        };
        list.default.as_ref().expect("a default").evaluate(symbol)[index]
    }
}

/// P₀ of every power, then its change with each multiplier where the program has that.
fn powers(case: &Case, point: &Point) -> Vec<f64> {
    let (State { t, q, v }, u) = (&point.state, &point.inputs);
    let (p, k) = (case.fixture.info.powers.len(), held(case.fixture.info));
    let at = |λ: &[f64]| {
        let mut powers = vec![0.0; p];
        case.system.powers(*t, q, v, u, λ, &mut powers);
        powers
    };
    let mut all = at(&vec![0.0; k]);
    if case.derivation.programs.powers.outputs.len() > p {
        let unit = |j: usize| (0..k).map(|i| f64::from(u8::from(i == j))).collect::<Vec<_>>();
        let columns: Vec<Vec<f64>> = (0..k).map(|j| at(&unit(j))).collect();
        for line in 0..p {
            all.extend(columns.iter().map(|column| column[line] - all[line]).collect::<Vec<_>>());
        }
    }
    all
}

/// The generated functions at a point, each by the name of its program.
fn generated(case: &Case, point: &Point) -> Vec<(String, Vec<f64>)> {
    let info = case.fixture.info;
    let (n, k, c) = (info.speeds(), info.rows.len(), info.contacts.len());
    let (system, State { t, q, v }, u) = (&*case.system, &point.state, &point.inputs);
    let energy = system.energy(*t, q, v);
    let mut mass = vec![0.0; n * n];
    system.mass_matrix(*t, q, &mut mass);
    let mut rates = vec![0.0; if info.is_plain() { 0 } else { q.len() }];
    if !rates.is_empty() {
        system.rates(*t, q, v, &mut rates);
    }
    let lower = (0..n).flat_map(|i| mass[i * n..=i * n + i].to_vec()).collect();
    let pair = |first: usize, second: usize, f: &dyn Fn(&mut [f64], &mut [f64])| {
        let (mut a, mut b) = (vec![0.0; first], vec![0.0; second]);
        f(&mut a, &mut b);
        [a, b].concat()
    };
    let sizes: Vec<usize> = info.frictions.iter().map(|friction| friction.components).collect();
    let (f, r) = (coefficients(info), sizes.iter().sum::<usize>());
    let frictions = || {
        let (mut c, mut w) = (vec![0.0; f], vec![0.0; r]);
        let (mut rows, mut drift) = (vec![0.0; r * n], vec![0.0; r]);
        system.frictions(*t, q, v, &mut c, &mut w, &mut rows, &mut drift);
        [c, w, rows, drift].concat()
    };
    let dry_friction = || {
        let mut force = vec![0.0; n];
        let value = system.dry_friction(*t, q, v, &mut force);
        [vec![value], force].concat()
    };
    let one = |size: usize, f: &dyn Fn(&mut [f64])| pair(size, 0, &|a, _| f(a));
    let contact_forces = if case.derivation.programs.contact_forces.outputs.is_empty() {
        Vec::new()
    } else {
        one(c * n, &|f| system.contact_forces(*t, q, v, f))
    };
    let borne_forces = if case.derivation.programs.borne_forces.outputs.is_empty() {
        Vec::new()
    } else {
        one(info.bearers() * n, &|f| system.borne_forces(*t, q, v, u, f))
    };
    let powers = powers(case, point);
    let extents = info.contacts.iter().map(|contact| contact.extents).sum();
    let mut functions: Vec<(String, Vec<f64>)> = [
        ("dynamics", pair(n, k, &|a, λ| system.accelerations(*t, q, v, u, a, λ))),
        ("frictionless", pair(n, k, &|a, λ| system.frictionless(*t, q, v, u, a, λ))),
        ("frictions", frictions()),
        ("dry_friction", dry_friction()),
        ("rates", rates),
        ("mass_matrix", lower),
        ("constraint_rows", pair(k * n, k, &|a, b| system.constraint_rows(*t, q, a, b))),
        ("constraint_rows_at", pair(k * n, k, &|a, b| system.constraint_rows_at(*t, q, v, a, b))),
        ("holonomic", one(info.holonomic_count(), &|φ| system.holonomic(*t, q, φ))),
        ("energy", vec![energy.kinetic, energy.potential, energy.jacobi]),
        ("powers", powers),
        ("gaps", one(c, &|g| system.gaps(*t, q, g))),
        ("gap_rows", pair(c * n, c, &|g, rate| system.gap_rows(*t, q, g, rate))),
        ("contact_forces", contact_forces),
        ("borne_forces", borne_forces),
        ("gap_drift", one(c, &|γ| system.gap_drift(*t, q, v, γ))),
        ("extents", one(extents, &|e| system.extents(*t, q, v, u, e))),
        ("guards", one(info.events.len(), &|g| system.guards(*t, q, v, u, g))),
        ("outputs", one(info.outputs.len(), &|o| system.outputs(*t, q, v, u, o))),
    ]
    .map(|(name, values)| (name.to_owned(), values))
    .into();
    for (index, contact) in info.contacts.iter().enumerate() {
        let s = contact.rows.len();
        let rows = pair(s * n, s, &|a, b| system.contact_rows(index, *t, q, a, b));
        functions.push((format!("rows_{}", contact.name), rows));
        let drift = one(s, &|γ| system.contact_drift(index, *t, q, v, γ));
        functions.push((format!("drift_{}", contact.name), drift));
        functions.push((format!("strike_{}", contact.name), strike(case, point, index)));
    }
    functions
}

/// ∇g, ∂g/∂t, w, ∇g·w of a contact, nothing where it has none.
fn strike(case: &Case, point: &Point, contact: usize) -> Vec<f64> {
    let n = case.fixture.info.speeds();
    let (mut gradient, mut w) = (vec![0.0; n], vec![0.0; n]);
    let strike =
        case.system.impact_direction(contact, point.state.t, &point.state.q, &mut gradient, &mut w);
    strike.map_or(Vec::new(), |strike| [gradient, vec![strike.rate], w, vec![strike.gain]].concat())
}

/// The same operations in the same order: Rust's `f64` never contracts them into fused ones, and
/// `sin_cos` is `sin` and `cos`, so the results are the same bits.
fn check_bits(case: &Case, point: &Point) {
    let programs = &case.derivation.programs;
    let generated = generated(case, point);
    // Without results are, among others, those that are made where they are asked for.
    for program in programs.all().into_iter().filter(|program| !program.outputs.is_empty()) {
        let Some((name, found)) = generated.iter().find(|(name, _)| *name == program.name) else {
            let apart = ["reset_", "when_", "assign_"];
            assert!(apart.iter().any(|start| program.name.starts_with(start)), "{}", program.name);
            continue;
        };
        if *name == "dynamics" && !programs.dynamics_solved {
            continue;
        }
        let wanted = case.interpret(program, point);
        let same = found.len() == wanted.len()
            && found.iter().zip(&wanted).all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(
            same,
            "{} {name}: {found:?}, interpreted {wanted:?}, at {:?}",
            case.fixture.name, point.state
        );
    }
}

/// Each reset writes what its program computes, and leaves the rest alone.
fn check_resets(case: &Case, point: &Point) {
    use eom_symbolic::mechanics::Unknown;
    let model = &case.derivation.model;
    for (index, event) in model.events.iter().enumerate() {
        let (mut q, mut v) = (point.state.q.clone(), point.state.v.clone());
        case.system.reset(index, point.state.t, &mut q, &mut v, &point.inputs);
        let (mut wanted_q, mut wanted_v) = (point.state.q.clone(), point.state.v.clone());
        let values = case.interpret(&case.derivation.programs.resets[index], point);
        for (reset, value) in event.resets.iter().zip(values) {
            match reset.target {
                Unknown::Coordinate(i) => wanted_q[i] = value,
                Unknown::Velocity(i) => wanted_v[i] = value,
            }
        }
        assert_eq!((q, v), (wanted_q, wanted_v), "{} {}", case.fixture.name, event.named.name);
    }
}

/// What a contact assigns is what its program computes, and it is armed where its sides are so.
fn check_contacts(case: &Case, point: &Point) {
    let (model, programs) = (&case.derivation.model, &case.derivation.programs);
    let State { t, q, v } = &point.state;
    for (index, contact) in model.contacts.iter().enumerate() {
        let sides = case.interpret(&programs.contact_conditions[index], point);
        let mut comparisons = contact.when.iter().zip(sides.chunks_exact(2));
        let wanted = comparisons.all(|(bound, sides)| bound.relation.holds(sides[0], sides[1]));
        let name = &contact.named.name;
        assert_eq!(case.system.armed(index, *t, q, v, &point.inputs), wanted, "{name}");
        let (mut found, mut wanted) = (v.clone(), v.clone());
        case.system.assign(index, *t, q, &mut found);
        let values = case.interpret(&programs.contact_assignments[index], point);
        for ((target, _), value) in contact.assigned.iter().zip(values) {
            wanted[*target] = value;
        }
        assert_eq!(found, wanted, "{} {name}", case.fixture.name);
    }
}

/// Euler's theorem: D₁ is homogeneous of degree one, so that its force has the power −D₁.
fn check_power_of_friction(case: &Case, point: &Point) {
    if !case.derivation.equations.friction.is_some() {
        return;
    }
    let State { t, q, v } = &point.state;
    let mut force = vec![0.0; v.len()];
    let value = case.system.dry_friction(*t, q, v, &mut force);
    let terms = || force.iter().zip(v).map(|(force, v)| force * v);
    let size = value.abs() + terms().map(f64::abs).sum::<f64>();
    let error = (terms().sum::<f64>() + value).abs();
    assert!(error <= EVALUATION_TOLERANCE * size, "{}: {error:e} of {value}", case.fixture.name);
}

/// The functions that are not solved for, against their expressions.
fn check_expressions(case: &Case, point: &Point) {
    let (equations, model) = (&case.derivation.equations, &case.derivation.model);
    let gaps: Vec<ExprId> = equations.contacts.iter().map(|c| c.gap).collect();
    let gradients = equations.contacts.iter().flat_map(|c| c.gradient.clone());
    let rates = equations.contacts.iter().map(|c| c.rate);
    let forces = if case.derivation.programs.contact_forces.outputs.is_empty() {
        Vec::new()
    } else {
        equations.contacts.iter().flat_map(|c| c.force.clone()).collect()
    };
    let lower = equations.mass.kept().iter().enumerate().flat_map(|(i, row)| row[..=i].to_vec());
    let friction = &equations.friction;
    let each = |part: fn(&PointFriction) -> Vec<ExprId>| friction.points.iter().flat_map(part);
    let frictions = each(|p| vec![p.coefficient])
        .chain(each(|p| p.borne.map(|borne| borne.at_rest).into_iter().collect()))
        .chain(each(|p| p.weights.clone()))
        .chain(each(|p| p.components.clone()))
        .chain(each(|p| p.rows.concat()))
        .chain(each(|p| p.drift.clone()));
    let dry_friction: Vec<ExprId> =
        friction.value.into_iter().chain(friction.force.clone()).collect();
    let drifts = equations.contacts.iter().map(|c| c.drift);
    let borne = if case.derivation.programs.borne_forces.outputs.is_empty() {
        Vec::new()
    } else {
        let none = vec![ExprPool::ZERO; model.speeds.len()];
        let holds = friction.points.iter().any(|p| !p.beside.is_empty());
        let beside = friction.points.iter().filter(|_| holds).flat_map(|p| {
            let beside = |i: usize| p.beside.get(i).cloned().unwrap_or_else(|| none.clone());
            (0..p.components.len()).flat_map(beside).collect::<Vec<_>>()
        });
        let of_contacts = model.contacts.iter().map(|c| &c.borne);
        let of_contacts = of_contacts.map(|borne| if borne.is_empty() { &none } else { borne });
        of_contacts.chain(&equations.borne).flatten().copied().chain(beside).collect()
    };
    let wanted: [(&str, Vec<ExprId>); 13] = [
        ("frictions", frictions.collect()),
        ("dry_friction", dry_friction),
        ("mass_matrix", lower.collect()),
        ("constraint_rows", [equations.rows.concat(), equations.affine.clone()].concat()),
        ("holonomic", equations.holonomic.clone()),
        ("energy", vec![equations.kinetic, equations.potential, equations.jacobi]),
        ("gaps", gaps),
        ("gap_rows", gradients.chain(rates).collect()),
        ("contact_forces", forces),
        ("borne_forces", borne),
        ("gap_drift", drifts.collect()),
        ("guards", model.events.iter().map(|event| event.guard).collect()),
        ("outputs", model.outputs.iter().map(|output| output.value).collect()),
    ];
    let generated = generated(case, point);
    for (name, expressions) in wanted {
        let wanted = case.estimates(&expressions, point);
        let (_, found) =
            generated.iter().find(|(other, _)| *other == name).expect("every function is there");
        if expressions.is_empty() && !found.is_empty() {
            continue;
        }
        assert_eq!(found.len(), wanted.len(), "{} {name}", case.fixture.name);
        let spread = name == "dry_friction" && friction.spread.is_some();
        let tolerance = if spread { SPREAD_TOLERANCE } else { EVALUATION_TOLERANCE };
        for (i, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
            let error = (found - wanted.value).abs();
            assert!(
                error <= tolerance * wanted.size.max(f64::MIN_POSITIVE),
                "{} {name}[{i}]: {found:e}, expression {:e}",
                case.fixture.name,
                wanted.value
            );
        }
    }
}

/// Every system at random states with random parameters, by one check.
fn each(seed: u64, check: impl Fn(&Case, &Point)) {
    for fixture in every_system() {
        let mut rng = Rng::with_seed(seed);
        let mut case = Case::new(fixture);
        for _ in 0..STATES {
            let point = case.draw(&mut rng);
            check(&case, &point);
        }
    }
}

#[test]
fn generated_rust_is_its_program_bit_for_bit() {
    each(0xB175, |case, point| {
        check_bits(case, point);
        check_resets(case, point);
        check_contacts(case, point);
    });
}

/// With constants that were computed before, for the same parameters, and in which something is prepared.
#[test]
fn prepared_accelerations_are_the_accelerations_bit_for_bit() {
    let constants = std::cell::Cell::new(0);
    each(0x9E9A, |case, point| {
        let (n, k) = (case.fixture.info.speeds(), case.fixture.info.rows.len());
        let (system, State { t, q, v }, u) = (&*case.system, &point.state, &point.inputs);
        let mut c = vec![0.0; system.prepared()];
        system.prepare(&mut c);
        constants.set(constants.get() + c.len());
        let bits = |f: &dyn Fn(&mut [f64], &mut [f64])| {
            let (mut a, mut λ) = (vec![0.0; n], vec![0.0; k]);
            f(&mut a, &mut λ);
            a.iter().chain(&λ).map(|x| x.to_bits()).collect::<Vec<u64>>()
        };
        let wanted = bits(&|a, λ| system.accelerations(*t, q, v, u, a, λ));
        let found = bits(&|a, λ| system.prepared_accelerations(&c, *t, q, v, u, a, λ));
        assert_eq!(found, wanted, "{}", case.fixture.name);
    });
    assert!(constants.get() > 0, "no system has constants");
}

#[test]
fn generated_rust_solves_the_derived_equations() {
    for fixture in every_system() {
        let mut rng = Rng::with_seed(0xD15E);
        let mut case = Case::new(fixture);
        let mut solved = 0;
        for _ in 0..4 * STATES {
            let point = case.draw(&mut rng);
            solved += usize::from(check_dynamics(&case, &point));
        }
        assert!(solved >= STATES, "{}: {solved} states are well conditioned", case.fixture.name);
    }
}

#[test]
fn pairing_signs_are_those_of_the_determinant() {
    each(0xDE7, check_pairing);
}

#[test]
fn strikes_solve_the_equations_of_the_impact() {
    each(0x57C1, check_strikes);
}

#[test]
fn generated_functions_are_their_expressions() {
    each(0xE4B2, |case, point| {
        check_expressions(case, point);
        check_power_of_friction(case, point);
    });
}

/// The solve of a large system is left to loops, and that with multipliers in forces.
#[test]
fn the_solve_is_unrolled_or_left_to_loops() {
    let solved = |fixture: Fixture| Case::new(fixture).derivation.programs.dynamics_solved;
    let looped: Vec<&str> =
        every_system().into_iter().filter(|f| !solved(*f)).map(|f| f.name).collect();
    assert_eq!(
        looped,
        ["newton-ball", "lattice", "slider", "sliding_rod", "leaning_wall", "ladder"]
    );
}

/// Chains are solved by the forms of their velocities: what hangs on a cart, in the angles of the joints
/// or not, on a telescope that is shaken, branched or closed, and what is left to loops else. Where all
/// masses are points at the ends of rods, for the tensions.
#[test]
fn chains_are_solved_by_forms() {
    let solved_for = |fixture: &Fixture| Case::new(*fixture).derivation.programs.passes.solved_for;
    let chains = |unknowns: SolvedFor| -> Vec<&str> {
        let fixtures = every_system().into_iter();
        fixtures.filter(|f| solved_for(f) == unknowns).map(|f| f.name).collect()
    };
    assert_eq!(chains(SolvedFor::Bodies), ["rods_on_cart", "tree", "closed_chain"]);
    assert_eq!(chains(SolvedFor::Tensions), ["rusty_chain", "rope", "mobile"]);
}

/// A mass that may be 0 is no divisor.
#[test]
fn masses_without_bounds_are_not_divided_by() {
    let solved_for = |masses: &str, mass: &str| {
        let source = format!(
            "system Chain {{ coordinates {{ θ[1..=6] }} parameters {{ {masses}, g = 9.81 }}
            let X[i in 1..=6] = sum(sin(θ[k]), k in 1..=i);
            let Y[i in 1..=6] = -sum(cos(θ[k]), k in 1..=i);
            kinetic = sum({mass}/2*(Ẋ[i]^2 + Ẏ[i]^2), i in 1..=6);
            potential = g*sum({mass}*Y[i], i in 1..=6); }}"
        );
        derive_source(&source).map(|derivation| derivation.programs.passes.solved_for).ok()
    };
    let cases = [
        ("m[i in 1..=6] = 1 where m[i] > 0", "m[i]", SolvedFor::Tensions),
        ("m[i in 1..=6] = 1", "m[i]", SolvedFor::Bodies),
        ("m = 1", "m", SolvedFor::Tensions),
    ];
    for (masses, mass, unknowns) in cases {
        assert_eq!(solved_for(masses, mass), Some(unknowns), "{masses}");
    }
}

/// The dynamics after each pass, and the statements of all programs: what rustc reads.
#[test]
fn operations_after_each_pass() {
    let mut table = String::from(
        "system | lowered | products shared | form taken | sums fused | per evaluation | live at most | statements: dynamics, all\n",
    );
    for fixture in every_system() {
        let case = Case::new(fixture);
        let programs = &case.derivation.programs;
        let statements = |listing: &str| {
            let lines = listing.lines().filter(|line| line.starts_with("  "));
            lines.filter(|line| !line.starts_with("  →")).count()
        };
        let Passes { lowered, shared, taken, fused, solved_for } = programs.passes;
        let form = match solved_for {
            SolvedFor::Accelerations => "",
            SolvedFor::Bodies => " by forms",
            SolvedFor::Tensions => " by tensions",
        };
        let own = statements(&programs.dynamics.listing(&case.derivation.model.pool));
        let all = statements(&case.derivation.listings());
        let each = programs.prepared.dynamics.op_counts();
        let name = case.fixture.name;
        let live = programs.prepared.dynamics.live_at_most();
        let row = format!(
            "{name} | {lowered} | {shared} | {taken}{form} | {fused} | {each} | {live} | {own}, {all}"
        );
        table.extend([row.as_str(), "\n"]);
    }
    insta::assert_snapshot!(table);
}
