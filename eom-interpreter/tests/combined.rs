//! Parts of a declaration that meet: dry friction that holds what a closed contact holds too, contacts whose condition comes
//! to hold while the motion is behind their surface.

use eom_core::{End, EventKind, Method, Options, System as _, run_scenario};
use eom_interpreter::Interpreted;

const METHODS: [Method; 3] = [Method::RungeKutta, Method::Taylor, Method::Radau];

/// A declaration's only scenario has these events, named by what happens and to whom, and ends at this state.
fn check(text: &str, wanted: &[(f64, &str)], q: &[f64]) {
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let (contacts, frictions) = (system.info().contacts, system.info().frictions);
    let told = |kind: &EventKind| match kind {
        EventKind::Impact { .. } => "impact".to_owned(),
        EventKind::Closing { contact } => format!("{} closes", contacts[*contact].name),
        EventKind::Opening { contact } => format!("{} opens", contacts[*contact].name),
        EventKind::Stick { friction } => format!("{} sticks", frictions[*friction].name),
        EventKind::Slip { friction } => format!("{} slips", frictions[*friction].name),
        EventKind::Declared { event } => system.info().events[*event].name.to_owned(),
        other @ EventKind::Accumulation { .. } => format!("{other:?}"),
    };
    for method in METHODS {
        let name = system.info().scenarios[0].name;
        let options = Options { method, relative_tolerance: 1e-12, ..Options::default() };
        let run = run_scenario(&system, name, &options).unwrap_or_else(|error| panic!("{error}"));
        assert!(matches!(run.end, End::ReachedTime { .. }), "{method:?} {text}: {}", run.end);
        let found: Vec<_> = run.events.iter().map(|event| (event.t, told(&event.kind))).collect();
        let same = |((t, what), (at, of)): (&(f64, String), &(f64, &str))| {
            what == of && (t - at).abs() <= 1e-10 * (1.0 + at)
        };
        let agrees = found.len() == wanted.len() && found.iter().zip(wanted).all(same);
        assert!(agrees, "{method:?} {text}: {found:?} for {wanted:?}");
        let end = run.samples.last().expect("the end");
        for (found, wanted) in end.q.iter().zip(q) {
            assert!((found - wanted).abs() <= 1e-9, "{method:?} {text}: {found} for {wanted}");
        }
    }
}

/// Pulled up by t − 1, it stays on the floor until t = 1, where the floor has nothing to do any more, and in its
/// friction until t = 13/10; then b = (t − 13/10)³/6.
#[test]
fn a_body_is_held_by_its_floor_and_then_by_friction() {
    let text = "system S { coordinates { b } parameters { μ = 3/10 } kinetic = ḃ^2/2; dissipation = μ*abs(ḃ);
        force b = t - 1; contact floor { gap = b; impact = plastic; } scenario s { until t = 2; } }";
    check(text, &[(1.0, "floor opens"), (1.3, "abs(ḃ) slips")], &[0.7_f64.powi(3) / 6.0]);
}

/// Two bodies on each other, the upper one held by a stop and by friction: the lower one slides up with
/// ä = −(k + μ)/2, and down again with −(k − μ)/2.
#[test]
fn friction_beside_a_closed_contact_moves_nothing() {
    let text = |speed: f64| {
        format!(
            "system S {{ coordinates {{ a, b }} parameters {{ k = 981/1000, μ = 3/10 }}
             kinetic = (ȧ^2 + (ȧ + ḃ)^2)/2; potential = k*(a + b); dissipation = μ*abs(ȧ) + μ*abs(ḃ);
             contact stop {{ gap = b + 1/2; impact = plastic; }}
             scenario s {{ a = -1; b = -1/2; ȧ = {speed:?}; until t = 2; }} }}"
        )
    };
    for speed in [0.65, 0.31, 0.77, 1.0] {
        let up = 2.0 * speed / (0.981 + 0.3);
        let rise = speed * up / 2.0;
        let fall = (0.981 - 0.3) / 4.0 * (2.0_f64 - up).powi(2);
        check(&text(speed), &[], &[-1.0 + rise - fall, -0.5]);
    }
}

