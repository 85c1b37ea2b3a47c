//! The systems of Treschev and Zubelevich, *On collisions in nonholonomic systems* and *On weak
//! solutions to the Lagrange–d'Alembert equation*: rough balls that bounce.

mod angled_floor_ball;
mod angled_wall_ball;
mod box_ball;
mod floor_ball;
mod table_ball;
mod wall_ball;

pub use angled_floor_ball::AngledFloorBall;
pub use angled_wall_ball::AngledWallBall;
pub use box_ball::BoxBall;
pub use floor_ball::FloorBall;
pub use table_ball::TableBall;
pub use wall_ball::WallBall;

use crate::catalogue::ModelEntry;
use crate::scene::{Axis, Outline, Point, Scene, parameter};
use eom_core::System;

/// The models, a line each.
pub(crate) const MODELS: &[ModelEntry] = &[
    ModelEntry::of::<FloorBall>("floor-ball", "A ball bounces on a rough floor", "5.2, 6", floor),
    ModelEntry::of::<WallBall>(
        "wall-ball",
        "A ball rolls on the floor and meets a rough wall",
        "5.1",
        wall,
    ),
    ModelEntry::of::<AngledWallBall>(
        "angled-wall-ball",
        "The same ball in Euler's angles, for the weak form",
        "1, 2, 5.1",
        wall,
    ),
    ModelEntry::of::<AngledFloorBall>(
        "angled-floor-ball",
        "A ball on a rough floor in Euler's angles",
        "2.1, 5.2",
        floor,
    ),
    ModelEntry::of::<TableBall>(
        "table-ball",
        "Garwin's ball comes back from under a table",
        "1, 5.2",
        table,
    ),
    ModelEntry::of::<BoxBall>("box-ball", "A ball in a box of rough walls", "5.2", in_box),
];

/// Indices of the coordinates x, y, z.
const X: usize = 0;
const Y: usize = 1;
const Z: usize = 2;

fn value(system: &dyn System, name: &str) -> f64 {
    parameter(system, name).unwrap_or(f64::NAN)
}

fn line(label: &str, from: Point, to: Point) -> Outline {
    Outline { label: label.to_owned(), points: vec![from, to], closed: false }
}

/// The path of the centre in the plane of two coordinates.
fn scene(system: &dyn System, title: &str, [x, y]: [usize; 2], outlines: Vec<Outline>) -> Scene {
    Scene {
        title: title.to_owned(),
        detail: String::new(),
        time_unit: "s",
        path: "path of the centre".to_owned(),
        x: Axis::coordinate(system, x, "m"),
        y: Axis::coordinate(system, y, "m"),
        equal_aspect: true,
        outlines,
        body: None,
    }
}

fn floor(system: &dyn System) -> Scene {
    let r = value(system, "r");
    let touch = line("the centre when the ball touches", [-1.0, r], [1.0, r]);
    scene(system, "Ball on a rough floor", [X, Z], vec![touch])
}

fn wall(system: &dyn System) -> Scene {
    let r = value(system, "r");
    let touch = line("the centre when the ball touches", [r, 0.0], [r, 1.0]);
    scene(system, "Ball meets a rough wall, from above", [X, Y], vec![touch])
}

fn table(system: &dyn System) -> Scene {
    let [r, h] = ["r", "h"].map(|name| value(system, name));
    let floor = line("the centre at the floor", [-0.5, r], [0.5, r]);
    let table = line("the centre at the table", [0.0, h - r], [0.5, h - r]);
    scene(system, "Garwin's ball", [X, Z], vec![floor, table])
}

fn in_box(system: &dyn System) -> Scene {
    let [r, a, b] = ["r", "a", "b"].map(|name| value(system, name));
    let (a, b) = (a - r, b - r);
    let walls = Outline {
        label: "the centre at the walls".to_owned(),
        points: vec![[-a, -b], [a, -b], [a, b], [-a, b]],
        closed: true,
    };
    scene(system, "Ball in a rough box, from above", [X, Y], vec![walls])
}
