//! Linear systems with contacts closed, friction that sticks and friction that slides, against closed forms and against
//! differences of runs.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::interpreted;
use eom_analysis::{
    BranchEnd, ContinuationOptions, Linearisation, Member, ModePart, ModePartKind, StateSpace,
    SteadyOptions, continue_steady,
};
use eom_core::nalgebra::{Complex, DMatrix, DVector};
use eom_core::{Options, Run, State, System};
use eom_interpreter::Interpreted;

/// A body on a floor, with a spring along it, and one whose force on the floor changes with x.
const BLOCK: &str = "system Block {
    coordinates { x, y }
    parameters { m = 2 where m > 0, k = 18, c = 0, g = 10, V = 0.5, μ = 0, μ_1 = 0, d = 0 }
    kinetic = m/2*(ẋ^2 + ẏ^2);
    potential = k/2*x^2 + m*g*y + c*x*y;
    contact floor { gap = y; slip = ẋ - V; friction = μ + μ_1*x; dissipation = d/2*ẋ^2; impact = restitution(0); }
}";

/// A puck on a belt, held by springs in the plane.
const PUCK: &str = "system Puck {
    coordinates { x, y, z }
    parameters { k = 18, g = 10, V = 0.5, μ = 0.3, ν = 0.3 }
    kinetic = (ẋ^2 + ẏ^2 + ż^2)/2;
    potential = k/2*(x^2 + y^2) + g*z;
    contact belt { gap = z; slip = [ẋ - V, ẏ]; friction([μ, ν]); impact = restitution(0); }
}";

/// A crate on two feet, with a spring to a wall.
const CRATE: &str = "system Crate {
    coordinates { x, y, θ }
    parameters { m = 3, J = 0.7, w = 0.5, h = 0.4, k = 12, g = 10, μ = 0.4 }
    kinetic = m/2*(ẋ^2 + ẏ^2) + J/2*θ̇^2;
    potential = m*g*y + k/2*x^2;
    contact left { gap = y - h*cos(θ) - w*sin(θ); FRICTION impact = restitution(0); }
    contact right { gap = y - h*cos(θ) + w*sin(θ); FRICTION impact = restitution(0); }
}";

/// A disc that rolls in a bowl.
const BOWL: &str = "system Bowl {
    coordinates { x, y, θ }
    parameters { m = 1, r = 0.2, b = 1, g = 9.81, μ = 0.3 }
    kinetic = m/2*(ẋ^2 + ẏ^2) + m*r^2/4*θ̇^2;
    potential = m*g*y;
    let ρ = sqrt(x^2 + y^2);
    contact bowl { gap = b - r - ρ; ROLLS impact = plastic; }
}";

/// A pendulum in a bearing with dry friction.
const BEARING: &str = "system Bearing {
    coordinates { θ }
    parameters { c = 2 }
    kinetic = θ̇^2/2;
    potential = -5*cos(θ);
    dissipation = c*abs(θ̇);
}";

fn with(source: &str, values: &[(&str, f64)]) -> Interpreted {
    let system = interpreted(source);
    let overrides: Vec<Option<f64>> = system
        .info()
        .parameters
        .iter()
        .map(|item| values.iter().find(|(name, _)| *name == item.name).map(|(_, value)| *value))
        .collect();
    system.with_parameters(&overrides).unwrap()
}

fn linear(system: &Interpreted, q: &[f64], v: &[f64]) -> Linearisation {
    let space = StateSpace::new(system).unwrap();
    space.linearise(&State::new(0.0, q, v), &[]).unwrap_or_else(|why| panic!("{why}"))
}

/// Compares eigenvalues, in any order.
fn check(what: &str, linear: &Linearisation, expected: &[(f64, f64)]) {
    let mut found = linear.eigenvalues().unwrap();
    assert_eq!(found.len(), expected.len(), "{what}: {found:?}");
    for (re, im) in expected {
        let off = |value: &Complex<f64>| (value - Complex::new(*re, *im)).norm_sqr().sqrt();
        let nearest = found.iter().map(off).enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        assert!(nearest.1 < 1e-13 * (1.0 + re.hypot(*im)), "{what}: {re} {im} in {found:?}");
        found.remove(nearest.0);
    }
}

