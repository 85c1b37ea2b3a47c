//! Variations through phases with closed contacts and with dry friction, against closed forms and differences of whole runs.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../../../tests/drawn.rs"]
mod drawn;
mod exponents;
mod phases;
mod plane;
mod random;
mod several;
mod spatial;
mod stopped;
mod units;

use common::interpreted;
use eom_analysis::{AnalysisError, LyapunovOptions, Section, Transition, Variations};
use eom_core::nalgebra::{DMatrix, DVector};
use eom_core::{Event, EventKind, Options, Run, StartPolicy, State, System};

/// Runs are as exact as they can be.
fn options() -> Options {
    Options { relative_tolerance: 1e-13, ..Options::default() }
}

fn transition(system: &dyn System, start: &State, t: f64) -> Transition {
    let variations = Variations::new(system).unwrap();
    variations.transition(start, &[], &options(), t).unwrap_or_else(|why| panic!("{why}"))
}

/// The end of a run at t; what leaves the constraints is brought back to them.
fn end(system: &dyn System, start: &State, t: f64) -> Vec<f64> {
    let options = Options { start: StartPolicy::Project, ..options() };
    let mut run = Run::new(system, start, &options).unwrap();
    let _ = run.advance_to(t);
    assert_eq!(run.t(), t, "{:?}", run.end());
    [&run.state().q[..], &run.state().v].concat()
}

fn moved(start: &State, direction: &[f64], h: f64) -> State {
    let step = |x: &[f64], d: &[f64]| x.iter().zip(d).map(|(x, d)| x + h * d).collect::<Vec<_>>();
    let (of_q, of_v) = direction.split_at(start.q.len());
    State::new(start.t, step(&start.q, of_q), step(&start.v, of_v))
}

/// What happens on the way, one letter an event.
fn letters(found: &Transition) -> String {
    letters_of(&found.events)
}

fn letters_of(events: &[Event]) -> String {
    let letter = |kind: &EventKind| match kind {
        EventKind::Impact { .. } => 'i',
        EventKind::Closing { .. } => 'c',
        EventKind::Accumulation { .. } => 'a',
        EventKind::Opening { .. } => 'o',
        EventKind::Stick { .. } => 's',
        EventKind::Slip { .. } => 'g',
        EventKind::Declared { .. } => 'd',
    };
    events.iter().map(|event| letter(&event.kind)).collect()
}

/// The difference of runs along a direction, Richardson of two steps.
fn difference(
    system: &dyn System,
    start: &State,
    direction: &[f64],
    t: f64,
    h: f64,
) -> DVector<f64> {
    let central = |h: f64| {
        let [up, down] =
            [h, -h].map(|h| DVector::from(end(system, &moved(start, direction, h), t)));
        (up - down) / (2.0 * h)
    };
    (central(h) * 4.0 - central(2.0 * h)) / 3.0
}

/// A system, its start and end, how many directions on what holds at the start there are at least, and its events.
struct Case {
    source: String,
    start: State,
    t: f64,
    events: &'static str,
}

/// Against differences of runs at several steps, along directions on what holds at the start.
fn check(case: &Case, directions: &DMatrix<f64>) {
    let Case { source, start, t, events } = case;
    let system = interpreted(source);
    let found = transition(&system, start, *t);
    assert_eq!(letters(&found), *events, "{source}");
    let scale = found.matrix.amax().max(1.0);
    for direction in directions.column_iter() {
        let along = &found.matrix * direction;
        let direction: Vec<f64> = direction.iter().copied().collect();
        for h in [3e-4, 1e-4, 3e-5] {
            let off = (difference(&system, start, &direction, *t, h) - &along).amax();
            assert!(off < 1e-7 * scale, "{direction:?}, h = {h}: {off:e} of {scale}\n{source}");
        }
    }
}

/// All directions are those of a start in free motion.
fn check_all(case: &Case) {
    let n = case.start.q.len() + case.start.v.len();
    check(case, &DMatrix::identity(n, n));
}

