//! Variations of motions against closed forms, invariants and differences of whole runs.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::interpreted;
use eom_analysis::{AnalysisError, LyapunovOptions, Section, Variations};
use eom_core::nalgebra::{DMatrix, DVector};
use eom_core::{Options, State, System};
use std::sync::atomic::{AtomicUsize, Ordering};

fn transition(system: &dyn System, start: &State, t: f64) -> DMatrix<f64> {
    let variations = Variations::new(system).unwrap();
    variations.transition(start, &[], &Options::default(), t).unwrap().matrix
}

/// The end of a run at t.
fn end(system: &dyn System, start: &State, t: f64) -> Vec<f64> {
    let options = Options { until_time: Some(t), ..Options::default() };
    let mut run = eom_core::Run::new(system, start, &options).unwrap();
    let _ = run.advance_to(t);
    assert_eq!(run.t(), t);
    [&run.state().q[..], &run.state().v].concat()
}

/// (y(t; y₀ + h d) − y(t; y₀ − h d))/2h with one step of Richardson: h⁴, and 10⁻¹⁵/h.
fn difference(system: &dyn System, start: &State, direction: &[f64], t: f64) -> Vec<f64> {
    let moved = |h: f64| {
        let n = start.q.len();
        let step =
            |x: &[f64], d: &[f64]| x.iter().zip(d).map(|(x, d)| x + h * d).collect::<Vec<_>>();
        let q = step(&start.q, &direction[..n]);
        end(system, &State::new(start.t, q, step(&start.v, &direction[n..])), t)
    };
    let central = |h: f64| -> Vec<f64> {
        moved(h).iter().zip(moved(-h)).map(|(a, b)| (a - b) / (2.0 * h)).collect()
    };
    let (coarse, fine) = (central(2e-4), central(1e-4));
    fine.iter().zip(coarse).map(|(fine, coarse)| (4.0 * fine - coarse) / 3.0).collect()
}

/// All columns against differences of runs.
fn check_differences(source: &str, start: &State, t: f64) {
    let system = interpreted(source);
    let found = transition(&system, start, t);
    let scale = found.amax();
    // Without that which leaves the constraint w = 0.
    let held = system.info().velocities.iter().position(|speed| speed.name == "w");
    let held = held.map(|w| start.q.len() + w);
    for j in (0..found.ncols()).filter(|j| Some(*j) != held) {
        let direction: Vec<f64> = (0..found.ncols()).map(|i| f64::from(u8::from(i == j))).collect();
        let expected = difference(&system, start, &direction, t);
        let off =
            found.column(j).iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(
            off < 1e-8 * scale,
            "column {j}: off by {off:e} of {scale:e}\n{found}\n{expected:?}"
        );
    }
}

/// A ball on a floor, e: with the impact at t₁ = v₀/g + √(v₀² + 2 g h)/g, V = √(v₀² + 2 g h), each later time by hand.
#[test]
fn a_bouncing_ball_in_closed_form() {
    let ball = interpreted(
        "/// A ball. \n system B { coordinates { y } parameters { e = 0.7, g = 9.81 }
        kinetic = ẏ^2/2; potential = g*y; contact floor { gap = y; impact = restitution(e); } }",
    );
    let (h, v, e, g, t): (f64, f64, f64, f64, f64) = (1.0, 0.5, 0.7, 9.81, 0.8);
    let speed = (v * v + 2.0 * g * h).sqrt();
    let t1 = (v + speed) / g;
    // y(t) = e V s − g s²/2, s = t − t₁; ∂V = (g δh + v δv)/V, ∂t₁ = (δv + ∂V)/g.
    let s = t - t1;
    assert!(s > 0.0 && s < 2.0 * e * speed / g);
    let column = |dh: f64, dv: f64| {
        let d_speed = (g * dh + v * dv) / speed;
        let d_t1 = (dv + d_speed) / g;
        [e * d_speed * s - (e * speed - g * s) * d_t1, e * d_speed + g * d_t1]
    };
    let found = transition(&ball, &State::new(0.0, [h], [v]), t);
    let expected =
        DMatrix::from_columns(&[column(1.0, 0.0), column(0.0, 1.0)].map(Vec::from).map(Into::into));
    assert!((&found - &expected).amax() < 1e-13, "{found}{expected}");
}

