//! Impacts by Poisson's and Stronge's laws of a contact beside others that rest and feel it, against closed forms and differences
//! of runs.

use crate::common::interpreted;
use crate::random::Numbers;
use crate::{difference, end, options, transition};
use eom_analysis::{Transition, Variations};
use eom_core::nalgebra::{DMatrix, DVector};
use eom_core::{Event, EventKind, State, System};

/// A homogeneous box with feet 2 apart, on one of which it stands while the other falls.
pub(crate) const BOX: &str = "/// A box. \n system B { coordinates { x, y, θ }
    parameters { μ = 0.4, ν = 0.3, e = 0.5, f = 0.3, h = 0.4, g = 9.81, c = 0.2 }
    kinetic = (ẋ^2 + ẏ^2)/2 + (1 + h^2)/6*θ̇^2 + c*cos(x)*θ̇*ẋ/4; potential = g*y + x^2;
    contact left { gap = y - sin(θ) - h*cos(θ) - c*sin(x)/9; slip = ẋ + (sin(θ) + h*cos(θ))*θ̇; friction = μ; impact = LEFT(e); }
    contact right { gap = y + sin(θ) - h*cos(θ); slip = ẋ + (h*cos(θ) - sin(θ))*θ̇; friction = ν; impact = RIGHT(f); } }";

/// What of the box is zero while it stands on its left foot and slides.
fn on_left(y: &[f64], [h, c]: [f64; 2]) -> Vec<f64> {
    let [x, height, θ, u, v, ω] = y else { return Vec::new() };
    let rate = v - (θ.cos() - h * θ.sin()) * ω - c * x.cos() / 9.0 * u;
    vec![height - θ.sin() - h * θ.cos() - c * x.sin() / 9.0, rate]
}

/// A start of the box on its left foot.
fn standing(θ: f64, ω: f64, slip: f64, [h, c]: [f64; 2]) -> State {
    let x = 0.1_f64;
    let u = slip - (θ.sin() + h * θ.cos()) * ω;
    let v = (θ.cos() - h * θ.sin()) * ω + c * x.cos() / 9.0 * u;
    State::new(0.0, [x, θ.sin() + h * θ.cos() + c * x.sin() / 9.0, θ], [u, v, ω])
}

/// Directions in which conditions stay zero.
pub(crate) fn along(start: &State, conditions: &dyn Fn(&[f64]) -> Vec<f64>) -> DMatrix<f64> {
    let y = [&start.q[..], &start.v].concat();
    let column = |j: usize| {
        let at = |h: f64| {
            let mut y = y.clone();
            y[j] += h;
            DVector::from(conditions(&y))
        };
        let h = 1e-3;
        let wide = (at(2.0 * h) - at(-2.0 * h)) / (4.0 * h);
        ((at(h) - at(-h)) * (2.0 / h) - wide) / 3.0
    };
    let rows = DMatrix::from_columns(&(0..y.len()).map(column).collect::<Vec<_>>());
    let square = rows.tr_mul(&rows).symmetric_eigen();
    let free = (0..y.len()).filter(|i| square.eigenvalues[*i].abs() < 1e-9);
    DMatrix::from_columns(
        &free.map(|i| square.eigenvectors.column(i).into_owned()).collect::<Vec<_>>(),
    )
}

/// The contacts that were struck, with those that felt it.
pub(crate) fn hits(found: &Transition) -> Vec<usize> {
    let of = |event: &Event| match &event.kind {
        EventKind::Impact { others, .. } => Some(1 + others.len()),
        _ => None,
    };
    found.events.iter().filter_map(of).collect()
}

