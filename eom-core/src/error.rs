//! Why a run cannot start, and why an impact cannot happen: typed, with numbers.

use crate::linear::singular::{SINGULAR_HELP, SingularMass};
use crate::moreau::SteppingRefusal;
use crate::snapshot::words::{choice, value};
use crate::system::ParameterError;
use eom_elementary::Digits;
use std::fmt::{self, Write};

/// A matrix that should be the metric of a kinetic energy is not positive definite.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("the mass matrix is not positive definite: pivot {pivot:e} at speed {index}")]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NotPositiveDefinite {
    /// The speed whose pivot is not positive.
    pub index: usize,
    /// The pivot; not a number where the matrix is not finite.
    pub pivot: f64,
}

/// An impact that has no result.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum ImpactError {
    /// There is no metric.
    #[error(transparent)]
    Metric(#[from] NotPositiveDefinite),
    /// ∇g is a combination of the constraint rows: no impulse can change the gap rate.
    #[error("the gap's gradient depends on the constraint rows, so no impulse changes its rate")]
    Dependent,
    /// The law leaves ġ⁺ < 0; `project` can.
    #[error("the law leaves the gap closing at rate {rate:e}")]
    LeavesGapClosing {
        /// ġ⁺.
        rate: f64,
    },
    /// The law leaves A v⁺ + b ≠ 0, or with the relabelled coordinates.
    #[error("the law leaves constraint {row} violated: A v + b = {residual:e}")]
    LeavesConstraint {
        /// The row of A, by its index.
        row: usize,
        /// A v⁺ + b.
        residual: f64,
    },
    /// A contact is closed at the start of a run, and an own row of it does not hold.
    #[error("it starts closed while its row `{row}` slips at {rate:e}")]
    Slips {
        /// The row.
        row: &'static str,
        /// A_c v + b_c.
        rate: f64,
    },
    /// Restitutions of normal and tangential rows that add up to more energy than there was.
    #[error("the law multiplies the kinetic energy by {factor}")]
    AddsEnergy {
        /// T⁺/T⁻.
        factor: f64,
    },
    /// A restitution out of its range, or not a number.
    #[error("restitution {e} is not in [{low}, 1]")]
    Restitution {
        /// e.
        e: f64,
        /// The smallest that is allowed.
        low: f64,
    },
    /// The impact of a contact with friction is not one of this contact alone.
    #[error("the contact has friction, whose impacts a run makes with all that touches")]
    Friction,
    /// Stronge's restitution compares works, which those that are struck by other laws together with it do not tell.
    #[error(
        "`stronge` goes by the works of all that is struck together, and `{other}` has another law: `stronge`, too, or no \
         restitution would do"
    )]
    OtherLaw {
        /// One of the others.
        other: &'static str,
    },
    /// No end of compression or of restitution was found.
    #[error("the impact has no end: friction does not let the contact separate")]
    Endless,
    /// By their works contacts that are struck together pass the same energy on.
    #[error("the impact has no end: what is struck together is struck again and again")]
    EndlessTogether,
    /// A row, a velocity or the result is infinite or not a number.
    #[error("the impact is not finite")]
    NotFinite,
}

/// Why the impacts of several contacts at a state have no outcome.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TogetherError {
    /// There is no metric.
    #[error(transparent)]
    Metric(#[from] NotPositiveDefinite),
    /// The law of a contact has a meaning for it alone: it projects, assigns, releases or relabels.
    #[error("the law of `{contact}` is for an impact of this contact alone")]
    Single {
        /// The contact.
        contact: &'static str,
    },
    /// The impacts of a contact with friction are those of all that touches.
    #[error("`{contact}` has friction, whose impacts a run makes with all that touches")]
    Friction {
        /// The contact.
        contact: &'static str,
    },
    /// The order of impacts decides, and cannot be told.
    #[error("which of `{}` is struck first cannot be told, and decides", contacts.join("`, `"))]
    UndecidedOrder {
        /// The contacts.
        contacts: Vec<&'static str>,
    },
    /// Elastic impacts go on for ever.
    #[error("elastic impacts of `{}` do not end", contacts.join("`, `"))]
    Endless {
        /// The contacts that still close.
        contacts: Vec<&'static str>,
    },
    /// No impulses ≥ 0 keep these gaps from closing, or none were found.
    #[error("`{}` {}", contacts.join("`, `"), reason(*too_many))]
    Impossible {
        /// The contacts.
        contacts: Vec<&'static str>,
        /// There are more of them than can be sorted out.
        too_many: bool,
    },
}

