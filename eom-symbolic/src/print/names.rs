//! How symbols and `let` values are named in print, and where they stand in products and sums.

use crate::mechanics::SystemModel;
use crate::name::{self, Name};
use crate::node::{ExprId, Function, Partial, SymbolId, SymbolKind, View};
use crate::number::Rational;
use crate::pool::ExprPool;
use crate::simplify::{self, Level, Simplifier, level_of};
use eom_elementary::order;
use rustc_hash::FxHashMap;

/// The place of a factor in a product: numbers, parameters, functions of coordinates, inputs,
/// velocities, accelerations, multipliers.
///
/// Parameters stand in the order that mechanics has made a habit, `m*g*l`: inertias (m, M, I, J),
/// g, all others; each in the order of their declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    pub(crate) class: u8,
    pub(crate) major: usize,
    pub(crate) minor: usize,
    /// 0 for a name, 1 for a call, 2 for a sum.
    pub(crate) shape: u8,
}

pub(crate) const CLASS_NUMBER: u8 = 0;
pub(crate) const CLASS_PARAMETER: u8 = 1;
pub(crate) const CLASS_STATE: u8 = 2;
pub(crate) const CLASS_INPUT: u8 = 3;
pub(crate) const CLASS_VELOCITY: u8 = 4;
pub(crate) const CLASS_ACCELERATION: u8 = 6;
pub(crate) const CLASS_MULTIPLIER: u8 = 7;

/// `let` names stand behind the declared names of their class.
const LET_OFFSET: usize = 1 << 20;

/// A `let` value of a larger [`size`](simplify::size) is found where it stands as declared only,
/// not in its other forms: equations seldom hold it whole.
const LET_SIZE_MAX: usize = 80;

/// So many `let`s are put back: each is looked for in each expression.
const LETS_MAX: usize = 400;

/// A positive product of more factors keeps its name in derived equations.
const PLAIN_FACTORS_MAX: usize = 3;

/// A name in print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) unicode: String,
    pub(crate) latex: String,
    /// Whether the LaTeX ends in a superscript, so that a power needs parentheses.
    pub(crate) superscript: bool,
    pub(crate) rank: Rank,
}

/// The name of a `let`.
#[derive(Debug, Clone)]
struct LetLabel {
    /// The index of the `let`.
    index: usize,
    label: Label,
    /// Whether derived equations are clearer without it: [`is_plain_product`].
    plain: bool,
}

/// A value that prints as a name.
#[derive(Debug, Clone)]
struct Pattern {
    label: usize,
    /// The coefficient of a product; 1 for sums.
    coefficient: Rational,
    /// Terms as (expression, coefficient), or factors as (base, exponent).
    parts: Vec<(ExprId, ExprId)>,
}

/// The names of a declaration: of its symbols, rows and `let` values.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// The names and dots of the speeds.
    speeds: Vec<(String, u8)>,
    rows: Vec<String>,
    /// The keys of names that would print in LaTeX as one before them does: x_1 beside x1.
    twins: Vec<String>,
    /// The model's symbols by their ids: name and LaTeX.
    symbols: Vec<(String, String)>,
    at_impact: bool,
    /// Labels of `let` names.
    labels: Vec<LetLabel>,
    whole: FxHashMap<ExprId, usize>,
    sums: Vec<Pattern>,
    products: Vec<Pattern>,
    /// Products of which a power may stand as a whole: ẋ² where ẋ is the dot of a `let`.
    powers: Vec<Pattern>,
    let_limit: usize,
    derived: bool,
}

impl Names {
    /// The names of a model. Adds the simplified `let` values, and their time derivatives, to the
    /// model's pool.
    pub fn new(model: &mut SystemModel) -> Self {
        Self::with_simplifier(model, &mut Simplifier::default())
    }