/// Against differences of runs along directions that stay on what holds, by one of some steps.
pub(crate) fn check_along(
    system: &dyn System,
    (start, t): (&State, f64),
    found: &Transition,
    directions: &DMatrix<f64>,
) {
    let scale = found.matrix.amax().max(1.0);
    for direction in directions.column_iter() {
        let along = &found.matrix * direction;
        let direction: Vec<f64> = direction.iter().copied().collect();
        let off = |h: f64| (difference(system, start, &direction, t, h) - &along).amax();
        let agrees = [3e-4, 1e-3, 1e-4].into_iter().any(|h| off(h) < 1e-8 * scale);
        assert!(agrees, "{direction:?}: {:e} of {scale}", off(3e-4));
    }
}

/// A system with these values of its parameters, and its start.
type Made = (Box<dyn System>, State);

/// By parameters, against differences of runs.
fn check_parameters(
    of: &dyn Fn(&[f64]) -> Made,
    (names, values): (&[&str], &[f64]),
    t: f64,
) -> bool {
    let (system, start) = of(values);
    let variations = Variations::new(&*system).unwrap();
    let found = match variations.sensitivities(&start, &[], &options(), t, names) {
        Ok(found) => found,
        Err(why) => {
            assert!(is_expected(&why.to_string()), "{why}");
            return false;
        }
    };
    for column in 0..names.len() {
        let at = |h: f64| {
            let mut values = values.to_vec();
            values[column] += h;
            let (system, _) = of(&values);
            DVector::from(end(&*system, &start, t))
        };
        let off = |h: f64| {
            let near = (at(h) - at(-h)) / (2.0 * h);
            let wide = (at(2.0 * h) - at(-2.0 * h)) / (4.0 * h);
            ((near * 4.0 - wide) / 3.0 - found.matrix.column(column)).amax()
        };
        let scale = found.matrix.amax().max(1.0);
        let agrees = [3e-4, 1e-3, 1e-4].into_iter().any(|h| off(h) < 1e-8 * scale);
        assert!(agrees, "{}: {:e} of {scale}", names[column], off(3e-4));
    }
    true
}

const NAMES: [&str; 4] = ["μ", "ν", "e", "f"];

/// ω, the slip, e, f, μ, ν.
const ROCKS: [[f64; 6]; 9] = [
    [-1.0, 0.5, 0.5, 0.3, 0.4, 0.3],
    [-1.0, 2.5, 0.6, 0.3, 0.2, 0.3],
    [-1.0, -2.5, 0.2, 0.7, 0.2, 0.3],
    [-2.0, 0.9, 0.7, 0.1, 0.9, 0.1],
    [-2.0, 0.4, 0.4, 0.9, 0.1, 0.4],
    [-2.0, -0.5, 0.8, 0.8, 0.1, 0.2],
    [-2.0, -0.2, 0.3, 0.9, 0.2, 0.1],
    [-2.0, 0.1, 0.3, 0.7, 0.3, 0.2],
    [-2.0, 0.02, 0.6, 0.9, 0.2, 0.5],
];

/// Why some of these have no derivative.
fn is_expected(why: &str) -> bool {
    why.contains("the impact of `right` leaves the impulses of its compression undetermined")
        || why.contains("infinitely many impacts of `right` end")
}

/// The laws of both feet.
const LAWS: [[&str; 2]; 4] = [
    ["poisson", "poisson"],
    ["stronge", "stronge"],
    ["restitution", "poisson"],
    ["poisson", "restitution"],
];

fn rocking(laws: [&str; 2], [_, _, e, f, μ, ν]: [f64; 6]) -> impl System + Clone {
    let source = BOX.replace("LEFT", laws[0]).replace("RIGHT", laws[1]);
    let values = [μ, ν, e, f, 0.4, 9.81, 0.2].map(Some);
    interpreted(&source).with_parameters(&values).unwrap()
}

