//! The systems of Clark and Bloch, *The Bouncing Penny and Nonholonomic Impacts*, and their scene.

mod controlled;
mod penny;
mod sliding;

pub use controlled::ControlledPenny;
pub use penny::Penny;
pub use sliding::SlidingPenny;

use crate::catalogue::ModelEntry;
use crate::scene::{Axis, Body, Outline, Point, Scene, parameter};
use eom_core::System;

/// The models, a line each.
pub(crate) const MODELS: &[ModelEntry] = &[
    ModelEntry::of::<Penny>(
        "penny",
        "A disk that rolls upright on a table and bounces off its edge",
        "V, VI",
        rolling,
    ),
    ModelEntry::of::<SlidingPenny>(
        "sliding-penny",
        "The disk without its constraints: it slides",
        "II, III",
        sliding,
    ),
    ModelEntry::of::<ControlledPenny>(
        "controlled-penny",
        "The rolling disk, steered and driven by torques",
        "VII",
        driven,
    ),
];

/// Indices of the coordinates x, y, φ.
const X: usize = 0;
const Y: usize = 1;
const PHI: usize = 3;

fn rolling(system: &dyn System) -> Scene {
    scene(system, "Rolling penny")
}

fn sliding(system: &dyn System) -> Scene {
    scene(system, "Sliding penny")
}

fn driven(system: &dyn System) -> Scene {
    scene(system, "Driven penny")
}

/// The table from above: the path of the point where the penny touches it, the edge
/// (x/a)² + (y/b)² = 1, and at each impact the penny, which from above is a line of length 2R.
fn scene(system: &dyn System, what: &str) -> Scene {
    let [a, b] = ["a", "b"].map(|name| parameter(system, name).unwrap_or(f64::NAN));
    let table = if a == b { "a round" } else { "an elliptical" };
    Scene {
        title: format!("{what} on {table} table"),
        detail: format!("a = {a} m, b = {b} m"),
        time_unit: "s",
        path: "path of the contact point".to_owned(),
        x: Axis::coordinate(system, X, "m"),
        y: Axis::coordinate(system, Y, "m"),
        equal_aspect: true,
        outlines: vec![Outline::ellipse("edge of the table", a, b)],
        body: Some(Body { label: "penny at impact", ends, touch }),
    }
}

/// The ends (x ± R cos φ, y ± R sin φ) of the penny, (27) and (34); the front first.
fn ends(system: &dyn System, _t: f64, q: &[f64]) -> [Point; 2] {
    let r = parameter(system, "R").unwrap_or(f64::NAN);
    let (sin, cos) = q[PHI].sin_cos();
    [[q[X] + r * cos, q[Y] + r * sin], [q[X] - r * cos, q[Y] - r * sin]]
}

/// The end that belongs to a contact: front or back, in the order of their declaration.
fn touch(system: &dyn System, contact: usize, t: f64, q: &[f64]) -> Point {
    let [front, back] = ends(system, t, q);
    if contact == 0 { front } else { back }
}
