//! Dots in a list: x_1, …, x_m is written out, the last index a whole number or a letter that the notation explains by
//! one.

use super::fault::Read;
use super::reader::{Reader, TERMS_MAX, unexplained};
use eom_symbolic::tex::{Node, NodeKind, Symbol};

impl Reader<'_> {
    /// The entries of a list without its dots.
    pub(super) fn written_out(&mut self, entries: &[Node]) -> Read<Vec<Node>> {
        let mut found: Vec<Node> = Vec::new();
        let mut rest = entries.iter();
        while let Some(node) = rest.next() {
            if node.kind != NodeKind::Leaders {
                found.push(node.clone());
                continue;
            }
            let Some((first, last)) = found.pop().zip(rest.next()) else { return between(node) };
            found.extend(self.all_between(&first, last, node)?);
        }
        Ok(found)
    }

    /// x_1, …, x_m
    fn all_between(&mut self, first: &Node, last: &Node, dots: &Node) -> Read<Vec<Node>> {
        let (NodeKind::Symbol(from), NodeKind::Symbol(to)) = (&first.kind, &last.kind) else {
            return between(dots);
        };
        let ends = (self.index_of(from, last), self.index_of(to, last));
        let (Some(start), Some(end)) = ends else { return between(dots) };
        let same = Symbol { index: from.index.clone(), ..to.clone() } == *from;
        if !same || end < start || end - start >= TERMS_MAX {
            return between(dots);
        }
        let symbol = |number: i64| {
            let kind = NodeKind::Symbol(Symbol { index: number.to_string(), ..from.clone() });
            Node { kind, at: last.at.clone() }
        };
        Ok((start..=end).map(symbol).collect())
    }

    /// The number that an index is, or stands for.
    fn index_of(&mut self, symbol: &Symbol, node: &Node) -> Option<i64> {
        if let Ok(number) = symbol.index.parse() {
            return Some(number);
        }
        let letter = Symbol { letter: symbol.index.clone(), ..Symbol::default() };
        let letter = Node { kind: NodeKind::Symbol(letter), at: node.at.clone() };
        self.value_of(&letter).and_then(|value| value.whole())
    }
}

fn between<T>(dots: &Node) -> Read<T> {
    let what = "what the dots stand for is not told by what is beside them";
    let help = "write x_1, \\dots, x_n with whole numbers, or `n = 4;` in `notation`";
    unexplained(dots, what, help)
}