/// The box rocks over: what it stands on slides or sticks, is lifted off by what it gives back, or bears.
#[test]
fn a_box_rocks_over() {
    let mut answered = 0;
    for laws in LAWS {
        for case in ROCKS {
            let system = rocking(laws, case);
            let [ω, slip, ..] = case;
            let (start, t) = (standing(0.05, ω, slip, [0.4, 0.2]), 0.055 / -ω);
            let variations = Variations::new(&system).unwrap();
            let found = match variations.transition(&start, &[], &options(), t) {
                Ok(found) => found,
                Err(why) => {
                    let why = why.to_string();
                    assert!(is_expected(&why), "{why}");
                    continue;
                }
            };
            assert_eq!(hits(&found)[0], 2, "{laws:?} {case:?}");
            let directions = along(&start, &|y| on_left(y, [0.4, 0.2]));
            check_along(&system, (&start, t), &found, &directions);
            answered += 1;
        }
    }
    assert!(answered > 22, "{answered}");
}

#[test]
fn a_box_rocks_over_by_its_parameters() {
    let mut answered = 0;
    for laws in &LAWS[..2] {
        for case in ROCKS {
            let [ω, slip, e, f, μ, ν] = case;
            let start = standing(0.05, ω, slip, [0.4, 0.2]);
            let make = |values: &[f64]| {
                let [μ, ν, e, f] = values else { panic!("{values:?}") };
                let system = rocking(*laws, [ω, slip, *e, *f, *μ, *ν]);
                (Box::new(system) as Box<dyn System>, start.clone())
            };
            answered += u32::from(check_parameters(&make, (&NAMES, &[μ, ν, e, f]), 0.055 / -ω));
        }
    }
    assert!(answered > 10, "{answered}");
}

/// A ball strikes one that a force holds against a wall: Λ_C = V of both. What the wall gives back beyond e lifts the other off.
#[test]
fn a_ball_against_a_wall_in_closed_form() {
    let source =
        "/// Balls. \n system B { coordinates { x, y, z, w } parameters { e = 0.5, f = 0.3, F = 1 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2 + ẇ^2)/2; potential = -F*y;
        contact meet { gap = y - x; slip = ẇ - ż; friction = 0.1; impact = poisson(e); }
        contact wall { gap = -y; slip = ẇ; friction = 0; impact = poisson(f); } }";
    for (e, f) in [(0.5, 0.3), (0.5, 0.8), (0.3, 0.9), (0.9, 0.0)] {
        let balls = interpreted(source).with_parameters(&[Some(e), Some(f), Some(1.0)]).unwrap();
        let start = State::new(0.0, [-0.2, 0.0, 0.0, 0.0], [2.0, 0.0, 3.0, 0.0]);
        let found = transition(&balls, &start, 0.1 + 1e-9);
        let by = Variations::new(&balls).unwrap();
        let by = by.sensitivities(&start, &[], &options(), 0.1 + 1e-9, &["e", "f"]).unwrap();
        // Impulses of both by V: at e = f what the wall gives back is what holds the ball.
        let strikes = 1.0 + f64::max(e, f / 2.0);
        let [by_e, by_f] = if e >= f / 2.0 { [1.0, 0.0] } else { [0.0, 0.5] };
        let (bears, of_wall) = if f > e { (1.0 + f, [0.0, 1.0]) } else { (strikes, [by_e, by_f]) };
        // What is lifted off is pushed back from then on, which is by 0.2/V² sooner.
        let pushed = if bears > strikes { 0.2 / 4.0 } else { 0.0 };
        let wanted = [1.0 - strikes, strikes - bears + pushed];
        for (row, wanted) in wanted.into_iter().enumerate() {
            let one = found.matrix[(4 + row, 4)];
            assert!((one - wanted).abs() < 1e-8, "{e} {f} {row}: {one} {wanted}");
        }
        let wanted = [[-by_e, -by_f], [by_e - of_wall[0], by_f - of_wall[1]]];
        for row in 0..2 {
            for column in 0..2 {
                let (one, wanted) = (by.matrix[(4 + row, column)], 2.0 * wanted[row][column]);
                assert!((one - wanted).abs() < 1e-8, "{e} {f} {row} {column}: {one} {wanted}");
            }
        }
    }
}

