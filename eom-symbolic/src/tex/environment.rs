//! Environments that have a meaning: matrices and branches.

use super::lex::Token;
use super::parse::Parser;
use super::tree::{Node, NodeKind};
use super::{MistakeKind, Parsed, mistake};

impl Parser<'_> {
    /// `\begin{pmatrix} a & b \\ c & d \end{pmatrix}`, `\begin{cases} … \end{cases}`
    pub(super) fn environment(&mut self, name: &str, first: usize) -> Parsed<Node> {
        self.next();
        if name == "cases" {
            return self.cases(first);
        }
        let mut rows: Vec<Vec<Node>> = vec![Vec::new()];
        loop {
            if self.eat_token(&Token::End(name.to_owned())) {
                break;
            }
            if self.eat_token(&Token::Break) {
                rows.push(Vec::new());
                continue;
            }
            if self.eat('&') {
                let ends = [Token::Sign('&'), Token::Break, Token::End(name.to_owned())];
                let nothing_behind = ends.iter().any(|end| self.peek_is(end));
                if nothing_behind || rows.last().is_some_and(Vec::is_empty) {
                    return mistake(self.here(), MistakeKind::Expected("an entry of the matrix"));
                }
                continue;
            }
            if self.at_end() {
                return mistake(self.here(), MistakeKind::NotClosed(format!("\\begin{{{name}}}")));
            }
            let entry = self.sum()?;
            if let Some(row) = rows.last_mut() {
                row.push(entry);
            }
        }
        rows.retain(|row| !row.is_empty());
        Ok(self.node(NodeKind::Matrix(rows), first))
    }

    /// Branches: a formula, `&`, and a condition, of which only `\neq` is looked at.
    fn cases(&mut self, first: usize) -> Parsed<Node> {
        let mut branches = Vec::new();
        let end = Token::End("cases".to_owned());
        while !self.eat_token(&end) {
            let branch = self.sum()?;
            let mut usual = false;
            while !self.eat_token(&Token::Break) && !self.peek_is(&end) {
                match self.next() {
                    Some(Token::Command(command)) => usual |= command == "neq" || command == "ne",
                    Some(_) => {}
                    None => {
                        let opened = r"\begin{cases}".to_owned();
                        return mistake(self.here(), MistakeKind::NotClosed(opened));
                    }
                }
            }
            branches.push((branch, usual));
        }
        Ok(self.node(NodeKind::Cases(branches), first))
    }
}
