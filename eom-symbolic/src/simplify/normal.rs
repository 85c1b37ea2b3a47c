//! The normal form: an expression as a fraction of polynomials over atoms.
//!
//! Atoms are symbols, calls, roots, and powers with symbolic exponents. Relations between functions,
//! f² = ±(1 − g²) as sin² = 1 − cos², are used as rewrites, so that the numerator of 0 is 0.

use super::Simplifier;
use super::fraction::Fraction;
use super::poly::{Budget, Monomial, Poly, common_content};
use crate::node::{ExprId, Function, SymbolKind, View};
use crate::number::Rational;
use crate::pool::{ExprPool, Kinds};
use rustc_hash::FxHashMap;

/// Which rewrites a normal form uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mode {
    /// Sums of coordinates that are factors stay whole: x + R·cos φ is then one atom.
    pub(crate) opaque_sums: bool,
    /// sin, cos of sums and multiples are written in those of their terms, tan as sin/cos.
    pub(crate) expand_angles: bool,
}

/// Angles with more terms, counted with multiplicity, are not expanded.
const ANGLE_TERMS_MAX: i64 = 6;

/// Roots are taken as algebraic up to this index.
const ROOT_INDEX_MAX: u32 = 12;

/// How deep expressions may nest.
const DEPTH_MAX: usize = 200;

/// The group in which an atom is collected, from outside to inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// Velocities, accelerations, multipliers, inputs: what equations are linear in.
    Rate,
    /// Coordinates, time and their functions.
    State,
    /// Constants.
    Parameter,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Atom {
    /// The atom as an expression.
    pub(crate) expr: ExprId,
    /// Where it is collected.
    pub(crate) level: Level,
    /// base and n of base^(1/n).
    root: Option<(ExprId, i32)>,
    /// g where it is f with f² = ±(1 − g²), and whether the sign is +.
    partner: Option<(u32, bool)>,
}

/// A run of the normal form: the atoms it met, and what it has computed.
#[derive(Debug)]
pub(crate) struct Normaliser<'a> {
    pub(crate) pool: &'a mut ExprPool,
    pub(crate) simplifier: &'a mut Simplifier,
    pub(crate) budget: Budget,
    mode: Mode,
    atoms: Vec<Atom>,
    index: FxHashMap<ExprId, u32>,
    known: FxHashMap<ExprId, Fraction>,
    depth: usize,
    /// Whether the opaque mode would treat something otherwise than the plain one.
    pub(crate) met_opaque_sums: bool,
    /// Whether the expanding mode would.
    pub(crate) met_angles: bool,
}

impl<'a> Normaliser<'a> {
    pub(crate) fn new(
        pool: &'a mut ExprPool,
        simplifier: &'a mut Simplifier,
        mode: Mode,
        budget: usize,
    ) -> Self {
        Self {
            pool,
            simplifier,
            budget: Budget::new(budget),
            mode,
            atoms: Vec::new(),
            index: FxHashMap::default(),
            known: FxHashMap::default(),
            depth: 0,
            met_opaque_sums: false,
            met_angles: false,
        }
    }

    pub(crate) fn atom(&self, atom: u32) -> &Atom {
        &self.atoms[atom as usize]
    }

    /// The sines met with their cosines; `true` for the circular ones.
    pub(crate) fn sine_pairs(&self) -> Vec<(u32, u32, bool)> {
        let pair = |(sine, atom): (usize, &Atom)| {
            atom.partner.map(|(cosine, circular)| (sine as u32, cosine, circular))
        };
        self.atoms.iter().enumerate().filter_map(pair).collect()
    }

    /// The normal form; `None` where the budget ends or the expression is undefined.
    pub(crate) fn fraction(&mut self, e: ExprId) -> Option<Fraction> {
        if let Some(known) = self.known.get(&e) {
            return Some(known.clone());
        }
        if self.depth > DEPTH_MAX {
            return None;
        }
        self.depth += 1;
        let fraction = self.compute(e);
        self.depth -= 1;
        let fraction = fraction?;
        self.known.insert(e, fraction.clone());
        Some(fraction)
    }

