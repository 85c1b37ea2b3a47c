//! Random systems with one or two rough rows: no energy is gained, what sticks lies in its cone, both methods agree.

use super::drawn::drawn;
use super::{Method, run_by, system};
use eom_core::contact::Reactions;
use eom_core::{End, System, Trajectory};
use eom_interpreter::Interpreted;

/// Numbers of a fixed sequence in (−1, 1), to two digits.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let part = (self.0 >> 33) as f64 / (1_u64 << 31) as f64;
        ((2.0 * part - 1.0) * 100.0).round() / 100.0
    }

    fn source(&mut self) -> String {
        let [a, b, c, d, e, f, g, h, i, j] = [(); 10].map(|()| self.next());
        let μ = [(); 2].map(|()| (0.6 * self.next().abs(), 0.3 * self.next().abs()));
        format!(
            "system Random {{
                coordinates {{ x, y, z, w }}
                kinetic = (ẋ^2 + ẏ^2 + ż^2 + ẇ^2)/2 + ({a})/3*ẋ*ẏ + ({b})/3*ż*ẇ;
                potential = 3*(x^2 + z^2 + w^2)/2 + 4*y + ({c})*x*w;
                holonomic {{ bent: y = ({d})*x + ({e})*x^2 + ({f})*sin(z); tied: w = ({g})*z + ({h})*x*z; }}
                row bent {{ slip = ẋ + ({i})*ż; friction({:?}, {:?}); }}
                row tied {{ slip = ż + ({j})*ẋ + ẇ; friction({:?}, {:?}); }}
                output f_1 = friction(bent); output l_1 = λ(bent);
                output f_2 = friction(tied); output l_2 = λ(tied);
            }}",
            μ[0].0 + μ[0].1,
            μ[0].0,
            μ[1].0 + μ[1].1,
            μ[1].0,
        )
    }

    /// With the rows as vectors of two and three, and a contact; with slips of one velocity, or one of them of as many as rows.
    fn pinned(&mut self, wide: bool) -> String {
        let [a, b, c, d, e, f, g, h, i, j] = [(); 10].map(|()| self.next());
        let [k, l, m, n, o, p] = [(); 6].map(|()| self.next());
        let μ = [(); 3].map(|()| (0.3 * self.next().abs(), 0.2 * self.next().abs()));
        let law = ["elastic", "plastic", "restitution(0.5)", "poisson(0.4)"];
        let _ = self.next();
        let law = law[usize::try_from(self.0 >> 62).expect("two bits")];
        let (two, three) = (format!("ẋ + ({i})*ż"), format!("ż + ({j})*ẋ + ḋ"));
        let [two, three] = match wide {
            true if p > 0.0 => [format!("[{two}, ȧ - ḃ]"), three],
            true => [two, format!("[{three}, ė, ċ - ({p})*ẋ]")],
            false => [two, three],
        };
        let size = |slip: &str| if slip.starts_with('[') { "norm" } else { "abs" };
        let sizes = [size(&two), size(&three)];
        format!(
            "system Random {{
                coordinates {{ x, z, a, b, c, d, e }}
                kinetic = (ẋ^2 + ż^2 + ȧ^2 + ḃ^2 + ċ^2 + ḋ^2 + ė^2)/2 + ({a})/3*ẋ*ȧ + ({b})/3*ż*ċ;
                potential = 3*(x^2 + z^2 + c^2)/2 + 4*a + 2*d + ({c})*x*b;
                holonomic {{
                    two: [a - ({d})*x - ({e})*x^2, b - ({f})*sin(z)] = [0, 0];
                    three: [c - ({g})*z - ({h})*x*z, d - ({k})*x, e - ({l})*x^2 - ({m})*z] = [0, 0, 0];
                }}
                row two {{ slip = {two}; friction({:?}, {:?}); }}
                row three {{ slip = {three}; friction({:?}, {:?}); }}
                contact stop {{
                    gap = x + 0.1 + ({n})/2*c; slip = ż + ({o})*ẋ; friction({:?}, {:?}); impact = {law};
                }}
                output f_1 = {}(friction(two)); output l_1 = norm(λ(two));
                output f_2 = {}(friction(three)); output l_2 = norm(λ(three));
            }}",
            μ[0].0 + μ[0].1,
            μ[0].0,
            μ[1].0 + μ[1].1,
            μ[1].0,
            μ[2].0 + μ[2].1,
            μ[2].0,
            sizes[0],
            sizes[1],
        )
    }
}

