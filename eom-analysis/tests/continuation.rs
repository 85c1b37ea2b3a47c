//! Branches of steady motions and orbits against closed forms.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::interpreted;
use eom_analysis::{
    AnalysisError, Branch, BranchEnd, ContinuationOptions, Member, Section, SpecialKind,
    StateSpace, SteadyOptions, continue_orbit, continue_steady,
};
use eom_core::{Options, State};
use eom_interpreter::Interpreted;
use std::f64::consts::PI;

/// A system with a parameter at a value.
fn with(system: &Interpreted, name: &str, value: f64) -> Member {
    use eom_core::System as _;
    let parameters = system.info().parameters;
    let overrides: Vec<Option<f64>> =
        parameters.iter().map(|known| (known.name == name).then_some(value)).collect();
    let system = Box::new(system.with_parameters(&overrides).unwrap());
    Member { system, inputs: Vec::new(), period: None }
}

fn steady(source: &str, name: &str, range: [f64; 2], guess: &State) -> Vec<Branch> {
    let system = interpreted(source);
    let family = |value: f64| Ok(with(&system, name, value));
    let options = ContinuationOptions::new(range);
    continue_steady(&family, guess, &SteadyOptions::default(), options).unwrap()
}

/// What happens on a branch: the kind, where, and how far off it may be.
fn check(branch: &Branch, expected: &[(SpecialKind, f64, f64)]) {
    let found: Vec<_> =
        branch.special.iter().map(|one| (&one.kind, one.point.value, one.unstable)).collect();
    assert_eq!(found.len(), expected.len(), "{found:?}, {:?}", branch.end);
    for (special, (kind, value, off)) in branch.special.iter().zip(expected) {
        let is_same = std::mem::discriminant(&special.kind) == std::mem::discriminant(kind);
        assert!(is_same && (special.point.value - value).abs() <= *off, "{found:?} {value}");
    }
}

/// A bead on a hoop: θ = 0 loses its stability at Ω² = g/r to cos θ = g/(rΩ²).
#[test]
fn a_pitchfork() {
    let hoop = "/// A bead on a hoop. \n system H { coordinates { θ } parameters { Ω = 3, r = 0.5, g = 9.81 }
        kinetic = r^2/2*(θ̇^2 + (Ω*sin(θ))^2); potential = -g*r*cos(θ); }";
    let branches = steady(hoop, "Ω", [3.0, 6.0], &State::new(0.0, [0.0], [0.0]));
    let critical = (9.81_f64 / 0.5).sqrt();
    check(&branches[0], &[(SpecialKind::Branching, critical, 1e-12)]);
    assert_eq!(branches[0].special[0].unstable, [0, 1]);
    assert_eq!(branches.len(), 3);
    for (branch, sign) in branches[1..].iter().zip([1.0, -1.0]) {
        let last = branch.points.last().unwrap();
        assert_eq!((branch.from, &branch.end), (Some((0, 0)), &BranchEnd::Range));
        assert_eq!((last.value, last.unstable), (6.0, 0));
        let expected = (9.81_f64 / (0.5 * 36.0)).acos();
        assert!((last.state.q[0].abs() - expected).abs() < 1e-13, "{sign} {last:?}");
    }
    let sides: f64 = branches[1..].iter().map(|branch| branch.points[1].state.q[0].signum()).sum();
    assert_eq!(sides, 0.0);
}

