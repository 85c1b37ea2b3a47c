//! Linear systems against published numbers and closed forms.

mod common;

use common::interpreted;
use eom_analysis::{
    AnalysisError, CrossingKind, StateSpace, SteadyOptions, critical_values, eigenvalues,
};
use eom_core::nalgebra::{Complex, DMatrix, Matrix2, Vector2};
use eom_core::{State, System, start_scenario};
use eom_interpreter::Interpreted;

fn bicycle() -> Interpreted {
    interpreted(include_str!("../../examples/bicycle/bicycle.eom"))
}

/// The bicycle that rolls straight on at a speed.
fn straight(bicycle: &Interpreted, speed: f64) -> State {
    let mut start = start_scenario(bicycle, "straight").expect("a start");
    start.v.iter_mut().for_each(|v| *v *= speed / 5.0);
    start
}

fn bicycle_matrix(bicycle: &Interpreted, speed: f64) -> Result<DMatrix<f64>, AnalysisError> {
    let free = ["φ", "δ", "φ̇", "δ̇", "ψ", "ẋ"];
    let space = StateSpace::new(bicycle)?;
    Ok(space.linearise_by(&free, &straight(bicycle, speed), &[0.0])?.a)
}

/// M q̈ + v C₁ q̇ + (g K₀ + v² K₂) q = f, q = (φ, δ): Meijaard, Papadopoulos, Ruina and Schwab, Proc. R. Soc. A 463
/// (2007), equations (A 2.4) for the benchmark.
#[test]
fn the_bicycle_has_the_published_coefficients() {
    let m =
        Matrix2::new(80.81722, 2.319_413_322_087_09, 2.319_413_322_087_09, 0.297_841_881_996_86);
    let k0 =
        Matrix2::new(-80.95, -2.599_516_852_498_72, -2.599_516_852_498_72, -0.803_294_884_586_18);
    let k2 = Matrix2::new(0.0, 76.597_345_895_732_22, 0.0, 2.654_315_237_946_04);
    let c1 = Matrix2::new(0.0, 33.866_413_914_924_94, -0.850_356_414_569_78, 1.685_403_973_975_60);
    let inverse = m.try_inverse().expect("a mass matrix");
    let bicycle = bicycle();
    for speed in [0.0, 0.7, 5.0, 10.0] {
        let a = bicycle_matrix(&bicycle, speed).unwrap();
        let stiffness = -inverse * (k0 * 9.81 + k2 * speed * speed);
        let damping = -inverse * c1 * speed;
        let found = (a.fixed_view::<2, 2>(2, 0), a.fixed_view::<2, 2>(2, 2));
        let off = (found.0 - stiffness).amax().max((found.1 - damping).amax());
        assert!(off < 2e-11, "{speed} m/s: {off:e}");
    }
    let space = StateSpace::new(&bicycle).unwrap();
    for speed in [0.7, 5.0] {
        let state = straight(&bicycle, speed);
        let linear = space.linearise(&state, &[0.0]).unwrap();
        let found = linear.second_order(&bicycle, &state).unwrap();
        assert_eq!(
            found.coordinates.iter().map(|e| e.name.as_str()).collect::<Vec<_>>(),
            ["φ", "δ"]
        );
        let expected = [m, c1 * speed, k0 * 9.81 + k2 * speed * speed];
        for (found, expected) in
            [&found.mass, &found.damping, &found.stiffness].iter().zip(expected)
        {
            let off = (found.fixed_view::<2, 2>(0, 0) - expected).amax();
            assert!(off < 1e-11 * expected.amax(), "{found} {expected}");
        }
        assert!((found.force.fixed_view::<2, 1>(0, 0) - Vector2::new(0.0, 1.0)).amax() < 1e-12);
    }
    let linear =
        space.linearise_by(&["φ", "δ", "φ̇", "δ̇", "ψ", "ẋ"], &straight(&bicycle, 3.0), &[0.0]);
    let torque = inverse.column(1).into_owned();
    assert!((linear.unwrap().b.fixed_view::<2, 1>(2, 0) - torque).amax() < 1e-11);
}

