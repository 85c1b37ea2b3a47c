//! The interpreter against generated Rust: the same tables, the same bits of every function, the
//! same runs.

use eom_core::impact::ImpactMap;
use eom_core::info::SystemInfo;
use eom_core::{
    Contacts, Law, Method, Options, ParameterError, SmoothFunction, System, run_scenario,
};
use eom_interpreter::Interpreted;
use eom_tests::random;
use eom_tests::systems::{Fixture, every_system, nonlinear};
use eom_tests::values::all;
use fastrand::Rng;
use std::fs;
use std::path::Path;

/// States with random parameters for each system.
const STATES: usize = 20;

fn interpreted(fixture: &Fixture) -> Interpreted {
    Interpreted::new(fixture.info.source)
        .unwrap_or_else(|mistakes| panic!("{}: {mistakes:?}", fixture.name))
}

fn parameters(system: &dyn System) -> Vec<f64> {
    let mut values = vec![0.0; system.info().parameters.len()];
    system.parameters(&mut values);
    values
}

fn same_bits(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

/// Both at random states, function by function.
fn check_states(name: &str, compiled: &dyn System, read: &dyn System, rng: &mut Rng) {
    let info = compiled.info();
    let (state, inputs) = (random::state(rng, info), info.inputs.iter());
    let inputs: Vec<f64> = inputs.map(|_| random::between(rng, -2.0, 2.0)).collect();
    let (wanted, found) = (all(compiled, &state, &inputs), all(read, &state, &inputs));
    assert_eq!(wanted.len(), found.len());
    for ((function, wanted), (_, found)) in wanted.iter().zip(&found) {
        assert!(same_bits(wanted, found), "{name} {function}: {found:?}, compiled {wanted:?}");
    }
    assert!(same_bits(&parameters(compiled), &parameters(read)), "{name}: parameters");
    for contact in 0..=info.contacts.len() {
        // Past the last contact there is none: a restitution that is not a number.
        let [wanted, found] = [compiled, read].map(|s| format!("{:?}", s.law(contact)));
        assert_eq!(wanted, found, "{name}: law {contact}");
    }
    for scenario in 0..=info.scenarios.len() {
        let [wanted, found] = [compiled, read].map(|s| s.scenario(scenario));
        assert_eq!(wanted, found, "{name}: scenario {scenario}");
    }
}

#[test]
fn the_tables_are_those_of_the_macro() {
    for fixture in every_system().into_iter().chain(nonlinear()) {
        assert_eq!(interpreted(&fixture).info(), fixture.info, "{}", fixture.name);
    }
}

/// Solves that are left to loops too: the interpreter runs them in the same order.
#[test]
fn every_function_has_the_bits_of_generated_rust() {
    for fixture in every_system().into_iter().chain(nonlinear()) {
        let mut rng = Rng::with_seed(0x171E);
        let read = interpreted(&fixture);
        for _ in 0..STATES {
            let compiled = random::system(&mut rng, &fixture);
            let overrides: Vec<Option<f64>> =
                parameters(&*compiled).into_iter().map(Some).collect();
            let read = read.with_parameters(&overrides).unwrap();
            let mut same = rng.clone();
            check_states(fixture.name, &*compiled, &read, &mut rng);
            check_states(fixture.name, &*compiled, &read.interpreted(), &mut same);
        }
    }
}

/// With functions of one's own in place of those of the declaration.
#[test]
fn given_functions_have_the_same_bits() {
    let given = |arity: usize| match arity {
        1 => SmoothFunction::of(|[x]| 0.3 * (2.0 * x).sin()),
        2 => SmoothFunction::of(|[x, y]| 0.1 * (3.0 * x).sin() * y.cos()),
        _ => SmoothFunction::of(|[x, y, z]| x.sin() * y.cos() + z * z),
    };
    let mut checked = 0;
    for model in models::catalogue().iter().filter(|model| !model.info.functions.is_empty()) {
        let functions: Vec<SmoothFunction> =
            model.info.functions.iter().map(|function| given(function.arguments.len())).collect();
        let none = vec![None; model.info.parameters.len()];
        let compiled = (model.build_with)(&none, &functions).unwrap();
        let read = Interpreted::new(model.info.source).unwrap();
        let read = read.with_functions(&none, &functions).unwrap();
        let mut rng = Rng::with_seed(0xF00D);
        for _ in 0..STATES {
            check_states(model.name, &*compiled, &read, &mut rng);
            check_states(model.name, &*compiled, &read.clone().interpreted(), &mut rng);
        }
        checked += 1;
    }
    assert!(checked > 2, "{checked} models have functions");
}

/// Where the default scenario takes long without generated code, a piece of it.
const SHORT: [(&str, f64); 1] = [("flat-board", 0.02)];

/// A model of the catalogue read from its file.
fn from_file(model: &models::ModelEntry) -> Interpreted {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let path = root.join(format!("models/eom/{}.eom", model.name));
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{}: {mistakes:?}", model.name))
}

/// Impacts under every law at random states: the velocity after, and the projector.
fn check_impacts(name: &str, compiled: &dyn System, read: &dyn System, rng: &mut Rng) {
    let info = compiled.info();
    let laws = [Law::Elastic, Law::Plastic, Law::Restitution(0.3), Law::Project];
    for contact in 0..info.contacts.len() {
        let state = random::state(rng, info);
        for law in laws.into_iter().chain([compiled.law(contact)]) {
            let [wanted, found] = [compiled, read].map(|system| {
                let mut map = ImpactMap::new(system);
                let loaded = map.load(system, contact, state.t, &state.q).is_ok();
                let (mut v, mut p) = (state.v.clone(), vec![0.0; state.v.len().pow(2)]);
                let rates = map.transform(system, law, &mut v).ok();
                map.projector(&mut p);
                (loaded, rates.map(|rates| [rates.minus, rates.plus]), v, p)
            });
            assert!(
                same_bits(&wanted.2, &found.2) && same_bits(&wanted.3, &found.3),
                "{name}, contact {contact} under {law:?}: {found:?}, compiled {wanted:?}"
            );
            assert_eq!((wanted.0, wanted.1), (found.0, found.1), "{name}, contact {contact}");
        }
    }
}

/// Every model from its file: tables, functions, impacts, and the whole run of its first scenario.
#[test]
fn every_file_does_what_the_model_does_bit_for_bit() {
    for model in models::catalogue() {
        let none = vec![None; model.info.parameters.len()];
        let (name, compiled, read) = (model.name, (model.build)(&none).unwrap(), from_file(model));
        let tables = SystemInfo { source: model.info.source, ..*read.info() };
        assert_eq!(&tables, model.info, "{name}: a file says nothing else, but for its layout");
        let mut rng = Rng::with_seed(0xF17E);
        for _ in 0..STATES {
            check_states(name, &*compiled, &read, &mut rng);
            check_impacts(name, &*compiled, &read, &mut rng);
            check_states(name, &*compiled, &read.clone().interpreted(), &mut rng);
        }
        // What is long has integrals: no machine code and no series.
        let is_long = SHORT.iter().any(|(short, _)| *short == name);
        let methods = [Method::RungeKutta, Method::Taylor];
        for method in methods.into_iter().take(if is_long { 1 } else { 2 }) {
            check_runs(model, method, &*compiled, [&read, &read.clone().interpreted()]);
        }
    }
}

/// The run of the first scenario: compiled, and read with machine code and without.
fn check_runs(
    model: &models::ModelEntry,
    method: Method,
    compiled: &dyn System,
    read: [&Interpreted; 2],
) {
    let name = model.name;
    let until = SHORT.iter().find(|(short, _)| *short == name).map(|(_, t)| *t);
    let options = Options { until_time: until, method, ..Options::default() };
    let run = |system: &dyn System| {
        run_scenario(system, model.info.scenarios[0].name, &options)
            .unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let wanted = run(compiled);
    assert!(wanted.samples.len() > 1, "{name} moves");
    let once = usize::from(until.is_some());
    for read in &read[once..] {
        let (found, coded) = (run(*read), read.is_machine_code());
        let who = format!("{name} by {method:?}, machine code: {coded}");
        assert_eq!(wanted.samples, found.samples, "{who}");
        assert_eq!(wanted.events, found.events, "{who}");
        assert_eq!(wanted.end, found.end, "{who}");
    }
}

/// No file without a model.
#[test]
fn files_are_those_of_the_catalogue() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("models/eom");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut files: Vec<String> = files.map(|name| name.into_string().unwrap()).collect();
    let models = models::catalogue().iter().map(|model| format!("{}.eom", model.name));
    let mut models: Vec<String> = models.collect();
    files.sort();
    models.sort();
    assert_eq!(files, models);
}

#[test]
fn defaults_follow_the_values_before_them_and_bounds_are_checked() {
    let source = "system Bead {
        coordinates { x }
        parameters { m = 2 where m > 0, w = 3*m, k }
        function f(x);
        kinetic = m/2*(ẋ^2 + ḟ^2);
        potential = k/2*x^2 + w*f;
        contact floor { gap = x; impact = restitution(m/8); }
    }";
    let bead = Interpreted::new(source).unwrap();
    let missing = ParameterError::Missing { name: "k" };
    assert_eq!(bead.check_parameters(), Err(missing.clone()));
    assert_eq!(bead.with_parameters(&[Some(1.0)]).err(), Some(missing));
    let function = ParameterError::MissingFunction { name: "f" };
    assert_eq!(bead.with_parameters(&[None, None, Some(1.0)]).err(), Some(function));

    let plane = [SmoothFunction::of(|[x]| 0.5 * x)];
    let built = bead.with_functions(&[Some(4.0), None, Some(1.0)], &plane).unwrap();
    assert_eq!(parameters(&built), [4.0, 12.0, 1.0]);
    assert_eq!(built.law(0), Law::Restitution(0.5));
    // ẍ (1 + f'²) m = −k x − w f'
    let (mut a, x) = ([0.0], 0.7);
    built.accelerations(0.0, &[x], &[0.3], &[], &mut a, &mut []);
    assert!((a[0] + (x + 6.0) / 5.0).abs() < 1e-15, "{}", a[0]);

    let bound = bead.with_functions(&[Some(-1.0), None, Some(1.0)], &plane).err();
    assert_eq!(bound.unwrap().to_string(), "parameter `m` = -1 violates its bound m > 0");
    let nan = bead.with_functions(&[None, Some(f64::NAN), Some(1.0)], &plane).err();
    assert_eq!(nan.unwrap().to_string(), "parameter `w` = NaN is not a finite number");
    let two = [SmoothFunction::of(|[x, y]| x * y)];
    let arguments = bead.with_functions(&[None, None, Some(1.0)], &two).err();
    assert!(arguments.unwrap().to_string().contains("function of 2 arguments"));
}