/// The same in a unit of time T, damped: cos θ = 16/Ω² beyond Ω = 4 whatever T is, found from a guess beside it, too.
#[test]
fn a_pitchfork_in_any_unit_of_time() {
    for t in [1e-12, 1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9, 1e12] {
        let hoop = format!(
            "/// A bead on a hoop. \n system H {{ coordinates {{ θ }} parameters {{ Ω = 3, T = {t:e}, c = 0.1 }}
            kinetic = (θ̇^2 + (Ω/T)^2*sin(θ)^2)/2; potential = -16*cos(θ)/T^2; dissipation = c/T*θ̇^2/2; }}"
        );
        let branches = steady(&hoop, "Ω", [3.0, 6.0], &State::new(0.0, [0.0], [0.0]));
        check(&branches[0], &[(SpecialKind::Branching, 4.0, 1e-8)]);
        assert_eq!(branches.len(), 3, "{t:e}: {branches:?}");
        for branch in &branches[1..] {
            let last = branch.points.last().unwrap();
            let expected = (16.0 / (last.value * last.value)).acos();
            assert!((last.value - 6.0).abs() < 1e-3, "{t:e}: {last:?}");
            assert!((last.state.q[0].abs() - expected).abs() < 1e-9, "{t:e}: {last:?}");
        }
        let system = interpreted(&hoop.replace("Ω = 3", "Ω = 6"));
        let space = StateSpace::new(&system).unwrap();
        let guess = State::new(0.0, [0.9], [0.0]);
        let found = space.steady(&guess, &[], &SteadyOptions::default()).unwrap();
        assert!((found.state.q[0] - (16.0_f64 / 36.0).acos()).abs() < 1e-9, "{t:e}: {found:?}");
        // Beside it nothing is steady.
        let linear = space.linearise(&guess, &[]);
        assert!(matches!(linear, Err(AnalysisError::NotSteady { .. })), "{t:e}: {linear:?}");
    }
}

/// Two bars of length L over a span 2a that a load presses through: r³ = L a² at the folds, r² = a² + y²,
/// F = 2 k y (L/r − 1).
#[test]
fn a_truss_that_snaps_through() {
    let truss = "/// Two bars. \n system T { coordinates { y } parameters { F = 0, a = 1, L = 1.2, k = 10, c = 0.1 }
        kinetic = ẏ^2/2; potential = k*(sqrt(a^2 + y^2) - L)^2 + F*y; dissipation = c*ẏ^2/2; }";
    let r = 1.2_f64.cbrt();
    let load = 20.0 * (r * r - 1.0).sqrt() * (1.2 / r - 1.0);
    let guess = State::new(0.0, [0.7], [0.0]);
    let branches = steady(truss, "F", [-1.5 * load, 1.5 * load], &guess);
    check(&branches[0], &[(SpecialKind::Fold, load, 1e-14), (SpecialKind::Fold, -load, 1e-14)]);
    assert_eq!(branches[0].special[0].unstable, [0, 1]);
    let y = (r * r - 1.0).sqrt();
    assert!((branches[0].special[0].point.state.q[0] - y).abs() < 1e-9);
    assert_eq!((branches.len(), &branches[0].end), (1, &BranchEnd::Range));
}

/// ẍ + cẋ = λx − x² has the branches x = 0 and x = λ, which exchange their stability; the second is walked first, along
/// its slope.
#[test]
fn a_transcritical_point() {
    let source = "/// Two branches. \n system X { coordinates { x } parameters { λ = -1, c = 0.5 }
        kinetic = ẋ^2/2; potential = -λ*x^2/2 + x^3/3; dissipation = c*ẋ^2/2; }";
    let branches = steady(source, "λ", [-1.0, 1.5], &State::new(0.0, [-1.1], [0.0]));
    check(&branches[0], &[(SpecialKind::Branching, 0.0, 1e-8)]);
    let ends = |index: usize| branches[index].points.last().unwrap();
    assert!((ends(0).state.q[0] - 1.5).abs() < 1e-12 && ends(0).unstable == 0);
    let others: Vec<(f64, f64, usize)> = (1..branches.len())
        .map(|i| (ends(i).value, ends(i).state.q[0], ends(i).unstable))
        .collect();
    assert_eq!(others.len(), 2, "{others:?}");
    assert!(others.iter().all(|(_, x, _)| x.abs() < 1e-12), "{others:?}");
    assert!(others.iter().any(|(λ, _, unstable)| (*λ, *unstable) == (1.5, 1)), "{others:?}");
    assert!(others.iter().any(|(λ, _, unstable)| (*λ, *unstable) == (-1.0, 0)), "{others:?}");
}

