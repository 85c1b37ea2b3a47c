//! Random declarations: 1 to 5 speeds, constraints, contacts with every kind of law, and names that a report would
//! use itself.

use fastrand::Rng;
use std::fmt::Write as _;

/// Names of coordinates, of which some are letters of the report.
const COORDINATES: [&str; 10] = ["x", "y", "z", "θ", "φ", "n", "w", "h", "u", "s"];

/// Names of parameters.
const PARAMETERS: [&str; 12] = ["m", "d", "g", "L", "E", "D", "H", "δ", "a", "b", "J", "γ"];

/// A declaration, one a seed.
pub(super) fn declaration(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let coordinates = some_of(&mut rng, &COORDINATES, 1, 5);
    let parameters = some_of(&mut rng, &PARAMETERS, 2, 5);
    let mut text = format!("system Drawn {{\n    coordinates {{ {} }}\n", coordinates.join(", "));
    let declared = parameters.iter().map(|p| format!("{p} = {} where {p} > 0", number(&mut rng)));
    let declared: Vec<String> = declared.collect();
    let mut line = |line: String| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "    {line}");
    };
    line(format!("parameters {{ e = 1/2 where e >= 0 && e <= 1, {} }}", declared.join(", ")));
    let mut draw = Draw { rng, coordinates: &coordinates, parameters: &parameters };
    line(format!("kinetic = {};", draw.kinetic()));
    line(format!("potential = {};", draw.function()));
    let constrained = coordinates.len() > 2 && draw.rng.bool();
    if constrained {
        line(format!("constraints {{ roll: {}; }}", draw.row()));
    }
    for contact in 0..draw.rng.usize(1..3) {
        line(draw.contact(contact, constrained));
    }
    text.push('}');
    text
}

struct Draw<'d> {
    rng: Rng,
    coordinates: &'d [&'static str],
    parameters: &'d [&'static str],
}

impl Draw<'_> {
    fn coordinate(&mut self) -> &'static str {
        self.coordinates[self.rng.usize(..self.coordinates.len())]
    }

    fn parameter(&mut self) -> &'static str {
        self.parameters[self.rng.usize(..self.parameters.len())]
    }

    /// A square for each speed, so that M is positive, and squares of sums.
    fn kinetic(&mut self) -> String {
        let coordinates = self.coordinates;
        let own = coordinates.iter().map(|q| format!("{}/2*{q}_dot^2", self.parameter()));
        let mut terms: Vec<String> = own.collect();
        for _ in 0..self.rng.usize(..3) {
            let (p, a, b, c) =
                (self.parameter(), self.coordinate(), self.coordinate(), self.coordinate());
            let number = number(&mut self.rng);
            terms.push(match self.rng.u32(..3) {
                0 => format!("{p}/2*({a}_dot*cos({c}) + {b}_dot)^2"),
                1 => format!("{p}*{number}*({a}_dot + {b}_dot)^2"),
                _ => format!("{p}/2*({c}*{a}_dot)^2"),
            });
        }
        terms.join(" + ")
    }

    /// A function of some coordinates that is zero somewhere.
    fn function(&mut self) -> String {
        let (p, a, b) = (self.parameter(), self.coordinate(), self.coordinate());
        let number = number(&mut self.rng);
        match self.rng.u32(..6) {
            0 => format!("{p}*{a} + {number}*{b}^2"),
            1 => format!("1/2 - cos({a}) - {p}*cos({b})*sin({a})"),
            2 => format!("{p} + {number} - {a}^2 - {b}^2/{p}"),
            3 => format!("{a} - {p}*sin({b})/({number})"),
            4 => format!("{p}*sqrt(1 + {a}^2) - 2*{p} + {b}/({number})"),
            _ => format!("{a} + {number}*{b} - {p}"),
        }
    }

    /// A row whose first speed is not among the others.
    fn row(&mut self) -> String {
        let [first, second, .., last] = self.coordinates else { return String::new() };
        if self.rng.bool() {
            format!("{first}_dot = {}*cos({last})*{second}_dot", self.parameter())
        } else {
            format!("{first}_dot = {last}*{second}_dot/{}", self.parameter())
        }
    }

    fn contact(&mut self, index: usize, constrained: bool) -> String {
        let moves = if self.rng.u32(..4) == 0 { " + t/3" } else { "" };
        let gap = self.function();
        let (first, last) = (self.coordinates[0], self.coordinates[self.coordinates.len() - 1]);
        let law = match self.rng.u32(..7) {
            0 => "elastic".to_owned(),
            1 => "plastic".to_owned(),
            2 | 3 => "restitution(e)".to_owned(),
            4 => "project".to_owned(),
            5 => format!("assign {{ {last}_dot = -{last}_dot/2; }}"),
            _ if first != last => {
                let rough = format!(
                    "constraints {{ slip: {last}_dot = {}*{first}_dot; }}",
                    self.parameter()
                );
                return format!(
                    "contact c{index} {{ gap = {gap}{moves}; impact = restitution(e, 0); {rough} }}"
                );
            }
            _ => "restitution(1/3)".to_owned(),
        };
        let releases = if constrained && law == "plastic" { " releases roll;" } else { "" };
        format!("contact c{index} {{ gap = {gap}{moves}; impact = {law};{releases} }}")
    }
}

/// Some of these, between `least` and `most` of them, in a random order.
fn some_of(rng: &mut Rng, names: &[&'static str], least: usize, most: usize) -> Vec<&'static str> {
    let mut names = names.to_vec();
    rng.shuffle(&mut names);
    names.truncate(rng.usize(least..=most));
    names
}

/// A plain number.
fn number(rng: &mut Rng) -> &'static str {
    ["1", "2", "1/2", "3", "3/2"][rng.usize(..5)]
}
