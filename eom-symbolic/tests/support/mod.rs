//! Declarations for the tests: a small reader of expressions, and a few systems.

#![allow(dead_code, reason = "each test binary uses its own part")]

use eom_symbolic::mechanics::{
    Contact, Coordinate, Input, Law, Let, Named, Parameter, Restitution, Row, RowKind, Speed,
    SystemModel,
};
use eom_symbolic::name;
use eom_symbolic::{ExprId, ExprPool, Function, Rational, SymbolKind};

/// A declaration under construction.
pub(crate) struct Declaration {
    pub(crate) model: SystemModel,
}

fn named(name: &str) -> Named {
    Named { name: name.to_owned(), key: name::key(name), doc: String::new() }
}

impl Declaration {
    pub(crate) fn new(coordinates: &[&str], parameters: &[&str]) -> Self {
        let mut pool = ExprPool::new();
        let time = pool.symbol(SymbolKind::Time, "t");
        let parameters = parameters
            .iter()
            .enumerate()
            .map(|(i, p)| Parameter {
                named: named(p),
                symbol: pool.symbol(SymbolKind::Parameter(i), p),
                default: None,
                default_text: String::new(),
                bounds: Vec::new(),
                bound_text: String::new(),
            })
            .collect();
        let declared = coordinates.iter().enumerate().map(|(i, q)| {
            let position = pool.symbol(SymbolKind::Coordinate(i), q);
            let speed = Speed {
                named: named(q),
                dots: 1,
                velocity: pool.symbol(SymbolKind::Velocity(i), &name::dotted(q, 1)),
                acceleration: pool.symbol(SymbolKind::Acceleration(i), &name::dotted(q, 2)),
            };
            (Coordinate { named: named(q), position }, speed)
        });
        let (coordinates, speeds): (Vec<_>, Vec<_>) = declared.unzip();
        let n = coordinates.len();
        let model = SystemModel {
            pool,
            named: named("System"),
            document: String::new(),
            time,
            coordinates,
            speeds,
            rotations: Vec::new(),
            kinematics: None,
            parameters,
            inputs: Vec::new(),
            functions: Vec::new(),
            lets: Vec::new(),
            kinetic: Some(ExprPool::ZERO),
            potential: Some(ExprPool::ZERO),
            lagrangian: ExprPool::ZERO,
            dissipation: ExprPool::ZERO,
            norms: Vec::new(),
            forces: vec![ExprPool::ZERO; n],
            lines: Vec::new(),
            rows: Vec::new(),
            row_frictions: Vec::new(),
            empty_rows: Vec::new(),
            free: Vec::new(),
            contacts: Vec::new(),
            events: Vec::new(),
            scenarios: Vec::new(),
            sentences: Vec::new(),
            outputs: Vec::new(),
            drawing: None,
            claims: Vec::new(),
        };
        Self { model }
    }

    pub(crate) fn input(mut self, name: &str) -> Self {
        let index = self.model.inputs.len();
        let symbol = self.model.pool.symbol(SymbolKind::Input(index), name);
        self.model.inputs.push(Input { named: named(name), symbol });
        self
    }

    pub(crate) fn define(mut self, name: &str, value: &str) -> Self {
        let value = self.parse(value);
        self.model.lets.push(Let { named: named(name), value });
        self
    }

    pub(crate) fn energies(mut self, kinetic: &str, potential: &str) -> Self {
        let (kinetic, potential) = (self.parse(kinetic), self.parse(potential));
        self.model.kinetic = Some(kinetic);
        self.model.potential = Some(potential);
        self.model.lagrangian = self.model.pool.sub(kinetic, potential);
        self
    }

    pub(crate) fn lagrangian(mut self, value: &str) -> Self {
        self.model.lagrangian = self.parse(value);
        (self.model.kinetic, self.model.potential) = (None, None);
        self
    }

    pub(crate) fn dissipation(mut self, value: &str) -> Self {
        self.model.dissipation = self.parse(value);
        self
    }

    pub(crate) fn force(mut self, coordinate: usize, value: &str) -> Self {
        self.model.forces[coordinate] = self.parse(value);
        self
    }

    /// A row given as the expression of velocities that vanishes.
    pub(crate) fn row(mut self, name: &str, residual: &str) -> Self {
        let residual = self.parse(residual);
        let velocities = self.model.velocities();
        let coefficients = self.model.pool.gradient(residual, &velocities);
        let affine = velocities.iter().zip(&coefficients).fold(residual, |rest, (v, a)| {
            let v = self.model.pool.symbol_expr(*v);
            let term = self.model.pool.mul(*a, v);
            self.model.pool.sub(rest, term)
        });
        let affine = eom_symbolic::simplify::simplify(&mut self.model.pool, affine);
        self.model.rows.push(Row {
            named: named(name),
            kind: RowKind::Velocity,
            coefficients,
            affine,
            declared: residual,
        });
        self
    }

