//! The syntax tree: the declaration as it is written, one struct a block, with places and docs kept.
//!
//! Nothing is looked up here: whether a name is a coordinate, a velocity or a `let` is the
//! question of the resolver.

mod draw;
mod expr;
mod law;
mod tex;
mod text;

pub use crate::diagnostic::Region;
pub use draw::{Drawn, DrawnOption, OptionValue};
pub use expr::{Expr, ExprKind, Factor, Number, Range, RangeMistake, Term, Total};
pub(crate) use expr::{LinearSearch, LinearTerm};
pub(crate) use law::word_of;
pub use law::{Law, LawKind, Under};
pub use tex::{Explained, Notation, NotationKey, Tex, TexClaim, TexText};

use eom_symbolic::mechanics::{Along, Named};
use eom_symbolic::name::Name;
use proc_macro2::TokenStream;

/// Lines of doc comment, without the one space after `///`.
pub type Docs = Vec<String>;

/// A name as written, in NFC.
#[derive(Clone, Debug)]
pub struct Ident {
    /// The text.
    pub text: String,
    /// Where it stands.
    pub region: Region,
}

impl Ident {
    /// The name taken apart into base, dots and side.
    #[must_use]
    pub fn name(&self) -> Name {
        Name::parse(&self.text)
    }

    /// Name and documentation of the item that this names.
    #[must_use]
    pub(crate) fn named(&self, docs: &Docs) -> Named {
        let name = self.name();
        Named { name: name.display, key: name.key, doc: docs.join("\n").trim().to_owned() }
    }

    /// The name of an element of the array that this one names: θ̇, 2 → θ̇2.
    #[must_use]
    pub fn element(&self, index: i64) -> Self {
        let mut name = self.name();
        name.display.push_str(&index.to_string());
        Self { text: name.unicode(), region: self.region }
    }
}

/// `pub system Name { … }`. Items of one kind keep their order.
#[derive(Clone, Debug)]
pub struct System {
    /// Doc comment.
    pub docs: Docs,
    /// Attributes other than docs, to be carried over: `#[cfg(…)]`, `#[allow(…)]`.
    pub attributes: TokenStream,
    /// `pub`, `pub(crate)` or nothing.
    pub visibility: TokenStream,
    /// The name of the generated type.
    pub name: Ident,
    /// The document that claims refer to.
    pub document: Option<Document>,
    /// Coordinates.
    pub coordinates: Vec<Declared>,
    /// Quasi-velocities, `u = …` in the velocities of coordinates.
    pub velocities: Vec<Definition>,
    /// Rotations.
    pub rotations: Vec<Rotation>,
    /// Controls.
    pub inputs: Vec<Declared>,
    /// Parameters.
    pub parameters: Vec<Parameter>,
    /// `function f(x, y) = …;`
    pub functions: Vec<SmoothFunction>,
    /// `let name = …;`
    pub lets: Vec<Definition>,
    /// `kinetic = …;`
    pub kinetic: Option<Function>,
    /// `potential = …;`
    pub potential: Option<Function>,
    /// `lagrangian = …;`
    pub lagrangian: Option<Function>,
    /// `dissipation = …;`
    pub dissipation: Option<Function>,
    /// `force x = …;`, the name is the coordinate.
    pub forces: Vec<Definition>,
    /// Rows of `constraints`.
    pub constraints: Vec<Row>,
    /// Rows of `holonomic`.
    pub holonomic: Vec<Row>,
    /// `row wire { slip = …; friction = μ; }`
    pub row_frictions: Vec<RowFriction>,
    /// `free u, θ̇;`, the speeds of the reduced equations.
    pub free: Vec<Free>,
    /// Contacts.
    pub contacts: Vec<Contact>,
    /// `impacts = …;`
    pub impacts: Vec<Impacts>,
    /// Events.
    pub events: Vec<Event>,
    /// Scenarios.
    pub scenarios: Vec<Scenario>,
    /// `output name = …;`
    pub outputs: Vec<Definition>,
    /// What is drawn.
    pub drawn: Vec<Drawn>,
    /// Claims.
    pub claims: Vec<Claim>,
    /// Errata.
    pub errata: Vec<Erratum>,
    /// What claims say of whole motions.
    pub sentences: Vec<Sentence>,
    /// What the symbols of a document stand for.
    pub notation: Vec<Notation>,
    /// Claims and errata in LaTeX; their rows stand among the others once they are read.
    pub printed: Vec<TexClaim>,
    /// What the declaration knows of itself.
    pub allows: Vec<Allow>,
    /// The names declared with indices, in the order in which they stand.
    pub indexed: Vec<Indexed>,
    /// What mistakes of syntax took with them.
    pub lost: Lost,
}