/// Where the wall gives back just what holds the ball, it is at the edge: motions beside it lift off or not.
#[test]
fn at_the_edge_of_bearing_there_is_no_derivative() {
    let source = "/// Balls. \n system B { coordinates { x, y, z, w } parameters { F = 1 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2 + ẇ^2)/2; potential = -F*y;
        contact meet { gap = y - x; slip = ẇ - ż; friction = 0.1; impact = poisson(0.5); }
        contact wall { gap = -y; slip = ẇ; friction = 0; impact = poisson(0.5); } }";
    let balls = interpreted(source);
    let start = State::new(0.0, [-0.2, 0.0, 0.0, 0.0], [2.0, 0.0, 3.0, 0.0]);
    let found = Variations::new(&balls).unwrap().transition(&start, &[], &options(), 0.2);
    let told = found.unwrap_err().to_string();
    assert!(told.contains("the impact of `meet` leaves `wall` at the edge of bearing"), "{told}");
}

/// A ball that falls on one that lies on the floor, by Stronge's law with e = 1: springs with m G = (2, −1; −1, 1), whose impulses are
/// closed forms; all is in proportion to the speed.
#[test]
fn a_column_of_elastic_balls() {
    let source = "/// Balls. \n system B { coordinates { x, y, z, w } parameters { e = 1, f = 1 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2 + ẇ^2)/2; potential = 9.81*(x + y);
        contact meet { gap = x - y; slip = ẇ - ż; friction = 0; impact = stronge(e); }
        contact floor { gap = y; slip = ẇ; friction = 0; impact = stronge(f); } }";
    for (e, f) in [(1.0, 1.0), (0.7, 0.9), (0.9, 0.4)] {
        let balls = interpreted(source).with_parameters(&[Some(e), Some(f)]).unwrap();
        let start = State::new(0.0, [0.1, 0.0, 0.0, 0.0], [-2.0, 0.0, 0.3, 0.0]);
        let mut t = (-2.0 + (4.0_f64 + 4.0 * 9.81 * 0.05).sqrt()) / 9.81;
        t += 1e-4;
        let found = transition(&balls, &start, t);
        let directions = along(&start, &|y| vec![y[1], y[5]]);
        check_along(&balls, (&start, t), &found, &directions);
        let make = |values: &[f64]| {
            let all: Vec<Option<f64>> = values.iter().copied().map(Some).collect();
            let system = interpreted(source).with_parameters(&all).unwrap();
            (Box::new(system) as Box<dyn System>, start.clone())
        };
        if e < 1.0 {
            assert!(check_parameters(&make, (&["e", "f"], &[e, f]), t));
        }
    }
}

/// A sled in space: two feet with slips in the plane, one of which stands.
const SLED: &str = "/// A sled. \n system S { coordinates { x, w, y, θ } parameters { μ = 0.3, ν = 0.2, e = 0.5, f = 0.3 }
    kinetic = (ẋ^2 + ẇ^2 + ẏ^2)/2 + 0.2*θ̇^2; potential = 9.81*y;
    contact left { gap = y - sin(θ) - 0.4*cos(θ); slip = [ẋ + (sin(θ) + 0.4*cos(θ))*θ̇, ẇ + 0.3*θ̇]; friction = μ; impact = LAW(e); }
    contact right { gap = y + sin(θ) - 0.4*cos(θ); slip = [ẋ + (0.4*cos(θ) - sin(θ))*θ̇, ẇ - 0.2*θ̇]; friction = ν; impact = LAW(f); } }";

