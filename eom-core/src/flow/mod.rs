//! The flow between events: Φ_τ(xₙ) = Π ∘ RK_τ(xₙ), a step of a method followed by the orthogonal
//! projection Π on the constraints, and the choice of the step.
//!
//! ```text
//! motion       the flow from a base point: step, trial, dense output        launch, ahead, keeping
//! stepper      what it asks of a method                                     methods: explicit, stiff, series; choice
//! field        the slopes of the present mode                            directions: their derivatives where friction turns
//! bounds       a step as a polynomial with its error                        forces: that it sees what acts
//! ```

mod ahead;
mod angle_wrap;
mod attempt;
mod bounds;
mod conserving;
mod directions;
mod failure;
mod field;
mod forces;
mod keeping;
mod methods;
mod motion;
mod noise;
mod point;
mod projection;
mod step_bounds;

pub(crate) use failure::StepFailure;
pub(crate) use methods::series::ALL_LEFT_OUT;
pub(crate) use motion::Flow;
pub(crate) use point::Point;
pub(crate) use step_bounds::{StepBounds, UNKNOWN};
