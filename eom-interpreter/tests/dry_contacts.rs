//! Dry friction beside contacts: bounces that accumulate while something slides, friction of a joint beside its stop,
//! where both hold the same rate, and neither alone is looked at.

use eom_core::{End, EventKind, Method, Options, State, Trajectory, simulate};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

const METHODS: [Method; 2] = [Method::RungeKutta, Method::Taylor];

fn run(source: &str, q: &[f64], v: &[f64], end: f64, method: Method) -> Trajectory {
    let system = Interpreted::new(source).unwrap_or_else(|found| panic!("{found:?}"));
    let options =
        Options { until_time: Some(end), steps_max: 20_000, method, ..Options::default() };
    let start = State::new(0.0, q, v);
    let trajectory = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()))
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{method:?} {}", trajectory.end);
    trajectory
}

/// Names and times of what happened.
fn story(trajectory: &Trajectory) -> Vec<(&'static str, f64)> {
    let word = |kind: &EventKind| match kind {
        EventKind::Impact { .. } => "impact",
        EventKind::Closing { .. } => "closing",
        EventKind::Opening { .. } => "opening",
        EventKind::Stick { .. } => "stick",
        EventKind::Slip { .. } => "slip",
        _ => "other",
    };
    trajectory.events.iter().map(|event| (word(&event.kind), event.t)).collect()
}

/// Two bodies of mass 1 that touch, with friction F = 1/2 between them, pushed together by k sin t and then pulled apart.
fn pair(k: f64) -> String {
    format!(
        "system Pair {{
            coordinates {{ x, y }} parameters {{ F = 0.5, k = {k} }}
            kinetic = (ẋ^2 + ẏ^2)/2;
            potential = k*sin(t)*y;
            dissipation = F*norm([ẏ - ẋ]);
            contact stop {{ gap = y - x; impact = plastic; }}
        }}"
    )
}

/// What presses and holds the pair, and where it no longer does:
///
/// ```text
/// R = λ + f = k/2 sin t ≥ −F     together: ẍ = ÿ = −k/2 sin t
/// t* = π + asin(2F/k)            R = −F: both give way at once
/// g = k (sin t − sin t*) − k cos t* (t − t*) − F (t − t*)²
/// ```
#[test]
fn a_stop_opens_where_its_friction_gives_way() {
    let (strength, k) = (0.5, 3.0_f64);
    let source = pair(k);
    let gives_way = std::f64::consts::PI + (2.0 * strength / k).asin();
    for method in METHODS {
        let end = gives_way + 0.5;
        let trajectory = run(&source, &[0.0, 0.0], &[0.0, 0.0], end, method);
        let story = story(&trajectory);
        let words: Vec<&str> = story.iter().map(|(word, _)| *word).collect();
        assert_eq!(words, ["opening", "slip"], "{method:?}: {story:?}");
        assert!(story.iter().all(|(_, t)| (t - gives_way).abs() < 1e-9), "{story:?}");
        let last = trajectory.last().expect("a sample");
        let (t, since) = (end, end - gives_way);
        let gap = k * (t.sin() - gives_way.sin())
            - k * gives_way.cos() * since
            - strength * since * since;
        assert!((last.q[1] - last.q[0] - gap).abs() < 1e-9, "{method:?}: {last:?}, not {gap}");
        // Up to there both go with −k/2 sin t.
        let together = trajectory.samples.iter().filter(|sample| sample.t <= gives_way);
        for sample in together {
            let x = k / 2.0 * (sample.t.sin() - sample.t);
            assert!((sample.q[0] - x).abs() < 1e-9 && (sample.q[1] - x).abs() < 1e-9);
        }
    }
}

/// What the friction can hold never opens: R falls to −k/2 only.
#[test]
fn a_stop_that_friction_holds_stays() {
    let source = pair(0.9);
    for method in METHODS {
        let trajectory = run(&source, &[0.0, 0.0], &[0.0, 0.0], 30.0, method);
        assert!(trajectory.events.is_empty(), "{method:?}: {:?}", story(&trajectory));
        let last = trajectory.last().expect("a sample");
        let x = 0.45 * (30.0_f64.sin() - 30.0);
        assert!((last.q[0] - x).abs() < 1e-9 && (last.q[1] - x).abs() < 1e-9, "{last:?}");
    }
}

