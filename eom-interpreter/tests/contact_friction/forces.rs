//! Normal forces and friction as they are looked at: in outputs, in `let`s of them, in guards, in numbers along a run.

use super::{G, changes, check, complete, run, system, systems};
use eom_core::contact::Reactions;
use eom_core::{End, EventKind, Mode, State, System, Trajectory};
use eom_interpreter::Interpreted;
use eom_interpreter::drawing::{Instant, Numbers};
use eom_interpreter::motion::{Observer, numbers};

/// The outputs at a state in a mode.
fn outputs(system: &Interpreted, state: &State, mode: &Mode) -> Vec<f64> {
    let mut outputs = vec![0.0; system.info().outputs.len()];
    Reactions::new(system).outputs(system, &[], state, mode, &mut outputs);
    outputs
}

/// The outputs at the last sample of a run.
fn last_outputs(system: &Interpreted, trajectory: &Trajectory) -> Vec<f64> {
    let last = trajectory.samples.len() - 1;
    let mode = trajectory.mode_of_sample(last).cloned().unwrap_or_default();
    outputs(system, complete(trajectory), &mode)
}

/// A declaration with something more at its end.
fn with(source: &str, more: &str) -> String {
    let body = source.trim_end().strip_suffix('}').expect("a declaration ends with a brace");
    format!("{body} {more} }}")
}

#[test]
fn outputs_hold_normal_force_and_friction() {
    let source = with(
        systems::BLOCK,
        "let N = λ(floor); output normal = N; output f = friction(floor); output part = abs(f_floor)/N;
         let f_floor = friction(floor);",
    );
    for (φ, μ) in [(0.3_f64, 0.2), (0.3, 0.5), (0.8, 0.9)] {
        let block = system(&source, &[φ, μ]);
        let trajectory = run(&block, &[0.0, 0.0], &[0.0, 0.0], 1.0);
        let found = last_outputs(&block, &trajectory);
        let (normal, pull) = (G * φ.cos(), G * φ.sin());
        let friction = pull.min(μ * normal);
        check("normal", found[0], normal, 1e-13 * normal);
        check("friction", found[1], -friction, 1e-12 * friction);
        check("part", found[2], friction / normal, 1e-12);
        let air = outputs(&block, &State::new(0.0, [0.0, 1.0], [1.0, 0.0]), &Mode::default());
        assert_eq!(air[..2], [0.0, 0.0]);
        // A state alone does not say whether the contact is closed.
        let mut alone = [0.0; 3];
        block.outputs(0.0, &[0.0, 0.0], &[0.0, 0.0], &[], &mut alone);
        assert!(alone.iter().all(|x| x.is_nan()), "{alone:?}");
    }
}

/// Where a slip begins, at the start of a run, friction and what presses are those of the slide that follows: of a block on an
/// incline m g sin φ beside μ N, of a ladder between floor and wall, at an angle θ to the floor, by the three equations of its
/// slide. Where a slip comes to rest, or nothing pulls, the state alone does not tell.
#[test]
fn forces_where_a_slip_begins() {
    let source = with(systems::BLOCK, "output normal = λ(floor); output f = friction(floor);");
    for (φ, expected) in [(0.3_f64, -0.2), (-0.3, 0.2), (0.1, 0.0)] {
        let block = system(&source, &[φ, 0.2]);
        let state = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
        let found = outputs(&block, &state, &Mode::new(vec![0]));
        check("normal", found[0], G * φ.cos(), 1e-13);
        check("friction", found[1], expected * G * φ.cos(), 1e-13);
    }
    let ladder = "/// A ladder, 2 long, of mass 1. \n system Ladder { coordinates { x, y, θ } parameters { μ = 0.4, ν = 0.3 }
        kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/6; potential = 9.81*y;
        contact floor { gap = y - sin(θ); slip = ẋ - sin(θ)*θ̇; friction = μ; impact = plastic; }
        contact wall { gap = x - cos(θ); slip = ẏ + cos(θ)*θ̇; friction = ν; impact = plastic; }
        output N = λ(floor); output W = λ(wall); output f = friction(floor); output h = friction(wall); }";
    let ladder = system(ladder, &[]);
    let θ = 0.5_f64;
    let (sin, cos) = θ.sin_cos();
    let trajectory = run(&ladder, &[cos, sin, θ], &[0.0, 0.0, 0.0], 0.1);
    let first = &trajectory.samples[0];
    let mode = trajectory.mode_of_sample(0).unwrap();
    let found = outputs(&ladder, first, mode);
    // ẍ = −sin θ θ̈ = W − μN, ÿ = cos θ θ̈ = N + νW − g, θ̈/3 = −N (cos θ − μ sin θ) + W (sin θ + ν cos θ).
    let (μ, ν) = (0.4, 0.3);
    let k = 2.0 * μ * sin - cos * (1.0 - μ * ν);
    let inertia = (1.0 / 3.0 + sin * (sin + ν * cos)) * (1.0 + μ * ν);
    let a = G * k / (inertia - k * (cos + ν * sin));
    let n = (G + (cos + ν * sin) * a) / (1.0 + μ * ν);
    let w = μ * n - sin * a;
    for (found, expected) in found.iter().zip([n, w, -μ * n, ν * w]) {
        check("force", *found, expected, 1e-12);
    }
}