/// Two masses between springs and dampers, one of them beside a rotor that goes on: the matrices of the energies; a cart that is
/// free leaves M − m² l²/(m + M) of its pendulum, and with it kept it is all of them.
#[test]
fn systems_of_second_order() {
    let linear = |source: &str, keep: &[&str], v: &[f64], u: &[f64]| {
        let system = interpreted(source);
        let n = system.info().positions();
        let space = StateSpace::new(&system).unwrap().keeping(keep).unwrap();
        let state = State::new(0.0, vec![0.0; n], v.to_vec());
        space.linearise(&state, u).unwrap().second_order(&system, &state).unwrap()
    };
    let masses = linear(
        "system S { coordinates { x, y, θ } inputs { F } kinetic = 2/2*ẋ^2 + 3/2*ẏ^2 + ẋ*ẏ + 5/2*θ̇^2 + 4*θ̇*(x*ẏ - y*ẋ);
        potential = 7/2*x^2 + x*y + 6/2*y^2; dissipation = 0.5/2*ẋ^2 + 0.1/2*(ẏ - ẋ)^2; force y = F; }",
        &[],
        &[0.0, 0.0, 2.0],
        &[0.0],
    );
    // The rotor's momentum is 5 θ̇; ∂L/∂x has 4 θ̇ ẏ, d/dt ∂L/∂ẋ −4 θ̇ ẏ: gyroscopic ∓16.
    let expected = [
        Matrix2::new(2.0, 1.0, 1.0, 3.0),
        Matrix2::new(0.6, -0.1 - 16.0, -0.1 + 16.0, 0.1),
        Matrix2::new(7.0, 1.0, 1.0, 6.0),
    ];
    for (found, expected) in [&masses.mass, &masses.damping, &masses.stiffness].iter().zip(expected)
    {
        assert!((found.fixed_view::<2, 2>(0, 0) - expected).amax() < 1e-13, "{found} {expected}");
    }
    assert!((masses.force.fixed_view::<2, 1>(0, 0) - Vector2::new(0.0, 1.0)).amax() < 1e-14);
    let cart = "system S { coordinates { x, θ } kinetic = 2/2*ẋ^2 + 1/2*(ẋ^2 + 2*ẋ*θ̇*0.5*cos(θ) + 0.25*θ̇^2);
        potential = -9.81*0.5*cos(θ); }";
    let free = linear(cart, &[], &[0.0, 0.0], &[]);
    assert!((free.mass[0] - (0.25 - 0.25 / 3.0)).abs() < 1e-15 && free.mass.len() == 1);
    assert!((free.stiffness[0] - 9.81 * 0.5).abs() < 1e-14);
    let kept = linear(cart, &["x"], &[0.0, 0.0], &[]);
    let expected = [Matrix2::new(3.0, 0.5, 0.5, 0.25), Matrix2::new(0.0, 0.0, 0.0, 4.905)];
    for (found, expected) in [&kept.mass, &kept.stiffness].iter().zip(expected) {
        assert!((found.fixed_view::<2, 2>(0, 0) - expected).amax() < 1e-14, "{found} {expected}");
    }
}

/// The weave and capsize speeds, and the eigenvalues at rest, of the same paper.
#[test]
fn critical_speeds_of_the_bicycle() {
    let bicycle = bicycle();
    let samples: Vec<f64> = (1..=20).map(|i| 0.5 * f64::from(i)).collect();
    let found = critical_values(&samples, |speed| bicycle_matrix(&bicycle, speed)).unwrap();
    let [weave, capsize] = found[..] else { panic!("{found:?}") };
    assert!((weave.at - 4.292_382_536_341).abs() < 2e-12, "{weave:?}");
    assert!((capsize.at - 6.024_262_015_388).abs() < 2e-12, "{capsize:?}");
    assert!(matches!(weave.kind, CrossingKind::Oscillatory { .. }));
    assert_eq!((weave.unstable, capsize.unstable), ([2, 0], [0, 1]));
    assert_eq!(capsize.kind, CrossingKind::Real);
    let rest = eigenvalues(&bicycle_matrix(&bicycle, 0.0).unwrap()).unwrap();
    for (found, published) in [(rest[0], 5.530_943_717_653_93), (rest[1], 3.131_643_247_906_56)] {
        assert!((found - published).norm_sqr().sqrt() < 1e-12, "{found}");
    }
}

