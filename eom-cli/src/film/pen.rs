//! A frame of a film as SVG: what the script of the page draws on a canvas, in the same projection.

use eom_interpreter::drawing::Shape;
use eom_interpreter::film::{CurveAt, Film, HeightsAt, Window, usual_scale};
use std::f64::consts::TAU;
use std::fmt::Write as _;
use svg::node::element::{Circle, Group, Path, Text};

type Page = [f64; 2];

/// The direction of the eye in space, as the page begins.
const YAW: f64 = -0.6;
const PITCH: f64 = 0.45;

/// The least distance of the outline of a ball from its middle, px.
const LEAST_BALL: f64 = 4.0;

/// The colours of the words; the first of each figure where there are more.
const COLORS: [(&str, &str); 11] = [
    ("blue", "#2b5c9e"),
    ("red", "#c8391f"),
    ("green", "#1f7a3d"),
    ("orange", "#b3690a"),
    ("purple", "#7b3fa0"),
    ("brown", "#7a5230"),
    ("teal", "#0f7b80"),
    ("pink", "#c2417c"),
    ("gold", "#9a7b00"),
    ("gray", "#5a5a5a"),
    ("black", "#1a1a1a"),
];

/// Curves and heights of all shapes at their times.
#[derive(Default)]
pub(super) struct Fields {
    curves: Vec<Vec<CurveAt>>,
    heights: Vec<(Vec<HeightsAt>, usize)>,
    /// The length of arrows for each unit.
    scales: Vec<f64>,
}

/// What is seen: a frame of a film, with those before it.
pub(super) struct Seen<'f, 'r> {
    pub(super) film: &'f Film<'r>,
    pub(super) numbers: &'f [Vec<f64>],
    pub(super) fields: &'f Fields,
    pub(super) index: usize,
}

/// Draws in a window.
pub(super) struct Pen {
    pub(super) size: [f64; 2],
    middle: Vec<f64>,
    scale: f64,
    window: f64,
    over: [[f64; 2]; 2],
}

impl Fields {
    /// The curves and heights within a window, with the numbers of all shapes frame by frame.
    pub(super) fn new(film: &Film<'_>, window: &Window, shapes: &[Vec<f64>]) -> Self {
        let mut fields = Self::default();
        let dimension = film.subject.drawing.dimension();
        for (index, (own, shape)) in film.placed().enumerate() {
            let in_plane = dimension == 2 && shape.field.is_some();
            let in_space = dimension == 3 && shape.field.is_some();
            fields.curves.push(if in_plane { window.curves(film, index) } else { Vec::new() });
            let none = || (Vec::new(), 0);
            fields.heights.push(if in_space { window.heights(film, index) } else { none() });
            let is_arrow = shape.primitive.name == "arrow";
            let usual = || usual_scale(shapes, own.start, dimension, window.size());
            fields.scales.push(if is_arrow { usual() } else { 1.0 });
        }
        fields
    }
}

impl Pen {
    pub(super) fn new(window: &Window, size: [f64; 2]) -> Self {
        let middle = window.ranges.iter().map(|[low, high]| f64::midpoint(*low, *high)).collect();
        let all = window.size();
        let sides: Vec<f64> = match window.ranges[..] {
            [x, y] => [x, y].iter().map(|[low, high]| 1.12 * (high - low)).collect(),
            _ => vec![1.45 * all, 1.3 * all],
        };
        let scale = (size[0] / sides[0]).min(size[1] / sides[1]);
        Self { size, middle, scale, window: all, over: window.under_heights() }
    }

    /// A point on the page.
    fn page(&self, point: &[f64]) -> Page {
        let [width, height] = self.size;
        let part = |k: usize| point.get(k).zip(self.middle.get(k)).map_or(0.0, |(p, m)| p - m);
        let (x, y) = match self.middle.len() {
            2 => (part(0), part(1)),
            _ => {
                let ((sin, cos), (up, flat)) = (YAW.sin_cos(), PITCH.sin_cos());
                let ahead = sin * part(0) + cos * part(1);
                (cos * part(0) - sin * part(1), flat * part(2) + up * ahead)
            }
        };
        [width / 2.0 + self.scale * x, height / 2.0 - self.scale * y]
    }

    /// The time in a corner, to a thousandth, or to one of all that a shorter film is of.
    pub(super) fn clock(&self, t: f64, all: f64) -> Text {
        let places = (2.0 - all.log10().floor()).clamp(3.0, 17.0);
        let places = usize::try_from(places as i64).unwrap_or(3);
        Text::new(format!("t = {t:.places$}"))
            .set("x", self.size[0] - 12.0)
            .set("y", self.size[1] - 12.0)
            .set("font-size", 14)
            .set("text-anchor", "end")
            .set("fill", "#5a5a5a")
    }