#[test]
fn variations_agree_with_differences_of_runs() {
    let cases: [(&str, State, f64); 4] = [
        (
            "/// Two links and a wall. \n system D { coordinates { a, b } parameters { g = 9.81 }
            kinetic = ȧ^2 + ḃ^2/2 + ȧ*ḃ*cos(a - b); potential = -g*(2*cos(a) + cos(b));
            contact wall { gap = 1.2 - sin(a) - sin(b); impact = elastic; } }",
            State::new(0.0, [0.3, -0.4], [0.5, 1.0]),
            3.0,
        ),
        (
            "/// A sleigh in a rink, along its own speeds. \n system S { coordinates { x, y, θ }
            velocities { u = cos(θ)*ẋ + sin(θ)*ẏ, w = cos(θ)*ẏ - sin(θ)*ẋ, r = θ̇ }
            kinetic = (u^2 + (w + 0.3*r)^2)/2 + r^2/5; constraints { blade: w; }
            contact boards { gap = 4 - x^2 - y^2; impact = restitution(0.9); } }",
            State::new(0.0, [0.1, 0.2, 0.0], [1.0, 0.0, 0.6]),
            7.0,
        ),
        (
            "/// A ball on a table that shakes, with spin that its own row turns round. \n
            system T { coordinates { x, z, φ } parameters { g = 9.81 }
            kinetic = (ẋ^2 + ż^2)/2 + φ̇^2/5; potential = g*z;
            contact table { gap = z - 0.1*sin(5*t); constraints { grip: ẋ + φ̇; } impact = restitution(0.8, 0.3); } }",
            State::new(0.0, [0.0, 1.0, 0.0], [0.4, 0.0, 2.0]),
            1.2,
        ),
        (
            "/// Two that exchange their names. \n system E { coordinates { a, b } parameters { k = 2 }
            kinetic = (ȧ^2 + ḃ^2)/2; potential = k*(a^2 + b^2)/2 + a^4 + b^4 + a;
            contact meet { gap = a + b + 0.2; impact = elastic; relabel { a <-> b; } } }",
            State::new(0.0, [-0.5, 0.7], [0.3, -0.4]),
            2.5,
        ),
    ];
    for (source, start, t) in cases {
        check_differences(source, &start, t);
    }
}

/// Motions without loss keep volume: |∂y(t)/∂y(t₀)| = 1 in (q, v) where M is constant, through impacts.
#[test]
fn elastic_impacts_keep_volume() {
    let billiard = interpreted(
        "/// In an ellipse. \n system E { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = 0.3*y;
        contact wall { gap = 1 - x^2/4 - y^2; impact = elastic; } }",
    );
    let found = transition(&billiard, &State::new(0.0, [0.1, 0.2], [0.7, 0.5]), 20.0);
    let volume = found.determinant();
    assert!((volume - 1.0).abs() < 1e-8 * found.norm(), "{volume}");
}

