//! The scene of a system that has none of its own: what a file gets.

use eom_core::System;
use eom_interpreter::words::unit;
use models::scene::{Axis, Scene};

/// Coordinates that are lengths along two axes at right angles, where they are called so.
const PLANES: [[&str; 2]; 3] = [["x", "y"], ["x", "z"], ["y", "z"]];

/// The plane of x and y, of x and z, or of y and z, with one scale for both; else the first two
/// coordinates against each other, or the only one over time. Units are those of the doc comments.
pub(crate) fn plain_scene(title: &str, system: &dyn System) -> Scene {
    let info = system.info();
    let place = |name: &str| info.coordinates.iter().position(|item| item.ascii == name);
    let plane = PLANES.into_iter().find_map(|[x, y]| Some([place(x)?, place(y)?]));
    let base = Scene { title: title.to_owned(), ..Scene::of_coordinates(system) };
    let axis = |index: usize| {
        let doc = info.coordinates.get(index).map_or("", |item| item.doc);
        Axis::coordinate(system, index, unit(doc))
    };
    let [x, y] = match plane {
        Some([x, y]) => [axis(x), axis(y)],
        None if info.positions() > 1 => [axis(0), axis(1)],
        None => [Axis::time(""), axis(0)],
    };
    let path = format!("{} against {}", y.symbol, x.symbol);
    Scene { x, y, path, equal_aspect: plane.is_some(), ..base }
}
