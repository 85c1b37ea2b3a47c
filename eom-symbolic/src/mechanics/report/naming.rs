//! Names for the parts of long expressions: what occurs twice, and what is too long for a line.
//!
//! The graph of the expressions is walked from its leaves. Nodes with equal values at a few points are taken for equal,
//! as claims are decided; a node that is used more than once, or that is long, gets a name, and what is
//! above it is written in that name. A name used once is put back where the line stays short.

use crate::eval::Estimate;
use crate::mechanics::SystemModel;
use crate::mechanics::claim::sample::points::{Points, agree, are_clear, vanish};
use crate::mechanics::system::start::{DEPTH_MAX, Start};
use crate::node::{ExprId, SymbolId, SymbolKind, View};
use crate::number::Rational;
use crate::pool::ExprPool;
use crate::simplify::{self, Level, Simplifier, level_of};
use crate::subst::Substitution;
use rustc_hash::FxHashMap;

/// What is used more than once has a name from this [`size`](simplify::size) on.
const SHARED_MIN: usize = 6;

/// A part of a larger size has a name though it is used once.
const PART_MAX: usize = 60;

/// A name that is used once is put back where its value is not larger.
const ONCE_MAX: usize = 24;

/// A sum of so many terms is looked for in others.
const SUM_MIN: usize = 3;

/// A value of this size stands without a name, unless it is a sum that others may hold.
const INLINE_MAX: usize = 8;

/// Definitions of a larger size are left as they were found.
const SIMPLIFIED_MAX: usize = 300;

/// Graphs of more nodes are not named.
const NODES_MAX: usize = 20_000;

/// The numbers of these symbols begin here: behind all that a model has.
const FIRST: usize = 1 << 20;

/// A value at the points.
type Values = Vec<Estimate>;

/// A name and what it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) name: ExprId,
    pub(super) value: ExprId,
}

/// The names that were given, with their values at the points.
#[derive(Debug, Clone, Default)]
pub(super) struct Naming {
    points: Points,
    values: FxHashMap<SymbolId, Values>,
    /// How many symbols were made.
    count: usize,
    /// Values that have a name already, and its symbol.
    leaves: FxHashMap<ExprId, ExprId>,
    /// These values in their order.
    leaf_order: Vec<ExprId>,
    /// Where the first scenario starts.
    start: Start,
}

/// Expressions written in names.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    /// The names in an order in which each is defined before it is used.
    pub(super) definitions: Vec<Definition>,
    /// The expressions.
    pub(super) values: Vec<ExprId>,
    /// How many definitions stand before what follows each of these.
    pub(super) ends: Vec<usize>,
}

impl Naming {
    /// For expressions that are made of some.
    pub(super) fn new(model: &SystemModel, roots: &[ExprId]) -> Self {
        Self { points: Points::new(model, roots), start: model.start(), ..Self::default() }
    }

    /// A new symbol for a value that is written in symbols with values.
    pub(super) fn symbol(&mut self, pool: &mut ExprPool, name: &str, value: ExprId) -> ExprId {
        let values = self.at_points(pool, &[value]).pop();
        let at_start = self.start.value(pool, value);
        let number = FIRST + self.count;
        self.count += 1;
        let kind = match level_of(pool, value) {
            Level::Parameter => SymbolKind::Constant(number),
            Level::State => SymbolKind::Jet(number),
            Level::Rate => SymbolKind::Input(number),
        };
        let symbol = pool.symbol(kind, name);
        if let Some(values) = values {
            self.values.insert(symbol, values);
        }
        self.start.insert(symbol, at_start);
        pool.symbol_expr(symbol)
    }

    /// A name that a value has by itself: it is written so, and not taken apart.
    pub(super) fn leaf(&mut self, pool: &mut ExprPool, name: &str, value: ExprId) {
        if self.leaves.contains_key(&value) {
            return;
        }
        let symbol = self.symbol(pool, name, value);
        self.leaves.insert(value, symbol);
        self.leaf_order.push(value);
    }

