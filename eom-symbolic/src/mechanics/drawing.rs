//! Drawings: what of a system is drawn, as shapes of numbers that a program computes. [`PRIMITIVES`] is the one
//! table of what can be drawn; the parser, the messages, the book and those who draw read it.

use crate::node::{ExprId, SymbolId};

/// What an argument of a primitive is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// `[x, y]`, or `[x, y, z]` in space.
    Point,
    /// A vector at a point, with as many components.
    Vector,
    /// A length or an angle.
    Number,
    /// An equation in the names of the plane: `y = 0`.
    Curve,
    /// A height over the plane, in its names.
    Height,
}

/// How often an argument stands, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// Once.
    Once,
    /// Once or not, in the plane only.
    OptionalInPlane,
    /// Once, in space only.
    InSpace,
    /// At least so often.
    AtLeast(usize),
}

/// An argument of a primitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Argument {
    /// As it is written in a form: `[x, y]`, `R`.
    pub form: &'static str,
    /// What it is.
    pub takes: Takes,
    /// How often it stands.
    pub times: Times,
}

/// What can be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Primitive {
    /// Its word.
    pub name: &'static str,
    /// What follows the word.
    pub arguments: &'static [Argument],
    /// The options that it takes beside `color` and `label`.
    pub options: &'static [&'static str],
    /// Whether it is there in space only.
    pub in_space: bool,
    /// What it draws.
    pub about: &'static str,
}

const fn once(form: &'static str, takes: Takes) -> Argument {
    Argument { form, takes, times: Times::Once }
}

const AT: Argument = once("[x, y]", Takes::Point);
const ENDS: &[Argument] = &[AT, once("[X, Y]", Takes::Point)];
const CENTRE_RADIUS: &[Argument] = &[AT, once("R", Takes::Number)];
const CORNERS: &[Argument] =
    &[Argument { form: "[x, y], [X, Y]", takes: Takes::Point, times: Times::AtLeast(2) }];
const BOX: &[Argument] = &[
    AT,
    once("a", Takes::Number),
    once("b", Takes::Number),
    Argument { form: "c", takes: Takes::Number, times: Times::InSpace },
    Argument { form: "θ", takes: Takes::Number, times: Times::OptionalInPlane },
];

const ELLIPSE: &[Argument] = &[
    AT,
    once("a", Takes::Number),
    once("b", Takes::Number),
    Argument { form: "θ", takes: Takes::Number, times: Times::OptionalInPlane },
];
const ELLIPSOID: &[Argument] =
    &[AT, once("a", Takes::Number), once("b", Takes::Number), once("c", Takes::Number)];

/// All that can be drawn, in the order of the book.
#[rustfmt::skip]
pub const PRIMITIVES: &[Primitive] = &[
    // table
    row("point", &[AT], &[], "a dot"),
    row("line", ENDS, &[], "a line from one point to another"),
    row("path", CORNERS, &[], "a line through points"),
    row("polygon", CORNERS, &[], "a closed, filled path"),
    row("circle", CENTRE_RADIUS, &["spoke", "rotation"], "a circle; in space about the third axis of `rotation`"),
    row("disk", CENTRE_RADIUS, &["spoke", "rotation"], "a filled circle, `spoke` marks a radius at an angle"),
    row("ellipse", ELLIPSE, &["rotation"], "a filled ellipse of semi-axes a, b, turned by θ; in space about the third axis of `rotation`"),
    row("box", BOX, &["rotation"], "a rectangle a × b turned by θ; in space a box a × b × c"),
    space("sphere", CENTRE_RADIUS, &["rotation"], "a ball, with three great circles that turn with `rotation`"),
    space("ellipsoid", ELLIPSOID, &["rotation"], "an ellipsoid of semi-axes a, b, c along those of `rotation`"),
    space("axes", &[AT, once("a", Takes::Number)], &["rotation"], "three axes of length a that turn with `rotation`"),
    row("spring", ENDS, &[], "a spring between two points"),
    row("trace", &[AT], &[], "the path that a point has come along"),
    row("arrow", &[AT, once("[u, v]", Takes::Vector)], &["scale"], "a vector at a point; `scale` is its length for each unit"),
    row("ground", &[once("y = 0", Takes::Curve)], &[], "the curve of an equation in the names of the plane; in space z = … over it"),
    space("surface", &[once("h", Takes::Height)], &[], "a height over the plane of x and y"),
];