/// A ball spins about the vertical while it rolls to its stop, up a gentle slope: its resistance holds it there, and what a
/// projection leaves of its velocities is no direction. Until then 7/5 ẍ = −k − δ g/r, and y = 0.
#[test]
fn a_ball_that_spins_stops_where_its_resistance_holds_it() {
    let (k, δ, g, r): (f64, f64, f64, f64) = (0.477, 0.048, 9.81, 0.327);
    for speed in [0.9, 1.1, 1.3, 1.7, 2.3] {
        let text = format!(
            "system S {{ coordinates {{ x, y, z }} rotation Q {{ space: w_1, w_2, w_3 }}
             parameters {{ r = 0.327, I = 2*r^2/5 }}
             kinetic = (ẋ^2 + ẏ^2 + ż^2)/2 + I/2*(w_1^2 + w_2^2 + w_3^2); potential = 9.81*z + 0.477*x;
             contact floor {{ gap = z - r; slip = [ẋ - r*w_2, ẏ + r*w_1]; friction(1.16, 0.967);
                              roll = [w_1, w_2]; rolling = 0.048; impact = plastic; }}
             scenario s {{ z = 0.327; ẋ = {speed:?}; w_2 = {:?}; w_3 = -8.747; until t = 6; }} }}",
            speed / r
        );
        let braking = (k + δ * g / r) * 5.0 / 7.0;
        let place = speed * speed / (2.0 * braking);
        check(&text, &[(speed / braking, "rolling(floor) sticks")], &[place, 0.0, r]);
    }
}

/// A floor that is shaken, A sin ωt, lets what lies on it go where A ω² sin ωt = g: its gap leaves zero as the cube of the
/// time, to which an event that has passed zero for good does nothing.
#[test]
fn a_shaken_floor_lets_go_where_it_falls_faster() {
    for ω in [13.0, 14.5, 16.463, 17.0, 19.0] {
        let text = format!(
            "system S {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = 8.736*y;
             contact floor {{ gap = y - sin({ω:?}*t)/10; slip = ẋ; friction(1.5, 1.2); impact = plastic; }}
             event late {{ guard = t - 1; rising; }}
             scenario s {{ y = 1; ẋ = 0.3; until t = 9; }} }}"
        );
        let system = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
        let mut count = None;
        for method in METHODS {
            let options = Options { method, relative_tolerance: 1e-12, ..Options::default() };
            let run =
                run_scenario(&system, "s", &options).unwrap_or_else(|error| panic!("{error}"));
            assert!(matches!(run.end, End::ReachedTime { .. }), "{method:?} {ω}: {}", run.end);
            let openings: Vec<f64> = run
                .events
                .iter()
                .filter(|event| matches!(event.kind, EventKind::Opening { .. }))
                .map(|event| event.t)
                .collect();
            assert!(!openings.is_empty(), "{method:?} {ω}");
            // Without bounce it forgets how it came: all methods have the same events.
            let all = *count.get_or_insert(run.events.len());
            assert_eq!(run.events.len(), all, "{method:?} {ω}");
            for t in openings {
                let left = 0.1 * ω * ω * (ω * t).sin() - 8.736;
                assert!(left.abs() < 1e-9, "{method:?} {ω}: {left} at {t}");
            }
        }
    }
}

/// Two bodies meet without bounce and are held together by their friction, though the first is pulled back: their gap stays
/// at zero without a force, and asks for no steps of its own. Both have ẍ = −k/2 from ẋ = ½ on.
#[test]
fn what_friction_holds_together_stays_together() {
    let text = "system S { coordinates { a, b } kinetic = (ȧ^2 + ḃ^2)/2; potential = a/10;
        contact touch { gap = b - a; impact = plastic; } dissipation = 3/10*abs(ȧ - ḃ);
        scenario s { b = 1; ȧ = 2; until t = 5; } }";
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    for method in METHODS {
        let options = Options { method, relative_tolerance: 1e-12, ..Options::default() };
        let run = run_scenario(&system, "s", &options).unwrap_or_else(|error| panic!("{error}"));
        assert!(matches!(run.end, End::ReachedTime { .. }), "{method:?}: {}", run.end);
        assert!(run.samples.len() < 200, "{method:?}: {} samples", run.samples.len());
        // Until they meet ä = −2/5, b̈ = 3/10: 2t − 7/20 t² = 1.
        let t = (2.0 - 2.6_f64.sqrt()) / 0.7;
        let (at, speed) = (1.0 + 0.15 * t * t, (2.0 - 0.1 * t) / 2.0);
        let (left, end) = (5.0 - t, run.samples.last().expect("the end"));
        let place = at + speed * left - 0.025 * left * left;
        for q in &end.q {
            assert!((q - place).abs() < 1e-9, "{method:?}: {q} for {place}");
        }
    }
}

