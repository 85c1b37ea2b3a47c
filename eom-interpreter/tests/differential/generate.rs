//! Random systems with features that are narrower than a step, put where the motion goes.
//!
//! A system is drawn in two parts. The first is smooth: masses, a potential, rows, inputs, wide contacts. It
//! is run, and what is narrow is put on its path: at the place p where it is at a time s there is a post,
//! a bump, a barrier, a pole; or at the time s a wall strikes out.

use crate::case::{Case, Feature};
use eom_core::{Options, Sampling, State, run_scenario};
use eom_interpreter::Interpreted;
use fastrand::Rng;
use std::fmt::Write;
use std::sync::Arc;

const NAMES: [&str; 4] = ["x", "y", "z", "w"];

/// Points of the path of the smooth part.
const POINTS: usize = 40;

/// A number as it is written in an expression.
fn number(value: f64) -> String {
    if value < 0.0 { format!("({value:?})") } else { format!("{value:?}") }
}

/// A contact's gap or an event's guard, without its sign: the expression and its value at the start.
struct Expression {
    text: String,
    start: f64,
}

struct Draft<'r> {
    rng: &'r mut Rng,
    n: usize,
    /// The start.
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    span: f64,
    parameters: Vec<String>,
    items: String,
    events: usize,
    path: Vec<State>,
    has_rows: bool,
    scenario: String,
    /// What is known so far.
    case: Case,
}

/// The case of a seed.
pub(crate) fn case(seed: u64) -> Case {
    let mut rng = Rng::with_seed(seed);
    let rng = &mut rng;
    let n = 1 + rng.usize(..3);
    let t = match rng.u32(..12) {
        0 => 1e6,
        1 => 1e9,
        2 => -3.5,
        _ => 0.0,
    };
    let case = Case {
        text: String::new(),
        begin: t,
        end: t,
        features: Vec::new(),
        keeps_energy: true,
        gains_none: true,
        contacts: 0,
        touches: false,
    };
    let mut draft = Draft {
        rng,
        n,
        t,
        q: Vec::new(),
        v: Vec::new(),
        span: 0.0,
        parameters: Vec::new(),
        items: String::new(),
        events: 0,
        path: Vec::new(),
        has_rows: false,
        scenario: String::new(),
        case,
    };
    draft.smooth();
    draft.rub(&mut Rng::with_seed(!seed));
    draft.walk();
    draft.narrow();
    draft.finish()
}

