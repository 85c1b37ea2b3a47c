//! Which names the lines of a report need: others have no line.

use super::Line;
use crate::name;
use rustc_hash::FxHashSet;

/// The names that stand in some lines.
#[derive(Debug, Clone, Default)]
pub(super) struct Needed(FxHashSet<String>);

impl Needed {
    /// Needs what these lines hold.
    pub(super) fn read(&mut self, lines: &[Line]) {
        for line in lines {
            self.take(&line.unicode());
        }
    }

    /// The lines without the definitions that neither a later one nor what was read needs.
    pub(super) fn of(&mut self, lines: Vec<Line>) -> Vec<Line> {
        self.kept(lines, |_| false)
    }

    /// The same of declared names, of which only entries of vectors and matrices are left out.
    pub(super) fn of_declared(&mut self, lines: Vec<Line>) -> Vec<Line> {
        self.kept(lines, |name| !name.contains('['))
    }

    fn kept(&mut self, lines: Vec<Line>, always: impl Fn(&str) -> bool) -> Vec<Line> {
        let mut kept = Vec::with_capacity(lines.len());
        for line in lines.into_iter().rev() {
            let is_needed = match &line {
                Line::Definition { left, .. } => always(&left.unicode) || self.has(&left.unicode),
                Line::Equation { .. } | Line::Note(_) => true,
            };
            if is_needed {
                self.take(&line.unicode());
                kept.push(line);
            }
        }
        kept.reverse();
        kept
    }

    /// Whether a name or its rate is needed.
    fn has(&self, name: &str) -> bool {
        self.0.contains(name) || self.0.contains(&name::dotted(name, 1))
    }

    /// The names in a text; that of a definition is no use of it, but does no harm either, since it is looked at first.
    fn take(&mut self, text: &str) {
        let is_sign = |c: char| " ()*/^+-=,".contains(c);
        self.0.extend(text.split(is_sign).filter(|word| !word.is_empty()).map(str::to_owned));
    }
}
