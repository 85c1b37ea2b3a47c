//! What the series of a motion are: two programs, and the variables of the second.

use crate::program::{Program, Value};

/// The number k of the order, as a variable of the recurrence.
pub const ORDER: u32 = 0;
/// Its inverse 1/k.
pub const INVERSE: u32 = 1;
/// The coefficient of t: 1 for k = 1, else 0.
pub const TIME: u32 = 2;
/// The first coefficient of the state; the values handed on follow those of the state, then the sums
/// [a, b]ₖ.
pub const STATE: u32 = 3;

/// The series of a motion and of what is observed along it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// Order 0: ẏ, then what is observed. Values that only the recurrence reads are kept.
    pub start: Program,
    /// Order k ≥ 1, from its variables k, 1/k, tₖ, yₖ, what was handed on (0 for k = 1), then the sums
    /// [a, b]ₖ: the coefficients of ẏ and of what is observed, those of the left and those of the right
    /// factors of the sums, then what is handed on.
    pub recurrence: Program,
    /// The values of `start` that `recurrence` captures.
    pub captured: Vec<Value>,
    /// The length of y.
    pub state: usize,
    /// How many values are observed.
    pub observed: usize,
    /// How many sums [a, b] there are.
    pub sums: usize,
    /// How many values each order hands on.
    pub handed: usize,
}
