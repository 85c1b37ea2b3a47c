//! What stands between relations where it is no formula: sums and intersections of spaces, `U \to V`; limits from one
//! side, and dots in lists.

use super::lex::Token;
use super::parse::Parser;
use super::tree::{Mark, Node, NodeKind, Symbol};
use super::{MistakeKind, Parsed, mistake};

/// Commands of an arrow between spaces, and of a limit.
const ARROWS: &[&str] = &["to", "rightarrow", "longrightarrow"];

/// Dots between the entries of a list.
const LEADERS: &[&str] = &["dots", "ldots", "cdots", "dotsc"];

/// What several spaces make.
type Kind = fn(Vec<Node>) -> NodeKind;

impl Parser<'_> {
    /// `member = spaces [ "\to" spaces ]`
    pub(super) fn member(&mut self) -> Parsed<Node> {
        let first = self.mark_here();
        let left = self.spaces()?;
        if !self.eat_arrow() {
            return Ok(left);
        }
        let right = self.spaces()?;
        Ok(self.node(NodeKind::Arrow(Box::new(left), Box::new(right)), first))
    }

    /// `spaces = sum { "\oplus" sum } | sum { "\cap" sum }`
    fn spaces(&mut self) -> Parsed<Node> {
        let first = self.mark_here();
        let one = self.sum()?;
        let kinds: [(&str, Kind); 2] = [("oplus", NodeKind::DirectSum), ("cap", NodeKind::Meet)];
        for (command, kind) in kinds {
            let mut parts = vec![one.clone()];
            while self.eat_command(command) {
                parts.push(self.sum()?);
            }
            if parts.len() > 1 {
                return Ok(self.node(kind(parts), first));
            }
        }
        Ok(one)
    }

    fn eat_arrow(&mut self) -> bool {
        ARROWS.iter().any(|arrow| self.eat_command(arrow))
    }

    /// An entry of a list: a formula, or dots.
    pub(super) fn entry(&mut self) -> Parsed<Node> {
        let first = self.mark_here();
        if LEADERS.iter().any(|leaders| self.eat_command(leaders)) {
            return Ok(self.node(NodeKind::Leaders, first));
        }
        self.sum()
    }

    /// `\lim_{t \to \tau+} a`, `\lim_{t \to \tau^-} a`. Others are not of one state.
    pub(super) fn limit(&mut self, first: usize) -> Parsed<Node> {
        self.next();
        let at = self.since(first);
        let Some(behind) = self.side_of_limit()? else {
            return mistake(at, MistakeKind::Undecidable(r"\lim".to_owned()));
        };
        let of = Box::new(self.product()?);
        Ok(self.node(NodeKind::OneSided { of, behind }, first))
    }

    /// `_{t \to \tau+}`: whether it is the limit from behind; none where it is another limit.
    fn side_of_limit(&mut self) -> Parsed<Option<bool>> {
        if !(self.eat('_') && self.eat_token(&Token::Open)) {
            return Ok(None);
        }
        let by = self.symbol()?;
        if by != (Symbol { letter: "t".to_owned(), ..Symbol::default() }) || !self.eat_arrow() {
            return Ok(None);
        }
        let to = self.symbol()?;
        let side = match to.mark {
            Mark::Plus => Some(true),
            Mark::Minus => Some(false),
            _ if self.eat('+') => Some(true),
            _ if self.eat('-') => Some(false),
            _ => None,
        };
        // `\tau + 0` says the same.
        self.eat_token(&Token::Number("0".to_owned()));
        Ok(side.filter(|_| self.eat_token(&Token::Close)))
    }
}
