//! Variations through impacts by `project`, `assign` and with rows that depend on others, against twins: straight flights between
//! impacts whose laws are written here once more, differentiated by differences.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::interpreted;
use eom_analysis::Variations;
use eom_core::nalgebra::{DMatrix, DVector};
use eom_core::{Options, State, System};

/// v⁺ of the contact whose gap is zero, by (t, q), v⁻ and parameters.
type Impact = fn(usize, (f64, &[f64]), &[f64], &[f64]) -> Vec<f64>;

/// Bodies that fly straight on until a gap is zero.
struct Twin {
    /// Gaps of (t, q) and parameters.
    gaps: fn(f64, &[f64], &[f64]) -> Vec<f64>,
    impact: Impact,
}

impl Twin {
    /// y at the end, and how many impacts there were.
    fn end(&self, y: &[f64], parameters: &[f64], until: f64) -> (Vec<f64>, usize) {
        let n = y.len() / 2;
        let (mut t, mut q, mut v) = (0.0, y[..n].to_vec(), y[n..].to_vec());
        for count in 0..50 {
            let at = |s: f64| -> Vec<f64> { q.iter().zip(&v).map(|(q, v)| q + v * s).collect() };
            // The first step of which all gaps are positive, and then not.
            let step = 1e-3;
            let gap = |s: f64| {
                let gaps = (self.gaps)(t + s, &at(s), parameters);
                gaps.into_iter().enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap()
            };
            let mut high = step;
            while t + high < until + step && gap(high).1 >= 0.0 {
                high += step;
            }
            let mut low = high - step;
            for _ in 0..100 {
                let middle = 0.5 * (low + high);
                if gap(middle).1 < 0.0 { high = middle } else { low = middle }
            }
            if t + high > until {
                return ([at(until - t), v].concat(), count);
            }
            let contact = gap(high).0;
            q = at(high);
            t += high;
            v = (self.impact)(contact, (t, &q), &v, parameters);
        }
        unreachable!("it does not come to rest")
    }

    /// Its derivative by y and the parameters.
    fn slopes(&self, y: &[f64], parameters: &[f64], until: f64) -> DMatrix<f64> {
        let (n, all) = (y.len(), [y, parameters].concat());
        let column = |j: usize| {
            let moved = |h: f64| {
                let mut x = all.clone();
                x[j] += h;
                DVector::from_vec(self.end(&x[..n], &x[n..], until).0)
            };
            let central = |h: f64| (moved(h) - moved(-h)) / (2.0 * h);
            (central(1e-4) * 4.0 - central(2e-4)) / 3.0
        };
        DMatrix::from_columns(&(0..all.len()).map(column).collect::<Vec<_>>())
    }
}

/// The end of a run, its transition matrix along directions that keep constant rows, and its sensitivities to all parameters with
/// those of gradients backwards.
fn check(source: &str, twin: &Twin, rows: &[&[f64]], start: &State, t: f64) {
    let system = interpreted(source);
    let y = [&start.q[..], &start.v].concat();
    let mut parameters = vec![0.0; system.info().parameters.len()];
    system.parameters(&mut parameters);
    let (end, met) = twin.end(&y, &parameters, t);
    let (variations, options) = (Variations::new(&system).unwrap(), Options::default());
    let found = variations.transition(start, &[], &options, t).unwrap();
    assert_eq!((met, met > 0), (found.events.len(), true), "{source}");
    let state = [&found.state.q[..], &found.state.v].concat();
    let near =
        |off: f64, size: f64, what: &str| assert!(off < 1e-8 * size, "{what}: {off}\n{source}");
    near((DVector::from_vec(end) - DVector::from_vec(state)).amax(), 1.0, "the state");
    let mut tangent = DMatrix::identity(y.len(), y.len());
    let ones = vec![1.0; start.v.len()];
    for (j, mut column) in tangent.column_iter_mut().enumerate().skip(start.q.len()) {
        let unit: Vec<f64> =
            (start.q.len()..y.len()).map(|i| f64::from(u8::from(i == j))).collect();
        let rows: Vec<(&[f64], f64)> = rows.iter().map(|row| (*row, 0.0)).collect();
        let along = DVector::from_vec(reflected(&ones, &rows, 0.0, &unit));
        column.rows_mut(start.q.len(), start.v.len()).copy_from(&along);
    }
    let expected = twin.slopes(&y, &parameters, t);
    let (by_start, by_parameters) = expected.columns_range_pair(..y.len(), y.len()..);
    near(((found.matrix - by_start) * tangent).amax(), 1.0 + by_start.amax(), "∂y/∂y₀");
    let names: Vec<&str> = system.info().parameters.iter().map(|p| p.name).collect();
    let by = variations.sensitivities(start, &[], &options, t, &names).unwrap().matrix;
    near((by - by_parameters).amax(), 1.0 + by_parameters.amax(), "∂y/∂p");
    for i in 0..y.len() {
        let outcome = DVector::from_fn(y.len(), |row, _| f64::from(u8::from(row == i)));
        let back = variations.gradient(start, &[], &options, t, &outcome).unwrap();
        let off = back.by_parameters - by_parameters.row(i).transpose();
        near(off.amax(), 1.0 + by_parameters.amax(), "∂yᵢ/∂p backwards");
    }
}

