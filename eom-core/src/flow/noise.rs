//! What rounding makes of the slopes, once it is more than a step may be off.
//!
//! ```text
//! ρᵢ = max |fᵢ(t, y (1 ± kε)) − fᵢ(t, y)| / |fᵢ|       δᵢ = max |fᵢ(t (1 ± kε), y) − fᵢ(t, y)|
//! wᵢ ← wᵢ + C h max(ρᵢ |fᵢ|, δᵢ)
//! ```
//!
//! What rests in a contact that a large force presses has slopes that are nothing but rounding of the force, at coordinates that
//! are zero: δ tells it.
//!
//! Near Painlevé's limit a normal force is a quotient of differences, and has a few digits. What is told of the error of a step
//! is then h ρ |f|, and steps that are to make it as small as the tolerance asks for are so short that a run does not end. A step
//! is as good where the error of the method is as large as what rounding adds anyhow. It is looked for after as many steps of
//! an arc as hardly any motion takes; where steps are short since the system is stiff, h |∂f/∂y| stays of the size 1 and
//! h ρ |f| below the tolerance.
//!
//! A force that is given has the rounding of its argument: a pulse of the width w has f′ δt = f ε|t|/w. Away from the pulse there
//! is none of it, so that of free motion ρ and δ are those of the present step only, and are forgotten where h ρ |f| is
//! far below the tolerance.
//!
//! Of an implicit step less is left, (λ₀/h − J)⁻¹ of it: that method asks for max(ρ |f|, δ) alone (`stiff`).

use super::field::Field;
use super::point::Point;
use crate::integrate::control::norm;
use crate::snapshot::words::part;

/// Steps of an arc after which slopes are looked at, and after which they are again where rounding was told.
const STEPS: u64 = 1024;
const STEPS_AGAIN: u64 = 8;

/// Of free motion they are forgotten below this part of the tolerance.
const FAINT: f64 = 1e-2;

/// In free motion what rounding has added so far is of either sign, and what is left of it far less. Beyond so many tolerances
/// too much is: steps have to do without.
const LOST: f64 = 1e9;

/// States beside one at which they are: it shows in jumps between which slopes do not change.
const BESIDE: u32 = 4;

/// C where forces are solved for, and in free motion: there the states beside it are farther than rounding.
const PART: f64 = 4.0;
const PART_OF_FREE: f64 = 0.5;

#[derive(Debug, Clone)]
pub(super) struct Noise {
    /// ρ, the largest of the arc; empty where it has been below the tolerance.
    parts: Vec<f64>,
    /// δ, likewise.
    shifts: Vec<f64>,
    /// Steps since it was looked for.
    steps: u64,
    /// What was added to the last step of free motion, and to all before, in tolerances.
    added: f64,
    lost: f64,
    weights: Vec<f64>,
    /// States beside one, and slopes there.
    y: Vec<f64>,
    beside: Vec<f64>,
}

impl Noise {
    /// Room for so many slopes.
    pub(super) fn new(dimension: usize) -> Self {
        let [parts, shifts, weights, y] = [0; 4].map(|_| Vec::with_capacity(dimension));
        let beside = vec![0.0; dimension];
        Self { parts, shifts, steps: 0, added: 0.0, lost: 0.0, weights, y, beside }
    }

    /// Another arc.
    pub(super) fn forget(&mut self) {
        self.forget_sizes();
        (self.steps, self.added, self.lost) = (0, 0.0, 0.0);
    }

    /// One more step was made.
    pub(super) fn step(&mut self) {
        self.steps += 1;
        self.lost += std::mem::take(&mut self.added);
    }

