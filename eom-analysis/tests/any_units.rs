//! Steady motions, orbits and their branches in any unit of length and of time: micrometres as well as orbits of satellites.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::interpreted;
use eom_analysis::{
    AnalysisError, Branch, ContinuationOptions, Member, Section, SpecialKind, StateSpace,
    SteadyOptions, Variations, continue_orbit, continue_steady,
};
use eom_core::nalgebra::Complex;
use eom_core::{Options, State, System};
use eom_interpreter::Interpreted;

/// Units of length, and of time.
const LENGTHS: [f64; 2] = [1e-6, 1e6];
const UNITS: [(f64, f64); 2] = [(1e-6, 1e-6), (1e9, 1e3)];

/// A system at a value of its last parameter.
fn member(system: &Interpreted, value: f64, period: Option<f64>) -> Member {
    let mut values = vec![None; system.info().parameters.len()];
    *values.last_mut().unwrap() = Some(value);
    let system = Box::new(system.with_parameters(&values).unwrap());
    Member { system, inputs: Vec::new(), period }
}

/// The branch of steady motions from a guess.
fn branch(text: &str, range: [f64; 2], guess: &State) -> Branch {
    let system = interpreted(text);
    let family = |value: f64| Ok(member(&system, value, None));
    let options = ContinuationOptions { branches_max: 1, ..ContinuationOptions::new(range) };
    continue_steady(&family, guess, &SteadyOptions::default(), options).unwrap().remove(0)
}

/// A fold, at a value and a place, in units; how far on either may be off.
fn check_fold(branch: &Branch, [value, place]: [f64; 2], units: [f64; 2]) {
    let folds: Vec<_> = branch.special.iter().filter(|one| one.kind == SpecialKind::Fold).collect();
    assert_eq!(folds.len(), 1, "{:?}, {:?}", branch.special, branch.end);
    let (at, q) = (folds[0].point.value / units[0], folds[0].point.state.q[0] / units[1]);
    assert!((at - value).abs() < 1e-9 * value && (q - place).abs() < 1e-6 * place, "{at} {q}");
}

/// A plate on a spring that a voltage draws toward another one: k x = S V²/(2 (d − x)²) folds at x = d/3, V² = 8 k d³/(27 S).
/// In micrometres the branch went through the fold and behind the plate.
#[test]
fn a_plate_is_pulled_in() {
    for d in LENGTHS {
        let plate = format!(
            "system Plate {{ coordinates {{ x }} parameters {{ d = {d:e}, V = 1 }}
            kinetic = ẋ^2/2; potential = x^2/2 - d^2*V^2/2*d/(d - x); }}"
        );
        let found = branch(&plate, [0.0, 2.0], &State::new(0.0, [0.0], [0.0]));
        check_fold(&found, [(8.0_f64 / 27.0).sqrt(), 1.0 / 3.0], [1.0, d]);
    }
}

/// Two bars of length L over a span 2a that a load presses through: r³ = L a² at the fold, F = 2 k y (L/r − 1).
#[test]
fn a_truss_snaps_through() {
    for a in [1e-3, 1e3] {
        let truss = format!(
            "system Truss {{ coordinates {{ y }} parameters {{ a = {a:e}, L = 1.2*a, F = 1 }}
            kinetic = ẏ^2/2; potential = 10*(sqrt(a^2 + y^2) - L)^2 + F*y; dissipation = ẏ^2/20; }}"
        );
        let r = 1.2_f64.cbrt();
        let y = (r * r - 1.0).sqrt();
        let load = 20.0 * y * (1.2 / r - 1.0);
        let guess = State::new(0.0, [0.6633 * a], [0.0]);
        let found = branch(&truss, [0.0, 1.5 * load * a], &guess);
        check_fold(&found, [load, y], [a, a]);
    }
}

