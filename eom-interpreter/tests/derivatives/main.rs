//! The kernels of derivatives and inverse dynamics, by the interpreter, against differences of the accelerations, against
//! the derivatives of the tapes, which differentiate the solution itself, and against what they must satisfy; and what
//! they cost.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod digits;
mod products;

use eom_codegen::{Derivation, derive_source};
use eom_core::enclosure::Derivative;
use eom_core::info::{PowerKind, SystemInfo};
use eom_core::system::Specialised as _;
use eom_core::{State, System};
use eom_interpreter::{At, Interpreted};
use eom_symbolic::program::{Kernel, NoDerivatives};
use fastrand::Rng;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

const STATES: usize = 4;

/// Dry friction, an input and a force at a pendulum on a cart; a row that is not affine in the velocities; what has none.
const OWN: [(&str, &str); 5] = [
    (
        "cart",
        "system Cart {
            coordinates { x, θ }
            parameters { m = 1, M = 3, l = 0.7, g = 9.81, μ = 0.2, c = 0.1 }
            inputs { F }
            let X = x + l*sin(θ);
            let Y = -l*cos(θ);
            kinetic = M/2*ẋ^2 + m/2*(Ẋ^2 + Ẏ^2);
            potential = m*g*Y;
            dissipation = μ*M*abs(ẋ) + c*θ̇^2/2;
            force x = F*cos(t);
        }",
    ),
    (
        "led",
        "system Led {
            coordinates { x, y }
            parameters { m = 1, s = 2 }
            kinetic = m/2*(ẋ^2 + ẏ^2);
            potential = m*y;
            constraints { pace: ẋ^2 + ẏ^2 = s^2; }
            allow chetaev(pace);
        }",
    ),
    (
        "mirrored",
        "system Mirrored {
            coordinates { x, y }
            kinetic = (ẋ^2 + 2*ẏ^2)/2;
            constraints { slope: ẏ = x*ẋ; }
            force x = -λ(slope)/4;
        }",
    ),
    (
        "hung",
        "system Hung {
            coordinates { θ }
            kinetic = θ̇^2/2*integral(exp(-s^2*cos(θ)), s in 0..1);
        }",
    ),
    ("lattice", LATTICE),
];

/// Twenty bodies that move one more between them: their solve is left to loops.
const LATTICE: &str = "system Lattice {
    coordinates { x[i in 1..=20] }
    kinetic = sum(ẋ[i]^2, i in 1..=20)/2 + sum(ẋ[i]*cos(x[i]), i in 1..=20)^2/2;
}";

/// Differences of numbers of size 1, of order 4, as they are amplified by the solve.
const OF_DIFFERENCES: f64 = 1e-6;

/// The same derivatives in another order.
const OF_TAPES: f64 = 1e-9;

/// The files of the catalogue and of the gallery, and what is here for one thing.
fn sources() -> Vec<(String, String)> {
    let folders = ["../models/eom", "../models/gallery"];
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "eom")).collect();
    paths.sort();
    let own = OWN.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let files = paths.into_iter().map(|path| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, fs::read_to_string(&path).unwrap())
    });
    own.chain(files).collect()
}

fn between(rng: &mut Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * rng.f64()
}

/// A state with numbers in (−2, 2), and unit quaternions.
fn state(rng: &mut Rng, info: &SystemInfo) -> State {
    let mut draw = |n: usize| -> Vec<f64> { (0..n).map(|_| between(rng, -2.0, 2.0)).collect() };
    let (t, mut q) = (draw(1)[0], draw(info.positions()));
    for quaternion in q[info.coordinates.len()..].chunks_exact_mut(4) {
        let length = quaternion.iter().map(|r| r * r).sum::<f64>().sqrt();
        for component in quaternion {
            *component /= length;
        }
    }
    State { t, q, v: draw(info.speeds()) }
}

/// Every system that has derivatives, with its name.
fn systems() -> &'static [(String, Interpreted)] {
    static SYSTEMS: LazyLock<Vec<(String, Interpreted)>> = LazyLock::new(|| {
        let derived = sources().into_iter().filter_map(|(name, source)| {
            let made = derive_source(&source).unwrap().with_derivatives().ok()?;
            Some((name, Interpreted::of(made, &source)))
        });
        derived.collect()
    });
    &SYSTEMS
}