    pub(crate) fn contact(mut self, name: &str, gap: &str, law: Law, law_text: &str) -> Self {
        let gap = self.parse(gap);
        self.model.contacts.push(Contact {
            named: named(name),
            gap,
            law,
            law_text: law_text.to_owned(),
            impacts: None,
            dissipation: ExprPool::ZERO,
            borne: Vec::new(),
            frictions: Vec::new(),
            restitution: Restitution::Newton,
            rows: Vec::new(),
            when: Vec::new(),
            when_text: String::new(),
            extents: Vec::new(),
            releases: Vec::new(),
            relabel: Vec::new(),
            assigned: Vec::new(),
        });
        self
    }

    /// Reads an expression of declared names; `let` names and their dots are written out.
    pub(crate) fn parse(&mut self, text: &str) -> ExprId {
        let tokens = tokens(text);
        let mut reader = Reader { model: &mut self.model, tokens, at: 0 };
        let e = reader.sum();
        assert_eq!(reader.at, reader.tokens.len(), "{text}");
        e
    }
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut joined = false;
    for c in text.chars() {
        let part =
            c.is_alphanumeric() || c == '_' || c == '.' || ('\u{300}'..'\u{370}').contains(&c);
        match tokens.last_mut() {
            Some(last) if part && joined => last.push(c),
            _ if c == ' ' => {}
            _ => tokens.push(c.to_string()),
        }
        joined = part;
    }
    tokens
}

struct Reader<'m> {
    model: &'m mut SystemModel,
    tokens: Vec<String>,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn take(&mut self, wanted: &str) -> bool {
        let found = self.peek() == wanted;
        self.at += usize::from(found);
        found
    }

    fn sum(&mut self) -> ExprId {
        let negative = self.take("-");
        let mut sum = self.product();
        if negative {
            sum = self.model.pool.neg(sum);
        }
        loop {
            if self.take("+") {
                let term = self.product();
                sum = self.model.pool.add(sum, term);
            } else if self.take("-") {
                let term = self.product();
                sum = self.model.pool.sub(sum, term);
            } else {
                return sum;
            }
        }
    }

    fn product(&mut self) -> ExprId {
        let mut product = self.power();
        loop {
            if self.take("*") {
                let factor = self.power();
                product = self.model.pool.mul(product, factor);
            } else if self.take("/") {
                let factor = self.power();
                product = self.model.pool.div(product, factor);
            } else {
                return product;
            }
        }
    }

    fn power(&mut self) -> ExprId {
        let base = self.atom();
        if !self.take("^") {
            return base;
        }
        let exponent = self.power();
        self.model.pool.pow(base, exponent)
    }

    fn atom(&mut self) -> ExprId {
        let token = self.peek().to_owned();
        self.at += 1;
        if token == "(" {
            let e = self.sum();
            assert!(self.take(")"), "no ) in {:?}", self.tokens);
            return e;
        }
        if let Some(value) = Rational::from_decimal(&token) {
            return self.model.pool.number(&value);
        }
        if self.peek() == "(" {
            return self.call(&token);
        }
        self.name(&token)
    }

    fn call(&mut self, function: &str) -> ExprId {
        self.at += 1;
        if function == "λ" {
            let row = self.peek().to_owned();
            self.at += 1;
            assert!(self.take(")"));
            let row = self
                .model
                .rows
                .iter()
                .position(|r| r.named.name == row)
                .expect("a row of the model");
            let symbol = self
                .model
                .pool
                .find_symbol(SymbolKind::Multiplier(row))
                .expect("it has a multiplier");
            return self.model.pool.symbol_expr(symbol);
        }
        let mut arguments = vec![self.sum()];
        while self.take(",") {
            arguments.push(self.sum());
        }
        assert!(self.take(")"));
        if function == "sqrt" {
            return self.model.pool.sqrt(arguments[0]);
        }
        self.model.pool.call(Function::from_name(function).expect("a function"), &arguments)
    }

    fn name(&mut self, text: &str) -> ExprId {
        let wanted = name::Name::parse(text);
        if let Some(value) =
            self.model.lets.iter().find(|l| l.named.key == wanted.key).map(|l| l.value)
        {
            let mut time = self.model.time_direction();
            return (0..wanted.dots).fold(value, |e, _| time.derivative(&mut self.model.pool, e));
        }
        let symbols = self.model.pool.symbols();
        let plain = wanted.unicode();
        let kind = symbols.iter().find(|s| s.name == plain).map(|s| s.kind);
        let kind = kind.or_else(|| (plain == "π").then_some(SymbolKind::Pi));
        let kind = kind.unwrap_or_else(|| panic!("unknown name {text}"));
        let symbol = self.model.pool.symbol(kind, &plain);
        self.model.pool.symbol_expr(symbol)
    }
}