/// A pendulum declared by places: it hangs with λ² = −g/l, and beside that nothing is steady.
#[test]
fn a_pendulum_on_a_rod() {
    for l in LENGTHS {
        let system = interpreted(&format!(
            "system Rod {{ coordinates {{ x, y }} parameters {{ l = {l:e} }}
            kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*y; holonomic {{ rod: x^2 + y^2 = l^2; }} }}"
        ));
        let space = StateSpace::new(&system).unwrap();
        let guess = State::new(0.0, [0.6 * l, -0.8 * l], [0.0; 2]);
        let found = space.steady(&guess, &[], &SteadyOptions::default()).unwrap();
        assert!((found.state.q[1] / l + 1.0).abs() < 1e-9, "{l:e}: {found:?}");
        let value = space.linearise(&found.state, &[]).unwrap().eigenvalues().unwrap()[0];
        let expected = Complex::new(0.0, (9.81 / l).sqrt());
        assert!((value - expected).norm() < 1e-9 * expected.im, "{l:e}: {value}");
        let beside = space.linearise(&guess, &[]);
        assert!(matches!(beside, Err(AnalysisError::NotSteady { .. })), "{l:e}: {beside:?}");
    }
}

/// Forces whose slopes are straight lines or odd: x = 2 L/5 by hand, from rest at 0.
#[test]
fn forces_of_any_degree() {
    let forces = [
        ("x^3/(3*L)", 0.56),
        ("-x^3/(3*L)", 0.24),
        ("x^4/(4*L^2)", 0.464),
        ("x^5/(5*L^3)", 0.4256),
        ("x^7/(7*L^5)", 0.404_096),
        ("x^3/(3*L) + x^5/(5*L^3)", 0.5856),
        ("L^2*(exp(x/L) - x/L)", 0.4 + 0.4_f64.exp() - 1.0),
    ];
    for l in LENGTHS.into_iter().chain([1e-9, 1e-4, 1.0, 1e3]) {
        for (more, force) in forces {
            let system = interpreted(&format!(
                "system F {{ coordinates {{ x }} parameters {{ L = {l:e} }} kinetic = ẋ^2/2;
                potential = x^2/2 + {more} - {force:?}*L*x; dissipation = ẋ^2/10; }}"
            ));
            let space = StateSpace::new(&system).unwrap();
            let guess = State::new(0.0, [0.0], [0.0]);
            assert!(space.linearise(&guess, &[]).is_err(), "{l:e}, {more}");
            let found = space.steady(&guess, &[], &SteadyOptions::default()).unwrap();
            assert!((found.state.q[0] / l - 0.4).abs() < 1e-9, "{l:e}, {more}: {found:?}");
        }
    }
}

/// A spring and a force that swings: a length of many periods may by chance not bend it. Where V′ is least, x = 1.743 L, nothing
/// is steady; a = h(x) from x = −0.028 L turns back where h′ is zero.
#[test]
fn forces_that_swing() {
    for l in [1e-9, 1e-6, 1.0] {
        let system = interpreted(&format!(
            "system V {{ coordinates {{ x }} parameters {{ L = {l:e} }} kinetic = 1.088*ẋ^2/2;
            potential = 1.111*x^2/2 - 2.179*L^2*cos(x/L + 2.434); dissipation = 0.401*ẋ^2/2; }}"
        ));
        let space = StateSpace::new(&system).unwrap();
        let found = space.steady(&State::new(0.0, [0.0], [0.0]), &[], &SteadyOptions::default());
        // 1.111 x + 2.179 sin(x + 2.434) is zero at one place alone.
        let right = |x: f64| (1.111 * x + 2.179 * (x + 2.434).sin()).abs() < 1e-9;
        assert!(found.as_ref().map_or(true, |it| right(it.state.q[0] / l)), "{l:e}: {found:?}");
        let swings = format!(
            "system W {{ coordinates {{ x }} parameters {{ L = {l:e}, a = 1 }} kinetic = ẋ^2/2;
            dissipation = ẋ^2; force x = L*a - 0.724*x - 0.227*L*sin(5.188*x/L + 1.924); }}"
        );
        let guess = State::new(0.0, [-0.028 * l], [0.0]);
        let found = branch(&swings, [0.201_838_041_839_309, -2.6], &guess);
        let folds = found.special.iter().filter(|one| one.kind == SpecialKind::Fold);
        let folds: Vec<f64> = folds.map(|one| one.point.state.q[0] / l).collect();
        // 5.188 x + 1.924 = −(2j + 1)π ± arccos(0.724/(0.227·5.188)) − …, by hand.
        let turn = (0.724_f64 / (0.227 * 5.188)).acos();
        let place = |j: i32, side: f64| {
            (side * turn - std::f64::consts::PI * f64::from(2 * j + 1) - 1.924) / 5.188
        };
        let expected: Vec<f64> = (0..3).flat_map(|j| [place(j, 1.0), place(j, -1.0)]).collect();
        assert_eq!(folds.len(), expected.len(), "{l:e}: {folds:?} {:?}", found.end);
        for (fold, expected) in folds.iter().zip(&expected) {
            assert!((fold - expected).abs() < 1e-6, "{l:e}: {folds:?} {expected:?}");
        }
    }
}