/// The roots of λ² + 2 δ λ + ω² = 0.
fn roots(δ: f64, square: f64) -> [(f64, f64); 2] {
    let ω = (square - δ * δ).sqrt();
    [(-δ, ω), (-δ, -ω)]
}

fn closed(name: &'static str, force: f64) -> ModePart {
    ModePart { name, kind: ModePartKind::Closed { force } }
}

fn near(found: &[ModePart], expected: &[ModePart]) {
    let number = |part: &ModePart| match part.kind {
        ModePartKind::Closed { force: x }
        | ModePartKind::Sticks { load: x }
        | ModePartKind::Slides { speed: x } => x,
    };
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (a, b) in found.iter().zip(expected) {
        let kind = |part: &ModePart| std::mem::discriminant(&part.kind);
        assert!(a.name == b.name && kind(a) == kind(b), "{a:?} {b:?}");
        assert!((number(a) - number(b)).abs() < 1e-12 * (1.0 + number(b).abs()), "{a:?} {b:?}");
    }
}

/// ω = √(k/m) on a smooth floor, with N = m g; with the contact's own loss.
#[test]
fn a_block_on_a_smooth_floor() {
    let at_rest = |values: &[(&str, f64)]| linear(&with(BLOCK, values), &[0.0, 0.0], &[0.0, 0.0]);
    let smooth = at_rest(&[]);
    check("smooth", &smooth, &roots(0.0, 9.0));
    assert_eq!(smooth.free.iter().map(|entry| &entry.name[..]).collect::<Vec<_>>(), ["x", "ẋ"]);
    near(&smooth.mode, &[closed("floor", 20.0)]);
    check("lossy", &at_rest(&[("d", 4.0)]), &roots(1.0, 9.0));
}

/// m ẍ = −k x + (μ + μ₁ x)(m g + c x) while the belt is faster than the block: x₀ = μ m g/(k − μ c), and with it ω.
#[test]
fn a_block_on_a_belt_slides() {
    let slides = |speed: f64| ModePart { name: "floor", kind: ModePartKind::Slides { speed } };
    for (μ, μ_1, c) in [(0.3, 0.0, 0.0), (0.3, 0.0, 5.0), (0.3, 0.2, 0.0)] {
        let system = with(BLOCK, &[("μ", μ), ("μ_1", μ_1), ("c", c)]);
        let space = StateSpace::new(&system).unwrap();
        let options = SteadyOptions::default();
        let found = space.steady(&State::new(0.0, [0.0, 0.0], [0.0, 0.0]), &[], &options).unwrap();
        let stiffness = 18.0 - μ * c - μ_1 * 20.0;
        let x = μ * 20.0 / stiffness;
        assert!((found.state.q[0] - x).abs() < 1e-14, "{found:?}");
        let linear = space.linearise(&found.state, &[]).unwrap();
        check("belt", &linear, &roots(0.0, stiffness / 2.0));
        near(&linear.mode, &[closed("floor", 20.0 + c * x), slides(0.5)]);
    }
}

/// Across the belt friction turns with the slip: −μ N ẏ/V, and ν²/μ in place of μ where there are two coefficients.
#[test]
fn friction_of_what_slides_damps_across() {
    for (μ, ν) in [(0.3, 0.3), (0.3, 0.2)] {
        let system = with(PUCK, &[("μ", μ), ("ν", ν)]);
        let found = linear(&system, &[μ * 10.0 / 18.0, 0.0, 0.0], &[0.0; 3]);
        let across = ν * ν / μ * 10.0 / 0.5;
        let all = [roots(0.0, 18.0), roots(across / 2.0, 18.0)].concat();
        check("puck", &found, &all);
    }
}