#[test]
fn pins_gain_no_energy_and_hold_by_their_lengths() {
    pins(11, 60, false);
}

#[test]
fn pins_with_slips_of_two_and_three_do_so() {
    pins(5, 30, true);
}

fn pins(seed: u64, cases: usize, wide: bool) {
    let (mut draw, mut complete, mut stuck, mut struck) = (Draw(seed), 0, 0, 0);
    let cases = drawn(cases);
    for case in cases.clone() {
        let source = draw.pinned(wide);
        let system = system(&source, &[]);
        let scenario = format!(
            "scenario s {{ x = {}; z = {}; ẋ = {}; ż = {}; solve a, b, c, d, e, ȧ, ḃ, ċ, ḋ, ė; until t = 3; }} }}",
            draw.next().abs(),
            draw.next(),
            -1.0 - draw.next().abs(),
            draw.next()
        );
        let body = source.trim_end().strip_suffix('}').expect("a declaration").to_owned();
        let started = super::system(&format!("{body}{scenario}"), &[]);
        let options = eom_core::Options { until_time: Some(0.0), ..eom_core::Options::default() };
        // Some start behind the stop.
        let Ok(run) = eom_core::run_scenario(&started, "s", &options) else { continue };
        let start = run.samples[0].clone();
        let trajectory = run_by(&system, Method::RungeKutta, (&start.q, &start.v), 3.0);
        match &trajectory.end {
            End::ReachedTime { .. } => complete += 1,
            // Newton's law may gain by Kane's paradox, and Coulomb's may have no answer, or several.
            End::FrictionParadox { .. }
            | End::ImpossibleImpact { .. }
            | End::UndecidedMode { .. } => {
                continue;
            }
            end => panic!("{case}: {end}\n{source}"),
        }
        struck += usize::from(trajectory.impacts().count() > 0);
        check_energy(&system, &trajectory, &format!("{case}\n{source}"));
        let last = trajectory.samples.len() - 1;
        let mode = trajectory.mode_of_sample(last).cloned().unwrap_or_default();
        stuck += usize::from(!mode.sticking().is_empty());
        let state = trajectory.last().expect("it has run");
        let mut found = [0.0; 4];
        Reactions::new(&system).outputs(&system, &[], state, &mode, &mut found);
        let limits = limits_of(&system, state);
        for (limit, pair) in limits.iter().zip(found.chunks_exact(2)) {
            assert!(
                pair[0].abs() <= limit * pair[1] * (1.0 + 1e-9) + 1e-12,
                "{case}: {pair:?}\n{source}"
            );
        }
        let other = run_by(&system, Method::Automatic, (&start.q, &start.v), 3.0);
        let other = other.last().expect("it has run");
        for (a, b) in state.q.iter().zip(&other.q) {
            assert!((a - b).abs() < 1e-8, "{case}: {state:?} {other:?}\n{source}");
        }
    }
    assert!(
        complete > cases.len() / 2 && stuck >= cases.len() / 6 && struck >= cases.len() / 6,
        "{complete} {stuck} {struck}"
    );
}

/// A stop that is closed and a slip that ends leave no motion: the other slips end with it, though they were not yet rounding.
const ENDS_TOGETHER: &str = "system Pinned {
    coordinates { x, z, a, b, c, d, e }
    kinetic = (ẋ^2 + ż^2 + ȧ^2 + ḃ^2 + ċ^2 + ḋ^2 + ė^2)/2 + 0.76/3*ẋ*ȧ - 0.87/3*ż*ċ;
    potential = 3*(x^2 + z^2 + c^2)/2 + 4*a + 2*d + 0.37*x*b;
    holonomic {
        two: [a + 0.47*x + 0.09*x^2, b + 0.92*sin(z)] = [0, 0];
        three: [c + 0.43*z - 0.88*x*z, d - 0.87*x, e - 0.41*x^2 - 0.07*z] = [0, 0, 0];
    }
    row two { slip = ẋ + 0.08*ż; friction(0.287, 0.105); }
    row three { slip = ż - 0.02*ẋ + ḋ; friction(0.403, 0.219); }
    contact stop { gap = x + 0.1 + 0.38*c; slip = ż - 0.93*ẋ; friction(0.326, 0.216); impact = plastic; }
    scenario s {
        x = 0.18; z = 0.55; ẋ = -1.16; ż = 0.76;
        solve a, b, c, d, e, ȧ, ḃ, ċ, ḋ, ė; until t = 3;
    }
}";