/// x³ − μ x = ε: a pitchfork that is not perfect. From x < 0 the branch turns at μ = 3 (ε/2)^(2/3), and goes back along
/// x ≈ −ε/μ, unstable; the branch with x > 0 is another one, however near.
#[test]
fn a_pitchfork_that_is_not_perfect() {
    let cases: [(f64, [f64; 2]); 7] = [
        (3e-5, [2.0, -2.0]),
        (0.03, [1.0, -20.0]),
        (0.01, [1.0, -30.0]),
        (1e-4, [1.0, -5.0]),
        (1e-5, [1.0, -1.0]),
        (1e-3, [1.0, -5.0]),
        (1e-7, [1.0, -1.0]),
    ];
    for (ε, range) in cases {
        let source = format!(
            "/// Not perfect. \n system I {{ coordinates {{ x }} parameters {{ μ = 1, ε = {ε:e} }}
            kinetic = ẋ^2/2; potential = -μ*x^2/2 + x^4/4 - ε*x; dissipation = ẋ^2/20; }}"
        );
        let guess = State::new(0.0, [-range[0].sqrt()], [0.0]);
        let branches = steady(&source, "μ", range, &guess);
        let fold = 3.0 * (ε / 2.0).powf(2.0 / 3.0);
        check(&branches[0], &[(SpecialKind::Fold, fold, 1e-9)]);
        assert_eq!((branches.len(), branches[0].special[0].unstable), (1, [0, 1]), "{ε:e}");
        let last = branches[0].points.last().unwrap();
        assert!((last.value, last.unstable) == (range[0], 1), "{ε:e}: {last:?}");
        assert!(
            (last.state.q[0] + ε / range[0]).abs() < 2.0 * ε * ε + ε * ε * ε,
            "{ε:e}: {last:?}"
        );
    }
}

/// Two pairs of multipliers of coupled Hill oscillators without loss meet on the circle and leave it, and come back: at the
/// roots of A² = 4 (B − 2), of the monodromy λ⁴ − A λ³ + B λ² − A λ + 1 by SciPy (DOP853, 1e-13).
#[test]
fn multipliers_that_meet_on_the_circle() {
    let system = interpreted(
        "/// Coupled Hill oscillators. \n system H { coordinates { x, y } parameters { a = 1 }
        kinetic = (ẋ^2 + ẏ^2)/2; potential = (a - 0.6*cos(2*t))*x^2/2 + a*y^2 + 0.4*x*y*cos(2*t); }",
    );
    let family = |value: f64| Ok(Member { period: Some(PI), ..with(&system, "a", value) });
    let options = ContinuationOptions { branches_max: 1, ..ContinuationOptions::new([0.48, 0.76]) };
    let start = State::new(0.0, [0.0; 2], [0.0; 2]);
    let run = Options { until_time: Some(100.0), ..Options::default() };
    let branches = continue_orbit(&family, &start, Section::Period(PI), &run, options).unwrap();
    let meeting = SpecialKind::Meeting { frequency: 0.0 };
    check(
        &branches[0],
        &[(meeting.clone(), 0.500_459_545_6, 1e-8), (meeting, 0.752_995_957_2, 1e-8)],
    );
}

/// The arms x² = μ of a pitchfork, walked from outside, turn where the trunk x = 0 goes through.
#[test]
fn a_pitchfork_from_an_arm() {
    for potential in ["-μ*x^2/2 + x^4/4", "-μ*x^2/2 + x^4/4 + 0*y^2"] {
        let source = format!(
            "/// A pitchfork. \n system P {{ coordinates {{ x, y }} parameters {{ μ = 1, c = 0.5 }}
            kinetic = (ẋ^2 + ẏ^2)/2; potential = {potential} + y^2; dissipation = c*(ẋ^2 + ẏ^2)/2; }}"
        );
        let start = State::new(0.0, [0.9, 0.0], [0.0, 0.0]);
        let branches = steady(&source, "μ", [1.0, -1.0], &start);
        check(&branches[0], &[(SpecialKind::Branching, 0.0, 1e-12)]);
        assert_eq!(branches[0].special[0].unstable, [0, 0]);
        let ends: Vec<(f64, f64, usize)> = branches
            .iter()
            .map(|branch| {
                let last = branch.points.last().unwrap();
                (last.value, last.state.q[0], last.unstable)
            })
            .collect();
        assert_eq!((ends[0].0, ends[0].2, ends.len()), (1.0, 0, 3), "{ends:?}");
        assert!((ends[0].1 + 1.0).abs() < 1e-12, "{ends:?}");
        assert!(ends[1..].iter().all(|(_, x, _)| x.abs() < 1e-12), "{ends:?}");
        let mut trunk: Vec<(f64, usize)> = ends[1..].iter().map(|end| (end.0, end.2)).collect();
        trunk.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert_eq!(trunk, [(-1.0, 0), (1.0, 1)]);
    }
}

