//! Hand-written systems that the tests run on, and the names they go by.
#![allow(dead_code, reason = "each test file uses some of these")]

use eom_core::info::{ContactInfo, Direction, EventInfo, NameInfo, RowInfo, RowKind, SystemInfo};
use eom_core::linalg::solve_constrained;
use eom_core::system::{Contacts, Events, Friction, Specialised};
use eom_core::{Energy, Law, Options, State, System, Trajectory, simulate};
use std::ops::ControlFlow;

/// Runs without an observer; the start must be admitted.
pub(crate) fn run(system: &dyn System, start: &State, options: &Options) -> Trajectory {
    simulate(system, start, &[], options, &mut |_| ControlFlow::Continue(()))
        .expect("the start is admitted")
}

/// A static description. It is leaked: tests make a few.
pub(crate) fn describe(
    name: &'static str,
    coordinates: &[&'static str],
    rows: &[(&'static str, RowKind)],
    contacts: &[&'static str],
    events: &[(&'static str, Direction, bool)],
) -> &'static SystemInfo {
    let row = |&(name, kind)| RowInfo { name, ascii: name, doc: "", kind, bears: false };
    let contact = |&name| ContactInfo::new(name, "");
    let event = |&(name, direction, resets)| EventInfo {
        name,
        ascii: name,
        doc: "",
        direction,
        resets,
        gap: None,
    };
    Box::leak(Box::new(SystemInfo {
        name,
        coordinates: coordinates.iter().map(|name| NameInfo::new(name)).collect::<Vec<_>>().leak(),
        rows: rows.iter().map(row).collect::<Vec<_>>().leak(),
        contacts: contacts.iter().map(contact).collect::<Vec<_>>().leak(),
        events: events.iter().map(event).collect::<Vec<_>>().leak(),
        ..SystemInfo::EMPTY
    }))
}

type Function = Box<dyn Fn(f64, &[f64], &[f64], &mut [f64]) + Sync>;
type Rows = Box<dyn Fn(f64, &[f64], &mut [f64], &mut [f64]) + Sync>;
type Potential = Box<dyn Fn(&[f64]) -> f64 + Sync>;
type Drive = Box<dyn Fn(&[f64], &mut [f64]) + Sync>;
type Condition = Box<dyn Fn(&[f64], &[f64]) -> bool + Sync>;
type Exchange = Box<dyn Fn(&mut [f64], &mut [f64]) + Sync>;
type Reset = Box<dyn Fn(usize, &mut [f64], &mut [f64]) + Sync>;

/// A system with M = diag(masses), forces, rows and guards given as closures of (t, q, v).
pub(crate) struct Model {
    pub(crate) info: &'static SystemInfo,
    pub(crate) masses: Vec<f64>,
    pub(crate) force: Function,
    pub(crate) potential: Potential,
    /// A and b.
    pub(crate) rows: Rows,
    /// γ = −Ȧ v − ḃ.
    pub(crate) drift: Function,
    pub(crate) holonomic: Function,
    pub(crate) gaps: Function,
    pub(crate) gap_rows: Rows,
    /// d/dt(∇g)·v + d/dt(∂g/∂t); nothing written is no drift.
    pub(crate) gap_drift: Function,
    /// −∂D/∂v of the contacts' own dissipations.
    pub(crate) contact_forces: Function,
    pub(crate) law: Law,
    /// The own rows of every contact.
    pub(crate) own_rows: Rows,
    pub(crate) assign: Drive,
    /// Of (q, v).
    pub(crate) armed: Condition,
    pub(crate) relabel: Exchange,
    pub(crate) guards: Function,
    pub(crate) reset: Reset,
    /// Adds the forces of the inputs.
    pub(crate) drive: Drive,
}

impl Model {
    /// A free particle system: every closure writes nothing.
    pub(crate) fn new(info: &'static SystemInfo, masses: &[f64]) -> Self {
        Self {
            info,
            masses: masses.to_vec(),
            force: Box::new(|_, _, _, out| out.fill(0.0)),
            potential: Box::new(|_| 0.0),
            rows: Box::new(|_, _, _, _| {}),
            drift: Box::new(|_, _, _, _| {}),
            holonomic: Box::new(|_, _, _, _| {}),
            gaps: Box::new(|_, _, _, _| {}),
            gap_rows: Box::new(|_, _, _, _| {}),
            gap_drift: Box::new(|_, _, _, γ| γ.fill(0.0)),
            contact_forces: Box::new(|_, _, _, forces| forces.fill(0.0)),
            law: Law::Elastic,
            own_rows: Box::new(|_, _, _, _| {}),
            assign: Box::new(|_, _| {}),
            armed: Box::new(|_, _| true),
            relabel: Box::new(|_, _| {}),
            guards: Box::new(|_, _, _, _| {}),
            reset: Box::new(|_, _, _| {}),
            drive: Box::new(|_, _| {}),
        }
    }
}

impl System for Model {
    fn info(&self) -> &'static SystemInfo {
        self.info
    }

    fn accelerations(
        &self, t: f64, q: &[f64], v: &[f64], u: &[f64], a: &mut [f64], λ: &mut [f64]
    ) {
        (self.force)(t, q, v, a);
        (self.drive)(u, a);
        for (a, mass) in a.iter_mut().zip(&self.masses) {
            *a /= mass;
        }
        let (n, k) = (q.len(), λ.len());
        assert!(k <= 1, "one constraint is enough for the tests");
        if k == 1 {
            let (mut row, mut b) = (vec![0.0; n], [0.0]);
            (self.rows)(t, q, &mut row, &mut b);
            (self.drift)(t, q, v, λ);
            let free: f64 = row.iter().zip(a.iter()).map(|(row, a)| row * a).sum();
            let schur: f64 = row.iter().zip(&self.masses).map(|(row, m)| row * row / m).sum();
            λ[0] = (λ[0] - free) / schur;
            for i in 0..n {
                a[i] += row[i] * λ[0] / self.masses[i];
            }
        }
    }

    fn mass_matrix(&self, _: f64, q: &[f64], m: &mut [f64]) {
        m.fill(0.0);
        for (i, mass) in self.masses.iter().enumerate() {
            m[i * q.len() + i] = *mass;
        }
    }

    fn constraint_rows(&self, t: f64, q: &[f64], a: &mut [f64], b: &mut [f64]) {
        (self.rows)(t, q, a, b);
    }

    fn holonomic(&self, t: f64, q: &[f64], φ: &mut [f64]) {
        (self.holonomic)(t, q, &[], φ);
    }

    fn energy(&self, _: f64, q: &[f64], v: &[f64]) -> Energy {
        let kinetic: f64 = self.masses.iter().zip(v).map(|(m, v)| m * v * v / 2.0).sum();
        let potential = (self.potential)(q);
        Energy { kinetic, potential, jacobi: kinetic + potential }
    }
}

impl Contacts for Model {
    fn gaps(&self, t: f64, q: &[f64], g: &mut [f64]) {
        (self.gaps)(t, q, &[], g);
    }

    fn gap_rows(&self, t: f64, q: &[f64], grad: &mut [f64], rate: &mut [f64]) {
        (self.gap_rows)(t, q, grad, rate);
    }

    fn gap_drift(&self, t: f64, q: &[f64], v: &[f64], γ: &mut [f64]) {
        (self.gap_drift)(t, q, v, γ);
    }

    fn contact_forces(&self, t: f64, q: &[f64], v: &[f64], forces: &mut [f64]) {
        (self.contact_forces)(t, q, v, forces);
    }

    fn law(&self, _: usize) -> Law {
        self.law
    }

    fn contact_rows(&self, _: usize, t: f64, q: &[f64], a: &mut [f64], b: &mut [f64]) {
        (self.own_rows)(t, q, a, b);
    }

    fn contact_drift(&self, _: usize, _: f64, _: &[f64], _: &[f64], γ: &mut [f64]) {
        γ.fill(0.0);
    }

    fn armed(&self, _: usize, _: f64, q: &[f64], v: &[f64], _: &[f64]) -> bool {
        (self.armed)(q, v)
    }

    fn relabel(&self, _: usize, q: &mut [f64], v: &mut [f64]) {
        (self.relabel)(q, v);
    }

    fn assign(&self, _: usize, _: f64, q: &[f64], v: &mut [f64]) {
        (self.assign)(q, v);
    }
}

impl Events for Model {
    fn guards(&self, t: f64, q: &[f64], v: &[f64], _: &[f64], guards: &mut [f64]) {
        (self.guards)(t, q, v, guards);
    }

    fn reset(&self, event: usize, _: f64, q: &mut [f64], v: &mut [f64], _: &[f64]) {
        (self.reset)(event, q, v);
    }
}

impl Friction for Model {}

impl Specialised for Model {}

/// The rolling penny of bouncing-penny, sections V and VI: front and back edge on an elliptical
/// table.
pub(crate) struct Penny {
    pub(crate) info: &'static SystemInfo,
    pub(crate) m: f64,
    pub(crate) r: f64,
    pub(crate) i: f64,
    pub(crate) j: f64,
    pub(crate) a: f64,
    pub(crate) b: f64,
    pub(crate) law: Law,
}

impl Penny {
    /// Table I: the ellipse 0.15 × 0.20.
    pub(crate) fn table_1() -> Self {
        let (m, r) = (0.0025, 0.01);
        Self {
            info: describe(
                "Penny",
                &["x", "y", "θ", "φ"],
                &[("roll_x", RowKind::Velocity), ("roll_y", RowKind::Velocity)],
                &["front", "back"],
                &[],
            ),
            m,
            r,
            i: m * r * r / 2.0,
            j: m * r * r / 4.0,
            a: 0.15,
            b: 0.20,
            law: Law::Elastic,
        }
    }

    /// Section VI-A: x = y = θ = 0, φ = π/2, θ̇ = 10, φ̇ = 0.2, rolling.
    pub(crate) fn start(&self) -> State {
        self.rolling(0.0, &[0.0, 0.0, 0.0, std::f64::consts::FRAC_PI_2], 10.0, 0.2)
    }

    /// A rolling state.
    pub(crate) fn rolling(&self, t: f64, q: &[f64; 4], θ_dot: f64, φ_dot: f64) -> State {
        let (x_dot, y_dot) = (self.r * q[3].cos() * θ_dot, self.r * q[3].sin() * θ_dot);
        State::new(t, *q, [x_dot, y_dot, θ_dot, φ_dot])
    }

    /// The exact arc (26) from a state, a time τ later; for φ̇ ≠ 0.
    pub(crate) fn arc(&self, q: &[f64], v: &[f64], τ: f64) -> [f64; 4] {
        let (ω, chord) = (v[3], 2.0 * (v[3] * τ / 2.0).sin() / v[3]);
        let middle = q[3] + ω * τ / 2.0;
        [
            q[0] + self.r * v[2] * chord * middle.cos(),
            q[1] + self.r * v[2] * chord * middle.sin(),
            q[2] + v[2] * τ,
            q[3] + ω * τ,
        ]
    }

    fn edge(&self, q: &[f64], side: f64) -> (f64, f64) {
        (q[0] + side * self.r * q[3].cos(), q[1] + side * self.r * q[3].sin())
    }
}

impl System for Penny {
    fn info(&self) -> &'static SystemInfo {
        self.info
    }

    fn accelerations(
        &self, t: f64, q: &[f64], v: &[f64], _: &[f64], a: &mut [f64], λ: &mut [f64]
    ) {
        let mut m = [[0.0; 4]; 4];
        let (mut rows, mut b) = ([[0.0; 4]; 2], [0.0; 2]);
        self.mass_matrix(t, q, m.as_flattened_mut());
        self.constraint_rows(t, q, rows.as_flattened_mut(), &mut b);
        let turn = self.r * v[2] * v[3];
        let gamma = [-turn * q[3].sin(), turn * q[3].cos()];
        let (acceleration, multipliers) = solve_constrained(&mut m, &rows, &[0.0; 4], &gamma);
        a.copy_from_slice(&acceleration);
        λ.copy_from_slice(&multipliers);
    }

    fn mass_matrix(&self, _: f64, _: &[f64], m: &mut [f64]) {
        m.fill(0.0);
        for (i, mass) in [self.m, self.m, self.i, self.j].into_iter().enumerate() {
            m[i * 4 + i] = mass;
        }
    }

    fn constraint_rows(&self, _: f64, q: &[f64], a: &mut [f64], b: &mut [f64]) {
        let (sin, cos) = q[3].sin_cos();
        a.copy_from_slice(&[1.0, 0.0, -self.r * cos, 0.0, 0.0, 1.0, -self.r * sin, 0.0]);
        b.fill(0.0);
    }

    fn energy(&self, _: f64, _: &[f64], v: &[f64]) -> Energy {
        let kinetic = 0.5
            * (self.m * (v[0] * v[0] + v[1] * v[1]) + self.i * v[2] * v[2] + self.j * v[3] * v[3]);
        Energy { kinetic, potential: 0.0, jacobi: kinetic }
    }
}

impl Contacts for Penny {
    fn gaps(&self, _: f64, q: &[f64], g: &mut [f64]) {
        for (g, side) in g.iter_mut().zip([1.0, -1.0]) {
            let (x, y) = self.edge(q, side);
            *g = 1.0 - (x / self.a).powi(2) - (y / self.b).powi(2);
        }
    }

    fn gap_rows(&self, _: f64, q: &[f64], grad: &mut [f64], rate: &mut [f64]) {
        rate.fill(0.0);
        for (row, side) in grad.chunks_exact_mut(4).zip([1.0, -1.0]) {
            let (x, y) = self.edge(q, side);
            let (gx, gy) = (-2.0 * x / self.a.powi(2), -2.0 * y / self.b.powi(2));
            let turn = side * self.r * (gy * q[3].cos() - gx * q[3].sin());
            row.copy_from_slice(&[gx, gy, 0.0, turn]);
        }
    }

    /// With X, Y the edge: Ẋ = ẋ ∓ R sin φ φ̇, Ẏ = ẏ ± R cos φ φ̇, and g̈ without accelerations is
    /// −2Ẋ²/a² − 2Ẏ²/b² + g_X (∓R cos φ φ̇²) + g_Y (∓R sin φ φ̇²).
    fn gap_drift(&self, _: f64, q: &[f64], v: &[f64], γ: &mut [f64]) {
        let (sin, cos) = q[3].sin_cos();
        for (γ, side) in γ.iter_mut().zip([self.r, -self.r]) {
            let (x, y) = (q[0] + side * cos, q[1] + side * sin);
            let (x_dot, y_dot) = (v[0] - side * sin * v[3], v[1] + side * cos * v[3]);
            let bend = x * cos / self.a.powi(2) + y * sin / self.b.powi(2);
            *γ = -2.0 * ((x_dot / self.a).powi(2) + (y_dot / self.b).powi(2))
                + 2.0 * side * bend * v[3] * v[3];
        }
    }

    fn law(&self, _: usize) -> Law {
        self.law
    }
}

impl Events for Penny {}

impl Friction for Penny {}

impl Specialised for Penny {}

/// A ball above the floor y = 0 in a field g = 9.81.
pub(crate) fn ball(law: Law) -> Model {
    let info = describe("Ball", &["y"], &[], &["floor"], &[]);
    let mut model = Model::new(info, &[1.0]);
    model.force = Box::new(|_, _, _, f| f[0] = -9.81);
    model.potential = Box::new(|q| 9.81 * q[0]);
    model.gaps = Box::new(|_, q, _, g| g[0] = q[0]);
    model.gap_rows = Box::new(|_, _, grad, rate| {
        grad[0] = 1.0;
        rate[0] = 0.0;
    });
    model.law = law;
    model
}

/// A pendulum of unit length and mass in x, y, y upwards, with x² + y² = 1 and g = 9.81.
pub(crate) fn pendulum_in_the_plane() -> Model {
    let info = describe("Pendulum", &["x", "y"], &[("rod", RowKind::Holonomic)], &[], &[]);
    let mut model = Model::new(info, &[1.0, 1.0]);
    model.force = Box::new(|_, _, _, f| f.copy_from_slice(&[0.0, -9.81]));
    model.potential = Box::new(|q| 9.81 * q[1]);
    model.rows = Box::new(|_, q, a, b| {
        a.copy_from_slice(&[2.0 * q[0], 2.0 * q[1]]);
        b[0] = 0.0;
    });
    model.drift = Box::new(|_, _, v, γ| γ[0] = -2.0 * (v[0] * v[0] + v[1] * v[1]));
    model.holonomic = Box::new(|_, q, _, φ| φ[0] = q[0] * q[0] + q[1] * q[1] - 1.0);
    model
}