/// What a number is not, after it: bounds that all numbers keep are not told.
fn misses(value: f64, low: f64, high: f64) -> String {
    match (value, low, high) {
        _ if value.is_nan() => "is not a number".to_owned(),
        (.., f64::MAX) if value > high => "is not finite".to_owned(),
        (_, f64::MIN_POSITIVE, f64::MAX..) => "is not above 0".to_owned(),
        (.., f64::MAX..) => format!("is less than {}", bound(low)),
        _ if low == high => format!("is not {}", bound(low)),
        _ => format!("is not between {} and {}", bound(low), bound(high)),
    }
}

fn bound(number: f64) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// Why contacts are impossible, after their names.
pub(crate) fn reason(too_many: bool) -> &'static str {
    if too_many {
        "are too many contacts at one time"
    } else {
        "cannot be kept from closing by forces that only push"
    }
}

/// What a residual belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum ResidualKind {
    /// A v + b of a row; also that of the velocity form of a holonomic constraint.
    Velocity,
    /// φ of a holonomic constraint.
    Holonomic,
    /// A gap; its residual is negative where it penetrates.
    Gap,
}

/// A constraint that a state violates.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Residual {
    /// The name of the row or contact.
    pub name: &'static str,
    /// What was measured.
    pub kind: ResidualKind,
    /// Its value, in the units of the row.
    pub value: f64,
    /// The largest magnitude that would be accepted, in the same units.
    pub tolerance: f64,
}

impl fmt::Display for Residual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            ResidualKind::Velocity => "A v + b",
            ResidualKind::Holonomic => "φ",
            ResidualKind::Gap => "gap",
        };
        write!(f, "{}: {what} = {:.3e} (tolerance {:.1e})", self.name, self.value, self.tolerance)
    }
}

