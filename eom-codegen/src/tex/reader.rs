//! A formula as an expression of the language.

use super::fault::{Fault, Read};
use super::forms::{any, called, component, is_set, number, parts, product, rated};
use super::names::{Names, meaning, name};
use crate::ast::{Explained, Expr, ExprKind, Factor, Ident, Range, Region, Term, TexText, Total};
use crate::diagnostic::Problem;
use eom_symbolic::tex::{Key, Mark, Node, NodeKind, Symbol};

/// The most terms of a sum that is written out.
pub(super) const TERMS_MAX: i64 = 1000;

/// Reads the formulas of one string.
pub(super) struct Reader<'r> {
    pub(super) names: &'r Names<'r>,
    /// The block of the notation that comes first.
    within: Option<&'r Ident>,
    pub(super) text: &'r str,
    literal: &'r TexText,
    constants: &'r [Ident],
    /// What stands for `^\pm`.
    pub(super) side: Option<Mark>,
    /// Variables of integrals around.
    variables: Vec<Symbol>,
    /// Indices of sums around with their numbers.
    indices: Vec<(String, i64)>,
    /// Values of the variable in `[…]_a^b`.
    between: Vec<(Symbol, Node)>,
    /// The variables of all integrals of the chain.
    noted: Vec<Symbol>,
    used: Vec<usize>,
}

/// The name of a variable of integration.
fn variable(by: &Symbol, node: &Node) -> Read<String> {
    let plain = by.letter.chars().count() == 1 && by.dots == 0 && by.primes == 0;
    if plain {
        return Ok(format!("{}{}", by.letter, by.index));
    }
    unexplained(node, "the variable of an integral is a letter", "write `dx`")
}

/// Whether a formula is the letter t.
fn is_time(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Symbol(symbol) if *symbol == Symbol { letter: "t".to_owned(), ..Symbol::default() })
}

/// What needs a word of explanation.
pub(super) fn unexplained<T>(node: &Node, what: &'static str, help: &str) -> Read<T> {
    Err(Fault::unexplained(node.at.clone(), what, help))
}

impl<'r> Reader<'r> {
    pub(super) fn new(
        names: &'r Names<'r>,
        within: Option<&'r Ident>,
        literal: &'r TexText,
        constants: &'r [Ident],
    ) -> Self {
        Self {
            names,
            within,
            text: &literal.text,
            literal,
            constants,
            side: None,
            variables: Vec::new(),
            indices: Vec::new(),
            between: Vec::new(),
            noted: Vec::new(),
            used: Vec::new(),
        }
    }

    /// The entries that were used since the last call, and those of them that are readings.
    pub(super) fn take_used(&mut self) -> (Vec<String>, Vec<String>) {
        let mut used = std::mem::take(&mut self.used);
        used.sort_unstable();
        used.dedup();
        let entries = used.iter().filter_map(|entry| self.names.notation.get(*entry));
        let written: Vec<(String, bool)> = entries
            .map(|entry| {
                let key = entry.written.key.text();
                let text = match entry.written.value {
                    Explained::Given => format!("given {key}"),
                    _ => format!("{key} = {}", meaning(entry.written)),
                };
                let why = entry.written.docs.join(" ");
                let why = if why.trim().is_empty() { why } else { format!(" ({})", why.trim()) };
                (
                    if entry.written.reading { format!("{text}{why}") } else { text },
                    entry.written.reading,
                )
            })
            .collect();
        let readings = written.iter().filter(|(_, reading)| *reading).map(|(text, _)| text.clone());
        let readings = readings.collect();
        (written.into_iter().map(|(text, _)| text).collect(), readings)
    }