    /// The values of expressions at the points; none where that takes too long.
    fn at_points(&self, pool: &ExprPool, roots: &[ExprId]) -> Vec<Values> {
        if pool.integral_depth(roots) > DEPTH_MAX {
            return vec![vec![Estimate::exact(f64::NAN)]; roots.len()];
        }
        let known = |symbol, point: usize| {
            let values: &Values = self.values.get(&symbol)?;
            Some(values.get(point).copied().unwrap_or(Estimate::exact(f64::NAN)))
        };
        self.points.values(pool, roots, known)
    }

    /// Whether an expression vanishes at all points.
    pub(super) fn is_zero(&self, pool: &ExprPool, e: ExprId) -> bool {
        e == ExprPool::ZERO || self.at_points(pool, &[e]).iter().all(|v| vanish(v))
    }

    /// The value of an expression where the first scenario starts.
    pub(super) fn at_start(&self, pool: &ExprPool, e: ExprId) -> f64 {
        self.start.value(pool, e)
    }

    /// Values under names, and in names of their parts, for which `letter` makes names; `None` where that is beyond the
    /// bounds. A value that is short has no name.
    pub(super) fn parts(
        &mut self,
        pool: &mut ExprPool,
        simplifier: &mut Simplifier,
        wanted: &[(String, ExprId)],
        letter: &mut dyn FnMut() -> String,
    ) -> Option<Parts> {
        let roots: Vec<ExprId> = wanted.iter().map(|(_, value)| *value).collect();
        let known: Vec<ExprId> = self.leaf_order.iter().chain(&roots).copied().collect();
        let order = pool.below_outside(&known);
        if order.len() > NODES_MAX {
            return None;
        }
        let merged = self.merged(pool, &order);
        let uses = self.uses(pool, &order, &merged, &roots);
        let mut images: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        let mut definitions: Vec<Definition> = Vec::new();
        for &id in &order {
            let Some(&used) = uses.get(&id) else { continue };
            if let Some(&symbol) = self.leaves.get(&id) {
                images.insert(id, symbol);
                continue;
            }
            let image = match pool.view(id) {
                View::Integral { .. } => id,
                _ => {
                    let children = image_of_children(pool, &merged, &images, id);
                    let image = |child| children.get(&child).copied().unwrap_or(child);
                    match self.root_factors(pool, id, &image) {
                        Some(factors) => factors,
                        None => pool.rebuilt(id, image),
                    }
                }
            };
            let image = match definition(pool, simplifier, image, used) {
                Ok(image) => image,
                Err(value) => {
                    let name = self.symbol(pool, "", value);
                    definitions.push(Definition { name, value });
                    name
                }
            };
            images.insert(id, image);
        }
        let values = roots.iter().map(|root| image_of(pool, &merged, &images, *root));
        let values: Vec<ExprId> = values.collect();
        let values: Vec<ExprId> =
            values.into_iter().map(|value| short(pool, simplifier, value)).collect();
        let values = self.named_sums(pool, &mut definitions, values);
        let (definitions, values) = put_back(pool, simplifier, definitions, values);
        let names: Vec<&str> = wanted.iter().map(|(name, _)| name.as_str()).collect();
        Some(self.in_order(pool, &definitions, &values, &names, letter))
    }

    /// A product in which a root has a name: x^(3/2) is s³ where s = √x.
    fn root_factors(
        &self,
        pool: &mut ExprPool,
        id: ExprId,
        image: &impl Fn(ExprId) -> ExprId,
    ) -> Option<ExprId> {
        let View::Product { coefficient, factors } = pool.view(id) else { return None };
        let mut factors = factors.to_vec();
        let mut is_rooted = false;
        for (base, exponent) in &mut factors {
            let twice = pool.as_number(*exponent).map(|n| n.add(n));
            let odd = twice
                .filter(|_| pool.as_number(*exponent).is_some_and(|n| n.as_integer().is_none()));
            let n = odd.and_then(|n| n.as_integer());
            let root = n.map(|n| (n, pool.sqrt(*base)));
            match root.and_then(|(n, root)| Some((n, *self.leaves.get(&root)?))) {
                Some((n, symbol)) => {
                    (*base, *exponent) = (symbol, pool.integer(n));
                    is_rooted = true;
                }
                None => (*base, *exponent) = (image(*base), image(*exponent)),
            }
        }
        is_rooted.then(|| pool.product(coefficient, &factors))
    }