/// A joint that swings into its stop and out of it again, under a pull that changes: both methods tell the same, and
/// energy falls where nothing drives.
#[test]
fn a_stop_closes_and_opens_again_and_again() {
    let driven = "system Joint {
        coordinates { x, y } parameters { F = 0.5, k = 3 }
        kinetic = ẋ^2/2 + ẏ^2/4;
        potential = 2*x^2 + y^2/2 + y*k*sin(2*t);
        dissipation = F*norm([ẏ - ẋ]);
        contact stop { gap = y - x; impact = restitution(0.3); }
    }";
    let swinging = "system Links {
        coordinates { a, b } parameters { F = 0.5, g = 9.81 }
        kinetic = ȧ^2/2 + ḃ^2/4;
        potential = -g*cos(a) - g*cos(b)/3;
        dissipation = F*norm([ḃ - ȧ]);
        contact stop { gap = b - a; impact = plastic; }
    }";
    for (source, end) in [(driven, 30.0), (swinging, 8.0)] {
        let [first, second] =
            METHODS.map(|method| run(source, &[0.1, 0.7], &[0.0, 0.0], end, method));
        let stories = [story(&first), story(&second)];
        let [one, other] = &stories;
        assert_eq!(one.len(), other.len(), "{one:?}\n{other:?}");
        for (a, b) in one.iter().zip(other) {
            assert!(a.0 == b.0 && (a.1 - b.1).abs() < 1e-6, "{a:?} {b:?}");
        }
        assert!(first.samples.iter().all(|sample| sample.q[1] - sample.q[0] > -1e-9));
    }
}

/// When bounces are over, and the ratio by which they fall.
fn limit_of(trajectory: &Trajectory) -> (f64, f64) {
    let over = trajectory.events.iter().find_map(|event| match event.kind {
        EventKind::Accumulation { ratio, .. } => Some((event.t, ratio)),
        _ => None,
    });
    over.expect("the bounces are over")
}

/// A ball that bounces to rest while it is braked along the floor, t∞ = √(2h/g) (1 + e)/(1 − e), and then slides on.
#[test]
fn bounces_accumulate_beside_friction_that_slides() {
    let source = "system Skid {
        coordinates { x, y } parameters { g = 9.81, F = 1, e = 0.25 }
        kinetic = (ẋ^2 + ẏ^2)/2;
        potential = g*y;
        dissipation = F*norm([ẋ]);
        contact floor { gap = y; impact = restitution(e); }
    }";
    let limit = (2.0 / 9.81_f64).sqrt() * 1.25 / 0.75;
    for method in METHODS {
        let trajectory = run(source, &[0.0, 1.0], &[3.0, 0.0], 4.0, method);
        let (t, ratio) = limit_of(&trajectory);
        assert!((t - limit).abs() < 1e-9 && (ratio - 0.25).abs() < 1e-9, "{method:?}: {t}");
        let last = trajectory.last().expect("a sample");
        assert!((last.q[0] - 4.5).abs() < 1e-9 && last.v == [0.0, 0.0], "{last:?}");
    }
}

/// A slider in a guide with friction F: a bounce rises under g + F and falls under g − F, so that rates fall by
///
/// ```text
/// ρ = e √((g − F)/(g + F))        t∞ = √(2h/(g − F)) + (ġ₁/(g + F) + ρ ġ₁/(e (g − F)))/(1 − ρ),  ġ₁ = e √(2h(g − F))
/// ```
#[test]
fn bounces_against_friction_accumulate_by_a_ratio_of_their_own() {
    let source = "system Slider {
        coordinates { y } parameters { g = 9.81, F = 2, e = 0.5 }
        kinetic = ẏ^2/2;
        potential = g*y;
        dissipation = F*norm([ẏ]);
        contact floor { gap = y - 1; impact = restitution(e); }
    }";
    let (g, f, e) = (9.81_f64, 2.0, 0.5);
    let ρ = e * ((g - f) / (g + f)).sqrt();
    let first = e * (2.0 * (g - f)).sqrt();
    let flight = first / (g + f) + ρ * first / (e * (g - f));
    let limit = (2.0 / (g - f)).sqrt() + flight / (1.0 - ρ);
    for method in METHODS {
        let trajectory = run(source, &[2.0], &[0.0], 3.0, method);
        let (t, ratio) = limit_of(&trajectory);
        assert!((t - limit).abs() < 1e-9, "{method:?}: {t}, not {limit}");
        // The last bounces that are resolved are known to a hundredth.
        assert!((ratio - ρ).abs() < 1e-2 * ρ, "{method:?}: {ratio}, not {ρ}");
        assert_eq!(trajectory.last().expect("a sample").v, [0.0]);
    }
}