/// Why a run could not start.
///
/// `Debug` prints the message and what to do: a `main` that returns the error shows it that way.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum StartError {
    /// A parameter cannot be used.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// A slice has the wrong length.
    #[error("{what}: expected {expected} numbers, found {found}")]
    Length {
        /// Which slice.
        what: &'static str,
        /// Its right length.
        expected: usize,
        /// Its length.
        found: usize,
    },
    /// A number of the start state or of the inputs is infinite or not a number.
    #[error("{name} = {value} is not a finite number")]
    NotFinite {
        /// Which number.
        name: String,
        /// Its value.
        value: f64,
    },
    /// The quaternion of a rotation has not unit length.
    #[error("the quaternion of {name} has length {length}")]
    NotUnit {
        /// The rotation.
        name: &'static str,
        /// Its length.
        length: f64,
    },
    /// A quantity that is to be kept changes along the motion from here.
    #[error("{name} changes along the motion, here at {rate:e} a unit of time: it cannot be kept")]
    NotConserved {
        /// The quantity.
        name: String,
        /// Its rate.
        rate: f64,
    },
    /// An option has no meaning.
    #[error("{name} {} {}", Digits(*value), misses(*value, *low, *high))]
    Option {
        /// Which option.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The smallest allowed value.
        low: f64,
        /// The largest allowed value.
        high: f64,
    },
    /// Sampling times that go back.
    #[error("the sampling times are not in order: {after} comes behind {before}")]
    Unsorted {
        /// The larger one.
        before: f64,
        /// The one behind it.
        after: f64,
    },
    /// The system has no coordinates.
    #[error("there is nothing to integrate: the system has no coordinates")]
    NoCoordinates,
    /// A table of a system, or what bears its friction, names what the system does not have.
    #[error("the system names {what} {index} and has {count} of them")]
    NoSuch {
        /// A contact, a row, a coordinate.
        what: &'static str,
        /// Its index.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// Neither a time nor a number of impacts ends the run.
    #[error("nothing ends the run: give a time, or a number of impacts or events")]
    NoEnd,
    /// Constraint rows depend on one another at the start: a combination of them is zero. What they
    /// hold is held twice, and one direction less than declared.
    #[error("the constraints are dependent at the start, t = {}: {} = 0", Digits(*t), combination(rows))]
    DependentRows {
        /// When.
        t: f64,
        /// The rows of the combination with their parts, that of the last 1.
        rows: Vec<(&'static str, f64)>,
    },
    /// The time is so late that what acts changes within its rounding, by more than the tolerance can bear.
    #[error(
        "t = {t:e} is told to {rounding:.1e} only, and the acceleration of {name} changes by {change:.1e} of its size \
         within that; the relative tolerance is {tolerance:e}"
    )]
    LateTime {
        /// The time of the start.
        t: f64,
        /// From it to the next number.
        rounding: f64,
        /// The velocity whose rate changes most.
        name: String,
        /// How much, as a part of the largest rate.
        change: f64,
        /// The relative tolerance of the run.
        tolerance: f64,
    },
    /// The time is so late that a guard changes its side within its rounding.
    #[error(
        "t = {t:e} is told to {rounding:.1e} only, and `{guard}` changes by {change:.1e} of its size within that: when it \
         is zero cannot be told"
    )]
    LateGuard {
        /// The time of the start.
        t: f64,
        /// From it to the next number.
        rounding: f64,
        /// The contact whose gap it is, or the event.
        guard: &'static str,
        /// How much, as a part of the largest value ahead.
        change: f64,
    },
    /// There is no run by time stepping.
    #[error("{why}")]
    Stepping {
        /// Why.
        why: SteppingRefusal,
    },
    /// An energy has no value at the start, and so the forces that come of it have no meaning.
    #[error("at the start, t = {}, the {part} is {value}", Digits(*t))]
    NoEnergy {
        /// The time of the start.
        t: f64,
        /// Which part of the energy.
        part: &'static str,
        /// What it is instead: not a number, or infinite.
        value: f64,
    },
    /// There is no metric at the start.
    #[error("at the start {0}")]
    Metric(#[from] NotPositiveDefinite),
    /// The mass matrix has no inertia against some velocity at the start.
    #[error("{0}")]
    Singular(SingularMass),
    /// The law of a contact cannot be used.
    #[error("contact `{contact}`: {error}")]
    Law {
        /// The contact.
        contact: &'static str,
        /// What is wrong.
        error: ImpactError,
    },
    /// The start state is off its constraints, or penetrates.
    #[error("the start state violates {}", list(residuals))]
    Inconsistent {
        /// What it violates.
        residuals: Vec<Residual>,
    },
    /// The start state could not be moved to φ = 0.
    #[error("the coordinates cannot be moved to their holonomic constraints: {}", list(residuals))]
    NotProjected {
        /// What it still violates.
        residuals: Vec<Residual>,
    },
    /// The constraints do not determine the unknowns.
    #[error(
        "the constraints do not determine {}: {rank} independent equations for {} unknowns{}",
        names.join(", "),
        names.len(),
        beginning(names, from)
    )]
    Undetermined {
        /// The names of the unknowns.
        names: Vec<String>,
        /// The rank of the equations in the unknowns.
        rank: usize,
        /// The values at which Newton's method was, one an unknown; nothing of equations that are linear.
        from: Vec<f64>,
    },
    /// An unknown's index is not that of a coordinate or speed.
    #[error("unknown coordinate index {index}")]
    NoSuchCoordinate {
        /// The index.
        index: usize,
    },
    /// Newton's method found no coordinates that satisfy the holonomic constraints.
    #[error("no value of {} satisfies the holonomic constraints: {}", names.join(", "), list(residuals))]
    Unsolved {
        /// The names of the unknowns.
        names: Vec<String>,
        /// What is violated where the method stopped.
        residuals: Vec<Residual>,
    },
}

impl fmt::Debug for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)?;
        self.help().map_or(Ok(()), |help| write!(f, "\nhelp: {help}"))
    }
}