/// What has no derivative, and what is said.
#[test]
fn refusals() {
    let (floor, clock, gate) = (
        "contact floor { gap = y; impact = restitution(0.95); }",
        "event clock { guard = t - 1; rising; reset { ẏ = 1.3*ẏ; } }",
        "event gate { guard = x - 1; rising; reset { ẋ = -0.3*ẋ; ẏ = ẏ + x; } }",
    );
    let met = |one: &str, other: &str| {
        format!(
            "/// A ball meets both. \n system B {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = y;
            {one} {other} }}"
        )
    };
    let [of_both, by_time, by_place] =
        [[floor, clock], [clock, gate], [floor, gate]].map(|[one, other]| met(one, other));
    let start = |x| State::new(0.0, [x, 0.5], [1.0, 0.0]);
    let table: [(&str, State, &str); 7] = [
        (&of_both, start(0.0), "`floor` and `clock` are met at one time"),
        (&by_time, start(0.0), "`clock` and `gate` are met at one time"),
        (&by_place, start(0.0), "`floor` and `gate` are met at one time"),
        (&by_place, start(0.1), ""),
        // At t = 0, which is a time as others.
        (&by_place, State { t: -1.0, ..start(0.0) }, "`floor` and `gate` are met at one time"),
        (
            "/// Past a post. \n system P { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2;
            contact post { gap = x^2 + y^2 - 1; impact = elastic; } }",
            State::new(0.0, [-2.0, 0.0], [1.0, 0.0]),
            "",
        ),
        (
            "/// Two walls at once, not at right angles. \n system C { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2;
            contact a { gap = x; impact = elastic; } contact b { gap = y + x/2; impact = elastic; } }",
            State::new(0.0, [1.0, 1.0], [-2.0, -2.0]),
            "`a` and other contacts are struck at one time",
        ),
    ];
    for (source, start, said) in table {
        let system = interpreted(source);
        let found =
            Variations::new(&system).unwrap().transition(&start, &[], &Options::default(), 3.0);
        let error = found.map(|_| ()).err().map_or_else(String::new, |error| error.to_string());
        // Times are told by tests of their own.
        assert!(error.ends_with(said) && error.is_empty() == said.is_empty(), "{error}: {said}");
    }
}

/// At the time of an impact or a reset the state has no derivative, before it and behind it it has.
#[test]
fn the_end_at_a_jump() {
    let ball = interpreted(
        "/// A ball. \n system B { coordinates { y } kinetic = ẏ^2/2; potential = 2*y;
        contact floor { gap = y; impact = restitution(0.5); }
        event clock { guard = t - 1.5; rising; reset { ẏ = 2*ẏ; } } event seen { guard = t - 1.2; rising; } }",
    );
    let start = State::new(0.0, [1.0], [0.0]);
    let variations = Variations::new(&ball).unwrap();
    let outcome = vector(vec![1.0, 0.0]);
    for (t, name) in [(1.0, "floor"), (1.5, "clock")] {
        let forward = variations.transition(&start, &[], &Options::default(), t).map(|_| ());
        let back = variations.gradient(&start, &[], &Options::default(), t, &outcome).map(|_| ());
        for found in [forward, back] {
            let said = found.unwrap_err().to_string();
            assert!(said.ends_with(&format!("the end, is the time of `{name}`")), "{said}");
        }
    }
    for t in [0.999, 1.001, 1.2, 1.499, 1.501] {
        let found = variations.transition(&start, &[], &Options::default(), t).unwrap();
        let back = variations.gradient(&start, &[], &Options::default(), t, &outcome).unwrap();
        assert!((found.matrix[(0, 0)] - back.by_start[0]).abs() < 1e-11, "{t}");
    }
}

/// A ball on a table A sin ωt, one bounce a period: v⁺ = g τ/2, (1 + e) A ω cos φ = (1 − e) v⁺, and by hand the trace of
/// its map is 1 + e² − (1 + e)² A ω² sin φ/g, the determinant e².
#[test]
fn a_ball_that_bounces_with_its_table() {
    let (e, g, ω): (f64, f64, f64) = (0.8, 9.81, 30.0);
    let tau = std::f64::consts::TAU / ω;
    for amplitude in [0.0039, 0.0041, 0.005, 0.007] {
        let table = interpreted(&format!(
            "/// A ball on a table. \n system T {{ coordinates {{ z }} parameters {{ A = {amplitude}, e = 0.8, g = 9.81 }}
            kinetic = ż^2/2; potential = g*z;
            contact table {{ gap = z - A*sin(30*t); impact = restitution(e); }} }}"
        ));
        let speed = g * tau / 2.0;
        let cosine = (1.0 - e) * speed / ((1.0 + e) * amplitude * ω);
        assert!(cosine < 1.0, "the table reaches far enough: {cosine}");
        let φ = cosine.acos();
        // Half a period after the bounce, at the top, moved a little.
        let bounce = φ / ω;
        let height = amplitude * φ.sin() + speed * speed / (2.0 * g);
        let guess = State::new(bounce + tau / 2.0, [height + 1e-5], [1e-4]);
        let variations = Variations::new(&table).unwrap();
        let orbit =
            variations.orbit(&guess, &[], &Options::default(), Section::Period(tau)).unwrap();
        assert!(
            (orbit.state.q[0] - height).abs() < 1e-13 && orbit.state.v[0].abs() < 1e-12,
            "{orbit:?}"
        );
        let trace = 1.0 + e * e - (1.0 + e) * (1.0 + e) * amplitude * ω * ω * φ.sin() / g;
        let (sum, product) = (
            orbit.multipliers[0] + orbit.multipliers[1],
            orbit.multipliers[0] * orbit.multipliers[1],
        );
        assert!(
            (sum.re - trace).abs() < 1e-10 && (product.re - e * e).abs() < 1e-10,
            "{orbit:?} {trace}"
        );
        // It doubles its period at trace = −(1 + e²).
        assert_eq!(orbit.is_stable(), Some(trace.abs() < 1.0 + e * e));
    }
}

