//! States at which a function acts that elsewhere is constant, or is another one: between the ends of a ramp, on a Gaussian, on
//! both sides of a kink.
//!
//! States that are drawn anywhere may all be beside it, wherever in space it stands. So a coordinate, else a velocity, the time
//! or a parameter, is moved until its argument u has a value at which it acts: it comes near to it, passes it, or has its
//! extreme between places where it is farther away.

use super::{Sample, Sampler};
use crate::function::{Function, Numbers};
use crate::node::{ExprId, SymbolKind, View};
use crate::pool::ExprPool;
use eom_elementary::{Elementary, order};

/// The most arguments that are looked at.
const FOCUSES_MAX: usize = 48;

/// Steps of the search, the first of them, how it grows, and how near u has to come.
const STEPS_MAX: usize = 60;
const FIRST: f64 = 0.03;
const GROWTH: f64 = 1.6;
const NEAR: f64 = 0.25;

/// Where the bounds of a parameter end before the value, parts of it are tried.
const NEARER: [f64; 4] = [1.0, 1.0 / 8.0, 1.0 / 64.0, 1.0 / 512.0];

/// Golden sections of the search for an extreme.
const SECTIONS: usize = 60;
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// An argument u, and a value of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Focus {
    pub(super) argument: ExprId,
    value: f64,
}

/// Those of the functions in some expressions.
pub(crate) fn focuses(pool: &ExprPool, roots: &[ExprId]) -> Vec<Focus> {
    let mut found: Vec<Focus> = Vec::new();
    for id in pool.below(roots) {
        let View::Call(function, arguments) = pool.view(id) else { continue };
        let Some(&argument) = arguments.first() else { continue };
        for &value in values(function) {
            let focus = Focus { argument, value };
            if !found.contains(&focus) {
                found.push(focus);
            }
        }
    }
    found.truncate(FOCUSES_MAX);
    found
}

/// Where a function of u acts.
fn values(function: Function) -> &'static [f64] {
    let Some(Numbers::One(elementary)) = function.numbers() else { return &[] };
    // table
    match elementary {
        Elementary::Ramp | Elementary::Smoothstep => &[0.3, 0.6],
        Elementary::Tanh | Elementary::Erf | Elementary::Atan => &[0.4],
        Elementary::Exp => &[-0.5],
        Elementary::Abs | Elementary::Sign => &[0.5, -0.5],
        _ => &[],
    }
}

impl Sampler<'_> {
    /// Moves a state to its focuses, each by a symbol of its own; where nothing does that it stays as it is.
    pub(super) fn move_to_focuses(&self, sample: &mut Sample) {
        let (mut reached, mut moved): (Vec<ExprId>, Vec<SymbolKind>) = (Vec::new(), Vec::new());
        for focus in &self.focuses {
            // Of one argument one value.
            if !reached.contains(&focus.argument)
                && let Some(kind) = self.move_to_focus(*focus, &moved, sample)
            {
                reached.push(focus.argument);
                moved.push(kind);
            }
        }
    }

    /// Moves a state to a focus by a symbol that was not moved yet, and tells by which.
    fn move_to_focus(
        &self,
        Focus { argument, value }: Focus,
        moved: &[SymbolKind],
        sample: &mut Sample,
    ) -> Option<SymbolKind> {
        let symbols = self.model.pool.symbols_in(&[argument]).into_iter();
        let mut kinds: Vec<SymbolKind> =
            symbols.map(|symbol| self.model.pool.symbol_info(symbol).kind).collect();
        order::sort_by_key(&mut kinds, |kind| match kind {
            SymbolKind::Coordinate(index) => (0, *index),
            SymbolKind::Velocity(index) => (1, *index),
            SymbolKind::Time => (2, 0),
            SymbolKind::Parameter(index) => (3, *index),
            _ => (4, 0),
        });
        let moves = |kind: &SymbolKind| {
            matches!(
                kind,
                SymbolKind::Coordinate(_)
                    | SymbolKind::Velocity(_)
                    | SymbolKind::Time
                    | SymbolKind::Parameter(_)
            )
        };
        for kind in kinds.iter().filter(|kind| moves(kind) && !moved.contains(kind)) {
            let from = sample.value(*kind);
            let is_bounded = matches!(kind, SymbolKind::Parameter(_));
            for part in NEARER.iter().take(if is_bounded { NEARER.len() } else { 1 }) {
                if let Some(to) = self.root((argument, value * part), *kind, sample) {
                    sample.set(*kind, to);
                    if !is_bounded || self.within_bounds(sample) {
                        return Some(*kind);
                    }
                }
                sample.set(*kind, from);
            }
        }
        None
    }

    /// Where along a symbol the argument comes near to its value: outwards on both sides until it does, or passes it.
    fn root(
        &self,
        (argument, value): (ExprId, f64),
        kind: SymbolKind,
        sample: &mut Sample,
    ) -> Option<f64> {
        let start = sample.value(kind);
        let mut off = |x: f64| {
            sample.set(kind, x);
            self.evaluate(&[argument], sample)[0] - value
        };
        let here = off(start);
        let (mut sides, mut step) = ([[(start, here); 2]; 2], FIRST);
        for _ in 0..STEPS_MAX {
            for (side, [before, last]) in sides.iter_mut().enumerate() {
                let x = last.0 + if side == 0 { step } else { -step };
                let next = (x, off(x));
                if next.1.abs() <= NEAR * value.abs() {
                    return Some(next.0);
                }
                if next.1 * last.1 < 0.0 {
                    return Some(bisected(*last, next.0, &mut off));
                }
                // It came nearer, and goes away again.
                if last.1.abs() <= before.1.abs().min(next.1.abs())
                    && let Some(found) = extreme(*before, next.0, value, &mut off)
                {
                    return Some(found);
                }
                (*before, *last) = (*last, next);
            }
            step *= GROWTH;
        }
        None
    }
}

/// A root about the place between two where the argument is nearest to its value, where it comes to it or passes it there.
fn extreme(
    beyond: (f64, f64),
    mut high: f64,
    value: f64,
    off: &mut impl FnMut(f64) -> f64,
) -> Option<f64> {
    let mut low = beyond.0;
    for _ in 0..SECTIONS {
        let [one, other] = [GOLDEN, 1.0 - GOLDEN].map(|part| high + part * (low - high));
        let [at_one, at_other] = [one, other].map(&mut *off);
        for (x, f) in [(one, at_one), (other, at_other)] {
            if f.abs() <= NEAR * value.abs() {
                return Some(x);
            }
            if f * beyond.1 < 0.0 {
                return Some(bisected(beyond, x, off));
            }
        }
        if at_one.abs() < at_other.abs() { high = other } else { low = one }
    }
    None
}

/// A root between two places.
fn bisected((mut x, f): (f64, f64), mut other: f64, off: &mut impl FnMut(f64) -> f64) -> f64 {
    for _ in 0..STEPS_MAX {
        let middle = 0.5 * (x + other);
        if off(middle) * f > 0.0 { x = middle } else { other = middle }
    }
    0.5 * (x + other)
}
