//! The systems of Savransky, *The Putting Green*, and their scenes.
//!
//! All run on one green, a gentle slope with a mound; the claims hold for every smooth f.

mod euler_ball;
mod hemisphere;
mod newton_ball;
mod particle;
mod putted_ball;
mod rolling_ball;

pub use euler_ball::EulerBall;
pub use hemisphere::Hemisphere;
pub use newton_ball::NewtonBall;
pub use particle::{DampedParticle, SurfaceParticle};
pub use putted_ball::PuttedBall;
pub use rolling_ball::RollingBall;

use crate::catalogue::ModelEntry;
use crate::scene::{Axis, Outline, Quantity, Scene, parameter};
use eom_core::System;

/// The models, a line each.
pub(crate) const MODELS: &[ModelEntry] = &[
    ModelEntry::of::<SurfaceParticle>(
        "surface-particle",
        "A particle that slides on a green without friction",
        "2",
        past_the_mound,
    ),
    ModelEntry::of::<DampedParticle>(
        "damped-particle",
        "The same with viscous damping",
        "2",
        past_the_mound,
    ),
    ModelEntry::of::<NewtonBall>(
        "newton-ball",
        "A sliding ball by Newton's laws, its reaction from the constraint",
        "3",
        over_the_mound,
    ),
    ModelEntry::of::<Hemisphere>(
        "hemisphere",
        "A particle that slides off a hemisphere",
        "4.1",
        off_the_hemisphere,
    ),
    ModelEntry::of::<EulerBall>(
        "euler-ball",
        "A ball with Rosen's friction in Euler angles: it slides, rolls and hops",
        "4.2",
        above_the_green,
    ),
    ModelEntry::of::<RollingBall>(
        "rolling-ball",
        "A ball that rolls on a green: infinite friction",
        "4.2",
        over_the_mound,
    ),
    ModelEntry::of::<PuttedBall>(
        "putted-ball",
        "The putt of the simulation in angular velocities: it slides, rolls and hops",
        "5",
        above_the_green,
    ),
];

/// Indices of the coordinates x, y.
const X: usize = 0;
const Y: usize = 1;

/// The green from above: the path, and where its mound has fallen to 1/e of its height.
fn from_above(system: &dyn System, title: &str) -> Scene {
    let [a, w, h] = ["a", "w", "h"].map(|name| parameter(system, name).unwrap_or(f64::NAN));
    let mut mound = Outline::ellipse("the mound at 1/e of its height", w, w);
    mound.points.iter_mut().for_each(|[x, _]| *x += a);
    Scene {
        title: title.to_owned(),
        detail: format!("a mound of height {h} m"),
        time_unit: "s",
        path: "path".to_owned(),
        x: Axis::coordinate(system, X, "m"),
        y: Axis::coordinate(system, Y, "m"),
        equal_aspect: true,
        outlines: vec![mound],
        body: None,
    }
}

fn past_the_mound(system: &dyn System) -> Scene {
    from_above(system, "Particle on a green")
}

fn over_the_mound(system: &dyn System) -> Scene {
    from_above(system, "Ball on a green")
}

/// How high the ball is above the green along its way.
fn above_the_green(system: &dyn System) -> Scene {
    Scene {
        title: "Ball that hops over a mound".to_owned(),
        path: "height above the green".to_owned(),
        y: Axis {
            quantity: Quantity::Output(0), symbol: "z − f".to_owned(), unit: "m".to_owned()
        },
        equal_aspect: false,
        outlines: Vec::new(),
        ..from_above(system, "")
    }
}

/// The hemisphere from the side, and the path on it and off it.
fn off_the_hemisphere(system: &dyn System) -> Scene {
    let [radius, rate] = ["R", "omega0"].map(|name| parameter(system, name).unwrap_or(f64::NAN));
    let axis = |output, symbol: &str| Axis {
        quantity: Quantity::Output(output),
        symbol: symbol.to_owned(),
        unit: "m".to_owned(),
    };
    let mut dome = Outline::ellipse("hemisphere", radius, radius);
    dome.points.retain(|[_, height]| *height >= 0.0);
    dome.closed = false;
    Scene {
        title: "Particle that slides off a hemisphere".to_owned(),
        detail: format!("R = {radius} m, {rate} rad/s at the top"),
        time_unit: "s",
        path: "path".to_owned(),
        x: axis(0, "r sin θ"),
        y: axis(1, "r cos θ"),
        equal_aspect: true,
        outlines: vec![dome],
        body: None,
    }
}