    /// w with what rounding adds over a step h from a base point, where it has this slope.
    pub(super) fn widened<'w>(
        &'w mut self,
        field: &mut Field<'_>,
        (base, h, slope): (&Point, f64, &[f64]),
        weights: &'w [f64],
    ) -> &'w [f64] {
        let again = if field.is_plain() { 1 } else { STEPS_AGAIN };
        if self.steps >= if self.parts.is_empty() { STEPS } else { again } {
            self.steps = 0;
            self.look(field, (base, h, slope), weights);
        }
        if self.parts.is_empty() {
            return weights;
        }
        self.weights.clear();
        let all = over(&self.parts, &self.shifts, slope);
        let part = if field.is_plain() { PART_OF_FREE } else { PART };
        self.weights.extend(all.map(|over| part * h * over));
        if field.is_plain() {
            self.added = norm(&self.weights, weights);
            if self.lost + self.added > LOST {
                return weights;
            }
        }
        self.weights.iter_mut().zip(weights).for_each(|(all, weight)| *all += weight);
        &self.weights
    }

    /// ρ at a base point.
    fn look(&mut self, field: &mut Field<'_>, at: (&Point, f64, &[f64]), weights: &[f64]) {
        let (base, h, slope) = at;
        let is_first = self.parts.is_empty();
        let least = if is_first { 1.0 } else { FAINT };
        if field.is_plain() {
            self.forget_sizes();
        }
        self.compare(field, base, slope);
        let Self { parts, shifts, weights: sizes, .. } = self;
        sizes.clear();
        sizes.extend(over(parts, shifts, slope).map(|over| h * over));
        let told = norm(sizes, weights);
        if !told.is_finite() || told < least && (is_first || field.is_plain()) {
            self.forget_sizes();
        }
    }

    /// ρ and δ, where they are larger than those that are known.
    fn compare(&mut self, field: &mut Field<'_>, base: &Point, slope: &[f64]) {
        self.parts.resize(slope.len(), 0.0);
        self.shifts.resize(slope.len(), 0.0);
        let Self { parts, shifts, y, beside, .. } = self;
        y.clear();
        y.extend_from_slice(&base.y);
        for k in 1..=BESIDE {
            for (i, (y, from)) in y.iter_mut().zip(&base.y).enumerate() {
                let sign = if (i >> (k & 1)) & 1 == 0 { 1.0 } else { -1.0 };
                *y = from * (1.0 + sign * f64::from(k) * f64::EPSILON);
            }
            field.slope(base.t.high, y, beside);
            for ((part, beside), f) in parts.iter_mut().zip(&*beside).zip(slope) {
                let change = (beside - f).abs();
                if change > 0.0 && *f != 0.0 {
                    *part = part.max(change / f.abs());
                }
            }
            let sign = if k & 1 == 0 { 1.0 } else { -1.0 };
            let t = base.t.high * (1.0 + sign * f64::from(k) * f64::EPSILON);
            field.slope(t, &base.y, beside);
            for ((shift, beside), f) in shifts.iter_mut().zip(&*beside).zip(slope) {
                *shift = shift.max((beside - f).abs());
            }
        }
    }

    /// Steps of the arc since it was looked for.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    /// Writes max(ρ |f|, δ) at a base point, where it has this slope.
    pub(super) fn write_sizes(
        &mut self,
        field: &mut Field<'_>,
        (base, slope): (&Point, &[f64]),
        sizes: &mut Vec<f64>,
    ) {
        self.forget_sizes();
        self.compare(field, base, slope);
        sizes.extend(over(&self.parts, &self.shifts, slope));
        self.forget_sizes();
    }

    fn forget_sizes(&mut self) {
        self.parts.clear();
        self.shifts.clear();
    }
}

/// max(ρ |f|, δ).
fn over(parts: &[f64], shifts: &[f64], slope: &[f64]) -> impl Iterator<Item = f64> {
    let sizes = parts.iter().zip(shifts).zip(slope);
    sizes.map(|((part, shift), f)| (part * f.abs()).max(*shift))
}

part! { Noise { parts: [], values: [parts, shifts, steps, added, lost], room: [weights, y, beside] } }