/// μ = x³ − a²x turns at x = ± a/√3, for a down to where both folds stand in one step.
#[test]
fn two_folds_side_by_side() {
    for a in [1.0, 0.1, 0.03, 0.01, 0.003] {
        let source = format!(
            "/// An S. \n system S {{ coordinates {{ x }} parameters {{ μ = 0 }}
            kinetic = ẋ^2/2; force x = μ - x^3 + {a}^2*x; dissipation = ẋ^2/2; }}"
        );
        let start = State::new(0.0, [-1.3], [0.0]);
        let branches = steady(&source, "μ", [-1.0, 1.0], &start);
        let fold = 2.0 * a * a * a / 27.0_f64.sqrt();
        let found = [(SpecialKind::Fold, fold, 1e-10), (SpecialKind::Fold, -fold, 1e-10)];
        check(&branches[0], &found);
        assert_eq!(
            branches[0].special.iter().map(|one| one.unstable).collect::<Vec<_>>(),
            [[0, 1], [1, 0]]
        );
        assert_eq!((branches.len(), &branches[0].end), (1, &BranchEnd::Range));
    }
}

/// A bead on a parabola is pulled to x = a/g, where the rows of its accelerations depend on each other, from its lowest place on
/// and from beside it.
#[test]
fn a_bead_that_is_pulled_aside() {
    let source = "/// A bead. \n system B { coordinates { x, y } parameters { a = 0 } kinetic = (ẋ^2 + ẏ^2)/2;
        potential = 9.81*y - a*x; holonomic { wire: y = x^2/2; } }";
    for range in [[0.0, 1.0], [0.001, 5.0], [0.0, 5.0], [-1.0, 1.0], [1.0, 1e3]] {
        let x = range[0] / 9.81;
        let start = State::new(0.0, [x, x * x / 2.0], [0.0, 0.0]);
        let branches = steady(source, "a", range, &start);
        let last = branches[0].points.last().unwrap();
        assert_eq!((branches.len(), &branches[0].end), (1, &BranchEnd::Range), "{range:?}");
        check(&branches[0], &[]);
        assert!((last.state.q[0] * 9.81 / range[1] - 1.0).abs() < 1e-12, "{range:?}: {last:?}");
    }
}

/// x = 1/(1 − μ) goes beyond all bounds; along x at μ = 1/2 all of x(μ − 1/2) = 0 are solutions.
#[test]
fn what_goes_far_is_no_family() {
    let along = |force: &str, from: f64, x: f64| {
        let source = format!(
            "/// Far. \n system F {{ coordinates {{ x }} parameters {{ μ = 0 }}
            kinetic = ẋ^2/2; force x = {force}; dissipation = ẋ^2/2; }}"
        );
        steady(&source, "μ", [from, 2.0], &State::new(0.0, [x], [0.0]))
    };
    for force in ["1 - (1 - μ)*x", "1e-4 - (1 - μ)*x", "1e4 - (1 - μ)*x"] {
        let branches = along(force, 0.0, 1.0);
        assert_eq!((branches.len(), &branches[0].end), (1, &BranchEnd::Unbounded), "{force}");
        check(&branches[0], &[]);
    }
    let branches = along("x*(μ - 0.5)", 0.0, 0.0);
    check(&branches[0], &[(SpecialKind::Branching, 0.5, 1e-12)]);
    for branch in &branches[1..] {
        assert_eq!(branch.end, BranchEnd::Stays);
        check(branch, &[]);
    }
}

/// ẍ + x = μẋ − ẋ³: λ² − μλ + 1 = 0.
#[test]
fn a_pair_through_the_axis() {
    let source = "/// Rayleigh's oscillator. \n system R { coordinates { x } parameters { μ = -1 }
        kinetic = ẋ^2/2; potential = x^2/2; force x = μ*ẋ - ẋ^3; }";
    let branches = steady(source, "μ", [-1.0, 0.9], &State::new(0.0, [0.0], [0.0]));
    let oscillation = SpecialKind::Oscillation { frequency: 1.0 };
    check(&branches[0], &[(oscillation, 0.0, 1e-12)]);
    assert_eq!(branches[0].special[0].unstable, [0, 2]);
}

