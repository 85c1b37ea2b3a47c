//! Derivatives and inverse dynamics, where they are asked for: the bits of the interpreter in C and in Rust without
//! `std`, its numbers in Python.

use super::{STATES, Sample, Subject, accelerations, c, check, check_bits, folder, no_std, python};
use super::{generate_with_derivatives, of_the_platform, parameters, weights_and_direction};
use eom_codegen::{Language, derive_source};
use eom_interpreter::{At, Interpreted};
use eom_symbolic::program::Kernel;
use eom_tests::random;
use eom_tests::systems::{every_system, nonlinear};
use fastrand::Rng;

/// Constraints of each kind, own speeds, rotations, dry friction, inputs, declared functions, time.
const SYSTEMS: [&str; 12] = [
    "penny",
    "double_pendulum",
    "rheonomic_pendulum",
    "closed_chain",
    "rolling_disk",
    "quasi_sleigh",
    "top",
    "snakeboard",
    "puck",
    "surface",
    "coupled",
    "led",
];

const OF_THE_GALLERY: [&str; 5] =
    ["chaplygin-ball", "compass-walker", "heavy-top", "rattleback", "slider-crank"];

const KERNELS: [Kernel; 6] = [
    Kernel::Derivatives,
    Kernel::ParameterDerivatives,
    Kernel::HessianProduct,
    Kernel::InverseDynamics,
    Kernel::Regressor,
    Kernel::CoriolisMatrix,
];

/// NumPy has no fused products, and a derivative is made of many: rounding as the factors amplify it at random states.
const ROUNDING: f64 = 1e-9;

fn sources() -> Vec<&'static str> {
    let own = every_system().into_iter().chain(nonlinear());
    let own = own.filter(|fixture| SYSTEMS.contains(&fixture.name)).map(|f| f.info.source);
    let gallery = models::gallery::GALLERY.iter();
    let gallery = gallery.filter(|entry| OF_THE_GALLERY.contains(&entry.name)).map(|e| e.text);
    own.chain(gallery).collect()
}

/// A system with parameters in (1/2, 2), or its own where its bounds leave none.
fn drawn(rng: &mut Rng, read: &Interpreted) -> Interpreted {
    let count = parameters(read).len();
    let mut draw = || (0..count).map(|_| Some(random::between(rng, 0.5, 2.0))).collect::<Vec<_>>();
    (0..100).find_map(|_| read.with_parameters(&draw()).ok()).unwrap_or_else(|| read.clone())
}

fn sample(rng: &mut Rng, read: &Interpreted, info: &'static eom_core::info::SystemInfo) -> Sample {
    let system = drawn(rng, read);
    let state = random::state(rng, info);
    let inputs: Vec<f64> = info.inputs.iter().map(|_| random::between(rng, -2.0, 2.0)).collect();
    let a = accelerations(info.speeds());
    let [weights, direction] = weights_and_direction(info);
    let at = At {
        t: state.t,
        q: &state.q,
        v: &state.v,
        u: &inputs,
        a: &a,
        weights: &weights,
        direction: &direction,
    };
    let wanted = KERNELS.map(|kernel| (kernel.name().to_owned(), system.kernel(kernel, at)));
    let wanted = wanted.into_iter().filter(|(_, values)| !values.is_empty()).collect();
    Sample { parameters: parameters(&system), state, inputs, wanted }
}

fn subjects() -> Vec<Subject> {
    let subjects = sources().into_iter().map(|source| {
        let derivation = derive_source(source).unwrap().with_derivatives().unwrap();
        let read = Interpreted::of(derivation, source);
        let info = eom_core::System::info(&read);
        let mut rng = Rng::with_seed(0xD1FF);
        let samples = (0..STATES).map(|_| sample(&mut rng, &read, info)).collect();
        Subject { info, derivatives: true, samples }
    });
    subjects.collect()
}

#[test]
fn c_has_the_derivatives_of_the_interpreter() {
    let subjects = subjects();
    assert_eq!(subjects.len(), SYSTEMS.len() + OF_THE_GALLERY.len());
    if let Some(found) = c::computed("c_derivatives", &subjects) {
        check("C", &subjects, &found, |code| 1e6 * of_the_platform(code));
    }
}

#[test]
fn no_std_has_the_bits_of_the_derivatives() {
    let subjects = subjects();
    let (found, _) = no_std::computed(&folder("no_std_derivatives"), &subjects);
    check_bits("Rust without std", &subjects, &found);
}

#[test]
fn python_has_the_derivatives_of_the_interpreter() {
    python::compare("python_derivatives", &subjects(), ROUNDING);
}

/// What has no such code says why.
#[test]
fn what_has_no_derivatives_says_so() {
    let cases = [
        ("rod", "its equations of motion hold integrals"),
        ("slider", "its forces hold multipliers"),
        ("lattice", "its accelerations are solved for by loops"),
    ];
    for (name, why) in cases {
        let fixture = every_system().into_iter().find(|fixture| fixture.name == name).unwrap();
        let made = generate_with_derivatives(fixture.info.source, Language::C, "a test", "eom");
        let said = made.expect_err(name)[0].to_string();
        let wanted = format!("`{}` has no code of its derivatives: {why}", fixture.info.name);
        assert!(said.contains(&wanted), "{name}: {said}");
    }
}