/// x = (q, v, u, p) at a time.
struct Point {
    t: f64,
    x: Vec<f64>,
    sizes: [usize; 4],
}

impl Point {
    fn draw(rng: &mut Rng, system: &Interpreted) -> Self {
        let info = system.info();
        let State { t, q, v } = state(rng, info);
        let u: Vec<f64> = info.inputs.iter().map(|_| between(rng, -2.0, 2.0)).collect();
        let p = (0..100).find_map(|_| {
            let drawn = info.parameters.iter().map(|_| between(rng, 0.5, 2.0));
            let drawn: Vec<f64> = drawn.collect();
            with(system, &drawn).map(|_| drawn)
        });
        let mut own = vec![0.0; info.parameters.len()];
        system.parameters(&mut own);
        let p = p.unwrap_or(own);
        let sizes = [q.len(), v.len(), u.len(), p.len()];
        Self { t, x: [q, v, u, p].concat(), sizes }
    }

    fn parts<'x>(&self, x: &'x [f64]) -> [&'x [f64]; 4] {
        let mut rest = x;
        self.sizes.map(|size| {
            let (now, later) = rest.split_at(size);
            rest = later;
            now
        })
    }

    /// v̇ and λ at another x; none where its parameters are out of their bounds.
    fn dynamics(&self, system: &Interpreted, x: &[f64]) -> Option<Vec<f64>> {
        let [q, v, u, p] = self.parts(x);
        let system = with(system, p)?;
        let (mut a, mut λ) = (vec![0.0; v.len()], vec![0.0; system.info().rows.len()]);
        system.accelerations(self.t, q, v, u, &mut a, &mut λ);
        Some([a, λ].concat())
    }

    /// The kernel at this point.
    fn kernel(&self, system: &Interpreted, kernel: Kernel, a: &[f64]) -> Vec<f64> {
        let [q, v, u, p] = self.parts(&self.x);
        with(system, p).unwrap().kernel(kernel, At { t: self.t, q, v, u, a, ..At::default() })
    }

    /// ∂f/∂xⱼ by differences of order 4: (8 (f(h) − f(−h)) − (f(2h) − f(−2h)))/12h, h a power of 2.
    fn slope(&self, j: usize, f: impl Fn(&[f64]) -> Option<Vec<f64>>) -> Option<Vec<f64>> {
        let h = 1.0 / 4096.0;
        let at = |steps: f64| {
            let mut x = self.x.clone();
            x[j] += steps * h;
            f(&x)
        };
        let [far_below, below, above, far_above] = [at(-2.0)?, at(-1.0)?, at(1.0)?, at(2.0)?];
        let slope =
            |i: usize| (8.0 * (above[i] - below[i]) - (far_above[i] - far_below[i])) / (12.0 * h);
        Some((0..above.len()).map(slope).collect())
    }
}

fn with(system: &Interpreted, p: &[f64]) -> Option<Interpreted> {
    system.with_parameters(&p.iter().copied().map(Some).collect::<Vec<_>>()).ok()
}

/// The columns of ∂(v̇, λ)/∂x from the two kernels: of v̇ and of λ by q, v, u, then by p.
fn columns(point: &Point, system: &Interpreted) -> Vec<Vec<f64>> {
    let [n, m, r, p] = point.sizes;
    let k = system.info().rows.len();
    let state = point.kernel(system, Kernel::Derivatives, &[]);
    let parameters = point.kernel(system, Kernel::ParameterDerivatives, &[]);
    // Those of a function whose default holds parameters are none.
    let p = if parameters.is_empty() { 0 } else { p };
    let mut columns = vec![vec![0.0; m + k]; n + m + r + p];
    let mut fill = |blocks: &[f64], lists: &[(usize, usize)]| {
        let mut entries = blocks.iter();
        for rows in [0..m, m..m + k] {
            for &(first, size) in lists {
                for row in rows.clone() {
                    for column in first..first + size {
                        columns[column][row] = *entries.next().unwrap();
                    }
                }
            }
        }
        assert!(entries.next().is_none());
    };
    fill(&state[m + k..], &[(0, n), (n, m), (n + m, r)]);
    if p > 0 {
        fill(&parameters, &[(n + m + r, p)]);
    }
    columns
}

fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(1.0, |size: f64, x| size.max(x.abs()))
}

/// The largest of the differences beside the largest of the numbers.
fn difference(found: &[f64], wanted: &[f64]) -> f64 {
    assert_eq!(found.len(), wanted.len());
    let size = largest(wanted);
    let differences = found.iter().zip(wanted).map(|(a, b)| (a - b).abs() / size);
    // What is no number is as far off as can be.
    differences.fold(0.0, |worst, x| if x <= worst { worst } else { x })
}

#[test]
fn derivatives_are_those_of_the_accelerations() {
    let (mut compared, mut worst, mut off) = (0, (0.0, String::new()), Vec::new());
    for (name, system) in systems() {
        let mut rng = Rng::with_seed(7);
        for _ in 0..STATES {
            let point = Point::draw(&mut rng, system);
            let here = point.dynamics(system, &point.x).unwrap();
            let found = point.kernel(system, Kernel::Derivatives, &[]);
            assert!(difference(&found[..here.len()], &here) < OF_TAPES, "{name}");
            for (j, column) in columns(&point, system).iter().enumerate() {
                let slope = point.slope(j, |x| point.dynamics(system, x));
                let Some(slope) = slope.filter(|s| s.iter().all(|x| x.is_finite())) else {
                    continue;
                };
                // Where the dynamics itself is steep its differences are of no use.
                if largest(&slope) > 1e3 {
                    continue;
                }
                let error = difference(column, &slope);
                if error >= OF_DIFFERENCES {
                    off.push(format!("{name}: {j} by {error:e}\n{column:?}\n{slope:?}"));
                }
                compared += 1;
                if error > worst.0 {
                    worst = (error, name.clone());
                }
            }
        }
    }
    assert!(off.is_empty(), "{}", off.join("\n"));
    eprintln!("{compared} columns, the worst by {:e} ({})", worst.0, worst.1);
    assert!(compared > 1000);
}

/// The tapes differentiate the elimination, operation by operation.
#[test]
fn derivatives_are_those_of_the_tapes() {
    let (mut compared, mut off) = (0, Vec::new());
    for (name, system) in systems() {
        let mut rng = Rng::with_seed(8);
        for _ in 0..STATES {
            let point = Point::draw(&mut rng, system);
            let Some(tape) = system.programs().accelerations else { continue };
            let mut derivative = Derivative::new(tape);
            let (m, given) = (derivative.results(), [&[point.t][..], &point.x].concat());
            let (count, length) = (point.x.len(), given.len());
            let mut directions = vec![0.0; count * length];
            (0..count).for_each(|j| directions[j * length + 1 + j] = 1.0);
            let (mut values, mut slopes) = (vec![0.0; m], vec![0.0; m * count]);
            derivative.along(&given, &directions, &mut values, &mut slopes);
            for (column, slope) in columns(&point, system).iter().zip(slopes.chunks(m)) {
                let error = difference(&column[..m], slope);
                if error >= OF_TAPES {
                    off.push(format!("{name} by {error:e}\n{column:?}\n{slope:?}"));
                }
                compared += 1;
            }
        }
    }
    assert!(off.is_empty(), "{}", off.join("\n"));
    assert!(compared > 1000);
}