/// A ball on a table z = A sin ωt, once a period: v⁺ = gT/2, A ω² cos φ = π g (1−e)/(1+e). Its map has the trace
/// 1 + e² − (1+e)² A ω² sin φ/g and the determinant e²: a fold where sin φ = 0, a multiplier −1 where
/// A ω² sin φ = 2 g (1+e²)/(1+e)².
#[test]
fn a_ball_on_a_table() {
    let table = interpreted(
        "/// A ball on a table. \n system B { coordinates { z } parameters { A = 0.0041, e = 0.8, g = 9.81 }
        kinetic = ż^2/2; potential = g*z; contact table { gap = z - A*sin(30*t); impact = restitution(e); } }",
    );
    let family = |value: f64| Ok(with(&table, "A", value));
    let (e, unit) = (0.8_f64, 9.81 / 900.0);
    let along = PI * (1.0 - e) / (1.0 + e);
    let fold = unit * along;
    let doubling = unit * along.hypot(2.0 * (1.0 + e * e) / (1.0 + e).powi(2));
    let run = Options { until_time: Some(100.0), ..Options::default() };
    let (start, section) = (State::new(0.135, [0.0565], [0.0]), Section::Period(PI / 15.0));
    let go = |to: f64| {
        let options =
            ContinuationOptions { step_max: 0.1, ..ContinuationOptions::new([0.0041, to]) };
        continue_orbit(&family, &start, section, &run, options).unwrap()
    };
    let up = go(0.0125);
    check(&up[0], &[(SpecialKind::Doubling, doubling, 1e-11)]);
    assert_eq!(up[0].special[0].unstable, [0, 1]);
    let down = go(0.0035);
    check(&down[0], &[(SpecialKind::Fold, fold, 1e-12)]);
    assert_eq!((down[0].special[0].unstable, &down[0].end), ([0, 1], &BranchEnd::Range));
}

/// A pendulum on a support that shakes stands from a frequency on, by Hill's equation ẍ = (g − a w² cos wt) x − d ẋ: the roots of
/// det(M − 1) by an integration of SciPy's. At the branching M − 1 is singular along the orbit that is looked for.
#[test]
fn a_pendulum_stands_on_a_support_that_shakes() {
    let source = "/// A pendulum. \n system K { coordinates { θ } parameters { g = 1, a = 0.1, w = 12, d = 0.1 }
        let x = sin(θ); let y = a*cos(w*t) - cos(θ);
        kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y; dissipation = d*θ̇^2/2; }";
    let run = Options { until_time: Some(100.0), ..Options::default() };
    for (d, critical) in [(0.1, 14.173_238_279_842), (0.5, 14.181_583_790_299)] {
        let pendulum = interpreted(&source.replace("d = 0.1", &format!("d = {d}")));
        let family = |value: f64| {
            Ok(Member { period: Some(2.0 * PI / value), ..with(&pendulum, "w", value) })
        };
        let (start, section) = (State::new(0.0, [PI], [0.0]), Section::Period(2.0 * PI / 12.0));
        let options =
            ContinuationOptions { step_max: 0.1, ..ContinuationOptions::new([12.0, 16.0]) };
        let found = continue_orbit(&family, &start, section, &run, options).unwrap();
        check(&found[0], &[(SpecialKind::Branching, critical, 1e-9)]);
        assert_eq!(found[0].special[0].unstable, [1, 0]);
    }
}