/// The period of van der Pol's oscillator, μ = 1, to the digits of the literature; its other multiplier is that of the
/// transition over a period, whose determinant is the product.
#[test]
fn the_orbit_of_van_der_pol() {
    let oscillator = interpreted(
        "/// Van der Pol. \n system V { coordinates { x } kinetic = ẋ^2/2; potential = x^2/2; force x = (1 - x^2)*ẋ;
        event top { guard = ẋ; falling; } }",
    );
    let variations = Variations::new(&oscillator).unwrap();
    let options = Options { until_time: Some(100.0), ..Options::default() };
    let section = Section::Events { event: 0, count: 1 };
    let orbit = variations.orbit(&State::new(0.0, [1.9], [0.0]), &[], &options, section).unwrap();
    assert!((orbit.period - 6.663_286_859_323_13).abs() < 1e-12, "{orbit:?}");
    assert!((orbit.state.q[0] - 2.008_619_860_874_843).abs() < 1e-12, "{orbit:?}");
    let whole = variations.transition(&orbit.state, &[], &options, orbit.period).unwrap();
    assert_eq!(orbit.multipliers.len(), 1);
    assert!((whole.matrix.determinant() - orbit.multipliers[0].re).abs() < 1e-12);
}

/// A ball without loss comes back from any height: it is its own orbit, 2√(2 h/g) from where it leaves the floor. A drive
/// has its period, and its multiples.
#[test]
fn starts_off_the_section_and_periods_of_the_drive() {
    let ball = interpreted(
        "/// A ball. \n system B { coordinates { y } kinetic = ẏ^2/2; potential = 9.81*y;
        contact floor { gap = y; impact = elastic; } }",
    );
    let options = Options { until_time: Some(100.0), ..Options::default() };
    let section = Section::Impacts { contact: 0, count: 1 };
    let variations = Variations::new(&ball).unwrap();
    let orbit = variations.orbit(&State::new(0.0, [1.0], [0.0]), &[], &options, section).unwrap();
    assert!((orbit.period - 2.0 * (2.0_f64 / 9.81).sqrt()).abs() < 1e-12, "{orbit:?}");
    assert!((orbit.multipliers[0].re - 1.0).abs() < 1e-12, "{orbit:?}");

    let driven = interpreted(
        "/// Driven. \n system D { coordinates { x } kinetic = ẋ^2/2; potential = x^2/2;
        force x = -ẋ/5 + cos(2*t); }",
    );
    let variations = Variations::new(&driven).unwrap();
    let rest = State::new(0.0, [0.0], [0.0]);
    let turn = std::f64::consts::PI;
    for (period, is_one) in [(turn, true), (2.0 * turn, true), (0.5 * turn, false), (3.0, false)] {
        let found = variations.orbit(&rest, &[], &options, Section::Period(period));
        let is_refused = matches!(found, Err(AnalysisError::NotDriven { .. }));
        assert_eq!((found.is_ok(), is_refused), (is_one, !is_one), "{period}: {found:?}");
    }
}