    /// A shape in a frame.
    pub(super) fn shape(&self, seen: &Seen<'_, '_>, index: usize) -> Group {
        let placed = seen.film.placed().nth(index);
        let (Some((place, shape)), Some(frame)) = (placed, seen.film.frames.get(seen.index)) else {
            return Group::new();
        };
        let own = |frame: usize| &seen.numbers[frame][place.clone()];
        let parts = Parts::new(shape, own(seen.index), self.middle.len());
        if !parts.numbers.iter().all(|number| number.is_finite()) {
            return Group::new();
        }
        let color = color(shape);
        let group = match shape.primitive.name {
            "trace" => {
                let past: Vec<&[f64]> = (0..=seen.index).map(own).collect();
                let pages: Vec<Page> = past.iter().map(|point| self.page(point)).collect();
                Group::new().add(line(&pages, color, 1.3).set("stroke-opacity", 0.65))
            }
            "ground" | "surface" => self.field(seen, index, frame.state.t, color),
            "arrow" => {
                let tip = tip(seen, index, &parts);
                arrow(self.page(parts.point(0)), self.page(&tip), color)
            }
            _ => self.body(shape, &parts, color),
        };
        if shape.label.is_empty() || shape.points == 0 {
            return group;
        }
        let [x, y] = match shape.primitive.name {
            "arrow" => self.page(&tip(seen, index, &parts)),
            _ => self.page(parts.point(0)),
        };
        let label = Text::new(shape.label.as_str())
            .set("x", x + 9.0)
            .set("y", y - 9.0)
            .set("font-size", 13)
            .set("fill", "#1a1a1a");
        group.add(label)
    }

    /// Points, lines and bodies.
    fn body(&self, shape: &Shape, parts: &Parts<'_>, color: &str) -> Group {
        let page = |point: &[f64]| self.page(point);
        let all: Vec<Page> = (0..shape.points).map(|k| page(parts.point(k))).collect();
        let at = parts.point(0);
        let size = |k: usize| parts.sizes.get(k).copied().unwrap_or_default();
        match shape.primitive.name {
            "point" => Group::new().add(dot(all[0], 4.5, color)),
            "line" | "path" => Group::new().add(line(&all, color, 2.2)),
            "polygon" => Group::new().add(filled(&all, color)),
            "spring" => Group::new().add(line(&self.coil(all[0], all[1]), color, 1.8)),
            "circle" | "disk" => {
                let rim = self.oval(at, parts, [size(0); 2], 0.0);
                let edge = match shape.primitive.name {
                    "disk" => filled(&rim, color),
                    _ => line(&rim, color, 2.0),
                };
                let angle = parts.spoke.or(shape.has_rotation.then_some(0.0));
                let spoke = angle.map(|angle| {
                    let (sin, cos) = angle.sin_cos();
                    let end = parts.turned(at, [size(0) * cos, size(0) * sin, 0.0]);
                    line(&[page(at), page(&end)], color, 2.0)
                });
                spoke.into_iter().fold(Group::new().add(edge), Group::add)
            }
            "ellipse" => {
                let rim = self.oval(at, parts, [size(0), size(1)], size(2));
                Group::new().add(filled(&rim, color))
            }
            "box" => self.cuboid(at, parts, color),
            "sphere" => self.ellipsoid(at, parts, [size(0); 3], color),
            "ellipsoid" => self.ellipsoid(at, parts, [size(0), size(1), size(2)], color),
            _ => (0..3).fold(Group::new(), |group, axis| {
                let mut end = [0.0; 3];
                end[axis] = size(0);
                group.add(arrow(page(at), page(&parts.turned(at, end)), color))
            }),
        }
    }

    /// An ellipse of these semi-axes in the plane of the first two axes of a body, turned within it.
    fn oval(&self, at: &[f64], parts: &Parts<'_>, [a, b]: [f64; 2], angle: f64) -> Vec<Page> {
        let (turn_sin, turn_cos) = angle.sin_cos();
        round(|[cos, sin]| {
            let (u, v) = (a * cos, b * sin);
            let place = [u * turn_cos - v * turn_sin, u * turn_sin + v * turn_cos, 0.0];
            self.page(&parts.turned(at, place))
        })
    }