/// Duffing's oscillator in one well: the frequency doubles where SciPy's multiplier is −1.
#[test]
fn the_period_of_duffings_oscillator_doubles() {
    let duffing = interpreted(
        "/// Two wells. \n system D { coordinates { x } parameters { F = 0.25 }
        kinetic = ẋ^2/2; potential = x^4/4 - x^2/2; dissipation = 0.15*ẋ^2; force x = F*cos(1.2*t); }",
    );
    let family = |value: f64| Ok(with(&duffing, "F", value));
    let run = Options { until_time: Some(100.0), ..Options::default() };
    let (start, section) = (State::new(0.0, [0.45], [0.35]), Section::Period(2.0 * PI / 1.2));
    let options = ContinuationOptions { step_max: 0.1, ..ContinuationOptions::new([0.25, 0.27]) };
    let found = continue_orbit(&family, &start, section, &run, options).unwrap();
    check(&found[0], &[(SpecialKind::Doubling, 0.265_581_786_056, 1e-10)]);
    assert_eq!(found[0].special[0].unstable, [0, 1]);
}

/// After two periods the orbit of twice the period is a branch that goes through where SciPy's multiplier of one period is −1: of a
/// soft spring, and Mathieu's with a hard one from rest on.
#[test]
fn the_branch_of_twice_the_period() {
    let run = Options { until_time: Some(100.0), ..Options::default() };
    let go = |source: &str, name: &str, range: [f64; 2], start: State| {
        let system = interpreted(source);
        let family = |value: f64| Ok(with(&system, name, value));
        let options = ContinuationOptions::new(range);
        continue_orbit(&family, &start, Section::Period(2.0 * PI), &run, options).unwrap()
    };
    let soft = go(
        "/// Soft. \n system S { coordinates { x } parameters { F = 0.1 } kinetic = ẋ^2/2;
        potential = x^2/2 + x^3/3; force x = F*cos(2*t) - 0.1*ẋ; }",
        "F",
        [0.05, 0.6],
        State::new(0.0, [0.0], [0.0]),
    );
    let mathieu = go(
        "/// Hard. \n system M { coordinates { x } parameters { b = 0.1 } kinetic = ẋ^2/2;
        potential = (1 + b*cos(2*t))*x^2/2 + x^4/4; force x = -0.1*ẋ; }",
        "b",
        [0.05, 0.5],
        State::new(0.0, [0.0], [0.0]),
    );
    for (found, at) in [(soft, 0.302_947_3), (mathieu, 0.200_109_3)] {
        check(&found[0], &[(SpecialKind::Branching, at, 1e-6)]);
        assert_eq!(found.len(), 3, "{found:?}");
        let last = |index: usize| found[index].points.last().unwrap();
        for branch in 1..3 {
            check(&found[branch], &[]);
            assert_eq!((last(branch).value, last(branch).unstable), (last(0).value, 0));
            assert!((last(branch).state.v[0] - last(0).state.v[0]).abs() > 0.1, "{found:?}");
        }
        assert_eq!(last(0).unstable, 1);
    }
}

/// A map as a reset once in a period: λ times a turn by φ.
#[test]
fn a_pair_through_the_circle() {
    let map = interpreted(
        "/// A map. \n system M { coordinates { a, b } parameters { λ = 0.8, φ = 0.7 }
        kinetic = (ȧ^2 + ḃ^2)/2;
        event turn { guard = sin(π*t); rising;
            reset { ȧ = λ*(cos(φ)*ȧ - sin(φ)*ḃ) + ȧ^2; ḃ = λ*(sin(φ)*ȧ + cos(φ)*ḃ); } } }",
    );
    let family = |value: f64| Ok(with(&map, "λ", value));
    let run = Options { until_time: Some(100.0), ..Options::default() };
    let start = State::new(0.5, [0.0, 0.0], [0.0, 0.0]);
    let options = ContinuationOptions { step_max: 0.1, ..ContinuationOptions::new([0.8, 1.3]) };
    let found = continue_orbit(&family, &start, Section::Period(2.0), &run, options).unwrap();
    check(&found[0], &[(SpecialKind::Torus { angle: 0.7 }, 1.0, 1e-12)]);
    let SpecialKind::Torus { angle } = found[0].special[0].kind else { panic!("{found:?}") };
    assert!((angle - 0.7).abs() < 1e-10, "{angle}");
}