    fn compute(&mut self, e: ExprId) -> Option<Fraction> {
        match self.pool.view(e) {
            View::Undefined => None,
            View::Number(value) => Some(Fraction::constant(value.clone())),
            View::Symbol(_) => Some(self.atom_power(e, 1)),
            View::Sum(terms) => {
                let terms = terms.to_vec();
                self.sum(&terms)
            }
            View::Product { coefficient, factors } => {
                let factors = factors.to_vec();
                let mut product = self.fraction(coefficient)?;
                for (base, exponent) in factors {
                    let power = self.factor(base, exponent)?;
                    product = product.times(&power, &mut self.budget)?;
                }
                self.reduced(product)
            }
            View::Call(function, arguments) => {
                let arguments = arguments.to_vec();
                self.call(function, &arguments)
            }
            View::Integral { variable, body, lower, upper } => {
                let [body, lower, upper] =
                    [body, lower, upper].map(|part| self.simplifier.simplify(self.pool, part));
                let integral = self.pool.integral(body, variable, lower, upper);
                self.atom_or_folded(integral)
            }
        }
    }

    fn sum(&mut self, terms: &[(ExprId, ExprId)]) -> Option<Fraction> {
        let mut fractions = Vec::with_capacity(terms.len());
        for &(c, e) in terms {
            let mut fraction = self.fraction(e)?;
            let c = self.pool.as_number(c)?.clone();
            fraction.numerator = fraction.numerator.times_term(&Monomial::default(), &c);
            fractions.push(fraction);
        }
        let sum = Fraction::sum(&fractions, &mut self.budget)?;
        self.reduced(sum)
    }

    /// base^exponent as a factor of a product.
    fn factor(&mut self, base: ExprId, exponent: ExprId) -> Option<Fraction> {
        let number = self.pool.as_number(exponent).cloned();
        let Some(number) = number else { return self.symbolic_power(base, exponent) };
        if let Some(n) = number.as_integer() {
            let inner = self.base(base)?;
            let power = inner.power(i32::try_from(n).ok()?, &mut self.budget)?;
            return self.reduced(power);
        }
        let index = number.small_denominator().filter(|n| *n <= ROOT_INDEX_MAX)?;
        let n = number.mul(&Rational::integer(i64::from(index))).as_integer()?;
        self.root_power(base, index, i32::try_from(n).ok()?)
    }

    /// The base of an integer power: a sum of coordinates stays whole in the opaque mode.
    fn base(&mut self, base: ExprId) -> Option<Fraction> {
        if !self.is_sum_of_coordinates(base) {
            return self.fraction(base);
        }
        self.met_opaque_sums = true;
        if !self.mode.opaque_sums {
            return self.fraction(base);
        }
        let simple = self.simplifier.simplify(self.pool, base);
        if !self.is_sum_of_coordinates(simple) {
            return self.fraction(simple);
        }
        let (content, primitive) = self.pool.primitive_sum(simple);
        let atom = self.atom_power(primitive, 1);
        Some(Fraction::from(atom.numerator.times_term(&Monomial::default(), &content)))
    }

    fn is_sum_of_coordinates(&self, e: ExprId) -> bool {
        matches!(self.pool.view(e), View::Sum(_)) && level_of(self.pool, e) == Level::State
    }

    fn symbolic_power(&mut self, base: ExprId, exponent: ExprId) -> Option<Fraction> {
        let base = self.simplifier.simplify(self.pool, base);
        let exponent = self.simplifier.simplify(self.pool, exponent);
        let power = self.pool.pow(base, exponent);
        self.atom_or_folded(power)
    }

    /// base^(n/index).
    fn root_power(&mut self, base: ExprId, index: u32, n: i32) -> Option<Fraction> {
        let base = self.simplifier.simplify(self.pool, base);
        let one_over = Rational::new(1, i64::from(index))?;
        let exponent = self.pool.number(&one_over);
        let root = self.pool.pow(base, exponent);
        match self.pool.view(root) {
            View::Product { coefficient: ExprPool::ONE, factors: &[(b, e)] } if e == exponent => {
                let power = self.atom_power(root, n);
                let atom = self.index[&root] as usize;
                self.atoms[atom].root = Some((b, i32::try_from(index).ok()?));
                self.reduced(power)
            }
            _ => {
                let root = self.atom_or_folded(root)?;
                root.power(n, &mut self.budget)
            }
        }
    }