#[test]
fn friction_in_a_plane_has_two_components() {
    let ball = system(
        &with(
            systems::CUE,
            "let f = friction(cloth); output fx = f[1]; output fy = f[2]; output n = λ(cloth);",
        ),
        &[0.2],
    );
    let slip = [3.0_f64, -4.0];
    let state =
        State::new(0.0, [0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0], [3.0, -4.0, 0.0, 0.0, 0.0, 0.0]);
    let found = outputs(&ball, &state, &Mode::new(vec![0]));
    check("normal", found[2], G, 1e-13);
    for i in 0..2 {
        check("friction", found[i], -0.2 * G * slip[i] / 5.0, 1e-13);
    }
}

/// λ = g − k t of a parcel that is pulled; where it lands λ jumps, which is no crossing.
#[test]
fn events_are_made_of_forces() {
    let source = "system Parcel {
        coordinates { x, y }
        parameters { k = 5, μ = 0.5 }
        kinetic = (ẋ^2 + ẏ^2)/2;
        potential = 9.81*y;
        force y = k*t;
        contact floor { gap = y; slip = ẋ; friction = μ; impact = plastic; }
        event lighter { guard = λ(floor) - 4; falling; }
        event heavy { guard = λ(floor) - 4; rising; }
        event gentle { guard = friction(floor) + 1; rising; }
    }";
    let parcel = system(source, &[]);
    let height = 0.05_f64;
    let trajectory = run(&parcel, &[0.0, height], &[20.0, 0.0], 2.5);
    let fired = |wanted: usize| -> Vec<f64> {
        let is =
            |kind: &EventKind| matches!(kind, EventKind::Declared { event } if *event == wanted);
        trajectory.events.iter().filter(|e| is(&e.kind)).map(|e| e.t).collect()
    };
    let [lighter] = fired(0)[..] else { panic!("{:?}", trajectory.events) };
    check("lighter", lighter, (G - 4.0) / 5.0, 1e-12);
    assert_eq!(fired(1), [0.0; 0], "where it lands the force jumps");
    // It slides until it is lifted off: f = −μ λ.
    let [gentle] = fired(2)[..] else { panic!("{:?}", trajectory.events) };
    check("gentle", gentle, (G - 2.0) / 5.0, 1e-12);
    assert_eq!(changes(&trajectory), []);
}

/// A part of the cone, f/λ, is a guard: of a wheel that is driven by k t, of mass m and radius r, with J = m r²/2, which slides
/// where μ m g = (2/3) k t/r; of a block that falls on an incline which holds it, where the guard has no value in flight.
#[test]
fn guards_are_parts_of_a_cone() {
    let wheel = system(
        "system Wheel { coordinates { x, y, φ } parameters { m = 2, r = 0.5, k = 3, μ = 0.4 }
        kinetic = m/2*(ẋ^2 + ẏ^2) + m*r^2/4*φ̇^2; potential = 9.81*m*y; force φ = k*t;
        contact road { gap = y - r; slip = ẋ - r*φ̇; friction = μ; impact = plastic; }
        event near { guard = friction(road)/λ(road) - 0.9*μ; rising; } }",
        &[],
    );
    let trajectory = run(&wheel, &[0.0, 0.5, 0.0], &[0.0; 3], 5.0);
    let _ = complete(&trajectory);
    let times: Vec<f64> = trajectory.events.iter().map(|event| event.t).collect();
    let slides = 1.5 * 0.5 * 0.4 * 2.0 * G / 3.0;
    assert_eq!(times.len(), 2, "{:?}", trajectory.events);
    check("near", times[0], 0.9 * slides, 1e-12);
    check("slides", times[1], slides, 1e-12);
    let guard =
        with(systems::BLOCK, "event near { guard = friction(floor)/λ(floor) + 0.1; both; }");
    let falls = run(&system(&guard, &[]), &[0.0, 1.0], &[0.0; 2], 2.0);
    assert!(matches!(&falls.end, End::NonFinite { t, .. } if *t == 0.0), "{:?}", falls.end);
    let lands =
        with(systems::BLOCK, "event near { guard = friction(floor)/(λ(floor) + 1); falling; }");
    let _ = complete(&run(&system(&lands, &[]), &[0.0, 1.0], &[0.0; 2], 2.0));
}