/// A driven oscillator beside a wall: its amplitude F/√((1 − ω²)² + c²ω²) reaches the wall.
#[test]
fn a_graze() {
    let oscillator = interpreted(
        "/// Beside a wall. \n system O { coordinates { x } parameters { F = 0.3, c = 0.2, ω = 0.8 }
        kinetic = ẋ^2/2; potential = x^2/2 - F*x*cos(ω*t); dissipation = c*ẋ^2/2;
        contact wall { gap = 1 - x; impact = restitution(0.7); } }",
    );
    let family = |value: f64| Ok(with(&oscillator, "F", value));
    let run = Options { until_time: Some(100.0), ..Options::default() };
    let (start, section) = (State::new(0.0, [0.5], [0.0]), Section::Period(2.0 * PI / 0.8));
    let options = ContinuationOptions { step_max: 0.1, ..ContinuationOptions::new([0.2, 1.0]) };
    let found = continue_orbit(&family, &start, section, &run, options).unwrap();
    let grazing = (1.0 - 0.64_f64).hypot(0.2 * 0.8);
    check(&found[0], &[(SpecialKind::Grazing { contact: "wall" }, grazing, 1e-9)]);
    assert!(matches!(found[0].end, BranchEnd::Lost { .. }), "{:?}", found[0].end);
}

/// The same from the orbits that strike the wall, whose multiplier goes beyond all bounds: they end where the amplitude of the others is 0.3.
#[test]
fn a_graze_from_the_impacts() {
    let oscillator = interpreted(
        "/// Beside a wall. \n system O { coordinates { x } parameters { ω = 2.06 }
        kinetic = ẋ^2/2; potential = x^2/2 - x*cos(ω*t); dissipation = ẋ^2/20;
        contact wall { gap = 0.3 - x; impact = restitution(0.8); } }",
    );
    let family = |value: f64| {
        Ok(Member { period: Some(2.0 * PI / value), ..with(&oscillator, "ω", value) })
    };
    let run = Options { until_time: Some(100.0), ..Options::default() };
    let (start, section) = (State::new(0.0, [-0.46], [0.055]), Section::Period(PI / 1.03));
    let options = ContinuationOptions { branches_max: 1, ..ContinuationOptions::new([2.06, 2.5]) };
    let found = continue_orbit(&family, &start, section, &run, options).unwrap();
    // (1 − ω²)² + 0.01 ω² = 1/0.09.
    let sum: f64 = 2.0 - 0.01;
    let grazing = (0.5 * (sum + (sum * sum - 4.0 * (1.0 - 1.0 / 0.09)).sqrt())).sqrt();
    let last = found[0].special.last().unwrap();
    assert_eq!(last.kind, SpecialKind::Grazing { contact: "wall" });
    assert!((last.point.value - grazing).abs() < 1e-7, "{grazing}: {:?}", last.point);
}

/// A pendulum along its amplitude: T = 2π/agm(1, cos(θ/2)).
#[test]
fn an_orbit_along_its_amplitude() {
    let pendulum = interpreted(
        "/// A pendulum. \n system P { coordinates { θ } kinetic = θ̇^2/2; potential = -cos(θ);
        event top { guard = θ̇; falling; } }",
    );
    let family =
        |_| Ok(Member { system: Box::new(pendulum.clone()), inputs: Vec::new(), period: None });
    let run = Options { until_time: Some(100.0), ..Options::default() };
    let options = ContinuationOptions {
        entry: Some(0),
        step_max: 0.2,
        ..ContinuationOptions::new([0.5, 2.5])
    };
    let section = Section::Events { event: 0, count: 1 };
    let start = State::new(0.0, [0.5], [0.0]);
    let found = continue_orbit(&family, &start, section, &run, options).unwrap();
    let last = found[0].points.last().unwrap();
    let (mut a, mut b) = (1.0_f64, 1.25_f64.cos());
    for _ in 0..7 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    assert_eq!(last.value, 2.5, "{:?}", found[0].end);
    assert!((last.period - 2.0 * PI / a).abs() < 1e-10, "{last:?} {}", 2.0 * PI / a);
}

