//! Runs that keep conserved quantities: to rounding, on the constraints, through impacts, by every method.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use eom_core::{
    Conserved, ConservedTape, Method, Options, Run, StartError, State, System, start_scenario,
};
use eom_interpreter::Interpreted;
use eom_interpreter::conserved::Found;
use std::sync::Arc;

fn interpreted(source: &str) -> Interpreted {
    Interpreted::new(source).unwrap_or_else(|found| panic!("{found:?}: {source}"))
}

fn kept(system: &Interpreted, asked: &[&str]) -> Result<ConservedTape, String> {
    let derivation = system.derivation();
    let found = Found::of(&derivation.model, &derivation.equations);
    found.kept(&derivation.programs, asked, (system, &[]))
}

fn values(kept: &dyn Conserved, state: &State) -> Vec<f64> {
    let count = kept.names().len();
    let (mut values, mut by) =
        (vec![0.0; count], vec![0.0; count * (state.q.len() + state.v.len())]);
    kept.evaluate(state.t, &state.q, &state.v, &[], &mut values, &mut by);
    values
}

const KEPLER: &str = "system Kepler {
    coordinates { x, y }
    kinetic = (ẋ^2 + ẏ^2)/2;
    potential = -1/sqrt(x^2 + y^2);
    scenario orbit { x = 0.5; ẏ = sqrt(3); until t = 100; }
}";

/// A pendulum on a rod, in the plane.
const ROD: &str = "system Rod {
    coordinates { x, y }
    kinetic = (ẋ^2 + ẏ^2)/2;
    potential = 9.81*y;
    holonomic { rod: x^2 + y^2 = 1; }
    scenario swing { x = 1; until t = 100; }
}";

const SLEIGH: &str = "system Sleigh {
    coordinates { x, y, θ }
    parameters { a = 0.3 }
    kinetic = ((ẋ - a*sin(θ)*θ̇)^2 + (ẏ + a*cos(θ)*θ̇)^2 + θ̇^2)/2;
    potential = 0;
    constraints { blade: ẏ*cos(θ) = ẋ*sin(θ); }
    scenario turn { ẋ = 1; θ̇ = 2; until t = 100; }
}";

/// A top as a rotation: q̇ is not v.
const TOP: &str = "system Top {
    rotation R { body: ω_1, ω_2, ω_3 }
    kinetic = ω_1^2/2 + ω_2^2 + 3/2*ω_3^2;
    potential = 2*(R*[0, 0, 1])[3];
    scenario spin { ω_1 = 0.3; ω_2 = 0.4; ω_3 = 3; until t = 100; }
}";

const PENDULUM: &str = "system Pendulum {
    coordinates { θ }
    parameters { c = 0 }
    kinetic = θ̇^2/2;
    potential = -9.81*cos(θ);
    dissipation = c/2*θ̇^2;
    scenario swing { θ = 2; until t = 100; }
}";

const BALL: &str = "system Ball {
    coordinates { x, y }
    parameters { e = 0.7 }
    kinetic = (ẋ^2 + ẏ^2)/2;
    potential = 9.81*y;
    contact floor { gap = y; impact = restitution(e); }
    event gate { guard = x - 2; rising; reset { ẋ = 3*ẋ; } }
    scenario throw { y = 1; ẋ = 1; until t = 2.5; }
}";

/// Relative drifts at the end of a run, with quantities kept or not.
fn drifts(
    system: &Interpreted,
    options: &Options,
    of: &Arc<dyn Conserved>,
    t: f64,
) -> [Vec<f64>; 2] {
    [false, true].map(|keeps| {
        let name = system.info().scenarios[0].name;
        let start = start_scenario(system, name).unwrap();
        let mut run = Run::new(system, &start, options).unwrap();
        if keeps {
            run.conserve(of.clone()).unwrap();
        }
        let first = values(&**of, run.state());
        let _ = run.advance_to(t);
        assert_eq!(run.t(), t, "{:?}", run.end());
        let last = values(&**of, run.state());
        first.iter().zip(last).map(|(a, b)| ((b - a) / a.abs().max(1.0)).abs()).collect()
    })
}

/// By every method, with loose tolerances: what is kept stays to rounding, and what is not does not.
#[test]
fn what_is_kept_stays_to_rounding() {
    for source in [KEPLER, ROD, SLEIGH, TOP, PENDULUM] {
        let system = interpreted(
            &source.replace("dissipation = c/2*θ̇^2;", "").replace("parameters { c = 0 }", ""),
        );
        let of: Arc<dyn Conserved> = Arc::new(kept(&system, &["all"]).unwrap());
        for method in [Method::RungeKutta, Method::Taylor, Method::Radau] {
            let options = Options { method, relative_tolerance: 1e-7, ..Options::default() };
            let [without, with] = drifts(&system, &options, &of, 60.0);
            let what =
                format!("{} {:?} {method:?}: {without:?} {with:?}", system.info().name, of.names());
            assert!(with.iter().all(|drift| *drift < 2e-14), "{what}");
            assert!(without.iter().any(|drift| *drift > 1e-12), "{what}");
        }
    }
}