    pub(crate) fn with_simplifier(model: &mut SystemModel, simplifier: &mut Simplifier) -> Self {
        let mut names = Self {
            speeds: model.speeds.iter().map(|s| (s.named.name.clone(), s.dots)).collect(),
            rows: model.rows.iter().map(|r| r.named.name.clone()).collect(),
            twins: twins(model),
            let_limit: usize::MAX,
            ..Self::default()
        };
        let symbols = model.pool.symbols().iter();
        names.symbols = symbols.map(|s| (s.name.clone(), names.latex_of(&s.name))).collect();
        let mut time = model.time_direction();
        let pool = &mut model.pool;
        for (index, declared) in model.lets.iter().enumerate().take(LETS_MAX) {
            let (name, value) = (&declared.named.name, declared.value);
            names.add_let(pool, simplifier, index, name, value, 0);
            // The dot of a rate holds accelerations: it stands in no energy, row or gap.
            if level_of(pool, value) == Level::State {
                let rate = time.derivative(pool, value);
                names.add_let(pool, simplifier, index, name, rate, 1);
            }
        }
        names.sort();
        names
    }

    /// The longest match wins; of equals the first declared.
    fn sort(&mut self) {
        order::sort_by_key(&mut self.sums, |p| std::cmp::Reverse(p.parts.len()));
        order::sort_by_key(&mut self.products, |p| std::cmp::Reverse(p.parts.len()));
    }

    /// Whether a name is one of the declaration, or of what was abbreviated.
    pub(crate) fn is_taken(&self, model: &SystemModel, name: &str) -> bool {
        self.symbols.iter().any(|s| s.0 == name)
            || model.lets.iter().any(|l| l.named.name == name)
            || model.functions.iter().any(|f| f.named.name == name)
            || self.labels.iter().any(|l| l.label.unicode == name)
    }

    /// Makes a value print as a name from now on, as if the model declared it behind its own
    /// `let` names. Returns the name: `wanted`, or `wanted_2` and so on where that is taken.
    pub(crate) fn abbreviate(
        &mut self,
        model: &mut SystemModel,
        simplifier: &mut Simplifier,
        wanted: &str,
        value: ExprId,
    ) -> String {
        let mut name = wanted.to_owned();
        for number in 2_usize.. {
            if !self.is_taken(model, &name) {
                break;
            }
            name = format!("{wanted}_{number}");
        }
        self.add_let(&mut model.pool, simplifier, model.lets.len(), &name, value, 0);
        self.sort();
        name
    }

    fn add_let(
        &mut self,
        pool: &mut ExprPool,
        simplifier: &mut Simplifier,
        index: usize,
        display: &str,
        value: ExprId,
        dots: u8,
    ) {
        if matches!(pool.view(value), View::Number(_) | View::Symbol(_) | View::Undefined) {
            return;
        }
        let rank = let_rank(pool, value, display, index);
        let label = Label {
            unicode: name::dotted(display, dots),
            latex: self.latex(display, dots),
            superscript: false,
            rank,
        };
        let at = self.labels.len();
        let plain = dots == 0 && is_plain_product(pool, value, rank.class);
        self.labels.push(LetLabel { index, label, plain });
        let forms = if simplify::size(pool, value) > LET_SIZE_MAX {
            [value; 3]
        } else {
            [value, simplifier.simplify(pool, value), simplifier.collected(pool, value)]
        };
        for form in forms {
            self.whole.entry(form).or_insert(at);
            match pool.view(form) {
                View::Sum(terms) => {
                    let parts = terms.iter().map(|&(c, e)| (e, c)).collect();
                    self.push_sum(Pattern { label: at, coefficient: Rational::ONE, parts });
                }
                View::Product { coefficient, factors } => {
                    let parts = factors.to_vec();
                    let coefficient = pool.as_number(coefficient).cloned();
                    if let Some(coefficient) = coefficient.filter(|_| parts.len() > 1) {
                        let pattern = Pattern { label: at, coefficient, parts };
                        // A rate inside a product stays written out: equations are collected in it.
                        if rank.class <= CLASS_STATE {
                            self.products.push(pattern.clone());
                        }
                        self.powers.push(pattern);
                    }
                }
                _ => {}
            }
        }
    }

    fn push_sum(&mut self, pattern: Pattern) {
        if self.sums.iter().all(|known| known.parts != pattern.parts) {
            self.sums.push(pattern);
        }
    }

    /// The same names inside an impact, where ẋ prints as `ẋ_minus`.
    #[must_use]
    pub fn at_impact(&self) -> Self {
        Self { at_impact: true, ..self.clone() }
    }

    /// The same names without the `let` names from `index` on: for printing a definition.
    #[must_use]
    pub fn before_let(self, index: usize) -> Self {
        Self { let_limit: index, ..self }
    }

