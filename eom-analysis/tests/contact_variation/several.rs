//! Impacts by Poisson's and Stronge's laws of a contact beside others that rest and feel it, against closed forms and differences
//! of runs.

use crate::common::interpreted;
use crate::{difference, end, letters, options, transition};
use eom_analysis::{Transition, Variations};
use eom_core::nalgebra::{DMatrix, DVector};
use eom_core::{Event, EventKind, State, System};

/// A homogeneous box with feet 2 apart, on one of which it stands while the other falls.
pub(crate) const BOX: &str = "/// A box. \n system B { coordinates { x, y, θ }
    parameters { μ = 0.4, ν = 0.3, e = 0.5, f = 0.3, h = 0.4, g = 9.81, c = 0.2 }
    kinetic = (ẋ^2 + ẏ^2)/2 + (1 + h^2)/6*θ̇^2 + c*cos(x)*θ̇*ẋ/4; potential = g*y + x^2;
    contact left { gap = y - sin(θ) - h*cos(θ) - c*sin(x)/9; slip = ẋ + (sin(θ) + h*cos(θ))*θ̇; friction = μ; impact = LEFT(e); }
    contact right { gap = y + sin(θ) - h*cos(θ); slip = ẋ + (h*cos(θ) - sin(θ))*θ̇; friction = ν; impact = RIGHT(f); } }";

/// What of the box is zero while it stands on its left foot and slides.
fn on_left(y: &[f64], [h, c]: [f64; 2]) -> Vec<f64> {
    let [x, height, θ, u, v, ω] = y else { return Vec::new() };
    let rate = v - (θ.cos() - h * θ.sin()) * ω - c * x.cos() / 9.0 * u;
    vec![height - θ.sin() - h * θ.cos() - c * x.sin() / 9.0, rate]
}

/// A start of the box on its left foot.
fn standing(θ: f64, ω: f64, slip: f64, [h, c]: [f64; 2]) -> State {
    let x = 0.1_f64;
    let u = slip - (θ.sin() + h * θ.cos()) * ω;
    let v = (θ.cos() - h * θ.sin()) * ω + c * x.cos() / 9.0 * u;
    State::new(0.0, [x, θ.sin() + h * θ.cos() + c * x.sin() / 9.0, θ], [u, v, ω])
}

/// Directions in which conditions stay zero.
pub(crate) fn along(start: &State, conditions: &dyn Fn(&[f64]) -> Vec<f64>) -> DMatrix<f64> {
    let y = [&start.q[..], &start.v].concat();
    let column = |j: usize| {
        let at = |h: f64| {
            let mut y = y.clone();
            y[j] += h;
            DVector::from(conditions(&y))
        };
        let h = 1e-3;
        let wide = (at(2.0 * h) - at(-2.0 * h)) / (4.0 * h);
        ((at(h) - at(-h)) * (2.0 / h) - wide) / 3.0
    };
    let rows = DMatrix::from_columns(&(0..y.len()).map(column).collect::<Vec<_>>());
    let square = rows.tr_mul(&rows).symmetric_eigen();
    let free = (0..y.len()).filter(|i| square.eigenvalues[*i].abs() < 1e-9);
    DMatrix::from_columns(
        &free.map(|i| square.eigenvectors.column(i).into_owned()).collect::<Vec<_>>(),
    )
}

/// The contacts that were struck, with those that felt it.
pub(crate) fn hits(found: &Transition) -> Vec<usize> {
    let of = |event: &Event| match &event.kind {
        EventKind::Impact { others, .. } => Some(1 + others.len()),
        _ => None,
    };
    found.events.iter().filter_map(of).collect()
}

/// Against differences of runs along directions that stay on what holds, by the smallest of some steps.
pub(crate) fn check_along(
    system: &dyn System,
    (start, t): (&State, f64),
    found: &Transition,
    directions: &DMatrix<f64>,
) {
    let scale = found.matrix.amax().max(1.0);
    for direction in directions.column_iter() {
        let along = &found.matrix * direction;
        let direction: Vec<f64> = direction.iter().copied().collect();
        let off = |h: f64| (difference(system, start, &direction, t, h) - &along).amax();
        let off = [1e-3, 3e-4, 1e-4].map(off).into_iter().fold(f64::INFINITY, f64::min);
        assert!(off < 1e-8 * scale, "{direction:?}: {off:e} of {scale}");
    }
}

