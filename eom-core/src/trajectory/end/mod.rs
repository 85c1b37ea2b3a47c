//! Why a run ended: one type, with the time and the numbers.

mod words;

use crate::error::{ImpactError, Residual};
use crate::friction::FrictionError;
use crate::info::SystemInfo;
use crate::linear::singular::SingularMass;
use crate::snapshot::words::choice;
use std::fmt;
pub use words::Counted;

/// Why a run ended. Whatever the reason, the trajectory holds what was computed before it, and
/// nothing after.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum End {
    /// The time asked for.
    ReachedTime {
        /// When.
        t: f64,
    },
    /// The number of impacts asked for.
    ReachedImpacts {
        /// When.
        t: f64,
        /// How many.
        impacts: usize,
    },
    /// The number of events asked for.
    ReachedEvents {
        /// When.
        t: f64,
        /// The declared event that was counted; without one all of them, impacts too.
        event: Option<&'static str>,
        /// How many.
        events: usize,
    },
    /// The observer asked to stop.
    Interrupted {
        /// When.
        t: f64,
    },
    /// The mass matrix loses rank: accelerations grow without bound.
    SingularMass {
        /// When.
        t: f64,
        /// At which state, and against which velocities nothing has inertia.
        mass: SingularMass,
    },
    /// Only an impact or an event would end the run, and none came in 10⁶ of the motion's own time scales,
    /// each the size that the method proposes for a step, or in a time so long that the time of one
    /// could not be told from its neighbours in double precision.
    NoImpact {
        /// When.
        t: f64,
        /// How many impacts there were.
        impacts: usize,
    },
    /// No step is small enough for the tolerance.
    StepUnderflow {
        /// When.
        t: f64,
        /// The step that was still too large.
        step: f64,
    },
    /// A quantity is infinite or not a number.
    NonFinite {
        /// The last time at which everything was finite.
        t: f64,
        /// Which quantity.
        what: String,
    },
    /// Coulomb's law of friction, or that of a force with a normal force, has no solution there, or several with other
    /// accelerations: Painlevé's paradox.
    FrictionParadox {
        /// When.
        t: f64,
        /// The contacts whose friction it is.
        contacts: Vec<&'static str>,
        /// Their coefficients μ; none where it is not friction, but a declared force.
        coefficients: Vec<f64>,
        /// There are several; else there is none.
        several: bool,
    },
    /// More contacts bear a body than its rows determine the forces of, four feet on a plane, and what their friction does
    /// depends on how they share the load.
    UndeterminedForces {
        /// When.
        t: f64,
        /// The contacts.
        contacts: Vec<&'static str>,
    },
    /// The metric is lost, or the state cannot be brought back to its constraints.
    OffConstraints {
        /// When.
        t: f64,
        /// What is violated; empty where the mass matrix is not positive definite.
        residuals: Vec<Residual>,
    },
    /// Constraints that are kept become dependent: their forces have no value there, and what follows
    /// is not told by the equations.
    DependentRows {
        /// The last time at which their forces are known well enough.
        t: f64,
        /// The names of their rows; a single one becomes zero.
        rows: Vec<&'static str>,
    },
    /// The largest number of steps.
    StepBudget {
        /// When.
        t: f64,
        /// How many.
        steps: u64,
    },
    /// The largest number of impacts and events.
    EventBudget {
        /// When.
        t: f64,
        /// How many.
        events: usize,
    },
    /// The largest number of samples of a run that has no time at which it ends, and whose samples nobody takes.
    SampleBudget {
        /// When.
        t: f64,
        /// How many.
        samples: usize,
    },
    /// No contact forces ≥ 0, or impulses ≥ 0, keep the gaps of these contacts from closing: they
    /// squeeze what cannot yield, or their rows depend on the constraints.
    ImpossibleContact {
        /// When.
        t: f64,
        /// The contacts that touch.
        contacts: Vec<&'static str>,
        /// There are more of them than can be sorted out.
        too_many: bool,
    },
    /// At one time contacts open and close again without end, or more often than can be right: which of
    /// them are closed from there on cannot be told in double precision.
    UndecidedMode {
        /// When.
        t: f64,
        /// The contacts that touch; none where events or slips follow each other faster than times can be told apart.
        contacts: Vec<&'static str>,
    },
    /// Contacts are struck one after another that close at times, or at rates, that cannot be told apart,
    /// and their order decides what comes of it.
    UndecidedOrder {
        /// When.
        t: f64,
        /// The contacts.
        contacts: Vec<&'static str>,
    },
    /// Contacts that give back all they take are struck in turn without end, all at one time: bodies
    /// without room between them.
    EndlessImpacts {
        /// When.
        t: f64,
        /// The contacts that still close.
        contacts: Vec<&'static str>,
    },
    /// The impulses of a time step do not come to rest: no velocity after it was found.
    UnsolvedStep {
        /// When it begins.
        t: f64,
        /// The contacts that act in it.
        contacts: Vec<&'static str>,
    },
    /// A reset put the state behind a contact.
    Penetrates {
        /// When.
        t: f64,
        /// The contact.
        contact: &'static str,
        /// The gap.
        gap: f64,
        /// The most negative gap that would be accepted.
        tolerance: f64,
    },
    /// The impact law leaves the gap closing.
    LawLeavesGapClosing {
        /// When.
        t: f64,
        /// The contact.
        contact: &'static str,
        /// ġ⁺ < 0.
        rate: f64,
    },
    /// A guard comes to zero and turns back, all within what rounding of its arguments does to
    /// it: whether it crosses, and when, cannot be told in double precision. A grazing contact.
    UnresolvedEvent {
        /// When it is nearest to zero, or where its crossing was found.
        t: f64,
        /// The contact or event.
        guard: &'static str,
        /// Its value there.
        value: f64,
        /// The rounding ρ of that value.
        rounding: f64,
    },
    /// The resets of a declared event turn its guard back at zero again and again, at times that cannot be told
    /// apart any more: what comes behind their limit is not declared.
    AccumulatingEvent {
        /// When.
        t: f64,
        /// The event.
        event: &'static str,
    },
    /// Impacts accumulate, and what each of them changes, or a reset between them, does not fall with them: behind their limit
    /// there is no state.
    NoLimit {
        /// When.
        t: f64,
        /// The contact, or one of those that take turns.
        contact: &'static str,
    },
    /// A guard has a pole here, or leaves the domain of one of its functions: whether it passes zero is
    /// not defined beyond.
    SingularGuard {
        /// When, to a billionth of a step.
        t: f64,
        /// The contact or event.
        guard: &'static str,
    },
    /// Velocities and accelerations are zero to rounding and do not depend on t, and only an
    /// impact or an event would end the run: none will come.
    AtRest {
        /// When.
        t: f64,
    },
    /// A run in higher precision comes to what only runs in double precision follow.
    NotFollowed {
        /// When.
        t: f64,
        /// The contact.
        contact: &'static str,
        /// What it is.
        why: Unfollowed,
    },
    /// What dry friction does cannot be told: a negative coefficient, or a problem that was not
    /// solved; without an error, contacts and friction exclude one another.
    ImpossibleFriction {
        /// When.
        t: f64,
        /// Of what, where it is of one term.
        friction: Option<&'static str>,
        /// Why.
        error: Option<FrictionError>,
    },
    /// An impact has no result.
    ImpossibleImpact {
        /// When.
        t: f64,
        /// The contact.
        contact: &'static str,
        /// Why.
        error: ImpactError,
    },
}

