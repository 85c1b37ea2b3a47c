//! The systems of Eberly, *Rough Plane Analysis*: bodies that slide on a rough plane, dry and viscous.

mod n_particles;
mod particle;
mod two_particles;
mod viscous_particle;
mod viscous_particles;
mod viscous_two_particles;

pub use n_particles::RoughParticles;
pub use particle::RoughParticle;
pub use two_particles::TwoParticles;
pub use viscous_particle::ViscousParticle;
pub use viscous_particles::ViscousParticles;
pub use viscous_two_particles::ViscousTwoParticles;

use crate::catalogue::ModelEntry;
use crate::scene::{Axis, Scene};
use eom_core::System;

/// The models, a line each.
pub(crate) const MODELS: &[ModelEntry] = &[
    ModelEntry::of::<RoughParticle>("rough-particle", "A particle on a rough plane", "1", slope),
    ModelEntry::of::<ViscousParticle>(
        "viscous-particle",
        "A particle on a plane with viscous friction",
        "1",
        slope,
    ),
    ModelEntry::of::<TwoParticles>("two-particles", "Two particles on a rough plane", "2", level),
    ModelEntry::of::<ViscousTwoParticles>(
        "viscous-two-particles",
        "Two particles on a plane with viscous friction",
        "2",
        level,
    ),
    ModelEntry::of::<RoughParticles>(
        "rough-particles",
        "Four particles of a body on a rough plane",
        "3",
        level,
    ),
    ModelEntry::of::<ViscousParticles>(
        "viscous-particles",
        "Four particles of a body with viscous friction",
        "3",
        level,
    ),
];

fn slope(system: &dyn System) -> Scene {
    scene(system, "the inclined plane", "path on the plane")
}

fn level(system: &dyn System) -> Scene {
    scene(system, "the level plane", "path of the centre of mass")
}

/// The plane from above: the path of the body.
fn scene(system: &dyn System, plane: &str, path: &str) -> Scene {
    let info = system.info();
    let title = info.doc.lines().next().unwrap_or(info.name).trim_end_matches('.').to_owned();
    Scene {
        title,
        detail: plane.to_owned(),
        time_unit: "s",
        path: path.to_owned(),
        x: Axis::coordinate(system, 0, "m"),
        y: Axis::coordinate(system, 1, "m"),
        equal_aspect: true,
        outlines: Vec::new(),
        body: None,
    }
}