/// A crate on two feet: smooth it swings with √(k/m), and each foot bears half; rough it stays where it is.
#[test]
fn a_crate_on_two_feet() {
    let smooth = with(&CRATE.replace("FRICTION", ""), &[]);
    let found = linear(&smooth, &[0.0, 0.4, 0.0], &[0.0; 3]);
    check("smooth", &found, &roots(0.0, 4.0));
    near(&found.mode, &[closed("left", 15.0), closed("right", 15.0)]);
    let left = "slip = ẋ + (y)*θ̇; friction = μ;";
    let rough = with(&CRATE.replace("FRICTION", left), &[]);
    let found = linear(&rough, &[0.5, 0.4, 0.0], &[0.0; 3]);
    check("rough", &found, &[(0.0, 0.0)]);
    // The feet bear 15 ± 6 · 0.4 N, and 6 N of friction are shared so that both lie as deep in their cones,
    // μ N − f = (12 − 6)/2 = 3.
    let load = |part: &ModePart| match part.kind {
        ModePartKind::Sticks { load } => Some(load),
        _ => None,
    };
    let mut loads: Vec<f64> = found.mode.iter().filter_map(load).collect();
    loads.sort_by(f64::total_cmp);
    let expected = [1.0 - 3.0 / (0.4 * 12.6), 1.0 - 3.0 / (0.4 * 17.4)];
    assert!(loads.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{loads:?}");
}

/// ω² = 2 g/(3 (b − r)) of a disc that rolls in a bowl: by a row of the contact, and by friction that holds.
#[test]
fn a_disc_rolls_in_a_bowl() {
    let row = "constraints { roll: (x*ẏ - y*ẋ)/ρ + r*θ̇ = 0; }";
    let rough = "slip = (x*ẏ - y*ẋ)/ρ + r*θ̇; friction = μ;";
    let square = 2.0 * 9.81 / (3.0 * 0.8);
    for (rolls, plastic) in [(row, "plastic"), (rough, "restitution(0)")] {
        let source = BOWL.replace("ROLLS", rolls).replace("plastic", plastic);
        let found = linear(&with(&source, &[]), &[0.0, -0.8, 0.0], &[0.0; 3]);
        check(rolls, &found, &roots(0.0, square));
    }
    // Looked for from above it: the velocities that Newton's method leaves are none.
    let (sin, cos) = 0.15_f64.sin_cos();
    let guess = State::new(0.0, [0.8 * sin, -0.8 * cos, 0.3], [0.0; 3]);
    let system = with(&BOWL.replace("ROLLS", rough), &[]);
    let space = StateSpace::new(&system).unwrap();
    let found = space.steady(&guess, &[], &SteadyOptions::default()).unwrap();
    check("found", &space.linearise(&found.state, &[]).unwrap(), &roots(0.0, square));
    // Without a row it slides, as a point does.
    let found = linear(&with(&BOWL.replace("ROLLS", ""), &[]), &[0.0, -0.8, 0.0], &[0.0; 3]);
    check("slides", &found, &[roots(0.0, 9.81 / 0.8).as_slice(), &[(0.0, 0.0)]].concat());
}

/// A disc in a bowl in a wind, which leans by tan φ = F/(m g), g′ = √(g² + F²/m²): N = m g′ cos δ + u sin(φ + δ),
/// f = (m g′ sin δ − u cos(φ + δ))/3 where it sticks.
#[test]
fn forces_are_outputs() {
    let outputs = "inputs { u } force x = 4.905 + u; output N = λ(bowl); output f = friction(bowl);
        output h = y; potential";
    let rough = "slip = (x*ẏ - y*ẋ)/ρ + r*θ̇; friction = μ;";
    let source = BOWL.replace("ROLLS", rough).replace("potential", outputs);
    let system = with(&source, &[]);
    let space = StateSpace::new(&system).unwrap();
    let guess = State::new(0.0, [0.0, -0.8, 0.0], [0.0; 3]);
    let found = space.steady(&guess, &[0.0], &SteadyOptions::default()).unwrap();
    let linear = space.linearise(&found.state, &[0.0]).unwrap();
    let (sin, cos) = (0.2_f64.sqrt(), 0.8_f64.sqrt());
    let pull = 9.81_f64.hypot(4.905);
    assert_eq!(linear.outputs, ["N", "f", "h"]);
    let c = [[0.0, 0.0], [pull / (3.0 * 0.8 * cos), 0.0], [sin / cos, 0.0]];
    let d = [sin, -cos / 3.0, 0.0];
    for (i, (c, d)) in c.iter().zip(d).enumerate() {
        let off = (linear.c[(i, 0)] - c[0]).abs() + (linear.c[(i, 1)] - c[1]).abs();
        assert!(off + (linear.d[(i, 0)] - d).abs() < 1e-12, "{i}: {} {}", linear.c, linear.d);
    }
    // A block that slides on a belt: f = μ N, and N grows with u.
    let block = BLOCK.replace(
        "kinetic",
        "inputs { u } force y = -u; output N = λ(floor); output f = friction(floor); kinetic",
    );
    let found = linear_with(&with(&block, &[("μ", 0.3)]), 0.0);
    assert_eq!(found.outputs, ["N", "f"]);
    assert!((found.d[(0, 0)] - 1.0).abs() + (found.d[(1, 0)] - 0.3).abs() < 1e-12, "{}", found.d);
}

/// A brake with a servo on springs, beside what its friction pushes: held with f = −(u − k x)/(1 + κ), and z of h f; it slides on a
/// belt with f = μ N, N = m g + j f.
#[test]
fn forces_act_with_friction_in_a_linear_system() {
    let source = "system Servo {
        coordinates { x, y, z } parameters { k = 18, κ = 0.5, h = 3, j = 0.4, g = 10, V = 0, μ = 0.3 } inputs { u }
        kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = k/2*x^2 + g*y + 8*z^2;
        force x = u + κ*friction(floor); force y = j*friction(floor); force z = h*friction(floor);
        contact floor { gap = y; slip = ẋ - V; friction = μ; impact = plastic; }
        output f = friction(floor); output N = λ(floor); }";
    let at = |values: &[(&str, f64)], guess: [f64; 3], u: f64| {
        let system = with(source, values);
        let space = StateSpace::new(&system).unwrap();
        let guess = State::new(0.0, guess, [0.0; 3]);
        let found = space.steady(&guess, &[u], &SteadyOptions::default()).unwrap();
        (found.state.q.clone(), space.linearise(&found.state, &[u]).unwrap())
    };
    let near =
        |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-11, "{found} {wanted}");
    let (q, held) = at(&[], [0.02, 0.0, 0.0], 0.9);
    let f = -(0.9 - 18.0 * q[0]) / 1.5;
    near(q[2], 3.0 * f / 16.0);
    near(held.d[(0, 0)], -1.0 / 1.5);
    near(held.d[(1, 0)], 0.4 / 1.5);
    // z̈ = −16 z + h f.
    check("held", &held, &[(0.0, 0.0), (0.0, 4.0), (0.0, -4.0)]);
    let (q, slides) = at(&[("V", 0.5)], [0.2, 0.0, 0.2], 0.9);
    // N = g − j f, f = μ N.
    let normal = 10.0 / (1.0 + 0.4 * 0.3);
    near(q[0], (0.9 + 1.5 * 0.3 * normal) / 18.0);
    near(q[2], 3.0 * 0.3 * normal / 16.0);
    near(slides.d[(0, 0)], 0.0);
}