#[test]
fn slips_that_end_since_nothing_moves_end_together() {
    let system = system(ENDS_TOGETHER, &[]);
    let options = eom_core::Options { steps_max: 1000, ..eom_core::Options::default() };
    let run = eom_core::run_scenario(&system, "s", &options).expect("it starts");
    assert!(run.end.is_complete(), "{}", run.end);
    let rests = run.samples.iter().find(|s| s.t > 0.3 && s.v.iter().all(|v| *v == 0.0));
    assert!(rests.is_some(), "all of it rests once");
}

/// μ_s of both vectors of rows, which stand behind the contact.
fn limits_of(system: &dyn System, state: &eom_core::State) -> [f64; 2] {
    let m = state.v.len();
    let n = system.info().frictions.iter().map(|friction| friction.components).sum();
    let (mut c, mut w, mut rows, mut drift) =
        ([0.0; 6], vec![0.0; n], vec![0.0; n * m], vec![0.0; n]);
    system.frictions(state.t, &state.q, &state.v, &mut c, &mut w, &mut rows, &mut drift);
    [c[4], c[5]]
}

#[test]
fn no_energy_is_gained_and_cones_are_kept() {
    let (mut draw, mut complete, mut stuck) = (Draw(7), 0, 0);
    for case in 0..40 {
        let source = draw.source();
        let system = system(&source, &[]);
        let (x, z) = (draw.next(), draw.next());
        // On the constraints: y and w, and their rates, are solved for by the start.
        let scenario = format!(
            "scenario s {{ x = {x}; z = {z}; ẋ = {}; ż = {}; solve y, w, ẏ, ẇ; until t = 3; }} }}",
            draw.next(),
            draw.next()
        );
        let body = source.trim_end().strip_suffix('}').expect("a declaration").to_owned();
        let started = super::system(&format!("{body}{scenario}"), &[]);
        let start = scenario_start(&started);
        let trajectory = run_by(&system, Method::RungeKutta, (&start.q, &start.v), 3.0);
        match &trajectory.end {
            End::ReachedTime { .. } => complete += 1,
            End::FrictionParadox { .. } => continue,
            end => panic!("{case}: {end}\n{source}"),
        }
        check_energy(&system, &trajectory, &format!("{case}\n{source}"));
        let mut reactions = Reactions::new(&system);
        let last = trajectory.samples.len() - 1;
        let mode = trajectory.mode_of_sample(last).cloned().unwrap_or_default();
        stuck += usize::from(!mode.sticking().is_empty());
        let state = trajectory.last().expect("it has run");
        let mut found = [0.0; 4];
        reactions.outputs(&system, &[], state, &mode, &mut found);
        let μ_s = limits(&system, state);
        for (term, pair) in found.chunks_exact(2).enumerate() {
            let limit = μ_s[term] * pair[1].abs();
            assert!(pair[0].abs() <= limit * (1.0 + 1e-9) + 1e-12, "{case}: {pair:?}\n{source}");
        }
        let other = run_by(&system, Method::Automatic, (&start.q, &start.v), 3.0);
        let other = other.last().expect("it has run");
        for (a, b) in state.q.iter().zip(&other.q) {
            assert!((a - b).abs() < 1e-8, "{case}: {state:?} {other:?}\n{source}");
        }
    }
    assert!(complete > 25 && stuck > 3, "{complete} {stuck}");
}

/// The start of the only scenario, on the constraints.
fn scenario_start(system: &dyn System) -> eom_core::State {
    let options = eom_core::Options { until_time: Some(0.0), ..eom_core::Options::default() };
    let run = eom_core::run_scenario(system, "s", &options).expect("it starts");
    let first = run.samples.first().expect("a start");
    first.clone()
}

/// μ_s of both rows.
fn limits(system: &dyn System, state: &eom_core::State) -> [f64; 2] {
    let m = state.v.len();
    let (mut c, mut w, mut rows, mut drift) = ([0.0; 4], [0.0; 2], vec![0.0; 2 * m], [0.0; 2]);
    system.frictions(state.t, &state.q, &state.v, &mut c, &mut w, &mut rows, &mut drift);
    [c[2], c[3]]
}

/// Energy never grows.
fn check_energy(system: &Interpreted, trajectory: &Trajectory, case: &str) {
    let energy = |s: &eom_core::State| system.energy(s.t, &s.q, &s.v).total();
    let energies: Vec<f64> = trajectory.samples.iter().map(energy).collect();
    for pair in energies.windows(2) {
        assert!(pair[1] <= pair[0] + 1e-10 * (1.0 + pair[0].abs()), "{pair:?}: {case}");
    }
}
