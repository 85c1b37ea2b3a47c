//! Figures of runs: a scene and a trajectory become an SVG, or a PNG rendered from it.
//!
//! ```text
//! Scene, Trajectory → Figure (curves and marks in the units of the axes) → SVG → PNG
//! ```

mod curve;
mod figure;
mod labels;
mod page;
mod png;
mod ticks;

use crate::run::request::Request;
use eom_core::Trajectory;
use figure::Figure;

/// The format of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImageFormat {
    /// Scalable vector graphics.
    Svg,
    /// A raster image.
    Png,
}

/// The bytes of a figure of a trajectory that was sampled at every step.
pub(crate) fn draw(
    request: &Request,
    trajectory: &Trajectory,
    law: &str,
    format: ImageFormat,
) -> Result<Vec<u8>, String> {
    let scene = (request.model.scene)(&*request.system);
    let figure = Figure::new(&scene, &*request.system, &request.inputs, trajectory, law)?;
    let svg = page::svg(&figure);
    match format {
        ImageFormat::Svg => Ok(svg.into_bytes()),
        ImageFormat::Png => png::render(&svg),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eom_core::{Declared as _, Options, State, simulate};
    use models::Penny;
    use models::scene::{Axis, Quantity, Scene};
    use std::ops::ControlFlow;

    /// The heading over time: no outline, no body, axes of different units.
    #[test]
    fn a_scene_without_outline_and_body_has_a_frame_of_its_own() {
        let penny = Penny::with_parameters(&[None; 6]).unwrap();
        let start = State::new(0.0, [0.0; 4], [0.1, 0.0, 10.0, 0.2]);
        let options = Options { until_impacts: Some(3), ..Options::default() };
        let run = simulate(&penny, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
        let scene = Scene {
            x: Axis::time("s"),
            y: Axis {
                quantity: Quantity::Velocity(3), symbol: "φ̇".into(), unit: "rad/s".into()
            },
            ..Scene::of_coordinates(&penny)
        };
        let figure = Figure::new(&scene, &penny, &[], &run.unwrap(), "elastic").unwrap();
        let svg = page::svg(&figure);
        for text in ["impact law: elastic; 3 impacts", "(s)", "φ̇", "(rad/s)", "y against x"] {
            assert!(svg.contains(text), "{text} in {svg}");
        }
        assert_eq!(figure.path.len(), 3, "the velocity jumps at each impact");
        assert!(!png::render(&svg).unwrap().is_empty());
    }
}