/// F = x − x²/L folds at x = L/2, and goes back to x = L without a load.
#[test]
fn a_parabola_folds() {
    for l in LENGTHS {
        let spring = format!(
            "system P {{ coordinates {{ x }} parameters {{ L = {l:e}, F = 1 }} kinetic = ẋ^2/2;
            potential = x^2/2 - x^3/(3*L) - F*L*x; dissipation = ẋ^2/10; }}"
        );
        let found = branch(&spring, [0.0, 0.5], &State::new(0.0, [0.0], [0.0]));
        check_fold(&found, [0.25, 0.5], [1.0, l]);
        let last = found.points.last().unwrap();
        assert!(last.value.abs() < 1e-12 && (last.state.q[0] / l - 1.0).abs() < 1e-9, "{last:?}");
    }
}

/// What is held stays along a branch: of two plates only how far they are apart is told, x − y = F.
#[test]
fn what_is_held_stays() {
    let plate = "system H { coordinates { x, y } parameters { F = 1 }
        kinetic = (ẋ^2 + ẏ^2)/2; potential = (x - y)^2/2 - F*(x - y); dissipation = (ẋ^2 + ẏ^2)/10; }";
    let system = interpreted(plate);
    let family = |value: f64| Ok(member(&system, value, None));
    let search = SteadyOptions { hold: vec!["y"], ..SteadyOptions::default() };
    let guess = State::new(0.0, [0.2, 0.3], [0.0; 2]);
    let found = continue_steady(&family, &guess, &search, ContinuationOptions::new([0.0, 1.0]));
    for point in &found.unwrap()[0].points {
        let [x, y] = point.state.q[..] else { panic!("{point:?}") };
        assert!((y - 0.3).abs() < 1e-12 && (x - y - point.value).abs() < 1e-9, "{point:?}");
    }
}

/// The multipliers of the compass walker (`variation.rs`, by differences of runs) are those in any units.
#[test]
fn a_walker_in_any_units() {
    for (l, t) in [(1e-6, 1e-6), (1e6, 1e3), (1.0, 1e-3)] {
        let walker = interpreted(&format!(
            "system W {{ coordinates {{ x, y, a, b }} parameters {{ L = {l:e}, s = 0.0523598775598299, g = 9.81*{l:e}/{t:e}^2 }}
            let p = [x - L*sin(a)/2, y - L*cos(a)/2]; let q = [x - L*sin(b)/2, y - L*cos(b)/2];
            let stand = [x - L*sin(a), y - L*cos(a)]; let swing = [x - L*sin(b), y - L*cos(b)];
            kinetic = ẋ^2 + ẏ^2 + dot(ṗ, ṗ)/2 + dot(q̇, q̇)/2;
            potential = g*dot([-sin(s), cos(s)], 2*[x, y] + p + q);
            constraints {{ stand_x: stand_dot[1]; stand_y: stand_dot[2]; }}
            contact heel {{ gap = swing[2]; impact = plastic; constraints {{ hold: swing_dot[1]; }} when a > b + 0.1;
                releases stand_x, stand_y; relabel {{ a <-> b; }} }} }}"
        ));
        let α: f64 = 0.271;
        let [r_a, r_b] = [1.09 / t, 0.38 / t];
        let v = [l * α.cos() * r_a, l * α.sin() * r_a, r_a, r_b];
        let guess = State::new(0.0, [0.0, l * α.cos(), -α, α], v);
        let options = Options { until_time: Some(10.0 * t), ..Options::default() };
        let section = Section::Impacts { contact: 0, count: 1 };
        let orbit =
            Variations::new(&walker).unwrap().orbit(&guess, &[], &options, section).unwrap();
        let expected =
            [(-0.199_726_13, 0.544_476_06), (-0.199_726_13, -0.544_476_06), (0.131_572_62, 0.0)];
        assert_eq!(orbit.multipliers.len(), expected.len(), "{l:e} {t:e}: {orbit:?}");
        for (found, (re, im)) in orbit.multipliers.iter().zip(expected) {
            assert!((found.re - re).abs() + (found.im - im).abs() < 1e-7, "{l:e} {t:e}: {orbit:?}");
        }
    }
}

