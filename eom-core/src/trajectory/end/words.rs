//! Why a run ended, in words.

use super::End;
use crate::error::{reason, undecided};
use crate::friction::FrictionError;
use eom_elementary::Digits;
use std::fmt;

/// So many of what a word names in the singular.
///
/// ```
/// use eom_core::Counted;
/// assert_eq!(Counted(1, "impact").to_string(), "1 impact");
/// assert_eq!(Counted(0, "impact").to_string(), "0 impacts");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Counted<'a>(pub u64, pub &'a str);

impl fmt::Display for Counted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, word) = self;
        let many = if *count == 1 { "" } else { "s" };
        write!(f, "{count} {word}{many}")
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReachedTime { t } => write!(f, "reached t = {}", Digits(*t)),
            Self::ReachedImpacts { t, impacts } => {
                write!(f, "reached {} at t = {}", Counted(*impacts as u64, "impact"), Digits(*t))
            }
            Self::ReachedEvents { t, event, events } => {
                let of = event.map_or(String::new(), |name| format!(" of `{name}`"));
                write!(f, "reached {}{of} at t = {}", Counted(*events as u64, "event"), Digits(*t))
            }
            Self::Interrupted { t } => write!(f, "interrupted at t = {}", Digits(*t)),
            Self::NoImpact { t, .. } => {
                write!(f, "stopped at t = {t:e}: ")?;
                self.write_why(f)
            }
            _ => {
                write!(f, "stopped at t = {}: ", Digits(self.t()))?;
                self.write_why(f)
            }
        }
    }
}

impl End {
    fn write_why(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReachedTime { .. }
            | Self::ReachedImpacts { .. }
            | Self::ReachedEvents { .. }
            | Self::Interrupted { .. } => Ok(()),
            Self::SingularMass { mass, .. } => write!(f, "{mass}"),
            Self::NoImpact { impacts: 0, .. } => {
                write!(f, "nothing that would end it came before this time")
            }
            Self::NoImpact { impacts, .. } => {
                let impacts = Counted(*impacts as u64, "impact");
                write!(f, "after {impacts} nothing that would end it came before this time")
            }
            Self::StepUnderflow { step, .. } => {
                write!(f, "even a step of {step:e} is not accurate enough")
            }
            Self::NonFinite { what, .. } => {
                write!(f, "{what} is not finite beyond this time")
            }
            Self::OffConstraints { residuals, .. } => {
                write!(f, "the state cannot be kept on its constraints")?;
                residuals.iter().try_for_each(|residual| write!(f, "; {residual}"))
            }
            Self::DependentRows { rows, .. } => f.write_str(&dependent(rows)),
            Self::StepBudget { steps, .. } => {
                write!(f, "the budget of {} is spent", Counted(*steps, "step"))
            }
            Self::EventBudget { events, .. } => {
                write!(f, "the budget of {} is spent", Counted(*events as u64, "event"))
            }
            Self::SampleBudget { samples, .. } => {
                write!(f, "{samples} samples have been kept, and nothing tells when it ends")
            }
            Self::ImpossibleContact { contacts, too_many, .. } => {
                let contacts = contacts.join("`, `");
                let why = reason(*too_many);
                write!(f, "`{contacts}` {why}")
            }
            Self::UndecidedMode { contacts, .. } => f.write_str(&undecided(contacts)),
            Self::UndeterminedForces { contacts, .. } => {
                let contacts = contacts.join("`, `");
                write!(
                    f,
                    "how `{contacts}` share what they bear is not determined, and decides their friction"
                )
            }
            Self::UndecidedOrder { contacts, .. } => {
                let contacts = contacts.join("`, `");
                write!(f, "which of `{contacts}` is struck first cannot be told, and decides")
            }
            Self::EndlessImpacts { contacts, .. } => {
                let contacts = contacts.join("`, `");
                write!(f, "elastic impacts of `{contacts}` do not end")
            }
            Self::UnsolvedStep { contacts, .. } => {
                let contacts = contacts.join("`, `");
                write!(f, "the impulses of `{contacts}` in a time step do not come to rest")
            }
            Self::Penetrates { contact, gap, tolerance, .. } => {
                write!(f, "gap of `{contact}` is {gap:e}, below -{tolerance:e}")
            }
            Self::LawLeavesGapClosing { contact, rate, .. } => write!(
                f,
                "the impact law of `{contact}` leaves the gap closing at \
                 rate {rate:e}"
            ),
            Self::UnresolvedEvent { guard, value, rounding, .. } => write!(
                f,
                "`{guard}` = {value:e} turns back within its rounding \
                 {rounding:e}; whether it crosses zero cannot be told"
            ),
            Self::AccumulatingEvent { event, .. } => {
                write!(f, "resets of `{event}` follow each other faster than can be told")
            }
            Self::NoLimit { contact, .. } => write!(
                f,
                "impacts of `{contact}` accumulate, and what they or resets between them change does not fall with them"
            ),
            Self::SingularGuard { guard, .. } => {
                write!(f, "`{guard}` has no value beyond, or a pole")
            }
            Self::AtRest { .. } => write!(f, "at rest, nothing that would end it will come"),
            Self::NotFollowed { contact, why, .. } => {
                write!(f, "`{contact}` {why}, which runs in higher precision do not follow")
            }
            Self::FrictionParadox { contacts, coefficients, several, .. } => {
                let solutions = if *several { "several solutions" } else { "no solution" };
                let acting = with_coefficients(contacts, coefficients);
                write!(f, "{acting} has {solutions} (Painlevé's paradox)")
            }
            Self::ImpossibleFriction { friction, error, .. } => {
                write_friction(f, friction.unwrap_or_default(), error.as_ref())
            }
            Self::ImpossibleImpact { contact, error, .. } => {
                write!(f, "impact of `{contact}` is impossible: {error}")
            }
        }
    }
}

/// `` the friction of `floor` with μ = 0.4 ``, each of them; or what else acts with normal forces.
fn with_coefficients(contacts: &[&str], coefficients: &[f64]) -> String {
    if coefficients.is_empty() {
        return format!("what acts with the normal force of `{}`", contacts.join("`, `"));
    }
    let each = contacts.iter().zip(coefficients);
    let each: Vec<String> = each.map(|(contact, μ)| format!("`{contact}` with μ = {μ}")).collect();
    format!("the friction of {}", each.join(", "))
}

/// `the row of `a` becomes dependent on that of `b` just beyond this time`.
fn dependent(rows: &[&str]) -> String {
    match rows.split_last() {
        Some((row, others)) if !others.is_empty() => {
            let others = others.join("`, `");
            format!(
                "the row of `{row}` becomes dependent on that of `{others}` just beyond this time"
            )
        }
        _ => format!("the row of `{}` becomes zero just beyond this time", rows.concat()),
    }
}

/// Writes why the friction of something, or of all that is in force, has no answer.
fn write_friction(
    f: &mut fmt::Formatter<'_>,
    of: &str,
    error: Option<&FrictionError>,
) -> fmt::Result {
    match error {
        None => write!(f, "contacts and friction exclude one another"),
        Some(FrictionError::Coefficient { coefficient, .. }) => {
            write!(f, "the friction of `{of}` has the coefficient {coefficient}")
        }
        Some(FrictionError::AtRest { at_rest, sliding, .. }) => write!(
            f,
            "the friction of `{of}` holds by the coefficient {at_rest}, less than {sliding} where it slides"
        ),
        Some(error) => write!(f, "{error}"),
    }
}
