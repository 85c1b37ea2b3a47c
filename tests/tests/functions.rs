//! Declared functions at run time: partials against symbolic derivatives, motions against equations
//! written by hand, and what is said of functions that cannot be used.

use eom_codegen::formula_source;
use eom_core::function::{ORDER_MAX, Orders};
use eom_core::info::FunctionInfo;
use eom_core::system::{Contacts, Events, Friction, Specialised};
use eom_core::{
    Declared, End, Energy, ParameterError, Smooth, SmoothFunction, StartError, State, System,
    simulate,
};
use eom_tests::systems::{Green, Probe, Surface};
use eom_tests::{random, run, until};
use fastrand::Rng;
use std::ops::ControlFlow;

fn check(what: &str, found: f64, wanted: f64, tolerance: f64) {
    let error = (found - wanted).abs();
    assert!(error <= tolerance, "{what}: {found:e}, wanted {wanted:e}, error {error:e}");
}

/// All orders up to 4 in some arguments.
fn orders(arity: usize) -> Vec<Orders> {
    let range = |which: usize| 0..=if which < arity { ORDER_MAX as u8 } else { 0 };
    let all = range(0).flat_map(|a| range(1).flat_map(move |b| range(2).map(move |c| [a, b, c])));
    all.filter(|o| o.iter().map(|n| usize::from(*n)).sum::<usize>() <= ORDER_MAX).collect()
}

/// A function over jets has the partials that algebra gives the same formula.
fn check_partials(text: &str, function: &SmoothFunction) {
    let function = function.given().expect("it is given");
    let arity = function.arity();
    let formula = formula_source(text, &["x", "y", "z"][..arity], &[]).expect("it is a formula");
    let orders = orders(arity);
    let mut rng = Rng::with_seed(7);
    for _ in 0..20 {
        let point: Vec<f64> = (0..arity).map(|_| random::between(&mut rng, 0.2, 0.8)).collect();
        let (mut found, mut wanted) = (vec![0.0; orders.len()], vec![0.0; orders.len()]);
        function.partials(&point, &orders, &mut found);
        formula.partials(&point, &orders, &mut wanted);
        // The larger the derivatives of an order, the larger the terms that meet in one of them.
        let largest = wanted.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        for ((found, wanted), orders) in found.iter().zip(&wanted).zip(&orders) {
            check(&format!("{text} {orders:?} at {point:?}"), *found, *wanted, 1e-13 * largest);
        }
    }
}

#[test]
fn jets_have_the_symbolic_derivatives() {
    check_partials(
        "sin(3*x) + 2*cos(x)^3",
        &SmoothFunction::of(|[x]| (3.0 * x).sin() + 2.0 * x.cos().powi(3)),
    );
    check_partials(
        "tan(x)*exp(-x) - ln(x)/x",
        &SmoothFunction::of(|[x]| x.tan() * (-x).exp() - x.ln() / x),
    );
    check_partials(
        "asin(x) + acos(x^2) - atan(2*x)",
        &SmoothFunction::of(|[x]| x.asin() + (x * x).acos() - (2.0 * x).atan()),
    );
    check_partials(
        "sinh(x)*cosh(2*x) + tanh(x)",
        &SmoothFunction::of(|[x]| x.sinh() * (2.0 * x).cosh() + x.tanh()),
    );
    check_partials(
        "sqrt(x) + x^2.5 - x^(-3) + 1/(1 + x)",
        &SmoothFunction::of(|[x]| x.sqrt() + x.powf(2.5) - x.powi(-3) + 1.0 / (1.0 + x)),
    );
    check_partials(
        "1/10*sin(3*x)*cos(y) + x^y",
        &SmoothFunction::of(|[x, y]| 0.1 * (x * 3.0).sin() * y.cos() + x.pow(y)),
    );
    check_partials(
        "atan2(y, x) + atan2(x, -y) + abs(-x*y)",
        &SmoothFunction::of(|[x, y]| y.atan2(x) + x.atan2(-y) + (-x * y).abs()),
    );
    check_partials(
        "(x - y)/(x + 2*y) - sqrt(x*y)",
        &SmoothFunction::of(|[x, y]| (x - y) / (x + 2.0 * y) - (x * y).sqrt()),
    );
    check_partials(
        "x*y^2*z^3 + sin(x*y + z)",
        &SmoothFunction::of(|[x, y, z]| x * y.powi(2) * z.powi(3) + (x * y + z).sin()),
    );
    check_partials(
        "exp(x/y)*sqrt(1 - z^2) - 2",
        &SmoothFunction::of(|[x, y, z]| {
            let mut f = (x / y).exp();
            f *= (1.0 - z * z).sqrt();
            f -= 2.0;
            f
        }),
    );
}