/// A clock whose tick makes r x (1 − x) of x, on which nothing else depends: the orbits are those of the logistic map, with
/// the multiplier 2 − r, of twice the period 4 + 2 r − r². What a tick moves by a step goes on.
#[test]
fn what_a_reset_makes_of_a_coordinate_returns() {
    let tick = |r: f64| {
        interpreted(&format!(
            "/// A clock. \n system Clock {{ coordinates {{ x, y, z }} parameters {{ r = {r} }}
            kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; dissipation = ẋ^2 + ż^2;
            event tick {{ guard = y - 1; rising; reset {{ y = 0; x = r*x*(1 - x); z = z + y; }} }} }}"
        ))
    };
    let orbit = |r: f64, x: f64, count: usize| {
        let (start, section) = (State::new(0.0, [x, 0.0, 5.0], [0.0, 1.0, 0.0]), count);
        let section = Section::Events { event: 0, count: section };
        let options = Options { until_time: Some(100.0), ..Options::default() };
        let system = tick(r);
        Variations::new(&system).unwrap().orbit(&start, &[], &options, section).unwrap()
    };
    let once = orbit(2.9, 0.6, 1);
    assert!((once.state.q[0] - (1.0 - 1.0 / 2.9)).abs() < 1e-12, "{once:?}");
    assert!(once.multipliers.iter().any(|one| (one.re + 0.9).abs() < 1e-9), "{once:?}");
    assert!(once.entries.iter().all(|entry| entry.name != "z"), "{once:?}");
    let twice = orbit(3.2, 0.52, 2);
    let expected = 4.0 + 2.0 * 3.2 - 3.2 * 3.2;
    assert!(twice.multipliers.iter().any(|one| (one.re - expected).abs() < 1e-8), "{twice:?}");
}

/// x and f turn alike, by a row: 2ẍ + 2cẋ + 2x = 0. At x = 0 a reset makes v/2 + p of ẋ alone, and the row, of two alike masses, the
/// mean of it and of ḟ = v: v⁺ = 3v/4 + p/2. Around once v⁻ = v⁺ e^(−cT/2), T = 2π/√(1 − c²/4).
#[test]
fn an_orbit_with_a_reset_that_leaves_a_row() {
    let c = 0.2_f64;
    let system = interpreted(
        "/// Kicked. \n system K { coordinates { x, f } parameters { p = 1.5, c = 0.2 }
        kinetic = (ẋ^2 + ḟ^2)/2; potential = x^2; dissipation = c*ẋ^2;
        constraints { r: ḟ = ẋ; } allow integrable_row(r);
        event k { guard = x; rising; reset { ẋ = ẋ/2 + p; } } }",
    );
    let options = Options { until_time: Some(100.0), ..Options::default() };
    let section = Section::Events { event: 0, count: 1 };
    let start = State::new(0.0, [-1.0, 0.0], [0.1, 0.1]);
    let orbit = Variations::new(&system).unwrap().orbit(&start, &[], &options, section).unwrap();
    let period = std::f64::consts::TAU / (1.0 - c * c / 4.0).sqrt();
    let expected = 0.75 * (-c * period / 2.0).exp();
    let sizes: Vec<f64> = orbit.multipliers.iter().map(|one| one.re).collect();
    assert!(sizes.iter().any(|one| (one - expected).abs() < 1e-10), "{orbit:?} {expected}");
}

