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
//!
//! Where contacts or friction are in force explicit steps are near 1/|λ| also where the course asks for no more, as on the
//! way to a stop, where all rates grow as one. There the eigenvalues are asked from time to time, and
//! what a trial of the implicit method shows decides: its h |λ| has to be five times that of the explicit steps. One look
//! that finds it short is passed over: at a stop, and where a slip begins, all steps are.

use crate::snapshot::words::value;
use nalgebra::Complex;

/// The signs before the eigenvalues are asked; two steps without one take one back.
const SIGNS: u64 = 15;
const SHOWN: u64 = 2;
/// Steps with contacts or friction in force before the eigenvalues are asked; a sign counts as one more. Friction that is
/// about to hold has a fast rate of its own, for a moment of some fifty steps: that is no stiff motion.
const STEPS_IN_FORCE: u64 = 1000;
/// h |λ| there, and how many times that of an explicit step that of an implicit one has to be.
const DECAYS_IN_FORCE: f64 = 0.2;
const WORTH_IN_FORCE: f64 = 5.0;
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
pub(in crate::flow) struct Choice {
    /// Whether the next step is implicit.
    pub(super) is_stiff: bool,
    /// Signs of explicit steps, or implicit steps.
    steps: u64,
    /// The signs that are wanted.
    wanted: u64,
    /// The size of the last explicit step; where contacts or friction are in force h |λ| of it.
    explicit: f64,
    /// The size of the last accepted step, and whether it showed a sign.
    last: (f64, bool),
    /// Whether contacts or friction are in force, and whether the last look then found implicit steps short.
    in_force: bool,
    short: bool,
}

/// What the eigenvalues are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::flow) enum Question {
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
            short: false,
        }
    }
}

impl Choice {
    /// That of modes in which contacts or friction are in force.
    pub(in crate::flow) fn in_force() -> Self {
        Self { wanted: STEPS_IN_FORCE, in_force: true, ..Self::default() }
    }

    /// A step h was accepted; `sign` is what it showed.
    pub(in crate::flow) fn note(&mut self, h: f64, sign: bool) {
        self.last = (h, sign);
    }

    /// The accepted step was made. What the eigenvalues are to be asked for, if anything; whether the implicit method
    /// is of no use is known without them.
    pub(in crate::flow) fn advance(&mut self) -> Option<Question> {
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
        self.explicit = h;
        self.steps = match (self.in_force, sign) {
            (true, sign) => self.steps + 1 + u64::from(sign),
            (false, true) => self.steps + SHOWN,
            (false, false) => self.steps.saturating_sub(1),
        };
        (self.steps >= self.wanted).then_some(Question::IsStiff)
    }

    /// The eigenvalues are these.
    pub(in crate::flow) fn answer(&mut self, question: Question, eigenvalues: &[Complex<f64>]) {
        let fastest = eigenvalues.iter().fold(0.0, |fastest: f64, λ| {
            let size = eom_elementary::hypot(λ.re, λ.im);
            if -λ.re > DECAY * size { fastest.max(size) } else { fastest }
        });
        let decay = self.last.0 * fastest;
        let least = match (self.in_force, question) {
            (true, Question::IsStiff) => DECAYS_IN_FORCE,
            (true, Question::StaysStiff) if self.steps == TRIAL => WORTH_IN_FORCE * self.explicit,
            _ => 1.0,
        };
        if self.in_force && question == Question::IsStiff {
            self.explicit = decay;
        }
        match (question, decay > least) {
            (Question::IsStiff, true) => (self.is_stiff, self.steps) = (true, 0),
            // The question costs less than a step in force.
            (Question::IsStiff, false) if self.in_force => self.steps = 0,
            (Question::IsStiff, false) => self.wait(),
            (Question::StaysStiff, true) => self.short = false,
            (Question::StaysStiff, false) if self.in_force && self.steps > TRIAL && !self.short => {
                self.short = true;
            }
            (Question::StaysStiff, false) => self.leave(),
        }
    }

    /// No explicit step is accurate any more: the implicit method is tried.
    pub(in crate::flow) fn insist(&mut self) {
        (self.is_stiff, self.steps, self.explicit, self.short) = (true, 0, 0.0, false);
    }

    /// The motion was taken for stiff, and is not.
    fn leave(&mut self) {
        (self.is_stiff, self.short) = (false, false);
        self.wait();
    }

    /// Twice as many signs are wanted before the next question.
    fn wait(&mut self) {
        (self.steps, self.wanted) = (0, self.wanted.saturating_mul(2));
    }
}

value! { Choice { is_stiff, steps, wanted, explicit, last, in_force, short } }