    /// For each node the first one that has its value or the negative of it, and the sign.
    fn merged(&self, pool: &ExprPool, order: &[ExprId]) -> FxHashMap<ExprId, (ExprId, ExprId)> {
        let values = self.at_points(pool, order);
        let mut known: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        let mut merged = FxHashMap::default();
        for (at, (&id, value)) in order.iter().zip(&values).enumerate() {
            let mut same = (id, ExprPool::ONE);
            if pool.as_number(id).is_none() && pool.as_symbol(id).is_none() {
                if vanish(value) {
                    same = (ExprPool::ZERO, ExprPool::ONE);
                } else if let Some(found) = equal(&values, &known, at) {
                    let sign = values[found][0].value * value[0].value > 0.0;
                    same = (order[found], if sign { ExprPool::ONE } else { ExprPool::MINUS_ONE });
                }
            }
            if same.0 == id {
                known.entry(key(value)).or_default().push(at);
            }
            merged.insert(id, same);
        }
        merged
    }

    /// Sums within longer ones by their names, which long values get too.
    fn named_sums(
        &mut self,
        pool: &mut ExprPool,
        definitions: &mut Vec<Definition>,
        values: Vec<ExprId>,
    ) -> Vec<ExprId> {
        let names = values.into_iter().map(|value| {
            if is_short(pool, value) {
                return value;
            }
            let name = self.symbol(pool, "", value);
            definitions.push(Definition { name, value });
            name
        });
        let names = names.collect();
        let mut known: Vec<(ExprId, Vec<(ExprId, ExprId)>)> = Vec::new();
        for Definition { name, value } in definitions {
            let mut at = 0;
            while let Some((other, terms)) = known.get(at) {
                match without(pool, *value, terms, *other) {
                    Some(shorter) => *value = shorter,
                    None => at += 1,
                }
            }
            match pool.view(*value) {
                View::Sum(terms) if terms.len() >= SUM_MIN => {
                    let terms = terms.to_vec();
                    let place = known.partition_point(|k| k.1.len() >= terms.len());
                    known.insert(place, (*name, terms));
                }
                _ => {}
            }
        }
        names
    }

    /// How often each node is used, equal ones together.
    fn uses(
        &self,
        pool: &ExprPool,
        order: &[ExprId],
        merged: &FxHashMap<ExprId, (ExprId, ExprId)>,
        roots: &[ExprId],
    ) -> FxHashMap<ExprId, usize> {
        let mut uses: FxHashMap<ExprId, usize> = FxHashMap::default();
        let first = |id: &ExprId| merged.get(id).map_or(*id, |same| same.0);
        for root in roots {
            *uses.entry(first(root)).or_default() += 1;
        }
        for id in order.iter().rev() {
            let is_closed =
                self.leaves.contains_key(id) || matches!(pool.view(*id), View::Integral { .. });
            if uses.contains_key(id) && !is_closed {
                pool.for_children(*id, |child| *uses.entry(first(&child)).or_default() += 1);
            }
        }
        uses
    }