/// What a run in higher precision does not follow: it knows free flight and impacts of one contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Unfollowed {
    /// The contact stays closed.
    Rests,
    /// It is struck, or touches, together with another.
    Together,
    /// Its impacts follow each other faster than the digits tell.
    Accumulates,
}

impl fmt::Display for Unfollowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rests => "stays closed from here on",
            Self::Together => "is touched together with another contact",
            Self::Accumulates => "is struck faster than the digits tell: its impacts accumulate",
        })
    }
}

impl End {
    /// Whether the run reached what was asked of it.
    pub fn is_complete(&self) -> bool {
        matches!(
            self,
            Self::ReachedTime { .. } | Self::ReachedImpacts { .. } | Self::ReachedEvents { .. }
        )
    }

    /// One thing to do about it; `None` where the run did what was asked.
    pub fn help(&self) -> Option<&'static str> {
        // table
        match self {
            Self::ReachedTime { .. }
            | Self::ReachedImpacts { .. }
            | Self::ReachedEvents { .. }
            | Self::Interrupted { .. } => None,
            Self::SingularMass { mass, .. } => Some(mass.help()),
            Self::NoImpact { .. } | Self::AtRest { .. } => {
                Some("end the run by a time, or start so that the contact or the event is reached")
            }
            Self::StepUnderflow { .. } => Some(
                "end the run before, and look at what grows there: a force without bound, or a motion \
                 too fast for the tolerances; a stiff system needs the implicit method, `radau`; what takes the sign of a velocity is friction, `dissipation = c*abs(ẋ);`",
            ),
            Self::NonFinite { .. } => Some(
                "end the run before, and look at what has no value there: a division by zero, the root \
                 or logarithm of a negative number, a number beyond 1e308",
            ),
            Self::OffConstraints { .. } => Some(
                "look at the constraints there: one may have no solution beyond this state, or depend \
                 on the others",
            ),
            Self::DependentRows { .. } => Some(
                "end the run before, or choose lengths with which the constraints stay independent: \
                 beyond such a position a mechanism can go on in several ways",
            ),
            Self::StepBudget { .. } => Some(
                "allow more steps, or ask for less accuracy or time; a stiff system, with a motion that \
                 dies out far faster than the others, needs the implicit method, `radau`",
            ),
            Self::EventBudget { .. } => Some("allow more events, or end the run before"),
            Self::SampleBudget { .. } => Some(
                "give a time at which the run ends, too, or sample less often, or take the samples as they come",
            ),
            Self::ImpossibleContact { too_many: true, .. } => Some(
                "go by time stepping, `moreau`, with a step: it takes many contacts, to first order",
            ),
            Self::ImpossibleContact { .. } => {
                Some("remove a contact that presses against the others, or start elsewhere")
            }
            Self::UndecidedMode { contacts, .. } if contacts.is_empty() => Some(
                "begin at a smaller t: what is far from t = 0 is told to 16 roundings of t, and all within is one moment",
            ),
            Self::UndecidedMode { .. } => Some(
                "change the initial values a little: forces of these contacts are zero to the last digit",
            ),
            Self::UndeterminedForces { .. } => Some(
                "leave out contacts until the others determine their forces (three feet stand on a plane), put springs between them and the body, or go on by time stepping, `moreau`",
            ),
            Self::UndecidedOrder { .. } => Some(
                "declare `impacts { … } = joint;` for these contacts, or change the initial values a little",
            ),
            Self::EndlessImpacts { .. } => {
                Some("give these contacts a restitution below 1, or leave room between them")
            }
            Self::UnsolvedStep { .. } => {
                Some("take a shorter step, or masses that are less far apart")
            }
            Self::Penetrates { .. } => Some("let the reset leave the gap positive"),
            Self::LawLeavesGapClosing { .. } => {
                Some("give the contact another law: `restitution(e)` opens the gap")
            }
            Self::UnresolvedEvent { .. } => Some(
                "take more digits, `eom run … --precision 40`, or change the initial values a little: this motion \
                 touches without crossing, to the last digit",
            ),
            Self::AccumulatingEvent { .. } => Some(
                "declare a contact in place of the event: its impacts are followed to their limit and beyond; or let \
                 another event end the run before",
            ),
            Self::NoLimit { .. } => Some(
                "end the run before, as by `until impacts = 10;`, or let the law, or the reset, change less as the impacts do",
            ),
            Self::SingularGuard { .. } => Some(
                "end the run before, or write the gap or guard so that it has a value there: it may divide by \
                 zero, or take the root or logarithm of a negative number",
            ),
            Self::FrictionParadox { .. } => Some(
                "end the run before, lower the coefficients, or declare `impacts = tangential;`: rigid bodies with so \
                 much friction jam or jump there, which Coulomb's law does not tell; what jams then takes an impulse \
                 that stops its slip. Time stepping, `moreau`, goes on too",
            ),
            Self::NotFollowed { .. } => Some(
                "end the run before, or leave out `--precision`: double precision follows this",
            ),
            Self::ImpossibleFriction { .. } => Some(
                "look at the coefficient of friction there: 0 ≤ μ ≤ μ_s has to hold along the whole motion",
            ),
            Self::ImpossibleImpact { .. } => {
                Some("give the contact another law, or start elsewhere")
            }
        }
    }

    /// The time of the end.
    pub fn t(&self) -> f64 {
        match self {
            Self::ReachedTime { t }
            | Self::ReachedImpacts { t, .. }
            | Self::ReachedEvents { t, .. }
            | Self::Interrupted { t }
            | Self::SingularMass { t, .. }
            | Self::NoImpact { t, .. }
            | Self::StepUnderflow { t, .. }
            | Self::NonFinite { t, .. }
            | Self::OffConstraints { t, .. }
            | Self::DependentRows { t, .. }
            | Self::StepBudget { t, .. }
            | Self::EventBudget { t, .. }
            | Self::SampleBudget { t, .. }
            | Self::ImpossibleContact { t, .. }
            | Self::UndecidedMode { t, .. }
            | Self::UndeterminedForces { t, .. }
            | Self::UndecidedOrder { t, .. }
            | Self::EndlessImpacts { t, .. }
            | Self::UnsolvedStep { t, .. }
            | Self::Penetrates { t, .. }
            | Self::LawLeavesGapClosing { t, .. }
            | Self::UnresolvedEvent { t, .. }
            | Self::AccumulatingEvent { t, .. }
            | Self::NoLimit { t, .. }
            | Self::SingularGuard { t, .. }
            | Self::AtRest { t }
            | Self::NotFollowed { t, .. }
            | Self::ImpossibleFriction { t, .. }
            | Self::FrictionParadox { t, .. }
            | Self::ImpossibleImpact { t, .. } => *t,
        }
    }

    /// Of dry friction that has no answer.
    pub(crate) fn impossible_friction(t: f64, info: &SystemInfo, error: FrictionError) -> Self {
        let friction = error.term().and_then(|term| info.frictions.get(term));
        Self::ImpossibleFriction { t, friction: friction.map(|term| term.name), error: Some(error) }
    }
}