/// v − M⁻¹Bᵀ (B M⁻¹Bᵀ)⁻¹ (1 + e) (B v + b), M diagonal.
fn reflected(mass: &[f64], rows: &[(&[f64], f64)], e: f64, v: &[f64]) -> Vec<f64> {
    if rows.is_empty() {
        return v.to_vec();
    }
    let (m, v) = (v.len(), DVector::from_column_slice(v));
    let b = DMatrix::from_fn(rows.len(), m, |i, j| rows[i].0[j]);
    let rates = &b * &v + DVector::from_fn(rows.len(), |i, _| rows[i].1);
    let directions = DMatrix::from_fn(m, rows.len(), |i, j| b[(j, i)] / mass[i]);
    let impulses = (&b * &directions).lu().solve(&rates).unwrap();
    (v - directions * impulses * (1.0 + e)).as_slice().to_vec()
}

/// What binds wheel and slide, and a row of the rink's own.
const ROLL: (&[f64], f64) = (&[1.0, 0.0, -0.5], 0.0);
const GRIP: (&[f64], f64) = (&[0.0, 1.0, 0.5], 0.3);

/// The gap of the rink.
fn rink(t: f64, q: &[f64], p: &[f64]) -> Vec<f64> {
    vec![p[1] + t / 10.0 - q[0] * q[0] - 2.0 * q[1] * q[1]]
}

/// v⁺ at the rink by project, with these rows.
fn on_the_rink(rows: &[(&[f64], f64)], q: &[f64], v: &[f64], p: &[f64]) -> Vec<f64> {
    let mass = [1.0, 1.0, p[0]];
    let gradient = [-2.0 * q[0], -4.0 * q[1], 0.0];
    let back = reflected(&mass, &[(&gradient, 0.1)], 1.0, v);
    reflected(&mass, rows, 0.0, &back)
}

/// A wheel that drives a slide, in a rink which grows: reflected on the rink alone, then brought to what binds wheel and slide,
/// and to a row of the rink's own.
#[test]
fn reflected_then_projected() {
    let source = |own: &str| {
        format!(
            "/// A wheel and a slide. \n system W {{ coordinates {{ x, y, φ }} parameters {{ J = 0.3, r = 4 }}
            kinetic = (ẋ^2 + ẏ^2 + J*φ̇^2)/2; constraints {{ roll: ẋ - φ̇/2; }}
            contact rink {{ gap = r + t/10 - x^2 - 2*y^2; {own} impact = project; }} }}"
        )
    };
    let start = State::new(0.0, [0.1, 0.2, 0.0], [1.0, 0.7, 2.0]);
    let plain = Twin { gaps: rink, impact: |_, (_, q), v, p| on_the_rink(&[ROLL], q, v, p) };
    check(&source(""), &plain, &[ROLL.0], &start, 3.0);
    let grips = Twin { gaps: rink, impact: |_, (_, q), v, p| on_the_rink(&[ROLL, GRIP], q, v, p) };
    check(&source("constraints { grip: ẏ + φ̇/2 + 0.3; }"), &grips, &[ROLL.0], &start, 2.0);
}