/// M v̇ + h − F = Aᵀλ along the motion; and its derivatives by the parameters by differences.
#[test]
fn inverse_dynamics_inverts() {
    for (name, system) in systems() {
        let mut rng = Rng::with_seed(9);
        for _ in 0..STATES {
            let point = Point::draw(&mut rng, system);
            let [n, m, r, p] = point.sizes;
            let x = point.dynamics(system, &point.x).unwrap();
            let (a, λ) = x.split_at(m);
            let (mut rows, mut b) = (vec![0.0; λ.len() * m], vec![0.0; λ.len()]);
            let [q, v, _, own] = point.parts(&point.x);
            with(system, own).unwrap().constraint_rows_at(point.t, q, v, &mut rows, &mut b);
            let reactions: Vec<f64> =
                (0..m).map(|i| (0..λ.len()).map(|j| rows[j * m + i] * λ[j]).sum()).collect();
            let forces = point.kernel(system, Kernel::InverseDynamics, a);
            let scale = largest(a) * largest(λ);
            assert!(difference(&forces, &reactions) < 1e-11 * scale, "{name}: {forces:?}");
            let regressor = point.kernel(system, Kernel::Regressor, a);
            for j in (0..p).filter(|_| !regressor.is_empty()) {
                let slope = point.slope(n + m + r + j, |x| {
                    let [q, v, u, own] = point.parts(x);
                    let at = At { t: point.t, q, v, u, a, ..At::default() };
                    Some(with(system, own)?.kernel(Kernel::InverseDynamics, at))
                });
                let Some(slope) = slope else { continue };
                let column: Vec<f64> = (0..m).map(|i| regressor[i * p + j]).collect();
                assert!(difference(&column, &slope) < OF_DIFFERENCES * scale, "{name}");
            }
        }
    }
}

/// Ṁ − 2 C is skew; and without forces C v is what of f is even in v and at v̇ = 0, but for f at rest.
#[test]
fn coriolis_matrix_is_that_of_the_masses() {
    let (mut turned, mut of_bias) = (0, 0);
    for (name, system) in systems() {
        let mut rng = Rng::with_seed(10);
        let point = Point::draw(&mut rng, system);
        let [q, v, u, p] = point.parts(&point.x);
        let (system, m) = (with(system, p).unwrap(), v.len());
        let zero = vec![0.0; m];
        let c = system
            .kernel(Kernel::CoriolisMatrix, At { t: point.t, q, v, u, a: &zero, ..At::default() });
        if c.is_empty() {
            continue;
        }
        let mut rates = vec![0.0; q.len()];
        system.rates(point.t, q, v, &mut rates);
        let mass = |steps: f64| {
            let at: Vec<f64> = q.iter().zip(&rates).map(|(q, rate)| q + steps * rate).collect();
            let mut mass = vec![0.0; m * m];
            system.mass_matrix(point.t, &at, &mut mass);
            mass
        };
        let h = 1.0 / 4096.0;
        let [below, above] = [mass(-h), mass(h)];
        let rate = |place: usize| (above[place] - below[place]) / (2.0 * h);
        for (i, j) in (0..m).flat_map(|i| (0..=i).map(move |j| (i, j))) {
            let sum = c[i * m + j] + c[j * m + i];
            assert!((sum - rate(i * m + j)).abs() < 1e-4 * largest(&c), "{name}: {i}, {j}");
            turned += usize::from(sum != 0.0);
        }
        if system.info().powers.iter().any(|power| power.kind != PowerKind::Time) {
            continue;
        }
        let force = |sign: f64| {
            let v: Vec<f64> = v.iter().map(|v| sign * v).collect();
            let at = At { t: point.t, q, v: &v, u, a: &zero, ..At::default() };
            system.kernel(Kernel::InverseDynamics, at)
        };
        let [forth, rest, back] = [1.0, 0.0, -1.0].map(force);
        let even: Vec<f64> = (0..m).map(|i| f64::midpoint(forth[i], back[i]) - rest[i]).collect();
        let product: Vec<f64> = (0..m).map(|i| (0..m).map(|j| c[i * m + j] * v[j]).sum()).collect();
        assert!(difference(&product, &even) < 1e-11 * largest(&forth), "{name}: {product:?}");
        of_bias += 1;
    }
    assert!(turned > 20 && of_bias > 10, "{turned}, {of_bias}");
}