    /// The same names for what was derived: a `let` that is a plain product is written out, since
    /// its name hides a sign or a factor from the terms beside it.
    #[must_use]
    pub fn derived(&self) -> Self {
        Self { derived: true, ..self.clone() }
    }

    fn usable(&self, label: usize) -> bool {
        let known = &self.labels[label];
        known.index < self.let_limit && !(self.derived && known.plain)
    }

    /// The name of a whole expression, if it is the value of a `let`.
    pub(crate) fn let_of(&self, e: ExprId) -> Option<&Label> {
        let at = *self.whole.get(&e)?;
        self.usable(at).then(|| &self.labels[at].label)
    }

    /// The longest `let` whose terms, times one number, are all among `terms`: the terms' indices
    /// and the number.
    pub(crate) fn let_in_sum(
        &self,
        pool: &ExprPool,
        terms: &[(ExprId, ExprId)],
    ) -> Option<(&Label, Vec<usize>, Rational)> {
        self.sums.iter().filter(|p| self.usable(p.label)).find_map(|pattern| {
            let mut scale: Option<Rational> = None;
            let mut taken = Vec::with_capacity(pattern.parts.len());
            for &(e, c) in &pattern.parts {
                let at = terms.iter().position(|t| t.1 == e)?;
                let ratio = pool.as_number(terms[at].0)?.mul(&pool.as_number(c)?.recip()?);
                if *scale.get_or_insert_with(|| ratio.clone()) != ratio {
                    return None;
                }
                taken.push(at);
            }
            Some((&self.labels[pattern.label].label, taken, scale?))
        })
    }

    /// The longest `let` whose factors are all among `factors`, with its coefficient.
    pub(crate) fn let_in_product(
        &self,
        factors: &[(ExprId, ExprId)],
    ) -> Option<(&Label, Vec<usize>, &Rational)> {
        self.products.iter().filter(|p| self.usable(p.label)).find_map(|pattern| {
            let find = |part: &(ExprId, ExprId)| factors.iter().position(|f| f == part);
            let taken: Option<Vec<usize>> = pattern.parts.iter().map(find).collect();
            Some((&self.labels[pattern.label].label, taken?, &pattern.coefficient))
        })
    }

    /// The `let` of which `factors` are a whole power, that power, and the coefficient's.
    pub(crate) fn let_power(
        &self,
        pool: &ExprPool,
        factors: &[(ExprId, ExprId)],
    ) -> Option<(&Label, Rational, Rational)> {
        let usable = |p: &&Pattern| self.usable(p.label) && p.parts.len() == factors.len();
        self.powers.iter().filter(usable).find_map(|pattern| {
            let mut power: Option<Rational> = None;
            for &(base, exponent) in &pattern.parts {
                let found = factors.iter().find(|f| f.0 == base)?.1;
                let ratio = pool.as_number(found)?.mul(&pool.as_number(exponent)?.recip()?);
                if *power.get_or_insert_with(|| ratio.clone()) != ratio {
                    return None;
                }
            }
            let power = power.filter(|p| !p.is_negative())?;
            let coefficient = pattern.coefficient.pow(power.as_integer()?)?;
            Some((&self.labels[pattern.label].label, power, coefficient))
        })
    }

    /// The label of a partial of a declared function.
    pub(crate) fn partial_label(pool: &ExprPool, partial: Partial, arguments: &[ExprId]) -> Label {
        Label {
            unicode: pool.partial_name(partial),
            latex: pool.partial_latex(partial),
            superscript: false,
            rank: partial_rank(pool, partial, arguments),
        }
    }

    /// A base name with dots in LaTeX, as no other one prints.
    pub(crate) fn latex(&self, display: &str, dots: u8) -> String {
        if !self.twins.is_empty() && self.twins.contains(&name::key(display)) {
            return name::latex_as_written(display, dots);
        }
        name::latex_dotted(display, dots)
    }

    /// A name with its dots and side in LaTeX; what is no plain name stands upright.
    fn latex_of(&self, text: &str) -> String {
        if text.contains(['(', ' ']) {
            return escaped(text);
        }
        let (base, dots, side) = base_of(text);
        let base = self.latex(&base, dots);
        match side {
            name::Side::None => base,
            name::Side::Minus => format!("{base}^{{-}}"),
            name::Side::Plus => format!("{base}^{{+}}"),
        }
    }

