//! States on which the conditions of a claim hold.
//!
//! A condition `symbol = expression` of free quantities is substituted. What is left is solved
//! together with the constraints: with x all free quantities that are not substituted and
//!
//! ```text
//! r(x) = (φ, g, A v + b, residuals of the conditions)
//! x ← x − J⁺ r        J = ∂r/∂x by central differences, J⁺r the correction of least norm
//! ```
//!
//! where a residual may hold accelerations, multipliers and velocities after an impact: they are
//! solved for at each x. Rows of J that depend on others are left out of a step, but their
//! residuals must vanish too. Where solutions meet, as at x = 0 of x ẋ = 0, r is as good as 0 at a distance: such a state is
//! taken only where no other is found.

use super::dynamics::ContactRows;
use super::{Place, Reach, Sample, Sampler};
use crate::dense::{self, Matrix};
use crate::diff::Tangent;
use crate::eval::Estimate;
use crate::mechanics::system::Condition;
use crate::mechanics::system::contact::ImpactOf;
use crate::node::{ExprId, Function, SymbolId, SymbolKind, View};
use crate::pool::ExprPool;
use crate::subst::Substitution;
use eom_elementary::order;

/// How often a draw with conditions is repeated.
pub(super) const ATTEMPTS_MAX: usize = 40;

/// Newton steps, and how many of them may bring no progress.
const STEPS_MAX: usize = 60;
const STALLED_MAX: usize = 8;

/// A step that leaves no more than this part of the residuals is progress: towards a double root each leaves a half of what it
/// is from.
const PROGRESS: f64 = 0.55;

/// A parameter with a bound that fell below this part of where it was drawn goes to 0, where it may not be.
const GONE: f64 = 1e-6;

/// A residual of this many units of its rounding has vanished; of that many it is accepted where
/// no step makes it smaller.
const VANISHED: f64 = 8.0;
const ACCEPTED: f64 = 512.0;

/// Residuals are measured by what they add up, but by no less than this.
const LEAST_SIZE: f64 = 1e-3;

/// Where one more step moves no quantity by more than this part of its scale, the state is a solution and not near one.
const SETTLED: f64 = 1e-11;

/// The part of a quantity by which it is moved for a difference.
const DIFFERENCE: f64 = 6e-6;

/// A quantity that a double root leaves in doubt has this part of the doubt for its rounding, of which claims take 2·10⁴.
const OF_DOUBT: f64 = 1e-4;

/// What changes a residual by less than so many roundings says nothing.
const SEEN: f64 = 64.0;

/// No quantity moves by more than this many of its scales in one step.
const LEAP: f64 = 2.0;

/// How often a step is halved to keep the parameters within their bounds.
const HALVINGS_MAX: usize = 12;

/// The conditions of a claim as states are drawn with them.
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    /// `symbol = expression`, in expressions that hold none of these symbols.
    assigned: Vec<(SymbolId, ExprId)>,
    /// What else vanishes.
    residuals: Vec<ExprId>,
    /// Whether a residual holds what is solved for at a state.
    derived: bool,
}

impl Conditions {
    /// Takes apart what can be substituted.
    pub fn new(pool: &mut ExprPool, conditions: &[Condition]) -> Self {
        let mut all = Self::default();
        for residual in conditions.iter().flat_map(|condition| &condition.residuals) {
            let known = Substitution::new(all.assigned.iter().copied()).apply(pool, *residual);
            let known = root(pool, known);
            match assignment(pool, known) {
                _ if known == ExprPool::ZERO => {}
                None => all.residuals.push(known),
                Some((symbol, value)) => {
                    let mut substitution = Substitution::new([(symbol, value)]);
                    let earlier = all.assigned.iter_mut().map(|(_, value)| value);
                    for expression in earlier.chain(&mut all.residuals) {
                        *expression = substitution.apply(pool, *expression);
                    }
                    all.assigned.push((symbol, value));
                }
            }
        }
        let symbols = pool.symbols_in(&all.residuals).into_iter();
        all.derived = symbols.map(|s| pool.symbol_info(s).kind).any(|kind| rank(kind).is_none());
        all
    }

    /// Whether some are equations that are solved, which may have several roots.
    pub(crate) fn have_roots(&self) -> bool {
        !self.residuals.is_empty()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.assigned.is_empty() && self.residuals.is_empty()
    }
}

/// What vanishes where a residual does, and is no power of it: x of x⁴, √x, |x|.
fn root(pool: &ExprPool, residual: ExprId) -> ExprId {
    let inner = match pool.view(residual) {
        View::Call(Function::Abs, &[of]) => of,
        View::Product { factors: &[(base, exponent)], .. }
            if pool
                .as_number(exponent)
                .is_some_and(|number| !number.is_negative() && !number.is_zero()) =>
        {
            base
        }
        _ => return residual,
    };
    if inner == residual { residual } else { root(pool, inner) }
}