    /// The outline of an ellipsoid, and its three ellipses in the planes of two axes.
    ///
    /// With A = P R diag(a, b, c), P onto the page and Q = A Aᵀ, the outline is where Q u/√(uᵀ Q u) is, for all
    /// directions u of the page.
    fn ellipsoid(&self, at: &[f64], parts: &Parts<'_>, semi: [f64; 3], color: &str) -> Group {
        let place = |body: [f64; 3]| self.page(&parts.turned(at, body));
        let middle = self.page(at);
        let along = [0, 1, 2].map(|axis| {
            let mut end = [0.0; 3];
            end[axis] = semi[axis];
            let [x, y] = place(end);
            [x - middle[0], y - middle[1]]
        });
        let outline = round(|[cos, sin]| {
            let parts = along.map(|[x, y]| x * cos + y * sin);
            let length = parts.iter().fold(0.0_f64, |all, part| all.hypot(*part));
            // A ball is seen, however small.
            if length < LEAST_BALL {
                return [middle[0] + LEAST_BALL * cos, middle[1] + LEAST_BALL * sin];
            }
            let ahead = |k: usize| (0..3).map(|j| along[j][k] * parts[j]).sum::<f64>() / length;
            [middle[0] + ahead(0), middle[1] + ahead(1)]
        });
        let group = Group::new().add(filled(&outline, color).set("stroke-width", 1.6));
        [[0, 1], [1, 2], [0, 2]].into_iter().fold(group, |group, [i, j]| {
            let ring = round(|[cos, sin]| {
                let mut body = [0.0; 3];
                (body[i], body[j]) = (semi[i] * cos, semi[j] * sin);
                place(body)
            });
            group.add(line(&ring, color, 1.0))
        })
    }

    /// A rectangle, or the edges of a box.
    fn cuboid(&self, at: &[f64], parts: &Parts<'_>, color: &str) -> Group {
        let half = |k: usize| parts.sizes.get(k).copied().unwrap_or_default() / 2.0;
        if at.len() == 2 {
            let (sin, cos) = parts.sizes.get(2).copied().unwrap_or_default().sin_cos();
            let corner = |[u, v]: [f64; 2]| {
                let (a, b) = (u * half(0), v * half(1));
                self.page(&[at[0] + a * cos - b * sin, at[1] + a * sin + b * cos])
            };
            let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(corner);
            return Group::new().add(filled(&corners, color));
        }
        let corner = |k: usize| {
            let side = |bit: usize| if (k >> bit) & 1 == 1 { half(bit) } else { -half(bit) };
            self.page(&parts.turned(at, [side(0), side(1), side(2)]))
        };
        let edges = (0..8).flat_map(|k| (0..3).map(move |bit| (k, k | (1 << bit))));
        edges.filter(|(a, b)| a != b).fold(Group::new(), |group, (a, b)| {
            group.add(line(&[corner(a), corner(b)], color, 1.6))
        })
    }

    /// The turns of a spring.
    fn coil(&self, from: Page, to: Page) -> Vec<Page> {
        let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
        let length = dx.hypot(dy).max(f64::MIN_POSITIVE);
        let wide = 0.018 * self.window * self.scale;
        let turn = |k: u32| {
            let part = 0.1 + 0.8 * f64::from(k) / 20.0;
            let side = match k {
                0 | 20 => 0.0,
                k if k % 2 == 1 => wide,
                _ => -wide,
            };
            let [u, v] = [dx / length, dy / length];
            [from[0] + part * dx - side * v, from[1] + part * dy + side * u]
        };
        [from].into_iter().chain((0..=20).map(turn)).chain([to]).collect()
    }

    /// A curve, or the lines of a height.
    fn field(&self, seen: &Seen<'_, '_>, index: usize, t: f64, color: &str) -> Group {
        let curves = &seen.fields.curves[index];
        let at = curves.partition_point(|curve| curve.t <= t).saturating_sub(1);
        let lines = curves.get(at).map_or(&[][..], |curve| &curve.lines[..]);
        let group = lines.iter().fold(Group::new(), |group, points| {
            let pages: Vec<Page> = points.iter().map(|point| self.page(point)).collect();
            group.add(line(&pages, color, 2.4))
        });
        let (heights, cells) = &seen.fields.heights[index];
        let at = heights.partition_point(|heights| heights.t <= t).saturating_sub(1);
        let Some(HeightsAt { heights, .. }) = heights.get(at) else { return group };
        let place = |axis: usize, k: usize| {
            let [low, high] = self.over[axis];
            low + (high - low) * k as f64 / (*cells).max(1) as f64
        };
        let point = |j: usize, i: usize| {
            self.page(&[place(0, i), place(1, j), heights[j * (cells + 1) + i]])
        };
        let rows = (0..=*cells).map(|j| (0..=*cells).map(|i| point(j, i)).collect::<Vec<Page>>());
        let columns =
            (0..=*cells).map(|i| (0..=*cells).map(|j| point(j, i)).collect::<Vec<Page>>());
        rows.chain(columns).fold(group, |group, pages| {
            group.add(line(&pages, color, 0.8).set("stroke-opacity", 0.55))
        })
    }
}

