//! Time stepping of systems written by hand: a ball with friction, Painlevé's rod, a row of balls, a bouncer by events.

use eom_core::info::{
    ContactInfo, Direction, EventInfo, FrictionInfo, FrictionKind, NameInfo, SystemInfo,
};
use eom_core::system::{Contacts, Events, Friction, Specialised};
use eom_core::{
    End, Energy, EventKind, GuardCheck, Law, Method, Options, Run, State, System, Trajectory,
    simulate,
};
use std::ops::ControlFlow;

const G: f64 = 9.81;

const fn named(name: &'static str) -> NameInfo {
    NameInfo { name, ascii: name, doc: "" }
}

const fn slip(name: &'static str) -> FrictionInfo {
    FrictionInfo {
        name,
        components: 1,
        kind: FrictionKind::Slip,
        weighted: false,
        bears: false,
        varies: false,
    }
}

static PLANAR: SystemInfo = SystemInfo {
    name: "Planar",
    coordinates: &[named("x"), named("y"), named("θ")],
    contacts: &[ContactInfo::new("floor", "restitution(e)")],
    frictions: &[slip("floor")],
    ..SystemInfo::EMPTY
};

/// A ball of the moment of inertia j on a floor, or with r = 0 a block, under a constant force and a spring.
#[derive(Clone, Copy)]
struct Ball {
    e: f64,
    μ: [f64; 2],
    r: f64,
    j: f64,
    force: [f64; 2],
    spring: f64,
    /// The velocity of the floor.
    belt: f64,
}

const BALL: Ball =
    Ball { e: 0.5, μ: [0.2; 2], r: 0.1, j: 0.004, force: [0.0, -G], spring: 0.0, belt: 0.0 };

impl System for Ball {
    fn info(&self) -> &'static SystemInfo {
        &PLANAR
    }
    fn accelerations(
        &self,
        _t: f64,
        q: &[f64],
        _v: &[f64],
        _u: &[f64],
        a: &mut [f64],
        _λ: &mut [f64],
    ) {
        a.copy_from_slice(&[self.force[0] - self.spring * q[0], self.force[1], 0.0]);
    }
    fn mass_matrix(&self, _t: f64, _q: &[f64], m: &mut [f64]) {
        m.copy_from_slice(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, self.j]);
    }
    fn energy(&self, _t: f64, q: &[f64], v: &[f64]) -> Energy {
        let kinetic = (v[0] * v[0] + v[1] * v[1] + self.j * v[2] * v[2]) / 2.0;
        let springs = self.spring * q[0] * q[0] / 2.0;
        let potential = springs - self.force[0] * q[0] - self.force[1] * q[1];
        Energy { kinetic, potential, jacobi: kinetic + potential }
    }
}

impl Contacts for Ball {
    fn gaps(&self, _t: f64, q: &[f64], g: &mut [f64]) {
        g[0] = q[1] - self.r;
    }
    fn gap_rows(&self, _t: f64, _q: &[f64], gradient: &mut [f64], rate: &mut [f64]) {
        gradient.copy_from_slice(&[0.0, 1.0, 0.0]);
        rate[0] = 0.0;
    }
    fn gap_drift(&self, _t: f64, _q: &[f64], _v: &[f64], γ: &mut [f64]) {
        γ[0] = 0.0;
    }
    fn law(&self, _contact: usize) -> Law {
        Law::Restitution(self.e)
    }
}

impl Friction for Ball {
    fn frictions(
        &self,
        _t: f64,
        _q: &[f64],
        v: &[f64],
        c: &mut [f64],
        w: &mut [f64],
        rows: &mut [f64],
        drift: &mut [f64],
    ) {
        c.copy_from_slice(&self.μ);
        w[0] = v[0] + self.r * v[2] - self.belt;
        rows.copy_from_slice(&[1.0, 0.0, self.r]);
        drift[0] = 0.0;
    }
    fn contact_of_friction(&self, _term: usize) -> Option<usize> {
        Some(0)
    }
}

impl Events for Ball {}
impl Specialised for Ball {}

fn go(system: &dyn System, start: &State, options: &Options) -> Trajectory {
    simulate(system, start, &[], options, &mut |_| ControlFlow::Continue(()))
        .unwrap_or_else(|error| panic!("{error}"))
}

fn moreau(until: f64, h: f64) -> Options {
    Options { method: Method::Moreau, step: Some(h), until_time: Some(until), ..Options::default() }
}