    /// The definitions, each before the first value that needs it, with the names as they are printed.
    fn in_order(
        &mut self,
        pool: &mut ExprPool,
        definitions: &[Definition],
        values: &[ExprId],
        names: &[&str],
        letter: &mut dyn FnMut() -> String,
    ) -> Parts {
        let known = definitions.iter();
        let known = known.filter_map(|d| Some((pool.as_symbol(d.name)?, d.value))).collect();
        // What is wanted itself has its own name wherever it is used.
        let mut own: FxHashMap<SymbolId, &str> = FxHashMap::default();
        for (value, name) in values.iter().zip(names) {
            if let Some(symbol) = pool.as_symbol(*value) {
                own.entry(symbol).or_insert(name);
            }
        }
        let mut ordered = Parts::default();
        let mut images = FxHashMap::default();
        for (value, name) in values.iter().zip(names) {
            for symbol in needed(pool, &known, *value) {
                if images.contains_key(&symbol) {
                    continue;
                }
                let value = substituted(pool, &images, known[&symbol]);
                let name = own.get(&symbol).map_or_else(&mut *letter, |own| (*own).to_owned());
                let name = self.symbol(pool, &name, value);
                ordered.definitions.push(Definition { name, value });
                images.insert(symbol, name);
            }
            let value = substituted(pool, &images, *value);
            let short = is_short(pool, value);
            ordered.values.push(if short { value } else { self.symbol(pool, name, value) });
            if let (false, Some(&name)) = (short, ordered.values.last()) {
                ordered.definitions.push(Definition { name, value });
            }
            ordered.ends.push(ordered.definitions.len());
        }
        ordered
    }
}

/// The symbols with definitions that a value needs, each behind those that it needs itself.
fn needed(pool: &ExprPool, known: &FxHashMap<SymbolId, ExprId>, value: ExprId) -> Vec<SymbolId> {
    let mut found: Vec<SymbolId> = Vec::new();
    let mut open = vec![(value, None)];
    // A symbol is found once what it needs was; definitions have no circle.
    while let Some((value, symbol)) = open.pop() {
        let missing = pool.symbols_in(&[value]).into_iter();
        let missing: Vec<SymbolId> =
            missing.filter(|s| known.contains_key(s) && !found.contains(s)).collect();
        if missing.is_empty() {
            found.extend(symbol.filter(|s| !found.contains(s)));
            continue;
        }
        open.push((value, symbol));
        open.extend(missing.into_iter().rev().map(|s| (known[&s], Some(s))));
    }
    found
}

/// The image of a node that needs no name, or the value that gets one.
fn definition(
    pool: &mut ExprPool,
    simplifier: &mut Simplifier,
    image: ExprId,
    used: usize,
) -> Result<ExprId, ExprId> {
    let wanted = |pool: &ExprPool, e: ExprId| {
        let size = simplify::size(pool, e);
        matches!(pool.view(e), View::Sum(_) | View::Product { .. } | View::Call(..))
            && (size > PART_MAX || used > 1 && size >= SHARED_MIN)
    };
    if !wanted(pool, image) {
        return Ok(image);
    }
    let value = short(pool, simplifier, image);
    if wanted(pool, value) { Err(value) } else { Ok(value) }
}

/// Where the magnitude of a value is looked up.
fn key(value: &Values) -> u64 {
    value[0].value.abs().to_bits() >> 24
}

/// The place of a value among those that are known, up to its sign.
fn equal(values: &[Values], known: &FxHashMap<u64, Vec<usize>>, at: usize) -> Option<usize> {
    let value = &values[at];
    if !are_clear(value) {
        return None;
    }
    let key = key(value);
    let near = [key, key.saturating_sub(1), key.saturating_add(1)];
    let mut candidates = near.iter().filter_map(|key| known.get(key)).flatten().copied();
    candidates.find(|other| [1.0, -1.0].iter().any(|sign| agree(value, &values[*other], *sign)))
}

/// A sum with the name of another one for those of its terms that are a multiple of that; `None` where they are not.
fn without(
    pool: &mut ExprPool,
    sum: ExprId,
    terms: &[(ExprId, ExprId)],
    name: ExprId,
) -> Option<ExprId> {
    let View::Sum(all) = pool.view(sum) else { return None };
    if all.len() < terms.len() {
        return None;
    }
    let all = all.to_vec();
    let mut scale: Option<Rational> = None;
    let mut taken = Vec::with_capacity(terms.len());
    for (c, term) in terms {
        let at = all.iter().position(|own| own.1 == *term)?;
        let ratio = pool.as_number(all[at].0)?.mul(&pool.as_number(*c)?.recip()?);
        if *scale.get_or_insert_with(|| ratio.clone()) != ratio {
            return None;
        }
        taken.push(at);
    }
    let scale = pool.number(&scale?);
    let rest = all.iter().enumerate().filter(|(at, _)| !taken.contains(at)).map(|(_, term)| *term);
    let left: Vec<(ExprId, ExprId)> = rest.chain([(scale, name)]).collect();
    Some(pool.sum(&left))
}