/// At rest above: ±√(g/l). Where friction c and impacts e take volume, the sum is −c + 2 ln e for each impact.
#[test]
fn exponents_of_known_sum() {
    let pendulum = interpreted(
        "/// Upright. \n system P { coordinates { θ } kinetic = θ̇^2/2; potential = 4*cos(θ); }",
    );
    let asked = LyapunovOptions { count: 2, span: 0.5, spans: 40, transient: 20 };
    let still = State::new(0.0, [0.0], [0.0]);
    let found = Variations::new(&pendulum)
        .unwrap()
        .lyapunov(&still, &[], &Options::default(), asked)
        .unwrap();
    assert!(
        (found[0].value - 2.0).abs() < 1e-8 && (found[1].value + 2.0).abs() < 1e-8,
        "{found:?}"
    );

    // What escapes in a finite time comes to no rest.
    let escapes = interpreted(
        "/// Away. \n system A { coordinates { x } kinetic = ẋ^2/2; potential = -x^4; }",
    );
    let away = State::new(0.0, [1.0], [0.0]);
    let found = Variations::new(&escapes).unwrap().lyapunov(&away, &[], &Options::default(), asked);
    assert!(matches!(found, Err(AnalysisError::Ended { .. })), "{found:?}");

    let impacting = interpreted(
        "/// Driven against a wall. \n system D { coordinates { x } parameters { c = 0.1, e = 0.85 }
        kinetic = ẋ^2/2; potential = x^2/2 - x*cos(2.8*t)/2; dissipation = c/2*ẋ^2;
        contact wall { gap = 0.1 - x; impact = restitution(e); } }",
    );
    let variations = Variations::new(&impacting).unwrap();
    let start = State::new(0.0, [0.0], [0.3]);
    let asked = LyapunovOptions { count: 2, span: 2.0, spans: 100, transient: 0 };
    let found = variations.lyapunov(&start, &[], &Options::default(), asked).unwrap();
    let whole = variations.transition(&start, &[], &Options::default(), 200.0).unwrap();
    let expected = -0.1 + 2.0 * 0.85_f64.ln() * whole.events.len() as f64 / 200.0;
    assert!(whole.events.len() > 20);
    assert!((found[0].value + found[1].value - expected).abs() < 1e-10, "{found:?} {expected}");
    assert!(found[0].error > 0.0);
}

/// A section that the system does not have is told with those that it has.
#[test]
fn a_section_that_is_not_there() {
    let ball = interpreted(
        "/// A ball. \n system B { coordinates { y } kinetic = ẏ^2/2; potential = 9*y;
        contact floor { gap = y; impact = elastic; } }",
    );
    let variations = Variations::new(&ball).unwrap();
    let start = State::new(0.0, [1.0], [0.0]);
    let sections = [
        (Section::Impacts { contact: 1, count: 1 }, "no entry `1`; there are: floor"),
        (Section::Events { event: 0, count: 1 }, "no entry `0`; there are: none"),
    ];
    for (section, said) in sections {
        let found = variations.orbit(&start, &[], &Options::default(), section);
        assert_eq!(found.map(|_| ()).unwrap_err().to_string(), said);
    }
}

/// The compass walker: hip mass 2, legs of mass 1 and length 1 with their masses in the middle, slope 3°. Its feet stand by
/// rows that an impact releases, and change their names.
const WALKER: &str = "/// A walker. \n system W { coordinates { x, y, a, b } parameters { s = 0.0523598775598299, g = 9.81 }
    let p = [x - sin(a)/2, y - cos(a)/2]; let q = [x - sin(b)/2, y - cos(b)/2];
    let stand = [x - sin(a), y - cos(a)]; let swing = [x - sin(b), y - cos(b)];
    kinetic = ẋ^2 + ẏ^2 + dot(ṗ, ṗ)/2 + dot(q̇, q̇)/2;
    potential = g*dot([-sin(s), cos(s)], 2*[x, y] + p + q);
    constraints { stand_x: stand_dot[1]; stand_y: stand_dot[2]; }
    contact heel { gap = swing[2]; impact = plastic; constraints { hold: swing_dot[1]; } when a > b + 0.1;
        releases stand_x, stand_y; relabel { a <-> b; } } }";

/// Just after an impact, with the leg that stands at −α, and both rates.
fn after_a_step([α, r_a, r_b]: [f64; 3]) -> State {
    State::new(0.0, [0.0, α.cos(), -α, α], [α.cos() * r_a, α.sin() * r_a, r_a, r_b])
}

/// A ball that loses speed has no orbit but its rest, and is told so.
#[test]
fn what_rests_does_not_return() {
    let ball = interpreted(
        "/// A ball. \n system B { coordinates { y } kinetic = ẏ^2/2; potential = 9.81*y;
        contact floor { gap = y; impact = restitution(0.8); } }",
    );
    let variations = Variations::new(&ball).unwrap();
    let options = Options { until_time: Some(100.0), ..Options::default() };
    let section = Section::Impacts { contact: 0, count: 1 };
    let rest = State::new(0.0, [0.0], [0.0]);
    let error = variations.first_return(&rest, &[], &options, section).unwrap_err();
    let said =
        "from y = 0, ẏ = 0 the motion does not come to `floor` again up to t = 100: it rests";
    assert_eq!(error.to_string(), said);
}