/// y = cos t falls through a shelf that is not there, is behind it when it comes to be there, and is struck when it next
/// falls on it: by its way, by an impact and by a reset, and whatever else happens meanwhile.
#[test]
fn what_is_behind_a_contact_does_not_touch_it() {
    let text = |condition: &str, x: f64, rest: &str, until: f64| {
        format!(
            "system S {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = y^2/2;
             contact shelf {{ gap = y; when {condition}; impact = elastic; }} {rest}
             scenario s {{ x = {x:?}; y = 1; ẋ = {}; until t = {until:?}; }} }}",
            -x.signum()
        )
    };
    let second = 2.5 * std::f64::consts::PI;
    let bell = "event bell { guard = x - 1; rising; }
        contact wall { gap = 6/5 - x; impact = elastic; }";
    let by_way = text("x > 0", -3.0, bell, 5.0);
    check(&by_way, &[(4.0, "bell"), (4.2, "impact")], &[0.4, 5.0_f64.cos()]);
    let wall = "contact wall { gap = x + 1; impact = elastic; }";
    let by_impact = text("ẋ > 0", 1.0, wall, 8.0);
    check(&by_impact, &[(2.0, "impact"), (second, "impact")], &[5.0, 8.0_f64.cos().abs()]);
    let turn = "event turn { guard = t - 2; rising; reset { ẋ = -ẋ; } }";
    let by_reset = text("ẋ > 0", 1.0, turn, 8.0);
    check(&by_reset, &[(2.0, "turn"), (second, "impact")], &[5.0, 8.0_f64.cos().abs()]);
    // A reset that brings it back before the shelf.
    let lift = "event lift { guard = t - 2; rising; reset { ẋ = -ẋ; y = 1; ẏ = 0; } }";
    let lifted = text("ẋ > 0", 1.0, lift, 4.0);
    let third = 2.0 + 0.5 * std::f64::consts::PI;
    check(&lifted, &[(2.0, "lift"), (third, "impact")], &[1.0, 2.0_f64.cos().abs()]);
}

/// A closed contact opens where its surface ends: what slides off a table flies on, with the velocity that it has there.
#[test]
fn what_slides_off_its_surface_flies_on() {
    let sliding = |rest: &str, start: &str, until: f64| {
        format!(
            "system S {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = 10*y; {rest}
             scenario s {{ {start} until t = {until:?}; }} }}"
        )
    };
    // ẍ = −2 until x = 1, from 5/2 to 3/2.
    let table =
        "contact table { gap = y; slip = ẋ; friction = 1/5; when x < 1; impact = plastic; }";
    check(&sliding(table, "ẋ = 5/2;", 1.0), &[(0.5, "table opens")], &[1.75, -1.25]);
    let weak = table.replace('<', "<=");
    check(&sliding(&weak, "x = 1; ẋ = 1;", 1.0), &[], &[2.0, -5.0]);
    check(&sliding(&weak, "x = 1;", 1.0), &[], &[1.0, 0.0]);
    check(&sliding(table, "x = 1;", 1.0), &[], &[1.0, -5.0]);
    // Another of the same height takes over, with ẍ = −1.
    let two = format!(
        "{table} contact shelf {{ gap = y; slip = ẋ; friction = 1/10; when x >= 1; impact = plastic; }}"
    );
    let events = [(0.5, "table opens"), (0.5, "shelf closes")];
    check(&sliding(&two, "ẋ = 5/2;", 1.0), &events, &[1.625, 0.0]);
    // Back from a wall, it is below the surface, and is not stopped by it.
    let slope = "contact slope { gap = y + x/2; when x^2 < 1; impact = plastic; }
                 contact wall { gap = 2 - x; impact = elastic; }";
    let events = [(0.5, "slope opens"), (5.0 / 6.0, "impact")];
    check(&sliding(slope, "ẋ = 1; ẏ = -1/2;", 2.0), &events, &[-1.5, -14.0]);
    // What rolls keeps its spin.
    let rolls = "system S { coordinates { x, y, θ } kinetic = (ẋ^2 + ẏ^2 + θ̇^2)/2; potential = 10*y;
        contact floor { gap = y; constraints { roll: ẋ - θ̇; } when x < 1, x > -1; impact = plastic; }
        scenario s { ẋ = 1; θ̇ = 1; until t = 2; } }";
    check(rolls, &[(1.0, "floor opens")], &[2.0, -5.0, 2.0]);
}