/// Ziegler's pendulum under a following force P, with masses 2 and 1, in a unit of time T: it flutters from P = 7/2 − √2 on,
/// where two pairs meet at ω⁴ = 1/2 (without loss), with damping c in both joints from 41/28 + c²/2 on.
#[test]
fn critical_values_are_the_same_in_any_unit_of_time() {
    let matrix = |p: f64, c: f64, t: f64| {
        let inverse = Matrix2::new(0.5, -0.5, -0.5, 1.5);
        let stiffness = inverse * Matrix2::new(2.0 - p, p - 1.0, -1.0, 1.0) / (t * t);
        let damping = inverse * Matrix2::new(2.0, -1.0, -1.0, 1.0) * (c / t);
        let mut a = DMatrix::zeros(4, 4);
        a.view_mut((0, 2), (2, 2)).fill_with_identity();
        a.view_mut((2, 0), (2, 2)).copy_from(&-stiffness);
        a.view_mut((2, 2), (2, 2)).copy_from(&-damping);
        a
    };
    let samples: Vec<f64> = (0..=10).map(|i| 0.5 + 0.25 * f64::from(i)).collect();
    for t in [1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9, 1e12, 1e15] {
        let critical = |c: f64| {
            let found = critical_values(&samples, |p| Ok(matrix(p, c, t)));
            let found = found.unwrap_or_else(|error| panic!("{t} {c}: {error}"));
            let [crossing] = found[..] else { panic!("{t} {c}: {found:?}") };
            crossing
        };
        let meeting = critical(0.0);
        assert!((meeting.at - (3.5 - 2.0_f64.sqrt())).abs() < 1e-12, "{t}: {meeting:?}");
        let CrossingKind::Meeting { frequency } = meeting.kind else { panic!("{meeting:?}") };
        assert!((frequency * t - 0.5_f64.sqrt().sqrt()).abs() < 1e-6, "{t}: {frequency}");
        let flutter = critical(0.1);
        assert!((flutter.at - (41.0 / 28.0 + 0.005)).abs() < 1e-12, "{t}: {flutter:?}");
        assert!(matches!(flutter.kind, CrossingKind::Oscillatory { .. }), "{t}: {flutter:?}");
    }
}

/// ẍ = a x + b ẋ: a pair crosses at b = 0 where a < 0, an eigenvalue at a = 0, with the other one where b = 0. The samples, or
/// the middle between them, are these values to the bit.
#[test]
fn a_sample_may_be_a_critical_value() {
    let matrix = |a: f64, b: f64| DMatrix::from_row_slice(2, 2, &[0.0, 1.0, a, b]);
    let families: [(_, &dyn Fn(f64) -> DMatrix<f64>); 4] = [
        (CrossingKind::Oscillatory { frequency: 1.0 }, &|p| matrix(-1.0, p)),
        (CrossingKind::Real, &|p| matrix(p, -1.0)),
        (CrossingKind::Real, &|p| matrix(p, 0.0)),
        (CrossingKind::Real, &|p| matrix(p, 1.0)),
    ];
    let samples: [&[f64]; 4] =
        [&[-1.0, 1.0], &[-1.0, 0.0, 1.0], &[-3.0, -1.0, 0.0, 2.0], &[-1e-3, 0.0, 1e3]];
    for ((kind, family), samples) in families.iter().flat_map(|f| samples.map(|s| (f, s))) {
        let found = critical_values(samples, |p| Ok(family(p))).unwrap();
        let [crossing] = found[..] else { panic!("{kind:?} {samples:?}: {found:?}") };
        assert_eq!(crossing.kind, *kind, "{samples:?}");
        assert!(crossing.at.abs() < 1e-15, "{samples:?}: {crossing:?}");
        assert_eq!(
            crossing.unstable[0].abs_diff(crossing.unstable[1]),
            match kind {
                CrossingKind::Real => 1,
                _ => 2,
            }
        );
    }
}

/// a and b of each of two oscillators, at p.
type Family = dyn Fn(f64) -> [[f64; 2]; 2];

/// What crosses, where, how many there are unstable on both sides.
type Expected = (CrossingKind, f64, [usize; 2]);

/// An oscillator that is calm.
const CALM: [f64; 2] = [-4.0, -1.0];

