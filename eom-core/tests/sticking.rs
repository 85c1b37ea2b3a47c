//! Runs with dry friction of hand-written systems: several terms, integrals, forces that grow and turn.

use eom_core::info::{FrictionInfo, FrictionKind, NameInfo, SystemInfo};
use eom_core::system::{Contacts, Events, Friction, Specialised};
use eom_core::{End, Energy, EventKind, Options, State, System, Trajectory, simulate};
use std::ops::ControlFlow;

type Force = Box<dyn Fn(f64, &[f64], &[f64]) -> Vec<f64> + Sync>;
type Numbers = Box<dyn Fn(f64, &[f64], &[f64]) -> Vec<f64> + Sync>;
type Whole = Box<dyn Fn(&[f64], &[f64], &mut [f64]) -> f64 + Sync>;

/// A term c‖J v + b‖.
struct Term {
    c: f64,
    rows: Numbers,
    offset: Vec<f64>,
    drift: Numbers,
}

/// A system with M = diag(masses), a force and dry friction.
struct Rubbing {
    info: &'static SystemInfo,
    masses: Vec<f64>,
    force: Force,
    terms: Vec<Term>,
    /// D₁(q, w) of an integral and minus its gradient.
    whole: Option<Whole>,
}

impl Rubbing {
    fn new(masses: &[f64], force: Force, terms: Vec<Term>, whole: Option<Whole>) -> Self {
        let name = |_: &f64| NameInfo { name: "q", ascii: "q", doc: "" };
        let points = terms.iter().map(|term| FrictionInfo {
            name: "point",
            components: term.offset.len(),
            kind: FrictionKind::Dissipation,
            weighted: false,
            bears: false,
            varies: false,
        });
        let integral = whole.iter().map(|_| FrictionInfo {
            name: "integral",
            components: 0,
            kind: FrictionKind::Dissipation,
            weighted: false,
            bears: false,
            varies: false,
        });
        let info = SystemInfo {
            name: "Rubbing",
            coordinates: masses.iter().map(name).collect::<Vec<_>>().leak(),
            frictions: points.chain(integral).collect::<Vec<_>>().leak(),
            ..SystemInfo::EMPTY
        };
        Self { info: Box::leak(Box::new(info)), masses: masses.to_vec(), force, terms, whole }
    }

    /// w of a term.
    fn slip(term: &Term, t: f64, q: &[f64], v: &[f64]) -> Vec<f64> {
        let rows = (term.rows)(t, q, v);
        let rows = rows.chunks_exact(v.len());
        rows.zip(&term.offset).map(|(row, b)| dot(row, v) + b).collect()
    }