/// What a node is written as.
fn image_of(
    pool: &mut ExprPool,
    merged: &FxHashMap<ExprId, (ExprId, ExprId)>,
    images: &FxHashMap<ExprId, ExprId>,
    id: ExprId,
) -> ExprId {
    let (same, sign) = merged.get(&id).copied().unwrap_or((id, ExprPool::ONE));
    let image = images.get(&same).copied().unwrap_or(same);
    pool.scale(sign, image)
}

fn image_of_children(
    pool: &mut ExprPool,
    merged: &FxHashMap<ExprId, (ExprId, ExprId)>,
    images: &FxHashMap<ExprId, ExprId>,
    id: ExprId,
) -> FxHashMap<ExprId, ExprId> {
    let mut children = Vec::new();
    pool.for_children(id, |child| children.push(child));
    children.into_iter().map(|child| (child, image_of(pool, merged, images, child))).collect()
}

/// Whether a value stands without a name.
fn is_short(pool: &ExprPool, value: ExprId) -> bool {
    let terms = match pool.view(value) {
        View::Sum(terms) => terms.len(),
        _ => 1,
    };
    terms < SUM_MIN && simplify::size(pool, value) <= INLINE_MAX
}

/// The shorter form of a value of moderate size.
fn short(pool: &mut ExprPool, simplifier: &mut Simplifier, value: ExprId) -> ExprId {
    match simplify::size(pool, value) {
        size if size > SIMPLIFIED_MAX => value,
        _ => simplifier.simplify(pool, value),
    }
}

/// Without the names that are not used, or once and short.
fn put_back(
    pool: &mut ExprPool,
    simplifier: &mut Simplifier,
    all: Vec<Definition>,
    values: Vec<ExprId>,
) -> (Vec<Definition>, Vec<ExprId>) {
    let mut uses: FxHashMap<SymbolId, usize> = FxHashMap::default();
    let all_values = all.iter().map(|d| d.value).chain(values.iter().copied());
    all_values.for_each(|e| count(pool, e, &mut uses));
    let mut images: FxHashMap<SymbolId, ExprId> = FxHashMap::default();
    let mut written = |pool: &mut ExprPool, images: &FxHashMap<SymbolId, ExprId>, e: ExprId| {
        let image = substituted(pool, images, e);
        if image == e { e } else { short(pool, simplifier, image) }
    };
    let mut definitions = Vec::with_capacity(all.len());
    for Definition { name, value } in all {
        let Some(symbol) = pool.as_symbol(name) else { continue };
        let value = written(pool, &images, value);
        match uses.get(&symbol).copied().unwrap_or(0) {
            0 => {}
            1 if simplify::size(pool, value) <= ONCE_MAX => {
                images.insert(symbol, value);
            }
            _ => definitions.push(Definition { name, value }),
        }
    }
    let values = values.into_iter().map(|value| written(pool, &images, value)).collect();
    (definitions, values)
}

/// Counts how often each symbol stands in an expression.
fn count(pool: &ExprPool, e: ExprId, uses: &mut FxHashMap<SymbolId, usize>) {
    match pool.view(e) {
        View::Symbol(symbol) => *uses.entry(symbol).or_default() += 1,
        _ => pool.for_children(e, |child| count(pool, child, uses)),
    }
}

/// An expression with the images of those of its symbols that have one.
fn substituted(pool: &mut ExprPool, images: &FxHashMap<SymbolId, ExprId>, e: ExprId) -> ExprId {
    let symbols = pool.symbols_in(&[e]);
    let own: Vec<_> = symbols.iter().filter_map(|s| Some((*s, *images.get(s)?))).collect();
    if own.is_empty() { e } else { Substitution::new(own).apply(pool, e) }
}