const fn row(
    name: &'static str,
    arguments: &'static [Argument],
    options: &'static [&'static str],
    about: &'static str,
) -> Primitive {
    Primitive { name, arguments, options, in_space: false, about }
}

const fn space(
    name: &'static str,
    arguments: &'static [Argument],
    options: &'static [&'static str],
    about: &'static str,
) -> Primitive {
    Primitive { name, arguments, options, in_space: true, about }
}

/// The options of all shapes, with what follows the word; those of a row are among them.
pub const OPTIONS: [(&str, &str); 5] = [
    ("color", "color red"),
    ("label", "label \"pivot\""),
    ("spoke", "spoke θ"),
    ("rotation", "rotation R"),
    ("scale", "scale 0.1"),
];

/// The colours that have a word; others are written `"#2b5c9e"`.
pub const COLORS: [&str; 11] =
    ["blue", "red", "green", "orange", "purple", "brown", "teal", "pink", "gold", "gray", "black"];

impl Primitive {
    /// That of a word.
    pub fn of(word: &str) -> Option<&'static Self> {
        PRIMITIVES.iter().find(|primitive| primitive.name == word)
    }

    /// As it is written, in the plane or in space: `disk [x, y], R;`.
    pub fn form(&self, in_space: bool) -> String {
        let arguments = self.arguments.iter().filter(|argument| match argument.times {
            Times::InSpace => in_space,
            Times::OptionalInPlane => !in_space,
            _ => true,
        });
        let places = [("[x, y]", "[x, y, z]"), ("[X, Y]", "[X, Y, Z]"), ("[u, v]", "[u, v, w]")];
        let places = if in_space || self.in_space { &places[..] } else { &[] };
        let form = |argument: &Argument| {
            places
                .iter()
                .fold(argument.form.to_owned(), |form, (plane, space)| form.replace(plane, space))
        };
        let arguments: Vec<String> = arguments.map(form).collect();
        format!("{} {};", self.name, arguments.join(", "))
    }
}

/// What is drawn of a system.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// The components of its points, 2 or 3.
    pub dimension: usize,
    /// The variables of curves and heights.
    pub plane: [SymbolId; 2],
    /// Its shapes, in the order in which they are drawn.
    pub shapes: Vec<Shape>,
}

/// A shape.
///
/// Its numbers are those of its points, then its lengths and angles, then its spoke, the nine entries of its
/// rotation by rows and its scale, as far as it has them.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// What it is.
    pub primitive: &'static Primitive,
    /// How many points it has; the vector of an arrow is one of them.
    pub points: usize,
    /// How many lengths and angles.
    pub sizes: usize,
    /// Whether it has a spoke.
    pub has_spoke: bool,
    /// Whether it has a rotation.
    pub has_rotation: bool,
    /// Whether it has a scale.
    pub has_scale: bool,
    /// All of these.
    pub numbers: Vec<ExprId>,
    /// What is 0 on its curve, or its height, in the variables of the plane.
    pub field: Option<ExprId>,
    /// Its label, empty without one.
    pub label: String,
    /// Its colour, a word or `#rrggbb`, empty without one.
    pub color: String,
    /// As written.
    pub text: String,
}

impl Drawing {
    /// The numbers of all shapes, one after another.
    pub fn numbers(&self) -> impl Iterator<Item = ExprId> {
        self.shapes.iter().flat_map(|shape| shape.numbers.iter().copied())
    }

    /// All expressions.
    pub fn expressions(&self) -> Vec<ExprId> {
        self.numbers().chain(self.shapes.iter().filter_map(|shape| shape.field)).collect()
    }
}