/// A block that lands on a floor which is driven, slides, sticks and slides.
const BLOCK: &str = "/// A block. \n system B { coordinates { x, y } parameters { μ_s = 0.5, μ = 0.4, g = 9.81, k = 12, V = 0.8 }
    kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y + k*x^2/2 + x*y;
    contact floor { gap = y; slip = ẋ - V*cos(2*t); friction(μ_s, μ); impact = restitution(0); } }";

/// A particle that lands on a hill and leaves it.
const HILL: &str = "/// A hill. \n system H { coordinates { x, y } parameters { g = 9.81 }
    let hill = 0.4*exp(-x^2);
    kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y;
    contact hill { gap = y - hill; FRICTION impact = restitution(0); } }";

fn case(source: &str, start: State, t: f64, events: &'static str) -> Case {
    Case { source: source.to_owned(), start, t, events }
}

/// Lands, slides, sticks; on a floor that is driven harder it gives way and sticks again and again.
#[test]
fn a_block_that_lands_slides_and_sticks() {
    let start = || State::new(0.0, [0.2, 0.3], [0.5, 0.1]);
    check_all(&case(BLOCK, start(), 3.0, "ics"));
    check_all(&case(&BLOCK.replace("V = 0.8", "V = 2"), start(), 6.0, "icsgsgsg"));
}

#[test]
fn a_particle_lands_on_a_hill_and_leaves_it() {
    let rough = "slip = ẋ + ẏ*(-2*x*0.4*exp(-x^2)); friction = 0.2;";
    for friction in ["", rough] {
        let source = HILL.replace("FRICTION", friction);
        check_all(&case(&source, State::new(0.0, [-2.0, 0.3], [3.6, -1.0]), 0.3, "ic"));
        check_all(&case(&source, State::new(0.0, [-2.0, 0.2], [7.0, -0.5]), 0.8, "icoic"));
    }
}

/// A block slides off its table, which ends where a curve says, on to another one or through the air.
#[test]
fn a_block_slides_off_its_table() {
    let table = "/// A table. \n system T { coordinates { x, y, z } parameters { g = 9.81 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = g*z + x*y;
        contact table { gap = z; slip = [ẋ, ẏ]; friction = 0.2; when x + y^2/2 < 1; impact = plastic; } NEXT }";
    let shelf = "contact shelf { gap = z; slip = [ẋ, ẏ]; friction = 0.05; when x + y^2/2 > 1; impact = plastic; }";
    let start = || State::new(0.0, [0.1, 0.2, 0.0], [3.0, 0.4, 0.0]);
    // Along the table, which the start touches.
    let mut directions = DMatrix::zeros(6, 4);
    for (column, place) in [0, 1, 3, 4].into_iter().enumerate() {
        directions[(place, column)] = 1.0;
    }
    check(&case(&table.replace("NEXT", ""), start(), 0.7, "o"), &directions);
    check(&case(&table.replace("NEXT", shelf), start(), 0.7, "oc"), &directions);
}

/// Of joints: each sticks and gives way, the other way round as well, and where it turns without sticking.
#[test]
fn friction_that_nothing_bears() {
    let joint = "/// A joint. \n system J { coordinates { θ } parameters { F = 3 }
        kinetic = θ̇^2/2; potential = -9*cos(θ) - F*sin(2*t)*θ; dissipation = 0.7*abs(θ̇); }";
    check_all(&case(joint, State::new(0.0, [0.4], [0.3]), 6.0, "sg"));
    check_all(&case(&joint.replace("F = 3", "F = 40"), State::new(0.0, [0.4], [0.3]), 6.0, ""));
    let joints =
        "/// Joints. \n system J { coordinates { a, b } kinetic = ȧ^2 + ḃ^2/2 + ȧ*ḃ*cos(a - b);
        potential = -9.81*(2*cos(a) + cos(b)); dissipation = 2*abs(ȧ) + 1.5*abs(ḃ - ȧ); }";
    check_all(&case(joints, State::new(0.0, [0.8, -0.4], [0.5, 1.0]), 3.0, "sgsgsgsgs"));
}