/// A block on a belt that shakes, with its contact closed all along: x and the multiplier of an integration in pieces, in closed form
/// between them.
#[test]
fn a_block_on_a_belt_that_shakes() {
    for (l, t) in [(1.0, 1.0), (1e-6, 1e-3), (1e-6, 1e-6), (1e-9, 1e-9), (1e3, 1.0)] {
        let [a, b] = [l / t, l / t / t];
        let block = interpreted(&format!(
            "system B {{ coordinates {{ x, y }} parameters {{ V = 2.5*{a:e}, w = 2/{t:e}, k = 1/{t:e}^2 }}
            kinetic = (ẋ^2 + ẏ^2)/2; potential = 10*{b:e}*y + k*x^2/2;
            contact floor {{ gap = y; slip = ẋ - V*cos(w*t); friction = 0.3; impact = plastic; }} }}"
        ));
        let variations = Variations::new(&block).unwrap();
        let (guess, section) =
            (State::new(0.0, [0.0; 2], [0.0; 2]), Section::Period(std::f64::consts::PI * t));
        let orbit = variations.orbit(&guess, &[], &Options::default(), section);
        let orbit = orbit.unwrap_or_else(|error| panic!("{l:e} {t:e}: {error}"));
        assert!((orbit.state.q[0] / l + 0.103_036_881_308).abs() < 1e-9, "{l:e} {t:e}: {orbit:?}");
        assert!((orbit.multipliers[0].re - 0.281_907_757).abs() < 1e-7, "{l:e} {t:e}: {orbit:?}");
    }
}

/// Half a well away from its middle nothing is steady, however small the well is.
#[test]
fn a_small_well() {
    for a in LENGTHS {
        let system = interpreted(&format!(
            "system Well {{ coordinates {{ x }} parameters {{ a = {a:e} }}
            kinetic = ẋ^2/2; potential = x^2/2 + x^4/(4*a^2); }}"
        ));
        let space = StateSpace::new(&system).unwrap();
        let found = space.linearise(&State::new(0.0, [0.5 * a], [0.0]), &[]);
        assert!(matches!(found, Err(AnalysisError::NotSteady { .. })), "{a:e}: {found:?}");
        assert!(space.linearise(&State::new(0.0, [0.0], [0.0]), &[]).is_ok());
    }
}

/// Duffing's oscillator ẍ + ẋ/5 + x + x³ = cos ωt: its orbit at ω = 1/2 and its folds, by SciPy's DOP853.
#[test]
fn duffings_oscillator() {
    for (l, t) in UNITS {
        let duffing = format!(
            "system Duffing {{ coordinates {{ x }} parameters {{ L = {l:e}, T = {t:e}, ω = 1 }}
            kinetic = ẋ^2/2; potential = (x^2/2 + x^4/(4*L^2))/T^2; dissipation = ẋ^2/(10*T);
            force x = L/T^2*cos(ω*t/T); }}"
        );
        let section = Section::Period(4.0 * std::f64::consts::PI * t);
        let run = Options::default();
        let guess = State::new(0.0, [0.0], [0.0]);
        let duffing = interpreted(&duffing);
        let first = member(&duffing, 0.5, None);
        let orbit = Variations::new(&*first.system).unwrap().orbit(&guess, &[], &run, section);
        let orbit = orbit.unwrap_or_else(|error| panic!("{l:e} {t:e}: {error}"));
        assert!((orbit.state.q[0] / l - 0.978_254_248_04).abs() < 1e-9, "{l:e} {t:e}: {orbit:?}");
        assert!((orbit.multipliers[0].re + 0.165_165_318_9).abs() < 1e-7, "{l:e} {t:e}: {orbit:?}");
        if l > 1.0 {
            continue;
        }
        let family = |ω: f64| Ok(member(&duffing, ω, Some(2.0 * std::f64::consts::PI * t / ω)));
        let options =
            ContinuationOptions { branches_max: 1, ..ContinuationOptions::new([0.5, 2.5]) };
        let found = continue_orbit(&family, &guess, section, &run, options).unwrap();
        let folds: Vec<f64> = found[0].special.iter().map(|one| one.point.value).collect();
        let expected = [2.213_165_954_6, 1.635_305_551_3];
        assert_eq!(folds.len(), 2, "{l:e} {t:e}: {:?} {:?}", found[0].special, found[0].end);
        let off = folds.iter().zip(expected).map(|(at, fold)| (at - fold).abs());
        assert!(off.fold(0.0, f64::max) < 1e-7, "{l:e} {t:e}: {folds:?}");
    }
}

