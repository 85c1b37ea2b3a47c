//! The message table of the resolver: what is wrong, in the user's names, with one thing to do.

use super::phrases::{count, counted, did_you_mean, fitting, indices, near_or, places};
use super::{Mistake, elsewhere, habits, nonlinear, resistance};
use crate::diagnostic::{ENDS, WHOLE_NUMBER};
use eom_symbolic::Exceeded;
use eom_symbolic::mechanics::Quantity;
use eom_symbolic::mechanics::system::kinematics::QUASI_MAX;
use eom_symbolic::pool::SIZE_MAX;

const ARGUMENTS: &str = "declare it of coordinates; it can be taken at any point, `f(a, b)`";
const STATE: &str = "name a coordinate `x` or a velocity `ẋ`; in a scenario also an input or `t`";

impl Mistake {
    /// What is wrong, and one thing to do.
    #[expect(clippy::too_many_lines, reason = "a table: one row a message")]
    pub(super) fn words(self) -> (String, Option<String>) {
        // table
        match self {
            Self::UnknownName { name, near } => (
                format!("`{name}` is not declared"),
                Some(near_or(&name, near, "declare it as a coordinate, parameter, input or `let`")),
            ),
            Self::UnknownBase { name, base } => (
                format!("`{name}` is not declared: there is no `{base}`"),
                Some(format!("declare `{base}` as a coordinate")),
            ),
            Self::UnknownFunction { name, near } => (
                format!("`{name}` is not a function of the language"),
                Some(did_you_mean(&name, near).unwrap_or_else(|| {
                    let known = eom_symbolic::Function::ALL.map(eom_symbolic::Function::name);
                    format!(
                        "the functions are sqrt, {}; a product is written `*`",
                        known.join(", ")
                    )
                })),
            ),
            Self::Leibniz { of, name } => elsewhere::fraction(&of, name.as_deref()),
            Self::ShapeArguments { shape, form, found } => {
                (format!("`{shape}` is not drawn from {}", count(found)), Some(format!("write `{form}`")))
            }
            Self::ShapeInSpace { shape, form } => (
                format!("`{shape}` needs a drawing in space"),
                Some(format!("write all points as `[x, y, z]`: `{form}`")),
            ),
            Self::ShapePoint { expected, found } => (
                format!("a point here is `{expected}`, this is {found}"),
                Some("write all points of a drawing with as many components".to_owned()),
            ),
            Self::ShapeNumber { form, found } => {
                (format!("expected a number, found {found}"), Some(format!("write `{form}`")))
            }
            Self::GroundInSpace => (
                "in space a ground is a height".to_owned(),
                Some("write `ground z = …;` in x and y".to_owned()),
            ),
            Self::FunctionElsewhere { name, instead } => elsewhere::of_function(&name, instead),
            Self::NameElsewhere { name, instead } => elsewhere::of_name(&name, instead),
            Self::DerivativeCall { function, of } => elsewhere::derivative(&function, of),
            Self::PartialCall { function, of, by } => habits::partial(&function, &of, &by),
            Self::TwoPoints { left, right } => habits::two_points(&left, &right),
            Self::StillGap { contact } => (
                format!("the gap of `{contact}` holds no coordinate: no motion closes it"),
                Some("write a distance that the coordinates change, such as `y - r`".to_owned()),
            ),
            Self::StillGuard { event } => (
                format!("the guard of `{event}` stays as it is along every motion: it never passes 0"),
                Some("write what a motion changes, such as `x - 1`, `ẋ` or `t - 2`".to_owned()),
            ),
            Self::NotAFunction { name, what, of_time: true } => elsewhere::of_time(&name, what),
            Self::NotAFunction { name, what, .. } => (
                format!("`{name}` is {what}, not a function"),
                Some(format!("write `{name}*(…)` for a product")),
            ),
            Self::Arguments { function, expected, found } => (
                format!("`{function}` takes {} and is given {found}", count(expected)),
                Some(format!("write `{function}({})`", places(expected))),
            ),
            Self::Taken { name, by, first: None } => {
                (format!("`{name}` is already {by}"), Some("choose another name".to_owned()))
            }
            Self::Taken { name, by, first: Some(first) } => (
                format!("`{name}` is already {by}: `{first}` and `{name}` are one name"),
                Some("choose another name".to_owned()),
            ),
            Self::Duplicate { what, name } => (
                format!("there are two {what}s called `{name}`"),
                Some("choose another name for one of them".to_owned()),
            ),
            Self::Reserved { name } => (
                format!("`{name}` is a word of the language and cannot be declared"),
                Some("choose another name".to_owned()),
            ),
            Self::DottedName { name, base } => (
                format!(
                    "`{name}` reads as a derivative or a side of `{base}`: it cannot be declared"
                ),
                Some("choose a name without a dot, `_dot`, `_plus` or `_minus`".to_owned()),
            ),
            Self::Differential { name, base } => (
                format!("`{name}` is the differential of `{base}`: it cannot be declared"),
                Some("choose another name".to_owned()),
            ),
            Self::IsPartial { name, function } => (
                format!("`{name}` is a partial derivative of `{function}`: it cannot be declared"),
                Some("choose another name".to_owned()),
            ),
            Self::UnknownPartial { name, function, arguments } => (
                format!("`{name}` is no partial derivative of `{function}({arguments})`"),
                Some(format!(
                    "behind `{function}_` stand names of its arguments, as often as it is \
                     differentiated"
                )),
            ),
            Self::NotAnArgument { name, near } => (
                format!("`{name}` is not a coordinate: a function is declared of coordinates or t"),
                Some(near_or(&name, near, ARGUMENTS)),
            ),
            Self::ArgumentTwice { name } => (
                format!("`{name}` is an argument twice"),
                Some("name each argument once".to_owned()),
            ),
            Self::ArgumentCount { function, found: 0 } => (
                format!("`{function}` has no arguments"),
                Some("declare it of coordinates or t, or make it a parameter".to_owned()),
            ),
            Self::ArgumentCount { function, found } => (
                format!(
                    "`{function}` has {found} arguments; a function has at most {}",
                    eom_symbolic::Partial::ARGUMENTS_MAX
                ),
                Some("split it into functions of fewer arguments".to_owned()),
            ),
            Self::NotHere { name, what, place, allowed } => (
                format!("`{name}` is {what}: {place} depends on {allowed} only"),
                Some(habits::not_here(&name, what, place)),
            ),
            Self::Cycle { names } => (
                format!("`let` goes in a circle: {}", names.join(" → ")),
                Some("state one of them without the others".to_owned()),
            ),
            Self::DifferentialOfVelocity { name } => (
                format!("`{name}` depends on velocities: it has no differential in a 1-form"),
                Some("write the row with velocities instead of differentials".to_owned()),
            ),
            Self::NoDerivative { name, what } => (
                format!("`{name}` has no time derivative: it is {what}"),
                Some("take the derivative of coordinates, or of a `let` of them".to_owned()),
            ),
            Self::Shape { expected, found } => (
                format!("expected {expected}, found {found}"),
                Some(match expected {
                    "a number" => "write a number, such as a component `v[1]`".to_owned(),
                    "a vector or a matrix" => {
                        "leave the index out; a unit is said in a comment, `// kg`".to_owned()
                    }
                    _ => format!("write {expected}"),
                }),
            ),
            Self::Shapes { operation, left, right } => (
                format!("{operation} of {left} and {right} has no meaning"),
                Some(fitting(operation).to_owned()),
            ),
            Self::Index { length } => (
                format!("an index is a whole number from 1 to {length}, or a name"),
                Some(format!("write one from 1 to {length}")),
            ),
            Self::NoElement { name, values } if values.len() == 1 && values[0] > 1 => (
                format!("`{name}[{}]` is the only one of its name", values[0]),
                Some(format!("declare more of them by a range: `x[1..={}]`", values[0])),
            ),
            Self::NoElement { name, values } => (
                format!("`{name}` has the indices {}", indices(&values)),
                Some("write one of them".to_owned()),
            ),
            Self::NotAnIndex => (
                "this is not a whole number".to_owned(),
                Some(WHOLE_NUMBER.to_owned()),
            ),
            Self::IntegralEnd { name } => (
                format!(
                    "`{name}` cannot stand in an end of an integral: \
                     it depends on t, coordinates and parameters only"
                ),
                Some("write an end that does not depend on velocities or inputs".to_owned()),
            ),
            Self::FunctionInIntegral => (
                "a declared function of the variable cannot be integrated".to_owned(),
                Some("write its formula out".to_owned()),
            ),
            Self::EmptyRange { range } => (
                format!("nothing lies in `{range}`"),
                Some("the end of `a..b` does not belong to it, that of `a..=b` does".to_owned()),
            ),
            Self::LetsTooDeep { limit } => (
                format!("definitions and brackets within one another are more than {limit} deep"),
                Some("state a `let` before the one that uses it".to_owned()),
            ),
            Self::LongUnrolling { limit } => (
                format!(
                    "with its terms written out the declaration goes beyond {limit} words and signs"
                ),
                Some("shorten the ranges of its sums".to_owned()),
            ),
            Self::TooLarge { system, what: Exceeded::Size } => (
                format!("the expressions of `{system}` grow beyond {SIZE_MAX} terms and factors"),
                Some(
                    "write fewer or shorter expressions; look for products of many sums".to_owned(),
                ),
            ),
            Self::TooLarge { system, what: Exceeded::Number } => (
                format!("a number in `{system}` grows beyond 20,000 digits"),
                Some("choose other units, and lower powers".to_owned()),
            ),
            Self::LongPrograms { system, statements, limit } => (
                format!(
                    "what `{system}` computes takes {statements} operations; code is written for {limit}"
                ),
                Some(
                    "write fewer or shorter expressions, or describe a part as a system of its own"
                        .to_owned(),
                ),
            ),
            Self::LongRange { limit } => (
                format!("a range holds at most {limit} numbers"),
                Some("shorten it; a body of many points has an `integral`".to_owned()),
            ),
            Self::Whole { name } => (
                format!("the elements of `{name}` do not make a vector or a matrix"),
                Some(format!("write one of them: `{name}[1]`")),
            ),
            Self::NoEnergy { system } => (
                format!("`{system}` has no kinetic energy"),
                Some("add `kinetic = …;` (and `potential = …;`) or `lagrangian = …;`".to_owned()),
            ),
            Self::KineticAndLagrangian => (
                "both `kinetic` and `lagrangian` are stated".to_owned(),
                Some("keep `kinetic` and `potential`, or `lagrangian` alone".to_owned()),
            ),
            Self::PotentialWithLagrangian => (
                "`potential` belongs to `kinetic`".to_owned(),
                Some("subtract it inside `lagrangian`".to_owned()),
            ),
            Self::NotACoordinate { name, near } => (
                format!("`{name}` is not a coordinate: forces act on coordinates"),
                Some(
                    did_you_mean(&name, near)
                        .unwrap_or_else(|| "name a coordinate that is declared".to_owned()),
                ),
            ),
            Self::NotAffineInMultipliers => (
                "the force is not affine in the multipliers and frictions".to_owned(),
                Some(
                    "write a(t,q,q̇)*λ(row) + b(t,q,q̇)*friction(contact) + …; with the row's sign such that λ(row) is \
                     positive, |λ| is λ; λ of a contact is never negative"
                        .to_owned(),
                ),
            ),
            Self::ForceTwice { coordinate } => (
                format!("two forces act on `{coordinate}`"),
                Some("write their sum in one `force`".to_owned()),
            ),
            Self::QuasiNotLinear { name } => (
                format!("`{name}` is not linear in the velocities of coordinates"),
                Some(
                    "write a sum of velocities times functions of the coordinates, such as \
                     `cos(θ)*ẋ + sin(θ)*ẏ`"
                        .to_owned(),
                ),
            ),
            Self::QuasiCount { count, coordinates, missing } => (
                format!(
                    "{} for the velocities of {}: {}",
                    counted(count, "quasi-velocity", "quasi-velocities"),
                    counted(coordinates.len(), "coordinate", "coordinates"),
                    coordinates.join(", ")
                ),
                Some(habits::more_speeds(&missing)),
            ),
            Self::QuasiSingular { coordinates } => (
                format!(
                    "the velocities of {} do not follow from these quasi-velocities",
                    coordinates.join(", ")
                ),
                Some("define them independent of each other".to_owned()),
            ),
            Self::QuasiCoupled { count } => (
                format!("{count} quasi-velocities are coupled: they are inverted in closed form"),
                Some(format!("couple at most {QUASI_MAX}")),
            ),
            Self::QuasiInQuasi { name } => (
                format!("`{name}` is a velocity itself: define quasi-velocities by coordinates"),
                Some("write the velocities of coordinates in its place".to_owned()),
            ),
            Self::RotationInQuasi { name } => (
                format!("`{name}` is a rotation: quasi-velocities are of coordinates"),
                Some("the components of its angular velocity are velocities already".to_owned()),
            ),
            Self::Covered { name, speeds } => (
                format!("`{name}` follows from the quasi-velocities"),
                Some(format!("set {} in its place", speeds.join(", "))),
            ),
            Self::RelabelCovered { name } => (
                format!("`{name}` cannot be exchanged: quasi-velocities replace its velocity"),
                Some("exchange coordinates that keep their velocities".to_owned()),
            ),
            Self::Orientation => (
                "an orientation is a product of turns".to_owned(),
                Some(
                    "write `rot_x(a)`, `rot_y(a)`, `rot_z(a)`, `transpose(…)` of them, or products"
                        .to_owned(),
                ),
            ),
            Self::MotionOfRotation { name } => (
                format!("a motion cannot be stated for the rotation `{name}`"),
                Some("claim the equations that the motion satisfies".to_owned()),
            ),
            Self::MixedRow => (
                "differentials and velocities are mixed in one row".to_owned(),
                Some("write all of it with `dx` and `dt`, or all of it with `ẋ`".to_owned()),
            ),
            Self::BareTerm => (
                "a term of this 1-form carries no differential".to_owned(),
                Some("multiply it by `dt`, or write the row with velocities".to_owned()),
            ),
            Self::NotAffine => nonlinear::not_affine(),
            Self::Nonlinear { name } => nonlinear::row(&name),
            Self::FreeWithNonlinear { row } => nonlinear::free(&row),
            Self::NoVelocity { name } => (
                format!("row `{name}` holds no velocity"),
                Some("a constraint on coordinates stands in `holonomic { … }`".to_owned()),
            ),
            Self::NoCoordinate { name } => (
                format!("row `{name}` holds no coordinate: it restricts nothing"),
                Some("a relation of parameters is a default or a `let`".to_owned()),
            ),
            Self::NotMoving { name, near } => (
                format!("`{name}` is not a coordinate: a motion says what the coordinates do"),
                Some(
                    did_you_mean(&name, near)
                        .unwrap_or_else(|| "name a coordinate that is declared".to_owned()),
                ),
            ),
            Self::EmptyRow { name } => (
                format!("row `{name}` is 0 = 0: it restricts nothing"),
                Some("remove it".to_owned()),
            ),
            Self::EmptyComponent { name } => (
                format!("`{name}` is 0 = 0: it is no row and has no multiplier"),
                Some("leave it out".to_owned()),
            ),
            Self::SlipWithoutFriction { of, resisted } => resistance::without(&of, resisted),
            Self::FrictionWithoutSlip { of, resisted } => resistance::of_nothing(&of, resisted),
            Self::SlipSize { found, resisted, most } => resistance::size(&found, resisted, most),
            Self::SlipWithoutVelocity { resisted } => resistance::still(resisted),
            Self::SlipAlongGap { contact } => resistance::along_gap(&contact),
            Self::Surface(fault) => fault.words(),
            Self::FrictionPair { resisted } => resistance::pair(resisted),
            Self::RowOfMany { name } => resistance::of_many(&name),
            Self::RowTwice { name } => resistance::twice(&name),
            Self::BesideRowFriction { row, contact, what } => resistance::beside_row(&row, &contact, what),
            Self::FrictionOfVelocity { name, what } => resistance::of_velocity(&name, what),
            Self::NoRowFriction { row } => resistance::no_row(&row),
            Self::ClaimWithRowFriction { row } => resistance::claim(&row),
            Self::NegativeFriction { value } => resistance::negative(&value),
            Self::FrictionOrder => resistance::order(),
            Self::SticksOrSlides { contact } => resistance::sticks_or_slides(&contact),
            Self::ClaimWithFriction { contact } => resistance::claim_at(&contact),
            Self::BesideBorne { held, contact, what } => (
                format!("`{held}` stands in a force, and contact `{contact}` has {what}"),
                Some("keep one of them; the force acts at the impact as well".to_owned()),
            ),
            Self::BesideFriction { contact, what } => resistance::beside(&contact, what),
            Self::Restitution { value, low: 0 } => (
                format!("a restitution of {value} is outside [0, 1]"),
                Some("0 is plastic, 1 is elastic".to_owned()),
            ),
            Self::Restitution { value, low } => (
                format!("a restitution of {value} is outside [{low}, 1]"),
                Some("1 reverses the slip, 0 stops it, -1 leaves it".to_owned()),
            ),
            Self::NotASpeed { name, speeds } => (
                format!("`{name}` is not a velocity: `free` names those of the reduced equations"),
                Some(format!("name some of {}", speeds.join(", "))),
            ),
            Self::FreeTwice { name } => (
                format!("`{name}` is free twice"),
                Some("name each velocity once".to_owned()),
            ),
            Self::FreeAgain => (
                "`free` is stated twice".to_owned(),
                Some("name all velocities that are free in one".to_owned()),
            ),
            Self::FreeCount { given, speeds, rows } => (
                format!(
                    "the constraints leave {} of {speeds} velocities free, and {given} are named",
                    speeds.saturating_sub(rows)
                ),
                Some(match speeds.saturating_sub(rows) {
                    0 => "leave `free` out: the constraints determine all velocities".to_owned(),
                    free => format!("name {free}"),
                }),
            ),
            Self::NotDetermined { name } => (
                format!("the constraints do not give {name} as a function of the velocities that are free"),
                Some(format!("name {name} as free in place of another one")),
            ),
            Self::NotRelabelled { name, near } => (
                format!("`{name}` is not a coordinate: `relabel` exchanges coordinates"),
                Some(
                    did_you_mean(&name, near)
                        .unwrap_or_else(|| "name a coordinate that is declared".to_owned()),
                ),
            ),
            Self::NotAVelocity { name, near } => (
                format!("`{name}` is not a velocity: `assign` gives velocities after the impact"),
                Some(
                    did_you_mean(&name, near)
                        .unwrap_or_else(|| "name the velocity of a coordinate, `ẋ`".to_owned()),
                ),
            ),
            Self::RowOfContact { name } => (
                format!("`{name}` is a row of a contact: only claims about that contact know it"),
                Some(
                    "write `claim name at contact: …` or `claim name closed contact: …`".to_owned(),
                ),
            ),
            Self::ClosedOnly { name } => (
                format!("`{name}` has a multiplier only while its contact is closed"),
                Some(format!(
                    "write `claim … closed contact: …`, or at its impact `impulse({name})`"
                )),
            ),
            Self::Released { row, contact } => (
                format!("contact `{contact}` releases `{row}`: it is no row of B at its impact"),
                Some("speak of a row that stays".to_owned()),
            ),
            Self::CornerRows { contact } => (
                format!("the corner conditions do not say what the rows of `{contact}` do"),
                Some("write another law after `under`".to_owned()),
            ),
            Self::NotState { name, near } => (
                format!("`{name}` is not part of the state"),
                Some(near_or(&name, near, STATE)),
            ),
            Self::SetParameter { name } => (
                format!("`{name}` is a parameter, not part of the state"),
                Some(format!("give its value where it is declared, or to a run: `--set {name}=2`")),
            ),
            Self::NotVaried { name, near } => (
                format!("`{name}` is no parameter, input or part of the state"),
                Some(near_or(&name, near, "name a parameter, input, coordinate `x` or velocity `ẋ`")),
            ),
            Self::AssignedTwice { name } => {
                (format!("`{name}` is given twice"), Some("keep one of the values".to_owned()))
            }
            Self::UnknownDiagnosis { name, near } => (
                format!("`{name}` is not the name of a diagnosis"),
                Some(near_or(&name, near, "the names stand in brackets in what `eom check` says")),
            ),
            Self::NeverAllowed { name } => (
                format!("`{name}` cannot be allowed: no accelerations follow from such equations"),
                Some("remove it, and what it is about".to_owned()),
            ),
            Self::NothingSolves { name } => (
                format!("there is no constraint from which `{name}` could be solved"),
                Some(format!("give it a value: `{name} = …;`")),
            ),
            Self::NoEnd { scenario } => (
                format!("scenario `{scenario}` has no end"),
                Some("add `until t = …;` or `until impacts = …;`".to_owned()),
            ),
            Self::UnknownEnd { name, near } => (
                format!("a scenario cannot end by `{name}`"),
                Some(near_or(&name, near, ENDS)),
            ),
            Self::ImpactsTwice { contact: Some(name) } => (
                format!("`impacts` speaks of contact `{name}` twice"),
                Some("name it in one group".to_owned()),
            ),
            Self::ImpactsTwice { contact: None } => (
                "`impacts` is stated twice for all contacts".to_owned(),
                Some(
                    "keep one, or name the contacts of each: `impacts { a, b } = joint;`"
                        .to_owned(),
                ),
            ),
            Self::NoImpacts => (
                "there is no contact that `impacts` could speak of".to_owned(),
                Some("add `contact … { … }`, or leave it out".to_owned()),
            ),
            Self::UnknownScenario { name, near } => (
                format!("there is no scenario `{name}`"),
                Some(near_or(&name, near, "name one that is declared, or add `scenario … { … }`")),
            ),
            Self::NoQuantity { text, near } => (
                format!("`{text}` is nothing that can be said of a motion"),
                Some(did_you_mean(&text, near.map(str::to_owned)).unwrap_or_else(|| {
                    let forms = Quantity::TABLE.map(|row| row.form);
                    format!("write one of: {}", forms.join("; "))
                })),
            ),
            Self::QuantityForm { word, form } => (
                format!("`{word}` of a motion is asked for in another form"),
                Some(format!("write `{form}`")),
            ),
            Self::UnknownContact { name, near } => (
                format!("there is no contact `{name}`"),
                Some(near_or(&name, near, "name one that is declared, or add `contact … { … }`")),
            ),
            Self::UnknownRow { name, near } => (
                format!("there is no constraint `{name}`"),
                Some(
                    did_you_mean(&name, near)
                        .unwrap_or_else(|| "name a row of `constraints` or `holonomic`".to_owned()),
                ),
            ),
            Self::ProcessWithoutFriction { law } => (
                format!("`{law}` is a law of contacts with friction"),
                Some(
                    "without friction it is `restitution(e)`, which is written so; or add `slip = …; friction = μ;`"
                        .to_owned(),
                ),
            ),
            Self::NoFriction { contact, resisted } => resistance::none(&contact, resisted),
            Self::ContactMultiplier { contact } => (
                format!(
                    "of the forces of contact `{contact}` a force may hold `λ({contact})` and its friction"
                ),
                Some(format!(
                    "write `λ({contact})`, `friction({contact})`, `rolling({contact})` or `spinning({contact})`; \
                     else let its `constraints` or its `dissipation` act at it"
                )),
            ),
            Self::MotionIncomplete { coordinate } => (
                format!("the motion does not say what `{coordinate}` does"),
                Some(format!("add `{coordinate} = …;`")),
            ),
            Self::NeedsContact { what } => (
                format!("`{what}` has a meaning at an impact only"),
                Some("write `claim name at contact: …`".to_owned()),
            ),
            Self::NeedsClosed { name, contact } => (
                format!("`{name}` is a force only while the contact is closed"),
                Some(format!("write `claim name closed {contact}: …`")),
            ),
            Self::Literal { text } => (
                format!("`{text}` is outside the numbers that f64 holds"),
                Some("choose other units".to_owned()),
            ),
            Self::Undefined => (
                "this has no value: it divides by zero, or leaves the domain of a function"
                    .to_owned(),
                Some("change the number that makes it so".to_owned()),
            ),
            Self::NoCoordinates { system } => (
                format!("`{system}` has no coordinates"),
                Some("add `coordinates { … }`".to_owned()),
            ),
        }
    }
}