fn stepped(system: &dyn System, start: &State, until: f64, h: f64) -> Trajectory {
    let run = go(system, start, &moreau(until, h));
    assert_eq!(run.end, End::ReachedTime { t: until });
    assert_eq!(run.guards, GuardCheck::Stepped);
    run
}

fn last(run: &Trajectory) -> &State {
    run.last().expect("the end")
}

/// The largest difference of two lists.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Errors against the run that follows its events are of the size of h, and the twin tells them. Where in a step an impact
/// falls makes the factor another one in each: the largest of three steps falls with those.
#[test]
fn it_is_of_first_order() {
    let φ = 0.3_f64;
    let incline = [G * φ.sin(), -G * φ.cos()];
    let block = Ball { e: 0.0, μ: [0.4; 2], r: 0.0, j: 1.0, force: incline, ..BALL };
    let belt = Ball { μ: [0.2, 0.4], force: [0.0, -G], spring: 10.0, belt: 0.5, ..block };
    let table = [
        ("slides, then rolls", BALL, [0.0, 0.1, 0.0], [1.0, 0.0, 0.0], 0.4),
        ("bounces", BALL, [0.0, 1.0, 0.0], [1.0, 0.0, 3.0], 0.8),
        ("slides", block, [0.0; 3], [2.0, 0.0, 0.0], 1.0),
        ("has stopped", block, [0.0; 3], [0.3, 0.0, 0.0], 1.0),
        ("oblique throw", block, [0.0, 1.0, 0.0], [3.0, 1.0, 0.0], 0.9),
        ("sticks and slips", belt, [0.0; 3], [0.5, 0.0, 0.0], 4.0),
    ];
    for (name, system, q, v, until) in table {
        let start = State::new(0.0, q, v);
        let exact = go(&system, &start, &Options { until_time: Some(until), ..Options::default() });
        assert_eq!(exact.end, End::ReachedTime { t: until });
        let mut errors = Vec::new();
        for h in [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4] {
            let run = stepped(&system, &start, until, h);
            let error = apart(&last(&run).q, &last(&exact).q);
            let fast = apart(&last(&run).v, &last(&exact).v);
            let told = run.stepped.as_ref().expect("it is stepped");
            let estimate = told.largest.iter().copied().fold(0.0, f64::max);
            assert!(error <= 8.0 * h && fast <= 25.0 * h, "{name} {h}: {error:e} {fast:e}");
            assert!(error <= 4.0 * estimate + 1e-12, "{name} {h}: {error:e}, told {estimate:e}");
            errors.push(error);
        }
        let [coarse, fine] = [&errors[..3], &errors[3..]]
            .map(|errors| errors.iter().copied().fold(0.0_f64, f64::max));
        assert!(fine <= 0.5 * coarse + 1e-12, "{name}: {errors:?}");
    }
}

/// A homogeneous ball that slides rolls with 5/7 of its velocity, whatever the step.
#[test]
fn a_ball_rolls_with_five_sevenths() {
    let start = State::new(0.0, [0.0, 0.1, 0.0], [1.0, 0.0, 0.0]);
    for h in [1e-2, 1e-3] {
        let run = stepped(&BALL, &start, 1.0, h);
        let v = &last(&run).v;
        assert!((v[0] - 5.0 / 7.0).abs() < 1e-13 && (v[0] + 0.1 * v[2]).abs() < 1e-13, "{v:?}");
    }
}

/// Below tan φ a block stays to rounding, above it slides with g (sin φ − μ cos φ).
#[test]
fn a_block_stays_or_slides() {
    let φ = 0.3_f64;
    for part in [1e-6, -1e-6] {
        let μ = φ.tan() * (1.0 + part);
        let force = [G * φ.sin(), -G * φ.cos()];
        let block = Ball { e: 0.0, μ: [μ; 2], r: 0.0, j: 1.0, force, ..BALL };
        let run = stepped(&block, &State::new(0.0, [0.0; 3], [0.0; 3]), 1.0, 1e-2);
        let wanted = (G * (φ.sin() - μ * φ.cos())).max(0.0);
        let State { q, v, .. } = last(&run);
        assert!((v[0] - wanted).abs() < 1e-13, "{v:?} {wanted}");
        assert!((q[0] - wanted / 2.0).abs() < 1e-13 && q[1].abs() < 1e-13, "{q:?}");
        assert_eq!(run.modes.last().expect("a mode").mode.sticks(0), part > 0.0);
    }
}