/// What a family of ẍ = a x + b ẋ, two of them side by side, has: the kind, where, and the numbers before and behind. Tangency and
/// turning back, one after another between two samples, two at one value, what begins or ends on the axis or only touches it
/// there.
#[test]
fn what_touches_or_crosses_together() {
    let tangency = |frequency| CrossingKind::Tangency { frequency };
    let pair = |frequency| CrossingKind::Oscillatory { frequency };
    let table: [(&Family, &[f64], &[Expected]); 15] = [
        (
            &|p| [[-(p - 1.0).powi(2), -1.0], CALM],
            &[0.0, 0.525, 1.05, 1.575, 2.1],
            &[(tangency(0.0), 1.0, [0, 0])],
        ),
        (
            &|p| [[-(p - 1.0).powi(2), -1.0], CALM],
            &[0.0, 0.5, 1.0, 1.5, 2.0],
            &[(tangency(0.0), 1.0, [0, 0])],
        ),
        (
            &|p| [[-4.0, -(p - 0.7).powi(2)], CALM],
            &[0.0, 0.4, 0.8, 1.2],
            &[(tangency(2.0), 0.7, [0, 0])],
        ),
        (
            &|p| [[0.0004 - (p - 1.02).powi(2), -1.0], CALM],
            &[0.0, 0.5, 1.0, 1.5],
            &[(CrossingKind::Real, 1.0, [0, 1]), (CrossingKind::Real, 1.04, [1, 0])],
        ),
        (
            &|p| [[0.0004 - (p - 1.13).powi(2), -1.0], CALM],
            &[0.0, 0.5, 1.0, 1.5],
            &[(CrossingKind::Real, 1.11, [0, 1]), (CrossingKind::Real, 1.15, [1, 0])],
        ),
        (
            &|p| [[p - 0.3, -1.0], [3.0 * (p - 0.3), -2.0]],
            &[-1.0, -0.5, 0.0, 1.0],
            &[(CrossingKind::Several, 0.3, [0, 2])],
        ),
        (
            &|p| [[-1.0, p - 0.3], [-9.0, 2.0 * (p - 0.3)]],
            &[-1.0, -0.5, 0.0, 1.0],
            &[(pair(1.0), 0.3, [0, 2]), (pair(3.0), 0.3, [2, 4])],
        ),
        (&|p| [[-9.0, p], CALM], &[0.0, 0.5, 1.0], &[(pair(3.0), 0.0, [0, 2])]),
        // Slow ones beside one that is 10⁷ times as fast.
        (&|p| [[-1.0, p], [-1e14, -1e3]], &[-0.1, -0.05, 0.06], &[(pair(1.0), 0.0, [0, 2])]),
        (
            &|p| [[p, -1.0], [-1e12, -1e3]],
            &[-0.1, -0.05, 0.05, 0.1],
            &[(CrossingKind::Real, 0.0, [0, 1])],
        ),
        (&|p| [[-9.0, -p * p], CALM], &[0.0, 0.5, 1.0], &[(tangency(3.0), 0.0, [0, 0])]),
        (&|p| [[-9.0, -p * p], CALM], &[-1.0, -0.5, 0.0], &[(tangency(3.0), 0.0, [0, 0])]),
        (&|p| [[-p * p, -1.0], CALM], &[-1.0, -0.5, 0.0], &[(tangency(0.0), 0.0, [0, 0])]),
        (&|p| [[-p, -1.0], CALM], &[0.0, 0.5, 1.0], &[(CrossingKind::Real, 0.0, [0, 0])]),
        (&|p| [[-9.0, 0.0], [-4.0 - p, -1.0]], &[-1.0, -0.5, 0.0], &[]),
    ];
    for (family, samples, expected) in table {
        let matrix = |p: f64| {
            let [[a, b], [c, d]] = family(p);
            let rows =
                [[0.0, 1.0, 0.0, 0.0], [a, b, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, c, d]];
            Ok(DMatrix::from_row_slice(4, 4, rows.as_flattened()))
        };
        let found = critical_values(samples, matrix).unwrap();
        assert_eq!(found.len(), expected.len(), "{expected:?}: {found:?}");
        let mut left = found.clone();
        for (kind, at, unstable) in expected {
            let same = |one: &CrossingKind| match (one, kind) {
                (
                    CrossingKind::Tangency { frequency: a },
                    CrossingKind::Tangency { frequency: b },
                )
                | (
                    CrossingKind::Oscillatory { frequency: a },
                    CrossingKind::Oscillatory { frequency: b },
                ) => (a - b).abs() < 1e-7,
                (one, other) => one == other,
            };
            // Two at one value come in either order.
            let place = left.iter().position(|one| same(&one.kind) && (one.at - at).abs() < 1e-9);
            let one = left.remove(place.unwrap_or_else(|| panic!("{kind:?} at {at}: {found:?}")));
            let size = |of: [usize; 2]| of[0].abs_diff(of[1]);
            assert_eq!(size(one.unstable), size(*unstable), "{kind:?}: {found:?}");
        }
    }
}