/// Polynomials have exact derivatives where x is 0, and no derivatives above their degree.
#[test]
fn powers_at_zero() {
    let table: [(SmoothFunction, [f64; 5]); 4] = [
        (SmoothFunction::of(|[x]| x.powi(3)), [0.0, 0.0, 0.0, 6.0, 0.0]),
        (SmoothFunction::of(|[x]| x.powf(2.0)), [0.0, 0.0, 2.0, 0.0, 0.0]),
        (SmoothFunction::of(|[x]| (x * x).cos()), [1.0, 0.0, 0.0, 0.0, -12.0]),
        (SmoothFunction::of(|[x]| 3.0 - x / 2.0), [3.0, -0.5, 0.0, 0.0, 0.0]),
    ];
    for (function, wanted) in table {
        let mut found = [0.0; 5];
        let orders: [Orders; 5] = std::array::from_fn(|n| [n as u8, 0, 0]);
        function.given().expect("it is given").partials(&[0.0], &orders, &mut found);
        assert_eq!(found, wanted);
    }
}

/// Partials (f, f_x, f_y, f_xx, f_xy, f_yy) of a surface, written by hand.
type ByHand = fn(f64, f64) -> [f64; 6];

fn quadric(x: f64, y: f64) -> [f64; 6] {
    [0.3 * x * x + 0.2 * x * y - 0.1 * y * y, 0.6 * x + 0.2 * y, 0.2 * x - 0.2 * y, 0.6, 0.2, -0.2]
}

fn waves(x: f64, y: f64) -> [f64; 6] {
    let ((s, c), (sy, cy)) = ((3.0 * x).sin_cos(), y.sin_cos());
    [0.1 * s * cy, 0.3 * c * cy, -0.1 * s * sy, -0.9 * s * cy, -0.3 * c * sy, -0.1 * s * cy]
}

/// A green written by hand after (6) of the document.
struct Twin {
    surface: ByHand,
    m: f64,
    g: f64,
    μ: f64,
}

impl System for Twin {
    fn info(&self) -> &'static eom_core::info::SystemInfo {
        Green::INFO
    }

    fn accelerations(&self, _: f64, q: &[f64], v: &[f64], _: &[f64], a: &mut [f64], _: &mut [f64]) {
        let Self { surface, m, g, μ } = self;
        let [_, fx, fy, fxx, fxy, fyy] = surface(q[0], q[1]);
        let (x, y) = (v[0], v[1]);
        let bend = m * (x * x * fxx + 2.0 * x * y * fxy + y * y * fyy + g);
        let inertia = m * (1.0 + fx * fx + fy * fy);
        a[0] = (-μ * x - fx * bend + μ * y * fx * fy - μ * x * fy * fy) / inertia;
        a[1] = (-μ * y - fy * bend + μ * x * fx * fy - μ * y * fx * fx) / inertia;
    }

    fn mass_matrix(&self, _: f64, q: &[f64], m: &mut [f64]) {
        let [_, fx, fy, ..] = (self.surface)(q[0], q[1]);
        let rows = [1.0 + fx * fx, fx * fy, fx * fy, 1.0 + fy * fy];
        m.iter_mut().zip(rows).for_each(|(m, entry)| *m = self.m * entry);
    }

    fn energy(&self, _: f64, q: &[f64], v: &[f64]) -> Energy {
        let [f, fx, fy, ..] = (self.surface)(q[0], q[1]);
        let rise = fx * v[0] + fy * v[1];
        let kinetic = self.m / 2.0 * (v[0] * v[0] + v[1] * v[1] + rise * rise);
        let potential = self.m * self.g * f;
        Energy { kinetic, potential, jacobi: kinetic + potential }
    }

    fn parameters(&self, values: &mut [f64]) {
        values.copy_from_slice(&[self.m, self.g, self.μ]);
    }
}