/// From the height 1 impacts come at τ, 2τ, 2τ + eτ, … with τ = √(2/g), each to a few steps; energy never grows.
#[test]
fn a_ball_bounces() {
    let free = Ball { μ: [0.0; 2], ..BALL };
    let first = (2.0 / G).sqrt();
    for h in [1e-3, 1e-4] {
        let run = stepped(&free, &State::new(0.0, [0.0, 1.1, 0.0], [0.0; 3]), 1.2, h);
        let impacts: Vec<f64> = run.impacts().map(|(_, event)| event.t).collect();
        assert_eq!(impacts.len(), 3, "{impacts:?}");
        assert!(apart(&impacts, &[first, 2.0 * first, 2.5 * first]) < 3.0 * h, "{impacts:?}");
        let energy = |state: &State| free.energy(state.t, &state.q, &state.v).total();
        let grows = |pair: &[State]| energy(&pair[1]) > energy(&pair[0]) * (1.0 + 1e-13);
        assert!(!run.samples.windows(2).any(grows));
    }
}

static ROD: SystemInfo = SystemInfo {
    name: "Rod",
    coordinates: PLANAR.coordinates,
    contacts: &[ContactInfo::new("tip", "plastic")],
    frictions: &[slip("tip")],
    ..SystemInfo::EMPTY
};

/// A uniform rod 2 long whose lower end slides on a floor, with its coefficient.
struct Rod(f64);

impl System for Rod {
    fn info(&self) -> &'static SystemInfo {
        &ROD
    }
    fn accelerations(
        &self,
        _t: f64,
        _q: &[f64],
        _v: &[f64],
        _u: &[f64],
        a: &mut [f64],
        _λ: &mut [f64],
    ) {
        a.copy_from_slice(&[0.0, -G, 0.0]);
    }
    fn mass_matrix(&self, _t: f64, _q: &[f64], m: &mut [f64]) {
        m.copy_from_slice(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 / 3.0]);
    }
    fn energy(&self, _t: f64, q: &[f64], v: &[f64]) -> Energy {
        let kinetic = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] / 3.0) / 2.0;
        let potential = G * q[1];
        Energy { kinetic, potential, jacobi: kinetic + potential }
    }
}

impl Contacts for Rod {
    fn gaps(&self, _t: f64, q: &[f64], g: &mut [f64]) {
        g[0] = q[1] - q[2].sin();
    }
    fn gap_rows(&self, _t: f64, q: &[f64], gradient: &mut [f64], rate: &mut [f64]) {
        gradient.copy_from_slice(&[0.0, 1.0, -q[2].cos()]);
        rate[0] = 0.0;
    }
    fn gap_drift(&self, _t: f64, q: &[f64], v: &[f64], γ: &mut [f64]) {
        γ[0] = q[2].sin() * v[2] * v[2];
    }
    fn law(&self, _contact: usize) -> Law {
        Law::Plastic
    }
}

impl Friction for Rod {
    fn frictions(
        &self,
        _t: f64,
        q: &[f64],
        v: &[f64],
        c: &mut [f64],
        w: &mut [f64],
        rows: &mut [f64],
        drift: &mut [f64],
    ) {
        c.fill(self.0);
        w[0] = v[0] + q[2].sin() * v[2];
        rows.copy_from_slice(&[1.0, 0.0, q[2].sin()]);
        drift[0] = q[2].cos() * v[2] * v[2];
    }
    fn contact_of_friction(&self, _term: usize) -> Option<usize> {
        Some(0)
    }
}

impl Events for Rod {}
impl Specialised for Rod {}

/// Where the law of forces has no solution a run that follows events ends, and steps go on: an impact without a collision
/// stops the tip. With W = [8/5, −6/5; −6/5, 17/5] of ġ and s at tan θ = 2, and s = −10, it takes ½ s²(W⁻¹)_ss = 20 of 50.
#[test]
fn painlevés_rod_goes_on() {
    let θ = 2.0_f64.atan();
    let start = State::new(0.0, [0.0, θ.sin(), θ], [-10.0, 0.0, 0.0]);
    let rod = Rod(1.6);
    let ended = go(&rod, &start, &Options { until_time: Some(0.1), ..Options::default() });
    assert!(matches!(ended.end, End::FrictionParadox { several: false, .. }), "{}", ended.end);
    let mut ends = Vec::new();
    for h in [1e-3, 5e-4, 2.5e-4] {
        let run = stepped(&rod, &start, 0.1, h);
        let energy = |state: &State| rod.energy(state.t, &state.q, &state.v).total();
        let stopped = energy(&run.samples[1]);
        assert!((stopped - 30.0 - G * θ.sin()).abs() < 20.0 * h, "{stopped}");
        let grows = |pair: &[State]| energy(&pair[1]) > energy(&pair[0]) * (1.0 + 1e-13);
        assert!(!run.samples.windows(2).any(grows));
        ends.push(last(&run).q.clone());
    }
    let (coarse, fine) = (apart(&ends[0], &ends[2]), apart(&ends[1], &ends[2]));
    assert!(fine < 0.4 * coarse && coarse < 5e-3, "{coarse:e} {fine:e}");
}