choice! { End {
    0 => ReachedTime { t },
    1 => ReachedImpacts { t, impacts },
    2 => ReachedEvents { t, event, events },
    3 => Interrupted { t },
    4 => SingularMass { t, mass },
    5 => NoImpact { t, impacts },
    6 => StepUnderflow { t, step },
    7 => NonFinite { t, what },
    8 => OffConstraints { t, residuals },
    9 => DependentRows { t, rows },
    10 => StepBudget { t, steps },
    11 => EventBudget { t, events },
    12 => ImpossibleContact { t, contacts, too_many },
    13 => UndecidedMode { t, contacts },
    14 => UndecidedOrder { t, contacts },
    15 => EndlessImpacts { t, contacts },
    16 => Penetrates { t, contact, gap, tolerance },
    17 => LawLeavesGapClosing { t, contact, rate },
    18 => UnresolvedEvent { t, guard, value, rounding },
    19 => SingularGuard { t, guard },
    20 => AtRest { t },
    21 => ImpossibleFriction { t, friction, error },
    22 => ImpossibleImpact { t, contact, error },
    23 => FrictionParadox { t, contacts, coefficients, several },
    24 => AccumulatingEvent { t, event },
    25 => UnsolvedStep { t, contacts },
    26 => NotFollowed { t, contact, why },
    27 => UndeterminedForces { t, contacts },
    28 => SampleBudget { t, samples },
    29 => NoLimit { t, contact },
} }
choice! { Unfollowed { 0 => Rests, 1 => Together, 2 => Accumulates } }
