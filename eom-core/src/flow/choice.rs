//! Which method makes the next step of a run that leaves it open ([`Method::Automatic`](crate::Method::Automatic)):
//! power series or Runge–Kutta, and Radau IIA while the motion is stiff.
//!
//! A motion is stiff where explicit steps are not as long as its course allows, but as short as some rate λ demands
//! at which what is beside it dies out. There are two signs of that,
//!
//! ```text
//! series         |yₖ| hᵏ ≤ 10⁻⁶ (|y₀| + a/r) for all k ≥ 2: what bends the series is rounding, magnified by (h λ)ᵏ/k!
//! Runge–Kutta    h |k₁₃ − k₁₂| > |y₊ − Y₁₂|: h |λ| is on the way to the edge of where the method is stable
//! ```
//!
//! (the second is that of the authors' code DOP853, whose bound of 6.1 tight tolerances keep steps away from; Hairer,
//! Wanner II, section IV.2), and one proof: an
//! eigenvalue λ of ∂ẏ/∂y with Re λ < −|λ|/8 and h |λ| > 1. What oscillates fast without being damped is motion.

use crate::snapshot::words::value;
use nalgebra::Complex;

/// The signs before the eigenvalues are asked; two steps without one take one back.
const SIGNS: u64 = 15;
const SHOWN: u64 = 2;
/// The same where contacts or friction are in force. Friction that is about to hold has a fast rate of its own, for a
/// moment of some fifty steps: that is no stiff motion.
const SIGNS_IN_FORCE: u64 = 100;
/// Implicit steps until they have to be so many times as long as the explicit one was: each costs about as much
/// as a dozen of those.
const TRIAL: u64 = 12;
const WORTH: f64 = 16.0;
/// Implicit steps between two looks at the eigenvalues.
const LOOKS: u64 = 64;
/// An eigenvalue is one of decay where −Re λ is more than this part of |λ|.
const DECAY: f64 = 0.125;

/// What a run knows of its stiffness.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    /// Whether the next step is implicit.
    pub(super) is_stiff: bool,
    /// Signs of explicit steps, or implicit steps.
    steps: u64,
    /// The signs that are wanted.
    wanted: u64,
    /// The size of the last explicit step.
    explicit: f64,
    /// The size of the last accepted step, and whether it showed a sign.
    last: (f64, bool),
    /// Whether contacts or friction are in force: near a stop of friction steps of all methods get short, and those of
    /// one time say nothing of those of another.
    in_force: bool,
}

/// What the eigenvalues are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// Whether explicit steps are short for a decay.
    IsStiff,
    /// Whether implicit steps still are long for one.
    StaysStiff,
}

impl Default for Choice {
    fn default() -> Self {
        Self {
            is_stiff: false,
            steps: 0,
            wanted: SHOWN * SIGNS,
            explicit: 0.0,
            last: (0.0, false),
            in_force: false,
        }
    }
}

impl Choice {
    /// That of modes in which contacts or friction are in force.
    pub(super) fn in_force() -> Self {
        Self { wanted: SHOWN * SIGNS_IN_FORCE, in_force: true, ..Self::default() }
    }

    /// A step h was accepted; `sign` is what it showed.
    pub(super) fn note(&mut self, h: f64, sign: bool) {
        self.last = (h, sign);
    }

    /// The accepted step was made. What the eigenvalues are to be asked for, if anything; whether the implicit method
    /// is of no use is known without them.
    pub(super) fn advance(&mut self) -> Option<Question> {
        let (h, sign) = self.last;
        if self.is_stiff {
            self.steps += 1;
            if self.steps == TRIAL && !self.in_force && h < WORTH * self.explicit {
                self.leave();
                return None;
            }
            let looks = self.steps.is_multiple_of(LOOKS) || self.steps == TRIAL && self.in_force;
            return looks.then_some(Question::StaysStiff);
        }
        self.steps = if sign { self.steps + SHOWN } else { self.steps.saturating_sub(1) };
        self.explicit = h;
        (self.steps >= self.wanted).then_some(Question::IsStiff)
    }

    /// The eigenvalues are these.
    pub(super) fn answer(&mut self, question: Question, eigenvalues: &[Complex<f64>]) {
        let h = self.last.0;
        let decays = eigenvalues.iter().any(|λ| {
            let size = eom_elementary::hypot(λ.re, λ.im);
            h * size > 1.0 && -λ.re > DECAY * size
        });
        match (question, decays) {
            (Question::IsStiff, true) => (self.is_stiff, self.steps) = (true, 0),
            (Question::IsStiff, false) => self.wait(),
            (Question::StaysStiff, true) => {}
            (Question::StaysStiff, false) => self.leave(),
        }
    }

    /// The motion was taken for stiff, and is not.
    fn leave(&mut self) {
        self.is_stiff = false;
        self.wait();
    }

    /// Twice as many signs are wanted before the next question.
    fn wait(&mut self) {
        (self.steps, self.wanted) = (0, self.wanted.saturating_mul(2));
    }
}

value! { Choice { is_stiff, steps, wanted, explicit, last, in_force } }