    fn add_friction(&self, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) {
        for term in &self.terms {
            let w = Self::slip(term, t, q, v);
            let speed = dot(&w, &w).sqrt();
            let scale = if speed > 0.0 { term.c / speed } else { 0.0 };
            for (row, w) in (term.rows)(t, q, v).chunks_exact(v.len()).zip(&w) {
                force.iter_mut().zip(row).for_each(|(f, j)| *f -= scale * j * w);
            }
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl System for Rubbing {
    fn info(&self) -> &'static SystemInfo {
        self.info
    }

    fn accelerations(
        &self, t: f64, q: &[f64], v: &[f64], u: &[f64], a: &mut [f64], λ: &mut [f64]
    ) {
        self.frictionless(t, q, v, u, a, λ);
        let mut friction = vec![0.0; v.len()];
        self.add_friction(t, q, v, &mut friction);
        a.iter_mut().zip(friction.iter().zip(&self.masses)).for_each(|(a, (f, m))| *a += f / m);
    }

    fn frictionless(&self, t: f64, q: &[f64], v: &[f64], _: &[f64], a: &mut [f64], _: &mut [f64]) {
        a.copy_from_slice(&(self.force)(t, q, v));
        if let Some(whole) = &self.whole {
            let mut friction = vec![0.0; v.len()];
            whole(q, v, &mut friction);
            a.iter_mut().zip(friction).for_each(|(a, f)| *a += f);
        }
        a.iter_mut().zip(&self.masses).for_each(|(a, m)| *a /= m);
    }

    fn mass_matrix(&self, _: f64, q: &[f64], m: &mut [f64]) {
        m.fill(0.0);
        self.masses.iter().enumerate().for_each(|(i, mass)| m[i * q.len() + i] = *mass);
    }

    fn energy(&self, _: f64, _: &[f64], v: &[f64]) -> Energy {
        let kinetic = self.masses.iter().zip(v).map(|(m, v)| m * v * v / 2.0).sum();
        Energy { kinetic, potential: 0.0, jacobi: kinetic }
    }
}

impl Contacts for Rubbing {}

impl Events for Rubbing {}

impl Friction for Rubbing {
    fn frictions(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        c: &mut [f64],
        w: &mut [f64],
        rows: &mut [f64],
        drift: &mut [f64],
    ) {
        let all = |numbers: &dyn Fn(&Term) -> Vec<f64>| -> Vec<f64> {
            self.terms.iter().flat_map(numbers).collect()
        };
        c.copy_from_slice(&all(&|term| vec![term.c]));
        w.copy_from_slice(&all(&|term| Self::slip(term, t, q, v)));
        rows.copy_from_slice(&all(&|term| (term.rows)(t, q, v)));
        drift.copy_from_slice(&all(&|term| (term.drift)(t, q, v)));
    }

    fn dry_friction(&self, t: f64, q: &[f64], w: &[f64], force: &mut [f64]) -> f64 {
        force.fill(0.0);
        let mut value = self.whole.as_ref().map_or(0.0, |whole| whole(q, w, force));
        self.add_friction(t, q, w, force);
        for term in &self.terms {
            let w = Self::slip(term, t, q, w);
            value += term.c * dot(&w, &w).sqrt();
        }
        value
    }
}

impl Specialised for Rubbing {}

/// A term with constant J.
fn constant(c: f64, rows: &[f64], offset: &[f64]) -> Term {
    let (rows, zero) = (rows.to_vec(), vec![0.0; offset.len()]);
    Term {
        c,
        rows: Box::new(move |_, _, _| rows.clone()),
        offset: offset.to_vec(),
        drift: Box::new(move |_, _, _| zero.clone()),
    }
}

/// c‖ṙ‖ of a point at (X, Y) on a plane body (x, y, θ).
fn point(c: f64, x: f64, y: f64) -> Term {
    let arm = move |θ: f64| (x * θ.cos() - y * θ.sin(), x * θ.sin() + y * θ.cos());
    Term {
        c,
        rows: Box::new(move |_, q, _| {
            let (x, y) = arm(q[2]);
            vec![1.0, 0.0, -y, 0.0, 1.0, x]
        }),
        offset: vec![0.0; 2],
        drift: Box::new(move |_, q, v| {
            let (x, y) = arm(q[2]);
            vec![-x * v[2] * v[2], -y * v[2] * v[2]]
        }),
    }
}

fn free() -> Force {
    Box::new(|_, _, v| vec![0.0; v.len()])
}

fn run(system: &Rubbing, q: &[f64], v: &[f64], end: f64) -> Trajectory {
    let options = Options { until_time: Some(end), steps_max: 20_000, ..Options::default() };
    let start = State::new(0.0, q, v);
    let trajectory = simulate(system, &start, &[], &options, &mut |_| ControlFlow::Continue(()))
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{}", trajectory.end);
    trajectory
}

/// Sticks (+) and slips (−), with the number of the term from 1.
fn changes(trajectory: &Trajectory) -> Vec<(f64, isize)> {
    let number = |friction: usize| isize::try_from(friction + 1).expect("few terms");
    let change = |kind: &EventKind| match *kind {
        EventKind::Stick { friction } => Some(number(friction)),
        EventKind::Slip { friction } => Some(-number(friction)),
        _ => None,
    };
    trajectory.events.iter().filter_map(|e| change(&e.kind).map(|change| (e.t, change))).collect()
}

fn near(what: &str, found: &[f64], wanted: &[f64], tolerance: f64) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (f, w) in found.iter().zip(wanted) {
        assert!((f - w).abs() <= tolerance * w.abs().max(1.0), "{what}: {found:?} for {wanted:?}");
    }
}

fn last(trajectory: &Trajectory) -> &State {
    trajectory.last().expect("it has run")
}

/// Two particles of masses 1 and 2 at a distance of 1; c = μ g m, μ g = 2.943.
fn dumbbell(force: Force) -> Rubbing {
    let terms = vec![point(2.943, 2.0 / 3.0, 0.0), point(5.886, -1.0 / 3.0, 0.0)];
    Rubbing::new(&[3.0, 3.0, 2.0 / 3.0], force, terms, None)
}

#[test]
fn two_particles_come_to_rest() {
    let body = dumbbell(free());
    for v in [[1.0, 0.5, 3.0], [0.3, -0.2, 6.0], [0.0, 0.0, 2.0], [1.0, 2.0, 0.0], [2.0, 0.1, -0.5]]
    {
        let trajectory = run(&body, &[0.0, 0.0, 0.3], &v, 3.0);
        assert_eq!(last(&trajectory).v, [0.0; 3]);
    }
}

#[test]
fn the_heavier_particle_is_the_pivot() {
    // A torque that grows: about the heavier particle at −1/3, c1 L = 2.943 holds.
    let body = dumbbell(Box::new(|t, _, _| vec![0.0, 0.0, t]));
    let trajectory = run(&body, &[0.0; 3], &[0.0; 3], 3.2);
    let changes = changes(&trajectory);
    assert_eq!(changes.len(), 1, "{changes:?}");
    near("gives way", &[changes[0].0], &[2.943], 1e-11);
    assert_eq!(changes[0].1, -1);
    // Moment of inertia about it 2/3 + 3/9 = 1: θ̈ = t − 2.943.
    let dt: f64 = 3.2 - 2.943;
    near(
        "turns",
        &[last(&trajectory).v[2], last(&trajectory).q[2]],
        &[dt.powi(2) / 2.0, dt.powi(3) / 6.0],
        1e-10,
    );
    let q = &last(&trajectory).q;
    near("pivot", &[q[0] - q[2].cos() / 3.0, q[1] - q[2].sin() / 3.0], &[-1.0 / 3.0, 0.0], 1e-11);
}

#[test]
fn stacked_blocks_go_together_or_apart() {
    // The lower one is pulled by t; c between them 1, with the ground 2; masses 1 above, 3 below.
    let terms = vec![constant(1.0, &[1.0, -1.0], &[0.0]), constant(2.0, &[0.0, 1.0], &[0.0])];
    let blocks = Rubbing::new(&[1.0, 3.0], Box::new(|t, _, _| vec![0.0, t]), terms, None);
    let trajectory = run(&blocks, &[0.0; 2], &[0.0; 2], 8.0);
    // Together from t = 2 with a = (t − 2)/4, apart where that is 1: t = 6.
    let found: Vec<f64> =
        changes(&trajectory).iter().flat_map(|(t, term)| [*t, *term as f64]).collect();
    near("changes", &found, &[2.0, -2.0, 6.0, -1.0], 1e-11);
    let together = (6.0 - 2.0_f64).powi(2) / 8.0;
    let v = [together + 2.0, together + ((64.0 - 36.0) / 2.0 - 3.0 * 2.0) / 3.0];
    near("v", &last(&trajectory).v, &v, 1e-11);
}

/// F = 1.2 sin t, c = 1, m = 1: it gives way at 1.2|sin t| = 1 and slides with
/// v = 1.2(cos t₀ − cos t) − (t − t₀), or the opposite, until that is zero again.
#[test]
fn a_shaken_block_sticks_and_slips() {
    let terms = vec![constant(1.0, &[1.0], &[0.0])];
    let block = Rubbing::new(&[1.0], Box::new(|t, _, _| vec![1.2 * t.sin()]), terms, None);
    let trajectory = run(&block, &[0.0], &[0.0], 40.0);
    let first = (1.0 / 1.2_f64).asin();
    let speed = |τ: f64| 1.2 * (first.cos() - (first + τ).cos()) - τ;
    let (mut low, mut high) = (1.0, 3.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if speed(middle) > 0.0 { low = middle } else { high = middle }
    }
    let slips = (0..13).map(|k| first + f64::from(k) * std::f64::consts::PI);
    let mut wanted: Vec<_> = slips.flat_map(|slips| [(slips, -1), (slips + low, 1)]).collect();
    wanted.retain(|(t, _)| *t < 40.0);
    let found = changes(&trajectory);
    assert_eq!(found.len(), wanted.len(), "{found:?} for {wanted:?}");
    for (found, wanted) in found.iter().zip(&wanted) {
        assert_eq!(found.1, wanted.1);
        near("change", &[found.0], &[wanted.0], 1e-12);
    }
}

/// A block on a belt with −k x − c sign(w) + d w, w = ẋ − u: m, k, c, u, d, the time of the slip, the
/// place where it sticks again, the period (tests/data/dry/belt.csv).
const BELTS: [[f64; 8]; 2] = [
    [
        1.0,
        2.0,
        1.0,
        0.5,
        0.2,
        3.821_118_768_855_376,
        0.095_472_847_948_345_1,
        4.630_173_072_958_686,
    ],
    [
        2.0,
        30.0,
        4.0,
        0.1,
        0.5,
        1.463_093_492_178_26,
        0.115_321_133_905_849_7,
        1.643_215_486_453_096_1,
    ],
];

#[test]
fn a_block_on_a_belt_sticks_and_slips_for_ever() {
    for [m, k, c, u, d, slip, x1, period] in BELTS {
        let terms = vec![constant(c, &[1.0], &[-u])];
        let force: Force = Box::new(move |_, q, v| vec![-k * q[0] + d * (v[0] - u)]);
        let block = Rubbing::new(&[m], force, terms, None);
        let (x0, end) = (c / k, 10.25 * period);
        let trajectory = run(&block, &[x1], &[u], end);
        let held = (x0 - x1) / u;
        let changes = changes(&trajectory);
        assert_eq!(changes.len(), 20 + usize::from(held < 0.25 * period), "{changes:?}");
        for (i, (t, change)) in changes.iter().enumerate() {
            let (round, slips) = (i / 2, i % 2 == 0);
            let wanted = round as f64 * period + held + if slips { 0.0 } else { slip };
            near("change", &[*t], &[wanted], 1e-11);
            assert_eq!(*change, if slips { -1 } else { 1 });
        }
    }
}

#[test]
fn a_turning_force_moves_a_particle() {
    // |F| = t, turning at the rate 1: it gives way at t = 1 = c.
    let puck = Rubbing::new(
        &[1.0, 1.0],
        Box::new(|t, _, _| vec![t * t.cos(), t * t.sin()]),
        vec![constant(1.0, &[1.0, 0.0, 0.0, 1.0], &[0.0; 2])],
        None,
    );
    let trajectory = run(&puck, &[0.0; 2], &[0.0; 2], 3.0);
    near("gives way", &[changes(&trajectory)[0].0], &[1.0], 1e-11);
}

#[test]
fn a_ring_of_points_stays_until_its_load_is_one() {
    let n = 8;
    let at = |k: usize| std::f64::consts::TAU * k as f64 / n as f64;
    let terms = (0..n).map(|k| point(0.5, at(k).cos(), at(k).sin())).collect();
    let body = Rubbing::new(&[2.0, 2.0, 2.0], Box::new(|t, _, _| vec![0.0, 0.0, t]), terms, None);
    let trajectory = run(&body, &[0.0; 3], &[0.0; 3], 5.0);
    let changes = changes(&trajectory);
    assert_eq!(changes.len(), n, "{changes:?}");
    near("gives way", &[changes[0].0], &[4.0], 1e-11);
    near("turns", &[last(&trajectory).v[2]], &[0.25], 1e-10);
}

/// c∫√(v_x² + (v_y + s ω)²) ds over a rod of half length ℓ, turned by θ, and minus its gradient.
fn rod(c: f64, ℓ: f64) -> Whole {
    Box::new(move |q, v, force| {
        let (sin, cos) = q[2].sin_cos();
        let (x, y, ω) = (v[0] * cos + v[1] * sin, v[1] * cos - v[0] * sin, v[2]);
        let mut value = 0.0;
        let mut local = [0.0; 3];
        let parts = |u: f64| {
            let root = x.hypot(u);
            let angle = if x == 0.0 { 0.0 } else { (u / x.abs()).asinh() };
            [0.5 * (u * root + x * x * angle), angle, root, 0.5 * (u * root - x * x * angle)]
        };
        if ω.abs() * ℓ <= 1e-3 * x.hypot(y) {
            let nodes = [0.0, 0.538_469_310_105_683_1, 0.906_179_845_938_664];
            let weights =
                [0.568_888_888_888_888_9, 0.478_628_670_499_366_5, 0.236_926_885_056_189_08];
            for (node, weight) in nodes.iter().zip(weights) {
                for s in if *node == 0.0 { vec![0.0] } else { vec![ℓ * node, -ℓ * node] } {
                    let (u, weight) = (y + s * ω, c * ℓ * weight);
                    let root = x.hypot(u);
                    if root > 0.0 {
                        value += weight * root;
                        for (force, part) in local.iter_mut().zip([x, u, s * u]) {
                            *force -= weight * part / root;
                        }
                    }
                }
            }
        } else {
            let (right, left) = (parts(y + ℓ * ω), parts(y - ℓ * ω));
            let [all, inverse, first, second]: [f64; 4] =
                std::array::from_fn(|i| c * (right[i] - left[i]) / ω);
            value = all;
            local = [-x * inverse, -first, -(second - y * first) / ω];
        }
        force.copy_from_slice(&[
            local[0] * cos - local[1] * sin,
            local[0] * sin + local[1] * cos,
            local[2],
        ]);
        value
    })
}

#[test]
fn a_rod_comes_to_rest_and_gives_way() {
    let (c, ℓ, m) = (2.0, 0.5, 3.0);
    let masses = [m, m, m * ℓ * ℓ / 3.0];
    let free_rod = Rubbing::new(&masses, free(), Vec::new(), Some(rod(c, ℓ)));
    // Spin: I ω̇ = −c ℓ². Translation: m v̇ = −2 c ℓ.
    let spin = run(&free_rod, &[0.0, 0.0, 0.3], &[0.0, 0.0, 2.0], 2.0);
    near("spin", &[changes(&spin)[0].0], &[2.0 * masses[2] / (c * ℓ * ℓ)], 1e-10);
    let slide = run(&free_rod, &[0.0, 0.0, 0.3], &[1.2, -0.5, 0.0], 2.0);
    near("slide", &[changes(&slide)[0].0], &[1.3 * m / (2.0 * c * ℓ)], 1e-10);
    let both = run(&free_rod, &[0.0, 0.0, 0.3], &[1.2, -0.5, 2.0], 4.0);
    assert_eq!(last(&both).v, [0.0; 3]);
    // Pulled at its end, across, by a force that grows: θ = F √2/(c ℓ (4 − 2√2)).
    let pulled = Rubbing::new(
        &masses,
        Box::new(move |t, q, _| vec![-t * q[2].sin(), t * q[2].cos(), ℓ * t]),
        Vec::new(),
        Some(rod(c, ℓ)),
    );
    let trajectory = run(&pulled, &[0.0; 3], &[0.0; 3], 1.0);
    let holds = c * ℓ * (4.0 - 2.0 * 2.0_f64.sqrt()) / 2.0_f64.sqrt();
    near("gives way", &[changes(&trajectory)[0].0], &[holds], 1e-9);
}