    /// The label of a symbol.
    pub(crate) fn label(&self, pool: &ExprPool, symbol: SymbolId) -> Label {
        let info = pool.symbol_info(symbol);
        let rank = rank_of(info.kind, &info.name);
        let base = || match self.symbols.get(symbol.index()) {
            Some((name, latex)) if *name == info.name => latex.clone(),
            _ => self.latex_of(&info.name),
        };
        let (unicode, latex) = match info.kind {
            SymbolKind::Pi => ("π".to_owned(), r"\pi".to_owned()),
            SymbolKind::Multiplier(row) if row < self.rows.len() => {
                let row = &self.rows[row];
                (format!("λ({row})"), format!(r"\lambda_{{{}}}", escaped(row)))
            }
            SymbolKind::Velocity(_) if self.at_impact => {
                (format!("{}_minus", info.name), format!("{}^{{-}}", base()))
            }
            SymbolKind::VelocityAfter(i) if i < self.speeds.len() => {
                let (base, dots) = (&self.speeds[i].0, self.speeds[i].1);
                let unicode = format!("{}_plus", name::dotted(base, dots));
                (unicode, format!("{}^{{+}}", self.latex(base, dots)))
            }
            SymbolKind::Differential(i) if i < self.speeds.len() => {
                let base = &self.speeds[i].0;
                (name::differential(base), format!(r"\mathrm{{d}}{}", self.latex(base, 0)))
            }
            SymbolKind::TimeDifferential => (info.name.clone(), r"\mathrm{d}t".to_owned()),
            SymbolKind::Projector(i, j) if i.max(j) < self.speeds.len() => {
                let (i, j) = (&self.speeds[i].0, &self.speeds[j].0);
                let latex = format!("P_{{{},{}}}", self.latex(i, 0), self.latex(j, 0));
                (format!("projector[{i}, {j}]"), latex)
            }
            _ => (info.name.clone(), base()),
        };
        let superscript = latex.ends_with("^{-}") || latex.ends_with("^{+}");
        Label { unicode, latex, superscript, rank }
    }
}

/// The keys of the names of a declaration that print as another one before them.
fn twins(model: &SystemModel) -> Vec<String> {
    let symbols = model.pool.symbols().iter().filter(|s| !s.name.contains(['(', ' ']));
    let lets = model.lets.iter().map(|declared| &declared.named.name);
    let mut all: Vec<(String, usize, String)> = Vec::new();
    for (place, name) in symbols.map(|s| &s.name).chain(lets).enumerate() {
        let (base, _, _) = base_of(name);
        all.push((name::latex(&base), place, name::key(&base)));
    }
    order::sort(&mut all);
    let mut twins = Vec::new();
    let mut first: Option<&(String, usize, String)> = None;
    for one in &all {
        match first.filter(|first| first.0 == one.0) {
            Some(first) if first.2 != one.2 => twins.push(one.2.clone()),
            Some(_) => {}
            None => first = Some(one),
        }
    }
    twins
}

/// A name with its index, its dots and side.
fn base_of(text: &str) -> (String, u8, name::Side) {
    let (name, index) = text.split_at(text.find('[').unwrap_or(text.len()));
    let name = Name::parse(name);
    (format!("{}{index}", name.display), name.dots, name.side)
}

/// Text set upright, its underscores escaped; a single letter as the symbol it is.
pub(crate) fn escaped(text: &str) -> String {
    let plain = text.chars().count() == 1 || !text.is_ascii();
    if plain { name::latex(text) } else { format!(r"\mathrm{{{}}}", text.replace('_', r"\_")) }
}