/// Blows with friction, of a disc with spin, and of a block whose floor bears the blow of a slanted wall.
#[test]
fn impacts_with_friction() {
    let disc = "/// A disc. \n system D { coordinates { x, y, θ } parameters { μ = 0.25, e = 0.6 }
        kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/4; potential = 9.81*y;
        contact floor { gap = y - 0.1*sin(3*x) - 0.2; slip = ẋ + θ̇ + 0.3*cos(3*x)*ẏ; friction = μ; impact = restitution(e); } }";
    check_all(&case(disc, State::new(0.0, [0.0, 1.0, 0.0], [0.4, 0.0, 2.0]), 1.2, "iii"));
    let wall = "/// A wall. \n system W { coordinates { x, y } parameters { μ = 0.2, ν = 0.1 }
        kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*y;
        contact floor { gap = y; slip = ẋ; friction = μ; impact = restitution(0); }
        contact wall { gap = 1 - x + 0.3*y + 0.1*y^2; slip = ẏ; friction = ν; impact = restitution(0.5); } }";
    check_all(&case(wall, State::new(0.0, [-0.2, 0.05], [4.0, -0.2]), 0.5, "icio"));
    let puck = "/// A puck. \n system P { coordinates { x, y, z } parameters { k = 18, g = 10, V = 0.5, μ = 0.3, ν = 0.2 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = k/2*(x^2 + y^2) + g*z;
        contact belt { gap = z; slip = [ẋ - V, ẏ]; friction([μ, ν]); impact = restitution(0); } }";
    check_all(&case(puck, State::new(0.0, [0.3, 0.2, 0.2], [-1.0, 2.0, 0.1]), 0.5, "ic"));
}

/// Rolls by rows of the contact, and by friction that holds.
#[test]
fn a_disc_rolls_in_a_bowl() {
    let bowl = "/// A bowl. \n system B { coordinates { x, y, θ } parameters { m = 1, r = 0.2, b = 1, g = 9.81 }
        kinetic = m/2*(ẋ^2 + ẏ^2) + m*r^2/4*θ̇^2; potential = m*g*y; let ρ = sqrt(x^2 + y^2);
        contact bowl { gap = b - r - ρ; ROLLS } }";
    let row = "constraints { roll: (x*ẏ - y*ẋ)/ρ + r*θ̇ = 0; } impact = plastic;";
    let rough = "slip = (x*ẏ - y*ẋ)/ρ + r*θ̇; friction = 0.4; impact = restitution(0);";
    for (rolls, speed, events) in [(row, 0.8, "ic"), (rough, 2.8, "ics")] {
        let start = State::new(0.0, [0.1, -0.5, 0.0], [speed, 0.0, 2.0]);
        check_all(&case(&bowl.replace("ROLLS", rolls), start, 1.5, events));
    }
}

/// A crate lands on one foot, then on both: smooth, and rough, where the forces of the feet are not determined.
#[test]
fn a_crate_lands_on_two_feet() {
    let crate_on = "/// A crate. \n system C { coordinates { x, y, θ } parameters { m = 3, J = 0.7, w = 0.5, h = 0.4, k = 12, g = 10 }
        kinetic = m/2*(ẋ^2 + ẏ^2) + J/2*θ̇^2; potential = m*g*y + k/2*x^2;
        contact left { gap = y - h*cos(θ) - w*sin(θ); FRICTION impact = restitution(0); }
        contact right { gap = y - h*cos(θ) + w*sin(θ); FRICTION impact = restitution(0); } }";
    let start = || State::new(0.0, [0.3, 0.8, 0.1], [0.1, 0.0, 0.5]);
    check_all(&case(&crate_on.replace("FRICTION", ""), start(), 0.7, "icic"));
    let rough = crate_on.replace("FRICTION", "slip = ẋ + y*θ̇; friction = 0.5;");
    check_all(&case(&rough, start(), 0.7, "icsiocsiocicss"));
}