    /// A call that stays a call is an atom, one that folded is normalised again.
    fn atom_or_folded(&mut self, e: ExprId) -> Option<Fraction> {
        match self.pool.view(e) {
            View::Call(..) | View::Integral { .. } => Some(self.atom_power(e, 1)),
            View::Product { coefficient: ExprPool::ONE, factors: &[(_, exponent)] }
                if self.pool.as_number(exponent).is_none() =>
            {
                Some(self.atom_power(e, 1))
            }
            _ => self.fraction(e),
        }
    }

    fn call(&mut self, function: Function, arguments: &[ExprId]) -> Option<Fraction> {
        let arguments: Vec<ExprId> =
            arguments.iter().map(|a| self.simplifier.simplify(self.pool, *a)).collect();
        if self.mode.expand_angles {
            let x = arguments[0];
            match function {
                Function::Sin => return Some(self.circular(x)?.1),
                Function::Cos => return Some(self.circular(x)?.0),
                Function::Tan => {
                    let (cos, sin) = self.circular(x)?;
                    let inverse = cos.power(-1, &mut self.budget)?;
                    let quotient = sin.times(&inverse, &mut self.budget)?;
                    return self.reduced(quotient);
                }
                _ => {}
            }
        }
        self.met_angles |= match function {
            Function::Sin | Function::Cos => {
                angle_parts(self.pool, arguments[0]) != [(arguments[0], 1)]
            }
            Function::Tan => true,
            _ => false,
        };
        let call = self.pool.call(function, &arguments);
        self.atom_or_folded(call)
    }

    /// (cos x, sin x), the angle taken apart into its terms.
    fn circular(&mut self, x: ExprId) -> Option<(Fraction, Fraction)> {
        let parts = angle_parts(self.pool, x);
        let mut turned = (Fraction::constant(Rational::ONE), Fraction::constant(Rational::ZERO));
        for (angle, times) in parts {
            let (c, s) =
                (self.plain_call(Function::Cos, angle)?, self.plain_call(Function::Sin, angle)?);
            let s = if times < 0 { negated(&s) } else { s };
            for _ in 0..times.abs() {
                turned = (
                    self.combine(&turned.0, &c, &turned.1, &negated(&s))?,
                    self.combine(&turned.1, &c, &turned.0, &s)?,
                );
            }
        }
        Some(turned)
    }

    /// a·b + c·d.
    fn combine(
        &mut self,
        a: &Fraction,
        b: &Fraction,
        c: &Fraction,
        d: &Fraction,
    ) -> Option<Fraction> {
        let terms = [a.times(b, &mut self.budget)?, c.times(d, &mut self.budget)?];
        let sum = Fraction::sum(&terms, &mut self.budget)?;
        self.reduced(sum)
    }

    fn plain_call(&mut self, function: Function, argument: ExprId) -> Option<Fraction> {
        let call = self.pool.call(function, &[argument]);
        let (c, e) = self.pool.split_coefficient(call);
        let c = self.pool.as_number(c)?.clone();
        let value = match self.pool.view(e) {
            View::Number(_) => Fraction::constant(Rational::ONE),
            _ => self.atom_power(e, 1),
        };
        Some(Fraction::from(value.numerator.times_term(&Monomial::default(), &c)))
    }

    /// atomⁿ, the atom registered; sines and cosines bring each other along.
    pub(crate) fn atom_power(&mut self, e: ExprId, n: i32) -> Fraction {
        Fraction::atom(self.register(e), n)
    }

