//! Declarations of any content: what the grammar allows, with the meaning left to chance.

use fastrand::Rng;
use std::fmt::Write;

/// Names that declarations are made of, a few of them clashing on purpose.
const NAMES: [&str; 12] = ["x", "y", "θ", "r_1", "φ", "z", "m", "g", "k", "e", "u", "theta"];

/// Numbers, most of them harmless.
const NUMBERS: [&str; 12] =
    ["1", "2", "0.5", "3", "0", "9.81", "1e-3", "7", "1/3", "10", "1e30", "4"];

const FUNCTIONS: [&str; 14] = [
    "sin", "cos", "tan", "exp", "ln", "sqrt", "abs", "atan", "tanh", "asin", "sinh", "norm",
    "sign", "atan2",
];

fn pick<'a>(rng: &mut Rng, of: &[&'a str]) -> &'a str {
    of[rng.usize(..of.len())]
}

/// A system and what its expressions may hold.
struct Draft<'r> {
    rng: &'r mut Rng,
    coordinates: Vec<&'static str>,
    parameters: Vec<&'static str>,
}

/// One declaration.
pub(crate) fn declaration(rng: &mut Rng) -> String {
    let mut names = NAMES.to_vec();
    rng.shuffle(&mut names);
    let (coordinates, rest) = names.split_at(1 + rng.usize(..3));
    let parameters = rest[..rng.usize(..4)].to_vec();
    let mut draft = Draft { rng, coordinates: coordinates.to_vec(), parameters };
    draft.system()
}

impl Draft<'_> {
    fn chance(&mut self, of_ten: u32) -> bool {
        self.rng.u32(..10) < of_ten
    }

    fn coordinate(&mut self) -> &'static str {
        self.coordinates[self.rng.usize(..self.coordinates.len())]
    }

    fn system(&mut self) -> String {
        let mut out = "system S {\n".to_owned();
        let coordinates = self.coordinates.join(", ");
        let _ = writeln!(out, "coordinates {{ {coordinates} }}");
        let parameters: Vec<String> =
            self.parameters.clone().into_iter().map(|name| self.parameter(name)).collect();
        let _ = writeln!(out, "parameters {{ {} }}", parameters.join(", "));
        let squares: Vec<String> = (self.coordinates.clone().iter())
            .map(|name| format!("{}*{name}_dot^2", pick(self.rng, &NUMBERS)))
            .collect();
        let more = if self.chance(3) { self.expression(2, true) } else { "0".to_owned() };
        let _ = writeln!(out, "kinetic = {} + ({more});", squares.join(" + "));
        for _ in 0..self.rng.usize(..6) {
            let item = self.item();
            out += &item;
            out.push('\n');
        }
        out.push('}');
        out
    }

    fn parameter(&mut self, name: &str) -> String {
        let number = pick(self.rng, &NUMBERS);
        let bound = if self.chance(3) { format!(" where {name} > 0") } else { String::new() };
        if self.chance(9) { format!("{name} = {number}{bound}") } else { format!("{name}{bound}") }
    }

    fn item(&mut self) -> String {
        let (x, y) = (self.coordinate(), self.coordinate());
        let place = self.expression(3, false);
        let any = self.expression(3, true);
        let other = self.expression(1, true);
        // table
        match self.rng.u32(..20) {
            0 | 1 => format!("potential = {place};"),
            2 => format!("dissipation = abs({x}_dot)*{};", pick(self.rng, &NUMBERS)),
            3 => format!("dissipation = {any};"),
            4 => format!("force {x} = {any};"),
            5 => format!("constraints {{ row: {other}*d{x} - ({place})*d{y}; }}"),
            6 => format!("constraints {{ row: {x}_dot = {other}; }}"),
            7 => format!("holonomic {{ rod: {place} = {}; }}", pick(self.rng, &NUMBERS)),
            8 | 9 => format!("contact wall {{ gap = {place}; impact = {}; }}", self.law()),
            10 => format!("contact floor {{ gap = {x} + 1; impact = {}; }}", self.law()),
            11 => format!("event ping {{ guard = {any}; reset {{ {x} = {other}; }} }}"),
            12 => format!("let w = {any}; output o = ẇ;"),
            13 => format!("output p = {any};"),
            14 => format!("claim c: {any} = {other};"),
            15 => format!("function f({x}) = {place}; force {y} = f_{x};"),
            16 => format!("inputs {{ v }} force {x} = v*({any});"),
            17 => format!("velocities {{ w = {any} }}"),
            18 => "rotation R { body: a, b, c }".to_owned(),
            _ => self.scenario(),
        }
    }

    fn law(&mut self) -> &'static str {
        pick(
            self.rng,
            &["elastic", "plastic", "restitution(1/2)", "project", "restitution(0.9, -1)"],
        )
    }

    fn scenario(&mut self) -> String {
        let x = self.coordinate();
        let (a, b) = (pick(self.rng, &NUMBERS), pick(self.rng, &NUMBERS));
        let solve = if self.chance(3) { format!("solve {x}_dot;") } else { String::new() };
        let end = pick(self.rng, &["until t = 1;", "until impacts = 3;", "until t = 1e9;"]);
        format!("scenario s {{ {x} = {a}; {x}_dot = {b}; {solve} {end} }}")
    }

    /// An expression of a depth, with velocities or without.
    fn expression(&mut self, depth: u32, velocities: bool) -> String {
        if depth == 0 || self.chance(2) {
            return self.leaf(velocities);
        }
        let a = self.expression(depth - 1, velocities);
        let b = self.expression(depth - 1, velocities);
        // table
        match self.rng.u32(..16) {
            0..=2 => format!("{a} + {b}"),
            3 => format!("{a} - ({b})"),
            4..=6 => format!("({a})*({b})"),
            7 => format!("({a})/({b})"),
            8 => format!("({a})^{}", pick(self.rng, &["2", "3", "(1/2)", "-1", "0", "17", "m"])),
            9 => format!("integral({a}*s, s in 0..{})", pick(self.rng, &["1", "m", "x", "π"])),
            10 => format!("sum({a}*i, i in 1..=3)"),
            11 => format!("dot([{a}, {b}], [{b}, 1])"),
            12 => format!("norm([{a}, {b}])"),
            _ => format!("{}({a})", pick(self.rng, &FUNCTIONS)),
        }
    }

    fn leaf(&mut self, velocities: bool) -> String {
        let x = self.coordinate();
        match self.rng.u32(..8) {
            0 => "t".to_owned(),
            1 | 2 => pick(self.rng, &NUMBERS).to_owned(),
            3 | 4 if velocities => format!("{x}_dot"),
            5 if !self.parameters.is_empty() => {
                self.parameters[self.rng.usize(..self.parameters.len())].to_owned()
            }
            _ => x.to_owned(),
        }
    }
}