/// A crate on two feet that is shaken: both give way together, though what each of them bears along the floor is not
/// determined.
#[test]
fn a_crate_gives_way_on_two_feet() {
    let crate_on = "/// A crate. \n system C { coordinates { x, y, θ } parameters { m = 3, J = 0.7, w = 0.5, h = 0.4, F = 18, μ_s = 0.5, μ = 0.4, H = 0.2 }
        kinetic = m/2*(ẋ^2 + ẏ^2) + J/2*θ̇^2; potential = m*10*y + x^2/2 - F*sin(2*t)*(x - H*θ);
        contact left { gap = y - h*cos(θ) - w*sin(θ); slip = ẋ + h*cos(θ)*θ̇ + w*sin(θ)*θ̇; friction(μ_s, μ); impact = restitution(0); }
        contact right { gap = y - h*cos(θ) + w*sin(θ); slip = ẋ + h*cos(θ)*θ̇ - w*sin(θ)*θ̇; friction(μ_s, μ); impact = restitution(0); } }";
    let start = || State::new(0.0, [0.3, 0.45, 0.05], [0.1, 0.0, 0.2]);
    check_all(&case(crate_on, start(), 3.0, "icsiocicssggssgg"));
    let source = crate_on.replace("friction(μ_s, μ);", "friction = μ;");
    check_all(&case(&source, start(), 3.0, "icsiocicssggssgg"));
    // Where it sticks as it lands it rocks to rest.
    let rocks = crate_on.replace("μ_s = 0.5, μ = 0.4, H = 0.2", "μ_s = 1.2, μ = 1.1, H = 1");
    let (system, start) =
        (interpreted(&rocks), State::new(0.0, [0.3, 0.45, 0.02], [0.1, 0.0, 0.2]));
    let found = Variations::new(&system).unwrap().transition(&start, &[], &options(), 1.0);
    let said = found.map(|found| letters(&found)).unwrap_err().to_string();
    assert!(said.contains("infinitely many impacts of `left` end"), "{said}");
}

/// A reset along the floor, and one that lifts.
#[test]
fn resets_of_what_slides() {
    let kick = "/// A kick. \n system K { coordinates { x, y } parameters { μ = 0.1 } kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*y + 4*x^2;
        contact floor { gap = y; slip = ẋ; friction = μ; impact = restitution(0); }
        event kick { guard = x - 0.1*sin(t); rising; reset { RESET } } }";
    let start = || State::new(0.0, [-0.8, 0.02], [0.4, 0.0]);
    check_all(&case(&kick.replace("RESET", "ẋ = 1.5 + ẋ/2;"), start(), 1.5, "icd"));
    check_all(&case(&kick.replace("RESET", "ẏ = 1.5 + ẋ/2;"), start(), 1.5, "icdoic"));
}

/// Along a wire with hills, and round a ring whose force changes its sign.
#[test]
fn friction_of_rows() {
    let wire = "/// A wire. \n system W { coordinates { x, y } parameters { μ = 0.2 } kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*y;
        holonomic { wire: y = sin(2*x) + x^2/4; } row wire { slip = ẋ + (2*cos(2*x) + x/2)*ẏ; friction = μ; } }";
    let (x, slope) = (1.3_f64, 2.0 * 2.6_f64.cos() + 0.65);
    let (height, bend) = (2.6_f64.sin() + x * x / 4.0, 0.5 - 4.0 * 2.6_f64.sin());
    let directions = DMatrix::from_columns(&[
        DVector::from_column_slice(&[1.0, slope, 0.0, -0.3 * bend]),
        DVector::from_column_slice(&[0.0, 0.0, 1.0, slope]),
    ]);
    let start = State::new(0.0, [x, height], [-0.3, -0.3 * slope]);
    check(&case(wire, start, 5.0, "s"), &directions);
    let ring = "/// A ring. \n system R { coordinates { x, y } parameters { μ = 0.2 } kinetic = (ẋ^2 + ẏ^2)/2; potential = 3*y;
        holonomic { ring: x^2 + y^2 = 1; } row ring { slip = x*ẏ - y*ẋ; friction = μ; } }";
    let directions = DMatrix::from_columns(&[
        DVector::from_column_slice(&[0.0, 1.0, -3.0, 0.0]),
        DVector::from_column_slice(&[0.0, 0.0, 0.0, 1.0]),
    ]);
    check(&case(ring, State::new(0.0, [1.0, 0.0], [0.0, 3.0]), 4.0, ""), &directions);
}