/// A puck on a belt that slides with two coefficients, f = −N (μ² s_x, ν² s_y)/√(μ² s_x² + ν² s_y²) at s = (−V, 0). What is not
/// seen is told.
#[test]
fn forces_in_a_plane_are_outputs() {
    let outputs = "inputs { u } force z = -u; output N = λ(belt); output f_x = friction(belt)[1];
        output f_y = friction(belt)[2]; output late = x*sin(t); kinetic";
    let (μ, ν, speed) = (0.3, 0.2, 0.5);
    let system = with(&PUCK.replace("kinetic", outputs), &[("ν", ν)]);
    let space = StateSpace::new(&system).unwrap();
    let guess = State::new(0.0, [μ * 10.0 / 18.0, 0.0, 0.0], [0.0; 3]);
    let linear = space.linearise(&guess, &[0.0]).unwrap();
    assert_eq!(linear.outputs, ["N", "f_x", "f_y"]);
    assert_eq!(linear.left_out, [("late", "it depends on the time".to_owned())]);
    let free: Vec<&str> = linear.free.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(free, ["x", "y", "ẋ", "ẏ"]);
    let mut c = DMatrix::zeros(3, 4);
    c[(2, 3)] = -10.0 * ν * ν / (μ * speed);
    let d = DMatrix::from_row_slice(3, 1, &[1.0, μ, 0.0]);
    let off = (&linear.c - c).amax() + (&linear.d - d).amax();
    assert!(off < 1e-12, "{} {}", linear.c, linear.d);
}