/// Quantities that may be chosen, those first that are the first to be expressed by others;
/// `None` for what is solved for at a state.
fn rank(kind: SymbolKind) -> Option<usize> {
    // table
    match kind {
        SymbolKind::Differential(_) | SymbolKind::TimeDifferential => Some(0),
        SymbolKind::Jet(_) => Some(1),
        SymbolKind::Velocity(_) => Some(2),
        SymbolKind::Coordinate(_) => Some(3),
        SymbolKind::Input(_) => Some(4),
        SymbolKind::Time => Some(5),
        SymbolKind::Constant(_) => Some(6),
        SymbolKind::Parameter(_) => Some(7),
        SymbolKind::Pi => Some(8),
        SymbolKind::Rate(_)
        | SymbolKind::Bound(_)
        | SymbolKind::Variable(_)
        | SymbolKind::VelocityAfter(_)
        | SymbolKind::Acceleration(_)
        | SymbolKind::Weight(_)
        | SymbolKind::Direction(_)
        | SymbolKind::Multiplier(_)
        | SymbolKind::ContactForce(_)
        | SymbolKind::ContactFriction(..)
        | SymbolKind::RowFriction(..)
        | SymbolKind::Impulse(_)
        | SymbolKind::Projector(..)
        | SymbolKind::Gram(..)
        | SymbolKind::GramInverse(..)
        | SymbolKind::Sharp(..) => None,
    }
}

/// symbol = expression, where the residual has a symbol with a number as its coefficient and is
/// made of free quantities.
fn assignment(pool: &mut ExprPool, residual: ExprId) -> Option<(SymbolId, ExprId)> {
    let mut candidates = Vec::new();
    for symbol in pool.symbols_in(&[residual]) {
        let kind = pool.symbol_info(symbol).kind;
        let rank = rank(kind)?;
        if kind != SymbolKind::Pi {
            candidates.push((rank, symbol));
        }
    }
    order::sort(&mut candidates);
    candidates.into_iter().find_map(|(_, symbol)| {
        let slope = Tangent::partial(symbol).derivative(pool, residual);
        pool.as_number(slope).filter(|slope| !slope.is_zero())?;
        let rest = Substitution::new([(symbol, ExprPool::ZERO)]).apply(pool, residual);
        let value = pool.div(rest, slope);
        Some((symbol, pool.neg(value)))
    })
}

/// A free quantity and the scale on which it moves.
struct Unknown {
    kind: SymbolKind,
    scale: f64,
}

/// The residuals where an unknown is moved by a step, ahead and behind.
struct Sides {
    step: f64,
    ahead: Vec<Estimate>,
    behind: Vec<Estimate>,
}

