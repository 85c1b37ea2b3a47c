//! Names: declared ones, those derived from them by dots, sides and differentials, `let` values.

use super::expression::context::{ExprContext, kind_words};
use super::expression::value::{MISTAKEN, Value};
use super::expression::{LetState, Resolver};
use super::mistake::{Mistake, elsewhere};
use super::scope::Entity;
use crate::ast::{Family, Ident};
use crate::diagnostic::Errors;
use eom_symbolic::diff::Tangent;
use eom_symbolic::name::{self, Name, Side};
use eom_symbolic::subst::Substitution;
use eom_symbolic::{ExprId, ExprPool, Function, SymbolId, SymbolKind, Vetted};

/// The longest product without signs that is looked for.
const FACTORS_MAX: usize = 12;

/// What others write behind a point for one dot, and for two.
const DOTS: [&[&str]; 2] = [&["dot", "der", "d"], &["ddot", "dotdot", "dd"]];

impl Resolver<'_> {
    /// A name: declared, derived from a declared one, or known to claims.
    pub(crate) fn name(
        &mut self,
        ident: &Ident,
        context: ExprContext,
        errors: &mut Errors,
    ) -> Value {
        let name = ident.name();
        if let Some(variable) = self.variable(&name) {
            return variable;
        }
        // Of what an impact leaves, claims alone speak: elsewhere `x_plus` would be x.
        if name.side == Side::Plus && context != ExprContext::Claim {
            Mistake::NeedsContact { what: ident.text.clone() }.report(errors, ident.region);
            return MISTAKEN;
        }
        let resolved = self
            .declared(ident, &name, errors)
            .or_else(|| self.differential(ident, context, errors))
            .or_else(|| self.quantity(ident, context));
        if resolved.is_none()
            && let Some(value) = self.array_of(ident, context, errors)
        {
            return value;
        }
        match resolved {
            None => {
                self.unknown(ident, &name, context).report(errors, ident.region);
                MISTAKEN
            }
            Some(Err(mistake)) => {
                mistake.report(errors, ident.region);
                MISTAKEN
            }
            Some(Ok(value)) => self.check_allowed((ident, &name.key), value, context, errors),
        }
    }

    /// What is said of a name that nothing declares.
    fn unknown(&self, ident: &Ident, name: &Name, context: ExprContext) -> Mistake {
        let text = ident.text.clone();
        let differential = name::split_differential(&ident.text);
        let base = differential.filter(|_| matches!(context, ExprContext::Row));
        let near = base.and_then(|base| self.scope.nearest_differential(base));
        if near.is_none()
            && let Some(instead) = written_elsewhere(name)
                .or_else(|| self.of_output(name))
                .or_else(|| self.with_index(ident, name))
                .or_else(|| self.side_by_side(name))
        {
            return Mistake::NameElsewhere { name: text, instead };
        }
        let near = near.or_else(|| self.scope.nearest(name));
        let base = base.map(str::to_owned);
        let base = base.or_else(|| (name.dots > 0).then(|| name.display.clone()));
        match base.filter(|_| near.is_none()) {
            Some(base) => Mistake::UnknownBase { name: text, base },
            None => Mistake::UnknownName { name: text, near },
        }
    }

    /// An output is made of formulas, and stands in none.
    fn of_output(&self, name: &Name) -> Option<String> {
        let is_one = self.scope.declares_output(name) && name.side == Side::None;
        let name = &name.display;
        is_one.then(|| {
            format!("write its formula as a `let`, and use that here and in `output {name}`")
        })
    }

    /// `λ(floor)` for `λ_floor`, `ẋ[i]` for `ẋ_i`.
    fn with_index(&self, ident: &Ident, name: &Name) -> Option<String> {
        let (base, index) = name.display.split_once('_').filter(|_| name.side == Side::None)?;
        let bearer = Ident { text: index.to_owned(), region: ident.region };
        let bears = self.scope.contact(&bearer).is_some() || self.scope.declares_row(&bearer);
        if name::key(base) == "lambda" && name.dots == 0 && bears {
            return Some(format!("write `λ({index})`"));
        }
        let array = self.scope.array(&name::key(base), Family::Values);
        array.map(|_| format!("write `{}[{index}]`", name::dotted(base, name.dots)))
    }

    /// `k*x` for `kx`, where both are declared.
    fn side_by_side(&self, name: &Name) -> Option<String> {
        let mut factors = self.factors(&name.display)?;
        if factors.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        let last = factors.pop()?;
        factors.push(name::dotted(&last, name.dots));
        (name.side == Side::None).then(|| format!("write `{}`", factors.join("*")))
    }

    /// Declared names that follow each other without a sign, each as long as can be.
    fn factors(&self, text: &str) -> Option<Vec<String>> {
        if text.chars().count() > FACTORS_MAX {
            return None;
        }
        let ends = text.char_indices().map(|(at, _)| at).skip(1).chain([text.len()]);
        let mut ends: Vec<usize> = ends.collect();
        ends.reverse();
        ends.into_iter().find_map(|end| {
            let (first, rest) = text.split_at(end);
            self.scope.find(&name::key(first))?;
            let rest = if rest.is_empty() { Vec::new() } else { self.factors(rest)? };
            Some([vec![first.to_owned()], rest].concat())
        })
    }

    /// What is said of `floor.row` where there is no contact `floor`.
    pub(super) fn no_member(&self, contact: &Ident, row: &Ident) -> Mistake {
        let dots = DOTS.iter().position(|words| words.contains(&row.text.as_str()));
        if let (Some(dots), Some(_)) = (dots, self.scope.find(&contact.name().key)) {
            let suffix = ["dot", "ddot"][dots];
            let suffixed = format!("{}_{suffix}", contact.text);
            let dotted = name::dotted(&contact.name().display, if dots == 0 { 1 } else { 2 });
            let instead = if dotted == suffixed {
                format!("write `{dotted}`")
            } else {
                format!("write `{dotted}` or `{suffixed}`")
            };
            let name = format!("{}.{}", contact.text, row.text);
            return Mistake::NameElsewhere { name, instead };
        }
        let near = self.scope.nearest_contact(contact);
        Mistake::UnknownContact { name: contact.text.clone(), near }
    }

    fn declared(
        &mut self,
        ident: &Ident,
        name: &Name,
        errors: &mut Errors,
    ) -> Option<Result<Value, Mistake>> {
        if name.is_plain() {
            match name.key.as_str() {
                "t" => return Some(Ok(self.symbol(SymbolKind::Time, "t"))),
                "pi" => return Some(Ok(self.symbol(SymbolKind::Pi, "pi"))),
                _ => {}
            }
        }
        let Some(entity) = self.scope.find(&name.key) else {
            return self.partial(ident, name);
        };
        let no_derivative =
            || Mistake::NoDerivative { name: ident.text.clone(), what: entity.what() };
        Some(match entity {
            Entity::Coordinate(_) if name.dots > 1 && self.scope.layout.is_defining() => {
                let (place, allowed) = ExprContext::Quasi.words();
                let (name, what) = (ident.text.clone(), "an acceleration");
                Err(Mistake::NotHere { name, what, place, allowed })
            }
            Entity::Coordinate(index) | Entity::Component(index) => {
                self.coordinate(name, index).ok_or_else(no_derivative)
            }
            Entity::Speed(_) if self.scope.layout.is_defining() => {
                Err(Mistake::QuasiInQuasi { name: ident.text.clone() })
            }
            Entity::Speed(index) => self.speed_value(name, index).ok_or_else(no_derivative),
            Entity::Rotation(_) if self.scope.layout.is_defining() => {
                Err(Mistake::RotationInQuasi { name: ident.text.clone() })
            }
            Entity::Rotation(index) => self.rotation_value(name, index).ok_or_else(no_derivative),
            Entity::Let(index) => {
                let value = self.let_value(index, errors);
                if name.dots > 0 && self.holds_forces(&value) {
                    return Some(Err(no_derivative()));
                }
                Ok(self.derived_let(value, name))
            }
            Entity::Function(_) => return self.partial(ident, name),
            _ if !name.is_plain() => Err(no_derivative()),
            Entity::Parameter(index) => {
                Ok(self.symbol(SymbolKind::Parameter(index), &name.display))
            }
            Entity::Input(index) => Ok(self.symbol(SymbolKind::Input(index), &name.display)),
            Entity::Constant(index) => Ok(self.symbol(SymbolKind::Constant(index), &name.display)),
        })
    }

    /// A declared function or a partial of it at its arguments; dotted, the total time derivative.
    fn partial(&mut self, ident: &Ident, name: &Name) -> Option<Result<Value, Mistake>> {
        if let Some((function, orders)) = self.scope.partial(&name.key) {
            let partial = self.pool.declared(function, orders)?;
            if self.pool.signature(partial).arguments.is_empty() {
                // Its declaration has been reported.
                return Some(Ok(MISTAKEN));
            }
            let value = Value::Scalar(self.pool.at_arguments(partial));
            return Some(Ok(self.derived_let(value, name)));
        }
        let function = self.scope.function_of(&name.key)?;
        let signature = self.pool.signature(self.pool.declared(function, Default::default())?);
        let names = signature.arguments.iter().map(|s| self.pool.symbol_info(*s).name.as_str());
        Some(Err(Mistake::UnknownPartial {
            name: ident.text.clone(),
            arguments: names.collect::<Vec<_>>().join(", "),
            function: signature.name.clone(),
        }))
    }

    fn symbol(&mut self, kind: SymbolKind, name: &str) -> Value {
        let symbol = self.pool.symbol(kind, name);
        Value::Scalar(self.pool.symbol_expr(symbol))
    }

    /// A coordinate after the impact: another one's value where the contact relabels.
    pub(crate) fn coordinate_after(&mut self, index: usize) -> Value {
        let quantities = self.quantities.as_ref();
        let source = quantities.map_or(index, |quantities| quantities.relabelled(index));
        self.symbol(SymbolKind::Coordinate(source), "")
    }

    /// ṫ = 1, q̇ and v̇ of the entries of q and v, as they are interned.
    pub(crate) fn motion_seeds(&mut self) -> Vec<(SymbolId, ExprId)> {
        let time = self.pool.symbol(SymbolKind::Time, "t");
        let mut seeds = vec![(time, ExprPool::ONE)];
        let kinds: Vec<SymbolKind> = self.pool.symbols().iter().map(|symbol| symbol.kind).collect();
        for kind in kinds {
            let Some(symbol) = self.pool.find_symbol(kind) else { continue };
            let rate = match kind {
                SymbolKind::Coordinate(index) => self.rate(index),
                SymbolKind::Velocity(speed) => {
                    let symbol = self.acceleration_symbol(speed);
                    self.pool.symbol_expr(symbol)
                }
                _ => continue,
            };
            seeds.push((symbol, rate));
        }
        seeds
    }

    /// A `let` with its dots (total time derivatives) and side.
    pub(crate) fn derived_let(&mut self, value: Value, name: &Name) -> Value {
        let mut value = value;
        for _ in 0..name.dots {
            value = self.along_motion(&value);
        }
        if name.side == Side::Plus { self.after_impact(&value) } else { value }
    }

    /// The value with velocities, and coordinates that the contact relabels, taken after the
    /// impact.
    pub(crate) fn after_impact(&mut self, value: &Value) -> Value {
        let symbols: Vec<(SymbolKind, String)> =
            self.pool.symbols().iter().map(|s| (s.kind, s.name.clone())).collect();
        let mut images = Vec::new();
        for (kind, shown) in symbols {
            let after = match kind {
                SymbolKind::Velocity(index) => {
                    self.symbol(SymbolKind::VelocityAfter(index), &format!("{shown}_plus"))
                }
                SymbolKind::Coordinate(index) => self.coordinate_after(index),
                _ => continue,
            };
            if let Some(symbol) = self.pool.find_symbol(kind) {
                images.push((symbol, after.as_scalar().unwrap_or(ExprPool::UNDEFINED)));
            }
        }
        let mut substitution = Substitution::new(images);
        value.map(|e| substitution.apply(&mut self.pool, e))
    }

    /// The value of a `let`, resolved when first asked for.
    pub(crate) fn let_value(&mut self, index: usize, errors: &mut Errors) -> Value {
        match &self.states[index] {
            LetState::Known(value) => return value.clone(),
            LetState::Open => {
                self.report_cycle(index, errors);
                return MISTAKEN;
            }
            LetState::Untouched => {}
        }
        self.states[index] = LetState::Open;
        self.open.push(index);
        let declared = &self.lets[index];
        // The variables of integrals around its use are not known to it.
        let variables = std::mem::take(&mut self.variables);
        let value = self.value(&declared.value, ExprContext::Let, errors);
        self.variables = variables;
        self.open.pop();
        self.states[index] = LetState::Known(value.clone());
        value
    }

    fn report_cycle(&self, index: usize, errors: &mut Errors) {
        let start = self.open.iter().position(|open| *open == index).unwrap_or(0);
        let mut names: Vec<String> =
            self.open[start..].iter().map(|open| self.lets[*open].name.text.clone()).collect();
        names.push(self.lets[index].name.text.clone());
        Mistake::Cycle { names }.report(errors, self.lets[index].name.region);
    }

    /// `dx`, `dt`, `dX` of a `let` or a function: dX = Σ ∂X/∂q dq + ∂X/∂t dt.
    fn differential(
        &mut self,
        ident: &Ident,
        context: ExprContext,
        errors: &mut Errors,
    ) -> Option<Result<Value, Mistake>> {
        if !matches!(context, ExprContext::Row | ExprContext::Claim) {
            return None;
        }
        let base = Name::parse(name::split_differential(&ident.text)?);
        if base.key == "t" && base.is_plain() {
            return Some(Ok(self.symbol(SymbolKind::TimeDifferential, "dt")));
        }
        if !base.is_plain() {
            return None;
        }
        if let Some((function, orders)) = self.scope.partial(&base.key) {
            let partial = self.pool.declared(function, orders)?;
            if self.pool.signature(partial).arguments.is_empty() {
                // Its declaration has been reported.
                return Some(Ok(MISTAKEN));
            }
            let value = Value::Scalar(self.pool.at_arguments(partial));
            return Some(self.differential_of(&value, &base.display));
        }
        match self.scope.find(&base.key)? {
            Entity::Coordinate(index) | Entity::Component(index) => {
                Some(Ok(Value::Scalar(self.differential_of_position(index))))
            }
            Entity::Speed(index) => Some(Ok(Value::Scalar(self.form_of_speed(index)))),
            Entity::Rotation(index) => {
                let value = self.rotation_value(&base, index)?;
                Some(self.differential_of(&value, &base.display))
            }
            Entity::Let(index) => {
                let value = self.let_value(index, errors);
                Some(self.differential_of(&value, &base.display))
            }
            _ => None,
        }
    }

    fn differential_of(&mut self, value: &Value, name: &str) -> Result<Value, Mistake> {
        let symbols = self.pool.symbols_in(&value.entries());
        let kinds: Vec<SymbolKind> =
            symbols.iter().map(|s| self.pool.symbol_info(*s).kind).collect();
        if kinds.iter().any(|kind| {
            matches!(
                kind,
                SymbolKind::Velocity(_) | SymbolKind::Acceleration(_) | SymbolKind::Input(_)
            )
        }) {
            return Err(Mistake::DifferentialOfVelocity { name: name.to_owned() });
        }
        let mut seeds = Vec::new();
        for (symbol, kind) in symbols.iter().zip(kinds) {
            let rate = match kind {
                SymbolKind::Coordinate(index) => self.differential_of_position(index),
                SymbolKind::Time => {
                    let time = self.pool.symbol(SymbolKind::TimeDifferential, "dt");
                    self.pool.symbol_expr(time)
                }
                _ => continue,
            };
            seeds.push((*symbol, rate));
        }
        let mut along = Tangent::new(seeds);
        Ok(value.map(|e| along.derivative(&mut self.pool, e)))
    }

    /// Whether a value holds forces of a mode, which have no derivative along the motion.
    fn holds_forces(&self, value: &Value) -> bool {
        value.entries().into_iter().any(|entry| self.pool.holds_forces(entry))
    }

    /// Whether all symbols of expressions may stand in a place.
    fn allows(&mut self, context: ExprContext, expressions: &[ExprId]) -> bool {
        let Self { pool, vetted, .. } = self;
        let place = vetted.iter().position(|(place, _)| *place == context).unwrap_or_else(|| {
            vetted.push((context, Vetted::default()));
            vetted.len() - 1
        });
        let wanted = |symbol| context.allows(pool.symbol_info(symbol).kind);
        pool.all_symbols(expressions, &mut vetted[place].1, wanted)
    }

    /// Every symbol of a name's value must be allowed where it stands.
    fn check_allowed(
        &mut self,
        (ident, key): (&Ident, &str),
        value: Value,
        context: ExprContext,
        errors: &mut Errors,
    ) -> Value {
        if context == ExprContext::Let && matches!(self.scope.find(key), Some(Entity::Let(_))) {
            // It was checked by the same rule where it is defined.
            return value;
        }
        let is_function = self.scope.partial(key).is_some();
        if (!is_function || context.allows_functions()) && self.allows(context, &value.entries()) {
            return value;
        }
        let kinds = self.pool.symbols_in(&value.entries()).into_iter();
        let forbidden = kinds
            .map(|symbol| self.pool.symbol_info(symbol).kind)
            .find(|kind| !context.allows(*kind));
        let what = match (forbidden, self.scope.find(key)) {
            (None, _) => "a function",
            (Some(SymbolKind::Velocity(_)), _) if is_function => "the rate of a function",
            _ if is_function => "a function of coordinates",
            (Some(SymbolKind::Velocity(_)), Some(Entity::Let(_))) => "a `let` with velocities",
            (_, Some(Entity::Let(_))) => "a `let` that depends on more",
            (Some(kind), _) => kind_words(kind),
        };
        let name = ident.text.clone();
        let mistake = match (context, forbidden) {
            (ExprContext::Friction, Some(SymbolKind::Velocity(_))) => {
                Mistake::FrictionOfVelocity { name, what }
            }
            _ => {
                let (place, allowed) = context.words();
                Mistake::NotHere { name, what, place, allowed }
            }
        };
        mistake.report(errors, ident.region);
        MISTAKEN
    }
}

/// What is written here for a name that others have, or for that of a function without its brackets.
fn written_elsewhere(name: &Name) -> Option<String> {
    // `Sin` of other languages too.
    let key = name.key.to_ascii_lowercase();
    let function = || Function::from_name(&key).is_some() || key == "sqrt";
    if let (1, Some(base)) = (name.dots, name.display.strip_suffix("_double")) {
        return Some(format!("write `{}` or `{base}_ddot`", name::dotted(base, 2)));
    }
    if !name.is_plain() {
        return None;
    }
    elsewhere::name(&name.display)
        .map(str::to_owned)
        .or_else(|| function().then(|| format!("`{key}` is a function: write `{key}(…)`")))
}