/// Balls in a row on a floor, each with x and y.
struct Row {
    info: &'static SystemInfo,
    n: usize,
    μ: f64,
}

impl Row {
    fn new(n: usize, μ: f64) -> Self {
        let names: Vec<NameInfo> = (0..2 * n)
            .map(|i| {
                let name: &str = Box::leak(format!("q{i}").into_boxed_str());
                named(name)
            })
            .collect();
        let contacts = vec![ContactInfo::new("contact", "plastic"); 2 * n - 1];
        let info = SystemInfo {
            name: "Row",
            coordinates: names.leak(),
            contacts: contacts.leak(),
            frictions: vec![slip("floor"); n].leak(),
            ..SystemInfo::EMPTY
        };
        Self { info: Box::leak(Box::new(info)), n, μ }
    }
}

impl System for Row {
    fn info(&self) -> &'static SystemInfo {
        self.info
    }
    fn accelerations(
        &self,
        _t: f64,
        _q: &[f64],
        _v: &[f64],
        _u: &[f64],
        a: &mut [f64],
        _λ: &mut [f64],
    ) {
        a[..self.n].fill(0.0);
        a[self.n..].fill(-G);
    }
    fn mass_matrix(&self, _t: f64, _q: &[f64], m: &mut [f64]) {
        m.fill(0.0);
        m.iter_mut().step_by(2 * self.n + 1).for_each(|m| *m = 1.0);
    }
    fn energy(&self, _t: f64, q: &[f64], v: &[f64]) -> Energy {
        let kinetic = v.iter().map(|v| v * v).sum::<f64>() / 2.0;
        let potential = G * q[self.n..].iter().sum::<f64>();
        Energy { kinetic, potential, jacobi: kinetic + potential }
    }
}

impl Contacts for Row {
    fn gaps(&self, _t: f64, q: &[f64], g: &mut [f64]) {
        let (x, y) = q.split_at(self.n);
        g[..self.n].copy_from_slice(y);
        g[self.n..].iter_mut().zip(x.windows(2)).for_each(|(g, x)| *g = x[1] - x[0] - 1.0);
    }
    fn gap_rows(&self, _t: f64, _q: &[f64], gradient: &mut [f64], rate: &mut [f64]) {
        let (n, m) = (self.n, 2 * self.n);
        gradient.fill(0.0);
        rate.fill(0.0);
        for i in 0..n {
            gradient[i * m + n + i] = 1.0;
        }
        for i in 0..n - 1 {
            gradient[(n + i) * m + i] = -1.0;
            gradient[(n + i) * m + i + 1] = 1.0;
        }
    }
    fn gap_drift(&self, _t: f64, _q: &[f64], _v: &[f64], γ: &mut [f64]) {
        γ.fill(0.0);
    }
    fn law(&self, _contact: usize) -> Law {
        Law::Plastic
    }
}

impl Friction for Row {
    fn frictions(
        &self,
        _t: f64,
        _q: &[f64],
        v: &[f64],
        c: &mut [f64],
        w: &mut [f64],
        rows: &mut [f64],
        drift: &mut [f64],
    ) {
        c.fill(self.μ);
        w.copy_from_slice(&v[..self.n]);
        rows.fill(0.0);
        rows.iter_mut().step_by(2 * self.n + 1).for_each(|j| *j = 1.0);
        drift.fill(0.0);
    }
    fn contact_of_friction(&self, term: usize) -> Option<usize> {
        Some(term)
    }
}

impl Events for Row {}
impl Specialised for Row {}