#[test]
fn slips_turn_in_their_planes() {
    let (mut answered, mut refused) = (0, Vec::new());
    for law in ["poisson", "stronge"] {
        for (u, w, μ) in [(2.0, 1.5, 0.2), (-1.5, 0.7, 0.3), (0.3, 0.2, 0.1), (0.05, 0.1, 0.6)] {
            let source = SLED.replace("f = 0.3", "f = 0.8");
            let source = source.replace("LAW", law).replace("μ = 0.3", &format!("μ = {μ}"));
            let sled = interpreted(&source);
            let (θ, ω) = (0.03_f64, -1.5);
            let height = θ.sin() + 0.4 * θ.cos();
            let rate = (θ.cos() - 0.4 * θ.sin()) * ω;
            let start = State::new(0.0, [0.0, 0.0, height, θ], [u, w, rate, ω]);
            let found =
                match Variations::new(&sled).unwrap().transition(&start, &[], &options(), 0.025) {
                    Ok(found) => found,
                    Err(why) => {
                        refused.push(why.to_string());
                        continue;
                    }
                };
            assert_eq!(hits(&found)[0], 2, "{law} {u} {w}");
            let directions = along(&start, &|y| {
                let (θ, ω) = (y[3], y[7]);
                vec![y[2] - θ.sin() - 0.4 * θ.cos(), y[6] - (θ.cos() - 0.4 * θ.sin()) * ω]
            });
            check_along(&sled, (&start, 0.025), &found, &directions);
            answered += 1;
        }
    }
    assert!(answered >= 5, "{answered}: {refused:?}");
}

/// A block with one on it that is pressed down falls on a floor whose friction f acts by what it does to a servo: ẋ is pushed by
/// (1 + k) f, the block by −j f, z by h f. With V = −ẏ, σ the side of the slip, l = 1 + j μ σ: Λ_C of the top is V, of the floor 2V/l where it slides,
/// 2V − j φ σ where φ = |ẋ|/(1 + k) stops it; of both e comes back.
#[test]
fn a_servo_through_two_phases_in_closed_form() {
    let source = "/// Blocks. \n system B { coordinates { x, y, z, w } parameters { k = 0, h = 0, j = 0, μ = 0.3, e = 0.5, f = 0.6, P = 5 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2 + ẇ^2)/2; potential = P*w;
        force x = k*friction(floor); force y = -j*friction(floor); force z = h*friction(floor);
        contact floor { gap = y; slip = ẋ; friction = μ; impact = poisson(e); }
        contact top { gap = w - y; slip = ż; friction = 0; impact = poisson(f); } }";
    let v = 2.0_f64;
    for (k, h, j, μ) in
        [(1.5_f64, -2.0, 0.3, 0.3_f64), (-0.6, 1.0, 0.5, 0.4), (0.4, 3.0, -0.4, 0.2)]
    {
        for (slip, e, f) in
            [(19.0_f64, 0.5, 0.6), (-19.0, 0.4, 0.7), (0.2, 0.5, 0.6), (-0.2, 0.4, 0.7)]
        {
            let values = [k, h, j, μ, e, f, 1e-9].map(Some);
            let blocks = interpreted(source).with_parameters(&values).unwrap();
            let start = State::new(0.0, [0.0, 0.1, 0.0, 0.1], [slip, -v, 0.0, -v]);
            let found = transition(&blocks, &start, 0.051);
            assert_eq!(hits(&found), [2]);
            let (σ, slides) = (slip.signum(), slip.abs() > 1.0);
            let φ = slip.abs() / (1.0 + k);
            let (l, stopped) = (1.0 + j * μ * σ, 2.0 * v - j * φ * σ);
            let λ = if slides { 2.0 * v / l } else { stopped };
            let pushed = if slides { μ * (1.0 + e) * λ } else { φ };
            let lifted = if slides { 2.0 * e * v } else { e * λ };
            let wanted = [slip - (1.0 + k) * σ * pushed, lifted - f * v, -h * σ * pushed, f * v];
            // By ẋ, and by V of both.
            let of_slip = if slides {
                [1.0, 0.0, 0.0, 0.0]
            } else {
                [0.0, -e * j / (1.0 + k), -h / (1.0 + k), 0.0]
            };
            let of_v = if slides {
                let by = μ * (1.0 + e) * 2.0 / l * σ;
                [-(1.0 + k) * by, 2.0 * e - f, -h * by, f]
            } else {
                [0.0, 2.0 * e - f, 0.0, f]
            };
            for row in 0..4 {
                let by = |column: usize| found.matrix[(4 + row, column)];
                let found = [found.state.v[row], by(4), -by(5) - by(7)];
                for (one, wanted) in found.into_iter().zip([wanted[row], of_slip[row], of_v[row]]) {
                    let what = format!("{k} {slip} {e} {row}: {one} {wanted}");
                    assert!((one - wanted).abs() < 1e-8 * (1.0 + wanted.abs()), "{what}");
                }
            }
        }
    }
}