/// A mass on a belt with the velocity u, held by a spring: it is carried to F/k, and swings from there with the amplitude
/// u/ω for good, once a period just as fast as the belt, x − F/k = (u/ω) sin ω(t − t₀).
#[test]
fn a_mass_on_a_belt_touches_its_velocity_once_a_period() {
    for [k, f, u] in [[4.0_f64, 1.0, 0.5], [3.7, 1.1, 0.43]] {
        let source = format!(
            "system Belt {{
                coordinates {{ x }} parameters {{ k = {k}, F = {f}, u = {u} }}
                kinetic = ẋ^2/2;
                potential = k*x^2/2;
                dissipation = F*norm([ẋ - u]);
            }}"
        );
        for method in METHODS {
            let trajectory = run(&source, &[0.0], &[u], 20.0, method);
            let (ω, since) = (k.sqrt(), 20.0 - f / k / u);
            let [x, v] = [f / k + u / ω * (ω * since).sin(), u * (ω * since).cos()];
            let last = trajectory.last().expect("a sample");
            assert!((last.q[0] - x).abs() < 1e-7, "{method:?}: {last:?}, not {x}");
            assert!((last.v[0] - v).abs() < 1e-7, "{method:?}: {last:?}, not {v}");
        }
    }
}

/// A body is pressed against a stop that is as good as at rest, goes ahead by a hump, and comes back: x is where the stop is.
/// Friction would hold it, the stop has a velocity of 10⁻⁹⁴, by which the body does not stand and is not seen to move.
#[test]
fn a_stop_that_hardly_moves_carries_along_what_is_pressed_against_it() {
    for (from, width) in [(30.0, 2.0), (60.0, 2.0), (12.0, 2.0)] {
        let source = format!(
            "system Hump {{ coordinates {{ x }} kinetic = ẋ^2/2; dissipation = 0.1*abs(ẋ); force x = 1;
             contact stop {{ gap = exp(-((t - {from:?})/{width:?})^2)/2 - x; impact = plastic; }} }}"
        );
        let place = |t: f64| (-((t - from) / width).powi(2)).exp() / 2.0;
        for method in [Method::RungeKutta, Method::Taylor, Method::Radau, Method::Automatic] {
            for end in [from - 2.0, from, from + 1.5, from + 20.0] {
                let trajectory = run(&source, &[place(0.0)], &[0.0], end, method);
                let x = trajectory.last().expect("it ran").q[0];
                let error = (x - place(end)).abs();
                assert!(error < 1e-11, "{from} {method:?} at {end}: {x} for {}", place(end));
            }
        }
    }
}

/// Two bodies, the one pushed by the other, whose friction brings both to rest at once, at v/a with a = (c₁ + c₂)/(m₁ + m₂): as far
/// as the first has come to rest so has the second, whatever rounding has left of it, and they stay pressed.
#[test]
fn what_is_pressed_together_stops_together() {
    let source = "system Pair { coordinates { x, y } kinetic = 0.35*ẋ^2 + ẏ^2/2;
        dissipation = 0.615*abs(ẋ) + 0.169*abs(ẏ);
        contact between { gap = y - x - 1; impact = plastic; } }";
    for (k, method) in
        (1..=20).flat_map(|k| METHODS.into_iter().chain([Method::Radau]).map(move |m| (k, m)))
    {
        let speed = 0.0137 * f64::from(k) * f64::from(k).sqrt();
        let found = run(source, &[0.0, 1.0], &[-speed, -speed], 10.0, method);
        let stop = speed * 1.7 / (0.615 + 0.169);
        let told = story(&found);
        assert!(told.iter().all(|(what, _)| *what == "stick"), "{method:?} {speed}: {told:?}");
        assert!(told.len() == 2 && (told[0].1 - stop).abs() < 1e-11, "{method:?} {stop}: {told:?}");
        assert_eq!(found.samples.last().map(|state| state.v.clone()), Some(vec![0.0, 0.0]));
    }
}
