//! Simplification: the shortest of a few equal forms, and the test whether an expression is 0.
//!
//! An expression is brought to a fraction of polynomials over atoms (`normal`), exactly; common
//! factors are divided out; then it is written back with terms collected (`rebuild`). Products of
//! sums can make that long, so that several forms compete and the shortest by [`size`] wins; the
//! expression as it stood is one of them. All work is counted against a fixed budget: what
//! exceeds it is left as it stands, so that the result depends on the input alone.

mod fraction;
mod normal;
mod poly;
mod rebuild;
mod trig;
mod zero;

use crate::node::{ExprId, SymbolId, SymbolKind, View};
use crate::number::Rational;
use crate::pool::ExprPool;
use fraction::Fraction;
use normal::{Mode, Normaliser};
use poly::Poly;
use rebuild::Style;
use rustc_hash::FxHashMap;

pub(crate) use normal::{Level, level_of};
pub(crate) use zero::at_point;
pub use zero::is_zero;

/// Terms that one normal form may touch.
const BUDGET: usize = 40_000;

/// Expressions whose tree is larger are left as they stand.
const SIZE_MAX: usize = 4_000;

/// Up to this size every form is tried, above it only the cheapest.
const ALL_FORMS_SIZE_MAX: usize = 600;

/// Arguments of functions nested deeper are left as they stand.
const NESTING_MAX: usize = 32;

/// No rewrite beyond like terms.
const PLAIN: Mode = Mode { opaque_sums: false, expand_angles: false };
/// Sums of coordinates as units.
const OPAQUE: Mode = Mode { opaque_sums: true, expand_angles: false };
/// Everything written out.
const EXPANDED: Mode = Mode { opaque_sums: false, expand_angles: true };

/// The size of an expression written out as a tree: one for each symbol, number and operation.
pub fn size(pool: &ExprPool, expr: ExprId) -> usize {
    pool.size(expr)
}

/// The shortest of the equal forms of an expression; see [`Simplifier`].
pub fn simplify(pool: &mut ExprPool, expr: ExprId) -> ExprId {
    Simplifier::default().simplify(pool, expr)
}

/// Σ coefficientᵢ·symbolᵢ + rest, all simplified; `None` where `expr` is not linear in the symbols.
pub fn collect(
    pool: &mut ExprPool,
    expr: ExprId,
    symbols: &[SymbolId],
) -> Option<(Vec<ExprId>, ExprId)> {
    let mut simplifier = Simplifier::default();
    let slopes = pool.gradient(expr, symbols);
    let coefficients: Vec<ExprId> =
        slopes.into_iter().map(|slope| simplifier.simplify(pool, slope)).collect();
    if pool.symbols_in(&coefficients).iter().any(|s| symbols.contains(s)) {
        return None;
    }
    let zeros = symbols.iter().map(|s| (*s, ExprPool::ZERO));
    let rest = crate::subst::Substitution::new(zeros).apply(pool, expr);
    Some((coefficients, simplifier.simplify(pool, rest)))
}

/// Simplifies expressions of one pool, and remembers.
#[derive(Debug, Clone, Default)]
pub struct Simplifier {
    known: FxHashMap<ExprId, ExprId>,
    known_collected: FxHashMap<ExprId, ExprId>,
    /// How deep in the arguments of functions the work is.
    depth: usize,
}

impl Simplifier {
    /// The shortest form: factors taken out of sums.
    pub fn simplify(&mut self, pool: &mut ExprPool, expr: ExprId) -> ExprId {
        if let Some(&known) = self.known.get(&expr) {
            return known;
        }
        if matches!(pool.view(expr), View::Number(_) | View::Symbol(_) | View::Undefined) {
            return expr;
        }
        if self.depth > NESTING_MAX {
            return expr;
        }
        self.depth += 1;
        let simple = self.best(pool, expr, Style::Factored);
        self.depth -= 1;
        self.known.insert(expr, simple);
        self.known.insert(simple, simple);
        simple
    }

    /// As a sum of terms: like terms collected, nothing taken out of the whole.
    pub fn collected(&mut self, pool: &mut ExprPool, expr: ExprId) -> ExprId {
        if let Some(&known) = self.known_collected.get(&expr) {
            return known;
        }
        let collected = self.best(pool, expr, Style::Collected);
        self.known_collected.insert(expr, collected);
        collected
    }

    /// As one fraction: 1 − I/(I + m·R²) = m·R²/(I + m·R²). Shorter sums are passed over.
    pub fn combined(&mut self, pool: &mut ExprPool, expr: ExprId) -> ExprId {
        if size(pool, expr) > SIZE_MAX {
            return expr;
        }
        let mut best: Option<(usize, ExprId)> = None;
        let mut modes = Modes::for_size(size(pool, expr));
        while let Some(mode) = modes.next {
            let mut normaliser = Normaliser::new(pool, self, mode, BUDGET);
            let fraction = normaliser.fraction(expr);
            modes.advance(fraction.is_some(), &normaliser);
            let Some(fraction) = fraction else { continue };
            let whole = normaliser.rebuild(&fraction, Style::Factored);
            let whole = (size(pool, whole), whole);
            if best.is_none_or(|best| whole.0 < best.0) {
                best = Some(whole);
            }
        }
        best.map_or(expr, |best| best.1)
    }