/// ẍ = x + 2W ẏ, ÿ = y − 2W ẋ: λ = ± i(W ± √(W² − 1)), two pairs that meet at W = 1. ẍ = −x + K y, ÿ = −y − K x:
/// λ² = −1 ± iK, on the axis at K = 0 alone. Samples on it, beside it, and none near.
#[test]
fn where_two_pairs_meet() {
    let spinning = |w: f64| [[1.0, 0.0, 0.0, 2.0 * w], [0.0, 1.0, -2.0 * w, 0.0]];
    let pushed = |k: f64| [[-1.0, k, 0.0, 0.0], [-k, -1.0, 0.0, 0.0]];
    let check =
        |force: &dyn Fn(f64) -> [[f64; 4]; 2], samples: &[f64], expected: (CrossingKind, f64)| {
            let matrix = |p: f64| {
                let [x, y] = force(p);
                let rows = [[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], x, y];
                Ok(DMatrix::from_row_slice(4, 4, rows.as_flattened()))
            };
            let found = critical_values(samples, matrix).unwrap();
            let [one] = found[..] else { panic!("{samples:?}: {found:?}") };
            let is_same = std::mem::discriminant(&one.kind) == std::mem::discriminant(&expected.0);
            assert!(is_same && (one.at - expected.1).abs() < 1e-9, "{samples:?}: {one:?}");
        };
    let even = |from: f64, to: f64, count: usize| -> Vec<f64> {
        let part = |i: usize| i as f64 / (count - 1) as f64;
        (0..count).map(|i| from + (to - from) * part(i)).collect()
    };
    for count in [2, 3, 4, 5, 20, 21, 40] {
        let samples = even(0.0, 2.0, count);
        check(&spinning, &samples, (CrossingKind::Meeting { frequency: 1.0 }, 1.0));
    }
    for (to, count) in [(1.0, 20), (1.0, 21), (1.1, 20), (1.3, 3), (0.7, 40)] {
        let samples = even(-1.0, to, count);
        check(&pushed, &samples, (CrossingKind::Tangency { frequency: 1.0 }, 0.0));
    }
}

/// A chain of five masses and six springs between walls, ωₖ = 2 sin(kπ/12), with its masses in any order and in any unit of
/// time: the real parts are rounding, and the fastest pair comes first.
#[test]
fn undamped_pairs_come_in_the_order_of_their_frequencies() {
    let orders = [[0_usize, 1, 2, 3, 4], [4, 2, 0, 1, 3], [1, 4, 3, 0, 2], [2, 0, 4, 3, 1]];
    for (order, t) in orders.iter().flat_map(|order| [1e-9, 0.3, 1.0, 7.0, 1e9].map(|t| (order, t)))
    {
        let mut a = DMatrix::zeros(10, 10);
        for (i, place) in order.iter().enumerate() {
            a[(i, 5 + i)] = 1.0;
            for (j, other) in order.iter().enumerate() {
                let spring = [2.0, -1.0, 0.0, 0.0, 0.0][place.abs_diff(*other)];
                a[(5 + i, j)] = -spring / (t * t);
            }
        }
        let found = eigenvalues(&a).unwrap();
        for (pair, k) in found.chunks(2).zip((1..=5).rev()) {
            let ω = 2.0 * (f64::from(k) * std::f64::consts::PI / 12.0).sin() / t;
            assert!((pair[0].im - ω).abs() < 1e-13 * ω, "{order:?} {t}: {found:?}");
            assert!((pair[1].im + ω).abs() < 1e-13 * ω, "{order:?} {t}: {found:?}");
        }
    }
}

/// A system, its steady motion q, v, and what its eigenvalues are, in closed form.
struct Case {
    source: &'static str,
    q: &'static [f64],
    v: Vec<f64>,
    values: Vec<(f64, f64)>,
}

fn check(case: &Case) {
    let system = interpreted(case.source);
    let state = State::new(0.0, case.q, case.v.as_slice());
    let linear = StateSpace::new(&system).and_then(|space| space.linearise(&state, &[]));
    let mut found = linear
        .and_then(|linear| linear.eigenvalues())
        .unwrap_or_else(|error| panic!("{error}: {}", case.source));
    assert_eq!(found.len(), case.values.len(), "{found:?}: {}", case.source);
    for (re, im) in &case.values {
        let distance = |value: &Complex<f64>| (value - Complex::new(*re, *im)).norm_sqr().sqrt();
        let nearest = found.iter().map(distance).enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        let (index, off) = nearest.expect("as many as expected");
        // A double eigenvalue is told to the root of the rounding.
        let several = case.values.iter().filter(|other| **other == (*re, *im)).count() > 1;
        assert!(
            off < if several { 1e-7 } else { 1e-13 * (1.0 + re.hypot(*im)) },
            "{re} {im}: {off:e}"
        );
        found.remove(index);
    }
}

