//! The systems of Eberly, *Rough Plane Analysis*: bodies that slide on a rough plane, dry and viscous.

mod flat_board;
mod flat_board_hack;
mod n_particles;
mod particle;
mod solid_box;
mod solid_box_hack;
mod thin_rod;
mod thin_rod_hack;
mod two_particles;
mod viscous_particle;
mod viscous_particles;
mod viscous_two_particles;

pub use flat_board::FlatBoard;
pub use flat_board_hack::FlatBoardHack;
pub use n_particles::RoughParticles;
pub use particle::RoughParticle;
pub use solid_box::SolidBox;
pub use solid_box_hack::SolidBoxHack;
pub use thin_rod::ThinRod;
pub use thin_rod_hack::ThinRodHack;
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
    ModelEntry::of::<ThinRod>("thin-rod", "A thin rod on a rough plane", "4", level),
    ModelEntry::of::<ThinRodHack>("thin-rod-hack", "A thin rod, decoupled friction", "4", level),
    ModelEntry::of::<FlatBoard>("flat-board", "A flat board on a rough plane", "5", level),
    ModelEntry::of::<FlatBoardHack>(
        "flat-board-hack",
        "A flat board, decoupled friction",
        "5",
        level,
    ),
    ModelEntry::of::<SolidBox>("solid-box", "A box on a rough inclined plane", "6", slope),
    ModelEntry::of::<SolidBoxHack>("solid-box-hack", "A box, decoupled friction", "6", slope),
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
