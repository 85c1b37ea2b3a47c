//! Whether the results of a tape depend on what it is given, decided where its text does not tell.
//!
//! ```text
//! f analytic, ∂f/∂xᵢ = 0 about one point  ⇒  ∂f/∂xᵢ = 0        0 ∉ [∂f/∂xᵢ] at one place  ⇒  f depends on xᵢ
//! ```
//!
//! The cosine and sine of a heading in m/2 (Ẋ² + Ẏ²) cancel along velocities of the body: there [∂f/∂xᵢ] is 0 and rounding, at
//! places that have no meaning. What is not analytic, a root, a modulus, an angle with a cut, is another function elsewhere: what
//! that is given of xᵢ it depends on, and so does what comes of it. Where nothing is bounded, the text decides.

use crate::dual::Dual;
use crate::evaluate::Evaluator;
use crate::jacobian::Derivative;
use crate::tape::Tape;
use eom_elementary::{Elementary, Interval, Number};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Sizes of the speeds at the places that are looked at: what is large of fast motions hides nothing of slow ones. At so many
/// parameters are numbers without a meaning, too; at as many again they are those of the system, beside which what is little of it
/// is what it is.
const SPEEDS: [f64; 4] = [1.0, -1.0, 1.0 / 1_048_576.0, 1.0 / 1_099_511_627_776.0];

/// The golden section, of whose multiples places are made.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Bounds of a derivative that are wider do not say that it is 0, where numbers are about 1.
const NARROW: f64 = 1e-9;

/// A derivative beyond this is none that rounding makes.
const CLEAR: f64 = 1e-6;

/// A number with its derivative, and whether it depends on what moves by what is not analytic.
#[derive(Debug, Clone, Copy)]
struct Traced {
    moved: Dual<Interval, 1>,
    bends: bool,
}

impl Traced {
    fn depends(self) -> bool {
        self.depends_beyond(NARROW)
    }

    /// The same where bounds of 0 may be as wide as this.
    fn depends_beyond(self, width: f64) -> bool {
        let rate = self.moved.rate();
        // Bounds without an end are not narrow, nor are those that are no numbers.
        let is_none = rate.contains(0.0) && rate.width() <= width;
        self.bends || !is_none
    }

    fn smooth(self, f: impl Fn(Dual<Interval, 1>) -> Dual<Interval, 1>) -> Self {
        Self { moved: f(self.moved), bends: self.bends }
    }

    fn bent(self, f: impl Fn(Dual<Interval, 1>) -> Dual<Interval, 1>) -> Self {
        Self { moved: f(self.moved), bends: self.depends() }
    }
}

macro_rules! with_another {
    ($($trait:ident $operation:ident;)*) => {
        $(impl $trait for Traced {
            type Output = Self;

            fn $operation(self, other: Self) -> Self {
                let moved = $trait::$operation(self.moved, other.moved);
                Self { moved, bends: self.bends || other.bends }
            }
        })*
    };
}

with_another! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}

impl Neg for Traced {
    type Output = Self;

    fn neg(self) -> Self {
        self.smooth(Neg::neg)
    }
}

impl Number for Traced {
    fn of(constant: f64) -> Self {
        Self { moved: Dual::of(constant), bends: false }
    }

    fn square(self) -> Self {
        self.smooth(Number::square)
    }

    fn inverse_or_zero(self) -> Self {
        self.bent(Number::inverse_or_zero)
    }

    fn sqrt(self) -> Self {
        self.bent(Number::sqrt)
    }

    fn powi(self, n: i32) -> Self {
        self.smooth(|a| a.powi(n))
    }

    fn powf(self, b: Self) -> Self {
        Self { moved: self.moved.powf(b.moved), bends: self.depends() || b.depends() }
    }

    fn sin_cos(self) -> (Self, Self) {
        let (sine, cosine) = self.moved.sin_cos();
        let bends = self.bends;
        (Self { moved: sine, bends }, Self { moved: cosine, bends })
    }

    fn call(self, f: Elementary) -> Self {
        if f.is_analytic() { self.smooth(|a| a.call(f)) } else { self.bent(|a| a.call(f)) }
    }

    fn atan2(self, x: Self) -> Self {
        Self { moved: self.moved.atan2(x.moved), bends: self.depends() || x.depends() }
    }

    fn size(self) -> f64 {
        self.moved.size()
    }
}

impl Tape {
    /// For each result, which of the registers of what is given, t, q, v, u and parameters, it depends on: on the time and
    /// the coordinates as its derivative decides, whatever the parameters are beside these, else as it is written.
    #[must_use]
    pub fn dependencies(&self, parameters: &[f64]) -> Vec<Vec<bool>> {
        let mut reads = self.named();
        decide(self, parameters, &mut reads);
        reads
    }
}

/// Leaves of what the results of a tape read by its text, of the time and of the coordinates, what they depend on.
fn decide(tape: &Tape, parameters: &[f64], reads: &mut [Vec<bool>]) {
    let places: Vec<Vec<f64>> =
        (0..2 * SPEEDS.len()).map(|i| numbers(tape, parameters, i)).collect();
    let mut evaluator = Evaluator::<Traced>::new(tape, &[], &[]);
    let clear = clear(tape, &places[0]);
    for register in 0..=tape.inputs.positions {
        let is_open = |i: &usize| reads[*i][register] && !clear(*i, register);
        let mut left: Vec<usize> = (0..reads.len()).filter(is_open).collect();
        for (index, place) in places.iter().enumerate() {
            if left.is_empty() {
                break;
            }
            evaluator.run_all(place.iter().enumerate().map(|(i, x)| {
                let rate = Interval::point(f64::from(u8::from(i == register)));
                Traced { moved: Dual::moving(Interval::point(*x), rate), bends: false }
            }));
            let width = if index < SPEEDS.len() { NARROW } else { f64::MAX };
            left.retain(|i| !evaluator.result(*i).depends_beyond(width));
        }
        for i in left {
            reads[i][register] = false;
        }
    }
}

/// Whether the derivative of a result by the time or a coordinate is nothing that comes of rounding at a place: most are, which
/// costs less than their bounds.
fn clear(tape: &Tape, place: &[f64]) -> impl Fn(usize, usize) -> bool + use<> {
    let (count, results) = (1 + tape.inputs.positions, tape.results());
    let mut directions = vec![0.0; count * place.len()];
    (0..count).for_each(|register| directions[register * place.len() + register] = 1.0);
    let (mut values, mut rates) = (vec![0.0; results], vec![0.0; count * results]);
    Derivative::new(tape).along(place, &directions, &mut values, &mut rates);
    move |result, register| rates[register * results + result].abs() > CLEAR
}

/// All that a tape is given at a place, without a meaning: between 1/4 and 5/4, of either sign but for the parameters.
fn numbers(tape: &Tape, parameters: &[f64], place: usize) -> Vec<f64> {
    let (inputs, count) = (tape.inputs, tape.header() + tape.parameters);
    let number = |register: usize| {
        let part = ((place * count + register + 1) as f64 * GOLDEN).fract();
        let of_both_signs = 2.0 * part - 1.0 + f64::copysign(0.25, part - 0.5);
        let own = register.checked_sub(tape.header()).and_then(|index| parameters.get(index));
        match own {
            Some(value) if place >= SPEEDS.len() => *value,
            _ if register >= tape.header() => 0.25 + part,
            _ if inputs.is_speed(register) => SPEEDS[place % SPEEDS.len()] * of_both_signs,
            _ => of_both_signs,
        }
    };
    (0..count).map(number).collect()
}