/// Lands with e = 0: ẋ⁺ = ẋ − μ √(2gh), then it slides to rest, x = x₀ + ẋ t₁ + ẋ⁺²/(2μg).
#[test]
fn a_block_that_lands_and_stops_in_closed_form() {
    let block = interpreted(
        "/// A block. \n system B { coordinates { x, y } parameters { μ = 0.3, g = 9.81 }
        kinetic = ẋ^2 + ẏ^2; potential = 2*g*y;
        contact floor { gap = y; slip = ẋ; friction = μ; impact = restitution(0); } }",
    );
    let (μ, g, h, speed): (f64, f64, f64, f64) = (0.3, 9.81, 0.4, 2.5);
    let found = transition(&block, &State::new(0.0, [0.0, h], [speed, 0.0]), 2.0);
    assert_eq!(letters(&found), "ics");
    let (t1, fall) = ((2.0 * h / g).sqrt(), (2.0 * g * h).sqrt());
    let slides = speed - μ * fall;
    // By ẏ: t₁ = (ẏ + √(ẏ² + 2gh))/g, and the fall changes with ẏ²/2 only.
    let by_h = speed * t1 / (2.0 * h) - slides / (μ * g) * μ * g / fall;
    let expected = [1.0, by_h, t1 + slides / (μ * g), speed / g];
    for (j, expected) in expected.into_iter().enumerate() {
        assert!(
            (found.matrix[(0, j)] - expected).abs() < 1e-12,
            "{j}: {expected}\n{}",
            found.matrix
        );
    }
    assert!(found.matrix.rows(1, 3).amax() < 1e-14, "{}", found.matrix);
}

/// Round a ring without weight: v̇ = −μ v²/r, v = v₀/(1 + μ v₀ t/r), ∂v/∂v₀ = 1/(1 + μ v₀ t/r)².
#[test]
fn a_bead_that_slides_round_a_ring_in_closed_form() {
    let ring = interpreted(
        "/// A ring. \n system R { coordinates { x, y } parameters { μ = 0.2 } kinetic = ẋ^2 + ẏ^2;
        holonomic { ring: (x^2 + y^2)/2 = 1/2; } row ring { slip = x*ẏ - y*ẋ; friction = μ; } }",
    );
    let (μ, speed, t) = (0.2, 3.0, 4.0);
    let found = transition(&ring, &State::new(0.0, [1.0, 0.0], [0.0, speed]), t);
    let slowed = 1.0 + μ * speed * t;
    let (angle, v) = (slowed.ln() / μ, speed / slowed);
    let (by_angle, by_v) = (t / slowed, slowed.powi(-2));
    let (sine, cosine) = angle.sin_cos();
    // (x, y, ẋ, ẏ) = (cos, sin, −v sin, v cos).
    let expected = [
        -sine * by_angle,
        cosine * by_angle,
        -by_v * sine - v * cosine * by_angle,
        by_v * cosine - v * sine * by_angle,
    ];
    for (i, expected) in expected.into_iter().enumerate() {
        assert!(
            (found.matrix[(i, 3)] - expected).abs() < 1e-11,
            "{i}: {expected}\n{}",
            found.matrix
        );
    }
}

/// A mass on a belt, which sticks up to k x = μ_s m g and slides with μ: Δ = (μ_s − μ) m g/k, α = atan(V/(ωΔ)),
/// T = (π + 2α)/ω + 2Δ/V. What deviates is lost when it sticks.
const BELT: &str = "/// A belt. \n system B { coordinates { x, y } parameters { μ_s = 0.5, μ = 0.3, k = 18, g = 10, V = 0.4 }
    kinetic = ẋ^2 + ẏ^2; potential = k/2*x^2 + 2*g*y;
    contact belt { gap = y; slip = ẋ - V; friction(μ_s, μ); impact = restitution(0); }
    event top { guard = ẋ; falling; } }";