impl Contacts for Twin {}

impl Events for Twin {}

impl Friction for Twin {}

impl Specialised for Twin {}

/// The same motion as the twin's; without friction the energy stays.
fn check_motion(surface: ByHand, f: &SmoothFunction, μ: f64) {
    let green = Green { m: 2.0, μ, ..Green::new(f.clone()) };
    let twin = Twin { surface, m: green.m, g: green.g, μ };
    let start = State::new(0.0, [0.3, -0.2], [0.5, 0.7]);
    let (found, wanted) = (run(&green, &start, &until(3.0)), run(&twin, &start, &until(3.0)));
    assert!(matches!(found.end, End::ReachedTime { .. }), "{}", found.end);
    let (last, other) = (found.last().expect("samples"), wanted.last().expect("samples"));
    for (found, wanted) in last.q.iter().chain(&last.v).zip(other.q.iter().chain(&other.v)) {
        check("at the end", *found, *wanted, 1e-11);
    }
    let energy = |state: &State| green.energy(state.t, &state.q, &state.v).total();
    let lost = energy(&start) - energy(last);
    if μ == 0.0 {
        check("energy", lost, 0.0, 1e-12 * energy(&start).abs().max(1.0));
    } else {
        assert!(lost > 0.01, "friction takes energy: {lost}");
    }
}

/// The waves with partials of their own, in place of those of jets.
struct Waves;

impl Smooth for Waves {
    fn arity(&self) -> usize {
        2
    }

    fn partials(&self, point: &[f64], orders: &[Orders], values: &mut [f64]) {
        let all = waves(point[0], point[1]);
        let known = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [2, 0, 0], [1, 1, 0], [0, 2, 0]];
        for (value, orders) in values.iter_mut().zip(orders) {
            let at = known.iter().position(|known| known == orders);
            *value = at.map_or(f64::NAN, |at| all[at]);
        }
    }
}

#[test]
fn a_particle_on_a_surface_moves_as_its_twin() {
    let of_jets = SmoothFunction::of(|[x, y]| 0.3 * x * x + 0.2 * x * y - 0.1 * y * y);
    check_motion(quadric, &of_jets, 0.0);
    check_motion(quadric, &of_jets, 0.4);
    let of_jets = SmoothFunction::of(|[x, y]| 0.1 * (3.0 * x).sin() * y.cos());
    check_motion(waves, &of_jets, 0.0);
    check_motion(waves, &of_jets, 0.4);
    check_motion(waves, &SmoothFunction::new(Waves), 0.0);
}

/// A function given over jets, and the default of the declaration, are one.
#[test]
fn a_given_function_replaces_the_default() {
    let declared = Surface::default();
    let given = Surface {
        f: SmoothFunction::of(|[x, y]| 0.3 * x.sin() * (2.0 * y).cos()),
        ..Surface::default()
    };
    let mut rng = Rng::with_seed(3);
    for _ in 0..50 {
        let state = random::state(&mut rng, Surface::INFO);
        let (mut a, mut b) = ([0.0; 2], [0.0; 2]);
        declared.accelerations(0.0, &state.q, &state.v, &[], &mut a, &mut []);
        given.accelerations(0.0, &state.q, &state.v, &[], &mut b, &mut []);
        let scale = a.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        check("ẍ", a[0], b[0], 1e-13 * scale);
        check("ÿ", a[1], b[1], 1e-13 * scale);
    }
}