/// A remark as the argument of `\text`: what is a sign of LaTeX is escaped, words that are not ASCII are formulas.
pub(crate) fn remark(text: &str) -> String {
    let is_letter = |c: char| {
        let joins = c.is_alphanumeric() || c == '_' || name::MARKS.contains(&c);
        joins && superscript(c).is_none()
    };
    let mut set = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| !is_letter(c)).unwrap_or(rest.len()).max(first.len_utf8());
        let (word, after) = rest.split_at(end);
        rest = after;
        let piece = match first {
            _ if !word.is_ascii() && is_letter(first) => {
                format!("${}$", Names::default().latex_of(word))
            }
            _ if superscript(first).is_some() => {
                // All that are raised together.
                let run = rest.find(|c| superscript(c).is_none()).unwrap_or(rest.len());
                let raised = [word, &rest[..run]].concat();
                rest = &rest[run..];
                format!("$^{{{}}}$", raised.chars().filter_map(superscript).collect::<String>())
            }
            _ if sign(first).is_some() => format!("${}$", sign(first).unwrap_or_default()),
            '&' | '%' | '#' | '$' | '{' | '}' => format!(r"\{first}"),
            '^' | '~' => format!(r"\{first}{{}}"),
            '\\' => r"\textbackslash{}".to_owned(),
            _ => word.replace('_', r"\_"),
        };
        // Formulas that touch are one.
        let touches = set.ends_with('$') && !set.ends_with(r"\$") && piece.starts_with('$');
        if touches {
            set.pop();
        }
        set.push_str(&piece[usize::from(touches)..]);
    }
    set
}

/// A letter that is raised.
fn superscript(letter: char) -> Option<char> {
    // table
    Some(match letter {
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁺' => '+',
        '⁻' => '-',
        'ᵀ' => 'T',
        _ => return None,
    })
}

/// A sign of mathematics: its command. Fonts of TeX have another letter at some places of ASCII.
fn sign(letter: char) -> Option<&'static str> {
    // table
    Some(match letter {
        '<' => "<",
        '>' => ">",
        '|' => "|",
        '−' => "-",
        '×' => r"\times",
        '≠' => r"\neq",
        '≤' => r"\leq",
        '≥' => r"\geq",
        '·' => r"\cdot",
        '∇' => r"\nabla",
        '↔' => r"\leftrightarrow",
        '→' => r"\to",
        '‖' => r"\|",
        '√' => r"\surd",
        _ => return None,
    })
}

/// 0 for inertias (m, M, I, J with any index), 1 for g, 2 for the rest.
fn habit(name: &str) -> usize {
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
    match base.split('_').next() {
        Some("m" | "M" | "I" | "J") => 0,
        Some("g") => 1,
        _ => 2,
    }
}

fn rank_of(kind: SymbolKind, name: &str) -> Rank {
    let (class, major, minor) = match kind {
        SymbolKind::Pi => (CLASS_NUMBER, 1, 0),
        SymbolKind::Parameter(i) => (CLASS_PARAMETER, habit(name), i),
        SymbolKind::Constant(i) => (CLASS_PARAMETER, 3, i),
        SymbolKind::Time => (CLASS_STATE, 0, 0),
        SymbolKind::Coordinate(i) => (CLASS_STATE, i + 1, 0),
        SymbolKind::Jet(i) => (CLASS_STATE, usize::MAX, i),
        SymbolKind::Bound(i) | SymbolKind::Variable(i) => (CLASS_STATE, usize::MAX - 1, i),
        SymbolKind::Input(i) => (CLASS_INPUT, i, 0),
        SymbolKind::Velocity(i) | SymbolKind::Rate(i) => (CLASS_VELOCITY, i, 0),
        SymbolKind::VelocityAfter(i) => (CLASS_VELOCITY + 1, i, 0),
        SymbolKind::Acceleration(i) => (CLASS_ACCELERATION, i, 0),
        SymbolKind::Weight(i) => (CLASS_MULTIPLIER + 7, i, 0),
        SymbolKind::Direction(i) => (CLASS_MULTIPLIER + 8, i, 0),
        SymbolKind::Multiplier(i) => (CLASS_MULTIPLIER, i, 0),
        SymbolKind::ContactForce(i) => (CLASS_MULTIPLIER, usize::MAX, 6 * i),
        SymbolKind::ContactFriction(i, j) => (CLASS_MULTIPLIER, usize::MAX, 6 * i + j + 1),
        SymbolKind::RowFriction(i, j) => (CLASS_MULTIPLIER, usize::MAX - 1, 3 * i + j),
        SymbolKind::Impulse(i) => (CLASS_MULTIPLIER + 1, i, 0),
        SymbolKind::Projector(i, j) => (CLASS_MULTIPLIER + 2, i, j),
        SymbolKind::Gram(i, j) => (CLASS_MULTIPLIER + 3, i, j),
        SymbolKind::GramInverse(i, j) => (CLASS_MULTIPLIER + 4, i, j),
        SymbolKind::Sharp(i, j) => (CLASS_MULTIPLIER + 5, i, j),
        SymbolKind::Differential(i) => (CLASS_MULTIPLIER + 6, i, 0),
        SymbolKind::TimeDifferential => (CLASS_MULTIPLIER + 6, usize::MAX, 0),
    };
    Rank { class, major, minor, shape: 0 }
}