    /// Notes the variables of the integrals of a chain, for brackets between two values.
    pub(super) fn note_variables<'n>(&mut self, members: impl Iterator<Item = &'n Node>) {
        self.noted.clear();
        for member in members {
            self.note(member);
        }
    }

    fn note(&mut self, node: &Node) {
        if let NodeKind::Integral { by, .. } = &node.kind
            && !self.noted.contains(by)
        {
            self.noted.push(by.clone());
        }
        for part in parts(node) {
            self.note(part);
        }
    }

    /// Notes the statements of a string that are given.
    pub(super) fn note_given(&mut self, entries: impl IntoIterator<Item = usize>) {
        self.used.extend(entries);
    }

    pub(super) fn entry(&self, key: &Key) -> Option<usize> {
        self.names.entry(key, self.within)
    }

    /// The value that the notation gives a key, which is used now.
    pub(super) fn meant(&mut self, key: &Key) -> Option<&'r Expr> {
        let entry = self.entry(key)?;
        let value = self.names.value(entry)?;
        self.used.push(entry);
        Some(value)
    }

    pub(super) fn region(&self, node: &Node) -> Region {
        self.literal.place(&node.at)
    }

    pub(super) fn printed(&self, node: &Node) -> String {
        let text = self.text.get(node.at.clone()).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// What the notation explains a piece of print by.
    pub(super) fn value_of(&mut self, node: &Node) -> Option<Expr> {
        let key = match &node.kind {
            NodeKind::Symbol(symbol) => Key::Symbol(self.sided(&self.indexed(symbol))),
            NodeKind::Applied(symbol, arguments) => {
                let symbol = self.sided(&self.indexed(symbol));
                Key::Applied(symbol, Node::arguments(arguments, self.text))
            }
            NodeKind::Phrase(text) => Key::Phrase(text.clone()),
            _ => return None,
        };
        self.meant(&key).cloned()
    }

    /// The formula as an expression.
    pub(super) fn expr(&mut self, node: &Node) -> Read<Expr> {
        let value = self.formula(node)?;
        if is_set(&value) {
            let help = "write what is in it or equal to it: `a \\in S`, `U = V`";
            return unexplained(node, "a set is no number", help);
        }
        Ok(value)
    }

    fn formula(&mut self, node: &Node) -> Read<Expr> {
        let region = self.region(node);
        let kind = match &node.kind {
            NodeKind::Number(text) => number(text),
            NodeKind::Symbol(symbol) => return self.symbol(symbol, node),
            NodeKind::Applied(symbol, arguments) => match self.applied(symbol, arguments, node)? {
                (None, value) => return Ok(value),
                (Some(factor), value) => product(vec![factor, value], region).kind,
            },
            NodeKind::Neg(of) => ExprKind::Neg(Box::new(self.expr(of)?)),
            NodeKind::Sum(terms) => {
                let term = |(minus, node): &(bool, Node)| {
                    Ok(Term { minus: *minus, expr: self.expr(node)? })
                };
                ExprKind::Sum(terms.iter().map(term).collect::<Read<_>>()?)
            }
            NodeKind::Product(factors) => {
                self.check_arguments(factors)?;
                let factor = |(divides, node): &(bool, Node)| {
                    Ok(Factor { divides: *divides, expr: self.expr(node)? })
                };
                ExprKind::Product(factors.iter().map(factor).collect::<Read<_>>()?)
            }
            NodeKind::Power(base, exponent) => self.power(base, exponent, region)?,
            NodeKind::Argument { function, factors, more } => {
                self.argument(function, factors, *more, node)?
            }
            NodeKind::Dot(left, right) => self.call("dot", [&**left, &**right], region)?,
            NodeKind::Cross(left, right) => self.call("cross", [&**left, &**right], region)?,
            NodeKind::Root(of) => self.call("sqrt", [&**of], region)?,
            NodeKind::Bars(of) => self.call("abs", [&**of], region)?,
            // A tuple is printed as a row: (a, b)ᵀ is the vector.
            NodeKind::Transposed(of) => match &of.kind {
                NodeKind::Vector(entries) => self.array(entries)?,
                _ => self.call("transpose", [&**of], region)?,
            },
            NodeKind::Phrase(text) => {
                let key = Key::Phrase(text.clone());
                let meant = self.meant(&key).cloned();
                let printed = || self.printed(node);
                return meant.ok_or_else(|| {
                    let problem = Problem::NoMeaning { symbol: printed(), near: None };
                    Fault { at: node.at.clone(), problem }
                });
            }
            NodeKind::OneSided { of, behind } => {
                self.call(if *behind { "plus" } else { "minus" }, [&**of], region)?
            }
            NodeKind::Leaders => return unexplained(node, "dots stand in a list", "write it out"),
            NodeKind::DirectSum(_) | NodeKind::Meet(_) | NodeKind::Arrow(..) => {
                let help = "write `U = V \\oplus W`, `U = V \\cap W`, `f : U \\to V`";
                return unexplained(node, "a space is no number", help);
            }
            NodeKind::Kernel(_) => {
                let help = "write `a \\in \\ker B` or `\\ker B \\subseteq \\ker A`";
                return unexplained(node, "a kernel is no number", help);
            }
            NodeKind::Call(function, arguments) => self.call(function, arguments, region)?,
            NodeKind::Vector(entries) => self.array(entries)?,
            NodeKind::Bracket(entries) => return self.bracket(entries, node),
            NodeKind::Matrix(rows) => self.matrix(rows, region)?,
            NodeKind::Rate(of, order) => {
                let mut rate = self.expr(of)?;
                for _ in 0..*order {
                    rate = called("rate", vec![rate], region);
                }
                return Ok(rate);
            }
            NodeKind::Partial(of, by) => {
                if by.iter().any(is_time) && self.is_path(of) {
                    let what = "`\\partial/\\partial t` is at a fixed state, and this is a motion";
                    return unexplained(node, what, "write `\\dot{x}` or `\\frac{d}{dt}`");
                }
                let of = self.expr(of)?;
                let by = by.iter().map(|by| self.expr(by)).collect::<Read<Vec<_>>>()?;
                return Ok(self.slope(of, by, region));
            }
            NodeKind::Integral { of, by, ends } => self.integral(of, by, ends, node)?,
            NodeKind::Region { of, over } => return self.over_region(of, over, node),
            NodeKind::Total { of, by, ends } => self.total(of, by, ends, node)?,
            NodeKind::Between(of, ends) => self.values_between(of, ends, node)?,
            NodeKind::Cases(_) => {
                return unexplained(
                    node,
                    "`cases` stands on the right side",
                    "write `a = \\begin{cases} …`",
                );
            }
        };
        Ok(Expr { kind, region })
    }

    /// Whether a formula is x or ẋ, or holds `x(t)`, whose derivative by t is the total one.
    fn is_path(&self, node: &Node) -> bool {
        let is_coordinate = |symbol: &Symbol| {
            let bare = symbol.unmarked().undotted();
            self.entry(&Key::Symbol(bare.clone())).is_none() && self.names.is_coordinate(&bare)
        };
        let of_time = |node: &Node| {
            matches!(&node.kind, NodeKind::Applied(symbol, arguments)
                if arguments.iter().all(is_time) && is_coordinate(symbol))
        };
        matches!(&node.kind, NodeKind::Symbol(symbol) if is_coordinate(symbol))
            || any(node, &of_time)
    }

    /// ∂²f/∂x∂y: `f_xy` of a declared function, else the function `partial`.
    fn slope(&self, of: Expr, by: Vec<Expr>, region: Region) -> Expr {
        let plain = by.iter().map(|by| match &by.kind {
            ExprKind::Name(ident) if ident.name().is_plain() => Some(ident.text.as_str()),
            _ => None,
        });
        if let (ExprKind::Name(function), Some(by)) = (&of.kind, plain.collect::<Option<Vec<_>>>())
            && self.names.is_function(&function.text)
        {
            return name(&eom_symbolic::name::partial(&function.text, &by), region);
        }
        by.into_iter().fold(of, |of, by| called("partial", vec![of, by], region))
    }

    pub(super) fn call<'n>(
        &mut self,
        function: &str,
        arguments: impl IntoIterator<Item = &'n Node>,
        region: Region,
    ) -> Read<ExprKind> {
        let arguments =
            arguments.into_iter().map(|node| self.expr(node)).collect::<Read<Vec<_>>>()?;
        Ok(called(function, arguments, region).kind)
    }

    pub(super) fn array(&mut self, entries: &[Node]) -> Read<ExprKind> {
        let entries = self.written_out(entries)?;
        Ok(ExprKind::Array(entries.iter().map(|node| self.expr(node)).collect::<Read<_>>()?))
    }

    /// A column of numbers is a vector.
    fn matrix(&mut self, rows: &[Vec<Node>], region: Region) -> Read<ExprKind> {
        if rows.iter().all(|row| row.len() == 1) {
            let entries = rows.iter().flatten().map(|node| self.expr(node)).collect::<Read<_>>()?;
            return Ok(ExprKind::Array(entries));
        }
        let row = |row: &Vec<Node>| Ok(Expr { kind: self.array(row)?, region });
        Ok(ExprKind::Array(rows.iter().map(row).collect::<Read<_>>()?))
    }

    /// [a, b]: a vector, or the product that the notation makes of it.
    fn bracket(&mut self, entries: &[Node], node: &Node) -> Read<Expr> {
        let region = self.region(node);
        let entry = self.entry(&Key::Bracket);
        let function = entry.and_then(|entry| self.names.value(entry)).map(|value| &value.kind);
        let Some(ExprKind::Name(function)) = function else {
            return Ok(Expr { kind: self.array(entries)?, region });
        };
        let function = function.text.clone();
        self.used.extend(entry);
        let kind = self.call(&function, entries, region)?;
        Ok(Expr { kind, region })
    }

    fn integral(
        &mut self,
        of: &Node,
        by: &Symbol,
        ends: &(Node, Node),
        node: &Node,
    ) -> Read<ExprKind> {
        let region = self.region(node);
        let (first, last) = (self.expr(&ends.0)?, self.expr(&ends.1)?);
        let index = variable(by, node)?;
        self.variables.push(by.clone());
        let term = self.expr(of);
        self.variables.pop();
        let range = Range { first, last, inclusive: false };
        let index = Ident { text: index, region };
        Ok(ExprKind::Integral(Box::new(Total { term: term?, index, range })))
    }

    /// `\int_R … dR` over the variables of the region.
    fn over_region(&mut self, of: &Node, over: &Symbol, node: &Node) -> Read<Expr> {
        let entry = self.entry(&Key::Region(over.clone()));
        let Some(ranges) = entry.and_then(|entry| self.names.region(entry)) else {
            let help =
                format!("write `notation {{ r\"\\int_{over} d{over}\" = x in a..b, y in c..d; }}`");
            return unexplained(node, "the region of the integral is not explained", &help);
        };
        self.used.extend(entry);
        let region = self.region(node);
        let symbols: Vec<Symbol> = ranges
            .iter()
            .map(|(name, _)| Symbol { letter: name.text.clone(), ..Symbol::default() })
            .collect();
        self.variables.extend(symbols);
        let inner = self.expr(of);
        self.variables.truncate(self.variables.len() - ranges.len());
        let mut inner = inner?;
        for (name, range) in ranges {
            let total = Total { term: inner, index: name.clone(), range: range.clone() };
            inner = Expr { kind: ExprKind::Integral(Box::new(total)), region };
        }
        Ok(inner)
    }

    /// A sum is written out: `c_i` is `c_1` and so on.
    fn total(
        &mut self,
        of: &Node,
        by: &Symbol,
        ends: &(Node, Node),
        node: &Node,
    ) -> Read<ExprKind> {
        let ends = [self.expr(&ends.0)?.whole(), self.expr(&ends.1)?.whole()];
        let [Some(first), Some(last)] = ends else {
            let help = "give the number of terms in `notation`: `p = 4;`";
            return unexplained(node, "a sum runs between whole numbers", help);
        };
        if last < first || last - first >= TERMS_MAX {
            return unexplained(node, "a sum has between 1 and 1000 terms", "change its ends");
        }
        let mut terms = Vec::new();
        for number in first..=last {
            self.indices.push((by.letter.clone(), number));
            let term = self.expr(of);
            self.indices.pop();
            terms.push(Term { minus: false, expr: term? });
        }
        Ok(ExprKind::Sum(terms))
    }

    /// [F]ₐᵇ = F(b) − F(a), in the variable of the integral beside it.
    fn values_between(&mut self, of: &Node, ends: &(Node, Node), node: &Node) -> Read<ExprKind> {
        let [by] = self.noted.as_slice() else {
            let help = "write the difference out";
            return unexplained(node, "no integral beside the bracket tells its variable", help);
        };
        let by = by.clone();
        let mut at = |end: &Node| {
            self.between.push((by.clone(), end.clone()));
            let value = self.expr(of);
            self.between.pop();
            value
        };
        let (lower, upper) = (at(&ends.0)?, at(&ends.1)?);
        Ok(ExprKind::Sum(vec![
            Term { minus: false, expr: upper },
            Term { minus: true, expr: lower },
        ]))
    }

    /// The symbol with the number of a sum for its index: x_i, x_{i+1}.
    pub(super) fn indexed(&self, symbol: &Symbol) -> Symbol {
        let number = self.indices.iter().rev().find_map(|(index, number)| {
            match symbol.index.strip_prefix(index.as_str())? {
                "" => Some(*number),
                more if more.starts_with(['+', '-']) => number.checked_add(more.parse().ok()?),
                _ => None,
            }
        });
        match number {
            Some(number) => Symbol { index: number.to_string(), ..symbol.clone() },
            None => symbol.clone(),
        }
    }

    /// The symbol with one side for `^\pm`.
    pub(super) fn sided(&self, symbol: &Symbol) -> Symbol {
        match self.side {
            Some(mark) if symbol.mark == Mark::Both => Symbol { mark, ..symbol.clone() },
            _ => symbol.clone(),
        }
    }

    pub(super) fn symbol(&mut self, symbol: &Symbol, node: &Node) -> Read<Expr> {
        let region = self.region(node);
        if let Some((_, end)) = self.between.iter().rev().find(|(by, _)| by == symbol) {
            let end = end.clone();
            let hidden = std::mem::take(&mut self.between);
            let value = self.expr(&end);
            self.between = hidden;
            return value;
        }
        if self.variables.contains(symbol) {
            return Ok(name(&variable(symbol, node)?, region));
        }
        if let Some((_, number)) = self
            .indices
            .iter()
            .rev()
            .find(|(index, _)| *index == symbol.letter && symbol.index.is_empty())
        {
            return Ok(Expr::whole_number(*number, region));
        }
        let symbol = self.sided(&self.indexed(symbol));
        if symbol.letter.ends_with("{0}") {
            return Ok(Expr::whole_number(0, region));
        }
        self.explained(&symbol, region)
            .or_else(|| self.declared(&self.undashed(&symbol), node, region).transpose())
            .unwrap_or_else(|| {
                let is_euler = matches!(&*symbol.letter, "e" | r"\mathrm{e}");
                let near = self.names.nearest(&symbol).filter(|_| symbol.primes == 0);
                let near = if is_euler { Some("exp(1)".to_owned()) } else { near };
                let problem = Problem::NoMeaning { symbol: symbol.to_string(), near };
                Err(Fault { at: node.at.clone(), problem })
            })
    }

    /// x' as ẋ, where x is a coordinate that the notation says nothing else of.
    fn undashed(&self, symbol: &Symbol) -> Symbol {
        let plain = Symbol { primes: 0, ..symbol.clone() };
        let bare = plain.unmarked().undotted();
        let is_free = self.entry(&Key::Symbol(bare.clone())).is_none();
        if is_free && self.names.is_coordinate(&bare) {
            return Symbol { dots: symbol.dots.saturating_add(symbol.primes), ..plain };
        }
        symbol.clone()
    }

    /// The value that the notation gives a symbol: with its dots and mark, or to these added.
    fn explained(&mut self, symbol: &Symbol, region: Region) -> Option<Read<Expr>> {
        let side = match symbol.mark {
            Mark::Plus => Some("plus"),
            Mark::Minus => Some("minus"),
            _ => None,
        };
        let mut forms = vec![(symbol.clone(), 0, None), (symbol.undotted(), symbol.dots, None)];
        if side.is_some() {
            forms.push((symbol.unmarked(), 0, side));
            forms.push((symbol.unmarked().undotted(), symbol.dots, side));
        }
        for (form, dots, side) in forms {
            if let Some(value) = self.meant(&Key::Symbol(form)) {
                let value = rated(self.names, value.clone(), dots, region);
                return Some(Ok(match side {
                    Some(side) => called(side, vec![value], region),
                    None => value,
                }));
            }
        }
        None
    }

    fn declared(&self, symbol: &Symbol, node: &Node, region: Region) -> Read<Option<Expr>> {
        let found = self.names.declared_name(symbol, Some(self.constants));
        let found = found.map_err(|(first, second)| {
            let problem = Problem::TwoMeanings { symbol: symbol.to_string(), first, second };
            Fault { at: node.at.clone(), problem }
        })?;
        let Some(found) = found else { return Ok(self.part(symbol, region)) };
        let side = match symbol.mark {
            Mark::None => "",
            Mark::Plus => "_plus",
            Mark::Minus => "_minus",
            Mark::Both | Mark::Star => return Ok(None),
        };
        let dotted = eom_symbolic::name::dotted(&found, symbol.dots);
        Ok(Some(name(&format!("{dotted}{side}"), region)))
    }

    /// What the declaration has no name of its own for: a partial of a function, a component of a vector.
    fn part(&self, symbol: &Symbol, region: Region) -> Option<Expr> {
        if let Some(partial) = self.names.partial(symbol) {
            return Some(name(&partial, region));
        }
        let (vector, place) = self.names.component(symbol)?;
        let base = Box::new(name(&eom_symbolic::name::dotted(&vector, symbol.dots), region));
        let indices = vec![Expr::whole_number(place, region)];
        let kind = ExprKind::Index { base, indices };
        (symbol.mark == Mark::None).then_some(Expr { kind, region })
    }

    /// The coordinates that a motion is of.
    pub(super) fn targets(&mut self, node: &Node) -> Read<Vec<Ident>> {
        let value = self.expr(node)?;
        let names = match &value.kind {
            ExprKind::Name(ident) => Some(vec![ident.clone()]),
            ExprKind::Array(entries) => entries
                .iter()
                .map(|entry| match &entry.kind {
                    ExprKind::Name(ident) => Some(ident.clone()),
                    _ => None,
                })
                .collect(),
            _ => None,
        };
        match names {
            Some(names) => Ok(names),
            None => unexplained(
                node,
                "a motion is one of coordinates",
                "write a coordinate on the left side",
            ),
        }
    }

    /// The components of a value: those of a vector by its index.
    pub(super) fn values(&mut self, node: &Node, count: usize) -> Read<Vec<Expr>> {
        let value = self.expr(node)?;
        if count == 1 {
            return Ok(vec![value]);
        }
        Ok((1..=count).map(|i| component(&value, i)).collect())
    }
}