fn pair(ω: f64) -> [(f64, f64); 2] {
    [(0.0, ω), (0.0, -ω)]
}

#[test]
fn eigenvalues_in_closed_form() {
    // The nutation of a top in steady precession, by its effective potential: with p = I₃(ψ̇ + φ̇ cos θ), which the
    // precession Ω asks for, I₁ω² = p²/I₁ − 4 p Ω cos θ + I₁Ω²(1 + 3 cos²θ).
    let (θ, turn, i1, i3, weight): (f64, f64, f64, f64, f64) = (0.7, 2.0, 1.5, 0.4, 3.0);
    let p = (weight + i1 * turn * turn * θ.cos()) / turn;
    let nutation =
        p * p / i1 - 4.0 * p * turn * θ.cos() + i1 * turn * turn * (1.0 + 3.0 * θ.cos().powi(2));
    let nutation = (nutation / i1).sqrt();
    let cases = [
        Case {
            source: "/// On a circle, in the plane.
                system P { coordinates { x, y } parameters { l = 2, g = 9 }
                kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y; holonomic { rod: x^2 + y^2 = l^2; } }",
            q: &[0.0, -2.0],
            v: vec![0.0; 2],
            values: pair(4.5_f64.sqrt()).to_vec(),
        },
        Case {
            source: "/// Damped.
                system D { coordinates { x } parameters { k = 5, c = 2 }
                kinetic = ẋ^2/2; potential = k*x^2/2; dissipation = c/2*ẋ^2; }",
            q: &[0.0],
            v: vec![0.0],
            values: vec![(-1.0, 2.0), (-1.0, -2.0)],
        },
        Case {
            source: "/// A heavy top.
                system T { coordinates { φ, θ, ψ } parameters { A = 1.5, C = 0.4, w = 3 }
                kinetic = A/2*(θ̇^2 + φ̇^2*sin(θ)^2) + C/2*(ψ̇ + φ̇*cos(θ))^2; potential = w*cos(θ); }",
            q: &[0.3, 0.7, -1.0],
            v: vec![turn, 0.0, p / i3 - turn * θ.cos()],
            values: [pair(nutation).to_vec(), vec![(0.0, 0.0); 2]].concat(),
        },
        Case {
            source: "/// A body that hangs from a point: two swings, and a turn about the vertical.
                system B { rotation R { body: ω_1, ω_2, ω_3 } coordinates { s } parameters { A = 2, B = 3, C = 1, w = 6 }
                kinetic = (A*ω_1^2 + B*ω_2^2 + C*ω_3^2)/2 + ṡ^2/2; potential = w*R[3][3]; }",
            q: &[0.0, 0.0, 1.0, 0.0, 0.0],
            v: vec![0.0; 4],
            values: [pair(3.0_f64.sqrt()).to_vec(), pair(2.0_f64.sqrt()).to_vec(), vec![(0.0, 0.0); 3]].concat(),
        },
        Case {
            source: "/// Along its own speeds: a sleigh that glides on with its mass before the blade.
                system S { coordinates { x, y, θ } parameters { a = 0.5, J = 2 }
                velocities { u = cos(θ)*ẋ + sin(θ)*ẏ, w = -sin(θ)*ẋ + cos(θ)*ẏ, r = θ̇ }
                kinetic = (u^2 + (w + a*r)^2)/2 + J/2*r^2; constraints { blade: w; } }",
            q: &[1.0, 2.0, 0.4],
            v: vec![3.0, 0.0, 0.0],
            values: vec![(0.0, 0.0), (-0.5 * 3.0 / (2.0 + 0.25), 0.0)],
        },
    ];
    cases.iter().for_each(check);
}