/// A `let` stands where the first symbol of its value's class stands, behind it; one of
/// parameters by its own name.
fn let_rank(pool: &ExprPool, value: ExprId, display: &str, index: usize) -> Rank {
    let symbols = pool.symbols_in(&[value]);
    let ranks = || symbols.iter().map(|s| rank_of(pool.symbol_info(*s).kind, ""));
    let class = ranks().map(|r| r.class).max().unwrap_or(CLASS_NUMBER);
    let first = ranks().filter(|r| r.class == class).map(|r| r.major).min().unwrap_or(0);
    let major = if class == CLASS_PARAMETER { habit(display) } else { first };
    Rank { class, major, minor: LET_OFFSET + index, shape: 0 }
}

/// Whether a `let` of parameters and coordinates is a product without sums that carries a minus,
/// or has few factors: `-l*cos(θ)`, `l*sin(θ)`. Products of parameters alone, as m*R²/2, are named
/// for their meaning.
fn is_plain_product(pool: &ExprPool, value: ExprId, class: u8) -> bool {
    let View::Product { coefficient, factors } = pool.view(value) else {
        return false;
    };
    let negative = pool.as_number(coefficient).is_some_and(Rational::is_negative);
    let has_sum = factors.iter().any(|f| matches!(pool.view(f.0), View::Sum(_)));
    let short = class == CLASS_STATE && factors.len() <= PLAIN_FACTORS_MAX;
    class <= CLASS_STATE && !has_sum && (negative || short)
}

/// The place of a call: with the first symbol of its argument, behind it.
pub(crate) fn call_rank(function: Function, argument: Rank) -> Rank {
    Rank { minor: 1 + function.position(), shape: 1, ..argument }
}

/// A partial of a declared function: behind the elementary functions of its first argument, in the
/// order f, f_x, f_y, f_xx, f_xy, f_yy.
fn partial_rank(pool: &ExprPool, partial: Partial, arguments: &[ExprId]) -> Rank {
    /// Behind the elementary functions.
    const OFFSET: usize = 1 << 6;
    let symbols = pool.symbols_in(arguments);
    let ranks = || symbols.iter().map(|s| rank_of(pool.symbol_info(*s).kind, ""));
    let class = ranks().map(|r| r.class).max().unwrap_or(CLASS_NUMBER);
    let major = ranks().filter(|r| r.class == class).map(|r| r.major).min().unwrap_or(0);
    let [first, second, _] = partial.orders.map(|order| 15 - usize::from(order.min(15)));
    let order = (partial.total().min(15) << 8) | (first << 4) | second;
    let minor = OFFSET + ((usize::from(partial.function) << 12) | order);
    Rank { class, major, minor, shape: 1 }
}

#[cfg(test)]
mod tests {
    use super::remark;

    #[test]
    fn remarks_are_arguments_of_text() {
        for (text, set) in [
            ("no velocity is free", "no velocity is free"),
            ("P has 10×10 entries", r"P has 10$\times$10 entries"),
            (
                "it fires where ẏ_1 > 0, α^2 < 1",
                r"it fires where $\dot{y}_{1}$ $>$ 0, $\alpha$\^{}2 $<$ 1",
            ),
            (
                "‖f‖ ≤ λ² ↔ s⁺ᵀ = √E",
                r"$\|$f$\|$ $\leq$ $\lambda^{2}$ $\leftrightarrow$ s$^{+T}$ = $\surd$E",
            ),
            ("roll_x & 5 % {#}", r"roll\_x \& 5 \% \{\#\}"),
            ("", ""),
        ] {
            assert_eq!(remark(text), set);
        }
    }
}