/// Two walls that say what they make of a velocity, one of which moves, beside an event that does and a floor by restitution.
#[test]
fn assigned() {
    let source = "/// A puck. \n system P { coordinates { x, y, z } parameters { e = 0.7, k = 0.2 } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2;
        contact floor { gap = z + 9; impact = elastic; }
        contact left { gap = x + 1 - y^2/10; impact = assign { ẋ = -e*ẋ + k*ẏ^2; ẏ = ẏ*cos(y) - k*ẋ; } }
        event ceiling { guard = z - 1; rising; reset { ż = -ż; ẏ = ẏ + k*x; } }
        contact right { gap = 1 + sin(t)/10 - x; impact = assign { ẋ = -e*ẋ - 1/5 - k*t; ż = ż + k*ẋ; } } }";
    let twin = Twin {
        gaps: |t, q, _| {
            vec![q[0] + 1.0 - q[1] * q[1] / 10.0, 1.0 + t.sin() / 10.0 - q[0], 1.0 - q[2]]
        },
        impact: |contact, (t, q), v, p| {
            let ([x, y, z], [e, k]) = ([v[0], v[1], v[2]], [p[0], p[1]]);
            match contact {
                0 => vec![-e * x + k * y * y, y * q[1].cos() - k * x, z],
                1 => vec![-e * x - 0.2 - k * t, y, z + k * x],
                _ => vec![x, y + k * q[0], -z],
            }
        },
    };
    let start = State::new(0.0, [0.0, 0.0, 0.2], [1.0, 0.4, 0.3]);
    check(source, &twin, &[], &start, 3.5);
}

/// A ball that rolls along a floor to a rough wall (nonholonomic-collisions 5.1, by its theorem): of the wall's own rows one says
/// what rolling says.
#[test]
fn a_row_that_depends_on_others() {
    let source =
        "/// A ball. \n system B { coordinates { x, y, α, β, γ } parameters { m = 1, J = 0.4 }
        kinetic = m/2*(ẋ^2 + ẏ^2) + J/2*(α̇^2 + β̇^2 + γ̇^2);
        constraints { roll_x: ẋ - β̇; roll_y: ẏ + α̇; }
        contact wall { gap = x - 1; impact = elastic; constraints { stick_y: ẏ - γ̇; stick_z: β̇; } }
        allow dependent_contact_row(wall.stick_z); }";
    let twin = Twin {
        gaps: |_, q, _| vec![q[0] - 1.0],
        impact: |_, _, v, p| {
            // With r = 1.
            let (bar, prime) = (p[1] + p[0] / 2.0, p[1] + p[0]);
            let y = (p[0] / 2.0 * v[1] + p[1] * v[4]) / bar;
            let γ = (prime * v[1] - p[0] / 2.0 * v[4]) / bar;
            vec![-v[0], y, -y, -v[0], γ]
        },
    };
    let start = State::new(0.0, [2.0, 0.0, 0.0, 0.0, 0.0], [-1.0, 0.5, -0.5, -1.0, 2.0]);
    let rows = [&[1.0, 0.0, 0.0, -1.0, 0.0][..], &[0.0, 1.0, 1.0, 0.0, 0.0]];
    check(source, &twin, &rows, &start, 3.0);
}

/// Of rows that take all directions, one of them depending on others by factors that change: v⁺ = −e v⁻.
#[test]
fn a_row_that_depends_on_others_by_factors() {
    let source = "/// A point. \n system P { coordinates { x, y, z } parameters { e = 0.7 } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2;
        contact wall { gap = x - y^2/10; impact = restitution(e);
            constraints { one: (1 + y^2)*ż; two: (ẋ - y*ẏ/5)*cos(y) + ż*(2 + sin(z)); three: ẏ + ż/5; } }
        allow dependent_contact_row(wall.two); }";
    let twin = Twin {
        gaps: |_, q, _| vec![q[0] - q[1] * q[1] / 10.0],
        impact: |_, _, v, p| v.iter().map(|v| -p[0] * v).collect(),
    };
    let start = State::new(0.0, [1.0, 0.3, 0.2], [-1.0, 0.4, 0.3]);
    check(source, &twin, &[], &start, 2.0);
}

/// A row that depends on others at the place of the impact alone: to one side of it there is one more in force.
#[test]
fn a_row_that_depends_here_alone() {
    let system = interpreted(
        "/// A point. \n system P { coordinates { x, y, z } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; constraints { slope: ẋ - ż; }
        contact wall { gap = x; impact = elastic; constraints { own: ż + z*ẏ; } } }",
    );
    let variations = Variations::new(&system).unwrap();
    let found = |z: f64| {
        let start = State::new(0.0, [1.0, 0.0, 1.0 + z], [-1.0, 0.5, -1.0]);
        variations.transition(&start, &[], &Options::default(), 2.0).map(|_| ())
    };
    let error = found(0.0).unwrap_err().to_string();
    let why = "the impact of `wall` has rows that depend on others at this place alone";
    assert!(error.ends_with(why), "{error}");
    assert_eq!(found(0.5), Ok(()));
}