impl Sampler<'_> {
    /// Moves a drawn state to where conditions, and constraints if they are wanted, hold.
    ///
    /// With `alone`, where solutions do not meet.
    pub(super) fn conform(&self, sample: &mut Sample, place: Place<'_>, alone: bool) -> Option<()> {
        self.turn_towards(sample, place.at);
        self.assign(sample, place.conditions);
        if !self.within_bounds(sample) {
            return None;
        }
        let unknowns = self.unknowns(sample, place.conditions);
        let drawn = sample.clone();
        let (mut best, mut stalled) = (f64::INFINITY, 0);
        for _ in 0..STEPS_MAX {
            let found = self.residuals(sample, place)?;
            let least = self.least_size(sample, &unknowns);
            let misfit = misfit(&found, least)?;
            stalled = if misfit < PROGRESS * best { 0 } else { stalled + 1 };
            best = best.min(misfit);
            let is_met = misfit <= VANISHED || (misfit <= ACCEPTED && stalled > 0);
            if !is_met && stalled > STALLED_MAX {
                return None;
            }
            let sides: Option<Vec<Sides>> =
                unknowns.iter().map(|unknown| self.beside(sample, place, unknown)).collect();
            let sides = sides?;
            let jacobian = jacobian(&sides, &unknowns);
            if misfit > ACCEPTED && rests_on_flat(&found, &jacobian, least) {
                return None;
            }
            let step = if is_met && !alone {
                Vec::new()
            } else {
                let residuals: Vec<f64> = found.iter().map(|r| r.value).collect();
                dense::least_norm_of_independent(&jacobian, &residuals, unknowns.len())
            };
            if is_met {
                if self.is_gone(sample, &drawn) {
                    return None;
                }
                sample.note_rounding(&drawn, &unknowns, &doubts(&found, &sides));
                let is_settled = step.iter().all(|step| step.abs() <= SETTLED);
                return (is_settled && self.approaches(sample, place.at)).then_some(());
            }
            self.advance(sample, place.conditions, &unknowns, &step)?;
        }
        None
    }

    /// Whether the state is one where masses went to 0, so that conditions between forces hold of nothing.
    fn is_gone(&self, sample: &Sample, drawn: &Sample) -> bool {
        let parameters = self.model.parameters.iter().enumerate();
        let mut bounded = parameters.filter(|(_, parameter)| !parameter.bounds.is_empty());
        bounded.any(|(index, _)| {
            let kind = SymbolKind::Parameter(index);
            sample.value(kind).abs() < GONE * drawn.value(kind).abs()
        })
    }

    /// Whether conditions left the gap closing, or at rest to rounding.
    fn approaches(&self, sample: &Sample, at: Option<(usize, ImpactOf)>) -> bool {
        let Some((contact, _)) = at else { return true };
        let ContactRows { gradient, rate, .. } = self.contact(contact, sample);
        let v = sample.get_all(SymbolKind::Velocity, self.model.speeds.len());
        let terms = gradient.iter().zip(&v).map(|(g, v)| (g * v).abs());
        let size = terms.fold(rate.abs(), |sum, term| sum + term);
        dense::dot(&gradient, &v) + rate <= ACCEPTED * f64::EPSILON * size
    }

    /// Writes the values of the substituted symbols.
    fn assign(&self, sample: &mut Sample, conditions: &Conditions) {
        let expressions: Vec<ExprId> = conditions.assigned.iter().map(|(_, e)| *e).collect();
        let values = self.evaluate(&expressions, sample);
        for ((symbol, _), value) in conditions.assigned.iter().zip(values) {
            sample.set(self.kind(*symbol), value);
        }
    }

    /// The free quantities of a state that no condition assigns; differentials, which nothing else holds, where conditions
    /// hold them.
    fn unknowns(&self, sample: &Sample, conditions: &Conditions) -> Vec<Unknown> {
        let assigned: Vec<SymbolKind> =
            conditions.assigned.iter().map(|(symbol, _)| self.kind(*symbol)).collect();
        let values = conditions.assigned.iter().map(|(_, value)| *value);
        let held: Vec<ExprId> = conditions.residuals.iter().copied().chain(values).collect();
        let held: Vec<SymbolKind> =
            self.model.pool.symbols_in(&held).into_iter().map(|symbol| self.kind(symbol)).collect();
        let acts = |kind: &SymbolKind| match kind {
            SymbolKind::Differential(_) | SymbolKind::TimeDifferential => held.contains(kind),
            _ => rank(*kind).is_some(),
        };
        let mut kinds: Vec<SymbolKind> = sample.values.keys().copied().collect();
        kinds.retain(|kind| acts(kind) && !assigned.contains(kind));
        order::sort(&mut kinds);
        let unknown = |kind| Unknown {
            kind,
            scale: match kind {
                SymbolKind::Parameter(_) => sample.value(kind).abs(),
                _ => 1.0,
            },
        };
        kinds.into_iter().map(unknown).collect()
    }

    /// The least size of what a residual adds up; on a wider range its rounding grows with what it is of, as of sin(θ) at π.
    fn least_size(&self, sample: &Sample, unknowns: &[Unknown]) -> f64 {
        let sizes = unknowns.iter().map(|unknown| sample.value(unknown.kind).abs());
        match self.reach {
            Reach::Near => LEAST_SIZE,
            _ => sizes.fold(LEAST_SIZE, |most, size| most.max(LEAST_SIZE * size)),
        }
    }

    /// φ, g, A v + b, and the conditions; `None` where the state has no accelerations.
    fn residuals(&self, sample: &mut Sample, place: Place<'_>) -> Option<Vec<Estimate>> {
        let mut residuals = Vec::new();
        let conditions = place.conditions;
        if place.on_constraints {
            residuals = self.evaluate_with_error(&self.position_residuals(place.at), sample);
            let (rows, affine) = self.rows(sample);
            let v = sample.get_all(SymbolKind::Velocity, self.model.speeds.len());
            for (row, b) in rows.iter().zip(&affine) {
                let terms = row.iter().zip(&v).map(|(a, v)| (a * v).abs());
                let size = terms.fold(b.abs(), |sum, term| sum + term);
                residuals.push(Estimate { value: dense::dot(row, &v) + b, size });
            }
            if conditions.derived {
                self.complete(sample, self.dynamics(sample), place)?;
            }
        }
        residuals.extend(self.evaluate_with_error(&conditions.residuals, sample));
        residuals.extend(self.lengths(sample));
        Some(residuals)
    }

    /// The residuals on both sides of an unknown.
    fn beside(&self, sample: &Sample, place: Place<'_>, unknown: &Unknown) -> Option<Sides> {
        let x = sample.value(unknown.kind);
        let step = DIFFERENCE * unknown.scale.max(x.abs());
        let at = |x: f64| {
            let mut moved = sample.clone();
            moved.set(unknown.kind, x);
            self.assign(&mut moved, place.conditions);
            self.residuals(&mut moved, place)
        };
        Some(Sides { step, ahead: at(x + step)?, behind: at(x - step)? })
    }

    /// x − α·step with the largest α = 1, 1/2, … that keeps parameters within their bounds.
    fn advance(
        &self,
        sample: &mut Sample,
        conditions: &Conditions,
        unknowns: &[Unknown],
        step: &[f64],
    ) -> Option<()> {
        let longest = step.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
        let mut α = if longest > LEAP { LEAP / longest } else { 1.0 };
        for _ in 0..HALVINGS_MAX {
            let mut moved = sample.clone();
            for (unknown, step) in unknowns.iter().zip(step) {
                let x = sample.value(unknown.kind);
                moved.set(unknown.kind, x - α * unknown.scale * step);
            }
            self.assign(&mut moved, conditions);
            if self.within_bounds(&moved) {
                *sample = moved;
                return Some(());
            }
            α /= 2.0;
        }
        None
    }
}