/// An upright disk that rolls is stable from ω² = A m g r/(C (C + m r²)) on: v² = g r/3, of a hoop v² = g r/4.
#[test]
fn the_speed_from_which_a_disk_stays_upright() {
    for (axial, transverse, expected) in
        [(0.5, 0.25, 9.81 * 0.2 / 3.0), (1.0, 0.5, 9.81 * 0.2 / 4.0)]
    {
        let source = format!(
            "/// A disk on a plane, z up.
            system Disk {{ coordinates {{ x, y, ψ, φ, θ }} parameters {{ r = 0.2, m = 3, g = 9.81 }}
            let W = rot_z(ψ)*rot_x(φ); let down = -W*[0, 0, 1]; let X = [x, y, 0] - r*down;
            let ω = vee(transpose(W)*W_dot) + [0, θ̇, 0];
            kinetic = m/2*dot(X_dot, X_dot) + m*r^2/2*({transverse}*(ω[1]^2 + ω[3]^2) + {axial}*ω[2]^2);
            potential = m*g*X[3];
            let slip = X_dot + cross(W*ω, r*down);
            constraints {{ a: slip[1]; b: slip[2]; }} }}"
        );
        let disk = interpreted(&source);
        let space = StateSpace::new(&disk).unwrap();
        let matrix = |v: f64| {
            let state = State::new(0.0, [0.0; 5], [v, 0.0, 0.0, 0.0, v / 0.2]);
            Ok(space.linearise(&state, &[])?.a)
        };
        let found = critical_values(&[0.2, 0.6, 1.0, 1.4], matrix).unwrap();
        let [only] = found[..] else { panic!("{found:?}") };
        assert!((only.at * only.at - expected).abs() < 1e-12, "{only:?}, {expected}");
        assert_eq!(only.unstable, [1, 0]);
    }
}

const CART: &str = "/// A pendulum on a cart.
    system Cart { coordinates { x, θ } parameters { M = 1, m = 0.2, l = 0.5, g = 9.81 } inputs { F }
    kinetic = M/2*ẋ^2 + m/2*((ẋ + l*θ̇*cos(θ))^2 + (l*θ̇*sin(θ))^2); potential = m*g*l*cos(θ);
    force x = F; output tip = x + l*sin(θ); output push = F + θ̇; }";

/// M ẍ = F − m g θ, M l θ̈ = (M + m) g θ − F.
#[test]
fn inputs_and_outputs_of_a_cart() {
    let cart = interpreted(CART);
    let state = State::new(0.0, [4.0, 0.0], [0.0; 2]);
    let linear = StateSpace::new(&cart).unwrap().linearise(&state, &[0.0]).unwrap();
    let names: Vec<&str> = linear.free.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["θ", "ẋ", "θ̇"]);
    let a = [[0.0, 0.0, 1.0], [-1.962, 0.0, 0.0], [1.2 * 9.81 / 0.5, 0.0, 0.0]];
    let off = DMatrix::from_fn(3, 3, |i, j| linear.a[(i, j)] - a[i][j]);
    assert!(off.amax() < 1e-13, "{off}");
    assert!((&linear.b - DMatrix::from_row_slice(3, 1, &[0.0, 1.0, -2.0])).amax() < 1e-14);
    // `tip` reads x, which nothing depends on.
    assert_eq!(linear.outputs, ["push"]);
    assert_eq!((linear.c.as_slice(), linear.d.as_slice()), (&[0.0, 0.0, 1.0][..], &[1.0][..]));
    let space = StateSpace::new(&cart).unwrap().keeping(&["x"]).unwrap();
    let whole = space.linearise(&state, &[0.0]).unwrap();
    assert_eq!(whole.outputs, ["tip", "push"]);
    assert_eq!(whole.c.row(0).iter().copied().collect::<Vec<_>>(), [1.0, 0.5, 0.0, 0.0]);
}

