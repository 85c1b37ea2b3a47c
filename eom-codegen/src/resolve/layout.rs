//! What q and v hold.

use crate::ast::{self, Region};
use eom_symbolic::mechanics::{Kinematics, Named, Rotation};
use eom_symbolic::name;

/// The components of a quaternion, as they end its names.
const COMPONENTS: [&str; 4] = ["w", "x", "y", "z"];

/// What q and v hold.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layout {
    /// The names of q: coordinates, then the quaternions.
    pub(crate) positions: Vec<String>,
    /// The speeds with their dots and places.
    pub(crate) speeds: Vec<(Named, u8, Region)>,
    /// The coordinates whose velocities quasi-velocities replace.
    pub(crate) covered: Vec<usize>,
    /// S; `None` where q̇ = v, and before it is known.
    pub(crate) kinematics: Option<Kinematics>,
    pub(crate) rotations: Vec<Rotation>,
    /// Whether quasi-velocities are being defined: then ẋ is a symbol of its own.
    pub(super) defining: bool,
}

impl Layout {
    /// Coordinates with their velocities, then quaternions with their angular velocities.
    pub(crate) fn new(system: &ast::System) -> Self {
        let mut layout = Self::default();
        for declared in &system.coordinates {
            let named = declared.name.named(&declared.docs);
            layout.positions.push(named.name.clone());
            layout.speeds.push((named, 1, declared.name.region));
        }
        for rotation in &system.rotations {
            let base = rotation.name.name().display;
            layout.positions.extend(COMPONENTS.map(|component| format!("{base}_{component}")));
            for speed in &rotation.speeds {
                layout.speeds.push((speed.named(&rotation.docs), 0, speed.region));
            }
        }
        layout
    }

    /// Whether quasi-velocities are being defined.
    pub(crate) fn is_defining(&self) -> bool {
        self.defining
    }

    /// The speed that is the velocity of a coordinate, unless quasi-velocities replace it.
    pub(crate) fn speed_of(&self, coordinate: usize) -> Option<usize> {
        (!self.covered.contains(&coordinate)).then_some(coordinate)
    }

    /// The name of a speed: `ẋ`, `u`.
    pub(crate) fn speed_name(&self, speed: usize) -> String {
        let (named, dots, _) = &self.speeds[speed];
        name::dotted(&named.name, *dots)
    }

    /// The names of the quasi-velocities.
    pub(crate) fn quasi_names(&self) -> Vec<String> {
        self.covered.iter().map(|speed| self.speed_name(*speed)).collect()
    }
}