/// What of a declaration could not be read: a name that is not declared may stand there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lost {
    /// Nothing.
    #[default]
    Nothing,
    /// Items on which no equation depends: events, scenarios, outputs, claims.
    Apart,
    /// Items on which others depend: what declares a name, an energy, a row.
    Items,
}

/// `θ[1..=6]`, `x[i in 1..=6]` or `x[0]` where a name is declared: the plain names θ1, …, θ6, which
/// stand in the lists of the system.
#[derive(Clone, Debug)]
pub struct Indexed {
    /// The name without its index.
    pub name: Ident,
    /// The index, where it has a name.
    pub index: Option<Ident>,
    /// The numbers it takes.
    pub values: Vec<i64>,
    /// What is declared.
    pub family: Family,
}

/// What the elements of an array are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Coordinates, inputs, parameters or `let`s: what expressions name.
    Values,
    /// Constraint rows.
    Rows,
    /// Contacts.
    Contacts,
    /// Events.
    Events,
    /// Outputs.
    Outputs,
}

/// `free u, θ̇;`
#[derive(Clone, Debug)]
pub struct Free {
    /// The speeds.
    pub speeds: Vec<Ident>,
    /// From the word to the last of them.
    pub region: Region,
}

/// `allow integrable_row(roll);`, one for each name after `allow`.
#[derive(Clone, Debug)]
pub struct Allow {
    /// The diagnosis.
    pub name: Ident,
    /// For what; empty for all. `roll`, `roll[2]`, `foot.slip`.
    pub subjects: Vec<Ident>,
}

impl Allow {
    /// As written.
    #[must_use]
    pub fn to_text(&self) -> String {
        let subjects: Vec<&str> = self.subjects.iter().map(|s| s.text.as_str()).collect();
        match &subjects[..] {
            [] => self.name.text.clone(),
            subjects => format!("{}({})", self.name.text, subjects.join(", ")),
        }
    }
}

/// `document "title";`
#[derive(Clone, Debug)]
pub struct Document {
    /// The title.
    pub title: String,
    /// Where the title stands.
    pub region: Region,
}

/// A coordinate or an input.
#[derive(Clone, Debug)]
pub struct Declared {
    /// Doc comment.
    pub docs: Docs,
    /// Its name.
    pub name: Ident,
}

/// `rotation R { body: ω_1, ω_2, ω_3 }`
#[derive(Clone, Debug)]
pub struct Rotation {
    /// Doc comment.
    pub docs: Docs,
    /// The name of the matrix, body → space.
    pub name: Ident,
    /// The axes of its angular velocity.
    pub frame: Frame,
    /// The components of the angular velocity.
    pub speeds: [Ident; 3],
}

/// The axes of an angular velocity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// `body`
    Body,
    /// `space`
    Space,
}

/// `R = 0.01 where R > 0`
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Doc comment.
    pub docs: Docs,
    /// Its name.
    pub name: Ident,
    /// Default, in earlier parameters.
    pub default: Option<Expr>,
    /// Bounds, all of which hold.
    pub bounds: Vec<Bound>,
}