impl StartError {
    /// One thing to do about it, where there is one.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::NotUnit { .. } => {
                Some("divide its components w, x, y, z by that length; no rotation is 1, 0, 0, 0")
            }
            Self::Stepping { why } => Some(why.help()),
            Self::NoEnd => {
                Some("set `until_time`, `until_impacts` or `until_events` in the options")
            }
            Self::Inconsistent { residuals }
                if residuals.iter().any(|residual| residual.kind == ResidualKind::Gap) =>
            {
                Some("start outside of the contact, where its gap is positive")
            }
            Self::Inconsistent { .. } => Some(
                "solve velocities from the constraints (`solve` in the scenario, or \
                 `solve_unknowns`), or move the state there with `start: StartPolicy::Project`",
            ),
            Self::Undetermined { from, .. } if !from.is_empty() => Some(
                "give them values near those that are meant: from there Newton's method goes on; else solve for unknowns that \
                 the constraints hold",
            ),
            Self::Undetermined { .. } => {
                Some("solve for unknowns that the constraints hold, and give the others values")
            }
            Self::Singular(mass) => Some(mass.help()),
            Self::Metric(_) => Some(SINGULAR_HELP),
            Self::LateTime { .. } => Some(
                "count the time from a later origin, or give a relative tolerance of that size",
            ),
            Self::LateGuard { .. } => Some("count the time from a later origin"),
            Self::DependentRows { .. } => {
                Some("start elsewhere, or declare only one of the rows that hold the same")
            }
            Self::Parameter(ParameterError::Bound { .. } | ParameterError::NotFinite { .. }) => {
                Some("give the parameter a value within its bound")
            }
            Self::NotFinite { .. } => Some("give it a number"),
            Self::NoEnergy { .. } => Some(
                "start where it has a value: it may divide by zero, take the root or logarithm of a negative number, or \
                 exceed 1e308",
            ),
            Self::NotConserved { .. } => {
                Some("keep what is proven to stay: `eom derive MODEL --form conserved` prints it")
            }
            Self::Option { value, high, .. }
                if *high >= f64::MAX && (value.is_nan() || *value > *high) =>
            {
                Some("give a finite number, or none where something else is to end the run")
            }
            Self::Option { high, .. } if *high >= f64::MAX => Some("give a larger number"),
            Self::Option { .. } => Some("give a value between these"),
            Self::Unsorted { .. } => Some("sort them"),
            Self::Law { .. } => {
                Some("give the contact another law, or its coefficient a value in range")
            }
            Self::NotProjected { .. } => {
                Some("start nearer to the constraints, where their gradients are not zero")
            }
            Self::Unsolved { .. } => Some(
                "start the unknowns nearer to a solution, or change the numbers that are given",
            ),
            Self::Length { .. }
            | Self::NoCoordinates
            | Self::NoSuch { .. }
            | Self::NoSuchCoordinate { .. }
            | Self::Parameter(_) => None,
        }
    }

    /// Refuses a slice of the wrong length.
    pub(crate) fn check_length(
        what: &'static str,
        expected: usize,
        found: usize,
    ) -> Result<(), Self> {
        if expected == found { Ok(()) } else { Err(Self::Length { what, expected, found }) }
    }
}

/// A combination of rows: `2·a - b`.
fn combination(rows: &[(&'static str, f64)]) -> String {
    let mut text = String::new();
    for (index, (name, part)) in rows.iter().enumerate() {
        text += match (index, *part < 0.0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        if (part.abs() - 1.0).abs() > 1e-6 {
            let _ = write!(text, "{:.3}·", part.abs());
        }
        let _ = write!(text, "`{name}`");
    }
    text
}

/// Residuals in one line.
fn list(residuals: &[Residual]) -> String {
    let texts: Vec<String> = residuals.iter().map(ToString::to_string).collect();
    texts.join("; ")
}

value! { NotPositiveDefinite { index, pivot } }

choice! { ImpactError {
    0 => Metric(error),
    1 => Dependent,
    2 => LeavesGapClosing { rate },
    3 => LeavesConstraint { row, residual },
    4 => Slips { row, rate },
    5 => AddsEnergy { factor },
    6 => Restitution { e, low },
    7 => NotFinite,
    8 => Friction,
    9 => OtherLaw { other },
    10 => Endless,
    11 => EndlessTogether,
} }

choice! { ResidualKind { 0 => Velocity, 1 => Holonomic, 2 => Gap } }
value! { Residual { name, kind, value, tolerance } }

/// What is said where the mode cannot be told, of these contacts that touch.
pub(crate) fn undecided(contacts: &[&str]) -> String {
    if contacts.is_empty() {
        return "more happens here than times can be told apart: t is rounded too far".to_owned();
    }
    format!("which of `{}` are closed cannot be told", contacts.join("`, `"))
}

/// Where Newton's method began, ` at y = 0`.
fn beginning(names: &[String], from: &[f64]) -> String {
    let values: Vec<String> =
        names.iter().zip(from).map(|(name, value)| format!("{name} = {value}")).collect();
    if values.is_empty() { String::new() } else { format!(" at {}", values.join(", ")) }
}
