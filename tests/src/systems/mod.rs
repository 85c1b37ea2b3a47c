//! Systems declared with the macro for the tests, each with every feature it is there for.

mod bodies;
mod chains;
mod contact_rows;
mod contacts;
mod friction;
mod large;
mod nonlinear;
mod pendulums;
mod reactions;
mod reference;
mod rotations;
mod spread;
mod surfaces;

pub use bodies::{Coin, Coupled, Cyclotron, RollingDisk, Snakeboard};
pub use chains::{ClosedChain, Mobile, RodsOnCart, Rope, RustyChain, Tree};
pub use contact_rows::{CompassWalker, Landing, RollingToWall, RoughDisc};
pub use contacts::{Ball, BallByReset, Paddle, Stepper};
pub use friction::{BeltBlock, Dumbbell, Puck};
pub use large::Lattice;
pub use nonlinear::{Charge, Growing, Led};
pub use pendulums::{Pendulum, RodPendulum, ShakenPendulum};
pub use reactions::{Ladder, LeaningWall, PressedRod, Servo, Slider, SlidingRod};
pub use reference::{DoublePendulum, KnifeEdge, Particle, RheonomicPendulum, RollingPenny, Sleigh};
pub use spread::{Board, Rod, Slide};
pub use surfaces::{Green, Probe, Surface};

pub use rotations::{QuasiSleigh, SpinningBall, Top, Turntable, TurntableInBody};

use eom_core::info::SystemInfo;
use eom_core::{Declared, ParameterError, System};

/// Builds a system from one override a parameter.
pub type Build = fn(overrides: &[Option<f64>]) -> Result<Box<dyn System>, ParameterError>;

/// A declared system by its name.
#[derive(Debug, Clone, Copy)]
pub struct Fixture {
    /// The name, in snake case.
    pub name: &'static str,
    /// The static description.
    pub info: &'static SystemInfo,
    /// Builds it from one override a parameter.
    pub build: Build,
}

fn fixture<T: Declared>(name: &'static str) -> Fixture {
    Fixture { name, info: T::INFO, build: |values| Ok(Box::new(T::with_parameters(values)?)) }
}

/// The systems of these tests.
pub fn fixtures() -> Vec<Fixture> {
    vec![
        fixture::<RollingPenny>("rolling_penny"),
        fixture::<DoublePendulum>("double_pendulum"),
        fixture::<Particle>("particle"),
        fixture::<Sleigh>("sleigh"),
        fixture::<RheonomicPendulum>("rheonomic_pendulum"),
        fixture::<KnifeEdge>("knife_edge"),
        fixture::<Pendulum>("pendulum"),
        fixture::<RodPendulum>("rod_pendulum"),
        fixture::<ShakenPendulum>("shaken_pendulum"),
        fixture::<Coin>("coin"),
        fixture::<Snakeboard>("snakeboard"),
        fixture::<RollingDisk>("rolling_disk"),
        fixture::<Rod>("rod"),
        fixture::<Board>("board"),
        fixture::<Slide>("slide"),
        fixture::<Cyclotron>("cyclotron"),
        fixture::<Coupled>("coupled"),
        fixture::<Ball>("ball"),
        fixture::<BallByReset>("ball_by_reset"),
        fixture::<Paddle>("paddle"),
        fixture::<Stepper>("stepper"),
        fixture::<Lattice>("lattice"),
        fixture::<Puck>("puck"),
        fixture::<Dumbbell>("dumbbell"),
        fixture::<BeltBlock>("belt_block"),
        fixture::<Slider>("slider"),
        fixture::<SlidingRod>("sliding_rod"),
        fixture::<PressedRod>("pressed_rod"),
        fixture::<LeaningWall>("leaning_wall"),
        fixture::<Servo>("servo"),
        fixture::<Ladder>("ladder"),
        fixture::<Surface>("surface"),
        fixture::<Probe>("probe"),
        fixture::<Top>("top"),
        fixture::<Turntable>("turntable"),
        fixture::<TurntableInBody>("turntable_in_body"),
        fixture::<QuasiSleigh>("quasi_sleigh"),
        fixture::<RoughDisc>("rough_disc"),
        fixture::<RollingToWall>("rolling_to_wall"),
        fixture::<CompassWalker>("compass_walker"),
        fixture::<Landing>("landing"),
        fixture::<RodsOnCart>("rods_on_cart"),
        fixture::<Tree>("tree"),
        fixture::<ClosedChain>("closed_chain"),
        fixture::<RustyChain>("rusty_chain"),
        fixture::<Rope>("rope"),
        fixture::<Mobile>("mobile"),
    ]
}

/// Systems whose rows, or M, depend on the velocities: for tests that ask for such.
pub fn nonlinear() -> Vec<Fixture> {
    vec![fixture::<Led>("led"), fixture::<Growing>("growing")]
}

/// The systems of these tests and the models of the catalogue.
pub fn every_system() -> Vec<Fixture> {
    let models = models::catalogue().iter().map(|model| Fixture {
        name: model.name,
        info: model.info,
        build: model.build,
    });
    models.chain(fixtures()).collect()
}