/// Along the constraints the derivative of a step is that of differences of steps; its multipliers are theirs.
#[test]
fn a_walker_and_its_gait() {
    let walker = interpreted(WALKER);
    let variations = Variations::new(&walker).unwrap();
    let options = Options { until_time: Some(10.0), ..Options::default() };
    let section = Section::Impacts { contact: 0, count: 1 };
    let step = |z: [f64; 3]| {
        let found = variations.first_return(&after_a_step(z), &[], &options, section).unwrap();
        let whole = [&found.state.q[..], &found.state.v].concat();
        (vector(whole), found.matrix)
    };
    let z = [0.271, 1.09, 0.38];
    for j in 0..3 {
        let moved = |h: f64| {
            let mut z = z;
            z[j] += h;
            z
        };
        let h = 1e-5;
        let state = |h: f64| {
            let state = after_a_step(moved(h));
            vector([&state.q[..], &state.v].concat())
        };
        let direction = (state(h) - state(-h)) / (2.0 * h);
        let expected = (step(moved(h)).0 - step(moved(-h)).0) / (2.0 * h);
        let found = step(z).1 * direction;
        assert!((&found - &expected).amax() < 1e-5, "{j}: {found}{expected}");
    }
    let orbit = variations.orbit(&after_a_step(z), &[], &options, section).unwrap();
    // By differences of runs, h = 10⁻⁵.
    let expected: [(f64, f64); 3] =
        [(-0.199_726_13, 0.544_476_09), (-0.199_726_13, -0.544_476_09), (0.131_572_62, 0.0)];
    assert_eq!(orbit.multipliers.len(), expected.len(), "{orbit:?}");
    for (found, (re, im)) in orbit.multipliers.iter().zip(expected) {
        assert!(
            (found.re - re).abs() < 1e-6 && (found.im.abs() - im.abs()).abs() < 1e-6,
            "{orbit:?}"
        );
    }
    assert!(orbit.steps < 8, "{orbit:?}");
}

fn vector(entries: Vec<f64>) -> DVector<f64> {
    DVector::from_vec(entries)
}

/// Resets, of places and rates, through a guard that depends on both and on time.
#[test]
fn resets_agree_with_differences_of_runs() {
    let jumper = "/// Jumps. \n system J { coordinates { a, b } parameters { k = 2 }
        kinetic = (ȧ^2 + ḃ^2)/2; potential = k*(a^2 + b^2)/2 + a*b^3;
        event jump { guard = a + 0.2*ḃ - 0.3*sin(t); rising;
            reset { a = -0.5 - 0.1*b^2; ȧ = 0.9*ȧ + 0.1*a*b; b = b + 0.1*ḃ; } } }";
    check_differences(jumper, &State::new(0.0, [-0.5, 0.7], [0.3, -0.4]), 4.0);
    let curved = "/// In a round rink. \n system R { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = 0.3*y;
        contact wall { gap = 1 - x^2/2 - y^2; impact = restitution(0.9); } }";
    check_differences(curved, &State::new(0.0, [0.1, 0.2], [0.7, 0.5]), 5.0);
}

/// A pendulum as a rotation: T = 2π/(ω agm(1, cos(a/2))), its multipliers in pairs m, 1/m.
#[test]
fn the_swing_of_a_rotation() {
    let body = interpreted(
        "/// A body. \n system B { rotation R { body: p, q, r } kinetic = (p^2 + q^2 + r^2)/2; potential = -9*R[3][3];
        event top { guard = p; falling; } }",
    );
    let variations = Variations::new(&body).unwrap();
    let options = Options { until_time: Some(10.0), ..Options::default() };
    let start = State::new(0.0, [0.5_f64.cos(), 0.5_f64.sin(), 0.0, 0.0], [0.0; 3]);
    let section = Section::Events { event: 0, count: 1 };
    let orbit = variations.orbit(&start, &[], &options, section).unwrap();
    let (mut a, mut b) = (1.0_f64, 0.5_f64.cos());
    for _ in 0..6 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    assert!((orbit.period - std::f64::consts::TAU / (3.0 * a)).abs() < 1e-11, "{orbit:?}");
    assert_eq!(orbit.multipliers.len(), 5, "{orbit:?}");
    for multiplier in &orbit.multipliers {
        let inverse = multiplier.inv();
        let near = orbit.multipliers.iter().map(|other| (other - inverse).norm_sqr().sqrt());
        assert!(near.fold(f64::INFINITY, f64::min) < 1e-4, "{orbit:?}");
    }
}