/// The numbers of a shape, apart.
struct Parts<'n> {
    numbers: &'n [f64],
    dimension: usize,
    sizes: &'n [f64],
    spoke: Option<f64>,
    rotation: [f64; 9],
    scale: Option<f64>,
}

impl<'n> Parts<'n> {
    fn new(shape: &Shape, numbers: &'n [f64], dimension: usize) -> Self {
        let (sizes, mut rest) = numbers[shape.points * dimension..].split_at(shape.sizes);
        let mut take = |is_there: bool, count: usize| {
            let (now, then) = rest.split_at(if is_there { count } else { 0 });
            rest = then;
            now
        };
        let spoke = take(shape.has_spoke, 1).first().copied();
        let turned = <[f64; 9]>::try_from(take(shape.has_rotation, 9));
        let rotation = turned.unwrap_or([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        let scale = take(shape.has_scale, 1).first().copied();
        Self { numbers, dimension, sizes, spoke, rotation, scale }
    }

    fn point(&self, index: usize) -> &'n [f64] {
        &self.numbers[index * self.dimension..][..self.dimension]
    }

    /// p + R b.
    fn turned(&self, at: &[f64], body: [f64; 3]) -> Vec<f64> {
        let rows = at.iter().zip(self.rotation.chunks_exact(3));
        rows.map(|(p, row)| row.iter().zip(body).fold(*p, |sum, (r, b)| sum + r * b)).collect()
    }
}

/// Where an arrow ends.
fn tip(seen: &Seen<'_, '_>, index: usize, parts: &Parts<'_>) -> Vec<f64> {
    let scale = parts.scale.unwrap_or(seen.fields.scales[index]);
    parts.point(0).iter().zip(parts.point(1)).map(|(p, v)| p + scale * v).collect()
}

/// The points of a closed curve of the directions of a circle.
fn round(point: impl Fn([f64; 2]) -> Page) -> Vec<Page> {
    let at = |k: u32| {
        let (sin, cos) = (TAU * f64::from(k) / 48.0).sin_cos();
        point([cos, sin])
    };
    (0..=48).map(at).collect()
}

fn color(shape: &Shape) -> &str {
    let usual = match shape.primitive.name {
        "line" | "path" | "ground" => "black",
        "surface" | "spring" => "gray",
        "arrow" => "red",
        _ => "blue",
    };
    let word = if shape.color.is_empty() { usual } else { shape.color.as_str() };
    COLORS.iter().find(|(known, _)| *known == word).map_or(word, |(_, color)| color)
}

fn data(points: &[Page]) -> String {
    let mut data = String::new();
    let mut is_open = false;
    for [x, y] in points {
        if !(x.is_finite() && y.is_finite()) {
            is_open = false;
            continue;
        }
        // Writing to a string does not fail.
        let _ = write!(data, "{}{x:.2},{y:.2}", if is_open { 'L' } else { 'M' });
        is_open = true;
    }
    data
}

fn line(points: &[Page], color: &str, width: f64) -> Path {
    Path::new()
        .set("d", data(points))
        .set("fill", "none")
        .set("stroke", color)
        .set("stroke-width", width)
        .set("stroke-linejoin", "round")
        .set("stroke-linecap", "round")
}

fn filled(points: &[Page], color: &str) -> Path {
    line(points, color, 2.0)
        .set("d", data(points) + "Z")
        .set("fill", color)
        .set("fill-opacity", 0.25)
}

fn dot([x, y]: Page, radius: f64, color: &str) -> Circle {
    Circle::new().set("cx", x).set("cy", y).set("r", radius).set("fill", color)
}

fn arrow(from: Page, to: Page, color: &str) -> Group {
    let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    let length = dx.hypot(dy);
    if length <= 0.5 {
        return Group::new();
    }
    let (head, [u, v]) = ((0.6 * length).min(11.0), [dx / length, dy / length]);
    let back = |along: f64, aside: f64| {
        [to[0] - along * head * u + aside * head * v, to[1] - along * head * v - aside * head * u]
    };
    let tip = line(&[to, back(1.0, 0.4), back(1.0, -0.4)], color, 0.5);
    let tip = tip.set("d", data(&[to, back(1.0, 0.4), back(1.0, -0.4)]) + "Z").set("fill", color);
    Group::new().add(line(&[from, back(0.7, 0.0)], color, 2.4)).add(tip)
}