impl Draft<'_> {
    fn chance(&mut self, of_ten: u32) -> bool {
        self.rng.u32(..10) < of_ten
    }

    /// In [low, high], a thousandth.
    fn within(&mut self, low: f64, high: f64) -> f64 {
        let (low, high) = ((low * 1e3).round() as i32, (high * 1e3).round() as i32);
        f64::from(self.rng.i32(low..=high)) / 1e3
    }

    fn pick(&mut self, of: &[f64]) -> f64 {
        of[self.rng.usize(..of.len())]
    }

    fn parameter(&mut self, value: f64) -> String {
        let name = format!("p{}", self.parameters.len());
        self.parameters.push(format!("{name} = {value:?}"));
        name
    }

    fn coordinate(&mut self) -> usize {
        self.rng.usize(..self.n)
    }

    /// All that is not narrow.
    fn smooth(&mut self) {
        self.span = self.pick(&[1.0, 2.0, 3.0, 6.0]);
        self.q = (0..self.n).map(|_| self.within(-1.0, 1.0)).collect();
        self.v = (0..self.n).map(|_| self.within(-2.0, 2.0)).collect();
        if self.chance(2) {
            self.balls();
        } else {
            self.kinetic();
            self.rows();
            self.potential();
            self.wide_contacts();
        }
        self.drive();
        self.declared_events();
    }

    /// Balls on a line, some touching, with walls.
    fn balls(&mut self) {
        self.n = 2 + self.rng.usize(..3);
        (self.q, self.v) = (vec![0.0], vec![self.within(-1.0, 2.0)]);
        for i in 1..self.n {
            let touches = self.chance(2);
            let room = if touches { 0.0 } else { self.within(0.1, 1.0) };
            self.case.touches |= touches;
            self.q.push(self.q[i - 1] + 1.0 + room);
            let v = if touches { self.v[i - 1] } else { self.within(-2.0, 1.0) };
            self.v.push(v);
        }
        let masses: Vec<String> = (0..self.n)
            .map(|i| {
                let mass = self.pick(&[1.0, 1.0, 2.0, 0.7]);
                format!("{}/2*{}_dot^2", self.parameter(mass), NAMES[i])
            })
            .collect();
        let _ = writeln!(self.items, "kinetic = {};", masses.join(" + "));
        for i in 1..self.n {
            self.contact(&format!("{} - {} - 1", NAMES[i], NAMES[i - 1]));
        }
        if self.chance(5) {
            let room = self.within(0.2, 1.0);
            self.contact(&format!("x + {room:?}"));
        }
        if self.chance(5) {
            let room = self.q[self.n - 1] + self.within(0.2, 1.0);
            self.contact(&format!("{room:?} - {}", NAMES[self.n - 1]));
        }
        if self.chance(3) {
            let terms: Vec<String> = (0..self.n).map(|i| format!("0.3*{}", NAMES[i])).collect();
            let _ = writeln!(self.items, "potential = {};", terms.join(" + "));
        }
        if self.chance(3) {
            self.items += "impacts = sequential;\n";
        }
    }

    fn kinetic(&mut self) {
        let curved = self.n > 1 && self.chance(3);
        let masses: Vec<String> = (0..self.n)
            .map(|i| {
                let mass = self.within(0.5, 2.0);
                let mass = self.parameter(mass);
                let shape = if curved && i == 0 { "*(1 + 0.3*sin(y))" } else { "" };
                format!("{mass}{shape}/2*{}_dot^2", NAMES[i])
            })
            .collect();
        let _ = writeln!(self.items, "kinetic = {};", masses.join(" + "));
    }

    /// A rod, a knife edge, a rack: the start satisfies them.
    fn rows(&mut self) {
        if self.n < 2 || !self.chance(3) {
            return;
        }
        self.has_rows = true;
        let speed = self.within(-2.0, 2.0);
        if self.n == 3 && self.chance(5) {
            (self.q[2], self.v[0], self.v[1]) = (0.0, speed, 0.0);
            self.items += "constraints { edge: sin(z)*dx - cos(z)*dy; }\n";
        } else if self.chance(5) {
            (self.q[0], self.q[1]) = (0.6, -0.8);
            (self.v[0], self.v[1]) = (0.8 * speed, 0.6 * speed);
            self.items += "holonomic { rod: x^2 + y^2 = 1; }\n";
        } else {
            (self.v[0], self.v[1]) = (0.5 * speed, speed);
            self.items += "allow integrable_row; constraints { rack: dx - 0.5*dy; }\n";
        }
    }

    fn potential(&mut self) {
        let last = NAMES[self.n - 1];
        let (a, b) = (self.within(0.2, 10.0), self.within(0.2, 3.0));
        let all = |term: &str| -> String {
            let terms: Vec<String> = NAMES[..self.n].iter().map(|x| term.replace('x', x)).collect();
            terms.join(" + ")
        };
        let potential = match self.rng.u32(..8) {
            0 | 1 => return,
            2 | 3 => format!("{a:?}*{last}"),
            4 => format!("{a:?}/2*({})", all("x^2")),
            5 => format!("{a:?}*({}) - {b:?}*x", all("x^4")),
            6 => format!("-{a:?}*cos({last}) + {b:?}/2*({})", all("x^2")),
            _ => format!("{b:?}*{last} + sin(3*x)/2"),
        };
        let _ = writeln!(self.items, "potential = {potential};");
    }

    fn drive(&mut self) {
        if self.chance(2) {
            self.case.keeps_energy = false;
            let (x, c) = (NAMES[self.coordinate()], self.within(0.05, 1.0));
            let _ = writeln!(self.items, "dissipation = {c:?}/2*{x}_dot^2;");
        }
        if self.chance(2) {
            self.case.keeps_energy = false;
            let (x, u) = (NAMES[self.coordinate()], self.within(-2.0, 2.0));
            let _ = writeln!(self.items, "inputs {{ u }} force {x} = u;");
            let _ = write!(self.scenario, "u = {u:?}; ");
        }
    }

    /// Dry friction of some coordinates in one system of five, drawn apart: the others are what they were.
    fn rub(&mut self, rng: &mut Rng) {
        if rng.u32(..5) > 0 || self.items.contains("dissipation") {
            return;
        }
        self.case.keeps_energy = false;
        let terms: Vec<String> = (0..=rng.usize(..self.n))
            .map(|i| format!("{:?}*abs({}_dot)", f64::from(rng.i32(1..=800)) / 1e3, NAMES[i]))
            .collect();
        let _ = writeln!(self.items, "dissipation = {};", terms.join(" + "));
    }

    fn law(&mut self) -> String {
        match self.rng.u32(..9) {
            0 | 1 => "elastic".to_owned(),
            2 => "plastic".to_owned(),
            3 => "project".to_owned(),
            4 => "restitution(0)".to_owned(),
            5 => "restitution(1)".to_owned(),
            _ => format!("restitution({:?})", self.within(0.1, 0.95)),
        }
    }

    fn contact(&mut self, gap: &str) {
        let law = self.law();
        let offset = self.parameter(0.0);
        let _ = writeln!(
            self.items,
            "contact c{} {{ gap = {gap} + {offset}; impact = {law}; }}",
            self.case.contacts
        );
        self.case.contacts += 1;
    }

    fn wide_contacts(&mut self) {
        let room = 6 - self.case.contacts;
        for _ in 0..self.rng.usize(..=3.min(room)) {
            let found = self.wide();
            let sign = if self.chance(5) { 1.0 } else { -1.0 };
            let touches = !self.has_rows && self.chance(1);
            self.case.touches |= touches;
            let room = if touches { 0.0 } else { self.within(0.05, 0.8) };
            let shift = room - sign * found.start;
            let sign = if sign > 0.0 { "" } else { "-" };
            self.contact(&format!("{sign}({}) + {}", found.text, number(shift)));
        }
    }

    /// Planes, bowls, waves.
    fn wide(&mut self) -> Expression {
        let (i, j) = (self.coordinate(), self.coordinate());
        let (x, y, qx, qy) = (NAMES[i], NAMES[j], self.q[i], self.q[j]);
        let (a, b) = (self.within(-1.0, 1.0), self.within(0.2, 1.0));
        let (text, start) = match self.rng.u32(..5) {
            0 | 1 => (x.to_owned(), qx),
            2 => (format!("{}*{x} + {b:?}*{y}", number(a)), a * qx + b * qy),
            3 => (format!("{x}^2 + {b:?}*{y}^2"), qx * qx + b * qy * qy),
            _ => (format!("{y} - {}*sin(3*{x})", number(a)), qy - a * (3.0 * qx).sin()),
        };
        Expression { text, start }
    }

    fn text(&self) -> String {
        let parameters = if self.parameters.is_empty() {
            String::new()
        } else {
            format!("parameters {{ {} }}", self.parameters.join(", "))
        };
        let mut scenario = self.scenario.clone();
        for (i, name) in NAMES[..self.n].iter().enumerate() {
            let _ = write!(scenario, "{name} = {:?}; {name}_dot = {:?}; ", self.q[i], self.v[i]);
        }
        format!(
            "system S {{ coordinates {{ {} }} {parameters}\n{}scenario s {{ t = {:?}; {scenario}until t = {:?}; }} }}",
            NAMES[..self.n].join(", "),
            self.items,
            self.t,
            self.t + self.span,
        )
    }

    /// The path of the smooth part; its start where that is refused, as the whole then is.
    fn walk(&mut self) {
        self.path = self.walked();
        if self.path.is_empty() {
            self.path.push(State::new(self.t, self.q.clone(), self.v.clone()));
        }
    }

    fn walked(&self) -> Vec<State> {
        let Ok(system) = Interpreted::new(&self.text()) else { return Vec::new() };
        let times: Arc<[f64]> =
            (1..POINTS).map(|i| self.t + self.span * i as f64 / POINTS as f64).collect();
        let options = Options {
            sampling: Sampling::At(times),
            relative_tolerance: 1e-9,
            events_max: 50,
            steps_max: 2000,
            ..Options::default()
        };
        run_scenario(&system, "s", &options).map_or(Vec::new(), |run| run.samples)
    }

    /// A place on the path, behind the start.
    fn place(&mut self) -> State {
        let first = usize::from(self.path.len() > 2);
        self.path[self.rng.usize(first..self.path.len())].clone()
    }

    fn width(&mut self) -> f64 {
        self.pick(&[0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4])
    }

    /// What is narrow: forces, contacts, events.
    fn narrow(&mut self) {
        if self.chance(3) {
            self.narrow_force();
        }
        let room = 6 - self.case.contacts.min(6);
        let count = self.rng.usize(..=room.min(3));
        for _ in 0..count {
            let found = self.narrow_guard();
            if found.start.abs() < 1e-6 || !found.start.is_finite() {
                continue;
            }
            let sign = if found.start < 0.0 { "-" } else { "" };
            self.contact(&format!("{sign}({})", found.text));
        }
        if self.chance(2) {
            let found = self.narrow_guard();
            self.event(&found.text, "");
        }
    }

    fn narrow_force(&mut self) {
        let (place, w) = (self.place(), self.width());
        let i = self.coordinate();
        let (x, px) = (NAMES[i], place.q[i]);
        let size = self.within(-2.0, 2.0);
        if self.items.contains("potential") || self.chance(4) {
            self.case.keeps_energy = false;
            self.case.gains_none = false;
            let s = place.t;
            self.case.features.push(Feature { coordinate: None, place: s, width: w });
            if !self.items.contains("force") {
                let pulse = number(size / w);
                let _ = writeln!(
                    self.items,
                    "force {x} = {pulse}*exp(-((t - {})/{w:?})^2);",
                    number(s)
                );
            }
        } else {
            self.case.features.push(Feature { coordinate: Some(i), place: px, width: w });
            let _ = writeln!(
                self.items,
                "potential = {}*exp(-(({x} - {})/{w:?})^2);",
                number(size),
                number(px)
            );
        }
    }

    /// A guard that turns, jumps, or ends on a part of the path.
    fn narrow_guard(&mut self) -> Expression {
        let (place, w, i) = (self.place(), self.width(), self.coordinate());
        let j = if self.n > 1 { (i + 1 + self.rng.usize(..self.n - 1)) % self.n } else { i };
        let (x, y, qx, qy) = (NAMES[i], NAMES[j], self.q[i], self.q[j]);
        let off = w * self.within(-1.2, 1.2);
        let (px, py, s) = (place.q[i], place.q[j] + off, place.t);
        let h = self.within(0.05, 0.5);
        let (dx, dy, dt) = (qx - px, qy - py, self.t - s);
        let (tx, ty) = (format!("({x} - {})", number(px)), format!("({y} - {})", number(py)));
        let tt = format!("(t - {})", number(s));
        let width = format!("{w:?}");
        let kind = self.rng.u32(if i == j { 4 } else { 0 }..18);
        let (text, start) = match kind {
            0 => (format!("sqrt({tx}^2 + {ty}^2) - {width}"), dx.hypot(dy) - w),
            1 => (format!("{tx}^2 + {ty}^2 - {width}^2"), dx * dx + dy * dy - w * w),
            2 => (
                format!("{ty} + {h:?} - 2*{h:?}*exp(-({tx}/{width})^2)"),
                dy + h - 2.0 * h * (-(dx / w).powi(2)).exp(),
            ),
            3 => (
                format!("{ty} + {h:?} - 2*{h:?}/(1 + ({tx}/{width})^2)"),
                dy + h - 2.0 * h / (1.0 + (dx / w).powi(2)),
            ),
            4 => (format!("abs{tx} - {width}"), dx.abs() - w),
            5 => (format!("{tx}^2 - {width}^2"), dx * dx - w * w),
            6 => (format!("sqrt(abs{tx}) - {h:?}"), dx.abs().sqrt() - h),
            7 => (format!("1/{tx} + {}", number(h)), 1.0 / dx + h),
            8 => (format!("1/{tx}^2 - {h:?}/{width}"), 1.0 / (dx * dx) - h / w),
            9 => (format!("{tx}^3"), dx.powi(3)),
            10 => (format!("{tx}^4 - {width}^4"), dx.powi(4) - w.powi(4)),
            11 => {
                let σ = dx.signum();
                (format!("{h:?} + sqrt({}*{tx})", number(σ)), h + (σ * dx).sqrt())
            }
            12 => {
                let σ = dx.signum();
                (format!("20 + ln({}*{tx})", number(σ)), 20.0 + (σ * dx).ln())
            }
            13 => (format!("2 + asin({tx} + {})", number(-dx)), 2.0),
            14 => (format!("tanh({tx}/{width}) + {h:?}"), (dx / w).tanh() + h),
            15 => (format!("sin({tx}/{width}) + 0.9"), (dx / w).sin() + 0.9),
            _ => {
                self.case.gains_none = false;
                (
                    format!("{tx} + {h:?} - 2*{h:?}*exp(-({tt}/{width})^2)"),
                    dx + h - 2.0 * h * (-(dt / w).powi(2)).exp(),
                )
            }
        };
        let feature = if kind > 15 {
            Feature { coordinate: None, place: s, width: w }
        } else {
            Feature { coordinate: Some(i), place: px, width: w }
        };
        self.case.features.push(feature);
        Expression { text, start }
    }

    fn declared_events(&mut self) {
        while self.chance(3) && self.events < 3 {
            let i = self.coordinate();
            let x = NAMES[i];
            let k = self.pick(&[1.0, 3.0, 10.0, 37.0]);
            let level = self.within(-1.0, 1.0);
            let guard = match self.rng.u32(..5) {
                0 | 1 => format!("sin({k:?}*t)"),
                2 => format!("sin({k:?}*{x} + 1)"),
                3 => format!("{x} - {}", number(level)),
                _ => format!("{x}_dot - {}", number(level)),
            };
            let (a, j) = (self.within(-1.0, 1.0), self.coordinate());
            let reset = match self.rng.u32(..6) {
                0 if !self.has_rows => format!("reset {{ {x}_dot = {}*{x}_dot; }}", number(a)),
                1 if !self.has_rows => {
                    self.case.gains_none = false;
                    format!("reset {{ {0}_dot = {0}_dot + {1}; }}", NAMES[j], number(0.3 * a))
                }
                2 if !self.has_rows => {
                    self.case.gains_none = false;
                    format!("reset {{ {0} = {0} + {1}; }}", NAMES[j], number(0.1 * a))
                }
                _ => String::new(),
            };
            self.event(&guard, &reset);
        }
    }

    fn event(&mut self, guard: &str, reset: &str) {
        let direction = ["falling", "rising", "both"][self.rng.usize(..3)];
        let _ = writeln!(
            self.items,
            "event e{} {{ guard = {guard}; {direction}; {reset} }}",
            self.events
        );
        self.events += 1;
    }

    fn finish(self) -> Case {
        let (text, end) = (self.text(), self.t + self.span);
        Case { text, end, ..self.case }
    }
}