/// A surface ends as well where time, another body or a reset ends it, under what is at rest.
#[test]
fn what_rests_falls_where_its_surface_ends() {
    let resting = |rest: &str| {
        format!(
            "system S {{ coordinates {{ y, x, z }} kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = 10*y;
             {rest} scenario s {{ z = -1; ż = 2; until t = 1; }} }}"
        )
    };
    let half = -5.0 * 0.25;
    let door = "contact door { gap = y; when t < 1/2; impact = plastic; }";
    check(&resting(door), &[(0.5, "door opens")], &[half, 0.0, 1.0]);
    let pulled = "contact table { gap = y; when x - z > 0; impact = plastic; }";
    check(&resting(pulled), &[(0.5, "table opens")], &[half, 0.0, 1.0]);
    let jumps = "contact table { gap = y; when x < 1; impact = plastic; }
        event jump { guard = t - 1/2; rising; reset { x = x + 2; } }";
    check(&resting(jumps), &[(0.5, "jump"), (0.5, "table opens")], &[half, 2.0, 1.0]);
    // It rests again on what is below.
    let two = "contact table { gap = y; when t < 1/2; impact = plastic; }
        contact floor { gap = y + 1/5; impact = plastic; }";
    let events = [(0.5, "table opens"), (0.7, "impact"), (0.7, "floor closes")];
    check(&resting(two), &events, &[-0.2, 0.0, 1.0]);
}

/// Conditions of velocities say what is struck, and leave alone what is closed: a body that has landed, and comes to rest.
#[test]
fn what_is_closed_stays_so_without_a_condition_of_velocities() {
    let text = "system S { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = 10*y;
        contact floor { gap = y; slip = ẋ; friction = 1/5; when ẋ > 1; impact = plastic; }
        scenario s { ẋ = 2; until t = 2; } }";
    check(text, &[(1.0, "floor sticks")], &[1.0, 0.0]);
}

/// A rod lands on one end, whose slip the impact stops to rounding, and slides on from there: the rod ends in time by
/// each method. Of some seeds one method or another took what was left of the slip for a motion.
#[test]
fn what_an_impact_leaves_of_a_slip_is_none() {
    for (θ, ω, μ) in
        [(0.03226, -1.006, 0.7421), (0.4, -1.0, 0.7), (0.1, 0.9, 0.6), (-0.2, -1.1, 0.9)]
    {
        for inertia in [0.08144, 0.1, 0.12] {
            let text = format!(
                "system S {{ coordinates {{ x, y, θ }} kinetic = (ẋ^2 + ẏ^2)/2 + {inertia}*θ̇^2; potential = 9.81*y;
                 contact p {{ gap = y + 0.5967*sin(θ); slip = ẋ - 0.5967*sin(θ)*θ̇; friction = {μ}; impact = plastic; }}
                 contact q {{ gap = y - 0.5967*sin(θ); slip = ẋ + 0.5967*sin(θ)*θ̇; friction = 0.05; impact = plastic; }}
                 scenario s {{ y = 1.022; θ = {θ}; ẋ = -0.7805; θ̇ = {ω}; until t = 1.5; }} }}"
            );
            let system = Interpreted::new(&text).expect("it is a system");
            for method in METHODS {
                let options = Options { method, ..Options::default() };
                let run = run_scenario(&system, "s", &options).expect("it starts");
                assert!(
                    matches!(run.end, End::ReachedTime { .. }),
                    "{method:?} {text}: {}",
                    run.end
                );
            }
        }
    }
}