/// By parameters, against differences of runs.
fn check_parameters(
    of: &dyn Fn(&[f64]) -> (Box<dyn System>, State),
    (names, values): (&[&str], &[f64]),
    t: f64,
) {
    let (system, start) = of(values);
    let variations = Variations::new(&*system).unwrap();
    let found = variations.sensitivities(&start, &[], &options(), t, names).unwrap();
    for column in 0..names.len() {
        let at = |h: f64| {
            let mut values = values.to_vec();
            values[column] += h;
            let (system, _) = of(&values);
            DVector::from(end(&*system, &start, t))
        };
        let off = |h: f64| {
            let near = (at(h) - at(-h)) / (2.0 * h);
            let wide = (at(2.0 * h) - at(-2.0 * h)) / (4.0 * h);
            ((near * 4.0 - wide) / 3.0 - found.matrix.column(column)).amax()
        };
        let off = [1e-3, 3e-4, 1e-4].map(off).into_iter().fold(f64::INFINITY, f64::min);
        let scale = found.matrix.amax().max(1.0);
        assert!(off < 1e-8 * scale, "{}: {off:e} of {scale}", names[column]);
    }
}

const NAMES: [&str; 4] = ["μ", "ν", "e", "f"];

/// The box rocks over: what it stands on slides or sticks, is lifted off by what it gives back, or bears.
#[test]
fn a_box_rocks_over() {
    for law in ["poisson", "stronge"] {
        for (ω, slip, e, f, μ, ν) in [
            (-1.0, 0.5, 0.5, 0.3, 0.4, 0.3),
            (-1.0, 2.5, 0.6, 0.3, 0.2, 0.3),
            (-1.0, -2.5, 0.2, 0.7, 0.2, 0.3),
            (-2.0, 0.9, 0.7, 0.1, 0.9, 0.1),
            (-2.0, -0.9, 0.3, 0.6, 0.1, 0.4),
        ] {
            let values = [μ, ν, e, f, 0.4, 9.81, 0.2];
            let source = BOX.replace("LEFT", law).replace("RIGHT", law);
            let system = interpreted(&source).with_parameters(&values.map(Some)).unwrap();
            let start = standing(0.05, ω, slip, [0.4, 0.2]);
            let t = 0.055 / -ω;
            let found = transition(&system, &start, t);
            println!("{law} {ω} {slip} {e} {f} {μ} {ν}: {} {:?}", letters(&found), hits(&found));
            assert_eq!(hits(&found)[0], 2);
            let directions = along(&start, &|y| on_left(y, [0.4, 0.2]));
            check_along(&system, (&start, t), &found, &directions);
        }
    }
}

#[test]
fn a_box_rocks_over_by_its_parameters() {
    for law in ["poisson", "stronge"] {
        for (ω, slip, e, f, μ, ν) in [
            (-1.0, 0.5, 0.5, 0.3, 0.4, 0.3),
            (-1.0, 2.5, 0.6, 0.3, 0.2, 0.3),
            (-1.0, -2.5, 0.2, 0.7, 0.2, 0.3),
            (-2.0, -0.9, 0.3, 0.6, 0.1, 0.4),
        ] {
            let source = BOX.replace("LEFT", law).replace("RIGHT", law);
            // The floor and the box stay what they are at the start.
            let (names, of) = (&NAMES, [μ, ν, e, f]);
            let make = |values: &[f64]| {
                let mut all: Vec<Option<f64>> = values.iter().copied().map(Some).collect();
                all.extend([0.4, 9.81, 0.2].map(Some));
                let system = interpreted(&source).with_parameters(&all).unwrap();
                let start = standing(0.05, ω, slip, [0.4, 0.2]);
                (Box::new(system) as Box<dyn System>, start)
            };
            check_parameters(&make, (names, &of), 0.055 / -ω);
        }
    }
}