/// A branch that begins or ends on a critical value has its branching there: x² = μ from μ = 0 on.
#[test]
fn a_pitchfork_at_the_end_of_the_range() {
    let source = "/// A pitchfork. \n system P { coordinates { x } parameters { μ = 0.5 }
        kinetic = ẋ^2/2; potential = -μ*x^2/2 + x^4/4; dissipation = ẋ^2/4; }";
    let rest = State::new(0.0, [0.0], [0.0]);
    let branches = steady(source, "μ", [0.0, 1.0], &rest);
    check(&branches[0], &[(SpecialKind::Branching, 0.0, 0.0)]);
    assert_eq!(branches[0].special[0].unstable, [0, 1]);
    assert_eq!(branches.len(), 3);
    for branch in &branches[1..] {
        let last = branch.points.last().unwrap();
        assert_eq!((branch.from, last.value, last.unstable), (Some((0, 0)), 1.0, 0));
        for point in &branch.points {
            assert!((point.state.q[0].abs() - point.value.sqrt()).abs() < 1e-7, "{point:?}");
        }
        assert!((last.state.q[0].abs() - 1.0).abs() < 1e-13, "{last:?}");
    }
    let branches = steady(source, "μ", [-1.0, 0.0], &rest);
    check(&branches[0], &[(SpecialKind::Branching, 0.0, 0.0)]);
    assert_eq!(branches.len(), 1, "the others are beyond the range");
}

/// Without loss two eigenvalues are 0 there, of a pair ± λ beside it: it is the same branching. Where λ² = −μ² they turn back.
#[test]
fn a_pitchfork_without_loss_at_the_end_of_the_range() {
    let source = "/// A pitchfork. \n system P { coordinates { x } parameters { μ = 0.5 }
        kinetic = ẋ^2/2; potential = -μ*x^2/2 + x^4/4; }";
    let rest = State::new(0.0, [0.0], [0.0]);
    for (range, unstable) in [([0.0, 1.0], [0, 1]), ([1.0, 0.0], [1, 0])] {
        let branches = steady(source, "μ", range, &rest);
        check(&branches[0], &[(SpecialKind::Branching, 0.0, 0.0)]);
        assert_eq!(branches[0].special[0].unstable, unstable);
        assert_eq!(branches.len(), 3, "{range:?}");
        for branch in &branches[1..] {
            let last = branch.points.last().unwrap();
            assert!((last.state.q[0].abs() - 1.0).abs() < 1e-13, "{last:?}");
        }
    }
    for range in [[-1.0, 0.0], [0.0, -1.0]] {
        let branches = steady(source, "μ", range, &rest);
        check(&branches[0], &[(SpecialKind::Branching, 0.0, 0.0)]);
        assert_eq!((branches.len(), branches[0].special[0].unstable), (1, [0, 0]));
    }
    let source = source.replace("-μ*x^2/2", "μ^2*x^2/2");
    let branches = steady(&source, "μ", [0.0, 1.0], &rest);
    check(&branches[0], &[(SpecialKind::Tangency { frequency: 0.0 }, 0.0, 0.0)]);
    assert_eq!(branches.len(), 1);
}

/// What swings at √k is at rest anywhere where k = 0: the branch along it ends, and says so. A branch along x = −ln μ ends where the
/// range does, at μ = 0, which it comes to at no x.
#[test]
fn branches_that_stay_or_go_far() {
    let spring = "/// A spring. \n system S { coordinates { x } parameters { k = -1 } kinetic = ẋ^2/2; potential = k*x^2/2; }";
    let branches = steady(spring, "k", [-1.0, 1.0], &State::new(0.0, [0.0], [0.0]));
    check(&branches[0], &[(SpecialKind::Branching, 0.0, 1e-9)]);
    assert_eq!(branches.len(), 3);
    for branch in &branches[1..] {
        assert_eq!(branch.end, BranchEnd::Stays);
        assert!(branch.points.len() < 30 && branch.points.iter().all(|one| one.value.abs() < 1e-9));
    }
    let fading = "/// It fades. \n system F { coordinates { x } parameters { μ = 1 } kinetic = ẋ^2/2; potential = μ*x + exp(-x); }";
    let branches = steady(fading, "μ", [1.0, 0.0], &State::new(0.0, [0.0], [0.0]));
    let last = branches[0].points.last().unwrap();
    assert!(!matches!(branches[0].end, BranchEnd::Points), "{:?}", branches[0].end);
    assert!(
        branches[0].points.len() < 300 && last.state.q[0].is_finite(),
        "{:?} {last:?}",
        branches[0].end
    );
}