/// The default reads the parameters as they are, not as they were.
#[test]
fn a_default_follows_its_parameters() {
    let mut probe = Probe::default();
    let mut gap = [0.0];
    // At θ = 0, t = 0 the tip is at X = 0: the gap is z − l − a.
    for a in [0.1, 0.25] {
        probe.a = a;
        probe.gaps(0.0, &[3.0, 0.0], &mut gap);
        check("gap", gap[0], 3.0 - 1.0 - a, 1e-15);
    }
    let scenario = probe.scenario(0).expect("dropped");
    check("z = h(l) + 2*l", scenario.q[0], 0.25 * 3.0_f64.cos() + 2.0, 1e-15);
}

/// Elastic impacts on a moving, curved ground: with the slider at rest the energy stays.
#[test]
fn a_contact_with_a_function_keeps_the_energy() {
    let probe = Probe { b: 0.0, ..Probe::default() };
    let start = State::new(0.0, [2.5, 1.0], [0.0, 1.0]);
    let trajectory = run(&probe, &start, &until(2.0));
    assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{}", trajectory.end);
    assert!(
        trajectory
            .events
            .iter()
            .any(|event| matches!(event.kind, eom_core::EventKind::Impact { .. }))
    );
    let energy = |state: &State| probe.energy(state.t, &state.q, &state.v).total();
    check("energy", energy(trajectory.last().expect("samples")), energy(&start), 1e-11);
}

#[test]
fn functions_that_cannot_be_used_are_refused() {
    let missing = ParameterError::MissingFunction { name: "f" };
    assert_eq!(Green::with_parameters(&[None, None, None]), Err(missing.clone()));
    assert_eq!(missing.to_string(), "function `f` has no default: give it a function");
    let other = SmoothFunction::of(|[x]| x);
    let arity = ParameterError::FunctionArguments { name: "f", expected: 2, found: 1 };
    assert_eq!(
        Green::with_functions(&[None, None, None], std::slice::from_ref(&other)),
        Err(arity.clone())
    );
    assert_eq!(Green::new(other).check_parameters(), Err(arity));
    let plane = SmoothFunction::of(|[x, y]| 0.1 * x - 0.2 * y);
    let green = Green::with_functions(&[None, None, None], std::slice::from_ref(&plane));
    assert_eq!(green, Ok(Green::new(plane)));
}

/// A plane that ends at x = 1/2.
struct Ledge;

impl Smooth for Ledge {
    fn arity(&self) -> usize {
        2
    }

    fn partials(&self, point: &[f64], _: &[Orders], values: &mut [f64]) {
        values.fill(if point[0] <= 0.5 { 0.0 } else { f64::NAN });
    }
}

/// Where f leaves its domain a run ends and says so.
#[test]
fn a_run_ends_where_the_function_does() {
    let green = Green::new(SmoothFunction::new(Ledge));
    let trajectory = run(&green, &State::new(0.0, [0.0, 0.0], [2.0, 0.0]), &until(10.0));
    let End::NonFinite { t, .. } = trajectory.end else { panic!("{}", trajectory.end) };
    check("the end of the plane", t, 0.25, 1e-12);
    let root = Green::new(SmoothFunction::of(|[x, _]| x.sqrt()));
    let start = State::new(0.0, [-1.0, 0.0], [0.0, 0.0]);
    let refused = simulate(&root, &start, &[], &until(1.0), &mut |_| ControlFlow::Continue(()));
    assert!(matches!(refused, Err(StartError::Metric(_))), "{refused:?}");
}

#[test]
fn functions_are_described() {
    let described =
        |name, doc, arguments, default| FunctionInfo { name, ascii: name, doc, arguments, default };
    let height = "Height of the surface.";
    assert_eq!(Green::INFO.functions, [described("f", height, &["x", "y"], None)]);
    let default = Some("0.3*sin(x)*cos(2*y)");
    assert_eq!(Surface::INFO.functions, [described("f", height, &["x", "y"], default)]);
    assert_eq!(Probe::INFO.functions[1].arguments, ["t"]);
}
