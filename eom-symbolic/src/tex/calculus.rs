//! Fractions, and those of differentials; roots, integrals, sums.

use super::letters::{begins_symbol, greek};
use super::lex::Token;
use super::parse::Parser;
use super::tree::{Node, NodeKind, Symbol};
use super::{MistakeKind, Parsed, mistake};

/// What the top of a fraction of differentials holds.
struct Differential {
    /// `∂` rather than `d`.
    partial: bool,
    /// The order.
    order: u8,
    /// What is differentiated, where it stands in the fraction.
    of: Option<Node>,
}

impl Parser<'_> {
    /// `\frac{a}{b}`, `\frac{d}{dt}(…)`, `\frac{\partial^2 f}{\partial x \partial y}`.
    pub(super) fn fraction(&mut self, first: usize) -> Parsed<Node> {
        self.next();
        let start = self.mark_here();
        if let Some(node) = self.derivative(first)? {
            return Ok(node);
        }
        self.back_to(start);
        let above = self.argument()?;
        let below = self.argument()?;
        Ok(self.node(NodeKind::Product(vec![(false, above), (true, below)]), first))
    }

    /// A formula in braces, or one digit or symbol.
    fn argument(&mut self) -> Parsed<Node> {
        if !self.peek_is(&Token::Open) {
            return self.script();
        }
        let outside = std::mem::take(&mut self.integrals);
        let inner = self.braces();
        self.integrals = outside;
        inner
    }

    /// The fraction as a derivative, where it is one.
    fn derivative(&mut self, first: usize) -> Parsed<Option<Node>> {
        if !self.has_differential_below() {
            return Ok(None);
        }
        let Some(above) = self.above()? else { return Ok(None) };
        let Some(by) = self.below(above.partial)? else { return Ok(None) };
        let of = match above.of {
            Some(of) => of,
            None => self.differentiated()?,
        };
        if usize::from(above.order) != by.len() {
            let at = self.since(first);
            return mistake(at, MistakeKind::Expected("the same order above and below"));
        }
        let kind = if above.partial {
            NodeKind::Partial(Box::new(of), by)
        } else {
            NodeKind::Rate(Box::new(of), above.order)
        };
        Ok(Some(self.node(kind, first)))
    }

    /// Whether `{d t`, or `{\partial`, stands below.
    fn has_differential_below(&mut self) -> bool {
        let mark = self.mark_here();
        let Some(end) = self.closing(0, &Token::Open, &Token::Close) else { return false };
        self.back_to(mark + end + 1);
        let begins = self.eat_token(&Token::Open)
            && (self.eat_command("partial") || self.eat_d() && self.peek_is(&Token::Letter('t')));
        self.back_to(mark);
        begins
    }

    /// `{d^2 x}`, `{\partial}`.
    fn above(&mut self) -> Parsed<Option<Differential>> {
        if !self.eat_token(&Token::Open) {
            return Ok(None);
        }
        let partial = self.eat_command("partial");
        if !partial && !self.eat_d() {
            return Ok(None);
        }
        let Some(order) = self.order()? else { return Ok(None) };
        if self.eat_token(&Token::Close) {
            return Ok(Some(Differential { partial, order, of: None }));
        }
        let of = self.sum()?;
        if !self.eat_token(&Token::Close) {
            return Ok(None);
        }
        Ok(Some(Differential { partial, order, of: Some(of) }))
    }

    /// `^2`, or nothing for 1.
    fn order(&mut self) -> Parsed<Option<u8>> {
        if !self.eat('^') {
            return Ok(Some(1));
        }
        let script = self.script()?;
        match script.kind {
            NodeKind::Number(digits) => Ok(digits.parse().ok()),
            _ => Ok(None),
        }
    }

    /// `{dt^2}`, `{\partial x \partial \dot{q}}`: by what, once for each order.
    fn below(&mut self, partial: bool) -> Parsed<Option<Vec<Node>>> {
        if !self.eat_token(&Token::Open) {
            return Ok(None);
        }
        let mut by = Vec::new();
        while !self.eat_token(&Token::Close) {
            let begins = if partial { self.eat_command("partial") } else { self.eat_d() };
            if !begins {
                return Ok(None);
            }
            let first = self.mark_here();
            let symbol = self.symbol()?;
            if !partial && symbol != (Symbol { letter: "t".to_owned(), ..Symbol::default() }) {
                return Ok(None);
            }
            let node = self.node(NodeKind::Symbol(symbol), first);
            let Some(order) = self.order()? else { return Ok(None) };
            by.extend(std::iter::repeat_n(node, usize::from(order)));
        }
        Ok(Some(by).filter(|by| !by.is_empty()))
    }

    /// `\sqrt{a}`, `\sqrt[n]{a}`.
    pub(super) fn root(&mut self, first: usize) -> Parsed<Node> {
        self.next();
        if !self.peek_is(&Token::Sign('[')) {
            let of = Box::new(self.argument()?);
            return Ok(self.node(NodeKind::Root(of), first));
        }
        let degree = self.list(']', "[")?.pop();
        let of = self.argument()?;
        let Some(degree) = degree else {
            return mistake(self.since(first), MistakeKind::Expected("the degree of the root"));
        };
        let at = degree.at.clone();
        let one = Node { kind: NodeKind::Number("1".to_owned()), at: at.clone() };
        let exponent = Node { kind: NodeKind::Product(vec![(false, one), (true, degree)]), at };
        Ok(self.node(NodeKind::Power(Box::new(of), Box::new(exponent)), first))
    }

    /// The two scripts of an integral or a sum, in either order.
    fn scripts(&mut self) -> Parsed<(Option<Node>, Option<Node>)> {
        let (mut lower, mut upper) = (None, None);
        for _ in 0..2 {
            if self.eat('_') {
                lower = Some(self.script()?);
            } else if self.eat('^') {
                upper = Some(self.script()?);
            }
        }
        Ok((lower, upper))
    }

    /// `\int_a^b … dx`, `\int_R … dR`.
    pub(super) fn integral(&mut self, first: usize) -> Parsed<Node> {
        self.next();
        let scripts = self.scripts()?;
        let outside = self.integrals;
        self.integrals = outside + 1;
        let of = self.sum();
        self.integrals = outside;
        let of = Box::new(of?);
        if !self.eat_d() {
            return mistake(
                self.here(),
                MistakeKind::Expected("`d` and the variable of the integral"),
            );
        }
        let by = self.symbol()?;
        let kind = match scripts {
            (Some(lower), Some(upper)) => {
                NodeKind::Integral { of, by, ends: Box::new((lower, upper)) }
            }
            (Some(Node { kind: NodeKind::Symbol(over), at }), None) => {
                if over != by {
                    return mistake(at, MistakeKind::Expected("the region that stands behind `d`"));
                }
                NodeKind::Region { of, over }
            }
            _ => {
                return mistake(
                    self.since(first),
                    MistakeKind::Expected("an integral with its ends"),
                );
            }
        };
        Ok(self.node(kind, first))
    }

    /// `\sum_{i=1}^{n} …`
    pub(super) fn total(&mut self, first: usize) -> Parsed<Node> {
        self.next();
        let expected = MistakeKind::Expected("`_{i=1}^{n}` at the sum");
        if !self.eat('_') || !self.eat_token(&Token::Open) {
            return mistake(self.here(), expected);
        }
        let by = self.symbol()?;
        if !self.eat('=') {
            return mistake(self.here(), expected);
        }
        let lower = self.sum()?;
        self.close(&Token::Close, "{")?;
        if !self.eat('^') {
            return mistake(self.here(), expected);
        }
        let upper = self.script()?;
        let of = Box::new(self.product()?);
        Ok(self.node(NodeKind::Total { of, by, ends: Box::new((lower, upper)) }, first))
    }

    /// Whether `d` and a symbol come next, the end of an integral.
    pub(super) fn begins_differential(&self) -> bool {
        let Some(length) = self.upright_d() else { return false };
        match self.ahead(length) {
            Some(Token::Letter(_)) => true,
            Some(Token::Command(command)) => {
                greek(command).is_some() || (begins_symbol(command) && command.starts_with("math"))
            }
            _ => false,
        }
    }

    /// The lexemes of a `d` that comes next: in italics, or upright, `\mathrm{d}`, `{\rm d}`.
    fn upright_d(&self) -> Option<usize> {
        let is_d = |by: usize| self.ahead(by) == Some(&Token::Letter('d'));
        let is_font = |by: usize| match self.ahead(by) {
            Some(Token::Command(command)) => {
                matches!(command.as_str(), "mathrm" | "operatorname" | "rm")
            }
            _ => false,
        };
        let braced = |font: usize, close: usize| {
            is_font(font) && is_d(2) && self.ahead(close) == Some(&Token::Close)
        };
        let opens = |by: usize| self.ahead(by) == Some(&Token::Open);
        match () {
            () if is_d(0) => Some(1),
            () if is_font(0) && is_d(1) => Some(2),
            () if opens(1) && braced(0, 3) || opens(0) && braced(1, 3) => Some(4),
            () => None,
        }
    }

    /// Passes a `d`.
    pub(super) fn eat_d(&mut self) -> bool {
        let length = self.upright_d();
        self.back_to(self.mark_here() + length.unwrap_or_default());
        length.is_some()
    }
}