#[test]
fn steady_motions_are_found() {
    let cart = interpreted(CART);
    let space = StateSpace::new(&cart).unwrap();
    let found =
        space.steady(&State::new(0.0, [1.0, 2.9], [0.2, 0.1]), &[0.3], &SteadyOptions::default());
    // The input is given: only a cart that is pushed nowhere is steady.
    assert!(matches!(found, Err(AnalysisError::NotFound { .. })), "{found:?}");
    let trim = SteadyOptions { hold: vec!["x_dot"], free_inputs: vec!["F"] };
    let found = space.steady(&State::new(0.0, [1.0, 2.9], [0.2, 0.1]), &[0.3], &trim).unwrap();
    assert!((found.state.q[1] - std::f64::consts::PI).abs() < 1e-14, "{found:?}");
    assert!(
        found.inputs[0].abs() < 1e-12 && found.state.v[0] == 0.2 && found.state.v[1].abs() < 1e-14
    );
    // τ = m g l sin θ holds an arm.
    let arm = interpreted(
        "/// An arm.
        system Arm { coordinates { θ } inputs { τ } kinetic = θ̇^2/2; potential = -7*cos(θ); force θ = τ; }",
    );
    // One that is named twice is one unknown.
    let hold = SteadyOptions { hold: vec!["θ"], free_inputs: vec!["τ", "tau"] };
    let space = StateSpace::new(&arm).unwrap();
    let found = space.steady(&State::new(0.0, [1.0], [0.0]), &[0.0], &hold).unwrap();
    assert!((found.inputs[0] - 7.0 * 1.0_f64.sin()).abs() < 1e-14 && found.state.q == [1.0]);
}

/// What has no answer, and what is said.
#[test]
fn refusals() {
    let table: [(&str, &[f64], &[f64], &str); 7] = [
        (
            "/// Shaken. \n system S { coordinates { x } kinetic = ẋ^2/2; potential = x*sin(t); }",
            &[0.0],
            &[0.0],
            "`S` depends on the time t: it has no steady motion, and no linearisation that stays",
        ),
        (
            "/// Beside the floor. \n system F { coordinates { y } kinetic = ẏ^2/2; potential = 0;
            contact floor { gap = y; impact = plastic; } }",
            &[0.0],
            &[0.0],
            "not smooth at this state: the contact `floor` is about to open, N = 0.000e0",
        ),
        (
            "/// On a rough table. \n system R { coordinates { x } kinetic = ẋ^2/2; potential = -x; dissipation = abs(ẋ); }",
            &[0.0],
            &[0.0],
            "not smooth at this state: the friction of abs(ẋ) is at the edge of its cone, with a load of 1.000000000",
        ),
        (
            "/// A stone. \n system F { coordinates { y } kinetic = ẏ^2/2; potential = 9*y; }",
            &[1.0],
            &[0.0],
            "not a steady motion: d/dt ẏ = -9.000e0",
        ),
        (
            "/// On a circle. \n system P { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = y;
            holonomic { rod: x^2 + y^2 = 4; } }",
            &[0.0, -1.0],
            &[0.0, 1.0],
            "the state is off its constraints: rod = -2.000e0, φ of rod = -3.000e0",
        ),
        (
            "/// A string. \n system W { coordinates { x } kinetic = ẋ^2/2; potential = 2/3*abs(x)*sqrt(x); }",
            &[-1.0],
            &[0.0],
            "no number at this state: the rate of ẋ",
        ),
        (
            "/// A pendulum. \n system P { coordinates { θ } kinetic = θ̇^2/2; potential = -cos(θ); }",
            &[0.0, 1.0],
            &[0.0],
            "q: expected 1 numbers, found 2",
        ),
    ];
    for (source, q, v, said) in table {
        let system = interpreted(source);
        let state = State::new(0.0, q, v);
        let found = StateSpace::new(&system).and_then(|space| space.linearise(&state, &[]));
        assert_eq!(found.map(|_| ()).unwrap_err().to_string(), said);
    }
    let cart = interpreted(CART);
    let space = StateSpace::new(&cart).unwrap();
    let state = State::new(0.0, [0.0; 2], [0.0; 2]);
    for (free, said) in [
        (&["x"][..], "nothing depends on `x`: it is not in the linear system unless it is kept"),
        (&["z"], "no entry `z`; there are: x, θ, ẋ, θ̇"),
        (
            &["θ"],
            "`θ` cannot be the free entries: 3 are needed that are independent, such as `θ, ẋ, θ̇`",
        ),
    ] {
        let found = space.linearise_by(free, &state, &[0.0]);
        assert_eq!(found.map(|_| ()).unwrap_err().to_string(), said);
    }
}

/// What is free beside a row by Chetaev's rule is not linear in the velocities.
#[test]
fn rows_that_are_not_affine_have_no_linear_system() {
    let kept = interpreted(
        "system Kept { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2;
         constraints { speed: ẋ^2 + ẏ^2 = 1; } allow chetaev(speed); }",
    );
    let found = StateSpace::new(&kept).map(|_| ());
    let nonlinear = matches!(found, Err(AnalysisError::NonlinearRow { row: "speed", .. }));
    assert!(nonlinear, "{found:?}");
}
