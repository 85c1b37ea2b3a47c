//! Why a step leads nowhere.

use crate::error::Residual;
use crate::trajectory::end::End;

/// Why there is no next state.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum StepFailure {
    /// The error stays too large down to this step.
    Underflow { step: f64 },
    /// A quantity is not finite however short the step.
    NonFinite { what: String },
    /// The constraints cannot be kept however short the step.
    OffConstraints { residuals: Vec<Residual> },
    /// The rows that are kept become dependent within the step; `lost` where no shorter one would pass.
    DependentRows { rows: Vec<&'static str>, lost: bool },
}

impl StepFailure {
    /// The end of a run that got stuck after t.
    pub(crate) fn end(self, t: f64) -> End {
        match self {
            Self::Underflow { step } => End::StepUnderflow { t, step },
            Self::NonFinite { what } => End::NonFinite { t, what },
            Self::OffConstraints { residuals } => End::OffConstraints { t, residuals },
            Self::DependentRows { rows, .. } => End::DependentRows { t, rows },
        }
    }

    /// Whether a shorter step tells what this one does not.
    pub(crate) fn is_doubtful(&self) -> bool {
        matches!(self, Self::DependentRows { lost: false, .. })
    }

    /// Whether a shorter step would not help.
    pub(super) fn is_final(&self) -> bool {
        matches!(self, Self::DependentRows { lost: true, .. })
    }
}
