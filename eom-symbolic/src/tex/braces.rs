//! Braces, which hold together what they are around and print nothing.

use super::letters::begins_symbol;
use super::lex::Token;
use super::parse::Parser;
use super::tree::{Node, NodeKind};
use super::{MistakeKind, Parsed, mistake};

impl Parser<'_> {
    /// A formula in braces as a factor: `{x+y}^2` is printed as x + y², `2{x+y}` as 2x + y. What is one piece, `{\dot x}^2`,
    /// `{\left(x+y\right)}^2`, or stands alone, `{x+y} = 0`, is printed as it is read.
    pub(super) fn group(&mut self) -> Parsed<Node> {
        let first = self.mark_here();
        let before = first.checked_sub(1).and_then(|last| self.token(last)).cloned();
        let inner = self.braces()?;
        if self.joined && self.is_torn(&inner, before.as_ref()) {
            return mistake(self.since(first), MistakeKind::Braces);
        }
        Ok(inner)
    }

    /// Whether what stands beside a formula of several pieces takes one of them away, where no brackets are printed.
    fn is_torn(&self, inner: &Node, before: Option<&Token>) -> bool {
        let is_power = self.peek_is(&Token::Sign('^'));
        let is_factor = self.begins_atom() || self.begins_sign_of_product();
        let follows_factor = match before {
            Some(Token::Number(_) | Token::Letter(_) | Token::Close) => true,
            Some(Token::Sign(sign)) => matches!(sign, ')' | ']' | '\'' | '/' | '*'),
            Some(Token::Command(command)) => begins_symbol(command),
            _ => false,
        };
        let follows = |signs: &[Token]| before.is_some_and(|token| signs.contains(token));
        let sign = |name: &str| Token::Command(name.to_owned());
        match &inner.kind {
            NodeKind::Sum(_) => {
                let signs = [Token::Sign('-'), sign("cdot"), sign("times"), sign("circ")];
                is_power || is_factor || follows_factor || follows(&signs)
            }
            NodeKind::Neg(_) => is_power || follows_factor,
            NodeKind::Product(factors) if factors.iter().any(|(divides, _)| *divides) => {
                is_power || is_factor || follows(&[Token::Sign('/')])
            }
            _ => is_power || follows(&[Token::Sign('/')]),
        }
    }

    /// A formula in braces, to which they belong: above a fraction, in an index.
    pub(super) fn braces(&mut self) -> Parsed<Node> {
        self.next();
        let first = self.mark_here();
        let inner = self.sum()?;
        if self.eat_command("over") {
            let kind = NodeKind::Product(vec![(false, inner), (true, self.sum()?)]);
            let fraction = self.node(kind, first);
            self.close(&Token::Close, "{")?;
            self.joined = false;
            return Ok(fraction);
        }
        self.close(&Token::Close, "{")?;
        Ok(inner)
    }

    /// `{\left(x \right)}`, brackets as SymPy sets them.
    pub(super) fn list_in_braces(&mut self) -> Parsed<Option<Vec<Node>>> {
        let end = self.closing(1, &Token::Sign('('), &Token::Sign(')'));
        let is_all = end.is_some_and(|end| self.ahead(end + 1) == Some(&Token::Close));
        if !is_all || !self.eat_token(&Token::Open) {
            return Ok(None);
        }
        let list = self.list(')', "(")?;
        self.close(&Token::Close, "{")?;
        Ok(Some(list))
    }

    /// Where the bracket so far ahead is closed. What is nested is read once, and not by each level around it.
    pub(super) fn closing(&self, by: usize, open: &Token, close: &Token) -> Option<usize> {
        let mut depth = 0_usize;
        self.ahead(by).filter(|token| *token == open)?;
        (by..).map_while(|at| Some((at, self.ahead(at)?))).find_map(|(at, token)| {
            depth += usize::from(token == open);
            depth -= usize::from(token == close);
            (depth == 0).then_some(at)
        })
    }
}