/// `x > 0`
#[derive(Clone, Debug)]
pub struct Bound {
    /// Left side.
    pub lhs: Expr,
    /// The comparison.
    pub relation: Relation,
    /// Right side.
    pub rhs: Expr,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

/// `kinetic = …;` and the like.
#[derive(Clone, Debug)]
pub struct Function {
    /// Doc comment.
    pub docs: Docs,
    /// The keyword.
    pub keyword: Region,
    /// Its value.
    pub value: Expr,
}

/// `function f(x, y) = …;`
#[derive(Clone, Debug)]
pub struct SmoothFunction {
    /// Doc comment.
    pub docs: Docs,
    /// Its name.
    pub name: Ident,
    /// The names of coordinates, or `t`.
    pub arguments: Vec<Ident>,
    /// What it is where no other is given.
    pub default: Option<Expr>,
}

/// `let name = …;`, `output name = …;`, `force x = …;`
#[derive(Clone, Debug)]
pub struct Definition {
    /// Doc comment.
    pub docs: Docs,
    /// What is defined.
    pub name: Ident,
    /// Its value.
    pub value: Expr,
}

/// `name: expr` or `name: lhs = rhs`
#[derive(Clone, Debug)]
pub struct Row {
    /// Doc comment.
    pub docs: Docs,
    /// Its name.
    pub name: Ident,
    /// The row, or the left side of its equation.
    pub lhs: Expr,
    /// The right side, where it is an equation.
    pub rhs: Option<Expr>,
}

/// `lhs = rhs`
#[derive(Clone, Debug)]
pub struct Equation {
    /// Left side.
    pub lhs: Expr,
    /// Right side.
    pub rhs: Expr,
}

impl Equation {
    /// Where it stands.
    #[must_use]
    pub fn region(&self) -> Region {
        self.lhs.region.to(self.rhs.region)
    }
}

/// `name = expr;` within a reset, a scenario or a motion.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The left side.
    pub target: Ident,
    /// The value.
    pub value: Expr,
}

/// `contact name { gap = …; impact = …; … }`
#[derive(Clone, Debug)]
pub struct Contact {
    /// Doc comment.
    pub docs: Docs,
    /// Its name.
    pub name: Ident,
    /// What is ≥ 0 while it is open.
    pub gap: Gap,
    /// The law of impact.
    pub law: Law,
    /// `dissipation = …;`
    pub dissipation: Option<Expr>,
    /// `slip = [ẋ, ẏ]; friction = μ;`, `roll = θ̇; rolling = δ;`, `spin = ω; spinning = δ;`, in the order of
    /// [`Resisted::ALL`](eom_symbolic::mechanics::Resisted::ALL).
    pub resists: [Resists; 3],
    /// Rows in force while it is closed.
    pub rows: Vec<Row>,
    /// Where it can fire: all of these hold.
    pub when: Vec<Bound>,
    /// Constraints that are left out at its impact.
    pub releases: Vec<Ident>,
    /// Coordinates that exchange their values after its impact.
    pub relabel: Vec<(Ident, Ident)>,
}

/// How the gap of a contact is told.
#[derive(Clone, Debug)]
pub enum Gap {
    /// `gap = …;`
    Value(Expr),
    /// `point = …; surface(x, y) = …;`
    Surface(Box<Surface>),
}

impl Gap {
    /// Where it is told.
    pub fn region(&self) -> Region {
        match self {
            Self::Value(gap) => gap.region,
            Self::Surface(surface) => surface.height.region,
        }
    }
}

/// `point = [X, Y]; surface(x, y) = y; velocity = [V, 0];`: a point of a body that touches a surface.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Where the point is.
    pub point: Expr,
    /// The names of places in `height`.
    pub arguments: Vec<Ident>,
    /// What is positive outside of the surface.
    pub height: Expr,
    /// How the surface moves along itself.
    pub velocity: Option<Expr>,
}

/// `row wire { slip = …; friction = μ; }`: what a contact says of its friction, of a constraint.
#[derive(Clone, Debug)]
pub struct RowFriction {
    /// The constraint.
    pub name: Ident,
    /// What slips along it, and how much it resists.
    pub resists: Resists,
}

/// What a contact or a constraint resists, and how much.
#[derive(Clone, Debug, Default)]
pub struct Resists {
    /// `slip = [ẋ, ẏ];`
    pub motion: Option<Expr>,
    /// `friction = μ;`
    pub friction: Option<Friction>,
}

/// `friction = μ;`, `friction(μ_s, μ);` or `friction([μ_x, μ_y]);`
#[derive(Clone, Debug)]
pub struct Friction {
    /// μ_s, where it is stated.
    pub at_rest: Option<Expr>,
    /// μ.
    pub sliding: Expr,
    /// The word `friction`, `rolling` or `spinning`.
    pub region: Region,
}