/// A sum of powers of three coordinates, folds and goes back: the fold, and the place without a force, by SciPy. In units of
/// any size, of which the rows of the equations are as large or as small, the branch does so and ends at the end of the range.
#[test]
fn a_branch_ends_where_its_range_does() {
    for (l, t) in [(1e-3, 1.0), (1e-9, 1e-6), (1e7, 1e4)] {
        let source = format!(
            "system Q {{ coordinates {{ x, y, z }} parameters {{ L = {l:e}, T = {t:e}, p = 1 }}
            let X = x/L; let Y = y/L; let Z = z/L; kinetic = L^2*(Ẋ^2 + Ẏ^2 + Ż^2)/2;
            dissipation = L^2/T*0.3*(Ẋ^2 + Ẏ^2 + Ż^2);
            potential = L^2/T^2*(0.854219*X^2 + 0.307074*X*Y - 1.113917*X*Z + 0.644263*Y^2 - 0.533985*Y*Z
            + 0.832595*Z^2 - 0.509*X^3*Z^3 - 0.972*X^2*Y^2*Z^3 - p*(-1.852*X - 0.177*Y + 0.426*Z)); }}"
        );
        let found = branch(&source, [0.0, 2.0], &State::new(0.0, [0.0; 3], [0.0; 3]));
        let folds: Vec<_> =
            found.special.iter().filter(|one| one.kind == SpecialKind::Fold).collect();
        assert_eq!(folds.len(), 1, "{l:e}: {:?}, {:?}", found.special, found.end);
        assert!((folds[0].point.value - 0.340_470_28).abs() < 1e-7, "{l:e}: {folds:?}");
        let last = found.points.last().unwrap();
        assert!(last.value.abs() < 1e-12, "{l:e}: {last:?}");
        let off = last.state.q.iter().zip([-0.764_510_45, -0.102_745_36, -0.799_145_41]);
        assert!(off.map(|(q, x)| (q / l - x).abs()).fold(0.0, f64::max) < 1e-7, "{l:e}: {last:?}");
    }
}

/// A ball that is thrown back from its top to a height that goes apart from a by q: a multiplier q, and those of the swing across,
/// of e^(−0.2) between them. What acts one way alone, by rounding, had told of units: in nanometres q was none, and the orbit stable.
#[test]
fn a_ball_that_goes_apart() {
    for (l, s) in [(1.0, 1.0), (1e-9, 1e-6), (1e-6, 1e-3), (1e6, 1e3), (1.0, 1e2)] {
        let system = interpreted(&format!(
            "system B {{ coordinates {{ x, y }} parameters {{ L = {l:e}, S = {s:e}, q = 2 }} kinetic = (ẋ^2 + ẏ^2)/2;
            potential = L/S^2*(y + x^2/L); force x = -0.1*ẋ/S; contact floor {{ gap = y; impact = elastic; }}
            event top {{ guard = ẏ; falling; reset {{ ẏ = 0; y = L/2 + q*(y - L/2); }} }} }}"
        ));
        let start = State::new(0.0, [0.0, 0.0], [0.0, l / s]);
        let options = Options { until_time: Some(60.0 * s), ..Options::default() };
        let section = Section::Impacts { contact: 0, count: 1 };
        let variations = Variations::new(&system).unwrap();
        let orbit = variations.orbit(&start, &[], &options, section).unwrap();
        let sizes: Vec<f64> = orbit.multipliers.iter().map(|it| it.norm_sqr().sqrt()).collect();
        let expected = [2.0, (-0.1_f64).exp(), (-0.1_f64).exp()];
        assert_eq!(sizes.len(), 3, "{l:e}, {s:e}: {orbit:?}");
        for (size, expected) in sizes.iter().zip(expected) {
            assert!((size - expected).abs() < 1e-9, "{l:e}, {s:e}: {orbit:?}");
        }
        assert_eq!(orbit.is_stable(), Some(false));
    }
}