/// An arm whose forces are linear in its masses and moments: Y p = f, Lagrange's equations by hand.
#[test]
fn the_regressor_of_an_arm() {
    let text = "system Arm {
        coordinates { α, β }
        parameters { i1 = 2, i2 = 0.5, c = 0.7, w1 = 9, w2 = 4 }
        kinetic = i1/2*α̇^2 + i2/2*(α̇ + β̇)^2 + c*α̇*(α̇ + β̇)*cos(β);
        potential = -w1*cos(α) - w2*cos(α + β);
    }";
    let system = Interpreted::of(derive_source(text).unwrap().with_derivatives().unwrap(), text);
    let (q, v, a) = ([0.3, -0.8], [0.4, 1.1], [0.9, -2.0]);
    let at = At { t: 0.0, q: &q, v: &v, u: &[], a: &a, ..At::default() };
    let y = system.kernel(Kernel::Regressor, at);
    let (sin_β, cos_β) = (q[1].sin(), q[1].cos());
    let own = cos_β * (2.0 * a[0] + a[1]) - sin_β * v[1] * (2.0 * v[0] + v[1]);
    let wanted = [
        [a[0], a[0] + a[1], own, q[0].sin(), (q[0] + q[1]).sin()],
        [0.0, a[0] + a[1], cos_β * a[0] + sin_β * v[0] * v[0], 0.0, (q[0] + q[1]).sin()],
    ];
    assert!(difference(&y, &wanted.concat()) < 1e-14, "{y:?}");
    let p = [2.0, 0.5, 0.7, 9.0, 4.0];
    let product = |row: &[f64]| row.iter().zip(p).map(|(y, p)| y * p).sum::<f64>();
    let forces: Vec<f64> = y.chunks(5).map(product).collect();
    assert!(difference(&system.kernel(Kernel::InverseDynamics, at), &forces) < 1e-14);
}

/// The plane pendulum of n links in absolute angles: unit masses and rods, g = 9.81.
fn pendulum(links: usize) -> Derivation {
    let mut text = "system Pendulum {\n    coordinates { ".to_owned();
    (1..=links).for_each(|i| write!(text, "θ{i}, ").unwrap());
    text.push_str("}\n    parameters { g = 9.81 }\n    let X0 = 0;\n    let Y0 = 0;\n");
    for i in 1..=links {
        let before = i - 1;
        writeln!(text, "    let X{i} = X{before} + sin(θ{i});").unwrap();
        writeln!(text, "    let Y{i} = Y{before} - cos(θ{i});").unwrap();
    }
    let sum =
        |term: &dyn Fn(usize) -> String| (1..=links).map(term).collect::<Vec<_>>().join(" + ");
    let squares = sum(&|i| format!("Ẋ{i}^2 + Ẏ{i}^2"));
    let heights = sum(&|i| format!("Y{i}"));
    write!(text, "    kinetic = ({squares})/2;\n    potential = g*({heights});\n}}").unwrap();
    derive_source(&text).unwrap_or_else(|mistakes| panic!("{mistakes:?}"))
}

/// Operations of the accelerations, of these with all derivatives by state and inputs, of those by the parameters, and of
/// a weighted gradient with the Hessian times a vector.
#[test]
fn what_derivatives_cost() {
    let mut table = String::new();
    let mut line = |name: &str, derivation: Derivation| {
        let [accelerations, columns] = [
            derivation.programs.dynamics.op_counts().total(),
            derivation.model.positions().len() + derivation.model.speeds.len(),
        ];
        let made = match derivation.with_derivatives() {
            Ok(made) => made.programs,
            Err(why) => return writeln!(table, "{name}: none, {why}").unwrap(),
        };
        let all = made.derivatives.op_counts().total();
        let by_parameters = made.parameter_derivatives.op_counts().total();
        let product = made.hessian_product.op_counts().total();
        let ratio = all as f64 / accelerations.max(1) as f64;
        writeln!(
            table,
            "{name}: {accelerations}, with {columns} columns {all} ({ratio:.1} times), by parameters {by_parameters}, a Hessian times a vector {product}"
        )
        .unwrap();
    };
    for (name, source) in sources() {
        line(&name, derive_source(&source).unwrap());
    }
    for links in [2, 3, 6, 12] {
        line(&format!("pendulum of {links} links"), pendulum(links));
    }
    insta::assert_snapshot!(table);
}

/// Each reason, by a system that has it.
#[test]
fn what_has_no_derivatives() {
    let cases = [
        ("hung", NoDerivatives::Integral),
        ("mirrored", NoDerivatives::Coupled),
        ("lattice", NoDerivatives::Loops),
    ];
    for (name, why) in cases {
        let source = OWN.iter().find(|(own, _)| *own == name).unwrap().1;
        let made = derive_source(source).unwrap().with_derivatives();
        assert_eq!(made.err(), Some(why), "{name}");
    }
}