/// The potential of an interpreted system.
#[derive(Debug)]
struct Potential(Interpreted);

impl eom_core::Smooth for Potential {
    fn arity(&self) -> usize {
        1
    }
    fn partials(&self, x: &[f64], orders: &[eom_core::function::Orders], values: &mut [f64]) {
        let mut a = [0.0];
        self.0.accelerations(0.0, x, &[0.0], &[], &mut a, &mut []);
        for (value, orders) in values.iter_mut().zip(orders) {
            *value = match orders[0] {
                0 => self.0.energy(0.0, x, &[0.0]).potential,
                1 => -a[0],
                _ => f64::NAN,
            };
        }
    }
}

/// A declared function that runs an interpreted system itself.
#[test]
fn interpreted_systems_may_call_each_other() {
    let inner =
        Interpreted::new("system Well { coordinates { x } kinetic = ẋ^2/2; potential = x^4; }");
    let inner = inner.unwrap();
    let outer = "system Outer { coordinates { x } function f(x); kinetic = ẋ^2/2; potential = f; }";
    let outer = Interpreted::new(outer).unwrap();
    let outer = outer.with_functions(&[], &[SmoothFunction::new(Potential(inner))]).unwrap();
    let mut a = [0.0];
    outer.accelerations(0.0, &[0.5], &[0.0], &[], &mut a, &mut []);
    assert_eq!(a[0], -0.5);
}

#[test]
fn an_interpreted_system_may_be_shared_by_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Interpreted>();
}