    fn register(&mut self, e: ExprId) -> u32 {
        if let Some(&atom) = self.index.get(&e) {
            return atom;
        }
        let atom = self.atoms.len() as u32;
        self.index.insert(e, atom);
        let level = level_of(self.pool, e);
        self.atoms.push(Atom { expr: e, level, root: None, partner: None });
        let partner = match self.pool.view(e) {
            View::Call(function, &[x]) => {
                function.description().and_then(|of| of.square).map(|square| (square, x))
            }
            _ => None,
        };
        if let Some(((sign, function), x)) = partner {
            let cosine = self.pool.call(function, &[x]);
            if matches!(self.pool.view(cosine), View::Call(..)) {
                let cosine = self.register(cosine);
                self.atoms[atom as usize].partner = Some((cosine, sign > 0));
            }
        }
        if let View::Call(Function::Cos, &[x]) = self.pool.view(e) {
            let sine = self.pool.call(Function::Sin, &[x]);
            if matches!(self.pool.view(sine), View::Call(..)) {
                self.register(sine);
            }
        }
        atom
    }

    /// Applies the relations of sines and roots, then cancels.
    pub(crate) fn reduced(&mut self, fraction: Fraction) -> Option<Fraction> {
        let mut fraction = self.reduced_roots(fraction)?;
        fraction.numerator = self.reduced_sines(fraction.numerator)?;
        for at in 0..fraction.denominator.len() {
            let (factor, exponent) = fraction.denominator[at].clone();
            let reduced = self.reduced_sines(factor.clone())?;
            if reduced != factor {
                fraction.denominator[at].1 = 0;
                let inverse = Fraction::from(reduced)
                    .power(i32::try_from(exponent).ok()?.checked_neg()?, &mut self.budget)?;
                fraction = fraction.times(&inverse, &mut self.budget)?;
                fraction.numerator = self.reduced_sines(fraction.numerator)?;
            }
        }
        fraction.denominator.retain(|f| f.1 > 0);
        fraction.cancel(&mut self.budget);
        Some(fraction)
    }

    /// sin² → 1 − cos² in every term, at non-negative exponents.
    fn reduced_sines(&mut self, poly: Poly) -> Option<Poly> {
        let mut factors = poly.terms().iter().flat_map(|(m, _)| m.factors());
        if factors.all(|&(atom, e)| e == 1 || self.atom(atom).partner.is_none()) {
            return Some(poly);
        }
        let mut poly = poly;
        for (sine, cosine, circular) in self.sine_pairs() {
            poly = self.without_squares(poly, sine, cosine, circular)?;
        }
        Some(poly)
    }

    /// square² → 1 − other² (circular) or other² − 1, until its exponents are 0 and 1 above the
    /// least one, which stays where it is negative.
    pub(crate) fn without_squares(
        &mut self,
        poly: Poly,
        square: u32,
        other: u32,
        circular: bool,
    ) -> Option<Poly> {
        let least = poly.terms().iter().map(|(m, _)| m.exponent(square)).min().unwrap_or(0).min(0);
        if poly.terms().iter().all(|(m, _)| m.exponent(square) - least < 2) {
            return Some(poly);
        }
        let sign = if circular { Rational::ONE } else { Rational::MINUS_ONE };
        let image = Poly::from_terms(vec![
            (Monomial::default(), sign.clone()),
            (Monomial::power_of(other, 2), sign.neg()),
        ]);
        let mut terms = Vec::new();
        for (m, c) in poly.into_terms() {
            let pairs = (m.exponent(square) - least) / 2;
            let rest = m.times(&Monomial::power_of(square, -2 * pairs));
            let power = image.power(pairs.unsigned_abs(), &mut self.budget)?;
            self.budget.spend(power.len())?;
            terms.extend(power.times_term(&rest, &c).into_terms());
        }
        Some(Poly::from_terms(terms))
    }

