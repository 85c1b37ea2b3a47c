//! The mistakes of the resolver: what can be wrong in a declaration that parses. What is said of each
//! stands in `words`.

pub(crate) mod elsewhere;
mod habits;
mod nonlinear;
mod phrases;
mod resistance;
mod surface;
mod words;

use crate::ast::{Ident, Lost, Region};
use crate::diagnostic::Errors;
use eom_symbolic::Exceeded;
use eom_symbolic::mechanics::Resisted;
pub(crate) use surface::SurfaceFault;

/// A mistake in a declaration that parses.
#[derive(Debug, Clone)]
pub(crate) enum Mistake {
    /// A name that is not declared.
    UnknownName { name: String, near: Option<String> },
    /// A velocity, an acceleration or a differential of something that is not declared.
    UnknownBase { name: String, base: String },
    /// A function that does not exist.
    UnknownFunction { name: String, near: Option<String> },
    /// d/dt of something, with its name where it is one.
    Leibniz { of: String, name: Option<String> },
    /// A function that others have, and what is written here.
    FunctionElsewhere { name: String, instead: &'static str },
    /// A name that others have, or that of a function without its brackets, and what is written here.
    NameElsewhere { name: String, instead: String },
    /// `diff(x, t)`, with the dotted name where one is meant.
    DerivativeCall { function: String, of: Option<String> },
    /// `diff(energy, ẋ)`, a partial derivative.
    PartialCall { function: String, of: String, by: String },
    /// `[x, y] [0, 0]`: two points without a comma.
    TwoPoints { left: String, right: String },
    /// A gap that no motion changes.
    StillGap { contact: String },
    /// A guard that stays as it is along every motion.
    StillGuard { event: String },
    /// Brackets behind a name that is no function.
    NotAFunction { name: String, what: &'static str, of_time: bool },
    /// A wrong number of arguments.
    Arguments { function: String, expected: usize, found: usize },
    /// A declared name that another declaration has.
    Taken { name: String, by: &'static str, first: Option<String> },
    /// Two items of one kind with one name.
    Duplicate { what: &'static str, name: String },
    /// A reserved word as a name.
    Reserved { name: String },
    /// A declared name with a dot or a side.
    DottedName { name: String, base: String },
    /// A declared name `dx` beside `x`.
    Differential { name: String, base: String },
    /// A declared name `f_x` beside a function f of x.
    IsPartial { name: String, function: String },
    /// A partial by something that is no argument.
    UnknownPartial { name: String, function: String, arguments: String },
    /// An argument of a function that is no coordinate.
    NotAnArgument { name: String, near: Option<String> },
    /// One argument twice.
    ArgumentTwice { name: String },
    /// No arguments of a function, or too many.
    ArgumentCount { function: String, found: usize },
    /// A symbol where it has no meaning.
    NotHere { name: String, what: &'static str, place: &'static str, allowed: &'static str },
    /// A shape that is given other than it takes.
    ShapeArguments { shape: &'static str, form: String, found: usize },
    /// What is drawn in space only, where points are in the plane.
    ShapeInSpace { shape: &'static str, form: String },
    /// A point with other components than the others.
    ShapePoint { expected: &'static str, found: String },
    /// A size or an angle of a shape that is no number.
    ShapeNumber { form: String, found: String },
    /// A ground in space that is no height.
    GroundInSpace,
    /// A `let` that contains itself.
    Cycle { names: Vec<String> },
    /// A `let` whose differential is taken depends on velocities.
    DifferentialOfVelocity { name: String },
    /// A derivative of something that has none.
    NoDerivative { name: String, what: &'static str },
    /// A value of another shape.
    Shape { expected: &'static str, found: String },
    /// Two operands that do not fit.
    Shapes { operation: &'static str, left: String, right: String },
    /// An index of an array that it does not have.
    NoElement { name: String, values: Vec<i64> },
    /// An index or an end of a range that is not made of whole numbers.
    NotAnIndex,
    /// An end of an integral that depends on more than t, coordinates and parameters.
    IntegralEnd { name: String },
    /// A declared function of the variable of an integral.
    FunctionInIntegral,
    /// A range in which nothing lies.
    EmptyRange { range: String },
    /// A range of more than is unrolled.
    LongRange { limit: i64 },
    /// Definitions that refer to definitions after them, one after another.
    LetsTooDeep { limit: usize },
    /// Sums whose terms, written out, come to too much.
    LongUnrolling { limit: usize },
    /// Expressions or numbers that grow beyond all use.
    TooLarge { system: String, what: Exceeded },
    /// More is to be computed than code is written for.
    LongPrograms { system: String, statements: usize, limit: usize },
    /// A whole array whose elements are no vectors of one length.
    Whole { name: String },
    /// An index past the end, or not a number.
    Index { length: usize },
    /// No energy.
    NoEnergy { system: String },
    /// Both forms of energy.
    KineticAndLagrangian,
    /// `potential` beside `lagrangian`.
    PotentialWithLagrangian,
    /// `force` on something else.
    NotACoordinate { name: String, near: Option<String> },
    /// A force that is not affine in the multipliers.
    NotAffineInMultipliers,
    /// Two forces on one coordinate or speed.
    ForceTwice { coordinate: String },
    /// A quasi-velocity that is not Σ W q̇.
    QuasiNotLinear { name: String },
    /// More or fewer quasi-velocities than coordinates in them.
    QuasiCount { count: usize, coordinates: Vec<String>, missing: Vec<(String, String)> },
    /// Quasi-velocities from which the velocities do not follow.
    QuasiSingular { coordinates: Vec<String> },
    /// Too many coupled quasi-velocities.
    QuasiCoupled { count: usize },
    /// A quasi-velocity of others.
    QuasiInQuasi { name: String },
    /// A quasi-velocity of a rotation.
    RotationInQuasi { name: String },
    /// An initial value of a velocity that quasi-velocities replace.
    Covered { name: String, speeds: Vec<String> },
    /// `relabel` of a coordinate whose velocity quasi-velocities replace.
    RelabelCovered { name: String },
    /// An orientation that is no product of turns.
    Orientation,
    /// A motion of a system with a rotation.
    MotionOfRotation { name: String },
    /// `dx` and `ẋ` in one row.
    MixedRow,
    /// A term of a 1-form without a differential.
    BareTerm,
    /// A row of a contact, or of differentials, that is not affine in the velocities.
    NotAffine,
    /// A row of `constraints` that is not affine in the velocities.
    Nonlinear { name: String },
    /// `free …;` beside a row that is not affine in the velocities.
    FreeWithNonlinear { row: String },
    /// A row without velocities.
    NoVelocity { name: String },
    /// A holonomic row without coordinates.
    NoCoordinate { name: String },
    /// A motion of something that is no coordinate.
    NotMoving { name: String, near: Option<String> },
    /// A restitution of impulses or works where nothing slips.
    ProcessWithoutFriction { law: String },
    /// `friction(contact)` of a contact without friction.
    NoFriction { contact: String, resisted: Resisted },
    /// In a force what is neither λ of a row nor of a contact.
    ContactMultiplier {
        /// The contact.
        contact: String,
    },
    /// A row 0 = 0.
    EmptyRow { name: String },
    /// A component of a vector row that is 0 = 0.
    EmptyComponent { name: String },
    /// A restitution outside [0, 1].
    Restitution { value: String, low: i64 },
    /// A slip that no friction acts on.
    SlipWithoutFriction { of: String, resisted: Resisted },
    /// Friction of what does not slip.
    FrictionWithoutSlip { of: String, resisted: Resisted },
    /// A slip that is no direction and no plane.
    SlipSize { found: String, resisted: Resisted, most: usize },
    /// A slip in which nothing moves.
    SlipWithoutVelocity { resisted: Resisted },
    /// A slip that is the rate of the gap.
    SlipAlongGap { contact: String },
    /// Of a point on a surface.
    Surface(SurfaceFault),
    /// Coefficients of two directions where there is one, or where it sticks with another one.
    FrictionPair { resisted: Resisted },
    /// A negative coefficient of friction.
    NegativeFriction { value: String },
    /// A coefficient of friction that changes with a velocity.
    FrictionOfVelocity { name: String, what: &'static str },
    /// A coefficient at rest below that in motion.
    FrictionOrder,
    /// A claim at a contact with friction, or while it is closed.
    ClaimWithFriction { contact: String },
    /// A claim while a contact with friction is closed, of which it does not say what it does.
    SticksOrSlides { contact: String },
    /// What a contact with friction cannot have.
    BesideFriction { contact: String, what: &'static str },
    /// What a contact cannot have whose normal force stands in a force.
    BesideBorne { held: String, contact: String, what: &'static str },
    /// The friction of a row that is a matrix of several.
    RowOfMany { name: String },
    /// The friction of a row that has some.
    RowTwice { name: String },
    /// What a contact cannot have where a row has friction.
    BesideRowFriction { row: String, contact: String, what: &'static str },
    /// `friction(row)` of a row without friction.
    NoRowFriction { row: String },
    /// A claim of forces, accelerations or impacts where a row has friction.
    ClaimWithRowFriction { row: String },
    /// A name in `free` that is no speed.
    NotASpeed { name: String, speeds: Vec<String> },
    /// A speed that is free twice.
    FreeTwice { name: String },
    /// A second `free`.
    FreeAgain,
    /// Free speeds that are too many or too few.
    FreeCount { given: usize, speeds: usize, rows: usize },
    /// A speed that does not follow from those that are free.
    NotDetermined { name: String },
    /// `relabel` of something that is no coordinate.
    NotRelabelled { name: String, near: Option<String> },
    /// `assign` of something that is no velocity.
    NotAVelocity { name: String, near: Option<String> },
    /// A row of a contact where only the system's rows have a meaning.
    RowOfContact { name: String },
    /// The multiplier of a row that is in force while its contact is closed.
    ClosedOnly { name: String },
    /// A row that is not in B at an impact.
    Released { row: String, contact: String },
    /// The corner conditions of a contact with rows of its own.
    CornerRows { contact: String },
    /// A reset or initial value of something that is not part of the state.
    NotState { name: String, near: Option<String> },
    /// A parameter where a state is set.
    SetParameter { name: String },
    /// What no claim of a motion can set or vary.
    NotVaried { name: String, near: Option<String> },
    /// A value assigned twice.
    AssignedTwice { name: String },
    /// `impacts` is said twice of a contact, or of the system.
    ImpactsTwice { contact: Option<String> },
    /// `impacts` in a system without contacts.
    NoImpacts,
    /// `solve` in a system without rows.
    NothingSolves { name: String },
    /// A scenario without an end.
    NoEnd { scenario: String },
    /// A scenario that ends by what is no event.
    UnknownEnd { name: String, near: Option<String> },
    /// What is said of a motion from an unknown scenario.
    UnknownScenario { name: String, near: Option<String> },
    /// What is said of a motion, and is nothing that there is.
    NoQuantity { text: String, near: Option<&'static str> },
    /// A quantity of a motion with other arguments, or an index, than it takes.
    QuantityForm { word: &'static str, form: &'static str },
    /// A claim about an unknown contact.
    UnknownContact { name: String, near: Option<String> },
    /// A multiplier of an unknown row.
    UnknownRow { name: String, near: Option<String> },
    /// A motion that leaves out a coordinate.
    MotionIncomplete { coordinate: String },
    /// Quantities of impacts in a claim without a contact.
    NeedsContact { what: String },
    /// The force of a contact that is not closed.
    NeedsClosed { name: String, contact: String },
    /// A literal no f64 holds.
    Literal { text: String },
    /// A division by zero.
    Undefined,
    /// `allow` of a name that is no diagnosis.
    UnknownDiagnosis { name: String, near: Option<String> },
    /// `allow` of what leaves nothing to solve.
    NeverAllowed { name: String },
    /// No coordinates.
    NoCoordinates { system: String },
}

impl Mistake {
    /// That of a function with another number of arguments.
    pub(crate) fn of_count(function: &Ident, expected: usize, found: usize) -> Result<(), Self> {
        if expected == found {
            return Ok(());
        }
        Err(Self::Arguments { function: function.text.clone(), expected, found })
    }

    /// The least that has to be lost for it to be no mistake of its own: what is missed may have stood there.
    fn excused_by(&self) -> Option<Lost> {
        // table
        match self {
            Self::UnknownName { .. }
            | Self::UnknownBase { .. }
            | Self::UnknownFunction { .. }
            | Self::NameElsewhere { .. }
            | Self::UnknownContact { .. }
            | Self::UnknownRow { .. }
            | Self::NothingSolves { .. }
            | Self::NoCoordinates { .. } => Some(Lost::Items),
            Self::UnknownEnd { .. } => Some(Lost::Apart),
            _ => None,
        }
    }

    /// Records the mistake at its place.
    pub(crate) fn report(self, errors: &mut Errors, at: impl Into<Region>) {
        if self.excused_by().is_some_and(|least| errors.lost() >= least) {
            return;
        }
        let (message, help) = self.words();
        errors.error(at, message, help);
    }
}
