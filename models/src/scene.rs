//! What a figure of a run shows: its axes, the outlines around the motion, the body at an impact.
//!
//! A scene is data. It knows the lengths and names of a system, and nothing of colours, files or
//! pixels: the `eom` command draws it.

use eom_core::System;

/// A point of the plane of a figure, in the units of its axes.
pub type Point = [f64; 2];

/// A number that a figure shows along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Time.
    Time,
    /// The entry of q of this index.
    Coordinate(usize),
    /// The speed of this index.
    Velocity(usize),
    /// The declared output of this index.
    Output(usize),
}

/// An axis of a figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// What runs along it.
    pub quantity: Quantity,
    /// Its symbol, such as `x`.
    pub symbol: String,
    /// Its unit, such as `m`; empty where none is known.
    pub unit: String,
}

impl Axis {
    /// The axis of an entry of q, named as declared.
    pub fn coordinate(system: &dyn System, index: usize, unit: &str) -> Self {
        Self {
            quantity: Quantity::Coordinate(index),
            symbol: system.info().position_name(index),
            unit: unit.to_owned(),
        }
    }

    /// The axis of time.
    pub fn time(unit: &str) -> Self {
        Self { quantity: Quantity::Time, symbol: "t".to_owned(), unit: unit.to_owned() }
    }
}

/// A curve that is there before anything moves, such as the edge of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline {
    /// What the legend calls it.
    pub label: String,
    /// Its points in the units of the axes; for a closed curve the last one joins the first.
    pub points: Vec<Point>,
    /// Whether the curve is closed.
    pub closed: bool,
}

impl Outline {
    /// The ellipse (x/a)² + (y/b)² = 1.
    pub fn ellipse(label: &str, a: f64, b: f64) -> Self {
        /// One point a degree: the chord leaves the curve by 4·10⁻⁵ of a half-axis.
        const POINTS: u32 = 360;
        let points = (0..POINTS)
            .map(|degree| {
                let (sin, cos) = f64::from(degree).to_radians().sin_cos();
                [a * cos, b * sin]
            })
            .collect();
        Self { label: label.to_owned(), points, closed: true }
    }
}

/// The moving body, as a line through the figure at one instant.
#[derive(Debug, Clone, Copy)]
pub struct Body {
    /// What the legend calls it.
    pub label: &'static str,
    /// The two ends of the line at time t and coordinates q.
    pub ends: fn(system: &dyn System, t: f64, q: &[f64]) -> [Point; 2],
    /// The point at which a contact touches, by the contact's index.
    pub touch: fn(system: &dyn System, contact: usize, t: f64, q: &[f64]) -> Point,
}

/// What a figure of a run shows.
#[derive(Debug, Clone)]
pub struct Scene {
    /// The title: `Rolling penny on an elliptical table`.
    pub title: String,
    /// The numbers that belong to the title: `a = 0.15 m, b = 0.2 m`; may be empty.
    pub detail: String,
    /// The unit of time, such as `s`; empty where none is known.
    pub time_unit: &'static str,
    /// What the legend calls the path.
    pub path: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Whether both axes have one scale, as they must where both are lengths of one plane.
    pub equal_aspect: bool,
    /// Curves that do not move.
    pub outlines: Vec<Outline>,
    /// The body at the start and at each impact, where the model says how it looks.
    pub body: Option<Body>,
}

impl Scene {
    /// The scene of a system about which nothing more is known: its first two coordinates
    /// against each other, or its only coordinate over time.
    pub fn of_coordinates(system: &dyn System) -> Self {
        let info = system.info();
        let (x, y) = if info.positions() > 1 {
            (Axis::coordinate(system, 0, ""), Axis::coordinate(system, 1, ""))
        } else {
            (Axis::time(""), Axis::coordinate(system, 0, ""))
        };
        Self {
            title: info.name.to_owned(),
            detail: String::new(),
            time_unit: "",
            path: format!("{} against {}", y.symbol, x.symbol),
            x,
            y,
            equal_aspect: false,
            outlines: Vec::new(),
            body: None,
        }
    }
}

/// The value of a parameter by its ASCII name; `None` where the system has no such parameter.
pub fn parameter(system: &dyn System, ascii: &str) -> Option<f64> {
    let parameters = system.info().parameters;
    let index = parameters.iter().position(|parameter| parameter.ascii == ascii)?;
    let mut values = vec![0.0; parameters.len()];
    system.parameters(&mut values);
    values.get(index).copied()
}