/// Who has had enough is heard at the next step, whatever is asked.
#[test]
fn an_interrupt_is_heard() {
    let ball = interpreted(
        "/// A ball. \n system B { coordinates { z } kinetic = ż^2/2; potential = 9.81*z;
        contact table { gap = z - 0.0041*sin(30*t); impact = restitution(0.8); } }",
    );
    let start = State::new(0.135, [0.0565], [0.0]);
    let left = AtomicUsize::new(40);
    let goes_on = || {
        left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
    };
    let variations = Variations::new(&ball).unwrap().watched(&goes_on);
    let asked = LyapunovOptions { count: 1, span: 1.0, spans: 1_000_000, transient: 0 };
    let outcome = DVector::from_row_slice(&[1.0, 0.0]);
    let options = Options { until_time: Some(1e9), ..Options::default() };
    let section = Section::Impacts { contact: 0, count: 1_000_000 };
    let asks: [&dyn Fn() -> Option<AnalysisError>; 4] = [
        &|| variations.lyapunov(&start, &[], &options, asked).err(),
        &|| variations.transition(&start, &[], &options, 1e6).err(),
        &|| variations.gradient(&start, &[], &options, 1e6, &outcome).err(),
        &|| variations.first_return(&start, &[], &options, section).err(),
    ];
    for (index, ask) in asks.iter().enumerate() {
        left.store(40, Ordering::Relaxed);
        let error = ask();
        assert!(matches!(error, Some(AnalysisError::Interrupted { .. })), "{index}: {error:?}");
    }
}

/// Newton's method steps behind the wall at first. The multipliers of an oscillator with an impact a period have the product
/// e² exp(−2ζT), and the orbit of another of them is unstable by the same.
#[test]
fn a_step_behind_a_contact_is_made_shorter() {
    for (ω, ζ, σ, e) in [(1.3_f64, 0.1_f64, 0.3, 0.7_f64), (3.5, 0.05, -0.1, 0.8)] {
        let source = format!(
            "/// Driven against a wall. \n system D {{ coordinates {{ x }} kinetic = ẋ^2/2; potential = x^2/2 - x*cos({ω}*t);
            dissipation = {ζ}*ẋ^2; contact wall {{ gap = {σ} - x; impact = restitution({e}); }} }}"
        );
        let system = interpreted(&source);
        let variations = Variations::new(&system).unwrap();
        let period = 2.0 * std::f64::consts::PI / ω;
        let start = State::new(0.0, [-0.5], [0.0]);
        let options = Options { until_time: Some(100.0), ..Options::default() };
        let orbit = variations.orbit(&start, &[], &options, Section::Period(period)).unwrap();
        let product = orbit.multipliers[0] * orbit.multipliers[1];
        let expected = e * e * (-2.0 * ζ * period).exp();
        assert!(
            (product.re - expected).abs() < 1e-10 && product.im.abs() < 1e-12,
            "{orbit:?} {expected}"
        );
    }
}

/// A block that touches a floor without weight: at rest it seems to stick, and moved it would slide on.
#[test]
fn what_touches_without_a_force() {
    let floor = |weight: &str| {
        interpreted(&format!(
            "system T {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = {weight}*y;
            contact floor {{ gap = y; slip = ẋ; friction = 0.3; impact = plastic; }} }}"
        ))
    };
    let rest = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
    let of = |weight: &str| {
        let system = floor(weight);
        let found = Variations::new(&system).unwrap();
        found.transition(&rest, &[], &Options::default(), 2.0).map(|found| found.matrix[(0, 2)])
    };
    assert!(matches!(of("0"), Err(AnalysisError::NotSmooth { .. })), "{:?}", of("0"));
    assert_eq!(of("10"), Ok(0.0));
}