#[test]
fn numbers_along_a_run_hold_friction() {
    let block = system(systems::BLOCK, &[0.3, 0.1]);
    let numbers =
        Numbers::new(systems::BLOCK, &["friction(floor)/λ(floor)"]).expect("it is a number");
    let state = State::new(0.0, [0.0, 0.0], [-2.0, 0.0]);
    let mode = Mode::new(vec![0]);
    let at = Instant { system: &block, functions: &[], inputs: &[], state: &state, mode: &mode };
    let mut value = [0.0];
    numbers.values(&at, &mut value);
    check("μ", value[0], 0.1, 1e-14);
}

/// Up to the instant at which a slip ends friction is that of the slide, asked along the motion: of a block that is thrown up an
/// incline, where it holds or slides back, and of an oscillator that slides to and fro until it holds.
#[test]
fn forces_where_a_slip_ends() {
    let source = with(systems::BLOCK, "output f = friction(floor);");
    let block = |φ: f64, μ: f64| {
        let block = system(&source, &[φ, μ]);
        let trajectory = run(&block, &[0.0, 0.0], &[-3.0, 0.0], 2.0);
        let friction = μ * G * φ.cos();
        (block, trajectory, friction)
    };
    let oscillator = "system Oscillator { coordinates { x, y } parameters { μ = 0.1 }
        kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*y + 2*x^2;
        contact floor { gap = y; slip = ẋ; friction = μ; impact = plastic; } output f = friction(floor); }";
    let oscillator = system(oscillator, &[]);
    let motion = run(&oscillator, &[2.0, 0.0], &[0.0, 0.0], 20.0);
    let mut ends = 0;
    for (system, trajectory, friction) in
        [block(0.3, 0.5), block(0.3, 0.2), block(-0.2, 0.5), (oscillator, motion, 0.1 * G)]
    {
        let mut reactions = Reactions::new(&system);
        let mut before = 0.0;
        for (index, sample) in trajectory.samples.iter().enumerate() {
            let mode = trajectory.mode_of_sample(index).unwrap();
            let mut found = [0.0];
            reactions.outputs(&system, &[], sample, mode, &mut found);
            let slip = sample.v[0];
            if mode.sticking().is_empty() && slip.abs() > 1e-9 {
                check("slides", found[0], -friction * slip.signum(), 1e-12);
            }
            // The last sample of a slide stands before the first of what follows, at the same time.
            let next = trajectory.samples.get(index + 1);
            if next.is_some_and(|next| next.t == sample.t) && before != 0.0 {
                check("ends", found[0], before, 1e-12);
                ends += 1;
            }
            before = if mode.sticking().is_empty() { found[0] } else { 0.0 };
        }
    }
    assert!(ends > 2, "{ends} ends of slides were looked at");
}

