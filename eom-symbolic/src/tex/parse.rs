//! Formulas: sums of products of powers, read as they are set.
//!
//! Side by side is a product. What functions and derivatives without brackets act on is in `arguments.rs`.

use super::letters::{begins_symbol, function, is_reciprocal};
use super::lex::{Lexeme, Token};
use super::phrase::Phrases;
use super::tree::{Node, NodeKind};
use super::{MistakeKind, Parsed, mistake};
use std::ops::Range;

/// How deep brackets and fractions stand in one another.
const DEPTH_MAX: usize = 48;

/// The inverse of `\cos^{-1}`.
const INVERSES: &[(&str, &str)] = &[("sin", "asin"), ("cos", "acos"), ("tan", "atan")];

/// A place in the lexemes.
pub(super) struct Parser<'t> {
    lexemes: &'t [Lexeme],
    phrases: &'t Phrases,
    at: usize,
    /// The length of the text.
    end: usize,
    depth: usize,
    /// Bars that are open: a bar behind an operand closes one.
    bars: usize,
    /// Integrals that are open: `d` before a symbol closes one.
    pub(super) integrals: usize,
    /// Whether the formula read last is joined of several pieces, by signs or side by side.
    pub(super) joined: bool,
}

impl<'t> Parser<'t> {
    pub(super) fn new(lexemes: &'t [Lexeme], end: usize, phrases: &'t Phrases) -> Self {
        Self { lexemes, phrases, at: 0, end, depth: 0, bars: 0, integrals: 0, joined: false }
    }

    pub(super) fn at_end(&self) -> bool {
        self.at >= self.lexemes.len()
    }

    pub(super) fn ahead(&self, by: usize) -> Option<&Token> {
        self.token(self.at + by)
    }

    /// The lexeme at a place.
    pub(super) fn token(&self, at: usize) -> Option<&Token> {
        self.lexemes.get(at).map(|lexeme| &lexeme.token)
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.ahead(0)
    }

    /// Whether a space is printed before the next lexeme.
    pub(super) fn is_spaced(&self) -> bool {
        self.lexemes.get(self.at).is_some_and(|lexeme| lexeme.spaced)
    }

    pub(super) fn peek_is(&self, token: &Token) -> bool {
        self.peek() == Some(token)
    }

    pub(super) fn next(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.at += 1;
        token
    }

    pub(super) fn eat_token(&mut self, token: &Token) -> bool {
        let found = self.peek_is(token);
        self.at += usize::from(found);
        found
    }

    pub(super) fn eat(&mut self, sign: char) -> bool {
        self.eat_token(&Token::Sign(sign))
    }

