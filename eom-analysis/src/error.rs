//! Why there is no answer.

use eom_core::{ParameterError, StartError};

/// Why a motion has no linearisation, or none was found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AnalysisError {
    /// The system has no program of a function whose derivatives are needed.
    #[error(
        "`{system}` has no derivatives of its {what}: it is written by hand, has an integral, or a function that is \
         given at run time"
    )]
    NoProgram {
        /// The system.
        system: &'static str,
        /// What is needed.
        what: &'static str,
    },
    /// A row is not affine in the velocities.
    #[error(
        "`{system}` has the row `{row}`, which is not affine in the velocities: what is free beside it is not linear"
    )]
    NonlinearRow {
        /// The system.
        system: &'static str,
        /// The row.
        row: &'static str,
    },
    /// The system depends on time.
    #[error(
        "`{system}` depends on the time t: it has no steady motion, and no linearisation that stays"
    )]
    TimeDependent {
        /// The system.
        system: &'static str,
    },
    /// A state or input of the wrong length, or that is not finite.
    #[error(transparent)]
    State(#[from] StartError),
    /// A parameter cannot be used.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// There are fewer than the one that is asked for.
    #[error("there are {count} {what}, and number {asked} is asked for")]
    TooFew {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// The number that is asked for.
        asked: usize,
    },
    /// An entry of a name is not there.
    #[error("no entry `{name}`; there are: {known}")]
    NoSuchEntry {
        /// The name.
        name: String,
        /// The entries.
        known: String,
    },
    /// A coordinate is not in the linear system.
    #[error("nothing depends on `{name}`: it is not in the linear system unless it is kept")]
    LeftOut {
        /// The coordinate.
        name: String,
    },
    /// The motion is not steady there.
    #[error("not a steady motion: {rates}")]
    NotSteady {
        /// What changes, with its rate.
        rates: String,
    },
    /// The state is off its constraints.
    #[error("the state is off its constraints: {residuals}")]
    OffConstraints {
        /// Which, with their residuals.
        residuals: String,
    },
    /// A contact is closed, or dry friction sticks: the motion is not smooth there.
    #[error("not smooth at this state: {why}")]
    NotSmooth {
        /// What is not smooth.
        why: String,
    },
    /// A value or derivative is not a number there.
    #[error("no number at this state: {what}")]
    NotFinite {
        /// What has no value.
        what: String,
    },
    /// Newton's method did not converge.
    #[error("Newton's method found nothing from this guess in {steps} steps: left are {residuals}")]
    NotFound {
        /// The steps that were made.
        steps: usize,
        /// What is left, the largest first.
        residuals: String,
    },
    /// Newton's method came to where nothing returns.
    #[error(
        "Newton's method led from this guess, in {steps} steps, to where there is no return: {why}"
    )]
    Strayed {
        /// The steps that were made.
        steps: usize,
        /// Why there is none.
        why: String,
    },
    /// What Newton's method came to is no orbit: the return is off by a part of the motion itself.
    #[error(
        "no orbit: from this guess returns come after ever shorter times, {period:e} at last, and miss their start by {part:.0e} \
         of the motion between; near there it stands still"
    )]
    NotClosed {
        /// The time of the last return.
        period: f64,
        /// How far it is off, beside the motion between.
        part: f64,
    },
    /// The entries that were chosen are not as many as are free, or depend on each other.
    #[error(
        "`{chosen}` cannot be the free entries: {needed} are needed that are independent, such as `{such}`"
    )]
    NotIndependent {
        /// What was chosen.
        chosen: String,
        /// How many are needed.
        needed: usize,
        /// What can be chosen.
        such: String,
    },
    /// Nothing is at rest for good at the end of the run.
    #[error("it has not come to rest for good at t = {t}")]
    Moves {
        /// The end of the run.
        t: f64,
    },
    /// The forces have no solution there: no forces of contacts, or none with Coulomb's friction.
    #[error("there is no solution: {end}")]
    NoSolution {
        /// What has none.
        end: String,
    },
    /// The run ended before.
    #[error("the run ended: {end}")]
    Ended {
        /// How it ended.
        end: String,
    },
    /// Whoever asked has had enough.
    #[error("interrupted at t = {t}")]
    Interrupted {
        /// How far the motion was followed.
        t: f64,
    },
    /// The motion does not come to its section again, though it goes on for as long as was asked.
    #[error("from {from} the motion does not come to `{section}` again up to t = {t}: {why}")]
    NoReturn {
        /// Where it begins.
        from: String,
        /// The contact or event.
        section: String,
        /// The end of the run.
        t: f64,
        /// That it is at rest, or how long it is waited for.
        why: String,
    },
    /// What is given as the period of an orbit is none of what drives the system.
    #[error("what drives the system does not return after {period}: that is no period of it")]
    NotDriven {
        /// What is given as the period.
        period: f64,
    },
    /// A return to a section is asked for of a system that depends on time.
    #[error(
        "`{system}` depends on the time t, and a return to a section comes at another time: an orbit is one of a period of what \
         drives it, `--period`"
    )]
    Driven {
        /// The system.
        system: &'static str,
    },
    /// A branch cannot be followed.
    #[error("the branch is lost: {why}")]
    Lost {
        /// Why.
        why: String,
    },
    /// There is no system at a value.
    #[error("no system at {value}: {why}")]
    NoMember {
        /// The value.
        value: f64,
        /// Why.
        why: String,
    },
    /// The iteration for the eigenvalues did not converge.
    #[error("the eigenvalues of the matrix did not converge")]
    NoEigenvalues,
}

impl AnalysisError {
    /// There is no derivative, and why.
    pub(crate) fn not_smooth(why: impl Into<String>) -> Self {
        Self::NotSmooth { why: why.into() }
    }

    /// Whether it says that there is no such motion: the start violates its rows whatever is solved for, or the forces
    /// have no solution. That Newton's method found no coordinates proves nothing.
    #[must_use]
    pub fn is_impossible(&self) -> bool {
        matches!(self, Self::NoSolution { .. } | Self::State(StartError::Inconsistent { .. }))
    }
}