impl Sample {
    /// What was moved from where it was drawn is known to the rounding of its scale, however
    /// small it became, and to what its root leaves in doubt.
    fn note_rounding(&mut self, drawn: &Self, unknowns: &[Unknown], doubts: &[f64]) {
        for (Unknown { kind, scale }, doubt) in unknowns.iter().zip(doubts) {
            let value = self.value(*kind);
            if value.to_bits() != drawn.value(*kind).to_bits() {
                let doubt = OF_DOUBT * doubt / f64::EPSILON;
                self.sizes.insert(*kind, value.abs().max(*scale).max(doubt));
            }
        }
    }
}

/// ∂r/∂x by central differences, its columns times the scales.
fn jacobian(sides: &[Sides], unknowns: &[Unknown]) -> Matrix {
    let rows = sides.first().map_or(0, |sides| sides.ahead.len());
    let slope = |i: usize, (sides, unknown): (&Sides, &Unknown)| {
        (sides.ahead[i].value - sides.behind[i].value) / (2.0 * sides.step) * unknown.scale
    };
    (0..rows).map(|i| sides.iter().zip(unknowns).map(|column| slope(i, column)).collect()).collect()
}

/// How far each unknown may be off where the residuals have vanished: the least d of a residual with |r′| d + |r″| d²/2 = its
/// rounding. At a double root, θ = 0 of cos θ = 1, that is its root.
fn doubts(here: &[Estimate], sides: &[Sides]) -> Vec<f64> {
    let doubt = |Sides { step, ahead, behind }: &Sides| {
        let sides = ahead.iter().zip(behind).zip(here);
        let least = sides.filter_map(|((a, b), r)| {
            let rounding = f64::EPSILON * r.size.max(LEAST_SIZE);
            let (change, bend) = (a.value - b.value, a.value + b.value - 2.0 * r.value);
            let is_seen = change.abs().max(bend.abs()) > SEEN * rounding;
            let (slope, bend) = (change.abs() / (2.0 * step), bend.abs() / (step * step));
            let root = (slope * slope + 2.0 * bend * ACCEPTED * rounding).sqrt();
            is_seen.then(|| 2.0 * ACCEPTED * rounding / (slope + root))
        });
        least.reduce(f64::min).unwrap_or(0.0)
    };
    sides.iter().map(doubt).collect()
}

/// Whether what alone does not vanish is flat, as a sign is that should be another one: no step leads there.
fn rests_on_flat(residuals: &[Estimate], jacobian: &Matrix, least: f64) -> bool {
    let mut of_rows = residuals.iter().zip(jacobian);
    of_rows.all(|(residual, row)| {
        units(residual, least) <= ACCEPTED || row.iter().all(|slope| *slope == 0.0)
    })
}

/// A residual in units of its rounding.
fn units(residual: &Estimate, least: f64) -> f64 {
    residual.value.abs() / (f64::EPSILON * residual.size.max(least))
}

/// The largest residual in units of its rounding; `None` where one is not finite.
fn misfit(residuals: &[Estimate], least: f64) -> Option<f64> {
    let units = residuals.iter().map(|residual| units(residual, least));
    let largest = units.fold(0.0, |m: f64, r| if r.is_nan() { r } else { m.max(r) });
    largest.is_finite().then_some(largest)
}