/// `impacts = sequential;` or `impacts { a, b } = joint;`
#[derive(Clone, Debug)]
pub struct Impacts {
    /// The word `impacts`.
    pub keyword: Region,
    /// The contacts it speaks of; all of them without a list.
    pub contacts: Option<Vec<Ident>>,
    /// What is declared of them.
    pub kind: eom_symbolic::mechanics::Impacts,
}

/// `event name { guard = …; rising; reset { … } }`
#[derive(Clone, Debug)]
pub struct Event {
    /// Doc comment.
    pub docs: Docs,
    /// Its name.
    pub name: Ident,
    /// It fires where this passes 0.
    pub guard: Expr,
    /// In which direction, where it is stated; else falling.
    pub direction: Option<Direction>,
    /// New values; right sides are taken before the event.
    pub reset: Vec<Assignment>,
}

/// The direction in which a guard passes 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From + to −.
    Falling,
    /// From − to +.
    Rising,
    /// Either way.
    Both,
}

/// `scenario name { φ = pi/2; solve ẋ, ẏ; until impacts = 20; }`
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Whether some of it could not be read.
    pub incomplete: bool,
    /// Doc comment.
    pub docs: Docs,
    /// Its name.
    pub name: Ident,
    /// The initial state, parameters and `t`, as far as they are named.
    pub initial: Vec<Assignment>,
    /// What the constraints determine.
    pub solve: Vec<Ident>,
    /// End after so many impacts.
    pub until_impacts: Option<u64>,
    /// End after so many events: of the declared event that is named, else impacts and all declared events.
    pub until_events: Option<(Option<Ident>, u64)>,
    /// End at a time.
    pub until_time: Option<Expr>,
}

/// Where a claim is made: `closed a, b slides at contact under law when f = 0, g = 0`
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// Contacts that are closed, with what they do along their surfaces where that is said.
    pub closed: Vec<(Ident, Option<Along>)>,
    /// The contact.
    pub at: Option<Ident>,
    /// The law, where it is not the contact's own.
    pub under: Option<Under>,
    /// Equations that hold besides.
    pub when: Vec<Equation>,
}

/// `claim name …: …;`
#[derive(Clone, Debug)]
pub struct Claim {
    /// Doc comment.
    pub docs: Docs,
    /// Its name, such as `eq25a`.
    pub name: Ident,
    /// Where it is made.
    pub place: Place,
    /// What it states.
    pub statement: Statement,
    /// The statement's tokens.
    pub region: Region,
    /// The LaTeX from which it was read.
    pub tex: Option<Tex>,
}

/// What a claim states.
#[derive(Clone, Debug)]
pub enum Statement {
    /// An equation.
    Equation(Equation),
    /// A motion in closed form.
    Motion(Motion),
}

/// `claim weave of straight with ẋ = 1: re(eigenvalues[1]) = 3.527 within 1e-3;`
#[derive(Clone, Debug)]
pub struct Sentence {
    /// Doc comment.
    pub docs: Docs,
    /// Its name.
    pub name: Ident,
    /// The scenario from which the motion starts.
    pub scenario: Ident,
    /// What is other than there.
    pub settings: Vec<Assignment>,
    /// What it speaks of.
    pub quantity: Expr,
    /// How it compares; `None` for =.
    pub relation: Option<Relation>,
    /// With what.
    pub value: Expr,
    /// How far it may be off.
    pub within: Option<Expr>,
}

/// `motion(ω, x0) { x = …; y = …; }`: coordinates as functions of t and free constants.
#[derive(Clone, Debug)]
pub struct Motion {
    /// The free constants.
    pub constants: Vec<Ident>,
    /// One assignment a coordinate.
    pub components: Vec<Assignment>,
}

/// `erratum name …: printed; corrected: right;`
#[derive(Clone, Debug)]
pub struct Erratum {
    /// Doc comment.
    pub docs: Docs,
    /// Its name.
    pub name: Ident,
    /// Where it is stated.
    pub place: Place,
    /// The printed form, which does not follow.
    pub printed: Equation,
    /// The form that does.
    pub corrected: Equation,
    /// The LaTeX from which it was read.
    pub tex: Option<Tex>,
}
