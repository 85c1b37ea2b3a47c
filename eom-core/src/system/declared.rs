//! A system that a declaration made: built from the values of its parameters.

use super::System;
use crate::function::SmoothFunction;
use crate::info::SystemInfo;
use eom_elementary::Digits;

/// A parameter value that cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ParameterError {
    /// The parameter has no default and was not given.
    #[error("parameter `{name}` has no default: give it a value")]
    Missing {
        /// Its name.
        name: &'static str,
    },
    /// The value is infinite or not a number.
    #[error("parameter `{name}` = {value} is not a finite number")]
    NotFinite {
        /// Its name.
        name: &'static str,
        /// The value.
        value: f64,
    },
    /// The declared bound does not hold.
    #[error("parameter `{name}` = {} violates its bound {bound}", Digits(*value))]
    Bound {
        /// Its name.
        name: &'static str,
        /// The value.
        value: f64,
        /// The bound as declared.
        bound: &'static str,
    },
    /// The function has no default and was not given.
    #[error("function `{name}` has no default: give it a function")]
    MissingFunction {
        /// Its name.
        name: &'static str,
    },
    /// The function that was given has another number of arguments.
    #[error("function `{name}` is given a function of {found} arguments; it has {expected}")]
    FunctionArguments {
        /// Its name.
        name: &'static str,
        /// The number of its arguments.
        expected: usize,
        /// Of how many arguments the given one is.
        found: usize,
    },
}

/// A system that can be built from parameter values: what the macro's type is.
pub trait Declared: System + Sized + 'static {
    /// The static description.
    const INFO: &'static SystemInfo;

    /// Builds the system; a parameter without an override takes its default, computed from the
    /// values of the earlier parameters, overridden or not. `overrides` has p entries.
    fn with_parameters(overrides: &[Option<f64>]) -> Result<Self, ParameterError>;

    /// The same with functions in place of those of the declaration: `functions` has one entry a
    /// declared function, [`SmoothFunction::declared`] for its default.
    fn with_functions(
        overrides: &[Option<f64>],
        functions: &[SmoothFunction],
    ) -> Result<Self, ParameterError> {
        debug_assert!(functions.is_empty(), "the system declares no function");
        Self::with_parameters(overrides)
    }
}