    /// rootⁿ → base^(n div index)·root^(n mod index).
    fn reduced_roots(&mut self, fraction: Fraction) -> Option<Fraction> {
        let whole = |atoms: &[Atom], m: &Monomial| {
            m.factors().iter().find_map(|&(atom, e)| {
                let (base, index) = atoms[atom as usize].root?;
                (e.abs() >= index).then(|| (atom, base, index, e / index))
            })
        };
        if !fraction.numerator.terms().iter().any(|(m, _)| whole(&self.atoms, m).is_some()) {
            return Some(fraction);
        }
        let mut terms = Vec::new();
        for (m, c) in fraction.numerator.terms() {
            let Some((atom, base, index, times)) = whole(&self.atoms, m) else {
                terms.push(Fraction::from(Poly::term(m.clone(), c.clone())));
                continue;
            };
            let rest = m.times(&Monomial::power_of(atom, -index * times));
            let power = self.fraction(base)?.power(times, &mut self.budget)?;
            terms.push(power.times(&Poly::term(rest, c.clone()).into(), &mut self.budget)?);
        }
        let sum = Fraction::sum(&terms, &mut self.budget)?;
        let denominator = Fraction { numerator: Poly::constant(Rational::ONE), ..fraction };
        let product = sum.times(&denominator, &mut self.budget)?;
        self.reduced_roots(product)
    }
}

fn negated(fraction: &Fraction) -> Fraction {
    let numerator = fraction.numerator.times_term(&Monomial::default(), &Rational::MINUS_ONE);
    Fraction { numerator, denominator: fraction.denominator.clone() }
}

/// The terms of an angle with their multiplicities: 2a − b → (a, 2), (b, −1). Terms with other
/// coefficients, and angles of too many terms, stay whole.
fn angle_parts(pool: &mut ExprPool, x: ExprId) -> Vec<(ExprId, i64)> {
    let terms: Vec<(ExprId, ExprId)> = match pool.view(x) {
        View::Sum(terms) => terms.to_vec(),
        _ => vec![pool.split_coefficient(x)],
    };
    let mut parts = Vec::with_capacity(terms.len());
    for (c, e) in terms {
        match pool.as_number(c).and_then(Rational::as_integer) {
            Some(n) if e != ExprPool::ONE && n.unsigned_abs() <= ANGLE_TERMS_MAX.unsigned_abs() => {
                parts.push((e, n));
            }
            _ => parts.push((pool.scale(c, e), 1)),
        }
    }
    if parts.iter().map(|p| p.1.abs()).sum::<i64>() > ANGLE_TERMS_MAX {
        return vec![(x, 1)];
    }
    parts
}

/// The outermost level of the symbols in an expression.
pub(crate) fn level_of(pool: &ExprPool, e: ExprId) -> Level {
    if !pool.has_integral(e) {
        let kinds = pool.kinds(e);
        return match () {
            () if kinds.have(Kinds::VELOCITY) || kinds.have(Kinds::OTHER) => Level::Rate,
            () if kinds.have(Kinds::STATE) || kinds.have(Kinds::BOUND) => Level::State,
            () => Level::Parameter,
        };
    }
    pool.symbols_in(&[e])
        .iter()
        .map(|s| level_of_kind(pool.symbol_info(*s).kind))
        .min()
        .unwrap_or(Level::Parameter)
}

fn level_of_kind(kind: SymbolKind) -> Level {
    match kind {
        SymbolKind::Pi | SymbolKind::Parameter(_) | SymbolKind::Constant(_) => Level::Parameter,
        SymbolKind::Time
        | SymbolKind::Coordinate(_)
        | SymbolKind::Jet(_)
        | SymbolKind::Bound(_)
        | SymbolKind::Variable(_) => Level::State,
        _ => Level::Rate,
    }
}

impl ExprPool {
    /// A sum as content·primitive, the primitive's first coefficient positive.
    pub(crate) fn primitive_sum(&mut self, sum: ExprId) -> (Rational, ExprId) {
        let View::Sum(terms) = self.view(sum) else { return (Rational::ONE, sum) };
        let mut coefficients = terms.iter().filter_map(|(c, _)| self.as_number(*c));
        let Some(first) = coefficients.next() else { return (Rational::ONE, sum) };
        let content = coefficients.fold(first.abs(), |content, c| common_content(&content, c));
        let content = if first.is_negative() { content.neg() } else { content };
        let inverse = content.recip().unwrap_or(Rational::ONE);
        let inverse = self.number(&inverse);
        (content, self.sum(&[(inverse, sum)]))
    }
}