/// Friction that counts in one direction of two, and a body that can slip in one alone, land by each law: ẋ⁺ = ẋ + c μ (1 + e) V until
/// it is 0, with c of the direction.
#[test]
fn friction_in_one_direction_of_two() {
    let source =
        "/// A particle. \n system A { coordinates { x, y, z } parameters { μ = 0.3, e = 0.5 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2)/2;
        contact floor { gap = z; slip = SLIP; FRICTION; impact = LAW(e); } }";
    let (v, μ, e) = (2.0_f64, 0.3, 0.5);
    for law in ["restitution", "poisson", "stronge"] {
        for (slip, friction, c) in [
            ("[ẋ, ẏ]", "friction([μ, 0])", 1.0),
            ("[ẏ, ẋ]", "friction([0, μ])", 1.0),
            ("[ẋ, 2*ẋ]", "friction = μ", 5.0_f64.sqrt()),
        ] {
            let source = source.replace("LAW", law);
            let source = source.replace("SLIP", slip).replace("FRICTION", friction);
            let particle = interpreted(&source);
            for speed in [-7.0_f64, -0.4, 0.3, 5.0] {
                let start = State::new(0.0, [0.0, 0.0, 0.2], [speed, 0.6, -v]);
                let end = end(&particle, &start, 0.11);
                let most = c * μ * (1.0 + e) * v;
                let slides = speed.abs() > most;
                let wanted = if slides { speed - most * speed.signum() } else { 0.0 };
                for (one, wanted) in end[3..].iter().zip([wanted, 0.6, e * v]) {
                    assert!((one - wanted).abs() < 1e-12, "{law} {slip} {speed}: {end:?}");
                }
                if slip == "[ẋ, 2*ẋ]" {
                    continue;
                }
                let found = transition(&particle, &start, 0.11).matrix;
                let by_v = if slides { c * μ * (1.0 + e) * speed.signum() } else { 0.0 };
                let kept = f64::from(u8::from(slides));
                let wanted = [[kept, 0.0, by_v], [0.0, 1.0, 0.0], [0.0, 0.0, -e]];
                for (row, wanted) in wanted.into_iter().enumerate() {
                    for (column, wanted) in wanted.into_iter().enumerate() {
                        let one = found[(3 + row, 3 + column)];
                        assert!((one - wanted).abs() < 1e-10, "{law} {slip} {speed}: {found}");
                    }
                }
            }
        }
    }
}

/// Three blocks on each other: the upper one falls on two that rest, each with other masses, and slips along the next.
const STACK: &str = "/// Blocks. \n system S { coordinates { a, b, c, x, y, z }
    parameters { m = 1, n = 1, μ = 0.3, ν = 0.2, ρ = 0.4, e = 0.5, f = 0.3, h = 0.6, s = 0 }
    kinetic = (ȧ^2 + ẋ^2 + m*(ḃ^2 + ẏ^2) + n*(ċ^2 + ż^2))/2 + s*(ȧ*ẋ + ḃ*ẏ + ċ*ż)/3 + s*cos(b)*ȧ*ċ/4; potential = 9.81*(x + m*y + n*z);
    contact floor { gap = x; slip = ȧ; friction = μ; impact = LAW(e); }
    contact middle { gap = y - x; slip = ḃ - ȧ; friction = ν; impact = LAW(f); }
    contact top { gap = z - y; slip = ċ - ḃ; friction = ρ; impact = LAW(h); } }";