    fn best(&mut self, pool: &mut ExprPool, expr: ExprId, style: Style) -> ExprId {
        let original = size(pool, expr);
        if original > SIZE_MAX {
            return expr;
        }
        let mut best: Option<(usize, ExprId)> = None;
        let mut modes = Modes::for_size(original);
        while let Some(mode) = modes.next {
            let mut normaliser = Normaliser::new(pool, self, mode, BUDGET);
            let fraction = normaliser.fraction(expr);
            modes.advance(fraction.is_some(), &normaliser);
            let Some(fraction) = fraction else { continue };
            let whole = normaliser.rebuild(&fraction, style);
            let split = normaliser.rebuild_split(&fraction, style);
            for form in [Some(whole), split].into_iter().flatten() {
                let form = (size(pool, form), form);
                if best.is_none_or(|best| form.0 < best.0) {
                    best = Some(form);
                }
            }
        }
        match best {
            Some((size, form)) if size <= original || style == Style::Collected => form,
            _ => expr,
        }
    }

    /// The sides of the equation expr = 0, those terms on the right that `side` multiplies (with
    /// their signs changed): multiplied by its denominators, and divided by a number so that the
    /// accelerations have integer coefficients, the first of them positive.
    pub fn equation(
        &mut self,
        pool: &mut ExprPool,
        expr: ExprId,
        side: SymbolId,
    ) -> (ExprId, ExprId) {
        let side_expr = pool.symbol_expr(side);
        let mut best: Option<(usize, (ExprId, ExprId))> = None;
        let mut modes = Modes::for_size(size(pool, expr));
        while let Some(mode) = modes.next {
            let mut normaliser = Normaliser::new(pool, self, mode, BUDGET);
            let sides = normaliser.equation_sides(expr, side_expr);
            modes.advance(sides.is_some(), &normaliser);
            let Some(sides) = sides else { continue };
            let size = size(pool, sides.0) + size(pool, sides.1);
            if best.as_ref().is_none_or(|best| size < best.0) {
                best = Some((size, sides));
            }
        }
        best.map_or_else(|| split_by_side(pool, expr, side), |best| best.1)
    }
}

/// The modes that are tried one after the other. Those that would repeat the plain form are left
/// out: the plain run sees whether there is anything that they treat otherwise.
#[derive(Debug)]
struct Modes {
    next: Option<Mode>,
    others: &'static [Mode],
}

impl Modes {
    fn for_size(size: usize) -> Self {
        Self {
            next: (size <= SIZE_MAX).then_some(PLAIN),
            others: if size > ALL_FORMS_SIZE_MAX { &[] } else { &[OPAQUE, EXPANDED] },
        }
    }

    /// After a run; one that was cut short by its budget has not seen all.
    fn advance(&mut self, complete: bool, run: &Normaliser<'_>) {
        if self.next == Some(PLAIN) && complete {
            self.others = match (run.met_opaque_sums, run.met_angles) {
                (true, true) => self.others,
                (true, false) => self.others.get(..1).unwrap_or_default(),
                (false, true) => self.others.get(1..).unwrap_or_default(),
                (false, false) => &[],
            };
        }
        self.next = self.others.first().copied();
        self.others = self.others.get(1..).unwrap_or_default();
    }
}

/// (expr at side = 0, −∂expr/∂side).
fn split_by_side(pool: &mut ExprPool, expr: ExprId, side: SymbolId) -> (ExprId, ExprId) {
    let left = crate::subst::Substitution::new([(side, ExprPool::ZERO)]).apply(pool, expr);
    let right = pool.partial(expr, side);
    (left, pool.neg(right))
}

impl Normaliser<'_> {
    fn equation_sides(&mut self, expr: ExprId, side: ExprId) -> Option<(ExprId, ExprId)> {
        let Fraction { numerator, .. } = self.fraction(expr)?;
        let numerator = self.scaled_equation(&numerator);
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (m, c) in numerator.into_terms() {
            match m.factors().iter().find(|f| self.atom(f.0).expr == side) {
                Some(&(atom, _)) => right.push((m.split(|a| a != atom).0, c.neg())),
                None => left.push((m, c)),
            }
        }
        let left = self.rebuild(&Poly::from_terms(left).into(), Style::Collected);
        let right = self.rebuild(&Poly::from_terms(right).into(), Style::Collected);
        Some((left, right))
    }

    /// Denominators that all terms share are multiplied away; the numeric content of the terms
    /// with accelerations becomes 1.
    fn scaled_equation(&mut self, poly: &Poly) -> Poly {
        let (_, common) = poly.content();
        let shared = common.split(|a| common.exponent(a) < 0).0;
        let poly = poly.times_term(&shared.power(-1), &Rational::ONE);
        let accelerations: Vec<Vec<u32>> =
            poly.terms().iter().map(|(m, _)| self.accelerations(m.factors())).collect();
        let first = accelerations.iter().flatten().min().copied();
        let of_first = |at: &usize| first.is_some_and(|f| accelerations[*at].contains(&f));
        let positive =
            (0..poly.len()).filter(of_first).filter(|at| !poly.terms()[*at].1.is_negative());
        let negative =
            (0..poly.len()).filter(of_first).filter(|at| poly.terms()[*at].1.is_negative());
        let flip = negative.count() > positive.count();
        let content = poly
            .terms()
            .iter()
            .zip(&accelerations)
            .filter(|(_, found)| !found.is_empty())
            .map(|((_, c), _)| c.abs())
            .reduce(|a, b| poly::common_content(&a, &b))
            .unwrap_or(Rational::ONE);
        let content = if flip { content.neg() } else { content };
        poly.primitive(&content, &poly::Monomial::default())
    }

    /// The coordinates of the accelerations in a monomial.
    fn accelerations(&self, factors: &[(u32, i32)]) -> Vec<u32> {
        let of_atom = |&(atom, _): &(u32, i32)| {
            let symbol = self.pool.as_symbol(self.atom(atom).expr)?;
            match self.pool.symbol_info(symbol).kind {
                SymbolKind::Acceleration(coordinate) => Some(coordinate as u32),
                _ => None,
            }
        };
        factors.iter().filter_map(of_atom).collect()
    }
}