eom_core::lagrangian! {
    /// The same, compiled.
    pub system Belt {
        coordinates { x, y }
        parameters { μ_s = 0.5, μ = 0.3, k = 18, g = 10, V = 0.4 }
        kinetic = ẋ^2 + ẏ^2;
        potential = k/2*x^2 + 2*g*y;
        contact belt { gap = y; slip = ẋ - V; friction(μ_s, μ); impact = restitution(0); }
        event top { guard = ẋ; falling; }
    }
}

#[test]
fn a_compiled_system_has_the_same_variations() {
    let start = State::new(0.0, [0.5, 0.2], [0.3, -0.1]);
    let [one, other] = [&interpreted(BELT) as &dyn System, &Belt::default()]
        .map(|system| transition(system, &start, 5.0));
    assert_eq!(letters(&one), "dicdsgdsg");
    assert!((one.matrix - other.matrix).amax() < 1e-13);
}

/// Driven on a belt that is faster all along, ẍ = −ω²x + μ g + cos Ω t: the multipliers are e^{± 2πi ω/Ω}.
#[test]
fn a_block_driven_on_a_belt() {
    let block = interpreted(
        "/// Driven. \n system B { coordinates { x, y } parameters { μ = 0.3, k = 9, g = 10, c = 0.2 }
        kinetic = (ẋ^2 + ẏ^2)/2; potential = k/2*x^2 + g*y - x*cos(2*t); dissipation = c/2*ẋ^2;
        contact belt { gap = y; slip = ẋ - 5; friction = μ; impact = restitution(0); } }",
    );
    let variations = Variations::new(&block).unwrap();
    let section = Section::Period(std::f64::consts::PI);
    let guess = State::new(0.0, [0.4, 0.0], [0.0, 0.0]);
    let orbit = variations.orbit(&guess, &[], &options(), section).unwrap();
    let (size, angle) =
        ((-0.1 * std::f64::consts::PI).exp(), (9.0_f64 - 0.01).sqrt() * std::f64::consts::PI);
    assert_eq!(orbit.multipliers.len(), 2, "{orbit:?}");
    for multiplier in &orbit.multipliers {
        assert!((multiplier.norm_sqr().sqrt() - size).abs() < 1e-11, "{orbit:?}");
        assert!((multiplier.re - size * angle.cos()).abs() < 1e-11, "{orbit:?}");
    }
    // (9 − 4 + 0.4 i) X = 1 about μ g/k.
    let mean = 3.0 / 9.0;
    assert!((orbit.state.q[0] - mean - 5.0 / (25.0 + 0.16)).abs() < 1e-11, "{orbit:?}");
    let exponents = LyapunovOptions { count: 2, span: 1.0, spans: 200, transient: 20 };
    let found = variations.lyapunov(&orbit.state, &[], &options(), exponents).unwrap();
    let sum = found[0].value + found[1].value;
    assert!((sum + 0.2).abs() < 1e-10, "{found:?}");
}

/// A body on a stop that shakes off it and lands again: whatever it was, after landing it is the same.
#[test]
fn a_body_on_a_stop_forgets() {
    let stop = interpreted(
        "/// On a stop. \n system S { coordinates { x } parameters { g = 5, A = 6.5 } kinetic = ẋ^2/2; potential = (g - A*sin(2*t))*x;
        contact stop { gap = x; impact = restitution(0); } }",
    );
    let variations = Variations::new(&stop).unwrap();
    let start = State::new(1.2, [0.5], [0.1]);
    let found =
        variations.transition(&start, &[], &options(), 1.2 + 2.0 * std::f64::consts::PI).unwrap();
    assert!(letters(&found).starts_with("ico"), "{}", letters(&found));
    assert!(found.matrix.amax() < 1e-12, "{found:?}");
    let section = Section::Period(std::f64::consts::PI);
    let orbit = variations.orbit(&found.state, &[], &options(), section).unwrap();
    assert!(orbit.multipliers.iter().all(|m| m.norm_sqr() < 1e-24), "{orbit:?}");
    // A section knows nothing of the phase of what drives it.
    let landing = Section::Impacts { contact: 0, count: 1 };
    let found = variations.orbit(&orbit.state, &[], &options(), landing);
    assert!(matches!(found, Err(AnalysisError::Driven { .. })), "{found:?}");
}

