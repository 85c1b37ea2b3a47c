//! The convex problem of dry friction: closed forms, and the conditions of the minimum, which is
//! unique, at random problems.
#![expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a method's lifetime is not general enough"
)]

use eom_core::friction::{FrictionError, Held, Load, Onset, Problem, load_of, onset_of};
use fastrand::Rng;
use nalgebra::{DMatrix, DVector};

/// A problem that owns its numbers.
#[derive(Debug, Clone, Default)]
struct Case {
    metric: Vec<f64>,
    force: Vec<f64>,
    rows: Vec<f64>,
    drift: Vec<f64>,
    terms: Vec<(f64, Vec<f64>, Vec<f64>)>,
}

impl Case {
    fn ask<T>(&self, question: impl Fn(&Problem<'_>) -> T) -> T {
        let terms: Vec<Held<'_>> = self
            .terms
            .iter()
            .map(|(coefficient, rows, drift)| Held { coefficient: *coefficient, rows, drift })
            .collect();
        question(&Problem {
            metric: &self.metric,
            force: &self.force,
            rows: &self.rows,
            drift: &self.drift,
            terms: &terms,
        })
    }

    fn onset(&self) -> Onset {
        self.ask(|problem| problem.solve()).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    fn load(&self) -> Load {
        self.ask(|problem| problem.load()).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

fn near(what: &str, found: &[f64], wanted: &[f64], tolerance: f64) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (f, w) in found.iter().zip(wanted) {
        assert!((f - w).abs() <= tolerance, "{what}: {found:?} for {wanted:?}");
    }
}

/// The same system without constraints: M diagonal, terms (c, J, γ).
fn case(masses: &[f64], force: &[f64], terms: &[(f64, &[f64], &[f64])]) -> Case {
    let n = masses.len();
    let mut metric = vec![0.0; n * n];
    masses.iter().enumerate().for_each(|(i, m)| metric[i * n + i] = *m);
    let terms = terms.iter().map(|(c, j, γ)| (*c, j.to_vec(), γ.to_vec())).collect();
    Case { metric, force: force.to_vec(), terms, ..Case::default() }
}

/// Two points on the x axis at ±1/2 on a rigid body (x, y, θ) of mass 3.
fn dumbbell(force: &[f64], c1: f64, c2: f64) -> Case {
    let at = |s: f64| [1.0, 0.0, 0.0, 0.0, 1.0, s];
    let (right, left) = (at(0.5), at(-0.5));
    case(&[3.0, 3.0, 0.75], force, &[(c1, &right, &[0.0; 2]), (c2, &left, &[0.0; 2])])
}

#[test]
fn blocks_move_as_by_hand() {
    let check = |force: f64, c: f64, γ: f64, a: f64, sticks: bool| {
        let found = case(&[2.0], &[force], &[(c, &[1.0], &[γ])]).onset();
        near("block", &found.acceleration, &[a], 1e-15);
        assert_eq!(found.sticks, [sticks], "{force} {c} {γ}");
    };
    check(0.5, 1.0, 0.0, 0.0, true);
    check(3.0, 1.0, 0.0, 1.0, false);
    check(-3.0, 1.0, 0.0, -1.0, false);
    // What it lies on accelerates with −γ: it goes along as long as c ≥ |F + 2γ|.
    check(0.0, 1.0, -0.4, 0.4, true);
    check(0.0, 1.0, -0.6, 0.5, false);
    check(3.0, 0.0, 0.0, 1.5, false);
    check(0.0, 1.0, 0.0, 0.0, true);
}

#[test]
fn bodies_stay_or_start_as_by_hand() {
    // A particle of mass 2 on an incline: c = μ m g cos φ, the pull m g sin φ.
    let incline = |μ: f64, φ: f64| {
        let pull = 2.0 * 9.81 * φ.sin();
        case(
            &[2.0, 2.0],
            &[0.0, -pull],
            &[(μ * 2.0 * 9.81 * φ.cos(), &[1.0, 0.0, 0.0, 1.0], &[0.0; 2])],
        )
    };
    let slides = incline(0.5, 0.6).onset();
    near(
        "incline",
        &slides.acceleration,
        &[0.0, 9.81 * (0.5 * 0.6_f64.cos() - 0.6_f64.sin())],
        1e-14,
    );
    let stays = incline(0.7, 0.6).onset();
    near("incline", &stays.acceleration, &[0.0, 0.0], 0.0);
    near("incline", &[incline(0.7, 0.6).load().ratio], &[0.6_f64.tan() / 0.7], 1e-15);

    // A torque turns the dumbbell about the point that holds better.
    let (c1, c2) = (1.0, 2.0);
    near("torque", &[dumbbell(&[0.0, 0.0, 0.9], c1, c2).load().ratio], &[0.9], 1e-13);
    let load = dumbbell(&[0.0, 0.0, 0.9], c1, c2).load();
    let w = load.direction;
    near("pivot", &[w[0] / w[2], w[1] / w[2]], &[0.0, 0.5], 1e-7);
    let found = dumbbell(&[0.0, 0.0, 1.3], c1, c2).onset();
    assert_eq!(found.sticks, [false, true]);
    // Moments about the point at −1/2: (3/4 + 3/4) θ̈ = 1.3 − c1.
    near("pivot", &found.acceleration, &[0.0, 0.1, 0.2], 1e-14);
    near("pivot", &found.reactions[0], &[0.0, 1.0], 1e-14);
    assert_eq!(dumbbell(&[0.0; 3], c1, c2).onset().sticks, [true, true]);
    let through = dumbbell(&[4.0, 0.0, 0.0], c1, c2);
    near("along", &through.onset().acceleration, &[1.0 / 3.0, 0.0, 0.0], 1e-14);
    near("along", &[through.load().ratio], &[4.0 / 3.0], 1e-14);
    // Nothing holds against a force that no term sees.
    let free = case(&[1.0, 1.0], &[0.0, 1.0], &[(1.0, &[1.0, 0.0], &[0.0])]);
    assert_eq!(free.load().ratio, f64::INFINITY);
}

/// A random problem; `rest`: no drifts; `edge`: F is as strong as the terms can just hold.
fn draw(rng: &mut Rng, rest: bool, edge: bool) -> Case {
    let n = rng.usize(1..7);
    let mut number = |low: f64, high: f64| low + (high - low) * rng.f64();
    let mut some = |count: usize| -> Vec<f64> { (0..count).map(|_| number(-1.0, 1.0)).collect() };
    let b = DMatrix::from_vec(n, n, some(n * n));
    let metric = (b.transpose() * &b + DMatrix::identity(n, n) * 0.1).as_slice().to_vec();
    let (mut force, seeds) = (some(n), some(64));
    // The seeds lie in (−1, 1).
    let count = |seed: f64, of: u8| {
        (0..of).rfind(|i| f64::from(*i) <= f64::midpoint(seed, 1.0) * f64::from(of)).unwrap_or(0)
    };
    let k = usize::from(count(seeds[0], 3)) % n.max(1);
    let (rows, mut drift) = (some(k * n), some(k));
    let mut terms = Vec::new();
    for term in 0..=usize::from(count(seeds[1], 8)) {
        let r = 1 + usize::from(count(seeds[2 + term], 3));
        let c = 10.0_f64.powf(1.5 * seeds[12 + term] - 0.5);
        let mut γ = some(r);
        if rest || seeds[22 + term] > 0.0 {
            γ.fill(0.0);
        }
        terms.push((if seeds[32 + term] > 0.9 { 0.0 } else { c }, some(r * n), γ));
    }
    if rest {
        drift.fill(0.0);
    }
    if edge {
        // Σ c Jᵀu in the direction of one velocity w in ker A.
        let a = DMatrix::from_row_slice(k, n, &rows);
        let w = DVector::from_vec(some(n));
        let w = match k {
            0 => w,
            _ => &w - a.clone().pseudo_inverse(1e-12).expect("1e-12 > 0") * (&a * &w),
        };
        let mut edge = DVector::zeros(n);
        for (c, j, _) in &terms {
            let j = DMatrix::from_row_slice(j.len() / n, n, j);
            let r = &j * &w;
            edge += j.transpose() * (&r * (c / r.norm()));
        }
        force.copy_from_slice(edge.as_slice());
    } else {
        for f in &mut force {
            *f *= 10.0_f64.powf(seeds[50]);
        }
    }
    Case { metric, force, rows, drift, terms }
}

/// The largest violation of the conditions, relative to the forces.
fn violation(case: &Case, found: &Onset) -> f64 {
    let n = case.force.len();
    let m = DMatrix::from_row_slice(n, n, &case.metric);
    let a = DMatrix::from_row_slice(case.drift.len(), n, &case.rows);
    let x = DVector::from_column_slice(&found.acceleration);
    let mut rest = DVector::from_column_slice(&case.force) - &m * &x;
    let mut worst: f64 = (&a * &x + DVector::from_column_slice(&case.drift)).amax();
    for ((c, j, γ), λ) in case.terms.iter().zip(&found.reactions) {
        let j = DMatrix::from_row_slice(γ.len(), n, j);
        let λ = DVector::from_column_slice(λ);
        let r = &j * &x + DVector::from_column_slice(γ);
        rest -= j.transpose() * &λ;
        worst = worst.max(λ.norm() - c).max((c * r.norm() - λ.dot(&r)).abs());
    }
    // What is left must be a force of the constraints.
    if a.nrows() > 0 {
        let at = a.transpose();
        let μ = at.clone().svd(true, true).solve(&rest, 1e-12).expect("both sides were asked for");
        rest -= at * μ;
    }
    let scale = x.amax().max(DVector::from_column_slice(&case.force).amax()).max(1.0);
    worst.max(rest.amax()) / scale
}

#[test]
fn random_problems_are_solved() {
    let check = |seed: u64, count: usize, rest: bool, edge: bool, tolerance: f64, share: f64| {
        let mut rng = Rng::with_seed(seed);
        let (mut worst, mut good) = (0.0_f64, 0);
        for _ in 0..count {
            let case = draw(&mut rng, rest, edge);
            let found = case.onset();
            let violation = violation(&case, &found);
            assert!(violation <= tolerance, "{violation:e}: {case:?}\n{found:?}");
            worst = worst.max(violation);
            good += usize::from(violation <= 1e-12);
        }
        assert!(good as f64 >= share * count as f64, "{good} of {count}, worst {worst:e}");
    };
    check(1, 1000, false, false, 1e-6, 0.99);
    check(2, 1000, true, false, 1e-6, 0.99);
    // A λ that is determined by its length alone is found to half the digits.
    check(3, 300, true, true, 1e-7, 0.2);
}

/// θF is on the edge of what is held: 0.999 of it stays, 1.001 does not.
#[test]
fn loads_agree_with_what_stays() {
    let mut rng = Rng::with_seed(4);
    let mut finite = 0;
    for _ in 0..300 {
        let case = draw(&mut rng, true, false);
        let load = case.load();
        if !load.ratio.is_finite() || load.ratio == 0.0 {
            continue;
        }
        finite += 1;
        for (factor, stays) in [(1.0 - 1e-9, true), (1.0 + 1e-9, false)] {
            let mut case = case.clone();
            case.force.iter_mut().for_each(|f| *f *= factor / load.ratio);
            let a = case.onset().acceleration;
            let size = a.iter().fold(0.0_f64, |size, a| size.max(a.abs()));
            assert_eq!(size <= 1e-15, stays, "{size:e} at {factor}: {case:?}");
        }
    }
    assert!(finite > 100, "{finite}");
}

#[test]
fn mistaken_problems_are_refused() {
    let ask = |case: Case| case.ask(|problem| problem.solve());
    let negative = ask(case(&[1.0], &[1.0], &[(-1.0, &[1.0], &[0.0])]));
    assert_eq!(negative, Err(FrictionError::Coefficient { term: 0, coefficient: -1.0 }));
    let infinite = ask(case(&[1.0], &[f64::NAN], &[(1.0, &[1.0], &[0.0])]));
    assert_eq!(infinite, Err(FrictionError::NotFinite));
    assert!(matches!(ask(case(&[0.0], &[1.0], &[])), Err(FrictionError::Metric(_))));
}

/// c∫√(v_x² + (v_y + s ω)²) ds over a rod from −ℓ to ℓ along x, and minus its gradient.
fn rod(c: f64, ℓ: f64, w: &[f64], force: &mut [f64]) -> f64 {
    let &[x, y, ω] = w else { panic!("three velocities") };
    // With u = v_y + s ω: antiderivatives of √(x²+u²), 1/√, u/√, u²/√.
    let parts = |u: f64| {
        let root = x.hypot(u);
        let angle = if x == 0.0 { 0.0 } else { (u / x.abs()).asinh() };
        [0.5 * (u * root + x * x * angle), angle, root, 0.5 * (u * root - x * x * angle)]
    };
    if ω.abs() * ℓ < 1e-4 * x.hypot(y) {
        // Fifth-order in sω: Gauss-Legendre with five points.
        let nodes = [0.0, 0.538_469_310_105_683_1, 0.906_179_845_938_664];
        let weights = [0.568_888_888_888_888_9, 0.478_628_670_499_366_5, 0.236_926_885_056_189_08];
        let mut value = 0.0;
        force.fill(0.0);
        for (node, weight) in nodes.iter().zip(weights) {
            for s in if *node == 0.0 { vec![0.0] } else { vec![ℓ * node, -ℓ * node] } {
                let (u, weight) = (y + s * ω, c * ℓ * weight);
                let root = x.hypot(u);
                value += weight * root;
                for (force, part) in force.iter_mut().zip([x, u, s * u]) {
                    *force -= weight * part / root;
                }
            }
        }
        return value;
    }
    let (right, left) = (parts(y + ℓ * ω), parts(y - ℓ * ω));
    let [value, inverse, first, second]: [f64; 4] =
        std::array::from_fn(|i| c * (right[i] - left[i]) / ω);
    force.copy_from_slice(&[-x * inverse, -first, -(second - y * first) / ω]);
    value
}

#[test]
fn a_rod_stays_or_starts_as_by_hand() {
    let (c, ℓ) = (2.0, 0.5);
    let mass = 3.0;
    let metric = [mass, 0.0, 0.0, 0.0, mass, 0.0, 0.0, 0.0, mass * ℓ * ℓ / 3.0];
    let load = |force: [f64; 3]| {
        load_of(&metric, &force, &[], |w, f| rod(c, ℓ, w, f)).expect("it is solved")
    };
    let onset = |force: [f64; 3]| {
        onset_of(&metric, &force, &[], |w, f| rod(c, ℓ, w, f)).expect("it is solved")
    };
    near("torque", &[load([0.0, 0.0, 0.3]).ratio], &[0.3 / (c * ℓ * ℓ)], 1e-12);
    near("along", &[load([1.5, 0.0, 0.0]).ratio], &[1.5 / (2.0 * c * ℓ)], 1e-12);
    near("across", &[load([0.0, 1.5, 0.0]).ratio], &[1.5 / (2.0 * c * ℓ)], 1e-12);
    // Pulled at its end: it turns about s₀ = (1 − √2) ℓ.
    let found = load([0.0, 0.7, 0.7 * ℓ]);
    let s = (1.0 - 2.0_f64.sqrt()) * ℓ;
    near("end", &[found.ratio], &[0.7 * (ℓ - s) / (c * (ℓ * ℓ + s * s))], 1e-11);
    near("end", &[-found.direction[1] / found.direction[2]], &[s], 1e-6);
    near("stays", &onset([0.0, 0.0, 0.49]), &[0.0; 3], 0.0);
    near("stays", &onset([1.0, 0.3, 0.2]), &[0.0; 3], 0.0);
    let torque = onset([0.0, 0.0, 0.6]);
    near("spins", &torque, &[0.0, 0.0, (0.6 - c * ℓ * ℓ) / (mass * ℓ * ℓ / 3.0)], 1e-12);
    let pull = onset([3.0, 4.0, 0.0]);
    near("slides", &pull, &[3.0 * 0.6 / mass, 4.0 * 0.6 / mass, 0.0], 1e-12);
    // In general: M a = F − ∂D₁/∂a.
    let force = [1.9, 2.1, 0.9];
    let a = onset(force);
    let mut friction = [0.0; 3];
    rod(c, ℓ, &a, &mut friction);
    let rest: Vec<f64> = (0..3).map(|i| force[i] + friction[i] - metric[4 * i] * a[i]).collect();
    near("general", &rest, &[0.0; 3], 1e-12);
}