pub(crate) fn penny() -> Declaration {
    Declaration::new(&["x", "y", "θ", "φ"], &["R", "m", "I", "J", "a", "b"])
        .energies("m/2*(ẋ^2 + ẏ^2) + I/2*θ̇^2 + J/2*φ̇^2", "0")
        .row("roll_x", "ẋ - R*cos(φ)*θ̇")
        .row("roll_y", "ẏ - R*sin(φ)*θ̇")
        .contact(
            "front",
            "1 - ((x + R*cos(φ))/a)^2 - ((y + R*sin(φ))/b)^2",
            Law::of(ExprPool::ONE),
            "restitution(1)",
        )
}

pub(crate) fn pendulum() -> Declaration {
    Declaration::new(&["θ"], &["m", "l", "g"]).energies("m*l^2*θ̇^2/2", "m*g*l*(1 - cos(θ))")
}

pub(crate) fn spherical_pendulum() -> Declaration {
    Declaration::new(&["θ", "φ"], &["m", "l", "g"])
        .define("X", "l*sin(θ)*cos(φ)")
        .define("Y", "l*sin(θ)*sin(φ)")
        .define("Z", "-l*cos(θ)")
        .energies("m/2*(Ẋ^2 + Ẏ^2 + Ż^2)", "m*g*Z")
}

pub(crate) fn double_pendulum() -> Declaration {
    Declaration::new(&["θ1", "θ2"], &["m1", "m2", "l1", "l2", "g"])
        .define("x1", "l1*sin(θ1)")
        .define("y1", "-l1*cos(θ1)")
        .define("x2", "x1 + l2*sin(θ2)")
        .define("y2", "y1 - l2*cos(θ2)")
        .energies("m1/2*(ẋ1^2 + ẏ1^2) + m2/2*(ẋ2^2 + ẏ2^2)", "m1*g*y1 + m2*g*y2")
}

pub(crate) fn sleigh() -> Declaration {
    Declaration::new(&["x", "y", "θ"], &["m", "I", "a"])
        .define("X", "x + a*cos(θ)")
        .define("Y", "y + a*sin(θ)")
        .energies("m/2*(Ẋ^2 + Ẏ^2) + I/2*θ̇^2", "0")
        .row("blade", "ẏ*cos(θ) - ẋ*sin(θ)")
}

/// A disk that rolls down an incline without tilting, with steering, and a wheel of its own: five
/// coordinates, two constraints.
pub(crate) fn inclined_disk() -> Declaration {
    Declaration::new(&["x", "y", "θ", "φ", "ψ"], &["R", "m", "I", "J", "K", "α", "g", "k"])
        .input("u")
        .define("J1", "J + K")
        .energies("m/2*(ẋ^2 + ẏ^2) + I/2*θ̇^2 + J/2*φ̇^2 + K/2*(φ̇ + ψ̇)^2", "-m*g*x*sin(α) + k/2*ψ^2")
        .force(3, "u")
        .row("roll_x", "ẋ - R*cos(φ)*θ̇")
        .row("roll_y", "ẏ - R*sin(φ)*θ̇")
}

/// A homogeneous ball that rolls in a plane, in Euler angles.
pub(crate) fn rolling_ball() -> Declaration {
    Declaration::new(&["x", "y", "ψ", "θ", "φ"], &["m", "R", "I"])
        .energies("m/2*(ẋ^2 + ẏ^2) + I/2*(θ̇^2 + φ̇^2 + ψ̇^2 + 2*φ̇*ψ̇*cos(θ))", "0")
        .row("roll_x", "ẋ - R*(θ̇*sin(ψ) - φ̇*sin(θ)*cos(ψ))")
        .row("roll_y", "ẏ + R*(θ̇*cos(ψ) + φ̇*sin(θ)*sin(ψ))")
}

/// A symmetric top in Euler angles, its angular velocity in body axes by `let`.
pub(crate) fn top() -> Declaration {
    Declaration::new(&["φ", "θ", "ψ"], &["m", "l", "g", "A", "C"])
        .define("s1", "φ̇*sin(θ)*sin(ψ) + θ̇*cos(ψ)")
        .define("s2", "φ̇*sin(θ)*cos(ψ) - θ̇*sin(ψ)")
        .define("s3", "φ̇*cos(θ) + ψ̇")
        .energies("A/2*(s1^2 + s2^2) + C/2*s3^2", "m*g*l*cos(θ)")
}

/// The planar pendulum of `links` unit links in absolute angles.
pub(crate) fn chain(links: usize) -> Declaration {
    let names: Vec<String> = (1..=links).map(|i| format!("θ{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (mut vx, mut vy, mut y) = (String::from("0"), String::from("0"), String::from("0"));
    let (mut kinetic, mut potential) = (String::from("0"), String::from("0"));
    for i in 1..=links {
        vx = format!("{vx} + cos(θ{i})*θ̇{i}");
        vy = format!("{vy} + sin(θ{i})*θ̇{i}");
        y = format!("{y} - cos(θ{i})");
        kinetic = format!("{kinetic} + (({vx})^2 + ({vy})^2)/2");
        potential = format!("{potential} + g*({y})");
    }
    Declaration::new(&names, &["g"]).energies(&kinetic, &potential)
}
