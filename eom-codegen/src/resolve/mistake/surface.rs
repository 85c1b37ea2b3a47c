//! What is said of points on surfaces.

/// What is wrong with a point and its surface.
#[derive(Debug, Clone)]
pub(crate) enum SurfaceFault {
    /// The point, or the velocity, has not as many components as the surface has places.
    Places { found: String, places: usize },
    /// Its places do not stand in the surface.
    WithoutPlaces { names: Vec<String> },
    /// It changes and has friction, and is not told how it moves along itself.
    Moves { with: String, size: usize },
    /// It stands beside a slip.
    Slip,
}

impl SurfaceFault {
    /// The message, and what to do.
    pub(super) fn words(self) -> (String, Option<String>) {
        let (message, help) = match self {
            Self::Places { places, .. } if !(2..=3).contains(&places) => (
                format!("a surface is one of two places or three, not of {places}"),
                "write `surface(x, y) = y;` in the plane, `surface(x, y, z) = z;` in space",
            ),
            Self::Places { found, places } => (
                format!("the surface is one of {places} places, and this is {found}"),
                if places == 2 {
                    "write a vector such as `[X, Y]`, or a surface in space, `surface(x, y, z) = z;`"
                } else {
                    "write a vector such as `[X, Y, Z]`, or a surface in the plane, `surface(x, y) = y;`"
                },
            ),
            Self::WithoutPlaces { names } => (
                format!("the surface does not depend on its places {}", names.join(", ")),
                "write what is positive outside of it, such as the height over it: `surface(x, y) = y - x^2/2;`",
            ),
            Self::Moves { with, size } => (
                format!("the surface moves with `{with}`, and what slips on it depends on how"),
                if size == 2 {
                    "add the velocity of what it is made of where the point touches, `velocity = [0, 0];`, or name its places: `surface(x, y)`"
                } else {
                    "add the velocity of what it is made of where the point touches, `velocity = [0, 0, 0];`, or name its places: `surface(x, y, z)`"
                },
            ),
            Self::Slip => (
                "the point and the surface tell the slip".to_owned(),
                "leave it out, or write `gap = …;` in place of the point and the surface",
            ),
        };
        (message, Some(help.to_owned()))
    }
}
