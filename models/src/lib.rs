//! Mechanical systems of the documents, the catalogue that finds them by name, and the gallery of the literature.

pub mod catalogue;
pub mod documents;
pub mod figures;
pub mod gallery;
pub mod scene;

pub mod bouncing_penny;
pub mod collisions;
pub mod putting_green;
pub mod rough_plane;

pub use bouncing_penny::{ControlledPenny, Penny, SlidingPenny};
pub use catalogue::{ModelEntry, catalogue};
pub use collisions::{AngledFloorBall, AngledWallBall, BoxBall, FloorBall, TableBall, WallBall};
pub use rough_plane::{
    FlatBoard, FlatBoardHack, RoughParticle, RoughParticles, SolidBox, SolidBoxHack, ThinRod,
    ThinRodHack, TwoParticles, ViscousParticle, ViscousParticles, ViscousTwoParticles,
};