/// Where time is in the equations an energy stays in a sum: of a field that turns E − Ω L, of a wave E − c p, of what a force
/// draws E − F x, of a ball on a table that turns its energy beside it, of a helix the momentum of its screw.
#[test]
fn an_energy_stays_in_a_sum() {
    let table = [
        (
            "coordinates { x, y } parameters { Ω = 2 }
            lagrangian = (ẋ^2 + ẏ^2)/2 - ((x*cos(Ω*t) + y*sin(Ω*t))^2 - 1)^2;
            scenario s { x = 0.5; ẏ = 0.3; until t = 3; }",
            "(1 - (x*cos(Ω*t) + y*sin(Ω*t))^2)^2 + (ẋ^2 + ẏ^2)/2 - Ω*(x*ẏ - y*ẋ)",
        ),
        (
            "coordinates { x } parameters { c = 0.7 } lagrangian = ẋ^2/2 - cos(3*(x - c*t));
            scenario s { x = 0.5; ẋ = 0.3; until t = 3; }",
            "ẋ^2/2 - c*ẋ + cos(3*(x - c*t))",
        ),
        (
            "coordinates { x } parameters { F = 3 } kinetic = ẋ^2/2; potential = x^4; force x = F;
            scenario s { until t = 3; }",
            "ẋ^2/2 - F*x + x^4",
        ),
        (
            "coordinates { x, y } rotation R { space: w_1, w_2, w_3 } parameters { Ω = 1, r = 0.5 }
            kinetic = (ẋ^2 + ẏ^2)/2 + (w_1^2 + w_2^2 + w_3^2)/20; potential = (x^2 + y^2)^2;
            constraints { a: ẋ - r*w_2 = -Ω*y; b: ẏ + r*w_1 = Ω*x; }
            scenario s { x = 1; solve w_1, w_2; until t = 3; }",
            "(ẋ^2 + ẏ^2)/2 + (w_1^2 + w_2^2 + w_3^2)/20 + (x^2 + y^2)^2 - Ω*(x*ẏ - y*ẋ)",
        ),
        (
            "coordinates { x, y, z } parameters { h = 0.3 }
            kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = sin(z/h - atan2(y, x))*(x^2 + y^2);
            scenario s { x = 1; ẏ = 1; until t = 3; }",
            "x*ẏ - y*ẋ + h*ż",
        ),
    ];
    for (items, by_hand) in table {
        let system = interpreted(&format!(
            "system S {{ {items} let kept = {by_hand}; output kept = kept; }}"
        ));
        let derivation = system.derivation();
        let found = Found::of(&derivation.model, &derivation.equations);
        let sum = found.kept(&derivation.programs, &["sum 1"], (&system, &[])).unwrap();
        let start = start_scenario(&system, "s").unwrap();
        let mut run = Run::new(&system, &start, &Options::default()).unwrap();
        run.conserve(Arc::new(sum.clone())).unwrap();
        let of = |state: &State| {
            let mut by_hand = [0.0];
            system.outputs(state.t, &state.q, &state.v, &[], &mut by_hand);
            [values(&sum, state)[0], by_hand[0]]
        };
        let first = of(run.state());
        let _ = run.advance_to(3.0);
        let last = of(run.state());
        for (at, [found, by_hand]) in [first, last].into_iter().enumerate() {
            assert!((found - by_hand).abs() < 1e-12, "{at}: {found} {by_hand}: {items}");
            assert!((found - first[0]).abs() < 1e-12, "{found} {first:?}: {items}");
        }
    }
}