/// Stacks of random numbers.
#[test]
fn random_stacks() {
    let (mut numbers, mut answered) = (Numbers(11), [0; 2]);
    for number in 0..24 {
        let law = ["poisson", "stronge"][number % 2];
        let mut between = |low: f64, high: f64| numbers.between(low, high);
        let parameters = [
            between(0.5, 2.0),
            between(0.5, 2.0),
            between(0.05, 0.6),
            between(0.05, 0.6),
            between(0.05, 0.6),
            between(0.2, 0.9),
            between(0.2, 0.9),
            between(0.2, 0.9),
            between(-0.5, 0.5),
        ];
        let stack = interpreted(&STACK.replace("LAW", law));
        let stack = stack.with_parameters(&parameters.map(Some)).unwrap();
        let v = [between(-1.0, 1.0), between(-2.0, 2.0), between(-3.0, 3.0), 0.0, 0.0, -3.0];
        let start = State::new(0.0, [0.0, 0.2, 0.0, 0.0, 0.0, 0.1], v);
        let t = 0.0335;
        let found = match Variations::new(&stack).unwrap().transition(&start, &[], &options(), t) {
            Ok(found) => found,
            Err(why) => {
                assert!(why.to_string().contains("at t = "), "{number}: {why}");
                continue;
            }
        };
        let directions = along(&start, &|y| vec![y[3], y[4] - y[3], y[9], y[10] - y[9]]);
        check_along(&stack, (&start, t), &found, &directions);
        answered[number % 2] += 1;
    }
    assert!(answered.iter().all(|count| *count > 10), "{answered:?}");
}

/// Two bodies that strike at one time: where neither feels the other's impact, there is a derivative, that of differences; where one
/// does, through the mass matrix or by a damper between them, the order decides, and there is none.
#[test]
fn struck_at_one_time() {
    for (coupling, damper, is_smooth) in [(0.0, 0.0, true), (0.3, 0.0, false), (0.0, 0.4, false)] {
        let pair = interpreted(&format!(
            "/// A pair. \n system P {{ coordinates {{ x, y }} parameters {{ a = 0, c = 0.2 }} kinetic = ẋ^2/2 + ẏ^2 + {coupling}*ẋ*ẏ;
            potential = {}*x + {}*y + 3*(x - y)^2; dissipation = c*(ẋ^2/2 + ẏ^2 + {coupling}*ẋ*ẏ) + {damper}*(ẋ - ẏ)^2;
            contact first {{ gap = x; impact = restitution(0.6); }}
            contact second {{ gap = y - a; impact = restitution(0.3); }} }}",
            5.0 + 5.0 * coupling,
            10.0 + 5.0 * coupling
        ));
        let start = State::new(0.0, [1.0, 1.0], [-1.0, -1.0]);
        let variations = Variations::new(&pair).unwrap();
        let found = variations.sensitivities(&start, &[], &options(), 0.5, &["a", "c"]);
        match found {
            Ok(found) => {
                assert!(is_smooth, "{found:?}");
                assert_eq!(found.events.len(), 1);
                for (column, name) in ["a", "c"].iter().enumerate() {
                    let at = |h: f64| {
                        let moved =
                            if *name == "a" { [Some(h), None] } else { [None, Some(0.2 + h)] };
                        let moved = pair.with_parameters(&moved).unwrap();
                        DVector::from_vec(end(&moved, &start, 0.5))
                    };
                    // To each side: which is struck first changes how the motion bends, and not how it begins.
                    for h in [1e-4, -1e-4] {
                        let expected = (at(h) * 4.0 - at(2.0 * h) - at(0.0) * 3.0) / (2.0 * h);
                        let off = (found.matrix.column(column) - &expected).amax();
                        assert!(off < 1e-6, "{name}: {off:e} {} {expected}", found.matrix);
                    }
                }
            }
            Err(why) => {
                assert!(!is_smooth, "{why}");
                assert!(why.to_string().contains("struck at one time"), "{why}");
            }
        }
    }
}