/// A row of 200 balls that touch, struck by the first: plastic contacts leave each with v/n = 1/10, and the floor stops them
/// after v/(n μ g), on a way of (v/n)²/(2 μ g).
#[test]
fn a_row_of_balls_is_stopped_by_the_floor() {
    let (n, μ, v) = (200, 0.5, 20.0);
    let mut q: Vec<f64> = (0..n).map(|i| i as f64).collect();
    q.extend(vec![0.0; n]);
    let mut speeds = vec![0.0; 2 * n];
    speeds[0] = v;
    let h = 1e-3;
    let run = stepped(&Row::new(n, μ), &State::new(0.0, q.clone(), speeds), 0.03, h);
    let each = v / n as f64;
    let way = each * each / (2.0 * μ * G);
    let State { q: end, v: stopped, .. } = last(&run);
    for i in 0..n {
        // The first goes half a step before it is met.
        let met = if i == 0 { 0.5 * h * v } else { 0.0 };
        let error = end[i] - q[i] - way - met;
        assert!(error.abs() < 3.0 * h * each, "ball {i}: {error}");
        assert!(stopped[i].abs() < 1e-9, "ball {i}: {}", stopped[i]);
    }
}

static BOUNCER: SystemInfo = SystemInfo {
    name: "Bouncer",
    coordinates: &[named("y")],
    events: &[
        EventInfo {
            name: "floor",
            ascii: "floor",
            doc: "",
            direction: Direction::Falling,
            resets: true,
            gap: None,
        },
        EventInfo {
            name: "top",
            ascii: "top",
            doc: "",
            direction: Direction::Falling,
            resets: false,
            gap: None,
        },
    ],
    ..SystemInfo::EMPTY
};

/// What bounces by a declared event.
struct Bouncer;

impl System for Bouncer {
    fn info(&self) -> &'static SystemInfo {
        &BOUNCER
    }
    fn accelerations(
        &self,
        _t: f64,
        _q: &[f64],
        _v: &[f64],
        _u: &[f64],
        a: &mut [f64],
        _λ: &mut [f64],
    ) {
        a[0] = -G;
    }
    fn mass_matrix(&self, _t: f64, _q: &[f64], m: &mut [f64]) {
        m[0] = 1.0;
    }
    fn energy(&self, _t: f64, q: &[f64], v: &[f64]) -> Energy {
        let (kinetic, potential) = (v[0] * v[0] / 2.0, G * q[0]);
        Energy { kinetic, potential, jacobi: kinetic + potential }
    }
}

impl Events for Bouncer {
    fn guards(&self, _t: f64, q: &[f64], v: &[f64], _u: &[f64], guards: &mut [f64]) {
        guards.copy_from_slice(&[q[0], v[0]]);
    }
    fn reset(&self, event: usize, _t: f64, _q: &mut [f64], v: &mut [f64], _u: &[f64]) {
        if event == 0 {
            v[0] *= -0.7;
        }
    }
}

impl Contacts for Bouncer {}
impl Friction for Bouncer {}
impl Specialised for Bouncer {}

/// Events happen at the times of the run that finds them to rounding, each once.
#[test]
fn events_are_found_by_straight_lines() {
    let start = State::new(0.0, [1.0], [0.0]);
    let told = |run: &Trajectory| -> Vec<(f64, EventKind)> {
        run.events.iter().map(|event| (event.t, event.kind.clone())).collect()
    };
    let exact =
        told(&go(&Bouncer, &start, &Options { until_time: Some(1.5), ..Options::default() }));
    for h in [1e-2, 1e-3] {
        let found = told(&stepped(&Bouncer, &start, 1.5, h));
        assert_eq!(found.len(), exact.len(), "{found:?}");
        for ((t, kind), (wanted, known)) in found.iter().zip(&exact) {
            assert_eq!(kind, known);
            assert!((t - wanted).abs() < 0.1 * h, "{h}: {t} {wanted}");
        }
    }
}

/// A run that is saved and restored goes on to the bit.
#[test]
fn runs_are_saved() {
    let ball = (&BALL as &dyn System, State::new(0.0, [0.0, 1.0, 0.0], [1.0, 0.0, 3.0]));
    for (system, start) in [ball, (&Bouncer, State::new(0.0, [1.0], [0.0]))] {
        let mut run = Run::new(system, &start, &moreau(1.0, 1e-3)).expect("it is possible");
        assert!(run.advance_to(0.6).is_continue());
        let saved = run.save();
        let mut other = Run::restore(system, &saved).expect("it is whole");
        assert_eq!(other.save(), saved);
        for run in [&mut run, &mut other] {
            assert!(run.advance_to(1.0).is_break());
        }
        assert_eq!(run.save(), other.save());
        assert_eq!(run.finish(), other.finish());
    }
}
