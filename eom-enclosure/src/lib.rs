//! Programs of real functions as data: tapes, run over numbers of any kind.
//!
//! ```text
//! f: ℝⁿ → ℝᵏ,  a tape of operations over registers
//! f64                ──▶  f(x)
//! Interval           ──▶  F(X) ⊃ { f(x) : x ∈ X }
//! Dual<f64, K>       ──▶  f(x), and K columns of f′(x) ẋ; of duals in place of f64 also how f′(x) ẋ changes
//! Paced              ──▶  how fast the parts of f can change along such motions
//! Dual<Interval, 1>  ──▶  F(X), and bounds of d/dt f along motions with ẋ ∈ Ẋ
//! Jet                ──▶  the same, with bounds of ½ d²/dt² f
//! Disc               ──▶  f over complex discs, which bounds its power series
//! ```
//!
//! A program that is compiled exists once for each kind of number; on tapes each kind is one instance of
//! [`Evaluator`] for all programs. The macro writes the tapes of a system as static data, which costs the compiler
//! almost nothing; the interpreter makes the same ones at run time. Both take the operations from the programs of
//! the equations, so that what is bounded is what is integrated. In WebAssembly, where size counts, the arithmetic of duals
//! and jets is called, not written out.
//!
//! ```
//! use eom_elementary::Interval;
//! use eom_enclosure::{Evaluator, Inputs, Operation, Tape};
//!
//! // g = q₀² − p₀. The registers of t, q₀, p₀ are 0, 1, 2.
//! let operations = vec![Operation::Square(1).code(), Operation::Sub(3, 2).code()];
//! let tape = Tape {
//!     inputs: Inputs { positions: 1, speeds: 0, inputs: 0 },
//!     parameters: 1,
//!     constants: vec![].into(),
//!     fixed: 0,
//!     operations: operations.into(),
//!     registers: 5,
//!     outputs: vec![4].into(),
//!     solve: None,
//! };
//! let mut gap = Evaluator::new(&tape, &[2.0], &[]);
//! gap.run(Interval::ZERO, &[&[Interval::new(-1.0, 1.0)]]);
//! assert!(gap.result(0).encloses(Interval::new(-2.0, -1.0)));
//! assert!(gap.result(0).high() < -0.999999);
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods, reason = "the same bits on every machine"))]
#![expect(clippy::inline_always, reason = "an operation is a few instructions in one loop")]

mod dependence;
mod disc;
mod dual;
mod evaluate;
mod jacobian;
mod jet;
mod operation;
mod paced;
mod second;
mod sides;
mod solve;
mod tape;

pub use disc::Disc;
pub use dual::Dual;
pub use eom_elementary::{Base, Number};
pub use evaluate::Evaluator;
pub use jacobian::{Derivative, Jacobian};
pub use jet::Jet;
pub use operation::{Operation, Register};
pub use paced::Paced;
pub use second::{Directions, SecondDerivative};
pub use sides::Sides;
pub use solve::Solve;
pub use tape::{Inputs, Tape};