    pub(super) fn eat_command(&mut self, name: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Command(command)) if command == name);
        self.at += usize::from(found);
        found
    }

    /// The bytes of the next lexeme.
    pub(super) fn here(&self) -> Range<usize> {
        self.lexemes.get(self.at).map_or(self.end..self.end, |lexeme| lexeme.at.clone())
    }

    /// The bytes from a lexeme to the one before this place.
    pub(super) fn since(&self, first: usize) -> Range<usize> {
        let start = self.lexemes.get(first).map_or(self.end, |lexeme| lexeme.at.start);
        let last = self.at.checked_sub(1).and_then(|last| self.lexemes.get(last));
        start..last.map_or(self.end, |lexeme| lexeme.at.end).max(start)
    }

    /// Where this stands among the lexemes.
    pub(super) fn mark_here(&self) -> usize {
        self.at
    }

    pub(super) fn back_to(&mut self, mark: usize) {
        self.at = mark;
    }

    pub(super) fn node(&self, kind: NodeKind, first: usize) -> Node {
        Node { kind, at: self.since(first) }
    }

    /// sum = [ sign ] product { ( "+" | "-" ) product }
    pub(super) fn sum(&mut self) -> Parsed<Node> {
        if self.depth >= DEPTH_MAX {
            return mistake(self.here(), MistakeKind::TooDeep);
        }
        self.depth += 1;
        let sum = self.terms();
        self.depth -= 1;
        sum
    }

    fn terms(&mut self) -> Parsed<Node> {
        let first = self.at;
        let mut minus = self.eat('-');
        if !minus {
            self.eat('+');
        }
        let mut terms = Vec::new();
        loop {
            terms.push((minus, self.product()?));
            match self.peek() {
                Some(Token::Sign('+')) => minus = false,
                Some(Token::Sign('-')) => minus = true,
                Some(Token::Command(command)) if command == "pm" || command == "mp" => {
                    let shown = format!("\\{command}");
                    return mistake(self.here(), MistakeKind::Undecidable(shown));
                }
                _ => break,
            }
            self.at += 1;
        }
        self.joined |= minus || terms.len() > 1;
        if terms.len() > 1 {
            return Ok(self.node(NodeKind::Sum(terms), first));
        }
        let Some((minus, one)) = terms.pop() else {
            return mistake(self.here(), MistakeKind::Expected("a formula"));
        };
        Ok(if minus { self.node(NodeKind::Neg(Box::new(one)), first) } else { one })
    }

    /// `product = power { [ "*" | "/" | "\cdot" | "\times" | "\circ" ] power }`
    pub(super) fn product(&mut self) -> Parsed<Node> {
        let first = self.at;
        if self.eat('-') {
            let of = Box::new(self.product()?);
            self.joined = true;
            return Ok(self.node(NodeKind::Neg(of), first));
        }
        let mut factors = vec![(false, self.power(true)?)];
        let alone = self.at;
        // Where the factors since the last sign of a product begin, and the slash among them.
        let (mut run, mut slash) = (first, None);
        loop {
            let sign = self.at;
            if self.eat('/') {
                slash = Some(sign);
                factors.push((true, self.power(false)?));
                continue;
            }
            if self.begins_atom() {
                if let Some(slash) = slash {
                    return self.unclear_slash(run, slash);
                }
                factors.push((false, self.power(true)?));
                continue;
            }
            slash = None;
            run = self.at + 1;
            if self.eat('*') || self.eat_command("circ") {
                factors.push((false, self.power(true)?));
            } else if self.eat_command("cdot") {
                let (left, right) = (self.folded(factors, first), self.power(true)?);
                let dot = NodeKind::Dot(Box::new(left), Box::new(right));
                factors = vec![(false, self.node(dot, first))];
            } else if self.eat_command("times") {
                let (left, right) = (self.folded(factors, first), self.power(true)?);
                let cross = NodeKind::Cross(Box::new(left), Box::new(right));
                factors = vec![(false, self.node(cross, first))];
            } else {
                self.joined |= self.at > alone;
                return Ok(self.folded(factors, first));
            }
        }
    }

    /// What is said of `p/ml^2`, to the end of what may stand below.
    fn unclear_slash(&mut self, run: usize, slash: usize) -> Parsed<Node> {
        let behind = self.at;
        while self.begins_atom() {
            self.power(false)?;
        }
        let at = self.since(run);
        let byte = |place: usize| self.lexemes.get(place).map_or(at.end, |l| l.at.start) - at.start;
        let kind = MistakeKind::Slash { slash: byte(slash), behind: byte(behind) };
        mistake(at, kind)
    }

    pub(super) fn folded(&self, mut factors: Vec<(bool, Node)>, first: usize) -> Node {
        match (factors.len(), factors.pop()) {
            (1, Some((false, one))) => one,
            (_, last) => {
                factors.extend(last);
                self.node(NodeKind::Product(factors), first)
            }
        }
    }

    /// Whether the next lexeme begins another factor.
    pub(super) fn begins_atom(&self) -> bool {
        if self.integrals > 0 && self.begins_differential() {
            return false;
        }
        if self.phrase().is_some() {
            return true;
        }
        match self.peek() {
            Some(
                Token::Number(_)
                | Token::Letter(_)
                | Token::Open
                | Token::Begin(_)
                | Token::Sign('(' | '['),
            ) => true,
            Some(Token::Sign('|' | '‖')) => self.bars == 0,
            Some(Token::Command(command)) => {
                begins_symbol(command)
                    || function(command).is_some()
                    || matches!(
                        command.as_str(),
                        "frac" | "dfrac" | "tfrac" | "sqrt" | "int" | "iint" | "sum" | "lim"
                    )
            }
            _ => false,
        }
    }

    /// power = atom { "^" script | "_a^b" }
    pub(super) fn power(&mut self, with_arguments: bool) -> Parsed<Node> {
        let first = self.at;
        let mut base = self.atom(with_arguments)?;
        loop {
            if self.peek_is(&Token::Sign('_')) && self.closes_bracket(']') {
                base = self.between(base, first)?;
            } else if self.peek_is(&Token::Sign('^')) && self.has_script(&base) {
                return mistake(self.here(), MistakeKind::Expected("brackets around the power"));
            } else if self.peek_is(&Token::Sign('^')) && self.script_is(&Token::Letter('T')) {
                self.pass_script();
                base = self.node(NodeKind::Transposed(Box::new(base)), first);
            } else if self.eat('^') {
                let exponent = self.exponent()?;
                self.joined = false;
                base = self.node(NodeKind::Power(Box::new(base), Box::new(exponent)), first);
            } else {
                return Ok(base);
            }
        }
    }

    /// `x^{(2)}` is no square: the number in brackets counts states, or derivatives; nor is `x^{+2}`, the square of x⁺.
    fn exponent(&mut self) -> Parsed<Node> {
        let counts = [Token::Open, Token::Sign('(')]
            .iter()
            .enumerate()
            .all(|(by, token)| self.ahead(by) == Some(token))
            && matches!(self.ahead(2), Some(Token::Number(_)))
            && self.ahead(3) == Some(&Token::Sign(')'));
        let is_side = self.peek_is(&Token::Open) && self.ahead(1) == Some(&Token::Sign('+'));
        if is_side {
            return mistake(self.here(), MistakeKind::Expected("an exponent without a sign `+`"));
        }
        if counts {
            return mistake(self.here(), MistakeKind::Expected("an exponent without brackets"));
        }
        self.script()
    }

    /// The piece that the notation explains here, and its length.
    fn phrase(&self) -> Option<(&'t str, usize)> {
        self.phrases.at(self.lexemes.get(self.at..).unwrap_or_default())
    }

    /// The piece that the notation explains here, passed.
    pub(super) fn explained(&mut self, first: usize) -> Option<Node> {
        let (text, length) = self.phrase()?;
        self.at += length;
        Some(self.node(NodeKind::Phrase(text.to_owned()), first))
    }

    fn closes_bracket(&self, bracket: char) -> bool {
        let before = self.at.checked_sub(1).and_then(|last| self.token(last));
        before == Some(&Token::Sign(bracket))
    }

    /// Whether a piece that was read ends in an exponent: `x^2^3` and `{x^2}^3` are one to TeX or to the eye.
    fn has_script(&self, piece: &Node) -> bool {
        matches!(piece.kind, NodeKind::Power(..) | NodeKind::Transposed(_))
            && ![')', ']'].into_iter().any(|bracket| self.closes_bracket(bracket))
    }

    /// `_{a}^{b}` behind a bracket.
    fn between(&mut self, of: Node, first: usize) -> Parsed<Node> {
        self.eat('_');
        let lower = self.script()?;
        if !self.eat('^') {
            return mistake(self.here(), MistakeKind::Expected("`^` and the upper value"));
        }
        let upper = self.script()?;
        Ok(self.node(NodeKind::Between(Box::new(of), Box::new((lower, upper))), first))
    }

    /// An index or an exponent: a formula in braces, or one lexeme.
    pub(super) fn script(&mut self) -> Parsed<Node> {
        let first = self.at;
        if self.peek_is(&Token::Open) {
            return self.braces();
        }
        match self.peek().cloned() {
            // LaTeX takes the first of them: `x^12` is x¹·2, which nobody means.
            Some(Token::Number(digits)) if digits.len() > 1 => {
                mistake(self.here(), MistakeKind::Expected("braces around the digits"))
            }
            Some(Token::Number(digits)) => {
                self.at += 1;
                Ok(self.node(NodeKind::Number(digits), first))
            }
            Some(Token::Letter(_)) => {
                let symbol = self.symbol()?;
                Ok(self.node(NodeKind::Symbol(symbol), first))
            }
            Some(Token::Command(command)) if begins_symbol(&command) => {
                let symbol = self.symbol()?;
                Ok(self.node(NodeKind::Symbol(symbol), first))
            }
            _ => mistake(self.here(), MistakeKind::Expected("an exponent")),
        }
    }

    pub(super) fn close(&mut self, token: &Token, opened: &str) -> Parsed<()> {
        let at = self.here();
        if self.eat_token(token) {
            return Ok(());
        }
        mistake(at, MistakeKind::NotClosed(opened.to_owned()))
    }

    /// A piece that nothing tears apart.
    fn atom(&mut self, with_arguments: bool) -> Parsed<Node> {
        let first = self.at;
        if let Some(phrase) = self.explained(first) {
            self.joined = false;
            return Ok(phrase);
        }
        let in_braces = self.peek_is(&Token::Open);
        let piece = match self.peek().cloned() {
            Some(Token::Number(digits)) => {
                self.at += 1;
                Ok(self.node(NodeKind::Number(digits), first))
            }
            Some(Token::Letter(_)) => self.applied(first, with_arguments),
            Some(Token::Open) => self.group(),
            Some(Token::Sign('(')) => self.bracket(')', "("),
            Some(Token::Sign('[')) => self.bracket(']', "["),
            Some(Token::Sign(bar @ ('|' | '‖'))) => self.bars(bar, first),
            Some(Token::Begin(name)) => self.environment(&name, first),
            Some(Token::Command(command)) => self.command(&command, first, with_arguments),
            _ => mistake(self.here(), MistakeKind::Expected("a formula")),
        };
        self.joined &= in_braces;
        piece
    }

    fn command(&mut self, command: &str, first: usize, with_arguments: bool) -> Parsed<Node> {
        match command {
            "operatorname" | "mathrm" if self.named_function().is_some() => self.function(first),
            _ if function(command).is_some() => self.function(first),
            _ if begins_symbol(command) => self.applied(first, with_arguments),
            "frac" | "dfrac" | "tfrac" => self.fraction(first),
            "sqrt" => self.root(first),
            "int" | "iint" => self.integral(first),
            "sum" => self.total(first),
            "ker" => {
                self.at += 1;
                let of = Box::new(self.power(true)?);
                Ok(self.node(NodeKind::Kernel(of), first))
            }
            "rank" | "dim" => self.rank(first),
            "lim" => self.limit(first),
            "dots" | "ldots" | "cdots" => {
                mistake(self.here(), MistakeKind::Undecidable(format!("\\{command}")))
            }
            other => mistake(self.here(), MistakeKind::Command(other.to_owned())),
        }
    }

    /// `\text{rank } A`, `\dim \operatorname{im} A`.
    fn rank(&mut self, first: usize) -> Parsed<Node> {
        if self.eat_command("dim") {
            let image = ["operatorname", "mathrm"].iter().any(|command| self.eat_command(command));
            let im = [Token::Open, Token::Letter('i'), Token::Letter('m'), Token::Close];
            if !image || !im.iter().all(|token| self.eat_token(token)) {
                return mistake(
                    self.here(),
                    MistakeKind::Expected(r"`\operatorname{im}` behind `\dim`"),
                );
            }
        } else {
            self.at += 1;
        }
        let of = self.power(true)?;
        Ok(self.node(NodeKind::Call("rank".to_owned(), vec![of]), first))
    }

    /// A symbol, and the brackets behind it where they may be arguments.
    fn applied(&mut self, first: usize, with_arguments: bool) -> Parsed<Node> {
        let symbol = self.symbol()?;
        let arguments = match with_arguments || self.begins_time() {
            true if self.peek_is(&Token::Sign('(')) => Some(self.list(')', "(")?),
            true => self.list_in_braces()?,
            false => None,
        };
        let kind = match arguments {
            Some(arguments) => NodeKind::Applied(symbol, arguments),
            None => NodeKind::Symbol(symbol),
        };
        Ok(self.node(kind, first))
    }

    /// Whether `(t)` comes next, which is no factor.
    fn begins_time(&self) -> bool {
        let bare = [Token::Sign('('), Token::Letter('t'), Token::Sign(')')];
        let by = usize::from(self.peek_is(&Token::Open));
        bare.iter().zip(by..).all(|(token, by)| self.ahead(by) == Some(token))
    }

    /// A command in braces that is a function: `\operatorname{sgn}`.
    fn named_function(&self) -> Option<String> {
        let mut name = String::new();
        let mut by = 2;
        loop {
            match self.ahead(by) {
                Some(Token::Letter(letter)) => name.push(*letter),
                Some(Token::Number(digits)) => name.push_str(digits),
                _ => break,
            }
            by += 1;
        }
        (function(&name).is_some() && self.ahead(1) == Some(&Token::Open)).then_some(name)
    }

    /// `\sin^2\theta`, `\ln(z)`, `\cos^{-1}(x)`.
    fn function(&mut self, first: usize) -> Parsed<Node> {
        let command = match self.next() {
            Some(Token::Command(command)) if function(&command).is_some() => Some(command),
            _ => self.named_function_after(),
        };
        let named = command.as_deref().and_then(|command| Some((command, function(command)?)));
        let Some((command, mut name)) = named else {
            return mistake(self.here(), MistakeKind::Expected("a function"));
        };
        let is_reciprocal = is_reciprocal(command);
        let mut exponent =
            is_reciprocal.then(|| self.node(NodeKind::Number("1".to_owned()), first));
        if self.eat('^') {
            let script = self.script()?;
            let minus_one = matches!(&script.kind, NodeKind::Neg(one) if one.kind == NodeKind::Number("1".to_owned()));
            match INVERSES.iter().find(|row| row.0 == name && !is_reciprocal) {
                Some((_, inverse)) if minus_one => name = inverse,
                // f⁻¹ is no reciprocal.
                None if minus_one => {
                    let expected = "the inverse by its own name, or one over the function";
                    return mistake(self.since(first), MistakeKind::Expected(expected));
                }
                _ => exponent = Some(script),
            }
        }
        let arguments = self.arguments_of(command)?;
        let call = self.node(NodeKind::Call(name.to_owned(), arguments), first);
        let Some(mut exponent) = exponent else { return Ok(call) };
        if is_reciprocal {
            exponent = self.node(NodeKind::Neg(Box::new(exponent)), first);
        }
        Ok(self.node(NodeKind::Power(Box::new(call), Box::new(exponent)), first))
    }

    /// The function in braces, passed.
    fn named_function_after(&mut self) -> Option<String> {
        self.at -= 1;
        let name = self.named_function()?;
        while !self.eat_token(&Token::Close) {
            self.next()?;
        }
        Some(name)
    }

    /// Formulas between commas, brackets included.
    pub(super) fn list(&mut self, close: char, opened: &str) -> Parsed<Vec<Node>> {
        self.next();
        let (bars, integrals) =
            (std::mem::take(&mut self.bars), std::mem::take(&mut self.integrals));
        let entries = self.entries();
        (self.bars, self.integrals) = (bars, integrals);
        let entries = entries?;
        self.close(&Token::Sign(close), opened)?;
        Ok(entries)
    }

    fn entries(&mut self) -> Parsed<Vec<Node>> {
        let mut entries = vec![self.entry()?];
        while self.eat(',') {
            entries.push(self.entry()?);
        }
        Ok(entries)
    }

    /// One formula in brackets is itself, several are a vector.
    fn bracket(&mut self, close: char, opened: &str) -> Parsed<Node> {
        let first = self.at;
        let mut entries = self.list(close, opened)?;
        let at = self.since(first);
        Ok(match (entries.len(), entries.pop()) {
            (1, Some(one)) => Node { at, ..one },
            (_, last) => {
                entries.extend(last);
                let kind = if close == ']' {
                    NodeKind::Bracket(entries)
                } else {
                    NodeKind::Vector(entries)
                };
                Node { kind, at }
            }
        })
    }

    fn bars(&mut self, bar: char, first: usize) -> Parsed<Node> {
        self.next();
        self.bars += 1;
        let inner = self.sum();
        self.bars -= 1;
        let inner = inner?;
        self.close(&Token::Sign(bar), &bar.to_string())?;
        Ok(self.node(NodeKind::Bars(Box::new(inner)), first))
    }
}