/// The linear system of the block on the belt with an input.
fn linear_with(system: &Interpreted, u: f64) -> Linearisation {
    let space = StateSpace::new(system).unwrap();
    let guess = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
    let found = space.steady(&guess, &[u], &SteadyOptions::default()).unwrap();
    space.linearise(&found.state, &[u]).unwrap()
}

/// Friction holds with a part of what it can, and no further than that.
#[test]
fn what_sticks_has_a_load() {
    // k x of μ m g; the belt stands.
    let stands = [("μ", 0.5), ("V", 0.0)];
    let system = with(BLOCK, &stands);
    let found = linear(&system, &[0.25, 0.0], &[0.0, 0.0]);
    check("sticks", &found, &[(0.0, 0.0)]);
    let sticks = |name, load| ModePart { name, kind: ModePartKind::Sticks { load } };
    near(&found.mode, &[closed("floor", 20.0), sticks("floor", 0.45)]);
    let bearing = linear(&with(BEARING, &[]), &[0.2], &[0.0]);
    check("bearing", &bearing, &[(0.0, 0.0)]);
    near(&bearing.mode, &[sticks("abs(θ̇)", 2.5 * 0.2_f64.sin())]);
}

/// A system, parameters, a state, and what the refusal holds.
type Case = (&'static str, &'static [(&'static str, f64)], &'static [f64], &'static str);

/// At the edge of a condition there is no linear system, and it is said of what.
#[test]
fn edges_are_refused() {
    // k x = μ m g, to a unit of rounding; and beyond it.
    let cases: [Case; 5] = [
        (BLOCK, &[("μ", 0.5), ("V", 0.0)], &[10.0 / 18.0, 0.0], "the friction of floor"),
        (BLOCK, &[("μ", 0.5), ("V", 0.0)], &[0.6, 0.0], "the friction of floor begins to slide"),
        (BLOCK, &[("g", 0.0)], &[0.0, 0.0], "the contact `floor` is about to open"),
        (BLOCK, &[], &[0.0, -0.1], "floor"),
        (BEARING, &[("c", 0.5)], &[0.2], "not a steady motion"),
    ];
    for (source, values, q, why) in cases {
        let system = with(source, values);
        let state = State::new(0.0, q, vec![0.0; q.len()]);
        let said =
            StateSpace::new(&system).unwrap().linearise(&state, &[]).unwrap_err().to_string();
        assert!(said.contains(why), "{values:?} {q:?}: {said}");
    }
}

/// exp(A t) against differences of runs, which know nothing of A.
#[test]
fn runs_beside_the_motion_go_as_the_linear_system_says() {
    let cases: [(Interpreted, Vec<f64>); 3] = [
        (with(PUCK, &[("ν", 0.2)]), vec![0.3 * 10.0 / 18.0, 0.0, 0.0]),
        (with(BLOCK, &[("μ", 0.3), ("c", 5.0)]), vec![6.0 / 16.5, 0.0]),
        (
            with(&BOWL.replace("ROLLS", "constraints { roll: (x*ẏ - y*ẋ)/ρ + r*θ̇ = 0; }"), &[]),
            vec![0.0, -0.8, 0.0],
        ),
    ];
    let (t, ε) = (0.3, 1e-5);
    for (system, q) in cases {
        let (n, m) = (system.info().positions(), system.info().speeds());
        let found = linear(&system, &q, &vec![0.0; m]);
        let end = |z: &DVector<f64>, sign: f64| {
            let x = &found.embedding * z * (sign * ε);
            let mut state = State::new(0.0, q.as_slice(), vec![0.0; m]);
            for (entry, x) in found.entries.iter().zip(x.iter()) {
                match entry.place.checked_sub(n) {
                    None => state.q[entry.place] += x,
                    Some(speed) => state.v[speed] += x,
                }
            }
            let options = Options { start: eom_core::StartPolicy::Project, ..Options::default() };
            let mut run = Run::new(&system, &state, &options).unwrap();
            let _ = run.advance_to(t);
            assert_eq!(run.t(), t);
            let y = [&run.state().q[..], &run.state().v].concat();
            DVector::from_iterator(found.free.len(), found.free.iter().map(|e| y[e.place]))
        };
        let exact = (&found.a * t).exp();
        for j in 0..found.free.len() {
            let unit = DMatrix::identity(found.free.len(), found.free.len());
            let z: DVector<f64> = unit.column(j).into_owned();
            let difference = (end(&z, 1.0) - end(&z, -1.0)) / (2.0 * ε);
            let off = (difference - exact.column(j)).amax();
            assert!(off < 1e-8, "{}: {off:e}", system.info().name);
        }
    }
}

/// Followed along a value in its mode: x₀ = μ m g/k, as far as the belt is faster than the block.
#[test]
fn a_branch_stays_in_its_mode() {
    let family = |value: f64| {
        let system: Box<dyn System> = Box::new(with(BLOCK, &[("μ", value)]));
        Ok(Member { system, inputs: Vec::new(), period: None })
    };
    let options = ContinuationOptions::new([0.1, 0.6]);
    let guess = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
    let found = continue_steady(&family, &guess, &SteadyOptions::default(), options).unwrap();
    let points = &found[0].points;
    assert!(found.len() == 1 && points.len() > 5);
    for point in points {
        assert!((point.state.q[0] - point.value * 20.0 / 18.0).abs() < 1e-12, "{point:?}");
    }
}

/// A rough crate stays where it is as its spring stiffens: forces that are not determined leave rounding, which is no slope.
#[test]
fn a_crate_stays_along_its_stiffness() {
    let rough = CRATE.replace("FRICTION", "slip = ẋ + y*θ̇; friction = μ;");
    let family = |value: f64| {
        let system: Box<dyn System> = Box::new(with(&rough, &[("k", value)]));
        Ok(Member { system, inputs: Vec::new(), period: None })
    };
    let options = ContinuationOptions::new([1.0, 20.0]);
    let guess = State::new(0.0, [0.5, 0.4, 0.0], [0.0; 3]);
    let found = continue_steady(&family, &guess, &SteadyOptions::default(), options).unwrap();
    let last = found[0].points.last().unwrap();
    assert_eq!((found.len(), &found[0].end, last.value), (1, &BranchEnd::Range, 20.0));
    assert!((last.state.q[0] - 0.5).abs() < 1e-12, "{last:?}");
}

/// A bead on a wire that stands at φ, with a spring along x, and a ring on a rod that moves by.
const WIRE: &str = "system Wire {
    coordinates { x, y }
    parameters { φ = 0.3, k = 0, μ = 0.5 where μ >= 0, m = 2, g = 10 }
    kinetic = m/2*(ẋ^2 + ẏ^2);
    potential = m*g*y + k/2*x^2;
    holonomic { wire: y*cos(φ) = x*sin(φ); }
    row wire { slip = ẋ*cos(φ) + ẏ*sin(φ); friction = μ; }
}";

/// A ring on a rod that is drawn along, held by a spring; its weight and a pull across press it to the rod.
const RING: &str = "system Ring {
    coordinates { x, y }
    parameters { k = 18, μ = 0.3 where μ >= 0, V = 0.5, m = 2, g = 10, p = 0 }
    kinetic = m/2*(ẋ^2 + ẏ^2);
    potential = k/2*x^2 + m*g*y - p*x*y;
    holonomic { rod: y = 0; }
    row rod { slip = ẋ - V; friction = μ; }
}";

/// A bead rests on a steep wire with the load tan φ/μ: m g sin φ of μ m g cos φ.
#[test]
fn a_bead_rests_on_a_wire() {
    for (φ, k) in [(0.3_f64, 0.0), (-0.3, 0.0), (0.2, 8.0)] {
        let system = with(WIRE, &[("φ", φ), ("k", k)]);
        let x = 0.1;
        let found = linear(&system, &[x, x * φ.tan()], &[0.0; 2]);
        check("bead", &found, &[(0.0, 0.0)]);
        // The spring pulls along the wire and across it.
        let along = 20.0 * φ.sin() + k * x * φ.cos();
        let across = 20.0 * φ.cos() - k * x * φ.sin();
        let load = along.abs() / (0.5 * across);
        near(&found.mode, &[ModePart { name: "wire", kind: ModePartKind::Sticks { load } }]);
    }
}

/// m ẍ = −k x + μ |m g − p x| while the rod is faster than the ring, whatever the sign of the force of the rod.
#[test]
fn a_ring_on_a_rod_that_is_drawn_along() {
    for (g, p) in [(10.0, 0.0), (-10.0, 0.0), (10.0, 5.0), (-10.0, 5.0)] {
        let μ = 0.3;
        let system = with(RING, &[("g", g), ("p", p)]);
        let space = StateSpace::new(&system).unwrap();
        let options = SteadyOptions::default();
        let found = space.steady(&State::new(0.0, [0.0, 0.0], [0.0, 0.0]), &[], &options).unwrap();
        let σ = f64::signum(g);
        let stiffness = 18.0 + σ * μ * p;
        let x = μ * 20.0 / stiffness;
        assert!((found.state.q[0] - x).abs() < 1e-13, "{found:?}");
        let linear = space.linearise(&found.state, &[]).unwrap();
        check("rod", &linear, &roots(0.0, stiffness / 2.0));
        near(&linear.mode, &[ModePart { name: "rod", kind: ModePartKind::Slides { speed: 0.5 } }]);
    }
}

/// At the edges of friction of constraints there is no linear system either.
#[test]
fn frictions_of_constraints_are_refused_at_their_edges() {
    // tan φ = μ, beyond it, and a wire that bears nothing.
    let cases = [
        (0.5_f64.atan(), "the edge of its cone"),
        (0.6, "begins to slide"),
        (0.0, "no force to grow with"),
    ];
    for (φ, what) in cases {
        let g = if φ == 0.0 { 0.0 } else { 10.0 };
        let system = with(WIRE, &[("φ", φ), ("g", g)]);
        let space = StateSpace::new(&system).unwrap();
        let refused = space.linearise(&State::new(0.0, [0.0, 0.0], [0.0, 0.0]), &[]).unwrap_err();
        let said = refused.to_string();
        assert!(said.contains(what), "{φ}: {said}");
    }
    let ring = with(RING, &[("g", 0.0)]);
    let space = StateSpace::new(&ring).unwrap();
    let refused = space.linearise(&State::new(0.0, [0.0, 0.0], [0.0, 0.0]), &[]).unwrap_err();
    assert!(refused.to_string().contains("no force to grow with"), "{refused}");
}

/// A table that ends at x = 1: what is behind its end touches nothing, and a branch on it ends there. On the table ẍ = F − k x.
#[test]
fn behind_the_end_of_a_surface() {
    let table = "system Table {
        coordinates { x, y }
        parameters { k = 2, F = VALUE }
        kinetic = (ẋ^2 + ẏ^2)/2;
        potential = k*x^2/2 - F*x + LOAD;
        contact table { gap = y; when x < 1; impact = restitution(0.5); }
    }";
    for (load, q) in [("y^2/2", [2.0, 0.0]), ("(y + 1)^2/2", [2.0, -1.0])] {
        let system = interpreted(&table.replace("VALUE", "4").replace("LOAD", load));
        let found = linear(&system, &q, &[0.0; 2]);
        assert_eq!((found.mode.len(), found.free.len()), (0, 4), "{load}");
    }
    let family = |value: f64| {
        let text = table.replace("VALUE", &format!("{value:e}")).replace("LOAD", "9.81*y");
        Ok(Member { system: Box::new(interpreted(&text)), inputs: Vec::new(), period: None })
    };
    let (guess, options) =
        (State::new(0.0, [0.0; 2], [0.0; 2]), ContinuationOptions::new([0.0, 4.0]));
    let found = continue_steady(&family, &guess, &SteadyOptions::default(), options).unwrap();
    let last = found[0].points.last().unwrap();
    assert!((last.value - 2.0).abs() < 1e-3 && last.value <= 2.0, "{last:?}");
    let is_told = matches!(&found[0].end, BranchEnd::Lost { why } if why.contains("the surface of `table` ends"));
    assert!(is_told, "{:?}", found[0].end);
}