/// By parameters: coefficients of friction and of impacts, the speed of the belt, gravity.
#[test]
fn sensitivities_agree_with_differences_of_runs() {
    let source = "/// A block. \n system B { coordinates { x, y } parameters { μ_s = 0.5, μ = 0.4, g = 9.81, k = 12, V = 2, e = 0 }
        kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y + k*x^2/2 + x*y;
        contact floor { gap = y; slip = ẋ - V*cos(2*t); friction(μ_s, μ); impact = restitution(e); } }";
    let system = interpreted(source);
    let names = ["μ_s", "μ", "g", "k", "V"];
    let start = State::new(0.0, [0.2, 0.3], [0.5, 0.1]);
    let variations = Variations::new(&system).unwrap();
    for t in [0.4, 1.5, 4.0] {
        let found = variations.sensitivities(&start, &[], &options(), t, &names).unwrap();
        let at = |name: &str, h: f64| {
            let parameters = system.info().parameters;
            let mut values: Vec<f64> = vec![0.0; parameters.len()];
            system.parameters(&mut values);
            let place = parameters.iter().position(|known| known.name == name).unwrap();
            values[place] += h;
            let all: Vec<Option<f64>> = values.into_iter().map(Some).collect();
            DVector::from(end(&system.clone().with_parameters(&all).unwrap(), &start, t))
        };
        for (column, name) in names.iter().enumerate() {
            let central = |h: f64| (at(name, h) - at(name, -h)) / (2.0 * h);
            let expected = (central(1e-4) * 4.0 - central(2e-4)) / 3.0;
            let off = (expected - found.matrix.column(column)).amax();
            assert!(off < 1e-8, "{name} at {t}: {off:e}");
        }
    }
}

/// What has no derivative, and what is said.
#[test]
fn refusals() {
    let block = |forces: &str, start: f64| {
        let source = format!(
            "/// A block on a floor. \n system P {{ coordinates {{ x, y }} parameters {{ F = 3 }} kinetic = (ẋ^2 + ẏ^2)/2; potential = 10*y;
            {forces} contact floor {{ gap = y; slip = ẋ; friction = 0.3; impact = plastic; }} }}"
        );
        (source, State::new(0.0, [0.0; 2], [start, 0.0]))
    };
    let (held, at_rest) = block("force x = F;", 0.0);
    let (lifted, moving) = block("force y = 10 + F - 3;", 1.0);
    let table: [(&str, State, &str); 4] = [
        (&held, at_rest, "stays at the edge of its cone: what is beside it holds, or gives way"),
        (&lifted, moving, "is closed without a force: what is beside it holds, or gives way"),
        (
            "/// Comes to rest in ever smaller hops. \n system B { coordinates { y } kinetic = ẏ^2/2; potential = 9*y;
            contact floor { gap = y; impact = restitution(0.5); } }",
            State::new(0.0, [1.0], [0.0]),
            "infinitely many impacts of `floor` end",
        ),
        (
            "/// Two feet leave at once. \n system C { coordinates { x, y, z } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = (5 - 6*sin(t))*(x + y) + z*(x - y);
            contact a { gap = x; impact = restitution(0); } contact b { gap = y; impact = restitution(0); } }",
            State::new(0.0, [0.0; 3], [0.0; 3]),
            "at one time",
        ),
    ];
    for (source, start, said) in table {
        let system = interpreted(source);
        let by: Vec<&str> = system.info().parameters.iter().map(|known| known.name).collect();
        let variations = Variations::new(&system).unwrap();
        let found = variations.sensitivities(&start, &[], &options(), 3.0, &by);
        let found = found.and(variations.transition(&start, &[], &options(), 3.0));
        let error = found
            .map(|found| println!("{found:?}"))
            .err()
            .map_or_else(String::new, |error| error.to_string());
        assert!(error.ends_with(said), "{error}: {said}");
    }
}