/// The motion itself is no worse: against the same with tolerances near rounding.
#[test]
fn the_motion_is_no_worse() {
    let system = interpreted(KEPLER);
    let of: Arc<dyn Conserved> = Arc::new(kept(&system, &["all"]).unwrap());
    let start = start_scenario(&system, "orbit").unwrap();
    let end = |relative_tolerance, keeps: bool| {
        let options = Options { relative_tolerance, ..Options::default() };
        let mut run = Run::new(&system, &start, &options).unwrap();
        if keeps {
            run.conserve(of.clone()).unwrap();
        }
        let _ = run.advance_to(60.0);
        run.state().clone()
    };
    let exact = end(1e-14, false);
    let off =
        |state: State| state.q.iter().zip(&exact.q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let (with, without) = (off(end(1e-7, true)), off(end(1e-7, false)));
    // An error of the energy grows with the square of the time, one of the phase with the time.
    assert!(with < without / 5.0, "{with:e} {without:e}");
}

/// Impacts and resets begin another level: what they change stays changed.
#[test]
fn impacts_and_resets_begin_another_level() {
    let system = interpreted(BALL);
    let of: Arc<dyn Conserved> = Arc::new(kept(&system, &["energy", "momentum(x)"]).unwrap());
    let start = start_scenario(&system, "throw").unwrap();
    let mut ends = Vec::new();
    for keeps in [true, false] {
        let mut run = Run::new(&system, &start, &Options::default()).unwrap();
        if keeps {
            run.conserve(of.clone()).unwrap();
        }
        let _ = run.advance_to(2.5);
        assert!(run.event_count() > 3);
        ends.push(run.state().clone());
        // g + ẋ²/2 at the start; e² of the fall at an impact, and ẋ = 3 behind the gate.
        let found = values(&*of, run.state());
        let impacts = run.events_since(0).iter().filter(|event| event.sides()[0].1[1] < -1e-9);
        let impacts = impacts.filter(|event| event.sides()[1].1[1] > 0.0).count();
        let fall = 9.81 * 0.49_f64.powi(i32::try_from(impacts).unwrap());
        assert!(
            (found[0] - fall - 4.5).abs() < 1e-13 && (found[1] - 3.0).abs() < 1e-14,
            "{found:?}"
        );
    }
    let off = ends[0].q.iter().zip(&ends[1].q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 1e-12, "{off:e}");
}

/// An impact between two series begins another level, too. e ẋ is what it leaves of the speed towards the wall.
#[test]
fn impacts_between_series_begin_another_level() {
    let system = interpreted(
        "system Well { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2;
        potential = -cos(x) - cos(y) - 0.3*sin(x + y);
        contact wall { gap = x + 0.2; impact = restitution(0.9); }
        scenario s { x = 1; ẏ = 1.1; until t = 30; } }",
    );
    let of: Arc<dyn Conserved> = Arc::new(kept(&system, &["energy"]).unwrap());
    let start = start_scenario(&system, "s").unwrap();
    let options =
        Options { method: Method::Taylor, relative_tolerance: 1e-6, ..Options::default() };
    let lost = [false, true].map(|keeps| {
        let mut run = Run::new(&system, &start, &options).unwrap();
        if keeps {
            run.conserve(of.clone()).unwrap();
        }
        let first = values(&*of, run.state())[0];
        let _ = run.advance_to(30.0);
        assert_eq!(run.t(), 30.0);
        let taken = |speed: f64| (1.0 - 0.81) * speed * speed / 2.0;
        let events = run.events_since(0);
        assert!(events.len() > 3);
        let taken: f64 = events.iter().map(|event| taken(event.sides()[0].1[0])).sum();
        (values(&*of, run.state())[0] - first + taken).abs()
    });
    assert!(lost[0] > 1e-8 && lost[1] < 1e-14, "{lost:?}");
}

/// A run that is saved goes on to the bit, where it is given the same again.
#[test]
fn levels_are_saved() {
    let system = interpreted(KEPLER);
    let of: Arc<dyn Conserved> = Arc::new(kept(&system, &["all"]).unwrap());
    let start = start_scenario(&system, "orbit").unwrap();
    let options = Options { relative_tolerance: 1e-7, ..Options::default() };
    let mut run = Run::new(&system, &start, &options).unwrap();
    run.conserve(of.clone()).unwrap();
    let _ = run.advance_to(20.0);
    let mut other = Run::restore(&system, &run.save()).unwrap();
    other.conserve(of).unwrap();
    for run in [&mut run, &mut other] {
        let _ = run.advance_to(40.0);
    }
    assert_eq!(run.state(), other.state());
    assert_eq!(run.save(), other.save());
}

/// x of a planet.
struct Place([String; 1]);

impl Conserved for Place {
    fn names(&self) -> &[String] {
        &self.0
    }
    fn evaluate(&self, _: f64, q: &[f64], _: &[f64], _: &[f64], c: &mut [f64], by: &mut [f64]) {
        c[0] = q[0];
        by.copy_from_slice(&[1.0, 0.0, 0.0, 0.0]);
    }
}

/// What does not stay is refused by what is proven, and by its rate.
#[test]
fn what_does_not_stay_is_refused() {
    let damped = interpreted(PENDULUM);
    let said = kept(&damped, &["energy"]).unwrap_err();
    assert_eq!(
        said,
        "`energy` does not stay along the motions of `Pendulum`\n  none of energy, momenta and their sums stays"
    );
    let kepler = interpreted(KEPLER);
    let said = kept(&kepler, &["enrgy"]).unwrap_err();
    assert!(
        said.contains("did you mean `energy`?") && said.contains("what stays: energy, "),
        "{said}"
    );

    let state = State::new(0.0, [0.5, 0.0], [0.25, 1.0]);
    let mut run = Run::new(&kepler, &state, &Options::default()).unwrap();
    let refused = run.conserve(Arc::new(Place(["x".to_owned()]))).unwrap_err();
    assert_eq!(refused, StartError::NotConserved { name: "x".to_owned(), rate: 0.25 });
}