/// Numbers of a motion on both sides of such an instant: m g sin φ ∓ μ N as long as it slides, nothing or m g sin φ where it holds.
#[test]
fn numbers_where_a_slip_ends() {
    let source = with(systems::BLOCK, "output f = friction(floor);");
    for (φ, speed) in [(0.2_f64, 3.0), (0.2, 1.234), (0.2, -3.0), (-0.2, 0.7)] {
        let block = system(&source, &[φ, 0.5]);
        let made = run(&block, &[0.0, 0.0], &[speed, 0.0], 4.0);
        let [weight, brake] = [G * φ.sin(), -0.5 * G * φ.cos() * speed.signum()];
        let known = numbers(block.info());
        let part = |name: &str| known.iter().find(|known| known.0 == name).expect("it is one").1;
        let parts = ["f", "friction_floor", "x_ddot", "lambda_floor"].map(part);
        let written = Numbers::new(&source, &["friction(floor) - ẍ"]).expect("it is a number");
        let mut observer = Observer::new(&block, &[]);
        let mut found = Vec::new();
        for (index, sample) in made.samples.iter().enumerate() {
            let mut at = observer.see(sample, made.mode_of_sample(index).expect("it has one"));
            let mut value = [0.0];
            written.along(&mut at, &[], &mut value);
            found.push((parts.map(|part| part.value(&mut at)), value[0]));
        }
        let holds = |index: &usize| made.mode_of_sample(*index).is_some_and(|m| m.sticks(0));
        let stop = (0..found.len()).find(holds).expect("it stops");
        for (index, friction) in [(stop - 1, brake), (stop, -weight)] {
            let ([output, force, acceleration, normal], written) = found[index];
            check("output", output, friction, 1e-12);
            check("friction", force, friction, 1e-12);
            check("acceleration", acceleration, weight + friction, 1e-12);
            check("normal", normal, G * φ.cos(), 1e-12);
            check("written", written, -weight, 1e-12);
        }
    }
}

/// What an earlier solve said of friction is past where nothing touches.
#[test]
fn forces_are_those_of_their_mode_alone() {
    let crate_ = "system Crate {
        coordinates { x, y, θ, z }
        kinetic = (ẋ^2 + ẏ^2 + ż^2)/2 + θ̇^2/4;
        potential = 9.81*y;
        force x = 2;
        constraints { pulled: ż - ẋ = 0; }
        contact left { gap = y - sin(θ)/2 - cos(θ); slip = ẋ; friction = 0.4; impact = plastic; }
        contact right { gap = y + sin(θ)/2 - cos(θ); slip = ẋ; friction = 0.4; impact = plastic; }
    }";
    let crate_ = system(crate_, &[]);
    let stands = State::new(0.0, [0.0, 1.0, 0.0, 0.0], [0.0; 4]);
    let rests = Mode::new(vec![0, 1]).with_sticking(vec![0, 1]);
    let flies = State::new(0.0, [0.0, 3.0, 0.0, 0.0], [1.0, 0.0, 0.0, 1.0]);
    let free = Mode::default();
    let mut used = Reactions::new(&crate_);
    let standing = used.at(&crate_, &[], &stands, &rests).to_vec();
    check("both feet hold", standing[3] + standing[8], -2.0, 1e-12);
    check("both feet bear", standing[1] + standing[2], G, 1e-12);
    let after = used.at(&crate_, &[], &flies, &free).to_vec();
    assert_eq!(after, Reactions::new(&crate_).at(&crate_, &[], &flies, &free));
    check("the constraint", after[0], 1.0, 1e-14);
}

/// The first message of a block with something more.
fn said(more: &str) -> String {
    match Interpreted::new(&with(systems::BLOCK, more)) {
        Ok(_) => String::new(),
        Err(mistakes) => mistakes[0].to_string(),
    }
}

#[test]
fn forces_have_their_places() {
    let cases = [
        ("output n = λ(floor);", ""),
        ("let n = λ(floor); output twice = 2*n;", ""),
        ("event e { guard = λ(floor) - 1; falling; }", ""),
        ("force x = -0.3*λ(floor);", ""),
        ("force x = λ(floor)^2;", "the force is not affine in the multipliers"),
        ("force x = friction(floor)/2;", ""),
        ("force x = friction(floor)^2;", "the force is not affine in the multipliers"),
        ("let n = λ(floor); force x = n;", ""),
        ("let n = λ(floor); dissipation = n*ẋ^2;", "`n` is a `let` that depends on more"),
        ("let n = λ(floor); output rate = ṅ;", "`ṅ`"),
        ("output f = friction(roof);", "there is no contact `roof`"),
        (
            "contact roof { gap = 3 - y; impact = plastic; } output f = friction(roof);",
            "`roof` has no friction",
        ),
        ("scenario s { x = λ(floor); until t = 1; }", "λ(floor)"),
    ];
    for (more, wanted) in cases {
        let said = said(more);
        assert!(said.contains(wanted) && said.is_empty() == wanted.is_empty(), "{more}: {said}");
    }
}
